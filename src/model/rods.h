/* rods.h - rods in a row from the origin, in the plane: q = x1 y1 x2 y2 ... are their ends, l their lengths, g_i = |r_i - r_(i-1)|^2 -
 * l_i^2 */
#ifndef EPI_RODS_H
#define EPI_RODS_H
#include "model.h"

/* how g changes when q moves by dq, without cancellation */
EPI_INSIDE void epi_rods_bend(int n, const double *v, double *out);                   /* how fast G v changes where v stays */
EPI_INSIDE void epi_rods_change(int n, const double *q, const double *dq, double *dg);
EPI_INSIDE double epi_rods_off(int n, const double *l, const double *q);                 /* the largest |g_i| */
EPI_INSIDE double epi_rods_leaving(int n, const double *q, const double *v);             /* the largest |(G v)_i| */

/* two rods, Cartesian: the system but for its forces, and the start; m, l and q are two masses, two lengths, two angles from upright */
/* the system's data; p: the parameters of the case */
typedef struct { const double *p, *l; double mass[4]; } epi_two_rods;
EPI_INSIDE int epi_two_rods_make(epi_case *, const double *m, const double *l, const double *q);
EPI_INSIDE void epi_two_rods_show(const epi_case *, const epi_state *, double base, epi_scene *);   /* on a pivot at the height base */
/* observables: the angle of each rod from upright, the largest |g_i| and |(G v)_i| */
EPI_INSIDE double epi_two_rods_q1(const epi_case *, const epi_state *);
EPI_INSIDE double epi_two_rods_q2(const epi_case *, const epi_state *);
EPI_INSIDE double epi_two_rods_off(const epi_case *, const epi_state *);
EPI_INSIDE double epi_two_rods_leaving(const epi_case *, const epi_state *);
#endif
