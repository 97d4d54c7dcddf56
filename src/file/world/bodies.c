/* bodies.c - bodies of a model file: their form, from which weight and moments may follow, their modes, and the shapes that are drawn */
#include "file/model-file.h"
#include <string.h>
#include <math.h>

static const char *const appearance_words[] = {
  [EPI_PLAIN] = "plain", [EPI_STEEL] = "steel", [EPI_BRASS] = "brass", [EPI_DARK] = "dark", [EPI_GLASS] = "glass",
  [EPI_BRIGHT] = "bright", NULL
};
static const char *const kind_words[] = {
  [EPI_BALL] = "ball", [EPI_BOX] = "box", [EPI_CYLINDER] = "cylinder", [EPI_CONE] = "cone", [EPI_RING] = "ring", [EPI_RACE] = "race",
  [EPI_CAGE] = "cage", [EPI_BAR] = "bar", [EPI_COIL] = "coil", [EPI_ARROW] = "arrow", [EPI_FLOOR] = "floor", NULL
};

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
const field epi_file_shape_keys[] = {{.name = "body", .kind = BODY, .at = offsetof(shape_record, body)}, SHAPE_KEYS, {0}};

typedef struct solid { double radius, length, inner, outer, width; } solid;
static const field cylinder_keys[] = {
  {.name = "radius", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, radius)},
  {.name = "length", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, length)},
  {0}
};
static const field ring_keys[] = {
  {.name = "inner", .kind = NOT_NEGATIVE, .unit = "m", .at = offsetof(solid, inner)},
  {.name = "outer", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, outer)},
  {.name = "width", .kind = POSITIVE, .unit = "m", .at = offsetof(solid, width)},
  {0}
};
static const field modes_keys[] = {{.name = "mass", .kind = OWN, .at = 0}, {.name = "stiffness", .kind = OWN, .at = 0},
                                   {.name = "damping", .kind = OWN, .at = 0}, {.name = "file", .kind = OWN, .at = 0}, {0}};
typedef struct body_record {
  epi_body body;
  double density, ball;
  int material, appearance, trail;
  const item *inertia, *box, *cylinder, *ring, *rotate, *modes, *shapes;
} body_record;
const field epi_file_body_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(body_record, body.name)},
  {.name = "ball", .kind = POSITIVE, .unit = "m", .at = offsetof(body_record, ball)},
  {.name = "box", .kind = OWN, .at = offsetof(body_record, box)},
  {.name = "cylinder", .kind = OWN, .at = offsetof(body_record, cylinder), .inner = cylinder_keys},
  {.name = "ring", .kind = OWN, .at = offsetof(body_record, ring), .inner = ring_keys},
  {.name = "material", .kind = WORD, .at = offsetof(body_record, material), .words = epi_file_materials},
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

/* ---- bodies ---- */
static int read_rotation(source *s, const item *it, int quaternion, double *q)
{
  rotation_told r = {.angle = NAN};
  if (!it) return 0;
  if (quaternion) return epi_document_wrong(s->d, it, "attitude and rotate are both given: take one of them away");
  if (it->kind != ITEM_MAP) return epi_document_wrong(s->d, it, "rotate is %s: write {axis: z, angle: 30 deg}", epi_item_what(it));
  if (epi_fields_read(s, it, rotate_keys, &r)) return REFUSED;
  if (!epi_item_of(it, "axis") || isnan(r.angle))
    return epi_field_missing(s->d, it, "rotate", isnan(r.angle) ? "angle" : "axis", "{axis: z, angle: 30 deg}");
  epi_file_turn_about(r.axis, r.angle, q);
  return 0;
}

static int read_solid(source *s, const item *map, const char *name, const field *f, solid *x)
{
  if (map->kind != ITEM_MAP)
    return epi_document_wrong(s->d, map, "%s is %s: write %s", name, epi_item_what(map), name[0] == 'c' ? "{radius: 0.1, length: 0.2}" :
                              "{inner: 0.1, outer: 0.2, width: 0.05}");
  if (epi_fields_read(s, map, f, x)) return REFUSED;
  for (; f->name; f++) if (!epi_item_of(map, f->name)) return epi_field_missing(s->d, map, name, f->name, "it in m");
  return name[0] == 'r' && !(x->outer > x->inner) ?
    epi_document_wrong(s->d, map, "the ring is %g inside and %g outside: write outer > inner", x->inner, x->outer) : 0;
}

/* the form of the body, from which its mass may follow, and its moments and looks do */
static int read_form(source *s, const item *it, body_record *r, body_told *b)
{
  solid x = {0};
  int forms = (r->ball > 0) + (r->box != NULL) + (r->cylinder != NULL) + (r->ring != NULL);
  epi_shape *f = &b->shape;
  if (forms > 1)
    return epi_document_wrong(s->d, it, "the body %s has %d forms: write one of ball, box, cylinder, ring; further ones are shapes",
                              r->body.name, forms);
  b->shaped = forms;
  if (r->ball > 0) { *f = (epi_shape){.kind = EPI_BALL, .size = {r->ball}}; b->radius = r->ball; }
  else if (r->box) {
    *f = (epi_shape){.kind = EPI_BOX};
    if (epi_field_numbers(s, r->box, "box", "m", 3, 3, f->size) < 0) return REFUSED;
    for (int i = 0; i < 3; i++)
      if (!(f->size[i] > 0)) return epi_document_wrong(s->d, r->box, "box: the length %g must be positive", f->size[i]);
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
  double density = r->density > 0 ? r->density : r->material >= 0 ? epi_file_density(r->material) : 0;
  epi_body *body = &b->body;
  if (body->mass > 0 && density > 0)
    return epi_document_wrong(s->d, epi_item_of(it, "mass"), "the body %s has a mass and a density or material: take one of them away",
                              body->name);
  if (!(body->mass > 0) && density > 0 && !b->shaped)
    return epi_document_wrong(s->d, it, "the body %s has a density and no form: write its mass, or a ball, box, cylinder or ring",
                              body->name);
  if (!(body->mass > 0) && density > 0) body->mass = density*epi_file_volume(&b->shape);
  if (!(body->mass > 0))
    return epi_field_missing(s->d, it, "the body", "mass", b->shaped ? "it in kg, or density or material" : "it in kg");
  if (r->inertia) {
    int list = r->inertia->kind == ITEM_LIST;
    if (list && epi_field_numbers(s, r->inertia, "inertia", "kg m^2", 3, 3, body->inertia) < 0) return REFUSED;
    if (!list && epi_field_number(s, r->inertia, "inertia", "kg m^2", body->inertia)) return REFUSED;
    if (!list) body->inertia[1] = body->inertia[2] = body->inertia[0];
    for (int i = 0; i < 3; i++)
      if (!(body->inertia[i] > 0)) return epi_document_wrong(s->d, r->inertia, "inertia: the moment %g must be positive", body->inertia[i]);
    /* Ix = sum m (y^2 + z^2), and so on around */
    for (int i = 0; i < 3; i++)
      if (body->inertia[i] > (1 + 1e-9)*(body->inertia[(i + 1)%3] + body->inertia[(i + 2)%3]))
        return epi_document_wrong(s->d, r->inertia,
                                  "inertia: the moment %g is larger than the other two together, which no body has: see its units",
                                    body->inertia[i]);
    return 0;
  }
  if (!b->shaped)
    return epi_field_missing(s->d, it, "the body", "inertia",
                             "[Ix, Iy, Iz] in kg m^2, or a ball, box, cylinder or ring from which it follows");
  epi_file_moments(&b->shape, body->mass, body->inertia);
  return 0;
}

static const double *pooled(document *d, const double *from, size_t n)
{
  double *to = epi_pool_room(&d->pool, n, sizeof *to);
  return to ? memcpy(to, from, n*sizeof *to) : NULL;
}

/* modes and their shapes from a file of their own, whose path is seen from the folder of this one */
static int modes_from(source *s, const item *map, const item *it, body_told *b)
{
  const char *slash = strrchr(s->d->path, '/');
  if (map->n != 1) return epi_document_wrong(s->d, map, "modes has a file and lists: write {file: ring.modes} alone");
  if (it->kind != ITEM_TEXT || !it->text[0]) return epi_document_wrong(s->d, it, "file needs the path of a file of modes");
  int folder = it->text[0] == '/' || !slash ? 0 : (int)(slash - s->d->path) + 1;
  const char *path = epi_pool_text(&s->d->pool, "%.*s%s", folder, s->d->path, it->text);
  epi_modes *m = path ? epi_modes_read(path) : NULL;
  epi_document_also(s->d, path);
  epi_mode_shapes *shapes = m ? epi_pool_room(&s->d->pool, 1, sizeof *shapes) : NULL;
  int bad = REFUSED;
  if (!shapes) s->d->pool.out = 1;
  if (shapes && m->error[0]) epi_document_wrong(s->d, it, "%s", m->error);
  else if (shapes) {
    size_t n = (size_t)m->modes, points = (size_t)m->shapes.points;
    b->body.modes = m->modes;
    b->body.modal_mass = pooled(s->d, m->mass, n);
    b->body.modal_stiffness = pooled(s->d, m->stiffness, n);
    b->body.modal_damping = pooled(s->d, m->damping, n);
    *shapes = (epi_mode_shapes){.points = m->shapes.points, .at = pooled(s->d, m->shapes.at, 3*points),
                                .shape = pooled(s->d, m->shapes.shape, 3*points*n)};
    b->body.shapes = shapes;
    bad = s->d->pool.out ? REFUSED : 0;
  }
  epi_modes_free(m);
  return bad;
}

static int read_modes(source *s, const item *it, body_told *b)
{
  static const struct { const char *key, *unit; } rows[] = {{"stiffness", "N/m"}, {"mass", "kg"}, {"damping", "N s/m"}};
  if (!it) return 0;
  if (it->kind == ITEM_MAP && epi_item_of(it, "file")) return modes_from(s, it, epi_item_of(it, "file"), b);
  const item *k = epi_item_of(it, "stiffness");
  if (!k || k->kind != ITEM_LIST || !k->n || k->n > 100)
    return epi_document_wrong(s->d, it, "modes needs a list of stiffnesses: write {mass: [1], stiffness: [1e6], damping: [0]}");
  int n = k->n;
  if (!(b->modal = epi_pool_room(&s->d->pool, 3*(size_t)n, sizeof *b->modal))) return REFUSED;
  for (int i = 0; i < n; i++) b->modal[n + i] = 1;
  for (int r = 0; r < 3; r++) {
    const item *row = epi_item_of(it, rows[r].key);
    if (row && epi_field_numbers(s, row, rows[r].key, rows[r].unit, n, n, b->modal + r*n) < 0) return REFUSED;
    for (int i = 0; row && i < n; i++)
      if (b->modal[r*n + i] < 0 || (r == 1 && !(b->modal[r*n + i] > 0)))
        return epi_document_wrong(s->d, row, "modes: %s = %g must be positive", rows[r].key, b->modal[r*n + i]);
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
  if (epi_fields_read(s, it, keys, &r)) return REFUSED;
  if (r.kind < 0) {
    char all[300] = "one of ";
    epi_field_words(kind_words, all + 7, sizeof all - 7);
    return epi_field_missing(s->d, it, "a shape", "kind", all);
  }
  if (!r.size && r.kind != EPI_ARROW) return epi_field_missing(s->d, it, "a shape", "size", "its lengths in m, in brackets");
  if (r.size && epi_field_numbers(s, r.size, "size", "m", 1, 5, r.shape.size) < 0) return REFUSED;
  if (read_rotation(s, r.rotate, epi_item_of(it, "attitude") != NULL, r.shape.attitude)) return REFUSED;
  r.shape.kind = r.kind;
  shape_told *more = epi_pool_more(&s->d->pool, w->shape, w->shapes, &w->room, sizeof *more);
  if (!more) return REFUSED;
  w->shape = more;
  w->shape[w->shapes++] = (shape_told){.at = it, .body = r.body, .shape = r.shape};
  return 0;
}

int epi_file_shapes_read(source *s, described *w, const item *list, const field *keys, int body)
{
  int bad = 0;
  if (list && w->shapes + list->n > THINGS) return epi_document_wrong(s->d, list, "there are more than %d shapes", THINGS);
  for (int i = 0; list && i < list->n; i++) bad |= read_shape(s, w, list->part[i], keys, body);
  return bad;
}

int epi_file_body_read(source *s, described *w, const item *it, int i)
{
  body_record r = {.material = -1};
  body_told *b = &w->body[i];
  b->at = it;
  if (epi_fields_read(s, it, epi_file_body_keys, &r)) return REFUSED;
  b->body = r.body;
  if (read_form(s, it, &r, b) || read_weight(s, it, &r, b) || read_modes(s, r.modes, b)) return REFUSED;
  return read_rotation(s, r.rotate, epi_item_of(it, "attitude") != NULL, b->body.attitude) || epi_file_shapes_read(s, w, r.shapes,
      body_shape_keys, i) ? REFUSED : 0;
}
