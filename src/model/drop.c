/* drop.c - a sphere falls on a plane and bounces */
#include "bodies.h"

enum { M, R, STIFF, CHI, HEIGHT, V0, G };

static const epi_param PARAMS[] = {
  [M] = {.name = "m", .unit = "kg", .value = 0.1, .doc = "mass", .range = EPI_POSITIVE},
  [R] = {.name = "r", .unit = "m", .value = 0.02, .doc = "radius", .range = EPI_POSITIVE},
  [STIFF] = {.name = "K", .unit = "N/m^1.5", .value = 1e9, .doc = "of the contact, Q = K depth^1.5 (1 + chi depth')",
             .range = EPI_POSITIVE},
  [CHI] = {.name = "chi", .unit = "s/m", .value = 0.1, .doc = "its damping; the restitution depends on chi times the speed alone",
           .range = {0, EPI_UNBOUNDED, .words = " feeds energy into the contact: take chi >= 0"}},
  [HEIGHT] = {.name = "height", .unit = "m", .value = 0.05, .doc = "start: of the lowest point above the plane",
              .range = {0, EPI_UNBOUNDED, .words = " puts the sphere into the plane: take height >= 0"}},
  [V0] = {.name = "v0", .unit = "m/s", .value = 0, .doc = "start: speed downward"},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity"},
  {0}
};

static int make(epi_case *c)
{
  const double *p = c->p;
  double hit = sqrt(fmax(0, p[V0]*p[V0] + 2*p[G]*p[HEIGHT])), I = 0.4*p[M]*p[R]*p[R];
  if (!(hit > 0) || p[G] < 0) return epi_case_refuse(c, "the sphere never falls: take g >= 0 with height > 0, or v0 > 0");
  double deep = 1.1*pow(p[M]*hit*hit/p[STIFF], 0.4);
  if (deep > 0.4*p[R])
    return epi_case_refuse(c, "K = %g is too soft: at %g m/s the sphere of r = %g is pressed in by %.2g; take a larger K", p[STIFF], hit,
                           p[R], deep);
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_add_gravity(w, (double[]){0, 0, -p[G]});
  int ball = epi_add_body(w,
                          &(epi_body){.name = "ball", .mass = p[M], .inertia = {I, I, I}, .at = {0, 0, p[R] + p[HEIGHT]},
                                      .velocity = {0, 0, -p[V0]}});
  epi_add_contact(w, &(epi_contact){.name = "plane", .shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = p[R],
                                    .normal = {0, 0, 1},
                                    .law = {.K = p[STIFF], .chi = p[CHI]}});
  /* a contact lasts 3.2 of this unit */
  double unit = pow(p[M]*p[M]/(p[STIFF]*p[STIFF]*hit), 0.2);
  c->step = 0.05*unit;
  return epi_case_world(c, w);
}

static double height(const epi_case *c, const epi_state *s) { return s->y[2] - c->p[R]; }
static double speed(const epi_case *c, const epi_state *s) { return s->y[c->system.nq + 2]; }

static double force(const epi_case *c, const epi_state *s)
{
  epi_action out;
  return epi_world_action(c->world, s, 0, &out) ? NAN : out.load;
}

/* constant only without damping */
static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "height", .unit = "m", .value = height},
  {.name = "speed", .unit = "m/s", .value = speed},
  {.name = "force", .unit = "N", .value = force},
  {0}
};

const epi_model epi_DROP = {
  .name = "drop", .doc = "a sphere falls on a plane: Hertz contact with damping that makes the restitution fall with the speed",
  .cite = "Hunt & Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975) 440",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "semi(model.contacts, model.stiff)", .step = 5.0096006151076465e-6, .end = 1
};
