/* check.h - a driver's time is believed only when its answer is */
#ifndef EPI_BENCH_CHECK_H
#define EPI_BENCH_CHECK_H
#include "bench.h"

typedef struct bench_answer {
  double order;                /* measured; 0 for a driver that chooses its own steps */
  double error;                /* against the reference, at the finer step */
  double apart;                /* from the hand-written loop, at the same step */
  double calls;                /* force evaluations per step */
  int good;
} bench_answer;

bench_answer bench_check(const bench_problem *, const bench_driver *, const bench_driver *raw);

/* largest difference of a component, relative to the largest component */
double bench_apart(int n, const double *a, const double *b);
#endif
