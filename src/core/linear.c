/* linear.c - the small dense solves inside a step */
#include "core.h"
#include "two.h"

int epi_lu(int n, double *A, int *pivot)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i*n + k]) > fabs(A[p*n + k])) p = i;
    pivot[k] = p;
    if (!(fabs(A[p*n + k]) > 0) || !isfinite(A[p*n + k])) return 1;
    if (p != k)
      for (int j = 0; j < n; j++) { double x = A[k*n + j]; A[k*n + j] = A[p*n + j]; A[p*n + j] = x; }
    for (int i = k + 1; i < n; i++) {
      double m = A[i*n + k] /= A[k*n + k];
      if (m == 0) continue;
      double *row = A + i*n;
      const double *top = A + k*n;
      int j = k + 1;
      for (; j + 1 < n; j += 2) epi_put_two(row + j, epi_two_at(row + j) - m*epi_two_at(top + j));
      if (j < n) row[j] -= m*top[j];
    }
  }
  return 0;
}

/* of many, four rows at a time, which wait for each other only where they meet */
void epi_lu_solve(int n, const double *A, const int *pivot, double *b)
{
  for (int k = 0; k < n; k++) {
    double x = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = x;
  }
  enum { FEW = 8 };
  int i = 0;
  for (; n > FEW && i + 3 < n; i += 4) {
    const double *row[4] = {A + i*n, A + (i + 1)*n, A + (i + 2)*n, A + (i + 3)*n};
    double x[4] = {b[i], b[i+1], b[i+2], b[i+3]};
    for (int j = 0; j < i; j++) { x[0] -= row[0][j]*b[j]; x[1] -= row[1][j]*b[j]; x[2] -= row[2][j]*b[j]; x[3] -= row[3][j]*b[j]; }
    x[1] -= row[1][i]*x[0];
    x[2] = x[2] - row[2][i]*x[0] - row[2][i+1]*x[1];
    x[3] = x[3] - row[3][i]*x[0] - row[3][i+1]*x[1] - row[3][i+2]*x[2];
    memcpy(b + i, x, sizeof x);
  }
  for (; i < n; i++)
    for (int j = 0; j < i; j++) b[i] -= A[i*n + j]*b[j];
  for (i = n - 4; n > FEW && i >= 0; i -= 4) {
    const double *row[4] = {A + i*n, A + (i + 1)*n, A + (i + 2)*n, A + (i + 3)*n};
    double x[4] = {b[i], b[i+1], b[i+2], b[i+3]};
    for (int j = n - 1; j > i + 3; j--) { x[0] -= row[0][j]*b[j]; x[1] -= row[1][j]*b[j]; x[2] -= row[2][j]*b[j]; x[3] -= row[3][j]*b[j]; }
    x[3] /= row[3][i+3];
    x[2] = (x[2] - row[2][i+3]*x[3])/row[2][i+2];
    x[1] = (x[1] - row[1][i+3]*x[3] - row[1][i+2]*x[2])/row[1][i+1];
    x[0] = (x[0] - row[0][i+3]*x[3] - row[0][i+2]*x[2] - row[0][i+1]*x[1])/row[0][i];
    memcpy(b + i, x, sizeof x);
  }
  for (i += 3; i >= 0; i--) {
    for (int j = n - 1; j > i; j--) b[i] -= A[i*n + j]*b[j];
    b[i] /= A[i*n + i];
  }
}

/* eliminates as it goes, so that no pivot list is needed; a pivot lost to rounding is none */
static int eliminate(double least, int n, double *A, double *b)
{
  double size = 0;
  for (int k = 0; k < n*n; k++) size = fmax(size, fabs(A[k]));
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i*n + k]) > fabs(A[p*n + k])) p = i;
    if (!(fabs(A[p*n + k]) > least*size)) return 1 + k;
    if (p != k) {
      double x = b[k]; b[k] = b[p]; b[p] = x;
      for (int j = 0; j < n; j++) { x = A[k*n + j]; A[k*n + j] = A[p*n + j]; A[p*n + j] = x; }
    }
    for (int i = k + 1; i < n; i++) {
      double m = A[i*n + k]/A[k*n + k];
      for (int j = k + 1; j < n; j++) A[i*n + j] -= m*A[k*n + j];
      b[i] -= m*b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i*n + j]*b[j];
    b[i] /= A[i*n + i];
  }
  return 0;
}

int epi_solve_above(double least, int n, double *A, double *b)
{
  if (n == 1) {
    if (!(fabs(A[0]) > 0)) return 1;
    b[0] /= A[0];
    return 0;
  }
  if (n == 2) {
    double D = A[0]*A[3] - A[1]*A[2];
    if (!(fabs(D) > least*(fabs(A[0]*A[3]) + fabs(A[1]*A[2])))) return 2;
    double x = (A[3]*b[0] - A[1]*b[1])/D;
    b[1] = (A[0]*b[1] - A[2]*b[0])/D;
    b[0] = x;
    return 0;
  }
  return eliminate(least, n, A, b);
}

int epi_solve(int n, double *A, double *b) { return epi_solve_above(1e-15, n, A, b); }

/* A = L L^T, L in the lower triangle; 1 if A is not positive definite to working precision */
int epi_cholesky(int n, double *A)
{
  for (int j = 0; j < n; j++) {
    double d = A[j*n + j], whole = d;
    for (int k = 0; k < j; k++) d -= A[j*n + k]*A[j*n + k];
    if (!(d > 1e-14*fabs(whole)) || !isfinite(d)) return 1;
    A[j*n + j] = d = sqrt(d);
    for (int i = j + 1; i < n; i++) {
      double x = A[i*n + j];
      for (int k = 0; k < j; k++) x -= A[i*n + k]*A[j*n + k];
      A[i*n + j] = x/d;
    }
  }
  return 0;
}

void epi_cholesky_solve(int n, const double *A, double *b)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) b[i] -= A[i*n + j]*b[j];
    b[i] /= A[i*n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[j*n + i]*b[j];
    b[i] /= A[i*n + i];
  }
}
