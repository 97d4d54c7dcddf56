/* end-in-slot.c - the ends of a, along its z axis, between two planes of b: a roller and the stops of its pocket */
#include "body/shape.h"

static int check(const epi_contact *c, char *words, size_t size)
{
  if (!c->own || !(c->own[0] > 0)) snprintf(words, size, "has the length %g: give a positive one in m", c->own ? c->own[0] : 0);
  else if (!(epi_dot(c->normal, c->normal) > 0)) snprintf(words, size, "needs a direction: give .normal, from stop to stop");
  else return 0;
  return 1;
}

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double axis[3], A[3], at[3], half = 0.5*k->own[0], s = 0;
  (void)t;
  epi_out_of(b->R, k->normal, A);
  epi_out_of(b->R, k->at, at);
  for (int i = 0; i < 3; i++) {
    axis[i] = a->R[3*i + 2];
    s += (a->r[i] - b->r[i] - at[i])*A[i];
  }
  double slant = epi_dot(axis, A), sign = s < 0 ? -1 : 1, end = slant < 0 ? -sign*half : sign*half;
  c->depth = fabs(s) + half*fabs(slant) - (half + k->clearance);
  for (int i = 0; i < 3; i++) {
    c->normal[i] = sign*A[i];
    c->lever[0][i] = end*axis[i];
    c->lever[1][i] = a->r[i] - b->r[i] + c->lever[0][i];
  }
  return 0;
}

static const epi_param params[] = {
  {.name = "length", .unit = "m", .doc = "of a, from end to end"},
  {.name = "clearance", .unit = "m", .doc = "at either end, where a stands in the middle"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "the middle between the stops, in b"},
  {.name = "normal", .unit = "", .kind = EPI_LIST, .doc = "from stop to stop, in b"},
  {0}
};
const epi_contact_kind epi_CONTACT_END_IN_SLOT = {
  .name = "end-in-slot", .doc = "the ends of a roller and the stops of its pocket", .params = params, .traits = EPI_B_HOLLOW,
  .check = check, .touch = touch,
};
