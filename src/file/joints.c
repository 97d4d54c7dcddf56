/* joints.c - joints of a model file: what they hold, where, and what drives them. Points and axes in space are those of the start */
#include "model-file.h"
#include <string.h>

static const char *const as_words[] = {[EPI_PENALTY] = "penalty", [EPI_CONSTRAINT] = "constraint", NULL};

typedef struct joint_record { epi_joint joint; double at[3], axis[3]; const item *hold, *stiffness, *damping, *speed,
                             *angle, *motion; } joint_record;
const field epi_file_joint_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(joint_record, joint.name)},
  {.name = "a", .kind = BODY, .at = offsetof(joint_record, joint.a)},
  {.name = "b", .kind = BODY, .at = offsetof(joint_record, joint.b)},
  {.name = "hold", .kind = OWN, .at = offsetof(joint_record, hold)},
  {.name = "as", .kind = WORD, .at = offsetof(joint_record, joint.as), .words = as_words},
  {.name = "at", .of = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, at)},
  {.name = "axis", .of = "frame_a", .kind = DIRECTION, .at = offsetof(joint_record, axis)},
  {.name = "at_a", .of = "at_a", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, joint.at_a)},
  {.name = "at_b", .of = "at_b", .kind = VECTOR, .unit = "m", .at = offsetof(joint_record, joint.at_b)},
  {.name = "frame_a", .of = "frame_a", .kind = QUATERNION, .at = offsetof(joint_record, joint.frame_a)},
  {.name = "frame_b", .of = "frame_b", .kind = QUATERNION, .at = offsetof(joint_record, joint.frame_b)},
  {.name = "length", .of = "length", .kind = POSITIVE, .unit = "m", .at = offsetof(joint_record, joint.length)},
  {.name = "stiffness", .kind = OWN, .at = offsetof(joint_record, stiffness)},
  {.name = "damping", .kind = OWN, .at = offsetof(joint_record, damping)},
  {.name = "speed", .of = "speed", .kind = OWN, .at = offsetof(joint_record, speed), .inner = epi_course_keys},
  {.name = "angle", .of = "speed", .kind = OWN, .at = offsetof(joint_record, angle), .inner = epi_course_keys},
  {.name = "motion", .of = "at_b", .kind = OWN, .at = offsetof(joint_record, motion), .inner = epi_motion_keys},
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
    if (!one.plain || (one.joint && one.joint->rows))
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

/* points that meet and frames that agree at the start, unless the file says otherwise */
static int read_places(source *s, const described *w, const item *it, const joint_record *r, const kind *k, epi_joint *j)
{
  static const double none[4] = {1, 0, 0, 0};
  const epi_body *a = epi_file_body(w, j->a), *b = epi_file_body(w, j->b);
  int given_a = epi_item_of(it, "at_a") != NULL, given_b = epi_item_of(it, "at_b") != NULL, at = epi_item_of(it, "at") != NULL,
    rod = epi_kind_param(k, "length");
  double point[3], frame[4];
  if (at && (given_a || given_b || rod))
    return epi_document_wrong(s->d, epi_item_of(it, "at"), rod ? "a rod has two points: write at_a and at_b, in the bodies" :
                              "at and at_a or at_b are both given: take one of them away");
  if (!rod) {
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
  if (!frame_a && (k->plain || epi_kind_param(k, "frame_a"))) epi_file_frame_in(a, frame, j->frame_a);
  if (!frame_b && (k->plain || epi_kind_param(k, "frame_b"))) epi_file_frame_in(b, frame, j->frame_b);
  if (rod && !(j->length > 0)) j->length = epi_file_apart(w, j->a, j->at_a, j->b, j->at_b);
  if (rod && !(j->length > 0)) return epi_field_missing(s->d, it, "the rod", "length", "it in m, or points that are apart");
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
  if (r->angle) return (j->angle = epi_course_read(s, r->angle, "angle", "rad")) ? 0 : REFUSED;
  if (r->speed->kind == ITEM_MAP && epi_item_of(r->speed, "formula"))
    return epi_document_wrong(s->d, r->speed, "speed has no formula, for nobody knows its integral: give the angle by one, or the speed by "
                              "a table");
  if (r->speed->kind == ITEM_MAP) return (j->speed = epi_course_read(s, r->speed, "speed", "rad/s")) ? 0 : REFUSED;
  return epi_field_number(s, r->speed, "speed", "rad/s", &j->joint.speed);
}

static double *place(void *record, const char *name, int *n) { return epi_joint_param(record, name, n); }

int epi_file_joint_read(source *s, described *w, const item *it, int i)
{
  static const char *const stiffness[] = {"N/m", "N m/rad"}, *const damping[] = {"N s/m", "N m s/rad"};
  joint_record r = {.joint = {.a = EPI_GROUND, .b = EPI_GROUND, .as = EPI_CONSTRAINT}};
  joint_told *j = &w->joint[i];
  kind k = {.plain = 1};
  const item *hold = epi_item_of(it, "hold");
  j->at = it;
  int bad = hold && read_hold(s, it, hold, &k);
  const field *keys = epi_kind_keys(s->d, epi_file_joint_keys, &k);
  if (epi_fields_read(s, it, keys, &r) || bad || epi_file_ends_read(s, it, "a joint", r.joint.a, r.joint.b)) return REFUSED;
  j->joint = r.joint;
  if (!hold)
    return epi_field_missing(s->d, it, "a joint", "hold",
                             "what it holds: hinge, point, slider, all, rod, or a list of x, y, z, rx, ry, rz");
  j->joint.kind = k.joint;
  j->joint.hold = k.hold;
  count_rows(j);
  if (epi_params_read(s, it, &k, keys, place, &j->joint, &j->joint.own) || read_places(s, w, it, &r, &k, &j->joint))
    return REFUSED;
  if (j->joint.as == EPI_CONSTRAINT && (r.stiffness || r.damping))
    return epi_document_wrong(s->d, r.stiffness ? r.stiffness : r.damping,
                              "a constraint has no stiffness or damping: write as: penalty, or take them away");
  if (j->joint.as == EPI_PENALTY && !r.stiffness)
    return epi_field_missing(s->d, it, "a penalty", "stiffness", "it in N/m, and N m/rad for turns, or as: constraint");
  if (read_stiffness(s, r.stiffness, "stiffness", stiffness, j, j->joint.stiffness)) return REFUSED;
  if (read_stiffness(s, r.damping, "damping", damping, j, j->joint.damping)) return REFUSED;
  return read_drive(s, &r, &k, j) || epi_file_motion(s, r.motion, &j->moved) ? REFUSED : 0;
}
