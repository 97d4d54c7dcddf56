/* raw_order8.c - seventeen leaps of order 8 (Kahan & Li, Math. Comp. 66 (1997) 1089, s17odr8a), kicks merged by hand */
#include "bench.h"

enum { LEAPS = 17 };

static const double g[LEAPS] = {
  0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
  0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
  0.25837438768632204729397911, 0.29501172360931029887096624, -0.60550853383003451169892108,
  0.29501172360931029887096624, 0.25837438768632204729397911, 0.18453964097831570709183254,
  -0.39590389413323757733623154, 0.15884190655515560089621075, -0.38947496264484728640807860,
  0.56116298177510838456196441, 0.13020248308889008087881763,
};

static inline __attribute__((always_inline)) int
loop(epi_system *s, const int n, double *restrict y, double h, long steps)
{
  int (*force)(epi_system *, double, const double *, double *) = s->force;
  double q[n], v[n], a[n], kick[LEAPS + 1], drift[LEAPS], at[LEAPS], t = 0, sum = 0;
  /* a kick between two leaps is half of each; the last leap ends on the step */
  for (int k = 0; k <= LEAPS; k++) kick[k] = 0.5*h*((k > 0 ? g[k - 1] : 0) + (k < LEAPS ? g[k] : 0));
  for (int k = 0; k < LEAPS; k++) {
    drift[k] = h*g[k];
    at[k] = k == LEAPS - 1 ? h : (sum += drift[k]);
  }
  for (int i = 0; i < n; i++) {
    q[i] = y[i];
    v[i] = y[n + i];
  }
  if (force(s, t, q, a)) return 1;
  for (long j = 0; j < steps; j++) {
    for (int k = 0; k < LEAPS; k++) {
      const double b = kick[k], c = drift[k];
      for (int i = 0; i < n; i++) {
        v[i] += b*a[i];
        q[i] += c*v[i];
      }
      if (force(s, t + at[k], q, a)) return 1;
    }
    for (int i = 0; i < n; i++) v[i] += kick[LEAPS]*a[i];
    t += h;
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

const bench_driver bench_raw_order8 = {
  .name = "hand-written loop", .order = 8, .same = 1, .open = start, .go = go, .close = stop,
};
