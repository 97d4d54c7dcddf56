/* sundials.c - ARKStep, ERKStep and CVODE, with the settings that are fastest here: fused vector operations, no
 * interpolation, a table without an error estimate where one may be given */
#include "bench.h"
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#define SUNDIALS "SUNDIALS " SUNDIALS_VERSION

typedef struct peer {
  SUNContext ctx;
  epi_system *sys;
  N_Vector y;
  void *mem;
  SUNNonlinearSolver solver;
  void (*drop)(void **);
} peer;

static int rate(realtype t, N_Vector y, N_Vector dy, void *s) { return bench_rate(s, t, NV_DATA_S(y), NV_DATA_S(dy)); }

static peer *start(epi_system *s)
{
  peer *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  SUNContext_Create(NULL, &p->ctx);
  p->sys = s;
  p->y = N_VNew_Serial(2*s->nq, p->ctx);
  N_VConst(0, p->y);
  N_VEnableFusedOps_Serial(p->y, SUNTRUE);
  return p;
}

static void stop(void *self)
{
  peer *p = self;
  p->drop(&p->mem);
  if (p->solver) SUNNonlinSolFree(p->solver);
  N_VDestroy(p->y);
  SUNContext_Free(&p->ctx);
  free(p);
}

static size_t size(const peer *p) { return 2*(size_t)p->sys->nq*sizeof(double); }

/* the rk4, given by hand: the library's own of order 4 have a fifth stage for the error */
static ARKodeButcherTable classical(void)
{
  double A[16] = {[4] = 0.5, [9] = 0.5, [14] = 1}, b[4] = {1.0/6, 1.0/3, 1.0/3, 1.0/6}, c[4] = {0, 0.5, 0.5, 1 + 1.1e-10};
  return ARKodeButcherTable_Create(4, 4, 0, c, A, b, NULL);
}

static void *start_ark(epi_system *s, int order)
{
  peer *p = start(s);
  if (!p) return NULL;
  p->mem = ARKStepCreate(rate, NULL, 0, p->y, p->ctx);
  p->drop = ARKStepFree;
  ARKStepSetUserData(p->mem, s);
  ARKStepSetMaxNumSteps(p->mem, -1);
  ARKStepSetInterpolantType(p->mem, ARK_INTERP_LAGRANGE);
  ARKStepSetInterpolantDegree(p->mem, 0);
  ARKStepSetOrder(p->mem, order);
  if (order == 4) {
    ARKodeButcherTable table = classical();
    ARKStepSetTables(p->mem, 4, 0, NULL, table);
    ARKodeButcherTable_Free(table);
  }
  return p;
}
static void *start_ark2(epi_system *s) { return start_ark(s, 2); }
static void *start_ark4(epi_system *s) { return start_ark(s, 4); }

static int go_ark(void *self, double *y, double h, long n)
{
  peer *p = self;
  double t, end = (double)n*h;
  memcpy(NV_DATA_S(p->y), y, size(p));
  if (ARKStepReInit(p->mem, rate, NULL, 0, p->y) || ARKStepSetFixedStep(p->mem, h) || ARKStepSetStopTime(p->mem, end)) return 1;
  if (ARKStepEvolve(p->mem, end, p->y, &t, ARK_NORMAL) < 0) return 1;
  memcpy(y, NV_DATA_S(p->y), size(p));
  return 0;
}

static void *start_erk4(epi_system *s)
{
  peer *p = start(s);
  if (!p) return NULL;
  p->mem = ERKStepCreate(rate, 0, p->y, p->ctx);
  p->drop = ERKStepFree;
  ERKStepSetUserData(p->mem, s);
  ERKStepSetMaxNumSteps(p->mem, -1);
  ERKStepSetInterpolantType(p->mem, ARK_INTERP_LAGRANGE);
  ERKStepSetInterpolantDegree(p->mem, 0);
  ARKodeButcherTable table = classical();
  ERKStepSetTable(p->mem, table);
  ARKodeButcherTable_Free(table);
  return p;
}

static int go_erk(void *self, double *y, double h, long n)
{
  peer *p = self;
  double t, end = (double)n*h;
  memcpy(NV_DATA_S(p->y), y, size(p));
  if (ERKStepReInit(p->mem, rate, 0, p->y) || ERKStepSetFixedStep(p->mem, h) || ERKStepSetStopTime(p->mem, end)) return 1;
  if (ERKStepEvolve(p->mem, end, p->y, &t, ARK_NORMAL) < 0) return 1;
  memcpy(y, NV_DATA_S(p->y), size(p));
  return 0;
}

/* its own step sizes, tolerance 1e-8 */
static void *start_adams(epi_system *s)
{
  peer *p = start(s);
  if (!p) return NULL;
  p->mem = CVodeCreate(CV_ADAMS, p->ctx);
  p->drop = CVodeFree;
  CVodeInit(p->mem, rate, 0, p->y);
  CVodeSStolerances(p->mem, 1e-8, 1e-8);
  CVodeSetUserData(p->mem, s);
  CVodeSetMaxNumSteps(p->mem, -1);
  p->solver = SUNNonlinSol_FixedPoint(p->y, 0, p->ctx);
  CVodeSetNonlinearSolver(p->mem, p->solver);
  return p;
}

static int go_adams(void *self, double *y, double h, long n)
{
  peer *p = self;
  double t, end = (double)n*h;
  memcpy(NV_DATA_S(p->y), y, size(p));
  if (CVodeReInit(p->mem, 0, p->y) || CVodeSetStopTime(p->mem, end)) return 1;
  if (CVode(p->mem, end, p->y, &t, CV_NORMAL) < 0) return 1;
  memcpy(y, NV_DATA_S(p->y), size(p));
  return 0;
}

static long taken_adams(void *self)
{
  peer *p = self;
  long n = 0;
  CVodeGetNumSteps(p->mem, &n);
  return n;
}

const bench_driver bench_ark2 = {
  .name = SUNDIALS " ARKStep, order 2", .order = 2, .open = start_ark2, .go = go_ark, .close = stop,
};
const bench_driver bench_ark4 = {
  .name = SUNDIALS " ARKStep, rk4", .order = 4, .same = 1, .open = start_ark4, .go = go_ark, .close = stop,
};
const bench_driver bench_erk4 = {
  .name = SUNDIALS " ERKStep, rk4", .order = 4, .same = 1, .open = start_erk4, .go = go_erk, .close = stop,
};
const bench_driver bench_adams = {
  .name = SUNDIALS " CVODE Adams 1e-8", .order = 0, .open = start_adams, .go = go_adams, .close = stop, .taken = taken_adams,
};
