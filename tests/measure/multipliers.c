/* holds: multipliers of constraints are those of closed forms, of RATTLE and of joint forces
 * multipliers.c - the multipliers of constraints as observables: against what a rod carries by closed form, against what RATTLE applied, on
 * bodies against the forces of their joints, with a fast phase, and refused where there are none */
#include "test.h"
#include "epicycle.h"

static const epi_observable *named(const epi_case *c, const char *name)
{
  for (const epi_observable *o = c->model->observables; o && o->name; o++) if (!strcmp(o->name, name)) return o;
  return NULL;
}

/* m on a rod of length 1, let go at the height of the pivot: it carries 3 m g y, and G = 2 r */
static void one_rod(void)
{
  epi_case *c = epi_case_make("rod-chain(n=1)");
  check_count(epi_case_multipliers(c), 0);
  const epi_observable *o = named(c, "lambda1");
  check(o && !named(c, "lambda2") && named(c, "energy"));
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  for (int k = 1; k <= 5; k++) {
    check_count(epi_run(f, &s, 0.2*k, 1e-3), 0);
    check_near(epi_observe(c, o, &s), 1.5*9.81*s.y[1], 1e-9, 1e-9);
  }
  epi_free(f);
  epi_case_free(c);
}

/* those of RATTLE tend to them */
static void of_steps(void)
{
  epi_case *c = epi_case_make("rod-chain(n=3)");
  check_count(epi_case_multipliers(c), 0);
  double e[3], h[3];
  for (int k = 0; k < 3; k++) {
    double lambda[6], most = 0;
    epi_flow *f = epi_case_flow(c, "verlet");
    epi_state s = epi_case_state(c);
    s.lambda = lambda;
    check_count(epi_run(f, &s, 0.4, h[k] = 1e-3*pow(0.5, k)), 0);
    for (int i = 0; i < 3; i++) {
      char name[24];
      snprintf(name, sizeof name, "lambda%d", i + 1);
      most = fmax(most, fabs(epi_observe(c, named(c, name), &s) - lambda[3 + i]));
    }
    e[k] = most;
    epi_free(f);
  }
  check_below(e[2], 0.05);
  check_order(3, h, e, 1, 0.3);
  epi_case_free(c);
}

/* those of Runge-Kutta methods, as the mean of a step, at once to their second order */
static void of_stages(void)
{
  epi_case *c = epi_case_make("rod-chain(n=3)");
  check_count(epi_case_multipliers(c), 0);
  double e[3], h[3];
  for (int k = 0; k < 3; k++) {
    epi_flow *f = epi_case_flow(c, "rk4");
    epi_state s = epi_case_state(c);
    double impulse[3] = {0};
    h[k] = 1e-2*pow(0.5, k);
    check_count(epi_run(f, &s, 0.4 - 0.5*h[k], 0.5*h[k]), 0);
    s.impulse = impulse;
    check_count(epi_advance(f, &s, h[k], 1), 0);
    s = epi_case_state(c);
    epi_run(f, &s, 0.4, 1e-3);
    e[k] = 0;
    for (int i = 0; i < 3; i++) {
      char name[24];
      snprintf(name, sizeof name, "lambda%d", i + 1);
      e[k] = fmax(e[k], fabs(epi_observe(c, named(c, name), &s) - impulse[i]/h[k]));
    }
    epi_free(f);
  }
  check_below(e[2], 1e-3);
  check_order(3, h, e, 2, 0.2);
  epi_case_free(c);
}

/* a body on a joint: its rows are what the joint does to it */
static void of_bodies(void)
{
  epi_case *c = epi_case_make("rod-pendulum");
  check_count(epi_case_multipliers(c), 0);
  epi_flow *f = epi_case_flow(c, NULL);
  epi_state s = epi_case_state(c);
  check_count(epi_run(f, &s, 0.3, c->step), 0);
  double T1 = epi_observe(c, named(c, "T1"), &s), T2 = epi_observe(c, named(c, "T2"), &s);
  check_above(T1, 1);
  check_rel(fabs(epi_observe(c, named(c, "lambda1"), &s)), T1, 1e-9);
  check_rel(fabs(epi_observe(c, named(c, "lambda2"), &s)), T2, 1e-9);
  epi_free(f);
  epi_case_free(c);
}

/* a pivot whose force has a fast phase: at rest below, the rod carries the weight and the force along it */
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] = 0;
  f[1] = -9.81 + 5*cos(theta);
  return 0;
}
static int rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s, (void)t, (void)gt;
  g[0] = (q[0]*q[0] + q[1]*q[1] - 1)/2;
  G[0] = q[0], G[1] = q[1];
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 2, .nc = 1, .phase = {.forced = shaken, .phase_rate = 100}, .constraint = rod};
  if (epi_case_start(c)) return -1;
  c->y[1] = -1;
  return 0;
}

static void of_phase(void)
{
  static const epi_model mine = {.name = "mine", .doc = "a rod", .make = make, .flow = "verlet", .step = 1e-3, .end = 1};
  epi_case *c = epi_case_of(&mine, NULL);
  check_count(epi_case_multipliers(c), 0);
  epi_state s = epi_case_state(c);
  for (int k = 0; k < 4; k++) {
    s.theta = k;
    check_rel(epi_observe(c, named(c, "lambda1"), &s), -(9.81 - 5*cos(k)), 1e-12);
  }
  epi_case_free(c);
  c = epi_case_make("kepler");
  check_count(epi_case_multipliers(c), -1);
  check_has(c->error, "there are no constraints, and so no multipliers");
  epi_case_free(c);
}

int main(void)
{
  one_rod();
  of_steps();
  of_stages();
  of_bodies();
  of_phase();
  return test_done();
}
