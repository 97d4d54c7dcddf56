/* problem.c - the pendulum on a vibrating support, the Kepler orbit, and two chains */
#include "bench.h"
#include <math.h>

/* inverted pendulum, support velocity vmax sin(w t): l q'' = (g + vmax w cos(w t)) sin q */
static int pendulum_force(epi_system *s, double t, const double *q, double *f)
{
  const double g = 9.8, l = 0.2, vmax = 4, w = 1e3;
  (void)s;
  f[0] = (g + vmax*w*cos(w*t))/l*sin(q[0]);
  return 0;
}

static void pendulum_start(double *y)
{
  y[0] = 0.2;
  y[1] = 0;
}

static int kepler_force(epi_system *s, double t, const double *q, double *f)
{
  double r2 = q[0]*q[0] + q[1]*q[1], c = -1/(r2*sqrt(r2));
  (void)s, (void)t;
  f[0] = c*q[0];
  f[1] = c*q[1];
  return 0;
}

/* at perihelion, eccentricity 0.3 */
static void kepler_start(double *y)
{
  const double e = 0.3;
  y[0] = 1 - e;
  y[1] = 0;
  y[2] = 0;
  y[3] = sqrt((1 + e)/(1 - e));
}

/* four unit masses in the plane, hung one on another from the origin by springs of length 1 */
static int springs_force(epi_system *s, double t, const double *q, double *f)
{
  static const double w[4] = {1, 200, 1, 200};
  double x = 0, y = 0;
  (void)s, (void)t;
  for (int i = 0; i < 4; i++) {
    double dx = q[2*i] - x, dy = q[2*i + 1] - y, r = sqrt(dx*dx + dy*dy), c = -w[i]*w[i]*(r - 1)/r;
    f[2*i] = c*dx;
    f[2*i + 1] = c*dy;
    if (i) f[2*i - 2] -= c*dx, f[2*i - 1] -= c*dy;
    x = q[2*i];
    y = q[2*i + 1];
  }
  return 0;
}

static void springs_start(double *y)
{
  static const double at[16] = {1, 0, 1, 1, 2, 1, 2, 2, 0, 0, 0, 0.5, 0, 0, 1, 0.5};
  for (int i = 0; i < 16; i++) y[i] = at[i];
}

/* unit masses on a line, springs with force r + r^3 between them, the last one to a wall */
static int chain_force(epi_system *s, double t, const double *q, double *f)
{
  int n = s->nq;
  double left = 0;
  (void)t;
  for (int i = 0; i < n; i++) {
    double r = i + 1 < n ? q[i + 1] - q[i] : -q[i];
    r += r*r*r;
    f[i] = r - left;
    left = r;
  }
  return 0;
}

static void chain_start(double *y)
{
  for (int i = 0; i < 100; i++) {
    y[i] = 0.1*sin(i + 1);
    y[100 + i] = 0;
  }
}

static const bench_problem pendulum = {
  .name = "pendulum", .sys = {.nq = 1, .force = pendulum_force}, .start = pendulum_start,
  .h = 1e-4, .steps = 20000, .span = 0.1, .check = {[2] = 1000, [4] = 500, [8] = 72},
};
static const bench_problem kepler = {
  .name = "kepler", .sys = {.nq = 2, .force = kepler_force}, .start = kepler_start,
  .h = 0.005, .steps = 20000, .span = 6, .check = {[2] = 2000, [4] = 500, [8] = 20},
};
static const bench_problem springs = {
  .name = "springs", .sys = {.nq = 8, .force = springs_force}, .start = springs_start,
  .h = 2.5e-4, .steps = 20000, .span = 0.25, .check = {[2] = 2000, [4] = 500, [8] = 47},
};
static const bench_problem chain = {
  .name = "chain", .sys = {.nq = 100, .force = chain_force}, .start = chain_start,
  .h = 0.01, .steps = 4000, .span = 4, .check = {[2] = 400, [4] = 100, [8] = 10},
};
const bench_problem *const bench_problems[] = {&pendulum, &kepler, &springs, &chain, NULL};
