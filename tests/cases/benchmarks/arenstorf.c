/* arenstorf.c - a satellite about earth and moon, restricted three bodies; closed after one period (Arenstorf 1963; Hairer, Norsett &
 * Wanner I, II.0) */
#include <epicycle.h>
#include <math.h>
enum { MU };
static const epi_param PARAMS[] = {[MU] = {.name = "mu", .value = 0.012277471, .doc = "mass of the moon"}, {0}};
static const char *const NAMES[] = {"x", "y", "vx", "vy"};
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  double m = *(double *)s->data, n = 1 - m, a = q[0] + m, b = q[0] - n, y2 = q[1] * q[1], A = a * a + y2, B = b * b + y2;
  A *= sqrt(A);
  B *= sqrt(B);
  f[0] = q[0] - n * a / A - m * b / B;
  f[1] = q[1] - n * q[1] / A - m * q[1] / B;
  return 0;
}
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s;
  (void)t;
  (void)q;
  f[0] += 2 * v[1];
  f[1] -= 2 * v[0];
  return 0;
}
static double jacobi(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  double m = c->p[MU], n = 1 - m;
  return (y[2] * y[2] + y[3] * y[3] - y[0] * y[0] - y[1] * y[1]) / 2 - n / hypot(y[0] + m, y[1]) - m / hypot(y[0] - n, y[1]);
}
static const epi_observable OBSERVABLES[] = {{.name = "jacobi", .value = jacobi, .invariant = 1}, {0}};
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 2, .force = force, .velocity_force = velocity_force, .names = NAMES, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.994;
  c->y[3] = -2.00158510637908252240537862224;
  return 0;
}
EPI_MODEL = {.name = "arenstorf",
             .doc = "closed orbit about earth and moon",
             .params = PARAMS,
             .make = make,
             .observables = OBSERVABLES,
             .flow = "tolerance(dop853, rtol=1e-12)",
             .step = 17.0652165601579625588917206249,
             .end = 17.0652165601579625588917206249};
