/* ledger.c - how well a run keeps what should be kept: the largest error, whether it drifts, how fast */
#include "recorder.h"

static double worse(double a, double b) { return isnan(a) || a >= b ? a : b; }

void epi_ledger_add(epi_ledger *t, double x, double e)
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

double epi_ledger_drift(const epi_ledger *t)
{
  if (!t->quarter[0].n || !t->quarter[1].n) return NAN;
  double apart = fabs(t->quarter[1].sum/(double)t->quarter[1].n - t->quarter[0].sum/(double)t->quarter[0].n);
  return apart > 0 ? apart/t->quarter[0].most : 0;
}

/* least squares */
double epi_ledger_slope(const epi_ledger *t)
{
  double n = (double)t->n;
  return t->n < 2 ? NAN : (n*t->xe - t->x*t->e)/(n*t->xx - t->x*t->x);
}

/* a run that ended before its time has no last quarter */
double epi_invariant_drift(const epi_result *r, int i)
{
  return strcmp(r->status, "done") ? NAN : epi_ledger_drift(&r->invariant[i].ledger);
}

double epi_invariant_slope(const epi_result *r, int i) { return 2*epi_ledger_slope(&r->invariant[i].ledger)/(r->end - r->start); }
