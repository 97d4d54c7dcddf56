/* hmm_raw.c - a window of accelerations as one writes it by hand for a system whose size is known */
#include "hmm.h"

/* the two half kicks between forces are one pass; the force never sees the velocity, so it may stay in a register */
int hmm_raw_half(epi_system *s, double t, double theta, double q, double h, int m, const double *w, double *sum)
{
  int (*forced)(epi_system *, double, double, const double *, double *) = s->phase.forced;
  const double turn = s->phase.phase_rate*h, hh = 0.5*h;
  double v = 0, a, total;
  if (forced(s, t, theta, &q, &a)) return 1;
  total = 0.5*w[0]*a;
  v += hh*a;
  for (int k = 1; k <= m; k++) {
    q += h*v;
    t += h;
    theta += turn;
    if (forced(s, t, theta, &q, &a)) return 1;
    total += w[k]*a;
    v += hh*a;
    v += hh*a;
  }
  *sum = 2*total;
  return 0;
}

enum { N = 4 };

int hmm_raw_both(epi_system *s, double t, const double *q0, const double *v0, double h, int m, const double *w, double *sum)
{
  int (*force)(epi_system *, double, const double *, double *) = s->force;
  double start[N], q[N], v[N], a[N];
  if (force(s, t, q0, start)) return 1;
  for (int i = 0; i < N; i++) sum[i] = w[0]*start[i];
  for (int way = 0; way < 2; way++) {
    double now = t, d = way ? -h : h, hh = 0.5*d;
    for (int i = 0; i < N; i++) {
      q[i] = q0[i];
      v[i] = v0[i] + hh*start[i];
    }
    for (int k = 1; k <= m; k++) {
      for (int i = 0; i < N; i++) q[i] += d*v[i];
      now += d;
      if (force(s, now, q, a)) return 1;
      for (int i = 0; i < N; i++) {
        sum[i] += w[k]*a[i];
        v[i] += hh*a[i];
        v[i] += hh*a[i];
      }
    }
  }
  return 0;
}
