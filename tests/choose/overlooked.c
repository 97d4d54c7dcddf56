/* holds: short contacts, pulses and small coordinates within a long step are resolved or refused
 * overlooked.c - what a long step could go over: balls in free flight that would go through one another, a wall that only the first stages
 * of order 8 feel, short pulses of tables and of formulas, and small coordinates beside large ones. Right, or refused with a sentence */
#include "epicycle.h"
#include "epicycle/file.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the coordinate at the end, by the flow that is chosen, or by this one */
static double end_of(const char *text, const char *flow, double tol, double end, const char *coordinate, char *error, size_t size)
{
  epi_file *m = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(m)) test_stop(epi_file_sentence(m, 0)->text);
  epi_case *c = epi_file_case(m, 0);
  epi_chosen a = {.tol = tol, .end = end, .motion = EPI_FULL};
  double x = NAN;
  error[0] = 0;
  if (!flow && epi_choose(c, &a)) snprintf(error, size, "%s", a.error);
  epi_flow *f = error[0] ? NULL : epi_case_flow(c, flow ? flow : a.flow);
  epi_state s = epi_case_state(c);
  if (f && epi_run(f, &s, end, end)) snprintf(error, size, "%s", epi_error(f));
  for (int i = 0; f && !error[0] && i < epi_size(&c->system); i++) if (!strcmp(c->system.names[i], coordinate)) x = s.y[i];
  epi_free(f);
  epi_case_free(c);
  epi_file_free(m);
  return x;
}

/* ---- balls ---- */
static const char balls[] =
  "world:\n  gravity: [0, 0, %g]\n  bodies:\n"
  "    - {name: a, ball: 20 mm, material: steel, at: [%.17g, %.17g, %.17g], velocity: [%.17g, 0, %.17g]}\n"
  "    - {name: b, ball: 20 mm, material: steel, at: [0, 0, 0], velocity: [%.17g, 0, 0]}\n"
  "  contacts:\n    - {name: hit, shape: sphere-sphere, a: a, b: b, law: {material: steel}}\n";

static void head_on(void)
{
  char text[900], error[400];
  static const char *const flow[] = {NULL, "tolerance(dop853, rtol=1e-8, atol=1e-8)", "tolerance(symmetric(verlet, order=8), rtol=1e-8)",
                                     "tolerance(verlet, rtol=1e-7)"};
  for (int k = 0; k < 24; k++) {
    double v = k % 3 == 0 ? 1 : k % 3 == 1 ? 3 : 10, end = 1 + k % 4, when = (0.15 + 0.03*k)*end, with = k % 2 ? 0 : -0.3*v;
    snprintf(text, sizeof text, balls, 0., -(v - with)*when, 0., 0., v, 0., with);
    /* equal balls exchange their velocities */
    double got = end_of(text, flow[k % 4], 1e-5, end, "b.vx", error, sizeof error);
    check_abs(got, v, 1e-3*v);
    if (error[0]) puts(error);
  }
}

/* past one another by a little more than their radii, which nothing may hinder, and by a little less, as from near and with short steps */
static void grazing(void)
{
  char text[900], near[900], error[400];
  for (int k = 0; k < 8; k++) {
    double off = 0.04*(k < 4 ? 1 + 1e-4*(k + 1) : 1 - 3e-3*(k - 3));
    snprintf(text, sizeof text, balls, 0., -5. - k, off, 0., 4., 0., 0.);
    snprintf(near, sizeof near, balls, 0., -0.02, off, 0., 4., 0., 0.);
    double got = end_of(text, "tolerance(dop853, rtol=1e-9, atol=1e-9)", 0, 4, "b.vy", error, sizeof error);
    if (error[0]) puts(error);
    double want = end_of(near, "tolerance(dop853, rtol=1e-9, atol=1e-9, longest=2e-6)", 0, 0.02, "b.vy", error, sizeof error);
    check_abs(got, want, 1e-5);
    check(k < 4 ? want == 0 : want < -0.2);
  }
}

/* thrown up, it falls back onto a ball below: at first it moves away */
static void falls_back(void)
{
  char text[1200], error[400];
  snprintf(text, sizeof text, balls, 0., 0., 0., 1., 0., 3., 0.);
  strcat(text, "  loads:\n    - {name: pull, body: a, force: [0, 0, -2.6]}\n");
  double v = end_of(text, "tolerance(dop853, rtol=1e-9, atol=1e-9)", 0, 1.5, "b.vz", error, sizeof error);
  check_between(v, -6, -4);
  if (error[0]) puts(error);
}

/* a solver of its own steps says so; so does a run of fixed steps: tests/result/doubt.sh */
static void by_a_solver(void)
{
  char text[900], error[400];
  snprintf(text, sizeof text, balls, 0., -1.2774, 0., 0., 1., 0., 0.);
  end_of(text, "cvode(rtol=1e-6, atol=1e-6)", 0, 2, "b.vx", error, sizeof error);
  if (strstr(error, "is not in this build")) return;
  check_has(error, "goes through a contact");
  check_has(error, "longest=");
}

/* ---- stages that nothing has a weight for ---- */
static int wall(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = q[0] > 0 ? -1e8*q[0] : 0;
  return 0;
}

static void first_stages(void)
{
  epi_system m = {.nq = 1, .force = wall};
  int missed = 0;
  for (int k = 0; k < 200; k++) {
    epi_flow *f = epi_make("tolerance(dop853, rtol=1e-6, atol=1e-6)", &m);
    double y[] = {-0.1 - 0.037*k, 1};
    epi_state s = {.y = y};
    check_count(epi_run(f, &s, 20, 20), 0);
    /* an error of one step is what is allowed, not that of the run */
    missed += !(fabs(y[1] + 1) < 0.02);
    epi_free(f);
  }
  check_count(missed, 0);
}

/* ---- pulses ---- */
static const char knocks[] =
  "world:\n%s  bodies:\n    - {name: a, mass: 1, inertia: 1, at: [0, 0, 0], velocity: [0.1, 0, 0]}\n  loads:\n"
  "    - {name: k, body: a, %s}\n";
static const char *const knock[][2] = {
  {"", "force: [100, 0, 0], factor: {table: [[0, 0], [7.11, 0], [7.12, 1], [7.13, 0]]}"},
  {"", "force: [100, 0, 0], factor: {table: [[0, 0], [1, 0], [2, 0], [7.11, 0], [7.12, 1], [7.13, 0], [15, 0]]}"},
  {"", "force: \"50*(step(t-7.11)-step(t-7.13))\", along: x"},
  {"", "force: \"100*max(0, 1 - abs(t - 7.12)/0.01)\", along: x"},
  {"  tables: {knock: {points: [[-1, 0], [0, 1], [1, 0]], unit: N}}\n", "force: \"100*knock((t - 7.12 [s])/0.01 [s])\", along: x"},
};

static void pulses(void)
{
  char text[900], error[400];
  for (size_t k = 0; k < sizeof knock/sizeof *knock; k++)
    for (int e = 0; e < 2; e++) {
      double tol = e ? 1e-6 : 1e-3;
      snprintf(text, sizeof text, knocks, knock[k][0], knock[k][1]);
      check_abs(end_of(text, NULL, tol, 20, "a.x", error, sizeof error), 14.88, 3*tol*14.88);
      if (error[0]) puts(error);
    }
}

/* many turns of a fast phase at a time go over no point of a table either: as where all turns are resolved */
static void knock_in_a_phase(void)
{
  char error[400];
  const char *shaken = "world:\n  phase: {frequency: 1000 Hz}\n  bodies:\n    - {name: a, mass: 1, inertia: 1, at: [1, 0, 0]}\n  loads:\n"
    "    - {name: s, body: a, force: \"-0.5 [N/m]*x + 50 [N]*cos(theta)\", along: x}\n"
    "    - {name: k, body: a, force: [30, 0, 0], factor: {table: [[0, 0], [1.11, 0], [1.115, 1], [1.12, 0]]}}\n";
  double want = end_of(shaken, "tolerance(dop853, rtol=1e-10, atol=1e-11)", 0, 3, "a.x", error, sizeof error);
  for (int e = 0; e < 2; e++) {
    double tol = e ? 1e-5 : 1e-3;
    check_abs(end_of(shaken, NULL, tol, 3, "a.x", error, sizeof error), want, 3*tol);
    if (error[0]) puts(error);
  }
}

/* ---- bumps of models that do not say they are smooth ---- */
enum { HILL, BARRIER, PUSH, BUMPS };
static int bump(epi_system *s, double t, const double *q, double *f)
{
  int kind = *(const int *)s->data;
  double r2 = (q[0]*q[0] + q[1]*q[1])/0.0025, u = (q[0] - 0.31)/0.01;
  f[0] = kind == HILL ? 0.3*exp(-r2)/0.0025*q[0] : kind == BARRIER ? -q[0] + (fabs(u) < 1 ? 300*u*(1 - u*u) : 0) :
         -0.01*q[0] + (t > 6.11 && t < 6.16 ? 20 : 0);
  f[1] = kind == HILL ? 0.3*exp(-r2)/0.0025*q[1] - 9.81 : 0;
  return 0;
}

static int which;
static int make_bump(epi_case *c)
{
  static const double start[BUMPS][4] = {{-2.3, 0.2, 2, 5.55}, {1, 0, 0, 0}, {1, 0, 0.1, 0}};
  c->system = (epi_system){.nq = 2, .force = bump, .data = &which};
  if (epi_case_start(c)) return -1;
  memcpy(c->y, start[which], sizeof *start);
  return 0;
}

/* against steps that are held short from the start on */
static void bumps(void)
{
  static const double end[] = {2.4, 20, 20};
  const epi_model model = {.name = "bump", .doc = "a bump that long steps go over", .make = make_bump, .end = 1};
  for (which = 0; which < BUMPS; which++)
    for (int e = 0; e < 3; e++) {
      epi_case *c = epi_case_of(&model, "");
      epi_chosen a = {.tol = e == 2 ? 1e-8 : e ? 1e-6 : 1e-3, .end = end[which], .motion = EPI_FULL};
      check_count(epi_choose(c, &a), 0);
      if (a.error[0]) puts(a.error);
      epi_flow *f = epi_case_flow(c, a.flow), *exact = epi_case_flow(c, "tolerance(dop853, rtol=1e-12, atol=1e-13, longest=1e-3)");
      epi_state s = epi_case_state(c);
      double y[4];
      check_count(epi_run(f, &s, a.end, a.end), 0);
      memcpy(y, s.y, sizeof y);
      epi_state t = epi_case_state(c);
      check_count(epi_run(exact, &t, a.end, a.end), 0);
      for (int i = 0; i < 4; i++) check_abs(y[i], t.y[i], 3*a.tol*fmax(1, fabs(t.y[i])));
      epi_free(f);
      epi_free(exact);
      epi_case_free(c);
    }
}

/* ---- of a fast phase: a push of a few turns, and a hill that the slow motion meets, which steps over many turns go over ---- */
enum { RATE = 3000 };
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  const int kind = *(const int *)s->data;
  const double *at = (const double[]){3.301, 1.047, 5.2}, u = (q[0] - 0.05)/0.003;
  f[0] = -sin(q[0])*(1 + 0.3*RATE*cos(theta)) + (kind < 3 ? (t > at[kind] && t < at[kind] + 0.011 ? 60 : 0) : 20*u*exp(-0.5*u*u));
  return 0;
}

static int make_shaken(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = shaken, .phase_rate = RATE}, .data = &which};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.3;
  return 0;
}

static void over_turns(void)
{
  const epi_model model = {.name = "shaken", .doc = "a push or a hill that sums of turns go over", .make = make_shaken, .end = 1};
  for (which = 0; which < 4; which++)
    for (int e = 3; e < 8; e += 2) {
      epi_case *c = epi_case_of(&model, "");
      epi_chosen a = {.tol = pow(10, -e), .end = 6};
      check_count(epi_choose(c, &a), 0);
      epi_flow *f = epi_case_flow(c, a.flow), *exact = epi_case_flow(c, "tolerance(dop853, rtol=1e-12, atol=1e-12, longest=1e-3)");
      epi_state s = epi_case_state(c);
      check_count(epi_run(f, &s, a.end, a.end), 0);
      double q = s.y[0], v = s.y[1];
      s = epi_case_state(c);
      check_count(epi_run(exact, &s, a.end, a.end), 0);
      check_abs(q, s.y[0], 3*a.tol);
      check_abs(v, s.y[1], 3*a.tol);
      epi_free(f);
      epi_free(exact);
      epi_case_free(c);
    }
}

/* ---- a valley whose floor has a kink is no slow motion ---- */
static int kinked(epi_system *s, double t, const double *q, double *f)
{
  double d = q[1] - 0.3*fabs(q[0]);
  (void)s; (void)t;
  f[0] = -q[0] + (q[0] > 0 ? 0.3 : -0.3)*4e8*d;
  f[1] = -4e8*d;
  return 0;
}

static int make_kinked(epi_case *c)
{
  c->system = (epi_system){.nq = 2, .force = kinked};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->y[1] = 0.3;
  return 0;
}

static void kinks(void)
{
  const epi_model model = {.name = "kinked", .doc = "a valley with a kink", .make = make_kinked, .end = 10};
  for (int e = 2; e < 4; e++) {
    epi_case *c = epi_case_of(&model, "");
    epi_chosen a = {.tol = pow(10, -e), .end = 4, .motion = EPI_SLOW, .most = 3e5};
    int told = epi_choose(c, &a) && a.error[0];
    check(told || !a.slow_part);
    epi_case_free(c);
  }
}

/* ---- sizes: a micrometre beside the numbers of a rotation ---- */
static void small_ones(void)
{
  char error[400];
  const char *spindle = "world:\n  bodies:\n    - {name: a, mass: 1, inertia: [1, 1, 2], at: [1e-6, 0, 0], spin: [0, 0, 100]}\n"
                        "  loads:\n    - {name: k, body: a, force: \"-1e4 [N/m]*x\", along: x}\n";
  for (int e = 0; e < 2; e++) {
    double tol = e ? 1e-5 : 1e-3;
    check_abs(end_of(spindle, NULL, tol, 3, "a.x", error, sizeof error), 1e-6*cos(300), 3e-6*tol);
    if (error[0]) puts(error);
  }
  const char *still = "world:\n  bodies:\n    - {name: a, mass: 1, inertia: 1, at: [1e-6, 0, 0]}\n"
                      "  loads:\n    - {name: k, body: a, force: \"-100 [N/m]*x\", along: x}\n";
  check_abs(end_of(still, NULL, 1e-8, 10, "a.x", error, sizeof error), 1e-6*cos(100), 3e-14);
  if (error[0]) puts(error);
}

int main(void)
{
  head_on();
  grazing();
  falls_back();
  by_a_solver();
  first_stages();
  pulses();
  knock_in_a_phase();
  bumps();
  over_turns();
  kinks();
  small_ones();
  return test_done();
}
