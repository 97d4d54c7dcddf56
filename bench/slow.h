/* slow.h - steps of a system with four positions and two constraints as one writes them by hand; y = [ q | v ] is moved in place from t */
#ifndef EPI_BENCH_SLOW_H
#define EPI_BENCH_SLOW_H
#include "epicycle.h"

typedef int slow_loop(epi_system *, double *y, double t, double h, long steps);          /* 0 on success */
slow_loop slow_rattle, slow_herk3;
#endif
