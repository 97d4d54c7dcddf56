/* holds: averages that may be wrong end with a warning, and accurate ones with none
 * average-doubt.c - averages that run and may be wrong say so: a start off the slow manifold, energy that a projection drops, windows that
 * cost more than resolving or are not short, tolerances that an average cannot keep. What is right runs without a word */
#include "averages.h"
#include <stdlib.h>

/* the one warning of f with these words in it, or NULL */
static const char *said(const epi_flow *f, const char *words)
{
  const char *w = NULL;
  for (int i = 0; (w = epi_warning(f, i)); i++) if (strstr(w, words)) return w;
  return NULL;
}

static int silent(const epi_flow *f)
{
  if (epi_warning(f, 0)) printf("  %s\n", epi_warning(f, 0));
  return check(!epi_warning(f, 0));
}

/* words: of the warning; NULL: there is none. start: another one than that of the model, or NULL */
static void run(const char *model, const double *start, const char *flow, double end, double h, const char *words)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (start) memcpy(s.y, start, (size_t)epi_size(&c->system)*sizeof *s.y);
  int ok = check_count(epi_run(f, &s, end, h), 0) & (words ? check(said(f, words) != NULL) : silent(f));
  if (!ok) printf("  %s of %s: %s\n", flow, model, epi_error(f) ? epi_error(f) : "ran");
  epi_free(f);
  epi_case_free(c);
}

/* two masses with a hard spring between them: it is stretched and pulled at the start of the model, and neither in `calm` */
static const double calm[] = {1, 0, 2, 0, 0, -0.5, 0, 0.5};

static void off_the_manifold(void)
{
  static const char *const model[] = {"stiff-springs(w2=200)", "stiff-springs(w2=5000)"};
  static const char *const flow[] = {"rk4(hmm(verlet, start=current))", "tolerance(dopri5(hmm(verlet, start=current)))"};
  for (int i = 0; i < 4; i++) {
    epi_case *c = epi_case_make(model[i % 2]);
    epi_flow *f = epi_case_flow(c, flow[i/2]);
    epi_state s = epi_case_state(c);
    /* its first window sees it; macro-steps take the pull for slow motion, and soon nobody can doubt */
    check(epi_run(f, &s, 20, 0.125) != 0);
    check_has(epi_error(f), "left the slow manifold");
    check_has(epi_error(f), "put project(...) around the flow");
    check(said(f, "a fast part of 0.5, of 0.5") != NULL);
    check_below(s.t, 5);
    epi_free(f);
    epi_case_free(c);
  }
  run("stiff-springs(w2=5000)", calm, "rk4(hmm(verlet, steps=12, start=current))", 2, 0.125, NULL);
}

static void dropped_energy(void)
{
  const char *flow = "project(rk4(hmm(verlet, steps=12, start=current)))";
  run("stiff-springs(w2=20000)", NULL, flow, 10, 0.0625, "dropped 0.75 of an energy of 1");
  run("stiff-springs(w2=20000)", calm, flow, 10, 0.0625, NULL);
  run("stiff-springs(w2=20000)", calm, "project(rk4(hmm(verlet, steps=12, start=current)), every=1)", 10, 0.0625, NULL);
}

/* a pivot that shakes, from a phase at which the fast velocity is zero and from one at which it is not */
static const double W = 1e5;
static int cosine(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = (49 + 20*W*cos(theta))*sin(q[0]);
  return 0;
}
static int sine(epi_system *s, double t, double theta, const double *q, double *f) { return cosine(s, t, theta - PI/2, q, f); }

static void shaken(int (*forced)(epi_system *, double, double, const double *, double *), const char *flow, const char *words, double q)
{
  epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = W}};
  epi_flow *f = epi_make(flow, &m);
  double y[] = {0.3, 0};
  epi_state s = {.y = y};
  int ok = check_count(epi_run(f, &s, 0.5, 0.01), 0) & (words ? check(said(f, words) != NULL) : silent(f));
  if (isfinite(q)) ok &= check_rel(y[0], q, 0.02);
  if (!ok) printf("  %s\n", flow);
  epi_free(f);
}

static double resolved(int (*forced)(epi_system *, double, double, const double *, double *))
{
  epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = W}};
  epi_flow *f = epi_make("symmetric(verlet, order=8)", &m);
  double y[] = {0.3, 0};
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, 0.5, 2*PI/W/8), 0);
  epi_free(f);
  return y[0];
}

static void fast_velocity(void)
{
  const char *words = "the velocity has a fast part of 5.9";
  double even = resolved(cosine), odd = resolved(sine);
  shaken(sine, "verlet(hmm(symmetric(verlet)))", words, NAN);
  shaken(sine, "rk4(hmm(symmetric(verlet), steps=12, start=current, leak=1e-6))", words, NAN);
  shaken(sine, "project(symmetric(verlet(hmm(symmetric(verlet), steps=12, leak=1e-6))))", NULL, odd);
  shaken(sine, "project(rk4(hmm(symmetric(verlet), steps=12, start=current, leak=1e-6)))", NULL, odd);
  shaken(cosine, "symmetric(verlet(hmm(symmetric(verlet), kernel=box, steps=12)))", NULL, even);
  shaken(cosine, "rk4(hmm(symmetric(verlet), steps=12, start=current, leak=1e-6))", NULL, even);
}

static void costs(void)
{
  const char *less = "resolves everything and costs";
  run("inverted-pendulum(w=300)", NULL, "verlet(hmm(verlet))", 1, 0.01, less);
  run("inverted-pendulum(w=300)", NULL, "verlet(hmm(verlet))", 1, 0.01, "verlet with steps of 0.000654");
  run("inverted-pendulum(w=1e6)", NULL, "verlet(hmm(verlet))", 1, 0.01, NULL);
  run("inverted-pendulum(w=1e6)", NULL, "verlet(hmm(verlet, kernel=exp5, even=1))", 1, 0.01, NULL);
  run("inverted-pendulum(w=1000)", NULL, "rk4(strobe(substeps(dop853, 8), order=4))", 1, 0.01, less);
  run("inverted-pendulum(w=1e5)", NULL, "rk4(strobe(substeps(dop853, 8), order=4))", 1, 0.01, NULL);
  run("stiff-springs", calm, "rk4(hmm(verlet, steps=12, start=current))", 10, 0.0625, less);
  run("stiff-springs(w2=20000)", calm, "rk4(hmm(verlet, steps=12, start=current))", 10, 0.0625, NULL);
  /* most windows of a fine run inside another average are not its own run */
  run("inverted-pendulum(w=1e9)", NULL, "euler(hmm(verlet(hmm(rk4, kernel=box)), period=1e-4, periods=14, start=rest))", 0.1, 0.01, NULL);
}

/* largest error of a run to t = 1, seen at 20 stroboscopic times, of the way that the coordinate goes; the warning is that of f */
static double error_of(double w, int order, epi_flow **f, epi_case **c)
{
  char model[64], flow[2][80];
  double T = 2*PI/w, dt = T*ceil(0.05/T), e[2] = {0}, lo[2], hi[2];
  snprintf(model, sizeof model, "inverted-pendulum(w=%g)", w);
  snprintf(flow[0], sizeof flow[0], "rk4(strobe(substeps(dop853, 16), order=%d))", order);
  snprintf(flow[1], sizeof flow[1], "symmetric(verlet, order=8)");
  *c = epi_case_make(model);
  *f = epi_case_flow(*c, flow[0]);
  epi_flow *g = epi_case_flow(*c, flow[1]);
  double x[2], y[2];
  epi_state s = epi_case_state(*c), r = s;
  for (int i = 0; i < 2; i++) lo[i] = hi[i] = x[i] = y[i] = s.y[i];
  s.y = x;
  r.y = y;
  for (int k = 1; k*dt < 1; k++) {
    check_count(epi_run(*f, &s, k*dt, fmin(dt, 0.01)) | epi_run(g, &r, k*dt, T/16), 0);
    for (int i = 0; i < 2; i++) {
      e[i] = fmax(e[i], fabs(x[i] - y[i]));
      lo[i] = fmin(lo[i], y[i]);
      hi[i] = fmax(hi[i], y[i]);
    }
  }
  epi_free(g);
  return fmax(e[0]/(hi[0] - lo[0]), e[1]/(hi[1] - lo[1]));
}

static void estimate(double w, int order)
{
  epi_flow *f;
  epi_case *c;
  double e = error_of(w, order, &f, &c), told = 0;
  const char *at = said(f, "would go ");
  if (check(at != NULL)) told = atof(strstr(at, "would go ") + strlen("would go "));
  printf("strobe of order %d, w = %g: error %.2g, %.2g told\n", order, w, e, told);
  check_below(fabs(log(told/e)), log(2.5));
  epi_free(f);
  epi_case_free(c);
}

/* what the next order would change adds up over the run: right to a factor of two */
static void long_windows(void)
{
  estimate(100, 1);
  estimate(100, 2);
  estimate(200, 2);
  estimate(400, 1);
  estimate(1600, 1);
  const char *words = "not short against the slow motion";
  run("inverted-pendulum(w=100)", NULL, "rk4(strobe(substeps(dop853, 16), order=4))", 1, 0.01, words);
  run("inverted-pendulum(w=200)", NULL, "rk4(strobe(substeps(dop853, 16), order=2))", 1, 0.01, words);
  run("inverted-pendulum(w=3200)", NULL, "dop853(strobe(substeps(dop853, 16), order=1))", 1, 0.2, words);
  run("inverted-pendulum(w=3200)", NULL, "dop853(strobe(substeps(dop853, 16), order=2))", 1, 0.25, NULL);
  run("inverted-pendulum(w=1e5)", NULL, "rk4(strobe(substeps(dop853, 16), order=4))", 2, 0.01, NULL);
  run("inverted-pendulum(w=20)", NULL, "rk4(strobe(substeps(dop853, 16), order=4))", 1, 0.1, "longer than the whole run, 1.26 for 1");
}

static int has_sundials(void)
{
  epi_system m = {.nq = 1, .phase = {.forced = cosine, .phase_rate = W}};
  epi_flow *f = epi_make("cvode", &m);
  int has = !epi_error(f) || !strstr(epi_error(f), "not in this build");
  epi_free(f);
  return has;
}

static void tolerances(void)
{
  const char *words = "the tolerance around it asks for 1e-06", *fast = "inverted-pendulum(w=1e6)";
  run(fast, NULL, "tolerance(dopri5(hmm(verlet)), rtol=1e-6)", 1, 0.1, words);
  run(fast, NULL, "tolerance(dopri5(hmm(verlet, kernel=box, even=1)), rtol=1e-6)", 1, 0.1, "0.0033 of itself");
  run(fast, NULL, "tolerance(dopri5(hmm(verlet)), rtol=1e-3)", 1, 0.1, NULL);
  if (has_sundials()) {
    run(fast, NULL, "cvode(hmm(verlet), rtol=1e-6)", 1, 0.1, words);
    run(fast, NULL, "arkode(hmm(verlet), rtol=1e-6)", 1, 0.1, words);
    run(fast, NULL, "cvode(hmm(verlet), rtol=1e-3)", 1, 0.1, NULL);
  }
  run(fast, NULL, "tolerance(dopri5(hmm(symmetric(verlet))), rtol=1e-5)", 1, 0.1, NULL);
  /* what is left of 1/w, however fine the micro-steps */
  run(fast, NULL, "tolerance(dopri5(hmm(symmetric(verlet, order=8))), rtol=1e-6)", 1, 0.1, "use strobe");
  run(fast, NULL, "tolerance(dopri5(strobe(substeps(rk4, 20), order=4)), rtol=1e-6)", 1, 0.1, "give more micro-steps a period");
  run(fast, NULL, "tolerance(dopri5(strobe(substeps(symmetric(verlet, order=8), 16), order=4)), rtol=1e-6)", 1, 0.1, NULL);
  run("inverted-pendulum(w=1000)", NULL, "tolerance(dopri5(strobe(substeps(dop853, 16))), rtol=1e-6)", 1, 0.1, "a higher order of strobe");
}

/* how many warnings besides those of cost a whole run has, and whether one has these words */
static void result_of(const char *model, const char *flow, double end, double step, const char *words)
{
  epi_case *c = epi_case_make(model);
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = step, .end = end, .every = -1});
  int ok = check_count(epi_result_run(r), 0) & check_count(r->warnings - r->of_cost, words != NULL);
  int said = 0;
  while (words && said < r->warnings - 1 && !strstr(r->warning[said], words)) said++;
  if (words && r->warnings) ok &= check_has(r->warning[said], words);
  if (!ok) printf("  %s of %s: %s\n", flow, model, r->warnings ? r->warning[0] : r->error);
  epi_result_free(r);
  epi_case_free(c);
}

/* verlet with few steps a period makes the slow force too strong, and what that adds up to grows with the slow turns */
static void micro_steps(void)
{
  const char *few = "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)))",
    *some = "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=12, start=current)))",
    *many = "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=32, start=current)))";
  result_of("inverted-pendulum(w=1e4)", few, 1, 0.004, "6 micro-steps a period leave the slow force off by 0.09");
  /* in one step from rest, too, it goes 0.13 too far of its way: halves of 6 steps show three quarters of an error of 0.12 */
  result_of("inverted-pendulum(w=1e4)", few, 0.02, 0.02, "it may be off by 0.12 of its range");
  result_of("inverted-pendulum(w=1e4)", some, 0.02, 0.02, NULL);
  result_of("inverted-pendulum(w=1e4)", many, 1, 0.02, NULL);
}

/* ---- errors that are small in a turn and a phase after many ---- */
/* a stick of 25 cm, upright on a pivot that shakes by 1.2 mm with 900 Hz, 13 slow turns long; the start is 12 degrees aside */
static const double SHAKES = 2*PI*900;
static int shaker(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = 6*(9.81 - 1.2e-3*SHAKES*SHAKES*cos(theta))*sin(q[0]);
  return 0;
}
static int upright(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = shaker, .phase_rate = SHAKES}};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.2094;
  return 0;
}
static const epi_model stick = {.name = "stick", .doc = "a stick on a shaker", .make = upright, .flow = "verlet", .step = 1e-4, .end = 1};

enum { PLACES = 150, TURNS = 18, SENTENCE = 512 };      /* rows, and fast turns from one to the next */
typedef struct { int n; double q[PLACES + 2]; } course;
static void keep(void *data, const epi_result *r)
{
  course *c = data;
  if (c->n <= PLACES) c->q[c->n++] = r->row[1];
}

static int doubts_of(const char *flow, double step, course *c, char words[SENTENCE])
{
  double T = 2*PI/SHAKES;
  epi_case *k = epi_case_of(&stick, NULL);
  *c = (course){0};
  epi_run_options all = {.step = step*T, .end = PLACES*TURNS*T, .every = TURNS*T, .row = keep, .data = c};
  epi_result *r = epi_result_make(k, flow, &all);
  if (!check_count(epi_result_run(r), 0)) printf("  %s\n", r->error);
  int doubts = r->warnings - r->of_cost;
  int at = 0;
  while (doubts && strstr(r->warning[at], "resolves everything")) at++;
  snprintf(words, SENTENCE, "%s", doubts ? r->warning[at] : "");
  epi_result_free(r);
  epi_case_free(k);
  return doubts;
}

/* wrong by more than a tenth of the swing: a doubt with these words. By less than a twentieth: none */
static void phases(void)
{
  static const struct { const char *flow; double step; const char *words; } rows[] = {
    {"rk4(strobe(substeps(verlet, 32), order=4))", 9, "strobe: its micro-steps are too long"},
    {"rk4(strobe(substeps(verlet, 80), order=4))", 9, NULL},
    {"rk4(strobe(substeps(rk4, 20), order=4))", 9, NULL},
    {"symmetric(verlet(hmm(symmetric(verlet), leak=1e-6, steps=10)))", 9, "its windows start from the slow state"},
    /* the ends of a box let through of the slow motion as much as the start lacks */
    {"symmetric(verlet(hmm(symmetric(verlet), kernel=box, even=1, steps=16)))", 9, NULL},
    {"rk4(hmm(symmetric(verlet), steps=10, start=current, leak=1e-6))", 9, "its windows start from the slow state"},
    {"verlet(hmm(verlet, kernel=box, even=1, steps=12))", 2, "its 12 micro-steps a period leave the slow force off by"},
    {"project(rk4(hmm(symmetric(verlet), start=current, match=2, kernel=boxes, steps=16)))", 18, NULL},
    {"rk4(hmm(symmetric(verlet), start=lift, steps=16))", 9, NULL},
  };
  course right, c;
  char words[SENTENCE];
  doubts_of("symmetric(verlet, order=8)", 1./16, &right, words);
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    int doubts = doubts_of(rows[i].flow, rows[i].step, &c, words);
    double off = 0;
    check_count(c.n, right.n);
    for (int k = 0; k < c.n; k++) off = fmax(off, fabs(c.q[k] - right.q[k])/0.2094);
    printf("%s: %.3f of the swing, %s\n", rows[i].flow, off, *words ? words : "no doubt");
    check_count(doubts, rows[i].words != NULL);
    if (rows[i].words) check_has(words, rows[i].words), check_above(off, 0.1);
    else check_below(off, 0.05);
  }
}

/* warnings of a run of van-der-pol by strobe, with its last q: of doubt, or of cost */
typedef struct { int doubts, costs; double q; } strobed;
static strobed strobe_to(double end, double step, double every, int fast)
{
  epi_case *c = epi_case_make("van-der-pol");
  epi_result *r = epi_result_make(c, "rk4(strobe(substeps(rk4, 40), order=4))",
                                  &(epi_run_options){.step = step, .end = end, .every = every, .fast = fast});
  check_count(epi_result_run(r), 0);
  strobed s = {.doubts = r->warnings - r->of_cost, .costs = r->of_cost, .q = r->y[0]};
  if (s.doubts) check_has(r->warning[0], "at whole periods of 0.0314159");
  epi_result_free(r);
  epi_case_free(c);
  return s;
}

/* all of this motion is fast: at whole periods a strobe has it, and between them something else */
static void rows_between_periods(void)
{
  double T = 2*PI/200, q = 1.9987853994383593;
  strobed whole = strobe_to(300*T, 6*T, 60*T, 0), dear = strobe_to(300*T, T, 60*T, 0);
  check_count(whole.doubts, 0);
  check_rel(whole.q, q, 1e-4);
  check_count(dear.doubts, 0);
  check_count(dear.costs, 1);
  check_count(strobe_to(10, 0.2, 1.25, 0).doubts, 1);
  check_count(strobe_to(300*T, 6*T, 60.3*T, 0).doubts, 1);
  check_count(strobe_to(10, 0.2, 1.25, 1).doubts, 0);
}

int main(void)
{
  off_the_manifold();
  dropped_energy();
  fast_velocity();
  costs();
  long_windows();
  tolerances();
  micro_steps();
  phases();
  rows_between_periods();
  return test_done();
}
