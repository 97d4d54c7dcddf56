/* epicycle.h - multiscale, structure-preserving and adaptive time integration of mechanical systems.
 *
 *   A system says what moves: a force, a mass, constraints.  A flow says how its state is moved over a step.
 *   A method turns a system into a flow.  An average turns a flow back into a system.  A wrapper turns a flow into a flow.
 *
 * Read from top to bottom, this header is the tutorial; section 3 is the shortest complete use.
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

#define EPI_VERSION "0.1.0"

typedef struct epi_system epi_system;
typedef struct epi_flow epi_flow;

typedef struct epi_planar { double x, y; } epi_planar;          /* two coordinates by value: they stay in registers */

/* ---- 1. What moves -------------------------------------------------------------------------------------------------
 * Declare a system, fill in what you have, leave the rest zero. The state is y = [ q | v | z ]: positions, velocities,
 * other first-order variables. Callbacks return 0 for good, > 0 for "too far, try a smaller step", < 0 for stop.
 * The library never writes to a system you declare: flows in several threads may share it. Later slots are appended. */
struct epi_system {
  int nq, nv, nz, nc;          /* positions, velocities (0: as many as positions), first-order variables, constraints */

  /* M v' = force + velocity force, q' = v; the signature is the permission: a kick cannot take a force of velocity by mistake */
  int (*force)(epi_system *, double t, const double *q, double *f);                        /* of position; writes f */
  int (*forced)(epi_system *, double t, double theta, const double *q, double *f);         /* instead of force: with a fast phase theta, 2 pi periodic */
  double phase_rate;                                                                       /* d theta/dt, constant ... */
  double (*phase_rate_at)(epi_system *, double t);                                                  /* ... or slowly varying */
  int (*velocity_force)(epi_system *, double t, const double *q, const double *v, double *f);        /* the part that depends on velocity; adds to f */
  int (*rate)(epi_system *, double t, const double *y, double *dy);                        /* or any ODE y' = rate, or z' alone beside a force (then dy has nz entries) */
  int (*forces)(epi_system *, int lanes, const double *t, const double *q, double *f);     /* optional: many states in one call, lane index fastest */

  /* the mass: one of these, or none for unit masses; constant (in the body frame for rotations) */
  const double *mass;                                          /* nv diagonal entries */
  const double *mass_matrix;                                   /* nv x nv, symmetric positive definite, by rows */
  int (*mass_solve)(epi_system *, const double *q, double *a); /* a = M^-1 a */

  /* M v' = force + velocity force + G^T lambda with g(t, q) = 0; dg/dt = G v + gt, G is nc x nv by rows; gt comes zeroed. Many constraints: see touches below */
  int (*constraint)(epi_system *, double t, const double *q, double *g, double *G, double *gt);

  /* rotations: out = q moved by dq (nv entries), the exponential; NULL means q + dq.
     slew gives u' for q = turn(q0, u) moving with velocity v; without it u' is found by differences of turn */
  void (*retract)(epi_system *, const double *q, const double *dq, double *out);
  void (*retract_rate)(epi_system *, const double *u, const double *v, double *du);

  /* for implicit methods; by differences where absent. With forces: A (nv x nv) = a dF/dq + b dF/dv, F = force + velocity force.
     With a rate: A (n x n) = a d rate/dy. A comes zeroed, by rows */
  int (*slope)(epi_system *, double t, const double *y, double a, double b, double *A);

  double (*energy)(epi_system *, double t, const double *y);
  double (*kinetic)(epi_system *, double t, const double *y);
  double (*potential)(epi_system *, double t, const double *y);
  /* what a step density should follow, Q > 0: steps go as 1/Q. grad (nv entries for q, nv for v, nz) comes as not-a-number: leave it so
     where you have no gradient, and the derivative is found by differences */
  int (*objective)(epi_system *, double t, const double *y, double *Q, double *grad);

  int ng, impulsive;                /* gaps of contacts; hard: no force keeps them open, so methods that would ignore them refuse */
  int (*gap)(epi_system *, double t, const double *q, double *g, double *G);

  double period;               /* the fast period where known (0: from phase_rate) */
  int irreversible;                  /* may not run backward: strong damping, impacts */
  int accel;                   /* force and velocity force return accelerations; the mass is then only the metric of constraints */
  const char *const *names;    /* nq + nv + nz coordinate names, or NULL */
  void *data;                  /* yours */
  struct epi_derived_system *derived;       /* leave zero: set when the library made this system */

  /* many constraints, each of few velocities: constraint c touches the velocities touches[starts[c]] ... touches[starts[c+1]-1],
     and G then holds one number for each of these, in this order (diagonal mass or none) */
  const int *rowptr, *cols;
  /* how g changes when q moves by dq in the time h, without cancellation: keeps multipliers clean when steps are tiny */
  int (*constraint_increment)(epi_system *, double t, double h, const double *q, const double *dq, double *dg);
  double theta0;               /* the phase at the start: where the windows of averages begin, unless they are told otherwise */
  /* the fast velocity that belongs to a slow state: v (nv) from slow Q, P at phase theta; for averages with start=lift */
  int (*lift)(epi_system *, double t, double theta, const double *Q, const double *P, double *v);
  /* q' = speed(v), where the kinetic energy is not quadratic: v in the state is then the momentum, v' = force, and no mass is given */
  int (*speed)(epi_system *, double t, const double *v, double *dq);
  int (*log_force)(epi_system *, double t, const double *q, double *f);   /* optional: force/|potential|, where that is cheaper than both; for scaled */
  epi_planar (*log_planar)(epi_system *, double t, epi_planar q);            /* the same for nq = 2, by value, which is a third faster */
  const double *stiffness;     /* ng entries: of the contacts behind the gaps; for objective=contact */
  int (*explain)(epi_system *, char *out, size_t size);    /* after a callback has said no: the reason in words, part of the sentence; 0 if there is none */
  const char *const *units;    /* nq + nv + nz units of the coordinates ("m/s", "" where there is none), or NULL */
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
   every h: give it the whole span */
EPI_API int epi_run(epi_flow *, epi_state *, double end, double h);

/* moves a state onto the constraints of its system: positions to g = 0, velocities to G v + gt = 0, the shortest way in the mass */
EPI_API int epi_settle(epi_flow *, epi_state *);

/* the sentence, or NULL when all is well */
EPI_API const char *epi_error(const epi_flow *);
EPI_API void epi_free(epi_flow *);

/* what epi_advance and epi_run return, and what your own callbacks may return */
enum {
  EPI_DONE = 0,
  EPI_TOO_FAR = 1,             /* any positive number: the step is too long here */
  EPI_WRONG = -1,              /* the request or the composition was wrong; any negative number a callback returned */
  EPI_STOPPED = -1000          /* a watch or an event ended the run: not an error, and epi_error is NULL */
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
} epi_table;

/* a function that watch shows the state to, after steps and at outputs, not at the start; or that at calls at an event, where it may
   change the state: at(verlet, of=0, direction=down, hit=mine). Nonzero stops the run with EPI_STOPPED */
typedef int epi_see(void *data, const epi_system *, epi_state *);
typedef double epi_gap(void *data, double t, const double *y);               /* an event is where this is zero; or an objective Q of density */
typedef double epi_kernel(void *data, double x);                             /* weight of a window at -1 < x < 1, even; any scale */
typedef double epi_scale(void *data, double T, double V);                    /* length of a step from kinetic and potential energy, > 0; for scaled */

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
} epi_name;
EPI_API epi_flow *epi_make_named(const char *text, const epi_name *names);

/* ---- 5. Looking ----------------------------------------------------------------------------------------------------*/
/* the text that makes this flow again; returns its length, writes at most size bytes with the closing zero */
EPI_API size_t epi_text(const epi_flow *, char *out, size_t size);

/* y at a time inside the last step of a flow whose root is `dense(...)` */
EPI_API int epi_between(epi_flow *, double t, double *y);

/* what a flow with a time of its own keeps beside the state, at its last whole step. density: the density rho, its rate d log Q/dt, a width of contacts;
   scaled: the energy H0 and two marks; variational: E0, a width; twin: H0, q and v of the two copies, a width, a way. Writes at most n numbers and returns how many there are */
EPI_API int epi_extra_state(const epi_flow *, double *out, int n);

typedef struct epi_param {     /* one option of a method or parameter of a model */
  const char *name, *unit;
  double value;                /* the default; the index of the default word where there are words */
  const char *doc;
  const char *const *words;    /* the words it may be, NULL-terminated; NULL: a number */
  int kind;                    /* EPI_NUMBER ... */
} epi_param;
enum { EPI_NUMBER, EPI_COUNT, EPI_LIST, EPI_WORD, EPI_GIVEN, EPI_COORDINATE };  /* COUNT: whole; LIST: also one number; GIVEN: a name of yours;
                                                                                    WORD: one of words, or for a kernel a name of yours */

enum { EPI_METHOD, EPI_AVERAGE, EPI_WRAPPER, EPI_COMBINE };                  /* the arrows: S->F, F->S, F->F, S->S */
enum {                         /* claims; every one is measured by the tests */
  EPI_SYMPLECTIC = 1, EPI_SYMMETRIC = 2, EPI_REVERSIBLE = 4, EPI_EXPLICIT = 8, EPI_BACKWARD = 16,
  EPI_ESTIMATE = 32,           /* estimates its own error */
  EPI_CLOCK = 64,              /* moves time */
  EPI_WATCHES = 128, EPI_TAPS = 256
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
} epi_record;
EPI_API const epi_record *const *epi_records(void);                          /* NULL-terminated */
EPI_API const epi_record *epi_record_of(const char *name);

typedef struct epi_info {      /* one node of a tree */
  const epi_record *record;
  int depth, order;
  unsigned claims;
  long steps, calls, refused;  /* steps taken, force or rate evaluations made here, steps refused */
  const char *text;            /* its own options, as text */
  double shortest, longest;    /* the steps it chose, where it chooses; else 0 */
  long others, slopes;         /* evaluations of its second system, where it takes two; Jacobians made here */
  long chosen;                 /* how many steps it chose since it was made or loaded, where it chooses */
} epi_info;
EPI_API void epi_walk(const epi_flow *, void (*visit)(void *data, const epi_info *), void *data);
EPI_API long epi_calls(const epi_flow *);                                    /* force or rate evaluations in the whole tree */
EPI_API const char *epi_claims_text(unsigned claims, char *out, size_t size); /* "symplectic, symmetric, ..." */
EPI_API int epi_size(const epi_system *);                                    /* nq + nv + nz */

/* ---- 6. Stopping and going on, bit by bit --------------------------------------------------------------------------
 * A checkpoint is one frame: magic, version, length, content, checksum. Frames may be appended to one another; load takes
 * the last whole one after the current position, so a damaged tail costs the tail only. */
EPI_API int epi_save(epi_flow *, const epi_state *, FILE *);
EPI_API int epi_load(epi_flow *, epi_state *, FILE *);
/* the same framing for anything: kind is yours (1 is a flow's); read returns the length, -1 at the end or at damage, -2 when memory
   is short; *out is malloc'ed */
EPI_API int epi_frame_write(FILE *, unsigned kind, const void *content, size_t size);
EPI_API long epi_frame_read(FILE *, unsigned *kind, void **out);

/* ---- 7. Models by name ---------------------------------------------------------------------------------------------
 *   epi_case *c = epi_case_make("kepler(e=0.6)");
 *   epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=6)");     // NULL text: the model's own flow
 *   epi_state s = epi_case_state(c);                                  // y belongs to the case and starts again here
 */
typedef struct epi_case epi_case;
struct epi_scene;
typedef struct epi_observable {
  const char *name, *unit;
  double (*value)(const epi_case *, const epi_state *);                      /* reads t, theta, y */
  int invariant;               /* constant along the exact motion */
  double (*observe)(const epi_case *, const epi_state *, int which);            /* instead of value, where many are alike ... */
  int which;                   /* ... and this is one of them */
} epi_observable;
EPI_API double epi_observe(const epi_case *, const epi_observable *, const epi_state *);       /* its value at a state, by value or by look */
typedef struct epi_model {
  const char *name, *doc, *cite;
  const epi_param *params;
  int (*make)(epi_case *);     /* fills system, y, names from c->p; returns 0, or writes c->error */
  const epi_observable *observables;                                         /* ends with a NULL name */
  int (*exact)(const epi_case *, double t, double *y);                       /* NULL where none is known; 0 on success */
  const char *flow;            /* a sensible default */
  double step, end;
  void (*draw)(const epi_case *, const epi_state *, struct epi_scene *);      /* what it looks like, see section 10; or NULL */
} epi_model;
struct epi_case {
  const epi_model *model;
  double *p;                   /* parameter values in the order of model->params */
  epi_system system;
  double *y, t, theta;         /* initial state */
  double step, end;            /* defaults, for these parameters */
  epi_name *parts;             /* "model" and "model.part" for the text; ends with a zero entry */
  char *blocks[8];             /* memory of the case, freed with it */
  struct epi_world *world;     /* bodies, freed with the case; or NULL */
  char error[256];
};
EPI_API const epi_model *const *epi_models(void);                            /* NULL-terminated */
EPI_API epi_case *epi_case_make(const char *text);                           /* NULL only when memory is out; else see error */
EPI_API epi_flow *epi_case_flow(epi_case *, const char *text);
EPI_API epi_state epi_case_state(epi_case *);
EPI_API void epi_case_free(epi_case *);

/* a model of your own is a record like those of the library; `epicycle new NAME` prints one to begin with. Text: the parameters, "(k=3, m=2)", or NULL */
EPI_API epi_case *epi_case_of(const epi_model *, const char *text);
/* for its make: zeroed memory, freed with the case (NULL after writing the error); room for the start y, once the sizes of the system are known; "model: words"
   into the error; parameter i must be positive; a world (section 9) as the case, which has it from there on. 0 on success, -1 otherwise */
EPI_API void *epi_case_room(epi_case *, size_t count, size_t size);
EPI_API int epi_case_start(epi_case *);
EPI_API int epi_case_refuse(epi_case *, const char *words, ...);
EPI_API int epi_case_positive(epi_case *, int i);
EPI_API int epi_case_world(epi_case *, struct epi_world *);
/* in a file of yours, at its end: EPI_MODEL = {.name = "mine", .make = make, ...}; and `epicycle run mine.c` compiles it, finds it and runs it */
#define EPI_MODEL \
  EPI_API extern const char epicycle_version[]; const char epicycle_version[] = EPI_VERSION; \
  EPI_API extern const epi_model epicycle_model; const epi_model epicycle_model

/* ---- 8. Measuring --------------------------------------------------------------------------------------------------
 * What a flow claims, measured on your own system from your own state, with a step near h at which its error shows:
 *   epi_measured m = epi_measure(f, &s, 0.1, EPI_SYMPLECTIC);
 *   if (m.holds == 0) printf("not symplectic here: %g, where %g is allowed\n", m.value, m.allowed);
 * claim is one of EPI_SYMMETRIC (steps there and back), EPI_REVERSIBLE (there, velocities turned round, back), EPI_SYMPLECTIC (the
 * tangent map J of a step keeps dq ^ dp, p = M v), or 0: the order. It is measured a little after the state, where a start at rest
 * hides nothing. The state is not moved, and the memory of the flow is put back; only its counters go on. */
typedef struct epi_measured {
  double value;                /* the order; or how far the claim is missed, relative to the motion */
  double allowed;              /* what rounding leaves; of the order: how much less than claimed */
  double step;                 /* the step it was measured with */
  int holds;                   /* 1 yes, 0 no, -1 not measured */
  char why[320];               /* why it was not measured, or why it fails where that is known */
} epi_measured;
EPI_API epi_measured epi_measure(epi_flow *, const epi_state *, double h, unsigned claim);

/* the fastest small oscillation of the system about a state, in radians per time, constraints and rotations included; *decay: the
   fastest decay, where asked for. NaN where the forces cannot be had there */
EPI_API double epi_frequency(epi_flow *, const epi_state *, double *decay);

/* ---- 9. Bodies, forces, connections --------------------------------------------------------------------------------
 * A world is a list of rigid bodies and of what acts on them and between them. It becomes systems: `model`, and for methods that treat
 * them apart `model.contacts` (what is expensive and not stiff) and `model.stiff`.
 *   epi_world *w = epi_world_make();
 *   int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.1}});
 *   epi_add_gravity(w, (double[]){0, 0, -9.81});
 *   epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = 0.02, .normal = {0, 0, 1}, .law = {.K = 1e9}});
 *   epi_flow *f = epi_world_flow(w, "semi(model.contacts, model.stiff)");
 *   epi_state s = epi_world_state(w);
 * Position, unit quaternion (body to space), velocity, angular velocity in the body: nq = 7, nv = 6 for each body, and its modes after. */
typedef struct epi_world epi_world;
enum { EPI_GROUND = -1 };
typedef struct epi_body {
  const char *name;
  double mass, inertia[3];     /* principal moments, about the centre of mass */
  double at[3], attitude[4];   /* all zero: no rotation */
  double velocity[3], spin[3]; /* spin in the body */
  /* flexible coordinates e beside the rigid ones: modal masses, stiffnesses, dampings; they move by themselves until a connection of yours couples them */
  int modes;
  const double *modal_mass, *modal_stiffness, *modal_damping;
} epi_body;

/* where a body is, as forces and connections see it */
typedef struct epi_pose {
  double r[3], R[9], v[3], w[3];       /* position, rotation (body to space, by rows), velocity, angular velocity in space */
  const double *e, *de;                /* flexible coordinates and their rates */
} epi_pose;

/* what acts: the force on a, its moments about the centres of a and of b (b gets -force); in space. The rest are by-products, a Jacobian for
   nothing: what a contact is, and how fast its forces change */
typedef struct epi_action {
  double force[3], moment[2][3];
  double depth, load, normal[3], point[3];     /* penetration (negative: open), normal force, from a into b, where */
  double stiffness, damping, traction;         /* d load/d depth, d load/d speed, slope of the traction in the slip */
  double energy, loss;                         /* stored; turned into heat per time */
} epi_action;
typedef int epi_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);   /* out comes zeroed */
enum { EPI_EXPENSIVE = 1, EPI_STIFF = 2, EPI_CONSERVATIVE = 4 };               /* CONSERVATIVE: of positions alone, and energy is its potential */

EPI_API epi_world *epi_world_make(void);                                       /* NULL only when memory is out */
EPI_API void epi_world_free(epi_world *);
EPI_API const char *epi_world_error(const epi_world *);                        /* the first thing that was wrong, or NULL */
EPI_API int epi_add_body(epi_world *, const epi_body *);                       /* its number, or -1; all add_ functions copy what they are given */
EPI_API void epi_add_gravity(epi_world *, const double *g);
/* any action of yours, between a and b or on a alone (b = EPI_GROUND); data is copied */
EPI_API int epi_add_action(epi_world *, const char *name, int a, int b, unsigned kind, epi_act *, const void *data, size_t size);

typedef struct epi_applied_force {      /* a force and torque on a body, constant, or a function of time */
  const char *name;
  int body;
  double force[3], torque[3], at[3];           /* in space; at in the body */
  double (*of)(void *data, double t);          /* factor, or NULL */
  void *data;
} epi_applied_force;
EPI_API int epi_add_load(epi_world *, const epi_applied_force *);

typedef struct epi_spring {    /* between two points, along their line */
  const char *name;
  int a, b;
  double at_a[3], at_b[3], length, stiffness, damping;
} epi_spring;
EPI_API int epi_add_spring(epi_world *, const epi_spring *);

/* what a joint holds: directions of the point, turns about axes, of its frame on b; together with |. Or the distance of its two points: a rod */
enum { EPI_X = 1, EPI_Y = 2, EPI_Z = 4, EPI_RX = 8, EPI_RY = 16, EPI_RZ = 32, EPI_POINT = 7, EPI_TURNS = 56, EPI_ALL = 63, EPI_HINGE = 31, EPI_SLIDER = 62, EPI_ROD = 64 };
enum { EPI_PENALTY, EPI_CONSTRAINT };
typedef struct epi_joint {
  const char *name;
  int a, b, hold, as;          /* hold: EPI_HINGE (about z), EPI_POINT, ...; as: one word between stiff springs and true constraints */
  double at_a[3], at_b[3], frame_a[4], frame_b[4];     /* the point in each body, the frame in each; all zero: no rotation */
  double stiffness[2], damping[2];                     /* of the penalty: for directions, for turns */
  double speed;                                        /* the frame turns about its z with this speed ... */
  double (*angle)(void *data, double t, double *rate); /* ... or by this angle */
  void *data;
  double length;                                       /* of a rod */
} epi_joint;
EPI_API int epi_add_joint(epi_world *, const epi_joint *);

/* contact: Q = K depth^power (1 + chi depth'), friction mu Q slip/sqrt(slip^2 + vs^2), over slices of the ellipse where there are any */
typedef struct epi_law {
  double K, power, chi, mu, vs;                /* power 0: 1.5 */
  int slices;                                  /* of the contact ellipse: 0 for a point */
  double ellipse, curvature;                   /* semi-axis = ellipse sqrt(depth); of the deformed surface, 1/m */
  int waves;
  const double *wave;                          /* amplitude, waves per turn, phase: added to the depth by the angle in b's frame */
  int (*own)(const void *data, double depth, double speed, double *load, double *slope, double *damping);   /* a normal law of yours instead */
  const void *data;
} epi_law;
enum { EPI_SPHERE_PLANE, EPI_SPHERE_SPHERE, EPI_SPHERE_GROOVE, EPI_SPHERE_POCKET, EPI_CIRCLE_IN_BORE };
typedef struct epi_contact {
  const char *name;
  int shape, a, b;
  double radius;               /* of the sphere a; of the land: of the circle on a that touches */
  double other;                /* of the sphere b, of the groove's profile */
  double circle;               /* radius of the circle of groove centres about b's z axis */
  double clearance;            /* of a pocket or land */
  double at[3], normal[3];     /* in b: a point of the plane and its normal; axis of the pocket. Of a land: at is its centre in a */
  epi_law law;
} epi_contact;
EPI_API int epi_add_contact(epi_world *, const epi_contact *);

/* Hertz point contact of two bodies with principal radii in two planes (rx along rolling, ry across; negative: hollow) */
typedef struct epi_hertz { double K, ellipse, k, E, F; } epi_hertz;            /* Q = K d^1.5, semi-axis = ellipse sqrt(d); ellipticity, integrals */
enum { EPI_BREWE_HAMROCK, EPI_ELLIPTIC };
EPI_API epi_hertz epi_hertz_of(double Rx, double Ry, double modulus, int by);  /* curvature sums 1/Rx, 1/Ry as radii; modulus E' = 2/((1-n1^2)/E1 + (1-n2^2)/E2) */

EPI_API epi_system *epi_world_system(epi_world *);                             /* `model` */
EPI_API const epi_name *epi_world_names(epi_world *);                           /* the three systems by name, for epi_make_named; ends with a zero entry */
EPI_API epi_flow *epi_world_flow(epi_world *, const char *text);
EPI_API epi_state epi_world_state(epi_world *);                                /* y belongs to the world and starts again here */
EPI_API int epi_world_action(epi_world *, const epi_state *, int which, epi_action *);   /* an action, contact, spring, load or joint by its number, at a state;
                                                                                  a joint held by constraints has its forces from s->lambda, after a step with it */
EPI_API int epi_case_action(const epi_case *, const epi_state *, int which, epi_action *);   /* the same of the world of a case, at any state: there a joint
                                                                                  held by constraints has its forces from the motion itself */
EPI_API epi_pose epi_world_pose(epi_world *, const epi_state *, int body);
EPI_API int epi_world_find(const epi_world *, const char *name);               /* number of a body (b) or of what acts, by name; -1 if none */

/* ---- 10. Showing ---------------------------------------------------------------------------------------------------
 * What a model looks like at a state: a list of shapes, always the same ones in the same order, only their places change.
 *   static void draw(const epi_case *c, const epi_state *s, epi_scene *scene)
 *   {
 *     epi_show(scene, &(epi_shape){.name = "rod", .kind = EPI_BAR, .size = {0.02}, .to = {sin(s->y[0]), 0, -cos(s->y[0])}});
 *     epi_show(scene, &(epi_shape){.name = "bob", .kind = EPI_BALL, .size = {0.1}, .at = {sin(s->y[0]), 0, -cos(s->y[0])}});
 *   }
 * Up is z. A world draws itself from its contacts, springs and joints; epi_add_shape gives a body a look of its own. */
enum {                         /* kinds, and their size */
  EPI_BALL,                    /* radius */
  EPI_BOX,                     /* lengths along its x, y, z */
  EPI_CYLINDER,                /* radius, length; along its z, about its middle */
  EPI_CONE,                    /* radius, height; tip at its place, opening along its z */
  EPI_RING,                    /* inner and outer radius, width; a hollow cylinder along z */
  EPI_RACE,                    /* radius of its plain side (bore or outside), of its shoulder, width, radius of the groove, of the circle of groove centres */
  EPI_CAGE,                    /* inner and outer radius, width, number of pockets (radial holes, the first along x), their radius */
  EPI_BAR,                     /* radius; from `at` to `to` */
  EPI_COIL,                    /* radius, turns; a spring from `at` to `to` */
  EPI_ARROW,                   /* at its place, `to` is the vector in its own unit: the picture scales all arrows of one unit alike; 0: not to be seen */
  EPI_FLOOR                    /* lengths along its x and y; its z points out */
};
enum { EPI_PLAIN, EPI_STEEL, EPI_BRASS, EPI_DARK, EPI_GLASS, EPI_BRIGHT };     /* looks; GLASS lets one see through */
typedef struct epi_shape {
  const char *name, *unit;     /* unit: of an arrow */
  int kind, appearance;
  double size[5];
  double at[3], attitude[4];   /* unit quaternion, shape to space; all zero: no rotation */
  double to[3];
  int trail;                   /* 1: leaves its path behind */
} epi_shape;
typedef struct epi_scene { int n, room; epi_shape *shape; } epi_scene;           /* n: how many were shown, of which room are kept */
EPI_API void epi_show(epi_scene *, const epi_shape *);
EPI_API int epi_case_draw(const epi_case *, const epi_state *, epi_scene *);     /* the number of shapes; 0: this model has no look */
EPI_API int epi_add_shape(epi_world *, int body, const epi_shape *);            /* in the frame of the body (EPI_GROUND: of space); 0 on success */
EPI_API int epi_world_draw(const epi_world *, const epi_state *, epi_scene *);   /* shapes, springs, rods, and an arrow for every contact */

#ifdef __cplusplus
}
#endif
#endif
