/* holds: a vibrated pendulum is right at ends inside a period too, from random starts
 * choose-inside.c - a pendulum on a fast pivot, at ends that are no whole turns: inside a turn its velocity feels an angle that is off by
 * more than where turns begin. Random starts, against solutions a thousand times as exact. choose-inside DRAWS SEED */
#include "stiffs.h"

/* the largest that both have been, inside turns as well */
static void sizes(epi_case *c, const char *flow, double *size)
{
  enum { ROWS = 64 };
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  size[0] = size[1] = 0;
  for (int k = 1; k <= ROWS; k++) {
    check_count(epi_run(f, &s, (double)k/ROWS, 1./ROWS), 0);
    for (int i = 0; i < 2; i++) size[i] = fmax(size[i], fabs(s.y[i]));
  }
  epi_free(f);
}

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : 150, answered = 0, beyond = 0, more = 0;
  unsigned long long r = argc > 2 ? strtoull(argv[2], NULL, 10) : 5;
  double worst = 0, evaluations = 0;
  for (int k = 0; k < draws; k++) {
    char text[200];
    double y[2] = {0}, z[2] = {0}, size[2], tol = pow(10, -random_of(&r, 2.5, 4.5));
    /* every third is one whose errors grow a hundredfold */
    int hard = k % 3 == 0;
    snprintf(text, sizeof text, "inverted-pendulum(w=%.6g, vmax=%.6g, q0=%.6g, theta0=%.6g)", exp(random_of(&r, log(500), log(1e7))),
             hard ? random_of(&r, 3.5, 4.5) : random_of(&r, 2, 4.5), hard ? random_of(&r, 0.4, 0.6) : random_of(&r, 0.05, 0.65),
             hard ? random_of(&r, 1.5, 2.5) : random_of(&r, 0, 6.28));
    epi_case *c = epi_case_make(text), *again = epi_case_make(text);
    epi_chosen a = {.tol = tol, .end = 1, .y = y}, exact = {.tol = 1e-3*tol, .end = 1, .y = z};
    if (!epi_choose(c, &a) && !epi_choose(again, &exact)) {
      sizes(again, exact.flow, size);
      double off = fmax(fabs(y[0] - z[0])/size[0], fabs(y[1] - z[1])/size[1]);
      answered++;
      beyond += off > tol;
      more += off > a.found;
      worst = fmax(worst, off/tol);
      evaluations += (double)a.spent;
      if (off > 2*tol) printf("%s to %g: %.2f tol, told %.2f, by %s\n", text, tol, off/tol, a.found/tol, a.flow);
    }
    epi_case_free(c);
    epi_case_free(again);
  }
  printf("%d of %d answered: %d beyond the tolerance, worst %.2f tol, %d beyond what was told, %.0f evaluations\n", answered, draws, beyond,
         worst, more, evaluations/answered);
  check_between(answered, 0.85*draws, draws);
  check_between(beyond, 0, 0.02*draws);
  check_between(worst, 0, 3);
  check_between(more, 0, 0.05*draws);
  return test_done();
}
