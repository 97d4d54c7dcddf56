/* double-pendulum.c - two rods, one on the other, held upright by fast vertical vibrations of the pivot; Cartesian, with constraints */
#include "rods.h"

enum { M1, M2, L1, L2, G, VMAX, W, THETA0, Q1, Q2 };

/* the paper takes w = 1e4, 1e6 and 1e8; only the last two show the slow motion to better than a tenth of a radian */
static const epi_param PARAMS[] = {
  [M1] = {.name = "m1", .unit = "kg", .value = 0.01, .doc = "mass at the end of the first rod", .range = EPI_POSITIVE},
  [M2] = {.name = "m2", .unit = "kg", .value = 0.005, .doc = "mass at the end of the second rod", .range = EPI_POSITIVE},
  [L1] = {.name = "l1", .unit = "m", .value = 0.2, .doc = "length of the first rod", .range = EPI_POSITIVE},
  [L2] = {.name = "l2", .unit = "m", .value = 0.1, .doc = "length of the second rod", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.8, .doc = "gravity"},
  [VMAX] = {.name = "vmax", .unit = "m/s", .value = 4, .doc = "largest speed of the pivot"},
  [W] = {.name = "w", .unit = "rad/s", .value = 1e6, .doc = "frequency of the pivot", .range = EPI_POSITIVE},
  [THETA0] = {.name = "theta0", .unit = "rad", .value = 0, .doc = "start: phase of the pivot; hmm from rest needs 0"},
  [Q1] = {.name = "q1", .unit = "rad", .value = 0.5, .doc = "start: angle of the first rod from upright"},
  [Q2] = {.name = "q2", .unit = "rad", .value = 0, .doc = "start: angle of the second rod from upright"},
  {0}
};
enum { N = 4 };

/* seen from the pivot, which moves with vmax sin theta, gravity is g + vmax w cos theta */
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t, (void)q;
  const epi_two_rods *d = s->data;
  double a = d->p[G] + d->p[VMAX]*d->p[W]*cos(theta);
  for (int i = 0; i < N; i += 2) {
    f[i] = 0;
    f[i + 1] = -d->mass[i]*a;
  }
  return 0;
}

/* u = P e: what the rods leave of a unit velocity upward, P the projection along M^-1 J^T */
static void upward(const epi_two_rods *d, const double *q, double *u)
{
  double m1 = d->mass[0], m2 = d->mass[2], ax = q[0], ay = q[1], bx = q[2] - q[0], by = q[3] - q[1];
  /* J M^-1 J^T x = J e for J = (a, 0; -b, b), e = (0, 1, 0, 1): the second rod sees no difference */
  double A = (ax*ax + ay*ay)/m1, B = -(ax*bx + ay*by)/m1, C = (bx*bx + by*by)*(1/m1 + 1/m2), D = A*C - B*B;
  double x = C*ay/D, y = -B*ay/D;
  u[0] = -(ax*x - bx*y)/m1;
  u[1] = 1 - (ay*x - by*y)/m1;
  u[2] = -bx*y/m2;
  u[3] = 1 - by*y/m2;
}

/* the slow velocity less the share of the pivot that the rods let through */
static int lift(epi_system *s, double t, double theta, const double *Q, const double *P, double *v)
{
  (void)t;
  const epi_two_rods *d = s->data;
  double u[N];
  upward(d, Q, u);
  for (int i = 0; i < N; i++) v[i] = P[i] - d->p[VMAX]*sin(theta)*u[i];
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const epi_two_rods *d = s->data;
  return d->p[G]*(d->mass[0]*y[1] + d->mass[2]*y[3]);
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (epi_two_rods_make(c, p + M1, p + L1, p + Q1)) return -1;
  c->system.phase.forced = forced;
  c->system.phase.phase_rate = p[W];
  c->system.phase.period = 2*EPI_PI/p[W];
  c->system.phase.theta0 = p[THETA0];
  c->system.phase.lift = lift;
  c->system.energies.potential = potential;
  c->theta = p[THETA0];
  return 0;
}

/* T(V) + gravity + (vmax^2/4) |u|^2 in the mass, V the velocity without the share of the pivot; constant up to O(1/w) */
static double slow_energy(const epi_case *c, const epi_state *s)
{
  const epi_two_rods *d = c->system.data;
  const double *y = s->y;
  double u[N], vmax = d->p[VMAX], E = potential((epi_system *)&c->system, s->t, y);
  upward(d, y, u);
  for (int i = 0; i < N; i++) {
    double V = y[N + i] + vmax*sin(s->theta)*u[i];
    E += d->mass[i]*(V*V/2 + vmax*vmax*u[i]*u[i]/4);
  }
  return E;
}

/* the pivot stands -vmax/w cos theta high */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to) { epi_two_rods_show(c, s, -c->p[VMAX]/c->p[W]*cos(s->theta), to); }

static const epi_observable OBSERVABLES[] = {
  {.name = "q1", .unit = "rad", .value = epi_two_rods_q1},
  {.name = "q2", .unit = "rad", .value = epi_two_rods_q2},
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "slow-energy", .unit = "J", .value = slow_energy},
  {.name = "g", .unit = "m^2", .value = epi_two_rods_off},
  {.name = "Gv", .unit = "m^2/s", .value = epi_two_rods_leaving},
  {0}
};

const epi_model epi_DOUBLE_PENDULUM = {
  .name = "double-pendulum", .doc = "two rods on a pivot that vibrates with w, as masses with constraints; slow energy constant to O(1/w)",
  .cite = "Calvo & Sanz-Serna, Heterogeneous multiscale methods for mechanical systems with vibrations, 4",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "verlet(hmm(verlet, kernel=box, steps=64, even=1))", .step = 1./640, .end = 1, .smooth = 1
};
