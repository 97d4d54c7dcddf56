/* a pendulum in a wind, with a drag that is linear and one that grows with speed; what it keeps is its own, with the parameters in it */
typedef struct { double g, c, wind; int rough; } pendulum_in_wind;
static const epi_param drag_params[] = {{.name = "g", .value = 9.8}, {.name = "c", .value = 0.1}, {.name = "wind", .value = 0.4}, {0}};
static int drag_force(epi_system *s, double t, const double *q, double *f)
{
  const pendulum_in_wind *p = s->data;
  f[0] = -p->g*sin(q[0]) + p->wind*cos(0.3*t);
  return 0;
}
static int drag_of(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const pendulum_in_wind *p = s->data;
  (void)t, (void)q;
  f[0] -= p->c*v[0];
  if (p->rough) f[0] -= p->c*fabs(v[0])*v[0];
  return 0;
}
static int drag_make(epi_case *c)
{
  pendulum_in_wind *own = epi_case_room(c, 1, sizeof *own);
  if (!own) return -1;
  *own = (pendulum_in_wind){c->p[0], c->p[1], c->p[2], c->p[1] > 0.05};
  c->system = (epi_system){.nq = 1, .force = drag_force, .velocity_force = drag_of, .data = own};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  return 0;
}
static const epi_model DRAG = {.name = "drag", .doc = "a pendulum in a wind", .params = drag_params, .make = drag_make,
                               .flow = "verlet", .step = 0.1, .end = 10};
