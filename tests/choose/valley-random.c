/* holds: systems with curved slow manifolds get their slow part as often as stated, within the tolerance
 * valley-random.c - stiff valleys with curved floors, whose stiffness changes along them: how often the slow part is taken, and its errors
 * label: soak
 * timeout: 3600 */
#include "curved-valleys.h"

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : 60, slow = 0, beyond = 0;
  unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2026;
  double worst = 0;
  for (int k = 0; k < draws; k++) {
    valley_draw(&seed, 1500, 3e4);
    for (int j = 0; j < 2; j++) {
      double said, tol = j ? 1e-5 : 1e-3, e;
      long spent;
      e = valley_error(tol, &said, &spent);
      printf("%3d n %d w %6.0f energy %.2g to %g: %s %.2f of it off, said %.2f; %ld to find out\n", k, valley_now.n, valley_now.w,
             valley_now.energy, tol, e < 0 ? "full" : "slow", e, said, spent);
      fflush(stdout);
      if (e < 0) continue;
      slow++;
      beyond += e > said;
      worst = !(e <= worst) ? e : worst;
    }
  }
  printf("%d of %d slow, %d beyond what is said, worst %.2f\n", slow, 2*draws, beyond, worst);
  check_above(slow, 0.4*2*draws);
  check_below(beyond, 0.05*slow + 1);
  check_below(worst, 3);
  return test_done();
}
