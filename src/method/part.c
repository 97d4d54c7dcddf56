/* part.c - kick, drift, velocity-kick: the exact flows of the parts of a mechanical system.
 * Both kick and drift honour constraints and rotations, so every composition of them does. */
#include "core.h"
#include "method/records.h"

#define EXACT (EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD)

/* v' = M^-1 force(q) at fixed q */
static int kick(epi_flow *f, epi_state *s, double h, long n)
{
  epi_system *m = f->sys;
  int nv = epi_nv(m), bad;
  double *restrict v = s->y + m->nq, *restrict a = f->work;
  if (!epi_cache_valid(f, s)) {
    if ((bad = epi_accel(f, s->t, s->theta, s->y, a))) return epi_cache_lost(f, bad);
    epi_cache_store(f, s);
  }
  s->key.kicks++;
  while (n-- > 0) {
    for (int i = 0; i < nv; i++) v[i] += h*a[i];
    if (m->nc && (bad = epi_project_velocities(f->space, s, a + nv, NULL, &f->fault))) return bad;
  }
  return 0;
}

static void kick_build(epi_flow *f)
{
  epi_system *m = f->sys;
  epi_refuse(f, !epi_has_force(m),
             "kick needs a force of position; this system has none: use rk4, or velocity-kick for a force of velocity");
  if (epi_blocks(f, 0, epi_nv(m) + epi_constraint_room(f->space))) return;
  f->parts = EPI_BY_FORCE;
  f->go = kick;
}

/* q' = v, t' = 1 */
static int drift(epi_flow *f, epi_state *s, double h, long n)
{
  epi_system *m = f->sys;
  int bad;
  while (n-- > 0) {
    epi_tick end = epi_target(m, s, h);
    if ((bad = epi_project_positions(f->space, s, h, f->work, NULL, 0, &f->fault))) return bad;
    epi_set_clock(s, end);
    epi_moved(f, s);
    if (m->nc && (bad = epi_project_velocities(f->space, s, f->work, NULL, &f->fault))) return bad;
  }
  return 0;
}

static void drift_build(epi_flow *f)
{
  epi_system *m = f->sys;
  epi_refuse(f, !m->nq || epi_all_rate(m), "drift needs positions and velocities; this system has only a rate: use rk4");
  epi_refuse(f, m->nz > 0, "drift does not move the %d first-order variables of this system: use rk4", m->nz);
  if (epi_blocks(f, 0, epi_constraint_room(f->space))) return;
  f->parts = 0;
  f->go = drift;
}

/* the iteration does not end: the force is too strong, unless it is the constraints that leave the velocities where they like */
static int too_strong(epi_flow *f, epi_state *s, const double *v0, double h)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  memcpy(s->y + m->nq, v0, (size_t)n*sizeof *v0);
  if (m->nc && epi_nearly_singular(f->space, s, f->work + 3*n, &f->fault)) return EPI_WRONG;
  return epi_fail(f, EPI_TOO_FAR, "velocity-kick: the velocity force is too strong for h = %g at t = %.10g: take a smaller step, or %s", h,
                  s->t, !m->nc ? "an implicit method such as midpoint" :
                  "semi(model.contacts, model.stiff) with what is so strong in its second system");
}

/* v' = M^-1 velocity_force(q, v) at fixed q by the midpoint rule; constraints are honoured inside the rule, or symmetry and order 2 are
   lost */
static int damp_once(epi_flow *f, epi_state *s, double h)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad, it;
  double *v = s->y + m->nq, *v0 = f->work, *a = v0 + n, *x = a + n, d = 1, big = 0, first = 0, last = INFINITY, *impulse = s->impulse;
  memcpy(v0, v, (size_t)n*sizeof *v);
  for (it = 0; it < 100 && d > 4e-16*big; it++) {
    for (int i = 0; i < n; i++) { x[i] = 0.5*(v0[i] + v[i]); a[i] = 0; }
    f->calls++;
    if ((bad = m->velocity_force(m, s->t, s->y, x, a))) return bad;
    epi_apply_inverse_mass(f->space, s->y, a);
    for (int i = 0; i < n; i++) { x[i] = v[i]; v[i] = v0[i] + h*a[i]; }
    s->impulse = NULL;
    bad = m->nc ? epi_project_velocities(f->space, s, f->work + 3*n, NULL, &f->fault) : 0;
    s->impulse = impulse;
    if (bad) return bad;
    d = big = 0;
    for (int i = 0; i < n; i++) { d = epi_larger(d, fabs(v[i] - x[i])); big = epi_larger(big, fabs(v[i])); }
    if (!(big < 1e300)) return EPI_TOO_FAR;
    if (!it) first = d;
    /* near rest a velocity force that is a difference of large forces leaves its own rounding: then the changes stop falling */
    if (it > 10 && d >= last) break;
    last = d;
  }
  if (d > 1e-12*big && d > 1e-9*first) return too_strong(f, s, v0, h);
  /* the impulse of the converged step, once */
  if (!m->nc || !impulse) return 0;
  for (int i = 0; i < n; i++) v[i] = v0[i] + h*a[i];
  return epi_project_velocities(f->space, s, f->work + 3*n, NULL, &f->fault);
}

static int velocity_kick(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  s->key.kicks++;
  while (n-- > 0 && !bad) bad = damp_once(f, s, h);
  return bad;
}

static void damp_build(epi_flow *f)
{
  epi_system *m = f->sys;
  epi_refuse(f, !m->velocity_force, "velocity-kick needs a velocity force, and this system has none: leave velocity-kick out");
  if (epi_blocks(f, 0, 3*epi_nv(m) + epi_constraint_room(f->space))) return;
  f->parts = EPI_BY_VELOCITY_FORCE;
  f->go = velocity_kick;
}

const epi_record epi_KICK = {
  .name = "kick", .doc = "velocities moved by the force of position; positions and time stand still", .example = "strang(kick, drift)",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, II.5",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .claims = EXACT, .build = kick_build,
  .facets = &(const epi_facets){.form = EPI_FORM_KICK, .traits = EPI_IN_LANES},
};
const epi_record epi_DRIFT = {
  .name = "drift", .doc = "positions moved by the velocities; carries the clock", .example = "strang(drift, kick)",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, II.5",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .claims = EXACT | EPI_CLOCK, .build = drift_build,
  .facets = &(const epi_facets){.form = EPI_FORM_DRIFT, .traits = EPI_IN_LANES},
};
const epi_record epi_VELOCITY_KICK = {
  .name = "velocity-kick", .doc = "velocities moved by the velocity force alone, by the midpoint rule in v",
  .example = "strang(velocity-kick, strang(kick, drift))",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, II.5",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2, .claims = EPI_SYMMETRIC | EPI_BACKWARD, .build = damp_build,
  .facets = &(const epi_facets){.form = EPI_FORM_VELOCITY_KICK},
};
