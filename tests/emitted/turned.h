/* a rate alone, with its fast phase in t */
static const epi_param turned_params[] = {{.name = "w", .value = 200}, {.name = "a", .value = 0.7}, {0}};
static int turned_rate(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data;
  double fast = cos(p[0]*t);
  dy[0] = y[1] + p[1]*fast*y[2];
  dy[1] = -y[0]*(1 + fast);
  dy[2] = -0.1*y[2] + y[0]*y[1]*fast;
  return 0;
}
static int turned_make(epi_case *c)
{
  c->system = (epi_system){.nz = 3, .rate = turned_rate, .data = c->p,
                           .phase = {.phase_rate = c->p[0], .period = 6.28318530717958647692/c->p[0]}};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->y[2] = 0.4;
  return 0;
}
static const epi_model TURNED = {.name = "turned", .doc = "a rate with a fast phase", .params = turned_params, .make = turned_make,
                                 .flow = "rk4", .step = 0.1, .end = 2};
