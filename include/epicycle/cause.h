/* cause.h - cause of an error or of a warning: the number beside its message */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_CAUSE_H
#define EPICYCLE_CAUSE_H
#ifdef __cplusplus
extern "C" {
#endif

/* programs decide by this number, as the words of a message may change. New causes are added at the end */
typedef enum epi_cause {
  EPI_NO_CAUSE,                /* no error */
  EPI_OTHER_CAUSE,             /* an error that has none of the causes below */
  EPI_MEMORY,                  /* out of memory */
  EPI_COMPOSITION,             /* the text cannot be read, or the flow cannot be composed of these parts */
  EPI_ABSENT,                  /* the method is not in this build */
  EPI_REQUEST,                 /* an invalid argument: the step, the end, the number of steps, the start */
  EPI_SYSTEM,                  /* the description of the system is invalid or contradicts itself */
  EPI_NOT_FINITE,              /* a force, a rate or a state is not finite */
  EPI_REFUSED,                 /* a callback of the system returned a code that is not 0 */
  EPI_MODEL_ENDS,              /* the same beyond some time, however short the step is, for a reason that the system explains */
  EPI_TOO_LONG,                /* the step is too long here: a shorter one, or one of a tolerance, may succeed */
  EPI_MOST_STEPS,              /* the number of steps that was allowed is used up */
  EPI_SHRUNK,                  /* the tolerance cannot be met: the step has shrunk to nothing */
  EPI_CONSTRAINTS,             /* the constraints cannot be met in this step */
  EPI_CONTRADICTION,           /* the constraints contradict each other */
  EPI_PHASE,                   /* the force does not have the period of its phase */
  EPI_ROUNDING,                /* the tolerance is below rounding */
  EPI_MICRO_STEPS,             /* the micro-steps of an average or of periods are too long */
  EPI_COST,                    /* a warning of cost alone: the result is not in doubt */
  EPI_REFUSES_OFTEN,           /* of a choice: many steps are rejected, as where a force jumps */
  EPI_GOES_OVER,               /* of a choice: the steps miss an event of short duration */
  EPI_INEXACT,                 /* of a choice: the solution cannot be found to the tolerance */
  EPI_DEAR,                    /* of a choice: it would take more evaluations than are allowed */
  EPI_HALTED,                  /* stopped by the user */
  EPI_BAD_FILE,                /* a file cannot be read or written */
  EPI_ROWS_FILE,               /* the file of rows cannot be written: another place may do */
  EPI_EVENTS_FILE,             /* the same of the file of events */
  EPI_UNSTABLE,                /* the step is beyond the stability limit of the flow, or too long for the fast phase */
  EPI_FAST                     /* the oscillating solution beside a slow one cannot be found */
} epi_cause;
/* a sentence and its cause */
enum { EPI_SENTENCE_SIZE = 320 };      /* the longest sentence, with the closing zero */
typedef struct epi_fault {
  char words[EPI_SENTENCE_SIZE];       /* empty: all is well */
  epi_cause cause;
  int column;                          /* the place in a text that the sentence names; 0: none */
} epi_fault;

#ifdef __cplusplus
}
#endif
#endif
