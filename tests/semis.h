/* semis.h - what the tests of the semi-explicit method share */
#ifndef SEMIS_H
#define SEMIS_H
#include "problems.h"
#include "test.h"

static inline epi_flow *two(const char *text, epi_system *a, epi_system *b)
{
  return epi_make_named(text, (epi_name[]){{.name = "model", .system = a}, {.name = "a", .system = a}, {.name = "b", .system = b}, {0}});
}

static inline void go(epi_flow *f, epi_state *s, double h, long n)
{
  if (epi_advance(f, s, h, n)) test_stop(epi_error(f));
}

static inline void reach(epi_flow *f, epi_state *s, double end, double h)
{
  if (epi_run(f, s, end, h)) test_stop(epi_error(f));
}

static inline double apart(int n, const double *a, const double *b)
{
  double e = 0;
  for (int i = 0; i < n; i++) e = fmax(e, fabs(a[i] - b[i]));
  return e;
}
#endif
