/* mesh.c - most shapes are an outline turned about z */
#include "mesh.h"
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 24, BALL = 12, GROOVE = 10, MOST = 2*GROOVE + 8, COIL = 16, AT = 0, ATTITUDE = 3, TO = 7 };
static const double PI = 3.14159265358979323846;

static mesh room(int points, int faces, int lines)
{
  return (mesh){.points = points, .faces = faces, .lines = lines, .x = need((size_t)points*3*sizeof(double)),
                .face = need(((size_t)faces + 1)*4*sizeof(long long)), .line = need(((size_t)lines + 1)*2*sizeof(long long))};
}

/* ---- turned about z ---- */
typedef struct outline { int n; double r[MOST], z[MOST]; } outline;

static void to(outline *o, double r, double z)
{
  o->r[o->n] = r;
  o->z[o->n++] = z;
}

/* a plain side, shoulders, and between them a groove about a circle of centres */
static void grooved(outline *o, const double *size)
{
  double plain = size[0], shoulder = size[1], half = size[2]/2, g = size[3], c = size[4], side = plain < shoulder ? -1 : 1;
  double edge = sqrt(fmax(g*g - (shoulder - c)*(shoulder - c), 0));
  edge = fmin(edge, half);
  to(o, plain, -half);
  to(o, shoulder, -half);
  for (int i = 0; i <= GROOVE; i++) {
    double z = edge*(2.0*i/GROOVE - 1);
    to(o, c + side*sqrt(fmax(g*g - z*z, 0)), z);
  }
  to(o, shoulder, half);
  to(o, plain, half);
  to(o, plain, -half);
}

static outline outline_of(const epi_shape *s)
{
  const double *a = s->size, half = a[s->kind == EPI_CYLINDER ? 1 : 2]/2;
  outline o = {0};
  switch (s->kind) {
  case EPI_BALL:
    for (int i = 0; i <= BALL; i++) to(&o, i % BALL ? a[0]*sin(PI*i/BALL) : 0, -a[0]*cos(PI*i/BALL));
    break;
  case EPI_CYLINDER: to(&o, 0, -half), to(&o, a[0], -half), to(&o, a[0], half), to(&o, 0, half); break;
  case EPI_BAR: to(&o, 0, 0), to(&o, a[0], 0), to(&o, a[0], 1), to(&o, 0, 1); break;
  case EPI_CONE: to(&o, 0, 0), to(&o, a[0], a[1]), to(&o, 0, a[1]); break;
  case EPI_RACE: grooved(&o, a); break;
  /* a cage without its pockets */
  default: to(&o, a[0], -half), to(&o, a[1], -half), to(&o, a[1], half), to(&o, a[0], half), to(&o, a[0], -half);
  }
  return o;
}

static mesh turned(const outline *o)
{
  mesh m = room(o->n*AROUND, (o->n - 1)*AROUND, 0);
  long long *f = m.face;
  for (int k = 0; k < AROUND; k++)
    for (int i = 0; i < o->n; i++) {
      double *x = m.x + 3*(k*o->n + i);
      x[0] = o->r[i]*cos(2*PI*k/AROUND);
      x[1] = o->r[i]*sin(2*PI*k/AROUND);
      x[2] = o->z[i];
      if (i + 1 == o->n) continue;
      int next = (k + 1) % AROUND;
      *f++ = k*o->n + i, *f++ = next*o->n + i, *f++ = next*o->n + i + 1, *f++ = k*o->n + i + 1;
    }
  return m;
}

/* ---- the others ---- */
static mesh box(double a, double b, double c)
{
  static const long long faces[] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  mesh m = room(8, 6, 0);
  for (int i = 0; i < 8; i++) m.x[3*i] = i & 1 ? a/2 : -a/2, m.x[3*i+1] = i & 2 ? b/2 : -b/2, m.x[3*i+2] = i & 4 ? c/2 : -c/2;
  memcpy(m.face, faces, sizeof faces);
  return m;
}

static mesh floor_of(double a, double b)
{
  mesh m = room(4, 1, 0);
  for (int i = 0; i < 4; i++) m.x[3*i] = i == 1 || i == 2 ? a/2 : -a/2, m.x[3*i+1] = i > 1 ? b/2 : -b/2, m.face[i] = i;
  return m;
}

static mesh coil(double radius, double turns)
{
  int n = (int)fmin(fmax(ceil(COIL*turns), 2), 4096);
  mesh m = room(n + 1, 0, n);
  for (int i = 0; i <= n; i++) {
    double at = 2*PI*turns*i/n;
    m.x[3*i] = radius*cos(at), m.x[3*i+1] = radius*sin(at), m.x[3*i+2] = (double)i/n;
    if (i < n) m.line[2*i] = i, m.line[2*i+1] = i + 1;
  }
  return m;
}

mesh mesh_of(const epi_shape *s)
{
  if (s->kind == EPI_BOX) return box(s->size[0], s->size[1], s->size[2]);
  if (s->kind == EPI_FLOOR) return floor_of(s->size[0], s->size[1]);
  if (s->kind == EPI_COIL) return coil(s->size[0], s->size[1]);
  if (s->kind == EPI_ARROW) {
    mesh m = room(1, 0, 0);
    m.dots = 1;
    return m;
  }
  outline o = outline_of(s);
  return turned(&o);
}

/* ---- where they are ---- */
static void rotation(const double *q, double R[3][3])
{
  double w = q[0], a = q[1], b = q[2], c = q[3];
  const double all[3][3] = {{w*w + a*a - b*b - c*c, 2*(a*b - w*c), 2*(a*c + w*b)}, {2*(a*b + w*c), w*w - a*a + b*b - c*c, 2*(b*c - w*a)},
                            {2*(a*c - w*b), 2*(b*c + w*a), w*w - a*a - b*b + c*c}};
  memcpy(R, all, sizeof all);
}

/* its z goes from one end to the other, x and y are any two across */
static void span(const double *from, const double *end, double R[3][3])
{
  double d[3] = {end[0] - from[0], end[1] - from[1], end[2] - from[2]}, n = sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2]);
  int least = fabs(d[0]) < fabs(d[1]) ? fabs(d[0]) < fabs(d[2]) ? 0 : 2 : fabs(d[1]) < fabs(d[2]) ? 1 : 2;
  double e[3] = {least == 0, least == 1, least == 2}, u[3], l;
  if (n == 0) n = 1;
  for (int i = 0; i < 3; i++) u[i] = d[(i+1)%3]*e[(i+2)%3] - d[(i+2)%3]*e[(i+1)%3];
  l = sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2]);
  for (int i = 0; i < 3; i++) u[i] = l > 0 ? u[i]/l : i == 0;
  for (int i = 0; i < 3; i++) {
    R[i][0] = u[i];
    R[i][1] = (d[(i+1)%3]*u[(i+2)%3] - d[(i+2)%3]*u[(i+1)%3])/n;
    R[i][2] = d[i];
  }
}

void mesh_place(const mesh *m, int kind, const double *at, double *out)
{
  double R[3][3];
  if (kind == EPI_BAR || kind == EPI_COIL) span(at + AT, at + TO, R);
  else rotation(at + ATTITUDE, R);
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < 3; k++)
      out[3*i+k] = at[AT+k] + R[k][0]*m->x[3*i] + R[k][1]*m->x[3*i+1] + R[k][2]*m->x[3*i+2];
}

void mesh_free(mesh *m)
{
  free(m->x);
  free(m->face);
  free(m->line);
}
