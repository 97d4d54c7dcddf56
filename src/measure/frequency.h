/* frequency.h - how fast a system oscillates, for at most so many evaluations */
#ifndef EPI_FREQUENCY_H
#define EPI_FREQUENCY_H
#include "core.h"
EPI_INSIDE double epi_frequency_within(epi_flow *, const epi_state *, double *decay, long evaluations);
#endif
