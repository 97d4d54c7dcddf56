/* averaged-pendulum.c - the slow motion of the vibrated inverted pendulum, in closed form: what an average of it should find */
#include "draw.h"

enum { L, G, VMAX, Q0, V0 };

static const epi_param PARAMS[] = {
  [L] = {.name = "l", .unit = "m", .value = 0.2, .doc = "length of the rod", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.8, .doc = "gravity"},
  [VMAX] = {.name = "vmax", .unit = "m/s", .value = 4, .doc = "largest speed of the pivot"},
  [Q0] = {.name = "q0", .unit = "rad", .value = 0.5, .doc = "start: angle from upright"},
  [V0] = {.name = "v0", .unit = "rad/s", .value = 0, .doc = "start: slow angular velocity"},
  {0}
};
static const char *const NAMES[] = {"q", "v"};
static const char *const UNITS[] = {"rad", "rad/s"};

/* q'' = (g/l) sin q - (vmax/l)^2/2 sin q cos q; the frequency of the pivot is gone */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double x = p[VMAX]/p[L];
  f[0] = sin(q[0])*(p[G]/p[L] - x*x/2*cos(q[0]));
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)b;
  const double *p = s->data;
  double x = p[VMAX]/p[L];
  A[0] = a*(p[G]/p[L]*cos(y[0]) - x*x/2*cos(2*y[0]));
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  double x = p[VMAX]/p[L]*sin(y[0]);
  return p[G]/p[L]*cos(y[0]) + x*x/4;
}

static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = NAMES,
                           .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[Q0];
  c->y[1] = c->p[V0];
  return 0;
}

static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  double l = c->p[L];
  epi_show_pendulum(to, l, 0, l*sin(s->y[0]), l*cos(s->y[0]));
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "rad^2/s^2", .value = epi_case_energy, .invariant = 1},
  {0}
};

const epi_model epi_AVERAGED_PENDULUM = {
  .name = "averaged-pendulum", .doc = "slow motion of the inverted pendulum on a vibrating pivot, averaged by hand",
  .cite = "Calvo & Sanz-Serna, Heterogeneous multiscale methods for mechanical systems with vibrations, (2.5), (2.6)",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 0.0125, .end = 1, .smooth = 1
};
