/* ways.c - the flows that may be taken, and which costs least */
#include "search.h"

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
double epi_rounded(double x)
{
  char text[32];
  int power = (int)floor(log10(x) + 1e-9), digit = (int)(x/pow(10, power)*(1 + 1e-9));
  snprintf(text, sizeof text, "%de%d", digit < 1 ? 1 : digit > 9 ? 9 : digit, power);
  return strtod(text, NULL);
}

double epi_first_tolerance(const epi_search *a, int way) { return epi_rounded(fmax(FINEST, ways[way].strict*a->to->tol)); }

void epi_write_way(const epi_search *a, int i, double r, char *out, size_t size)
{
  double span = a->to->end - a->c->t, period = fmax(1e-14, 0.1*r/fmax(1, a->to->turns));
  size_t n = 0;
  for (const char *at = ways[i].flow; *at && n + 32 < size; at++) {
    if (*at != '{') { out[n++] = *at; continue; }
    double x = at[1] == 's' ? span : at[1] == 'p' ? epi_rounded(period) : r;
    n += (size_t)snprintf(out + n, size - n, "%s", epi_shortest(x).text);
    at += 2;
  }
  out[n] = 0;
}

/* evaluations of the whole run, from longer and longer parts of it: a thousand tell enough */
static void try_way(epi_search *a, int i)
{
  epi_way *w = &a->to->way[a->to->ways++];
  w->number = i;
  epi_write_way(a, i, epi_first_tolerance(a, i), w->flow, sizeof w->flow);
  w->calls = NAN;
  for (double part = 1./4096; part < 0.1; part *= 4) {
    double calls = epi_try_run(a, w->flow, part, 1, NULL, w->why, sizeof w->why);
    w->calls = calls/part;
    if (isnan(calls) || calls > 4000) return;
  }
}

/* a phase that is averaged needs some turns to be averaged over */
double epi_turns(const epi_case *c, double span)
{
  const epi_system *m = &c->system;
  return m->forced || (epi_all_rate(m) && m->phase_rate != 0) ? fabs(epi_phase_turned(m, c->t, span))/(2*EPI_PI) : 0;
}

/* the cheapest first; what does not work last */
static int sooner(const epi_way *a, const epi_way *b) { return a->calls < b->calls || (isnan(b->calls) && !isnan(a->calls)); }

int epi_try_ways(epi_search *a)
{
  epi_chosen *to = a->to;
  double least = HUGE_VAL;
  to->turns = epi_turns(a->c, to->end - a->c->t);
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
  if (to->error[0]) return epi_try_ended(to);
  if (isnan(to->way[0].calls)) snprintf(to->error, sizeof to->error, "%s", to->way[0].why);
  return isnan(to->way[0].calls) ? EPI_WRONG : 0;
}
