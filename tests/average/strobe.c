/* holds: strobe has the order of its differences with fixed and adaptive macro steps, and published figures
 * strobe.c - stroboscopic averaging: the errors of its differences, its order with fixed and chosen macro steps, micro flows of
 * every kind, and what is refused. Figures: the pendulum of Calvo, Chartier, Murua & Sanz-Serna, integrated elsewhere in 33 digits */
#include "epicycle.h"
#include "test.h"

#define PI 3.14159265358979323846
enum { POINTS = 15 };

static const char *pendulum(double w)
{
  static char text[96];
  snprintf(text, sizeof text, "inverted-pendulum(w=%.17g, theta0=2, q0=0.25)", w);
  return text;
}

/* y after each of n steps of h */
static void follow(const char *model, const char *flow, double h, int n, double (*y)[2])
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  for (int k = 0; k < n; k++) {
    if (epi_advance(f, &s, h, 1)) test_stop(epi_error(f));
    memcpy(y[k], s.y, sizeof *y);
  }
  epi_free(f);
  epi_case_free(c);
}

static double apart(int n, double (*a)[2], double (*b)[2], int i)
{
  double worst = 0;
  for (int k = 0; k < n; k++) worst = fmax(worst, fabs(a[k][i] - b[k][i]));
  return worst;
}

/* micro and macro exact but for rounding: what is left is the error of the difference */
static void differences(void)
{
  static const int order[] = {1, 2, 4, 6, 8};
  static const double figure[4][5] = {{2.9e-1, 2.7e-2, 1.9e-4, 3.6e-6, 2.5e-7}, {1.8e-1, 6.6e-3, 1.2e-5, 5.8e-8, 1.0e-9},
                                      {1.0e-1, 1.6e-3, 7.4e-7, 9.1e-10, 4.1e-12}, {5.6e-2, 4.1e-4, 4.6e-8, 1.4e-11, NAN}};
  static const double exact[4][2][2] = {
    {{-0.37332756368419346, -9.76710351972847131}, {0.06239943209876312, 6.40185411648364534}},
    {{-0.36576600980605519, -9.72522391250372614}, {0.05451766738730880, 6.32026337968112963}},
    {{-0.36244962678953560, -9.71312292694585770}, {0.05169098926478722, 6.29982356181813803}},
    {{-0.36090438100382280, -9.70925966199643033}, {0.05055050816310531, 6.29467939817588170}}};
  for (int e = 0; e < 4; e++) {
    double w = 400 << e, truth[POINTS][2], y[POINTS][2];
    char flow[120];
    snprintf(flow, sizeof flow, "substeps(symmetric(verlet, order=8), %d)", 32*(4 << e));
    follow(pendulum(w), flow, PI/50, POINTS, truth);
    check_array(2, truth[1], exact[e][0], 1e-11);
    check_array(2, truth[13], exact[e][1], 1e-11);
    for (int k = 0; k < 5; k++) {
      snprintf(flow, sizeof flow, "substeps(dop853(strobe(substeps(symmetric(verlet, order=8), 32), order=%d)), 16)", order[k]);
      follow(pendulum(w), flow, PI/50, POINTS, y);
      if (!isnan(figure[e][k])) check_rel(apart(POINTS, y, truth, 0), figure[e][k], 0.05);
    }
  }
}

/* H = pi/25/2^k and 10 2^k micro steps a period: errors of both fall as H^4; figures from the same recipe in 33 digits */
static void table(void)
{
  static const struct { int order, k; double w, q, p; } row[] = {
    {4, 2, 1600, 5.0138627909617026e-04, 9.5700747206780134e-03},
    {4, 3, 1600, 3.5300453560523013e-05, 6.9615072252533989e-04},
    {2, 2, 3200, 8.7786773622078361e-04, NAN},
    {2, 3, 3200, 4.4092506655297184e-04, NAN},
  };
  static double truth[127][2], y[127][2];
  char flow[120];
  for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
    int k = row[i].k, n = (int)floor(25/PI*(1 << k));
    double H = PI/25/(1 << k);
    snprintf(flow, sizeof flow, "substeps(dop853, %.0f)", 48*round(row[i].w*H/(2*PI)));
    follow(pendulum(row[i].w), flow, H, n, truth);
    snprintf(flow, sizeof flow, "rk4(strobe(substeps(rk4, %d), order=%d))", 10 << k, row[i].order);
    follow(pendulum(row[i].w), flow, H, n, y);
    check_rel(apart(n, y, truth, 0), row[i].q, 1e-4);
    if (!isnan(row[i].p)) check_rel(apart(n, y, truth, 1), row[i].p, 1e-4);
  }
}

/* so short a period that the difference itself has no error to speak of */
static void macro_order(void)
{
  double w = 400*16384., y[1][2], best[1][2], H[3], error[2][3];
  follow(pendulum(w), "substeps(dop853(strobe(substeps(dop853, 24), order=6)), 160)", PI/25*7, 1, best);
  for (int order = 2; order <= 4; order += 2) {
    for (int k = 3; k < 6; k++) {
      char flow[120];
      H[k-3] = PI/25/(1 << k);
      snprintf(flow, sizeof flow, "substeps(rk4(strobe(substeps(rk4, %d), order=%d)), %d)", 10 << k, order, 7 << k);
      follow(pendulum(w), flow, PI/25*7, 1, y);
      error[order/2 - 1][k-3] = fabs(y[0][0] - best[0][0]);
    }
    check_order(3, H, error[order/2 - 1], 4, 0.2);
  }
}

/* windows made */
static void windows(void *data, const epi_info *i)
{
  if (i->record->arrow == EPI_AVERAGE) *(long *)data = i->steps;
}

/* macro steps chosen by the error, at w = 1e5 */
static void chosen_steps(void)
{
  static const struct { double rtol, q; long windows; } row[] = {
    {1e-3, 4.6e-4, 115}, {1e-5, 7.6e-6, 235}, {1e-7, 9.1e-8, 541}, {1e-9, 1.2e-9, 1261}, {1e-11, 6.4e-11, 3145}};
  double best[1][2];
  follow(pendulum(1e5), "substeps(dop853(strobe(substeps(dop853, 32), order=4)), 256)", 1, 1, best);
  for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
    char flow[160];
    snprintf(flow, sizeof flow, "tolerance(dopri5(strobe(substeps(rk4, 320), order=4)), rtol=%g, atol=%g, controller=ode45)",
             row[i].rtol, row[i].rtol);
    epi_case *c = epi_case_make(pendulum(1e5));
    epi_flow *f = epi_case_flow(c, flow);
    epi_state s = epi_case_state(c);
    long n = 0;
    check_count(epi_run(f, &s, 1, 1), 0);
    epi_walk(f, windows, &n);
    check_between(fabs(s.y[0] - best[0][0]), row[i].q/2, row[i].q*2);
    check_rel((double)n, (double)row[i].windows, 0.05);
    epi_free(f);
    epi_case_free(c);
  }
}

/* amplitude of van der Pol's oscillator after 128 periods, macro steps of 8; verlet is limited by its own phase error */
static void oscillator(void)
{
  static const struct { const char *micro; double error; } row[] = {
    {"rk4, 64", 3.4e-6}, {"verlet, 64", 7e-4}, {"strang(velocity-kick, strang(kick, drift)), 64", 7e-4},
  };
  double T = 2*PI/200, truth[1][2], y[1][2];
  follow("van-der-pol", "substeps(dop853, 4096)", 128*T, 1, truth);
  for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
    char flow[120];
    snprintf(flow, sizeof flow, "substeps(rk4(strobe(substeps(%s), order=4)), 16)", row[i].micro);
    follow("van-der-pol", flow, 128*T, 1, y);
    check_rel(hypot(truth[0][0], truth[0][1]/200) - hypot(y[0][0], y[0][1]/200), row[i].error, 0.1);
  }
}

/* any flow that runs both ways will do; what it is made of sets the error */
static void micro_flows(void)
{
  static const struct { const char *micro; double error; } row[] = {
    {"substeps(rk4, 320)", 1e-11}, {"substeps(verlet, 2000)", 1e-6}, {"substeps(symmetric(verlet, order=6), 48)", 2e-10},
    {"tolerance(dopri5, rtol=1e-11, atol=1e-13)", 5e-12},
    {"tolerance(dop853, rtol=1e-12, atol=1e-14)", 1e-12}, {"substeps(gauss(stages=3), 24)", 5e-10},
    {"substeps(dop853, 24)", 1e-12},
    {"substeps(compose(adjoint(euler-symplectic), euler-symplectic, weights=[0.5, 0.5]), 2000)", 1e-6},
  };
  double H = PI/200, truth[1][2], y[1][2];
  follow(pendulum(1600), "substeps(dop853(strobe(substeps(dop853, 64), order=4)), 32)", 8*H, 1, truth);
  for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
    char flow[200];
    snprintf(flow, sizeof flow, "substeps(dop853(strobe(%s, order=4)), 32)", row[i].micro);
    follow(pendulum(1600), flow, 8*H, 1, y);
    check_below(fabs(y[0][0] - truth[0][0]), row[i].error);
  }
}

/* at t = 1, no stroboscopic time, the slow solution is the smooth curve through the stroboscopic values; found elsewhere by
   interpolation through 12 to 20 of them */
static void smooth_curve(void)
{
  static const double curve[3][2] = {
    {0.46574311021041, 8.5124722819399}, {0.462842243710057, 8.51001686963597}, {0.461488919823716, 8.50827352413044}};
  for (int e = 0; e < 3; e++) {
    double y[1][2];
    follow(pendulum(800 << e), "substeps(dop853(strobe(substeps(dop853, 40), order=8)), 250)", 1, 1, y);
    check_abs(y[0][0], curve[e][0], e ? 1e-11 : 3e-9);
    check_abs(y[0][1], curve[e][1], e ? 3e-10 : 6e-8);
  }
}

/* the oscillating solution at t = 0.5: macro steps to the last stroboscopic time, micro steps for the rest */
static void inside_a_period(void)
{
  static const struct { const char *slow; double H, q, p; } row[] = {
    {"rk4(strobe(substeps(rk4, 160), order=4))", PI/400, 3e-6, 6e-5}, {"dop853(strobe(substeps(dop853, 40), order=6))", 0.01, 1e-9, 3e-8}};
  double T = 2*PI/3200, last = T*floor(0.5/T);
  for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
    epi_case *c = epi_case_make(pendulum(3200));
    epi_flow *slow = epi_case_flow(c, row[i].slow), *fast = epi_case_flow(c, "substeps(rk4, 640)");
    epi_state s = epi_case_state(c);
    check_count(epi_run(slow, &s, last, row[i].H), 0);
    s.theta = c->theta;
    check_count(epi_run(fast, &s, 0.5, 0.5 - last), 0);
    check_abs(s.y[0], 0.412519534087054, row[i].q);
    check_abs(s.y[1], -3.99915273302979, row[i].p);
    epi_free(slow);
    epi_free(fast);
    epi_case_free(c);
  }
}

int main(void)
{
  differences();
  table();
  macro_order();
  chosen_steps();
  oscillator();
  micro_flows();
  smooth_curve();
  inside_a_period();
  return test_done();
}
