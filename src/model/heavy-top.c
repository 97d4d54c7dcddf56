/* heavy-top.c - a body on a fixed pivot under gravity; symmetric unless told otherwise */
#include "rotating.h"

enum { I1, I2, I3, M, LENGTH, G, THETA0, W3, OMEGA };

static const epi_param PARAMS[] = {
  [I1] = {.name = "I1", .unit = "kg m^2", .value = 0.02, .doc = "moment of inertia about the pivot, first axis across the body",
          .range = EPI_POSITIVE},
  [I2] = {.name = "I2", .unit = "kg m^2", .value = 0.02, .doc = "the second; equal to I1 for a symmetric top", .range = EPI_POSITIVE},
  [I3] = {.name = "I3", .unit = "kg m^2", .value = 0.005, .doc = "along the body axis, on which the centre of mass lies",
          .range = EPI_POSITIVE},
  [M] = {.name = "m", .unit = "kg", .value = 1, .doc = "mass", .range = EPI_POSITIVE},
  [LENGTH] = {.name = "l", .unit = "m", .value = 0.1, .doc = "distance of the centre of mass from the pivot", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -z"},
  [THETA0] = {.name = "theta0", .unit = "rad", .value = EPI_PI/3, .doc = "start: tilt of the body axis from upright, towards +x"},
  [W3] = {.name = "w3", .unit = "rad/s", .value = 200, .doc = "start: angular velocity along the body axis"},
  [OMEGA] = {.name = "Omega", .unit = "rad/s", .value = 0, .doc = "start: precession about the vertical; 0.990817187 keeps the tilt"},
  {0}
};
static const double UP[] = {0, 0, 1};

typedef struct { const double *p; double inertia[3]; } top;

/* the weight -m g at the centre of mass l e3, in the axes of the body: m g l (z2, -z1, 0) with z the vertical */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = ((const top *)s->data)->p;
  double z[3], x = p[M]*p[G]*p[LENGTH];
  epi_to_body(q, UP, z);
  f[0] = x*z[1];
  f[1] = -x*z[0];
  f[2] = 0;
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = ((const top *)s->data)->p;
  double e[3];
  epi_to_space(y, UP, e);
  return p[M]*p[G]*p[LENGTH]*e[2];
}

static int make(epi_case *c)
{
  const double *p = c->p;
  top *d = epi_case_room(c, 1, sizeof *d);
  if (!d) return -1;
  *d = (top){.p = p, .inertia = {p[I1], p[I2], p[I3]}};
  c->system = (epi_system){.nq = EPI_BODY_Q, .nv = EPI_BODY_V, .force = force, .velocity_force = epi_body_gyro, .mass = d->inertia,
                           .manifold = {.retract = epi_body_retract, .retract_rate = epi_body_retract_rate},
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain,
                           .names = epi_body_names, .units = epi_body_units, .data = d};
  if (epi_case_start(c)) return -1;
  /* tilted about y; the vertical is then (-sin, 0, cos) in the body, and w3 holds its share of the precession already */
  epi_quaternion_about(1, p[THETA0], c->y);
  c->y[EPI_BODY_Q] = 0 - p[OMEGA]*sin(p[THETA0]);
  c->y[EPI_BODY_Q + 2] = p[W3];
  /* the fastest of the spin, the precession and the swing of the body as a pendulum */
  double swing = sqrt(p[M]*fabs(p[G])*p[LENGTH]/fmin(p[I1], p[I2])), fastest = fmax(fmax(fabs(p[W3]), fabs(p[OMEGA])), swing);
  c->step = 0.1/fastest;
  return 0;
}

/* ---- what is looked at ---- */
static double axis(const epi_state *s, int k)
{
  double e[3];
  epi_to_space(s->y, UP, e);
  return e[k];
}

static double centre_x(const epi_case *c, const epi_state *s) { return c->p[LENGTH]*axis(s, 0); }
static double centre_y(const epi_case *c, const epi_state *s) { return c->p[LENGTH]*axis(s, 1); }
static double centre_z(const epi_case *c, const epi_state *s) { return c->p[LENGTH]*axis(s, 2); }
static double tilt(const epi_case *c, const epi_state *s) { (void)c; return atan2(hypot(axis(s, 0), axis(s, 1)), axis(s, 2)); }
static double azimuth(const epi_case *c, const epi_state *s) { (void)c; return atan2(axis(s, 1), axis(s, 0)); }
static double spin(const epi_case *c, const epi_state *s) { return c->p[I3]*s->y[EPI_BODY_Q + 2]; }

/* the solid cone with this centre of mass and this I3, on its tip; its end draws the path of the axis, a mark at its rim the spin */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  const double *p = c->p;
  double h = 4*p[LENGTH]/3, r = sqrt(p[I3]/(0.3*p[M])), end[3], mark[3];
  epi_to_space(s->y, (const double[]){0, 0, 1.3*h}, end);
  epi_to_space(s->y, (const double[]){0.8*r, 0, h}, mark);
  epi_shape cone = {.name = "top", .kind = EPI_CONE, .appearance = EPI_BRASS, .size = {r, h}};
  memcpy(cone.attitude, s->y, sizeof cone.attitude);
  epi_show(to, &(epi_shape){.name = "stand", .kind = EPI_BAR, .appearance = EPI_DARK, .size = {0.05*h}, .at = {0, 0, -h}});
  epi_show(to, &cone);
  epi_show(to, &(epi_shape){.name = "axle", .kind = EPI_BAR, .appearance = EPI_STEEL, .size = {0.03*h}, .to = {end[0], end[1], end[2]}});
  epi_show(to, &(epi_shape){.name = "tip", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {0.05*h}, .at = {end[0], end[1], end[2]},
                            .trail = 1});
  epi_show(to, &(epi_shape){.name = "mark", .kind = EPI_BALL, .appearance = EPI_DARK, .size = {0.1*r}, .at = {mark[0], mark[1], mark[2]}});
}

/* the spin is constant too, where I1 = I2 */
static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "Lz", .unit = "kg m^2/s", .value = epi_body_Lz, .invariant = 1},
  {.name = "spin", .unit = "kg m^2/s", .value = spin},
  {.name = "tilt", .unit = "rad", .value = tilt},
  {.name = "azimuth", .unit = "rad", .value = azimuth},
  {.name = "x", .unit = "m", .value = centre_x},
  {.name = "y", .unit = "m", .value = centre_y},
  {.name = "z", .unit = "m", .value = centre_z},
  {.name = "unit", .unit = "", .value = epi_body_off},
  {0}
};

const epi_model epi_HEAVY_TOP = {
  .name = "heavy-top",
  .doc = "spinning top on a fixed pivot, released at rest from a tilt; attitude as a unit quaternion, velocity of the body",
  .cite = "Goldstein, Poole & Safko, Classical Mechanics (2002), 5.7",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(strang(kick, nambu), order=8)", .step = 5e-4, .end = 1, .smooth = 1
};
