/* car-axis.c - a car on a bumpy road (IVP test set): two wheels' ends of an axis on springs, one of them on a line that the road turns */
#include <epicycle.h>
#include <math.h>
enum { EPS, MASS, LENGTH, REST, BUMP, ROAD };
static const epi_param PARAMS[] = {
  [EPS] = {.name = "eps", .value = 0.01, .doc = "how light the axis is beside its springs: eps^2 mass/2 at each end"},
  [MASS] = {.name = "mass", .value = 10, .doc = "mass of the axis"},
  [LENGTH] = {.name = "length", .value = 1, .doc = "length of the axis"},
  [REST] = {.name = "rest", .value = 0.5, .doc = "length of the springs without load"},
  [BUMP] = {.name = "bump", .value = 0.1, .doc = "height of the road under the right wheel"},
  [ROAD] = {.name = "road", .value = 10, .doc = "frequency of the road"}, {0}};
static const char *const NAMES[] = {"xl", "yl", "xr", "yr", "vxl", "vyl", "vxr", "vyr"};
/* the right wheel, and its velocity */
static void wheel(const double *p, double t, double *x, double *y, double *vx, double *vy)
{
  *y = p[BUMP]*sin(p[ROAD]*t);
  *x = sqrt(p[LENGTH]*p[LENGTH] - *y**y);
  *vy = p[BUMP]*p[ROAD]*cos(p[ROAD]*t);
  *vx = -*y**vy/ *x;
}
static int force(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  double x, y, vx, vy, m = p[EPS]*p[EPS]*p[MASS]/2;
  wheel(p, t, &x, &y, &vx, &vy);
  double l = hypot(q[0], q[1]), r = hypot(q[2] - x, q[3] - y);
  f[0] = (p[REST] - l)*q[0]/l;
  f[1] = (p[REST] - l)*q[1]/l - m;
  f[2] = (p[REST] - r)*(q[2] - x)/r;
  f[3] = (p[REST] - r)*(q[3] - y)/r - m;
  return 0;
}
static int constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  const double *p = s->data;
  double x, y, vx, vy, dx = q[0] - q[2], dy = q[1] - q[3];
  wheel(p, t, &x, &y, &vx, &vy);
  g[0] = q[0]*x + q[1]*y;
  g[1] = dx*dx + dy*dy - p[LENGTH]*p[LENGTH];
  gt[0] = q[0]*vx + q[1]*vy;
  double rows[8] = {x, y, 0, 0, 2*dx, 2*dy, -2*dx, -2*dy};
  for (int i = 0; i < 8; i++) G[i] = rows[i];
  return 0;
}
static void constraint_name(epi_system *s, int c, char *out, size_t size)
{
  static const char *const names[] = {"the line of the left end", "the length of the axis"};
  const char *from = names[c];
  size_t i = 0;
  (void)s;
  for (; from[i] && i + 1 < size; i++) out[i] = from[i];
  if (size) out[i] = 0;
}
static int make(epi_case *c)
{
  const double y0[8] = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0};
  double *m = epi_case_room(c, 4, sizeof *m);
  if (!m) return -1;
  for (int i = 0; i < 4; i++) m[i] = c->p[EPS]*c->p[EPS]*c->p[MASS]/2;
  c->system = (epi_system){.nq = 4, .nc = 2, .force = force, .mass = m, .constraint = constraint,
                           .constraints.constraint_name = constraint_name,
    .names = NAMES, .data = c->p};
  if (epi_case_start(c)) return -1;
  for (int i = 0; i < 8; i++) c->y[i] = y0[i];
  return 0;
}
EPI_MODEL = {.name = "car-axis", .doc = "a car on a bumpy road", .params = PARAMS, .make = make, .flow = "tolerance(dop853, rtol=1e-9)",
  .step = 3, .end = 3};
