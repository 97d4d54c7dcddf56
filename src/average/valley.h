/* valley.h - a stiff valley: the fast modes of a system at a point, the slow force along its floor, and what was learnt of it */
#ifndef EPI_VALLEY_H
#define EPI_VALLEY_H
#include "core.h"

/* what is kept, and so in every checkpoint; after it the actions, the frequencies and their rates at the last look, the state
   there, the memo, and one mode */
typedef struct {
  double begun, from, modes, length;   /* learnt at the start; from: its time */
  double looked, time;                 /* there was a look at an accepted step, and when */
  double memo, memo_time;              /* the rate at the state that stands after them is known */
  double kinetic;                      /* the largest kinetic energy of the slow motion */
  double doubled, doubled_time, doubled_by;        /* passages of om_j = 2 om_k and om_i = om_j + om_k: how many, the last, actions times
                                                      frequency that may have changed hands in all */
  double neared, neared_time, neared_by, nearing;  /* the same of resonances that were come near to and not passed; nearing: what the one
                                                      may do that is being come near to */
  double crossed, crossed_time, crossed_by, chance, hops;      /* avoided crossings; chance: the largest that the modes changed over */
  double mixed, mixed_time;            /* the fastest turning of two modes into each other, in units of their gap */
  double looks, turned;                /* at accepted steps; of every SELDOM those at which two turned by a tenth of their beat */
  double fast, reach;                  /* the largest energy of the fast motion; the largest gap of two neighbours, relative: what they
                                          exchange acts as their gap changes */
  double close, close_time;            /* slow stiffness over fast, at its largest */
  double wide, wide_time;              /* amplitude over length, at its largest */
  double quick;                        /* the fewest radians of the slowest fast mode while the slow motion goes its length */
  double beside;                       /* of one mode that stands out: largest other stiffness over its own, when all were last asked for;
                                          0: it does not. The mode at the last look stands at the end */
} epi_valley_kept;

#define EPI_NO_SHARE 1e-7              /* of what is slow: it does not count */
typedef struct {
  epi_flow *node;                      /* whose force is counted, and which says what is wrong */
  epi_system *of;
  int n, most;                         /* coordinates; room for so many modes */
  int plain;                           /* masses are one, and x is q */
  int block;                           /* columns of the last block power, 0: it was the whole Hessian */
  int alone;                           /* one mode stood out of that so far that the others were not asked for */
  int followed;                        /* that one was found from where it was, and the Hessian is not known */
  /* all of x = M^(1/2) q, or L^T q with M = L L^T. The point whose modes are known, its force there, modes by rows, the slowest first */
  double *x, *f, *E, *lambda, *bend;   /* bend: what an oscillation of this action adds to the force, one row a mode */
  double *turned;                      /* the modes again, as the forces of their bends tell them */
  double time, slow;                   /* slow: no stiffness that is not of a fast mode is larger; see epi_valley_slow */
  int known, bent;                     /* the modes and the bends belong to x */
  double off;                          /* how far the floor was from x */
  double share;                        /* of the slow force: what does not count beside it, far below what steps see */
  double *H, *V, *values, *q, *one, *two, *three, *there, *last_om;
  int *order;
  double *last, *last_rate, *floor;    /* of the rate form: the last state asked for, its rate, and the state on the floor of the valley */
  double last_time;
  int asked;
} epi_valley;

static inline epi_valley_kept *epi_valley_memory(const epi_valley *a) { return (epi_valley_kept *)a->node->keep; }
static inline int epi_valley_modes(const epi_valley *a) { return (int)epi_valley_memory(a)->modes; }
/* numbers that are kept, and where each block of them is */
enum { EPI_VALLEY_KEPT = sizeof(epi_valley_kept)/sizeof(double) };
static inline long epi_valley_keep_size(int n) { return EPI_VALLEY_KEPT + 3L*n + 2L*n + 4L*n + n; }
static inline double *epi_valley_action(const epi_valley *a) { return a->node->keep + EPI_VALLEY_KEPT; }
static inline double *epi_valley_om(const epi_valley *a) { return epi_valley_action(a) + a->n; }
static inline double *epi_valley_om_rate(const epi_valley *a) { return epi_valley_om(a) + a->n; }
static inline double *epi_valley_before(const epi_valley *a) { return epi_valley_om_rate(a) + a->n; }
static inline double *epi_valley_memo(const epi_valley *a) { return epi_valley_before(a) + 2*a->n; }
static inline double *epi_valley_one(const epi_valley *a) { return epi_valley_memo(a) + 4*a->n; }

static inline double epi_dot(int n, const double *a, const double *b)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i]*b[i];
  return s;
}

/* ---- modes.c ---- */
EPI_INSIDE long epi_valley_room(int n, int most);                   /* numbers of work */
EPI_INSIDE void epi_valley_lay_out(epi_valley *, double *work);
EPI_INSIDE void epi_valley_to_x(const epi_valley *, const double *q, double *x);
EPI_INSIDE void epi_valley_to_q(const epi_valley *, const double *x, double *q);       /* may be in place */
EPI_INSIDE void epi_valley_push(const epi_valley *, const double *x, double *f);       /* a force on x as one on q; may be in place */
EPI_INSIDE int epi_valley_force(epi_valley *, double t, const double *x, double *f);   /* the force on x */
/* the `modes` fastest at x; 0 modes: all that have at least `share` of the largest stiffness. Returns an error of the force, or that there
   are not so many with a stiffness above zero, which a smaller step may cure */
enum { EPI_NOT_STIFF = 2 };
EPI_INSIDE int epi_valley_find(epi_valley *, double t, const double *x, int modes, double share);
EPI_INSIDE int epi_valley_count(const epi_valley *);                /* how many are fast, by the largest gap, after epi_valley_find */
EPI_INSIDE double epi_valley_slow(epi_valley *);                    /* the largest stiffness of the others */
EPI_INSIDE int epi_valley_at(epi_valley *, double t, const double *x);     /* those that were counted; known ones are not found again */
EPI_INSIDE void epi_valley_note_one(epi_valley *);                   /* a mode that stands out, where it is now, is followed from here */
EPI_INSIDE void epi_valley_split(const epi_valley *, double *v);    /* v loses what it has along the modes */

/* ---- slow.c ---- */
EPI_INSIDE int epi_valley_bend(epi_valley *, double t);             /* at the point whose modes are known */
/* d2f[a, b], by differences: four forces */
EPI_INSIDE int epi_valley_second(epi_valley *, double t, const double *a, const double *b, double *out);
EPI_INSIDE int epi_slow_force(epi_system *, double t, const double *q, double *f);
EPI_INSIDE int epi_slow_constraint(epi_system *, double t, const double *q, double *g, double *G, double *gt);
typedef int epi_slow_rate(epi_system *, double t, const double *y, double *dy);
EPI_INSIDE epi_slow_rate *epi_slow_rate_of(int n);                  /* of so many coordinates, two or more */
EPI_INSIDE double epi_slow_energy(epi_system *, double t, const double *y);

/* ---- passage.c ---- */
/* after a step that stays, at (x, p); the modes that are known are those there. At a hop actions and p change */
EPI_INSIDE int epi_valley_look(epi_valley *, double t, const double *x, double *p, int *hopped);
EPI_INSIDE void epi_valley_doubt(epi_flow *);

/* the one whose slow system a flow moves, or NULL */
static inline epi_valley *epi_valley_of(const epi_flow *f)
{
  const epi_derived_system *d = f->sys ? f->sys->derived : NULL;
  return d && d->inner && epi_traits_of(d->record) & EPI_SLOW_PART ? d->inner->own : NULL;
}

/* ---- actions.c ---- */
/* modes and actions from the start, and the start moved onto the floor of the valley */
EPI_INSIDE int epi_valley_begin(epi_valley *, epi_state *);
/* of a state with its fast motion in it: what it has beside the floor below it, along the modes there, once they were counted */
EPI_INSIDE int epi_valley_measure(epi_valley *, double t, const double *y, double *J, double *om);
#endif
