/* picard.h - what the files of picard share: how many nodes, sweeps and phases a period takes, and what is known of the last periods */
#ifndef EPI_PICARD_H
#define EPI_PICARD_H
#include "crossing.h"

enum { RTOL, NODES, SWEEPS, PHASES, PERIOD };
/* kept: what is used, in how many pieces where a period is too long for it; error per square of the last coefficients and per change of the
   last sweep, or of any, and that in echoes; what is left of such a change where a sweep is foretold in place of taken, 1: it is not; the
   largest that these coefficients have been; how often all that was found, and how many periods were crossed since; how many of the last
   ones are known, with how many nodes, when they began; then what was more than the frozen forces in each */
enum { USED_NODES, USED_SWEEPS, USED_PHASES, USED_PIECES, PER_TAIL, PER_CHANGE, PER_ANY, PER_ECHO, FORETOLD, LARGEST, FOUND, CROSSED, KNOWN,
       KNOWN_NODES, TIMES };
enum { LAST = 9, HEADS = TIMES + LAST, LAST_NODES = 18 };
enum { MOST_NODES = EPI_PERIOD_NODES, MOST_PHASES = 41, MOST_SWEEPS = 24, PART_NODES = 24 };

static inline const epi_crossing_room *room_of(const epi_flow *f) { return epi_crossing_room_of(f); }

/* ---- how many of each: picard-find.c ---- */
/* the count of nodes after n, or 0: there is none; and that before it, or n itself */
EPI_INSIDE int epi_picard_more_nodes(int n);
EPI_INSIDE int epi_picard_fewer_nodes(int n);
/* how far two results are from each other, in units of what is allowed */
EPI_INSIDE double epi_picard_apart(int N, const double *a, const double *b, const double *allowed);
/* an error that a parent allows, or a part of what the step moves, by its forces at F phases and what is more at n points */
EPI_INSIDE const double *epi_picard_allowed(const epi_flow *, const epi_state *, double T, int F, int n);
/* once more at m points along the path that was found with n, frozen forces at F phases as they are now: into `two`. Only a second sweep
   feels what that path itself was off by */
EPI_INSIDE int epi_picard_along(epi_flow *, const epi_state *, double T, int n, int m, int F, int sweeps);
/* phases, then sweeps, then nodes; found 0: none do */
EPI_INSIDE int epi_picard_find(epi_flow *, const epi_state *, double T, const double *allowed, int *found);
/* the frozen forces, which are known at so many phases, asked at 43 others, `times` as often as that, from `shift` of their distance on:
   what their interpolant misses in the mean, in units of what is allowed, where it misses more somewhere than `least`, one for each answer,
   or NULL. Forces that the points of a period have met are resolved by these, or lack nodes, which shows elsewhere */
typedef struct { int phases, times; double shift; const double *allowed, *least; } epi_picard_asked;
EPI_INSIDE int epi_picard_overtones(epi_flow *, const epi_state *, double T, const epi_picard_asked *, double *off);
#define EPI_PICARD_ENOUGH 0.03          /* of what is allowed: a node less costs a digit at least */
/* fewer nodes, where those that are used are `off` by far less than is allowed beside what `many` gave just now, which is in `two` */
EPI_INSIDE int epi_picard_find_fewer(epi_flow *, const epi_state *, double T, int many, int F, const double *allowed, double off);
/* one count more, where those that are used are `off` by more than is allowed beside what `many` gave just now, which is in `two`, and goes
   to `one`. found 0: that is not what they lack, or not enough */
EPI_INSIDE int epi_picard_find_more(epi_flow *, const epi_state *, double T, int many, int F, const double *allowed, double off,
                                    int *found);

/* ---- a period begins with what is known of those before it: picard-known.c ---- */
static inline long answers_of(const epi_flow *f)
{
  const epi_crossing *p = f->own;
  return p->second + p->first;
}
EPI_INSIDE int epi_picard_is_newest(const epi_flow *, double t);
/* kept behind all that: the largest that the forces of each answer were over a period, when what is used was found or checked; and the
   largest of the last coefficients, with the nodes that are used, 0: it is not known yet */
static inline double *epi_picard_sizes(const epi_flow *f) { return f->keep + HEADS + LAST*LAST_NODES*answers_of(f); }
static inline double *epi_picard_tail(const epi_flow *f) { return epi_picard_sizes(f) + answers_of(f); }
/* what was more than the frozen forces in the newest */
EPI_INSIDE const double *epi_picard_newest(const epi_flow *);
/* what stands in the room of the one that begins at t is known to the next */
EPI_INSIDE void epi_picard_remember(epi_flow *, double t);
/* what was more in the last periods goes on into the one at t by the polynomial through them; 1: nothing is known */
EPI_INSIDE int epi_picard_go_on(const epi_flow *, double t);

/* ---- picard-row.c ---- */
/* what a part of a period moves the state by; done 0: it is not known by this */
EPI_INSIDE int epi_picard_within(epi_flow *, const epi_state *, double T, double part, double *moved, int *done);
#endif
