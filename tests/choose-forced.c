/* choose-forced.c - forced systems to a tolerance: the true error over many starts and frequencies, and what is said where a fast phase is
 * not what it seems.
 * STARTS=120 in the surroundings tries as many random starts instead of a few, at more frequencies: tests/choose-forced.sh */
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

static double seed = 0.5772;
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
    seed = 0.5772;
    for (int i = 0; i < starts; i++) {
      start p = {2.5 + 5.5*chance(), 0.05 + 2.45*chance(), 2*PI*chance()};
      try_start(&p, pow(10, 2.7 + 5.3*chance()), digits, all ? 2e4 : 1e3);
    }
  }
  for (int k = 0; k < 3; k++) {
    printf("1e-%d: %d runs, beyond tol %d, 3 tol %d, 6 tol %d, worst %.2f; beyond what was told %d; flagged %d; evaluations %.0f\n", 3*k + 3,
           sum[k].runs, sum[k].beyond1, sum[k].beyond3, sum[k].beyond6, sum[k].worst, sum[k].missed, sum[k].flagged,
           (double)sum[k].spent/fmax(1, sum[k].runs));
    check_below(sum[k].beyond3, 0.02*sum[k].runs + 1e-9);
    check_count(sum[k].beyond6, 0);
    check_count(sum[k].wrongly, 0);
  }
}

int main(void)
{
  const char *starts = getenv("STARTS");
  statistics(starts ? atoi(starts) : 6);
  return test_done();
}
