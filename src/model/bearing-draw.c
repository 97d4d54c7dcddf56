/* bearing-draw.c - what is seen of a ball bearing */
#include "bearing.h"
#include <stdio.h>

typedef struct { epi_bearing_view seen; epi_bearing *b; const epi_action *act; } view;

static epi_bearing *bearing_of(const epi_case *c) { return epi_bearing_data(c); }

static view observe(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  return (view){v, bearing_of(c), v.b->act};
}

static double done(view v, double x) { return epi_bearing_done(v.seen, x); }

static int shown(const epi_bearing *b) { return (int)b->p[BALL] - 1; }

/* ---- loads of the races ---- */
static double load(const epi_case *c, const epi_state *s, int race)
{
  view v = observe(c, s);
  return done(v, v.act[race*v.b->balls + shown(v.b)].load);
}

static int balls(const epi_case *c) { return bearing_of(c)->balls; }
static double outer_load(const epi_case *c, const epi_state *s) { return load(c, s, 0); }
static double inner_load(const epi_case *c, const epi_state *s) { return load(c, s, 1); }
static double outer_sum(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 0, balls(c), 0); }
static double inner_sum(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, balls(c), balls(c), 0); }
static double outer_least(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 0, balls(c), -1); }
static double outer_most(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 0, balls(c), 1); }
static double pocket_load(const epi_case *c, const epi_state *s) { return load(c, s, 2); }
static double pocket_most(const epi_case *c, const epi_state *s) { return epi_bearing_total(c, s, 2*balls(c), balls(c), 1); }

/* in degrees, from the plane of the balls; of the inner race seen from the ring */
static double contact_of(const epi_case *c, const epi_state *s, view v, int k, int race)
{
  const double *n = v.act[race*v.b->balls + k].normal;
  epi_pose ball = epi_world_pose(c->world, s, BALLS + k), ring = epi_world_pose(c->world, s, race ? INNER : OUTER);
  double x = ball.r[0] - ring.r[0], y = ball.r[1] - ring.r[1], sign = race ? -1 : 1;
  return atan2(sign*n[2], sign*(n[0]*x + n[1]*y)/hypot(x, y))*180/EPI_PI;
}

static double contact_angle(const epi_case *c, const epi_state *s, int race)
{
  view v = observe(c, s);
  return done(v, contact_of(c, s, v, shown(v.b), race));
}

static double outer_angle(const epi_case *c, const epi_state *s) { return contact_angle(c, s, 0); }
static double inner_angle(const epi_case *c, const epi_state *s) { return contact_angle(c, s, 1); }

/* ---- motions ---- */
typedef struct { double orbit, spin[2]; } rolling;

/* of the shown ball about the axis, and about itself as seen from there: along r, along z */
static rolling motion(const epi_case *c, const epi_state *s)
{
  epi_pose p = epi_world_pose(c->world, s, BALLS + shown(bearing_of(c)));
  double rho2 = p.r[0]*p.r[0] + p.r[1]*p.r[1];
  rolling x = {.orbit = (p.r[0]*p.v[1] - p.r[1]*p.v[0])/rho2};
  x.spin[0] = (p.w[0]*p.r[0] + p.w[1]*p.r[1])/sqrt(rho2);
  x.spin[1] = p.w[2] - x.orbit;
  return x;
}

static double orbit(const epi_case *c, const epi_state *s) { return motion(c, s).orbit; }
static double spin(const epi_case *c, const epi_state *s) { rolling x = motion(c, s); return hypot(x.spin[0], x.spin[1]); }
static double pitch(const epi_case *c, const epi_state *s) { rolling x = motion(c, s); return atan2(x.spin[0], -x.spin[1])*180/EPI_PI; }
/* the land is in the outer ring */
static double whirl(const epi_case *c, const epi_state *s) { double side; return epi_bearing_whirl(c, s, OUTER, &side); }
static double whirl_side(const epi_case *c, const epi_state *s) { double side; epi_bearing_whirl(c, s, OUTER, &side); return side; }
static double ring_z(const epi_case *c, const epi_state *s) { return epi_bearing_ring(c, s, 2); }

/* ---- torque and energy ---- */
/* what the balls take from the inner ring */
static double torque_of(const epi_bearing *b)
{
  double M = 0;
  for (int i = 0; i < b->balls; i++) M -= b->seen.act[b->balls + i].moment[1][2];
  return M;
}

static double torque(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  return done(v, torque_of(v.b));
}

/* what is stored: motion, contacts, springs of the joints, height. The loads are outside */
static double energy(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  epi_system *m = (epi_system *)&c->system;
  double W = epi_bearing_stored(v.seen, m->energies.kinetic(m, s->t, s->y));
  for (int i = 0, q = 0, at = 0; i < BALLS + v.b->balls; i++) {
    int modes = i < BALLS ? v.b->modes[i] : 0;
    W += m->mass[at]*v.b->p[G]*s->y[q + 1];
    for (int k = 0; k < modes; k++) W += 0.5*epi_bearing_modal(v.b, i)[modes + k]*s->y[q + 7 + k]*s->y[q + 7 + k];
    q += 7 + modes;
    at += 6 + modes;
  }
  return done(v, W);
}

/* what comes in: the loads push the ring, and the drive, as good as rigid, gives it what the balls take and what speeds it up */
static double power(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  epi_bearing_drive d = epi_bearing_drive_at(v.b, s->t);
  double W = d.speed*(torque_of(v.b) + v.b->p[INNER_IZ]*d.gain);
  return done(v, epi_bearing_pushed(v.seen, c, s, W));
}

/* what becomes heat: in contacts, and in the dampers of the joints */
static double loss(const epi_case *c, const epi_state *s)
{
  view v = observe(c, s);
  double W = epi_bearing_lost(v.seen, 0);
  for (int i = 0; i < BALLS; i++) {
    int modes = v.b->modes[i];
    const double *de = epi_world_pose(c->world, s, i).de, *damping = epi_bearing_modal(v.b, i) + 2*modes;
    for (int k = 0; k < modes; k++) W += damping[k]*de[k]*de[k];
  }
  return done(v, W);
}

const epi_observable epi_bearing_observables[] = {
  {.name = "Qo", .unit = "N", .value = outer_load},
  {.name = "Qi", .unit = "N", .value = inner_load},
  {.name = "Qo-sum", .unit = "N", .value = outer_sum},
  {.name = "Qi-sum", .unit = "N", .value = inner_sum},
  {.name = "Qo-least", .unit = "N", .value = outer_least},
  {.name = "Qo-most", .unit = "N", .value = outer_most},
  {.name = "ao", .unit = "deg", .value = outer_angle},
  {.name = "ai", .unit = "deg", .value = inner_angle},
  {.name = "Qpocket", .unit = "N", .value = pocket_load},
  {.name = "Qpocket-most", .unit = "N", .value = pocket_most},
  {.name = "Qland", .unit = "N", .value = epi_bearing_land},
  {.name = "cage-speed", .unit = "rad/s", .value = epi_bearing_cage_speed},
  {.name = "whirl", .unit = "m", .value = whirl},
  {.name = "whirl-side", .unit = "deg", .value = whirl_side},
  {.name = "orbit", .unit = "rad/s", .value = orbit},
  {.name = "spin", .unit = "rad/s", .value = spin},
  {.name = "pitch", .unit = "deg", .value = pitch},
  {.name = "z", .unit = "m", .value = ring_z},
  {.name = "torque", .unit = "N m", .value = torque},
  {.name = "drive", .unit = "N m", .value = epi_bearing_drive_torque},
  {.name = "depth", .unit = "m", .value = epi_bearing_depth},
  {.name = "energy", .unit = "J", .value = energy},
  {.name = "power", .unit = "W", .value = power},
  {.name = "loss", .unit = "W", .value = loss},
  {0}
};

/* ---- of every ball ---- */
static epi_ball_load ball_of(const epi_case *c, const epi_state *s, view v, int k)
{
  epi_pose ball = epi_world_pose(c->world, s, BALLS + k), ring = epi_world_pose(c->world, s, OUTER);
  double side = atan2(ball.r[1] - ring.r[1], ball.r[0] - ring.r[0])*180/EPI_PI;
  return (epi_ball_load){.angle = side < 0 ? side + 360 : side, .load = {v.act[k].load, v.act[v.b->balls + k].load},
                         .contact = {contact_of(c, s, v, k, 0), contact_of(c, s, v, k, 1)}};
}

int epi_case_balls(const epi_case *c, const epi_state *s, epi_ball_load *out, int room)
{
  if (c->error[0] || strcmp(c->model->name, "bearing") || !c->world) return 0;
  view v = observe(c, s);
  for (int k = 0; k < v.b->balls && k < room; k++) out[k] = ball_of(c, s, v, k);
  return (int)done(v, v.b->balls);
}

enum { COLUMNS = 5, NAME = 32 };
static double of_ball(const epi_case *c, const epi_state *s, int which)
{
  view v = observe(c, s);
  epi_ball_load x = ball_of(c, s, v, which/COLUMNS);
  const double all[COLUMNS] = {x.angle, x.load[0], x.load[1], x.contact[0], x.contact[1]};
  return done(v, all[which % COLUMNS]);
}

int epi_bearing_show_all(epi_case *c)
{
  static const struct { const char *name, *unit; } column[COLUMNS] = {
    {"side", "deg"}, {"Qo", "N"}, {"Qi", "N"}, {"ao", "deg"}, {"ai", "deg"}
  };
  size_t k = 0, n = (size_t)(COLUMNS*bearing_of(c)->balls);
  while (epi_bearing_observables[k].name) k++;
  epi_model *m = epi_case_room(c, 1, sizeof *m + (k + n + 1)*sizeof(epi_observable) + n*NAME);
  if (!m) return -1;
  epi_observable *o = (epi_observable *)(m + 1);
  char *name = (char *)(o + k + n + 1);
  *m = *c->model;
  for (size_t i = 0; i < k; i++) o[i] = epi_bearing_observables[i];
  for (size_t i = 0; i < n; i++, name += NAME) {
    snprintf(name, NAME, "%s%zu", column[i % COLUMNS].name, i/COLUMNS + 1);
    o[k + i] = (epi_observable){.name = name, .unit = column[i % COLUMNS].unit, .observe = of_ball, .which = (int)i};
  }
  m->observables = o;
  c->model = m;
  return 0;
}
