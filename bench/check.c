/* check.c - solves each problem twice with every driver, h and h/2, and compares with a reference and with the raw loop */
#include "check.h"
#include <math.h>
#include <string.h>

/* a system that counts the calls of its force */
typedef struct counter {
  int (*force)(epi_system *, double, const double *, double *);
  long calls;
} counter;

static int counted(epi_system *s, double t, const double *q, double *f)
{
  counter *c = s->data;
  c->calls++;
  return c->force(s, t, q, f);
}

typedef struct run {
  double y[2*BENCH_MOST];
  double calls, steps;
  int bad;
} run;

static run solve(const bench_problem *p, const bench_driver *d, long n)
{
  counter c = {.force = p->sys.force};
  epi_system s = p->sys;
  run r = {.bad = 1};
  s.force = counted;
  s.data = &c;
  void *self = d->open(&s);
  if (!self) return r;
  p->start(r.y);
  r.bad = d->go(self, r.y, p->span/(double)n, n);
  r.calls = (double)c.calls;
  r.steps = d->taken ? (double)d->taken(self) : (double)n;
  d->close(self);
  return r;
}

double bench_apart(int n, const double *a, const double *b)
{
  double big = 0, size = 0;
  for (int i = 0; i < n; i++) {
    /* written so that a NaN counts as far */
    if (!(fabs(a[i] - b[i]) <= big)) big = fabs(a[i] - b[i]);
    if (fabs(b[i]) > size) size = fabs(b[i]);
  }
  return big/size;
}

/* a driver that chooses its own steps has only to come near */
static bench_answer check_free(const bench_problem *p, const bench_driver *d, const run *exact)
{
  run a = solve(p, d, p->check[2]);
  bench_answer r = {.error = bench_apart(2*p->sys.nq, a.y, exact->y), .calls = a.calls/a.steps};
  r.good = !a.bad && r.error < 1e-4;
  return r;
}

bench_answer bench_check(const bench_problem *p, const bench_driver *d, const bench_driver *raw)
{
  const int n = 2*p->sys.nq;
  run exact = solve(p, &bench_raw_order8, 16*p->check[8]);
  if (!d->order) return check_free(p, d, &exact);

  const long k = p->check[d->order];
  run a = solve(p, d, k), b = solve(p, d, 2*k), loop = solve(p, raw, 2*k);
  bench_answer r = {.error = bench_apart(n, b.y, exact.y), .calls = (b.calls - a.calls)/(b.steps - a.steps)};
  r.order = log2(bench_apart(n, a.y, exact.y)/r.error);
  r.apart = d->same ? bench_apart(n, b.y, loop.y) : 0;
  r.good = !a.bad && !b.bad && !exact.bad && r.order > d->order - 0.3 && r.error < 1e-3 && r.apart < 1e-11;
  return r;
}
