/* space.c - a system, prepared once for all nodes over it: checked, its mass factored, its constraints numbered; forces and rates of it */
#include "core.h"

int epi_size(const epi_system *s) { return s ? epi_dim(s) : 0; }

/* ---- what cannot be a system ---- */
static int refuse(epi_space *p, int when, const char *words)
{
  if (when) epi_fault_record(&p->fault, 0, EPI_SYSTEM, "%s", words);
  return p->fault.words[0] != 0;
}

static int refuse_memory(epi_space *p, int when) { return when ? epi_fault_record(&p->fault, 1, EPI_MEMORY, "out of memory") : 0; }

/* what is wrong with a system, or with one that it is made of */
static const epi_fault *wrong_part(const epi_system *m)
{
  const epi_derived_system *d = m ? m->derived : NULL;
  const epi_fault *why = d && d->fault.words[0] ? &d->fault : NULL;
  for (int i = 0; d && i < 2 && !why; i++) why = wrong_part(d->part[i]);
  return why;
}

/* a program of a later version has set what is not known here: the record it stands in; NULL: none has */
static const char *set_in_vain(const epi_system *m)
{
  const struct { const char *name; const void *const *reserved; int n; } all[] = {
    {"epi_system", m->reserved, 4}, {"phase", m->phase.reserved, 2}, {"inertia", m->inertia.reserved, 2},
    {"constraints", m->constraints.reserved, 2}, {"manifold", m->manifold.reserved, 2}, {"jacobian", m->jacobian.reserved, 2},
    {"energies", m->energies.reserved, 2}, {"contacts", m->contacts.reserved, 2}, {"batch", m->batch.reserved, 2},
    {"modes", m->modes.reserved, 2}, {"traits", m->traits.reserved, 2},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++)
    for (int k = 0; k < all[i].n; k++) if (all[i].reserved[k]) return all[i].name;
  return NULL;
}

static int sizes_wrong(epi_space *p)
{
  const epi_system *m = p->sys;
  int given = m->mass || m->inertia.mass_matrix || m->inertia.mass_solve;
  if (wrong_part(m)) return p->fault = *wrong_part(m), 1;
  if (set_in_vain(m))
    return epi_fault_record(&p->fault, 1, EPI_SYSTEM, "this system sets a member of %s that Epicycle " EPI_VERSION " does not have: leave "
                            "its reserved members zero, or use a later library", set_in_vain(m));
  refuse(p, m->nq < 0 || m->nv < 0 || m->nz < 0 || m->nc < 0, "a system has sizes nq, nv, nz, nc >= 0: one of them is negative");
  refuse(p, epi_dim(m) == 0, "this system has no variables: set nq (positions) or nz (first-order variables)");
  refuse(p, m->nv > 0 && m->nv != m->nq && !m->manifold.retract && !epi_all_rate(m),
         "nv differs from nq: give retract(q, dq, out), which moves q by nv numbers");
  if (m->nc && !m->constraint)
    epi_fault_record(&p->fault, 0, EPI_SYSTEM, "nc = %d constraints but no constraint function: fill in constraint, or set nc to 0", m->nc);
  refuse(p, m->nc && m->constraints.rowptr && (m->inertia.mass_matrix || m->inertia.mass_solve),
         "constraints given by rowptr and cols need a diagonal mass, or none");
  refuse(p, m->nc && !m->constraints.rowptr != !m->constraints.cols,
         "give rowptr and cols together: they say which velocities a constraint touches");
  if (m->nz && !m->rate) epi_fault_record(&p->fault, 0, EPI_SYSTEM, "nz = %d first-order variables but no rate function: fill in rate",
                                          m->nz);
  refuse(p, m->phase.forced && !m->phase.phase_rate_at && !(fabs(m->phase.phase_rate) > 0),
         "forced needs the rate of its phase: set phase_rate, or phase_rate_at(t)");
  refuse(p, m->phase.forced && m->force, "give force or forced, not both: forced is force with a fast phase");
  refuse(p, m->contacts.impulsive,
         "this system has hard contacts and a step would pass through them: use a force that keeps the gaps open, or "
         "at(...) with a rebound");
  refuse(p, m->inertia.speed && (m->manifold.retract || m->nc || given || m->inertia.accel || epi_all_rate(m)),
         "speed makes v the momentum of a kinetic energy that is not quadratic: leave out mass, rotations, constraints, accel and a "
         "rate of q");
  return refuse(p, m->manifold.retract && epi_all_rate(m),
                "rotations need force or velocity force: a rate alone does not say which part turns");
}

static int pattern_wrong(epi_space *p)
{
  const epi_system *m = p->sys;
  int n = epi_nv(m), bad = m->constraints.rowptr[0] != 0;
  for (int c = 0; c < m->nc && !bad; c++) {
    bad = m->constraints.rowptr[c + 1] <= m->constraints.rowptr[c];
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1] && !bad; k++) bad = m->constraints.cols[k] < 0 ||
      m->constraints.cols[k] >= n;
  }
  if (bad) epi_fault_record(&p->fault, 0, EPI_SYSTEM, "rowptr and cols are not a pattern: rowptr must grow from 0, cols lie in 0 .. %d",
                            n - 1);
  return bad;
}

/* what is said of times: those of breaks, and the period of the phase, which would be followed whatever the phase does */
static int times_wrong(epi_space *p)
{
  const epi_system *m = p->sys;
  if (m->traits.nbreaks < 0 || (m->traits.nbreaks && !m->traits.breaks))
    return epi_fault_record(&p->fault, 1, EPI_SYSTEM, "nbreaks = %d and there are no breaks: point breaks at as many times, or set nbreaks "
                            "to 0", m->traits.nbreaks);
  for (int i = 0; i < m->traits.nbreaks; i++)
    if (!isfinite(m->traits.breaks[i]) || (i && m->traits.breaks[i] < m->traits.breaks[i-1]))
      return epi_fault_record(&p->fault, 1, EPI_SYSTEM, "breaks[%d] is %g%s: give finite times, the earliest first", i, m->traits.breaks[i],
                              i && isfinite(m->traits.breaks[i]) ? ", and the one before it is later" : "");
  if (!(m->phase.forced || epi_all_rate(m)) || !epi_misses_turns(m, m->phase.period)) return 0;
  return epi_fault_record(&p->fault, 1, EPI_SYSTEM, "the period is %.10g, and a phase of the rate %.10g comes back after %.10g: leave "
                          "period out, or set it to 2*pi/phase_rate", m->phase.period, m->phase.phase_rate,
                            2*EPI_PI/fabs(m->phase.phase_rate));
}

static int mass_wrong(epi_space *p)
{
  const epi_system *m = p->sys;
  for (int i = 0; m->mass && i < epi_nv(m); i++)
    if (!(m->mass[i] > 0) || !isfinite(m->mass[i]))
      return epi_fault_record(&p->fault, 1, EPI_SYSTEM, "mass[%d] is %g: a mass must be positive; leave out massless coordinates or "
                              "constrain them", i, m->mass[i]);
  return 0;
}

/* ---- preparing ---- */
static void factor_mass(epi_space *p)
{
  const epi_system *m = p->sys;
  size_t n = (size_t)epi_nv(m);
  p->mass = m->inertia.mass_solve ? SOLVED : m->inertia.mass_matrix ? DENSE : m->mass ? DIAGONAL : UNIT;
  if (p->mass != DENSE) return;
  p->factor = malloc(n*n*sizeof *p->factor);
  if (refuse_memory(p, !p->factor)) return;
  memcpy(p->factor, m->inertia.mass_matrix, n*n*sizeof *p->factor);
  refuse(p, epi_cholesky((int)n, p->factor),
         "the mass matrix is singular or not positive definite: give a symmetric positive definite one");
}

static void number_constraints(epi_space *p)
{
  const epi_system *m = p->sys;
  p->few = m->nc >= 1 && m->nc <= 2 && !m->constraints.rowptr && !m->manifold.retract && !m->constraints.constraint_increment &&
    (p->mass == UNIT || p->mass == DIAGONAL);
  if (!m->nc || !m->constraints.rowptr || pattern_wrong(p)) return;
  p->pattern = epi_pattern_make(m);
  refuse_memory(p, !p->pattern);
}

epi_space *epi_space_make(epi_system *m)
{
  epi_space *p = epi_zeros(1, sizeof *p);
  if (!p) return NULL;
  p->sys = m;
  p->refs = 1;
  if (m->derived) m->derived->refs++;
  if (sizes_wrong(p) || times_wrong(p) || mass_wrong(p)) return p;
  factor_mass(p);
  if (!p->fault.words[0]) number_constraints(p);
  return p;
}

void epi_space_free(epi_space *p)
{
  free(p->factor);
  epi_pattern_free(p->pattern);
  free(p);
}

/* ---- mass ---- */
void epi_mass_divide(const epi_space *p, const double *q, double *restrict a)
{
  epi_system *m = p->sys;
  int n = epi_nv(m);
  switch (p->mass) {
  case UNIT: break;
  case DIAGONAL: for (int i = 0; i < n; i++) a[i] /= m->mass[i]; break;
  case DENSE: epi_cholesky_solve(n, p->factor, a); break;
  case SOLVED: if (m->inertia.mass_solve(m, q, a)) a[0] = NAN; break;
  }
}

static inline void apply_inverse_mass(epi_space *p, const double *q, double *restrict a)
{
  if (p->mass != UNIT && !p->sys->inertia.accel) epi_mass_divide(p, q, a);
}

void epi_apply_inverse_mass(epi_space *p, const double *q, double *a) { apply_inverse_mass(p, q, a); }

/* ---- rates ---- */
int epi_space_accel(epi_space *p, double t, double theta, const double *q, double *a)
{
  int bad = epi_force_at(p->sys, t, theta, q, a);
  apply_inverse_mass(p, q, a);
  return bad;
}

/* v' = M^-1 (force + velocity force) */
int epi_space_accel_all(epi_space *p, double t, double theta, const double *q, const double *v, double *a)
{
  epi_system *m = p->sys;
  int bad = 0;
  if (epi_is_plain(p)) return epi_force_at(m, t, theta, q, a);
  if (epi_has_force(m)) bad = epi_force_at(m, t, theta, q, a);
  else memset(a, 0, (size_t)epi_nv(m)*sizeof *a);
  if (!bad && m->velocity_force) bad = m->velocity_force(m, t, q, v, a);
  apply_inverse_mass(p, q, a);
  return bad;
}

int epi_space_rate(epi_space *p, double t, double theta, const double *y, double *dy)
{
  epi_system *m = p->sys;
  int n = epi_nv(m), nq = m->nq, bad;
  const double *v = y + nq;
  if (epi_all_rate(m)) return m->rate(m, t, y, dy);
  for (int i = 0; i < n; i++) dy[i] = v[i];
  if (m->inertia.speed && (bad = m->inertia.speed(m, t, v, dy))) return bad;
  bad = epi_space_accel_all(p, t, theta, y, v, dy + n);
  if (!bad && m->rate) bad = m->rate(m, t, y, dy + 2*n);
  return bad;
}
