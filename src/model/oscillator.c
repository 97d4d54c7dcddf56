/* oscillator.c - a particle between two walls of repulsion, with a kinetic energy that is not even in its momentum */
#include "model.h"

enum { D, Q0, P0 };
static const double FAR = 10;          /* where the second wall stands */

static const epi_param PARAMS[] = {
  [D] = {.name = "d", .unit = "", .value = 0.01, .doc = "size of the perturbation that is not reversible"},
  [Q0] = {.name = "q0", .unit = "m", .value = 1, .doc = "start: position, between the walls at 0 and 10"},
  [P0] = {.name = "p0", .unit = "kg m/s", .value = 0, .doc = "start: momentum"},
  {0}
};
static const char *const NAMES[] = {"q", "p"};
static const char *const UNITS[] = {"m", "kg m/s"};

/* H = p^2/2 - d p^3/3 + 1/q^2 + 1/(q - 10)^2 + d q */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double x = q[0], z = q[0] - FAR;
  if (!(x > 0 && z < 0)) return EPI_TOO_FAR;
  f[0] = 2/(x*x*x) + 2/(z*z*z) - p[D];
  return 0;
}

static int speed(epi_system *s, double t, const double *v, double *dq)
{
  (void)t;
  const double *p = s->data;
  dq[0] = v[0] - p[D]*v[0]*v[0];
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s, (void)t, (void)b;
  double x = y[0], z = y[0] - FAR;
  if (!(x > 0 && z < 0)) return EPI_TOO_FAR;
  A[0] = -6*a*(1/(x*x*x*x) + 1/(z*z*z*z));
  return 0;
}

static double kinetic(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return y[1]*y[1]/2 - p[D]*y[1]*y[1]*y[1]/3;
}

/* what the walls alone make of it */
static double walls(double q) { return 1/(q*q) + 1/((q - FAR)*(q - FAR)); }

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return walls(y[0]) + p[D]*y[0];
}

static int objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  (void)s, (void)t;
  double x = y[0], z = y[0] - FAR;
  if (!(x > 0 && z < 0)) return EPI_TOO_FAR;
  *Q = sqrt(walls(x));
  grad[0] = -(1/(x*x*x) + 1/(z*z*z))/ *Q;
  grad[1] = 0;
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(p[Q0] > 0 && p[Q0] < FAR)) return epi_case_refuse(c, "q0 = %g is not between the walls: take 0 < q0 < %g", p[Q0], FAR);
  c->system = (epi_system){.nq = 1, .force = force, .inertia.speed = speed, .jacobian.slope = slope,
                           .energies = {.kinetic = kinetic, .potential = potential, .objective = objective}, .energy = epi_energy_plain,
                           .names = NAMES, .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q0];
  c->y[1] = p[P0];
  /* a particle of this energy comes as near to a wall as 1/sqrt(E), where the frequency is sqrt(6) E */
  c->step = 0.05/fmax(1, walls(p[Q0]) - walls(1) + 1 + p[P0]*p[P0]/2);
  return 0;
}

static double pace(const epi_case *c, const epi_state *s)
{
  double dq;
  speed((epi_system *)&c->system, s->t, s->y + 1, &dq);
  return dq;
}

static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  (void)c;
  epi_show(to, &(epi_shape){.name = "first wall", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.2, 2, 2}, .at = {-0.1}});
  epi_show(to, &(epi_shape){.name = "second wall", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.2, 2, 2}, .at = {FAR + 0.1}});
  epi_show(to, &(epi_shape){.name = "particle", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {0.3}, .at = {s->y[0]}});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "speed", .unit = "m/s", .value = pace},
  {0}
};

const epi_model epi_OSCILLATOR = {
  .name = "oscillator", .doc = "particle between two walls, H = p^2/2 - d p^3/3 + 1/q^2 + 1/(q - 10)^2 + d q, reversible for d = 0 only",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper III, 3.2",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 0.05, .end = 100, .smooth = 1
};
