/* flex.h - how the modes of bodies move the places where something acts */
#ifndef EPI_FLEX_H
#define EPI_FLEX_H
#include "parts.h"

enum { EPI_MOST_MODES = 128 };

/* one body of a pair: its modes at a place that stays, or at an angle about z that changes with the motion: of a ring by formula, of points
   by a periodic cubic spline through those of a circle */
typedef struct {
  int modes, runs, knots;      /* modes = 0: it has none, or they do not move this place */
  double *phi;                 /* of a place that stays: x, y, z of each mode, in the axes of the body */
  double *angle, *value, *bend;        /* of the spline: knots, ascending; r, t, z of each mode there, and their second derivatives */
  double most;                 /* what no shape exceeds along r, where it runs */
} epi_flex_end;

struct epi_flex { epi_flex_end end[2]; };

/* the modes at a place: how far each moves it along three axes, r, t, z of a ring or x, y, z; the sums with e and its rate; and how the
   sums of r and z change with the angle */
typedef struct {
  int modes;
  double phi[EPI_MOST_MODES][3], way[3], rate[3], slope[2], curve;
} epi_bent;

/* at the direction er about z (mode-shape.c); e, de may be NULL: zero */
EPI_INSIDE void epi_bent_at(const epi_flex_end *, const double er[2], const double *e, const double *de, epi_bent *);
/* of a body whose shapes are known: at a place that stays, at the angle on a circle of this radius and height. 0 on success */
EPI_INSIDE int epi_flex_stays(epi_world *, const epi_pair *, int body, const double at[3], epi_flex_end *);
EPI_INSIDE int epi_flex_runs(epi_world *, const epi_pair *, int body, double radius, double z, epi_flex_end *);
#endif
