/* bearing-seen.c - what is seen of any bearing with rings and a cage */
#define _XOPEN_SOURCE 700
#include "bearing-seen.h"
#include <sched.h>

/* names of the user's stand before `model`, whose data it is */
void *epi_bearing_data(const epi_case *c)
{
  const epi_name *n = c->parts;
  while (n->system != &c->system) n++;
  return n->data;
}

int epi_bearing_room(epi_case *c, epi_bearing_seen *b, int contacts)
{
  b->y = epi_case_room(c, (size_t)epi_dim(&c->system), sizeof *b->y);
  b->act = b->y ? epi_case_room(c, (size_t)contacts + 2, sizeof *b->act) : NULL;
  return b->act ? 0 : -1;
}

/* those of the last state where nothing has changed since */
epi_bearing_view epi_bearing_observe(const epi_case *c, const epi_state *s)
{
  epi_bearing_seen *b = epi_bearing_data(c);
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
  return (epi_bearing_view){b};
}

double epi_bearing_done(epi_bearing_view v, double x)
{
  __atomic_store_n(&v.b->busy, 0, __ATOMIC_RELEASE);
  return x;
}

/* ---- loads and places ---- */
double epi_bearing_total(const epi_case *c, const epi_state *s, int first, int n, int sign)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  double x = sign ? -HUGE_VAL : 0;
  for (int i = first; i < first + n; i++) x = sign ? epi_larger(x, sign*v.b->act[i].load) : x + v.b->act[i].load;
  return epi_bearing_done(v, sign ? sign*x : x);
}

double epi_bearing_land(const epi_case *c, const epi_state *s)
{
  return epi_bearing_total(c, s, ((const epi_bearing_seen *)epi_bearing_data(c))->land, 2, 0);
}

double epi_bearing_depth(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  double x = 0;
  for (int i = 0; i < v.b->loads; i++) x = epi_larger(x, v.b->act[i].depth);
  return epi_bearing_done(v, x);
}

double epi_bearing_drive_torque(const epi_case *c, const epi_state *s)
{
  epi_bearing_view v = epi_bearing_observe(c, s);
  return epi_bearing_done(v, v.b->held[2].moment[0][2] + v.b->held[3].moment[0][2]);
}

double epi_bearing_cage_speed(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, CAGE).w[2]; }

double epi_bearing_whirl(const epi_case *c, const epi_state *s, int ring, double *side)
{
  epi_pose cage = epi_world_pose(c->world, s, CAGE), in = epi_world_pose(c->world, s, ring);
  double x = cage.r[0] - in.r[0], y = cage.r[1] - in.r[1];
  *side = x == 0 && y == 0 ? 0 : atan2(y, x)*180/EPI_PI;
  return hypot(x, y);
}

double epi_bearing_ring(const epi_case *c, const epi_state *s, int k)
{
  return epi_world_pose(c->world, s, INNER).r[k] - epi_world_pose(c->world, s, OUTER).r[k];
}

/* ---- energy ---- */
double epi_bearing_stored(epi_bearing_view v, double W)
{
  for (int i = 0; i < v.b->loads; i++) W += v.b->act[i].energy;
  for (int i = 0; i < 4; i++) W += v.b->held[i].energy;
  return W;
}

double epi_bearing_pushed(epi_bearing_view v, const epi_case *c, const epi_state *s, double W)
{
  epi_pose ring = epi_world_pose(c->world, s, INNER);
  for (int i = 0; i < 2; i++) {
    const double *f = v.b->act[v.b->loads + i].force;
    W += f[0]*ring.v[0] + f[1]*ring.v[1] + f[2]*ring.v[2];
  }
  return W;
}

double epi_bearing_lost(epi_bearing_view v, double W)
{
  for (int i = 0; i < v.b->loads; i++) W += v.b->act[i].loss;
  for (int i = 0; i < 4; i++) W += v.b->held[i].loss;
  return W;
}
