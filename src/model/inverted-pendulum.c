/* inverted-pendulum.c - a pendulum kept upright by fast vertical vibrations of its pivot */
#include "draw.h"

enum { L, G, VMAX, W, THETA0, Q0, V0, DAMPING };

/* the papers take w from 1e3 to 1e8; 1e4 shows the slow motion to a part in a thousand and runs directly in a blink */
static const epi_param PARAMS[] = {
  [L] = {.name = "l", .unit = "m", .value = 0.2, .doc = "length of the rod", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.8, .doc = "gravity"},
  [VMAX] = {.name = "vmax", .unit = "m/s", .value = 4, .doc = "largest speed of the pivot"},
  [W] = {.name = "w", .unit = "rad/s", .value = 1e4, .doc = "frequency of the pivot", .range = EPI_POSITIVE},
  [THETA0] = {.name = "theta0", .unit = "rad", .value = 0, .doc = "start: phase of the pivot"},
  [Q0] = {.name = "q0", .unit = "rad", .value = 0.5, .doc = "start: angle from upright"},
  [V0] = {.name = "v0", .unit = "rad/s", .value = 0, .doc = "start: angular velocity"},
  [DAMPING] = {.name = "damping", .unit = "1/s", .value = 0, .doc = "rate at which the bearing slows it down",
               .range = {0, EPI_UNBOUNDED, .words = " must not be negative"}},
  {0}
};
static const char *const NAMES[] = {"q", "v"};
static const char *const UNITS[] = {"rad", "rad/s"};

/* q'' = (g + vmax w cos theta)/l sin q, theta' = w */
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] = (p[G] + p[VMAX]*p[W]*cos(theta))/p[L]*sin(q[0]);
  return 0;
}

static int slowed(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)q;
  const double *p = s->data;
  f[0] -= p[DAMPING]*v[0];
  return 0;
}

/* the slow velocity plus the share of the pivot, which moves with vmax sin theta */
static int lift(epi_system *s, double t, double theta, const double *Q, const double *P, double *v)
{
  (void)t;
  const double *p = s->data;
  v[0] = P[0] + p[VMAX]/p[L]*sin(theta)*sin(Q[0]);
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return p[G]/p[L]*cos(y[0]);
}

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = 1,
                           .phase = {.forced = forced, .phase_rate = p[W], .period = 2*EPI_PI/p[W], .theta0 = p[THETA0], .lift = lift},
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = NAMES,
                           .units = UNITS, .data = c->p, .velocity_force = p[DAMPING] > 0 ? slowed : NULL,
                           .traits.dissipative = p[DAMPING] > 0};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q0];
  c->y[1] = p[V0];
  c->theta = p[THETA0];
  c->step = c->system.phase.period/16;
  return 0;
}

/* the pivot moves with vmax sin theta; what is left of v when its share is taken out is slow */
static double slow_velocity(const epi_case *c, const epi_state *s)
{
  const double *p = c->p;
  return s->y[1] - p[VMAX]/p[L]*sin(s->theta)*sin(s->y[0]);
}

/* V^2/2 + (g/l) cos q + (vmax sin q)^2/(4 l^2), constant up to O(1/w) */
static double slow_energy(const epi_case *c, const epi_state *s)
{
  const double *p = c->p;
  double V = slow_velocity(c, s), x = p[VMAX]/p[L]*sin(s->y[0]);
  return V*V/2 + p[G]/p[L]*cos(s->y[0]) + x*x/4;
}

/* the pivot stands -vmax/w cos theta high */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  const double *p = c->p;
  epi_show_pendulum(to, p[L], -p[VMAX]/p[W]*cos(s->theta), p[L]*sin(s->y[0]), p[L]*cos(s->y[0]));
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "rad^2/s^2", .value = epi_case_energy},
  {.name = "slow-velocity", .unit = "rad/s", .value = slow_velocity},
  {.name = "slow-energy", .unit = "rad^2/s^2", .value = slow_energy},
  {0}
};

const epi_model epi_INVERTED_PENDULUM = {
  .name = "inverted-pendulum", .doc = "pendulum held upright by a pivot that vibrates with w; undamped it keeps a slow energy",
  .cite = "Calvo & Sanz-Serna, Heterogeneous multiscale methods for mechanical systems with vibrations, 2",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 2*EPI_PI/1e4/16, .end = 1, .smooth = 1
};
