/* holds: the predicted last sweep of a period is verified where a run begins, and dropped where the force is otherwise
 * picard-foretold.c - of one coordinate with a smooth force the last sweep of a period is foretold by how the force changes along the way.
 * How well that goes is found where the run begins: here the force is a straight line there, or bends, and elsewhere it is otherwise
 * label: long   label: once */
#include "core.h"
#include "test.h"

static double w, A, wave;

static int forced(epi_system *m, double t, double theta, const double *q, double *f)
{
  (void)m; (void)t;
  f[0] = A*cos(theta)*sin(wave*q[0]) - 4*q[0];
  return 0;
}

/* periods from a place that moves on, now slowly, now by far; how far off the worst one is, in units of what is allowed */
static double follow(double share, double from, int smooth, long *calls)
{
  epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = w}, .traits.smooth = smooth};
  const double T = 2*EPI_PI/w, allowed[2] = {share*T, share};
  epi_flow *f = epi_make("picard(nodes=14, phases=9)", &m), *fine = epi_make("picard(nodes=24, sweeps=50, phases=9)", &m);
  double worst = 0;
  check(!epi_error(f) && !epi_error(fine));
  f->allowed = allowed;
  for (int k = 0; k < 120; k++) {
    double y[2] = {from + 0.2*sin(0.1*k) + (k > 60)*0.7/wave, -3 + 0.01*k}, exact[2] = {y[0], y[1]};
    epi_state s = {.t = k*3*T, .theta = 1.3, .y = y}, as = {.t = k*3*T, .theta = 1.3, .y = exact};
    check_count(epi_go(f, &s, T, 1), 0);
    check_count(epi_go(fine, &as, T, 1), 0);
    for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(y[i] - exact[i])/fmax(allowed[i], 1e-14*fabs(A)*T));
  }
  *calls = epi_calls(f);
  epi_free(f);
  epi_free(fine);
  return worst;
}

int main(void)
{
  double most = 0;
  long with = 0, without = 0, n;
  for (w = 200; w < 2e4; w *= 9)
    for (double stir = 0.003; stir < 0.1; stir *= 3)           /* A wave/w^2: of a swing the part that forces change by */
      for (wave = 0.5; wave < 30; wave *= 4)
        for (double share = 1e-10; share < 1e-3; share *= 100) {
          A = stir*w*w/wave;
          const double at[] = {0.01, 0.5*EPI_PI/wave, 0.8};
          for (int i = 0; i < 3; i++) {
            double off = follow(share*w, at[i], 1, &n);
            if (off > 1) printf("w = %g, stir = %g, wave = %g, share = %g, from %g: %.3g\n", w, stir, wave, share, at[i], off);
            most = fmax(most, off);
            with += n;
            follow(share*w, at[i], 0, &n);
            without += n;
          }
        }
  printf("off by %.2g of what is allowed; %ld evaluations, of a force that is not said to be smooth %ld\n", most, with, without);
  check_below(most, 1);
  /* 0.617 where every sweep is taken */
  check_below((double)with/(double)without, 0.6);
  return test_done();
}
