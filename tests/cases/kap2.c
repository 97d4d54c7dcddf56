/* kap2.c - double Kapitza pendulum in angles (M depends on q), pivot vibrates along direction alpha from vertical, viscous joints.
   m1=m2=1, l1=l2=l. angles from the upward vertical. accel=1: forced = M^-1 (position part), velocity_force = M^-1 (velocity part) */
#include <epicycle.h>
#include <math.h>
enum { W, VM, L, GR, C, AL, Q1, Q2 };
static const epi_param PARAMS[] = {[W] = {.name = "w", .unit = "rad/s", .value = 1000},
                                   [VM] = {.name = "vmax", .unit = "m/s", .value = 6},
                                   [L] = {.name = "l", .unit = "m", .value = 0.2},
                                   [GR] = {.name = "g", .unit = "m/s^2", .value = 9.81},
                                   [C] = {.name = "c", .unit = "kg m^2/s", .value = 0.0},
                                   [AL] = {.name = "alpha", .unit = "rad", .value = 0},
                                   [Q1] = {.name = "q1", .unit = "rad", .value = 0.2},
                                   [Q2] = {.name = "q2", .unit = "rad", .value = -0.1},
                                   {0}};
static const char *const NAMES[] = {"q1", "q2", "v1", "v2"};
static void solve(const double *p, const double *q, double b1, double b2, double *f)
{
  double l2 = p[L] * p[L], m11 = 2 * l2, m12 = l2 * cos(q[0] - q[1]), m22 = l2, D = m11 * m22 - m12 * m12;
  f[0] += (m22 * b1 - m12 * b2) / D;
  f[1] += (m11 * b2 - m12 * b1) / D;
}
static int forced(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  /* pivot position  a sin(th) along (sin al, cos al), vel = vmax cos th, acc = -vmax w sin th ... use cos acceleration: pos = -(vmax/w) cos
   * th, acc = vmax w cos th */
  double A = p[VM] * p[W] * cos(th), ax = A * sin(p[AL]), az = A * cos(p[AL]) + p[GR];
  /* bob k: x=sum l sin q, z=sum l cos q; generalized force = -m (ax dx/dq + az dz/dq) */
  double b1 = -2 * p[L] * (ax * cos(q[0]) - az * sin(q[0])), b2 = -p[L] * (ax * cos(q[1]) - az * sin(q[1]));
  f[0] = f[1] = 0;
  solve(p, q, b1, b2, f);
  return 0;
}
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t;
  const double *p = s->data;
  double sn = p[L] * p[L] * sin(q[0] - q[1]);
  double b1 = -sn * v[1] * v[1] - p[C] * v[0] + p[C] * (v[1] - v[0]), b2 = sn * v[0] * v[0] - p[C] * (v[1] - v[0]);
  solve(p, q, b1, b2, f);
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){
    .nq = 2, .phase = {.forced = forced, .phase_rate = c->p[W]}, .velocity_force = velocity_force, .inertia.accel = 1, .names = NAMES,
    .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[Q1];
  c->y[1] = c->p[Q2];
  return 0;
}
EPI_MODEL = {.name = "kap2",
             .doc = "double Kapitza pendulum in angles",
             .params = PARAMS,
             .make = make,
             .flow = "tolerance(dop853, rtol=1e-10)",
             .step = 0.01,
             .end = 5};
