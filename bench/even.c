/* even.c - where averaging just begins to pay: all that epi_choose does, with its estimate and the answer, over what the best direct flow
 * takes that reaches the error at four times. In time, and in evaluations, which do not depend on the machine; of these CVODE takes few,
 * and long for each. The best one is found by trying and estimates nothing, so the run that was chosen stands beside it too. bench_even */
#include "epicycle.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROWS = 4, SIZE = 8 };
typedef struct { int n; double end, y[ROWS][SIZE], size[SIZE]; } truth;
static int missed, missed_calls, missed_run, wrong;

/* the state at all rows; evaluations, or no number */
static double rows_of(epi_case *c, const char *flow, double end, double step, double (*y)[SIZE])
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = epi_error(f) != NULL;
  for (int k = 0; k < ROWS && !bad; k++) {
    bad = epi_run(f, &s, c->t + end*(k + 1)/ROWS, step > 0 ? step : end/ROWS);
    memcpy(y[k], s.y, (size_t)epi_size(&c->system)*sizeof *s.y);
  }
  double calls = bad ? NAN : (double)epi_calls(f);
  epi_free(f);
  return calls;
}

static truth truth_of(epi_case *c, double end)
{
  truth t = {.n = epi_size(&c->system), .end = end};
  wrong += isnan(rows_of(c, "tolerance(dop853, rtol=2e-14, atol=1e-15)", end, 0, t.y));
  for (int i = 0; i < t.n; i++) t.size[i] = fabs(c->y[i]);
  for (int k = 0; k < ROWS; k++) for (int i = 0; i < t.n; i++) t.size[i] = fmax(t.size[i], fabs(t.y[k][i]));
  for (int g = 0; g < 2; g++) {
    double most = 0;
    for (int i = g*t.n/2; i < (g + 1)*t.n/2; i++) most = fmax(most, t.size[i]);
    for (int i = g*t.n/2; i < (g + 1)*t.n/2; i++) t.size[i] = fmax(t.size[i], 1e-3*most);
  }
  return t;
}

static double error_of(const truth *t, double (*y)[SIZE])
{
  double most = 0;
  for (int k = 0; k < ROWS; k++) for (int i = 0; i < t->n; i++) most = fmax(most, fabs(y[k][i] - t->y[k][i])/t->size[i]);
  return most;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

/* microseconds, the least of some */
static double time_of(epi_case *c, const char *flow, double end, double step)
{
  double best = HUGE_VAL, y[ROWS][SIZE];
  for (int k = 0; k < 9; k++) {
    double begin = now();
    rows_of(c, flow, end, step, y);
    best = fmin(best, 1e6*(now() - begin));
  }
  return best;
}

/* by the first tolerance, or step, that reaches the error: evaluations, and the least time of any of them */
static double best_direct(epi_case *c, const truth *t, double tol, char *which, size_t size, double *us)
{
  static const char *const flow[] = {"tolerance(dop853, rtol=%g, atol=%g)", "tolerance(herk4, rtol=%g, atol=%g)",
                                     "cvode(rtol=%g, atol=%g)"};
  double best = HUGE_VAL, y[ROWS][SIZE];
  *us = HUGE_VAL;
  for (int i = 0; i < 4; i++)
    for (double r = i < 3 ? tol : t->end/ROWS; r > (i < 3 ? 1e-13 : 1e-6*t->end); r /= i < 3 ? pow(10, 0.25) : pow(2, 0.25)) {
      char text[96] = "symmetric(verlet, order=8)";
      if (i < 3) snprintf(text, sizeof text, flow[i], r, r);
      double calls = rows_of(c, text, t->end, i < 3 ? 0 : r, y);
      if (!isnan(calls) && calls > 4*best) break;
      if (isnan(calls) || !(error_of(t, y) <= tol)) continue;
      *us = fmin(*us, time_of(c, text, t->end, i < 3 ? 0 : r));
      if (calls < best) snprintf(which, size, "%s", text);
      best = fmin(best, calls);
      break;
    }
  return best;
}

static const char *verdict(double ratio, int *count)
{
  *count += !(ratio <= 1.8);
  return ratio <= 1.8 ? "meets" : "MISSES";
}

static void one(const char *model, double end, double tol, int motion)
{
  epi_case *c = epi_case_make(model);
  truth t = truth_of(c, end);
  char which[96];
  double us, best = best_direct(c, &t, tol, which, sizeof which, &us), y[ROWS][SIZE], error = NAN, took = HUGE_VAL;
  epi_chosen a = {0};
  int bad = 0;
  for (int k = 0; k < 9 && !bad; k++) {
    a = (epi_chosen){.tol = tol, .end = c->t + end, .motion = motion};
    double begin = now();
    bad = epi_choose(c, &a);
    took = fmin(took, 1e6*(now() - begin));
  }
  if (!bad) { rows_of(c, a.flow, end, 0, y); error = error_of(&t, y)/tol; }
  const double calls = (double)a.spent/best, run = bad ? NAN : time_of(c, a.flow, end, 0);
  printf("  %-32s %g: %8ld evaluations of %8.0f, %.2f %s, the run %.2f; %8.1f us of %8.1f, %.2f %s, the run %.2f %s; ", model, tol, a.spent,
         best, calls, verdict(calls, &missed_calls), a.way[0].calls/best, took, us, took/us, verdict(took/us, &missed), run/us,
         verdict(run/us, &missed_run));
  printf("error %.2g tol, told %.2g: %s; best: %s\n", error, a.found/tol, bad ? a.error : a.flow, which);
  wrong += !(error <= 3);
  epi_case_free(c);
}

int main(void)
{
  static const double springs[] = {10, 20, 50, 100, 150, 200, 350, 500, 1000}, pendulum[] = {100, 300, 500, 600, 700, 1000, 2000};
  char model[80];
  printf("epicycle %s, near break-even: all of a choice over the best direct flow; bar 1.8\n", EPI_VERSION);
  for (int e = 0; e < 2; e++) {
    double tol = e ? 1e-5 : 1e-3;
    for (size_t i = 0; i < sizeof springs/sizeof *springs; i++) {
      snprintf(model, sizeof model, "stiff-springs(w2=%g)", springs[i]);
      one(model, 10, tol, EPI_FULL);
    }
    for (size_t i = 0; i < sizeof pendulum/sizeof *pendulum; i++) {
      snprintf(model, sizeof model, "inverted-pendulum(w=%g, q0=0.5)", pendulum[i]);
      one(model, 1, tol, EPI_EITHER);
    }
  }
  printf("\nbars missed: %d in evaluations; in time %d by all of a choice, %d by the run alone\nanswers: %s\n", missed_calls, missed,
         missed_run, wrong ? "FAIL" : "all good");
  return wrong > 0;
}
