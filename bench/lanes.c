/* lanes.c - pendulums by verlet: alone, by libm's sine, and in lanes with the callbacks of examples/lanes.c, per trajectory and step; and
 * what a case of a sweep costs beside its steps, with one worker and two. Times in one run, as ratios */
#define main example_main
#include "../examples/lanes.c"
#undef main
#include "hmm_runs.h"
#include <epicycle/sweep.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { TURNS = 7, MANY = 256 };

static int plain(epi_system *m, double t, const double *q, double *f) { return (void)t, f[0] = -*(double *)m->data*sin(q[0]), 0; }

static double alone(const char *flow)
{
  double best = HUGE_VAL, w2 = 1;
  epi_system m = {.nq = 1, .force = plain, .data = &w2};
  epi_flow *f = epi_make(flow, &m);
  for (int i = 0; i < TURNS; i++) {
    epi_state s = {.y = (double[]){1, 0}};
    double begin = hmm_now();
    epi_advance(f, &s, 0.05, 200000);
    best = fmin(best, (hmm_now() - begin)/200000);
  }
  epi_free(f);
  return best;
}

static double together(const char *flow, int n)
{
  static double w2[MANY], y[MANY][2];
  static epi_system system[MANY], *of[MANY];
  static epi_state state[MANY];
  double best = HUGE_VAL;
  long steps = 400000/n;
  for (int i = 0; i < TURNS; i++) {
    for (int k = 0; k < n; k++) {
      w2[k] = 1 + 0.001*k, y[k][0] = 1, y[k][1] = 0;
      system[k] = (epi_system){.nq = 1, .force = force, .batch.forces_of = forces_of, .data = &w2[k]};
      of[k] = &system[k], state[k] = (epi_state){.y = y[k]};
    }
    epi_lanes *l = epi_lanes_make(flow, n, of, state);
    double begin = hmm_now();
    if (epi_lanes_advance(l, 0.05, steps)) puts(epi_lanes_error(l, -1));
    best = fmin(best, (hmm_now() - begin)/(double)(steps*n));
    epi_lanes_free(l);
  }
  return best;
}

static int bar(const char *what, double value, double limit, int below)
{
  int good = below ? value <= limit : value >= limit;
  printf("  %-58s %8.3f   bar %s %g   %s\n", what, value, below ? "at most" : "at least", limit, good ? "meets" : "MISSES");
  return good;
}

/* workers are threads of their own */
static double wall(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static double swept(const char *over, double end, int workers, long long *cases)
{
  const char *all[] = {over, NULL}, *keep[] = {"q", NULL};
  epi_sweep *s = epi_sweep_make(&(epi_sweep_options){.model = "pendulum", .over = all, .keep = keep, .flow = "verlet", .step = 0.01,
                                                     .end = end, .workers = workers});
  double begin = wall();
  if (!s || epi_sweep_run(s, NULL, NULL)) puts(epi_sweep_error(s));
  *cases = epi_sweep_cases(s);
  epi_sweep_free(s);
  return wall() - begin;
}

static double memory(void)
{
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)u.ru_maxrss/1024;
}

int main(void)
{
  static const char *const flows[] = {"verlet", "symmetric(verlet, order=4)", "rk4"};
  int good = 1;
  double verlet = 0;
  puts("nanoseconds per trajectory and step   alone        8       16       32       64      256 lanes");
  for (int i = 0; i < 3; i++) {
    double one = alone(flows[i]);
    printf("  %-30s %12.2f", flows[i], 1e9*one);
    for (int n = 8; n <= MANY; n *= n == 64 ? 4 : 2) {
      double each = together(flows[i], n);
      printf(" %8.2f", 1e9*each);
      if (!i && n == 64) verlet = each/one;
    }
    puts("");
  }
  /* 4 ns where alone takes 18 */
  good &= bar("verlet, 64 lanes against alone", verlet, 4.0/18, 1);
  long long n, m;
  double few = swept("q0=0:3/10000", 0.02, 1, &n), before = memory(), many = swept("q0=0:3/1000000", 0.02, 1, &m), after = memory();
  printf("cases of two steps: %.1f us each of %lld, %.1f us each of %lld; memory %.1f and %.1f MB\n", 1e6*few/(double)n, n,
         1e6*many/(double)m, m, before, after);
  /* cases of 1 ms */
  good &= bar("of a case of 1 ms, a million of them, beside its steps", many/(double)m/1e-3, 0.05, 1);
  good &= bar("memory of a million cases against ten thousand", after/before, 1.1, 1);
  double one = swept("q0=0:3/2000", 100, 1, &n), two = swept("q0=0:3/2000", 100, 2, &n);
  good &= bar("two workers against one, 2000 cases of 10000 steps", one/two, 1.9, 0);
  return !good;
}
