/* herk.c - half-explicit Runge-Kutta methods for constrained systems: positions and velocities are put back on g = 0 and
 * G v + gt = 0 at every stage by multipliers in the rates, in the metric of the mass (Brasey & Hairer; the GGL form of index 2) */
#include "few.h"
#include "method/table.h"

#define R6 2.4494897427831781
static const double herk3_a[] = {0, 0, 0, 1./3, 0, 0, -1, 2, 0}, herk3_b[] = {0, 3./4, 1./4};
static const double herk4_a[] = {
  0, 0, 0, 0, 0,
  3./10, 0, 0, 0, 0,
  (1 + R6)/30, (11 - 4*R6)/30, 0, 0, 0,
  (-79 - 31*R6)/150, (-1 - 4*R6)/30, (24 + 11*R6)/25, 0, 0,
  (14 + 5*R6)/6, (-8 + 7*R6)/6, (-9 - 7*R6)/4, (9 - R6)/4, 0
}, herk4_b[] = {0, 0, (16 - R6)/36, (16 + R6)/36, 1./9};
static const epi_table herk3 = {.name = "herk3", .order = 3, .stages = 3, .a = herk3_a, .b = herk3_b};
static const epi_table herk4 = {.name = "herk4", .order = 4, .stages = 5, .a = herk4_a, .b = herk4_b};

/* work: stages K, point ys, next point z, a correction, G at the stage, W, G at the next, multipliers, gt, normal matrix */
typedef struct { double *K, *ys, *z, *d, *G0, *W, *G, *x, *gt, *A; } herk_work;

static herk_work work_of(const epi_flow *f, int S)
{
  const epi_system *m = f->sys;
  int N = epi_dim(m);
  long nG = epi_G_size(f->space);
  herk_work d = {.K = f->work};
  d.ys = d.K + S*N;
  d.z = d.ys + N;
  d.d = d.z + N;
  d.G0 = d.d + epi_nv(m);
  d.W = d.G0 + nG;
  d.G = d.W + nG;
  d.x = d.G + nG;
  d.gt = d.x + m->nc;
  d.A = d.gt + m->nc;
  return d;
}

/* z = y + h sum over the first m coefficients */
static void sum(int N, double *restrict z, const double *restrict y, const double *restrict c, int m, double h, const double *restrict K)
{
  int first = 0;
  while (first < m - 1 && c[first] == 0) first++;
  double c0 = h*c[first];
  for (int i = 0; i < N; i++) z[i] = y[i] + c0*K[first*N + i];
  for (int j = first + 1; j < m; j++) {
    double cj = h*c[j];
    for (int i = 0; i < N; i++) z[i] += cj*K[j*N + i];
  }
}

/* rate -= W^T x and point -= hs W^T x; which: 1 + a constraint that depends on others */
static inline __attribute__((always_inline)) int
correct(epi_flow *f, const herk_work *d, double hs, double *rate, double *point, double *big, const int nc, const int n)
{
  int which = nc ? solve_few(n, hs, d->G, d->W, d->x, nc) : 0;
  if (which) unweigh_few(f->sys, n, d->W, d->G0, nc);
  if (!nc || which) which = epi_normal_solve(f->space, hs, d->G, d->G0, d->W, d->A, d->x);
  if (which) return which;
  if (nc) for (int j = 0; j < n; j++) d->d[j] = d->W[j]*d->x[0] + (nc == 2 ? d->W[n + j]*d->x[1] : 0);
  else epi_Gt_mul(f->space, d->W, d->x, d->d);
  *big = 0;
  for (int j = 0; j < n; j++) {
    rate[j] -= d->d[j];
    point[j] -= hs*d->d[j];
    *big = nc ? fmax(*big, fabs(hs*d->d[j])) : epi_larger(*big, fabs(hs*d->d[j]));
  }
  if (nc) *big += 0*d->x[0] + (nc == 2 ? 0*d->x[1] : 0);
  return 0;
}

static inline __attribute__((always_inline)) int hold(epi_system *m, double t, const herk_work *d, const double *q, double *G, const int nc)
{
  return nc ? hold_few(m, t, q, d->x, G, d->gt, nc) : epi_constraint_eval(m, t, q, d->x, G, d->gt);
}

/* the point z that stage i has made is put on g = 0 and G v + gt = 0 by multipliers in the rates of the stage */
static inline __attribute__((always_inline)) int
put_on(epi_flow *f, const herk_work *d, int known, int i, double hs, double ts, double next, const int nc, const int n)
{
  epi_system *m = f->sys;
  int N = epi_dim(m), bad, which;
  double *Ki = d->K + i*N, *z = d->z, big, size = 0, speed = 0;
  if (!known && !i && (bad = hold(m, ts, d, d->ys, d->G, nc))) return bad;
  if (nc) weigh_few(m, n, d->G, d->W, nc);
  else { memcpy(d->G0, d->G, (size_t)epi_G_size(f->space)*sizeof *d->G); epi_G_inverse_mass(f->space, d->ys, d->G0, d->W); }
  for (int j = 0; j < n; j++) size = fmax(size, fabs(z[j]));
  for (int it = 0; ; it++) {
    if (it == 30) return EPI_TOO_FAR;
    if ((bad = hold(m, next, d, z, d->G, nc))) return bad;
    if ((which = correct(f, d, hs, Ki, z, &big, nc, n))) return epi_singular(f->space, &f->fault, next, which);
    if (!(big < 1e300)) return EPI_TOO_FAR;
    if (big <= 1e-9*size) break;
  }
  if (f->space->contradiction.by > 0 && epi_contradicts(f->space, next, size, "a distance", &f->fault)) return EPI_TOO_FAR;
  if ((bad = hold(m, next, d, z, d->G, nc))) return bad;
  if (nc) for (int c = 0; c < nc; c++) d->x[c] = d->gt[c];
  else memcpy(d->x, d->gt, (size_t)m->nc*sizeof *d->x);
  if (nc) for (int c = 0; c < nc; c++) for (int j = 0; j < n; j++) d->x[c] += d->G[c*n + j]*z[n + j];
  else epi_G_mul(f->space, d->G, z + n, d->x);
  if ((which = correct(f, d, hs, Ki + n, z + n, &big, nc, n))) return epi_singular(f->space, &f->fault, next, which);
  if (!(f->space->contradiction.by > 0)) return 0;
  for (int j = 0; j < n; j++) speed = fmax(speed, fabs(z[n + j]));
  for (int c = 0; c < m->nc; c++) speed = fmax(speed, fabs(d->gt[c]));
  return epi_contradicts(f->space, next, speed, "a speed", &f->fault);
}

/* stage i makes point i + 1; the end of the step is one more stage */
static int stage(epi_flow *f, epi_state *s, herk_work *d, int known, const double *c, int i, double h, double ts, double theta, double next)
{
  epi_system *m = f->sys;
  int N = epi_dim(m), n = epi_nv(m), bad;
  if ((bad = epi_rate_at(f, ts, theta, d->ys, d->K + i*N))) return bad;
  sum(N, d->z, s->y, c, i + 1, h, d->K);
  if (m->nc) {
    double hs = h*c[i];
    bad = !f->space->few ? put_on(f, d, known, i, hs, ts, next, 0, n) : m->nc == 1 ? put_on(f, d, known, i, hs, ts, next, 1, n)
        : n == 4 ? put_on(f, d, known, i, hs, ts, next, 2, 4) : put_on(f, d, known, i, hs, ts, next, 2, n);
    if (bad) return bad;
  }
  double *x = d->ys;
  d->ys = d->z;
  d->z = x;
  return 0;
}

static int herk(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  const epi_table *T = f->record->table;
  int N = epi_dim(m), S = T->stages, bad;
  herk_work d = work_of(f, S);
  int known = 0;
  while (steps-- > 0) {
    double t = s->t, theta = s->theta, at = 0;
    epi_tick end = epi_target(m, s, h);
    memcpy(d.ys, s->y, (size_t)N*sizeof *s->y);
    for (int i = 0; i < S; i++) {
      const double *c = i + 1 < S ? T->a + (i + 1)*S : T->b;
      double to = 0;
      for (int j = 0; j <= i; j++) to += c[j];
      double next = i + 1 < S ? t + to*h : end.t;
      if ((bad = stage(f, s, &d, known, c, i, h, t + at*h, epi_phase_at(m, t, theta, at*h), next))) return bad;
      if (s->impulse) for (int l = 0; l < m->nc; l++) s->impulse[l] -= h*T->b[i]*d.x[l];
      at = to;
    }
    memcpy(s->y, d.ys, (size_t)N*sizeof *s->y);
    epi_set_clock(s, end);
    epi_moved(f, s);
    known = 1;
  }
  return 0;
}

static void herk_build(epi_flow *f)
{
  epi_system *m = f->sys;
  const epi_table *T = f->record->table;
  long N = epi_dim(m), n = epi_nv(m), nc = m->nc;
  epi_refuse(f, !m->rate && !epi_has_force(m) && !m->velocity_force,
             "this system has no force, velocity force or rate: fill in one of them");
  epi_refuse(f, m->manifold.retract != NULL, "%s has no form for rotations: use verlet, or rk4 without constraints", f->record->name);
  epi_refuse(f, nc && m->nq != (int)n, "%s needs as many velocities as positions", f->record->name);
  if (epi_blocks(f, 0, (T->stages + 2)*N + n + 3*epi_G_size(f->space) + 2*nc + epi_A_size(f->space))) return;
  f->go = herk;
}

#define HERK_RECORD(ID, NAME, TAB, ORDER)                                                                                   \
  const epi_record ID = {.name = NAME, .doc = "half-explicit Runge-Kutta for constrained systems", .table = &TAB, .order = ORDER, \
                         .cite = "Brasey & Hairer, SIAM J. Numer. Anal. 30 (1993) 538", .example = NAME, .arrow = EPI_METHOD, .least = 1, \
                         .most = 1, \
                         .claims = EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK, .build = herk_build}
HERK_RECORD(epi_HERK3, "herk3", herk3, 3);
HERK_RECORD(epi_HERK4, "herk4", herk4, 4);
