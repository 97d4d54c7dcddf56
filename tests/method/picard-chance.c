/* holds: the nodes of a period are chosen anew where it is inspected, and not reduced where the force is only small */
#include "core.h"
#include "test.h"

static const double w = 1e6;

static int pendulum(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m; (void)t;
  f[0] = (9.8 + 4*w*cos(theta))/0.2*sin(q[0]);
  return 0;
}

/* one period from an angle, at the k-th time */
static void cross(epi_flow *f, int k, double q, double *y)
{
  y[0] = q;
  y[1] = -3;
  epi_state s = {.t = 1e-3*k, .theta = 1.3, .y = y};
  check_count(epi_go(f, &s, 2*EPI_PI/w, 1), 0);
}

int main(void)
{
  epi_system m = {.nq = 1, .phase = {.forced = pendulum, .phase_rate = w}, .traits.smooth = 1};
  double y[2], exact[2], worst = 0;
  int looked = 0;
  for (double angle = 0.2; angle < 1.3; angle += 0.1)
    for (double share = 1e-9; share < 1e-6; share *= 1.7) {
      const double allowed[2] = {share, share};
      epi_flow *f = epi_make("picard", &m), *fine = epi_make("picard(rtol=1e-15)", &m);
      check(!epi_error(f) && !epi_error(fine));
      f->allowed = allowed;
      for (int k = 0; k < 5; k++) cross(f, k, angle, y);
      long before = epi_calls(f);
      cross(f, 5, 1e-3*angle, y);
      looked += epi_calls(f) - before > 40;
      for (int k = 6; k < 9; k++) cross(f, k, angle, y);
      cross(fine, 8, angle, exact);
      worst = fmax(worst, fabs(y[1] - exact[1])/share);
      epi_free(f);
      epi_free(fine);
    }
  printf("off by %.2g of what is allowed\n", worst);
  check_above(looked, 50);
  check_below(worst, 0.75);
  return test_done();
}
