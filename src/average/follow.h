/* follow.h - one mode that is followed from where it was, by products with the Hessian, and short vectors: all in line, so that it may be
 * compiled for a number of coordinates */
#ifndef EPI_FOLLOW_H
#define EPI_FOLLOW_H
#include "valley.h"
#include "two.h"

/* ---- short vectors, two numbers at a time: of four or fewer no loop is left where n is known ---- */
/* i: where a pair begins; what is left over stands alone */
#define EPI_BY_PAIRS(n, pair, alone) do { \
    int i = 0; \
    for (; i + 3 < (n); i += 4) { { pair; } i += 2; { pair; } i -= 2; } \
    if (i + 1 < (n)) { { pair; } i += 2; } \
    if (i < (n)) { alone; } \
  } while (0)

/* sums begin with -0, which added to anything is nothing, and is left out */
#define EPI_NO_TWO ((epi_two){-0.0, -0.0})

EPI_INLINED double epi_dot_of(const int n, const double *a, const double *b)
{
  epi_two two = EPI_NO_TWO;
  double one = -0.0;
  EPI_BY_PAIRS(n, two += epi_two_at(a + i)*epi_two_at(b + i), one = a[i]*b[i]);
  return two[0] + two[1] + one;
}

/* out = x + c e, which may be in place */
EPI_INLINED void epi_move_by(const int n, const double *x, double c, const double *e, double *out)
{
  EPI_BY_PAIRS(n, epi_put_two(out + i, epi_two_at(x + i) + c*epi_two_at(e + i)), out[i] = x[i] + c*e[i]);
}

/* out = (a - b) c */
EPI_INLINED void epi_apart_by(const int n, const double *a, const double *b, double c, double *out)
{
  EPI_BY_PAIRS(n, epi_put_two(out + i, (epi_two_at(a + i) - epi_two_at(b + i))*c), out[i] = (a[i] - b[i])*c);
}

EPI_INLINED void epi_copy(const int n, const double *x, double *out)
{
  EPI_BY_PAIRS(n, epi_put_two(out + i, epi_two_at(x + i)), out[i] = x[i]);
}

/* ---- where numbers stand ---- */
/* at known distances from the first where n is known; what is written through one of them leaves these pointers alone */
typedef struct {
  const epi_valley_kept *kept;
  double *x, *f, *two, *floor, *last, *last_rate, *lambda, *E, *bend, *turned;
} epi_places;

EPI_INLINED epi_places epi_places_of(const epi_valley *a, const int n)
{
  double *const x = a->x, *const E = x + 10*n;
  return (epi_places){.kept = epi_valley_memory(a), .x = x, .f = x + n, .two = x + 2*n, .floor = x + 3*n, .last = x + 5*n,
                      .last_rate = x + 7*n, .lambda = x + 9*n, .E = E, .bend = E + (long)n*n, .turned = E + 2L*n*n};
}

/* ---- forces ---- */
EPI_INLINED int epi_valley_ask(epi_valley *a, double t, const double *x, double *f)
{
  if (!a->plain) return epi_valley_force(a, t, x, f);
  epi_system *m = a->of;
  a->node->calls++;
  return m->force(m, t, x, f);
}

/* nothing is known at x but its force */
EPI_INLINED int epi_valley_begin_at(epi_valley *a, const epi_places *w, const int n, double t, const double *x)
{
  a->known = a->bent = a->alone = a->followed = 0;
  a->off = 0;
  a->time = t;
  epi_copy(n, x, w->x);
  return epi_valley_ask(a, t, w->x, w->f);
}

/* room that few coordinates need is at hand */
enum { EPI_FEW = 4 };

/* row = -f'(x) v, by a forward difference over h, where the force f at x is known */
EPI_INLINED int
epi_valley_product(epi_valley *a, const epi_places *w, const int n, double t, const double *x, double h, const double *v, double *row)
{
  double few[EPI_FEW], *const there = n <= EPI_FEW ? few : a->one;
  epi_move_by(n, x, h, v, there);
  int bad = epi_valley_ask(a, t, there, row);
  epi_apart_by(n, w->f, row, 1/h, row);
  return bad;
}

/* the error of the direction goes with it, its noise against it: of one mode the direction is what counts. In lengths */
#define EPI_STEP_OF_ONE 2e-8

/* v becomes what a product with it at a->x gives, of length one, and `value` its stiffness there, which what v had of other modes changes
   by less than Rayleigh's quotient; off: how far it went, squared. 0: there is none, or *bad */
EPI_INLINED int
epi_valley_again(epi_valley *a, const epi_places *w, const int n, double t, double *v, double *value, double *off, int *bad)
{
  double few[EPI_FEW], *const row = n <= EPI_FEW ? few : a->H;
  if ((*bad = epi_valley_product(a, w, n, t, w->x, EPI_STEP_OF_ONE*w->kept->length, v, row))) return 0;
  const double along = epi_dot_of(n, v, row), size = epi_dot_of(n, row, row), by = 1/sqrt(size);
  if (!(along > 0)) return 0;
  *value = size/along;
  epi_two two = EPI_NO_TWO;
  double one = -0.0;
  EPI_BY_PAIRS(n, const epi_two d = epi_two_at(row + i)*by - epi_two_at(v + i); two += d*d; epi_put_two(v + i, epi_two_at(row + i)*by),
               one = row[i]*by - v[i]; v[i] = row[i]*by);
  *off = n % 2 ? two[0] + two[1] + one*one : two[0] + two[1];
  return 1;
}

/* what such a product leaves of the way of that mode is nothing: it is known */
EPI_INLINED int epi_valley_is_followed(epi_valley *a, const epi_places *w, const int n, const double *v, double value, double off)
{
  const double beside = w->kept->beside;
  if (!(off*beside*beside <= 1e-20)) return 0;
  epi_copy(n, v, w->E);
  w->lambda[0] = value;
  a->slow = beside*value;
  a->alone = a->followed = a->known = 1;
  return 1;
}
#endif
