/* nam-weights.c - weights of Numerov's formula for positions and of Adams' for velocities, on steps of any length. L_j are the polynomials
 * of Lagrange on the places of the last accelerations, in units of the step:
 *   at = L_j(1), mean = integral of L_j over the step, rate = L_j'(0), beta = integral of prod (s - s_j)/(1 - s_j) */
#include "nam.h"

static void two(double r, epi_nam_weights *w)
{
  w->at[0] = 1 + 1/r, w->at[1] = -1/r;
  w->mean[0] = 1 + 1/(2*r), w->mean[1] = -1/(2*r);
  w->rate[0] = 1/r, w->rate[1] = -1/r;
  w->beta = (2 + 3*r)/(6*(1 + r));
}

static void three(double r1, double r2, epi_nam_weights *w)
{
  const double s[3] = {0, -r1, -r2};
  for (int j = 0; j < 3; j++) {
    double p = s[(j + 1)%3], q = s[(j + 2)%3], d = (s[j] - p)*(s[j] - q);
    w->at[j] = (1 - p)*(1 - q)/d;
    w->mean[j] = (1./3 - 0.5*(p + q) + p*q)/d;
    w->rate[j] = -(p + q)/d;
  }
  w->beta = (0.25 - (s[1] + s[2])/3 + 0.5*s[1]*s[2])/((1 - s[1])*(1 - s[2]));
}

/* positions: h^2 (q0 a + q1 a^p + (h/12) a') before D; of one acceleration, as if it changed linearly to the end */
epi_nam_weights epi_nam_weights_of(int m, double h, double h1, double h2)
{
  epi_nam_weights w = {.m = m, .q = {5./12, 1./12}, .gamma = 1./12};
  if (m == 1) return (epi_nam_weights){.m = 1, .at = {1}, .mean = {1}, .q = {1./3, 1./6}, .beta = 0.5, .gamma = 1./6};
  if (m == 2) two(h1/h, &w);
  else three(h1/h, (h1 + h2)/h, &w);
  return w;
}
