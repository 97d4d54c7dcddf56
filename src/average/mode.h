/* mode.h - the fastest oscillation of a stiff system about a position, from its force alone */
#ifndef EPI_MODE_H
#define EPI_MODE_H
#include "core.h"

/* forces of position of the system that a flow moves, there; counted in that flow. work: five of them */
typedef struct { epi_flow *of; double t; const double *q; double *work; } epi_mode_question;

/* its rate in rad/time; 0: nothing pulls back. alone: 0 where another is so near that none stands out; not a number: the force failed */
EPI_INSIDE double epi_mode_fastest(const epi_mode_question *, int *alone);
/* the rate of the next one, seen in so many rounds of four forces */
EPI_INSIDE double epi_mode_next(const epi_mode_question *, double fastest, int rounds);
#endif
