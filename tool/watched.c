/* watched.c - the flow with two watches of the command around it: rows at their times, and a pulse after every step; and one inside a flow
 * that has its steps in a time of its own */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the watches do ---- */
static int unbroken(const job *j, const epi_state *s)
{
  double sum = 0;
  for (int i = 0; i < epi_size(&j->c->system); i++) sum += 0*s->y[i];
  return sum == 0;
}

/* the last row is written at the end itself; a state that broke is for the library to report */
static int row(void *data, const epi_system *sys, epi_state *s)
{
  job *j = data;
  (void)sys;
  return s->t >= j->end - 1e-6*j->every || !unbroken(j, s) ? 0 : job_row(j, s);
}

/* at the steps themselves: what stands between them is of the output */
static int look(void *data, const epi_system *sys, epi_state *s)
{
  job *j = data;
  (void)sys;
  if (unbroken(j, s)) invariants_look(j, s);
  return 0;
}

static number duration(double seconds)
{
  number n;
  long s = seconds < 1e9 ? (long)(seconds + 0.5) : 1000000000;
  if (s < 60) snprintf(n.text, sizeof n.text, "%ld s", s);
  else if (s < 3600) snprintf(n.text, sizeof n.text, "%ld min %02ld s", s/60, s%60);
  else snprintf(n.text, sizeof n.text, "%ld h %02ld min", s/3600, s%3600/60);
  return n;
}

/* one line on a terminal, written over and over */
static void show(job *j, double t, double now)
{
  double part = (t - j->start)/(j->end - j->start), spent = now - j->began;
  double left = part > j->pulse.from ? spent*(1 - part)/(part - j->pulse.from) : 0;
  fprintf(stderr, "\r\033[K%5.1f %%   t = %.6g of %g   %.3g steps/s   %s left", 100*part, t, j->end,
          (double)(j->beats - j->pulse.first)/spent, duration(left).text);
  fflush(stderr);
  j->pulse.shown = now;
}

/* steps may take nanoseconds or minutes: look at the clock about every millisecond, but never let many steps pass */
static void pace(job *j, double now)
{
  enum { MOST = 256 };
  double since = now - j->pulse.seen;
  if (since < 1e-3 && j->pulse.stride < MOST) j->pulse.stride *= 2;
  if (since > 1e-2 && j->pulse.stride > 1) j->pulse.stride /= 2;
  j->pulse.seen = now;
  j->pulse.next = j->beats + j->pulse.stride;
}

static int beat(void *data, const epi_system *sys, epi_state *s)
{
  job *j = data;
  j->beats++;
  if (!j->inside && j->beats % j->stride == 0) look(j, sys, s);
  if (clock_interrupted()) return j->pulse.stop = INTERRUPTED;
  if (j->beats < j->pulse.next) return 0;
  double now = clock_now();
  pace(j, now);
  if (j->pulse.shows && now - j->pulse.shown > 0.2) show(j, s->t, now);
  return j->pulse.stop = j->log && now - j->pulse.saved >= j->pause ? SAVE : GO_ON;
}

void pulse_begin(job *j)
{
  double now = clock_now();
  j->pulse.seen = j->pulse.shown = j->pulse.saved = now;
  j->pulse.first = j->pulse.next = j->beats;
  j->pulse.stride = 1;
  j->pulse.from = (j->s.t - j->start)/(j->end - j->start);
  j->pulse.shows = !j->quiet && clock_terminal(stderr) && !(j->out && !strcmp(j->out, "-") && clock_terminal(stdout));
  clock_catch();
}

void pulse_end(job *j)
{
  if (j->pulse.shows) fputs("\r\033[K", stderr);
}

/* ---- where the watches go ---- */
/* the first argument of name( ... ) that is not an option; 0 if there is none */
static size_t first_flow(const char *flow, const char *name, size_t *length)
{
  size_t at = strspn(flow, " \t\n"), n = strlen(name);
  if (strncmp(flow + at, name, n)) return 0;
  at += n + strspn(flow + at + n, " \t\n");
  if (flow[at] != '(') return 0;
  size_t begin = ++at;
  for (int depth = 0, named = 0; flow[at]; at++) {
    char c = flow[at];
    if (c == '=' && !depth) named = 1;
    if ((c == ',' || c == ')') && !depth) {
      if (!named) return *length = at - begin, begin;
      begin = at + 1;
      named = 0;
      if (c == ')') return 0;
    }
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
  }
  return 0;
}

/* the text with the watches in it. A root with a tolerance takes its own steps: all is seen from inside; so are the steps of a density,
   whose answers at the times asked for are no part of its run */
static char *with_watches(job *j)
{
  size_t length = strlen(j->flow), at = first_flow(j->flow, "tolerance", &length), inner = length;
  j->adaptive = at > 0;
  size_t in = first_flow(j->flow, "density", &inner);
  j->inside = in > 0;
  char *flow = j->inside ? text("%.*swatch(%.*s, see=look)%s", (int)in, j->flow, (int)inner, j->flow + in, j->flow + in + inner)
                         : text("%s", j->flow);
  if (j->inside) length = strlen(flow);
  char *all = text("%.*swatch(watch(%.*s, see=row, every=%s), see=beat)%s", (int)at, flow, (int)length, flow + at,
                   shortest(j->every).text, flow + at + length);
  free(flow);
  return all;
}

epi_flow *watched(job *j)
{
  char *all = with_watches(j);
  int n = 0;
  while (j->c->parts && j->c->parts[n].name) n++;
  epi_name *names = need(((size_t)n + 4)*sizeof *names);
  if (n) memcpy(names, j->c->parts, (size_t)n*sizeof *names);
  names[n] = (epi_name){.name = "row", .see = row, .data = j};
  names[n + 1] = (epi_name){.name = "beat", .see = beat, .data = j};
  names[n + 2] = (epi_name){.name = "look", .see = look, .data = j};
  epi_flow *f = epi_make_named(all, names);
  free(all);
  free(names);
  return f;
}
