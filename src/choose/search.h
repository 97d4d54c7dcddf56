/* search.h - between the files of this room: what a search for a flow knows */
#ifndef EPICYCLE_CHOOSE_SEARCH_H
#define EPICYCLE_CHOOSE_SEARCH_H
#include "core/core.h"
#include "epicycle/choose.h"
#include <stdio.h>

enum { CHECKS = 16 };   /* times at which two solutions are compared */
#define FINEST 2e-15     /* tolerance of steps: rounding is near */

/* two solutions at these times, the size of every coordinate */
typedef struct epi_search { epi_case *c; epi_chosen *to; double *y[2], *size; int n; } epi_search;

/* ways.c: those there are, tried on a part of the run, the cheapest first */
int epi_try_ways(epi_search *);
double epi_first_tolerance(const epi_search *, int way);  /* of its steps */
double epi_turns(const epi_case *, double span);  /* of a fast phase, 0 where there is none */
double epi_rounded(double x);  /* to one digit, no larger */
void epi_write_way(const epi_search *, int way, double r, char *out, size_t size);

/* solve.c: a run, and its evaluations, or NaN with why not; y, if any, at n times */
double epi_try_run(epi_search *, const char *flow, double part, int n, double *y, char *why, size_t size);
void epi_try_failed(epi_chosen *, const epi_flow *, int bad, char *why, size_t size);
int epi_try_ended(const epi_chosen *);  /* the code with which it ended */

/* agree.c: finer and finer, until two solutions agree */
int epi_refine(epi_search *, int way, double r);
double epi_apart(epi_search *);  /* how far they are apart, at the worst of these times */

/* forced.c: a fast phase, many turns at a time; 1: other ways must be tried */
int epi_choose_forced(epi_search *);
#endif
