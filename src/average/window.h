/* window.h - a linear functional of the micro trajectory: what every average is */
#ifndef EPI_WINDOW_H
#define EPI_WINDOW_H
#include "cost.h"
#include "kernel.h"
#include "phase.h"

typedef struct epi_lift epi_lift;
typedef struct epi_window {
  epi_cost cost;                       /* first, as in every average of the library */
  int m[2];                            /* steps forward and backward; 0: no such leg */
  double *tap[2];                      /* weights of the velocities after each step, to be divided by h; or of the accelerations: direct */
  double tap0;                         /* of the velocity at the start */
  double *mean[2], mean0;              /* weights of the states themselves */
  int start, running, mirrored;        /* mirrored: stands on a forcing that is even about theta0 */
  int stiff;                           /* the fast motion is the system's own, and the windows start with the slow velocity */
  int off;                             /* windows that were off the slow manifold, from the first one on, at this time */
  double off_at;
  long looks, far;                     /* how often that was looked for, and seen to some degree */
  double stretch, farthest;            /* how far off, at the first look and at worst */
  int projected;                       /* a projection around it takes the fast part out of the start */
  double steps, period, theta0;        /* period 0: 2 pi over the pace at the time of the window */
  int match;                           /* corrections of the start, until its mean over the window is the slow state */
  int around;                          /* a projection is around it */
  int direct;                          /* tap weighs accelerations, and verlet is run here: every force is asked once */
  double *rate;                        /* where the rate of the fast oscillation is kept, if the window is tuned to it; or NULL */
  epi_phased *phased;                  /* where constraints and forces of velocity take the phase from t; else NULL */
  epi_lift *lift;                      /* of a system with a phase */
  double leak;
  int both;                            /* a projection wants the mean state of every window along with the force */
} epi_window;
enum { REST, CURRENT, LIFT };
/* kept by an hmm: whether its first window was short against the slow motion; the error of its force by the micro-steps, by the start of
   the windows, whose mean is not the slow state, and by both; the force where these were found, and the largest force of all */
enum { FORCE_OFF = 1, FORCE_FLOOR, FORCE_ALL, FORCE_LOOKED, FORCE_MOST, EPI_WINDOW_KEPT };
enum { UNSEEN, SHORT, LONG };

/* what is summed along the way: entries [from, to) of the state, with the weights of each leg; halved: each step in two; forces: of the
   accelerations instead */
typedef struct { double *const *weight, *sum; int from, to, halved, forces; } epi_functional;

/* numbers of work, and the part of it that no window uses: eleven states */
EPI_INSIDE long epi_window_room(const epi_flow *average);
EPI_INSIDE double *epi_window_spare(const epi_flow *average);
EPI_INSIDE double epi_window_step(const epi_window *, epi_system *, double t);
/* both ways from the state that the last window started from, or forward alone */
EPI_INSIDE int epi_window_legs(epi_flow *average, double h, double t, double theta, const epi_functional *, const epi_functional *);
/* the averaged acceleration at slow (t, q[, v]), from this phase */
EPI_INSIDE int epi_window_accel(epi_flow *average, double t, double theta, const double *q, const double *v, double *a);
/* the oscillating state at this phase whose mean is the slow (q, v), as far as the corrections go; y has room for all of it */
EPI_INSIDE int epi_window_matched(epi_flow *average, double t, double theta, const double *q, const double *v, double *y);
/* the averaged state y (all of it) around the fast state y; free where the last window for the force started from this very state */
EPI_INSIDE int epi_window_mean(epi_flow *average, double t, double theta, const double *y, double *mean);
/* what a slow system takes over from the one it averages: sizes of q and v, mass, constraints, names, data */
EPI_INSIDE epi_system epi_inherited(const epi_system *);
/* the period and the first phase of an average: as given, or from its system; 0: not known */
EPI_INSIDE double epi_period(const epi_flow *average);
EPI_INSIDE double epi_theta0(const epi_flow *average);
/* the window of an average; NULL: it has none */
static inline epi_window *epi_window_of(const epi_flow *average)
{
  const epi_slow_facet *slow = epi_slow_of(average);
  return slow && slow->window ? slow->window(average) : NULL;
}
#endif
