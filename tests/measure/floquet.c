/* holds: multipliers of the period map are those of closed forms and of Mathieu's stability chart */
#define _XOPEN_SOURCE 700
#include "test.h"
#include "epicycle.h"
#include <math.h>

typedef struct { double a, q, c; } numbers;

/* y'' = -(a - 2 q cos 2t) y - c y', of the phase 2t */
static int forced(epi_system *s, double t, double theta, const double *y, double *f)
{
  (void)t;
  const numbers *p = s->data;
  for (int i = 0; i < s->nq; i++) f[i] = -(p->a*(i + 1) - 2*p->q*cos(theta))*y[i];
  return 0;
}

static int slowed(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)q;
  const numbers *p = s->data;
  for (int i = 0; i < s->nq; i++) f[i] -= p->c*v[i];
  return 0;
}

static double multiplier(numbers p, int n, const char *flow)
{
  double y[8] = {0};
  epi_system m = {.nq = n, .phase = {.forced = forced, .phase_rate = 2}, .velocity_force = p.c != 0 ? slowed : NULL, .data = &p};
  epi_flow *f = epi_make(flow, &m);
  epi_state s = {.y = y};
  epi_floquet x = epi_floquet_of(f, &s, M_PI/64);
  if (x.why[0]) test_stop(x.why);
  check_rel(x.period, M_PI, 1e-15);
  epi_free(f);
  return x.multiplier;
}

/* no forcing: exp of what it grows by */
static void closed_forms(void)
{
  check_rel(multiplier((numbers){-1, 0, 0}, 1, "dop853"), exp(M_PI), 1e-8);
  check_rel(multiplier((numbers){-1, 0, 0}, 3, "dop853"), exp(M_PI*sqrt(3)), 1e-8);
  check_rel(multiplier((numbers){2, 0, 0}, 2, "dop853"), 1, 1e-9);
  check_rel(multiplier((numbers){2, 0, 0.3}, 2, "dop853"), exp(-0.15*M_PI), 1e-9);
  check_rel(multiplier((numbers){-1, 0, 1}, 1, "dop853"), exp(M_PI*(sqrt(1.25) - 0.5)), 1e-8);
  check_rel(multiplier((numbers){2, 0, 0}, 1, "verlet"), 1, 1e-9);
}

/* Abramowitz & Stegun, table 20.1: for q = 5 it is stable between a0 and b1, and unstable around; found here by bisection */
static void boundary(double q, double low, double high, double want, int up)
{
  for (int i = 0; i < 40; i++) {
    double a = (low + high)/2;
    int grows = multiplier((numbers){a, q, 0}, 1, "dop853") > 1 + 1e-7;
    if (grows == up) high = a;
    else low = a;
  }
  check_abs(low, want, 1e-6);
}

static void mathieu(void)
{
  boundary(5, -6.5, -5.795, -5.80004602, 0);
  boundary(5, -5.795, -5, -5.79008060, 1);
  boundary(1, -0.8, -0.3, -0.45513860, 0);
  boundary(1, -0.3, 0.5, -0.11024882, 1);
}

static int constant(epi_system *s, double t, double theta, const double *y, double *f)
{
  (void)s, (void)t, (void)theta, (void)y;
  f[0] = 1;
  return 0;
}

static void refused(void)
{
  numbers p = {2, 0.1, 0};
  double y[2] = {0.1, 0};
  epi_state s = {.y = y};
  epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = 20}, .data = &p};
  epi_flow *f = epi_make("rk4", &m);
  epi_floquet x = epi_floquet_of(f, &s, 0.01);
  check(isnan(x.multiplier));
  check_has(x.why, "needs a start that comes back");
  epi_free(f);
  y[0] = 0;
  f = epi_make("verlet(hmm(verlet, start=rest))", &m);
  x = epi_floquet_of(f, &s, 0.1);
  check(isnan(x.multiplier));
  check_has(x.why, "averages over it");
  epi_free(f);
  m.phase.forced = constant;
  f = epi_make("rk4", &m);
  x = epi_floquet_of(f, &s, 0.01);
  check_has(x.why, "needs a start that comes back");
  epi_free(f);
  f = epi_make("no-such", &m);
  check_has(epi_floquet_of(f, &s, 0.01).why, "no-such");
  epi_free(f);
}

int main(void)
{
  closed_forms();
  mathieu();
  refused();
  return test_done();
}
