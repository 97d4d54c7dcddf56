/* rotation.c - rotation matrices and unit quaternions, and how they are moved
 * Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.5 and IV.8. */
#include "rotation.h"

/* ---- matrices ---- */
void epi_rotation_of(const double *q, double *R)
{
  double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2*(y*y + z*z), R[1] = 2*(x*y - w*z), R[2] = 2*(x*z + w*y);
  R[3] = 2*(x*y + w*z), R[4] = 1 - 2*(x*x + z*z), R[5] = 2*(y*z - w*x);
  R[6] = 2*(x*z - w*y), R[7] = 2*(y*z + w*x), R[8] = 1 - 2*(x*x + y*y);
}

void epi_rotation_of_any(const double *q, double *R)
{
  static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) { memcpy(R, none, sizeof none); return; }
  double n = 1/sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
  epi_rotation_of((const double[4]){n*q[0], n*q[1], n*q[2], n*q[3]}, R);
}

void epi_rotation_product(const double *A, const double *B, double *out)
{
  double x[9];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) x[3*i+j] = A[3*i]*B[j] + A[3*i+1]*B[3+j] + A[3*i+2]*B[6+j];
  memcpy(out, x, sizeof x);
}

void epi_rotation_between(const double *A, const double *B, double *out)
{
  double x[9];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) x[3*i+j] = A[i]*B[j] + A[3+i]*B[3+j] + A[6+i]*B[6+j];
  memcpy(out, x, sizeof x);
}

/* by the largest of the four, for a hinge may turn all the way round */
double epi_rotation_turns(const double *R, double *th)
{
  const double four[4][4] = {{1 + R[0] + R[4] + R[8], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                             {R[7] - R[5], 1 + R[0] - R[4] - R[8], R[1] + R[3], R[2] + R[6]},
                             {R[2] - R[6], R[1] + R[3], 1 - R[0] + R[4] - R[8], R[5] + R[7]},
                             {R[3] - R[1], R[2] + R[6], R[5] + R[7], 1 - R[0] - R[4] + R[8]}};
  int i = 0;
  for (int k = 1; k < 4 && four[0][0] < 1; k++) if (four[k][k] > four[i][i]) i = k;
  double s = (four[i][0] < 0 ? -1 : 1)/sqrt(four[i][i]);
  for (int k = 0; k < 3; k++) th[k] = s*four[i][k+1];
  return 0.5*s*four[i][0];
}

/* ---- quaternions ---- */
void epi_quaternion_times(const double *a, const double *b, double *out)
{
  double r[] = {a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3], a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
                a[0]*b[2] + a[2]*b[0] + a[3]*b[1] - a[1]*b[3], a[0]*b[3] + a[3]*b[0] + a[1]*b[2] - a[2]*b[1]};
  memcpy(out, r, sizeof r);
}

void epi_quaternion_unit(const double *q, double *out)
{
  double size = sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
  for (int i = 0; i < 4; i++) out[i] = size > 0 ? q[i]/size : i == 0;
}

void epi_quaternion_about(int axis, double angle, double *out)
{
  memset(out, 0, 4*sizeof *out);
  out[0] = cos(angle/2);
  out[1 + axis] = sin(angle/2);
}

void epi_quaternion_upright(const double *n, double *q)
{
  const double turn[4] = {1 + n[2], -n[1], n[0], 0}, over[4] = {0, 1, 0, 0};
  epi_quaternion_unit(n[2] > -1 + 1e-12 ? turn : over, q);
}

/* b + 2 (s p x b + p x (p x b)) for q = (s, p) */
static void rotate(double s, const double *p, const double *b, double *out)
{
  double x[3], xx[3];
  epi_vector_cross(p, b, x);
  epi_vector_cross(p, x, xx);
  for (int i = 0; i < 3; i++) out[i] = b[i] + 2*(s*x[i] + xx[i]);
}

void epi_to_space(const double *q, const double *body, double *space) { rotate(q[0], q + 1, body, space); }
void epi_to_body(const double *q, const double *space, double *body) { rotate(-q[0], q + 1, space, body); }

/* ---- moving ---- */
void epi_turn_far(const double *q, const double *u, double *out)
{
  double a2 = epi_dot(u, u), a = sqrt(a2), k = a > 1e-4 ? sin(a/2)/a : 0.5 - a2/48;
  double r[4], e[] = {cos(a/2), k*u[0], k*u[1], k*u[2]};
  epi_quaternion_times(q, e, r);
  double size = sqrt(r[0]*r[0] + epi_dot(r + 1, r + 1));
  for (int i = 0; i < 4; i++) out[i] = r[i]/size;
}

/* u' = v + u x v/2 + c u x (u x v), c = (1 - (a/2) cot(a/2))/a^2, a = |u| */
void epi_turn_rate(const double *u, const double *v, double *du)
{
  double a2 = epi_dot(u, u), a = sqrt(a2), x[3], xx[3];
  double c = a > 1e-2 ? (1 - a/2/tan(a/2))/a2 : 1./12 + a2/720 + a2*a2/30240;
  epi_vector_cross(u, v, x);
  epi_vector_cross(u, x, xx);
  for (int i = 0; i < 3; i++) du[i] = v[i] + x[i]/2 + c*xx[i];
}
