/* rope.c - three rods hinged one on another, upside down on a foot that goes up and down as (u/w) cos theta: a model in three angles from
 * upright, which a sweep can run compiled, on a GPU, or ask for its Floquet multipliers:
 *   epicycle sweep examples/models/rope.c w=300:3000/40 u=0.5:4/40 --keep floquet.exponent --end 0.1 --plot rope.svg
 * The kinetic energy is m l^2/2 sum a_ij cos(q_i - q_j) v_i v_j, the potential one m l b_i (g - u w cos theta) cos q_i. */
#include <epicycle/model.h>
#include <math.h>

enum { G, L, C, U, W, Q0, LINKS = 3 };
static const epi_param params[] = {
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity"},
  [L] = {.name = "l", .unit = "m", .value = 0.04, .doc = "of a rod", .range = EPI_POSITIVE},
  [C] = {.name = "damping", .unit = "1/s", .value = 0.5, .doc = "of every angle"},
  [U] = {.name = "u", .unit = "m/s", .value = 1.8, .doc = "largest speed of the foot"},
  [W] = {.name = "w", .unit = "rad/s", .value = 2000, .doc = "frequency of the foot", .range = EPI_POSITIVE},
  [Q0] = {.name = "q0", .unit = "rad", .value = 0, .doc = "start: angle of all rods"}, {0}
};
static const char *const names[] = {"q1", "q2", "q3", "v1", "v2", "v3"};

/* what hangs on a rod: a third of it and all beyond, or a half where two rods meet */
static double share(int i, int j)
{
  int last = i > j ? i : j;
  return (i == j ? 1./3 : 0.5) + (LINKS - 1 - last);
}

/* x = A^-1 x, of a_ij cos(q_i - q_j), by elimination */
static void accelerate(const double *q, double *x)
{
  double A[LINKS][LINKS];
  for (int i = 0; i < LINKS; i++) for (int j = 0; j < LINKS; j++) A[i][j] = share(i, j)*cos(q[i] - q[j]);
  for (int k = 0; k < LINKS; k++)
    for (int i = k + 1; i < LINKS; i++) {
      double f = A[i][k]/A[k][k];
      for (int j = k; j < LINKS; j++) A[i][j] -= f*A[k][j];
      x[i] -= f*x[k];
    }
  for (int i = LINKS - 1; i >= 0; i--) {
    for (int j = i + 1; j < LINKS; j++) x[i] -= A[i][j]*x[j];
    x[i] /= A[i][i];
  }
}

static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  for (int i = 0; i < LINKS; i++) f[i] = (p[G] - p[U]*p[W]*cos(theta))/p[L]*(0.5 + (LINKS - 1 - i))*sin(q[i]);
  accelerate(q, f);
  return 0;
}

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const double *p = s->data;
  double x[LINKS];
  (void)t;
  for (int i = 0; i < LINKS; i++) {
    x[i] = 0;
    for (int j = 0; j < LINKS; j++) x[i] -= share(i, j)*sin(q[i] - q[j])*v[j]*v[j];
  }
  accelerate(q, x);
  for (int i = 0; i < LINKS; i++) f[i] += x[i] - p[C]*v[i];
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = LINKS, .phase = {.forced = forced, .phase_rate = p[W], .period = 6.28318530717958647692/p[W]},
                           .velocity_force = velocity_force, .names = names, .data = c->p};
  if (epi_case_start(c)) return -1;
  for (int i = 0; i < LINKS; i++) c->y[i] = p[Q0];
  c->step = c->system.phase.period/64;
  return 0;
}

/* how high the end of the rope is, of its whole length */
static double height(const epi_case *c, const epi_state *s)
{
  (void)c;
  double x = 0;
  for (int i = 0; i < LINKS; i++) x += cos(s->y[i])/LINKS;
  return x;
}
static const epi_observable observables[] = {{.name = "height", .unit = "", .value = height}, {0}};

EPI_MODEL = {.name = "rope", .doc = "three rods, upside down on a foot that vibrates", .params = params, .make = make,
             .observables = observables, .flow = "rk4", .step = 1e-4, .end = 0.8};
