/* reproduce_measure.c - numbers of tracks: a measure is a reduction of a series, as in `drift energy` or `most error` */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- series: one number of row k ---- */
static double energy_at(const track *r, int k)
{
  return r->system->energy ? r->system->energy(r->system, r->t[k], track_row(r, k)) : NAN;
}
static double energy(track *r, int k) { return energy_at(r, k) - energy_at(r, 0); }
static double time_of(track *r, int k) { return r->t[k]; }
static double step(track *r, int k) { return k ? r->t[k] - r->t[k-1] : NAN; }
static double q1(track *r, int k) { return track_row(r, k)[0]; }
static double p1(track *r, int k) { return r->system->nq < r->size ? track_row(r, k)[r->system->nq] : NAN; }
static double own_time(track *r, int k) { return k*r->of->step; }
static double row(track *r, int k) { (void)r; return k; }

static double distance(const double *a, const double *b, int n)
{
  double d = 0;
  for (int i = 0; i < n; i++) d += (a[i] - b[i])*(a[i] - b[i]);
  return sqrt(d);
}

/* of the free oscillation through a state of unit frequency */
static double amplitude(track *r, int k) { return hypot(q1(r, k), p1(r, k)); }
static double away(track *r, int k) { return distance(track_row(r, k), r->origin, r->size); }

/* from the start, every number and the density counted alike */
static double returned(track *r, int k)
{
  double sum = fabs(r->rho[k] - r->rho[0]);
  for (int i = 0; i < r->size; i++) sum += fabs(track_row(r, k)[i] - r->origin[i]);
  return sum;
}

/* how far the momenta go in one step */
static double leap(track *r, int k)
{
  const epi_system *m = r->system;
  double d = 0;
  for (int i = m->nq; i < r->size && k; i++) {
    double x = (m->mass ? m->mass[i - m->nq] : 1)*(track_row(r, k)[i] - track_row(r, k - 1)[i]);
    d += x*x;
  }
  return sqrt(d);
}

/* H + (h/2) v.f: what symplectic Euler, kick first, conserves to second order */
static double modified(track *r, int k)
{
  const double *y = track_row(r, k);
  double f[16] = {0}, work = 0;
  if (!r->system->force || r->system->force(r->system, r->t[k], y, f)) return NAN;
  for (int i = 0; i < r->system->nq; i++) work += f[i]*y[r->system->nq + i];
  return energy(r, k) + r->of->step/2*work;
}

/* the same motion where it is known, else by steps of high order */
static int exactly(track *r, double t, const double *from, double *y)
{
  epi_state s = {.y = y};
  epi_flow *f = track_probe(r, "symmetric(verlet, order=8)");
  memcpy(y, from, (size_t)r->size*sizeof *y);
  return t > 0 ? epi_run(f, &s, t, fmin(t, 0.02)) : 0;
}

static int truth_at(track *r, int k, double *y)
{
  if (r->c && r->c->model->exact) return r->c->model->exact(r->c, r->t[k], y);
  return exactly(r, r->t[k], r->origin, y);
}

static double exact_q1(track *r, int k)
{
  double y[16];
  return truth_at(r, k, y) ? NAN : y[0];
}

static double error(track *r, int k)
{
  double y[16];
  return truth_at(r, k, y) ? NAN : distance(y, track_row(r, k), r->size);
}

static double error_q(track *r, int k)
{
  double y[16];
  return truth_at(r, k, y) ? NAN : distance(y, track_row(r, k), r->system->nq);
}

/* of one step: how far it is from the exact motion through its start */
static double local(track *r, int k)
{
  double y[16];
  return k && !exactly(r, r->of->step, track_row(r, k - 1), y) ? distance(y, track_row(r, k), r->size) : NAN;
}

/* |V|^power where the flow goes by the potential, else what the model gives */
static void read_power(void *to, const epi_info *i) { epi_info_option(i, "power", to); }

static double objective(track *r, int k)
{
  const double *y = track_row(r, k);
  double Q = NAN, grad[32], power = 1;
  if (strstr(r->of->flow, "objective=potential") && r->system->energies.potential) {
    epi_walk(track_probe(r, r->of->flow), read_power, &power);
    return pow(fabs(r->system->energies.potential(r->system, r->t[k], y)), power);
  }
  return r->system->energies.objective && !r->system->energies.objective(r->system, r->t[k], y, &Q, grad) ? Q : NAN;
}

static double log_density(track *r, int k) { return k ? log(objective(r, k)/r->rho[k]) : 0; }

/* ---- what a step does to volume, and whether it can be taken back ---- */
double determinant(int n, double *A)
{
  double det = 1;
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int i = c + 1; i < n; i++) if (fabs(A[i*n + c]) > fabs(A[best*n + c])) best = i;
    for (int j = 0; j < n && best != c; j++) { double x = A[c*n + j]; A[c*n + j] = A[best*n + j]; A[best*n + j] = x; }
    if (best != c) det = -det;
    det *= A[c*n + c];
    for (int i = c + 1; i < n && A[c*n + c] != 0; i++) {
      double w = A[i*n + c]/A[c*n + c];
      for (int j = c; j < n; j++) A[i*n + j] -= w*A[c*n + j];
    }
  }
  return det;
}

/* of a body that turns, whose attitude follows its velocities, these alone */
static double volume(track *r, int k)
{
  epi_flow *f = track_probe(r, r->of->flow);
  int first = r->system->manifold.retract ? r->system->nq : 0, n = r->size - first;
  double J[256], y[2][16], e = 1e-6;
  for (int c = 0; c < n; c++) {
    for (int side = 0; side < 2; side++) {
      memcpy(y[side], track_row(r, k), (size_t)r->size*sizeof **y);
      y[side][first + c] += side ? e : -e;
      epi_state s = {.t = r->t[k], .y = y[side]};
      if (epi_advance(f, &s, r->of->step, 1)) return NAN;
    }
    for (int i = 0; i < n; i++) J[i*n + c] = (y[1][first + i] - y[0][first + i])/(2*e);
  }
  return determinant(n, J) - 1;
}

/* a step, one velocity turned round, a step, and round again: of a body, for the axis that comes off worst */
static double mirror(track *r, int k)
{
  epi_flow *f = track_probe(r, r->of->flow);
  int nq = r->system->nq, n = r->size - nq;
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double y[16];
    epi_state s = {.t = r->t[k], .y = y};
    memcpy(y, track_row(r, k), (size_t)r->size*sizeof *y);
    for (int turn = 0; turn < 2; turn++) {
      if (epi_advance(f, &s, r->of->step, 1)) return NAN;
      y[nq + i] *= -1;
    }
    worst = fmax(worst, distance(y + nq, track_row(r, k) + nq, n));
  }
  return worst;
}

static const struct { const char *name; double (*at)(track *, int k); } SERIES[] = {
  {"t", time_of}, {"tau", own_time}, {"k", row}, {"step", step}, {"energy", energy}, {"modified", modified}, {"q1", q1}, {"p1", p1},
  {"exact-q1", exact_q1}, {"amplitude", amplitude}, {"away", away}, {"returned", returned}, {"leap", leap}, {"error", error},
  {"error-q", error_q}, {"local", local},
  {"log", log_density}, {"volume", volume}, {"mirror", mirror},
};
enum { NSERIES = sizeof SERIES/sizeof *SERIES };

/* an observable of the model, or its change since the start: "M", "dM" */
static double observable(track *r, const char *name, int k)
{
  const epi_observable *o = r->c ? r->c->model->observables : NULL;
  double y[2][16];
  epi_state now = {.t = r->t[k], .y = y[0]}, first = {.y = y[1]};
  memcpy(y[0], track_row(r, k), (size_t)r->size*sizeof **y);
  memcpy(y[1], r->origin, sizeof y[1]);
  for (; o && o->name; o++) {
    if (!strcmp(name, o->name)) return o->value(r->c, &now);
    if (name[0] == 'd' && !strcmp(name + 1, o->name)) return o->value(r->c, &now) - o->value(r->c, &first);
  }
  return NAN;
}

double track_series(track *r, const char *name, int k)
{
  for (int i = 0; i < NSERIES; i++)
    if (!strcmp(SERIES[i].name, name)) return SERIES[i].at(r, k);
  for (int i = 0; r->system->names && i < r->size; i++)
    if (!strcmp(r->system->names[i], name)) return track_row(r, k)[i];
  return observable(r, name, k);
}

/* ---- reductions: of rows [from, to) ---- */
typedef struct part { int from, to; } part;
static part whole(const track *r) { return (part){0, r->n}; }

static double most_in(track *r, const char *name, part p)
{
  double most = 0;
  for (int k = p.from; k < p.to; k++) {
    double x = fabs(track_series(r, name, k));
    if (x > most || (isnan(x) && k)) most = x;
  }
  return most;
}

static double mean_in(track *r, const char *name, part p)
{
  double sum = 0;
  for (int k = p.from; k < p.to; k++) sum += track_series(r, name, k);
  return sum/(p.to - p.from);
}

/* the start is no step: quarters are of the steps */
static int steps_of(const track *r, long quarters) { return (int)(quarters*(r->n - 1)/4); }
static part quarter(const track *r, int i) { return (part){1 + steps_of(r, i), 1 + steps_of(r, i + 1)}; }

/* where a part of the time begins */
static int row_after(const track *r, double t)
{
  int k = 0;
  while (k < r->n && r->t[k] < t*(1 - 1e-12)) k++;
  return k;
}

static double most(track *r, const char *name) { return most_in(r, name, whole(r)); }
static double end(track *r, const char *name) { return track_series(r, name, r->n - 1); }
static double count(track *r, const char *name) { (void)name; return r->n - 1; }

static double late(track *r, const char *name)
{
  double t = r->t[r->n - 1];
  return most_in(r, name, (part){row_after(r, 0.8*t), r->n});
}

static double halves(track *r, const char *name)
{
  int middle = row_after(r, (r->of->steps ? r->t[r->n - 1] : r->of->end)/2);
  return most_in(r, name, (part){middle, r->n})/most_in(r, name, (part){0, middle});
}

static double quarters(track *r, const char *name) { return most_in(r, name, quarter(r, 3))/most_in(r, name, quarter(r, 0)); }

/* how far the mean has moved, in units of what the first quarter shows anyway */
static double moved(track *r, const char *name)
{
  return fabs(mean_in(r, name, quarter(r, 3)) - mean_in(r, name, quarter(r, 0)))/most_in(r, name, quarter(r, 0));
}

/* of the straight line through all rows */
static double slope(track *r, const char *name)
{
  part p = {1, r->n};
  double t0 = mean_in(r, "t", p), x0 = mean_in(r, name, p), above = 0, below = 0;
  for (int k = p.from; k < p.to; k++) {
    above += (r->t[k] - t0)*(track_series(r, name, k) - x0);
    below += (r->t[k] - t0)*(r->t[k] - t0);
  }
  return above/below;
}

/* least between a tenth and six tenths of the time: where a beat has its waist */
static double waist(track *r, const char *name)
{
  double least = INFINITY, all = r->t[r->n - 1];
  for (int k = 1; k < r->n; k++)
    if (r->t[k] > 0.1*all + 1e-9 && r->t[k] < 0.6*all - 1e-9) least = fmin(least, track_series(r, name, k));
  return least;
}

/* beyond the first steps, which a solver takes to find its feet */
enum { FEET = 10 };

static double least(track *r, const char *name)
{
  double x = INFINITY;
  for (int k = FEET; k < r->n; k++) x = fmin(x, track_series(r, name, k));
  return x;
}

/* largest ratio of neighbours */
static double jump(track *r, const char *name)
{
  double x = 1;
  for (int k = FEET; k < r->n; k++) {
    double a = track_series(r, name, k - 1), b = track_series(r, name, k);
    x = fmax(x, fmax(a/b, b/a));
  }
  return x;
}

static double growth(track *r, const char *name)
{
  return log(track_series(r, name, r->n - 1)/track_series(r, name, 0))/r->t[r->n - 1];
}

/* last over largest: 1 where an error only grows */
static double kept(track *r, const char *name) { return fabs(end(r, name))/most(r, name); }

double track_lost(track *r, const char *name, double bar)
{
  for (int k = 0; k < r->n; k++)
    if (!(fabs(track_series(r, name, k)) < bar)) return k;
  return r->failure ? r->n : INFINITY;
}
static double lost(track *r, const char *name) { return track_lost(r, name, 10); }

/* the time at which a run that cannot go on stands still */
static double stops(track *r, const char *name) { (void)name; return r->failure ? r->t[r->n - 1] : INFINITY; }

/* stopped: it says something about a run that stopped early too */
static const struct { const char *name; double (*of)(track *, const char *); int stopped; } REDUCTIONS[] = {
  {"most", most, 0}, {"end", end, 0}, {"count", count, 0}, {"late", late, 0}, {"halves", halves, 0}, {"quarters", quarters, 0},
  {"drift", moved, 0}, {"slope", slope, 0}, {"waist", waist, 0}, {"least", least, 0}, {"jump", jump, 0}, {"growth", growth, 0},
  {"kept", kept, 0}, {"lost", lost, 1}, {"stops", stops, 1},
};
enum { NREDUCTION = sizeof REDUCTIONS/sizeof *REDUCTIONS };

static int reduction_of(const char *words, const char **series)
{
  for (int i = 0; i < NREDUCTION; i++) {
    size_t n = strlen(REDUCTIONS[i].name);
    if (strncmp(words, REDUCTIONS[i].name, n) || words[n] != ' ') continue;
    *series = words + n + 1;
    return i;
  }
  return -1;
}

int measure_known(const char *words)
{
  const char *series;
  return !strcmp(words, "apart") || reduction_of(words, &series) >= 0;
}

/* how far two runs are apart at their ends */
static double apart(const track *r, const track *truth)
{
  if (!truth || r->failure || truth->failure || r->size != truth->size) return NAN;
  return distance(track_row(r, r->n - 1), track_row(truth, truth->n - 1), r->size);
}

double track_measure(track *r, track *truth, const char *words)
{
  const char *series;
  if (!strcmp(words, "apart")) return apart(r, truth);
  int i = reduction_of(words, &series);
  return i < 0 || !r->n || (r->failure && !REDUCTIONS[i].stopped) ? NAN : REDUCTIONS[i].of(r, series);
}
