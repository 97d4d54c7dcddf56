/* lift.h - the oscillating state that belongs to a slow one, at a phase, of a system that is not told of it */
#ifndef EPI_LIFT_H
#define EPI_LIFT_H
#include "window.h"

/* a phase that turns at a known rate: there is a lift */
EPI_INSIDE int epi_lift_known(const epi_system *);
EPI_INSIDE epi_lift *epi_lift_make(const epi_flow *micro);           /* NULL: out of memory */
EPI_INSIDE void epi_lift_free(epi_lift *);
/* position and velocity at this phase whose means are q and v; on the constraints as they are there */
EPI_INSIDE int epi_lift_state(epi_flow *average, double t, double theta, const double *q, const double *v, double *y);
#endif
