/* twin.c - symplectic and adaptive for any scaling G(q) of time: K = G(q) (T + V - H0) on two copies of the phase space, of which each
 * moves by the other's position or momentum, so that every part is explicit. The answer is the mean of the copies */
#include "objective.h"
#include "energy.h"
#include "method/table.h"

enum { EPS, SCALING, POWER, LEVEL, ORDER, TABLE, FORM };
enum { PALINDROME, CHAIN };

typedef struct { epi_own own; epi_objective q; int n; double w[128]; } twin_plan;

/* kept: H0, the two copies of (q, v), the width of contacts, the longest way of a step */
typedef struct { double *y[2], *width; int n; double H0; } pair;

static pair pair_of(const epi_flow *f, double *x)
{
  int n = epi_nv(f->sys);
  return (pair){{x + 1, x + 1 + 2*n}, x + 1 + 4*n, n, x[0]};
}

/* scratch: gradient of G, speed or acceleration, two states, the objective's */
typedef struct { double *slope, *u, *y, *room, *work; } twin_work;
static twin_work work_of(const epi_flow *f)
{
  int n = epi_nv(f->sys);
  twin_work d = {.slope = epi_own_work(f)};
  d.u = d.slope + n;
  d.y = d.u + n;
  d.room = d.y + 2*n;
  d.work = d.room + 2*n;
  return d;
}

/* G = 1/Q at a position, and M^-1 grad G */
static int scaling(epi_flow *f, double t, const double *q, const twin_work *d, double *G)
{
  const twin_plan *p = f->own;
  int n = epi_nv(f->sys);
  double Q;
  memcpy(d->y, q, (size_t)n*sizeof *q);
  memset(d->y + n, 0, (size_t)n*sizeof *q);
  int bad = epi_objective_slope(f, &p->q, t, d->y, &Q, d->slope, d->work);
  if (bad) return bad;
  *G = 1/Q;
  for (int i = 0; i < n; i++) d->slope[i] *= -*G**G;
  epi_mass_divide(f->space, q, d->slope);
  return 0;
}

/* with the position of copy a and the momentum of copy b: b's position by G(q_a) T'(p_b), a's momentum by -G'(q_a) T(p_b) */
static int move_q(epi_flow *f, const epi_state *s, const pair *z, int a, double e, double G, const twin_work *d)
{
  epi_system *m = f->sys;
  double *qa = z->y[a], *va = qa + z->n, *qb = z->y[!a], *vb = qb + z->n, T = epi_kinetic_of(m, s->t, qa, vb, d->room);
  int bad;
  if (m->inertia.speed && (bad = m->inertia.speed(m, s->t, vb, d->u))) return bad;
  const double *speed = m->inertia.speed ? d->u : vb;
  for (int i = 0; i < z->n; i++) {
    qb[i] += e*G*speed[i];
    va[i] -= e*d->slope[i]*T;
  }
  return 0;
}

/* a's momentum by -G'(q_a) (V(q_b) - H0), b's by -G(q_a) V'(q_b) */
static int move_p(epi_flow *f, const epi_state *s, const pair *z, int a, double e, double G, const twin_work *d)
{
  epi_system *m = f->sys;
  double *va = z->y[a] + z->n, *qb = z->y[!a], *vb = qb + z->n, V = epi_potential_of(m, s->t, qb, d->room);
  int bad = epi_accel(f, s->t, s->theta, qb, d->u);
  for (int i = 0; i < z->n && !bad; i++) {
    va[i] -= e*d->slope[i]*(V - z->H0);
    vb[i] += e*G*d->u[i];
  }
  return bad;
}

/* half, whole, half; the position of copy a stands still, and so does the scaling */
static int block(epi_flow *f, const epi_state *s, const pair *z, int a, double e, double *dt)
{
  twin_work d = work_of(f);
  double G;
  int bad = scaling(f, s->t, z->y[a], &d, &G);
  if (bad || (bad = move_q(f, s, z, a, 0.5*e, G, &d)) || (bad = move_p(f, s, z, a, e, G, &d))) return bad;
  /* each copy carries half of the clock */
  *dt += 0.5*e*G;
  return move_q(f, s, z, a, 0.5*e, G, &d);
}

static int once(epi_flow *f, const epi_state *s, const pair *z, double e, double *dt)
{
  int chain = f->arg[FORM].number == CHAIN, bad;
  if (chain) return (bad = block(f, s, z, 1, e, dt)) ? bad : block(f, s, z, 0, e, dt);
  if ((bad = block(f, s, z, 1, 0.5*e, dt)) || (bad = block(f, s, z, 0, e, dt))) return bad;
  return block(f, s, z, 1, 0.5*e, dt);
}

/* where they part the motion is no longer near an integrable one, and means nothing */
static int parted(epi_flow *f, const epi_state *s, double apart, double e)
{
  return epi_fail(f, EPI_TOO_FAR, "twin: its two copies are %g apart at t = %.10g, many steps: eps = %g is too long, or the motion too far "
                  "from an integrable one; take a smaller eps, or scaled or density", apart, s->t, fabs(e));
}

static int whole(epi_flow *f, epi_state *s, double *x, double e)
{
  twin_plan *p = f->own;
  pair z = pair_of(f, x);
  double dt = 0;
  p->q.smooth = *z.width;
  int bad = 0;
  for (int i = 0; i < p->n && !bad; i++) bad = once(f, s, &z, p->w[i]*e, &dt);
  if (bad) return bad;
  double apart = 0, way = 0;
  for (int i = 0; i < z.n; i++) {
    apart = epi_larger(apart, fabs(z.y[0][i] - z.y[1][i]));
    way = fmax(way, fabs(0.5*(z.y[0][i] + z.y[1][i]) - s->y[i]));
  }
  z.width[1] = fmax(z.width[1], way);
  if (!(apart <= 10*z.width[1])) return parted(f, s, apart, e);
  for (int i = 0; i < 2*z.n; i++) s->y[i] = 0.5*(z.y[0][i] + z.y[1][i]);
  epi_tick_on(f->sys, s, dt);
  epi_moved(f, s);
  return 0;
}

static int begin(epi_flow *f, epi_state *s, double *x)
{
  twin_plan *p = f->own;
  epi_system *m = f->sys;
  pair z = pair_of(f, x);
  twin_work d = work_of(f);
  int bad = epi_still(f, s, d.room);
  p->q.smooth = 0;
  p->q.smooth = *z.width = epi_objective_width(f, &p->q, s, d.work);
  if (bad || (bad = epi_other_mass(f, s, d.room)) || (bad = epi_objective_of_position(f, &p->q, s, d.work))) return bad;
  double V = epi_potential_of(m, s->t, s->y, d.room), T = epi_kinetic_of(m, s->t, s->y, s->y + m->nq, d.room);
  if ((bad = epi_other_level(f, s, &f->arg[LEVEL], T, V)) || (p->q.kind == EPI_Q_POTENTIAL && (bad = epi_no_potential(f, s, V, d.room))))
    return bad;
  x[0] = f->arg[LEVEL].given ? f->arg[LEVEL].number : T + V;
  z.width[1] = 0;
  for (int i = 0; i < 2; i++) memcpy(z.y[i], s->y, (size_t)(2*z.n)*sizeof *s->y);
  return 0;
}

static void mirror(epi_flow *f, double *x)
{
  pair z = pair_of(f, x);
  for (int i = 0; i < 2*z.n; i++) z.y[i/z.n][z.n + i % z.n] *= -1;
}

static int time_rate(epi_flow *f, epi_state *s, const double *x, double *out)
{
  (void)x;
  twin_work d = work_of(f);
  return scaling(f, s->t, s->y, &d, out);
}

static const char *const extra_names[] = {"energy level", NULL}, *const last_names[] = {"contact width", "order of the parts", NULL};

static void twin_build(epi_flow *f)
{
  epi_system *m = f->sys;
  const epi_value *of = &f->arg[SCALING];
  static const epi_objective_kind kinds[] = {EPI_Q_MODEL, EPI_Q_POTENTIAL, EPI_Q_CONTACT, EPI_Q_GIVEN};
  int order = (int)f->arg[ORDER].number, table = (int)f->arg[TABLE].number;
  twin_plan *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse_memory(f, !p)) return;
  p->own = (epi_own){.begin = begin, .whole = whole, .time_rate = time_rate, .names = extra_names, .last_names = last_names,
                     .mirror = mirror};
  p->q = (epi_objective){.kind = kinds[(int)of->number], .power = f->arg[POWER].number, .given = of->name};
  epi_needs_energy(f, "density", 0);
  epi_refuse(f, m->velocity_force != NULL,
             "twin needs a system without velocity force; this one has a velocity force: use density(verlet)");
  epi_objective_check(f, &p->q);
  epi_refuse(f, order > 2 && f->arg[FORM].number == CHAIN,
             "twin: form=chain is not symmetric and gains nothing from order=%d: leave form out", order);
  p->n = 1;
  p->w[0] = 1;
  if (order != 2) p->n = epi_composition_of(table ? epi_composition_words[table] : NULL, order, p->w);
  epi_refuse(f, !p->n, "twin: there is no composition of order %d by that table: take order 2, 4, 6 or 8", order);
  if (f->broken) return;
  f->order = order;
  if (f->arg[FORM].number == CHAIN) f->claims &= ~(unsigned)(EPI_SYMMETRIC | EPI_REVERSIBLE);
  epi_own_build(f, 3 + 4L*epi_nv(m), 6L*epi_nv(m) + epi_objective_room(m));
}

static const char *const words[] = {"model", "potential", "contact", NULL}, *const forms[] = {"palindrome", "chain", NULL};
static const epi_param params[] = {
  [EPS] = EPI_EPS_PARAM,
  [SCALING] = {.name = "scaling",
               .doc = "time goes as 1/Q(q). model: Q is the system's objective; potential: |V|^power; contact: of its gaps; or an epi_gap "
                      "of yours by name",
               .words = words, .kind = EPI_WORD, .takes = EPI_TAKES_GAP},
  [POWER] = {.name = "power", .value = 1, .doc = "for scaling=potential"},
  [LEVEL] = {.name = "H0", .doc = "the energy of the motion; that of the start unless given"},
  [ORDER] = {.name = "order", .value = 2, .doc = "2, or 4, 6, 8 by a palindrome of steps in own time", .kind = EPI_COUNT},
  [TABLE] = {.name = "table", .doc = "which palindrome; the usual ones as in symmetric", .words = epi_composition_words, .kind = EPI_WORD},
  [FORM] = {.name = "form", .doc = "palindrome: symmetric; chain: one copy after the other, as published", .words = forms,
            .kind = EPI_WORD},
  EPI_CLOCK_PARAM,
  {0}
};
const epi_record epi_TWIN = {
  .name = "twin", .doc = "explicit, adaptive and symplectic on the doubled phase space, for any scaling of time by position",
  .cite = "Modin (2009), Paper III, 2.2", .example = "twin(eps=0.1)", .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2,
  .params = params,
  .claims = EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK, .build = twin_build,
};
