/* holds: stiff systems get their slow part or all of the motion, to the tolerance, or a refusal with its reason
 * choose-stiff.c - stiff systems to a tolerance: what is found of their scales, the slow part where resolving costs too much, all of the
 * motion where it does not or is asked for, true errors of both, and the sentence of everything that cannot be had by averaging. The whole
 * of the random starts is in stiff-random.c */
#include "curved-valleys.h"

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

/* the start shows neither: a fast oscillation that grows soft where a slow coordinate passes zero, and two whose frequencies cross there */
static int softening(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W];
  (void)t;
  f[0] = -w*w*(q[1]*q[1] + 1e-6)*q[0];
  f[1] = -q[1] - w*w*q[1]*q[0]*q[0];
  return 0;
}

static int crossing(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W], by = 0.5*(q[2] - 0.3);
  (void)t;
  f[0] = -w*w*((1 + by)*q[0] + 0.005*q[1]);
  f[1] = -w*w*((1 - by)*q[1] + 0.005*q[0]);
  f[2] = -q[2] - 0.25*w*w*(q[0]*q[0] - q[1]*q[1]);
  return 0;
}

/* two fast oscillations that come near to 2 to 1, by a hundredth, as the slow coordinate turns back: they exchange energy and do not pass
   it */
static int grazing(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W], g = 1.01 + 0.1*(1 + q[2]), couple = 20*w*w;
  (void)t;
  f[0] = -w*w*q[0] - couple*q[1]*q[1];
  f[1] = -0.25*w*w*g*g*q[1] - 2*couple*q[0]*q[1];
  f[2] = -q[2] - 0.025*w*w*g*q[1]*q[1];
  return 0;
}

static int quick(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W];
  (void)t;
  f[0] = -w*w*q[0];
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
static int make_quick(epi_case *c) { return make(c, quick, 1, 0); }
static int make_tightening(epi_case *c) { return make(c, tightening, 2, 1); }
static int make_resonant(epi_case *c) { return make(c, resonant, 3, 2); }
static int make_driven(epi_case *c) { return make(c, driven, 2, 1); }
static int make_softening(epi_case *c) { return make(c, softening, 2, 1); }
static int make_crossing(epi_case *c) { return make(c, crossing, 3, 2); }
static int make_grazing(epi_case *c)
{
  int bad = make(c, grazing, 3, 2);
  if (!bad) c->y[4] = c->p[A];
  return bad;
}
#define MINE(NAME, MAKE) \
  static const epi_model NAME = {.name = #NAME, .doc = "", .params = PARAMS, .make = MAKE, .flow = "verlet", .step = 1e-4, .end = 4}
MINE(beats, make_beat);
MINE(is_quick, make_quick);
MINE(tightens, make_tightening);
MINE(resonates, make_resonant);
MINE(is_driven, make_driven);
MINE(softens, make_softening);
MINE(crosses, make_crossing);
MINE(grazes, make_grazing);

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

/* forty times as much energy in the fast oscillation as in the rest: a mode that is turned by 1e-7 would push the slow motion away */
static void much_energy(void)
{
  static const struct { double w, tol; const char *start; } all[] = {
    {6942.34, 1e-3, "x1=0.678392593821, y1=-0.737178754311, x2=1.56898142019, y2=-1.53668820234, vx1=-0.580878, vy1=0.661724, "
                    "vx2=0.323079, vy2=-0.117438"},
    {8136.27, 1e-5, "x1=0.869663669781, y1=-0.491151446102, x2=1.75377394745, y2=-0.459317489089, vx1=-0.511841, vy1=0.331728, "
                    "vx2=-0.307063, vy2=-0.356135"},
  };
  for (int k = 0; k < 2; k++) {
    char model[400];
    truth t;
    snprintf(model, sizeof model, "stiff-springs(case=own, w1=%g, w2=1, %s)", all[k].w, all[k].start);
    epi_case *c = epi_case_make(model);
    epi_chosen a = {.tol = all[k].tol, .end = 10};
    if (chosen(c, &a)) {
      check_count(a.slow_part, 1);
      check_count(true_rows(c, 10, 1, 1.2*all[k].w, &t), 0);
      double e = off_by(c, a.flow, 10, &t)/a.tol;
      printf("much fast energy, w = %g, to %g: %.2f of it off, said %.2f\n", all[k].w, a.tol, e, a.found/a.tol);
      check_below(e, 1.5);
    }
    epi_case_free(c);
  }
}

/* floors that are curved, stiffness that changes along them: no average with one rate solves these, and at any state it tells the force */
static void valleys(void)
{
  unsigned long long seed = 12;
  int slow = 0;
  for (int k = 0; k < 6; k++) {
    double said;
    long spent;
    valley_draw(&seed, 2500, 5000);
    double e = valley_error(1e-3, &said, &spent);
    printf("valley of %d, w = %.0f: %.2f of it off, said %.2f; %ld to find out\n", valley_now.n, valley_now.w, e, said, spent);
    slow += e >= 0;
    check_below(e, 1);
    if (e >= 0) check_below((double)spent, 12e3);
  }
  check_above(slow, 4);
}

/* the cost of the slow part knows nothing of w; who asks for all of it, or for the slow part, gets that */
static void price(void)
{
  double calls[2];
  for (int k = 0; k < 2; k++) {
    epi_case *c = epi_case_make(k ? "stiff-springs(w2=2e4)" : "stiff-springs(w2=2e3)");
    double y[8];
    epi_chosen a = {.tol = 1e-3, .end = 10, .y = y};
    if (chosen(c, &a)) check_count(a.slow_part, 1);
    calls[k] = a.way[0].calls + (double)a.spent;
    /* the end is known from the choice */
    epi_flow *f = epi_case_flow(c, a.flow);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 10, 10), 0);
    for (int i = 0; i < 8; i++) check_abs(y[i], s.y[i], 1e-9);
    epi_free(f);
    check_has(a.flow, "adiabatic");
    check(a.ways > 1 && strstr(a.way[1].flow, "notch"));
    epi_case_free(c);
  }
  /* direct verlet, twelve steps a period, takes 540 thousand */
  check_below(calls[1], 540e3/140);
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

/* where turns are summed each row between them is a period of its own: of few they are, of many all is resolved */
static void rows(void)
{
  static const struct { double every; const char *flow; } all[] = {{2, "revolve("}, {0.02, "adams("}};
  for (int k = 0; k < 2; k++) {
    epi_case *c = epi_case_make("stiff-springs(w2=500)");
    epi_chosen a = {.tol = 1e-3, .end = 10, .every = all[k].every, .motion = EPI_FULL};
    truth t;
    if (chosen(c, &a)) {
      check_has(a.flow, all[k].flow);
      check_count(true_rows(c, 10, 0, 3000, &t), 0);
      check_below(off_by(c, a.flow, 10, &t), 3e-3);
    }
    if (k) check_has(why_not(&a, "revolve"), "each of 500 rows is a period too");
    epi_case_free(c);
  }
}

/* nothing but a fast oscillation: a tenth of the tolerance would feel how each of 16000 turns is rounded, and take every one */
static void nothing_but_fast(void)
{
  for (double tol = 1e-3; tol > 1e-7; tol *= 1e-3) {
    epi_case *c = epi_case_of(&is_quick, "(w=1e5)");
    epi_chosen a = {.tol = tol, .end = 1};
    if (chosen(c, &a)) {
      check_has(a.flow, "revolve");
      check_below((double)a.spent, 1e6);
      epi_flow *f = epi_case_flow(c, a.flow);
      epi_state s = epi_case_state(c);
      check_count(epi_run(f, &s, 1, 1), 0);
      check_abs(s.y[0], cos(1e5), fmin(3*tol, 3*a.found));
      check_abs(s.y[1], -1e5*sin(1e5), 1e5*fmin(3*tol, 3*a.found));
      for (int i = 0; epi_warning(f, i); i++) check(!strstr(epi_warning(f, i), "micro-steps"));
      epi_free(f);
    }
    epi_case_free(c);
  }
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
      /* some hundred turns are resolved */
      if (w > 5e3 && (w < 1e5 || tol > 1e-4)) check_has(a.flow, "revolve");
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

/* a motion that changes its character on the way, where the start shows nothing of it: right all the same, whether slow or full */
static void later(void)
{
  static const struct { const epi_model *model; const char *text; double tol, rate; int motion; } all[] = {
    {&softens, "(w=2000, a=0.3)", 1e-3, 2000, EPI_EITHER}, {&softens, "(w=2000, a=0.3)", 1e-3, 2000, EPI_SLOW},
    {&crosses, "(w=1000, a=0.5)", 1e-2, 1000, EPI_SLOW}, {&crosses, "(w=8000, a=0.5)", 1e-2, 8000, EPI_SLOW},
    {&crosses, "(w=8000, a=0.05)", 1e-2, 8000, EPI_SLOW}, {&grazes, "(w=2000, a=0.5)", 1e-3, 2000, EPI_SLOW},
    {&grazes, "(w=2000, a=0.5)", 1e-2, 2000, EPI_SLOW}, {&grazes, "(w=4000, a=0.2)", 1e-3, 4000, EPI_SLOW},
  };
  for (size_t k = 0; k < sizeof all/sizeof *all; k++) {
    epi_case *c = epi_case_of(all[k].model, all[k].text);
    epi_chosen a = {.tol = all[k].tol, .end = 4, .motion = all[k].motion};
    truth t;
    if (chosen(c, &a)) {
      check_count(true_rows(c, 4, a.slow_part, all[k].rate, &t), 0);
      double e = off_by(c, a.flow, 4, &t)/a.tol;
      printf("%s%s to %g: %s, %.2f of it off, said %.2f; %s; %s\n", all[k].model->name, all[k].text, a.tol,
             a.slow_part ? "slow" : "full", e, a.found/a.tol, a.flow, why_not(&a, "adiabatic"));
      check_below(e, 1.5);
    }
    epi_case_free(c);
  }
}

/* both springs hard: resonances that are passed are in the estimate, and the slow part is given where it is good enough; as exact, and for
   as few evaluations, as the slow system that is known for it, within a half more */
static void both_hard(void)
{
  static const struct { double w, known; } all[] = {{250, 0.017}, {500, 0.016}, {1000, 0.0062}, {2000, 0.0028}, {4000, 0.0039},
                                                    {8000, 0.0014}, {16000, 0.0020}};
  for (size_t k = 0; k < sizeof all/sizeof *all; k++) {
    char text[64];
    truth t;
    snprintf(text, sizeof text, "stiff-springs(case=iii, w1=%g, w2=%g)", all[k].w, all[k].w);
    epi_case *c = epi_case_make(text);
    epi_chosen a = {.tol = 0.1, .end = 10, .motion = EPI_SLOW};
    if (chosen(c, &a) && check_count(a.slow_part, 1)) {
      check_count(true_rows(c, 10, 1, 0.62*all[k].w, &t), 0);
      double e = off_by(c, a.flow, 10, &t), x = positions_off(c, a.flow, 10, &t);
      printf("both springs hard, w = %g: slow, said %.2g, off by %.2g of each coordinate, positions by %.2g; %.3g evaluations, %ld to find "
             "out\n", all[k].w, a.found, e, x, a.way[0].calls, a.spent);
      check_below(e, a.tol);
      check_below(x, 1.5*all[k].known);
      check_below(a.way[0].calls, 1.5*2600);
      check_has(a.scales, "there is a second stiff mode");
    }
    epi_case_free(c);
  }
}

int main(void)
{
  springs();
  much_energy();
  valleys();
  price();
  rows();
  nothing_but_fast();
  large_amplitude();
  failures();
  later();
  both_hard();
  return test_done();
}
