/* sphere-plane.c - the sphere a on a plane of b */
#include "body/shape.h"

static int check(const epi_contact *c, char *words, size_t size)
{
  if (epi_dot(c->normal, c->normal) > 0) return 0;
  snprintf(words, size, "needs a direction: give .normal, out of the plane");
  return 1;
}

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double up[3], foot[3], d[3];
  (void)t;
  epi_out_of(b->R, k->normal, up);
  epi_out_of(b->R, k->at, foot);
  for (int i = 0; i < 3; i++) { d[i] = a->r[i] - b->r[i] - foot[i]; c->normal[i] = -up[i]; }
  c->depth = k->radius - epi_dot(d, up);
  epi_sphere_levers(a, b, k->radius, c);
  return 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the sphere"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "a point of the plane, in b"},
  {.name = "normal", .unit = "", .kind = EPI_LIST, .doc = "out of the plane, in b"},
  {0}
};
const epi_contact_kind epi_CONTACT_SPHERE_PLANE = {
  .name = "sphere-plane", .doc = "a sphere on a plane", .params = params, .traits = EPI_A_BALL | EPI_B_PLANE, .check = check,
  .touch = touch,
};
