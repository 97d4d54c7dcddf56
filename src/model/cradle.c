/* cradle.c - Newton's cradle: equal spheres in line, the first one comes */
#include "bodies.h"

enum { N, M, R, STIFF, V0, GAP };
enum { MOST = 200 };

static const epi_param PARAMS[] = {
  [N] = {.name = "n", .unit = "", .value = 5, .kind = EPI_COUNT, .doc = "number of spheres"},
  [M] = {.name = "m", .unit = "kg", .value = 0.1, .doc = "mass of each", .range = EPI_POSITIVE},
  [R] = {.name = "r", .unit = "m", .value = 0.02, .doc = "radius of each", .range = EPI_POSITIVE},
  [STIFF] = {.name = "K", .unit = "N/m^1.5", .value = 1e9, .doc = "of their contacts, Q = K depth^1.5", .range = EPI_POSITIVE},
  [V0] = {.name = "v0", .unit = "m/s", .value = 1, .doc = "start: speed of the first; the others rest", .range = EPI_POSITIVE},
  [GAP] = {.name = "gap", .unit = "m", .value = 0, .doc = "start: distance of their surfaces",
           .range = {0, EPI_UNBOUNDED, .words = " lets the spheres overlap: take gap >= 0"}},
  {0}
};

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(p[N] >= 2 && p[N] <= MOST)) return epi_case_refuse(c, "n = %g spheres make no cradle: take 2 to %d", p[N], MOST);
  double deep = 1.1*pow(p[M]*p[V0]*p[V0]/(2*p[STIFF]), 0.4);
  if (deep > 0.4*p[R])
    return epi_case_refuse(c, "K = %g is too soft: the spheres of r = %g are pressed in by %.2g; take a larger K", p[STIFF], p[R], deep);
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  int n = (int)p[N];
  double I = 0.4*p[M]*p[R]*p[R];
  for (int i = 0; i < n; i++) {
    char name[24];
    snprintf(name, sizeof name, "ball%d", i + 1);
    epi_add_body(w, &(epi_body){.name = name, .mass = p[M], .inertia = {I, I, I}, .at = {i*(2*p[R] + p[GAP])},
                                .velocity = {i ? 0 : p[V0]}});
  }
  for (int i = 1; i < n; i++) {
    char name[24];
    snprintf(name, sizeof name, "touch%d", i);
    epi_add_contact(w, &(epi_contact){.name = name, .shape = EPI_SPHERE_SPHERE, .a = i - 1, .b = i, .radius = p[R], .other = p[R],
                                      .law = {.K = p[STIFF]}});
  }
  /* a hundredth of (m^2/(K^2 v0))^(1/5), of which a contact of two takes 2.4; until the last one has gone. It is 1e-4 by default */
  double m = p[M]/PARAMS[M].value, k = p[STIFF]/PARAMS[STIFF].value, unit = 1e-4*pow(m*m/(k*k*p[V0]), 0.2);
  c->step = unit/100;
  c->end = 2*n*unit + (n - 1)*p[GAP]/p[V0];
  return epi_case_world(c, w);
}

static double momentum(const epi_case *c, const epi_state *s)
{
  double P = 0;
  for (int i = 0; i < (int)c->p[N]; i++) P += c->p[M]*epi_world_pose(c->world, s, i).v[0];
  return P;
}

static double first(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, 0).v[0]; }
static double last(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, (int)c->p[N] - 1).v[0]; }

/* the largest of the contact forces */
static double force(const epi_case *c, const epi_state *s)
{
  double most = 0;
  for (int i = 0; i < (int)c->p[N] - 1; i++) {
    epi_action out;
    most = epi_world_action(c->world, s, i, &out) ? NAN : epi_larger(most, out.load);
  }
  return most;
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "momentum", .unit = "kg m/s", .value = momentum, .invariant = 1},
  {.name = "v-first", .unit = "m/s", .value = first},
  {.name = "v-last", .unit = "m/s", .value = last},
  {.name = "force", .unit = "N", .value = force},
  {0}
};

const epi_model epi_CRADLE = {
  .name = "cradle",
  .doc = "equal spheres in line with Hertz contacts, the first one comes; the last one leaves with all but a little of the speed",
  .cite = "Herrmann & Seitz, How does the ball-chain work?, Am. J. Phys. 50 (1982) 977",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "verlet", .step = 1e-6, .end = 1e-3
};
