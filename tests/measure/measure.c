/* holds: measured orders, symmetries and frequencies are those of closed forms, and false claims are caught
 * measure.c - the measurements a user can make: true claims hold, false ones are caught, what makes no sense is told in words;
 * frequencies against closed forms */
#include "epicycle.h"
#include "problems.h"
#include "test.h"
#include <stdlib.h>

#define PI 3.14159265358979323846
static const unsigned kinds[] = {EPI_SYMMETRIC, EPI_REVERSIBLE, EPI_SYMPLECTIC};

static epi_measured measure(const char *text, epi_system *s, double *y, double h, unsigned claim)
{
  epi_state x = {.y = y};
  epi_flow *f = epi_make(text, s);
  epi_measured m = epi_measure(f, &x, h, claim);
  epi_free(f);
  return m;
}

/* ---- the records, on two coupled oscillators ---- */
static const char *const flows[] = {
  "euler-symplectic", "verlet", "euler", "heun", "rk4", "dopri5", "dop853", "euler-implicit", "midpoint", "theta", "gauss",
  "gauss(stages=3)", "lobatto", "lobatto(stages=3)", "radau", "radau(stages=3)", "extrapolated", "adjoint(rk4)", "substeps(verlet, 3)",
  "symmetric(verlet)",
  "symmetric(verlet, order=6)", "symmetric(verlet, order=8)", "symmetric(verlet, table=blanes-moan)", "dense(dopri5)",
  "compose(kick, drift, weights=[0.5, 1, 0.5])",
};

/* what is claimed holds with room to spare, what is not claimed is seen not to hold: a judge who cannot tell would fail here */
static void records(void)
{
  epi_system s = {.nq = 2, .force = henon_force};
  double true_most = 0, false_least = HUGE_VAL;
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_flow *f = epi_make(flows[i], &s);
    epi_info info = info_of(f);
    epi_free(f);
    epi_measured order = measure(flows[i], &s, y, 0.1, 0);
    if (!check_count(order.holds, 1) | !check_abs(order.value, info.order, order.allowed + 0.6))
      printf("  order of %s: %s\n", flows[i], order.why);
    for (int k = 0; k < 3; k++) {
      epi_measured m = measure(flows[i], &s, y, 0.1, kinds[k]);
      int claimed = (info.claims & kinds[k]) != 0;
      if (!check_count(m.holds, claimed)) printf("  claim %u of %s: %g of %g, %s\n", kinds[k], flows[i], m.value, m.allowed, m.why);
      if (claimed) true_most = fmax(true_most, m.value/m.allowed);
      else false_least = fmin(false_least, m.value/m.allowed);
    }
  }
  printf("of what is allowed: true claims %.1e at most, false ones %.1e at least\n", true_most, false_least);
  check_below(true_most, 1e-2);
  check_above(false_least, 30);
}

/* a table of the user's that promises too much: Heun's method as one of order 3, symplectic, symmetric and reversible */
static void false_table(void)
{
  static const double a[] = {0, 0, 1, 0}, b[] = {0.5, 0.5};
  epi_table boastful = {.name = "boastful", .order = 3, .stages = 2, .a = a, .b = b,
                        .claims = EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_BACKWARD | EPI_CLOCK};
  epi_system s = {.nq = 2, .force = henon_force};
  epi_name names[] = {{.name = "model", .system = &s}, {.name = "boastful", .table = &boastful}, {0}};
  double y[4];
  memcpy(y, henon_start, sizeof y);
  epi_state x = {.y = y};
  epi_flow *f = epi_make_named("rk(table=boastful)", names);
  check(!epi_error(f));
  epi_measured order = epi_measure(f, &x, 0.1, 0);
  check_count(info_of(f).order, 3);
  check_count(order.holds, 0);
  check_abs(order.value, 2, 0.1);
  for (int k = 0; k < 3; k++) check_count(epi_measure(f, &x, 0.1, kinds[k]).holds, 0);
  epi_free(f);
}

/* kick and drift of a damped system claim order 2 and leave the velocity force out */
static void left_out(void)
{
  epi_system s = {.nq = 2, .force = henon_force, .velocity_force = quadratic_drag};
  double y[4];
  memcpy(y, henon_start, sizeof y);
  epi_measured m = measure("strang(kick, drift)", &s, y, 0.1, 0);
  check_count(m.holds, 0);
  check_abs(m.value, 0, 0.1);
  check_has(m.why, "leaves out a force");
  check_count(measure("verlet", &s, y, 0.1, 0).holds, 1);
}

/* ---- momenta are M v: with a dense mass Verlet is symplectic in these and in nothing else ---- */
static const double heavy[] = {3, 1, 1, 2};
static int divide(epi_system *s, const double *q, double *a)
{
  (void)s; (void)q;
  double x = (2*a[0] - a[1])/5, z = (3*a[1] - a[0])/5;
  a[0] = x;
  a[1] = z;
  return 0;
}

static void masses(void)
{
  static const double diagonal[] = {4, 0.25};
  epi_system kind[] = {
    {.nq = 2, .force = henon_force, .inertia.mass_matrix = heavy}, {.nq = 2, .force = henon_force, .inertia.mass_solve = divide},
    {.nq = 2, .force = henon_force, .mass = diagonal},
  };
  double value[3];
  for (int k = 0; k < 3; k++) {
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_measured m = measure("verlet", &kind[k], y, 0.1, EPI_SYMPLECTIC), bad = measure("heun", &kind[k], y, 0.1, EPI_SYMPLECTIC);
    check_count(m.holds, 1);
    check_below(m.value, 1e-9);
    check_count(bad.holds, 0);
    value[k] = bad.value;
  }
  /* the same mass said in two ways */
  check_rel(value[1], value[0], 1e-6);
}

/* ---- what makes no sense is not measured, and the sentence says why ---- */
static int swirl(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = -q[0] + 0.3*q[1];
  f[1] = -q[1] - 0.3*q[0];
  return 0;
}
static int at_rest(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = f[1] = 0; return 0; }
static int stairs(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = -1e-3*floor(1e3*q[0]);
  f[1] = -q[1];
  return 0;
}

static void words(void)
{
  static epi_system plain = {.nq = 2, .force = henon_force}, shaken = {.nq = 2, .force = shaken_force};
  static epi_system damped = {.nq = 2, .force = henon_force, .velocity_force = quadratic_drag}, curled = {.nq = 2, .force = swirl};
  static epi_system phased = {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1.3}}, rate = {.nz = 2, .rate = volterra};
  static epi_system still = {.nq = 2, .force = at_rest}, stepped = {.nq = 2, .force = stairs};
  static epi_system oneway = {.nq = 2, .force = henon_force, .traits.irreversible = 1};
  static epi_system pendulum = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
  static const struct { const char *flow; epi_system *s; unsigned claim; const char *why; } cases[] = {
    {"verlet", &shaken, EPI_REVERSIBLE, "depend on time"}, {"verlet", &phased, EPI_REVERSIBLE, "depend on time"},
    {"midpoint", &damped, EPI_REVERSIBLE, "direction of the velocities"}, {"gauss", &damped, EPI_SYMPLECTIC, "depend on velocity"},
    {"verlet", &curled, EPI_SYMPLECTIC, "has no potential"}, {"rk4", &rate, EPI_SYMPLECTIC, "no positions and momenta"},
    {"rk4", &rate, EPI_REVERSIBLE, "first-order variables"}, {"verlet", &pendulum, EPI_SYMPLECTIC, "constraints"},
    {"tolerance(dopri5)", &plain, 0, "chooses its steps"}, {"watch(verlet)", &plain, 0, "watch or an event"},
    {"kick", &plain, 0, "does not move time"}, {"verlet", &oneway, EPI_SYMMETRIC, "backward"}, {"rk4", &stepped, 0, "kink"},
    {"verlet", &plain, EPI_EXPLICIT, "cannot be measured"},
    {"density(verlet, eps=0.01, objective=arc)", &plain, 0, "leave eps out"},
    {"density(verlet, objective=arc)", &plain, EPI_SYMPLECTIC, "memory of its own time"},
  };
  for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
    double y[4] = {0.3, -0.2, 0.1, 0.25};
    if (cases[i].s == &rate) memcpy(y, volterra_start, sizeof volterra_start);
    if (cases[i].s == &pendulum) memcpy(y, (double[]){0.6, -0.8, 0.8, 0.6}, sizeof y);
    epi_measured m = measure(cases[i].flow, cases[i].s, y, 0.05, cases[i].claim);
    if (!check_count(m.holds, -1) | !check_has(m.why, cases[i].why)) printf("  in %s: %g\n", cases[i].flow, m.value);
  }
  double zero[4] = {0};
  check_has(measure("verlet", &still, zero, 0.1, 0).why, "nothing moves");
  check_has(measure("verlet", &plain, NULL, 0.1, 0).why, "a state with y");
  check_has(measure("verlet", &plain, zero, -1, 0).why, "positive step");
}

/* RATTLE and rotations have an order and a way back; so have steps in a time of their own */
static void structures(void)
{
  epi_system pendulum = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
  epi_system top = {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .mass = top_inertia,
                    .manifold = {.retract = top_turn, .retract_rate = top_slew}};
  epi_system plain = {.nq = 2, .force = henon_force};
  double y[7] = {0.6, -0.8, 0.8, 0.6};
  for (int k = 0; k < 2; k++) check_count(measure("verlet", &pendulum, y, 0.01, kinds[k]).holds, 1);
  check_abs(measure("symmetric(verlet)", &pendulum, y, 0.01, 0).value, 4, 0.1);
  top_start(y);
  check_abs(measure("rk4", &top, y, 0.01, 0).value, 4, 0.1);
  check_count(measure("rk4", &top, y, 0.01, EPI_SYMMETRIC).holds, 0);
  check_count(measure("midpoint", &top, y, 0.01, EPI_SYMMETRIC).holds, 1);
  memcpy(y, henon_start, sizeof henon_start);
  check_abs(measure("density(verlet, objective=arc)", &plain, y, 0.05, 0).value, 2, 0.1);
  for (int k = 0; k < 2; k++) check_count(measure("density(verlet, objective=arc)", &plain, y, 0.05, kinds[k]).holds, 1);
}

/* a measurement leaves no trace: the same bits as without it */
static void no_trace(void)
{
  static const char *const texts[] = {"symmetric(verlet)", "leapfrog-predicted", "density(verlet, objective=arc)",
                                      "verlet(hmm(verlet, even=1))",
                                      "rk4(strobe(substeps(rk4, 32), order=4))"};
  for (int k = 0; k < 5; k++) {
    epi_system s = {.nq = 2, .force = henon_force};
    if (k > 2) s = (epi_system){.nq = 2, .phase = {.forced = phased_force, .phase_rate = 400}};
    double y[2][4];
    for (int measured = 0; measured < 2; measured++) {
      memcpy(y[measured], henon_start, sizeof *y);
      epi_state x = {.y = y[measured]};
      epi_flow *f = epi_make(texts[k], &s);
      check_count(epi_advance(f, &x, 0.1, 10), 0);
      for (int i = 0; measured && i < 3; i++) epi_measure(f, &x, 0.1, kinds[i]);
      if (measured) check(epi_frequency(f, &x, NULL) > 0);
      check(!epi_error(f));
      check_count(epi_advance(f, &x, 0.1, 10), 0);
      epi_free(f);
    }
    check_bits(4, y[1], y[0]);
  }
}

/* ---- frequencies ---- */
static double frequency(const char *text, epi_system *s, double *y, double *decay)
{
  epi_state x = {.y = y};
  epi_flow *f = epi_make(text, s);
  double w = epi_frequency(f, &x, decay);
  epi_free(f);
  return w;
}

static int chain(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  for (int i = 0, n = s->nq; i < n; i++) f[i] = -2*q[i] + (i ? q[i-1] : 0) + (i < n - 1 ? q[i+1] : 0);
  return 0;
}

/* n equal masses and springs between two walls: the fastest mode has w = 2 sin(n pi/2(n + 1)) */
static void chains(void)
{
  static const struct { int n; double tol; } sizes[] = {{1, 1e-9}, {5, 1e-9}, {25, 1e-8}, {125, 1e-3}, {1000, 1e-3}};
  for (size_t i = 0; i < sizeof sizes/sizeof *sizes; i++) {
    int n = sizes[i].n;
    double *y = calloc(2*(size_t)n, sizeof *y);
    epi_system s = {.nq = n, .force = chain};
    for (int k = 0; k < n; k++) y[k] = 0.1*sin(k + 1);
    check_rel(frequency("verlet", &s, y, NULL), 2*sin(n*PI/(2*(n + 1))), sizes[i].tol);
    free(y);
  }
}

static int spring(epi_system *s, double t, const double *q, double *f) { (void)t; f[0] = -*(double *)s->data*q[0]; return 0; }
static int dashpot(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 1.4*v[0];
  return 0;
}
static int prey(epi_system *s, double t, const double *y, double *dy)
{
  (void)s; (void)t;
  dy[0] = y[0]*(2 - y[1]);
  dy[1] = y[1]*(3*y[0] - 4.5);
  return 0;
}
static int not_there(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = 0; return EPI_TOO_FAR; }

static void closed_forms(void)
{
  double k = 9, hard = 1e12, decay;
  epi_system spring_1 = {.nq = 1, .force = spring, .data = &k}, stiff = {.nq = 1, .force = spring, .data = &hard};
  epi_system damped = {.nq = 1, .force = spring, .velocity_force = dashpot, .data = &k}, volterra_2 = {.nz = 2, .rate = prey};
  epi_system pendulum = {.nq = 2, .nc = 1, .force = weight, .constraint = rod}, wrong = {.nq = 1, .force = not_there};
  epi_system top = {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .mass = top_inertia,
                    .manifold = {.retract = top_turn, .retract_rate = top_slew}};
  check_rel(frequency("verlet", &spring_1, (double[]){0.1, 0}, NULL), 3, 1e-9);
  check_rel(frequency("verlet", &spring_1, (double[]){0, 0}, NULL), 3, 1e-9);
  check_rel(frequency("verlet", &stiff, (double[]){1e-9, 3}, NULL), 1e6, 1e-6);
  check_rel(frequency("rk4", &damped, (double[]){0.3, 0.1}, &decay), sqrt(9 - 0.49), 1e-8);
  check_rel(decay, 0.7, 1e-8);
  check_rel(frequency("rk4", &volterra_2, (double[]){1.5, 2}, NULL), 3, 1e-8);
  /* on a rod of length 1: sqrt(g cos(angle)) at rest */
  check_rel(frequency("verlet", &pendulum, (double[]){0, -1, 0, 0}, NULL), sqrt(9.8), 1e-8);
  check_rel(frequency("verlet", &pendulum, (double[]){0.6, -0.8, 0, 0}, NULL), sqrt(9.8*0.8), 1e-8);
  /* a top that hangs: two pendula, of inertia 1 and 1.5 about their axes and a torque of 1 */
  check_rel(frequency("rk4", &top, (double[]){0, 1, 0, 0, 0, 0, 0}, NULL), 1, 1e-7);
  check(isnan(frequency("verlet", &wrong, (double[]){0.1, 0}, NULL)));
}

int main(void)
{
  records();
  false_table();
  left_out();
  masses();
  words();
  structures();
  no_trace();
  chains();
  closed_forms();
  return test_done();
}
