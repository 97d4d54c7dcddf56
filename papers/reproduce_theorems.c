/* reproduce_theorems.c - what the theorems of the semi-explicit paper say of stability, by steps of the library: one oscillator
 * q'' = -(kA + kB) q - (cA + cB) q' with everything times h^2 and h, so that steps have length 1, and what such a step makes of it */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double k, c; } spring;
typedef struct { double alpha, beta; spring A, B; } linear;

static int pull(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  f[0] = -((const spring *)s->data)->k*q[0];
  return 0;
}

static int damp(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)q;
  f[0] -= ((const spring *)s->data)->c*v[0];
  return 0;
}

static int pull_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const spring *p = s->data;
  (void)t, (void)y;
  A[0] = -a*p->k - b*p->c;
  return 0;
}

/* the larger eigenvalue, by size, of what one step does to (q, q'); NaN where the step cannot be taken */
static double radius_by(const char *flow, linear l)
{
  epi_system a = {.nq = 1, .force = pull, .velocity_force = damp, .jacobian.slope = pull_slope, .data = &l.A}, b = a;
  b.data = &l.B;
  epi_name names[] = {{.name = "model", .system = &b}, {.name = "a", .system = &a}, {.name = "b", .system = &b}, {0}};
  epi_flow *f = epi_make_named(flow, names);
  double M[2][2];
  int bad = epi_error(f) != NULL;
  for (int k = 0; k < 2 && !bad; k++) {
    double y[2] = {!k, k};
    epi_state s = {.y = y};
    bad = epi_advance(f, &s, 1, 1);
    M[0][k] = y[0];
    M[1][k] = y[1];
  }
  epi_free(f);
  if (bad) return NAN;
  double trace = M[0][0] + M[1][1], det = M[0][0]*M[1][1] - M[0][1]*M[1][0], x = trace*trace/4 - det;
  return x < 0 ? sqrt(det) : fabs(trace)/2 + sqrt(x);
}

static double radius(const linear *l)
{
  char flow[96];
  snprintf(flow, sizeof flow, "semi(a, b, alpha=%.17g, beta=%.17g)", l->alpha, l->beta);
  return radius_by(flow, *l);
}

/* how far inside the triangle of Theorem 3; negative outside */
static double inside(const linear *l)
{
  return fmin(l->A.k, fmin(2 - l->alpha*l->A.k - l->A.c, l->A.c - (0.5 - l->alpha)*l->A.k));
}

/* equal numbers for every machine */
static double draw(unsigned long long *x)
{
  *x = *x*6364136223846793005ull + 1442695040888963407ull;
  return (double)(*x >> 11)/9007199254740992.0;
}

enum { SAMPLES = 1000000 };

/* samples that grow inside the triangle or do not outside; a step that cannot be taken counts as one */
static double theorem_3(void)
{
  unsigned long long x = 3;
  long wrong = 0;
  for (long n = 0; n < SAMPLES; n++) {
    linear l = {.alpha = draw(&x), .A = {.k = -1 + 7*draw(&x), .c = 0}};
    l.A.c = -2.5 + 5*draw(&x);
    double m = inside(&l), r = radius(&l);
    if (fabs(m) > 1e-12) wrong += m > 0 ? !(r <= 1 + 1e-9) : !(r >= 1 - 1e-9);
  }
  return (double)wrong;
}

static double any(unsigned long long *x) { double u = draw(x); return u < 0.1 ? 0 : pow(10, -4 + 12*draw(x)); }

/* samples with A inside its triangle and any B that grow */
static double theorem_6(double least)
{
  unsigned long long x = 6;
  long wrong = 0;
  for (long n = 0; n < SAMPLES; ) {
    linear l = {.alpha = draw(&x)};
    l.beta = least + (1 - least)*draw(&x);
    l.A.k = 4*draw(&x);
    l.A.c = -2 + 4*draw(&x);
    if (inside(&l) < 0) continue;
    l.B.k = any(&x);
    l.B.c = any(&x);
    wrong += !(radius(&l) <= 1 + 1e-9);
    n++;
  }
  return (double)wrong;
}
static double any_beta_above_half(void) { return theorem_6(0.5); }
static double beta_below_half(void) { return theorem_6(0.4); }

/* B alone, undamped and very stiff: what is left of an oscillation after a step; of the theta method (1 - beta)/beta */
static double stiff_radius(void) { return radius(&(linear){.beta = 0.8, .B = {3948, 0}}); }
static double damped_radius(void) { return radius(&(linear){.beta = 0.8, .B = {3948, 3948*0.1}}); }
static double theta_radius(void) { return radius_by("theta(theta=0.8)", (linear){.B = {1e14, 0}}); }

/* the left side of (ii) in the proof of Theorem 6 at A = 0, kB = 0: from cB = 0 to hcB = 1. Falling would be negative */
static double proof(void) { return (2*1.0)/(2 + 2*0.8*1.0) - 0; }

/* the frequencies of 6.1: q'' = -K q with K from the forces of the model, the slow one */
static double slow_frequency(void)
{
  epi_case *c = epi_case_make("two-oscillators");
  double K[2][2], f[2] = {0}, trace, det;
  int bad = !c || c->error[0];
  for (int k = 0; k < 2 && !bad; k++) {
    bad = c->system.force(&c->system, 0, (const double[]){!k, k}, f);
    K[0][k] = -f[0];
    K[1][k] = -f[1];
  }
  epi_case_free(c);
  if (bad) return NAN;
  trace = K[0][0] + K[1][1];
  det = K[0][0]*K[1][1] - K[0][1]*K[1][0];
  return sqrt(trace/2 - sqrt(trace*trace/4 - det))/(2*3.14159265358979323846);
}

/* by: what computes it; NULL: the formula alone */
static const value_by_name VALUES[] = {
  {"theorem 3", theorem_3, "one step of semi(a, b, alpha=...) on each of a million linear oscillators"},
  {"theorem 6", any_beta_above_half, "one step of semi(a, b, alpha=..., beta=...) on each of a million linear oscillators"},
  {"theorem 6, beta from 0.4", beta_below_half, "one step of semi(a, b, alpha=..., beta=...) on each of a million linear oscillators"},
  {"proof of theorem 6", proof, NULL},
  {"stiff radius", stiff_radius, "one step of semi(a, b, alpha=0, beta=0.8) on a linear oscillator"},
  {"damped radius", damped_radius, "one step of semi(a, b, alpha=0, beta=0.8) on a linear oscillator"},
  {"theta radius", theta_radius, "one step of theta(theta=0.8) on a linear oscillator, h^2 kB = 1e14"},
  {"slow frequency", slow_frequency, "the forces of two-oscillators"},
  {0}
};

int theorem_value(const char *name, double *value, const char **by) { return named_value(VALUES, name, value, by); }
