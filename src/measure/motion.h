/* motion.h - how a constrained system moves on from a state */
#ifndef EPI_MOTION_H
#define EPI_MOTION_H
#include "core.h"

/* M v' = forces + G^T lambda, G v' + (G v + gt)' = 0: accelerations (nv) and multipliers (nc) of a state, from its forces alone; 0 on
   success. It takes memory: not for steps */
EPI_INSIDE int epi_constrained_motion(epi_system *, const epi_state *, double *a, double *lambda);
#endif
