/* choose.h - a flow for a tolerance of the solution */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_CHOOSE_H
#define EPICYCLE_CHOOSE_H
#include "model.h"
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Choosing ----------------------------------------------------------------------------------------------------
 * The error of a step is not the error of the solution. epi_choose finds a flow whose solution, from the start of a case to `end`, is right
 * to tol:
 *   epi_chosen a = {.tol = 1e-6, .end = 1};
 *   if (epi_choose(c, &a)) fprintf(stderr, "%s\n", a.error);
 *   else f = epi_case_flow(c, a.flow);            // and epi_run(f, &s, a.end, rows apart)
 * Each way that the case takes is tried on a part of the run. With the cheapest the run is solved; of a smooth motion by order 8 another
 * solution beside it, with two or three of its steps taken as one, tells the error. Else it is solved again with a tenth of the tolerance
 * or less; where the two are further apart than tol, the second is held against a finer one, and so on. Of a smooth motion it is the answer
 * up to 2.3 tol, with 0.3 of the distance as its error. Where a fast phase turns many
 * times, the first is at least twenty times looser and the second, finer than what tells its error, is the answer. An error is
 * relative to the size of its coordinate over the run, and not less than a thousandth of that of the largest position (or velocity). Where
 * rounding or the motion itself, as in chaos, does not allow tol, the error says how far one can get. */
typedef struct epi_way {
  char flow[200];              /* as tried, with the tolerance of its steps */
  double calls;                /* evaluations that the whole run will take; NaN: it does not work here */
  double seconds;              /* and how long that will take; of the one chosen both are measured, of others predicted from a part */
  char why[320];               /* why not: it does not run, or does not get there; empty: it does */
  int number;                  /* of the list of all ways */
  int averages;                /* 1: it does not resolve every turn of the fast phase, or of the system's own fast oscillation */
  double rows;                 /* evaluations for rows between its steps, a hundred or those asked for, which are not in `calls` */
  char note[40];               /* what its numbers come from, where that is not the whole run or a part of it */
  epi_cause cause;             /* why not; EPI_NO_CAUSE: it does */
} epi_way;
/* one entry of the trace of a choice: an attempt, or a check of one. The evaluations of all entries add up to `spent` */
typedef struct epi_traced {
  const char *what;            /* a few words: trial, run, companion, finer run, ... or the name of a check */
  const char *candidate;       /* a word for its flow; NULL: none */
  double tol;                  /* of its steps; NaN: none */
  double error;                /* of the solution, as estimated; NaN: not estimated */
  double calls;                /* evaluations */
  epi_cause cause;             /* why it is no answer; EPI_NO_CAUSE: nothing was found against it */
} epi_traced;
/* a stiff system moves fast and slowly at once. EPI_EITHER: all of it, unless that costs a hundred times as much as its slow part alone */
enum { EPI_EITHER, EPI_FULL, EPI_SLOW };
typedef struct epi_chosen epi_chosen;
struct epi_chosen {
  double tol, end;             /* asked for */
  double every;                /* asked for: the time between rows, where that is known: the solution is right there; 0: at times that are
                                  found for it */
  int motion;                  /* asked for: EPI_EITHER, EPI_FULL or EPI_SLOW */
  char flow[200];              /* chosen; with an error: what came nearest, or nothing */
  double found;                /* error of its solution, as estimated, at the worst of some times */
  double at;                   /* the worst of them */
  double turns;                /* of the fast phase in the run; 0: there is none */
  double period;               /* of that phase, at the start */
  double fastest;              /* small oscillation at the start, radians per time; NaN: not looked for, see epi_choose_fastest */
  double slow;                 /* the time in which the positions change by their own size, where that is shortest */
  char reason[720];            /* why this one, a sentence */
  char scales[320];            /* of a stiff system: what was found of its fast oscillation */
  int slow_part;               /* 1: the solution is the slow part of the motion alone, and the error is of that */
  epi_way way[20];             /* what was tried, the one chosen first */
  int ways;
  long spent;                  /* evaluations for all this */
  int breaks;                  /* with the error: 1: the cheapest flow, which stands in `flow`, runs, and fails on its way; 2: it runs to
                                  its end, and a finer one fails on its way */
  char said[320];              /* what is to be known of it: what was done instead of what, or a doubt; empty: nothing */
  double *y;                   /* yours, room for epi_size(&c->system) numbers, or NULL: the state at the end by the chosen flow; with an
                                  error the first may be no number */
  int stop;                    /* not 0: end this soon, with EPI_STOPPED; see epi_choose_stop */
  double most;                 /* evaluations that may be spent on this; 0: as many as it takes */
  int dear;                    /* with the error: it would take more */
  /* NULL, or called now and then: what is run, over which part of the run, and how much of that part is done */
  void (*tell)(const epi_chosen *, const char *flow, double part, double done);
  char error[320];
  char observable[80];         /* what of the rows is farthest off, though the state is not: the load of a stiff spring; by how much of
                                  its size, in the same two solutions, and when. 0: nothing is; NaN: nobody looked */
  double observed, observed_at;
  double longest;              /* step of the last run of the search, where it chose its steps; else 0. What a force of time does in less
                                  than that may be passed over by all solutions */
  epi_cause cause;             /* of the error */
  epi_traced trace[100];       /* what was done, in this order, also with an error; the last entry stands for all that are more */
  int traced;
};
EPI_API int epi_choose(epi_case *, epi_chosen *);                            /* 0, or EPI_WRONG with the error, or EPI_STOPPED */
EPI_API void epi_choose_stop(epi_chosen *);                                  /* for a signal handler or another thread, also beforehand */
/* fills in `fastest` after a choice: for a table of scales, no part of choosing */
EPI_API void epi_choose_fastest(epi_case *, epi_chosen *);
EPI_API void epi_trace_json(const epi_chosen *, FILE *, const char *indent);  /* an array */
EPI_API const char *epi_cause_word(epi_cause);                               /* for a table; NULL: EPI_NO_CAUSE */
/* the best of the ways that resolve every turn of the fast phase: its number in `way`; -1: none works */
EPI_API int epi_choose_direct(const epi_chosen *);

#ifdef __cplusplus
}
#endif
#endif
