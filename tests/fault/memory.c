/* holds: whichever allocation fails in the library, a sentence says so and nothing crashes or leaks */
#include "wrap.h"
#include "epicycle.h"

static int force(epi_system *s, double t, const double *q, double *f) {
  (void)s, (void)t;
  for (int i = 0; i < 2; i++) f[i] = -q[i] - q[i]*q[i]*q[i];
  return 0;
}
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f) {
  (void)s, (void)t, (void)q;
  for (int i = 0; i < 2; i++) f[i] -= 0.1*v[i];
  return 0;
}
/* the first mass on a circle, as one dense constraint and as a pattern */
static int circle(epi_system *s, double t, const double *q, double *g, double *G, double *gt) {
  (void)s, (void)t, (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 1;
  G[0] = 2*q[0];
  G[1] = 2*q[1];
  return 0;
}
static const int starts[] = {0, 2}, touches[] = {0, 1};
static double energy(epi_system *s, double t, const double *y) {
  (void)s, (void)t;
  double E = 1 + (y[2]*y[2] + y[3]*y[3])/2;
  for (int i = 0; i < 2; i++) E += y[i]*y[i]/2 + y[i]*y[i]*y[i]*y[i]/4;
  return E;
}
static int stiff_force(epi_system *s, double t, const double *q, double *f) {
  double r = hypot(q[0], q[1]), pull = -1e6*(r - 1)/r;
  (void)s, (void)t;
  f[0] = pull*q[0], f[1] = pull*q[1];
  return 0;
}
static const double mass[] = {2, 0.5, 0.5, 1};
static const epi_system spring = {.nq = 2, .force = force, .inertia.mass_matrix = mass},
  damped = {.nq = 2, .force = force, .velocity_force = velocity_force},
                        fast = {.nq = 2, .force = force, .phase.period = 0.001},
                          held = {.nq = 2, .nc = 1, .force = force, .constraint = circle},
                        still = {.nq = 2, .force = force, .energy = energy}, stiff = {.nq = 2, .force = stiff_force},
                        patterned = {.nq = 2, .nc = 1, .force = force, .constraint = circle,
                                     .constraints = {.rowptr = starts, .cols = touches}};

typedef struct { const char *text; const epi_system *system; } composition;
static const composition compositions[] = {
  {"verlet", &spring}, {"symmetric(verlet, order=8)", &spring}, {"substeps(rk4, 3)", &spring},
  {"tolerance(dopri5, rtol=1e-8)", &damped}, {"strang(velocity-kick, strang(kick, drift))", &damped}, {"gauss(stages=3)", &damped},
  {"adjoint(euler-implicit)", &damped}, {"dense(tolerance(dopri5, rtol=1e-6, atol=[1e-8, 1e-8, 1e-9, 1e-9]))", &damped},
  {"symmetric(verlet(hmm(verlet, start=rest)))", &fast}, {"project(tolerance(dopri5(hmm(rk4, start=current, steps=8))), drift=0.1)", &fast},
  {"rk4(strobe(substeps(verlet, 8), order=4))", &fast}, {"leapfrog-predicted(sum(model, model))", &damped},
  {"verlet", &held}, {"shake", &held}, {"herk4", &held}, {"lobatto(stages=3)", &held}, {"verlet", &patterned}, {"herk3", &patterned},
  {"density(verlet, objective=arc)", &spring}, {"scaled(symmetric(verlet))", &still}, {"twin(scaling=potential, order=4)", &still},
  {"variational(scaling=potential)", &still}, {"variational(0.3)", &damped},
  {"verlet(adiabatic)", &stiff}, {"rk4(adiabatic(form=rate, actions=[0.001]))", &stiff},
};
static const char *const cases[] = {
  "kepler(e=0.6)", "pendulum", "inverted-pendulum", "rotor", "van-der-pol", "stiff-springs", "spring-chain", "two-oscillators",
  "bounce", "billiard", "oscillator", "magnetic-pendulum", "rigid-body", "heavy-top",
  "slider-crank", "slider-crank(as=penalty)", "four-bar", "cradle", "drop", "rolling-sphere", "rod-pendulum", "stack(n=2)",
  "spring-pendulum", "roller-bearing(Z=4, slices=2)"
};

static void keep(char *said, size_t size, const char *error) { snprintf(said, size, "%s", error ? error : ""); }

/* make, move, free */
static void make(const void *what, char *said, size_t size) {
  const composition *c = what;
  double y[4] = {1, 0, 0, 1};
  epi_system system = *c->system;
  epi_state s = {.y = y};
  epi_flow *f = epi_make(c->text, &system);
  check(f != NULL);
  int bad = epi_advance(f, &s, 0.01, 5);
  keep(said, size, epi_error(f));
  /* a flow that could not be made does not move */
  check_count(!!bad, said[0] != 0);
  if (bad) check_count(s.t == 0 && y[0] == 1 && y[3] == 1, 1);
  epi_free(f);
}

static void make_case(const void *what, char *said, size_t size) {
  epi_case *c = epi_case_make(what);
  if (!c) { keep(said, size, "out of memory"); return; }
  keep(said, size, c->error);
  if (!said[0]) {
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    epi_advance(f, &s, c->step, 2);
    keep(said, size, epi_error(f));
    epi_free(f);
  }
  epi_case_free(c);
}

/* the user's own flow is taken over, also by a tree that cannot be made */
static void make_named(const void *what, char *said, size_t size) {
  (void)what;
  epi_system system = spring;
  double y[4] = {1, 0, 0, 1};
  epi_state s = {.y = y};
  epi_flow *mine = epi_make("verlet", &system);
  const epi_name names[] = {{.name = "model", .system = &system}, {.name = "mine", .flow = mine}, {0}};
  epi_flow *f = epi_make_named("symmetric(substeps(mine, 2), order=4)", names);
  epi_advance(f, &s, 0.01, 2);
  keep(said, size, epi_error(f));
  epi_free(f);
}

/* a checkpoint in a file; save and load when memory is short, and again when it is not */
typedef struct { epi_flow *flow; epi_state *state; FILE *file; } checkpoint;

static void save(const void *what, char *said, size_t size) {
  const checkpoint *c = what;
  rewind(c->file);
  int bad = epi_save(c->flow, c->state, c->file);
  keep(said, size, bad ? epi_error(c->flow) : "");
}

static void load(const void *what, char *said, size_t size) {
  const checkpoint *c = what;
  double before[4];
  memcpy(before, c->state->y, sizeof before);
  rewind(c->file);
  int bad = epi_load(c->flow, c->state, c->file);
  keep(said, size, bad ? epi_error(c->flow) : "");
  if (bad) check_bits(4, c->state->y, before);
}

static long checkpoints(void) {
  epi_system system = damped;
  double y[4] = {1, 0, 0, 1}, end[4];
  epi_state s = {.y = y};
  epi_flow *f = epi_make("tolerance(dopri5, rtol=1e-8)", &system);
  checkpoint c = {f, &s, tmpfile()};
  if (!check(c.file)) test_stop("no temporary file");
  check_count(epi_advance(f, &s, 0.1, 5), 0);
  long points = wrap_sweep(&wrap.memory, "epi_save", "memory", save, &c);
  check_count(epi_advance(f, &s, 0.1, 5), 0);
  memcpy(end, y, sizeof end);
  points += wrap_sweep(&wrap.memory, "epi_load", "memory", load, &c);
  check_abs(s.t, 0.5, 1e-15);
  check_count(epi_advance(f, &s, 0.1, 5), 0);
  check_bits(4, y, end);
  epi_free(f);
  fclose(c.file);
  return points;
}

int main(void) {
  long points = 0;
  for (size_t i = 0; i < sizeof compositions/sizeof *compositions; i++)
    points += wrap_sweep(&wrap.memory, compositions[i].text, "memory", make, &compositions[i]);
  for (size_t i = 0; i < sizeof cases/sizeof *cases; i++)
    points += wrap_sweep(&wrap.memory, cases[i], "memory", make_case, cases[i]);
  points += wrap_sweep(&wrap.memory, "epi_make_named", "memory", make_named, NULL);
  points += checkpoints();
  check_count(wrap.live, 0);
  printf("%ld allocations failed, one after the other\n", points);
  check_above((double)points, 100);
  return test_done();
}
