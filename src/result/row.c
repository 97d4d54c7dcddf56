/* row.c - one row of a run: the state, the observables, the errors, the oscillating solution */
#include "inspect.h"

static double worse(double a, double b) { return isnan(a) || a >= b ? a : b; }

static double error_at(epi_recorder *a, const epi_state *s)
{
  double e = 0;
  if (a->c->model->exact(a->c, s->t, a->exact)) return NAN;
  for (int i = 0; i < epi_size(&a->c->system); i++) e = worse(e, fabs(s->y[i] - a->exact[i]));
  return e;
}

static void observe(epi_recorder *a, const epi_state *s)
{
  epi_result *r = a->r;
  const epi_observable *o = a->c->model->observables;
  int n = epi_size(&a->c->system);
  r->row[0] = s->t;
  memcpy(r->row + 1, s->y, (size_t)n*sizeof *s->y);
  for (int i = 0; i < r->nobs; i++) r->row[1 + n + i] = epi_observe(a->c, &o[i], s);
  if (a->inspector) epi_inspector_row(a->inspector, r->row + 1 + n, r->nobs, s->t);
  for (int i = 0, k = 0; i < r->nobs; i++) {
    if (!o[i].invariant) continue;
    epi_invariant *d = &r->invariant[k++];
    d->last = epi_observe(a->c, &o[i], s) - d->start;
    d->worst = worse(d->worst, fabs(d->last));
  }
  if (!r->exact) return;
  r->last_error = error_at(a, s);
  r->worst_error = worse(r->worst_error, r->last_error);
}

/* room: a row, then least and largest of all that is told of the oscillating solution */
static double *least_of(const epi_recorder *a) { return a->swing + 1 + epi_size(&a->c->system) + a->r->nobs; }

static void widen(void *data, epi_state *s)
{
  epi_recorder *a = data;
  int n = epi_size(&a->c->system), all = n + a->r->nobs;
  double *x = a->swing + 1, *least = least_of(a);
  memcpy(x, s->y, (size_t)n*sizeof *x);
  for (int i = 0; i < a->r->nobs; i++) x[n + i] = epi_observe(a->c, &a->c->model->observables[i], s);
  for (int i = 0; i < all; i++) {
    least[i] = fmin(least[i], x[i]);
    least[all + i] = fmax(least[all + i], x[i]);
  }
}

/* the oscillating solution is made at rows alone: what it does about them is made with it, where they are too far apart to show it. 0: it
   was made; 1: rows show it as it is */
static int swing(epi_recorder *a, const epi_state *s)
{
  const epi_result *r = a->r;
  int n = epi_size(&a->c->system), all = n + r->nobs;
  if (!a->fast || !r->kept.x) return 1;
  double *least = least_of(a), span = (a->every > 0 ? a->every : a->step)*(double)r->kept.stride;
  if (!epi_fast_is_state(a->fast)) return epi_fast_swing(a->fast, s, span, least, least + n);
  for (int i = 0; i < all; i++) least[i] = INFINITY, least[all + i] = -INFINITY;
  return epi_fast_turn(a->fast, s, span, widen, a);
}

/* before the row and after it */
static void keep(epi_recorder *a, int shown)
{
  epi_result *r = a->r;
  int n = epi_size(&a->c->system), all = n + r->nobs, is_state = a->fast && epi_fast_is_state(a->fast);
  const double *least = least_of(a), *most = least + (is_state ? all : n);
  if (shown) { epi_reel_add(&r->kept, r->row); return; }
  for (int k = 0; k < 2; k++) {
    if (is_state) { epi_reel_look(&r->kept, least, 1, all); epi_reel_look(&r->kept, most, 1, all); }
    if (r->fast) { epi_reel_look(&r->kept, least, 1 + all, n); epi_reel_look(&r->kept, most, 1 + all, n); }
    if (!k) epi_reel_add(&r->kept, r->row);
  }
}

int epi_recorder_row(epi_recorder *a, const epi_state *s)
{
  epi_result *r = a->r;
  int n = epi_size(&a->c->system), lost = a->fast ? epi_fast_at(a->fast, s, a->beside) : 0;
  epi_case_moved_by(a->c, a->tree);
  /* what takes long comes first: where that is stopped there is no row yet */
  int shown = lost == EPI_INTERRUPTED ? lost : swing(a, s);
  if (shown == EPI_INTERRUPTED) return shown;
  r->whole = 0;
  observe(a, s);
  /* where it fails the row has no numbers, and is the last */
  for (int i = 0; r->fast && i < n; i++) r->row[1 + n + r->nobs + i] = lost ? NAN : a->beside[i];
  if (a->sheet && epi_sheet_row(a->sheet, r->row)) a->sick = 1;
  if (a->sheet && a->ask.unbuffered) r->bytes = epi_sheet_flush(a->sheet);
  r->rows++;
  r->t = s->t;
  memcpy(r->y, s->y, (size_t)n*sizeof *r->y);
  r->whole = 1;
  if (r->kept.x) keep(a, shown);
  if (a->ask.unbuffered) epi_result_count(r);
  if (a->ask.row) a->ask.row(a->ask.data, r);
  return a->sick || (lost && a->ask.fast);
}
