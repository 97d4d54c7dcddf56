/* holds: contacts, joints and loads of a user have the powers of the library's own */
#include "cases.h"

/* ---- the library's own ---- */
static void lists(void)
{
  int n = 0;
  for (const epi_contact_kind *const *k = epi_contact_kinds(); *k; k++, n++) {
    check((*k)->name && (*k)->doc && (*k)->params && (*k)->touch);
    double own[2];
    epi_contact c = {.shape = n, .own = own};
    for (const epi_param *p = (*k)->params; p->name; p++) {
      int numbers = 0;
      double *at = epi_contact_param(&c, p->name, &numbers);
      check(at && p->unit && p->doc);
      check_count(numbers, p->kind == EPI_LIST ? 3 : 1);
    }
    check(!epi_contact_param(&c, "colour", NULL));
  }
  check_count(n, 9);
  check_text(epi_contact_kinds()[EPI_SPHERE_GROOVE]->name, "sphere-groove");
  epi_contact c = {.shape = EPI_SPHERE_GROOVE};
  check(epi_contact_param(&c, "circle", NULL) == &c.circle);
  /* a field that this kind does not read is none of its parameters */
  check(!epi_contact_param(&c, "clearance", NULL));
  n = 0;
  for (const epi_joint_kind *const *k = epi_joint_kinds(); *k; k++, n++) check((*k)->name && (*k)->doc && (*k)->params && (*k)->eval);
  check_count(n, 11);
  epi_joint j = {.hold = EPI_ROD};
  check(epi_joint_param(&j, "length", NULL) == &j.length);
  epi_spring s = {.stiffness = 3};
  check(epi_spring_param(&s, "stiffness", NULL) == &s.stiffness);
  epi_applied_force f = {.body = 0};
  check(epi_load_param(&f, "torque", NULL) == f.torque);
  for (n = 0; epi_load_kinds()[n]; n++) check(epi_load_kinds()[n]->act != NULL);
  check_count(n, 3);
}

/* a hinge by its record is the hinge by its number, to the bit */
static void by_record(void)
{
  double end[2][26];
  const epi_joint_kind *hinge = NULL;
  for (const epi_joint_kind *const *k = epi_joint_kinds(); *k; k++) if (!strcmp((*k)->name, "hinge")) hinge = *k;
  for (int i = 0; i < 2; i++) {
    epi_world *w = epi_world_make();
    epi_add_gravity(w, (double[]){0, -9.81, 1});
    for (int b = 0; b < 2; b++) {
      epi_add_body(w, &(epi_body){.mass = 1, .inertia = {0.02, 0.1, 0.1}, .at = {b + 0.5}});
      epi_joint j = {.a = b, .b = b - 1, .as = EPI_CONSTRAINT, .at_a = {-0.5}, .at_b = {b ? 0.5 : 0}};
      if (i) j.kind = hinge;
      else j.hold = EPI_HINGE;
      epi_add_joint(w, &j);
    }
    epi_flow *f = epi_world_flow(w, "verlet");
    epi_state s = epi_world_state(w);
    run(f, &s, 0.1, 1e-3);
    memcpy(end[i], s.y, sizeof end[i]);
    epi_free(f);
    epi_world_free(w);
  }
  check_bits(26, end[1], end[0]);
  check_above(fabs(end[0][1]), 0.01);
}

/* ---- of a user ---- */
/* a ball against a wall that moves: at x = own[0] + own[1] t of b */
static int wall_touch(const epi_contact *c, double t, const epi_pose *a, const epi_pose *b, epi_touch *out)
{
  out->depth = a->r[0] + c->radius - b->r[0] - c->own[0] - c->own[1]*t;
  out->normal[0] = 1;
  out->lever[0][0] = c->radius;
  out->lever[1][0] = a->r[0] - b->r[0] + c->radius;
  out->lever[1][1] = a->r[1] - b->r[1];
  out->lever[1][2] = a->r[2] - b->r[2];
  return 0;
}
static int wall_check(const epi_contact *c, char *words, size_t size)
{
  if (c->own && c->own[1] >= 0) return 0;
  snprintf(words, size, "is a wall that comes nearer: give a speed from 0 on");
  return 1;
}
static const epi_param wall_params[] = {{.name = "radius", .unit = "m"}, {.name = "place", .unit = "m"}, {.name = "speed", .unit = "m/s"},
                                        {0}};
static const epi_contact_kind wall = {.name = "wall", .params = wall_params, .traits = EPI_A_BALL, .check = wall_check,
                                      .touch = wall_touch};

/* resistance of the air, -c |v| v */
static int air_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_applied_force *l = data;
  double speed = sqrt(a->v[0]*a->v[0] + a->v[1]*a->v[1] + a->v[2]*a->v[2]);
  (void)t, (void)b;
  for (int i = 0; i < 3; i++) out->force[i] = -l->own[0]*speed*a->v[i];
  out->loss = l->own[0]*speed*speed*speed;
  return 0;
}
static int air_draw(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_shape *out)
{
  epi_action act = {.load = 0};
  air_act(data, t, a, b, &act);
  *out = (epi_shape){.name = "air ", .kind = EPI_ARROW, .unit = "N", .at = {a->r[0], a->r[1], a->r[2]},
                     .to = {act.force[0], act.force[1], act.force[2]}};
  return 1;
}
static const epi_param air_params[] = {{.name = "c", .unit = "kg/m"}, {0}};
static const epi_load_kind air = {.name = "air", .params = air_params, .act = air_act, .draw = air_draw};

/* x of a as twice x of b: a lever */
static int lever_eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  (void)t;
  out->g[0] = a->r[0] - j->own[0]*b->r[0];
  out->G[0][0] = 1;
  out->G[0][6] = -j->own[0];
  return 0;
}
static int lever_draw(const epi_joint *j) { (void)j; return EPI_BAR; }
static const epi_param lever_params[] = {{.name = "ratio", .unit = ""}, {0}};
static const epi_joint_kind lever = {.name = "lever", .params = lever_params, .rows = 1, .eval = lever_eval, .draw = lever_draw};

static const epi_shape *shown(epi_world *w, const epi_state *s, const char *name, epi_shape *room)
{
  epi_scene scene = {.room = 20, .shape = room};
  int n = epi_world_draw(w, s, &scene);
  for (int i = 0; i < n && i < 20; i++) if (!strcmp(room[i].name, name)) return &room[i];
  return NULL;
}

static void of_a_user(void)
{
  epi_world *w = epi_world_make();
  double place[] = {1, 0.5}, ratio[] = {2}, c[] = {0.3};
  int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 2, .inertia = {1, 1, 1}, .at = {0.91}, .velocity = {4}});
  int far = epi_add_body(w, &(epi_body){.name = "far", .mass = 3, .inertia = {1, 1, 1}, .at = {1.82, 1, 0}, .velocity = {8}});
  int touch = epi_add_contact(w, &(epi_contact){.kind = &wall, .a = ball, .b = EPI_GROUND, .radius = 0.1, .own = place,
                                                .law = {.K = 1e6, .power = 1}});
  int held = epi_add_joint(w, &(epi_joint){.kind = &lever, .a = far, .b = ball, .as = EPI_CONSTRAINT, .own = ratio, .length = 1});
  int blown = epi_add_load(w, &(epi_applied_force){.name = "wind", .kind = &air, .body = far, .own = c});
  /* what was given was copied */
  place[0] = ratio[0] = c[0] = 77;
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  check_count(epi_world_action_named(w, "wall"), touch);
  check_count(epi_world_action_named(w, "lever"), held);
  check_count(epi_world_action_named(w, "wind"), blown);
  check_count(epi_world_action_named(w, "ball"), -1);
  check_count(epi_world_body_named(w, "far"), far);
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_state s = epi_world_state(w);
  double lambda[2], impulse = 0;
  s.lambda = lambda;
  s.impulse = &impulse;
  epi_action act;
  check_count(epi_world_action(w, &s, touch, &act), 0);
  check_rel(act.depth, 0.01, 1e-12);
  check_rel(act.load, 1e4, 1e-12);
  check_rel(act.energy, 50, 1e-12);
  check_rel(act.stiffness, 1e6, 1e-12);
  check_count(epi_world_action(w, &s, blown, &act), 0);
  check_rel(act.loss, 0.3*512, 1e-12);
  /* 2 a + 3*2*(2 a) = -1e4 - 2*0.3*64: the lever doubles what the far one feels */
  double a = (-1e4 - 2*0.3*64)/14, h = 1e-8;
  if (epi_advance(f, &s, h, 1)) test_stop(epi_error(f));
  check_rel((s.y[14] - 4)/h, a, 1e-5);
  check_rel((s.y[14 + 6] - 8)/h, 2*a, 1e-5);
  check_count(epi_world_action(w, &s, held, &act), 0);
  /* the far one: 3*2a = -19.2 + the pull of the lever */
  check_rel(impulse/h, 6*a + 19.2, 1e-5);
  check_rel(act.force[0], 6*a + 19.2, 1e-3);
  epi_shape room[20];
  const epi_shape *arrow = shown(w, &s, "contact wall", room);
  check(arrow != NULL);
  if (arrow) check_rel(arrow->to[0], -1e4, 1e-4);
  check(shown(w, &s, "air wind", room) != NULL);
  check(shown(w, &s, "lever", room) != NULL);
  arrow = shown(w, &s, "ball", room);
  check(arrow && arrow->kind == EPI_BALL && arrow->size[0] == 0.1);
  epi_free(f);
  epi_world_free(w);
}

/* a step that is too long says the name of the user's contact */
static void passed_through(void)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.name = "bullet", .mass = 2, .inertia = {1, 1, 1}, .at = {0.7}, .velocity = {100}});
  epi_add_contact(w, &(epi_contact){.name = "target", .kind = &wall, .a = 0, .b = EPI_GROUND, .radius = 0.1, .own = (double[]){1, 0},
                                    .law = {.K = 10}});
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_state s = epi_world_state(w);
  check_above(epi_advance(f, &s, 0.01, 1), 0);
  check_has(epi_error(f), "target, between bullet and the ground, was passed through");
  epi_free(f);
  epi_world_free(w);
}

/* what a shorter step has passed is not the reason of what stops the run later */
static int fuse_eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  (void)j, (void)a, (void)b, (void)out;
  return t > 0.5 ? -7 : 0;
}
static const epi_joint_kind fuse = {.name = "fuse", .rows = 1, .eval = fuse_eval};

static void not_the_reason(void)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.name = "bullet", .mass = 2, .inertia = {1, 1, 1}, .at = {0.7}, .velocity = {100}});
  epi_add_contact(w, &(epi_contact){.name = "target", .kind = &wall, .a = 0, .b = EPI_GROUND, .radius = 0.1, .own = (double[]){1, 0},
                                    .law = {.K = 1e9}});
  epi_add_joint(w, &(epi_joint){.kind = &fuse, .a = 0, .b = EPI_GROUND, .stiffness = {1}});
  epi_flow *f = epi_world_flow(w, "tolerance(verlet, rtol=1e-6)");
  epi_state s = epi_world_state(w);
  check_count(epi_run(f, &s, 1, 0.01), -7);
  check_has(epi_error(f), "stopped the run");
  epi_free(f);
  epi_world_free(w);
}

/* of equal names the first, and bodies and what acts apart from each other */
static void equal_names(void)
{
  epi_world *w = epi_world_make();
  for (int i = 0; i < 40; i++) epi_add_body(w, &(epi_body){.name = i % 2 ? "odd" : "even", .mass = 1, .inertia = {1, 1, 1}});
  for (int i = 0; i < 4; i++) epi_add_load(w, &(epi_applied_force){.name = i == 3 ? "last" : "odd", .body = i});
  check_count(epi_world_body_named(w, "even"), 0);
  check_count(epi_world_body_named(w, "odd"), 1);
  check_count(epi_world_body_named(w, "last"), -1);
  check_count(epi_world_action_named(w, "odd"), 0);
  check_count(epi_world_action_named(w, "last"), 3);
  check_count(epi_world_action_named(w, "even"), -1);
  epi_world_free(w);
}

/* ---- refusals ---- */
static void refusals(void)
{
  static const epi_contact_kind mute = {.name = "mute"};
  static const epi_joint_kind wide = {.name = "wide", .rows = 7, .eval = lever_eval}, nameless = {.rows = 1, .eval = lever_eval};
  for (int i = 0; i < 7; i++) {
    static const char *const words[] = {"trap is a wall that comes nearer: give a speed", "kind without a name or touch",
                                        "wide, which has 7 rows: give 1 to 6",
                                        "kind without a name or eval", "which acts between two bodies: add it with epi_add_spring",
                                        "which acts on one body: add it with epi_add_load", "has a negative length"};
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}});
    epi_contact c = {.name = "trap", .a = 0, .b = EPI_GROUND, .kind = i ? &mute : &wall, .radius = 1, .law = {.K = 1},
                     .own = (double[]){1, -1}};
    epi_joint j = {.a = 0, .b = EPI_GROUND, .kind = i == 2 ? &wide : &nameless, .as = EPI_CONSTRAINT};
    epi_applied_force l = {.body = 0, .kind = epi_load_kinds()[1]};
    epi_spring s = {.a = 0, .b = EPI_GROUND, .stiffness = i == 6 ? -1 : 1, .kind = i == 5 ? &air : NULL};
    int made = i < 2 ? epi_add_contact(w, &c) : i < 4 ? epi_add_joint(w, &j) : i < 5 ? epi_add_load(w, &l) : epi_add_spring(w, &s);
    check_count(made, -1);
    check_has(epi_world_error(w), words[i]);
    epi_world_free(w);
  }
}

/* a shape that has no radius: a foot under the centre of a, on the plane z = 0 */
static int foot_touch(const epi_contact *c, double t, const epi_pose *a, const epi_pose *b, epi_touch *out)
{
  (void)t;
  out->depth = c->own[0] - (a->r[2] - b->r[2]);
  out->normal[2] = -1;
  out->lever[0][2] = -c->own[0];
  for (int i = 0; i < 3; i++) out->lever[1][i] = a->r[i] - b->r[i] + out->lever[0][i];
  return 0;
}
static const epi_param foot_params[] = {{.name = "half", .unit = "m", .value = 0.1, .doc = "height of the centre"}, {0}};
static const epi_contact_kind foot = {.name = "foot", .doc = "a point under a", .params = foot_params, .touch = foot_touch};
static void without_radius(void)
{
  epi_world *w = epi_world_make();
  int box = epi_add_body(w, &(epi_body){.name = "box", .mass = 1, .inertia = {1, 1, 1}, .at = {0, 0, 0.09}});
  int stand = epi_add_contact(w, &(epi_contact){.kind = &foot, .a = box, .b = EPI_GROUND, .own = (double[]){0.1}, .law = {.K = 1e4}});
  if (!check(stand >= 0)) test_stop(epi_world_error(w));
  epi_state s = epi_world_state(w);
  epi_action out;
  check_count(epi_world_action(w, &s, stand, &out), 0);
  check_rel(out.load, 1e4*0.01*sqrt(0.01), 1e-12);
  check_rel(out.force[2], 10, 1e-12);
  epi_world_free(w);
}

int main(void)
{
  without_radius();
  lists();
  by_record();
  of_a_user();
  passed_through();
  not_the_reason();
  equal_names();
  refusals();
  return test_done();
}
