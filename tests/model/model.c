/* holds: models by name have consistent records, starts, exact motions, invariants, Jacobians and parts */
#include "differences.h"

static const double PI = 3.14159265358979323846;
enum { LARGEST = 480 };                /* more variables than any model has */

static epi_case *make(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

static void run(epi_flow *f, epi_state *s, double end, double h)
{
  if (epi_run(f, s, end, h)) test_stop(epi_error(f));
}

/* where a flow brings a case, alone */
static void travel(const char *text, const char *flow, double end, double h, double *y)
{
  epi_case *c = make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  run(f, &s, end, h);
  memcpy(y, s.y, (size_t)epi_size(&c->system)*sizeof *y);
  epi_free(f);
  epi_case_free(c);
}

/* ---- records ---- */
static void records(void)
{
  int count = 0;
  for (const epi_model *const *m = epi_models(); *m; m++, count++) {
    const epi_model *r = *m;
    check(r->name && r->doc && r->cite && r->params && r->make && r->observables && r->flow);
    epi_case *c = make(r->name);
    int n = epi_size(&c->system);
    check(c->model == r && n > 0 && n <= LARGEST);
    /* what a reader of the record is told is what the default case has */
    check_rel(c->step, r->step, 1e-12);
    check_rel(c->end, r->end, 1e-12);
    for (int i = 0; r->params[i].name; i++) {
      check(r->params[i].unit && r->params[i].doc);
      check_ulp(c->p[i], r->params[i].value, 0);
    }
    for (int i = 0; i < n; i++) check(c->system.names[i] && c->system.names[i][0]);
    for (const epi_observable *o = r->observables; o->name; o++)
      check(isfinite(o->value(c, &(epi_state){.t = c->t, .theta = c->theta, .y = c->y})));
    check_text(c->parts[0].name, "model");
    check(c->parts[0].system == &c->system);
    epi_case_free(c);
  }
  check_count(count, 28);
}

/* ---- the default run of each model, and what it keeps ---- */
typedef struct { double worst[LARGEST]; } drift;

/* the largest change of each observable in a run to the end, looked at a hundred times */
static drift drift_of(epi_case *c, const char *flow, double h, double end)
{
  drift d = {0};
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  for (int k = 1; k <= 100; k++) {
    run(f, &s, end*k/100, h);
    for (int i = 0; c->model->observables[i].name; i++) {
      const epi_observable *o = &c->model->observables[i];
      d.worst[i] = fmax(d.worst[i], fabs(o->value(c, &s) - o->value(c, &(epi_state){.t = c->t, .theta = c->theta, .y = c->y})));
    }
  }
  int good = 1, n = epi_size(&c->system);
  for (int i = 0; i < n; i++) good &= isfinite(s.y[i]);
  check(good);
  check_rel(s.t, end, 1e-14);
  epi_free(f);
  return d;
}

/* how well the default run keeps each invariant; a first-order method must not */
static const struct { const char *model, *observable; double bound; } KEPT[] = {
  {"pendulum", "energy", 1e-11}, {"averaged-pendulum", "energy", 1e-9},
  {"kepler", "energy", 1e-9}, {"kepler", "angular-momentum", 1e-13}, {"kepler", "laplace-x", 1e-9}, {"kepler", "laplace-y", 1e-8},
  {"stiff-springs", "energy", 1e-6}, {"stiff-springs", "angular-momentum", 1e-12},
  {"spring-chain", "energy", 1e-6}, {"spring-chain", "angular-momentum", 1e-12},
  {"averaged-double-pendulum", "energy", 1e-12}, {"rod-chain", "energy", 1e-6},
  {"bounce", "energy", 1e-2}, {"billiard", "energy", 3e-5}, {"oscillator", "energy", 1e-12}, {"magnetic-pendulum", "energy", 1e-9},
  {"rigid-body", "T", 1e-12}, {"rigid-body", "M", 1e-12}, {"rigid-body", "Lx", 1e-12}, {"rigid-body", "Ly", 1e-12},
  {"rigid-body", "Lz", 1e-12},
  {"heavy-top", "energy", 1e-9}, {"heavy-top", "Lz", 1e-11},
  {"cradle", "energy", 2e-6}, {"cradle", "momentum", 1e-15}, {"spring-pendulum", "energy", 3e-5},
  {NULL, NULL, 0}
};

/* how many steps show that Euler's method does not: few, for the stiff ones blow up, but contacts must have come */
static double steps_of(const epi_case *c) { return c->system.contacts.ng ? 4/c->step : 20; }

static void invariants(void)
{
  int listed = 0, seen = 0;
  while (KEPT[listed].model) listed++;
  for (const epi_model *const *m = epi_models(); *m; m++) {
    epi_case *c = make((*m)->name);
    drift d = drift_of(c, NULL, c->step, c->end), bad = {0};
    const epi_observable *o = (*m)->observables;
    if (o->invariant) bad = drift_of(c, c->system.nc ? "euler-symplectic" : "euler", c->step, steps_of(c)*c->step);
    for (int i = 0; o[i].name; i++) {
      int k = 0;
      while (KEPT[k].model && (strcmp(KEPT[k].model, (*m)->name) || strcmp(KEPT[k].observable, o[i].name))) k++;
      check_count(o[i].invariant, KEPT[k].model != NULL);
      if (!o[i].invariant || !KEPT[k].model) continue;
      seen++;
      printf("%s: %s kept to %.2g, by euler to %.2g\n", (*m)->name, o[i].name, d.worst[i], bad.worst[i]);
      check_below(d.worst[i], KEPT[k].bound);
      /* a momentum, linear in the velocities, is kept by every method */
      if (strcmp(o[i].name, "momentum")) check_above(bad.worst[i], 2*KEPT[k].bound);
    }
    epi_case_free(c);
  }
  check_count(seen, listed);
}

/* a run leaves the start where it was, and the next state starts there again */
static void starts(void)
{
  epi_case *c = make("kepler(e=0.3, M0=1)");
  epi_flow *f = epi_case_flow(c, NULL);
  epi_state s = epi_case_state(c);
  double y0[4], y1[4];
  memcpy(y0, c->y, sizeof y0);
  run(f, &s, 5, c->step);
  memcpy(y1, s.y, sizeof y1);
  check_bits(4, c->y, y0);
  check(memcmp(y1, y0, sizeof y0) != 0);
  s = epi_case_state(c);
  check_bits(4, s.y, y0);
  run(f, &s, 5, c->step);
  check_bits(4, s.y, y1);
  epi_free(f);
  epi_case_free(c);
}

/* ---- exact motions against a run of high order ---- */
static const struct { const char *model, *flow; double end, h, tol; } EXACT[] = {
  /* swings, turns over, both ways, from every side of the separatrix, and on it */
  {"pendulum", "symmetric(verlet, order=8)", 100, 0.05, 1e-10},
  {"pendulum(q0=1)", "symmetric(verlet, order=8)", 100, 0.05, 1e-10},
  {"pendulum(q0=-7.5, v0=0.4, w=2)", "symmetric(verlet, order=8)", 40, 0.02, 1e-10},
  {"pendulum(q0=0.3, v0=2.5)", "symmetric(verlet, order=8)", 40, 0.02, 1e-10},
  {"pendulum(q0=7, v0=-2.5)", "symmetric(verlet, order=8)", 40, 0.02, 1e-10},
  {"pendulum(q0=-2, v0=9, w=3)", "symmetric(verlet, order=8)", 10, 0.01, 1e-10},
  {"pendulum(q0=0, v0=2)", "symmetric(verlet, order=8)", 8, 0.02, 1e-10},
  {"pendulum(q0=0, v0=-3, w=1.5)", "symmetric(verlet, order=8)", 5, 0.02, 1e-10},
  {"pendulum(q0=1, v0=1.7551651237807455)", "symmetric(verlet, order=8)", 6, 0.02, 1e-10},
  {"pendulum(q0=-1, v0=1.7551651237807455)", "symmetric(verlet, order=8)", 6, 0.02, 1e-10},
  {"pendulum(q0=1, v0=-1.7551651237807455)", "symmetric(verlet, order=8)", 6, 0.02, 1e-10},
  {"pendulum(q0=0, v0=1.9999)", "symmetric(verlet, order=8)", 12, 0.02, 1e-9},
  {"pendulum(q0=0, v0=2.0001)", "symmetric(verlet, order=8)", 12, 0.02, 1e-9},
  {"pendulum(q0=0)", "symmetric(verlet, order=8)", 10, 0.1, 1e-14},
  {"kepler", "symmetric(verlet, order=8)", 20, 0.005, 1e-10},
  {"kepler(e=0)", "symmetric(verlet, order=8)", 20, 0.05, 1e-10},
  {"kepler(e=0.6, M0=2.5)", "symmetric(verlet, order=8)", 20, 0.01, 1e-10},
  {"kepler(e=0.3, a=2, mu=3, M0=-1)", "symmetric(verlet, order=8)", 20, 0.02, 1e-10},
  {"rotor", "symmetric(verlet, order=8)", 300, 0.1, 1e-10},
  {"rotor(Omega=1)", "symmetric(verlet, order=8)", 100, 0.1, 1e-10},
  {"rotor(Omega=-0.7, m=2, k=3, eps=0.3)", "symmetric(verlet, order=8)", 100, 0.1, 1e-10},
  {"rotor(Omega=3, m=0.5, k=4.5)", "symmetric(verlet, order=8)", 30, 0.02, 1e-10},
  {"two-oscillators", "tolerance(dop853, rtol=1e-13, atol=1e-14)", 50, 0.01, 1e-10},
  {"two-oscillators(cB=1, kB=10, k=2)", "tolerance(dop853, rtol=1e-13, atol=1e-14)", 30, 0.01, 1e-10},
  {"two-oscillators(cB=0, kB=30, q1=0.2)", "symmetric(verlet, order=8)", 30, 0.01, 1e-10},
  /* contacts have kinks, which a run of high order finds by its steps: from both sides, both ways in time, at rest */
  {"bounce", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 20, 20, 1e-10},
  {"bounce(q0=-0.5, v0=3, K1=2, K2=50)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 10, 10, 1e-10},
  {"bounce(q0=0, v0=-1)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 10, 10, 1e-10},
  {"bounce(q0=0, v0=1, K2=0.1)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", -20, -20, 1e-10},
  {"bounce(q0=0)", "verlet", 1, 0.1, 0},
  {"billiard", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 2, 2, 1e-10},
  {"billiard", "tolerance(dop853, rtol=1e-14, atol=1e-15)", -1, -1, 1e-10},
  {"billiard(K=1e5, r=0.05)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 2, 2, 1e-10},
  {"billiard(walls=0)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 3, 3, 1e-10},
  {"billiard(setup=ring)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 1.3, 1.3, 1e-10},
  {"billiard(setup=ring, r=0.12, K=2e4)", "tolerance(dop853, rtol=1e-14, atol=1e-15)", 1, 1, 1e-10},
  {"rolling-sphere", "tolerance(dop853, rtol=1e-13, atol=1e-15)", 0.5, 0.5, 1e-10},
  {"rolling-sphere(mu=0.6, vs=0.3, m=4, r=0.05, v0=-3, K=1e8)", "tolerance(dop853, rtol=1e-13, atol=1e-15)", 0.4, 0.4, 1e-10},
  {"rolling-sphere(mu=0)", "tolerance(dop853, rtol=1e-13, atol=1e-15)", 0.5, 0.5, 1e-10},
  {"rolling-sphere(v0=0)", "tolerance(dop853, rtol=1e-13, atol=1e-15)", 0.5, 0.5, 1e-12},
  {NULL, NULL, 0, 0, 0}
};

static void exact(void)
{
  for (int i = 0; EXACT[i].model; i++) {
    epi_case *c = make(EXACT[i].model);
    double y[LARGEST], z[LARGEST];
    int n = epi_size(&c->system), bad = c->model->exact(c, 0, z);
    check_count(bad, 0);
    check_array(n, z, c->y, 1e-14);
    travel(EXACT[i].model, EXACT[i].flow, EXACT[i].end, EXACT[i].h, y);
    c->model->exact(c, EXACT[i].end, z);
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(y[k] - z[k]));
    printf("%s at t = %g: %.2g from a run of high order\n", EXACT[i].model, EXACT[i].end, worst);
    if (!check_below(worst, EXACT[i].tol)) printf("  %s\n", EXACT[i].model);
    epi_case_free(c);
  }
}

/* figures from elsewhere: the period 4K(1/2) of the pendulum, Kepler's body at tau = 5, experiment 6.1 of the semi-explicit paper */
static const struct { const char *model; double t; int i; double value, tol; } POINTS[] = {
  {"pendulum", 7.41629870920548767, 0, 1.57079632679489662, 1e-14},
  {"pendulum", 7.41629870920548767/2, 0, -1.57079632679489662, 1e-14},
  {"kepler", 5.44776580178193, 0, -0.862992637503059, 1e-13},
  {"kepler", 5.44776580178193, 1, -0.598808395017427, 1e-13},
  {"kepler(M0=3)", 2.44776580178193, 0, -0.862992637503059, 1e-13},
  {"kepler(M0=3.1415926535897931, e=0.6)", 0, 0, -1.6, 1e-15}, {"kepler(M0=3.1415926535897931, e=0.6)", 0, 3, -0.5, 1e-15},
  {"two-oscillators", 1, 0, 0.80020076, 6e-9}, {"two-oscillators", 1, 1, 0.80062560, 6e-9},
  {"two-oscillators", 1, 2, -0.48010449, 6e-9}, {"two-oscillators", 1, 3, -0.48035235, 6e-9},
  {"two-oscillators", 10, 0, 0.74334547, 6e-9}, {"two-oscillators", 10, 1, 0.74374146, 6e-9},
  {"two-oscillators", 50, 0, -0.73839121, 6e-9}, {"two-oscillators", 50, 3, 0.52723326, 6e-9},
  /* Modin's thesis, Paper II: the period pi + pi/100 and both halves; where the balls are when three of them rest */
  {"bounce", 3.1730085801256912, 0, 1, 1e-15}, {"bounce", 63*3.1730085801256912, 0, 1, 1e-13},
  {"bounce", 0.7, 0, 0.76484218728448842, 1e-15},
  {"bounce", 1.58650429006284562, 0, -0.01, 1e-15}, {"bounce", 3.16, 0, 0.9999153896147366, 1e-15},
  {"billiard", 2, 0, 0.19968585110808641, 1e-15}, {"billiard", 2, 1, 0.19968585110808641, 1e-15},
  {"billiard", 2, 2, 0.37968585110808641, 1e-15},
  {"billiard", 2, 5, 0.55968585110808641, 1e-15}, {"billiard", 2, 7, 0.77904852723511211, 1e-15}, {"billiard", 2, 14, 1, 0},
  {"billiard", 0.880946959720314, 0, 0.15, 1e-15}, {"billiard", 0.880946959720314, 6, 0.69, 1e-15},
  {"billiard", 0.880946959720314, 9, 1, 1e-15},
  {"billiard(setup=ring)", 0, 2, 0.70785398163397448, 1e-15}, {"billiard(setup=ring)", 0, 7, 0.29214601836602552, 1e-15},
  {"billiard(setup=ring)", 1, 0, 0.83816813052588807, 1e-15}, {"billiard(setup=ring)", 1, 1, 0.57753983274206089, 1e-15},
  {"billiard(setup=ring)", 1, 2, 0.42246016725793911, 1e-15}, {"billiard(setup=ring)", 1, 6, 0.43596457523791939, 1e-15},
  {"billiard(setup=ring)", 1, 7, 0.148327461494132, 1e-15}, {"billiard(setup=ring)", 1, 15, -1, 0}, {"billiard(setup=ring)", 1, 8, 0, 0},
  {NULL, 0, 0, 0, 0}
};

static void points(void)
{
  for (int i = 0; POINTS[i].model; i++) {
    epi_case *c = make(POINTS[i].model);
    double y[LARGEST];
    c->model->exact(c, POINTS[i].t, y);
    if (!check_abs(y[POINTS[i].i], POINTS[i].value, POINTS[i].tol)) printf("  %s at t = %g\n", POINTS[i].model, POINTS[i].t);
    epi_case_free(c);
  }
}

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(c, s) : NAN;
}

/* the starts of the papers */
static void paper_starts(void)
{
  /* Sanz-Serna, Ariel & Tsai, 4: energies at the start */
  static const struct { const char *text; double kinetic, potential; } SPRINGS[] = {
    {"stiff-springs", 0.5, 0.5}, {"stiff-springs(w2=20000)", 0.5, 0.5},
    {"stiff-springs(case=ii)", 0.5, 200.0008}, {"stiff-springs(case=iii)", 0.5, 0.5},
    {"spring-chain", 0.75, 0}, {"spring-chain(n=2)", 0.625, 0}, {"spring-chain(n=1)", 0.625, 0}, {"spring-chain(n=7)", 0.625, 0}
  };
  for (size_t i = 0; i < sizeof SPRINGS/sizeof *SPRINGS; i++) {
    epi_case *c = make(SPRINGS[i].text);
    check_abs(c->system.energies.kinetic(&c->system, 0, c->y), SPRINGS[i].kinetic, 1e-12);
    check_abs(c->system.energies.potential(&c->system, 0, c->y), SPRINGS[i].potential, 1e-10);
    epi_case_free(c);
  }
  epi_case *c = make("stiff-springs(case=ii, w1=1000)");
  check_abs(c->y[0], 1.02, 1e-15);
  check_abs(c->system.phase.period, 2*PI/1000, 1e-15);
  epi_case_free(c);
  c = make("inverted-pendulum(theta0=1.5, w=2000)");
  check_ulp(epi_case_state(c).theta, 1.5, 0);
  check_ulp(c->system.phase.phase_rate, 2000, 0);
  epi_case_free(c);
  c = make("spring-chain(n=5)");
  check_array(10, c->y, ((double[]){1, 0, 1, 1, 2, 1, 2, 2, 3, 2}), 0);
  check_text(c->system.names[9], "y5");
  check_text(c->system.names[10], "vx1");
  check_text(c->system.names[19], "vy5");
  epi_case_free(c);
}

/* ---- slow laws ---- */
/* the amplitude of van der Pol's oscillator follows its law up to O(mu/w): ten times faster, ten times nearer */
static void van_der_pol(void)
{
  double worst[2] = {0};
  for (int i = 0; i < 2; i++) {
    epi_case *c = make(i ? "van-der-pol(w=2000)" : "van-der-pol");
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    for (int k = 1; k <= 200; k++) {
      run(f, &s, 8.0*k/200, c->step);
      worst[i] = fmax(worst[i], fabs(observed(c, "amplitude", &s) - observed(c, "slow-amplitude", &s)));
    }
    epi_free(f);
    epi_case_free(c);
  }
  printf("van-der-pol: amplitude %.3g and %.3g from its slow law\n", worst[0], worst[1]);
  check_below(worst[0], 5e-3);
  check_between(worst[0]/worst[1], 9, 11);
}

/* the vibrated pendulum stays upright, its slow energy constant to O(1/w); without vibration it falls */
static void inverted_pendulum(void)
{
  static const char *const texts[] = {"inverted-pendulum", "inverted-pendulum(w=1e5)", "inverted-pendulum(vmax=0)"};
  double widest[3] = {0}, change[3] = {0};
  for (int i = 0; i < 3; i++) {
    epi_case *c = make(texts[i]);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    double start = observed(c, "slow-energy", &s);
    for (int k = 1; k <= 200; k++) {
      run(f, &s, k/200.0, c->step);
      widest[i] = fmax(widest[i], fabs(s.y[0]));
      change[i] = fmax(change[i], fabs(observed(c, "slow-energy", &s) - start));
    }
    epi_free(f);
    epi_case_free(c);
  }
  printf("inverted-pendulum: slow energy changes by %.3g and %.3g\n", change[0], change[1]);
  check_below(widest[0], 0.51);
  check_below(widest[1], 0.51);
  check_above(widest[2], 3);
  check_below(change[0], 0.2);
  check_between(change[0]/change[1], 9, 11);
  check_below(change[2], 1e-9);
}

/* ---- Jacobians by differences ---- */
static void slopes(void)
{
  static const char *const texts[] = {"pendulum", "pendulum(w=3, q0=2, v0=1)", "kepler", "kepler(M0=2, mu=3, a=2)", "rotor(k=3, m=2)",
    "van-der-pol(v0=7)", "van-der-pol(w=2, mu=9, v0=3)", "two-oscillators", "stiff-springs", "stiff-springs(case=iii)",
    "spring-chain(n=5)", "bounce", "bounce(q0=-0.3, K2=20)", "oscillator", "oscillator(q0=9, p0=2)", "magnetic-pendulum(q0=1)",
    "magnetic-pendulum(q0=4, g=3)", "spring-pendulum", "spring-pendulum(kB=30, g=2, x0=0.5, y0=-0.7)"};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    epi_case *c = make(texts[i]);
    for (epi_name *part = c->parts; part->name; part++) {
      check(part->system->jacobian.slope != NULL);
      if (!check_below(slope_error(part->system, c->y), 1e-8)) printf("  %s, %s\n", texts[i], part->name);
    }
    epi_case_free(c);
  }
}

/* ---- objectives and potentials by differences ---- */
static void objectives(void)
{
  static const struct { const char *text; double y[4], Q; } AT[] = {
    {"kepler", {0.3, -0.7, 1, 2}, 1.5046275335852402}, {"kepler(mu=3)", {-2, 0.5, 0, 1}, 1.7554569542169642},
    {"oscillator", {1, 0.3}, 1.0061539042374907}, {"oscillator(d=2)", {8.7, 0.3}, 0.7777710210875065},
    {"magnetic-pendulum", {1.5707963267948966, 0.5}, 6.403124237432849}, {"magnetic-pendulum(g=0.3)", {4, 1}, 0.7233120020832131}
  };
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    epi_case *c = make(AT[i].text);
    epi_system *m = &c->system;
    double y[4], Q, grad[4], up, down, none[4], e = 1e-6;
    memcpy(y, AT[i].y, sizeof y);
    check_count(m->energies.objective(m, 0, y, &Q, grad), 0);
    if (!check_rel(Q, AT[i].Q, 1e-14)) printf("  %s\n", AT[i].text);
    for (int k = 0; k < 2*m->nq; k++) {
      double keep = y[k];
      y[k] = keep + e;
      m->energies.objective(m, 0, y, &up, none);
      y[k] = keep - e;
      m->energies.objective(m, 0, y, &down, none);
      y[k] = keep;
      check_near(grad[k], (up - down)/(2*e), 1e-8, 1e-9);
    }
    epi_case_free(c);
  }
  /* outside of the walls there is nothing to follow */
  epi_case *c = make("oscillator");
  double Q, grad[2], f;
  check_count(c->system.energies.objective(&c->system, 0, (double[]){10.5, 0}, &Q, grad), EPI_TOO_FAR);
  check_count(c->system.force(&c->system, 0, (double[]){-0.1}, &f), EPI_TOO_FAR);
  check_count(c->system.force(&c->system, 0, (double[]){10}, &f), EPI_TOO_FAR);
  epi_case_free(c);
}

/* q' = dT/dp, p' = -dV/dq of the Hamiltonians that are given as energies; H0 of the papers */
static void hamiltonians(void)
{
  static const struct { const char *text; double energy; } START[] = {
    {"oscillator", 1.0223456790123457}, {"oscillator(d=0)", 1.0123456790123457}, {"magnetic-pendulum", 41.125},
    {"bounce", 0.5}, {"billiard", 1}
  };
  static const char *const texts[] = {"oscillator", "oscillator(d=0.3, q0=7, p0=-2)", "magnetic-pendulum",
    "magnetic-pendulum(q0=1.2, delta=0.3)", "kepler", "spring-pendulum(kB=30, g=2)"};
  for (size_t i = 0; i < sizeof START/sizeof *START; i++) {
    epi_case *c = make(START[i].text);
    check_rel(c->system.energy(&c->system, 0, c->y), START[i].energy, 1e-15);
    epi_case_free(c);
  }
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    epi_case *c = make(texts[i]);
    for (int k = 0; k < c->system.nq; k++) c->y[k] += 0.01*(k + 1);
    if (!check_below(potential_error(&c->system, c->y), 1e-7)) printf("  %s\n", texts[i]);
    epi_case_free(c);
  }
  epi_case *c = make("oscillator(d=0.3)");
  double p[] = {0, -1.7}, dq, up, down;
  check_count(c->system.inertia.speed(&c->system, 0, p + 1, &dq), 0);
  check_abs(dq, -1.7 - 0.3*1.7*1.7, 1e-15);
  up = c->system.energies.kinetic(&c->system, 0, (double[]){0, -1.7 + 1e-6});
  down = c->system.energies.kinetic(&c->system, 0, (double[]){0, -1.7 - 1e-6});
  check_abs(dq, (up - down)/2e-6, 1e-9);
  epi_case_free(c);
}

/* the energy errors of Verlet's method fall as h^2 on every one of them; contacts are ragged, for their force has kinks */
static void energy_orders(void)
{
  static const struct { const char *text; double h, end; } ON[] = {{"oscillator", 0.02, 60}, {"magnetic-pendulum", 2e-4, 4},
                                                                   {"kepler", 0.002, 12}};
  for (size_t i = 0; i < sizeof ON/sizeof *ON; i++) {
    double h[3], error[3];
    for (int k = 0; k < 3; k++) {
      epi_case *c = make(ON[i].text);
      h[k] = ON[i].h/(1 << k);
      error[k] = drift_of(c, "verlet", h[k], ON[i].end).worst[0];
      epi_case_free(c);
    }
    printf("%s: energy errors of verlet %.3g, %.3g, %.3g\n", ON[i].text, error[0], error[1], error[2]);
    if (!check_order(3, h, error, 2, 0.1)) printf("  %s\n", ON[i].text);
  }
}

/* ---- parts ---- */
static void parts(void)
{
  epi_case *c = make("two-oscillators(k=3, kB=70, cB=11)");
  double y[] = {0.3, -0.2, 1.7, 0.4}, f[2], a[2], b[2];
  check_text(c->parts[1].name, "model.contacts");
  check_text(c->parts[2].name, "model.stiff");
  forces(&c->system, y, f);
  forces(c->parts[1].system, y, a);
  forces(c->parts[2].system, y, b);
  for (int i = 0; i < 2; i++) check_rel(a[i] + b[i], f[i], 1e-14);
  check_abs(a[0], -0.9, 1e-15);
  check_abs(b[1], 70*0.5 + 11*1.3, 1e-13);
  epi_case_free(c);

  /* by their names in the text: contacts kick, the stiff part moves, second order together */
  double h[4], error[4];
  for (int i = 0; i < 4; i++) {
    double z[4];
    h[i] = 0.02/(1 << i);
    c = make("two-oscillators");
    travel("two-oscillators", "strang(kick(model.contacts), gauss(model.stiff, stages=3))", 10, h[i], y);
    c->model->exact(c, 10, z);
    error[i] = hypot(y[0] - z[0], y[1] - z[1]);
    epi_case_free(c);
  }
  check_below(error[0], 1e-3);
  check_order(4, h, error, 2, 0.1);
}

/* ---- wrong requests ---- */
static const struct { const char *text, *words; } WRONG[] = {
  {"kepler(e=1)", "0 <= e < 1"}, {"kepler(e=-0.1)", "0 <= e < 1"}, {"kepler(a=0)", "a = 0 must be positive"},
  {"kepler(mu=-1)", "mu = -1 must be positive"}, {"pendulum(w=0)", "w = 0 must be positive"},
  {"inverted-pendulum(l=0)", "l = 0 must be positive"}, {"inverted-pendulum(w=-5)", "w = -5 must be positive"},
  {"rotor(m=0)", "m = 0 must be positive"}, {"rotor(k=-2)", "k = -2 must be positive"},
  {"van-der-pol(w=0)", "w = 0 must be positive"}, {"stiff-springs(w2=-3)", "w2 = -3 must be positive"},
  {"spring-chain(n=0)", "n = 0 masses make no chain"}, {"spring-chain(n=2000000000)", "take 1 to"},
  {"spring-chain(w1=0)", "w1 = 0 must be positive"}, {"two-oscillators(k=0)", "k = 0 must be positive"},
  {"two-oscillators(cB=-1)", "cB >= 0"},
  {"bounce(K1=0)", "K1 = 0 must be positive"}, {"bounce(K2=-1)", "K2 = -1 must be positive"},
  {"billiard(r=0.13)", "take a smaller r or a larger K"}, {"billiard(setup=ring, r=0.13)", "take a smaller r"},
  {"billiard(K=50)", "larger K"},
  {"billiard(K=-1)", "K = -1 must be positive"}, {"billiard(r=0)", "r = 0 must be positive"},
  {"billiard(walls=2)", "take 1 for a box, 0 for none"},
  {"billiard(setup=row)", "setup"}, {"oscillator(q0=10)", "take 0 < q0 < 10"}, {"oscillator(q0=-1)", "not between the walls"},
  {"magnetic-pendulum(delta=0)", "delta = 0 must be positive"}, {"magnetic-pendulum(mu=-0.1)", "mu = -0.1 must be positive"},
  {"magnetic-pendulum(g=-1)", "take g >= 0"}, {"rigid-body(I2=0)", "I2 = 0 must be positive"}, {"rigid-body(floor=-1)", "floor >= 0"},
  {"heavy-top(l=0)", "l = 0 must be positive"}, {"heavy-top(I3=-1)", "I3 = -1 must be positive"},
  {"slider-crank(l=0.1)", "take l > r"}, {"slider-crank(m2=0)", "m2 = 0 must be positive"}, {"slider-crank(lag=-1)", "lag >= 0"},
  {"slider-crank(as=glue)", "constraint"}, {"slider-crank(drive=torque)", "speed"}, {"slider-crank(k=0)", "k = 0 must be positive"},
  {"four-bar(a=0.3)", "cannot turn all the way"}, {"four-bar(drive=free, base=0.6)", "cannot be put together"},
  {"four-bar(lag=-1)", "lag >= 0"},
  {"four-bar(m3=-1)", "m3 = -1 must be positive"}, {"cradle(n=1)", "n = 1 spheres make no cradle"}, {"cradle(gap=-1e-6)", "gap >= 0"},
  {"cradle(v0=0)", "v0 = 0 must be positive"}, {"cradle(K=-1)", "K = -1 must be positive"}, {"drop(chi=-1)", "chi >= 0"},
  {"drop(height=-0.1)", "height >= 0"}, {"drop(height=0)", "never falls"}, {"drop(g=-1)", "never falls"},
  {"drop(m=0)", "m = 0 must be positive"},
  {"drop(K=1000)", "too soft"}, {"cradle(K=100)", "too soft"},
  {"rolling-sphere(vs=0)", "vs = 0 must be positive"}, {"rolling-sphere(mu=-1)", "mu >= 0"}, {"rolling-sphere(K=1000)", "too soft"},
  {"rod-pendulum(l2=0)", "l2 = 0 must be positive"}, {"rod-pendulum(lag=-1)", "lag >= 0"}, {"rod-pendulum(as=rope)", "constraint"},
  {"stack(n=0)", "n = 0 spheres make no stack"}, {"stack(K=100)", "too soft"}, {"stack(chi=-1)", "chi >= 0"},
  {"stack(g=0)", "g = 0 must be positive"},
  {"spring-pendulum(kB=0)", "kB = 0 must be positive"}, {"spring-pendulum(x0=0)", "does not know which way"},
  /* said by the reader of options */
  {"spring-chain(n=2.5)", "n"}, {"stiff-springs(case=iv)", "case"}, {"kepler(ecc=0.3)", "ecc"}, {"kepler(e=0.3", "column"},
  {"kepler(e=0.3) x", ""}, {"kepler(e=zero)", "e"}, {"kepler(e=0.1, e=0.2)", "e"}, {"kepler(e=1e999)", "e"},
  /* said by the list */
  {"keplr", "did you mean kepler?"}, {"spring-chian(n=3)", "did you mean spring-chain?"},
  {"zzzzzzzzzzzzzzzzzzzz", "no model is called"}, {"", "no model is named"}, {"(e=0.3)", "no model is named"},
  {"a-name-that-is-longer-than-any-name-of-a-model-could-ever-reasonably-be-expected-to-be", "no model is called"}
};

static void refusals(void)
{
  for (size_t i = 0; i < sizeof WRONG/sizeof *WRONG; i++) {
    epi_case *c = epi_case_make(WRONG[i].text);
    if (!check(c && c->error[0])) printf("  %s was taken\n", WRONG[i].text);
    check_has(c->error, WRONG[i].words);
    /* the flow of such a case says the same, and does not move */
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    check_text(epi_error(f), c->error);
    check(epi_advance(f, &s, 0.1, 1) != 0);
    epi_free(f);
    epi_case_free(c);
  }
  epi_case *c = epi_case_make(NULL);
  check_has(c->error, "no model is named");
  epi_case_free(c);
  epi_case_free(NULL);
  c = make("  kepler ( e = 0.25 )  ");
  check_ulp(c->p[0], 0.25, 0);
  /* a wrong flow for a good case */
  epi_flow *f = epi_case_flow(c, "verlt");
  check_has(epi_error(f), "verlet");
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  records();
  invariants();
  starts();
  exact();
  points();
  paper_starts();
  van_der_pol();
  inverted_pendulum();
  slopes();
  objectives();
  hamiltonians();
  energy_orders();
  parts();
  refusals();
  return test_done();
}
