/* outer-tv.c - the sun, four giants and Pluto (a test particle), as in REBOUND's example outer_solar_system (Applegate et al. 1986); days,
 * AU, solar masses */
#include <epicycle.h>
#include <math.h>
static const double K = 0.01720209895;
static const double P[6][3] = {
  {-4.06428567034226e-3, -6.08813756435987e-3, -1.66162304225834e-6}, {+3.40546614227466e+0, +3.62978190075864e+0, +3.42386261766577e-2},
  {+6.60801554403466e+0, +6.38084674585064e+0, -1.36145963724542e-1}, {+1.11636331405597e+1, +1.60373479057256e+1, +3.61783279369958e-1},
  {-3.01777243405203e+1, +1.91155314998064e+0, -1.53887595621042e-1}, {-2.13858977531573e+1, +3.20719104739886e+1, +2.49245689556096e+0}};
static const double V[6][3] = {
  {+6.69048890636161e-6, -6.33922479583593e-6, -3.13202145590767e-9}, {-5.59797969310664e-3, +5.51815399480116e-3, -2.66711392865591e-6},
  {-4.17354020307064e-3, +3.99723751748116e-3, +1.67206320571441e-5}, {-3.25884806151064e-3, +2.06438412905916e-3, -2.17699042180559e-5},
  {-2.17471785045538e-4, -3.11361111025884e-3, +3.58344705491441e-5}, {-1.76936577252484e-3, -2.06720938381724e-3, +6.58091931493844e-4}};
static const double M[6] = {1.00000597682, 1. / 1047.355, 1. / 3501.6, 1. / 22869., 1. / 19314., 0};
static const char *const NAMES[] = {
  "sun.x",     "sun.y",     "sun.z",     "jupiter.x",  "jupiter.y",  "jupiter.z",  "saturn.x",  "saturn.y",  "saturn.z",
  "uranus.x",  "uranus.y",  "uranus.z",  "neptune.x",  "neptune.y",  "neptune.z",  "pluto.x",   "pluto.y",   "pluto.z",
  "sun.vx",    "sun.vy",    "sun.vz",    "jupiter.vx", "jupiter.vy", "jupiter.vz", "saturn.vx", "saturn.vy", "saturn.vz",
  "uranus.vx", "uranus.vy", "uranus.vz", "neptune.vx", "neptune.vy", "neptune.vz", "pluto.vx",  "pluto.vy",  "pluto.vz"};
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  (void)t;
  for (int i = 0; i < 18; i++) f[i] = 0;
  for (int i = 1; i < 6; i++)
    for (int j = 0; j < i; j++) {
      double x = q[3 * j] - q[3 * i], y = q[3 * j + 1] - q[3 * i + 1], z = q[3 * j + 2] - q[3 * i + 2], r2 = x * x + y * y + z * z,
             c = K * K / (r2 * sqrt(r2)), a = c * M[j], b = c * M[i];
      f[3 * i] += a * x;
      f[3 * i + 1] += a * y;
      f[3 * i + 2] += a * z;
      f[3 * j] -= b * x;
      f[3 * j + 1] -= b * y;
      f[3 * j + 2] -= b * z;
    }
  return 0;
}
static double energy(epi_system *s, double t, const double *y)
{
  (void)s;
  (void)t;
  double E = 0;
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < 3; k++) E += M[i] * y[18 + 3 * i + k] * y[18 + 3 * i + k] / 2;
    for (int j = 0; j < i; j++) {
      double x = y[3 * j] - y[3 * i], u = y[3 * j + 1] - y[3 * i + 1], z = y[3 * j + 2] - y[3 * i + 2];
      E -= K * K * M[i] * M[j] / sqrt(x * x + u * u + z * z);
    }
  }
  return E;
}
static double kinetic(epi_system *s, double t, const double *y)
{
  (void)s;
  (void)t;
  double E = 0;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 3; k++) E += M[i] * y[18 + 3 * i + k] * y[18 + 3 * i + k] / 2;
  return E;
}
static double potential(epi_system *s, double t, const double *y) { return energy(s, t, y) - kinetic(s, t, y); }
static double energy_now(const epi_case *c, const epi_state *s) { return energy((epi_system *)&c->system, s->t, s->y); }
static const epi_observable OBSERVABLES[] = {{.name = "energy", .value = energy_now, .invariant = 1}, {0}};
static const epi_param PARAMS[] = {{0}};
static int make(epi_case *c)
{
  c->system =
    (epi_system){.nq = 18, .force = force, .inertia.accel = 1, .energy = energy, .energies = {.kinetic = kinetic, .potential = potential},
                 .names = NAMES};
  if (epi_case_start(c)) return -1;
  double m = 0, x[3] = {0}, v[3] = {0};
  for (int i = 0; i < 6; i++) {
    m += M[i];
    for (int k = 0; k < 3; k++) {
      x[k] += M[i] * P[i][k];
      v[k] += M[i] * V[i][k];
    }
  }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) {
      c->y[3 * i + k] = P[i][k] - x[k] / m;
      c->y[18 + 3 * i + k] = V[i][k] - v[k] / m;
    }
  return 0;
}
EPI_MODEL = {.name = "outer",
             .doc = "outer solar system",
             .params = PARAMS,
             .make = make,
             .observables = OBSERVABLES,
             .flow = "symmetric(verlet, order=8)",
             .step = 100,
             .end = 36525000};
