/* slow-time.c - a force of slow time and a fast phase: the pivot of a pendulum moves with v(t) sin(theta), theta' = w, and v grows.
 * The system says so in forced(t, theta, q, f); every window then begins at the same phase, and the macro steps may fall anywhere */
#include <epicycle.h>
#include <math.h>

static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  double v = 4*(1 + t/2 + sin(5*t)/4), dv = 4*(0.5 + 1.25*cos(5*t)), pivot = dv*sin(theta) + v*s->phase.phase_rate*cos(theta);
  f[0] = (9.8 + pivot)/0.2*sin(q[0]);
  return 0;
}

static double angle(double w, const char *flow, double t, double h)
{
  epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = w}};
  double y[] = {0.5, 0};
  epi_flow *f = epi_make(flow, &m);
  epi_state s = {.y = y};
  if (epi_run(f, &s, t, h)) puts(epi_error(f));
  epi_free(f);
  return y[0];
}

int main(void)
{
  const char *slow = "rk4(hmm(symmetric(verlet)))";
  puts("       w       resolved   averaged: H = 0.01    H = 0.0123   off by   times w");
  for (double w = 1e3; w < 2e5; w *= 10) {
    double q = angle(w, "symmetric(verlet, order=8)", 0.9, 2*3.14159265358979323846/w/16);
    double a = angle(w, slow, 0.9, 0.01), b = angle(w, slow, 0.9, 0.0123);
    printf("%8g %14.6f %21.6f %13.6f %8.0e %9.1f\n", w, q, a, b, fabs(q - a), w*fabs(q - a));
  }
  return 0;
}
