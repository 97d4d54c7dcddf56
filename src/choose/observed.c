/* observed.c - what is read off two solutions: a load of a stiff spring hangs on far less than the state may be off by */
#include "search.h"

enum { STATES = 64 };     /* of a run, about */
#define WORTH_TELLING 30. /* tolerances, of its size */

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

static int is_told(const epi_observable *o) { return !o->invariant; }

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
    double off = all[i].off/all[i].size;
    if (!(all[i].size > 1e-10) || !(off > WORTH_TELLING*a->to->tol && off > a->to->observed)) continue;
    a->to->observed = off;
    a->to->observed_at = all[i].at;
    snprintf(a->to->observable, sizeof a->to->observable, "%s", o[i].name);
  }
  free(all);
}
