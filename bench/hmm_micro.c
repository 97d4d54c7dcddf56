/* hmm_micro.c - a micro-step inside hmm against one of a hand-written window, in turns */
#include "hmm_runs.h"
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
enum { TURNS = 15, MOST = 640 };

typedef struct {
  const char *model, *macro, *average;    /* a macro step takes `windows` windows */
  int m, sides, windows;
  double period, H, exponent;  /* exponent 0: a box */
  long steps;                  /* macro steps a turn */
} setup;

static const setup SETUPS[] = {
  [HMM_LONG] = {"inverted-pendulum(w=1e6)", "verlet", "hmm(verlet, kernel=exp5, periods=40, steps=32, even=1)",
                640, 1, 1, 2*PI/1e6, 1e-3, 5, 60},
  [HMM_SHORT] = {"inverted-pendulum(w=1e6)", "verlet", "hmm(verlet, kernel=box, periods=1, steps=32, even=1)",
                 16, 1, 1, 2*PI/1e6, 1e-3, 0, 2000},
  [HMM_SPRINGS] = {"stiff-springs(case=i)", "rk4", "hmm(verlet, kernel=exp5, periods=20, steps=12, start=current)",
                   120, 2, 4, 2*PI/500, 1e-3, 5, 20}
};

static void weights(const setup *u, double *w)
{
  double total = 0;
  for (int k = 0; k <= u->m; k++) {
    double x = (double)k/u->m;
    w[k] = u->exponent > 0 ? (k < u->m ? exp(u->exponent/(x*x - 1)) : 0) : k < u->m ? 1 : 0.5;
    total += (k ? 2 : 1)*w[k];
  }
  for (int k = 0; k <= u->m; k++) w[k] /= total;
}

static int by_hand(const setup *u, epi_case *c, const double *y, const double *w, double *a)
{
  double h = u->period/(u->sides == 1 ? 32 : 12);
  return u->sides == 1 ? hmm_raw_half(&c->system, 0, 0, y[0], h, u->m, w, a) : hmm_raw_both(&c->system, 0, y, y + 4, h, u->m, w, a);
}

static epi_flow *flow_of(const char *macro, const char *average, epi_case *c)
{
  char flow[128];
  snprintf(flow, sizeof flow, "%s(%s)", macro, average);
  return epi_case_flow(c, flow);
}

/* one step of length 1 of explicit Euler moves the velocity by the force */
static double forces_apart(const setup *u, epi_case *c, const double *w)
{
  double a[4], v[4], apart = 0, size = 0;
  epi_flow *f = flow_of("euler", u->average, c);
  epi_state s = epi_case_state(c);
  int n = c->system.nq;
  for (int i = 0; i < n; i++) v[i] = s.y[n + i];
  int bad = by_hand(u, c, s.y, w, a) || epi_advance(f, &s, 1, 1);
  for (int i = 0; i < n; i++) {
    apart = fmax(apart, fabs(s.y[n + i] - v[i] - a[i]));
    size = fmax(size, fabs(a[i]));
  }
  epi_free(f);
  return bad ? NAN : apart/size;
}

static double turn_by_hand(const setup *u, epi_case *c, const double *w)
{
  double y[8], a[4] = {0}, begin = hmm_now();
  epi_state s = epi_case_state(c);
  for (int i = 0; i < 2*c->system.nq; i++) y[i] = s.y[i];
  for (long k = 0; k < u->steps*u->windows; k++) {
    if (by_hand(u, c, y, w, a)) return NAN;
    y[0] += 1e-12*a[0];
  }
  return hmm_now() - begin;
}

static double turn_of_hmm(const setup *u, epi_case *c, epi_flow *f)
{
  epi_state s = epi_case_state(c);
  double begin = hmm_now();
  return epi_advance(f, &s, u->H, u->steps) ? NAN : hmm_now() - begin;
}

hmm_pair hmm_micro(int which)
{
  const setup *u = &SETUPS[which];
  double w[MOST + 1], micro = (double)(u->steps*u->windows)*u->sides*u->m;
  epi_case *c = epi_case_make(u->model);
  epi_flow *f = flow_of(u->macro, u->average, c);
  hmm_pair p = {HUGE_VAL, HUGE_VAL, 0};
  weights(u, w);
  p.apart = forces_apart(u, c, w);
  for (int k = 0; k < TURNS; k++) {
    p.raw = fmin(p.raw, 1e9*turn_by_hand(u, c, w)/micro);
    p.ours = fmin(p.ours, 1e9*turn_of_hmm(u, c, f)/micro);
  }
  epi_free(f);
  epi_case_free(c);
  return p;
}
