/* sampling.c - samples of the force over its phase and over time: how narrow it is within a turn, how many steps a turn takes, and a fast
 * phase that it takes from t. Smooth forces have no kinks, but a turn may have a short kick in it, which no stage of a long step meets */
#include "average/phase.h"
#include "search.h"

/* ---- overtones of a turn ---- */
/* the highest overtone, of those of n values over a turn, that is not next to nothing. cosine: n of them over a turn */
static int highest(int n, const double *x, const double *cosine)
{
  double size[MANY_PHASES/2] = {0}, most = 0;
  for (int k = 1; k < n/2; k++) {
    double a = 0, b = 0;
    for (int j = 0; j < n; j++) {
      a += x[j]*cosine[k*j % n];
      b += x[j]*cosine[(k*j + n/4) % n];
    }
    size[k] = a*a + b*b;
    most = fmax(most, size[k]);
  }
  for (int k = n/2 - 1; k > 0; k--) if (size[k] > NO_OVERTONE*NO_OVERTONE*most) return k;
  return 0;
}

/* the same of the force at n phases, with the state of the start held at the time t; 0 where it cannot be asked. x: n numbers for each
   entry of the force, and n more */
static int overtones_at(epi_search *a, double t, int n, double *x)
{
  epi_case *c = a->c;
  const int entries = epi_nv(&c->system);
  double *cosine = x + n*entries;
  int found = 0;
  for (int j = 0; j < n; j++) {
    const double phase = 2*EPI_PI*j/n;
    cosine[j] = cos(phase);
    a->to->spent++;
    if (epi_force_at(&c->system, t, c->theta + phase, c->y, a->held)) return 0;
    for (int i = 0; i < entries; i++) x[i*n + j] = a->held[i];
  }
  for (int i = 0; i < entries; i++) {
    const int one = highest(n, x + i*n, cosine);
    found = one > found ? one : found;
  }
  return found;
}

/* at the start and near the middle of the run: an amplitude may begin at zero. Few phases show that there is a kick, and many how narrow
   it is */
int epi_find_kicks(epi_search *a)
{
  const epi_system *m = &a->c->system;
  const double span = a->to->end - a->c->t, parts[] = {0, 0.47};
  a->overtones = 0;
  if (!m->traits.smooth || !m->phase.forced || !(a->to->turns > 0) || !epi_can_be_asked(m)) return 0;
  double *x = malloc((size_t)(epi_nv(m) + 1)*MANY_PHASES*sizeof *x);
  /* without them another flow would be chosen */
  if (!x) return epi_choose_fail(a->to, EPI_MEMORY, "out of memory");
  for (int k = 0; k < 2; k++) {
    const double t = a->c->t + parts[k]*span;
    if (overtones_at(a, t, FEW_PHASES, x) < LEAST_OVERTONE) continue;
    const int found = overtones_at(a, t, MANY_PHASES, x);
    a->overtones = found > a->overtones ? found : a->overtones;
  }
  free(x);
  return 0;
}

/* ---- steps of order 8 in a turn, from the turn at the start: more and more, until they agree ---- */
static const int counts[] = {3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
enum { COUNTS = sizeof counts/sizeof *counts };

/* the state after a part of a turn; its evaluations are counted; 0 on success */
static int turn(epi_search *a, int steps, double part, double *y)
{
  char text[48];
  epi_fault why = {.words = ""};
  snprintf(text, sizeof text, "substeps(dop853, %d)", steps);
  epi_attempt x;
  epi_attempt_begin(&x, a, epi_case_flow(a->c, text), text);
  epi_attempt_step(&x, part*a->to->period);
  memcpy(y, x.s.y, (size_t)a->n*sizeof *y);
  if (x.bad) epi_try_failed(a->to, x.f, x.bad, &why);
  epi_attempt_leave(&x);
  return x.bad;
}

/* at whole turns the fast motion may have no speed: sizes are those on the way, of what is not small beside the others of its kind */
static int measure(epi_search *a, double *y, double *size)
{
  const epi_system *m = &a->c->system;
  int group[] = {0, m->nq, m->nq + epi_nv(m), a->n};
  for (int i = 0; i < a->n; i++) size[i] = fabs(a->c->y[i]);
  for (int quarter = 1; quarter < 4; quarter++) {
    if (turn(a, counts[2], 0.25*quarter, y)) return 1;
    for (int i = 0; i < a->n; i++) size[i] = fmax(size[i], fabs(y[i]));
  }
  for (int g = 0; g < 3; g++) {
    double most = 0;
    for (int i = group[g]; i < group[g + 1]; i++) most = fmax(most, size[i]);
    for (int i = group[g]; i < group[g + 1]; i++) size[i] = fmax(size[i], most > 0 ? 0.03*most : 1);
  }
  return 0;
}

/* what a turn is off by adds up over all of them, or over some; a finer solution tells. The last but one that changes it by so little, or
   by no more than rounding does */
double epi_steps_of_a_turn(epi_search *a, double r)
{
  double *size = malloc(3*(size_t)a->n*sizeof *size), *x = size + a->n, *y = x + a->n, before = HUGE_VAL;
  int k = 0;
  /* fewer would not meet what is narrow in a turn */
  while (k + 2 < COUNTS && counts[k]*epi_longest_by_kicks(a, 0) < a->to->period) k++;
  int bad = !size || measure(a, x, size) || turn(a, counts[k], 1, x);
  for (; !bad && k + 1 < COUNTS && !turn(a, counts[k + 1], 1, y); k++) {
    double off = 0, *z = x;
    for (int i = 0; i < a->n; i++) off = fmax(off, fabs(x[i] - y[i])/size[i]);
    if (off*a->to->turns <= 0.7*r || (off < 1e-12 && off > 0.3*before)) break;
    before = off;
    x = y;
    y = z;
  }
  if (!size) epi_choose_fail(a->to, EPI_MEMORY, "out of memory");
  free(size);
  return counts[bad ? 2 : k];
}

/* ---- a fast phase in t, where no average can see it: its turns are resolved, and a user may not know why ---- */
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
  for (int k = 0; k < ROUGH_SAMPLES; k++) {
    if (ask(b, (k + 0.37*(k % 3))/ROUGH_SAMPLES, f)) return -1;
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
  if (to->way[0].averages || to->slow_part || to->said[0] || !(calls > WORTH_SAMPLES) || !epi_can_be_asked(&a->c->system)) return;
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
