/* figures_stiff.c - multiscale methods for stiff and constrained mechanical systems: its figures, and its tables as pictures */
#include "figures.h"
#include <math.h>
#include <string.h>

/* ode45 with its default tolerances on the underlying system, and with 1e-6 on the stiff one; both seen every 0.25 */
#define CODE "tolerance(watch(dopri5(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)), see=note, every=0.25), " \
  "rtol=1e-3, atol=1e-6, controller=ode45, first=0.25)"
#define TRUTH "tolerance(watch(dopri5, see=note, every=0.25), rtol=1e-6, atol=1e-9, controller=ode45, first=0.25)"

/* the averaged start, which is where HMM begins */
#define BEGIN "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)))"

static const motion MOTIONS[] = {
  {.name = "i-start", .model = "stiff-springs(w2=500)", .flow = BEGIN, .step = 1e-9, .steps = 1},
  {.name = "ii-start", .model = "stiff-springs(case=ii)", .flow = BEGIN, .step = 1e-9, .steps = 1},
  {.name = "iii-start", .model = "stiff-springs(case=iii)", .flow = BEGIN, .step = 1e-9, .steps = 1},
  {.name = "i", .model = "stiff-springs(w2=500)", .flow = "project(" CODE ")", .step = 10, .end = 10},
  {.name = "i-truth", .model = "stiff-springs(w2=500)", .flow = TRUTH, .step = 10, .end = 10},
  {.name = "ii", .model = "stiff-springs(case=ii)", .flow = "project(" CODE ")", .step = 10, .end = 10},
  {.name = "ii-truth", .model = "stiff-springs(case=ii)", .flow = TRUTH, .step = 10, .end = 10},
  {.name = "iii", .model = "stiff-springs(case=iii)", .flow = "project(" CODE ")", .step = 10, .end = 10},
  {.name = "iii-projected", .model = "stiff-springs(case=iii)", .flow = "project(" CODE ", every=1)", .step = 10, .end = 10},
  {.name = "iii-truth", .model = "stiff-springs(case=iii)", .flow = TRUTH, .step = 10, .end = 10},
  {0}
};

/* x1 y1 x2 y2 vx1 vy1 vx2 vy2 */
static double centre(const take *r, int k) { const double *y = take_row(r, k); return (y[4] + y[6])/2; }
static double first_length(const take *r, int k) { const double *y = take_row(r, k); return hypot(y[0], y[1]); }
static double second_length(const take *r, int k) { const double *y = take_row(r, k); return hypot(y[2] - y[0], y[3] - y[1]); }

static const trace TRACES[] = {{"centre", centre}, {"r1", first_length}, {"r12", second_length}, {0}};

static void slow(artist *a, const curve *c, points *to)
{
  static const struct { const char *run, *start; } STARTS[] = {
    {"i", "i-start"}, {"ii", "ii-start"}, {"iii", "iii-start"}, {"iii-projected", "iii-start"},
  };
  const take *r = artist_take(a, c->run), *start = NULL;
  for (size_t i = 0; i < sizeof STARTS/sizeof *STARTS; i++) if (!strcmp(STARTS[i].run, c->run)) start = artist_take(a, STARTS[i].start);
  if (!r || !start) return;
  points_add(to, artist_value(a, start, c->x, 1), artist_value(a, start, c->y, 1));
  for (int k = 1; k < r->n; k++) points_add(to, artist_value(a, r, c->x, k), artist_value(a, r, c->y, k));
}

/* HMM as lines, the stiff system as dots */
#define BOTH(hmm, truth, X, Y, words, line_colour, dot_colour) \
  {.make = slow, .run = hmm, .x = X, .y = Y, .name = words ", HMM", .colour = line_colour}, \
  {.run = truth, .x = X, .y = Y, .name = "stiff system", .colour = dot_colour, .style = PLOT_MARKS}
/* as wide as 1.5 times high: both scales are alike */
#define PLANE(words, hmm, truth, left, low, up_) \
  {.title = words, .x = "x", .y = "y", .across = {left, left + 1.5*(up_ - low)}, .up = {low, up_}, .curve = { \
    BOTH(hmm, truth, "x1", "y1", "mass 1", PLOT_BLUE, PLOT_BLUE), BOTH(hmm, truth, "x2", "y2", "mass 2", PLOT_ORANGE, PLOT_ORANGE)}}
#define OF(w, of) {.table = "1", .column = "H=" of, .name = "H = " of, .style = PLOT_MARKED, .colour = w}
#define STEPS_OF(words, of, hue) {.table = "2", .column = of, .name = words, .colour = hue, .style = PLOT_MARKED}

static void errors_of(artist *, const curve *, points *);
#define AGAINST_H(w, hue) {.make = errors_of, .with = {w}, .name = OMEGA "2 = " #w, .colour = hue, .style = PLOT_MARKED, .order = 3}

static const drawing DRAWINGS[] = {
  {.name = "fig-1", .about = "case (i), second spring hard: the two masses in the plane", .columns = 1, .width = 570, .height = 380,
   .pane = {
    PLANE(OMEGA "1 = 1, " OMEGA "2 = 500, to t = 10", "i", "i-truth", -1.15, -0.65, 1.65)}},
  {.name = "fig-2", .about = "the same: horizontal velocities", .columns = 1, .width = 640, .height = 200, .pane = {
    {.title = "centre of mass", .x = "time t", .y = "velocity", .across = {0, 10}, .curve = {
      BOTH("i", "i-truth", "t", "centre", "(vx1 + vx2)/2", PLOT_GREEN, PLOT_GREEN)}},
    {.title = "the masses", .x = "time t", .y = "velocity", .across = {0, 10}, .curve = {
      BOTH("i", "i-truth", "t", "vx1", "vx1", PLOT_BLUE, PLOT_BLUE), BOTH("i", "i-truth", "t", "vx2", "vx2", PLOT_ORANGE, PLOT_ORANGE)}}}},
  {.name = "fig-3", .about = "case (ii), first spring hard: the two masses in the plane", .columns = 1, .width = 570, .height = 380,
   .pane = {
    PLANE(OMEGA "1 = 500, " OMEGA "2 = 1, to t = 10", "ii", "ii-truth", -1.65, -2.1, 1)}},
  {.name = "fig-4", .about = "the same: lengths of the springs", .columns = 1, .width = 640, .height = 200, .pane = {
    {.title = "first spring, hard", .x = "time t", .y = "length",
     .across = {0, 10}, .curve = {BOTH("ii", "ii-truth", "t", "r1", "r1", PLOT_BLUE, PLOT_BLUE)}},
    {.title = "second spring, soft", .x = "time t", .y = "length",
     .across = {0, 10}, .curve = {BOTH("ii", "ii-truth", "t", "r12", "r12", PLOT_ORANGE, PLOT_ORANGE)}}}},
  {.name = "fig-5", .about = "case (iii), both springs hard: it drifts off from about t = 2 on",
   .columns = 1, .width = 570, .height = 380, .pane = {
    PLANE(OMEGA "1 = " OMEGA "2 = 500, to t = 10", "iii", "iii-truth", -1.1, -0.9, 1.3)}},
  {.name = "fig-6", .about = "the same, projected onto the constraints every 1", .columns = 1, .width = 570, .height = 380, .pane = {
    PLANE(OMEGA "1 = " OMEGA "2 = 500, projected at t = 1, 2, ... 9", "iii-projected", "iii-truth", -0.4, -0.6, 1.2)}},
  {.name = "table-1", .about = "table 1 as curves: case (i), errors against the macro-step", .columns = 2, .width = 440, .height = 380,
   .pane = {
    {.title = "largest error of the positions to t = 10", .x = "macro-step H (orders: of the three longest)", .y = "error",
     .log = X_LOG | Y_LOG, .curve = {
      AGAINST_H(200, PLOT_BLUE), AGAINST_H(500, PLOT_ORANGE), AGAINST_H(1000, PLOT_GREEN), AGAINST_H(2000, PLOT_RED),
      AGAINST_H(5000, PLOT_VIOLET),
      AGAINST_H(10000, PLOT_BROWN), AGAINST_H(20000, PLOT_TEAL)}},
    {.title = "the same against the stiffness", .x = OMEGA "2", .y = "error", .log = X_LOG | Y_LOG, .curve = {
      OF(PLOT_BLUE, "1"), OF(PLOT_ORANGE, "1/4"), OF(PLOT_GREEN, "1/32"),
      {.table = "1", .column = "ode45", .name = "ode45", .colour = PLOT_RED, .style = PLOT_MARKED},
      {.table = "1", .column = "H=1", .y = "published", .name = "printed", .colour = PLOT_BLUE, .style = PLOT_RINGS},
      {.table = "1", .column = "H=1/4", .y = "published", .colour = PLOT_ORANGE, .style = PLOT_RINGS},
      {.table = "1", .column = "H=1/32", .y = "published", .colour = PLOT_GREEN, .style = PLOT_RINGS},
      {.table = "1", .column = "ode45", .y = "published", .colour = PLOT_RED, .style = PLOT_RINGS}}}}},
  {.name = "table-2", .about = "table 2: steps of ode45, direct and with HMM", .columns = 1, .width = 520, .height = 340, .pane = {
    {.title = "steps of ode45 to t = 10", .x = OMEGA "2", .y = "steps", .log = X_LOG | Y_LOG, .curve = {
      STEPS_OF("direct, accepted", "direct accepted", PLOT_BLUE), STEPS_OF("direct, refused", "direct refused", PLOT_GREEN),
      STEPS_OF("HMM, accepted", "HMM accepted", PLOT_ORANGE),
      {.table = "2", .column = "direct accepted", .y = "published", .name = "printed", .colour = PLOT_BLUE, .style = PLOT_RINGS},
      {.table = "2", .column = "direct refused", .y = "published", .colour = PLOT_GREEN, .style = PLOT_RINGS},
      {.table = "2", .column = "HMM accepted", .y = "published", .colour = PLOT_ORANGE, .style = PLOT_RINGS}}}}},
  {.name = "case-iii", .about = "not in the paper: the error of figure 6 for other w, with its kernel and with one of less bias",
   .columns = 1, .width = 520, .height = 300, .pane = {
    {.title = "both springs hard, projected every 1", .x = OMEGA "1 = " OMEGA "2", .y = "largest error to t = 10",
     .log = X_LOG | Y_LOG, .curve = {
      {.table = "iii-w", .column = "exp5, as printed", .name = "kernel of the paper", .colour = PLOT_BLUE, .style = PLOT_MARKED},
      {.table = "iii-w", .column = "kaiser, as printed", .name = "Kaiser's", .colour = PLOT_ORANGE, .style = PLOT_MARKED},
      {.table = "iii-w", .column = "kaiser, rtol 1e-7", .name = "Kaiser's, rtol 1e-7", .colour = PLOT_GREEN, .style = PLOT_MARKED},
      {.table = "iii", .column = "positions", .y = "published", .name = "printed", .colour = PLOT_BLUE, .style = PLOT_RINGS}}}}},
};

/* a row of table 1, whose columns are the steps */
static void errors_of(artist *a, const curve *c, points *to)
{
  static const struct { const char *column; double H; } STEPS[] = {
    {"H=1/32", 1./32}, {"H=1/16", 1./16}, {"H=1/8", 1./8}, {"H=1/4", 1./4}, {"H=1/2", 1./2}, {"H=1", 1},
  };
  for (size_t i = 0; i < sizeof STEPS/sizeof *STEPS; i++) {
    const curve one = {.table = "1", .column = STEPS[i].column};
    points p = curve_points(a, NULL, &one);
    for (int k = 0; k < p.n; k++) if (p.x[k] == c->with[0]) points_add(to, STEPS[i].H, p.y[k]);
    points_free(&p);
  }
}

const album FIGURES_STIFF = {
  .paper = "stiff", .drawing = DRAWINGS, .n = sizeof DRAWINGS/sizeof *DRAWINGS, .motion = MOTIONS, .trace = TRACES,
  .remark = "both solutions are seen every 0.25, as in the paper: the fast oscillations are faster than the dots show",
};
