/* fpu-parts.c - the modified Fermi-Pasta-Ulam chain of Hairer, Lubich & Wanner, I.5.1 and XIII: 2m masses on a line, soft nonlinear and
 * stiff linear springs by turns. x0: scaled displacements of the stiff springs, x1: their expansions; I = sum of their oscillatory energies
 * is an adiabatic invariant. */
#include <epicycle.h>
#include <math.h>
enum { W };
#define m 3
static const epi_param PARAMS[] = {[W] = {.name = "w", .unit = "rad/s", .value = 50, .doc = "frequency of the stiff springs"}, {0}};
static const char *const NAMES[] = {"x01", "x02", "x03", "x11", "x12", "x13", "y01", "y02", "y03", "y11", "y12", "y13"};
static int soft(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  (void)t;
  const double *x = q, *e = q + m;
  for (int i = 0; i < 2 * m; i++) f[i] = 0;
  double d = x[0] - e[0], c = d * d * d;
  f[0] -= c;
  f[m] += c;
  for (int i = 0; i + 1 < m; i++) {
    d = x[i + 1] - e[i + 1] - x[i] - e[i];
    c = d * d * d;
    f[i + 1] -= c;
    f[m + i + 1] += c;
    f[i] += c;
    f[m + i] += c;
  }
  d = x[m - 1] + e[m - 1];
  c = d * d * d;
  f[m - 1] -= c;
  f[2 * m - 1] -= c;
  return 0;
}
static int hard(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  double w = *(double *)s->data;
  for (int i = 0; i < m; i++) {
    f[i] = 0;
    f[m + i] = -w * w * q[m + i];
  }
  return 0;
}
static int hard_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t;
  (void)y;
  (void)b;
  double w = *(double *)s->data;
  for (int i = m; i < 2 * m; i++) A[i * 2 * m + i] = -a * w * w;
  return 0;
}
static int force(epi_system *s, double t, const double *q, double *f)
{
  double w = *(double *)s->data;
  soft(s, t, q, f);
  for (int i = m; i < 2 * m; i++) f[i] -= w * w * q[i];
  return 0;
}
static double potential(epi_system *s, double t, const double *q)
{
  (void)t;
  double w = *(double *)s->data, V = pow(q[0] - q[m], 4) / 4 + pow(q[m - 1] + q[2 * m - 1], 4) / 4;
  for (int i = 0; i + 1 < m; i++) V += pow(q[i + 1] - q[m + i + 1] - q[i] - q[m + i], 4) / 4;
  for (int i = m; i < 2 * m; i++) V += w * w * q[i] * q[i] / 2;
  return V;
}
static double energy(epi_system *s, double t, const double *y)
{
  double T = 0;
  for (int i = 2 * m; i < 4 * m; i++) T += y[i] * y[i] / 2;
  return T + potential(s, t, y);
}
static double energy_now(const epi_case *c, const epi_state *s) { return energy((epi_system *)&c->system, s->t, s->y); }
static double one(const epi_case *c, const epi_state *s, int i)
{
  double w = c->p[W], x = s->y[m + i], v = s->y[3 * m + i];
  return (v * v + w * w * x * x) / 2;
}
static double all(const epi_case *c, const epi_state *s)
{
  double I = 0;
  for (int i = 0; i < m; i++) I += one(c, s, i);
  return I;
}
static const epi_observable OBSERVABLES[] = {{.name = "energy", .value = energy_now, .invariant = 1},
                                             {.name = "I", .value = all, .invariant = 1},
                                             {.name = "I1", .observe = one, .which = 0},
                                             {.name = "I2", .observe = one, .which = 1},
                                             {.name = "I3", .observe = one, .which = 2},
                                             {0}};
static int make(epi_case *c)
{
  epi_system *part = epi_case_room(c, 2, sizeof *part);
  epi_name *names = epi_case_room(c, 4, sizeof *names);
  if (!part || !names) return -1;
  c->system = (epi_system){.nq = 2 * m,
                           .force = force,
                           .energies.potential = potential,
                           .energy = energy,
                           .names = NAMES,
                           .data = c->p,
                           .phase.period = 6.283185307179586 / c->p[W]};
  part[0] = (epi_system){.nq = 2 * m, .force = soft, .data = c->p};
  part[1] = (epi_system){.nq = 2 * m, .force = hard, .jacobian.slope = hard_slope, .data = c->p};
  names[0] = (epi_name){.name = "model", .system = &c->system};
  names[1] = (epi_name){.name = "model.soft", .system = &part[0]};
  names[2] = (epi_name){.name = "model.stiff", .system = &part[1]};
  c->parts = names;
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->y[m] = 1 / c->p[W];
  c->y[2 * m] = 1;
  c->y[3 * m] = 1;
  return 0;
}
EPI_MODEL = {.name = "fpu",
             .doc = "modified Fermi-Pasta-Ulam chain",
             .params = PARAMS,
             .make = make,
             .observables = OBSERVABLES,
             .flow = "verlet",
             .step = 1e-3,
             .end = 200};
