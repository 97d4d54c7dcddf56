/* window.c - the micro run of an average: both ways from the slow state, summed as it goes. A pure function of the slow state:
 * every window begins with forgotten history, and at the same phase */
/* compile: hot */
#include "window.h"
#include "lift.h"
#include "tune.h"

epi_system epi_inherited(const epi_system *m)
{
  return (epi_system){.nq = m->nq, .nv = m->nv, .nc = m->nc, .constraint = m->constraint,
                      .constraints = {.rowptr = m->constraints.rowptr, .cols = m->constraints.cols,
                                      .constraint_increment = m->constraints.constraint_increment,
                                      .constraint_bend = m->constraints.constraint_bend,
                                      .constraint_name = m->constraints.constraint_name}, .mass = m->mass,
                      .inertia = {.mass_matrix = m->inertia.mass_matrix, .mass_solve = m->inertia.mass_solve}, .names = m->names,
                      .units = m->units, .data = m->data,
                      .traits = {.irreversible = m->traits.irreversible, .nbreaks = m->traits.nbreaks, .breaks = m->traits.breaks}};
}

double epi_period(const epi_flow *f)
{
  const epi_system *m = f->kid[0]->sys;
  if (epi_arg(f, "period")->given) return epi_arg(f, "period")->number;
  return m->phase.period > 0 ? m->phase.period : m->phase.phase_rate != 0 ? 2*EPI_PI/fabs(m->phase.phase_rate) : 0;
}

double epi_theta0(const epi_flow *f) { return epi_arg(f, "theta0")->given ? epi_arg(f, "theta0")->number : f->kid[0]->sys->phase.theta0; }

/* work of the average: start, moving state, the sum for a velocity force, mean of the last window and its time; the mean of a start that is
   matched, or two forces of windows that run verlet here; after them spare room */
static double *start_of(const epi_flow *f) { return f->work; }
static double *moving(const epi_flow *f) { return f->work + epi_dim(f->kid[0]->sys); }
static double *last_mean(const epi_flow *f) { return f->work + 3*epi_dim(f->kid[0]->sys); }
static double *last_time(const epi_flow *f) { return f->work + 4*epi_dim(f->kid[0]->sys); }
static double *extra(const epi_flow *f) { return last_time(f) + 1; }
double *epi_window_spare(const epi_flow *f) { return extra(f) + epi_dim(f->kid[0]->sys); }
long epi_window_room(const epi_flow *f) { return 5*epi_dim(f->sys) + 1 + 11*epi_dim(f->sys); }

double epi_window_step(const epi_window *w, epi_system *m, double t)
{
  if (w->rate) return !(*w->rate > 0) ? 0 : (w->direct ? 2*sin(EPI_PI/w->steps) : 2*EPI_PI/w->steps) / *w->rate;
  double period = w->period > 0 ? w->period : 2*EPI_PI/fabs(m->phase.phase_rate_at(m, t));
  return period/w->steps;
}

static inline double size(const int n, const double *y)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(y[i]));
  return x;
}

static inline void add(const epi_functional *a, int d, int k, const double *x)
{
  if (a->sum) for (int i = a->from; i < a->to; i++) a->sum[i - a->from] += a->weight[d][k]*x[i];
}

static inline int grown(epi_flow *f, const int N, double t)
{
  double now = size(N, moving(f)), began = size(N, start_of(f));
  if (now <= 1e8*(1 + began)) return 0;
  return epi_fail(f, EPI_TOO_FAR,
                  "the micro run of %s grew without bound at t = %.10g: its step of period/%g is beyond stability; give more steps a "
                  "period, or the true fast period", f->record->name, t, ((epi_window *)f->own)->steps);
}

/* one way, d = 0 forward, 1 backward */
static int leg(epi_flow *f, int d, double h, double t, double theta, const epi_functional *a, const epi_functional *b)
{
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), nq = micro->sys->nq, n = ((epi_window *)f->own)->m[d], most = (int)epi_look_every(micro->sys), bad = 0;
  double *x = moving(f);
  memcpy(x, start_of(f), (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = theta, .y = x};
  if (f->below) epi_forget(micro);
  /* the fused loops sum as they go */
  if (!a->halved && (micro->claims & EPI_TAPS) && a->from == nq && a->to == nq + epi_nv(micro->sys) && !b->sum) {
    s.key.sum = a->sum;
    for (int k = 0, part; k < n && !bad; k += part) {
      part = n - k < most ? n - k : most;
      s.key.tap = a->weight[d] + k;
      bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, h, part);
    }
  } else {
    for (int k = 0; k < n && !bad; k++) {
      bad = k % most == 0 && epi_stopping(f) ? EPI_INTERRUPTED : a->halved ? epi_go(micro, &s, 0.5*h, 2) : epi_go(micro, &s, h, 1);
      add(a, d, k, x);
      add(b, d, k, x);
    }
  }
  return bad ? bad : grown(f, N, t);
}

/* the same by verlet itself; `first` is the acceleration at the start. Compiled for four coordinates, and for any */
static inline __attribute__((always_inline)) int
leg_of_forces(epi_flow *f, const int n, int d, double h, double t, const double *first, const epi_functional *a, const epi_functional *b)
{
  epi_flow *micro = f->kid[0];
  const int steps = ((epi_window *)f->own)->m[d], most = (int)epi_look_every(micro->sys);
  int bad = 0;
  double *restrict q = moving(f), *restrict v = q + n, *restrict g = extra(f) + n;
  memcpy(q, start_of(f), 2*(size_t)n*sizeof *q);
  memcpy(g, first, (size_t)n*sizeof *g);
  micro->steps += steps;
  for (int k = 0; k < steps; k++) {
    for (int i = 0; i < n; i++) { v[i] += 0.5*h*g[i]; q[i] += h*v[i]; }
    if ((bad = k % most == 0 && epi_stopping(f) ? EPI_INTERRUPTED : epi_accel(micro, t + (k + 1)*h, 0, q, g))) return bad;
    for (int i = 0; i < n; i++) v[i] += 0.5*h*g[i];
    if (a->forces) for (int i = 0; i < n; i++) a->sum[i] += a->weight[d][k]*g[i];
    else add(a, d, k, q);
    add(b, d, k, q);
  }
  return grown(f, 2*n, t);
}

static int legs_of_forces(epi_flow *f, double h, double t, const epi_functional *a, const epi_functional *b)
{
  const epi_window *w = f->own;
  double *first = extra(f);
  int bad = epi_accel(f->kid[0], t, 0, start_of(f), first);
  const int n = f->kid[0]->sys->nq;
  for (int i = 0; a->forces && i < n && !bad; i++) a->sum[i] += w->mean0*first[i];
  for (int d = 0; d < 2 && !bad; d++)
    bad = n == 4 ? leg_of_forces(f, 4, d, d ? -h : h, t, first, a, b) : leg_of_forces(f, n, d, d ? -h : h, t, first, a, b);
  return bad;
}

int epi_window_legs(epi_flow *f, double h, double t, double theta, const epi_functional *a, const epi_functional *b)
{
  const epi_window *w = f->own;
  int bad = 0;
  epi_phased_at(w->phased, t, theta);
  if (w->direct) return legs_of_forces(f, h, t, a, b);
  for (int d = 0; d < 2 && !bad; d++)
    if (w->m[d]) bad = leg(f, d, d ? -h : h, t, theta, a, b);
  return bad;
}

/* the filtered motion obeys Q' = P, P' = mean of the accelerations, if it is that of a run whose own means are Q and P: what the first
   guess lacks of them is added to it, and every time the error falls by 1/w */
static int match(epi_flow *f, double h, double t, double theta, const double *q, const double *v)
{
  const epi_window *w = f->own;
  const epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m), bad = 0;
  double *y = start_of(f), *mean = extra(f);
  for (int k = 0; k < w->match && !bad; k++) {
    f->steps++;
    for (int i = 0; i < nq + nv; i++) mean[i] = w->mean0*y[i];
    bad = epi_window_legs(f, h, t, theta, &(epi_functional){w->mean, mean, 0, nq + nv, 0, 0}, &(epi_functional){0});
    for (int i = 0; i < nq; i++) y[i] += q[i] - mean[i];
    for (int i = 0; i < nv; i++) y[nq + i] += v[i] - mean[nq + i];
  }
  return bad;
}

/* joints that move give their bodies a fast velocity, the shortest in the mass that keeps up with them; its room is behind all other */
static int start_moving(epi_flow *f, double t, double theta)
{
  epi_window *w = f->own;
  epi_state s = {.t = t, .theta = theta, .y = start_of(f)};
  epi_phased_at(w->phased, t, theta);
  return epi_project_velocities(f->kid[0]->space, &s, f->work + epi_window_room(f), NULL, &f->fault);
}

static inline int start_from(epi_flow *f, double h, double t, double theta, const double *q, const double *v)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m), bad;
  double *y = start_of(f);
  memcpy(y, q, (size_t)nq*sizeof *y);
  if (v && w->start != REST) memcpy(y + nq, v, (size_t)nv*sizeof *y);
  else memset(y + nq, 0, (size_t)nv*sizeof *y);
  if (w->start == LIFT && (bad = m->phase.lift ? m->phase.lift(m, t, theta, q, v, y + nq) : epi_lift_state(f, t, theta, q, v, y)))
    return bad;
  if (w->phased && m->nc && (bad = start_moving(f, t, theta))) return bad;
  return w->match ? match(f, h, t, theta, q, v) : 0;
}

int epi_window_matched(epi_flow *f, double t, double theta, const double *q, const double *v, double *y)
{
  int bad = start_from(f, epi_window_step(f->own, f->kid[0]->sys, t), t, theta, q, v);
  memcpy(y, start_of(f), (size_t)epi_dim(f->kid[0]->sys)*sizeof *y);
  return bad;
}

int epi_window_accel(epi_flow *f, double t, double theta, const double *q, const double *v, double *a)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m), bad;
  if (w->rate && (bad = epi_tune(f, t, q, 1, epi_window_spare(f)))) return bad;
  double *y = start_of(f), h = epi_window_step(w, m, t);
  f->steps++;
  if ((bad = start_from(f, h, t, theta, q, v))) return bad;
  for (int i = 0; i < nv; i++) a[i] = w->tap0*y[nq + i];
  epi_functional force = {w->tap, a, w->direct ? 0 : nq, w->direct ? nv : nq + nv, 0, w->direct}, mean = {w->mean, NULL, 0, nq + nv, 0, 0};
  if (w->both) {
    mean.sum = last_mean(f);
    for (int i = 0; i < nq + nv; i++) mean.sum[i] = w->mean0*y[i];
    *last_time(f) = NAN;
  }
  if ((bad = epi_window_legs(f, h, t, theta, &force, &mean))) return bad;
  if (w->both) *last_time(f) = t;
  for (int i = 0; i < nv && !w->direct; i++) a[i] /= h;
  return 0;
}

int epi_window_mean(epi_flow *f, double t, double theta, const double *y, double *mean)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int N = epi_dim(m), bad;
  if (w->both && *last_time(f) == t && !memcmp(start_of(f), y, (size_t)N*sizeof *y)) {
    memcpy(mean, last_mean(f), (size_t)N*sizeof *mean);
    return 0;
  }
  if (w->rate && (bad = epi_tune(f, t, y, 0, epi_window_spare(f)))) return bad;
  f->steps++;
  memcpy(start_of(f), y, (size_t)N*sizeof *y);
  if (w->both) *last_time(f) = NAN;
  for (int i = 0; i < N; i++) mean[i] = w->mean0*y[i];
  return epi_window_legs(f, epi_window_step(w, m, t), t, theta, &(epi_functional){w->mean, mean, 0, N, 0, 0},
                         &(epi_functional){0});
}
