/* sundials.h - what the files of cvode and arkode share: what a flow owns of SUNDIALS, and what the solvers call */
#ifndef EPI_SUNDIALS_H
#define EPI_SUNDIALS_H
#include "jacobian.h"
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

/* arkode has neither method nor jacobian nor convergence, and its matrix in the place of the first */
enum { RTOL, ATOL, ORDER, FIRST_STEP, LONGEST_STEP, STEPS, METHOD, CONVERGENCE, JACOBIAN, MATRIX, ARKODE_MATRIX = METHOD };

/* what a flow owns of SUNDIALS, and where the step under way began */
typedef struct {
  SUNContext context;
  N_Vector y, atol;
  void *memory;
  SUNMatrix A;
  SUNLinearSolver linear;
  SUNNonlinearSolver iteration;
  const struct family *family;
  epi_flow *flow;
  double t, theta, sign;               /* t + sign tau is the time */
  epi_tick end;
  int idle;                            /* the first run, in which all memory is taken, asks nothing of the system */
  double h, from;                      /* the step; tau where the last refusals began that cover no way */
  long noes, stuck;                    /* how often the system refused in this step, and since then */
  int code, lost;                      /* its last answer: not 0 where it refused; 1 + the component that was not finite */
  double when, reached;                /* tau where it was asked; where the last step inside ended */
  char said[160];                      /* its own words for the last failure */
  epi_state *told;                     /* whose steps are told of, while they are taken; or NULL */
  int stop;                            /* what the listener answered, where that ends the step */
  N_Vector inside;
  epi_sparse_jacobian *known;                 /* where its matrix is sparse, or by links; or NULL */
  double *values;                      /* its entries */
  int sparse, links, imex;             /* links: entries by what forces return, else by differences */
} solver;

/* the two solvers have the same calls under two names */
typedef struct family {
  int (*make)(solver *), (*begin)(solver *, double tau);
  void (*open)(epi_flow *);            /* somebody will look inside its steps */
  int goes_back;                       /* it gives up where a stage is refused: begin again where its last step ended */
  int (*user)(void *, void *);
  int (*bound)(void *, double, double), (*bounds)(void *, double, N_Vector);
  int (*most)(void *, long), (*first)(void *, double), (*longest)(void *, double), (*least)(void *, double),
      (*stop)(void *, double);
  int (*go)(void *, double, N_Vector, double *, int), (*inside)(void *, double, int, N_Vector), (*refused)(void *, long *);
  void (*drop)(void **);
} family;


EPI_INSIDE int epi_solver_rate(double tau, N_Vector y, N_Vector dy, void *data);
/* its two parts: what is explicit, the first system, and what is implicit, the second with q' */
EPI_INSIDE int epi_solver_explicit(double tau, N_Vector y, N_Vector dy, void *data);
EPI_INSIDE int epi_solver_implicit(double tau, N_Vector y, N_Vector dy, void *data);
/* the matrix, and how it is found and solved with; 0 on success */
EPI_INSIDE int epi_solver_matrix(solver *);
/* a sparse one forgets by which pivots it was solved before, or bits would depend on it; 0 on success */
EPI_INSIDE int epi_solver_anew(solver *);
typedef int epi_solver_slope(double tau, N_Vector y, N_Vector dy, SUNMatrix J, void *data, N_Vector, N_Vector, N_Vector);
EPI_INSIDE epi_solver_slope *epi_solver_slope_of(const solver *);
#endif
