/* holds: smooth forces that swell or kick within a period meet their tolerance without a warning
 * choose-swells.c - smooth forces that are not slow: a fast force that swells after a quiet start, in time or along a path, and a kick once
 * a turn that is far narrower than the points of a period are apart. To say of them that they are smooth is right, and their solutions
 * must be so, without a warning */
#include "requests.h"

enum { ROWS = 20 };

/* a vibrator runs for a short while, long after the start; its amplitude is 1e-111 there */
static int burst(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double u = (t - 3.2)/0.21;
  (void)s;
  f[0] = -3*sin(q[0]) - 330*cos(theta)*exp(-u*u)*(1 + q[0]);
  return 0;
}

/* a particle drifts through a fast field, which shakes a pendulum next to it */
static int field(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double u = (q[0] - 0.6)/0.05, A = 150*cos(theta)*exp(-u*u);
  (void)s, (void)t;
  f[0] = -4*A*q[1]*u;
  f[1] = -9*q[1] + A*(1 + q[1]);
  return 0;
}

/* a vibrator that runs up from rest */
static int runs_up(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = -4*sin(q[0]) - 1500*(1 - exp(-t/0.4))*cos(theta)*(1 + q[0]);
  return 0;
}

/* a pendulum that is kicked once a turn, for a part of it that is 2.4/sqrt(sharpness)/(2 pi) wide */
static int kicked(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double sharpness = *(const double *)s->data;
  (void)t;
  f[0] = -4*sin(q[0]) + 2.5*sqrt(sharpness)*exp(sharpness*(cos(theta - 1) - 1))*(cos(q[0]) - 0.3);
  return 0;
}

/* the same in time, where nobody knows of a phase: steps of a quiet motion go over all kicks */
static int kicked_in_time(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -4*sin(q[0]) + 50*exp(700*(cos(67*t - 1) - 1))*(cos(q[0]) - 0.3);
  return 0;
}

/* what was found where a force is almost nothing is found anew when it grows: no check on the way finds that it was too little */
static void quiet(const char *what, request q, const char *flow)
{
  now = &q;
  epi_case *c = epi_case_of(&OWN, "");
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  check_count(epi_run(f, &s, q.end, q.end), 0);
  if (epi_warning(f, 0)) printf("%s by %s: %s\n", what, flow, epi_warning(f, 0));
  check(!epi_warning(f, 0));
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  static double narrow = 2700, wide = 116;
  static const char exact[] = "tolerance(dop853, rtol=1e-12, atol=1e-14, longest=2e-3)";
  static const request all[] = {
    {NULL, {.nq = 1, .phase = {.forced = burst, .phase_rate = 420}, .traits.smooth = 1}, {0.12}, 4.5, 1e-3, ROWS, exact, NULL},
    {NULL, {.nq = 1, .phase = {.forced = burst, .phase_rate = 420}, .traits.smooth = 1}, {0.12}, 4.5, 1e-6, ROWS, exact, NULL},
    {NULL, {.nq = 2, .phase = {.forced = field, .phase_rate = 232}, .traits.smooth = 1}, {0, -0.04, 0.65}, 1.55, 1e-3, ROWS, exact, NULL},
    {NULL, {.nq = 2, .phase = {.forced = field, .phase_rate = 232}, .traits.smooth = 1}, {0, -0.04, 0.65}, 1.55, 1e-6, ROWS, exact, NULL},
    {NULL, {.nq = 1, .phase = {.forced = runs_up, .phase_rate = 800}, .traits.smooth = 1}, {0.3}, 3, 1e-6, ROWS, exact, "revolve"},
    {NULL, {.nq = 1, .phase = {.forced = kicked, .phase_rate = 100}, .traits.smooth = 1, .data = &narrow}, {0.46}, 3.5, 1e-3, ROWS,
     "tolerance(dop853, rtol=1e-12, atol=1e-14, longest=3e-4)", NULL},
    {NULL, {.nq = 1, .phase = {.forced = kicked, .phase_rate = 100}, .traits.smooth = 1, .data = &narrow}, {0.46}, 3.5, 1e-6, ROWS,
     "tolerance(dop853, rtol=1e-12, atol=1e-14, longest=3e-4)", NULL},
    {NULL, {.nq = 1, .phase = {.forced = kicked, .phase_rate = 272}, .traits.smooth = 1, .data = &wide}, {-0.59}, 2.9, 1e-6, ROWS, exact,
     NULL},
    {NULL, {.nq = 1, .force = kicked_in_time, .traits.smooth = 1}, {-0.2}, 7, 1e-5, ROWS,
     "tolerance(dop853, rtol=1e-12, atol=1e-14, longest=1e-3)", "longest="},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) solve(&all[i]);
  quiet("a burst", all[1], "revolve(picard, rtol=1e-6, span=4.5)");
  quiet("a field", all[3], "revolve(picard, rtol=1e-6, span=1.55)");
  quiet("a run-up", all[4], "revolve(picard, rtol=1e-7, span=3)");
  return test_done();
}
