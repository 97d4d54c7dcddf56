/* pulse.c - what the command does after a step: the line of progress, the time for a checkpoint, the wish to stop */
#include "tool.h"
#include <string.h>

/* one line on a terminal, written over and over */
static void show(job *j, double t, double now)
{
  const epi_result *r = j->r;
  double part = (t - r->start)/(r->end - r->start), spent = now - j->pulse.began;
  double left = part > j->pulse.from ? spent*(1 - part)/(part - j->pulse.from) : 0;
  fprintf(stderr, "\r\033[K%5.1f %%   t = %.6g of %g   %.3g steps/s   %s left", 100*part, t, r->end,
          (double)(r->steps - j->pulse.first)/spent, duration(left).text);
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
  /* a checkpoint after every step is no question of time */
  j->pulse.next = j->r->steps + (j->log && j->pause == 0 ? 1 : j->pulse.stride);
}

int pulse_beat(void *data, epi_result *r, const epi_state *s)
{
  job *j = data;
  if (clock_interrupted()) return j->pulse.stop = INTERRUPTED;
  if (r->steps < j->pulse.next) return 0;
  double now = clock_now();
  pace(j, now);
  if (j->pulse.shows && now - j->pulse.shown > 0.2) show(j, s->t, now);
  return j->pulse.stop = j->log && now - j->pulse.saved >= j->pause ? SAVE : GO_ON;
}

void pulse_begin(job *j)
{
  const epi_result *r = j->r;
  double now = clock_now();
  j->pulse.began = j->pulse.seen = j->pulse.shown = j->pulse.saved = now;
  j->pulse.first = j->pulse.next = r->steps;
  j->pulse.stride = 1;
  j->pulse.from = (r->t - r->start)/(r->end - r->start);
  j->pulse.shows = !j->quiet && clock_terminal(stderr) && !(j->ask.out && !strcmp(j->ask.out, "-") && clock_terminal(stdout));
  clock_catch();
}

void pulse_end(job *j)
{
  if (j->pulse.shows) fputs("\r\033[K", stderr);
}
