/* band.c - many constraints, each of few velocities: the normal matrix G M^-1 G^T is solved in a band, after the constraints are
 * numbered along the structure. Cuthill & McKee, Proc. 24th ACM National Conference (1969) 157; George & Liu, Computer Solution of Large
 * Sparse Positive Definite Systems (1981) */
/* compile: hot */
#include "band.h"

typedef struct { int row, entry; } epi_touched;
struct epi_band {
  int n, nG, band;                     /* constraints; entries of G; half width of the normal matrix */
  int *place;                          /* constraint c stands in row place[c] of the band */
  int columns, *from;           /* velocities; of each the entries of G from .. : in which row of the band they stand, and which they are */
  epi_touched *touch;
};

typedef struct { int n, *from, *list; } graph;

/* constraints that touch each velocity: from[i] .. from[i+1] into list */
static graph touching(const epi_system *m)
{
  int n = epi_nv(m), nG = m->constraints.rowptr[m->nc];
  graph g = {.n = n, .from = calloc((size_t)n + 2, sizeof(int)), .list = malloc(((size_t)nG + 1)*sizeof(int))};
  if (!g.from || !g.list) { free(g.from); free(g.list); return (graph){0}; }
  for (int k = 0; k < nG; k++) g.from[m->constraints.cols[k] + 2]++;
  for (int i = 0; i < n; i++) g.from[i + 2] += g.from[i + 1];
  for (int c = 0; c < m->nc; c++)
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) g.list[g.from[m->constraints.cols[k] + 1]++] = c;
  return g;
}

static int degree(const epi_system *m, const graph *g, int c)
{
  int d = 0;
  for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1];
       k++) d += g->from[m->constraints.cols[k] + 1] - g->from[m->constraints.cols[k]];
  return d;
}

/* constraints by their degree, those of one degree in their order; 0 on success */
static int by_degree(const epi_system *m, const graph *g, int *sorted)
{
  int nc = m->nc, most = 0;
  int *d = malloc((size_t)nc*sizeof *d);
  for (int c = 0; d && c < nc; c++) if ((d[c] = degree(m, g, c)) > most) most = d[c];
  int *from = d ? calloc((size_t)most + 2, sizeof *from) : NULL;
  if (from) {
    for (int c = 0; c < nc; c++) from[d[c] + 1]++;
    for (int k = 0; k <= most; k++) from[k + 1] += from[k];
    for (int c = 0; c < nc; c++) sorted[from[d[c]]++] = c;
  }
  int bad = !from;
  free(d);
  free(from);
  return bad;
}

/* what constraint c shares a velocity with and has no number yet, by degree, at the tail of the queue */
static int enqueue(const epi_system *m, const graph *g, int c, int *place, int *queue, int tail)
{
  int first = tail;
  for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++)
    for (int l = g->from[m->constraints.cols[k]]; l < g->from[m->constraints.cols[k] + 1]; l++) {
      int d = g->list[l];
      if (place[d] >= 0) continue;
      place[d] = tail;
      queue[tail++] = d;
    }
  for (int i = first + 1; i < tail; i++)
    for (int j = i; j > first && degree(m, g, queue[j]) < degree(m, g, queue[j-1]); j--) {
      int x = queue[j];
      queue[j] = queue[j-1];
      queue[j-1] = x;
    }
  for (int i = first; i < tail; i++) place[queue[i]] = i;
  return tail;
}

/* reverse Cuthill-McKee: breadth first from constraints of least degree, one for each part that hangs together; then turned round.
   queue: 2 nc numbers */
static int number_along(const epi_system *m, const graph *g, int *place, int *queue)
{
  int nc = m->nc, head = 0, tail = 0, *sorted = queue + nc;
  if (by_degree(m, g, sorted)) return -1;
  for (int c = 0; c < nc; c++) place[c] = -1;
  for (int next = 0; tail < nc; next++) {
    if (place[sorted[next]] >= 0) continue;
    place[sorted[next]] = tail;
    queue[tail++] = sorted[next];
    for (; head < tail; head++) tail = enqueue(m, g, queue[head], place, queue, tail);
  }
  for (int c = 0; c < nc; c++) place[c] = nc - 1 - place[c];
  return 0;
}

/* every pair of entries of G in one column is one product of the normal matrix: the entries by columns, and how far apart they stand */
static int sort_columns(epi_band *b, const epi_system *m, const graph *g)
{
  int *fill = calloc((size_t)g->n + 1, sizeof(int));
  b->columns = g->n;
  b->from = malloc(((size_t)g->n + 1)*sizeof(int));
  b->touch = malloc(((size_t)b->nG + 1)*sizeof *b->touch);
  if (!fill || !b->from || !b->touch) { free(fill); return -1; }
  memcpy(b->from, g->from, ((size_t)g->n + 1)*sizeof(int));
  for (int c = 0; c < m->nc; c++)
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) {
      int i = m->constraints.cols[k], slot = b->from[i] + fill[i]++;
      b->touch[slot].row = b->place[c];
      b->touch[slot].entry = k;
    }
  free(fill);
  for (int i = 0; i < g->n; i++) {
    int low = m->nc, high = 0;
    for (int a = b->from[i]; a < b->from[i + 1]; a++) {
      low = b->touch[a].row < low ? b->touch[a].row : low;
      high = b->touch[a].row > high ? b->touch[a].row : high;
    }
    b->band = high - low > b->band ? high - low : b->band;
  }
  return 0;
}

void epi_band_free(epi_band *b)
{
  if (!b) return;
  free(b->place);
  free(b->from);
  free(b->touch);
  free(b);
}

double epi_band_cost(const epi_band *b)
{
  double cost = (double)b->n*(b->band + 1.)*(b->band + 1.);
  for (int i = 0; i < b->columns; i++) cost += (double)(b->from[i + 1] - b->from[i])*(b->from[i + 1] - b->from[i]);
  return cost;
}

epi_band *epi_band_make(const epi_system *m)
{
  epi_band *b = calloc(1, sizeof *b);
  int *queue = malloc(2*(size_t)m->nc*sizeof(int));
  graph g = touching(m);
  int bad = !b || !queue || !g.from || !(b->place = malloc((size_t)m->nc*sizeof(int)));
  if (!bad) {
    b->n = m->nc;
    b->nG = m->constraints.rowptr[m->nc];
    bad = number_along(m, &g, b->place, queue) || sort_columns(b, m, &g);
  }
  free(queue);
  free(g.from);
  free(g.list);
  if (!bad) return b;
  epi_band_free(b);
  return NULL;
}

/* a band, with its right side and first diagonal after it */
long epi_band_room(const epi_band *b) { return (long)b->n*(2*b->band + 3); }

/* no pivoting: the matrix is a positive definite one but for the motion inside a step. A plain chain has three diagonals */
static int factor_three(int n, double *A, const double *first)
{
  for (int k = 0; k < n; k++) {
    const double *row = A + 3L*k;
    double p = row[1];
    if (!(fabs(p) > EPI_DEPENDS*fabs(first[k]))) return 1 + k;
    if (k == n - 1) break;
    double *next = A + 3L*(k + 1);
    next[0] /= p;
    next[1] -= next[0]*row[2];
  }
  return 0;
}

static void solve_three(int n, const double *A, double *x)
{
  for (int k = 1; k < n; k++) x[k] -= A[3L*k]*x[k-1];
  for (int i = n - 1; i >= 0; i--) {
    const double *row = A + 3L*i;
    if (i < n - 1) x[i] -= row[2]*x[i + 1];
    x[i] /= row[1];
  }
}

static int factor_band(int n, int b, double *A, const double *first)
{
  int w = 2*b + 1;
  for (int k = 0; k < n; k++) {
    const double p = A[(long)k*w + b], *restrict Ak = A + (long)k*w + b - k;
    if (!(fabs(p) > EPI_DEPENDS*fabs(first[k]))) return 1 + k;
    int end = n - k > b ? k + b : n - 1;
    for (int i = k + 1; i <= end; i++) {
      double *restrict Ai = A + (long)i*w + b - i, c = Ai[k] /= p;
      if (c == 0) continue;
      for (int j = k + 1; j <= end; j++) Ai[j] -= c*Ak[j];
    }
  }
  return 0;
}

static void solve_band(int n, int b, const double *A, double *x)
{
  int w = 2*b + 1;
  for (int i = 1; i < n; i++) {
    const double *Ai = A + (long)i*w + b - i;
    for (int k = i > b ? i - b : 0; k < i; k++) x[i] -= Ai[k]*x[k];
  }
  for (int i = n - 1; i >= 0; i--) {
    const double *Ai = A + (long)i*w + b - i;
    for (int j = i + 1; j <= i + b && j < n; j++) x[i] -= Ai[j]*x[j];
    x[i] /= Ai[i];
  }
}

/* A = G W^T, column by column of G; two constraints at a velocity are the most usual */
void epi_band_products(const epi_band *b, const double *G, const double *W, double *A)
{
  long w = 2*b->band + 1;
  memset(A, 0, (size_t)(b->n*w)*sizeof *A);
  for (int i = 0; i < b->columns; i++) {
    const epi_touched *t = b->touch + b->from[i];
    int n = b->from[i + 1] - b->from[i];
    if (n == 2) {
      double *one = A + t[0].row*(w - 1) + b->band, *two = A + t[1].row*(w - 1) + b->band;
      double g = G[t[0].entry], h = G[t[1].entry], x = W[t[0].entry], y = W[t[1].entry];
      one[t[0].row] += g*x;
      one[t[1].row] += g*y;
      two[t[0].row] += h*x;
      two[t[1].row] += h*y;
      continue;
    }
    for (int a = 0; a < n; a++) {
      double g = G[t[a].entry], *row = A + t[a].row*(w - 1) + b->band;
      for (int e = 0; e < n; e++) row[t[e].row] += g*W[t[e].entry];
    }
  }
}

int epi_band_factor(const epi_band *b, const double *G, const double *W, double *A)
{
  int n = b->n;
  long w = 2*b->band + 1;
  double *first = A + n*(w + 1);
  epi_band_products(b, G, W, A);
  for (int k = 0; k < n; k++) first[k] = A[k*w + b->band];
  int bad = b->band == 1 ? factor_three(n, A, first) : factor_band(n, b->band, A, first);
  for (int c = 0; bad && c < n; c++) if (bad == 1 + b->place[c]) return 1 + c;
  return 0;
}

void epi_band_solve(const epi_band *b, double s, double *A, double *x)
{
  int n = b->n;
  double *r = A + n*(2L*b->band + 1);
  for (int c = 0; c < n; c++) r[b->place[c]] = x[c]/s;
  if (b->band == 1) solve_three(n, A, r);
  else solve_band(n, b->band, A, r);
  for (int c = 0; c < n; c++) x[c] = r[b->place[c]];
}

const int *epi_band_place(const epi_band *b, int *band)
{
  *band = b->band;
  return b->place;
}

double epi_band_weakest(const epi_band *b, const double *A, int *which)
{
  long w = 2*b->band + 1;
  const double *first = A + b->n*(w + 1);
  double least = 1;
  for (int c = 0; c < b->n; c++) {
    long k = b->place[c];
    double pivot = fabs(A[k*w + b->band])/fabs(first[k]);
    if (pivot < least) { least = pivot; *which = c; }
  }
  return least;
}
