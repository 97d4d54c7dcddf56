/* holds: hmm and strobe of forces of slow time and fast phase have errors of order 1/w at any time
 * slow-time.c - forces that depend on slow time and on a fast phase: a pendulum on a pivot whose vibrations grow, and one whose
 * vibrations quicken. Every window begins at one phase, whatever its time, so the slow solution knows nothing of the period: its
 * error is of order 1/w, at strobe times and between them alike, and it does not depend on where the macro steps fall
 * label: long */
#include "averages.h"

/* the pivot moves with v(t) sin theta: a = v' sin theta + v theta' cos theta, q'' = (g + a)/l sin q */
static double ramp(double t) { return 4*(1 + t/2 + sin(5*t)/4); }
static double ramp_slope(double t) { return 4*(0.5 + 1.25*cos(5*t)); }

static int ramped(epi_system *s, double t, double theta, const double *q, double *f)
{
  f[0] = (9.8 + ramp_slope(t)*sin(theta) + ramp(t)*s->phase.phase_rate*cos(theta))/0.2*sin(q[0]);
  return 0;
}

static double pace(epi_system *s, double t) { return *(double *)s->data*(1 + t); }
static int chirped(epi_system *s, double t, double theta, const double *q, double *f)
{
  f[0] = (9.8 + 4*pace(s, t)*cos(theta))/0.2*sin(q[0]);
  return 0;
}

enum { RAMP, CHIRP, PROBLEMS };
static const char *const NAME[] = {"ramp", "chirp"};

static epi_system system_of(int problem, double *w)
{
  if (problem == RAMP) return (epi_system){.nq = 1, .phase = {.forced = ramped, .phase_rate = *w}};
  return (epi_system){.nq = 1, .phase = {.forced = chirped, .phase_rate_at = pace}, .data = w};
}

/* the time at which the phase has turned n times */
static double strobe_time(int problem, double w, double n) { return problem == RAMP ? 2*PI*n/w : sqrt(1 + 4*PI*n/w) - 1; }
static double turns_until(int problem, double w, double t) { return (problem == RAMP ? w*t : w*(t + t*t/2))/(2*PI); }

static const char *const AVERAGE = "hmm(symmetric(verlet), kernel=kaiser, periods=16, leak=2e-8, steps=32%s)";

/* worst difference between the slow solution and the filtered resolved one, over times at the given fraction of a period */
static double worst(int problem, double w, double fraction, const char *start, double theta0)
{
  epi_system m = system_of(problem, &w);
  char text[256], average[200];
  snprintf(average, sizeof average, AVERAGE, start);
  snprintf(text, sizeof text, "rk4(%s)", average);
  epi_flow *fine = epi_make("symmetric(verlet, order=8)", &m), *filter = epi_make("symmetric(verlet, order=8)", &m);
  epi_flow *slow = epi_make(text, &m);
  double y[] = {0.5, 0}, Y[2], mean[2], h = 2*PI/w/16, e = 0;
  int wide = 8*16, bad = epi_error(slow) != NULL;
  epi_state s = {.y = y, .theta = theta0}, S = {.y = Y};
  bad |= filtered(filter, s, 2, wide, h, Y);
  for (int k = 1; k <= 8 && !bad; k++) {
    double t = strobe_time(problem, w, floor(turns_until(problem, w, k/8.0)) + fraction);
    bad = epi_run(fine, &s, t, h) || filtered(filter, s, 2, wide, h, mean) || epi_run(slow, &S, t, 1./160);
    e = fmax(e, fabs(Y[0] - mean[0]));
  }
  if (!check_count(bad, 0)) printf("  %s %s %s\n", epi_error(slow), epi_error(fine), epi_error(filter));
  epi_free(fine);
  epi_free(filter);
  epi_free(slow);
  return e;
}

static void first_order(int problem, const char *start, double theta0)
{
  enum { N = 4 };
  double h[N], at[N], between[N];
  for (int i = 0; i < N; i++) {
    double w = 500*pow(2, i);
    h[i] = 1/w;
    at[i] = worst(problem, w, 0, start, theta0);
    between[i] = worst(problem, w, 0.37, start, theta0);
    printf("%-5s%-16s w = %4g: error at strobe times %.2e, between %.2e\n", NAME[problem], start, w, at[i], between[i]);
    check_between(between[i]/at[i], 0.9, 1.1);
  }
  check_order(N, h, at, 1, 0.1);
  check_order(N, h, between, 1, 0.1);
}

/* macro steps that divide the period, and steps that do not, have one limit: far nearer to one another than a period */
static void any_step(int problem)
{
  double w = 500, period = 2*PI/w, y[3][2];
  epi_system m = system_of(problem, &w);
  char average[200], text[256];
  snprintf(average, sizeof average, AVERAGE, "");
  snprintf(text, sizeof text, "dop853(%s)", average);
  const double H[] = {period, 0.7*period, 1.0/83};
  for (int i = 0; i < 3; i++) {
    epi_flow *f = epi_make(text, &m);
    y[i][0] = 0.5;
    y[i][1] = 0;
    epi_state s = {.y = y[i]};
    check_count(epi_run(f, &s, 0.9, H[i]), 0);
    epi_free(f);
  }
  printf("%-5s macro steps of 1, 0.7 and 0.96 periods end at q = %.9f %.9f %.9f\n", NAME[problem], y[0][0], y[1][0], y[2][0]);
  for (int i = 1; i < 3; i++) check_abs(y[i][0], y[0][0], 1e-7);
}

/* a quarter of a period later the slow force has hardly changed; with a phase that runs with t it jumps with the phase */
static void running_phase(void)
{
  double w = 4000, period = 2*PI/w, y[2] = {0.5, 0}, jump[2], f[2];
  static const char *const average[] = {"hmm(symmetric(verlet), start=current)", "hmm(symmetric(verlet), start=current, phase=running)"};
  epi_system m = system_of(RAMP, &w);
  epi_name names[] = {{.name = "model", .system = &m}, {0}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) check_count(slow_force(average[k], names, 0.3 + i*0.25*period, 1, y, f + i), 0);
    jump[k] = fabs(f[1] - f[0]);
  }
  printf("a quarter of a period later the slow force differs by %.1e at a fixed phase, by %.1e at a running one\n", jump[0], jump[1]);
  check_below(jump[0], 200*period);
  check_above(jump[1], 5*jump[0]);
}

int main(void)
{
  for (int p = 0; p < PROBLEMS; p++) {
    first_order(p, "", 0);
    first_order(p, ", start=current", 0);
    any_step(p);
  }
  first_order(RAMP, ", theta0=3", 3);
  running_phase();
  return test_done();
}
