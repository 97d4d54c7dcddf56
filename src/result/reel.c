/* reel.c - rows kept for pictures, and what happened between them */
#include "recorder.h"

/* as many as an eye can tell apart; of large models fewer, so that a page stays light */
epi_reel epi_reel_of(int columns)
{
  int most = 400000/columns;
  most = most > 4096 ? 4096 : most < 512 ? 512 : most;
  return (epi_reel){.n = columns, .most = most - most % 2, .stride = 1};
}

static double *passed(const epi_reel *s, int row) { return s->passed + (size_t)row*(size_t)(EPI_LEAST + 4*s->n); }

/* from a row on nothing has happened yet */
static void begin(epi_reel *s, const double *row)
{
  double *p = passed(s, s->rows);
  size_t n = (size_t)s->n;
  p[EPI_LOOKS] = p[EPI_DRAWS] = 0;
  for (size_t i = 0; i < 4; i++) memcpy(p + EPI_LEAST + i*n, row, n*sizeof *row);
}

void epi_reel_look(epi_reel *s, const double *x, int from, int count)
{
  if (!s->x || !s->rows) return;
  double *least = passed(s, s->rows) + EPI_LEAST + from, *most = least + s->n;
  for (int i = 0; i < count; i++) {
    double v = x[i];
    if (v < least[i]) least[i] = v;
    if (v > most[i]) most[i] = v;
  }
}

/* the look after the one that was chosen is the first that is later */
void epi_reel_looked(epi_reel *s, double t, const double *x, int count)
{
  if (!s->x || !s->rows) return;
  double *p = passed(s, s->rows), *one = p + EPI_LEAST + 2*s->n, *next = one + s->n;
  p[EPI_LOOKS]++;
  if (next[0] != one[0] || !(t > one[0]) || !(p[EPI_DRAWS] > 0)) return;
  next[0] = t;
  memcpy(next + 1, x, (size_t)count*sizeof *x);
}

/* of k looks each is the one that stays with the chance 1/k: the k-th replaces it so often */
static int lot(unsigned long seed, double of)
{
  unsigned long long z = (unsigned long long)seed*0x9e3779b97f4a7c15u;
  z = (z ^ z >> 31)*0xbf58476d1ce4e5b9u;
  return (double)(z >> 32)*of < 4294967296.0;
}

void epi_reel_draw(epi_reel *s, const double *row, int count, long seed)
{
  if (!s->x || !s->rows) return;
  double *p = passed(s, s->rows);
  if (!lot((unsigned long)seed, ++p[EPI_DRAWS])) return;
  memcpy(p + EPI_LEAST + 2*s->n, row, (size_t)count*sizeof *row);
  memcpy(p + EPI_LEAST + 3*s->n, row, (size_t)count*sizeof *row);
}

/* what passed on the way to a row that is left out belongs to the next one */
static void join(epi_reel *s, int to, const double *a, const double *b)
{
  double *p = passed(s, to);
  int n = s->n;
  double looks = a[EPI_LOOKS] + b[EPI_LOOKS], draws = a[EPI_DRAWS] + b[EPI_DRAWS];
  const double *one = b[EPI_DRAWS] > 0 && (!(a[EPI_DRAWS] > 0) || lot((unsigned long)(to + s->stride), 2)) ? b : a;
  p[EPI_LOOKS] = looks;
  p[EPI_DRAWS] = draws;
  for (int i = EPI_LEAST; i < EPI_LEAST + n; i++) {
    double least = b[i] < a[i] ? b[i] : a[i], most = b[i+n] > a[i+n] ? b[i+n] : a[i+n];
    p[i] = least;
    p[i+n] = most;
    p[i+2*n] = one[i+2*n];
    p[i+3*n] = one[i+3*n];
  }
}

static void put(epi_reel *s, const double *row)
{
  memcpy(s->x + (size_t)s->rows++*(size_t)s->n, row, (size_t)s->n*sizeof *row);
  begin(s, row);
}

static void thin(epi_reel *s)
{
  size_t n = (size_t)s->n;
  for (size_t i = 1; 2*i < (size_t)s->rows; i++) memcpy(s->x + i*n, s->x + 2*i*n, n*sizeof *s->x);
  for (int i = 1; 2*i <= s->rows; i++) join(s, i, passed(s, 2*i - 1), passed(s, 2*i));
  s->rows = (s->rows + 1)/2;
  s->stride *= 2;
  /* what is in the checkpoint is not what is kept any more */
  s->saved = -1;
}

/* rows that are no multiple of `every` from the start on are left out; one of those between two that stay is its single look, by lot */
void epi_reel_coarsen(epi_reel *s, double start, double every)
{
  size_t n = (size_t)s->n, size = n*sizeof *s->x;
  int to = 1, left_out = 0;
  for (int i = 1; i <= s->rows; i++) {
    const double *row = s->x + (size_t)i*n;
    if (left_out) join(s, to, passed(s, to), passed(s, i));
    else if (to < i) memcpy(passed(s, to), passed(s, i), (EPI_LEAST + 4*n)*sizeof *row);
    /* what is under way goes on from the last that stays */
    if (i == s->rows) break;
    double which = round((row[0] - start)/every);
    if (which > 0 && fabs(row[0] - (start + which*every)) <= 1e-12*fabs(row[0])) {
      memmove(s->x + (size_t)to++*n, row, size);
      left_out = 0;
      continue;
    }
    double *p = passed(s, to), *one = p + EPI_LEAST + 2*n;
    p[EPI_DRAWS]++;
    if (!lot((unsigned long)i, ++left_out)) continue;
    memcpy(one, row, size);
    memcpy(one + n, i + 1 < s->rows ? row + n : row, size);
  }
  s->rows = to;
  s->seen = to;
  s->saved = -1;
}

void epi_reel_add(epi_reel *s, const double *row)
{
  if (!s->x) return;
  if (!s->rows) begin(s, row);
  epi_reel_look(s, row, 0, s->n);
  epi_reel_looked(s, row[0], row + 1, s->n - 1);
  if (s->seen++ % s->stride) return;
  /* their number is even: the one that comes is a multiple of the new stride too */
  if (s->rows == s->most) thin(s);
  put(s, row);
}

void epi_reel_end(epi_reel *s, const double *row)
{
  if (s->x && !(s->rows && s->x[(size_t)(s->rows - 1)*(size_t)s->n] == row[0])) put(s, row);
}
