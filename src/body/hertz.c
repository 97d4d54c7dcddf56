/* hertz.c - stiffness of a point contact from curvatures and material: the elliptic integrals, or Brewe & Hamrock's fits to them */
#include "parts.h"

/* complete elliptic integrals of m by the arithmetic-geometric mean */
static void complete(double m, double *K, double *E)
{
  double a = 1, b = sqrt(1 - m), c = sqrt(m), sum = c*c/2, two = 1;
  for (int i = 0; i < 40 && fabs(c) > 1e-17*a; i++) {
    double next = 0.5*(a + b);
    c = 0.5*(a - b);
    b = sqrt(a*b);
    a = next;
    sum += two*c*c;
    two *= 2;
  }
  *K = EPI_PI/(2*a);
  *E = *K*(1 - sum);
}

/* Rx/Ry = (E - F/k^2)... : the ellipticity k >= 1 with Ry/Rx = (k^2 E - F)/(F - E), by bisection */
static void by_integrals(double ratio, epi_hertz *h)
{
  double low = 1 + 1e-9, high = 1e6, K = 0, E = 0;
  for (int i = 0; i < 200; i++) {
    double k = sqrt(low*high);
    complete(1 - 1/(k*k), &K, &E);
    double r = (k*k*E - K)/(K - E);
    if (r < ratio) low = k;
    else high = k;
    h->k = k;
  }
  h->E = E;
  h->F = K;
}

/* Brewe & Hamrock, J. Lubrication Technol. 99 (1977) 485 */
static void by_fit(double ratio, epi_hertz *h)
{
  h->k = 1.0339*pow(ratio, 0.636);
  h->E = 1.0003 + 0.5968/ratio;
  h->F = 1.5277 + 0.6023*log(ratio);
}

/* circles are closed form, K = 2/3 E' sqrt(Rx): the fit is for ellipses. The ellipse lies across the flatter plane */
epi_hertz epi_hertz_of(double Rx, double Ry, double modulus, int by)
{
  const double circle = 1 + 1e-7, line = 1e10;
  epi_hertz h = {.k = 1, .E = EPI_PI/2, .F = EPI_PI/2};
  double R = 1/(1/Rx + 1/Ry), ratio = fmax(Ry/Rx, Rx/Ry);
  if (!(Rx > 0 && Ry > 0 && ratio < line)) return (epi_hertz){0};
  if (ratio > circle) (by == EPI_ELLIPTIC ? by_integrals : by_fit)(ratio, &h);
  h.K = EPI_PI*h.k*modulus*sqrt(h.E*R/(4.5*h.F*h.F*h.F));
  h.ellipse = cbrt(6*h.k*h.k*h.E*R*h.K/(EPI_PI*modulus));
  if (Rx > Ry) { h.ellipse /= h.k; h.k = 1/h.k; }
  return h;
}
