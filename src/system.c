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

static void mass_divide(epi_flow *f, const double *q, double *restrict a)
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

void epi_ease_slow(epi_flow *f, const double *q, double *restrict a)
{
  if (!f->sys->accel) mass_divide(f, q, a);
}

/* ---- the fast phase ---- */
/* five Gauss points: a slowly varying pace is integrated far below the error of any method here */
double epi_phase_turned(const epi_system *m, double t, double h)
{
  static const double x[] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200};
  static const double w[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454};
  if (!m->pace) return m->phase_rate*h;
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += w[i]*m->pace((epi_system *)m, t + x[i]*h);
  return sum*h;
}

/* ---- rates ---- */
int epi_accel(epi_flow *f, double t, double theta, const double *q, double *a)
{
  f->calls++;
  int bad = epi_force_at(f->sys, t, theta, q, a);
  epi_ease(f, q, a);
  return bad;
}

/* v' = M^-1 (force + drag) */
int epi_accel_all(epi_flow *f, double t, double theta, const double *q, const double *v, double *a)
{
  epi_system *m = f->sys;
  int bad = 0;
  f->calls++;
  if (epi_has_force(m)) bad = epi_force_at(m, t, theta, q, a);
  else memset(a, 0, (size_t)epi_nv(m)*sizeof *a);
  if (!bad && m->drag) bad = m->drag(m, t, q, v, a);
  epi_ease(f, q, a);
  return bad;
}

int epi_rate_at(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), nq = m->nq, bad;
  const double *v = y + nq;
  if (epi_all_rate(m)) { f->calls++; return m->rate(m, t, y, dy); }
  for (int i = 0; i < n; i++) dy[i] = v[i];
  bad = epi_accel_all(f, t, theta, y, v, dy + n);
  if (!bad && m->rate) bad = m->rate(m, t, y, dy + 2*n);
  return bad;
}

/* ---- rotations ---- */
void epi_shift(epi_system *m, const double *q, double h, const double *v, double *out, double *tmp)
{
  int n = epi_nv(m);
  if (!m->turn) {
    for (int i = 0; i < n; i++) out[i] = q[i] + h*v[i];
    return;
  }
  for (int i = 0; i < n; i++) tmp[i] = h*v[i];
  m->turn(m, q, tmp, out);
}

int epi_chart_dim(const epi_system *m) { return m->turn ? 2*epi_nv(m) + m->nz : epi_dim(m); }

/* point y, three ambient vectors, the derivative of turn (nq x nv) and its normal equations */
long epi_chart_room(const epi_system *m)
{
  long nq = m->nq, n = epi_nv(m);
  return m->turn ? epi_dim(m) + 4*nq + 3*n + nq*n + n*n : 0;
}

void epi_chart_in(const epi_system *m, const double *y, double *x)
{
  int n = epi_nv(m);
  if (!m->turn) { memcpy(x, y, (size_t)epi_dim(m)*sizeof *x); return; }
  memset(x, 0, (size_t)n*sizeof *x);
  memcpy(x + n, y + m->nq, (size_t)(n + m->nz)*sizeof *x);
}

void epi_chart_out(epi_system *m, const double *q0, const double *x, double *y, double *work)
{
  int n = epi_nv(m);
  if (!m->turn) { memcpy(y, x, (size_t)epi_dim(m)*sizeof *y); return; }
  m->turn(m, q0, x, work);
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
      m->turn(m, q, x, out);
      for (int i = 0; i < nq; i++) dq[i] += side*c[k-1]/d*out[i];
    }
}

void epi_turn_rate(epi_system *m, const double *q, const double *v, double *dq, double *work) { along(m, q, NULL, v, dq, work); }

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
  if (!m->turn) return epi_rate_at(f, t, theta, x, dx);
  int n = epi_nv(m), bad;
  double *y = work, *room = y + epi_dim(m);
  const double *v = x + n;
  epi_chart_out(m, q0, x, y, room);
  if ((bad = epi_accel_all(f, t, theta, y, v, dx + n))) return bad;
  if (m->rate && (bad = m->rate(m, t, y, dx + 2*n))) return bad;
  if (m->slew) { m->slew(m, x, v, dx); return 0; }
  return slew_found(m, q0, x, y, v, dx, room);
}

/* ---- holonomic constraints ---- */
int epi_hold(epi_system *m, double t, const double *q, double *g, double *G, double *gt)
{
  memset(gt, 0, (size_t)m->nc*sizeof *gt);
  return m->constraint(m, t, q, g, G, gt);
}

static double dot(int n, const double *a, const double *b)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i]*b[i];
  return s;
}

/* rows of W = G M^-1 */
void epi_weigh(epi_flow *f, const double *q, const double *G, double *W)
{
  int n = epi_nv(f->sys);
  memcpy(W, G, (size_t)(f->sys->nc*n)*sizeof *W);
  for (int c = 0; c < f->sys->nc; c++) mass_divide(f, q, W + c*n);
}

/* x = (s G W^T)^-1 x */
int epi_normal(const epi_system *m, double s, const double *G, const double *W, double *A, double *x)
{
  int n = epi_nv(m), c = m->nc;
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) A[i*c + j] = s*dot(n, G + i*n, W + j*n);
  return epi_solve(c, A, x);
}

/* q0, one step, G at the start, W, G at the end, multipliers, normal matrix, gt */
long epi_hold_room(const epi_system *m)
{
  long n = epi_nv(m), nc = m->nc;
  return m->nq + n + nc*(3*n + nc + 2);
}

int epi_singular(epi_flow *f, double t)
{
  return epi_fail(f, EPI_WRONG, "the constraints are redundant or singular at t = %g: G M^-1 G^T cannot be inverted; drop one of them", t);
}

/* v is corrected along M^-1 G(q0)^T until g(q) = 0: the position half of RATTLE */
int epi_slide(epi_flow *f, epi_state *s, double h, double *w)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), nc = m->nc, bad;
  double *q = s->y, *v = q + m->nq, *q0 = w, *tmp = q0 + m->nq, *G0 = tmp + n, *W = G0 + nc*n, *G = W + nc*n, *x = G + nc*n, *A = x + nc;
  memcpy(q0, q, (size_t)m->nq*sizeof *q);
  if (!nc) { epi_shift(m, q0, h, v, q, tmp); return 0; }
  if ((bad = epi_hold(m, s->t, q0, x, G0, A + nc*nc))) return bad;
  epi_weigh(f, q0, G0, W);
  for (int k = 0; k < 30; k++) {
    double big = 0, size = 0;
    epi_shift(m, q0, h, v, q, tmp);
    if ((bad = epi_hold(m, s->t + h, q, x, G, A + nc*nc))) return bad;
    if (epi_normal(m, h, G, W, A, x)) return epi_singular(f, s->t);
    for (int i = 0; i < n; i++) {
      double d = 0;
      for (int c = 0; c < nc; c++) d += W[c*n + i]*x[c];
      v[i] -= d;
      big = epi_larger(big, fabs(h*d));
      size = fmax(size, fabs(q[i]));
    }
    if (s->impulse) for (int c = 0; c < nc; c++) s->impulse[c] -= x[c];
    if (!(big < 1e300)) return EPI_TOO_FAR;
    /* quadratic convergence: the next correction is round-off; linear on rotations */
    if (big <= (m->turn ? 1e-15 : 1e-9)*size || (k > 8 && big <= 1e-12*size)) { epi_shift(m, q0, h, v, q, tmp); return 0; }
  }
  return EPI_TOO_FAR;
}

int epi_tangent(epi_flow *f, epi_state *s, double *w)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), nc = m->nc, bad;
  double *v = s->y + m->nq, *G = w + m->nq + n, *W = G + nc*n, *x = W + 2*nc*n, *A = x + nc;
  if ((bad = epi_hold(m, s->t, s->y, x, G, A + nc*nc))) return bad;
  epi_weigh(f, s->y, G, W);
  for (int c = 0; c < nc; c++) x[c] = dot(n, G + c*n, v) + A[nc*nc + c];
  if (epi_normal(m, 1, G, W, A, x)) return epi_singular(f, s->t);
  for (int c = 0; c < nc; c++) {
    for (int i = 0; i < n; i++) v[i] -= W[c*n + i]*x[c];
    if (s->impulse) s->impulse[c] -= x[c];
  }
  return 0;
}
