/* holds: the free rigid body and the heavy top follow their closed forms, in quaternions and velocities */
#include "epicycle.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
static const char *const TIGHT = "tolerance(dop853, rtol=1e-13, atol=1e-15)";
enum { N = 7, NQ = 4 };

static epi_case *make(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

static void run(epi_flow *f, epi_state *s, double end, double h)
{
  if (epi_run(f, s, end, h)) test_stop(epi_error(f));
}

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(c, s) : NAN;
}

static double apart(const double *a, const double *b, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* ---- turn and slew ---- */
/* q' of a body at q that turns with w in its own axes: q (0, w)/2 */
static void rate(const double *q, const double *w, double *dq)
{
  dq[0] = -(q[1]*w[0] + q[2]*w[1] + q[3]*w[2])/2;
  dq[1] = (q[0]*w[0] + q[2]*w[2] - q[3]*w[1])/2;
  dq[2] = (q[0]*w[1] + q[3]*w[0] - q[1]*w[2])/2;
  dq[3] = (q[0]*w[2] + q[1]*w[1] - q[2]*w[0])/2;
}

static void turning(void)
{
  epi_case *c = make("rigid-body");
  epi_system *m = &c->system;
  double start[] = {0.5, -0.1, 0.7, 0.5}, q[NQ], a[NQ], b[NQ], size = sqrt(0.25 + 0.01 + 0.49 + 0.25);
  for (int i = 0; i < NQ; i++) start[i] /= size;
  /* a quarter about the third axis of a body that was turned by a quarter about its first: the axes are the body's */
  m->manifold.retract(m, (double[]){cos(PI/4), sin(PI/4), 0, 0}, (double[]){0, 0, PI/2}, q);
  check_array(NQ, q, ((double[]){0.5, 0.5, -0.5, 0.5}), 1e-15);
  /* turns about one axis add, and a turn can be taken back */
  const double u[] = {0.4, -1.1, 0.7}, half[] = {0.2, -0.55, 0.35}, back[] = {-0.4, 1.1, -0.7};
  m->manifold.retract(m, start, half, a);
  m->manifold.retract(m, a, half, b);
  m->manifold.retract(m, start, u, q);
  check_array(NQ, b, q, 1e-15);
  m->manifold.retract(m, q, back, b);
  check_array(NQ, b, start, 1e-15);
  /* small ones keep their digits on both sides of where the series takes over */
  for (double x = 1e-9; x < 1; x *= 1.7) {
    m->manifold.retract(m, (double[]){1, 0, 0, 0}, (double[]){0, x, 0}, q);
    check_rel(q[2], sin(x/2), 1e-15);
    check_rel(q[0], cos(x/2), 1e-15);
  }
  /* q = turn(q0, u) moves with v when u moves with slew(u, v) */
  static const double sizes[] = {1e-7, 5e-3, 9.9e-3, 1.01e-2, 0.1, 1, 2.5, 5};
  for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
    double x[3], up[3], down[3], du[3], dq[NQ], v[] = {0.3, 0.9, -1.4}, e = 1e-5;
    for (int i = 0; i < 3; i++) x[i] = u[i]*sizes[k]/sqrt(0.16 + 1.21 + 0.49);
    m->manifold.retract_rate(m, x, v, du);
    for (int i = 0; i < 3; i++) up[i] = x[i] + e*du[i], down[i] = x[i] - e*du[i];
    m->manifold.retract(m, start, up, a);
    m->manifold.retract(m, start, down, b);
    for (int i = 0; i < NQ; i++) a[i] = (a[i] - b[i])/(2*e);
    m->manifold.retract(m, start, x, q);
    rate(q, v, dq);
    check_array(NQ, a, dq, 1e-9);
  }
  epi_case_free(c);
}

/* the gyroscopic torque (I w) x w does no work and leaves |I w| alone; no other sign does both and is Euler's */
static void gyro(void)
{
  static const char *const texts[] = {"rigid-body", "heavy-top(I2=0.03)"};
  for (int k = 0; k < 2; k++) {
    epi_case *c = make(texts[k]);
    const double w[] = {0.3, -0.7, 0.4}, *I = c->system.mass;
    double f[] = {1, 2, 3}, x[3], work = 0, change = 0;
    c->system.velocity_force(&c->system, 0, c->y, w, f);
    for (int i = 0; i < 3; i++) x[i] = I[i]*w[i];
    for (int i = 0; i < 3; i++) {
      int j = (i + 1)%3, l = (i + 2)%3;
      check_abs(f[i] - (i + 1), x[j]*w[l] - x[l]*w[j], 1e-15);
      work += (f[i] - (i + 1))*w[i];
      change += (f[i] - (i + 1))*x[i];
    }
    check_abs(work, 0, 1e-15);
    check_abs(change, 0, 1e-15);
    epi_case_free(c);
  }
}

/* ---- the free body ---- */
/* every order of the moments, so every kind of orbit; all quadrants of the start; near and on the separatrix; two or three moments alike */
static const struct { const char *text; int end; double tol; } FREE[] = {
  {"rigid-body", 25, 1e-13}, {"rigid-body(theta=1.2)", 25, 1e-13}, {"rigid-body(theta=-0.7)", 25, 1e-13},
  {"rigid-body(theta=2.5)", 25, 1e-13}, {"rigid-body(I1=1, I2=0.5, I3=2)", 25, 1e-13},
  {"rigid-body(I1=1, I2=0.5, I3=2, theta=1.3)", 25, 1e-13}, {"rigid-body(I1=1, I2=0.5, I3=2, theta=-2)", 25, 1e-13},
  {"rigid-body(I1=1, I2=2, I3=0.5)", 25, 1e-13}, {"rigid-body(I1=1, I2=2, I3=0.5, theta=1.2)", 25, 1e-13},
  {"rigid-body(I1=1, I2=2, I3=1.5)", 25, 1e-13}, {"rigid-body(I1=1, I2=2, I3=1.5, theta=1.2)", 25, 1e-13},
  {"rigid-body(I1=3, I2=2, I3=1, theta=1.2)", 25, 1e-13}, {"rigid-body(I1=3, I2=2, I3=1, theta=4)", 25, 1e-13},
  {"rigid-body(I1=3, I2=1, I3=2, theta=1.2)", 25, 1e-13}, {"rigid-body(I1=3, I2=1, I3=2, theta=4)", 25, 1e-13},
  {"rigid-body(I1=2, I2=1.999, I3=1, theta=0.5)", 25, 1e-13}, {"rigid-body(I1=1, I2=2, I3=2.001, theta=0.3)", 25, 1e-13},
  {"rigid-body(I1=1, I2=2, I3=1.001, theta=0.3)", 25, 1e-13}, {"rigid-body(I1=1, I2=1, I3=2)", 25, 1e-13},
  {"rigid-body(I1=1, I2=2, I3=1)", 25, 1e-13}, {"rigid-body(I1=2, I2=1, I3=1)", 25, 1e-13}, {"rigid-body(I1=2, I2=2, I3=2)", 25, 1e-13},
  {"rigid-body(theta=0)", 25, 1e-13}, {"rigid-body(theta=1.5707963267948966)", 25, 1e-13},
  /* unstable: what rounding does to the run grows as exp(0.7 t); and on the way to the saddle, where it grows as exp(t) */
  {"rigid-body(theta=0.01)", 25, 1e-10}, {"rigid-body(I1=0.5, I2=1, I3=0.33333333333333331, theta=0.78539816339744828)", 8, 1e-12},
  {NULL, 0, 0}
};

static void free_body(void)
{
  for (int i = 0; FREE[i].text; i++) {
    epi_case *c = make(FREE[i].text);
    double z[N], worst = 0, L[3];
    check_count(c->model->exact(c, 0, z), 0);
    check_array(N, z, c->y, 1e-15);
    for (int way = -1; way <= 1; way += 2) {
      epi_flow *f = epi_case_flow(c, TIGHT);
      epi_state s = epi_case_state(c);
      for (int k = 1; k <= FREE[i].end; k++) {
        run(f, &s, way*k, way);
        c->model->exact(c, s.t, z);
        worst = fmax(worst, apart(s.y, z, N));
      }
      epi_free(f);
    }
    printf("%s: %.2g from a tight run\n", FREE[i].text, worst);
    if (!check_below(worst, FREE[i].tol)) printf("  %s\n", FREE[i].text);
    /* far away, the closed form still stays on its invariants */
    c->model->exact(c, 1234.5, z);
    epi_state far = {.t = 1234.5, .y = z}, start = {.y = c->y};
    static const char *const kept[] = {"T", "M", "Lx", "Ly", "Lz", "unit"};
    for (size_t k = 0; k < sizeof kept/sizeof *kept; k++) check_abs(observed(c, kept[k], &far), observed(c, kept[k], &start), 1e-12);
    for (int k = 0; k < 3; k++) L[k] = observed(c, kept[2 + k], &far);
    check_array(3, L, ((double[]){0, cos(c->p[3]), sin(c->p[3])}), 1e-12);
    epi_case_free(c);
  }
}

/* figures of Modin's thesis, Paper IV: period, orbit, length of the orbit, extremes of the objective */
static void figures(void)
{
  epi_case *c = make("rigid-body");
  const double P = 15.8897571689459;
  double z[N], arc = 0, most = 0, least = INFINITY, Q, grad[6], back = 0;
  static const struct { double t; const char *name; double x; } AT[] = {
    {5, "x2", -0.61541555068749441}, {5, "x3", 0.65370658630677557}, {10, "x1", 0.26175750167743993}, {10, "x2", -0.86889557942723914},
    {10, "x3", 0.42012317523243988}
  };
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    c->model->exact(c, AT[i].t, z);
    check_abs(observed(c, AT[i].name, &(epi_state){.t = AT[i].t, .y = z}), AT[i].x, 2e-15);
  }
  c->model->exact(c, P, z);
  back = apart(z + NQ, c->y + NQ, 3);
  check_below(back, 1e-13);
  /* the trapezoidal rule is exact on a period of an analytic function */
  enum { STEPS = 4000 };
  for (int k = 0; k < STEPS; k++) {
    c->model->exact(c, P*k/STEPS, z);
    c->system.energies.objective(&c->system, 0, z, &Q, grad);
    arc += (Q - 0.01)*P/STEPS;
    most = fmax(most, Q);
    least = fmin(least, Q);
  }
  check_rel(arc, 5.7033005062223517, 1e-13);
  check_rel(0.15*(arc/P + 0.01), 0.055339405274568114, 1e-13);
  check_rel(most, 0.70981652154948611, 1e-6);
  check_rel(least, 0.10735458557716262, 1e-6);
  epi_case_free(c);
}

/* Q = |x'| + floor and its gradient in the velocities; the rate of log Q along the motion is in the thesis for x = (.3, -.7, .4) */
static void objective(void)
{
  epi_case *c = make("rigid-body");
  epi_system *m = &c->system;
  double y[N] = {1, 0, 0, 0, 0.3/0.5, -0.7, 0.4/2}, Q, grad[6], none[6], up, down, f[3] = {0}, along = 0, e = 1e-6;
  check_count(m->energies.objective(m, 0, y, &Q, grad), 0);
  /* x' = (-x2 x3/2, 3 x3 x1/2, -x1 x2) */
  check_rel(Q, 0.01 + sqrt(0.14*0.14 + 0.18*0.18 + 0.21*0.21), 1e-15);
  m->velocity_force(m, 0, y, y + NQ, f);
  for (int i = 0; i < 3; i++) {
    double *w = y + NQ + i, keep = *w;
    *w = keep + e;
    m->energies.objective(m, 0, y, &up, none);
    *w = keep - e;
    m->energies.objective(m, 0, y, &down, none);
    *w = keep;
    check_abs(grad[i], 0, 0);
    check_abs(grad[3 + i], (up - down)/(2*e), 1e-9);
    along += grad[3 + i]*f[i]/m->mass[i];
  }
  check_rel(along/Q, 0.46995967741935484, 1e-14);
  /* where nothing moves the floor is left, and the gradient has no direction */
  check_count(m->energies.objective(m, 0, (double[]){1, 0, 0, 0, 0, 1, 0}, &Q, grad), 0);
  check_rel(Q, 0.01, 1e-15);
  for (int i = 0; i < 6; i++) check_abs(grad[i], 0, 0);
  epi_case_free(c);
}

/* the attitude converges as the momenta do, with the order of the method */
static void orders(void)
{
  static const struct { const char *flow; double order, h; } ON[] = {
    {"midpoint", 2, 0.1}, {"rk4", 4, 0.1}, {"gauss(stages=2)", 4, 0.2}, {"gauss(stages=3)", 6, 0.4}, {"nambu", 2, 0.1},
    {"nambu(split=MT)", 2, 0.1},
    {"symmetric(nambu, order=4)", 4, 0.1}
  };
  epi_case *c = make("rigid-body");
  double z[N], h[3], body[3], space[3];
  c->model->exact(c, 8, z);
  for (size_t i = 0; i < sizeof ON/sizeof *ON; i++) {
    for (int k = 0; k < 3; k++) {
      epi_flow *f = epi_case_flow(c, ON[i].flow);
      epi_state s = epi_case_state(c);
      h[k] = ON[i].h/(1 << k);
      run(f, &s, 8, h[k]);
      space[k] = apart(s.y, z, NQ);
      body[k] = apart(s.y + NQ, z + NQ, 3);
      epi_free(f);
    }
    printf("%s: attitude %.3g, velocity %.3g at h = %g\n", ON[i].flow, space[2], body[2], h[2]);
    if (!check_order(3, h, space, ON[i].order, 0.3) || !check_order(3, h, body, ON[i].order, 0.3)) printf("  %s\n", ON[i].flow);
  }
  epi_case_free(c);
}

/* ---- the heavy top ---- */
/* the torque is -dV along every turn of the body */
static void torque(void)
{
  epi_case *c = make("heavy-top(m=3, l=0.7)");
  epi_system *m = &c->system;
  double q[] = {0.5, -0.1, 0.7, 0.5}, f[3], up[N], down[N], e = 1e-5;
  m->manifold.retract(m, q, (double[3]){0}, q);
  m->force(m, 0, q, f);
  for (int i = 0; i < 3; i++) {
    double d[3] = {0};
    d[i] = e;
    m->manifold.retract(m, q, d, up);
    d[i] = -e;
    m->manifold.retract(m, q, d, down);
    check_abs(f[i], (m->energies.potential(m, 0, down) - m->energies.potential(m, 0, up))/(2*e), 1e-8);
  }
  check_above(hypot(f[0], f[1]), 1);
  epi_case_free(c);
}

/* released at rest: the body axis at three times, the lower turning angle, the period and the precession of a nutation */
static void released(void)
{
  static const struct { double t, axis[3]; } AT[] = {
    {0.1, {0.866901887817, 0.103367910016, 0.487643509214}},
    {0.5, {0.758631470344, 0.420934986678, 0.497284656101}},
    {1, {0.464358657427, 0.737679699776, 0.490101721902}}
  };
  const double period = 0.128084277106, lower = 1.082178130770, precession = 0.126829890012;
  static const char *const flows[] = {NULL, "gauss(stages=3)", "tolerance(dop853, rtol=1e-13, atol=1e-14)"};
  static const char *const centre[] = {"x", "y", "z"};
  for (size_t k = 0; k < sizeof flows/sizeof *flows; k++) {
    epi_case *c = make("heavy-top");
    epi_flow *f = epi_case_flow(c, flows[k]);
    epi_state s = epi_case_state(c);
    double worst = 0;
    for (int i = 0; i < 3; i++) {
      run(f, &s, AT[i].t, c->step);
      for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(observed(c, centre[j], &s)/0.1 - AT[i].axis[j]));
    }
    printf("heavy-top, %s: the axis %.2g from its reference\n", flows[k] ? flows[k] : c->model->flow, worst);
    check_below(worst, 5e-11);
    check_abs(observed(c, "spin", &s), 1, 1e-11);
    s = epi_case_state(c);
    run(f, &s, period/2, c->step);
    check_abs(observed(c, "tilt", &s), lower, 1e-11);
    run(f, &s, period, c->step);
    check_abs(observed(c, "tilt", &s), PI/3, 1e-11);
    check_abs(observed(c, "azimuth", &s), precession, 1e-11);
    epi_free(f);
    epi_case_free(c);
  }
}

/* steady precession, slow and fast: I1 Om^2 cos th - I3 w3 Om + m g l = 0; the tilt stays and the azimuth is Om t */
static void steady(void)
{
  const double mgl = 0.981, I1 = 0.02, spin = 1, half = 0.5;
  for (int way = -1; way <= 1; way += 2) {
    char text[80];
    double Om = (spin + way*sqrt(spin*spin - 4*I1*half*mgl))/(2*I1*half), tilt = 0, azimuth = 0;
    check_rel(Om, way < 0 ? 0.9908171870 : 99.0091828130, 1e-10);
    snprintf(text, sizeof text, "heavy-top(Omega=%.17g)", Om);
    epi_case *c = make(text);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    for (int k = 1; k <= 100; k++) {
      run(f, &s, k/100., c->step);
      tilt = fmax(tilt, fabs(observed(c, "tilt", &s) - PI/3));
      azimuth = fmax(azimuth, fabs(remainder(observed(c, "azimuth", &s) - Om*s.t, 2*PI)));
    }
    printf("heavy-top, steady at %.10g: tilt to %.2g, azimuth to %.2g\n", Om, tilt, azimuth);
    check_below(tilt, 1e-8);
    check_below(azimuth, 1e-8);
    epi_free(f);
    epi_case_free(c);
  }
}

/* a little off the steady motion the tilt swings with wn: the mean of it over a whole number of swings leaves no rest */
static void nutation(void)
{
  static const double WN[] = {49.0166939830, 98.7624104150};
  static const char *const texts[] = {"heavy-top(Omega=0.99180813137)", "heavy-top(Omega=99.009191829)"};
  for (int k = 0; k < 2; k++) {
    epi_case *c = make(texts[k]);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    double first = NAN, last = NAN, before, now, h = 1e-4, edge = observed(c, "tilt", &s), middle;
    int turns = 0;
    /* the start is at rest on one side; half a swing later the tilt is on the other */
    run(f, &s, PI/WN[k], h);
    middle = (edge + observed(c, "tilt", &s))/2;
    for (int i = 1; turns < 21; i++) {
      before = observed(c, "tilt", &s);
      run(f, &s, PI/WN[k] + i*h, h);
      now = observed(c, "tilt", &s);
      if ((before - middle)*(now - middle) > 0) continue;
      double t = s.t - h*(now - middle)/(now - before);
      if (!turns++) first = t;
      last = t;
    }
    double wn = 20*PI/(last - first);
    printf("heavy-top: nutation %.8g, %.8g for small ones\n", wn, WN[k]);
    check_rel(wn, WN[k], 2e-5);
    epi_free(f);
    epi_case_free(c);
  }
}

/* without symmetry the spin is not kept, but energy and vertical momentum are; upside down it is a pendulum */
static void lopsided(void)
{
  epi_case *c = make("heavy-top(I2=0.03, w3=5, Omega=2)");
  epi_flow *f = epi_case_flow(c, TIGHT);
  epi_state s = epi_case_state(c);
  double E = observed(c, "energy", &s), Lz = observed(c, "Lz", &s), spin = observed(c, "spin", &s);
  run(f, &s, 3, 3);
  check_rel(observed(c, "energy", &s), E, 1e-11);
  check_rel(observed(c, "Lz", &s), Lz, 1e-11);
  check_above(fabs(observed(c, "spin", &s) - spin), 1e-3);
  check_abs(observed(c, "unit", &s), 0, 1e-15);
  epi_free(f);
  epi_case_free(c);
  /* m g l/I1 = 49.05: small swings of 0.02 rad, the period 2 pi/w (1 + a^2/16) */
  c = make("heavy-top(theta0=3.1215926535897932, w3=0)");
  f = epi_case_flow(c, NULL);
  s = epi_case_state(c);
  double period = 2*PI/sqrt(49.05)*(1 + 0.02*0.02/16);
  run(f, &s, period, 1e-3);
  check_abs(observed(c, "tilt", &s), PI - 0.02, 1e-9);
  check_abs(s.y[5], 0, 1e-7);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  turning();
  gyro();
  free_body();
  figures();
  objective();
  orders();
  torque();
  released();
  steady();
  nutation();
  lopsided();
  return test_done();
}
