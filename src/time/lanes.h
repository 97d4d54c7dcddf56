/* lanes.h - what a step of adams does to every component of a motion, two of them at a time. It is written into the step itself, and where
 * how many there are is known there, as for a few, nothing is counted */
#ifndef EPI_LANES_H
#define EPI_LANES_H
#include "points.h"

enum { EPI_LANES = 2, EPI_NEXT_LANES = EPI_POINTS*EPI_LANES };                /* one epi_two; from the differences of one to the next */

/* pairs: positions that have a velocity of their own, and are integrated twice; D: all that are integrated once, behind them; P: as many
   with those that fill the last lanes. Rates at the predictor and what the points say of them, their integral and that of this; one over
   what the integrals may be off by, and the integrals of these, 0 where there is none; the predictor */
typedef struct {
  int pairs, D, P;
  double *rate, *head, *once, *twice, *per_once, *per_twice, *predicted;
} epi_lanes;
/* what is known of a motion: where its last points are; divided differences there, of EPI_LANES components for one point after the other;
   what the corrector has more; rates at the state; the largest state so far */
typedef struct { double *place, *dd, *lead, *rate, *most; } epi_known;

/* what m points say, and no predictor yet */
EPI_INSIDE void epi_lanes_say(const epi_lanes *, int m, const epi_weight *, const double *dd);
/* the predictor from y, after that */
EPI_INSIDE void epi_lanes_predict(const epi_lanes *, const double *y, double h);
/* the largest of a state and of what was so far */
EPI_INSIDE void epi_lanes_most(const epi_lanes *, const double *y, const double *was, double *most);

/* the larger of both lanes */
static inline double epi_lane(epi_two x) { return epi_two_larger(x, (epi_two){x[1], x[1]})[0]; }

/* where all that stands, from the rates on */
EPI_INLINED epi_lanes epi_lanes_at_room(double *room, int pairs, int D)
{
  const int P = (D + EPI_LANES - 1)/EPI_LANES*EPI_LANES;
  return (epi_lanes){.pairs = pairs, .D = D, .P = P, .rate = room, .head = room + P, .once = room + 2L*P, .twice = room + 3L*P,
                     .per_once = room + 4L*P, .per_twice = room + 5L*P, .predicted = room + 6L*P};
}

/* ---- what the points say ---- */
/* so far, of two components; up: the next divided difference that ends in the newest */
typedef struct { epi_two value, once, twice, up; } sums;

EPI_INLINED void add_point(sums *a, epi_weight w, epi_two at)
{
  a->value += w.value*at;
  a->once += w.once*at;
  a->twice += w.twice*at;
}

EPI_INLINED void add_renewed(sums *a, epi_weight w, const double *old, double *dd)
{
  const epi_two was = epi_two_at(old), at = a->up;
  add_point(a, w, at);
  epi_put_two(dd, at);
  a->up = (at - was)*w.by;
}

EPI_INLINED void put_sums(epi_lanes d, int i, sums a)
{
  epi_put_two(d.head + i, a.value);
  epi_put_two(d.once + i, a.once);
  epi_put_two(d.twice + i, a.twice);
}

EPI_INLINED void predict(epi_lanes d, int i, int left, const double *y, double h, epi_two twice)
{
  epi_put_lanes(d.predicted + i, left, epi_lanes_at(y + i, left) + (h*epi_lanes_at(y + d.pairs + i, left) + twice));
}
EPI_INLINED void predict_once(epi_lanes d, int i, int left, const double *y, epi_two once)
{
  epi_put_lanes(d.predicted + d.pairs + i, left, epi_lanes_at(y + d.pairs + i, left) + once);
}
EPI_INLINED void predict_all(epi_lanes d, int i, const double *y, double h, epi_two once, epi_two twice)
{
  if (i + 1 < d.pairs) predict(d, i, 2, y, h, twice);
  else if (i < d.pairs) predict(d, i, 1, y, h, twice);
  if (i + 1 < d.D) predict_once(d, i, 2, y, once);
  else predict_once(d, i, 1, y, once);
}

EPI_INLINED void add_four(sums *a, sums *b, epi_weight w, const double *old, double *dd)
{
  add_renewed(a, w, old, dd);
  add_renewed(b, w, old + EPI_NEXT_LANES, dd + EPI_NEXT_LANES);
}
/* what m points say and the predictor, where the rate at the state becomes the newest of them, and the others are seen from there. Four
   components at a time, for what is around them costs as much as they do */
EPI_INLINED void epi_lanes_renew(epi_lanes d, int m, const epi_weight *w, const epi_known *was, double *dd, const double *y, double h)
{
  const double *rate = was->rate, *old = was->dd;
  int i = 0;
  for (; i + EPI_LANES < d.P; i += 2*EPI_LANES, old += 2*EPI_NEXT_LANES, dd += 2*EPI_NEXT_LANES) {
    sums a = {.up = epi_two_at(rate + i)}, b = {.up = epi_two_at(rate + i + EPI_LANES)};
    for (long j = 0; j < m; j++) add_four(&a, &b, w[j], old + j*EPI_LANES, dd + j*EPI_LANES);
    put_sums(d, i, a);
    put_sums(d, i + EPI_LANES, b);
    predict_all(d, i, y, h, a.once, a.twice);
    predict_all(d, i + EPI_LANES, y, h, b.once, b.twice);
  }
  if (i >= d.P) return;
  sums a = {.up = epi_two_at(rate + i)};
  for (long j = 0; j < m; j++) add_renewed(&a, w[j], old + j*EPI_LANES, dd + j*EPI_LANES);
  put_sums(d, i, a);
  predict_all(d, i, y, h, a.once, a.twice);
}

/* ---- what the rate says of them ---- */
/* from what the rate is at the predictor beside what m points say: by how much the correctors with m and with one less are apart, in units
   of the tolerance; lower: for m - 1 and m - 2 */
EPI_INLINED double epi_lanes_differ(epi_lanes d, int m, epi_stride *a, const double *dd, double *lower)
{
  const epi_two e = a->w[m-1].value;
  epi_two nothing = {0}, once = {0}, twice = {0}, lower_once = {0}, lower_twice = {0};
  dd += (m - 1)*EPI_LANES;
  for (long i = 0; i < d.P; i += EPI_LANES, dd += EPI_NEXT_LANES) {
    const epi_two per_once = epi_two_at(d.per_once + i), per_twice = epi_two_at(d.per_twice + i);
    const epi_two more = epi_two_at(d.rate + i) - epi_two_at(d.head + i), off = epi_two_size(more);
    const epi_two less = epi_two_size(more + e*epi_two_at(dd));
    once = epi_two_larger(off*per_once, once);
    twice = epi_two_larger(off*per_twice, twice);
    lower_once = epi_two_larger(less*per_once, lower_once);
    lower_twice = epi_two_larger(less*per_twice, lower_twice);
    nothing += 0*off;
  }
  const epi_point_gap *with = epi_stride_gap_of_two(a, m), *without = m > 1 ? with - 1 : with;
  *lower = epi_lane(epi_two_larger(lower_once*without->once, lower_twice*without->twice));
  return (nothing[0] + nothing[1]) + epi_lane(epi_two_larger(once*with->once, twice*with->twice));
}

/* what the points say without the one behind the first m; by how much the correctors with m - 1 and m - 2 are apart then */
EPI_INLINED double epi_lanes_drop(epi_lanes d, int m, epi_stride *a, const double *dd)
{
  const epi_weight w = a->w[m];
  const epi_two e = a->w[m-1].value;
  epi_two lower_once = {0}, lower_twice = {0};
  dd += (m - 1)*EPI_LANES;
  for (long i = 0; i < d.P; i += EPI_LANES, dd += EPI_NEXT_LANES) {
    const epi_two last = epi_two_at(dd + EPI_LANES), head = epi_two_at(d.head + i) - w.value*last;
    const epi_two less = epi_two_size((epi_two_at(d.rate + i) - head) + e*epi_two_at(dd));
    epi_put_two(d.head + i, head);
    epi_put_two(d.once + i, epi_two_at(d.once + i) - w.once*last);
    epi_put_two(d.twice + i, epi_two_at(d.twice + i) - w.twice*last);
    lower_once = epi_two_larger(less*epi_two_at(d.per_once + i), lower_once);
    lower_twice = epi_two_larger(less*epi_two_at(d.per_twice + i), lower_twice);
  }
  const epi_point_gap *gap = epi_stride_gap(a, m - 1);
  return epi_lane(epi_two_larger(lower_once*gap->once, lower_twice*gap->twice));
}

/* ---- the corrector ---- */
/* where two components, or one, get to; further: how far that is from where they were predicted, if it is more than so far */
typedef struct { const double *y, *was, *from, *per; double *out, *most; } ends;
EPI_INLINED epi_two put_end(const ends *e, long i, int left, epi_two to, epi_two further)
{
  epi_put_lanes(e->out + i, left, to);
  epi_put_lanes(e->most + i, left, epi_two_larger(epi_two_size(to), epi_lanes_at(e->was + i, left)));
  return epi_two_larger(epi_two_size(to - epi_lanes_at(e->from + i, left))*epi_two_at(e->per + i), further);
}

/* out: y moved by the corrector, from what it has `by` times more of the rate, and the largest states; how far that is from the
   predictor, in units of the tolerance */
EPI_INLINED double epi_lanes_correct(epi_lanes d, const epi_weight *w, double by, const double *y, double h, const epi_known *was,
                                    const epi_known *now, double *out)
{
  const long n = d.pairs;
  const ends q = {.y = y, .was = was->most, .from = d.predicted, .per = d.per_twice, .out = out, .most = now->most};
  const ends v = {.y = y + n, .was = was->most + n, .from = d.predicted + n, .per = d.per_once, .out = out + n, .most = now->most + n};
  const epi_two once = w->once, twice = w->twice;
  double *lead = now->lead;
  epi_two far = {0};
  for (long i = 0; i < d.D; i += EPI_LANES) {
    const epi_two more = (epi_two_at(d.rate + i) - epi_two_at(d.head + i))*by;
    const epi_two all_once = epi_two_at(d.once + i) + once*more, all_twice = epi_two_at(d.twice + i) + twice*more;
    epi_put_two(lead + i, more);
    if (i + 1 < n) far = put_end(&q, i, 2, epi_two_at(q.y + i) + (h*epi_two_at(v.y + i) + all_twice), far);
    else if (i < n) far = put_end(&q, i, 1, epi_lanes_at(q.y + i, 1) + (h*epi_lanes_at(v.y + i, 1) + all_twice), far);
    if (i + 1 < d.D) far = put_end(&v, i, 2, epi_two_at(v.y + i) + all_once, far);
    else far = put_end(&v, i, 1, epi_lanes_at(v.y + i, 1) + all_once, far);
  }
  return epi_lane(far);
}
#endif
