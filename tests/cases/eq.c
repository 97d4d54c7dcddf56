/* eq.c - satellite, J2 + drag, modified equinoctial elements, independent variable = true longitude L (the "time" of the run).
 * z=[p,f,g,h,k,tau], p in a0, tau in sqrt(a0^3/mu) */
#include <epicycle.h>
#include <math.h>
enum { A, E, I, J2, CD };
static const epi_param PARAMS[] = {[A] = {.name = "a", .unit = "m", .value = 7000e3, .doc = "semi-major axis"},
                                   [E] = {.name = "e", .value = 0.01},
                                   [I] = {.name = "i", .unit = "rad", .value = 0.9},
                                   [J2] = {.name = "J2", .value = 1.08263e-3},
                                   [CD] = {.name = "cd", .unit = "1/m", .value = 0},
                                   {0}};
static const char *const NAMES[] = {"p", "f", "g", "h", "k", "tau"};
static const double R = 6378137;
static int rate(epi_system *s, double L, const double *y, double *d)
{
  const double *P = s->data;
  double p = y[0], f = y[1], g = y[2], h = y[3], k = y[4], cl = cos(L), sl = sin(L), w = 1 + f * cl + g * sl, s2 = 1 + h * h + k * k,
         al = h * h - k * k, r = p / w, sp = sqrt(p);
  double X[3] = {r / s2 * (cl + al * cl + 2 * h * k * sl), r / s2 * (sl - al * sl + 2 * h * k * cl), 2 * r / s2 * (h * sl - k * cl)};
  double V[3] = {-1 / (s2 * sp) * (sl + al * sl - 2 * h * k * cl + g - 2 * f * h * k + al * g),
                 -1 / (s2 * sp) * (-cl + al * cl + 2 * h * k * sl - f + 2 * g * h * k + al * f),
                 2 / (s2 * sp) * (h * cl + k * sl + f * h + g * k)};
  double Rn = R / P[A], c = -1.5 * P[J2] * Rn * Rn / (r * r * r * r * r), z2 = X[2] * X[2] / (r * r);
  double a[3] = {c * X[0] * (1 - 5 * z2), c * X[1] * (1 - 5 * z2), c * X[2] * (3 - 5 * z2)};
  double vv = sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2]);
  for (int i = 0; i < 3; i++) a[i] -= P[CD] * P[A] * vv * V[i];
  double er[3] = {X[0] / r, X[1] / r, X[2] / r}, H[3] = {X[1] * V[2] - X[2] * V[1], X[2] * V[0] - X[0] * V[2], X[0] * V[1] - X[1] * V[0]},
         hn = sqrt(H[0] * H[0] + H[1] * H[1] + H[2] * H[2]);
  for (int i = 0; i < 3; i++) H[i] /= hn;
  double et[3] = {H[1] * er[2] - H[2] * er[1], H[2] * er[0] - H[0] * er[2], H[0] * er[1] - H[1] * er[0]};
  double Cr = 0, Ct = 0, Cn = 0;
  for (int i = 0; i < 3; i++) {
    Cr += a[i] * er[i];
    Ct += a[i] * et[i];
    Cn += a[i] * H[i];
  }
  double q = h * sl - k * cl, Ld = sp * w * w / (p * p) + sp * q * Cn / w;
  d[0] = 2 * p / w * sp * Ct / Ld;
  d[1] = sp * (Cr * sl + ((w + 1) * cl + f) * Ct / w - q * g * Cn / w) / Ld;
  d[2] = sp * (-Cr * cl + ((w + 1) * sl + g) * Ct / w + q * f * Cn / w) / Ld;
  d[3] = sp * s2 * Cn / (2 * w) * cl / Ld;
  d[4] = sp * s2 * Cn / (2 * w) * sl / Ld;
  d[5] = 1 / Ld;
  return 0;
}
static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nz = 6, .rate = rate, .phase.phase_rate = 1, .names = NAMES, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1 - p[E] * p[E];
  c->y[1] = p[E];
  c->y[3] = tan(p[I] / 2);
  return 0;
}
EPI_MODEL = {.name = "eq",
             .doc = "satellite in equinoctial elements",
             .params = PARAMS,
             .make = make,
             .flow = "tolerance(dop853, rtol=1e-12)",
             .step = 1,
             .end = 6283.185307179586};
