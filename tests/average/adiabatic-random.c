/* holds: adiabatic of three stiff springs from random starts never fails, and its error falls with w
 * adiabatic-random.c - three stiff springs from random starts: none fails, the error falls with w, and those that nothing is said of are
 * right; the figures stand in docs/adiabatic.md
 * label: slow
 * timeout: 1200. cost: 20 */
#include "valleys.h"

static double random_of(unsigned long long *state, double low, double high)
{
  *state = *state*6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low)*(double)(*state >> 11)/9007199254740992.0;
}

/* any angles, angular velocities to 1, springs between 0.7 and 1.4 w, each stretched by up to 1.5/w or moving as much */
static valley start(unsigned long long *r, double w)
{
  double x = 0, y = 0, vx = 0, vy = 0;
  valley v;
  valley_open(&v, 3);
  v.c.g = 1;
  for (int i = 0; i < 3; i++) {
    double hard = random_of(r, 0.7, 1.4)*w, a = random_of(r, -PI, PI), turn = random_of(r, -1, 1), l = 1 + random_of(r, -1.5, 1.5)/hard;
    double grow = random_of(r, -1, 1);
    v.c.k[i] = hard*hard;
    x += l*cos(a), y += l*sin(a), vx += grow*cos(a) - turn*sin(a), vy += grow*sin(a) + turn*cos(a);
    v.y[2*i] = x, v.y[2*i + 1] = y, v.y[6 + 2*i] = vx, v.y[7 + 2*i] = vy;
  }
  return v;
}

static int larger(const void *a, const void *b) { return *(const double *)a > *(const double *)b ? 1 : -1; }

typedef struct { double w; int runs; double median, most, silent; } expected;

static void population(const expected *e)
{
  static double error[200];
  unsigned long long r = 20260701;
  double silent = 0;
  int quiet = 0, bad = 0;
  for (int k = 0; k < e->runs; k++) {
    valley v = start(&r, e->w);
    track truth = {0}, a = follow(&v, "tolerance(watch(dopri5(adiabatic(form=rate)), " WATCH "), rtol=1e-4)", 0.25, 12, 0);
    filtered(&v, 0.3*e->w, 2.7*e->w, 0.25, 12, &truth);
    bad += a.error[0] != 0;
    if (a.error[0]) printf("w = %g, start %d: %s\n", e->w, k, a.error);
    error[k] = a.error[0] ? HUGE_VAL : apart(&a, &truth);
    if (a.warned || a.error[0]) continue;
    quiet++;
    silent = fmax(silent, error[k]);
  }
  qsort(error, (size_t)e->runs, sizeof *error, larger);
  printf("w = %g: median %.2g, 90 %% %.2g, most %.2g; nothing said of %d of %d, of these at most %.2g\n", e->w, error[e->runs/2],
         error[e->runs*9/10], error[e->runs - 1], quiet, e->runs, silent);
  check_count(bad, 0);
  check_below(error[e->runs/2], e->median);
  check_below(error[e->runs*9/10], e->most);
  check_below(silent, e->silent);
  check_above(quiet, e->runs/8);
}

int main(void)
{
  static const expected all[] = {{1000, 100, 0.0066, 0.13, 0.02}, {4000, 100, 0.0048, 0.06, 0.02}, {16000, 60, 0.0024, 0.014, 0.013}};
  for (int i = 0; i < 3; i++) population(&all[i]);
  return test_done();
}
