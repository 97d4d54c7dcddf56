/* table.h - every coefficient in one place */
#ifndef EPI_TABLE_H
#define EPI_TABLE_H
#include "core.h"

/* compositions of one symmetric flow: the first half of a palindrome, the middle one last */
typedef struct epi_composition_table {
  const char *name, *cite;
  int order, stages;                   /* stages of the whole palindrome; 0: made by repeating Suzuki's five */
  const double *half;
} epi_composition_table;
/* compositions a1 b1 a2 b2 ... of two flows, also palindromes: a on the first flow */
typedef struct epi_splitting {
  const char *name, *cite;
  int order, entries;                  /* entries of the whole palindrome */
  const double *half;
} epi_splitting;

extern EPI_INSIDE const epi_composition_table epi_compositions[];     /* end with a NULL name; the first of an order is its default */
extern EPI_INSIDE const epi_splitting epi_splittings[];

/* the whole table from its half; returns the number of entries (at most 125), 0 when there is none */
EPI_INSIDE int epi_palindrome(int n, const double *half, double *out);
EPI_INSIDE int epi_composition_of(const char *name, int order, double *out);    /* by its name, or NULL for the usual one */
extern EPI_INSIDE const char *const epi_composition_words[];                 /* the names of the option table; the first is the usual one */

/* builders of methods given by tables (rk.c, implicit.c) */
EPI_INSIDE void epi_rk_build(epi_flow *);
EPI_INSIDE void epi_implicit_build(epi_flow *);
EPI_INSIDE void epi_lobatto_build(epi_flow *);
/* whether the end of a step or its estimates have a weight for this stage */
static inline int epi_table_sees(const epi_table *T, int stage)
{
  return T->b[stage] != 0 || (T->e && T->e[stage] != 0) || (T->e2 && T->e2[stage] != 0);
}
/* which loop an explicit Runge-Kutta node has: of any rate; of a force of position alone; of that, each stage on the one before alone */
typedef enum { EPI_RK_NONE, EPI_RK_RATE, EPI_RK_FORCE, EPI_RK_CHAIN } epi_rk_form;
EPI_INSIDE epi_rk_form epi_rk_form_of(const epi_flow *, const epi_table **, int *fsal);
EPI_INSIDE const epi_table *epi_table_wanted(const epi_record *, const epi_value *args);   /* by stages where a record has several */
extern EPI_INSIDE const epi_record epi_EULER, epi_HEUN, epi_MIDPOINT_EXPLICIT, epi_BS3, epi_RK4, epi_DOPRI5, epi_DOP853, epi_RK;
extern EPI_INSIDE const epi_record epi_EULER_IMPLICIT, epi_MIDPOINT, epi_THETA, epi_GAUSS, epi_LOBATTO, epi_RADAU, epi_EXTRAPOLATED;
#endif
