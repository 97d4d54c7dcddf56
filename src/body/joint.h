/* joint.h - what kinds of joints are made of */
#ifndef EPI_JOINT_H
#define EPI_JOINT_H
#include "rotation.h"

/* arms of the points in space, and from the point of b to that of a */
static inline void epi_joint_gap_of(const epi_joint *j, const epi_pose *a, const epi_pose *b, double *la, double *lb, double *gap)
{
  epi_out_of(a->R, j->at_a, la);
  epi_out_of(b->R, j->at_b, lb);
  for (int i = 0; i < 3; i++) gap[i] = a->r[i] + la[i] - b->r[i] - lb[i];
}

/* and its first and second rate, where velocities stay as they are: what turns steadily is pulled inwards */
static inline void epi_joint_motion_of(const epi_joint *j, const epi_pose *a, const epi_pose *b, double *la, double *lb, double *gap,
                                       double *rate, double *second)
{
  double ra[3], rb[3], in[3];
  epi_joint_gap_of(j, a, b, la, lb, gap);
  epi_vector_cross(a->w, la, ra);
  epi_vector_cross(b->w, lb, rb);
  for (int i = 0; i < 3; i++) rate[i] = a->v[i] + ra[i] - b->v[i] - rb[i];
  epi_vector_cross(a->w, ra, second);
  epi_vector_cross(b->w, rb, in);
  for (int i = 0; i < 3; i++) second[i] -= in[i];
}

/* row of g = u.(pa - pb) for a direction u that moves with b: its point moves, and u turns */
static inline void epi_joint_direction(const epi_pose *a, const epi_pose *b, const double *u, const double *la, double *G)
{
  double x[3], arm[3];
  for (int i = 0; i < 3; i++) { G[i] = u[i]; G[6+i] = -u[i]; arm[i] = a->r[i] + la[i] - b->r[i]; }
  epi_vector_cross(la, u, x);
  epi_into(a->R, x, G + 3);
  epi_vector_cross(arm, u, x);
  epi_into(b->R, x, G + 9);
  for (int i = 9; i < 12; i++) G[i] = -G[i];
}
/* the frame of the joint on b, in space */
static inline void epi_joint_frame_b(const epi_joint *j, const epi_pose *b, double *F)
{
  epi_rotation_of_any(j->frame_b, F);
  epi_rotation_product(b->R, F, F);
}

/* the point of a in that frame, with its first and second derivative where both bodies go on steadily */
static inline void epi_joint_seen_from_b(const epi_joint *j, const epi_pose *a, const epi_pose *b, double *x, double *x1, double *x2)
{
  double F[9], la[3], lb[3], gap[3], rate[3], second[3], turn[3], in[3];
  epi_joint_frame_b(j, b, F);
  epi_joint_motion_of(j, a, b, la, lb, gap, rate, second);
  epi_vector_cross(b->w, rate, turn);
  epi_vector_cross(b->w, gap, in);
  for (int i = 0; i < 3; i++) rate[i] -= in[i];
  epi_vector_cross(b->w, in, in);
  for (int i = 0; i < 3; i++) second[i] += in[i] - 2*turn[i];
  epi_into(F, gap, x);
  epi_into(F, rate, x1);
  epi_into(F, second, x2);
}
#endif
