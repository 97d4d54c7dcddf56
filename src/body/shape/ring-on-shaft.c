/* ring-on-shaft.c - a bore of a around a cylinder of b about its z: they touch on the side that a has moved away from */
#include "body/shape.h"

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  (void)t;
  epi_circle_touch(k, a, b, -1, c);
  return 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the bore"},
  {.name = "clearance", .unit = "m", .doc = "between bore and shaft, where their centres meet"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "centre of the bore, in a"},
  {0}
};
const epi_contact_kind epi_CONTACT_RING_ON_SHAFT = {
  .name = "ring-on-shaft", .doc = "a land inside a ring: a bore around a shaft", .params = params, .touch = touch,
};
