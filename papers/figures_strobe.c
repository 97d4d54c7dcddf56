/* figures_strobe.c - a stroboscopic numerical method for highly oscillatory problems: the pictures of the slides, numbered as they come,
 * and its tables */
#include "figures.h"
#include <math.h>
#include <stdlib.h>

/* l = 0.2, g = 9.8, vmax = 4, theta0 = 2, q(0) = 0.25 and eps = 1/200, as on the slides; 40 steps in a period, 1280 are 32 periods */
enum { A_PERIOD = 40 };
static const double EPSILON = 1./200, TURN = 6.283185307179586, STEP = 0.00078539816339744833;
#define PENDULUM "inverted-pendulum(w=200, theta0=2, q0=0.25)"
#define SMOOTH "rk4(strobe(substeps(rk4, 40), order=6))"
#define DOUBLE "double-pendulum(w=1000, theta0=2)"

static const motion MOTIONS[] = {
  {.name = "fast", .model = PENDULUM, .flow = "rk4", .step = 0.00078539816339744833, .steps = 1280},
  {.name = "smooth", .model = PENDULUM, .flow = SMOOTH, .step = 0.015707963267948967, .steps = 64},
  {.name = "falling", .model = "inverted-pendulum(w=200, theta0=2, q0=0.25, vmax=1e-6)", .flow = "rk4", .step = 0.005, .steps = 201},
  {.name = "fast-2", .model = "inverted-pendulum(w=200, theta0=2, q0=0.1)", .flow = "rk4", .step = 0.00078539816339744833, .steps = 400},
  {.name = "smooth-2", .model = "inverted-pendulum(w=200, theta0=2, q0=0.1)", .flow = SMOOTH, .step = 0.015707963267948967, .steps = 20},
  {.name = "macro", .model = PENDULUM, .flow = SMOOTH, .step = 0.1, .steps = 4},
  {.name = "double", .model = DOUBLE, .flow = "symmetric(verlet, order=8)", .step = 0.00015707963267948966, .steps = 1600},
  {.name = "double-smooth", .model = DOUBLE, .flow = "herk3(strobe(substeps(herk3, 40), order=6))", .step = 0.0015707963267948967,
   .steps = 160},
  {0}
};

/* angles as they go on turning: the observables are of one turn */
static double unwrapped(const take *r, const char *name, int k)
{
  double x = take_value(r, name, 0);
  for (int i = 1; i <= k; i++) x += remainder(take_value(r, name, i) - take_value(r, name, i - 1), TURN);
  return x;
}
static double turning_1(const take *r, int k) { return unwrapped(r, "q1", k); }
static double turning_2(const take *r, int k) { return unwrapped(r, "q2", k); }

static const trace TRACES[] = {{"angle 1", turning_1}, {"angle 2", turning_2}, {0}};

/* ---- the double pendulum at its start: pivot, rods, masses ---- */
static void rods(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "double");
  (void)c;
  points_add(to, 0, 0);
  for (int i = 0; r && i < 4; i += 2) points_add(to, take_row(r, 0)[i], take_row(r, 0)[i + 1]);
}

/* with: x, y, radius; a mass is as large as it is heavy */
static void disc(points *to, double x, double y, double r)
{
  for (int k = 0; k <= 40; k++) points_add(to, x + r*cos(TURN*k/40), y + r*sin(TURN*k/40));
  points_lift(to);
}

static void masses(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "double");
  for (int i = 0; r && i < 2; i++) disc(to, take_row(r, 0)[2*i], take_row(r, 0)[2*i + 1], 0.06*cbrt(r->c->p[i]));
  (void)c;
}

/* the pivot on its vertical, with arrows */
static void pivot(artist *a, const curve *c, points *to)
{
  (void)a, (void)c;
  static const double LINE[][2] = {
    {-0.006, -0.034}, {0, -0.04}, {0.006, -0.034}, {NAN, NAN}, {0, -0.04}, {0, 0.04}, {NAN, NAN}, {-0.006, 0.034}, {0, 0.04},
    {0.006, 0.034},
  };
  for (size_t i = 0; i < sizeof LINE/sizeof *LINE; i++) points_add(to, LINE[i][0], LINE[i][1]);
  points_lift(to);
  disc(to, 0, 0, 0.006);
}

/* ---- other starts ---- */
/* a smooth solution from the point of a fast one a quarter of a period on: another phase makes another averaged system */
static void shifted(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, c->with[0] > 0 ? "fast-2" : "fast");
  if (!r) return;
  const double *y = take_row(r, A_PERIOD/4), t = r->t[A_PERIOD/4];
  motion m = {.name = "shifted", .flow = SMOOTH, .step = 0.015707963267948967, .steps = 20};
  char *model = text("inverted-pendulum(w=200, theta0=%.17g, q0=%.17g, v0=%.17g)", 2 + TURN/4, y[0], y[1]);
  m.model = model;
  take *s = take_make(&m);
  for (int k = 0; !s->failure && k < s->n; k++) points_add(to, t + s->t[k], take_row(s, k)[0]);
  takes_free(s);
  free(model);
}

/* ---- windows ---- */
/* with: the coordinate, periods to each side */
static void windows(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "macro");
  for (int k = 0; r && k < r->n; k++)
    window_add(&(window){.of = r, .row = k, .coordinate = (int)c->with[0], .flow = "rk4", .theta = 2, .h = STEP, .at = r->t[k],
                         .before = A_PERIOD*(long)c->with[1], .after = A_PERIOD*(long)c->with[1]}, to);
}

static void one_window(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "macro");
  if (r)
    window_add(&(window){.of = r, .row = 0, .coordinate = 0, .flow = "rk4", .theta = 2, .h = STEP, .before = 2*A_PERIOD,
                         .after = 2*A_PERIOD}, to);
  (void)c;
}

/* where the light flashes in it: whole periods from -2 to 2 */
static void flashes(artist *a, const curve *c, points *to)
{
  points all = {0};
  one_window(a, c, &all);
  for (int k = 0; k < all.n; k += A_PERIOD) if (isfinite(all.x[k])) points_add(to, all.x[k], all.y[k]);
  points_free(&all);
}

/* the line of the slope that the differences of order 2 or 4 give */
static void tangent(artist *a, const curve *c, points *to)
{
  points f = {0};
  flashes(a, c, &f);
  if (f.n == 5) {
    double d = TURN*EPSILON, slope = c->with[0] < 4 ? (f.y[3] - f.y[1])/(2*d) : (8*(f.y[3] - f.y[1]) - (f.y[4] - f.y[0]))/(12*d);
    points_add(to, f.x[0], f.y[2] + slope*f.x[0]);
    points_add(to, f.x[4], f.y[2] + slope*f.x[4]);
  }
  points_free(&f);
}

#define EPSILONS(of, k) \
  {.table = of, .column = "eps=1/400", .name = EPS " = 1/400", .colour = PLOT_BLUE, .style = PLOT_MARKED, .order = k}, \
  {.table = of, .column = "eps=1/800", .name = EPS " = 1/800", .colour = PLOT_ORANGE, .style = PLOT_MARKED, .order = k}, \
  {.table = of, .column = "eps=1/1600", .name = EPS " = 1/1600", .colour = PLOT_GREEN, .style = PLOT_MARKED, .order = k}, \
  {.table = of, .column = "eps=1/3200", .name = EPS " = 1/3200", .colour = PLOT_VIOLET, .style = PLOT_MARKED, .order = k}, \
  {.table = of, .column = "eps=1/400", .y = "published", .name = "printed", .colour = PLOT_BLUE, .style = PLOT_RINGS}, \
  {.table = of, .column = "eps=1/800", .y = "published", .colour = PLOT_ORANGE, .style = PLOT_RINGS}, \
  {.table = of, .column = "eps=1/1600", .y = "published", .colour = PLOT_GREEN, .style = PLOT_RINGS}, \
  {.table = of, .column = "eps=1/3200", .y = "published", .colour = PLOT_VIOLET, .style = PLOT_RINGS}
#define ERRORS(of, what, words, k) \
  {.name = "table-" of, .about = "the table as curves: " words, .columns = 1, .width = 520, .height = 380, .pane = { \
    {.title = "largest error of " what " to t = 1, " words, .x = "macro-step H (orders: of the three longest)", .y = "error", \
     .log = X_LOG | Y_LOG, .curve = {EPSILONS(of, k)}}}}
#define STROBED(title_, series, unit) \
  {.title = title_, .x = "time t", .y = unit, .across = {0, 1}, .curve = { \
    {.run = "fast", .x = "t", .y = series, .name = "solution, " EPS " = 1/200", .colour = PLOT_LIGHT}, \
    {.run = "smooth", .x = "t", .y = series, .name = "interpolant, by the method", .colour = PLOT_BLUE}, \
    {.run = "fast", .x = "t", .y = series, .every = A_PERIOD, .name = "every 2" PI EPS, .colour = PLOT_RED, .style = PLOT_MARKS}}}
#define STARTS(words) \
    {.title = words, .x = "time t", .y = "q (rad)", .across = {0, 0.3}, .curve = { \
      {.run = "fast", .x = "t", .y = "q", .name = "solutions", .colour = PLOT_RED, .style = PLOT_THIN}, \
      {.run = "fast-2", .x = "t", .y = "q", .colour = PLOT_RED, .style = PLOT_THIN}, \
      {.run = "smooth", .x = "t", .y = "q", .name = "averaged, from t = 0", .colour = PLOT_BLUE}, \
      {.run = "smooth-2", .x = "t", .y = "q", .colour = PLOT_BLUE}, \
      {.make = shifted, .with = {0}, .name = "averaged, from a quarter of a period on", .colour = PLOT_BLUE, .style = PLOT_DASHED}, \
      {.make = shifted, .with = {1}, .colour = PLOT_BLUE, .style = PLOT_DASHED}}}
#define ANGLE(words, series) \
    {.title = words, .x = "time t", .y = "angle (rad)", .across = {0, 0.25}, .curve = { \
      {.run = "double", .x = "t", .y = series, .name = "solution, " EPS " = 1/1000", .colour = PLOT_LIGHT}, \
      {.run = "double-smooth", .x = "t", .y = series, .name = "interpolant, by the method", .colour = PLOT_BLUE}, \
      {.run = "double", .x = "t", .y = series, .every = A_PERIOD, .name = "every 2" PI EPS, .colour = PLOT_RED, .style = PLOT_MARKS}}}
#define AT(H, hue) {.table = "dae-H", .run = "H=pi/" H, .x = "micro-steps", .name = "H = " PI "/" H, .colour = hue, .style = PLOT_STARS}

static const drawing DRAWINGS[] = {
  {.name = "fig-1", .about = "the upright pendulum, held by vibration, and falling without", .columns = 1, .width = 640, .height = 240,
   .pane = {
    {.title = "pendulum, " EPS " = 1/200", .x = "time t", .y = "angle from upright q (rad)", .across = {0, 1}, .up = {-0.6, 0.9}, .curve = {
      {.run = "fast", .x = "t", .y = "q", .name = "pivot vibrates", .colour = PLOT_BLUE},
      {.run = "falling", .x = "t", .y = "q", .name = "pivot at rest", .colour = PLOT_ORANGE, .style = PLOT_DASHED}}}}},
  {.name = "fig-2", .about = "the double pendulum at its start", .columns = 1, .width = 240, .height = 400, .pane = {
    {.title = "double pendulum at t = 0", .x = "x (m)", .y = "y (m)", .across = {-0.09, 0.15}, .up = {-0.07, 0.33}, .curve = {
      {.make = rods, .colour = PLOT_BLACK},
      {.make = masses, .name = "masses", .colour = PLOT_BLUE, .style = PLOT_AREA},
      {.make = pivot, .name = "vibrated pivot", .colour = PLOT_RED}}}}},
  {.name = "fig-3", .about = "the double pendulum: angles",
   .columns = 1, .width = 640, .height = 200, .pane = {ANGLE("first rod", "angle 1"), ANGLE("second rod", "angle 2")}},
  {.name = "fig-4", .about = "the pendulum in stroboscopic light", .columns = 1, .width = 640, .height = 220, .pane = {
    STROBED("angle", "q", "q (rad)"), STROBED("angular velocity", "v", "p (rad/s)")}},
  {.name = "fig-5", .about = "two starts, and the averaged solutions through them and through later points",
   .columns = 1, .width = 640, .height = 320, .pane = {
    STARTS("solutions of the oscillating and of the averaged system, " EPS " = 1/200")}},
  {.name = "fig-6", .about = "macro-steps, and the micro-integrations that they ask for", .columns = 1, .width = 640, .height = 180,
   .pane = {
    {.title = "macro-integration, H = 0.1", .x = "time t", .y = "Y (rad)", .across = {-0.04, 0.44}, .up = {-0.55, 0.55}, .curve = {
      {.run = "smooth", .x = "t", .y = "q", .name = "smooth interpolant", .colour = PLOT_LIGHT},
      {.run = "macro", .x = "t", .y = "q", .name = "macro-steps", .colour = PLOT_BLUE, .style = PLOT_MARKS}}},
    {.title = "micro-integration: a period to each side, always from phase " THETA "0", .x = "time t", .y = "y (rad)",
     .across = {-0.04, 0.44}, .up = {-0.55, 0.55}, .curve = {
      {.make = windows, .with = {0, 1}, .colour = PLOT_RED},
      {.run = "macro", .x = "t", .y = "q", .colour = PLOT_BLUE, .style = PLOT_MARKS}}}}},
  {.name = "fig-7", .about = "the averaged field by differences over whole periods", .columns = 1, .width = 640, .height = 300, .pane = {
    {.title = "a window about Y*, two periods to each side", .x = "time of the window", .y = "q (rad)", .across = {-0.07, 0.07}, .curve = {
      {.make = one_window, .name = "micro-integration", .colour = PLOT_LIGHT},
      {.make = flashes, .name = "whole periods", .colour = PLOT_RED, .style = PLOT_MARKS},
      {.make = tangent, .with = {2}, .name = "slope, order 2", .colour = PLOT_ORANGE, .style = PLOT_DASHED},
      {.make = tangent, .with = {4}, .name = "slope, order 4", .colour = PLOT_BLUE}}}}},
  {.name = "fig-8", .about = "the double pendulum with constraints: error against micro-steps, H = pi/2500; the stars of both eps coincide",
   .columns = 1, .width = 520, .height = 360, .pane = {
    {.title = "error of the first angle, to t = 2" PI "/25", .x = "micro-steps", .y = "error (rad)", .log = X_LOG | Y_LOG, .curve = {
      {.table = "dae", .column = "eps=1e-4 direct", .x = "accepted", .name = "standard, " EPS " = 1e-4", .colour = PLOT_BLUE,
       .style = PLOT_RINGS},
      {.table = "dae", .column = "eps=1e-4 strobe", .x = "micro-steps", .name = "strobe, " EPS " = 1e-4", .colour = PLOT_BLUE,
       .style = PLOT_STARS},
      {.table = "dae", .column = "eps=1e-6 direct", .x = "accepted", .name = "standard, " EPS " = 1e-6", .colour = PLOT_RED,
       .style = PLOT_RINGS},
      {.table = "dae", .column = "eps=1e-6 strobe", .x = "micro-steps", .name = "strobe, " EPS " = 1e-6", .colour = PLOT_RED,
       .style = PLOT_STARS}}}}},
  {.name = "fig-9", .about = "the same at eps = 1e-6 for four macro-steps", .columns = 1, .width = 520, .height = 360, .pane = {
    {.title = "error of the first angle, " EPS " = 1e-6", .x = "micro-steps", .y = "error (rad)", .log = X_LOG | Y_LOG, .curve = {
      {.table = "dae", .column = "eps=1e-6 direct", .x = "accepted", .name = "standard", .colour = PLOT_RED, .style = PLOT_RINGS},
      AT("625", PLOT_BLUE), AT("1250", PLOT_GREEN), AT("2500", PLOT_ORANGE), AT("5000", PLOT_VIOLET)}}}},
  ERRORS("4-q", "q", "differences of order 4", 3),
  ERRORS("4-p", "p", "differences of order 4", 3),
  ERRORS("2-q", "q", "differences of order 2", 3),
};

static const left_out LEFT_OUT[] = {
  {"the slide behind the table of errors in p", "nothing of it is left in the text that we have, nor does another slide speak of it"},
  {0}
};

const album FIGURES_STROBE = {
  .paper = "stroboscopic", .drawing = DRAWINGS, .n = sizeof DRAWINGS/sizeof *DRAWINGS, .motion = MOTIONS, .trace = TRACES,
  .left_out = LEFT_OUT,
  .remark = "the slides have no numbers: these are of the order in which they come. eps of figures 3 and 5 to 7, their times and second\n"
            "  start are chosen here; 5 to 7 are sketches there and runs here; 8 and 9 go to t = 2 pi/25, for the slides do not\n"
            "  say how far",
};
