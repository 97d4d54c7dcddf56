/* raw_rk4.c - the classical Runge-Kutta method for q'' = f(t, q), velocities of the stages eliminated by hand */
#include "bench.h"

static inline __attribute__((always_inline)) int
loop(epi_system *s, const int n, double *restrict y, double h, long steps)
{
  int (*force)(epi_system *, double, const double *, double *) = s->force;
  double q[n], v[n], x[n], a1[n], a2[n], a3[n], a4[n], t = 0;
  const double hh = 0.5*h, h2 = 0.5*h*h, h4 = 0.25*h*h, h6 = h/6, hh6 = h*h/6;
  for (int i = 0; i < n; i++) {
    q[i] = y[i];
    v[i] = y[n + i];
  }
  for (long k = 0; k < steps; k++) {
    if (force(s, t, q, a1)) return 1;
    for (int i = 0; i < n; i++) x[i] = q[i] + hh*v[i];
    if (force(s, t + hh, x, a2)) return 1;
    for (int i = 0; i < n; i++) x[i] = q[i] + hh*v[i] + h4*a1[i];
    if (force(s, t + hh, x, a3)) return 1;
    for (int i = 0; i < n; i++) x[i] = q[i] + h*v[i] + h2*a2[i];
    t += h;
    if (force(s, t, x, a4)) return 1;
    for (int i = 0; i < n; i++) {
      q[i] += h*v[i] + hh6*(a1[i] + a2[i] + a3[i]);
      v[i] += h6*(a1[i] + 2*(a2[i] + a3[i]) + a4[i]);
    }
  }
  for (int i = 0; i < n; i++) {
    y[i] = q[i];
    y[n + i] = v[i];
  }
  return 0;
}

static int go(void *self, double *y, double h, long n)
{
  epi_system *s = self;
  switch (s->nq) {
    case 1: return loop(s, 1, y, h, n);
    case 2: return loop(s, 2, y, h, n);
    case 8: return loop(s, 8, y, h, n);
    case 100: return loop(s, 100, y, h, n);
    default: return 1;
  }
}

static void *start(epi_system *s) { return s; }
static void stop(void *self) { (void)self; }

const bench_driver bench_raw_rk4 = {
  .name = "hand-written loop", .order = 4, .same = 1, .open = start, .go = go, .close = stop,
};
