/* holds: forced systems from many starts meet their tolerance, and a phase that is not fast is reported
 * choose-forced.c - forced systems to a tolerance: the true error over many starts and frequencies, and what is said where a fast phase is
 * not what it seems.
 * STARTS=120 in the surroundings tries as many random starts instead of a few, at more frequencies, SEED=0.1234 others:
 * tests/choose/choose-statistics.sh */
#include "epicycle.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* ---- the pendulum on a vibrated pivot, with all it can start from ---- */
typedef struct { double vmax, q0, theta0; } start;
static const start sets[] = {
  {4, 0.2, 0}, {4, 0.5, 2}, {2.5, 0.05, 1}, {8, 2.5, 0}, {6, 1.2, 4}, {3, 1.8, 0.5}, {5, 0.8, 5.5}
};
enum { SETS = sizeof sets/sizeof *sets, TIMES = 4 };
static const double at[TIMES] = {0.55, 0.7, 0.85, 1};

static double seed, first_seed = 0.5772;
static double chance(void)
{
  seed = fmod(seed*9301.0 + 0.49297, 1);
  return seed;
}

/* q at four times; 0 on success */
static int follow(const char *model, const char *flow, double *q)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = 0;
  for (int k = 0; k < TIMES && !bad; k++) { bad = epi_run(f, &s, at[k], 1); q[k] = s.y[0]; }
  for (int i = 0; epi_warning(f, i); i++) if (strstr(epi_warning(f, i), "rounding")) bad = 1;
  epi_free(f);
  epi_case_free(c);
  return bad;
}

/* direct where that can be afforded; above, a run so tight that only rounding is left */
static void reference(const char *model, double w, double most, double *q)
{
  follow(model, w <= most ? "tolerance(dop853, rtol=1e-14, atol=1e-15)" : "revolve(picard, rtol=1e-12, span=1)", q);
}

static struct { int runs, beyond1, beyond3, beyond6, flagged, wrongly, missed; double worst, told; long spent; } sum[3];

static void try_start(const start *p, double w, int digits, double most)
{
  char model[160];
  double tol = pow(10, -digits), q[TIMES], ref[TIMES], size = fabs(p->q0), error = 0;
  int k = digits/3 - 1;
  snprintf(model, sizeof model, "inverted-pendulum(w=%.17g, vmax=%.17g, q0=%.17g, theta0=%.17g)", w, p->vmax, p->q0, p->theta0);
  epi_case *c = epi_case_make(model);
  epi_chosen a = {.tol = tol, .end = 1};
  int bad = epi_choose(c, &a);
  /* below rounding: 8e-16 of the largest force against the tolerance of a unit of time */
  int below = 8e-16*p->vmax*w/0.2 > tol;
  if (bad || follow(model, a.flow, q)) {
    sum[k].flagged++;
    if (!below) { sum[k].wrongly++; printf("  %s to %g: %s (%s)\n", model, tol, a.error, a.flow); }
    epi_case_free(c);
    return;
  }
  reference(model, w, most, ref);
  for (int i = 0; i < TIMES; i++) size = fmax(size, fabs(ref[i]));
  for (int i = 0; i < TIMES; i++) error = fmax(error, fabs(q[i] - ref[i])/size);
  sum[k].runs++;
  sum[k].spent += a.spent;
  sum[k].beyond1 += error > tol;
  sum[k].beyond3 += error > 3*tol;
  sum[k].beyond6 += error > 6*tol;
  sum[k].missed += error > a.found && error > 1e-13;
  sum[k].worst = fmax(sum[k].worst, error/tol);
  if (error > 3*tol || getenv("SHOW"))
    printf("  %s to %g: %.2g tol, told %.2g tol, %ld evaluations by %s\n", model, tol, error/tol, a.found/tol, a.spent, a.flow);
  epi_case_free(c);
}

static void statistics(int starts)
{
  static const double paces[] = {500, 1e3, 4e3, 2e4, 1e5, 1e6, 1e7, 1e8};
  int all = starts >= 100;
  for (int digits = 3; digits <= 9; digits += 3) {
    for (int i = 0; i < SETS; i++)
      for (int j = 0; j < 8; j++)
        if (all || (i + j + digits/3) % 7 == 0) try_start(&sets[i], paces[j], digits, all ? 2e4 : 1e3);
    seed = first_seed;
    for (int i = 0; i < starts; i++) {
      start p = {2.5 + 5.5*chance(), 0.05 + 2.45*chance(), 2*PI*chance()};
      try_start(&p, pow(10, 2.7 + 5.3*chance()), digits, all ? 2e4 : 1e3);
    }
  }
  /* from a phase where what a sweep changes cancels over the first period */
  start cancels = {2.8177991976865542, 2.304745104085316, 1.5181960576225531};
  try_start(&cancels, 22780336.866460927, 6, 1e3);
  /* where the force does not change along the path, so that one sweep seems to be enough; from near a saddle, where errors of the first
     steps grow most; and two where the motion is so sensitive that periods found good by chance show */
  start flat = {4.1797857909468803, 1.5703064385173093, 3.0312859444223434};
  start saddle = {3.1099634756819796, 0.40191853707804054, 1.1345715719765213};
  start turning = {7.1467279776484247, 2.3094577188671788, 0.74895752869822907}, fast = {5, 0.8, 5.5};
  try_start(&flat, 1e6, 3, 1e3);
  try_start(&saddle, 1e6, 3, 1e3);
  try_start(&turning, 1e5, 6, 1e3);
  try_start(&fast, 1e8, 3, 1e3);
  /* a tolerance far below rounding, near places where a large force is zero: nothing is found anew there */
  start zero = {3.9054203581258662, 0.50707464095755772, 4.3828732158175931};
  try_start(&zero, 138654.55690852678, 6, 1e3);
  /* where the force does not change along the path, what a sweep leaves is a thousand times less than elsewhere; in the second half of this
     motion errors grow as much */
  start late = {3.0805501945924334, 1.5750036203745139, 3.4394609410598789};
  try_start(&late, 1e4, 9, 2e4);
  /* few turns: a motion that all but forgets where it began, and one whose path bends so much in a turn that fewer nodes miss it */
  start wild = {6.8389142035957775, 1.8377666947585567, 1.8355810902873781};
  start bent = {2.6893108884255525, 0.16522340226442794, 0.26522705443786437};
  try_start(&wild, 80, 3, 1e3);
  try_start(&bent, 120, 9, 1e3);
  for (int k = 0; k < 3; k++) {
    printf("1e-%d: %d runs, beyond tol %d, 3 tol %d, 6 tol %d, worst %.2f; beyond what was told %d; flagged %d; evaluations %.0f\n",
           3*k + 3, sum[k].runs, sum[k].beyond1, sum[k].beyond3, sum[k].beyond6, sum[k].worst, sum[k].missed, sum[k].flagged,
           (double)sum[k].spent/fmax(1, sum[k].runs));
    check_below(sum[k].beyond3, 0.02*sum[k].runs + 1e-9);
    check_count(sum[k].beyond6, 0);
    check_count(sum[k].wrongly, 0);
  }
}

/* ---- a fast phase that is not what it seems: never wrong without a word ---- */
static double w = 1e4;
static int upright(double drive, const double *q, double *f) { f[0] = (9.8 + 4*w*drive)/0.2*sin(q[0]); return 0; }
static int plain(epi_system *s, double t, double th, const double *q, double *f) { (void)s; (void)t; return upright(cos(th), q, f); }
static int half(epi_system *s, double t, double th, const double *q, double *f) { (void)s; (void)t; return upright(cos(th/2), q, f); }
static int two(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s; (void)t;
  return upright(0.7*cos(th) + 0.5*cos(sqrt(2)*th), q, f);
}
/* so little of it that it is lost beside the large force, and yet pulls one way when a turn is taken for a period */
static int little(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s; (void)t;
  upright(cos(th), q, f);
  f[0] += 0.02*cos(sqrt(2)*th);
  return 0;
}
static int jumps(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s; (void)t;
  return upright(cos(th) > 0.3 ? 1 : -1, q, f);
}
static int hidden(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s; (void)th;
  return upright(cos(w*t), q, f);
}
static int astray(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s; (void)th;
  return upright(cos(1.37*w*t), q, f);
}
/* only away from the start */
static int later(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s;
  double x = t > 0.05 ? 0.2*(t - 0.05) : 0;
  return upright(cos(th) + x*cos(th/2), q, f);
}

static int (*force_now)(epi_system *, double, double, const double *, double *);
static double start_speed;
static int make_mine(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = force_now, .phase_rate = w}};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.5;
  c->y[1] = start_speed;
  return 0;
}
static const epi_model mine = {.name = "mine", .doc = "a phase", .make = make_mine, .flow = "verlet", .step = 1e-5, .end = 1};

/* right to three tolerances, by a flow that may be of any kind; with a reason that has these words, if any, among what was tried */
static void right_anyway(const char *what, int (*force)(epi_system *, double, double, const double *, double *), double end, double tol,
                         const char *words)
{
  force_now = force;
  epi_case *c = epi_case_of(&mine, NULL);
  epi_chosen a = {.tol = tol, .end = end};
  int said = !words, bad = epi_choose(c, &a);
  if (!check_count(bad, 0)) { printf("  %s: %s\n", what, a.error); epi_case_free(c); return; }
  for (int i = 0; i < a.ways && !said; i++) said = strstr(a.way[i].why, words) != NULL;
  said |= words && (strstr(a.said, words) || strstr(a.reason, words));
  if (!check_count(said, 1)) {
    printf("  %s: '%s' is not said; %s; %s; %s\n", what, words, a.flow, a.said, a.reason);
    for (int i = 0; i < a.ways; i++) printf("    %s: %s\n", a.way[i].flow, a.way[i].why);
  }
  double y[2][2];
  for (int k = 0; k < 2; k++) {
    epi_flow *f = epi_case_flow(c, k ? "tolerance(dop853, rtol=1e-13, atol=1e-13)" : a.flow);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, end, end), 0);
    memcpy(y[k], s.y, sizeof y[k]);
    epi_free(f);
  }
  if (!check_below(fabs(y[0][0] - y[1][0])/fmax(0.5, fabs(y[1][0]))/tol, 3)) printf("  %s by %s\n", what, a.flow);
  if (getenv("SHOW")) printf("%s: %s; %s\n", what, a.flow, a.said);
  epi_case_free(c);
}

/* the phase of a state stays within a turn: no flow is right */
static void refused(const char *what, int (*force)(epi_system *, double, double, const double *, double *), const char *words)
{
  force_now = force;
  epi_case *c = epi_case_of(&mine, NULL);
  epi_chosen a = {.tol = 1e-6, .end = 0.3};
  if (!check_count(epi_choose(c, &a), EPI_WRONG)) printf("  %s by %s\n", what, a.flow);
  check_has(a.error, words);
  epi_case_free(c);
}

static void bad_input(void)
{
  w = 1e4;
  right_anyway("a plain phase", plain, 0.3, 1e-6, NULL);
  refused("half the frequency", half, "when its phase turns once");
  refused("two frequencies", two, "when its phase turns once");
  refused("a little of another", little, "when its phase turns once");
  refused("later", later, "when its phase turns once");
  right_anyway("jumps", jumps, 0.04, 1e-4, "not smooth");
  right_anyway("a phase in t", hidden, 0.3, 1e-6, NULL);
  right_anyway("another phase in t", astray, 0.3, 1e-6, "period");
  /* rotation with the pace of the pivot */
  w = 2000;
  start_speed = 0.7*w;
  right_anyway("rotation", plain, 0.3, 1e-6, "turn to turn");
  start_speed = 0;
  w = 60;
  right_anyway("no separation", plain, 0.3, 1e-6, "too few");
}

/* the finer solution is one of the flow that is chosen: to the end it takes the evaluations told, whether or not the end is asked for */
static void the_flow_itself(epi_case *c, double tol)
{
  double y[2];
  for (int asked = 0; asked < 2; asked++) {
    epi_chosen a = {.tol = tol, .end = 1, .y = asked ? y : NULL};
    if (!check_count(epi_choose(c, &a), 0)) continue;
    epi_flow *f = epi_case_flow(c, a.flow);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 1, 1), 0);
    if (asked) check_bits(1, y, s.y);
    if (!check_count(epi_calls(f), (long)a.way[0].calls)) printf("  %s, the end %sasked for\n", a.flow, asked ? "" : "not ");
    epi_free(f);
  }
}

/* ---- few turns: what is found, with its estimate, costs no more than a few runs of it, and the end is known from the choice ---- */
static void few_turns(void)
{
  static const double pace[] = {100, 300, 500, 700, 1000};
  for (int i = 0; i < 5; i++)
    for (double tol = 1e-3; tol > 1e-6; tol /= 100) {
      char model[64];
      snprintf(model, sizeof model, "inverted-pendulum(w=%g, q0=0.5)", pace[i]);
      epi_case *c = epi_case_make(model);
      double y[2];
      epi_chosen a = {.tol = tol, .end = 1, .y = y};
      if (check_count(epi_choose(c, &a), 0)) {
        epi_flow *f = epi_case_flow(c, a.flow);
        epi_state s = epi_case_state(c);
        check_count(epi_run(f, &s, 1, 1), 0);
        check_abs(y[0], s.y[0], 3*tol);
        if (!check_below((double)a.spent, 4.2*a.way[0].calls)) printf("  %s to %g: %s\n", model, tol, a.flow);
        the_flow_itself(c, tol);
        epi_free(f);
      }
      epi_case_free(c);
    }
}

/* at the start of this motion the fourth sweep of a period is a thousand times better than those before it, and nowhere else: all turns
   are resolved, and their errors add up */
static void sweeps_by_chance(void)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=423.758, q0=1.12312, vmax=7.45972)");
  double y[2][2];
  for (int k = 0; k < 2; k++) {
    epi_flow *f = epi_case_flow(c, k ? "tolerance(dop853, rtol=2e-14, atol=1e-15)" : "revolve(picard, rtol=2e-7, span=1)");
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 1, 1), 0);
    memcpy(y[k], s.y, sizeof y[k]);
    epi_free(f);
  }
  check_abs(y[0][0], y[1][0], 2e-7);
  check_abs(y[0][1], y[1][1], 2e-7*30);
  epi_case_free(c);
}

/* the solution beside a run, which tells its error, leaves no trace in it: the flow that is chosen gives the same bits */
static void no_trace(void)
{
  static const double paces[] = {1e3, 3e3, 1e5, 1e7};
  for (int i = 0; i < 8; i++) {
    char model[120];
    double y[2];
    snprintf(model, sizeof model, "inverted-pendulum(w=%g, q0=%g)", paces[i/2], i%2 ? 0.5 : 0.2);
    epi_case *c = epi_case_make(model);
    epi_chosen a = {.tol = 1e-5, .end = 1, .y = y};
    check_count(epi_choose(c, &a), 0);
    epi_flow *f = epi_case_flow(c, a.flow);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 1, 1), 0);
    check_bits(2, y, s.y);
    epi_free(f);
    epi_case_free(c);
  }
}

/* so little slow motion that a run has too few steps to take any two as one: what tells nothing is not taken for no error */
static void hardly_any_motion(void)
{
  for (int i = 0; i < 2; i++) {
    double y[2], end = i ? 1e-3 : 1e-4;
    epi_case *c = epi_case_make("inverted-pendulum(w=1e7, q0=0.2)");
    epi_chosen a = {.tol = 1e-6, .end = end, .y = y};
    check_count(epi_choose(c, &a), 0);
    epi_flow *f = epi_case_flow(c, "tolerance(dop853, rtol=1e-13, atol=1e-14)");
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, end, end), 0);
    check_below(fabs(y[0] - s.y[0])/0.2, 1e-6);
    check_below(fabs(y[1] - s.y[1])/fabs(s.y[1]), 3e-6);
    epi_free(f);
    epi_case_free(c);
  }
}

/* a row at a whole number of turns, which rounding puts before the end of a step: it is the state there, not a turn of its own */
static void rows_at_turns(void)
{
  const char *model = "inverted-pendulum(w=1000, vmax=5.3357575878611954, q0=1.4222532702069657, theta0=4.021970118802674)";
  epi_case *c[2] = {epi_case_make(model), epi_case_make(model)};
  epi_flow *f[2] = {epi_case_flow(c[0], "revolve(picard, rtol=7e-7, span=1)"), epi_case_flow(c[1], "revolve(picard, rtol=1e-11, span=1)")};
  epi_state s[2] = {epi_case_state(c[0]), epi_case_state(c[1])};
  for (int k = 1; k <= 16; k++) {
    double T = 2*PI/1000, t = T*floor(k/16.0/T);
    for (int i = 0; i < 2; i++) check_count(epi_run(f[i], &s[i], t, 1), 0);
    check_below(fabs(s[0].y[1] - s[1].y[1])/40, 1e-7);
  }
  for (int i = 0; i < 2; i++) { epi_free(f[i]); epi_case_free(c[i]); }
}

/* rows anywhere in a turn, by the path of the turn: right, cheap, and the same whatever rows were asked for before */
static void rows_within(void)
{
  static const char *const flow[] = {"tolerance(dop853, rtol=1e-13, atol=1e-13)", "revolve(picard, rtol=1e-6, span=1)",
                                     "revolve(picard, rtol=1e-6, span=1)"};
  epi_case *c = epi_case_make("inverted-pendulum(w=2e4, q0=0.5, theta0=0.3)");
  double y[3][2], s[3][2];
  epi_flow *f[3];
  epi_state now[3];
  for (int i = 0; i < 3; i++) {
    f[i] = epi_case_flow(c, flow[i]);
    now[i] = epi_case_state(c);
    memcpy(y[i], now[i].y, sizeof y[i]);
    now[i].y = y[i];
  }
  for (int k = 1; k <= 40; k++) {
    for (int i = 0; i < (k % 20 ? 2 : 3); i++) check_count(epi_run(f[i], &now[i], 0.024973*k, 1), 0);
    memcpy(s, y, sizeof y);
    check_below(fabs(s[1][0] - s[0][0])/2, 1e-6);
    check_below(fabs(s[1][1] - s[0][1])/30, 1e-6);
    if (k % 20 == 0) check_count(memcmp(s[1], s[2], sizeof s[1]), 0);
  }
  /* 38 rows more, in turns of their own */
  check_below((double)(epi_calls(f[1]) - epi_calls(f[2])), 38*60);
  for (int i = 0; i < 3; i++) epi_free(f[i]);
  epi_case_free(c);
}

/* what rounding leaves of a smooth force is not taken for overtones */
static void rounding_is_no_jump(void)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=1e5, q0=0.5)");
  epi_chosen a = {.tol = 1e-9, .end = 1};
  check_count(epi_choose(c, &a), 0);
  check_count(strstr(a.said, "jumps") != NULL, 0);
  check_below((double)a.spent, 20000);
  epi_case_free(c);
}

/* ---- rounding that is felt and is not too much: by extrapolation in long double over each turn, 1.6e6 of them ---- */
static void rounding_is_measured(void)
{
  static const double exact = 0.1685600603229488;
  epi_case *c = epi_case_make("inverted-pendulum(w=1e7)");
  epi_chosen a = {.tol = 1e-8, .end = 1};
  if (check_count(epi_choose(c, &a), 0)) {
    epi_flow *f = epi_case_flow(c, a.flow);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 1, 1), 0);
    check_abs(s.y[0], exact, 0.5e-8);
    check(!epi_warning(f, 0));
    epi_free(f);
  } else printf("  %s\n", a.error);
  a = (epi_chosen){.tol = 1e-10, .end = 1};
  check_count(epi_choose(c, &a), EPI_WRONG);
  check_has(a.error, "below rounding");
  epi_case_free(c);
}

int main(void)
{
  no_trace();
  rounding_is_measured();
  rows_at_turns();
  rows_within();
  rounding_is_no_jump();
  hardly_any_motion();
  bad_input();
  sweeps_by_chance();
  few_turns();
  const char *starts = getenv("STARTS"), *other = getenv("SEED");
  if (other) first_seed = strtod(other, NULL);
  statistics(starts ? atoi(starts) : 6);
  return test_done();
}
