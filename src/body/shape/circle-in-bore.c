/* circle-in-bore.c - a circle of a inside a hollow cylinder of b about its z: they touch where the centres are apart */
#include "body/shape.h"

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  (void)t;
  epi_circle_touch(k, a, b, 1, c);
  return 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the circle"},
  {.name = "clearance", .unit = "m", .doc = "between the circle and the bore, where their centres meet"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "centre of the circle, in a"},
  {0}
};
const epi_contact_kind epi_CONTACT_CIRCLE_IN_BORE = {
  .name = "circle-in-bore", .doc = "a land: a circle inside a bore", .params = params, .traits = EPI_B_HOLLOW, .touch = touch,
};
