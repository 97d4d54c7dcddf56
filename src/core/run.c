/* run.c - steps as they are asked for: guarded, so that a failure leaves the last good state */
#include "core.h"
#include <stdio.h>

static int all_finite(const epi_flow *f, const epi_state *s)
{
  int n = epi_dim(f->sys);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0*s->y[i];
  return sum == 0;
}

/* energies and norms of errors are sums of squares: a coordinate whose square overflows has neither, though it is finite itself */
static int overflows(double y) { return !isfinite(y*y); }

static int any_overflows(int n, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0*(y[i]*y[i]);
  return sum != 0;
}

/* a step to y was a failure: a number is not finite, or its square overflows and did not at the start of the step, `from`. A motion may
   begin with larger numbers */
static int lost(const epi_flow *f, const double *from, const double *y)
{
  int n = epi_dim(f->sys);
  if (!any_overflows(n, y)) return 0;
  for (int i = 0; i < n; i++) if (!isfinite(y[i])) return 1;
  return !any_overflows(n, from);
}

/* ---- the guard: y, impulses, kept memory; after it room to look at the constraints of a start, the counters of all nodes, and what they
   saw ---- */
enum { COUNTERS = 9 };
static void add_node(epi_flow *f, void *n) { (void)f; *(long *)n += COUNTERS; }

static void counters_out(epi_flow *f, void *to)
{
  double **at = to;
  const double all[COUNTERS] = {(double)f->steps, (double)f->calls, (double)f->refused, (double)f->others, (double)f->slopes,
                                (double)f->chosen, f->shortest, f->longest, (double)f->repeats};
  memcpy(*at, all, sizeof all);
  *at += COUNTERS;
}

static void counters_in(epi_flow *f, void *from)
{
  const double **at = from, *c = *at;
  f->steps = (long)c[0], f->calls = (long)c[1], f->refused = (long)c[2], f->others = (long)c[3], f->slopes = (long)c[4];
  f->chosen = (long)c[5], f->shortest = c[6], f->longest = c[7], f->repeats = (long)c[8];
  *at += COUNTERS;
}

static double *counters_of(const epi_flow *f) { return f->guard + f->nguard + epi_constraint_room(f->space); }

static void what_was_seen(epi_flow *f, const epi_state *s)
{
  double *at = counters_of(f);
  if (f->seen_below) epi_repeats(f, s, 1);
  epi_visit(f, counters_out, &at);
  if (!f->seen_below) return;
  epi_repeats(f, s, -1);
  epi_seen_out(f, at);
}

static void see_that_again(epi_flow *f)
{
  const double *at = counters_of(f);
  epi_visit(f, counters_in, &at);
  if (f->seen_below) epi_seen_in(f, at);
}

int epi_ready(epi_flow *f)
{
  long counters = 0;
  if (f->broken || f->guard) return f->broken ? -1 : 0;
  f->nguard = epi_dim(f->sys) + f->sys->nc + epi_keep_size(f);
  f->block = 1;
  epi_visit(f, add_node, &counters);
  f->seen_below = epi_seen_size(f);
  f->guard = epi_zeros((size_t)(f->nguard + epi_constraint_room(f->space) + counters + f->seen_below) + 1, sizeof(double));
  return epi_refuse_memory(f, !f->guard) ? -1 : 0;
}

static epi_mark guard_in(epi_flow *f, const epi_state *s)
{
  int n = epi_dim(f->sys);
  memcpy(f->guard, s->y, (size_t)n*sizeof *s->y);
  if (s->impulse) memcpy(f->guard + n, s->impulse, (size_t)f->sys->nc*sizeof *s->y);
  epi_keep_out(f, f->guard + n + f->sys->nc);
  return epi_mark_of(s);
}

static void guard_out(epi_flow *f, epi_state *s, epi_mark m)
{
  int n = epi_dim(f->sys);
  memcpy(s->y, f->guard, (size_t)n*sizeof *s->y);
  if (s->impulse) memcpy(s->impulse, f->guard + n, (size_t)f->sys->nc*sizeof *s->y);
  epi_keep_in(f, f->guard + n + f->sys->nc);
  epi_back_to(s, m);
  epi_cache_invalidate(s);
}

/* y: the state after the step that failed */
static int why_not_finite(epi_flow *f, const epi_state *s, const double *y, double h)
{
  char room[32];
  int n = epi_dim(f->sys), i = 0;
  while (i < n - 1 && isfinite(y[i])) i++;
  if (isfinite(y[i])) {
    for (i = 0; i < n - 1 && !overflows(y[i]); ) i++;
    return epi_fail_cause(f, EPI_WRONG, EPI_NOT_FINITE, "%s grew to %.3g in the step from t = %.10g (h = %g), and its square overflows: "
                          "the last good state is kept; if the motion does not grow as far, take a smaller step, or tolerance(...)",
                          epi_coordinate(f->sys, i, room, sizeof room), y[i], s->t, h);
  }
  return epi_fail_cause(f, EPI_WRONG, EPI_NOT_FINITE, "%s became %s in the step from t = %.10g (h = %g): the last good state is kept; look "
                        "at the force there, or take a smaller step", epi_coordinate(f->sys, i, room, sizeof room), isnan(y[i]) ? "not a "
                        "number" : "infinite", s->t, h);
}

/* a block failed: go back to its start and walk, quietly, to the last good step */
static int find_last_good(epi_flow *f, epi_state *s, double h, long n, epi_mark start)
{
  int bad = 0, dim = epi_dim(f->sys);
  guard_out(f, s, start);
  s->key.quiet++;
  for (long k = 0; k < n && !bad; k++) {
    epi_mark m = guard_in(f, s);
    bad = epi_go(f, s, h, 1);
    int gone = lost(f, f->guard, s->y), broken = -1;
    if (!bad && gone) bad = EPI_WRONG;
    if (!bad) continue;
    /* the broken end point, for the sentence only */
    for (int i = 0; i < dim && broken < 0; i++) if (!isfinite(s->y[i])) broken = i;
    for (int i = 0; i < dim && gone && broken < 0; i++) if (overflows(s->y[i])) broken = i;
    double end = broken < 0 ? 0 : s->y[broken];
    guard_out(f, s, m);
    if (broken >= 0) {
      memcpy(f->guard, s->y, (size_t)dim*sizeof(double));
      f->guard[broken] = end;
      bad = why_not_finite(f, s, f->guard, h);
    }
  }
  s->key.quiet--;
  epi_cache_invalidate(s);
  return bad;
}

/* joints that cannot follow: told by the force that pulls them, where that ends to be one */
static int unmet(epi_flow *f, const epi_state *s, double h, int bad)
{
  char why[200], room[32];
  epi_pole pole;
  int found = epi_cause_of(f) == EPI_CONSTRAINTS ? epi_force_has_pole(f->space, s, h, f->guard + f->nguard, &pole) : 0;
  if (!found) return bad;
  if (found == 1 || !f->sys->explain || !f->sys->explain(f->sys, why, sizeof why))
    snprintf(why, sizeof why, "the acceleration of %s grows beyond all bounds",
             epi_coordinate(f->sys, f->sys->nq + pole.which, room, sizeof room));
  epi_clear_error(f);
  return epi_fail_cause(f, bad, EPI_MODEL_ENDS, "%s at t = %.10g, and in the step h = %g from t = %.10g no joint can follow that: look at "
                        "it there, or end the run before", why, pole.t, h, s->t);
}

static int explain(epi_flow *f, const epi_state *s, double h, int bad)
{
  char why[200];
  if (epi_error(f)) return unmet(f, s, h, bad);
  int said = f->sys->explain ? f->sys->explain(f->sys, why, sizeof why) : 0;
  if (said > 1) return epi_fail_cause(f, bad, EPI_REFUSED, "at t = %.10g %s", s->t, why);
  if (said)
    return epi_fail_cause(f, bad, EPI_REFUSED, "%s at t = %.10g with h = %g: take a smaller step, or look at what happens there", why, s->t,
                          h);
  if (bad > 0)
    return epi_fail(f, bad, "the step h = %g is too long at t = %.10g: take a smaller one, or tolerance(...)", h, s->t);
  return epi_fail_cause(f, bad, EPI_REFUSED, "a callback of the system stopped the run at t = %.10g with code %d", s->t, bad);
}

static void look_for_settling(epi_flow *f, void *found) { *(int *)found |= f->settles; }

static int request_wrong(epi_flow *f, const epi_state *s, double h)
{
  if (!s || !s->y) return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the state has no y: start as {.t = t0, .y = your array of %d numbers}",
                                         epi_dim(f->sys));
  if (!isfinite(h) || h == 0) return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the step is %g: it must be finite and not zero", h);
  if (h < 0 && !(f->claims & EPI_BACKWARD))
    return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the step is %g, and %s cannot run backward here: take a positive step", h,
                          f->record->name);
  if (!isfinite(s->t) || !isfinite(s->key.rest)) return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the state starts at t = %g: give a "
                                                                       "finite time", s->t);
  if (s->t + h == s->t && (f->claims & EPI_CLOCK))
    return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the step h = %g is lost in t = %g: take a larger one", h, s->t);
  if (!all_finite(f, s)) return why_not_finite(f, s, s->y, h);
  int settles = !f->sys->nc || (f->sys->derived && f->sys->derived->start);
  if (!settles) epi_visit(f, look_for_settling, &settles);
  return settles ? 0 : epi_off_constraints(f->space, s, f->guard + f->nguard, &f->fault);
}

/* ---- stopping ---- */
void epi_stop(epi_flow *f) { if (!f->broken) __atomic_store_n(&f->asked, 1, __ATOMIC_RELAXED); }

static void point_to(epi_flow *f, void *stop) { f->stop = stop; }

void epi_stop_with(epi_flow *f, const int *wish)
{
  if (!f || f->broken) return;
  f->heeds = wish;
  epi_visit(f, point_to, (void *)f->heeds);
}

int epi_asked_to_stop(const epi_flow *f) { return __atomic_load_n(&f->asked, __ATOMIC_RELAXED); }
void epi_stop_heard(epi_flow *f) { __atomic_store_n(&f->asked, 0, __ATOMIC_RELAXED); }

/* the wish has been heard: what follows is not stopped by it */
static int stopped(epi_flow *f)
{
  epi_visit(f, point_to, NULL);
  epi_stop_heard(f);
  epi_clear_error(f);
  return EPI_STOPPED;
}

/* inside a step: back to the start of the block, and quietly on to the end of the last whole step that was seen. last: the step ends where
   the run does */
static int interrupted(epi_flow *f, epi_state *s, double h, epi_mark start, int last)
{
  stopped(f);
  if (f->heeds || (f->resumes && last)) return EPI_STOPPED;
  guard_out(f, s, start);
  see_that_again(f);
  s->key.quiet++;
  int bad = f->done ? epi_go(f, s, h, f->done) : 0;
  s->key.quiet--;
  epi_cache_invalidate(s);
  return bad ? bad : EPI_STOPPED;
}

/* ---- a system that the library made, and that must know where its run begins and where its steps end ---- */
static int depart(epi_flow *f, epi_state *s)
{
  epi_derived_system *m = f->sys->derived;
  int bad = m && m->start ? m->start(m, s) : 0;
  return bad == EPI_INTERRUPTED ? stopped(f) : bad;
}

static int is_told(const epi_flow *f) { return f->sys->derived && f->sys->derived->accepted; }

/* so many steps that what may have to be walked again takes no time to speak of, and guarding neither */
static long block_after(const epi_flow *f, long calls, long steps)
{
  double cost = (double)epi_dim(f->sys)*(double)(calls > steps ? calls : steps)/(double)steps, most = 16384/cost;
  return most < 1 ? 1 : most > 4096 ? 4096 : (long)most;
}

/* blocks bound what must be walked again after a failure, and keep all checking out of the steps */
static int blocks(epi_flow *f, epi_state *s, double h, long n, int last)
{
  int bad = 0;
  while (n > 0) {
    long k = is_told(f) ? 1 : n < f->block ? n : f->block, calls = n > k ? epi_calls(f) : 0;
    if (epi_stopping(f)) return stopped(f);
    epi_mark start = guard_in(f, s);
    what_was_seen(f, s);
    f->done = 0;
    bad = epi_go(f, s, h, k);
    if (bad == EPI_STOPPED) return bad;
    if (bad == EPI_INTERRUPTED) return interrupted(f, s, h, start, last && n == 1);
    /* some flows stand at their last accepted step when they fail */
    if (bad && f->safe && all_finite(f, s)) return explain(f, s, h, bad);
    if (bad || lost(f, f->guard, s->y)) {
      int code = find_last_good(f, s, h, k, start);
      return explain(f, s, h, code ? code : bad ? bad : EPI_WRONG);
    }
    if (is_told(f) && (bad = f->sys->derived->accepted(f->sys->derived, s))) return explain(f, s, h, bad);
    if (n > k) f->block = block_after(f, epi_calls(f) - calls, k);
    n -= k;
  }
  return 0;
}

static void wake(epi_flow *f, void *root)
{
  f->fault.words[0] = 0;
  const epi_flow *r = root;
  f->stop = r->heeds ? r->heeds : &r->asked;
}

/* a public call trusts no cache: y or the user's data may have changed */
static int begin(epi_flow *f, epi_state *s, double h)
{
  if (f->broken || epi_ready(f)) return EPI_WRONG;
  epi_visit(f, wake, f);
  if (s && s->key.mover && f->seen_below) epi_repeats(f, s, 1);
  if (s) { epi_cache_invalidate(s); s->key.landing = s->key.trial = s->key.quiet = 0; }
  return request_wrong(f, s, h);
}

int epi_advance(epi_flow *f, epi_state *s, double h, long n)
{
  if (f->broken) return EPI_WRONG;
  if (n == 0) return 0;
  int bad = begin(f, s, h);
  if (bad) return bad;
  if (n > 0 && (bad = depart(f, s))) return bad;
  if (n < 0) return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the number of steps is %ld: it must not be negative; take a negative step "
                                   "to go back", n);
  return blocks(f, s, h, n, 0);
}

/* ---- where a run ends ---- */
/* what is left of the way, with the digits that t alone has not */
static double left_of(const epi_state *s, double end) { return (end - s->t) - s->key.rest; }

/* the part of a step that rounding may have added up to. Nothing here knows where a call began: one that goes on ends as the whole does */
static double loose_of(const epi_state *s, double end, double h)
{
  return fmin(1e-3, 1e-9 + 1e-15*fmax(fabs(s->t), fabs(end))/fabs(h));
}

/* accumulated rounding is not a step: a state so near to the end is there, and its time is the end */
static int arrives(epi_state *s, double end, double h)
{
  if (!(fabs(left_of(s, end)) <= loose_of(s, end, h)*fabs(h))) return 0;
  epi_set_clock(s, (epi_tick){.t = end, .theta = s->theta});
  return 1;
}

static int stands_still(epi_flow *f, double t, const char *name)
{
  return epi_fail_cause(f, EPI_WRONG, EPI_SYSTEM, "%s claims to move time and t = %.10g stands still: its go has to set the clock, "
                        "epi_set_clock", name, t);
}

/* whole steps of a time of its own: the last of them is the first that is not before the end */
static int run_past(epi_flow *f, epi_state *s, double end, double h, const char *name)
{
  int bad = 0;
  while (!bad && (end - s->t)*(h > 0 ? 1 : -1) > 0) {
    double t = s->t, rest = s->key.rest;
    bad = blocks(f, s, h, 1, 0);
    if (!bad && s->t == t && s->key.rest == rest) return stands_still(f, t, name);
  }
  return bad;
}

static int run_to(epi_flow *f, epi_state *s, double end, double h, const char *name)
{
  int bad;
  /* near the end the steps are counted one by one, from where the state is: the last one does not depend on where this call began */
  for (double count, loose; (count = left_of(s, end)/h) >= 1 - (loose = loose_of(s, end, h)); ) {
    double t = s->t, rest = s->key.rest;
    if ((bad = blocks(f, s, h, count > 1e6 ? 1000000 : count > 4 ? (long)count - 2 : 1, count <= 1 + loose))) return bad;
    if (s->t == t && s->key.rest == rest) return stands_still(f, t, name);
  }
  if (arrives(s, end, h)) return 0;
  if ((bad = blocks(f, s, left_of(s, end), 1, 1))) return bad;
  arrives(s, end, h);
  return 0;
}

int epi_run(epi_flow *f, epi_state *s, double end, double h)
{
  if (f->broken) return EPI_WRONG;
  int bad = begin(f, s, h);
  if (bad) return bad;
  /* the sentence is about what a watch or the like is wrapped around */
  const epi_flow *in = f;
  while (in->record->arrow == EPI_WRAPPER && in->shown == 1 && !in->own_time) in = in->kid[0];
  const char *name = in->record->name;
  int own_clock = in->own_time && !(f->claims & EPI_CLOCK);
  if (!own_clock && !(f->claims & EPI_CLOCK))
    return epi_fail_cause(f, EPI_WRONG, EPI_COMPOSITION, "%s alone does not move time: compose it with a drift, as in strang(kick, drift)",
                          name);
  const char *lost = epi_has_force(f->sys) && !(f->parts & EPI_BY_FORCE) ? "force" : f->sys->velocity_force
    && !(f->parts & EPI_BY_VELOCITY_FORCE) ? "velocity force" : NULL;
  if (lost) return epi_fail_cause(f, EPI_WRONG, EPI_COMPOSITION, "%s leaves out the %s of this system: compose it with the rest, as in "
                                  "strang(%s, %s)", name, lost, *lost == 'f' ? "kick" : "velocity-kick", name);
  if (!isfinite(end)) return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the end of the run is %g: give a finite time", end);
  if (own_clock) return (bad = depart(f, s)) ? bad : run_past(f, s, end, h, name);
  double count = left_of(s, end)/h;
  if (arrives(s, end, h)) return 0;
  if (count < 0)
    return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "the end t = %g cannot be reached from t = %g by steps of %g: change the sign of the "
                          "step", end, s->t, h);
  if (count > 9e15) return epi_fail_cause(f, EPI_WRONG, EPI_REQUEST, "%g steps of %g to t = %g: take a longer step", count, h, end);
  if ((bad = depart(f, s))) return bad;
  return run_to(f, s, end, h, name);
}

int epi_settle(epi_flow *f, epi_state *s)
{
  if (f->broken || epi_ready(f)) return EPI_WRONG;
  int bad = depart(f, s);
  if (bad) return bad;
  return f->sys->nc ? epi_move_onto_constraints(f->space, s, f->guard + f->nguard, &f->fault) : 0;
}
