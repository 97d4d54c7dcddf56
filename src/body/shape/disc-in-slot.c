/* disc-in-slot.c - a disc about the z axis of a between two planes of b: the side of a roller in its pocket */
#include "body/shape.h"

static int check(const epi_contact *c, char *words, size_t size)
{
  if (epi_dot(c->normal, c->normal) > 0) return 0;
  snprintf(words, size, "needs a direction: give .normal, across the slot");
  return 1;
}

/* s: the middle of the disc from the middle of the slot. The rim reaches furthest along e, what the axis leaves of the normal */
static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double axis[3], T[3], at[3], e[3], x = k->own ? k->own[0] : 0, s = 0;
  (void)t;
  epi_out_of(b->R, k->normal, T);
  epi_out_of(b->R, k->at, at);
  for (int i = 0; i < 3; i++) {
    axis[i] = a->R[3*i + 2];
    s += (a->r[i] - b->r[i] - at[i] + x*axis[i])*T[i];
  }
  double sign = s < 0 ? -1 : 1, slant = epi_dot(T, axis);
  for (int i = 0; i < 3; i++) e[i] = T[i] - slant*axis[i];
  double size = sqrt(epi_dot(e, e));
  c->depth = fabs(s) + k->radius*size - (k->radius + k->clearance);
  for (int i = 0; i < 3; i++) {
    c->normal[i] = sign*T[i];
    c->lever[0][i] = x*axis[i] + (size > 0 ? sign*k->radius*e[i]/size : 0);
    c->lever[1][i] = a->r[i] - b->r[i] + c->lever[0][i];
  }
  return 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the disc"},
  {.name = "place", .unit = "m", .doc = "of the disc on the z axis of a"},
  {.name = "clearance", .unit = "m", .doc = "on either side, where the disc stands in the middle"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "a point of the middle of the slot, in b"},
  {.name = "normal", .unit = "", .kind = EPI_LIST, .doc = "across the slot, in b"},
  {0}
};
const epi_contact_kind epi_CONTACT_DISC_IN_SLOT = {
  .name = "disc-in-slot", .doc = "the side of a roller in its pocket", .params = params, .traits = EPI_B_HOLLOW, .check = check,
  .touch = touch,
};
