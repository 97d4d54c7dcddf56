/* axes.c - what acts along or about the axes that a joint of a model file leaves free: springs, limits, motors */
#include "file/model-file.h"
#include "epicycle/term.h"
#include <math.h>
#include <string.h>

static const char *const axis_words[] = {"x", "y", "z", "rx", "ry", "rz", "swing", NULL};
static const int axis_of_word[] = {EPI_X, EPI_Y, EPI_Z, EPI_RX, EPI_RY, EPI_RZ, EPI_SWING};

typedef struct axis_record {
  int axis, stiff;
  const item *stiffness, *damping, *rest, *lower, *upper, *chi, *angle, *position, *speed, *torque, *force;
  double power;
} axis_record;
const field epi_axis_spring_keys[] = {
  {.name = "axis", .kind = WORD, .at = offsetof(axis_record, axis), .words = axis_words},
  {.name = "stiffness", .kind = OWN, .at = offsetof(axis_record, stiffness)},
  {.name = "damping", .kind = OWN, .at = offsetof(axis_record, damping)},
  {.name = "rest", .kind = OWN, .at = offsetof(axis_record, rest)},
  {.name = "stiff", .kind = FLAG, .at = offsetof(axis_record, stiff)},
  {0}
};
const field epi_axis_limit_keys[] = {
  {.name = "axis", .kind = WORD, .at = offsetof(axis_record, axis), .words = axis_words},
  {.name = "lower", .kind = OWN, .at = offsetof(axis_record, lower)},
  {.name = "upper", .kind = OWN, .at = offsetof(axis_record, upper)},
  {.name = "stiffness", .kind = OWN, .at = offsetof(axis_record, stiffness)},
  {.name = "damping", .kind = OWN, .at = offsetof(axis_record, damping)},
  {.name = "power", .kind = POSITIVE, .unit = "", .at = offsetof(axis_record, power)},
  {.name = "chi", .kind = OWN, .at = offsetof(axis_record, chi)},
  {.name = "stiff", .kind = FLAG, .at = offsetof(axis_record, stiff)},
  {0}
};
const field epi_axis_motor_keys[] = {
  {.name = "axis", .kind = WORD, .at = offsetof(axis_record, axis), .words = axis_words},
  {.name = "angle", .kind = OWN, .at = offsetof(axis_record, angle), .inner = epi_course_keys},
  {.name = "position", .kind = OWN, .at = offsetof(axis_record, position), .inner = epi_course_keys},
  {.name = "speed", .kind = OWN, .at = offsetof(axis_record, speed), .inner = epi_course_keys},
  {.name = "torque", .kind = OWN, .at = offsetof(axis_record, torque), .inner = epi_course_keys},
  {.name = "force", .kind = OWN, .at = offsetof(axis_record, force), .inner = epi_course_keys},
  {0}
};

/* ---- which axis ---- */
/* the words of a set of axes: "z, rz" */
static const char *words_of(source *s, int set)
{
  pen p = {.pool = &s->d->pool};
  for (int i = 0, first = 1; axis_words[i]; i++)
    if (set & axis_of_word[i]) { epi_pen_print(&p, first ? "%s" : ", %s", axis_words[i]); first = 0; }
  return p.text ? p.text : "";
}

/* 0 after the sentence. turns: what is asked for can only be about an axis, or along one; -1: either */
static int axis_of(source *s, const joint_told *j, const item *it, const axis_record *r, const char *what, int turns)
{
  int set = epi_joint_free(&j->joint), asked = epi_item_of(it, "axis") ? axis_of_word[r->axis] : 0, left = set;
  if (turns >= 0) left &= turns ? EPI_TURNS | EPI_SWING : EPI_POINT;
  if (asked && left & asked) return asked;
  if (asked && set & asked)
    return epi_document_wrong(s->d, epi_item_of(it, "axis"), asked >= EPI_RX ? "axis: %s turns: give the %s an angle, a speed or a torque" :
                              "axis: %s is a way: give the %s a position, a speed or a force", axis_words[r->axis], what), 0;
  if (asked && set)
    return epi_document_wrong(s->d, epi_item_of(it, "axis"), "axis: the joint does not leave %s free: take one of %s", axis_words[r->axis],
                              words_of(s, set)), 0;
  /* swing is for those who say it */
  if (left & ~EPI_SWING) left &= ~EPI_SWING;
  if (left && !(left & (left - 1))) return left;
  if (!left && set)
    return epi_document_wrong(s->d, it, turns ? "%s: the joint turns about no axis of one meaning, so it has no angle or torque: write a "
                              "position or a force" : "%s: the joint only turns, so it has no position or force: write an angle or a "
                              "torque", what), 0;
  if (!left)
    return epi_document_wrong(s->d, it, "%s: the joint leaves nothing free that it could act on: take a hinge, a slider or a cylindrical "
                              "or universal joint", what), 0;
  return epi_field_missing(s->d, it, epi_pool_text(&s->d->pool, "the %s", what), "axis",
                           epi_pool_text(&s->d->pool, "which of %s it acts on", words_of(s, left))), 0;
}

static axis_told *new_axis(source *s, described *w, const item *it, int joint, int axis, const char *what)
{
  axis_told *all = epi_pool_more(&s->d->pool, w->axis, w->axes, &w->axis_room, sizeof *all);
  if (!all) return NULL;
  w->axis = all;
  axis_told *a = &all[w->axes++];
  *a = (axis_told){.at = it, .what = what, .axis = {.joint = joint, .axis = axis, .lower = -HUGE_VAL, .upper = HUGE_VAL}};
  return a;
}

static int read_number(source *s, const item *it, const char *name, const char *unit, int least, double *x)
{
  if (!it) return 0;
  if (epi_field_number(s, it, name, unit, x)) return REFUSED;
  return least && !(*x >= 0) ? epi_document_wrong(s->d, it, "%s = %g is negative: write zero or more", name, *x) : 0;
}

/* ---- springs and dampers ---- */
static int read_spring(source *s, described *w, const item *it, int joint)
{
  axis_record r = {.axis = 0};
  if (it->kind != ITEM_MAP)
    return epi_document_wrong(s->d, it, "spring is %s: write {stiffness: 5 N m/rad, damping: 0.1, rest: 0}", epi_item_what(it));
  if (epi_fields_known(s->d, it, "a spring of a joint", epi_axis_spring_keys) || epi_fields_read(s, it, epi_axis_spring_keys, &r))
    return REFUSED;
  int axis = axis_of(s, &w->joint[joint], it, &r, "spring", -1), turn = axis >= EPI_RX;
  if (!axis) return REFUSED;
  if (!r.stiffness && !r.damping)
    return epi_field_missing(s->d, it, "a spring", "stiffness", turn ? "it in N m/rad, or a damping in N m s/rad" :
                             "it in N/m, or a damping in N s/m");
  axis_told *a = new_axis(s, w, it, joint, axis, "spring");
  if (!a) return REFUSED;
  a->axis.stiff = epi_file_stiff(it, r.stiff);
  return read_number(s, r.stiffness, "stiffness", turn ? "N m/rad" : "N/m", 1, &a->axis.stiffness) ||
    read_number(s, r.damping, "damping", turn ? "N m s/rad" : "N s/m", 1, &a->axis.damping) ||
    read_number(s, r.rest, "rest", turn ? "rad" : "m", 0, &a->axis.rest) ? REFUSED : 0;
}

/* ---- limits ---- */
static int read_limits(source *s, described *w, const item *it, int joint)
{
  axis_record r = {.axis = 0};
  if (it->kind != ITEM_MAP)
    return epi_document_wrong(s->d, it, "limits is %s: write {lower: -30 deg, upper: 30 deg, stiffness: 1 kNm/rad}", epi_item_what(it));
  if (epi_fields_known(s->d, it, "limits", epi_axis_limit_keys) || epi_fields_read(s, it, epi_axis_limit_keys, &r)) return REFUSED;
  int axis = axis_of(s, &w->joint[joint], it, &r, "limits", -1), turn = axis >= EPI_RX;
  if (!axis) return REFUSED;
  if (!r.lower && !r.upper) return epi_field_missing(s->d, it, "limits", "lower", "lower, upper or both");
  if (!r.stiffness)
    return epi_field_missing(s->d, it, "limits", "stiffness", turn ? "how hard the stops are, in N m/rad" :
                             "how hard the stops are, in N/m");
  axis_told *a = new_axis(s, w, it, joint, axis, "limits");
  if (!a) return REFUSED;
  a->axis.stiff = epi_file_stiff(it, r.stiff);
  a->axis.power = r.power > 0 ? r.power : 1;
  /* with a power the unit is that of a power of the way */
  const char *stiffness = r.power > 0 && r.power != 1 ? epi_pool_text(&s->d->pool, turn ? "N m/rad^%s" : "N/m^%s",
                                                                      epi_shortest(r.power).text) : turn ? "N m/rad" : "N/m";
  if (read_number(s, r.lower, "lower", turn ? "rad" : "m", 0, &a->axis.lower) ||
      read_number(s, r.upper, "upper", turn ? "rad" : "m", 0, &a->axis.upper) ||
        read_number(s, r.stiffness, "stiffness", stiffness, 1, &a->axis.stop) ||
        read_number(s, r.damping, "damping", turn ? "N m s/rad" : "N s/m", 1, &a->axis.drag) ||
        read_number(s, r.chi, "chi", turn ? "s/rad" : "s/m", 1, &a->axis.chi))
    return REFUSED;
  if (!(a->axis.stop > 0)) return epi_document_wrong(s->d, r.stiffness, "stiffness = 0 stops nothing: write a number above zero");
  if (r.chi && r.damping) return epi_document_wrong(s->d, r.damping, "damping and chi are both given: take one of them away");
  if (a->axis.lower > a->axis.upper)
    return epi_document_wrong(s->d, r.lower, "lower = %g is above upper = %g: exchange them", a->axis.lower, a->axis.upper);
  return 0;
}

/* ---- motors ---- */
enum { AT_WAY = AT_THETA + 1, AT_SPEED };
static const epi_formula_name of_turn[] = {
  {.name = "t", .place = AT_T, .unit = "s"}, {.name = "theta", .place = AT_THETA, .unit = ""},
  {.name = "angle", .place = AT_WAY, .unit = "rad"}, {.name = "speed", .place = AT_SPEED, .unit = "rad/s"}, {0}
};
static const epi_formula_name of_way[] = {
  {.name = "t", .place = AT_T, .unit = "s"}, {.name = "theta", .place = AT_THETA, .unit = ""},
  {.name = "position", .place = AT_WAY, .unit = "m"}, {.name = "speed", .place = AT_SPEED, .unit = "m/s"}, {0}
};

static int law_at(const void *data, const epi_instant *now, double x, double rate, double *force)
{
  const axis_law *l = data;
  double out[3];
  if (l->formula) return epi_formula_value(l->formula, (const double[]){now->t, now->theta, x, rate}, force);
  int bad = epi_course_drive(l->course, now, out);
  *force = out[0];
  return bad;
}

static void law_explain(const void *data, int code, char *out, size_t size)
{
  const axis_law *l = data;
  if (l->formula) epi_formula_explain(l->formula, code, out, size);
  else epi_course_explain(l->course, code, out, size);
}

static int read_torque(source *s, axis_told *a, const item *it, const char *name, int turn)
{
  axis_law *l = epi_pool_room(&s->d->pool, 1, sizeof *l);
  double fixed;
  char why[300];
  const char *unit = turn ? "N m" : "N";
  if (!l) return REFUSED;
  a->law = l;
  if (it->kind == ITEM_TEXT && (!epi_unit_read(it->text, unit, &fixed, why, sizeof why) ||
                                !epi_value_read(s->d, it->text, unit, &fixed, why, sizeof why))) {
    if (!(l->course = epi_pool_room(&s->d->pool, 1, sizeof *l->course))) return REFUSED;
    l->course->offset = fixed;
    l->course->at = it;
  } else if (it->kind == ITEM_MAP && !epi_item_of(it, "formula")) l->course = epi_course_read(s, it, name, unit);
  else l->formula = epi_file_formula(s, it->kind == ITEM_MAP ? epi_item_of(it, "formula") : it, name, unit, turn ? of_turn : of_way);
  a->axis.law = law_at;
  a->axis.explain = law_explain;
  a->axis.data = l;
  a->axis.of_velocity = l->formula && epi_formula_uses(l->formula, AT_SPEED);
  return l->formula || l->course ? 0 : REFUSED;
}

static int read_motor(source *s, described *w, const item *it, int joint)
{
  axis_record r = {.axis = 0};
  if (it->kind != ITEM_MAP)
    return epi_document_wrong(s->d, it, "motor is %s: write {speed: 100 rpm}, or angle or torque", epi_item_what(it));
  if (epi_fields_known(s->d, it, "a motor", epi_axis_motor_keys) || epi_fields_read(s, it, epi_axis_motor_keys, &r)) return REFUSED;
  const item *const laws[] = {r.angle, r.position, r.speed, r.torque, r.force};
  const item *one = NULL;
  int which = -1, n = 0;
  for (int i = 0; i < 5; i++) if (laws[i]) { one = laws[i]; which = i; n++; }
  if (n > 1) return epi_document_wrong(s->d, it, "a motor has two laws: take one of angle, position, speed, torque and force");
  if (!n) return epi_field_missing(s->d, it, "a motor", "speed", "it, or an angle, a position, a torque or a force");
  int axis = axis_of(s, &w->joint[joint], it, &r, "motor", which == 0 || which == 3 ? 1 : which == 1 || which == 4 ? 0 : -1);
  int turn = axis >= EPI_RX;
  if (!axis) return REFUSED;
  if (axis == EPI_SWING) return epi_document_wrong(s->d, it, "a motor cannot act on a swing, which is in no direction: take another axis");
  if (which >= 3) {
    axis_told *a = new_axis(s, w, it, joint, axis, "motor");
    return !a || read_torque(s, a, one, which == 3 ? "torque" : "force", turn) ? REFUSED : 0;
  }
  coupling_told *c = epi_file_new_coupling(s, w, it);
  if (!c) return REFUSED;
  c->motor = 1;
  c->coupling.terms = 1;
  c->coupling.term[0].joint = joint;
  c->coupling.term[0].axis = axis;
  c->coupling.term[0].factor = 1;
  c->coupling.from_start = c->speed = which == 2;
  c->way = epi_course_any(s, one, which == 2 ? "speed" : turn ? "angle" : "position",
                          which == 2 ? turn ? "rad/s" : "m/s" : turn ? "rad" : "m");
  return c->way ? 0 : REFUSED;
}

/* one of them, or a list */
static int each(source *s, described *w, const item *it, int joint, int (*read)(source *, described *, const item *, int))
{
  if (!it) return 0;
  if (it->kind != ITEM_LIST) return read(s, w, it, joint);
  for (int i = 0; i < it->n; i++) if (read(s, w, it->part[i], joint)) return REFUSED;
  return 0;
}

/* two laws for one axis say either the same or what cannot be */
static int contradict(source *s, const described *w)
{
  const coupling_told *last = w->couplings ? &w->coupling[w->couplings - 1] : NULL;
  for (int i = 0; last && last->motor && i < w->couplings - 1; i++) {
    const coupling_told *c = &w->coupling[i];
    if (c->motor && c->coupling.term[0].joint == last->coupling.term[0].joint && c->coupling.term[0].axis == last->coupling.term[0].axis)
      return epi_document_wrong(s->d, last->at, "two motors say where one axis of the joint is: take one of them away");
  }
  for (int i = 0; i < w->axes; i++) {
    const axis_told *a = &w->axis[i];
    for (int k = 0; k < w->couplings; k++) {
      const coupling_told *c = &w->coupling[k];
      if (!a->law || !c->motor || c->coupling.term[0].joint != a->axis.joint || c->coupling.term[0].axis != a->axis.axis) continue;
      return epi_document_wrong(s->d, a->at, "the motor in line %d says where this axis is, and no torque or force changes that: take one "
                                "of them away", c->at->line);
    }
  }
  return 0;
}

int epi_file_axes(source *s, described *w, const item *it, int joint)
{
  return each(s, w, epi_item_of(it, "spring"), joint, read_spring) || each(s, w, epi_item_of(it, "limits"), joint, read_limits) ||
    each(s, w, epi_item_of(it, "motor"), joint, read_motor) || contradict(s, w) ? REFUSED : 0;
}

/* ---- the start ---- */
int epi_file_check_limits(document *doc, const described *w, epi_world *world)
{
  epi_state s = epi_world_state(world);
  for (int i = 0; i < w->axes; i++) {
    const axis_told *a = &w->axis[i];
    double x, far;
    if (!(a->axis.stop > 0)) continue;
    if (epi_world_axis(world, &s, epi_world_action_named(world, w->joint[a->axis.joint].joint.name), a->axis.axis, &x, NULL)) continue;
    far = fmax(a->axis.lower - x, x - a->axis.upper);
    if (far > 1e-9)
      return epi_document_wrong(doc, a->at, "the joint %s stands at %.4g %s at the start, %.3g outside of its limits: move it, or them",
                                w->joint[a->axis.joint].joint.name, x, a->axis.axis >= EPI_RX ? "rad" : "m", far);
  }
  return 0;
}
