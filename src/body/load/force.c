/* force.c - a force and a torque on a body, constant or a function of time */
#include "body/rotation.h"

static int act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_applied_force *l = data;
  double x = l->of ? l->of(l->data, t) : 1, arm[3];
  (void)b;
  epi_out_of(a->R, l->at, arm);
  for (int i = 0; i < 3; i++) out->force[i] = x*l->force[i];
  epi_vector_cross(arm, out->force, out->moment[0]);
  for (int i = 0; i < 3; i++) out->moment[0][i] += x*l->torque[i];
  /* of a constant force alone there is a potential */
  out->energy = -epi_dot(out->force, a->r) - epi_dot(out->force, arm);
  return 0;
}

static unsigned traits(const void *data)
{
  const epi_applied_force *l = data;
  /* of positions, time and phase: it has no potential, but it needs no velocity either */
  if (l->law) return l->of_velocity ? 0 : EPI_CONSERVATIVE;
  return l->of || l->torque[0] != 0 || l->torque[1] != 0 || l->torque[2] != 0 ? 0 : EPI_CONSERVATIVE;
}

/* an arrow for each that is not zero */
static int draw(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_shape *out)
{
  const epi_applied_force *l = data;
  (void)b;
  /* what a law gives is not known before it acts, and pictures have always as many arrows */
  if (l->law) return 0;
  double x = l->of ? l->of(l->data, t) : 1;
  int n = 0;
  if (epi_dot(l->force, l->force) > 0) {
    out[n] = (epi_shape){.name = "load ", .kind = EPI_ARROW, .appearance = EPI_DARK, .unit = "N"};
    epi_out_of(a->R, l->at, out[n].at);
    for (int i = 0; i < 3; i++) { out[n].at[i] += a->r[i]; out[n].to[i] = x*l->force[i]; }
    n++;
  }
  if (epi_dot(l->torque, l->torque) > 0) {
    out[n] = (epi_shape){.name = "torque ", .kind = EPI_ARROW, .appearance = EPI_DARK, .unit = "N m", .at = {a->r[0], a->r[1], a->r[2]}};
    for (int i = 0; i < 3; i++) out[n].to[i] = x*l->torque[i];
    n++;
  }
  return n;
}

static const epi_param params[] = {
  {.name = "force", .unit = "N", .kind = EPI_LIST, .doc = "in space"},
  {.name = "torque", .unit = "N m", .kind = EPI_LIST, .doc = "in space"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "where the force acts, in the body"},
  {0}
};
const epi_load_kind epi_LOAD_FORCE = {
  .name = "force", .doc = "a force and a torque on a body, constant or with a factor of time", .params = params, .traits = traits,
  .act = act, .draw = draw,
};
