/* few.h - the algebra of one or two constraints with a plain mass, written out; nc and n are constants where it is inlined */
#ifndef EPI_FEW_H
#define EPI_FEW_H
#include "core.h"

static inline __attribute__((always_inline)) void
weigh_few(const epi_system *m, int n, const double *restrict G, double *restrict W, const int nc)
{
  for (int c = 0; c < nc; c++)
    for (int i = 0; i < n; i++) W[c*n + i] = m->mass ? G[c*n + i]/m->mass[i] : G[c*n + i];
}

/* and back: the gradient that W was made of */
static inline void unweigh_few(const epi_system *m, int n, const double *W, double *G, const int nc)
{
  for (int c = 0; c < nc; c++)
    for (int i = 0; i < n; i++) G[c*n + i] = m->mass ? W[c*n + i]*m->mass[i] : W[c*n + i];
}

/* 2: they depend on each other, and x is as it was */
static inline __attribute__((always_inline)) int
solve_few(int n, double s, const double *restrict G, const double *restrict W, double *restrict x, const int nc)
{
  double a = 0, b = 0, c = 0, d = 0;
  if (nc == 1) {
    for (int k = 0; k < n; k++) a += G[k]*W[k];
    if (a == 0) return 1;
    x[0] /= s*a;
    return 0;
  }
  for (int k = 0; k < n; k++) {
    a += G[k]*W[k];
    b += G[k]*W[n + k];
    c += G[n + k]*W[k];
    d += G[n + k]*W[n + k];
  }
  double D = a*d - b*c;
  if (!(fabs(D) > 1e-13*(fabs(a*d) + fabs(b*c)))) return 2;
  double y = (d*x[0] - b*x[1])/(s*D);
  x[1] = (a*x[1] - c*x[0])/(s*D);
  x[0] = y;
  return 0;
}

/* v -= W^T x; returns the largest change */
static inline __attribute__((always_inline)) double
push_few(int n, const double *restrict W, const double *restrict x, double *restrict v, const int nc)
{
  double big = 0;
  for (int i = 0; i < n; i++) {
    double d = W[i]*x[0];
    if (nc == 2) d += W[n + i]*x[1];
    v[i] -= d;
    big = fmax(big, fabs(d));
  }
  /* fmax hides NaN, the multipliers do not */
  return big + 0*x[0] + (nc == 2 ? 0*x[1] : 0);
}

static inline __attribute__((always_inline)) int hold_few(epi_system *m, double t, const double *q, double *g, double *G, double *gt,
                                                          const int nc)
{
  for (int c = 0; c < nc; c++) gt[c] = 0;
  return m->constraint(m, t, q, g, G, gt);
}
#endif
