/* ripple.c - steps of an implicit flow may be longer than the fastest oscillation of a system. They leave it out, or lose its phase, and so
 * do those of the finer solution that tells their error. Where it goes on, some of its turns show how large it is */
#include "search.h"
#include "epicycle/measure.h"

enum { TURN = 6, TURNS = 8, POINTS = TURN*TURNS + 1, PASSES = 3 };
#define RESOLVED 2.       /* radians of it in a step, at most */
#define ENOUGH 0.7        /* tolerances: what is less may be left out */

/* the state at POINTS places of the first turns; 0 on success */
static int resolve(epi_search *a, epi_flow *f, double T, double *y)
{
  epi_state s = epi_case_state(a->c);
  const double t0 = s.t;
  int bad = 0;
  for (int k = 0; k < POINTS && !bad; k++) {
    if (k) bad = epi_run(f, &s, t0 + T*k/TURN, T/TURN);
    memcpy(y + k*a->n, s.y, (size_t)a->n*sizeof *y);
  }
  return bad;
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

/* how large it is in one coordinate when the first row is reached, in `turns` of it: it may die away before */
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

/* the largest that a coordinate has of it, relative to its size; NaN where that cannot be had */
static double ripple(epi_search *a, epi_flow *f, double T)
{
  const double row = a->to->every > 0 ? fmin(a->to->every, a->apart) : a->apart;
  double *y = malloc(POINTS*(size_t)a->n*sizeof *y), most = NAN, x[POINTS];
  if (y && !resolve(a, f, T, y)) {
    most = 0;
    for (int i = 0; i < a->n; i++) {
      for (int k = 0; k < POINTS; k++) x[k] = y[k*a->n + i];
      leave_slow_out(x);
      most = epi_larger(most, left_of(x, row/T)/a->size[i]);
    }
  }
  free(y);
  return most;
}

int epi_leaves_ripple(epi_search *a, int way)
{
  epi_chosen *to = a->to;
  char flow[sizeof to->flow];
  /* sizes are known where a solution has got to its end */
  if (!epi_is_implicit(way) || !(to->longest > 0) || !(a->size[0] > 0)) return 0;
  epi_write_way(a, EPI_DIRECT, epi_rounded(fmax(FINEST, 0.01*to->tol)), flow, sizeof flow);
  epi_flow *f = epi_case_flow(a->c, flow);
  epi_state s = epi_case_state(a->c);
  epi_stop_with(f, &to->stop);
  const double w = epi_error(f) ? 0 : epi_frequency(f, &s, NULL), T = 2*EPI_PI/w;
  const double off = w*to->longest > RESOLVED && TURNS*T < to->end - a->c->t ? ripple(a, f, T) : 0;
  to->spent += epi_calls(f);
  epi_free(f);
  if (!(off > ENOUGH*to->tol)) return 0;
  snprintf(to->error, sizeof to->error, "its steps are longer than an oscillation with a period of %.3g, which goes on: up to %.2g of the "
           "size of a coordinate", T, off);
  return a->ripples = 1;
}
