/* three masses on springs of the third power, between two walls */
enum { THREE_K, THREE_M, THREE_X };
static const epi_param three_params[] = {
  [THREE_K] = {.name = "k", .value = 3}, [THREE_M] = {.name = "m", .value = 2}, [THREE_X] = {.name = "x", .value = 0.3}, {0}
};
#define CUBE(x) ((x)*(x)*(x))
static double spring(double k, double x) { return k*x + CUBE(x); }
static int three_force(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  for (int i = 0; i < 3; i++)
    f[i] = spring(p[THREE_K], (i ? q[i - 1] : 0) - q[i]) + spring(p[THREE_K], (i < 2 ? q[i + 1] : 0) - q[i]);
  return 0;
}
static int three_make(epi_case *c)
{
  double *mass = epi_case_room(c, 3, sizeof *mass);
  if (!mass) return -1;
  for (int i = 0; i < 3; i++) mass[i] = c->p[THREE_M] + i;
  c->system = (epi_system){.nq = 3, .force = three_force, .mass = mass, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[THREE_X];
  c->y[4] = -0.2;
  return 0;
}
static const epi_model THREE = {.name = "three", .doc = "three masses", .params = three_params, .make = three_make, .flow = "verlet",
                                .step = 0.1, .end = 10};
