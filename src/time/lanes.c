/* lanes.c - what a step of adams does to every component, in as few passes over them as can be */
#include "lanes.h"

enum { LANES = EPI_LANES, NEXT = EPI_POINTS*LANES };

/* ---- what the points say ---- */
/* so far, of two components; up: the next divided difference that ends in the newest */
typedef struct { epi_two value, once, twice, up; } sums;

static inline void add_point(sums *a, epi_weight w, epi_two at)
{
  a->value += w.value*at;
  a->once += w.once*at;
  a->twice += w.twice*at;
}

static inline void add_renewed(sums *a, epi_weight w, const double *old, double *dd)
{
  const epi_two was = epi_two_at(old), at = a->up;
  add_point(a, w, at);
  epi_put_two(dd, at);
  a->up = (at - was)*w.by;
}

static inline void put_sums(epi_lanes d, int i, sums a)
{
  epi_put_two(d.head + i, a.value);
  epi_put_two(d.once + i, a.once);
  epi_put_two(d.twice + i, a.twice);
}

static inline void predict(epi_lanes d, int i, int left, const double *y, double h, epi_two twice)
{
  epi_put_lanes(d.predicted + i, left, epi_lanes_at(y + i, left) + (h*epi_lanes_at(y + d.pairs + i, left) + twice));
}
static inline void predict_once(epi_lanes d, int i, int left, const double *y, epi_two once)
{
  epi_put_lanes(d.predicted + d.pairs + i, left, epi_lanes_at(y + d.pairs + i, left) + once);
}
static inline void predict_all(epi_lanes d, int i, const double *y, double h, epi_two once, epi_two twice)
{
  if (i + 1 < d.pairs) predict(d, i, 2, y, h, twice);
  else if (i < d.pairs) predict(d, i, 1, y, h, twice);
  if (i + 1 < d.D) predict_once(d, i, 2, y, once);
  else predict_once(d, i, 1, y, once);
}

void epi_lanes_say(const epi_lanes *p, int m, const epi_weight *w, const double *dd)
{
  const epi_lanes d = *p;
  for (int i = 0; i < d.P; i += LANES, dd += NEXT) {
    sums a = {0};
    for (int j = 0; j < m; j++) add_point(&a, w[j], epi_two_at(dd + j*LANES));
    put_sums(d, i, a);
  }
}

void epi_lanes_predict(const epi_lanes *p, const double *y, double h)
{
  const epi_lanes d = *p;
  for (int i = 0; i < d.D; i += LANES) predict_all(d, i, y, h, epi_two_at(d.once + i), epi_two_at(d.twice + i));
}

/* four components at a time, for what is around them costs as much as they do */
void epi_lanes_renew(const epi_lanes *p, int m, const epi_weight *w, const epi_known *was, double *dd, const double *y, double h)
{
  const epi_lanes d = *p;
  const double *rate = was->rate, *old = was->dd;
  int i = 0;
  for (; i + LANES < d.P; i += 2*LANES, old += 2*NEXT, dd += 2*NEXT) {
    sums a = {.up = epi_two_at(rate + i)}, b = {.up = epi_two_at(rate + i + LANES)};
    for (long j = 0; j < m; j++) {
      const epi_weight of = w[j];
      add_renewed(&a, of, old + j*LANES, dd + j*LANES);
      add_renewed(&b, of, old + NEXT + j*LANES, dd + NEXT + j*LANES);
    }
    put_sums(d, i, a);
    put_sums(d, i + LANES, b);
    predict_all(d, i, y, h, a.once, a.twice);
    predict_all(d, i + LANES, y, h, b.once, b.twice);
  }
  if (i >= d.P) return;
  sums a = {.up = epi_two_at(rate + i)};
  for (long j = 0; j < m; j++) add_renewed(&a, w[j], old + j*LANES, dd + j*LANES);
  put_sums(d, i, a);
  predict_all(d, i, y, h, a.once, a.twice);
}

/* ---- what the rate says of them ---- */
double epi_lanes_differ(const epi_lanes *p, int m, epi_stride *a, const double *dd, double *lower)
{
  const epi_lanes d = *p;
  const epi_two e = a->w[m-1].value;
  epi_two nothing = {0}, once = {0}, twice = {0}, lower_once = {0}, lower_twice = {0};
  dd += (m - 1)*LANES;
  for (long i = 0; i < d.P; i += LANES, dd += NEXT) {
    const epi_two per_once = epi_two_at(d.per_once + i), per_twice = epi_two_at(d.per_twice + i);
    const epi_two more = epi_two_at(d.rate + i) - epi_two_at(d.head + i), off = epi_two_size(more);
    const epi_two less = epi_two_size(more + e*epi_two_at(dd));
    once = epi_two_larger(off*per_once, once);
    twice = epi_two_larger(off*per_twice, twice);
    lower_once = epi_two_larger(less*per_once, lower_once);
    lower_twice = epi_two_larger(less*per_twice, lower_twice);
    nothing += 0*off;
  }
  const epi_point_gap *with = epi_stride_gap(a, m), *without = m > 1 ? epi_stride_gap(a, m - 1) : with;
  *lower = epi_lane(epi_two_larger(lower_once*without->once, lower_twice*without->twice));
  return (nothing[0] + nothing[1]) + epi_lane(epi_two_larger(once*with->once, twice*with->twice));
}

double epi_lanes_drop(const epi_lanes *p, int m, epi_stride *a, const double *dd)
{
  const epi_lanes d = *p;
  const epi_weight w = a->w[m];
  const epi_two e = a->w[m-1].value;
  epi_two lower_once = {0}, lower_twice = {0};
  dd += (m - 1)*LANES;
  for (long i = 0; i < d.P; i += LANES, dd += NEXT) {
    const epi_two last = epi_two_at(dd + LANES), head = epi_two_at(d.head + i) - w.value*last;
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
static inline epi_two put_end(const ends *e, long i, int left, epi_two to, epi_two further)
{
  epi_put_lanes(e->out + i, left, to);
  epi_put_lanes(e->most + i, left, epi_two_larger(epi_two_size(to), epi_lanes_at(e->was + i, left)));
  return epi_two_larger(epi_two_size(to - epi_lanes_at(e->from + i, left))*epi_two_at(e->per + i), further);
}

double epi_lanes_correct(const epi_lanes *p, const epi_weight *w, double by, const double *y, double h, const epi_known *was,
                         const epi_known *now, double *out)
{
  const epi_lanes d = *p;
  const long n = d.pairs;
  const ends q = {.y = y, .was = was->most, .from = d.predicted, .per = d.per_twice, .out = out, .most = now->most};
  const ends v = {.y = y + n, .was = was->most + n, .from = d.predicted + n, .per = d.per_once, .out = out + n, .most = now->most + n};
  const epi_two once = w->once, twice = w->twice;
  double *lead = now->lead;
  epi_two far = {0};
  for (long i = 0; i < d.D; i += LANES) {
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

void epi_lanes_most(const epi_lanes *p, const double *y, const double *was, double *most)
{
  const int N = p->pairs + p->D;
  for (int i = 0; i < N; i += LANES) {
    const int left = N - i;
    epi_put_lanes(most + i, left, epi_two_larger(epi_two_size(epi_lanes_at(y + i, left)), epi_lanes_at(was + i, left)));
  }
}
