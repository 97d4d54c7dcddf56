/* holds: states moved together have the bits of each alone, and one that fails does not disturb the rest */
#define _XOPEN_SOURCE 700
#include "test.h"
#include "epicycle.h"
#include "epicycle/lanes.h"
#include <math.h>

enum { MOST = 64 };
typedef struct { double w2, drive, wall; } numbers;

static double one(const numbers *p, double theta, double q, double other)
{
  return q > p->wall ? NAN : -(p->w2 + p->drive*cos(theta))*sin(q) - 0.3*p->w2*sin(q - other);
}

/* two pendulums, coupled; past the wall the force is none */
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t;
  f[0] = one(s->data, theta, q[0], q[1]);
  f[1] = one(s->data, theta, q[1], q[0]);
  return 0;
}

static int plain(epi_system *s, double t, const double *q, double *f) { return forced(s, t, M_PI/2, q, f); }

static int forces_of(epi_system *const *of, int n, const double *t, const double *theta, const double *q, double *f)
{
  (void)t;
  for (int k = 0; k < n; k++) {
    double x[2] = {q[k], q[n + k]}, y[2];
    forced(of[k], 0, of[k]->phase.forced ? theta[k] : M_PI/2, x, y);
    f[k] = y[0], f[n + k] = y[1];
  }
  return 0;
}

static int forces(epi_system *s, int n, const double *t, const double *theta, const double *q, double *f)
{
  epi_system *of[MOST];
  for (int k = 0; k < n; k++) of[k] = s;
  return forces_of(of, n, t, theta, q, f);
}

static const double masses[MOST][2] = {{1, 2}};
static double mass_of[MOST][2];

typedef struct { epi_system system[MOST], *of[MOST]; numbers p[MOST]; double y[MOST][4]; epi_state s[MOST]; } many;

static void start(many *a, int n, int phase, int weighed, double drive)
{
  for (int k = 0; k < n; k++) {
    a->p[k] = (numbers){1 + 0.01*k, drive*(1 + 0.1*(k % 5)), 1e9};
    mass_of[k][0] = masses[0][0] + 0.1*k, mass_of[k][1] = masses[0][1];
    a->system[k] = (epi_system){.nq = 2, .force = phase ? NULL : plain,
                                .phase = {.forced = phase ? forced : NULL, .phase_rate = phase ? 200 : 0}, .batch.forces_of = forces_of,
                                .mass = weighed ? mass_of[k] : NULL, .data = &a->p[k]};
    a->of[k] = &a->system[k];
    const double y[4] = {0.2 + 0.02*k, -0.4 + 0.01*k, 0.01*k, 0.3};
    memcpy(a->y[k], y, sizeof y);
    a->s[k] = (epi_state){.y = a->y[k]};
  }
}

static const struct { const char *flow; int phase; double h; } flows[] = {
  {"verlet", 0, 0.05}, {"verlet", 1, 0.002}, {"euler-symplectic", 0, 0.05}, {"euler-symplectic(first=drift)", 1, 0.002},
  {"symmetric(verlet, order=4)", 0, 0.1}, {"symmetric(verlet, order=8)", 1, 0.005}, {"substeps(verlet, 5)", 0, 0.2},
  {"strang(kick, drift)", 0, 0.05}, {"symmetric(strang(drift, kick), order=4)", 1, 0.002},
  {"compose(kick, drift, weights=[0.5, 1, 0.5])", 0, 0.05}, {"adjoint(euler-symplectic)", 0, 0.05}, {"euler", 0, 0.01},
  {"heun", 0, 0.05}, {"midpoint-explicit", 1, 0.002}, {"bs3", 0, 0.05}, {"rk4", 0, 0.05}, {"rk4", 1, 0.002}, {"dopri5", 0, 0.1},
  {"dop853", 1, 0.005}, {"verlet(hmm(verlet, kernel=box, periods=1, start=rest, even=1))", 1, 0.3},
  {"rk4(hmm(verlet, kernel=exp5, periods=20, start=current))", 1, 0.3}, {"verlet(hmm(rk4, start=rest))", 1, 0.3},
  {"rk4(strobe(substeps(verlet, 32), order=2))", 1, 0.3141592653589793},
  {"heun(strobe(substeps(rk4, 16), order=4))", 1, 0.3141592653589793}, {"symmetric(verlet(hmm(verlet, start=rest)), order=4)", 1, 0.4}};
static const int counts[] = {1, 2, 7, 8, 64};

/* the same by epi_advance of each, whose force is that of the batch */
static void bits(void)
{
  static many a, b;
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++)
    for (size_t c = 0; c < sizeof counts/sizeof *counts; c++) {
      int n = counts[c], weighed = i % 2;
      start(&a, n, flows[i].phase, weighed, flows[i].phase ? 80 : 0);
      start(&b, n, flows[i].phase, weighed, flows[i].phase ? 80 : 0);
      epi_lanes *l = epi_lanes_make(flows[i].flow, n, a.of, a.s);
      if (epi_lanes_error(l, -1)) test_stop(epi_lanes_error(l, -1));
      check_count(epi_lanes_advance(l, flows[i].h, 7), 0);
      check_count(epi_lanes_run(l, 20.5*flows[i].h, flows[i].h), 0);
      for (int k = 0; k < n; k++) {
        epi_flow *f = epi_make(flows[i].flow, b.of[k]);
        if (epi_error(f)) test_stop(epi_error(f));
        check(!epi_advance(f, &b.s[k], flows[i].h, 7) && !epi_run(f, &b.s[k], 20.5*flows[i].h, flows[i].h));
        check_bits(4, a.y[k], b.y[k]);
        check(a.s[k].t == b.s[k].t && a.s[k].theta == b.s[k].theta);
        epi_free(f);
      }
      epi_lanes_free(l);
    }
}

/* one system for all */
static void shared(void)
{
  static many a, b;
  start(&a, 8, 0, 0, 0);
  start(&b, 8, 0, 0, 0);
  a.system[0].batch.forces = forces, a.system[0].batch.forces_of = NULL;
  for (int k = 0; k < 8; k++) a.of[k] = &a.system[0], b.of[k] = &b.system[0];
  epi_lanes *l = epi_lanes_make("verlet", 8, a.of, a.s), *m = epi_lanes_make("verlet", 8, b.of, b.s);
  check_count(epi_lanes_advance(l, 0.1, 100), 0);
  check_count(epi_lanes_advance(m, 0.1, 100), 0);
  for (int k = 0; k < 8; k++) check_bits(4, a.y[k], b.y[k]);
  epi_lanes_free(l);
  epi_lanes_free(m);
}

/* lanes 3 and 5 run into a wall, at different times; they stay where they were last good, and say why */
static void failing(void)
{
  static const char *const texts[] = {"verlet", "rk4", "symmetric(verlet, order=4)"};
  static many a, b;
  for (int i = 0; i < 3; i++) {
    start(&a, 8, 0, 0, 0);
    start(&b, 8, 0, 0, 0);
    a.p[3].wall = b.p[3].wall = 0.3, a.p[5].wall = b.p[5].wall = 0.35;
    a.y[3][2] = b.y[3][2] = 2, a.y[5][2] = b.y[5][2] = 0.3;
    epi_lanes *l = epi_lanes_make(texts[i], 8, a.of, a.s);
    int failed = 0;
    for (int k = 0; k < 20; k++) failed = epi_lanes_advance(l, 0.02, 10);
    check_count(failed, 2);
    for (int k = 0; k < 8; k++) {
      epi_flow *f = epi_make(texts[i], b.of[k]);
      int bad = epi_advance(f, &b.s[k], 0.02, 200);
      check_bits(4, a.y[k], b.y[k]);
      check((bad != 0) == (k == 3 || k == 5) && (epi_lanes_error(l, k) != NULL) == (bad != 0));
      if (bad) check_text(epi_lanes_error(l, k), epi_error(f));
      epi_free(f);
    }
    epi_lanes_free(l);
  }
}

/* a lane at which the average would be wrong is refused, however small it is beside the others */
static void refused_lane(void)
{
  static many a;
  start(&a, 8, 1, 0, 80);
  a.y[6][0] = a.y[6][1] = 1e-3;
  a.p[6].w2 = 900;
  a.p[6].drive = 1;
  epi_lanes *l = epi_lanes_make("verlet(hmm(verlet, start=rest, periods=20))", 8, a.of, a.s);
  check_count(epi_lanes_advance(l, 0.1, 5), 1);
  check_has(epi_lanes_error(l, 6), "slow motion is not slow");
  check(!epi_lanes_error(l, 5));
  epi_lanes_free(l);
}

static void refusals(void)
{
  static many a;
  static const struct { const char *flow, *part; } bad[] = {{"tolerance(dopri5)", "tolerance does not move in lanes"},
    {"gauss", "gauss does not move in lanes"}, {"no-such", "no-such"}, {"verlet(hmm(verlet, start=rest))", "phase"}};
  for (size_t i = 0; i < sizeof bad/sizeof *bad; i++) {
    start(&a, 2, 0, 0, 0);
    epi_lanes *l = epi_lanes_make(bad[i].flow, 2, a.of, a.s);
    check_has(epi_lanes_error(l, -1), bad[i].part);
    check_count(epi_lanes_advance(l, 0.1, 1), EPI_WRONG);
    epi_lanes_free(l);
  }
  start(&a, 2, 1, 0, 80);
  a.system[1].phase.phase_rate = 201;
  epi_lanes *l = epi_lanes_make("verlet", 2, a.of, a.s);
  check_has(epi_lanes_error(l, 0), "the phase and its rate of the first");
  epi_lanes_free(l);
  start(&a, 2, 0, 0, 0);
  a.system[0].batch.forces_of = a.system[1].batch.forces_of = NULL;
  a.system[0].batch.forces = a.system[1].batch.forces = forces;
  l = epi_lanes_make("verlet", 2, a.of, a.s);
  check_has(epi_lanes_error(l, 0), "fill in forces_of");
  epi_lanes_free(l);
}

int main(void)
{
  bits();
  shared();
  failing();
  refused_lane();
  refusals();
  return test_done();
}
