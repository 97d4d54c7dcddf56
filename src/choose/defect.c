/* defect.c - the defect of chosen steps: at places between their ends the rate of the system is compared with the slope of their
 * interpolant. An event that no stage met shows */
#include "search.h"

void epi_note_steps(epi_search *a, const epi_flow *f)
{
  a->to->longest = f->longest;
  /* of cvode nobody knows */
  a->strides |= !f->chosen || f->longest > (a->to->end - a->c->t)/STRIDES;
}

/* the flow that takes the steps, if it can be asked for that. Bodies know what they could go through */
static epi_flow *sampled(const epi_search *a, epi_flow *f)
{
  const epi_system *m = &a->c->system;
  if (a->longest > 0 || epi_has_no_bumps(a) || epi_error(f)) return NULL;
  if (a->c->world || m->nc || m->manifold.retract || m->derived) return NULL;
  while (f->nkid && !(epi_traits_of(f->record) & EPI_FINE_INTERPOLANT)) f = f->kid[0];
  return epi_traits_of(f->record) & EPI_FINE_INTERPOLANT && f->between ? f : NULL;
}

/* room: five states. What differs, as far as it would move the state until the next place, into `most` where that is more. How often the
   force was asked */
static int sample(epi_flow *by, double t, double theta, double apart, double *room, double *most)
{
  int n = epi_dim(by->sys);
  double *y = room, *rate = y + n, *before = rate + n, *after = before + n, eps = 1e-4*apart;
  if (by->between(by, t, y) || by->between(by, t - eps, before) || by->between(by, t + eps, after)) return 0;
  if (epi_rate_at(by, t, theta, y, rate)) return 1;
  for (int i = 0; i < n; i++) most[i] = epi_larger(most[i], fabs(rate[i] - (after[i] - before[i])/(2*eps))*apart);
  return 1;
}

void epi_defect_begin(const epi_search *a, epi_flow *f, int rows, epi_defect *d)
{
  epi_flow *by = sampled(a, f);
  *d = (epi_defect){.f = f, .places = (PLACES + rows - 1)/rows, .skips = 1};
  if (!by || !(d->room = calloc(5*(size_t)a->n, sizeof *d->room))) return;
  d->by = by;
  d->n = a->n;
  if (a->c->system.traits.smooth) {
    d->places = a->c->system.phase.forced ? 1 : PLACES_SMOOTH;
    d->skips = (rows + ROWS_SMOOTH - 1)/ROWS_SMOOTH;
    if (a->c->system.phase.forced) d->skips = (rows + OFTEN - 1)/OFTEN;
  }
  epi_want_dense(by);
}

/* there, and at places between this row and the one before, if they are in this step */
void epi_defect_sample(epi_defect *d, const epi_system *m, const epi_state *s, int row, double apart)
{
  if (!d->by || row % d->skips) return;
  apart = apart/d->places*d->skips;
  for (int i = 0; i < d->places; i++) {
    const double back = i*apart, theta = epi_phase_at(m, s->t, s->theta, -back);
    /* what no step met is not longer than a step */
    d->calls += sample(d->by, s->t - back, theta, fmin(apart, d->f->longest), d->room, d->room + 4*d->n);
  }
}

/* how far the motion takes any of these from where they began */
static double way_of(const epi_search *a, const double *y, int rows, int from, int to)
{
  double most = 0;
  for (int k = 0; k < rows; k++)
    for (int i = from; i < to; i++) most = epi_larger(most, fabs(y[k*a->n + i] - a->c->y[i]));
  return most;
}

void epi_defect_end(epi_search *a, epi_defect *d, const double *y, int rows)
{
  if (!d->by) return;
  const epi_system *m = &a->c->system;
  const int ends[] = {0, epi_all_rate(m) ? a->n : m->nq, epi_all_rate(m) ? a->n : m->nq + epi_nv(m), a->n};
  const double *missed = d->room + 4*a->n;
  a->over = 0;
  epi_measure_sizes(a, y);
  for (int part = 0; part < 3; part++) {
    double way = way_of(a, y, rows, ends[part], ends[part + 1]);
    for (int i = ends[part]; i < ends[part + 1]; i++)
      a->over = missed[i] > ALL_OF_IT*way ? HUGE_VAL : epi_larger(a->over, missed[i]/a->size[i]);
  }
  free(d->room);
}
