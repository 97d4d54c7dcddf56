/* breaks.h - does a force change smoothly with slow time? Where an amplitude or a pace has a kink one turn is unlike all others, and a step
 * of many turns goes over it without a sign */
#ifndef EPI_BREAKS_H
#define EPI_BREAKS_H
#include "core.h"

/* turns from t to t + h, with a state and a phase that are held; each: what a turn moves the coordinates by, unit: what these
   are measured in, rtol: of their sizes; still: how often nothing has changed with time so far; work, size: four states and one */
typedef struct { double t, h, theta, turn, rtol; const double *y, *each, *unit; double *still, *work, *size; } epi_time_span;
/* what one of them may be off by when it is taken to be like the others, and all of them when their sum is; 0 for a smooth system, and
   where nobody can be asked; NaN: there are too few of them to tell */
EPI_INSIDE double epi_time_break(epi_flow *, const epi_time_span *);
#endif
