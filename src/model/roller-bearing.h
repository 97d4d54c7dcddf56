/* roller-bearing.h - a double-row spherical roller bearing: its parameters, the figures they come to, where it starts and what is seen of
 * it */
#ifndef EPI_ROLLER_BEARING_H
#define EPI_ROLLER_BEARING_H
#include "bearing-seen.h"

enum {
  Z, D, LENGTH, CARRIES, ALPHA, PROFILE, SPHERE, GROOVE, GR, BORE, OUTSIDE, WIDTH, DENSITY,
  SPEED, RADIAL, AXIAL, RAMP, PRELOAD, G,
  CHI, MU, VS, SLICES,
  POCKET_PLACE, POCKET, POCKET_END, POCKET_K, POCKET_CHI, POCKET_MU, POCKET_VS,
  LAND, LAND_CLEARANCE, LAND_Z, LAND_K, LAND_CHI, LAND_MU, LAND_VS,
  CAGE_MASS, CAGE_IX, CAGE_IZ, OUTER_MASS, OUTER_IX, OUTER_IZ, INNER_MASS, INNER_IX, INNER_IZ,
  CAGE_SPEED, CAGE_LAG, OFFSET, FB, TAU, THREADS, ROLLER
};
enum { ROLLERS = ROLLING };                    /* the first roller of the first row */
enum { UN, UA, TH };                           /* of a roller, from its place: along the contact line, along its axis, tilt */

typedef struct {
  epi_bearing_seen seen;                       /* contacts: all outer, all inner; from pocket three of each roller; from land */
  double p[ROLLER + 1];                        /* the parameters; what was left at zero has its value from the dimensions */
  int rollers;
  double m, It, Ia;                            /* of a roller; Ia about its axis */
  double al, Rm, Rso, Rci, zci, K, rho;        /* radius of the roller where the pocket touches it */
  double speed, orbit, spin;                   /* rolling by the textbook: of the ring, of the cage, of a roller about its axis */
  double own[2];                               /* of the contacts: profile and length */
  double ring[3], *at;                         /* the start: place of the inner ring, and three numbers for each roller */
} epi_roller_bearing;

/* the frame of a roller's place: out along the contact line, along the orbit, along its axis; sigma: which row */
typedef struct { double n[3], t[3], a[3], sigma; } epi_roller_frame;
EPI_INSIDE epi_roller_frame epi_roller_frame_of(const epi_roller_bearing *, int roller, double turned);
EPI_INSIDE void epi_roller_pose(const epi_roller_bearing *, const epi_roller_frame *, const double *x, epi_pose *);
EPI_INSIDE epi_contact epi_roller_race(const epi_roller_bearing *, int roller, int race);
/* into ring and at: 0 on success, -1: there is none, -2: out of memory */
EPI_INSIDE int epi_roller_rest(epi_roller_bearing *, const double load[3]);
EPI_INSIDE extern const epi_observable epi_roller_observables[];
#endif
