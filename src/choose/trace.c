/* trace.c - what a search has done, entry by entry, and the sentences of what went wrong */
#include "search.h"
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
