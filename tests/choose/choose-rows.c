/* holds: rows at fronts and close encounters meet their tolerance, also where nothing announces them
 * choose-rows.c - rows that lie where a motion is quickest, and what nothing foretells: fronts and close encounters of models that are
 * smooth, a push that begins as less than any number, a hill on an even path, a seed beside what is large. Each was a wrong number without
 * a word, or was refused */
#include "requests.h"

/* at rest until a push whose beginning, 1e-204, is no zero: `adams` stepped over all of it */
static int pushed(epi_system *s, double t, const double *q, double *f)
{
  const double x = (t - 13)/0.6;
  (void)s;
  f[0] = exp(-x*x) - q[0];
  return 0;
}

/* one goes its way over a hill that moves the other */
static int hill(epi_system *s, double t, const double *q, double *f)
{
  const double x = (q[0] - 9)/0.38;
  (void)s, (void)t;
  f[0] = 0;
  f[1] = 1e-2*exp(-x*x) - 1.7*q[1];
  return 0;
}

/* the same with a hill of 0.2 % of the way, and a stiff rate that follows: rows inside an explicit step met what the step itself did not,
   and were 1e15 tolerances off */
static int slaved(epi_system *s, double t, const double *q, double *f)
{
  const double x = (q[0] - 6.890409959940495)/0.016904038193346835;
  (void)s, (void)t;
  f[0] = 0;
  f[1] = -127.84037895131623*q[1] + 7.302534939159031e-4*exp(-x*x);
  return 0;
}
static int follows(epi_system *s, double t, const double *y, double *dz)
{
  (void)s, (void)t;
  dz[0] = -51318.90300701242*(y[4] - 1369.3874912362435*y[1]);
  return 0;
}

static int flame(epi_system *s, double t, const double *y, double *dy)
{
  (void)s, (void)t;
  dy[0] = y[0]*y[0]*(1 - y[0]);
  return 0;
}

/* few that are ill among many that may become it */
static int epidemic(epi_system *s, double t, const double *y, double *dy)
{
  (void)s, (void)t;
  dy[0] = -2*y[0]*y[1];
  dy[1] = 2*y[0]*y[1] - 0.7*y[1];
  dy[2] = 0.7*y[1];
  return 0;
}

static int grows(epi_system *s, double t, const double *y, double *dy)
{
  (void)s, (void)t;
  dy[0] = 0.4865128344392123*y[0]*(1 - y[0]);
  return 0;
}

int main(void)
{
  static const char exact[] = "tolerance(dop853, rtol=1e-13, atol=1e-15)", tiny[] = "tolerance(dop853, rtol=1e-13, atol=1e-140)",
                    seeing[] = "tolerance(dop853, rtol=1e-12, atol=1e-16, longest=0.1)";
  static const request all[] = {
    {"van-der-pol(w=1, mu=100, q0=1)", {0}, {0}, 220, 1e-5, 500, exact, NULL},
    {"van-der-pol(w=1, mu=100, q0=2)", {0}, {0}, 220, 1e-3, 1000, exact, NULL},
    {"kepler(e=0.99608, M0=5.296)", {0}, {0}, 17.58, 1e-5, 1000, exact, NULL},
    {NULL, {.nz = 1, .rate = flame, .traits.smooth = 1}, {1.48658e-5}, 88580.78815720945, 1e-3, 4000, exact, NULL},
    {NULL, {.nq = 1, .force = pushed}, {0}, 18, 1e-6, 500, seeing, NULL},
    {NULL, {.nq = 1, .force = pushed, .traits.smooth = 1}, {0}, 18, 1e-3, 500, seeing, NULL},
    {NULL, {.nq = 2, .force = hill, .traits.smooth = 1}, {0, 0, 1, 0}, 19.5, 1e-3, 500, seeing, NULL},
    {NULL, {.nq = 2, .nz = 1, .force = slaved, .rate = follows, .traits.smooth = 1}, {0, 0, 1, 0, 0}, 13.926758968509814, 1e-3, 500,
     "tolerance(radau(stages=3), rtol=1e-9, atol=1e-15, longest=0.004)", NULL},
    {NULL, {.nz = 3, .rate = epidemic, .traits.smooth = 1}, {1, 2e-11, 0}, 30, 1e-5, 500, tiny, NULL},
    {NULL, {.nz = 3, .rate = epidemic}, {1, 1e-9, 0}, 30, 1e-7, 500, tiny, NULL},
    {NULL, {.nz = 3, .rate = epidemic, .traits.smooth = 1}, {1, 9.3e-17, 0}, 60, 1e-3, 20, tiny, NULL},
    {NULL, {.nz = 1, .rate = grows, .traits.smooth = 1}, {5.937837953977649e-116}, 870.0893125643248, 1e-4, 500, tiny, NULL},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) solve(&all[i]);
  return test_done();
}
