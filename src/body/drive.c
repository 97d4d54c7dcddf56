/* drive.c - what is moved or acts by a function of time and of the fast phase of a world: points of joints and springs, the ground, laws of
 * loads */
#include "parts.h"
#include <stdio.h>

int epi_drives_count(const epi_drive *d)
{
  int n = 0;
  while (n < EPI_DRIVES && (d[n].along[0] != 0 || d[n].along[1] != 0 || d[n].along[2] != 0)) n++;
  return n;
}

int epi_drive_wrong(const epi_drive *d, char *words, size_t size)
{
  double sum = epi_dot(d->along, d->along);
  if (!isfinite(sum) || fabs(sum - 1) > 1e-6) snprintf(words, size, "is driven along no unit vector: give .along of the length 1");
  else if (!d->at && !(isfinite(d->amplitude) && isfinite(d->phase) && d->times >= 0))
    snprintf(words, size, "is driven by %d times the phase with the amplitude %g: give finite numbers", d->times, d->amplitude);
  else return 0;
  return 1;
}

epi_instant epi_instant_of(const epi_uniform_phase *p, double t) { return (epi_instant){t, p->theta0 + p->rate*t, p->rate}; }

/* which of the list, and its number; the last is the turn of a joint */
int epi_drive_said(int bad, int which)
{
  if (bad <= 0) return bad;
  return EPI_DRIVE_SAID + which*(EPI_DRIVE_CODES + 1) + (bad < EPI_DRIVE_CODES ? bad : EPI_DRIVE_CODES);
}

int epi_drive_at(const epi_drive *d, const epi_instant *now, double x[3])
{
  if (d->at) return epi_drive_said(d->at(d->data, now, x), EPI_DRIVES);
  int k = d->times ? d->times : 1;
  double w = k*now->phase_rate, angle = k*now->theta + d->phase;
  x[0] = d->amplitude*sin(angle);
  x[1] = d->amplitude*w*cos(angle);
  x[2] = -w*w*x[0];
  return 0;
}

int epi_drives_at(const epi_drive *d, int n, const epi_instant *now, double at[3], double rate[3], double accel[3])
{
  for (int i = 0; i < 3; i++) at[i] = rate[i] = accel[i] = 0;
  for (int k = 0; k < n; k++) {
    double x[3];
    int bad = epi_drive_at(&d[k], now, x);
    if (bad) return bad < 0 ? bad : bad - (EPI_DRIVES - k)*(EPI_DRIVE_CODES + 1);
    for (int i = 0; i < 3; i++) { at[i] += d[k].along[i]*x[0]; rate[i] += d[k].along[i]*x[1]; accel[i] += d[k].along[i]*x[2]; }
  }
  return 0;
}

/* ---- what acts ---- */
/* its end on b is elsewhere, and b seems to move as the end does */
static int spring_act(const epi_pair *c, const epi_instant *now, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  epi_spring s = *(const epi_spring *)c->data;
  epi_pose moving = *b;
  double at[3], rate[3], accel[3], v[3];
  int bad = epi_drives_at(s.motion, epi_drives_count(s.motion), now, at, rate, accel);
  if (bad) return bad;
  epi_out_of(b->R, rate, v);
  for (int i = 0; i < 3; i++) { s.at_b[i] += at[i]; moving.v[i] += v[i]; }
  return c->act(&s, now->t, a, &moving, out);
}

static int law_act(const epi_applied_force *l, const epi_instant *now, const epi_pose *a, epi_action *out)
{
  double arm[3], torque[3] = {0};
  int bad = l->law(l->data, now, a, out->force, torque);
  if (bad) return epi_drive_said(bad, 0);
  epi_out_of(a->R, l->at, arm);
  epi_vector_cross(arm, out->force, out->moment[0]);
  for (int i = 0; i < 3; i++) out->moment[0][i] += torque[i];
  return 0;
}

int epi_driven_act(const epi_pair *c, const epi_instant *now, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  if (c->at_instant) return c->at_instant(c->data, now, a, b, out);
  return c->load->between ? spring_act(c, now, a, b, out) : law_act(c->data, now, a, out);
}

/* ---- the world ---- */
int epi_add_phase(epi_world *w, double rate, double theta0)
{
  if (epi_world_closed(w)) return -1;
  if (!isfinite(rate) || rate == 0 || !isfinite(theta0))
    return epi_world_wrong(w, "the phase of the world turns with %g rad/s from %g: give finite numbers, and a rate that is not zero", rate,
                           theta0);
  w->phase = (epi_uniform_phase){rate, theta0};
  return 0;
}

int epi_add_shaking(epi_world *w, const epi_drive *d)
{
  char words[160];
  if (epi_world_closed(w)) return -1;
  if (epi_drive_wrong(d, words, sizeof words)) return epi_world_wrong(w, "the ground %s", words);
  if (w->shaken == EPI_DRIVES) return epi_world_wrong(w, "the ground is shaken in more than %d ways: add them up in one", EPI_DRIVES);
  w->shaking[w->shaken++] = *d;
  return 0;
}

int epi_gravity_at(const epi_world *w, const epi_instant *now, double g[3])
{
  double at[3], rate[3], accel[3];
  memcpy(g, w->gravity, sizeof w->gravity);
  if (!w->shaken) return 0;
  int bad = epi_drives_at(w->shaking, w->shaken, now, at, rate, accel);
  for (int i = 0; i < 3; i++) g[i] -= accel[i];
  return bad;
}
