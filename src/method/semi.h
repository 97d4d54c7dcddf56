/* semi.h - what the two files of the semi-explicit method share: its memory and its semi_work */
#ifndef EPI_SEMI_H
#define EPI_SEMI_H
#include "core.h"

enum { ALPHA, BETA, AHEAD, TOL, SIGMA, LONGEST, FIRST };
/* kept: whether there is a step before, its end and length; where steps are chosen, the next length, the one that A was asked for already, whether
   the last was refused; of Newton's matrix the worst rate of convergence seen, what rounding let see of it where that was all, its age, whether a new
   one is due. Then the recipe of the matrix: from the slope or by differences, for which step, at which time, phase and state. A restart makes the
   same matrix again by it */
enum { BEGUN, TIME, LENGTH, NEXT, PLANNED, CAREFUL, RATE, BOUND, AGE, DUE, HEAD };
enum { BY, STEP, AT, PHASE, RECIPE };
enum { NOTHING, SLOPE, DIFFERENCES };

/* after the recipe: v at the start and end of the step before, its A and B; A of the step to come */
typedef struct { double *recipe, *v0, *v1, *A, *B, *plan; } epi_semi_memory;
/* made: the recipe of the matrix N that is here, and how much of a rounding error of q it leaves in B */
typedef struct { double *A, *B, *C, *x, *r, *way, *y, *start, *end, *push, *made, *noise, *N, *room, *G, *W, *S; } epi_semi_work;

/* M^-1 of all forces of the second system */
EPI_INSIDE int epi_semi_stiff(epi_flow *, double t, double theta, const double *y, double *a);
/* the state moved by the accelerations C: half the push, the way, the other half; multipliers hold q and then v. way: by what q was turned, or NULL */
EPI_INSIDE int epi_semi_carry(epi_flow *, epi_state *, const epi_semi_work *, double h, epi_tick end, double *way);
/* B of the step, from the A in the semi_work; own holds 1 + 2 nv whole numbers for it */
EPI_INSIDE int epi_semi_solve(epi_flow *, const epi_state *, const epi_semi_work *, const epi_semi_memory *, double h, epi_tick end);
#endif
