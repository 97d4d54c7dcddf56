/* window.c - the micro run of an average: both ways from the slow state, summed as it goes. A pure function of the slow state:
 * every window begins with forgotten history, and at the same phase */
#include "window.h"

epi_flow *epi_average_of(const epi_flow *f) { return f->sys && f->sys->made ? f->sys->made->inner : NULL; }

/* work of the average: start, moving state */
static double *start_of(const epi_flow *f) { return f->work; }
static double *moving(const epi_flow *f) { return f->work + epi_dim(f->kid[0]->sys); }

static double step_of(const epi_window *w, epi_system *m, double t)
{
  double period = w->period > 0 ? w->period : 2*EPI_PI/fabs(m->pace(m, t));
  return period/w->steps;
}

static double size(int n, const double *y)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(y[i]));
  return x;
}

/* one way: sum += weights of each point times entries [from, to) of the state there */
static int leg(epi_flow *f, const double *weight, int n, double h, double t, double theta, int from, int to, double *sum)
{
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), nq = micro->sys->nq, bad = 0;
  double *x = moving(f);
  memcpy(x, start_of(f), (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = theta, .y = x};
  if (f->below) epi_forget(micro);
  /* the fused loops sum as they go */
  if ((micro->claims & EPI_TAPS) && from == nq && to == nq + epi_nv(micro->sys)) {
    s.key.tap = weight;
    s.key.sum = sum;
    bad = epi_go(micro, &s, h, n);
  } else {
    for (int k = 0; k < n && !bad; k++) {
      bad = epi_go(micro, &s, h, 1);
      for (int i = from; i < to; i++) sum[i - from] += weight[k]*x[i];
    }
  }
  if (bad) return bad;
  double grown = size(N, x), began = size(N, start_of(f));
  if (!(grown <= 1e8*(1 + began)))
    return epi_fail(f, EPI_TOO_FAR, "the micro run of %s grew without bound at t = %.10g: its step of period/%g is beyond stability; give more steps a period, "
                    "or the true fast period", f->record->name, t, ((epi_window *)f->own)->steps);
  return 0;
}

static int legs(epi_flow *f, double *const *weight, double h, double t, double theta, int from, int to, double *sum)
{
  const epi_window *w = f->own;
  int bad = 0;
  for (int d = 0; d < 2 && !bad; d++)
    if (w->m[d]) bad = leg(f, weight[d], w->m[d], d ? -h : h, t, theta, from, to, sum);
  return bad;
}

int epi_window_accel(epi_flow *f, double t, double theta, const double *q, const double *v, double *a)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m), bad;
  double *y = start_of(f), h = step_of(w, m, t), th = w->running ? theta : w->theta0;
  f->steps++;
  memcpy(y, q, (size_t)nq*sizeof *y);
  if (v && w->start != REST) memcpy(y + nq, v, (size_t)nv*sizeof *y);
  else memset(y + nq, 0, (size_t)nv*sizeof *y);
  if (w->start == LIFT && (bad = m->lift(m, t, th, q, v, y + nq))) return bad;
  for (int i = 0; i < nv; i++) a[i] = w->tap0*y[nq + i];
  if ((bad = legs(f, w->tap, h, t, th, nq, nq + nv, a))) return bad;
  for (int i = 0; i < nv; i++) a[i] /= h;
  return 0;
}

int epi_window_mean(epi_flow *f, double t, double theta, const double *y, double *mean)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int N = epi_dim(m);
  f->steps++;
  memcpy(start_of(f), y, (size_t)N*sizeof *y);
  for (int i = 0; i < N; i++) mean[i] = w->mean0*y[i];
  return legs(f, w->mean, step_of(w, m, t), t, theta, 0, N, mean);
}
