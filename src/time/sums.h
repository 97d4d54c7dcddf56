/* sums.h - sums of polynomials over whole numbers of periods */
#ifndef EPI_SUMS_H
#define EPI_SUMS_H
#include "core.h"

enum { EPI_SUM_DEGREE = 10 };
/* of the Newton polynomials through m points (m <= 10), which were `place` periods from the start on, place[0] the newest: with x = periods
   from there over M, P_k(x) = (x - x_0) ... (x - x_{k-1}); S[k] is its sum over the first n periods divided by M, E[k] its value at x = 1;
   k = 0 ... m */
EPI_INSIDE void epi_newton_sums(int m, const double *place, double M, double n, double *S, double *E);
#endif
