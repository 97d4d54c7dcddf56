/* cable.c - a cable between two points: it pulls where it is taut, and never pushes */
#include "body/rotation.h"
#include <stdio.h>

static int check(const void *data, char *words, size_t size)
{
  const epi_spring *s = data;
  if (s->stiffness > 0 && s->damping >= 0 && s->length > 0) return 0;
  snprintf(words, size, "has the length %g and the stiffness %g: give both above zero, and a damping from 0 on", s->length, s->stiffness);
  return 1;
}

static unsigned traits(const void *data) { return ((const epi_spring *)data)->damping == 0 ? EPI_CONSERVATIVE : 0; }

static int act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_spring *s = data;
  double la[3], lb[3], d[3], u[3], x[3], speed = 0;
  (void)t;
  epi_out_of(a->R, s->at_a, la);
  epi_out_of(b->R, s->at_b, lb);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] + la[i] - b->r[i] - lb[i];
  double length = sqrt(epi_dot(d, d)), longer = length - s->length;
  for (int i = 0; i < 3; i++) { u[i] = length > 0 ? d[i]/length : 0; out->normal[i] = u[i]; out->point[i] = a->r[i] + la[i]; }
  out->depth = longer;
  if (!(longer > 0)) return 0;
  epi_vector_cross(a->w, la, x);
  for (int i = 0; i < 3; i++) speed += u[i]*(a->v[i] + x[i] - b->v[i]);
  epi_vector_cross(b->w, lb, x);
  speed -= epi_dot(u, x);
  double pull = s->stiffness*longer + s->damping*speed;
  out->energy = 0.5*s->stiffness*longer*longer;
  /* what comes back faster than the cable does finds it slack */
  if (!(pull > 0)) { out->loss = -s->stiffness*longer*speed; return 0; }
  for (int i = 0; i < 3; i++) out->force[i] = -pull*u[i];
  epi_vector_cross(la, out->force, out->moment[0]);
  epi_vector_cross(out->force, lb, out->moment[1]);
  out->load = pull;
  out->stiffness = s->stiffness;
  out->damping = s->damping;
  out->loss = s->damping*speed*speed;
  return 0;
}

static int draw(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_shape *out)
{
  const epi_spring *s = data;
  (void)t;
  out[0] = (epi_shape){.name = "", .kind = EPI_BAR, .appearance = EPI_DARK, .size = {0.01*s->length}};
  epi_out_of(b->R, s->at_b, out[0].at);
  epi_out_of(a->R, s->at_a, out[0].to);
  for (int i = 0; i < 3; i++) { out[0].at[i] += b->r[i]; out[0].to[i] += a->r[i]; }
  return 1;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "its end on a, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "its end on b, in b"},
  {.name = "length", .unit = "m", .doc = "at which it is just taut"},
  {.name = "stiffness", .unit = "N/m", .doc = "beyond that"},
  {.name = "damping", .unit = "N s/m", .doc = "where it is taut"},
  {0}
};
const epi_load_kind epi_LOAD_CABLE = {
  .name = "cable", .doc = "pulls two points where they are farther apart than its length; slack otherwise", .params = params, .between = 1,
  .check = check, .traits = traits, .act = act, .draw = draw,
};
