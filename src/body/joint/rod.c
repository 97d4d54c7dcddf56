/* rod.c - the distance of two points */
#include "body/joint.h"
#include <stdio.h>

static int check(const epi_joint *j, char *words, size_t size)
{
  if (j->length > 0 || ((j->stretch.at || j->stretch.amplitude != 0) && j->length == 0)) return 0;
  snprintf(words, size, "is a rod: it holds the distance of its points alone, and needs its length > 0");
  return 1;
}

/* it lies along the gap itself */
static int eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  double la[3], lb[3], gap[3], u[3];
  (void)t;
  epi_joint_gap_of(j, a, b, la, lb, gap);
  double far = sqrt(epi_dot(gap, gap));
  for (int i = 0; i < 3; i++) u[i] = gap[i]/far;
  epi_joint_direction(a, b, u, la, out->G[0]);
  out->g[0] = far - j->length;
  return 0;
}

static int bend(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, double *out)
{
  double la[3], lb[3], gap[3], rate[3], second[3];
  (void)t;
  epi_joint_motion_of(j, a, b, la, lb, gap, rate, second);
  double far = sqrt(epi_dot(gap, gap)), along = epi_dot(gap, rate)/far;
  out[0] = (epi_dot(rate, rate) + epi_dot(gap, second) - along*along)/far;
  return 0;
}

static int draw(const epi_joint *j)
{
  (void)j;
  return EPI_BAR;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "its end on a, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "its end on b, in b"},
  {.name = "length", .unit = "m", .doc = "of the rod"},
  {0}
};
const epi_joint_kind epi_JOINT_ROD = {
  .name = "rod", .doc = "holds the distance of two points", .params = params, .hold = EPI_ROD, .rows = 1, .check = check, .eval = eval,
  .bend = bend,
  .draw = draw,
};
