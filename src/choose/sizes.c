/* sizes.c - the size of each coordinate, and the distance of two solutions in these sizes */
#include "search.h"

enum { UNITS = 16 };

static const char *unit_of(const epi_system *m, int i) { return m->units && m->units[i] ? m->units[i] : ""; }

/* the largest of each unit, from these numbers */
typedef struct { const char *unit[UNITS]; double most[UNITS]; int n; } largest;

static double *largest_of(largest *l, const char *unit)
{
  int u = 0;
  while (u < l->n && strcmp(l->unit[u], unit)) u++;
  if (u == UNITS) return &l->most[UNITS - 1];
  if (u == l->n) { l->unit[l->n++] = unit; l->most[u] = 0; }
  return &l->most[u];
}

/* positions, or velocities: those of one unit have a size in common */
static void share_sizes(const epi_system *m, double *size, int from, int to)
{
  largest l = {.n = 0};
  double all = 0;
  for (int i = from; i < to; i++) {
    double *most = largest_of(&l, unit_of(m, i));
    *most = fmax(*most, size[i]);
    all = fmax(all, size[i]);
  }
  for (int i = from; i < to; i++) {
    double most = *largest_of(&l, unit_of(m, i));
    size[i] = fmax(size[i], PART*(most > ROUNDING_OF_ALL*all ? most : all));
  }
}

double epi_least_size(const epi_case *c, const double *y, int rows)
{
  const epi_system *m = &c->system;
  largest l = {.n = 0};
  double least = 1, all = 0;
  for (int i = 0, n = epi_all_rate(m) ? epi_dim(m) : m->nq; i < n; i++) {
    double *most = largest_of(&l, unit_of(m, i));
    *most = fmax(*most, fabs(c->y[i]));
    for (int k = 0; k < rows; k++) *most = fmax(*most, fabs(y[k*epi_dim(m) + i]));
    all = fmax(all, *most);
  }
  for (int u = 0; u < l.n; u++) if (l.most[u] > ROUNDING_OF_ALL*all) least = fmin(least, l.most[u]);
  return fmax(least, LEAST_SIZE);
}

int epi_is_smaller(epi_search *a, const double *y, int rows, double seed)
{
  const double least = fmin(epi_least_size(a->c, y, rows), seed);
  if (!(least < 0.1*a->small)) return 0;
  a->small = least;
  return a->measured = 1;
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
  double most = 0;
  for (int k = 0; k < a->rows; k++)
    for (int i = 0; i < a->n; i++) {
      double e = fabs(a->y[0][k*a->n + i] - a->y[1][k*a->n + i])/a->size[i];
      if (e <= most) continue;
      most = e;
      a->to->at = epi_row_time(a, k + 1);
    }
  return most;
}
