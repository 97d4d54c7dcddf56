/* henon-heiles.c - Henon-Heiles with one fast direction, u1 + i u3 turns with 1/eps (the example of HOODESolver.jl; Chartier, Crouseilles,
 * Lemou & Mehats) */
#include <epicycle.h>
enum { EPS, U1, U2, U3, U4 };
static const epi_param PARAMS[] = {[EPS] = {.name = "eps", .value = 1e-4, .doc = "period/2 pi of the fast direction"},
                                   [U1] = {.name = "u1", .value = 0.9},
                                   [U2] = {.name = "u2", .value = -0.44},
                                   [U3] = {.name = "u3", .value = 0.83},
                                   [U4] = {.name = "u4", .value = 0.13},
                                   {0}};
static const char *const NAMES[] = {"u1", "u2", "u3", "u4"};
static int rate(epi_system *s, double t, const double *u, double *d)
{
  (void)t;
  double e = *(double *)s->data;
  d[0] = u[2] / e;
  d[1] = u[3];
  d[2] = -u[0] / e - 2 * u[0] * u[1];
  d[3] = -u[1] - u[0] * u[0] + u[1] * u[1];
  return 0;
}
static int make(epi_case *c)
{
  if (epi_case_positive(c, EPS)) return -1;
  c->system = (epi_system){.nz = 4, .rate = rate, .names = NAMES, .data = c->p, .phase.period = 6.283185307179586 * c->p[EPS]};
  if (epi_case_start(c)) return -1;
  for (int i = 0; i < 4; i++) c->y[i] = c->p[U1 + i];
  return 0;
}
EPI_MODEL = {.name = "henon-heiles",
             .doc = "Henon-Heiles with a fast direction",
             .params = PARAMS,
             .make = make,
             .flow = "rk4(strobe(substeps(dop853, 8), order=4))",
             .step = 0.05,
             .end = 1};
