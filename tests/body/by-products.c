/* holds: stiffness, damping and traction that worlds return beside their forces agree with differences and closed forms */
#include "test.h"
#include "epicycle.h"

/* what contacts return beside their force: how the load changes with the depth and with the speed of closing, and what the traction is of
   the slip */
static epi_action pressed(epi_world *w, double depth, double closing)
{
  epi_state s = epi_world_state(w);
  epi_action out = {0};
  s.y[2] = 0.02 - depth;
  s.y[7] = 0.3, s.y[8] = -0.4, s.y[9] = -closing;
  check_count(epi_world_action(w, &s, 0, &out), 0);
  return out;
}

static void by_products(void)
{
  static const double power[] = {1.5, 1, 2.2}, chi[] = {0, 0.3};
  for (int i = 0; i < 6; i++) {
    epi_world *w = epi_world_make();
    int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {1e-5, 1e-5, 1e-5}, .at = {0, 0, 0.02}});
    epi_add_contact(w, &(epi_contact){.name = "floor", .shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = 0.02,
                                      .normal = {0, 0, 1},
                                      .law = {.K = 1e7, .power = power[i % 3], .chi = chi[i/3], .mu = 0.2, .vs = 0.1}});
    double d = 1e-4, v = 0.7, e = 1e-9, slip = 0.5;
    epi_action at = pressed(w, d, v), deep = pressed(w, d + e, v), flat = pressed(w, d - e, v);
    epi_action fast = pressed(w, d, v + 1e-3), slow = pressed(w, d, v - 1e-3);
    check_rel(at.stiffness, (deep.load - flat.load)/(2*e), 1e-6);
    check_near(at.damping, (fast.load - slow.load)/2e-3, 1e-9, 1e-9*at.load);
    check_rel(at.traction*slip, hypot(at.force[0], at.force[1]), 1e-12);
    check_rel(at.traction, 0.2*at.load/sqrt(slip*slip + 0.01), 1e-12);
    epi_world_free(w);
  }
}

/* damping of modes: e'' = -(k e + c e')/m in closed form, by the forces alone and by their slope */
static void damped_modes(void)
{
  static const double mass[] = {0.5, 2}, stiff[] = {200, 50}, damp[] = {3, 1}, end = 0.4;
  static const char *const texts[] = {"tolerance(dop853, rtol=1e-11, atol=1e-14)", "gauss(stages=3)",
                                      "tolerance(semi(model.contacts, model.stiff), rtol=1e-5)"};
  for (int k = 0; k < 3; k++) {
    epi_world *world = epi_world_make();
    epi_add_body(world, &(epi_body){.name = "ring", .mass = 0.1, .inertia = {1e-5, 1e-5, 1e-5}, .modes = 2, .modal_mass = mass,
                                    .modal_stiffness = stiff, .modal_damping = damp});
    epi_flow *f = epi_world_flow(world, texts[k]);
    epi_state s = epi_world_state(world);
    s.y[7] = 1e-3, s.y[8] = 2e-3;
    check_count(epi_run(f, &s, end, k ? 1e-3 : end), 0);
    for (int i = 0; i < 2; i++) {
      double fade = damp[i]/(2*mass[i]), w = sqrt(stiff[i]/mass[i] - fade*fade), e = s.y[7 + i], before = i ? 2e-3 : 1e-3;
      check_abs(e, before*exp(-fade*end)*(cos(w*end) + fade/w*sin(w*end)), before*(k < 2 ? 1e-9 : 1e-2));
    }
    epi_system *stiffly = epi_world_names(world)[2].system;
    double A[8*8] = {0};
    stiffly->jacobian.slope(stiffly, 0, s.y, 2, 3, A);
    for (int i = 0; i < 2; i++) check_abs(A[(6 + i)*9], -2*stiff[i] - 3*damp[i], 0);
    epi_free(f);
    epi_world_free(world);
  }
}

int main(void)
{
  by_products();
  damped_modes();
  return test_done();
}
