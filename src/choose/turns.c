/* turns.c - how many steps of order 8 one turn of a fast phase needs, from the turn at the start: more and more, until they agree */
#include "search.h"

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
