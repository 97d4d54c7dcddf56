/* joint.h - what kinds of joints are made of */
#ifndef EPI_JOINT_H
#define EPI_JOINT_H
#include "world.h"

/* arms of the points in space, and from the point of b to that of a */
EPI_INSIDE void epi_joint_gap_of(const epi_joint *, const epi_pose *a, const epi_pose *b, double *la, double *lb, double *gap);
/* row of g = u.(pa - pb) for a direction u that moves with b: its point moves, and u turns */
EPI_INSIDE void epi_joint_direction(const epi_pose *a, const epi_pose *b, const double *u, const double *la, double *G);
#endif
