/* revolve.h - a run of revolve after another */
#ifndef EPI_REVOLVE_H
#define EPI_REVOLVE_H
#include "core.h"

/* a new run with another rtol: as if it had just been made, but what its micro flow has worked out for itself is not worked out again */
EPI_INSIDE void epi_revolve_again(epi_flow *, double rtol);
#endif
