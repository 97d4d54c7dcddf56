/* constraint.c - holonomic constraints: positions onto g = 0, velocities onto G v + gt = 0, in the metric of the mass.
 * A few constraints have a dense G; many have the pattern their system gives, and the normal matrix is then solved in a band
 * after the constraints are numbered along the structure (reverse Cuthill-McKee) */
#include "few.h"

/* ---- the pattern of many constraints ---- */
struct epi_pattern {
  int nG, band, terms;                 /* entries of G; half width of the normal matrix; products that make it */
  int *place;                          /* constraint c stands in row place[c] of the band */
  int *at, *left, *right;              /* A[at] += G[left] W[right] */
};

typedef struct { int n, *from, *list; } graph;

/* constraints that touch each velocity: from[i] .. from[i+1] into list */
static graph touching(const epi_system *m)
{
  int n = epi_nv(m), nG = m->rowptr[m->nc];
  graph g = {.n = n, .from = calloc((size_t)n + 2, sizeof(int)), .list = malloc(((size_t)nG + 1)*sizeof(int))};
  if (!g.from || !g.list) { free(g.from); free(g.list); return (graph){0}; }
  for (int k = 0; k < nG; k++) g.from[m->cols[k] + 2]++;
  for (int i = 0; i < n; i++) g.from[i + 2] += g.from[i + 1];
  for (int c = 0; c < m->nc; c++)
    for (int k = m->rowptr[c]; k < m->rowptr[c + 1]; k++) g.list[g.from[m->cols[k] + 1]++] = c;
  return g;
}

static int degree(const epi_system *m, const graph *g, int c)
{
  int d = 0;
  for (int k = m->rowptr[c]; k < m->rowptr[c + 1]; k++) d += g->from[m->cols[k] + 1] - g->from[m->cols[k]];
  return d;
}

/* breadth first from constraints of least degree; the numbering is then turned round */
static void number_along(const epi_system *m, const graph *g, int *place, int *queue)
{
  int nc = m->nc, head = 0, tail = 0;
  for (int c = 0; c < nc; c++) place[c] = -1;
  while (tail < nc) {
    int best = -1;
    for (int c = 0; c < nc; c++) if (place[c] < 0 && (best < 0 || degree(m, g, c) < degree(m, g, best))) best = c;
    place[best] = tail;
    queue[tail++] = best;
    for (; head < tail; head++) {
      int c = queue[head], first = tail;
      for (int k = m->rowptr[c]; k < m->rowptr[c + 1]; k++)
        for (int l = g->from[m->cols[k]]; l < g->from[m->cols[k] + 1]; l++) {
          int d = g->list[l];
          if (place[d] >= 0) continue;
          place[d] = tail;
          queue[tail++] = d;
        }
      /* neighbours by degree */
      for (int i = first + 1; i < tail; i++)
        for (int j = i; j > first && degree(m, g, queue[j]) < degree(m, g, queue[j-1]); j--) {
          int x = queue[j]; queue[j] = queue[j-1]; queue[j-1] = x;
        }
      for (int i = first; i < tail; i++) place[queue[i]] = i;
    }
  }
  for (int c = 0; c < nc; c++) place[c] = nc - 1 - place[c];
}

/* every pair of entries of G in one column is one product of the normal matrix */
static int make_terms(epi_pattern *b, const epi_system *m, const graph *g)
{
  int *owner = malloc(((size_t)b->nG + 1)*sizeof(int)), *entry = malloc(((size_t)b->nG + 1)*sizeof(int)), *fill = calloc((size_t)g->n + 1, sizeof(int)), n = 0;
  if (!owner || !entry || !fill) { free(owner); free(entry); free(fill); return -1; }
  for (int c = 0; c < m->nc; c++)
    for (int k = m->rowptr[c]; k < m->rowptr[c + 1]; k++) {
      int i = m->cols[k], slot = g->from[i] + fill[i]++;
      owner[slot] = c;
      entry[slot] = k;
    }
  for (int pass = 0; pass < 2; pass++) {
    n = 0;
    for (int i = 0; i < g->n; i++)
      for (int a = g->from[i]; a < g->from[i + 1]; a++)
        for (int e = g->from[i]; e < g->from[i + 1]; e++, n++) {
          int row = b->place[owner[a]], column = b->place[owner[e]];
          if (!pass) { if (abs(row - column) > b->band) b->band = abs(row - column); continue; }
          b->at[n] = row*(2*b->band + 1) + column - row + b->band;
          b->left[n] = entry[a];
          b->right[n] = entry[e];
        }
    if (!pass) {
      b->at = malloc(((size_t)n + 1)*sizeof(int));
      b->left = malloc(((size_t)n + 1)*sizeof(int));
      b->right = malloc(((size_t)n + 1)*sizeof(int));
      if (!b->at || !b->left || !b->right) { n = -1; break; }
    }
  }
  b->terms = n;
  free(owner);
  free(entry);
  free(fill);
  return n < 0 ? -1 : 0;
}

void epi_pattern_free(epi_pattern *b)
{
  if (!b) return;
  free(b->place);
  free(b->at);
  free(b->left);
  free(b->right);
  free(b);
}

static int pattern_wrong(epi_flow *f)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m), bad = m->rowptr[0] != 0;
  for (int c = 0; c < m->nc && !bad; c++) {
    bad = m->rowptr[c + 1] <= m->rowptr[c];
    for (int k = m->rowptr[c]; k < m->rowptr[c + 1] && !bad; k++) bad = m->cols[k] < 0 || m->cols[k] >= n;
  }
  return epi_refuse(f, bad, "starts and touches are not a pattern: starts must grow from 0, touches lie in 0 .. %d", n - 1);
}

int epi_pattern_make(epi_flow *f)
{
  epi_system *m = f->sys;
  f->few = m->nc >= 1 && m->nc <= 2 && !m->rowptr && !m->retract && !m->constraint_increment && (f->mass == UNIT || f->mass == DIAGONAL);
  if (!m->nc || !m->rowptr) return 0;
  if (pattern_wrong(f)) return -1;
  epi_pattern *b = f->pattern = calloc(1, sizeof *b);
  int *queue = malloc((size_t)m->nc*sizeof(int));
  graph g = touching(m);
  int bad = !b || !queue || !g.from || !(b->place = malloc((size_t)m->nc*sizeof(int)));
  if (!bad) {
    b->nG = m->rowptr[m->nc];
    number_along(m, &g, b->place, queue);
    bad = make_terms(b, m, &g);
  }
  free(queue);
  free(g.from);
  free(g.list);
  return epi_refuse(f, bad, "out of memory") ? -1 : 0;
}

long epi_G_size(const epi_flow *f) { return f->pattern ? f->pattern->nG : (long)f->sys->nc*epi_nv(f->sys); }
/* a band, with its right side and first diagonal after it */
long epi_A_size(const epi_flow *f) { return f->pattern ? (long)f->sys->nc*(2*f->pattern->band + 3) : (long)f->sys->nc*f->sys->nc; }

/* ---- algebra on either ---- */
int epi_constraint_eval(epi_system *m, double t, const double *q, double *g, double *G, double *gt)
{
  memset(gt, 0, (size_t)m->nc*sizeof *gt);
  return m->constraint(m, t, q, g, G, gt);
}

void epi_G_inverse_mass(epi_flow *f, const double *q, const double *G, double *W)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m);
  memcpy(W, G, (size_t)epi_G_size(f)*sizeof *W);
  if (!f->pattern) for (int c = 0; c < m->nc; c++) epi_mass_divide(f, q, W + c*n);
  else if (m->mass) for (int k = 0; k < f->pattern->nG; k++) W[k] /= m->mass[m->cols[k]];
}

void epi_Gt_mul(const epi_flow *f, const double *W, const double *x, double *d)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m);
  memset(d, 0, (size_t)n*sizeof *d);
  for (int c = 0; c < m->nc; c++) {
    if (!f->pattern) for (int i = 0; i < n; i++) d[i] += W[c*n + i]*x[c];
    else for (int k = m->rowptr[c]; k < m->rowptr[c + 1]; k++) d[m->cols[k]] += W[k]*x[c];
  }
}

void epi_G_mul(const epi_flow *f, const double *G, const double *v, double *x)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m);
  for (int c = 0; c < m->nc; c++) {
    double s = 0;
    if (!f->pattern) for (int i = 0; i < n; i++) s += G[c*n + i]*v[i];
    else for (int k = m->rowptr[c]; k < m->rowptr[c + 1]; k++) s += G[k]*v[m->cols[k]];
    x[c] += s;
  }
}

/* no pivoting: the matrix is a positive definite one but for the motion inside a step */
static int solve_band(int n, int b, double *A, double *x, const double *first)
{
  int w = 2*b + 1;
  for (int k = 0; k < n; k++) {
    double p = A[k*w + b];
    if (!(fabs(p) > 1e-14*fabs(first[k]))) return 1 + k;
    for (int i = k + 1; i <= k + b && i < n; i++) {
      double c = A[i*w + k - i + b]/p;
      if (c == 0) continue;
      for (int j = k + 1; j <= k + b && j < n; j++) A[i*w + j - i + b] -= c*A[k*w + j - k + b];
      x[i] -= c*x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j <= i + b && j < n; j++) x[i] -= A[i*w + j - i + b]*x[j];
    x[i] /= A[i*w + b];
  }
  return 0;
}

static int normal_band(const epi_flow *f, double s, const double *G, const double *W, double *A, double *x)
{
  const epi_pattern *b = f->pattern;
  int n = f->sys->nc, w = 2*b->band + 1;
  double *r = A + n*w, *first = r + n;
  memset(A, 0, (size_t)(n*w)*sizeof *A);
  for (int k = 0; k < b->terms; k++) A[b->at[k]] += G[b->left[k]]*W[b->right[k]];
  for (int c = 0; c < n; c++) r[b->place[c]] = x[c]/s;
  for (int k = 0; k < n; k++) first[k] = A[k*w + b->band];
  int bad = solve_band(n, b->band, A, r, first);
  for (int c = 0; c < n; c++) {
    if (bad == 1 + b->place[c]) return 1 + c;
    x[c] = r[b->place[c]];
  }
  return 0;
}

int epi_normal_solve(const epi_flow *f, double s, const double *G, const double *W, double *A, double *x)
{
  int n = epi_nv(f->sys), c = f->sys->nc;
  if (f->pattern) return normal_band(f, s, G, W, A, x);
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) {
      double d = 0;
      for (int k = 0; k < n; k++) d += G[i*n + k]*W[j*n + k];
      A[i*c + j] = s*d;
    }
  return epi_solve(c, A, x);
}

int epi_singular(epi_flow *f, double t, int which)
{
  return epi_fail(f, EPI_WRONG, "constraint %d is redundant or singular at t = %g: it depends on those before it; drop it", which - 1, t);
}

/* ---- projections; tangent leaves G and W of its point in G0 and W, where the next slide from there finds them ---- */
typedef struct { double *q0, *step, *d, *G0, *W, *G, *x, *gt, *A; } projection_work;

static projection_work work_of(const epi_flow *f, double *w)
{
  const epi_system *m = f->sys;
  long n = epi_nv(m), nG = epi_G_size(f);
  projection_work d = {.q0 = w};
  d.step = d.q0 + m->nq;
  d.d = d.step + n;
  d.G0 = d.d + n;
  d.W = d.G0 + nG;
  d.G = d.W + nG;
  d.x = d.G + nG;
  d.gt = d.x + m->nc;
  d.A = d.gt + m->nc;
  return d;
}

long epi_constraint_room(const epi_flow *f) { return f->sys->nq + 2*epi_nv(f->sys) + 3*epi_G_size(f) + 2*f->sys->nc + epi_A_size(f); }

static void pushed(const epi_system *m, epi_state *s, const double *x, double *push)
{
  for (int c = 0; c < m->nc; c++) {
    if (s->impulse) s->impulse[c] -= x[c];
    if (push) push[c] -= x[c];
  }
}

static double most(int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s = epi_larger(s, fabs(x[i]));
  return s;
}

static int not_met(epi_flow *f, const epi_state *s, const projection_work *d, double h)
{
  int c = 0;
  for (int k = 1; k < f->sys->nc; k++) if (!(fabs(d->x[k]) <= fabs(d->x[c]))) c = k;
  return epi_fail(f, EPI_TOO_FAR, "constraint %d cannot be met in the step h = %g from t = %.10g: take a smaller one", c, h, s->t);
}

/* g where the step of h v ends; by its change where the step is tiny and the system can say it: g itself would be rounding */
static int miss(epi_flow *f, const epi_state *s, const projection_work *d, double h, int tiny)
{
  epi_system *m = f->sys;
  int bad = epi_constraint_eval(m, s->t + h, s->y, d->x, d->G, d->gt);
  if (bad || !tiny) return bad;
  const double *v = s->y + m->nq;
  for (int i = 0; i < epi_nv(m); i++) d->step[i] = h*v[i];
  return m->constraint_increment(m, s->t, h, d->q0, d->step, d->x);
}

/* ---- one or two constraints with a plain mass: the same algebra, written out; compiled for one and two planar masses, and for any ---- */
static inline __attribute__((always_inline)) int
slide_few(epi_flow *f, epi_state *s, double h, const projection_work *d, double *push, int known, const int nc, const int n)
{
  epi_system *m = f->sys;
  int bad, which;
  double *restrict q = s->y, *restrict v = q + n, *restrict q0 = d->q0, size = 0;
  for (int i = 0; i < n; i++) { q0[i] = q[i]; size = fmax(size, fabs(q[i])); }
  if (!known) {
    if ((bad = hold_few(m, s->t, q0, d->x, d->G0, d->gt, nc))) return bad;
    weigh_few(m, n, d->G0, d->W, nc);
  }
  for (int k = 0; k < 30; k++) {
    for (int i = 0; i < n; i++) q[i] = q0[i] + h*v[i];
    if ((bad = hold_few(m, s->t + h, q, d->x, d->G, d->gt, nc))) return bad;
    if ((which = solve_few(n, h, d->G, d->W, d->x, nc))) return epi_singular(f, s->t, which);
    double big = fabs(h)*push_few(n, d->W, d->x, v, nc);
    if (s->impulse || push) pushed(m, s, d->x, push);
    if (!(big < 1e300)) break;
    if (big > 1e-9*size && !(k > 8 && big <= 1e-12*size)) continue;
    for (int i = 0; i < n; i++) q[i] = q0[i] + h*v[i];
    return 0;
  }
  return not_met(f, s, d, h);
}

static inline __attribute__((always_inline)) int
tangent_few(epi_flow *f, epi_state *s, const projection_work *d, double *push, const int nc, const int n)
{
  epi_system *m = f->sys;
  int bad, which;
  double *v = s->y + m->nq;
  if ((bad = hold_few(m, s->t, s->y, d->x, d->G0, d->gt, nc))) return bad;
  weigh_few(m, n, d->G0, d->W, nc);
  for (int c = 0; c < nc; c++) {
    d->x[c] = d->gt[c];
    double a = 0;
    for (int i = 0; i < n; i++) a += d->G0[c*n + i]*v[i];
    d->x[c] += a;
  }
  if ((which = solve_few(n, 1, d->G0, d->W, d->x, nc))) return epi_singular(f, s->t, which);
  push_few(n, d->W, d->x, v, nc);
  if (s->impulse || push) pushed(m, s, d->x, push);
  return 0;
}

/* v is corrected along M^-1 G(q0)^T until g(q) = 0: the position half of RATTLE. known: the room holds G and W at q0 already */
int epi_project_positions(epi_flow *f, epi_state *s, double h, double *w, double *push, int known)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad, which;
  projection_work d = work_of(f, w);
  double *q = s->y, *v = q + m->nq;
  if (f->few)
    return m->nc == 1 ? n == 2 ? slide_few(f, s, h, &d, push, known, 1, 2) : slide_few(f, s, h, &d, push, known, 1, n)
                      : n == 4 ? slide_few(f, s, h, &d, push, known, 2, 4) : slide_few(f, s, h, &d, push, known, 2, n);
  memcpy(d.q0, q, (size_t)m->nq*sizeof *q);
  if (m->speed) {
    if ((bad = m->speed(m, s->t, v, d.step))) return bad;
    for (int i = 0; i < n; i++) q[i] += h*d.step[i];
    return 0;
  }
  if (!m->nc) { epi_shift(m, d.q0, h, v, q, d.step); return 0; }
  if (!known) {
    if ((bad = epi_constraint_eval(m, s->t, d.q0, d.x, d.G0, d.gt))) return bad;
    epi_G_inverse_mass(f, d.q0, d.G0, d.W);
  }
  double size = most(m->nq, d.q0);
  int tiny = m->constraint_increment && !m->retract && fabs(h)*most(n, v) <= 1e-5*size;
  for (int k = 0; k < 30; k++) {
    epi_shift(m, d.q0, h, v, q, d.step);
    if ((bad = miss(f, s, &d, h, tiny))) return bad;
    if ((which = epi_normal_solve(f, h, d.G, d.W, d.A, d.x))) return epi_singular(f, s->t, which);
    epi_Gt_mul(f, d.W, d.x, d.d);
    for (int i = 0; i < n; i++) v[i] -= d.d[i];
    pushed(m, s, d.x, push);
    double big = fabs(h)*most(n, d.d), far = tiny ? fabs(h)*most(n, v) : size;
    if (!(big < 1e300)) break;
    /* quadratic convergence: the next correction is round-off; linear on rotations */
    if (big <= (m->retract ? 1e-15 : 1e-9)*far || (k > 8 && big <= 1e-12*size)) { epi_shift(m, d.q0, h, v, q, d.step); return 0; }
  }
  return not_met(f, s, &d, h);
}

int epi_project_velocities(epi_flow *f, epi_state *s, double *w, double *push)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad, which;
  projection_work d = work_of(f, w);
  double *v = s->y + m->nq;
  if (f->few)
    return m->nc == 1 ? n == 2 ? tangent_few(f, s, &d, push, 1, 2) : tangent_few(f, s, &d, push, 1, n)
                      : n == 4 ? tangent_few(f, s, &d, push, 2, 4) : tangent_few(f, s, &d, push, 2, n);
  if ((bad = epi_constraint_eval(m, s->t, s->y, d.x, d.G0, d.gt))) return bad;
  epi_G_inverse_mass(f, s->y, d.G0, d.W);
  memcpy(d.x, d.gt, (size_t)m->nc*sizeof *d.x);
  epi_G_mul(f, d.G0, v, d.x);
  if ((which = epi_normal_solve(f, 1, d.G0, d.W, d.A, d.x))) return epi_singular(f, s->t, which);
  epi_Gt_mul(f, d.W, d.x, d.d);
  for (int i = 0; i < n; i++) v[i] -= d.d[i];
  pushed(m, s, d.x, push);
  return 0;
}

/* ---- starts ---- */
static double length(const epi_flow *f, const double *G, int c)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m), from = f->pattern ? m->rowptr[c] : c*n, to = f->pattern ? m->rowptr[c + 1] : (c + 1)*n;
  double s = 0;
  for (int k = from; k < to; k++) s += G[k]*G[k];
  return sqrt(s);
}

/* G d against the difference of g along d, a direction that favours nothing: a wrong Jacobian would show only as steps that fail */
static int slope_wrong(epi_flow *f, const epi_state *s, const projection_work *d, double size)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  double e = 1e-5*(size > 0 ? size : 1), *one = d->G0, *two = one + m->nc;
  if (epi_G_size(f) < 2*m->nc) return 0;
  memset(d->x, 0, (size_t)m->nc*sizeof *d->x);
  for (int i = 0; i < n; i++) d->d[i] = sin(1 + 2.3*i);
  epi_G_mul(f, d->G, d->d, d->x);
  for (int side = 0; side < 2; side++) {
    epi_shift(m, s->y, side ? -e : e, d->d, d->q0, d->step);
    if (epi_constraint_eval(m, s->t, d->q0, side ? two : one, d->W, d->gt)) return 0;
  }
  for (int c = 0; c < m->nc; c++) {
    double found = (one[c] - two[c])/(2*e), l = length(f, d->G, c);
    if (!(fabs(found - d->x[c]) <= 1e-3*(l + fabs(found))))
      return epi_fail(f, EPI_WRONG, "G of constraint %d does not match its g: along one direction g changes by %.4g and G says %.4g; look at the derivative", c, found, d->x[c]);
  }
  return 0;
}

int epi_off_constraints(epi_flow *f, const epi_state *s, double *w)
{
  epi_system *m = f->sys;
  projection_work d = work_of(f, w);
  const double *v = s->y + m->nq;
  double size = most(m->nq, s->y), speed = most(epi_nv(m), v);
  if (epi_constraint_eval(m, s->t, s->y, d.x, d.G, d.gt)) return 0;
  /* once a flow */
  if (!f->checked) {
    f->checked = 1;
    if (slope_wrong(f, s, &d, size) || epi_constraint_eval(m, s->t, s->y, d.x, d.G, d.gt)) return EPI_WRONG;
  }
  for (int c = 0; c < m->nc; c++) {
    double off = fabs(d.x[c])/length(f, d.G, c);
    if (!(off <= 1e-6*size))
      return epi_fail(f, EPI_WRONG, "the start misses constraint %d by a distance of %.2g: give consistent positions, or call epi_settle", c, off);
    d.x[c] = d.gt[c];
  }
  epi_G_mul(f, d.G, v, d.x);
  for (int c = 0; c < m->nc; c++) {
    double l = length(f, d.G, c), off = fabs(d.x[c])/l;
    if (!(off <= 1e-6*(speed + fabs(d.gt[c])/l)) && off > 1e-12)
      return epi_fail(f, EPI_WRONG,
                      "the start leaves constraint %d with a speed of %.2g: give consistent velocities, or call epi_settle", c, off);
  }
  return 0;
}

int epi_settle(epi_flow *f, epi_state *s)
{
  if (f->broken || epi_ready(f)) return EPI_WRONG;
  epi_system *m = f->sys;
  if (!m->nc) return 0;
  int n = epi_nv(m), bad, which;
  projection_work d = work_of(f, f->guard + f->nguard);
  double *impulse = s->impulse;
  for (int k = 0; k < 50; k++) {
    if ((bad = epi_constraint_eval(m, s->t, s->y, d.x, d.G, d.gt))) return bad;
    epi_G_inverse_mass(f, s->y, d.G, d.W);
    if ((which = epi_normal_solve(f, 1, d.G, d.W, d.A, d.x))) return epi_singular(f, s->t, which);
    epi_Gt_mul(f, d.W, d.x, d.d);
    memcpy(d.q0, s->y, (size_t)m->nq*sizeof *s->y);
    epi_shift(m, d.q0, -1, d.d, s->y, d.step);
    double big = most(n, d.d);
    if (!(big < 1e300)) break;
    if (big > 1e-14*most(m->nq, s->y)) continue;
    s->impulse = NULL;
    bad = epi_project_velocities(f, s, f->guard + f->nguard, NULL);
    s->impulse = impulse;
    return bad;
  }
  return epi_fail(f, EPI_WRONG, "the start is too far from its constraints to be moved onto them: give better positions");
}
