/* van-der-pol.c - a fast oscillator whose amplitude creeps to 2 */
#include "model.h"

enum { W, MU, Q0, V0 };

static const epi_param PARAMS[] = {
  [W] = {.name = "w", .unit = "rad/s", .value = 200, .doc = "fast frequency", .range = EPI_POSITIVE},
  [MU] = {.name = "mu", .unit = "1/s", .value = 1, .doc = "strength of the feed and the velocity force"},
  [Q0] = {.name = "q0", .unit = "m", .value = 0.5, .doc = "start: position"},
  [V0] = {.name = "v0", .unit = "m/s", .value = 0, .doc = "start: velocity"},
  {0}
};
static const char *const NAMES[] = {"q", "v"};
static const char *const UNITS[] = {"m", "m/s"};

/* q'' = -w^2 q + mu (1 - q^2) v */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] = -p[W]*p[W]*q[0];
  return 0;
}

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] += p[MU]*(1 - q[0]*q[0])*v[0];
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t;
  const double *p = s->data;
  A[0] = -a*(p[W]*p[W] + 2*p[MU]*y[0]*y[1]) + b*p[MU]*(1 - y[0]*y[0]);
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return p[W]*p[W]*y[0]*y[0]/2;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  double year = 2*EPI_PI/p[W], mu = fabs(p[MU]);
  c->system = (epi_system){.nq = 1, .force = force, .velocity_force = velocity_force, .jacobian.slope = slope, .phase.period = year,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = NAMES,
                           .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q0];
  c->y[1] = p[V0];
  /* a strong velocity force has a pace of its own; a weak one is not waited for beyond a thousand periods */
  c->step = fmin(year/16, mu > 0 ? 0.2/mu : year);
  c->end = fmin(1000*year, mu > 0 ? 10/mu : 100*year);
  return 0;
}

static double amplitude(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  return hypot(y[0], y[1]/c->p[W]);
}

/* a' = (mu/2) a (1 - a^2/4): a^2 = 4/(1 + (4/a0^2 - 1) exp(-mu t)), what the amplitude follows up to O(mu/w) */
static double slow_amplitude(const epi_case *c, const epi_state *s)
{
  double t = s->t;
  double a0 = hypot(c->p[Q0], c->p[V0]/c->p[W]), x = a0*a0, g = exp(-c->p[MU]*t), below = x + (4 - x)*g;
  return below > 0 ? 2*a0/sqrt(below) : INFINITY;
}

static const epi_observable OBSERVABLES[] = {
  {.name = "amplitude", .unit = "m", .value = amplitude},
  {.name = "slow-amplitude", .unit = "m", .value = slow_amplitude},
  {.name = "energy", .unit = "m^2/s^2", .value = epi_case_energy},
  {0}
};

const epi_model epi_VAN_DER_POL = {
  .name = "van-der-pol", .doc = "fast oscillator q'' = -w^2 q + mu (1 - q^2) v; its amplitude obeys a' = (mu/2) a (1 - a^2/4)",
  .cite = "van der Pol, Phil. Mag. 2 (1926) 978; Sanders, Verhulst & Murdock, Averaging Methods (2007), 2",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 2*EPI_PI/200/16, .end = 10, .smooth = 1
};
