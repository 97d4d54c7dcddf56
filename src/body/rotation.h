/* rotation.h - vectors and rotations by value: matrices by rows, attitudes as unit quaternions (q0, q1, q2, q3) from the body to space */
#ifndef EPI_ROTATION_H
#define EPI_ROTATION_H
#include "core.h"

static inline void epi_vector_cross(const double *a, const double *b, double *out)
{
  double x = a[1]*b[2] - a[2]*b[1], y = a[2]*b[0] - a[0]*b[2], z = a[0]*b[1] - a[1]*b[0];
  out[0] = x, out[1] = y, out[2] = z;
}
static inline double epi_dot(const double *a, const double *b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }
static inline void epi_out_of(const double *R, const double *x, double *out)            /* R x */
{
  double y[3];
  for (int i = 0; i < 3; i++) y[i] = R[3*i]*x[0] + R[3*i+1]*x[1] + R[3*i+2]*x[2];
  memcpy(out, y, sizeof y);
}
static inline void epi_into(const double *R, const double *x, double *out)              /* R^T x */
{
  double y[3];
  for (int i = 0; i < 3; i++) y[i] = R[i]*x[0] + R[3+i]*x[1] + R[6+i]*x[2];
  memcpy(out, y, sizeof y);
}

EPI_INSIDE void epi_rotation_of(const double *q, double *R);                           /* of a unit quaternion */
EPI_INSIDE void epi_rotation_of_any(const double *q, double *R);                       /* of any length; all zero: no rotation */
EPI_INSIDE void epi_rotation_product(const double *A, const double *B, double *out);   /* A B; out may be one of them */
EPI_INSIDE void epi_rotation_between(const double *A, const double *B, double *out);   /* A^T B */
EPI_INSIDE double epi_rotation_turns(const double *R, double *th);                     /* 2 (q1, q2, q3) of its quaternion; q0 >= 0 */

EPI_INSIDE void epi_quaternion_times(const double *a, const double *b, double *out);   /* out may be a or b */
EPI_INSIDE void epi_quaternion_unit(const double *q, double *out);                     /* no rotation where all is zero */
EPI_INSIDE void epi_quaternion_about(int axis, double angle, double *out);             /* axis 0, 1 or 2 */
EPI_INSIDE void epi_quaternion_upright(const double *n, double *q);                    /* brings z to n */
EPI_INSIDE void epi_to_space(const double *q, const double *body, double *space);
EPI_INSIDE void epi_to_body(const double *q, const double *space, double *body);

/* out = q exp(u), a unit again by a step of Newton. Small turns by series: (sin(a/2)/a, cos(a/2)) to rounding for a < 0.05 */
static inline void epi_turn(const double *q, const double *u, double *out)
{
  double a2 = u[0]*u[0] + u[1]*u[1] + u[2]*u[2], k, c;
  if (a2 < 0.0025) {
    k = 0.5 - a2*(1./48 - a2*(1./3840 - a2/645120));
    c = 1 - a2*(1./8 - a2*(1./384 - a2/46080));
  } else {
    double a = sqrt(a2);
    k = sin(a/2)/a;
    c = cos(a/2);
  }
  double x = k*u[0], y = k*u[1], z = k*u[2];
  double r[4] = {c*q[0] - x*q[1] - y*q[2] - z*q[3], c*q[1] + x*q[0] + q[2]*z - q[3]*y,
                 c*q[2] + y*q[0] + q[3]*x - q[1]*z, c*q[3] + z*q[0] + q[1]*y - q[2]*x};
  double size = r[0]*r[0] + r[1]*r[1] + r[2]*r[2] + r[3]*r[3], n = fabs(size - 1) < 1e-6 ? 1.5 - 0.5*size : 1/sqrt(size);
  for (int i = 0; i < 4; i++) out[i] = n*r[i];
}

/* the same by sine and cosine at every angle, made a unit by division: for turns of any size in one step */
EPI_INSIDE void epi_turn_far(const double *q, const double *u, double *out);
/* u' of q = q0 exp(u) for the velocity v */
EPI_INSIDE void epi_turn_rate(const double *u, const double *v, double *du);
/* the gyroscopic torque (I w) x w, which makes I w stay in space where no other acts; adds */
static inline void epi_gyro(const double *I, const double *w, double *f)
{
  f[0] += (I[1] - I[2])*w[1]*w[2];
  f[1] += (I[2] - I[0])*w[2]*w[0];
  f[2] += (I[0] - I[1])*w[0]*w[1];
}
#endif
