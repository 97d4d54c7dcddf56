/* hmm.h - the parts of the averaging benchmark: hand-written windows, a direct peer, a picture */
#ifndef EPI_BENCH_HMM_H
#define EPI_BENCH_HMM_H
#include "epicycle.h"

/* the averaged acceleration as one writes it by hand: verlet with weights w[0..m] on the accelerations; half a window of a forced system
   with one coordinate from rest, and both halves of a system with four from the given velocity */
int hmm_raw_half(epi_system *, double t, double theta, double q, double h, int m, const double *w, double *a);
int hmm_raw_both(epi_system *, double t, const double *q, const double *v, double h, int m, const double *w, double *a);

/* an adaptive method of order 8 of another code from t = 0 to the ends in turn; y (n ends of 2 nq numbers) begins with the start */
typedef struct { const char *name; int (*run)(epi_system *, double tol, int n, const double *ends, double *y); } hmm_peer;
extern const hmm_peer hmm_gsl;                                               /* no run: not installed */

/* error against time, both logarithmic, one panel beside the other; 0 on success */
enum { HMM_POINTS = 24, HMM_LINES = 6 };
typedef struct { const char *name; int n; double x[HMM_POINTS], y[HMM_POINTS]; } hmm_line;
typedef struct { const char *title, *across, *up; int n; hmm_line line[HMM_LINES]; double floor; const char *floor_name; } hmm_panel;
int hmm_plot(const char *file, int panels, const hmm_panel *);
#endif
