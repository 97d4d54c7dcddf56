/* figures_window.c - what a macro-step asks for: a short run of the fast system, to both sides of a slow state */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* n steps of h, one after the other into to[1], to[2] ...; NaN from where it failed */
static void steps(const window *w, double h, long n, double *to)
{
  epi_system *system = &w->of->c->system;
  double *y = need((size_t)w->of->size*sizeof *y);
  memcpy(y, take_row(w->of, w->row), (size_t)w->of->size*sizeof *y);
  if (w->v) memcpy(y + system->nq, w->v, (size_t)system->nq*sizeof *y);
  epi_state s = {.t = 0, .y = y, .theta = w->theta};
  epi_flow *f = epi_case_flow(w->of->c, w->flow);
  to[0] = y[w->coordinate];
  for (long k = 1, bad = 0; k <= n; k++) {
    bad = bad || epi_advance(f, &s, h, 1);
    to[k] = bad ? NAN : y[w->coordinate];
  }
  epi_free(f);
  free(y);
}

void window_add(const window *w, points *to)
{
  double *x = need((size_t)(w->before + w->after + 1)*sizeof *x);
  steps(w, -w->h, w->before, x);
  for (long k = w->before; k > 0; k--) points_add(to, w->at - (double)k*w->h, x[k]);
  steps(w, w->h, w->after, x);
  for (long k = 0; k <= w->after; k++) points_add(to, w->at + (double)k*w->h, x[k]);
  points_lift(to);
  free(x);
}
