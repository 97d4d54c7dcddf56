/* core.h - what the files of the library share beyond what authors of methods have */
#ifndef EPI_CORE_H
#define EPI_CORE_H
#include "epicycle/method.h"
#include "epicycle/term.h"
#include "facet.h"
#include "pi.h"
#include <stdarg.h>
#include <stdlib.h>

#define EPI_INSIDE __attribute__((visibility("hidden")))

static inline int epi_force_at(epi_system *m, double t, double theta, const double *q, double *f)
{
  return m->phase.forced ? m->phase.forced(m, t, theta, q, f) : m->force(m, t, q, f);
}

/* calloc for what is small: that of glibc looks for room in lists where malloc has it at hand. By a byte more, as compilers make calloc of
   it again where both sizes are one */
static inline void *epi_zeros(size_t n, size_t size)
{
  enum { SMALL = 8192 };
  if (n > SMALL/size) return calloc(n, size);
  void *room = malloc(n*size + 1);
  return room ? memset(room, 0, n*size) : NULL;
}

/* a count as a number has it: whole, and small enough for all its digits */
static inline int epi_is_count(double x) { return x >= 0 && x <= 9007199254740992.0 && x == floor(x); }

/* ---- sentences (sentence.c): the first one stays ---- */
/* prints all messages of the library */
EPI_INSIDE void epi_sentence_print(char *out, size_t size, const char *words, va_list);
EPI_INSIDE int epi_say(char *error, int code, const char *words, ...) __attribute__((format(printf, 3, 4)));
EPI_INSIDE void epi_fault_put(epi_fault *, epi_cause, const char *words, va_list);
EPI_INSIDE void epi_fault_write(epi_fault *, epi_cause, const char *words, ...) __attribute__((format(printf, 3, 4)));   /* over another */
EPI_INSIDE int epi_refuse_fault(epi_flow *, int when, const epi_fault *);        /* the fault of another becomes that of the node */
EPI_INSIDE const char *epi_coordinate(const epi_system *, int i, char *room, size_t size);
EPI_INSIDE const epi_flow *epi_warns(const epi_flow *, int i);                   /* the node with warning i, or NULL */
/* the nearest of many names to a word that was none of them: near.best, or NULL */
typedef struct { const char *word, *best; int least; } epi_near;
EPI_INSIDE epi_near epi_near_to(const char *word);
EPI_INSIDE void epi_near_try(epi_near *, const char *name);

/* ---- numbers as text (decimal.c, print.c) ---- */
/* a text as it grows; what does not fit is counted */
typedef struct { char *out; size_t n, size; } epi_writer;
EPI_INSIDE void epi_put(epi_writer *, const char *);
EPI_INSIDE size_t epi_options_text(const epi_record *, const epi_value *, char *out, size_t size);

/* accelerations do not change with velocities; of a system that the library made nothing is known */
static inline int epi_feels_no_velocity(const epi_system *m) { return !m->velocity_force && !m->nc && !m->derived; }

/* ---- systems, prepared once (space.c, chart.c, gradient.c, constraint.c, pattern.c, redundant.c) ---- */
typedef enum { UNIT, DIAGONAL, DENSE, SOLVED } epi_mass_kind;
struct epi_space {
  epi_system *sys;
  int refs;
  epi_mass_kind mass;
  double *factor;                      /* Cholesky factor of a dense mass */
  struct epi_pattern *pattern;         /* of many constraints; NULL: G is dense */
  int few;                             /* one or two constraints that few.h has written out */
  int checked;                         /* G was held against g */
  int redundant;                       /* constraints of the start that follow from others */
  /* of the last solve: constraints were found to depend on each other, and what cannot be met together, as a distance or speed */
  struct { int found; double by; int which; } contradiction;
  int across;                          /* velocities are differences of positions, and need not be along the constraints */
  epi_fault fault;                     /* what is wrong with the system */
};
/* all there is is a force, and that is the acceleration */
static inline int epi_is_plain(const epi_space *p)
{
  return p->mass == UNIT && !p->sys->velocity_force && (p->sys->force || p->sys->phase.forced);
}
EPI_INSIDE epi_space *epi_space_make(epi_system *);                          /* with one reference; NULL: out of memory */
EPI_INSIDE void epi_space_free(epi_space *);
EPI_INSIDE void epi_mass_divide(const epi_space *, const double *q, double *a);      /* a = M^-1 a, also where forces are accelerations */
/* the time in which the phase turns once from t on, with this sign: the period where there is one, else from the rate of the phase */
EPI_INSIDE double epi_turn_time(epi_system *, double period, double t, double sign);
/* the longest step that chosen steps take at t: a part of a turn of the fast phase, for what goes round in one is not seen from its ends;
   infinite where there is no phase, or where it has been averaged out */
EPI_INSIDE double epi_part_of_turn(const epi_system *, double t);
/* 1: there is a phase of even pace, and this is no whole number of its turns */
EPI_INSIDE int epi_misses_turns(const epi_system *, double T);
EPI_INSIDE void epi_refuse_period(epi_flow *, double T);         /* one that misses them */
/* d/ds retract(q, s v), s = 0 */
EPI_INSIDE void epi_retract_tangent(epi_system *, const double *q, const double *v, double *dq, double *work);

typedef struct epi_pattern epi_pattern;                                      /* numbering and products of the normal matrix */
EPI_INSIDE epi_pattern *epi_pattern_make(const epi_system *);                /* NULL: out of memory */
EPI_INSIDE void epi_pattern_free(epi_pattern *);
EPI_INSIDE long epi_pattern_room(const epi_pattern *);
EPI_INSIDE double epi_pattern_cost(const epi_pattern *);                     /* of its factors, in products of two numbers */
/* G W^T x = x/s in two parts: the factors, 0 or 1 + a constraint without a pivot; and with them, as often as they serve */
EPI_INSIDE int epi_pattern_factor(const epi_pattern *, const double *G, const double *W, double *A);
EPI_INSIDE void epi_pattern_again(const epi_pattern *, double s, double *A, double *x);
EPI_INSIDE int epi_pattern_solve(const epi_pattern *, double s, const double *G, const double *W, double *A, double *x);
EPI_INSIDE void epi_pattern_products(const epi_pattern *, const double *G, const double *W, double *A);   /* A = G W^T in its band */
EPI_INSIDE const int *epi_pattern_place(const epi_pattern *, int *band);                                  /* where they stand in it */
EPI_INSIDE double epi_G_length(const epi_space *, const double *G, int c);                                  /* of a gradient */
/* A = s G W^T, of rows G by W */
static inline void epi_dense_products(const epi_space *p, double s, const double *rows, const double *by, double *A)
{
  int n = epi_nv(p->sys), c = p->sys->nc;
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) {
      double d = 0;
      for (int k = 0; k < n; k++) d += rows[i*n + k]*by[j*n + k];
      A[i*c + j] = s*d;
    }
}
/* a pivot that has lost as much of its diagonal: the constraint follows from those before it */
#define EPI_DEPENDS 1e-11
/* as epi_normal_solve, behind one with a matrix as good: its factors serve again */
EPI_INSIDE int epi_normal_again(epi_space *, double s, const double *G, const double *G0, const double *W, double *A, double *x);
EPI_INSIDE long epi_redundant_room(const epi_space *);
EPI_INSIDE int epi_redundant_solve(epi_space *, double s, const double *G, const double *G0, const double *W, double *A, double *x,
                                   double *room);
/* behind it, with the matrix it has left in A: the smallest multipliers that move what x does */
EPI_INSIDE void epi_redundant_least(const epi_space *, const double *G, const double *W, double *A, double *x, double *room);
EPI_INSIDE int epi_redundant_prepare(const epi_space *, const double *G, const double *W, double *A);
EPI_INSIDE int epi_redundant_without(const epi_space *, const double *G, const double *W, const char *left, double *A, double *x,
                                     double *room);
/* how many follow from those before them, and which: 1 in follows, where that is given */
EPI_INSIDE int epi_redundant_rows(const epi_space *, const double *G, const double *W, double *A, double *room, char *follows);

/* constraint which - 1 has no gradient */
EPI_INSIDE int epi_singular(const epi_space *, epi_fault *, double t, int which);
/* 1e-7 of size is none; else the sentence, with what it is measured in, if that is told */
EPI_INSIDE int epi_contradicts(epi_space *, double t, double size, const char *what, epi_fault *);
/* the constraints of this state all but depend on each other: says which, and is not 0 */
EPI_INSIDE int epi_nearly_singular(epi_space *, const epi_state *, double *work, epi_fault *);
/* after joints could not follow a step of h from this state: the force of its system grows beyond all bounds within some steps, at the time
   t and most in this velocity. 2: a callback says no there, and explain knows why; 0: it does not */
typedef struct epi_pole { double t; int which; } epi_pole;
EPI_INSIDE int epi_force_has_pole(epi_space *, const epi_state *, double h, double *work, epi_pole *);
/* the least pivot, relative to what it was */
EPI_INSIDE double epi_pattern_weakest(const epi_pattern *, const double *G, const double *W, double *A, int *which);
/* a state may miss its constraints, in their positions or their speeds, by a millionth of its size; 1: it misses this one by more */
typedef struct epi_miss { int in_speed; double off; char name[160]; } epi_miss;
EPI_INSIDE int epi_misses_constraints(epi_space *, const epi_state *, double *work, epi_miss *);
/* over the step of h that ends here, of this order: what drives do that no smooth course has, as a way */
EPI_INSIDE double epi_drives_missed(epi_space *, const epi_state *, double h, int order, double *work);
EPI_INSIDE int epi_off_constraints(epi_space *, const epi_state *, double *work, epi_fault *);   /* which and how far; 0 on success */
EPI_INSIDE int epi_move_onto_constraints(epi_space *, epi_state *, double *work, epi_fault *);

/* what to do where a method has no form for a system */
static inline const char *epi_instead(const epi_system *m, const char *usual)
{
  return m->derived && m->derived->instead ? m->derived->instead : usual;
}

/* ---- nodes (node.c, tree.c, run.c) ---- */
/* space NULL: that of the first kid */
/* range.c: what a refusal says after the number */
EPI_INSIDE int epi_range_holds(const epi_range *, double);
EPI_INSIDE const char *epi_range_remedy(const epi_param *, char *out, size_t size);
EPI_INSIDE epi_flow *epi_node(const epi_record *, epi_space *, epi_space *other, int nkid, epi_flow *const *kids, const epi_value *args);
EPI_INSIDE epi_space *epi_space_hold(epi_space *);                           /* one reference more */
EPI_INSIDE void epi_space_release(epi_space *);                              /* one less; with the last, the derived system too */
EPI_INSIDE void epi_release(epi_system *);                                   /* a derived system that nobody holds any more */
EPI_INSIDE epi_flow *epi_no_memory(void);
EPI_INSIDE epi_flow *epi_refused_flow(epi_cause, int column, const char *sentence);   /* a flow that only says this */
EPI_INSIDE int epi_ready(epi_flow *root);                                    /* allocate the guard */
/* it stops where this wish is not 0, and its state is of no use then; a flow that is NULL is none */
EPI_INSIDE void epi_stop_with(epi_flow *root, const int *wish);
EPI_INSIDE int epi_asked_to_stop(const epi_flow *root);                      /* and has not heard it yet */
EPI_INSIDE void epi_stop_heard(epi_flow *root);
EPI_INSIDE void epi_visit(epi_flow *, void (*)(epi_flow *, void *), void *); /* the node, its kids, the flows inside its averages */
EPI_INSIDE void epi_args_free(const epi_record *, epi_value *);
/* what the nodes saw of the run; in: not 0 where one of them cannot have seen that */
EPI_INSIDE long epi_seen_size(epi_flow *);
EPI_INSIDE void epi_seen_out(epi_flow *, double *to);
EPI_INSIDE int epi_seen_in(epi_flow *, const double *from);
/* 1: what a kid remembered at that state is such that no run can go on from it. room: as many numbers as it keeps */
EPI_INSIDE int epi_unsound_at(epi_flow *kid, const double *kept, const epi_state *, double *room);
/* forces of averages that are cached for this state will be asked for again by a run that goes on from it: so often more, or less */
EPI_INSIDE void epi_repeats(epi_flow *, const epi_state *, int count);

/* ---- dense output (dense.c) ---- */
/* the step of `a` again from its start, of length h: y and, unless NULL, the clock there; s is left as it was */
EPI_INSIDE int epi_step_again(epi_flow *a, epi_start, epi_state *s, double h, double *y, epi_tick *clock, double *work);

/* ---- small dense algebra (linear.c) ---- */
EPI_INSIDE int epi_cholesky(int n, double *A);
EPI_INSIDE void epi_cholesky_solve(int n, const double *A, double *b);

/* ---- breaks in time (next-break.c) ---- */
/* which of those that the system names comes next after t, forward or (step -1) back, before dt is over; -1: none does */
EPI_INSIDE int epi_next_break(const epi_system *, double t, int step, double dt);
#endif
