/* core.h - the inside of a flow, shared by the files of the library and by nobody else */
#ifndef EPI_CORE_H
#define EPI_CORE_H
#include "epicycle.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EPI_PI 3.14159265358979323846
#define EPI_INSIDE __attribute__((visibility("hidden")))
enum { EPI_WORD_SIZE = 48 };          /* the longest name in a text, with its closing zero */

/* an option as given, or its default */
typedef struct epi_value {
  double number;                       /* for a word: its index */
  const double *list;                  /* for a list: n numbers, owned by the node */
  int n, given;                        /* given: it stood in the text */
  epi_name name;                       /* for a thing of the user's */
  char word[EPI_WORD_SIZE];                       /* as it stood in the text, where a name did */
} epi_value;

typedef enum { UNIT, DIAGONAL, DENSE, SOLVED } epi_mass_kind;

enum { EPI_BY_FORCE = 1, EPI_BY_VELOCITY_FORCE = 2 };

struct epi_flow {
  const epi_record *record;
  int (*go)(epi_flow *, epi_state *, double h, long n);
  int (*leap)(epi_flow *, epi_state *, double h, long n, const double *c, int stages);   /* fused verlet: n steps of leaps c[i] h */
  int (*between)(epi_flow *, double t, double *y);   /* its own interpolant inside the last step, or NULL */
  int (*deliver)(epi_flow *, epi_state *, const void *start);            /* a watch shows a step once it is accepted */
  void (*drop)(epi_flow *);            /* frees what is not in the blocks */

  epi_system *sys, *other;             /* other: the second system of a method of two */
  char called[2][EPI_WORD_SIZE];                  /* their names in the text, where not the usual one */
  epi_flow **kid;
  int nkid, shown;                     /* kids beyond `shown` were made by the node itself and are not in its text */
  int owned;                           /* has a parent */
  int dense;                           /* a parent wants the interpolant */
  int safe;                            /* when it fails, the state is that of its last accepted step */
  int own_time;                        /* steps in a time of its own: no composition can be put around it */
  int lands;                           /* takes many steps inside one: outputs inside are landed on, not interpolated */
  int order, estimate;                 /* estimate: power of h in the error it can give */
  unsigned claims, parts;              /* parts: what of its system it moves by */
  epi_value *arg;                      /* one per parameter of the record */

  double *keep, *work;                 /* keep: histories, checkpointed and rolled back; work: scratch */
  long nkeep, nwork, below;            /* below: what the kids and all under them keep */
  long steps, calls, refused, moves;   /* counters, per node */
  long others, slopes;                 /* evaluations of the second system; Jacobians */
  double shortest, longest;            /* the steps it chose, where it chooses */
  long chosen;                         /* how many, since it was made */
  const epi_flow *by;                  /* the force (or rate) in work belongs to the state moved so */
  long at, kicks;
  double *err;                         /* an adaptive parent wants the local error here (twice the size if nerr is 2) */
  int nerr;
  epi_mass_kind mass;
  struct epi_pattern *pattern;             /* NULL: G is dense */
  int few;                             /* one or two constraints that few.h has written out */
  double *factor;                      /* Cholesky factor of a dense mass */
  void *own;                           /* what the kind of node needs besides */

  struct epi_derived_system *derives;              /* an average: the slow system it makes */
  double *guard;                       /* root: the last good state and the kept memory of the tree */
  long nguard;
  int checked;                          /* root: G was held against g */
  int broken;                          /* the sentence below was there before the first step */
  char error[320];
};

/* a system that the library made; freed with the last flow that holds it */
typedef struct epi_derived_system {
  epi_system sys;
  const epi_record *record;
  int refs, mark;                      /* mark: seen on this walk */
  epi_flow *inner;                     /* the node of the average that makes it; its kid is the micro flow */
  epi_system *part[2];                 /* a sum's terms */
  char called[2][EPI_WORD_SIZE];
  char error[320];
  void (*drop)(struct epi_derived_system *);
  void *own;
} epi_derived_system;

/* the larger, and NaN if either is: fmax would hide it */
static inline double epi_larger(double a, double b) { return a >= b ? a : isnan(a) ? a : b; }

/* ---- sizes ---- */
static inline int epi_nv(const epi_system *s) { return s->nv ? s->nv : s->nq; }
static inline int epi_dim(const epi_system *s) { return s->nq + epi_nv(s) + s->nz; }
static inline int epi_has_force(const epi_system *s) { return s->force || s->forced; }
static inline int epi_all_rate(const epi_system *s) { return s->rate && !epi_has_force(s) && !s->velocity_force; }  /* rate moves all of y, not z alone */

/* ---- who moved what: the key of every cached force ---- */
static inline void epi_moved(epi_flow *f, epi_state *s) { s->key.mover = f; s->key.moves = ++f->moves; }
static inline int epi_cache_valid(const epi_flow *f, const epi_state *s) { return s->key.mover && f->by == s->key.mover && f->at == s->key.moves; }
static inline int epi_cache_valid_all(const epi_flow *f, const epi_state *s) { return epi_cache_valid(f, s) && f->kicks == s->key.kicks; }
static inline void epi_cache_store(epi_flow *f, const epi_state *s) { f->by = s->key.mover; f->at = s->key.moves; f->kicks = s->key.kicks; }
static inline void epi_cache_invalidate(epi_state *s) { s->key.mover = NULL; }

/* ---- nodes (flow.c) ---- */
static inline int epi_go(epi_flow *f, epi_state *s, double h, long n) { f->steps += n; return f->go(f, s, h, n); }
EPI_INSIDE epi_flow *epi_node(const epi_record *, epi_system *, int nkid, epi_flow *const *kids, const epi_value *args);
EPI_INSIDE epi_flow *epi_node_of_two(const epi_record *, epi_system *, epi_system *other, int nkid, epi_flow *const *kids, const epi_value *args);
EPI_INSIDE epi_flow *epi_leaf(const epi_record *, epi_system *);             /* a method with its defaults, for a node's own use */
EPI_INSIDE int epi_adopt(epi_flow *parent, epi_flow *kid);                   /* append a kid the node made itself */
EPI_INSIDE int epi_blocks(epi_flow *, long keep, long work);                 /* 0 on success; else the error says so */
EPI_INSIDE int epi_refuse(epi_flow *, int when, const char *words, ...) __attribute__((format(printf, 3, 4)));
EPI_INSIDE int epi_fail(epi_flow *, int code, const char *words, ...) __attribute__((format(printf, 3, 4)));
EPI_INSIDE void epi_clear_error(epi_flow *);                                      /* forget what was said of steps that failed */
EPI_INSIDE int epi_ready(epi_flow *root);                                    /* allocate the guard */
EPI_INSIDE epi_flow *epi_no_memory(void);
EPI_INSIDE const epi_value *epi_arg(const epi_flow *, const char *name);
EPI_INSIDE void epi_visit(epi_flow *, void (*)(epi_flow *, void *), void *); /* the node, its kids, the flows inside its averages */
EPI_INSIDE long epi_keep_size(const epi_flow *);
EPI_INSIDE void epi_keep_out(const epi_flow *, double *to);
EPI_INSIDE void epi_keep_in(epi_flow *, const double *from);
EPI_INSIDE void epi_forget(epi_flow *);
EPI_INSIDE void epi_release(epi_system *);
EPI_INSIDE void epi_args_free(const epi_record *, epi_value *);
EPI_INSIDE const char *epi_coordinate(const epi_system *, int i, char *room, size_t size);

/* everything a step may change in the state besides y */
typedef struct { double t, rest, theta; const epi_flow *mover; long moves, kicks; } epi_mark;
static inline epi_mark epi_mark_of(const epi_state *s) { return (epi_mark){s->t, s->key.rest, s->theta, s->key.mover, s->key.moves, s->key.kicks}; }
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

/* where a step of h ends. What rounding leaves of t is carried along, so that a million steps do not lose the clock. A composition
   tells its last part where to land, so that the time of the state and of the force cached for it are one and the same to the bit,
   whatever the parts before left of rounding */
typedef struct { double t, rest, theta; } epi_tick;
static inline double epi_phase_at(const epi_system *, double t, double theta, double h);
static inline epi_tick epi_target(const epi_system *m, epi_state *s, double h)
{
  double dt = h + s->key.rest, t = s->t + dt;
  if (!s->key.landing) return (epi_tick){t, dt - (t - s->t), epi_phase_at(m, s->t, s->theta, h)};
  s->key.landing = 0;
  return (epi_tick){s->key.land, s->key.land_rest, s->key.land_theta};
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

/* ---- systems (system.c) ---- */
EPI_INSIDE int epi_mass_ready(epi_flow *);                                   /* factor a dense mass, refuse a singular one */
EPI_INSIDE void epi_mass_divide(epi_flow *, const double *q, double *a);
EPI_INSIDE void epi_apply_inverse_mass_slow(epi_flow *, const double *q, double *a);
static inline void epi_apply_inverse_mass(epi_flow *f, const double *q, double *restrict a) { if (f->mass != UNIT) epi_apply_inverse_mass_slow(f, q, a); }  /* a = M^-1 a */
EPI_INSIDE double epi_phase_turned(const epi_system *, double t, double h);  /* integral of the phase rate over [t, t + h] */
static inline double epi_wrap(double theta) { return theta > 2*EPI_PI || theta < -2*EPI_PI ? remainder(theta, 2*EPI_PI) : theta; }
static inline double epi_phase_at(const epi_system *m, double t, double theta, double h)
{
  return m->forced ? epi_wrap(theta + epi_phase_turned(m, t, h)) : theta;
}
static inline int epi_force_at(epi_system *m, double t, double theta, const double *q, double *f)
{
  return m->forced ? m->forced(m, t, theta, q, f) : m->force(m, t, q, f);
}
EPI_INSIDE int epi_accel(epi_flow *, double t, double theta, const double *q, double *a);              /* M^-1 force, counted */
EPI_INSIDE int epi_accel_all(epi_flow *, double t, double theta, const double *q, const double *v, double *a);  /* with the velocity force; counted */
EPI_INSIDE int epi_rate_at(epi_flow *, double t, double theta, const double *y, double *dy);           /* dy for [ q | v | z ], q' = v; counted */
EPI_INSIDE void epi_shift(epi_system *, const double *q, double h, const double *v, double *out, double *tmp);

/* ---- constraints (constraint.c) ---- */
typedef struct epi_pattern epi_pattern;                                          /* the sparse pattern of many constraints */
EPI_INSIDE int epi_pattern_make(epi_flow *);
EPI_INSIDE void epi_pattern_free(epi_pattern *);
EPI_INSIDE long epi_G_size(const epi_flow *);
EPI_INSIDE long epi_A_size(const epi_flow *);
EPI_INSIDE int epi_constraint_eval(epi_system *, double t, const double *q, double *g, double *G, double *gt);
EPI_INSIDE void epi_G_inverse_mass(epi_flow *, const double *q, const double *G, double *W);                     /* W = G M^-1 */
EPI_INSIDE int epi_normal_solve(const epi_flow *, double s, const double *G, const double *W, double *A, double *x);  /* x = (s G W^T)^-1 x; 1 + which, if singular */
EPI_INSIDE void epi_Gt_mul(const epi_flow *, const double *W, const double *x, double *d);              /* d = W^T x */
EPI_INSIDE void epi_G_mul(const epi_flow *, const double *G, const double *v, double *x);               /* x += G v */
EPI_INSIDE int epi_singular(epi_flow *, double t, int which);
EPI_INSIDE long epi_constraint_room(const epi_flow *);
EPI_INSIDE int epi_project_positions(epi_flow *, epi_state *, double h, double *work, double *push, int known);  /* q moved by h v onto g = 0; push (nc): the impulses */
EPI_INSIDE int epi_project_velocities(epi_flow *, epi_state *, double *work, double *push);           /* v onto G v + gt = 0 */
EPI_INSIDE int epi_off_constraints(epi_flow *, const epi_state *, double *work);           /* says which and how far; 0 on success */

/* rotations in coordinates: x = (u, v, z) with q = turn(q0, u); without rotations x is y itself */
EPI_INSIDE int epi_chart_dim(const epi_system *);
EPI_INSIDE long epi_chart_room(const epi_system *);
EPI_INSIDE void epi_chart_in(const epi_system *, const double *y, double *x);
EPI_INSIDE void epi_chart_out(epi_system *, const double *q0, const double *x, double *y, double *work);
EPI_INSIDE int epi_chart_rate(epi_flow *, double t, double theta, const double *q0, const double *x, double *dx, double *work);
EPI_INSIDE void epi_retract_tangent(epi_system *, const double *q, const double *v, double *dq, double *work);  /* d/ds turn(q, s v), s = 0 */

/* ---- dense output (dense.c) ----
 * Inside the last step of `a`, from start to the state s: its own interpolant, or the step taken again from the start and
 * shorter, which has the flow's own accuracy, stays on constraints and works on any flow. s is left as it was. */
typedef struct { epi_mark mark; const double *y, *keep; } epi_start;
EPI_INSIDE void epi_want_dense(epi_flow *a);
EPI_INSIDE long epi_inside_room(const epi_flow *a);
EPI_INSIDE int epi_inside(epi_flow *a, epi_start, epi_state *s, double t, double *y, double *work);

/* ---- small dense algebra (linear.c) ---- */
EPI_INSIDE int epi_lu(int n, double *A, int *pivot);                         /* in place; 1 if singular */
EPI_INSIDE void epi_lu_solve(int n, const double *A, const int *pivot, double *b);
EPI_INSIDE int epi_solve(int n, double *A, double *b);                       /* b = A^-1 b, closed for 1 and 2; 1 + the row that depends on others */
EPI_INSIDE int epi_cholesky(int n, double *A);
EPI_INSIDE void epi_cholesky_solve(int n, const double *A, double *b);

/* ---- text (read.c, print.c, registry.c) ---- */
typedef struct { const char *name, *words; } epi_reserved;
EPI_INSIDE const epi_reserved *epi_reserved_names(void);
EPI_INSIDE size_t epi_number_text(double, char *out, size_t size);           /* shortest that reads back as the same bits */
EPI_INSIDE size_t epi_options_text(const epi_record *, const epi_value *, char *out, size_t size);
EPI_INSIDE epi_system *epi_sum_build(const epi_record *, epi_system *a, epi_system *b);
EPI_INSIDE const char *epi_nearest(const char *word, const char *const *among, int n);
EPI_INSIDE int epi_read_options(const char *text, const char *at, const char *what, const epi_param *, double *values, char *error, size_t size);

/* the records that other records are made of */
extern EPI_INSIDE const epi_record epi_KICK, epi_DRIFT, epi_VELOCITY_KICK, epi_LEAP, epi_VERLET, epi_STRANG, epi_WATCH, epi_ADJOINT;
#endif
