/* pattern.c - many constraints, each of few velocities. Those that hold a body which nothing else holds, as the feet of a table, are taken
 * out first, and the hub that such a leaf hangs on becomes heavier by it: the normal matrix of a star is full in every order, and by leaves
 * it costs what the leaves do. What is left may have leaves again, or is solved in a band. Baraff, Proc. SIGGRAPH (1996) 137;
 * Featherstone, Rigid Body Dynamics Algorithms (2008).
 *   G W^T x = b with d = W^T x. In the rows of a leaf, o: of its own velocities, h: of those of its hub:
 *   D x = b - G_h d_h, D = G_o W_o^T;   K d_h = c + W_h^T x of the others, K = 1 + W_h^T D^-1 G_h and c = W_h^T D^-1 b summed over leaves
 * so that the others have K^-1 W_h^T in place of W_h^T, and b - G_h K^-1 c in place of b */
/* compile: hot */
#include "band.h"

enum { ROWS = 6, WIDE = 12 };          /* of a leaf at most; its own velocities, and those of a hub */
#define LOST 1e-3                      /* a pivot of D beside the diagonal of the normal matrix: not by leaves */

typedef struct { int rows, first, own, hub; long at; } leaf;                   /* first: into row; at: what is kept of it */
typedef struct { int wide; long at; } hub;
typedef struct { int hub, first; } span;       /* entries of a row that is left which are those of a hub, in its order */

typedef struct {
  int leaves, hubs, spans, rest;       /* rest: rows that are left, in row after those of the leaves */
  leaf *leaf;
  hub *hub;
  span *span;
  int *rowptr;                         /* of the system */
  int *row, *slot;                     /* slot: of entry k of G in a leaf, which of its own velocities, or -1 - that of its hub */
  int *ptr, *cols, *entry, nG;         /* rows that are left and their entries: each is one of G, or -1, zero */
  epi_pattern *inner;                  /* of these; NULL: there are none */
  long at_rest, room;
  double cost;
} leaves;

struct epi_pattern { epi_band *band; leaves *leaves; };        /* leaves NULL: it is not worth while */

double epi_pattern_cost(const epi_pattern *b) { return b->leaves ? b->leaves->cost : epi_band_cost(b->band); }

/* room for the band, or for what leaves take; and behind it which of the two it is */
static long most_room(const epi_pattern *b)
{
  long band = epi_band_room(b->band), more = b->leaves ? b->leaves->room : 0;
  return more > band ? more : band;
}
long epi_pattern_room(const epi_pattern *b) { return most_room(b) + (b->leaves != NULL); }

/* ---- finding them ---- */
typedef struct {
  const epi_system *m;
  int n, *from, *list;                 /* rows that touch each velocity */
  int *leaf_of;                        /* of each row, or -1 */
  int *own;                            /* of each velocity the leaf that alone touches it, or -1 */
  int *up;                             /* velocities of one hub have the same top */
  int *shared;                         /* of each leaf one velocity that it shares, or -1 */
  int *many;                           /* of each leaf its rows, its own velocities; of each top those of its hub */
  int leaves;
} search;

static void leave(search *f)
{
  void *const all[] = {f->from, f->list, f->leaf_of, f->own, f->up, f->shared, f->many};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) free(all[i]);
}

static int touch(search *f)
{
  const epi_system *m = f->m;
  int nG = m->constraints.rowptr[m->nc];
  size_t n = (size_t)(f->n = epi_nv(m)), nc = (size_t)m->nc;
  f->from = calloc(n + 2, sizeof(int));
  f->list = malloc(((size_t)nG + 1)*sizeof(int));
  f->leaf_of = malloc(nc*sizeof(int));
  f->own = malloc(n*sizeof(int));
  f->up = malloc(n*sizeof(int));
  f->shared = malloc(nc*sizeof(int));
  f->many = calloc(n + 2*nc, sizeof(int));
  if (!f->from || !f->list || !f->leaf_of || !f->own || !f->up || !f->shared || !f->many) return -1;
  for (int k = 0; k < nG; k++) f->from[m->constraints.cols[k] + 2]++;
  for (int i = 0; i < f->n; i++) f->from[i + 2] += f->from[i + 1];
  for (int c = 0; c < m->nc; c++)
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) f->list[f->from[m->constraints.cols[k] + 1]++] = c;
  return 0;
}

/* a row that has a velocity twice */
static int twice(const search *f)
{
  for (int i = 0; i < f->n; i++)
    for (int k = f->from[i] + 1; k < f->from[i + 1]; k++) if (f->list[k] == f->list[k-1]) return 1;
  return 0;
}

/* rows that touch one velocity, and are no more than a leaf has: the most first */
static void candidates(search *f)
{
  for (int c = 0; c < f->m->nc; c++) f->leaf_of[c] = -1;
  for (int rows = ROWS; rows > 0; rows--)
    for (int i = 0; i < f->n; i++) {
      int taken = f->from[i + 1] - f->from[i] != rows;
      for (int k = f->from[i]; k < f->from[i + 1] && !taken; k++) taken = f->leaf_of[f->list[k]] >= 0;
      for (int k = f->from[i]; k < f->from[i + 1] && !taken; k++) f->leaf_of[f->list[k]] = f->leaves;
      f->leaves += !taken;
    }
}

static int top(search *f, int i)
{
  while (f->up[i] != i) i = f->up[i] = f->up[f->up[i]];
  return i;
}

/* whose velocities are whose, and which of those that are shared go together; how many there are */
static void sort_velocities(search *f)
{
  const epi_system *m = f->m;
  int *rows = f->many + f->n, *own = rows + m->nc;
  memset(f->many, 0, (size_t)(f->n + 2*m->nc)*sizeof(int));
  for (int i = 0; i < f->n; i++) {
    f->up[i] = i;
    f->own[i] = f->from[i] < f->from[i + 1] ? f->leaf_of[f->list[f->from[i]]] : -1;
    for (int k = f->from[i]; k < f->from[i + 1]; k++) if (f->leaf_of[f->list[k]] != f->own[i]) f->own[i] = -1;
    if (f->own[i] >= 0) own[f->own[i]]++;
  }
  for (int l = 0; l < f->leaves; l++) f->shared[l] = -1;
  for (int c = 0; c < m->nc; c++) {
    int l = f->leaf_of[c];
    if (l < 0) continue;
    rows[l]++;
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) {
      int i = m->constraints.cols[k];
      if (f->own[i] >= 0) continue;
      if (f->shared[l] >= 0) f->up[top(f, i)] = top(f, f->shared[l]);
      else f->shared[l] = i;
    }
  }
  for (int i = 0; i < f->n; i++) f->many[top(f, i)]++;
}

/* those that cannot be taken out are no leaves: too few velocities of their own, or a hub that is too wide; how many rows are left in
   leaves, -1: look again */
static int drop(search *f)
{
  const int *rows = f->many + f->n, *own = rows + f->m->nc;
  int kept = 0, dropped = 0;
  for (int c = 0; c < f->m->nc; c++) {
    int l = f->leaf_of[c];
    if (l < 0) continue;
    int bad = own[l] < rows[l] || own[l] > WIDE || (f->shared[l] >= 0 && f->many[top(f, f->shared[l])] > WIDE);
    if (bad) f->leaf_of[c] = -1;
    dropped |= bad;
    kept += !bad;
  }
  return dropped ? -1 : kept;
}

/* ---- what is kept of them ---- */
static void free_leaves(leaves *b)
{
  if (!b) return;
  void *const all[] = {b->leaf, b->hub, b->span, b->rowptr, b->row, b->slot, b->ptr, b->cols, b->entry};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) free(all[i]);
  epi_pattern_free(b->inner);
  free(b);
}

/* hubs have numbers, and each of their velocities a place; the rows of leaves come one after the other, and then those that are left */
static void number_all(leaves *b, search *f, int *number, int *place, int *as)
{
  const int *rows = f->many + f->n;
  int at = 0;
  for (int i = 0; i < f->n; i++) number[i] = -1;
  for (int l = 0; l < f->leaves; l++) {
    if (!rows[l]) continue;
    int t = f->shared[l] < 0 ? -1 : top(f, f->shared[l]);
    if (t >= 0 && number[t] < 0) { b->hub[b->hubs].wide = 0; number[t] = b->hubs++; }
    b->leaf[b->leaves] = (leaf){.first = at, .hub = t < 0 ? -1 : number[t]};
    as[l] = b->leaves++;
    at += rows[l];
  }
  for (int i = 0; i < f->n; i++) {
    int h = f->own[i] >= 0 ? -1 : number[top(f, i)];
    place[i] = f->own[i] >= 0 ? b->leaf[as[f->own[i]]].own++ : h >= 0 ? b->hub[h].wide++ : -1;
  }
  for (int c = 0; c < f->m->nc; c++) {
    leaf *x = f->leaf_of[c] < 0 ? NULL : &b->leaf[as[f->leaf_of[c]]];
    if (x) b->row[x->first + x->rows++] = c;
    else b->row[at + b->rest++] = c;
  }
}

/* where each entry of a leaf stands */
static void place_entries(const leaves *b, const search *f, const int *place)
{
  const epi_system *m = f->m;
  for (int c = 0; c < m->nc; c++)
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1] && f->leaf_of[c] >= 0; k++)
      b->slot[k] = f->own[m->constraints.cols[k]] >= 0 ? place[m->constraints.cols[k]] : -1 - place[m->constraints.cols[k]];
}

/* rows that are left have all velocities of the hubs they touch, behind those of no hub */
static void rows_left(leaves *b, search *f, const int *number, const int *place, const int *velocity)
{
  const epi_system *m = f->m;
  int first = m->nc - b->rest, at = 0;
  for (int r = 0; r < b->rest; r++) {
    int c = b->row[first + r], from = b->spans;
    b->ptr[r] = at;
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) {
      int h = number[top(f, m->constraints.cols[k])], s = from;
      if (h < 0) { b->cols[at] = m->constraints.cols[k]; b->entry[at++] = k; continue; }
      while (s < b->spans && b->span[s].hub != h) s++;
      if (s == b->spans) b->span[b->spans++].hub = h;
    }
    for (int s = from; s < b->spans; s++) {
      int h = b->span[s].hub;
      b->span[s].first = at;
      for (int j = 0; j < b->hub[h].wide; j++) { b->cols[at] = velocity[WIDE*h + j]; b->entry[at++] = -1; }
      for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++)
        if (number[top(f, m->constraints.cols[k])] == h) b->entry[b->span[s].first + place[m->constraints.cols[k]]] = k;
    }
  }
  b->ptr[b->rest] = b->nG = at;
}

/* D, D^-1 G_h, W_h and D^-1 b of each leaf; K and K^-1 c of each hub; then G, W and b of the rows that are left, and their matrix */
static void lay_out(leaves *b)
{
  for (int l = 0; l < b->leaves; l++) {
    leaf *x = &b->leaf[l];
    int n = x->rows, wide = x->hub < 0 ? 0 : b->hub[x->hub].wide;
    x->at = b->room;
    b->room += n*(n + 2L*wide + 1);
    b->cost += n*((double)n*(x->own + n/3. + wide + 1) + (double)wide*wide) + 50;
  }
  for (int h = 0; h < b->hubs; h++) {
    int n = b->hub[h].wide;
    b->hub[h].at = b->room;
    b->room += n*(n + 1L);
    b->cost += n*n*n/3. + 50;
  }
  for (int s = 0; s < b->spans; s++) b->cost += 2.*b->hub[b->span[s].hub].wide*b->hub[b->span[s].hub].wide;
  b->at_rest = b->room;
  b->room += 2L*b->nG + b->rest + (b->inner ? epi_pattern_room(b->inner) : 0);
  if (b->inner) b->cost += epi_pattern_cost(b->inner);
}

static int build(leaves *b, search *f)
{
  const epi_system *m = f->m;
  size_t n = (size_t)f->n, nc = (size_t)m->nc, nG = (size_t)m->constraints.rowptr[m->nc], most = (size_t)f->leaves;
  int *number = malloc((2*n + most + WIDE*(most + 1))*sizeof(int)), *place = number + n, *as = place + n, *velocity = as + most;
  b->leaf = calloc(most, sizeof *b->leaf);
  b->hub = calloc(most, sizeof *b->hub);
  b->rowptr = malloc((nc + 1)*sizeof(int));
  b->row = malloc(nc*sizeof(int));
  b->slot = malloc(nG*sizeof(int));
  b->span = malloc(nG*sizeof *b->span);
  b->ptr = malloc((nc + 1)*sizeof(int));
  b->cols = malloc((WIDE*nG + 1)*sizeof(int));
  b->entry = malloc((WIDE*nG + 1)*sizeof(int));
  int bad = !number || !b->leaf || !b->hub || !b->rowptr || !b->row || !b->slot || !b->span || !b->ptr || !b->cols || !b->entry;
  if (!bad) {
    memcpy(b->rowptr, m->constraints.rowptr, (nc + 1)*sizeof(int));
    number_all(b, f, number, place, as);
    place_entries(b, f, place);
    for (int i = 0; i < f->n; i++) if (f->own[i] < 0 && number[top(f, i)] >= 0) velocity[WIDE*number[top(f, i)] + place[i]] = i;
    rows_left(b, f, number, place, velocity);
    epi_system left = {.nq = f->n, .nv = f->n, .nc = b->rest, .constraints = {.rowptr = b->ptr, .cols = b->cols}};
    bad = b->rest && !(b->inner = epi_pattern_make(&left));
  }
  free(number);
  if (!bad) lay_out(b);
  return bad ? -1 : 0;
}

/* those of a system, where to take them out is worth while beside a band; else NULL. -1: out of memory */
static int find_leaves(const epi_system *m, double cost, leaves **out)
{
  search f = {.m = m};
  int kept = -1, bad = touch(&f);
  *out = NULL;
  if (!bad && !twice(&f)) {
    candidates(&f);
    while (kept < 0) { sort_velocities(&f); kept = drop(&f); }
    /* of a chain only the ends are leaves, and it is a narrow band */
    if (4*kept >= m->nc) bad = !(*out = calloc(1, sizeof **out)) || build(*out, &f);
  }
  leave(&f);
  if (!bad && (!*out || (*out)->cost < 0.5*cost)) return 0;
  free_leaves(*out);
  *out = NULL;
  return bad ? -1 : 0;
}


/* ---- solving ---- */
/* no pivoting, as of the band: positive definite but for the motion inside a step; diagonal: what a pivot is measured by. In place of a
   pivot stands what is multiplied by it to be one */
static inline __attribute__((always_inline)) int factor(int n, double *A, const double *diagonal)
{
  for (int k = 0; k < n; k++) {
    double p = A[n*k + k];
    if (!(fabs(p) > LOST*fabs(diagonal[k]))) return 1;
    A[n*k + k] = p = 1/p;
    for (int i = k + 1; i < n; i++) {
      double c = A[n*i + k] *= p;
      for (int j = k + 1; j < n; j++) A[n*i + j] -= c*A[n*k + j];
    }
  }
  return 0;
}

/* A^-1 of `wide` right sides, which stand beside each other */
static inline __attribute__((always_inline)) void solve(int n, const double *A, int wide, double *x)
{
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++) for (int j = 0; j < wide; j++) x[wide*i + j] -= A[n*i + k]*x[wide*k + j];
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) for (int j = 0; j < wide; j++) x[wide*i + j] -= A[n*i + k]*x[wide*k + j];
    for (int j = 0; j < wide; j++) x[wide*i + j] *= A[n*i + i];
  }
}

typedef struct { int n, wide; double *D, *Y, *W, *b, *K; } kept;       /* of a leaf, and K of its hub */
static inline kept kept_of(const leaves *b, const leaf *x, double *A)
{
  kept k = {.n = x->rows, .wide = x->hub < 0 ? 0 : b->hub[x->hub].wide, .D = A + x->at};
  k.Y = k.D + k.n*k.n;
  k.W = k.Y + k.n*k.wide;
  k.b = k.W + k.n*k.wide;
  k.K = x->hub < 0 ? NULL : A + b->hub[x->hub].at;
  return k;
}

static inline __attribute__((always_inline)) int
factor_sized(const leaves *b, const leaf *x, const double *G, const double *W, double *A, const int n, const int own, const int wide)
{
  double g[ROWS*WIDE], w[ROWS*WIDE], diagonal[ROWS] = {0};
  kept k = kept_of(b, x, A);
  memset(g, 0, (size_t)(n*own)*sizeof *g);
  memset(w, 0, (size_t)(n*own)*sizeof *w);
  memset(k.Y, 0, 2*(size_t)(n*wide)*sizeof *k.Y);
  for (int i = 0; i < n; i++) {
    int c = b->row[x->first + i];
    for (int e = b->rowptr[c]; e < b->rowptr[c + 1]; e++) {
      int s = b->slot[e];
      diagonal[i] += G[e]*W[e];
      if (s >= 0) { g[own*i + s] = G[e]; w[own*i + s] = W[e]; }
      else { k.Y[wide*i - 1 - s] = G[e]; k.W[wide*i - 1 - s] = W[e]; }
    }
  }
  for (int i = 0; i < n; i++)
    for (int l = 0; l < n; l++) {
      double sum = 0;
      for (int j = 0; j < own; j++) sum += g[own*i + j]*w[own*l + j];
      k.D[n*i + l] = sum;
    }
  if (factor(n, k.D, diagonal)) return 1;
  solve(n, k.D, wide, k.Y);
  for (int i = 0; i < n; i++)
    for (int r = 0; r < wide; r++)
      for (int j = 0; j < wide; j++) k.K[wide*r + j] += k.W[wide*i + r]*k.Y[wide*i + j];
  return 0;
}

/* a body that is welded to another is the most usual */
static int factor_leaf(const leaves *b, const leaf *x, const double *G, const double *W, double *A)
{
  int wide = x->hub < 0 ? 0 : b->hub[x->hub].wide;
  return x->rows == 6 && x->own == 6 && wide == 6 ? factor_sized(b, x, G, W, A, 6, 6, 6) :
         factor_sized(b, x, G, W, A, x->rows, x->own, wide);
}

/* 0, or 1: it cannot be done by leaves */
static int factor_leaves(const leaves *b, const double *G, const double *W, double *A)
{
  double one[WIDE], *g = A + b->at_rest, *w = g + b->nG;
  for (int i = 0; i < WIDE; i++) one[i] = 1;
  for (int h = 0; h < b->hubs; h++) {
    int n = b->hub[h].wide;
    double *K = A + b->hub[h].at;
    memset(K, 0, (size_t)n*(size_t)n*sizeof *K);
    for (int i = 0; i < n; i++) K[n*i + i] = 1;
  }
  for (int l = 0; l < b->leaves; l++) if (factor_leaf(b, &b->leaf[l], G, W, A)) return 1;
  for (int h = 0; h < b->hubs; h++) if (factor(b->hub[h].wide, A + b->hub[h].at, one)) return 1;
  for (int k = 0; k < b->nG; k++) {
    g[k] = b->entry[k] < 0 ? 0 : G[b->entry[k]];
    w[k] = b->entry[k] < 0 ? 0 : W[b->entry[k]];
  }
  for (int s = 0; s < b->spans; s++) {
    const hub *h = &b->hub[b->span[s].hub];
    solve(h->wide, A + h->at, 1, w + b->span[s].first);
  }
  return b->inner ? epi_pattern_factor(b->inner, g, w, w + b->nG + b->rest) != 0 : 0;
}

/* what leaves do to their hubs, and these to the rows that are left */
static void outwards_in(const leaves *b, double s, double *A, const double *x)
{
  double *g = A + b->at_rest, *left = g + 2*b->nG;
  const int *row = b->row + (b->leaves ? b->leaf[b->leaves-1].first + b->leaf[b->leaves-1].rows : 0);
  for (int h = 0; h < b->hubs; h++) {
    int n = b->hub[h].wide;
    memset(A + b->hub[h].at + n*n, 0, (size_t)n*sizeof *A);
  }
  for (int l = 0; l < b->leaves; l++) {
    kept k = kept_of(b, &b->leaf[l], A);
    for (int i = 0; i < k.n; i++) k.b[i] = x[b->row[b->leaf[l].first + i]]/s;
    solve(k.n, k.D, 1, k.b);
    for (int i = 0; i < k.n; i++) for (int j = 0; j < k.wide; j++) k.K[k.wide*k.wide + j] += k.W[k.wide*i + j]*k.b[i];
  }
  for (int h = 0; h < b->hubs; h++) {
    int n = b->hub[h].wide;
    double *K = A + b->hub[h].at;
    solve(n, K, 1, K + n*n);
  }
  for (int r = 0, k = 0; r < b->rest; r++) {
    left[r] = x[row[r]]/s;
    for (; k < b->spans && b->span[k].first < b->ptr[r + 1]; k++) {
      const hub *h = &b->hub[b->span[k].hub];
      const double *c = A + h->at + h->wide*h->wide;
      for (int j = 0; j < h->wide; j++) left[r] -= g[b->span[k].first + j]*c[j];
    }
  }
}

static void solve_leaves(const leaves *b, double s, double *A, double *x)
{
  double *w = A + b->at_rest + b->nG, *left = w + b->nG;
  const int *row = b->row + (b->leaves ? b->leaf[b->leaves-1].first + b->leaf[b->leaves-1].rows : 0);
  outwards_in(b, s, A, x);
  if (b->inner) epi_pattern_again(b->inner, 1, left + b->rest, left);
  for (int r = 0, k = 0; r < b->rest; r++) {
    x[row[r]] = left[r];
    for (; k < b->spans && b->span[k].first < b->ptr[r + 1]; k++) {
      const hub *h = &b->hub[b->span[k].hub];
      double *d = A + h->at + h->wide*h->wide;
      for (int j = 0; j < h->wide; j++) d[j] += w[b->span[k].first + j]*left[r];
    }
  }
  for (int l = 0; l < b->leaves; l++) {
    kept k = kept_of(b, &b->leaf[l], A);
    for (int i = 0; i < k.n; i++) {
      double y = k.b[i];
      for (int j = 0; j < k.wide; j++) y -= k.Y[k.wide*i + j]*k.K[k.wide*k.wide + j];
      x[b->row[b->leaf[l].first + i]] = y;
    }
  }
}

/* ---- the whole ---- */
void epi_pattern_free(epi_pattern *b)
{
  if (!b) return;
  epi_band_free(b->band);
  free_leaves(b->leaves);
  free(b);
}

epi_pattern *epi_pattern_make(const epi_system *m)
{
  epi_pattern *b = calloc(1, sizeof *b);
  if (b && (b->band = epi_band_make(m)) && !find_leaves(m, epi_band_cost(b->band), &b->leaves)) return b;
  epi_pattern_free(b);
  return NULL;
}

int epi_pattern_factor(const epi_pattern *b, const double *G, const double *W, double *A)
{
  int by_leaves = b->leaves && !factor_leaves(b->leaves, G, W, A);
  if (b->leaves) A[most_room(b)] = by_leaves;
  return by_leaves ? 0 : epi_band_factor(b->band, G, W, A);
}

void epi_pattern_again(const epi_pattern *b, double s, double *A, double *x)
{
  if (b->leaves && A[most_room(b)] != 0) solve_leaves(b->leaves, s, A, x);
  else epi_band_solve(b->band, s, A, x);
}

int epi_pattern_solve(const epi_pattern *b, double s, const double *G, const double *W, double *A, double *x)
{
  int bad = epi_pattern_factor(b, G, W, A);
  if (!bad) epi_pattern_again(b, s, A, x);
  return bad;
}

void epi_pattern_products(const epi_pattern *b, const double *G, const double *W, double *A) { epi_band_products(b->band, G, W, A); }
const int *epi_pattern_place(const epi_pattern *b, int *band) { return epi_band_place(b->band, band); }

double epi_pattern_weakest(const epi_pattern *b, const double *G, const double *W, double *A, int *which)
{
  return epi_band_factor(b->band, G, W, A) ? 1 : epi_band_weakest(b->band, A, which);
}
