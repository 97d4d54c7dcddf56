/* holds: redundant constraints leave the motion unchanged, give least multipliers, and are refused if they contradict
 * redundant.c - constraints that follow from others: the motion is that without them, the multipliers are the smallest, and what
 * contradicts itself is said */
#include "test.h"
#include "epicycle.h"
#include "epicycle/file.h"
#include "epicycle/measure.h"
#include "epicycle/method.h"

/* ---- a rod that is held twice, dense and by a pattern ---- */
static int weight(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t, (void)q; f[0] = 0; f[1] = -9.81; return 0; }

static int rods(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)t, (void)gt;
  for (int k = 0; k < s->nc; k++) {
    g[k] = (k + 1)*(q[0]*q[0] + q[1]*q[1] - 1);
    for (int i = 0; i < 2; i++) G[2*k + i] = 2*(k + 1)*q[i];
  }
  return 0;
}

static void run(epi_system *m, const char *flow, double *y, double *impulse)
{
  epi_flow *f = epi_make(flow, m);
  epi_state s = {.y = y, .impulse = impulse};
  if (epi_run(f, &s, 1, 0.01)) test_stop(epi_error(f));
  epi_free(f);
}

/* each does as much as the other: the smallest, weighed by the diagonal of G M^-1 G^T, which goes with k^2 */
static void rods_held_often(void)
{
  static const char *const flows[] = {"verlet", "symmetric(verlet, order=4)", "herk3", "herk4", "rk4", "dop853", "strang(kick, drift)"};
  static const int starts[] = {0, 2, 4}, touches[] = {0, 1, 0, 1};
  for (int i = 0; i < 7; i++) {
    double once[4] = {0.6, -0.8, 0.8, 0.6}, alone[1] = {0};
    run(&(epi_system){.nq = 2, .nc = 1, .force = weight, .constraint = rods}, flows[i], once, alone);
    for (int band = 0; band < 2; band++) {
      epi_system m = {.nq = 2, .nc = 2, .force = weight, .constraint = rods};
      double y[4] = {0.6, -0.8, 0.8, 0.6}, impulse[2] = {0};
      if (band) m.constraints.rowptr = starts, m.constraints.cols = touches;
      run(&m, flows[i], y, impulse);
      check_array(4, y, once, 1e-9);
      check_near(impulse[0] + 2*impulse[1], alone[0], 1e-7, 1e-9);
      check_near(2*impulse[1], impulse[0], 1e-5, 1e-7);
    }
  }
}

/* ---- bodies ---- */
enum { MOST = 12 };

/* the mean forces of the rows of a world at rest */
static void rest(epi_world *w, const char *flow, int rows, double *force, int follow)
{
  epi_flow *f = epi_world_flow(w, flow);
  epi_state s = epi_world_state(w);
  double impulse[MOST] = {0};
  char words[200] = "";
  check_count(epi_redundant(f->sys, &s, words, sizeof words), follow);
  check_has(words, "holds between");
  s.impulse = impulse;
  if (epi_run(f, &s, 0.25, 1e-2)) test_stop(epi_error(f));
  for (int i = 0; i < 6; i++) check_abs(s.y[7 + i], 0, 1e-13);
  for (int i = 0; i < rows; i++) force[i] = impulse[i]/0.25;
  epi_free(f);
  epi_world_free(w);
}

/* four legs at (+-1, +-1), 2 kg in the middle and 3 N down at (0.3, -0.2): each leg carries a plane over the corners */
static void table(const char *flow)
{
  epi_world *w = epi_world_make();
  double force[MOST];
  int top = epi_add_body(w, &(epi_body){.name = "top", .mass = 2, .inertia = {0.5, 0.5, 1}});
  epi_add_gravity(w, (double[]){0, 0, -9.81});
  epi_add_load(w, &(epi_applied_force){.name = "vase", .body = top, .force = {0, 0, -3}, .at = {0.3, -0.2, 0}});
  for (int i = 0; i < 4; i++) {
    double x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1;
    epi_add_joint(w, &(epi_joint){.name = "leg", .a = top, .b = EPI_GROUND, .hold = EPI_Z, .as = EPI_CONSTRAINT, .at_a = {x, y, 0},
                                  .at_b = {x, y, 0}});
  }
  rest(w, flow, 4, force, 1);
  for (int i = 0; i < 4; i++) check_rel(force[i], (2*9.81 + 3*(1 + 0.3*(i & 1 ? 1 : -1) - 0.2*(i & 2 ? 1 : -1)))/4, 1e-7);
}

/* a door of 20 kg on two hinges, its middle 0.4 m beside them: both carry half of its weight, and a couple holds it upright */
static void door(const char *flow)
{
  epi_world *w = epi_world_make();
  double force[MOST], mg = 20*9.81, turn = 0;
  int leaf = epi_add_body(w, &(epi_body){.name = "leaf", .mass = 20, .inertia = {7, 8, 1.1}, .at = {0.4, 0, 0}});
  epi_add_gravity(w, (double[]){0, 0, -9.81});
  for (int i = 0; i < 2; i++) {
    double z = i ? 0.8 : -0.8;
    epi_add_joint(w, &(epi_joint){.name = i ? "upper" : "lower", .a = leaf, .b = EPI_GROUND, .hold = EPI_HINGE, .as = EPI_CONSTRAINT,
                                  .at_a = {-0.4, 0, z}, .at_b = {0, 0, z}});
  }
  rest(w, flow, 10, force, 5);
  check_rel(force[2], mg/2, 1e-7);
  check_rel(force[7], mg/2, 1e-7);
  for (int i = 0; i < 2; i++) turn += (i ? 0.8 : -0.8)*force[5*i] + 0.4*force[5*i + 2] + force[5*i + 4];
  check_abs(turn, 0, 1e-6*mg);
  check_abs(force[0] + force[5], 0, 1e-6*mg);
  check(force[0] > 1 && force[5] < -1);
}

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  for (const epi_observable *o = c->model->observables; o && o->name; o++) if (!strcmp(o->name, name)) return epi_observe(c, o, s);
  return NAN;
}

/* multipliers from the state alone: the same */
static void door_observed(void)
{
  static const char text[] =
    "world:\n  gravity: 9.81\n"
    "  bodies: [{name: leaf, mass: 20, inertia: [7, 8, 1.1], at: [0.4, 0, 0]}]\n"
    "  joints: [{name: lower, a: leaf, hold: hinge, at: [0, 0, -0.8]}, {name: upper, a: leaf, hold: hinge, at: [0, 0, 0.8]}]\n"
    "end: 1\n";
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_state s = epi_case_state(c);
  check_count(epi_case_multipliers(c), 0);
  check_rel(observed(c, "lambda3", &s), 10*9.81, 1e-7);
  check_rel(observed(c, "lambda8", &s), 10*9.81, 1e-7);
  check_near(observed(c, "lambda1", &s), -observed(c, "lambda6", &s), 1e-7, 0);
  check_above(observed(c, "lambda1", &s), 1);
  epi_case_free(c);
  epi_file_free(file);
}

/* ---- what cannot be ---- */
static int pulled(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s;
  for (int k = 0; k < 2; k++) { g[k] = q[0] - (k + 1)*sin(t); G[2*k] = 1; G[2*k + 1] = 0; gt[k] = -(k + 1)*cos(t); }
  return 0;
}

static void contradictions(void)
{
  static const char *const flows[] = {"verlet", "rk4", "tolerance(dopri5)", "herk4"};
  for (int i = 0; i < 4; i++) {
    epi_system m = {.nq = 2, .nc = 2, .force = weight, .constraint = pulled};
    double y[4] = {0, 0, 1, 0};
    epi_flow *f = epi_make(flows[i], &m);
    epi_state s = {.y = y};
    check(epi_run(f, &s, 1, 0.1) != 0);
    check_has(epi_error(f), i ? "" : "the start leaves constraint 1 with a speed of 1");
    epi_free(f);
  }
}

/* apart only where it moves: at the start they agree in place and speed */
static int parting(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s;
  for (int k = 0; k < 2; k++) { g[k] = q[0] - k*t*t; G[2*k] = 1; G[2*k + 1] = 0; gt[k] = -2*k*t; }
  return 0;
}

static void contradictions_later(void)
{
  static const char *const flows[] = {"verlet", "symmetric(verlet)", "rk4", "tolerance(dopri5)", "herk4", "herk3"};
  for (int i = 0; i < 6; i++) {
    epi_system m = {.nq = 2, .nc = 2, .force = weight, .constraint = parting};
    double y[4] = {0};
    epi_flow *f = epi_make(flows[i], &m);
    epi_state s = {.y = y};
    check(epi_run(f, &s, 1, 0.1) != 0);
    printf("%s: %s\n", flows[i], epi_error(f) ? epi_error(f) : "nothing");
    check_has(epi_error(f) ? epi_error(f) : "nothing", "contradict");
    epi_free(f);
  }
}

int main(void)
{
  static const char *const flows[] = {"verlet", "symmetric(verlet, order=4)", "rk4", "tolerance(dop853)"};
  rods_held_often();
  for (int i = 0; i < 4; i++) { table(flows[i]); door(flows[i]); }
  door_observed();
  contradictions();
  contradictions_later();
  return test_done();
}
