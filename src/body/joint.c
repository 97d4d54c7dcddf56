/* joint.c - joints between two bodies: rows g = 0 that multipliers or stiff springs hold. Springs pull by -G^T (k g + c g'), so that the one
 * is the limit of the other and their Jacobian is -G^T (k, c) G */
#include "world.h"

static void quaternion_to(const double *q, double *R)
{
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) { memcpy(R, epi_ground.R, sizeof epi_ground.R); return; }
  double n = 1/sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
  epi_rotation_of((const double[4]){n*q[0], n*q[1], n*q[2], n*q[3]}, R);
}

static void product(const double *A, const double *B, double *out)
{
  double x[9];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) x[3*i+j] = A[3*i]*B[j] + A[3*i+1]*B[3+j] + A[3*i+2]*B[6+j];
  memcpy(out, x, sizeof x);
}

static void transposed(const double *A, const double *B, double *out)     /* A^T B */
{
  double x[9];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) x[3*i+j] = A[i]*B[j] + A[3+i]*B[3+j] + A[6+i]*B[6+j];
  memcpy(out, x, sizeof x);
}

/* 2 (q1, q2, q3) of the quaternion of a rotation, and its q0 >= 0; by the largest of the four, for a hinge may turn all the way round */
static double turns_of(const double *R, double *th)
{
  const double four[4][4] = {{1 + R[0] + R[4] + R[8], R[7] - R[5], R[2] - R[6], R[3] - R[1]}, {R[7] - R[5], 1 + R[0] - R[4] - R[8], R[1] + R[3], R[2] + R[6]},
                             {R[2] - R[6], R[1] + R[3], 1 - R[0] + R[4] - R[8], R[5] + R[7]}, {R[3] - R[1], R[2] + R[6], R[5] + R[7], 1 - R[0] - R[4] + R[8]}};
  int i = 0;
  for (int k = 1; k < 4 && four[0][0] < 1; k++) if (four[k][k] > four[i][i]) i = k;
  double s = (four[i][0] < 0 ? -1 : 1)/sqrt(four[i][i]);
  for (int k = 0; k < 3; k++) th[k] = s*four[i][k+1];
  return 0.5*s*four[i][0];
}

/* the frame of the joint on b, turned by the drive about its z; its speed there */
static double frame_of(const epi_joint *j, double t, const epi_pose *b, double *F)
{
  double rate = j->speed, angle = j->angle ? j->angle(j->data, t, &rate) : j->speed*t, c = cos(angle), s = sin(angle), own[9];
  quaternion_to(j->frame_b, own);
  product(b->R, own, F);
  if (angle != 0) product(F, (const double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, F);
  return rate;
}

/* row of a direction u (moving with b): g = u.(pa - pb). Velocities of b: its point moves, and u turns */
static void direction(const epi_pose *a, const epi_pose *b, const double *u, const double *la, double *G)
{
  double x[3], arm[3];
  for (int i = 0; i < 3; i++) { G[i] = u[i]; G[6+i] = -u[i]; arm[i] = a->r[i] + la[i] - b->r[i]; }
  epi_cross(la, u, x);
  epi_into(a->R, x, G + 3);
  epi_cross(arm, u, x);
  epi_into(b->R, x, G + 9);
  for (int i = 9; i < 12; i++) G[i] = -G[i];
}

/* rows of turns: th = 2 vec of Ra' = F^T Ra Fa; th' = (q0 + hat(vec)) (omega_a - omega_F) seen from F */
static void turns(const epi_bond *j, const epi_pose *a, const epi_pose *b, const double *F, double *th, double T[3][12])
{
  double Fa[9], rel[9], q0, S[9], A[9], B[9];
  quaternion_to(j->data.frame_a, Fa);
  product(a->R, Fa, Fa);
  transposed(F, Fa, rel);
  q0 = turns_of(rel, th);
  double x = th[0]/2, y = th[1]/2, z = th[2]/2;
  /* omega in the frame F, from the left: vec' = (q0 w - vec x w ... )/2, twice that is th' */
  const double left[9] = {q0, z, -y, -z, q0, x, y, -x, q0};
  transposed(F, a->R, S);
  product(left, S, A);
  transposed(F, b->R, S);
  product(left, S, B);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) { T[i][k] = T[i][6+k] = 0; T[i][3+k] = A[3*i+k]; T[i][9+k] = -B[3*i+k]; }
}

static double along(const double *G, const epi_pose *a, const epi_pose *b)
{
  double wa[3], wb[3];
  epi_into(a->R, a->w, wa);
  epi_into(b->R, b->w, wb);
  return epi_dot(G, a->v) + epi_dot(G + 3, wa) + epi_dot(G + 6, b->v) + epi_dot(G + 9, wb);
}

void epi_bond_rows(const epi_bond *j, double t, const epi_pose *a, const epi_pose *b, epi_rows *out)
{
  double F[9], la[3], lb[3], gap[3], th[3], T[3][12], speed = frame_of(&j->data, t, b, F);
  epi_out_of(a->R, j->data.at_a, la);
  epi_out_of(b->R, j->data.at_b, lb);
  for (int i = 0; i < 3; i++) gap[i] = a->r[i] + la[i] - b->r[i] - lb[i];
  turns(j, a, b, F, th, T);
  double q0 = sqrt(fmax(0, 1 - epi_dot(th, th)/4));
  for (int k = 0; k < j->rows; k++) {
    int which = j->which[k];
    double driven = 0;
    if (which < 3) {
      double u[3] = {F[which], F[3+which], F[6+which]}, turned[3], z[3] = {F[2], F[5], F[8]}, far = sqrt(epi_dot(gap, gap));
      /* a rod lies along the gap itself */
      int rod = j->data.hold == EPI_ROD;
      for (int i = 0; rod && i < 3; i++) u[i] = gap[i]/far;
      direction(a, b, u, la, out->G[k]);
      out->g[k] = rod ? far - j->data.length : epi_dot(u, gap);
      /* the frame itself turns about its z */
      epi_cross(z, u, turned);
      driven = speed*epi_dot(turned, gap);
    } else {
      memcpy(out->G[k], T[which-3], sizeof out->G[k]);
      out->g[k] = th[which-3];
      /* -left(th) (0, 0, speed) */
      const double col[3] = {-th[1]/2, th[0]/2, q0};
      driven = -speed*col[which-3];
    }
    out->rate[k] = along(out->G[k], a, b) + driven;
  }
}

void epi_bond_pull(const epi_bond *j, const epi_rows *r, double pull[6])
{
  for (int k = 0; k < j->rows; k++) {
    int turn = j->which[k] >= 3;
    pull[k] = -(j->data.stiffness[turn]*r->g[k] + j->data.damping[turn]*r->rate[k]);
  }
}

int epi_add_joint(epi_world *w, const epi_joint *j)
{
  if (w->made) return epi_world_wrong(w, "the world is closed: add everything before its first system or flow is asked for");
  if (w->bonds == w->room[2]) {
    int room = 2*w->room[2] + 8;
    epi_bond *more = realloc(w->bond, (size_t)room*sizeof *more);
    if (!more) return epi_world_wrong(w, "out of memory");
    w->bond = more;
    w->room[2] = room;
  }
  epi_bond *b = &w->bond[w->bonds];
  *b = (epi_bond){.a = j->a, .b = j->b, .as = j->as, .data = *j};
  snprintf(b->name, sizeof b->name, "%s", j->name ? j->name : "joint");
  if (j->a < 0 || j->a >= w->bodies || j->b < EPI_GROUND || j->b >= w->bodies || j->a == j->b)
    return epi_world_wrong(w, "the joint %s is between body %d and %d: a is a body, b another or EPI_GROUND", b->name, j->a, j->b);
  if (j->hold & EPI_ROD && (j->hold != EPI_ROD || !(j->length > 0)))
    return epi_world_wrong(w, "the joint %s is a rod: it holds the distance of its points alone, and needs its length > 0", b->name);
  if (j->hold == EPI_ROD) b->rows = 1;
  for (int k = 0; k < 6; k++) if (j->hold >> k & 1) b->which[b->rows++] = k;
  if (!b->rows) return epi_world_wrong(w, "the joint %s holds nothing: say what, as in .hold = EPI_HINGE", b->name);
  if (j->as != EPI_PENALTY && j->as != EPI_CONSTRAINT) return epi_world_wrong(w, "the joint %s is held as %d: take EPI_PENALTY or EPI_CONSTRAINT", b->name, j->as);
  if (j->as == EPI_PENALTY && ((j->hold & (EPI_POINT | EPI_ROD) && !(j->stiffness[0] > 0)) || (j->hold & EPI_TURNS && !(j->stiffness[1] > 0))))
    return epi_world_wrong(w, "the joint %s is a penalty without stiffness: give stiffness {N/m, N m}, or .as = EPI_CONSTRAINT", b->name);
  if (j->as == EPI_CONSTRAINT) w->nc += b->rows;
  w->bonds++;
  /* joints are numbered after the other actions: see epi_world_action */
  return 1000000 + w->bonds - 1;
}
