/* oscillation.c - steps of an implicit flow may be longer than the fastest oscillation of a system. They leave it out, or lose its phase,
 * and so do those of the finer solution that tells their error. Where it goes on, some of its turns show how large it is */
#include "search.h"
#include "epicycle/measure.h"

enum { TURN = 6, TURNS = OSCILLATION_TURNS, POINTS = TURN*TURNS + 1, PASSES = 3 };

/* the state at POINTS places of the turns from the start on; 0 on success */
static int resolve(epi_attempt *x, double T, double *y)
{
  const double t0 = x->s.t;
  const size_t n = (size_t)x->a->n;
  for (int k = 0; k < POINTS && !x->bad; k++) {
    if (k) epi_attempt_go(x, t0 + T*k/TURN, T/TURN);
    memcpy(y + (size_t)k*n, x->s.y, n*sizeof *y);
  }
  return x->bad;
}

/* of one coordinate: each value beside those half a turn before and after it. What changes slowly is next to nothing of that, and an
   oscillation twice as large, each time */
static void leave_slow_out(double *x)
{
  double last[POINTS];
  for (int pass = 1; pass <= PASSES; pass++) {
    const int half = TURN/2, from = pass*half;
    memcpy(last, x, sizeof last);
    for (int k = from; k < POINTS - from; k++) x[k] = 0.5*(last[k] - 0.5*(last[k - half] + last[k + half]));
  }
}

/* how large it is in one coordinate when a row is reached, in `turns` of it: it may die away before */
static double left_of(const double *x, double turns)
{
  const int from = PASSES*TURN/2, middle = POINTS/2, to = POINTS - from;
  double first = 0, second = 0;
  for (int k = from; k < to; k++) {
    if (k < middle) first = fmax(first, fabs(x[k]));
    else second = fmax(second, fabs(x[k]));
  }
  const double apart = 0.5*(to - from)/TURN, more = turns - 0.75*to/TURN;
  return second < 0.9*first && more > 0 ? second*pow(second/first, more/apart) : second;
}

/* the largest that a coordinate has of it `later`, relative to its size; NaN where that cannot be had */
static double ripple(epi_attempt *f, double T, double later)
{
  const epi_search *a = f->a;
  double *y = malloc(POINTS*(size_t)a->n*sizeof *y), most = NAN, x[POINTS];
  if (y && !resolve(f, T, y)) {
    most = 0;
    for (int i = 0; i < a->n; i++) {
      for (int k = 0; k < POINTS; k++) x[k] = y[k*a->n + i];
      leave_slow_out(x);
      most = epi_larger(most, left_of(x, later/T)/a->size[i]);
    }
  }
  free(y);
  return most;
}

static void begin_to_resolve(epi_search *a, epi_attempt *x)
{
  const epi_variant s = {.way = EPI_DIRECT, .r = epi_rounded(fmax(FINEST, 0.01*a->to->tol))};
  epi_attempt_begin(x, a, epi_try_variant(a, &s, (epi_name){0}), "");
}

/* how large it is when the first row is reached, by some turns at the start */
static double at_first_row(epi_attempt *x, double T)
{
  const epi_search *a = x->a;
  return ripple(x, T, a->to->every > 0 ? fmin(a->to->every, a->apart) : a->apart);
}

double epi_oscillation_fastest(epi_search *a, double radians, double *T)
{
  epi_attempt x;
  begin_to_resolve(a, &x);
  const double w = x.bad ? 0 : epi_frequency(x.f, &x.s, NULL);
  *T = 2*EPI_PI/w;
  const double off = w*a->to->longest > radians && TURNS**T < a->to->end - a->c->t ? at_first_row(&x, *T) : 0;
  epi_attempt_leave(&x);
  return off;
}

double epi_oscillation_held(epi_search *a, double T)
{
  epi_attempt x;
  epi_variant held = a->now;
  if (!epi_way_is(held.way, EPI_WAY_WHOLE)) return -1;
  held.longest = T/16;
  epi_attempt_begin(&x, a, epi_try_variant(a, &held, (epi_name){0}), "");
  const double off = x.bad ? 0 : at_first_row(&x, T);
  epi_attempt_leave(&x);
  return off;
}

int epi_is_all_oscillation(epi_search *a, double calls, double apart)
{
  double T;
  if (!(apart > ENOUGH*a->to->tol) || !(calls > LONG_RUN)) return 0;
  const double off = epi_oscillation_fastest(a, FOLLOWED, &T);
  return off > ENOUGH*a->to->tol && apart > PHASE_LOST*off;
}
