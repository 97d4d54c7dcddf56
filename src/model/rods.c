/* rods.c - what is common to models of rods in a row */
#include "rods.h"

/* rod i as a vector, of positions or of velocities */
static void rod(const double *q, int i, double *x, double *y)
{
  *x = q[2*i] - (i ? q[2*i - 2] : 0);
  *y = q[2*i + 1] - (i ? q[2*i - 1] : 0);
}

void epi_rods_change(int n, const double *q, const double *dq, double *dg)
{
  for (int i = 0; i < n; i++) {
    double x, y, dx, dy;
    rod(q, i, &x, &y);
    rod(dq, i, &dx, &dy);
    dg[i] = (2*x + dx)*dx + (2*y + dy)*dy;
  }
}

double epi_rods_off(int n, const double *l, const double *q)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double x, y;
    rod(q, i, &x, &y);
    worst = epi_larger(worst, fabs(x*x + y*y - l[i]*l[i]));
  }
  return worst;
}

double epi_rods_leaving(int n, const double *q, const double *v)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double x, y, vx, vy;
    rod(q, i, &x, &y);
    rod(v, i, &vx, &vy);
    worst = epi_larger(worst, 2*fabs(x*vx + y*vy));
  }
  return worst;
}

void epi_rods_bend(int n, const double *v, double *out)
{
  for (int i = 0; i < n; i++) {
    double x, y;
    rod(v, i, &x, &y);
    out[i] = 2*(x*x + y*y);
  }
}

/* ---- two of them ---- */
enum { N = 4, NC = 2 };
static const char *const NAMES[] = {"x1", "y1", "x2", "y2", "vx1", "vy1", "vx2", "vy2"};
static const char *const UNITS[] = {"m", "m", "m", "m", "m/s", "m/s", "m/s", "m/s"};

/* g_1 = |r_1|^2 - l_1^2, g_2 = |r_2 - r_1|^2 - l_2^2, without a half: lambda > 0 is a rod in compression */
static int constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)t, (void)gt;
  const double *l = ((const epi_two_rods *)s->data)->l;
  double dx = q[2] - q[0], dy = q[3] - q[1];
  g[0] = q[0]*q[0] + q[1]*q[1] - l[0]*l[0];
  g[1] = dx*dx + dy*dy - l[1]*l[1];
  double rows[NC*N] = {2*q[0], 2*q[1], 0, 0, -2*dx, -2*dy, 2*dx, 2*dy};
  memcpy(G, rows, sizeof rows);
  return 0;
}

static int change(epi_system *s, double t, double h, const double *q, const double *dq, double *dg)
{
  (void)s, (void)t, (void)h;
  epi_rods_change(NC, q, dq, dg);
  return 0;
}

static int bend(epi_system *s, double t, double h, const double *q, const double *v, double *out)
{
  (void)s, (void)t, (void)h, (void)q;
  epi_rods_bend(NC, v, out);
  return 0;
}

int epi_two_rods_make(epi_case *c, const double *m, const double *l, const double *q)
{
  epi_two_rods *d = epi_case_room(c, 1, sizeof *d);
  if (!d) return -1;
  *d = (epi_two_rods){.p = c->p, .l = l, .mass = {m[0], m[0], m[1], m[1]}};
  c->system = (epi_system){.nq = N, .nc = NC, .mass = d->mass, .constraint = constraint,
                           .constraints = {.constraint_increment = change, .constraint_bend = bend}, .names = NAMES, .units = UNITS,
                           .data = d, .energies.kinetic = epi_kinetic_plain, .energy = epi_energy_plain};
  if (epi_case_start(c)) return -1;
  c->y[0] = l[0]*sin(q[0]);
  c->y[1] = l[0]*cos(q[0]);
  c->y[2] = c->y[0] + l[1]*sin(q[1]);
  c->y[3] = c->y[1] + l[1]*cos(q[1]);
  return 0;
}

/* bobs of one material; seen from the pivot, their places are those of the state */
void epi_two_rods_show(const epi_case *c, const epi_state *s, double base, epi_scene *to)
{
  const epi_two_rods *d = c->system.data;
  const double *y = s->y;
  double l = d->l[0] + d->l[1], bob = 0.05*l, m = fmax(d->mass[0], d->mass[2]);
  epi_show(to, &(epi_shape){.name = "pivot", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.1*l, 0.1*l, 0.04*l}, .at = {0, 0, base}});
  epi_show(to, &(epi_shape){.name = "rod 1", .kind = EPI_BAR, .appearance = EPI_STEEL, .size = {0.012*l}, .at = {0, 0, base},
                            .to = {y[0], 0, base + y[1]}});
  epi_show(to, &(epi_shape){.name = "rod 2", .kind = EPI_BAR, .appearance = EPI_STEEL, .size = {0.012*l}, .at = {y[0], 0, base + y[1]},
                            .to = {y[2], 0, base + y[3]}});
  epi_show(to, &(epi_shape){.name = "bob 1", .kind = EPI_BALL, .appearance = EPI_BRASS, .size = {bob*cbrt(d->mass[0]/m)},
                            .at = {y[0], 0, base + y[1]}});
  epi_show(to, &(epi_shape){.name = "bob 2", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {bob*cbrt(d->mass[2]/m)},
                            .at = {y[2], 0, base + y[3]}, .trail = 1});
}

double epi_two_rods_q1(const epi_case *c, const epi_state *s) { (void)c; return atan2(s->y[0], s->y[1]); }
double epi_two_rods_q2(const epi_case *c, const epi_state *s) { (void)c; return atan2(s->y[2] - s->y[0], s->y[3] - s->y[1]); }
double epi_two_rods_off(const epi_case *c, const epi_state *s) { return epi_rods_off(NC, ((const epi_two_rods *)c->system.data)->l, s->y); }
double epi_two_rods_leaving(const epi_case *c, const epi_state *s) { (void)c; return epi_rods_leaving(NC, s->y, s->y + N); }
