/* sphere-groove.c - the sphere a in a groove about the z axis of b: u from the circle of groove centres to the ball, in the meridian plane.
 * race.c has the same for many at once */
#include "body/shape.h"

static int check(const epi_contact *c, char *words, size_t size)
{
  if (!(c->circle > 0)) snprintf(words, size, "has a circle of groove centres of the radius %g: give .circle in m", c->circle);
  else if (!(c->other > c->radius))
    snprintf(words, size, "has a groove of the radius %g and a ball of %g: the groove must be the larger", c->other, c->radius);
  else return 0;
  return 1;
}

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double d[3], x[3], n[3];
  (void)t;
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, x);
  double rho = sqrt(x[0]*x[0] + x[1]*x[1]), u = rho - k->circle, s = sqrt(u*u + x[2]*x[2]), er[2] = {x[0]/rho, x[1]/rho};
  c->depth = s + k->radius - k->other;
  n[0] = u/s*er[0], n[1] = u/s*er[1], n[2] = x[2]/s;
  epi_out_of(b->R, n, c->normal);
  epi_out_of(b->R, (const double[3]){-er[1], er[0], 0}, c->along);
  epi_vector_cross(c->normal, c->along, c->across);
  for (int i = 0; i < k->law.waves; i++)
    c->depth += k->law.wave[3*i]*cos(k->law.wave[3*i+1]*atan2(x[1], x[0]) + k->law.wave[3*i+2]);
  epi_sphere_levers(a, b, k->radius, c);
  return 0;
}

/* the ball rolls round the axis, inside or outside of the circle */
static void curved(const epi_contact *c, const epi_pose *a, const epi_pose *b, double *along, double *across)
{
  double d[3], x[3];
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, x);
  *along = hypot(x[0], x[1]) < c->circle ? 1/(c->circle - c->other) : -1/(c->circle + c->other);
  *across = -1/c->other;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the sphere"},
  {.name = "other", .unit = "m", .doc = "of the profile of the groove"},
  {.name = "circle", .unit = "m", .doc = "of the circle of groove centres about the z axis of b"},
  {0}
};
const epi_contact_kind epi_CONTACT_SPHERE_GROOVE = {
  .name = "sphere-groove", .doc = "a ball in the groove of a ring", .params = params, .traits = EPI_SLICED | EPI_A_BALL | EPI_B_HOLLOW,
  .check = check, .touch = touch, .curved = curved,
};
