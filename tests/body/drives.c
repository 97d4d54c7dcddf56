/* holds: driven joints, springs, ground and loads follow their reduced equation to the order of every constrained method
 * drives.c - joints, springs, the ground and loads that are driven: against the equation of the one angle that is left, by every method
 * that holds constraints, with the order that each claims */
#include "test.h"
#include "epicycle.h"

/* a rod of length 2 L and mass M, held at its end by a hinge about y that moves up and down: A sin(w t + phi) */
static const double M = 0.7, L = 0.25, G0 = 9.81, A = 0.02, W = 40, PHI = 0.4, Q0 = 0.6, V0 = 0.3;
static double inertia(void) { return M*4*L*L/12; }
static double pivot(double t) { return A*sin(W*t + PHI); }
static double pivot_rate(double t) { return A*W*cos(W*t + PHI); }

/* (I + M L^2) q'' = -M L (g + z'') sin q, by Runge and Kutta with very small steps; q from hanging down */
static double accel(double t, double q) { return -M*L*(G0 - A*W*W*sin(W*t + PHI))*sin(q)/(inertia() + M*L*L); }
static void reference(double end, double *q, double *v)
{
  int n = 20000;
  double h = end/n, x = Q0, y = V0;
  for (int i = 0; i < n; i++) {
    double t = i*h, k1 = accel(t, x), k2 = accel(t + h/2, x + h/2*y + h*h/8*k1), k3 = accel(t + h, x + h*y + h*h/2*k2);
    x += h*y + h*h/6*(k1 + 2*k2);
    y += h/6*(k1 + 4*k2 + k3);
  }
  *q = x;
  *v = y;
}

typedef enum { JOINT, GROUND } how;
static epi_world *rod(how by, int as)
{
  epi_world *w = epi_world_make();
  epi_drive up = {.along = {0, 0, 1}, .amplitude = A, .phase = 0};
  double z = by == JOINT ? pivot(0) : 0, vz = by == JOINT ? pivot_rate(0) : 0, at[3] = {L*sin(Q0), 0, z - L*cos(Q0)};
  epi_add_phase(w, W, PHI);
  epi_add_gravity(w, (double[]){0, 0, -G0});
  int body = epi_add_body(w, &(epi_body){
    .name = "rod", .mass = M, .inertia = {inertia(), inertia(), 1e-4}, .at = {at[0], 0, at[2]}, .attitude = {cos(Q0/2), 0, -sin(Q0/2), 0},
    .velocity = {L*V0*cos(Q0), 0, vz + L*V0*sin(Q0)}, .spin = {0, -V0, 0}});
  epi_joint j = {.name = "pivot", .a = body, .b = EPI_GROUND, .hold = EPI_HINGE, .as = as, .at_a = {0, 0, L},
                 .frame_a = {sqrt(0.5), -sqrt(0.5), 0, 0}, .frame_b = {sqrt(0.5), -sqrt(0.5), 0, 0}, .stiffness = {1e7, 1e5},
                 .damping = {1e3, 10}};
  if (by == JOINT) j.motion[0] = up;
  else epi_add_shaking(w, &up);
  epi_add_joint(w, &j);
  return w;
}

/* how far the rod is off at the end, as places */
static double error(how by, int as, const char *flow, double h, double end)
{
  static double q, v, known;
  epi_world *w = rod(by, as);
  epi_flow *f = epi_world_flow(w, flow);
  epi_state s = epi_world_state(w);
  if (known != end) { reference(end, &q, &v); known = end; }
  double off = NAN, z = by == JOINT ? pivot(end) : 0;
  if (!epi_run(f, &s, end, h)) off = hypot(s.y[0] - L*sin(q), s.y[2] - z + L*cos(q));
  else printf("%s: %s\n", flow, epi_error(f));
  epi_free(f);
  epi_world_free(w);
  return off;
}

static void order_of(how by, const char *flow, double h, double order)
{
  double step[4], off[4];
  for (int i = 0; i < 4; i++) { step[i] = h/(1 << i); off[i] = error(by, EPI_CONSTRAINT, flow, step[i], 1); }
  if (!check_order(4, step, off, order, 0.35)) printf("  %s: %g %g %g %g\n", flow, off[0], off[1], off[2], off[3]);
}

static void orders(void)
{
  for (how by = JOINT; by <= GROUND; by++) {
    order_of(by, "verlet", 0.004, 2);
    order_of(by, "symmetric(verlet, order=4)", 0.01, 4);
    order_of(by, "symmetric(verlet, order=6)", 0.02, 6);
    order_of(by, "semi(model.contacts, model.stiff, beta=0.5)", 0.004, 2);
    check_below(error(by, EPI_CONSTRAINT, "tolerance(symmetric(verlet, order=4), rtol=1e-9, atol=1e-9)", 1, 1), 1e-6);
    check_below(error(by, EPI_CONSTRAINT, "tolerance(verlet, rtol=1e-7, atol=1e-7)", 1, 1), 1e-4);
  }
  /* as springs: the gap that they leave */
  check_below(error(JOINT, EPI_PENALTY, "semi(model.contacts, model.stiff, beta=0.5)", 1e-4, 1), 1e-4);
}

/* ---- without rotations: a bead on a string whose upper end moves, in two coordinates ---- */
static int weight(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] = 0;
  f[1] = -G0;
  return 0;
}

static int string(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  double x = q[0], y = q[1] - pivot(t);
  (void)s;
  g[0] = (x*x + y*y - L*L)/2;
  G[0] = x;
  G[1] = y;
  gt[0] = -y*pivot_rate(t);
  return 0;
}

static double bead(const char *flow, double h, double end)
{
  epi_system m = {.nq = 2, .nc = 1, .force = weight, .constraint = string};
  double y[] = {L*sin(Q0), pivot(0) - L*cos(Q0), L*V0*cos(Q0), pivot_rate(0) + L*V0*sin(Q0)}, x = Q0, v = V0, dt = 1e-5;
  for (int i = 0; i < (int)(end/dt + 0.5); i++) {
    double t = i*dt, a[3], at[3] = {t, t + dt/2, t + dt}, place[3] = {x};
    for (int k = 0; k < 3; k++) {
      a[k] = -(G0 - A*W*W*sin(W*at[k] + PHI))*sin(place[k])/L;
      if (k < 2) place[k + 1] = x + (k ? dt : dt/2)*v + (k ? dt*dt/2 : dt*dt/8)*a[k];
    }
    x += dt*v + dt*dt/6*(a[0] + 2*a[1]);
    v += dt/6*(a[0] + 4*a[1] + a[2]);
  }
  epi_flow *f = epi_make(flow, &m);
  epi_state s = {.y = y};
  double off = epi_run(f, &s, end, h) ? NAN : hypot(y[0] - L*sin(x), y[1] - pivot(end) + L*cos(x));
  if (epi_error(f)) printf("%s: %s\n", flow, epi_error(f));
  epi_free(f);
  return off;
}

static void beads(void)
{
  static const struct { const char *flow; double h, order; } all[] = {
    {"verlet", 0.004, 2}, {"symmetric(verlet, order=4)", 0.01, 4}, {"herk4", 0.005, 4}, {"shake", 0.004, 2},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    double step[4], off[4];
    for (int k = 0; k < 4; k++) { step[k] = all[i].h/(1 << k); off[k] = bead(all[i].flow, step[k], 1); }
    if (!check_order(4, step, off, all[i].order, 0.35)) printf("  %s\n", all[i].flow);
  }
  check_below(bead("tolerance(herk4, rtol=1e-10, atol=1e-10)", 1, 1), 1e-7);
}

/* ---- laws of loads, ends of springs that move, and what has no value ---- */
typedef struct { double k; int asked; } law_data;
static int pull(const void *data, const epi_instant *now, const epi_pose *p, double *force, double *torque)
{
  const law_data *d = data;
  (void)torque;
  if (d->asked && now->t > 0.5) return 17;
  force[0] = -d->k*p->r[0] + 3*cos(now->theta);
  return 0;
}
static int drag(const void *data, const epi_instant *now, const epi_pose *p, double *force, double *torque)
{
  (void)now, (void)torque;
  for (int i = 0; i < 3; i++) force[i] = -*(const double *)data*p->v[i];
  return 0;
}
static void words(const void *data, int code, char *out, size_t size) { (void)data; snprintf(out, size, "gave %d", code); }

/* m x'' = -k x + F cos(w t): x = (F/(k - m w^2)) (cos w t - cos w0 t) from rest */
static void laws(void)
{
  const double k = 50, w = 9, w0 = sqrt(k/M), end = 1.3, far = 3/(k - M*w*w)*(cos(w*end) - cos(w0*end));
  double c = 0.4;
  for (int moved = 0; moved < 2; moved++) {
    epi_world *a = epi_world_make();
    law_data d = {k, 0};
    epi_add_phase(a, w, moved ? 1.570796326794896619 : 0);
    int body = epi_add_body(a, &(epi_body){.name = "mass", .mass = M, .inertia = {1, 1, 1}});
    if (moved) {
      /* the same by a spring whose end swings with F/k, at a length that does not matter */
      epi_spring s = {.name = "spring", .a = body, .b = EPI_GROUND, .at_b = {-1, 0, 0}, .length = 1, .stiffness = k,
                      .motion = {{.along = {1, 0, 0}, .amplitude = 3/k}}};
      epi_add_spring(a, &s);
    } else epi_add_load(a, &(epi_applied_force){.name = "pull", .body = body, .law = pull, .data = &d});
    epi_flow *f = epi_world_flow(a, "symmetric(verlet, order=6)");
    epi_state s = epi_world_state(a);
    check_count(epi_run(f, &s, end, 0.01), 0);
    check_abs(s.y[0], far, 1e-9);
    check(epi_world_system(a)->phase.forced != NULL);
    check(!epi_world_system(a)->phase.phase_in_t);
    check(!epi_world_passive(a));
    epi_free(f);
    epi_world_free(a);
  }
  epi_world *a = epi_world_make();
  int body = epi_add_body(a, &(epi_body){.name = "mass", .mass = M, .inertia = {1, 1, 1}, .velocity = {2, 0, 0}});
  epi_add_load(a, &(epi_applied_force){.name = "drag", .body = body, .law = drag, .data = &c, .of_velocity = 1});
  epi_flow *f = epi_world_flow(a, "rk4");
  epi_state s = epi_world_state(a);
  check_count(epi_run(f, &s, 1, 0.01), 0);
  check_rel(s.y[7], 2*exp(-c/M), 1e-9);
  epi_free(f);
  epi_world_free(a);
}

static int sick(const void *data, const epi_instant *now, double out[3])
{
  (void)data;
  out[0] = out[1] = out[2] = 0;
  return now->t > 0.5 ? 9 : 0;
}

static void without_value(void)
{
  law_data d = {1, 1};
  for (int i = 0; i < 4; i++) {
    epi_world *a = epi_world_make();
    epi_drive drive = {.along = {0, 0, 1}, .at = sick, .explain = words};
    int body = epi_add_body(a, &(epi_body){.name = "mass", .mass = M, .inertia = {1, 1, 1}});
    if (i == 0) epi_add_load(a, &(epi_applied_force){.name = "pull", .body = body, .law = pull, .explain = words, .data = &d});
    if (i == 1) epi_add_shaking(a, &drive);
    if (i == 2) epi_add_joint(a, &(epi_joint){.name = "pin", .a = body, .b = EPI_GROUND, .hold = EPI_POINT, .as = EPI_CONSTRAINT,
                                              .motion = {drive}});
    if (i == 3) epi_add_spring(a, &(epi_spring){.name = "coil", .a = body, .b = EPI_GROUND, .stiffness = 1, .motion = {drive}});
    epi_flow *f = epi_world_flow(a, "verlet");
    epi_state s = epi_world_state(a);
    check(epi_run(f, &s, 1, 0.01) != 0);
    static const char *const said[] = {"the law of the load pull gave 17", "the motion of the ground gave 9",
                                       "the motion of the joint pin gave 9", "the motion of the spring coil gave 9"};
    check_has(epi_error(f), said[i]);
    check_has(epi_error(f), "t = 0.5");
    check_abs(s.t, 0.5, 0.011);
    epi_free(f);
    epi_world_free(a);
  }
}

static int push(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -q[0] + 100*cos(theta);
  return 0;
}

/* averages are given theta by forced alone: what takes its phase from t and cannot be shifted is refused, also without rotations */
static void averages(void)
{
  static const char *const flows[] = {"verlet(hmm(verlet))", "rk4(strobe(substeps(verlet, 20)))"};
  for (int in_t = 0; in_t < 2; in_t++)
    for (int i = 0; i < 2; i++) {
      epi_system one = {.nq = 1, .phase = {.forced = push, .phase_rate = 100, .phase_in_t = in_t}};
      epi_flow *f = epi_make(flows[i], &one);
      if (in_t) check_has(epi_error(f) ? epi_error(f) : "", "takes the fast phase from t");
      else check_text(epi_error(f) ? epi_error(f) : "", "");
      epi_free(f);
    }
  epi_world *w = rod(JOINT, EPI_CONSTRAINT);
  const epi_system *m = epi_world_system(w);
  check(m->phase.forced && m->phase.phase_in_t == 2);
  check_rel(m->phase.phase_rate, W, 0);
  check_rel(m->phase.theta0, PHI, 0);
  check_rel(epi_world_state(w).theta, PHI, 0);
  epi_world_free(w);
  w = rod(GROUND, EPI_CONSTRAINT);
  m = epi_world_system(w);
  check(m->phase.forced && !m->phase.phase_in_t);
  epi_world_free(w);
}

static void refusals(void)
{
  epi_world *a = epi_world_make();
  int body = epi_add_body(a, &(epi_body){.name = "mass", .mass = M, .inertia = {1, 1, 1}});
  check(epi_add_joint(a, &(epi_joint){.name = "pin", .a = body, .b = EPI_GROUND, .hold = EPI_POINT, .as = EPI_CONSTRAINT,
                                      .motion = {{.along = {0, 0, 2}, .amplitude = 1}}}) < 0);
  check_has(epi_world_error(a), "the joint pin is driven along no unit vector");
  epi_world_free(a);
  a = epi_world_make();
  check(epi_add_phase(a, 0, 0) < 0);
  check_has(epi_world_error(a), "a rate that is not zero");
  epi_world_free(a);
}

int main(void)
{
  orders();
  beads();
  laws();
  without_value();
  averages();
  refusals();
  return test_done();
}
