/* tolerance.c - tolerance: steps chosen so that the local error stays below a bound. The estimate is the flow's own where it
 * has one; else one step against two halves. A refused step restores the state and the kept memory of the whole subtree. */
#include "tolerance.h"
#include "average/cost.h"
#include "two.h"

enum { RTOL, ATOL, CONTROLLER, FIRST, LONGEST, MOST };
/* kept: the next step, the last error, the end of the span under way, what rounding left of it and its phase, whether one is, a tenth of
   its length; steps so far that are tiny beside the longest, one after the other, and how long that was */
enum { NEXT, LAST, END, REST, THETA, OPEN, TENTH, TINY, MOST_CHOSEN, NKEEP };

typedef struct {
  double rtol, first, longest;
  const double *atol;                  /* one for each component, or one for all */
  int natol, power, own;               /* power of h in the estimate */
  double *y0, *e, *impulse, *kept, *after;     /* after: the state and memory of a step that is looked beyond */
} bound;

static int is_blind(const epi_flow *f)
{
  int blind = f->blind;
  for (int i = 0; i < f->nkid; i++) blind |= is_blind(f->kid[i]);
  return blind;
}

static long room_of(const epi_flow *f)
{
  return 3L*epi_dim(f->sys) + f->sys->nc + f->below + (f->sys->nc ? epi_constraint_room(f->space) : 0);
}

static bound bound_of(const epi_flow *f)
{
  const epi_flow *a = f->kid[0];
  int N = epi_dim(f->sys), nc = f->sys->nc;
  const epi_value *atol = &f->arg[ATOL];
  bound b = {.rtol = f->arg[RTOL].number, .first = f->arg[FIRST].number, .longest = f->arg[LONGEST].number,
             .atol = atol->n ? atol->list : &atol->number, .natol = atol->n, .own = (a->claims & EPI_ESTIMATE) != 0};
  b.power = b.own ? a->estimate : a->order + 1;
  b.y0 = f->work;
  b.e = b.y0 + N;
  b.impulse = b.e + 2*N;
  b.kept = b.impulse + nc;
  b.after = b.own || !is_blind(a) ? NULL : b.y0 + room_of(f);
  return b;
}

epi_bound epi_bound_of(const epi_flow *f)
{
  bound b = bound_of(f);
  return (epi_bound){b.rtol, b.first, b.longest, f->arg[MOST].number, b.atol, b.natol, b.power, b.own, f->arg[CONTROLLER].number == 1};
}

void epi_tolerance_set(epi_flow *f, double r)
{
  f->arg[RTOL].number = f->arg[ATOL].number = r;
  if (f->sys->derived) f->sys->derived->rtol = r;
}

/* the larger and the smaller of two; of one that is no number the other, as fmax and fmin have it, without a call */
static inline double larger(double a, double b) { return a > b || isnan(b) ? a : b; }
static inline double smaller(double a, double b) { return a < b || isnan(b) ? a : b; }

static double atol_of(const bound *b, int i) { return b->natol ? b->atol[i] : b->atol[0]; }

/* largest error in units of what is allowed, NaN where one is none; ode45 weighs by the larger of y and atol/rtol, not by their sum */
static double largest(const bound *b, int N, const double *e, const double *y0, const double *y1, int ode45)
{
  epi_two most = {0};
  epi_two_bits none = {0};
  for (int i = 0; i < N; i += 2) {
    const int left = N - i;
    const epi_two atol = epi_lanes_at(b->natol ? b->atol + i : b->atol, b->natol ? left : 1);
    const epi_two by_size = b->rtol*epi_two_larger(epi_two_size(epi_lanes_at(y0 + i, left)), epi_two_size(epi_lanes_at(y1 + i, left)));
    const epi_two larger_of = epi_two_larger(by_size, atol), sum = by_size + atol, allowed = ode45 ? larger_of : sum;
    const epi_two r = epi_two_size(epi_lanes_at(e + i, left))/allowed;
    most = epi_two_larger(r, most);
    none |= r != r;
  }
  return none[0] || none[1] ? NAN : epi_larger(most[0], most[1]);
}

static double error_of(const epi_flow *f, const bound *b, const double *y1, int ode45)
{
  int N = epi_dim(f->sys);
  double q = largest(b, N, b->e, b->y0, y1, ode45);
  if (!b->own || f->kid[0]->nerr < 2) return q;
  /* two estimates blended so that the order is that of the method (Hairer, Norsett & Wanner, II.10) */
  double q3 = largest(b, N, b->e + N, b->y0, y1, ode45);
  /* what is so small has squares that vanish */
  return q > 1e-150 ? q*q/sqrt(q*q + 0.01*q3*q3) : q;
}

/* the longest step at t */
static double top_of(const epi_flow *f, const bound *b, double t, double tenth)
{
  return b->longest > 0 ? b->longest : smaller(epi_part_of_turn(f->sys, t), f->arg[CONTROLLER].number == 1 ? tenth : HUGE_VAL);
}

/* a first step from the size of y against that of its rate */
static int first_step(epi_flow *f, const epi_state *s, const bound *b, double span, int ode45)
{
  int N = epi_dim(f->sys), bad;
  double top = fmin(top_of(f, b, s->t, 0.1*span), span), h = b->first > 0 ? fmin(b->first, top) : top;
  f->keep[LAST] = 1;
  f->keep[NEXT] = fmin(h, 0.01*span);
  if (f->sys->manifold.retract || (b->first > 0 && !ode45)) { if (b->first > 0) f->keep[NEXT] = h; return 0; }
  double *dy = b->e, d0 = 0, d1 = 0;
  if ((bad = epi_rate_at(f, s->t, s->theta, s->y, dy))) return bad < 0 ? bad : 0;
  for (int i = 0; i < N; i++) {
    double y = fabs(s->y[i]), w = ode45 ? fmax(y, atol_of(b, i)/b->rtol) : b->rtol*y + atol_of(b, i);
    d0 = fmax(d0, y/w);
    d1 = fmax(d1, fabs(dy[i])/w);
  }
  if (ode45) {
    double rh = d1/(0.8*pow(b->rtol, 1.0/b->power));
    f->keep[NEXT] = h*rh > 1 ? 1/rh : h;
  } else if (d1 > 0) {
    f->keep[NEXT] = fmin(h, d0 > 1e-5 ? 0.01*d0/d1 : 1e-6*span);
  }
  return 0;
}

static void restore(epi_flow *f, epi_state *s, const bound *b, epi_mark m)
{
  memcpy(s->y, b->y0, (size_t)epi_dim(f->sys)*sizeof *s->y);
  if (s->impulse) memcpy(s->impulse, b->impulse, (size_t)f->sys->nc*sizeof *s->y);
  epi_keep_in(f->kid[0], b->kept);
  epi_back_to(s, m);
}

/* one step, and two halves from the same start; the halves are kept */
static int halves(epi_flow *f, epi_state *s, const bound *b, double dt, epi_mark m)
{
  epi_flow *a = f->kid[0];
  int N = epi_dim(f->sys), bad;
  double *impulse = s->impulse, scale = pow(2, a->order) - 1;
  int landing = s->key.landing;
  epi_tick end = {s->key.land, s->key.land_rest, s->key.land_theta};
  s->impulse = NULL;
  bad = epi_go(a, s, dt, 1);
  s->impulse = impulse;
  if (bad) return bad;
  memcpy(b->e, s->y, (size_t)N*sizeof *s->y);
  restore(f, s, b, m);
  if ((bad = epi_go(a, s, 0.5*dt, 1))) return bad;
  memcpy(b->e + N, s->y, (size_t)N*sizeof *s->y);
  /* the second half lands where the whole step would */
  if (landing) epi_land(s, end);
  if ((bad = epi_go(a, s, 0.5*dt, 1))) return bad;
  for (int i = 0; i < N; i++) b->e[i] = (s->y[i] - b->e[i])/scale;
  return 0;
}

/* steps on moving constraints have these at the ends right whatever they do between, and whole and halves agree: what drives do there that
   was not seen, in units of what is allowed of the largest position */
static double drives_missed(const epi_flow *f, const epi_state *s, const bound *b, double dt)
{
  double size = 0;
  if (!f->sys->nc || f->sys->derived) return 0;
  for (int i = 0; i < f->sys->nq; i++) size = fmax(size, b->rtol*fabs(s->y[i]) + atol_of(b, i));
  return epi_drives_missed(f->space, s, dt, f->kid[0]->order, b->kept + f->below)/size;
}

/* ---- steps that ask for no force where they end ---- */
/* what the next one, of h, does to the velocities in its time, less what was to be expected at this place of it, in units of what is
   allowed; it is not taken. Less than 0: it cannot be */
static double beyond(epi_flow *f, epi_state *s, const bound *b, double h, double dt, double place)
{
  epi_flow *a = f->kid[0];
  int N = epi_dim(f->sys), nq = f->sys->nq, n = epi_nv(f->sys);
  const double *v0 = b->y0 + nq, *middle = b->e + N + nq, *v1 = b->after + nq;
  double *impulse = s->impulse, most = 0;
  epi_mark m = epi_mark_of(s);
  memcpy(b->after, s->y, (size_t)N*sizeof *s->y);
  epi_keep_out(a, b->after + N);
  s->impulse = NULL;
  s->key.trial++;
  int bad = epi_go(a, s, h, 1);
  s->key.trial--;
  s->impulse = impulse;
  if (bad > 0) epi_clear_error(a);
  for (int i = 0; i < n && !bad; i++) {
    /* the mean accelerations of both halves, and how they go on */
    double first = 2*(middle[i] - v0[i])/dt, second = 2*(v1[i] - middle[i])/dt, goes_on = second + place*(second - first);
    double size = fmax(fabs(v0[i]), fabs(v1[i])), allowed = b->rtol*size + atol_of(b, nq + i);
    most = epi_larger(most, fabs((s->y[nq + i] - v1[i])/h - goes_on)/allowed);
  }
  memcpy(s->y, b->after, (size_t)N*sizeof *s->y);
  epi_keep_in(a, b->after + N);
  epi_back_to(s, m);
  return bad ? -1 : most;
}

/* it may end inside a wall that neither half has felt: where a force is there that was not to be expected, and the next step feels it as
   well, it is too long. Of what is stiff the first alone says nothing */
static int ends_in_wall(epi_flow *f, epi_state *s, const bound *b, double dt)
{
  enum { SOON = 1000 };
  if (!b->after || f->sys->derived || epi_nv(f->sys) < 1 || !epi_has_force(f->sys)) return 0;
  double soon = beyond(f, s, b, dt/SOON, dt, 0.5);
  /* where no force is, as behind a wall, no step leads on; it may be none after this time alone */
  if (soon < 0) return epi_accel_all(f, s->t, s->theta, s->y, s->y + f->sys->nq, b->after) > 0;
  if (!(fabs(dt)/8*soon > 20)) return 0;
  return fabs(dt)*beyond(f, s, b, dt, dt, 1.5) > 100;
}

static int attempt(epi_flow *f, epi_state *s, const bound *b, double dt, epi_mark m)
{
  epi_flow *a = f->kid[0];
  s->key.trial++;
  a->err = b->own ? b->e : NULL;
  int bad = b->own ? epi_go(a, s, dt, 1) : halves(f, s, b, dt, m);
  s->key.trial--;
  return bad;
}

/* ---- controllers: how the next step follows from the error q (1 is just allowed) ---- */
typedef double control(const bound *, double q, double last, int failed);

/* proportional-integral (Gustafsson; Hairer & Wanner II, IV.2) */
static double pi_good(const bound *b, double q, double last, int failed)
{
  double p = b->power, x = q > 0 ? 0.9*pow(q, -0.7/p)*pow(last, 0.4/p) : 5;
  x = smaller(5, larger(0.2, x));
  return failed ? smaller(1, x) : x;
}
static double pi_bad(const bound *b, double q, double last, int failed)
{
  (void)last; (void)failed;
  return q < 1e9 ? fmax(0.1, 0.9*pow(q, -1.0/b->power)) : 0.1;
}

/* the elementary controller of MATLAB's ode45 */
static double ode45_good(const bound *b, double q, double last, int failed)
{
  (void)last;
  double x = 1.25*pow(q, 1.0/b->power);
  return failed ? 1 : x > 0.2 ? 1/x : 5;
}
static double ode45_bad(const bound *b, double q, double last, int failed)
{
  (void)last;
  return failed ? 0.5 : q < 1e300 ? fmax(0.1, 0.8*pow(q, -1.0/b->power)) : 0.1;
}

static control *const good_step[] = {pi_good, ode45_good}, *const bad_step[] = {pi_bad, ode45_bad};

/* what is left to the end, with the digits that t alone has not: a micro run at t ~ 1 has steps of 1e-9 */
static double left_of(const epi_state *s, const double *k) { return (k[END] - s->t) + (k[REST] - s->key.rest); }

/* ---- giving up ---- */
/* refusals by the system, of a force that says no or is no number, one after the other; left: to the end where the first of them was; next:
   the step that was to be taken there */
typedef struct { int n; double left, next; } refusals;

/* before a wall the steps up to it grow shorter for ever: many refusals, and no way covered between them; or a step that t cannot hold */
static int hopeless(refusals *r, const double *k, double t, double left, double dt, double next)
{
  if (!r->n || r->left - left > 1e-11*k[TENTH]) *r = (refusals){.left = left, .next = next};
  return ++r->n > 64 || dt <= 4*2.2e-16*fabs(t);
}

int epi_no_way_on(epi_flow *f, double t, double dt, int bad)
{
  char why[160];
  if (epi_contradicts(f->space, t, 0, NULL, &f->fault)) return EPI_TOO_FAR;
  if (!bad)
    return epi_fail_cause(f, EPI_TOO_FAR, EPI_NOT_FINITE, "the force is not a number beyond t = %.10g, with steps down to %g: look at it "
                          "there, or end the run before", t, dt);
  if (f->sys->explain && f->sys->explain(f->sys, why, sizeof why))
    return epi_fail_cause(f, EPI_TOO_FAR, EPI_MODEL_ENDS, "%s at t = %.10g, and no step is short enough, down to %g: look at what happens "
                          "there, or end the run before", why, t, dt);
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_REFUSED, "the system refuses all that lies beyond t = %.10g, with steps down to %g: look at "
                        "what its callbacks refuse there, or end the run before", t, dt);
}

static int cannot_be_met(epi_flow *f, double t, double dt, double next)
{
  f->keep[NEXT] = next;
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_SHRUNK, "the tolerance cannot be met at t = %.10g: the step has shrunk to %g; loosen rtol or "
                        "atol, or look for a singularity or a jump in the force there", t, dt);
}

static int too_many(epi_flow *f, const epi_state *s, const double *k, double next)
{
  f->keep[NEXT] = next;
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_MOST_STEPS, "%g steps have led to t = %.10g and not to %.10g: the step there is %.2g; loosen "
                        "rtol or atol, give more than most=%g, or look for a singularity there", f->arg[MOST].number, s->t, k[END], next,
                        f->arg[MOST].number);
}

/* where constraints all but lose a direction rounding is what steps see, and they creep: not 0 after the sentence. To pass takes some
   hundreds */
enum { CREEPS = 1000 };
static int creeps(epi_flow *f, const epi_state *s, const bound *b, double dt)
{
  double *k = f->keep;
  k[MOST_CHOSEN] = larger(k[MOST_CHOSEN], dt);
  k[TINY] = dt < 1e-5*k[MOST_CHOSEN] ? k[TINY] + 1 : 0;
  if (k[TINY] < CREEPS || !f->sys->nc) return 0;
  k[TINY] = 0;
  double *room = b->kept + f->below;
  epi_fault why = {.words = ""};
  int singular = epi_nearly_singular(f->space, s, room, &why);
  if (!singular && !f->sys->constraints.constraint_bend && dt < 1e-8*k[MOST_CHOSEN])
    return epi_fail_cause(f, EPI_TOO_FAR, EPI_ROUNDING, "%d steps in a row were shorter than %.2g at t = %.10g: accelerations of "
                          "constraints are differences, and to such a tolerance rounding is all they show; take a larger rtol, or give the "
                          "system a constraint_bend", CREEPS, 1e-5*k[MOST_CHOSEN], s->t);
  if (!singular) return 0;
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_ROUNDING, "%d steps in a row were shorter than %.2g at t = %.10g, a singular position of the "
                        "constraints, where chosen steps see rounding alone: take a larger rtol, or steps that pass over it, as of "
                        "symmetric(verlet, order=8)", CREEPS, 1e-5*k[MOST_CHOSEN], s->t);
}

/* what lies between two breaks of a force in time is not gone over: up to the next one, or over a few pieces of the shortest length. As
   much of dt as that */
static double up_to_break(const epi_system *m, double t, double sign, double dt)
{
  enum { PIECES = 4 };
  const int step = sign < 0 ? -1 : 1, i = epi_next_break(m, t, step, dt);
  if (i < 0) return dt;
  double most = fabs(m->traits.breaks[i] - t), least = HUGE_VAL, all = most;
  for (int k = i; k + step >= 0 && k + step < m->traits.nbreaks && fabs(m->traits.breaks[k] - t) < fmax(most, PIECES*least); k += step) {
    least = fmin(least, fabs(m->traits.breaks[k + step] - m->traits.breaks[k]));
    all = fmax(most, PIECES*least);
  }
  return fmin(dt, all);
}

/* from s->t to the end of the span under way */
static int span(epi_flow *f, epi_state *s, const bound *b, double sign)
{
  epi_flow *a = f->kid[0];
  int ode45 = f->arg[CONTROLLER].number == 1, failed = 0;
  double *k = f->keep, next = k[NEXT];
  refusals no = {0};
  for (double taken = 0; s->t != k[END] || s->key.rest != k[REST]; taken++) {
    double left = fabs(left_of(s, k)), dt = smaller(k[NEXT], top_of(f, b, s->t, k[TENTH])), least = 16*larger(fabs(s->t)*2.2e-24, 1e-300);
    int last = 1.1*dt >= left, bad;
    if (last) dt = left;
    double whole = f->sys->traits.nbreaks ? up_to_break(f->sys, s->t, sign, dt) : dt;
    int cut = whole < dt;
    if (cut) { dt = whole; last = 0; }
    if (epi_stopping(f)) { k[NEXT] = next; return EPI_INTERRUPTED; }
    if (dt < least && !last) return cannot_be_met(f, s->t, dt, next);
    if (f->arg[MOST].number > 0 && taken >= f->arg[MOST].number) return too_many(f, s, k, next);
    if (!s->key.trial && !failed && a->prepare && (bad = a->prepare(a, s, sign))) return bad;
    epi_mark m = epi_mark_of(s);
    memcpy(b->y0, s->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
    if (s->impulse) memcpy(b->impulse, s->impulse, (size_t)f->sys->nc*sizeof *s->y);
    epi_keep_out(a, b->kept);
    if (last) epi_land(s, (epi_tick){k[END], k[REST], k[THETA]});
    bad = attempt(f, s, b, sign*dt, m);
    s->key.landing = 0;
    if (bad < 0) { restore(f, s, b, m); k[NEXT] = next; return bad; }
    double q = bad ? HUGE_VAL : epi_larger(error_of(f, b, s->y, ode45), drives_missed(f, s, b, sign*dt)), part = 1;
    int over = q <= 1 && f->sys->contacts.went_through && f->sys->contacts.went_through(f->sys, m.t, b->y0, s->t, s->y, &part);
    if (q <= 1 && !over && !cut && ends_in_wall(f, s, b, sign*dt)) { over = 1; part = 0.5; }
    if (!(q <= 1) || over) {
      if (bad) epi_clear_error(a);
      restore(f, s, b, m);
      if ((bad || isnan(q)) && hopeless(&no, k, s->t, left, dt, next)) { k[NEXT] = no.next; return epi_no_way_on(f, s->t, dt, bad); }
      k[NEXT] = dt*(over ? part : bad_step[ode45](b, isnan(q) ? HUGE_VAL : q, k[LAST], failed));
      failed = 1;
      f->refused++;
      continue;
    }
    /* a step cut short to land says nothing about longer ones */
    const double want = dt*good_step[ode45](b, q, k[LAST], failed), wanted = next, before = k[LAST];
    const long chosen = f->chosen;
    if ((!last && !cut) || want < k[NEXT]) k[NEXT] = want;
    k[LAST] = larger(q, 1e-4);
    next = k[NEXT];
    /* one cut to land says nothing of the steps that were wanted */
    if ((!last && !cut) || !(f->longest > 0)) epi_chose(f, dt);
    failed = 0;
    if (!last && !cut && (bad = creeps(f, s, b, dt))) { k[NEXT] = next; return bad; }
    if (last) epi_set_clock(s, (epi_tick){k[END], k[REST], k[THETA]});
    const epi_derived_system *made = f->sys->derived;
    if (made && made->accepted && (bad = made->accepted(f->sys->derived, s))) return bad;
    epi_start start = {.mark = m, .y = b->y0, .keep = b->kept, .impulse = b->impulse};
    if ((bad = epi_tell(f, a, s, &start))) return bad;
    bad = !s->key.trial && a->deliver ? a->deliver(a, s, &start) : 0;
    /* what was to be shown of it was not: the step has still to be taken */
    if (bad == EPI_INTERRUPTED) { restore(f, s, b, m); k[NEXT] = wanted; k[LAST] = before; f->chosen = chosen; }
    if (bad) return bad;
  }
  return 0;
}

static int tolerance(epi_flow *f, epi_state *s, double h, long n)
{
  bound b = bound_of(f);
  double *k = f->keep;
  int ode45 = f->arg[CONTROLLER].number == 1, bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    /* a span that a watch interrupted goes on to the same end, to the bit */
    int on = k[OPEN] && fabs(end.t - k[END]) <= 8*2.2e-16*fmax(fabs(end.t), fabs(s->t));
    if (!on) { k[END] = end.t; k[REST] = end.rest; k[THETA] = end.theta; k[TENTH] = 0.1*fabs(h); }
    k[OPEN] = 1;
    /* one that was not found is looked for again */
    if (k[NEXT] == 0 && (bad = first_step(f, s, &b, fabs(h), ode45))) { k[NEXT] = 0; break; }
    bad = span(f, s, &b, h < 0 ? -1 : 1);
    if (!bad) k[OPEN] = 0;
  }
  return bad;
}

static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *k = f->keep;
  (void)s;
  for (int i = 0; i < NKEEP; i++) if (!isfinite(k[i])) return 1;
  return k[NEXT] < 0 || k[LAST] < 0 || k[TENTH] < 0 || (k[OPEN] != 0 && k[OPEN] != 1);
}

static void tolerance_build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  const epi_value *rtol = &f->arg[RTOL], *atol = &f->arg[ATOL];
  int N = epi_dim(f->sys);
  f->claims = EPI_ADAPTIVE | (a->claims & (EPI_BACKWARD | EPI_CLOCK | EPI_WATCHES | EPI_EXPLICIT));
  f->estimate = 0;
  f->lands = f->safe = f->resumes = f->tells = 1;
  epi_refuse(f, !(a->claims & EPI_CLOCK), "tolerance needs a flow that moves time; %s does not: give it a whole method", a->record->name);
  epi_refuse(f, (a->claims & EPI_WATCHES) && !a->deliver,
             "tolerance refuses steps, and a watch or event this deep would see the refused ones: use tolerance(watch(flow)), "
             "watch(tolerance(flow)) or at(tolerance(flow))");
  epi_refuse(f, (rtol->number > 0 && rtol->number < 1e-15),
             "rtol = %g cannot be reached in double precision: take 1e-14 or more", rtol->number);
  epi_refuse(f, atol->n && atol->n != N, "atol has %d entries and the state %d: give one number, or one for each", atol->n, N);
  for (int i = 0; i < (atol->n ? atol->n : 1); i++) {
    double x = atol->n ? atol->list[i] : atol->number;
    epi_refuse(f, !(x > 0) && !(x == 0 && rtol->number > 0 && !atol->n), "atol must be positive; one is %g", x);
  }
  epi_refuse(f, a->order < 1 && a->lands, "%s chooses its own steps: give it its own rtol, and leave tolerance out", a->record->name);
  epi_refuse(f, a->order < 1 && !(a->claims & EPI_ESTIMATE),
             "tolerance needs the order of %s and it is not known: give compose its order", a->record->name);
  epi_refuse(f, a->own_time, "%s chooses its own steps, from eps: leave tolerance out", a->record->name);
  if (f->broken) return;
  /* atol unless told: a thousandth of rtol, as a guard near zero */
  if (!atol->given) f->arg[ATOL].number = rtol->number*1e-3;
  if (epi_blocks(f, NKEEP, room_of(f) + (is_blind(a) ? N + f->below : 0))) return;
  if (f->sys->derived) f->sys->derived->rtol = rtol->number;
  f->unsound = unsound;
  f->go = tolerance;
}

static const char *const controllers[] = {"pi", "ode45", NULL};
static const epi_param tolerance_params[] = {
  {.name = "rtol", .value = 1e-6, .doc = "allowed local error relative to each component", .range = EPI_NOT_NEGATIVE},
  {.name = "atol", .value = 0,
   .doc = "allowed local error where a component is small: a number, or one for each component [..]; rtol/1000 unless given",
   .kind = EPI_LIST},
  {.name = "controller", .doc = "pi: proportional-integral; ode45: the elementary one of MATLAB's ode45", .words = controllers,
   .kind = EPI_WORD},
  {.name = "first", .value = 0, .doc = "first step; found unless given (with ode45: an upper bound)", .range = EPI_NOT_NEGATIVE},
  {.name = "longest", .value = 0,
   .doc = "longest step; unless given, less than half a turn of a fast phase, and with ode45 a tenth of the span",
   .range = EPI_NOT_NEGATIVE},
  {.name = "most", .value = 0, .doc = "most steps from one row or event to the next: beyond that it gives up; 0: any number",
   .kind = EPI_COUNT},
  {0}
};
const epi_record epi_TOLERANCE = {
  .name = "tolerance", .doc = "steps chosen to keep the local error below rtol and atol; any flow, by its own estimate or by halving",
  .cite = "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.4; Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) "
          "1",
  .example = "tolerance(dopri5, rtol=1e-8, atol=1e-10)", .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = tolerance_params,
  .claims = EPI_ADAPTIVE, .build = tolerance_build,
  .facets = &(const epi_facets){.form = EPI_FORM_TOLERANCE, .traits = EPI_ROWS_INSIDE},
};
