/* draw.c - what a world looks like: the shapes of its bodies, floors, springs, rods and pins, and an arrow for every contact and load.
 * The list is made once, when the world is closed; a state only says where its shapes are */
#include "world.h"

/* ---- small geometry ---- */
static void times(const double *a, const double *b, double *out)
{
  const double q[4] = {a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3], a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
                       a[0]*b[2] + a[2]*b[0] + a[3]*b[1] - a[1]*b[3], a[0]*b[3] + a[3]*b[0] + a[1]*b[2] - a[2]*b[1]};
  memcpy(out, q, sizeof q);
}

/* a unit, or no rotation where all is zero */
static void unit_of(const double *q, double *out)
{
  double size = sqrt(q[0]*q[0] + epi_dot(q + 1, q + 1));
  for (int i = 0; i < 4; i++) out[i] = size > 0 ? q[i]/size : i == 0;
}

/* brings z to n */
static void upright(const double *n, double *q)
{
  const double turn[4] = {1 + n[2], -n[1], n[0], 0}, over[4] = {0, 1, 0, 0};
  unit_of(n[2] > -1 + 1e-12 ? turn : over, q);
}

static double far_apart(const double *a, const double *b)
{
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(epi_dot(d, d));
}

static const epi_pose *pose_at(const epi_pose *p, int body) { return body < 0 ? &epi_ground : p + body; }

static void point_of(const epi_pose *p, const double *at, double *out)
{
  epi_out_of(p->R, at, out);
  for (int i = 0; i < 3; i++) out[i] += p->r[i];
}

static void attitude_of(const epi_world *w, const epi_state *s, int body, double *q)
{
  if (body < 0) unit_of((const double[4]){0}, q);
  else memcpy(q, s->y + w->body[body].q + 3, 4*sizeof *q);
}

/* ---- where shapes are ---- */
/* with its body. Of an arrow `to` is a vector, else a point */
static void with_body(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_pose *a = pose_at(p, l->on);
  double q[4];
  point_of(a, l->shape.at, out->at);
  if (l->shape.kind == EPI_ARROW) epi_out_of(a->R, l->shape.to, out->to);
  else if (l->shape.kind == EPI_BAR || l->shape.kind == EPI_COIL) point_of(a, l->shape.to, out->to);
  attitude_of(w, s, l->on, q);
  times(q, l->shape.attitude, out->attitude);
}

static void as_spring(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_spring *k = w->pair[l->on].data;
  (void)s;
  point_of(pose_at(p, k->b), k->at_b, out->at);
  point_of(pose_at(p, k->a), k->at_a, out->to);
}

static void as_rod(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_joint *j = &w->bond[l->on].data;
  (void)s;
  point_of(pose_at(p, j->b), j->at_b, out->at);
  point_of(pose_at(p, j->a), j->at_a, out->to);
}

/* along the z axis of the frame of the joint */
static void as_pin(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_joint *j = &w->bond[l->on].data;
  double q[4], frame[4];
  point_of(pose_at(p, j->a), j->at_a, out->at);
  attitude_of(w, s, j->b, q);
  unit_of(j->frame_b, frame);
  times(q, frame, out->attitude);
}

/* the force on body a where it touches; nothing where it is open, passed through, or where its direction is lost */
static void as_contact(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_pair *c = &w->pair[l->on];
  epi_action act = {.load = 0};
  double sum = 0;
  c->act(c->data, s->t, pose_at(p, c->a), pose_at(p, c->b), &act);
  for (int i = 0; i < 3; i++) sum += act.point[i] + act.force[i];
  memcpy(out->at, isfinite(sum) ? act.point : p[c->a].r, sizeof out->at);
  for (int i = 0; i < 3; i++) out->to[i] = isfinite(sum) ? act.force[i] : 0;
}

static void as_load(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_applied_force *k = w->pair[l->on].data;
  double x = k->of ? k->of(k->data, s->t) : 1;
  point_of(&p[k->body], k->at, out->at);
  for (int i = 0; i < 3; i++) out->to[i] = x*k->force[i];
}

static void as_torque(const epi_world *w, const epi_look *l, const epi_state *s, const epi_pose *p, epi_shape *out)
{
  const epi_applied_force *k = w->pair[l->on].data;
  double x = k->of ? k->of(k->data, s->t) : 1;
  memcpy(out->at, p[k->body].r, sizeof out->at);
  for (int i = 0; i < 3; i++) out->to[i] = x*k->torque[i];
}

/* ---- shapes that were given ---- */
static const char *const KINDS[] = {
  [EPI_BALL] = "ball", [EPI_BOX] = "box", [EPI_CYLINDER] = "cylinder", [EPI_CONE] = "cone", [EPI_RING] = "ring", [EPI_RACE] = "race",
  [EPI_CAGE] = "cage", [EPI_BAR] = "bar", [EPI_COIL] = "coil", [EPI_ARROW] = "arrow", [EPI_FLOOR] = "floor"
};
enum { COUNT = sizeof KINDS/sizeof *KINDS };

static int wrong_shape(epi_world *w, int body, const epi_shape *s)
{
  const char *name = s->name ? s->name : "";
  if (body < EPI_GROUND || body >= w->bodies)
    return epi_world_wrong(w, "the shape %s is on body %d, which there is not: give the number that epi_add_body returned, or EPI_GROUND", name, body);
  if (s->kind < 0 || s->kind >= COUNT) return epi_world_wrong(w, "the shape %s is of kind %d, which there is not: take EPI_BALL ... EPI_FLOOR", name, s->kind);
  if (s->appearance < EPI_PLAIN || s->appearance > EPI_BRIGHT)
    return epi_world_wrong(w, "the shape %s has the appearance %d, which there is not: take EPI_PLAIN ... EPI_BRIGHT", name, s->appearance);
  /* a ring may have no hole, an arrow has no size */
  int first = s->kind == EPI_RING ? 1 : 0;
  if (s->kind != EPI_ARROW && !(s->size[first] > 0))
    return epi_world_wrong(w, "the %s %s has the size %g: give lengths in m, above zero", KINDS[s->kind], name, s->size[first]);
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += s->size[i];
  for (int i = 0; i < 3; i++) sum += s->at[i] + s->to[i];
  for (int i = 0; i < 4; i++) sum += s->attitude[i];
  return isfinite(sum) ? 0 : epi_world_wrong(w, "the %s %s has a size or a place that is not finite", KINDS[s->kind], name);
}

int epi_add_shape(epi_world *w, int body, const epi_shape *shape)
{
  if (epi_world_closed(w) || wrong_shape(w, body, shape) || epi_world_grow(w, (void **)&w->given, w->givens, &w->given_room, sizeof *w->given)) return -1;
  epi_look *l = &w->given[w->givens++];
  *l = (epi_look){.shape = *shape, .on = body, .place = with_body};
  unit_of(shape->attitude, l->shape.attitude);
  snprintf(l->name, sizeof l->name, "%s", shape->name ? shape->name : body < 0 ? "ground" : w->body[body].name);
  snprintf(l->unit, sizeof l->unit, "%s", shape->unit ? shape->unit : "");
  return 0;
}

/* ---- what shapes there are ---- */
static void more(epi_world *w, const char *before, const char *name, int on, epi_place *place, epi_shape shape)
{
  epi_look *l = &w->look[w->looks++];
  *l = (epi_look){.shape = shape, .on = on, .place = place};
  unit_of(shape.attitude, l->shape.attitude);
  snprintf(l->name, sizeof l->name, "%s%s", before, name);
  if (shape.unit) snprintf(l->unit, sizeof l->unit, "%s", shape.unit);
}

static const epi_contact *contact_of(const epi_world *w, int i) { return w->pair[i].act == epi_contact_act ? w->pair[i].data : NULL; }

/* how far the world reaches: its bodies at the start from their middle, and the arms of what joins them */
static double reach_of(const epi_world *w)
{
  double mid[3] = {0}, far = 0;
  for (int i = 0; i < w->bodies; i++) for (int k = 0; k < 3; k++) mid[k] += w->start[w->body[i].q + k]/w->bodies;
  for (int i = 0; i < w->bodies; i++) far = fmax(far, far_apart(w->start + w->body[i].q, mid));
  for (int i = 0; i < w->bonds; i++) {
    const epi_joint *j = &w->bond[i].data;
    far = fmax(far, fmax(j->hold == EPI_ROD ? j->length : 0, sqrt(epi_dot(j->at_a, j->at_a))));
  }
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].act == epi_spring_act) far = fmax(far, ((const epi_spring *)w->pair[i].data)->length);
  return far;
}

/* the box that has these moments: Ix = m (b^2 + c^2)/12; thin ones are made thick enough to be seen */
static epi_shape box_of(const epi_member *m, double reach)
{
  epi_shape s = {.kind = EPI_BOX};
  double most = 0, sum = m->inertia[0] + m->inertia[1] + m->inertia[2];
  for (int i = 0; i < 3; i++) {
    s.size[i] = sqrt(fmax(0, 6*(sum - 2*m->inertia[i])/m->mass));
    most = fmax(most, s.size[i]);
  }
  for (int i = 0; i < 3; i++) s.size[i] = fmax(s.size[i], fmax(0.05*most, 0.02*reach));
  return s;
}

/* a body that was given no shape: the sphere that it touches others with, or the box of its moments */
static epi_shape inferred(const epi_world *w, int body, double reach)
{
  int hollow = 0;
  for (int i = 0; i < w->pairs; i++) {
    const epi_contact *c = contact_of(w, i);
    if (!c) continue;
    if (c->a == body && c->shape != EPI_CIRCLE_IN_BORE) return (epi_shape){.kind = EPI_BALL, .appearance = EPI_STEEL, .size = {c->radius}};
    hollow |= c->b == body && c->shape >= EPI_SPHERE_GROOVE;
    if (c->b == body && c->shape == EPI_SPHERE_SPHERE && c->other > 0)
      return (epi_shape){.kind = EPI_BALL, .appearance = EPI_STEEL, .size = {c->other}, .at = {c->at[0], c->at[1], c->at[2]}};
  }
  epi_shape box = box_of(&w->body[body], reach);
  if (hollow) box.appearance = EPI_GLASS;
  return box;
}

/* its own shapes, in the order they were added */
static int own(epi_world *w, int body)
{
  int n = 0;
  for (int i = 0; i < w->givens; i++) if (w->given[i].on == body) { w->look[w->looks++] = w->given[i]; n++; }
  return n;
}

static int same_plane(const epi_contact *a, const epi_contact *b)
{
  return a->shape == EPI_SPHERE_PLANE && b->shape == EPI_SPHERE_PLANE && a->b == b->b &&
         !memcmp(a->at, b->at, sizeof a->at) && !memcmp(a->normal, b->normal, sizeof a->normal);
}

/* as wide as six radii about those that may touch it, and below their middle where it does not move; one for all contacts with it */
static void add_floor(epi_world *w, int i)
{
  const epi_contact *c = contact_of(w, i), *d;
  double mid[3] = {0}, height = 0, wide = 0;
  int n = 0;
  for (int k = 0; k < i; k++) if ((d = contact_of(w, k)) && same_plane(d, c)) return;
  for (int k = i; k < w->pairs; k++)
    if ((d = contact_of(w, k)) && same_plane(d, c)) { n++; for (int x = 0; x < 3; x++) mid[x] += w->start[w->body[d->a].q + x]; }
  for (int x = 0; x < 3; x++) { mid[x] /= n; height += (mid[x] - c->at[x])*c->normal[x]; }
  for (int k = i; k < w->pairs; k++)
    if ((d = contact_of(w, k)) && same_plane(d, c)) wide = fmax(wide, 6*d->radius + (c->b < 0 ? far_apart(w->start + w->body[d->a].q, mid) : 0));
  epi_shape s = {.kind = EPI_FLOOR, .size = {2*wide, 2*wide}};
  for (int x = 0; x < 3; x++) s.at[x] = c->b < 0 ? mid[x] - height*c->normal[x] : c->at[x];
  upright(c->normal, s.attitude);
  more(w, "floor ", w->pair[i].name, c->b, with_body, s);
}

/* of the ground, and of bodies that carry a plane: unless they were given shapes of their own */
static void add_floors(epi_world *w)
{
  for (int i = 0; i < w->pairs; i++) {
    const epi_contact *c = contact_of(w, i);
    int dressed = 0;
    for (int k = 0; c && k < w->givens; k++) dressed |= w->given[k].on == c->b;
    if (!c || dressed) continue;
    if (c->shape == EPI_SPHERE_PLANE) add_floor(w, i);
    else if (c->shape == EPI_SPHERE_SPHERE && c->b < 0)
      more(w, "ground ", w->pair[i].name, EPI_GROUND, with_body,
           (epi_shape){.kind = EPI_BALL, .appearance = EPI_DARK, .size = {c->other}, .at = {c->at[0], c->at[1], c->at[2]}});
  }
}

/* how thick a pin through a shape may be: three tenths of its width, a tenth of its length */
static double pin_of(const epi_shape *s)
{
  const double *x = s->size;
  double longest = fmax(fmax(x[0], x[1]), x[2]), least = fmin(fmin(x[0], x[1]), x[2]);
  switch (s->kind) {
  case EPI_BALL: return 0.2*x[0];
  case EPI_BOX: return fmin(0.3*(x[0] + x[1] + x[2] - longest - least), 0.1*longest);
  case EPI_CYLINDER: case EPI_CONE: return fmin(0.6*x[0], 0.1*fmax(2*x[0], x[1]));
  case EPI_BAR: return 1.2*x[0];
  default: return 0;
  }
}

/* of a body, by its first shape that can be pinned; without limit for the ground. In the middle of a hollow one a pin would float: there is none */
static double pin(const epi_world *w, int body)
{
  for (int i = 0; i < w->looks && body >= 0; i++) {
    const epi_look *l = &w->look[i];
    if (l->place == with_body && l->on == body && l->shape.kind != EPI_FLOOR && l->shape.kind != EPI_ARROW) return pin_of(&l->shape);
  }
  return body < 0 ? HUGE_VAL : 0;
}

/* one without a length of its own is as thick as a pin of its bodies would be */
static void add_spring(epi_world *w, int i, double reach)
{
  const epi_spring *k = w->pair[i].data;
  double size = fmin(pin(w, k->a), pin(w, k->b)), thick = k->length > 0 ? 0.06*k->length : size > 0 ? size : fmax(0.05*reach, 1e-3);
  more(w, "", w->pair[i].name, i, as_spring, (epi_shape){.kind = EPI_COIL, .appearance = EPI_STEEL, .size = {thick, 10}});
}

/* a rod; a ball where a point is held and turns are free, a pin where it turns about one axis; what holds no point is not seen */
static void add_joint(epi_world *w, int i)
{
  const epi_bond *j = &w->bond[i];
  int hold = j->data.hold;
  double size = fmin(pin(w, j->a), pin(w, j->b));
  if (hold == EPI_ROD) {
    more(w, "", j->name, i, as_rod, (epi_shape){.kind = EPI_BAR, .appearance = EPI_STEEL, .size = {0.02*j->data.length}});
    return;
  }
  if (!(hold & EPI_X) || !(hold & EPI_Y) || !(size > 0)) return;
  int ball = (hold & EPI_Z) && !(hold & EPI_TURNS);
  more(w, "joint ", j->name, i, as_pin, (epi_shape){.kind = ball ? EPI_BALL : EPI_CYLINDER, .appearance = EPI_DARK, .size = {size, ball ? 0 : 4*size}});
}

static void add_load(epi_world *w, int i)
{
  const epi_applied_force *k = w->pair[i].data;
  if (epi_dot(k->force, k->force) > 0) more(w, "load ", w->pair[i].name, i, as_load, (epi_shape){.kind = EPI_ARROW, .appearance = EPI_DARK, .unit = "N"});
  if (epi_dot(k->torque, k->torque) > 0) more(w, "torque ", w->pair[i].name, i, as_torque, (epi_shape){.kind = EPI_ARROW, .appearance = EPI_DARK, .unit = "N m"});
}

int epi_world_dress(epi_world *w)
{
  /* at most one for a body that was given none, one for a joint, a floor and an arrow for a contact, two arrows for a load */
  size_t most = (size_t)(w->givens + w->bodies + w->bonds) + 2*(size_t)w->pairs;
  double reach = reach_of(w);
  w->look = calloc(most, sizeof *w->look);
  if (!w->look) return epi_world_wrong(w, "out of memory");
  own(w, EPI_GROUND);
  add_floors(w);
  for (int i = 0; i < w->bodies; i++) if (!own(w, i)) more(w, "", w->body[i].name, i, with_body, inferred(w, i, reach));
  for (int i = 0; i < w->bonds; i++) add_joint(w, i);
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].act == epi_spring_act) add_spring(w, i, reach);
  for (int i = 0; i < w->pairs; i++)
    if (contact_of(w, i)) more(w, "contact ", w->pair[i].name, i, as_contact, (epi_shape){.kind = EPI_ARROW, .appearance = EPI_BRIGHT, .unit = "N"});
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].act == epi_load_act) add_load(w, i);
  for (int i = 0; i < w->looks; i++) {
    w->look[i].shape.name = w->look[i].name;
    w->look[i].shape.unit = w->look[i].unit[0] ? w->look[i].unit : NULL;
  }
  return 0;
}

/* ---- showing ---- */
int epi_world_draw(const epi_world *w, const epi_state *s, epi_scene *to)
{
  if (!w->made || !s->y) return to->n;
  epi_pose p[w->bodies];
  for (int i = 0; i < w->bodies; i++) epi_pose_of(&w->body[i], s->y, s->y + w->nq, &p[i]);
  for (int i = 0; i < w->looks; i++) {
    epi_shape shape = w->look[i].shape;
    if (to->n < to->room) w->look[i].place(w, &w->look[i], s, p, &shape);
    epi_show(to, &shape);
  }
  return to->n;
}
