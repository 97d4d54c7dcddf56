/* jacobian.h - the derivative of a rate in the coordinates of y, sparse, by what forces return beside themselves: for cvode and arkode */
#ifndef EPI_JACOBIAN_H
#define EPI_JACOBIAN_H
#include "core.h"

/* coordinates in units that move together, such as the seven of a body and its six velocities; units that feel each other have a block of
   velocities by velocities */
typedef struct {
  int N, units, links, stiff;           /* links: 0 where they are left out */
  int *of_v;                           /* of each velocity: its unit */
  int *q, *q_of, *v, *v_of;            /* positions of all units one after the other, and where those of a unit begin; velocities */
  int *near, *near_of;                 /* units that a unit feels, ascending, itself among them; near has the place of a block too */
  int *place;                          /* of each near one: where its block begins in K and C */
  int *in_unit;                        /* of each velocity: which of its unit it is */
  int *column, *row;                   /* compressed columns */
  long numbers;                        /* in K and C */
  int most_q, most_v;
  double *K, *C, *T, *W, *R;           /* d force/d position, d force/d velocity; d q'/d v of each unit, its inverse; d q'/d q */
  double *rows, *room;                 /* of the slope of the second system; of the size of y, six times */
  epi_link *link;
} epi_sparse_jacobian;

/* of both systems of a flow, or of the one; stiff: of q' and the second system alone. NULL: refused */
EPI_INSIDE epi_sparse_jacobian *epi_jacobian_make(epi_flow *, int stiff);
EPI_INSIDE void epi_jacobian_drop(epi_sparse_jacobian *);
/* its values in compressed columns, times sign */
EPI_INSIDE int epi_jacobian_fill(epi_flow *, epi_sparse_jacobian *, double t, const double *y, double sign, double *values);
#endif
