/* sundials.c - the solvers of SUNDIALS as methods: cvode (Adams, BDF) and arkode (embedded Runge-Kutta pairs, of two systems implicit in
 * the second), with their own choice of steps.
 * Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363; Reynolds et al., ACM Trans. Math. Softw. 49 (2023) 19.
 * Where somebody listens, the solver is asked for one of its steps after the other and its own interpolant for what lies inside.
 * Every step of h begins anew: no history crosses it, so that a step can be taken again, shortened, split and restarted to the
 * same bits. The solver's own time tau runs from 0 to |h|, so that a step far from t = 0 keeps all its digits, and a step back is a
 * step forward of the turned system. Rotations are moved in their own coordinates, as quaternions: the rate is asked where the turn of
 * nothing puts them, so that drifting off costs nothing, and what a step ends with is put there. */
#include "core.h"

#ifdef EPI_SUNDIALS
#include "sundials.h"
#include "semi.h"
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* warnings are not kept: the sentence of a failure is the last thing said */
static void hear(int code, const char *module, const char *function, char *words, void *data)
{
  (void)module; (void)function;
  solver *s = data;
  if (code < 0) snprintf(s->said, sizeof s->said, "%s", words);
}

/* ---- cvode ---- */
static int make_adams(solver *s)
{
  s->iteration = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
  return !s->iteration || CVodeSetNonlinearSolver(s->memory, s->iteration);
}

static int make_bdf(solver *s)
{
  s->sparse = s->flow->arg[MATRIX].number == 1;
  s->links = s->flow->arg[JACOBIAN].number == 1;
  return epi_solver_matrix(s) || CVodeSetLinearSolver(s->memory, s->linear, s->A) || CVodeSetJacFn(s->memory, epi_solver_slope_of(s));
}

static int make_cvode(solver *s)
{
  const epi_value *arg = s->flow->arg;
  int bdf = arg[METHOD].number == 1, order = (int)arg[ORDER].number;
  s->memory = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, s->context);
  if (!s->memory || CVodeSetErrHandlerFn(s->memory, hear, s) || CVodeInit(s->memory, epi_solver_rate, 0, s->y)) return 1;
  return (order && CVodeSetMaxOrd(s->memory, order)) || CVodeSetNonlinConvCoef(s->memory, arg[CONVERGENCE].number)
    || (bdf ? make_bdf(s) : make_adams(s));
}

static int begin_cvode(solver *s, double tau) { return epi_solver_anew(s) ? CV_MEM_FAIL : CVodeReInit(s->memory, tau, s->y); }

static const family cvode = {
  .make = make_cvode, .begin = begin_cvode, .user = CVodeSetUserData, .bound = CVodeSStolerances,
  .bounds = CVodeSVtolerances, .most = CVodeSetMaxNumSteps, .first = CVodeSetInitStep, .longest = CVodeSetMaxStep,
  .least = CVodeSetMinStep, .stop = CVodeSetStopTime, .go = CVode, .inside = CVodeGetDky,
  .refused = CVodeGetNumErrTestFails, .drop = CVodeFree,
};

/* ---- arkode ---- */
static int remember(double tau, N_Vector y, void *data)
{
  solver *s = data;
  int n = epi_dim(s->flow->sys);
  s->reached = tau;
  memcpy(s->flow->work + n, NV_DATA_S(y), (size_t)n*sizeof(double));
  return 0;
}

static int make_arkode(solver *s)
{
  int dense = s->flow->dense;
  s->memory = ERKStepCreate(epi_solver_rate, 0, s->y, s->context);
  if (!s->memory || ERKStepSetErrHandlerFn(s->memory, hear, s)) return 1;
  /* where every step lands, an interpolant would cost an evaluation more */
  return ERKStepSetInterpolantType(s->memory, dense ? ARK_INTERP_HERMITE : ARK_INTERP_LAGRANGE) ||
         ERKStepSetInterpolantDegree(s->memory, dense ? 5 : 0) ||
         ERKStepSetPostprocessStepFn(s->memory, remember) || ERKStepSetOrder(s->memory, (int)s->flow->arg[ORDER].number);
}

static int begin_arkode(solver *s, double tau) { return ERKStepReInit(s->memory, epi_solver_rate, tau, s->y); }

static void open_arkode(epi_flow *);
static const family arkode = {
  .make = make_arkode, .begin = begin_arkode, .open = open_arkode, .goes_back = 1, .user = ERKStepSetUserData, .bound = ERKStepSStolerances,
  .bounds = ERKStepSVtolerances, .most = ERKStepSetMaxNumSteps, .first = ERKStepSetInitStep, .longest = ERKStepSetMaxStep,
  .least = ERKStepSetMinStep, .stop = ERKStepSetStopTime, .go = ERKStepEvolve, .inside = ERKStepGetDky,
  .refused = ERKStepGetNumErrTestFails, .drop = ERKStepFree,
};

/* of two systems: the first explicit, the second with q' implicit */
static int make_imex(solver *s)
{
  int dense = s->flow->dense;
  s->imex = s->links = 1;
  s->sparse = s->flow->arg[ARKODE_MATRIX].number == 1;
  s->memory = ARKStepCreate(epi_solver_explicit, epi_solver_implicit, 0, s->y, s->context);
  if (!s->memory || ARKStepSetErrHandlerFn(s->memory, hear, s) || (!s->linear && epi_solver_matrix(s))) return 1;
  return ARKStepSetInterpolantType(s->memory, dense ? ARK_INTERP_HERMITE : ARK_INTERP_LAGRANGE) ||
         ARKStepSetInterpolantDegree(s->memory, dense ? 3 : 0) || ARKStepSetPostprocessStepFn(s->memory, remember) ||
         ARKStepSetOrder(s->memory, (int)s->flow->arg[ORDER].number) || ARKStepSetLinearSolver(s->memory, s->linear, s->A) ||
         ARKStepSetJacFn(s->memory, epi_solver_slope_of(s));
}

static int begin_imex(solver *s, double tau)
{
  return epi_solver_anew(s) ? ARK_MEM_FAIL : ARKStepReInit(s->memory, epi_solver_explicit, epi_solver_implicit, tau, s->y);
}

static const family imex = {
  .make = make_imex, .begin = begin_imex, .open = open_arkode, .goes_back = 1, .user = ARKStepSetUserData, .bound = ARKStepSStolerances,
  .bounds = ARKStepSVtolerances, .most = ARKStepSetMaxNumSteps, .first = ARKStepSetInitStep, .longest = ARKStepSetMaxStep,
  .least = ARKStepSetMinStep, .stop = ARKStepSetStopTime, .go = ARKStepEvolve, .inside = ARKStepGetDky,
  .refused = ARKStepGetNumErrTestFails, .drop = ARKStepFree,
};

/* ---- what lies inside the last step of the solver ---- */
/* a turn of nothing makes a unit of a quaternion again */
static void put_right(epi_flow *f, double *q)
{
  epi_system *m = f->sys;
  if (!m->manifold.retract) return;
  double *none = f->work + 2*epi_dim(m), *on = none + epi_nv(m);
  memset(none, 0, (size_t)epi_nv(m)*sizeof *none);
  m->manifold.retract(m, q, none, on);
  memcpy(q, on, (size_t)m->nq*sizeof *q);
}

static int between(epi_flow *f, double t, double *y)
{
  solver *s = f->own;
  if (!s->told) return 1;
  N_VSetArrayPointer(y, s->inside);
  if (s->family->inside(s->memory, s->sign*(t - s->t), 0, s->inside)) return 1;
  put_right(f, y);
  return 0;
}

/* the step that ended at `to`, as one of the flow; work, at its end: y where it began */
static int tell(solver *s, double to, double h)
{
  epi_flow *f = s->flow;
  epi_state *x = s->told;
  int n = epi_dim(f->sys);
  epi_tick end = {s->t + s->sign*to, 0, epi_phase_at(f->sys, s->t, s->theta, s->sign*to)};
  epi_start start = {.mark = epi_mark_of(x), .y = f->work + f->nwork - n};
  memcpy((double *)start.y, x->y, (size_t)n*sizeof(double));
  memcpy(x->y, f->work, (size_t)n*sizeof(double));
  put_right(f, x->y);
  epi_set_clock(x, to == h ? s->end : end);
  return epi_tell(f, f, x, &start);
}

/* ---- steps ---- */
/* one sentence for both: their codes agree */
_Static_assert(CV_TOO_MUCH_WORK == ARK_TOO_MUCH_WORK && CV_TOO_MUCH_ACC == ARK_TOO_MUCH_ACC && CV_ERR_FAILURE == ARK_ERR_FAILURE &&
               CV_CONV_FAILURE == ARK_CONV_FAILURE && CV_NORMAL == ARK_NORMAL, "codes of CVODE and ARKODE");

static const struct { int flag, code; const char *words; } sentences[] = {
  {CV_TOO_MUCH_WORK, EPI_TOO_FAR, "all its steps are used up: take a shorter step, give more steps=, loosen rtol or atol, "
                                  "or where the system is stiff take cvode(method=bdf)"},
  {CV_TOO_MUCH_ACC, EPI_WRONG, "rtol and atol ask for more digits than a double has: loosen them"},
  {CV_ERR_FAILURE, EPI_TOO_FAR, "the tolerance cannot be met: loosen rtol or atol, or look for a singularity or a jump in the force there"},
  {CV_CONV_FAILURE, EPI_TOO_FAR, "its iteration does not converge: look for a singularity or a jump in the force there, "
                                 "or where the system is stiff take method=bdf"},
};

/* where the system was asked last */
static double time_of(const solver *s) { return s->t + s->sign*s->when; }

/* the system said no again and again */
static int refused_by_system(solver *s)
{
  epi_flow *f = s->flow;
  char room[32], why[160];
  /* an average below has said more */
  if (epi_error(f)) return s->code ? s->code : EPI_WRONG;
  if (s->code && f->sys->explain && f->sys->explain(f->sys, why, sizeof why))
    return epi_fail_cause(f, s->code, EPI_MODEL_ENDS, "%s: %s at t = %.10g, and no step is short enough: look at what happens there, or "
                          "end the run before", f->record->name, why, time_of(s));
  if (!s->code)
    return epi_fail_cause(f, EPI_WRONG, EPI_NOT_FINITE, "%s: the rate of %s is not finite at t = %.10g: the last good state is kept; look "
                          "at the force there, or give longest=", f->record->name, epi_coordinate(f->sys, s->lost - 1, room, sizeof room),
                          time_of(s));
  return epi_fail_cause(f, s->code, EPI_REFUSED, "%s: the system asked for a smaller step at t = %.10g and none was small enough (code "
                        "%d): look at what it refuses there, or give longest=", f->record->name, time_of(s), s->code);
}

static int failed(solver *s, int flag)
{
  epi_flow *f = s->flow;
  double t = time_of(s);
  if (s->code < 0) return s->code;
  /* whatever the solver calls it: the last evaluation was refused */
  if (s->code || s->lost) return refused_by_system(s);
  for (size_t i = 0; i < sizeof sentences/sizeof *sentences; i++)
    if (sentences[i].flag == flag) return epi_fail(f, sentences[i].code, "%s at t = %.10g: %s", f->record->name, t, sentences[i].words);
  return epi_fail(f, EPI_WRONG, "%s of SUNDIALS failed at t = %.10g: %s", f->record->name, t, s->said);
}

static void clear(epi_flow *f, void *p) { (void)p; f->fault.words[0] = 0; }

/* a step of the solver is not taken again: what it went through it has gone through */
static int went_through(solver *s, double from, double to, const double *before)
{
  epi_flow *f = s->flow;
  epi_system *m = f->sys;
  double part, t0 = s->t + s->sign*from;
  if (!m->contacts.went_through || !m->contacts.went_through(m, t0, before, s->t + s->sign*to, f->work, &part)) return 0;
  s->stop = epi_fail(f, EPI_TOO_FAR, "%s: a step from t = %.10g on, of %.3g, goes through a contact or turns past it, and no force told it "
                     "so: give longest=, or take tolerance(dop853), which looks for that", f->record->name, t0, to - from);
  return 1;
}

/* one step of the solver after the other */
static int steps_told(solver *s, double tau, double h)
{
  size_t n = (size_t)epi_dim(s->flow->sys);
  double *before = s->flow->work + s->flow->nwork - 2*n, from;
  int flag = 0;
  for (long k = 0; flag >= 0 && tau < h && !s->stop; k++) {
    if (k >= (long)s->flow->arg[STEPS].number) return CV_TOO_MUCH_WORK;
    memcpy(before, s->flow->work, n*sizeof *before);
    from = tau;
    flag = s->family->go(s->memory, h, s->y, &tau, CV_ONE_STEP);
    if (flag >= 0 && !went_through(s, from, tau, before) && s->told) s->stop = tell(s, tau, h);
  }
  return flag;
}

/* from tau to h; first: the first step, 0 where the solver is to find one */
static int span(solver *s, double tau, double h, double first)
{
  const family *k = s->family;
  double given = s->flow->arg[LONGEST_STEP].number, longest = given > 0 ? given : epi_part_of_turn(s->flow->sys, s->t + s->sign*tau);
  double least = 1e-14*h;
  long refused = 0;
  int flag = k->begin(s, tau);
  if (!flag && !s->idle && isfinite(longest)) flag = k->longest(s->memory, longest);
  if (!flag) flag = k->first(s->memory, first);
  /* steps that no longer move tau would be taken for ever */
  if (!flag) flag = k->least(s->memory, fmin(least, longest));
  if (!flag) flag = k->stop(s->memory, h);
  if (!flag) flag = s->told || s->flow->sys->contacts.went_through ? steps_told(s, tau, h) : k->go(s->memory, h, s->y, &tau, CV_NORMAL);
  if (!k->refused(s->memory, &refused)) s->flow->refused += refused;
  return flag;
}

static int step(solver *s, double h)
{
  size_t n = (size_t)epi_dim(s->flow->sys);
  double *y = s->flow->work, *last = y + n, shorter;
  s->noes = s->stuck = s->code = s->lost = 0;
  s->h = h;
  s->said[0] = 0;
  s->reached = 0;
  memcpy(last, y, n*sizeof *y);
  int flag = span(s, 0, h, fmin(s->flow->arg[FIRST_STEP].number, h));
  while (s->family->goes_back && flag == ARK_UNREC_RHSFUNC_ERR && (shorter = 0.5*(s->when - s->reached)) > 1e-14*h) {
    memcpy(y, last, n*sizeof *y);
    s->flow->refused++;
    flag = span(s, s->reached, h, shorter);
  }
  return flag;
}

static int go(epi_flow *f, epi_state *state, double h, long n)
{
  solver *s = f->own;
  size_t size = (size_t)epi_dim(f->sys)*sizeof(double);
  for (; n > 0; n--) {
    epi_tick end = epi_target(f->sys, state, h);
    s->t = state->t;
    s->theta = state->theta;
    s->sign = h < 0 ? -1 : 1;
    s->end = end;
    s->told = f->listener ? state : NULL;
    s->stop = 0;
    memcpy(f->work, state->y, size);
    int flag = step(s, fabs(h));
    s->told = NULL;
    if (s->stop) return s->stop;
    if (flag < 0) return failed(s, flag);
    /* what was refused on the way was made good by smaller steps */
    if (s->noes) epi_visit(f, clear, NULL);
    memcpy(state->y, f->work, size);
    put_right(f, state->y);
    epi_set_clock(state, end);
    epi_moved(f, state);
  }
  return 0;
}

/* ---- building ---- */
static void drop(epi_flow *f)
{
  solver *s = f->own;
  if (!s) return;
  if (s->memory) s->family->drop(&s->memory);
  if (s->iteration) SUNNonlinSolFree(s->iteration);
  if (s->linear) SUNLinSolFree(s->linear);
  if (s->A) SUNMatDestroy(s->A);
  if (s->atol) N_VDestroy(s->atol);
  if (s->inside) N_VDestroy(s->inside);
  if (s->y) N_VDestroy(s->y);
  if (s->context) SUNContext_Free(&s->context);
  epi_jacobian_drop(s->known);
  free(s->values);
}

/* some memory is taken only when a run begins: a run of a system at rest takes it now, and none is taken while stepping */
static int rehearse(solver *s)
{
  int n = epi_dim(s->flow->sys);
  for (int i = 0; i < n; i++) s->flow->work[i] = 1;
  s->idle = 1;
  int flag = span(s, 0, 1, 0);
  s->idle = 0;
  s->flow->refused = 0;
  return flag < 0;
}

static int settle(solver *s)
{
  const family *k = s->family;
  const epi_value *arg = s->flow->arg, *atol = &arg[ATOL];
  if (atol->n) {
    s->atol = N_VClone(s->y);
    if (!s->atol) return 1;
    memcpy(NV_DATA_S(s->atol), atol->list, (size_t)atol->n*sizeof(double));
  }
  int bad = atol->n ? k->bounds(s->memory, arg[RTOL].number, s->atol) : k->bound(s->memory, arg[RTOL].number, atol->number);
  return bad || k->user(s->memory, s) || rehearse(s) || k->most(s->memory, (long)arg[STEPS].number);
}

/* its interpolant is chosen when it is made: once more */
static void open_arkode(epi_flow *f)
{
  solver *s = f->own;
  if (f->broken) return;
  f->dense = 1;
  s->family->drop(&s->memory);
  if (s->atol) N_VDestroy(s->atol);
  s->atol = NULL;
  epi_refuse(f, s->family->make(s) || settle(s), "arkode of SUNDIALS could not be made: out of memory");
}

static void check_options(epi_flow *f, int N)
{
  const epi_value *arg = f->arg, *atol = &arg[ATOL];
  const char *name = f->record->name;
  epi_refuse(f, atol->n && atol->n != N, "%s: atol has %d entries and the state %d: give one number, or one for each", name, atol->n, N);
  for (int i = 0; i < (atol->n ? atol->n : 1); i++) {
    double x = atol->n ? atol->list[i] : atol->number;
    epi_refuse(f, !(x > 0 && isfinite(x)), "%s: atol must be positive; one is %g", name, x);
  }
}

/* SUNDIALS does not survive everywhere that memory runs out: more than it will take is asked for before, and given back */
static int room_enough(long N, int bdf)
{
  void *room = malloc((size_t)(48*N + (bdf ? 4*N*N : 0) + 32768)*sizeof(double));
  free(room);
  return room != NULL;
}

static void build(epi_flow *f, const family *k)
{
  epi_system *m = f->sys;
  int N = epi_dim(m);
  check_options(f, N);
  epi_refuse(f, m->nc > 0, "%s has no form for constraints: %s", f->record->name,
             epi_instead(m, "use verlet, which is RATTLE on a constrained system, or herk4"));
  epi_refuse(f, !m->rate && !epi_has_force(m) && !m->velocity_force,
             "this system has no force, velocity force or rate: fill in one of them");
  if (f->other) epi_semi_check(f);
  long room = (m->manifold.retract ? 2L*N + epi_nv(m) : m->jacobian.slope ? (long)N*N : 0) + (f->other ? N + epi_nv(m) : 0);
  if (f->broken || epi_blocks(f, 0, 4*N + room)) return;
  solver *s = f->own = calloc(1, sizeof *s);
  f->drop = drop;
  if (epi_refuse_memory(f, !s || !room_enough(N, k == &cvode && f->arg[METHOD].number == 1))) return;
  *s = (solver){.family = k, .flow = f};
  int bad = SUNContext_Create(NULL, &s->context);
  if (!bad) s->y = N_VMake_Serial(N, f->work, s->context);
  if (!bad) s->inside = N_VMake_Serial(N, f->work, s->context);
  bad = bad || !s->y || !s->inside || k->make(s) || settle(s);
  if (f->broken) return;
  epi_refuse(f, bad && s->said[0], "%s of SUNDIALS could not be made: %s", f->record->name, s->said);
  epi_refuse(f, bad, "%s of SUNDIALS could not be made: out of memory", f->record->name);
  if (m->derived) m->derived->rtol = f->arg[RTOL].number;
  f->lands = f->safe = f->tells = 1;
  f->between = between;
  f->open = k->open;
  f->go = go;
}

static void cvode_build(epi_flow *f)
{
  double order = f->arg[ORDER].number, most = f->arg[METHOD].number == 1 ? 5 : 12;
  epi_refuse(f, order < 0 || order > most,
             "cvode: order is %g: take 1 to 12 with method=adams, 1 to 5 with method=bdf, or leave it out", order);
  epi_refuse(f, f->arg[METHOD].number != 1 && (f->arg[JACOBIAN].given || f->arg[MATRIX].given),
             "cvode: jacobian and matrix are for method=bdf: adams has no matrix");
  build(f, &cvode);
}

static void arkode_build(epi_flow *f)
{
  double order = f->arg[ORDER].number;
  epi_refuse(f, order < 2 || order > 8 || order == 7, "arkode: order is %g: take 2, 3, 4, 5, 6 or 8", order);
  epi_refuse(f, f->other && (order < 3 || order > 5), "arkode: order is %g: of two systems take 3, 4 or 5", order);
  epi_refuse(f, !f->other && f->arg[ARKODE_MATRIX].given, "arkode: matrix is for two systems, what is explicit and what is stiff, as in "
             "arkode(model.contacts, model.stiff)");
  if (f->other) f->claims &= ~(unsigned)EPI_EXPLICIT;
  build(f, f->other ? &imex : &arkode);
}

#else
static void absent(epi_flow *f)
{
  epi_refuse_cause(f, 1, EPI_ABSENT, "%s is not in this build: install libsundials-dev and build again", f->record->name);
}
static void cvode_build(epi_flow *f) { absent(f); }
static void arkode_build(epi_flow *f) { absent(f); }
#endif

/* ---- the records, with SUNDIALS or without ---- */
#define BOUNDS \
  {.name = "rtol", .value = 1e-6, .doc = "allowed local error relative to each component", \
   .range = {.least = 1e-15, .most = 1, .open = EPI_BELOW}}, \
  {.name = "atol", .value = 1e-9, .doc = "allowed local error where a component is small: a number, or one for each component [..]", \
   .kind = EPI_LIST}
#define LENGTHS \
  {.name = "first", .value = 0, .doc = "first step inside a step of h; found unless given", .range = EPI_NOT_NEGATIVE}, \
  {.name = "longest", .value = 0, .doc = "longest step inside; unless given, less than half a turn of a fast phase", \
   .range = EPI_NOT_NEGATIVE}, \
  {.name = "steps", .value = 100000, .doc = "most steps inside one step of h", .kind = EPI_COUNT, \
   .range = {1, 1e9, .words = ": take a number from 1 to 1e9"}}

static const char *const methods[] = {"adams", "bdf", NULL}, *const jacobians[] = {"found", "links", NULL},
                  *const matrices[] = {"dense", "sparse", NULL};
static const epi_param cvode_params[] = {
  BOUNDS,
  {.name = "order", .value = 0, .doc = "highest order it may use; 12 for adams and 5 for bdf unless given", .kind = EPI_COUNT},
  LENGTHS,
  {.name = "method", .doc = "adams: by fixed-point iteration; bdf: for stiff systems, by Newton with the slope or differences",
   .words = methods, .kind = EPI_WORD},
  {.name = "convergence", .value = 0.1, .doc = "where its iteration stops: at this part of the error that a step may have",
   .range = {0, 1, EPI_ABOVE, ": take a number from 0 to 1, 0.1 is usual"}},
  {.name = "jacobian", .doc = "of bdf; found: the slope where a system has one, or by differences; links: by what contacts return beside "
   "their forces", .words = jacobians, .kind = EPI_WORD},
  {.name = "matrix", .doc = "of bdf; sparse: by KLU, where forces say what they are between", .words = matrices, .kind = EPI_WORD},
  {0}
};
const epi_record epi_CVODE = {
  .name = "cvode", .doc = "variable order and step by CVODE of SUNDIALS; begins anew at every step of h: choose h long",
  .cite = "Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363", .example = "cvode(model, rtol=1e-8, method=bdf)",
  .arrow = EPI_METHOD, .least = 1, .most = 2, .params = cvode_params, .claims = EPI_BACKWARD | EPI_CLOCK | EPI_ADAPTIVE,
  .build = cvode_build,
};

static const epi_param arkode_params[] = {
  BOUNDS,
  {.name = "order", .value = 4, .doc = "order of the Runge-Kutta pair: 2, 3, 4, 5, 6 or 8", .kind = EPI_COUNT},
  LENGTHS,
  {.name = "matrix", .doc = "of two systems; sparse: by KLU", .words = matrices, .kind = EPI_WORD},
  {0}
};
const epi_record epi_ARKODE = {
  .name = "arkode", .doc = "embedded explicit Runge-Kutta pairs by ARKODE of SUNDIALS, with its choice of steps; of two systems "
  "implicit in the second",
  .cite = "Reynolds et al., ACM Trans. Math. Softw. 49 (2023) 19", .example = "arkode(model, order=5)",
  .arrow = EPI_METHOD, .least = 1, .most = 2, .params = arkode_params,
  .claims = EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK | EPI_ADAPTIVE, .build = arkode_build,
};
