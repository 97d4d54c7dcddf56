/* slow.c - what constraints and stroboscopic averaging cost: one step of RATTLE and of herk3 on the double pendulum against steps
 * written by hand, and the slow state of the vibrated pendulum at w = 1e6 against direct integration. A time counts with its error only */
#include "hmm_runs.h"
#include "slow.h"
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { TURNS = 7, STEPS = 50000 };

typedef struct { int met, missed, wrong; } tally;

/* times in ascending order: the first is the least, the one in the middle the median */
typedef struct { int n; double t[TURNS]; } timing;

static void add(timing *o, double t)
{
  int i = o->n++;
  for (; i > 0 && !(o->t[i - 1] <= t); i--) o->t[i] = o->t[i - 1];
  o->t[i] = t;
}

static double median(const timing *o) { return o->t[TURNS/2]; }

static void print_times(const char *what, const timing *o) { printf("  %-78s %12.1f %12.1f\n", what, o->t[0], median(o)); }

static void verdict(tally *sum, const char *what, double ratio, double middle, double bar)
{
  int meets = ratio <= bar;
  printf("  %-78s %12.4g %12.4g   bar %-8.4g %s\n", what, ratio, middle, bar, meets ? "meets" : "MISSES");
  *(meets ? &sum->met : &sum->missed) += 1;
}

static void wrong_unless(tally *sum, int good, const char *what)
{
  if (good) return;
  printf("  FAIL: %s\n", what);
  sum->wrong++;
}

/* ---- 1. one step of the double pendulum, rods as constraints, 32 steps a period of its pivot ---- */
enum { N = 4 };
static const double W = 1e6, MASS[N] = {0.01, 0.01, 0.005, 0.005};

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)q;
  double a = 9.8 + 4*W*cos(W*t);
  f[0] = f[2] = 0;
  f[1] = -MASS[0]*a;
  f[3] = -MASS[2]*a;
  return 0;
}

static int rods(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s, (void)t, (void)gt;
  double x = q[2] - q[0], y = q[3] - q[1];
  g[0] = q[0]*q[0] + q[1]*q[1] - 0.04;
  g[1] = x*x + y*y - 0.01;
  G[0] = 2*q[0];
  G[1] = 2*q[1];
  G[2] = G[3] = 0;
  G[4] = -2*x;
  G[5] = -2*y;
  G[6] = 2*x;
  G[7] = 2*y;
  return 0;
}

/* ns per step; y is left at the end */
static double turn_by_hand(slow_loop *go, epi_system *m, double h, double *y)
{
  double begin = hmm_now();
  return go(m, y, 0, h, STEPS) ? NAN : 1e9*(hmm_now() - begin)/STEPS;
}

static double turn_of_flow(epi_flow *f, double h, double *y)
{
  epi_state s = {.y = y};
  double begin = hmm_now();
  return epi_advance(f, &s, h, STEPS) ? NAN : 1e9*(hmm_now() - begin)/STEPS;
}

static void one_step(tally *sum, const char *flow, slow_loop *by_hand, double bar)
{
  const double start[2*N] = {0.2*sin(0.5), 0.2*cos(0.5), 0.2*sin(0.5), 0.2*cos(0.5) + 0.1}, h = 2*PI/W/32;
  epi_system m = {.nq = N, .nc = 2, .force = force, .constraint = rods, .mass = MASS};
  epi_flow *f = epi_make(flow, &m);
  timing raw = {0}, ours = {0};
  double x[2*N], y[2*N], apart = 0;
  char what[80];
  for (int k = 0; k < TURNS; k++) {
    memcpy(x, start, sizeof x);
    memcpy(y, start, sizeof y);
    add(&raw, turn_by_hand(by_hand, &m, h, x));
    add(&ours, turn_of_flow(f, h, y));
  }
  for (int i = 0; i < 2*N; i++) apart += fabs(x[i] - y[i]);
  snprintf(what, sizeof what, "%s by hand", flow);
  print_times(what, &raw);
  print_times(flow, &ours);
  snprintf(what, sizeof what, "ratio; ends %.0e apart", apart);
  verdict(sum, what, ours.t[0]/raw.t[0], median(&ours)/median(&raw), bar);
  wrong_unless(sum, apart < 1e-6, "the two loops end at different states");
  epi_free(f);
}

static void steps(tally *sum)
{
  printf("\n  %-78s %12s %12s\n", "double pendulum, ns per step", "min", "median");
  one_step(sum, "verlet", slow_rattle, 1.2);
  one_step(sum, "herk3", slow_herk3, 1.5);
}

/* ---- 2. the vibrated pendulum: position and velocity at the last whole period before t = 1 ---- */
typedef struct { double least; const char *flow; long steps; } setting;                  /* least: the lowest w with the error asked for */
typedef struct { double q0; double error, bar; setting set[2]; } goal;
static const goal GOALS[] = {
  {0.2, 1e-3, 1./900, {{1e5, "dop853(strobe(substeps(dop853, 3), order=2))", 7},
                  {1e6, "dop853(strobe(substeps(symmetric(verlet, order=8), 4), order=1))", 7}}},
  {0.2, 1e-6, 1./250, {{1e6, "dop853(strobe(substeps(dop853, 9), order=2))", 13},
                  {1e6, "dop853(strobe(substeps(symmetric(verlet, order=8), 7), order=2))", 12}}},
  {0.5, 1e-3, 1./900, {{1e5, "dop853(strobe(substeps(dop853, 3), order=2))", 9},
                       {1e5, "dop853(strobe(substeps(symmetric(verlet, order=8), 3), order=2))", 10}}},
  {0.5, 1e-6, 1./250, {{1e5, "dop853(strobe(substeps(dop853, 8), order=4))", 21},
                       {1e6, "dop853(strobe(substeps(symmetric(verlet, order=8), 8), order=2))", 21}}},
};

/* a strobe run so fine that only rounding is left */
static hmm_truth strobed(const char *model, double w)
{
  hmm_truth o = {.model = model, .times = 1, .width = 2, .t = {2*PI/w*floor(w/(2*PI))}};
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, "dop853(strobe(substeps(symmetric(verlet, order=8), 24), order=6))");
  epi_state s = epi_case_state(c);
  int bad = epi_advance(f, &s, o.t[0]/64, 64);
  for (int i = 0; i < 2; i++) o.y[0][i] = bad ? NAN : s.y[i];
  epi_free(f);
  epi_case_free(c);
  return o;
}

/* the loosest tolerance that gives the error, in us. Errors of direct runs jump about with the tolerance: a quarter more is let pass */
static int direct(double error, double q0, timing *o)
{
  char model[64];
  snprintf(model, sizeof model, "inverted-pendulum(w=1e6, q0=%g)", q0);
  hmm_truth truth = strobed(model, 1e6);
  hmm_result r;
  double tol = 1e-4;
  char what[80];
  if (!hmm_gsl.run || !hmm_peer_to(&truth, 1.25*error, &hmm_gsl, &tol, &r)) return 0;
  for (int k = 0; k < TURNS; k++) add(o, 1e6*hmm_peer_run(&truth, &hmm_gsl, tol).seconds);
  snprintf(what, sizeof what, "%s, every vibration, w = 1e6, tolerance %.0e, error %.1e", hmm_gsl.name, tol, r.error);
  print_times(what, o);
  return 1;
}

static void flat_in_w(tally *sum, double error, double q0, const setting *u, timing *at_1e6)
{
  double least = HUGE_VAL, most = 0, low = HUGE_VAL, high = 0;
  char model[64], what[96];
  printf("  %s, %ld steps\n", u->flow, u->steps);
  for (double w = u->least; w < 2e8; w *= 10) {
    timing o = {0};
    hmm_result r = {0};
    snprintf(model, sizeof model, "inverted-pendulum(w=%g, q0=%g)", w, q0);
    hmm_truth truth = strobed(model, w);
    for (int k = 0; k < TURNS; k++) add(&o, 1e6*(r = hmm_run(&truth, u->flow, u->steps)).seconds);
    snprintf(what, sizeof what, "  w = %.0e, %ld evaluations, error %.1e", w, r.calls, r.error);
    print_times(what, &o);
    wrong_unless(sum, r.error <= error, "the slow state is off by more than asked for");
    least = fmin(least, o.t[0]);
    most = fmax(most, o.t[0]);
    low = fmin(low, median(&o));
    high = fmax(high, median(&o));
    if (w == 1e6) *at_1e6 = o;
  }
  verdict(sum, "  slowest over fastest", most/least, high/low, 1.2);
}

static void pendulum(tally *sum, const goal *o)
{
  timing gsl = {0};
  printf("\n  pendulum from %g, q and v to %-48.0e %12s %12s\n", o->q0, o->error, "min, us", "median");
  int there = direct(o->error, o->q0, &gsl);
  if (!there) printf("  %s %s\n", hmm_gsl.name, hmm_gsl.run ? "does not reach the error" : "not installed");
  for (int i = 0; i < 2; i++) {
    timing ours = {0};
    flat_in_w(sum, o->error, o->q0, &o->set[i], &ours);
    if (there) verdict(sum, "  strobe over direct, w = 1e6", ours.t[0]/gsl.t[0], median(&ours)/median(&gsl), o->bar);
  }
}

int main(void)
{
  tally sum = {0};
  printf("epicycle %s, constraints and stroboscopic averaging; thread time, min and median of %d\n", EPI_VERSION, TURNS);
  steps(&sum);
  for (size_t i = 0; i < sizeof GOALS/sizeof *GOALS; i++) pendulum(&sum, &GOALS[i]);
  printf("\nbars: %d met, %d missed\nanswers: %s\n", sum.met, sum.missed, sum.wrong ? "FAIL" : "all good");
  return sum.wrong > 0;
}
