/* rotor.c - an unbalanced disc on a springy bearing, run near its resonance */
#include "model.h"

enum { M, K, OMEGA, EPS };

static const epi_param PARAMS[] = {
  [M] = {.name = "m", .unit = "kg", .value = 1, .doc = "mass of the disc"},
  [K] = {.name = "k", .unit = "N/m", .value = 1, .doc = "stiffness of the bearing"},
  [OMEGA] = {.name = "Omega", .unit = "rad/s", .value = 1.02, .doc = "speed of the shaft"},
  [EPS] = {.name = "eps", .unit = "kg m", .value = 0.1, .doc = "unbalance"},
  {0}
};
static const char *const NAMES[] = {"q1", "q2", "v1", "v2"};

/* m q1'' = -k q1 - eps W^2 cos Wt, m q2'' = -k q2 + eps W^2 sin Wt */
static int force(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  double W = p[OMEGA], x = p[EPS]*W*W;
  f[0] = -p[K]*q[0] - x*cos(W*t);
  f[1] = -p[K]*q[1] + x*sin(W*t);
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)y, (void)b;
  const double *p = s->data;
  A[0] = A[3] = -a*p[K];
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return p[K]*(y[0]*y[0] + y[1]*y[1])/2;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (epi_case_positive(c, M) || epi_case_positive(c, K)) return -1;
  double *mass = epi_case_room(c, 2, sizeof *mass), w = sqrt(p[K]/p[M]);
  if (!mass) return -1;
  mass[0] = mass[1] = p[M];
  c->system = (epi_system){.nq = 2, .force = force, .slope = slope, .mass = mass, .kinetic = epi_kinetic_plain,
                           .potential = potential, .energy = epi_energy_plain, .names = NAMES, .data = c->p};
  c->step = 0.2/fmax(w, fabs(p[OMEGA])/1.02);
  c->end = 1000/w;
  return epi_case_start(c);
}

/* from rest, with a = eps W^2/m: q1 = a (cos Wt - cos wt)/(W^2 - w^2), q2 = -a (sin Wt - W/w sin wt)/(W^2 - w^2);
 * in terms of half the sum and half the difference of W and w, nothing is lost or divided by zero at resonance */
static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  double w = sqrt(p[K]/p[M]), W = fabs(p[OMEGA]), way = p[OMEGA] < 0 ? -1 : 1;
  double a = p[EPS]*W*W/p[M], sum = (W + w)/2, x = (W - w)/2*t, wave = sin(w*t);
  double beat = x == 0 ? t : t*sin(x)/x, b = a/(2*sum);
  y[0] = -b*beat*sin(sum*t);
  y[1] = -way*b*(beat*cos(sum*t) - wave/w);
  y[2] = -b*(W*beat*cos(sum*t) + wave);
  y[3] = way*b*W*beat*sin(sum*t);
  return 0;
}

/* of the free oscillation through this state; it beats */
static double amplitude(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  return sqrt(y[0]*y[0] + y[2]*y[2]*c->p[M]/c->p[K]);
}

static double whirl(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  (void)c;
  return sqrt(y[0]*y[0] + y[1]*y[1]);
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "amplitude", .unit = "m", .value = amplitude},
  {.name = "whirl", .unit = "m", .value = whirl},
  {0}
};

const epi_model epi_ROTOR = {
  .name = "rotor", .doc = "unbalanced disc on a springy bearing, from rest, beating near its resonance; exact",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper I, 2.2",
  .params = PARAMS, .make = make, .observables = OBSERVABLES, .exact = exact,
  .flow = "symmetric(verlet, order=8)", .step = 0.2, .end = 1000
};
