/* holds: the errors of joints and rods as springs fall as 1/k, with independently computed figures
 * penalties.c - joints and rods as springs: their errors fall as 1/k, with the figures of an independent computation
   label: slow */
#include "cases.h"

static const double PI = 3.14159265358979323846;
static const char *const TIGHT = "tolerance(dop853, rtol=1e-9, atol=1e-11)";

static double wrapped(double x) { return remainder(x, 2*PI); }

/* with constraints: the free crank; forces at 90 and 270 degrees and 20 rad/s; th1(1), th1(2), th2(2) of the rods */
static const struct { double t, th; } FREE[] = {{0.1, 1.0744026942}, {0.5, 5.7057221448}, {1, 11.5288639478}};
enum { LOOKS = 8 };
static const char *const LOOK[LOOKS] = {"Ax", "Ay", "Bx", "By", "Cx", "Cy", "N", "T"};
static const double DRIVEN[2][LOOKS] = {{14.84924240, -19.2375, 14.84924240, -9.0475, 11.31370850, -3.9525, 11.8005, -1.48492424},
                                        {14.84924240, 43.7625, 14.84924240, 13.9525, 11.31370850, -0.9525, 8.8005, 1.48492424}};
static const double SWING[] = {-0.519130088870, -0.075937690117, -0.021243975958};

/* springs of k in the joints, unstretched at the start: what they store is missing in the motion */
static void sprung_crank(void)
{
  static const struct { double k, error[3], tol; } AT[] = {
    {1e6, {-6.6e-3, -9.2e-2, -0.164}, 0.01}, {1e7, {-5.76e-4, -7.35e-3, -1.286e-2}, 1e-3},
    {1e8, {-4.97e-5, -6.21e-4, -1.085e-3}, 1e-3}, {1e9, {-4.91e-6, -6.13e-5, -1.071e-4}, 2e-3},
  };
  double soft[4], last[4];
  for (int i = 0; i < 4; i++) {
    char text[64];
    snprintf(text, sizeof text, "slider-crank(as=penalty, k=%g)", AT[i].k);
    epi_case *c = make(text);
    epi_flow *f = epi_case_flow(c, TIGHT);
    epi_state s = epi_case_state(c);
    printf("slider-crank, k = %g:", AT[i].k);
    for (int j = 0; j < 3; j++) {
      run(f, &s, FREE[j].t, 1);
      double error = wrapped(observed(c, "angle", &s) - FREE[j].th);
      printf(" %.4g (%.4g)", error, AT[i].error[j]);
      check_rel(error, AT[i].error[j], AT[i].tol);
      last[i] = -error;
    }
    printf("\n");
    soft[i] = 1/AT[i].k;
    epi_free(f);
    epi_case_free(c);
  }
  check_order(3, soft + 1, last + 1, 1, 0.05);
}

/* the widest gap of the pivot is the largest force over k; the forces of springs are those of constraints up to 1/k */
static void sprung_forces(void)
{
  epi_case *c = make("slider-crank(as=penalty)"), *d = make("slider-crank(as=penalty, drive=speed)");
  epi_flow *f = epi_case_flow(c, TIGHT), *g = epi_case_flow(d, TIGHT);
  epi_state s = epi_case_state(c), z = epi_case_state(d);
  double gap = 0, worst = 0;
  /* widest soon after the start, when the springs take up the load */
  for (int i = 1; i <= 500; i++) {
    run(f, &s, i*2e-6, 1);
    double th = observed(c, "angle", &s);
    gap = fmax(gap, hypot(s.y[0] - 0.05*cos(th), s.y[1] - 0.05*sin(th)));
  }
  printf("slider-crank, k = 1e8: the pivot gives way by %.4g\n", gap);
  check_rel(gap, 1.66e-6, 5e-3);
  for (int i = 0; i < 2; i++) {
    run(g, &z, (i ? 1.5 : 0.5)*PI/20, 1);
    for (int k = 0; k < LOOKS; k++) worst = fmax(worst, fabs(observed(d, LOOK[k], &z) - DRIVEN[i][k]));
  }
  printf("slider-crank, driven, k = 1e8: forces %.3g from those of constraints\n", worst);
  check_below(worst, 5e-3);
  epi_free(f);
  epi_free(g);
  epi_case_free(c);
  epi_case_free(d);
}

/* the rocker of a four-bar that nothing drives */
static void sprung_bars(void)
{
  double soft[] = {1e-6, 1e-7, 1e-8}, off[3], rigid = reached("four-bar(drive=free)", "symmetric(verlet, order=6)", 1, 1e-3, "th4");
  for (int i = 0; i < 3; i++) {
    char text[64];
    snprintf(text, sizeof text, "four-bar(drive=free, as=penalty, k=%g)", 1/soft[i]);
    off[i] = fabs(reached(text, TIGHT, 1, 1, "th4") - rigid);
  }
  printf("four-bar, free: rocker off by %.3g, %.3g, %.3g with k = 1e6, 1e7, 1e8\n", off[0], off[1], off[2]);
  check_order(3, soft, off, 1, 0.05);
}

/* rods as springs, stretched by what they carry at the start or not, with damping or without: errors of th1(1), th1(2), th2(2) */
static void sprung_rods(void)
{
  static const struct { const char *text; double k, error[3], tol; } AT[] = {
    {"rod-pendulum(as=penalty, k=1e4)", 1e4, {2.52e-3, 5.38e-4, -1.053e-2}, 2e-3},
    {"rod-pendulum(as=penalty, k=1e5)", 1e5, {2.502e-4, 4.94e-5, -1.0487e-3}, 1e-3},
    {"rod-pendulum(as=penalty, k=1e6)", 1e6, {2.5005e-5, 4.896e-6, -1.0483e-4}, 2e-4},
    {"rod-pendulum(as=penalty, k=1e7)", 1e7, {2.5003e-6, 4.891e-7, -1.0483e-5}, 2e-4},
    {"rod-pendulum(as=penalty, k=1e4, lag=0)", 1e4, {2.52e-3, 5.38e-4, -1.053e-2}, 1e-2},
    {"rod-pendulum(as=penalty, k=1e6, lag=0)", 1e6, {2.5005e-5, 4.896e-6, -1.0483e-4}, 1e-2},
    {"rod-pendulum(as=penalty, k=1e4, lag=0, start=plain)", 1e4, {1.28e-3}, 5e-3},
    {"rod-pendulum(as=penalty, k=1e5, lag=0, start=plain)", 1e5, {1.26e-4}, 5e-3},
    {"rod-pendulum(as=penalty, k=1e6, lag=0, start=plain)", 1e6, {1.26e-5}, 5e-3},
    {"rod-pendulum(as=penalty, k=1e7, lag=0, start=plain)", 1e7, {1.39e-6}, 5e-3},
    {"rod-pendulum(as=penalty, k=1e4, start=plain)", 1e4, {1.76e-3}, 5e-3},
    {"rod-pendulum(as=penalty, k=1e5, start=plain)", 1e5, {1.93e-4}, 3e-3},
    {"rod-pendulum(as=penalty, k=1e6, start=plain)", 1e6, {1.945e-5}, 5e-4},
    {"rod-pendulum(as=penalty, k=1e7, start=plain)", 1e7, {1.946e-6}, 5e-4},
  };
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    epi_case *c = make(AT[i].text);
    epi_flow *f = epi_case_flow(c, "tolerance(dop853, rtol=1e-11, atol=1e-13)");
    epi_state s = epi_case_state(c);
    double got[3] = {0};
    run(f, &s, 1, 1);
    got[0] = observed(c, "th1", &s) - SWING[0];
    if (AT[i].error[1] != 0) {
      run(f, &s, 2, 1);
      got[1] = observed(c, "th1", &s) - SWING[1];
      got[2] = observed(c, "th2", &s) - SWING[2];
    }
    printf("%s: %.4g (%.4g) %.4g (%.4g) %.4g (%.4g)\n", AT[i].text, got[0], AT[i].error[0], got[1], AT[i].error[1], got[2], AT[i].error[2]);
    for (int k = 0; k < 3; k++) if (AT[i].error[k] != 0) check_rel(got[k], AT[i].error[k], AT[i].tol);
    epi_free(f);
    epi_case_free(c);
  }
}

/* how far the upper spring gives way at most, within 5 s: 32.1/k, 44.6/k where it starts unstretched */
static void stretched(void)
{
  static const char *const texts[] = {"rod-pendulum(as=penalty, k=1e5, lag=0)", "rod-pendulum(as=penalty, k=1e5, lag=0, start=plain)"};
  for (int i = 0; i < 2; i++) {
    epi_case *c = make(texts[i]);
    epi_flow *f = epi_case_flow(c, TIGHT);
    epi_state s = epi_case_state(c);
    double most = 0;
    for (int k = 1; k <= 20000; k++) {
      run(f, &s, k*2.5e-4, 1);
      most = fmax(most, fabs(hypot(s.y[0], s.y[1]) - 1));
    }
    printf("%s: the upper rod gives way by %.4g/k\n", texts[i], most*1e5);
    check_abs(most*1e5, i ? 44.6 : 32.1, 0.05);
    epi_free(f);
    epi_case_free(c);
  }
}

int main(void)
{
  sprung_crank();
  sprung_forces();
  sprung_bars();
  sprung_rods();
  stretched();
  return test_done();
}
