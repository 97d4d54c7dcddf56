/* backward.c - a system seen with its time turned round: s = -t runs forward where t runs backward. Positions are the same, velocities and
 * phases have the other sign, and so has the rate of all that is of first order. Every method moves it as it moves any other */
#include "job.h"

static const epi_own *own_of(const epi_system *s) { return s->data; }
static epi_system *forward_of(const epi_system *s) { return &((epi_own *)s->data)->forward; }

/* the state as the system itself has it; the room belongs to the system, which is used by one thread */
static const double *turned(const epi_own *o, const double *y)
{
  const epi_system *f = &o->forward;
  const int n = epi_dim(f), from = f->nq, to = f->nq + epi_nv(f);
  for (int i = 0; i < n; i++) o->turned[i] = i >= from && i < to ? -y[i] : y[i];
  return o->turned;
}

static int force(epi_system *s, double t, const double *q, double *f) { return forward_of(s)->force(forward_of(s), -t, q, f); }
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  return forward_of(s)->phase.forced(forward_of(s), -t, -theta, q, f);
}
static double phase_rate(epi_system *s, double t) { return forward_of(s)->phase.phase_rate_at(forward_of(s), -t); }

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  double *back = own_of(s)->turned;
  for (int i = 0; i < epi_nv(s); i++) back[i] = -v[i];
  return forward_of(s)->velocity_force(forward_of(s), -t, q, back, f);
}

/* of q and z the rates turn their sign; of velocities both signs go */
static int rate(epi_system *s, double t, const double *y, double *dy)
{
  const int all = epi_all_rate(s), n = all ? epi_dim(s) : s->nz, from = all ? s->nq : n, to = all ? s->nq + epi_nv(s) : n;
  int bad = forward_of(s)->rate(forward_of(s), -t, turned(own_of(s), y), dy);
  for (int i = 0; i < n; i++) if (i < from || i >= to) dy[i] = -dy[i];
  return bad;
}

static int mass_solve(epi_system *s, const double *q, double *a) { return forward_of(s)->inertia.mass_solve(forward_of(s), q, a); }

static int constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  int bad = forward_of(s)->constraint(forward_of(s), -t, q, g, G, gt);
  for (int i = 0; gt && i < s->nc; i++) gt[i] = -gt[i];
  return bad;
}

static int constraint_increment(epi_system *s, double t, double h, const double *q, const double *dq, double *dg)
{
  return forward_of(s)->constraints.constraint_increment(forward_of(s), -t, -h, q, dq, dg);
}

static double energy(epi_system *s, double t, const double *y)
{
  return forward_of(s)->energy(forward_of(s), -t, turned(own_of(s), y));
}
static double kinetic(epi_system *s, double t, const double *y)
{
  return forward_of(s)->energies.kinetic(forward_of(s), -t, turned(own_of(s), y));
}
static double potential(epi_system *s, double t, const double *y)
{
  return forward_of(s)->energies.potential(forward_of(s), -t, turned(own_of(s), y));
}

static double event(void *data, double t, const double *y)
{
  const own_event *e = data;
  return e->gap(e->data, -t, turned(e->own, y));
}

static void turn_events(epi_own *o)
{
  for (int i = 0; o->names[i].name; i++) {
    own_event *e = &o->event[i];
    e->own = o, e->gap = o->names[i].gap, e->data = o->names[i].data;
    o->names[i].gap = event;
    o->names[i].data = e;
  }
}

/* the first function that has no other side, or NULL */
static const char *one_way(const epi_system *s)
{
  const struct { const char *name; int there; } all[] = {
    {"batch (forces)", s->batch.forces != NULL}, {"lift", s->phase.lift != NULL}, {"speed", s->inertia.speed != NULL},
      {"slope", s->jacobian.slope != NULL},
    {"retract", s->manifold.retract != NULL}, {"objective", s->energies.objective != NULL}, {"gap", s->contacts.gap != NULL}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) if (all[i].there) return all[i].name;
  return NULL;
}

int epi_own_turn(epi_own *o, const char **why)
{
  epi_system *s = &o->system, *f = &o->forward;
  if (o->turned) return 0;
  if ((*why = one_way(s))) return EPI_WRONG;
  o->turned = malloc((size_t)(epi_dim(s) + 1)*sizeof *o->turned);
  if (!o->turned) return EPI_WRONG;
  *f = *s;
  s->data = o;
  s->phase.theta0 = -s->phase.theta0;
  if (f->force) s->force = force;
  if (f->phase.forced) s->phase.forced = forced;
  if (f->phase.phase_rate_at) s->phase.phase_rate_at = phase_rate;
  if (f->velocity_force) s->velocity_force = velocity_force;
  if (f->rate) s->rate = rate;
  if (f->inertia.mass_solve) s->inertia.mass_solve = mass_solve;
  if (f->constraint) s->constraint = constraint;
  if (f->constraints.constraint_increment) s->constraints.constraint_increment = constraint_increment;
  if (f->energy) s->energy = energy;
  if (f->energies.kinetic) s->energies.kinetic = kinetic;
  if (f->energies.potential) s->energies.potential = potential;
  turn_events(o);
  return 0;
}
