/* guards.c - guards: what two solutions may have missed alike, so that their distance does not show it */
#include "search.h"


/* two solutions with as many evaluations have the same steps: an estimate that sees no error does not see an impact that they go over
   either. Steps that are held short tell. 1: they disagree */
int epi_is_blind(epi_search *a, epi_fault *why)
{
  epi_chosen *to = a->to;
  epi_variant held = a->now;
  if (!epi_way_is(held.way, EPI_WAY_COUNTED | EPI_WAY_RESTARTS)) return 0;
  held.longest = (to->end - a->c->t)/CHECKS/11.3;
  const double failed = epi_try_run(a, &held, a->y[0], why), found = to->found, apart = isnan(failed) ? NAN : epi_apart(a);
  to->found = found;
  epi_trace_add(a, "other steps", &held, apart, isnan(failed) ? why->cause : apart <= to->tol ? EPI_NO_CAUSE : EPI_GOES_OVER);
  if (isnan(failed)) return 1;
  if (apart <= to->tol) return 0;
  epi_fault_write(why, EPI_GOES_OVER, "chosen steps go over something that happens near t = %.6g, and their error does not show it: say "
                  "how short that is, by --flow 'tolerance(dop853, rtol=%g, longest=...)'", to->at, epi_rounded(0.1*to->tol));
  return 1;
}

/* ---- an event between the steps ---- */
static int has_defect(const epi_search *a) { return a->over > (a->c->system.smooth ? OVER_SMOOTH : OVER)*a->to->tol; }

static int is_free(const epi_search *a, int way) { return (void)way, !(a->longest > 0); }

/* it is met by steps that are no longer than it was seen to be, in their stages or, of adams, at their ends */
static epi_verdict ask_defect(epi_search *a, int way, int bad)
{
  if (!(bad ? a->to->cause == EPI_GOES_OVER : has_defect(a))) return (epi_verdict){.is = EPI_STANDS};
  return (epi_verdict){EPI_HELD, epi_rounded((a->to->end - a->c->t)/(way == EPI_BY_ADAMS ? 8*OFTEN : OFTEN))};
}

/* ---- an oscillation that the steps of an implicit method leave out ---- */
/* sizes are known where a solution has got to its end */
static int may_leave_out(const epi_search *a, int way) { return epi_way_is(way, EPI_WAY_IMPLICIT) && a->to->longest > 0 && a->size[0] > 0; }

static epi_verdict ask_fastest(epi_search *a, int way, int bad)
{
  double T;
  (void)way, (void)bad;
  const double off = epi_oscillation_fastest(a, RESOLVED, &T);
  if (!(off > ENOUGH*a->to->tol)) return (epi_verdict){.is = EPI_STANDS};
  epi_choose_fail(a->to, EPI_INEXACT, "its steps are longer than an oscillation with a period of %.3g, which goes on: up to %.2g of the "
                  "size of a coordinate", T, off);
  a->ripples = 1;
  return (epi_verdict){.is = EPI_REJECTED};
}

/* one that is not the fastest is kept by steps that are short enough */
static epi_verdict ask_slower(epi_search *a, int way, int bad)
{
  const double span = a->to->end - a->c->t;
  double T, off;
  (void)way, (void)bad;
  epi_oscillation_fastest(a, HUGE_VAL, &T);
  for (T *= 2; T < SLOWEST*a->to->longest && OSCILLATION_TURNS*T < span && !((off = epi_oscillation_held(a, T)) < 0); T *= 2) {
    if (!(off > ENOUGH*a->to->tol)) continue;
    const double kept_by = FOLLOWED*T/(2*EPI_PI);
    if (a->longest > 0 && a->longest <= kept_by) break;
    return (epi_verdict){EPI_HELD, epi_rounded_less(kept_by)};
  }
  return (epi_verdict){.is = EPI_STANDS};
}

const epi_guard epi_guards[EPI_GUARDS] = {
  {"defect", is_free, ask_defect},
  {"fastest oscillation", may_leave_out, ask_fastest},
  {"slower oscillation", may_leave_out, ask_slower},
};
