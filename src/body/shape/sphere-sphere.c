/* sphere-sphere.c - the sphere a on a sphere of b */
#include "body/shape.h"

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double x[3], d[3];
  (void)t;
  epi_out_of(b->R, k->at, x);
  for (int i = 0; i < 3; i++) d[i] = b->r[i] + x[i] - a->r[i];
  double far = sqrt(epi_dot(d, d));
  c->depth = k->radius + k->other - far;
  for (int i = 0; i < 3; i++) c->normal[i] = far > 0 ? d[i]/far : i == 2;
  epi_sphere_levers(a, b, k->radius, c);
  return 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the sphere of a"},
  {.name = "other", .unit = "m", .doc = "of the sphere of b"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "centre of the sphere of b, in b"},
  {0}
};
const epi_contact_kind epi_CONTACT_SPHERE_SPHERE = {
  .name = "sphere-sphere", .doc = "two spheres", .params = params, .traits = EPI_A_BALL | EPI_B_BALL, .touch = touch,
};
