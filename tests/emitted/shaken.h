/* two coordinates in a potential that is shaken with a fast phase, and unequal masses */
enum { SHAKEN_W, SHAKEN_B, SHAKEN_M };
static const epi_param shaken_params[] = {
  [SHAKEN_W] = {.name = "w", .value = 300}, [SHAKEN_B] = {.name = "b", .value = 5}, [SHAKEN_M] = {.name = "m", .value = 1.5}, {0}
};
static int shaken_forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double *p = s->data;
  double push = p[SHAKEN_B]*p[SHAKEN_W]*cos(theta);
  f[0] = -q[0] + push*sin(q[1]) + 0.1*sin(0.5*t);
  f[1] = -2*q[1] - q[0]*q[1] + 0.3*push*cos(2*theta);
  return 0;
}
static int shaken_make(epi_case *c)
{
  double *mass = epi_case_room(c, 2, sizeof *mass);
  if (!mass) return -1;
  mass[0] = 1;
  mass[1] = c->p[SHAKEN_M];
  c->system = (epi_system){.nq = 2,
                           .phase = {.forced = shaken_forced, .phase_rate = c->p[SHAKEN_W],
                                     .period = 6.28318530717958647692/c->p[SHAKEN_W]}, .mass = mass, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.3;
  c->y[1] = 0.2;
  return 0;
}
static const epi_model SHAKEN = {.name = "shaken", .doc = "two coordinates, shaken", .params = shaken_params, .make = shaken_make,
                                 .flow = "verlet", .step = 0.001, .end = 1};
