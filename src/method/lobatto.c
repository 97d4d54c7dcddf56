/* lobatto.c - the Lobatto IIIA-IIIB pair; on a constrained system in the form of Jay, which keeps g = 0 at every stage and
 * G v + gt = 0 at the step points: order 2 (it is RATTLE) and 4, symplectic and symmetric */
#include "method/table.h"

/* work: stages of positions, velocities, accelerations; G and W of each; multipliers; block matrix; room of the projection */
typedef struct { double *Q, *V, *A, *G, *W, *lambda, *r, *gt, *N, *d, *room; } lobatto_work;

static lobatto_work work_of(const epi_flow *f, double *w, int S)
{
  const epi_system *m = f->sys;
  long n = epi_nv(m), nG = epi_G_size(f->space), nc = m->nc;
  lobatto_work d = {.Q = w};
  d.V = d.Q + S*n;
  d.A = d.V + S*n;
  d.G = d.A + S*n;
  d.W = d.G + S*nG;
  d.lambda = d.W + S*nG;
  d.r = d.lambda + S*nc;
  d.gt = d.r + S*nc;
  d.N = d.gt + nc;
  d.d = d.N + S*nc*S*nc;
  d.room = d.d + n;
  return d;
}

static long work_room(const epi_flow *f, long S)
{
  long n = epi_nv(f->sys), nc = f->sys->nc;
  return 3*S*n + 2*S*epi_G_size(f->space) + 2*S*nc + nc + S*nc*S*nc + n + epi_constraint_room(f->space);
}

/* A_k = M^-1 (F_k + G_k^T lambda_k) at the stage positions of now */
static int forces(epi_flow *f, const lobatto_work *d, const epi_table *T, int k, double t, double theta, double h)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), S = T->stages, bad;
  double c = 0, *G = d->G + k*epi_G_size(f->space), *W = d->W + k*epi_G_size(f->space);
  for (int j = 0; j < S; j++) c += T->a[k*S + j];
  if ((bad = epi_accel_all(f, t + c*h, epi_phase_at(m, t, theta, c*h), d->Q + k*n, d->V + k*n, d->A + k*n))) return bad;
  if ((bad = epi_constraint_eval(m, t + c*h, d->Q + k*n, d->r, G, d->gt))) return bad;
  epi_G_inverse_mass(f->space, d->Q + k*n, G, W);
  epi_Gt_mul(f->space, W, d->lambda + k*m->nc, d->d);
  for (int i = 0; i < n; i++) d->A[k*n + i] += d->d[i];
  return 0;
}

/* V_i = v + h sum a2_ij A_j, Q_i = q + h sum a_ij V_j */
static void points(const epi_flow *f, const lobatto_work *d, const epi_table *T, const epi_state *s, double h)
{
  int n = epi_nv(f->sys), S = T->stages;
  const double *q = s->y, *v = q + n;
  for (int i = 0; i < S; i++)
    for (int l = 0; l < n; l++) {
      double x = 0;
      for (int j = 0; j < S; j++) x += T->a2[i*S + j]*d->A[j*n + l];
      d->V[i*n + l] = v[l] + h*x;
    }
  for (int i = 0; i < S; i++)
    for (int l = 0; l < n; l++) {
      double x = 0;
      for (int j = 0; j < S; j++) x += T->a[i*S + j]*d->V[j*n + l];
      d->Q[i*n + l] = q[l] + h*x;
    }
}

/* the change of lambda_1 .. lambda_(S-1) that brings g(Q_2) .. g(Q_S) to zero, to first order */
static int correction(epi_flow *f, const lobatto_work *d, const epi_table *T, double t, double h)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), S = T->stages, nc = m->nc, B = (S - 1)*nc, bad, which;
  long nG = epi_G_size(f->space);
  for (int i = 1; i < S; i++) {
    double c = 0;
    for (int j = 0; j < S; j++) c += T->a[i*S + j];
    if ((bad = epi_constraint_eval(m, t + c*h, d->Q + i*n, d->r + (i - 1)*nc, d->G + i*nG, d->gt))) return bad;
    for (int k = 0; k + 1 < S; k++) {
      double e = 0;
      for (int j = 0; j < S; j++) e += T->a[i*S + j]*T->a2[j*S + k];
      for (int a = 0; a < nc; a++)
        for (int b = 0; b < nc; b++) {
          double x = 0;
          for (int l = 0; l < n; l++) x += d->G[i*nG + a*n + l]*d->W[k*nG + b*n + l];
          d->N[((i - 1)*nc + a)*B + k*nc + b] = h*h*e*x;
        }
    }
  }
  if ((which = epi_solve(B, d->N, d->r))) return epi_singular(f->space, &f->fault, t, 1 + (which - 1) % nc);
  for (int k = 0; k < B; k++) d->lambda[k] -= d->r[k];
  return 0;
}

/* the rounding of an averaged force moves the positions of a step by no more: its mean is a small difference of large forces, and it is
   rounded at up to a millionth of itself. Of other forces the rounding of positions is more */
static double noise_of(const epi_flow *f, const lobatto_work *d, int S, double h)
{
  const double part = f->sys->derived && f->sys->derived->inner ? 1e-6 : 0;
  double most = 0;
  for (int k = 0; part > 0 && k < S*epi_nv(f->sys); k++) most = epi_larger(most, fabs(d->A[k]));
  return part*h*h*most;
}

/* until corrections are rounding, or are as small as rounding and no smaller in WAITS more of them */
enum { WAITS = 3 };
static int settle(epi_flow *f, const lobatto_work *d, const epi_table *T, const epi_state *s, double h)
{
  int n = epi_nv(f->sys), S = T->stages, bad;
  double last = HUGE_VAL, least = HUGE_VAL, *q1 = d->Q + (S - 1)*n, *before = d->room;
  for (int it = 0, waited = 0; it < 100; it++) {
    double big = 0, size = 0;
    memcpy(before, q1, (size_t)n*sizeof *q1);
    for (int k = 0; k < S; k++) if ((bad = forces(f, d, T, k, s->t, s->theta, h))) return bad;
    points(f, d, T, s, h);
    if ((bad = correction(f, d, T, s->t, h))) return bad;
    for (int k = 0; k + 1 < S; k++) {
      epi_Gt_mul(f->space, d->W + k*epi_G_size(f->space), d->r + k*f->sys->nc, d->d);
      for (int l = 0; l < n; l++) d->A[k*n + l] -= d->d[l];
    }
    points(f, d, T, s, h);
    for (int l = 0; l < n; l++) {
      big = epi_larger(big, fabs(q1[l] - before[l]));
      size = fmax(size, fabs(q1[l]));
    }
    if (!(big < 1e300)) break;
    if (it && (big <= 1e-16*size || (big >= 0.5*last && big <= 1e-14*size))) return 0;
    waited = big < 0.5*least ? 0 : waited + 1;
    if (waited >= WAITS && big <= noise_of(f, d, S, h)) return 0;
    least = fmin(least, big);
    last = big;
  }
  return epi_fail(f, EPI_TOO_FAR,
                  "lobatto: the stages on the constraints did not converge at t = %.10g with h = %g: take a smaller step", s->t, h);
}

static int lobatto(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  const epi_table *T = f->own;
  int n = epi_nv(m), S = T->stages, nc = m->nc, bad;
  lobatto_work d = work_of(f, f->work, S);
  while (steps-- > 0) {
    epi_tick end = epi_target(m, s, h);
    double *v = s->y + n;
    memset(d.lambda, 0, (size_t)(S*nc)*sizeof *d.lambda);
    memset(d.A, 0, (size_t)(S*n)*sizeof *d.A);
    points(f, &d, T, s, h);
    if ((bad = settle(f, &d, T, s, h))) return bad;
    /* the force at the end without its multiplier, which the velocities give */
    if ((bad = epi_accel_all(f, end.t, end.theta, d.Q + (S - 1)*n, d.V + (S - 1)*n, d.A + (S - 1)*n))) return bad;
    for (int l = 0; l < n; l++)
      for (int k = 0; k < S; k++) v[l] += h*T->b[k]*d.A[k*n + l];
    memcpy(s->y, d.Q + (S - 1)*n, (size_t)n*sizeof *v);
    if (s->impulse) for (int k = 0; k + 1 < S; k++) for (int c = 0; c < nc; c++) s->impulse[c] += h*T->b[k]*d.lambda[k*nc + c];
    epi_set_clock(s, end);
    epi_moved(f, s);
    if ((bad = epi_project_velocities(f->space, s, d.room, NULL, &f->fault))) return bad;
  }
  return 0;
}

void epi_lobatto_build(epi_flow *f)
{
  epi_system *m = f->sys;
  if (!m->nc) { epi_implicit_build(f); return; }
  const epi_table *T = epi_table_wanted(f->record, f->arg);
  if (epi_refuse(f, !T, "lobatto has no table of %g stages: take 2 or 3", f->arg[0].number)) return;
  epi_refuse(f, m->manifold.retract != NULL, "lobatto has no form for rotations with constraints: use verlet");
  epi_refuse(f, m->constraints.rowptr != NULL, "lobatto has no form for constraints given by starts and touches: use verlet or herk3");
  epi_refuse(f, epi_all_rate(m) || m->nz, "lobatto needs positions and velocities only; this system has a rate: use herk3");
  if (f->broken) return;
  epi_table *own = f->own = malloc(sizeof *own);
  if (epi_refuse_memory(f, !own) || epi_blocks(f, 0, work_room(f, T->stages))) return;
  *own = *T;
  f->order = T->order;
  if (m->velocity_force) f->claims &= ~(unsigned)(EPI_SYMPLECTIC | EPI_REVERSIBLE);
  f->go = lobatto;
}
