/* orbit_cvode.c - CVODE, Adams and BDF, with its own steps over the whole span */
#include "orbit.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int rate(realtype t, N_Vector y, N_Vector dy, void *data)
{
  (void)t, (void)data;
  orbit_rate(NV_DATA_S(y), NV_DATA_S(dy));
  return 0;
}

static int slope(realtype t, N_Vector z, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c)
{
  (void)t, (void)f, (void)data, (void)a, (void)b, (void)c;
  const double *y = NV_DATA_S(z);
  double r2 = y[0]*y[0] + y[1]*y[1], x = 1/(r2*sqrt(r2));
  SM_ELEMENT_D(J, 0, 2) = SM_ELEMENT_D(J, 1, 3) = 1;
  SM_ELEMENT_D(J, 2, 0) = x*(3*y[0]*y[0]/r2 - 1);
  SM_ELEMENT_D(J, 2, 1) = SM_ELEMENT_D(J, 3, 0) = x*3*y[0]*y[1]/r2;
  SM_ELEMENT_D(J, 3, 1) = x*(3*y[1]*y[1]/r2 - 1);
  return 0;
}

static int run(int family, double tol, double *t, double *y, long *calls)
{
  SUNContext ctx;
  SUNContext_Create(NULL, &ctx);
  N_Vector x = N_VMake_Serial(4, y, ctx);
  N_VEnableFusedOps_Serial(x, SUNTRUE);
  void *mem = CVodeCreate(family, ctx);
  SUNNonlinearSolver point = NULL;
  SUNMatrix J = NULL;
  SUNLinearSolver solver = NULL;
  CVodeInit(mem, rate, 0, x);
  CVodeSStolerances(mem, tol, tol);
  CVodeSetMaxNumSteps(mem, -1);
  CVodeSetStopTime(mem, ORBIT_END);
  if (family == CV_ADAMS) CVodeSetNonlinearSolver(mem, point = SUNNonlinSol_FixedPoint(x, 0, ctx));
  else {
    J = SUNDenseMatrix(4, 4, ctx);
    CVodeSetLinearSolver(mem, solver = SUNLinSol_Dense(x, J, ctx), J);
    CVodeSetJacFn(mem, slope);
  }
  int bad = CVode(mem, ORBIT_END, x, t, CV_NORMAL) < 0;
  if (calls) CVodeGetNumRhsEvals(mem, calls);
  CVodeFree(&mem);
  if (point) SUNNonlinSolFree(point);
  if (solver) SUNLinSolFree(solver);
  if (J) SUNMatDestroy(J);
  N_VDestroy(x);
  SUNContext_Free(&ctx);
  return bad;
}

static int adams(double tol, double *t, double *y, long *calls) { return run(CV_ADAMS, tol, t, y, calls); }
static int bdf(double tol, double *t, double *y, long *calls) { return run(CV_BDF, tol, t, y, calls); }

#define SUNDIALS "SUNDIALS " SUNDIALS_VERSION
const orbit_code orbit_adams = {.name = SUNDIALS " CVODE Adams", .first = 1e-9, .last = 1e-14, .factor = 0.1, .run = adams};
const orbit_code orbit_bdf = {.name = SUNDIALS " CVODE BDF", .first = 1e-9, .last = 1e-12, .factor = 0.1, .run = bdf};
