/* chain.c - n unit masses in the plane, in a row from the origin, joined by springs of rest length 1 */
/* compile: unrolled */
#include "draw.h"

typedef struct { int n; double k[]; } chain;

/* spring i pulls mass i toward mass i - 1 (or the origin) with k (r - 1) */
static inline __attribute__((always_inline)) int pulls(const int n, const double *k, const double *q, double *f)
{
  double x = 0, y = 0;
  for (int i = 0; i < n; i++, q += 2, f += 2) {
    double dx = q[0] - x, dy = q[1] - y, r = sqrt(dx*dx + dy*dy);
    if (r == 0) return EPI_TOO_FAR;
    double pull = -k[i]*(r - 1)/r;
    f[0] = pull*dx;
    f[1] = pull*dy;
    if (i) f[-2] -= f[0], f[-1] -= f[1];
    x = q[0], y = q[1];
  }
  return 0;
}

/* compiled for two masses, and for any number */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const chain *c = s->data;
  return c->n == 2 ? pulls(2, c->k, q, f) : pulls(c->n, c->k, q, f);
}

/* each spring adds -S to the two diagonal blocks and +S beside them, S = k (1 - 1/r) + k d d'/r^3 */
static int slope(epi_system *s, double t, const double *q, double a, double b, double *A)
{
  (void)t, (void)b;
  const chain *c = s->data;
  size_t n = 2*(size_t)c->n;
  double x = 0, y = 0;
  for (size_t i = 0; i < n; i += 2) {
    double d[2] = {q[i] - x, q[i + 1] - y}, r2 = d[0]*d[0] + d[1]*d[1], r = sqrt(r2), k = a*c->k[i/2];
    if (r == 0) return EPI_TOO_FAR;
    for (size_t u = 0; u < 2; u++) for (size_t w = 0; w < 2; w++) {
      double S = k*((u == w)*(1 - 1/r) + d[u]*d[w]/(r2*r));
      A[(i + u)*n + i + w] -= S;
      if (!i) continue;
      A[(i + u - 2)*n + i + w - 2] -= S;
      A[(i + u)*n + i + w - 2] += S;
      A[(i + u - 2)*n + i + w] += S;
    }
    x = q[i], y = q[i + 1];
  }
  return 0;
}

static double potential(epi_system *s, double t, const double *q)
{
  (void)t;
  const chain *c = s->data;
  double x = 0, y = 0, V = 0;
  for (int i = 0; i < c->n; i++, q += 2) {
    double r = hypot(q[0] - x, q[1] - y);
    V += c->k[i]*(r - 1)*(r - 1)/2;
    x = q[0], y = q[1];
  }
  return V;
}

double epi_chain_spin(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
    const double *v = y + c->system.nq;
  double L = 0;
  for (int i = 0; i < c->system.nq; i += 2) L += y[i]*v[i + 1] - y[i + 1]*v[i];
  return L;
}

void epi_chain_draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  int n = c->system.nq/2;
  epi_show_row(to, &(epi_row){.n = n, .links = EPI_COIL, .length = 1, .names = c->system.names + 8*n}, s->y);
}

double *epi_chain_make(epi_case *c, int n)
{
  chain *d = epi_case_room(c, 1, sizeof *d + (size_t)n*sizeof *d->k);
  if (!d) return NULL;
  d->n = n;
  c->system = (epi_system){.nq = 2*n, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain,
                           .names = epi_row_names(c, n, "spring", "mass"), .data = d};
  if (!c->system.names || epi_case_start(c)) return NULL;
  c->system.units = c->system.names + 4*n;
  return d->k;
}
