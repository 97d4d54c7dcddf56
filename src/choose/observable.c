/* observable.c - sensitivity of observables to the state, by differences at the start */
#include "choose/observable.h"

void epi_observable_changes(epi_case *c, const epi_observable *o, int many, const double later[2], double *y, double *size, double *now)
{
  const double small = 1e-6;
  int n = epi_dim(&c->system), nq = c->system.nq;
  epi_state s = {.t = c->t, .theta = c->theta, .y = memcpy(y, c->y, (size_t)n*sizeof *c->y)};
  double large[2] = {later[0], later[1]};
  for (int k = 0; k < many; k++) now[k] = epi_observe(c, &o[k], &s), size[k] = 0;
  for (int i = 0; i < n; i++) large[i >= nq] = epi_larger(large[i >= nq], fabs(c->y[i]));
  for (int i = 0; i < n; i++) {
    s.y[i] = c->y[i] + small*large[i >= nq];
    for (int k = 0; k < many; k++) size[k] += fabs(epi_observe(c, &o[k], &s) - now[k])/small;
    s.y[i] = c->y[i];
  }
}
