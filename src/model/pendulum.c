/* pendulum.c - the plane pendulum, and its motion in Jacobi's elliptic functions */
#include "draw.h"

enum { W, Q0, V0 };

static const epi_param PARAMS[] = {
  [W] = {.name = "w", .unit = "rad/s", .value = 1, .doc = "frequency of small swings, sqrt(g/l)", .range = EPI_POSITIVE},
  [Q0] = {.name = "q0", .unit = "rad", .value = EPI_PI/2, .doc = "start: angle from hanging down"},
  [V0] = {.name = "v0", .unit = "rad/s", .value = 0, .doc = "start: angular velocity"},
  {0}
};
static const char *const NAMES[] = {"q", "v"};
static const char *const UNITS[] = {"rad", "rad/s"};

/* q'' = -w^2 sin q */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] = -p[W]*p[W]*sin(q[0]);
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)b;
  const double *p = s->data;
  A[0] = -a*p[W]*p[W]*cos(y[0]);
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return -p[W]*p[W]*cos(y[0]);
}

static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = NAMES,
                           .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  double w = c->p[W], q0 = c->p[Q0], v0 = c->p[V0];
  c->y[0] = q0;
  c->y[1] = v0;
  /* the fastest pace is that of the swing or of the passage through the bottom */
  double fastest = sqrt(v0*v0 + 2*w*w*(1 - cos(q0)));
  if (isinf(fastest)) fastest = fabs(v0);
  c->step = 0.1/fmax(w, fastest/2);
  c->end = 100/w;
  return 0;
}

/* swings: sin(q/2) = k sn(w t + u0), v = 2 w k cn, k^2 = sin^2(q0/2) + (v0/2w)^2 < 1 */
static void swing(double w, double s0, double x0, double kc, double t, double *half, double *v)
{
  double k = hypot(s0, x0), phi = epi_amplitude(w*t + epi_legendre(atan2(s0, x0), kc), kc);
  double sn = sin(phi), cn = cos(phi);
  *half = atan2(k*sn, sqrt(kc*kc + k*k*cn*cn));
  *v = 2*w*k*cn;
}

/* turns over: q/2 = am(w t/k + u0), v = 2 (w/k) dn, of modulus k = 1/sqrt(sin^2(q0/2) + (v0/2w)^2) < 1, forward */
static void turn(double w, double half0, double k, double kc, double t, double *half, double *v)
{
  double phi = epi_amplitude(w*t/k + epi_legendre(half0, kc), kc), cn = cos(phi);
  *half = phi;
  *v = 2*w/k*sqrt(kc*kc + k*k*cn*cn);
}

/* between them: sin(q/2) = tanh(w t + u0), v = 2 w/cosh, forward */
static void creep(double w, double half0, double t, double *half, double *v)
{
  double u = w*t + asinh(tan(half0));
  *half = atan(sinh(u));
  *v = 2*w/cosh(u);
}

static int exact(const epi_case *c, double t, double *y)
{
  double w = c->p[W], q0 = c->p[Q0], v0 = c->p[V0];
  double near = remainder(q0, 2*EPI_PI), s0 = sin(near/2), c0 = cos(near/2), x0 = v0/(2*w);
  double sign = v0 < 0 ? -1 : 1, half, v;
  /* 1 - k^2, without the loss of digits near the separatrix */
  double gap = (c0 - x0)*(c0 + x0), k = hypot(s0, x0);
  if (gap > 0) {
    swing(w, s0, x0, sqrt(gap), t, &half, &v);
    sign = 1;
  }
  else if (v0 == 0) half = near/2, v = 0;
  else if (gap < 0) turn(w, sign*near/2, 1/k, sqrt(-gap)/k, t, &half, &v);
  else creep(w, sign*near/2, t, &half, &v);
  y[0] = q0 - near + sign*2*half;
  y[1] = sign*v;
  return 0;
}

/* only its frequency is known: the rod is a unit long */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  (void)c;
  epi_show_pendulum(to, 1, 0, sin(s->y[0]), -cos(s->y[0]));
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "rad^2/s^2", .value = epi_case_energy, .invariant = 1},
  {0}
};

const epi_model epi_PENDULUM = {
  .name = "pendulum", .doc = "plane pendulum q'' = -w^2 sin q, swinging, turning over or between; exact by elliptic functions",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), 1 and 2.9.6",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "symmetric(verlet, order=8)", .step = 0.1, .end = 100, .smooth = 1
};
