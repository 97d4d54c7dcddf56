/* tune.h - a window of boxes whose micro-steps fit the fast oscillation of a stiff system */
#ifndef EPI_TUNE_H
#define EPI_TUNE_H
#include "window.h"

/* kept by an hmm after what it keeps of its looks: the rate of the oscillation, and windows since it was looked at */
enum { TUNED_RATE, TUNED_SINCE, EPI_TUNED_KEPT };

/* before a window of boxes: finds the rate, or sees whether it is what it was. judge: says so where the window does not fit. work: five
   forces */
EPI_INSIDE int epi_tune(epi_flow *hmm, double t, const double *q, int judge, double *work);
#endif
