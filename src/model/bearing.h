/* bearing.h - a deep-groove ball bearing: its parameters, the figures they come to, where it starts and what is seen of it */
#ifndef EPI_BEARING_H
#define EPI_BEARING_H
#include "bearing-seen.h"

enum {
  Z, D, DM, FI, FO, PD, BORE, OUTSIDE, WIDTH, E, NU, DENSITY, HERTZ,
  SPEED, FROM, SPINUP, AXIAL, RADIAL, RAMP, PRELOAD, G,
  CHI, MU, VS, SLICES, WAVINESS,
  POCKET, POCKET_CHI, POCKET_MU, POCKET_VS, LAND, LAND_CLEARANCE, LAND_Z, LAND_K, LAND_CHI, LAND_MU, LAND_VS,
  CAGE_E, CAGE_NU, CAGE_MASS, CAGE_IX, CAGE_IZ, OUTER_MASS, OUTER_IX, OUTER_IZ, INNER_MASS, INNER_IX, INNER_IZ,
  CAGE_SPEED, CAGE_LAG, OFFSET, FB, TAU, BALL,
  OUTER_MODES, INNER_MODES, CAGE_MODES, OUTER_THICKNESS, INNER_THICKNESS, CAGE_THICKNESS, OUTER_RADIUS, INNER_RADIUS, ZETA, OVAL,
  OUTER_FILE, INNER_FILE, CAGE_FILE, CASE, SHOWN, PARAMETERS
};
enum { BALLS = ROLLING };                      /* the first ball */
enum { WAVES = 6 };

/* where all balls are alike: on one circle, under an axial load. Of pairs the first is the outer race, the second the inner */
typedef struct { double zi, rho, z, orbit, spin[2], angle[2], load[2], depth[2]; } epi_bearing_rest;

typedef struct {
  epi_bearing_seen seen;                       /* contacts are numbered: Z outer, Z inner, then from pocket, from land */
  double p[PARAMETERS];                         /* the parameters; what was left at zero has its value from the dimensions */
  int balls;
  double preload, m, I;                        /* of a ball */
  double groove[2], circle[2], curvature[2], wave[3*WAVES + 3];
  epi_hertz race[2], wall;
  int modes[3];                                /* of outer ring, inner ring, cage: pairs of them, 2, 3, ... waves round */
  double *modal;                               /* of these in turn: masses, stiffnesses, dampings */
  epi_modes *own[3];                           /* those of the user, while it is built */
  epi_bearing_rest rest;
} epi_bearing;

/* the drive: how far it has turned, how fast it turns, and how fast that grows; in radians */
typedef struct { double angle, speed, gain; } epi_bearing_drive;
EPI_INSIDE epi_bearing_drive epi_bearing_rise(double x);        /* from 0 to 1 in a unit of time: its integral, itself, its slope */
EPI_INSIDE epi_bearing_drive epi_bearing_drive_at(const epi_bearing *, double t);
/* 0 on success, -1: there is none */
EPI_INSIDE int epi_bearing_rest_of(const epi_bearing *, double load, double speed, epi_bearing_rest *);
/* parameters of a case that has a name, where they are not given */
EPI_INSIDE void epi_bearing_case(epi_case *);
EPI_INSIDE extern const char *const epi_bearing_cases[];
/* the sections that bend, where they were left at zero; their modes, 0 on success, else the sentence is in the case */
EPI_INSIDE void epi_bearing_sections(epi_bearing *, const epi_param *);
EPI_INSIDE int epi_bearing_modes(epi_case *, epi_bearing *);
EPI_INSIDE void epi_bearing_modes_free(epi_bearing *);
EPI_INSIDE const double *epi_bearing_modal(const epi_bearing *, int body);      /* masses, then stiffnesses, then dampings */
EPI_INSIDE extern const epi_observable epi_bearing_observables[];
EPI_INSIDE int epi_bearing_show_all(epi_case *);                /* and those of every ball; 0 on success */
#endif
