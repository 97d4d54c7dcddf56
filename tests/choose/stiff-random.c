/* holds: two springs from random starts, either of them hard, meet 1e-3 and 1e-5 as often as docs/auto.md states
 * stiff-random.c - two springs from random starts, either of them hard, every fourth with ten times the fast
 * amplitude, right to 1e-3 and 1e-5: true errors, and how often they hold
 * label: soak
 * timeout: 3600 */
#include "stiffs.h"

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : 60, within[2] = {0}, answered[2] = {0}, slow[2] = {0}, refused[2] = {0};
  double worst[2] = {0};
  unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2026;
  for (int k = 0; k < draws; k++) {
    char model[400];
    double w = random_springs(&seed, 200, 1e4, k % 4 == 3 ? 20 : 2, model, sizeof model);
    truth t[2];
    int known[2] = {0};
    for (int j = 0; j < 2; j++) {
      epi_case *c = epi_case_make(model);
      epi_chosen a = {.tol = j ? 1e-5 : 1e-3, .end = 10};
      int bad = epi_choose(c, &a);
      if (bad) { refused[j]++; printf("%3d w %6.0f tol %g: %s\n", k, w, a.tol, a.error); epi_case_free(c); continue; }
      if (!known[a.slow_part]) { check_count(true_rows(c, 10, a.slow_part, 1.5*w, &t[a.slow_part]), 0); known[a.slow_part] = 1; }
      double e = off_by(c, a.flow, 10, &t[a.slow_part])/a.tol;
      printf("%3d w %6.0f tol %g: %s %.2f tol, said %.2f; %.3g evaluations and %ld to find out; %s\n", k, w, a.tol,
             a.slow_part ? "slow" : "full", e, a.found/a.tol, a.way[0].calls, a.spent, a.flow);
      fflush(stdout);
      answered[j]++;
      slow[j] += a.slow_part;
      within[j] += e <= 3;
      worst[j] = !(e <= worst[j]) ? e : worst[j];
      epi_case_free(c);
    }
  }
  for (int j = 0; j < 2; j++) {
    printf("tol %g: %d of %d answered, %d of them slow; %d within 3 tol, worst %.2f\n", j ? 1e-5 : 1e-3, answered[j], draws, slow[j],
           within[j], worst[j]);
    check_above(within[j], 0.98*answered[j]);
    check_below(worst[j], 6);
    check_below(refused[j], 0.05*draws);
  }
  return test_done();
}
