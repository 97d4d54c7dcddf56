/* system.c - what a system offers to the methods: its mass, its phase, its rate; the one place that knows each */
#include "core.h"

int epi_size(const epi_system *s) { return s ? epi_dim(s) : 0; }

/* ---- mass ---- */
static int mass_usable(epi_flow *f)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m);
  if (!m->mass) return 0;
  for (int i = 0; i < n; i++)
    if (epi_refuse(f, !(m->mass[i] > 0) || !isfinite(m->mass[i]),
                   "mass[%d] is %g: a mass must be positive; leave out massless coordinates or constrain them", i, m->mass[i]))
      return -1;
  return 0;
}

int epi_mass_ready(epi_flow *f)
{
  const epi_system *m = f->sys;
  size_t n = (size_t)epi_nv(m);
  if (mass_usable(f)) return -1;
  f->mass = m->mass_solve ? SOLVED : m->mass_matrix ? DENSE : m->mass ? DIAGONAL : UNIT;
  if (f->mass != DENSE) return 0;
  f->factor = malloc(n*n*sizeof *f->factor);
  if (epi_refuse(f, !f->factor, "out of memory")) return -1;
  memcpy(f->factor, m->mass_matrix, n*n*sizeof *f->factor);
  return epi_refuse(f, epi_cholesky((int)n, f->factor),
                    "the mass matrix is singular or not positive definite: give a symmetric positive definite one") ? -1 : 0;
}

void epi_mass_divide(epi_flow *f, const double *q, double *restrict a)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  switch (f->mass) {
  case UNIT: break;
  case DIAGONAL: for (int i = 0; i < n; i++) a[i] /= m->mass[i]; break;
  case DENSE: epi_cholesky_solve(n, f->factor, a); break;
  case SOLVED: if (m->mass_solve(m, q, a)) a[0] = NAN; break;
  }
}

void epi_apply_inverse_mass_slow(epi_flow *f, const double *q, double *restrict a)
{
  if (!f->sys->accel) epi_mass_divide(f, q, a);
}

/* ---- the fast phase ---- */
/* five Gauss points: a slowly varying pace is integrated far below the error of any method here */
double epi_phase_turned(const epi_system *m, double t, double h)
{
  static const double x[] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200};
  static const double w[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454};
  if (!m->phase_rate_at) return m->phase_rate*h;
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += w[i]*m->phase_rate_at((epi_system *)m, t + x[i]*h);
  return sum*h;
}

/* ---- rates ---- */
int epi_accel(epi_flow *f, double t, double theta, const double *q, double *a)
{
  f->calls++;
  int bad = epi_force_at(f->sys, t, theta, q, a);
  epi_apply_inverse_mass(f, q, a);
  return bad;
}

/* v' = M^-1 (force + velocity force) */
int epi_accel_all(epi_flow *f, double t, double theta, const double *q, const double *v, double *a)
{
  epi_system *m = f->sys;
  int bad = 0;
  f->calls++;
  if (epi_has_force(m)) bad = epi_force_at(m, t, theta, q, a);
  else memset(a, 0, (size_t)epi_nv(m)*sizeof *a);
  if (!bad && m->velocity_force) bad = m->velocity_force(m, t, q, v, a);
  epi_apply_inverse_mass(f, q, a);
  return bad;
}

int epi_rate_at(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), nq = m->nq, bad;
  const double *v = y + nq;
  if (epi_all_rate(m)) { f->calls++; return m->rate(m, t, y, dy); }
  for (int i = 0; i < n; i++) dy[i] = v[i];
  if (m->speed && (bad = m->speed(m, t, v, dy))) return bad;
  bad = epi_accel_all(f, t, theta, y, v, dy + n);
  if (!bad && m->rate) bad = m->rate(m, t, y, dy + 2*n);
  return bad;
}

/* ---- rotations ---- */
void epi_shift(epi_system *m, const double *q, double h, const double *v, double *out, double *tmp)
{
  int n = epi_nv(m);
  if (!m->retract) {
    for (int i = 0; i < n; i++) out[i] = q[i] + h*v[i];
    return;
  }
  for (int i = 0; i < n; i++) tmp[i] = h*v[i];
  m->retract(m, q, tmp, out);
}

int epi_chart_dim(const epi_system *m) { return m->retract ? 2*epi_nv(m) + m->nz : epi_dim(m); }

/* point y, three ambient vectors, the derivative of turn (nq x nv) and its normal equations */
long epi_chart_room(const epi_system *m)
{
  long nq = m->nq, n = epi_nv(m);
  return m->retract ? epi_dim(m) + 4*nq + 3*n + nq*n + n*n : 0;
}

void epi_chart_in(const epi_system *m, const double *y, double *x)
{
  int n = epi_nv(m);
  if (!m->retract) { memcpy(x, y, (size_t)epi_dim(m)*sizeof *x); return; }
  memset(x, 0, (size_t)n*sizeof *x);
  memcpy(x + n, y + m->nq, (size_t)(n + m->nz)*sizeof *x);
}

void epi_chart_out(epi_system *m, const double *q0, const double *x, double *y, double *work)
{
  int n = epi_nv(m);
  if (!m->retract) { memcpy(y, x, (size_t)epi_dim(m)*sizeof *y); return; }
  m->retract(m, q0, x, work);
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
      m->retract(m, q, x, out);
      for (int i = 0; i < nq; i++) dq[i] += side*c[k-1]/d*out[i];
    }
}

void epi_retract_tangent(epi_system *m, const double *q, const double *v, double *dq, double *work) { along(m, q, NULL, v, dq, work); }

/* u' from (d turn/du) u' = q', in the least-squares sense: exact when q' is tangent */
static int slew_found(epi_system *m, const double *q0, const double *u, const double *q, const double *v, double *du, double *work)
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

int epi_chart_rate(epi_flow *f, double t, double theta, const double *q0, const double *x, double *dx, double *work)
{
  epi_system *m = f->sys;
  if (!m->retract) return epi_rate_at(f, t, theta, x, dx);
  int n = epi_nv(m), bad;
  double *y = work, *room = y + epi_dim(m);
  const double *v = x + n;
  epi_chart_out(m, q0, x, y, room);
  if ((bad = epi_accel_all(f, t, theta, y, v, dx + n))) return bad;
  if (m->rate && (bad = m->rate(m, t, y, dx + 2*n))) return bad;
  if (m->retract_rate) { m->retract_rate(m, x, v, dx); return 0; }
  return slew_found(m, q0, x, y, v, dx, room);
}
