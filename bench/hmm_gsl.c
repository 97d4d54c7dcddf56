/* hmm_gsl.c - the Prince-Dormand method of order 8 of the GNU Scientific Library with its own step control; nothing where it is missing */
#include "hmm.h"

#ifdef BENCH_GSL
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>
#include <string.h>

static int rate(double t, const double *y, double *dy, void *data)
{
  epi_system *s = data;
  int n = s->nq;
  for (int i = 0; i < n; i++) dy[i] = y[n + i];
  return s->forced ? s->forced(s, t, s->phase_rate*t, y, dy + n) : s->force(s, t, y, dy + n);
}

static int run(epi_system *s, double tol, int n, const double *ends, double *y)
{
  const size_t size = 2*(size_t)s->nq;
  gsl_odeiv2_system sys = {.function = rate, .dimension = size, .params = s};
  gsl_odeiv2_driver *d = gsl_odeiv2_driver_alloc_y_new(&sys, gsl_odeiv2_step_rk8pd, 1e-9, tol, tol);
  double t = 0;
  int bad = 0;
  for (int k = 0; k < n && !bad; k++) {
    if (k) memcpy(y + (size_t)k*size, y + (size_t)(k - 1)*size, size*sizeof *y);
    bad = gsl_odeiv2_driver_apply(d, &t, ends[k], y + (size_t)k*size) != GSL_SUCCESS;
  }
  gsl_odeiv2_driver_free(d);
  return bad;
}

const hmm_peer hmm_gsl = {.name = "GSL " GSL_VERSION " rk8pd", .run = run};
#else
const hmm_peer hmm_gsl = {.name = "GSL rk8pd"};
#endif
