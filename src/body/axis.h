/* axis.h - axes of joints: where they are, and how fast they and their rates change */
#ifndef EPI_AXIS_H
#define EPI_AXIS_H
#include "parts.h"

/* about: x is an angle, and its rate n.(omega_a - omega_b); else n.(velocity of a's point past b) */
typedef struct { double x, n[3]; int about; } epi_axis_place;
EPI_INSIDE int epi_axis_is_turn(int axis);
/* 0, or why that axis cannot be had of this joint, in words that follow its name */
EPI_INSIDE int epi_axis_wrong(const epi_world_joint *, int axis, char *words, size_t size);
EPI_INSIDE int epi_axis_at(const epi_joint *, int axis, const epi_pose *a, const epi_pose *b, epi_axis_place *);
/* angles with the turns that are nearest to what was known of them: NULL, as they are, -pi to pi */
EPI_INSIDE int epi_axis_turned(const epi_joint *, int axis, const epi_pose *a, const epi_pose *b, const double *near, epi_axis_place *);
EPI_INSIDE void epi_axis_row(const epi_joint *, const epi_axis_place *, const epi_pose *a, const epi_pose *b, double G[12]);
EPI_INSIDE double epi_axis_rate(const double G[12], const epi_pose *a, const epi_pose *b);
/* how fast the rate changes where all velocities stay as they are; not of EPI_SWING */
EPI_INSIDE double epi_axis_bend(const epi_joint *, int axis, const epi_pose *a, const epi_pose *b);
#endif
