/* nam-step.c - a step of nam: predicted by Numerov's and Adams' formulas from the accelerations there are, one evaluation at the place that
 * was predicted, and D, by which the acceleration at the end differs from what was predicted, from the linearised force:
 *   (M + beta h C + gamma h^2 K) D = M (A - a^p),  q += gamma h^2 D, v += beta h D, a = a^p + D.
 * Its order does not depend on K and C. What the stiff part moves goes by the formula of semi instead, with the mean of A over the step */
#include "nam.h"

epi_nam_memory epi_nam_memory_of(const epi_flow *f)
{
  int n = epi_nv(f->sys);
  double *at = f->keep + NAM_HEAD;
  epi_nam_memory k = {.a = {at, at + n, at + 2*n}, .y = at + 3*n};
  k.held = k.y + epi_dim(f->sys);
  k.shape = k.held + n;
  return k;
}

/* slots of the work block, in its order */
static long sizes(const epi_flow *f, long *size)
{
  const epi_nam *x = f->own;
  long n = epi_nv(f->sys), N = epi_dim(f->sys), J = x->by == EPI_NAM_SLOPE ? n*n : 0, all = 0;
  long room = 2*n > EPI_NAM_SUMS*x->blocks ? 2*n : EPI_NAM_SUMS*(long)x->blocks;
  const long each[] = {n, n, n, n, n, n, n, n, N, N, n, room, n, J, J, J, N, n, n, n, n, n};
  for (size_t i = 0; i < sizeof each/sizeof *each; i++) all += size[i] = each[i];
  return all;
}

long epi_nam_room(const epi_flow *f)
{
  long size[24];
  return sizes(f, size);
}

epi_nam_work epi_nam_work_of(const epi_flow *f)
{
  epi_nam_work d = {0};
  double **slot[] = {&d.A, &d.D, &d.B, &d.mean, &d.ap, &d.vp, &d.way, &d.dq, &d.yp, &d.y1, &d.a1, &d.room, &d.x, &d.K, &d.C, &d.N, &d.start,
                     &d.turned, &d.rate, &d.v, &d.from, &d.to};
  double *at = f->work;
  long size[24];
  sizes(f, size);
  for (size_t i = 0; i < sizeof slot/sizeof *slot; at += size[i++]) *slot[i] = at;
  return d;
}

/* ---- rotations ---- */
/* q0 exp(u) does not move as u does: where the velocity changes by dv over the step, u is bent by h^2/12 [v, dv]. Small turns are looked
   at, because the odd part of the rate is the bracket at any size */
static void bend(epi_flow *f, const epi_state *s, const epi_nam_work *d, const double *held, const double *v1, double h, double *dq)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  const double *v = s->y + m->nq, part = 1./64;
  double *u = d->x, *dv = d->room, *rate = d->room + n;
  if (!m->manifold.retract) return;
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < n; i++) { u[i] = side*part*h*v[i]; dv[i] = v1[i] - v[i]; }
    m->manifold.retract_rate(m, u, dv, rate);
    for (int i = 0; i < n; i++) if (held[i] == 0) dq[i] += side*h/(12*part)*rate[i];
  }
}

/* ---- a step ---- */
/* the stiff part, solved with the mean of A; where it moves anything is learned on the way */
static int hold(epi_flow *f, const epi_state *s, const epi_nam_work *d, const epi_nam_memory *k, double h, epi_tick end)
{
  if (!f->nkid) return 0;
  return epi_semi_hold(f->kid[0], s, d->mean, h, end, d->B, k->held);
}

static void predict(epi_flow *f, const epi_state *s, const epi_nam_work *d, const epi_nam_memory *k, const epi_nam_weights *w, double h)
{
  int n = epi_nv(f->sys);
  const double *v = s->y + f->sys->nq;
  for (int i = 0; i < n; i++) {
    double rate = 0, a0 = k->a[0][i];
    for (int j = 0; j < w->m; j++) rate += w->rate[j]*k->a[j][i];
    d->way[i] = h*v[i] + h*h*(w->q[0]*a0 + w->q[1]*d->ap[i] + rate/12);
    d->vp[i] = v[i] + h*d->mean[i];
    if (k->held[i] == 0) continue;
    double C = d->mean[i] + d->B[i];
    d->way[i] = h*v[i] + 0.5*h*h*C;
    d->vp[i] = v[i] + h*C;
  }
  epi_nam_modes_predict(f, s, d, k, w, h);
  memcpy(d->dq, d->way, (size_t)n*sizeof *d->dq);
  bend(f, s, d, k->held, d->vp, h, d->dq);
  epi_shift(f->sys, s->y, 1, d->dq, d->yp, d->room);
  memcpy(d->yp + f->sys->nq, d->vp, (size_t)n*sizeof *d->vp);
}

static void finish(epi_flow *f, const epi_state *s, const epi_nam_work *d, const epi_nam_memory *k, const epi_nam_weights *w, double h)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  double *v1 = d->y1 + m->nq;
  for (int i = 0; i < n; i++) {
    int free = k->held[i] == 0;
    d->dq[i] = d->way[i] + (free ? w->gamma*h*h*d->D[i] : 0);
    v1[i] = d->vp[i] + (free ? w->beta*h*d->D[i] : 0);
    d->a1[i] = free ? d->ap[i] + d->D[i] : d->A[i];
  }
  epi_nam_modes_finish(f, d, v1);
  bend(f, s, d, k->held, v1, h, d->dq);
  epi_shift(m, s->y, 1, d->dq, d->y1, d->room);
}

int epi_nam_try(epi_flow *f, const epi_state *s, double h, epi_tick end)
{
  epi_nam_work d = epi_nam_work_of(f);
  epi_nam_memory k = epi_nam_memory_of(f);
  double *x = f->keep;
  int n = epi_nv(f->sys), bad;
  epi_nam_weights w = epi_nam_weights_of((int)x[NAM_HAS], h, x[NAM_H1], x[NAM_H2]);
  for (int i = 0; i < n; i++) {
    d.ap[i] = d.mean[i] = 0;
    for (int j = 0; j < w.m; j++) { d.ap[i] += w.at[j]*k.a[j][i]; d.mean[i] += w.mean[j]*k.a[j][i]; }
  }
  if ((bad = hold(f, s, &d, &k, h, end))) return bad;
  predict(f, s, &d, &k, &w, h);
  if ((bad = epi_nam_ask(f, end.t, end.theta, d.yp, d.vp, &d, d.A))) return bad;
  x[NAM_SIGMA] = epi_nam_sigma(f, &d, &k);
  for (int i = 0; i < n; i++) d.D[i] = k.held[i] == 0 ? d.A[i] - d.ap[i] : 0;
  if ((bad = epi_nam_solve(f, &d, k.held, &w, h, x[NAM_PART]))) return bad;
  finish(f, s, &d, &k, &w, h);
  return 0;
}

/* the state did not come from the step before: A as it is here is all that is known */
int epi_nam_begin(epi_flow *f, const epi_state *s)
{
  epi_nam_work d = epi_nam_work_of(f);
  epi_nam_memory k = epi_nam_memory_of(f);
  size_t n = (size_t)epi_nv(f->sys);
  double part = f->keep[NAM_PART], next = f->keep[NAM_NEXT], out = f->keep[NAM_LEFT_OUT];
  memset(f->keep, 0, (size_t)f->nkeep*sizeof *f->keep);
  f->keep[NAM_NEXT] = next;
  f->keep[NAM_LEFT_OUT] = out;
  f->keep[NAM_PART] = part != 0 ? part : 1;
  int bad = epi_nam_ask(f, s->t, s->theta, s->y, s->y + f->sys->nq, &d, d.A);
  if (bad) return bad;
  /* what the stiff part moves is not known yet, and does not count: its frequencies would be too high, not too low */
  memcpy(k.a[0], d.A, n*sizeof *d.A);
  memcpy(k.y, s->y, (size_t)epi_dim(f->sys)*sizeof *k.y);
  f->keep[NAM_SIGMA] = epi_nam_sigma(f, &d, &k);
  f->keep[NAM_HAS] = 1;
  f->keep[NAM_TIME] = s->t;
  return 0;
}

/* what the inside of the step is found by; what the stiff part moves has one acceleration all the step */
static void note(epi_flow *f, const epi_state *s, const epi_nam_work *d, const epi_nam_memory *k, double h)
{
  epi_nam *o = f->own;
  epi_system *m = f->sys;
  size_t n = (size_t)epi_nv(m);
  const double *v0 = s->y + m->nq, *v1 = d->y1 + m->nq;
  o->t0 = s->t;
  o->h = h;
  epi_nam_modes_note(f);
  memcpy(d->start, s->y, (size_t)epi_dim(m)*sizeof *s->y);
  memcpy(d->turned, d->dq, n*sizeof *d->dq);
  memcpy(d->v, v1, n*sizeof *d->v);
  if (m->manifold.retract) m->manifold.retract_rate(m, d->dq, v1, d->rate);
  else memcpy(d->rate, v1, n*sizeof *d->rate);
  for (size_t i = 0; i < n; i++) {
    double C = (v1[i] - v0[i])/h;
    d->from[i] = k->held[i] == 0 ? k->a[0][i] : C;
    d->to[i] = k->held[i] == 0 ? d->a1[i] : C;
  }
}

void epi_nam_accept(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  epi_nam_work d = epi_nam_work_of(f);
  epi_nam_memory k = epi_nam_memory_of(f);
  epi_system *m = f->sys;
  double *x = f->keep;
  size_t n = (size_t)epi_nv(m), N = (size_t)epi_dim(m);
  if (f->dense) note(f, s, &d, &k, h);
  memcpy(k.y, s->y, N*sizeof *s->y);
  memcpy(s->y, d.y1, N*sizeof *s->y);
  epi_set_clock(s, end);
  if (f->nkid) epi_semi_held(f->kid[0], s, k.y + m->nq, d.mean, d.B, h);
  memcpy(k.y, s->y, N*sizeof *s->y);
  for (int j = 2; j > 0; j--) memcpy(k.a[j], k.a[j - 1], n*sizeof *d.a1);
  memcpy(k.a[0], d.a1, n*sizeof *d.a1);
  x[NAM_H2] = x[NAM_H1];
  x[NAM_H1] = h;
  x[NAM_TIME] = s->t;
  x[NAM_HAS] = fmin(x[NAM_HAS] + 1, f->arg[NAM_K].number);
  x[NAM_COUNT]++;
  epi_moved(f, s);
}

/* ---- inside the last step ---- */
/* positions by the polynomial of degree four through what is known at both ends, velocities by the cubic; on rotations in the chart of the
   start */
int epi_nam_between(epi_flow *f, double t, double *y)
{
  const epi_nam *o = f->own;
  epi_nam_work d = epi_nam_work_of(f);
  epi_system *m = f->sys;
  double h = o->h, x = h != 0 ? (t - o->t0)/h : -1, *v = y + m->nq;
  const double *v0 = d.start + m->nq;
  if (!f->dense || !(x >= -1e-9 && x <= 1 + 1e-9)) return 1;
  for (int i = 0; i < epi_nv(m); i++) {
    /* u = h x v0 + h^2 x^2/2 a0 + c x^3 + e x^4 */
    double a0 = d.from[i], far = d.turned[i] - h*v0[i] - 0.5*h*h*a0, fast = h*(d.rate[i] - v0[i] - h*a0), e = fast - 3*far, c = far - e;
    d.x[i] = x*(h*v0[i] + x*(0.5*h*h*a0 + x*(c + x*e)));
    v[i] = v0[i] + (x*x*(3 - 2*x)*(d.v[i] - v0[i]) + h*x*(1 - x)*((1 - x)*a0 - x*d.to[i]));
  }
  epi_shift(m, d.start, 1, d.x, y, d.room);
  epi_nam_modes_between(f, d.start, x, y);
  return 0;
}
