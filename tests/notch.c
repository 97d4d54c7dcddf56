/* notch.c - windows of boxes: seven forces for the slow force of a stiff system with one fast oscillation, the rate of which is found from the
 * force; what they let through of another rate, what they refuse, and boxes of a vibration that is forced */
#include "averages.h"

enum { TIMES = 40 };

/* filtered positions at t = k/4 */
static void slow_truth(const char *model, double w, double truth[TIMES + 1][8])
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)"), *filter = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  double h = 2*PI/w/20;
  int bad = 0;
  for (int k = 0; k <= TIMES && !bad; k++)
    bad = (k && epi_run(f, &s, k/4.0, h)) || filtered(filter, s, 8, 8*20, h, truth[k]);
  check_count(bad, 0);
  epi_free(f);
  epi_free(filter);
  epi_case_free(c);
}

typedef struct { double error; long calls, windows, others; } outcome;

static void count(void *to, const epi_info *i)
{
  outcome *o = to;
  if (!strcmp(i->record->name, "hmm")) o->windows = i->steps;
}

static outcome run(const char *model, const char *flow, double H, double truth[TIMES + 1][8])
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  outcome o = {0};
  for (int k = 1; k <= TIMES; k++) {
    if (!check_count(epi_run(f, &s, k/4.0, H), 0)) { printf("  %s: %s\n", flow, epi_error(f)); o.error = NAN; break; }
    for (int i = 0; i < 4; i++) o.error = fmax(o.error, fabs(s.y[i] - truth[k][i]));
  }
  for (int i = 0; epi_warning(f, i); i++) printf("  warning: %s\n", epi_warning(f, i));
  o.calls = epi_calls(f);
  epi_walk(f, count, &o);
  epi_free(f);
  epi_case_free(c);
  return o;
}

static void springs(const char *name, int hard)
{
  static const double w[] = {500, 1000, 2000, 5000, 20000};
  static double truth[TIMES + 1][8];
  for (int i = 0; i < 5; i++) {
    char model[64];
    snprintf(model, sizeof model, "stiff-springs(case=%s, w%d=%g)", name, hard, w[i]);
    slow_truth(model, w[i], truth);
    static const char *const flow[] = {"project(rk4(hmm(verlet, kernel=notch, start=current)))", "project(rk4(hmm(verlet, kernel=boxes, steps=16, start=current)))",
      "project(tolerance(dopri5(hmm(verlet, kernel=notch, start=current)), rtol=1e-6))",
      "project(tolerance(dopri5(hmm(verlet, kernel=notch, start=current)), rtol=1e-4))",
      "project(rk4(hmm(verlet, kernel=kaiser, steps=12, start=current)))"};
    for (int k = 0; k < 5; k++) {
      outcome o = run(model, flow[k], k == 2 || k == 3 ? 0.25 : 1./32, truth);
      printf("%s %-70s: error %.2e, %ld windows, %ld forces, %.2f\n", model, flow[k], o.error, o.windows, o.calls, (double)o.calls/o.windows);
    }
  }
}

int main(void)
{
  springs("i", 2);
  springs("ii", 1);
  return test_done();
}
