/* guards.c - guards: what two solutions may have missed alike, so that their distance does not show it: starting values that are small and
 * that the motion makes large, events between the steps, oscillations inside of them */
#include "search.h"

/* ---- starting values: the tolerance of their steps is relative to them. A second run with these values doubled tells an instability from
   a value that forces have made large by themselves ---- */
/* the smallest starting value above `floor` that is far below its size in these rows; -1: none. Of positions and velocities the rounding
   of zero is none */
static int next_seed(const epi_search *a, const double *y, int rows, double floor)
{
  const double *start = a->c->y;
  const int mechanical = a->n - (epi_all_rate(&a->c->system) ? a->n : a->c->system.nz);
  double most = 0;
  int least = -1;
  for (int i = 0; i < a->n; i++) most = fmax(most, fabs(start[i]));
  for (int i = 0; i < a->n; i++) {
    double size = 0, value = fabs(start[i]);
    if (!(value > fmax(floor, i < mechanical ? 1e-15*most : 0)) || (least >= 0 && value >= fabs(start[least]))) continue;
    for (int k = 0; k < rows; k++) size = fmax(size, fabs(y[k*a->n + i]));
    if (value < SEED*size) least = i;
  }
  return least;
}

/* how far the solution by a->now moves, relative, where starting values within `from` ... `to` are doubled; 1 at most, and where that
   run fails. y: the solution from the start itself; room: rows for the other one and a state */
static double effect(epi_search *a, const double *y, double *room, double from, double to)
{
  double *was[2] = {a->y[0], a->y[1]}, *start = room, *moved = room + a->n, most = 1;
  epi_fault why = {.words = ""};
  for (int i = 0; i < a->n; i++) start[i] = a->c->y[i]*(fabs(a->c->y[i]) >= from && fabs(a->c->y[i]) <= to ? 2 : 1);
  double calls = epi_try_run(a, &a->now, &(epi_conditions){.start = start}, moved, &why);
  if (!isnan(calls)) {
    a->y[0] = (double *)y, a->y[1] = moved;
    most = fmin(1, epi_apart(a));
    a->y[0] = was[0], a->y[1] = was[1];
  }
  return most;
}

double epi_find_seed(const epi_search *a, const double *y, int rows)
{
  int i = next_seed(a, y, rows, 0);
  return i < 0 ? HUGE_VAL : fmax(fabs(a->c->y[i]), LEAST_SIZE);
}

/* an instability that amplifies a seed by 1/effect leaves room for an error as much larger */
static double least_of(epi_search *a, const double *y, double *room)
{
  double least = HUGE_VAL, floor = 0;
  for (int k = 0, i; k < DECADES && (i = next_seed(a, y, a->rows, floor)) >= 0; k++) {
    const double value = fabs(a->c->y[i]);
    if (value >= fmin(least, 0.1*a->small)) break;
    floor = k + 1 < DECADES ? 10*value : HUGE_VAL;
    double grown = effect(a, y, room, value, floor);
    if (a->to->error[0]) break;
    if (grown > NO_EFFECT*a->to->tol) least = fmin(least, fmax(value/grown, LEAST_SIZE));
  }
  return least;
}

double epi_find_grown_seed(epi_search *a)
{
  double least = epi_find_seed(a, a->y[0], a->rows);
  if (!(least < 0.1*a->small)) return HUGE_VAL;
  const size_t state = (size_t)a->n, all = (size_t)a->often*state;
  const int rows = a->rows;
  const double seconds = a->seconds, longest = a->to->longest, at = a->to->at;
  double *room = malloc((2*all + state)*sizeof *room), *y = a->y[0];
  epi_fault why = {.words = ""};
  if (!room) return least;
  /* the other run has more rows than one with a companion, which is made again */
  if (rows == CHECKS) y = room + all + state;
  if (rows != CHECKS || !isnan(epi_try_run(a, &a->now, NULL, y, &why))) {
    epi_measure_sizes(a, y);
    least = least_of(a, y, room);
  }
  a->rows = rows;
  a->seconds = seconds;
  a->to->longest = longest;
  a->to->at = at;
  free(room);
  return least;
}

/* ---- an impact that all steps go over ---- */

/* two solutions with as many evaluations have the same steps: an estimate that sees no error does not see an impact that they go over
   either. Steps that are held short tell. 1: they disagree */
int epi_is_blind(epi_search *a, epi_fault *why)
{
  epi_chosen *to = a->to;
  epi_variant held = a->now;
  if (!epi_way_is(held.way, EPI_WAY_COUNTED | EPI_WAY_RESTARTS)) return 0;
  held.longest = (to->end - a->c->t)/CHECKS/11.3;
  const double failed = epi_try_run(a, &held, NULL, a->y[0], why), found = to->found, apart = isnan(failed) ? NAN : epi_apart(a);
  to->found = found;
  epi_trace_add(a, "other steps", &held, apart, isnan(failed) ? why->cause : apart <= to->tol ? EPI_NO_CAUSE : EPI_GOES_OVER);
  if (isnan(failed)) return 1;
  if (apart <= to->tol) return 0;
  epi_fault_write(why, EPI_GOES_OVER, "chosen steps go over something that happens near t = %.6g, and their error does not show it: say "
                  "how short that is, by --flow 'tolerance(dop853, rtol=%g, longest=...)'", to->at, epi_rounded(0.1*to->tol));
  return 1;
}

/* ---- an event between the steps ---- */
static int has_defect(const epi_search *a) { return a->over > (a->c->system.traits.smooth ? OVER_SMOOTH : OVER)*a->to->tol; }

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
  a->motion |= EPI_OSCILLATES;
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
