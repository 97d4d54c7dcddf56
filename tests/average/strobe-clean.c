/* holds: strobe at very short periods is limited by rounding as stated, and bounded variables cure it
 * strobe-clean.c - very short periods: what rounding leaves of a difference quotient, and the cure: variables whose rate stays
 * bounded, and micro runs in differences from the slow state. The same recipe in long double is the reference */
#include "epicycle.h"
#include "test.h"
#include <float.h>

#define PI 3.14159265358979323846264338327950288L
typedef long double real;

static const double g = 9.8, l = 0.2, vmax = 4, theta0 = 2, q0 = 0.25;
enum { STEPS = 127, MICRO = 20 };
static const double H = (double)(PI/400);

/* ---- the pendulum in slow variables: V = q' - A sin(theta) sin(q), A = vmax/l; no term grows with w ---- */
static int slow_rate(epi_system *m, double t, const double *y, double *dy)
{
  double a = vmax/l*sin(m->phase.phase_rate*t), s = sin(y[0]);
  dy[0] = y[1] + a*s;
  dy[1] = g/l*s - a*cos(y[0])*dy[0];
  return 0;
}
static int slow_slope(epi_system *m, double t, const double *y, double x, double b, double *A)
{
  (void)b;
  double a = vmax/l*sin(m->phase.phase_rate*t), s = sin(y[0]), c = cos(y[0]);
  A[0] = x*a*c;
  A[1] = x;
  A[2] = x*(g/l*c + a*s*(y[1] + a*s) - a*a*c*c);
  A[3] = -x*a*c;
  return 0;
}
static double share(double q) { return vmax/l*sin(theta0)*sin(q); }
static epi_system cured(double w)
{
  return (epi_system){.nz = 2, .rate = slow_rate, .jacobian.slope = slow_slope, .phase = {.phase_rate = w, .theta0 = theta0}};
}

/* ---- rk4(strobe(substeps(rk4, 20), order=4)) once more, in long double; periods and rates in units of tau = w t ---- */
typedef void rhs(real w, real theta, const real *y, real *dy);

static void plain(real w, real theta, const real *y, real *dy)
{
  dy[0] = y[1]/w;
  dy[1] = ((real)g/w + vmax*cosl(theta))/(real)l*sinl(y[0]);
}
static void bounded(real w, real theta, const real *y, real *dy)
{
  real a = vmax/(real)l*sinl(theta), s = sinl(y[0]), V = y[1] + a*s;
  dy[0] = V/w;
  dy[1] = ((real)g/(real)l*s - a*cosl(y[0])*V)/w;
}

static void add(real *out, const real *y, real h, const real *k) { for (int i = 0; i < 2; i++) out[i] = y[i] + h*k[i]; }

/* z: what y has moved away from Y, so that the sum keeps its digits */
static void micro_step(rhs *f, real w, real tau, real h, const real *Y, real *z)
{
  real k[4][2] = {{0}}, x[2], y[2];
  static const real c[] = {0, 0.5L, 0.5L, 1}, b[] = {1/6.0L, 1/3.0L, 1/3.0L, 1/6.0L};
  for (int i = 0; i < 4; i++) {
    add(x, z, i ? c[i]*h : 0, k[i ? i - 1 : 0]);
    add(y, Y, 1, x);
    f(w, theta0 + tau + c[i]*h, y, k[i]);
  }
  for (int i = 0; i < 4; i++) add(z, z, h*b[i], k[i]);
}

static void slow(rhs *f, real w, const real *Y, real *F)
{
  F[0] = F[1] = 0;
  for (int d = 1; d >= -1; d -= 2) {
    real z[2] = {0, 0}, h = d*2*PI/MICRO;
    for (int n = 1; n <= 2*MICRO; n++) {
      micro_step(f, w, (n - 1)*h, h, Y, z);
      if (n % MICRO == 0) add(F, F, d*(n == MICRO ? 8 : -1)*w/(24*PI), z);
    }
  }
}

static void macro_step(rhs *f, real w, real *Y)
{
  real k[4][2] = {{0}}, x[2], y[2] = {Y[0], Y[1]};
  static const real c[] = {0, 0.5L, 0.5L, 1}, b[] = {1/6.0L, 1/3.0L, 1/3.0L, 1/6.0L};
  for (int i = 0; i < 4; i++) {
    add(x, Y, i ? c[i]*H : 0, k[i ? i - 1 : 0]);
    slow(f, w, x, k[i]);
    add(y, y, b[i]*H, k[i]);
  }
  memcpy(Y, y, sizeof y);
}

/* largest |double - long double| of the two variables over the run */
static void rounding(epi_flow *F, epi_state s, rhs *f, double w, double *off)
{
  real Y[2] = {s.y[0], s.y[1]};
  off[0] = off[1] = 0;
  for (int k = 0; k < STEPS; k++) {
    if (epi_advance(F, &s, H, 1)) test_stop(epi_error(F));
    macro_step(f, w, Y);
    for (int i = 0; i < 2; i++) off[i] = fmax(off[i], (double)fabsl(s.y[i] - Y[i]));
  }
}

static void rounded(double w, double most_plain, double most_clean)
{
  char text[96];
  double off[2];
  snprintf(text, sizeof text, "inverted-pendulum(w=%.17g, theta0=2, q0=0.25)", w);
  epi_case *c = epi_case_make(text);
  epi_flow *f = epi_case_flow(c, "rk4(strobe(substeps(rk4, 20), order=4))");
  rounding(f, epi_case_state(c), plain, w, off);
  check_below(off[0], most_plain);
  epi_free(f);
  epi_case_free(c);

  epi_system m = cured(w);
  for (int clean = 0; clean < 2; clean++) {
    double y[] = {q0, -share(q0)};
    f = epi_make(clean ? "rk4(strobe(substeps(rk4, 20), order=4, clean=1))" : "rk4(strobe(substeps(rk4, 20), order=4))", &m);
    rounding(f, (epi_state){.y = y}, bounded, w, off);
    /* good variables alone do not help: the quotient of differences is still rounded at y/T */
    if (clean) check_below(off[0], most_clean), check_below(off[1], 10*most_clean);
    else check_above(off[0], 100*most_clean);
    epi_free(f);
  }
}

/* the cured system is the same pendulum: exact stroboscopic values at w = 3200, with micro flows of several kinds */
static void same_pendulum(void)
{
  static const struct { const char *flow; double tol; } row[] = {
    {"dop853(strobe(substeps(dop853, 24), order=8, clean=1))", 1e-13},
    {"dop853(strobe(tolerance(dopri5, rtol=1e-11), order=8, clean=1))", 2e-12},
    {"dop853(strobe(substeps(gauss(stages=3), 40), order=8, clean=1))", 2e-12}, {"rk4(strobe(substeps(rk4, 40), order=1, clean=1))", 0.1},
  };
  epi_system m = cured(3200);
  for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
    double y[] = {q0, -share(q0)};
    epi_state s = {.y = y};
    epi_flow *f = epi_make(row[i].flow, &m);
    if (epi_advance(f, &s, (double)(7*PI/25/128), 128)) test_stop(epi_error(f));
    check_abs(y[0], 0.05055050816310531, row[i].tol);
    check_abs(y[1] + share(y[0]), 6.29467939817588170, 20*row[i].tol);
    epi_free(f);
  }
}

/* the model may be used by others meanwhile, the text comes back, and a flow restarts with the same bits */
static void around(void)
{
  const char *text = "rk4(strobe(substeps(rk4, n=20), order=4, clean=1))";
  char back[120];
  epi_system m = cured(1e9), before = m;
  double y[2][2] = {{q0, -share(q0)}, {q0, -share(q0)}};
  epi_flow *f = epi_make(text, &m), *other;
  epi_text(f, back, sizeof back);
  check_text(back, text);
  check(!memcmp(&m, &before, sizeof m));
  check(!epi_advance(f, &(epi_state){.y = y[0]}, H, 10));
  other = epi_make(back, &m);
  epi_state s = {.y = y[1]};
  check(!epi_advance(other, &s, H, 4));
  FILE *file = tmpfile();
  check(file && !epi_save(other, &s, file));
  epi_free(other);
  other = epi_make(text, &m);
  rewind(file);
  y[1][0] = y[1][1] = 0;
  check(!epi_load(other, &s, file) && !epi_advance(other, &s, H, 6));
  check_bits(2, y[1], y[0]);
  fclose(file);
  epi_free(f);
  epi_free(other);
}

int main(void)
{
  same_pendulum();
  around();
  if (LDBL_MANT_DIG > DBL_MANT_DIG) {
    rounded(1e9, 2e-8, 1e-12);
    rounded(1e12, 5e-5, 1e-12);
  } else puts("long double is double here: rounding not measured");
  return test_done();
}
