/* crossing.h - one fast period by Picard sweeps: the forces at its points, its path, what it moves the state by. picard finds how many of
 * each are needed */
#ifndef EPI_CROSSING_H
#define EPI_CROSSING_H
#include "period.h"

enum { EPI_CROSSING_LANES = EPI_PERIOD_NODES };

/* times and phases of the lanes; the phases belong to these points, or to so many that are equally far apart, from there on and over T */
typedef struct { double *t, *theta; const void *points; int phases; double from, T, rate; } epi_crossing_clocks;

/* lanes of answers, of the path and of its predictor; one state and its answer; states and what moved them; clocks at the phases of frozen
   forces, and at the points */
typedef struct {
  double *frozen, *wave, *more, *asked, *base, *path, *y, *r, *one, *two, *allowed, *state, *moved, *sum, *last;
  epi_crossing_clocks at_phases, at_points;
} epi_crossing_room;

/* weights that take values from the points of one rule to those of another */
enum { EPI_CARRIES = 3 };
typedef struct { const epi_period_rule *from, *to; double *weights; } epi_carry;

/* periods that a check on the way has found to be crossed with too little: what they are off by, in units of what is allowed, added up;
   the largest, and where that was; the time that was crossed, and until when it was checked; a period */
typedef struct { double sum, most, at, from, to, checked, turn; } epi_crossing_doubt;
#define EPI_CROSSING_WORTH 1.5          /* in the mean of all periods: worth a warning */

typedef struct {
  epi_period_rule *rules;              /* those used so far, in this memory */
  const epi_period_rule *last;         /* that was asked for */
  char *memory;
  size_t used;
  int second, first;                   /* coordinates that have a force, and that have a rate */
  int all;                             /* forces need the velocities along the way */
  int alone;                           /* the last period was unlike the others */
  epi_crossing_doubt doubt;
  double tail;                         /* of the last one, as in epi_crossing_signs */
  epi_carry carries[EPI_CARRIES];
  int oldest;                          /* of these */
  epi_period_sums *seen;               /* of each answer, by the last sweep ... */
  double ratio;                        /* ... and how much forces change along the way, or less than 0: nobody has asked yet */
  epi_crossing_room room;
} epi_crossing;                        /* f->own */

/* of a flow that is picard: that sum */
static inline double epi_crossing_doubts(const epi_flow *f) { return ((const epi_crossing *)f->own)->doubt.sum; }

/* in build, after f->own: the memory of its rules; the numbers of work it needs; its room in them. 0 on success */
EPI_INSIDE int epi_crossing_open(epi_flow *f, epi_crossing *);
EPI_INSIDE long epi_crossing_room_size(const epi_flow *f);
EPI_INSIDE void epi_crossing_make_room(epi_flow *f);
static inline const epi_crossing_room *epi_crossing_room_of(const epi_flow *f) { return &((const epi_crossing *)f->own)->room; }
/* what forces are asked for are accelerations */
static inline int epi_has_unit_mass(const epi_flow *f) { return f->space->mass == UNIT || f->sys->inertia.accel; }
/* made when first asked for; phases 0: any that there is with so many points */
EPI_INSIDE const epi_period_rule *epi_crossing_rule_of(epi_flow *f, int n, int phases);
static inline const epi_period_rule *epi_crossing_rule(epi_flow *f, int n, int phases)
{
  const epi_period_rule *last = ((const epi_crossing *)f->own)->last;
  return last && last->n == n && (last->phases == phases || !phases) ? last : epi_crossing_rule_of(f, n, phases);
}

/* forces along the path, a state after the other; what a mass makes of those of the batch callback */
EPI_INSIDE int epi_crossing_ask(epi_flow *, int lanes, const epi_crossing_clocks *, double *out);
EPI_INSIDE int epi_crossing_weigh_down(epi_flow *, int lanes, double *out);
/* times and phases of frozen forces; phases at the points */
EPI_INSIDE void epi_phases_set(epi_flow *, const epi_state *, double T, int phases, double shift);
EPI_INSIDE void epi_points_turn(epi_flow *, const epi_state *, double T, const epi_period_rule *);
/* the path of what has a rate, and of velocities that forces need */
EPI_INSIDE void epi_predict_rates(epi_flow *, const epi_state *, double T, const epi_period_rule *, int from_zero);

/* the forces of the state held where it is, at `phases` phases of the step, moved by so much of their distance */
EPI_INSIDE int epi_freeze(epi_flow *, const epi_state *, double T, int phases, double shift);
/* the path of the frozen forces and of what is more than these, and those forces along it; from_zero: nothing is more yet */
EPI_INSIDE void epi_predict_path(epi_flow *, const epi_state *, double T, const epi_period_rule *, int from_zero);
/* what is more than the frozen forces, along the path from this state; then the path by that */
EPI_INSIDE int epi_sweep(epi_flow *, const epi_state *, const epi_period_rule *);
EPI_INSIDE void epi_correct_path(const epi_flow *, double T, const epi_period_rule *);
/* what is more, from the points of one rule to those of another, by the polynomial through it */
EPI_INSIDE void epi_carry_over(const epi_flow *, const epi_period_rule *from, const epi_period_rule *to);
/* what the step moves the state by, and after it what rounding may have done to that */
EPI_INSIDE void epi_move_by(const epi_flow *, const epi_state *, double T, const epi_period_rule *, double *moved);
/* what it moves the state by in this part of the step, from its beginning */
EPI_INSIDE void epi_move_within(const epi_flow *, const epi_state *, double T, const epi_period_rule *, double part, double *moved);
/* all of it with so many sweeps; with the frozen forces as they are */
EPI_INSIDE int epi_cross(epi_flow *, const epi_state *, double T, const epi_period_rule *, int sweeps, double *moved);
EPI_INSIDE int epi_cross_frozen(epi_flow *, const epi_state *, double T, const epi_period_rule *, int sweeps, double *moved);

/* what the last period shows of its own error, in units of what is allowed: its last coefficients, the change by the last sweep */
typedef struct { double tail, change; } epi_crossing_signs;
EPI_INSIDE epi_crossing_signs epi_crossing_signs_of(const epi_flow *, double T, const double *allowed, const double *moved);
/* what may hide between its ends and the points next to them, and between points where a coordinate turns back: by how much forces there
   miss what these say, where that is more than ten times their last coefficients */
EPI_INSIDE int epi_crossing_missed(epi_flow *, const epi_state *, double T, const epi_period_rule *, const double *allowed, double *off);
/* part of what the last sweep changed that the next one would change, by how the forces change along the path: a force that changes by L
   along a unit of way gives back L T^2 times what two integrals over a period leave, about a seventh; a rate L T times what one leaves.
   Rates beside forces only add up what these do */
EPI_INSIDE double epi_crossing_echo(const epi_flow *, double T);
/* the second alone, without what rounding leaves of it */
EPI_INSIDE double epi_crossing_change(const epi_flow *, double T, const double *allowed);
#endif
