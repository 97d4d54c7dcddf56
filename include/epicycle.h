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
#define EPI_ABI_VERSION 3

typedef struct epi_system epi_system;
typedef struct epi_flow epi_flow;

typedef struct epi_planar { double x, y; } epi_planar;          /* two coordinates by value: they stay in registers */

/* what acts between two groups of velocities, a and b, such as a contact between two bodies: which they are, at[i] ... at[i] + n[i] - 1,
   at most six each (n = 0: none, as of the ground), and what it is called in sentences */
typedef struct epi_link_ends { const char *name; int at[2], n[2]; } epi_link_ends;
/* ... and what contact routines know of it beside its force. Rows of G make of the velocities of a (0 ... 5) and of b (6 ... 11) the speed
   of closing and the slip in two directions across it: the force is -G^T (load, traction) */
typedef struct epi_link {
  double load, stiffness, damping;     /* d load/d depth and d load/d speed, not negative; load is for sentences alone */
  double slope[3];                     /* d traction/d slip: 11, 12 = 21, 22 */
  double G[3][12];                     /* is not looked at where stiffness, damping and slope are zero */
} epi_link;

/* a mode: a velocity that a spring and a damper of its own move, and nothing else of its system: force = -stiffness q - damping v */
typedef struct epi_mode { int q, v; double stiffness, damping; } epi_mode;

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
  /* optional: force (or forced) at many states in one call: lane k has t[k], theta[k], q[i*lanes + k] and answers f[i*lanes + k]; for
     methods whose evaluations do not wait for one another, such as picard */
  int (*forces)(epi_system *, int lanes, const double *t, const double *theta, const double *q, double *f);

  /* a fast phase theta: forced instead of force, 2 pi periodic in theta */
  int (*forced)(epi_system *, double t, double theta, const double *q, double *f);
  double phase_rate;                                                   /* d theta/dt, constant ... */
  double (*phase_rate_at)(epi_system *, double t);                     /* ... or slowly varying */
  double theta0;               /* the phase at the start: where the windows of averages begin, unless they are told otherwise */
  double period;               /* the fast period where known (0: from phase_rate; beside that, a whole number of its turns) */
  /* the fast velocity that belongs to a slow state: v (nv) from slow Q, P at phase theta; for averages with start=lift */
  int (*lift)(epi_system *, double t, double theta, const double *Q, const double *P, double *v);

  /* the mass: one of these, or none for unit masses; constant (in the body frame for rotations) */
  const double *mass;                                                  /* nv diagonal entries */
  const double *mass_matrix;                                           /* nv x nv, symmetric positive definite, by rows */
  int (*mass_solve)(epi_system *, const double *q, double *a);         /* a = M^-1 a */
  int accel;                   /* 1: the forces are accelerations; the mass is the metric of constraints only, energies have their own */
  /* q' = speed(v), where the kinetic energy is not quadratic: v in the state is then the momentum, v' = force, and no mass is given */
  int (*speed)(epi_system *, double t, const double *v, double *dq);

  /* constraints: M v' = forces + G^T lambda with g(t, q) = 0; dg/dt = G v + gt, G is nc x nv by rows; gt comes zeroed.
     Of many constraints, each of few velocities, G holds the entries of a pattern in compressed rows: constraint c has the velocities
     cols[rowptr[c]] ... cols[rowptr[c+1]-1], and G one number for each of these, in this order (diagonal mass or none) */
  int (*constraint)(epi_system *, double t, const double *q, double *g, double *G, double *gt);
  const int *rowptr, *cols;
  /* how g changes when q moves by dq in the time h, without cancellation: keeps multipliers clean when steps are tiny */
  int (*constraint_increment)(epi_system *, double t, double h, const double *q, const double *dq, double *dg);
  /* how fast dg/dt changes where v stays as it is; h: a step that resolves the motion, for differences over a part of it; 0: there is none,
     and what would need them returns 1. NULL: found by differences of G v + gt */
  int (*constraint_bend)(epi_system *, double t, double h, const double *q, const double *v, double *out);
  /* what constraint c is called in sentences: "the length of rod 2". NULL: by its number */
  void (*constraint_name)(epi_system *, int c, char *out, size_t size);

  /* rotations: out = q moved by dq (nv entries), the exponential; NULL means q + dq. retract_rate gives u' for q = retract(q0, u) moving
     with velocity v; without it u' is found by differences of retract */
  void (*retract)(epi_system *, const double *q, const double *dq, double *out);
  void (*retract_rate)(epi_system *, const double *u, const double *v, double *du);

  /* derivatives, for implicit methods; by differences where absent. With forces: A (nv x nv) = a dF/dq + b dF/dv, F = force +
     velocity_force. With a rate: A (n x n) = a d rate/dy. A comes zeroed, by rows */
  int (*slope)(epi_system *, double t, const double *y, double a, double b, double *A);
  /* with slope, where each velocity feels few others: A then has the entries of a pattern in compressed rows, columns ascending. A velocity
     without entries feels no force of this system at all. For the second system of semi (diagonal mass or none) */
  int (*slope_rows)(epi_system *, double t, const double *y, double a, double b, double *A);
  const int *slope_rowptr, *slope_cols;

  /* energies, for diagnostics and for methods that stand on them */
  double (*energy)(epi_system *, double t, const double *y);
  double (*kinetic)(epi_system *, double t, const double *y);
  double (*potential)(epi_system *, double t, const double *y);
  /* optional: force/|potential|, where that is cheaper than both; for scaled */
  int (*log_force)(epi_system *, double t, const double *q, double *f);
  epi_planar (*log_planar)(epi_system *, double t, epi_planar q);           /* the same for nq = 2, by value, which is a third faster */
  /* what a step density should follow, Q > 0: steps go as 1/Q. grad (nv entries for q, nv for v, nz) comes as not-a-number: leave it so
     where you have no gradient, and the derivative is found by differences */
  int (*objective)(epi_system *, double t, const double *y, double *Q, double *grad);

  /* contacts as gaps; impulsive: no force keeps them open, so methods that would ignore them refuse */
  int ng, impulsive;
  int (*gap)(epi_system *, double t, const double *q, double *g, double *G);
  const double *stiffness;     /* ng entries: of the contacts behind the gaps; for objective=contact */
  /* optional: was something gone through between two states, the ends of one step, of which no force told? 1, and after what part of the
     step; 2 where the step is too long to say. For flows that choose their steps, which then take a shorter one */
  int (*went_through)(epi_system *, double t0, const double *y0, double t1, const double *y1, double *part);

  /* optional: times, ascending, at which a force of the time bends or jumps, as the points of a table; chosen steps do not go over them */
  int nbreaks;
  const double *breaks;

  /* what it is */
  int irreversible;            /* may not run backward: strong damping, impacts */
  int smooth;                  /* forces have no kink or jump, in time or elsewhere: what looks for these may save its evaluations */
  const char *const *names;    /* nq + nv + nz coordinate names, or NULL */
  const char *const *units;    /* their units ("m/s", "" where there is none), or NULL */
  /* after a callback has said no: the reason in words, part of the sentence; 0 if there is none, 2 where the remedy is in it */
  int (*explain)(epi_system *, char *out, size_t size);
  void *data;                  /* yours */
  struct epi_derived_system *derived;    /* leave zero: set when the library made this system */

  /* optional: all forces, force + velocity_force, written to f, and beside them, in the same sweep, the links they come from: derivatives
     for nothing, for methods that take one sweep a step, such as nam. Stiffness, damping and slope of all `links` come zeroed: leave those
     that are open so, and those you know nothing of. Diagonal mass or none, and no fast phase */
  int links;
  const epi_link_ends *link_ends;      /* which velocities each is between: the same at all times */
  int (*linked_force)(epi_system *, double t, const double *q, const double *v, double *f, epi_link *);

  /* optional: velocities of this system that are modes; as the second system of nam it moves them exactly, however fast they swing */
  int modes;
  const epi_mode *mode;

  /* optional: how far positions may be moved where forces are to change by their slope alone, beside contacts that are microns deep; 0: a
     millionth of their size */
  double probe;

  /* optional: where constraint or velocity_force take the fast phase from t, because they are not told theta. 1: as theta0 + phase_rate t;
     averages whose windows start at one phase whatever the time refuse such a system. 2: as theta0 + phase_rate t + phase_shift, or, where
     phase_held is not 0, as theta0 + phase_shift with the rate 0. Averages set these two in a copy of the system, to put the phase where
     their windows start; leave them zero. Such callbacks ask the system they are called with, not one that data leads to */
  int phase_in_t, phase_held;
  double phase_shift;
  /* optional, with retract: of all numbers that mean the position q, those nearest to `of`. A unit quaternion and its negative are one
     rotation, and a body that turns once in a fast period comes back as the other of them */
  void (*nearest)(epi_system *, const double *of, double *q);
  /* 1: forces of velocity take energy away, as damping and friction do */
  int dissipative;
  /* optional: forces, of systems that differ in their numbers: lane k is that of of[k], and all have this very callback. What force (or
     forced) gives in the same bits; so that cases of a sweep and epicycle/lanes.h can move many in one call */
  int (*forces_of)(epi_system *const *of, int lanes, const double *t, const double *theta, const double *q, double *f);
};

/* ---- 2. Where it is ------------------------------------------------------------------------------------------------
 * Start as {.t = t0, .y = y}; y is your array of nq + nv + nz numbers and is moved in place. Time is in the state. */
typedef struct epi_state {
  double t, *y;
  double theta;                /* fast phase at t, in radians, advanced with t */
  double *impulse;             /* nc entries to which the impulses of the constraints, lambda times time, are added, or NULL */
  double *lambda;              /* 2 nc entries for the multipliers of the last step of verlet (RATTLE), or NULL: positions, velocities */
  struct {                     /* leave zero: keys of cached forces, taps of averages, trial steps, what rounding left of t */
    const epi_flow *mover;
    long moves, kicks;
    const double *tap;
    double *sum;
    int trial, quiet, landing;
    double rest, land, land_rest, land_theta;
  } key;
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

/* the cause of an error or of a warning: the number that programs decide by, as the words of a sentence may change. New causes are added
   at the end */
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
EPI_API epi_cause epi_cause_of(const epi_flow *);                            /* of epi_error; EPI_NO_CAUSE where that is NULL */
EPI_API epi_cause epi_warning_cause(const epi_flow *, int i);                /* of epi_warning; EPI_NO_CAUSE beyond the last */
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

typedef struct epi_range {     /* the numbers that an option or parameter may be; all zero: any */
  double least, most;          /* most: EPI_UNBOUNDED where there is no upper end */
  unsigned open;               /* EPI_ABOVE, EPI_BELOW: without that end */
  const char *words;           /* what a refusal says after the number; NULL: made of the ends */
} epi_range;
#define EPI_UNBOUNDED 1.7976931348623157e308
enum { EPI_ABOVE = 1, EPI_BELOW = 2 };
#define EPI_POSITIVE {0, EPI_UNBOUNDED, EPI_ABOVE, 0}
#define EPI_NOT_NEGATIVE {0, EPI_UNBOUNDED, 0, 0}

typedef struct epi_param {     /* one option of a method or parameter of a model */
  const char *name, *unit;
  double value;                /* the default; the index of the default word where there are words */
  const char *doc;
  const char *const *words;    /* the words it may be, NULL-terminated; NULL: a number */
  int kind;                    /* EPI_NUMBER ... */
  unsigned takes;              /* EPI_TAKES_KERNEL ...: what of yours, given by its name, this option may be */
  epi_range range;             /* checked where a value is given */
} epi_param;
enum {
  EPI_NUMBER, EPI_COUNT,       /* COUNT: a whole one */
  EPI_LIST,                    /* also one number */
  EPI_WORD,                    /* one of words, or what it takes */
  EPI_GIVEN,                   /* what it takes alone */
  EPI_COORDINATE,              /* by name or number */
  EPI_FILE                     /* the path of a file, of letters, digits and . - _ /; for parameters of models */
};
enum { EPI_TAKES_TABLE = 1, EPI_TAKES_SEE = 2, EPI_TAKES_GAP = 4, EPI_TAKES_KERNEL = 8, EPI_TAKES_SCALE = 16 };    /* members of epi_name */

enum { EPI_METHOD, EPI_AVERAGE, EPI_WRAPPER, EPI_COMBINE };                  /* the arrows: S->F, F->S, F->F, S->S */
enum {                         /* claims; every one is measured by the tests */
  EPI_SYMPLECTIC = 1, EPI_SYMMETRIC = 2, EPI_REVERSIBLE = 4, EPI_EXPLICIT = 8, EPI_BACKWARD = 16,
  EPI_ESTIMATE = 32,           /* estimates its own error */
  EPI_CLOCK = 64,              /* moves time */
  EPI_WATCHES = 128,           /* a function of yours is called on the way */
  EPI_TAPS = 256,              /* sums velocities as it goes, for averages: see epicycle/method.h */
  EPI_ADAPTIVE = 512           /* chooses its step sizes for its option rtol, and atol if it has one: --tol gives these */
};
typedef struct epi_record {    /* one method, average or wrapper; the registry is a list of these */
  const char *name, *doc, *cite, *example;
  int arrow;
  int least, most;             /* how many systems (methods) or flows (the others) it takes */
  const epi_param *params;     /* ends with a NULL name */
  int order;                   /* 0: what it is made of decides, or it moves only a part of the system, exactly */
  unsigned claims;
  const void *table;
  void (*build)(epi_flow *);
  /* EPI_COMBINE: the system made of two, an epi_derived_system; of one: NULL, and build makes it as that of an average */
  epi_system *(*combine)(const struct epi_record *, epi_system *a, epi_system *b);
  unsigned abi;                /* of a record of yours: EPI_METHOD_ABI, from epicycle/method.h */
  const struct epi_facets *facets;     /* of a record of the library; NULL in yours */
} epi_record;
EPI_API const epi_record *const *epi_records(void);                          /* NULL-terminated */
EPI_API const epi_record *epi_record_of(const char *name);
/* what a name of an earlier version is called today; or NULL */
EPI_API const char *epi_name_now(const char *old);

typedef struct epi_info {      /* one node of a tree */
  const epi_record *record;
  int depth, order;
  unsigned claims;
  long steps, calls, refused;  /* steps taken, force or rate evaluations made here, steps refused */
  const char *text;            /* its own options, as text */
  double shortest, longest;    /* the steps it chose, where it chooses; else 0 */
  long others, slopes;         /* evaluations of its second system, where it takes two; Jacobians made here */
  long chosen;                 /* how many steps it chose, where it chooses */
  const epi_flow *node;        /* NULL: a system made of others */
} epi_info;
EPI_API void epi_walk(const epi_flow *, void (*visit)(void *data, const epi_info *), void *data);
EPI_API long epi_calls(const epi_flow *);                                    /* force or rate evaluations in the whole tree */
EPI_API const char *epi_claims_text(unsigned claims, char *out, size_t size); /* "symplectic, symmetric, ..." */
EPI_API const char *epi_range_text(const epi_range *, char *out, size_t size); /* "> 0", "2 to 12", ">= 0, < 1"; "" for any */
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

/* the rest of the library: models by name, measuring, bodies, pictures. epicycle/method.h is for authors of methods */
#include "epicycle/scene.h"
#include "epicycle/model.h"
#include "epicycle/measure.h"
#include "epicycle/choose.h"
#include "epicycle/body.h"
#include "epicycle/result.h"
#include "epicycle/abi.h"
#endif
