/* fpu.c - Fermi-Pasta-Ulam-Tsingou, HLW I.5.1: m=3 stiff springs. q = [x0_1..3 | x1_1..3] */
#include <epicycle.h>
#include <math.h>
enum { W };
static const epi_param PARAMS[] = {[W] = {.name = "w", .unit = "rad/s", .value = 50, .doc = "stiff frequency"}, {0}};
static const char *const NAMES[] = {"s1", "s2", "s3", "f1", "f2", "f3", "vs1", "vs2", "vs3", "vf1", "vf2", "vf3"};
static double U(const double *q, double *g)
{
  double d[4], u = 0;
  for (int i = 0; i < 6; i++)
    if (g) g[i] = 0;
  d[0] = q[0] - q[3];
  d[3] = q[2] + q[5];
  for (int i = 0; i < 2; i++) d[1 + i] = q[i + 1] - q[i + 4] - q[i] - q[i + 3];
  for (int k = 0; k < 4; k++) u += d[k] * d[k] * d[k] * d[k] / 4;
  if (g) {
    double c[4];
    for (int k = 0; k < 4; k++) c[k] = d[k] * d[k] * d[k];
    g[0] += c[0];
    g[3] -= c[0];
    for (int i = 0; i < 2; i++) {
      g[i + 1] += c[1 + i];
      g[i + 4] -= c[1 + i];
      g[i] -= c[1 + i];
      g[i + 3] -= c[1 + i];
    }
    g[2] += c[3];
    g[5] += c[3];
  }
  return u;
}
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double g[6];
  U(q, g);
  for (int i = 0; i < 6; i++) f[i] = -g[i] - (i > 2 ? p[W] * p[W] * q[i] : 0);
  return 0;
}
static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  double e = U(y, 0);
  for (int i = 3; i < 6; i++) e += p[W] * p[W] * y[i] * y[i] / 2;
  return e;
}
static double energy(epi_system *s, double t, const double *y)
{
  double e = potential(s, t, y);
  for (int i = 6; i < 12; i++) e += y[i] * y[i] / 2;
  return e;
}
static double obs(const epi_case *c, const epi_state *s, int k)
{
  double w = c->p[W], I[3], T = 0;
  for (int i = 0; i < 3; i++) {
    I[i] = s->y[9 + i] * s->y[9 + i] / 2 + w * w * s->y[3 + i] * s->y[3 + i] / 2;
    T += I[i];
  }
  if (k < 3) return I[k];
  if (k == 3) return T;
  return energy((epi_system *)&c->system, s->t, s->y);
}
static const epi_observable OBS[] = {{.name = "I1", .observe = obs, .which = 0},
                                     {.name = "I2", .observe = obs, .which = 1},
                                     {.name = "I3", .observe = obs, .which = 2},
                                     {.name = "I", .observe = obs, .which = 3},
                                     {.name = "energy", .observe = obs, .which = 4, .invariant = 1},
                                     {0}};
static int make(epi_case *c)
{
  c->system = (epi_system){
    .nq = 6, .force = force, .energy = energy, .energies.potential = potential, .names = NAMES, .data = c->p,
      .phase.period = 2 * M_PI / c->p[W]};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->y[6] = 1;
  c->y[3] = 1 / c->p[W];
  c->y[9] = 1;
  return 0;
}
EPI_MODEL = {.name = "fpu",
             .doc = "FPUT chain with stiff springs",
             .params = PARAMS,
             .make = make,
             .observables = OBS,
             .flow = "verlet",
             .step = 0.001,
             .end = 200};
