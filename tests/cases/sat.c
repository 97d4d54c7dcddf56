/* sat.c - satellite with J2 (and optional drag cd: a = -cd |v| v) */
#include <epicycle.h>
#include <math.h>
enum { A, E, I, J2, CD, PF };
static const epi_param PARAMS[] = {[A] = {.name = "a", .unit = "m", .value = 7000e3, .doc = "semi-major axis"},
                                   [E] = {.name = "e", .value = 0.01, .doc = "eccentricity"},
                                   [I] = {.name = "i", .unit = "rad", .value = 0.9, .doc = "inclination"},
                                   [J2] = {.name = "J2", .value = 1.08263e-3},
                                   [CD] = {.name = "cd", .unit = "1/m", .value = 0},
                                   [PF] = {.name = "pf", .value = 1, .doc = "period factor"},
                                   {0}};
static const char *const NAMES[] = {"x", "y", "z", "vx", "vy", "vz"}, *const UNITS[] = {"m", "m", "m", "m/s", "m/s", "m/s"};
static const double MU = 3.986004418e14, R = 6378137;
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double r2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], r = sqrt(r2), k = -MU / (r2 * r), c = 1.5 * p[J2] * R * R / r2,
         z2 = q[2] * q[2] / r2;
  f[0] = k * q[0] * (1 + c * (1 - 5 * z2));
  f[1] = k * q[1] * (1 + c * (1 - 5 * z2));
  f[2] = k * q[2] * (1 + c * (3 - 5 * z2));
  return 0;
}
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t;
  (void)q;
  const double *p = s->data;
  double V = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) f[i] -= p[CD] * V * v[i];
  return 0;
}
static double potential(epi_system *s, double t, const double *q)
{
  (void)t;
  const double *p = s->data;
  double r2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], r = sqrt(r2);
  return -MU / r * (1 - p[J2] * R * R / r2 * (1.5 * q[2] * q[2] / r2 - 0.5));
}
static double energy(epi_system *s, double t, const double *y)
{
  return potential(s, t, y) + (y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) / 2;
}
static double ob(const epi_case *c, const epi_state *s, int k)
{
  const double *y = s->y;
  double h[3] = {y[1] * y[5] - y[2] * y[4], y[2] * y[3] - y[0] * y[5], y[0] * y[4] - y[1] * y[3]};
  if (k == 0) return energy((epi_system *)&c->system, s->t, y);
  if (k == 1) return h[2];
  if (k == 2) return atan2(h[0], -h[1]);
  double v2 = y[3] * y[3] + y[4] * y[4] + y[5] * y[5], r = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
  return 1 / (2 / r - v2 / MU);
}
static const epi_observable OBS[] = {{.name = "energy", .unit = "J/kg", .observe = ob, .which = 0, .invariant = 1},
                                     {.name = "hz", .unit = "m^2/s", .observe = ob, .which = 1, .invariant = 1},
                                     {.name = "node", .unit = "rad", .observe = ob, .which = 2},
                                     {.name = "a-osc", .unit = "m", .observe = ob, .which = 3},
                                     {0}};
static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = 3,
                           .force = force,
                           .energy = energy,
                           .energies.potential = potential,
                           .names = NAMES,
                           .units = UNITS,
                           .data = c->p,
                           .phase.period = p[PF] * 2 * M_PI * sqrt(p[A] * p[A] * p[A] / MU)};
  if (p[CD] != 0) c->system.velocity_force = velocity_force;
  if (epi_case_start(c)) return -1;
  double rp = p[A] * (1 - p[E]), vp = sqrt(MU * (1 + p[E]) / rp);
  c->y[0] = rp;
  c->y[4] = vp * cos(p[I]);
  c->y[5] = vp * sin(p[I]);
  return 0;
}
static void draw(const epi_case *c, const epi_state *s, epi_scene *sc)
{
  (void)c;
  epi_show(sc, &(epi_shape){.name = "earth", .kind = EPI_BALL, .appearance = EPI_GLASS, .size = {R}});
  epi_show(sc, &(epi_shape){
                 .name = "sat", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {2e5}, .at = {s->y[0], s->y[1], s->y[2]}, .trail = 1});
}
EPI_MODEL = {.name = "sat",
             .doc = "satellite about an oblate Earth",
             .params = PARAMS,
             .make = make,
             .observables = OBS,
             .draw = draw,
             .flow = "symmetric(verlet, order=8)",
             .step = 100,
             .end = 5.8286e6};
