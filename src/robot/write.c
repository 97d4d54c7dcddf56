/* write.c - the model file of a robot */
#include "core.h"
#include "robot.h"
#include "file/world/turn.h"
#include <stdio.h>

static void list(pen *out, const char *key, const double *x, int n)
{
  epi_pen_print(out, ", %s: [", key);
  for (int i = 0; i < n; i++) epi_pen_print(out, "%s%s", i ? ", " : "", epi_shortest(x[i] + 0.0).text);
  epi_pen_print(out, "]");
}

static void put_pose(pen *out, const pose *p)
{
  list(out, "at", p->at, 3);
  if (p->q[0] != 1) list(out, "attitude", p->q, 4);
}

/* ---- names: letters, digits, - and _, and no two things share one ---- */
static int taken(const epi_import *r, const char *label)
{
  for (int i = 0; i < r->links; i++) if (r->link[i].label && !strcmp(r->link[i].label, label)) return 1;
  for (int i = 0; i < r->joints; i++) if (r->joint[i].label && !strcmp(r->joint[i].label, label)) return 1;
  return !strcmp(label, "ground") || !strcmp(label, "world");
}

static const char *label_of(epi_import *r, const char *kind, const char *shown)
{
  int letter = (*shown >= 'a' && *shown <= 'z') || (*shown >= 'A' && *shown <= 'Z');
  char *plain = (char *)epi_pool_text(&r->pool, "%s%s", letter ? "" : "n", shown);
  for (char *c = plain; *c; c++)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '-' || *c == '_')) *c = '_';
  const char *label = plain;
  for (int n = 2; taken(r, label) && !r->pool.out; n++) label = epi_pool_text(&r->pool, "%s_%d", plain, n);
  if (strcmp(label, shown)) epi_robot_note(r, "%s '%s' is called %s", kind, shown, label);
  return label;
}

static int is_body(const epi_import *r, int i) { return r->link[i].head == i && (i != r->root || r->free); }

static void name_all(epi_import *r)
{
  for (int i = 0; i < r->links; i++) if (is_body(r, i)) r->link[i].label = label_of(r, "link", r->link[i].shown);
  for (int i = 0; i < r->joints; i++)
    if (r->joint[i].kind != FIXED && r->joint[i].kind != FLOATING) r->joint[i].label = label_of(r, "joint", r->joint[i].shown);
}

/* ---- looks: 1: a shape was written ---- */
static int put_look(epi_import *r, pen *out, const link *l, const xml *visual, int n)
{
  static const struct { const char *name, *kind, *size[2]; int count[2]; } forms[] = {
    {"box", "box", {"size", NULL}, {3, 0}}, {"cylinder", "cylinder", {"radius", "length"}, {1, 1}}, {"sphere", "ball", {"radius", NULL},
                                                                                                     {1, 0}}};
  const xml *g = epi_xml_child(visual, "geometry"), *form = g ? g->child : NULL;
  const pose *body = &r->link[l->head].body;
  pose at;
  if (epi_robot_origin(r, visual, &at)) return -1;
  epi_pose_times(&l->in_head, &at, &at);
  if (is_body(r, l->head)) epi_pose_inside(body, &at, &at);
  for (size_t i = 0; form && i < sizeof forms/sizeof *forms; i++) {
    if (strcmp(form->name, forms[i].name)) continue;
    double size[4] = {0};
    for (int k = 0; k < 2 && forms[i].size[k]; k++) {
      int absent = epi_robot_numbers(r, form, forms[i].size[k], forms[i].count[k], size + k);
      if (absent) return absent < 0 ? -1 : epi_robot_wrong(r, form, "<%s> has no %s", form->name, forms[i].size[k]);
    }
    epi_pen_print(out, "%s{kind: %s", n ? ", " : "", forms[i].kind);
    list(out, "size", size, forms[i].count[0] + forms[i].count[1]);
    put_pose(out, &at);
    epi_pen_print(out, "}");
    return 1;
  }
  epi_robot_left(r, epi_pool_text(&r->pool, "visual %.40s", form ? form->name : "without geometry"), l->shown,
                 "pictures have boxes, cylinders and balls");
  return 0;
}

static int put_looks(epi_import *r, pen *out, int head, const char *before)
{
  int n = 0;
  for (int i = 0; i < r->links; i++) {
    const link *l = &r->link[i];
    if (l->head != head) continue;
    for (const xml *v = l->x->child; v; v = v->next) {
      if (strcmp(v->name, "visual")) continue;
      pen one = {.pool = &r->pool};
      int put = put_look(r, &one, l, v, n);
      if (put < 0) return -1;
      if (epi_xml_child(v, "material")) epi_robot_left(r, "material", l->shown, "pictures have looks of their own");
      if (put) epi_pen_print(out, "%s%s", n ? "" : before, one.text);
      n += put;
    }
  }
  if (n) epi_pen_print(out, "]%s", is_body(r, head) ? "" : "\n");
  return 0;
}

/* ---- bodies ---- */
static int put_bodies(epi_import *r, pen *out)
{
  epi_pen_print(out, "  bodies:\n");
  for (int i = 0; i < r->links; i++) {
    const link *l = &r->link[i];
    pose at;
    if (!is_body(r, i)) continue;
    epi_pose_times(&l->space, &l->body, &at);
    epi_pen_print(out, "    - {name: %s, mass: %s", l->label, epi_shortest(l->mass).text);
    list(out, "inertia", l->moment, 3);
    put_pose(out, &at);
    if (put_looks(r, out, i, ", shapes: [")) return -1;
    epi_pen_print(out, "}\n");
  }
  return r->free ? 0 : put_looks(r, out, r->root, "  shapes: [");
}

/* ---- joints ---- */
static const char *word_of(const joint *j, const char *turn, const char *slide) { return j->kind == PRISMATIC ? slide : turn; }

/* the frame of a joint: z along its axis, of a slider x */
static void put_frames(const epi_import *r, pen *out, const joint *j)
{
  const link *c = &r->link[j->child], *p = &r->link[j->parent], *h = &r->link[p->head];
  pose frame = {.q = {1}}, a, b;
  epi_file_turn_from(j->axis, j->kind == PRISMATIC ? 0 : 2, frame.q);
  epi_pose_inside(&c->body, &frame, &a);
  epi_pose_times(&j->origin, &frame, &b);
  epi_pose_times(&p->in_head, &b, &b);
  if (is_body(r, p->head)) epi_pose_inside(&h->body, &b, &b);
  list(out, "at_a", a.at, 3);
  list(out, "at_b", b.at, 3);
  list(out, "frame_a", a.q, 4);
  list(out, "frame_b", b.q, 4);
}

static void put_joint(const epi_import *r, pen *out, const joint *j)
{
  static const char *const holds[KINDS] = {"", "revolute", "revolute", "prismatic", "", "planar"};
  int head = r->link[j->parent].head;
  epi_pen_print(out, "    - {name: %s, a: %s, b: %s, hold: %s", j->label, r->link[j->child].label,
                is_body(r, head) ? r->link[head].label : "ground", holds[j->kind]);
  put_frames(r, out, j);
  if (j->damping > 0) epi_pen_print(out, ", spring: {damping: %s}", epi_shortest(j->damping).text);
  if (j->limited)
    epi_pen_print(out, ", limits: {lower: %s, upper: %s, stiffness: %s}", epi_shortest(j->lower).text, epi_shortest(j->upper).text,
                  word_of(j, "turn_stop", "slide_stop"));
  if (j->friction > 0)
    epi_pen_print(out, ", motor: {%s: \"-%s [%s]*speed/sqrt(speed^2 + %s^2)\"}", word_of(j, "torque", "force"),
                  epi_shortest(j->friction).text, word_of(j, "N m", "N"), word_of(j, "turn_slip", "slide_slip"));
  epi_pen_print(out, "}\n");
}

/* a joint that follows another: a gear, or a pinion and its rack, of which the pinion stands first */
static int put_mimic(epi_import *r, pen *out, const joint *j)
{
  const joint *o = &r->joint[j->mimic];
  int slides = j->kind == PRISMATIC, leads = o->kind == PRISMATIC;
  if (slides && leads)
    return epi_robot_wrong(r, j->x, "joint '%s' mimics '%s', and both slide: two sliders cannot be coupled in a model file", j->shown,
                           o->shown);
  const char *label = label_of(r, "the coupling", epi_pool_text(&r->pool, "%s_mimic", j->label));
  const joint *first = slides ? o : j, *second = slides ? j : o;
  epi_pen_print(out, "    - {name: %s, hold: %s, joints: [%s, %s], %s: %s}\n", label, slides || leads ? "rack" : "gear", first->label,
                second->label,
                slides || leads ? "radius" : "ratio", epi_shortest(leads ? 1/j->multiplier : j->multiplier).text);
  return 0;
}

static int put_joints(epi_import *r, pen *out)
{
  int n = 0;
  for (int i = 0; i < r->joints; i++) {
    if (!r->joint[i].label) continue;
    if (!n++) epi_pen_print(out, "  joints:\n");
    put_joint(r, out, &r->joint[i]);
  }
  for (int i = 0; i < r->joints; i++) if (r->joint[i].mimic >= 0 && put_mimic(r, out, &r->joint[i])) return -1;
  return 0;
}

/* ---- what a URDF leaves open ---- */
static double rounded(double x) { double e = pow(10, floor(log10(x))); return floor(x/e + 0.5)*e; }

/* the weight of all of it bends a stop by a hundredth of a radian, and by a thousandth of how far it reaches */
static void put_parameters(epi_import *r, pen *out)
{
  double mass = 0, reach = 1e-3;
  int stops[2] = {0}, slips[2] = {0}, n = 0;
  for (int i = 0; i < r->links; i++) {
    pose at;
    if (!is_body(r, i)) continue;
    epi_pose_times(&r->link[i].space, &r->link[i].body, &at);
    mass += r->link[i].mass;
    reach = fmax(reach, sqrt(at.at[0]*at.at[0] + at.at[1]*at.at[1] + at.at[2]*at.at[2]));
  }
  for (int i = 0; i < r->joints; i++) {
    const joint *j = &r->joint[i];
    stops[j->kind == PRISMATIC] += j->limited;
    slips[j->kind == PRISMATIC] += j->friction > 0;
  }
  const struct { const char *name, *unit; double x; int n; } all[] = {
    {"turn_stop", "N m/rad", 100*mass*9.81*reach, stops[0]}, {"slide_stop", "N/m", 1000*mass*9.81/reach, stops[1]},
    {"turn_slip", "rad/s", 0.01, slips[0]}, {"slide_slip", "m/s", 0.001, slips[1]}};
  for (int i = 0; i < 4; i++) {
    if (!all[i].n) continue;
    const epi_number x = epi_shortest(rounded(all[i].x));
    epi_pen_print(out, "%s%s: %s %s", n++ ? ", " : "parameters: {", all[i].name, x.text, all[i].unit);
    epi_robot_note(r, i < 2 ? "limits of joints that %s are elastic stops, %s = %s %s: a URDF does not say how hard they are" :
                   "friction of joints that %s grows to 0.7 of itself at %s = %s %s: a URDF does not say how it begins",
                   i % 2 ? "slide" : "turn", all[i].name, x.text, all[i].unit);
  }
  if (n) epi_pen_print(out, "}\n");
}

void epi_robot_write(epi_import *r)
{
  pen out = {.pool = &r->pool}, head = {.pool = &r->pool}, all = {.pool = &r->pool};
  int bodies = 0;
  for (int i = 0; i < r->links; i++) bodies += is_body(r, i);
  if (!bodies) { epi_robot_wrong(r, r->link[r->root].x, "nothing in it moves: every link is fixed to the ground"); return; }
  name_all(r);
  if (put_bodies(r, &out) || put_joints(r, &out)) return;
  put_parameters(r, &head);
  for (int i = 0; i < r->lefts; i++) epi_robot_note(r, "%s of %s is not carried over: %s", r->left[i].what, r->left[i].names,
                                                    r->left[i].why);
  const char *slash = strrchr(r->path, '/');
  char *from = (char *)epi_pool_text(&r->pool, "%s", slash ? slash + 1 : r->path);
  for (char *c = from; *c; c++) if (*c < 32 || *c > 126) *c = '?';
  epi_pen_print(&all, "# from %s\n", from);
  for (int i = 0; i < r->notes; i++) epi_pen_print(&all, "# %s\n", r->note[i]);
  if (r->name) epi_pen_print(&all, "title: \"%s\"\n", r->name);
  epi_pen_print(&all, "%sworld:\n  gravity: 9.81\n%send: 1\n", head.text ? head.text : "", out.text);
  r->text = all.text;
}
