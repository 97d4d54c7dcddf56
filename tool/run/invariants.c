/* invariants.c - the errors of the invariants in a checkpoint: the numbers of a ledger on one line */
#include "tool.h"
#include <math.h>
#include <stdlib.h>

enum { NUMBERS = 15 };
static void spread(const epi_invariant *d, double *x)
{
  const epi_ledger *t = &d->ledger;
  const double all[NUMBERS] = {d->worst, (double)t->n, t->x, t->xx, t->e, t->xe, t->most, (double)t->quarter[0].n, t->quarter[0].sum,
                               t->quarter[0].most, (double)t->quarter[1].n, t->quarter[1].sum, t->quarter[1].most, d->error, d->last};
  for (int i = 0; i < NUMBERS; i++) x[i] = all[i];
}

char *invariants_note(char *notes, const epi_result *r)
{
  for (int i = 0; i < r->ninvariant; i++) {
    double x[NUMBERS];
    spread(&r->invariant[i], x);
    char *key = text("drift.%s", r->invariant[i].name), *line = text("%s", "");
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

/* its counts are counts */
int invariants_whole(const char *line)
{
  char *end;
  for (int k = 0; k < NUMBERS; k++, line = end) {
    double x = strtod(line, &end);
    if (end == line || ((k == 1 || k == 7 || k == 10) && !(x >= 0 && x <= 1e18 && x == floor(x)))) return 0;
  }
  return !*line;
}

void invariants_recall(epi_result *r, const char *notes)
{
  for (int i = 0; i < r->ninvariant; i++) {
    char *key = text("drift.%s", r->invariant[i].name), *line = notes_find(notes, key), *at = line;
    double x[NUMBERS] = {0};
    for (int k = 0; k < NUMBERS && at && *at; k++) x[k] = strtod(at, &at);
    r->invariant[i].worst = x[0];
    r->invariant[i].ledger = (epi_ledger){.n = (long)x[1], .x = x[2], .xx = x[3], .e = x[4], .xe = x[5], .most = x[6],
                                          .quarter = {{.n = (long)x[7], .sum = x[8], .most = x[9]},
                                                      {.n = (long)x[10], .sum = x[11], .most = x[12]}}};
    r->invariant[i].error = x[13];
    r->invariant[i].last = x[14];
    free(key);
    free(line);
  }
}
