/* reel.c - rows kept for pictures */
#include "recorder.h"

/* as many as an eye can tell apart; of large models fewer, so that a page stays light */
epi_reel epi_reel_of(int columns)
{
  int most = 400000/columns;
  most = most > 4096 ? 4096 : most < 512 ? 512 : most;
  return (epi_reel){.n = columns, .most = most - most % 2, .stride = 1};
}

static void put(epi_reel *s, const double *row) { memcpy(s->x + (size_t)s->rows++*(size_t)s->n, row, (size_t)s->n*sizeof *row); }

static void thin(epi_reel *s)
{
  size_t n = (size_t)s->n;
  for (size_t i = 1; 2*i < (size_t)s->rows; i++) memcpy(s->x + i*n, s->x + 2*i*n, n*sizeof *s->x);
  s->rows = (s->rows + 1)/2;
  s->stride *= 2;
  /* what is in the checkpoint is not what is kept any more */
  s->saved = -1;
}

void epi_reel_add(epi_reel *s, const double *row)
{
  if (!s->x || s->seen++ % s->stride) return;
  /* their number is even: the one that comes is a multiple of the new stride too */
  if (s->rows == s->most) thin(s);
  put(s, row);
}

void epi_reel_end(epi_reel *s, const double *row)
{
  if (s->x && !(s->rows && s->x[(size_t)(s->rows - 1)*(size_t)s->n] == row[0])) put(s, row);
}
