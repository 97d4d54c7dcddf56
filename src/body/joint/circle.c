/* circle.c - a point of a on a circle about z of the frame on b */
#include "body/joint.h"
#include <stdio.h>

static int check(const epi_joint *j, char *words, size_t size)
{
  if (j->radius > 0 && j->radius < HUGE_VAL) return 0;
  snprintf(words, size, "holds a point on a circle of the radius %g: give a positive one in m", j->radius);
  return 1;
}

/* along z, and outwards from the axis */
static int eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  double F[9], la[3], lb[3], gap[3], u[3];
  (void)t;
  epi_joint_frame_b(j, b, F);
  epi_joint_gap_of(j, a, b, la, lb, gap);
  const double z[3] = {F[2], F[5], F[8]}, up = epi_dot(z, gap);
  for (int i = 0; i < 3; i++) u[i] = gap[i] - up*z[i];
  double far = sqrt(epi_dot(u, u));
  if (!(far > 0)) return EPI_TOO_FAR;
  for (int i = 0; i < 3; i++) u[i] /= far;
  epi_joint_direction(a, b, z, la, out->G[0]);
  epi_joint_direction(a, b, u, la, out->G[1]);
  out->g[0] = up;
  out->g[1] = far - j->radius;
  return 0;
}

/* seen from b, which turns steadily */
static int bend(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, double *out)
{
  double x[3], x1[3], x2[3];
  (void)t;
  epi_joint_seen_from_b(j, a, b, x, x1, x2);
  double far = sqrt(x[0]*x[0] + x[1]*x[1]), along = (x[0]*x1[0] + x[1]*x1[1])/far;
  out[0] = x2[2];
  out[1] = (x1[0]*x1[0] + x1[1]*x1[1] + x[0]*x2[0] + x[1]*x2[1] - along*along)/far;
  return 0;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "the point, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "the centre of the circle, in b"},
  {.name = "frame_b", .unit = "", .kind = EPI_LIST, .doc = "attitude of the frame in b, a quaternion; the circle is about its z"},
  {.name = "radius", .unit = "m", .doc = "of the circle"},
  {0}
};
const epi_joint_kind epi_JOINT_ON_CIRCLE = {
  .name = "on-circle", .doc = "holds a point on a circle", .params = params, .hold = EPI_ON_CIRCLE, .rows = 2, .check = check, .eval = eval,
  .bend = bend,
};
