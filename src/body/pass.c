/* pass.c - bodies that go through one another in one step. Two balls in free flight feel nothing, and a chosen step may be so long that it
 * ends behind the contact: between its ends the way of both is looked at by the cubic through their positions and velocities, and by steady
 * turns from the nearer end */
#include "parts.h"

enum { MOST_LOOKS = 300 };
/* of a radius: what is gone through on so short a way is not deep enough to count; and where all move less in a step, nothing is */
static const double SHORT = 1e-3, NO_WAY = 5e-3;
static const double TURN = 0.5;        /* rad: what sits beside the centre of a body that turns so far comes past without a trace */

/* of balls, and of what users have made; a plane and what is hollow do not end, and are felt from behind */
static int can_be_passed(const epi_pair *c)
{
  return c->contact && !c->contact->kind->act && (c->contact->kind->traits & EPI_B_BALL || c->act == epi_own_contact_act);
}

static double radius_of(const epi_contact *k) { return k->other > 0 ? fmin(k->radius, k->other) : k->radius; }

static double length_of(const double *x) { return sqrt(epi_dot(x, x)); }

/* how far beside the centres of a and b it acts, of what is felt at times only */
static void levers_of(const epi_pair *c, double lever[2])
{
  const epi_spring *cable = c->load && !strcmp(c->load->name, "cable") ? c->data : NULL;
  const double *a = c->contact ? c->contact->at_a : cable ? cable->at_a : NULL;
  const double *b = c->contact ? c->contact->at : cable ? cable->at_b : NULL;
  lever[0] = a ? length_of(a) : 0;
  lever[1] = b && c->b >= 0 ? length_of(b) : 0;
}

void epi_world_find_thinnest(epi_world *w)
{
  w->thinnest = HUGE_VAL;
  w->lever = 0;
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    double lever[2];
    levers_of(c, lever);
    w->lever = fmax(w->lever, fmax(lever[0], lever[1]));
    if (can_be_passed(c)) w->thinnest = fmin(w->thinnest, radius_of(c->contact));
  }
}

/* a step of a pair: both ends, how long it is, and a speed that neither end nor the middle of the way has more of */
typedef struct { const epi_pair *c; epi_pose a[2], b[2]; double t, h, speed, small; int looks; } way;

static void pose_at(const epi_pose *p, double h, double u, epi_pose *out)
{
  double s = u*u*(3 - 2*u), from = h*u*(1 - u)*(1 - u), to = -h*u*u*(1 - u);
  const int near = u > 0.5;
  const double speed = length_of(p[near].w), half = 0.5*(u - near)*h*speed, by = speed > 0 ? sin(half)/speed : 0;
  const double turn[4] = {cos(half), by*p[near].w[0], by*p[near].w[1], by*p[near].w[2]};
  double R[9];
  *out = p[near];
  epi_rotation_of(turn, R);
  epi_rotation_product(R, p[near].R, out->R);
  for (int i = 0; i < 3; i++) out->r[i] = p[0].r[i] + s*(p[1].r[i] - p[0].r[i]) + from*p[0].v[i] + to*p[1].v[i];
}

/* how far it is open there; negative: closed */
static double open_at(const way *p, double u)
{
  epi_pose a, b;
  epi_action x = {.depth = -HUGE_VAL};
  pose_at(p->a, p->h, u, &a);
  pose_at(p->b, p->h, u, &b);
  epi_pair_act(p->c, p->t + u*p->h, &a, &b, &x);
  return -x.depth;
}

static double fastest(const way *p)
{
  double most = 0;
  for (int k = 0; k < 3; k++) {
    double v2 = 0, turns = 0;
    for (int i = 0; i < 3; i++) {
      double v0 = p->a[0].v[i] - p->b[0].v[i], v1 = p->a[1].v[i] - p->b[1].v[i];
      double moved = (p->a[1].r[i] - p->b[1].r[i]) - (p->a[0].r[i] - p->b[0].r[i]);
      double v = k == 0 ? v0 : k == 1 ? v1 : 1.5*moved/p->h - 0.25*(v0 + v1);
      v2 += v*v;
    }
    if (k < 2) turns = sqrt(epi_dot(p->a[k].w, p->a[k].w)*epi_dot(p->c->contact->at_a, p->c->contact->at_a)) +
                       sqrt(epi_dot(p->b[k].w, p->b[k].w)*epi_dot(p->c->contact->at, p->c->contact->at));
    most = fmax(most, sqrt(v2) + turns);
  }
  return 1.2*most;
}

/* both ends are open, by g0 and g1: where it is closed between them, if that is so. Nothing closes faster than it moves */
static int closes(way *p, double u0, double g0, double u1, double g1, double *at)
{
  double length = (u1 - u0)*fabs(p->h)*p->speed, middle = 0.5*(u0 + u1);
  if (g0 + g1 > length || length < p->small || p->looks++ >= MOST_LOOKS) return 0;
  double g = open_at(p, middle);
  if (!(g > 0)) { *at = middle; return 1; }
  return closes(p, u0, g0, middle, g, at) || closes(p, middle, g, u1, g1, at);
}

/* open at the start and closed at the end: a step that ends deep inside, which may have felt nothing of it, is to end where it begins to
   close. 1: there is such a place */
static int ends_inside(way *p, double *at)
{
  double low = 0, high = 1;
  for (int it = 0; it < 60; it++) {
    double middle = 0.5*(low + high), g = open_at(p, middle);
    if (g > 0) low = middle;
    else if (g < -p->small) high = middle;
    else { *at = middle; return 1; }
  }
  return 0;
}

/* the centre of a body, and its velocity; the ground has what touches at a place of its own */
typedef struct { double r[3], v[3], lever; } centre;
static centre centre_of(const epi_world *w, int body, const double *lever, const double *y)
{
  centre c = {.lever = body < 0 ? 0 : length_of(lever)};
  for (int i = 0; i < 3; i++) {
    c.r[i] = body < 0 ? lever[i] : y[w->body[body].q + i];
    c.v[i] = body < 0 ? 0 : y[w->nq + w->body[body].v + i];
  }
  if (c.lever > 0) {
    const double *spin = y + w->nq + w->body[body].v + 3;
    double turns = length_of(spin)*c.lever;
    for (int i = 0; i < 3; i++) c.v[i] += c.v[i] < 0 ? -turns : turns;
  }
  return c;
}

/* by the centres alone: too far apart at both ends for the way between them. Of balls: who knows what users have made */
static int far_apart(const epi_world *w, const epi_pair *c, double h, const double *y0, const double *y1)
{
  if (!(c->contact->kind->traits & EPI_B_BALL)) return 0;
  const double *y[] = {y0, y1};
  double apart = 0, fast = 0, moved[3] = {0};
  for (int k = 0; k < 2; k++) {
    centre a = centre_of(w, c->a, c->contact->at_a, y[k]), b = centre_of(w, c->b, c->contact->at, y[k]);
    double d[3], v[3];
    for (int i = 0; i < 3; i++) {
      d[i] = a.r[i] - b.r[i];
      v[i] = fabs(a.v[i]) + fabs(b.v[i]);
      moved[i] = k ? d[i] - moved[i] : d[i];
    }
    apart += length_of(d) - (c->contact->radius + c->contact->other + a.lever + b.lever);
    fast = fmax(fast, length_of(v));
  }
  /* the middle of a cubic is faster than its ends by half of the mean at most */
  return apart > 1.2*fmax(fast*fabs(h), 1.5*length_of(moved) + 0.5*fast*fabs(h));
}

static int pair_passes(const epi_world *w, const epi_pair *c, double t0, const double *y0, double t1, const double *y1, double *part)
{
  way p = {.c = c, .b = {epi_ground, epi_ground}, .t = t0, .h = t1 - t0, .small = SHORT*radius_of(c->contact)};
  const double *y[] = {y0, y1};
  for (int k = 0; k < 2; k++) {
    epi_pose_of(&w->body[c->a], y[k], y[k] + w->nq, &p.a[k]);
    if (c->b >= 0) epi_pose_of(&w->body[c->b], y[k], y[k] + w->nq, &p.b[k]);
  }
  p.speed = fastest(&p);
  if (fabs(p.h)*p.speed < p.small) return 0;
  double g0 = open_at(&p, 0), g1 = open_at(&p, 1);
  if (!(g0 > 0)) return 0;
  const int sized = p.small > 0;
  if (!sized) p.small = 1e-4*(g0 + g1);
  int passes = g1 > 0 ? closes(&p, 0, g0, 1, g1, part) : sized && g1 < -p.small && ends_inside(&p, part);
  /* turns are steady in a step about as much as not: the next try is to end before that */
  if (passes && w->lever > 0) *part = fmin(*part, 0.9);
  return passes;
}

static double spin_of(const epi_world *w, int body, const double *y0, const double *y1)
{
  const long at = w->nq + w->body[body].v + 3;
  return fmax(length_of(y0 + at), length_of(y1 + at));
}

/* what acts beside the centre of a body comes round with it: the largest angle of such a one in the step */
static double turned(const epi_world *w, double h, const double *y0, const double *y1)
{
  double most = 0;
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    double lever[2];
    levers_of(c, lever);
    if (c->contact && can_be_passed(c) && far_apart(w, c, h, y0, y1)) continue;
    if (lever[0] > 0) most = fmax(most, spin_of(w, c->a, y0, y1));
    if (lever[1] > 0) most = fmax(most, spin_of(w, c->b, y0, y1));
  }
  return most*fabs(h);
}

int epi_world_went_through(epi_system *s, double t0, const double *y0, double t1, const double *y1, double *part)
{
  const epi_world *w = s->data;
  double farthest = 0, spin = 0;
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    double way2 = 0, v2 = 0, turns = w->lever > 0 ? spin_of(w, i, y0, y1) : 0;
    spin = fmax(spin, turns);
    for (int c = 0; c < 3; c++) {
      double d = y1[m->q + c] - y0[m->q + c], v = fmax(fabs(y0[w->nq + m->v + c]), fabs(y1[w->nq + m->v + c]));
      way2 += d*d;
      v2 += v*v;
    }
    farthest = fmax(farthest, fmax(sqrt(way2), (sqrt(v2) + turns*w->lever)*fabs(t1 - t0)));
  }
  double angle = spin*fabs(t1 - t0) > TURN ? turned(w, t1 - t0, y0, y1) : 0;
  if (angle > TURN) return *part = 0.9*TURN/angle, 2;
  if (farthest < NO_WAY*w->thinnest) return 0;
  int found = 0;
  double first = 1, at;
  for (int i = 0; i < w->pairs; i++)
    if (can_be_passed(&w->pair[i]) && !far_apart(w, &w->pair[i], t1 - t0, y0, y1) &&
        pair_passes(w, &w->pair[i], t0, y0, t1, y1, &at)) {
      found = 1;
      first = fmin(first, at);
    }
  if (found) *part = first;
  return found;
}
