/* stack.c - spheres on one another on a plane: they settle until every contact carries the weight above it */
#include "bodies.h"

enum { N, M, R, STIFF, CHI, G };
enum { MOST = 100 };

static const epi_param PARAMS[] = {
  [N] = {.name = "n", .unit = "", .value = 4, .kind = EPI_COUNT, .doc = "number of spheres"},
  [M] = {.name = "m", .unit = "kg", .value = 0.1, .doc = "mass of each", .range = EPI_POSITIVE},
  [R] = {.name = "r", .unit = "m", .value = 0.02, .doc = "radius of each", .range = EPI_POSITIVE},
  [STIFF] = {.name = "K", .unit = "N/m^1.5", .value = 1e7, .doc = "of the contacts, Q = K depth^1.5 (1 + chi depth')",
             .range = EPI_POSITIVE},
  [CHI] = {.name = "chi", .unit = "s/m", .value = 50, .doc = "their damping",
           .range = {0, EPI_UNBOUNDED, .words = " feeds energy into the contacts: take chi >= 0"}},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -z", .range = EPI_POSITIVE},
  {0}
};

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(p[N] >= 1 && p[N] <= MOST)) return epi_case_refuse(c, "n = %g spheres make no stack: take 1 to %d", p[N], MOST);
  int n = (int)p[N];
  double I = 0.4*p[M]*p[R]*p[R], weight = n*p[M]*p[G], sunk = cbrt(weight/p[STIFF]*weight/p[STIFF]);
  if (sunk > 0.1*p[R])
    return epi_case_refuse(c, "K = %g is too soft: the lowest sphere of r = %g is pressed in by %g; take a larger K", p[STIFF], p[R], sunk);
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_add_gravity(w, (double[]){0, 0, -p[G]});
  for (int i = 0; i < n; i++) {
    char name[24];
    snprintf(name, sizeof name, "ball%d", i + 1);
    epi_add_body(w, &(epi_body){.name = name, .mass = p[M], .inertia = {I, I, I}, .at = {0, 0, (2*i + 1)*p[R]}});
  }
  for (int i = 0; i < n; i++) {
    char name[24];
    snprintf(name, sizeof name, "touch%d", i + 1);
    epi_add_contact(w, &(epi_contact){.name = name, .shape = i ? EPI_SPHERE_SPHERE : EPI_SPHERE_PLANE, .a = i, .b = i ? i - 1 : EPI_GROUND,
                                      .radius = p[R],
                                      .other = p[R], .normal = {0, 0, 1}, .law = {.K = p[STIFF], .chi = p[CHI]}});
  }
  /* two contacts swing a sphere, each at most twice as hard pressed as at rest, and damp it */
  c->step = fmin(0.2/sqrt(3*p[STIFF]*sqrt(2*sunk)/p[M]), p[M]/(4*p[CHI]*weight + 1e-300));
  return epi_case_world(c, w);
}

static double load(const epi_case *c, const epi_state *s, int i)
{
  epi_action out;
  return epi_world_action(c->world, s, i, &out) ? NAN : out.load;
}

static double bottom(const epi_case *c, const epi_state *s) { return load(c, s, 0); }
static double top(const epi_case *c, const epi_state *s) { return load(c, s, (int)c->p[N] - 1); }

/* contact i carries n - i spheres */
static double unrest(const epi_case *c, const epi_state *s)
{
  double most = 0, weight = c->p[M]*c->p[G];
  for (int i = 0; i < (int)c->p[N]; i++) most = epi_larger(most, fabs(load(c, s, i) - (c->p[N] - i)*weight));
  return most;
}

static double highest(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, (int)c->p[N] - 1).r[2] + c->p[R]; }

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "bottom", .unit = "N", .value = bottom},
  {.name = "top", .unit = "N", .value = top},
  {.name = "unrest", .unit = "N", .value = unrest},
  {.name = "height", .unit = "m", .value = highest},
  {0}
};

const epi_model epi_STACK = {
  .name = "stack",
  .doc = "spheres on one another settle until each contact carries the weight above it; unrest: the largest force that is missing or too "
         "much",
  .cite = "Hunt & Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975) 440",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "semi(model.contacts, model.stiff)", .step = 1.1348114339413467e-4, .end = 1
};
