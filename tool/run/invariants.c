/* invariants.c - how well a run keeps what should be kept: the largest error, whether it drifts, how fast
 *
 * The errors are looked at as the run goes and never stored. D = |mean error of the last quarter - mean of the first| over the largest
 * error of the first quarter: a method that keeps the structure oscillates about a value (D small), another one creeps (D about one). */
#include "tool.h"
#include <math.h>
#include <stdlib.h>

void ledger_add(ledger *t, double x, double e)
{
  /* steps end on the quarters but for rounding */
  int which = x <= -0.5 + 1e-9 ? 0 : x > 0.5 + 1e-9 ? 1 : -1;
  t->n++;
  t->x += x;
  t->xx += x*x;
  t->e += e;
  t->xe += x*e;
  t->most = worse(t->most, fabs(e));
  if (which < 0) return;
  t->quarter[which].n++;
  t->quarter[which].sum += e;
  t->quarter[which].most = worse(t->quarter[which].most, fabs(e));
}

double ledger_drift(const ledger *t)
{
  if (!t->quarter[0].n || !t->quarter[1].n) return NAN;
  double apart = fabs(t->quarter[1].sum/(double)t->quarter[1].n - t->quarter[0].sum/(double)t->quarter[0].n);
  return apart > 0 ? apart/t->quarter[0].most : 0;
}

/* least squares, per unit of x */
double ledger_slope(const ledger *t)
{
  double n = (double)t->n;
  return t->n < 2 ? NAN : (n*t->xe - t->x*t->e)/(n*t->xx - t->x*t->x);
}

/* ---- in a run ---- */
/* a look costs about as much as a step: every step up to a million, of large systems less often; the rule knows nothing of the clock, so
   that a resumed run looks where the whole one does */
long invariants_stride(const job *j)
{
  double steps = ceil((j->ask.end - j->start)/j->ask.step*(1 - 1e-12)), most = fmin(1048576, fmax(4096, 16777216.0/epi_size(&j->c->system)));
  return j->adaptive || steps <= most ? 1 : (long)ceil(steps/most);
}

void invariants_look(job *j, const epi_state *s)
{
  double x = 2*(s->t - j->start)/(j->ask.end - j->start) - 1;
  for (int i = 0; i < j->ndrift; i++) ledger_add(&j->drift[i].ledger, x, epi_observe(j->c, j->drift[i].what, s) - j->drift[i].start);
}

double invariants_slope(const job *j, const drift *d) { return 2*ledger_slope(&d->ledger)/(j->ask.end - j->start); }

/* ---- in a checkpoint: the numbers of a ledger on one line ---- */
enum { NUMBERS = 12 };
static void spread(const drift *d, double *x)
{
  const ledger *t = &d->ledger;
  const double all[NUMBERS] = {d->worst, (double)t->n, t->x, t->xx, t->e, t->xe, t->most, (double)t->quarter[0].n, t->quarter[0].sum,
                               t->quarter[0].most, (double)t->quarter[1].n, t->quarter[1].sum};
  for (int i = 0; i < NUMBERS; i++) x[i] = all[i];
}

char *invariants_note(char *notes, const job *j)
{
  for (int i = 0; i < j->ndrift; i++) {
    double x[NUMBERS];
    spread(&j->drift[i], x);
    char *key = text("drift.%s", j->drift[i].what->name), *line = text("%s", "");
    for (int k = 0; k < NUMBERS; k++) {
      char *longer = text("%s%s%s", line, k ? " " : "", shortest(x[k]).text);
      free(line);
      line = longer;
    }
    notes = notes_add(notes, key, line);
    free(key);
    free(line);
  }
  return notes;
}

void invariants_recall(job *j, const char *notes)
{
  for (int i = 0; i < j->ndrift; i++) {
    char *key = text("drift.%s", j->drift[i].what->name), *line = notes_find(notes, key), *at = line;
    double x[NUMBERS] = {0};
    for (int k = 0; k < NUMBERS && at && *at; k++) x[k] = strtod(at, &at);
    j->drift[i].worst = x[0];
    j->drift[i].ledger = (ledger){.n = (long)x[1], .x = x[2], .xx = x[3], .e = x[4], .xe = x[5], .most = x[6],
                                .quarter = {{.n = (long)x[7], .sum = x[8], .most = x[9]}, {.n = (long)x[10], .sum = x[11]}}};
    free(key);
    free(line);
  }
}
