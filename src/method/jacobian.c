/* jacobian.c - the derivative of a rate by what forces return beside themselves, in compressed columns: y' = (T(q) v, M^-1 F), so that
 *   d y'/dy = (R, T; M^-1 K W, M^-1 C),  R = d(T v)/dq,  W: what a change of q is as a turn, the inverse of T,
 * with K and C of the links of the first system and of the slope of the second. T, W and R are of single bodies and cost no force */
#include "jacobian.h"
#include <stddef.h>

/* ---- units ---- */
static int root_of(int *of, int i)
{
  while (of[i] != i) i = of[i] = of[of[i]];
  return i;
}

static void join(int *of, int a, int b)
{
  a = root_of(of, a), b = root_of(of, b);
  of[a > b ? a : b] = a > b ? b : a;
}

/* T v, where q is not quite on the rotations too; room: nq + nv numbers */
static void kinematics(epi_system *m, const double *q, const double *v, double *dq, double *room)
{
  int n = epi_nv(m);
  if (!m->manifold.retract) { memcpy(dq, v, (size_t)n*sizeof *dq); return; }
  double *on = room, *none = room + m->nq;
  memset(none, 0, (size_t)n*sizeof *none);
  m->manifold.retract(m, q, none, on);
  epi_retract_tangent(m, on, v, dq, none);
}

/* positions that a velocity moves belong to it: found at a place like no other */
static void join_kinematics(epi_system *m, int *of, double *room)
{
  int n = epi_nv(m), nq = m->nq;
  double *q = room, *dq = q + nq, *v = dq + nq, *more = v + n;
  for (int i = 0; i < nq; i++) q[i] = 0.3 + 0.05*((i*7) % 11);
  for (int c = 0; c < n; c++) {
    if (!m->manifold.retract) { join(of, c, nq + c); continue; }
    for (int i = 0; i < n; i++) v[i] = i == c;
    kinematics(m, q, v, dq, more);
    for (int i = 0; i < nq; i++) if (fabs(dq[i]) > 1e-9) join(of, i, nq + c);
  }
}

/* numbers of units by their least coordinate; lists of what is in each */
static void list_units(epi_sparse_jacobian *x, int *of, int nq, int n)
{
  int *name = x->column;                /* filled later */
  for (int i = 0; i < nq + n; i++) if (root_of(of, i) == i) name[i] = x->units++;
  for (int i = 0; i < n; i++) x->of_v[i] = name[root_of(of, nq + i)];
  for (int u = 0, atq = 0, atv = 0; u < x->units; u++) {
    x->q_of[u] = atq, x->v_of[u] = atv;
    for (int i = 0; i < nq; i++) if (name[root_of(of, i)] == u) x->q[atq++] = i;
    for (int i = 0; i < n; i++) if (x->of_v[i] == u) { x->in_unit[i] = atv - x->v_of[u]; x->v[atv++] = i; }
    x->q_of[u + 1] = atq, x->v_of[u + 1] = atv;
    if (atq - x->q_of[u] > x->most_q) x->most_q = atq - x->q_of[u];
    if (atv - x->v_of[u] > x->most_v) x->most_v = atv - x->v_of[u];
  }
}

static void join_all(const epi_flow *f, const epi_sparse_jacobian *x, int *of, double *room)
{
  epi_system *a = f->sys;
  int nq = a->nq, n = epi_nv(a);
  for (int i = 0; i < nq + n; i++) of[i] = i;
  join_kinematics(a, of, room);
  for (int i = 0; i < x->links; i++)
    for (int e = 0; e < 2; e++)
      for (int k = 1; k < a->contacts.link_ends[i].n[e]; k++)
        join(of, nq + a->contacts.link_ends[i].at[e], nq + a->contacts.link_ends[i].at[e] + k);
}

/* ---- which feel each other ---- */
static void mark_near(const epi_flow *f, const epi_sparse_jacobian *x, char *near)
{
  const epi_system *a = f->sys, *b = f->other;
  int U = x->units, n = epi_nv(a);
  for (int u = 0; u < U; u++) near[u*U + u] = 1;
  for (int i = 0; i < x->links; i++) {
    const epi_link_ends *e = &a->contacts.link_ends[i];
    if (!e->n[0] || !e->n[1]) continue;
    int u = x->of_v[e->at[0]], w = x->of_v[e->at[1]];
    near[u*U + w] = near[w*U + u] = 1;
  }
  for (int i = 0; b && i < n; i++)
    for (int k = b->jacobian.slope_rowptr ? b->jacobian.slope_rowptr[i] : 0;
         k < (b->jacobian.slope_rowptr ? b->jacobian.slope_rowptr[i + 1] : n); k++)
      near[x->of_v[i]*U + x->of_v[b->jacobian.slope_rowptr ? b->jacobian.slope_cols[k] : k]] = 1;
  /* what contacts feel of modes nobody says */
  for (int k = 0; b && !x->stiff && k < b->modes.modes; k++)
    for (int u = 0; u < U; u++) near[x->of_v[b->modes.mode[k].v]*U + u] = near[u*U + x->of_v[b->modes.mode[k].v]] = 1;
  for (int u = 0; u < U; u++) for (int w = 0; w < U; w++) near[u*U + w] |= near[w*U + u];
}

static int list_near(epi_sparse_jacobian *x, const char *near)
{
  int U = x->units, all = 0;
  for (int i = 0; i < U*U; i++) all += near[i];
  x->near = calloc(2*(size_t)all + 1, sizeof(int));
  if (!x->near) return -1;
  x->place = x->near + all;
  for (int u = 0, at = 0; u < U; u++) {
    x->near_of[u] = at;
    for (int w = 0; w < U; w++) {
      if (!near[u*U + w]) continue;
      x->place[at] = (int)x->numbers;
      x->numbers += (x->v_of[u + 1] - x->v_of[u])*(long)(x->v_of[w + 1] - x->v_of[w]);
      x->near[at++] = w;
    }
    x->near_of[u + 1] = at;
  }
  return 0;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* a column of a position or velocity of unit u: positions of u, velocities of all that u is near */
static int list_columns(epi_sparse_jacobian *x, int nq)
{
  int most = 0;
  for (int u = 0; u < x->units; u++) {
    int rows = x->q_of[u + 1] - x->q_of[u];
    for (int k = x->near_of[u]; k < x->near_of[u + 1]; k++) rows += x->v_of[x->near[k] + 1] - x->v_of[x->near[k]];
    for (int i = x->q_of[u]; i < x->q_of[u + 1]; i++) x->column[x->q[i] + 1] = rows;
    for (int i = x->v_of[u]; i < x->v_of[u + 1]; i++) x->column[nq + x->v[i] + 1] = rows;
  }
  x->column[0] = 0;
  for (int c = 0; c < x->N; c++) x->column[c + 1] += x->column[c];
  most = x->column[x->N];
  if (!(x->row = calloc((size_t)most + 1, sizeof(int)))) return -1;
  for (int u = 0; u < x->units; u++) {
    int nu = x->q_of[u + 1] - x->q_of[u], all = nu + x->v_of[u + 1] - x->v_of[u];
    for (int c = 0; c < all; c++) {
      int col = c < nu ? x->q[x->q_of[u] + c] : nq + x->v[x->v_of[u] + c - nu], at = x->column[col];
      for (int i = x->q_of[u]; i < x->q_of[u + 1]; i++) x->row[at++] = x->q[i];
      for (int k = x->near_of[u]; k < x->near_of[u + 1]; k++)
        for (int i = x->v_of[x->near[k]]; i < x->v_of[x->near[k] + 1]; i++) x->row[at++] = nq + x->v[i];
      qsort(x->row + x->column[col], (size_t)(at - x->column[col]), sizeof(int), by_number);
    }
  }
  return 0;
}

/* ---- making ---- */
void epi_jacobian_drop(epi_sparse_jacobian *x)
{
  if (!x) return;
  void *const blocks[] = {x->of_v, x->near, x->row, x->K, x->link, x};
  for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) free(blocks[i]);
}

static int make_lists(epi_flow *f, epi_sparse_jacobian *x)
{
  epi_system *m = f->sys;
  size_t nq = (size_t)m->nq, n = (size_t)epi_nv(m), N = nq + n;
  int *at = x->of_v = calloc(8*N + 8, sizeof(int)), *of = calloc(N + 1, sizeof *of), bad = -1;
  double *room = calloc(4*nq + 4*n + 1, sizeof *room);
  char *near = NULL;
  if (!at || !of || !room) goto done;
  x->in_unit = at + n, x->q = x->in_unit + n, x->v = x->q + nq, x->q_of = x->v + n;
  x->v_of = x->q_of + N + 1, x->near_of = x->v_of + N + 1, x->column = x->near_of + N + 1;
  join_all(f, x, of, room);
  list_units(x, of, m->nq, (int)n);
  if (!(near = calloc((size_t)x->units*(size_t)x->units + 1, 1))) goto done;
  mark_near(f, x, near);
  bad = list_near(x, near) || list_columns(x, m->nq);
done:
  free(of);
  free(room);
  free(near);
  return bad;
}

epi_sparse_jacobian *epi_jacobian_make(epi_flow *f, int stiff)
{
  epi_system *m = f->sys, *b = f->other;
  const char *name = f->record->name;
  epi_refuse(f, m->nz > 0 || epi_all_rate(m) || m->inertia.speed,
             "%s: jacobian=links and matrix=sparse are for positions and velocities alone: "
             "leave them out", name);
  epi_refuse(f, !stiff && !m->contacts.linked_force, "%s: jacobian=links and matrix=sparse need forces that say what they are between, as "
             "model.contacts of worlds does: leave them out", name);
  epi_refuse(f, b && !b->jacobian.slope,
             "%s: this needs the slope of the second system: fill it in, or give one system that has all forces",
             name);
  epi_refuse(f, f->space->mass == DENSE || f->space->mass == SOLVED,
             "%s: jacobian=links and matrix=sparse are for a diagonal mass, or none: leave them out", name);
  if (f->broken) return NULL;
  epi_sparse_jacobian *x = calloc(1, sizeof *x);
  if (epi_refuse_memory(f, !x)) return NULL;
  size_t n = (size_t)epi_nv(m), nq = (size_t)m->nq, rows = !b ? 0 : b->jacobian.slope_rowptr ? (size_t)b->jacobian.slope_rowptr[n] : n*n;
  x->N = (int)(nq + n);
  x->stiff = stiff;
  x->links = stiff ? 0 : m->contacts.links;
  int bad = make_lists(f, x);
  size_t wide = (size_t)x->most_v, T = nq*wide, R = nq*(size_t)x->most_q, room = 6*(nq + n) + wide*(wide + 1) + 8;
  if (!bad) bad = !(x->K = calloc(2*(size_t)x->numbers + 2*T + R + rows + room, sizeof *x->K));
  if (!bad) bad = !(x->link = calloc((size_t)x->links + 1, sizeof *x->link));
  if (bad) { epi_refuse_memory(f, 1); epi_jacobian_drop(x); return NULL; }
  x->C = x->K + x->numbers, x->T = x->C + x->numbers, x->W = x->T + T, x->R = x->W + T, x->rows = x->R + R, x->room = x->rows + rows;
  return x;
}

/* ---- K and C ---- */
static double *block(const epi_sparse_jacobian *x, double *to, int u, int w)
{
  int low = x->near_of[u], high = x->near_of[u + 1] - 1;
  while (low < high) { int mid = (low + high)/2; if (x->near[mid] < w) low = mid + 1; else high = mid; }
  return to + x->place[low];
}

/* F = -G^T (k G dq + (c, slope) G dv) */
static void add_link(const epi_sparse_jacobian *x, const epi_link_ends *e, const epi_link *l)
{
  if (l->stiffness == 0 && l->damping == 0 && l->slope[0] == 0 && l->slope[2] == 0) return;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      if (!e->n[a] || !e->n[b]) continue;
      int u = x->of_v[e->at[a]], w = x->of_v[e->at[b]], wide = x->v_of[w + 1] - x->v_of[w];
      double *K = block(x, x->K, u, w), *C = x->C + (K - x->K);
      for (int i = 0; i < e->n[a]; i++) {
        double g = l->G[0][6*a + i], r = l->G[1][6*a + i], s = l->G[2][6*a + i];
        double kn = g*l->stiffness, cn = g*l->damping, c1 = r*l->slope[0] + s*l->slope[1], c2 = r*l->slope[1] + s*l->slope[2];
        int row = x->in_unit[e->at[a] + i]*wide;
        for (int k = 0; k < e->n[b]; k++) {
          int at = row + x->in_unit[e->at[b] + k];
          K[at] -= kn*l->G[0][6*b + k];
          C[at] -= cn*l->G[0][6*b + k];
          if (l->slope[0] != 0 || l->slope[2] != 0) C[at] -= c1*l->G[1][6*b + k] + c2*l->G[2][6*b + k];
        }
      }
    }
}

/* of the second system: as rows with a pattern, or all */
static int add_slope(epi_flow *f, epi_sparse_jacobian *x, double t, const double *y)
{
  epi_system *b = f->other;
  int n = epi_nv(b), bad = 0;
  size_t size = (size_t)(b->jacobian.slope_rowptr ? b->jacobian.slope_rowptr[n] : n*n)*sizeof *x->rows;
  for (int half = 0; half < 2 && !bad; half++) {
    memset(x->rows, 0, size);
    bad = (b->jacobian.slope_rowptr ? b->jacobian.slope_rows : b->jacobian.slope)(b, t, y, !half, half, x->rows);
    for (int i = 0; i < n; i++) {
      int u = x->of_v[i];
      for (int k = b->jacobian.slope_rowptr ? b->jacobian.slope_rowptr[i] : 0;
           k < (b->jacobian.slope_rowptr ? b->jacobian.slope_rowptr[i + 1] : n); k++) {
        int c = b->jacobian.slope_rowptr ? b->jacobian.slope_cols[k] : k, w = x->of_v[c], wide = x->v_of[w + 1] - x->v_of[w];
        double entry = x->rows[b->jacobian.slope_rowptr ? k : i*n + k];
        if (entry != 0) block(x, half ? x->C : x->K, u, w)[x->in_unit[i]*wide + x->in_unit[c]] += entry;
      }
    }
  }
  return bad;
}

static int add_forces(epi_flow *f, epi_sparse_jacobian *x, double t, const double *y)
{
  epi_system *a = f->sys;
  int bad = 0;
  memset(x->K, 0, 2*(size_t)x->numbers*sizeof *x->K);
  if (!x->stiff) {
    for (int i = 0; i < x->links; i++) memset(&x->link[i], 0, offsetof(epi_link, G));
    f->calls++;
    bad = a->contacts.linked_force(a, t, y, y + a->nq, x->room, x->link);
    for (int i = 0; i < x->links && !bad; i++) add_link(x, &a->contacts.link_ends[i], &x->link[i]);
  }
  return bad ? bad : f->other ? add_slope(f, x, t, y) : 0;
}

/* ---- T, its inverse, and R ---- */
/* W = (T^T T)^-1 T^T, for a unit of p positions and n velocities: T and W by columns of most_v, R of most_q for each position */
static int invert(epi_sparse_jacobian *x, int u)
{
  int p = x->q_of[u + 1] - x->q_of[u], n = x->v_of[u + 1] - x->v_of[u], from = x->q_of[u], wide = x->most_v;
  double *A = x->room, *b = x->room + n*n;
  for (int i = 0; i < p; i++) {
    const double *Ti = x->T + (long)(from + i)*wide;
    for (int r = 0; r < n; r++) {
      b[r] = Ti[r];
      for (int c = 0; c < n; c++) {
        A[r*n + c] = 0;
        for (int k = 0; k < p; k++) A[r*n + c] += x->T[(long)(from + k)*wide + r]*x->T[(long)(from + k)*wide + c];
      }
    }
    if (epi_solve(n, A, b)) return EPI_TOO_FAR;
    for (int r = 0; r < n; r++) x->W[(long)(from + i)*wide + r] = b[r];
  }
  return 0;
}

static int turn(epi_flow *f, epi_sparse_jacobian *x, const double *y)
{
  epi_system *m = f->sys;
  int nq = m->nq, n = epi_nv(m), bad = 0;
  double *v = x->room, *dq = v + n, *q = dq + nq, *more = q + nq;
  for (int c = 0; c < x->most_v; c++) {
    memset(v, 0, (size_t)n*sizeof *v);
    for (int u = 0; u < x->units; u++) if (c < x->v_of[u + 1] - x->v_of[u]) v[x->v[x->v_of[u] + c]] = 1;
    kinematics(m, y, v, dq, more);
    for (int i = 0; i < nq; i++) x->T[(long)i*x->most_v + c] = dq[x->q[i]];
  }
  for (int c = 0; c < x->most_q && m->manifold.retract; c++) {
    static const double small = 1e-5;
    memset(x->R + (long)c*nq, 0, (size_t)nq*sizeof *x->R);
    for (int side = -1; side <= 1; side += 2) {
      memcpy(q, y, (size_t)nq*sizeof *q);
      for (int u = 0; u < x->units; u++) if (c < x->q_of[u + 1] - x->q_of[u]) q[x->q[x->q_of[u] + c]] += side*small;
      kinematics(m, q, y + nq, dq, more);
      for (int i = 0; i < nq; i++) x->R[(long)c*nq + i] += side*dq[i]/(2*small);
    }
  }
  for (int u = 0; u < x->units && !bad; u++) bad = invert(x, u);
  return bad;
}

/* ---- values ---- */
static double mass_of(const epi_flow *f, int i) { return f->space->mass == DIAGONAL && !f->sys->inertia.accel ? f->sys->mass[i] : 1; }

/* rows ascend in a column, positions first */
static void fill_unit(epi_flow *f, const epi_sparse_jacobian *x, int u, double sign, double *values)
{
  const epi_system *m = f->sys;
  int nq = m->nq, p = x->q_of[u + 1] - x->q_of[u], n = x->v_of[u + 1] - x->v_of[u];
  for (int c = 0; c < p + n; c++) {
    int col = c < p ? x->q[x->q_of[u] + c] : nq + x->v[x->v_of[u] + c - p];
    const double *W = x->W + (long)(x->q_of[u] + (c < p ? c : 0))*x->most_v;
    for (int at = x->column[col]; at < x->column[col + 1]; at++) {
      int row = x->row[at], i = row - nq;
      double sum = 0;
      if (row < nq && c < p) sum = m->manifold.retract ? x->R[(long)c*nq + row] : 0;
      else if (row < nq) {
        int k = x->q_of[u];
        while (x->q[k] != row) k++;
        sum = x->T[(long)k*x->most_v + c - p];
      } else {
        int w = x->of_v[i];
        const double *K = block(x, c < p ? x->K : x->C, w, u) + x->in_unit[i]*n;
        if (c >= p) sum = K[c - p];
        else for (int k = 0; k < n; k++) sum += K[k]*W[k];
        sum /= mass_of(f, i);
      }
      values[at] = sign*sum;
    }
  }
}

int epi_jacobian_fill(epi_flow *f, epi_sparse_jacobian *x, double t, const double *y, double sign, double *values)
{
  int bad = add_forces(f, x, t, y);
  if (!bad) bad = turn(f, x, y);
  for (int u = 0; u < x->units && !bad; u++) fill_unit(f, x, u, sign, values);
  return bad;
}
