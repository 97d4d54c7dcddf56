/* held.c - directions of a point and turns about axes, of a frame on b that may be driven about its z: any of them, and those that have a
 * name */
#include "body/joint.h"
#include <stdio.h>

static int check(const epi_joint *j, char *words, size_t size)
{
  if (j->hold & EPI_ROD) snprintf(words, size, "is a rod: it holds the distance of its points alone, and needs its length > 0");
  else if (!(j->hold & EPI_ALL) || j->hold & ~EPI_ALL) snprintf(words, size, "holds nothing: say what, as in .hold = EPI_HINGE");
  else return 0;
  return 1;
}

/* the frame of the joint on b, turned by the drive about its z; its speed there */
static double frame_of(const epi_joint *j, double t, const epi_pose *b, double *F)
{
  double rate = j->speed, angle = j->angle ? j->angle(j->data, t, &rate) : j->speed*t, c = cos(angle), s = sin(angle), own[9];
  epi_rotation_of_any(j->frame_b, own);
  epi_rotation_product(b->R, own, F);
  if (angle != 0) epi_rotation_product(F, (const double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, F);
  return rate;
}

/* rows of turns: th = 2 vec of Ra' = F^T Ra Fa; th' = (q0 + hat(vec)) (omega_a - omega_F) seen from F */
static void turns(const epi_joint *j, const epi_pose *a, const epi_pose *b, const double *F, double *th, double T[3][12])
{
  double Fa[9], rel[9], q0, S[9], A[9], B[9];
  epi_rotation_of_any(j->frame_a, Fa);
  epi_rotation_product(a->R, Fa, Fa);
  epi_rotation_between(F, Fa, rel);
  q0 = epi_rotation_turns(rel, th);
  double x = th[0]/2, y = th[1]/2, z = th[2]/2;
  /* omega in the frame F, from the left: vec' = (q0 w - vec x w ... )/2, twice that is th' */
  const double left[9] = {q0, z, -y, -z, q0, x, y, -x, q0};
  epi_rotation_between(F, a->R, S);
  epi_rotation_product(left, S, A);
  epi_rotation_between(F, b->R, S);
  epi_rotation_product(left, S, B);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) { T[i][k] = T[i][6+k] = 0; T[i][3+k] = A[3*i+k]; T[i][9+k] = -B[3*i+k]; }
}

static int eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  double F[9], la[3], lb[3], gap[3], th[3], T[3][12], turned[3], speed = frame_of(j, t, b, F), z[3] = {F[2], F[5], F[8]};
  int row = 0;
  epi_joint_gap_of(j, a, b, la, lb, gap);
  for (int k = 0; k < 3; k++) {
    if (!(j->hold >> k & 1)) continue;
    const double u[3] = {F[k], F[3+k], F[6+k]};
    epi_joint_direction(a, b, u, la, out->G[row]);
    out->g[row] = epi_dot(u, gap);
    /* the frame itself turns about its z */
    epi_vector_cross(z, u, turned);
    out->gt[row++] = speed*epi_dot(turned, gap);
  }
  if (!(j->hold & EPI_TURNS)) return 0;
  turns(j, a, b, F, th, T);
  double q0 = sqrt(fmax(0, 1 - epi_dot(th, th)/4));
  const double col[3] = {-th[1]/2, th[0]/2, q0};
  for (int k = 0; k < 3; k++) {
    if (!(j->hold >> (3 + k) & 1)) continue;
    memcpy(out->G[row], T[k], sizeof out->G[row]);
    out->g[row] = th[k];
    /* -left(th) (0, 0, speed) */
    out->gt[row++] = -speed*col[k];
  }
  return 0;
}

static int bend(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, double *out)
{
  double F[9], la[3], lb[3], gap[3], rate[3], second[3], turned[3], th[3], T[3][12];
  double speed = frame_of(j, t, b, F), z[3] = {F[2], F[5], F[8]}, w[3], dw[3], u1[3], u2[3];
  int row = 0;
  epi_joint_motion_of(j, a, b, la, lb, gap, rate, second);
  /* the frame turns with w, and that changes where its z does */
  epi_vector_cross(b->w, z, dw);
  for (int i = 0; i < 3; i++) { w[i] = b->w[i] + speed*z[i]; dw[i] *= speed; }
  for (int k = 0; k < 3; k++) {
    if (!(j->hold >> k & 1)) continue;
    const double u[3] = {F[k], F[3+k], F[6+k]};
    epi_vector_cross(w, u, u1);
    epi_vector_cross(w, u1, u2);
    epi_vector_cross(dw, u, turned);
    for (int i = 0; i < 3; i++) u2[i] += turned[i];
    out[row++] = epi_dot(u2, gap) + 2*epi_dot(u1, rate) + epi_dot(u, second);
  }
  if (!(j->hold & EPI_TURNS)) return 0;
  /* q'' = (w' q - w^2 q/2)/2 of the quaternion, w = omega_a - omega_F seen from F */
  double apart[3], across[3], seen[3];
  turns(j, a, b, F, th, T);
  for (int i = 0; i < 3; i++) apart[i] = a->w[i] - w[i];
  epi_vector_cross(w, apart, across);
  for (int i = 0; i < 3; i++) across[i] = -dw[i] - across[i];
  epi_into(F, across, seen);
  double q0 = sqrt(fmax(0, 1 - epi_dot(th, th)/4)), x = th[0]/2, y = th[1]/2, z0 = th[2]/2;
  const double left[9] = {q0, z0, -y, -z0, q0, x, y, -x, q0};
  epi_out_of(left, seen, turned);
  for (int k = 0; k < 3; k++) if (j->hold >> (3 + k) & 1) out[row++] = turned[k] - 0.25*epi_dot(apart, apart)*th[k];
  return 0;
}

/* a ball where a point is held and turns are free, a pin where it turns about one axis; what holds no point is not seen */
static int draw(const epi_joint *j)
{
  if (!(j->hold & EPI_X) || !(j->hold & EPI_Y)) return -1;
  return (j->hold & EPI_Z) && !(j->hold & EPI_TURNS) ? EPI_BALL : EPI_CYLINDER;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "the point, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "the point, in b"},
  {.name = "frame_a", .unit = "", .kind = EPI_LIST, .doc = "attitude of the frame in a, a quaternion"},
  {.name = "frame_b", .unit = "", .kind = EPI_LIST, .doc = "attitude of the frame in b, a quaternion"},
  {.name = "speed", .unit = "rad/s", .doc = "of the frame on b about its z"},
  {0}
};
#define HELD(ID, NAME, HOLD, DOC)                                                                                        \
  const epi_joint_kind epi_JOINT_##ID = {                                                                                \
    .name = NAME, .doc = DOC, .params = params, .hold = HOLD, .check = check, .eval = eval, .bend = bend, .draw = draw   \
  }
HELD(HELD, "held", 0, "holds any directions of a point and turns about axes");
HELD(HINGE, "hinge", EPI_HINGE, "turns about its z alone");
HELD(SLIDER, "slider", EPI_SLIDER, "slides along its x alone");
HELD(BALL_JOINT, "point", EPI_POINT, "holds a point; all turns are free");
HELD(CYLINDRICAL, "cylindrical", EPI_CYLINDRICAL, "turns about its z and slides along it");
HELD(PLANAR, "planar", EPI_PLANAR, "moves in its xy plane and turns about z");
HELD(FIXED, "fixed", EPI_ALL, "holds everything, or drives the turn about its z");
