/* holds: stiff first-order systems get an implicit method where it is far cheaper, and meet their tolerance
 * choose-implicit.c - stiff systems of first order to a tolerance: an implicit method is taken where it is far cheaper, and is right by
 * explicit ones with the tolerance of their steps near rounding, or by the exact solution; but not over an oscillation that goes on */
#include "epicycle.h"
#include "epicycle/choose.h"
#include "test.h"

static int van_der_pol(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data;
  (void)t;
  dy[0] = y[1];
  dy[1] = p[0]*(1 - y[0]*y[0])*y[1] - y[0];
  return 0;
}

static int robertson(epi_system *s, double t, const double *y, double *dy)
{
  (void)s, (void)t;
  dy[0] = -0.04*y[0] + 1e4*y[1]*y[2];
  dy[2] = 3e7*y[1]*y[1];
  dy[1] = -dy[0] - dy[2];
  return 0;
}

/* it becomes stiff at t = 25 */
static int oregonator(epi_system *s, double t, const double *y, double *dy)
{
  (void)s, (void)t;
  dy[0] = 77.27*(y[1] + y[0]*(1 - 8.375e-6*y[0] - y[1]));
  dy[1] = (y[2] - (1 + y[0])*y[1])/77.27;
  dy[2] = 0.161*(y[0] - y[2]);
  return 0;
}

/* a position that is controlled, with a filter for its rate, and a sum that waits where the force is at its limit: Newton's iteration fails
   where that ends, in parts of a step to rows */
static int controlled(epi_system *s, double t, const double *y, double *dy)
{
  const double e = 1 - y[0], rate = (e - y[3])/7.743e-5, wanted = 44.82*e + 0.6026*rate + y[2];
  const double force = fmax(-9.06, fmin(9.06, wanted));
  (void)s, (void)t;
  dy[0] = y[1];
  dy[1] = force - 0.3*y[1] - y[0];
  dy[2] = wanted == force || (wanted - force)*e < 0 ? 2.823*e : 0;
  dy[3] = rate;
  return 0;
}

enum { POINTS = 40 };
static int heat(epi_system *s, double t, const double *y, double *dy)
{
  const double k = (POINTS + 1.)*(POINTS + 1);
  (void)s, (void)t;
  for (int i = 0; i < POINTS; i++) dy[i] = k*((i ? y[i-1] : 0) - 2*y[i] + (i < POINTS - 1 ? y[i+1] : 0));
  return 0;
}

static int start(epi_case *c, int n, int (*rate)(epi_system *, double, const double *, double *))
{
  c->system = (epi_system){.nz = n, .rate = rate, .data = c->p};
  return epi_case_start(c);
}
static int make_van_der_pol(epi_case *c) { if (start(c, 2, van_der_pol)) return -1; c->y[0] = 2; return 0; }
static int make_robertson(epi_case *c) { if (start(c, 3, robertson)) return -1; c->y[0] = 1; return 0; }
static int make_oregonator(epi_case *c)
{
  if (start(c, 3, oregonator)) return -1;
  for (int i = 0; i < 3; i++) c->y[i] = i + 1;
  return 0;
}
static int make_controlled(epi_case *c) { return start(c, 4, controlled); }
static int make_heat(epi_case *c)
{
  if (start(c, POINTS, heat)) return -1;
  for (int i = 0; i < POINTS; i++) c->y[i] = sin(3.14159265358979323846*(i + 1)/(POINTS + 1));
  return 0;
}
static const epi_param MU[] = {{.name = "mu", .value = 1000, .doc = "stiffness"}, {0}}, NONE[] = {{0}};
static const epi_model OWN[] = {
  {.name = "relaxation", .doc = "van der Pol", .params = MU, .make = make_van_der_pol, .flow = "dop853", .step = 1e-3, .end = 1},
  {.name = "robertson", .doc = "three reactions", .params = NONE, .make = make_robertson, .flow = "dop853", .step = 1e-3, .end = 1},
  {.name = "heat", .doc = "a rod", .params = NONE, .make = make_heat, .flow = "dop853", .step = 1e-5, .end = 1},
  {.name = "oregonator", .doc = "five reactions", .params = NONE, .make = make_oregonator, .flow = "dop853", .step = 1e-5, .end = 1},
  {.name = "controlled", .doc = "a position", .params = NONE, .make = make_controlled, .flow = "dop853", .step = 1e-5, .end = 1},
};

/* what is off at the end, in tolerances, relative to each coordinate at the end and no less than `least`; most: evaluations of the answer
   and of the whole search */
typedef struct { int model; const char *text; double end, tol, least, most; const char *how; } request;

static void solve(const request *q)
{
  epi_case *c = epi_case_of(&OWN[q->model], q->text);
  double y[POINTS], exact[POINTS], worst = 0;
  epi_chosen a = {.tol = q->tol, .end = q->end, .y = y};
  int n = epi_size(&c->system), bad = epi_choose(c, &a);
  check_count(bad, 0);
  if (bad) { printf("%s\n", a.error); epi_case_free(c); return; }
  epi_state s = epi_case_state(c);
  if (q->model == 2) {
    const double mode = 2*(POINTS + 1)*sin(3.14159265358979323846/2/(POINTS + 1));
    for (int i = 0; i < n; i++) exact[i] = s.y[i]*exp(-mode*mode*q->end);
  } else {
    epi_flow *f = epi_case_flow(c, "tolerance(herk4, rtol=3e-13, atol=1e-15)");
    check_count(epi_run(f, &s, q->end, q->end), 0);
    memcpy(exact, s.y, (size_t)n*sizeof *exact);
    epi_free(f);
  }
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(y[i] - exact[i])/fmax(fabs(exact[i]), q->least));
  printf("%s%s to %g: %s, %.0f evaluations and %ld to find out, off by %.2g, told %.2g\n", OWN[q->model].name, q->text, q->tol, a.flow,
         a.way[0].calls, a.spent, worst, a.found);
  check_below(worst, 3*q->tol);
  check_has(a.flow, q->how);
  check_below((double)a.spent, q->most);
  epi_case_free(c);
}

/* two masses on a stiff spring that are let go at rest: its oscillation is 1.6e-4 of their speed, and long steps of all implicit flows
   agree that there is none */
static void ripple(double stiffness, double damping, double tol)
{
  char text[120];
  snprintf(text, sizeof text, "two-oscillators(k=0.15, cB=%g, q1=0.21, q2=0.21, kB=%g)", damping, stiffness);
  epi_case *c = epi_case_make(text);
  const double size[] = {0.21, 0.21, 0.057, 0.057};
  double exact[4], worst = 0;
  epi_chosen a = {.tol = tol, .end = 5};
  int bad = epi_choose(c, &a);
  check_count(bad, 0);
  epi_flow *f = epi_case_flow(c, a.flow);
  epi_state s = epi_case_state(c);
  for (int k = 1; k <= 50 && !bad; k++) {
    check_count(bad = epi_run(f, &s, 0.1*k, 0.1), 0);
    c->model->exact(c, s.t, exact);
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(s.y[i] - exact[i])/size[i]);
  }
  printf("%s to %g: %s, off by %.2g, told %.2g\n", text, tol, a.flow, worst, a.found);
  check_below(worst, tol);
  epi_free(f);
  epi_case_free(c);
}

/* a mass on a hard spring, damped three times as much as keeps it from oscillating, and another that swings on it: implicit steps grow as
   that decays, a thousand times from the first part of the run to the last, and what has decayed to nothing takes none */
static int hard(epi_system *m, double t, const double *q, double *f)
{
  (void)m, (void)t;
  double far = 2*(q[1] - q[0]);
  f[0] = far - 7.2e7*q[0];
  f[1] = -far;
  return 0;
}
static int damped(epi_system *m, double t, const double *q, const double *v, double *f)
{
  (void)m, (void)t, (void)q;
  double far = 0.1*(v[1] - v[0]);
  f[0] += far - 3.2e4*v[0];
  f[1] -= far;
  return 0;
}
static int make_hard(epi_case *c)
{
  c->system = (epi_system){.nq = 2, .force = hard, .velocity_force = damped};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.3;
  c->y[1] = 1;
  return 0;
}
static void overdamped(double tol, double end, double most)
{
  enum { ROWS = 16 };
  static const epi_model model = {.name = "hard", .doc = "overdamped", .params = NONE, .make = make_hard, .flow = "radau", .step = 1e-3,
                                  .end = 1};
  epi_case *c = epi_case_of(&model, "");
  epi_chosen a = {.tol = tol, .end = end};
  check_count(epi_choose(c, &a), 0);
  printf("overdamped to %g: %s, %ld evaluations of %.3g to find out\n", tol, a.flow, a.spent, most);
  check_has(a.flow, "radau(");
  check_below((double)a.spent, most);
  double exact[4], y[4];
  memcpy(exact, c->y, sizeof exact);
  memcpy(y, c->y, sizeof y);
  epi_flow *f = epi_case_flow(c, a.flow), *tight = epi_case_flow(c, "tolerance(dop853, rtol=1e-11, atol=1e-11)");
  epi_state s = {.y = y}, z = {.y = exact};
  for (int k = 1; k <= ROWS; k++) {
    check_count(epi_run(f, &s, end*k/ROWS, end/ROWS), 0);
    check_count(epi_run(tight, &z, end*k/ROWS, end/ROWS), 0);
    check_array(4, y, exact, 3*tol);
  }
  check_below((double)epi_calls(f), 3*a.way[0].calls);
  epi_free(f);
  epi_free(tight);
  epi_case_free(c);
}

/* alone it has decayed to less than a double has, and Newton's iteration ends there too */
static int hard_alone(epi_system *m, double t, const double *q, double *f) { (void)m, (void)t; f[0] = -7.2e7*q[0]; return 0; }
static int damped_alone(epi_system *m, double t, const double *q, const double *v, double *f)
{
  (void)m, (void)t, (void)q;
  f[0] -= 3.2e4*v[0];
  return 0;
}
static void nothing_left(void)
{
  double mass = 0.3931, y[2] = {0.3, 0.1};
  epi_system m = {.nq = 1, .force = hard_alone, .velocity_force = damped_alone, .mass = &mass};
  epi_flow *f = epi_make("tolerance(radau(stages=3), rtol=2e-8, atol=2e-8, longest=0.028)", &m);
  epi_state s = {.y = y};
  for (int k = 1; k <= 16; k++) check_count(epi_run(f, &s, 4.8*k/16, 0.3), 0);
  printf("nothing left: %ld evaluations\n", epi_calls(f));
  check_below((double)epi_calls(f), 3e4);
  check_abs(y[0], 0, 1e-7);
  epi_free(f);
}

int main(void)
{
  overdamped(1e-6, 2, 3e5);
  overdamped(1e-4, 2, 2e5);
  nothing_left();
  /* resolved by explicit steps these took 7e6 and 3.4e6 evaluations, and up to 3.5e7 to find out */
  static const request all[] = {
    {0, "(mu=1000)", 2000, 1e-3, 2e-3, 4e5, "radau"}, {0, "(mu=1000)", 2000, 1e-6, 2e-3, 1e6, "radau"},
    {0, "(mu=300)", 500, 1e-5, 5e-3, 1e6, "radau"}, {0, "(mu=3)", 20, 1e-6, 1e-1, 1e5, "adams"},
    {1, "", 40, 1e-3, 1e-9, 1e6, "tolerance("}, {1, "", 400, 1e-4, 1e-9, 3e5, "radau"}, {1, "", 400, 1e-6, 1e-9, 3e5, "radau"},
    {2, "", 0.1, 1e-6, 1e-3, 1e6, "tolerance("}, {3, "", 30, 1e-6, 1e-1, 5e6, "radau"}, {3, "", 60, 1e-4, 1e-1, 5e6, "radau"},
    {4, "", 10.6, 1e-3, 1e-2, 2e6, "radau"},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) solve(&all[i]);
  ripple(1.41e6, 0, 1e-6);
  ripple(1.41e6, 1, 1e-6);
  ripple(1e7, 0, 1e-5);
  ripple(1e4, 0, 1e-3);
  return test_done();
}
