/* holds: a step allocates nothing, for every record of the registry */
#include "wrap.h"
#include "problems.h"

static int force(epi_system *s, double t, const double *q, double *f) {
  (void)s, (void)t;
  f[0] = -q[0] - 0.1*q[0]*q[1];
  f[1] = -q[1] - 0.05*q[0]*q[0];
  return 0;
}
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f) {
  (void)s, (void)t, (void)q;
  f[0] -= 0.1*v[0], f[1] -= 0.2*v[1];
  return 0;
}
static int rate(epi_system *s, double t, const double *y, double *dy) {
  (void)s, (void)t;
  dy[0] = y[2], dy[1] = y[3], dy[2] = -y[0] - 0.1*y[0]*y[1], dy[3] = -y[1] - 0.05*y[0]*y[0];
  return 0;
}
static int see(void *data, const epi_system *m, epi_state *s) { (void)m, (void)s; ++*(long *)data; return 0; }

static int forced(epi_system *s, double t, double theta, const double *q, double *f) {
  force(s, t, q, f);
  f[0] += cos(theta);
  return 0;
}

static int wall(epi_system *s, double t, const double *q, double *g, double *G) {
  (void)s, (void)t;
  g[0] = 2 + q[0], G[0] = 1, G[1] = 0;
  return 0;
}

static int line(epi_system *s, double t, const double *q, double *g, double *G, double *gt) {
  (void)s, (void)t, (void)gt;
  g[0] = 0.3*(q[0] - 1) - 0.1*(q[1] - 0.2), G[0] = 0.3, G[1] = -0.1;
  return 0;
}

/* a record must move at least one of these; the period is for averages */
static const epi_system systems[] = {
  {.nq = 2, .force = force, .phase.period = 0.01}, {.nq = 2, .force = force, .velocity_force = velocity_force},
  {.nq = 2, .velocity_force = velocity_force},
  {.nq = 2, .phase = {.forced = forced, .phase_rate = 600}}, {.nz = 4, .rate = rate, .phase.period = 0.01},
  {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .objective = henon_objective},
   .contacts = {.ng = 1, .gap = wall, .stiffness = (const double[]){1}}},
  {.nq = 2, .nc = 1, .force = force, .constraint = line},
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .manifold = {.retract = top_turn, .retract_rate = top_slew},
   .mass = top_inertia},
};
enum { SYSTEMS = sizeof systems/sizeof *systems };

/* whatever an example calls its own */
static const epi_table ralston = {.name = "ralston", .order = 2, .stages = 2, .a = (const double[]){0, 0, 2/3., 0},
                                  .b = (const double[]){0.25, 0.75}};

/* allocations in the steps of this text on this system; -1: refused */
static long allocations(const char *text, epi_system system) {
  const double start[7] = {1, 0.2, 0.1, 0.3, 0.4, 0.1, 0.2};
  double y[7];
  long seen = 0;
  memcpy(y, start, sizeof y);
  epi_state s = {.y = y};
  const epi_name names[] = {
    {.name = "model", .system = &system}, {.name = "a", .system = &system}, {.name = "b", .system = &system},
    {.name = "model.contacts", .system = &system}, {.name = "model.stiff", .system = &system},
    {.name = "mine", .see = see, .table = &ralston, .data = &seen}, {0}
  };
  epi_flow *f = epi_make_named(text, names);
  if (epi_error(f)) { epi_free(f); return -1; }
  wrap.memory.calls = 0;
  for (int i = 0; i < 5; i++) {
    int bad = epi_advance(f, &s, 0.01, 40);
    if (!check(!bad || bad == EPI_STOPPED)) { printf("  %s: %s\n", text, epi_error(f)); break; }
  }
  long made = wrap.memory.calls;
  check(memcmp(y, start, sizeof y) != 0);
  epi_free(f);
  return made;
}

static int stiff_spring(epi_system *s, double t, const double *q, double *f) {
  double r = hypot(q[0], q[1]), pull = -1e6*(r - 1)/r;
  (void)s, (void)t;
  f[0] = pull*q[0], f[1] = pull*q[1] - 1;
  return 0;
}

/* the slow system of a stiff one learns from the start of a run, which is no step */
static int moved_slowly(void) {
  static const char *const all[] = {"verlet(adiabatic(model))", "tolerance(dopri5(adiabatic(form=rate)), rtol=1e-4)"};
  for (int i = 0; i < 2; i++) {
    epi_system stiff = {.nq = 2, .force = stiff_spring};
    double y[4] = {1.001, 0, 0, 0.3};
    epi_state s = {.y = y};
    epi_flow *f = epi_make(all[i], &stiff);
    check_count(epi_settle(f, &s), 0);
    wrap.memory.calls = 0;
    check_count(epi_advance(f, &s, 0.01, 200), 0);
    check_count(wrap.memory.calls, 0);
    epi_free(f);
  }
  return 2;
}

/* how many of the systems this text moves */
static int moved(const char *text) {
  int worked = 0;
  for (int i = 0; i < SYSTEMS; i++) {
    long n = allocations(text, systems[i]);
    if (n < 0) continue;
    worked++;
    if (!check_count(n, 0)) printf("  %s allocates in its steps\n", text);
  }
  return worked;
}

int main(void) {
  int records = 0, runs = 0;
  for (const epi_record *const *r = epi_records(); *r; r++, records++) {
    if (absent((*r)->name)) { printf("%s is not in this build\n", (*r)->name); continue; }
    if (!strcmp((*r)->name, "adiabatic")) { runs += moved_slowly(); continue; }
    int by_name = moved((*r)->name), by_example = moved((*r)->example);
    if (!check_above(by_name + by_example, 1)) printf("  neither %s nor %s moves any of the systems\n", (*r)->name, (*r)->example);
    runs += by_name + by_example;
  }
  /* what the example of semi does not show: steps chosen and cut, the velocity ahead; on constraints */
  static const char *const more[] = {"semi(a, b, tol=0.001, ahead=1)", "semi(a, b, sigma=0.1)", "semi(a, b, beta=0.5)"},
    *const two[] = {"nam(a, b)", "nam(a, b, k=3, tol=0.001)"};
  for (size_t i = 0; i < sizeof two/sizeof *two; i++) check_above(moved(two[i]), 2);
  for (size_t i = 0; i < sizeof more/sizeof *more; i++) {
    epi_system held = {.nq = 2, .nc = 1, .force = force, .velocity_force = velocity_force, .constraint = line};
    check_above(moved(more[i]), 3);
    check_count(allocations(more[i], held), 0);
  }
  printf("%d records, %d runs, no allocation in a step\n", records, runs);
  check_above(records, 20);
  check_count(wrap.live, 0);
  return test_done();
}
