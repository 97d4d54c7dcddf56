/* chains.c - what a step of N jointed bodies costs, and how that grows: chains and rings, by hinges and rods, as constraints and as
 * springs. The exponent is the slope of the logarithm of the time against that of N, over the last decade */
#include "chains.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

typedef struct { double made, step; } cost;

static cost measure(chain_kind k, const char *flow, double h)
{
  cost c = {.step = HUGE_VAL};
  double begin = now();
  epi_world *w = chain_make(k);
  epi_flow *f = epi_world_flow(w, flow);
  epi_state s = epi_world_state(w);
  if (epi_error(f) || epi_advance(f, &s, h, 1)) { fprintf(stderr, "%s\n", epi_error(f)); exit(1); }
  c.made = now() - begin;
  int n = k.n < 1000 ? 2000/k.n + 1 : 2;
  for (int turn = 0; turn < 5; turn++) {
    begin = now();
    if (epi_advance(f, &s, h, n)) { fprintf(stderr, "%s\n", epi_error(f)); exit(1); }
    c.step = fmin(c.step, (now() - begin)/n);
  }
  epi_free(f);
  epi_world_free(w);
  return c;
}

int main(int argc, char **argv)
{
  static const struct { const char *name, *flow; chain_kind k; } kinds[] = {
    {"chain of hinges, verlet", "verlet", {.as = EPI_CONSTRAINT}}, {"chain of rods, verlet", "verlet", {.as = EPI_CONSTRAINT, .rods = 1}},
    {"ring of hinges, verlet", "verlet", {.as = EPI_CONSTRAINT, .ring = 1}},
      {"ring of rods, verlet", "verlet", {.as = EPI_CONSTRAINT, .ring = 1, .rods = 1}},
    {"chain of hinges, semi", "semi(model.contacts, model.stiff)", {.as = EPI_CONSTRAINT}},
    {"chain of springs, semi", "semi(model.contacts, model.stiff)", {.as = EPI_PENALTY}},
  };
  int most = argc > 1 ? atoi(argv[1]) : 10000;
  printf("%-26s %8s %14s %14s %10s\n", "N jointed bodies", "N", "made, s", "a step, s", "exponent");
  for (size_t i = 0; i < sizeof kinds/sizeof *kinds; i++) {
    double before = 0, first = 0;
    for (int n = 10; n <= most; n *= 10) {
      chain_kind k = kinds[i].k;
      k.n = n;
      cost c = measure(k, kinds[i].flow, 1e-4);
      printf("%-26s %8d %14.3g %14.3g", n == 10 ? kinds[i].name : "", n, c.made, c.step);
      if (before > 0) printf(" %10.2f", log10(c.step/before));
      if (n == 100) first = c.step;
      if (n == 10000) printf("   %.2f from 100 on", log10(c.step/first)/2);
      printf("\n");
      fflush(stdout);
      before = c.step;
    }
  }
  return 0;
}
