/* large-swing.c - where hmm must fail: two weakly coupled oscillators, q1'' = -w^2 q1 - w (q1 - q2) and so on, swing fast with
 * amplitudes of order one and slowly hand their energy to one another. The mean of the motion is zero, and hmm finds just that; strobe
 * looks once a period and sees the exchange. The example of Sanz-Serna, Ariel & Tsai (2009), section 5 */
#include <epicycle.h>

enum { W = 1000 };

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -W*(W*q[0] + q[0] - q[1]);
  f[1] = -W*(W*q[1] - q[0] + q[1]);
  return 0;
}

int main(void)
{
  static const char *const flow[] = {"symmetric(verlet, order=8)", "project(rk4(hmm(verlet, start=current)))",
                                     "rk4(strobe(substeps(symmetric(verlet, order=8), 8), order=4))"};
  const double period = 2*3.14159265358979323846/W, step[] = {period/16, 4*period, 8*period};
  epi_system m = {.nq = 2, .force = force, .phase.period = period};
  double y[3][4] = {{1}, {1}, {1}};
  epi_state s[3];
  epi_flow *f[3];
  for (int k = 0; k < 3; k++) {
    f[k] = epi_make(flow[k], &m);
    s[k] = (epi_state){.y = y[k]};
  }
  printf("%6s  %-18s %-18s %-18s\n%6s", "t", "resolved", "hmm", "strobe", "");
  for (int k = 0; k < 3; k++) printf("  %8s %8s ", "q1", "q2");
  for (int n = 0; n <= 480; n += 80) {
    for (int k = 0; k < 3 && n; k++)
      if (epi_run(f[k], &s[k], n*period, step[k])) printf("\n%s", epi_error(f[k]));
    printf("\n%6.3f", n*period);
    for (int k = 0; k < 3; k++) printf("  %8.4f %8.4f ", y[k][0], y[k][1]);
  }
  puts("\nfast motion of large amplitude is not small about a slow one: use strobe, or integrate directly");
  for (int k = 0; k < 3; k++) epi_free(f[k]);
  return 0;
}
