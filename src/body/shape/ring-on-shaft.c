/* ring-on-shaft.c - a bore of a around a cylinder of b about its z: they touch on the side that a has moved away from */
#include "body/shape.h"

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double arm[3], d[3], x[3];
  (void)t;
  epi_out_of(a->R, k->at, arm);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] + arm[i] - b->r[i];
  epi_into(b->R, d, x);
  double e = sqrt(x[0]*x[0] + x[1]*x[1]);
  c->depth = e - k->clearance;
  epi_out_of(b->R, (const double[3]){e > 0 ? x[0]/e : 0, e > 0 ? x[1]/e : 0, 0}, c->normal);
  for (int i = 0; i < 3; i++) {
    c->lever[0][i] = arm[i] - k->radius*c->normal[i];
    c->lever[1][i] = d[i] - k->radius*c->normal[i];
  }
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
