/* refine.c - the run is solved until two solutions agree */
#include "search.h"



/* what came nearest is left in `flow` */
static int give_up(epi_search *a, int way, double best, const epi_variant *nearest)
{
  epi_chosen *to = a->to;
  if (way == EPI_DIRECT && !a->rough) a->motion |= EPI_GROWS;
  to->found = best;
  if (!(best < HUGE_VAL))
    return epi_choose_fail(to, EPI_ROUNDING, "a solution that is right to %g cannot be had: this tolerance is below rounding; take %g or "
                           "more", to->tol, epi_rounded(fmax(50*epi_finest(a, way), 2*to->tol)));
  epi_variant_take(a, nearest);
  return epi_choose_fail(to, EPI_INEXACT, "a solution that is right to %g cannot be had: near t = %.6g two of them with steps as exact as "
                         "can be are %.2g apart, for errors grow in this motion%s; take a larger tolerance, or an earlier end", to->tol,
                         to->at, best, a->c->world ? ", or a force acts in it too shortly to be met" :
                         a->c->system.traits.smooth ? "" : ", or its forces jump or bend where no step ends");
}

/* steps of a high order become about as short as their tolerance where a force jumps back as soon as it has jumped, without an end */
static int chatters(epi_search *a, double best, const epi_variant *nearest)
{
  epi_chosen *to = a->to;
  a->motion |= EPI_CHATTERS;
  to->found = best;
  epi_variant_take(a, nearest);
  return epi_choose_fail(to, EPI_INEXACT, "a solution that is right to %g cannot be had: near t = %.6g a force jumps to and fro without an "
                         "end, as dry friction does where a body sticks; give its jump a width, such as tanh(v/0.001) in place of sign(v)",
                         to->tol, to->at);
}

static int fails(epi_search *a, const epi_fault *why)
{
  if (a->to->error[0]) return epi_try_ended(a->to);
  /* a run that is made has as many steps as it takes */
  a->to->breaks = why->cause != EPI_MOST_STEPS;
  return epi_choose_fault(a->to, why);
}

/* the run gets to its end, and a finer one to hold it against does not: it is not what fails on its way */
static int stands_alone(epi_search *a, int way, const epi_fault *why, double best, const epi_variant *nearest)
{
  epi_chosen *to = a->to;
  if (way == EPI_DIRECT && !a->rough && best < HUGE_VAL) a->motion |= EPI_GROWS;
  to->found = best;
  to->breaks = 2;
  if (best < HUGE_VAL) epi_variant_take(a, nearest);
  return epi_choose_fail(to, why->cause, "a solution right to %g cannot be had: %.260s", to->tol, why->words);
}

static int seen_nothing(epi_chosen *to, const epi_fault *why)
{
  if (!to->error[0]) epi_choose_fault(to, why);
  return epi_try_ended(to);
}

/* the solution that stands in y[0] is the answer */
static void settle(epi_search *a, double calls, double seconds)
{
  epi_chosen *to = a->to;
  to->way[0].calls = calls;
  to->way[0].seconds = seconds;
  memcpy(to->way[0].flow, to->flow, sizeof to->flow);
  if (to->y) memcpy(to->y, a->y[0] + (a->rows - 1)*a->n, (size_t)a->n*sizeof *to->y);
}

/* what stands in y[1] is the answer: the other one may have met its kinks well by chance, and with a row more would not */
static void take_the_finer(epi_search *a, const epi_variant *s, double calls)
{
  memcpy(a->y[0], a->y[1], (size_t)a->rows*(size_t)a->n*sizeof *a->y[0]);
  epi_variant_take(a, s);
  settle(a, calls, a->seconds);
}

/* the first run, into y[0]: finer and finer while it tells that it is off by too much; 1: it is the answer. calls: NaN where it fails */
static int first_run(epi_search *a, int way, double *r, double *calls, epi_fault *why)
{
  epi_chosen *to = a->to;
  const long before = to->spent;
  epi_variant s = {.way = way, .r = *r};
  if (epi_companion_applies(a, &s)) *r = epi_rounded_less(epi_companion_tolerance(a, *r));
  for (int turn = 0;; turn++) {
    s.r = *r;
    epi_variant_take(a, &s);
    if (turn == 4 || !epi_companion_applies(a, &s) || (double)(to->spent - before) > a->patience) break;
    const epi_estimate m = epi_companion_steps(a, &s);
    if (m.why.words[0]) *why = m.why;
    epi_trace_add(a, "companion", &s, m.told, m.rough ? EPI_REFUSES_OFTEN : m.told > to->tol ? EPI_INEXACT : m.why.cause);
    *calls = m.calls;
    a->rough = m.rough;
    if (isnan(m.calls) || to->dear) return 0;
    if (isnan(m.told)) break;
    const int hides = m.told <= to->tol && epi_is_all_oscillation(a, m.calls, m.apart);
    epi_trace_rest(a, "fastest oscillation");
    if (hides) break;
    to->found = m.told;
    if (m.told <= to->tol) { memcpy(a->y[1], a->y[0], CHECKS*(size_t)a->n*sizeof *a->y[0]); return 1; }
    *r = epi_rounded_less(fmax(*r*fmax(1e-3, 0.3*to->tol/m.told), epi_finest(a, way)));
  }
  *calls = epi_try_run(a, &s, &(epi_conditions){.first = 1}, a->y[0], why);
  epi_trace_add(a, "run", &s, NAN, isnan(*calls) ? why->cause : EPI_NO_CAUSE);
  return 0;
}

/* what stands in y[0] is where it began, to the tolerance */
static int rests(epi_search *a)
{
  double most = 0;
  epi_measure_sizes(a, a->y[0]);
  for (int k = 0; k < a->rows; k++)
    for (int i = 0; i < a->n; i++) most = epi_larger(most, fabs(a->y[0][k*a->n + i] - a->c->y[i])/a->size[i]);
  return most <= a->to->tol;
}

/* where turns are summed a solution with looser steps, if it has fewer in a turn, tells what that in y[0] is off by: a finer one would feel
   how the phase is rounded in t, and go turn by turn. 1: it is the answer */
static int told_by_looser(epi_search *a, int way, double r, double calls, double seconds)
{
  epi_chosen *to = a->to;
  epi_fault why = {.words = ""};
  double loose = epi_looser(way, r);
  if (!epi_looser_tells(a, way, r, loose) && !epi_looser_tells(a, way, r, loose = epi_rounded(50*r))) return 0;
  const epi_variant s = {.way = way, .r = loose};
  if (!(epi_try_run(a, &s, NULL, a->y[1], &why) < 0.95*calls)) {
    epi_trace_add(a, "looser run", &s, NAN, why.cause);
    epi_choose_clear(to);
    return 0;
  }
  epi_measure_sizes(a, a->y[0]);
  /* three times what it would be if errors went with the tolerance of steps */
  to->found = fmax(0.3*pow(10*r/loose, 0.85)*epi_apart(a), LEAST_TOLD*to->tol);
  const int right = to->found <= AGREE*to->tol;
  epi_trace_add(a, "looser run", &s, to->found, right ? EPI_NO_CAUSE : EPI_INEXACT);
  if (right) settle(a, calls, seconds);
  return right;
}

/* of a smooth motion: how much of the distance to a finer solution is told of that other; infinite: nothing is known of it */
static double share_of_finer(const epi_search *a, int way, double r, double finer)
{
  const int even = way != EPI_BY_ADAMS;
  if (!a->c->system.traits.smooth || a->rough || finer > 1.1*(even ? TENTH : NEXT)*r) return HUGE_VAL;
  return even ? SHARE_OF_TENTH : SHARE_OF_NEXT*pow(finer/(NEXT*r), FALLS);
}

/* error of the finer of two solutions: it is nearer to the solution than the other, which is wrong by their distance; or this share of
   that */
static double error_of_finer(const epi_search *a, double share)
{
  const double apart = a->to->found, tol = a->to->tol;
  return apart <= tol ? apart : share*apart <= AGREE*tol ? share*apart : HUGE_VAL;
}

/* the tolerance of steps of the next solution, where the one before this was off by `found`; of variable order this one is off by a
   twentieth of that, about, and the next will be the answer itself */
static double next_finer(int way, double r, double least, double found, double tol)
{
  /* two that are apart as any two states of the motion are do not say how much finer */
  if (way == EPI_BY_ADAMS && found > FAR) return TENTH*NEXT*r;
  if (way == EPI_BY_ADAMS) return r*NEXT*fmax(least, fmin(1, pow(MUCH*tol/found, 1/FALLS)));
  return r*fmax(least, fmin(TENTH, 0.2*tol/found));
}

/* the finer of the two nearest solutions of all ways is the answer of a search that is given up */
static void note_nearest(epi_search *a, const epi_variant *finer)
{
  if (!(a->to->found < a->nearest)) return;
  a->nearest = a->to->found;
  epi_variant_write(a, finer, a->nearest_flow, sizeof a->nearest_flow);
}

static void exchange_solutions(epi_search *a)
{
  double *y = a->y[0];
  a->y[0] = a->y[1];
  a->y[1] = y;
}

/* a candidate on its way: the solution in y[0], with the tolerance of its steps, its evaluations and seconds; the nearest two so far, and
   the looser of these; what was spent before; the next tolerance that is allowed at least, relative; how often in a row
   a far smaller tolerance has brought two solutions no nearer */
typedef struct { int way, stays; double r, calls, seconds, best, leap; epi_variant nearest; long before; epi_fault why; } progress;
enum { GO_ON = 2, AGAIN };       /* beside the codes of a search */

/* the first solution, and its error where a companion or a looser run tells it */
static int estimate_first(epi_search *a, progress *p)
{
  epi_chosen *to = a->to;
  a->rough = a->strides = 0;
  a->size[0] = 0;
  const int told = first_run(a, p->way, &p->r, &p->calls, &p->why);
  if (to->dear) return EPI_WRONG;
  if (isnan(p->calls)) return fails(a, &p->why);
  const double seed = epi_find_grown_seed(a);
  epi_trace_rest(a, "starting values");
  if (epi_is_smaller(a, a->y[0], a->rows, seed)) return AGAIN;
  if (to->error[0]) return epi_try_ended(to);
  p->seconds = a->seconds;
  /* steps that depend on those before them are made for smooth motions */
  if (p->way == EPI_BY_ADAMS && a->rough) return epi_choose_fail(to, EPI_REFUSES_OFTEN, "%s", epi_refused_often);
  a->rests = rests(a);
  if (told) return settle(a, p->calls, p->seconds), 0;
  return told_by_looser(a, p->way, p->r, p->calls, p->seconds) ? 0 : GO_ON;
}

/* two solutions are as near as the best, and a tolerance of steps that is a hundred times smaller brings them no nearer, twice: what
   differs is rounding, which the motion amplifies */
static int is_rounding(epi_search *a, progress *p, double finer)
{
  p->stays = !a->rough && finer <= 0.02 && p->best < NEAR && a->to->found > 0.5*p->best ? p->stays + 1 : 0;
  if (p->stays < 2) return 0;
  if (p->way == EPI_DIRECT) a->motion |= EPI_AMPLIFIES;
  return 1;
}

/* two solutions that stand in y[0] and y[1]: GO_ON if neither is the answer. more: evaluations of the finer one */
static int compare(epi_search *a, progress *p, const epi_variant *next, double more)
{
  epi_chosen *to = a->to;
  const double least = p->way == EPI_BY_ADAMS ? LEAST_TOLD*to->tol : 0;
  epi_measure_sizes(a, a->y[1]);
  to->found = fmax((a->rough || epi_has_laws(a) ? CARE : p->way == EPI_BY_ADAMS ? UNEVEN : 1)*epi_apart(a), least);
  epi_trace_add(a, "finer run", next, to->found, to->found <= to->tol ? EPI_NO_CAUSE : EPI_INEXACT);
  settle(a, p->calls, p->seconds);
  if (to->found <= AGREE*to->tol) {
    if (more <= p->calls && epi_is_blind(a, &p->why)) return seen_nothing(to, &p->why);
    epi_compare_observables(a);
    if (a->rough) take_the_finer(a, next, more);
    return 0;
  }
  const double of_finer = error_of_finer(a, more > p->calls ? share_of_finer(a, p->way, p->r, next->r) : HUGE_VAL);
  if (of_finer <= to->tol) return to->found = fmax(of_finer, least), epi_compare_observables(a), take_the_finer(a, next, more), 0;
  if (is_rounding(a, p, next->r/p->r)) return give_up(a, p->way, p->best, &p->nearest);
  if (to->found < p->best) p->nearest = a->now, note_nearest(a, next);
  p->best = fmin(p->best, to->found);
  if (p->way == EPI_DIRECT && more > CHATTER*p->calls && next->r > 0.05*p->r && p->calls > 1e5) return chatters(a, p->best, &p->nearest);
  return GO_ON;
}

/* a finer solution, with which the one before is compared; it takes its place */
static int estimate_finer(epi_search *a, progress *p, double finer, double *reached)
{
  epi_chosen *to = a->to;
  const double price = epi_price(a, p->way), finest = epi_finest(a, p->way), cost = price*p->calls;
  finer = epi_rounded(fmax(finer, finest));
  /* the finest is compared with one that is near it */
  if (finer < 5*finest && p->r > 20*finest) finer = epi_rounded(5*finest);
  if (finer > 0.5*p->r) return give_up(a, p->way, p->best, &p->nearest);
  if (epi_too_dear(a, cost)) return EPI_WRONG;
  /* turns are summed to save evaluations: at a finer tolerance there may be nothing to save */
  if (p->way < EPI_BY_ADAMS && cost > a->rival) return *reached = finer, EPI_PAUSED;
  if (price*((double)(to->spent - p->before) + p->calls) > a->patience) return *reached = p->r, EPI_PAUSED;
  const epi_variant next = {.way = p->way, .r = finer};
  const double more = epi_try_run(a, &next, &(epi_conditions){.sampled = p->best == HUGE_VAL}, a->y[1], &p->why);
  if (isnan(more)) epi_trace_add(a, "finer run", &next, NAN, p->why.cause);
  if (isnan(more)) return to->error[0] ? epi_try_ended(to) : stands_alone(a, p->way, &p->why, p->best, &p->nearest);
  const int bad = compare(a, p, &next, more);
  if (bad != GO_ON) return bad;
  exchange_solutions(a);
  /* steps that stability holds short, as of stiff contacts, cost no more when they are exact */
  p->leap = a->c->world && more < 1.05*p->calls && finer > 1e-8 ? 1e-4 : p->way == EPI_BY_ADAMS ? 1e-3 : 1e-2;
  p->r = finer;
  p->calls = more, p->seconds = a->seconds;
  epi_variant_take(a, &next);
  return GO_ON;
}

/* finer and finer, until the next one changes nothing */
static int refine(epi_search *a, int way, double *reached)
{
  int bad;
  progress p;
  do {
    p = (progress){.way = way, .r = *reached, .best = HUGE_VAL, .leap = way == EPI_BY_ADAMS ? 1e-3 : 1e-2, .nearest = {.way = way},
                   .before = a->to->spent};
    bad = estimate_first(a, &p);
  } while (bad == AGAIN);
  /* where all errors of a motion grow into one, two that are not far from one another may be the same by chance */
  double finer = (way == EPI_BY_ADAMS ? NEXT : TENTH)*p.r;
  for (; bad == GO_ON; finer = next_finer(way, p.r, p.leap, a->to->found, a->to->tol)) bad = estimate_finer(a, &p, finer, reached);
  return bad;
}

/* the estimate, and what it may not have seen: steps that a guard holds short are tried once for it */
int epi_refine(epi_search *a, int way, double *reached)
{
  const double r = *reached;
  a->over = 0;
  int bad = refine(a, way, reached);
  for (int i = 0; i < EPI_GUARDS; i++) {
    if ((bad && bad != EPI_WRONG) || a->to->dear) return bad;
    if (!epi_guards[i].applies(a, way)) continue;
    const epi_verdict verdict = epi_guards[i].ask(a, way, bad);
    if (verdict.is != EPI_STANDS || a->to->spent != a->traced)
      epi_trace_add(a, epi_guards[i].name, &a->now, NAN, verdict.is == EPI_STANDS ? EPI_NO_CAUSE : EPI_GOES_OVER);
    if (verdict.is == EPI_REJECTED) return EPI_WRONG;
    if (verdict.is == EPI_STANDS) continue;
    a->longest = verdict.longest;
    epi_choose_clear(a->to);
    a->to->breaks = 0;
    *reached = r;
    bad = refine(a, way, reached);
  }
  return bad;
}
