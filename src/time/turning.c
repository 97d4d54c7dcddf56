/* turning.c - rotations in discrete Lagrangians: derivatives of the way between two places, block by block */
#include "turning.h"

static int first_of(int *of, int i)
{
  while (of[i] != i) i = of[i];
  return i;
}

void epi_turning_free(epi_turning *x)
{
  if (!x) return;
  free(x->unit);
  free(x->v);
  free(x);
}

long epi_turning_size(const epi_turning *x) { return (long)x->n*x->wide; }

/* velocities that R mixes belong together: found at a turn like no other */
static void find_units(epi_system *m, epi_turning *x)
{
  int n = x->n;
  double *u = x->b;
  for (int i = 0; i < n; i++) { x->unit[i] = i; u[i] = 0.1 + 0.03*((i*7) % 11); }
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < n; i++) x->v[i] = i == c;
    m->manifold.retract_rate(m, u, x->v, x->w);
    for (int i = 0; i < n; i++) {
      int a = first_of(x->unit, i), b = first_of(x->unit, c);
      if (fabs(x->w[i]) > 1e-9) x->unit[a > b ? a : b] = a > b ? b : a;
    }
  }
  for (int i = 0; i < n; i++) {
    x->unit[i] = first_of(x->unit, i);
    x->colour[i] = 0;
    for (int k = 0; k < i; k++) x->colour[i] += x->unit[k] == x->unit[i];
    if (x->colour[i] >= x->wide) x->wide = x->colour[i] + 1;
  }
}

epi_turning *epi_turning_make(epi_system *m)
{
  size_t n = (size_t)epi_nv(m);
  epi_turning *x = calloc(1, sizeof *x);
  if (!x) return NULL;
  x->n = (int)n;
  x->unit = calloc(2*n + n*n + 1, sizeof *x->unit);
  x->v = calloc(3*n + 2*n*n + 1, sizeof *x->v);
  if (!x->unit || !x->v) { epi_turning_free(x); return NULL; }
  x->colour = x->unit + n, x->member = x->colour + n;
  x->w = x->v + n, x->b = x->w + n, x->A = x->b + n, x->more = x->A + n*n;
  find_units(m, x);
  for (size_t i = 0; i < n*n; i++) x->member[i] = -1;
  for (int i = 0; i < x->n; i++) x->member[x->unit[i]*x->n + x->colour[i]] = i;
  return x;
}

void epi_turning_matrix(epi_system *m, const epi_turning *x, double s, const double *u, double *R)
{
  int n = x->n;
  for (int i = 0; i < n; i++) x->b[i] = s*u[i];
  for (int c = 0; c < x->wide; c++) {
    for (int i = 0; i < n; i++) x->v[i] = x->colour[i] == c;
    m->manifold.retract_rate(m, x->b, x->v, x->w);
    for (int i = 0; i < n; i++) R[(long)i*x->wide + c] = x->member[x->unit[i]*n + c] >= 0 ? x->w[i] : 0;
  }
}

void epi_turning_transposed(const epi_turning *x, const double *R, const double *y, double *out)
{
  int n = x->n;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int c = 0; c < x->wide; c++) {
      int i = x->member[x->unit[j]*n + c];
      if (i >= 0) sum += R[(long)i*x->wide + x->colour[j]]*y[i];
    }
    out[j] = sum;
  }
}

int epi_turning_solve(const epi_turning *x, const double *R, double *y)
{
  int n = x->n;
  for (int u = 0; u < n; u++) {
    int size = 0;
    const int *in = x->member + u*n;
    while (size < x->wide && in[size] >= 0) size++;
    for (int i = 0; i < size; i++) {
      x->b[i] = y[in[i]];
      for (int k = 0; k < size; k++) x->A[i*size + k] = R[(long)in[k]*x->wide + i];
    }
    if (size && epi_solve(size, x->A, x->b)) return EPI_TOO_FAR;
    for (int i = 0; i < size; i++) y[in[i]] = x->b[i];
  }
  return 0;
}

/* momentum . [v, e_j]; the odd part of R is half the bracket at any size */
void epi_turning_gyro(epi_system *m, const epi_turning *x, const double *v, const double *momentum, double *R, double *out)
{
  double size = 0;
  for (int i = 0; i < x->n; i++) size = fmax(size, fabs(v[i]));
  double s = size > 0 ? 0.1/size : 1;
  epi_turning_matrix(m, x, s, v, R);
  epi_turning_matrix(m, x, -s, v, x->more);
  for (long i = 0; i < epi_turning_size(x); i++) R[i] = (R[i] - x->more[i])/s;
  epi_turning_transposed(x, R, momentum, out);
}
