/* scaled.c - explicit adaptive symplectic splitting: kicks and drifts in a time scaled by a function of kinetic and potential energy.
 * On the level set T + V = H0 the scaling of the drift, g(T, H0 - T), is that of the kick, g(H0 - V, V), and both parts stay Hamiltonian */
/* compile: hot */
#include "objective.h"
#include "method/records.h"
#include "energy.h"
#include "method/composition.h"
#include "method/table.h"

enum { EPS, POWER, SCALING, ENERGY };
enum { LEVEL, SIDE, WAY, EXTRAS };     /* kept: H0, the sign of the potential there, how the turns are taken */
enum { ANY, PLAIN, LOGARITHMIC };      /* PLAIN: the kinetic energy is v.v/2 and the scaling a power; LOGARITHMIC: and force/|V| is given */
enum { KICK_TURN, DRIFT_TURN };

typedef struct { int kind; double w; } turn;
typedef struct {
  epi_own own;
  double power;
  epi_name given;
  int n;                               /* turns in a step */
  turn *turns;
} scaled_plan;

/* |V|^-power */
static inline double power_of(double x, double power)
{
  x = fabs(x);
  return power == 1 ? 1/x : power == 1.5 ? 1/(x*sqrt(x)) : power == 0.5 ? 1/sqrt(x) : pow(x, -power);
}

static int not_positive(epi_flow *f, const epi_state *s, double g, double T, double V)
{
  return epi_fail(f, EPI_TOO_FAR, "scaled: the scaling of time is %g at t = %.10g (kinetic energy %g, potential %g): it must stay "
                  "positive, and the potential on one side of zero; add a constant to the potential, take another power, or a smaller eps",
                  g, s->t, T, V);
}

/* the scaling at this energy; the usual one is singular where the potential changes sign */
static inline int scaling(epi_flow *f, const scaled_plan *p, const epi_state *s, const double *x, double T, double V, double *g)
{
  *g = p->given.scale ? p->given.scale(p->given.data, T, V) : power_of(V, p->power);
  if (*g > 0 && *g < HUGE_VAL && (p->given.scale || V*x[SIDE] > 0)) return 0;
  return not_positive(f, s, *g, T, V);
}

/* M^-1 force, and the potential */
static inline int pull(epi_flow *f, const epi_state *s, double *a, double *V, double *room)
{
  epi_system *m = f->sys;
  int bad = epi_accel(f, s->t, s->theta, s->y, a);
  if (!bad) *V = m->energies.potential ? m->energies.potential(m, s->t, s->y) : epi_potential_of(m, s->t, s->y, room);
  return bad;
}

/* scratch: acceleration, speed, a state; after them the scaling that belongs to the acceleration */
static int kick(epi_flow *f, epi_state *s, const double *x, double e)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double *v = s->y + m->nq, *a = epi_own_work(f), *g = a + 2*n, *room = g + 1, V;
  if (!epi_cache_valid(f, s)) {
    if ((bad = pull(f, s, a, &V, room)) || (bad = scaling(f, f->own, s, x, x[LEVEL] - V, V, g))) return bad;
    epi_cache_store(f, s);
  }
  double h = e**g;
  for (int i = 0; i < n; i++) v[i] += h*a[i];
  return 0;
}

static int drift(epi_flow *f, epi_state *s, const double *x, double e, double *dt)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double *q = s->y, *v = q + m->nq, *u = epi_own_work(f) + n, g, T = epi_kinetic_of(m, s->t, q, v, u + n + 1);
  if ((bad = scaling(f, f->own, s, x, T, x[LEVEL] - T, &g))) return bad;
  if (m->inertia.speed && (bad = m->inertia.speed(m, s->t, v, u))) return bad;
  const double *speed = m->inertia.speed ? u : v;
  for (int i = 0; i < n; i++) q[i] += e*g*speed[i];
  *dt += e*g;
  epi_moved(f, s);
  return 0;
}

/* the same turns in one loop where the kinetic energy is v.v/2 and the scaling a power; few velocities live in locals, as in verlet */
static inline __attribute__((always_inline)) int
plainly(epi_flow *f, epi_state *s, const double *x, double e, double *dt, const int n, const int few)
{
  const scaled_plan *p = f->own;
  const double H0 = x[LEVEL], side = x[SIDE], power = p->power;
  double *q = s->y, *vy = q + n, local[2], *v = few ? local : vy, *a = epi_own_work(f), *room = a + 2*n + 1, g = a[2*n], V;
  int fresh = epi_cache_valid(f, s), bad = 0;
  if (few) for (int j = 0; j < n; j++) v[j] = vy[j];
  for (int i = 0; i < p->n; i++) {
    const double w = p->turns[i].w*e;
    if (p->turns[i].kind == KICK_TURN) {
      if (!fresh) {
        if ((bad = pull(f, s, a, &V, room))) break;
        g = power_of(V, power);
        if (!(V*side > 0 && g > 0)) { bad = not_positive(f, s, g, H0 - V, V); break; }
        fresh = 1;
      }
      const double h = w*g;
      for (int j = 0; j < n; j++) v[j] += h*a[j];
    } else {
      double T = 0;
      for (int j = 0; j < n; j++) T += v[j]*v[j];
      V = H0 - 0.5*T;
      const double h = w*power_of(V, power);
      if (!(V*side > 0 && h*w > 0)) { bad = not_positive(f, s, h/w, 0.5*T, V); break; }
      for (int j = 0; j < n; j++) q[j] += h*v[j];
      *dt += h;
      fresh = 0;
    }
  }
  a[2*n] = g;
  if (few) for (int j = 0; j < n; j++) vy[j] = v[j];
  epi_moved(f, s);
  if (fresh) epi_cache_store(f, s);
  return bad;
}

/* the logarithmic Hamiltonian of a system that gives force/|V| itself. From one kick to the next the processor waits for two divisions:
   so 2(T - H0), a quotient for each coordinate, and the one for the time only when the force has been asked for */
static inline __attribute__((always_inline)) int
logarithmically(epi_flow *f, epi_state *s, const double *x, double e, double *dt, const int n, const int few)
{
  const scaled_plan *p = f->own;
  epi_system *m = f->sys;
  const double level = 2*x[LEVEL], side = x[SIDE], twice = -2*side*e;
  double *q = s->y, *vy = q + n, local[2], *v = few ? local : vy, *a = epi_own_work(f), w = 0, X = 1;
  int fresh = epi_cache_valid(f, s), bad = 0;
  if (few) for (int j = 0; j < n; j++) v[j] = vy[j];
  for (const turn *o = p->turns, *end = o + p->n; o < end; o++) {
    if (o->kind == KICK_TURN) {
      if (!fresh) {
        if ((bad = m->energies.log_force(m, s->t, q, a))) break;
        f->calls++;
        fresh = 1;
      }
      *dt += w/X;
      w = 0;
      const double h = o->w*e;
      for (int j = 0; j < n; j++) v[j] += h*a[j];
    } else {
      X = v[0]*v[0];
      for (int j = 1; j < n; j++) X += v[j]*v[j];
      X -= level;
      if (!(X*side < 0)) { bad = not_positive(f, s, -2*side/X, 0.5*(X + level), -0.5*X); break; }
      w = o->w*twice;
      for (int j = 0; j < n; j++) q[j] += w*v[j]/X;
      fresh = 0;
    }
  }
  *dt += w/X;
  a[2*n] = 1;
  if (few) for (int j = 0; j < n; j++) vy[j] = v[j];
  epi_moved(f, s);
  if (fresh) epi_cache_store(f, s);
  return bad;
}

/* the same for a pair of coordinates that live in registers from step to step; a force that fails is not a number, and the next drift says
   so */
static int by_value(epi_flow *f, epi_state *s, const double *x, double e, double *dt)
{
  const scaled_plan *p = f->own;
  epi_system *m = f->sys;
  epi_planar (*force)(epi_system *, double, epi_planar) = m->energies.log_planar;
  const double level = 2*x[LEVEL], side = x[SIDE], twice = -2*side*e, t = s->t;
  epi_planar q = {s->y[0], s->y[1]}, v = {s->y[2], s->y[3]}, a = {0, 0};
  double w = 0, X = 1, sum = 0;
  int bad = 0, fresh = 0;
  for (const turn *o = p->turns, *end = o + p->n; o < end; o++) {
    if (o->kind == KICK_TURN) {
      if (!fresh) a = force(m, t, q);
      f->calls += !fresh;
      fresh = 1;
      sum += w/X;
      w = 0;
      v.x += o->w*e*a.x;
      v.y += o->w*e*a.y;
    } else {
      X = v.x*v.x + v.y*v.y - level;
      if (!(X*side < 0)) { bad = not_positive(f, s, -2*side/X, 0.5*(X + level), -0.5*X); break; }
      w = o->w*twice;
      q.x += w*v.x/X;
      q.y += w*v.y/X;
      fresh = 0;
    }
  }
  *dt += sum + w/X;
  s->y[0] = q.x; s->y[1] = q.y; s->y[2] = v.x; s->y[3] = v.y;
  epi_moved(f, s);
  return bad;
}

static int turns(epi_flow *f, epi_state *s, const double *x, double e, double *dt)
{
  const scaled_plan *p = f->own;
  int n = epi_nv(f->sys), bad = 0;
  if (x[WAY] == LOGARITHMIC && n == 2 && f->sys->energies.log_planar) return by_value(f, s, x, e, dt);
  if (x[WAY] == LOGARITHMIC) return n == 2 ? logarithmically(f, s, x, e, dt, 2, 1) : logarithmically(f, s, x, e, dt, n, 0);
  if (x[WAY] == PLAIN)
    return n == 1 ? plainly(f, s, x, e, dt, 1, 1) : n == 2 ? plainly(f, s, x, e, dt, 2, 1) : plainly(f, s, x, e, dt, n, 0);
  for (int i = 0; i < p->n && !bad; i++)
    bad = p->turns[i].kind == KICK_TURN ? kick(f, s, x, p->turns[i].w*e) : drift(f, s, x, p->turns[i].w*e, dt);
  return bad;
}

static int whole(epi_flow *f, epi_state *s, double *x, double e)
{
  double dt = 0;
  int bad = turns(f, s, x, e, &dt);
  if (!bad) epi_tick_on(f->sys, s, dt);
  return bad;
}

/* is the kinetic energy v.v/2, and the scaling a power? */
static int is_plain(epi_flow *f, const epi_state *s, double *room)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  double *v = room + epi_dim(m), T = 0;
  if (m->inertia.speed || m->mass || m->inertia.mass_matrix || m->inertia.mass_solve || ((scaled_plan *)f->own)->given.scale) return 0;
  for (int i = 0; i < n; i++) { v[i] = 1 + 0.25*i; T += 0.5*v[i]*v[i]; }
  return fabs(epi_kinetic_of(m, s->t, s->y, v, room) - T) <= 1e-14*T;
}

/* force/|V| as the system gives it must be that of its force */
static int look(epi_flow *f, const epi_state *s, double V, double *a, double *b)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double miss = 0, size = 0;
  if ((bad = m->force(m, s->t, s->y, a)) || (bad = m->energies.log_force(m, s->t, s->y, b))) return bad;
  for (int i = 0; i < n; i++) { miss = fmax(miss, fabs(a[i] - fabs(V)*b[i])); size = fmax(size, fabs(a[i])); }
  if (n == 2 && m->energies.log_planar) {
    epi_planar c = m->energies.log_planar(m, s->t, (epi_planar){s->y[0], s->y[1]});
    miss = epi_larger(miss, epi_larger(fabs(c.x - b[0]), fabs(c.y - b[1]))*fabs(V));
  }
  if (miss <= 1e-10*size) return 0;
  return epi_fail(f, EPI_WRONG, "scaled: log_force times the potential differs from the force by %g at t = %g: it is force/|potential|, "
                                "and log_planar too; mend it, or leave it out", miss, s->t);
}

static int begin(epi_flow *f, epi_state *s, double *x)
{
  const scaled_plan *p = f->own;
  epi_system *m = f->sys;
  double *room = epi_own_work(f) + 2*epi_nv(m) + 1, g;
  int bad = epi_still(f, s, room);
  if (bad) return bad;
  double V = epi_potential_of(m, s->t, s->y, room), T = epi_kinetic_of(m, s->t, s->y, s->y + m->nq, room);
  const epi_value *level = &f->arg[ENERGY];
  int plain = is_plain(f, s, room);
  x[WAY] = !plain ? ANY : p->power == 1 && m->energies.log_force && m->force && !m->inertia.accel ? LOGARITHMIC : PLAIN;
  if (x[WAY] == LOGARITHMIC && (bad = look(f, s, V, room, room + epi_nv(m)))) return bad;
  if ((bad = epi_other_level(f, s, level, T, V)) || (!p->given.scale && (bad = epi_no_potential(f, s, V, room)))) return bad;
  x[LEVEL] = level->given ? level->number : T + V;
  x[SIDE] = V < 0 ? -1 : 1;
  return scaling(f, p, s, x, T, V, &g);
}

static int time_rate(epi_flow *f, epi_state *s, const double *x, double *out)
{
  double *room = epi_own_work(f) + 2*epi_nv(f->sys) + 1, V = epi_potential_of(f->sys, s->t, s->y, room);
  return scaling(f, f->own, s, x, x[LEVEL] - V, V, out);
}

/* ---- the kicks and drifts of the flow inside, one after the other; neighbours of one kind are one ---- */
static int add(scaled_plan *p, int most, int kind, double w)
{
  if (p->n && p->turns[p->n - 1].kind == kind) { p->turns[p->n - 1].w += w; return 0; }
  if (p->n == most) return -1;
  p->turns[p->n++] = (turn){kind, w};
  return 0;
}

static int unroll(scaled_plan *p, int most, const epi_flow *a, double w)
{
  if (a->record == &epi_KICK) return add(p, most, KICK_TURN, w);
  if (a->record == &epi_DRIFT) return add(p, most, DRIFT_TURN, w);
  if ((a->record == &epi_VERLET || a->record == &epi_LEAP) && !a->sys->velocity_force)
    return add(p, most, KICK_TURN, 0.5*w) || add(p, most, DRIFT_TURN, w) || add(p, most, KICK_TURN, 0.5*w) ? -1 : 0;
  const epi_record *const made_of_turns[] = {&epi_SYMMETRIC_RECORD, &epi_COMPOSE, &epi_STRANG, &epi_EULER_SYMPLECTIC};
  int known = 0, bad = 0;
  for (int i = 0; i < 4; i++) known |= a->record == made_of_turns[i];
  if (!known) return -1;
  const epi_composition *c = a->own;
  for (int i = 0; i < c->n && !bad; i++) bad = unroll(p, most, c->flow[i % c->flows], w*c->w[i]);
  return bad;
}

static void scaled_drop(epi_flow *f)
{
  scaled_plan *p = f->own;
  if (p) free(p->turns);
}

/* ---- scalings by their names ---- */
static double by_kinetic(void *data, double T, double V) { (void)data, (void)V; return 1/sqrt(T); }
static double by_lagrangian(void *data, double T, double V) { (void)data; return 1/(T - V); }
static const char *const words[] = {"power", "kinetic", "lagrangian", NULL};
static epi_scale *const named[] = {NULL, by_kinetic, by_lagrangian};

static const char *const extra_names[] = {"energy level", "sign of the potential", "order of the parts", NULL};

static void scaled_build(epi_flow *f)
{
  enum { MOST = 1024 };
  epi_flow *a = f->kid[0];
  scaled_plan *p = f->own = calloc(1, sizeof *p);
  f->drop = scaled_drop;
  if (p) p->turns = calloc(MOST, sizeof *p->turns);
  if (epi_refuse_memory(f, !p || !p->turns)) return;
  p->own = (epi_own){.begin = begin, .whole = whole, .part = epi_own_by_kid, .time_rate = time_rate, .names = extra_names};
  p->power = f->arg[POWER].number;
  p->given = f->arg[SCALING].name;
  if (!p->given.scale) p->given.scale = named[(int)f->arg[SCALING].number];
  epi_refuse(f, p->given.scale && f->arg[POWER].given, "scaled: power is for scaling=power: leave one of them out");
  epi_needs_energy(f, "density", 0);
  epi_refuse(f, f->sys->velocity_force != NULL,
             "scaled splits a system without velocity force; this one has a velocity force: use density(verlet)");
  epi_refuse(f, !f->broken && unroll(p, MOST, a, 1) != 0,
             "scaled needs a flow made of kicks and drifts, and %s is not: take verlet, strang(drift, kick) or symmetric(verlet, order=8)",
             a->record->name);
  f->claims = a->claims & (EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK);
  epi_refuse(f, !(a->claims & EPI_CLOCK), "scaled needs a flow that moves time; %s does not: take verlet", a->record->name);
  if (!f->broken) epi_own_build(f, EXTRAS, 2L*epi_nv(f->sys) + 1 + 2L*epi_dim(f->sys));
}

static const epi_param params[] = {
  [EPS] = EPI_EPS_PARAM,
  [POWER] = {.name = "power", .value = 1,
             .doc = "time goes as |V|^-power; 1 is the logarithmic Hamiltonian: of strang(drift, kick) it follows a Kepler orbit exactly "
                    "but for the phase"},
  [SCALING] = {.name = "scaling", .words = words, .kind = EPI_WORD, .takes = EPI_TAKES_SCALE,
               .doc = "power: |V|^-power; kinetic: 1/sqrt(T), steps of equal length in space; lagrangian: 1/(T - V); or an epi_scale of "
                      "yours by name, g(T, V)"},
  [ENERGY] = {.name = "H0", .doc = "the energy of the motion; that of the start unless given"},
  EPI_CLOCK_PARAM,
  {0}
};
const epi_record epi_SCALED = {
  .name = "scaled", .doc = "explicit, adaptive and symplectic: kicks and drifts in a time scaled by kinetic and potential energy",
  .cite = "Preto & Tremaine, Astron. J. 118 (1999) 2532; Mikkola & Tanikawa 1999; Modin (2009), Paper III, 2.1",
  .example = "scaled(symmetric(strang(drift, kick), order=8), eps=0.2)", .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = params,
  .build = scaled_build,
};
