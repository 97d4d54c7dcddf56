/* urdf.c - links and joints as they stand in the file; what a model file has no place for is noted */
#include "core.h"
#include "robot.h"
#include "file/world/turn.h"
#include <stdio.h>

/* ---- what is there, and what is known of it ---- */
typedef struct grammar { const char *name, *attributes, *once, *many; } grammar;
static const grammar grammars[] = {
  {"link", "name", "inertial", "visual collision"},
  {"inertial", "", "origin mass inertia", ""},
  {"mass", "value", "", ""},
  {"inertia", "ixx ixy ixz iyy iyz izz", "", ""},
  {"origin", "xyz rpy", "", ""},
  {"joint", "name type", "origin parent child axis limit dynamics mimic", ""},
  {"parent", "link", "", ""},
  {"child", "link", "", ""},
  {"axis", "xyz", "", ""},
  {"limit", "lower upper effort velocity", "", ""},
  {"dynamics", "damping friction", "", ""},
  {"mimic", "joint multiplier offset", "", ""},
};
static const struct { const char *what, *why; } reasons[] = {
  {"collision", "what touches what is said by contacts"},
  {"transmission", "a motor of a joint says what it does"},
  {"gazebo", "it is for another program"},
  {"material", "pictures have looks of their own"},
  {"safety_controller", "controllers are not part of a model file"},
  {"calibration", "it is of the machine and not of its motion"},
  {"sensor", "columns of a run say what a sensor would see"},
};

static int among(const char *word, const char *words)
{
  size_t n = strlen(word);
  for (const char *at = words; *at; at += strspn(at, " ")) {
    size_t m = strcspn(at, " ");
    if (m == n && !memcmp(at, word, n)) return 1;
    at += m;
  }
  return 0;
}

static const char *reason(const char *what)
{
  for (size_t i = 0; i < sizeof reasons/sizeof *reasons; i++) if (!strcmp(reasons[i].what, what)) return reasons[i].why;
  return "a model file has no place for it";
}

/* whatever is not read is said, and what may stand once stands once */
static int understood(epi_import *r, const xml *x, const char *of)
{
  const grammar *g = NULL;
  for (size_t i = 0; i < sizeof grammars/sizeof *grammars; i++) if (!strcmp(grammars[i].name, x->name)) g = &grammars[i];
  if (!g) return 0;
  for (int i = 0; i < x->attributes; i++)
    if (!among(x->attribute[i].name, g->attributes))
      epi_robot_left(r, epi_pool_text(&r->pool, "%.40s of <%s>", x->attribute[i].name, x->name), of, "it is not known");
  for (const xml *c = x->child; c; c = c->next) {
    if (!strncmp(c->name, "xacro:", 6)) return epi_robot_wrong(r, c, "this file has macros of xacro: run xacro over it first");
    if (among(c->name, g->once)) {
      if (epi_xml_child(x, c->name) != c) return epi_robot_wrong(r, c, "<%s> of '%s' has <%s> twice", x->name, of, c->name);
      if (understood(r, c, of)) return -1;
    } else if (!among(c->name, g->many) || !strcmp(c->name, "collision")) epi_robot_left(r, c->name, of, reason(c->name));
  }
  return 0;
}

/* ---- numbers ---- */
int epi_robot_numbers(epi_import *r, const xml *x, const char *name, int n, double *out)
{
  const char *at = epi_xml_value(x, name);
  if (!at) return 1;
  for (int i = 0; i < n; i++) {
    char word[64], why[200];
    at += strspn(at, " ");
    size_t m = strcspn(at, " ");
    if (!m || m >= sizeof word || strspn(at, "0123456789+-.eE") < m)
      return epi_robot_wrong(r, x, "%s of <%s> is \"%.40s\", and %s wanted", name, x->name, epi_xml_value(x, name),
                             n == 1 ? "a number is" : "three numbers are");
    memcpy(word, at, m);
    word[m] = 0;
    if (epi_unit_read(word, "", &out[i], why, sizeof why)) return epi_robot_wrong(r, x, "%s of <%s>: %s", name, x->name, why);
    at += m;
  }
  at += strspn(at, " ");
  if (*at) return epi_robot_wrong(r, x, "%s of <%s> has more than %s: \"%.40s\"", name, x->name, n == 1 ? "one number" : "three numbers",
                                  epi_xml_value(x, name));
  return 0;
}

/* fixed axes x, y, z in turn: R = Rz(yaw) Ry(pitch) Rx(roll) */
int epi_robot_origin(epi_import *r, const xml *x, pose *p)
{
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const xml *o = epi_xml_child(x, "origin");
  double angle[3] = {0};
  *p = (pose){.q = {1}};
  if (!o) return 0;
  if (epi_robot_numbers(r, o, "xyz", 3, p->at) < 0 || epi_robot_numbers(r, o, "rpy", 3, angle) < 0) return -1;
  for (int i = 0; i < 3; i++) {
    double q[4];
    epi_file_turn_about(unit[i], angle[i], q);
    if (angle[i] != 0) epi_file_turn_times(q, p->q, p->q);
  }
  return 0;
}

/* ---- links ---- */
static int read_inertial(epi_import *r, const xml *x, inertial *l)
{
  static const struct { const char *name; int i, k; } entries[] = {
    {"ixx", 0, 0}, {"ixy", 0, 1}, {"ixz", 0, 2}, {"iyy", 1, 1}, {"iyz", 1, 2}, {"izz", 2, 2}};
  const xml *m = epi_xml_child(x, "mass"), *I = epi_xml_child(x, "inertia");
  l->there = 1;
  if (epi_robot_origin(r, x, &l->frame)) return -1;
  if (!m || epi_robot_numbers(r, m, "value", 1, &l->mass) == 1) return epi_robot_wrong(r, x, "<inertial> has no mass: give it <mass "
                                                                                             "value>");
  if (r->why[0]) return -1;
  if (l->mass < 0) return epi_robot_wrong(r, m, "the mass is %g: give a positive one", l->mass);
  for (size_t i = 0; I && i < sizeof entries/sizeof *entries; i++) {
    double e = 0;
    if (epi_robot_numbers(r, I, entries[i].name, 1, &e)) return r->why[0] ? -1 : epi_robot_wrong(r, I, "<inertia> has no %s",
                                                                                                 entries[i].name);
    l->I[entries[i].i][entries[i].k] = l->I[entries[i].k][entries[i].i] = e;
  }
  return 0;
}

static int names_of(epi_import *r, const xml *x, const char **name, const char **shown)
{
  *name = epi_xml_value(x, "name");
  if (!*name || !**name) return epi_robot_wrong(r, x, "<%s> has no name: give it one", x->name);
  char *copy = (char *)epi_pool_text(&r->pool, "%.80s", *name);
  for (char *c = copy; *c; c++) if (*c < 32 || *c > 126) *c = '?';
  *shown = copy;
  return 0;
}

static int read_link(epi_import *r, const xml *x)
{
  link *l = &r->link[r->links];
  *l = (link){.x = x, .joint = -1};
  const xml *in = epi_xml_child(x, "inertial");
  if (names_of(r, x, &l->name, &l->shown) || understood(r, x, l->shown)) return -1;
  for (int i = 0; i < r->links; i++)
    if (!strcmp(r->link[i].name, l->name)) return epi_robot_wrong(r, x, "there are two links '%s': give each a name of its own", l->shown);
  r->links++;
  return in ? read_inertial(r, in, &l->own) : 0;
}

/* ---- joints ---- */
static int end_of(epi_import *r, const joint *j, const char *which, int *to)
{
  const xml *x = epi_xml_child(j->x, which);
  const char *name = epi_xml_value(x, "link");
  if (!name) return epi_robot_wrong(r, j->x, "joint '%s' has no <%s link>: give it one", j->shown, which);
  for (int i = 0; i < r->links; i++) if (!strcmp(r->link[i].name, name)) return *to = i, 0;
  return epi_robot_wrong(r, x, "joint '%s': there is no link '%.80s'", j->shown, name);
}

static int read_axis(epi_import *r, joint *j)
{
  double a[3] = {1, 0, 0};
  const xml *x = epi_xml_child(j->x, "axis");
  if (x && epi_robot_numbers(r, x, "xyz", 3, a) < 0) return -1;
  double size = sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]);
  if (!(size > 1e-9)) return epi_robot_wrong(r, x, "the axis of joint '%s' has no direction", j->shown);
  for (int i = 0; i < 3; i++) j->axis[i] = a[i]/size;
  return 0;
}

static int read_limit(epi_import *r, joint *j)
{
  const xml *x = epi_xml_child(j->x, "limit");
  const char *const power[] = {"effort", "velocity"};
  int ends = j->kind == REVOLUTE || j->kind == PRISMATIC, said = x && (epi_xml_value(x, "lower") || epi_xml_value(x, "upper"));
  for (int i = 0; i < 2; i++) {
    double most;
    int absent = x ? epi_robot_numbers(r, x, power[i], 1, &most) : 1;
    if (absent < 0) return -1;
    if (!absent) epi_robot_left(r, epi_pool_text(&r->pool, "%s of <limit>", power[i]), j->shown, "it is of the motor, which the file "
                                                                                                 "does not have");
  }
  if (ends && !said)
    return epi_robot_wrong(r, x ? x : j->x, "joint '%s' has no lower and upper <limit>: give them, or make its type continuous", j->shown);
  if (!ends && said) epi_robot_left(r, "lower and upper of <limit>", j->shown, "a joint of this type has none");
  if (!ends) return 0;
  if (epi_robot_numbers(r, x, "lower", 1, &j->lower) < 0 || epi_robot_numbers(r, x, "upper", 1, &j->upper) < 0) return -1;
  if (!(j->lower < j->upper))
    return epi_robot_wrong(r, x, "joint '%s' has the limits %g and %g, which leave it no room: write type=\"fixed\", or other limits",
                           j->shown,
                           j->lower, j->upper);
  return j->limited = 1, 0;
}

static int read_dynamics(epi_import *r, joint *j)
{
  const xml *x = epi_xml_child(j->x, "dynamics");
  if (!x) return 0;
  if (epi_robot_numbers(r, x, "damping", 1, &j->damping) < 0 || epi_robot_numbers(r, x, "friction", 1, &j->friction) < 0) return -1;
  if (j->damping < 0 || j->friction < 0) return epi_robot_wrong(r, x, "joint '%s' has a negative damping or friction", j->shown);
  if (j->kind != REVOLUTE && j->kind != CONTINUOUS && j->kind != PRISMATIC && (j->damping > 0 || j->friction > 0)) {
    epi_robot_left(r, "dynamics", j->shown, "a joint of this type has no axis for it");
    j->damping = j->friction = 0;
  }
  return 0;
}

static int read_joint(epi_import *r, const xml *x)
{
  static const char *const kinds[KINDS] = {"fixed", "revolute", "continuous", "prismatic", "floating", "planar"};
  joint *j = &r->joint[r->joints];
  *j = (joint){.x = x, .mimic = -1, .multiplier = 1};
  if (names_of(r, x, &j->name, &j->shown) || understood(r, x, j->shown)) return -1;
  for (int i = 0; i < r->joints; i++)
    if (!strcmp(r->joint[i].name, j->name)) return epi_robot_wrong(r, x, "there are two joints '%s': give each a name of its own",
                                                                   j->shown);
  const char *type = epi_xml_value(x, "type");
  while (type && j->kind < KINDS && strcmp(kinds[j->kind], type)) j->kind++;
  if (!type || j->kind == KINDS)
    return epi_robot_wrong(r, x, "joint '%s' has the type '%.40s': fixed, revolute, continuous, prismatic, floating and planar are known",
                           j->shown, type ? type : "");
  r->joints++;
  return end_of(r, j, "parent", &j->parent) || end_of(r, j, "child", &j->child) || epi_robot_origin(r, x, &j->origin) || read_axis(r, j)
         || read_limit(r, j) || read_dynamics(r, j) ? -1 : 0;
}

static int read_mimic(epi_import *r, joint *j)
{
  const xml *x = epi_xml_child(j->x, "mimic");
  if (!x) return 0;
  const char *name = epi_xml_value(x, "joint");
  for (int i = 0; name && i < r->joints; i++) if (!strcmp(r->joint[i].name, name)) j->mimic = i;
  if (j->mimic < 0) return epi_robot_wrong(r, x, "joint '%s' mimics '%.80s', and there is no such joint", j->shown, name ? name : "");
  if (epi_robot_numbers(r, x, "multiplier", 1, &j->multiplier) < 0 || epi_robot_numbers(r, x, "offset", 1, &j->offset) < 0) return -1;
  const joint *o = &r->joint[j->mimic];
  for (int i = 0; i < 2; i++, o = j)
    if (o->kind != REVOLUTE && o->kind != CONTINUOUS && o->kind != PRISMATIC)
      return epi_robot_wrong(r, x, "joint '%s' mimics '%s', and both need an axis: revolute, continuous or prismatic", j->shown,
                             r->joint[j->mimic].shown);
  if (j->multiplier == 0) return epi_robot_wrong(r, x, "joint '%s' mimics with the multiplier 0: write type=\"fixed\"", j->shown);
  return 0;
}

int epi_robot_read(epi_import *r, const xml *x)
{
  int links = 0, joints = 0;
  if (strcmp(x->name, "robot")) return epi_robot_wrong(r, x, "<robot> is wanted, and this is <%.40s>", x->name);
  for (const xml *c = x->child; c; c = c->next) links += !strcmp(c->name, "link"), joints += !strcmp(c->name, "joint");
  if (!links) return epi_robot_wrong(r, x, "there is no <link> in it");
  if (links > 10000 || joints > 10000) return epi_robot_wrong(r, x, "there are more than 10000 links or joints");
  r->link = epi_pool_room(&r->pool, (size_t)links, sizeof *r->link);
  r->joint = epi_pool_room(&r->pool, (size_t)joints + 1, sizeof *r->joint);
  if (!r->link || !r->joint) return -1;
  const char *ignored;
  if (epi_xml_value(x, "name") && names_of(r, x, &ignored, &r->name)) return -1;
  /* it stands in quotes */
  for (char *c = (char *)r->name; c && *c; c++) if (*c == '"' || *c == '\\') *c = '_';
  for (const xml *c = x->child; c; c = c->next) if (!strcmp(c->name, "link") && read_link(r, c)) return -1;
  for (const xml *c = x->child; c; c = c->next) {
    if (!strncmp(c->name, "xacro:", 6)) return epi_robot_wrong(r, c, "this file has macros of xacro: run xacro over it first");
    if (!strcmp(c->name, "joint") && read_joint(r, c)) return -1;
    if (!strcmp(c->name, "link") || !strcmp(c->name, "joint")) continue;
    const char *of = epi_xml_value(c, "name");
    epi_robot_left(r, c->name, of ? of : epi_xml_value(c, "reference"), reason(c->name));
  }
  for (int i = 0; i < r->joints; i++) if (read_mimic(r, &r->joint[i])) return -1;
  return r->pool.out ? -1 : 0;
}
