/* holds: wrong compositions are refused before the first step, and failures while stepping keep the last good state */
#include "problems.h"
#include "test.h"

static int spring(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }
static int drag1(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= v[0];
  return 0;
}
static int slow(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; f[1] = 0; return 0; }
static int see(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; (void)x; return 0; }

static epi_system a = {.nq = 1, .force = spring}, damped = {.nq = 1, .force = spring, .velocity_force = drag1},
  oneway = {.nq = 1, .force = spring, .velocity_force = drag1, .traits.irreversible = 1},
                  two = {.nq = 2, .force = slow}, none = {.nz = 2}, rate = {.nz = 2, .rate = volterra},
                  rodded = {.nq = 2, .nc = 1, .force = weight, .constraint = rod},
                  hard = {.nq = 1, .force = spring, .contacts = {.ng = 1, .impulsive = 1}},
                    velocity_only = {.nq = 1, .velocity_force = drag1};

typedef struct { const char *text; epi_system *model, *other; const char *words; } refusal;
static const refusal refusals[] = {
  {"gauss", &rodded, NULL, "gauss has no form for constraints"},
  {"symmetric(rk4)", &a, NULL, "symmetric needs a symmetric flow and rk4 is not one"},
  {"symmetric(verlet)", &oneway, NULL, "symmetric takes steps backward and verlet cannot here"},
  {"symmetric(substeps(heun, 3))", &a, NULL, "needs a symmetric flow and substeps is not"},
  {"symmetric(kick)", &a, NULL, "needs a flow that moves time"},
  {"rk4", &none, NULL, "nz = 2 first-order variables but no rate"},
  {"verlet", &rate, NULL, "verlet needs a force of position and this system has only a rate"},
  {"drift", &rate, NULL, "drift needs positions and velocities"}, {"kick", &velocity_only, NULL, "kick needs a force of position"},
  {"velocity-kick", &a, NULL, "velocity-kick needs a velocity force"},
  {"lobatto", &rate, NULL, "lobatto needs positions and velocities"},
  {"tolerance(substeps(watch(verlet, see=mine), 2))", &a, NULL, "would see the refused ones"},
  {"at(watch(verlet, see=mine))", &a, NULL, "put watch around at"}, {"tolerance(at(verlet))", &a, NULL, "at(tolerance(flow))"},
  {"tolerance(kick)", &a, NULL, "needs a flow that moves time"},
  {"strang(verlet, verlet(other))", &a, &a, "would move time by 2 h"},
  {"strang(kick, drift(other))", &a, &two, "move states of different size"},
  {"compose(kick, drift, weights=[0.5, 0.9, 0.5])", &a, NULL, "would move time by 0.9 h"},
  {"compose(verlet, velocity-kick, weights=[2, 1, -1])", &oneway, NULL, "takes steps backward and verlet cannot here"},
  {"strang(velocity-kick, verlet)", &damped, NULL, "strang would apply the velocity force 2 times"},
  {"compose(kick, drift, weights=[0.5, 1, 0.4])", &a, NULL, "compose would apply the force 0.9 times"},
  {"verlet", &hard, NULL, "hard contacts and a step would pass through them"},
  {"adjoint(heun)", &oneway, NULL, "adjoint inverts a step backward"},
  {"adjoint(tolerance(rk4))", &a, NULL, "adjoint needs a flow without memory"},
  {"symmetric(midpoint, table=blanes-moan)", &a, NULL, "splits two flows"},
  {"symmetric(verlet, table=blanes-moan)", &rodded, NULL, "needs two flows that are exact"},
  {"symmetric(verlet, order=8, table=blanes-moan)", &a, NULL, "has no order 8"},
  {"symmetric(verlet, order=5)", &a, NULL, "order is 5: take 4, 6 or 8"},
  {"tolerance(rk4, rtol=1e-17)", &a, NULL, "cannot be reached in double precision"},
  {"tolerance(rk4, rtol=-1)", &a, NULL, "rtol is -1: it cannot be negative"},
  {"tolerance(rk4, atol=-1)", &a, NULL, "atol must be positive"},
  {"tolerance(rk4, atol=[1, 2, 3])", &a, NULL, "atol has 3 entries and the state 2"},
  {"theta(theta=1.5)", &a, NULL, "theta is 1.5: take a number from 0 to 1"}, {"watch(rk4, every=-1)", &a, NULL, "every is -1"},
  {"verlet(sum(model, other))", &a, &two, "sum: the two systems have different coordinates"},
  {"rk4(sum(model, other))", &rate, &rate, "a rate or a fast phase cannot be added"},
};

static void compositions(void)
{
  for (size_t i = 0; i < sizeof refusals/sizeof *refusals; i++) {
    const refusal *r = &refusals[i];
    double y[4] = {1};
    epi_state s = {.y = y};
    epi_name names[] = {{.name = "model", .system = r->model}, {.name = "mine", .see = see},
                        {.name = r->other ? "other" : NULL, .system = r->other}, {0}};
    epi_flow *f = epi_make_named(r->text, names);
    if (!check_has(epi_error(f), r->words)) printf("  for %s\n", r->text);
    check_count(epi_advance(f, &s, 0.1, 1), EPI_WRONG);
    check_abs(s.t, 0, 0);
    epi_free(f);
  }
}

static void systems(void)
{
  static const double negative[] = {1, -1}, nan_mass[] = {1, NAN}, singular[] = {1, 1, 1, 1}, late_first[] = {4, 3}, no_time[] = {NAN};
  struct { epi_system s; const char *words; } bad[] = {
    {{.nq = 2, .force = slow, .mass = negative}, "mass[1] is -1: a mass must be positive"},
    {{.nq = 2, .force = slow, .mass = nan_mass}, "mass[1] is nan"},
    {{.nq = 2, .force = slow, .inertia.mass_matrix = singular}, "the mass matrix is singular"},
    {{.nq = -1, .force = slow}, "one of them is negative"}, {{.force = slow}, "has no variables"},
    {{.nq = 4, .nv = 3, .force = slow}, "nv differs from nq: give retract"},
    {{.nq = 2, .nc = 1, .force = slow}, "nc = 1 constraints but no constraint function"},
    {{.nq = 2, .phase.forced = phased_force}, "forced needs the rate of its phase"},
    {{.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1}, .force = slow}, "give force or forced, not both"},
      {{.nq = 2}, "needs a force"},
    {{.nq = 2, .force = slow, .traits.nbreaks = 3}, "nbreaks = 3 and there are no breaks"},
    {{.nq = 2, .force = slow, .traits = {.nbreaks = 2, .breaks = late_first}}, "breaks[1] is 3, and the one before it is later"},
    {{.nq = 2, .force = slow, .traits = {.nbreaks = 1, .breaks = no_time}}, "breaks[0] is nan: give finite times"},
    {{.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1000, .period = 0.001}},
     "comes back after 0.006283185307: leave period out"},
    {{.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1000, .period = 0.0062}}, "the period is 0.0062"},
    {{.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1000, .period = 0.00628318531}}, "the period is 0.00628318531"},
  };
  for (size_t i = 0; i < sizeof bad/sizeof *bad; i++) {
    epi_flow *f = epi_make("verlet", &bad[i].s);
    if (!check_has(epi_error(f), bad[i].words)) printf("  system %zu\n", i);
    epi_free(f);
  }
  epi_flow *f = epi_make("verlet", NULL);
  check_has(epi_error(f), "there is no system");
  epi_free(f);
  /* two turns are a period too */
  epi_system twice = {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 1000, .period = 4*acos(-1)/1000}};
  f = epi_make("revolve(picard)", &twice);
  check(epi_error(f) == NULL);
  epi_free(f);
  const char *periods[] = {"revolve(picard, period=0.001)", "revolve(picard(period=0.001))", "revolve(substeps(rk4, 20), period=0.0062)"};
  for (int i = 0; i < 3; i++) {
    twice.phase.period = 0;
    f = epi_make(periods[i], &twice);
    check_has(epi_error(f), "not a whole number: take period = 0.00628318530717959");
    epi_free(f);
  }
}

static void requests(void)
{
  double y[] = {1, 0}, broken[] = {NAN, 0};
  epi_state s = {.t = 1, .y = y}, no_y = {0}, not_finite = {.y = broken}, no_time = {.t = NAN, .y = y};
  epi_flow *f = epi_make("verlet", &a), *g = epi_make("verlet", &oneway);
  int bad[] = {
    epi_advance(f, &s, 0, 1), epi_advance(f, &s, NAN, 1), epi_advance(f, &s, 0.1, -1), epi_run(f, &s, 0, 0.1),
    epi_run(f, &s, INFINITY, 0.1),
    epi_run(f, &s, 1e9, 1e-300), epi_advance(f, &no_y, 0.1, 1), epi_advance(f, &not_finite, 0.1, 1), epi_advance(f, &no_time, 0.1, 1),
    epi_advance(f, &s, 1e-20, 1), epi_advance(g, &s, -0.1, 1),
  };
  for (size_t i = 0; i < sizeof bad/sizeof *bad; i++) check_count(bad[i], EPI_WRONG);
  static const char *const words[] = {"the step is 0", "the end t = 0 cannot be reached from t = 1", "cannot run backward here"};
  epi_advance(f, &s, 0, 1);
  check_has(epi_error(f), words[0]);
  epi_run(f, &s, 0, 0.1);
  check_has(epi_error(f), words[1]);
  epi_advance(g, &s, -0.1, 1);
  check_has(epi_error(g), words[2]);
  check_abs(s.t, 1, 0);
  check_abs(y[0], 1, 0);
  /* a good request clears the sentence */
  check_count(epi_run(f, &s, 0, -0.1), 0);
  check(!epi_error(f));
  check_abs(s.t, 0, 0);
  epi_free(f);
  epi_free(g);
}

/* a force that breaks after t = 1, in one of three ways */
static int breaks(epi_system *s, double t, const double *q, double *f)
{
  int how = *(int *)s->data;
  f[0] = -q[0];
  f[1] = t > 1 ? (how == 0 ? NAN : how == 1 ? INFINITY : -q[1]) : -q[1];
  return t > 1 && how >= 2 ? (how == 2 ? 7 : -7) : 0;
}

static void broken_forces(void)
{
  static const char *const flows[] = {"verlet", "rk4", "dopri5", "symmetric(verlet, order=8)", "gauss", "strang(drift, kick)",
                                      "watch(rk4, see=mine)", "euler-implicit"};
  static const char *const words[] = {"q1", "q1", "too long", "stopped the run"}, *const names[] = {"q0", "q1", "v0", "q1dot"};
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++)
    for (int how = 0; how < 4; how++) {
      double y[] = {1, 0.5, 0, 0}, z[] = {1, 0.5, 0, 0};
      epi_system s = {.nq = 2, .force = breaks, .data = &how, .names = names};
      epi_state x = {.y = y}, g = {.y = z};
      epi_name give[] = {{.name = "model", .system = &s}, {.name = "mine", .see = see}, {0}};
      epi_flow *f = epi_make_named(flows[i], give);
      int bad = epi_advance(f, &x, 0.03, 100);
      /* an iteration that meets NaN asks for a smaller step: it cannot know better */
      int iterates = strstr(flows[i], "gauss") || strstr(flows[i], "implicit");
      check(how == 2 || (how < 2 && iterates) ? bad > 0 : bad < 0);
      if (!check_has(epi_error(f), how < 2 && iterates ? "did not converge" : words[how]))
        printf("  %s, %d: %s\n", flows[i], how, epi_error(f));
      /* the state is that of the last good step, to the bit */
      check_between(x.t, 0.95, 1.0);
      int back = 100;
      s.data = &back;
      long n = lround(x.t/0.03);
      epi_flow *again = epi_make_named(flows[i], give);
      check_count(epi_advance(again, &g, 0.03, n), 0);
      check_bits(4, y, z);
      epi_free(f);
      epi_free(again);
    }
}

/* an adaptive flow steps round what a fixed one cannot: "too far" and NaN are reasons to take a smaller step */
static int wall(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = 1/(1 - q[0]) - 3;
  return q[0] >= 1 ? 1 : 0;
}
static void recover(void)
{
  epi_system s = {.nq = 1, .force = wall};
  double y[] = {0, 0};
  epi_state x = {.y = y};
  epi_flow *f = epi_make("tolerance(dopri5, first=10)", &s);
  check_count(epi_run(f, &x, 2, 2), 0);
  check(!epi_error(f));
  epi_free(f);
}

/* a singularity in the way: the step shrinks to nothing and says so */
static int blow_up(epi_system *s, double t, const double *y, double *dy) { (void)s; (void)t; dy[0] = y[0]*y[0]; return 0; }
static void singularity(void)
{
  static const char *const flows[] = {"tolerance(dopri5)", "tolerance(rk4)", "tolerance(dop853, controller=ode45)"};
  for (int i = 0; i < 3; i++) {
    epi_system s = {.nz = 1, .rate = blow_up};
    double y[] = {1};
    epi_state x = {.y = y};
    epi_flow *f = epi_make(flows[i], &s);
    check(epi_run(f, &x, 2, 2) != 0);
    check_has(epi_error(f), "the tolerance cannot be met at t = ");
    check(isfinite(y[0]));
    epi_free(f);
  }
}

/* implicit steps that do not converge, velocity forces too strong for the splitting, singular constraints */
static int strong(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 1e4*v[0];
  return 0;
}
static int mirrored_rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  rod(s, t, q, g, G, gt);
  G[1] = -G[1];
  return 0;
}
static void wrong_slope(void)
{
  epi_system c = {.nq = 2, .nc = 1, .force = weight, .constraint = mirrored_rod};
  double z[] = {0.6, -0.8, 0, 0};
  epi_state w = {.y = z};
  epi_flow *f = epi_make("verlet", &c);
  check_count(epi_advance(f, &w, 0.01, 1), EPI_WRONG);
  check_has(epi_error(f), "G of constraint 0 does not match its g");
  epi_free(f);
}

/* the second derivative of a rod, half of it, and one that moves with time */
static int rod_bend(epi_system *s, double t, double h, const double *q, const double *v, double *out)
{
  (void)t; (void)h; (void)q;
  out[0] = *(const double *)s->data*(v[0]*v[0] + v[1]*v[1]);
  return 0;
}
static void wrong_bend(void)
{
  double factor[] = {1, 0.5, 2};
  for (int i = 0; i < 3; i++) {
    double z[] = {0.6, -0.8, 0, 0}, g, G[2], gt = 0;
    epi_system c = {.nq = 2, .nc = 1, .force = weight, .constraint = rod, .constraints.constraint_bend = rod_bend, .data = &factor[i]};
    epi_state w = {.y = z};
    /* of g = (|q|^2 - 1)/2 or of |q|^2 - 1 */
    rod(&c, 0, z, &g, G, &gt);
    factor[i] *= hypot(G[0], G[1]);
    epi_flow *f = epi_make("rk4", &c);
    int bad = epi_advance(f, &w, 0.01, 1);
    check_count(bad, i ? EPI_WRONG : 0);
    if (i) check_has(epi_error(f), "constraint_bend of constraint 0 does not match its G");
    epi_free(f);
  }
}

static void iterations(void)
{
  epi_system s = {.nq = 1, .force = spring, .velocity_force = strong};
  double y[] = {1, 1};
  epi_state x = {.y = y};
  epi_flow *f = epi_make("verlet", &s), *h = epi_make("midpoint", &s);
  check(epi_advance(f, &x, 0.1, 1) > 0);
  check_has(epi_error(f), "the velocity force is too strong for h = 0.05");
  check_abs(y[1], 1, 0);
  check_count(epi_advance(h, &x, 0.1, 1), 0);
  epi_free(f);
  epi_free(h);
}

/* ---- shake ---- */
static int on_circle(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s, (void)t, (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 1;
  G[0] = 2*q[0], G[1] = 2*q[1];
  return 0;
}
static int falling(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t, (void)q; f[0] = 0, f[1] = -1; return 0; }
static int dragged(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] -= v[0], f[1] -= v[1];
  return 0;
}
static int warms(epi_system *s, double t, const double *y, double *dz) { (void)s, (void)t, (void)y; dz[0] = 0; return 0; }

static void of_shake(void)
{
  const epi_system bob = {.nq = 2, .nc = 1, .force = falling, .constraint = on_circle};
  struct { epi_system m; const char *words; } all[] = {
    {{.nq = 2, .force = falling}, "this one has no constraints: use verlet"},
    {{.nq = 2, .nc = 1, .velocity_force = dragged, .constraint = on_circle}, "shake needs a force of position"},
    {bob, "no place for a velocity force: use verlet"},
    {bob, "does not move the 1 first-order variables"}};
  all[2].m.velocity_force = dragged;
  all[3].m.nz = 1;
  all[3].m.rate = warms;
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    epi_flow *f = epi_make("shake", &all[i].m);
    check_has(epi_error(f) ? epi_error(f) : "nothing", all[i].words);
    epi_free(f);
  }
}

int main(void)
{
  of_shake();
  compositions();
  systems();
  requests();
  broken_forces();
  recover();
  singularity();
  wrong_slope();
  wrong_bend();
  iterations();
  return test_done();
}
