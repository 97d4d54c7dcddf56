/* mode-shape.c - the shapes of the modes of a body where something touches it: of a ring that bends in its plane by formula, of points by
 * the nearest one, or by a periodic cubic spline round z */
#include "flex.h"

/* ---- at a place ---- */
/* w = sum (e_c cos na + e_s sin na), and along the circle, without stretch, u = sum (-e_c sin na + e_s cos na)/n; n = 2, 3, ... */
static void of_ring(const double er[2], epi_bent *x, double (*d)[3], double (*dd)[3])
{
  double c = er[0], s = er[1];
  for (int i = 0; i < x->modes; i++) {
    int n = 2 + i/2;
    if (i % 2 == 0) {
      double next = c*er[0] - s*er[1];
      s = s*er[0] + c*er[1];
      c = next;
    }
    double r = i % 2 ? s : c, t = i % 2 ? c : -s;
    x->phi[i][0] = r, x->phi[i][1] = t/n, x->phi[i][2] = 0;
    d[i][0] = n*t, d[i][2] = 0;
    dd[i][0] = -(double)n*n*r;
  }
}

static void of_spline(const epi_flex_end *f, const double er[2], epi_bent *x, double (*d)[3], double (*dd)[3])
{
  double a = atan2(er[1], er[0]);
  int low = 0, high = f->knots;
  /* the last interval goes over the end of the turn */
  if (a < f->angle[0]) a += 2*EPI_PI;
  while (high - low > 1) {
    int mid = (low + high)/2;
    if (f->angle[mid] <= a) low = mid;
    else high = mid;
  }
  double h = f->angle[low + 1] - f->angle[low], B = (a - f->angle[low])/h, A = 1 - B;
  const double *y0 = f->value + 3L*low*f->modes, *y1 = f->value + 3L*((low + 1) % f->knots)*f->modes;
  const double *m0 = f->bend + (y0 - f->value), *m1 = f->bend + (y1 - f->value);
  for (int i = 0; i < x->modes; i++)
    for (int k = 0; k < 3; k++) {
      int j = 3*i + k;
      x->phi[i][k] = A*y0[j] + B*y1[j] + ((A*A*A - A)*m0[j] + (B*B*B - B)*m1[j])*h*h/6;
      d[i][k] = (y1[j] - y0[j])/h + ((3*B*B - 1)*m1[j] - (3*A*A - 1)*m0[j])*h/6;
      dd[i][k] = A*m0[j] + B*m1[j];
    }
}

void epi_bent_at(const epi_flex_end *f, const double er[2], const double *e, const double *de, epi_bent *x)
{
  double d[EPI_MOST_MODES][3], dd[EPI_MOST_MODES][3];
  x->modes = f->modes;
  x->curve = x->slope[0] = x->slope[1] = 0;
  for (int k = 0; k < 3; k++) x->way[k] = x->rate[k] = 0;
  if (!f->runs) memcpy(x->phi, f->phi, (size_t)f->modes*sizeof *x->phi);
  else if (f->knots) of_spline(f, er, x, d, dd);
  else of_ring(er, x, d, dd);
  for (int i = 0; i < f->modes; i++) {
    for (int k = 0; k < 3; k++) {
      x->way[k] += e ? e[i]*x->phi[i][k] : 0;
      x->rate[k] += de ? de[i]*x->phi[i][k] : 0;
    }
    if (!f->runs || !e) continue;
    x->slope[0] += e[i]*d[i][0];
    x->slope[1] += e[i]*d[i][2];
    x->curve += e[i]*dd[i][0];
  }
}

/* ---- a place that stays ---- */
static double apart(const double *a, const double *b) { return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]); }

static double *room(epi_world *w, size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  if (!x) epi_world_no_memory(w);
  return x;
}

/* in the middle of a body nothing bends: what acts there acts on its frame */
int epi_flex_stays(epi_world *w, const epi_pair *c, int body, const double at[3], epi_flex_end *f)
{
  const epi_member *m = &w->body[body];
  const epi_mode_shapes *s = &m->shapes;
  double rho = hypot(at[0], at[1]), far = 0;
  int best = 0;
  if (s->ring ? rho == 0 : rho == 0 && at[2] == 0) return 0;
  for (int i = 0; i < s->points; i++) {
    far = fmax(far, apart(s->at + 3*i, (const double[3]){0}));
    if (apart(s->at + 3*i, at) < apart(s->at + 3*best, at)) best = i;
  }
  if (!s->ring && apart(s->at + 3*best, at) > 0.05*far)
    return epi_world_wrong(w, "%s acts on %s at (%g, %g, %g), %.2g m from the nearest point where its modes have shapes: give shapes there",
                           c->name, m->name, at[0], at[1], at[2], apart(s->at + 3*best, at));
  if (!(f->phi = room(w, 3*(size_t)m->modes))) return -1;
  f->modes = m->modes;
  if (!s->ring) { memcpy(f->phi, s->shape + 3L*best*m->modes, 3*(size_t)m->modes*sizeof *f->phi); return 0; }
  epi_bent x;
  const double er[] = {at[0]/rho, at[1]/rho};
  epi_bent_at(&(epi_flex_end){.modes = m->modes, .runs = 1}, er, NULL, NULL, &x);
  for (int i = 0; i < m->modes; i++) {
    f->phi[3*i] = x.phi[i][0]*er[0] - x.phi[i][1]*er[1];
    f->phi[3*i + 1] = x.phi[i][0]*er[1] + x.phi[i][1]*er[0];
  }
  return 0;
}

/* ---- round z ---- */
typedef struct { double angle; int point; } knot;
static int by_angle(const void *a, const void *b)
{
  double x = ((const knot *)a)->angle, y = ((const knot *)b)->angle;
  return (x > y) - (x < y);
}

static double off_circle(const double *p, double radius, double z) { return hypot(hypot(p[0], p[1]) - radius, p[2] - z); }

/* the points nearest to the circle, by their angles; how many, or -1 */
static int gather(epi_world *w, const epi_pair *c, const epi_member *m, double radius, double z, knot *k)
{
  const epi_mode_shapes *s = &m->shapes;
  double near = HUGE_VAL, gap = 0;
  int n = 0;
  for (int i = 0; i < s->points; i++) near = fmin(near, off_circle(s->at + 3*i, radius, z));
  for (int i = 0; i < s->points; i++) {
    const double *p = s->at + 3*i;
    if (off_circle(p, radius, z) <= near + 1e-3*radius) k[n++] = (knot){atan2(p[1], p[0]), i};
  }
  if (!(near <= 0.25*radius))
    return epi_world_wrong(w, "the modes of %s do not match it: %s touches it at the radius %g and z = %g, and the nearest points of their "
                           "shapes are %.2g m from there: give shapes at points of that circle", m->name, c->name, radius, z, near);
  qsort(k, (size_t)n, sizeof *k, by_angle);
  for (int i = 0; i < n; i++) {
    double to = i + 1 < n ? k[i + 1].angle : k[0].angle + 2*EPI_PI;
    gap = fmax(gap, to - k[i].angle);
    if (n > 1 && to - k[i].angle < 1e-6)
      return epi_world_wrong(w, "the modes of %s have two points at the same angle, %.6g degrees, where %s touches it: give one of them",
                             m->name, k[i].angle*180/EPI_PI, c->name);
  }
  if (gap > EPI_PI/4)
    return epi_world_wrong(w, "points are missing in the modes of %s: where %s runs round it, %.3g degrees have none: give one every 45 "
                           "degrees or closer", m->name, c->name, gap*180/EPI_PI);
  return n;
}

/* second derivatives of the periodic spline, by sweeps of Gauss and Seidel: the matrix has twice the size on its diagonal */
static void find_bend(epi_flex_end *f)
{
  int n = f->knots, wide = 3*f->modes;
  for (int sweep = 0; sweep < 60; sweep++)
    for (int i = 0; i < n; i++) {
      int before = (i + n - 1) % n, after = (i + 1) % n;
      double h0 = i ? f->angle[i] - f->angle[i - 1] : f->angle[n] - f->angle[n - 1], h1 = f->angle[i + 1] - f->angle[i];
      const double *y0 = f->value + (long)wide*before, *y = f->value + (long)wide*i, *y1 = f->value + (long)wide*after;
      const double *m0 = f->bend + (long)wide*before, *m1 = f->bend + (long)wide*after;
      double *m = f->bend + (long)wide*i;
      for (int k = 0; k < wide; k++)
        m[k] = (6*((y1[k] - y[k])/h1 - (y[k] - y0[k])/h0) - h0*m0[k] - h1*m1[k])/(2*(h0 + h1));
    }
}

static int thread(epi_world *w, const epi_member *m, const knot *k, int n, epi_flex_end *f)
{
  size_t wide = 3*(size_t)m->modes, each = (size_t)n*wide;
  if (!(f->angle = room(w, (size_t)n + 1 + 2*each))) return -1;
  f->value = f->angle + n + 1;
  f->bend = f->value + each;
  f->knots = n;
  for (int i = 0; i < n; i++) {
    const double *p = m->shapes.at + 3*k[i].point, rho = hypot(p[0], p[1]), *from = m->shapes.shape + wide*(size_t)k[i].point;
    double *to = f->value + wide*(size_t)i;
    f->angle[i] = k[i].angle;
    for (int j = 0; j < m->modes; j++, from += 3, to += 3) {
      to[0] = (from[0]*p[0] + from[1]*p[1])/rho;
      to[1] = (from[1]*p[0] - from[0]*p[1])/rho;
      to[2] = from[2];
    }
  }
  f->angle[n] = f->angle[0] + 2*EPI_PI;
  find_bend(f);
  /* between knots it is above both by a little */
  for (size_t i = 0; i < each; i += 3) f->most = fmax(f->most, 2*fabs(f->value[i]));
  return 0;
}

int epi_flex_runs(epi_world *w, const epi_pair *c, int body, double radius, double z, epi_flex_end *f)
{
  const epi_member *m = &w->body[body];
  f->modes = m->modes;
  f->runs = 1;
  f->most = m->shapes.ring;
  if (m->shapes.ring) return 0;
  knot *k = malloc(((size_t)m->shapes.points + 1)*sizeof *k);
  if (!k) return epi_world_no_memory(w);
  int n = gather(w, c, m, radius, z, k), bad = n < 0 ? -1 : thread(w, m, k, n, f);
  free(k);
  return bad;
}
