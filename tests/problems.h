/* problems.h - small systems that every part of a method shows up on */
#ifndef PROBLEMS_H
#define PROBLEMS_H
#include "epicycle.h"
#include <math.h>
#include <string.h>

/* Henon-Heiles: two coupled nonlinear oscillators, conservative and reversible */
static inline int henon_force(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = -q[0] - 2*q[0]*q[1];
  f[1] = -q[1] - q[0]*q[0] + q[1]*q[1];
  return 0;
}
/* its potential, held above zero; an objective that follows it */
static inline double henon_potential(epi_system *s, double t, const double *y)
{
  (void)s; (void)t;
  return (y[0]*y[0] + y[1]*y[1])/2 + y[0]*y[0]*y[1] - y[1]*y[1]*y[1]/3 + 1;
}
static inline int henon_log_force(epi_system *s, double t, const double *q, double *f)
{
  double V = henon_potential(s, t, q);
  henon_force(s, t, q, f);
  for (int i = 0; i < 2; i++) f[i] /= V;
  return 0;
}
static inline epi_planar henon_log_planar(epi_system *s, double t, epi_planar q)
{
  double f[2];
  henon_log_force(s, t, (double[]){q.x, q.y}, f);
  return (epi_planar){f[0], f[1]};
}
static inline int henon_objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  double f[2];
  *Q = henon_potential(s, t, y);
  henon_force(s, t, y, f);
  for (int i = 0; i < 4; i++) grad[i] = i < 2 ? -f[i] : 0;
  return 0;
}
/* the same, shaken: time must arrive where it should */
static inline int shaken_force(epi_system *s, double t, const double *q, double *f)
{
  henon_force(s, t, q, f);
  f[0] += 0.4*cos(1.3*t);
  f[1] += 0.3*sin(2.1*t)*q[0];
  return 0;
}
/* the same shaking through a phase */
static inline int phased_force(epi_system *s, double t, double theta, const double *q, double *f)
{
  henon_force(s, t, q, f);
  f[0] += 0.4*cos(theta);
  f[1] += 0.3*sin(2.1*t)*q[0];
  return 0;
}
static inline int quadratic_drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  double speed = sqrt(0.5 + v[0]*v[0] + v[1]*v[1]);
  f[0] += -0.3*(1 + q[0]*q[0])*v[0] - 0.2*speed*v[0];
  f[1] += -0.1*v[1] - 0.2*speed*v[1];
  return 0;
}
/* Lotka-Volterra with a beat, as a plain rate */
static inline int volterra(epi_system *s, double t, const double *y, double *dy)
{
  (void)s;
  dy[0] = y[0]*(1 - y[1]) + 0.1*cos(t);
  dy[1] = y[1]*(y[0] - 1.5);
  return 0;
}
static const double henon_start[] = {0.3, -0.2, 0.1, 0.25};
static const double volterra_start[] = {1.2, 0.8};

/* a heavy top: q is a unit quaternion, v the angular velocity in the body */
static const double top_inertia[] = {1, 1.5, 0.5};
static inline void top_turn(epi_system *s, const double *q, const double *d, double *o)
{
  (void)s;
  double a = sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2]), c = cos(a/2), k = a > 1e-8 ? sin(a/2)/a : 0.5 - a*a/48;
  double x = k*d[0], y = k*d[1], z = k*d[2];
  double r[4] = {c*q[0] - x*q[1] - y*q[2] - z*q[3], c*q[1] + x*q[0] + q[2]*z - q[3]*y,
                 c*q[2] + y*q[0] + q[3]*x - q[1]*z, c*q[3] + z*q[0] + q[1]*y - q[2]*x};
  double n = 1/sqrt(r[0]*r[0] + r[1]*r[1] + r[2]*r[2] + r[3]*r[3]);
  for (int i = 0; i < 4; i++) o[i] = n*r[i];
}
/* u' = v + u x v/2 + c u x (u x v) */
static inline void top_slew(epi_system *s, const double *u, const double *v, double *du)
{
  (void)s;
  double a2 = u[0]*u[0] + u[1]*u[1] + u[2]*u[2], a = sqrt(a2), c = a > 1e-3 ? (1 - a/2/tan(a/2))/a2 : 1./12 + a2/720;
  double w[3] = {u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]};
  double z[3] = {u[1]*w[2] - u[2]*w[1], u[2]*w[0] - u[0]*w[2], u[0]*w[1] - u[1]*w[0]};
  for (int i = 0; i < 3; i++) du[i] = v[i] + 0.5*w[i] + c*z[i];
}
static inline void top_up(const double *q, double *e)   /* the vertical, seen from the body */
{
  e[0] = 2*(q[1]*q[3] - q[0]*q[2]);
  e[1] = 2*(q[2]*q[3] + q[0]*q[1]);
  e[2] = 1 - 2*(q[1]*q[1] + q[2]*q[2]);
}
static inline int top_force(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  double e[3];
  top_up(q, e);
  f[0] = e[1];
  f[1] = -e[0];
  f[2] = 0;
  return 0;
}
static inline int top_gyro(epi_system *s, double t, const double *q, const double *w, double *f)
{
  (void)s; (void)t; (void)q;
  const double *I = top_inertia;
  f[0] += (I[1] - I[2])*w[1]*w[2];
  f[1] += (I[2] - I[0])*w[2]*w[0];
  f[2] += (I[0] - I[1])*w[0]*w[1];
  return 0;
}
static inline void top_start(double *y) { memcpy(y, (double[]){cos(0.3), sin(0.3), 0, 0, 0.2, 1, 3}, 7*sizeof *y); }

/* a pendulum in the plane on a rod of length 1 */
static inline int weight(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] = 0;
  f[1] = -9.8;
  return 0;
}
static inline int rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s; (void)t; (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 1;
  G[0] = 2*q[0];
  G[1] = 2*q[1];
  return 0;
}
static inline int air(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 0.3*v[0];
  f[1] -= 0.3*v[1];
  return 0;
}

/* the claims a flow makes */
static inline void first_info(void *p, const epi_info *i) { epi_info *o = p; if (i->depth == 0) *o = *i; }
static inline epi_info info_of(const epi_flow *f) { epi_info i = {0}; epi_walk(f, first_info, &i); return i; }
/* a method of another library that was not there at build time says so */
static inline int absent(const char *name)
{
  epi_system s = {.nq = 2, .force = henon_force};
  epi_flow *f = epi_make(name, &s);
  const char *why = epi_error(f);
  int none = why && strstr(why, "not in this build");
  epi_free(f);
  return none;
}
#endif
