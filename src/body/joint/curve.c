/* curve.c - a point of a on a curve that is fixed in b */
#include "body/joint.h"
#include "body/parts.h"
#include "spline.h"
#include <stdio.h>

/* at the foot of a point: how far it is off the curve, w; two directions across the curve and how they turn along it */
typedef struct { double c[4][3], w[3], n[2][3], turn[2][3], slope; } across;

/* a without what of it lies along the unit vector u, which turns by u1 as a does by a1; both divided by its length */
static void square(const double *a, const double *u, const double *u1, double *n, double *n1)
{
  double along = epi_dot(a, u), more = epi_dot(a, u1), size, grow = 0;
  for (int i = 0; i < 3; i++) { n[i] = a[i] - along*u[i]; n1[i] = -more*u[i] - along*u1[i]; }
  size = sqrt(epi_dot(n, n));
  for (int i = 0; i < 3; i++) { n[i] /= size; n1[i] /= size; }
  grow = epi_dot(n1, n);
  for (int i = 0; i < 3; i++) n1[i] -= grow*n[i];
}

static int across_at(const epi_spline *p, const double *x, across *o)
{
  double s, t[3], t1[3], one[3], two[3];
  if (epi_spline_foot(p, x, &s)) return EPI_DRIVE_SAID;
  epi_spline_at(p, s, o->c);
  for (int i = 0; i < 3; i++) o->w[i] = x[i] - o->c[0][i];
  double size = sqrt(epi_dot(o->c[1], o->c[1]));
  for (int i = 0; i < 3; i++) t[i] = o->c[1][i]/size;
  double along = epi_dot(o->c[2], t);
  for (int i = 0; i < 3; i++) t1[i] = (o->c[2][i] - along*t[i])/size;
  square(p->side, t, t1, o->n[0], o->turn[0]);
  epi_vector_cross(t, o->n[0], o->n[1]);
  epi_vector_cross(t1, o->n[0], one);
  epi_vector_cross(t, o->turn[0], two);
  for (int i = 0; i < 3; i++) o->turn[1][i] = one[i] + two[i];
  o->slope = size*size - epi_dot(o->c[2], o->w);
  return o->slope > 0 ? 0 : EPI_TOO_FAR;
}

static int eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  double F[9], la[3], lb[3], gap[3], x[3], u[3];
  across o;
  (void)t;
  epi_joint_frame_b(j, b, F);
  epi_joint_gap_of(j, a, b, la, lb, gap);
  epi_into(F, gap, x);
  int bad = across_at((const epi_spline *)(const void *)j->curve, x, &o);
  if (bad) return bad;
  for (int k = 0; k < 2; k++) {
    double move = epi_dot(o.turn[k], o.w)/o.slope;
    for (int i = 0; i < 3; i++) u[i] = o.n[k][i] + move*o.c[1][i];
    epi_out_of(F, u, u);
    epi_joint_direction(a, b, u, la, out->G[k]);
    out->g[k] = epi_dot(o.n[k], o.w);
  }
  return 0;
}

/* seen from b, the foot runs with s1 and s2; what the directions across turn faster and faster counts w times, which is nothing */
static int bend(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, double *out)
{
  double x[3], x1[3], x2[3], w1[3];
  across o;
  (void)t;
  epi_joint_seen_from_b(j, a, b, x, x1, x2);
  int bad = across_at((const epi_spline *)(const void *)j->curve, x, &o);
  if (bad) return bad;
  double s1 = epi_dot(o.c[1], x1)/o.slope, s2;
  for (int i = 0; i < 3; i++) w1[i] = x1[i] - s1*o.c[1][i];
  s2 = (epi_dot(o.c[3], o.w)*s1*s1 + 2*epi_dot(o.c[2], w1)*s1 + epi_dot(o.c[1], x2) - epi_dot(o.c[1], o.c[2])*s1*s1)/o.slope;
  for (int k = 0; k < 2; k++)
    out[k] = epi_dot(o.turn[k], o.w)*s2 + 2*epi_dot(o.turn[k], w1)*s1 + epi_dot(o.n[k], x2) - epi_dot(o.n[k], o.c[2])*s1*s1;
  return 0;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "the point, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "origin of the curve, in b"},
  {.name = "frame_b", .unit = "", .kind = EPI_LIST, .doc = "attitude of the axes of the curve in b, a quaternion"},
  {0}
};
const epi_joint_kind epi_JOINT_ON_CURVE = {
  .name = "on-curve", .doc = "holds a point on a smooth curve through points", .params = params, .hold = EPI_ON_CURVE, .rows = 2,
  .eval = eval, .bend = bend,
};
