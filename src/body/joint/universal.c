/* universal.c - a point, and two shafts that turn together about a cross: x of the frame on a stays across z of the frame on b */
#include "body/joint.h"

static void axes_of(const epi_joint *j, const epi_pose *a, const epi_pose *b, double *x, double *z)
{
  double F[9];
  epi_rotation_of_any(j->frame_a, F);
  epi_out_of(a->R, (const double[3]){F[0], F[3], F[6]}, x);
  epi_rotation_of_any(j->frame_b, F);
  epi_out_of(b->R, (const double[3]){F[2], F[5], F[8]}, z);
}

/* the point along the axes of space, which do not turn; (x.z)' = (omega_a - omega_b).(x cross z) */
static int eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  double la[3], lb[3], gap[3], x[3], z[3], across[3];
  (void)t;
  epi_joint_gap_of(j, a, b, la, lb, gap);
  for (int k = 0; k < 3; k++) {
    const double u[3] = {k == 0, k == 1, k == 2};
    double turn[3];
    out->g[k] = gap[k];
    out->G[k][k] = 1;
    out->G[k][6 + k] = -1;
    epi_vector_cross(la, u, turn);
    epi_into(a->R, turn, out->G[k] + 3);
    epi_vector_cross(u, lb, turn);
    epi_into(b->R, turn, out->G[k] + 9);
  }
  axes_of(j, a, b, x, z);
  epi_vector_cross(x, z, across);
  out->g[3] = epi_dot(x, z);
  epi_into(a->R, across, out->G[3] + 3);
  epi_into(b->R, across, out->G[3] + 9);
  for (int i = 9; i < 12; i++) out->G[3][i] = -out->G[3][i];
  return 0;
}

static int bend(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, double *out)
{
  double la[3], lb[3], gap[3], rate[3], x[3], z[3], x1[3], x2[3], z1[3], z2[3];
  (void)t;
  epi_joint_motion_of(j, a, b, la, lb, gap, rate, out);
  axes_of(j, a, b, x, z);
  epi_vector_cross(a->w, x, x1);
  epi_vector_cross(a->w, x1, x2);
  epi_vector_cross(b->w, z, z1);
  epi_vector_cross(b->w, z1, z2);
  out[3] = epi_dot(x2, z) + 2*epi_dot(x1, z1) + epi_dot(x, z2);
  return 0;
}

static int draw(const epi_joint *j)
{
  (void)j;
  return EPI_BALL;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "the point, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "the point, in b"},
  {.name = "frame_a", .unit = "", .kind = EPI_LIST, .doc = "attitude of the frame in a, a quaternion: x is an axis of the cross"},
  {.name = "frame_b", .unit = "", .kind = EPI_LIST, .doc = "attitude of the frame in b, a quaternion: z is the other axis"},
  {0}
};
const epi_joint_kind epi_JOINT_UNIVERSAL = {
  .name = "universal", .doc = "holds a point, and an axis of a across one of b", .params = params, .hold = EPI_UNIVERSAL, .rows = 4,
  .turns = 8, .eval = eval, .bend = bend, .draw = draw,
};
