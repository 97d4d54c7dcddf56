/* raw_verlet.c - kick, drift, kick as one writes it by hand for a problem whose size is known */
#include "bench.h"

/* the two half kicks between forces are one pass, and the force never sees the velocities, so they may stay in registers */
static inline __attribute__((always_inline)) int
loop(epi_system *s, const int n, double *restrict y, double h, long steps)
{
  int (*force)(epi_system *, double, const double *, double *) = s->force;
  double q[n], v[n], a[n], t = 0, hh = 0.5*h;
  for (int i = 0; i < n; i++) {
    q[i] = y[i];
    v[i] = y[n + i];
  }
  if (force(s, t, q, a)) return 1;
  for (int i = 0; i < n; i++) {
    v[i] += hh*a[i];
    q[i] += h*v[i];
  }
  for (long k = 1; k < steps; k++) {
    t += h;
    if (force(s, t, q, a)) return 1;
    for (int i = 0; i < n; i++) {
      v[i] += hh*a[i];
      v[i] += hh*a[i];
      q[i] += h*v[i];
    }
  }
  if (force(s, t + h, q, a)) return 1;
  for (int i = 0; i < n; i++) {
    y[i] = q[i];
    y[n + i] = v[i] + hh*a[i];
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

const bench_driver bench_raw_verlet = {
  .name = "hand-written loop", .order = 2, .same = 1, .open = start, .go = go, .close = stop,
};
