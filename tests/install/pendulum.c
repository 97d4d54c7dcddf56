/* pendulum.c - an outside program: a pendulum let go at 2 rad, its angle at t = 20 */
#include <epicycle.h>
#include <math.h>

static int force(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -sin(q[0]); return 0; }

int main(void) {
  double y[2] = {2, 0};
  epi_system pendulum = {.nq = 1, .force = force};
  epi_state state = {.y = y};
  epi_flow *flow = epi_make("symmetric(verlet, order=8)", &pendulum);
  int bad = epi_run(flow, &state, 20, 0.05);
  if (bad) fprintf(stderr, "%s\n", epi_error(flow));
  printf("%.15f\n", y[0]);
  epi_free(flow);
  return !!bad;
}
