/* holds: constraints as stiff springs tend to the constrained motion as 1/stiffness, and averages solve them
 * relax.c - constraints as stiff springs: the forces are those of the energy, the motion tends to the constrained one as 1/stiffness, also
 * on rotations and with a fast phase, and averages solve it */
#include "test.h"
#include "epicycle.h"

/* ---- two masses on rods, the pivot moved; the second rod by compressed rows, too ---- */
static int weight(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t, (void)q;
  for (int i = 0; i < 4; i++) f[i] = i % 2 ? -9.81*(i < 2 ? 1 : 2) : 0;
  return 0;
}
static int weight_shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  weight(s, t, q, f);
  f[0] += 0.5*cos(theta);
  return 0;
}
static double pivot(double t) { return 0.1*(1 - cos(t)); }
static int rods(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  double x = q[0] - (s->data ? pivot(t) : 0), y = q[1], u = q[2] - q[0], w = q[3] - q[1];
  g[0] = (x*x + y*y - 1)/2;
  g[1] = (u*u + w*w - 1)/2;
  double row[8] = {x, y, 0, 0, -u, -w, u, w};
  if (s->constraints.rowptr) { G[0] = x, G[1] = y; memcpy(G + 2, row + 4, 4*sizeof *G); }
  else memcpy(G, row, sizeof row);
  if (s->data) gt[0] = -x*0.1*sin(t);
  return 0;
}
static const double masses[] = {1, 1, 2, 2};
static double energy(epi_system *s, double t, const double *y)
{
  double T = 0;
  (void)s, (void)t;
  for (int i = 0; i < 4; i++) T += masses[i]*y[4+i]*y[4+i]/2;
  return T + 9.81*(y[1] + 2*y[3]);
}
static const double start[] = {1, 0, 1, -1, 0, 0.3, 0.2, 0.3};
static const int rowptr[] = {0, 2, 6}, cols[] = {0, 1, 0, 1, 2, 3};

static void final(epi_system *m, const char *text, double end, double h, double *y)
{
  memcpy(y, start, sizeof start);
  epi_state s = {.y = y};
  epi_flow *f = epi_make(text, m);
  if (!check_count(epi_run(f, &s, end, h), 0)) printf("  %s: %s\n", text, epi_error(f));
  epi_free(f);
}

/* off by 1/stiffness: ten times the stiffness, a tenth of the error */
static void tends_to(epi_system *m, const char *what, const char *truth)
{
  double exact[8], e[2];
  final(m, truth, 0.5, 1e-4, exact);
  for (int k = 0; k < 2; k++) {
    char text[120];
    double y[8];
    snprintf(text, sizeof text, "tolerance(dop853(relax(model, stiffness=%g)), rtol=1e-11, atol=1e-13)", k ? 1e8 : 1e7);
    final(m, text, 0.5, 0.5, y);
    e[k] = 0;
    for (int i = 0; i < 4; i++) e[k] = fmax(e[k], fabs(y[i] - exact[i]));
  }
  check_below(e[1], 1e-5);
  if (!check(e[0] > 3*e[1] && e[0] < 30*e[1])) printf("  %s: %g then %g\n", what, e[0], e[1]);
}

static void motions(void)
{
  double moved = 1;
  epi_system plain = {.nq = 4, .nc = 2, .mass = masses, .force = weight, .constraint = rods, .energy = energy}, m = plain;
  tends_to(&m, "plain", "symmetric(verlet, order=8)");
  m.constraints.rowptr = rowptr, m.constraints.cols = cols;
  tends_to(&m, "by rows", "symmetric(verlet, order=8)");
  m = plain;
  m.data = &moved;
  tends_to(&m, "a pivot that moves", "symmetric(verlet, order=4)");
  m = plain;
  m.force = NULL;
  m.phase.forced = weight_shaken;
  m.phase.phase_rate = 40;
  tends_to(&m, "shaken", "symmetric(verlet, order=4)");
  static const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
  m = plain;
  m.mass = NULL;
  m.inertia.mass_matrix = matrix;
  tends_to(&m, "a full mass", "symmetric(verlet, order=8)");
}

/* ---- forces of the springs ---- */
static void forces(void)
{
  epi_system m = {.nq = 4, .nc = 2, .mass = masses, .force = weight, .constraint = rods, .energy = energy};
  double y[8], z[8];
  /* its energy is constant, and with damping falls by what the dampers take */
  final(&m, "tolerance(dop853(relax(model, stiffness=1e4)), rtol=1e-12, atol=1e-14)", 1, 1, y);
  double g[2], G[8], gt[2] = {0}, E = energy(&m, 0, y);
  rods(&m, 0, y, g, G, gt);
  check_rel(E + 5e3*(g[0]*g[0] + g[1]*g[1]), energy(&m, 0, start), 1e-9);
  check_above(fabs(E - energy(&m, 0, start)), 1e-6);
  /* one small step of Euler shows the force: -G^T (k g + d (G v + gt)) */
  double pushed[8];
  memcpy(pushed, start, sizeof pushed);
  pushed[0] = 1.01;
  epi_state s = {.y = memcpy(z, pushed, sizeof z)};
  epi_flow *f = epi_make("euler(relax(model, stiffness=1e3, damping=7))", &m);
  check_count(epi_advance(f, &s, 1e-3, 1), 0);
  rods(&m, 0, pushed, g, G, gt);
  double bare[4];
  weight(&m, 0, pushed, bare);
  for (int i = 0; i < 4; i++) {
    for (int c = 0; c < 2; c++) {
      double rate = 0;
      for (int k = 0; k < 4; k++) rate += G[4*c+k]*pushed[4+k];
      bare[i] -= G[4*c+i]*(1e3*g[c] + 7*rate);
    }
    check_near(z[4+i] - pushed[4+i], 1e-3*bare[i]/masses[i], 1e-11, 1e-14);
  }
  epi_free(f);
  /* forces that are accelerations */
  epi_system a = m;
  static const double even[] = {1, 1, 1, 1};
  m.mass = even;
  a.mass = even;
  a.inertia.accel = 1;
  const char *text = "verlet(relax(model, stiffness=1e3))";
  final(&m, text, 0.1, 1e-3, y);
  final(&a, text, 0.1, 1e-3, z);
  check_array(8, z, y, 1e-13);
}

/* ---- what is made of it ---- */
static void composed(void)
{
  /* a model with its rod, by an average that finds the fast period itself */
  epi_case *c = epi_case_make("rod-chain(n=1)");
  epi_flow *f = epi_case_flow(c, "project(rk4(hmm(verlet(relax(model, stiffness=1e8)), start=current, kernel=boxes)))");
  epi_state s = epi_case_state(c);
  double direct[2];
  if (!check_count(epi_run(f, &s, 1, 0.01), 0)) printf("  %s\n", epi_error(f));
  memcpy(direct, s.y, sizeof direct);
  check_below((double)epi_calls(f), 100000);
  epi_free(f);
  f = epi_case_flow(c, "symmetric(verlet, order=8)");
  s = epi_case_state(c);
  check_count(epi_run(f, &s, 1, 1e-3), 0);
  check_array(2, direct, s.y, 2e-6);
  epi_free(f);
  epi_case_free(c);
  /* bodies that turn */
  c = epi_case_make("slider-crank");
  double angle[2];
  static const char *const texts[] = {"symmetric(verlet, order=4)", "symmetric(verlet(relax(model, stiffness=1e7)), order=4)"};
  for (int k = 0; k < 2; k++) {
    f = epi_case_flow(c, texts[k]);
    s = epi_case_state(c);
    if (!check_count(epi_run(f, &s, 0.05, k ? 5e-5 : 1e-4), 0)) printf("  %s\n", epi_error(f));
    angle[k] = 2*atan2(s.y[6], s.y[3]);
    epi_free(f);
  }
  check_abs(angle[1], angle[0], 1e-3);
  check_above(fabs(angle[1] - angle[0]), 1e-12);
  epi_case_free(c);
}

static void refused(const char *text, epi_system *m, const char *words)
{
  epi_flow *f = epi_make(text, m);
  if (!check_has(epi_error(f) ? epi_error(f) : "nothing", words)) printf("  %s\n", text);
  epi_free(f);
}

int main(void)
{
  epi_system m = {.nq = 4, .nc = 2, .mass = masses, .force = weight, .constraint = rods}, loose = {.nq = 4, .force = weight};
  motions();
  forces();
  composed();
  refused("verlet(relax(model))", &m, "relax needs the stiffness of the springs");
  refused("verlet(relax(model, stiffness=-1))", &m, "stiffness is -1: it must be positive");
  refused("verlet(relax(model, stiffness=1, damping=-1))", &m, "damping is -1: it cannot be negative");
  refused("verlet(relax(model, stiffness=1))", &loose, "this system has none: leave relax out");
  refused("verlet(relax(verlet, stiffness=1))", &m, "is a flow, and a system is needed here");
  refused("gauss(adiabatic(model))", &m, "by relax");
  return test_done();
}
