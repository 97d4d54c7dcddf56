/* unasked.h - rows of a chosen flow, and the default tolerance of runs and of cases of a sweep: limit of evaluations, fallback flow. Both
 * libraries need it, so that its functions are inline */
#ifndef EPI_UNASKED_H
#define EPI_UNASKED_H
#include "epicycle.h"
#include "epicycle/choose.h"
#include <math.h>

/* several bodies, or joints: to find a flow takes many times as long as a run, and their world has one to begin with */
static inline int epi_ask_waits(const epi_case *c) { return c->world && c->flow && c->step > 0 && (c->system.nc || c->system.nq > 7); }

/* evaluations that may be spent on a tolerance that nobody asked for: what takes far longer than a run is left. The limit knows nothing of
   the clock, so that the answer is the same on every machine */
static inline double epi_ask_most(const epi_case *c, double end)
{
  const double n = epi_size(&c->system), most = 2e8/n, least = 2.5e7/n, times = 10;
  return !epi_ask_waits(c) ? most : fmin(most, fmax(least, times*(end - c->t)/c->step));
}

/* where that tolerance cannot be had: a world has a flow of its own; else what came nearest, or the cheapest that runs. NULL: none */
static inline const char *epi_ask_another(const epi_case *c, const epi_chosen *a)
{
  /* a flow that runs to its end with finer steps too, and where the search has ended early one whose solution is near a looser one */
  if (a->flow[0] && !a->breaks && (!a->dear || a->found < 0.01)) return a->flow;
  if (c->flow) return c->flow;
  return a->ways && !isnan(a->way[0].calls) && !a->way[0].why[0] ? a->way[0].flow : NULL;
}

/* the flow to run then; a flow that failed on its way runs up to there, for its rows; a world runs by its own flow, made for its joints */
static inline const char *epi_fallback_flow(const epi_case *c, const epi_chosen *a)
{
  return a->breaks == 1 && !(c->world && c->flow) ? a->flow : epi_ask_another(c, a);
}

/* time between rows of a chosen flow: every (NaN, negative: not given), else the step (NaN: not given), else a part of the run */
static inline double epi_ask_every(double span, double step, double every) { return every >= 0 ? every : isnan(step) ? span/500 : step; }

/* step of a chosen flow: that of the search, so that the run repeats it; rows come between */
static inline void epi_ask_rows(double span, double *step, double *every)
{
  if (!isnan(*step)) return;
  *every = epi_ask_every(span, *step, *every);
  *step = span/16;
}
#endif
