/* joints.c - joints of a model file: what they hold, where, and what drives them. Points and axes in space are those of the start */
#include "file/model-file.h"
#include <math.h>
#include <string.h>

static const char *const as_words[] = {[EPI_PENALTY] = "penalty", [EPI_CONSTRAINT] = "constraint", NULL};

typedef struct joint_record {
  epi_joint joint;
  double at[3], axis[3], cross[3];
  const char *frame;
  const item *hold, *stiffness, *damping, *length, *speed, *angle, *motion, *points, *spring, *limits, *motor, *other;
} joint_record;
const field epi_file_joint_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(joint_record, joint.name)},
  {.name = "a", .kind = BODY, .at = offsetof(joint_record, joint.a)},
  {.name = "b", .kind = BODY, .at = offsetof(joint_record, joint.b)},
  {.name = "hold", .kind = OWN, .at = offsetof(joint_record, hold)},
  {.name = "as", .kind = WORD, .at = offsetof(joint_record, joint.as), .words = as_words},
  {.name = "at", .of = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, at)},
  {.name = "axis", .of = "frame_a", .kind = DIRECTION, .at = offsetof(joint_record, axis)},
  {.name = "cross", .of = "cross", .kind = DIRECTION, .at = offsetof(joint_record, cross)},
  {.name = "at_a", .of = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, joint.at_a)},
  {.name = "at_b", .of = "at_b", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, joint.at_b)},
  {.name = "frame_a", .of = "frame_a", .kind = QUATERNION, .at = offsetof(joint_record, joint.frame_a)},
  {.name = "frame_b", .of = "frame_b", .kind = QUATERNION, .at = offsetof(joint_record, joint.frame_b)},
  {.name = "length", .of = "length", .kind = OWN, .at = offsetof(joint_record, length), .inner = epi_course_keys},
  {.name = "lead", .of = "lead", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "radius", .of = "radius", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "points", .of = "at_b", .kind = OWN, .at = offsetof(joint_record, points)},
  {.name = "closed", .of = "at_b", .kind = FLAG, .at = offsetof(joint_record, joint.closed)},
  {.name = "joints", .of = "joints", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "ratio", .of = "joints", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "teeth", .of = "joints", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "radii", .of = "joints", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "crossed", .of = "joints", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "pressure", .of = "joints", .kind = OWN, .at = offsetof(joint_record, other)},
  {.name = "stiffness", .kind = OWN, .at = offsetof(joint_record, stiffness)},
  {.name = "damping", .kind = OWN, .at = offsetof(joint_record, damping)},
  {.name = "speed", .of = "speed", .kind = OWN, .at = offsetof(joint_record, speed), .inner = epi_course_keys},
  {.name = "angle", .of = "speed", .kind = OWN, .at = offsetof(joint_record, angle), .inner = epi_course_keys},
  {.name = "motion", .of = "at_b", .kind = OWN, .at = offsetof(joint_record, motion), .inner = epi_motion_keys},
  {.name = "spring", .of = "frame_b", .kind = OWN, .at = offsetof(joint_record, spring), .inner = epi_axis_spring_keys},
  {.name = "limits", .of = "frame_b", .kind = OWN, .at = offsetof(joint_record, limits), .inner = epi_axis_limit_keys},
  {.name = "motor", .of = "frame_b", .kind = OWN, .at = offsetof(joint_record, motor), .inner = epi_axis_motor_keys},
  {.name = "frame", .kind = TEXT, .at = offsetof(joint_record, frame)},
  {0}
};

/* a list of what is held, or one word: a direction, or a kind */
static int read_hold(source *s, const item *map, const item *it, kind *k)
{
  kind one;
  if (it->kind != ITEM_LIST) return epi_kind_read(s, map, &epi_joint_family, k);
  if (!it->n) return epi_document_wrong(s->d, it, "hold is an empty list: write what is held, as in hinge or [x, y, rz]");
  *k = (kind){.name = "held", .params = epi_joint_kinds()[0]->params, .plain = 1};
  for (int i = 0; i < it->n; i++) {
    const char *const *words = epi_kind_words(s->d, &epi_joint_family);
    const item *part = it->part[i];
    if (!words || epi_field_word(s, part, "hold", words) < 0 || !epi_kind_of(s->d, &epi_joint_family, part->text, &one)) return REFUSED;
    if (!one.plain || (one.joint && one.joint->rows) || one.hold & ~EPI_ALL)
      return epi_document_wrong(s->d, part, "a %s is no direction that could be held with others: write hold: %s", one.name, one.name);
    k->hold |= one.hold;
  }
  return 0;
}

/* as the world counts them: the rows of the record, or what hold says */
static void count_rows(joint_told *j)
{
  const epi_joint_kind *k = j->joint.kind;
  /* more than there can be: the world refuses it */
  j->rows = k && k->rows > 0 && k->rows <= 6 ? k->rows : 0;
  j->turns = k ? k->turns : 0;
  for (int i = 0; !(k && k->rows) && i < 6; i++) if (j->joint.hold >> i & 1) j->turns |= (i >= 3 ? 1u : 0) << j->rows++;
  j->turns &= (1u << j->rows) - 1;
}

/* the second axis of a cross, across the first: x of the frame is turned there */
static int turn_cross(source *s, const item *it, const joint_record *r, int axis, double *frame)
{
  const item *at = epi_item_of(it, "cross");
  const double *z = r->axis, *c = r->cross;
  epi_body turned = {.attitude = {frame[0], frame[1], frame[2], frame[3]}};
  double x[3], q[4];
  if (!axis) return epi_document_wrong(s->d, at, "cross is the second axis of a cross: write axis, the first one, too");
  if (fabs(z[0]*c[0] + z[1]*c[1] + z[2]*c[2]) > 1e-3)
    return epi_document_wrong(s->d, at, "cross is not across axis: write one at a right angle to it");
  epi_file_out_of(&turned, (const double[3]){1, 0, 0}, x);
  double side = z[0]*(x[1]*c[2] - x[2]*c[1]) + z[1]*(x[2]*c[0] - x[0]*c[2]) + z[2]*(x[0]*c[1] - x[1]*c[0]);
  epi_file_turn_about(z, atan2(side, x[0]*c[0] + x[1]*c[1] + x[2]*c[2]), turned.attitude);
  memcpy(q, frame, sizeof q);
  epi_file_frame_out(&turned, q, frame);
  return 0;
}

/* points that meet and frames that agree at the start, unless the file says otherwise */
static int read_places(source *s, const described *w, const item *it, const joint_record *r, const kind *k, epi_joint *j)
{
  static const double none[4] = {1, 0, 0, 0};
  const epi_body *a = epi_file_body(w, j->a), *b = epi_file_body(w, j->b);
  int given_a = epi_item_of(it, "at_a") != NULL, given_b = epi_item_of(it, "at_b") != NULL, at = epi_item_of(it, "at") != NULL,
    curve = (j->hold & (EPI_ON_CIRCLE | EPI_ON_CURVE)) != 0, rod = epi_kind_param(k, "length");
  double point[3], frame[4];
  if (at && (given_a || given_b || rod || curve))
    return epi_document_wrong(s->d, epi_item_of(it, "at"), rod ? "a rod has two points: write at_a and at_b, in the bodies" :
                              curve ? "a curve has a place in b, and its point is in a: write at_a and at_b, in the bodies" :
                              "at and at_a or at_b are both given: take one of them away");
  if (!rod && !curve) {
    if (at) memcpy(point, r->at, sizeof point);
    else if (!given_a && given_b) epi_file_out_of(b, j->at_b, point);
    else epi_file_out_of(a, j->at_a, point);
    if (!given_a && epi_kind_param(k, "at_a")) epi_file_into(a, point, j->at_a);
    if (!given_b && epi_kind_param(k, "at_b")) epi_file_into(b, point, j->at_b);
  }
  int axis = epi_item_of(it, "axis") != NULL, frame_a = epi_item_of(it, "frame_a") != NULL, frame_b = epi_item_of(it, "frame_b") != NULL;
  if (axis && (frame_a || frame_b))
    return epi_document_wrong(s->d, epi_item_of(it, "axis"), "axis and a frame are both given: take one of them away");
  if (axis) epi_file_turn_from(r->axis, j->hold == EPI_SLIDER ? 0 : 2, frame);
  else if (frame_a) epi_file_frame_out(a, j->frame_a, frame);
  else if (frame_b) epi_file_frame_out(b, j->frame_b, frame);
  else memcpy(frame, none, sizeof frame);
  if (epi_item_of(it, "cross") && turn_cross(s, it, r, axis, frame)) return REFUSED;
  if (!frame_a && (k->plain || epi_kind_param(k, "frame_a"))) epi_file_frame_in(a, frame, j->frame_a);
  if (!frame_b && (k->plain || epi_kind_param(k, "frame_b"))) epi_file_frame_in(b, frame, j->frame_b);
  if (rod && !epi_item_of(it, "length") && !((j->length = epi_file_apart(w, j->a, j->at_a, j->b, j->at_b)) > 0))
    return epi_field_missing(s->d, it, "the rod", "length", "it in m, or points that are apart");
  return !rod && epi_item_of(it, "length") ? epi_document_wrong(s->d, epi_item_of(it, "length"),
                                                                "length belongs to a rod: take it away, or write hold: rod") : 0;
}

/* one number for what the joint holds, or [directions, turns] */
static int read_stiffness(source *s, const item *it, const char *name, const char *const *units, const joint_told *j, double *x)
{
  if (!it) return 0;
  int turns = j->turns != 0, directions = j->turns != (1u << j->rows) - 1;
  if (it->kind != ITEM_LIST && turns && directions)
    return epi_document_wrong(s->d, it, "%s is one number, and this joint holds directions and turns: write two, in [%s, %s]", name,
                              units[0], units[1]);
  if (it->kind != ITEM_LIST) { if (epi_field_number(s, it, name, units[turns], &x[turns])) return REFUSED; }
  else {
    if (it->n != 2)
      return epi_document_wrong(s->d, it, "%s is a list of %d: write two numbers, in [%s, %s]", name, it->n, units[0], units[1]);
    if (epi_field_number(s, it->part[0], name, units[0], &x[0]) || epi_field_number(s, it->part[1], name, units[1], &x[1])) return REFUSED;
  }
  for (int i = 0; i < 2; i++) if (x[i] < 0) return epi_document_wrong(s->d, it, "%s = %g is negative: write zero or more", name, x[i]);
  return 0;
}

static int read_drive(source *s, const joint_record *r, const kind *k, joint_told *j)
{
  const item *one = r->speed ? r->speed : r->angle;
  if (!one) return 0;
  if (r->speed && r->angle) return epi_document_wrong(s->d, r->angle, "speed and angle are both given: take one of them away");
  if (k->plain && !(j->joint.hold & EPI_RZ))
    return epi_document_wrong(s->d, one,
                              "the joint leaves the turning about its axis free, so nothing drives it: write hold: all, or add rz");
  if (k->hold == EPI_UNIVERSAL || k->hold & (EPI_ON_CIRCLE | EPI_ON_CURVE | EPI_ROD))
    return epi_document_wrong(s->d, one, "speed and angle turn the frame of a joint that holds rz: write motor:, or take it away");
  if (r->angle) return (j->angle = epi_course_read(s, r->angle, "angle", "rad")) ? 0 : REFUSED;
  if (r->speed->kind == ITEM_MAP) return (j->speed = epi_course_read(s, r->speed, "speed", "rad/s")) ? 0 : REFUSED;
  return epi_field_number(s, r->speed, "speed", "rad/s", &j->joint.speed);
}

/* ---- what only some kinds have ---- */
static int read_length(source *s, const item *it, joint_told *j)
{
  char why[300];
  if (!it) return 0;
  if (it->kind != ITEM_TEXT) return (j->length = epi_course_read(s, it, "length", "m")) ? 0 : REFUSED;
  int number = !epi_unit_read(it->text, "m", &j->joint.length, why, sizeof why) ||
    !epi_value_read(s->d, it->text, "m", &j->joint.length, why, sizeof why);
  /* one that is no number at all is a formula; what is wrong with it is said there */
  if (!number) return (j->length = epi_course_any(s, it, "length", "m")) ? 0 : REFUSED;
  if (j->joint.length > 0) return 0;
  return epi_document_wrong(s->d, it, "length = %g must be positive: write a number above zero in m", j->joint.length);
}

static int read_points(source *s, const item *map, const item *it, epi_joint *j)
{
  if (!it) return epi_field_missing(s->d, map, "a curve", "points", "at least three, as in [[0, 0, 0], [1, 0, 0.2], [2, 0, 0]]");
  if (it->kind != ITEM_LIST) return epi_document_wrong(s->d, it, "points is %s: write [[x, y, z], ...]", epi_item_what(it));
  double *x = epi_pool_room(&s->d->pool, 3*(size_t)it->n + 1, sizeof *x);
  if (!x) return REFUSED;
  for (int i = 0; i < it->n; i++) if (epi_field_numbers(s, it->part[i], "points", "m", 3, 3, x + 3*i) < 0) return REFUSED;
  j->curve = x;
  j->points = it->n;
  return 0;
}

/* a key that the kind does not have is refused, not left unread */
static int stranger(source *s, const item *it, int hold)
{
  static const struct { const char *key, *whose; int hold; } own[] = {
    {"lead", "a screw", HOLD_SCREW}, {"cross", "a universal joint", EPI_UNIVERSAL},
    {"radius", "on-circle or a rack", EPI_ON_CIRCLE}, {"points", "on-curve", EPI_ON_CURVE},
    {"closed", "on-curve", EPI_ON_CURVE}, {"joints", "a gear, rack or belt", 0}, {"ratio", "a gear", 0}, {"teeth", "a gear", 0},
    {"radii", "a belt", 0}, {"crossed", "a belt", 0}, {"pressure", "a gear", 0}
  };
  for (size_t i = 0; i < sizeof own/sizeof *own; i++)
    if (epi_item_of(it, own[i].key) && own[i].hold != hold)
      return epi_document_wrong(s->d, epi_item_of(it, own[i].key), "%s belongs to %s: take it away, or hold that", own[i].key,
                                own[i].whose);
  return 0;
}

static int read_shape(source *s, const item *it, const joint_record *r, const kind *k, joint_told *j)
{
  if (k->plain && stranger(s, it, k->hold)) return REFUSED;
  if (k->hold == EPI_ON_CURVE) return read_points(s, it, r->points, &j->joint);
  if (k->hold == EPI_ON_CIRCLE && !epi_item_of(it, "radius")) return epi_field_missing(s->d, it, "on-circle", "radius", "it in m");
  if (k->hold == EPI_ON_CIRCLE) {
    if (epi_field_number(s, epi_item_of(it, "radius"), "radius", "m", &j->joint.radius)) return REFUSED;
    if (!(j->joint.radius > 0))
      return epi_document_wrong(s->d, epi_item_of(it, "radius"), "radius = %g must be positive: write a number above zero in m",
                                j->joint.radius);
  }
  return 0;
}

/* frame: ground, joint, or the name of a body */
static int read_frame(source *s, const item *it, const char *word, joint_told *j)
{
  if (!word) return 0;
  j->told = 1;
  j->frame = !strcmp(word, "ground") ? EPI_GROUND : EPI_JOINT_FRAME;
  if (j->frame == EPI_GROUND || !strcmp(word, "joint")) return 0;
  j->frame = epi_names_find(&s->body, word);
  return j->frame >= 0 ? 0 : epi_document_wrong(s->d, epi_item_of(it, "frame"), "there is no body '%.40s' whose axes could be meant: write "
                                                "ground, joint or the name of a body", word);
}

static double *place(void *record, const char *name, int *n) { return epi_joint_param(record, name, n); }

int epi_file_joint_read(source *s, described *w, const item *it, int i)
{
  static const char *const stiffness[] = {"N/m", "N m/rad"}, *const damping[] = {"N s/m", "N m s/rad"};
  joint_record r = {.joint = {.a = EPI_GROUND, .b = EPI_GROUND, .as = EPI_CONSTRAINT}};
  joint_told *j = &w->joint[w->joints];
  kind k = {.plain = 1};
  const item *hold = epi_item_of(it, "hold");
  (void)i;
  /* what goes together with other joints is read after these */
  if (hold && hold->kind == ITEM_TEXT && epi_kind_of(s->d, &epi_joint_family, hold->text, &k) && k.hold & HOLD_COUPLED) return 0;
  if (hold && hold->kind == ITEM_TEXT && !strcmp(hold->text, "cable"))
    return epi_document_wrong(s->d, hold, "a cable pulls and never pushes, which no constraint does: write it under springs, with kind: "
                              "cable");
  *j = (joint_told){.at = it};
  int bad = hold && read_hold(s, it, hold, &k);
  const field *keys = epi_kind_keys(s->d, epi_file_joint_keys, &k);
  if (epi_fields_read(s, it, keys, &r) || bad || epi_file_ends_read(s, it, "a joint", r.joint.a, r.joint.b)) return REFUSED;
  j->joint = r.joint;
  if (!hold)
    return epi_field_missing(s->d, it, "a joint", "hold",
                             "what it holds: hinge, point, slider, all, rod, or a list of x, y, z, rx, ry, rz");
  j->joint.kind = k.joint;
  j->joint.hold = k.hold == HOLD_SCREW ? EPI_CYLINDRICAL : k.hold;
  j->at = it;
  count_rows(j);
  int mine = w->joints++;
  if (epi_params_read(s, it, &k, keys, place, &j->joint, &j->joint.own) || read_length(s, r.length, j) || read_shape(s, it, &r, &k, j) ||
      read_places(s, w, it, &r, &k, &j->joint) || read_frame(s, it, r.frame, j))
    return REFUSED;
  if (j->joint.as == EPI_CONSTRAINT && (r.stiffness || r.damping))
    return epi_document_wrong(s->d, r.stiffness ? r.stiffness : r.damping,
                              "a constraint has no stiffness or damping: write as: penalty, or take them away");
  if (j->joint.as == EPI_PENALTY && !r.stiffness)
    return epi_field_missing(s->d, it, "a penalty", "stiffness", "it in N/m, and N m/rad for turns, or as: constraint");
  if (read_stiffness(s, r.stiffness, "stiffness", stiffness, j, j->joint.stiffness)) return REFUSED;
  if (read_stiffness(s, r.damping, "damping", damping, j, j->joint.damping)) return REFUSED;
  if (read_drive(s, &r, &k, j) || epi_file_motion(s, r.motion, &j->moved)) return REFUSED;
  if (k.hold == HOLD_SCREW && epi_file_screw(s, w, it, mine)) return REFUSED;
  return epi_file_axes(s, w, it, mine);
}
