/* gradient.c - the gradient G of constraints, dense or by the pattern its system gives: products with it */
#include "core.h"

long epi_G_size(const epi_space *p) { return p->pattern ? p->sys->constraints.rowptr[p->sys->nc] : (long)p->sys->nc*epi_nv(p->sys); }

int epi_constraint_eval(epi_system *m, double t, const double *q, double *g, double *G, double *gt)
{
  memset(gt, 0, (size_t)m->nc*sizeof *gt);
  return m->constraint(m, t, q, g, G, gt);
}

void epi_G_inverse_mass(epi_space *p, const double *q, const double *G, double *W)
{
  const epi_system *m = p->sys;
  int n = epi_nv(m);
  memcpy(W, G, (size_t)epi_G_size(p)*sizeof *W);
  if (!p->pattern) for (int c = 0; c < m->nc; c++) epi_mass_divide(p, q, W + (long)c*n);
  else if (m->mass) for (int k = 0; k < m->constraints.rowptr[m->nc]; k++) W[k] /= m->mass[m->constraints.cols[k]];
}

void epi_Gt_mul(const epi_space *p, const double *W, const double *x, double *d)
{
  const epi_system *m = p->sys;
  int n = epi_nv(m);
  memset(d, 0, (size_t)n*sizeof *d);
  for (int c = 0; c < m->nc; c++) {
    if (!p->pattern) for (int i = 0; i < n; i++) d[i] += W[c*n + i]*x[c];
    else for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) d[m->constraints.cols[k]] += W[k]*x[c];
  }
}

void epi_G_mul(const epi_space *p, const double *G, const double *v, double *x)
{
  const epi_system *m = p->sys;
  int n = epi_nv(m);
  for (int c = 0; c < m->nc; c++) {
    double s = 0;
    if (!p->pattern) for (int i = 0; i < n; i++) s += G[c*n + i]*v[i];
    else for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) s += G[k]*v[m->constraints.cols[k]];
    x[c] += s;
  }
}

double epi_G_length(const epi_space *p, const double *G, int c)
{
  const epi_system *m = p->sys;
  int n = epi_nv(m), from = p->pattern ? m->constraints.rowptr[c] : c*n, to = p->pattern ? m->constraints.rowptr[c + 1] : (c + 1)*n;
  double s = 0;
  for (int k = from; k < to; k++) s += G[k]*G[k];
  return sqrt(s);
}
