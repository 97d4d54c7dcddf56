/* bearing-seen.h - what is seen of any bearing with rings and a cage. All that acts is asked once for a state, whatever number of
 * observables want it */
#ifndef EPI_BEARING_SEEN_H
#define EPI_BEARING_SEEN_H
#include "model.h"

enum { OUTER, INNER, CAGE, ROLLING };          /* bodies: ROLLING is the first ball or roller */

/* stands first in the data of the model; loads are numbered after all contacts, two of them */
typedef struct {
  int pocket, land, loads, joint[4];
  int known, busy;
  double t, *y;                                /* the last state that was looked at, and all that acts in it */
  epi_action *act, held[4];
} epi_bearing_seen;

typedef struct { epi_bearing_seen *b; } epi_bearing_view;
EPI_INSIDE void *epi_bearing_data(const epi_case *);                             /* of the model */
EPI_INSIDE int epi_bearing_room(epi_case *, epi_bearing_seen *, int contacts);   /* 0 on success */
/* the actions of a state; they are one thread's until it is done with them */
EPI_INSIDE epi_bearing_view epi_bearing_observe(const epi_case *, const epi_state *);
EPI_INSIDE double epi_bearing_done(epi_bearing_view, double x);                  /* x */
/* loads of contacts one after the other: their sum, or with a sign the largest or least */
EPI_INSIDE double epi_bearing_total(const epi_case *, const epi_state *, int first, int n, int sign);

/* observables of all bearings */
EPI_INSIDE double epi_bearing_land(const epi_case *, const epi_state *);
EPI_INSIDE double epi_bearing_cage_speed(const epi_case *, const epi_state *);
EPI_INSIDE double epi_bearing_drive_torque(const epi_case *, const epi_state *); /* of the springs that turn the inner ring */
EPI_INSIDE double epi_bearing_depth(const epi_case *, const epi_state *);
EPI_INSIDE double epi_bearing_ring(const epi_case *, const epi_state *, int k);  /* place of the inner ring in the outer one */
/* how far the cage is out of the middle of a ring, and to which side, in degrees */
EPI_INSIDE double epi_bearing_whirl(const epi_case *, const epi_state *, int ring, double *side);

/* parts of the energy balance, of a view, added to W: stored in contacts and joints; what the loads put in; what becomes heat there */
EPI_INSIDE double epi_bearing_stored(epi_bearing_view, double W);
EPI_INSIDE double epi_bearing_pushed(epi_bearing_view, const epi_case *, const epi_state *, double W);
EPI_INSIDE double epi_bearing_lost(epi_bearing_view, double W);
#endif
