/* holds: methods have their orders on rotations and constraints, and two descriptions of a motion agree */
#include "problems.h"
#include "test.h"

static epi_system top(int slew)
{
  return (epi_system){.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro,
                      .manifold = {.retract = top_turn, .retract_rate = slew ? top_slew : NULL}, .mass = top_inertia};
}

static double top_energy(const double *y)
{
  double e[3];
  top_up(y, e);
  return e[2] + 0.5*(top_inertia[0]*y[4]*y[4] + top_inertia[1]*y[5]*y[5] + top_inertia[2]*y[6]*y[6]);
}

static void top_run(const char *text, int slew, long n, double end, double *y)
{
  epi_system s = top(slew);
  epi_state x = {.y = y};
  epi_flow *f = epi_make(text, &s);
  top_start(y);
  if (!check_count(epi_advance(f, &x, end/(double)n, n), 0)) printf("  %s: %s\n", text, epi_error(f));
  epi_free(f);
}

/* Runge-Kutta in Lie form, splitting and implicit methods on the quaternion */
static void top_orders(void)
{
  static const struct { const char *text; double order; long n; } flows[] = {
    {"verlet", 2, 200}, {"symmetric(verlet)", 4, 100}, {"symmetric(verlet, order=6)", 6, 40}, {"euler", 1, 2000}, {"heun", 2, 200},
    {"rk4", 4, 60}, {"dopri5", 5, 60}, {"dop853", 8, 14}, {"midpoint", 2, 100}, {"gauss", 4, 60}, {"gauss(stages=3)", 6, 24},
    {"radau(stages=3)", 5, 24},
    {"lobatto(stages=3)", 4, 60}, {"euler-implicit", 1, 2000}, {"extrapolated", 2, 400},
  };
  double ref[7], other[7];
  top_run("dop853", 1, 1000, 2, ref);
  top_run("symmetric(verlet, order=8)", 1, 400, 2, other);
  check_array(7, other, ref, 1e-12);
  for (int slew = 0; slew < 2; slew++)
    for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
      double h[4], e[4], y[7];
      for (int k = 0; k < 4; k++) {
        long n = lround((double)flows[i].n*pow(2, 0.5*k));
        h[k] = 1.0/(double)n;
        e[k] = 0;
        top_run(flows[i].text, slew, n, 2, y);
        for (int c = 0; c < 7; c++) e[k] = fmax(e[k], fabs(y[c] - ref[c]));
        check_abs(y[0]*y[0] + y[1]*y[1] + y[2]*y[2] + y[3]*y[3], 1, 1e-14);
      }
      if (!check_order(4, h, e, flows[i].order, 0.3)) printf("  %s with slew %d\n", flows[i].text, slew);
    }
}

/* adaptive on rotations; the energy of the splitting does not drift */
static void top_long(void)
{
  double y[7], ref[7], e0;
  top_start(y);
  e0 = top_energy(y);
  top_run("dop853", 1, 2000, 4, ref);
  top_run("tolerance(dopri5, rtol=1e-10, atol=1e-12)", 1, 4, 4, y);
  check_array(7, y, ref, 1e-8);
  top_run("tolerance(symmetric(verlet), rtol=1e-9)", 1, 4, 4, y);
  check_array(7, y, ref, 1e-7);
  epi_system s = top(1);
  epi_state x = {.y = y};
  epi_flow *f = epi_make("symmetric(verlet)", &s);
  double early = 0, late = 0;
  top_start(y);
  for (int k = 0; k < 4000; k++) {
    epi_advance(f, &x, 0.05, 1);
    double d = fabs(top_energy(y) - e0);
    if (k < 1000) early = fmax(early, d);
    if (k >= 3000) late = fmax(late, d);
  }
  check_below(early, 1e-3);
  check_below(late, 1.3*early);
  epi_free(f);
}

/* ---- a rod: RATTLE against the angle ---- */
static int angle_force(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -9.8*sin(q[0]); return 0; }
static int angle_drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 0.3*v[0];
  return 0;
}

static void rod_orders(void)
{
  static const struct { const char *text; double order; int velocity_force; } flows[] = {
    {"verlet", 2, 0}, {"verlet", 2, 1}, {"shake", 2, 0}, {"symmetric(verlet)", 4, 0}, {"symmetric(verlet)", 4, 1},
    {"symmetric(verlet, order=6)", 6, 0},
    {"strang(substeps(kick, 1), drift)", 2, 0}, {"strang(drift, kick)", 2, 0}, {"strang(velocity-kick, verlet(bare))", 2, 1},
    {"euler-symplectic", 1, 0},
    {"herk3", 3, 0}, {"herk3", 3, 1}, {"herk4", 4, 0}, {"herk4", 4, 1}, {"lobatto", 2, 0}, {"lobatto(stages=3)", 4, 0},
    {"lobatto(stages=3)", 4, 1},
    {"symmetric(lobatto)", 4, 0},
  };
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    double a[] = {0.9, 0.4}, h[4], e[4];
    epi_system angle = {.nq = 1, .force = angle_force, .velocity_force = flows[i].velocity_force ? angle_drag : NULL};
    epi_system bare = {.nq = 2, .nc = 1, .force = weight, .constraint = rod}, full = bare;
    if (flows[i].velocity_force) full.velocity_force = air;
    epi_name names[] = {{.name = "model", .system = &full}, {.name = "bare", .system = &bare}, {0}};
    epi_state x = {.y = a};
    epi_flow *f = epi_make("dop853", &angle);
    epi_advance(f, &x, 0.001, 1000);
    epi_free(f);
    for (int k = 0; k < 4; k++) {
      long n = lround((flows[i].order < 2 ? 400 : flows[i].order > 4 ? 30 : 80)*pow(2, 0.5*k));
      double y[] = {sin(0.9), -cos(0.9), 0.4*cos(0.9), 0.4*sin(0.9)};
      epi_state s = {.y = y};
      f = epi_make_named(flows[i].text, names);
      check_count(epi_advance(f, &s, 1.0/(double)n, n), 0);
      h[k] = 1.0/(double)n;
      e[k] = fabs(atan2(y[0], -y[1]) - a[0]);
      check_abs(y[0]*y[0] + y[1]*y[1], 1, 1e-13);
      /* differences of positions are along the rod to second order */
      check_abs(y[0]*y[2] + y[1]*y[3], 0, strcmp(flows[i].text, "shake") ? 1e-13 : 4*h[k]*h[k]);
      epi_free(f);
    }
    if (!check_order(4, h, e, flows[i].order, 0.25)) printf("  %s, velocity force %d\n", flows[i].text, flows[i].velocity_force);
  }
}

/* the impulses of a hanging rod carry its weight: lambda G = m g */
static void rod_impulse(void)
{
  double y[] = {0, -1, 0, 0}, impulse = 0;
  epi_system s = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
  epi_state x = {.y = y, .impulse = &impulse};
  epi_flow *f = epi_make("verlet", &s);
  epi_advance(f, &x, 0.01, 100);
  /* G = (0, -2): lambda (-2) = 9.8 over unit time */
  check_rel(impulse, -4.9, 1e-12);
  epi_free(f);
}

/* a pivot driven in time against the same pendulum in its angle */
static int driven(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s;
  double x = q[0] - 0.3*sin(5*t), y = q[1];
  g[0] = x*x + y*y - 1;
  G[0] = 2*x;
  G[1] = 2*y;
  gt[0] = -2*x*1.5*cos(5*t);
  return 0;
}
static int pivot(epi_system *s, double t, const double *q, double *f) { (void)s; f[0] = -9.8*sin(q[0]) + 7.5*sin(5*t)*cos(q[0]); return 0; }

static void driven_pivot(void)
{
  epi_system c = {.nq = 2, .nc = 1, .force = weight, .constraint = driven}, a = {.nq = 1, .force = pivot};
  double x[] = {0.5, 0}, h[3], e[3];
  epi_state s = {.y = x};
  epi_flow *f = epi_make("dop853", &a);
  epi_advance(f, &s, 0.001, 2000);
  epi_free(f);
  for (int k = 0; k < 3; k++) {
    double y[] = {sin(0.5), -cos(0.5), 1.5, 0};
    epi_state r = {.y = y};
    h[k] = 2.0/(100 << k);
    f = epi_make("symmetric(verlet)", &c);
    epi_advance(f, &r, h[k], 100 << k);
    e[k] = fabs(atan2(y[0] - 0.3*sin(10), -y[1]) - x[0]);
    epi_free(f);
  }
  check_order(3, h, e, 4, 0.3);
}

/* a dense mass: the same motion in other coordinates */
static int stretched(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *B = s->data;
  double x[] = {B[0]*q[0] + B[1]*q[1], B[2]*q[0] + B[3]*q[1]}, g[2];
  henon_force(s, 0, x, g);
  f[0] = B[0]*g[0] + B[2]*g[1];
  f[1] = B[1]*g[0] + B[3]*g[1];
  return 0;
}
static int solve(epi_system *s, const double *q, double *a)
{
  (void)q;
  const double *B = s->data;
  double m[] = {B[0]*B[0] + B[2]*B[2], B[0]*B[1] + B[2]*B[3], B[1]*B[1] + B[3]*B[3]}, d = m[0]*m[2] - m[1]*m[1];
  double x = (m[2]*a[0] - m[1]*a[1])/d;
  a[1] = (m[0]*a[1] - m[1]*a[0])/d;
  a[0] = x;
  return 0;
}

static void dense_mass(void)
{
  double B[] = {1, 0.4, -0.3, 1.2}, M[] = {B[0]*B[0] + B[2]*B[2], B[0]*B[1] + B[2]*B[3], B[0]*B[1] + B[2]*B[3], B[1]*B[1] + B[3]*B[3]};
  static const char *const flows[] = {"verlet", "rk4", "dopri5", "gauss(stages=3)", "symmetric(verlet, order=8)"};
  for (int i = 0; i < 5; i++)
    for (int kind = 0; kind < 2; kind++) {
      epi_system plain = {.nq = 2, .force = henon_force}, s = {.nq = 2, .force = stretched, .data = B};
      if (kind) s.inertia.mass_solve = solve;
      else s.inertia.mass_matrix = M;
      double q[] = {0.2, -0.1, 0.1, 0.15}, x[4];
      for (int k = 0; k < 2; k++) { x[2*k] = B[0]*q[2*k] + B[1]*q[2*k+1]; x[2*k+1] = B[2]*q[2*k] + B[3]*q[2*k+1]; }
      epi_state a = {.y = q}, b = {.y = x};
      epi_flow *f = epi_make(flows[i], &s), *g = epi_make(flows[i], &plain);
      check_count(epi_advance(f, &a, 0.1, 50) | epi_advance(g, &b, 0.1, 50), 0);
      double y[4];
      for (int k = 0; k < 2; k++) { y[2*k] = B[0]*q[2*k] + B[1]*q[2*k+1]; y[2*k+1] = B[2]*q[2*k] + B[3]*q[2*k+1]; }
      check_array(4, y, x, 1e-12);
      epi_free(f);
      epi_free(g);
    }
}

int main(void)
{
  top_orders();
  top_long();
  rod_orders();
  rod_impulse();
  driven_pivot();
  dense_mass();
  return test_done();
}
