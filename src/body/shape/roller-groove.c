/* roller-groove.c - the barrel a, about its z axis, in a groove about the z axis of b, or in a hollow sphere, which is a groove whose
 * circle of centres is a point. It is cut into slices, discs across its axis; each presses by its own depth, as Palmgren has it for lines,
 * with damping and friction of its own. Tilt and skew of the roller are felt by what the slices do together. roller.c has the same by
 * vectors */
#include "body/roller.h"
#include "body/shape.h"

/* of Palmgren's law: load by depth and length to the 8/9 */
static const double power = 10./9;

static int check(const epi_contact *c, char *words, size_t size)
{
  double profile = c->own ? c->own[EPI_ROLLER_PROFILE] : 0, length = c->own ? c->own[EPI_ROLLER_LENGTH] : 0;
  if (!(profile > 0) || !(length > 0)) snprintf(words, size, "needs a profile and a length of its roller: give both in m");
  else if (c->radius > 0 && !(length < 2*profile && profile - sqrt(profile*profile - length*length/4) < c->radius))
    snprintf(words, size, "has a roller of the length %g that its profile of the radius %g closes before its ends: give a larger profile",
             length, profile);
  else if (!(c->circle >= 0) || !(c->other > 0)) snprintf(words, size, "has a groove of the radius %g on a circle of %g: give .other above "
                                                          "zero, and .circle, zero for a hollow sphere", c->other, c->circle);
  else if (!(profile < c->other)) snprintf(words, size, "has a roller profile of %g in a groove of %g: the groove must be the larger",
                                           profile, c->other);
  else return 0;
  return 1;
}

epi_roller_place epi_roller_placed(const epi_contact *c, const epi_pose *a, const epi_pose *b)
{
  epi_roller_place p;
  double at[3];
  epi_out_of(b->R, c->at, at);
  for (int i = 0; i < 3; i++) {
    p.from[i] = a->r[i] - b->r[i] - at[i];
    p.axis[i] = a->R[3*i + 2];
    p.up[i] = b->R[3*i + 2];
  }
  return p;
}

/* u: from the nearest groove centre to the middle of the disc; its rim reaches furthest along e */
epi_slice epi_slice_at(const epi_contact *c, const epi_roller_place *p, double x)
{
  epi_slice s;
  double u[3], e[3], U[3], rho = epi_barrel(c, x);
  for (int i = 0; i < 3; i++) u[i] = p->from[i] + x*p->axis[i];
  if (c->circle > 0) {
    double h = epi_dot(u, p->up), w[3];
    for (int i = 0; i < 3; i++) w[i] = u[i] - h*p->up[i];
    double k = c->circle/sqrt(epi_dot(w, w));
    for (int i = 0; i < 3; i++) u[i] -= k*w[i];
  }
  double along = epi_dot(u, p->axis);
  for (int i = 0; i < 3; i++) e[i] = u[i] - along*p->axis[i];
  double size = sqrt(epi_dot(e, e));
  for (int i = 0; i < 3; i++) { e[i] /= size; U[i] = u[i] + rho*e[i]; }
  size = sqrt(epi_dot(U, U));
  s.depth = size - c->other;
  for (int i = 0; i < 3; i++) {
    s.normal[i] = U[i]/size;
    s.lever[i] = x*p->axis[i] + rho*e[i] - 0.5*s.depth*s.normal[i];
  }
  return s;
}

/* the deepest slice stands for all */
static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  epi_roller_place p = epi_roller_placed(k, a, b);
  epi_slice best = epi_slice_at(k, &p, epi_slice_middle(k, 0));
  (void)t;
  for (int i = 1; i < k->law.slices; i++) {
    epi_slice s = epi_slice_at(k, &p, epi_slice_middle(k, i));
    if (!(s.depth <= best.depth)) best = s;
  }
  c->depth = best.depth;
  for (int i = 0; i < 3; i++) {
    c->normal[i] = best.normal[i];
    c->lever[0][i] = best.lever[i];
    c->lever[1][i] = a->r[i] - b->r[i] + best.lever[i];
  }
  return 0;
}

/* what a slice does to the roller; V is the velocity of its point against the ring. Sums into out, and where the load lies */
static void press(const epi_law *l, const epi_slice *s, const double *V, epi_action *out, double *normal, double *point)
{
  double base = l->K/l->slices*s->depth*epi_ninth_root(s->depth), speed = epi_dot(V, s->normal), x = fmax(0, 1 + l->chi*speed), f[3], M[3],
    slip[3], q = base*x;
  for (int i = 0; i < 3; i++) slip[i] = V[i] - speed*s->normal[i];
  double v2 = epi_dot(slip, slip), g = l->mu > 0 ? l->mu*q/sqrt(v2 + l->vs*l->vs) : 0;
  for (int i = 0; i < 3; i++) {
    f[i] = -q*s->normal[i] - g*slip[i];
    out->force[i] += f[i];
    normal[i] += q*s->normal[i];
    point[i] += q*s->lever[i];
  }
  epi_vector_cross(s->lever, f, M);
  for (int i = 0; i < 3; i++) out->moment[0][i] += M[i];
  out->load += q;
  out->stiffness += power*q/s->depth;
  out->damping += x > 0 ? l->chi*base : 0;
  out->traction += g;
  out->energy += base*s->depth/(power + 1);
  out->loss += (q - base)*speed + g*v2;
}

/* the deepest slice, and the middle of the load where there is one */
static void place_of(const epi_pose *a, const epi_slice *best, const double *normal, const double *point, epi_action *out)
{
  double size = sqrt(epi_dot(normal, normal));
  out->depth = best->depth;
  for (int i = 0; i < 3; i++) {
    out->normal[i] = size > 0 ? normal[i]/size : best->normal[i];
    out->point[i] = a->r[i] + (size > 0 ? point[i]/out->load : best->lever[i]);
  }
}

/* V = v + w x p of the roller, seen from the ring; the ring has the opposite, about its own centre */
static int act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_contact *k = data;
  epi_roller_place p = epi_roller_placed(k, a, b);
  epi_slice best = {.depth = -HUGE_VAL};
  double d[3], V0[3], dw[3], x[3], normal[3] = {0}, point[3] = {0};
  (void)t;
  for (int i = 0; i < 3; i++) { d[i] = a->r[i] - b->r[i]; dw[i] = a->w[i] - b->w[i]; }
  epi_vector_cross(b->w, d, x);
  for (int i = 0; i < 3; i++) V0[i] = a->v[i] - b->v[i] - x[i];
  for (int j = 0; j < k->law.slices; j++) {
    epi_slice s = epi_slice_at(k, &p, epi_slice_middle(k, j));
    /* half through the roller is no contact any more: the step was too long */
    if (!(s.depth <= 0.5*k->radius)) return EPI_TOO_FAR;
    if (s.depth > best.depth) best = s;
    if (!(s.depth > 0)) continue;
    double V[3];
    epi_vector_cross(dw, s.lever, x);
    for (int i = 0; i < 3; i++) V[i] = V0[i] + x[i];
    press(&k->law, &s, V, out, normal, point);
  }
  epi_vector_cross(d, out->force, x);
  for (int i = 0; i < 3; i++) out->moment[1][i] = -out->moment[0][i] - x[i];
  place_of(a, &best, normal, point, out);
  return 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the roller in its middle"},
  {.name = "profile", .unit = "m", .doc = "radius of the roller's profile, along its axis"},
  {.name = "length", .unit = "m", .doc = "of the roller, as far as it carries"},
  {.name = "other", .unit = "m", .doc = "of the profile of the groove, or of the hollow sphere"},
  {.name = "circle", .unit = "m", .doc = "of the circle of groove centres about the z axis of b; 0: a hollow sphere"},
  {.name = "at", .unit = "m", .kind = EPI_LIST, .doc = "middle of that circle, in b"},
  {0}
};
const epi_contact_kind epi_CONTACT_ROLLER_GROOVE = {
  .name = "roller-groove", .doc = "a barrel roller in the groove of a ring, or in a hollow sphere", .params = params,
  .traits = EPI_SLICED | EPI_B_HOLLOW, .check = check, .touch = touch, .act = act, .power = 10./9,
};
