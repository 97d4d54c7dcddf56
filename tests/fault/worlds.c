/* holds: adding n bodies to a world takes some dozens of allocations, and every one of them may fail */
#include "wrap.h"
#include "epicycle.h"

enum { BODIES = 60000 };

static epi_world *many(int n, int joints)
{
  epi_world *w = epi_world_make();
  for (int i = 0; w && i < n; i++) epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}, .at = {i}});
  for (int i = 0; w && i < joints; i++)
    epi_add_joint(w, &(epi_joint){.a = i, .b = i - 1, .hold = i % 2 ? EPI_ROD : EPI_HINGE, .length = 1, .as = EPI_CONSTRAINT,
                                  .at_b = {i % 2 || !i ? 0 : 1}});
  return w;
}

/* doubling: twice as many bodies are a few more blocks, and what is moved by realloc is less than twice what is there */
static void growing(void)
{
  long calls[3];
  static const int n[] = {BODIES/4, BODIES/2, BODIES};
  for (int i = 0; i < 3; i++) {
    long before = wrap.memory.calls;
    epi_world *w = many(n[i], n[i]);
    calls[i] = wrap.memory.calls - before;
    before = wrap.memory.calls;
    check(epi_world_system(w)->nq == 7*n[i]);
    long closing = wrap.memory.calls - before;
    printf("%d bodies and joints: %ld allocations, %ld more to close\n", n[i], calls[i], closing);
    check_below(calls[i], 150);
    check_below(closing, 40);
    check_count(epi_world_body_named(w, "body1"), 0);
    check_count(epi_world_body_named(w, "nobody"), -1);
    epi_world_free(w);
  }
  check_below(calls[2] - calls[1], 12);
  check_below(calls[1] - calls[0], 12);
}

/* each allocation fails once: the world says so, nothing crashes, nothing is left behind, whatever is added after it */
static void failing(void)
{
  long refused = 0;
  for (long at = 1;; at++) {
    wrap.memory = (faults){.at = at, .kind = ONCE};
    long live = wrap.live;
    epi_world *w = many(9, 9);
    if (w) {
      epi_add_contact(w, &(epi_contact){.a = 0, .b = EPI_GROUND, .radius = 1, .normal = {0, 0, 1}, .law = {.K = 1}});
      epi_add_spring(w, &(epi_spring){.a = 0, .b = 3, .stiffness = 1});
      epi_add_load(w, &(epi_applied_force){.body = 1, .force = {1}});
      epi_add_shape(w, 2, &(epi_shape){.kind = EPI_BALL, .size = {1}});
      epi_world_system(w);
      if (wrap.memory.refused) check_text(epi_world_error(w), "out of memory");
      else check(!epi_world_error(w));
    }
    epi_world_free(w);
    check_count(wrap.live, live);
    int over = !wrap.memory.refused;
    refused += wrap.memory.refused;
    wrap.memory = (faults){0};
    if (over) break;
  }
  printf("%ld allocations failed in turn\n", refused);
  check_above(refused, 40);
}

/* the same of a ring whose modes come from a file, with what feels them and a flow that moves them */
static const char *flexible(void)
{
  static char said[400];
  epi_modes *m = epi_modes_read(TEST_SOURCE "/examples/ring.modes");
  epi_world *w = m && !m->error[0] ? epi_world_make() : NULL;
  snprintf(said, sizeof said, "%s", !m ? "out of memory" : m->error[0] ? m->error : !w ? "out of memory" : "");
  if (w) {
    int ring = epi_add_body(w, &(epi_body){.name = "ring", .mass = 0.1, .inertia = {4e-5, 4e-5, 8e-5}, .modes = m->modes,
                                           .modal_mass = m->mass, .modal_stiffness = m->stiffness, .modal_damping = m->damping,
                                           .shapes = &m->shapes});
    int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 3.5e-3, .inertia = {3e-8, 3e-8, 3e-8}, .at = {0.0229, 0, 1e-4}});
    epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_GROOVE, .a = ball, .b = ring, .radius = 4.7625e-3, .other = 5.000625e-3,
                                      .circle = 22.764875e-3, .law = {.K = 2.7e10}});
    epi_add_load(w, &(epi_applied_force){.body = ring, .force = {1}, .at = {0.0289, 0, 0}});
    epi_flow *f = epi_world_flow(w, "nam(model.contacts, model.stiff, tol=1e-3)");
    epi_state x = epi_world_state(w);
    if (epi_error(f)) snprintf(said, sizeof said, "%s", epi_error(f));
    else check_count(epi_run(f, &x, 1e-5, 1e-5), 0);
    epi_free(f);
  }
  epi_modes_free(m);
  epi_world_free(w);
  return said;
}

static void flexible_failing(void)
{
  long refused = 0;
  for (long at = 1;; at++) {
    wrap.memory = (faults){.at = at, .kind = ONCE};
    long live = wrap.live;
    const char *said = flexible();
    if (wrap.memory.refused) check_has(said, "out of memory");
    else check_text(said, "");
    check_count(wrap.live, live);
    int over = !wrap.memory.refused;
    refused += wrap.memory.refused;
    wrap.memory = (faults){0};
    if (over) break;
  }
  printf("%ld allocations of a flexible world failed in turn\n", refused);
  check_above(refused, 40);
}

/* what is wrong stays wrong, and more can be said to it */
static void after_an_error(void)
{
  epi_world *w = epi_world_make();
  check_count(epi_add_body(w, &(epi_body){.mass = -1}), -1);
  check_count(epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}}), -1);
  check_count(epi_add_joint(w, &(epi_joint){.a = 0, .b = 1, .hold = EPI_HINGE}), -1);
  check_count(epi_add_contact(w, &(epi_contact){.a = 0, .b = EPI_GROUND}), -1);
  check_count(epi_add_load(w, &(epi_applied_force){.body = 3}), -1);
  check_count(epi_add_spring(w, &(epi_spring){.a = 3}), -1);
  check_has(epi_world_error(w), "has the mass -1");
  check(!epi_world_state(w).y);
  epi_world_free(w);
  w = epi_world_make();
  epi_flow *f = epi_make("verlet", epi_world_system(w));
  check_has(epi_world_error(w), "has no bodies");
  check_has(epi_error(f), "has no bodies: add one with epi_add_body");
  epi_free(f);
  epi_world_free(w);
}

int main(void)
{
  growing();
  failing();
  flexible_failing();
  after_an_error();
  return test_done();
}
