/* energy.c - kinetic and potential energy: the slots of that name, or the energy at rest and what is left of it, or v M v/2 */
#include "energy.h"

int epi_has_potential(const epi_system *m) { return m->energies.potential || m->energy; }

double epi_potential_of(epi_system *m, double t, const double *q, double *work)
{
  memcpy(work, q, (size_t)m->nq*sizeof *q);
  memset(work + m->nq, 0, (size_t)(epi_dim(m) - m->nq)*sizeof *q);
  return m->energies.potential ? m->energies.potential(m, t, work) : m->energy(m, t, work);
}

/* where forces are accelerations the masses are in the energy alone */
static int masses_in_energy(const epi_system *m) { return m->inertia.accel && m->energy && !m->energies.kinetic; }

static double by_mass(const epi_system *m, const double *v)
{
  int n = epi_nv(m);
  double T = 0;
  for (int i = 0; i < n; i++) {
    if (!m->inertia.mass_matrix) T += (m->mass ? m->mass[i] : 1)*v[i]*v[i];
    else for (int j = 0; j < n; j++) T += v[i]*m->inertia.mass_matrix[i*n + j]*v[j];
  }
  return T/2;
}

double epi_kinetic_of(epi_system *m, double t, const double *q, const double *v, double *work)
{
  memcpy(work, q, (size_t)m->nq*sizeof *q);
  memcpy(work + m->nq, v, (size_t)epi_nv(m)*sizeof *v);
  if (m->energies.kinetic) return m->energies.kinetic(m, t, work);
  if (!m->inertia.speed && !m->inertia.mass_solve && !masses_in_energy(m)) return by_mass(m, v);
  double E = m->energy(m, t, work);
  return E - epi_potential_of(m, t, q, work);
}

int epi_other_mass(epi_flow *f, const epi_state *s, double *work)
{
  epi_system *m = f->sys;
  const double *v = s->y + m->nq;
  if (!m->inertia.accel || m->inertia.mass_solve) return 0;
  double T = epi_kinetic_of(m, s->t, s->y, v, work), V = epi_potential_of(m, s->t, s->y, work), other = by_mass(m, v);
  if (fabs(T - other) <= 1e-9*(fabs(T) + fabs(V))) return 0;
  return epi_fail(f, EPI_WRONG, "%s needs the mass, and by the energy of the start (kinetic %g, not %g) it is not %s: give forces with "
                  "their mass instead of accelerations, or use scaled", f->record->name, T, other,
                  m->mass || m->inertia.mass_matrix ? "the one given" : "1");
}

void epi_needs_energy(epi_flow *f, const char *instead, int turns)
{
  const epi_system *m = f->sys;
  const char *name = f->record->name;
  int averaged = m->derived && m->derived->inner;
  epi_refuse(f, averaged, "%s needs the energy of its system, and an averaged one has none: use %s", name, instead);
  epi_refuse(f, !epi_has_force(m), "%s needs a force of position, and this system has none: use tolerance(dopri5)", name);
  epi_refuse(f, m->phase.forced != NULL, "%s has no form for a fast phase: average it first, or use %s", name, instead);
  epi_refuse(f, m->nc || (m->manifold.retract && !turns) || m->nz,
             "%s has no form for constraints, rotations and first-order variables: use %s, "
             "which has", name, instead);
  epi_refuse(f, !epi_has_potential(m), "%s needs the energy of its system to know how time is scaled: fill in potential, or energy", name);
  epi_refuse(f, (m->inertia.speed || m->inertia.mass_solve) && !m->energies.kinetic && !m->energy,
             "%s needs the kinetic energy of this system: fill in kinetic, or energy", name);
}

/* against the work of the force over the size of q */
int epi_no_potential(epi_flow *f, const epi_state *s, double V, double *work)
{
  epi_system *m = f->sys;
  double size = 0;
  if (!m->force || m->force(m, s->t, s->y, work)) return 0;
  for (int i = 0; i < m->nq && !m->manifold.retract; i++) size = fmax(size, fabs(work[i]*s->y[i]));
  if (fabs(V) > 1e-12*size) return 0;
  return epi_fail(f, EPI_WRONG,
                  "%s: the potential is zero but for rounding at t = %g, and steps go by it: add a constant to it, or start elsewhere",
                  f->record->name, s->t);
}

int epi_still(epi_flow *f, const epi_state *s, double *work)
{
  double V = epi_potential_of(f->sys, s->t, s->y, work);
  for (int i = 0; i < 2; i++) {
    double other = epi_potential_of(f->sys, s->t + (i ? 1.0 : 0.618033988749895), s->y, work);
    if (other != V && other == other)
      return epi_fail(f, EPI_WRONG,
                      "%s: the potential depends on time (%g at t = %g, %g later), and its energy is then no constant: use density",
                      f->record->name, V, s->t, other);
  }
  return 0;
}

int epi_other_level(epi_flow *f, const epi_state *s, const epi_value *given, double T, double V)
{
  if (!given->given || fabs(given->number - T - V) <= 0.25*(fabs(T) + fabs(V))) return 0;
  return epi_fail(f, EPI_WRONG,
                  "%s: the energy given is %g, and that of the start at t = %g is %g: leave it out, or give the one of the motion",
                  f->record->name,
                  given->number, s->t, T + V);
}
