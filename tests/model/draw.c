/* holds: drawings show the same shapes at every state, at the places that the coordinates give, and do not change a run
 * draw.c - what models show of themselves: the same shapes at every state, in the places that their coordinates say; arrows that are the
   contact forces; a run that does not notice; units of every coordinate; shapes that a world is given, and those it finds itself */
#include "cases.h"

static const double PI = 3.14159265358979323846;

typedef struct { int n; epi_shape *shape; } picture;

static picture drawn(const epi_case *c, const epi_state *s)
{
  epi_scene count = {0}, scene = {0};
  picture p = {.n = epi_case_draw(c, s, &count)};
  p.shape = scene.shape = calloc((size_t)p.n + 1, sizeof *p.shape);
  scene.room = p.n;
  check_count(epi_case_draw(c, s, &scene), p.n);
  return p;
}

static const epi_shape *named(picture p, const char *name)
{
  int i = 0;
  while (i < p.n && strcmp(p.shape[i].name, name)) i++;
  if (i == p.n) test_stop(name);
  return &p.shape[i];
}

static double length(const epi_shape *s)
{
  double x = s->to[0] - s->at[0], y = s->to[1] - s->at[1], z = s->to[2] - s->at[2];
  return sqrt(x*x + y*y + z*z);
}

static void check_place(const double *at, double x, double y, double z, double tol)
{
  check_abs(at[0], x, tol);
  check_abs(at[1], y, tol);
  check_abs(at[2], z, tol);
}

/* ---- every model ---- */
static int finite_places(const epi_shape *s)
{
  double sum = 0, unit = 0;
  for (int i = 0; i < 3; i++) sum += s->at[i] + s->to[i];
  for (int i = 0; i < 4; i++) unit += s->attitude[i]*s->attitude[i];
  return isfinite(sum) && (unit == 0 || fabs(unit - 1) < 1e-9);
}

static int same_look(const epi_shape *a, const epi_shape *b)
{
  return !strcmp(a->name, b->name) && a->kind == b->kind && a->appearance == b->appearance && a->trail == b->trail
         && !memcmp(a->size, b->size, sizeof a->size) &&
         (a->unit ? b->unit && !strcmp(a->unit, b->unit) : !b->unit);
}

/* how many of these numbers a picture needs to be one: a ball has a radius, an arrow has none but its unit */
static int whole(const epi_shape *s)
{
  static const int sizes[] = {[EPI_BALL] = 1, [EPI_BOX] = 3, [EPI_CYLINDER] = 2, [EPI_CONE] = 2, [EPI_RING] = 3, [EPI_RACE] = 5,
                              [EPI_CAGE] = 5,
                              [EPI_BAR] = 1, [EPI_COIL] = 2, [EPI_ARROW] = 0, [EPI_FLOOR] = 2};
  if (s->kind < 0 || s->kind > EPI_FLOOR || !s->name || !s->name[0]) return 0;
  for (int i = 0; i < sizes[s->kind]; i++) if (!(s->size[i] > 0 && isfinite(s->size[i]))) return 0;
  return (s->kind == EPI_ARROW) == (s->unit && s->unit[0]);
}

static void every_model(void)
{
  for (const epi_model *const *m = epi_models(); *m; m++) {
    epi_case *c = make((*m)->name);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    picture a = drawn(c, &s);
    if (epi_advance(f, &s, c->step, 20)) test_stop(epi_error(f));
    picture b = drawn(c, &s);
    int moved = 0;
    check_count(a.n > 0, strcmp((*m)->name, "van-der-pol") != 0);
    check_count(b.n, a.n);
    for (int i = 0; i < a.n && i < b.n; i++) {
      if (!check(whole(&a.shape[i]) && same_look(&a.shape[i], &b.shape[i]) && finite_places(&a.shape[i]) && finite_places(&b.shape[i])))
        printf("  %s: %s\n", (*m)->name, a.shape[i].name);
      /* two shapes of one name could not be told apart */
      for (int k = 0; k < i; k++) if (!check(strcmp(a.shape[i].name, a.shape[k].name))) printf("  %s: %s\n", (*m)->name, a.shape[i].name);
      moved |= memcmp(a.shape[i].at, b.shape[i].at, sizeof a.shape[i].at) || memcmp(a.shape[i].to, b.shape[i].to, sizeof a.shape[i].to);
    }
    check_count(moved, a.n > 0);
    free(a.shape);
    free(b.shape);
    epi_free(f);
    epi_case_free(c);
  }
}

/* ---- places ---- */
/* by hand: a rod of 0.2 at 0.5 from upright, one of 0.1 upright on it, on a pivot that stands vmax/w low; later by the angles */
static void double_pendulum(void)
{
  epi_case *c = make("double-pendulum(w=1e4)");
  epi_flow *f = epi_case_flow(c, "verlet");
  epi_state s = epi_case_state(c);
  for (int k = 0; k < 3; k++) {
    picture p = drawn(c, &s);
    double q1 = observed(c, "q1", &s), q2 = observed(c, "q2", &s), base = -4e-4*cos(s.theta);
    if (k == 0) check_place(named(p, "bob 1")->at, 0.2*sin(0.5), 0, 0.2*cos(0.5) - 4e-4, 1e-15);
    if (k == 0) check_place(named(p, "bob 2")->at, 0.2*sin(0.5), 0, 0.2*cos(0.5) + 0.1 - 4e-4, 1e-15);
    check_place(named(p, "pivot")->at, 0, 0, base, 1e-15);
    check_place(named(p, "bob 1")->at, 0.2*sin(q1), 0, base + 0.2*cos(q1), 1e-9);
    check_place(named(p, "bob 2")->at, 0.2*sin(q1) + 0.1*sin(q2), 0, base + 0.2*cos(q1) + 0.1*cos(q2), 1e-9);
    check_abs(length(named(p, "rod 1")), 0.2, 1e-9);
    check_abs(length(named(p, "rod 2")), 0.1, 1e-9);
    check_count(named(p, "bob 2")->trail, 1);
    free(p.shape);
    run(f, &s, 0.1*(k + 1), 2*PI/1e4/16);
  }
  epi_free(f);
  epi_case_free(c);
}

static void vibrating_pivot(void)
{
  epi_case *c = make("inverted-pendulum(w=1e3)");
  epi_state s = epi_case_state(c);
  for (int k = 0; k < 4; k++) {
    static const double heights[] = {-4e-3, 0, 4e-3, 0};
    s.theta = k*PI/2;
    s.y[0] = 0.5 - 0.1*k;
    picture p = drawn(c, &s);
    check_place(named(p, "pivot")->at, 0, 0, heights[k], 1e-15);
    check_place(named(p, "bob")->at, 0.2*sin(s.y[0]), 0, heights[k] + 0.2*cos(s.y[0]), 1e-15);
    check_abs(length(named(p, "rod")), 0.2, 1e-15);
    free(p.shape);
  }
  epi_case_free(c);
}

static void orbits_and_rods(void)
{
  epi_case *c = make("kepler(e=0.6)"), *d = make("rod-chain(n=5, l=2)"), *r = make("rotor");
  epi_flow *f = epi_case_flow(c, NULL), *g = epi_case_flow(d, NULL), *h = epi_case_flow(r, NULL);
  epi_state s = epi_case_state(c), u = epi_case_state(d), v = epi_case_state(r);
  for (int k = 0; k < 3; k++) {
    picture p = drawn(c, &s), q = drawn(d, &u), o = drawn(r, &v);
    check_place(named(p, "planet")->at, s.y[0], 0, s.y[1], 0);
    check_place(named(p, "sun")->at, 0, 0, 0, 0);
    check_below(named(p, "planet")->size[0] + named(p, "sun")->size[0], 0.4);
    for (int i = 0; i < 5; i++) {
      char name[24];
      snprintf(name, sizeof name, "rod %d", i + 1);
      check_abs(length(named(q, name)), 0.4, 1e-9);
      snprintf(name, sizeof name, "mass %d", i + 1);
      check_place(named(q, name)->at, u.y[2*i], 0, u.y[2*i + 1], 0);
    }
    /* the unbalance is where its centrifugal force points: -cos Wt, sin Wt */
    check_place(named(o, "unbalance")->at, v.y[0] - 0.75*cos(1.02*v.t), 0, v.y[1] + 0.75*sin(1.02*v.t), 1e-14);
    free(p.shape);
    free(q.shape);
    free(o.shape);
    run(f, &s, k + 1, c->step);
    run(g, &u, 0.1*(k + 1), d->step);
    run(h, &v, 3*(k + 1), r->step);
  }
  epi_free(f);
  epi_free(g);
  epi_free(h);
  epi_case_free(c);
  epi_case_free(d);
  epi_case_free(r);
}

/* the axis of the cone runs through the centre of mass; the velocity of a body that turns about an axis of its own stays there */
static void turning(void)
{
  epi_case *c = make("heavy-top"), *b = make("rigid-body(theta=1.5707963267948966)");
  epi_flow *f = epi_case_flow(c, NULL), *g = epi_case_flow(b, NULL);
  epi_state s = epi_case_state(c), u = epi_case_state(b);
  for (int k = 0; k < 2; k++) {
    picture p = drawn(c, &s), q = drawn(b, &u);
    const double *tip = named(p, "tip")->at, *at = named(q, "body")->attitude;
    check_place(tip, 1.3*4/3*observed(c, "x", &s), 1.3*4/3*observed(c, "y", &s), 1.3*4/3*observed(c, "z", &s), 1e-14);
    check_bits(4, named(p, "top")->attitude, s.y);
    /* I3 = 2, momentum 1 along z: half a radian in a second */
    check_place(named(q, "momentum")->to, 0, 0, 1, 1e-12);
    check_place(named(q, "angular velocity")->to, 0, 0, 0.5, 1e-12);
    check_abs(at[0], cos(0.25*u.t), 1e-9);
    check_abs(at[3], sin(0.25*u.t), 1e-9);
    free(p.shape);
    free(q.shape);
    run(f, &s, 0.05, c->step);
    run(g, &u, 2, b->step);
  }
  epi_free(f);
  epi_free(g);
  epi_case_free(c);
  epi_case_free(b);
}

/* ---- the bearing ---- */
enum { BALLS = 9, FIRST = 3, CONTACTS = 3*BALLS + 2 };

/* the balls are where y says, each inside its pocket and in its grooves */
static void look_at_bearing(const epi_state *s, picture p)
{
  const epi_shape *cage = named(p, "cage"), *outer = named(p, "outer ring"), *inner = named(p, "inner ring");
  check_count(cage->kind, EPI_CAGE);
  check_count(outer->kind, EPI_RACE);
  check_count(inner->kind, EPI_RACE);
  check_bits(3, outer->at, s->y);
  check_bits(3, inner->at, s->y + 7);
  check_bits(4, cage->attitude, s->y + 7*2 + 3);
  check_count((long)cage->size[3], BALLS);
  check_rel(outer->size[0], 31e-3, 1e-15);
  check_rel(inner->size[0], 15e-3, 1e-15);
  for (int k = 0; k < BALLS; k++) {
    char name[24];
    snprintf(name, sizeof name, "ball %d", k + 1);
    const epi_shape *ball = named(p, name);
    const double *r = ball->at, *q = cage->attitude;
    check_bits(3, r, s->y + 7*(FIRST + k));
    check_rel(ball->size[0], 9.525e-3/2, 1e-15);
    /* across the axis of the pocket there is the clearance, and a few micrometers that the wall gives way */
    double turn = 2*atan2(q[3], q[0]) + 2*PI*k/BALLS, x = r[0] - cage->at[0], y = r[1] - cage->at[1];
    check_below(hypot(y*cos(turn) - x*sin(turn), r[2] - cage->at[2]), cage->size[4] - ball->size[0] + 1e-5);
    /* pressed into both grooves by less than 20 micrometers */
    for (int i = 0; i < 2; i++) {
      const epi_shape *ring = i ? inner : outer;
      double far = hypot(hypot(r[0] - ring->at[0], r[1] - ring->at[1]) - ring->size[4], r[2] - ring->at[2]);
      check_between(far + ball->size[0] - ring->size[3], 0, 2e-5);
    }
  }
}

static void arrows_of_bearing(const epi_case *c, const epi_state *s, picture p)
{
  double sum[3] = {0}, want[3] = {0};
  int arrows = 0, open = 0;
  for (int i = 0; i < p.n; i++) {
    const epi_shape *a = &p.shape[i];
    if (strncmp(a->name, "contact ", 8)) continue;
    epi_action act;
    check_count(epi_world_action(c->world, s, epi_world_action_named(c->world, a->name + 8), &act), 0);
    check_count(a->kind, EPI_ARROW);
    check_text(a->unit, "N");
    check_bits(3, a->to, act.force);
    check_bits(3, a->at, act.point);
    for (int k = 0; k < 3; k++) { sum[k] += a->to[k]; want[k] += act.force[k]; }
    if (act.depth <= 0) { open++; check(a->to[0] == 0 && a->to[1] == 0 && a->to[2] == 0); }
    else check_above(hypot(hypot(a->to[0], a->to[1]), a->to[2]), 1e-6);
    arrows++;
  }
  check_count(arrows, CONTACTS);
  check_between(open, 1, CONTACTS - 2*BALLS);
  check_bits(3, sum, want);
  check_place(named(p, "load axial")->to, 0, 0, 1000, 0);
  check_bits(3, named(p, "load axial")->at, s->y + 7);
}

static void bearing(void)
{
  epi_case *c = make("bearing"), *d = make("bearing");
  epi_flow *f = epi_case_flow(c, NULL), *g = epi_case_flow(d, NULL);
  epi_state s = epi_case_state(c), t = epi_case_state(d);
  for (int k = 0; k < 3; k++) {
    picture p = drawn(c, &s);
    /* rings, cage, a mark, balls; no pin where the outer ring is held; contacts, and the one load that there is */
    check_count(p.n, 4 + BALLS + CONTACTS + 1);
    look_at_bearing(&s, p);
    arrows_of_bearing(c, &s, p);
    free(p.shape);
    /* drawing after every step, and not at all, leave the same bits */
    for (int i = 0; i < 40; i++) {
      if (epi_advance(f, &s, c->step, 1) || epi_advance(g, &t, d->step, 1)) test_stop("the bearing does not run");
      picture after = drawn(c, &s);
      free(after.shape);
    }
    check_bits(epi_size(&c->system), s.y, t.y);
  }
  check(epi_world_error(c->world) == NULL);
  epi_free(f);
  epi_free(g);
  epi_case_free(c);
  epi_case_free(d);
}

/* round a ring with modes goes a line that is bent a thousand times as much, and no further than a quarter of its radius */
static void bent_rings(void)
{
  epi_case *c = make("bearing(outer.modes=4, cage.modes=2)");
  epi_state s = epi_case_state(c);
  enum { BARS = 32 };
  static const double bent[] = {0, 2e-6, 1};
  for (int k = 0; k < 3; k++) {
    /* the ring at rest, and its second cosine */
    s.y[7] = s.y[9] = s.y[10] = 0;
    s.y[8] = bent[k];
    picture p = drawn(c, &s);
    const epi_shape *ring = named(p, "outer ring");
    double R = fmax(ring->size[0], ring->size[1]), most = 0.25*R;
    int bars = 0, of_cage = 0;
    for (int i = 0; i < p.n; i++) {
      const epi_shape *b = &p.shape[i];
      of_cage += !strcmp(b->name, "1000 x bent cage");
      if (strcmp(b->name, "1000 x bent outer")) continue;
      double angle = 2*PI*bars++/BARS, r = R + most*tanh(1000*bent[k]*sin(2*angle)/most);
      check_place(b->at, r*cos(angle), r*sin(angle), 0, 1e-9);
      check_count(b->kind, EPI_BAR);
    }
    check_count(bars, BARS);
    check_count(of_cage, BARS);
    free(p.shape);
  }
  epi_case_free(c);
}

/* open in the fall, closed in the hit: the arrow is the force that the model shows */
static void contact(void)
{
  epi_case *c = make("drop");
  epi_flow *f = epi_case_flow(c, NULL);
  epi_state s = epi_case_state(c);
  picture p = drawn(c, &s);
  check_place(named(p, "contact plane")->to, 0, 0, 0, 0);
  check_place(named(p, "floor plane")->at, 0, 0, 0, 1e-15);
  check_abs(named(p, "ball")->size[0], 0.02, 0);
  free(p.shape);
  /* 0.05 m take sqrt(0.1/9.81) s; a little later it is pressed in */
  run(f, &s, sqrt(0.1/9.81) + 4e-5, c->step);
  p = drawn(c, &s);
  check_above(observed(c, "force", &s), 100);
  check_place(named(p, "contact plane")->to, 0, 0, observed(c, "force", &s), 1e-9);
  check_abs(named(p, "contact plane")->at[2], 0, 1e-4);
  free(p.shape);
  epi_free(f);
  epi_case_free(c);
}

/* ---- scenes, units ---- */
static void little_room(void)
{
  epi_case *c = make("bearing"), *k = make("kepler");
  epi_state s = epi_case_state(c), u = epi_case_state(k);
  epi_shape shape[4];
  memset(shape, 0x5a, sizeof shape);
  epi_shape untouched = shape[3];
  epi_scene scene = {.n = 77, .room = 3, .shape = shape};
  check_count(epi_case_draw(c, &s, &scene), 43);
  check_count(scene.n, 43);
  check_text(shape[0].name, "outer ring");
  check_text(shape[2].name, "mark");
  check(!memcmp(&shape[3], &untouched, sizeof untouched));
  scene.room = 1;
  check_count(epi_case_draw(k, &u, &scene), 2);
  check_text(shape[0].name, "sun");
  check_text(shape[1].name, "inner ring");
  epi_scene none = {0};
  check_count(epi_case_draw(k, &u, &none), 2);
  epi_case_free(c);
  epi_case_free(k);
}

/* what a coordinate of this name is measured in */
static const char *unit_of(const char *model, const char *name)
{
  epi_case *c = make(model);
  const char *unit = "no such coordinate";
  for (int i = 0; i < epi_size(&c->system); i++)
    if (!strcmp(c->system.names[i], name)) unit = c->system.units[i];
  epi_case_free(c);
  return unit;
}

static void units(void)
{
  for (const epi_model *const *m = epi_models(); *m; m++) {
    epi_case *c = make((*m)->name);
    int n = epi_size(&c->system);
    if (!check(c->system.units)) printf("  %s\n", (*m)->name);
    for (int i = 0; i < n && c->system.units; i++) check(c->system.units[i] && strlen(c->system.units[i]) < 16);
    /* parts are of the same coordinates */
    for (int k = 1; c->parts[k].name; k++)
      for (int i = 0; i < n; i++) check_text(c->parts[k].system->units[i], c->system.units[i]);
    /* a parameter that gives the start of a coordinate has its unit */
    for (int i = 0; i < n; i++)
      for (const epi_param *p = (*m)->params; p->name; p++)
        if (!strncmp(p->doc, "start: position", 15) && !strcmp(p->name, c->system.names[i])) check_text(c->system.units[i], p->unit);
    epi_case_free(c);
  }
  static const struct { const char *model, *name, *unit; } some[] = {
    {"pendulum", "q", "rad"}, {"pendulum", "v", "rad/s"}, {"kepler", "y", "m"}, {"kepler", "vy", "m/s"}, {"oscillator", "p", "kg m/s"},
    {"spring-chain(n=7)", "y7", "m"}, {"spring-chain(n=7)", "vx1", "m/s"}, {"rod-chain(n=3)", "x3", "m"}, {"rod-chain(n=3)", "vy3", "m/s"},
    {"heavy-top", "q3", ""}, {"heavy-top", "w3", "rad/s"}, {"bearing", "ball9.z", "m"}, {"bearing", "ball9.q0", ""},
    {"bearing", "outer.vx", "m/s"},
    {"bearing", "ball9.w3", "rad/s"}, {"slider-crank", "slider.vx", "m/s"}, {"double-pendulum", "vy2", "m/s"}, {"van-der-pol", "v", "m/s"}};
  for (size_t i = 0; i < sizeof some/sizeof *some; i++) check_text(unit_of(some[i].model, some[i].name), some[i].unit);
}

/* ---- worlds ---- */
static picture world_picture(epi_world *w, const epi_state *s)
{
  epi_scene count = {0}, scene = {0};
  picture p = {.n = epi_world_draw(w, s, &count)};
  p.shape = scene.shape = calloc((size_t)p.n + 1, sizeof *p.shape);
  scene.room = p.n;
  epi_world_draw(w, s, &scene);
  return p;
}

static int body_in(epi_world *w, const char *name)
{
  const double h = sqrt(0.5);
  return epi_add_body(w,
                      &(epi_body){.name = name, .mass = 2, .inertia = {26./12, 20./12, 10./12}, .at = {1, 2, 3}, .attitude = {h, 0, 0, h}});
}

/* a body a quarter turn about z: its x is y of space. Names and shapes are copies */
static void given_shapes(void)
{
  epi_world *w = epi_world_make();
  char word[] = "nose";
  int a = body_in(w, "cart");
  epi_shape nose = {.name = word, .kind = EPI_CONE, .size = {0.1, 0.2}, .at = {1, 0, 0}, .attitude = {0, 2, 0, 0}};
  check_count(epi_add_shape(w, a, &nose), 0);
  check_count(epi_add_shape(w, a, &(epi_shape){.name = "bar", .kind = EPI_BAR, .size = {0.1}, .at = {1, 0, 0}, .to = {2, 0, 1}}), 0);
  check_count(epi_add_shape(w, a, &(epi_shape){.name = "push", .unit = "N", .kind = EPI_ARROW, .at = {1, 0, 0}, .to = {2, 0, 1}}), 0);
  check_count(epi_add_shape(w, a, &(epi_shape){.kind = EPI_BALL, .size = {0.3}}), 0);
  check_count(epi_add_shape(w, EPI_GROUND, &(epi_shape){.name = "wall", .kind = EPI_BOX, .size = {1, 2, 3}, .at = {4, 5, 6}}), 0);
  memcpy(word, "none", 4);
  nose.size[0] = 7;
  epi_state s = epi_world_state(w);
  picture p = world_picture(w, &s);
  check_count(p.n, 5);
  check_place(named(p, "nose")->at, 1, 3, 3, 1e-15);
  check_abs(named(p, "nose")->size[0], 0.1, 0);
  /* a quarter turn about z after a half turn about x: the half turn about the diagonal of x and y */
  const double turned[] = {0, sqrt(0.5), sqrt(0.5), 0};
  check_array(4, named(p, "nose")->attitude, turned, 1e-15);
  check_place(named(p, "bar")->to, 1, 4, 4, 1e-15);
  check_place(named(p, "push")->at, 1, 3, 3, 1e-15);
  check_place(named(p, "push")->to, 0, 2, 1, 1e-15);
  check_place(named(p, "cart")->at, 1, 2, 3, 0);
  check_place(named(p, "wall")->at, 4, 5, 6, 0);
  check(epi_add_shape(w, a, &nose) != 0);
  check_has(epi_world_error(w), "the world is closed");
  free(p.shape);
  epi_world_free(w);
}

static void refused(int body, epi_shape shape, const char *words)
{
  epi_world *w = epi_world_make();
  body_in(w, "cart");
  check(epi_add_shape(w, body, &shape) != 0);
  check_has(epi_world_error(w), words);
  check(epi_world_state(w).y == NULL);
  epi_world_free(w);
}

static void refusals(void)
{
  epi_shape ball = {.name = "hub", .kind = EPI_BALL, .size = {1}}, odd = ball, thin = ball, lost = ball, painted = ball;
  odd.kind = 99;
  thin.size[0] = 0;
  lost.at[1] = NAN;
  painted.appearance = -2;
  refused(1, ball, "the shape hub is on body 1, which there is not: give the number that epi_add_body returned, or EPI_GROUND");
  refused(-2, ball, "the shape hub is on body -2, which there is not");
  refused(0, odd, "the shape hub is of kind 99, which there is not: take EPI_BALL ... EPI_FLOOR");
  refused(0, thin, "the ball hub has the size 0: give lengths in m, above zero");
  refused(0, lost, "the ball hub has a size or a place that is not finite");
  refused(0, painted, "the shape hub has the appearance -2, which there is not: take EPI_PLAIN ... EPI_BRIGHT");
}

static double twice(void *data, double t) { (void)data; return 2*t; }

/* what a world finds itself: boxes of the moments, spheres of contacts, springs, rods, pins, floors, loads */
static void inferred_shapes(void)
{
  epi_world *w = epi_world_make();
  const epi_law law = {.K = 1e9};
  int box = body_in(w, "box"), ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 1, .inertia = {1, 1, 1}, .at = {4, 2, 3}});
  int plate = epi_add_body(w, &(epi_body){.name = "plate", .mass = 12, .inertia = {1, 1, 2}, .at = {1, 4, 0.5}});
  int other = epi_add_body(w, &(epi_body){.name = "other", .mass = 1, .inertia = {1, 1, 1}, .at = {-4, 2, 3}});
  epi_add_contact(w, &(epi_contact){.name = "c1", .shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = 0.5,
                                    .normal = {0, 0, 2}, .at = {9, 9, 1}, .law = law});
  epi_add_contact(w, &(epi_contact){.name = "c2", .shape = EPI_SPHERE_PLANE, .a = other, .b = EPI_GROUND, .radius = 0.25,
                                    .normal = {0, 0, 1}, .at = {9, 9, 1}, .law = law});
  epi_add_contact(w, &(epi_contact){.name = "c3", .shape = EPI_SPHERE_PLANE, .a = other, .b = EPI_GROUND, .radius = 0.25,
                                    .normal = {-1, 0, 0}, .at = {5, 0, 0}, .law = law});
  epi_add_spring(w, &(epi_spring){.name = "coil", .a = box, .b = EPI_GROUND, .at_a = {1, 0, 0}, .at_b = {0, 0, 7}, .length = 2,
                                  .stiffness = 1});
  epi_add_joint(w, &(epi_joint){.name = "rod", .a = plate, .b = box, .hold = EPI_ROD, .as = EPI_CONSTRAINT, .length = sqrt(10.25)});
  epi_add_joint(w, &(epi_joint){.name = "hinge", .a = box, .b = EPI_GROUND, .hold = EPI_HINGE, .as = EPI_CONSTRAINT, .at_a = {1, 0, 0},
                                .at_b = {1, 3, 3}});
  epi_add_joint(w, &(epi_joint){.name = "point", .a = plate, .b = EPI_GROUND, .hold = EPI_POINT, .as = EPI_CONSTRAINT,
                                .at_b = {1, 4, 0.5}});
  epi_add_joint(w, &(epi_joint){.name = "plane", .a = ball, .b = EPI_GROUND, .hold = EPI_Z | EPI_RX | EPI_RY, .as = EPI_CONSTRAINT,
                                .at_b = {0, 0, 3}});
  epi_add_load(w, &(epi_applied_force){.name = "both", .body = box, .force = {0, 3, 0}, .torque = {1, 0, 0}, .at = {1, 0, 0}, .of = twice});
  epi_state s = epi_world_state(w);
  if (!check(s.y != NULL)) test_stop(epi_world_error(w));
  s.t = 0.5;
  picture p = world_picture(w, &s);
  /* four bodies, two planes, a spring, a rod, a pin and a ball joint, three contacts, two arrows of the load; of the joint "plane"
     nothing */
  check_count(p.n, 4 + 2 + 1 + 1 + 2 + 3 + 2);
  /* of 2 kg, 1 x 2 x 3 m: its first moment is 2 (4 + 9)/12 */
  const double sides[] = {1, 2, 3};
  check_count(named(p, "box")->kind, EPI_BOX);
  check_array(3, named(p, "box")->size, sides, 1e-14);
  check_abs(named(p, "plate")->size[0], 1, 1e-14);
  check_above(named(p, "plate")->size[2], 0.05);
  check_below(named(p, "plate")->size[2], 0.2);
  check_abs(named(p, "ball")->size[0], 0.5, 0);
  check_abs(named(p, "other")->size[0], 0.25, 0);
  /* one floor for both contacts of one plane, under their middle; the wall stands */
  const epi_shape *wall = named(p, "floor c3");
  check_place(named(p, "floor c1")->at, 0, 2, 1, 1e-15);
  check_above(named(p, "floor c1")->size[0], 8);
  check_place(wall->at, 5, 2, 3, 1e-15);
  const double *q = wall->attitude, out[] = {2*(q[1]*q[3] + q[0]*q[2]), 2*(q[2]*q[3] - q[0]*q[1]), 1 - 2*(q[1]*q[1] + q[2]*q[2])};
  check_place(out, -1, 0, 0, 1e-15);
  check_count(named(p, "coil")->kind, EPI_COIL);
  check_place(named(p, "coil")->at, 0, 0, 7, 0);
  check_place(named(p, "coil")->to, 1, 3, 3, 1e-15);
  check_count(named(p, "rod")->kind, EPI_BAR);
  check_abs(length(named(p, "rod")), sqrt(10.25), 1e-14);
  check_count(named(p, "joint hinge")->kind, EPI_CYLINDER);
  check_place(named(p, "joint hinge")->at, 1, 3, 3, 1e-15);
  check_count(named(p, "joint point")->kind, EPI_BALL);
  check_place(named(p, "load both")->to, 0, 3, 0, 1e-15);
  check_place(named(p, "load both")->at, 1, 3, 3, 1e-15);
  check_place(named(p, "torque both")->to, 1, 0, 0, 1e-15);
  check_text(named(p, "torque both")->unit, "N m");
  free(p.shape);
  epi_world_free(w);
}

/* what others run inside of is seen through; a state that passed through a contact has no arrow there, and a place */
static void hollow_and_lost(void)
{
  epi_world *w = epi_world_make();
  int ring = epi_add_body(w, &(epi_body){.name = "ring", .mass = 1, .inertia = {1, 1, 1}});
  int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 1, .inertia = {1, 1, 1}, .at = {2.05, 0, 0}});
  epi_add_contact(w, &(epi_contact){.name = "groove", .shape = EPI_SPHERE_GROOVE, .a = ball, .b = ring,
                                    .radius = 0.5, .other = 0.52, .circle = 2, .law = {.K = 1e6}});
  epi_add_spring(w, &(epi_spring){.name = "pull", .a = ring, .b = EPI_GROUND, .at_b = {0, 0, 1}, .stiffness = 1});
  epi_state s = epi_world_state(w);
  picture p = world_picture(w, &s);
  /* also a spring without a length is seen */
  check(whole(named(p, "pull")));
  check_count(named(p, "ring")->appearance, EPI_GLASS);
  check_count(named(p, "ball")->appearance, EPI_STEEL);
  check_below(named(p, "contact groove")->to[0], -1);
  free(p.shape);
  s.y[7] = 2.6;
  p = world_picture(w, &s);
  check_place(named(p, "contact groove")->to, 0, 0, 0, 0);
  s.y[7] = s.y[8] = 0;
  free(p.shape);
  /* on the axis the groove has no direction */
  p = world_picture(w, &s);
  check_place(named(p, "contact groove")->to, 0, 0, 0, 0);
  check(finite_places(named(p, "contact groove")));
  free(p.shape);
  check(epi_world_error(w) == NULL);
  epi_world_free(w);
}

int main(void)
{
  every_model();
  double_pendulum();
  vibrating_pivot();
  orbits_and_rods();
  turning();
  bearing();
  bent_rings();
  contact();
  little_room();
  units();
  given_shapes();
  refusals();
  inferred_shapes();
  hollow_and_lost();
  return test_done();
}
