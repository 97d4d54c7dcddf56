/* an oscillator that is heated by its speed: a force, and a variable of first order beside it */
static const epi_param first_params[] = {{.name = "k", .value = 2}, {.name = "loss", .value = 0.3}, {0}};
static int first_force(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  f[0] = -p[0]*q[0] - q[0]*q[0]*q[0];
  return 0;
}
static int first_rate(epi_system *s, double t, const double *y, double *dz)
{
  const double *p = s->data;
  (void)t;
  dz[0] = y[1]*y[1] - p[1]*y[2];
  dz[1] = y[2] - y[3];
  return 0;
}
static int first_make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .nz = 2, .force = first_force, .rate = first_rate, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->y[2] = 0.5;
  return 0;
}
static const epi_model FIRST = {.name = "first", .doc = "an oscillator with a temperature", .params = first_params, .make = first_make,
                                .flow = "rk4", .step = 0.1, .end = 10};
