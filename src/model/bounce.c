/* bounce.c - a particle between a soft and a stiff wall that meet at the origin */
#include "model.h"

enum { K1, K2, Q0, V0 };

static const epi_param PARAMS[] = {
  [K1] = {.name = "K1", .unit = "N/m", .value = 1, .doc = "stiffness of the soft wall, felt at q > 0", .range = EPI_POSITIVE},
  [K2] = {.name = "K2", .unit = "N/m", .value = 1e4, .doc = "stiffness of the stiff wall, felt at q < 0", .range = EPI_POSITIVE},
  [Q0] = {.name = "q0", .unit = "m", .value = 1, .doc = "start: position"},
  [V0] = {.name = "v0", .unit = "m/s", .value = 0, .doc = "start: velocity"},
  {0}
};
static const char *const NAMES[] = {"q", "v"};
static const char *const UNITS[] = {"m", "m/s"};

static double wall(const double *p, double q) { return q > 0 ? p[K1] : p[K2]; }

/* q'' = -K1 q for q > 0, -K2 q for q < 0 */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  f[0] = -wall(s->data, q[0])*q[0];
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)b;
  A[0] = -a*wall(s->data, y[0]);
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  return wall(s->data, y[0])*y[0]*y[0]/2;
}

/* the soft wall fills q > 0 and the stiff one q < 0: the particle is always inside one of them */
static int gap(epi_system *s, double t, const double *q, double *g, double *G)
{
  (void)s, (void)t;
  g[0] = -q[0];
  g[1] = q[0];
  G[0] = -1;
  G[1] = 1;
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = 1, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain,
                           .contacts = {.ng = 2, .gap = gap, .stiffness = p + K1}, .names = NAMES, .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q0];
  c->y[1] = p[V0];
  double w = sqrt(fmin(p[K1], p[K2])), W = sqrt(fmax(p[K1], p[K2]));
  c->step = 5/W;
  c->end = 200/w;
  return 0;
}

/* half a sine in each wall, time counted from where the soft one is entered: q = (u/w1) sin w1 s, then -(u/w2) sin w2 s */
static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  double w1 = sqrt(p[K1]), w2 = sqrt(p[K2]), q = p[Q0], v = p[V0], u = hypot(v, sqrt(wall(p, q))*q);
  double soft = EPI_PI/w1, round = soft + EPI_PI/w2;
  double s = q > 0 || (q == 0 && v > 0) ? atan2(w1*q, v)/w1 : soft + atan2(-w2*q, -v)/w2;
  s = fmod(s + fmod(t, round), round);
  if (s < 0) s += round;
  double w = s < soft ? w1 : w2, x = s < soft ? w*s : w*(s - soft), sign = s < soft ? 1 : -1;
  y[0] = sign*u/w*sin(x);
  y[1] = sign*u*cos(x);
  return 0;
}

static double penetration(const epi_case *c, const epi_state *s) { (void)c; return fmax(0, -s->y[0]); }

/* the walls are springs that end at 0 when nobody leans on them */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  const double *p = c->p;
  double q = s->y[0];
  double u = hypot(p[V0], sqrt(wall(p, p[Q0]))*p[Q0]), l = fmax(u/sqrt(fmin(p[K1], p[K2])), 1e-9), r = 0.05*l;
  double soft = u/sqrt(p[K1]) + 0.4*l, hard = -u/sqrt(p[K2]) - 0.4*l;
  epi_show(to, &(epi_shape){.name = "soft wall", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {r, 8*r, 8*r}, .at = {soft}});
  epi_show(to, &(epi_shape){.name = "stiff wall", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {r, 8*r, 8*r}, .at = {hard}});
  epi_show(to, &(epi_shape){.name = "soft spring", .kind = EPI_COIL, .size = {0.8*r, 12}, .at = {soft}, .to = {fmax(q, 0) + r}});
  epi_show(to, &(epi_shape){.name = "stiff spring", .kind = EPI_COIL, .appearance = EPI_STEEL, .size = {1.2*r, 6}, .at = {hard},
                            .to = {fmin(q, 0) - r}});
  epi_show(to, &(epi_shape){.name = "particle", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {r}, .at = {q}});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "penetration", .unit = "m", .value = penetration},
  {0}
};

const epi_model epi_BOUNCE = {
  .name = "bounce", .doc = "unit mass bouncing between a soft and a stiff wall, gaps given; exact, two half sines",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper II, 3.2",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "variational(alpha=0.5, beta=0.5, scaling=contact, eps=0.05)", .step = 0.05, .end = 200
};
