/* holds: revolve passes from many periods a step to single periods and back, where a slow motion turns fast
 * revolve-singles.c - a motion that is slow, then about as fast as the drive, then slow again: revolve goes from turn to turn by itself
 * where it must, and many turns at a time before and after, and the solution is right through all of it */
#include "epicycle.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>

enum { PARTS = 40 };
static const double pace = 1e4;
static double least, most;

/* the spring is stiff for a while in the middle of the run */
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  double x = (t - 0.5)/0.06, W = least + (most - least)*exp(-x*x);
  f[0] = -W*W*q[0] + 5*pace*cos(theta)*sin(q[0] + 0.3);
  return 0;
}

static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = forced, .phase_rate = pace}};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.4;
  return 0;
}
static const epi_model mine = {.name = "mine", .doc = "a spring that is stiff for a while", .make = make, .flow = "verlet", .step = 1e-5,
                               .end = 1};

/* q and v after every part, and how many turns the step had that ends there or after it */
static int follow(epi_case *c, const char *flow, double y[][2], double *turns)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = 0;
  for (int k = 0; k < PARTS && !bad; k++) {
    bad = epi_run(f, &s, (k + 1.)/PARTS, 1./PARTS);
    y[k][0] = s.y[0];
    y[k][1] = s.y[1];
    if (turns) epi_extra_state(f, &turns[k], 1);
  }
  if (bad) printf("  %s: %s\n", flow, epi_error(f));
  epi_free(f);
  return bad;
}

static double apart(double a[][2], double b[][2])
{
  double size[2] = {0}, off = 0;
  for (int k = 0; k < PARTS; k++) for (int i = 0; i < 2; i++) size[i] = fmax(size[i], fabs(b[k][i]));
  for (int k = 0; k < PARTS; k++) for (int i = 0; i < 2; i++) off = fmax(off, fabs(a[k][i] - b[k][i])/size[i]);
  return off;
}

/* stiff: the rate of the spring at its stiffest. What is left of the separation there decides how it is crossed */
static void cross(double stiff, double tol, int singles)
{
  double y[PARTS][2], ref[PARTS][2], turns[PARTS] = {0}, fewest = HUGE_VAL;
  char flow[80];
  least = 5;
  most = stiff;
  epi_case *c = epi_case_of(&mine, NULL);
  check_count(follow(c, "tolerance(dop853, rtol=1e-14, atol=1e-14)", ref, NULL), 0);
  snprintf(flow, sizeof flow, "revolve(picard, rtol=%g, span=1)", tol);
  check_count(follow(c, flow, y, turns), 0);
  for (int k = 0; k < PARTS; k++) fewest = fmin(fewest, turns[k]);
  check_below(apart(y, ref)/tol, 10);
  check_below(4, turns[5]);
  check_below(4, turns[PARTS - 2]);
  check_count(fewest == 1, singles);
  /* to a tolerance, by whatever is taken */
  epi_chosen a = {.tol = tol, .end = 1};
  if (check_count(epi_choose(c, &a), 0)) {
    check_count(follow(c, a.flow, y, NULL), 0);
    if (!check_below(apart(y, ref)/tol, 3)) printf("  by %s\n", a.flow);
  } else printf("  %s\n", a.error);
  if (getenv("SHOW"))
    printf("%g to %g: %g of tol, turns %g, %g, %g, by %s\n", stiff, tol, apart(y, ref)/tol, turns[5], fewest, turns[PARTS - 2], a.flow);
  epi_case_free(c);
}

int main(void)
{
  cross(10, 1e-4, 0);
  cross(2000, 1e-4, 1);
  cross(2000, 1e-7, 1);
  cross(4000, 1e-4, 1);
  return test_done();
}
