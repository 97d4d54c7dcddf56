/* inspect.h - a run looks at itself on the way */
#ifndef INSPECT_H
#define INSPECT_H
#include "recorder.h"
typedef struct epi_inspector epi_inspector;
EPI_INSIDE epi_inspector *epi_inspector_make(epi_recorder *);                        /* NULL: out of memory */
EPI_INSIDE void epi_inspector_free(epi_inspector *);
EPI_INSIDE void epi_inspector_begin(epi_inspector *, epi_recorder *, const epi_state *);
EPI_INSIDE void epi_inspector_step(epi_inspector *, epi_recorder *, const epi_state *);
EPI_INSIDE void epi_inspector_end(epi_inspector *, epi_recorder *, const epi_state *);
EPI_INSIDE void epi_recorder_doubt(epi_recorder *);                                  /* at the end: what is doubtful, as warnings */
#endif
