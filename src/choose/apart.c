/* apart.c - how far two solutions are apart, relative to the size of each coordinate */
#include "search.h"

void epi_measure_sizes(epi_search *a, const double *y)
{
  const epi_system *m = &a->c->system;
  int group[] = {0, m->nq, m->nq + epi_nv(m)};
  for (int i = 0; i < a->n; i++) {
    a->size[i] = fabs(a->c->y[i]);
    for (int k = 0; k < a->rows; k++) a->size[i] = fmax(a->size[i], fabs(y[k*a->n + i]));
  }
  for (int g = 0; g < 2 && !epi_all_rate(m); g++) {
    double most = 0;
    for (int i = group[g]; i < group[g+1]; i++) most = fmax(most, a->size[i]);
    for (int i = group[g]; i < group[g+1]; i++) a->size[i] = fmax(a->size[i], 1e-3*most);
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
