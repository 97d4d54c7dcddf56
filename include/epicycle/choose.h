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
  char why[320];               /* why not */
  int number;                  /* of the list of all ways */
} epi_way;
typedef struct epi_chosen {
  double tol, end;             /* asked for */
  char flow[200];              /* chosen */
  double found;                /* error of its solution, as estimated, at the worst of some times */
  double at;                   /* the worst of them */
  double turns;                /* of the fast phase in the run; 0: there is none */
  epi_way way[8];              /* what was tried, the one chosen first */
  int ways;
  long spent;                  /* evaluations for all this */
  int breaks;                  /* with the error: the cheapest flow, which stands in `flow`, runs, and fails on its way */
  char said[320];              /* what is to be known of it: what was done instead of what, or a doubt; empty: nothing */
  double *y;                   /* yours, room for epi_size(&c->system) numbers, or NULL: where the error was told by a looser solution, the
                                  state at the end by the chosen flow; otherwise the first is no number */
  epi_flow *busy;              /* the flow that is trying something now: for epi_stop */
  char error[320];
} epi_chosen;
EPI_API int epi_choose(epi_case *, epi_chosen *);                            /* 0, or EPI_WRONG with the error, or EPI_STOPPED */

#ifdef __cplusplus
}
#endif
#endif
