/* roller-bearing-draw.c - what is seen of a roller bearing */
#include "roller-bearing.h"

static const epi_roller_bearing *of(const epi_case *c) { return epi_bearing_data(c); }
static int shown(const epi_roller_bearing *b) { return (int)b->p[ROLLER] - 1; }

/* ---- loads ---- */
static int rollers(const epi_case *c) { return of(c)->rollers; }
static double outer_load(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, shown(of(c)), 1, 0); }
static double inner_load(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, rollers(c) + shown(of(c)), 1, 0); }
static double outer_sum(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 0, rollers(c), 0); }
static double inner_sum(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, rollers(c), rollers(c), 0); }
static double outer_least(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 0, rollers(c), -1); }
static double outer_most(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 0, rollers(c), 1); }
static double pocket_load(const epi_case *c, const epi_state *s)
{
  return epi_bearing_total(c, s, of(c)->seen.pocket + 3*shown(of(c)), 3, 0);
}
static double pocket_sum(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, of(c)->seen.pocket, 3*rollers(c), 0); }

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

/* the cage runs on the inner ring */
static double whirl(const epi_case *c, const epi_state *s) { double side; return epi_bearing_whirl(c, s, INNER, &side); }
static double whirl_side(const epi_case *c, const epi_state *s) { double side; epi_bearing_whirl(c, s, INNER, &side); return side; }

static double ring_x(const epi_case *c, const epi_state *s) { return epi_bearing_ring(c, s, 0); }
static double ring_y(const epi_case *c, const epi_state *s) { return epi_bearing_ring(c, s, 1); }
static double ring_z(const epi_case *c, const epi_state *s) { return epi_bearing_ring(c, s, 2); }

/* ---- torque and energy ---- */
/* what rollers and cage take from the inner ring */
static double torque_of(const epi_roller_bearing *b)
{
  double M = 0;
  for (int i = 0; i < b->rollers; i++) M -= b->seen.act[b->rollers + i].moment[1][2];
  return M - b->seen.act[b->seen.land].moment[1][2] - b->seen.act[b->seen.land + 1].moment[1][2];
}

static double torque(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  return epi_bearing_done(v, torque_of(of(c)));
}

/* what is stored: motion, contacts, springs of the joints, height. The loads are outside */
static double energy(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  epi_system *m = (epi_system *)&c->system;
  double W = epi_bearing_stored(v, m->energies.kinetic(m, s->t, s->y));
  for (int i = 0; i < ROLLERS + rollers(c); i++) W += m->mass[6*i]*of(c)->p[G]*s->y[7*i + 1];
  return epi_bearing_done(v, W);
}

/* what comes in: the loads push the ring, and the drive, as good as rigid, gives it what rollers and cage take */
static double power(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  return epi_bearing_done(v, epi_bearing_pushed(v, c, s, of(c)->speed*torque_of(of(c))));
}

/* what becomes heat: in contacts, and in the dampers of the joints */
static double loss(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  return epi_bearing_done(v, epi_bearing_lost(v, 0));
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
  {.name = "Qland", .unit = "N", .value = epi_bearing_land},
  {.name = "cage-speed", .unit = "rad/s", .value = epi_bearing_cage_speed},
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
  {.name = "drive", .unit = "N m", .value = epi_bearing_drive_torque},
  {.name = "depth", .unit = "m", .value = epi_bearing_depth},
  {.name = "energy", .unit = "J", .value = energy},
  {.name = "power", .unit = "W", .value = power},
  {.name = "loss", .unit = "W", .value = loss},
  {0}
};
