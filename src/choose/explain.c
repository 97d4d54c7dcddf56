/* explain.c - what is told of a choice: its trace, the scales of the motion, why this flow, or why none */
#include "search.h"
#include "epicycle/measure.h"
#include <stdarg.h>

/* ---- errors ---- */
int epi_choose_fail(epi_chosen *to, epi_cause cause, const char *words, ...)
{
  epi_fault why = {.words = ""};
  va_list ap;
  va_start(ap, words);
  epi_fault_put(&why, cause, words, ap);
  va_end(ap);
  return epi_choose_fault(to, &why);
}

int epi_choose_fault(epi_chosen *to, const epi_fault *why)
{
  memcpy(to->error, why->words, sizeof to->error);
  to->cause = why->cause;
  return EPI_WRONG;
}

void epi_way_fault(epi_way *w, const epi_fault *why)
{
  memcpy(w->why, why->words, sizeof w->why);
  w->cause = why->cause;
}

void epi_way_close(epi_way *w, epi_cause cause, const char *words, ...)
{
  epi_fault why = {.words = ""};
  va_list ap;
  va_start(ap, words);
  epi_fault_put(&why, cause, words, ap);
  va_end(ap);
  epi_way_fault(w, &why);
}

/* ---- the trace ---- */
void epi_trace_add(epi_search *a, const char *what, const epi_variant *v, double error, epi_cause cause)
{
  epi_chosen *to = a->to;
  const int most = sizeof to->trace/sizeof *to->trace;
  const double calls = (double)(to->spent - a->traced);
  a->traced = to->spent;
  if (to->traced == most) { to->trace[most - 1].calls += calls; return; }
  to->trace[to->traced++] = (epi_traced){.what = what, .candidate = v ? epi_candidates[v->way].name : NULL, .tol = v ? v->r : NAN,
                                         .error = error, .calls = calls, .cause = cause};
}

void epi_trace_rest(epi_search *a, const char *what)
{
  if (a->to->spent != a->traced) epi_trace_add(a, what, NULL, NAN, EPI_NO_CAUSE);
}

const char *epi_cause_word(epi_cause cause)
{
  static const char *const words[] = {
    [EPI_OTHER_CAUSE] = "other", [EPI_MEMORY] = "memory", [EPI_COMPOSITION] = "composition", [EPI_ABSENT] = "absent",
    [EPI_REQUEST] = "request", [EPI_SYSTEM] = "system", [EPI_NOT_FINITE] = "not finite", [EPI_REFUSED] = "refused",
    [EPI_MODEL_ENDS] = "model ends", [EPI_TOO_LONG] = "step too long", [EPI_MOST_STEPS] = "most steps", [EPI_SHRUNK] = "step shrunk",
    [EPI_CONSTRAINTS] = "constraints", [EPI_CONTRADICTION] = "contradiction", [EPI_PHASE] = "phase", [EPI_ROUNDING] = "rounding",
    [EPI_MICRO_STEPS] = "micro-steps", [EPI_COST] = "cost", [EPI_REFUSES_OFTEN] = "refused steps", [EPI_GOES_OVER] = "missed event",
    [EPI_INEXACT] = "inexact", [EPI_DEAR] = "budget", [EPI_HALTED] = "halted", [EPI_BAD_FILE] = "file", [EPI_ROWS_FILE] = "rows file",
    [EPI_EVENTS_FILE] = "events file", [EPI_UNSTABLE] = "unstable", [EPI_FAST] = "fast solution",
  };
  const int known = (int)cause > 0 && (size_t)cause < sizeof words/sizeof *words && words[cause];
  return known ? words[cause] : cause ? words[EPI_OTHER_CAUSE] : NULL;
}

/* ---- why this flow ---- */
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
  else if (next > 0 && to->way[next].calls < calls && to->way[next].calls*epi_price(a, to->way[next].number) > calls*epi_price(a, to->way[0].number))
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
