/* pose.c - where bodies are: rotations from quaternions, and the motion of all of them by nv numbers */
#include "world.h"

const epi_pose epi_ground = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

void epi_rotation_of(const double *q, double *R)
{
  double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2*(y*y + z*z), R[1] = 2*(x*y - w*z), R[2] = 2*(x*z + w*y);
  R[3] = 2*(x*y + w*z), R[4] = 1 - 2*(x*x + z*z), R[5] = 2*(y*z - w*x);
  R[6] = 2*(x*z - w*y), R[7] = 2*(y*z + w*x), R[8] = 1 - 2*(x*x + y*y);
}

void epi_pose_of(const epi_member *m, const double *q, const double *v, epi_pose *p)
{
  q += m->q;
  memcpy(p->r, q, sizeof p->r);
  epi_rotation_of(q + 3, p->R);
  p->e = m->modes ? q + 7 : NULL;
  if (!v) { memset(p->v, 0, sizeof p->v + sizeof p->w); p->de = NULL; return; }
  v += m->v;
  memcpy(p->v, v, sizeof p->v);
  epi_out_of(p->R, v + 3, p->w);
  p->de = m->modes ? v + 6 : NULL;
}

/* q exp(u), a unit again by a step of Newton. Small turns by series: (sin(a/2)/a, cos(a/2)) to rounding for a < 0.05 */
static void turn_one(const double *q, const double *u, double *out)
{
  double a2 = u[0]*u[0] + u[1]*u[1] + u[2]*u[2], k, c;
  if (a2 < 0.0025) {
    k = 0.5 - a2*(1./48 - a2*(1./3840 - a2/645120));
    c = 1 - a2*(1./8 - a2*(1./384 - a2/46080));
  } else {
    double a = sqrt(a2);
    k = sin(a/2)/a;
    c = cos(a/2);
  }
  double x = k*u[0], y = k*u[1], z = k*u[2];
  double r[4] = {c*q[0] - x*q[1] - y*q[2] - z*q[3], c*q[1] + x*q[0] + q[2]*z - q[3]*y,
                 c*q[2] + y*q[0] + q[3]*x - q[1]*z, c*q[3] + z*q[0] + q[1]*y - q[2]*x};
  double size = r[0]*r[0] + r[1]*r[1] + r[2]*r[2] + r[3]*r[3], n = fabs(size - 1) < 1e-6 ? 1.5 - 0.5*size : 1/sqrt(size);
  for (int i = 0; i < 4; i++) out[i] = n*r[i];
}

void epi_world_retract(epi_system *s, const double *q, const double *dq, double *out)
{
  const epi_world *w = s->data;
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    const double *a = q + m->q, *d = dq + m->v;
    double *o = out + m->q;
    for (int k = 0; k < 3; k++) o[k] = a[k] + d[k];
    turn_one(a + 3, d + 3, o + 3);
    for (int k = 0; k < m->modes; k++) o[7 + k] = a[7 + k] + d[6 + k];
  }
}

/* u' = v + u x v/2 + c u x (u x v) for the turns; the rest is straight */
void epi_world_retract_rate(epi_system *s, const double *u, const double *v, double *du)
{
  const epi_world *w = s->data;
  memcpy(du, v, (size_t)w->nv*sizeof *du);
  for (int i = 0; i < w->bodies; i++) {
    const double *a = u + w->body[i].v + 3, *b = v + w->body[i].v + 3;
    double *o = du + w->body[i].v + 3, a2 = epi_dot(a, a), size = sqrt(a2), x[3], xx[3];
    double c = size > 1e-2 ? (1 - size/2/tan(size/2))/a2 : 1./12 + a2/720 + a2*a2/30240;
    epi_cross(a, b, x);
    epi_cross(a, x, xx);
    for (int k = 0; k < 3; k++) o[k] = b[k] + x[k]/2 + c*xx[k];
  }
}
