/* sum.c - the one system made of systems: forces and velocity forces of two, added */
#include "core.h"
#include <stdio.h>

static int sum_force(epi_system *m, double t, const double *q, double *f)
{
  epi_system *a = m->derived->part[0], *b = m->derived->part[1];
  double *other = m->derived->own;
  int n = epi_nv(m), bad = 0;
  memset(f, 0, (size_t)n*sizeof *f);
  if (a->force) bad = a->force(a, t, q, f);
  if (bad || !b->force) return bad;
  bad = b->force(b, t, q, other);
  for (int i = 0; i < n; i++) f[i] += other[i];
  return bad;
}

static int sum_velocity_force(epi_system *m, double t, const double *q, const double *v, double *f)
{
  int bad = 0;
  for (int i = 0; i < 2 && !bad; i++) {
    epi_system *a = m->derived->part[i];
    if (a->velocity_force) bad = a->velocity_force(a, t, q, v, f);
  }
  return bad;
}

static void sum_drop(epi_derived_system *m) { free(m->own); }

static epi_system *sum_combine(const epi_record *r, epi_system *a, epi_system *b)
{
  epi_derived_system *m = calloc(1, sizeof *m);
  double *other = calloc((size_t)epi_nv(a) + 1, sizeof *other);
  if (!m || !other) { free(m); free(other); return NULL; }
  *m = (epi_derived_system){.sys = *a, .record = r, .part = {a, b}, .own = other, .drop = sum_drop};
  m->sys.derived = m;
  m->sys.force = a->force || b->force ? sum_force : NULL;
  m->sys.velocity_force = a->velocity_force || b->velocity_force ? sum_velocity_force : NULL;
  m->sys.jacobian.slope = NULL;
  m->sys.contacts.linked_force = NULL;
  m->sys.contacts.links = m->sys.modes.modes = 0;
  m->sys.energy = m->sys.energies.potential = NULL;
  m->sys.traits.irreversible = a->traits.irreversible || b->traits.irreversible;
  m->sys.traits.smooth = a->traits.smooth && b->traits.smooth;
  for (int i = 0; i < 2; i++) if (m->part[i]->derived) m->part[i]->derived->refs++;
  if (a->nq != b->nq || epi_dim(a) != epi_dim(b))
    epi_fault_record(&m->fault, 0, EPI_COMPOSITION, "sum: the two systems have different coordinates (%d and %d numbers)", epi_dim(a),
                     epi_dim(b));
  else if (a->rate || b->rate || a->phase.forced || b->phase.forced)
    epi_fault_record(&m->fault, 0, EPI_COMPOSITION, "sum adds forces and velocity forces of position and velocity: a rate or a fast phase "
                     "cannot be added");
  else if (a->nc || b->nc)
    epi_fault_record(&m->fault, 0, EPI_COMPOSITION, "sum of constrained systems is not known: put the constraints and both forces into one "
                     "system");
  return &m->sys;
}

const epi_record epi_SUM = {
  .name = "sum", .doc = "a system with the forces and velocity forces of two", .example = "verlet(sum(a, b))", .cite = "",
  .arrow = EPI_COMBINE, .least = 2, .most = 2, .combine = sum_combine,
};
