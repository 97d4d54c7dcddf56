/* revolve-period.c - one period of a run of revolve, and how exact it must be */
#include "revolving.h"
#include "two.h"

double epi_revolve_care(const revolve *p, const double *x, double T)
{
  double growth = x[SLOPES]*p->span, calm = 6*x[TAKEN]*fabs(T);
  return growth > calm && calm > 0 ? calm/growth : 1;
}

double epi_revolve_micro_limit(const revolve *p, const double *x, double T)
{
  /* beside the run nothing must be as exact as it is */
  const double part = p->given > 0 ? 12 : 0.6;
  return part*p->share*(p->span > 0 ? fmin(1, fabs(T)/p->span)*epi_revolve_care(p, x, T) : 1/fmax(1, x[NEXT]));
}

void epi_revolve_measure(epi_flow *f, double *x, double T)
{
  revolve *p = f->own;
  const room *d = &p->room;
  const memory k = memory_of(f, x);
  for (int i = 0; i < k.D; i++) d->per_unit[i] = 1/(d->unit[i] = weight(p, &k, i));
  p->micro = epi_revolve_micro_limit(p, x, T);
}

/* what the state moved by in a period; where that was not taken as a whole from where it was put on its rotations and constraints: what
   puts it there belongs to no period */
EPI_INLINED int take_moves(epi_flow *f, const double *Y, int N, int whole, double t, double *g)
{
  const room *d = room_of(f);
  if (f->sys->manifold.nearest) f->sys->manifold.nearest(f->sys, d->moved + N, d->y);
  for (int i = 0; i < N; i++) {
    if (!whole) d->moved[i] = d->y[i] - d->moved[N + i];
    g[i] = d->moved[i];
    if (!whole) d->moved[N + i] = 1.1e-16*fabs(Y[i]);
    if (!isfinite(g[i])) return epi_fail(f, EPI_TOO_FAR, "revolve: a period at t = %.10g ends in what is no number", t);
  }
  return 0;
}

/* g at Y, whose time is t where the pace is constant; N numbers and, timed, the time */
EPI_INLINED int period(epi_flow *f, const double *x, double t, const double *Y, double T, double *g, int N, int timed)
{
  const revolve *p = f->own;
  epi_flow *micro = f->kid[0];
  const room *d = room_of(f);
  /* a period with a break in it is crossed in parts, each as exact as it must be; no force is zero at just these ends by its symmetry */
  const int whole = micro->whole && !x[BROKEN];
  int bad;
  if (timed) { t = Y[N]; T = epi_turn_time(f->sys, 0, t, T < 0 ? -1 : 1); g[N] = T; d->moved[2*N] = 0; }
  memcpy(d->y, Y, (size_t)N*sizeof *Y);
  if ((f->sys->manifold.retract || f->sys->nc) && (bad = epi_revolve_settle(f, t, d->y, d))) return bad;
  if (!whole || f->sys->manifold.nearest) memcpy(d->moved + N, d->y, (size_t)N*sizeof *Y);
  epi_state s = {.t = t, .theta = x[THETA0], .y = d->y};
  micro->moved = whole ? d->moved : NULL;
  micro->rough = p->rough;
  for (int i = 0; i < N; i++) d->allowed[i] = p->micro*d->unit[i];
  micro->allowed = micro->whole ? d->allowed : NULL;
  if (!micro->whole && f->below) epi_forget(micro);
  bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, whole || !micro->whole ? T : 0.43*T, 1);
  if (!bad && micro->whole && !whole) bad = epi_go(micro, &s, 0.57*T, 1);
  micro->moved = NULL;
  micro->allowed = NULL;
  micro->rough = 0;
  if (bad) return bad;
  return take_moves(f, Y, N, whole, t, g);
}

int epi_revolve_period(epi_flow *f, const double *x, double t, const double *Y, double T, double *g)
{
  return is_pair(f) ? period(f, x, t, Y, T, g, 2, 0) : period(f, x, t, Y, T, g, epi_dim(f->sys), ((const revolve *)f->own)->timed);
}
