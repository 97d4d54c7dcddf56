/* semi-matrix.c - Newton's matrix of a semi-explicit step: I - beta J, J = M^-1 (h^2/2 dB/dq + h dB/dv), of the velocities that B moves.
 * Where the second system says which velocities feel which, only those are there, and where these are many the matrix is a band along the
 * structure */
#include "semi.h"

/* more velocities than this go into a band, where their pattern is known */
enum { DENSE_MOST = 120 };

/* ---- which velocities there are ---- */
/* breadth first along the entries of the slope, from the first velocity of each part that hangs together: a chain becomes a narrow band */
static int number_along(const epi_system *b, epi_semi_matrix *x, int *queue)
{
  int head = 0, tail = 0, band = 0;
  for (int i = 0; i < x->m; i++) x->place[i] = -1;
  for (int pass = 0; pass < 2; pass++) {
    /* the second time from where the first one ended: the far end of a chain */
    int start = pass ? queue[tail - 1] : -1;
    head = tail = 0;
    for (int i = 0; i < x->m; i++) x->place[i] = -1;
    for (int i = -1; i < x->m; i++) {
      int seed = i < 0 ? start : i;
      if (seed < 0 || x->place[seed] >= 0) continue;
      x->place[queue[tail] = seed] = tail;
      tail++;
      for (; head < tail; head++) {
        int row = x->touched[queue[head]];
        for (int k = b->jacobian.slope_rowptr[row]; k < b->jacobian.slope_rowptr[row + 1]; k++) {
          int to = x->index[b->jacobian.slope_cols[k]];
          if (x->place[to] >= 0) continue;
          x->place[queue[tail] = to] = tail;
          tail++;
        }
      }
    }
  }
  for (int i = 0; i < x->m; i++)
    for (int k = b->jacobian.slope_rowptr[x->touched[i]]; k < b->jacobian.slope_rowptr[x->touched[i] + 1]; k++) {
      int far = abs(x->place[i] - x->place[x->index[b->jacobian.slope_cols[k]]]);
      band = far > band ? far : band;
    }
  return band;
}

/* velocities that no row has together can be moved together: their effects are told apart by the row */
static int colour(const epi_system *b, epi_semi_matrix *x, int *taken)
{
  int colours = 0;
  for (int i = 0; i < x->m; i++) x->colour[i] = taken[i] = -1;
  for (int i = 0; i < x->m; i++) {
    int row = x->touched[i], mine = 0;
    for (int k = b->jacobian.slope_rowptr[row]; k < b->jacobian.slope_rowptr[row + 1]; k++) {
      int near = b->jacobian.slope_cols[k];
      for (int l = b->jacobian.slope_rowptr[near]; l < b->jacobian.slope_rowptr[near + 1]; l++) {
        int c = x->colour[x->index[b->jacobian.slope_cols[l]]];
        if (c >= 0) taken[c] = i;
      }
    }
    while (mine < x->m && taken[mine] == i) mine++;
    x->colour[i] = mine;
    colours = mine + 1 > colours ? mine + 1 : colours;
  }
  return colours;
}

/* every column of a row is a row itself, and ascends */
static int wrong_pattern(epi_flow *f, const epi_system *b, int n)
{
  if (epi_refuse(f, f->space->mass == DENSE || f->space->mass == SOLVED,
                 "semi: a slope by rows needs a diagonal mass, or none: give slope alone")) return -1;
  int bad = !b->jacobian.slope_cols || !b->jacobian.slope_rows || b->jacobian.slope_rowptr[0] != 0;
  for (int i = 0; i < n && !bad; i++) {
    bad = b->jacobian.slope_rowptr[i + 1] < b->jacobian.slope_rowptr[i];
    for (int k = b->jacobian.slope_rowptr[i]; k < b->jacobian.slope_rowptr[i + 1] && !bad; k++) {
      int c = b->jacobian.slope_cols[k];
      bad = c < 0 || c >= n || (k > b->jacobian.slope_rowptr[i] && c <= b->jacobian.slope_cols[k - 1]) ||
        b->jacobian.slope_rowptr[c] == b->jacobian.slope_rowptr[c + 1];
    }
  }
  return epi_refuse(f, bad, "semi: slope_rowptr and slope_cols of the second system are not a pattern: give slope_rows with them, "
                    "columns that ascend in 0 .. %d, and no column whose own row is empty", n - 1);
}

int epi_semi_matrix_make(epi_flow *f)
{
  const epi_system *b = f->other;
  int n = epi_nv(f->sys), known = b->jacobian.slope_rowptr != NULL;
  if (known && wrong_pattern(f, b, n)) return -1;
  epi_semi_matrix *x = f->own = calloc(1, sizeof *x + 6*(size_t)n*sizeof(int));
  if (epi_refuse_memory(f, !x)) return -1;
  int *at = (int *)(x + 1);
  x->touched = at, x->which = at + n, x->pivot = at + 2*n, x->place = at + 3*n, x->index = at + 4*n, x->colour = at + 5*n;
  for (int i = 0; i < n; i++) {
    int here = !known || b->jacobian.slope_rowptr[i] < b->jacobian.slope_rowptr[i + 1];
    x->index[i] = here ? x->m : -1;
    if (here) x->touched[x->m++] = i;
  }
  x->wide = f->sys->nc ? n : x->m;
  if (!known || f->sys->nc || x->m <= DENSE_MOST) return 0;
  x->entries = b->jacobian.slope_rowptr[n];
  x->band = number_along(b, x, x->which);
  x->colours = colour(b, x, x->which);
  x->wide = 2*x->band + 1;
  return 0;
}

/* the matrix, and the entries of the slope after it */
long epi_semi_matrix_room(const epi_flow *f)
{
  const epi_semi_matrix *x = f->own;
  const epi_system *b = f->other;
  return (long)x->m*x->wide + (b->jacobian.slope_rowptr ? b->jacobian.slope_rowptr[epi_nv(f->sys)] : 0) + 1;
}

/* ---- J ---- */
static double *entry_at(const epi_semi_matrix *x, double *N, int row, int col)
{
  int i = x->index[row], k = x->index[col];
  if (x->band) return N + (long)x->place[i]*x->wide + x->place[k] - x->place[i] + x->band;
  return N + (long)i*x->wide + (x->wide > x->m ? col : k);
}

/* from the slope of the second system */
static int slope_given(epi_flow *f, double t, const double *y, double a, double b, const epi_semi_work *d)
{
  const epi_semi_matrix *x = f->own;
  epi_system *m = f->other;
  int n = epi_nv(m), bad;
  double *J = d->N, *col = d->room;
  if (m->jacobian.slope_rowptr) {
    double *A = J + (long)x->m*x->wide;
    memset(A, 0, (size_t)m->jacobian.slope_rowptr[n]*sizeof *A);
    if ((bad = m->jacobian.slope_rows(m, t, y, a, b, A))) return bad;
    for (int i = 0; i < n; i++)
      for (int k = m->jacobian.slope_rowptr[i]; k < m->jacobian.slope_rowptr[i + 1]; k++)
        *entry_at(x, J, i, m->jacobian.slope_cols[k]) = A[k];
  } else if ((bad = m->jacobian.slope(m, t, y, a, b, J))) return bad;
  if (f->space->mass == UNIT) return 0;
  /* one number for each row where the mass is diagonal */
  if (f->space->mass == DIAGONAL) {
    const double *mass = f->sys->mass;
    for (int i = 0; i < x->m && !f->sys->inertia.accel; i++) {
      double *row = J + (long)(x->band ? x->place[i] : i)*x->wide;
      for (int k = 0; k < x->wide; k++) row[k] /= mass[x->touched[i]];
    }
    return 0;
  }
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < n; i++) col[i] = J[i*n + c];
    epi_apply_inverse_mass(f->space, y, col);
    for (int i = 0; i < n; i++) J[i*n + c] = col[i];
  }
  return 0;
}

/* the effect of velocity c, where it is the one that row has of its colour */
static void take_column(const epi_system *b, const epi_semi_matrix *x, const double *change, int c, double *J)
{
  if (!x->band) {
    for (int i = 0; i < x->m; i++) *entry_at(x, J, x->touched[i], c) = change[x->touched[i]];
    return;
  }
  /* rows and columns have the same entries */
  for (int k = b->jacobian.slope_rowptr[c]; k < b->jacobian.slope_rowptr[c + 1]; k++)
    *entry_at(x, J, b->jacobian.slope_cols[k], c) = change[b->jacobian.slope_cols[k]];
}

static double largest(int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s = fmax(s, fabs(x[i]));
  return s;
}

/* by differences, q and v moved together as a push moves them: far enough beside rounding, near beside the motion */
static int slope_found(epi_flow *f, double t, double theta, const double *base, double a, double b, const epi_semi_work *d)
{
  const epi_semi_matrix *x = f->own;
  epi_system *m = f->sys;
  int n = epi_nv(m), nq = m->nq, bad, turns = x->band ? x->colours : x->m;
  double *was = d->room, *now = was + n, *dq = now + n, *y = dq + n, size = largest(nq, base), speed = largest(n, base + nq);
  double far = 1e-7*(size > 0 ? size : 1)/a, e = speed > 0 ? fmax(1e-3*far, fmin(far, 1e-3*speed/fabs(b))) : far;
  if ((bad = epi_semi_stiff(f, t, theta, base, was))) return bad;
  memcpy(y, base, (size_t)epi_dim(m)*sizeof *y);
  for (int turn = 0; turn < turns; turn++) {
    memset(dq, 0, (size_t)n*sizeof *dq);
    for (int i = 0; i < x->m; i++) {
      int c = x->touched[i], moves = x->band ? x->colour[i] == turn : i == turn;
      if (moves) dq[c] = e*a;
      y[nq + c] = base[nq + c] + (moves ? e*b : 0);
    }
    epi_shift(m, base, 1, dq, y, d->x);
    bad = epi_semi_stiff(f, t, theta, y, now);
    if (bad) return bad;
    for (int i = 0; i < n; i++) now[i] = (now[i] - was[i])/e;
    for (int i = 0; i < x->m; i++) if (x->band ? x->colour[i] == turn : i == turn) take_column(f->other, x, now, x->touched[i], d->N);
  }
  return 0;
}

/* what multipliers hold does not move: J (1 - M^-1 G^T (G M^-1 G^T)^-1 G) */
static int hold_rows(epi_flow *f, double t, const double *y, const epi_semi_work *d)
{
  const epi_semi_matrix *o = f->own;
  epi_system *m = f->sys;
  int n = epi_nv(m), bad, which;
  double *x = d->push, *gt = x + m->nc;
  if (!o->m) return 0;
  if ((bad = epi_constraint_eval(m, t, y, x, d->G, gt))) return bad;
  epi_G_inverse_mass(f->space, y, d->G, d->W);
  for (int i = 0; i < o->m; i++) {
    double *row = d->N + (long)i*n;
    memset(x, 0, (size_t)m->nc*sizeof *x);
    epi_G_mul(f->space, d->W, row, x);
    which = i ? epi_normal_again(f->space, 1, d->G, d->G, d->W, d->S, x) : epi_normal_solve(f->space, 1, d->G, d->G, d->W, d->S, x);
    if (which) return epi_singular(f->space, &f->fault, t, which);
    epi_Gt_mul(f->space, d->G, x, d->room);
    for (int k = 0; k < n; k++) row[k] -= d->room[k];
  }
  return 0;
}

/* ---- I - beta J, factored in the place of J ---- */
/* no pivoting: M - beta M J is positive definite where B pulls back, and else the iteration will not converge */
static int factor_band(epi_semi_matrix *x, double *N, double beta, double *noise)
{
  long w = x->wide, b = x->band;
  for (int i = 0; i < x->m; i++) {
    double *row = N + i*w, size = fabs(row[b]);
    *noise = fmax(*noise, size/(1 + beta*size));
    for (int k = 0; k < w; k++) row[k] = (k == b) - beta*row[k];
  }
  for (int k = 0; k < x->m; k++) {
    const double *pivot = N + k*w + b - k;
    if (!(fabs(pivot[k]) > 0)) return 1;
    for (int i = k + 1; i <= k + b && i < x->m; i++) {
      double *row = N + i*w + b - i, c = row[k] /= pivot[k];
      if (c == 0) continue;
      for (int j = k + 1; j <= k + b && j < x->m; j++) row[j] -= c*pivot[j];
    }
  }
  x->count = x->m;
  return 0;
}

static void solve_band(const epi_semi_matrix *x, const double *N, double *r)
{
  long w = x->wide, b = x->band;
  for (int i = 0; i < x->m; i++) {
    const double *row = N + i*w + b - i;
    for (int j = i - b > 0 ? i - (int)b : 0; j < i; j++) r[i] -= row[j]*r[j];
  }
  for (int i = x->m - 1; i >= 0; i--) {
    const double *row = N + i*w + b - i;
    for (int j = i + 1; j <= i + b && j < x->m; j++) r[i] -= row[j]*r[j];
    r[i] /= row[i];
  }
}

/* of the velocities that B moves or is moved by, packed together */
static int factor_dense(epi_semi_matrix *x, double *N, double beta, double *noise)
{
  int count = 0;
  for (int i = 0; i < x->m; i++) {
    int used = 0, c = x->touched[i];
    for (int k = 0; k < x->m && !used; k++) used = *entry_at(x, N, c, x->touched[k]) != 0 || *entry_at(x, N, x->touched[k], c) != 0;
    if (used) x->which[count++] = c;
  }
  for (int i = 0; i < count; i++) {
    double size = fabs(*entry_at(x, N, x->which[i], x->which[i]));
    *noise = fmax(*noise, size/(1 + beta*size));
    for (int k = 0; k < count; k++) N[(long)i*count + k] = (i == k) - beta**entry_at(x, N, x->which[i], x->which[k]);
  }
  x->count = count;
  return count && epi_lu(count, N, x->pivot);
}

int epi_semi_matrix_at(epi_flow *f, const epi_semi_work *d, const double *r)
{
  epi_semi_matrix *x = f->own;
  const double *y = r + RECIPE;
  double a = 0.5*r[STEP]*r[STEP], b = r[STEP], beta = f->arg[BETA].number;
  memset(d->N, 0, (size_t)x->m*(size_t)x->wide*sizeof *d->N);
  int bad = r[BY] == SLOPE ? slope_given(f, r[AT], y, a, b, d) : slope_found(f, r[AT], r[PHASE], y, a, b, d);
  if (!bad && f->sys->nc) bad = hold_rows(f, r[AT], y, d);
  *d->noise = 0;
  if (bad) return bad;
  return (x->band ? factor_band(x, d->N, beta, d->noise) : factor_dense(x, d->N, beta, d->noise)) ? EPI_SEMI_SLOWLY : 0;
}

void epi_semi_matrix_solve(epi_flow *f, const epi_semi_work *d, const double *B, double *x)
{
  const epi_semi_matrix *o = f->own;
  if (o->band) {
    for (int i = 0; i < o->m; i++) d->r[o->place[i]] = x[o->touched[i]] - B[o->touched[i]];
    solve_band(o, d->N, d->r);
    for (int i = 0; i < o->m; i++) x[o->touched[i]] = B[o->touched[i]] + d->r[o->place[i]];
    return;
  }
  for (int i = 0; i < o->count; i++) d->r[i] = x[o->which[i]] - B[o->which[i]];
  epi_lu_solve(o->count, d->N, o->pivot, d->r);
  for (int i = 0; i < o->count; i++) x[o->which[i]] = B[o->which[i]] + d->r[i];
}
