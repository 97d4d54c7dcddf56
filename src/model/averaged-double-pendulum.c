/* averaged-double-pendulum.c - what the vibrated double pendulum tends to as its pivot vibrates ever faster; Cartesian, with constraints */
#include "rods.h"

enum { M1, M2, L1, L2, G, VMAX, Q1, Q2 };

static const epi_param PARAMS[] = {
  [M1] = {.name = "m1", .unit = "kg", .value = 0.01, .doc = "mass at the end of the first rod", .range = EPI_POSITIVE},
  [M2] = {.name = "m2", .unit = "kg", .value = 0.005, .doc = "mass at the end of the second rod", .range = EPI_POSITIVE},
  [L1] = {.name = "l1", .unit = "m", .value = 0.2, .doc = "length of the first rod", .range = EPI_POSITIVE},
  [L2] = {.name = "l2", .unit = "m", .value = 0.1, .doc = "length of the second rod", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.8, .doc = "gravity"},
  [VMAX] = {.name = "vmax", .unit = "m/s", .value = 4, .doc = "largest speed of the pivot"},
  [Q1] = {.name = "q1", .unit = "rad", .value = 0.5, .doc = "start: angle of the first rod from upright"},
  [Q2] = {.name = "q2", .unit = "rad", .value = 0, .doc = "start: angle of the second rod from upright"},
  {0}
};

/* on the rods e M P e, e a unit velocity upward and P the projection onto what the rods allow, is m1 + m2 - y1^2 C/D with
   D = A C - B^2, A = l1^2/m1, B = -a.b/m1, C = l2^2 (1/m1 + 1/m2), a and b the rods: only B changes */
typedef struct { double B, C, D; } bend;
static bend bend_of(const double *p, const double *q)
{
  double B = -(q[0]*(q[2] - q[0]) + q[1]*(q[3] - q[1]))/p[M1], C = p[L2]*p[L2]*(1/p[M1] + 1/p[M2]);
  return (bend){B, C, p[L1]*p[L1]/p[M1]*C - B*B};
}

/* V = g U + (vmax^2/4) e M P e */
static double potential(epi_system *s, double t, const double *q)
{
  (void)t;
  const double *p = ((const epi_two_rods *)s->data)->p;
  bend k = bend_of(p, q);
  return p[G]*(p[M1]*q[1] + p[M2]*q[3]) + p[VMAX]*p[VMAX]/4*(p[M1] + p[M2] - q[1]*q[1]*k.C/k.D);
}

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = ((const epi_two_rods *)s->data)->p;
  bend k = bend_of(p, q);
  double v = p[VMAX]*p[VMAX]/4, x = q[2] - q[0], y = q[3] - q[1];
  /* d/dB of y1^2 C/D is 2 y1^2 C B/D^2, and dB = -(da.b + a.db)/m1 */
  double slope = -2*v*q[1]*q[1]*k.C*k.B/(k.D*k.D*p[M1]);
  f[0] = slope*(x - q[0]);
  f[1] = slope*(y - q[1]) + 2*v*q[1]*k.C/k.D - p[G]*p[M1];
  f[2] = slope*q[0];
  f[3] = slope*q[1] - p[G]*p[M2];
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (epi_two_rods_make(c, p + M1, p + L1, p + Q1)) return -1;
  c->system.force = force;
  c->system.energies.potential = potential;
  return 0;
}

static void draw(const epi_case *c, const epi_state *s, epi_scene *to) { epi_two_rods_show(c, s, 0, to); }

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "q1", .unit = "rad", .value = epi_two_rods_q1},
  {.name = "q2", .unit = "rad", .value = epi_two_rods_q2},
  {.name = "g", .unit = "m^2", .value = epi_two_rods_off},
  {.name = "Gv", .unit = "m^2/s", .value = epi_two_rods_leaving},
  {0}
};

const epi_model epi_AVERAGED_DOUBLE_PENDULUM = {
  .name = "averaged-double-pendulum", .doc = "slow motion of the double pendulum on a vibrating pivot, averaged by hand",
  .cite = "after Calvo & Sanz-Serna, Heterogeneous multiscale methods for mechanical systems with vibrations, 4",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 1./640, .end = 1, .smooth = 1
};
