/* sizes.c - the size of each coordinate, the distance of two solutions in these sizes, and starting values that are small and that the motion
 * makes large: the tolerance of their steps is relative to them. A second run with these values doubled tells an instability from a value
 * that forces have made large by themselves */
#include "search.h"

/* ---- sizes and distances ---- */
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

/* ---- starting values ---- */
/* the smallest starting value above `floor` that is far below its size in these rows; -1: none. Of positions and velocities the rounding
   of zero is none */
static int next_seed(const epi_search *a, const double *y, int rows, double floor)
{
  const double *start = a->c->y;
  const int mechanical = a->n - (epi_all_rate(&a->c->system) ? a->n : a->c->system.nz);
  double most = 0;
  int least = -1;
  for (int i = 0; i < a->n; i++) most = fmax(most, fabs(start[i]));
  for (int i = 0; i < a->n; i++) {
    double size = 0, value = fabs(start[i]);
    if (!(value > fmax(floor, i < mechanical ? 1e-15*most : 0)) || (least >= 0 && value >= fabs(start[least]))) continue;
    for (int k = 0; k < rows; k++) size = fmax(size, fabs(y[k*a->n + i]));
    if (value < SEED*size) least = i;
  }
  return least;
}

/* how far the solution by a->now moves, relative, where starting values within `from` ... `to` are doubled; 1 at most, and where that
   run fails. y: the solution from the start itself; room: rows for the other one and a state */
static double effect(epi_search *a, const double *y, double *room, double from, double to)
{
  double *was[2] = {a->y[0], a->y[1]}, *start = room, *moved = room + a->n, most = 1;
  const double *before = a->start;
  epi_fault why = {.words = ""};
  for (int i = 0; i < a->n; i++) start[i] = a->c->y[i]*(fabs(a->c->y[i]) >= from && fabs(a->c->y[i]) <= to ? 2 : 1);
  a->start = start;
  double calls = epi_try_run(a, &a->now, moved, &why);
  a->start = before;
  if (!isnan(calls)) {
    a->y[0] = (double *)y, a->y[1] = moved;
    most = fmin(1, epi_apart(a));
    a->y[0] = was[0], a->y[1] = was[1];
  }
  return most;
}

double epi_find_seed(const epi_search *a, const double *y, int rows)
{
  int i = next_seed(a, y, rows, 0);
  return i < 0 ? HUGE_VAL : fmax(fabs(a->c->y[i]), LEAST_SIZE);
}

/* an instability that amplifies a seed by 1/effect leaves room for an error as much larger */
static double least_of(epi_search *a, const double *y, double *room)
{
  double least = HUGE_VAL, floor = 0;
  for (int k = 0, i; k < DECADES && (i = next_seed(a, y, a->rows, floor)) >= 0; k++) {
    const double value = fabs(a->c->y[i]);
    if (value >= fmin(least, 0.1*a->small)) break;
    floor = k + 1 < DECADES ? 10*value : HUGE_VAL;
    double grown = effect(a, y, room, value, floor);
    if (a->to->error[0]) break;
    if (grown > NO_EFFECT*a->to->tol) least = fmin(least, fmax(value/grown, LEAST_SIZE));
  }
  return least;
}

double epi_find_grown_seed(epi_search *a)
{
  double least = epi_find_seed(a, a->y[0], a->rows);
  if (!(least < 0.1*a->small)) return HUGE_VAL;
  const size_t state = (size_t)a->n, all = (size_t)a->often*state;
  const int rows = a->rows;
  const double seconds = a->seconds, longest = a->to->longest, at = a->to->at;
  double *room = malloc((2*all + state)*sizeof *room), *y = a->y[0];
  epi_fault why = {.words = ""};
  if (!room) return least;
  /* the other run has more rows than one with a companion, which is made again */
  if (rows == CHECKS) y = room + all + state;
  if (rows != CHECKS || !isnan(epi_try_run(a, &a->now, y, &why))) {
    epi_measure_sizes(a, y);
    least = least_of(a, y, room);
  }
  a->rows = rows;
  a->seconds = seconds;
  a->to->longest = longest;
  a->to->at = at;
  free(room);
  return least;
}
