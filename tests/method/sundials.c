/* holds: cvode and arkode are right as methods and on averages, keep no history across steps, and fail in words */
#include "problems.h"
#include "test.h"
#include <unistd.h>

/* each with the tolerance that is worth its while */
static const struct { const char *text; double rtol; } flows[] = {
  {"cvode(rtol=%g, atol=%g)", 1e-9}, {"cvode(rtol=%g, atol=%g, method=bdf)", 1e-9}, {"arkode(rtol=%g, atol=%g)", 1e-9},
  {"arkode(rtol=%g, atol=%g, order=2)", 1e-6}, {"arkode(rtol=%g, atol=%g, order=3)", 1e-7}, {"arkode(rtol=%g, atol=%g, order=5)", 1e-9},
  {"arkode(rtol=%g, atol=%g, order=6)", 1e-9}, {"arkode(rtol=%g, atol=%g, order=8)", 1e-10},
};
enum { FLOWS = sizeof flows/sizeof *flows };

static epi_system systems[] = {
  {.nq = 2, .force = shaken_force},
  {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag, .mass = (const double[]){2, 0.5}},
  {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 40}},
  {.nz = 2, .rate = volterra},
};
enum { PLAIN, DAMPED, PHASED, RATE, SYSTEMS };

static double apart(int n, const double *a, const double *b)
{
  double e = 0;
  for (int i = 0; i < n; i++) e = fmax(e, fabs(a[i] - b[i]));
  return e;
}

static void begin(int system, double *y) { memcpy(y, system == RATE ? volterra_start : henon_start, (system == RATE ? 2 : 4)*sizeof *y); }

/* a whole run from the usual start */
static int reach(const char *text, int system, double t0, double h, long n, double *y)
{
  epi_state s = {.t = t0, .y = y};
  begin(system, y);
  epi_flow *f = epi_make(text, &systems[system]);
  int bad = epi_advance(f, &s, h, n);
  if (bad) printf("  %s: %s\n", text, epi_error(f));
  epi_free(f);
  return bad;
}

/* ---- right answers ---- */
static void kepler(void)
{
  for (int i = 0; i < FLOWS; i++) {
    double e[2], exact[4];
    for (int k = 0; k < 2; k++) {
      char text[80];
      double rtol = (k ? 1 : 1000)*flows[i].rtol;
      snprintf(text, sizeof text, flows[i].text, rtol, 0.01*rtol);
      epi_case *c = epi_case_make("kepler(e=0.6)");
      epi_flow *f = epi_case_flow(c, text);
      epi_state s = epi_case_state(c);
      if (!check_count(epi_run(f, &s, 5, 2), 0)) printf("  %s: %s\n", text, epi_error(f));
      check_abs(s.t, 5, 0);
      check_count(c->model->exact(c, 5, exact), 0);
      e[k] = apart(4, s.y, exact);
      check_below(e[k], 1000*rtol);
      epi_free(f);
      epi_case_free(c);
    }
    /* a thousand times the tolerance apart, at least a hundred times the error */
    if (!check_below(e[1], 0.01*e[0])) printf("  %s: %g, %g\n", flows[i].text, e[0], e[1]);
  }
}

/* every kind of system: mass, velocity force, phase, rate alone; forward and back */
static void every_system(void)
{
  for (int k = 0; k < SYSTEMS; k++)
    for (int i = 0; i < FLOWS; i++) {
      double ref[4], y[4];
      int n = epi_size(&systems[k]);
      char text[80];
      snprintf(text, sizeof text, flows[i].text, flows[i].rtol, 0.01*flows[i].rtol);
      check_count(reach("tolerance(dop853, rtol=1e-13)", k, 0.5, 2, 2, ref), 0);
      check_count(reach(text, k, 0.5, 2, 2, y), 0);
      if (!check_array(n, y, ref, 300*flows[i].rtol)) printf("  %s on system %d\n", text, k);
      epi_state s = {.t = 4.5, .theta = 160, .y = y};
      double start[4];
      epi_flow *f = epi_make(text, &systems[k]);
      begin(k, start);
      check_count(epi_run(f, &s, 0.5, -2), 0);
      if (!check_array(n, y, start, 3000*flows[i].rtol)) printf("  %s back on system %d\n", text, k);
      epi_free(f);
    }
}

/* time in the solver is local: where the clock stands does not matter, and a short step far away is no shorter */
static void far_away(void)
{
  epi_system henon = {.nq = 2, .force = henon_force};
  for (int i = 0; i < 3; i++) {
    double a[4], b[4];
    char text[80];
    snprintf(text, sizeof text, flows[i].text, 1e-8, 1e-10);
    memcpy(a, henon_start, sizeof a);
    memcpy(b, henon_start, sizeof b);
    epi_state here = {.y = a}, there = {.t = 1e9, .y = b};
    epi_flow *f = epi_make(text, &henon);
    check_count(epi_advance(f, &here, 0.75, 4) | epi_advance(f, &there, 0.75, 4), 0);
    check_bits(4, b, a);
    check_abs(there.t, 1e9 + 3, 0);
    check_count(epi_advance(f, &there, 2.5e-7, 1), 0);
    check_abs(b[0] - a[0], 2.5e-7*a[2], 1e-13);
    epi_free(f);
  }
}

/* van der Pol in its stiff form, x'' = mu (1 - x^2) x' - x with mu = 1000 */
static int stiff(epi_system *s, double t, const double *y, double *dy)
{
  (void)s; (void)t;
  dy[0] = y[1];
  dy[1] = 1000*(1 - y[0]*y[0])*y[1] - y[0];
  return 0;
}
static int stiff_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s; (void)t; (void)b;
  A[1] = a;
  A[2] = a*(-2000*y[0]*y[1] - 1);
  A[3] = a*1000*(1 - y[0]*y[0]);
  return 0;
}
/* the same as a velocity force, with a mass in it */
static const double two[] = {2};
static int soft_force(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -2*q[0]; return 0; }
static int stiff_velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  f[0] += 2000*(1 - q[0]*q[0])*v[0];
  return 0;
}
static int drag_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s; (void)t;
  A[0] = a*(-2 - 4000*y[0]*y[1]) + b*2000*(1 - y[0]*y[0]);
  return 0;
}

static void stiffness(void)
{
  epi_system all[] = {{.nz = 2, .rate = stiff}, {.nz = 2, .rate = stiff, .jacobian.slope = stiff_slope},
                      {.nq = 1, .force = soft_force, .velocity_force = stiff_velocity_force, .mass = two},
                      {.nq = 1, .force = soft_force, .velocity_force = stiff_velocity_force, .mass = two, .jacobian.slope = drag_slope}};
  double ref[] = {2, 0};
  long calls[4];
  epi_state r = {.y = ref};
  epi_flow *radau = epi_make("tolerance(radau(stages=3), rtol=1e-10)", &all[1]);
  check_count(epi_run(radau, &r, 500, 500), 0);
  epi_free(radau);
  for (int i = 0; i < 4; i++) {
    double y[] = {2, 0};
    epi_state s = {.y = y};
    epi_flow *f = epi_make("cvode(rtol=1e-08, atol=1e-10, method=bdf)", &all[i]);
    check_count(epi_run(f, &s, 500, 500), 0);
    check_array(2, y, ref, 1e-5);
    calls[i] = epi_calls(f);
    check_below((double)calls[i], 2000);
    epi_free(f);
  }
  /* with the slope no differences are taken */
  check_below((double)calls[1], calls[0] - 4.);
  check_below((double)calls[3], calls[2] - 4.);
  /* adams is not for stiff systems, and says what is */
  double y[] = {2, 0};
  epi_state s = {.y = y};
  epi_flow *f = epi_make("cvode(steps=2000)", &all[0]);
  check_count(epi_run(f, &s, 500, 500), EPI_TOO_FAR);
  check_has(epi_error(f), "cvode(method=bdf)");
  check_abs(s.t, 0, 0);
  epi_free(f);
}

/* ---- rotations ---- */
static epi_system tops[] = {
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .manifold.retract = top_turn, .mass = top_inertia},
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .manifold = {.retract = top_turn, .retract_rate = top_slew},
   .mass = top_inertia},
};

static double unit(const double *q) { return fabs(sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]) - 1); }

/* a heavy top over ten turns and more in one step, as by dop853 in Lie form; back again; a unit after every step */
static void rotations(void)
{
  double ref[7], y[7], start[7];
  top_start(start);
  top_start(ref);
  epi_state r = {.y = ref};
  epi_flow *g = epi_make("tolerance(dop853, rtol=1e-13, atol=1e-14)", &tops[1]);
  check_count(epi_run(g, &r, 30, 1), 0);
  epi_free(g);
  for (int i = 0; i < FLOWS; i++) {
    char text[80];
    snprintf(text, sizeof text, flows[i].text, flows[i].rtol, 0.01*flows[i].rtol);
    epi_flow *f = epi_make(text, &tops[i % 2]);
    memcpy(y, start, sizeof y);
    epi_state s = {.y = y};
    if (!check_count(epi_advance(f, &s, 15, 2), 0)) printf("  %s: %s\n", text, epi_error(f));
    check_below(unit(y), 4e-16);
    double e = apart(7, y, ref);
    if (!check_below(e, 3000*flows[i].rtol)) printf("  %s on the top\n", text);
    check_count(epi_advance(f, &s, -15, 2), 0);
    if (!check_below(apart(7, y, start), 6000*flows[i].rtol)) printf("  %s on the top, back\n", text);
    check_below(unit(y), 4e-16);
    printf("%s on a top: %.1e from dop853, %ld evaluations, %ld Jacobians\n", text, e, epi_calls(f), info_of(f).slopes);
    epi_free(f);
  }
}

/* atol for every component: seven alike have the bits of the number; a tight one costs evaluations, wherever it stands; the error
   follows */
static int top_to(const char *text, double end, double *y, long *calls)
{
  top_start(y);
  epi_state s = {.y = y};
  epi_flow *f = epi_make(text, &tops[0]);
  int bad = epi_advance(f, &s, end, 1);
  if (bad) printf("  %s: %s\n", text, epi_error(f));
  *calls = epi_calls(f);
  epi_free(f);
  return bad;
}
static void rotation_tolerances(void)
{
  static const char *const kinds[] = {"cvode(rtol=1e-14, atol=%s)", "cvode(rtol=1e-14, atol=%s, method=bdf)",
                                      "arkode(rtol=1e-14, atol=%s)"};
  static const char *const lists[] = {"1e-05", "[1e-05, 1e-05, 1e-05, 1e-05, 1e-05, 1e-05, 1e-05]",
                                      "[1e-05, 1e-09, 1e-05, 1e-05, 1e-05, 1e-05, 1e-05]",
                                      "[1e-05, 1e-05, 1e-05, 1e-05, 1e-05, 1e-05, 1e-09]", "1e-09"};
  double ref[7];
  top_start(ref);
  epi_state r = {.y = ref};
  epi_flow *g = epi_make("tolerance(dop853, rtol=1e-13, atol=1e-14)", &tops[1]);
  check_count(epi_run(g, &r, 5, 1), 0);
  epi_free(g);
  for (int i = 0; i < 3; i++) {
    double y[5][7];
    long calls[5];
    for (int k = 0; k < 5; k++) {
      char text[160];
      snprintf(text, sizeof text, kinds[i], lists[k]);
      check_count(top_to(text, 5, y[k], &calls[k]), 0);
    }
    check_bits(7, y[1], y[0]);
    check_count(calls[1], calls[0]);
    check_above((double)calls[2], 1.3*(double)calls[0]);
    check_above((double)calls[3], 1.3*(double)calls[0]);
    check_below(apart(7, y[0], ref), 1e-2);
    if (!check_below(apart(7, y[4], ref), 0.01*apart(7, y[0], ref))) printf("  %s\n", kinds[i]);
  }
}

/* bodies of a world: a ball that drops, spins and slides on a plane, with a body hung by stiff springs beside it */
static epi_world *a_world(void)
{
  epi_world *w = epi_world_make();
  int ball = epi_add_body(w,
                          &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.0201},
                                      .velocity = {0.3, 0, 0}, .spin = {5, -2, 1}});
  int hung = epi_add_body(w, &(epi_body){.name = "hung", .mass = 0.2, .inertia = {1e-4, 2e-4, 3e-4}, .at = {1, 0, 0}, .spin = {1, 0, 0}});
  epi_add_joint(w, &(epi_joint){.a = hung, .b = EPI_GROUND, .hold = EPI_POINT, .at_a = {0, 0, 0.05}, .at_b = {1, 0, 0.05},
                                .stiffness = {1e4, 0}, .damping = {1, 0}});
  epi_add_gravity(w, (const double[]){0, 0, -9.81});
  epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = 0.02, .normal = {0, 0, 1},
                                    .law = {.K = 1e7, .chi = 0.2, .mu = 0.2, .vs = 0.01}});
  return w;
}

static void worlds(void)
{
  static const char *const kinds[] = {"tolerance(dop853, rtol=1e-10, atol=1e-13)", "cvode(rtol=1e-09, atol=1e-12)",
                                      "cvode(rtol=1e-09, atol=1e-12, method=bdf)",
                                      "arkode(rtol=1e-09, atol=1e-12, order=5)"};
  double ref[26];
  for (int i = 0; i < 4; i++) {
    epi_world *w = a_world();
    epi_flow *f = epi_world_flow(w, kinds[i]);
    epi_state s = epi_world_state(w);
    if (!check_count(epi_run(f, &s, 0.05, 0.01), 0)) printf("  %s: %s\n", kinds[i], epi_error(f));
    if (i) {
      check_below(unit(s.y + 3), 4e-16);
      check_below(unit(s.y + 10), 4e-16);
      if (!check_below(apart(26, s.y, ref), 2e-5)) printf("  %s\n", kinds[i]);
      printf("%s on bodies: %.1e from dop853\n", kinds[i], apart(26, s.y, ref));
    } else memcpy(ref, s.y, sizeof ref);
    epi_free(f);
    epi_world_free(w);
  }
}

/* saved and loaded, split over calls: the same bits, on rotations too */
static void rotation_bits(void)
{
  static const char *const kinds[] = {"cvode", "cvode(method=bdf)", "arkode(order=5)"};
  for (int i = 0; i < 3; i++) {
    double a[7], b[7], c[7];
    top_start(a);
    top_start(b);
    epi_state sa = {.y = a}, sb = {.y = b}, sc = {.t = 9, .y = c};
    epi_flow *f = epi_make(kinds[i], &tops[0]), *g = epi_make(kinds[i], &tops[0]), *k = epi_make(kinds[i], &tops[0]);
    FILE *o = tmpfile();
    check_count(epi_advance(f, &sa, 0.4, 12), 0);
    check_count(epi_advance(g, &sb, 0.4, 5), 0);
    check_count(epi_save(g, &sb, o), 0);
    rewind(o);
    check_count(epi_load(k, &sc, o), 0);
    check_count(epi_advance(k, &sc, 0.4, 7), 0);
    check_bits(7, c, a);
    fclose(o);
    epi_free(f);
    epi_free(g);
    epi_free(k);
  }
}

/* ---- averages ---- */
typedef struct { long calls, windows; } tally;
static void count(void *data, const epi_info *i)
{
  tally *t = data;
  if (i->depth == 0) t->calls = i->calls;
  if (i->record->arrow == EPI_AVERAGE) t->windows += i->steps;
}

static void averages(void)
{
  static const struct { const char *macro, *same, *average; double tol; } pairs[] = {
    {"cvode(%s, rtol=1e-9, atol=1e-10)", "substeps(rk4(%s), 40)", "strobe(substeps(rk4, 40), order=4)", 1e-6},
    {"cvode(%s, rtol=1e-9, atol=1e-10, method=bdf)", "substeps(rk4(%s), 40)", "strobe(substeps(rk4, 40), order=4)", 1e-6},
    {"arkode(%s, rtol=1e-9, atol=1e-10, order=5)", "substeps(rk4(%s), 40)", "strobe(substeps(rk4, 40), order=4)", 1e-6},
    {"cvode(%s, rtol=1e-9, atol=1e-10)", "substeps(rk4(%s), 40)", "hmm(verlet, start=current)", 1e-6},
    {"arkode(%s, rtol=1e-9, atol=1e-10)", "substeps(rk4(%s), 40)", "hmm(verlet, start=current)", 1e-6},
  };
  for (size_t i = 0; i < sizeof pairs/sizeof *pairs; i++) {
    double y[2][2];
    for (int k = 0; k < 2; k++) {
      char text[160];
      tally t = {0};
      snprintf(text, sizeof text, k ? pairs[i].same : pairs[i].macro, pairs[i].average);
      epi_case *c = epi_case_make("inverted-pendulum(w=1e6)");
      epi_flow *f = epi_case_flow(c, text);
      epi_state s = epi_case_state(c);
      if (!check_count(epi_advance(f, &s, 0.1, 5), 0)) printf("  %s: %s\n", text, epi_error(f));
      memcpy(y[k], s.y, sizeof y[k]);
      epi_walk(f, count, &t);
      /* every evaluation of the macro method was a window of the average, and there were some */
      if (!k) { check_count(t.windows, t.calls); check_above((double)t.windows, 50); }
      epi_free(f);
      epi_case_free(c);
    }
    if (!check_array(2, y[0], y[1], pairs[i].tol)) printf("  %s of %s\n", pairs[i].macro, pairs[i].average);
  }
}

/* the amplitude of van der Pol by a splitting inside and cvode outside obeys a' = (mu/2) a (1 - a^2/4) */
static void slow_van_der_pol(void)
{
  epi_case *c = epi_case_make("van-der-pol");
  epi_flow *f = epi_case_flow(c, "cvode(strobe(substeps(symmetric(verlet), 32), order=4))");
  epi_state s = epi_case_state(c);
  check_count(epi_run(f, &s, 3, 3), 0);
  double a = hypot(s.y[0], s.y[1]/200), slow = 2/sqrt(1 + 15*exp(-3));
  check_abs(a, slow, 2e-4);
  epi_free(f);
  epi_case_free(c);
}

/* ---- bits ---- */
static int bounce(void *data, const epi_system *s, epi_state *x) { ++*(long *)data; (void)s; x->y[2] = -0.9*x->y[2]; return 0; }

typedef struct { const char *text; int system; double h; } tree;
static const tree trees[] = {
  {"cvode", DAMPED, 0.3}, {"cvode(method=bdf)", PLAIN, 0.3}, {"cvode(rtol=1e-09, first=0.001, longest=0.05)", PHASED, 0.3},
  {"cvode(atol=[1e-08, 1e-10])", RATE, 0.5}, {"arkode", DAMPED, 0.3}, {"arkode(order=8)", PHASED, 0.2},
  {"substeps(cvode, n=3)", PLAIN, 0.3},
  {"at(cvode, of=0, level=0.05, hit=bounce)", PLAIN, 0.3}, {"at(arkode(order=5), of=0, level=0.05, hit=bounce)", DAMPED, 0.3},
  {"watch(cvode, every=0.23)", PLAIN, 0.3}, {"cvode(strobe(substeps(rk4, n=10), order=4))", PHASED, 0.5},
  {"cvode(hmm(verlet, start=current), method=bdf)", PHASED, 0.5},
  {"at(cvode(hmm(verlet, steps=16, start=current)), of=0, level=0.05, hit=bounce)", PHASED, 0.5},
};
enum { TREES = sizeof trees/sizeof *trees };

/* save, load into a new tree, go on; and split over calls */
static void restart(const tree *t)
{
  double a[4] = {0}, b[4] = {0}, c[4] = {0};
  long hits = 0;
  epi_name names[] = {{.name = "model", .system = &systems[t->system]}, {.name = "bounce", .see = bounce, .data = &hits}, {0}};
  epi_state sa = {.y = a}, sb = {.y = b}, sc = {.t = 99, .y = c};
  begin(t->system, a);
  begin(t->system, b);
  epi_flow *f = epi_make_named(t->text, names), *g = epi_make_named(t->text, names), *k = epi_make_named(t->text, names);
  FILE *o = tmpfile();
  if (!check_count(epi_advance(f, &sa, t->h, 20), 0)) printf("  %s: %s\n", t->text, epi_error(f));
  if (strstr(t->text, "hit")) check_above((double)hits, 1);
  check_count(epi_advance(g, &sb, t->h, 3) | epi_advance(g, &sb, t->h, 8), 0);
  check_count(epi_save(g, &sb, o), 0);
  rewind(o);
  check_count(epi_load(k, &sc, o), 0);
  check_count(epi_advance(k, &sc, t->h, 8) | epi_advance(k, &sc, t->h, 1), 0);
  if (!(check_bits(4, c, a) & check_bits(1, &sc.t, &sa.t) & check_bits(1, &sc.theta, &sa.theta))) printf("  %s\n", t->text);
  char text[256];
  epi_text(k, text, sizeof text);
  check_text(text, t->text);
  fclose(o);
  epi_free(f);
  epi_free(g);
  epi_free(k);
}

/* a flow that has seen a hundred other steps, some of them refused or failed, takes the next one as a new flow does */
static void no_memory(void)
{
  static const char *const kinds[] = {"cvode", "cvode(rtol=1e-10)", "cvode(method=bdf)", "cvode(order=2)", "arkode", "arkode(order=2)",
                                      "arkode(order=8)"};
  for (size_t k = 0; k < sizeof kinds/sizeof *kinds; k++) {
    epi_flow *old = epi_make(kinds[k], &systems[DAMPED]);
    unsigned x = 1;
    int same = 0, runs = 100;
    for (int i = 0; i < runs; i++) {
      double a[4], b[4];
      for (int l = 0; l < 4; l++) { x = x*1664525u + 1013904223u; a[l] = b[l] = (x >> 8)/8388608.0 - 1; }
      epi_state sa = {.t = i, .y = a}, sb = {.t = i, .y = b};
      double h = (i % 3 ? 1 : -1)*pow(10, -(i % 5))*(1 + i % 7);
      epi_flow *fresh = epi_make(kinds[k], &systems[DAMPED]);
      int bad = epi_advance(old, &sa, h, 1), as_bad = epi_advance(fresh, &sb, h, 1);
      same += bad == as_bad && !memcmp(a, b, sizeof a);
      epi_free(fresh);
    }
    if (!check_count(same, runs)) printf("  %s\n", kinds[k]);
    epi_free(old);
  }
}

/* an event by cvode is where one by dop853 is; the state after a rebound goes on from it */
static double event(const char *text)
{
  double y[4];
  begin(PLAIN, y);
  epi_state s = {.y = y};
  epi_flow *f = epi_make(text, &systems[PLAIN]);
  check_count(epi_run(f, &s, 10, 0.7), EPI_STOPPED);
  check_abs(y[0], -0.1, 1e-14);
  epi_free(f);
  return s.t;
}
static void events(void)
{
  double t = event("at(tolerance(dop853, rtol=1e-12), of=0, level=-0.1, stop=1)");
  check_abs(event("at(cvode(rtol=1e-10, atol=1e-12), of=0, level=-0.1, stop=1)"), t, 1e-8);
  check_abs(event("at(cvode(rtol=1e-10, atol=1e-12, method=bdf), of=0, level=-0.1, stop=1)"), t, 1e-7);
  check_abs(event("at(arkode(rtol=1e-10, atol=1e-12, order=5), of=0, level=-0.1, stop=1)"), t, 1e-8);
}

/* options at their ends */
static void options(void)
{
  static const struct { const char *text; int bad; const char *words; } ends[] = {
    {"cvode(steps=1)", EPI_TOO_FAR, "all its steps are used up"}, {"arkode(steps=1)", EPI_TOO_FAR, "all its steps are used up"},
    {"cvode(longest=1e-09)", EPI_TOO_FAR, "all its steps are used up"}, {"cvode(first=1e-12)", 0, ""}, {"arkode(first=1e-12)", 0, ""},
    {"cvode(first=1e-30)", 0, ""}, {"arkode(first=1e-30)", 0, ""}, {"cvode(first=100)", 0, ""}, {"arkode(first=100)", 0, ""},
    {"cvode(longest=1e+30)", 0, ""}, {"cvode(order=1, rtol=0.0001)", 0, ""},
  };
  for (size_t i = 0; i < sizeof ends/sizeof *ends; i++) {
    double y[4];
    begin(DAMPED, y);
    epi_state s = {.y = y};
    epi_flow *f = epi_make(ends[i].text, &systems[DAMPED]);
    if (!check_count(epi_advance(f, &s, 1, 1), ends[i].bad) || (ends[i].bad && !check_has(epi_error(f), ends[i].words)))
      printf("  %s: %s\n", ends[i].text, epi_error(f));
    check_abs(s.t, ends[i].bad ? 0 : 1, 0);
    epi_free(f);
  }
}

/* ---- sentences ---- */
static void refusals(void)
{
  static epi_system rodded = {.nq = 2, .nc = 1, .force = weight, .constraint = rod}, none = {.nq = 2},
                    top = {.nq = 4, .nv = 3, .force = top_force, .manifold.retract = top_turn, .mass = top_inertia},
                    oneway = {.nz = 2, .rate = volterra, .traits.irreversible = 1};
  static const struct { const char *text; epi_system *system; const char *words; } wrong[] = {
    {"cvode", &rodded, "cvode has no form for constraints: use verlet"}, {"arkode", &rodded, "or herk4"},
    {"arkode(atol=[1, 2, 3])", &top, "atol has 3 entries and the state 7"}, {"cvode", &none, "no force, velocity force or rate"},
    {"cvode(rtol=0)", &systems[RATE], "rtol is 0"}, {"cvode(atol=0)", &systems[RATE], "atol must be positive"},
    {"arkode(atol=[1, 2, 3])", &systems[RATE], "atol has 3 entries and the state 2"}, {"arkode(atol=[1, -2])", &systems[RATE], "one is -2"},
    {"cvode(order=13)", &systems[RATE], "1 to 12 with method=adams"},
    {"cvode(order=6, method=bdf)", &systems[RATE], "1 to 5 with method=bdf"},
    {"arkode(order=7)", &systems[RATE], "take 2, 3, 4, 5, 6 or 8"}, {"cvode(first=-1)", &systems[RATE], "cannot be negative"},
    {"cvode(steps=0)", &systems[RATE], "steps is 0"}, {"tolerance(cvode)", &systems[RATE], "cvode chooses its own steps"},
    {"symmetric(arkode)", &systems[RATE], "arkode"}, {"cvode(method=gear)", &systems[RATE], "adams"},
  };
  for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++) {
    epi_flow *f = epi_make(wrong[i].text, wrong[i].system);
    if (!check_has(epi_error(f), wrong[i].words)) printf("  %s\n", wrong[i].text);
    epi_free(f);
  }
  double y[] = {1, 1};
  epi_state s = {.y = y};
  epi_flow *f = epi_make("cvode", &oneway);
  check_count(epi_advance(f, &s, -0.1, 1), EPI_WRONG);
  check_has(epi_error(f), "cannot run backward");
  epi_free(f);
}

/* a force that breaks after t = 1: not a number, infinite, too far, stop */
static int breaks(epi_system *s, double t, const double *q, double *f)
{
  int how = *(int *)s->data;
  f[0] = -q[0];
  f[1] = t > 1 && how < 2 ? (how ? INFINITY : NAN) : -q[1];
  return t > 1 && how >= 2 && how < 4 ? (how == 2 ? 7 : -7) : 0;
}
static void broken_forces(void)
{
  static const char *const kinds[] = {"cvode", "cvode(method=bdf)", "arkode", "at(cvode, of=0, level=9)"};
  static const char *const words[] = {"the rate of q1dot is not finite at t = 1", "the rate of q1dot is not finite at t = 1",
                                      "asked for a smaller step at t = 1",
                                      "stopped the run at t = 0.9 with code -7"}, *const names[] = {"q0", "q1", "v0", "q1dot"};
  static const int codes[] = {EPI_WRONG, EPI_WRONG, 7, -7};
  for (int i = 0; i < 4; i++)
    for (int how = 0; how < 4; how++) {
      double y[] = {1, 0.5, 0, 0}, z[] = {1, 0.5, 0, 0};
      int back = 4;
      epi_system s = {.nq = 2, .force = breaks, .data = &how, .names = names};
      epi_state x = {.y = y}, g = {.y = z};
      epi_flow *f = epi_make(kinds[i], &s);
      check_count(epi_advance(f, &x, 0.3, 10), codes[how]);
      if (!check_has(epi_error(f), words[how])) printf("  %s, %d\n", kinds[i], how);
      /* the state is that of the last good step, to the bit; and the flow can go on from there when the cause is gone */
      s.data = &back;
      check_count(epi_advance(f, &x, 0.3, 1), 0);
      check(!epi_error(f));
      epi_flow *again = epi_make(kinds[i], &s);
      check_count(epi_advance(again, &g, 0.3, 4), 0);
      check_bits(4, y, z);
      epi_free(f);
      epi_free(again);
    }
}

/* "too far" and what is not finite are reasons for a smaller step, and leave no sentence behind */
static int wall(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  *(long *)s->data += q[0] >= 1;
  f[0] = 3 - 1/((1 - q[0])*(1 - q[0]));
  return q[0] >= 1 ? 1 : 0;
}
static int root(epi_system *s, double t, const double *y, double *dy)
{
  (void)t;
  *(long *)s->data += y[0] < 0;
  dy[0] = -2*sqrt(y[0]);
  return 0;
}
static void recover(void)
{
  long hit = 0, below = 0;
  epi_system walled = {.nq = 1, .force = wall, .data = &hit}, rooted = {.nz = 1, .rate = root, .data = &below};
  static const char *const kinds[] = {"cvode(first=3)", "cvode(first=3, method=bdf)", "arkode(first=3)"},
                    *const careful[] = {"cvode(first=3)", "cvode(first=3, method=bdf)", "arkode(longest=0.1)"};
  for (int i = 0; i < 3; i++) {
    double y[] = {0, 0.7}, z[] = {1};
    epi_state s = {.y = y}, r = {.y = z};
    epi_flow *f = epi_make(kinds[i], &walled), *g = epi_make(careful[i], &rooted);
    hit = below = 0;
    check_count(epi_advance(f, &s, 3, 1), 0);
    check_above((double)hit, 1);
    check(!epi_error(f));
    check_abs(0.5*y[1]*y[1] - 3*y[0] + 1/(1 - y[0]), 0.5*0.7*0.7 + 1, 1e-4);
    check_count(epi_advance(g, &r, 0.99, 1), 0);
    check(!epi_error(g));
    check_abs(z[0], 1e-4, 1e-5);
    epi_free(f);
    epi_free(g);
  }
}

static int blow_up(epi_system *s, double t, const double *y, double *dy) { (void)s; (void)t; dy[0] = y[0]*y[0]; return 0; }
static void singularity(void)
{
  static const char *const kinds[] = {"cvode", "cvode(method=bdf)", "arkode", "arkode(order=8)"};
  for (int i = 0; i < 4; i++) {
    epi_system s = {.nz = 1, .rate = blow_up};
    double y[] = {1};
    epi_state x = {.y = y};
    epi_flow *f = epi_make(kinds[i], &s);
    check(epi_run(f, &x, 2, 2) != 0);
    printf("%s\n", epi_error(f));
    check_has(epi_error(f), "at t = ");
    check_abs(y[0], 1, 0);
    epi_free(f);
  }
}

/* SUNDIALS prints its complaints; here nobody may: how much came out while failing */
static long printed(void (*const failing[])(void))
{
  FILE *heard = tmpfile();
  int saved = dup(2);
  if (!heard || saved < 0 || dup2(fileno(heard), 2) < 0) return -1;
  for (; *failing; failing++) (*failing)();
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  long size = fseek(heard, 0, SEEK_END) ? -1 : ftell(heard);
  fclose(heard);
  return size;
}

int main(void)
{
  epi_flow *a = epi_make("cvode", &systems[PLAIN]), *b = epi_make("arkode", &systems[PLAIN]);
  int absent = epi_error(a) && strstr(epi_error(a), "not in this build");
  if (absent) {
    check_text(epi_error(a), "column 1: cvode is not in this build: install libsundials-dev and build again");
    check_text(epi_error(b), "column 1: arkode is not in this build: install libsundials-dev and build again");
  } else check(!epi_error(a) && !epi_error(b));
  epi_free(a);
  epi_free(b);
  if (absent) return test_skip("the build has no SUNDIALS (package libsundials-dev)");
  kepler();
  every_system();
  far_away();
  stiffness();
  rotations();
  rotation_tolerances();
  worlds();
  rotation_bits();
  averages();
  slow_van_der_pol();
  for (int i = 0; i < TREES; i++) restart(&trees[i]);
  no_memory();
  events();
  check_count(printed((void (*const[])(void)){options, refusals, broken_forces, recover, singularity, NULL}), 0);
  return test_done();
}
