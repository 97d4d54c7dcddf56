/* adams.c - an Adams method of variable step and order. The accelerations of the last steps, and the rates of what is of first order, are
 * continued by the polynomial through them; velocities are its integral, and positions the integral of that (Stoermer, Cowell). There the
 * corrector hardly moves a position, and a force is asked once a step, where the predictor stands; once more where that would change it by
 * a good part of what a step may be off by, as of forces that depend on velocities. */
#include "own.h"
#include "two.h"
#include "wrap/tolerance.h"

enum { RTOL, ATOL, ORDER, FIRST, LONGEST, MOST };
enum { MOST_ORDER = 12 };
enum { TRUST = 20 };             /* steps, at most, after which the rate is asked again to see how it changes with the state */
#define AGAIN 0.1                /* of what a step may be off by: a change of the rate may come to so much of it */

/* extras: length of the last step and of the next, how many points the table has, whether it has been full; how much rates change with the
   state, or less than 0 where that is not known, and steps since it was seen; steps since the beginning; how many before the newest point
   are as long as the last */
enum { STEP, NEXT, POINTS, GROWN, SLOPE, SINCE, TAKEN, EVEN, HEADS };
/* then: where the points are, seen from the newest, and one over how far the next ones are; divided differences there, of LANES components
   for one point after the other; what the corrector has more; rates at the state after; the largest state so far */
enum { LANES = 2 };              /* one epi_two */
typedef struct { double *place, *by, *dd, *lead, *rate, *most; } memory;

/* work: rates at the predictor and what the points say of them, their integral and that of this; one over what the integrals may be off
   by, and the integrals of these, 0 where there is none; the predictor; the largest states that the units are of; a state on its rotations
   and room for these */
typedef struct { double *rate, *head, *once, *twice, *per_once, *per_twice, *predicted, *sized, *on, *room; } room;
/* what counts of each point, and of the corrector, in a rate, its integral and that of this */
typedef struct { double value, once, twice; } weight;
/* one over what the corrector has more of the rate; by how much correctors with so many points and with one less are apart where rates are
   off by 1 */
typedef struct { double by, once, twice; } gap;
/* a step of h with m of these points, or any of less; even: they are h apart; which gaps are known, a bit for each */
typedef struct { int m, even; unsigned known; double h, place[MOST_ORDER]; weight w[MOST_ORDER + 1]; gap gap[MOST_ORDER + 1]; } stride;
/* pairs: positions that have a velocity of their own, and are integrated twice; D: all that are integrated once, behind them; P: as many
   with those that fill the last lanes */
typedef struct {
  epi_own own;
  int pairs, D, P, order;
  double rtol, longest, most;
  const epi_value *atol;
  double same[MOST_ORDER + 1][2];      /* errors, by the number of points, for which a step is as long as the one before */
  stride stride;                       /* of the last step that was tried */
  room room;
} adams;

static long extras(const adams *p) { return HEADS + 2*MOST_ORDER + (MOST_ORDER + 2L)*p->P + p->D + p->pairs; }
static memory memory_of(const adams *p, double *x)
{
  memory k = {.place = x + HEADS};
  k.by = k.place + MOST_ORDER;
  k.dd = k.by + MOST_ORDER;
  k.lead = k.dd + MOST_ORDER*p->P;
  k.rate = k.lead + p->P;
  k.most = k.rate + p->P;
  return k;
}
static double atol_of(const adams *p, int i) { return p->atol->n ? p->atol->list[i] : p->atol->number; }

/* two numbers, or one where no more are left */
static inline epi_two lanes_at(const double *x, int left) { return left > 1 ? epi_two_at(x) : (epi_two){x[0], x[0]}; }
static inline void put_lanes(double *x, int left, epi_two two)
{
  if (left > 1) epi_put_two(x, two);
  else x[0] = two[0];
}
static inline double larger_lane(epi_two x) { return epi_larger(x[0], x[1]); }

/* ---- rates ---- */
/* numbers of rotations are put where the turn of nothing leaves them */
static void put_right(epi_system *m, double *y, double *work)
{
  if (!m->retract) return;
  memset(work, 0, (size_t)epi_nv(m)*sizeof *work);
  m->retract(m, y, work, work + epi_nv(m));
  memcpy(y, work + epi_nv(m), (size_t)m->nq*sizeof *y);
}

/* how fast positions change: no force is asked for that */
static int drift(epi_system *m, double t, const double *y, double *dq, double *work)
{
  if (m->retract) epi_retract_tangent(m, y, y + m->nq, dq, work);
  else memcpy(dq, y + m->nq, (size_t)epi_nv(m)*sizeof *dq);
  return m->speed ? m->speed(m, t, y + m->nq, dq) : 0;
}

static int rate_at(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  const adams *p = f->own;
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  if (!p->pairs && !m->retract) return epi_rate_at(f, t, theta, y, dy);
  if (m->retract) {
    memcpy(p->room.on, y, (size_t)epi_dim(m)*sizeof *y);
    put_right(m, p->room.on, p->room.room);
    y = p->room.on;
    if ((bad = drift(m, t, y, dy, p->room.room))) return bad;
    dy += m->nq;
  }
  bad = epi_accel_all(f, t, theta, y, y + m->nq, dy);
  return bad || !m->rate ? bad : m->rate(m, t, y, dy + n);
}

/* 0, or a code; one of its own where a rate is no number */
enum { NO_NUMBER = 1000 };
static int finite_rate(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  const adams *p = f->own;
  int bad = epi_stopping(f) ? EPI_INTERRUPTED : rate_at(f, t, theta, y, dy);
  double nothing = 0;
  for (int i = 0; i < p->D; i++) nothing += 0*dy[i];
  return bad ? bad : nothing == 0 ? 0 : NO_NUMBER;
}

/* ---- the polynomial ---- */
/* of the Newton polynomials through m points (their factors t - place, the first of which is t), over the first part u of a step of h from
   the newest on: what they are at the end, their integrals, and the integrals of these */
static void integrate(int m, const double *place, double h, double u, weight *w)
{
  static const double part[MOST_ORDER + 2] = {1, 1./2, 1./3, 1./4, 1./5, 1./6, 1./7, 1./8, 1./9, 1./10, 1./11, 1./12, 1./13, 1./14};
  double sum[MOST_ORDER + 8] = {0}, power = u, value = 1, once = h, by = 1/h;
  for (int j = 0; j < m + 2; j++, power *= u) sum[j] = power*part[j];
  /* sum[j] is the integral of P_k x^j, with x from 0 to u, and `once` the power of h that belongs to it; two factors at a time */
  for (int k = 0;; k += 2, once *= h*h) {
    const double root = k < m ? place[k]*by : 0, other = k + 1 < m ? place[k+1]*by : 0;
    const double next[2] = {sum[1] - root*sum[0], sum[2] - root*sum[1]};
    w[k].value = value;
    w[k].once = once*sum[0];
    w[k].twice = once*h*(u*sum[0] - sum[1]);
    if (k == m) return;
    w[k+1].value = value *= h*(u - root);
    w[k+1].once = once*h*next[0];
    w[k+1].twice = once*h*h*(u*next[0] - next[1]);
    if (k + 1 == m) return;
    value *= h*(u - other);
    const double first = root + other, second = root*other;
    epi_two low = epi_two_at(sum);
    for (int j = 0; j < m - k; j += 2) {
      const epi_two high = epi_two_at(sum + j + 2), between = {low[1], high[0]};
      epi_put_two(sum + j, high - first*between + second*low);
      low = high;
    }
  }
}

/* steps of one length have it in common, however many points they take: where one more is asked for than last time, those that the table
   does not have yet are taken to be as far apart as such steps leave them. even: all of the m points are h apart */
static stride *stride_of(adams *p, int m, const double *place, double h, int even)
{
  stride *a = &p->stride;
  if (even && a->even && a->h == h && m <= a->m) return a;
  int known = m < a->m ? m : a->m, same = a->h == h && !memcmp(a->place, place, (size_t)known*sizeof *place);
  if (same && known == m && m > 0) return a;
  a->m = same && a->m ? p->order : m;
  a->h = h;
  a->even = even;
  a->known = 0;
  memcpy(a->place, place, (size_t)m*sizeof *place);
  for (int j = m; j < a->m; j++) a->place[j] = a->place[j-1] - h;
  integrate(a->m, a->place, h, 1, a->w);
  return a;
}

static const gap *gap_of(stride *a, int m)
{
  const weight *w = a->w;
  gap *g = &a->gap[m];
  if (a->known >> m & 1) return g;
  const double with = 1/w[m].value, without = 1/w[m-1].value;
  *g = (gap){.by = with, .once = fabs(w[m].once*with - w[m-1].once*without), .twice = fabs(w[m].twice*with - w[m-1].twice*without)};
  a->known |= 1u << m;
  return g;
}

/* what m points say of each component, of its integral and, of those that have a velocity, of the integral of that. newest: the rate at
   the state becomes the newest of them on the way */
static inline void add_up_lanes(const adams *p, const memory *k, int m, const weight *w, int newest)
{
  const room *d = &p->room;
  double *dd = k->dd;
  for (int i = 0; i < p->D; i += LANES, dd += MOST_ORDER*LANES) {
    epi_two value = {0}, once = {0}, twice = {0}, up = epi_two_at(k->rate + i);
    for (int j = 0; j < m; j++) {
      const epi_two old = epi_two_at(dd + j*LANES), at = newest ? up : old;
      value += w[j].value*at;
      once += w[j].once*at;
      twice += w[j].twice*at;
      if (!newest) continue;
      epi_put_two(dd + j*LANES, up);
      up = (up - old)*k->by[j];
    }
    epi_put_two(d->head + i, value);
    epi_put_two(d->once + i, once);
    epi_put_two(d->twice + i, twice);
  }
}
static void add_up(const adams *p, const memory *k, int m, const weight *w) { add_up_lanes(p, k, m, w, 0); }
static void add_newest(const adams *p, const memory *k, int m, const weight *w) { add_up_lanes(p, k, m, w, 1); }

/* places as seen from the state after the last step, which is a point now; where steps were of one length they are what they were */
static void move_places(const adams *p, const memory *k, double *x)
{
  int m = (int)x[POINTS], keep = m < p->order ? m : p->order - 1, first = x[EVEN] > 1 ? x[EVEN] < p->order ? (int)x[EVEN] : p->order : 1;
  x[POINTS] = keep + 1;
  if (keep + 1 == p->order) x[GROWN] = 1;
  if (!keep) return;
  for (int j = p->order - 1; j >= first; j--) k->place[j] = k->place[j-1] - x[STEP];
  for (int j = first; j < p->order; j += 2) put_lanes(k->by + j - 1, p->order - j, -1/lanes_at(k->place + j, p->order - j));
}

/* ---- steps ---- */
/* from what the rate is at the predictor beside what m points say: by how much the correctors with m and with one less are apart, in units
   of the tolerance; lower: for m - 1 and m - 2 */
static double difference(const adams *p, const memory *k, int m, stride *a, double *lower)
{
  const room *d = &p->room;
  const double *last = k->dd + (m - 1)*LANES, e = a->w[m-1].value;
  epi_two nothing = {0}, once = {0}, twice = {0}, lower_once = {0}, lower_twice = {0};
  for (int i = 0; i < p->D; i += LANES, last += MOST_ORDER*LANES) {
    const epi_two per_once = epi_two_at(d->per_once + i), per_twice = epi_two_at(d->per_twice + i);
    const epi_two more = epi_two_at(d->rate + i) - epi_two_at(d->head + i), off = epi_two_size(more);
    const epi_two less = epi_two_size(more + e*epi_two_at(last));
    once = epi_two_larger(off*per_once, once);
    twice = epi_two_larger(off*per_twice, twice);
    lower_once = epi_two_larger(less*per_once, lower_once);
    lower_twice = epi_two_larger(less*per_twice, lower_twice);
    nothing += 0*off;
  }
  const gap *with = gap_of(a, m), *without = m > 1 ? gap_of(a, m - 1) : with;
  *lower = larger_lane(epi_two_larger(lower_once*without->once, lower_twice*without->twice));
  return (nothing[0] + nothing[1]) + larger_lane(epi_two_larger(once*with->once, twice*with->twice));
}

/* what the points say without the last of them */
static void drop_last(const adams *p, const memory *k, int m, const weight *w)
{
  const room *d = &p->room;
  const double *dd = k->dd + (m - 1)*LANES;
  for (int i = 0; i < p->D; i += LANES, dd += MOST_ORDER*LANES) {
    const epi_two last = epi_two_at(dd);
    epi_put_two(d->head + i, epi_two_at(d->head + i) - w[m-1].value*last);
    epi_put_two(d->once + i, epi_two_at(d->once + i) - w[m-1].once*last);
    epi_put_two(d->twice + i, epi_two_at(d->twice + i) - w[m-1].twice*last);
  }
}

/* y moved by what the points say */
static void predict(const adams *p, const double *y, double h, double *out)
{
  const room *d = &p->room;
  const double *v = y + p->pairs;
  for (int i = 0, left = p->pairs; i < p->pairs; i += LANES, left -= LANES)
    put_lanes(out + i, left, lanes_at(y + i, left) + (h*lanes_at(v + i, left) + epi_two_at(d->twice + i)));
  out += p->pairs;
  for (int i = 0, left = p->D; i < p->D; i += LANES, left -= LANES)
    put_lanes(out + i, left, lanes_at(v + i, left) + epi_two_at(d->once + i));
}

/* and by the corrector, from what it has more; how far from the predictor, in units of the tolerance */
static double correct(const adams *p, const double *y, double h, const double *lead, double once, double twice, double *out)
{
  const room *d = &p->room;
  const double *v = y + p->pairs, *from = d->predicted;
  epi_two moved = {0};
  for (int i = 0, left = p->pairs; i < p->pairs; i += LANES, left -= LANES) {
    const epi_two by = epi_two_at(d->twice + i) + twice*epi_two_at(lead + i);
    const epi_two to = lanes_at(y + i, left) + (h*lanes_at(v + i, left) + by);
    moved = epi_two_larger(epi_two_size(to - lanes_at(from + i, left))*epi_two_at(d->per_twice + i), moved);
    put_lanes(out + i, left, to);
  }
  out += p->pairs;
  from += p->pairs;
  for (int i = 0, left = p->D; i < p->D; i += LANES, left -= LANES) {
    const epi_two to = lanes_at(v + i, left) + (epi_two_at(d->once + i) + once*epi_two_at(lead + i));
    moved = epi_two_larger(epi_two_size(to - lanes_at(from + i, left))*epi_two_at(d->per_once + i), moved);
    put_lanes(out + i, left, to);
  }
  return larger_lane(moved);
}

/* what an attempt led to */
typedef struct { double *y, moved; int bad; } attempt_end;

/* one attempt of h; the error in units of the tolerance, or less than 0 with the code in to->bad. newest: the first after a step, whose
   rate is not in the table yet; to_break: its end is seen from before it. Points that do more harm than good, because the rate has changed
   its course or is near its rounding, are dropped; a difference that is small by chance is no reason, and what it was with them still
   counts */
static double attempt(epi_flow *f, const epi_state *s, const memory *k, double *x, double h, int newest, int to_break, attempt_end *to)
{
  adams *p = f->own;
  const room *d = &p->room;
  int m = (int)x[POINTS];
  stride *a = stride_of(p, m, k->place, h, h == x[STEP] && x[EVEN] >= m - 1);
  const weight *w = a->w;
  double t = s->t + h, lower;
  if (newest) add_newest(p, k, m, w);
  else add_up(p, k, m, w);
  predict(p, s->y, h, d->predicted);
  if (to_break) t -= (h < 0 ? -4.5e-16 : 4.5e-16)*fabs(t);
  to->bad = epi_stopping(f) ? EPI_INTERRUPTED : rate_at(f, t, epi_phase_at(f->sys, s->t, s->theta, h), d->predicted, d->rate);
  if (to->bad) return -1;
  double error = difference(p, k, m, a, &lower);
  if (isnan(error)) { to->bad = NO_NUMBER; return -1; }
  while (m > 2 && lower < error) {
    error = fmax(lower, 0.6*error);
    drop_last(p, k, m--, w);
    difference(p, k, m, a, &lower);
  }
  if (!(error <= 1)) return error;
  x[POINTS] = m;
  const double by = gap_of(a, m)->by;
  for (int i = 0; i < p->D; i += LANES) epi_put_two(k->lead + i, (epi_two_at(d->rate + i) - epi_two_at(d->head + i))*by);
  to->moved = correct(p, s->y, h, k->lead, w[m].once, w[m].twice, to->y);
  return error;
}

static void set_units(const adams *p, const memory *k)
{
  const room *d = &p->room;
  const int n = p->pairs, N = n + p->D;
  if (!memcmp(k->most, d->sized, (size_t)N*sizeof *k->most)) return;
  for (int i = 0; i < N; i++) {
    if (k->most[i] == d->sized[i]) continue;
    d->sized[i] = k->most[i];
    *(i < n ? d->per_twice + i : d->per_once + i - n) = 1/(atol_of(p, i) + p->rtol*k->most[i]);
  }
}

static void note_size(const adams *p, const memory *k, const double *y)
{
  for (int i = 0, left = p->pairs + p->D; left > 0; i += LANES, left -= LANES)
    put_lanes(k->most + i, left, epi_two_larger(epi_two_size(lanes_at(y + i, left)), lanes_at(k->most + i, left)));
}

/* largest of the difference of two rates, as their integrals are measured */
static double apart(const adams *p, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < p->D; i++) most = epi_larger(fabs(a[i] - b[i])*p->room.per_once[i], most);
  return most;
}

/* the rate at the state y after a step of h, which has moved so far from the predictor; anew: it is asked whatever it was, for a break is
   behind */
static int rate_after(epi_flow *f, const double *y, double moved, epi_tick end, const memory *k, double *x, double h, int anew)
{
  const adams *p = f->own;
  const room *d = &p->room;
  epi_system *m = f->sys;
  int bad;
  if (!anew && x[SLOPE] >= 0 && fabs(h)*x[SLOPE]*moved <= AGAIN && x[SINCE] < TRUST) {
    x[SINCE]++;
    for (int i = 0; i < p->D; i += LANES) epi_put_two(k->rate + i, epi_two_at(d->rate + i));
    return p->pairs || epi_all_rate(m) ? 0 : drift(m, end.t, y, k->rate, d->room);
  }
  if ((bad = finite_rate(f, end.t, end.theta, y, k->rate))) return bad;
  double seen = moved > 0 ? apart(p, k->rate, d->rate)/moved : 0;
  if (moved > 0 && !anew) x[SLOPE] = x[SLOPE] >= 0 ? fmax(seen, 0.7*x[SLOPE]) : seen;
  x[SINCE] = 0;
  return 0;
}

/* as much of a step as there is up to a break of the force in time */
static double up_to_break(const epi_system *m, const epi_state *s, double h, int *cut)
{
  int i = m->nbreaks ? epi_next_break(m, s->t, h < 0 ? -1 : 1, fabs(h)) : -1;
  *cut = i >= 0;
  return *cut ? (m->breaks[i] - s->t) - s->key.rest : h;
}

/* refused steps one after the other: not 0 after the sentence, where none will be taken */
static int hopeless(epi_flow *f, double t, double h, int refused, int bad)
{
  if (bad && (refused > 64 || !(fabs(h) > 1e-15*fabs(t)))) return epi_no_way_on(f, t, fabs(h), bad == NO_NUMBER ? 0 : bad);
  if (fabs(h) > 1e-15*fabs(t) && refused < 400) return 0;
  return epi_fail(f, EPI_TOO_FAR, "the tolerance cannot be met at t = %.10g: the step has shrunk to %g; loosen rtol or atol, or look for a "
                  "singularity or a jump in the force there", t, fabs(h));
}

/* how much longer the next step is; one that would be about as long has the same length */
static double next_by(const adams *p, int m, double error, double most)
{
  if (error <= p->same[m][1] && error >= p->same[m][0]) return 1;
  return fmin(most, 0.9*pow(fmax(error, 1e-300), -0.5/(m + 1)));
}

/* the step of h to y is taken; beyond a break nothing is as it was */
static void take(epi_flow *f, epi_state *s, const double *y, epi_tick end, const memory *k, double *x, double h, double error, int cut)
{
  const adams *p = f->own;
  double wanted = x[NEXT];
  memcpy(s->y, y, (size_t)epi_dim(f->sys)*sizeof *s->y);
  epi_set_clock(s, end);
  note_size(p, k, y);
  x[EVEN] = h == x[STEP] ? x[EVEN] + 1 : 1;
  x[STEP] = h;
  x[TAKEN]++;
  x[NEXT] = fabs(h)*next_by(p, (int)x[POINTS], error, x[GROWN] > 0 ? 1.5 : 4);
  if (cut) { x[NEXT] = fmin(wanted, fmax(x[NEXT], 0.01*wanted)); x[GROWN] = -1; }
}

static int whole(epi_flow *f, epi_state *s, double *x, double e)
{
  const adams *p = f->own;
  const memory k = memory_of(p, x);
  epi_system *m = f->sys;
  attempt_end to = {.y = p->room.on + epi_dim(m)};
  double part;
  if (p->most > 0 && x[TAKEN] >= p->most)
    return epi_fail(f, EPI_TOO_FAR, "adams: %g steps have led to t = %.10g: the step there is %.2g; loosen rtol or atol, give more than "
                    "most=%g, or look for a singularity there", p->most, s->t, x[NEXT], p->most);
  /* a break is behind: what is known from before it says nothing */
  if (x[GROWN] < 0) x[POINTS] = x[GROWN] = x[EVEN] = 0;
  move_places(p, &k, x);
  set_units(p, &k);
  /* land: what lies beyond the end of the run is refused, and the step ends there */
  const epi_tick last = p->own.end;
  const double left = (last.t - s->t) + (last.rest - s->key.rest);
  for (int refused = 0, bad, land = 0, cut;; refused++) {
    double want = fmin(x[NEXT], p->longest > 0 ? p->longest : epi_part_of_turn(m, s->t)), h = up_to_break(m, s, e < 0 ? -want : want, &cut);
    if (land) h = left;
    double error = attempt(f, s, &k, x, h, !refused, cut || land, &to);
    if ((bad = to.bad) < 0) return bad;
    int over = !bad && error <= 1 && m->went_through && m->went_through(m, s->t, s->y, s->t + h, to.y, &part);
    if (!bad && error <= 1 && !over) {
      epi_tick end = land ? last : epi_target(m, s, h);
      put_right(m, to.y, p->room.room);
      if (!(bad = rate_after(f, to.y, to.moved, end, &k, x, h, cut))) { take(f, s, to.y, end, &k, x, h, error, cut); return 0; }
      if (bad < 0) return bad;
    }
    f->refused++;
    land = bad && !land && left*h > 0 && fabs(left) <= fabs(h);
    if (bad) epi_clear_error(f);
    if (land) continue;
    double by = bad || isnan(error) ? 0.25 : over ? part : fmax(0.1, 0.9*pow(error, x[GROWN] > 0 ? -1./3 : -1/(x[POINTS] + 1)));
    x[NEXT] = fabs(h)*by;
    if (hopeless(f, s->t, x[NEXT], refused, bad)) return EPI_TOO_FAR;
  }
}

/* the first step, such that the bend of the motion costs a hundredth of the tolerance; found over a hundredth of the state */
static int begin(epi_flow *f, epi_state *s, double *x)
{
  const adams *p = f->own;
  const memory k = memory_of(p, x);
  const room *d = &p->room;
  int N = p->pairs + p->D, bad;
  double sign = epi_own_sign(f), way = 0, first = f->arg[FIRST].number;
  memset(x, 0, (size_t)extras(p)*sizeof *x);
  x[SLOPE] = -1;
  if ((bad = finite_rate(f, s->t, s->theta, s->y, k.rate)))
    return bad < 0 ? bad : epi_no_way_on(f, s->t, 0, bad == NO_NUMBER ? 0 : bad);
  note_size(p, &k, s->y);
  set_units(p, &k);
  for (int i = 0; i < N; i++) {
    double speed = fabs(i < p->pairs ? s->y[p->pairs + i] : k.rate[i - p->pairs]), size = k.most[i] + atol_of(p, i)/p->rtol;
    way = fmax(way, speed/(0.01*size));
  }
  /* what takes so long to move is at rest, and nothing says how long that will last */
  const double now = fmax(1, fabs(s->t));
  double h = way*now > 1e-6 ? 1/way : 1e-3*now;
  x[NEXT] = first > 0 ? first : h;
  if (first > 0) return 0;
  for (int i = 0; i < p->pairs; i++) d->predicted[i] = s->y[i] + sign*h*s->y[p->pairs + i];
  for (int i = 0; i < p->D; i++) d->predicted[p->pairs + i] = s->y[p->pairs + i] + sign*h*k.rate[i];
  bad = finite_rate(f, s->t + sign*h, epi_phase_at(f->sys, s->t, s->theta, sign*h), d->predicted, d->rate);
  if (bad < 0) return bad;
  if (bad) { epi_clear_error(f); x[NEXT] = 1e-3*h; return 0; }
  double bend = apart(p, d->rate, k.rate)/h;
  if (bend > 0) x[NEXT] = fmin(h, sqrt(0.02/bend));
  return 0;
}

/* ---- between ---- */
/* from the state before the last step over h, which ends inside it */
static int part(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  const adams *p = f->own;
  const room *d = &p->room;
  double *x = epi_own_extra(f);
  const memory k = memory_of(p, x);
  int m = (int)x[POINTS];
  weight w[MOST_ORDER + 1];
  (void)end;
  integrate(m, k.place, x[STEP], h/x[STEP], w);
  add_up(p, &k, m, w);
  correct(p, s->y, h, k.lead, w[m].once, w[m].twice, d->predicted);
  memcpy(s->y, d->predicted, (size_t)epi_dim(f->sys)*sizeof *s->y);
  put_right(f->sys, s->y, d->room);
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
  epi_refuse(f, !(v[RTOL].number >= 1e-15 && v[RTOL].number < 1), "adams: rtol is %g: take a number from 1e-15 to 1", v[RTOL].number);
  epi_refuse(f, atol->n && atol->n != N, "adams: atol has %d entries and the state %d: give one number, or one for each", atol->n, N);
  for (int i = 0; i < (atol->n ? atol->n : 1); i++) {
    double x = atol->n ? atol->list[i] : atol->number;
    epi_refuse(f, !(x > 0 && isfinite(x)), "adams: atol must be positive; one is %g", x);
  }
  epi_refuse(f, !(v[ORDER].number >= 2 && v[ORDER].number <= MOST_ORDER), "adams: order is %g: take 2 to %d", v[ORDER].number, MOST_ORDER);
  epi_refuse(f, !(v[FIRST].number >= 0 && v[LONGEST].number >= 0),
             "adams: first and longest are lengths of steps: they cannot be negative");
}

static void build(epi_flow *f)
{
  epi_system *m = f->sys;
  const epi_value *v = f->arg;
  int N = epi_dim(m), n = epi_nv(m);
  check(f);
  adams *p = f->own = f->broken ? NULL : calloc(1, sizeof *p);
  if (f->broken || epi_refuse(f, !p, "out of memory")) return;
  *p = (adams){.own = {.begin = begin, .whole = whole, .part = part, .unsound = unsound_extras, .onward = 1}, .order = (int)v[ORDER].number,
               .rtol = v[RTOL].number, .longest = v[LONGEST].number, .most = v[MOST].number,
               .atol = &f->arg[ATOL]};
  p->pairs = m->retract || m->speed || epi_all_rate(m) ? 0 : n;
  p->D = N - p->pairs;
  p->P = (p->D + LANES - 1)/LANES*LANES;
  for (int j = 0; j <= MOST_ORDER; j++) {
    p->same[j][0] = pow(0.9/1.15, 2*(j + 1));
    p->same[j][1] = pow(0.9/0.95, 2*(j + 1));
  }
  f->claims |= EPI_EXPLICIT | EPI_BACKWARD;
  if (epi_own_build(f, extras(p), 6L*p->P + 4L*N + (m->retract ? 2L*n + 3*m->nq : 0))) return;
  if (m->derived) m->derived->rtol = p->rtol;
  room *d = &p->room;
  d->rate = epi_own_work(f);
  d->head = d->rate + p->P;
  d->once = d->head + p->P;
  d->twice = d->once + p->P;
  d->per_once = d->twice + p->P;
  d->per_twice = d->per_once + p->P;
  d->predicted = d->per_twice + p->P;
  d->sized = d->predicted + N;
  d->on = d->sized + N;
  d->room = d->on + 2*N;
  /* no state is so small */
  for (int i = 0; i < N; i++) d->sized[i] = -1;
}

static const epi_param params[] = {
  [RTOL] = {.name = "rtol", .value = 1e-6, .doc = "allowed error of a step relative to the largest that each component has been"},
  [ATOL] = {.name = "atol", .value = 1e-9, .doc = "allowed error of a step where a component is small: a number, or one for each [..]",
            .kind = EPI_LIST},
  [ORDER] = {.name = "order", .value = MOST_ORDER, .kind = EPI_COUNT, .doc = "largest number of points, 2 to 12"},
  [FIRST] = {.name = "first", .value = 0, .doc = "first step; found unless given"},
  [LONGEST] = {.name = "longest", .value = 0, .doc = "longest step; unless given, less than half a turn of a fast phase"},
  [MOST] = {.name = "most", .value = 0, .doc = "steps of a run, at most; any number unless given", .kind = EPI_COUNT},
  {0}
};
const epi_record epi_ADAMS = {
  .name = "adams", .doc = "Adams method of variable step and order, which integrates positions twice and asks for one or two forces a step",
  .cite = "Krogh, Lect. Notes Math. 362 (1974) 22; Hairer, Norsett & Wanner, Solving ODEs I, III.5, III.10",
  .example = "adams(model, rtol=1e-8)",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .params = params, .claims = EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK, .build = build,
};
