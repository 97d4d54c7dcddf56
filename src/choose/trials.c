/* trials.c - what each candidate takes on a part of the run, and which of them costs least */
#include "search.h"


/* with those that other files of the room enter before them */
_Static_assert(EPI_CANDIDATES + 6 <= sizeof ((epi_chosen *)NULL)->way/sizeof(epi_way), "room for all ways");

/* that were asked for, or some */
static double rows_of(const epi_search *a) { return a->to->every > 0 ? (a->to->end - a->c->t)/a->to->every : 100; }

static double try_part(epi_search *a, epi_attempt *x, epi_way *w, double part)
{
  epi_fault why = {.words = ""};
  const double calls = epi_try_part(a, x, w, part, &why);
  if (why.words[0]) epi_way_fault(w, &why);
  return calls;
}

/* its first steps are short, and are told from the rest by two parts of the run */
static void try_tuned(epi_search *a, epi_way *w)
{
  /* it asks for some tens of periods at least, and for some more in each radian of the slow motion; what tells its error takes more too */
  const double periods = (25 + 6*a->scales.pace*(a->to->end - a->c->t))*pow(1e-3/a->to->tol, 0.08), direct = epi_direct_calls(a);
  /* as a rule a third more than that; the trial itself takes a tenth of what it may save */
  if (w->rows*(1 + 1.5*periods/rows_of(a)) > 0.75*direct) {
    epi_way_close(w, EPI_DEAR, "so few turns are resolved with about %.2g evaluations: to sum them would hardly cost less, as each of "
                  "%.4g rows is a period too", direct, rows_of(a));
    return;
  }
  if (epi_first_tolerance(a, w->number) < epi_felt_by_turns(a)) {
    epi_way_close(w, EPI_ROUNDING, "of %.4g turns, summed to this tolerance, it is felt how each is rounded", a->scales.turns);
    return;
  }
  epi_attempt x = {0};
  double few = try_part(a, &x, w, 1./64);
  double more = isnan(few) ? NAN : try_part(a, &x, w, 1./16);
  w->calls = more + fmax(0, more - few)/(3./64)*15/16;
  w->seconds = x.seconds/more*w->calls;
  epi_attempt_leave(&x);
}

static int is_direct(int i) { return i == EPI_BY_ADAMS || i == EPI_DIRECT; }

/* evaluations of the whole run, from longer and longer parts of it: some thousands tell enough, or some hundreds of a fast oscillation, or
   fewer where they tell that others take far less */
static void try_way(epi_search *a, epi_way *w, int i, double least)
{
  w->number = i;
  if (i == EPI_BY_STEPS) a->steps = epi_steps_of_a_turn(a, epi_first_tolerance(a, i));
  const epi_variant tried = {.way = i, .r = epi_first_tolerance(a, i)};
  epi_variant_write(a, &tried, w->flow, sizeof w->flow);
  w->calls = w->seconds = NAN;
  w->averages = epi_way_is(i, EPI_WAY_SUMS);
  w->why[0] = w->note[0] = 0;
  w->cause = EPI_NO_CAUSE;
  if (i == a->failed) return;
  /* each row is a period of its own */
  double price = epi_price(a, w->number);
  w->rows = epi_way_is(i, EPI_WAY_TUNED) ? rows_of(a)*17*epi_substeps_for(a, epi_first_tolerance(a, i)) : 0;
  if (epi_way_is(i, EPI_WAY_TUNED)) { try_tuned(a, w); return; }
  if (epi_way_is(i, EPI_WAY_AVERAGES) && isinf(a->averaged)) { epi_way_close(w, EPI_INEXACT, "%s", a->to->said); return; }
  if (epi_way_is(i, EPI_WAY_AVERAGES) && a->averaged > 0) { w->calls = 1.6*a->averaged; w->rows = a->averaged; return; }
  epi_attempt x = {0};
  double last = 0, before = 0, rate = HUGE_VAL;
  /* steps of a low order, or that are tried by halves, may take more for a first part than another way for the whole run */
  const double shortest = epi_way_is(i, EPI_WAY_ORDER_2 | EPI_WAY_BACK) && least > 1e5 && least < HUGE_VAL ? 1e5/least/4096 : 1./4096;
  /* the next part is little longer where this one was dear: it may cost more than the whole run by another */
  for (double part = shortest, calls; part < 0.1; part *= price*before > 0.03*least ? 2 : part > 0.01 ? 4 : 8) {
    w->calls = (calls = try_part(a, &x, w, part))/part;
    double steady = (calls - before)/(part - last);
    int first = !(last > 0);
    if (i == EPI_DIRECT) a->steady = steady;
    /* sums of turns begin with short steps, and so do implicit flows */
    if (epi_way_is(i, EPI_WAY_AVERAGES | EPI_WAY_SLOW_TO_START) && !first) w->calls = calls + steady*(1 - part);
    w->seconds = x.seconds/calls*w->calls;
    if (is_direct(i) && calls > 40 && calls < 0.5*FEW_CALLS*part) break;
    int summed = epi_way_is(i, EPI_WAY_AVERAGES) && part < 0.05 && calls < 0.1*least;
    /* implicit steps grow with the time where something decays: as many in every doubling of it, and hardly any of the rest of the run */
    double if_decays = first ? 0 : calls + (calls - before)*log(1/part)/log(part/last), worth = price*if_decays < 0.5*least ? 0.1 : 0.03;
    int decays = epi_way_is(i, EPI_WAY_SLOW_TO_START) && steady < 0.7*rate && price*calls < (first ? 1 : worth)*least;
    last = part;
    before = calls;
    rate = steady;
    if (i == EPI_BY_ADAMS && calls > 100 && epi_refuses_often(x.f)) {
      w->calls = NAN;
      epi_way_close(w, EPI_REFUSES_OFTEN, "%s", epi_refused_often);
    }
    if (isnan(w->calls) || (calls > (a->scales.fast > 0 ? 300 : 4000) && !summed && !decays) || a->to->dear) break;
    /* the first part is its start, which may take long beside the rest; less than a turn of a fast phase says nothing of a whole one */
    if (a->to->turns > 0 && part*a->to->turns < 2) continue;
    if (price*calls > 0.03*least && price*(first ? calls : steady) > 4*least && !decays) break;
  }
  epi_attempt_leave(&x);
}

double epi_turns(const epi_case *c, double span)
{
  const epi_system *m = &c->system;
  return m->phase.forced || (epi_all_rate(m) && m->phase.phase_rate != 0) ? fabs(epi_phase_turned(m, c->t, span))/(2*EPI_PI) : 0;
}

/* where explicit steps have crept they take at least ten times the steps that were allowed to the one that did */
static double least_cost(const epi_search *a, const epi_way *w)
{
  return a->motion & EPI_CREEPS && w->number >= 0 && !epi_way_is(w->number, EPI_WAY_IMPLICIT) ? CREPT*CREPT_STAGES : 0;
}

/* with the solution that tells the error: of a low order it takes far more steps than of a high one, and where turns are summed, or steps
   are of variable order, another half more than what tells it of order 8 */
static double cost(const epi_search *a, const epi_way *w)
{
  const int low = epi_way_is(w->number, EPI_WAY_ORDER_2), tuned = epi_way_is(w->number, EPI_WAY_TUNED);
  double both = low ? 1.4 : tuned || w->number == EPI_BY_ADAMS ? 1.5 : 1;
  return isnan(w->calls) ? NAN : fmax((both*w->calls + w->rows)*epi_price(a, w->number), least_cost(a, w));
}

/* the cheapest first; what does not work last */
static int sooner(const epi_search *a, const epi_way *x, const epi_way *y)
{
  return cost(a, x) < cost(a, y) || (isnan(y->calls) && !isnan(x->calls));
}

/* where nothing works: what was composed and did not run says more than what is not for such a system */
static const epi_way *most_telling(const epi_chosen *to)
{
  for (int i = 0; i < to->ways; i++) if (to->way[i].cause != EPI_COMPOSITION) return &to->way[i];
  return &to->way[0];
}

int epi_try_ways(epi_search *a)
{
  epi_chosen *to = a->to;
  double least = HUGE_VAL, direct = 0;
  int averaged = 0, few = 0, before = to->ways;
  for (int i = 0; i < EPI_CANDIDATES && !to->error[0]; i++) {
    if (!epi_applies(a, i) || (epi_way_is(i, EPI_WAY_AVERAGES) && averaged)) continue;
    if (epi_way_is(i, EPI_WAY_SLOW_TO_START) && i > EPI_DIRECT && least < 20000 && !(a->motion & EPI_CREEPS)) continue;
    /* sums of turns that take so much less than to resolve them have no other rival */
    if (averaged && least < 0.1*direct) continue;
    if (i > EPI_BY_ADAMS && least < (i > EPI_DIRECT ? 1 : 0.5)*FEW_CALLS && !a->patient) { few = to->ways - before; break; }
    epi_way *w = &to->way[to->ways++];
    try_way(a, w, i, least);
    epi_trace_add(a, "trial", &(epi_variant){.way = i, .r = epi_first_tolerance(a, i)}, NAN, w->cause);
    least = fmin(least, w->calls*epi_price(a, w->number));
    if (epi_way_is(i, EPI_WAY_AVERAGES) && !isnan(w->calls)) averaged = 1;
    if (i == EPI_DIRECT && !isnan(w->calls)) direct = w->calls;
  }
  for (int i = 1; i < to->ways; i++)
    for (int k = i; k > 0 && sooner(a, &to->way[k], &to->way[k-1]); k--) {
      epi_way x = to->way[k];
      to->way[k] = to->way[k-1];
      to->way[k-1] = x;
    }
  if (to->error[0]) return epi_try_ended(to);
  a->short_run = few;
  if (isnan(to->way[0].calls)) epi_choose_fail(to, most_telling(to)->cause, "%s", most_telling(to)->why);
  return isnan(to->way[0].calls) ? EPI_WRONG : 0;
}
