/* spline.c - curves through points */
#include "spline.h"
#include <stdio.h>

enum { MOST = 2000, SAMPLES = 4 };

static double apart(const double *a, const double *b)
{
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(epi_dot(d, d));
}

static double around(const epi_spline *p, double s) { return p->closed ? s - p->length*floor(s/p->length) : s; }

void epi_spline_at(const epi_spline *p, double s, double c[4][3])
{
  s = around(p, s);
  int low = 0, high = p->n - 1;
  while (high - low > 1) {
    int mid = (low + high)/2;
    if (p->s[mid] < s) low = mid;
    else high = mid;
  }
  double h = p->s[low + 1] - p->s[low], a = (s - p->s[low])/h, b = 1 - a;
  for (int i = 0; i < 3; i++) {
    double x0 = p->x[3*low + i], x1 = p->x[3*low + 3 + i], m0 = p->bend[3*low + i], m1 = p->bend[3*low + 3 + i];
    c[0][i] = b*x0 + a*x1 + h*h/6*((b*b*b - b)*m0 + (a*a*a - a)*m1);
    c[1][i] = (x1 - x0)/h + h/6*((1 - 3*b*b)*m0 + (3*a*a - 1)*m1);
    c[2][i] = b*m0 + a*m1;
    c[3][i] = (m1 - m0)/h;
  }
}

/* ---- the foot of a point ---- */
static double distance(const epi_spline *p, double s, const double *x)
{
  double c[4][3];
  epi_spline_at(p, s, c);
  return apart(c[0], x);
}

int epi_spline_foot(const epi_spline *p, const double *x, double *foot)
{
  int best = 0, knots = p->n - p->closed;
  for (int i = 1; i < knots; i++) if (apart(p->x + 3*i, x) < apart(p->x + 3*best, x)) best = i;
  double s = p->s[best], least = apart(p->x + 3*best, x);
  /* between its neighbours, in small steps, and from there by Newton's method */
  for (int side = -1; side <= 1; side += 2) {
    int next = best + side;
    if (!p->closed && (next < 0 || next >= p->n)) continue;
    double from = p->s[best], to = next < 0 ? p->s[p->n - 2] - p->length : p->s[next];
    for (int k = 1; k <= 2*SAMPLES; k++) {
      double at = from + (to - from)*k/(2*SAMPLES), far = distance(p, at, x);
      if (far < least) { least = far; s = at; }
    }
  }
  double reach = p->length/p->n;
  for (int k = 0; k < 50; k++) {
    double c[4][3], w[3];
    epi_spline_at(p, s, c);
    for (int i = 0; i < 3; i++) w[i] = x[i] - c[0][i];
    double slope = epi_dot(c[1], c[1]) - epi_dot(c[2], w), step = epi_dot(c[1], w)/(slope > 0 ? slope : epi_dot(c[1], c[1]));
    step = fmax(-reach, fmin(reach, step));
    s += step;
    if (fabs(step) < 1e-15*p->length) break;
  }
  *foot = around(p, s);
  return !p->closed && (s < -1e-9*p->length || s > (1 + 1e-9)*p->length);
}

/* ---- making ---- */
/* (h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1])/6 = differences of slopes: of a closed curve round and round, of an open one with
   m = 0 at its ends. The band by elimination; what closes it by a second right side (Sherman and Morrison) */
static void bend_open(epi_spline *p, double *u)
{
  int n = p->n;
  for (int c = 0; c < 3; c++) {
    double *x = p->x + c, *m = p->bend + c;
    m[0] = u[0] = 0;
    for (int i = 1; i + 1 < n; i++) {
      double h = p->s[i] - p->s[i-1], k = p->s[i+1] - p->s[i], sig = h/(h + k), d = sig*m[3*(i-1)] + 2;
      m[3*i] = (sig - 1)/d;
      u[i] = (6*((x[3*(i+1)] - x[3*i])/k - (x[3*i] - x[3*(i-1)])/h)/(h + k) - sig*u[i-1])/d;
    }
    m[3*(n-1)] = 0;
    for (int i = n - 2; i >= 0; i--) m[3*i] = i ? m[3*i]*m[3*(i+1)] + u[i] : 0;
  }
}

static void bend_closed(epi_spline *p, double *room)
{
  int n = p->n - 1;
  double *d = room, *r = d + n, *z = r + n;
  const double *s = p->s, *x = p->x;
  for (int c = 0; c < 3; c++) {
    double last = s[n] - s[n-1], gamma = -2*(last + s[1] - s[0]);
    for (int i = 0; i < n; i++) {
      double h = i ? s[i] - s[i-1] : last, k = s[i+1] - s[i];
      const double *before = x + 3*(i ? i - 1 : n - 1), *next = x + 3*(i + 1);
      d[i] = 2*(h + k);
      r[i] = 6*((next[c] - x[3*i + c])/k - (x[3*i + c] - before[c])/h);
      z[i] = 0;
    }
    d[0] -= gamma;
    d[n-1] -= last*last/gamma;
    z[0] = gamma;
    z[n-1] = last;
    for (int i = 1; i < n; i++) {
      double h = s[i] - s[i-1], f = h/d[i-1];
      d[i] -= f*h;
      r[i] -= f*r[i-1];
      z[i] -= f*z[i-1];
    }
    for (int i = n - 1; i >= 0; i--) {
      double h = i + 1 < n ? s[i+1] - s[i] : 0;
      r[i] = (r[i] - (i + 1 < n ? h*r[i+1] : 0))/d[i];
      z[i] = (z[i] - (i + 1 < n ? h*z[i+1] : 0))/d[i];
    }
    double f = (r[0] + last*r[n-1]/gamma)/(1 + z[0] + last*z[n-1]/gamma);
    for (int i = 0; i < n; i++) p->bend[3*i + c] = r[i] - f*z[i];
    p->bend[3*n + c] = p->bend[c];
  }
}

/* how near the curve comes to running along a direction: the sine of the angle between them */
static double clear_of(const epi_spline *p, const double *e)
{
  double least = 1;
  for (int i = 0; i + 1 < p->n; i++)
    for (int k = 0; k < SAMPLES; k++) {
      double c[4][3], across[3];
      epi_spline_at(p, p->s[i] + (p->s[i+1] - p->s[i])*k/SAMPLES, c);
      epi_vector_cross(c[1], e, across);
      least = fmin(least, sqrt(epi_dot(across, across)/epi_dot(c[1], c[1])));
    }
  return least;
}

static double find_side(epi_spline *p)
{
  enum { TRIES = 150 };
  double most = -1;
  for (int i = 0; i < TRIES + 3; i++) {
    double z = 1 - (i - 3 + 0.5)/TRIES, around_z = 2.399963229728653*(i - 3), r = sqrt(fmax(0, 1 - z*z));
    double e[3] = {r*cos(around_z), r*sin(around_z), z};
    /* z, x and y first: of a curve in a plane that is best */
    if (i < 3) for (int k = 0; k < 3; k++) e[k] = k == (i + 2) % 3;
    double now = clear_of(p, e);
    if (!(now > 1.0000001*most)) continue;
    most = now;
    memcpy(p->side, e, sizeof e);
    if (most > 0.999999) break;
  }
  return most;
}

/* how near two parts come that are farther apart along the curve than they are across */
static double clearance(const epi_spline *p)
{
  double least = HUGE_VAL;
  int knots = p->n - p->closed;
  for (int i = 0; i < knots; i++)
    for (int k = i + 2; k < knots; k++) {
      double way = fabs(p->s[k] - p->s[i]), far = apart(p->x + 3*i, p->x + 3*k);
      if (p->closed) way = fmin(way, p->length - way);
      if (far < 0.3*way) least = fmin(least, far);
    }
  return least;
}

static int wrong(const double *points, int n, int closed, char *words, size_t size)
{
  if (!points || n < (closed ? 4 : 3))
    return snprintf(words, size, "has a curve of %d points: give at least %d%s", points ? n : 0, closed ? 4 : 3,
                    closed ? ", the first not again at the end" : ", or hold x and y for a straight line"), 1;
  if (n > MOST) return snprintf(words, size, "has a curve of %d points: give at most %d", n, MOST), 1;
  for (int i = 0; i < 3*n; i++)
    if (!isfinite(points[i])) return snprintf(words, size, "has a point of its curve that is not a number: give finite ones"), 1;
  for (int i = 0; i + 1 < n + (closed != 0); i++)
    if (!(apart(points + 3*i, points + 3*((i + 1) % n)) > 0))
      return snprintf(words, size, "has a curve with points %d and %d in one place: take one of them away", i + 1, (i + 1) % n + 1), 1;
  return 0;
}

epi_spline *epi_spline_make(const double *points, int n, int closed, char *words, size_t size)
{
  *words = 0;
  if (wrong(points, n, closed, words, size)) return NULL;
  int knots = n + (closed != 0);
  epi_spline *p = malloc(sizeof *p + 7*(size_t)knots*sizeof(double));
  double *room = malloc(3*(size_t)knots*sizeof *room);
  if (!p || !room) { free(p); free(room); return NULL; }
  *p = (epi_spline){.n = knots, .closed = closed != 0, .s = p->room, .x = p->room + knots, .bend = p->room + 4*knots};
  p->s[0] = 0;
  for (int i = 0; i < knots; i++) {
    memcpy(p->x + 3*i, points + 3*(i % n), 3*sizeof *points);
    if (i) p->s[i] = p->s[i-1] + apart(p->x + 3*i, p->x + 3*(i-1));
  }
  p->length = p->s[knots - 1];
  if (closed) bend_closed(p, room);
  else bend_open(p, room);
  free(room);
  double near = clearance(p);
  if (near < 0.01*p->length)
    snprintf(words, size, "has a curve that comes within %.3g m of itself, so nobody knows on which part its point is: keep its parts "
             "apart", near);
  else if (find_side(p) < 0.05) snprintf(words, size, "has a curve that runs in all directions of space: take two joints for two halves");
  if (!*words) return p;
  free(p);
  return NULL;
}
