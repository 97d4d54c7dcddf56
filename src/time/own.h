/* own.h - flows that step in a time of their own. Whole steps of eps in that time are taken until the physical time asked for has been
 * passed; the true states on both sides are kept, and the answer lies between them. What is asked for, and how often, leaves no trace in
 * the true states: the structure is never cut by an output. */
#ifndef EPI_OWN_H
#define EPI_OWN_H
#include "core.h"

/* a kept state: its clock, then y */
enum { EPI_OWN_TIME, EPI_OWN_REST, EPI_OWN_THETA, EPI_OWN_CLOCKS };
/* the true states before and after the last step, with their extras, and how often they have changed places */
typedef struct epi_own_sides { double *a, *a_extra, *b, *b_extra; int trades; } epi_own_sides;

typedef struct epi_own {
  /* the extras (density, energy, second copy, ...) that belong to the state, at the start of a run or after y was changed from outside */
  int (*begin)(epi_flow *, epi_state *, double *extra);
  /* one step of e in own time: y, t and the extras */
  int (*whole)(epi_flow *, epi_state *, double *extra, double e);
  /* from the start of a whole step to the physical time `end` inside it; NULL: shorter steps of own time until one fits */
  int (*part)(epi_flow *, epi_state *, double h, epi_tick end);
  /* physical time per own time at this state: how eps is found where it was not given; NULL: it chooses its own steps, and has no eps */
  int (*time_rate)(epi_flow *, epi_state *, const double *extra, double *rate);
  /* the extras of the state with its velocities turned round; NULL: they are the same */
  void (*mirror)(epi_flow *, double *extra);
  /* what a checkpoint says of the extras cannot be; NULL: numbers are all that they must be */
  int (*unsound)(const epi_flow *, const double *extra);
  /* part starts at the state before, with the extras after; where time turns, a new run begins */
  int onward;
  /* what its kid remembers helps it and decides nothing: it keeps that where a step is taken back or a part of one is wanted */
  int kid_stays;
  /* of such a flow: a whole step finds the extras before it in `before` and y in `from`, and leaves them as they are; the state and all of
     the extras after it are its to write, which spares copies, also where it fails */
  int beside;
  double *before;
  const double *from;
  /* the same from the state after, in place of the one before, and on until a step has led to `end` or beyond it, where nobody looks on:
     states change places and are not copied; NULL: by single steps. Where a step fails the state it began at is the one before */
  int (*past)(epi_flow *, epi_state *, epi_own_sides *, double e);
  /* where the answer that is under way is asked for: a force may not be known beyond it */
  epi_tick end;
  /* of the next run, or NULL */
  epi_own_witness *witness;
  /* of the first extras and of the last ones, NULL-terminated; between them a copy of the state */
  const char *const *names, *const *last_names;
} epi_own;

/* words of the option clock, and its place among the parameters, which every record here has under this name */
enum { EPI_PHYSICAL, EPI_OWN_CLOCK };
extern EPI_INSIDE const char *const epi_clock_words[];
#define EPI_CLOCK_PARAM {.name = "clock", .doc = "physical: a step lands on t + h; own: a step is one whole step of h in own time", \
                         .words = epi_clock_words, .kind = EPI_WORD}
#define EPI_EPS_PARAM {.name = "eps", .value = 0, .doc = "length of a step in own time; such that the first step is h unless given", \
  .range = {0, EPI_UNBOUNDED, EPI_ABOVE, ": it must be positive; the sign of the step gives the direction"}}

/* f becomes such a node: f->own begins with its epi_own; `extras` numbers of its own beside the state, `work` numbers of scratch. 0 on
   success */
EPI_INSIDE int epi_own_build(epi_flow *, long extras, long work);
/* a part: a step of the flow inside, in physical time */
EPI_INSIDE int epi_own_by_kid(epi_flow *, epi_state *, double h, epi_tick end);
EPI_INSIDE double *epi_own_work(const epi_flow *);             /* the scratch asked for */
EPI_INSIDE double epi_own_eps(const epi_flow *);               /* the length of a whole step, without sign */
EPI_INSIDE double epi_own_sign(const epi_flow *);              /* the direction of time */
EPI_INSIDE double *epi_own_extra(const epi_flow *);            /* the extras after the last whole step */

EPI_INSIDE int epi_own_stands(epi_flow *, double t, double moved);   /* the sentence of a step that does not move time on */

static inline void epi_own_put_clock(double *to, const epi_state *s)
{
  to[EPI_OWN_TIME] = s->t;
  to[EPI_OWN_REST] = s->key.rest;
  to[EPI_OWN_THETA] = s->theta;
}
/* from one kept state to a time, with the digits that t alone has not */
static inline double epi_own_ahead(const double *a, epi_tick end) { return (end.t - a[EPI_OWN_TIME]) + (end.rest - a[EPI_OWN_REST]); }
/* how far the clock has come from there */
static inline double epi_own_moved(const epi_state *s, const double *a)
{
  return (s->t - a[EPI_OWN_TIME]) + (s->key.rest - a[EPI_OWN_REST]);
}
static inline void epi_own_trade(epi_own_sides *z)
{
  *z = (epi_own_sides){.a = z->b, .a_extra = z->b_extra, .b = z->a, .b_extra = z->a_extra, .trades = z->trades + 1};
}

/* the clock moved by h of physical time */
static inline void epi_tick_on(const epi_system *m, epi_state *s, double h) { epi_set_clock(s, epi_target(m, s, h)); }
#endif
