/* geometry.c - where bodies are at the start, points and frames seen from them, and what solids of simple form weigh */
#include "file/model-file.h"
#include <math.h>
#include <string.h>


/* ---- rotations: quaternions, body to space ---- */
void epi_file_turn_times(const double *a, const double *b, double *out)
{
  const double q[4] = {a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3], a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
                       a[0]*b[2] + a[2]*b[0] + a[3]*b[1] - a[1]*b[3], a[0]*b[3] + a[3]*b[0] + a[1]*b[2] - a[2]*b[1]};
  memcpy(out, q, sizeof q);
}

void epi_file_turned(const double *q, const double *x, double *out)
{
  const double back[4] = {q[0], -q[1], -q[2], -q[3]}, v[4] = {0, x[0], x[1], x[2]};
  double y[4];
  epi_file_turn_times(q, v, y);
  epi_file_turn_times(y, back, y);
  memcpy(out, y + 1, 3*sizeof *out);
}

/* all zero means no rotation */
static void attitude_of(const epi_body *b, int back, double *q)
{
  const double none[4] = {1, 0, 0, 0};
  double size = 0;
  for (int i = 0; b && i < 4; i++) size += b->attitude[i]*b->attitude[i];
  memcpy(q, size > 0 ? b->attitude : none, 4*sizeof *q);
  for (int i = 1; back && i < 4; i++) q[i] = -q[i];
}

void epi_file_turn_about(const double *axis, double angle, double *q)
{
  q[0] = cos(angle/2);
  for (int i = 0; i < 3; i++) q[1+i] = sin(angle/2)*axis[i];
}

/* half way between the two, turned by half a turn; opposite ones turn about a third axis */
void epi_file_turn_from(const double *unit, int from, double *q)
{
  const double c = unit[from];
  int next = (from + 1) % 3, last = (from + 2) % 3;
  memset(q, 0, 4*sizeof *q);
  if (c < -1 + 1e-12) { q[1 + next] = 1; return; }
  /* e_from x unit has the components -unit[last] along next, unit[next] along last */
  double size = sqrt(2*(1 + c));
  q[0] = size/2;
  q[1 + next] = -unit[last]/size;
  q[1 + last] = unit[next]/size;
}

void epi_file_out_of(const epi_body *b, const double *inside, double *space)
{
  double q[4];
  attitude_of(b, 0, q);
  epi_file_turned(q, inside, space);
  for (int i = 0; b && i < 3; i++) space[i] += b->at[i];
}

void epi_file_pose(const epi_body *b, epi_pose *p)
{
  double q[4];
  attitude_of(b, 0, q);
  *p = (epi_pose){0};
  for (int k = 0; k < 3; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    double x[3];
    epi_file_turned(q, axis, x);
    for (int i = 0; i < 3; i++) p->R[3*i + k] = x[i];
    if (b) p->r[k] = b->at[k];
  }
}

void epi_file_into(const epi_body *b, const double *space, double *inside)
{
  double q[4], x[3];
  attitude_of(b, 1, q);
  for (int i = 0; i < 3; i++) x[i] = space[i] - (b ? b->at[i] : 0);
  epi_file_turned(q, x, inside);
}

void epi_file_frame_in(const epi_body *b, const double *space, double *inside)
{
  double q[4];
  attitude_of(b, 1, q);
  epi_file_turn_times(q, space, inside);
}

void epi_file_frame_out(const epi_body *b, const double *inside, double *space)
{
  double q[4];
  attitude_of(b, 0, q);
  epi_file_turn_times(q, inside, space);
}

double epi_file_distance(const double *a, const double *b)
{
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x*x + y*y + z*z);
}

/* ---- solids ---- */
double epi_file_volume(const epi_shape *s)
{
  const double *x = s->size;
  switch (s->kind) {
  case EPI_BALL: return 4*EPI_PI/3*x[0]*x[0]*x[0];
  case EPI_BOX: return x[0]*x[1]*x[2];
  case EPI_CYLINDER: return EPI_PI*x[0]*x[0]*x[1];
  default: return EPI_PI*(x[1]*x[1] - x[0]*x[0])*x[2];
  }
}

void epi_file_moments(const epi_shape *s, double m, double *I)
{
  const double *x = s->size;
  if (s->kind == EPI_BALL) I[0] = I[1] = I[2] = 0.4*m*x[0]*x[0];
  else if (s->kind == EPI_BOX) for (int i = 0; i < 3; i++) I[i] = m*(x[0]*x[0] + x[1]*x[1] + x[2]*x[2] - x[i]*x[i])/12;
  else {
    /* hollow or not, along z */
    double inner = s->kind == EPI_RING ? x[0] : 0, outer = s->kind == EPI_RING ? x[1] : x[0], length = s->kind == EPI_RING ? x[2] : x[1];
    I[2] = m*(inner*inner + outer*outer)/2;
    I[0] = I[1] = I[2]/2 + m*length*length/12;
  }
}
