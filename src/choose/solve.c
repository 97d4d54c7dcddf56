/* solve.c - a run of a flow that is tried */
#define _XOPEN_SOURCE 700
#include "search.h"
#include <time.h>

double epi_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

/* a solve with constraints, and what CVODE does around a cheap force of few unknowns, take longer than the evaluations they count. No clock
   is asked, so that the choice is the same everywhere */
double epi_price(const epi_search *a, const char *flow)
{
  const epi_system *m = &a->c->system;
  if (strstr(flow, "semi(")) return m->nc ? 8 : 1;
  return !strncmp(flow, "cvode", 5) && !a->c->world ? fmax(1, 3 - a->n/50.) : 1;
}

int epi_too_dear(epi_search *a, double more)
{
  epi_chosen *to = a->to;
  if (!(to->most > 0 && (double)to->spent + a->extra + more > to->most)) return 0;
  snprintf(to->error, sizeof to->error, "to find a flow that is right to %g would take more than %.2g evaluations", to->tol, to->most);
  return to->dear = 1;
}

/* why it did not work; what ends the search too is its error */
void epi_try_failed(epi_chosen *to, const epi_flow *f, int bad, char *why, size_t size)
{
  snprintf(why, size, "%s", bad == EPI_STOPPED ? "stopped" : epi_error(f) ? epi_error(f) : "its solution is not finite");
  if (bad == EPI_STOPPED) snprintf(to->error, sizeof to->error, "stopped");
  /* another way would be taken for want of memory, and the answer depend on that */
  if (strstr(why, "out of memory")) snprintf(to->error, sizeof to->error, "%s", why);
}

/* before a singularity the steps may grow shorter without an end: one that is tried gives up there */
static epi_flow *flow_to_try(const epi_search *a, const char *flow)
{
  char text[sizeof a->to->flow + 40];
  size_t n = strlen(flow);
  double known = a->to->ways && a->to->way[0].calls < 1e15 ? a->to->way[0].calls : 0;
  if (strncmp(flow, "tolerance(", 10) || flow[n-1] != ')' || n + 40 > sizeof text) return epi_case_flow(a->c, flow);
  snprintf(text, sizeof text, "%.*s, most=%.0f)", (int)n - 1, flow, 20000 + known);
  return epi_case_flow(a->c, text);
}

/* from the start over a part of the run, through `n` times; evaluations, or NaN with why not */
double epi_try_run(epi_search *a, const char *flow, double part, int n, double *y, char *why, size_t size)
{
  epi_flow *f = flow_to_try(a, flow);
  epi_state s = epi_case_state(a->c);
  double t0 = s.t, span = part*(a->to->end - t0), calls = NAN, price = epi_price(a, flow);
  int bad = epi_error(f) ? EPI_WRONG : 0;
  double began = epi_clock();
  epi_stop_with(f, &a->to->stop);
  for (int k = 1; k <= n && !bad; k++) {
    if (a->to->tell) a->to->tell(a->to, flow, part, (double)(k - 1)/n);
    bad = epi_run(f, &s, k == n ? t0 + span : t0 + span*k/n, span/n);
    if (y && !bad) memcpy(y + (k - 1)*a->n, s.y, (size_t)a->n*sizeof *y);
    for (int i = 0; i < a->n && !bad; i++) if (!isfinite(s.y[i])) bad = EPI_WRONG;
    if (!bad && k < n && epi_too_dear(a, price*(double)epi_calls(f))) { epi_free(f); return NAN; }
  }
  a->to->spent += epi_calls(f);
  a->extra += (price - 1)*(double)epi_calls(f);
  a->seconds = epi_clock() - began;
  if (!bad) calls = (double)epi_calls(f);
  else epi_try_failed(a->to, f, bad, why, size);
  epi_free(f);
  return calls;
}

double epi_try_part(epi_search *a, epi_trial *x, const char *flow, double part, char *why, size_t size)
{
  if (!x->f) {
    x->f = flow_to_try(a, flow);
    x->s = epi_case_state(a->c);
    epi_stop_with(x->f, &a->to->stop);
  }
  double began = epi_clock(), t = a->c->t + part*(a->to->end - a->c->t);
  if (a->to->tell) a->to->tell(a->to, flow, part, 0);
  int bad = epi_error(x->f) ? EPI_WRONG : epi_run(x->f, &x->s, t, t - x->s.t);
  for (int i = 0; i < a->n && !bad; i++) if (!isfinite(x->s.y[i])) bad = EPI_WRONG;
  x->seconds += epi_clock() - began;
  if (bad) epi_try_failed(a->to, x->f, bad, why, size);
  else epi_too_dear(a, epi_price(a, flow)*(double)epi_calls(x->f));
  return bad ? NAN : (double)epi_calls(x->f);
}

void epi_try_leave(epi_search *a, epi_trial *x, const char *flow)
{
  a->to->spent += epi_calls(x->f);
  a->extra += (epi_price(a, flow) - 1)*(double)epi_calls(x->f);
  epi_free(x->f);
  x->f = NULL;
}

/* it cannot go on: somebody stopped it, or memory is short */
int epi_try_ended(const epi_chosen *to) { return strcmp(to->error, "stopped") ? EPI_WRONG : EPI_STOPPED; }
