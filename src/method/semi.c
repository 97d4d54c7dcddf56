/* semi.c - explicit in what is expensive, implicit in what is stiff: q'' = A + B with A evaluated once a step and B solved for by Newton
 * with its own slope alone. On rotations by their exponential; constraints by multipliers, as in RATTLE.
 *   q1 = q + h v + h^2/2 (A + B), v1 = v + h (A + B), A at q + alpha h v, B at (1 - beta) z + beta z1.
 * Modin, Fritzson & Fuehrer 2007, (5). ahead=1 takes A's velocity ahead as well, v + alpha (v - v before): second order also with
 * friction */
#include "semi.h"
#include "nam.h"

typedef epi_semi_memory memory;
typedef epi_semi_work semi_work;

static memory memory_of(const epi_flow *f)
{
  int n = epi_nv(f->sys);
  memory m = {.recipe = f->keep + HEAD};
  m.v0 = m.recipe + RECIPE + epi_dim(f->sys);
  m.v1 = m.v0 + n;
  m.A = m.v1 + n;
  m.B = m.A + n;
  m.plan = m.B + n;
  return m;
}

/* sizes of the slots of the work block, in its order */
static long sizes(const epi_flow *f, long *size)
{
  const epi_system *m = f->sys;
  long n = epi_nv(m), N = epi_dim(m), room = epi_constraint_room(f->space), differ = 3*n + N, G = epi_G_size(f->space), all = 0;
  const long each[] = {n, n, n, n, n, n, N, N, N, 2*m->nc, RECIPE + N, 1, epi_semi_matrix_room(f), room > differ ? room : differ, G, G,
                       epi_A_size(f->space)};
  for (size_t i = 0; i < sizeof each/sizeof *each; i++) all += size[i] = each[i];
  return all;
}

static semi_work work_of(const epi_flow *f)
{
  semi_work d;
  double **slot[] = {&d.A, &d.B, &d.C, &d.x, &d.r, &d.way, &d.y, &d.start, &d.end, &d.push, &d.made, &d.noise, &d.N, &d.room, &d.G, &d.W,
                     &d.S};
  double *at = f->work;
  long size[sizeof slot/sizeof *slot];
  sizes(f, size);
  for (size_t i = 0; i < sizeof slot/sizeof *slot; at += size[i++]) *slot[i] = at;
  return d;
}

/* A for a step of h: q ahead by alpha h v; the velocity as it is, or ahead by what it changed in the step before, from v0 in `before` */
static int expensive(epi_flow *f, const epi_state *s, const semi_work *d, const double *v0, double before, double h, double *A)
{
  epi_system *a = f->sys;
  int n = epi_nv(a), ahead = f->arg[AHEAD].number == 1 && v0;
  const double *v = s->y + a->nq;
  double *u = d->y + a->nq, alpha = f->arg[ALPHA].number, x = ahead ? alpha*h/before : 0;
  for (int i = 0; i < n; i++) {
    d->x[i] = alpha*h*v[i];
    u[i] = v[i] + (ahead ? x*(v[i] - v0[i]) : 0);
  }
  epi_shift(a, s->y, 1, d->x, d->y, d->room);
  int bad = epi_accel_all(f, s->t + alpha*h, epi_phase_at(a, s->t, s->theta, alpha*h), d->y, u, A), i = 0;
  while (!bad && i < n && isfinite(A[i])) i++;
  if (bad || i == n) return bad;
  char room[32];
  return epi_fail(f, EPI_TOO_FAR,
                  "semi: the acceleration of %s is not finite at t = %.10g: the last good state is kept; look at the force there, "
                  "or take a smaller step", epi_coordinate(a, a->nq + i, room, sizeof room), s->t + alpha*h);
}

/* ---- a step ---- */
/* the state is the one the step before left; a landing may have set its clock right by rounding */
static int goes_on(const epi_flow *f, const epi_state *s, const memory *k)
{
  const double *x = f->keep;
  int there = fabs(s->t - x[TIME]) <= 1e-9*fabs(x[LENGTH]) + 2e-15*fabs(s->t);
  return x[BEGUN] && there && !memcmp(k->v1, s->y + f->sys->nq, (size_t)epi_nv(f->sys)*sizeof *k->v1);
}

/* the state did not come from the step before: nothing of that counts, and B begins as it is here */
static int forget(epi_flow *f, const epi_state *s, const memory *k)
{
  memset(f->keep, 0, HEAD*sizeof *f->keep);
  k->recipe[BY] = NOTHING;
  return epi_semi_stiff(f, s->t, s->theta, s->y, k->B);
}

/* everything of the state that a step changes, kept in start and push */
static void note(const epi_flow *f, const epi_state *s, const semi_work *d)
{
  memcpy(d->start, s->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
  if (s->impulse) memcpy(d->push, s->impulse, (size_t)f->sys->nc*sizeof *d->push);
}

static void undo(const epi_flow *f, epi_state *s, const semi_work *d, epi_mark mark)
{
  memcpy(s->y, d->start, (size_t)epi_dim(f->sys)*sizeof *s->y);
  if (s->impulse) memcpy(s->impulse, d->push, (size_t)f->sys->nc*sizeof *d->push);
  epi_back_to(s, mark);
}

/* the state moved by A + B; untouched when that fails */
static int move(epi_flow *f, epi_state *s, const semi_work *d, double h, epi_tick end)
{
  epi_mark mark = epi_mark_of(s);
  note(f, s, d);
  for (int i = 0; i < epi_nv(f->sys); i++) d->C[i] = d->A[i] + d->B[i];
  int bad = epi_semi_carry(f, s, d, h, end, NULL);
  if (bad) undo(f, s, d, mark);
  return bad;
}

static void remember(epi_flow *f, epi_state *s, const semi_work *d, const memory *k, double h)
{
  size_t n = (size_t)epi_nv(f->sys)*sizeof *d->A;
  int nq = f->sys->nq;
  memcpy(k->v0, d->start + nq, n);
  memcpy(k->v1, s->y + nq, n);
  memcpy(k->A, d->A, n);
  memcpy(k->B, d->B, n);
  f->keep[BEGUN] = 1;
  f->keep[TIME] = s->t;
  f->keep[LENGTH] = h;
  epi_moved(f, s);
}

static int step(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  semi_work d = work_of(f);
  memory k = memory_of(f);
  int on = goes_on(f, s, &k), bad;
  if (!on && (bad = forget(f, s, &k))) return bad;
  bad = expensive(f, s, &d, on ? k.v0 : NULL, f->keep[LENGTH], h, d.A);
  if (!bad) bad = epi_semi_solve(f, s, &d, &k, h, end);
  if (!bad) bad = move(f, s, &d, h, end);
  if (!bad) remember(f, s, &d, &k, h);
  return bad;
}

/* ---- steps that are chosen ---- */
/* two places where A was asked, with a step of `before` between v0 and v1 and then h: how long a step may be here. h^2 sigma = SIGMA with
   the stiffness |dA|/|dq| along the path; or h^2/2 |dC|/dt = TOL |v|, the leading error of the velocities. Both in the mass. C is A, or A
   and B where B is known at the second place */
typedef struct { const double *v0, *v1, *A0, *A1, *B0, *B1; double before, h; } pair;

/* fixed steps that were too long are taken in steps by stiffness */
static double sigma_of(const epi_flow *f) { return f->arg[SIGMA].given ? f->arg[SIGMA].number : f->arg[TOL].given ? 0 : 0.02; }

static double allowed(const epi_flow *f, const pair *p)
{
  const epi_system *m = f->sys;
  const epi_value *arg = f->arg;
  double way = 0, change = 0, jump = 0, speed[3] = {0}, alpha = arg[ALPHA].number, dt = fabs((1 - alpha)*p->before + alpha*p->h),
    length = HUGE_VAL;
  for (int i = 0; i < epi_nv(m); i++) {
    double w = m->mass ? m->mass[i] : 1, dA = p->A1[i] - p->A0[i], dC = dA + (p->B1 ? p->B1[i] - p->B0[i] : 0);
    double dq = p->before*((0.5 - alpha)*p->v0[i] + 0.5*p->v1[i]) + alpha*p->h*p->v1[i];
    change += w*dA*dA;
    way += w*dq*dq;
    jump += w*dC*dC;
    double v2 = p->v1[i] + (p->B1 ? p->h*(p->A1[i] + p->B1[i]) : 0);
    speed[0] += w*p->v0[i]*p->v0[i];
    speed[1] += w*p->v1[i]*p->v1[i];
    speed[2] += w*v2*v2;
  }
  if (sigma_of(f) > 0 && change > 0) length = fmin(length, sqrt(sigma_of(f)*sqrt(way/change)));
  if (arg[TOL].given && jump > 0) length = fmin(length, sqrt(2*arg[TOL].number*dt*sqrt(fmax(speed[0], fmax(speed[1], speed[2]))/jump)));
  return length;
}

/* a part of what is left that is no longer than next; the last two share what is left */
static double share(double next, double left, int *last)
{
  *last = next >= left*(1 - 1e-12);
  return *last ? left : 2*next > left ? 0.5*left : next;
}

static double left_of(const epi_state *s, epi_tick end) { return fabs((end.t - s->t) + (end.rest - s->key.rest)); }

/* lengths come in quarter octaves, rounded down: equal ones share a matrix */
static double rung(double length)
{
  static const double part[] = {0.5, 0.59460355750136051, 0.70710678118654752, 0.84089641525371454};
  int power, i = 3;
  double x = frexp(length, &power);
  while (i > 0 && x < part[i]) i--;
  return isfinite(length) ? ldexp(part[i], power) : length;
}

/* how much longer than allowed a step may be; not beyond the limit of stability */
static double slack(const epi_flow *f) { return f->arg[SIGMA].given ? fmin(1.2, sqrt(4/f->arg[SIGMA].number)) : 1.2; }

static double longest_of(const epi_flow *f) { return f->arg[LONGEST].number > 0 ? f->arg[LONGEST].number : HUGE_VAL; }

/* the step of h is refused; how long the next trial is */
static int too_long(epi_flow *f, double h, double wish, int code)
{
  f->keep[NEXT] = rung(fmin(0.5*fabs(h), fmax(0.1*fabs(h), wish)));
  f->keep[CAREFUL] = 1;
  f->keep[PLANNED] = 0;
  return code;
}

/* ---- giving up ---- */
/* so many tries that cover less than this part of a span would never come to its end; of a fixed step fewer parts are enough */
enum { TRIES = 1000, PIECES = 500 };   /* PIECES: of a step that somebody tries, who may take a shorter one */
static double least_way(const epi_flow *f, double span) { return (f->lands ? 1e-9 : 1e-5)*fabs(span); }

/* why the system said no: asked at once, what goes well afterwards makes it forget */
static void hear(epi_flow *f)
{
  epi_semi_matrix *x = f->own;
  if (x->tries < TRIES/2 || !f->sys->explain) return;
  if (!f->sys->explain(f->sys, x->said, sizeof x->said) && f->other->explain) f->other->explain(f->other, x->said, sizeof x->said);
}

static int stuck(epi_flow *f, const epi_state *s, double dt, double span)
{
  const epi_semi_matrix *x = f->own;
  const char *of = f->lands ? "span" : "step";
  f->keep[NEXT] = 0;
  if (x->said[0])
    return epi_fail_cause(f, EPI_TOO_FAR, EPI_MODEL_ENDS, "semi: %s at t = %.10g, and no step is short enough, down to %g: look at what "
                          "happens there, or end the run before", x->said, s->t, fabs(dt));
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_SHRUNK, "semi: the %s of %g is cut at t = %.10g into steps of %g, and %d of them make next to "
                        "no way: look at the forces and at how stiff they are there, or take a shorter %s", of, fabs(span), s->t, fabs(dt),
                        TRIES, of);
}

/* A of the next step is asked before this one is accepted: what it runs into is seen in time. A step is undone where it was twice as long
   as the motion at its end allows. span: of the call, whose end this step may have reached; after that nothing need be known, and A is
   asked at the end */
static int plan(epi_flow *f, epi_state *s, const semi_work *d, const memory *k, double h, double next, epi_tick end, double span)
{
  double *x = f->keep, tiny = 1e-13*fabs(span);
  int last, bad, landed = s->t == end.t && s->key.rest == end.rest;
  if (landed) end = epi_target(f->sys, s, span);
  for (int tries = 0;; tries++) {
    double dt = copysign(share(next, left_of(s, end), &last), span), wish;
    bad = expensive(f, s, d, d->start + f->sys->nq, h, dt, k->plan);
    if (bad > 0) hear(f);
    if (bad > 0 && landed) { epi_clear_error(f); bad = expensive(f, s, d, d->start + f->sys->nq, h, dt = 0, k->plan); }
    if (bad < 0) return bad;
    pair p = {.v0 = d->start + f->sys->nq, .v1 = s->y + f->sys->nq, .A0 = d->A, .A1 = k->plan, .before = h, .h = dt};
    wish = bad ? 0.3*fabs(dt) : allowed(f, &p);
    if (wish < 0.5*fabs(h) && fabs(h) > tiny) return too_long(f, h, wish, EPI_TOO_FAR);
    if (!bad && (fabs(dt) <= slack(f)*wish || tries > 8 || fabs(dt) <= tiny)) {
      x[NEXT] = next;
      x[PLANNED] = dt;
      x[CAREFUL] = tries > 0;
      return 0;
    }
    if (bad && tries > 20) return bad;
    f->refused++;
    epi_clear_error(f);
    next = rung(wish);
  }
}

/* a step is refused where it is longer than allowed by more than the slack; one of rounding never is */
static int refuses(const epi_flow *f, double h, double wish, double span) { return fabs(h) > slack(f)*wish && fabs(h) > 1e-13*fabs(span); }

/* one step of h inside a span that ends at `end`; EPI_TOO_FAR when a shorter one is wanted */
static int chosen(epi_flow *f, epi_state *s, double h, epi_tick land, epi_tick end, double span)
{
  semi_work d = work_of(f);
  memory k = memory_of(f);
  epi_mark mark = epi_mark_of(s);
  const double *v = s->y + f->sys->nq;
  double *x = f->keep, next = x[NEXT];
  int on = goes_on(f, s, &k), planned = on && x[PLANNED] == h, bad = 0;
  pair p = {.v0 = on ? k.v0 : v, .v1 = v, .A0 = on ? k.A : d.A, .A1 = d.A, .before = on && x[LENGTH]*h > 0 ? x[LENGTH] : 0, .h = h};
  if (!on) { bad = forget(f, s, &k); x[NEXT] = next; }
  if (!bad && planned && s->key.mover == f && s->key.moves == f->moves) memcpy(d.A, k.plan, (size_t)epi_nv(f->sys)*sizeof *d.A);
  else if (!bad) bad = expensive(f, s, &d, on ? k.v0 : NULL, x[LENGTH], h, d.A);
  double wish = bad ? HUGE_VAL : allowed(f, &p);
  if (!planned && refuses(f, h, wish, span)) return too_long(f, h, wish, EPI_TOO_FAR);
  if (bad || (bad = epi_semi_solve(f, s, &d, &k, h, land))) return bad > 0 ? too_long(f, h, 0, bad) : bad;
  p.B0 = k.B, p.B1 = d.B, wish = allowed(f, &p);
  if (refuses(f, h, 2*wish, span)) return too_long(f, h, wish, EPI_TOO_FAR);
  if ((bad = move(f, s, &d, h, land))) return bad > 0 ? too_long(f, h, 0, bad) : bad;
  /* a step that had to land does not hold back the next */
  next = fmin(wish, fmax(next, (x[CAREFUL] ? 1 : 2.4)*fabs(h)));
  next = rung(fmin(longest_of(f), fmax(next, 0.3*fabs(h))));
  if ((bad = plan(f, s, &d, &k, h, next, end, span))) { undo(f, s, &d, mark); return bad; }
  remember(f, s, &d, &k, h);
  return 0;
}

/* from here to the end, in steps that are chosen; the first is x[NEXT] */
static int cross(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  /* the start of each step, where somebody listens: at the end of work */
  const int told = f->tells && f->listener && !s->key.trial, n = epi_dim(f->sys);
  double *y0 = f->work + f->nwork - (told ? epi_keep_size(f) + n : 0), *kept = y0 + n;
  epi_semi_matrix *x = f->own;
  double from = left_of(s, end);
  long pieces = 0;
  x->tries = 0;
  x->said[0] = 0;
  while (s->t != end.t || s->key.rest != end.rest) {
    int last;
    double left = left_of(s, end), dt = copysign(share(f->keep[NEXT], left, &last), h);
    epi_start start = {.mark = epi_mark_of(s), .y = y0, .keep = kept};
    if (told) { memcpy(y0, s->y, (size_t)n*sizeof *y0); epi_keep_out(f, kept); }
    if (epi_stopping(f)) return EPI_INTERRUPTED;
    if (from - left > least_way(f, h)) x->tries = 0, from = left;
    int bad = chosen(f, s, dt, last ? end : epi_target(f->sys, s, dt), end, h);
    /* in a span so short that steps below the rounding of the time make way in it, a wall would be passed by the rounding of places */
    double rounding = least_way(f, h) < 1e-13*fabs(s->t) ? 1e-16*fabs(s->t) : 0;
    if (bad < 0 || (bad && fabs(dt) < fmax(1e-13*fabs(h), rounding))) return bad;
    if (bad) hear(f);
    if (x->tries++ > TRIES || (s->key.trial && !f->lands && pieces++ > PIECES)) return stuck(f, s, dt, h);
    if (!bad) {
      long tries = x->tries;
      epi_chose(f, dt);
      if (told && (bad = epi_tell(f, f, s, &start))) return bad;
      x->tries = tries;
      continue;
    }
    f->refused++;
    epi_clear_error(f);
  }
  return 0;
}

static int adaptive(epi_flow *f, epi_state *s, double h, long n)
{
  double *x = f->keep, first = f->arg[FIRST].number > 0 ? f->arg[FIRST].number : 0.01*fabs(h);
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    memory k = memory_of(f);
    if (!goes_on(f, s, &k) || !(x[NEXT] > 0)) x[NEXT] = fmin(longest_of(f), fmin(fabs(h), first));
    bad = cross(f, s, h, end);
  }
  return bad;
}

/* a step that the system finds too long (a contact passed through, no solution) is taken in as many as it needs */
static int fixed(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    bad = step(f, s, h, end);
    if (bad <= 0) continue;
    f->refused++;
    epi_clear_error(f);
    f->keep[NEXT] = 0.25*fabs(h);
    f->keep[CAREFUL] = 1;
    bad = cross(f, s, h, end);
  }
  return bad;
}

/* ---- building ---- */
static void check_options(epi_flow *f)
{
  const epi_value *arg = f->arg;
  int chooses = arg[TOL].given || arg[SIGMA].given;
  epi_refuse(f, arg[AHEAD].number != 0 && arg[AHEAD].number != 1, "semi: ahead is 0 or 1");
  epi_refuse(f, !chooses && (arg[FIRST].given || arg[LONGEST].given),
             "semi: first and longest are for steps that are chosen: give tol or sigma too");
}

/* a step that may be as long as it likes is infinite */
static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *x = f->keep, by = memory_of(f).recipe[BY];
  (void)s;
  for (long i = 0; i < f->nkeep; i++) if (isnan(x[i])) return 1;
  return !epi_is_count(x[AGE]) || !(x[NEXT] >= 0) || !isfinite(x[LENGTH]) || !isfinite(x[TIME])
    || (by != NOTHING && by != SLOPE && by != DIFFERENCES);
}

static void semi_build(epi_flow *f)
{
  epi_system *a = f->sys, *b = f->other;
  const epi_value *arg = f->arg;
  long n = epi_nv(a), each[20];
  if (epi_refuse(f, !b, "semi takes two systems, what is expensive and what is stiff, as in semi(model.contacts, model.stiff)")) return;
  epi_semi_check(f);
  check_options(f);
  if (f->broken) return;
  long keep = HEAD + RECIPE + epi_dim(a) + 5*n, start = arg[TOL].given || arg[SIGMA].given ? epi_dim(a) + keep + epi_keep_size(f) : 0;
  if (epi_semi_matrix_make(f) || epi_blocks(f, keep, sizes(f, each) + start)) return;
  int middle = arg[ALPHA].number == 0.5 && arg[BETA].number == 0.5;
  f->order = middle && (!a->velocity_force || arg[AHEAD].number == 1) ? 2 : 1;
  f->lands = f->tells = arg[TOL].given || arg[SIGMA].given;
  f->go = f->lands ? adaptive : fixed;
  f->unsound = unsound;
  if (f->lands) f->order = 0;
  f->safe = 1;
  f->blind = 1;
  if (b->traits.irreversible) f->claims &= ~(unsigned)EPI_BACKWARD;
  /* half a drift, a kick that depends on where it is given alone, half a drift */
  if (middle && !f->lands && !a->velocity_force && !a->nc && !a->manifold.retract)
    f->claims |= EPI_SYMMETRIC | (b->velocity_force ? 0 : EPI_REVERSIBLE);
}

#define FRACTION {0, 1, .words = ": alpha and beta are from 0 to 1"}
static const epi_param params[] = {
  [ALPHA] = {.name = "alpha", .value = 0.5, .doc = "where in the step the expensive part is asked", .range = FRACTION},
  [BETA] = {.name = "beta", .value = 0.8,
            .doc = "where the stiff part is: 0.5 keeps its oscillations, more damps them; at least 0.5 for stability",
            .range = FRACTION},
  [AHEAD] = {.name = "ahead", .value = 0, .kind = EPI_COUNT,
             .doc = "1: the expensive part gets its velocity ahead too, from the step before: second order with friction and damping"},
  [TOL] = {.name = "tol", .value = 0, .doc = "steps chosen for this error in the velocities, relative to them",
           .range = {0, 1, EPI_ABOVE | EPI_BELOW, ": it is an error relative to the velocities, between 0 and 1"}},
  [SIGMA] = {.name = "sigma", .value = 0,
             .doc = "steps chosen so that h^2 times the stiffness along the path is this; 4 is the limit of stability",
             .range = {0, 4, EPI_ABOVE, ": it is h^2 times the stiffness, between 0 and 4; 4 is the limit of stability"}},
  [LONGEST] = {.name = "longest", .value = 0, .doc = "longest step, where steps are chosen", .range = EPI_NOT_NEGATIVE},
  [FIRST] = {.name = "first", .value = 0, .doc = "first step, where steps are chosen; a hundredth of the span unless given",
             .range = EPI_NOT_NEGATIVE},
  {0}
};
extern EPI_INSIDE const epi_record epi_SEMI;

/* ---- B alone, for nam ---- */
epi_flow *epi_semi_for(epi_flow *f, double beta)
{
  epi_value args[FIRST + 2] = {{0}};
  for (int i = 0; params[i].name; i++) args[i].number = params[i].value;
  args[BETA].number = beta;
  return epi_node(&epi_SEMI, f->space, f->other_space, 0, NULL, args);
}

int epi_semi_hold(epi_flow *f, const epi_state *s, const double *A, double h, epi_tick end, double *B, double *held)
{
  semi_work d = work_of(f);
  memory k = memory_of(f);
  const epi_semi_matrix *x = f->own;
  size_t n = (size_t)epi_nv(f->sys);
  int bad = goes_on(f, s, &k) ? 0 : forget(f, s, &k);
  memcpy(d.A, A, n*sizeof *A);
  if (bad || (bad = epi_semi_solve(f, s, &d, &k, h, end))) return bad;
  memcpy(B, d.B, n*sizeof *B);
  for (int i = 0; i < x->count; i++) held[x->band ? x->touched[i] : x->which[i]] = 1;
  for (size_t i = 0; i < n; i++) if (B[i] != 0) held[i] = 1;
  return 0;
}

void epi_semi_held(epi_flow *f, const epi_state *s, const double *v0, const double *A, const double *B, double h)
{
  memory k = memory_of(f);
  size_t n = (size_t)epi_nv(f->sys)*sizeof *A;
  memcpy(k.v0, v0, n);
  memcpy(k.v1, s->y + f->sys->nq, n);
  memcpy(k.A, A, n);
  memcpy(k.B, B, n);
  f->keep[BEGUN] = 1;
  f->keep[TIME] = s->t;
  f->keep[LENGTH] = h;
  f->steps++;
}

const epi_record epi_SEMI = {
  .name = "semi", .doc = "semi-explicit: one evaluation of the expensive forces a step, the stiff ones implicit by their own slope; "
         "constraints by multipliers",
  .cite = "Modin, Fritzson & Fuehrer, semi-explicit integration by splitting for multibody problems with contacts (2007)",
  .example = "semi(model.contacts, model.stiff, alpha=0.5, beta=0.8)", .arrow = EPI_METHOD, .least = 2, .most = 2, .params = params,
  .order = 1,
  .claims = EPI_CLOCK | EPI_BACKWARD, .build = semi_build,
};
