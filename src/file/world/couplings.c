/* couplings.c - gears, racks, belts and screws of a model file: axes of joints that go together */
#include "file/model-file.h"
#include <math.h>
#include <string.h>


coupling_told *epi_file_new_coupling(source *s, described *w, const item *it)
{
  coupling_told *all = epi_pool_more(&s->d->pool, w->coupling, w->couplings, &w->coupling_room, sizeof *all);
  if (!all) return NULL;
  w->coupling = all;
  all[w->couplings] = (coupling_told){.at = it};
  return &all[w->couplings++];
}

typedef struct coupled_record {
  const char *name;
  int a, b, crossed;
  double pressure;
  const item *hold, *joints, *ratio, *teeth, *radius, *radii;
} coupled_record;
static const field keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(coupled_record, name)},
  {.name = "hold", .kind = OWN, .at = offsetof(coupled_record, hold)},
  {.name = "a", .kind = BODY, .at = offsetof(coupled_record, a)},
  {.name = "b", .kind = BODY, .at = offsetof(coupled_record, b)},
  {.name = "joints", .kind = OWN, .at = offsetof(coupled_record, joints)},
  {.name = "ratio", .kind = OWN, .at = offsetof(coupled_record, ratio)},
  {.name = "teeth", .kind = OWN, .at = offsetof(coupled_record, teeth)},
  {.name = "radius", .kind = OWN, .at = offsetof(coupled_record, radius)},
  {.name = "radii", .kind = OWN, .at = offsetof(coupled_record, radii)},
  {.name = "crossed", .kind = FLAG, .at = offsetof(coupled_record, crossed)},
  {.name = "pressure", .kind = NUMBER, .unit = "rad", .at = offsetof(coupled_record, pressure)},
  {0}
};

/* ---- which axes ---- */
/* its angle, or its way; 0: it has none, or several */
static int axis_of(const joint_told *j, int turn)
{
  int set = epi_joint_free(&j->joint) & (turn ? EPI_TURNS : EPI_POINT);
  return set & (set - 1) ? 0 : set;
}

static int joint_named(const described *w, const char *name)
{
  for (int i = 0; i < w->joints; i++) {
    char number[32];
    snprintf(number, sizeof number, "joint%d", i + 1);
    if (!strcmp(w->joint[i].joint.name ? w->joint[i].joint.name : number, name)) return i;
  }
  return -1;
}

/* one end, by the name of its joint */
static int end_named(source *s, const described *w, const item *it, int turn, coupling_told *c, int k)
{
  int i = it->kind == ITEM_TEXT ? joint_named(w, it->text) : -1;
  if (i < 0)
    return epi_document_wrong(s->d, it, "there is no joint %.40s: write the names of two joints, as in [shaft1, shaft2]",
                              it->kind == ITEM_TEXT ? it->text : "of that name");
  c->coupling.term[k].joint = i;
  if ((c->coupling.term[k].axis = axis_of(&w->joint[i], turn))) return 0;
  return epi_document_wrong(s->d, it, turn ? "the joint %.40s turns about no axis: take a hinge" :
                            "the joint %.40s has no way to go: take a slider", it->text);
}

/* or by its body: the joint that lets it turn, or go; from the other side the angle is the other way round */
static int end_of(source *s, const described *w, const item *it, int body, int turn, coupling_told *c, int k)
{
  int found = -1;
  for (int i = 0; i < w->joints; i++) {
    const epi_joint *j = &w->joint[i].joint;
    if ((j->a != body && j->b != body) || !axis_of(&w->joint[i], turn)) continue;
    /* that on which it is a is its own */
    if (found < 0 || (w->joint[found].joint.a != body && j->a == body)) found = i;
    else if (j->a == body)
      return epi_document_wrong(s->d, it, "%s has several joints that could be meant: write joints: with the names of two", it->text);
  }
  if (found < 0)
    return epi_document_wrong(s->d, it, turn ? "%.40s turns about no axis: give it a hinge, or name two joints" :
                              "%.40s has no way to go: give it a slider, or name two joints", it->text);
  c->coupling.term[k].joint = found;
  c->coupling.term[k].axis = axis_of(&w->joint[found], turn);
  c->coupling.term[k].factor = w->joint[found].joint.a == body ? 1 : -1;
  return 0;
}

static int read_ends(source *s, const described *w, const item *it, const coupled_record *r, coupling_told *c, const int turn[2])
{
  c->coupling.terms = 2;
  c->coupling.term[0].factor = c->coupling.term[1].factor = 1;
  if (r->joints) {
    if (epi_item_of(it, "a") || epi_item_of(it, "b"))
      return epi_document_wrong(s->d, r->joints, "joints and a or b are both given: take one of them away");
    if (r->joints->kind != ITEM_LIST || r->joints->n != 2)
      return epi_document_wrong(s->d, r->joints, "joints is %s: write the names of two, as in [shaft1, shaft2]", epi_item_what(r->joints));
    for (int k = 0; k < 2; k++) if (end_named(s, w, r->joints->part[k], turn[k], c, k)) return REFUSED;
  } else {
    if (!epi_item_of(it, "a") || !epi_item_of(it, "b") || r->a < 0 || r->b < 0)
      return epi_field_missing(s->d, it, epi_item_of(it, "hold")->text, "joints", "the names of its two joints, or its bodies as a and b");
    if (end_of(s, w, epi_item_of(it, "a"), r->a, turn[0], c, 0) || end_of(s, w, epi_item_of(it, "b"), r->b, turn[1], c, 1)) return REFUSED;
  }
  if (c->coupling.term[0].joint == c->coupling.term[1].joint)
    return epi_document_wrong(s->d, it, "both ends are the joint %s: take two joints", w->joint[c->coupling.term[0].joint].joint.name ?
                              w->joint[c->coupling.term[0].joint].joint.name : "of one body");
  return 0;
}

/* do the axes of both ends point the same way at the start? 1, -1; 0: they are not parallel */
static int same_way(const described *w, const coupling_told *c)
{
  double u[2][3];
  for (int k = 0; k < 2; k++) {
    const epi_joint *j = &w->joint[c->coupling.term[k].joint].joint;
    int axis = c->coupling.term[k].axis, n = axis == EPI_RX ? 0 : axis == EPI_RY ? 1 : 2;
    double q[4], x, y, z, o;
    epi_file_frame_out(epi_file_body(w, j->b), j->frame_b, q);
    o = q[0], x = q[1], y = q[2], z = q[3];
    const double R[9] = {1 - 2*(y*y + z*z), 2*(x*y - o*z), 2*(x*z + o*y), 2*(x*y + o*z), 1 - 2*(x*x + z*z), 2*(y*z - o*x),
                         2*(x*z - o*y), 2*(y*z + o*x), 1 - 2*(x*x + y*y)};
    for (int i = 0; i < 3; i++) u[k][i] = R[3*i + n];
  }
  double dot = u[0][0]*u[1][0] + u[0][1]*u[1][1] + u[0][2]*u[1][2];
  return dot > 0.999 ? 1 : dot < -0.999 ? -1 : 0;
}

/* ---- how they go together ---- */
/* two numbers, none of them zero */
static int read_two(source *s, const item *it, const char *name, const char *unit, double *x)
{
  if (epi_field_numbers(s, it, name, unit, 2, 2, x) < 0) return REFUSED;
  for (int i = 0; i < 2; i++)
    if (!(x[i] != 0)) return epi_document_wrong(s->d, it, "%s: one of them is zero, and nothing would turn: write two that are not", name);
  return 0;
}

static int not_parallel(source *s, const item *it)
{
  return epi_document_wrong(s->d, it, "the axes are not parallel, so nobody knows which way round they turn: write ratio, with its sign");
}

static const char *body_name(const described *w, int body)
{
  const char *name = body < 0 ? "the ground" : w->body[body].body.name;
  return name ? name : "a body without a name";
}

/* angles of wheels that two bodies hold are told from these, and how they go together hangs on how these move: a planet beside a sun that
   the ground holds does not turn as the teeth say. A rack may also be what its pinion runs along, on a cart */
static int held_by_one(source *s, const described *w, const item *it, const coupling_told *c, const char *what)
{
  const int rack = !strcmp(what, "rack");
  int holder[2];
  for (int k = 0; k < 2; k++) {
    const epi_joint *j = &w->joint[c->coupling.term[k].joint].joint;
    holder[k] = c->coupling.term[k].factor < 0 ? j->a : j->b;
    if (rack && k == 1 && j->a == holder[0]) return 0;
  }
  if (holder[0] == holder[1]) return 0;
  const char *end[2], *joint[2];
  for (int k = 0; k < 2; k++) {
    const epi_joint *j = &w->joint[c->coupling.term[k].joint].joint;
    end[k] = body_name(w, c->coupling.term[k].factor < 0 ? j->b : j->a);
    joint[k] = j->name ? j->name : "without a name";
  }
  return epi_document_wrong(s->d, it, "%s is held by %s (joint %s), and %s by %s (joint %s), and one body holds both ends of a %s: name "
                            "another body or joint for one end, or let both joints have the same b%s", end[0], body_name(w, holder[0]),
                            joint[0], end[1], body_name(w, holder[1]), joint[1], what,
                            !strcmp(what, "gear") ? ", as sun and planet their carrier, or write ratio" : "");
}

/* teeth push where the pitch circles meet: known of wheels side by side that are held by one body */
static int meshes(const described *w, const coupling_told *c)
{
  const epi_joint *one = &w->joint[c->coupling.term[0].joint].joint, *two = &w->joint[c->coupling.term[1].joint].joint;
  double x[3], y[3], sum = fabs(c->coupling.term[0].factor + same_way(w, c)*c->coupling.term[1].factor);
  if (one->b != two->b || !same_way(w, c) || !(sum > 1e-12*fabs(c->coupling.term[0].factor))) return 0;
  epi_file_out_of(epi_file_body(w, one->a), one->at_a, x);
  epi_file_out_of(epi_file_body(w, two->a), two->at_a, y);
  return epi_file_distance(x, y) > 0;
}

/* z1 times the one angle and z2 times the other, from outside; a ring with teeth inside has a negative number of them */
static int read_gear(source *s, const described *w, const item *it, const coupled_record *r, coupling_told *c)
{
  double x[2];
  if (!r->ratio == !r->teeth)
    return r->ratio ? epi_document_wrong(s->d, r->ratio, "ratio and teeth are both given: take one of them away") :
      epi_field_missing(s->d, it, "a gear", "teeth", "teeth: [z1, z2], or ratio: how many times the second the first turns");
  if (r->teeth) {
    if (read_two(s, r->teeth, "teeth", "", x)) return REFUSED;
    for (int k = 0; k < 2; k++)
      if (!epi_is_whole(x[k]) || fabs(x[k]) < 1)
        return epi_document_wrong(s->d, r->teeth, "teeth = %g: write a whole number of teeth, or ratio instead of teeth", x[k]);
    int same = same_way(w, c);
    if (!same) return not_parallel(s, r->teeth);
    if (held_by_one(s, w, it, c, "gear")) return REFUSED;
    c->coupling.term[0].factor *= x[0];
    c->coupling.term[1].factor *= same*x[1];
    return 0;
  }
  if (epi_field_number(s, r->ratio, "ratio", "", &x[0])) return REFUSED;
  if (!(x[0] != 0)) return epi_document_wrong(s->d, r->ratio, "ratio = 0 would hold the first and leave the second: write another number");
  c->coupling.term[1].factor *= -x[0];
  return 0;
}

static int read_rack(source *s, const described *w, const item *it, const coupled_record *r, coupling_told *c)
{
  double x;
  if (!r->radius) return epi_field_missing(s->d, it, "a rack", "radius", "that of the pinion; negative, the rack goes the other way");
  if (epi_field_number(s, r->radius, "radius", "m", &x)) return REFUSED;
  if (!(x != 0)) return epi_document_wrong(s->d, r->radius, "radius = 0 moves no rack: write another number");
  if (held_by_one(s, w, it, c, "rack")) return REFUSED;
  c->coupling.term[0].factor *= -x;
  return 0;
}

static int read_belt(source *s, const described *w, const item *it, const coupled_record *r, coupling_told *c)
{
  double x[2];
  if (!r->radii) return epi_field_missing(s->d, it, "a belt", "radii", "those of its two pulleys");
  if (read_two(s, r->radii, "radii", "m", x)) return REFUSED;
  if (!(x[0] > 0 && x[1] > 0)) return epi_document_wrong(s->d, r->radii, "radii are above zero: write crossed: yes for a crossed belt");
  int same = same_way(w, c);
  if (!same) return not_parallel(s, r->radii);
  if (held_by_one(s, w, it, c, "belt")) return REFUSED;
  c->coupling.term[0].factor *= x[0];
  c->coupling.term[1].factor *= (r->crossed ? 1 : -1)*same*x[1];
  return 0;
}

/* what does not belong to the kind is refused, not left unread */
static int stranger(source *s, const item *it, int hold)
{
  static const struct { const char *key; int hold; } own[] = {
    {"ratio", HOLD_GEAR}, {"teeth", HOLD_GEAR}, {"radius", HOLD_RACK}, {"radii", HOLD_BELT}, {"crossed", HOLD_BELT},
    {"pressure", HOLD_GEAR}
  };
  for (size_t i = 0; i < sizeof own/sizeof *own; i++)
    if (own[i].hold != hold && epi_item_of(it, own[i].key))
      return epi_document_wrong(s->d, epi_item_of(it, own[i].key), "%s does not belong to a %s: take it away", own[i].key,
                                epi_item_of(it, "hold")->text);
  return 0;
}

int epi_file_coupling_read(source *s, described *w, const item *it, int i)
{
  const item *hold = epi_item_of(it, "hold");
  coupled_record r = {.a = EPI_GROUND, .b = EPI_GROUND};
  kind k = {.plain = 1};
  (void)i;
  if (!hold || hold->kind != ITEM_TEXT || !epi_kind_of(s->d, &epi_joint_family, hold->text, &k) || !(k.hold & HOLD_COUPLED)) return 0;
  const int turn[2] = {1, k.hold != HOLD_RACK};
  if (epi_fields_known(s->d, it, hold->text, keys) || epi_fields_read(s, it, keys, &r) || stranger(s, it, k.hold)) return REFUSED;
  coupling_told *c = epi_file_new_coupling(s, w, it);
  if (!c) return REFUSED;
  c->coupling.name = r.name;
  c->coupling.from_start = 1;
  if (read_ends(s, w, it, &r, c, turn)) return REFUSED;
  if (k.hold == HOLD_GEAR) {
    if (read_gear(s, w, it, &r, c)) return REFUSED;
    c->coupling.mesh = meshes(w, c);
    c->coupling.pressure = r.pressure;
    if (!(fabs(r.pressure) < 1.2))
      return epi_document_wrong(s->d, epi_item_of(it, "pressure"), "pressure = %g rad is no angle of teeth: write one as 20 deg",
                                r.pressure);
    return epi_item_of(it, "pressure") && !c->coupling.mesh ?
      epi_document_wrong(s->d, epi_item_of(it, "pressure"), "pressure is of wheels side by side on one body: take it away") : 0;
  }
  return k.hold == HOLD_RACK ? read_rack(s, w, it, &r, c) : read_belt(s, w, it, &r, c);
}

/* a screw is a cylindrical joint whose way follows its turn: lead a turn */
int epi_file_screw(source *s, described *w, const item *it, int joint)
{
  const item *lead = epi_item_of(it, "lead");
  double x;
  if (!lead) return epi_field_missing(s->d, it, "a screw", "lead", "how far it goes in a turn; negative: of a left-handed one");
  if (epi_field_number(s, lead, "lead", "m", &x)) return REFUSED;
  if (!(x != 0)) return epi_document_wrong(s->d, lead, "lead = 0 is no screw: write another number, or hold: hinge");
  coupling_told *c = epi_file_new_coupling(s, w, it);
  if (!c) return REFUSED;
  c->screw = 1;
  c->coupling = (epi_coupling){.terms = 2, .term = {{joint, EPI_Z, 1}, {joint, EPI_RZ, -x/EPI_TURN}}, .from_start = 1};
  return 0;
}
