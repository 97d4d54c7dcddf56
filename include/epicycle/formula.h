/* formula.h - formulas: a text such as "-k*x + a*cos(theta)" as a number that can be asked for, again and again */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_FORMULA_H
#define EPICYCLE_FORMULA_H
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formulas --------------------------------------------------------------------------------------------------------
 *   double k = 5, x[] = {0.1, 0.7}, f;
 *   epi_formula_name names[] = {{.name = "k", .constant = &k}, {.name = "x", .place = 0}, {.name = "theta", .place = 1}, {0}};
 *   char why[200];
 *   epi_formula *force = epi_formula_read("-k*x + cos(theta)", names, why, sizeof why);
 *   if (!force) fprintf(stderr, "%s\n", why);                          // "column 6: there is no 'y'; did you mean x?"
 *   int column = epi_formula_value(force, x, &f);
 *   if (column) fprintf(stderr, "%s in column %d\n", epi_formula_trouble(force, column), column);
 *   epi_formula_free(force);
 *
 * + - * / ^ (or **) and brackets; -x^2 is -(x^2), and a^b^c is a^(b^c). pi, and the functions sin cos tan asin acos atan sinh cosh tanh
 * exp log log10 sqrt abs sign step floor of one number (step: 0 below zero, 1 from there on), min max atan2 hypot pow of two. Nothing is
 * called, written or allocated when a formula is asked; one may be asked in several threads. */
typedef struct epi_formula epi_formula;
typedef struct epi_formula_name {
  const char *name;
  const char *unit;            /* "m/s", "" of a bare number; NULL: not known, it goes with everything */
  const double *constant;      /* a number, taken when the formula is read; or */
  int place;                   /* a variable: entry of the x that it is asked with; or */
  /* a function of one number, such as a table: its value and its first and second derivative. 0 on success */
  int (*of)(const void *data, double x, double out[3]);
  const void *data;
  const char *takes;           /* unit of what it is a function of */
} epi_formula_name;
/* NULL after the sentence in why; the names may go when it has been read, what they point to as functions may not */
EPI_API epi_formula *epi_formula_read(const char *text, const epi_formula_name *names, char *why, size_t size);
/* with numbers such as 20 mm or 5 [N/m], and a check that the units go together. read: factor to the unit of the system, and powers of
   length, mass and time, of the text of a unit; 0, or -1 and why. unit: of the result; NULL: any */
typedef struct epi_dimension { double factor, power[3]; } epi_dimension;
typedef int epi_read_dimension(const char *unit, epi_dimension *, char *why, size_t size);
EPI_API epi_formula *epi_formula_read_in(const char *text, const epi_formula_name *names, epi_read_dimension *read, const char *unit,
                                         char *why, size_t size);
EPI_API epi_formula *epi_formula_read_why(const char *text, const epi_formula_name *names, epi_read_dimension *read, const char *unit,
                                          epi_fault *);                        /* the same with the cause */
EPI_API void epi_formula_free(epi_formula *);
/* 0 on success, or the column of what has no finite value */
EPI_API int epi_formula_value(const epi_formula *, const double *x, double *value);
/* the same along a motion: x moves with dx and ddx (NULL: with none), and out has the value, its rate and the rate of that */
EPI_API int epi_formula_motion(const epi_formula *, const double *x, const double *dx, const double *ddx, double out[3]);
EPI_API const char *epi_formula_trouble(const epi_formula *, int column);      /* "divides by zero" */
EPI_API int epi_formula_uses(const epi_formula *, int place);                  /* 1: it depends on this variable */
/* values of this variable at which the formula bends or jumps, as far as they can be read from it: what is in step, sign, abs, min, max or
   a function of yours is linear in this variable, and no other is in it. point (or NULL): the i-th argument at which such a function
   bends, by its data; 0: there are no more. Returns how many there are, also where that is more than `most`, for which there is room */
EPI_API int epi_formula_bends(const epi_formula *, int place, int (*point)(const void *data, int i, double *x), double *x, int most);
/* sines and cosines of a + b x, x being this variable alone: how many there are, and their b, for which there is room for `most` */
EPI_API int epi_formula_waves(const epi_formula *, int place, double *b, int most);
/* another variable is start + rate x: where b is a whole number of times the rate, they are asked with that one instead of x */
EPI_API void epi_formula_follow_phase(epi_formula *, int place, int phase, double rate, double start);
/* the same in memory of yours, of this size and aligned as malloc does, which needs no free */
EPI_API size_t epi_formula_size(const epi_formula *);
EPI_API epi_formula *epi_formula_copy(const epi_formula *, void *room);
EPI_API const char *epi_formula_unit(const epi_formula *);                     /* "m kg s^-2"; NULL: bare, or not known */
EPI_API const char *epi_formula_text(const epi_formula *);                     /* as it was read */

#ifdef __cplusplus
}
#endif
#endif
