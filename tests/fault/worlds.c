/* worlds.c - adding to a world costs what it adds: sixty thousand bodies in some dozens of allocations, and every one of them may fail */
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
  after_an_error();
  return test_done();
}
