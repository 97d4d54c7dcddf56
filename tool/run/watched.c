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

/* steps that are chosen, for their picture */
static void keep_step(job *j, double t)
{
  if (j->steps.x && t > j->pulse.before) reel_add(&j->steps, (const double[]){t, t - j->pulse.before});
  j->pulse.before = t;
}

/* of a flow that steps in a time of its own only their number is seen from outside: their mean length since the last look */
typedef struct seen { long steps; double longest; } seen;
static void look_at_steps(void *data, const epi_info *i)
{
  seen *s = data;
  if (s->longest > 0 || !(i->longest > 0)) return;
  *s = (seen){i->chosen, i->longest};
}

static void keep_mean_step(job *j, double t)
{
  seen now = {0};
  if (!j->steps.x || j->adaptive || j->inside) return;
  epi_walk(j->tree, look_at_steps, &now);
  if (!(now.longest > 0) || now.steps <= j->pulse.counted || !(t > j->pulse.before)) return;
  reel_add(&j->steps, (const double[]){t, (t - j->pulse.before)/(double)(now.steps - j->pulse.counted)});
  j->pulse.before = t;
  j->pulse.counted = now.steps;
}

/* the last row is written at the end itself; a state that broke is for the library to report */
static int row(void *data, const epi_system *sys, epi_state *s)
{
  job *j = data;
  (void)sys;
  keep_mean_step(j, s->t);
  return s->t >= j->ask.end - 1e-6*j->ask.every || !unbroken(j, s) ? 0 : job_row(j, s);
}

/* at the steps themselves: what stands between them is of the output */
static int look(void *data, const epi_system *sys, epi_state *s)
{
  job *j = data;
  (void)sys;
  if (unbroken(j, s)) invariants_look(j, s);
  if (j->inside) keep_step(j, s->t);
  return 0;
}

/* one line on a terminal, written over and over */
static void show(job *j, double t, double now)
{
  double part = (t - j->start)/(j->ask.end - j->start), spent = now - j->began;
  double left = part > j->pulse.from ? spent*(1 - part)/(part - j->pulse.from) : 0;
  fprintf(stderr, "\r\033[K%5.1f %%   t = %.6g of %g   %.3g steps/s   %s left", 100*part, t, j->ask.end,
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
  if (j->adaptive) keep_step(j, s->t);
  if (!j->inside && j->beats % j->stride == 0) look(j, sys, s);
  if (clock_interrupted()) return j->pulse.stop = INTERRUPTED;
  if (j->beats < j->pulse.next) return 0;
  double now = clock_now();
  pace(j, now);
  if (j->pulse.shows && now - j->pulse.shown > 0.2) show(j, s->t, now);
  return j->pulse.stop = j->log && now - j->pulse.saved >= j->pause ? SAVE : GO_ON;
}

long pulse_pending(const job *j)
{
  seen now = {0};
  epi_walk(j->tree, look_at_steps, &now);
  return now.steps - j->pulse.counted;
}

void pulse_begin(job *j)
{
  double now = clock_now();
  j->pulse.seen = j->pulse.shown = j->pulse.saved = now;
  /* a resumed run goes on with the steps that no mean holds yet */
  if (!j->pulse.recalled) j->pulse.before = j->s.t;
  j->pulse.first = j->pulse.next = j->beats;
  j->pulse.stride = 1;
  j->pulse.from = (j->s.t - j->start)/(j->ask.end - j->start);
  j->pulse.shows = !j->quiet && clock_terminal(stderr) && !(j->ask.out && !strcmp(j->ask.out, "-") && clock_terminal(stdout));
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
  size_t length = strlen(j->ask.flow), at = first_flow(j->ask.flow, "tolerance", &length), inner = length;
  j->adaptive = at > 0;
  size_t in = first_flow(j->ask.flow, "density", &inner);
  j->inside = in > 0;
  char *flow = j->inside ? text("%.*swatch(%.*s, see=look)%s", (int)in, j->ask.flow, (int)inner, j->ask.flow + in, j->ask.flow + in + inner)
                         : text("%s", j->ask.flow);
  if (j->inside) length = strlen(flow);
  char *all = text("%.*swatch(watch(%.*s, see=row, every=%s), see=beat)%s", (int)at, flow, (int)length, flow + at,
                   shortest(j->ask.every).text, flow + at + length);
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
