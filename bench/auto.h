/* auto.h - the batch callback of the benchmark of solutions to a tolerance */
#ifndef EPI_BENCH_AUTO_H
#define EPI_BENCH_AUTO_H
#include "epicycle.h"
#include <math.h>

enum { AUTO_LANES = 64 };
typedef struct { int known; double theta[AUTO_LANES], drive[AUTO_LANES + 4]; } auto_forcing;
/* parameters of the model first: l, g, vmax, w; the forcing of the last phases of each count */
typedef struct { double p[8]; auto_forcing kept[AUTO_LANES + 1]; } auto_data;
int auto_forces(epi_system *, int lanes, const double *t, const double *theta, const double *q, double *f);
#endif
