/* hmm.c - what averaging costs: a micro-step against a hand-written one, the vibrated pendulum and the stiff springs against direct
 * integration. Errors stand beside every time; a time without the accuracy asked for counts for nothing.
 * bench_hmm [FILE.svg]: the picture too, error against time */
#include "hmm_runs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct { int met, missed, wrong; } tally;

static void bar(tally *sum, const char *what, double value, const char *sense, double bound)
{
  int meets = sense[0] == '<' ? value <= bound : value >= bound;
  printf("  %-62s %9.4g   bar %s %-6g %s\n", what, value, sense, bound, meets ? "meets" : "MISSES");
  *(meets ? &sum->met : &sum->missed) += 1;
}

static void wrong_unless(tally *sum, int good, const char *what)
{
  if (good) return;
  printf("  FAIL: %s\n", what);
  sum->wrong++;
}

/* ---- 1. one micro-step ---- */
static void micro_steps(tally *sum)
{
  static const struct { const char *name; int which; double bar; } rows[] = {
    {"pendulum, 640 steps a window", HMM_LONG, 1.10}, {"pendulum, 16 steps a window", HMM_SHORT, 0},
    {"springs, 240 steps a window", HMM_SPRINGS, 1.10}
  };
  hmm_pair p[3];
  printf("\nns per micro-step, smallest of several turns\n  %-34s %10s %10s %8s   %s\n", "", "by hand", "hmm", "ratio", "forces agree to");
  for (int i = 0; i < 3; i++) {
    p[i] = hmm_micro(rows[i].which);
    printf("  %-34s %10.1f %10.1f %8.3f   %.0e\n", rows[i].name, p[i].raw, p[i].ours, p[i].ours/p[i].raw, p[i].apart);
    wrong_unless(sum, p[i].apart < 1e-6, "the two windows give different forces");
  }
  for (int i = 0; i < 3; i++) if (rows[i].bar > 0) bar(sum, rows[i].name, p[i].ours/p[i].raw, "<=", rows[i].bar);
}

/* ---- 2. the pendulum: one flow for every frequency ---- */
static const char *const SLOW = "symmetric(verlet(hmm(symmetric(verlet), kernel=box, steps=10, even=1)), table=blanes-moan)";

static double flat_in_w(tally *sum, double q0, int n)
{
  double least = HUGE_VAL, most = 0, at_1e6 = 0;
  for (double w = 1e5; w < 2e8; w *= 10) {
    char model[80], what[80];
    snprintf(model, sizeof model, "inverted-pendulum(w=%g, q0=%g)", w, q0);
    hmm_truth truth = hmm_averaged(model, q0, n);
    hmm_result r = hmm_run(&truth, SLOW, 1);
    snprintf(what, sizeof what, "q0 = %g, w = %.0e, %d macro steps", q0, w, n);
    printf("  %-44s %10.2f us, error %.1e, %ld evaluations\n", what, 1e6*r.seconds, r.error, r.calls);
    wrong_unless(sum, r.error <= 1e-3, "the slow angle is off by more than 1e-3");
    least = fmin(least, r.seconds);
    most = fmax(most, r.seconds);
    if (w == 1e6) at_1e6 = r.seconds;
  }
  bar(sum, "slowest over fastest of w = 1e5 ... 1e8", most/least, "<=", 1.2);
  return at_1e6;
}

/* the loosest setting of each direct method that reaches 1e-3 at w = 1e6; compositions of order 8 do so with very few steps a period */
static double best_direct(double q0, int n)
{
  static const char *const flows[] = {"symmetric(verlet, order=8)", "dop853", "verlet"};
  char model[80];
  snprintf(model, sizeof model, "inverted-pendulum(w=1e6, q0=%g)", q0);
  hmm_truth truth = hmm_averaged(model, q0, n);
  hmm_result r;
  double best = HUGE_VAL, tol = 1e-2;
  if (!hmm_gsl.run) printf("  %-44s not installed\n", hmm_gsl.name);
  else if (hmm_peer_to(&truth, 1e-3, &hmm_gsl, &tol, &r)) {
    printf("  %-44s %10.1f ms, error %.1e, tolerance %.0e\n", hmm_gsl.name, 1e3*r.seconds, r.error, tol);
    best = r.seconds;
  }
  for (int i = 0; i < 3; i++) {
    double steps = i < 2 ? 1.5 : 20;
    if (hmm_flow_to(&truth, 1e-3, flows[i], 1e6/(2*PI)/n, &steps, &r)) {
      printf("  epicycle %-35s %10.1f ms, error %.1e, %.1f steps a period\n", flows[i], 1e3*r.seconds, r.error, steps);
      best = fmin(best, r.seconds);
    } else printf("  epicycle %-35s not with 100 steps a period\n", flows[i]);
  }
  return best;
}

/* micro-runs start at rest at the slow position, not where a filtered run would pass: of order 1/w, and no work removes it */
static void floor_of_w(void)
{
  printf("  what is left when nothing is spared\n");
  for (double w = 1e3; w < 2e8; w *= 10) {
    char model[80];
    snprintf(model, sizeof model, "inverted-pendulum(w=%g)", w);
    hmm_truth truth = hmm_averaged(model, 0.5, 12);
    hmm_result r = hmm_run(&truth, "symmetric(verlet(hmm(symmetric(verlet, order=8), kernel=box, steps=8, even=1)), order=8)", 5);
    printf("  w = %.0e %33s %10.2f us, error %.1e = %.1f/w\n", w, "", 1e6*r.seconds, r.error, r.error*w);
  }
}

static void pendulum(tally *sum)
{
  static const struct { double q0; int steps; } rows[] = {{0.2, 5}, {0.5, 8}};
  printf("\npendulum, slow angle to 1e-3 over [0, 1] against the averaged equation\n  %s\n", SLOW);
  for (int i = 0; i < 2; i++) {
    double ours = flat_in_w(sum, rows[i].q0, rows[i].steps), direct = best_direct(rows[i].q0, rows[i].steps);
    bar(sum, "best direct over hmm at w = 1e6", direct/ours, ">=", 3000);
  }
  floor_of_w();
}

/* ---- 3. the springs ---- */
static void springs(tally *sum)
{
  static const double W2[] = {200, 2000, 20000};
  double least = HUGE_VAL, most = 0, ours = 0, steps = 3.15;
  char model[64], flow[256];
  hmm_truth truth;
  hmm_result r;
  printf("\nstiff springs, positions to 1e-3 over [0, 10] against the filtered resolved run\n");
  for (int i = 0; i < 3; i++) {
    snprintf(model, sizeof model, "stiff-springs(case=i, w2=%g)", W2[i]);
    hmm_springs_flow(flow, sizeof flow, "dop853", W2[i], 20, 1e-9);
    if (i == 0) printf("  %s\n", flow);
    truth = hmm_filtered(model, W2[i]);
    r = hmm_run(&truth, flow, 1);
    printf("  w2 = %-5g, macro step 1 %21s %10.1f us, error %.1e, %ld evaluations\n", W2[i], "", 1e6*r.seconds, r.error, r.calls);
    wrong_unless(sum, r.error <= 1e-3, "the slow positions are off by more than 1e-3");
    least = fmin(least, r.seconds);
    most = fmax(most, ours = r.seconds);
  }
  bar(sum, "slowest over fastest of w2 = 200 ... 20000", most/least, "<=", 1.2);
  int reached = hmm_flow_to(&truth, 1e-3, "verlet", sqrt(2)*20000/(2*PI), &steps, &r);
  wrong_unless(sum, reached, "direct verlet reaches 1e-3 at no step");
  printf("  %-44s %10.1f us, error %.1e, %.2f steps a fast period\n", "epicycle verlet, w2 = 20000", 1e6*r.seconds, r.error, steps);
  bar(sum, "direct verlet over hmm at w2 = 20000", r.seconds/ours, ">=", 10);
}

int main(int argc, char **argv)
{
  tally sum = {0};
  printf("epicycle %s, averaging; thread time\n", EPI_VERSION);
  micro_steps(&sum);
  pendulum(&sum);
  springs(&sum);
  printf("\nbars: %d met, %d missed\nanswers: %s\n", sum.met, sum.missed, sum.wrong ? "FAIL" : "all good");
  if (argc > 1 && hmm_picture(argv[1])) { fprintf(stderr, "%s cannot be written\n", argv[1]); return 1; }
  if (argc > 1) printf("picture: %s\n", argv[1]);
  return sum.wrong > 0;
}
