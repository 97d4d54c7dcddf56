/* wall.h - a particle between a soft and a stiff wall: one run with its largest error of position at its own steps */
#ifndef EPI_BENCH_WALL_H
#define EPI_BENCH_WALL_H
#include "epicycle.h"

#define WALL_END 200.0

typedef struct { double setting, error, energy, seconds; long steps, calls; } wall_run;          /* error: infinite where the run failed */

/* what a step leaves; 0 on success */
int wall_look(const epi_case *, double t, const double *y, wall_run *);

/* BDF of order 2 at most, both tolerances the same; no name: not installed */
extern const char *const wall_cvode_name;
wall_run wall_cvode(double tol);
#endif
