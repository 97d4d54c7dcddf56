/* relax.c - relax: a constrained system without its constraints, held by stiff springs instead. What was g = 0 becomes the energy
 * stiffness |g|^2/2, so that M v' = forces - G^T (stiffness g + damping (G v + gt)); a method for stiff systems then solves the constrained
 * one, off by about 1/stiffness */
#include "core.h"
#include <stdio.h>

enum { STIFFNESS, DAMPING };

/* of the node: g and the speed at which it changes, G, the force of the springs */
typedef struct { double *g, *rate, *G, *pull; } room;

static room room_of(const epi_flow *f)
{
  int nc = f->sys->nc;
  double *at = f->work;
  return (room){.g = at, .rate = at + nc, .G = at + 2*nc, .pull = at + 2*nc + epi_G_size(f->space)};
}

/* f += G^T x; as an acceleration where the forces are such */
static void pull(epi_flow *node, const room *r, const double *q, const double *x, double *f)
{
  epi_Gt_mul(node->space, r->G, x, r->pull);
  if (node->sys->inertia.accel) epi_mass_divide(node->space, q, r->pull);
  for (int i = 0; i < epi_nv(node->sys); i++) f[i] += r->pull[i];
}

static int add_springs(epi_flow *node, double t, const double *q, double *f)
{
  room r = room_of(node);
  int bad = epi_constraint_eval(node->sys, t, q, r.g, r.G, r.rate);
  if (bad) return bad;
  for (int c = 0; c < node->sys->nc; c++) r.g[c] *= -node->arg[STIFFNESS].number;
  pull(node, &r, q, r.g, f);
  return 0;
}

static int relax_force(epi_system *m, double t, const double *q, double *f)
{
  epi_flow *node = m->derived->inner;
  epi_system *of = node->sys;
  int bad = 0;
  if (of->force) bad = of->force(of, t, q, f);
  else memset(f, 0, (size_t)epi_nv(of)*sizeof *f);
  return bad ? bad : add_springs(node, t, q, f);
}

static int relax_forced(epi_system *m, double t, double theta, const double *q, double *f)
{
  epi_flow *node = m->derived->inner;
  int bad = node->sys->phase.forced(node->sys, t, theta, q, f);
  return bad ? bad : add_springs(node, t, q, f);
}

static int relax_velocity_force(epi_system *m, double t, const double *q, const double *v, double *f)
{
  epi_flow *node = m->derived->inner;
  epi_system *of = node->sys;
  room r = room_of(node);
  int bad = of->velocity_force ? of->velocity_force(of, t, q, v, f) : 0;
  if (!bad) bad = epi_constraint_eval(of, t, q, r.g, r.G, r.rate);
  if (bad) return bad;
  epi_G_mul(node->space, r.G, v, r.rate);
  for (int c = 0; c < of->nc; c++) r.rate[c] *= -node->arg[DAMPING].number;
  pull(node, &r, q, r.rate, f);
  return 0;
}

/* ---- energies ---- */
static double of_springs(epi_flow *node, double t, const double *q)
{
  room r = room_of(node);
  double sum = 0;
  if (epi_constraint_eval(node->sys, t, q, r.g, r.G, r.rate)) return NAN;
  for (int c = 0; c < node->sys->nc; c++) sum += r.g[c]*r.g[c];
  return 0.5*node->arg[STIFFNESS].number*sum;
}

static double relax_energy(epi_system *m, double t, const double *y)
{
  epi_flow *node = m->derived->inner;
  return node->sys->energy(node->sys, t, y) + of_springs(node, t, y);
}

static double relax_potential(epi_system *m, double t, const double *y)
{
  epi_flow *node = m->derived->inner;
  return node->sys->energies.potential(node->sys, t, y) + of_springs(node, t, y);
}

/* ---- building ---- */
static epi_derived_system *relaxed(const epi_flow *f)
{
  const epi_system *of = f->sys;
  epi_derived_system *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  epi_system *m = &made->sys;
  *m = *of;
  m->derived = made;
  made->record = f->record;
  m->nc = 0;
  m->constraint = NULL;
  m->constraints.constraint_increment = NULL;
  m->constraints.constraint_name = NULL;
  m->constraints.rowptr = m->constraints.cols = NULL;
  m->jacobian.slope = m->jacobian.slope_rows = NULL;
  m->batch.forces = NULL;
  m->energies.log_force = NULL;
  m->energies.log_planar = NULL;
  m->contacts.linked_force = NULL;
  m->contacts.links = 0;
  if (of->phase.forced) m->phase.forced = relax_forced;
  else m->force = relax_force;
  if (f->arg[DAMPING].number > 0) { m->velocity_force = relax_velocity_force; m->traits.irreversible = 1; }
  if (of->energy) m->energy = relax_energy;
  if (of->energies.potential) m->energies.potential = relax_potential;
  return made;
}

static void relax_build(epi_flow *f)
{
  const epi_system *m = f->sys;
  epi_refuse(f, !m->nc, "relax replaces constraints by springs, and this system has none: leave relax out");
  epi_refuse(f, m->derived && m->derived->start, "relax of a system that finds its constraints at the start is not known: relax the system "
             "inside");
  epi_refuse(f, !f->arg[STIFFNESS].given, "relax needs the stiffness of the springs, energy over the square of a constraint: give "
             "stiffness, such as 1e6");
  if (f->broken || epi_blocks(f, 0, 2L*m->nc + epi_G_size(f->space) + epi_nv(m))) return;
  f->derives = relaxed(f);
  epi_refuse_memory(f, !f->derives);
  f->order = 0;
}

static const epi_param params[] = {
  [STIFFNESS] = {.name = "stiffness", .value = 0, .doc = "of the springs: the energy of a constraint that is off by g is stiffness g^2/2",
                 .range = EPI_POSITIVE},
  [DAMPING] = {.name = "damping", .value = 0, .doc = "of the springs: their power is damping times the square of the rate of g",
               .range = EPI_NOT_NEGATIVE},
  {0}
};
const epi_record epi_RELAX = {
  .name = "relax", .doc = "a constrained system with stiff springs in place of its constraints",
  .cite = "Sanz-Serna, Ariel & Tsai, multiscale methods for stiff and constrained mechanical systems (2009); Rubin & Ungar, Comm. Pure "
          "Appl. Math. 10 (1957) 65",
  .example = "radau(relax(model, stiffness=1e6))", .arrow = EPI_COMBINE, .least = 1, .most = 1, .params = params,
  .build = relax_build,
};
