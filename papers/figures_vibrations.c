/* figures_vibrations.c - heterogeneous multiscale methods for mechanical systems with vibrations: its figures, and its tables as
 * pictures */
#include "figures.h"

/* figures 2.2 and 2.3 are sketches of the two algorithms; here they are runs, with few periods so that these can be seen */
enum { PERIODS = 8, STEPS = 24 };
static const double SKETCH_W = 1000;
#define SKETCH "inverted-pendulum(w=1000)"

static const motion MOTIONS[] = {
  {.name = "fast", .model = "inverted-pendulum(w=200)", .flow = "symmetric(verlet, order=8)", .step = 0.00078539816339744833,
   .steps = 1280},
  /* begins where (2.4) puts the slow angle of a pendulum at rest at 0.5: Q - vmax/(w l) sin Q = 0.5 */
  {.name = "slow", .model = "averaged-pendulum(q0=0.552485)", .flow = "symmetric(verlet, order=8)", .step = 0.005, .end = 1.01},
  {.name = "sketch", .model = SKETCH,
   .flow = "leapfrog-predicted(hmm(verlet, kernel=exp5, periods=40, steps=24, start=lift, phase=running))", .step = 0.1, .end = 0.4},
  {.name = "asynchronous", .model = SKETCH, .flow = "leapfrog-predicted(hmm(verlet, kernel=exp5, periods=40, steps=24, even=1))",
   .step = 0.1, .end = 0.4},
  {.name = "averaged", .model = "averaged-pendulum", .flow = "symmetric(verlet, order=8)", .step = 0.005, .end = 0.45},
  {.name = "H80", .model = "double-pendulum(w=1e4)",
   .flow = "verlet(hmm(verlet, kernel=box, periods=1, steps=32, even=1))", .step = 1./80, .steps = 80},
  {.name = "H160", .model = "double-pendulum(w=1e4)",
   .flow = "verlet(hmm(verlet, kernel=box, periods=1, steps=64, even=1))", .step = 1./160, .steps = 160},
  {.name = "fine", .model = "double-pendulum(w=1e8)",
   .flow = "verlet(hmm(verlet, kernel=box, periods=1, steps=512, even=1))", .step = 1./1280, .steps = 1280},
  {0}
};

/* the pivot's phase at a macro point, and the velocity that is enslaved to the slow one there */
static void synchronous(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "sketch");
  for (int k = 0; r && k < r->n; k++) {
    const double *y = take_row(r, k);
    double theta = SKETCH_W*r->t[k], v;
    epi_system *s = &r->c->system;
    if (s->phase.lift(s, r->t[k], theta, y, y + 1, &v)) continue;
    window_add(&(window){.of = r, .row = k, .coordinate = (int)c->with[0], .flow = "verlet", .theta = theta, .v = &v, .at = r->t[k],
                         .h = 6.283185307179586/SKETCH_W/STEPS, .before = PERIODS/2*STEPS, .after = PERIODS/2*STEPS}, to);
  }
}

/* always from rest, from time and phase 0, and forward: the rest is its mirror image */
static void asynchronous(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "asynchronous");
  static const double rest[1] = {0};
  if (r) window_add(&(window){.of = r, .row = (int)c->with[0], .coordinate = 1, .flow = "verlet", .v = rest,
                              .h = 6.283185307179586/SKETCH_W/STEPS, .after = PERIODS/2*STEPS}, to);
}

/* dotted lines down from the macro points */
static void plumbs(artist *a, const curve *c, points *to)
{
  const take *r = artist_take(a, "sketch");
  for (int k = 0; r && k < r->n; k++) {
    points_add(to, r->t[k], c->with[0]);
    points_add(to, r->t[k], c->with[1]);
    points_lift(to);
  }
}

/* more: a frequency that table 2.3 alone has */
#define SLOWER \
    {.table = "2.3", .column = "w=1e3", .name = OMEGA " = 1e3", .colour = PLOT_RED, .style = PLOT_MARKED, .order = 4}, \
    {.table = "2.3", .column = "w=1e3", .y = "published", .colour = PLOT_RED, .style = PLOT_RINGS},
#define SLOWER_WORK {.table = "2.3", .column = "w=1e3", .over = "micro-steps", .name = OMEGA " = 1e3", .colour = PLOT_RED, \
                     .style = PLOT_MARKED},
#define NOTHING
#define ERRORS(of, more, work) \
  {.title = "largest error of the averaged angle to t = 1", .x = "macro-step H (s)", .y = "error (rad)", .log = X_LOG | Y_LOG, \
   .curve = { more \
    {.table = of, .column = "w=1e4", .name = OMEGA " = 1e4", .colour = PLOT_BLUE, .style = PLOT_MARKED, .order = 4}, \
    {.table = of, .column = "w=1e6", .name = OMEGA " = 1e6", .colour = PLOT_ORANGE, .style = PLOT_MARKED, .order = 4}, \
    {.table = of, .column = "w=1e8", .name = OMEGA " = 1e8", .colour = PLOT_GREEN, .style = PLOT_MARKED, .order = 4}, \
    {.table = of, .column = "averaged", .name = "averaged equation", .colour = PLOT_GREY, .style = PLOT_DASHED, .order = 4}, \
    {.table = of, .column = "w=1e4", .y = "published", .name = "printed", .colour = PLOT_BLUE, .style = PLOT_RINGS}, \
    {.table = of, .column = "w=1e6", .y = "published", .colour = PLOT_ORANGE, .style = PLOT_RINGS}, \
    {.table = of, .column = "w=1e8", .y = "published", .colour = PLOT_GREEN, .style = PLOT_RINGS}, \
    {.table = of, .column = "averaged", .y = "published", .colour = PLOT_GREY, .style = PLOT_RINGS}}}, \
  {.title = "the same against work", .x = "micro-steps", .y = "error (rad)", .log = X_LOG | Y_LOG, .curve = { work \
    {.table = of, .column = "w=1e4", .over = "micro-steps", .name = OMEGA " = 1e4", .colour = PLOT_BLUE, .style = PLOT_MARKED}, \
    {.table = of, .column = "w=1e6", .over = "micro-steps", .name = OMEGA " = 1e6", .colour = PLOT_ORANGE, .style = PLOT_MARKED}, \
    {.table = of, .column = "w=1e8", .over = "micro-steps", .name = OMEGA " = 1e8", .colour = PLOT_GREEN, .style = PLOT_MARKED}}},

#define ROW(words, series, ...) \
  {.title = words ", H = 1/80 s", .x = "time t (s)", .y = words, .across = {0, 1}, .up = {__VA_ARGS__}, .curve = { \
    {.run = "fine", .x = "t", .y = series, .colour = PLOT_LIGHT, .name = "H = 1/1280"}, \
    {.run = "H80", .x = "t", .y = series, .colour = PLOT_BLUE, .name = "H = 1/80"}}}, \
  {.title = words ", H = 1/160 s", .x = "time t (s)", .y = words, .across = {0, 1}, .up = {__VA_ARGS__}, .curve = { \
    {.run = "fine", .x = "t", .y = series, .colour = PLOT_LIGHT, .name = "H = 1/1280"}, \
    {.run = "H160", .x = "t", .y = series, .colour = PLOT_ORANGE, .name = "H = 1/160"}}},

static const drawing DRAWINGS[] = {
  {.name = "fig-2.1", .about = "the vibrated pendulum, w = 200, and the averaged one", .columns = 2, .width = 400, .height = 260, .pane = {
    {.title = "angle, " OMEGA " = 200", .x = "time t (s)", .y = "q, Q (rad)", .across = {0, 1}, .curve = {
      {.run = "fast", .x = "t", .y = "q", .name = "vibrated, q", .colour = PLOT_BLUE},
      {.run = "slow", .x = "t", .y = "q", .name = "averaged, Q", .colour = PLOT_ORANGE, .style = PLOT_DASHED}}},
    {.title = "angular velocity", .x = "time t (s)", .y = "p, P (rad/s)", .across = {0, 1}, .curve = {
      {.run = "fast", .x = "t", .y = "v", .name = "vibrated, p", .colour = PLOT_BLUE},
      {.run = "slow", .x = "t", .y = "v", .name = "averaged, P", .colour = PLOT_ORANGE, .style = PLOT_DASHED}}},
  }},
  {.name = "fig-2.2", .about = "the synchronous algorithm: macro-steps, and the windows in which it works",
   .columns = 1, .width = 700, .height = 150, .pane = {
    {.title = "macro-integration: Q at steps of H = 0.1", .x = "time t (s)", .y = "angle Q (rad)",
     .across = {-0.05, 0.45}, .up = {-0.6, 0.6}, .curve = {
      {.make = plumbs, .with = {-0.6, 0.6}, .colour = PLOT_GREY, .style = PLOT_DOTTED},
      {.run = "averaged", .x = "t", .y = "q", .name = "averaged equation", .colour = PLOT_LIGHT},
      {.run = "sketch", .x = "t", .y = "q", .name = "macro-steps", .colour = PLOT_ORANGE, .style = PLOT_MARKED}}},
    {.title = "micro-integration: p in windows about the same times, " OMEGA " = 1000", .x = "time t (s)", .y = "velocity p (rad/s)",
     .across = {-0.05, 0.45}, .up = {-17, 17}, .curve = {
      {.make = plumbs, .with = {-17, 17}, .colour = PLOT_GREY, .style = PLOT_DOTTED},
      {.make = synchronous, .with = {1}, .colour = PLOT_BLUE, .style = PLOT_THIN}}},
  }},
  {.name = "fig-2.3", .about = "the asynchronous algorithm: all windows begin at rest, at time and phase 0",
   .columns = 1, .width = 700, .height = 150, .pane = {
    {.title = "macro-integration: Q at steps of H = 0.1", .x = "time t (s)", .y = "angle Q (rad)",
     .across = {-0.05, 0.45}, .up = {-0.6, 0.6}, .curve = {
      {.make = plumbs, .with = {-0.6, 0.6}, .colour = PLOT_GREY, .style = PLOT_DOTTED},
      {.run = "averaged", .x = "t", .y = "q", .name = "averaged equation", .colour = PLOT_LIGHT},
      {.run = "asynchronous", .x = "t", .y = "q", .name = "macro-steps", .colour = PLOT_ORANGE, .style = PLOT_MARKED}}},
    {.title = "micro-integration: half windows, " OMEGA " = 1000; there is no run over t", .x = "time of the window (s)",
     .y = "velocity p (rad/s)",
     .curve = {
      {.make = asynchronous, .with = {0}, .name = "step 0", .colour = PLOT_BLUE, .style = PLOT_THIN},
      {.make = asynchronous, .with = {1}, .name = "step 1", .colour = PLOT_GREEN, .style = PLOT_THIN},
      {.make = asynchronous, .with = {2}, .name = "step 2", .colour = PLOT_RED, .style = PLOT_THIN},
      {.make = asynchronous, .with = {3}, .name = "step 3", .colour = PLOT_VIOLET, .style = PLOT_THIN}}},
  }},
  {.name = "fig-4.1", .about = "the double pendulum: angles and multipliers with two macro-steps",
   .columns = 2, .width = 400, .height = 130, .pane = {
    ROW("q1 (rad)", "q1", -1, 1)
    ROW("q2 (rad)", "q2", -2, 2.2)
    ROW(LAMBDA "1", "lambda1", -1.3, 0.1)
    ROW(LAMBDA "2", "lambda2", -2.7, 0.2)
  }},
  {.name = "table-2.1", .about = "table 2.1 as curves: synchronous, exponential kernel",
   .columns = 2, .width = 400, .height = 320, .pane = { ERRORS("2.1", NOTHING, NOTHING) }},
  {.name = "table-2.2", .about = "table 2.2: asynchronous, exponential kernel",
   .columns = 2, .width = 400, .height = 320, .pane = { ERRORS("2.2", NOTHING, NOTHING) }},
  {.name = "table-2.3", .about = "table 2.3: asynchronous, simple filter",
   .columns = 2, .width = 400, .height = 320, .pane = { ERRORS("2.3", SLOWER, SLOWER_WORK) }},
  {.name = "double-pendulum", .about = "not in the paper: the errors of figure 4.1 against the macro-step",
   .columns = 1, .width = 460, .height = 320, .pane = {
    {.title = "double pendulum, " OMEGA " = 1e8, largest error to t = 1", .x = "macro-step H (s)", .y = "error (rad)",
     .log = X_LOG | Y_LOG, .curve = {
      {.table = "double-pendulum", .column = "q1", .name = "q1", .colour = PLOT_BLUE, .style = PLOT_MARKED, .order = 9},
      {.table = "double-pendulum", .column = "q2", .name = "q2", .colour = PLOT_ORANGE, .style = PLOT_MARKED, .order = 9}}},
  }},
};

const album FIGURES_VIBRATIONS = {
  .paper = "vibrations", .drawing = DRAWINGS, .n = sizeof DRAWINGS/sizeof *DRAWINGS, .motion = MOTIONS,
  .remark = "figure 2.1 has the pivot at phase 0, which the paper does not say; 2.2 and 2.3 are sketches there and runs with w = 1000 "
            "here;\n  the grey curves of 4.1 are not in the paper",
};
