/* look.h - an hmm looks at its windows: at the first one closely, at some of the others in passing */
#ifndef EPI_LOOK_H
#define EPI_LOOK_H
#include "window.h"

/* before the first window: is the phase of the forces what the windows stand on? */
EPI_INSIDE int epi_look_phase(epi_flow *hmm, double t, double theta, const double *q);
/* after it: is it short against the slow motion, is the start free of fast velocity, is its force as good as a tolerance around asks */
EPI_INSIDE int epi_look_first(epi_flow *hmm, double t, double theta, const double *q, const double *a);
/* of a window that is as short as its fast period: the start alone */
EPI_INSIDE int epi_look_start(epi_flow *hmm, double t);
/* the start of match is a filtered one, and nobody has said so */
EPI_INSIDE void epi_look_filtered(epi_flow *hmm, const double *q, const double *v);
/* after others: is the state of a stiff system still on its slow manifold */
EPI_INSIDE int epi_look_manifold(epi_flow *hmm, double t, double theta, const double *q, const double *v, const double *a);
/* after every one: the error of its force again, where that has doubled. 0 on success */
EPI_INSIDE int epi_look_passing(epi_flow *hmm, double t, double theta, const double *q, const double *a);
/* at the end of a run: was it there most of the time? */
EPI_INSIDE void epi_look_back(epi_flow *hmm);
/* the error of its slow force, relative to the largest of all */
EPI_INSIDE epi_force_error epi_look_force(const epi_flow *hmm);
/* a window failed with this code: was it for that? */
EPI_INSIDE int epi_look_at_failure(epi_flow *hmm, double t, double theta, const double *q, const double *v, int code);
EPI_INSIDE int epi_window_too_long(epi_flow *hmm, double t);
#endif
