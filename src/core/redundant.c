/* redundant.c - constraints of which some follow from the others. What they do to the motion is one thing, the multipliers that do it are
 * many: those are taken whose sum of squares is the smallest, each weighed by what it would move on its own (the diagonal of the normal
 * matrix), so that forces and torques are compared as what they do. A little on the diagonal makes the matrix regular, and what it takes
 * away is given back by solving again: proximal iteration, Hestenes, J. Optim. Theory Appl. 4 (1969) 303 */
#include "core.h"

static const double LITTLE = 1e-8, ENOUGH = 1e-14;
enum { AGAIN = 30 };

/* a normal matrix, dense or in a band, in the order of its rows; place NULL: that of the constraints */
typedef struct { int n, band; long width; const int *place; double *A; } normal;

static double *row_of(const normal *m, int i) { return m->A + i*m->width + (m->place ? m->band - i : 0); }
static int end_of(const normal *m, int k) { return m->n - k > m->band ? k + m->band : m->n - 1; }

/* 1 + a row without a diagonal */
static int add_little(const normal *m)
{
  for (int k = 0; k < m->n; k++) {
    double own = row_of(m, k)[k];
    if (own == 0) return 1 + k;
    row_of(m, k)[k] += LITTLE*own;
  }
  return 0;
}

/* 1 + a row without a pivot; first NULL, or the diagonal: rows whose pivot has lost that are passed over, and become negative there */
static int factor(const normal *m, double *first)
{
  for (int k = 0; k < m->n; k++) {
    const double *Ak = row_of(m, k);
    if (first && !(fabs(Ak[k]) > EPI_DEPENDS*first[k])) { first[k] = -1; continue; }
    if (Ak[k] == 0) return 1 + k;
    for (int i = k + 1, end = end_of(m, k); i <= end; i++) {
      double *Ai = row_of(m, i), c = Ai[k] /= Ak[k];
      if (c != 0) for (int j = k + 1; j <= end; j++) Ai[j] -= c*Ak[j];
    }
  }
  return 0;
}

/* x += A^-1 r; r is lost */
static void add_solution(const normal *m, double *r, double *turned, double *x)
{
  for (int c = 0; c < m->n; c++) turned[m->place ? m->place[c] : c] = r[c];
  for (int k = 0; k < m->n; k++)
    for (int i = k + 1, end = end_of(m, k); i <= end; i++) turned[i] -= row_of(m, i)[k]*turned[k];
  for (int i = m->n - 1; i >= 0; i--) {
    const double *Ai = row_of(m, i);
    for (int j = i + 1, end = end_of(m, i); j <= end; j++) turned[i] -= Ai[j]*turned[j];
    turned[i] /= Ai[i];
  }
  for (int c = 0; c < m->n; c++) x[c] += turned[m->place ? m->place[c] : c];
}

static normal layout_of(const epi_space *p, double *A)
{
  int n = p->sys->nc;
  normal m = {.n = n, .band = n - 1, .width = n, .A = A};
  if (p->pattern) m.place = epi_pattern_place(p->pattern, &m.band), m.width = 2*m.band + 1;
  return m;
}

static normal matrix_of(const epi_space *p, const double *G, const double *W, double *A)
{
  if (p->pattern) epi_pattern_products(p->pattern, G, W, A);
  else epi_dense_products(p, 1, G, W, A);
  return layout_of(p, A);
}

long epi_redundant_room(const epi_space *p) { return 3L*p->sys->nc + epi_nv(p->sys); }

/* x + A^-1 of what is missing, again until that moves nothing any more; behind it r is what is missing, and moved = -W^T x */
static void approach(const epi_space *p, const normal *m, const double *G, const double *W, const double *want, double *x, double *room)
{
  int n = epi_nv(p->sys), nc = p->sys->nc;
  double *r = room, *turned = r + nc, *moved = turned + nc;
  double before = HUGE_VAL, size = 0;
  for (int c = 0; c < nc; c++) size = epi_larger(size, fabs(want[c]));
  for (int k = 0; ; k++) {
    double missing = 0;
    epi_Gt_mul(p, W, x, moved);
    for (int i = 0; i < n; i++) moved[i] = -moved[i];
    memcpy(r, want, (size_t)nc*sizeof *r);
    epi_G_mul(p, G, moved, r);
    for (int c = 0; c < nc; c++) missing = epi_larger(missing, fabs(r[c]));
    if (k == AGAIN || missing <= ENOUGH*size || !(missing < 0.9*before)) return;
    before = missing;
    add_solution(m, r, turned, x);
  }
}

/* room: behind the matrix. What is missing in the end is what the constraints contradict each other by */
int epi_redundant_solve(epi_space *p, double s, const double *G, const double *G0, const double *W, double *A, double *x, double *room)
{
  int nc = p->sys->nc;
  double *want = room, *r = want + nc;
  normal m = matrix_of(p, G0, W, A);
  p->contradiction.found = 1;
  int which = add_little(&m);
  if (!which) which = factor(&m, NULL);
  /* a state that is far off has gradients of any size: what comes of it is not small, and is seen by that */
  for (int c = 0; which && m.place && c < nc; c++) if (m.place[c] == which - 1) return 1 + c;
  if (which) return which;
  for (int c = 0; c < nc; c++) want[c] = x[c]/s, x[c] = 0;
  approach(p, &m, G, W, want, x, r);
  for (int c = 0; c < nc; c++) {
    double by = fabs(s*r[c])/epi_G_length(p, G, c);
    if (!(by <= p->contradiction.by)) p->contradiction.by = by, p->contradiction.which = c;
  }
  return 0;
}

/* what rows that are not quite met together put into the multipliers moves nothing: those of what moves alone */
void epi_redundant_least(const epi_space *p, const double *G, const double *W, double *A, double *x, double *room)
{
  int nc = p->sys->nc;
  double *want = room, *r = want + nc, *moved = r + 2*nc;
  normal m = layout_of(p, A);
  epi_Gt_mul(p, W, x, moved);
  memset(want, 0, (size_t)nc*sizeof *want);
  epi_G_mul(p, G, moved, want);
  memset(x, 0, (size_t)nc*sizeof *x);
  approach(p, &m, G, W, want, x, r);
}

/* a matrix for epi_redundant_least, where that of another solution stands; 0, or 1 + a row without a pivot */
int epi_redundant_prepare(const epi_space *p, const double *G, const double *W, double *A)
{
  normal m = matrix_of(p, G, W, A);
  int which = add_little(&m);
  return which ? which : factor(&m, NULL);
}

/* without the rows that are left out, which stay zero in x; 0, or -1: others have lost their pivot too */
int epi_redundant_without(const epi_space *p, const double *G, const double *W, const char *left, double *A, double *x, double *room)
{
  int nc = p->sys->nc;
  double *first = room, *r = first + nc, *turned = r + nc;
  normal m = matrix_of(p, G, W, A);
  for (int c = 0; c < nc; c++) {
    r[c] = left[c] ? 0 : x[c];
    if (!left[c]) continue;
    int k = m.place ? m.place[c] : c;
    for (int i = k > m.band ? k - m.band : 0, end = end_of(&m, k); i <= end; i++) row_of(&m, i)[k] = row_of(&m, k)[i] = 0;
    row_of(&m, k)[k] = 1;
  }
  for (int k = 0; k < nc; k++) first[k] = row_of(&m, k)[k];
  factor(&m, first);
  for (int k = 0; k < nc; k++) if (first[k] < 0) return -1;
  memset(x, 0, (size_t)nc*sizeof *x);
  add_solution(&m, r, turned, x);
  return 0;
}

/* which follow from others, as 1 in follows; how many */
int epi_redundant_rows(const epi_space *p, const double *G, const double *W, double *A, double *room, char *follows)
{
  int nc = p->sys->nc, count = 0;
  normal m = matrix_of(p, G, W, A);
  for (int k = 0; k < nc; k++) room[k] = row_of(&m, k)[k];
  factor(&m, room);
  for (int c = 0; c < nc; c++) {
    int one = room[m.place ? m.place[c] : c] < 0;
    if (follows) follows[c] = (char)one;
    count += one;
  }
  return count;
}
