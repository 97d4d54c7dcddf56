/* period.h - Gauss and Fourier on one fast period [0, 1]: the matrices of picard */
#ifndef EPI_PERIOD_H
#define EPI_PERIOD_H
#include "core.h"

enum { EPI_PERIOD_NODES = 52 };         /* at most */

/* of what is asked for along a path beside the wave: in the mean, by how much it changed; integrated once and twice, over T = 1; its last
   coefficient and the one before; the largest; squares of it and of the way along the path, added up */
typedef struct { double change, once, twice, last, before_last, most, square, way; } epi_period_sums;

struct epi_period_rule;
typedef struct {
  /* out = from + x A v with columns of n one after the other; from may be out, or NULL for zeros */
  void (*multiply)(int n, int cols, double x, const double *A, const double *v, const double *from, double *out);
  /* the path of one coordinate from y on, with the velocity v: by frozen forces at the phases, and by these and what is `more` at the
     points; NULL: nothing is. wave: the frozen forces along it */
  void (*path)(const struct epi_period_rule *, double T, double y, double v, const double *frozen, const double *more, double *wave,
               double *base, double *path);
  /* what is asked for along a path from y beside the wave becomes what is `more` */
  void (*see)(const struct epi_period_rule *, const double *asked, const double *wave, const double *path, double y, double *more,
              epi_period_sums *);
  /* where a path goes on to `next`, what is `more` at its points, as far as what it was along the path shows how it changes with the
     place, and its integrals; a point where that would be more than `most` a unit of way shows nothing */
  void (*go_on)(const struct epi_period_rule *, double y, const double *path, const double *next, double most, double *more,
                epi_period_sums *);
} epi_period_forms;

/* n Gauss points c with weights b; `phases` equally spaced ones, from 0. Matrices by columns: the n answers to one value stand together */
typedef struct epi_period_rule {
  int n, phases;
  const double *c, *b, *late;          /* late: b (1 - c) */
  const double *tail;                  /* 2 x n: weights for the last two Legendre coefficients of values */
  const double *once, *twice;          /* n x n: the values' interpolant, integrated once and twice from 0 to c */
  const double *wave;                  /* n x phases: the trigonometric interpolant of values at the phases, at c ... */
  const double *wave_once, *wave_twice;        /* ... integrated once and twice to c */
  const double *wave_end;              /* phases: ... and twice, to 1 */
  const double *turned;                /* 2 x phases: their cosines and sines */
  const epi_period_forms *forms;       /* for n points */
  struct epi_period_rule *next;
} epi_period_rule;
/* period-path.c */
EPI_INSIDE const epi_period_forms *epi_period_forms_of(int n);
EPI_INSIDE void epi_multiply(int n, int cols, double x, const double *A, const double *v, const double *from, double *out);
/* period-table.c: what belongs to n points and is known, or NULL */
EPI_INSIDE const double *epi_period_known(int n);
EPI_INSIDE size_t epi_period_rule_size(int n, int phases);                   /* bytes, a multiple of 16 */
/* needs: which integrals of values at the Gauss points; like: one with the same points and integrals, or NULL; also: one with as many
   phases, or NULL */
enum { EPI_PERIOD_ONCE = 1, EPI_PERIOD_TWICE = 2 };
EPI_INSIDE epi_period_rule *epi_period_rule_make(int n, int phases, int needs, const epi_period_rule *like,
                                                 const epi_period_rule *also, void *memory);
/* weights of the values at the phases for their trigonometric interpolant at x */
EPI_INSIDE void epi_period_wave(int phases, double x, double *weight);
/* weights for integrals from 0 to x, once and twice: of values at the points, and of the trigonometric interpolant at the phases */
typedef struct {
  double once[EPI_PERIOD_NODES], twice[EPI_PERIOD_NODES], wave_once[EPI_PERIOD_NODES], wave_twice[EPI_PERIOD_NODES];
} epi_period_part;
EPI_INSIDE void epi_period_up_to(const epi_period_rule *, double x, epi_period_part *);
#endif
