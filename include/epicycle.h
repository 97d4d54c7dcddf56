/* epicycle.h - multiscale, structure-preserving and adaptive time integration of mechanical systems.
 *
 *   A system says what moves: a force, a mass, constraints.  A flow says how its state is moved over a step.
 *   A method turns a system into a flow.  An average turns a flow back into a system.  A wrapper turns a flow into a flow.
 *
 * Read from top to bottom, this header is the tutorial. A first program needs four things: a system (1), its state (2), a flow made from
 * a text and run (3), and what epi_error says.
 * Every function that can fail returns 0 for success, and epi_error says in one sentence what went wrong and what to do. */
#ifndef EPICYCLE_H
#define EPICYCLE_H
#include <stdio.h>

#if defined(__GNUC__)
#define EPI_API __attribute__((visibility("default")))
#else
#define EPI_API
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define EPI_VERSION "0.2.0"
#define EPI_ABI_VERSION 4

typedef struct epi_system epi_system;
typedef struct epi_flow epi_flow;

#include "epicycle/cause.h"
#include "epicycle/capability.h"
#include "epicycle/record.h"

/* ---- 1. What moves -------------------------------------------------------------------------------------------------
 * Declare a system, fill in what you have, leave the rest zero. The state is y = [ q | v | z ]: positions, velocities,
 * other first-order variables. A first program needs nq and a force:
 *
 *   static int force(epi_system *s, double t, const double *q, double *f) { f[0] = -sin(q[0]); return 0; }
 *   epi_system pendulum = {.nq = 1, .force = force};
 *
 * Callbacks return 0 for success, > 0 for "too far, try a smaller step", < 0 for stop. The library never writes to a system you
 * declare: flows in several threads may share it. */
struct epi_system {
  /* sizes: positions, velocities (0: as many as positions), first-order variables, constraints */
  int nq, nv, nz, nc;

  /* forces: M v' = force + velocity_force, q' = v. The signature is the permission: a kick cannot take a force of velocity by mistake */
  int (*force)(epi_system *, double t, const double *q, double *f);                        /* of position; writes f */
  /* the part that depends on velocity; adds to f */
  int (*velocity_force)(epi_system *, double t, const double *q, const double *v, double *f);
  /* or any ODE y' = rate; or z' alone beside a force (dy has nz entries) */
  int (*rate)(epi_system *, double t, const double *y, double *dy);
  const double *mass;          /* nv diagonal entries; NULL: ones */

  /* constraints: M v' = forces + G^T lambda with g(t, q) = 0; dg/dt = G v + gt, G is nc x nv by rows; gt comes zeroed */
  int (*constraint)(epi_system *, double t, const double *q, double *g, double *G, double *gt);
  double (*energy)(epi_system *, double t, const double *y);           /* for diagnostics */
  /* after a callback has said no: the reason in words, part of the sentence; 0 if there is none, 2 where the remedy is in it */
  int (*explain)(epi_system *, char *out, size_t size);
  const char *const *names;    /* nq + nv + nz coordinate names, or NULL */
  const char *const *units;    /* their units ("m/s", "" where there is none), or NULL */
  void *data;                  /* yours */

  /* that is all most systems need. What follows says more, each record in epicycle/capability.h */
  epi_phase phase;             /* a fast phase: forced instead of force, its rate, its period */
  epi_inertia inertia;         /* a mass that is not diagonal, or a kinetic energy that is not quadratic */
  epi_constraints constraints; /* the pattern of many constraints, what they are called */
  epi_manifold manifold;       /* rotations: how positions are moved */
  epi_jacobian jacobian;       /* derivatives of the forces */
  epi_energies energies;       /* kinetic and potential energy; what steps should follow */
  epi_contacts contacts;       /* gaps and links */
  epi_batch batch;             /* many states in one call */
  epi_uncoupled_modes modes;   /* velocities that swing by themselves */
  epi_traits traits;           /* smooth, dissipative, irreversible; times at which a force jumps */
  const void *reserved[4];     /* for records of later versions: leave zero */
  struct epi_derived_system *derived;    /* leave zero: set when the library made this system */
};

/* the phase as a callback that is not told theta is to take it, see phase_in_t of epi_phase */
static inline double epi_phase_now(const epi_system *s, double t)
{
  return s->phase.theta0 + s->phase.shift + (s->phase.held ? 0 : s->phase.phase_rate*t);
}

/* ---- 2. Where it is ------------------------------------------------------------------------------------------------
 * Start as {.t = t0, .y = y}; y is your array of nq + nv + nz numbers and is moved in place. Time is in the state. */
typedef struct epi_state {
  double t, *y;
  double theta;                /* fast phase at t, in radians, advanced with t */
  double *impulse;             /* nc entries to which the impulses of the constraints, lambda times time, are added, or NULL */
  double *lambda;              /* 2 nc entries for the multipliers of the last step of verlet (RATTLE), or NULL: positions, velocities */
  epi_key key;                 /* leave zero: the library's */
} epi_state;

/* ---- 3. Moving it --------------------------------------------------------------------------------------------------
 *   epi_flow *f = epi_make("symmetric(verlet, order=8)", &system);
 *   if (epi_run(f, &state, 100.0, 0.1)) fprintf(stderr, "%s\n", epi_error(f));
 *   epi_free(f);
 *
 * A flow is written as text: name(flows or systems, options). `verlet` means `verlet(model)`. `epicycle list` prints the
 * names, `epicycle show NAME` the options; docs/methods.md has them all. A flow that cannot work is never NULL: it says
 * why in epi_error and refuses to move. A flow belongs to one thread. */
EPI_API epi_flow *epi_make(const char *text, epi_system *model);

/* n steps of h. The bits do not depend on how n is split over calls. On failure the last good state is kept */
EPI_API int epi_advance(epi_flow *, epi_state *, double h, long n);

/* steps of h until t = end, the last one shortened to land there. A flow that chooses its own steps (tolerance, cvode) lands after
   every h: give it the whole span, and watch and at still see all that happens inside it. With clock=own (density, scaled, ...) h is a step
   of its own time, and the last one is the first that is not before the end */
EPI_API int epi_run(epi_flow *, epi_state *, double end, double h);

/* the run under way, or else the next one, ends soon with EPI_STOPPED, also inside a long step: for a signal handler or another thread. The
   state is that of the last whole step (of a tolerance at the root that was given the whole span: of the last step it chose), and the same
   call goes on to the same bits. Outputs of a watch inside the step that was undone are shown again when it is taken again */
EPI_API void epi_stop(epi_flow *);

/* moves a state onto the constraints of its system: positions to g = 0, velocities to G v + gt = 0, the shortest way in the mass; the start
   of an adiabatic system becomes the slow one */
EPI_API int epi_settle(epi_flow *, epi_state *);

/* the sentence, or NULL when all is well */
EPI_API const char *epi_error(const epi_flow *);
/* warning i of the run so far, NULL beyond the last: the run went on, and what it gives is doubtful */
EPI_API const char *epi_warning(const epi_flow *, int i);

/* their causes (epicycle/cause.h): numbers that programs decide by, as the words may change */
EPI_API epi_cause epi_cause_of(const epi_flow *);                            /* EPI_NO_CAUSE where there is no error */
EPI_API epi_cause epi_warning_cause(const epi_flow *, int i);                /* EPI_NO_CAUSE beyond the last */
EPI_API void epi_free(epi_flow *);

/* what epi_advance and epi_run return, and what your own callbacks may return */
enum {
  EPI_DONE = 0,
  EPI_TOO_FAR = 1,             /* any positive number: the step is too long here */
  EPI_WRONG = -1,              /* the request or the composition was wrong; any negative number a callback returned */
  EPI_STOPPED = -1000          /* a watch, an event or epi_stop ended the run: not an error, and epi_error is NULL */
};

/* ---- 4. Giving names to what you bring -----------------------------------------------------------------------------
 * Systems, flows, tables and functions of yours are used in the text by the names you give them:
 *   epi_name names[] = {{.name = "model", .system = &s}, {.name = "print", .see = print_row, .data = stdout}, {0}};
 *   epi_make_named("watch(tolerance(dopri5, rtol=1e-9), see=print, every=0.1)", names);
 * A flow given by name is taken over: it may be used once and is freed with the tree, also when the text has no use for it. */
typedef struct epi_table {     /* a Runge-Kutta method; explicit if a is strictly lower triangular */
  const char *name;
  int order, stages;
  const double *a, *b;         /* stages x stages by rows; stages */
  const double *a2;            /* for velocities, where they have their own matrix (partitioned methods) */
  const double *e, *e2;        /* b minus the embedded weights, or NULL; a second estimate to blend with */
  int estimate;                /* power of h in the error estimate */
  const double *dense;         /* weights of the interpolant: row i holds stage i's polynomial in x, powers 1, 2, ... */
  int degree;
  unsigned claims;
  int more;                    /* stages of the interpolant alone, asked only where one looks inside the step; dense has their rows too */
  const double *more_a;        /* their rows, of stages + more numbers each */
} epi_table;

/* a function that watch shows the state to, after steps and at outputs, not at the start; or that at calls at an event, where it may
   change the state: at(verlet, of=0, direction=down, hit=mine). Nonzero stops the run with EPI_STOPPED */
typedef int epi_see(void *data, const epi_system *, epi_state *);
typedef double epi_gap(void *data, double t, const double *y);            /* an event is where this is zero; or an objective Q of density */
typedef double epi_kernel(void *data, double x);                             /* weight of a window at -1 < x < 1, even; any scale */
typedef double epi_scale(void *data, double T, double V);          /* length of a step from kinetic and potential energy, > 0; for scaled */

typedef struct epi_name {
  const char *name;            /* NULL ends the list */
  epi_system *system;
  epi_flow *flow;
  const epi_table *table;
  epi_see *see;
  epi_gap *gap;
  void *data;                  /* handed to see, gap, kernel and scale */
  epi_kernel *kernel;
  epi_scale *scale;
  const struct epi_record *record;     /* a method, wrapper or average of yours, see epicycle/method.h; its own name is the same */
  const struct epi_contact_kind *contact;      /* kinds of yours for model files, see epicycle/body.h: `shape: mine`, ... */
  const struct epi_joint_kind *joint;          /* ... `hold: mine`, ... */
  const struct epi_load_kind *load;            /* ... and `kind: mine` of loads and springs */
} epi_name;
EPI_API epi_flow *epi_make_named(const char *text, const epi_name *names);

/* ---- 5. Looking ----------------------------------------------------------------------------------------------------*/
/* the text that makes this flow again; returns its length, writes at most size bytes with the closing zero */
EPI_API size_t epi_text(const epi_flow *, char *out, size_t size);

/* y at a time inside the last step of a flow whose root is `dense(...)` */
EPI_API int epi_between(epi_flow *, double t, double *y);

/* events: each at(...) of a flow finds where a function of the state is zero. epi_on_event: from now on `see` is told of every event, in
   the order of time and before hit may change the state; y is the state there, and lives as long as the call. NULL: of none */
typedef struct epi_event {
  const char *name;            /* of the coordinate, or of your function */
  long number;                 /* 1, 2, ... of this at */
  int direction;               /* 1: up, -1: down */
  double t, theta;
  const double *y;
} epi_event;
EPI_API void epi_on_event(epi_flow *, void (*see)(void *data, const epi_event *), void *data);
EPI_API long epi_events(const epi_flow *);                                   /* how many there were; a checkpoint has the number too */
EPI_API const char *epi_event_name(const epi_flow *, int i);                 /* of the i-th at in the text, NULL beyond the last */

/* what a flow with a time of its own keeps beside the state, at its last whole step: densities, levels of the energy, a second copy.
   Writes at most n numbers and returns how many there are; and what entry i is, NULL beyond the last */
EPI_API int epi_extra_state(const epi_flow *, double *out, int n);
EPI_API const char *epi_extra_state_name(const epi_flow *, int i);

/* the nodes of a tree, from the root on: epicycle/record.h has epi_info, and the records of all methods, averages and wrappers */
EPI_API void epi_walk(const epi_flow *, void (*visit)(void *data, const epi_info *), void *data);
EPI_API long epi_calls(const epi_flow *);                                    /* force or rate evaluations in the whole tree */
EPI_API int epi_size(const epi_system *);                                    /* nq + nv + nz */

/* ---- 6. Stopping and going on, bit by bit --------------------------------------------------------------------------
 * A checkpoint is one frame: magic, version, length, content, checksum. Frames may be appended to one another; load takes
 * the last whole one after the current position, so a damaged tail costs the tail only. */
EPI_API int epi_save(epi_flow *, const epi_state *, FILE *);
EPI_API int epi_load(epi_flow *, epi_state *, FILE *);
/* the same framing for anything: kind is yours (1 is a flow's, 2 a result's); read returns the length, -1 at the end or at damage, -2 when
   memory is short, -3 when the file cannot be read; *out is malloc'ed */
EPI_API int epi_frame_write(FILE *, unsigned kind, const void *content, size_t size);
EPI_API long epi_frame_read(FILE *, unsigned *kind, void **out);

#ifdef __cplusplus
}
#endif

/* the rest of the library: models by name, measuring, bodies, pictures. Five doors lead to all of it: epicycle/capability.h (more of a
   system), world.h (bodies), study.h (models, runs, choices, sweeps), extend.h (methods and formulas of yours), bind.h (other languages,
   files, pages) */
#include "epicycle/scene.h"
#include "epicycle/model.h"
#include "epicycle/measure.h"
#include "epicycle/choose.h"
#include "epicycle/body.h"
#include "epicycle/result.h"
#include "epicycle/abi.h"
#endif
