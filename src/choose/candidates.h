/* candidates.h - the candidate methods of a choice, as data, and variants of them: numbers in the holes of their texts */
#ifndef EPICYCLE_CHOOSE_CANDIDATES_H
#define EPICYCLE_CHOOSE_CANDIDATES_H
#include <stddef.h>
struct epi_search;

/* AVERAGES: over a phase; TUNED: over a fast oscillation of the system's own; POOR: where there is such a one; PLAIN: not for bodies and
   constraints; BACK: some of its steps go back, where bodies that lose energy gain it; UNAWARE: its steps go over breaks of a force in
   time; EVEN: not for impacts and what may not run back; ORDER_2: of that order; IMPLICIT: its steps may be longer than an oscillation;
   WHOLE: its steps are chosen to the end and never cut for a row; RESTARTS: it begins anew where it is cut; COUNTED: it takes the most
   steps that are allowed */
enum {
  EPI_WAY_AVERAGES = 1, EPI_WAY_SLOW_TO_START = 2, EPI_WAY_TUNED = 4, EPI_WAY_POOR = 8, EPI_WAY_PLAIN = 16, EPI_WAY_BACK = 32,
  EPI_WAY_UNAWARE = 64, EPI_WAY_EVEN = 128, EPI_WAY_ORDER_2 = 256, EPI_WAY_IMPLICIT = 512, EPI_WAY_WHOLE = 1024, EPI_WAY_RESTARTS = 2048,
  EPI_WAY_COUNTED = 4096, EPI_WAY_SUMS = EPI_WAY_AVERAGES | EPI_WAY_TUNED
};

/* name: in the trace; inner: what is watched of it; form: around that; strict: the tolerance of its steps, as a rule, in those of the
   solution; price: NULL, or of an evaluation with what is around it, in those of an explicit flow */
typedef struct epi_candidate {
  const char *name, *inner, *form;
  double strict;
  unsigned traits;
  double (*price)(const struct epi_search *);
} epi_candidate;

/* the first of the list by name; behind the list, the slow system of a stiff one */
enum { EPI_BY_TUNING, EPI_BY_PICARD, EPI_BY_STEPS, EPI_BY_HERK, EPI_BY_ADAMS, EPI_DIRECT, EPI_CANDIDATES = 12, EPI_BY_SLOW_SYSTEM = 12 };
extern EPI_INSIDE const epi_candidate epi_candidates[EPI_CANDIDATES + 1];

/* number: of a way, or -1: not one of the list */
static inline int epi_way_is(int number, unsigned traits) { return number >= 0 && (epi_candidates[number].traits & traits) != 0; }

/* one flow: a candidate, r the tolerance of its steps; the rest is 0 where the candidate decides. watch: an observer, with a comma in
   front */
typedef struct epi_variant {
  int way, phases;
  double r, longest, most, share, first;
  const char *watch;
} epi_variant;
void epi_variant_write(const struct epi_search *, const epi_variant *, char *out, size_t size);
void epi_variant_take(struct epi_search *, const epi_variant *);      /* the flow of the choice so far */

int epi_applies(const struct epi_search *, int way);                  /* to the system, as far as that is known before it is run */
double epi_price(const struct epi_search *, int way);
double epi_first_tolerance(const struct epi_search *, int way);       /* of its steps */
double epi_finest(const struct epi_search *, int way);                /* the same, beyond which rounding is all there is */
double epi_substeps_for(const struct epi_search *, double r);         /* of a period of a fast oscillation */
/* sums of turns of a fast oscillation feel how each of them is rounded: to a smaller tolerance of their steps they go turn by turn, and to
   some times as much they are short */
double epi_felt_by_turns(const struct epi_search *);
/* it sums turns of a phase, and to the looser of two tolerances each with fewer steps: two such solutions differ by all they are off by;
   or turns of a fast oscillation, and a finer one would feel how each is rounded */
int epi_looser_tells(const struct epi_search *, int way, double r, double loose);
double epi_looser(int way, double r);     /* of these two the tolerance that is tried first */
int epi_is_unaware(const struct epi_search *, int way);
double epi_rounded(double x);             /* to one digit, no larger */
double epi_rounded_less(double x);        /* to two where one would take off more than a fifth */
#endif
