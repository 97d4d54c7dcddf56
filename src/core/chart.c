/* chart.c - rotations in coordinates: x = (u, v, z) with q = retract(q0, u); without rotations x is y itself */
#include "core.h"

void epi_shift(epi_system *m, const double *q, double h, const double *v, double *out, double *tmp)
{
  int n = epi_nv(m);
  if (!m->manifold.retract) {
    for (int i = 0; i < n; i++) out[i] = q[i] + h*v[i];
    return;
  }
  for (int i = 0; i < n; i++) tmp[i] = h*v[i];
  m->manifold.retract(m, q, tmp, out);
}

int epi_chart_dim(const epi_system *m) { return m->manifold.retract ? 2*epi_nv(m) + m->nz : epi_dim(m); }

/* point y, three ambient vectors; where there is no retract_rate also the derivative of retract (nq x nv) and its normal equations */
long epi_chart_room(const epi_system *m)
{
  long nq = m->nq, n = epi_nv(m);
  return m->manifold.retract ? epi_dim(m) + 4*nq + 3*n + (m->manifold.retract_rate ? 0 : nq*n + n*n) : 0;
}

void epi_chart_in(const epi_system *m, const double *y, double *x)
{
  int n = epi_nv(m);
  if (!m->manifold.retract) { memcpy(x, y, (size_t)epi_dim(m)*sizeof *x); return; }
  memset(x, 0, (size_t)n*sizeof *x);
  memcpy(x + n, y + m->nq, (size_t)(n + m->nz)*sizeof *x);
}

void epi_chart_out(epi_system *m, const double *q0, const double *x, double *y, double *work)
{
  int n = epi_nv(m);
  if (!m->manifold.retract) { memcpy(y, x, (size_t)epi_dim(m)*sizeof *y); return; }
  m->manifold.retract(m, q0, x, work);
  memcpy(y, work, (size_t)m->nq*sizeof *y);
  memcpy(y + m->nq, x + n, (size_t)(n + m->nz)*sizeof *y);
}

/* d/ds turn(q, u + s v) at s = 0 by differences of order 8: turn is analytic, so this is good to a few 1e-14 */
static void along(epi_system *m, const double *q, const double *u, const double *v, double *dq, double *work)
{
  static const double c[] = {4./5, -1./5, 4./105, -1./280};
  int n = epi_nv(m), nq = m->nq;
  double *x = work, *out = work + n, size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(v[i]));
  memset(dq, 0, (size_t)nq*sizeof *dq);
  if (!(size > 0)) return;
  double d = 0.02/size;
  for (int k = 1; k <= 4; k++)
    for (int side = -1; side <= 1; side += 2) {
      for (int i = 0; i < n; i++) x[i] = (u ? u[i] : 0) + side*k*d*v[i];
      m->manifold.retract(m, q, x, out);
      for (int i = 0; i < nq; i++) dq[i] += side*c[k-1]/d*out[i];
    }
}

void epi_retract_tangent(epi_system *m, const double *q, const double *v, double *dq, double *work) { along(m, q, NULL, v, dq, work); }

/* u' from (d turn/du) u' = q', in the least-squares sense: exact when q' is tangent */
static int rate_found(epi_system *m, const double *q0, const double *u, const double *q, const double *v, double *du, double *work)
{
  int n = epi_nv(m), nq = m->nq;
  double *dq = work, *J = dq + nq, *A = J + nq*n, *e = A + n*n, *room = e + n;
  along(m, q, NULL, v, dq, room);
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < n; i++) e[i] = i == c;
    along(m, q0, u, e, J + c*nq, room);
  }
  for (int c = 0; c < n; c++) {
    du[c] = 0;
    for (int i = 0; i < nq; i++) du[c] += J[c*nq + i]*dq[i];
    for (int d = 0; d < n; d++) {
      A[c*n + d] = 0;
      for (int i = 0; i < nq; i++) A[c*n + d] += J[c*nq + i]*J[d*nq + i];
    }
  }
  return epi_solve(n, A, du) ? EPI_TOO_FAR : 0;
}

int epi_space_chart_rate(epi_space *p, double t, double theta, const double *q0, const double *x, double *dx, double *work)
{
  epi_system *m = p->sys;
  if (!m->manifold.retract) return epi_space_rate(p, t, theta, x, dx);
  int n = epi_nv(m), bad;
  double *y = work, *room = y + epi_dim(m);
  const double *v = x + n;
  epi_chart_out(m, q0, x, y, room);
  if ((bad = epi_space_accel_all(p, t, theta, y, v, dx + n))) return bad;
  if (m->rate && (bad = m->rate(m, t, y, dx + 2*n))) return bad;
  if (m->manifold.retract_rate) { m->manifold.retract_rate(m, x, v, dx); return 0; }
  return rate_found(m, q0, x, y, v, dx, room);
}
