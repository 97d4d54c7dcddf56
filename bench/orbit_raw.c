/* orbit_raw.c - the logarithmic Hamiltonian with seventeen leaps of order 8 (Kahan & Li, Math. Comp. 66 (1997) 1089, s17odr8a) as one
 * writes it by hand: drifts merged inside a step, the force in the loop or behind a call. From kick to kick the processor waits for two
 * divisions, so there is one for each coordinate and none behind the other */
#include "orbit.h"

enum { LEAPS = 17 };

static const double g[LEAPS] = {
  0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
  0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
  0.25837438768632204729397911, 0.29501172360931029887096624, -0.60550853383003451169892108,
  0.29501172360931029887096624, 0.25837438768632204729397911, 0.18453964097831570709183254,
  -0.39590389413323757733623154, 0.15884190655515560089621075, -0.38947496264484728640807860,
  0.56116298177510838456196441, 0.13020248308889008087881763,
};

/* force/|V| = -q/r^2 */
typedef int law(void *, double t, const double *q, double *f);

static inline int inverse(void *data, double t, const double *q, double *f)
{
  (void)data, (void)t;
  double r2 = q[0]*q[0] + q[1]*q[1];
  if (r2 == 0) return 1;
  f[0] = -q[0]/r2;
  f[1] = -q[1]/r2;
  return 0;
}

static inline __attribute__((always_inline)) int loop(law *force, double n, double *time, double *y, long *calls)
{
  double q[2] = {y[0], y[1]}, f[2], u = y[2], v = y[3], t = 0, rest = 0, drift[LEAPS + 1], kick[LEAPS];
  const double e = ORBIT_YEAR/n, twice = u*u + v*v - 2/sqrt(q[0]*q[0] + q[1]*q[1]);      /* 2 H0 */
  long steps = 0;
  for (int k = 0; k <= LEAPS; k++) drift[k] = e*((k > 0 ? g[k - 1] : 0) + (k < LEAPS ? g[k] : 0));
  for (int k = 0; k < LEAPS; k++) kick[k] = e*g[k];
  for (; t < ORBIT_END; steps++) {
    double dt = 0;
    for (int k = 0; k <= LEAPS; k++) {
      double w = drift[k], x = u*u + v*v - twice;
      q[0] += w*u/x;
      q[1] += w*v/x;
      dt += w/x;
      if (k == LEAPS) break;
      if (force(0, t, q, f)) return 1;
      u += kick[k]*f[0];
      v += kick[k]*f[1];
    }
    /* the sum of many short times keeps what rounding takes */
    double old = t;
    t = old + (dt + rest);
    rest += dt - (t - old);
  }
  *time = t;
  y[0] = q[0];
  y[1] = q[1];
  y[2] = u;
  y[3] = v;
  if (calls) *calls = LEAPS*steps;
  return 0;
}

static int inlined(double n, double *t, double *y, long *calls) { return loop(inverse, n, t, y, calls); }

/* the compiler may not look through it */
static int called(double n, double *t, double *y, long *calls)
{
  law *volatile force = inverse;
  return loop(force, n, t, y, calls);
}

const orbit_code orbit_by_hand = {.name = "scaled, order 8, by hand", .first = 16, .last = 64, .factor = 2, .run = inlined};
const orbit_code orbit_by_call = {.name = "scaled, order 8, by hand, force behind a call", .first = 16, .last = 64, .factor = 2,
                                  .run = called};
