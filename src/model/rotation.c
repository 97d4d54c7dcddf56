/* rotation.c - quaternions, and what rotating bodies have in common
 * Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.5 and IV.8. */
#include "rotation.h"

const char *const epi_body_names[] = {"q0", "q1", "q2", "q3", "w1", "w2", "w3"};
const char *const epi_body_units[] = {"", "", "", "", "rad/s", "rad/s", "rad/s"};

static void cross(const double *a, const double *b, double *out)
{
  double x = a[1]*b[2] - a[2]*b[1], y = a[2]*b[0] - a[0]*b[2], z = a[0]*b[1] - a[1]*b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

static double square(const double *a) { return a[0]*a[0] + a[1]*a[1] + a[2]*a[2]; }

void epi_quaternion_times(const double *a, const double *b, double *out)
{
  double r[] = {a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3], a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
                a[0]*b[2] + a[2]*b[0] + a[3]*b[1] - a[1]*b[3], a[0]*b[3] + a[3]*b[0] + a[1]*b[2] - a[2]*b[1]};
  memcpy(out, r, sizeof r);
}

void epi_quaternion_about(int axis, double angle, double *out)
{
  memset(out, 0, 4*sizeof *out);
  out[0] = cos(angle/2);
  out[1 + axis] = sin(angle/2);
}

/* b + 2 (s p x b + p x (p x b)) for q = (s, p) */
static void rotate(double s, const double *p, const double *b, double *out)
{
  double x[3], xx[3];
  cross(p, b, x);
  cross(p, x, xx);
  for (int i = 0; i < 3; i++) out[i] = b[i] + 2*(s*x[i] + xx[i]);
}

void epi_to_space(const double *q, const double *body, double *space) { rotate(q[0], q + 1, body, space); }
void epi_to_body(const double *q, const double *space, double *body) { rotate(-q[0], q + 1, space, body); }

void epi_body_retract(epi_system *s, const double *q, const double *dq, double *out)
{
  (void)s;
  double a2 = square(dq), a = sqrt(a2), k = a > 1e-4 ? sin(a/2)/a : 0.5 - a2/48;
  double r[4], e[] = {cos(a/2), k*dq[0], k*dq[1], k*dq[2]};
  epi_quaternion_times(q, e, r);
  double size = sqrt(r[0]*r[0] + square(r + 1));
  for (int i = 0; i < 4; i++) out[i] = r[i]/size;
}

/* u' = v + u x v/2 + c u x (u x v), c = (1 - (a/2) cot(a/2))/a^2, a = |u| */
void epi_body_retract_rate(epi_system *s, const double *u, const double *v, double *du)
{
  (void)s;
  double a2 = square(u), a = sqrt(a2), x[3], xx[3];
  double c = a > 1e-2 ? (1 - a/2/tan(a/2))/a2 : 1./12 + a2/720 + a2*a2/30240;
  cross(u, v, x);
  cross(u, x, xx);
  for (int i = 0; i < 3; i++) du[i] = v[i] + x[i]/2 + c*xx[i];
}

int epi_body_gyro(epi_system *s, double t, const double *q, const double *w, double *f)
{
  (void)t, (void)q;
  const double *I = s->mass;
  f[0] += (I[1] - I[2])*w[1]*w[2];
  f[1] += (I[2] - I[0])*w[2]*w[0];
  f[2] += (I[0] - I[1])*w[0]*w[1];
  return 0;
}

/* ---- what is looked at ---- */
static double momentum(const epi_case *c, const epi_state *s, int axis)
{
  const double *q = s->y, *w = q + EPI_BODY_Q, *I = c->system.mass;
  double x[] = {I[0]*w[0], I[1]*w[1], I[2]*w[2]}, L[3];
  epi_to_space(q, x, L);
  return L[axis];
}

double epi_body_Lx(const epi_case *c, const epi_state *s) { return momentum(c, s, 0); }
double epi_body_Ly(const epi_case *c, const epi_state *s) { return momentum(c, s, 1); }
double epi_body_Lz(const epi_case *c, const epi_state *s) { return momentum(c, s, 2); }

double epi_body_off(const epi_case *c, const epi_state *s)
{
  (void)c;
  return s->y[0]*s->y[0] + square(s->y + 1) - 1;
}
