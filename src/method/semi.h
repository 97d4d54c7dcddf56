/* semi.h - what the two files of the semi-explicit method share: its memory and its semi_work */
#ifndef EPI_SEMI_H
#define EPI_SEMI_H
#include "core.h"

enum { ALPHA, BETA, AHEAD, TOL, SIGMA, LONGEST, FIRST };
/* kept: whether there is a step before, its end and length; where steps are chosen, the next length, the one that A was asked for
   already, whether the last was refused; of Newton's matrix the worst rate of convergence seen, what rounding let see of it where that was
   all, its age, whether a new one is due. Then the recipe of the matrix: from the slope or by differences, for which step, at which time,
   phase and state. A restart makes the same matrix again by it */
enum { BEGUN, TIME, LENGTH, NEXT, PLANNED, CAREFUL, RATE, BOUND, AGE, DUE, HEAD };
enum { BY, STEP, AT, PHASE, RECIPE };
enum { NOTHING, SLOPE, DIFFERENCES };

/* after the recipe: v at the start and end of the step before, its A and B; A of the step to come */
typedef struct { double *recipe, *v0, *v1, *A, *B, *plan; } epi_semi_memory;
/* made: the recipe of the matrix N that is here, and how much of a rounding error of q it leaves in B */
typedef struct { double *A, *B, *C, *x, *r, *way, *y, *start, *end, *push, *made, *noise, *N, *room, *G, *W, *S; } epi_semi_work;

/* Newton's matrix (semi-matrix.c): the velocities that the second system moves, those of them that are in the matrix, and their pivots;
   or, of many, a band of half width `band` with the place of each; colours: velocities that are moved together for differences */
typedef struct {
  int m, wide, count, band, colours, entries, *touched, *which, *pivot, *place, *index, *colour;
  int tries;                           /* steps and refusals in which next to no way was made, and why the last one was refused */
  char said[160];
} epi_semi_matrix;
/* Newton's iteration did not get there: no code of a callback */
enum { EPI_SEMI_SLOWLY = 1 << 20 };
EPI_INSIDE int epi_semi_matrix_make(epi_flow *);                             /* into own; 0 on success, else refused */
EPI_INSIDE long epi_semi_matrix_room(const epi_flow *);
EPI_INSIDE int epi_semi_matrix_at(epi_flow *, const epi_semi_work *, const double *recipe);      /* the matrix of a recipe, factored */
/* x = B + N^-1 (x - B) where it has rows */
EPI_INSIDE void epi_semi_matrix_solve(epi_flow *, const epi_semi_work *, const double *B, double *x);

/* M^-1 of all forces of the second system */
EPI_INSIDE void epi_semi_check(epi_flow *);                           /* refuses two systems that do not go together */
EPI_INSIDE int epi_semi_stiff(epi_flow *, double t, double theta, const double *y, double *a);
/* the state moved by the accelerations C: half the push, the way, the other half; multipliers hold q and then v. way: by what q was
   turned, or NULL */
EPI_INSIDE int epi_semi_carry(epi_flow *, epi_state *, const epi_semi_work *, double h, epi_tick end, double *way);
/* B of the step, from the A in the semi_work */
EPI_INSIDE int epi_semi_solve(epi_flow *, const epi_state *, const epi_semi_work *, const epi_semi_memory *, double h, epi_tick end);
#endif
