/* holds: forces that act for a quarter of a percent of a run are found beside far longer steps
 * choose-narrow.c - weak forces that act for a quarter of a percent of a run, or for a little more, beside a motion whose steps are far
 * longer: hills in the way of an oscillator, patches of drag, short pushes. choose-narrow DRAWS SEED */
#include "stiffs.h"
#include <string.h>

/* what acts: how strong, where or when, and how wide */
enum { HILL, PATCH, PUSH, KINDS };
static struct { int kind; double strong, at, wide, end; } now;

static double bump(double x) { return exp(-(x - now.at)*(x - now.at)/(now.wide*now.wide)); }
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -q[0] + (now.kind == HILL ? now.strong*bump(q[0]) : now.kind == PUSH ? now.strong*bump(t) : 0);
  return 0;
}
static int drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  f[0] -= now.kind == PATCH ? now.strong*bump(q[0])*v[0] : 0;
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force, .velocity_force = drag};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->end = now.end;
  return 0;
}
static const epi_param none[] = {{0}};
static const epi_model model = {.name = "narrow", .doc = "weak and narrow forces", .params = none, .make = make, .step = 0.01, .end = 1};

/* wide at half its height: so much of the run, at the speed that the oscillator has there */
static void draw(unsigned long long *r)
{
  now.kind = (int)(KINDS*random_of(r, 0, 0.999));
  now.end = exp(random_of(r, log(6), log(50)));
  double part = exp(random_of(r, log(0.0025), log(0.01))), x = random_of(r, -0.8, 0.8);
  now.strong = exp(random_of(r, log(0.02), log(2)));
  now.at = now.kind == PUSH ? now.end*random_of(r, 0.1, 0.9) : x;
  now.wide = part*now.end/1.67*(now.kind == PUSH ? 1 : sqrt(1 - x*x));
}

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : 60, answered = 0;
  unsigned long long r = argc > 2 ? strtoull(argv[2], NULL, 10) : 3;
  double worst = 0, evaluations = 0;
  for (int k = 0; k < draws; k++) {
    draw(&r);
    double tol = pow(10, -random_of(&r, 2.5, 5.5)), y[2], size = 1;
    char flow[120];
    epi_case *c = epi_case_of(&model, NULL);
    epi_chosen a = {.tol = tol, .end = now.end};
    if (epi_choose(c, &a)) { printf("%d, to %g: %s\n", k, tol, a.error); epi_case_free(c); continue; }
    answered++;
    evaluations += (double)a.spent;
    for (int fine = 0; fine < 2; fine++) {
      snprintf(flow, sizeof flow, "tolerance(dop853, rtol=1e-12, atol=1e-13, longest=%g)", now.end/8000);
      epi_flow *f = epi_case_flow(c, fine ? flow : a.flow);
      epi_state s = epi_case_state(c);
      check_count(epi_run(f, &s, now.end, now.end), 0);
      for (int i = 0; i < 2; i++) if (!fine) y[i] = s.y[i]; else y[i] = fabs(y[i] - s.y[i])/size/tol;
      epi_free(f);
    }
    double off = fmax(y[0], y[1]);
    worst = fmax(worst, off);
    if (!check_below(off, 3))
      printf("%d: kind %d, %.3g at %.3g, %.3g wide, to %.3g: %.2g times %.2g, told %.2g; %ld evaluations, %s\n", k, now.kind, now.strong,
             now.at, now.wide, now.end, off, tol, a.found/tol, a.spent, a.flow);
    epi_case_free(c);
  }
  check(answered >= 0.95*draws);
  printf("%d of %d answered, worst %.2g tol, %.3g evaluations each\n", answered, draws, worst, evaluations/answered);
  return test_done();
}
