/* holds: revolve keeps its tolerance at any time, at a cost that does not grow with the frequency
 * revolve.c - many periods in one step, and a period at once: errors within the tolerance at any time, cost that does not grow with the
 * frequency, every kind of system and micro flow, outputs that leave no trace, restarts, events, and what is refused */
#include "problems.h"
#include "test.h"

#define PI 3.14159265358979323846

/* ---- systems with a fast phase ---- */
static double w;                       /* of all of them */

/* a pendulum on a pivot that vibrates */
static int pendulum(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = (9.8 + 4*w*cos(theta))/0.2*sin(q[0]);
  return 0;
}
static int pendulums(epi_system *s, int lanes, const double *t, const double *theta, const double *q, double *f)
{
  (void)s; (void)t;
  for (int k = 0; k < lanes; k++) f[k] = (9.8 + 4*w*cos(theta[k]))/0.2*sin(q[k]);
  return 0;
}
/* the amplitude grows in slow time, with the overtone that goes with it */
static double ramp(double t) { return 4*(1 + t/2 + sin(5*t)/4); }
static double ramp_rate(double t) { return 4*(0.5 + 5*cos(5*t)/4); }
static int ramped(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = (9.8 + ramp_rate(t)*sin(theta) + ramp(t)*w*(cos(theta) + 0.3*cos(3*theta)))/0.2*sin(q[0]);
  return 0;
}
static int dragged(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 0.4*v[0] + 0.002*v[0]*v[0]*v[0];
  return 0;
}
/* what the drag has done */
static int heat(epi_system *s, double t, const double *y, double *dz) { (void)s; (void)t; dz[0] = 0.01*y[1]*y[1]; return 0; }
/* the pace grows */
static double faster(epi_system *s, double t) { (void)s; return w*(1 + t); }
static int chirped(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = (9.8 + 4*w*(1 + t)*cos(theta))/0.2*sin(q[0]);
  return 0;
}
/* two coordinates, a full mass, a harmonic each */
static int coupled(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = -2*q[0] + q[1]*q[1] + 0.5*w*cos(theta)*q[1] + cos(t);
  f[1] = -q[1]*q[0] - 3*q[1] + 0.7*w*sin(2*theta + 1)*(1 + q[0]);
  return 0;
}
/* a rate whose phase is in t itself */
static int turning(epi_system *s, double t, const double *y, double *dy)
{
  (void)s;
  dy[0] = y[1] + cos(w*t)*y[0];
  dy[1] = -y[0]*(1 + 0.5*y[2]) + sin(w*t);
  dy[2] = 0.3*cos(w*t)*sin(w*t + 0.4)*y[1] - 0.1*y[2];
  return 0;
}
/* the pendulum on its rod, in the frame of the pivot */
static int falling(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] = 0;
  f[1] = -(9.8 + 4*w*cos(theta));
  return 0;
}
static int on_rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s; (void)t; (void)gt;
  g[0] = (q[0]*q[0] + q[1]*q[1] - 0.04)/2;
  G[0] = q[0];
  G[1] = q[1];
  return 0;
}

static const double full_mass[4] = {1.3, 0.2, 0.2, 0.8};
typedef struct { const char *name; epi_system sys; double start[5]; int n; } problem;
static problem problems[] = {
  {"pendulum", {.nq = 1, .phase.forced = pendulum}, {0.5, 0}, 2},
  {"lanes", {.nq = 1, .phase.forced = pendulum, .batch.forces = pendulums}, {0.5, 0}, 2},
  {"ramp", {.nq = 1, .nz = 1, .phase.forced = ramped, .velocity_force = dragged, .rate = heat}, {0.5, 0, 0}, 3},
  {"chirp", {.nq = 1, .phase = {.forced = chirped, .phase_rate_at = faster}}, {0.5, 0}, 2},
  {"coupled", {.nq = 2, .phase.forced = coupled, .inertia.mass_matrix = full_mass}, {0.5, 0.2, 0, 0.3}, 4},
  {"rate", {.nz = 3, .rate = turning}, {0.5, 0.1, 0.3}, 3},
};
enum { PROBLEMS = sizeof problems/sizeof *problems, PENDULUM = 0, LANES = 1, RAMP = 2, CHIRP = 3 };

static void set_pace(double pace)
{
  w = pace;
  for (int i = 0; i < PROBLEMS; i++) {
    problems[i].sys.phase.period = problems[i].sys.phase.phase_rate_at ? 0 : 2*PI/w;
    problems[i].sys.phase.phase_rate = problems[i].sys.phase.phase_rate_at ? 0 : w;
  }
}

/* from the start, at phase theta, to each of n times */
static long follow(problem *p, const char *text, double theta, int n, const double *times, double (*y)[5])
{
  double x[5];
  memcpy(x, p->start, sizeof x);
  epi_state s = {.y = x, .theta = theta};
  epi_flow *f = epi_make(text, &p->sys);
  for (int k = 0; k < n; k++) {
    if (epi_run(f, &s, times[k], times[k] - s.t)) { printf("%s by %s\n", p->name, text); test_stop(epi_error(f)); }
    memcpy(y[k], x, sizeof x);
  }
  long calls = epi_calls(f);
  epi_free(f);
  return calls;
}

/* relative to the larger of 1 and the largest value; velocities swing far within a period */
static double apart(const problem *p, int n, double (*a)[5], double (*b)[5], const double *size)
{
  double worst = 0;
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(a[k][i] - b[k][i])/fmax(1, size ? size[i] : 0));
  return worst;
}

/* the largest values on the way */
static void sizes(problem *p, double theta, double *size)
{
  static double times[300], y[300][5];
  for (int k = 0; k < 300; k++) times[k] = (k + 1)/300.0;
  follow(p, "tolerance(dop853, rtol=1e-6)", theta, 300, times, y);
  memset(size, 0, 5*sizeof *size);
  for (int k = 0; k < 300; k++) for (int i = 0; i < p->n; i++) size[i] = fmax(size[i], fabs(y[k][i]));
}

static const double at[] = {0.05, 0.1234, 0.23, 0.31, 0.4, 0.4321, 0.5500123, 0.66, 0.7, 0.8765, 0.9, 1};
enum { TIMES = 12 };
static const char truth[] = "tolerance(dop853, rtol=1e-15, atol=1e-16)";

static void within(void)
{
  static const double tolerance[] = {1e-3, 1e-6, 1e-9};
  for (int e = 0; e < 3; e++)
    for (int i = 0; i < PROBLEMS; i++) {
      double ref[TIMES][5], y[TIMES][5], size[5], pace[] = {300, 2000, 2e4};
      set_pace(pace[e]);
      double theta = problems[i].sys.phase.forced ? 0.7*e : 0;
      follow(&problems[i], truth, theta, TIMES, at, ref);
      sizes(&problems[i], theta, size);
      for (int k = 0; k < 3; k++) {
        char text[80];
        snprintf(text, sizeof text, "revolve(picard, rtol=%g, span=1)", tolerance[k]);
        long calls = follow(&problems[i], text, theta, TIMES, at, y);
        double error = apart(&problems[i], TIMES, y, ref, size)/tolerance[k];
        if (!check_below(error, 3)) printf("  %s, w = %g, rtol = %g, %ld calls\n", problems[i].name, w, tolerance[k], calls);
        if (getenv("SHOW")) printf("%-9s w = %-6g rtol = %g: %.2g tol, %ld calls\n", problems[i].name, w, tolerance[k], error, calls);
      }
    }
}

/* no more evaluations at a frequency a thousand times higher, also where a force is not known to be smooth: then it is asked for its breaks
   in time, at 512 places and in two phases for what it does between the turns that are taken, and where a turn swings back for what it does
   between the points of that */
static void cost(void)
{
  /* at 110 places of the run, and at the ends of its steps, six evaluations say whether a force was missed there: that came later, and is
     counted by itself */
  const double averaged = 1200;
  double y[TIMES][5], slow, fast;
  set_pace(1e4);
  slow = (double)follow(&problems[PENDULUM], "revolve(picard, span=1)", 0, 1, at + TIMES - 1, y);
  set_pace(1e7);
  fast = (double)follow(&problems[PENDULUM], "revolve(picard, span=1)", 0, 1, at + TIMES - 1, y);
  check_below(fast, slow);
  check_below(slow, 8000 + 4.5*512 + averaged);
  check_below(fast, 6500 + 4.5*512 + averaged);
  problems[PENDULUM].sys.traits.smooth = 1;
  check_below((double)follow(&problems[PENDULUM], "revolve(picard, span=1)", 0, 1, at + TIMES - 1, y), 2500 + averaged);
  problems[PENDULUM].sys.traits.smooth = 0;
  printf("pendulum, 1e-6: %g evaluations at w = 1e4, %g at 1e7\n", slow, fast);
}

/* the batch callback gives the same run, to the bit, and is counted alike */
static void lanes(void)
{
  double a[TIMES][5], b[TIMES][5];
  set_pace(5e3);
  long one = follow(&problems[PENDULUM], "revolve(picard, span=1)", 0.2, TIMES, at, a);
  long many = follow(&problems[LANES], "revolve(picard, span=1)", 0.2, TIMES, at, b);
  for (int k = 0; k < TIMES; k++) check_bits(2, a[k], b[k]);
  check_count(many, one);
}

/* any micro flow that can cross a period; a resolved one costs more, and is as right */
static void micro_flows(void)
{
  static const char *const micro[] = {"substeps(symmetric(verlet, order=8), 12)", "substeps(dop853, 16)", "substeps(gauss(stages=3), 24)",
                                      "tolerance(dop853, rtol=1e-12, atol=1e-13)", "picard(nodes=12, sweeps=4, phases=9)",
                                      "substeps(picard, 2)"};
  double ref[TIMES][5], y[TIMES][5];
  set_pace(3000);
  follow(&problems[PENDULUM], truth, 0, TIMES, at, ref);
  for (size_t i = 0; i < sizeof micro/sizeof *micro; i++) {
    char text[120];
    snprintf(text, sizeof text, "revolve(%s, rtol=1e-7, span=1)", micro[i]);
    follow(&problems[PENDULUM], text, 0, TIMES, at, y);
    if (!check_below(apart(&problems[PENDULUM], TIMES, y, ref, NULL), 3e-6)) printf("  %s\n", micro[i]);
  }
}

/* on its rod: as the pendulum with one angle, and on the circle */
static void constrained(void)
{
  epi_system m = {.nq = 2, .nc = 1, .phase.forced = falling, .constraint = on_rod};
  double ref[TIMES][5];
  set_pace(1000);
  m.phase.phase_rate = w;
  follow(&problems[PENDULUM], truth, 0, TIMES, at, ref);
  double y[4] = {0.2*sin(0.5), 0.2*cos(0.5), 0, 0};
  epi_state s = {.y = y};
  epi_flow *f = epi_make("revolve(substeps(symmetric(verlet, order=4), 60), rtol=1e-5, span=1)", &m);
  for (int k = 0; k < TIMES; k++) {
    if (epi_run(f, &s, at[k], 1)) test_stop(epi_error(f));
    check_abs(atan2(y[0], y[1]), ref[k][0], 3e-5);
    check_abs(y[0]*y[0] + y[1]*y[1], 0.04, 1e-12);
    check_abs(y[0]*y[2] + y[1]*y[3], 0, 1e-10);
  }
  epi_free(f);
}

/* what puts a state on its rod belongs to no period: steps are as long as without one, at any frequency */
static void constrained_cost(void)
{
  static const double pace[] = {1e4, 1e6};
  for (size_t i = 0; i < sizeof pace/sizeof *pace; i++) {
    epi_system m = {.nq = 2, .nc = 1, .phase = {.forced = falling, .phase_rate = pace[i]}, .constraint = on_rod};
    double ref[TIMES][5], y[4] = {0.2*sin(0.5), 0.2*cos(0.5), 0, 0};
    set_pace(pace[i]);
    follow(&problems[PENDULUM], "revolve(picard, rtol=1e-9, span=1)", 0, TIMES, at, ref);
    epi_state s = {.y = y};
    epi_flow *f = epi_make("revolve(substeps(dop853, 6), rtol=1e-4, span=1)", &m);
    for (int k = 0; k < TIMES; k++) {
      if (epi_run(f, &s, at[k], 1)) test_stop(epi_error(f));
      check_abs(atan2(y[0], y[1]), ref[k][0], 1e-4);
    }
    check_below((double)epi_calls(f), 30000);
    epi_free(f);
  }
}

/* a step of one period is the micro flow itself */
static void single_periods(void)
{
  double a[2] = {0.5, 0}, b[2] = {0.5, 0}, T;
  set_pace(200);
  T = 2*PI/w;
  epi_state s = {.y = a}, r = {.y = b};
  epi_flow *f = epi_make("revolve(substeps(verlet, 40), rtol=1e-13)", &problems[PENDULUM].sys);
  epi_flow *g = epi_make("substeps(verlet, 40)", &problems[PENDULUM].sys);
  check_count(epi_advance(f, &s, T, 12), 0);
  check_count(epi_advance(g, &r, T, 12), 0);
  check_array(2, a, b, 1e-12);
  epi_free(f);
  epi_free(g);
}

static const char *const kinds[] = {
  "revolve(picard)", "revolve(picard, rtol=1e-8, span=1)", "revolve(substeps(rk4, 40), rtol=1e-4)",
  "revolve(tolerance(dopri5, rtol=1e-8), rtol=1e-5, span=2)", "picard", "picard(nodes=8, sweeps=3, phases=5)"
};
enum { KINDS = sizeof kinds/sizeof *kinds };

static void no_trace(void)
{
  set_pace(2000);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < PROBLEMS - 1; j++) {
      static const double every[] = {0.5, 0.25, 0.0078125};
      problem *p = &problems[j];
      double first[5];
      for (int k = 0; k < 3; k++) {
        double y[5];
        memcpy(y, p->start, sizeof y);
        epi_state s = {.y = y};
        epi_flow *f = epi_make(kinds[i], &p->sys);
        if (!check_count(epi_run(f, &s, 0.5, every[k]), 0)) printf("  %s\n", epi_error(f));
        check_abs(s.t, 0.5, 0);
        if (!k) memcpy(first, y, sizeof y);
        else if (!check_bits(p->n, y, first)) printf("  %s of %s, rows every %g\n", kinds[i], p->name, every[k]);
        epi_free(f);
      }
    }
}

/* saved anywhere and loaded into another flow: the same bits */
static void restarts(void)
{
  set_pace(2000);
  for (int i = 0; i < KINDS; i++)
    for (int j = 0; j < PROBLEMS; j++) {
      problem *p = &problems[j];
      double y[5], z[5];
      memcpy(y, p->start, sizeof y);
      epi_state s = {.y = y}, r = {.y = z};
      epi_flow *f = epi_make(kinds[i], &p->sys);
      for (int k = 0; k < 6; k++) {
        FILE *file = tmpfile();
        epi_flow *g = epi_make(kinds[i], &p->sys);
        check_count(epi_save(f, &s, file), 0);
        rewind(file);
        check_count(epi_load(g, &r, file), 0);
        if (!check_count(epi_advance(f, &s, 0.0217, 2), 0)) printf("  %s of %s: %s\n", kinds[i], p->name, epi_error(f));
        check_count(epi_advance(g, &r, 0.0217, 2), 0);
        if (!check_bits(p->n, z, y)) printf("  %s of %s, after %d\n", kinds[i], p->name, 2*k);
        epi_free(g);
        fclose(file);
      }
      epi_free(f);
    }
}

/* the slow angle passes zero: when, and that the run goes on from there */
static void events(void)
{
  double y[2][2], t[2];
  set_pace(5000);
  for (int k = 0; k < 2; k++) {
    static const char *const text[] = {"at(tolerance(dop853, rtol=1e-13), of=0, direction=down, stop=1)",
                                       "at(revolve(picard, rtol=1e-9, span=1), of=0, direction=down, stop=1)"};
    y[k][0] = 0.5;
    y[k][1] = 0;
    epi_state s = {.y = y[k]};
    epi_flow *f = epi_make(text[k], &problems[PENDULUM].sys);
    check_count(epi_run(f, &s, 1, k ? 0.3 : 1e-3), EPI_STOPPED);
    t[k] = s.t;
    epi_free(f);
  }
  check_abs(t[1], t[0], 1e-8);
  check_array(2, y[1], y[0], 1e-6);
}

/* there and back */
static void backward(void)
{
  double y[2] = {0.5, 0};
  set_pace(5000);
  epi_state s = {.y = y};
  epi_flow *f = epi_make("revolve(picard, rtol=1e-9, span=1)", &problems[PENDULUM].sys);
  check_count(epi_run(f, &s, 0.613, 0.2), 0);
  check_above(fabs(y[0] - 0.5), 0.05);
  check_count(epi_run(f, &s, 0, -0.2), 0);
  check_abs(y[0], 0.5, 1e-7);
  epi_free(f);
}

/* the user turns the velocity round on the way: it is felt */
static void changed(void)
{
  double y[2] = {0.5, 0}, z[2];
  set_pace(5000);
  epi_state s = {.y = y};
  epi_flow *f = epi_make("revolve(picard, rtol=1e-8)", &problems[PENDULUM].sys);
  check_count(epi_run(f, &s, 0.3, 0.1), 0);
  y[1] += 1;
  memcpy(z, y, sizeof z);
  epi_state r = {.t = s.t, .theta = s.theta, .y = z};
  epi_flow *g = epi_make(truth, &problems[PENDULUM].sys);
  check_count(epi_run(f, &s, 0.5, 0.1), 0);
  check_count(epi_run(g, &r, 0.5, 0.2), 0);
  check_array(2, y, z, 1e-6);
  epi_free(f);
  epi_free(g);
}

/* ---- refused, in words ---- */
static int wrong_period(epi_system *s, double t, double theta, const double *q, double *f) { return pendulum(s, t, theta/2, q, f); }
static int jumpy(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = (9.8 + 4*w*(sin(theta) > 0.3 ? 1 : -1))/0.2*sin(q[0]);
  return 0;
}

static void refuses(epi_system *m, const char *text, const char *words)
{
  double y[8] = {0.5, 0.1};
  epi_state s = {.y = y};
  epi_flow *f = epi_make(text, m);
  int bad = epi_run(f, &s, 0.1, 0.1);
  check(bad != 0);
  if (!epi_error(f) || !check_has(epi_error(f), words)) printf("  %s: %s\n", text, epi_error(f));
  epi_free(f);
}

static void refused(void)
{
  set_pace(2000);
  epi_system m = problems[PENDULUM].sys, none = {.nq = 2, .force = henon_force}, half = m, jumps = m;
  epi_system held = {.nq = 2, .nc = 1, .phase = {.forced = falling, .phase_rate = w}, .constraint = on_rod};
  half.phase.forced = wrong_period;
  jumps.phase.forced = jumpy;
  refuses(&m, "revolve(verlet)", "substeps(verlet, 20)");
  refuses(&none, "revolve(substeps(verlet, 20))", "does not know the fast period");
  refuses(&none, "picard", "does not know the fast period");
  refuses(&half, "revolve(picard)", "when its phase turns once");
  refuses(&jumps, "revolve(picard, rtol=1e-6)", "not smooth");
  refuses(&held, "picard", "constraints");
  refuses(&m, "revolve(picard, rtol=-1)", "rtol is -1");
  refuses(&m, "revolve(picard, order=99)", "order is 99");
  refuses(&m, "revolve(picard, span=-1)", "span is -1");
  refuses(&m, "picard(phases=4)", "an odd number");
  refuses(&m, "picard(nodes=1000)", "nodes is 1000");
  refuses(&m, "tolerance(revolve(picard))", "chooses its own steps");
}

/* a tolerance that rounding does not allow is met as far as it goes, and said */
static void rounding(void)
{
  double y[2] = {0.5, 0};
  set_pace(1e8);
  epi_state s = {.y = y};
  epi_flow *f = epi_make("revolve(picard, rtol=1e-11, span=1)", &problems[PENDULUM].sys);
  check_count(epi_run(f, &s, 0.2, 0.2), 0);
  check(epi_warning(f, 0) != NULL);
  if (epi_warning(f, 0)) check_has(epi_warning(f, 0), "rounding");
  epi_free(f);
}

/* micro-steps that are too long for the tolerance are told of, and those that are not are not */
static void coarse(void)
{
  static const struct { const char *text; int told; } all[] = {
    {"revolve(substeps(verlet, 8), rtol=1e-6, span=1)", 1}, {"revolve(substeps(symmetric(verlet, order=8), 24), rtol=1e-6, span=1)", 0},
    {"revolve(picard, rtol=1e-6, span=1)", 0},
    /* without span a few periods add up to little, and the 95 of this run to three tolerances */
    {"revolve(substeps(verlet, 24), rtol=1e-3)", 1}, {"revolve(substeps(verlet, 160), rtol=1e-3)", 0},
  };
  set_pace(3000);
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    double y[2] = {0.5, 0};
    epi_state s = {.y = y};
    epi_flow *f = epi_make(all[i].text, &problems[PENDULUM].sys);
    check_count(epi_run(f, &s, 0.2, 0.2), 0);
    if (!check_count(epi_warning(f, 0) != NULL, all[i].told)) printf("  %s: %s\n", all[i].text, epi_warning(f, 0));
    if (all[i].told && epi_warning(f, 0)) check_has(epi_warning(f, 0), "times the tolerance");
    epi_free(f);
  }
}

int main(void)
{
  coarse();
  within();
  cost();
  lanes();
  micro_flows();
  constrained();
  constrained_cost();
  single_periods();
  no_trace();
  restarts();
  events();
  backward();
  changed();
  refused();
  rounding();
  return test_done();
}
