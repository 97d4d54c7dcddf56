/* spline.h - a curve in space through points: a cubic spline by the length of its chords, open or closed */
#ifndef EPI_SPLINE_H
#define EPI_SPLINE_H
#include "body/rotation.h"

/* one block of memory, freed by free; NULL: out of memory, or words say what is wrong with the points */
typedef struct epi_spline epi_spline;
struct epi_spline {
  int n, closed;                       /* knots; of a closed one the last is the first again */
  double length, side[3];              /* of all chords; a direction that the curve never runs along */
  double *s, *x, *bend, room[];        /* where the knots are, and the second derivatives: three numbers each */
};
EPI_INSIDE epi_spline *epi_spline_make(const double *points, int n, int closed, char *words, size_t size);
EPI_INSIDE void epi_spline_at(const epi_spline *, double s, double c[4][3]);           /* and its first three derivatives */
EPI_INSIDE int epi_spline_foot(const epi_spline *, const double *x, double *s);        /* nearest to x; 1: beyond an end */
#endif
