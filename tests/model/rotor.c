/* holds: a rotor on an uneven shaft has the frequencies and growth rates of its closed form
 * rotor.c - linear systems with periodic coefficients, A(t) and f(t): an uneven shaft. On axes that turn with it the coefficients stand
 * still, so frequencies and growth have closed forms: roots of (l^2 + w^2 + W^2)^2 = 4 w^2 W^2 + kappa^2 w^4; unstable for |W^2 - w^2| <
 * kappa w^2 */
#include "epicycle.h"
#include "test.h"
#include <complex.h>

/* l^2 of the slow pair, of the fast pair */
static void roots(double W, double kappa, double out[2])
{
  double d = sqrt(4*W*W + kappa*kappa);
  out[0] = d - 1 - W*W;
  out[1] = -d - 1 - W*W;
}

/* the map of the free motion over one turn of the shaft, by columns */
static void turn_of(const char *flow, double W, double kappa, long n, double A[16])
{
  for (int c = 0; c < 4; c++) {
    char text[96];
    snprintf(text, sizeof text, "rotor(Omega=%.17g, eps=0, kappa=%g)", W, kappa);
    epi_case *k = epi_case_make(text);
    epi_flow *f = epi_case_flow(k, flow);
    epi_state s = epi_case_state(k);
    for (int i = 0; i < 4; i++) s.y[i] = i == c;
    if (epi_advance(f, &s, 2*acos(-1)/W/(double)n, n)) test_stop(epi_error(f));
    for (int i = 0; i < 4; i++) A[i*4 + c] = s.y[i];
    epi_free(f);
    epi_case_free(k);
  }
}

/* the reciprocal polynomial m^4 - a m^3 + b m^2 - a m + 1 of a symplectic map has m + 1/m = z, z^2 - a z + b - 2 = 0 */
static void multipliers(const double A[16], double complex m[2], double *det)
{
  double a = 0, square = 0, B[16];
  for (int i = 0; i < 4; i++) {
    a += A[5*i];
    for (int j = 0; j < 4; j++) square += A[4*i + j]*A[4*j + i];
  }
  double b = (a*a - square)/2;
  double complex root = csqrt(a*a/4 - b + 2);
  for (int k = 0; k < 2; k++) {
    double complex z = a/2 + (k ? -root : root), x = z/2 + csqrt(z*z/4 - 1);
    m[k] = cabs(x) >= 1 ? x : 1/x;
  }
  memcpy(B, A, sizeof B);
  *det = 1;
  for (int k = 0; k < 4; k++) {
    int p = k;
    for (int i = k; i < 4; i++) if (fabs(B[4*i + k]) > fabs(B[4*p + k])) p = i;
    for (int j = 0; j < 4; j++) { double x = B[4*k + j]; B[4*k + j] = B[4*p + j]; B[4*p + j] = x; }
    *det *= p == k ? B[5*k] : -B[5*k];
    for (int i = k + 1; i < 4; i++) for (int j = 3; j >= k; j--) B[4*i + j] -= B[4*i + k]/B[5*k]*B[4*k + j];
  }
}

/* inside the unstable band the geometric methods grow as the shaft does, outside not at all */
static void growth(void)
{
  static const char *const geometric[] = {"verlet", "strang(drift, kick)", "midpoint", "symmetric(verlet, order=6)",
                                          "variational(0.3, symmetric=1)"};
  double pi = acos(-1), l[2];
  for (int i = 0; i < 5; i++) {
    double complex m[2];
    double h[3], e[3];
    for (int k = 0; k < 3; k++) {
      double A[16], det;
      long n = 20L << k;
      turn_of(geometric[i], 1.02, 0.2, n, A);
      multipliers(A, m, &det);
      check_rel(det, 1, 1e-12);
      roots(1.02, 0.2, l);
      check_above(l[0], 0.009);
      /* one turn multiplies by exp(sqrt(l2) T), and turns by one turn of the axes, which is none */
      double most = fmax(cabs(m[0]), cabs(m[1]));
      h[k] = 1.0/(double)n;
      e[k] = fabs(log(most)*1.02/(2*pi) - sqrt(l[0]));
    }
    if (!check_order(3, h, e, i == 3 ? 6 : 2, 0.4)) printf("  growth by %s\n", geometric[i]);
    /* away from the band */
    double A[16], det;
    turn_of(geometric[i], 1.3, 0.2, 40, A);
    multipliers(A, m, &det);
    check_abs(cabs(m[0]), 1, 1e-11);
    check_abs(cabs(m[1]), 1, 1e-11);
  }
  /* the others invent growth or decay */
  double A[16], det;
  turn_of("heun", 1.3, 0.2, 40, A);
  double complex m[2];
  multipliers(A, m, &det);
  check_above(fabs(det - 1), 1e-4);
}

/* the frequencies, by the angle of the multipliers: slow and fast pair */
static void frequencies(void)
{
  double pi = acos(-1), W = 1.3, l[2], h[3], e[3];
  roots(W, 0.2, l);
  for (int k = 0; k < 3; k++) {
    double A[16], det, want[2];
    double complex m[2];
    turn_of("verlet", W, 0.2, 40L << k, A);
    multipliers(A, m, &det);
    for (int i = 0; i < 2; i++) want[i] = fabs(remainder(sqrt(-l[i])*2*pi/W, 2*pi));
    double got[2] = {fabs(carg(m[0])), fabs(carg(m[1]))};
    double straight = fabs(got[0] - want[0]) + fabs(got[1] - want[1]), crossed = fabs(got[0] - want[1]) + fabs(got[1] - want[0]);
    h[k] = 1.0/(double)(40L << k);
    e[k] = fmin(straight, crossed);
  }
  check_order(3, h, e, 2, 0.1);
}

/* the closed solution, with the unbalance, against a tight run; even and uneven, stable and not */
static void exact(void)
{
  static const double kappas[] = {0.2, 0.05, -0.3}, speeds[] = {1.02, 1.3, -0.7};
  for (int i = 0; i < 3; i++) {
    char text[96];
    double y[4];
    snprintf(text, sizeof text, "rotor(Omega=%g, kappa=%g)", speeds[i], kappas[i]);
    epi_case *c = epi_case_make(text);
    epi_flow *f = epi_case_flow(c, "tolerance(dop853, rtol=1e-13, atol=1e-14)");
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 60, 60), 0);
    c->model->exact(c, 60, y);
    check_array(4, s.y, y, 1e-10);
    epi_free(f);
    epi_case_free(c);
  }
}

int main(void)
{
  growth();
  frequencies();
  exact();
  return test_done();
}
