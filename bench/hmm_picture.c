/* hmm_picture.c - error against time for the pendulum and the springs: averaged, and direct by this library and its peer */
#include "hmm_runs.h"
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static void put(hmm_line *l, hmm_result r)
{
  if (l->n == HMM_POINTS || !(r.error < 1) || !(r.error > 0)) return;
  l->x[l->n] = r.seconds;
  l->y[l->n++] = r.error;
}

/* a direct flow with ever more steps a period */
static void direct(hmm_line *l, const hmm_truth *o, const char *name, const char *flow, double periods, double fewest, double most)
{
  l->name = name;
  for (double steps = fewest; steps < 1.001*most; steps *= pow(most/fewest, 1./5)) put(l, hmm_run(o, flow, lround(steps*periods)));
}

static void by_peer(hmm_line *l, const hmm_truth *o, double loosest, double tightest)
{
  l->name = hmm_gsl.run ? hmm_gsl.name : "GSL rk8pd: not installed";
  for (double tol = loosest; hmm_gsl.run && tol > 0.9*tightest; tol /= 10) put(l, hmm_peer_run(o, &hmm_gsl, tol));
}

/* w = 1e6: a resolved run is the truth, so that direct methods may go below what averaging leaves */
static void pendulum(hmm_panel *p)
{
  static const struct { const char *flow; long steps; } slow[] = {
    {"symmetric(verlet(hmm(verlet, kernel=box, steps=32, even=1)))", 2},
    {"symmetric(verlet(hmm(symmetric(verlet), kernel=box, steps=10, even=1)), table=blanes-moan)", 2},
    {"symmetric(verlet(hmm(symmetric(verlet), kernel=box, steps=16, even=1)), order=6, table=blanes-moan)", 2},
    {"symmetric(verlet(hmm(symmetric(verlet), kernel=box, steps=24, even=1)), order=6, table=blanes-moan)", 3},
    {"symmetric(verlet(hmm(symmetric(verlet, order=6), kernel=box, steps=16, even=1)), order=6, table=blanes-moan)", 5}
  };
  const double w = 1e6;
  hmm_truth o = hmm_resolved("inverted-pendulum(w=1e6)", w, 4);
  *p = (hmm_panel){.title = "Vibrated pendulum, w = 1e6, one unit of time", .across = "seconds", .up = "error of the angle", .n = 5,
                   .floor_name = "left by averaging from rest, of order 1/w"};
  p->floor = hmm_run(&o, "symmetric(verlet(hmm(symmetric(verlet, order=8), kernel=box, steps=8, even=1)), order=8)", 15).error;
  p->line[0].name = "averaged: hmm";
  for (size_t i = 0; i < sizeof slow/sizeof *slow; i++) put(&p->line[0], hmm_run(&o, slow[i].flow, slow[i].steps));
  direct(&p->line[1], &o, "direct: symmetric(verlet, order=8)", "symmetric(verlet, order=8)", w/(2*PI)/4, 2, 5);
  by_peer(&p->line[2], &o, 1e-3, 1e-8);
  direct(&p->line[3], &o, "direct: verlet", "verlet", w/(2*PI)/4, 12, 120);
  direct(&p->line[4], &o, "direct: dop853", "dop853", w/(2*PI)/4, 1.8, 5);
}

static void springs(hmm_panel *p)
{
  static const struct { const char *macro; long steps; int m; double leak; } slow[] = {
    {"rk4", 2, 18, 1e-8}, {"dop853", 1, 20, 1e-9}, {"dop853", 2, 20, 1e-9}, {"dop853", 4, 24, 1e-11}
  };
  const double w2 = 20000;
  hmm_truth o = hmm_filtered("stiff-springs(case=i, w2=20000)", w2);
  *p = (hmm_panel){.title = "Stiff springs, w2 = 20000, ten units of time", .across = "seconds", .up = "error of the slow positions",
                   .n = 4, .floor_name = "the fast part, which a direct run cannot leave out"};
  p->floor = hmm_run(&o, "symmetric(verlet, order=8)", lround(12*sqrt(2)*w2/(2*PI))).error;
  p->line[0].name = "averaged: hmm";
  for (size_t i = 0; i < sizeof slow/sizeof *slow; i++) {
    char flow[256];
    hmm_springs_flow(flow, sizeof flow, slow[i].macro, w2, slow[i].m, slow[i].leak);
    put(&p->line[0], hmm_run(&o, flow, slow[i].steps));
  }
  direct(&p->line[1], &o, "direct: symmetric(verlet, order=8)", "symmetric(verlet, order=8)", sqrt(2)*w2/(2*PI), 0.8, 6);
  by_peer(&p->line[2], &o, 1e-2, 1e-7);
  direct(&p->line[3], &o, "direct: verlet", "verlet", sqrt(2)*w2/(2*PI), 3.15, 30);
}

int hmm_picture(const char *file)
{
  static hmm_panel panel[2];
  pendulum(&panel[0]);
  springs(&panel[1]);
  return hmm_plot(file, 2, panel);
}
