/* choose.c - a flow whose solution is right to a tolerance: ways are tried, and the run is solved until two solutions agree */
#include "core/core.h"
#include "epicycle/choose.h"
#include <stdio.h>

enum { CHECKS = 16 };                  /* times at which two solutions are compared */
#define FINEST 2e-15                   /* tolerance of steps: rounding is near */

/* two solutions at these times, the size of every coordinate */
typedef struct { epi_case *c; epi_chosen *to; double *y[2], *size; int n; } search;

/* what may be taken: r is the tolerance of its steps, and how much less than that of the solution it must be as a rule; p that of a period;
   s the length of the run */
static const struct { const char *flow; double strict; int averages, slow_to_start; } ways[] = {
  {"revolve(picard, rtol={r}, span={s})", 0.5, 1, 0},
  {"revolve(tolerance(herk4, rtol={p}, atol={p}), rtol={r}, span={s})", 0.5, 1, 0},
  {"tolerance(dop853, rtol={r}, atol={r})", 0.1, 0, 0},
  {"tolerance(herk4, rtol={r}, atol={r})", 0.1, 0, 0},
  {"tolerance(symmetric(verlet, order=8), rtol={r}, atol={r})", 0.1, 0, 0},
  {"tolerance(verlet, rtol={r}, atol={r})", 0.03, 0, 0},
  {"tolerance(semi(model.contacts, model.stiff), rtol={r}, atol={r})", 0.03, 0, 0},
  {"cvode(rtol={r}, atol={r})", 1e-3, 0, 1},
};
enum { WAYS = sizeof ways/sizeof *ways };

/* a number of one digit, no larger */
static double rounded(double x)
{
  char text[32];
  int power = (int)floor(log10(x) + 1e-9), digit = (int)(x/pow(10, power)*(1 + 1e-9));
  snprintf(text, sizeof text, "%de%d", digit < 1 ? 1 : digit > 9 ? 9 : digit, power);
  return strtod(text, NULL);
}

static void write_way(const search *a, int i, double r, char *out, size_t size)
{
  double span = a->to->end - a->c->t, period = fmax(1e-14, 0.1*r/fmax(1, a->to->turns));
  size_t n = 0;
  for (const char *at = ways[i].flow; *at && n + 32 < size; at++) {
    if (*at != '{') { out[n++] = *at; continue; }
    double x = at[1] == 's' ? span : at[1] == 'p' ? rounded(period) : r;
    n += (size_t)snprintf(out + n, size - n, "%s", epi_shortest(x).text);
    at += 2;
  }
  out[n] = 0;
}

/* from the start over a part of the run, through `n` times; evaluations, or NaN with why not */
static double solve(search *a, const char *flow, double part, int n, double *y, char *why, size_t size)
{
  epi_flow *f = epi_case_flow(a->c, flow);
  epi_state s = epi_case_state(a->c);
  double t0 = s.t, span = part*(a->to->end - t0), calls = NAN;
  int bad = epi_error(f) ? EPI_WRONG : 0;
  __atomic_store_n(&a->to->busy, f, __ATOMIC_RELAXED);
  for (int k = 1; k <= n && !bad; k++) {
    bad = epi_run(f, &s, k == n ? t0 + span : t0 + span*k/n, span/n);
    if (y && !bad) memcpy(y + (k - 1)*a->n, s.y, (size_t)a->n*sizeof *y);
    for (int i = 0; i < a->n && !bad; i++) if (!isfinite(s.y[i])) bad = EPI_WRONG;
  }
  __atomic_store_n(&a->to->busy, (epi_flow *)NULL, __ATOMIC_RELAXED);
  a->to->spent += epi_calls(f);
  if (!bad) calls = (double)epi_calls(f);
  else snprintf(why, size, "%s", bad == EPI_STOPPED ? "stopped" : epi_error(f) ? epi_error(f) : "its solution is not finite");
  epi_free(f);
  if (bad == EPI_STOPPED) snprintf(a->to->error, sizeof a->to->error, "stopped");
  /* another way would be taken for want of memory, and the answer depend on that */
  if (bad && strstr(why, "out of memory")) snprintf(a->to->error, sizeof a->to->error, "%s", why);
  return calls;
}

/* it cannot go on: somebody stopped it, or memory is short */
static int ended(const epi_chosen *to) { return strcmp(to->error, "stopped") ? EPI_WRONG : EPI_STOPPED; }

/* evaluations of the whole run, from longer and longer parts of it: a thousand tell enough */
static void try_way(search *a, int i)
{
  epi_way *w = &a->to->way[a->to->ways++];
  w->number = i;
  write_way(a, i, rounded(fmax(FINEST, ways[i].strict*a->to->tol)), w->flow, sizeof w->flow);
  w->calls = NAN;
  for (double part = 1./4096; part < 0.1; part *= 4) {
    double calls = solve(a, w->flow, part, 1, NULL, w->why, sizeof w->why);
    w->calls = calls/part;
    if (isnan(calls) || calls > 4000) return;
  }
}

/* a phase that is averaged needs some turns to be averaged over */
static double turns_of(const epi_case *c, double span)
{
  const epi_system *m = &c->system;
  return m->forced || (epi_all_rate(m) && m->phase_rate != 0) ? fabs(epi_phase_turned(m, c->t, span))/(2*EPI_PI) : 0;
}

/* the cheapest first; what does not work last */
static int sooner(const epi_way *a, const epi_way *b) { return a->calls < b->calls || (isnan(b->calls) && !isnan(a->calls)); }

static int try_ways(search *a)
{
  epi_chosen *to = a->to;
  double least = HUGE_VAL;
  for (int i = 0; i < WAYS && !to->error[0]; i++) {
    if ((ways[i].averages && to->turns <= 3) || (ways[i].slow_to_start && least < 20000)) continue;
    try_way(a, i);
    least = fmin(least, to->way[to->ways - 1].calls);
  }
  for (int i = 1; i < to->ways; i++)
    for (int k = i; k > 0 && sooner(&to->way[k], &to->way[k-1]); k--) {
      epi_way x = to->way[k];
      to->way[k] = to->way[k-1];
      to->way[k-1] = x;
    }
  if (to->error[0]) return ended(to);
  if (isnan(to->way[0].calls)) snprintf(to->error, sizeof to->error, "%s", to->way[0].why);
  return isnan(to->way[0].calls) ? EPI_WRONG : 0;
}

/* ---- how far two solutions are apart ---- */
static void measure_sizes(search *a, const double *y)
{
  const epi_system *m = &a->c->system;
  int group[] = {0, m->nq, m->nq + epi_nv(m)};
  for (int i = 0; i < a->n; i++) {
    a->size[i] = fabs(a->c->y[i]);
    for (int k = 0; k < CHECKS; k++) a->size[i] = fmax(a->size[i], fabs(y[k*a->n + i]));
  }
  for (int g = 0; g < 2 && !epi_all_rate(m); g++) {
    double most = 0;
    for (int i = group[g]; i < group[g+1]; i++) most = fmax(most, a->size[i]);
    for (int i = group[g]; i < group[g+1]; i++) a->size[i] = fmax(a->size[i], 1e-3*most);
  }
  for (int i = 0; i < a->n; i++) if (!(a->size[i] > 0)) a->size[i] = 1;
}

static double apart(search *a)
{
  double most = 0, span = a->to->end - a->c->t;
  for (int k = 0; k < CHECKS; k++)
    for (int i = 0; i < a->n; i++) {
      double e = fabs(a->y[0][k*a->n + i] - a->y[1][k*a->n + i])/a->size[i];
      if (e <= most) continue;
      most = e;
      a->to->at = a->c->t + span*(k + 1)/CHECKS;
    }
  return most;
}

static int give_up(search *a, double best)
{
  epi_chosen *to = a->to;
  snprintf(to->error, sizeof to->error, "a solution that is right to %g cannot be had: near t = %.6g two of them with steps as exact as "
           "can be are %.2g apart, for errors grow in this motion; take a larger tolerance, or an earlier end", to->tol, to->at, best);
  return EPI_WRONG;
}

static int fails(search *a, const char *why)
{
  if (a->to->error[0]) return ended(a->to);
  snprintf(a->to->error, sizeof a->to->error, "%s", why);
  a->to->breaks = 1;
  return EPI_WRONG;
}

/* finer and finer, until the next one changes nothing */
static int refine(search *a, int way, double r)
{
  epi_chosen *to = a->to;
  char flow[sizeof to->flow], why[320];
  double best = HUGE_VAL, calls;
  write_way(a, way, r, to->flow, sizeof to->flow);
  if (isnan(calls = solve(a, to->flow, 1, CHECKS, a->y[0], why, sizeof why))) return fails(a, why);
  for (double finer = 0.1*r;; finer = r*fmax(1e-2, fmin(0.1, 0.2*to->tol/to->found))) {
    finer = rounded(fmax(finer, FINEST));
    if (finer > 0.5*r) return give_up(a, best);
    write_way(a, way, finer, flow, sizeof flow);
    double more = solve(a, flow, 1, CHECKS, a->y[1], why, sizeof why);
    if (isnan(more)) return to->error[0] ? ended(to) : best < HUGE_VAL ? give_up(a, best) : fails(a, why);
    measure_sizes(a, a->y[1]);
    to->found = apart(a);
    to->way[0].calls = calls;
    memcpy(to->way[0].flow, to->flow, sizeof to->flow);
    if (to->found <= 0.7*to->tol) return 0;
    best = fmin(best, to->found);
    double *y = a->y[0];
    a->y[0] = a->y[1];
    a->y[1] = y;
    r = finer;
    calls = more;
    memcpy(to->flow, flow, sizeof flow);
  }
}

/* the next where one does not get there, unless it costs far more */
static int refine_ways(search *a)
{
  epi_chosen *to = a->to;
  char first[sizeof to->error], flow[sizeof to->flow];
  double cheapest = to->way[0].calls;
  int bad = EPI_WRONG;
  for (int i = 0; i < to->ways && to->way[i].calls <= 10*cheapest; i++) {
    to->error[0] = 0;
    epi_way x = to->way[i];
    to->way[i] = to->way[0];
    to->way[0] = x;
    bad = refine(a, x.number, rounded(fmax(FINEST, ways[x.number].strict*to->tol)));
    if (bad != EPI_WRONG || strstr(to->error, "out of memory")) return bad;
    if (i) continue;
    memcpy(first, to->error, sizeof first);
    memcpy(flow, to->flow, sizeof flow);
  }
  memcpy(to->error, first, sizeof first);
  memcpy(to->flow, flow, sizeof flow);
  return bad;
}

int epi_choose(epi_case *c, epi_chosen *to)
{
  search a = {.c = c, .to = to, .n = epi_size(&c->system)};
  double *room = NULL;
  int bad = EPI_WRONG;
  to->ways = 0;
  to->spent = 0;
  to->breaks = 0;
  to->error[0] = 0;
  to->flow[0] = 0;
  if (c->error[0]) snprintf(to->error, sizeof to->error, "%s", c->error);
  else if (!(to->tol > 0 && to->tol < 1))
    snprintf(to->error, sizeof to->error, "the tolerance is %g: give a number between 0 and 1, such as 1e-9", to->tol);
  else if (!(to->end > c->t)) snprintf(to->error, sizeof to->error, "the end is %g: it must be after the start, %g", to->end, c->t);
  else if (!(room = malloc(((size_t)CHECKS*2 + 1)*(size_t)a.n*sizeof *room))) snprintf(to->error, sizeof to->error, "out of memory");
  if (!room) return EPI_WRONG;
  a.y[0] = room;
  a.y[1] = room + CHECKS*a.n;
  a.size = a.y[1] + CHECKS*a.n;
  to->turns = turns_of(c, to->end - c->t);
  if (!(bad = try_ways(&a))) bad = refine_ways(&a);
  free(room);
  return bad;
}
