/* choose.h - a flow for a tolerance of the solution */
#ifndef EPICYCLE_CHOOSE_H
#define EPICYCLE_CHOOSE_H
#include "model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Choosing ----------------------------------------------------------------------------------------------------
 * The error of a step is not the error of the solution. epi_choose finds a flow whose solution, from the start of a case to `end`, is right
 * to tol:
 *   epi_chosen a = {.tol = 1e-6, .end = 1};
 *   if (epi_choose(c, &a)) fprintf(stderr, "%s\n", a.error);
 *   else f = epi_case_flow(c, a.flow);            // and epi_run(f, &s, a.end, rows apart)
 * Each way that the case takes is tried on a part of the run. With the cheapest the run is solved twice, the second time with a tenth of
 * the tolerance or less; where the two are further apart than tol, the second is held against a finer one, and so on. An error is relative
 * to the size of its coordinate over the run, and not less than a thousandth of that of the largest position (or velocity). Where rounding
 * or the motion itself, as in chaos, does not allow tol, the error says how far one can get. */
typedef struct epi_way {
  char flow[200];              /* as tried, with the tolerance of its steps */
  double calls;                /* evaluations that the whole run will take; NaN: it does not work here */
  char why[320];               /* why not; or what stands behind the number */
  int number;                  /* of the list of all ways */
} epi_way;
/* a stiff system moves fast and slowly at once. EPI_EITHER: all of it, unless that costs a hundred times as much as its slow part alone */
enum { EPI_EITHER, EPI_FULL, EPI_SLOW };
typedef struct epi_chosen {
  double tol, end;             /* asked for */
  int motion;                  /* asked for: one of these */
  char flow[200];              /* chosen */
  double found;                /* error of its solution, as estimated, at the worst of some times */
  double at;                   /* the worst of them */
  double turns;                /* of the fast phase in the run; 0: there is none */
  char scales[320];            /* of a stiff system, what was found of its fast oscillation */
  int slow;                    /* 1: the solution is the slow part of the motion alone, and the error is of that */
  char left_out[320];          /* what that leaves out, and what it saves */
  epi_way way[12];             /* what was tried, the one chosen first */
  int ways;
  long spent;                  /* evaluations for all this */
  int breaks;                  /* with the error: the cheapest flow, which stands in `flow`, runs, and fails on its way */
  epi_flow *busy;              /* the flow that is trying something now: for epi_stop */
  char error[320];
} epi_chosen;
EPI_API int epi_choose(epi_case *, epi_chosen *);                            /* 0, or EPI_WRONG with the error, or EPI_STOPPED */

#ifdef __cplusplus
}
#endif
#endif
