/* lanes.c - 64 pendulums of different lengths swing together: one call asks for all their forces, by a loop that the compiler takes several
 * at a time. Each has the bits it would have alone. Prints their energies at the end, against those at the start */
#include <epicycle/lanes.h>
#include <math.h>

/* |x| up to 2^20: to a few units of the last place; the nearest multiple of pi by adding and taking away 1.5 2^52 */
static inline double sine(double x)
{
  const double whole = 6755399441055744.0;
  double n = x*0.31830988618379067154 + whole - whole, half = n*0.5, odd = n - 2*(half + whole - whole);
  double r = ((x - n*3.1415926218032837) - n*3.1786509424591713e-08) - n*1.2246467991473532e-16, s = r*r;
  double p = -7.6471637318198164759e-13 + s*(2.8114572543455207632e-15 - s*8.2206352466243297170e-18);
  p = 2.7557319223985890653e-6 + s*(-2.5052108385441718775e-8 + s*(1.6059043836821614599e-10 + s*p));
  p = -1.6666666666666666667e-1 + s*(8.3333333333333333333e-3 + s*(-1.9841269841269841270e-4 + s*p));
  return (r + r*s*p)*(1 - 2*odd*odd);
}

static int force(epi_system *m, double t, const double *q, double *f) { return (void)t, f[0] = -*(double *)m->data*sine(q[0]), 0; }

/* the same of many: sines first, as many at a time as the machine has room for */
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__x86_64__)
__attribute__((optimize("O3"), target_clones("avx2", "default")))
#else
__attribute__((optimize("O3")))
#endif
#endif
static int forces_of(epi_system *const *of, int n, const double *t, const double *theta, const double *q, double *f)
{
  (void)t, (void)theta;
  for (int k = 0; k < n; k++) f[k] = sine(q[k]);
  for (int k = 0; k < n; k++) f[k] *= -*(double *)of[k]->data;
  return 0;
}

int main(void)
{
  enum { N = 64 };
  double w2[N], y[N][2], worst = 0;
  epi_system system[N], *of[N];
  epi_state state[N];
  for (int k = 0; k < N; k++) {
    w2[k] = 1 + 0.01*k, y[k][0] = 1.5, y[k][1] = 0;
    system[k] = (epi_system){.nq = 1, .force = force, .batch.forces_of = forces_of, .data = &w2[k]};
    of[k] = &system[k], state[k] = (epi_state){.y = y[k]};
  }
  epi_lanes *l = epi_lanes_make("symmetric(verlet, order=4)", N, of, state);
  int failed = epi_lanes_run(l, 1000, 0.05);
  for (int k = 0; k < N; k++) worst = fmax(worst, fabs(y[k][1]*y[k][1]/2 - w2[k]*(cos(y[k][0]) - cos(1.5))));
  printf("%d pendulums, %d failed, t = %g, energies off by %.1e at most\n", N, failed, state[0].t, worst);
  if (epi_lanes_error(l, -1)) puts(epi_lanes_error(l, -1));
  epi_lanes_free(l);
  return failed != 0;
}
