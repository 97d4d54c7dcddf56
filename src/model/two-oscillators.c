/* two-oscillators.c - two masses on a line, nearly glued by a stiff damped spring, on a weak one */
#include "model.h"

enum { K, KB, CB, Q1, Q2 };

static const epi_param PARAMS[] = {
  [K] = {.name = "k", .unit = "N/m", .value = 1, .doc = "weak spring from the wall to mass 1", .range = EPI_POSITIVE},
  [KB] = {.name = "kB", .unit = "N/m", .value = 1e3, .doc = "stiff spring between the masses", .range = EPI_POSITIVE},
  [CB] = {.name = "cB", .unit = "N s/m", .value = 1e2, .doc = "damper between the masses",
          .range = {0, EPI_UNBOUNDED, .words = " feeds energy into the masses: take cB >= 0"}},
  [Q1] = {.name = "q1", .unit = "m", .value = 1, .doc = "start: position of mass 1"},
  [Q2] = {.name = "q2", .unit = "m", .value = 1.1, .doc = "start: position of mass 2"},
  {0}
};
static const char *const NAMES[] = {"q1", "q2", "v1", "v2"};
static const char *const UNITS[] = {"m", "m", "m/s", "m/s"};

/* A, the part that is taken to be expensive: the weak spring */
static int contacts(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] = -p[K]*q[0];
  f[1] = 0;
  return 0;
}

/* B, the part that is stiff and cheap: the spring and the damper between the masses */
static int stiff(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  f[0] = -p[KB]*(q[0] - q[1]);
  f[1] = -f[0];
  return 0;
}

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)q;
  const double *p = s->data;
  double x = p[CB]*(v[0] - v[1]);
  f[0] -= x;
  f[1] += x;
  return 0;
}

static int force(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  stiff(s, t, q, f);
  f[0] -= p[K]*q[0];
  return 0;
}

static int stiff_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)y;
  const double *p = s->data;
  A[0] = A[3] = -a*p[KB] - b*p[CB];
  A[1] = A[2] = -A[0];
  return 0;
}

static int contacts_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)y, (void)b;
  const double *p = s->data;
  A[0] = -a*p[K];
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const double *p = s->data;
  stiff_slope(s, t, y, a, b, A);
  A[0] -= a*p[K];
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  double x = y[0] - y[1];
  return (p[K]*y[0]*y[0] + p[KB]*x*x)/2;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  epi_system *part = epi_case_room(c, 2, sizeof *part);
  if (!part) return -1;
  int oneway = p[CB] > 0;
  c->system = (epi_system){.nq = 2, .force = force, .velocity_force = velocity_force, .jacobian.slope = slope,
                           .traits.irreversible = oneway, .energies = {.kinetic = epi_kinetic_plain, .potential = potential},
                           .energy = epi_energy_plain, .names = NAMES, .units = UNITS, .data = c->p};
  part[0] = (epi_system){.nq = 2, .force = contacts, .jacobian.slope = contacts_slope, .names = NAMES, .units = UNITS, .data = c->p};
  part[1] = (epi_system){.nq = 2, .force = stiff, .velocity_force = velocity_force, .jacobian.slope = stiff_slope,
                         .traits.irreversible = oneway,
                         .names = NAMES, .units = UNITS, .data = c->p};
  c->parts[1] = (epi_name){.name = "model.contacts", .system = &part[0]};
  c->parts[2] = (epi_name){.name = "model.stiff", .system = &part[1]};
  if (epi_case_start(c)) return -1;
  c->y[0] = p[Q1];
  c->y[1] = p[Q2];
  /* the slow mode is that of both masses on the weak spring */
  double w = sqrt(p[K]/2);
  c->step = 0.05*sqrt(0.5)/w;
  c->end = 50*sqrt(0.5)/w;
  return 0;
}

enum { D = 4 };

static void multiply(double a[D][D], double b[D][D], double out[D][D])
{
  for (int i = 0; i < D; i++) for (int j = 0; j < D; j++) {
    double x = 0;
    for (int k = 0; k < D; k++) x += a[i][k]*b[k][j];
    out[i][j] = x;
  }
}

/* exp(A) - 1 by its series on A/2^s, and s doublings (1 + X)^2 - 1 = 2X + X^2, which keep what is small beside 1 */
static void exponential(double A[D][D], double X[D][D])
{
  double norm = 0, term[D][D], next[D][D];
  for (int i = 0; i < D; i++) for (int j = 0; j < D; j++) norm = fmax(norm, fabs(A[i][j]));
  int s = norm > 0 ? ilogb(norm) + 5 : 0;
  s = s < 0 ? 0 : s;
  for (int i = 0; i < D; i++) for (int j = 0; j < D; j++) X[i][j] = term[i][j] = A[i][j] = ldexp(A[i][j], -s);
  for (int n = 2; n < 16; n++) {
    multiply(term, A, next);
    for (int i = 0; i < D; i++) for (int j = 0; j < D; j++) X[i][j] += term[i][j] = next[i][j]/n;
  }
  for (; s > 0; s--) {
    multiply(X, X, next);
    for (int i = 0; i < D; i++) for (int j = 0; j < D; j++) X[i][j] = 2*X[i][j] + next[i][j];
  }
}

static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  double k = p[K]*t, K2 = p[KB]*t, C = p[CB]*t, X[D][D];
  double A[D][D] = {{0, 0, t, 0}, {0, 0, 0, t}, {-k - K2, K2, -C, C}, {K2, -K2, C, -C}};
  const double start[D] = {p[Q1], p[Q2], 0, 0};
  exponential(A, X);
  for (int i = 0; i < D; i++) {
    y[i] = start[i];
    for (int j = 0; j < D; j++) y[i] += X[i][j]*start[j];
  }
  return 0;
}

static double gap(const epi_case *c, const epi_state *s) { (void)c; return s->y[0] - s->y[1]; }

/* sizes by the start; what is glued at rest is shown 0.7 of it apart, with the springs between */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  double size = fmax(fabs(c->p[Q1]), fabs(c->p[Q2])), l = size > 0 ? size : 1, box = 0.3*l, a = s->y[0], b = s->y[1] + 0.7*l;
  epi_show(to, &(epi_shape){.name = "floor", .kind = EPI_FLOOR, .size = {5*l, 1.5*l}, .at = {0.2*l, 0, -box/2}});
  epi_show(to, &(epi_shape){.name = "wall", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.1*l, 0.8*l, 0.8*l},
                            .at = {-2*l, 0, 0.4*l - box/2}});
  epi_show(to, &(epi_shape){.name = "weak spring", .kind = EPI_COIL, .appearance = EPI_STEEL, .size = {0.08*l, 12}, .at = {-1.95*l},
                            .to = {a - box/2}});
  epi_show(to, &(epi_shape){.name = "stiff spring", .kind = EPI_COIL, .appearance = EPI_DARK, .size = {0.1*l, 5}, .at = {a + box/2},
                            .to = {b - box/2}});
  epi_show(to, &(epi_shape){.name = "mass 1", .kind = EPI_BOX, .appearance = EPI_BRIGHT, .size = {box, box, box}, .at = {a}});
  epi_show(to, &(epi_shape){.name = "mass 2", .kind = EPI_BOX, .appearance = EPI_BRASS, .size = {box, box, box}, .at = {b}});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "gap", .unit = "m", .value = gap},
  {0}
};

const epi_model epi_TWO_OSCILLATORS = {
  .name = "two-oscillators", .doc = "two masses on a line, a stiff damped spring between them, a weak one to the wall; exact",
  .cite = "Modin, Fritzson & Fuhrer, Semiexplicit numerical integration by splitting (2007), 6.1",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "radau(stages=3)", .step = 0.05, .end = 50, .smooth = 1
};
