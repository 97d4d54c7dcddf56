/* explain.c - what is told of a choice: the scales of the motion, and why this flow */
#include "search.h"
#include "epicycle/measure.h"

static int works(const epi_way *w) { return !isnan(w->calls) && !w->why[0]; }

int epi_choose_direct(const epi_chosen *to)
{
  int best = -1;
  for (int i = 0; i < to->ways; i++)
    if (!to->way[i].averages && works(&to->way[i]) && (best < 0 || to->way[i].calls < to->way[best].calls)) best = i;
  return best;
}

void epi_choose_fastest(epi_case *c, epi_chosen *to)
{
  int i = epi_choose_direct(to);
  if (i < 0) return;
  epi_flow *f = epi_case_flow(c, to->way[i].flow);
  epi_state s = epi_case_state(c);
  to->fastest = epi_error(f) ? NAN : epi_frequency(f, &s, NULL);
  epi_free(f);
}

/* positions alone: of velocities of a slow solution only those at whole turns are known */
static double slow_scale(const epi_search *a)
{
  const epi_system *m = &a->c->system;
  double span = (a->to->end - a->c->t)/CHECKS, rate = 0;
  int n = m->nq ? m->nq : a->n, apart = a->rows/CHECKS;
  for (int k = 1; k <= CHECKS; k++)
    for (int i = 0; i < n; i++) {
      const double *y = a->y[1] + i, *before = k > 1 ? y + ((k - 1)*apart - 1)*a->n : a->c->y + i;
      rate = fmax(rate, fabs(y[(k*apart - 1)*a->n] - *before)/(a->size[i]*span));
    }
  return rate > 0 ? 1/rate : HUGE_VAL;
}

/* what else there was, the cheapest of it; -1: nothing else works */
static int next_best(const epi_chosen *to)
{
  int best = -1;
  for (int i = 1; i < to->ways; i++) if (works(&to->way[i]) && (best < 0 || to->way[i].calls < to->way[best].calls)) best = i;
  return best;
}

void epi_say_why(epi_search *a)
{
  epi_chosen *to = a->to;
  int direct = epi_choose_direct(to), next = next_best(to);
  double calls = fmax(1, to->way[0].calls);
  const char *fast = to->turns > 0 ? "phase" : "oscillation";
  double turns = to->turns > 0 ? to->turns : a->scales.turns;
  to->slow = slow_scale(a);
  if (to->slow_part) return;
  if (to->way[0].averages && direct > 0 && to->way[direct].calls > calls)
    snprintf(to->reason, sizeof to->reason, "the fast %s turns %.6g times, and its turns are summed, not resolved: %.3g times fewer "
             "evaluations than the best flow that resolves them, %s, whose %.3g are predicted %s", fast, turns,
             to->way[direct].calls/calls, to->way[direct].flow, to->way[direct].calls,
             to->way[direct].note[0] ? to->way[direct].note : "by a part of the run");
  else if (to->way[0].averages)
    snprintf(to->reason, sizeof to->reason, "the fast %s turns %.6g times, and its turns are summed, not resolved", fast, turns);
  else if (next > 0 && to->way[next].calls < calls &&
           to->way[next].calls*epi_price(a, to->way[next].number) > calls*epi_price(a, to->way[0].number))
    snprintf(to->reason, sizeof to->reason, "it is the cheapest of those that work here; the next, %s, takes %.3g times the evaluations, "
             "predicted from a part of the run, and longer for each", to->way[next].flow, to->way[next].calls/calls);
  else if (next > 0 && to->way[next].averages && to->way[next].calls < calls)
    snprintf(to->reason, sizeof to->reason, "to sum the turns of the fast %s takes more at this tolerance than it seemed on a part of the "
             "run, and saves nothing", fast);
  else if (next > 0 && to->way[next].calls < calls)
    snprintf(to->reason, sizeof to->reason, "it was the cheapest on a part of the run; the whole takes it finer steps than it seemed");
  else if (a->short_run && to->way[0].calls < 8000)
    snprintf(to->reason, sizeof to->reason, "it takes so few evaluations that to try more flows would take longer than a better one could "
             "save");
  else if (next > 0)
    snprintf(to->reason, sizeof to->reason, "it is the cheapest of those that work here; the next, %s, takes %.3g times the evaluations, "
             "predicted from a part of the run", to->way[next].flow, to->way[next].calls/calls);
  else snprintf(to->reason, sizeof to->reason, "of the others none works here, or could cost less");
  size_t n = strlen(to->reason);
  if (to->said[0]) snprintf(to->reason + n, sizeof to->reason - n, "; %s", to->said);
}
