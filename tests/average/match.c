/* holds: matched starts give the filtered solution to order match + 1 in 1/w
 * match.c - starts that are matched: the slow motion of hmm is that of the filtered solution to order match + 1 in 1/w, at any phase, with
 * slow time, a pace that changes, two frequencies, and forces of velocity. Truth: a resolved run of order 8, filtered at its own phase
 * label: long   cost: 25 */
#include "averages.h"

/* the pivot moves with v(t) sin theta: a = v' sin theta + v theta' cos theta, q'' = (g + a)/l sin q */
static double ramp(double t) { return 4*(1 + t/2 + sin(5*t)/4); }
static double ramp_slope(double t) { return 4*(0.5 + 1.25*cos(5*t)); }
static int ramped(epi_system *s, double t, double theta, const double *q, double *f)
{
  f[0] = (9.8 + ramp_slope(t)*sin(theta) + ramp(t)*s->phase.phase_rate*cos(theta))/0.2*sin(q[0]);
  return 0;
}

static double pace(epi_system *s, double t) { return *(double *)s->data*(1 + t); }
static int chirped(epi_system *s, double t, double theta, const double *q, double *f)
{
  f[0] = (9.8 + 4*pace(s, t)*cos(theta))/0.2*sin(q[0]);
  return 0;
}

/* w and w + 7: the second phase is ahead by slow time */
static int near(epi_system *s, double t, double theta, const double *q, double *f)
{
  double w = s->phase.phase_rate;
  f[0] = (9.8 + 4*w*cos(theta) + (w + 7)*cos(theta + 7*t))/0.2*sin(q[0]);
  return 0;
}

/* 2 to 3: the phase is the common one, of a third of the faster */
static int two(epi_system *s, double t, double theta, const double *q, double *f)
{
  double w = s->phase.phase_rate;
  (void)t;
  f[0] = (9.8 + 3*2*w*cos(2*theta) + 2*3*w*cos(3*theta))/0.2*sin(q[0]);
  return 0;
}

static int drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] -= 2*v[0] + 3*sin(v[0]);
  return 0;
}

enum { RAMP, CHIRP, NEAR, TWO, DRAGGED, PROBLEMS };
static const char *const NAME[] = {"ramp", "chirp", "w and w + 7", "2 to 3", "ramp, drag"};

static epi_system system_of(int problem, double *w)
{
  switch (problem) {
  case CHIRP: return (epi_system){.nq = 1, .phase = {.forced = chirped, .phase_rate_at = pace}, .data = w};
  case NEAR: return (epi_system){.nq = 1, .phase = {.forced = near, .phase_rate = *w}};
  case TWO: return (epi_system){.nq = 1, .phase = {.forced = two, .phase_rate = *w/2}};
  case DRAGGED: return (epi_system){.nq = 1, .phase = {.forced = ramped, .phase_rate = *w}, .velocity_force = drag};
  default: return (epi_system){.nq = 1, .phase = {.forced = ramped, .phase_rate = *w}};
  }
}

/* the windows of hmm are those of the truth: seven periods to either side, and this shape */
static const double SHAPE = 34.25;
enum { TIMES = 8 };
typedef struct { double y[TIMES + 1][2]; } truth;   /* filtered, at t = k/8 */

static truth truth_of(int problem, double w, double theta0)
{
  epi_system m = system_of(problem, &w);
  epi_flow *fine = epi_make("symmetric(verlet, order=8)", &m), *filter = epi_make("symmetric(verlet, order=8)", &m);
  truth a = {{{0}}};
  /* slow velocity zero, or near it: the fast one of the pivot at this phase */
  double y[] = {0.5, 20*sin(0.5)*sin(theta0)}, h = 2*PI/w/24;
  int wide = 7*24*(problem == TWO ? 2 : 1), bad = 0;
  epi_state s = {.y = y, .theta = theta0};
  for (int k = 0; k <= TIMES && !bad; k++) {
    double now = problem == CHIRP ? h/(1 + k/8.0) : h;
    bad = (k && epi_run(fine, &s, k/8.0, problem == CHIRP ? h/2 : h)) || filtered_by(SHAPE, filter, s, 2, wide, now, a.y[k]);
  }
  if (!check_count(bad, 0)) printf("  %s %s\n", epi_error(fine), epi_error(filter));
  epi_free(fine);
  epi_free(filter);
  return a;
}

static double error_of(int problem, double w, double theta0, const char *options, int match, const truth *a)
{
  epi_system m = system_of(problem, &w);
  char text[300];
  snprintf(text, sizeof text, "dop853(hmm(symmetric(verlet, order=8), steps=%d, %s, match=%d, start=current, theta0=%g))",
           problem == TWO ? 36 : 16, options, match, theta0);
  epi_flow *f = epi_make(text, &m);
  double y[2] = {a->y[0][0], a->y[0][1]}, e = 0, H = problem == DRAGGED ? 1./48 : 1./24;
  epi_state s = {.y = y};
  for (int k = 1; k <= TIMES; k++) {
    if (!check_count(epi_run(f, &s, k/8.0, H), 0)) { printf("  %s: %s\n", text, epi_error(f)); e = NAN; break; }
    e = fmax(e, fabs(y[0] - a->y[k][0]));
  }
  epi_free(f);
  return e;
}

/* to order 1, 2 and 3 for w = 500, 1000, ... */
static void orders(int problem, double theta0, const char *options, int n)
{
  enum { MOST = 5, ORDERS = 3 };
  double h[MOST], e[ORDERS][MOST];
  for (int i = 0; i < n; i++) {
    double w = 500*pow(2, i);
    truth a = truth_of(problem, w, theta0);
    h[i] = 1/w;
    printf("%-12s theta0 = %.1f, %-22s w = %4g:", NAME[problem], theta0, options, w);
    for (int k = 0; k < ORDERS; k++) printf("  %.2e", e[k][i] = error_of(problem, w, theta0, options, k, &a));
    printf("\n");
  }
  check_order(n, h, e[0], 1, 0.12);
  check_order(n, h, e[1], 2, 0.12);
  /* 1e-7 is what macro-steps and micro-steps leave; the chirp falls somewhat faster than it must */
  int clean = n < 4 ? n : 4;
  check_between(test_slope(clean, h, e[2]), 2.85, 3.5);
  check_between(test_slope(2, h + clean - 2, e[2] + clean - 2), 2.85, 3.5);
}

/* ---- the oscillating start, its filtered one, and the way back ---- */
/* project makes the filtered start of the oscillating one, at the true phase; windows may start at another */
static void projected(void)
{
  double w = 4000, theta = 1.3;
  epi_system m = system_of(RAMP, &w);
  truth a = truth_of(RAMP, w, theta);
  static const char *const from[] = {"theta0=1.3", "theta0=0"};
  for (int i = 0; i < 2; i++) {
    char text[200];
    snprintf(text, sizeof text, "project(dop853(hmm(symmetric(verlet, order=8), steps=20, match=2, %s)))", from[i]);
    epi_flow *f = epi_make(text, &m);
    double y[] = {0.5, 20*sin(0.5)*sin(theta)}, e = 0;
    epi_state s = {.y = y, .theta = theta};
    for (int k = 1; k <= TIMES; k++) {
      if (!check_count(epi_run(f, &s, k/8.0, 1./24), 0)) printf("  %s: %s\n", text, epi_error(f));
      e = fmax(e, fabs(y[0] - a.y[k][0]));
    }
    for (int k = 0; epi_warning(f, k); k++) check_has(epi_warning(f, k), "resolves everything and costs");
    printf("%s: off by %.1e\n", text, e);
    check_below(e, 2e-6);
    epi_free(f);
  }
}

/* without a project the start is taken for filtered, and if nobody says that it is there is a warning */
static void unsaid(void)
{
  double w = 4000;
  epi_system m = system_of(RAMP, &w);
  static const char *const text[] = {"rk4(hmm(symmetric(verlet), match=1))", "project(rk4(hmm(symmetric(verlet), match=1)), start=0)"};
  for (int i = 0; i < 2; i++) {
    epi_flow *f = epi_make(text[i], &m);
    double y[] = {0.5, 0};
    epi_state s = {.y = y};
    if (!check_count(epi_run(f, &s, 0.1, 0.05), 0)) printf("  %s\n", epi_error(f));
    if (i) check_text(epi_warning(f, 0), NULL);
    else check_has(epi_warning(f, 0), "with match the state is the filtered one");
    epi_free(f);
  }
}

/* ---- what cannot be ---- */
static int still(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -q[0]; f[1] = -4*q[1]; return 0; }
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -q[0] + cos(theta);
  f[1] = -q[1];
  return 0;
}
static int rod(epi_system *s, double t, const double *q, double *g, double *G_, double *gt)
{
  (void)s, (void)t, (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 1;
  G_[0] = 2*q[0];
  G_[1] = 2*q[1];
  return 0;
}

static void refused(epi_system m, const char *text, const char *words)
{
  epi_flow *f = epi_make(text, &m);
  if (!check_has(epi_error(f), words)) printf("  %s\n", text);
  epi_free(f);
}

static void refusals(void)
{
  double w = 1000;
  epi_system m = system_of(RAMP, &w), stiff = {.nq = 2, .force = still, .phase.period = 0.01};
  epi_system held = {.nq = 2, .nc = 1, .phase = {.forced = shaken, .phase_rate = 1000}, .constraint = rod};
  refused(m, "rk4(hmm(verlet, match=-1))", "match is -1");
  refused(m, "rk4(hmm(verlet, match=9))", "take 0 to 8");
  refused(m, "rk4(hmm(verlet, match=1, start=rest))", "finds the fast velocity from the slow one");
  refused(m, "rk4(hmm(verlet, match=1, even=1))", "leave even out");
  refused(m, "rk4(hmm(verlet, match=1, kernel=box))", "smooth ends");
  refused(m, "rk4(hmm(verlet, match=1, phase=running))", "leave phase out");
  refused(m, "verlet(hmm(verlet, match=1))", "verlet needs a force of position");
  refused(m, "project(rk4(hmm(verlet, match=1)), every=0.1)", "would filter it again");
  refused(m, "project(rk4(hmm(verlet, match=1)), drift=0.1)", "would filter it again");
  refused(stiff, "rk4(hmm(verlet, match=1, start=current))", "project(...) around the flow");
  refused(held, "herk3(hmm(verlet, match=1))", "leaves the constraints");
}

/* ---- a run that stops and goes on ---- */
static void restart(void)
{
  double w = 2000, whole[2] = {0.5, 0}, parts[2] = {0.5, 0};
  epi_system m = system_of(RAMP, &w);
  const char *text = "project(tolerance(dopri5(hmm(symmetric(verlet), match=2)), rtol=1e-06))";
  epi_flow *f = epi_make(text, &m), *g = epi_make(text, &m), *h = epi_make(text, &m);
  epi_state s = {.y = whole}, a = {.y = parts};
  FILE *file = tmpfile();
  check_count(epi_advance(f, &s, 0.1, 2), 0);
  check_count(epi_advance(f, &s, 0.1, 4), 0);
  check_count(epi_advance(g, &a, 0.1, 2), 0);
  check_count(epi_save(g, &a, file), 0);
  rewind(file);
  memset(parts, 0, sizeof parts);
  if (!check_count(epi_load(h, &a, file), 0)) printf("  %s\n", epi_error(h));
  check_count(epi_advance(h, &a, 0.1, 4), 0);
  check_bits(2, parts, whole);
  check_count(epi_calls(h), epi_calls(f));
  fclose(file);
  epi_free(f);
  epi_free(g);
  epi_free(h);
}

int main(void)
{
  refusals();
  unsaid();
  projected();
  restart();
  orders(RAMP, 0, "kernel=kaiser", TEST_CHECKED ? 3 : 5);
  if (TEST_CHECKED) return test_done();
  orders(RAMP, 1.3, "kernel=kaiser", 4);
  orders(CHIRP, 0, "kernel=kaiser", 4);
  orders(NEAR, 0, "kernel=kaiser", 3);
  orders(TWO, 0, "kernel=kaiser", 3);
  orders(DRAGGED, 0, "kernel=kaiser", 3);
  orders(RAMP, 0, "kernel=boxes", 5);
  orders(CHIRP, 0, "kernel=boxes, boxes=6", 3);
  return test_done();
}
