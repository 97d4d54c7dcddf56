/* reel.c - rows kept for pictures */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

/* as many as an eye can tell apart; of large models fewer, so that a page stays light */
void reel_make(reel *s, int columns)
{
  int most = 400000/columns;
  *s = (reel){.n = columns, .most = most > 4096 ? 4096 : most < 512 ? 512 : most, .stride = 1};
  s->most -= s->most % 2;
  s->x = need((size_t)(s->most + 1)*(size_t)columns*sizeof *s->x);
}

static void put(reel *s, const double *row) { memcpy(s->x + (size_t)s->rows++*(size_t)s->n, row, (size_t)s->n*sizeof *row); }

static void thin(reel *s)
{
  size_t n = (size_t)s->n;
  for (size_t i = 1; 2*i < (size_t)s->rows; i++) memcpy(s->x + i*n, s->x + 2*i*n, n*sizeof *s->x);
  s->rows = (s->rows + 1)/2;
  s->stride *= 2;
  /* what is in the checkpoint is not what is kept any more */
  s->saved = -1;
}

void reel_add(reel *s, const double *row)
{
  if (!s->x || s->seen++ % s->stride) return;
  /* their number is even: the one that comes is a multiple of the new stride too */
  if (s->rows == s->most) thin(s);
  put(s, row);
}

void reel_end(reel *s, const double *row)
{
  if (s->x && !(s->rows && s->x[(size_t)(s->rows - 1)*(size_t)s->n] == row[0])) put(s, row);
}

void reel_free(reel *s)
{
  free(s->x);
  *s = (reel){0};
}
