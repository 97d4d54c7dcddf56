/* magnetic-pendulum.c - a plane pendulum that turns over past a repelling pole close to its circle */
#include "model.h"

enum { G, DELTA, MU, Q0, P0 };

static const epi_param PARAMS[] = {
  [G] = {.name = "g", .unit = "rad^2/s^2", .value = 1, .doc = "gravity",
         .range = {0, EPI_UNBOUNDED, .words = " makes the potential negative: take g >= 0, and start half a turn further"}},
  [DELTA] = {.name = "delta", .unit = "", .value = 0.05, .doc = "distance of the pole from the circle, in lengths of the pendulum",
             .range = EPI_POSITIVE},
  [MU] = {.name = "mu", .unit = "rad^2/s^2", .value = 0.1, .doc = "strength of the pole", .range = EPI_POSITIVE},
  [Q0] = {.name = "q0", .unit = "rad", .value = EPI_PI/2, .doc = "start: angle from hanging down; the pole is at pi/2"},
  [P0] = {.name = "p0", .unit = "rad/s", .value = 0.5, .doc = "start: angular velocity"},
  {0}
};
static const char *const NAMES[] = {"q", "p"};
static const char *const UNITS[] = {"rad", "rad/s"};

/* the square of the distance from the pole */
static double away(const double *p, double q)
{
  double x = cos(q), y = p[DELTA] + (1 - sin(q));
  return x*x + y*y;
}

/* V = g (1 - cos q) + mu/away, never negative: it may be a scale for steps */
static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return p[G]*(1 - cos(y[0])) + p[MU]/away(p, y[0]);
}

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double d = away(p, q[0]);
  f[0] = -p[G]*sin(q[0]) - 2*p[MU]*(1 + p[DELTA])*cos(q[0])/(d*d);
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)b;
  const double *p = s->data;
  double d = away(p, y[0]), out = 1 + p[DELTA], x = cos(y[0]);
  A[0] = -a*(p[G]*x + 2*p[MU]*out*(4*out*x*x/d - sin(y[0]))/(d*d));
  return 0;
}

/* Q = sqrt(V) */
static int objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  double f;
  force(s, t, y, &f);
  *Q = sqrt(potential(s, t, y));
  grad[0] = -f/(2* *Q);
  grad[1] = 0;
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = 1, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential, .objective = objective},
                           .energy = epi_energy_plain, .names = NAMES, .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q0];
  c->y[1] = p[P0];
  /* the pole is passed in the time that the growth rate sqrt(2 mu (1 + delta))/delta^2 at its top gives */
  double near = p[DELTA]*p[DELTA], top = sqrt(2*p[MU]*(1 + p[DELTA]))/near;
  c->step = 0.1/fmax(top, sqrt(p[G]));
  return 0;
}

static double turns(const epi_case *c, const epi_state *s) { (void)c; return s->y[0]/(2*EPI_PI); }

/* the rod is a unit long; the bob is small enough to pass the pole, whose tip is the pole itself */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  const double quarter[] = {sqrt(0.5), 0, sqrt(0.5), 0};
  double x = sin(s->y[0]), z = -cos(s->y[0]), bob = fmin(0.08, fmax(0.03, 0.8*c->p[DELTA]));
  epi_shape pole = {.name = "pole", .kind = EPI_CONE, .appearance = EPI_BRASS, .size = {0.06, 0.16}, .at = {1 + c->p[DELTA]}};
  memcpy(pole.attitude, quarter, sizeof quarter);
  epi_show(to, &pole);
  epi_show(to, &(epi_shape){.name = "pivot", .kind = EPI_BALL, .appearance = EPI_DARK, .size = {0.05}});
  epi_show(to, &(epi_shape){.name = "rod", .kind = EPI_BAR, .appearance = EPI_STEEL, .size = {0.015}, .to = {x, 0, z}});
  epi_show(to, &(epi_shape){.name = "bob", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {bob}, .at = {x, 0, z}, .trail = 1});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "rad^2/s^2", .value = epi_case_energy, .invariant = 1},
  {.name = "turns", .unit = "", .value = turns},
  {0}
};

const epi_model epi_MAGNETIC_PENDULUM = {
  .name = "magnetic-pendulum", .doc = "pendulum turning over past a repelling pole: steps must shrink near it, and p never changes sign",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper III, 3.4",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 0.00054554472558998107, .end = 20, .smooth = 1
};
