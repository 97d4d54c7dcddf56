/* van-der-pol.c - a fast oscillator whose amplitude creeps to 2, q'' = -w^2 q + mu (1 - q^2) v: the micro-integrator splits the
 * velocity force off and runs a few periods at a time, the macro-integrator chooses its steps. The slow law is right to O(mu/w) */
#include <epicycle.h>
#include <math.h>

static double observed(const epi_case *c, const epi_state *s, int i) { return c->model->observables[i].value(c, s); }

static void windows(void *count, const epi_info *node)
{
  if (node->record->arrow == EPI_AVERAGE) *(long *)count = node->steps;
}

int main(void)
{
  epi_case *c = epi_case_make("van-der-pol(w=20000)");
  epi_flow *f = epi_case_flow(c, "tolerance(dopri5(strobe(substeps(symmetric(strang(velocity-kick, strang(kick, drift)), order=4), 32), "
                                 "order=4)), rtol=1e-6, atol=1e-6)");
  epi_state s = epi_case_state(c);
  long n = 0;
  printf("%6s %12s %12s %10s\n", "t", "amplitude", "slow law", "apart");
  for (int k = 0; k <= 10 && !epi_error(f); k++) {
    if (k && epi_run(f, &s, k, 1)) break;
    double a = observed(c, &s, 0), law = observed(c, &s, 1);
    printf("%6g %12.8f %12.8f %10.1e\n", s.t, a, law, a - law);
  }
  if (epi_error(f)) puts(epi_error(f));
  epi_walk(f, windows, &n);
  printf("%ld windows of 4 periods, of %.0f periods in all\n", n, s.t/c->system.phase.period);
  epi_free(f);
  epi_case_free(c);
  return 0;
}
