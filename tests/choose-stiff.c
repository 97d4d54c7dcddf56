/* choose-stiff.c - stiff systems to a tolerance: what is found of their scales, the slow part where resolving costs too much, all of the
 * motion where it does not or is asked for, true errors of both, and the sentence of everything that cannot be had by averaging. The whole
 * of the random starts is in stiff-random.c */
#include "stiffs.h"

enum { W, A };
static const epi_param PARAMS[] = {
  [W] = {.name = "w", .value = 1000, .doc = "fast frequency"}, [A] = {.name = "a", .value = 1, .doc = "fast speed"}, {0}
};

/* two weakly coupled oscillators: no part of their motion is slow, and what is slow is the beat */
static int beat(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W];
  (void)t;
  f[0] = -w*w*q[0] - w*(q[0] - q[1]);
  f[1] = -w*w*q[1] + w*(q[0] - q[1]);
  return 0;
}

/* a fast oscillation whose frequency grows with the square of a slow coordinate; two fast ones beside a slow one, 2 to 1; and one that is
   driven in time */
static int tightening(epi_system *s, double t, const double *q, double *f)
{
  double g = 1 + 0.3*q[1]*q[1], w = ((const double *)s->data)[W];
  (void)t;
  f[0] = -w*w*g*g*q[0];
  f[1] = -q[1] - 0.6*w*w*g*q[1]*q[0]*q[0];
  return 0;
}

static int resonant(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W];
  (void)t;
  f[0] = -w*w*q[0] - w*q[1]*q[1];
  f[1] = -0.25*w*w*q[1] - 2*w*q[0]*q[1];
  f[2] = -q[2];
  return 0;
}

static int driven(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W];
  f[0] = -w*w*(q[0] - 1e-3*cos(0.7*w*t));
  f[1] = -q[1];
  return 0;
}

static int make(epi_case *c, int (*force)(epi_system *, double, const double *, double *), int n, int slow)
{
  c->system = (epi_system){.nq = n, .force = force, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[slow] = 1;
  if (slow) c->y[n] = c->p[A];
  return 0;
}
static int make_beat(epi_case *c) { return make(c, beat, 2, 0); }
static int make_tightening(epi_case *c) { return make(c, tightening, 2, 1); }
static int make_resonant(epi_case *c) { return make(c, resonant, 3, 2); }
static int make_driven(epi_case *c) { return make(c, driven, 2, 1); }
#define MINE(NAME, MAKE) \
  static const epi_model NAME = {.name = #NAME, .doc = "", .params = PARAMS, .make = MAKE, .flow = "verlet", .step = 1e-4, .end = 4}
MINE(beats, make_beat);
MINE(tightens, make_tightening);
MINE(resonates, make_resonant);
MINE(is_driven, make_driven);

static const char *why_not(const epi_chosen *a, const char *what)
{
  for (int i = 0; i < a->ways; i++) if (strstr(a->way[i].flow, what) && a->way[i].why[0]) return a->way[i].why;
  return "";
}

static int chosen(epi_case *c, epi_chosen *a)
{
  if (check_count(epi_choose(c, a), 0)) return 1;
  printf("  %s\n", a->error);
  return 0;
}

/* either spring hard: the slow part where resolving costs a hundred times as much, or all of it */
static void springs(void)
{
  unsigned long long seed = 5;
  for (int k = 0; k < 4; k++) {
    char model[400];
    double w = random_springs(&seed, k < 2 ? 200 : 1500, k < 2 ? 500 : 3000, 2, model, sizeof model);
    for (double tol = 1e-3; tol > 1e-6; tol *= 1e-2) {
      epi_case *c = epi_case_make(model);
      epi_chosen a = {.tol = tol, .end = 10};
      truth t;
      if (chosen(c, &a)) {
        check_below(a.found, tol);
        if (tol > 1e-4) check_count(a.slow_part, k >= 2);
        check_count(true_rows(c, 10, a.slow_part, 1.5*w, &t), 0);
        double e = off_by(c, a.flow, 10, &t)/tol;
        printf("springs, w = %.0f, to %g: %s, %.2f of it off; %.3g evaluations, %ld to find out\n", w, tol,
               a.slow_part ? "slow" : "full", e, a.way[0].calls, a.spent);
        if (!check_below(e, 3)) printf("  %s: %s\n", model, a.flow);
        check_has(a.scales, "stiff: the fastest oscillation");
        if (a.slow_part) check_has(a.reason, "the rows are the slow part of the motion");
      }
      epi_case_free(c);
    }
  }
}

/* the cost of the slow part knows nothing of w; who asks for all of it, or for the slow part, gets that */
static void price(void)
{
  double calls[2];
  for (int k = 0; k < 2; k++) {
    epi_case *c = epi_case_make(k ? "stiff-springs(w2=2e4)" : "stiff-springs(w2=2e3)");
    epi_chosen a = {.tol = 1e-3, .end = 10};
    if (chosen(c, &a)) check_count(a.slow_part, 1);
    calls[k] = a.way[0].calls + (double)a.spent;
    check_has(a.flow, "adiabatic");
    check(a.ways > 1 && strstr(a.way[1].flow, "notch"));
    epi_case_free(c);
  }
  /* direct verlet, twelve steps a period, takes 540 thousand */
  check_below(calls[1], 540e3/80);
  check_below(calls[1], 1.2*calls[0]);
  epi_case *c = epi_case_make("stiff-springs(w2=2e3)");
  epi_chosen full = {.tol = 1e-3, .end = 10, .motion = EPI_FULL}, slow = {.tol = 1e-3, .end = 10, .motion = EPI_SLOW};
  truth t;
  if (chosen(c, &full)) {
    check_count(full.slow_part, 0);
    check_has(full.flow, "revolve");
    check_has(why_not(&full, "adiabatic"), "the full one is asked for");
    check_below((double)full.spent, 0.5*7e5);
    check_count(true_rows(c, 10, 0, 3000, &t), 0);
    check_below(off_by(c, full.flow, 10, &t), 3e-3);
  }
  epi_case_free(c);
  c = epi_case_make("stiff-springs(w2=400)");
  if (chosen(c, &slow)) check_count(slow.slow_part, 1);
  check_count(true_rows(c, 10, 1, 600, &t), 0);
  check_below(off_by(c, slow.flow, 10, &t), 3e-3);
  /* near a tolerance that the slow part does not reach */
  slow = (epi_chosen){.tol = 1e-6, .end = 2, .motion = EPI_SLOW};
  if (chosen(c, &slow)) check_count(slow.slow_part, 0);
  check_has(why_not(&slow, "adiabatic"), "not fast enough");
  epi_case_free(c);
}

/* the amplitude is everything: the exact solution is cos(psi t) cos(om t) and sin(psi t) cos(om t) in the sum and the difference */
static void large_amplitude(void)
{
  for (double w = 1e3; w < 2e5; w *= 10)
    for (double tol = 1e-3; tol > 1e-7; tol *= 1e-3) {
      char text[32];
      snprintf(text, sizeof text, "(w=%g)", w);
      epi_case *c = epi_case_of(&beats, text);
      epi_chosen a = {.tol = tol, .end = 4};
      double high = sqrt(w*w + 2*w), off = 0;
      if (!chosen(c, &a)) { epi_case_free(c); continue; }
      check_count(a.slow_part, 0);
      check_has(why_not(&a, "adiabatic"), "the fast oscillation is not small");
      if (w < 1e5 || tol > 1e-4) check_has(a.flow, "revolve");
      epi_flow *f = epi_case_flow(c, a.flow);
      epi_state s = epi_case_state(c);
      for (int k = 1; k <= 4; k++) {
        check_count(epi_run(f, &s, k, 1), 0);
        /* q0 + q1 moves with w, and so does nothing else: f0 - f1 = -(w^2 + 2 w)(q0 - q1) */
        double sum = cos(w*k), difference = cos(high*k);
        off = fmax(off, fmax(fabs(s.y[0] - 0.5*(sum + difference)), fabs(s.y[1] - 0.5*(sum - difference))));
      }
      printf("two oscillators, w = %g, to %g: %.2f of it off; %.3g evaluations, %ld to find out\n", w, tol, off/tol, a.way[0].calls,
             a.spent);
      check_below(off, 3*tol);
      epi_free(f);
      epi_case_free(c);
    }
}

static void says(const epi_model *model, const char *text, epi_chosen a, const char *scales, const char *adiabatic, int slow)
{
  epi_case *c = model ? epi_case_of(model, text) : epi_case_make(text);
  truth t;
  if (chosen(c, &a)) {
    if (!scales) check_text(a.scales, "");
    else check_has(a.scales, scales);
    if (adiabatic) check_has(why_not(&a, "adiabatic"), adiabatic);
    check_count(a.slow_part, slow);
    if (!slow) {
      check_count(true_rows(c, a.end, 0, 1, &t), 0);
      if (!check_below(off_by(c, a.flow, a.end, &t), 3*a.tol)) printf("  %s %s\n", model ? model->name : "", text);
    }
  }
  epi_case_free(c);
}

static void failures(void)
{
  /* no separation: few turns, or a rest that is as fast */
  says(NULL, "stiff-springs(w2=8)", (epi_chosen){.tol = 1e-5, .end = 10}, "no separation of scales", NULL, 0);
  says(NULL, "stiff-springs(w1=500, w2=800, case=own)", (epi_chosen){.tol = 1e-2, .end = 0.5}, "there is a second stiff mode", NULL, 0);
  /* two fast modes, near a resonance; and one that follows the slow motion, which no period of its own can */
  says(&resonates, "(w=1000, a=0.1)", (epi_chosen){.tol = 1e-3, .end = 2}, "near a resonance", NULL, 0);
  says(&tightens, "(w=1000)", (epi_chosen){.tol = 1e-3, .end = 6}, "its frequency changes with the slow motion", NULL, 0);
  /* a force that knows the time is left alone */
  says(&is_driven, "(w=1000)", (epi_chosen){.tol = 1e-3, .end = 1}, NULL, NULL, 0);
}

/* both springs hard: resonances that are passed are in the estimate, and the slow part is given where it is good enough */
static void both_hard(void)
{
  for (double w = 250; w < 2e4; w *= 8) {
    char text[64];
    truth t;
    snprintf(text, sizeof text, "stiff-springs(case=iii, w1=%g, w2=%g)", w, w);
    epi_case *c = epi_case_make(text);
    epi_chosen a = {.tol = 0.1, .end = 10, .motion = EPI_SLOW};
    if (chosen(c, &a) && a.slow_part) {
      check_count(true_rows(c, 10, 1, 0.62*w, &t), 0);
      double e = off_by(c, a.flow, 10, &t);
      printf("both springs hard, w = %g: slow, said %.2g, off by %.2g of each coordinate; %.3g evaluations, %ld to find out\n", w, a.found,
             e, a.way[0].calls, a.spent);
      check_below(e, 3*a.tol);
      check_below(a.way[0].calls, 1.5*3300);
      check_has(a.scales, "there is a second stiff mode");
    } else printf("both springs hard, w = %g: %s, for %s\n", w, a.flow, why_not(&a, "adiabatic"));
    if (w > 1e3) check_count(a.slow_part, 1);
    epi_case_free(c);
  }
}

int main(void)
{
  springs();
  price();
  large_amplitude();
  failures();
  both_hard();
  return test_done();
}
