/* together.h - runs of one flow that are moved in lanes */
#ifndef TOGETHER_H
#define TOGETHER_H
#include "recorder.h"

/* a result that was made may run in lanes with others of its kind: its flow, its system and what is recorded of it allow it */
EPI_INSIDE int epi_result_moves_in_lanes(const epi_result *);
/* results that have begun, to their ends: 0, and epi_result_end(r, 0) of each follows; EPI_STOPPED: the first was asked to stop; EPI_WRONG:
   they do not go together, or one of them fails: all are to be made again, and run alone */
EPI_INSIDE int epi_results_go(epi_result **, int n);
#endif
