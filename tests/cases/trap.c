/* trap.c - two ions in a linear Paul trap: x,y confined by RF, z static, Coulomb repulsion, optional cooling drag */
#include <epicycle.h>
#include <math.h>
enum { OM, WS, WZ, K, G };
static const epi_param PARAMS[] = {[OM] = {.name = "Omega", .unit = "rad/s", .value = 1000, .doc = "RF drive"},
                                   [WS] = {.name = "ws", .unit = "rad/s", .value = 1, .doc = "secular frequency without z"},
                                   [WZ] = {.name = "wz", .unit = "rad/s", .value = 0.5, .doc = "static axial"},
                                   [K] = {.name = "k", .value = 1, .doc = "Coulomb"},
                                   [G] = {.name = "gamma", .unit = "1/s", .value = 0, .doc = "cooling"},
                                   {0}};
static const char *const NAMES[] = {"x1", "y1", "z1", "x2", "y2", "z2", "vx1", "vy1", "vz1", "vx2", "vy2", "vz2"};
static int forced(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double A = sqrt(2) * p[OM] * p[WS] * cos(th), r[3], d2 = 0; /* Om^2 q/2 = sqrt2 Om ws */
  for (int i = 0; i < 3; i++) {
    r[i] = q[i] - q[3 + i];
    d2 += r[i] * r[i];
  }
  double c = p[K] / (d2 * sqrt(d2));
  for (int b = 0; b < 2; b++) {
    const double *x = q + 3 * b;
    double *g = f + 3 * b;
    g[0] = (p[WZ] * p[WZ] / 2 - A) * x[0];
    g[1] = (p[WZ] * p[WZ] / 2 + A) * x[1];
    g[2] = -p[WZ] * p[WZ] * x[2];
  }
  for (int i = 0; i < 3; i++) {
    f[i] += c * r[i];
    f[3 + i] -= c * r[i];
  }
  return 0;
}
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t;
  (void)q;
  const double *p = s->data;
  for (int i = 0; i < 6; i++) f[i] -= p[G] * v[i];
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 6, .phase = {.forced = forced, .phase_rate = c->p[OM]}, .names = NAMES, .data = c->p};
  if (c->p[G] != 0) c->system.velocity_force = velocity_force;
  if (epi_case_start(c)) return -1;
  double y[12] = {1, 0.3, 1.2, -0.8, 0.1, -1.1, 0, 0.2, 0, 0, 0, 0.1};
  for (int i = 0; i < 12; i++) c->y[i] = y[i];
  return 0;
}
EPI_MODEL = {
  .name = "trap", .doc = "two ions in a linear Paul trap", .params = PARAMS, .make = make, .flow = "verlet", .step = 1e-4, .end = 20};
