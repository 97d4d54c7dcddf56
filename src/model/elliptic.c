/* elliptic.c - elliptic functions by the arithmetic-geometric mean
 * Abramowitz & Stegun, Handbook of Mathematical Functions, 16.4 and 17.6. The complementary modulus kc is given, not k:
 * near the separatrix of a pendulum 1 - k^2 is the number that is known well. */
#include "model.h"

enum { DEEP = 40 };

/* a[0..n], c[0..n]/a[0..n] of the mean of 1 and kc; n */
static int mean(double kc, double *a, double *ratio)
{
  double b = kc;
  int n = 0;
  a[0] = 1;
  ratio[0] = sqrt((1 - kc)*(1 + kc));
  while (n < DEEP && fabs(ratio[n]) > 1e-17) {
    double c = (a[n] - b)/2, next = (a[n] + b)/2;
    b = sqrt(a[n]*b);
    a[++n] = next;
    ratio[n] = c/next;
  }
  return n;
}

double epi_amplitude(double u, double kc)
{
  double a[DEEP + 1], ratio[DEEP + 1];
  int n = mean(kc, a, ratio);
  double phi = ldexp(a[n]*u, n);
  for (; n > 0; n--) phi = (phi + asin(ratio[n]*sin(phi)))/2;
  return phi;
}

double epi_legendre(double phi, double kc)
{
  double a = 1, b = kc;
  int n = 0;
  while (n < DEEP && a - b > 1e-17*a) {
    /* the branch of atan(b/a tan phi) that stays in the half turn of phi */
    double turn = EPI_PI*round(phi/EPI_PI), next = (a + b)/2;
    phi += turn + atan(b/a*tan(phi - turn));
    b = sqrt(a*b);
    a = next;
    n++;
  }
  return ldexp(phi/a, -n);
}
