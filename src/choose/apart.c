/* apart.c - how far two solutions are apart, relative to the size of each coordinate */
#include "search.h"

enum { UNITS = 16 };
/* of the largest of one unit, and of all: less is a size of its own no more. Metres beside the numbers of a rotation say little */
#define OF_ITS_UNIT 1e-3
#define OF_ALL 1e-7

static const char *unit_of(const epi_system *m, int i) { return m->units && m->units[i] ? m->units[i] : ""; }

/* positions, or velocities: those of one unit have a size in common */
static void share_sizes(const epi_system *m, double *size, int from, int to)
{
  const char *unit[UNITS];
  double most[UNITS], all = 0;
  int n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = from; i < to; i++) {
      int u = 0;
      while (u < n && strcmp(unit[u], unit_of(m, i))) u++;
      if (u == UNITS) u--;
      if (u == n) { unit[n] = unit_of(m, i); most[n++] = 0; }
      if (!pass) { most[u] = fmax(most[u], size[i]); all = fmax(all, size[i]); }
      else size[i] = fmax(size[i], fmax(OF_ITS_UNIT*most[u], OF_ALL*all));
    }
}

void epi_measure_sizes(epi_search *a, const double *y)
{
  const epi_system *m = &a->c->system;
  for (int i = 0; i < a->n; i++) {
    a->size[i] = fabs(a->c->y[i]);
    for (int k = 0; k < a->rows; k++) a->size[i] = fmax(a->size[i], fabs(y[k*a->n + i]));
  }
  if (!epi_all_rate(m)) {
    share_sizes(m, a->size, 0, m->nq);
    share_sizes(m, a->size, m->nq, m->nq + epi_nv(m));
  }
  for (int i = 0; i < a->n; i++) if (!(a->size[i] > 0)) a->size[i] = 1;
}

double epi_apart(epi_search *a)
{
  double most = 0, span = a->to->end - a->c->t;
  for (int k = 0; k < a->rows; k++)
    for (int i = 0; i < a->n; i++) {
      double e = fabs(a->y[0][k*a->n + i] - a->y[1][k*a->n + i])/a->size[i];
      if (e <= most) continue;
      most = e;
      a->to->at = a->c->t + span*(k + 1)/a->rows;
    }
  return most;
}
