/* world.c - a model made of bodies: what the file says of loads and springs, and the lists of all of them */
#include "file/model-file.h"
#include <string.h>

/* ---- keys, in the order in which they are written ---- */
typedef struct load_record { epi_applied_force load; const item *kind, *factor, *force, *torque, *along, *unbalance; } load_record;
static const field load_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(load_record, load.name)},
  {.name = "kind", .kind = OWN, .at = offsetof(load_record, kind)},
  {.name = "body", .kind = BODY, .at = offsetof(load_record, load.body)},
  {.name = "force", .of = "force", .kind = OWN, .at = offsetof(load_record, force)},
  {.name = "torque", .of = "torque", .kind = OWN, .at = offsetof(load_record, torque)},
  {.name = "along", .of = "force", .kind = OWN, .at = offsetof(load_record, along)},
  {.name = "unbalance", .of = "force", .kind = OWN, .at = offsetof(load_record, unbalance)},
  {.name = "at", .of = "at", .kind = VECTOR, .unit = "m", .at = offsetof(load_record, load.at)},
  {.name = "factor", .kind = OWN, .at = offsetof(load_record, factor), .inner = epi_course_keys},
  {0}
};
typedef struct spring_record { epi_spring spring; const item *kind, *motion; } spring_record;
static const field spring_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(spring_record, spring.name)},
  {.name = "kind", .kind = OWN, .at = offsetof(spring_record, kind)},
  {.name = "a", .kind = BODY, .at = offsetof(spring_record, spring.a)},
  {.name = "b", .kind = BODY, .at = offsetof(spring_record, spring.b)},
  {.name = "at_a", .of = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(spring_record, spring.at_a)},
  {.name = "at_b", .of = "at_b", .kind = VECTOR, .unit = "m", .at = offsetof(spring_record, spring.at_b)},
  {.name = "length", .of = "length", .kind = NOT_NEGATIVE, .unit = "m", .at = offsetof(spring_record, spring.length)},
  {.name = "stiffness", .of = "stiffness", .kind = NOT_NEGATIVE, .unit = "N/m", .at = offsetof(spring_record, spring.stiffness)},
  {.name = "damping", .of = "damping", .kind = NOT_NEGATIVE, .unit = "N s/m", .at = offsetof(spring_record, spring.damping)},
  {.name = "stiff", .kind = FLAG, .at = offsetof(spring_record, spring.stiff)},
  {.name = "motion", .of = "at_b", .kind = OWN, .at = offsetof(spring_record, motion), .inner = epi_motion_keys},
  {0}
};
typedef struct world_record {
  int settle;
  const item *gravity, *motion, *phase, *tables, *bodies, *loads, *springs, *joints, *contacts, *shapes;
} world_record;
const field epi_file_world_keys[] = {
  {.name = "gravity", .kind = OWN, .at = offsetof(world_record, gravity)},
  {.name = "motion", .kind = OWN, .at = offsetof(world_record, motion), .inner = epi_motion_keys},
  {.name = "phase", .kind = OWN, .at = offsetof(world_record, phase), .inner = epi_phase_keys},
  {.name = "tables", .kind = OWN, .at = offsetof(world_record, tables)},
  {.name = "bodies", .kind = ITEMS, .at = offsetof(world_record, bodies), .inner = epi_file_body_keys},
  {.name = "loads", .kind = ITEMS, .at = offsetof(world_record, loads), .inner = load_keys, .kinds = &epi_load_family},
  {.name = "springs", .kind = ITEMS, .at = offsetof(world_record, springs), .inner = spring_keys, .kinds = &epi_spring_family},
  {.name = "joints", .kind = ITEMS, .at = offsetof(world_record, joints), .inner = epi_file_joint_keys, .kinds = &epi_joint_family},
  {.name = "contacts", .kind = ITEMS, .at = offsetof(world_record, contacts), .inner = epi_file_contact_keys, .kinds = &epi_contact_family},
  {.name = "shapes", .kind = ITEMS, .at = offsetof(world_record, shapes), .inner = epi_file_shape_keys},
  {.name = "settle", .kind = FLAG, .at = offsetof(world_record, settle)},
  {0}
};

/* the names first: what acts speaks of them */
static int read_names(source *s, const item *list)
{
  for (int i = 0; i < list->n; i++) {
    const item *it = epi_item_of(list->part[i], "name");
    if (!it || it->kind != ITEM_TEXT || !it->text[0])
      return epi_field_missing(s->d, list->part[i], "a body", "name", "one, as in name: ball");
    if (!strcmp(it->text, "ground")) return epi_document_wrong(s->d, it, "no body can be called ground: that is what does not move");
    int twice = epi_names_add(&s->d->pool, &s->body, it->text);
    if (twice < 0) return REFUSED;
    if (twice) return epi_document_wrong(s->d, it, "two bodies are called '%.40s': give each its own name", it->text);
  }
  return 0;
}

static double *load_place(void *record, const char *name, int *n) { return epi_load_param(record, name, n); }
static double *spring_place(void *record, const char *name, int *n) { return epi_spring_param(record, name, n); }

static int read_load(source *s, described *w, const item *it, int i)
{
  load_record r = {.load.body = EPI_GROUND};
  load_told *l = &w->load[i];
  kind k;
  l->at = it;
  if (epi_kind_read(s, it, &epi_load_family, &k)) return REFUSED;
  const field *keys = epi_kind_keys(s->d, load_keys, &k);
  if (epi_fields_read(s, it, keys, &r)) return REFUSED;
  l->load = r.load;
  l->load.kind = k.load;
  if (r.load.body < 0) return epi_field_missing(s->d, it, "a load", "body", "the body it acts on");
  int force = epi_kind_param(&k, "force"), torque = epi_kind_param(&k, "torque");
  if (force && torque && !r.force && !r.torque && !r.unbalance)
    return epi_field_missing(s->d, it, "a load", "force", "a force in N, or a torque in N m");
  if (epi_params_read(s, it, &k, keys, load_place, &l->load, &l->load.own)) return REFUSED;
  if (r.factor && !(l->factor = epi_course_read(s, r.factor, "factor", ""))) return REFUSED;
  if (k.load == epi_load_kinds()[0] && epi_file_law(s, it, l)) return REFUSED;
  if (l->law) return 0;
  if (l->factor && l->factor->formula)
    return epi_document_wrong(s->d, r.factor, "a %s has no factor by a formula: give points or an oscillation", k.name);
  if (r.force && force && epi_field_numbers(s, r.force, "force", "N", 3, 3, l->load.force) < 0) return REFUSED;
  return r.torque && torque && epi_field_numbers(s, r.torque, "torque", "N m", 3, 3, l->load.torque) < 0 ? REFUSED : 0;
}

static int read_spring(source *s, described *w, const item *it, int i)
{
  spring_record r = {.spring = {.a = EPI_GROUND, .b = EPI_GROUND}};
  epi_spring *one = &w->spring[i].spring;
  kind k;
  w->spring[i].at = it;
  if (epi_kind_read(s, it, &epi_spring_family, &k)) return REFUSED;
  const field *keys = epi_kind_keys(s->d, spring_keys, &k);
  if (epi_fields_read(s, it, keys, &r) || epi_file_ends_read(s, it, "a spring", r.spring.a, r.spring.b)) return REFUSED;
  if (epi_file_motion(s, r.motion, &w->spring[i].moved)) return REFUSED;
  *one = r.spring;
  one->kind = k.load;
  one->stiff = epi_file_stiff(it, one->stiff);
  if (epi_kind_param(&k, "stiffness") && epi_kind_param(&k, "damping") && !epi_item_of(it, "stiffness") && !epi_item_of(it, "damping"))
    return epi_field_missing(s->d, it, "a spring", "stiffness", "it in N/m");
  if (epi_params_read(s, it, &k, keys, spring_place, one, &one->own)) return REFUSED;
  /* not stretched at the start */
  if (!epi_item_of(it, "length") && epi_kind_param(&k, "length") && !(one->length > 0))
    one->length = epi_file_apart(w, one->a, one->at_a, one->b, one->at_b);
  return 0;
}

/* ---- the whole ---- */
static int read_gravity(source *s, const item *it, double *g)
{
  if (!it) return 0;
  if (it->kind == ITEM_LIST) return epi_field_numbers(s, it, "gravity", "m/s^2", 3, 3, g) < 0 ? REFUSED : 0;
  if (epi_field_number(s, it, "gravity", "m/s^2", &g[2])) return REFUSED;
  g[2] = -g[2];
  return 0;
}

/* NULL: there are none, or too many, or there is no memory: then that was said */
static void *room_for(source *s, const item *list, const char *what, int most, size_t size, int *n)
{
  if (!list) return NULL;
  if (list->n > most) return epi_document_wrong(s->d, list, "there are %d %s: the most is %d", list->n, what, most), NULL;
  void *room = epi_pool_room(&s->d->pool, (size_t)list->n + 1, size);
  *n = room ? list->n : 0;
  return room;
}

static void read_each(source *s, described *w, const item *list, int n, int (*read)(source *, described *, const item *, int))
{
  for (int i = 0; i < n && s->d->wrong < 10; i++) read(s, w, list->part[i], i);
}

static int read_bodies(source *s, described *w, const item *list)
{
  if (!list || !list->n)
    return epi_field_missing(s->d, list ? list : w->at, "the world", "bodies", "a list of them, each with a name and a mass");
  w->body = room_for(s, list, "bodies", BODIES, sizeof *w->body, &w->bodies);
  if (!w->body || read_names(s, list)) return REFUSED;
  read_each(s, w, list, w->bodies, epi_file_body_read);
  return s->d->wrong || s->d->pool.out ? REFUSED : 0;
}

static int read_all(source *s, described *w)
{
  world_record r = {0};
  if (w->at->kind != ITEM_MAP)
    return epi_document_wrong(s->d, w->at, "world is %s: write gravity, bodies and what joins them", epi_item_what(w->at));
  if (epi_fields_read(s, w->at, epi_file_world_keys, &r) || read_gravity(s, r.gravity, w->gravity)) return REFUSED;
  w->settle = r.settle;
  if (epi_file_tables(s, r.tables) || epi_file_phase(s, w, r.phase) || epi_file_motion(s, r.motion, &w->shaking)) return REFUSED;
  if (read_bodies(s, w, r.bodies)) return REFUSED;
  w->load = room_for(s, r.loads, "loads", THINGS, sizeof *w->load, &w->loads);
  read_each(s, w, r.loads, w->loads, read_load);
  w->spring = room_for(s, r.springs, "springs", THINGS, sizeof *w->spring, &w->springs);
  read_each(s, w, r.springs, w->springs, read_spring);
  w->joint = room_for(s, r.joints, "joints", THINGS, sizeof *w->joint, &w->joints);
  int joints = w->joints;
  w->joints = 0;
  read_each(s, w, r.joints, joints, epi_file_joint_read);
  read_each(s, w, r.joints, joints, epi_file_coupling_read);
  w->contact = room_for(s, r.contacts, "contacts", THINGS, sizeof *w->contact, &w->contacts);
  read_each(s, w, r.contacts, w->contacts, epi_file_contact_read);
  epi_file_shapes_read(s, w, r.shapes, epi_file_shape_keys, EPI_GROUND);
  if (!s->d->wrong && !s->d->pool.out) epi_file_find_phase(s, w);
  if (!s->d->wrong && !s->d->pool.out) epi_file_ground_is_smooth(s, w);
  if (!s->d->wrong && !s->d->pool.out) epi_file_mark_friction(w);
  return s->d->wrong || s->d->pool.out ? REFUSED : 0;
}

described *epi_described_read(document *d, const item *world)
{
  described *w = epi_pool_room(&d->pool, 1, sizeof *w);
  source s = {.d = d};
  if (!w) return NULL;
  w->at = world;
  w->document = d;
  w->again = epi_described_read;
  int bad = read_all(&s, w);
  w->in_time = s.in_time;
  return bad || epi_described_finish(d, w) ? NULL : w;
}
