/* turning.h - rotations in discrete Lagrangians: how the way x from q0 to q1 = retract(q0, x) changes with turns of its ends */
#ifndef EPI_TURNING_H
#define EPI_TURNING_H
#include "core.h"

/* R(u) is retract_rate: d u = R(u) eta where the end of u turns by eta in itself, so that d x = R(x) eta1 - R(-x) eta0. It has blocks, one
   for each body that turns: matrices are stored by rows of `wide` entries */
typedef struct {
  int n, wide;
  int *unit, *colour, *member;         /* of each velocity; member: velocity of a unit and colour, or -1 */
  double *v, *w, *A, *b, *more;        /* room; more: a matrix */
} epi_turning;

EPI_INSIDE epi_turning *epi_turning_make(epi_system *);                   /* NULL: out of memory */
EPI_INSIDE void epi_turning_free(epi_turning *);
EPI_INSIDE long epi_turning_size(const epi_turning *);                    /* numbers in a matrix */
EPI_INSIDE void epi_turning_matrix(epi_system *, const epi_turning *, double s, const double *u, double *R);   /* R(s u) */
EPI_INSIDE void epi_turning_transposed(const epi_turning *, const double *R, const double *x, double *out);    /* out = R^T x */
EPI_INSIDE int epi_turning_solve(const epi_turning *, const double *R, double *x);                             /* x = R^-T x; 0 */
/* the torque that keeps a body of this momentum from turning as it does: part of a velocity force, none of a Lagrangian */
EPI_INSIDE void epi_turning_gyro(epi_system *, const epi_turning *, const double *v, const double *momentum, double *R, double *out);
#endif
