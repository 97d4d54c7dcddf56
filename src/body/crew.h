/* crew.h - several threads that share the rollers of a sweep. Who asks never waits for the others: what they have not done when it is
 * needed is done again, so a busy machine costs nothing but their help; and forces are added in one order, so that bits do not depend on
 * threads */
#ifndef EPI_CREW_H
#define EPI_CREW_H
#include "roller.h"

typedef struct epi_crew epi_crew;
/* NULL: no memory or no threads, and the sweeps go without */
EPI_INSIDE epi_crew *epi_crew_make(const epi_rollers *, int bodies, int threads);
EPI_INSIDE void epi_crew_free(epi_crew *);
/* the helpers begin, and who asks may do something else before it takes part: a job, 0 where they do not help */
EPI_INSIDE unsigned epi_crew_open(epi_crew *, const epi_moving *);
EPI_INSIDE int epi_crew_close(epi_crew *, const epi_moving *, unsigned job);       /* as epi_rollers_act */
EPI_INSIDE void epi_crew_drop(epi_crew *, unsigned job);                           /* nothing is wanted of it any more */
#endif
