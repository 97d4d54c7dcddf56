/* act.c - what acts along or about an axis of a joint: a spring, a damper, stops, a motor */
#include "axis.h"
#include <stdio.h>

typedef struct { epi_axis axis; epi_joint joint; } acting;

/* how hard a stop resists that is passed by depth, closing with speed: as contacts do, or with a damper beside the spring */
static double stop(const epi_axis *l, double depth, double speed, epi_action *out)
{
  if (!(l->stop > 0) || !(depth > 0)) return 0;
  double p = l->power > 0 ? l->power : 1, spring = l->stop*pow(depth, p), push = spring*(1 + l->chi*speed) + l->drag*speed;
  out->energy += spring*depth/(p + 1);
  if (!(push > 0)) { out->loss -= spring*speed; return 0; }
  out->stiffness += p*spring/depth*fmax(0, 1 + l->chi*speed);
  out->damping += l->chi*spring + l->drag;
  out->loss += (push - spring)*speed;
  return push;
}

static int act_at(const void *data, const epi_instant *now, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const acting *d = data;
  const epi_axis *l = &d->axis;
  epi_axis_place x;
  double G[12], arm[3], motor = 0;
  int bad = epi_axis_turned(&d->joint, l->axis, a, b, out->turned, &x);
  if (bad) return bad;
  epi_axis_row(&d->joint, &x, a, b, G);
  double rate = epi_axis_rate(G, a, b), far = x.x - l->rest;
  if (l->law && now && (bad = l->law(l->data, now, x.x, rate, &motor))) return epi_drive_said(bad, 0);
  out->stiffness = l->stiffness;
  out->damping = l->damping;
  out->energy = 0.5*l->stiffness*far*far;
  out->loss = l->damping*rate*rate;
  out->load = l->stiffness*far + l->damping*rate - motor;
  out->load += stop(l, x.x - l->upper, rate, out) - stop(l, l->lower - x.x, -rate, out);
  out->depth = x.x;
  out->about = x.about;
  memcpy(out->normal, x.n, sizeof x.n);
  epi_out_of(a->R, d->joint.at_a, arm);
  for (int i = 0; i < 3; i++) {
    out->point[i] = a->r[i] + arm[i];
    if (x.about) { out->moment[0][i] = -out->load*x.n[i]; out->moment[1][i] = out->load*x.n[i]; }
    else out->force[i] = -out->load*x.n[i];
  }
  if (x.about) return 0;
  epi_vector_cross(arm, out->force, out->moment[0]);
  for (int i = 0; i < 3; i++) arm[i] = out->point[i] - b->r[i];
  epi_vector_cross(out->force, arm, out->moment[1]);
  return 0;
}

static int act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  (void)t;
  return act_at(data, NULL, a, b, out);
}

static int wrong(epi_world *w, const epi_axis *l, const char *name, int joint)
{
  char words[200];
  const double all[] = {l->stiffness, l->damping, l->stop, l->power, l->chi, l->drag};
  if (joint < 0) return epi_world_wrong(w, "%s acts on joint %d, and there is none of that number: give what epi_add_joint returned", name,
                                        l->joint);
  if (epi_axis_wrong(&w->joint[joint], l->axis, words, sizeof words))
    return epi_world_wrong(w, "the joint %s %s", w->joint[joint].name, words);
  for (size_t i = 0; i < sizeof all/sizeof *all; i++)
    if (!(all[i] >= 0 && all[i] < HUGE_VAL))
      return epi_world_wrong(w, "%s has a stiffness, damping or stop of %g: give finite numbers from 0 on", name, all[i]);
  if (!isfinite(l->rest)) return epi_world_wrong(w, "%s rests at %g: give a finite number", name, l->rest);
  if (l->axis == EPI_SWING && (l->rest != 0 || (l->stop > 0 && l->lower > -HUGE_VAL)))
    return epi_world_wrong(w, "%s has a rest or a lower limit of a swing, which is in no direction: give an upper limit alone", name);
  if (l->stop > 0 && !(l->lower <= l->upper))
    return epi_world_wrong(w, "%s has the lower limit %g above the upper one, %g: exchange them", name, l->lower, l->upper);
  if (l->stop > 0 && l->lower == -HUGE_VAL && l->upper == HUGE_VAL)
    return epi_world_wrong(w, "%s has stops without limits: give .lower or .upper", name);
  if ((l->chi > 0 || l->drag > 0) && !(l->stop > 0))
    return epi_world_wrong(w, "%s has stops that are damped and not stiff: give .stop", name);
  return 0;
}

int epi_add_axis(epi_world *w, const epi_axis *l)
{
  if (epi_world_closed(w)) return -1;
  int which = epi_joint_numbered(w, l->joint);
  char number[EPI_NAME];
  snprintf(number, sizeof number, "axis%d", w->pairs + 1);
  const char *name = l->name ? l->name : number;
  if (wrong(w, l, name, which)) return -1;
  const epi_world_joint *j = &w->joint[which];
  int turned = epi_world_turned(w, which, l->axis), moving = l->damping > 0 || l->chi > 0 || l->drag > 0 || (l->law && l->of_velocity);
  acting d = {.axis = *l, .joint = j->data};
  if (!(l->stop > 0)) { d.axis.lower = -HUGE_VAL; d.axis.upper = HUGE_VAL; }
  if (turned < 0) return -1;
  epi_pair p = {.a = j->a, .b = j->b, .kind = moving ? 0 : EPI_CONSERVATIVE, .act = act, .at_instant = act_at, .turned = turned,
                .on_joint = 1 + which, .stiff = l->stiff, .driven = l->law ? &w->phase : NULL};
  int made = epi_world_pair(w, p, name, &d, sizeof d, NULL, 0);
  if (made >= 0) w->pair[w->pairs - 1].axis = w->pair[w->pairs - 1].data;
  return made;
}
