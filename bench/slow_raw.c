/* slow_raw.c - RATTLE and the half-explicit method of order 3 by hand for four positions and two constraints: sizes are known, the
 * matrices are two by two, and what the constraints say at a point is asked once */
#include "slow.h"
#include <math.h>
#include <string.h>

enum { N = 4, NEWTON = 30 };
#define INLINE static inline __attribute__((always_inline))

/* W = G M^-1, by rows */
INLINE void weigh(const epi_system *s, const double *restrict G, double *restrict W)
{
  for (int i = 0; i < N; i++) {
    W[i] = G[i]/s->mass[i];
    W[N + i] = G[N + i]/s->mass[i];
  }
}

INLINE int ask(epi_system *s, double t, const double *q, double *g, double *G)
{
  double gt[2] = {0};
  return s->constraint(s, t, q, g, G, gt);
}

/* d = W^T (c G W^T)^-1 r */
INLINE void along(const double *restrict G, const double *restrict W, double c, const double *r, double *restrict d)
{
  double A00 = 0, A01 = 0, A10 = 0, A11 = 0;
  for (int i = 0; i < N; i++) {
    A00 += G[i]*W[i];
    A01 += G[i]*W[N + i];
    A10 += G[N + i]*W[i];
    A11 += G[N + i]*W[N + i];
  }
  double D = c*(A00*A11 - A01*A10), x0 = (A11*r[0] - A01*r[1])/D, x1 = (A00*r[1] - A10*r[0])/D;
  for (int i = 0; i < N; i++) d[i] = W[i]*x0 + W[N + i]*x1;
}

INLINE void speed(const double *restrict G, const double *restrict v, double *restrict r)
{
  r[0] = r[1] = 0;
  for (int i = 0; i < N; i++) {
    r[0] += G[i]*v[i];
    r[1] += G[N + i]*v[i];
  }
}

/* z -= h d and rate -= d until g(z) = 0; d along W */
INLINE int onto(epi_system *s, double t, double h, const double *restrict W, double *z, double *restrict rate)
{
  double g[2], G[2*N], d[N], big = 1, size = 0;
  for (int i = 0; i < N; i++) size = fmax(size, fabs(z[i]));
  for (int k = 0; k < NEWTON && big > 1e-9*size; k++) {
    if (ask(s, t, z, g, G)) return 1;
    along(G, W, h, g, d);
    big = 0;
    for (int i = 0; i < N; i++) {
      z[i] -= h*d[i];
      rate[i] -= d[i];
      big = fmax(big, fabs(h*d[i]));
    }
  }
  return big > 1e-9*size;
}

int slow_rattle(epi_system *s, double *y, double t, double h, long steps)
{
  double q[N], v[N], a[N], g[2], G[2*N], W[2*N], d[N], r[2];
  memcpy(q, y, sizeof q);
  memcpy(v, y + N, sizeof v);
  if (s->force(s, t, q, a) || ask(s, t, q, g, G)) return 1;
  weigh(s, G, W);
  for (int i = 0; i < N; i++) a[i] /= s->mass[i];
  for (long k = 0; k < steps; k++) {
    for (int i = 0; i < N; i++) {
      v[i] += 0.5*h*a[i];
      q[i] += h*v[i];
    }
    t += h;
    if (onto(s, t, h, W, q, v) || s->force(s, t, q, a) || ask(s, t, q, g, G)) return 1;
    for (int i = 0; i < N; i++) v[i] += 0.5*h*(a[i] /= s->mass[i]);
    /* G here serves this velocity and the next position */
    weigh(s, G, W);
    speed(G, v, r);
    along(G, W, 1, r, d);
    for (int i = 0; i < N; i++) v[i] -= d[i];
  }
  memcpy(y, q, sizeof q);
  memcpy(y + N, v, sizeof v);
  return 0;
}

/* the end of the step is one more stage, and its G that of the next step's first */
int slow_herk3(epi_system *s, double *y, double t, double h, long steps)
{
  static const double A[3][3] = {{1./3}, {-1, 2}, {0, 3./4, 1./4}}, C[] = {0, 1./3, 1, 1};
  double K[3][2*N], z[2*N], g[2], G[2*N], W[2*N], d[N], r[2];
  if (ask(s, t, y, g, G)) return 1;
  weigh(s, G, W);
  memcpy(z, y, sizeof z);
  for (long k = 0; k < steps; k++, t += h) {
    for (int i = 0; i < 3; i++) {
      double *a = K[i] + N, hs = h*A[i][i], next = t + C[i + 1]*h;
      memcpy(K[i], z + N, sizeof d);
      if (s->force(s, t + C[i]*h, z, a)) return 1;
      for (int j = 0; j < N; j++) a[j] /= s->mass[j];
      memcpy(z, y, sizeof z);
      for (int l = i == 2; l <= i; l++)
        for (int j = 0; j < 2*N; j++) z[j] += h*A[i][l]*K[l][j];
      if (onto(s, next, hs, W, z, K[i]) || ask(s, next, z, g, G)) return 1;
      speed(G, z + N, r);
      along(G, W, hs, r, d);
      for (int j = 0; j < N; j++) {
        a[j] -= d[j];
        z[N + j] -= hs*d[j];
      }
      weigh(s, G, W);
    }
    memcpy(y, z, sizeof z);
  }
  return 0;
}
