/* wall.c - the bounce between a soft and a stiff wall at equal numbers of steps: the largest error of position over [0, 200] of a
 * variational integrator that scales its time by the contact, and of BDF of order 2 with its own step control */
#include "wall.h"
#include "hmm_runs.h"
#include <stdio.h>

enum { RUNS = 31 };

typedef struct { int met, missed, wrong; } tally;

static void wrong_unless(tally *sum, int good, const char *what)
{
  if (good) return;
  printf("  FAIL: %s\n", what);
  sum->wrong++;
}

/* the first step at or after the end counts */
int wall_look(const epi_case *c, double t, const double *y, wall_run *o)
{
  double exact[2];
  epi_system s = c->system;
  int bad = c->model->exact(c, t, exact);
  o->steps++;
  o->error = fmax(o->error, bad || !(fabs(y[0]) < 1e300) ? HUGE_VAL : fabs(y[0] - exact[0]));
  o->energy = fmax(o->energy, fabs(s.energy(&s, t, y) - s.energy(&s, 0, c->y)));
  return bad;
}

static double once(double eps, wall_run *o)
{
  epi_case *c = epi_case_make("bounce"), *start = epi_case_make("bounce");
  epi_flow *f = epi_case_flow(c, "variational(alpha=0.5, beta=0.5, scaling=contact, smooth=0.033, clock=own)");
  epi_state s = epi_case_state(c);
  int bad = 0;
  double begin = hmm_now();
  while (s.t < WALL_END && !bad) bad = epi_advance(f, &s, eps, 1) || (o && wall_look(start, s.t, s.y, o));
  double seconds = hmm_now() - begin;
  if (o) {
    o->calls = epi_calls(f);
    if (bad) o->error = HUGE_VAL;
  }
  epi_free(f);
  epi_case_free(start);
  epi_case_free(c);
  return seconds;
}

/* the time is that of a run at which nobody looks */
static wall_run variational(double eps)
{
  wall_run o = {.setting = eps};
  once(eps, &o);
  o.seconds = once(eps, NULL);
  return o;
}

/* the peer at n steps: on the line between the runs around n, both logarithmic, or a run with fewer steps where that is better */
static double at_steps(int runs, const wall_run *p, long n)
{
  double error = HUGE_VAL;
  const wall_run *below = NULL, *above = NULL;
  for (int i = 0; i < runs; i++) {
    if (p[i].steps <= n) error = fmin(error, p[i].error);
    if (p[i].steps <= n && (!below || p[i].steps > below->steps)) below = &p[i];
    if (p[i].steps > n && (!above || p[i].steps < above->steps)) above = &p[i];
  }
  if (!below || !above || isinf(below->error) || isinf(above->error)) return error;
  double x = log((double)n/(double)below->steps)/log((double)above->steps/(double)below->steps);
  return fmin(error, below->error*pow(above->error/below->error, x));
}

static void print_run(const wall_run *o)
{
  printf("  %-40.4g %10ld %12.4g %12.3g %12ld %10.2f\n", o->setting, o->steps, o->error, o->energy, o->calls, 1e3*o->seconds);
}

static void print_head(const char *what)
{
  printf("\n%-42s %10s %12s %12s %12s %10s\n", what, "steps", "position", "energy", "evaluations", "ms");
}

static void verdict(tally *sum, const wall_run *ours, double peer)
{
  double bar = 0.5, ratio = ours->error/peer;
  int meets = ratio <= bar;
  printf("  %-42ld %12.4g %12.4g %12.4g   bar %-6g %s\n", ours->steps, ours->error, peer, ratio, bar, meets ? "meets" : "MISSES");
  *(meets ? &sum->met : &sum->missed) += 1;
}

int main(void)
{
  /* steps and errors computed independently, in quadruple precision */
  static const struct { double eps; long steps; double error; } rows[] = {
    {0.1, 4095, 0.169537985888}, {0.05, 7967, 0.0415222657243}, {0.025, 15794, 0.0103170769653}, {0.0125, 31540, 0.00257347070}
  };
  enum { ROWS = sizeof rows/sizeof *rows };
  wall_run ours[ROWS], peer[RUNS];
  tally sum = {0};
  printf("bounce, 0 <= t <= 200, largest errors at the steps; thread time\n");
  print_head("variational(alpha=0.5, beta=0.5), eps");
  for (int i = 0; i < ROWS; i++) {
    ours[i] = variational(rows[i].eps);
    print_run(&ours[i]);
    wrong_unless(&sum, ours[i].steps == rows[i].steps && fabs(ours[i].error/rows[i].error - 1) < 1e-6,
                 "steps or error are not those of the reference");
  }
  print_head(wall_cvode_name ? wall_cvode_name : "SUNDIALS CVODE BDF: not installed");
  for (int i = 0; wall_cvode_name && i < RUNS; i++) {
    peer[i] = wall_cvode(1e-3*pow(10, -i/8.0));
    if (i % 2 == 0) print_run(&peer[i]);
  }
  if (wall_cvode_name) printf("\n%-44s %12s %12s %12s\n", "position at equal steps", "variational", "BDF", "ratio");
  for (int i = 0; wall_cvode_name && i < ROWS; i++) verdict(&sum, &ours[i], at_steps(RUNS, peer, ours[i].steps));
  printf("\nbars: %d met, %d missed\nanswers: %s\n", sum.met, sum.missed, sum.wrong ? "FAIL" : "all good");
  return sum.wrong > 0;
}
