/* averages.h - what the tests of averages share: one slow force, the vibrated pendulum in closed form, filtered truths */
#ifndef AVERAGES_H
#define AVERAGES_H
#include "epicycle.h"
#include "test.h"

#define PI 3.14159265358979323846

/* the pendulum of the papers: l = 0.2, g = 9.8, vmax = 4 */
static const double X = 4/0.2, G = 9.8/0.2;
static inline double slow_pendulum(double q) { return G*sin(q) - X*X/2*sin(q)*cos(q); }
static inline double slow_pendulum_slope(double q) { return G*cos(q) - X*X/2*cos(2*q); }

/* the acceleration of a slow system at (t, q, v) through the public header alone: one step of length 1 of explicit Euler.
   average is the text of an hmm; y holds q and v, a gets nv numbers */
static inline int slow_force(const char *average, const epi_name *names, double t, int n, const double *y, double *a)
{
  char text[512];
  double x[16];
  snprintf(text, sizeof text, "euler(%s)", average);
  memcpy(x, y, 2*(size_t)n*sizeof *x);
  epi_state s = {.t = t, .y = x};
  epi_flow *f = epi_make_named(text, names);
  int bad = epi_advance(f, &s, 1, 1);
  if (bad) printf("  %s: %s\n", text, epi_error(f));
  for (int i = 0; i < n; i++) a[i] = bad ? NAN : x[n + i] - y[n + i];
  epi_free(f);
  return bad;
}

/* the same for a model by name, at rest unless v is given */
static inline double force_of(const char *model, const char *average, double t, double q, double v)
{
  epi_case *c = epi_case_make(model);
  double a = NAN, y[2] = {q, v};
  slow_force(average, c->parts, t, 1, y, &a);
  epi_case_free(c);
  return a;
}

/* runs a model and gives its state at the end; 0 on success */
static inline int run_model(const char *model, const char *flow, double end, double h, double *y)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int n = epi_size(&c->system), bad = epi_run(f, &s, end, h);
  if (bad) printf("  %s of %s: %s\n", flow, model, epi_error(f));
  for (int i = 0; i < n; i++) y[i] = bad ? NAN : s.y[i];
  epi_free(f);
  epi_case_free(c);
  return bad;
}

/* ---- the slow truth: a resolved run, filtered by a Kaiser window whose second moment vanishes, of shape 24 where nothing is said ---- */
static inline double bessel_i0(double x)
{
  double sum = 1, term = 1;
  for (int k = 1; k < 200; k++) sum += term *= x*x/(4.0*k*k);
  return sum;
}

/* w[0..m] for k = -m..m, of sum 1 */
static inline void filter_weights(double shape, int m, double *w)
{
  double M[3] = {0}, total = 0;
  for (int k = 0; k <= m; k++) {
    double x2 = (double)k*k/((double)m*m);
    w[k] = bessel_i0(shape*sqrt(1 - x2));
    for (int j = 1; j <= 2; j++) M[j] += 2*w[k]*pow(x2, j);
  }
  for (int k = 0; k <= m; k++) {
    w[k] *= 1 - M[1]/M[2]*(double)k*k/((double)m*m);
    total += k ? 2*w[k] : w[k];
  }
  for (int k = 0; k <= m; k++) w[k] /= total;
}

/* the filtered state around (t, theta, y), by m steps of h to either side */
static inline int filtered_by(double shape, epi_flow *f, epi_state at, int n, int m, double h, double *mean)
{
  double *w = malloc(((size_t)m + 1)*sizeof *w), y[16];
  int bad = !w;
  if (w) filter_weights(shape, m, w);
  for (int i = 0; w && i < n; i++) mean[i] = w[0]*at.y[i];
  for (int sign = -1; w && sign <= 1; sign += 2) {
    memcpy(y, at.y, (size_t)n*sizeof *y);
    epi_state s = {.t = at.t, .theta = at.theta, .y = y};
    for (int k = 1; k <= m && !bad; k++) {
      bad = epi_advance(f, &s, sign*h, 1);
      for (int i = 0; i < n; i++) mean[i] += w[k]*y[i];
    }
  }
  free(w);
  return bad;
}
static inline int filtered(epi_flow *f, epi_state at, int n, int m, double h, double *mean)
{
  return filtered_by(24, f, at, n, m, h, mean);
}
#endif
