/* forced.c - a fast phase: many turns at a time. A run of a smooth motion tells its own error; others are solved twice, and the looser
 * solution tells the error of the finer */
#include "search.h"
#include "method/crossing.h"

/* tolerances between two solutions that are allowed, and what part of that the finer one is off by, with some care */
typedef struct { double apart, told; } distance;

/* where the steps of one are so much finer than those of the other: 3 and 0.3 for a tenth */
static distance later_of(double ratio)
{
  double told = fmin(0.3, 0.3*pow(10*ratio, 0.85));
  return (distance){0.9/told, told};
}

/* times the tolerance of the finer one: with a high order a solution that is little looser costs nearly as much */
static double looser(const epi_search *a) { return fmin(300, 20*cbrt(fmax(1, 1e-3/a->to->tol))); }
static distance first_of(const epi_search *a)
{
  double told = 0.05*pow(20/looser(a), 0.85);
  return (distance){0.9/told, told};
}

/* kinks: some turn was unlike the others; doubts: too many of its periods were found to be crossed with
   too little */
typedef struct { double calls; int rounded, kinks, doubts; epi_fault why; } outcome;

/* evaluations of a direct method of order 8 over all turns, as it takes them as a rule */
static double direct_calls(const epi_search *a) { return 33*pow(1e-3/a->to->tol, 0.14)*a->to->turns; }
/* and the fewest there are */
static double fewest_calls(const epi_search *a) { return 14*pow(1e-3/a->to->tol, 0.06)*a->to->turns; }

/* whole turns from the start on: the state is known there without a run of its own */
static double check_time(const epi_search *a, int k)
{
  const epi_system *m = &a->c->system;
  double span = a->to->end - a->c->t, T = m->phase.period > 0 ? m->phase.period : 2*EPI_PI/fabs(m->phase.phase_rate);
  return m->phase.phase_rate_at ? a->c->t + span*k/CHECKS : a->c->t + T*floor(span/T*k/CHECKS);
}

static void forget_flow(epi_search *a)
{
  epi_free(a->again);
  a->again = NULL;
}

static const char slow_going[] = "from turn to turn the motion changes so much that many turns at a time cost about as much as resolving "
                                 "each";

/* a solution on its way. most: evaluations beyond which nothing is gained */
typedef struct { epi_search *a; epi_attempt x; double *y, most, eighth; outcome *o; } way;

/* 1: it costs more than to resolve everything */
static int see(void *data, int k, const epi_state *s)
{
  way *w = data;
  epi_search *a = w->a;
  double calls = (double)epi_attempt_calls(&w->x), all = k + 1 == CHECKS/4 ? epi_whole_of(w->eighth, calls) : calls;
  memcpy(w->y + k*a->n, s->y, (size_t)a->n*sizeof *w->y);
  epi_attempt_show(&w->x, 1, (k + 1.)/CHECKS);
  if (k + 1 == CHECKS/8) w->eighth = calls;
  if (!(all > w->most)) return 0;
  const char *warning = epi_warning(w->x.f, 0);
  a->averaged = all;
  epi_fault_write(&w->o->why, EPI_DEAR, "%s%s%s", warning ? warning : "", warning ? "; " : "", slow_going);
  return 1;
}

static void run(way *w, double end)
{
  double at[CHECKS];
  epi_own_witness rows = {.n = CHECKS, .t = at, .row = see, .data = w};
  epi_attempt *x = &w->x;
  const epi_companion_facet *with = epi_companion_of(x->f);
  for (int k = 0; k < CHECKS; k++) at[k] = check_time(w->a, k + 1);
  with->witness(x->f, &rows);
  epi_attempt_go(x, end, end - x->s.t);
  with->witness(x->f, NULL);
  for (; !x->bad && rows.next < CHECKS; rows.next++) x->bad = see(w, rows.next, &x->s);
}

/* in a motion in which errors grow, what two solutions are off by may be the same by chance: the looser one begins at another state, which
   grows apart from the first as any error does; a smaller one, for beyond the state there may be no force */
static void move_aside(const epi_search *a, double part, double *y)
{
  const epi_system *m = &a->c->system;
  for (int i = 0; i < a->n && !m->nc && !m->manifold.retract; i++) y[i] -= part*y[i];
}

/* y at all these times and, of the finer one, at the end, where that is wanted; calls is NaN where it fails, or costs more than `most` */
typedef enum { LOOSER, FINER } which;
static outcome solve(epi_search *a, which one, const epi_variant *set, double most, double *y)
{
  char flow[sizeof a->to->flow];
  epi_variant_write(a, set, flow, sizeof flow);
  double *last = one == FINER ? a->to->y : NULL;
  outcome o = {.calls = NAN};
  epi_flow *f = a->again ? a->again : epi_case_flow(a->c, flow);
  way w = {.a = a, .y = y, .most = most, .o = &o};
  epi_attempt *x = &w.x;
  epi_attempt_begin(x, a, f, flow);
  const double doubts = x->bad ? 0 : epi_crossing_doubts(f->kid[0]);
  epi_attempt_show(x, 1, 0);
  if (one == LOOSER) move_aside(a, ASIDE*FEW_TOLD/first_of(a).told*a->to->tol, x->s.y);
  if (!x->bad) run(&w, one == FINER ? a->to->end : check_time(a, CHECKS));
  if (!x->bad && last) memcpy(last, x->s.y, (size_t)a->n*sizeof *last);
  a->to->said[0] = 0;
  for (int i = 0; !x->bad && epi_warning(f, i); i++) {
    if (!i) snprintf(a->to->said, sizeof a->to->said, "%s", epi_warning(f, i));
    if (epi_warning_cause(f, i) == EPI_ROUNDING) o.rounded = 1;
  }
  o.doubts = !x->bad && epi_crossing_doubts(f->kid[0]) - doubts > EPI_CROSSING_WORTH*a->to->turns;
  o.kinks = f->nkid && f->kid[0]->refused > 0;
  const long calls = epi_attempt_calls(x);
  epi_attempt_count(x);
  a->seconds = x->seconds;
  a->again = f;
  if (!x->bad) { o.calls = (double)calls; return o; }
  if (!o.why.words[0]) epi_try_failed(a->to, f, x->bad, &o.why);
  forget_flow(a);
  return o;
}

static void tell(epi_search *a, double calls)
{
  epi_chosen *to = a->to;
  epi_way *w = to->way;
  to->ways = 2;
  w[0] = (epi_way){.calls = calls, .seconds = a->seconds, .number = EPI_BY_PICARD, .averages = 1};
  memcpy(w[0].flow, to->flow, sizeof to->flow);
  w[1] = (epi_way){.calls = fewest_calls(a), .seconds = fewest_calls(a)*a->seconds/calls, .number = EPI_BY_ADAMS,
                   .note = "by what it takes for a turn"};
  const epi_variant direct = {.way = EPI_BY_ADAMS, .r = epi_first_tolerance(a, EPI_BY_ADAMS)};
  epi_variant_write(a, &direct, w[1].flow, sizeof w[1].flow);
}

/* where a force may have kinks, or kicks that are narrow within a turn, to resolve every turn may do what summing them does not; 1: that is
   tried */
static int give_up(epi_search *a, double best)
{
  epi_chosen *to = a->to;
  snprintf(to->said, sizeof to->said, "many turns at a time do not reach %g: two such solutions are %.2g apart near t = %.6g", to->tol,
           best, to->at);
  a->averaged = HUGE_VAL;
  return 1;
}

static int refuse_for_rounding(epi_search *a, double best)
{
  epi_chosen *to = a->to;
  return epi_choose_fail(to, EPI_ROUNDING, "a solution that is right to %g cannot be had: this tolerance is below rounding, which over "
                         "%.3g turns of so large a force leaves about %.1g; take a larger tolerance, or an earlier end", to->tol, to->turns,
                         best);
}

/* steps finer than the tolerance asks for, where errors grow; more: times the tolerance to which rounding is compared, by as much smaller a
   share */
static epi_variant variant_of(const epi_search *a, double share, double more)
{
  const double r = epi_rounded(more*epi_rounded(a->to->tol));
  return share < more ? (epi_variant){.way = EPI_BY_PICARD, .r = r, .share = epi_rounded(share/more)} :
    (epi_variant){.way = EPI_BY_PICARD, .r = epi_rounded(r*share)};
}

static void take_variant(epi_search *a, double share, double more)
{
  const epi_variant s = variant_of(a, share, more);
  epi_variant_take(a, &s);
}

/* revolve says that rounding is felt where all of it would be too much if it had one sign, which is so of some motions only: the same run
   with frozen forces at other phases has other rounding. told: the error of its steps */
static int despite_rounding(epi_search *a, double share, double told)
{
  static const int phases[] = {9, 15};
  epi_chosen *to = a->to;
  double apart = 0, more = 1, *last = to->y;
  char said[sizeof to->said];
  outcome o = {.rounded = 1};
  while (o.rounded && more*to->tol < ROUNDING_MOST && !isnan(o.calls)) {
    take_variant(a, share, more *= 10);
    forget_flow(a);
    o = solve(a, FINER, &a->now, HUGE_VAL, a->y[1]);
    epi_trace_add(a, "looser run", &a->now, NAN, o.rounded ? EPI_ROUNDING : o.why.cause);
  }
  if (o.rounded || isnan(o.calls)) return to->error[0] ? epi_try_ended(to) : refuse_for_rounding(a, fmax(told, to->tol));
  tell(a, o.calls);
  epi_measure_sizes(a, a->y[1]);
  memcpy(said, to->said, sizeof said);
  to->y = NULL;
  for (size_t k = 0; k < sizeof phases/sizeof *phases && !to->error[0]; k++) {
    epi_variant other = a->now;
    other.phases = phases[k];
    forget_flow(a);
    o = solve(a, FINER, &other, HUGE_VAL, a->y[0]);
    apart = isnan(o.calls) ? HUGE_VAL : fmax(apart, epi_apart(a));
    epi_trace_add(a, "other phases", &other, ROUNDING_CARE*apart, o.why.cause);
  }
  to->y = last;
  forget_flow(a);
  memcpy(to->said, said, sizeof said);
  if (to->error[0]) return epi_try_ended(to);
  to->found = fmax(fmax(told, ROUNDING_CARE*apart), LEAST_OF_SUMS*to->tol);
  return to->found <= to->tol ? 0 : refuse_for_rounding(a, fmax(told, ROUNDING_CARE*apart));
}

/* its period grows without an end there, and no turn is like the one before */
static int turns_back(const epi_search *a)
{
  epi_system *m = &a->c->system;
  if (!m->phase.phase_rate_at) return 0;
  double first = m->phase.phase_rate_at(m, a->c->t), span = a->to->end - a->c->t;
  for (int k = 1; k <= RATES; k++) if (!(m->phase.phase_rate_at(m, a->c->t + span*k/RATES)*first > 0)) return 1;
  return 0;
}

enum { UNTOLD = 2 };

/* a smooth motion: one run that tells its own error, finer where that is too much. 1: other ways must be tried; UNTOLD: it tells nothing */
static int solve_once(epi_search *a, double batch)
{
  epi_chosen *to = a->to;
  double share = 1;
  for (int turn = 0; turn < 4; turn++) {
    take_variant(a, share, 1);
    const epi_estimate x = epi_companion_sums(a, &a->now, (turn ? 2 : 1)*2.4*direct_calls(a)/batch);
    epi_trace_add(a, "companion", &a->now, x.told, x.dear ? EPI_DEAR : x.told > to->tol ? EPI_INEXACT : x.why.cause);
    if (to->error[0]) return epi_try_ended(to);
    if (x.dear) {
      snprintf(to->said, sizeof to->said, "%.150s%s%s", x.why.words, x.why.words[0] ? "; " : "", slow_going);
      return 1;
    }
    const int right = x.told <= to->tol && !x.ended;
    if (x.rounded && right) return despite_rounding(a, share, x.told);
    if (x.rounded || isnan(x.told)) break;
    /* the distance does not know what periods miss that both solutions cross alike */
    if (right && x.doubts && turn < 2 && !epi_too_dear(a, x.calls)) { share = epi_rounded(0.1*share); continue; }
    if (to->dear) break;
    if (right) {
      to->found = fmax(x.told, LEAST_OF_SUMS*to->tol);
      tell(a, x.calls);
      if (!to->said[0] && x.calls*batch > direct_calls(a)) snprintf(to->said, sizeof to->said, "%s", slow_going);
      return 0;
    }
    share = epi_rounded(share*fmax(0.01, fmin(0.3, 0.3*to->tol/x.told)));
    if (share*to->tol < 1e-14 || epi_too_dear(a, x.ended || isnan(x.calls) ? 0 : x.calls)) break;
  }
  return to->dear ? EPI_WRONG : UNTOLD;
}

/* two solutions: the looser tells the error of the finer, which grows finer until they agree. 1: other ways must be tried */
static int solve_twice(epi_search *a, double batch)
{
  epi_chosen *to = a->to;
  distance d = first_of(a);
  double share = 1, by, apart = 0, best = HUGE_VAL;
  int doubted = 0;
  /* as it will be, if it can be so fine; its looser run comes first */
  const epi_variant first = variant_of(a, to->tol < 1e-14 ? looser(a) : 1, 1);
  a->again = epi_try_variant(a, &first, (epi_name){0});
  if (!epi_error(a->again)) epi_companion_of(a->again)->again(a->again, epi_rounded(epi_rounded(to->tol)*looser(a)));
  outcome loose = solve(a, LOOSER, &first, 0.8*direct_calls(a)/batch, a->y[0]), fine;
  epi_trace_add(a, "looser run", &first, NAN, loose.why.cause);
  to->said[0] = 0;
  if (isnan(loose.calls) && to->error[0]) return epi_try_ended(to);
  /* the phase of a state stays within a turn: no flow would be right */
  if (isnan(loose.calls) && loose.why.cause == EPI_PHASE) return epi_choose_fault(to, &loose.why);
  /* what cannot be composed for such a system is told with the other ways */
  if (isnan(loose.calls) && loose.why.cause != EPI_COMPOSITION) snprintf(to->said, sizeof to->said, "%s", loose.why.words);
  if (isnan(loose.calls)) return 1;
  for (;; share *= by, d = later_of(by)) {
    if (share*to->tol < 1e-14) return give_up(a, best);
    if (epi_too_dear(a, loose.calls)) return EPI_WRONG;
    if (share == 1 && to->tol >= 1e-14) {
      epi_variant_take(a, &first);
      epi_companion_of(a->again)->again(a->again, epi_rounded(to->tol));
    } else {
      take_variant(a, share, 1);
      forget_flow(a);
    }
    fine = solve(a, FINER, &a->now, 3*direct_calls(a) + 10000, a->y[1]);
    if (isnan(fine.calls)) epi_trace_add(a, "finer run", &a->now, NAN, fine.why.cause);
    if (isnan(fine.calls) && fine.why.cause == EPI_PHASE) epi_choose_fault(to, &fine.why);
    if (isnan(fine.calls)) return to->error[0] ? epi_try_ended(to) : best < HUGE_VAL ? give_up(a, best) : 1;
    epi_measure_sizes(a, a->y[1]);
    apart = epi_apart(a);
    /* from turn to turn the error is that of the periods, which goes by whole nodes and sweeps and not with the tolerance; nor does that of
       steps over kinks */
    if ((fine.calls > 0.6*direct_calls(a) || fine.kinks) && d.told < FEW_TOLD) d = (distance){0.9/FEW_TOLD, FEW_TOLD};
    to->found = fmax(d.told*apart, LEAST_OF_SUMS*to->tol);
    epi_trace_add(a, "finer run", &a->now, to->found, fine.rounded ? EPI_ROUNDING : to->found <= to->tol ? EPI_NO_CAUSE : EPI_INEXACT);
    tell(a, fine.calls);
    best = fmin(best, apart);
    /* they may agree by chance */
    if (fine.rounded) return despite_rounding(a, share, d.told*apart);
    if (apart <= d.apart*to->tol && !(fine.doubts && !doubted++ && share*to->tol > 1e-12)) {
      if (!to->said[0] && fine.calls*batch > direct_calls(a)) snprintf(to->said, sizeof to->said, "%s", slow_going);
      return 0;
    }
    by = apart > 10*d.apart*to->tol ? 0.01 : 0.1;
    loose = fine;
    double *y = a->y[0];
    a->y[0] = a->y[1];
    a->y[1] = y;
  }
}

/* 1: other ways must be tried */
int epi_choose_forced(epi_search *a)
{
  epi_chosen *to = a->to;
  double batch = a->c->system.batch.forces ? 0.4 : 1;
  if (turns_back(a)) {
    snprintf(to->said, sizeof to->said, "the fast phase comes to a stop or turns back in this run: every turn is resolved");
    to->turns = 0;
    return 1;
  }
  double few = batch*(a->c->system.traits.smooth ? 40*pow(fmin(1, to->tol/1e-3), 0.1) : EPI_FEW_TURNS);
  if (to->turns > 0 && to->turns <= few)
    snprintf(to->said, sizeof to->said, "the fast phase turns %.2g times in this run, too few to be summed: every turn is resolved",
             to->turns);
  if (to->turns <= few) return 1;
  for (;;) {
    int bad = a->c->system.traits.smooth && to->tol >= 1e-13 ? solve_once(a, batch) : UNTOLD;
    if (bad == UNTOLD) bad = solve_twice(a, batch);
    if (bad || !epi_is_smaller(a, a->y[1], CHECKS, epi_find_seed(a, a->y[1], CHECKS))) return bad;
    forget_flow(a);
  }
}
