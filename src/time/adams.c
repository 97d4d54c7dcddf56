/* adams.c - an Adams method of variable step and order. The accelerations of the last steps, and the rates of what is of first order, are
 * continued by the polynomial through them; velocities are its integral, and positions the integral of that (Stoermer, Cowell). There the
 * corrector hardly moves a position, and a force is asked once a step, where the predictor stands; once more where that would change it by
 * a good part of what a step may be off by, as of forces that depend on velocities. */
/* compile: hot-pairs */
#include "own.h"
#include "lanes.h"
#include "wrap/tolerance.h"

enum { RTOL, ATOL, ORDER, FIRST, LONGEST, MOST };
enum { FEW = 4 };                /* coordinates: a step of so many is compiled for each number of them */
enum { TRUST = 20 };             /* steps, at most, after which the rate is asked again to see how it changes with the state */
#define AGAIN 0.1                /* of what a step may be off by: a change of the rate may come to so much of it */

/* extras: length of the last step and of the next, how many points the table has, whether it has been full; how much rates change with the
   state, or less than 0 where that is not known, and steps since it was seen; steps since the beginning; how many before the newest point
   are as long as the last */
enum { STEP, NEXT, POINTS, GROWN, SLOPE, SINCE, TAKEN, EVEN, HEADS };
/* then: where the points are, seen from the newest, and what is known there (lanes.h) */
enum { LANES = EPI_LANES };

/* work: atol of each component, and the largest states that the units are of; a state on its rotations and room for these */
typedef struct { double *atol, *sized, *on, *room; } room;
typedef struct {
  epi_own own;
  int order;
  double rtol, longest, most;
  double same[EPI_POINTS + 1][2];      /* errors, by the number of points, for which a step is as long as the one before */
  epi_stride stride, part;             /* of the last step that was tried, and of a part of one */
  epi_lanes lanes;
  room room;
} adams;

static long extras(const adams *p)
{
  const epi_lanes *d = &p->lanes;
  return HEADS + EPI_POINTS + (EPI_POINTS + 2L)*d->P + d->D + d->pairs;
}
EPI_INLINED epi_known known_of(epi_lanes d, double *x)
{
  const long P = d.P;
  epi_known k = {.place = x + HEADS};
  k.dd = k.place + EPI_POINTS;
  k.lead = k.dd + EPI_POINTS*P;
  k.rate = k.lead + P;
  k.most = k.rate + P;
  return k;
}

/* ---- rates ---- */
/* numbers of rotations are put where the turn of nothing leaves them */
static void put_right(epi_system *m, double *y, double *work)
{
  if (!m->manifold.retract) return;
  memset(work, 0, (size_t)epi_nv(m)*sizeof *work);
  m->manifold.retract(m, y, work, work + epi_nv(m));
  memcpy(y, work + epi_nv(m), (size_t)m->nq*sizeof *y);
}

/* how fast positions change: no force is asked for that */
static int drift(epi_system *m, double t, const double *y, double *dq, double *work)
{
  if (m->manifold.retract) epi_retract_tangent(m, y, y + m->nq, dq, work);
  else memcpy(dq, y + m->nq, (size_t)epi_nv(m)*sizeof *dq);
  return m->inertia.speed ? m->inertia.speed(m, t, y + m->nq, dq) : 0;
}

/* of a state with rotations */
static int turning_rate(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  const adams *p = f->own;
  epi_system *m = f->sys;
  int bad;
  memcpy(p->room.on, y, (size_t)epi_dim(m)*sizeof *y);
  put_right(m, p->room.on, p->room.room);
  y = p->room.on;
  if ((bad = drift(m, t, y, dy, p->room.room))) return bad;
  dy += m->nq;
  bad = epi_accel_all(f, t, theta, y, y + m->nq, dy);
  return bad || !m->rate ? bad : m->rate(m, t, y, dy + epi_nv(m));
}

EPI_INLINED int rate_at(epi_flow *f, epi_lanes d, double t, double theta, const double *y, double *dy)
{
  epi_system *m = f->sys;
  if (!d.pairs) return m->manifold.retract ? turning_rate(f, t, theta, y, dy) : epi_rate_at(f, t, theta, y, dy);
  if (!m->rate && epi_is_plain(f->space)) { f->calls++; return epi_force_at(m, t, theta, y, dy); }
  int bad = epi_accel_all(f, t, theta, y, y + m->nq, dy);
  return bad || !m->rate ? bad : m->rate(m, t, y, dy + epi_nv(m));
}

/* 0, or a code; one of its own where a rate is no number. away: the largest of its difference from this other, as their integrals are
   measured */
enum { NO_NUMBER = 1000 };
EPI_INLINED int finite_rate(epi_flow *f, epi_lanes d, double t, double theta, const double *y, double *dy, const double *other,
                            double *away)
{
  int bad = epi_stopping(f) ? EPI_INTERRUPTED : rate_at(f, d, t, theta, y, dy);
  epi_two nothing = {0}, most = {0};
  for (int i = 0; i < d.P; i += LANES) {
    const epi_two rate = epi_two_at(dy + i);
    nothing += 0*rate;
    most = epi_two_larger(epi_two_size(rate - epi_two_at(other + i))*epi_two_at(d.per_once + i), most);
  }
  *away = epi_lane(most);
  return bad ? bad : nothing[0] + nothing[1] == 0 ? 0 : NO_NUMBER;
}

/* ---- the polynomial ---- */
/* places as seen from the state after the last step, which is a point now; where steps were of one length they are what they were */
EPI_INLINED void move_places(const adams *p, const epi_known *was, const epi_known *k, double *x, int even)
{
  const int m = (int)x[POINTS], keep = m < p->order ? m : p->order - 1;
  x[POINTS] = keep + 1;
  if (keep + 1 == p->order) x[GROWN] = 1;
  /* two steps ago, which is what stands here, they were the same */
  if (x[EVEN] > p->order + 1) return;
  memcpy(k->place, was->place, EPI_POINTS*sizeof *k->place);
  for (int j = !keep ? p->order : even > 1 ? even : 1; j < p->order; j++) k->place[j] = was->place[j-1] - x[STEP];
}

/* ---- steps ---- */
/* what an attempt begins with, and what it led to */
typedef struct { double *y, moved; int bad; } attempt_end;
typedef struct { const double *y; int even, newest, to_break; } attempt_start;

/* one attempt of h; the error in units of the tolerance, or less than 0 with the code in to->bad. newest: the first after a step, whose
   rate is not in the table yet; to_break: its end is seen from before it. Points that do more harm than good, because the rate has changed
   its course or is near its rounding, are dropped; a difference that is small by chance is no reason, and what it was with them still
   counts */
EPI_INLINED double attempt(epi_flow *f, epi_lanes d, const epi_state *s, const epi_known *was, const epi_known *k, double *x, double h,
                          attempt_start from, attempt_end *to)
{
  adams *p = f->own;
  epi_stride *a = &p->stride;
  int m = (int)x[POINTS];
  epi_stride_to(a, m, p->order, k->place, h, h != x[STEP] ? 1 : from.even < p->order ? from.even + 1 : p->order);
  double t = s->t + h, lower;
  if (from.newest) epi_lanes_renew(d, m, a->w, was, k->dd, from.y, h);
  else { epi_lanes_say(&p->lanes, m, a->w, k->dd); epi_lanes_predict(&p->lanes, from.y, h); }
  if (from.to_break) t -= (h < 0 ? -4.5e-16 : 4.5e-16)*fabs(t);
  to->bad = epi_stopping(f) ? EPI_INTERRUPTED : rate_at(f, d, t, epi_phase_at(f->sys, s->t, s->theta, h), d.predicted, d.rate);
  if (to->bad) return -1;
  double error = epi_lanes_differ(d, m, a, k->dd, &lower);
  if (isnan(error)) { to->bad = NO_NUMBER; return -1; }
  while (m > 2 && lower < error) {
    error *= 0.6;
    error = lower > error ? lower : error;
    lower = epi_lanes_drop(d, --m, a, k->dd);
  }
  if (!(error <= 1)) return error;
  x[POINTS] = m;
  to->moved = epi_lanes_correct(d, a->w + m, a->gap[m].by, from.y, h, was, k, to->y);
  return error;
}

/* one over what n components may be off by */
EPI_INLINED void set_some(int n, double rtol, const double *atol, const double *most, double *per)
{
  int i = 0;
  for (; i + 1 < n; i += LANES) epi_put_two(per + i, 1/(epi_two_at(atol + i) + rtol*epi_two_at(most + i)));
  if (i < n) per[i] = 1/(atol[i] + rtol*most[i]);
}
EPI_INLINED void set_units(const adams *p, epi_lanes d, const double *most)
{
  const room *r = &p->room;
  const int n = d.pairs;
  const size_t size = (size_t)(n + d.D)*sizeof *most;
  /* of a few, to look whether they are as they were takes as long */
  if (d.P > FEW) {
    if (!memcmp(most, r->sized, size)) return;
    memcpy(r->sized, most, size);
  }
  set_some(n, p->rtol, r->atol, most, d.per_twice);
  set_some(d.D, p->rtol, r->atol + n, most + n, d.per_once);
}

/* the rate at the state y after a step of h, which has moved so far from the predictor; anew: it is asked whatever it was, for a break is
   behind */
EPI_INLINED int rate_after(epi_flow *f, epi_lanes d, const double *y, double moved, epi_tick end, const epi_known *k, double *x, double h,
                          int anew)
{
  const adams *p = f->own;
  epi_system *m = f->sys;
  int bad;
  double away;
  if (!anew && x[SLOPE] >= 0 && fabs(h)*x[SLOPE]*moved <= AGAIN && x[SINCE] < TRUST) {
    x[SINCE]++;
    memcpy(k->rate, d.rate, (size_t)d.D*sizeof *k->rate);
    return d.pairs || epi_all_rate(m) ? 0 : drift(m, end.t, y, k->rate, p->room.room);
  }
  if ((bad = finite_rate(f, d, end.t, end.theta, y, k->rate, d.rate, &away))) return bad;
  double seen = moved > 0 ? away/moved : 0;
  if (moved > 0 && !anew) x[SLOPE] = seen > 0.7*x[SLOPE] || !(x[SLOPE] >= 0) ? seen : 0.7*x[SLOPE];
  x[SINCE] = 0;
  return 0;
}

/* as much of a step as there is up to a break of the force in time */
EPI_INLINED double up_to_break(const epi_system *m, const epi_state *s, double h, int *cut)
{
  int i = m->traits.nbreaks ? epi_next_break(m, s->t, h < 0 ? -1 : 1, fabs(h)) : -1;
  *cut = i >= 0;
  return *cut ? (m->traits.breaks[i] - s->t) - s->key.rest : h;
}

/* no call where there is no phase */
EPI_INLINED double part_of_turn(const epi_system *m, double t)
{
  return m->phase.forced || epi_all_rate(m) ? epi_part_of_turn(m, t) : HUGE_VAL;
}

/* refused steps one after the other: not 0 after the sentence, where none will be taken */
static int hopeless(epi_flow *f, double t, double h, int refused, int bad)
{
  if (bad && (refused > 64 || !(fabs(h) > 1e-15*fabs(t)))) return epi_no_way_on(f, t, fabs(h), bad == NO_NUMBER ? 0 : bad);
  if (fabs(h) > 1e-15*fabs(t) && refused < 400) return 0;
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_SHRUNK, "the tolerance cannot be met at t = %.10g: the step has shrunk to %g; loosen rtol or "
                        "atol, or look for a singularity or a jump in the force there", t, fabs(h));
}

/* how much longer the next step is; one that would be about as long has the same length */
EPI_INLINED double next_by(const adams *p, int m, double error, double most)
{
  if (error <= p->same[m][1] && error >= p->same[m][0]) return 1;
  return fmin(most, 0.9*pow(fmax(error, 1e-300), -0.5/(m + 1)));
}

/* the step of h is taken; beyond a break nothing is as it was */
EPI_INLINED void take(const adams *p, epi_state *s, epi_tick end, double *x, double h, double error, int cut)
{
  double wanted = x[NEXT];
  epi_set_clock(s, end);
  x[EVEN] = h == x[STEP] ? x[EVEN] + 1 : 1;
  x[STEP] = h;
  x[TAKEN]++;
  x[NEXT] = fabs(h)*next_by(p, (int)x[POINTS], error, x[GROWN] > 0 ? 1.5 : 4);
  if (cut) { x[NEXT] = fmin(wanted, fmax(x[NEXT], 0.01*wanted)); x[GROWN] = -1; }
}

/* to where the answer is asked for */
EPI_INLINED double left_of(const adams *p, const epi_state *s) { return (p->own.end.t - s->t) + (p->own.end.rest - s->key.rest); }

/* all that is known after the step is put beside what was known before it, which stays */
EPI_INLINED int whole_of(epi_flow *f, epi_lanes d, const double *from, double *before, epi_state *s, double *x, double e)
{
  const adams *p = f->own;
  const epi_known was = known_of(d, before), k = known_of(d, x);
  epi_system *m = f->sys;
  attempt_end to = {.y = s->y};
  double part;
  memcpy(x, before, HEADS*sizeof *x);
  if (p->most > 0 && x[TAKEN] >= p->most)
    return epi_fail_cause(f, EPI_TOO_FAR, EPI_MOST_STEPS, "adams: %g steps have led to t = %.10g: the step there is %.2g; loosen rtol or "
                          "atol, give more than most=%g, or look for a singularity there", p->most, s->t, x[NEXT], p->most);
  /* a break is behind: what is known from before it says nothing */
  if (x[GROWN] < 0) x[POINTS] = x[GROWN] = x[EVEN] = 0;
  const int even = x[EVEN] < p->order ? (int)x[EVEN] : p->order;
  move_places(p, &was, &k, x, even);
  set_units(p, d, was.most);
  /* land: what lies beyond the end of the run is refused, and the step ends there */
  for (int refused = 0, bad, land = 0, cut;; refused++) {
    double most = p->longest > 0 ? p->longest : part_of_turn(m, s->t), want = x[NEXT] < most ? x[NEXT] : most;
    double h = up_to_break(m, s, e < 0 ? -want : want, &cut);
    if (land) h = left_of(p, s);
    double error = attempt(f, d, s, &was, &k, x, h, (attempt_start){from, even, !refused, cut || land}, &to);
    if ((bad = to.bad) < 0) return bad;
    int over = !bad && error <= 1 && m->contacts.went_through && m->contacts.went_through(m, s->t, from, s->t + h, to.y, &part);
    if (!bad && error <= 1 && !over) {
      epi_tick end = land ? p->own.end : epi_target(m, s, h);
      if (m->manifold.retract) { put_right(m, to.y, p->room.room); epi_lanes_most(&p->lanes, to.y, was.most, k.most); }
      if (!(bad = rate_after(f, d, to.y, to.moved, end, &k, x, h, cut))) {
        take(p, s, end, x, h, error, cut);
        return 0;
      }
      if (bad < 0) return bad;
    }
    f->refused++;
    double left = left_of(p, s);
    land = bad && !land && left*h > 0 && fabs(left) <= fabs(h);
    if (bad) epi_clear_error(f);
    if (land) continue;
    double by = bad || isnan(error) ? 0.25 : over ? part : fmax(0.1, 0.9*pow(error, x[GROWN] > 0 ? -1./3 : -1/(x[POINTS] + 1)));
    x[NEXT] = fabs(h)*by;
    if (hopeless(f, s->t, x[NEXT], refused, bad)) return EPI_TOO_FAR;
  }
}

static int whole(epi_flow *f, epi_state *s, double *x, double e)
{
  const adams *p = f->own;
  return whole_of(f, p->lanes, p->own.from, p->own.before, s, x, e);
}

EPI_INLINED int past_of(epi_flow *f, epi_lanes d, epi_state *s, epi_own_sides *sides, double e)
{
  const adams *p = f->own;
  epi_own_sides z = *sides;
  int bad;
  do {
    epi_own_trade(&z);
    s->y = z.b + EPI_OWN_CLOCKS;
    bad = whole_of(f, d, z.a + EPI_OWN_CLOCKS, z.a_extra, s, z.b_extra, e);
    double moved = epi_own_moved(s, z.a);
    if (!bad && !(moved*e > 0) && moved == moved) bad = epi_own_stands(f, z.a[EPI_OWN_TIME], moved);
    if (bad) break;
    epi_chose(f, moved);
    epi_own_put_clock(z.b, s);
  } while (epi_own_ahead(z.b, p->own.end)*e > 0);
  *sides = z;
  return bad;
}

/* of any motion, and of a few coordinates that a force moves and nothing else */
static int past(epi_flow *f, epi_state *s, epi_own_sides *z, double e) { return past_of(f, ((adams *)f->own)->lanes, s, z, e); }
typedef int past_step(epi_flow *, epi_state *, epi_own_sides *, double);
#define PAST_OF(N) static int past_##N(epi_flow *f, epi_state *s, epi_own_sides *z, double e) \
  { return past_of(f, epi_lanes_at_room(((adams *)f->own)->lanes.rate, N, N), s, z, e); }
PAST_OF(1) PAST_OF(2) PAST_OF(3) PAST_OF(4)
static past_step *past_of_few(int n) { return (past_step *const[]){NULL, past_1, past_2, past_3, past_4}[n]; }

/* the first step, such that the bend of the motion costs a hundredth of the tolerance; found over a hundredth of the state */
static int begin(epi_flow *f, epi_state *s, double *x)
{
  const adams *p = f->own;
  const epi_lanes *d = &p->lanes;
  const epi_known k = known_of(*d, x);
  int N = d->pairs + d->D, bad;
  double sign = epi_own_sign(f), way = 0, bend, first = f->arg[FIRST].number;
  memset(x, 0, (size_t)extras(p)*sizeof *x);
  x[SLOPE] = -1;
  if ((bad = finite_rate(f, *d, s->t, s->theta, s->y, k.rate, d->rate, &bend)))
    return bad < 0 ? bad : epi_no_way_on(f, s->t, 0, bad == NO_NUMBER ? 0 : bad);
  epi_lanes_most(d, s->y, k.most, k.most);
  set_units(p, *d, k.most);
  for (int i = 0; i < N; i++) {
    double speed = fabs(i < d->pairs ? s->y[d->pairs + i] : k.rate[i - d->pairs]), size = k.most[i] + p->room.atol[i]/p->rtol;
    way = fmax(way, speed/(0.01*size));
  }
  /* what takes so long to move is at rest, and nothing says how long that will last */
  const double now = fmax(1, fabs(s->t));
  double h = way*now > 1e-6 ? 1/way : 1e-3*now;
  x[NEXT] = first > 0 ? first : h;
  if (first > 0) return 0;
  for (int i = 0; i < d->pairs; i++) d->predicted[i] = s->y[i] + sign*h*s->y[d->pairs + i];
  for (int i = 0; i < d->D; i++) d->predicted[d->pairs + i] = s->y[d->pairs + i] + sign*h*k.rate[i];
  bad = finite_rate(f, *d, s->t + sign*h, epi_phase_at(f->sys, s->t, s->theta, sign*h), d->predicted, d->rate, k.rate, &bend);
  if (bad < 0) return bad;
  if (bad) { epi_clear_error(f); x[NEXT] = 1e-3*h; return 0; }
  if (bend > 0) x[NEXT] = fmin(h, sqrt(0.02/(bend/h)));
  return 0;
}

/* ---- between ---- */
/* from the state before the last step over h, which ends inside it */
static int part(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  adams *p = f->own;
  const epi_lanes *d = &p->lanes;
  double *x = epi_own_extra(f), *y = s->y, *v = y + d->pairs;
  const epi_known k = known_of(*d, x);
  int m = (int)x[POINTS];
  const epi_weight *w = p->part.w;
  (void)end;
  epi_stride_part(&p->part, m, k.place, x[STEP], h/x[STEP]);
  epi_lanes_say(d, m, w, k.dd);
  for (int i = 0; i < d->pairs; i++) y[i] += h*v[i] + (d->twice[i] + w[m].twice[0]*k.lead[i]);
  for (int i = 0; i < d->D; i++) v[i] += d->once[i] + w[m].once[0]*k.lead[i];
  put_right(f->sys, y, p->room.room);
  return 0;
}

/* what a checkpoint says of the table is used as an index */
static int unsound_extras(const epi_flow *f, const double *x)
{
  const adams *p = f->own;
  return !epi_is_count(x[POINTS]) || x[POINTS] > p->order || !epi_is_count(x[EVEN]) || !(x[NEXT] >= 0) || !isfinite(x[STEP]);
}

/* ---- building ---- */
static void check(epi_flow *f)
{
  const epi_system *m = f->sys;
  const epi_value *v = f->arg, *atol = &v[ATOL];
  int N = epi_dim(m);
  epi_refuse(f, m->nc > 0, "adams has no form for constraints: %s",
             epi_instead(m, "use verlet, which is RATTLE on a constrained system, herk4, or tolerance(dop853)"));
  epi_refuse(f, !m->rate && !epi_has_force(m) && !m->velocity_force,
             "this system has no force, velocity force or rate: fill in one of them");
  epi_refuse(f, atol->n && atol->n != N, "adams: atol has %d entries and the state %d: give one number, or one for each", atol->n, N);
  for (int i = 0; i < (atol->n ? atol->n : 1); i++) {
    double x = atol->n ? atol->list[i] : atol->number;
    epi_refuse(f, !(x > 0 && isfinite(x)), "adams: atol must be positive; one is %g", x);
  }
}

static void build(epi_flow *f)
{
  epi_system *m = f->sys;
  const epi_value *v = f->arg;
  int N = epi_dim(m), n = epi_nv(m);
  check(f);
  adams *p = f->own = f->broken ? NULL : calloc(1, sizeof *p);
  if (f->broken || epi_refuse_memory(f, !p)) return;
  *p = (adams){.own = {.begin = begin, .whole = whole, .past = past, .part = part, .unsound = unsound_extras, .onward = 1, .beside = 1},
               .order = (int)v[ORDER].number, .rtol = v[RTOL].number, .longest = v[LONGEST].number, .most = v[MOST].number};
  epi_lanes *d = &p->lanes;
  d->pairs = m->manifold.retract || m->inertia.speed || epi_all_rate(m) ? 0 : n;
  d->D = N - d->pairs;
  d->P = (d->D + LANES - 1)/LANES*LANES;
  for (int j = 0; j <= EPI_POINTS; j++) {
    p->same[j][0] = pow(0.9/1.15, 2*(j + 1));
    p->same[j][1] = pow(0.9/0.95, 2*(j + 1));
  }
  if (d->pairs == d->D && d->D <= FEW) p->own.past = past_of_few(d->D);
  f->claims |= EPI_EXPLICIT | EPI_BACKWARD;
  if (epi_own_build(f, extras(p), 6L*d->P + 4L*N + (m->manifold.retract ? 2L*n + 3*m->nq : 0))) return;
  if (m->derived) m->derived->rtol = p->rtol;
  *d = epi_lanes_at_room(epi_own_work(f), d->pairs, d->D);
  p->room.atol = d->predicted + N;
  p->room.sized = p->room.atol + N;
  p->room.on = p->room.sized + N;
  p->room.room = p->room.on + N;
  /* no state is so small */
  for (int i = 0; i < N; i++) { p->room.sized[i] = -1; p->room.atol[i] = v[ATOL].n ? v[ATOL].list[i] : v[ATOL].number; }
}

static const epi_param params[] = {
  [RTOL] = {.name = "rtol", .value = 1e-6, .doc = "allowed error of a step relative to the largest that each component has been",
            .range = {.least = 1e-15, .most = 1, .open = EPI_BELOW}},
  [ATOL] = {.name = "atol", .value = 1e-9, .doc = "allowed error of a step where a component is small: a number, or one for each [..]",
            .kind = EPI_LIST},
  [ORDER] = {.name = "order", .value = EPI_POINTS, .kind = EPI_COUNT, .doc = "largest number of points",
             .range = {.least = 2, .most = EPI_POINTS}},
  [FIRST] = {.name = "first", .value = 0, .doc = "first step; found unless given", .range = EPI_NOT_NEGATIVE},
  [LONGEST] = {.name = "longest", .value = 0, .doc = "longest step; unless given, less than half a turn of a fast phase",
               .range = EPI_NOT_NEGATIVE},
  [MOST] = {.name = "most", .value = 0, .doc = "steps of a run, at most; any number unless given", .kind = EPI_COUNT},
  {0}
};
const epi_record epi_ADAMS = {
  .name = "adams", .doc = "Adams method of variable step and order, which integrates positions twice and asks for one or two forces a step",
  .cite = "Krogh, Lect. Notes Math. 362 (1974) 22; Hairer, Norsett & Wanner, Solving ODEs I, III.5, III.10",
  .example = "adams(model, rtol=1e-8)",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .params = params, .claims = EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK | EPI_ADAPTIVE,
  .build = build, .facets = &(const epi_facets){.traits = EPI_FINE_INTERPOLANT},
};
