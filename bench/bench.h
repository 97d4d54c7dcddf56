/* bench.h - what a problem is and what a driver is: one record each, so that every loop is timed by the same code */
#ifndef EPI_BENCH_H
#define EPI_BENCH_H
#include "epicycle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_MOST = 100 };     /* degrees of freedom of the largest problem */

typedef struct bench_problem {
  const char *name;
  epi_system sys;
  void (*start)(double *y);    /* writes [ q | v ] at t = 0 */
  double h;
  long steps;                  /* from the start to here and again: every driver meets the same states */
  double span;                 /* answers are compared here ... */
  long check[9];               /* ... after so many steps of a method of order 2, 4, 8 */
} bench_problem;
extern const bench_problem *const bench_problems[];                          /* NULL-terminated */

/* a loop: ours, a hand-written one or a peer's; a peer that is not installed has no open */
typedef struct bench_driver {
  const char *name;
  int order;
  int same;                    /* the formula is that of the hand-written loop: the answer is too, up to rounding */
  void *(*open)(epi_system *);
  int (*go)(void *, double *y, double h, long n);                            /* n steps from t = 0; 0 on success */
  void (*close)(void *);
  long (*taken)(void *);       /* steps of the last go, where the driver chooses them itself */
} bench_driver;

extern const bench_driver bench_raw_verlet, bench_raw_rk4, bench_raw_order8;
extern const bench_driver bench_verlet, bench_verlet_single, bench_rk4, bench_order8;
extern const bench_driver bench_ark2, bench_ark4, bench_erk4, bench_adams;
extern const bench_driver bench_gsl_rk4, bench_gsl_rk8pd;
extern const bench_driver bench_odeint_verlet, bench_odeint_rk4;

/* allocations since the program began, from the wrapped malloc, calloc and realloc */
long bench_allocations(void);

/* y' = ( v, force(t, q) ): what a code for first-order equations is given */
static inline int bench_rate(epi_system *s, double t, const double *y, double *dy)
{
  int n = s->nq;
  for (int i = 0; i < n; i++) dy[i] = y[n + i];
  return s->force(s, t, y, dy + n);
}

#ifdef __cplusplus
}
#endif
#endif
