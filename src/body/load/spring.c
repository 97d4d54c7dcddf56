/* spring.c - a spring with a damper between two points, along their line */
#include "body/rotation.h"
#include <stdio.h>

static int check(const void *data, char *words, size_t size)
{
  const epi_spring *s = data;
  if (s->stiffness >= 0 && s->damping >= 0 && s->length >= 0) return 0;
  snprintf(words, size, "has a negative length, stiffness or damping: give numbers from 0 on");
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
  double length = sqrt(epi_dot(d, d));
  if (length == 0) return s->length == 0 ? 0 : EPI_TOO_FAR;
  for (int i = 0; i < 3; i++) u[i] = d[i]/length;
  epi_vector_cross(a->w, la, x);
  for (int i = 0; i < 3; i++) speed += u[i]*(a->v[i] + x[i] - b->v[i]);
  epi_vector_cross(b->w, lb, x);
  speed -= epi_dot(u, x);
  double pull = -s->stiffness*(length - s->length) - s->damping*speed;
  for (int i = 0; i < 3; i++) out->force[i] = pull*u[i];
  epi_vector_cross(la, out->force, out->moment[0]);
  epi_vector_cross(lb, out->force, out->moment[1]);
  for (int i = 0; i < 3; i++) {
    out->moment[1][i] = -out->moment[1][i];
    out->normal[i] = u[i];
    out->point[i] = a->r[i] + la[i];
  }
  out->load = -pull;
  out->stiffness = s->stiffness;
  out->damping = s->damping;
  out->energy = 0.5*s->stiffness*(length - s->length)*(length - s->length);
  out->loss = s->damping*speed*speed;
  return 0;
}

/* one without a length of its own is as thick as a pin of its bodies would be: no size */
static int draw(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_shape *out)
{
  const epi_spring *s = data;
  (void)t;
  out[0] = (epi_shape){.name = "", .kind = EPI_COIL, .appearance = EPI_STEEL, .size = {s->length > 0 ? 0.06*s->length : 0, 10}};
  epi_out_of(b->R, s->at_b, out[0].at);
  epi_out_of(a->R, s->at_a, out[0].to);
  for (int i = 0; i < 3; i++) { out[0].at[i] += b->r[i]; out[0].to[i] += a->r[i]; }
  return 1;
}

static const epi_param params[] = {
  {.name = "at_a", .unit = "m", .kind = EPI_LIST, .doc = "its end on a, in a"},
  {.name = "at_b", .unit = "m", .kind = EPI_LIST, .doc = "its end on b, in b"},
  {.name = "length", .unit = "m", .doc = "at rest"},
  {.name = "stiffness", .unit = "N/m", .doc = "of the spring"},
  {.name = "damping", .unit = "N s/m", .doc = "of the damper beside it"},
  {0}
};
const epi_load_kind epi_LOAD_SPRING = {
  .name = "spring", .doc = "a spring and a damper between two points", .params = params, .between = 1, .check = check, .traits = traits,
  .act = act, .draw = draw,
};
