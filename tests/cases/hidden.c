/* hidden.c - one pendulum whose pivot shakes, told to the library in right and in wrong ways: a phase hidden in t, a wrong period */
#include <epicycle.h>
#include <math.h>
static double W = 1e4;
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = (9.81 / 0.2 + 20 * W * cos(W * t)) * sin(q[0]);
  return 0;
}
static int rate(epi_system *s, double t, const double *y, double *d)
{
  (void)s;
  d[0] = y[1];
  d[1] = (9.81 / 0.2 + 20 * W * cos(W * t)) * sin(y[0]) - 0.5 * y[1];
  return 0;
}
static int forced(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s;
  (void)t;
  f[0] = (9.81 / 0.2 + 20 * W * cos(th)) * sin(q[0]);
  return 0;
}
static int forced_bad(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s;
  (void)th;
  f[0] = (9.81 / 0.2 + 20 * W * cos(W * t)) * sin(q[0]);
  return 0;
}
static int forced_bad2(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s;
  (void)t;
  f[0] = (9.81 / 0.2 + 20 * W * cos(th / 2)) * sin(q[0]);
  return 0;
}
static int forced_sin(epi_system *s, double t, double th, const double *q, double *f)
{
  (void)s;
  (void)t;
  f[0] = (9.81 / 0.2 + 20 * W * sin(th)) * sin(q[0]);
  return 0;
}
static void go(const char *what, epi_system *m, const char *text, double h)
{
  double y[] = {0.3, 0};
  epi_state st = {.y = y};
  epi_flow *f = epi_make(text, m);
  int r = epi_run(f, &st, 1.0, h);
  printf("%-10s %-60s rc=%d calls=%ld t=%g q=%.8f v=%.6f %s\n", what, text, r, epi_calls(f), st.t, y[0], y[1],
         epi_error(f) ? epi_error(f) : "");
  epi_free(f);
}
int main(void)
{
  epi_system a = {.nq = 1, .force = force, .phase.period = 2 * M_PI / W}, b = {.nq = 1, .rate = rate, .phase.phase_rate = W},
             c = {.nq = 1, .phase = {.forced = forced, .phase_rate = W}}, d = {.nq = 1, .phase = {.forced = forced_bad, .phase_rate = W}},
             e = {.nq = 1, .phase = {.forced = forced_bad2, .phase_rate = W}}, g = {.nq = 1, .rate = rate, .phase.period = 2 * M_PI / W},
             sn = {.nq = 1, .phase = {.forced = forced_sin, .phase_rate = W}};
  const char *S = "rk4(strobe(substeps(dop853, 16), order=4))", *H = "verlet(hmm(verlet, kernel=box, even=1))",
             *H2 = "rk4(hmm(rk4, kernel=box, start=current, steps=64))";
  go("forced", &c, "tolerance(dop853, rtol=1e-11)", 1);
  go("rate", &b, "tolerance(dop853, rtol=1e-11)", 1);
  go("forced", &c, S, 0.01);
  go("force(t)", &a, S, 0.01);
  go("rate+pr", &b, S, 0.01);
  go("rate+per", &g, S, 0.01);
  go("f(t)", &d, S, 0.01);
  go("f(th/2)", &e, S, 0.01);
  go("forced", &c, H, 0.01);
  go("force(t)", &a, H, 0.01);
  go("f(t)", &d, H, 0.01);
  go("f(th/2)", &e, H, 0.01);
  go("rate", &b, H, 0.01);
  go("force(t)", &a, H2, 0.01);
  go("f(t)", &d, H2, 0.01);
  go("f(th/2)", &e, H2, 0.01);
  go("sin", &sn, "tolerance(dop853, rtol=1e-11)", 1);
  go("sin", &sn, H, 0.01);
  go("sin", &sn, "verlet(hmm(verlet, kernel=box))", 0.01);
  go("sin", &sn, "verlet(hmm(verlet))", 0.01);
  go("sin", &sn, H2, 0.01);
  go("sin", &sn, S, 0.01);
  go("sin even-current", &sn, "rk4(hmm(verlet, kernel=box, even=1, start=current))", 0.01);
}
