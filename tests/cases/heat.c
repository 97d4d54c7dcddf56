/* heat.c - a chain of N cells that conducts heat, by a flow given as text: heat N FLOW STEP; against its closed form at t = 0.1 */
#include <epicycle.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
static int N;
static int rate(epi_system *s, double t, const double *y, double *d)
{
  (void)s;
  (void)t;
  double k = (double)(N + 1) * (N + 1);
  for (int i = 0; i < N; i++) d[i] = k * ((i ? y[i - 1] : 0) - 2 * y[i] + (i < N - 1 ? y[i + 1] : 0));
  return 0;
}
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int c, char **v)
{
  if (c != 4) return fprintf(stderr, "heat N FLOW STEP, as in: heat 400 radau 0.01\n"), 2;
  N = atoi(v[1]);
  epi_system m = {.nz = N, .rate = rate};
  double *y = calloc(N, 8);
  for (int i = 0; i < N; i++) y[i] = sin(M_PI * (i + 1) / (N + 1));
  epi_state st = {.y = y};
  epi_flow *f = epi_make(v[2], &m);
  double t0 = now();
  int rc = epi_run(f, &st, 0.1, atof(v[3]));
  double lam = -4. * (N + 1) * (N + 1) * pow(sin(M_PI / 2 / (N + 1)), 2);
  printf("N=%d %s rc=%d calls=%ld %.3fs mid err %.2e %s\n", N, v[2], rc, epi_calls(f), now() - t0,
         fabs(y[N / 2] - sin(M_PI * (N / 2 + 1) / (N + 1)) * exp(lam * .1)), rc ? epi_error(f) : "");
}
