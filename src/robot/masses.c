/* masses.c - links that are fixed to one another are one body: its mass, its centre and its principal axes */
#include "core.h"
#include "robot.h"
#include "file/world/turn.h"
#include <stdio.h>

typedef double tensor[3][3];

static void matrix_of(const double *q, tensor R)
{
  for (int k = 0; k < 3; k++) {
    double e[3] = {0}, x[3];
    e[k] = 1;
    epi_file_turned(q, e, x);
    for (int i = 0; i < 3; i++) R[i][k] = x[i];
  }
}

/* R I R^T */
static void seen(const tensor R, const tensor I, tensor out)
{
  tensor A = {{0}};
  for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) for (int m = 0; m < 3; m++) A[i][k] += R[i][m]*I[m][k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      out[i][k] = 0;
      for (int m = 0; m < 3; m++) out[i][k] += A[i][m]*R[k][m];
    }
}

/* rotations that make one entry beside the diagonal zero after the other (Jacobi 1846): I becomes diagonal, V has its axes as columns */
static void principal(tensor I, tensor V)
{
  for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) V[i][k] = i == k;
  for (int sweep = 0; sweep < 60; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (fabs(I[p][q]) <= 1e-18*(fabs(I[p][p]) + fabs(I[q][q]))) { I[p][q] = I[q][p] = 0; continue; }
        double z = (I[q][q] - I[p][p])/(2*I[p][q]), t = (z < 0 ? -1 : 1)/(fabs(z) + sqrt(z*z + 1)), c = 1/sqrt(t*t + 1), s = t*c;
        for (int k = 0; k < 3; k++) {
          double a = I[k][p], b = I[k][q], v = V[k][p], w = V[k][q];
          I[k][p] = c*a - s*b, I[k][q] = s*a + c*b;
          V[k][p] = c*v - s*w, V[k][q] = s*v + c*w;
        }
        for (int k = 0; k < 3; k++) {
          double a = I[p][k], b = I[q][k];
          I[p][k] = c*a - s*b, I[q][k] = s*a + c*b;
        }
      }
}

/* of a rotation matrix, which products of small rotations are; the largest of its four is found first */
static void quaternion_of(const tensor R, double *q)
{
  const double t[4] = {R[0][0] + R[1][1] + R[2][2], R[0][0] - R[1][1] - R[2][2], R[1][1] - R[0][0] - R[2][2], R[2][2] - R[0][0] - R[1][1]};
  int m = 0;
  for (int i = 1; i < 4; i++) if (t[i] > t[m]) m = i;
  double big = sqrt(1 + t[m])/2;
  const double w[3] = {R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};
  if (!m) { q[0] = big; for (int i = 0; i < 3; i++) q[1+i] = w[i]/(4*big); }
  else {
    int i = m - 1, k = (i + 1) % 3, l = (i + 2) % 3;
    q[0] = w[i]/(4*big);
    q[1+i] = big;
    q[1+k] = (R[i][k] + R[k][i])/(4*big);
    q[1+l] = (R[i][l] + R[l][i])/(4*big);
  }
  double size = sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
  for (int i = 0; i < 4; i++) q[i] /= size;
}

/* the inertia of link i about the centre of the body, in the axes of `frame` of its head */
static void add_inertia(const link *l, const pose *frame, tensor sum)
{
  pose own;
  tensor R, I;
  epi_pose_times(&l->in_head, &l->own.frame, &own);
  epi_pose_inside(frame, &own, &own);
  matrix_of(own.q, R);
  seen((const double (*)[3])R, (const double (*)[3])l->own.I, I);
  double d2 = own.at[0]*own.at[0] + own.at[1]*own.at[1] + own.at[2]*own.at[2];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) sum[i][k] += I[i][k] + l->own.mass*((i == k)*d2 - own.at[i]*own.at[k]);
}

static int body_of(epi_import *r, int head)
{
  link *h = &r->link[head], *one = NULL;
  tensor I = {{0}}, V;
  int n = 0;
  h->mass = 0;
  h->body = (pose){.q = {1}};
  for (int i = 0; i < r->links; i++) {
    link *l = &r->link[i];
    pose own;
    if (l->head == head && l->own.there && !(l->own.mass > 0)) epi_robot_left(r, "inertial without mass", l->shown, "it weighs nothing");
    if (l->head != head || !(l->own.mass > 0)) continue;
    epi_pose_times(&l->in_head, &l->own.frame, &own);
    h->mass += l->own.mass;
    for (int k = 0; k < 3; k++) h->body.at[k] += l->own.mass*own.at[k];
    n++, one = l;
    if (i != head) epi_robot_note(r, "link '%s' is fixed to '%s', and is part of its body", l->shown, h->shown);
  }
  if (!(h->mass > 0))
    return epi_robot_wrong(r, h->x, "link '%s' moves and has no mass: give it an <inertial>, or fix it to one that has", h->shown);
  for (int k = 0; k < 3; k++) h->body.at[k] /= h->mass;
  /* of one link the axes are its own, so that a diagonal inertia stays as it is */
  if (n == 1) { pose own; epi_pose_times(&one->in_head, &one->own.frame, &own); h->body = own; }
  for (int i = 0; i < r->links; i++) if (r->link[i].head == head && r->link[i].own.mass > 0) add_inertia(&r->link[i], &h->body, I);
  principal(I, V);
  double q[4], most = fmax(fabs(I[0][0]), fmax(fabs(I[1][1]), fabs(I[2][2])));
  for (int i = 0; i < 3; i++) h->moment[i] = I[i][i];
  for (int i = 0; i < 3; i++)
    if (!(I[i][i] > 1e-12*most))
      return epi_robot_wrong(r, h->x, "the inertia of link '%s' has the principal moments %g, %g and %g: give it one of a body, all "
                             "positive", h->shown, I[0][0], I[1][1], I[2][2]);
  if (most > (I[0][0] + I[1][1] + I[2][2])/2*(1 + 1e-9))
    return epi_robot_wrong(r, h->x, "the inertia of link '%s' is that of no body, of its principal moments %g, %g and %g one is more "
                           "than both others: see its units and its origin", h->shown, I[0][0], I[1][1], I[2][2]);
  quaternion_of((const double (*)[3])V, q);
  epi_file_turn_times(h->body.q, q, h->body.q);
  return 0;
}

int epi_robot_masses(epi_import *r)
{
  const link *root = &r->link[r->root];
  int heavy = 0;
  for (int i = 0; i < r->links; i++) heavy |= r->link[i].head == r->root && r->link[i].own.mass > 0;
  if (r->free && !heavy) return epi_robot_wrong(r, root->x, "the root '%s' has no mass, and cannot be free", root->shown);
  if (!r->free && heavy) epi_robot_note(r, "the root '%s' stands on the ground, its mass is not carried over: --free lets it move",
                                        root->shown);
  for (int i = 0; i < r->links; i++) if (r->link[i].head == i && (i != r->root || r->free) && body_of(r, i)) return -1;
  return 0;
}
