/* pendulum.c - a user's model, as it would be without any GPU: a pendulum whose pivot vibrates */
#include <epicycle/model.h>
#include <math.h>

typedef struct { double g, l, vmax, w; } pendulum;
static const epi_param params[] = {
  {.name = "g", .unit = "m/s^2", .value = 9.8}, {.name = "l", .unit = "m", .value = 0.2}, {.name = "vmax", .unit = "m/s", .value = 4},
  {.name = "w", .unit = "rad/s", .value = 1e6}, {.name = "q0", .unit = "rad", .value = 0.5}, {0}
};
static const char *const names[] = {"q", "v"};

static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const pendulum *p = s->data;
  (void)t;
  f[0] = (p->g + p->vmax*p->w*cos(theta))/p->l*sin(q[0]);
  return 0;
}

static int make(epi_case *c)
{
  pendulum *p = epi_case_room(c, 1, sizeof *p);
  if (!p) return -1;
  *p = (pendulum){c->p[0], c->p[1], c->p[2], c->p[3]};
  c->system = (epi_system){.nq = 1, .phase = {.forced = forced, .phase_rate = p->w}, .names = names, .data = p};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[4];
  return 0;
}

EPI_MODEL = {.name = "pendulum", .doc = "a pendulum whose pivot vibrates", .params = params, .make = make, .flow = "verlet", .step = 1e-7,
             .end = 1};
