/* holds: stroboscopic averaging refuses what it cannot solve, with a remedy */
#include "problems.h"
#include "test.h"

#define PI 3.14159265358979323846

static int spring(epi_system *m, double t, const double *q, double *f)
{
  (void)m, (void)t;
  f[0] = -1e4*q[0];
  return 0;
}
static int velocity_force(epi_system *m, double t, const double *q, const double *v, double *f)
{
  (void)m, (void)t, (void)q;
  f[0] += -0.5*v[0];
  return 0;
}

/* fast time in the force itself */
static int clocked(epi_system *m, double t, const double *q, double *f)
{
  (void)m;
  f[0] = -q[0]*(1 + 100*cos(100*t));
  return 0;
}
static int clocked_rate(epi_system *m, double t, const double *y, double *dy)
{
  (void)m;
  dy[0] = -y[0]*(1 + cos(100*t)*cos(100*t));
  return 0;
}
/* slow time is welcome there */
static int drifting(epi_system *m, double t, const double *q, double *f)
{
  (void)m;
  f[0] = -1e4*q[0] + sin(5*t);
  return 0;
}
static int once(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m, (void)t;
  f[0] = -q[0]*theta;
  return 0;
}
static int around(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m, (void)t;
  f[0] = -q[0]*(1 + 100*cos(theta));
  return 0;
}
/* its phase stands in t, and theta is not looked at; slow time beside a true phase is welcome */
static int hidden(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m, (void)theta;
  f[0] = -q[0]*(1 + 100*cos(100*t));
  return 0;
}
static int overtone(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m, (void)theta;
  f[0] = -q[0]*(1 + 100*cos(400*t));
  return 0;
}
static int growing(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m;
  f[0] = -q[0]*(1 + 100*(1 + t)*cos(theta + 7*t));
  return 0;
}
static int seen(void *data, const epi_system *m, epi_state *s) { (void)data, (void)m, (void)s; return 0; }

#define T (2*PI/100)
static const epi_system swing = {.nq = 1, .force = spring, .velocity_force = velocity_force, .phase.period = T},
  timeless = {.nq = 1, .force = spring},
  oneway = {.nq = 1, .force = spring, .velocity_force = velocity_force, .phase.period = T, .traits.irreversible = 1},
  slow_clock = {.nq = 1, .force = drifting, .phase.period = T},
  fast_clock = {.nq = 1, .force = clocked, .phase.period = T}, paced_clock = {.nq = 1, .force = clocked, .phase.phase_rate = 100},
  wrong_clock = {.nq = 1, .force = clocked, .phase.period = 2*PI/70},
  circle = {.nq = 1, .phase = {.forced = around, .phase_rate = 100}}, no_circle = {.nq = 1, .phase = {.forced = once, .phase_rate = 100}},
  hidden_clock = {.nq = 1, .phase = {.forced = hidden, .phase_rate = 100}}, hidden_overtone = {.nq = 1,
                                                                                               .phase = {.forced = overtone,
                                                                                                         .phase_rate = 100}},
  slow_drive = {.nq = 1, .phase = {.forced = growing, .phase_rate = 100}},
  rate_clock = {.nz = 1, .rate = clocked_rate, .phase.period = T}, rate_wrong = {.nz = 1, .rate = clocked_rate, .phase.phase_rate = 130},
  rate_phase = {.nz = 1, .rate = clocked_rate, .phase.phase_rate = 100};

/* part: what the sentence must say; NULL: it runs */
static void says(const char *text, const epi_system *system, const char *part)
{
  epi_system m = *system;
  epi_name names[] = {{.name = "model", .system = &m}, {.name = "look", .see = seen}, {0}};
  double y[] = {0.5, 0.1};
  epi_state s = {.y = y};
  epi_flow *f = epi_make_named(text, names);
  int bad = epi_advance(f, &s, 0.1, 3);
  if (part) {
    check(bad < 0);
    check_has(epi_error(f), part);
    check(y[0] == 0.5 && y[1] == 0.1 && s.t == 0);
  } else if (!check_count(bad, 0)) printf("%s: %s\n", text, epi_error(f));
  epi_free(f);
}

static void before_the_first_step(void)
{
  says("rk4(strobe(substeps(rk4, 20), order=3))", &swing, "take 1, 2, 4, 6 or 8");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &swing, NULL);
  says("rk4(strobe(substeps(rk4, 20), order=2))", &oneway, "take order=1");
  says("rk4(strobe(substeps(rk4, 20), order=1))", &oneway, NULL);
  says("rk4(strobe(substeps(rk4, 20)))", &timeless, "does not know the fast period");
  says("rk4(strobe(substeps(rk4, 20), period=0.0628318530717958648))", &timeless, NULL);
  says("rk4(strobe(kick))", &swing, "moves time");
  says("rk4(strobe(rk4))", &swing, "put substeps(rk4, 20) around it");
  says("rk4(strobe(substeps(rk4, 20), period=0.1))", &circle, "not a whole number");
  says("rk4(strobe(substeps(rk4, 40), period=0.125663706143591730))", &circle, NULL);
  /* also where a force takes the phase from t */
  says("rk4(strobe(substeps(rk4, 20), period=0.1))", &paced_clock, "not a whole number");
  says("revolve(substeps(rk4, 20), period=0.1)", &paced_clock, "not a whole number");
  says("rk4(strobe(substeps(rk4, 20), clean=1))", &swing, "clean=1 needs a system of your own with a rate");
  says("rk4(strobe(substeps(watch(rk4, see=look), 20), clean=1))", &rate_phase, "differences from the slow state");
  says("rk4(strobe(substeps(watch(rk4, see=look), 20)))", &rate_phase, NULL);
}

/* what only the force itself can tell */
static void at_the_first_window(void)
{
  says("rk4(strobe(substeps(rk4, 20), order=4))", &slow_clock, NULL);
  says("rk4(strobe(substeps(rk4, 20), order=4))", &fast_clock, "use forced(t, theta, q) with phase_rate");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &wrong_clock, "is not a period of the force");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &no_circle, "the period 2 pi in theta");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &hidden_clock, "take the fast phase in forced(t, theta, q) from theta");
  says("rk4(strobe(substeps(rk4, 80), order=4))", &hidden_overtone, "take the fast phase in forced(t, theta, q) from theta");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &slow_drive, NULL);
  says("rk4(strobe(substeps(rk4, 20), order=4))", &rate_clock, "set phase_rate");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &rate_wrong, "is not a period of the force");
  says("rk4(strobe(substeps(rk4, 20), order=4))", &rate_phase, NULL);
}

/* its order is that of its differences, whatever moves inside */
static void note_order(void *order, const epi_info *i) { if (!strcmp(i->record->name, "strobe")) *(int *)order = i->order; }
static void orders(void)
{
  static const struct { const char *text; int order; } rows[] = {
    {"rk4(strobe(substeps(dop853, 8)))", 2}, {"rk4(strobe(substeps(dop853, 8), order=4))", 4},
    {"rk4(strobe(substeps(rk4, 20), order=6))", 6}
  };
  for (int i = 0; i < 3; i++) {
    epi_system m = circle;
    epi_flow *f = epi_make(rows[i].text, &m);
    int order = 0;
    epi_walk(f, note_order, &order);
    check_count(order, rows[i].order);
    epi_free(f);
  }
}

/* rotations may look forward alone: every window starts from units */
static void rotations(void)
{
  epi_system top = {.nq = 4, .nv = 3, .force = top_force, .manifold = {.retract = top_turn, .retract_rate = top_slew},
                    .mass = top_inertia, .phase.period = 0.01};
  epi_flow *f = epi_make("rk4(strobe(substeps(rk4, 20), order=1))", &top);
  check_text(epi_error(f) ? epi_error(f) : "", "");
  epi_free(f);
}

/* a one-way system at order 1: exp(-t/4) is its slow law */
static void one_way(void)
{
  epi_system m = oneway;
  double y[] = {0.5, 0};
  epi_state s = {.y = y};
  epi_flow *f = epi_make("rk4(strobe(substeps(rk4, 64), order=1))", &m);
  check(!epi_advance(f, &s, 0.05, 40));
  check_rel(hypot(y[0], y[1]/100), 0.5*exp(-0.5), 0.01);
  epi_free(f);
}

int main(void)
{
  before_the_first_step();
  at_the_first_window();
  orders();
  rotations();
  one_way();
  return test_done();
}
