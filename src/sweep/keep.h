/* keep.h - what a sweep keeps of a run */
#ifndef EPI_SWEEP_KEEP_H
#define EPI_SWEEP_KEEP_H
#include "epicycle/sweep.h"
#include "core.h"

typedef enum {
  KEEP_LAST, KEEP_FIRST, KEEP_MIN, KEEP_MAX, KEEP_MEAN, KEEP_RMS, KEEP_AT,           /* of a column */
  KEEP_COUNT, KEEP_EARLIEST, KEEP_LATEST,                                            /* of events */
  KEEP_EVALUATIONS, KEEP_STEPS, KEEP_MULTIPLIER, KEEP_EXPONENT
} keep_kind;
typedef struct keep {
  char name[128], unit[24];
  keep_kind kind;
  int column;                  /* or which event */
  double at;                   /* of KEEP_AT */
} keep;
typedef struct gathered { double value, t, f, sum; int seen; } gathered;     /* t, f: of the row before; sum: the integral of f */

/* by a result that has not run; 0, or -1 and the sentence */
EPI_INSIDE int epi_keep_read(const char *text, const epi_result *, keep *, char *error);
EPI_INSIDE int epi_keep_needs_rows(const keep *);
EPI_INSIDE void epi_keep_row(const keep *, gathered *, const epi_result *);              /* after each row */
EPI_INSIDE double epi_keep_value(const keep *, const gathered *, const epi_result *);    /* after the run */
#endif
