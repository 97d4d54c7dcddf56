/* model-file-world.c - a model made of bodies: what the file says of them, of loads, springs and joints. Points and axes in space are those of the start */
#include "model-file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { BODIES = 1000, THINGS = 5000 };

static const char *const appearance_words[] = {[EPI_PLAIN] = "plain", [EPI_STEEL] = "steel", [EPI_BRASS] = "brass", [EPI_DARK] = "dark", [EPI_GLASS] = "glass",
                                         [EPI_BRIGHT] = "bright", NULL};
static const char *const kind_words[] = {[EPI_BALL] = "ball", [EPI_BOX] = "box", [EPI_CYLINDER] = "cylinder", [EPI_CONE] = "cone", [EPI_RING] = "ring", [EPI_RACE] = "race",
                                         [EPI_CAGE] = "cage", [EPI_BAR] = "bar", [EPI_COIL] = "coil", [EPI_ARROW] = "arrow", [EPI_FLOOR] = "floor", NULL};
static const char *const as_words[] = {[EPI_PENALTY] = "penalty", [EPI_CONSTRAINT] = "constraint", NULL};

/* ---- keys, in the order in which they are written ---- */
typedef struct rotation_told { double axis[3], angle; } rotation_told;
static const field rotate_keys[] = {
  {.name = "axis", .kind = DIRECTION, .at = offsetof(rotation_told, axis)},
  {.name = "angle", .kind = NUMBER, .unit = "rad", .at = offsetof(rotation_told, angle)},
  {0}
};
typedef struct shape_record { int body, kind; const item *size, *rotate; epi_shape shape; } shape_record;
#define SHAPE_KEYS \
  {.name = "name", .kind = NAME, .at = offsetof(shape_record, shape.name)}, \
  {.name = "kind", .kind = WORD, .at = offsetof(shape_record, kind), .words = kind_words}, \
  {.name = "size", .kind = OWN, .at = offsetof(shape_record, size)}, \
  {.name = "at", .kind = VECTOR, .unit = "m", .at = offsetof(shape_record, shape.at)}, \
  {.name = "attitude", .kind = QUATERNION, .at = offsetof(shape_record, shape.attitude)}, \
  {.name = "rotate", .kind = OWN, .at = offsetof(shape_record, rotate), .inner = rotate_keys}, \
  {.name = "to", .kind = VECTOR, .unit = "m", .at = offsetof(shape_record, shape.to)}, \
  {.name = "appearance", .kind = WORD, .at = offsetof(shape_record, shape.appearance), .words = appearance_words}, \
  {.name = "unit", .kind = TEXT, .at = offsetof(shape_record, shape.unit)}, \
  {.name = "trail", .kind = FLAG, .at = offsetof(shape_record, shape.trail)}
static const field body_shape_keys[] = {SHAPE_KEYS, {0}};
static const field shape_keys[] = {{.name = "body", .kind = BODY, .at = offsetof(shape_record, body)}, SHAPE_KEYS, {0}};

typedef struct solid { double radius, length, inner, outer, width; } solid;
static const field cylinder_keys[] = {
  {.name = "radius", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, radius)}, {.name = "length", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, length)}, {0}
};
static const field ring_keys[] = {
  {.name = "inner", .kind = NOT_NEGATIVE, .unit = "m", .at = offsetof(solid, inner)}, {.name = "outer", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, outer)},
  {.name = "width", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, width)}, {0}
};
static const field modes_keys[] = {{.name = "mass", .kind = OWN, .at = 0}, {.name = "stiffness", .kind = OWN, .at = 0}, {.name = "damping", .kind = OWN, .at = 0}, {0}};
typedef struct body_record {
  epi_body body;
  double density, ball;
  int material, appearance, trail;
  const item *inertia, *box, *cylinder, *ring, *rotate, *modes, *shapes;
} body_record;
static const field body_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(body_record, body.name)},
  {.name = "ball", .kind = POSITIVE, .unit = "m", .at = offsetof(body_record, ball)},
  {.name = "box", .kind = OWN, .at = offsetof(body_record, box)},
  {.name = "cylinder", .kind = OWN, .at = offsetof(body_record, cylinder), .inner = cylinder_keys},
  {.name = "ring", .kind = OWN, .at = offsetof(body_record, ring), .inner = ring_keys},
  {.name = "material", .kind = WORD, .at = offsetof(body_record, material), .words = material_words},
  {.name = "density", .kind = POSITIVE, .unit = "kg/m^3", .at = offsetof(body_record, density)},
  {.name = "mass", .kind = POSITIVE, .unit = "kg", .at = offsetof(body_record, body.mass)},
  {.name = "inertia", .kind = OWN, .at = offsetof(body_record, inertia)},
  {.name = "at", .kind = VECTOR, .unit = "m", .at = offsetof(body_record, body.at)},
  {.name = "attitude", .kind = QUATERNION, .at = offsetof(body_record, body.attitude)},
  {.name = "rotate", .kind = OWN, .at = offsetof(body_record, rotate), .inner = rotate_keys},
  {.name = "velocity", .kind = VECTOR, .unit = "m/s", .at = offsetof(body_record, body.velocity)},
  {.name = "spin", .kind = VECTOR, .unit = "rad/s", .at = offsetof(body_record, body.spin)},
  {.name = "modes", .kind = OWN, .at = offsetof(body_record, modes), .inner = modes_keys},
  {.name = "appearance", .kind = WORD, .at = offsetof(body_record, appearance), .words = appearance_words},
  {.name = "trail", .kind = FLAG, .at = offsetof(body_record, trail)},
  {.name = "shapes", .kind = ITEMS, .at = offsetof(body_record, shapes), .inner = body_shape_keys},
  {0}
};
static const field course_keys[] = {
  {.name = "amplitude", .kind = OWN, .at = 0}, {.name = "frequency", .kind = OWN, .at = 0}, {.name = "phase", .kind = OWN, .at = 0}, {.name = "offset", .kind = OWN, .at = 0},
  {.name = "table", .kind = OWN, .at = 0}, {0}
};
typedef struct load_record { epi_applied_force load; const item *factor; } load_record;
static const field load_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(load_record, load.name)},
  {.name = "body", .kind = BODY, .at = offsetof(load_record, load.body)},
  {.name = "force", .kind = VECTOR, .unit = "N", .at = offsetof(load_record, load.force)},
  {.name = "torque", .kind = VECTOR, .unit = "N m", .at = offsetof(load_record, load.torque)},
  {.name = "at", .kind = VECTOR, .unit = "m", .at = offsetof(load_record, load.at)},
  {.name = "factor", .kind = OWN, .at = offsetof(load_record, factor), .inner = course_keys},
  {0}
};
static const field spring_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(epi_spring, name)},
  {.name = "a", .kind = BODY, .at = offsetof(epi_spring, a)},
  {.name = "b", .kind = BODY, .at = offsetof(epi_spring, b)},
  {.name = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(epi_spring, at_a)},
  {.name = "at_b", .kind = VECTOR, .unit = "m", .at = offsetof(epi_spring, at_b)},
  {.name = "length", .kind = NOT_NEGATIVE, .unit = "m", .at = offsetof(epi_spring, length)},
  {.name = "stiffness", .kind = NOT_NEGATIVE, .unit = "N/m", .at = offsetof(epi_spring, stiffness)},
  {.name = "damping", .kind = NOT_NEGATIVE, .unit = "N s/m", .at = offsetof(epi_spring, damping)},
  {0}
};
typedef struct joint_record { epi_joint joint; double at[3], axis[3]; const item *hold, *stiffness, *damping, *speed, *angle; } joint_record;
static const field joint_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(joint_record, joint.name)},
  {.name = "a", .kind = BODY, .at = offsetof(joint_record, joint.a)},
  {.name = "b", .kind = BODY, .at = offsetof(joint_record, joint.b)},
  {.name = "hold", .kind = OWN, .at = offsetof(joint_record, hold)},
  {.name = "as", .kind = WORD, .at = offsetof(joint_record, joint.as), .words = as_words},
  {.name = "at", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, at)},
  {.name = "axis", .kind = DIRECTION, .at = offsetof(joint_record, axis)},
  {.name = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, joint.at_a)},
  {.name = "at_b", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, joint.at_b)},
  {.name = "frame_a", .kind = QUATERNION, .at = offsetof(joint_record, joint.frame_a)},
  {.name = "frame_b", .kind = QUATERNION, .at = offsetof(joint_record, joint.frame_b)},
  {.name = "length", .kind = POSITIVE, .unit = "m", .at = offsetof(joint_record, joint.length)},
  {.name = "stiffness", .kind = OWN, .at = offsetof(joint_record, stiffness)},
  {.name = "damping", .kind = OWN, .at = offsetof(joint_record, damping)},
  {.name = "speed", .kind = OWN, .at = offsetof(joint_record, speed), .inner = course_keys},
  {.name = "angle", .kind = OWN, .at = offsetof(joint_record, angle), .inner = course_keys},
  {0}
};
typedef struct world_record { int settle; const item *gravity, *bodies, *loads, *springs, *joints, *contacts, *shapes; } world_record;
const field world_keys[] = {
  {.name = "gravity", .kind = OWN, .at = offsetof(world_record, gravity)},
  {.name = "bodies", .kind = ITEMS, .at = offsetof(world_record, bodies), .inner = body_keys},
  {.name = "loads", .kind = ITEMS, .at = offsetof(world_record, loads), .inner = load_keys},
  {.name = "springs", .kind = ITEMS, .at = offsetof(world_record, springs), .inner = spring_keys},
  {.name = "joints", .kind = ITEMS, .at = offsetof(world_record, joints), .inner = joint_keys},
  {.name = "contacts", .kind = ITEMS, .at = offsetof(world_record, contacts), .inner = contact_keys},
  {.name = "shapes", .kind = ITEMS, .at = offsetof(world_record, shapes), .inner = shape_keys},
  {.name = "settle", .kind = FLAG, .at = offsetof(world_record, settle)},
  {0}
};

/* ---- functions of time ---- */
double course_at(const course *c, double t, double *rate)
{
  *rate = 0;
  if (!c->n) {
    double w = 2*PI*c->frequency, x = w*t + c->phase;
    *rate = c->amplitude*w*cos(x);
    return c->offset + c->amplitude*sin(x);
  }
  int i = 0;
  if (t <= c->t[0]) return c->x[0];
  while (i + 1 < c->n && t > c->t[i+1]) i++;
  if (i + 1 == c->n) return c->x[i];
  *rate = (c->x[i+1] - c->x[i])/(c->t[i+1] - c->t[i]);
  return c->x[i] + *rate*(t - c->t[i]);
}

double course_sum(const course *c, double t)
{
  double rate, x = course_at(c, t, &rate);
  if (!c->n) {
    double w = 2*PI*c->frequency;
    return c->offset*t + (w > 0 ? c->amplitude/w*(cos(c->phase) - cos(w*t + c->phase)) : 0);
  }
  if (t <= c->t[0]) return (t - c->t[0])*x;
  int i = 0;
  while (i + 1 < c->n && t > c->t[i+1]) i++;
  return c->sum[i] + 0.5*(t - c->t[i])*(c->x[i] + x);
}

static int read_table(source *s, const item *it, const char *name, const char *unit, course *c)
{
  if (it->kind != ITEM_LIST || it->n < 2) return document_wrong(s->d, it, "%s: table is %s: write two points at least, as in [[0, 0], [0.1, 1]]", name, item_what(it));
  double *room = need(3*(size_t)it->n*sizeof *room);
  c->t = room;
  c->x = room + it->n;
  c->sum = room + 2*it->n;
  for (int i = 0; i < it->n; i++) {
    const item *p = it->part[i];
    if (p->kind != ITEM_LIST || p->n != 2) return document_wrong(s->d, p, "%s: a point of the table is %s: write [time, value]", name, item_what(p));
    if (field_number(s, p->part[0], "time", "s", &c->t[i]) || field_number(s, p->part[1], name, unit, &c->x[i])) return REFUSED;
    if (i && !(c->t[i] > c->t[i-1])) return document_wrong(s->d, p, "%s: the time %g is not after %g: write the points in order", name, c->t[i], c->t[i-1]);
    if (i) c->sum[i] = c->sum[i-1] + 0.5*(c->t[i] - c->t[i-1])*(c->x[i] + c->x[i-1]);
  }
  c->n = it->n;
  return 0;
}

static void course_free(course *c)
{
  if (c) free(c->t);
  free(c);
}

/* NULL after the sentence */
static course *read_course(source *s, const item *it, const char *name, const char *unit)
{
  course *c = need(sizeof *c);
  const item *table = item_of(it, "table"), *amplitude = item_of(it, "amplitude"), *frequency = item_of(it, "frequency"), *phase = item_of(it, "phase"), *offset = item_of(it, "offset");
  int bad = 0;
  if (it->kind != ITEM_MAP) bad = document_wrong(s->d, it, "%s is %s: write {table: [[0, 0], [0.1, 1]]}, or amplitude and frequency", name, item_what(it));
  else if (table && (amplitude || frequency || phase || offset)) bad = document_wrong(s->d, table, "%s has a table and an oscillation: take one of them away", name);
  else if (table) bad = read_table(s, table, name, unit, c);
  else if (!amplitude || !frequency) bad = field_missing(s->d, it, name, amplitude ? "frequency" : "amplitude", "amplitude and frequency, or a table of points");
  else {
    bad = field_number(s, amplitude, "amplitude", unit, &c->amplitude) | field_number(s, frequency, "frequency", "Hz", &c->frequency);
    if (phase) bad |= field_number(s, phase, "phase", "rad", &c->phase);
    if (offset) bad |= field_number(s, offset, "offset", unit, &c->offset);
    if (!bad && !(c->frequency > 0)) bad = document_wrong(s->d, frequency, "frequency = %g must be positive: write a number above zero in Hz", c->frequency);
  }
  if (!bad) return c;
  course_free(c);
  return NULL;
}

/* ---- bodies ---- */
static int read_rotation(source *s, const item *it, int quaternion, double *q)
{
  rotation_told r = {.angle = NAN};
  if (!it) return 0;
  if (quaternion) return document_wrong(s->d, it, "attitude and rotate are both given: take one of them away");
  if (it->kind != ITEM_MAP) return document_wrong(s->d, it, "rotate is %s: write {axis: z, angle: 30 deg}", item_what(it));
  if (fields_read(s, it, rotate_keys, &r)) return REFUSED;
  if (!item_of(it, "axis") || isnan(r.angle)) return field_missing(s->d, it, "rotate", isnan(r.angle) ? "angle" : "axis", "{axis: z, angle: 30 deg}");
  quaternion_about(r.axis, r.angle, q);
  return 0;
}

static int read_solid(source *s, const item *map, const char *name, const field *f, solid *x)
{
  if (map->kind != ITEM_MAP) return document_wrong(s->d, map, "%s is %s: write %s", name, item_what(map), name[0] == 'c' ? "{radius: 0.1, length: 0.2}" : "{inner: 0.1, outer: 0.2, width: 0.05}");
  if (fields_read(s, map, f, x)) return REFUSED;
  for (; f->name; f++) if (!item_of(map, f->name)) return field_missing(s->d, map, name, f->name, "it in m");
  return name[0] == 'r' && !(x->outer > x->inner) ? document_wrong(s->d, map, "the ring is %g inside and %g outside: write outer > inner", x->inner, x->outer) : 0;
}

/* the form of the body, from which its mass may follow, and its moments and looks do */
static int read_form(source *s, const item *it, body_record *r, body_told *b)
{
  solid x = {0};
  int forms = (r->ball > 0) + (r->box != NULL) + (r->cylinder != NULL) + (r->ring != NULL);
  epi_shape *f = &b->shape;
  if (forms > 1) return document_wrong(s->d, it, "the body %s has %d forms: write one of ball, box, cylinder, ring; further ones are shapes", r->body.name, forms);
  b->shaped = forms;
  if (r->ball > 0) { *f = (epi_shape){.kind = EPI_BALL, .size = {r->ball}}; b->radius = r->ball; }
  else if (r->box) {
    *f = (epi_shape){.kind = EPI_BOX};
    if (field_numbers(s, r->box, "box", "m", 3, 3, f->size) < 0) return REFUSED;
    for (int i = 0; i < 3; i++) if (!(f->size[i] > 0)) return document_wrong(s->d, r->box, "box: the length %g must be positive", f->size[i]);
  } else if (r->cylinder) {
    if (read_solid(s, r->cylinder, "cylinder", cylinder_keys, &x)) return REFUSED;
    *f = (epi_shape){.kind = EPI_CYLINDER, .size = {x.radius, x.length}};
  } else if (r->ring) {
    if (read_solid(s, r->ring, "ring", ring_keys, &x)) return REFUSED;
    *f = (epi_shape){.kind = EPI_RING, .size = {x.inner, x.outer, x.width}};
  }
  f->appearance = r->appearance;
  f->trail = r->trail;
  return 0;
}

static int read_weight(source *s, const item *it, const body_record *r, body_told *b)
{
  double density = r->density > 0 ? r->density : r->material >= 0 ? material_density(r->material) : 0;
  epi_body *body = &b->body;
  if (body->mass > 0 && density > 0) return document_wrong(s->d, item_of(it, "mass"), "the body %s has a mass and a density or material: take one of them away", body->name);
  if (!(body->mass > 0) && density > 0 && !b->shaped) return document_wrong(s->d, it, "the body %s has a density and no form: write its mass, or a ball, box, cylinder or ring", body->name);
  if (!(body->mass > 0) && density > 0) body->mass = density*solid_volume(&b->shape);
  if (!(body->mass > 0)) return field_missing(s->d, it, "the body", "mass", b->shaped ? "it in kg, or density or material" : "it in kg");
  if (r->inertia) {
    if (r->inertia->kind == ITEM_LIST) { if (field_numbers(s, r->inertia, "inertia", "kg m^2", 3, 3, body->inertia) < 0) return REFUSED; }
    else if (field_number(s, r->inertia, "inertia", "kg m^2", body->inertia)) return REFUSED;
    else body->inertia[1] = body->inertia[2] = body->inertia[0];
    for (int i = 0; i < 3; i++)
      if (!(body->inertia[i] > 0)) return document_wrong(s->d, r->inertia, "inertia: the moment %g must be positive", body->inertia[i]);
    /* Ix = sum m (y^2 + z^2), and so on around */
    for (int i = 0; i < 3; i++)
      if (body->inertia[i] > (1 + 1e-9)*(body->inertia[(i + 1)%3] + body->inertia[(i + 2)%3]))
        return document_wrong(s->d, r->inertia, "inertia: the moment %g is larger than the other two together, which no body has: see its units", body->inertia[i]);
    return 0;
  }
  if (!b->shaped) return field_missing(s->d, it, "the body", "inertia", "[Ix, Iy, Iz] in kg m^2, or a ball, box, cylinder or ring from which it follows");
  solid_moments(&b->shape, body->mass, body->inertia);
  return 0;
}

static int read_modes(source *s, const item *it, body_told *b)
{
  static const struct { const char *key, *unit; } rows[] = {{"stiffness", "N/m"}, {"mass", "kg"}, {"damping", "N s/m"}};
  if (!it) return 0;
  const item *k = item_of(it, "stiffness");
  if (!k || k->kind != ITEM_LIST || !k->n || k->n > 100) return document_wrong(s->d, it, "modes needs a list of stiffnesses: write {mass: [1], stiffness: [1e6], damping: [0]}");
  int n = k->n;
  b->modal = need(3*(size_t)n*sizeof *b->modal);
  for (int i = 0; i < n; i++) b->modal[n + i] = 1;
  for (int r = 0; r < 3; r++) {
    const item *row = item_of(it, rows[r].key);
    if (row && field_numbers(s, row, rows[r].key, rows[r].unit, n, n, b->modal + r*n) < 0) return REFUSED;
    for (int i = 0; row && i < n; i++)
      if (b->modal[r*n + i] < 0 || (r == 1 && !(b->modal[r*n + i] > 0))) return document_wrong(s->d, row, "modes: %s = %g must be positive", rows[r].key, b->modal[r*n + i]);
  }
  b->body.modes = n;
  b->body.modal_stiffness = b->modal;
  b->body.modal_mass = b->modal + n;
  b->body.modal_damping = b->modal + 2*n;
  return 0;
}

static int read_shape(source *s, described *w, const item *it, const field *keys, int body)
{
  shape_record r = {.body = body, .kind = -1};
  if (fields_read(s, it, keys, &r)) return REFUSED;
  if (r.kind < 0) return field_missing(s->d, it, "a shape", "kind", "one of ball, box, cylinder, cone, ring, race, cage, bar, coil, arrow, floor");
  if (!r.size && r.kind != EPI_ARROW) return field_missing(s->d, it, "a shape", "size", "its lengths in m, in brackets");
  if (r.size && field_numbers(s, r.size, "size", "m", 1, 5, r.shape.size) < 0) return REFUSED;
  if (read_rotation(s, r.rotate, item_of(it, "attitude") != NULL, r.shape.attitude)) return REFUSED;
  r.shape.kind = r.kind;
  w->shape = realloc(w->shape, ((size_t)w->shapes + 1)*sizeof *w->shape);
  if (!w->shape) exit(say(FAILED, "out of memory"));
  w->shape[w->shapes++] = (shape_told){.at = it, .body = r.body, .shape = r.shape};
  return 0;
}

static int read_shapes(source *s, described *w, const item *list, const field *keys, int body)
{
  int bad = 0;
  if (list && w->shapes + list->n > THINGS) return document_wrong(s->d, list, "there are more than %d shapes", THINGS);
  for (int i = 0; list && i < list->n; i++) bad |= read_shape(s, w, list->part[i], keys, body);
  return bad;
}

static int read_body(source *s, described *w, const item *it, int i)
{
  body_record r = {.material = -1};
  body_told *b = &w->body[i];
  b->at = it;
  if (fields_read(s, it, body_keys, &r)) return REFUSED;
  b->body = r.body;
  if (read_form(s, it, &r, b) || read_weight(s, it, &r, b) || read_modes(s, r.modes, b)) return REFUSED;
  return read_rotation(s, r.rotate, item_of(it, "attitude") != NULL, b->body.attitude) || read_shapes(s, w, r.shapes, body_shape_keys, i) ? REFUSED : 0;
}

/* the names first: what acts speaks of them */
static int read_names(source *s, const item *list)
{
  s->name = need(((size_t)list->n + 1)*sizeof *s->name);
  for (int i = 0; i < list->n; i++) {
    const item *it = item_of(list->part[i], "name");
    if (!it || it->kind != ITEM_TEXT || !it->text[0]) return field_missing(s->d, list->part[i], "a body", "name", "one, as in name: ball");
    if (!strcmp(it->text, "ground")) return document_wrong(s->d, it, "no body can be called ground: that is what does not move");
    for (int k = 0; k < i; k++) if (!strcmp(s->name[k], it->text)) return document_wrong(s->d, it, "two bodies are called '%.40s': give each its own name", it->text);
    s->name[s->names++] = it->text;
  }
  return 0;
}

/* ---- what acts ---- */
/* between two bodies, or a body and the ground */
static int read_ends(source *s, const item *it, const char *what, int a, int b)
{
  if (!item_of(it, "a")) return field_missing(s->d, it, what, "a", "the name of a body");
  if (a < 0) return document_wrong(s->d, item_of(it, "a"), "a is the ground: write the body there, and the ground at b");
  if (a == b) return document_wrong(s->d, item_of(it, "b"), "a and b are both '%s': %s is between two bodies, or a body and the ground", s->name[a], what);
  return 0;
}

static const epi_body *place(const described *w, int body) { return body < 0 ? NULL : &w->body[body].body; }

static double apart(const described *w, int a, const double *at_a, int b, const double *at_b)
{
  double x[3], y[3];
  body_out_of(place(w, a), at_a, x);
  body_out_of(place(w, b), at_b, y);
  return distance_of(x, y);
}

static int read_load(source *s, described *w, const item *it, int i)
{
  load_record r = {.load.body = EPI_GROUND};
  load_told *l = &w->load[i];
  l->at = it;
  if (fields_read(s, it, load_keys, &r)) return REFUSED;
  l->load = r.load;
  if (r.load.body < 0) return field_missing(s->d, it, "a load", "body", "the body it acts on");
  if (!item_of(it, "force") && !item_of(it, "torque")) return field_missing(s->d, it, "a load", "force", "a force in N, or a torque in N m");
  return r.factor && !(l->factor = read_course(s, r.factor, "factor", "")) ? REFUSED : 0;
}

static int read_spring(source *s, described *w, const item *it, int i)
{
  epi_spring k = {.a = EPI_GROUND, .b = EPI_GROUND};
  w->spring[i].at = it;
  if (fields_read(s, it, spring_keys, &k) || read_ends(s, it, "a spring", k.a, k.b)) return REFUSED;
  if (!item_of(it, "stiffness") && !item_of(it, "damping")) return field_missing(s->d, it, "a spring", "stiffness", "it in N/m");
  /* not stretched at the start */
  if (!item_of(it, "length")) k.length = apart(w, k.a, k.at_a, k.b, k.at_b);
  w->spring[i].spring = k;
  return 0;
}

static int read_hold(source *s, const item *it, int *hold)
{
  static const char *const words[] = {"hinge", "point", "slider", "all", "rod", "turns", "x", "y", "z", "rx", "ry", "rz", NULL};
  static const int bits[] = {EPI_HINGE, EPI_POINT, EPI_SLIDER, EPI_ALL, EPI_ROD, EPI_TURNS, EPI_X, EPI_Y, EPI_Z, EPI_RX, EPI_RY, EPI_RZ};
  *hold = 0;
  if (it->kind == ITEM_LIST && !it->n) return document_wrong(s->d, it, "hold is an empty list: write what is held, as in hinge or [x, y, rz]");
  for (int i = 0; i < (it->kind == ITEM_LIST ? it->n : 1); i++) {
    const item *one = it->kind == ITEM_LIST ? it->part[i] : it;
    int k = field_word(s, one, "hold", words);
    if (k < 0) return REFUSED;
    if (bits[k] == EPI_ROD && it->kind == ITEM_LIST) return document_wrong(s->d, one, "a rod holds the distance of its points alone: write hold: rod");
    *hold |= bits[k];
  }
  return 0;
}

/* points that meet and frames that agree at the start, unless the file says otherwise */
static int read_places(source *s, const described *w, const item *it, const joint_record *r, epi_joint *j)
{
  static const double none[4] = {1, 0, 0, 0};
  const epi_body *a = place(w, j->a), *b = place(w, j->b);
  int given_a = item_of(it, "at_a") != NULL, given_b = item_of(it, "at_b") != NULL, at = item_of(it, "at") != NULL, rod = j->hold == EPI_ROD;
  double point[3], frame[4];
  if (at && (given_a || given_b || rod))
    return document_wrong(s->d, item_of(it, "at"), rod ? "a rod has two points: write at_a and at_b, in the bodies" : "at and at_a or at_b are both given: take one of them away");
  if (!rod) {
    if (at) memcpy(point, r->at, sizeof point);
    else if (!given_a && given_b) body_out_of(b, j->at_b, point);
    else body_out_of(a, j->at_a, point);
    if (!given_a) body_into(a, point, j->at_a);
    if (!given_b) body_into(b, point, j->at_b);
  }
  int axis = item_of(it, "axis") != NULL, frame_a = item_of(it, "frame_a") != NULL, frame_b = item_of(it, "frame_b") != NULL;
  if (axis && (frame_a || frame_b)) return document_wrong(s->d, item_of(it, "axis"), "axis and a frame are both given: take one of them away");
  if (axis) quaternion_from(r->axis, j->hold == EPI_SLIDER ? 0 : 2, frame);
  else if (frame_a) body_frame_out(a, j->frame_a, frame);
  else if (frame_b) body_frame_out(b, j->frame_b, frame);
  else memcpy(frame, none, sizeof frame);
  if (!frame_a) body_frame(a, frame, j->frame_a);
  if (!frame_b) body_frame(b, frame, j->frame_b);
  if (rod && !(j->length > 0)) j->length = apart(w, j->a, j->at_a, j->b, j->at_b);
  if (rod && !(j->length > 0)) return field_missing(s->d, it, "the rod", "length", "it in m, or points that are apart");
  return !rod && item_of(it, "length") ? document_wrong(s->d, item_of(it, "length"), "length belongs to a rod: take it away, or write hold: rod") : 0;
}

/* one number for what the joint holds, or [directions, turns] */
static int read_stiffness(source *s, const item *it, const char *name, const char *const *units, int hold, double *x)
{
  if (!it) return 0;
  int turns = (hold & EPI_TURNS) != 0, directions = (hold & (EPI_POINT | EPI_ROD)) != 0;
  if (it->kind != ITEM_LIST && turns && directions) return document_wrong(s->d, it, "%s is one number, and this joint holds directions and turns: write two, in [%s, %s]", name, units[0], units[1]);
  if (it->kind != ITEM_LIST) { if (field_number(s, it, name, units[turns], &x[turns])) return REFUSED; }
  else {
    if (it->n != 2) return document_wrong(s->d, it, "%s is a list of %d: write two numbers, in [%s, %s]", name, it->n, units[0], units[1]);
    if (field_number(s, it->part[0], name, units[0], &x[0]) || field_number(s, it->part[1], name, units[1], &x[1])) return REFUSED;
  }
  for (int i = 0; i < 2; i++) if (x[i] < 0) return document_wrong(s->d, it, "%s = %g is negative: write zero or more", name, x[i]);
  return 0;
}

static int read_drive(source *s, const joint_record *r, joint_told *j)
{
  const item *one = r->speed ? r->speed : r->angle;
  if (!one) return 0;
  if (r->speed && r->angle) return document_wrong(s->d, r->angle, "speed and angle are both given: take one of them away");
  if (!(j->joint.hold & EPI_RZ)) return document_wrong(s->d, one, "the joint leaves the turning about its axis free, so nothing drives it: write hold: all, or add rz");
  if (r->angle) return (j->angle = read_course(s, r->angle, "angle", "rad")) ? 0 : REFUSED;
  if (r->speed->kind == ITEM_MAP) return (j->speed = read_course(s, r->speed, "speed", "rad/s")) ? 0 : REFUSED;
  return field_number(s, r->speed, "speed", "rad/s", &j->joint.speed);
}

static int read_joint(source *s, described *w, const item *it, int i)
{
  static const char *const stiffness[] = {"N/m", "N m/rad"}, *const damping[] = {"N s/m", "N m s/rad"};
  joint_record r = {.joint = {.a = EPI_GROUND, .b = EPI_GROUND, .as = EPI_CONSTRAINT}};
  joint_told *j = &w->joint[i];
  j->at = it;
  if (fields_read(s, it, joint_keys, &r) || read_ends(s, it, "a joint", r.joint.a, r.joint.b)) return REFUSED;
  j->joint = r.joint;
  if (!r.hold) return field_missing(s->d, it, "a joint", "hold", "what it holds: hinge, point, slider, all, rod, or a list of x, y, z, rx, ry, rz");
  if (read_hold(s, r.hold, &j->joint.hold) || read_places(s, w, it, &r, &j->joint)) return REFUSED;
  if (j->joint.as == EPI_CONSTRAINT && (r.stiffness || r.damping))
    return document_wrong(s->d, r.stiffness ? r.stiffness : r.damping, "a constraint has no stiffness or damping: write as: penalty, or take them away");
  if (j->joint.as == EPI_PENALTY && !r.stiffness) return field_missing(s->d, it, "a penalty", "stiffness", "it in N/m, and N m/rad for turns, or as: constraint");
  if (read_stiffness(s, r.stiffness, "stiffness", stiffness, j->joint.hold, j->joint.stiffness)) return REFUSED;
  if (read_stiffness(s, r.damping, "damping", damping, j->joint.hold, j->joint.damping)) return REFUSED;
  return read_drive(s, &r, j);
}

static int read_contact(source *s, described *w, const item *it, int i) { return contact_read(s, w, it, &w->contact[i]); }

/* ---- the whole ---- */
static int read_gravity(source *s, const item *it, double *g)
{
  if (!it) return 0;
  if (it->kind == ITEM_LIST) return field_numbers(s, it, "gravity", "m/s^2", 3, 3, g) < 0 ? REFUSED : 0;
  if (field_number(s, it, "gravity", "m/s^2", &g[2])) return REFUSED;
  g[2] = -g[2];
  return 0;
}

static int read_list(source *s, described *w, const item *list, const char *what, size_t size, int *n, void *out, int (*read)(source *, described *, const item *, int))
{
  int bad = 0, most = read == read_body ? BODIES : THINGS;
  if (!list) return 0;
  if (list->n > most) return document_wrong(s->d, list, "there are %d %s: the most is %d", list->n, what, most);
  *n = list->n;
  *(void **)out = need((size_t)(list->n + 1)*size);
  for (int i = 0; i < list->n && s->d->wrong < 10; i++) if (read(s, w, list->part[i], i)) bad = REFUSED;
  return bad;
}

static int read_all(source *s, described *w)
{
  world_record r = {0};
  if (w->at->kind != ITEM_MAP) return document_wrong(s->d, w->at, "world is %s: write gravity, bodies and what joins them", item_what(w->at));
  if (fields_read(s, w->at, world_keys, &r) || read_gravity(s, r.gravity, w->gravity)) return REFUSED;
  w->settle = r.settle;
  if (!r.bodies || !r.bodies->n) return field_missing(s->d, r.bodies ? r.bodies : w->at, "the world", "bodies", "a list of them, each with a name and a mass");
  if (r.bodies->n > BODIES) return document_wrong(s->d, r.bodies, "there are %d bodies: the most is %d", r.bodies->n, BODIES);
  if (read_names(s, r.bodies) || read_list(s, w, r.bodies, "bodies", sizeof *w->body, &w->bodies, &w->body, read_body)) return REFUSED;
  int bad = read_list(s, w, r.loads, "loads", sizeof *w->load, &w->loads, &w->load, read_load);
  bad |= read_list(s, w, r.springs, "springs", sizeof *w->spring, &w->springs, &w->spring, read_spring);
  bad |= read_list(s, w, r.joints, "joints", sizeof *w->joint, &w->joints, &w->joint, read_joint);
  bad |= read_list(s, w, r.contacts, "contacts", sizeof *w->contact, &w->contacts, &w->contact, read_contact);
  return bad | read_shapes(s, w, r.shapes, shape_keys, EPI_GROUND) ? REFUSED : 0;
}

described *described_read(document *d, const item *world)
{
  described *w = need(sizeof *w);
  source s = {.d = d};
  w->at = world;
  int bad = read_all(&s, w) || described_finish(d, w);
  free(s.name);
  if (!bad) return w;
  described_free(w);
  return NULL;
}

void described_free(described *w)
{
  if (!w) return;
  for (int i = 0; w->body && i < w->bodies; i++) free(w->body[i].modal);
  for (int i = 0; w->load && i < w->loads; i++) course_free(w->load[i].factor);
  for (int i = 0; w->joint && i < w->joints; i++) { course_free(w->joint[i].angle); course_free(w->joint[i].speed); }
  for (int i = 0; w->contact && i < w->contacts; i++) free(w->contact[i].wave);
  for (int i = 0; i < w->names; i++) free(w->name[i]);
  void *lists[] = {w->body, w->load, w->spring, w->joint, w->contact, w->shape, w->observable, w->name};
  for (size_t i = 0; i < sizeof lists/sizeof *lists; i++) free(lists[i]);
  free(w);
}
