/* observable.c - sensitivity of observables to the state, by differences at the start, and how far the observables of two solutions are
 * apart: a load of a stiff spring depends on far less than the state may be off by */
#include "search.h"
#include "observable.h"

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

/* ---- two solutions ---- */
/* of one observable: its value in the first solution at the state that is looked at; the largest, how far the two were apart, and when */
typedef struct { double first, size, off, at; } seen;

/* angles are told within a turn, which the two may leave at its two ends */
static double apart(const char *unit, double a, double b)
{
  double turn = !unit ? 0 : !strcmp(unit, "rad") ? 2*EPI_PI : !strcmp(unit, "deg") ? 360 : 0;
  return fabs(turn > 0 ? remainder(a - b, turn) : a - b);
}

static void note(seen *x, const char *unit, double second, double t)
{
  double off = apart(unit, x->first, second);
  x->size = fmax(x->size, fmax(fabs(x->first), fabs(second)));
  if (!(off > x->off)) return;
  x->off = off;
  x->at = t;
}

static epi_state state_at(const epi_search *a, int which, int row)
{
  const double t = epi_row_time(a, row), span = t - a->c->t;
  return (epi_state){.t = t, .theta = epi_phase_at(&a->c->system, a->c->t, a->c->theta, span), .y = a->y[which] + (row - 1)*a->n};
}

static const char *unit_of(const epi_observable *o) { return o->unit ? o->unit : ""; }

static int is_told(const epi_observable *o) { return !o->invariant; }

/* length of the name of the object in front of the last point: components of one vector share it; 0: there is none */
static size_t object_of(const char *name)
{
  const char *point = strrchr(name, '.');
  return point ? (size_t)(point - name) + 1 : 0;
}

/* the size that errors of observable i are relative to: its own, or that of the largest of its object and unit, as a component of a force
   may be rounding of the others */
static double size_of(const epi_observable *o, int n, const seen *all, int i)
{
  const size_t length = object_of(o[i].name);
  double size = all[i].size;
  for (int k = 0; length && k < n; k++)
    if (object_of(o[k].name) == length && !strncmp(o[k].name, o[i].name, length) && !strcmp(unit_of(&o[k]), unit_of(&o[i])))
      size = fmax(size, all[k].size);
  return size;
}

/* far less than terms of this size leave where they cancel, as the torque of a joint that bears none */
static int is_rounding(epi_search *a, const epi_observable *o, double size)
{
  const int nq = a->c->system.nq;
  double large[2] = {0, 0}, changes, now, *y = malloc((size_t)epi_dim(&a->c->system)*sizeof *y);
  if (!y) return 0;
  for (int i = 0; i < a->n; i++) large[i >= nq] = fmax(large[i >= nq], a->size[i]);
  epi_observable_changes(a->c, o, 1, large, y, &changes, &now);
  free(y);
  return size < ROUNDING_OF_CHANGE*changes;
}

void epi_compare_observables(epi_search *a)
{
  const epi_observable *o = a->c->model ? a->c->model->observables : NULL;
  int n = 0, each = a->rows > STATES ? a->rows/STATES : 1;
  while (o && o[n].name) n++;
  seen *all = calloc((size_t)n + 1, sizeof *all);
  if (!all) return;
  a->to->observed = 0;
  for (int row = each; row <= a->rows; row += each) {
    const epi_state one = state_at(a, 0, row), other = state_at(a, 1, row);
    /* all of one state, then all of the other: what many ask of a state is found once */
    for (int i = 0; i < n; i++) if (is_told(&o[i])) all[i].first = epi_observe(a->c, &o[i], &one);
    for (int i = 0; i < n; i++) if (is_told(&o[i])) note(&all[i], o[i].unit, epi_observe(a->c, &o[i], &other), one.t);
  }
  for (int i = 0; i < n; i++) {
    double off = all[i].off/size_of(o, n, all, i);
    if (!(all[i].size > 1e-10) || !(off > WORTH_TELLING*a->to->tol && off > a->to->observed)) continue;
    if (is_rounding(a, &o[i], all[i].size)) continue;
    a->to->observed = off;
    a->to->observed_at = all[i].at;
    snprintf(a->to->observable, sizeof a->to->observable, "%s", o[i].name);
  }
  free(all);
}
