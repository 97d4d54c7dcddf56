/* wall_cvode.c - CVODE's BDF of order 2 at most on the bounce, step by step with its own sizes; nothing where it is missing */
#include "wall.h"
#include "hmm_runs.h"

#ifdef BENCH_SUNDIALS
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static int rate(realtype t, N_Vector y, N_Vector dy, void *data)
{
  epi_system *s = data;
  NV_Ith_S(dy, 0) = NV_Ith_S(y, 1);
  return s->force(s, t, NV_DATA_S(y), NV_DATA_S(dy) + 1);
}

static int slope(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c)
{
  epi_system *s = data;
  (void)f, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(J, 0, 1) = 1;
  return s->slope(s, t, NV_DATA_S(y), 1, 0, &SM_ELEMENT_D(J, 1, 0));
}

/* every step is looked at where o is given */
static int steps(void *mem, const epi_case *c, N_Vector y, wall_run *o)
{
  double t = 0;
  int bad = 0;
  while (t < WALL_END && !bad) bad = CVode(mem, WALL_END, y, &t, CV_ONE_STEP) < 0 || (o && wall_look(c, t, NV_DATA_S(y), o));
  return bad;
}

static double once(epi_case *c, double tol, wall_run *o)
{
  SUNContext ctx;
  SUNContext_Create(NULL, &ctx);
  N_Vector y = N_VNew_Serial(2, ctx);
  NV_Ith_S(y, 0) = c->y[0];
  NV_Ith_S(y, 1) = c->y[1];
  SUNMatrix J = SUNDenseMatrix(2, 2, ctx);
  SUNLinearSolver solver = SUNLinSol_Dense(y, J, ctx);
  void *mem = CVodeCreate(CV_BDF, ctx);
  CVodeInit(mem, rate, 0, y);
  CVodeSStolerances(mem, tol, tol);
  CVodeSetUserData(mem, &c->system);
  CVodeSetMaxOrd(mem, 2);
  CVodeSetLinearSolver(mem, solver, J);
  CVodeSetJacFn(mem, slope);
  double begin = hmm_now();
  int bad = steps(mem, c, y, o);
  double seconds = hmm_now() - begin;
  if (o) {
    CVodeGetNumRhsEvals(mem, &o->calls);
    if (bad) o->error = HUGE_VAL;
  }
  CVodeFree(&mem);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
  N_VDestroy(y);
  SUNContext_Free(&ctx);
  return seconds;
}

wall_run wall_cvode(double tol)
{
  wall_run o = {.setting = tol};
  epi_case *c = epi_case_make("bounce");
  once(c, tol, &o);
  o.seconds = once(c, tol, NULL);
  epi_case_free(c);
  return o;
}

const char *const wall_cvode_name = "SUNDIALS " SUNDIALS_VERSION " CVODE BDF, order 2";
#else
wall_run wall_cvode(double tol) { return (wall_run){.setting = tol, .error = HUGE_VAL}; }
const char *const wall_cvode_name = NULL;
#endif
