/* roller-bearing-draw.c - what is seen of a roller bearing. All that acts is asked once for a state, whatever number of observables want
 * it */
#define _XOPEN_SOURCE 700
#include "roller-bearing.h"
#include <sched.h>

typedef struct { const epi_case *c; const epi_state *s; epi_roller_bearing *b; } view;

/* the actions of a state: those of the last one where nothing has changed since. They are one thread's until it is done with them */
static view observe(const epi_case *c, const epi_state *s)
{
  epi_roller_bearing *b = c->parts[0].data;
  while (__atomic_exchange_n(&b->busy, 1, __ATOMIC_ACQUIRE)) sched_yield();
  size_t size = (size_t)epi_dim(&c->system)*sizeof *s->y;
  if (!b->known || b->t != s->t || memcmp(b->y, s->y, size)) {
    for (int i = 0; i < b->loads + 2; i++)
      if (epi_world_action(c->world, s, i, &b->act[i])) b->act[i].load = b->act[i].depth = b->act[i].energy = NAN;
    for (int i = 0; i < 4; i++) epi_world_action(c->world, s, b->joint[i], &b->held[i]);
    memcpy(b->y, s->y, size);
    b->t = s->t;
    b->known = 1;
  }
  return (view){c, s, b};
}

static double done(view v, double x)
{
  __atomic_store_n(&v.b->busy, 0, __ATOMIC_RELEASE);
  return x;
}

static const epi_roller_bearing *of(const epi_case *c) { return c->parts[0].data; }
static int shown(const epi_roller_bearing *b) { return (int)b->p[ROLLER] - 1; }

/* ---- loads ---- */
/* of contacts one after the other: their sum, or with a sign the largest or least */
static double total(const epi_case *c, const epi_state *s, int first, int n, int sign)
{
  view v = observe(c, s);
  double x = sign ? -HUGE_VAL : 0;
  for (int i = first; i < first + n; i++) x = sign ? epi_larger(x, sign*v.b->act[i].load) : x + v.b->act[i].load;
  return done(v, sign ? sign*x : x);
}

static int rollers(const epi_case *c) { return of(c)->rollers; }
static double outer_load(const epi_case *c, const epi_state *s) { return total(c, s, shown(of(c)), 1, 0); }
static double inner_load(const epi_case *c, const epi_state *s) { return total(c, s, rollers(c) + shown(of(c)), 1, 0); }
static double outer_sum(const epi_case *c, const epi_state *s) { return total(c, s, 0, rollers(c), 0); }
static double inner_sum(const epi_case *c, const epi_state *s) { return total(c, s, rollers(c), rollers(c), 0); }
static double outer_least(const epi_case *c, const epi_state *s) { return total(c, s, 0, rollers(c), -1); }
static double outer_most(const epi_case *c, const epi_state *s) { return total(c, s, 0, rollers(c), 1); }
static double pocket_load(const epi_case *c, const epi_state *s) { return total(c, s, of(c)->pocket + 3*shown(of(c)), 3, 0); }
static double pocket_sum(const epi_case *c, const epi_state *s) { return total(c, s, of(c)->pocket, 3*rollers(c), 0); }
static double land_sum(const epi_case *c, const epi_state *s) { return total(c, s, of(c)->land, 2, 0); }

/* ---- motions ---- */
static epi_pose roller(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, ROLLERS + shown(of(c))); }

static double orbit(const epi_case *c, const epi_state *s)
{
  epi_pose p = roller(c, s);
  return (p.r[0]*p.v[1] - p.r[1]*p.v[0])/(p.r[0]*p.r[0] + p.r[1]*p.r[1]);
}

/* about its own axis */
static double spin(const epi_case *c, const epi_state *s)
{
  epi_pose p = roller(c, s);
  return p.w[0]*p.R[2] + p.w[1]*p.R[5] + p.w[2]*p.R[8];
}

/* of its axis: out of the meridian plane, along the orbit; and within it, from the contact angle */
static double skew(const epi_case *c, const epi_state *s)
{
  epi_pose p = roller(c, s);
  double sigma = shown(of(c)) < rollers(c)/2 ? 1 : -1;
  return sigma*asin((p.R[5]*p.r[0] - p.R[2]*p.r[1])/hypot(p.r[0], p.r[1]));
}

static double tilt(const epi_case *c, const epi_state *s)
{
  epi_pose p = roller(c, s);
  double sigma = shown(of(c)) < rollers(c)/2 ? 1 : -1;
  return sigma*atan2((p.R[2]*p.r[0] + p.R[5]*p.r[1])/hypot(p.r[0], p.r[1]), p.R[8]) + of(c)->al;
}

static double cage_speed(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, CAGE).w[2]; }

/* how far the cage is out of the middle of the inner ring, on which it runs, and to which side */
static double eccentric(const epi_case *c, const epi_state *s, double *side)
{
  epi_pose cage = epi_world_pose(c->world, s, CAGE), ring = epi_world_pose(c->world, s, INNER);
  double x = cage.r[0] - ring.r[0], y = cage.r[1] - ring.r[1];
  *side = x == 0 && y == 0 ? 0 : atan2(y, x)*180/EPI_PI;
  return hypot(x, y);
}

static double whirl(const epi_case *c, const epi_state *s) { double side; return eccentric(c, s, &side); }
static double whirl_side(const epi_case *c, const epi_state *s) { double side; eccentric(c, s, &side); return side; }

static double ring_at(const epi_case *c, const epi_state *s, int k)
{
  return epi_world_pose(c->world, s, INNER).r[k] - epi_world_pose(c->world, s, OUTER).r[k];
}

static double ring_x(const epi_case *c, const epi_state *s) { return ring_at(c, s, 0); }
static double ring_y(const epi_case *c, const epi_state *s) { return ring_at(c, s, 1); }
static double ring_z(const epi_case *c, const epi_state *s) { return ring_at(c, s, 2); }

/* ---- torque and energy ---- */
/* what rollers and cage take from the inner ring */
static double torque_of(const epi_roller_bearing *b)
{
  double M = 0;
  for (int i = 0; i < b->rollers; i++) M -= b->act[b->rollers + i].moment[1][2];
  return M - b->act[b->land].moment[1][2] - b->act[b->land + 1].moment[1][2];
}

static double torque(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  return done(v, torque_of(v.b));
}

/* of the springs that turn the inner ring */
static double drive(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  return done(v, v.b->held[2].moment[0][2] + v.b->held[3].moment[0][2]);
}

static double depth(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  double x = 0;
  for (int i = 0; i < v.b->loads; i++) x = epi_larger(x, v.b->act[i].depth);
  return done(v, x);
}

/* what is stored: motion, contacts, springs of the joints, height. The loads are outside */
static double energy(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  epi_system *m = (epi_system *)&c->system;
  double W = m->kinetic(m, s->t, s->y);
  for (int i = 0; i < v.b->loads; i++) W += v.b->act[i].energy;
  for (int i = 0; i < 4; i++) W += v.b->held[i].energy;
  for (int i = 0; i < ROLLERS + v.b->rollers; i++) W += m->mass[6*i]*v.b->p[G]*s->y[7*i + 1];
  return done(v, W);
}

/* what comes in: the loads push the ring, and the drive, as good as rigid, gives it what rollers and cage take */
static double power(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  double W = v.b->speed*torque_of(v.b);
  epi_pose ring = epi_world_pose(c->world, s, INNER);
  for (int i = 0; i < 2; i++) {
    const double *f = v.b->act[v.b->loads + i].force;
    W += f[0]*ring.v[0] + f[1]*ring.v[1] + f[2]*ring.v[2];
  }
  return done(v, W);
}

/* what becomes heat: in contacts, and in the dampers of the joints */
static double loss(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  double W = 0;
  for (int i = 0; i < v.b->loads; i++) W += v.b->act[i].loss;
  for (int i = 0; i < 4; i++) W += v.b->held[i].loss;
  return done(v, W);
}

const epi_observable epi_roller_observables[] = {
  {.name = "Qo", .unit = "N", .value = outer_load},
  {.name = "Qi", .unit = "N", .value = inner_load},
  {.name = "Qo-sum", .unit = "N", .value = outer_sum},
  {.name = "Qi-sum", .unit = "N", .value = inner_sum},
  {.name = "Qo-least", .unit = "N", .value = outer_least},
  {.name = "Qo-most", .unit = "N", .value = outer_most},
  {.name = "Qpocket", .unit = "N", .value = pocket_load},
  {.name = "Qpocket-sum", .unit = "N", .value = pocket_sum},
  {.name = "Qland", .unit = "N", .value = land_sum},
  {.name = "cage-speed", .unit = "rad/s", .value = cage_speed},
  {.name = "whirl", .unit = "m", .value = whirl},
  {.name = "whirl-side", .unit = "deg", .value = whirl_side},
  {.name = "orbit", .unit = "rad/s", .value = orbit},
  {.name = "spin", .unit = "rad/s", .value = spin},
  {.name = "skew", .unit = "rad", .value = skew},
  {.name = "tilt", .unit = "rad", .value = tilt},
  {.name = "x", .unit = "m", .value = ring_x},
  {.name = "y", .unit = "m", .value = ring_y},
  {.name = "z", .unit = "m", .value = ring_z},
  {.name = "torque", .unit = "N m", .value = torque},
  {.name = "drive", .unit = "N m", .value = drive},
  {.name = "depth", .unit = "m", .value = depth},
  {.name = "energy", .unit = "J", .value = energy},
  {.name = "power", .unit = "W", .value = power},
  {.name = "loss", .unit = "W", .value = loss},
  {0}
};
