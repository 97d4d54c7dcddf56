/* orbit_ours.c - the flows of this library on the orbit, each in one call over the whole span */
#include "epicycle.h"
#include "orbit.h"
#include <string.h>

static int run(const char *flow, double h, double *t, double *y, long *calls)
{
  epi_case *c = epi_case_make("kepler(e=0.8)");
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = epi_run(f, &s, ORBIT_END, h);
  *t = s.t;
  memcpy(y, s.y, 4*sizeof *y);
  if (calls) *calls = epi_calls(f);
  epi_free(f);
  epi_case_free(c);
  return bad;
}

/* the time of the logarithmic Hamiltonian is the eccentric anomaly: one period is 2 pi */
static int scaled(double n, double *t, double *y, long *calls)
{
  char flow[96];
  snprintf(flow, sizeof flow, "scaled(symmetric(strang(drift, kick), order=8), eps=%.17g)", ORBIT_YEAR/n);
  return run(flow, ORBIT_END, t, y, calls);
}

/* Sofroniou & Spaletta, Optim. Methods Softw. 20 (2005) 597: a palindrome of 35 leaps of order 10 */
static const double TEN[18] = {
  0.07879572252168641926, 0.31309610341510852776, 0.02791838323507806611, -0.22959284159390709415, 0.13096206107716486317,
  -0.26973340565451071434, 0.07497334315589143567, 0.11199342399981020489, 0.36613344954622675119, -0.39910563013603589788,
  0.10308739852747107732, 0.41143087395589023782, -0.00486636058313526176, -0.39203335370863990645, 0.05194250296244964704,
  0.05066509075992449634, 0.04967437063972987905, 0.04931773575959453792,
};

static int tenth(double n, double *t, double *y, long *calls)
{
  char flow[1200];
  int k = snprintf(flow, sizeof flow, "scaled(compose(strang(drift, kick), order=10, weights=[");
  for (int i = 0; i < 35; i++) k += snprintf(flow + k, sizeof flow - (size_t)k, "%s%.17g", i ? ", " : "", TEN[i < 34 - i ? i : 34 - i]);
  snprintf(flow + k, sizeof flow - (size_t)k, "]), eps=%.17g)", ORBIT_YEAR/n);
  return run(flow, ORBIT_END, t, y, calls);
}

/* one period in the time of the model's objective, r^(-3/2), is 4 K(2e/(1 + e))/sqrt(1 + e) */
static int density(double n, double *t, double *y, long *calls)
{
  char flow[96];
  snprintf(flow, sizeof flow, "density(symmetric(verlet, order=8), eps=%.17g)", 7.53890477291071/n);
  return run(flow, ORBIT_END, t, y, calls);
}

static int symmetric(double n, double *t, double *y, long *calls) { return run("symmetric(verlet, order=8)", ORBIT_YEAR/n, t, y, calls); }

#define EIGHTH_OF_OCTAVE 1.0905077326652577
#define HALF_OCTAVE 1.4142135623730951
const orbit_code orbit_scaled = {
  .name = "scaled(symmetric(strang(drift, kick), order=8))", .first = 8*HALF_OCTAVE, .last = 64, .factor = EIGHTH_OF_OCTAVE, .run = scaled,
};
const orbit_code orbit_tenth = {
  .name = "scaled(compose(strang(drift, kick), order=10))", .first = 4*HALF_OCTAVE, .last = 16*HALF_OCTAVE, .factor = EIGHTH_OF_OCTAVE,
  .run = tenth,
};
const orbit_code orbit_density = {
  .name = "density(symmetric(verlet, order=8))", .first = 16*HALF_OCTAVE, .last = 128, .factor = EIGHTH_OF_OCTAVE, .run = density,
};
const orbit_code orbit_symmetric = {.name = "symmetric(verlet, order=8)", .first = 250, .last = 1000, .factor = HALF_OCTAVE,
                                    .run = symmetric};
