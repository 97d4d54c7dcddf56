/* draw.c - what a world looks like: the shapes of its bodies, floors, springs, rods and pins, and an arrow for every contact and load.
 * The list is made once, when the world is closed; a state only says where its shapes are */
#include "parts.h"
#include <stdio.h>

/* ---- small geometry ---- */
static double far_apart(const double *a, const double *b)
{
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(epi_dot(d, d));
}

static epi_pose pose_at(const epi_world *w, const epi_state *s, int body)
{
  epi_pose p = epi_ground;
  if (body >= 0) epi_pose_of(&w->body[body], s->y, s->y + w->nq, &p);
  return p;
}

static void point_of(const epi_pose *p, const double *at, double *out)
{
  epi_out_of(p->R, at, out);
  for (int i = 0; i < 3; i++) out[i] += p->r[i];
}

static void attitude_of(const epi_world *w, const epi_state *s, int body, double *q)
{
  if (body < 0) epi_quaternion_unit((const double[4]){0}, q);
  else memcpy(q, s->y + w->body[body].q + 3, 4*sizeof *q);
}

/* ---- where shapes are ---- */
/* with its body. Of an arrow `to` is a vector, else a point */
static void with_body(const epi_world *w, const epi_drawn *l, const epi_state *s, epi_shape *out)
{
  const epi_pose a = pose_at(w, s, l->on);
  double q[4];
  point_of(&a, l->shape.at, out->at);
  if (l->shape.kind == EPI_ARROW) epi_out_of(a.R, l->shape.to, out->to);
  else if (l->shape.kind == EPI_BAR || l->shape.kind == EPI_COIL) point_of(&a, l->shape.to, out->to);
  attitude_of(w, s, l->on, q);
  epi_quaternion_times(q, l->shape.attitude, out->attitude);
}

/* as the record of a load says; what it looks like was asked when the world was closed */
static void as_load(const epi_world *w, const epi_drawn *l, const epi_state *s, epi_shape *out)
{
  const epi_pair *k = &w->pair[l->on];
  const epi_pose a = pose_at(w, s, k->a), b = pose_at(w, s, k->b);
  epi_shape now[2] = {{0}};
  if (k->load->draw(k->data, s->t, &a, &b, now) <= l->part) return;
  memcpy(out->at, now[l->part].at, sizeof out->at);
  memcpy(out->to, now[l->part].to, sizeof out->to);
}

static void as_rod(const epi_world *w, const epi_drawn *l, const epi_state *s, epi_shape *out)
{
  const epi_joint *j = &w->joint[l->on].data;
  const epi_pose a = pose_at(w, s, j->a), b = pose_at(w, s, j->b);
  double at[3] = {j->at_b[0], j->at_b[1], j->at_b[2]}, way[3], rate[3], accel[3];
  const epi_instant now = epi_instant_of(&w->phase, s->t);
  if (w->joint[l->on].driven && !epi_drives_at(j->motion, epi_drives_count(j->motion), &now, way, rate, accel))
    for (int i = 0; i < 3; i++) at[i] += way[i];
  point_of(&b, at, out->at);
  point_of(&a, j->at_a, out->to);
}

/* along the z axis of the frame of the joint */
static void as_pin(const epi_world *w, const epi_drawn *l, const epi_state *s, epi_shape *out)
{
  const epi_joint *j = &w->joint[l->on].data;
  const epi_pose a = pose_at(w, s, j->a);
  double q[4], frame[4];
  point_of(&a, j->at_a, out->at);
  attitude_of(w, s, j->b, q);
  epi_quaternion_unit(j->frame_b, frame);
  epi_quaternion_times(q, frame, out->attitude);
}

/* the force on body a where it touches; nothing where it is open, passed through, or where its direction is lost */
static void as_contact(const epi_world *w, const epi_drawn *l, const epi_state *s, epi_shape *out)
{
  const epi_pair *c = &w->pair[l->on];
  const epi_pose a = pose_at(w, s, c->a), b = pose_at(w, s, c->b);
  epi_action act = {.load = 0};
  double sum = 0;
  epi_pair_act(c, s->t, &a, &b, &act);
  for (int i = 0; i < 3; i++) sum += act.point[i] + act.force[i];
  memcpy(out->at, isfinite(sum) ? act.point : a.r, sizeof out->at);
  for (int i = 0; i < 3; i++) out->to[i] = isfinite(sum) ? act.force[i] : 0;
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
    return epi_world_wrong(w, "the shape %s is on body %d, which there is not: give the number that epi_add_body returned, or EPI_GROUND",
                           name, body);
  if (s->kind < 0 || s->kind >= COUNT)
    return epi_world_wrong(w, "the shape %s is of kind %d, which there is not: take EPI_BALL ... EPI_FLOOR", name, s->kind);
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
  if (epi_world_closed(w) || wrong_shape(w, body, shape) ||
      epi_world_grow(w, (void **)&w->given, w->givens + 1, &w->given_room, sizeof *w->given)) return -1;
  epi_drawn *l = &w->given[w->givens++];
  *l = (epi_drawn){.shape = *shape, .on = body, .place = with_body};
  epi_quaternion_unit(shape->attitude, l->shape.attitude);
  snprintf(l->name, sizeof l->name, "%s", shape->name ? shape->name : body < 0 ? "ground" : w->body[body].name);
  snprintf(l->unit, sizeof l->unit, "%s", shape->unit ? shape->unit : "");
  return 0;
}

/* ---- what shapes there are ---- */
/* while the list is made: of every body the shapes it was given and the contacts it is in, in their order, and how thick a pin through it
   may be */
typedef struct { int *from, *list; } lists;
typedef struct { epi_world *w; lists given, contact; double *pin, reach; } dressing;

static void more(epi_world *w, const char *before, const char *name, int on, epi_place *place, epi_shape shape)
{
  epi_drawn *l = &w->look[w->looks++];
  *l = (epi_drawn){.shape = shape, .on = on, .place = place};
  epi_quaternion_unit(shape.attitude, l->shape.attitude);
  snprintf(l->name, sizeof l->name, "%s%s", before, name);
  if (shape.unit) snprintf(l->unit, sizeof l->unit, "%s", shape.unit);
}

static const epi_contact *contact_of(const epi_world *w, int i) { return w->pair[i].contact; }

/* how far the world reaches: its bodies at the start from their middle, and the arms of what joins them */
static double reach_of(const epi_world *w)
{
  double mid[3] = {0}, far = 0;
  for (int i = 0; i < w->bodies; i++) for (int k = 0; k < 3; k++) mid[k] += w->start[w->body[i].q + k]/w->bodies;
  for (int i = 0; i < w->bodies; i++) far = fmax(far, far_apart(w->start + w->body[i].q, mid));
  for (int i = 0; i < w->joints; i++) {
    const epi_joint *j = &w->joint[i].data;
    far = fmax(far, fmax(j->length, sqrt(epi_dot(j->at_a, j->at_a))));
  }
  for (int i = 0; i < w->pairs; i++)
    if (w->pair[i].load && w->pair[i].load->between) far = fmax(far, ((const epi_spring *)w->pair[i].data)->length);
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
static epi_shape inferred(const dressing *d, int body)
{
  int hollow = 0;
  for (int i = d->contact.from[1 + body]; i < d->contact.from[2 + body]; i++) {
    const epi_contact *c = contact_of(d->w, d->contact.list[i]);
    unsigned is = c->kind->traits;
    if (c->a == body && is & EPI_A_BALL) return (epi_shape){.kind = EPI_BALL, .appearance = EPI_STEEL, .size = {c->radius},
                                                                   .at = {c->at_a[0], c->at_a[1], c->at_a[2]}};
    hollow |= c->b == body && is & EPI_B_HOLLOW;
    if (c->b == body && is & EPI_B_BALL && c->other > 0)
      return (epi_shape){.kind = EPI_BALL, .appearance = EPI_STEEL, .size = {c->other}, .at = {c->at[0], c->at[1], c->at[2]}};
  }
  epi_shape box = box_of(&d->w->body[body], d->reach);
  if (hollow) box.appearance = EPI_GLASS;
  return box;
}

/* how thick a pin through a shape may be: three tenths of its width, a tenth of its length. In the middle of a hollow one it would float:
   none */
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

/* by the first shape of a body that can be pinned; without limit for the ground */
static double pin(const dressing *d, int body) { return body < 0 ? HUGE_VAL : d->pin[body] < 0 ? 0 : d->pin[body]; }

/* its own shapes, in the order they were added, or the one that it seems to have */
static void dress_body(const dressing *d, int body)
{
  epi_world *w = d->w;
  int first = w->looks, from = d->given.from[1 + body], to = d->given.from[2 + body];
  for (int i = from; i < to; i++) w->look[w->looks++] = w->given[d->given.list[i]];
  if (body < 0) return;
  if (from == to) more(w, "", w->body[body].name, body, with_body, inferred(d, body));
  for (int i = first; i < w->looks && d->pin[body] < 0; i++)
    if (w->look[i].shape.kind != EPI_FLOOR && w->look[i].shape.kind != EPI_ARROW) d->pin[body] = pin_of(&w->look[i].shape);
}

/* ---- rings that bend ---- */
/* microns are not to be seen: a line round the ring is bent a thousand times as much, and no further than a quarter of its radius */
enum { BENT_BARS = 32 };
static const double seen = 1000;

static void bent_point(const epi_member *m, const epi_pose *a, double R, int k, double *out)
{
  double angle = 2*EPI_PI*k/BENT_BARS, w = 0, most = 0.25*R;
  for (int i = 0; i < m->modes && a->e; i++) {
    int waves = 2 + i/2;
    w += a->e[i]*(i % 2 ? sin(waves*angle) : cos(waves*angle));
  }
  double r = R + most*tanh(seen*w/most), at[3] = {r*cos(angle), r*sin(angle), 0};
  point_of(a, at, out);
}

static void as_bent(const epi_world *w, const epi_drawn *l, const epi_state *s, epi_shape *out)
{
  const epi_member *m = &w->body[l->on];
  const epi_pose a = pose_at(w, s, l->on);
  bent_point(m, &a, l->shape.at[0], l->part, out->at);
  bent_point(m, &a, l->shape.at[0], (l->part + 1) % BENT_BARS, out->to);
}

static int is_ring(const epi_member *m) { return m->modes > 0 && m->shapes.ring; }

/* as large as the largest circle that the body shows */
static void add_bent(const dressing *d, int body)
{
  epi_world *w = d->w;
  double R = 0;
  char before[32];
  if (!is_ring(&w->body[body])) return;
  for (int i = 0; i < w->looks; i++) {
    const epi_shape *s = &w->look[i].shape;
    if (w->look[i].on != body || w->look[i].place != with_body) continue;
    if (s->kind == EPI_RING || s->kind == EPI_RACE || s->kind == EPI_CAGE) R = fmax(R, fmax(s->size[0], s->size[1]));
  }
  if (!(R > 0)) R = d->reach;
  snprintf(before, sizeof before, "%g x bent ", seen);
  for (int k = 0; k < BENT_BARS; k++) {
    more(w, before, w->body[body].name, body, as_bent,
         (epi_shape){.kind = EPI_BAR, .appearance = EPI_BRIGHT, .size = {0.012*R}, .at = {R}});
    w->look[w->looks - 1].part = k;
  }
}

/* ---- floors ---- */
/* planes of one body, one after the other; their contacts in the order they were added */
typedef struct { const epi_contact *c; int i; } plane;
static int same_plane(const epi_contact *a, const epi_contact *b)
{
  return a->b == b->b && !memcmp(a->at, b->at, sizeof a->at) && !memcmp(a->normal, b->normal, sizeof a->normal);
}
static int by_plane(const void *x, const void *y)
{
  const plane *a = x, *b = y;
  int at = memcmp(a->c->at, b->c->at, sizeof a->c->at), normal = memcmp(a->c->normal, b->c->normal, sizeof a->c->normal);
  return a->c->b != b->c->b ? a->c->b - b->c->b : at ? at : normal ? normal : a->i - b->i;
}
static int by_number(const void *x, const void *y) { return ((const plane *)x)->i - ((const plane *)y)->i; }

/* as wide as six radii about those that may touch it, and below their middle where it does not move; one for all contacts with it */
static void add_floor(epi_world *w, const plane *p, int n)
{
  const epi_contact *c = p->c;
  double mid[3] = {0}, height = 0, wide = 0;
  for (int k = 0; k < n; k++) for (int x = 0; x < 3; x++) mid[x] += w->start[w->body[p[k].c->a].q + x];
  for (int x = 0; x < 3; x++) { mid[x] /= n; height += (mid[x] - c->at[x])*c->normal[x]; }
  for (int k = 0; k < n; k++)
    wide = fmax(wide, 6*p[k].c->radius + (c->b < 0 ? far_apart(w->start + w->body[p[k].c->a].q, mid) : 0));
  epi_shape s = {.kind = EPI_FLOOR, .size = {2*wide, 2*wide}};
  for (int x = 0; x < 3; x++) s.at[x] = c->b < 0 ? mid[x] - height*c->normal[x] : c->at[x];
  epi_quaternion_upright(c->normal, s.attitude);
  more(w, "floor ", w->pair[p->i].name, c->b, with_body, s);
}

/* of the ground, and of bodies that carry a plane: unless they were given shapes of their own. In the order of their first contacts */
static int add_floors(const dressing *d)
{
  epi_world *w = d->w;
  plane *p = malloc(2*((size_t)w->pairs + 1)*sizeof *p), *first = p ? p + w->pairs + 1 : NULL;
  int n = 0, leaders = 0;
  if (!p) return -1;
  for (int i = 0; i < w->pairs; i++) {
    const epi_contact *c = contact_of(w, i);
    if (!c || d->given.from[1 + c->b] < d->given.from[2 + c->b]) continue;
    if (c->kind->traits & EPI_B_PLANE) p[n++] = (plane){c, i};
    else if (c->kind->traits & EPI_B_BALL && c->b < 0) first[leaders++] = (plane){c, i};
  }
  qsort(p, (size_t)n, sizeof *p, by_plane);
  for (int i = 0; i < n; i++) if (!i || !same_plane(p[i-1].c, p[i].c)) first[leaders++] = p[i];
  qsort(first, (size_t)leaders, sizeof *first, by_number);
  for (int k = 0; k < leaders; k++) {
    const epi_contact *c = first[k].c;
    if (c->kind->traits & EPI_B_PLANE) {
      const plane *at = bsearch(&first[k], p, (size_t)n, sizeof *p, by_plane);
      int many = 1;
      while (at + many < p + n && same_plane(at->c, at[many].c)) many++;
      add_floor(w, at, many);
    } else
      more(w, "ground ", w->pair[first[k].i].name, EPI_GROUND, with_body,
           (epi_shape){.kind = EPI_BALL, .appearance = EPI_DARK, .size = {c->other}, .at = {c->at[0], c->at[1], c->at[2]}});
  }
  free(p);
  return 0;
}

/* ---- joints and loads ---- */
static void add_joint(const dressing *d, int i)
{
  const epi_world_joint *j = &d->w->joint[i];
  int kind = j->kind->draw ? j->kind->draw(&j->data) : -1;
  double size = fmin(pin(d, j->a), pin(d, j->b));
  if (kind == EPI_BAR) {
    double thick = 0.02*(j->data.length > 0 ? j->data.length : d->reach);
    more(d->w, "", j->name, i, as_rod, (epi_shape){.kind = EPI_BAR, .appearance = EPI_STEEL, .size = {thick}});
  } else if (kind >= 0 && size > 0)
    more(d->w, "joint ", j->name, i, as_pin, (epi_shape){.kind = kind, .appearance = EPI_DARK,
                                                         .size = {size, kind == EPI_BALL ? 0 : 4*size}});
}

/* what its record shows at the start. One without a thickness of its own is as thick as a pin of its bodies would be */
static void add_load(const dressing *d, int i)
{
  epi_world *w = d->w;
  const epi_pair *k = &w->pair[i];
  const epi_state s = {.y = w->start};
  const epi_pose a = pose_at(w, &s, k->a), b = pose_at(w, &s, k->b);
  epi_shape shape[2] = {{0}};
  int n = k->load->draw ? k->load->draw(k->data, 0, &a, &b, shape) : 0;
  double size = fmin(pin(d, k->a), pin(d, k->b));
  for (int part = 0; part < n && part < 2; part++) {
    if (shape[part].kind != EPI_ARROW && !(shape[part].size[0] > 0)) shape[part].size[0] = size > 0 ? size : fmax(0.05*d->reach, 1e-3);
    more(w, shape[part].name ? shape[part].name : "", k->name, i, as_load, shape[part]);
    w->look[w->looks - 1].part = part;
  }
}

/* ---- the list ---- */
/* n pairs (body, thing) by body in the order of things: those of a body from[1 + body] .. from[2 + body], the ground first */
static int sort_out(int bodies, int n, int (*of)[2], lists *out)
{
  int *fill = out->from = calloc((size_t)bodies + 3, sizeof(int));
  out->list = malloc(((size_t)n + 1)*sizeof(int));
  if (!fill || !out->list) return -1;
  for (int i = 0; i < n; i++) fill[1 + of[i][0]]++;
  for (int b = 0; b < bodies + 2; b++) fill[b + 1] += fill[b];
  for (int i = n - 1; i >= 0; i--) out->list[--fill[1 + of[i][0]]] = of[i][1];
  return 0;
}

static int prepare(dressing *d)
{
  epi_world *w = d->w;
  int n = 2*w->pairs > w->givens ? 2*w->pairs : w->givens, bad = -1;
  int (*of)[2] = malloc(((size_t)n + 1)*sizeof *of);
  d->pin = malloc(((size_t)w->bodies + 1)*sizeof *d->pin);
  if (!of || !d->pin) goto done;
  for (int i = 0; i < w->bodies; i++) d->pin[i] = -1;
  for (int i = 0; i < w->givens; i++) { of[i][0] = w->given[i].on; of[i][1] = i; }
  if (sort_out(w->bodies, w->givens, of, &d->given)) goto done;
  n = 0;
  for (int i = 0; i < w->pairs; i++) {
    if (!contact_of(w, i)) continue;
    of[n][0] = w->pair[i].a, of[n++][1] = i;
    of[n][0] = w->pair[i].b, of[n++][1] = i;
  }
  bad = sort_out(w->bodies, n, of, &d->contact);
done:
  free(of);
  return bad;
}

static void fill_list(const dressing *d)
{
  epi_world *w = d->w;
  for (int i = 0; i < w->bodies; i++) dress_body(d, i);
  for (int i = 0; i < w->bodies; i++) add_bent(d, i);
  for (int i = 0; i < w->joints; i++) add_joint(d, i);
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].load && w->pair[i].load->between) add_load(d, i);
  for (int i = 0; i < w->pairs; i++)
    if (contact_of(w, i)) more(w, "contact ", w->pair[i].name, i, as_contact,
                               (epi_shape){.kind = EPI_ARROW, .appearance = EPI_BRIGHT, .unit = "N"});
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].load && !w->pair[i].load->between) add_load(d, i);
  for (int i = 0; i < w->looks; i++) {
    w->look[i].shape.name = w->look[i].name;
    w->look[i].shape.unit = w->look[i].unit[0] ? w->look[i].unit : NULL;
  }
}

int epi_world_dress(epi_world *w)
{
  /* at most one for a body that was given none, one for a joint, a floor and an arrow for a contact, two shapes for a load; bent rings */
  size_t most = (size_t)(w->givens + w->bodies + w->joints) + 2*(size_t)w->pairs;
  dressing d = {.w = w, .reach = reach_of(w)};
  for (int i = 0; i < w->bodies; i++) most += is_ring(&w->body[i]) ? BENT_BARS : 0;
  w->look = calloc(most, sizeof *w->look);
  int bad = !w->look || prepare(&d);
  if (!bad) {
    dress_body(&d, EPI_GROUND);
    bad = add_floors(&d);
  }
  if (!bad) fill_list(&d);
  void *const blocks[] = {d.given.from, d.given.list, d.contact.from, d.contact.list, d.pin};
  for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) free(blocks[i]);
  return bad ? epi_world_no_memory(w) : 0;
}

/* ---- showing ---- */
int epi_world_draw(const epi_world *w, const epi_state *s, epi_scene *to)
{
  if (!w->made || !s->y) return to->n;
  for (int i = 0; i < w->looks; i++) {
    epi_shape shape = w->look[i].shape;
    if (to->n < to->room) w->look[i].place(w, &w->look[i], s, &shape);
    epi_show(to, &shape);
  }
  return to->n;
}
