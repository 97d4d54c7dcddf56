/* verlet.c - kick, drift, kick as one loop, alone and in compositions; RATTLE when there are constraints; symplectic Euler.
 * The fused loops have the bits of the tree they replace: half kicks are added one after the other, never merged. */
/* compile: hot */
#include "method/composition.h"
#include "method/records.h"

#define CLAIMS (EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK)

static inline double turned(const epi_system *m, double t, double h)
{
  return m->phase.phase_rate_at ? epi_phase_turned(m, t, h) : m->phase.phase_rate*h;
}

/* n steps of `stages` leaps of lengths c[i] h; one pass over the vectors between forces. nv, stages and forced are constants
   where this is inlined, and few velocities live in locals: the callback cannot see them, so they stay in registers */
static inline __attribute__((always_inline)) int
leaps(epi_flow *f, epi_state *s, double h, long n, const double *c, const int stages, const int nv, const int forced, const int few)
{
  epi_system *m = f->sys;
  const epi_space *space = f->space;
  const int divided = space->mass != UNIT && !m->inertia.accel, landing = s->key.landing;
  double *restrict q = s->y, *vy = q + nv, *restrict a = f->work, local[2], *restrict v = few ? local : vy;
  double t = s->t, rest = s->key.rest, theta = s->theta, t0 = t, theta0 = theta, hi = c[0]*h, hh = 0.5*hi;
  const double *restrict tap = s->key.tap;
  double *restrict sum = s->key.sum;
  int i = 0, bad;
  if (few) for (int j = 0; j < nv; j++) v[j] = vy[j];
  for (int j = 0; j < nv; j++) { v[j] += hh*a[j]; q[j] += hi*v[j]; }
  for (;;) {
    /* the last leap of a step lands on t + h, whatever the others left of rounding */
    int last = stages == 1 || i == stages - 1;
    if (forced) theta = last ? epi_wrap(theta0 + turned(m, t0, h)) : epi_wrap(theta + turned(m, t, hi));
    if (last) { double dt = h + rest; t = t0 + dt; rest = dt - (t - t0); } else t += hi;
    if (landing && last) { t = s->key.land; rest = s->key.land_rest; theta = s->key.land_theta; }
    bad = forced ? m->phase.forced(m, t, theta, q, a) : m->force(m, t, q, a);
    if (bad) break;
    if (divided) epi_mass_divide(space, q, a);
    if (last) { t0 = t; theta0 = theta; n--; }
    if (last && n == 0) break;
    const double hp = hh;
    i = last ? 0 : i + 1;
    hi = stages == 1 ? h*c[0] : c[i]*h;
    hh = 0.5*hi;
    if (tap && last) { double w = *tap++; for (int j = 0; j < nv; j++) sum[j] += w*(v[j] + hp*a[j]); }
    for (int j = 0; j < nv; j++) { double u = v[j] + hp*a[j]; u += hh*a[j]; v[j] = u; q[j] += hi*u; }
  }
  for (int j = 0; j < nv; j++) vy[j] = v[j] + hh*a[j];
  if (tap) for (int j = 0; j < nv; j++) sum[j] += *tap*vy[j];
  s->t = t;
  s->key.rest = rest;
  s->theta = theta;
  s->key.landing = 0;
  return bad;
}

/* the loop is compiled for one and two velocities, for one leap and many, with and without a phase */
#define FEW(NV, FORCED) \
  (stages == 1 ? leaps(f, s, h, n, c, 1, NV, FORCED, 1) : leaps(f, s, h, n, c, stages, NV, FORCED, 1))
static int leap_1(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages) { return FEW(1, 0); }
static int leap_2(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages) { return FEW(2, 0); }
static int leap_1_forced(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages) { return FEW(1, 1); }
static int leap_many(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages)
{
  int nv = epi_nv(f->sys);
  return stages == 1 ? leaps(f, s, h, n, c, 1, nv, 0, 0) : leaps(f, s, h, n, c, stages, nv, 0, 0);
}
static int leap_many_forced(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages)
{
  return leaps(f, s, h, n, c, stages, epi_nv(f->sys), 1, 0);
}

/* what stands around every fused run: the first force, the counters, the key */
static int leap(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages)
{
  static int (*const loop[2][3])(epi_flow *, epi_state *, double, long, const double *, int) = {
    {leap_many, leap_1, leap_2}, {leap_many_forced, leap_1_forced, leap_many_forced}
  };
  int nv = epi_nv(f->sys), bad;
  if (!epi_cache_valid(f, s) && (bad = epi_accel(f, s->t, s->theta, s->y, f->work))) return epi_cache_lost(f, bad);
  f->calls += n*stages;
  bad = loop[f->sys->phase.forced != NULL][nv <= 2 ? nv : 0](f, s, h, n, c, stages);
  if (bad) { epi_cache_invalidate(s); return epi_cache_lost(f, bad); }
  epi_moved(f, s);
  epi_cache_store(f, s);
  return 0;
}

static int verlet(epi_flow *f, epi_state *s, double h, long n)
{
  static const double one = 1;
  return leap(f, s, h, n, &one, 1);
}

/* constraints or rotations: RATTLE with one position and one velocity solve per step */
static int rattle(epi_flow *f, epi_state *s, double h, long n)
{
  epi_system *m = f->sys;
  int nv = epi_nv(m), nc = m->nc, bad, known = 0;
  double *v = s->y + m->nq, *a = f->work, hh = 0.5*h, *lambda = s->lambda;
  const double *mass = f->space->mass == DIAGONAL && !m->inertia.accel ? m->mass : NULL;
  if (!epi_cache_valid(f, s) && (bad = epi_accel(f, s->t, s->theta, s->y, a))) return epi_cache_lost(f, bad);
  while (n-- > 0) {
    epi_tick end = epi_target(m, s, h);
    if (lambda) memset(lambda, 0, (size_t)(2*nc)*sizeof *lambda);
    for (int i = 0; i < nv; i++) v[i] += hh*a[i];
    if ((bad = epi_project_positions(f->space, s, h, a + nv, lambda, known, &f->fault))) return epi_cache_lost(f, bad);
    epi_set_clock(s, end);
    f->calls++;
    if ((bad = epi_force_at(m, s->t, s->theta, s->y, a))) return epi_cache_lost(f, bad);
    if (mass) for (int i = 0; i < nv; i++) a[i] /= mass[i];
    else epi_apply_inverse_mass(f->space, s->y, a);
    for (int i = 0; i < nv; i++) v[i] += hh*a[i];
    if (nc && (bad = epi_project_velocities(f->space, s, a + nv, lambda ? lambda + nc : NULL, &f->fault))) return epi_cache_lost(f, bad);
    known = nc > 0;
    /* impulses over half a step each */
    for (int c = 0; lambda && c < 2*nc; c++) lambda[c] /= hh;
  }
  epi_moved(f, s);
  epi_cache_store(f, s);
  return 0;
}

/* a velocity force is split off: half a velocity kick, the rest, half a velocity kick */
static int damped(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *velocity_kick = f->kid[0], *rest = f->kid[1];
  int bad = 0;
  while (n-- > 0 && !bad)
    if (!(bad = epi_go(velocity_kick, s, 0.5*h, 1)) && !(bad = epi_go(rest, s, h, 1))) bad = epi_go(velocity_kick, s, 0.5*h, 1);
  return bad;
}

static void leap_build(epi_flow *f)
{
  epi_system *m = f->sys;
  int curved = m->nc || m->manifold.retract;
  if (epi_blocks(f, 0, epi_nv(m) + (curved ? epi_constraint_room(f->space) : 0))) return;
  f->parts = f->record == &epi_LEAP ? EPI_BY_FORCE : f->parts;
  f->go = curved ? rattle : verlet;
  f->leap = curved ? NULL : leap;
  if (!curved) f->claims |= EPI_TAPS;
}

/* the conservative half of a damped verlet: looks away from the velocity force */
const epi_record epi_LEAP = {
  .name = "leap", .doc = "verlet without its velocity force", .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2, .claims = CLAIMS,
  .build = leap_build, .facets = &(const epi_facets){.form = EPI_FORM_LEAP, .traits = EPI_IN_LANES},
};

/* momenta with a speed of their own: the tree of kicks and drifts, a velocity force outermost */
static void spelled_out(epi_flow *f)
{
  static const double palindrome[] = {0.5, 0.5, 1, 0.5, 0.5};
  const epi_record *const part[] = {&epi_VELOCITY_KICK, &epi_KICK, &epi_DRIFT};
  epi_flow *turn[3];
  int first = f->sys->velocity_force ? 0 : 1;
  for (int i = first; i < 3; i++)
    if (epi_adopt(f, turn[i] = epi_leaf(part[i], f->space))) return;
  epi_flow *const around[] = {turn[first], turn[1], turn[2], turn[1]};
  if (first) epi_composition_build(f, 3, palindrome + 1, 2, turn + 1);
  else epi_composition_build(f, 5, palindrome, 4, around);
}

static void verlet_build(epi_flow *f)
{
  epi_system *m = f->sys;
  const char *average = m->derived && m->derived->inner ? m->derived->record->name : "";
  epi_refuse(f, average[0] && m->rate && !m->nc, "verlet needs a force of position and the slow system of %s is a rate: %s",
             average, epi_instead(m, "use rk4 or dopri5"));
  epi_refuse(f, average[0] && !epi_has_force(m) && !m->rate,
             "verlet needs a force of position and this slow system has one of velocity: give %s start=rest, or use rk4", average);
  epi_refuse(f, !epi_has_force(m) && m->rate && m->nc,
             "verlet needs a force of position and this system has only a rate: use herk3, which keeps its constraints");
  epi_refuse(f, !epi_has_force(m) && m->rate,
             "verlet needs a force of position and this system has only a rate: use rk4, dopri5 or midpoint");
  epi_refuse(f, !epi_has_force(m) && m->manifold.retract, "verlet needs a force of position and this body has none: use nambu, or rk4");
  epi_refuse(f, !epi_has_force(m), "verlet needs a force of position and this system has none: use rk4, or strang(velocity-kick, drift)");
  epi_refuse(f, m->nz > 0, "verlet does not move the %d first-order variables of this system: use rk4", m->nz);
  if (f->broken) return;
  if (m->inertia.speed) { spelled_out(f); return; }
  if (!m->velocity_force) { leap_build(f); return; }
  if (epi_adopt(f, epi_leaf(&epi_VELOCITY_KICK, f->space)) || epi_adopt(f, epi_leaf(&epi_LEAP, f->space))) return;
  f->claims &= ~(unsigned)(EPI_SYMPLECTIC | EPI_REVERSIBLE | EPI_EXPLICIT);
  f->claims &= f->kid[0]->claims | ~(unsigned)EPI_BACKWARD;
  f->go = damped;
}

const epi_record epi_VERLET = {
  .name = "verlet", .doc = "kick, drift, kick (leapfrog); RATTLE on a constrained system; a velocity force is split off symmetrically",
  .cite = "Verlet 1967; Hairer, Lubich & Wanner, Acta Numerica 12 (2003) 399; Andersen, J. Comput. Phys. 52 (1983) 24 (RATTLE)",
  .example = "symmetric(verlet, order=8)",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2, .claims = CLAIMS, .build = verlet_build,
  .facets = &(const epi_facets){.form = EPI_FORM_VERLET, .traits = EPI_IN_LANES},
};

/* ---- symplectic Euler ---- */
static void euler_build(epi_flow *f)
{
  epi_system *m = f->sys;
  int drift_first = epi_arg(f, "first")->number == 1;
  const epi_record *const order[2][3] = {{&epi_KICK, &epi_VELOCITY_KICK, &epi_DRIFT}, {&epi_DRIFT, &epi_KICK, &epi_VELOCITY_KICK}};
  for (int i = 0; i < 3; i++) {
    const epi_record *r = order[drift_first][i];
    if (r == &epi_VELOCITY_KICK && !m->velocity_force) continue;
    if (epi_adopt(f, epi_leaf(r, f->space))) return;
  }
  epi_composition_build(f, f->nkid, NULL, f->nkid, f->kid);
}

static const char *const first_words[] = {"kick", "drift", NULL};
static const epi_param euler_params[] = {
  {.name = "first", .doc = "which part moves first", .words = first_words, .kind = EPI_WORD}, {0}
};
const epi_record epi_EULER_SYMPLECTIC = {
  .name = "euler-symplectic", .doc = "kick then drift, or drift then kick", .example = "euler-symplectic(first=drift)",
  .cite = "de Vogelaere 1956; Hairer, Lubich & Wanner, Geometric Numerical Integration, I.1",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .params = euler_params, .order = 1,
  .claims = EPI_SYMPLECTIC | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK, .build = euler_build,
  .facets = &(const epi_facets){.form = EPI_FORM_COMPOSITION, .traits = EPI_IN_LANES},
};
