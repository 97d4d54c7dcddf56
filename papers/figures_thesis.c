/* figures_thesis.c - the figures of the thesis that show results, drawn again from the runs behind its claims */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const drawing DRAWINGS[] = {
  {.name = "fig-1.1", .about = "the pendulum by implicit and by symplectic Euler",
   .columns = 2, .width = 360, .height = 240, .pane = {
    {.title = "implicit Euler", .x = "time t", .y = "angle q", .across = {0, 30}, .up = {-1.8, 1.8}, .curve = {
      {.run = "ie-long", .x = "t", .y = "q1", .colour = PLOT_ORANGE}}},
    {.title = "symplectic Euler", .x = "time t", .y = "angle q", .across = {0, 30}, .up = {-1.8, 1.8}, .curve = {
      {.run = "se-500", .x = "t", .y = "q1", .colour = PLOT_BLUE}}},
  }},
  {.name = "fig-2.7", .about = "the same in the phase plane",
   .columns = 1, .width = 460, .height = 400, .pane = {
    {.title = "pendulum, h = 0.1", .x = "angle q", .y = "momentum p", .across = {-1.8, 1.8}, .up = {-1.6, 1.6}, .curve = {
      {.run = "pendulum-exact", .x = "q1", .y = "p1", .name = "exact", .colour = PLOT_GREY},
      {.run = "ie", .x = "q1", .y = "p1", .name = "implicit Euler", .colour = PLOT_ORANGE, .style = PLOT_MARKED},
      {.run = "se", .x = "q1", .y = "p1", .name = "symplectic Euler", .colour = PLOT_BLUE, .style = PLOT_MARKS}}},
  }},
  {.name = "fig-2.8", .about = "its energy",
   .columns = 1, .width = 560, .height = 300, .pane = {
    {.title = "pendulum, h = 0.1", .x = "time t", .y = "energy error H &#8722; H(0)", .across = {0, 50}, .curve = {
      {.run = "ie-long", .x = "t", .y = "energy", .name = "implicit Euler", .colour = PLOT_ORANGE},
      {.run = "se-500", .x = "t", .y = "energy", .name = "symplectic Euler", .colour = PLOT_BLUE}}},
  }},
  {.name = "fig-2.9", .about = "its global error",
   .columns = 1, .width = 560, .height = 300, .pane = {
    {.title = "pendulum, h = 0.1", .x = "time t", .y = "global error", .across = {0, 50}, .curve = {
      {.run = "ie-long", .x = "t", .y = "error", .name = "implicit Euler", .colour = PLOT_ORANGE},
      {.run = "se-500", .x = "t", .y = "error", .name = "symplectic Euler", .colour = PLOT_BLUE}}},
  }},
  {.name = "fig-2.10", .about = "its local error",
   .columns = 1, .width = 560, .height = 300, .pane = {
    {.title = "pendulum, h = 0.1", .x = "time t", .y = "local error of a step", .across = {0, 50}, .curve = {
      {.run = "ie-long", .x = "t", .y = "local", .name = "implicit Euler", .colour = PLOT_ORANGE},
      {.run = "se-500", .x = "t", .y = "local", .name = "symplectic Euler", .colour = PLOT_BLUE}}},
  }},
  {.name = "fig-I.1", .about = "an unbalanced rotor by five methods (also figure 2.1)",
   .columns = 1, .width = 640, .height = 120, .pane = {
    {.title = "exact", .x = "time t", .y = "q1", .across = {0, 1000}, .up = {-12, 12}, .curve = {
      {.run = "rotor-midpoint", .x = "t", .y = "exact-q1", .colour = PLOT_GREY}}},
    {.title = "implicit midpoint, geometric, h = 0.2", .x = "time t", .y = "q1", .across = {0, 1000}, .up = {-12, 12}, .curve = {
      {.run = "rotor-midpoint", .x = "t", .y = "q1", .colour = PLOT_BLUE}}},
    {.title = "splitting, geometric", .x = "time t", .y = "q1", .across = {0, 1000}, .up = {-12, 12}, .curve = {
      {.run = "rotor-splitting", .x = "t", .y = "q1", .colour = PLOT_BLUE}}},
    {.title = "implicit extrapolation, not geometric", .x = "time t", .y = "q1", .across = {0, 1000}, .up = {-12, 12}, .curve = {
      {.run = "rotor-extrapolated", .x = "t", .y = "q1", .colour = PLOT_ORANGE}}},
    {.title = "Heun, not geometric", .x = "time t", .y = "q1", .across = {0, 1000}, .up = {-12, 12}, .curve = {
      {.run = "rotor-heun", .x = "t", .y = "q1", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-II.2", .about = "a particle between two walls: largest errors against steps",
   .columns = 1, .width = 560, .height = 420, .pane = {
    {.title = "particle between a soft and a stiff wall", .x = "steps in a unit of time", .y = "largest error", .log = X_LOG | Y_LOG,
     .curve = {
      {.run = "met1-*", .y = "most error-q", .name = "met1, position", .colour = PLOT_BLUE, .style = PLOT_MARKED},
      {.run = "met1-*", .y = "most energy", .name = "energy", .colour = PLOT_BLUE, .style = PLOT_DASHED},
      {.run = "met2-*", .y = "most error-q", .name = "met2, position", .colour = PLOT_GREEN, .style = PLOT_MARKED},
      {.run = "met2-*", .y = "most energy", .name = "energy", .colour = PLOT_GREEN, .style = PLOT_DASHED},
      {.run = "met3-*", .y = "most error-q", .name = "met3 (BDF), position", .colour = PLOT_ORANGE, .style = PLOT_MARKED},
      {.run = "met3-*", .y = "most energy", .name = "energy", .colour = PLOT_ORANGE, .style = PLOT_DASHED},
      {.run = "slope-1", .name = "order 1", .colour = PLOT_GREY, .style = PLOT_DOTTED},
      {.run = "slope-2", .name = "order 2", .colour = PLOT_GREY}}},
  }},
  {.name = "fig-II.3", .about = "its energy",
   .columns = 1, .width = 600, .height = 150, .pane = {
    {.title = "met1, " EPS " = 0.05", .x = "time t", .y = "energy error", .across = {0, 40}, .curve = {
      {.run = "met1-0.05", .x = "t", .y = "energy", .colour = PLOT_BLUE}}},
    {.title = "met2, " EPS " = 0.05", .x = "time t", .y = "energy error", .across = {0, 40}, .curve = {
      {.run = "met2-0.05", .x = "t", .y = "energy", .colour = PLOT_GREEN}}},
    {.title = "met3 (BDF), tolerance 1e-4", .x = "time t", .y = "energy error", .across = {0, 40}, .curve = {
      {.run = "met3-1e-4", .x = "t", .y = "energy", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-II.4", .about = "its steps",
   .columns = 1, .width = 600, .height = 160, .pane = {
    {.title = "met1, " EPS " = 0.05", .x = "time t", .y = "step", .log = Y_LOG, .across = {0, 10}, .up = {1e-5, 1}, .curve = {
      {.run = "met1-0.05", .x = "t", .y = "step", .colour = PLOT_BLUE}}},
    {.title = "met2, " EPS " = 0.05", .x = "time t", .y = "step", .log = Y_LOG, .across = {0, 10}, .up = {1e-5, 1}, .curve = {
      {.run = "met2-0.05", .x = "t", .y = "step", .colour = PLOT_GREEN}}},
    {.title = "met3 (BDF), tolerance 1e-4", .x = "time t", .y = "step", .log = Y_LOG, .across = {0, 10}, .up = {1e-5, 1}, .curve = {
      {.run = "met3-1e-4", .x = "t", .y = "step", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-II.5", .about = "four balls in a box: their paths",
   .columns = 2, .width = 340, .height = 340, .pane = {
    {.title = "ring, up to t = 1", .x = "x", .y = "y", .across = {0, 1}, .up = {0, 1}, .curve = {
      {.run = "ring-verlet", .x = "x1", .y = "y1", .colour = PLOT_BLUE, .style = PLOT_CIRCLES, .start = 1},
      {.run = "ring-verlet", .x = "x2", .y = "y2", .colour = PLOT_ORANGE, .style = PLOT_CIRCLES, .start = 1},
      {.run = "ring-verlet", .x = "x3", .y = "y3", .colour = PLOT_GREEN, .style = PLOT_CIRCLES, .start = 1},
      {.run = "ring-verlet", .x = "x4", .y = "y4", .colour = PLOT_RED, .style = PLOT_CIRCLES, .start = 1},
      {.run = "ring-path", .x = "x1", .y = "y1", .name = "ball 1", .colour = PLOT_BLUE, .style = PLOT_DOTTED},
      {.run = "ring-path", .x = "x2", .y = "y2", .name = "2", .colour = PLOT_ORANGE, .style = PLOT_DOTTED},
      {.run = "ring-path", .x = "x3", .y = "y3", .name = "3", .colour = PLOT_GREEN, .style = PLOT_DOTTED},
      {.run = "ring-path", .x = "x4", .y = "y4", .name = "4", .colour = PLOT_RED, .style = PLOT_DOTTED}}},
    {.title = "row on the diagonal, periodic", .x = "x", .y = "y", .across = {0, 1}, .up = {0, 1}, .curve = {
      {.run = "cradle-verlet", .x = "x1", .y = "y1", .colour = PLOT_BLUE, .style = PLOT_CIRCLES, .start = 1},
      {.run = "cradle-verlet", .x = "x2", .y = "y2", .colour = PLOT_ORANGE, .style = PLOT_CIRCLES, .start = 1},
      {.run = "cradle-verlet", .x = "x3", .y = "y3", .colour = PLOT_GREEN, .style = PLOT_CIRCLES, .start = 1},
      {.run = "cradle-verlet", .x = "x4", .y = "y4", .colour = PLOT_RED, .style = PLOT_CIRCLES, .start = 1},
      {.run = "cradle-verlet", .x = "x1", .y = "y1", .name = "ball 1", .colour = PLOT_BLUE, .style = PLOT_DOTTED},
      {.run = "cradle-verlet", .x = "x2", .y = "y2", .name = "2", .colour = PLOT_ORANGE, .style = PLOT_DOTTED},
      {.run = "cradle-verlet", .x = "x3", .y = "y3", .name = "3", .colour = PLOT_GREEN, .style = PLOT_DOTTED},
      {.run = "cradle-verlet", .x = "x4", .y = "y4", .name = "4", .colour = PLOT_RED, .style = PLOT_DOTTED}}},
  }},
  {.name = "fig-II.6", .about = "errors against steps",
   .columns = 1, .width = 560, .height = 400, .pane = {
    {.title = "four balls in a ring, t = 1", .x = "steps in a unit of time", .y = "error", .log = X_LOG | Y_LOG, .curve = {
      {.run = "ring1-*", .y = "end speed", .name = "met1, speed of balls 1 to 3", .colour = PLOT_BLUE, .style = PLOT_MARKED},
      {.run = "ring1-*", .y = "most energy", .name = "energy", .colour = PLOT_BLUE, .style = PLOT_DASHED},
      {.run = "ring2-*", .y = "end speed", .name = "met2, speed", .colour = PLOT_GREEN, .style = PLOT_MARKED},
      {.run = "ring2-*", .y = "most energy", .name = "energy", .colour = PLOT_GREEN, .style = PLOT_DASHED},
      {.run = "ring3-*", .y = "end speed", .name = "met3 (BDF), speed", .colour = PLOT_ORANGE, .style = PLOT_MARKED},
      {.run = "ring3-*", .y = "most energy", .name = "energy", .colour = PLOT_ORANGE, .style = PLOT_DASHED}}},
  }},
  {.name = "fig-II.7", .about = "steps",
   .columns = 1, .width = 600, .height = 180, .pane = {
    {.title = "met1, " EPS " = 0.0125", .x = "number of the step", .y = "step", .log = Y_LOG, .across = {0, 1000}, .up = {1e-6, 0.1},
     .curve = {
      {.run = "ring1-0.0125", .x = "k", .y = "step", .colour = PLOT_BLUE}}},
    {.title = "met3 (BDF), tolerance 2.2e-7", .x = "number of the step", .y = "step", .log = Y_LOG, .across = {0, 1000}, .up = {1e-6, 0.1},
     .curve = {
      {.run = "ring3-2.2e-7", .x = "k", .y = "step", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-III.1", .about = "Kepler's ellipse: energy and what the steps follow",
   .columns = 1, .width = 620, .height = 200, .pane = {
    {.title = "Kepler's ellipse, " EPS " = 0.02", .x = "time t", .y = "energy error", .across = {0, 100}, .curve = {
      {.run = "kepler-symm", .x = "t", .y = "energy", .name = "SYMM", .colour = PLOT_ORANGE},
      {.run = "kepler-symp", .x = "t", .y = "energy", .name = "SYMP(T,V)", .colour = PLOT_BLUE}}},
    {.x = "time t", .y = "log(Q/" RHO ")", .across = {0, 100}, .curve = {
      {.run = "kepler-symm", .x = "t", .y = "log", .name = "SYMM", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-III.2", .about = "an oscillator that is not reversible",
   .columns = 1, .width = 620, .height = 200, .pane = {
    {.title = "oscillator that is not reversible, " EPS " = 0.2", .x = "time t", .y = "energy error", .across = {0, 7200}, .curve = {
      {.run = "osc-symm", .x = "t", .y = "energy", .name = "SYMM", .colour = PLOT_ORANGE},
      {.run = "osc-symp", .x = "t", .y = "energy", .name = "SYMP(T,V)", .colour = PLOT_BLUE}}},
    {.x = "time t", .y = "log(Q/" RHO ")", .across = {0, 7200}, .curve = {
      {.run = "osc-symm", .x = "t", .y = "log", .name = "SYMM", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-III.3", .about = "the same, scaled by the walls alone",
   .columns = 1, .width = 620, .height = 200, .pane = {
    {.title = "the same oscillator, scaled by the walls alone, " EPS " = 0.2", .x = "time t", .y = "energy error", .across = {0, 8100},
     .curve = {
      {.run = "oscb-twin", .x = "t", .y = "energy", .name = "SYMP(q)", .colour = PLOT_BLUE},
      {.run = "oscb-symm", .x = "t", .y = "energy", .name = "SYMM", .colour = PLOT_ORANGE}}},
    {.x = "time t", .y = "log(Q/" RHO ")", .across = {0, 8100}, .curve = {
      {.run = "oscb-symm", .x = "t", .y = "log", .name = "SYMM", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-III.4", .about = "a pendulum turning past a magnet",
   .columns = 1, .width = 620, .height = 200, .pane = {
    {.title = "pendulum turning past a magnet, " EPS " = 0.001", .x = "time t", .y = "energy error", .across = {0, 73}, .curve = {
      {.run = "mag-symm", .x = "t", .y = "energy", .name = "SYMM", .colour = PLOT_ORANGE},
      {.run = "mag-symp", .x = "t", .y = "energy", .name = "SYMP(T,V)", .colour = PLOT_BLUE}}},
    {.x = "time t", .y = "log(Q/" RHO ")", .across = {0, 73}, .curve = {
      {.run = "mag-symm", .x = "t", .y = "log", .name = "SYMM", .colour = PLOT_ORANGE}}},
  }},
  {.name = "fig-IV.1", .about = "a free rigid body: momenta",
   .columns = 1, .width = 620, .height = 200, .pane = {
    {.title = "rigid body, constant steps", .x = "time t", .y = "momenta", .across = {0, 60}, .up = {-1, 1.05}, .curve = {
      {.run = "body-T", .x = "t", .y = "x1", .name = "x1", .colour = PLOT_BLUE},
      {.run = "body-T", .x = "t", .y = "x2", .name = "x2", .colour = PLOT_ORANGE},
      {.run = "body-T", .x = "t", .y = "x3", .name = "x3", .colour = PLOT_GREEN}}},
    {.title = "adaptive steps", .x = "own time " TAU, .y = "momenta", .across = {0, 22}, .up = {-1, 1.05}, .curve = {
      {.run = "body-TG", .x = "tau", .y = "x1", .name = "x1", .colour = PLOT_BLUE},
      {.run = "body-TG", .x = "tau", .y = "x2", .name = "x2", .colour = PLOT_ORANGE},
      {.run = "body-TG", .x = "tau", .y = "x3", .name = "x3", .colour = PLOT_GREEN}}},
  }},
  {.name = "fig-IV.2", .about = "errors of its energy and momentum",
   .columns = 1, .width = 620, .height = 170, .pane = {
    {.title = "error of T, T alone split", .x = "time t", .y = "error of T", .across = {0, 100}, .curve = {
      {.run = "body-TG", .x = "t", .y = "dT", .name = "adaptive", .colour = PLOT_ORANGE},
      {.run = "body-T", .x = "t", .y = "dT", .name = "constant steps", .colour = PLOT_BLUE}}},
    {.title = "error of T, T and M split", .x = "time t", .y = "error of T", .across = {0, 100}, .curve = {
      {.run = "body-MT", .x = "t", .y = "dT", .name = "constant steps", .colour = PLOT_BLUE},
      {.run = "body-MTG", .x = "t", .y = "dT", .name = "adaptive", .colour = PLOT_ORANGE}}},
    {.title = "error of M, T and M split", .x = "time t", .y = "error of M", .across = {0, 100}, .curve = {
      {.run = "body-MT", .x = "t", .y = "dM", .name = "constant steps", .colour = PLOT_BLUE},
      {.run = "body-MTG", .x = "t", .y = "dM", .name = "adaptive", .colour = PLOT_ORANGE}}},
  }},
};

/* ---- numbers for the curves ---- */
static points of_track(artist *by, const pane *a, const curve *c)
{
  const motion *m = artist_motion(by, c->run);
  track *r = m ? track_of(by->tracks, m) : NULL;
  points out = {0};
  if (!r || r->absent) return out;
  /* one row beyond the frame, so that the line goes to its edge */
  for (int k = 0, beyond = 0; k < (c->start ? 1 : r->n) && beyond < 2; k++) {
    double x = track_series(r, c->x, k), y;
    if (!strcmp(c->x, "t") || !strcmp(c->x, "tau") || !strcmp(c->x, "k")) beyond += a->across[1] > 0 && x > a->across[1];
    y = track_series(r, c->y, k);
    points_add(&out, x, a->log & Y_LOG ? fabs(y) : y);
  }
  return out;
}

static points of_tracks(artist *by, const curve *c)
{
  size_t n = strlen(c->run) - 1;
  points out = {0};
  for (int i = 0; i < by->paper->nmotion; i++) {
    const motion *m = &by->paper->motion[i];
    if (strncmp(m->name, c->run, n)) continue;
    track *r = track_of(by->tracks, m);
    double y = r->failure ? NAN : track_measure(r, NULL, c->y);
    if (!isnan(y)) points_add_sorted(&out, (r->n - 1)/r->t[r->n - 1], y);
  }
  return out;
}

/* guides that fall as 1/x and 1/x^2 from about where the errors begin */
static points of_slope(int order)
{
  points out = {0};
  double top = order == 1 ? 0.8 : 0.3;
  points_add(&out, 20, top);
  points_add(&out, 200, top/pow(10, order));
  return out;
}

static points thesis_points(artist *by, const pane *a, const curve *c)
{
  if (!strncmp(c->run, "slope-", 6)) return of_slope(c->run[6] - '0');
  return ends_with(c->run, "*") ? of_tracks(by, c) : of_track(by, a, c);
}

static const left_out LEFT_OUT[] = {
  {"figures 2.2 to 2.6", "they illustrate definitions: charts, tangent vectors, variations, a rigid body"},
  {"figures 4.1 and 4.2, and those of Paper V",
   "a bearing and times of another program; `reproduce semi-explicit --figures` draws Paper V"},
  {0}
};

const album FIGURES_THESIS = {
  .points_of = thesis_points,
  .paper = "thesis", .drawing = DRAWINGS, .n = sizeof DRAWINGS/sizeof *DRAWINGS, .left_out = LEFT_OUT,
  .remark = "time axes and some steps are not printed in the thesis and were chosen here",
};
