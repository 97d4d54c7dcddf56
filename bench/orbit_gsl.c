/* orbit_gsl.c - the Prince-Dormand method of order 8 of the GNU Scientific Library, its driver over the whole span */
#include "orbit.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>

static int rate(double t, const double *y, double *dy, void *calls)
{
  (void)t;
  orbit_rate(y, dy);
  ++*(long *)calls;
  return GSL_SUCCESS;
}

static int run(double tol, double *t, double *y, long *calls)
{
  long n = 0;
  gsl_odeiv2_system sys = {.function = rate, .dimension = 4, .params = &n};
  gsl_odeiv2_driver *d = gsl_odeiv2_driver_alloc_y_new(&sys, gsl_odeiv2_step_rk8pd, 1e-3, tol, tol);
  *t = 0;
  int bad = gsl_odeiv2_driver_apply(d, t, ORBIT_END, y) != GSL_SUCCESS;
  gsl_odeiv2_driver_free(d);
  if (calls) *calls = n;
  return bad;
}

const orbit_code orbit_rk8pd = {.name = "GSL " GSL_VERSION " rk8pd", .first = 1e-9, .last = 1e-16, .factor = 0.56234132519034907,
                                .run = run};
