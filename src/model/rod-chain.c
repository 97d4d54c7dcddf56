/* rod-chain.c - point masses on rods, hanging from the origin: as many constraints as rods, each of two masses */
#include "draw.h"
#include "rods.h"

enum { N, LENGTH, MASS, G };

static const epi_param PARAMS[] = {
  [N] = {.name = "n", .unit = "", .value = 10, .kind = EPI_COUNT, .doc = "number of rods, and of masses"},
  [LENGTH] = {.name = "l", .unit = "m", .value = 1, .doc = "length of the whole chain", .range = EPI_POSITIVE},
  [MASS] = {.name = "m", .unit = "kg", .value = 1, .doc = "mass of the whole chain", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity"},
  {0}
};
enum { MOST = 1000000 };

typedef struct { int n; double weight, *mass, *rod; int *rowptr, *cols; } chain;

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t, (void)q;
  const chain *d = s->data;
  for (int i = 0; i < d->n; i++) {
    f[2*i] = 0;
    f[2*i + 1] = -d->weight;
  }
  return 0;
}

/* g_i = |r_i - r_(i-1)|^2 - rod^2; the first rod knows one mass, the others two */
static int constraint(epi_system *s, double t, const double *q, double *g, double *J, double *gt)
{
  (void)t, (void)gt;
  const chain *d = s->data;
  double x = 0, y = 0;
  for (int i = 0; i < d->n; i++, q += 2) {
    double dx = q[0] - x, dy = q[1] - y;
    g[i] = dx*dx + dy*dy - d->rod[i]*d->rod[i];
    if (i) *J++ = -2*dx, *J++ = -2*dy;
    *J++ = 2*dx;
    *J++ = 2*dy;
    x = q[0], y = q[1];
  }
  return 0;
}

static int change(epi_system *s, double t, double h, const double *q, const double *dq, double *dg)
{
  (void)t, (void)h;
  epi_rods_change(((const chain *)s->data)->n, q, dq, dg);
  return 0;
}

static int bend(epi_system *s, double t, double h, const double *q, const double *v, double *out)
{
  (void)t, (void)h, (void)q;
  epi_rods_bend(((const chain *)s->data)->n, v, out);
  return 0;
}

static double potential(epi_system *s, double t, const double *q)
{
  (void)t;
  const chain *d = s->data;
  double V = 0;
  for (int i = 0; i < d->n; i++) V += d->weight*q[2*i + 1];
  return V;
}

/* starts: n + 1, touches: 2 for the first rod and 4 for every other */
static void pattern(chain *d)
{
  int at = 0;
  for (int c = 0; c < d->n; c++) {
    d->rowptr[c] = at;
    for (int i = c ? 2*c - 2 : 0; i < 2*c + 2; i++) d->cols[at++] = i;
  }
  d->rowptr[d->n] = at;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(p[N] >= 1 && p[N] <= MOST)) return epi_case_refuse(c, "n = %g rods make no chain: take 1 to %d", p[N], MOST);
  int n = (int)p[N];
  chain *d = epi_case_room(c, 1, sizeof *d);
  double *mass = d ? epi_case_room(c, 3*(size_t)n, sizeof *mass) : NULL;
  int *list = mass ? epi_case_room(c, 5*(size_t)n + 1, sizeof *list) : NULL;
  const char *const *name = list ? epi_row_names(c, n, "rod", "mass") : NULL;
  if (!name) return -1;
  *d = (chain){.n = n, .weight = p[G]*p[MASS]/n, .mass = mass, .rod = mass + 2*n, .rowptr = list, .cols = list + n + 1};
  pattern(d);
  for (int i = 0; i < 2*n; i++) mass[i] = p[MASS]/n;
  for (int i = 0; i < n; i++) d->rod[i] = p[LENGTH]/n;
  c->system = (epi_system){.nq = 2*n, .nc = n, .force = force, .mass = mass, .constraint = constraint,
                           .constraints = {.rowptr = d->rowptr, .cols = d->cols, .constraint_increment = change, .constraint_bend = bend},
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = name,
                           .units = name + 4*n, .data = d};
  if (epi_case_start(c)) return -1;
  /* at rest along the horizontal */
  for (int i = 0; i < n; i++) c->y[2*i] = p[LENGTH]*(i + 1)/n;
  c->step = 0.01/n;
  return 0;
}

static double off(const epi_case *c, const epi_state *s)
{
  const chain *d = c->system.data;
  return epi_rods_off(d->n, d->rod, s->y);
}

static double leaving(const epi_case *c, const epi_state *s) { return epi_rods_leaving(c->system.nc, s->y, s->y + c->system.nq); }

static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  int n = c->system.nc;
  epi_show_row(to, &(epi_row){.n = n, .links = EPI_BAR, .length = c->p[LENGTH]/n, .names = c->system.names + 8*n}, s->y);
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "g", .unit = "m^2", .value = off},
  {.name = "Gv", .unit = "m^2/s", .value = leaving},
  {0}
};

const epi_model epi_ROD_CHAIN = {
  .name = "rod-chain", .doc = "n masses on n rods hanging from the origin, released at rest from the horizontal",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.1 (constrained mechanical systems)",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=4)", .step = 1e-3, .end = 1
};
