/* semi-stiff.c - the second system of semi and of others that take two: its accelerations, and whether it goes with the first */
#include "semi.h"

/* ---- B, and where it is asked ---- */
int epi_semi_stiff(epi_flow *f, double t, double theta, const double *y, double *a)
{
  epi_system *b = f->other;
  int bad = 0;
  f->others++;
  memset(a, 0, (size_t)epi_nv(b)*sizeof *a);
  if (epi_has_force(b)) bad = epi_force_at(b, t, theta, y, a);
  if (!bad && b->velocity_force) bad = b->velocity_force(b, t, y, y + b->nq, a);
  epi_apply_inverse_mass(f->space, y, a);
  return bad;
}

/* ---- do they go together ---- */
static int another_mass(const epi_system *a, const epi_system *b)
{
  if (b->inertia.mass_solve) return b->inertia.mass_solve != a->inertia.mass_solve;
  if (b->inertia.mass_matrix)
    return !a->inertia.mass_matrix ||
      memcmp(a->inertia.mass_matrix, b->inertia.mass_matrix, (size_t)epi_nv(a)*(size_t)epi_nv(a)*sizeof(double));
  return b->mass && (!a->mass || memcmp(a->mass, b->mass, (size_t)epi_nv(a)*sizeof(double)));
}

void epi_semi_check(epi_flow *f)
{
  const epi_system *a = f->sys, *b = f->other;
  const char *name = f->record->name;
  if (b->derived) epi_refuse_fault(f, b->derived->fault.words[0], &b->derived->fault);
  epi_refuse(f, epi_all_rate(a) || epi_all_rate(b), "%s needs positions and velocities; one of the systems has only a rate: use radau",
             name);
  epi_refuse(f, b->nq != a->nq || epi_nv(b) != epi_nv(a) || a->nz || b->nz ||
             (b->manifold.retract && b->manifold.retract != a->manifold.retract),
             "%s: the two systems have different coordinates, or first-order variables: use parts of one model", name);
  epi_refuse(f, !epi_has_force(b) && !b->velocity_force, "%s: the second system has no force: use verlet of the first alone", name);
  epi_refuse(f, a->inertia.speed || b->inertia.speed,
             "%s needs a quadratic kinetic energy, and this system has a speed of its own: use gauss", name);
  epi_refuse(f, b->nc > 0 && a->nc == 0, "%s: constraints belong to the first system", name);
  epi_refuse(f, b->contacts.impulsive,
             "%s: the second system has hard contacts and a step would pass through them: give it a force that keeps the gaps open", name);
  if (f->broken) return;
  epi_refuse(f, another_mass(a, b) || !a->inertia.accel != !b->inertia.accel,
             "%s: the two systems have different masses: give both the same, or the first alone", name);
  epi_refuse(f, b->phase.forced && (!a->phase.forced || a->phase.phase_rate != b->phase.phase_rate ||
                                    a->phase.phase_rate_at != b->phase.phase_rate_at),
             "%s: the fast phase belongs to the first system: give that one forced, with the same rate of the phase", name);
}
