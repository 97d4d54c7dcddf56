/* inspect.h - a run looks at itself on the way */
#ifndef INSPECT_H
#define INSPECT_H
#include "columns.h"

EPI_INSIDE double epi_median(double *x, int n);                                      /* of the sizes; x is sorted. ledger.c */
EPI_INSIDE double epi_kinetic_of_masses(epi_system *, const epi_state *);       /* with velocities; NaN: not known. ledger.c */

typedef struct epi_inspector epi_inspector;
EPI_INSIDE epi_inspector *epi_inspector_make(epi_recorder *);                        /* NULL: out of memory */
EPI_INSIDE void epi_inspector_free(epi_inspector *);
EPI_INSIDE void epi_inspector_begin(epi_inspector *, epi_recorder *, const epi_state *);
/* 0, or EPI_INTERRUPTED: the run was asked to stop, and this step has not been looked at */
EPI_INSIDE int epi_inspector_step(epi_inspector *, epi_recorder *, const epi_state *);
EPI_INSIDE void epi_inspector_end(epi_inspector *, epi_recorder *, const epi_state *);
/* of a row: the first observable that is not finite is kept */
EPI_INSIDE void epi_inspector_row(epi_inspector *, const double *observable, int n, double t);
EPI_INSIDE int epi_inspector_strange(const epi_inspector *, double *t, double *value);       /* which; -1: none */
/* steps that went through a contact unfelt, and where the first of them began */
EPI_INSIDE long epi_inspector_through(const epi_inspector *, double *t);
EPI_INSIDE const epi_columns *epi_inspector_columns(const epi_inspector *);
/* the largest difference of a position, or of a rate, summed over all steps, against how far that one goes itself: others of its kind may
   go much farther. A rate that goes to and fro forgets: not of one that does so more than twice. And which */
EPI_INSIDE double epi_inspector_alone(const epi_inspector *, int rates, int *which);
/* how large positions became, or rates: all that is behind the positions */
EPI_INSIDE double epi_inspector_size(const epi_inspector *, int rates);
/* 1: halves failed, and little is known for that */
EPI_INSIDE int epi_inspector_failed(const epi_inspector *, const epi_inspection *);
/* in a checkpoint it stands before the state; 0 on success */
enum { EPI_INSPECTION_FRAME = 2 };
EPI_INSIDE int epi_inspector_save(const epi_inspector *, const epi_inspection *, FILE *);
EPI_INSIDE int epi_inspector_load(epi_inspector *, epi_recorder *, const char *content, size_t size);

/* the largest of these, one of every position (or of every coordinate where there are none), against how far such coordinates went */
EPI_INSIDE double epi_inspector_share(const epi_inspector *, const double *of);

/* remedy.c: what is to be done about steps that are too long; a step is named only where the run has been made with it, and is in no doubt.
   guess: the longest that is tried */
EPI_INSIDE const char *epi_recorder_remedy(epi_recorder *, double guess);
EPI_INSIDE void epi_recorder_doubt(epi_recorder *);                                  /* at the end: what is doubtful, as warnings */
#endif
