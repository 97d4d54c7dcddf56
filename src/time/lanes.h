/* lanes.h - what a step of adams does to every component of a motion, two of them at a time */
#ifndef EPI_LANES_H
#define EPI_LANES_H
#include "points.h"

enum { EPI_LANES = 2 };                /* one epi_two */
/* pairs: positions that have a velocity of their own, and are integrated twice; D: all that are integrated once, behind them; P: as many
   with those that fill the last lanes. Rates at the predictor and what the points say of them, their integral and that of this; one over
   what the integrals may be off by, and the integrals of these, 0 where there is none; the predictor */
typedef struct {
  int pairs, D, P;
  double *rate, *head, *once, *twice, *per_once, *per_twice, *predicted;
} epi_lanes;
/* what is known of a motion: where its last points are; divided differences there, of EPI_LANES components for one point after the other;
   what the corrector has more; rates at the state; the largest state so far */
typedef struct { double *place, *dd, *lead, *rate, *most; } epi_known;

/* what m points say, and no predictor yet */
EPI_INSIDE void epi_lanes_say(const epi_lanes *, int m, const epi_weight *, const double *dd);
/* the predictor from y, after that */
EPI_INSIDE void epi_lanes_predict(const epi_lanes *, const double *y, double h);
/* both at once, where the rate at the state becomes the newest of the points, and the others are seen from there */
EPI_INSIDE void epi_lanes_renew(const epi_lanes *, int m, const epi_weight *, const epi_known *was, double *dd, const double *y, double h);
/* from what the rate is at the predictor beside what m points say: by how much the correctors with m and with one less are apart, in units
   of the tolerance; lower: for m - 1 and m - 2 */
EPI_INSIDE double epi_lanes_differ(const epi_lanes *, int m, epi_stride *, const double *dd, double *lower);
/* what the points say without the one behind the first m; by how much the correctors with m - 1 and m - 2 are apart then */
EPI_INSIDE double epi_lanes_drop(const epi_lanes *, int m, epi_stride *, const double *dd);
/* out: y moved by the corrector, from what it has `by` times more of the rate, and the largest states; how far that is from the
   predictor, in units of the tolerance */
EPI_INSIDE double epi_lanes_correct(const epi_lanes *, const epi_weight *, double by, const double *y, double h, const epi_known *was,
                                    const epi_known *now, double *out);
/* the largest of a state and of what was so far */
EPI_INSIDE void epi_lanes_most(const epi_lanes *, const double *y, const double *was, double *most);

/* the larger of both lanes */
static inline double epi_lane(epi_two x) { return epi_two_larger(x, (epi_two){x[1], x[1]})[0]; }
#endif
