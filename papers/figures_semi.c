/* figures_semi.c - semi-explicit integration by splitting: its figures, its one table, and its theorem on orders as pictures */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S3 "bearing(preload=20, chi=0.02, waviness=3e-7)"
#define SEMI(alpha, beta) "semi(model.contacts, model.stiff, alpha=" alpha ", beta=" beta ")"
#define AHEAD "semi(model.contacts, model.stiff, alpha=0.5, beta=0.8, ahead=1)"
#define BDF(tol) "cvode(method=bdf, rtol=1e-14, atol=bodies*" tol ")"

/* the others have names in the data of the paper: osc, rod, s1, s3 ... */
static const motion MOTIONS[] = {
  {.name = "osc-exact", .model = "two-oscillators", .flow = "radau(stages=3)", .step = 0.02, .end = 50},
  {.name = "rod-exact", .model = "spring-pendulum", .flow = "substeps(symmetric(verlet, order=8), 2)", .step = 0.01, .steps = 1000},
  /* CVODE begins anew at each of its 120 rows */
  {.name = "s3-bdf", .model = S3, .flow = BDF("1e-5"), .step = 5e-6, .steps = 120},
  {.name = "s1-bdf", .model = "bearing", .flow = BDF("1e-5"), .step = 5e-6, .steps = 120},
  {0}
};

/* ---- figure 1: the bearing, by its dimensions ---- */
static double dimension(const take *r, const char *name)
{
  const epi_param *p = r->c->model->params;
  for (int i = 0; p[i].name; i++) if (!strcmp(p[i].name, name)) return r->c->p[i]*1e3;
  return NAN;
}

static void circle(points *to, double x, double y, double r)
{
  for (int k = 0; k <= 90; k++) points_add(to, x + r*cos(6.283185307179586*k/90), y + r*sin(6.283185307179586*k/90));
  points_lift(to);
}

/* what a part of the bearing is in a section through its axis: z from a to b at radii from c to d, on both sides */
static void slab(points *to, double z, double half, double from, double up)
{
  for (int side = -1; side <= 1; side += 2) {
    const double X[] = {z - half, z + half, z + half, z - half, z - half}, Y[] = {from, from, up, up, from};
    for (int k = 0; k < 5; k++) points_add(to, X[k], side*Y[k]);
    points_lift(to);
  }
}

/* a ring with its groove: the profile from its plain side to the shoulder, hollowed by a ball of radius r about (0, R) */
static void grooved(points *to, double z, double half, double plain, double shoulder, double R, double r)
{
  double h = R - shoulder, a = sqrt(r*r - h*h);
  for (int side = -1; side <= 1; side += 2) {
    points_add(to, z - half, side*plain);
    points_add(to, z - half, side*shoulder);
    for (int k = 0; k <= 24; k++) {
      double x = -a + 2*a*k/24;
      points_add(to, z + x, side*(R - (h > 0 ? 1 : -1)*sqrt(r*r - x*x)));
    }
    points_add(to, z + half, side*shoulder);
    points_add(to, z + half, side*plain);
    points_add(to, z - half, side*plain);
    points_lift(to);
  }
}

/* shoulders leave a third of a ball bare on each side, the cage is as wide as a ball and a half; the model needs neither */
typedef struct { double D, R, bore, outside, half; } sizes;
static sizes sizes_of(const take *r)
{
  return (sizes){dimension(r, "D"), dimension(r, "dm")/2, dimension(r, "bore")/2, dimension(r, "outside")/2, dimension(r, "width")/2};
}

/* with: which part, 1 for the exploded view; else seen along the axis, the balls where they are at the start */
enum { OUTER, CAGE, BALLS, INNER };
static void part(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "s1");
  if (!r) return;
  sizes s = sizes_of(r);
  int which = (int)c->with[0], exploded = (int)c->with[1];
  double z = exploded ? (which - 1.5)*26 : 0, bare = s.D/6;
  if (which == BALLS && !exploded)
    for (int i = 0; i < 9; i++) circle(to, 1e3*take_row(r, 0)[7*(3 + i)], 1e3*take_row(r, 0)[7*(3 + i) + 1], s.D/2);
  else if (which == BALLS) circle(to, z, s.R, s.D/2), circle(to, z, -s.R, s.D/2);
  else if (which == CAGE && !exploded) circle(to, 0, 0, s.R - 0.5*bare), circle(to, 0, 0, s.R + bare);
  else if (which == CAGE) slab(to, z, 0.75*s.D, s.R - 0.5*bare, s.R + bare);
  else if (which == OUTER && exploded) grooved(to, z, s.half, s.outside, s.R + s.D/3, s.R, s.D/2);
  else if (which == INNER && exploded) grooved(to, z, s.half, s.bore, s.R - s.D/3, s.R, s.D/2);
  else if (which == OUTER) circle(to, 0, 0, s.outside), circle(to, 0, 0, s.R + s.D/3);
  else circle(to, 0, 0, s.bore), circle(to, 0, 0, s.R - s.D/3);
}

/* ---- figure 2: what a step of the method does to q'' = -k q - c q', measured ---- */
static int pull(epi_system *s, double t, const double *q, double *f) { (void)t; f[0] = -((const double *)s->data)[0]*q[0]; return 0; }
static int rub(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)q;
  f[0] -= ((const double *)s->data)[1]*v[0];
  return 0;
}
static int none(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t, (void)q; f[0] = 0; return 0; }

/* trace and determinant of a step of length 1 */
typedef struct { double trace, det; } matrix;
static matrix step_of(double c, double k)
{
  double kc[2] = {k, c}, y[2][2] = {{1, 0}, {0, 1}};
  epi_system a = {.nq = 1, .force = pull, .velocity_force = rub, .data = kc}, b = {.nq = 1, .force = none};
  epi_name names[] = {{.name = "model", .system = &a}, {.name = "a", .system = &a}, {.name = "b", .system = &b}, {0}};
  for (int i = 0; i < 2; i++) {
    epi_flow *f = epi_make_named("semi(a, b, alpha=0.5, beta=0.8)", names);
    if (epi_advance(f, &(epi_state){.y = y[i]}, 1, 1)) y[i][0] = NAN;
    epi_free(f);
  }
  return (matrix){y[0][0] + y[1][1], y[0][0]*y[1][1] - y[0][1]*y[1][0]};
}

/* > 0 beyond the region: growth; > 0 beyond the curve: no oscillation */
static double growth(double c, double k)
{
  matrix m = step_of(c, k);
  double x = m.trace*m.trace/4 - m.det;
  return (x < 0 ? sqrt(m.det) : fabs(m.trace)/2 + sqrt(x)) - 1;
}
static double stiffly(double c, double k) { matrix m = step_of(c, k); return m.trace*m.trace/4 - m.det; }

/* where it changes sign between two values of hc */
static double crossing(double (*f)(double, double), double k, double low, double high)
{
  double at_low = f(low, k);
  if (!(at_low*f(high, k) < 0)) return NAN;
  for (int i = 0; i < 40; i++) {
    double mid = (low + high)/2;
    if (f(mid, k)*at_low > 0) low = mid;
    else high = mid;
  }
  return (low + high)/2;
}

/* with: 0 the right edge, 1 the left one, 2 critical damping */
static void measured(artist *a, const curve *c, points *to)
{
  (void)a;
  for (int i = 1; i < 20; i++) {
    double k = 0.2*i, edge = 2 - k/2, x = c->with[0] == 0 ? crossing(growth, k, 0.6*edge + 1e-3, edge + 1)
                                        : c->with[0] == 1 ? crossing(growth, k, -0.5, 0.4*edge) : crossing(stiffly, k, 1e-6, edge);
    if (isfinite(x)) points_add(to, x, k);
  }
}

/* as the theorem and its corollary say, for alpha = 1/2; with: 0 the triangle, 1 the discrete, 2 the exact critical damping */
static void predicted(artist *a, const curve *c, points *to)
{
  (void)a;
  static const double CORNERS[][2] = {{0, 0}, {2, 0}, {0, 4}, {0, 0}};
  for (int i = 0; c->with[0] == 0 && i < 4; i++) points_add(to, CORNERS[i][0], CORNERS[i][1]);
  for (int i = 0; c->with[0] > 0 && i <= 80; i++) {
    double k = 4*(i/80.)*(i/80.), x = 2*sqrt(k) - (c->with[0] < 2 ? k : 0);
    points_add(to, x, k);
  }
}

/* ---- figure 3 and those of errors ---- */
/* with: 1/h are 2, 4, ... times 25; the error of x and y over all steps to t = 2, of a softer rod so that the order shows */
static void rod_errors(artist *a, const curve *c, points *to)
{
  (void)a;
  static const motion TRUTH = {.name = "truth", .model = "spring-pendulum(kB=10)",
                               .flow = "substeps(symmetric(verlet, order=8), 4)", .step = 0.0025, .steps = 800};
  take *truth = take_make(&TRUTH);
  for (int i = 5; i >= 0; i--) {
    motion m = {.name = "steps", .model = "spring-pendulum(kB=10)", .flow = c->run, .step = 0.08/(1 << i), .steps = 25L << i};
    take *r = take_make(&m);
    double worst = r->failure || truth->failure ? NAN : 0;
    for (int k = 0; k < r->n && !isnan(worst); k++) {
      int at = take_at(truth, r->t[k]);
      for (int j = 0; j < 2; j++) worst = at < 0 ? NAN : fmax(worst, fabs(take_row(r, k)[j] - take_row(truth, at)[j]));
    }
    if (worst > 0) points_add(to, m.step, worst);
    takes_free(r);
  }
  takes_free(truth);
}

/* ---- the table of 6.3 ---- */
/* a number that the claims have computed already, or computed now; NaN: not to be had */
static double number_of(artist *a, const motion *m, const motion *truth, const char *what)
{
  for (int i = 0; i < a->paper->nevidence; i++) {
    const evidence *e = &a->paper->evidence[i];
    if (e->run == m && !strcmp(e->measure, what) && e->computed > 0) return e->computed;
  }
  evidence e = {.measure = what, .run = m, .truth = truth};
  semi_compute(&e);
  double x = e.failure || e.absent ? NAN : e.computed;
  free(e.failure);
  return x;
}

static void effort(artist *a, const motion *m, const char *count, points *to)
{
  double error = number_of(a, m, artist_motion(a, "s3-truth"), "rms Qo"), n = number_of(a, m, NULL, count);
  if (isfinite(error) && isfinite(n)) points_add_sorted(to, n, error);
}

/* with: 0 the method, 1 with the velocity ahead */
static void efforts(artist *a, const curve *c, points *to)
{
  static const double STEPS[][4] = {{5e-7, 1e-6, 2e-6, 4e-6}, {5e-7, 1e-6, 1.5e-6, 2.5e-6}};
  int ahead = (int)c->with[0];
  for (int i = 0; i < 4; i++)
    effort(a, &(motion){.name = "s3", .model = S3, .flow = c->run, .step = STEPS[ahead][i], .end = 6e-4}, "evaluations", to);
}

static void efforts_of_bdf(artist *a, const curve *c, points *to)
{
  static const char *const RUNS[] = {"s3-cvode-1e-4", "s3-cvode-1e-5", "s3-cvode-1e-7"};
  (void)c;
  for (int i = 0; i < 3; i++) {
    const motion *m = artist_motion(a, RUNS[i]);
    if (m) effort(a, m, "evaluations-12", to);
  }
}

#define VARIABLES(of) \
  {.run = of, .x = "t", .y = "q1", .name = "q1", .colour = PLOT_BLUE}, \
  {.run = of, .x = "t", .y = "q2", .name = "q2", .colour = PLOT_ORANGE}, \
  {.run = of, .x = "t", .y = "v1", .name = "velocities", .colour = PLOT_BLUE, .style = PLOT_DASHED}, \
  {.run = of, .x = "t", .y = "v2", .colour = PLOT_ORANGE, .style = PLOT_DASHED}
#define OSCILLATORS(words, of) {.title = words, .x = "time t", .y = "q and its rate", .across = {0, 50}, .up = {-1.2, 1.2}, \
                                .curve = {VARIABLES(of)}}
#define ROD(words, of, hue) {.title = words, .x = "time t", .y = "error of x", .across = {0, 10}, .up = {-0.06, 0.06}, .curve = { \
  {.run = of, .minus = "rod-exact", .x = "t", .y = "x", .colour = hue, .style = PLOT_THIN}}}
#define MISS(words, of, hue) {.title = words, .x = "time t", .y = "|q|&#178; " MINUS " 1", .across = {0, 10}, .up = {-0.022, 0.022}, \
                              .curve = { \
  {.run = of, .x = "t", .y = "g", .colour = hue, .style = PLOT_THIN}}}
#define SIGNAL(words, unit, of, series, hue, ...) {.title = words, .x = "time t (s)", .y = unit, .across = {0, 6e-4}, .up = {__VA_ARGS__}, \
                                                   .curve = { \
  {.run = of, .x = "t", .y = series, .colour = hue}}}
#define SIGNALS(bdf, method, Q, P, W) \
  SIGNAL("BDF: ball 1 on the outer ring", "force (N)", bdf, "Qo", PLOT_ORANGE, Q), \
  SIGNAL("the method, h = 1e-6 s", "force (N)", method, "Qo", PLOT_BLUE, Q), \
  SIGNAL("BDF: ball 1 on the cage", "force (N)", bdf, "Qpocket", PLOT_ORANGE, P), \
  SIGNAL("the method", "force (N)", method, "Qpocket", PLOT_BLUE, P), \
  SIGNAL("BDF: cage", "speed (rad/s)", bdf, "cage-speed", PLOT_ORANGE, W), \
  SIGNAL("the method", "speed (rad/s)", method, "cage-speed", PLOT_BLUE, W)
#define COMMA(a, b) a, b
#define PART(which, view, words, hue) {.make = part, .with = {which, view}, .name = words, .colour = hue}

static const drawing DRAWINGS[] = {
  {.name = "fig-1", .about = "the bearing, along its axis and taken apart", .columns = 2, .width = 400, .height = 400, .pane = {
    {.title = "6206, along the axis", .x = "x (mm)", .y = "y (mm)", .across = {-36, 36}, .up = {-36, 36}, .curve = {
      PART(OUTER, 0, "outer ring", PLOT_BLUE), PART(CAGE, 0, "cage", PLOT_BROWN),
      PART(BALLS, 0, "balls", PLOT_BLACK), PART(INNER, 0, "inner ring", PLOT_GREEN)}},
    {.title = "sections, taken apart along the axis", .x = "z (mm)", .y = "r (mm)", .across = {-52, 52}, .up = {-52, 52}, .curve = {
      PART(OUTER, 1, "outer ring", PLOT_BLUE), PART(CAGE, 1, "cage", PLOT_BROWN),
      PART(BALLS, 1, "balls", PLOT_BLACK), PART(INNER, 1, "inner ring", PLOT_GREEN)}}}},
  {.name = "fig-2", .about = "region of stability and critical damping, as proved and as measured on the method",
   .columns = 1, .width = 420, .height = 440, .pane = {
    {.title = "q'' = " MINUS "k q " MINUS " c q', " ALPHA " = 1/2", .x = "h c", .y = "h&#178; k",
     .across = {-0.2, 2.4}, .up = {-0.3, 4.4}, .curve = {
      {.make = predicted, .with = {0}, .name = "region (7)", .colour = PLOT_BLACK},
      {.make = predicted, .with = {1}, .name = "critical damping of the method", .colour = PLOT_BLUE},
      {.make = predicted, .with = {2}, .name = "of the exact flow", .colour = PLOT_BLUE, .style = PLOT_DASHED},
      {.make = measured, .with = {0}, .name = "measured", .colour = PLOT_ORANGE, .style = PLOT_MARKS},
      {.make = measured, .with = {1}, .colour = PLOT_ORANGE, .style = PLOT_MARKS},
      {.make = measured, .with = {2}, .colour = PLOT_ORANGE, .style = PLOT_MARKS}}}}},
  {.name = "fig-3", .about = "two masses nearly glued: positions and velocities, steps of 1", .columns = 1, .width = 640, .height = 120,
   .pane = {
    OSCILLATORS("exact", "osc-exact"), OSCILLATORS("the method, " ALPHA " = 1/2, " BETA " = 0.8", "osc"),
    OSCILLATORS(THETA " method, " THETA " = 1/2", "osc-theta-half"), OSCILLATORS(THETA " method, " THETA " = 0.8", "osc-theta-0.8")}},
  {.name = "fig-4", .about = "a pendulum on a stiff spring: error of x, steps of 0.01", .columns = 1, .width = 640, .height = 140, .pane = {
    ROD("the method, " ALPHA " = 1/2, " BETA " = 0.6", "rod", PLOT_BLUE),
    ROD(THETA " = 1/2", "rod-theta-half", PLOT_ORANGE), ROD(THETA " = 0.6", "rod-theta-0.6", PLOT_GREEN)}},
  {.name = "fig-5", .about = "the same: error of the constraint", .columns = 1, .width = 640, .height = 140, .pane = {
    MISS("the method, " ALPHA " = 1/2, " BETA " = 0.6", "rod", PLOT_BLUE),
    MISS(THETA " = 1/2", "rod-theta-half", PLOT_ORANGE), MISS(THETA " = 0.6", "rod-theta-0.6", PLOT_GREEN)}},
  {.name = "fig-6", .about = "the bearing after a shock, on wavy races: forces of a ball, speed of the cage",
   .columns = 2, .width = 400, .height = 150, .pane = {
    SIGNALS("s3-bdf", "s3", COMMA(0, 800), COMMA(0, 80), COMMA(405, 440))}},
  {.name = "fig-6-quiet", .about = "the same from the equilibrium under its load", .columns = 2, .width = 400, .height = 150, .pane = {
    SIGNALS("s1-bdf", "s1", COMMA(370, 392), COMMA(0, 30), COMMA(405, 430))}},
  {.name = "table-6.3", .about = "the table as curves: error of the ball's force against evaluations of the contacts",
   .columns = 1, .width = 480, .height = 340, .pane = {
    {.title = "600 " MICRO "s after a shock, on wavy races", .x = "evaluations of the contact forces",
     .y = "relative rms error of ball 1 on the outer ring",
     .log = X_LOG | Y_LOG, .curve = {
      {.make = efforts, .run = SEMI("0.5", "0.8"), .with = {0}, .name = "the method", .colour = PLOT_BLUE, .style = PLOT_MARKED},
      {.make = efforts, .run = AHEAD, .with = {1}, .name = "velocity ahead", .colour = PLOT_GREEN, .style = PLOT_MARKED},
      {.make = efforts_of_bdf, .name = "BDF, a Jacobian as 12", .colour = PLOT_ORANGE, .style = PLOT_MARKED}}}}},
  {.name = "theorem-2", .about = "not in the paper: the orders of theorem 2 on a pendulum with a softer spring",
   .columns = 1, .width = 480, .height = 340, .pane = {
    {.title = "largest error of the position to t = 2, kB = 10", .x = "step h", .y = "error", .log = X_LOG | Y_LOG, .curve = {
      {.make = rod_errors, .run = SEMI("0.5", "0.5"), .name = BETA " = 0.5", .colour = PLOT_BLUE, .style = PLOT_MARKED, .order = 9},
      {.make = rod_errors, .run = SEMI("0.5", "0.6"), .name = BETA " = 0.6", .colour = PLOT_GREEN, .style = PLOT_MARKED, .order = 9},
      {.make = rod_errors, .run = SEMI("0.5", "0.8"), .name = BETA " = 0.8", .colour = PLOT_ORANGE, .style = PLOT_MARKED, .order = 9},
      {.make = rod_errors, .run = "theta(theta=0.5, form=leg)", .name = THETA " = 1/2", .colour = PLOT_GREY, .style = PLOT_DASHED,
       .order = 9}}}}},
};

const album FIGURES_SEMI = {
  .paper = "semi-explicit", .drawing = DRAWINGS, .n = sizeof DRAWINGS/sizeof *DRAWINGS, .motion = MOTIONS,
  .remark = "the bearing of the paper and its start are not published: this one is a 6206, from a shock (6) and from equilibrium\n"
            "  (6-quiet), for 600 us; BDF begins anew at each of 120 rows; figure 2 is for alpha = 1/2, which the paper does not say; "
            "shoulders and\n  cage of figure 1 are of no dimension of the model",
};
