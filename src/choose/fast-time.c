/* fast-time.c - a fast phase that a force takes from t, where no average can see it: its turns are resolved, and a user may not know why */
#include "average/phase.h"
#include "search.h"

enum { SAMPLES = 512, ROUGH = 16, LEAST_TURNS = 4 };
static const double worth_while = 5000;     /* evaluations of a run, beside which those samples are little */

/* the force in one state, at many times */
typedef struct { epi_search *a; const double *y; double t, window; } held;

static int ask(const held *b, double part, double *out)
{
  epi_case *c = b->a->c;
  epi_system *m = &c->system;
  double t = b->t + part*b->window;
  b->a->to->spent++;
  return epi_has_force(m) ? epi_force_at(m, t, c->theta, b->y, out) : m->rate(m, t, b->y, out);
}

/* the entry that changes most beside its size; -1: all of them change slowly, if at all */
static int most_changing(const held *b)
{
  const epi_system *m = &b->a->c->system;
  int n = epi_has_force(m) ? epi_nv(m) : epi_dim(m), best = -1;
  double *f = b->a->held, *low = f + b->a->n, *high = low + b->a->n, most = 0.05;
  for (int k = 0; k < ROUGH; k++) {
    if (ask(b, (k + 0.37*(k % 3))/ROUGH, f)) return -1;
    for (int i = 0; i < n; i++) {
      low[i] = k ? fmin(low[i], f[i]) : f[i];
      high[i] = k ? fmax(high[i], f[i]) : f[i];
    }
  }
  for (int i = 0; i < n; i++) {
    double change = (high[i] - low[i])/fmax(fabs(low[i]), fabs(high[i]));
    if (change > most) { most = change; best = i; }
  }
  return best;
}

/* how often it rises through the middle of its range */
static int turns_of(const double *x)
{
  double low = x[0], high = x[0];
  int turns = 0;
  for (int k = 1; k < SAMPLES; k++) { low = fmin(low, x[k]); high = fmax(high, x[k]); }
  double middle = 0.5*(low + high);
  for (int k = 1; k < SAMPLES; k++) turns += x[k-1] < middle && x[k] >= middle;
  return turns;
}

/* the least of what it differs by from itself some time later, in parts of its size; that time has a turn in it at least */
static double unlike_itself(const double *x, int turns)
{
  double mean = 0, size = 0, least = HUGE_VAL;
  for (int k = 0; k < SAMPLES; k++) mean += x[k]/SAMPLES;
  for (int k = 0; k < SAMPLES; k++) size += (x[k] - mean)*(x[k] - mean)/SAMPLES;
  for (int lag = SAMPLES/(2*turns); lag <= SAMPLES/2; lag++) {
    double sum = 0;
    for (int k = lag; k < SAMPLES; k++) sum += (x[k] - x[k-lag])*(x[k] - x[k-lag])/(SAMPLES - lag);
    least = fmin(least, sum);
  }
  return sqrt(least/size);
}

void epi_find_fast_time(epi_search *a)
{
  epi_chosen *to = a->to;
  /* as many as order 8 would take */
  double span = to->end - a->c->t, calls = (a->now.way == EPI_BY_ADAMS ? 3 : 1)*to->way[0].calls, x[SAMPLES];
  int middle = a->rows/2;
  if (to->way[0].averages || to->slow_part || to->said[0] || !(calls > worth_while) || !epi_can_be_asked(&a->c->system)) return;
  held b = {a, a->y[0] + (middle - 1)*a->n, epi_row_time(a, middle), 64*12*span/calls};
  int entry = most_changing(&b);
  if (entry < 0) return;
  for (int k = 0; k < SAMPLES; k++) {
    if (ask(&b, (double)k/SAMPLES, a->held)) return;
    x[k] = a->held[entry];
  }
  double turns = turns_of(x), all = turns*span/b.window;
  if (turns < LEAST_TURNS || all < EPI_FEW_TURNS) return;
  if (unlike_itself(x, (int)turns) > 0.1)
    snprintf(to->said, sizeof to->said, "the force changes with t itself, by more than one fast frequency and about %.2g times in the run: "
             "all of it is resolved, for an average over one phase would not be right", all);
  else
    snprintf(to->said, sizeof to->said, "the force changes with t itself, about %.2g times in the run, and every turn is resolved: if that "
             "is one fast phase, take it from theta (forced and phase_rate), and its turns are summed", all);
}
