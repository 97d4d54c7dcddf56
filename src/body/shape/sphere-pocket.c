/* sphere-pocket.c - the sphere a in a hollow cylinder of b with its axis along normal: only across the axis the wall stops the ball */
#include "body/shape.h"

static int check(const epi_contact *c, char *words, size_t size)
{
  if (epi_dot(c->normal, c->normal) > 0) return 0;
  snprintf(words, size, "needs a direction: give .normal, along the axis of the pocket");
  return 1;
}

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double d[3], x[3], n[3];
  (void)t;
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, x);
  double along = 0, u = 0;
  for (int i = 0; i < 3; i++) { x[i] -= k->at[i]; along += x[i]*k->normal[i]; }
  for (int i = 0; i < 3; i++) { n[i] = x[i] - along*k->normal[i]; u += n[i]*n[i]; }
  u = sqrt(u);
  c->depth = u - k->clearance;
  for (int i = 0; i < 3; i++) n[i] = u > 0 ? n[i]/u : 0;
  epi_out_of(b->R, n, c->normal);
  epi_sphere_levers(a, b, k->radius, c);
  return 0;
}

static void curved(const epi_contact *c, const epi_pose *a, const epi_pose *b, double *along, double *across)
{
  (void)a, (void)b;
  *along = 0;
  *across = -1/(c->radius + c->clearance);
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the sphere"},
  {.name = "clearance", .unit = "m", .doc = "between the sphere and the wall, where it stands in the middle"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "a point of the axis, in b"},
  {.name = "normal", .unit = "", .kind = EPI_LIST, .doc = "along the axis, in b"},
  {0}
};
const epi_contact_kind epi_CONTACT_SPHERE_POCKET = {
  .name = "sphere-pocket", .doc = "a ball in the pocket of a cage", .params = params, .traits = EPI_A_BALL | EPI_B_HOLLOW, .check = check,
  .touch = touch, .curved = curved,
};
