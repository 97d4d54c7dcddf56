/* rotation.h - vectors and rotations by value: matrices by rows, attitudes as unit quaternions (q0, q1, q2, q3) from the body to space */
#ifndef EPI_TURNING_H
#define EPI_TURNING_H
#include "core.h"

static inline void epi_cross(const double *a, const double *b, double *out)
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

/* out = q exp(u), a unit again by a step of Newton. Small turns by their series, to rounding */
EPI_INSIDE void epi_turn(const double *q, const double *u, double *out);
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
