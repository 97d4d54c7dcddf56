/* upright.c - a user's model: a pendulum on a pivot that goes up and down as (vmax/w) cos theta, with a drag; q = 0 is upright */
#include <epicycle/model.h>
#include <math.h>

enum { G, L, C, VMAX, W, Q0 };
static const epi_param params[] = {
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.8}, [L] = {.name = "l", .unit = "m", .value = 0.2},
  [C] = {.name = "c", .unit = "1/s", .value = 0.5}, [VMAX] = {.name = "vmax", .unit = "m/s", .value = 4},
  [W] = {.name = "w", .unit = "rad/s", .value = 100}, [Q0] = {.name = "q0", .unit = "rad", .value = 0.05}, {0}
};
static const char *const names[] = {"q", "v"};

static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  f[0] = (p[G] - p[VMAX]*p[W]*cos(theta))/p[L]*sin(q[0]);
  return 0;
}

static int drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const double *p = s->data;
  (void)t, (void)q;
  f[0] -= p[C]*v[0];
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = 1, .phase = {.forced = forced, .phase_rate = p[W]}, .velocity_force = drag, .names = names, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q0];
  return 0;
}

EPI_MODEL = {.name = "upright", .doc = "a pendulum kept upright by its pivot", .params = params, .make = make, .flow = "rk4", .step = 1e-3,
             .end = 10};
