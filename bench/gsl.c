/* gsl.c - the steppers of the GNU Scientific Library at a fixed step; rk4 compares one step with two halves, always */
#include "bench.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>

#define GSL "GSL " GSL_VERSION

typedef struct peer {
  gsl_odeiv2_system sys;
  gsl_odeiv2_step *step;
  double err[2*BENCH_MOST];
} peer;

static int rate(double t, const double *y, double *dy, void *s) { return bench_rate(s, t, y, dy); }

static void *start(const gsl_odeiv2_step_type *type, epi_system *s)
{
  peer *p = calloc(1, sizeof *p);
  size_t n = 2*(size_t)s->nq;
  if (!p) return NULL;
  p->sys = (gsl_odeiv2_system){.function = rate, .dimension = n, .params = s};
  p->step = gsl_odeiv2_step_alloc(type, n);
  return p;
}
static void *start_rk4(epi_system *s) { return start(gsl_odeiv2_step_rk4, s); }
static void *start_rk8pd(epi_system *s) { return start(gsl_odeiv2_step_rk8pd, s); }

static int go(void *self, double *y, double h, long n)
{
  peer *p = self;
  for (long k = 0; k < n; k++)
    if (gsl_odeiv2_step_apply(p->step, (double)k*h, h, y, p->err, NULL, NULL, &p->sys) != GSL_SUCCESS) return 1;
  return 0;
}

static void stop(void *self)
{
  peer *p = self;
  gsl_odeiv2_step_free(p->step);
  free(p);
}

const bench_driver bench_gsl_rk4 = {
  .name = GSL " rk4", .order = 4, .open = start_rk4, .go = go, .close = stop,
};
const bench_driver bench_gsl_rk8pd = {
  .name = GSL " rk8pd", .order = 8, .open = start_rk8pd, .go = go, .close = stop,
};
