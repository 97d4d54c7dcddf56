/* holds: methods in fictitious time refuse what they cannot solve in one sentence, and keep the state */
#include "problems.h"
#include "test.h"

static double heavy(void *data, double t, const double *y) { (void)data; (void)t; return 1 + y[2]*y[2]; }
static double sunk(void *data, double t, const double *y) { (void)data; (void)t; return y[0]; }
static double drowned(void *data, double t, const double *y) { (void)data; (void)t; return y[1]; }
static double steep(void *data, double t, const double *y) { (void)data; (void)t; return exp(-40*y[0]); }
static double wrong_scale(void *data, double T, double V) { (void)data; (void)T; return -V; }
static double shaken_potential(epi_system *s, double t, const double *y) { return henon_potential(s, t, y) + 0.1*cos(t); }
static double quartic(epi_system *s, double t, const double *y)
{
  (void)s; (void)t;
  double v2 = y[2]*y[2] + y[3]*y[3];
  return v2/2 + v2*v2;
}
static double low_potential(epi_system *s, double t, const double *y) { return henon_potential(s, t, y) - 1.01; }
static int speed(epi_system *s, double t, const double *v, double *dq)
{
  (void)s; (void)t;
  dq[0] = v[0] - 0.1*v[0]*v[0];
  dq[1] = v[1];
  return 0;
}
static int odd_gyro(epi_system *s, double t, const double *q, const double *w, double *f)
{
  top_gyro(s, t, q, w, f);
  f[0] -= 0.1*w[0];
  return 0;
}

static epi_system still = {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .objective = henon_objective}};

/* refused when made, or at the first step with the state as it was */
static void refused(const char *text, epi_system *m, const char *words)
{
  epi_name names[] = {{.name = "model", .system = m}, {.name = "heavy", .gap = heavy}, {.name = "drowned", .gap = drowned},
                      {.name = "wrong", .scale = wrong_scale}, {0}};
  double y[7], start[7];
  memcpy(y, henon_start, sizeof henon_start);
  if (m->manifold.retract) top_start(y);
  memcpy(start, y, sizeof y);
  epi_state s = {.t = 0.25, .y = y};
  epi_flow *f = epi_make_named(text, names);
  if (!epi_error(f)) { check(epi_advance(f, &s, 0.1, 1) != 0); check_abs(s.t, 0.25, 0); check_bits(m->manifold.retract ? 7 : 4, y, start); }
  if (!check_has(epi_error(f) ? epi_error(f) : "nothing", words)) printf("  %s\n", text);
  epi_free(f);
}

static void of_density(void)
{
  epi_system bare = {.nq = 2, .force = henon_force};
  refused("density(rk4)", &still, "needs a symmetric flow, or its steps would drift, and rk4 is not one");
  refused("density(euler-symplectic)", &still, "needs a symmetric flow");
  refused("density(kick)", &still, "needs a flow that moves time; kick does not");
  refused("density(density(verlet))", &still, "which has a time of its own already");
  refused("density(verlet, eps=-0.1)", &still, "eps is -0.1: it must be positive");
  refused("density(verlet, eps=0.1, clock=own)", &still, "the step itself is eps: leave eps out");
  refused("density(verlet, objective=model)", &bare, "this system has no objective: fill in objective, or take potential, arc");
  refused("density(verlet, objective=potential)", &bare, "this system has no potential to go by");
  refused("density(verlet, objective=contact)", &still, "fill in ng, gap and stiffness");
  refused("density(verlet, objective=contakt)", &still, "did you mean contact?");
  refused("density(verlet, objective=nobody)", &still, "objective is one of: model, potential, arc, stiffness, contact");
  refused("density(verlet, objective=drowned)", &still, "the objective is -0.2 at t = 0.25: it must be positive");
  refused("twin(scaling=drowned)", &still, "it must be positive");
  refused("symmetric(density(verlet))", &still, "put symmetric inside it");
  refused("strang(density(verlet), kick)", &still, "keeps a time of its own, which strang would cut");
  refused("tolerance(density(verlet))", &still, "chooses its own steps, from eps: leave tolerance out");
}

static void of_scaled(void)
{
  epi_system s = still, bare = {.nq = 2, .force = henon_force},
    rodded = {.nq = 2, .nc = 1, .force = weight, .constraint = rod, .energies.potential = henon_potential};
  refused("scaled(rk4)", &still, "made of kicks and drifts, and rk4 is not: take verlet");
  refused("scaled(kick)", &still, "needs a flow that moves time");
  refused("scaled(verlet)", &bare, "needs the energy of its system to know how time is scaled: fill in potential, or energy");
  refused("scaled(verlet)", &rodded, "has no form for constraints");
  refused("scaled(verlet(hmm(verlet, start=rest)))", &(epi_system){.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1000}},
          "an averaged one has none: use density");
  refused("scaled(verlet)", &(epi_system){.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1000}}, "no form for a fast phase");
  s.velocity_force = quadratic_drag;
  refused("scaled(verlet)", &s, "this one has a velocity force: use density");
  s = still;
  s.force = shaken_force;
  s.energies.potential = shaken_potential;
  refused("scaled(verlet)", &s, "the potential depends on time");
  refused("scaled(verlet, scaling=wrong)", &still, "the scaling of time is -");
  refused("scaled(verlet, scaling=lagrangian, power=2)", &still, "power is for scaling=power: leave one of them out");
  refused("scaled(verlet, scaling=heavy)", &still, "'heavy' was given, but not as what scaling needs");
}

static void of_position(void)
{
  epi_system s = still;
  refused("twin(scaling=heavy)", &still, "needs an objective of position alone, and this one changes with the velocity");
  refused("variational(scaling=heavy)", &still, "needs an objective of position alone");
  refused("twin(scaling=wrong)", &still, "'wrong' was given, but not as what scaling needs");
  refused("variational(scaling=wrong)", &still, "'wrong' was given, but not as what scaling needs");
  refused("twin(form=chain, order=4)", &still, "is not symmetric and gains nothing from order=4");
  refused("twin(order=3)", &still, "take order 2, 4, 6 or 8");
  refused("variational(1.5)", &still, "alpha and beta are from 0 to 1, and one is 1.5");
  refused("variational(0, order=4)", &still, "composed of symmetric steps");
  refused("variational(eps=0.1)", &still, "takes steps of h: give scaling=model");
  refused("variational(scaling=model)", &(epi_system){.nq = 2, .force = henon_force, .energies.objective = henon_objective},
          "fill in potential, or energy");
  s.energies.kinetic = quartic;
  refused("variational(scaling=model)", &s, "quadratic in v, and twice the velocity has");
  s = still;
  s.inertia.speed = speed;
  s.energies.kinetic = quartic;
  refused("variational", &s, "this system has a speed of its own: use scaled or twin");
  refused("leapfrog-predicted", &s, "needs a quadratic kinetic energy");
  s.mass = top_inertia;
  refused("verlet", &s, "leave out mass");
}

static void of_bodies(void)
{
  epi_system top = {.nq = 4, .nv = 3, .force = top_force, .velocity_force = odd_gyro, .manifold.retract = top_turn, .mass = top_inertia};
  refused("nambu", &still, "moves a rigid body");
  refused("nambu", &top, "more than its gyroscopic torque");
  top.velocity_force = top_gyro;
  refused("nambu(axes=[1, 1, 2])", &top, "an order of the three axes");
  refused("nambu(axes=3)", &top, "an order of the three axes");
  top.mass = NULL;
  refused("nambu", &top, "the three principal moments of inertia");
  /* alone it would lose the weight of the top */
  double y[7];
  top.mass = top_inertia;
  top_start(y);
  epi_state s = {.y = y};
  epi_flow *f = epi_make("nambu", &top);
  check_count(epi_run(f, &s, 1, 0.1), EPI_WRONG);
  check_has(epi_error(f), "nambu leaves out the force of this system: compose it with the rest, as in strang(kick, nambu)");
  epi_free(f);
}

/* what happens on the way: the last whole step stands, with its time, and the run goes on with a smaller eps */
static void on_the_way(const char *text, epi_system *m, const char *words)
{
  epi_name names[] = {{.name = "model", .system = m}, {.name = "sunk", .gap = sunk}, {.name = "steep", .gap = steep}, {0}};
  double y[] = {0.3, -0.2, 0.1, 0.25};
  epi_state s = {.y = y};
  epi_flow *f = epi_make_named(text, names);
  check(epi_run(f, &s, 50, 0.5) != 0);
  if (!check_has(epi_error(f) ? epi_error(f) : "nothing", words)) printf("  %s\n", text);
  check_between(s.t, 0, 49);
  for (int i = 0; i < 4; i++) check(isfinite(y[i]));
  double E = (y[2]*y[2] + y[3]*y[3])/2 + henon_potential(m, 0, y);
  check_abs(E, 0.03625 + henon_potential(m, 0, (double[]){0.3, -0.2}), 0.05);
  epi_free(f);
}

/* steps far too short would take for ever */
static void for_ever(void)
{
  double y[] = {0.3, -0.2, 0.1, 0.25};
  epi_state s = {.y = y};
  epi_flow *f = epi_make("scaled(verlet, eps=1e-12, power=0.5)", &still);
  check(epi_run(f, &s, 1, 1) != 0);
  check_has(epi_error(f), "1000000 of its steps");
  check_between(s.t, 5e-7, 2e-6);
  epi_free(f);
}

int main(void)
{
  epi_system low = still;
  low.energies.potential = low_potential;
  of_density();
  of_scaled();
  of_position();
  of_bodies();
  for_ever();
  on_the_way("density(verlet, objective=sunk, eps=0.01)", &still, "the step density became -");
  on_the_way("density(verlet, objective=steep, eps=0.3)", &still, "the step density became -");
  on_the_way("scaled(verlet, eps=0.02)", &low, "one side of zero");
  return test_done();
}
