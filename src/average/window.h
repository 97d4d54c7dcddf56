/* window.h - a linear functional of the micro trajectory: what every average is */
#ifndef EPI_WINDOW_H
#define EPI_WINDOW_H
#include "kernel.h"

typedef struct {
  int m[2];                            /* steps forward and backward; 0: no such leg */
  double *tap[2];                      /* weights of the velocities after each step, to be divided by h */
  double tap0;                         /* of the velocity at the start */
  double *mean[2], mean0;              /* weights of the states themselves */
  int start, running, mirrored;        /* mirrored: stands on a forcing that is even about theta0 */
  double steps, period, theta0;        /* period 0: 2 pi over the pace at the time of the window */
  double leak;
  int both;                            /* a projection wants the mean state of every window along with the force */
} epi_window;
enum { REST, CURRENT, LIFT };
enum { UNSEEN, SHORT, LONG };         /* kept by an hmm: whether its first window was short against the slow motion */

/* the averaged acceleration at slow (t, q[, v]); theta counts only for a running phase */
EPI_INSIDE int epi_window_accel(epi_flow *average, double t, double theta, const double *q, const double *v, double *a);
/* the averaged state y (all of it) around the fast state y; free where the last window for the force started from this very state */
EPI_INSIDE int epi_window_mean(epi_flow *average, double t, double theta, const double *y, double *mean);
/* what a slow system takes over from the one it averages: sizes of q and v, mass, constraints, names, data */
EPI_INSIDE epi_system epi_inherited(const epi_system *);
/* the period and the first phase of an average: as given, or from its system; 0: not known */
EPI_INSIDE double epi_period(const epi_flow *average);
EPI_INSIDE double epi_theta0(const epi_flow *average);
/* the average that makes the system of this flow, or NULL */
EPI_INSIDE epi_flow *epi_average_of(const epi_flow *);
#endif
