/* holds: a tolerance means the same in every unit of length and time, and at rest
 * choose-sizes.c - a tolerance means the same in every unit: small and large numbers, slow and fast clocks; and what begins at rest, where
 * nobody knows how large it will be */
#include "epicycle.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* sizes of the position and of a unit of time; strength of a push */
static double size = 1, unit = 1, push;

/* linear, so that all of these are one motion */
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = (0.5*q[0] + 1025*cos(theta)*q[0])/(unit*unit);
  return 0;
}
/* the drive alone moves it */
static int moved(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = (-9*q[0] + 1025*cos(theta)*q[0] + size)/(unit*unit);
  return 0;
}
/* at rest until a push, though the drive turns all the time */
static int waiting(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = -25*q[0] + 300*cos(theta)*q[0] + size*exp(-2500*(t - 0.6)*(t - 0.6));
  return 0;
}
static int pushed(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -q[0] + push*exp(-(t - 60)*(t - 60));
  return 0;
}
static int pushed_out(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = q[0] - q[0]*q[0]*q[0] + push*fmax(0, 1 - fabs(t - 20.98)/1.6);
  return 0;
}

static int make_shaken(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = shaken, .phase_rate = 20000/unit, .theta0 = 1}};
  if (epi_case_start(c)) return -1;
  c->y[0] = size;
  c->end = 1.6*unit;
  return 0;
}
static int make_moved(epi_case *c)
{
  int bad = make_shaken(c);
  c->system.phase.forced = moved;
  if (!bad) c->y[0] = 0;
  return bad;
}
static int make_waiting(epi_case *c)
{
  int bad = make_moved(c);
  c->system.phase.forced = waiting;
  return bad;
}
static int make_pushed(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = pushed};
  return epi_case_start(c);
}
static int make_pushed_out(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = pushed_out};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  return 0;
}

static const epi_param none[] = {{0}};
#define MODEL(n, m, e, s) {.name = n, .doc = n, .params = none, .make = m, .end = e, .step = 0.01, .smooth = s}
static const epi_model shaken_model = MODEL("shaken", make_shaken, 1, 0), smooth_model = MODEL("smooth", make_shaken, 1, 1);
static const epi_model moved_model = MODEL("moved", make_moved, 1, 0), moved_smooth = MODEL("moved-smooth", make_moved, 1, 1);
static const epi_model waiting_model = MODEL("waiting", make_waiting, 1, 0);
static const epi_model pushed_smooth = MODEL("pushed-smooth", make_pushed, 100, 1), pushed_model = MODEL("pushed", make_pushed, 100, 0);
static const epi_model out_model = MODEL("pushed-out", make_pushed_out, 180.4, 0);

/* the state at the end by a flow, or by a tolerance and the flow that is chosen for it; evaluations to find out */
static long ends(const epi_model *m, const char *flow, double tol, double *y)
{
  epi_case *c = epi_case_of(m, NULL);
  epi_chosen a = {.tol = tol, .end = c->end};
  if (!flow && !check_count(epi_choose(c, &a), 0)) printf("%s: %s\n", m->name, a.error);
  epi_flow *f = epi_case_flow(c, flow ? flow : a.flow);
  epi_state s = epi_case_state(c);
  if (!check_count(epi_run(f, &s, c->end, c->end), 0)) printf("%s: %s\n", m->name, epi_error(f));
  memcpy(y, s.y, 2*sizeof *y);
  epi_free(f);
  epi_case_free(c);
  return a.spent;
}

/* largest: position of such a motion */
static void units(const epi_model *m, double largest)
{
  static const double sizes[] = {1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-15, 1e-30, 1e4}, units[] = {1, 1e4, 1e-4};
  double true_y[2], y[2];
  size = unit = 1;
  ends(m, "tolerance(dop853, rtol=1e-13, atol=1e-15)", 0, true_y);
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      for (double tol = 1e-3; tol > 1e-6; tol /= 100) {
        size = sizes[i];
        unit = units[k];
        long calls = ends(m, NULL, tol, y);
        if (!check_near(y[0], size*true_y[0], 0, 3*tol*size*largest) | !check_near(y[1], size/unit*true_y[1], 3*tol, 0))
          printf("%s to %g, in %g and %g of a second\n", m->name, tol, size, unit);
        /* each of the runs of a search compares averaged forces between its steps, for up to 2,000 evaluations */
        if (!check_below((double)calls, 36000)) printf("%s to %g, in %g and %g of a second\n", m->name, tol, size, unit);
      }
  size = unit = 1;
}

/* at rest until then: the oscillator in closed form, the other against short steps */
static void rest(void)
{
  double y[2], z[2], true_y[2];
  for (double strong = 1; strong > 1e-13; strong /= 100)
    for (double tol = 1e-3; tol > 1e-9; tol /= 100) {
      push = strong;
      long calls = ends(&pushed_model, NULL, tol, y);
      const double far = push*sqrt(M_PI)*exp(-0.25);
      ends(&pushed_smooth, NULL, tol, z);
      if (!check_near(z[0], far*sin(40), 0, 2*tol*far) | !check_near(z[1], far*cos(40), 0, 2*tol*far)) printf("smooth\n");
      if (!check_near(y[0], far*sin(40), 0, 2*tol*far) | !check_near(y[1], far*cos(40), 0, 2*tol*far) | !check_below((double)calls, 40000))
        printf("a push of %g to %g, %ld evaluations\n", push, tol, calls);
    }
  for (double strong = 1e-2; strong > 1e-7; strong /= 10)
    for (double tol = 1e-3; tol > 1e-6; tol /= 100) {
      push = strong;
      ends(&out_model, "tolerance(dop853, rtol=1e-13, atol=1e-16, longest=0.05)", 0, true_y);
      ends(&out_model, NULL, tol, y);
      if (!check_near(y[0], true_y[0], 2*tol, 0) | !check_near(y[1], true_y[1], 0, 3*tol*push)) printf("a push of %g to %g\n", push, tol);
    }
}

static void wait_for_it(void)
{
  double y[2], true_y[2];
  size = 1;
  ends(&waiting_model, "tolerance(dop853, rtol=1e-11, atol=1e-13, longest=0.005)", 0, true_y);
  for (size = 1; size > 1e-10; size /= 100)
    for (double tol = 1e-3; tol > 1e-6; tol /= 100) {
      long calls = ends(&waiting_model, NULL, tol, y);
      if (!check_near(y[0], size*true_y[0], 2*tol, 0) | !check_near(y[1], size*true_y[1], 3*tol, 0) | !check_below((double)calls, 150000))
        printf("waiting for %g, to %g\n", size, tol);
    }
  size = 1;
}

/* a model tells the phase at the start once */
static void phase(void)
{
  epi_case *c = epi_case_of(&shaken_model, NULL);
  check_rel(epi_case_state(c).theta, 1, 0);
  epi_case_free(c);
}

int main(void)
{
  units(&shaken_model, 1);
  units(&smooth_model, 1);
  units(&moved_model, 0.22);
  units(&moved_smooth, 0.22);
  rest();
  wait_for_it();
  phase();
  return test_done();
}
