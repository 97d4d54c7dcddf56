/* requests.h - systems of a test's own, or models of the library, that are solved to a tolerance and held against a flow that is known to
 * be right, at all rows */
#ifndef EPI_TEST_REQUESTS_H
#define EPI_TEST_REQUESTS_H
#include "epicycle.h"
#include "epicycle/choose.h"
#include "test.h"

enum { MOST = 12, MOST_ROWS = 4000 };
/* model: of the library, in place of a system; exact: what the answer is held against, NULL: it is refused; how: what it is by, or is
   refused with, NULL: any way */
typedef struct {
  const char *model;
  epi_system system;
  double start[MOST], end, tol;
  int rows;
  const char *exact, *how;
} request;

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

/* relative to the largest of each coordinate */
static double furthest(epi_case *c, const char *flow)
{
  static double rows[MOST_ROWS*MOST], exact[MOST_ROWS*MOST];
  double worst = 0;
  follow(c, flow, rows);
  follow(c, now->exact, exact);
  for (int i = 0, n = epi_size(&c->system); i < n; i++) {
    double size = 0, off = 0;
    for (int k = 0; k < now->rows; k++) {
      size = fmax(size, fabs(exact[n*k + i]));
      off = fmax(off, fabs(rows[n*k + i] - exact[n*k + i]));
    }
    worst = fmax(worst, off/size);
  }
  return worst;
}

static void solve(const request *q)
{
  now = q;
  epi_case *c = q->model ? epi_case_make(q->model) : epi_case_of(&OWN, "");
  epi_chosen a = {.tol = q->tol, .end = q->end, .every = q->end/q->rows, .motion = EPI_FULL};
  int bad = epi_choose(c, &a);
  double off = bad || !q->exact ? 0 : furthest(c, a.flow);
  printf("to %g: %s, %ld evaluations to find out, off by %.2g, told %.2g %s\n", q->tol, a.flow, a.spent, off, a.found, a.error);
  check_count(bad, q->exact ? 0 : EPI_WRONG);
  check_below(off, 1.5*q->tol);
  if (q->how) check_has(bad ? a.error : a.flow, q->how);
  check_below((double)a.spent, 5e7);
  epi_case_free(c);
}
#endif
