/* fast-velocity.c - what averaging leaves out: the hard spring of two is stretched by 20/w at the start. Its fast motion has an amplitude
 * of 20/w, but a velocity of 20: the slow positions are right to a few hundredths, the velocities say nothing about the true ones.
 * Case (ii) of Sanz-Serna, Ariel & Tsai (2009) */
#include <epicycle.h>
#include <math.h>

int main(void)
{
  static const char *const flow[] = {"symmetric(verlet, order=8)",
                                     "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)))"};
  const double step[] = {1e-3, 1./16};
  epi_case *c[2];
  epi_flow *f[2];
  epi_state s[2];
  double worst[2] = {0};
  for (int k = 0; k < 2; k++) {
    c[k] = epi_case_make("stiff-springs(case=ii)");
    f[k] = epi_case_flow(c[k], flow[k]);
    s[k] = epi_case_state(c[k]);
  }
  puts("     t   x1 resolved   averaged   v1 resolved   averaged");
  for (int n = 1; n <= 40; n++) {
    for (int k = 0; k < 2; k++)
      if (epi_run(f[k], &s[k], n/4.0, step[k])) { puts(epi_error(f[k])); return 1; }
    for (int i = 0; i < 8; i++) worst[i/4] = fmax(worst[i/4], fabs(s[0].y[i] - s[1].y[i]));
    if (n % 5 == 0) printf("%6.2f %13.4f %10.4f %13.4f %10.4f\n", n/4.0, s[0].y[0], s[1].y[0], s[0].y[4], s[1].y[4]);
  }
  printf("largest difference: %.3f in the positions, %.2f in the velocities; force evaluations: %ld and %ld\n", worst[0], worst[1],
         epi_calls(f[0]), epi_calls(f[1]));
  for (int k = 0; k < 2; k++) {
    epi_free(f[k]);
    epi_case_free(c[k]);
  }
  return 0;
}
