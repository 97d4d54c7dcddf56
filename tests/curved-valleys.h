/* curved-valleys.h - a stiff valley from a seed: its floor is curved, its stiffness changes along it, two to four coordinates, some with
 * masses; and its slow truth. One at a time */
#ifndef CURVED_VALLEYS_H
#define CURVED_VALLEYS_H
#include "stiffs.h"

enum { VALLEY_SIZE = 4 };
typedef struct {
  int n;
  double w, along[VALLEY_SIZE], height, bend, arch, soft[VALLEY_SIZE], couple, mass[VALLEY_SIZE], energy, y[2*VALLEY_SIZE];
} valley_shape;
static valley_shape valley_now;

/* V = w^2 (1 + S) g^2/2 + slow: g is the distance from the floor */
static inline double valley_floor(const valley_shape *v, const double *q, double *dg)
{
  int n = v->n;
  double g = q[0] - v->height*sin(v->bend*q[1]);
  for (int i = 0; i < n; i++) dg[i] = i == 0;
  dg[1] = -v->height*v->bend*cos(v->bend*q[1]);
  if (n > 2) { g -= v->arch*q[2]*q[2]; dg[2] = -2*v->arch*q[2]; }
  if (n > 3) { double c = 0.3*cos(q[3] + q[1]); g += 0.3*sin(q[3] + q[1]); dg[3] += c; dg[1] += c; }
  return g;
}

static inline int valley_force(epi_system *m, double t, const double *q, double *f)
{
  const valley_shape *v = &valley_now;
  int n = v->n;
  double S = 0, dg[VALLEY_SIZE], g = valley_floor(v, q, dg);
  (void)m; (void)t;
  for (int i = 1; i < n; i++) S += v->along[i]*sin(q[i]);
  for (int i = 0; i < n; i++) {
    double dS = i ? v->along[i]*cos(q[i]) : 0;
    f[i] = -v->w*v->w*((1 + S)*g*dg[i] + 0.5*g*g*dS) - v->soft[i]*q[i];
    f[i] += v->couple*(sin(q[i] - q[(i + 1) % n]) - sin(q[(i + n - 1) % n] - q[i]));
  }
  return 0;
}

/* fast energy from 1e-5 of the slow one to ten times it */
static inline void valley_draw(unsigned long long *r, double from, double to)
{
  valley_shape *v = &valley_now;
  int plain = random_of(r, 0, 1) < 0.5, n = v->n = 2 + (int)random_of(r, 0, 3);
  double dg[VALLEY_SIZE];
  v->w = from*pow(to/from, random_of(r, 0, 1));
  v->height = random_of(r, -0.7, 0.7);
  v->bend = random_of(r, 0.5, 2);
  v->arch = random_of(r, -0.4, 0.4);
  v->couple = random_of(r, -0.5, 0.5);
  v->energy = pow(10, random_of(r, -2.5, 0.7));
  for (int i = 0; i < VALLEY_SIZE; i++) {
    v->along[i] = random_of(r, -0.25, 0.25);
    v->soft[i] = random_of(r, 0.2, 2);
    v->mass[i] = plain ? 1 : random_of(r, 0.5, 2);
    v->y[i] = random_of(r, -1, 1);
  }
  for (int i = 0; i < n; i++) v->y[n + i] = random_of(r, -1, 1);
  v->y[0] += random_of(r, -1, 1)*v->energy/v->w - valley_floor(v, v->y, dg);
  v->y[n] = random_of(r, -1, 1)*v->energy;
}

static inline int valley_make(epi_case *c)
{
  c->system = (epi_system){.nq = valley_now.n, .force = valley_force, .traits.smooth = 1, .mass = valley_now.mass};
  if (epi_case_start(c)) return -1;
  memcpy(c->y, valley_now.y, 2*(size_t)valley_now.n*sizeof *c->y);
  return 0;
}
static const epi_param valley_params[] = {{0}};
static const epi_model curved_valley = {.name = "curved-valley", .doc = "", .params = valley_params, .make = valley_make, .flow = "verlet",
                                        .step = 1e-4, .end = 8};

/* the fast rate is w times 0.5 to 2.5: steps are of the fastest, the filter is as long as eight periods of the slowest */
static inline int valley_rows(epi_case *c, double end, truth *out)
{
  return filtered_rows(c, end, 2*PI/(2.5*valley_now.w)/16, 8*5*16, out);
}

/* the error in tolerances of the slow part, or less than 0: another way was taken. said: what is told */
static inline double valley_error(double tol, double *said, long *spent)
{
  epi_case *c = epi_case_of(&curved_valley, "");
  epi_chosen a = {.tol = tol, .end = 8, .motion = EPI_SLOW};
  truth t;
  double e = -1;
  if (!check_count(epi_choose(c, &a), 0)) printf("  %s\n", a.error);
  *said = a.found/tol;
  *spent = a.spent;
  if (a.slow_part) e = valley_rows(c, 8, &t) ? NAN : off_by(c, a.flow, 8, &t)/tol;
  epi_case_free(c);
  return e;
}
#endif
