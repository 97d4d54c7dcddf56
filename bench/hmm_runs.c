/* hmm_runs.c - timed runs with their errors: the slow ones, and the direct ones they are compared with */
#include "hmm_runs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PI 3.14159265358979323846

double hmm_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

/* ---- truths ---- */
static hmm_truth truth_by(const char *model, const char *resolver, double end, int n, double h)
{
  hmm_truth o = {.model = model, .times = n, .width = 1};
  epi_case *c = epi_case_make(resolver);
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  for (int k = 0; k < n; k++) {
    o.t[k] = end*(k + 1)/n;
    o.y[k][0] = epi_run(f, &s, o.t[k], h) ? NAN : s.y[0];
  }
  epi_free(f);
  epi_case_free(c);
  return o;
}

hmm_truth hmm_averaged(const char *model, double q0, int n)
{
  char slow[64];
  snprintf(slow, sizeof slow, "averaged-pendulum(q0=%g)", q0);
  return truth_by(model, slow, 1, n, 1./400);
}

hmm_truth hmm_resolved(const char *model, double w, int n) { return truth_by(model, model, 1, n, 2*PI/w/12); }

/* a Kaiser window with a vanishing second moment, eight periods to a side */
enum { SIDE = 8*24 };

static double bessel(double x)
{
  double sum = 1, term = 1;
  for (int k = 1; k < 200; k++) sum += term *= x*x/(4.0*k*k);
  return sum;
}

static void filter(double *w)
{
  double M[3] = {0}, total = 0;
  for (int k = 0; k <= SIDE; k++) {
    double x2 = (double)k*k/((double)SIDE*SIDE);
    w[k] = bessel(24*sqrt(1 - x2));
    M[1] += w[k]*x2;
    M[2] += w[k]*x2*x2;
  }
  for (int k = 0; k <= SIDE; k++) total += (k ? 2 : 1)*(w[k] *= 1 - M[1]/M[2]*(double)k*k/((double)SIDE*SIDE));
  for (int k = 0; k <= SIDE; k++) w[k] /= total;
}

static int filtered(epi_flow *f, const epi_state *s, double h, const double *w, double *mean)
{
  double x[8];
  int bad = 0;
  for (int i = 0; i < HMM_WIDTH; i++) mean[i] = w[0]*s->y[i];
  for (int way = -1; way <= 1; way += 2) {
    memcpy(x, s->y, sizeof x);
    epi_state r = {.t = s->t, .y = x};
    for (int k = 1; k <= SIDE && !bad; k++) {
      bad = epi_advance(f, &r, way*h, 1);
      for (int i = 0; i < HMM_WIDTH; i++) mean[i] += w[k]*x[i];
    }
  }
  return bad;
}

hmm_truth hmm_filtered(const char *model, double w2)
{
  hmm_truth o = {.model = model, .times = 10, .width = HMM_WIDTH};
  double w[SIDE + 1], h = 2*PI/w2/24;
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  filter(w);
  for (int k = 0; k < o.times; k++) {
    o.t[k] = k + 1;
    if (epi_run(f, &s, o.t[k], h) || filtered(f, &s, h, w, o.y[k])) o.y[k][0] = NAN;
  }
  epi_free(f);
  epi_case_free(c);
  return o;
}

/* ---- runs ---- */
static double apart(const hmm_truth *o, int k, const double *y)
{
  double e = 0;
  for (int i = 0; i < o->width; i++) e = fmax(e, fabs(y[i] - o->y[k][i]));
  return isnan(o->y[k][0]) || isnan(y[0]) ? HUGE_VAL : e;
}

/* a stop at every time to look */
static double error_of(const hmm_truth *o, const char *flow, long steps)
{
  epi_case *c = epi_case_make(o->model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double e = 0, span = o->t[0];
  for (int k = 0; k < o->times; k++) e = fmax(e, epi_advance(f, &s, span/(double)steps, steps) ? HUGE_VAL : apart(o, k, s.y));
  epi_free(f);
  epi_case_free(c);
  return e;
}

/* no stop; a flow of its own, so that the first window is the first one */
static double seconds_of(const hmm_truth *o, const char *flow, long steps, long *calls)
{
  epi_case *c = epi_case_make(o->model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double begin = hmm_now();
  int bad = epi_advance(f, &s, o->t[0]/(double)steps, steps*o->times);
  double seconds = hmm_now() - begin;
  *calls = epi_calls(f);
  epi_free(f);
  epi_case_free(c);
  return bad ? HUGE_VAL : seconds;
}

/* what takes a tenth of a second needs no repetition */
hmm_result hmm_run(const hmm_truth *o, const char *flow, long steps)
{
  hmm_result r = {.error = error_of(o, flow, steps)};
  r.seconds = seconds_of(o, flow, steps, &r.calls);
  for (int turn = 0; turn < 300 && r.seconds*turn < 0.1; turn++) r.seconds = fmin(r.seconds, seconds_of(o, flow, steps, &r.calls));
  return r;
}

hmm_result hmm_peer_run(const hmm_truth *o, const hmm_peer *peer, double tol)
{
  hmm_result r = {0};
  epi_case *c = epi_case_make(o->model);
  int n = epi_size(&c->system);
  double y[HMM_TIMES*2*HMM_WIDTH];
  memcpy(y, epi_case_state(c).y, (size_t)n*sizeof *y);
  double begin = hmm_now();
  int bad = peer->run(&c->system, tol, o->times, o->t, y);
  r.seconds = hmm_now() - begin;
  for (int k = 0; k < o->times; k++) r.error = fmax(r.error, bad ? HUGE_VAL : apart(o, k, y + k*n));
  epi_case_free(c);
  return r;
}

int hmm_flow_to(const hmm_truth *o, double error, const char *flow, double periods, double *steps, hmm_result *r)
{
  for (; *steps < 100; *steps *= 1.1) {
    if (!(error_of(o, flow, lround(*steps*periods)) <= error)) continue;
    *r = hmm_run(o, flow, lround(*steps*periods));
    return 1;
  }
  return 0;
}

int hmm_peer_to(const hmm_truth *o, double error, const hmm_peer *peer, double *tol, hmm_result *r)
{
  for (; *tol > 1e-13; *tol *= sqrt(0.1))
    if ((*r = hmm_peer_run(o, peer, *tol)).error <= error) return 1;
  return 0;
}

void hmm_springs_flow(char *out, size_t size, const char *macro, double w2, int m, double leak)
{
  double steps = 6/sqrt(2);
  snprintf(out, size, "project(%s(hmm(verlet, kernel=kaiser, leak=%g, start=current, period=%.17g, steps=%.17g, periods=%.17g)))",
           macro, leak, 2*PI/(sqrt(2)*w2), steps, 2*m/steps);
}
