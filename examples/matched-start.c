/* matched-start.c - the slow motion to order 1, 2 and 3 in 1/w: a pendulum on a pivot whose vibrations grow, v(t) sin(theta), theta' = w.
 * What hmm moves is the filtered motion. project makes the filtered start of the oscillating one, and match the starts of the windows;
 * the resolved solution is filtered by the same window, in a step that is too short to move it, and compared */
#include <epicycle.h>
#include <math.h>

static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  double v = 4*(1 + t/2 + sin(5*t)/4), dv = 4*(0.5 + 1.25*cos(5*t)), pivot = dv*sin(theta) + v*s->phase.phase_rate*cos(theta);
  f[0] = (9.8 + pivot)/0.2*sin(q[0]);
  return 0;
}

static void run(epi_system *m, const char *flow, double end, double h, epi_state *s)
{
  epi_flow *f = epi_make(flow, m);
  if (epi_run(f, s, end, h)) puts(epi_error(f));
  epi_free(f);
}

int main(void)
{
  puts("       w   off with match=0  match=1  match=2");
  for (double w = 1e3; w < 9e3; w *= 2) {
    epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = w}};
    double q[2] = {0.5, 0}, h = 2*3.14159265358979323846/w/24;
    epi_state resolved = {.y = q};
    run(&m, "symmetric(verlet, order=8)", 0.9, h, &resolved);
    run(&m, "project(rk4(hmm(symmetric(verlet, order=8), steps=16, start=current)))", 0.9 + 1e-9, 1e-9, &resolved);
    printf("%8g", w);
    for (int k = 0; k < 3; k++) {
      char flow[128];
      double Q[2] = {0.5, 0};
      epi_state slow = {.y = Q};
      snprintf(flow, sizeof flow, "project(dop853(hmm(symmetric(verlet, order=8), steps=16, start=current, match=%d)))", k);
      run(&m, flow, 0.9, 1./24, &slow);
      printf("%*.0e", k ? 9 : 19, fabs(Q[0] - q[0]));
    }
    puts("");
  }
  return 0;
}
