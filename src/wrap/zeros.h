/* zeros.h - where a function g of the state is zero inside a step */
#ifndef EPI_ZEROS_H
#define EPI_ZEROS_H
#include "core.h"

/* a step under scrutiny: of g, by whom, from where, and how long. y, the state at a place, rates at both ends, room */
typedef struct {
  double (*g)(const epi_flow *, double t, const double *y);
  epi_flow *f, *by;
  epi_state *s;
  epi_start start;
  double x0, h;                        /* x0: what comes before has been looked at */
  double *y, *there, *d0, *d1, *room;
  int smooth;                          /* its method has an interpolant */
  int known;                           /* the rates at both ends are */
  epi_tick clock;                      /* of `there` */
} epi_stretch;

/* points in order, with g there: a zero between two is a change of sign */
typedef struct { int n; double *x, *g; } epi_points;
enum { EPI_STRETCH_PARTS = 4, EPI_FEW_POINTS = 2*EPI_STRETCH_PARTS + 6 };
static inline void epi_add_point(epi_points *q, double x, double g)
{
  q->x[q->n] = x;
  q->g[q->n++] = g;
}
static inline double epi_sign(double g) { return g > 0 ? 1 : g < 0 ? -1 : 0; }

/* two places with g of different sign, and a zero between them */
typedef struct { double lo, hi, g0, g1; } epi_bracket;
/* how near two places may be that are told apart */
static inline double epi_finest_of(const epi_stretch *p) { return 4e-16*fabs(p->start.mark.t) + 1e-15*fabs(p->h); }

EPI_INSIDE int epi_gap_at(epi_stretch *, double x, double *g);          /* by the flow itself, whose state is `there` then */
EPI_INSIDE int epi_find_zero(epi_stretch *, epi_bracket, double *x);    /* the far side of it, and the flow `there` */
/* three points, the middle one the lowest, narrowed down. 1: the middle one is beyond zero; 0: no place is; -1: none was found while they
   were farther apart than `least`. exact: g of the flow itself, and not of what is known of the step; sign: g is positive at the three with
   it */
EPI_INSIDE int epi_narrow_dip(epi_stretch *, double *x, double *g, double sign, int exact, double least);
/* the places of a step between which a zero is a change of sign, into `all`, with room for EPI_FEW_POINTS; g0, g1: at its ends */
EPI_INSIDE epi_points epi_sample(epi_stretch *, double g0, double g1, epi_points all);
EPI_INSIDE int epi_changes(const epi_points *);                         /* of sign */
#endif
