/* control.c - a flow whose solution is right to a tolerance: ways are tried, and the run is solved until two solutions agree */
#include "search.h"

/* a way that is refined: the tolerance of its steps so far, and what its run was to take */
typedef struct { int number, open; double r, calls; } contender;       /* calls: in evaluations of an explicit flow */

static void bring_to_front(epi_chosen *to, int number)
{
  for (int i = 1; i < to->ways; i++)
    if (to->way[i].number == number) {
      epi_way x = to->way[i];
      to->way[i] = to->way[0];
      to->way[0] = x;
    }
}

/* the model itself says no, as at the end of a curve: no other flow gets beyond it, and some creep there for minutes */
static int model_ends(const epi_chosen *to) { return to->cause == EPI_MODEL_ENDS; }

/* those that do not cost far more than the cheapest; all where that is of order 2, whose first steps may have seen nothing yet, or where
   the start of the run has misled already */
static int contenders_of(const epi_search *a, contender *c)
{
  const epi_chosen *to = a->to;
  int n = 0;
  const double most = a->motion & EPI_CREEPS || epi_way_is(to->way[0].number, EPI_WAY_ORDER_2) ? HUGE_VAL : CONTENDERS*to->way[0].calls;
  for (; n < to->ways && to->way[n].calls <= most; n++)
    c[n] = (contender){to->way[n].number, 1, epi_first_tolerance(a, to->way[n].number),
                         to->way[n].calls*epi_price(a, to->way[n].number)};
  return n;
}

/* what the cheapest of the others that are still open would take */
static double rival_of(const contender *c, int n, int i)
{
  double least = HUGE_VAL;
  for (int k = 0; k < n; k++) if (k != i && c[k].open) least = fmin(least, c[k].calls);
  return least;
}

/* candidates with these traits have no chance in such a motion: they leave out what is there, or their steps, of order 2, would have to be
   as exact as those of order 8 that did not do */
static const struct { unsigned motion, traits; } hopeless[] = {
  {EPI_CHATTERS | EPI_AMPLIFIES, ~0u}, {EPI_OSCILLATES, EPI_WAY_IMPLICIT}, {EPI_GROWS, EPI_WAY_ORDER_2},
};
static int has_no_chance(const epi_search *a, int way)
{
  for (size_t i = 0; i < sizeof hopeless/sizeof *hopeless; i++)
    if (a->motion & hopeless[i].motion && epi_way_is(way, hopeless[i].traits)) return 1;
  return epi_is_unaware(a, way);
}

/* what a search has come to, kept while another way is tried */
typedef struct {
  char error[sizeof ((epi_chosen *)NULL)->error], flow[sizeof ((epi_chosen *)NULL)->flow];
  epi_cause cause;
  int breaks;
} end;

static void keep_end(const epi_chosen *to, end *e)
{
  memcpy(e->error, to->error, sizeof e->error);
  memcpy(e->flow, to->flow, sizeof e->flow);
  e->cause = to->cause;
  e->breaks = to->breaks;
}

static void take_end(epi_chosen *to, const end *e)
{
  memcpy(to->error, e->error, sizeof e->error);
  memcpy(to->flow, e->flow, sizeof e->flow);
  to->cause = e->cause;
  to->breaks = e->breaks;
}

/* the next where one does not get there. A part of a run may have said little of the whole: a way that takes far more than it was to take
   lets the others have a turn first; EPI_PAUSED: there are more of them, not tried yet */
static int refine_ways(epi_search *a)
{
  epi_chosen *to = a->to;
  end first = {.error = ""};
  contender c[sizeof to->way/sizeof *to->way];
  int n = contenders_of(a, c), left = n, bad = EPI_WRONG, others = a->short_run && !a->patient;
  const double cheapest = to->way[0].calls*epi_price(a, to->way[0].number);
  for (double patience = PATIENCE; left; patience *= MORE_PATIENCE)
    for (int i = 0; i < n && left; i++) {
      if (c[i].open && has_no_chance(a, c[i].number)) { c[i].open = 0; left--; }
      if (!c[i].open) continue;
      epi_choose_clear(to);
      to->breaks = 0;
      bring_to_front(to, c[i].number);
      /* what a part says of the whole may be three times too much */
      const double own = c[i].calls;
      if (epi_too_dear(a, MISLED*own)) return EPI_WRONG;
      a->patience = left == 1 && !others ? HUGE_VAL : patience*(fmin(fmax(own, cheapest), 3*cheapest) + 1000);
      a->rival = rival_of(c, n, i);
      bad = epi_refine(a, c[i].number, &c[i].r);
      if (bad == EPI_PAUSED && left == 1 && others) return bad;
      if (bad == EPI_PAUSED) continue;
      if (bad != EPI_WRONG || to->dear || to->cause == EPI_MEMORY) return bad;
      snprintf(to->way[0].why, sizeof to->way[0].why, "%s", to->error);
      to->way[0].cause = to->cause;
      c[i].open = 0;
      /* where the model itself ends the run no other way is tried, and that is what is told */
      int ends = model_ends(to);
      left = ends ? 0 : left - 1;
      /* what the cheapest says is told, or another where that one is closed without a word */
      if (i && !ends && first.error[0]) continue;
      keep_end(to, &first);
    }
  take_end(to, &first);
  return bad;
}

/* of what was told those that are no ways of the list stay */
static void drop_tried(epi_chosen *to)
{
  int n = 0;
  for (int i = 0; i < to->ways; i++) if (to->way[i].number < 0) to->way[n++] = to->way[i];
  to->ways = n;
}

/* all ways, but the one that was taken and did not get there, or takes long for it: that one is tried again where the others fail */
static int try_the_others(epi_search *a, int failed)
{
  epi_chosen *to = a->to;
  end before;
  keep_end(to, &before);
  a->patient = 1;
  a->failed = to->way[0].number;
  for (;;) {
    epi_choose_clear(to);
    drop_tried(to);
    int bad = epi_try_ways(a);
    for (int i = 0; i < to->ways; i++) {
      epi_way *w = &to->way[i];
      if (w->number != a->failed) continue;
      snprintf(w->why, sizeof w->why, "%s", failed ? before.error : "it takes far longer than it seemed");
      w->cause = failed ? before.cause : EPI_DEAR;
    }
    if (!bad) bad = refine_ways(a);
    if (bad != EPI_WRONG || to->dear || to->cause == EPI_MEMORY || (!failed && a->failed < 0)) return bad;
    if (failed) break;
    a->failed = -1;
  }
  take_end(to, &before);
  return EPI_WRONG;
}

static int choose_among(epi_search *a)
{
  if (epi_find_kicks(a)) return EPI_WRONG;
  epi_trace_rest(a, "phase samples");
  epi_find_scales(a);
  epi_trace_rest(a, "scales");
  int bad = a->scales.fast > 0 ? epi_try_slow(a) : 1;
  if (bad != 1) return bad;
  if (!(bad = epi_try_ways(a))) bad = refine_ways(a);
  /* a short run was not searched, and what was taken does not get there; or it met what it is not made for */
  if (bad == EPI_WRONG && a->to->cause == EPI_MOST_STEPS) a->motion |= EPI_CREEPS;
  int unfit = bad == EPI_WRONG && (a->motion & (EPI_OSCILLATES | EPI_CREEPS) || a->to->cause == EPI_REFUSES_OFTEN);
  if ((bad != EPI_WRONG && bad != EPI_PAUSED) || (!a->short_run && !unfit) || a->to->dear) return bad;
  if (a->to->cause == EPI_MEMORY || model_ends(a->to) || a->motion & (EPI_CHATTERS | EPI_AMPLIFIES)) return bad;
  return try_the_others(a, bad == EPI_WRONG);
}

/* what came nearest is the flow of a search that would have taken more than it may */
static void keep_nearest(epi_search *a)
{
  a->to->found = a->nearest;
  a->to->breaks = 0;
  memcpy(a->to->flow, a->nearest_flow, sizeof a->to->flow);
}

static const char not_smooth[] = "many steps were refused, as where a force jumps or bends: they grow short there, and the error is told "
                                 "with more care";

void epi_choose_stop(epi_chosen *to) { __atomic_store_n(&to->stop, 1, __ATOMIC_RELAXED); }

/* times at which two solutions are compared: OFTEN at least, those of the user's rows among them, and so few that there is room for them */
typedef struct { int often; double apart; } compared;
static compared times_of(const epi_case *c, const epi_chosen *to, int n)
{
  const double span = to->end - c->t, every = to->every, rows = span/every, most = fmax(OFTEN, fmin(MOST_ROWS, 2e6/n));
  if (!(every > 0 && rows >= 1 && rows < 1e12)) return (compared){OFTEN, span/OFTEN};
  const double apart = rows < OFTEN ? every/ceil(OFTEN/rows) : every*ceil(rows/most);
  return (compared){(int)ceil(span/apart*(1 - 1e-12)), apart};
}

int epi_choose(epi_case *c, epi_chosen *to)
{
  const compared times = times_of(c, to, epi_size(&c->system));
  epi_search a = {.c = c, .to = to, .n = epi_size(&c->system), .often = times.often, .apart = times.apart, .failed = -1, .rows = CHECKS,
                  .small = 1, .nearest = HUGE_VAL};
  double *room = NULL;
  int bad = EPI_WRONG;
  to->ways = to->traced = 0;
  to->spent = 0;
  to->breaks = to->dear = to->slow_part = 0;
  to->scales[0] = 0;
  to->longest = 0;
  to->observed = NAN;
  to->fastest = to->slow = NAN;
  to->reason[0] = 0;
  epi_choose_clear(to);
  to->flow[0] = 0;
  to->said[0] = 0;
  if (c->error[0]) epi_choose_fail(to, c->cause ? c->cause : EPI_REQUEST, "%s", c->error);
  else if (!(to->tol > 0 && to->tol < 1))
    epi_choose_fail(to, EPI_REQUEST, "the tolerance is %g: give a number between 0 and 1, such as 1e-9", to->tol);
  else if (!(to->end > c->t)) epi_choose_fail(to, EPI_REQUEST, "the end is %g: it must be after the start, %g", to->end, c->t);
  else if (!(room = malloc(((size_t)a.often*2 + 4)*(size_t)a.n*sizeof *room))) epi_choose_fail(to, EPI_MEMORY, "out of memory");
  if (!room) return EPI_WRONG;
  a.y[0] = room;
  a.y[1] = room + a.often*a.n;
  a.size = a.y[1] + a.often*a.n;
  a.held = a.size + a.n;
  if (to->y) to->y[0] = NAN;
  a.small = epi_least_size(c, NULL, 0);
  to->turns = epi_turns(c, to->end - c->t);
  to->period = (to->end - c->t)/1e6/epi_turns(c, (to->end - c->t)/1e6);
  if ((bad = epi_choose_forced(&a)) > 0) bad = choose_among(&a);
  if (bad == EPI_WRONG && to->dear) keep_nearest(&a);
  if (!bad && a.rough && !c->world && !to->said[0]) snprintf(to->said, sizeof to->said, "%s", not_smooth);
  if (!bad) epi_find_fast_time(&a);
  epi_trace_rest(&a, "time samples");
  if (!bad) epi_say_why(&a);
  epi_free(a.again);
  free(room);
  return bad;
}
