/* stiff-modes.c - the actions and frequencies of stiff modes as observables of any model */
#include "model.h"
#include "case.h"
#include "average/valley.h"
#include <stdio.h>

/* what a flow of adiabatic has learnt; NULL: the state itself shows it */
static const epi_valley *learnt(const struct epi_stiff *k)
{
  const epi_valley *a = k->by ? epi_valley_of(k->by) : NULL;
  return a && epi_valley_memory(a)->begun ? a : NULL;
}

static int find(struct epi_stiff *k, const epi_state *s)
{
  epi_valley *a = epi_valley_of(k->probe);
  const epi_valley *by = learnt(k);
  if (by && epi_valley_modes(by) != k->modes) return 1;
  if (!by) return epi_valley_measure(a, s->t, s->y, k->J, k->om);
  memcpy(k->J, epi_valley_action(by), (size_t)k->modes*sizeof *k->J);
  epi_valley_to_x(a, s->y, a->floor);
  int bad = epi_valley_at(a, s->t, a->floor);
  for (int i = 0; !bad && i < k->modes; i++) k->om[i] = sqrt(a->lambda[i]);
  return bad;
}

/* all modes at once, as one is asked for after the other; what a flow has learnt may change at one place */
static double mode(const epi_case *c, const epi_state *s, int which)
{
  struct epi_stiff *k = c->stiff;
  size_t size = (size_t)epi_dim(&c->system)*sizeof *s->y;
  if (!k->known || which == 0 || k->t != s->t || memcmp(k->y, s->y, size)) {
    k->known = !find(k, s);
    epi_clear_error(epi_valley_of(k->probe)->node);
    k->t = s->t;
    memcpy(k->y, s->y, size);
  }
  return !k->known ? NAN : which < k->modes ? k->J[which] : k->om[which - k->modes];
}

int epi_case_moved_by(epi_case *c, const epi_flow *f)
{
  struct epi_stiff *k = c->stiff;
  if (!k) return 0;
  const epi_valley *a = f ? epi_valley_of(f) : NULL;
  const epi_value *modes = a ? epi_arg(a->node, "modes") : NULL;
  if (k->by != f) k->known = 0;
  k->by = f;
  return modes && modes->given && (int)modes->number != k->modes ? -1 : 0;
}

/* how many there are, from the start */
static int count(epi_case *c, struct epi_stiff *k)
{
  size_t n = (size_t)epi_dim(&c->system);
  k->probe = epi_case_flow(c, "verlet(adiabatic)");
  if (!k->probe) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  c->stiff = k;
  epi_state s = epi_case_state(c);
  memcpy(k->y, s.y, n*sizeof *s.y);
  int bad = epi_error(k->probe) || epi_settle(k->probe, &s);
  memcpy(c->y, k->y, n*sizeof *s.y);
  if (bad) return epi_case_refuse(c, "its stiff modes cannot be told, so leave --actions out: %s", epi_error(k->probe));
  k->modes = epi_valley_modes(epi_valley_of(k->probe));
  return 0;
}

int epi_case_actions(epi_case *c)
{
  enum { NAME = 24 };
  size_t n = (size_t)epi_dim(&c->system), k = 0;
  const int units = c->system.units != NULL;
  if (c->error[0]) return -1;
  struct epi_stiff *a = epi_case_room(c, 1, sizeof *a + 3*n*sizeof(double));
  if (!a) return -1;
  a->y = (double *)(a + 1), a->J = a->y + n, a->om = a->J + n;
  if (count(c, a)) return -1;
  size_t m = (size_t)a->modes;
  while (c->model->observables && c->model->observables[k].name) k++;
  epi_model *with = epi_case_room(c, 1, sizeof *with + (k + 2*m + 1)*sizeof(epi_observable) + 2*m*NAME);
  if (!with) return -1;
  epi_observable *o = (epi_observable *)(with + 1);
  char *name = (char *)(o + k + 2*m + 1);
  *with = *c->model;
  for (size_t i = 0; i < k; i++) o[i] = c->model->observables[i];
  for (size_t i = 0; i < 2*m; i++, name += NAME) {
    snprintf(name, NAME, i < m ? "J%zu" : "om%zu", i < m ? i + 1 : i - m + 1);
    o[k + i] = (epi_observable){.name = name, .unit = !units ? "" : i < m ? "J s" : "rad/s", .observe = mode, .which = (int)i};
  }
  with->observables = o;
  c->model = with;
  return 0;
}
