/* spring-pendulum.c - a mass on a stiff spring that stands for a rod, in the plane */
#include "model.h"

enum { G, KB, X0, Y0 };

static const epi_param PARAMS[] = {
  [G] = {.name = "g", .unit = "m/s^2", .value = 1, .doc = "gravity, along -y"},
  [KB] = {.name = "kB", .unit = "N/m^3", .value = 1e4,
          .doc = "of the force -kB (|q|^2 - 1) q that holds the mass on the circle; it swings with sqrt(2 kB)", .range = EPI_POSITIVE},
  [X0] = {.name = "x0", .unit = "m", .value = 1.01, .doc = "start"},
  [Y0] = {.name = "y0", .unit = "m", .value = 0, .doc = "start"},
  {0}
};
static const char *const NAMES[] = {"x", "y", "vx", "vy"};
static const char *const UNITS[] = {"m", "m", "m/s", "m/s"};

static double off(const double *q) { return q[0]*q[0] + q[1]*q[1] - 1; }

/* A, the part that is taken to be expensive: gravity */
static int contacts(epi_system *s, double t, const double *q, double *f)
{
  (void)t, (void)q;
  const double *p = s->data;
  f[0] = 0;
  f[1] = -p[G];
  return 0;
}

/* B, the part that is stiff and cheap: the spring */
static int stiff(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double x = -p[KB]*off(q);
  f[0] = x*q[0];
  f[1] = x*q[1];
  return 0;
}

static int force(epi_system *s, double t, const double *q, double *f)
{
  stiff(s, t, q, f);
  f[1] -= ((const double *)s->data)[G];
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)b;
  const double *p = s->data;
  double k = -a*p[KB], x = k*off(y);
  A[0] = x + 2*k*y[0]*y[0];
  A[1] = A[2] = 2*k*y[0]*y[1];
  A[3] = x + 2*k*y[1]*y[1];
  return 0;
}

static int flat(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s, (void)t, (void)y, (void)a, (void)b, (void)A;
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return p[G]*y[1] + p[KB]*off(y)*off(y)/4;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (p[X0] == 0 && p[Y0] == 0)
    return epi_case_refuse(c, "the mass starts at the pivot and does not know which way to go: take x0 or y0 other than 0");
  epi_system *part = epi_case_room(c, 2, sizeof *part);
  if (!part) return -1;
  c->system = (epi_system){.nq = 2, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = NAMES,
                           .units = UNITS, .data = c->p};
  part[0] = (epi_system){.nq = 2, .force = contacts, .jacobian.slope = flat, .names = NAMES, .units = UNITS, .data = c->p};
  part[1] = (epi_system){.nq = 2, .force = stiff, .jacobian.slope = slope, .names = NAMES, .units = UNITS, .data = c->p};
  c->parts[1] = (epi_name){.name = "model.contacts", .system = &part[0]};
  c->parts[2] = (epi_name){.name = "model.stiff", .system = &part[1]};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[X0];
  c->y[1] = p[Y0];
  c->step = 0.2/sqrt(2*p[KB]);
  return 0;
}

static double length(const epi_case *c, const epi_state *s) { (void)c; return hypot(s->y[0], s->y[1]); }
static double miss(const epi_case *c, const epi_state *s) { (void)c; return off(s->y); }
static double angle(const epi_case *c, const epi_state *s) { (void)c; return atan2(s->y[1], s->y[0]); }

static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  (void)c;
  epi_show(to, &(epi_shape){.name = "pivot", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.14, 0.14, 0.06}});
  epi_show(to, &(epi_shape){.name = "spring", .kind = EPI_COIL, .appearance = EPI_STEEL, .size = {0.05, 16}, .to = {s->y[0], 0, s->y[1]}});
  epi_show(to, &(epi_shape){.name = "mass", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {0.08}, .at = {s->y[0], 0, s->y[1]},
                            .trail = 1});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "length", .unit = "m", .value = length},
  {.name = "g", .unit = "m^2", .value = miss},
  {.name = "angle", .unit = "rad", .value = angle},
  {0}
};

const epi_model epi_SPRING_PENDULUM = {
  .name = "spring-pendulum",
  .doc = "a mass on a stiff spring that stands for a rod of length 1; gravity is the part model.contacts, the spring model.stiff",
  .cite = "Modin, Fritzson & Fuhrer, Semiexplicit numerical integration by splitting (2007), 6.2",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=4)", .step = 0.0014142135623730951, .end = 10, .smooth = 1
};
