/* nam-matrix.c - the matrix of a step of nam, M + beta h C + gamma h^2 K. By links it is made of blocks of six, one for each body: those
 * that touch few others are eliminated first, onto the few they share, by Cholesky. By a slope it is dense */
/* compile: hot */
#include "nam.h"

enum { WIDE = 6, SQUARE = WIDE*WIDE, MOST_BLOCKS = 1000 };

/* ---- which blocks there are ---- */
/* the velocities of a link's end are a block; ends that share some share all */
static int block_of(epi_nam *x, int at, int n, int nv)
{
  if (n == 0) return -1;
  if (n < 0 || n > WIDE || at < 0 || at + n > nv) return -2;
  int b = x->place[at] < 0 ? x->blocks : x->place[at]/WIDE;
  for (int i = 0; i < n; i++) {
    int here = x->place[at + i];
    if (b == x->blocks ? here >= 0 : here != WIDE*b + i) return -2;
  }
  if (b < x->blocks) return x->size[b] == n ? b : -2;
  if (x->blocks == MOST_BLOCKS) return -3;
  for (int i = 0; i < n; i++) x->place[at + i] = WIDE*b + i;
  x->first[b] = at;
  x->size[b] = n;
  x->blocks++;
  return b;
}

static int find_blocks(epi_flow *f, epi_nam *x)
{
  const epi_system *m = f->sys;
  int nv = epi_nv(m);
  for (int i = 0; i < nv; i++) x->place[i] = -1;
  for (int i = 0; i < m->contacts.links; i++) {
    const epi_link_ends *e = &m->contacts.link_ends[i];
    for (int k = 0; k < 2; k++) {
      int b = x->end[3*i + k] = block_of(x, e->at[k], e->n[k], nv);
      epi_refuse(f, b == -3, "nam: links between more than %d bodies: use semi", MOST_BLOCKS);
      epi_refuse(f, b == -2, "nam: link %d (%s) is between velocities %d to %d, which are not there, or partly those of another link: give "
                 "each body the same at and n, at most 6, in all its links", i, e->name ? e->name : "", e->at[k], e->at[k] + e->n[k] - 1);
      if (f->broken) return -1;
    }
  }
  return 0;
}

/* ---- in which order they are eliminated ---- */
/* next: the one with fewest others; these then share all of what it had. near: B x B, 1 where two have entries */
static void eliminate(epi_nam *x, char *near, int *left)
{
  int B = x->blocks, rows = 0;
  for (int k = 0; k < B; k++) {
    int best = -1, least = B + 1, from = rows;
    for (int b = 0; b < B; b++) if (left[b] >= 0 && left[b] < least) { best = b; least = left[b]; }
    x->order[k] = best;
    x->column[k] = rows;
    left[best] = -1;
    for (int b = 0; b < B; b++) if (left[b] >= 0 && near[best*B + b]) x->row[rows++] = b;
    for (int i = from; i < rows; i++) {
      left[x->row[i]]--;
      for (int j = from; j < i; j++) {
        char *a = &near[x->row[i]*B + x->row[j]], *b = &near[x->row[j]*B + x->row[i]];
        if (*a) continue;
        *a = *b = 1;
        left[x->row[i]]++, left[x->row[j]]++;
      }
    }
  }
  x->column[B] = rows;
}

/* slot of the entries of two blocks, one as large as the other's place in the order; and products of a column's go where */
static int slot_of(const epi_nam *x, const int *rank, int a, int b)
{
  int k = rank[a] < rank[b] ? rank[a] : rank[b], other = rank[a] < rank[b] ? b : a;
  for (int i = x->column[k]; i < x->column[k + 1]; i++) if (x->row[i] == other) return i;
  return -1;
}

/* rows of a column in the order of elimination */
static void sort_rows(epi_nam *x, const int *rank)
{
  for (int k = 0; k < x->blocks; k++)
    for (int i = x->column[k] + 1; i < x->column[k + 1]; i++)
      for (int j = i; j > x->column[k] && rank[x->row[j - 1]] > rank[x->row[j]]; j--) {
        int b = x->row[j];
        x->row[j] = x->row[j - 1], x->row[j - 1] = b;
      }
}

/* near, left and rank are room for this alone */
static int arrange(epi_flow *f, epi_nam *x)
{
  int B = x->blocks, pairs = 0, bad = -1;
  char *near = calloc((size_t)B*(size_t)B + 1, 1);
  int *left = calloc(2*(size_t)B + 1, sizeof *left), *rank = left ? left + B : NULL;
  if (!near || !left) goto done;
  for (int i = 0; i < x->links; i++) {
    int a = x->end[3*i], b = x->end[3*i + 1];
    if (a < 0 || b < 0 || a == b || near[a*B + b]) continue;
    near[a*B + b] = near[b*B + a] = 1;
    left[a]++, left[b]++;
  }
  if (!(x->row = calloc((size_t)B*(size_t)(B + 1)/2 + 1, sizeof(int)))) goto done;
  eliminate(x, near, left);
  for (int k = 0; k < B; k++) rank[x->order[k]] = k;
  sort_rows(x, rank);
  x->slots = x->column[B];
  for (int k = 0; k < B; k++) { int n = x->column[k + 1] - x->column[k]; pairs += n*(n - 1)/2; }
  if (!(x->target = calloc((size_t)pairs + 1, sizeof(int)))) goto done;
  for (int k = 0, at = 0; k < B; k++)
    for (int i = x->column[k]; i < x->column[k + 1]; i++)
      for (int j = x->column[k]; j < i; j++) x->target[at++] = slot_of(x, rank, x->row[i], x->row[j]);
  for (int i = 0; i < x->links; i++) {
    int *e = x->end + 3*i;
    e[2] = e[0] >= 0 && e[1] >= 0 && e[0] != e[1] ? slot_of(x, rank, e[0], e[1]) : -1;
    /* the later one of the two comes first: rows of a slot are its */
    if (e[2] >= 0 && rank[e[0]] < rank[e[1]]) e[2] = -2 - e[2];
  }
  size_t numbers = (size_t)B*(SQUARE + WIDE) + (size_t)x->slots*SQUARE;
  bad = !(x->diagonal = calloc(numbers + 1, sizeof(double))) || !(x->moves = calloc((size_t)B + (size_t)x->slots + 1, 1));
  if (!bad) { x->lower = x->diagonal + (size_t)B*SQUARE; x->x = x->lower + (size_t)x->slots*SQUARE; x->used = x->moves + B; }
done:
  free(near);
  free(left);
  return epi_refuse_memory(f, bad) ? -1 : 0;
}

/* ---- which errors are taken together ---- */
static int is_angle(const epi_system *m, int i) { return m->units && m->units[m->nq + i] && !strcmp(m->units[m->nq + i], "rad/s"); }

/* of a block, what turns and what moves; of velocities in none, each */
static void group(const epi_system *m, epi_nam *x)
{
  int nv = epi_nv(m);
  for (int i = 0; i < nv; i++) {
    int here = x->place[i]/WIDE, angle = is_angle(m, i);
    int joins = i > 0 && x->place[i] >= 0 && x->place[i - 1] >= 0 && x->place[i - 1]/WIDE == here && is_angle(m, i - 1) == angle;
    if (joins) continue;
    x->angle[x->groups] = (char)angle;
    x->group[x->groups++] = i;
  }
  x->group[x->groups] = nv;
}

void epi_nam_matrix_drop(epi_flow *f)
{
  epi_nam *x = f->own;
  if (!x) return;
  void *const blocks[] = {x->link, x->end, x->row, x->target, x->diagonal, x->moves, x->angle, x->reply, x->exact};
  for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) free(blocks[i]);
}

int epi_nam_matrix_make(epi_flow *f)
{
  const epi_system *m = f->sys;
  size_t nv = (size_t)epi_nv(m), links = m->contacts.linked_force ? (size_t)m->contacts.links : 0, most = 2*links < nv ? 2*links : nv;
  epi_nam *x = f->own = calloc(1, sizeof *x);
  if (epi_refuse_memory(f, !x)) return -1;
  x->links = (int)links;
  x->by = m->contacts.linked_force ? EPI_NAM_LINKED : m->jacobian.slope ? EPI_NAM_SLOPE : EPI_NAM_PLAIN;
  x->link = calloc(links + 1, sizeof *x->link);
  x->end = calloc(3*links + 4*(most + 2) + 3*(nv + 2), sizeof(int));
  x->angle = calloc(nv + 1, 1);
  if (epi_refuse_memory(f, !x->link || !x->end || !x->angle)) return -1;
  int *at = x->end + 3*links;
  x->first = at, x->size = at + (most + 2), x->order = at + 2*(most + 2), x->column = at + 3*(most + 2);
  at += 4*(most + 2);
  x->place = at, x->group = at + (nv + 2), x->pivot = at + 2*(nv + 2);
  for (size_t i = 0; i < nv; i++) x->place[i] = -1;
  if (x->by == EPI_NAM_LINKED && (find_blocks(f, x) || arrange(f, x))) return -1;
  group(m, x);
  return epi_nam_modes_make(f);
}

/* ---- its numbers ---- */
/* rows of a link of one of its bodies, without the velocities that are held */
static void rows_of(const epi_nam *x, const epi_link *l, int end, int block, const double *held, double G[3][WIDE])
{
  for (int i = 0; i < WIDE; i++) {
    double free = i < x->size[block] && !held[x->first[block] + i];
    for (int k = 0; k < 3; k++) G[k][i] = free != 0 ? l->G[k][WIDE*end + i] : 0;
  }
}

static void add_square(double *A, double G[3][WIDE], double T[3][WIDE])
{
  for (int i = 0; i < WIDE; i++)
    for (int k = 0; k < WIDE; k++) A[WIDE*i + k] += G[0][i]*T[0][k] + G[1][i]*T[1][k] + G[2][i]*T[2][k];
}

/* of the diagonal, its lower half */
static void add_lower(double *A, double G[3][WIDE], double T[3][WIDE])
{
  for (int i = 0; i < WIDE; i++)
    for (int k = 0; k <= i; k++) A[WIDE*i + k] += G[0][i]*T[0][k] + G[1][i]*T[1][k] + G[2][i]*T[2][k];
}

static void add_link(epi_nam *x, int i, const double *held, double a, double b)
{
  const epi_link *l = &x->link[i];
  const int at[] = {x->end[3*i], x->end[3*i + 1]}, e[] = {at[0] >= 0 && x->moves[at[0]] ? at[0] : -1,
    at[1] >= 0 && x->moves[at[1]] ? at[1] : -1}, slot = x->end[3*i + 2];
  double normal = a*l->stiffness + b*l->damping, s0 = b*l->slope[0], s1 = b*l->slope[1], s2 = b*l->slope[2], G[2][3][WIDE], T[2][3][WIDE];
  if (normal == 0 && s0 == 0 && s2 == 0) return;
  for (int k = 0; k < 2; k++) {
    if (e[k] < 0) continue;
    rows_of(x, l, k, e[k], held, G[k]);
    for (int c = 0; c < WIDE; c++) {
      T[k][0][c] = normal*G[k][0][c];
      T[k][1][c] = s0*G[k][1][c] + s1*G[k][2][c];
      T[k][2][c] = s1*G[k][1][c] + s2*G[k][2][c];
    }
    add_lower(x->diagonal + (long)SQUARE*e[k], G[k], T[k]);
  }
  if (e[0] < 0 || e[1] < 0) return;
  double *own = x->diagonal + (long)SQUARE*e[0];
  if (e[0] == e[1]) { add_lower(own, G[0], T[1]); add_lower(own, G[1], T[0]); return; }
  int here = slot >= 0 ? slot : -2 - slot;
  double *A = x->lower + (long)SQUARE*here;
  if (!x->used[here]) memset(A, 0, SQUARE*sizeof *A);
  x->used[here] = 1;
  if (slot >= 0) add_square(A, G[0], T[1]);
  else add_square(A, G[1], T[0]);
}

static void fill(epi_flow *f, const double *held, double a, double b)
{
  epi_nam *x = f->own;
  memset(x->diagonal, 0, (size_t)x->blocks*SQUARE*sizeof(double));
  memset(x->used, 0, (size_t)x->slots);
  for (int k = 0; k < x->blocks; k++) {
    x->moves[k] = 0;
    for (int i = 0; i < WIDE; i++) {
      int v = x->first[k] + i, free = i < x->size[k] && held[v] == 0;
      x->diagonal[SQUARE*k + (WIDE + 1)*i] = free ? epi_nam_mass(f, v) : 1;
      x->moves[k] |= (char)free;
    }
  }
  for (int i = 0; i < x->links; i++) add_link(x, i, held, a, b);
}

/* ---- Cholesky by blocks ---- */
/* the inverse of the diagonal stands in the diagonal */
static int root(double *A)
{
  for (int k = 0; k < WIDE; k++) {
    for (int i = k; i < WIDE; i++)
      for (int j = 0; j < k; j++) A[WIDE*i + k] -= A[WIDE*i + j]*A[WIDE*k + j];
    double p = A[WIDE*k + k];
    if (!(p > 0) || !isfinite(p)) return 1;
    double inverse = A[WIDE*k + k] = 1/sqrt(p);
    for (int i = k + 1; i < WIDE; i++) A[WIDE*i + k] *= inverse;
  }
  return 0;
}

/* rows beside each other, so that lanes of a vector are of different ones and each number is the sum that it was */
static inline void turn(double *restrict out, const double *restrict A)
{
  for (int i = 0; i < WIDE; i++) for (int k = 0; k < WIDE; k++) out[WIDE*k + i] = A[WIDE*i + k];
}

/* A = A L^-T */
static void divide(double *A, const double *L)
{
  double T[SQUARE];
  turn(T, A);
  for (int k = 0; k < WIDE; k++) {
    double *to = T + WIDE*k;
    for (int j = 0; j < k; j++) {
      const double l = L[WIDE*k + j], *from = T + WIDE*j;
      for (int r = 0; r < WIDE; r++) to[r] -= from[r]*l;
    }
    for (int r = 0; r < WIDE; r++) to[r] *= L[WIDE*k + k];
  }
  turn(A, T);
}

/* C -= A B^T; of a diagonal C the upper half is nobody's */
static void subtract(double *restrict C, const double *restrict A, const double *restrict B)
{
  double T[SQUARE];
  turn(T, B);
  for (int i = 0; i < WIDE; i++) {
    double sum[WIDE] = {0};
    for (int j = 0; j < WIDE; j++)
      for (int k = 0; k < WIDE; k++) sum[k] += A[WIDE*i + j]*T[WIDE*j + k];
    for (int k = 0; k < WIDE; k++) C[WIDE*i + k] -= sum[k];
  }
}

/* products of slots i and j of a column */
static void share(epi_nam *x, int i, int j, int to)
{
  double *C = x->lower + (long)SQUARE*to;
  if (!x->used[i] || !x->used[j]) return;
  if (!x->used[to]) memset(C, 0, SQUARE*sizeof *C);
  x->used[to] = 1;
  subtract(C, x->lower + (long)SQUARE*i, x->lower + (long)SQUARE*j);
}

static int factor(epi_nam *x)
{
  const int *target = x->target;
  for (int k = 0; k < x->blocks; k++) {
    double *d = x->diagonal + (long)SQUARE*x->order[k];
    if (x->moves[x->order[k]] && root(d)) return 1;
    for (int i = x->column[k]; i < x->column[k + 1]; i++) {
      double *A = x->lower + (long)SQUARE*i;
      if (x->used[i]) { divide(A, d); subtract(x->diagonal + (long)SQUARE*x->row[i], A, A); }
      for (int j = x->column[k]; j < i; j++) share(x, i, j, *target++);
    }
  }
  return 0;
}

static void substitute(epi_nam *x)
{
  for (int k = 0; k < x->blocks; k++) {
    const double *L = x->diagonal + (long)SQUARE*x->order[k];
    double *b = x->x + (long)WIDE*x->order[k];
    for (int i = 0; i < WIDE; i++) {
      for (int j = 0; j < i; j++) b[i] -= L[WIDE*i + j]*b[j];
      b[i] *= L[WIDE*i + i];
    }
    for (int s = x->column[k]; s < x->column[k + 1]; s++) {
      if (!x->used[s]) continue;
      const double *A = x->lower + (long)SQUARE*s;
      double *to = x->x + (long)WIDE*x->row[s];
      for (int i = 0; i < WIDE; i++) for (int j = 0; j < WIDE; j++) to[i] -= A[WIDE*i + j]*b[j];
    }
  }
  for (int k = x->blocks - 1; k >= 0; k--) {
    const double *L = x->diagonal + (long)SQUARE*x->order[k];
    double *b = x->x + (long)WIDE*x->order[k];
    for (int s = x->column[k]; s < x->column[k + 1]; s++) {
      if (!x->used[s]) continue;
      const double *A = x->lower + (long)SQUARE*s, *from = x->x + (long)WIDE*x->row[s];
      for (int i = 0; i < WIDE; i++) for (int j = 0; j < WIDE; j++) b[i] -= A[WIDE*j + i]*from[j];
    }
    for (int i = WIDE - 1; i >= 0; i--) {
      for (int j = i + 1; j < WIDE; j++) b[i] -= L[WIDE*j + i]*b[j];
      b[i] *= L[WIDE*i + i];
    }
  }
}

static int by_links(epi_flow *f, const epi_nam_work *d, const double *held, double a, double b)
{
  epi_nam *x = f->own;
  fill(f, held, a, b);
  if (factor(x)) return EPI_TOO_FAR;
  for (int k = 0; k < x->blocks; k++)
    for (int i = 0; i < WIDE; i++) {
      int v = x->first[k] + i;
      x->x[WIDE*k + i] = i < x->size[k] && !held[v] ? epi_nam_mass(f, v)*d->D[v] : 0;
    }
  substitute(x);
  for (int k = 0; k < x->blocks; k++)
    for (int i = 0; i < x->size[k]; i++) d->D[x->first[k] + i] = x->x[WIDE*k + i];
  return 0;
}

/* I - M^-1 (a dF/dq + b dF/dv); the two have M^-1 in them already */
static int by_slope(epi_flow *f, const epi_nam_work *d, const double *held, double a, double b)
{
  epi_nam *x = f->own;
  int n = epi_nv(f->sys);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      d->N[(long)i*n + k] = (i == k) - (held[i] != 0 || held[k] != 0 ? 0 : a*d->K[(long)i*n + k] + b*d->C[(long)i*n + k]);
  if (epi_lu(n, d->N, x->pivot)) return EPI_TOO_FAR;
  epi_lu_solve(n, d->N, x->pivot, d->D);
  return 0;
}

/* D comes as A - a^p, zero where it is held */
int epi_nam_solve(epi_flow *f, const epi_nam_work *d, const double *held, const epi_nam_weights *w, double h, double part)
{
  const epi_nam *x = f->own;
  double a = w->gamma*h*h*part, b = w->beta*h;
  if (x->by == EPI_NAM_LINKED) return x->blocks ? by_links(f, d, held, a, b) : 0;
  return x->by == EPI_NAM_SLOPE ? by_slope(f, d, held, a, b) : 0;
}
