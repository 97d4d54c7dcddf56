/* window.c - the micro run of an average: both ways from the slow state, summed as it goes. A pure function of the slow state:
 * every window begins with forgotten history, and at the same phase */
#include "window.h"

epi_flow *epi_average_of(const epi_flow *f) { return f->sys && f->sys->derived ? f->sys->derived->inner : NULL; }

epi_system epi_inherited(const epi_system *m)
{
  return (epi_system){.nq = m->nq, .nv = m->nv, .nc = m->nc, .constraint = m->constraint, .rowptr = m->rowptr, .cols = m->cols,
                      .constraint_increment = m->constraint_increment, .mass = m->mass, .mass_matrix = m->mass_matrix,
                      .mass_solve = m->mass_solve,
                      .names = m->names, .units = m->units, .data = m->data, .irreversible = m->irreversible};
}

double epi_period(const epi_flow *f)
{
  const epi_system *m = f->kid[0]->sys;
  if (epi_arg(f, "period")->given) return epi_arg(f, "period")->number;
  return m->period > 0 ? m->period : m->phase_rate != 0 ? 2*EPI_PI/fabs(m->phase_rate) : 0;
}

double epi_theta0(const epi_flow *f) { return epi_arg(f, "theta0")->given ? epi_arg(f, "theta0")->number : f->kid[0]->sys->theta0; }

/* work of the average: start, moving state, the sum for a velocity force, mean of the last window; its time is kept after it */
static double *start_of(const epi_flow *f) { return f->work; }
static double *moving(const epi_flow *f) { return f->work + epi_dim(f->kid[0]->sys); }
static double *last_mean(const epi_flow *f) { return f->work + 3*epi_dim(f->kid[0]->sys); }
static double *last_time(const epi_flow *f) { return f->work + 4*epi_dim(f->kid[0]->sys); }

static double step_of(const epi_window *w, epi_system *m, double t)
{
  double period = w->period > 0 ? w->period : 2*EPI_PI/fabs(m->phase_rate_at(m, t));
  return period/w->steps;
}

static double size(int n, const double *y)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(y[i]));
  return x;
}

/* what is summed along the way: entries [from, to) of the state, with the weights of each leg */
typedef struct { double *const *weight, *sum; int from, to; } functional;

static void add(const functional *a, int d, int k, const double *x)
{
  if (a->sum) for (int i = a->from; i < a->to; i++) a->sum[i - a->from] += a->weight[d][k]*x[i];
}

/* one way, d = 0 forward, 1 backward */
static int leg(epi_flow *f, int d, double h, double t, double theta, const functional *a, const functional *b)
{
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), nq = micro->sys->nq, n = ((epi_window *)f->own)->m[d], most = (int)epi_look_every(micro->sys), bad = 0;
  double *x = moving(f);
  memcpy(x, start_of(f), (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = theta, .y = x};
  if (f->below) epi_forget(micro);
  /* the fused loops sum as they go */
  if ((micro->claims & EPI_TAPS) && a->from == nq && a->to == nq + epi_nv(micro->sys) && !b->sum) {
    s.key.sum = a->sum;
    for (int k = 0, part; k < n && !bad; k += part) {
      part = n - k < most ? n - k : most;
      s.key.tap = a->weight[d] + k;
      bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, h, part);
    }
  } else {
    for (int k = 0; k < n && !bad; k++) {
      bad = k % most == 0 && epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, h, 1);
      add(a, d, k, x);
      add(b, d, k, x);
    }
  }
  if (bad) return bad;
  double grown = size(N, x), began = size(N, start_of(f));
  if (!(grown <= 1e8*(1 + began)))
    return epi_fail(f, EPI_TOO_FAR,
                    "the micro run of %s grew without bound at t = %.10g: its step of period/%g is beyond stability; give more "
                    "steps a period, "
                    "or the true fast period", f->record->name, t, ((epi_window *)f->own)->steps);
  return 0;
}

static int legs(epi_flow *f, double h, double t, double theta, const functional *a, const functional *b)
{
  const epi_window *w = f->own;
  int bad = 0;
  for (int d = 0; d < 2 && !bad; d++)
    if (w->m[d]) bad = leg(f, d, d ? -h : h, t, theta, a, b);
  return bad;
}

/* how far the run is from where the slow velocity and force put it at time u, beyond half of what they move it */
static double astray(int nq, const double *x, const double *q, const double *v, const double *a, double u)
{
  double off = 0, moved = 0;
  for (int i = 0; i < nq; i++) {
    double by_v = u*v[i], by_a = u*u/2*a[i];
    off = epi_larger(off, fabs(x[i] - q[i] - by_v - by_a));
    moved = epi_larger(moved, fabs(by_v) + fabs(by_a));
  }
  return off - 0.5*moved;
}

/* the first window is run once more to look at it: the force and the mean velocity must explain the slow motion in it, up to the swing of
   the first period */
static int check_width(epi_flow *f, double t, double theta, const double *q, const double *a)
{
  const epi_window *w = f->own;
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), nq = micro->sys->nq, bad = 0;
  double *x = moving(f), *mean = last_time(f) + 1, *v = mean + nq, h = step_of(w, micro->sys, t), swing = 0, off = 0;
  for (int i = 0; i < N; i++) mean[i] = w->mean0*start_of(f)[i];
  /* half a window has no mean velocity: its other half is the mirror image */
  if (!w->m[1]) memcpy(mean, start_of(f), (size_t)N*sizeof *mean);
  else if ((bad = legs(f, h, t, theta, &(functional){w->mean, mean, 0, N}, &(functional){0}))) return bad;
  memcpy(x, start_of(f), (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = theta, .y = x};
  if (f->below) epi_forget(micro);
  for (int k = 1; k <= w->m[0] && !bad; k++) {
    bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, h, 1);
    for (int i = 0; i < nq && k <= 1.5*w->steps; i++) swing = epi_larger(swing, fabs(x[i] - q[i] - k*h*v[i]));
    off = epi_larger(off, astray(nq, x, q, v, a, k*h));
  }
  if (!bad) f->keep[0] = off <= 2*swing ? SHORT : LONG;
  return bad;
}

/* a box from rest, and half a window, stand on a forcing that is even about theta0: looked at once, at three phases */
static int check_even(epi_flow *f, double t, double theta, const double *q, double *a)
{
  epi_system *m = f->kid[0]->sys;
  int n = epi_nv(m), bad;
  double *b = moving(f), odd = 0, size = 0;
  for (int k = 1; k <= 3; k++) {
    if ((bad = epi_force_at(m, t, theta + 0.9*k, q, a)) || (bad = epi_force_at(m, t, theta - 0.9*k, q, b))) return bad;
    for (int i = 0; i < n; i++) {
      odd = epi_larger(odd, fabs(a[i] - b[i]));
      size = epi_larger(size, fabs(a[i]) + fabs(b[i]));
    }
  }
  f->calls += 6;
  if (odd <= 1e-6*size) return 0;
  return epi_fail(f, EPI_WRONG, "hmm: the forcing is not even about theta0 = %g, and a box from rest or even=1 need that: start at a phase "
                  "of symmetry (theta0), or take kernel=kaiser without even", theta);
}

static int too_long(epi_flow *f, double t)
{
  const epi_window *w = f->own;
  if (!w->m[1]) return epi_fail(f, EPI_WRONG, "hmm: the slow motion is not slow against half a window of %.3g at t = %.10g, or its other "
                                "half is no mirror image: take fewer periods, leave even out, or integrate directly",
                                w->m[0]*step_of(w, f->kid[0]->sys, t), t);
  return epi_fail(f, EPI_WRONG,
                  "hmm: the slow motion is not slow against half a window of %.3g at t = %.10g: take fewer periods, kernel=box, "
                  "or integrate directly",
                  w->m[0]*step_of(w, f->kid[0]->sys, t), t);
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
  functional force = {w->tap, a, nq, nq + nv}, mean = {w->mean, NULL, 0, nq + nv};
  if (w->both) {
    mean.sum = last_mean(f);
    for (int i = 0; i < nq + nv; i++) mean.sum[i] = w->mean0*y[i];
    *last_time(f) = NAN;
  }
  if ((bad = legs(f, h, t, th, &force, &mean))) return bad;
  if (w->both) *last_time(f) = t;
  for (int i = 0; i < nv; i++) a[i] /= h;
  if (f->keep[0] == UNSEEN && w->mirrored && !w->running && (bad = check_even(f, t, th, q, last_time(f) + 1 + epi_dim(m)))) return bad;
  if (f->keep[0] == UNSEEN && (bad = check_width(f, t, th, q, a))) return bad;
  return f->keep[0] == LONG ? too_long(f, t) : 0;
}

int epi_window_mean(epi_flow *f, double t, double theta, const double *y, double *mean)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int N = epi_dim(m);
  if (w->both && *last_time(f) == t && !memcmp(start_of(f), y, (size_t)N*sizeof *y)) {
    memcpy(mean, last_mean(f), (size_t)N*sizeof *mean);
    return 0;
  }
  f->steps++;
  memcpy(start_of(f), y, (size_t)N*sizeof *y);
  if (w->both) *last_time(f) = NAN;
  for (int i = 0; i < N; i++) mean[i] = w->mean0*y[i];
  return legs(f, step_of(w, m, t), t, theta, &(functional){w->mean, mean, 0, N}, &(functional){0});
}
