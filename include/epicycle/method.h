/* method.h - for authors of methods, wrappers and averages: the inside of a flow, with the same powers as the library's own.
 *
 *   static int go(epi_flow *f, epi_state *s, double h, long n) { ... }       n steps of h
 *   static void build(epi_flow *f)
 *   {
 *     epi_refuse(f, !epi_has_force(f->sys), "mine needs a force of position: use rk4");
 *     if (epi_blocks(f, 0, epi_nv(f->sys))) return;      no kept memory; scratch for an acceleration in f->work
 *     f->go = go;
 *   }
 *   static const epi_record mine = {.name = "mine", .doc = "...", .example = "mine(model)", .abi = EPI_METHOD_ABI,
 *                                   .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2,
 *                                   .claims = EPI_CLOCK | EPI_BACKWARD | EPI_SYMMETRIC, .build = build};
 *   epi_name names[] = {{.name = "mine", .record = &mine}, {.name = "model", .system = &s}, {0}};
 *   epi_flow *f = epi_make_named("tolerance(mine, rtol=1e-6)", names);
 *
 * A claim is a promise: EPI_CLOCK, it moves time (a part such as a kick does not); EPI_BACKWARD, steps of -h undo; EPI_ESTIMATE, it writes
 * its local error to f->err; EPI_TAPS, its loop adds s->key.tap[k] v to s->key.sum after step k, which averages use; EPI_ADAPTIVE, it
 * chooses its step sizes for its option rtol, and atol if it has one, which --tol gives. A wrapper hands on those of its kids that stay
 * true: f->claims = f->kid[0]->claims & (EPI_CLOCK | EPI_BACKWARD | ...).
 * Options, text, checkpoints, counters and refusals follow from the record; epi_measure measures what it claims.
 * examples/own-method.c is a whole one. In a file with EPI_NAMES the command takes it too: `epicycle run kepler --with mine.c --flow
 * mine`. */
#ifndef EPICYCLE_METHOD_H
#define EPICYCLE_METHOD_H
#include "../epicycle.h"
#include <math.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { EPI_WORD_SIZE = 48 };           /* the longest name in a text, with the closing zero */

/* ---- A node --------------------------------------------------------------------------------------------------------
 * An option as given, or its default */
typedef struct epi_value {
  double number;                       /* for a word: its index */
  const double *list;                  /* for a list: n numbers, owned by the node */
  int n, given;                        /* given: it stood in the text */
  epi_name name;                       /* for a thing of the user's */
  char word[EPI_WORD_SIZE];            /* as it stood in the text, where a name did */
} epi_value;

enum { EPI_BY_FORCE = 1, EPI_BY_VELOCITY_FORCE = 2 };        /* parts of a system that a flow moves by */

struct epi_start;                      /* where a step began, see below */
typedef struct epi_space epi_space;    /* a prepared system: mass factor, sparsity, closed forms; made once, shared by the nodes over it */

struct epi_flow {
  const epi_record *record;
  /* set by build: n steps of h. The rest is optional */
  int (*go)(epi_flow *, epi_state *, double h, long n);
  int (*leap)(epi_flow *, epi_state *, double h, long n, const double *c, int stages);   /* fused verlet: n steps of leaps c[i] h */
  int (*between)(epi_flow *, double t, double *y);   /* its own interpolant inside the last step, or NULL */
  /* its steps pass over many fast periods: *T is the one that begins at this state, shown as it moves at some places of it; NULL: they do
     not, or nobody is to see it */
  int (*turn)(epi_flow *, const epi_state *, double *T, void (*see)(void *, epi_state *), void *);
  int (*prepare)(epi_flow *, epi_state *, double sign);                  /* what changes the state before a step is tried */
  int (*deliver)(epi_flow *, epi_state *, const void *start);            /* a watch shows a step once it is accepted */
  int (*hears)(epi_flow *, epi_flow *by, epi_state *, const struct epi_start *);     /* told of a step inside its kid, see epi_listen */
  void (*open)(epi_flow *);            /* somebody will look inside its steps: what must be made for it */
  void (*doubt)(epi_flow *);           /* called when warnings are asked for: what can be judged only at the end of a run */
  void (*drop)(epi_flow *);            /* frees what is not in the blocks */
  /* of a checkpoint: not 0 where no run can go on from what was kept; NULL: all but NaN will do. s: the state of the root */
  int (*unsound)(const epi_flow *, const epi_state *s);
  /* what it saw of the run, nseen numbers: in checkpoints like the counters, and not rolled back; in: not 0 where they cannot be */
  void (*seen_out)(const epi_flow *, double *to);
  int (*seen_in)(epi_flow *, const double *from);
  int (*knows)(const epi_flow *, const epi_state *);     /* whether a cache that is valid has the force in it; NULL: it has */

  epi_system *sys, *other;             /* other: the second system of a method of two */
  epi_space *space, *other_space;      /* the same, prepared */
  char called[2][EPI_WORD_SIZE];       /* their names in the text, where not the usual one */
  epi_flow **kid;
  int nkid, shown, kid_room;           /* kids beyond `shown` were made by the node itself and are not in its text */
  int owned;                           /* has a parent */
  int dense;                           /* a parent wants the interpolant */
  int safe;                            /* when it fails, the state is that of its last accepted step */
  int own_time;                        /* steps in a time of its own: no composition can be put around it */
  int adjoint;                         /* it is the adjoint of its kid */
  int lands;                           /* takes many steps inside one */
  int tells;                           /* ... and tells of each, or hands on what its kid tells: epi_tell */
  int blind;                           /* its steps ask for no force where they end */
  epi_flow *listener;                  /* who is told */
  int order, estimate;                 /* estimate: power of h in the error it can give */
  unsigned claims, parts;              /* parts: what of its system it moves by */
  epi_value *arg;                      /* one per parameter of the record, in its order */

  double *keep, *work;                 /* keep: histories, checkpointed and rolled back; work: scratch */
  long nkeep, nwork, below;            /* below: what the kids and all under them keep */
  long nseen, seen_below;              /* seen_below: root: of all nodes */
  long repeats;                        /* an average: evaluations to come that were made before a run was stopped, and counted */
  long steps, calls, refused, moves;   /* counters, per node */
  long others, slopes;                 /* evaluations of the second system; Jacobians */
  double shortest, longest;            /* the steps it chose, where it chooses */
  long chosen;                         /* how many, since it was made */
  const epi_flow *by;                  /* the force (or rate) in work belongs to the state moved so */
  long at, kicks;
  double *err;                         /* an adaptive parent wants the local error here (twice the size if nerr is 2) */
  int nerr;
  int whole;                           /* it can cross a fast period in one step, and tells a parent who wants it ... */
  double *moved;                       /* ... here what each coordinate moved by, and after that the rounding in it ... */
  const double *allowed;               /* ... which may be off by this; NULL: by what its own options say */
  int rough;                           /* ... or by more than in the last one that began then, of which it may use what it knows */
  int passing;                         /* ... and it keeps nothing of this one: the next will be of another motion */
  void *own;                           /* what the kind of node needs besides; freed with it */

  struct epi_derived_system *derives;  /* an average: the slow system it makes */
  double *guard;                       /* root: the last good state and the kept memory of the tree */
  long nguard, block;                  /* block: steps between two of them */
  int asked;                           /* root: somebody asked it to stop */
  const int *stop;                     /* that of the root while it runs */
  const int *heeds;                    /* root: the wish of another, which is obeyed instead of its own; or NULL */
  long done;                           /* root: whole steps since the last guard, where it counts them */
  int settles;                         /* 1: takes a start that its slow constraints do not hold yet, and puts it there */
  int resumes;                         /* a step that was stopped on its way can go on to its end */
  char warning[EPI_SENTENCE_SIZE];     /* what the user should know of a run that goes on: epi_warn */
  epi_cause warning_cause;
  int dear;                            /* 1: the warning is of cost alone, and no doubt of the result */
  int broken;                          /* the sentence below was there before the first step */
  epi_fault fault;
};

/* a system that the library or an average makes; freed with the last flow that holds it */
typedef struct epi_derived_system {
  epi_system sys;
  const epi_record *record;
  int refs, mark;                      /* mark: seen on this walk */
  epi_flow *inner;                     /* the node of the average that makes it; its kid is the micro flow */
  epi_system *part[2];                 /* a sum's terms */
  char called[2][EPI_WORD_SIZE];
  epi_fault fault;
  void (*drop)(struct epi_derived_system *);
  void *own;
  /* of a root: before the first step, what it learns of the start, which it may move; and after every step that stays, the same. nc may be
     too large until the start is known */
  int (*start)(struct epi_derived_system *, epi_state *);
  int (*accepted)(struct epi_derived_system *, epi_state *);
  const char *instead;                 /* the remedy where a method has no form for such a system; NULL: what the method says */
  double rtol;                         /* what the flow that moves it asks for, where that chooses its steps: an average knows errors that
                                          no step shows, and says where they are larger */
} epi_derived_system;

/* a record was compiled for this layout of a record and of a node */
#define EPI_METHOD_ABI ((unsigned)(sizeof(epi_record)/8u*0x1000000u + EPI_ABI_VERSION*0x10000u + sizeof(epi_flow)*8u \
                                   + sizeof(epi_derived_system) % 8u))

/* ---- For build ------------------------------------------------------------------------------------------------------ */
/* kept and scratch numbers, zeroed; 0 on success, else the error says so */
EPI_API int epi_blocks(epi_flow *, long keep, long work);
/* where `when` holds, the composition is refused with this sentence, which names the remedy; returns whether it is refused. The cause is
   EPI_COMPOSITION, or that of the second; the third says that memory is out */
EPI_API int epi_refuse(epi_flow *, int when, const char *words, ...) __attribute__((format(printf, 3, 4)));
EPI_API int epi_refuse_cause(epi_flow *, int when, epi_cause, const char *words, ...) __attribute__((format(printf, 4, 5)));
EPI_API int epi_refuse_memory(epi_flow *, int when);
EPI_API const epi_value *epi_arg(const epi_flow *, const char *name);         /* an option by its name */
EPI_API epi_flow *epi_leaf(const epi_record *, epi_space *);                  /* a method with its defaults, for a node's own use */
EPI_API int epi_adopt(epi_flow *parent, epi_flow *kid);                       /* append a kid the node made itself; 0 on success */
EPI_API long epi_keep_size(const epi_flow *);                                 /* numbers kept by a node and all below it */
EPI_API void epi_keep_out(const epi_flow *, double *to);
EPI_API void epi_keep_in(epi_flow *, const double *from);
EPI_API void epi_forget(epi_flow *);                                          /* zeroes what is kept */

/* ---- For steps ------------------------------------------------------------------------------------------------------ */
static inline int epi_go(epi_flow *f, epi_state *s, double h, long n) { f->steps += n; return f->go(f, s, h, n); }
/* the sentence of a step that failed; returns the code: EPI_TOO_FAR, or negative to stop. Its cause is EPI_TOO_LONG where the code is
   positive, else EPI_OTHER_CAUSE; or that of the second */
EPI_API int epi_fail(epi_flow *, int code, const char *words, ...) __attribute__((format(printf, 3, 4)));
EPI_API int epi_fail_cause(epi_flow *, int code, epi_cause, const char *words, ...) __attribute__((format(printf, 4, 5)));
/* the same into a fault: those of projections below, which a node gives its own */
EPI_API int epi_fault_record(epi_fault *, int code, epi_cause, const char *words, ...) __attribute__((format(printf, 4, 5)));
EPI_API void epi_clear_error(epi_flow *);                                     /* forgets what was said of steps that failed */
/* the run goes on, and this sentence is told at its end: what is doubtful and what would help. The first one of a node stays */
EPI_API void epi_warn(epi_flow *, const char *words, ...) __attribute__((format(printf, 2, 3)));
EPI_API void epi_warn_cause(epi_flow *, epi_cause, const char *words, ...) __attribute__((format(printf, 3, 4)));

/* a long loop looks here now and then, and where this is not 0 returns EPI_INTERRUPTED, as it would return any code below zero; the step is
   undone at the root */
enum { EPI_INTERRUPTED = -1001 };
static inline int epi_stopping(const epi_flow *f) { return f->stop && __atomic_load_n(f->stop, __ATOMIC_RELAXED); }

/* the larger, and NaN if either is: fmax would hide it */
#if defined __aarch64__ && defined __GNUC__
/* compilers branch here, and which is larger cannot be foretold */
static inline double epi_larger(double a, double b)
{
  __asm__("fmax %d0, %d0, %d1" : "+w"(a) : "w"(b));
  return a;
}
#else
static inline double epi_larger(double a, double b) { return a >= b ? a : isnan(a) ? a : b; }
#endif

/* sizes, and what a system has */
static inline int epi_nv(const epi_system *s) { return s->nv ? s->nv : s->nq; }
static inline int epi_dim(const epi_system *s) { return s->nq + epi_nv(s) + s->nz; }
/* steps of such a system between two looks at epi_stopping */
static inline long epi_look_every(const epi_system *s) { int n = epi_dim(s); return n < 16 ? 256 : 4096/n + 1; }
static inline int epi_has_force(const epi_system *s) { return s->force || s->phase.forced; }
/* rate moves all of y, not z alone */
static inline int epi_all_rate(const epi_system *s) { return s->rate && !epi_has_force(s) && !s->velocity_force; }

/* who moved what: the key of every cached force. After moving q call epi_moved; a force kept in work is used again while it is valid */
static inline void epi_moved(epi_flow *f, epi_state *s) { s->key.mover = f; s->key.moves = ++f->moves; }
static inline int epi_cache_valid(const epi_flow *f, const epi_state *s)
{
  return s->key.mover && f->by == s->key.mover && f->at == s->key.moves;
}
static inline int epi_cache_valid_all(const epi_flow *f, const epi_state *s) { return epi_cache_valid(f, s) && f->kicks == s->key.kicks; }
static inline void epi_cache_store(epi_flow *f, const epi_state *s)
{
  f->by = s->key.mover;
  f->at = s->key.moves;
  f->kicks = s->key.kicks;
}
/* the force in work was written over and not finished: it belongs to no state, also not to the one a failed step goes back to */
static inline int epi_cache_lost(epi_flow *f, int code) { f->by = NULL; return code; }
static inline void epi_cache_invalidate(epi_state *s) { s->key.mover = NULL; }

/* everything a step may change in the state besides y: to go back to */
typedef struct { double t, rest, theta; const epi_flow *mover; long moves, kicks; } epi_mark;
static inline epi_mark epi_mark_of(const epi_state *s)
{
  epi_mark m = {s->t, s->key.rest, s->theta, s->key.mover, s->key.moves, s->key.kicks};
  return m;
}
static inline void epi_back_to(epi_state *s, epi_mark m)
{
  s->t = m.t;
  s->theta = m.theta;
  s->key.rest = m.rest;
  s->key.mover = m.mover;
  s->key.moves = m.moves;
  s->key.kicks = m.kicks;
  s->key.landing = 0;
}

/* where a step of h ends: epi_set_clock(s, epi_target(f->sys, s, h)) at its end. What rounding leaves of t is carried along, so that a
   million steps do not lose the clock. A composition tells its last part where to land (epi_land), so that the time of the state and of
   the force cached for it are one and the same to the bit, whatever the parts before left of rounding */
typedef struct { double t, rest, theta; } epi_tick;
EPI_API double epi_phase_turned(const epi_system *, double t, double h);      /* integral of the phase rate over [t, t + h] */
static inline double epi_wrap(double theta)
{
  const double turn = 6.28318530717958647692;
  if (theta > turn && theta < 1.5*turn) return theta - turn;
  return theta > turn || theta < -turn ? remainder(theta, turn) : theta;
}
static inline double epi_phase_at(const epi_system *m, double t, double theta, double h)
{
  return m->phase.forced ? epi_wrap(theta + epi_phase_turned(m, t, h)) : theta;
}
static inline epi_tick epi_target(const epi_system *m, epi_state *s, double h)
{
  double dt = h + s->key.rest, t = s->t + dt;
  epi_tick end = {t, dt - (t - s->t), 0};
  if (!s->key.landing) { end.theta = epi_phase_at(m, s->t, s->theta, h); return end; }
  s->key.landing = 0;
  end.t = s->key.land, end.rest = s->key.land_rest, end.theta = s->key.land_theta;
  return end;
}
static inline void epi_land(epi_state *s, epi_tick end)
{
  s->key.landing = 1;
  s->key.land = end.t;
  s->key.land_rest = end.rest;
  s->key.land_theta = end.theta;
}
static inline void epi_set_clock(epi_state *s, epi_tick end) { s->t = end.t; s->key.rest = end.rest; s->theta = end.theta; }

/* what --stats and the like are told of the steps a node chose */
static inline void epi_chose(epi_flow *f, double h)
{
  double size = fabs(h);
  f->chosen++;
  if (!(f->shortest > 0) || size < f->shortest) f->shortest = size;
  if (size > f->longest) f->longest = size;
}

/* ---- Forces and rates of a prepared system; those that take a flow are counted there --------------------------------- */
EPI_API int epi_space_accel(epi_space *, double t, double theta, const double *q, double *a);
EPI_API int epi_space_accel_all(epi_space *, double t, double theta, const double *q, const double *v, double *a);
EPI_API int epi_space_rate(epi_space *, double t, double theta, const double *y, double *dy);
EPI_API int epi_space_chart_rate(epi_space *, double t, double theta, const double *q0, const double *x, double *dx, double *work);
/* a = M^-1 force */
static inline int epi_accel(epi_flow *f, double t, double theta, const double *q, double *a)
{
  f->calls++;
  return epi_space_accel(f->space, t, theta, q, a);
}
/* a = M^-1 (force + velocity force) */
static inline int epi_accel_all(epi_flow *f, double t, double theta, const double *q, const double *v, double *a)
{
  f->calls++;
  return epi_space_accel_all(f->space, t, theta, q, v, a);
}
/* dy for y = [ q | v | z ], q' = v */
static inline int epi_rate_at(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  f->calls++;
  return epi_space_rate(f->space, t, theta, y, dy);
}
/* the same for x = (u, v, z) with q = retract(q0, u); without rotations x is y itself */
static inline int epi_chart_rate(epi_flow *f, double t, double theta, const double *q0, const double *x, double *dx, double *work)
{
  f->calls++;
  return epi_space_chart_rate(f->space, t, theta, q0, x, dx, work);
}
EPI_API int epi_chart_dim(const epi_system *);
EPI_API long epi_chart_room(const epi_system *);
EPI_API void epi_chart_in(const epi_system *, const double *y, double *x);
EPI_API void epi_chart_out(epi_system *, const double *q0, const double *x, double *y, double *work);
EPI_API void epi_shift(epi_system *, const double *q, double h, const double *v, double *out, double *tmp);     /* out = q moved by h v */

/* ---- Masses and constraints of a prepared system ---------------------------------------------------------------------- */
EPI_API void epi_apply_inverse_mass(epi_space *, const double *q, double *a);                      /* forces into accelerations, in place */
EPI_API long epi_G_size(const epi_space *);                                                     /* numbers of G: dense, or of the pattern */
EPI_API long epi_A_size(const epi_space *);                                                       /* of the normal matrix */
EPI_API int epi_constraint_eval(epi_system *, double t, const double *q, double *g, double *G, double *gt);
EPI_API void epi_G_inverse_mass(epi_space *, const double *q, const double *G, double *W);         /* W = G M^-1 */
EPI_API void epi_G_mul(const epi_space *, const double *G, const double *v, double *x);            /* x += G v */
EPI_API void epi_Gt_mul(const epi_space *, const double *W, const double *x, double *d);           /* d = W^T x */
/* x = (s G W^T)^-1 x; 1 + which constraint, if one has no gradient. G0 is the gradient that W is made of: where constraints
   depend on each other it tells how; x is then one of many that move the same */
EPI_API int epi_normal_solve(epi_space *, double s, const double *G, const double *G0, const double *W, double *A, double *x);
/* of constraints that depend on each other, behind a solve: the smallest x that move the same */
EPI_API void epi_least_multipliers(const epi_space *, const double *G0, const double *W, double *A, double *x);
EPI_API long epi_constraint_room(const epi_space *);                                              /* numbers of work for those below */
/* q moved by h v onto g = 0: the position half of RATTLE; push (nc) or NULL: the impulses; known: work has G and W at q already.
   0 on success; else the fault says why: that of a flow */
EPI_API int epi_project_positions(epi_space *, epi_state *, double h, double *work, double *push, int known, epi_fault *);
EPI_API int epi_project_velocities(epi_space *, epi_state *, double *work, double *push, epi_fault *);             /* v onto G v + gt = 0 */
/* accelerations a = M^-1 f are put on the second derivative of the constraints; h: a step that resolves the motion there; push (nc) or
   NULL: the multipliers. left (nc) or NULL: 1 for constraints that follow from the others at the start of the step, and are left out all
   through it: a little off the constraints they would not be met together. Which these are, and how many, says the second */
EPI_API int epi_hold_accel(epi_space *, double t, const double *q, const double *v, double h, const char *left, double *a, double *push,
                           double *work, epi_fault *);
EPI_API int epi_rows_that_follow(epi_space *, double t, const double *q, double *work, char *follows);
/* after a step h that all but kept them: q onto g = 0 and v onto G v + gt = 0 */
EPI_API int epi_return_to_constraints(epi_space *, epi_state *, double h, double *work, epi_fault *);

/* ---- Dense output: inside the last step of `a`, from start to the state s --------------------------------------------------
 * Its own interpolant, or the step taken again from the start and shorter, which has the flow's own accuracy, stays on constraints and
 * works on any flow. s is left as it was. */
typedef struct epi_start {
  epi_mark mark;
  const double *y, *keep;              /* keep NULL: it cannot be stepped again, and has an interpolant for all of it */
  const double *impulse;               /* those of the state at the start, where it has some and they are known */
} epi_start;
EPI_API void epi_want_dense(epi_flow *a);                                                          /* in build */
EPI_API long epi_inside_room(const epi_flow *a);
EPI_API int epi_inside(epi_flow *a, epi_start, epi_state *s, double t, double *y, double *work);

/* ---- Steps inside a step -------------------------------------------------------------------------------------------------
 * A flow that takes many steps inside one (f->tells = 1) calls epi_tell(f, by, s, &start) after each, once it is accepted: `by` made it,
 * from start to s, so that epi_inside(by, ...) gives the state anywhere in it. What it returns, if not 0, is returned at once. EPI_CUT:
 * the listener has moved s to an event inside the step; the rest will be asked for again.
 * A wrapper that must know of them sets f->hears and calls epi_listen in build, and hands on what it heard with epi_tell(f, by, ...). */
enum { EPI_CUT = -1002 };
EPI_API int epi_listen(epi_flow *f);                                    /* in build; 1: f->hears is told of the steps inside its kid */
EPI_API int epi_hand_on(epi_flow *f, epi_flow *by, epi_state *, const epi_start *);   /* hears of a wrapper that hands on and no more */
static inline int epi_tell(epi_flow *f, epi_flow *by, epi_state *s, const epi_start *start)
{
  return f->listener ? f->listener->hears(f->listener, by, s, start) : 0;
}

/* ---- Small dense algebra ----------------------------------------------------------------------------------------------- */
EPI_API int epi_lu(int n, double *A, int *pivot);                             /* in place, by rows; 1 if singular */
EPI_API void epi_lu_solve(int n, const double *A, const int *pivot, double *b);
EPI_API int epi_solve_above(double least, int n, double *A, double *b);       /* the same; pivots that are as small are none */
EPI_API int epi_solve(int n, double *A, double *b);                           /* b = A^-1 b; 1 + the row that depends on others */

#ifdef __cplusplus
}
#endif
#endif
