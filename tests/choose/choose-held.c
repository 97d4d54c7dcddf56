/* holds: constrained motions with a fast phase meet their tolerance at a cost that does not grow with the frequency
 * choose-held.c - motions with constraints and a fast phase to a tolerance: right against a run that resolves every turn, at a cost that
 * does not grow with the frequency; with drag, in space, with an amplitude and a pace that change, and on a pivot that moves itself */
#include "epicycle.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double w;

/* a mass on a rod, in the frame of a pivot that vibrates: strength times w is its acceleration */
static int shaken(epi_system *s, double strength, double theta, double *f)
{
  int n = s->nq;
  memset(f, 0, (size_t)n*sizeof *f);
  f[n-1] = 9.8 + 4*strength*w*cos(theta);
  return 0;
}
static int steady(epi_system *s, double t, double theta, const double *q, double *f) { return (void)t, (void)q, shaken(s, 1, theta, f); }
static int swelling(epi_system *s, double t, double theta, const double *q, double *f)
{
  return (void)q, shaken(s, 1 + 0.5*sin(3*t), theta, f);
}
static double faster(epi_system *s, double t) { return (void)s, w*(1 + 0.5*t); }
static int running_up(epi_system *s, double t, double theta, const double *q, double *f)
{
  return (void)q, shaken(s, 1 + 0.5*t, theta, f);
}
static int heavy(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t; (void)theta; (void)q;
  f[0] = 0;
  f[1] = -9.8;
  return 0;
}
static int drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t; (void)q;
  for (int i = 0; i < s->nq; i++) f[i] -= 1.5*v[i];
  return 0;
}

static int on_rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)t;
  g[0] = -0.04;
  for (int i = 0; i < s->nq; i++) { g[0] += q[i]*q[i]; G[i] = 2*q[i]; }
  gt[0] = 0;
  return 0;
}
/* seen from space, where the pivot moves */
static int on_moving_rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s;
  double a = 4/w, y = q[1] - a*(1 - cos(w*t));
  g[0] = q[0]*q[0] + y*y - 0.04;
  G[0] = 2*q[0];
  G[1] = 2*y;
  gt[0] = -2*y*a*w*sin(w*t);
  return 0;
}

static const epi_system all[] = {
  {.nq = 2, .phase.forced = steady, .constraint = on_rod}, {.nq = 2, .phase.forced = steady, .velocity_force = drag, .constraint = on_rod},
  {.nq = 3, .phase.forced = steady, .constraint = on_rod}, {.nq = 2, .phase.forced = swelling, .constraint = on_rod},
  {.nq = 2, .phase = {.forced = running_up, .phase_rate_at = faster}, .constraint = on_rod},
    {.nq = 2, .phase.forced = heavy, .constraint = on_moving_rod},
};
enum { KINDS = sizeof all/sizeof *all };
static int kind;

static int make(epi_case *c)
{
  c->system = all[kind];
  c->system.nc = 1;
  if (!c->system.phase.phase_rate_at) c->system.phase.phase_rate = w;
  if (epi_case_start(c)) return -1;
  int n = c->system.nq;
  c->y[0] = 0.2*sin(0.5);
  c->y[n-1] = 0.2*cos(0.5);
  if (n == 3) c->y[4] = 0.3;
  return 0;
}
static const epi_model mine = {.name = "mine", .doc = "a mass on a rod", .make = make, .flow = "verlet", .step = 1e-5, .end = 1};

static void end_of(epi_case *c, const char *flow, double *y)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (epi_run(f, &s, 1, 1)) test_stop(epi_error(f));
  memcpy(y, s.y, (size_t)epi_size(&c->system)*sizeof *y);
  epi_free(f);
}

/* to 1e-3 and 1e-6: right at one frequency, and no dearer at a hundred times that */
static void at_any_pace(double tol, double most)
{
  double calls[2], y[6], truth[6], off = 0;
  for (int k = 0; k < 2; k++) {
    w = k ? 1e6 : 1e4;
    /* the phase of a pivot in t is rounded with t */
    if (k && tol < 1e-4 && kind == KINDS - 1) w = 1e5;
    epi_case *c = epi_case_of(&mine, NULL);
    epi_chosen a = {.tol = tol, .end = 1, .motion = EPI_FULL};
    if (!check_count(epi_choose(c, &a), 0)) puts(a.error);
    calls[k] = (double)a.spent;
    if (!k) {
      end_of(c, a.flow, y);
      end_of(c, kind == KINDS - 1 ? "tolerance(dop853, rtol=1e-9, atol=1e-9)" : "tolerance(dop853, rtol=1e-12, atol=1e-12)", truth);
      for (int i = 0; i < epi_size(&c->system); i++) off = fmax(off, fabs(y[i] - truth[i])/(i < c->system.nq ? 0.2 : 4));
    }
    epi_case_free(c);
  }
  if (!check_below(off/tol, 1) | !check_below(calls[0], most) | !check_below(calls[1]/calls[0], 2.5))
    printf("  system %d to %g: %.2g tol, %g and %g evaluations\n", kind, tol, off/tol, calls[0], calls[1]);
}

/* without constraint_bend accelerations are differences; to 1e-12 these are rounding alone, and steps would creep for ever */
static void creeping(void)
{
  w = 1e4;
  kind = KINDS - 1;
  epi_case *c = epi_case_of(&mine, NULL);
  epi_flow *f = epi_case_flow(c, "tolerance(dop853, rtol=1e-12, atol=1e-12)");
  epi_state s = epi_case_state(c);
  check_count(epi_run(f, &s, 1, 1), EPI_TOO_FAR);
  check_has(epi_error(f), "rounding is all they show; take a larger rtol, or give the system a constraint_bend");
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  for (kind = 0; kind < KINDS; kind++) {
    at_any_pace(1e-3, 40000);
    at_any_pace(1e-6, 200000);
  }
  creeping();
  return test_done();
}
