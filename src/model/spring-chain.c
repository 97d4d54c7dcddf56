/* spring-chain.c - a staircase of masses on springs that are soft and stiff by turns */
#include "model.h"

enum { N, W1, W2 };

static const epi_param PARAMS[] = {
  [N] = {.name = "n", .unit = "", .value = 4, .kind = EPI_COUNT, .doc = "number of masses"},
  [W1] = {.name = "w1", .unit = "rad/s", .value = 1, .doc = "springs 1, 3, ... have constant w1^2", .range = EPI_POSITIVE},
  [W2] = {.name = "w2", .unit = "rad/s", .value = 200, .doc = "springs 2, 4, ... have constant w2^2", .range = EPI_POSITIVE},
  {0}
};

enum { MOST = 1000000 };

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(p[N] >= 1 && p[N] <= MOST)) return epi_case_refuse(c, "n = %g masses make no chain: take 1 to %d", p[N], MOST);
  int n = (int)p[N];
  double *k = epi_chain_make(c, n);
  if (!k) return -1;
  double *q = c->y, *v = c->y + 2*n;
  /* mass i of 1 ... n stands at (ceil(i/2), floor(i/2)) */
  for (int i = 1; i <= n; i++, q += 2) {
    k[i - 1] = i%2 ? p[W1]*p[W1] : p[W2]*p[W2];
    q[0] = floor((i + 1)/2.0);
    q[1] = floor(i/2.0);
  }
  v[2*n - 2] = 1;
  v[2*n - 1] = 0.5;
  /* the chain of four that is commonly timed has its second mass moving too */
  if (n == 4) v[3] = 0.5;
  c->system.phase.period = 2*EPI_PI/(n > 1 ? fmax(p[W1], p[W2]) : p[W1]);
  c->step = c->system.phase.period/12;
  return 0;
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "angular-momentum", .unit = "kg m^2/s", .value = epi_chain_spin, .invariant = 1},
  {0}
};

const epi_model epi_SPRING_CHAIN = {
  .name = "spring-chain", .doc = "n unit masses in the plane on springs of length 1, soft and stiff by turns",
  .cite = "after Sanz-Serna, Ariel & Tsai, Multiscale methods for stiff and constrained mechanical systems (2009), 4",
  .params = PARAMS, .make = make, .draw = epi_chain_draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 2*EPI_PI/200/12, .end = 10, .smooth = 1
};
