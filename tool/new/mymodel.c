/* mymodel.c - a mass on a spring that stiffens: m x'' = -k x - c x^3
 *
 * Run it:       epicycle run mymodel.c k=2 --report mymodel.html
 * Look at it:   epicycle show mymodel.c
 * Change what stands below. The system is described in <epicycle.h>, which this command brings along. */
#include <epicycle.h>
#include <math.h>

/* parameters: name, unit, default, what it is, its range; k=2 on the command line changes one */
enum { M, K, C, X0, V0 };
static const epi_param PARAMS[] = {
  [M] = {.name = "m", .unit = "kg", .value = 1, .doc = "mass", .range = EPI_POSITIVE},
  [K] = {.name = "k", .unit = "N/m", .value = 1, .doc = "stiffness of the spring"},
  [C] = {.name = "c", .unit = "N/m^3", .value = 0.5, .doc = "how it stiffens"},
  [X0] = {.name = "x0", .unit = "m", .value = 1, .doc = "start: position"},
  [V0] = {.name = "v0", .unit = "m/s", .value = 0, .doc = "start: velocity"},
  {0}
};
static const char *const NAMES[] = {"x", "v"}, *const UNITS[] = {"m", "m/s"};

/* the force of positions alone; one that depends on velocity is another slot, velocity force */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] = -p[K]*q[0] - p[C]*q[0]*q[0]*q[0];
  return 0;
}

static double energy(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  double x = y[0], v = y[1];
  return p[M]*v*v/2 + p[K]*x*x/2 + p[C]*x*x*x*x/4;
}

/* from the parameters c->p: the system and the start */
static int make(epi_case *c)
{
  const double *p = c->p;
  if (p[C] < 0) return epi_case_refuse(c, "c = %g lets the mass run away: take c >= 0", p[C]);
  c->system = (epi_system){
    .nq = 1, .force = force, .mass = &p[M], .energy = energy, .names = NAMES, .units = UNITS, .data = c->p
  };
  if (epi_case_start(c)) return -1;
  c->y[0] = p[X0];
  c->y[1] = p[V0];
  return 0;
}

/* what is printed and plotted beside the coordinates; invariant: it should stay as it is, and the report says how well it does */
static double energy_now(const epi_case *c, const epi_state *s) { return energy((epi_system *)&c->system, s->t, s->y); }
static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = energy_now, .invariant = 1},
  {0}
};

/* what it looks like in the report; up is z */
static void draw(const epi_case *c, const epi_state *s, epi_scene *scene)
{
  (void)c;
  epi_show(scene, &(epi_shape){.name = "wall", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.1, 1, 1}, .at = {-3, 0, 0}});
  epi_show(scene, &(epi_shape){.name = "spring", .kind = EPI_COIL, .size = {0.15, 12}, .at = {-3, 0, 0}, .to = {s->y[0] - 0.25, 0, 0}});
  epi_show(scene, &(epi_shape){.name = "mass", .kind = EPI_BOX, .appearance = EPI_STEEL, .size = {0.5, 0.5, 0.5}, .at = {s->y[0], 0, 0}});
}

/* without flow and step one is chosen whose solution is right to 1e-6 */
EPI_MODEL = {
  .name = "mymodel", .doc = "a mass on a spring that stiffens",
  .params = PARAMS, .make = make, .observables = OBSERVABLES, .draw = draw,
  .flow = "verlet", .step = 0.05, .end = 50
};
