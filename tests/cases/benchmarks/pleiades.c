/* pleiades.c - seven stars in a plane, masses 1 to 7 (IVP test set; Hairer, Norsett & Wanner I, II.10); reference at t = 3 */
#include <epicycle.h>
#include <math.h>
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  (void)t;
  for (int i = 0; i < 14; i++) f[i] = 0;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < i; j++) {
      double x = q[j] - q[i], y = q[7 + j] - q[7 + i], r2 = x * x + y * y, r3 = (i + 1) * (j + 1) / (r2 * sqrt(r2));
      f[i] += x * r3;
      f[7 + i] += y * r3;
      f[j] -= x * r3;
      f[7 + j] -= y * r3;
    }
  return 0;
}
static double potential(epi_system *s, double t, const double *y)
{
  (void)s;
  (void)t;
  double V = 0;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < i; j++) V -= (i + 1) * (j + 1) / hypot(y[i] - y[j], y[7 + i] - y[7 + j]);
  return V;
}
static const double MASS[14] = {1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7};
static double energy(epi_system *s, double t, const double *y)
{
  double T = 0;
  for (int i = 0; i < 14; i++) T += MASS[i] * y[14 + i] * y[14 + i] / 2;
  return T + potential(s, t, y);
}
static double energy_now(const epi_case *c, const epi_state *s) { return energy((epi_system *)&c->system, s->t, s->y); }
static const epi_observable OBSERVABLES[] = {{.name = "energy", .value = energy_now, .invariant = 1}, {0}};
static const epi_param PARAMS[] = {{0}};
static int make(epi_case *c)
{
  static const double y0[28] = {3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0};
  c->system = (epi_system){.nq = 14, .force = force, .mass = MASS, .energies.potential = potential, .energy = energy};
  if (epi_case_start(c)) return -1;
  for (int i = 0; i < 28; i++) c->y[i] = y0[i];
  return 0;
}
EPI_MODEL = {.name = "pleiades",
             .doc = "seven stars in a plane",
             .params = PARAMS,
             .make = make,
             .observables = OBSERVABLES,
             .flow = "tolerance(dop853, rtol=1e-9)",
             .step = 3,
             .end = 3};
