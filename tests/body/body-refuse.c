/* holds: impossible bodies and contacts of a program are refused as those of a model file are */
#include "cases.h"

static void body(epi_body b, const char *words)
{
  epi_world *w = epi_world_make();
  b.name = "part";
  int made = epi_add_body(w, &b);
  if (words) {
    check_count(made, -1);
    check_has(epi_world_error(w) ? epi_world_error(w) : "nothing", words);
    epi_flow *f = epi_world_flow(w, "verlet");
    check_has(epi_error(f), words);
    epi_free(f);
  } else check(!epi_world_error(w) && made == 0);
  epi_world_free(w);
}

static void bodies(void)
{
  const double r = sqrt(0.5);
  body((epi_body){.mass = 1, .inertia = {1, 1, 5}}, "part has the moment of inertia 5 about axis 3, more than about the other two");
  body((epi_body){.mass = 1, .inertia = {3, 1, 1}}, "about axis 1");
  body((epi_body){.mass = 1, .inertia = {1, 1, 2}}, NULL);
  body((epi_body){.mass = 1, .inertia = {1, 1, 1}, .attitude = {1, 1, 0, 0}}, "part has an attitude that is no unit quaternion");
  body((epi_body){.mass = 1, .inertia = {1, 1, 1}, .attitude = {NAN, 0, 0, 0}}, "no unit quaternion");
  body((epi_body){.mass = 1, .inertia = {1, 1, 1}, .attitude = {r, r, 0, 0}}, NULL);
  body((epi_body){.mass = 1, .inertia = {1, 1, 1}, .attitude = {0.7071, 0.7071, 0, 0}}, NULL);
}

/* ---- a floor of the user's, with a normal that is none ---- */
static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  (void)t, (void)b;
  c->depth = k->radius - a->r[2];
  c->normal[2] = -k->own[0];
  c->lever[0][2] = -k->radius;
  return 0;
}
static const epi_param params[] = {{.name = "radius", .unit = "m"}, {.name = "length", .unit = ""}, {0}};
static const epi_contact_kind floor_kind = {.name = "slab", .params = params, .touch = touch};

static void normals(void)
{
  static const char *const flows[] = {"semi(model.contacts, model.stiff)", "verlet", "tolerance(dopri5, rtol=1e-6)"};
  for (int i = 0; i < 6; i++) {
    double length = i % 2 ? 1 : 2;
    epi_world *w = epi_world_make();
    int a = epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.021}});
    epi_add_gravity(w, (double[]){0, 0, -9.81});
    epi_add_contact(w, &(epi_contact){.name = "below", .kind = &floor_kind, .a = a, .b = EPI_GROUND, .radius = 0.02, .own = &length,
                                      .law = {.K = 1e7}});
    epi_flow *f = epi_world_flow(w, flows[i/2]);
    epi_state s = epi_world_state(w);
    /* it falls for 14 ms before it touches */
    int bad = epi_run(f, &s, 0.03, 1e-5);
    if (i % 2) check_count(bad, 0);
    else {
      check(bad < 0);
      check_between(s.t, 0.014, 0.015);
      const char *said = epi_error(f) ? epi_error(f) : "nothing";
      check_has(said, "below, between ball and the ground, is touched along a normal that is no unit vector");
      check_has(said, "let touch of slab divide it by its length");
    }
    epi_free(f);
    epi_world_free(w);
  }
}

int main(void)
{
  bodies();
  normals();
  return test_done();
}
