/* holds: methods in fictitious time have their orders at physical times, and outputs leave no trace
 * own-time.c - flows that step in a time of their own: orders at physical times, the structure of whole steps, and outputs that leave no
 * trace */
#include "problems.h"
#include "test.h"

/* ---- a user's own model: Henon-Heiles with its energy and an objective ---- */
static double henon_energy(epi_system *s, double t, const double *y) { return (y[2]*y[2] + y[3]*y[3])/2 + henon_potential(s, t, y); }
static double objective(void *data, double t, const double *y) { (void)data; (void)t; return 1/(0.5 + y[0]*y[0] + 0.3*y[1]); }
static int objective_alone(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  (void)s; (void)grad;
  *Q = objective(NULL, t, y);
  return 0;
}
static int objective_graded(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  (void)s;
  double q = *Q = objective(NULL, t, y);
  memset(grad, 0, 4*sizeof *grad);
  grad[0] = -q*q*2*y[0];
  grad[1] = -q*q*0.3;
  return 0;
}
static double lively(void *data, double t, const double *y) { (void)data; (void)t; return 1 + y[2]*y[2]; }
static double middle(void *data, double T, double V) { (void)data; return 1/(0.2 + V*V + 0.5*T*V); }
static epi_system henon = {.nq = 2, .force = henon_force, .energy = henon_energy, .energies.objective = objective_graded};

static epi_flow *make(const char *text, epi_system *s)
{
  epi_name names[] = {{.name = "model", .system = s}, {.name = "mine", .gap = objective, .scale = middle},
                      {.name = "lively", .gap = lively}, {0}};
  return epi_make_named(text, names);
}

/* the reference, by a method of another kind */
static void truth(epi_system *s, const double *start, int n, double end, double *y)
{
  memcpy(y, start, (size_t)n*sizeof *y);
  epi_state x = {.y = y};
  epi_flow *f = epi_make("tolerance(dop853, rtol=1e-13, atol=1e-15)", s);
  check_count(epi_run(f, &x, end, end), 0);
  epi_free(f);
}

/* ---- orders at physical times, of every flow and composition ---- */
static const struct { const char *text; int order; double eps; } ladder[] = {
  {"density(verlet, eps=%g)", 2, 0.08}, {"density(symmetric(verlet), eps=%g)", 4, 0.2},
  {"density(symmetric(verlet, order=6), eps=%g)", 6, 0.4},
  {"density(symmetric(verlet, order=8), eps=%g)", 8, 0.6}, {"density(midpoint, eps=%g)", 2, 0.08},
  {"density(gauss(stages=3), eps=%g)", 6, 0.4},
  {"density(verlet, eps=%g, objective=arc)", 2, 0.08}, {"density(verlet, eps=%g, objective=stiffness, floor=0.5)", 2, 0.08},
  {"density(verlet, eps=%g, objective=potential)", 2, 0.08}, {"density(symmetric(verlet), eps=%g, objective=mine)", 4, 0.2},
  {"density(verlet, eps=%g, objective=lively)", 2, 0.08},
  {"scaled(verlet, eps=%g)", 2, 0.08}, {"scaled(strang(drift, kick), eps=%g)", 2, 0.08}, {"scaled(symmetric(verlet), eps=%g)", 4, 0.2},
  {"scaled(symmetric(verlet, table=blanes-moan), eps=%g, power=0.5)", 4, 0.2}, {"scaled(symmetric(verlet, order=6), eps=%g)", 6, 0.4},
  {"scaled(symmetric(verlet, order=8), eps=%g)", 8, 0.5}, {"scaled(symmetric(verlet), eps=%g, scaling=mine)", 4, 0.2},
  {"scaled(euler-symplectic, eps=%g)", 1, 0.05},
  {"twin(eps=%g)", 2, 0.05}, {"twin(eps=%g, form=chain)", 2, 0.05}, {"twin(eps=%g, order=4)", 4, 0.2},
  {"twin(eps=%g, order=4, table=yoshida)", 4, 0.1},
  {"twin(eps=%g, order=6, scaling=potential)", 6, 0.3}, {"twin(eps=%g, order=8, scaling=mine)", 8, 0.5},
  {"variational(eps=%g, scaling=model)", 2, 0.08}, {"variational(eps=%g, scaling=potential, order=4)", 4, 0.2},
  {"variational(eps=%g, scaling=mine, order=6)", 6, 0.4}, {"variational(eps=%g, scaling=model, order=8)", 8, 0.6},
  {"variational(0, 0, eps=%g, scaling=model)", 1, 0.05}, {"variational(0, 0.5, eps=%g, scaling=model)", 1, 0.05},
  {"variational(0.5, 0, eps=%g, scaling=model)", 2, 0.08}, {"variational(0, 0, eps=%g, scaling=model, symmetric=1)", 2, 0.08},
  {"variational(0.3, 0.2, eps=%g, scaling=model, symmetric=1, order=6)", 6, 0.3},
};

static void orders(void)
{
  static const double start[4] = {0.3, -0.2, 0.4, 0.35};
  double ref[4], end = 6.3;
  truth(&henon, start, 4, end, ref);
  for (size_t i = 0; i < sizeof ladder/sizeof *ladder; i++) {
    double h[4], e[4];
    for (int k = 0; k < 4; k++) {
      char text[160];
      double y[4];
      memcpy(y, start, sizeof y);
      epi_state s = {.y = y};
      snprintf(text, sizeof text, ladder[i].text, h[k] = ladder[i].eps*pow(0.75, k));
      epi_flow *f = make(text, &henon);
      if (!check_count(epi_run(f, &s, end, 0.9), 0)) printf("  %s: %s\n", text, epi_error(f));
      check_abs(s.t, end, 0);
      e[k] = 0;
      for (int l = 0; l < 4; l++) e[k] += pow(y[l] - ref[l], 2);
      e[k] = sqrt(e[k]);
      epi_free(f);
    }
    if (!check_order(4, h, e, ladder[i].order, ladder[i].order < 8 ? 0.3 : 0.6)) printf("  in %s\n", ladder[i].text);
  }
}

/* ---- outputs leave no trace: whatever is asked on the way, and however steps are split, the same bits ---- */
static const char *const kinds[] = {
  "density(verlet, eps=0.05)", "density(symmetric(verlet), eps=0.1)", "scaled(verlet, eps=0.05)",
  "scaled(symmetric(verlet, order=8), eps=0.4)",
  "twin(eps=0.05)", "twin(eps=0.1, order=4)", "variational(eps=0.05, scaling=model)", "variational(0, 0, eps=0.05, scaling=model)",
};
enum { KINDS = sizeof kinds/sizeof *kinds };

static void no_trace(void)
{
  for (int i = 0; i < KINDS; i++) {
    static const double every[] = {7, 1, 0.125, 0.015625};
    double first[4];
    for (int k = 0; k < 4; k++) {
      double y[4];
      memcpy(y, henon_start, sizeof y);
      epi_state s = {.y = y};
      epi_flow *f = make(kinds[i], &henon);
      check_count(epi_run(f, &s, 7, every[k]), 0);
      check_abs(s.t, 7, 0);
      if (k) { if (!check_bits(4, y, first)) printf("  %s, outputs every %g\n", kinds[i], every[k]); }
      else memcpy(first, y, sizeof y);
      /* and back on the same track */
      check_count(epi_run(f, &s, 0, -every[k]), 0);
      int even = !strstr(kinds[i], "(0, 0");
      if (even && !check_array(4, y, henon_start, 1e-11)) printf("  %s back\n", kinds[i]);
      epi_free(f);
    }
  }
}

/* velocities turned round: the same states backward, in physical time too */
static void reversible(void)
{
  for (int i = 0; i < KINDS; i++) {
    if (strstr(kinds[i], "(0, 0")) continue;
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_state s = {.y = y};
    epi_flow *f = make(kinds[i], &henon);
    for (int half = 0; half < 2; half++) {
      check_count(epi_advance(f, &s, 0.13, 40), 0);
      y[2] = -y[2];
      y[3] = -y[3];
    }
    if (!check_array(4, y, henon_start, 1e-11)) printf("  %s\n", kinds[i]);
    check_abs(s.t, 10.4, 1e-12);
    epi_free(f);
  }
}

/* ---- the map of a whole step: J^T Omega J = Omega where it is claimed, with the level of the energy frozen ---- */
static double defect(const char *text, epi_system *m)
{
  double J[4][4], d = 1e-3, worst = 0;
  for (int c = 0; c < 4; c++) {
    static const double weight[] = {-4./105, 1./5, -4./5};
    memset(J[c], 0, sizeof J[c]);
    /* differences of order 8 */
    for (int k = 1; k <= 4; k++)
      for (int side = -1; side <= 1; side += 2) {
        double y[4], w = k == 4 ? 1./280 : weight[3 - k];
        memcpy(y, henon_start, sizeof y);
        y[c] += side*k*d;
        epi_state s = {.y = y};
        epi_flow *f = make(text, m);
        if (epi_advance(f, &s, 0.1, 3)) printf("  %s: %s\n", text, epi_error(f));
        for (int i = 0; i < 4; i++) J[c][i] -= side*w*y[i]/d;
        epi_free(f);
      }
  }
  static const int O[4][4] = {{0, 0, 1, 0}, {0, 0, 0, 1}, {-1, 0, 0, 0}, {0, -1, 0, 0}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double x = 0;
      for (int k = 0; k < 4; k++) for (int l = 0; l < 4; l++) x += J[i][k]*O[k][l]*J[j][l];
      worst = fmax(worst, fabs(x - O[i][j]));
    }
  return worst;
}

static void symplectic(void)
{
  static const char *const keeps[] = {
    "scaled(verlet, H0=1.1, clock=own)", "scaled(symmetric(verlet, order=8), H0=1.1, clock=own)",
    "scaled(verlet, H0=1.1, power=0.5, clock=own)",
    "scaled(verlet, H0=1.1, scaling=mine, clock=own)", "variational(scaling=model, E0=1.1, clock=own)",
    "variational(0, 0, scaling=model, E0=1.1, clock=own)", "variational(0.3, 0.8, scaling=potential, E0=1.1, clock=own)",
    "variational(0, 0, scaling=mine, symmetric=1, E0=1.1, clock=own)", "variational(0.2)", "variational(0, symmetric=1)",
    "variational(order=4)",
  };
  /* a gradient found by differences is good to 1e-11, and so is the structure that stands on it */
  for (size_t i = 0; i < sizeof keeps/sizeof *keeps; i++)
    if (!check_below(defect(keeps[i], &henon), strstr(keeps[i], "scaling=mine, symm") ? 1e-9 : 2e-11)) printf("  %s\n", keeps[i]);
  /* a step density is reversible, not symplectic; an energy found anew at every start is no longer frozen */
  check_above(defect("density(verlet, clock=own)", &henon), 1e-4);
  check_above(defect("scaled(verlet, clock=own)", &henon), 1e-4);
}

/* force/|V| from the system itself: the same steps but for rounding; a wrong one is found out */
static int wrong_log_force(epi_system *s, double t, const double *q, double *f) { return henon_force(s, t, q, f); }

static void logarithmic(void)
{
  epi_system with = henon, planar, wrong = henon;
  with.energies.log_force = henon_log_force;
  planar = with;
  planar.energies.log_planar = henon_log_planar;
  wrong.energies.log_force = wrong_log_force;
  double y[3][4];
  for (int i = 0; i < 3; i++) {
    memcpy(y[i], henon_start, sizeof y[i]);
    epi_state s = {.y = y[i]};
    epi_flow *f = make("scaled(symmetric(verlet), clock=own)", i == 2 ? &planar : i ? &with : &henon);
    check_count(epi_advance(f, &s, 0.1, 200), 0);
    epi_free(f);
  }
  check_array(4, y[1], y[0], 1e-12);
  check_array(4, y[2], y[0], 1e-12);
  epi_flow *f = make("scaled(verlet)", &wrong);
  epi_state s = {.y = y[0]};
  check_count(epi_advance(f, &s, 0.1, 1), EPI_WRONG);
  check_has(epi_error(f), "log_force times the potential differs from the force");
  epi_free(f);
}

/* scalings by their names, on an orbit: of 1/sqrt(T) every drift of a step of eps goes as far, sqrt(2) eps; of 1/(T - V) it takes
   eps/(2 T - H0); both end where the orbit does, by their order */
static int orbit_force(epi_system *s, double t, const double *q, double *f)
{
  double r = hypot(q[0], q[1]);
  (void)s; (void)t;
  f[0] = -q[0]/(r*r*r);
  f[1] = -q[1]/(r*r*r);
  return 0;
}
static double orbit_potential(epi_system *s, double t, const double *q) { (void)s; (void)t; return -1/hypot(q[0], q[1]); }

static void named_scalings(void)
{
  epi_system orbit = {.nq = 2, .force = orbit_force, .energies.potential = orbit_potential};
  static const double start[4] = {0.4, 0, 0, 2}, H0 = 2 - 2.5, pi = 3.14159265358979323846;
  for (int lagrangian = 0; lagrangian < 2; lagrangian++) {
    const char *word = lagrangian ? "lagrangian" : "kinetic";
    double y[4], h[3], e[3];
    char text[120];
    memcpy(y, start, sizeof y);
    epi_state s = {.y = y};
    snprintf(text, sizeof text, "scaled(strang(drift, kick), clock=own, scaling=%s, H0=%g)", word, H0);
    epi_flow *f = make(text, &orbit);
    for (int k = 0; k < 50; k++) {
      double x[4], t = s.t, T0, T1;
      memcpy(x, y, sizeof x);
      check_count(epi_advance(f, &s, 0.02, 1), 0);
      T0 = (x[2]*x[2] + x[3]*x[3])/2, T1 = (y[2]*y[2] + y[3]*y[3])/2;
      if (lagrangian) { check_rel(s.t - t, 0.01/(2*T0 - H0) + 0.01/(2*T1 - H0), 1e-13); continue; }
      /* the first half along the old velocity, the other along the new one */
      double d[2];
      for (int i = 0; i < 2; i++) d[i] = y[i] - x[i] - 0.01*x[2 + i]/sqrt(T0);
      check_rel(hypot(d[0], d[1]), 0.01*sqrt(2), 1e-12);
      check_rel(s.t - t, 0.01/sqrt(T0) + 0.01/sqrt(T1), 1e-12);
    }
    epi_free(f);
    /* a whole turn */
    for (int k = 0; k < 3; k++) {
      memcpy(y, start, sizeof y);
      s = (epi_state){.y = y};
      snprintf(text, sizeof text, "scaled(verlet, eps=%g, scaling=%s)", h[k] = 0.02*pow(0.5, k), word);
      f = make(text, &orbit);
      check_count(epi_run(f, &s, 2*pi, 2*pi), 0);
      e[k] = hypot(y[0] - start[0], y[1] - start[1]);
      epi_free(f);
    }
    check_order(3, h, e, 2, 0.1);
  }
}

/* a run by its own clock is whole steps, the last one the first that is not before the end; also back, and none where it is there */
static void by_its_own_clock(void)
{
  static const char *const flows[] = {"density(verlet, clock=own)", "scaled(verlet, clock=own)", "twin(clock=own)",
                                      "variational(scaling=model, clock=own)", "watch(density(verlet, clock=own), every=0)"};
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    double y[4], z[4];
    epi_state s = {.y = memcpy(y, henon_start, sizeof y)}, x = {.y = memcpy(z, henon_start, sizeof z)};
    epi_flow *f = make(flows[i], &henon), *g = make(flows[i], &henon);
    long steps = 0;
    if (!check_count(epi_run(f, &s, 2, 0.05), 0)) printf("  %s: %s\n", flows[i], epi_error(f));
    double before = 0;
    for (; x.t < 2 && steps < 10000 && !epi_advance(g, &x, 0.05, 1); steps++) if (x.t < 2) before = x.t;
    check(before < 2 && s.t >= 2 && steps > 10);
    check_abs(s.t, x.t, 0);
    check_bits(4, y, z);
    check_count(epi_run(f, &s, 2, 0.05), 0);
    check_bits(4, y, z);
    epi_free(f);
    epi_free(g);
  }
}

/* without a scaling the class has well-known members */
static void members(void)
{
  static const struct { const char *one, *two; double tol; } same[] = {
    {"variational(0.5)", "midpoint", 3e-15}, {"variational(0)", "euler-symplectic", 1e-15},
    {"variational(0, symmetric=1)", "verlet", 3e-15},
    {"variational(1)", "euler-symplectic(first=drift)", 3e-15},
    {"variational(0.5, order=6)", "symmetric(variational(0.5), order=6)", 3e-15},
  };
  static const double mass[] = {2, 0.5}, matrix[] = {2, 0.3, 0.3, 1};
  epi_system worlds[] = {{.nq = 2, .force = shaken_force}, {.nq = 2, .force = shaken_force, .mass = mass},
                         {.nq = 2, .force = shaken_force, .inertia.mass_matrix = matrix},
                         {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1.3}}};
  for (size_t i = 0; i < sizeof same/sizeof *same; i++)
    for (int w = 0; w < 4; w++) {
      double a[4], b[4];
      memcpy(a, henon_start, sizeof a);
      memcpy(b, henon_start, sizeof b);
      epi_state x = {.y = a}, z = {.y = b};
      epi_flow *f = epi_make(same[i].one, &worlds[w]), *g = epi_make(same[i].two, &worlds[w]);
      check_count(epi_advance(f, &x, 0.1, 10), 0);
      check_count(epi_advance(g, &z, 0.1, 10), 0);
      if (!check_array(4, a, b, 10*same[i].tol)) printf("  %s and %s on world %d\n", same[i].one, same[i].two, w);
      epi_free(f);
      epi_free(g);
    }
}

/* ---- Q alone: by the slot without a gradient, by name, and with the gradient: one and the same steps ---- */
static void q_alone(void)
{
  epi_system alone = henon;
  alone.energies.objective = objective_alone;
  const struct { const char *text; epi_system *m; } ways[] = {{"density(verlet, eps=0.02)", &henon}, {"density(verlet, eps=0.02)", &alone},
                                                               {"density(verlet, eps=0.02, objective=mine)", &henon}};
  double first[4];
  for (int i = 0; i < 3; i++) {
    double y[4], rho[2];
    memcpy(y, henon_start, sizeof y);
    epi_state s = {.y = y};
    epi_flow *f = make(ways[i].text, ways[i].m);
    check_count(epi_run(f, &s, 20, 1), 0);
    if (i) check_array(4, y, first, 1e-9);
    else memcpy(first, y, sizeof y);
    check_count(epi_extra_state(f, rho, 2), 3);
    check_text(epi_extra_state_name(f, 0), "density");
    check_text(epi_extra_state_name(f, 2), "contact width");
    check(!epi_extra_state_name(f, 3));
    /* the density has followed the objective */
    check_rel(rho[0], objective(NULL, 0, y), 0.02);
    epi_free(f);
  }
}

/* ---- constraints and averages ---- */
static double rod_energy(const double *y) { return (y[2]*y[2] + y[3]*y[3])/2 + 9.8*y[1]; }
static double low(void *data, double t, const double *y) { (void)data; (void)t; return sqrt(1.5 - y[1]); }

static void constrained(void)
{
  epi_system s = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
  epi_name names[] = {{.name = "model", .system = &s}, {.name = "low", .gap = low}, {.name = "lively", .gap = lively}, {0}};
  static const char *const texts[] = {"density(verlet, eps=%g, objective=low)", "density(symmetric(verlet), eps=%g, objective=low)",
                                      "density(verlet, eps=%g, objective=arc, floor=1)", "density(verlet, eps=%g, objective=lively)"};
  for (int i = 0; i < 4; i++) {
    double h[3], e[3], ref[4] = {0};
    for (int k = 3; k >= 0; k--) {
      double y[] = {sin(1.5), -cos(1.5), 0, 0}, E = rod_energy(y), drift = 0;
      char text[80];
      epi_state x = {.y = y};
      /* the finest stands for the truth */
      snprintf(text, sizeof text, texts[i], k == 3 ? 0.002 : 0.1/(1 << k));
      epi_flow *f = epi_make_named(text, names);
      for (int step = 1; step <= 30; step++) {
        if (!check_count(epi_run(f, &x, 0.1*step, 0.1), 0)) printf("  %s\n", epi_error(f));
        drift = fmax(drift, fabs(rod_energy(y) - E));
        check_below(fabs(y[0]*y[0] + y[1]*y[1] - 1), 1e-13);
        check_below(fabs(y[0]*y[2] + y[1]*y[3]), 1e-13);
      }
      check_below(drift, k == 3 ? 0.001 : 30*pow(0.1/(1 << k), 2));
      if (k == 3) memcpy(ref, y, sizeof y);
      else { h[k] = 0.1/(1 << k); e[k] = hypot(y[0] - ref[0], y[1] - ref[1]); }
      epi_free(f);
    }
    if (!check_order(3, h, e, i == 1 ? 4 : 2, 0.35)) printf("  in %s\n", texts[i]);
  }
}

/* a density around the macro steps of an average: the slow motion of the vibrated pendulum, at its order */
static void averaged(void)
{
  double h[3], e[3], ref[2] = {0};
  for (int k = 3; k >= 0; k--) {
    char text[120];
    epi_case *c = epi_case_make("inverted-pendulum(w=100000)");
    epi_state s = epi_case_state(c);
    snprintf(text, sizeof text,
             k == 3 ? "symmetric(verlet(hmm(verlet, start=rest)), order=6)" : "density(verlet(hmm(verlet, start=rest)), eps=%g, floor=1)",
             0.05/(1 << k));
    epi_flow *f = epi_case_flow(c, text);
    if (!check_count(epi_run(f, &s, 1, k == 3 ? 0.02 : 0.5), 0)) printf("  %s: %s\n", text, epi_error(f));
    if (k == 3) memcpy(ref, s.y, sizeof ref);
    else { h[k] = 0.05/(1 << k); e[k] = fabs(s.y[0] - ref[0]); }
    epi_free(f);
    epi_case_free(c);
  }
  check_order(3, h, e, 2, 0.3);
}

/* ---- an event on the way: the rebound begins a new stretch with the same eps ---- */
static int fall_force(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = -1; return 0; }
static double fall_potential(epi_system *s, double t, const double *y) { (void)s; (void)t; return y[0] + 3; }
static int rebound(void *data, const epi_system *s, epi_state *x) { (void)s; ++*(int *)data; x->y[1] = -x->y[1]; return 0; }

static void rebounds(void)
{
  epi_system s = {.nq = 1, .force = fall_force, .energies.potential = fall_potential};
  static const char *const texts[] = {"at(density(verlet, eps=0.1), of=0, direction=down, hit=rebound)",
                                      "at(scaled(verlet, eps=0.3), of=0, direction=down, hit=rebound)",
                                      "at(variational(eps=0.3, scaling=potential), of=0, direction=down, hit=rebound)"};
  for (int i = 0; i < 3; i++) {
    double y[] = {1, 0};
    int hits = 0;
    epi_name names[] = {{.name = "model", .system = &s}, {.name = "rebound", .see = rebound, .data = &hits}, {0}};
    epi_state x = {.y = y};
    epi_flow *f = epi_make_named(texts[i], names);
    /* falls sqrt 2 long, and is back at the top after twice that */
    if (!check_count(epi_run(f, &x, 4*sqrt(2), 0.25), 0)) printf("  %s: %s\n", texts[i], epi_error(f));
    check_count(hits, 2);
    check_near(y[0], 1, 0, 0.02);
    check_near(y[0] + y[1]*y[1]/2, 1, 0, 0.005);
    epi_free(f);
  }
}

/* ---- velocity force as discrete work: order 2 and the energy that is left ---- */
static int linear_drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  for (int i = 0; i < 2; i++) f[i] -= 0.1*v[i];
  return 0;
}

static void dissipation(void)
{
  epi_system s = henon;
  s.velocity_force = linear_drag;
  double ref[4], h[3], e[3], level[3];
  truth(&s, henon_start, 4, 5, ref);
  static const char *const texts[] = {"variational(0.5)", "variational(eps=%g, scaling=model)",
                                      "variational(0, 0, eps=%g, scaling=model, symmetric=1)"};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      double y[4];
      char text[100];
      memcpy(y, henon_start, sizeof y);
      epi_state x = {.y = y};
      snprintf(text, sizeof text, texts[i], h[k] = 0.1/(1 << k));
      epi_flow *f = make(text, &s);
      check_count(i ? epi_run(f, &x, 5, 1) : epi_run(f, &x, 5, h[k]), 0);
      e[k] = hypot(y[0] - ref[0], y[1] - ref[1]);
      /* the level follows the work: it is the energy of the state, as exactly as the steps are */
      if (epi_extra_state(f, &level[k], 1)) check_near(level[k], henon_energy(&s, 5, ref), 0, 0.01*h[k]);
      epi_free(f);
    }
    check_order(3, h, e, 2, 0.2);
  }
}

/* ---- forces that are accelerations ----
 * two masses: with their forces, and as accelerations with an energy alone or with a kinetic one */
static const double TWO[] = {2, 5};
static int two_accelerations(epi_system *s, double t, const double *q, double *f)
{
  henon_force(s, t, q, f);
  for (int i = 0; i < 2; i++) f[i] /= TWO[i];
  return 0;
}
static double two_kinetic(epi_system *s, double t, const double *y)
{
  (void)s; (void)t;
  return 0.5*(TWO[0]*y[2]*y[2] + TWO[1]*y[3]*y[3]);
}
static double two_energy(epi_system *s, double t, const double *y) { return two_kinetic(s, t, y) + henon_potential(s, t, y); }

static void accelerations(void)
{
  epi_system m[] = {
    {.nq = 2, .force = henon_force, .mass = TWO, .energies = {.potential = henon_potential, .objective = henon_objective}},
    {.nq = 2, .force = two_accelerations, .inertia.accel = 1, .energy = two_energy, .energies.objective = henon_objective},
    {.nq = 2, .force = two_accelerations, .inertia.accel = 1,
     .energies = {.kinetic = two_kinetic, .potential = henon_potential, .objective = henon_objective}}};
  double y[3][4];
  for (int i = 0; i < 3; i++) {
    memcpy(y[i], henon_start, sizeof y[i]);
    epi_state s = {.y = y[i]};
    epi_flow *f = epi_make("scaled(symmetric(verlet), eps=0.1)", &m[i]);
    if (!check_count(epi_run(f, &s, 6, 0.5), 0)) printf("  %s\n", epi_error(f));
    check_array(4, y[i], y[0], 1e-12);
    epi_free(f);
    /* these divide by the mass */
    for (int k = 0; k < 2; k++) {
      double z[4];
      memcpy(z, henon_start, sizeof z);
      epi_state u = {.y = z};
      f = epi_make(k ? "twin(eps=0.1)" : "variational(eps=0.1, scaling=model)", &m[i]);
      check_count(epi_run(f, &u, 1, 0.5), i ? EPI_WRONG : 0);
      if (i) check_has(epi_error(f), "give forces with their mass instead of accelerations");
      epi_free(f);
    }
  }
}

/* ---- several roots ----
 * a contact whose scaling changes by much in a step: next to the guess lies a root of another energy, solved to rounding like the right
 * one. The right one goes to nothing with the step */
static void right_root(void)
{
  epi_case *c = epi_case_make("bounce(K1=0.5, K2=400, q0=1.3, v0=-0.4)");
  for (int k = 1; k <= 12; k++) {
    epi_flow *f = epi_case_flow(c, "variational(0.5, 0.5, scaling=contact, smooth=0.1, clock=own)");
    double y[2], E0 = 0.5*0.4*0.4 + 0.25*1.3*1.3, worst = 0, eps = 0.005*k;
    memcpy(y, c->y, sizeof y);
    epi_state s = {.y = y};
    for (int i = 0; i < 5000; i++) {
      if (!check_count(epi_advance(f, &s, eps, 1), 0)) { printf("  %s\n", epi_error(f)); break; }
      worst = fmax(worst, fabs(c->system.energy(&c->system, s.t, y) - E0));
    }
    if (!check_below(worst, 5*eps*eps)) printf("  eps = %g\n", eps);
    /* and back on the same path */
    y[1] = -y[1];
    check_count(epi_advance(f, &s, eps, 5000), 0);
    check_abs(y[0], 1.3, 1e-6);
    check_abs(y[1], 0.4, 1e-6);
    epi_free(f);
  }
  epi_case_free(c);
}

int main(void)
{
  orders();
  no_trace();
  reversible();
  symplectic();
  logarithmic();
  named_scalings();
  by_its_own_clock();
  members();
  q_alone();
  constrained();
  averaged();
  rebounds();
  dissipation();
  accelerations();
  right_root();
  return test_done();
}
