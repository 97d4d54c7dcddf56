/* holds: averages of bodies with rotations and joints agree with resolved runs to first order in the period
 * average-bodies.c - averages of bodies that turn and are held by joints: a rod upright on a shaken ground or on a pivot that is shaken, a
 * spinning top on a shaker, a cart on a shaken spring and under a friction that is shaken, against the same resolved; orders in the period,
 * what is refused
 * label: slow   cost: 45 */
#include "test.h"
#include "epicycle.h"
#include "epicycle/file.h"

static const char ROD[] =
  "world:\n"
  "  gravity: 9.81\n"
  "  motion: {along: z, amplitude: %.17g, frequency: %g Hz, phase: 90 deg}\n"
  "  bodies: [{name: rod, mass: 0.5, inertia: [0.00667, 0.00667, 1e-6], at: [0.0958851077208406, 0, 0.175516512378075],\n"
  "            rotate: {axis: y, angle: 0.5 rad}}]\n"
  "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y}]\n"
  "end: 0.1\nstep: 1e-5\n";
static const char TOP[] =
  "world:\n"
  "  gravity: 9.81\n"
  "  motion: {along: [1, 0, 2], amplitude: %.17g, frequency: %g Hz, phase: 90 deg}\n"
  "  bodies: [{name: top, mass: 0.2, inertia: [2e-4, 2e-4, 3e-4], at: [0.0194709171154325, 0, 0.0460530497001443],\n"
  "            rotate: {axis: y, angle: 0.4 rad}, spin: [0, 0, 120]}]\n"
  "  joints: [{name: foot, a: top, hold: point, at: [0, 0, 0]}]\n"
  "end: 0.1\nstep: 1e-5\n";

static const char PIVOT[] =
  "world:\n"
  "  gravity: 9.81\n"
  "  bodies: [{name: rod, mass: 0.5, inertia: [0.00667, 0.00667, 1e-6], at: [0.0958851077208406, 0, 0.175516512378075],\n"
  "            rotate: {axis: y, angle: 0.5 rad}}]\n"
  "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y,\n"
  "            motion: {along: z, amplitude: %.17g, frequency: %g Hz, phase: 90 deg}}]\n"
  "end: 0.1\nstep: 1e-5\n";
/* a pivot that is shaken and goes to the side by slow time */
static const char SLOW[] =
  "world:\n"
  "  gravity: 9.81\n"
  "  bodies: [{name: rod, mass: 0.5, inertia: [0.00667, 0.00667, 1e-6], at: [0.0958851077208406, 0, 0.175516512378075],\n"
  "            rotate: {axis: y, angle: 0.5 rad}}]\n"
  "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y, motion: [{along: z, amplitude: %.17g, frequency: %g Hz,\n"
  "            phase: 90 deg}, {along: x, formula: \"0.05 [m]*(1 - cos(40 [1/s]*t))\"}]}]\n"
  "end: 0.1\nstep: 1e-5\n";
/* the end of a spring and its damper is shaken, and so is what rubs: forces of velocity that know the phase */
static const char CART[] =
  "world:\n"
  "  bodies: [{name: cart, mass: 1, inertia: 1, at: [0.2, 0, 0]}]\n"
  "  joints: [{name: rail, a: cart, hold: [y, z, rx, ry, rz]}]\n"
  "  springs: [{name: spring, a: cart, at_b: [-1, 0, 0], length: 1, stiffness: 400, damping: 2,\n"
  "             motion: {along: x, amplitude: %.17g, frequency: %g Hz, phase: 90 deg}}]\n"
  "  loads: [{name: rub, body: cart, force: \"-3 [N]*tanh((vx - 1 [m/s]*sin(theta) - 0.2 [m/s])/1 [m/s])\", along: x}]\n"
  "end: 0.1\nstep: 1e-5\n";

enum { N = 13 };

/* the state at 0.1, a whole number of periods; a f = 1 m/s */
static void reach(const char *model, double f, const char *flow, double step, double *y)
{
  char text[1200];
  snprintf(text, sizeof text, model, 1/f, f);
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_flow *a = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (epi_run(a, &s, 0.1, step)) test_stop(epi_error(a));
  memcpy(y, s.y, N*sizeof *y);
  epi_free(a);
  epi_case_free(c);
  epi_file_free(file);
}

static double apart(const double *x, const double *y)
{
  double most = 0;
  for (int i = 0; i < 7; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

/* in the period: hmm 1, strobe its own; the last two are as exact as their micro-steps, or as they are asked to be */
enum { HMM, PROJECTED, FORWARD, CENTRAL, HIGH, REVOLVED, FLOWS };
static void orders(const char *name, const char *model, unsigned which)
{
  static const struct { const char *flow; double order, below; } flows[FLOWS] = {
    {"tolerance(dopri5(hmm(symmetric(verlet, order=4), start=current, leak=1e-5)), rtol=1e-5)", 1, 0.02},
    {"project(tolerance(dopri5(hmm(symmetric(verlet, order=4), start=current, leak=1e-5)), rtol=1e-5))", 1, 0.02},
    {"tolerance(dopri5(strobe(substeps(symmetric(verlet, order=4), 40), order=1)), rtol=1e-6)", 1, 0.02},
    {"tolerance(dopri5(strobe(substeps(symmetric(verlet, order=4), 40), order=2)), rtol=1e-6)", 2, 5e-3},
    {"tolerance(dopri5(strobe(substeps(symmetric(verlet, order=4), 40), order=6)), rtol=1e-6)", 0, 5e-6},
    {"revolve(substeps(symmetric(verlet, order=4), 40), rtol=1e-6, span=0.1)", 0, 2e-6},
  };
  double whole[2][N], f[2] = {500, 1000};
  for (int k = 0; k < 2; k++) reach(model, f[k], "symmetric(verlet, order=4)", 0.02/f[k], whole[k]);
  for (int i = 0; i < FLOWS; i++) {
    if (!(which >> i & 1)) continue;
    double e[2], y[N];
    for (int k = 0; k < 2; k++) {
      reach(model, f[k], flows[i].flow, 0.1, y);
      e[k] = apart(y, whole[k]);
      double unit = y[3]*y[3] + y[4]*y[4] + y[5]*y[5] + y[6]*y[6];
      check_abs(unit, 1, 1e-12);
    }
    printf("%s by %s: %.2g, %.2g\n", name, flows[i].flow, e[0], e[1]);
    check_below(e[1], flows[i].below);
    if (flows[i].order > 0) check_between(log2(e[0]/e[1]), flows[i].order - 0.3, flows[i].order + 0.5);
  }
}

static void refused(const char *model, const char *flow, const char *words)
{
  char text[1200];
  snprintf(text, sizeof text, model, 1e-3, 1000.);
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  epi_case *c = epi_file_case(file, 0);
  epi_flow *f = epi_case_flow(c, flow);
  check_has(epi_error(f) ? epi_error(f) : "", words);
  epi_free(f);
  epi_case_free(c);
  epi_file_free(file);
}

/* a second frequency that has nothing in common with the phase goes with the time, and no window would start where it should: of a joint,
   of the end of a spring with its damper, of a load that asks for the velocity */
static void beside(void)
{
  static const char *const also[] = {
    "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y,\n"
    "            motion: [{along: z, amplitude: 1 mm, frequency: 1000 Hz, phase: 90 deg},\n"
    "                     {along: x, amplitude: 1 mm, frequency: 777.7 Hz, phase: 90 deg}]}]\n",
    "  springs: [{a: rod, at_b: [0, 0, -1], stiffness: 1, damping: 3, motion: {along: z, amplitude: 1 mm, frequency: 777.7 Hz}}]\n"
    "  motion: {along: z, amplitude: 1 mm, frequency: 1000 Hz}\n",
    "  loads: [{body: rod, force: \"3 [N]*tanh(vx/1 [m/s] - sin(4886 [1/s]*t))\", along: x}]\n"
    "  motion: {along: z, amplitude: 1 mm, frequency: 1000 Hz}\n",
  };
  static const char *const flows[] = {"rk4(strobe(substeps(verlet, 20)))", "rk4(hmm(verlet, start=current))"};
  for (int i = 0; i < 6; i++) {
    char text[1200];
    snprintf(text, sizeof text, "world:\n  settle: yes\n%s  bodies: [{name: rod, mass: 0.5, inertia: 0.01, at: [0, 0, 0.2]}]\nend: 0.1\n",
             also[i % 3]);
    epi_file *file = epi_file_read_text(text, strlen(text), "text");
    if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
    epi_case *c = epi_file_case(file, 0);
    epi_flow *f = epi_case_flow(c, flows[i/3]);
    epi_state s = epi_case_state(c);
    check(epi_run(f, &s, 0.1, 0.01) != 0);
    check_has(epi_error(f) ? epi_error(f) : "", "within a fast period of t");
    epi_free(f);
    epi_case_free(c);
    epi_file_free(file);
  }
}

/* the bits do not depend on how steps are split over calls, nor on a flow that was saved on the way */
static void splits(void)
{
  static const char *const flows[] = {
    "rk4(strobe(substeps(verlet, 20)))", "dopri5(strobe(substeps(dop853, 4), order=1))",
    "tolerance(dopri5(strobe(substeps(dop853, 4))), rtol=1e-4)", "rk4(hmm(verlet, start=current))",
    "project(rk4(hmm(verlet, start=current)))", "revolve(substeps(dop853, 4), rtol=1e-4)",
  };
  for (int i = 0; i < 6; i++) {
    char text[1200];
    snprintf(text, sizeof text, PIVOT, 1e-3, 1000.);
    epi_file *file = epi_file_read_text(text, strlen(text), "text");
    epi_case *c = epi_file_case(file, 0);
    epi_flow *a = epi_case_flow(c, flows[i]), *b = epi_case_flow(c, flows[i]), *d = epi_case_flow(c, flows[i]);
    double y[3][N];
    epi_state s[3];
    for (int k = 0; k < 3; k++) {
      s[k] = epi_case_state(c);
      memcpy(y[k], s[k].y, sizeof y[k]);
      s[k].y = y[k];
    }
    check_count(epi_advance(a, &s[0], 0.0123, 6), 0);
    for (int k = 0; k < 6; k++) check_count(epi_advance(b, &s[1], 0.0123, 1), 0);
    check_bits(N, y[1], y[0]);
    check_count(epi_advance(d, &s[2], 0.0123, 3), 0);
    FILE *at = tmpfile();
    check_count(epi_save(d, &s[2], at), 0);
    epi_free(d);
    d = epi_case_flow(c, flows[i]);
    rewind(at);
    check_count(epi_load(d, &s[2], at), 0);
    fclose(at);
    check_count(epi_advance(d, &s[2], 0.0123, 3), 0);
    check_bits(N, y[2], y[0]);
    epi_free(a);
    epi_free(b);
    epi_free(d);
    epi_case_free(c);
    epi_file_free(file);
  }
}

/* project of constraints without rotations: the start has a fast velocity, and without it the error is that velocity's, at every w */
static void projected(void)
{
  static const char *const flows[] = {"symmetric(verlet, order=8)", "project(rk4(hmm(symmetric(verlet), start=current)))",
                                      "rk4(hmm(symmetric(verlet), start=current))"};
  double off[2][2];
  for (int k = 0; k < 2; k++) {
    double y[3][8];
    for (int i = 0; i < 3; i++) {
      char text[80];
      snprintf(text, sizeof text, "double-pendulum(theta0=0.7, w=%d)", k ? 20000 : 10000);
      epi_case *c = epi_case_make(text);
      epi_flow *f = epi_case_flow(c, flows[i]);
      epi_state s = epi_case_state(c);
      if (epi_run(f, &s, 0.2, i ? 0.0005 : 1e-5)) test_stop(epi_error(f));
      memcpy(y[i], s.y, sizeof y[i]);
      epi_free(f);
      epi_case_free(c);
    }
    for (int i = 0; i < 2; i++) {
      off[i][k] = 0;
      for (int j = 0; j < 4; j++) off[i][k] = fmax(off[i][k], fabs(y[i + 1][j] - y[0][j]));
    }
  }
  printf("double pendulum by project: %.2g, %.2g; without it %.2g, %.2g\n", off[0][0], off[0][1], off[1][0], off[1][1]);
  check_between(log2(off[0][0]/off[0][1]), 0.7, 1.5);
  check_below(off[0][1], 5e-3);
  check_between(off[1][1], 0.05, 0.5);
}

/* where a second frequency makes every period another, revolve takes them one by one: constraints that are elsewhere at the end of each */
static void singles(void)
{
  static const char text[] =
    "world:\n  gravity: 9.81\n"
    "  bodies: [{name: rod, mass: 0.5, inertia: 0.00667, at: [0, 0, 0.2]}]\n"
    "  joints: [{name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y,\n"
    "            motion: [{along: z, amplitude: 1 mm, frequency: 1000 Hz, phase: 90 deg},\n"
    "                     {along: x, amplitude: 1 mm, frequency: 777.7 Hz, phase: 90 deg}]}]\nend: 0.1\n";
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_flow *a = epi_case_flow(c, "dop853"), *b = epi_case_flow(c, "revolve(substeps(dop853, 10), rtol=1e-6, span=0.1)");
  double y[N];
  epi_state s = epi_case_state(c);
  check_count(epi_run(a, &s, 0.1, 1e-4), 0);
  memcpy(y, s.y, sizeof y);
  s = epi_case_state(c);
  check_count(epi_run(b, &s, 0.1, 0.1), 0);
  check_below(apart(y, s.y), 1e-9);
  epi_free(a);
  epi_free(b);
  epi_case_free(c);
  epi_file_free(file);
}

int main(void)
{
  const unsigned all = (1u << FLOWS) - 1;
  orders("rod", ROD, all);
  orders("rod on its pivot", PIVOT, all & ~(1u << PROJECTED));
  orders("top", TOP, all & ~(1u << HMM | 1u << PROJECTED | 1u << FORWARD));
  orders("rod on a pivot that goes away", SLOW, all & ~(1u << PROJECTED));
  orders("cart", CART, 1u << CENTRAL | 1u << HIGH | 1u << REVOLVED);
  refused(ROD, "rk4(hmm(verlet))", "start=current");
  refused(ROD, "rk4(hmm(verlet, start=current, match=1))", "match of a constrained system is not known");
  refused(ROD, "revolve(picard)", "picard of constraints or rotations is not known");
  refused(PIVOT, "rk4(strobe(substeps(semi(model.contacts, model.stiff), 20), order=1))", "over parts of a system");
  refused(PIVOT, "rk4(hmm(verlet(relax(model, stiffness=1e8)), start=current))", "leave out what is between it and the average");
  beside();
  splits();
  singles();
  projected();
  return test_done();
}
