/* choose-rows.c - rows that lie where a motion is quickest, and what nothing foretells: fronts and close encounters of models that are
 * smooth, a push that begins as less than any number, a hill on an even path, a seed beside what is large. Each was a wrong number without
 * a word, or was refused */
#include "epicycle.h"
#include "epicycle/choose.h"
#include "test.h"

enum { MOST = 5, MOST_ROWS = 4000 };

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

/* model: of the library, in place of a system */
typedef struct { const char *model; epi_system system; double start[MOST], end, tol; int rows; const char *exact; } request;
static const request *now;
static int make(epi_case *c)
{
  c->system = now->system;
  if (epi_case_start(c)) return -1;
  memcpy(c->y, now->start, (size_t)epi_size(&c->system)*sizeof *c->y);
  return 0;
}
static const epi_param NONE[] = {{0}};
static const epi_model OWN = {.name = "own", .doc = "one of these", .params = NONE, .make = make, .flow = "rk4", .step = 1e-3, .end = 1};

static void follow(epi_case *c, const char *flow, double *rows)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int n = epi_size(&c->system);
  for (int k = 0; k < now->rows; k++) {
    check_count(epi_run(f, &s, now->end*(k + 1)/now->rows, now->end/now->rows), 0);
    memcpy(rows + n*k, s.y, (size_t)n*sizeof *rows);
  }
  epi_free(f);
}

static void solve(const request *q)
{
  static double rows[MOST_ROWS*MOST], exact[MOST_ROWS*MOST];
  double worst = 0;
  now = q;
  epi_case *c = q->model ? epi_case_make(q->model) : epi_case_of(&OWN, "");
  int n = epi_size(&c->system);
  epi_chosen a = {.tol = q->tol, .end = q->end, .every = q->end/q->rows, .motion = EPI_FULL};
  int bad = epi_choose(c, &a);
  check_count(bad, 0);
  if (!bad) {
    follow(c, a.flow, rows);
    follow(c, q->exact, exact);
    for (int i = 0; i < n; i++) {
      double size = 0, off = 0;
      for (int k = 0; k < q->rows; k++) {
        size = fmax(size, fabs(exact[n*k + i]));
        off = fmax(off, fabs(rows[n*k + i] - exact[n*k + i]));
      }
      worst = fmax(worst, off/size);
    }
  }
  printf("to %g: %s, %ld evaluations to find out, off by %.2g, told %.2g %s\n", q->tol, a.flow, a.spent, worst, a.found, a.error);
  check_below(worst, 1.5*q->tol);
  epi_case_free(c);
}

int main(void)
{
  static const char exact[] = "tolerance(dop853, rtol=1e-13, atol=1e-15)", tiny[] = "tolerance(dop853, rtol=1e-13, atol=1e-140)",
                    seeing[] = "tolerance(dop853, rtol=1e-12, atol=1e-16, longest=0.1)";
  static const request all[] = {
    {"van-der-pol(w=1, mu=100, q0=1)", {0}, {0}, 220, 1e-5, 500, exact},
    {"van-der-pol(w=1, mu=100, q0=2)", {0}, {0}, 220, 1e-3, 1000, exact},
    {"kepler(e=0.99608, M0=5.296)", {0}, {0}, 17.58, 1e-5, 1000, exact},
    {NULL, {.nz = 1, .rate = flame, .smooth = 1}, {1.48658e-5}, 88580.78815720945, 1e-3, 4000, exact},
    {NULL, {.nq = 1, .force = pushed}, {0}, 18, 1e-6, 500, seeing},
    {NULL, {.nq = 1, .force = pushed, .smooth = 1}, {0}, 18, 1e-3, 500, seeing},
    {NULL, {.nq = 2, .force = hill, .smooth = 1}, {0, 0, 1, 0}, 19.5, 1e-3, 500, seeing},
    {NULL, {.nq = 2, .nz = 1, .force = slaved, .rate = follows, .smooth = 1}, {0, 0, 1, 0, 0}, 13.926758968509814, 1e-3, 500,
     "tolerance(radau(stages=3), rtol=1e-9, atol=1e-15, longest=0.004)"},
    {NULL, {.nz = 3, .rate = epidemic, .smooth = 1}, {1, 2e-11, 0}, 30, 1e-5, 500, tiny},
    {NULL, {.nz = 3, .rate = epidemic}, {1, 1e-9, 0}, 30, 1e-7, 500, tiny},
    {NULL, {.nz = 1, .rate = grows, .smooth = 1}, {5.937837953977649e-116}, 870.0893125643248, 1e-4, 500, tiny},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) solve(&all[i]);
  return test_done();
}
