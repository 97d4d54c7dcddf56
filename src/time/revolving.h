/* revolving.h - what the files of revolve share: its memory */
#ifndef EPI_REVOLVING_H
#define EPI_REVOLVING_H
#include "own.h"
#include "revolve.h"
#include "secants.h"
#include "wrap/course.h"

/* extras: periods of the last step and of the next, how many points the table has, the phase and the place (in periods) of the state after;
   whether g is known there; single periods still to be taken, how many the next time, if some were before; steps taken; how much g changes
   with the state, summed; whether rounding was felt; whether the table has been full; how often nothing changed with time, and whether
   single periods are taken because something breaks there; where the last of them ended, and periods taken for steps since then; what the
   errors of all steps add up to as a rule, in units of the tolerance; number of averaged forces, and the
   impulse in tolerances that they have shown wrongly */
enum { TURNS, NEXT, POINTS, THETA0, PLACE, KNOWN, SINGLES, BEFORE, TAKEN, SLOPES, ROUNDED, GROWN, STILL, BROKEN, LEFT, TRIED,
       OFF, FORETOLD, AVERAGES, REFUTED, HEADS };
enum { MOST_ORDER = 10 };

/* then: places of the points, divided differences there, the newest first; the share of the corrector; g after the step; the largest state
   so far; error of the micro-steps of the first period; places of the averaged forces, and these, the newest first; how g changes with the
   state. A varying pace makes time a coordinate */
typedef struct { double *place, *dd, *share, *g, *most, *micro, *average_place, *average, *secants; int D; } memory;

/* work: a moving state, what a period moved and its rounding, what it may be off by, predictor, g there, corrector; sums of what the points
   say, the first 0, 1, ... of them, of the state and of g; what correctors with three counts of them add; for a rough course; rates at
   some places of a step, their waves, and the rates at the start of a turn; averaged forces of the step; a change of g, of the state, what
   these are measured in, and one over that; the memory of the micro flow; for rotations and constraints */
typedef struct {
  double *y, *moved, *allowed, *Y, *predicted, *g, *corrected, *moves, *heads, *tries, *turning, *rates, *swing, *start, *averages, *change,
    *unit, *per_unit, *kept, *still, *settle;
} room;
/* least_size: where a coordinate is as small as that, atol counts as much as rtol. pairs: positions with a velocity each; unmeasured:
   nobody knows yet how large these are. given: periods of a step beside the run, or 0; rough: with fewer nodes; where the run then stands,
   and its g there, or NULL */
typedef struct {
  epi_own own;
  int order, timed, rough, pairs, unmeasured;
  double rtol, atol, least_size, span, safe, period, share, given;
  double micro;                        /* what a period of this step may be off by, in units of the tolerance */
  double kept[MOST_ORDER + 1][2], longest[MOST_ORDER + 1];     /* allowed errors over what it was, by the number of points: of a step
                                                                  that is kept, from and to; of the longest */
  const double *run, *run_g;
  room room;
} revolve;
enum { SUMS = MOST_ORDER + 1, EPI_OVER_PLACES = 9, EPI_AVERAGES = 7 };
#define EPI_GONE_OVER 3.               /* tolerances: what a step went over must be worth so much ... */
#define EPI_TOUCHED 0.3                /* ... and what it touched */

static inline int extent(const epi_flow *f) { return epi_dim(f->sys) + ((const revolve *)f->own)->timed; }
static inline long extras(int D) { return HEADS + 2*MOST_ORDER + (2*MOST_ORDER + 4L)*D + epi_secants_size(D); }
static inline memory memory_at(double *x, int D)
{
  memory k = {.place = x + HEADS, .D = D};
  k.dd = k.place + MOST_ORDER;
  k.share = k.dd + MOST_ORDER*D;
  k.g = k.share + D;
  k.most = k.g + D;
  k.micro = k.most + D;
  k.average_place = k.micro + D;
  k.average = k.average_place + MOST_ORDER;
  k.secants = k.average + MOST_ORDER*D;
  return k;
}

static inline memory memory_of(const epi_flow *f, double *x) { return memory_at(x, extent(f)); }
/* a state of one coordinate and its velocity */
static inline int is_pair(const epi_flow *f) { return epi_dim(f->sys) == 2 && !((const revolve *)f->own)->timed; }
static inline const room *room_of(const epi_flow *f) { return &((const revolve *)f->own)->room; }

/* what a coordinate may be off by; time, where it is one, by so much of a turn. What a position may be off by where it is small, a slow
   velocity may not: no more than five times what the pace of the motion makes of it. At rest that is nothing: a tenth of what moves the
   position by its own until the end of the run */
static inline double weight(const revolve *p, const memory *k, int i)
{
  double most = k->most[i];
  if (i >= p->pairs && i < 2*p->pairs && p->span > 0 && !p->unmeasured) {
    double size = k->most[i - p->pairs] + p->least_size;
    if (5*most < size) return fmax(0.1*p->rtol*size/p->span, 5*most*(p->rtol + p->atol/size));
  }
  return p->timed && i == k->D - 1 ? p->rtol*most/(2*EPI_PI) : p->atol + p->rtol*most;
}

/* revolve-period.c. Errors grow with the slow motion: by what they would be multiplied until the end of the run, all is done the more
   carefully; what a period may be off by, in units of the tolerance */
EPI_INSIDE double epi_revolve_care(const revolve *, const double *x, double T);
EPI_INSIDE double epi_revolve_micro_limit(const revolve *, const double *x, double T);
/* before any period of a step: what each coordinate may be off by in it, and what a period may */
EPI_INSIDE void epi_revolve_measure(epi_flow *, double *x, double T);
/* g, what one period moves the state by, at Y, whose time is t where the pace is constant; a whole step with the memory x */
EPI_INSIDE int epi_revolve_period(epi_flow *, const double *x, double t, const double *Y, double T, double *g);
EPI_INSIDE int epi_revolve_whole(epi_flow *, epi_state *, double *x, double e);
/* revolve-between.c: a state put on its rotations and constraints; what the micro flow may be off by from here on, in units of the
   tolerance */
EPI_INSIDE int epi_revolve_settle(epi_flow *, double t, double *y, const room *);
EPI_INSIDE void epi_revolve_allow(epi_flow *, const double *x, double share, const room *);
/* the state j periods after the start of the last step, where it was `from`; where so many turns from t on end, near where a sum of periods
   puts that; the state at `end` inside the last step, and one period from it on, as epi_own and epi_flow have it */
EPI_INSIDE void epi_revolve_strobe(const epi_flow *, const double *x, double j, const double *from, double *out);
EPI_INSIDE double epi_turns_end(epi_system *, double t, double turns, double end);
EPI_INSIDE int epi_revolve_part(epi_flow *, epi_state *, double h, epi_tick end);
EPI_INSIDE int epi_revolve_turn(epi_flow *, const epi_state *, double *T, void (*see)(void *, epi_state *), void *data);
/* revolve-waves.c. Components of the accelerations or rates of the system: whether they are accelerations, the index of the first in the
   state, their number; number of phases at which a turn is sampled */
typedef struct { int has_force, first, n, phases; } answers;
EPI_INSIDE answers epi_revolve_answers(const epi_system *, int phases);
EPI_INSIDE int epi_revolve_rates(epi_flow *, double t, double theta, const double *y, double *out);
/* Computes the waves of the answers over the turn that begins at t, the state held at y */
EPI_INSIDE int epi_revolve_waves(epi_flow *, double t, double theta0, const double *y, double T, answers, const room *);
/* Answer i at this part of the turn (0..1), integrated `times` from its mean on */
EPI_INSIDE double epi_revolve_wave(const room *, answers, double T, int i, double part, int times);
/* out: the state `in` at the start of the turn, moved by the waves to this part of it */
EPI_INSIDE void epi_revolve_swung(epi_flow *, const room *, answers, double T, double part, const double *in, double *out);
/* revolve-defect.c. Defect of the interpolant of the last step at `place` (periods): what a period there moves the state by, less what the
   interpolant says. Positive: that period fails */
EPI_INSIDE int epi_revolve_defect(epi_flow *, const epi_state *, double *x, double T, double place, double *out);
/* 1: between the ends of the step from s on the averaged force has an impulse that the interpolant does not have */
EPI_INSIDE int epi_revolve_misses(epi_flow *, const epi_state *, double *x, double T);
/* revolve-over.c. 1: a force does something between the ends of the step from s on, of which the memory x tells, that is worth too many
   tolerances */
EPI_INSIDE int epi_revolve_goes_over(epi_flow *, const epi_state *, double *x, double T);

/* whole turns leave the phase as it is */
static inline void epi_turn_clock(epi_state *s, double h)
{
  double dt = h + s->key.rest, t = s->t + dt;
  epi_set_clock(s, (epi_tick){t, dt - (t - s->t), s->theta});
}

#endif
