/* search.h - between the files of this room: what a search for a flow knows */
#ifndef EPICYCLE_CHOOSE_SEARCH_H
#define EPICYCLE_CHOOSE_SEARCH_H
#include "core/core.h"
#include "epicycle/choose.h"
#include "candidates.h"
#include "tuning.h"
#include <stdio.h>

/* the fastest oscillation of a stiff system about its start: rates in rad/time, 0: there is none */
typedef struct epi_scales {
  double fast, next;            /* next: of the modes that are not near the fastest */
  double pace;                  /* of what is left when the fast motion is taken out */
  double turns;                 /* of the fast oscillation in the run */
  double amplitude, swing;      /* of the fast oscillation at the start, in position and in velocity, relative to the size of these */
  double energy;                /* of the fast oscillation, in units of that of the rest, as far as the start shows it */
  double drift;                 /* of the fast rate, relative, while the rest moves a fifth of its way */
  int drifts;                   /* 1: that is told of a single stiff mode */
  int many;                     /* there is a second stiff mode, which is not near the fastest */
} epi_scales;

/* what a search has found of the motion. CREEPS: steps grew so short on the way that they were given up: it may have become stiff there;
   CHATTERS: a force jumps to and fro without an end: no steps are short enough; OSCILLATES: a fast oscillation goes on that steps of
   implicit methods leave out; GROWS: steps of order 8, as exact as can be, did not do in a smooth motion: its errors grow, whatever the
   steps; AMPLIFIES: rounding, beyond the tolerance: no steps of any flow are exact enough */
enum { EPI_CREEPS = 1, EPI_CHATTERS = 2, EPI_OSCILLATES = 4, EPI_GROWS = 8, EPI_AMPLIFIES = 16 };

typedef struct epi_search epi_search;
struct epi_search {
  /* the problem: facts of the case and of what is asked for, made once */
  epi_case *const c;
  epi_chosen *const to;
  const int n;
  const int often;       /* OFTEN, or more where there are rows of the user's: these are among them, or every second, third ... of many */
  const double apart;    /* time between those */
  int overtones;         /* the highest of a force within a turn of its phase, where steps must be held short for it; 0: they need not */
  epi_scales scales;
  /* two solutions, the size of every coordinate, room for three states more */
  double *y[2], *size, *held;
  int rows;              /* in y[0] and y[1]: CHECKS, INSIDE or often */
  double small;          /* the least size of positions of one unit, at most 1; or of a seed */
  int measured;          /* that is known from a solution: they begin at zero */
  /* what control.c allows an estimate */
  double patience;       /* evaluations that a way may take before others have their turn, in those of an explicit flow */
  double rival;          /* the same that another way would take, by its trial */
  int patient;           /* 1: all are tried, also of a short one */
  int failed;            /* the number of a way that did not get there before they were; -1: there is none */
  double longest;        /* of a step, where some went over something; 0: as they will */
  /* what trials.c and forced.c tell of candidates */
  int short_run;         /* so short that only so many ways were tried; 0: all */
  double steady;         /* evaluations of the whole run by the direct flow, from the last part that was tried, without its start */
  double steps;          /* of order 8 in a turn of the phase, for the first tolerance of that way; 0: not known yet */
  double averaged;       /* evaluations that summing the turns of a phase would take, where that is too many; infinite: it is not right */
  epi_flow *again;       /* a flow that was used and may be used again, or NULL */
  /* what runs have shown, and the flow of the choice so far, as to->flow has it */
  epi_variant now;
  double extra;          /* what was spent more than to->spent, in evaluations of an explicit flow: some cost more */
  long traced;           /* evaluations that the trace has entries for */
  double seconds;        /* of the last run */
  double over;           /* of the last run that was sampled: its defect may be worth so much, relative; 0: it was not */
  int rough;             /* the motion is not smooth, and errors jump about */
  int strides;           /* some run of this way had steps that are a good part of the whole */
  int rests;             /* the first solution of this way does not move by a tolerance */
  unsigned motion;       /* what is known of it, bits of the above */
  double nearest;        /* distance of the two nearest solutions that did not agree, of any way; infinite: there are none */
  char nearest_flow[200];        /* the finer of them */
};

/* trace.c: the error of a search, over another; EPI_WRONG */
int epi_choose_fail(epi_chosen *, epi_cause, const char *words, ...) __attribute__((format(printf, 3, 4)));
int epi_choose_fault(epi_chosen *, const epi_fault *);
void epi_way_close(epi_way *, epi_cause, const char *words, ...) __attribute__((format(printf, 3, 4)));      /* why it does not work */
void epi_way_fault(epi_way *, const epi_fault *);
static inline void epi_choose_clear(epi_chosen *to) { to->error[0] = 0, to->cause = EPI_NO_CAUSE; }

/* trials.c: the candidates, tried on a part of the run, the cheapest first */
int epi_try_ways(epi_search *);
int epi_has_no_bumps(const epi_search *);        /* none that steps were too long for */
int epi_has_laws(const epi_search *);  /* loads of a world by formulas or functions, which may bend and jump */
double epi_turns(const epi_case *, double span);  /* of a fast phase, 0 where there is none */

/* sampling.c: how many steps of order 8 a turn of the phase takes, where errors of a turn may add up to r */
double epi_steps_of_a_turn(epi_search *, double r);

/* attempt.c: one run of one flow on the case of a search. s: where it is; price: of an evaluation, in those of an explicit flow; before:
   evaluations of the flow that are counted; bad: the code of what it came to; pauses: NULL, or whether a run that its observer stopped
   goes on */
typedef struct epi_attempt {
  epi_search *a;
  epi_flow *f;
  const char *text;
  epi_state s;
  double price, seconds;
  long before;
  int bad;
  int (*pauses)(const void *data);
  const void *data;
} epi_attempt;
void epi_attempt_begin(epi_attempt *, epi_search *, epi_flow *, const char *text);     /* at the start of the case; the flow is its own */
int epi_attempt_go(epi_attempt *, double to, double apart);     /* as epi_run; nothing where it went wrong before; x->bad */
int epi_attempt_step(epi_attempt *, double h);
void epi_attempt_show(const epi_attempt *, double part, double done);    /* its progress */
long epi_attempt_calls(const epi_attempt *);  /* that are not counted yet */
void epi_attempt_count(epi_attempt *);        /* its evaluations are spent */
void epi_attempt_leave(epi_attempt *);        /* counts, and frees the flow */

/* conditions of a run, or NULL. first: it is the first of its candidate, and there is nothing to compare it with yet; sampled: its defect
   is; start: the state in which it begins, or NULL */
typedef struct { int first, sampled; const double *start; } epi_conditions;
/* attempt.c: a run, and its evaluations, or NaN with why not; y at a->rows times, which it sets */
double epi_try_run(epi_search *, const epi_variant *, const epi_conditions *, double *y, epi_fault *why);
/* its flow, with one name more than the case has where it is watched */
epi_flow *epi_try_variant(const epi_search *, const epi_variant *, epi_name see);
/* the same on longer and longer parts, one run that goes on; begun where x->f is NULL */
double epi_try_part(epi_search *, epi_attempt *, const epi_way *, double part, epi_fault *why);
void epi_try_why(const epi_flow *, int bad, epi_fault *why);
void epi_try_failed(epi_chosen *, const epi_flow *, int bad, epi_fault *why);
int epi_refuses_often(const epi_flow *);  /* so many of its steps as of a smooth motion never are */
extern EPI_INSIDE const char epi_refused_often[];
int epi_try_ended(const epi_chosen *);  /* the code with which it ended */
double epi_clock(void);
int epi_too_dear(epi_search *, double more);  /* so many evaluations more: 1 after the sentence */

/* sizes.c: the two solutions; notes where */
void epi_measure_sizes(epi_search *, const double *y);
/* of positions of one unit, or of what has a rate alone, at the start and in these rows, at most 1; that also where they are zero, and
   nobody knows */
double epi_least_size(const epi_case *, const double *y, int rows);
/* from zero on nobody knows how large a motion will be. 1: this solution is far smaller than its steps were made for, which went with
   anything; they will be made for that */
int epi_is_smaller(epi_search *, const double *y, int rows, double seed);
double epi_apart(epi_search *);

/* guards.c: the smallest starting value that is far below its size in these rows; and the smallest in y[0] that the motion amplifies, which
   other runs tell. Infinite: there is none */
double epi_find_seed(const epi_search *, const double *y, int rows);
double epi_find_grown_seed(epi_search *);

/* of the k-th of the rows, from 1 on. Those inside of turns are in any part of them, also where so many turns are a multiple of all rows */
static inline double epi_row_time(const epi_search *a, int k)
{
  const double t = a->c->t, end = a->to->end;
  const double at = a->rows == INSIDE && k % (INSIDE/CHECKS) ? k - 1 + fmod(0.6180339887*k, 1) : k;
  return k == a->rows ? end : a->rows == a->often ? t + a->apart*k : t + (end - t)*at/a->rows;
}

/* observable.c: what observables are off by in the same two */
void epi_compare_observables(epi_search *);

/* evaluations of a whole run, by those of its second eighth; a step of many turns pays only where there is room for it */
static inline double epi_whole_of(double eighth, double quarter) { return quarter + 6*(quarter - eighth); }
static inline double epi_power(double x, int n)
{
  double y = 1;
  for (; n > 0; n--) y *= x;
  return y;
}

/* companion.c: a run, into y[0] or, of sums, into y[1], and its error by a companion. calls: evaluations of the run alone, NaN where it
   fails, and why; told: the error, NaN where it cannot be told; apart: the distance of the two; ended: it was given up on its way, as told
   would be more than the tolerance, all too dear, or, dear, as it takes more than `limit`; rounded: rounding is felt; doubts: too many of
   its periods were found to be crossed with too little; rough: the motion is not smooth */
typedef struct { double calls, told, apart; int ended, dear, rounded, doubts, rough; epi_fault why; } epi_estimate;
epi_estimate epi_companion_steps(epi_search *, const epi_variant *);
epi_estimate epi_companion_sums(epi_search *, const epi_variant *, double limit);
int epi_companion_applies(const epi_search *, const epi_variant *);       /* of steps */
double epi_companion_tolerance(const epi_search *, double r);  /* of the steps of the first such run, where it would be r otherwise */

/* defect.c: of the steps of one run, sampled between rows: by its flow f and the method `by` inside; calls: for that alone */
typedef struct { const epi_flow *f; epi_flow *by; double *room; int n, places, skips; long calls; } epi_defect;
void epi_defect_begin(const epi_search *, epi_flow *, int rows, epi_defect *);
void epi_defect_sample(epi_defect *, const epi_system *, const epi_state *, int row, double apart);
void epi_defect_end(epi_search *, epi_defect *, const double *y, int rows);      /* a->over */
void epi_note_steps(epi_search *, const epi_flow *);     /* after a run */

/* sampling.c: asks the force at many phases of a turn; the longest step that meets what is narrow in it, by its stages or where it ends */
int epi_find_kicks(epi_search *);        /* 0, or -1 and the error: out of memory */
double epi_longest_by_kicks(const epi_search *, int at_its_ends);

/* guards.c: what the estimate of an error may not see. HELD: the next attempts take steps of at most `longest`; REJECTED: the candidate is
   given up, with the error of the choice */
typedef struct { enum { EPI_STANDS, EPI_HELD, EPI_REJECTED } is; double longest; } epi_verdict;
typedef struct {
  const char *name;
  int (*applies)(const epi_search *, int way);
  epi_verdict (*ask)(epi_search *, int way, int bad);     /* bad: what the estimate came to: 0, or EPI_WRONG with the error */
} epi_guard;
enum { EPI_GUARDS = 3 };
extern EPI_INSIDE const epi_guard epi_guards[EPI_GUARDS];
/* two solutions agree that have the same steps. 1: with others they do not, or these fail, and why */
int epi_is_blind(epi_search *, epi_fault *why);

/* oscillation.c: the largest part of a coordinate that an oscillation makes which goes on, where the steps of the last run have more than
   so many radians of it, and its period; 0: there is none */
double epi_oscillation_fastest(epi_search *, double radians, double *T);
double epi_oscillation_held(epi_search *, double T);     /* of one with that period, by steps that resolve it; -1: they cannot be held */
/* whether two solutions, one by the last run with so many evaluations, are as far apart as an oscillation lets them be that goes on */
int epi_is_all_oscillation(epi_search *, double calls, double apart);

/* refine.c: finer and finer, until two solutions agree; EPI_PAUSED: it takes more than a->patience evaluations, and r is how far it came */
enum { EPI_PAUSED = 1 };
int epi_refine(epi_search *, int way, double *r);

/* sampling.c: says so where a force has a fast phase in t, and every turn of it is resolved */
void epi_find_fast_time(epi_search *);

/* trace.c: the trace of a search, whose next entry takes the evaluations since the last one. v: or NULL; rest: only if there are any */
void epi_trace_add(epi_search *, const char *what, const epi_variant *v, double error, epi_cause cause);
void epi_trace_rest(epi_search *, const char *what);

/* explain.c: what is told of a choice */
void epi_say_why(epi_search *);

/* scales.c: fills in a->scales and says in to->scales what there is; evaluations that resolving everything will take, by these alone */
void epi_find_scales(epi_search *);
double epi_direct_calls(const epi_search *);

/* slow.c: the slow part of the motion, if that is what is wanted or all that can be paid for: 0, where it is right to the tolerance; 1:
   other ways must be tried */
int epi_try_slow(epi_search *);

/* forced.c: a fast phase, many turns at a time; 1: other ways must be tried */
int epi_choose_forced(epi_search *);
#endif
