/* sundials-rate.c - what the solvers of SUNDIALS call: rates, their derivatives, and the matrix of Newton's iteration */
#include "core.h"

#ifdef EPI_SUNDIALS
#include "sundials.h"
#include "semi.h"
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#ifdef EPI_KLU
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#endif

/* ---- rates ---- */
/* which parts of y' are wanted: all of it, the accelerations of the first system alone, or those of the second with q' */
enum { ALL, EXPLICIT, IMPLICIT };
/* accelerations, added up where both are wanted; work, before the start of a step that is told of: n numbers */
static int accelerations(epi_flow *f, int part, double t, double theta, const double *y, double *a)
{
  int n = epi_nv(f->sys), bad = 0;
  double *more = f->work + f->nwork - epi_dim(f->sys) - n;
  if (part == IMPLICIT) return epi_semi_stiff(f, t, theta, y, a);
  bad = epi_accel_all(f, t, theta, y, y + f->sys->nq, a);
  if (bad || !f->other || part == EXPLICIT) return bad;
  bad = epi_semi_stiff(f, t, theta, y, more);
  for (int i = 0; i < n; i++) a[i] += more[i];
  return bad;
}

/* y' in the coordinates of y. With rotations q' = d/ds turn(q, s v); after the state and its copy: y with q put right, room */
static int ambient(epi_flow *f, int part, double t, double theta, const double *y, double *dy)
{
  epi_system *m = f->sys;
  if (!m->manifold.retract && !f->other) return epi_rate_at(f, t, theta, y, dy);
  int N = epi_dim(m), n = epi_nv(m), nq = m->nq, bad;
  double *on = f->work + 2*N, *room = on + N;
  if (m->manifold.retract) {
    memset(room, 0, (size_t)n*sizeof *room);
    m->manifold.retract(m, y, room, on);
    memcpy(on + nq, y + nq, (size_t)(n + m->nz)*sizeof *on);
    y = on;
  }
  if (part == EXPLICIT) memset(dy, 0, (size_t)nq*sizeof *dy);
  else if (m->manifold.retract) epi_retract_tangent(m, on, on + nq, dy, room);
  else memcpy(dy, y + nq, (size_t)n*sizeof *dy);
  bad = accelerations(f, part, t, theta, y, dy + nq);
  if (!bad && m->rate) bad = m->rate(m, t, on, dy + nq + n);
  return bad;
}

/* before a wall the steps up to it grow shorter for ever */
static int hopeless(solver *s, double tau)
{
  if (fabs(tau - s->from) > 1e-9*s->h) s->stuck = 0;
  if (!s->stuck) s->from = tau;
  return ++s->stuck > 500;
}

static int rate_of(int part, double tau, N_Vector y, N_Vector dy, void *data)
{
  solver *s = data;
  epi_flow *f = s->flow;
  int n = epi_dim(f->sys), bad;
  double *d = NV_DATA_S(dy), sum = 0;
  if (s->idle) { memset(d, 0, (size_t)n*sizeof *d); return 0; }
  if (epi_stopping(f)) return s->code = EPI_INTERRUPTED;
  bad = ambient(f, part, s->t + s->sign*tau, epi_phase_at(f->sys, s->t, s->theta, s->sign*tau), NV_DATA_S(y), d);
  for (int i = 0; i < n && !bad; i++) {
    d[i] *= s->sign;
    sum += 0*d[i];
  }
  s->code = bad;
  s->lost = 0;
  s->when = tau;
  if (!bad && sum == 0) return 0;
  /* what is not finite is a reason to take a smaller step, as "too far" is */
  s->noes++;
  for (int i = n - 1; i >= 0 && !bad; i--) if (!isfinite(d[i])) s->lost = i + 1;
  if (hopeless(s, tau)) return EPI_WRONG;
  return bad ? bad : EPI_TOO_FAR;
}

int epi_solver_rate(double tau, N_Vector y, N_Vector dy, void *data) { return rate_of(ALL, tau, y, dy, data); }
int epi_solver_explicit(double tau, N_Vector y, N_Vector dy, void *data) { return rate_of(EXPLICIT, tau, y, dy, data); }
int epi_solver_implicit(double tau, N_Vector y, N_Vector dy, void *data) { return rate_of(IMPLICIT, tau, y, dy, data); }

/* ---- its derivative ---- */
/* into a column of the matrix: all of it, or what the pattern has */
static void put_column(solver *s, SUNMatrix J, int c, const double *column)
{
  const epi_sparse_jacobian *x = s->known;
  if (!s->sparse) memcpy(SM_COLUMN_D(J, c), column, (size_t)epi_dim(s->flow->sys)*sizeof *column);
  else for (int k = x->column[c]; k < x->column[c + 1]; k++) s->values[k] = column[x->row[k]];
}

#ifdef EPI_KLU
/* the pattern too: who clears a matrix clears that */
static void put_sparse(const solver *s, SUNMatrix J)
{
  const epi_sparse_jacobian *x = s->known;
  sunindextype *column = SM_INDEXPTRS_S(J), *row = SM_INDEXVALS_S(J);
  for (int c = 0; c <= x->N; c++) column[c] = x->column[c];
  for (int k = 0; k < x->column[x->N]; k++) row[k] = x->row[k];
  memcpy(SM_DATA_S(J), s->values, (size_t)x->column[x->N]*sizeof(double));
}
#else
static void put_sparse(const solver *s, SUNMatrix J) { (void)s, (void)J; }
#endif

/* by what the forces return beside themselves */
static int by_links(double tau, N_Vector y, N_Vector dy, SUNMatrix J, void *data, N_Vector u, N_Vector v, N_Vector w)
{
  (void)dy; (void)u; (void)v; (void)w;
  solver *s = data;
  epi_flow *f = s->flow;
  epi_sparse_jacobian *x = s->known;
  int bad = 0;
  if (s->idle) memset(s->values, 0, (size_t)x->column[x->N]*sizeof *s->values);
  else { f->slopes++; bad = epi_jacobian_fill(f, x, s->t + s->sign*tau, NV_DATA_S(y), s->sign, s->values); }
  if (bad) { s->code = bad; s->when = tau; s->noes++; return bad; }
  if (s->sparse) { put_sparse(s, J); return 0; }
  for (int c = 0; c < x->N; c++)
    for (int k = x->column[c]; k < x->column[c + 1]; k++) SM_ELEMENT_D(J, x->row[k], c) = s->values[k];
  return 0;
}

/* the slope comes by rows, and of forces alone; the solver has columns, and wants M^-1 (dF/dq, dF/dv) */
static int slope(double tau, N_Vector y, N_Vector dy, SUNMatrix J, void *data, N_Vector u, N_Vector v, N_Vector w)
{
  (void)dy; (void)u; (void)v; (void)w;
  solver *s = data;
  epi_flow *f = s->flow;
  epi_system *m = f->sys;
  int N = epi_dim(m), n = epi_all_rate(m) ? N : epi_nv(m), bad = 0;
  double *at = NV_DATA_S(y), *B = f->work + 2*N;
  if (s->idle) return 0;
  f->slopes++;
  for (int half = 0; half < (n == N ? 1 : 2) && !bad; half++) {
    memset(B, 0, (size_t)(n*n)*sizeof *B);
    bad = m->jacobian.slope(m, s->t + s->sign*tau, at, !half*s->sign, half*s->sign, B);
    for (int c = 0; c < n; c++) {
      double *col = SM_COLUMN_D(J, half*n + c) + N - n;
      for (int i = 0; i < n; i++) col[i] = B[i*n + c];
      if (n < N) epi_apply_inverse_mass(f->space, at, col);
    }
  }
  for (int i = 0; i < n && n < N; i++) SM_ELEMENT_D(J, i, n + i) = s->sign;
  if (bad) { s->code = bad; s->when = tau; s->noes++; }
  return bad;
}

/* velocities that move positions and nothing else: their columns are known */
static int moves_alone(const solver *s)
{
  const epi_system *m = s->flow->sys;
  return epi_feels_no_velocity(m) && !m->rate && !m->inertia.speed && !m->manifold.retract && !s->flow->other && m->nq == epi_nv(m) &&
    epi_dim(m) == 2*m->nq;
}

/* by differences; CVODE's own would allocate. A component is moved in proportion to its size, or to what is small for it as the largest is
   to what is small there: rtol may be next to nothing */
static int differences(double tau, N_Vector y, N_Vector dy, SUNMatrix J, void *data, N_Vector moved, N_Vector v, N_Vector w)
{
  (void)v; (void)w;
  solver *s = data;
  const epi_value *rtol = &s->flow->arg[RTOL], *atol = &s->flow->arg[ATOL];
  int n = epi_dim(s->flow->sys), half = moves_alone(s) ? n/2 : n, bad = 0;
  double *x = NV_DATA_S(y), *d = NV_DATA_S(moved), *d0 = NV_DATA_S(dy), most = 0;
  s->flow->slopes += !s->idle;
  for (int c = 0; c < n; c++) most = fmax(most, fabs(x[c])/(atol->n ? atol->list[c] : atol->number));
  most = most > 0 ? fmin(most, 1/rtol->number) : 1/rtol->number;
  for (int c = 0; c < half && !bad; c++) {
    double small = (atol->n ? atol->list[c] : atol->number)*most, keep = x[c];
    x[c] += 1.5e-8*fmax(fabs(keep), small);
    bad = epi_solver_rate(tau, y, moved, data);
    for (int i = 0; i < n; i++) d[i] = (d[i] - d0[i])/(x[c] - keep);
    put_column(s, J, c, d);
    x[c] = keep;
  }
  memset(d, 0, (size_t)n*sizeof *d);
  for (int c = half; c < n && !bad; c++) {
    d[c - half] = s->idle ? 0 : s->sign;
    put_column(s, J, c, d);
    d[c - half] = 0;
  }
  if (s->sparse) put_sparse(s, J);
  return bad;
}

/* ---- the matrix ---- */
/* the system's slope where it has one for all of y, as y is counted */
epi_solver_slope *epi_solver_slope_of(const solver *s)
{
  const epi_system *m = s->flow->sys;
  if (s->links) return by_links;
  return m->jacobian.slope && !s->flow->other && !s->sparse && !m->inertia.speed && !m->manifold.retract && (epi_all_rate(m) || !m->nz)
    ? slope : differences;
}

int epi_solver_anew(solver *s)
{
#ifdef EPI_KLU
  if (s->sparse) return SUNLinSol_KLUReInit(s->linear, s->A, s->known->column[s->known->N], SUNKLU_REINIT_PARTIAL) != 0;
#endif
  (void)s;
  return 0;
}

int epi_solver_matrix(solver *s)
{
  epi_flow *f = s->flow;
  int N = epi_dim(f->sys);
  if (s->sparse || s->links) {
    if (!(s->known = epi_jacobian_make(f, s->imex))) return 1;
    if (!(s->values = calloc((size_t)s->known->column[N] + 1, sizeof *s->values))) return 1;
  }
#ifdef EPI_KLU
  if (s->sparse) {
    s->A = SUNSparseMatrix(N, N, s->known->column[N], CSC_MAT, s->context);
    if (s->A) put_sparse(s, s->A);
    s->linear = s->A ? SUNLinSol_KLU(s->y, s->A, s->context) : NULL;
    return !s->linear;
  }
#endif
  if (s->sparse)
    return epi_refuse_cause(f, 1, EPI_ABSENT, "%s: matrix=sparse is not in this build: install libsundials-dev and libsuitesparse-dev, and "
                            "build again", f->record->name);
  s->A = SUNDenseMatrix(N, N, s->context);
  s->linear = s->A ? SUNLinSol_Dense(s->y, s->A, s->context) : NULL;
  return !s->linear;
}
#endif
