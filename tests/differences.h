/* differences.h - what a system says of itself, held against differences: forces and their slopes, potentials */
#ifndef DIFFERENCES_H
#define DIFFERENCES_H
#include "epicycle.h"
#include "test.h"

enum { MOST = 160 };                   /* more variables than any case here has */

static inline void forces(epi_system *m, const double *y, double *f)
{
  int bad = m->force(m, 0.3, y, f);
  if (!bad && m->velocity_force) bad = m->velocity_force(m, 0.3, y, y + m->nq, f);
  if (bad) test_stop("a force failed");
}

/* the largest error of a slope near a start, against the largest entry */
static inline double slope_error(epi_system *m, const double *start)
{
  int n = m->nq, dim = 2*n;
  double y[MOST], up[MOST], down[MOST], A[MOST*MOST] = {0}, B[MOST*MOST] = {0}, worst = 0, size = 1;
  for (int i = 0; i < dim; i++) y[i] = start[i] + 0.01*(i + 1);
  if (m->jacobian.slope(m, 0.3, y, 1, 0, A) || m->jacobian.slope(m, 0.3, y, 0, 1, B)) test_stop("a slope failed");
  for (int j = 0; j < dim; j++) {
    double keep = y[j], e = 1e-5;
    y[j] = keep + e;
    forces(m, y, up);
    y[j] = keep - e;
    forces(m, y, down);
    y[j] = keep;
    for (int i = 0; i < n; i++) {
      double given = j < n ? A[i*n + j] : B[i*n + j - n];
      worst = fmax(worst, fabs(given - (up[i] - down[i])/(2*e)));
      size = fmax(size, fabs(given));
    }
  }
  return worst/size;
}

/* the largest |f + dV/dq|, against the largest force */
static inline double potential_error(epi_system *m, const double *start)
{
  double y[MOST], f[MOST], worst = 0, size = 1, e = 1e-6;
  memcpy(y, start, (size_t)epi_size(m)*sizeof *y);
  if (m->force(m, 0.3, y, f)) test_stop("a force failed");
  for (int i = 0; i < m->nq; i++) {
    double keep = y[i];
    y[i] = keep + e;
    double up = m->energies.potential(m, 0.3, y);
    y[i] = keep - e;
    double down = m->energies.potential(m, 0.3, y);
    y[i] = keep;
    worst = fmax(worst, fabs(f[i] + (up - down)/(2*e)));
    size = fmax(size, fabs(f[i]));
  }
  return worst/size;
}
#endif
