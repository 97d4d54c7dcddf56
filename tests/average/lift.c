/* holds: the lifted state of a slow one agrees with closed forms and resolved runs to first order in the period
 * lift.c - the oscillating state that belongs to a slow one, found from the accelerations at the phases of one turn: against a closed form;
 * of bodies with joints, on a ground or a pivot that is shaken from any phase, against the same resolved, to first order in the period
 * label: slow   cost: 25 */
#include "test.h"
#include "epicycle.h"
#include "epicycle/file.h"
#include "epicycle/result.h"

/* ---- a cart that is pushed, with overtones: v = P + a sin theta + b sin 3 theta, q = Q - (a cos theta + b cos 3 theta/3)/w ---- */
static const double W = 2e4, A = 0.7, B = 0.3;
static int pushed(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] = W*(A*cos(theta) + 3*B*cos(3*theta));
  return 0;
}

static void closed(void)
{
  epi_system m = {.nq = 1, .phase = {.forced = pushed, .phase_rate = W, .theta0 = 0.9}};
  epi_flow *f = epi_make("project(rk4(hmm(symmetric(verlet, order=8), start=lift)))", &m);
  epi_flow *g = epi_make("rk4(hmm(verlet, start=lift))", &m);
  double v0 = A*sin(0.9) + B*sin(2.7), y[] = {1, 0.25 + v0}, Q = 1 + (A*cos(0.9) + B*cos(2.7)/3)/W;
  epi_state s = {.theta = 0.9, .y = y};
  check_count(epi_run(f, &s, 0.5, 0.1), 0);
  check_abs(y[0], Q + 0.125, 1e-9);
  check_abs(y[1], 0.25, 1e-7);
  check(epi_warning(f, 0) == NULL);
  /* the start is taken for the slow one, and it may be the oscillating one */
  y[0] = 1, y[1] = 0.25;
  s = (epi_state){.theta = 0.9, .y = y};
  check_count(epi_run(g, &s, 0.5, 0.1), 0);
  check_has(epi_warning(g, 0) ? epi_warning(g, 0) : "", "the state is the slow one");
  epi_free(f);
  epi_free(g);
}

/* ---- bodies; a f = 1 m/s ---- */
static const char ROD[] =
  "world:\n  gravity: 9.81\n  settle: yes\n"
  "  motion: {along: z, amplitude: %.17g, frequency: %g Hz, phase: %g deg}\n"
  "  bodies: [{name: rod, mass: 0.5, inertia: [0.00667, 0.00667, 1e-6], at: [0.0958851077208406, 0, 0.175516512378075],\n"
  "            rotate: {axis: y, angle: 0.5 rad}}]\n"
  "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y}]\nend: 0.1\nstep: 1e-5\n";
static const char PIVOT[] =
  "world:\n  gravity: 9.81\n  settle: yes\n"
  "  bodies: [{name: rod, mass: 0.5, inertia: [0.00667, 0.00667, 1e-6], at: [0.0958851077208406, 0, 0.175516512378075],\n"
  "            rotate: {axis: y, angle: 0.5 rad}}]\n"
  "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y,\n"
  "            motion: {along: z, amplitude: %.17g, frequency: %g Hz, phase: %g deg}}]\nend: 0.1\nstep: 1e-5\n";
static const char TOP[] =
  "world:\n  gravity: 9.81\n  settle: yes\n"
  "  motion: {along: [1, 0, 2], amplitude: %.17g, frequency: %g Hz, phase: %g deg}\n"
  "  bodies: [{name: top, mass: 0.2, inertia: [2e-4, 2e-4, 3e-4], at: [0.0194709171154325, 0, 0.0460530497001443],\n"
  "            rotate: {axis: y, angle: 0.4 rad}, spin: [0, 0, 120]}]\n"
  "  joints: [{name: foot, a: top, hold: point, at: [0, 0, 0]}]\nend: 0.1\nstep: 1e-5\n";

/* a mass that turns on a cart: at its start the cart is at the end of its swing */
static const char CART[] =
  "world:\n"
  "  bodies: [{name: cart, mass: 1, inertia: 1}]\n"
  "  joints: [{name: rail, a: cart, hold: [y, z, rx, ry, rz]}]\n"
  "  springs: [{name: spring, a: cart, at_b: [-1, 0, 0], length: 1, stiffness: 4e4}]\n"
  "  loads: [{name: rotor, body: cart, unbalance: {mass: 1, radius: %.17g, axis: z, frequency: %g Hz, phase: %g deg}}]\n"
  "end: 0.1\nstep: 1e-5\n";

enum { N = 13, PLACE = 7 };
/* the state at the end, which is at another phase than the start; fast: of the columns fast-NAME */
static int reach(const char *model, double f, double phase, double shake, const char *flow, double step, int fast, double *y)
{
  char text[1200];
  snprintf(text, sizeof text, model, shake/f, f, phase);
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = step, .end = 0.05 + 0.35/f, .every = 0.03, .fast = fast});
  int bad = epi_result_run(r);
  if (bad && !strstr(r->error, "project(...)")) test_stop(r->error);
  for (int i = 0; i < N && !bad; i++) y[i] = r->row[fast ? r->nout - N + i : 1 + i];
  epi_result_free(r);
  epi_case_free(c);
  epi_file_free(file);
  return bad;
}

static double apart(int from, int to, const double *x, const double *y)
{
  double most = 0;
  for (int i = from; i < to; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

static void bodies(const char *name, const char *model, double phase, double shake, const char *start, double places, double velocities)
{
  double whole[N], y[N], off[2], fast[2];
  char flow[200];
  snprintf(flow, sizeof flow, "project(tolerance(dopri5(hmm(symmetric(verlet, order=4), start=%s, leak=1e-6)), rtol=1e-6))", start);
  for (int k = 0; k < 2; k++) {
    double f = k ? 2000 : 1000;
    check_count(reach(model, f, phase, shake, "symmetric(verlet, order=4)", 0.02/f, 0, whole), 0);
    check_count(reach(model, f, phase, shake, flow, 0.1, 1, y), 0);
    off[k] = apart(0, PLACE, y, whole);
    fast[k] = apart(PLACE, N, y, whole);
  }
  printf("%s from %g deg, start=%s: places %.2g, %.2g, velocities %.2g, %.2g\n", name, phase, start, off[0], off[1], fast[0], fast[1]);
  check_below(off[1], places);
  check_below(fast[1], velocities);
  /* half of it, or less, with half the period */
  check(off[1] < 2e-5 || off[0]/off[1] > 1.6);
  check(fast[0]/fast[1] > 1.4);
}

/* windows that start at the slow place have means that are off by the swing; those that are lifted by a tenth of it at most */
static void swings(void)
{
  static const char *const starts[] = {"lift", "current"};
  double whole[N], y[N], off[2];
  check_count(reach(CART, 2000, 0, 1, "symmetric(verlet, order=4)", 1e-5, 0, whole), 0);
  for (int k = 0; k < 2; k++) {
    char flow[200];
    snprintf(flow, sizeof flow, "project(tolerance(dopri5(hmm(symmetric(verlet, order=4), start=%s, leak=1e-6)), rtol=1e-7))", starts[k]);
    check_count(reach(CART, 2000, 0, 1, flow, 0.1, 1, y), 0);
    off[k] = apart(0, PLACE, y, whole);
  }
  printf("cart: off by %.2g from a lifted start, by %.2g from the slow one\n", off[0], off[1]);
  check_below(off[0], 0.1*off[1]);
}

int main(void)
{
  double y[N];
  closed();
  swings();
  bodies("rod", ROD, 0, 1, "lift", 1e-4, 0.05);
  bodies("rod", ROD, 50, 1, "current", 1e-3, 0.05);
  bodies("rod on its pivot", PIVOT, 0, 1, "lift", 1e-4, 0.05);
  bodies("rod on its pivot", PIVOT, 50, 1, "current", 1e-3, 0.05);
  bodies("top", TOP, 20, 0.2, "lift", 5e-3, 2);
  /* joints that move give the start a velocity that the slow motion has not */
  check(reach(PIVOT, 1000, 0, 1, "rk4(hmm(verlet, start=lift))", 0.01, 0, y) != 0);
  return test_done();
}
