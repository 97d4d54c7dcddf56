/* multipliers.c - the multipliers of constraints as observables of any model */
#include "bodies.h"
#include <stdio.h>

static double multiplier(const epi_case *c, const epi_state *s, int which)
{
  size_t n = (size_t)epi_nv(&c->system);
  double *a = malloc((n + (size_t)c->system.nc)*sizeof *a), x = NAN;
  if (a && !epi_case_motion(c, s, a, a + n)) x = a[n + (size_t)which] + 0.0;
  free(a);
  return x;
}

int epi_case_multipliers(epi_case *c)
{
  enum { NAME = 32 };
  size_t nc = (size_t)c->system.nc, k = 0;
  if (c->error[0]) return -1;
  if (!nc) return epi_case_refuse(c, "there are no constraints, and so no multipliers: leave --multipliers out");
  while (c->model->observables && c->model->observables[k].name) k++;
  epi_model *m = epi_case_room(c, 1, sizeof *m + (k + nc + 1)*sizeof(epi_observable) + nc*NAME);
  if (!m || epi_remember_motion(c)) return -1;
  epi_observable *o = (epi_observable *)(m + 1);
  char *name = (char *)(o + k + nc + 1);
  *m = *c->model;
  for (size_t i = 0; i < k; i++) o[i] = c->model->observables[i];
  for (size_t i = 0; i < nc; i++, name += NAME) {
    snprintf(name, NAME, "lambda%zu", i + 1);
    o[k + i] = (epi_observable){.name = name, .unit = "", .observe = multiplier, .which = (int)i};
  }
  m->observables = o;
  c->model = m;
  return 0;
}
