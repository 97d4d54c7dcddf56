/* hmm_runs.h - timed runs with their errors */
#ifndef EPI_BENCH_HMM_RUNS_H
#define EPI_BENCH_HMM_RUNS_H
#include "hmm.h"
#include <math.h>

typedef struct { double seconds, error; long calls; } hmm_result;
double hmm_now(void);                                                        /* thread time in seconds */

/* a window of hmm and the same by hand, in ns per micro-step; how far their forces are apart, relative */
enum { HMM_LONG, HMM_SHORT, HMM_SPRINGS };
typedef struct { double raw, ours, apart; } hmm_pair;
hmm_pair hmm_micro(int which);

/* what a run is compared with: the first entries of the state at equally spaced times t[] */
enum { HMM_TIMES = 12, HMM_WIDTH = 4 };
typedef struct { const char *model; int times, width; double t[HMM_TIMES], y[HMM_TIMES][HMM_WIDTH]; } hmm_truth;

/* the pendulum over [0, 1] at n equal times: by the averaged equation, or resolved; the springs over [0, 10], resolved and filtered */
hmm_truth hmm_averaged(const char *model, double q0, int n);
hmm_truth hmm_resolved(const char *model, double w, int n);
hmm_truth hmm_filtered(const char *model, double w2);

/* a flow in `steps` steps from time to time; the best of several runs, each with a flow of its own */
hmm_result hmm_run(const hmm_truth *, const char *flow, long steps);
hmm_result hmm_peer_run(const hmm_truth *, const hmm_peer *, double tol);
/* the first setting that reaches the error: `steps` a period, from the fewest on, or a tolerance from the loosest on. 0 if none does */
int hmm_flow_to(const hmm_truth *, double error, const char *flow, double periods, double *steps, hmm_result *);
int hmm_peer_to(const hmm_truth *, double error, const hmm_peer *, double *tol, hmm_result *);

/* windows are counted in the mode of the hard spring between its two masses, sqrt(2) w2: micro-steps of a sixth of 2 pi/w2, m to a side */
void hmm_springs_flow(char *out, size_t size, const char *macro, double w2, int m, double leak);

/* error against time for both problems; 0 on success */
int hmm_picture(const char *file);
#endif
