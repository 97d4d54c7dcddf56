/* motion.c - how a constrained system moves on from a state: accelerations and multipliers, whatever the flow that came there */
#include "motion.h"

/* rows of constraints by the pattern of their system */
typedef struct {
  epi_space *space;
  epi_system *m;
  double *G, *W, *A, *g, *F, *q, *f, *tmp;
  int *moves;                          /* the constraints move by themselves */
} motion;

/* F = G v + gt where the positions have moved on by e with these velocities */
static int leaving(const motion *d, const epi_state *s, double e)
{
  epi_system *m = d->m;
  const double *v = s->y + m->nq;
  epi_shift(m, s->y, e, v, d->q, d->tmp);
  int bad = epi_constraint_eval(m, s->t + e, d->q, d->g, d->G, d->F);
  for (int c = 0; c < m->nc; c++) *d->moves |= d->F[c] != 0;
  if (!bad) epi_G_mul(d->space, d->G, v, d->F);
  return bad;
}

/* F' by central differences of sixth order over e */
static int differ(const motion *d, const epi_state *s, double e, double *dF)
{
  static const double weight[] = {45./60, -9./60, 1./60};
  int nc = d->m->nc, bad = 0;
  memset(dF, 0, (size_t)nc*sizeof *dF);
  for (int k = -3; k <= 3 && !bad; k++) {
    if (!k) continue;
    bad = leaving(d, s, k*e);
    for (int c = 0; c < nc; c++) dF[c] += (k > 0 ? 1 : -1)*weight[abs(k) - 1]*d->F[c]/e;
  }
  return bad;
}

/* a hundredth of the time in which anything turns by one radian. Constraints that move may swing faster than that: then over as little as
   it takes for two of them to agree */
static int bending(const motion *d, const epi_state *s, double *dF)
{
  int nc = d->m->nc;
  double fast = fabs(d->m->phase.phase_rate) > 1 ? fabs(d->m->phase.phase_rate) : 1, *finer = d->f, off = 0, last = HUGE_VAL;
  for (int i = 0; i < epi_nv(d->m); i++) fast = fmax(fast, fabs(s->y[d->m->nq + i]));
  if (d->m->constraints.constraint_bend && !d->m->constraints.constraint_bend(d->m, s->t, 0, s->y, s->y + d->m->nq, dF))
    return leaving(d, s, 0);
  double e = 0.01/fast;
  int bad = differ(d, s, e, dF), moves = !bad && *d->moves && nc <= epi_nv(d->m);
  for (int k = 0; k < 8 && moves && !bad; k++, last = off) {
    double size = 1;
    off = 0;
    if ((bad = differ(d, s, e /= 8, finer))) break;
    for (int c = 0; c < nc; c++) { off = fmax(off, fabs(finer[c] - dF[c])); size = fmax(size, fabs(finer[c])); }
    /* what rounding leaves grows as they get shorter: only what is plainly off is taken over less */
    if (off <= (k ? 1e-8 : 1e-5)*size || off >= last) break;
    memcpy(dF, finer, (size_t)nc*sizeof *dF);
  }
  return bad ? bad : leaving(d, s, 0);
}

/* what the constraints add to the accelerations a: G M^-1 G^T lambda = -(F' + G a) */
static int joined(const motion *d, const epi_state *s, double *a, double *lambda)
{
  epi_system *m = d->m;
  int n = epi_nv(m), bad = bending(d, s, lambda);
  if (bad) return bad;
  epi_G_mul(d->space, d->G, a, lambda);
  for (int c = 0; c < m->nc; c++) lambda[c] = -lambda[c];
  epi_G_inverse_mass(d->space, s->y, d->G, d->W);
  d->space->redundant = epi_redundant_rows(d->space, d->G, d->W, d->A, d->g, NULL);
  if (epi_normal_solve(d->space, 1, d->G, d->G, d->W, d->A, lambda)) return EPI_WRONG;
  if (d->space->contradiction.found) epi_least_multipliers(d->space, d->G, d->W, d->A, lambda);
  epi_Gt_mul(d->space, d->W, lambda, d->f);
  for (int i = 0; i < n; i++) a[i] += d->f[i];
  return 0;
}

int epi_constrained_motion(epi_system *m, const epi_state *s, double *a, double *lambda)
{
  int moves = 0;
  motion d = {.space = epi_space_make(m), .m = m, .moves = &moves};
  int bad = !d.space || d.space->fault.words[0] ? EPI_WRONG : 0;
  if (!bad) bad = epi_space_accel_all(d.space, s->t, s->theta, s->y, s->y + m->nq, a);
  if (!bad && m->nc) {
    size_t n = (size_t)epi_nv(m), nc = (size_t)m->nc, nG = (size_t)epi_G_size(d.space), nA = (size_t)epi_A_size(d.space);
    d.G = malloc((2*nG + nA + 2*nc + 2*n + 2*(size_t)m->nq)*sizeof *d.G);
    d.W = d.G + nG, d.A = d.W + nG, d.g = d.A + nA, d.F = d.g + nc, d.f = d.F + nc, d.q = d.f + n, d.tmp = d.q + m->nq;
    bad = d.G ? joined(&d, s, a, lambda) : EPI_WRONG;
    free(d.G);
  }
  if (d.space) epi_space_release(d.space);
  return bad;
}
