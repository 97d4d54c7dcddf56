/* holds: the force of hmm is the closed form of the vibrated pendulum to the next order in 1/w, for every kernel and micro flow
 * average.c - the force of hmm: the closed form of the pendulum to the next order in 1/w, for every micro flow and kernel; starts, even
 * windows, kernels of one's own, sums inside the loop, purity */
#include "averages.h"
#include "average/kernel.h"

static const struct { const char *text; int order; } MICRO[] = {
  {"verlet", 2}, {"strang(drift, kick)", 2}, {"symmetric(verlet)", 4}, {"rk4", 4}, {"gauss", 4},
  {"dop853", 8}, {"tolerance(dopri5, rtol=1e-10, atol=1e-14)", 0}
};
enum { MICROS = sizeof MICRO/sizeof *MICRO, KERNELS = 3 };

/* leak: what comes through of the fast force (exp5: vibrations, section 2); box: the slow acceleration moves q by F t^2/2 inside
   the window, and the mean of t^2 cos t over a box of one period is -2, over a smooth kernel nothing */
static const struct { const char *text; double leak, box; } KERNEL[KERNELS] = {
  {"kernel=exp5, periods=40", 4.4316e-11, 0}, {"kernel=box", 0, 1}, {"kernel=kaiser", 0, 0}
};

/* a run from rest at phase 0 swings about Q + (X/w) sin Q, hence F' X sin Q/w; verlet's swing is larger by (x/sin x)^2, x = pi/steps */
static double closed(int kernel, double w, double swell, double q)
{
  double F = G*sin(q) - swell*X*X/2*sin(q)*cos(q), slope = G*cos(q) - swell*X*X/2*cos(2*q);
  double offset = X*(sin(q)*slope - KERNEL[kernel].box*cos(q)*F)/w;
  return F + offset + KERNEL[kernel].leak*w*X*sin(q);
}

static double swell_of(int micro, double steps) { return MICRO[micro].order == 2 ? pow(PI/steps/sin(PI/steps), 2) : 1; }

static double found(int micro, int kernel, double w, double steps, double t, double q)
{
  char model[64], average[256];
  snprintf(model, sizeof model, "inverted-pendulum(w=%g)", w);
  snprintf(average, sizeof average, "hmm(%s, %s, steps=%g)", MICRO[micro].text, KERNEL[kernel].text, steps);
  return force_of(model, average, t, q, 0);
}

/* second order: the swelling is known. Fourth: the rest falls with the fourth power of the step. Beyond: nothing is left */
static void one_force(int micro, int kernel, double q)
{
  double h[3], e[3], w = 1e6;
  for (int i = 0; i < 3; i++) {
    double steps = 16 << i;
    h[i] = 1/steps;
    e[i] = found(micro, kernel, w, steps, 0.37, q) - closed(kernel, w, swell_of(micro, steps), q);
  }
  int ok = 1;
  if (MICRO[micro].order == 2) for (int i = 0; i < 3; i++) ok &= check_abs(e[i], 0, 3e-5);
  else if (MICRO[micro].order == 4) ok = check_order(3, h, e, 4, 0.25) & check_abs(e[2], 0, 1e-4);
  else for (int i = 1; i < 3; i++) ok &= check_abs(e[i], 0, 1e-5);
  printf("%-42s %-24s q = %.1f: %9.1e %9.1e %9.1e%s\n", MICRO[micro].text, KERNEL[kernel].text, q, e[0], e[1], e[2], ok ? "" : "  wrong");
}

/* what an exact micro run leaves is of order 1/w, with the constant above, and nothing else down to the next order */
static void in_w(int kernel, double from)
{
  double h[4], e[4], rest[4], q = 0.5;
  for (int i = 0; i < 4; i++) {
    double w = from*pow(4, i), leak = KERNEL[kernel].leak*w*X*sin(q);
    h[i] = 1/w;
    e[i] = found(5, kernel, w, 32, 0, q) - slow_pendulum(q) - leak;
    rest[i] = e[i] - (closed(kernel, w, 1, q) - slow_pendulum(q) - leak);
  }
  check_order(4, h, e, 1, 0.05);
  /* the leak is known to four digits: from the third on they show */
  check_order(KERNEL[kernel].leak > 0 ? 2 : 4, h, rest, 2, 0.1);
  printf("%-24s error times w %.4g %.4g %.4g %.4g, beyond the known %.2e %.2e %.2e %.2e\n", KERNEL[kernel].text,
         e[0]/h[0], e[1]/h[1], e[2]/h[2], e[3]/h[3], rest[0], rest[1], rest[2], rest[3]);
}

/* phases keep their digits: a late window has the force of an early one, also where a period is 6e-8 */
static void any_time(int micro, int kernel)
{
  double early = found(micro, kernel, 1e8, 32, 0, 0.5), late = found(micro, kernel, 1e8, 32, 1234.5678, 0.5);
  if (!check_abs(late - early, 0, 2e-6)) printf("  %s, %s at w = 1e8, t = 1234\n", MICRO[micro].text, KERNEL[kernel].text);
}

/* an error of odd order in the step survives the average and grows with w: of third order it is large already */
static void odd_orders(void)
{
  double h[3], e[3];
  for (int i = 0; i < 3; i++) {
    char average[64];
    h[i] = 1.0/(32 << i);
    snprintf(average, sizeof average, "hmm(bs3, steps=%d)", 32 << i);
    e[i] = force_of("inverted-pendulum(w=1e6)", average, 0, 0.5, 0) - slow_pendulum(0.5);
  }
  printf("bs3 with 32, 64, 128 steps: off by %.3g, %.3g, %.3g at w = 1e6\n", e[0], e[1], e[2]);
  check_between(e[0], -50, -35);
  check_order(3, h, e, 3, 0.05);
  check_rel(force_of("inverted-pendulum(w=1e5)", "hmm(bs3)", 0, 0.5, 0) - slow_pendulum(0.5), e[0]/10, 0.01);
}

/* ---- how a window begins ---- */
static void starts(void)
{
  const char *pendulum = "inverted-pendulum(w=1e6)";
  double q = 0.5, v = 3, rest = force_of(pendulum, "hmm(rk4)", 0.2, q, 0);
  double at_rest = force_of(pendulum, "hmm(rk4, start=current)", 0.2, q, 0);
  check_bits(1, &at_rest, &rest);
  /* the slow force does not depend on the slow velocity: only the offset of order 1/w may */
  double moving = force_of(pendulum, "hmm(rk4, start=current)", 0.2, q, v);
  check_abs(moving - rest, 0, 2e-4);
  check(moving != rest);
  /* a lift is the velocity it says */
  double lifted = force_of(pendulum, "hmm(rk4, start=lift, theta0=1.25)", 0.2, q, 0);
  double by_hand = force_of(pendulum, "hmm(rk4, start=current, theta0=1.25)", 0.2, q, X*sin(1.25)*sin(q));
  check_abs(lifted - by_hand, 0, 1e-8*X);
  check_abs(lifted, slow_pendulum(q), 2e-3);
  /* any phase will do, and a run from rest then has a slow velocity, which the kernel's evenness forgives */
  check_abs(force_of(pendulum, "hmm(rk4, theta0=1.25)", 0.2, q, 0), slow_pendulum(q), 2e-3);
  check_abs(force_of(pendulum, "hmm(rk4, theta0=-2)", 0.2, q, 0), slow_pendulum(q), 2e-3);
}

/* half a window, twice: the same where the forcing is even about theta0 */
static void even_windows(void)
{
  const char *pendulum = "inverted-pendulum(w=1e6)", *both = "hmm(%s, %s%s)";
  for (int m = 0; m < MICROS; m++)
    for (int k = 0; k < KERNELS; k++) {
      char whole[256], half[256];
      snprintf(whole, sizeof whole, both, MICRO[m].text, KERNEL[k].text, "");
      snprintf(half, sizeof half, both, MICRO[m].text, KERNEL[k].text, ", even=1");
      double a = force_of(pendulum, whole, 0, 0.7, 0), b = force_of(pendulum, half, 0, 0.7, 0);
      if (!check_abs(b - a, 0, 5e-7)) printf("  %s\n", half);
    }
  /* elsewhere it is not, and the first window says so */
  double y[] = {0.7, 0};
  epi_case *c = epi_case_make(pendulum);
  static const char *const uneven[] = {"verlet(hmm(verlet, kernel=box, even=1, theta0=1))", "verlet(hmm(verlet, kernel=box, theta0=1))",
                                       "verlet(hmm(verlet, even=1, theta0=1))"};
  for (int k = 0; k < 3; k++) {
    epi_state s = {.y = y};
    epi_flow *f = epi_case_flow(c, uneven[k]);
    check(epi_advance(f, &s, 0.01, 1) < 0);
    check_has(epi_error(f), "the forcing is not even about theta0 = 1");
    epi_free(f);
  }
  epi_case_free(c);
}

/* half the work too */
static long evaluations(const char *flow)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=1e6)");
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  check_count(epi_advance(f, &s, 0.01, 1), 0);
  long n = epi_calls(f);
  check_count(epi_advance(f, &s, 0.01, 1), 0);
  n = epi_calls(f) - n;
  epi_free(f);
  epi_case_free(c);
  return n;
}

static void work(void)
{
  /* verlet: two forces of the slow system; each leg m micro-steps and its first force; the slow ones count too */
  check_count(evaluations("verlet(hmm(verlet, kernel=box, steps=32))"), 2*(2*(16 + 1) + 1));
  check_count(evaluations("verlet(hmm(verlet, kernel=box, steps=32, even=1))"), 2*(16 + 1 + 1));
  check_count(evaluations("verlet(hmm(rk4, kernel=box, steps=32, even=1))"), 2*(4*16 + 1));
}

/* ---- what kernels let through at 32 steps a period, and their second moment in periods: the table of docs/averaging.md ---- */
static void kernel_table(void)
{
  static const struct { int kind, moments; double asked, periods, leak, second; } rows[] = {
    {EPI_KERNEL_BOX, 0, 0, 1, 0, 0.0835}, {0, 0, 0, 20, 2.25e-7, 6.59}, {0, 0, 0, 40, 4.43e-11, 26.3}, {0, 1, 0, 40, 4.37e-10, 0},
    {EPI_KERNEL_KAISER, 1, 1e-6, 10, 4.09e-8, 0}, {EPI_KERNEL_KAISER, 1, 1e-9, 12, 7.98e-11, 0},
    {EPI_KERNEL_KAISER, 1, 1e-12, 14, 8.51e-14, 0}
  };
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    epi_window_kernel k = {.kind = rows[i].kind, .moments = rows[i].moments, .exponent = 5};
    if (rows[i].asked > 0) k.shape = epi_kaiser_shape(rows[i].asked);
    double w[1000], sum = 0, second = 0, periods = rows[i].kind == EPI_KERNEL_KAISER ? epi_kaiser_periods(k.shape) : rows[i].periods;
    int m = (int)lround(16*periods);
    check_abs(periods, rows[i].periods, 0);
    check_count(epi_kernel_weights(&k, m, w), 0);
    for (int j = -m; j <= m; j++) sum += w[abs(j)], second += w[abs(j)]*j*j/(32.0*32.0);
    check_abs(sum, 1, 1e-14);
    check_near(second, rows[i].second, 0.01, 1e-12);
    check_near(epi_kernel_leak(m, w, 32), rows[i].leak, 0.05, 0);
    /* what was asked for is kept */
    if (rows[i].asked > 0) check_below(epi_kernel_leak(m, w, 32), rows[i].asked);
  }
}

/* ---- kernels of one's own ---- */
static double like_exp5(void *data, double x) { (void)data; return 17*exp(5/(x*x - 1)); }
static double like_exp2(void *data, double x) { (void)data; return exp(2/(x*x - 1)); }
static double hann(void *data, double x) { ++*(long *)data; return 1 + cos(PI*x); }
static double no_number(void *data, double x) { (void)data; (void)x; return NAN; }

static void own_kernels(void)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=1e5)");
  long asked = 0;
  epi_name names[] = {{.name = "model", .system = &c->system}, {.name = "mine", .kernel = like_exp5}, {.name = "two", .kernel = like_exp2},
                      {.name = "hann", .kernel = hann, .data = &asked}, {.name = "broken", .kernel = no_number}, {0}};
  double y[] = {0.5, 0}, given, mine, smooth;
  slow_force("hmm(verlet, kernel=exp5)", names, 0, 1, y, &given);
  slow_force("hmm(verlet, kernel=mine)", names, 0, 1, y, &mine);
  check_abs(mine - given, 0, 1e-8);
  /* another exponent, 5 unless given */
  slow_force("hmm(verlet, kernel=exp)", names, 0, 1, y, &mine);
  check_abs(mine, given, 0);
  slow_force("hmm(verlet, kernel=exp, exponent=2)", names, 0, 1, y, &given);
  slow_force("hmm(verlet, kernel=two)", names, 0, 1, y, &mine);
  check_abs(mine - given, 0, 1e-8);
  static const struct { const char *text, *words; } wrong[] = {
    {"verlet(hmm(verlet, kernel=exp5, exponent=2))", "exponent is for kernel=exp: leave one of them out"},
    {"verlet(hmm(verlet, kernel=exp, exponent=0))", "exponent is 0: take a number from 0 to 100, 5 is usual"}};
  for (int i = 0; i < 2; i++) {
    epi_flow *f = epi_make_named(wrong[i].text, names);
    check_has(epi_error(f), wrong[i].words);
    epi_free(f);
  }
  /* a raised cosine over whole periods, more than one, lets nothing through */
  slow_force("hmm(dop853, kernel=hann, periods=4, steps=32)", names, 0, 1, y, &smooth);
  check_abs(smooth, slow_pendulum(0.5), 20/1e5*fabs(slow_pendulum_slope(0.5)));
  check_above(asked, 64);
  epi_flow *f = epi_make_named("verlet(hmm(verlet, kernel=broken))", names);
  check_has(epi_error(f), "the kernel has no finite sum");
  epi_free(f);
  epi_case_free(c);
}

/* ---- sums inside the fused loop against sums outside: watch has no taps ---- */
static int nothing(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; (void)x; return 0; }

static void taps(const char *model, const char *micro, const char *options)
{
  epi_case *c = epi_case_make(model);
  epi_name names[] = {{.name = "model", .system = &c->system}, {.name = "nothing", .see = nothing}, {0}};
  int n = c->system.nq;
  double y[16], inside[8], outside[8], worst = 0, size = 0;
  memcpy(y, epi_case_state(c).y, 2*(size_t)n*sizeof *y);
  char plain[256], watched[256];
  snprintf(plain, sizeof plain, "hmm(%s, %s)", micro, options);
  snprintf(watched, sizeof watched, "hmm(watch(%s, see=nothing), %s)", micro, options);
  check(!slow_force(plain, names, 0.3, n, y, inside) && !slow_force(watched, names, 0.3, n, y, outside));
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(inside[i] - outside[i])), size = fmax(size, fabs(inside[i]));
  if (!check_abs(worst, 0, 1e-7*size)) printf("  %s of %s\n", plain, model);
  epi_case_free(c);
}

/* ---- a pure function: whatever was asked before, the same bits ---- */
static void pure(const char *model, const char *average)
{
  char text[512];
  snprintf(text, sizeof text, "euler(%s)", average);
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, text), *g = epi_case_flow(c, text);
  int n = epi_size(&c->system);
  double first[16], again[16], alone[16], t = 0.7;
  if (!check(!epi_error(f))) printf("  %s: %s\n", text, epi_error(f));
  for (int ask = 0; ask < 4; ask++) {
    epi_state s = epi_case_state(c);
    /* two other places and times in between */
    s.t = ask % 3 ? 0.1*ask : t;
    for (int i = 0; i < n/2; i++) s.y[i] += ask % 3 ? 0.01*ask : 0;
    check_count(epi_advance(f, &s, 1, 1), 0);
    if (ask % 3 == 0) memcpy(ask ? again : first, s.y, (size_t)n*sizeof *first);
  }
  epi_state s = epi_case_state(c);
  s.t = t;
  check_count(epi_advance(g, &s, 1, 1), 0);
  memcpy(alone, s.y, (size_t)n*sizeof *alone);
  if (!(check_bits(n, again, first) & check_bits(n, alone, first))) printf("  %s\n", text);
  epi_free(f);
  epi_free(g);
  epi_case_free(c);
}

int main(void)
{
  for (int m = 0; m < MICROS; m++)
    for (int k = 0; k < KERNELS; k++)
      for (int i = 0; i < 3; i++) one_force(m, k, (double[]){0.2, 0.5, 2.5}[i]);
  for (int k = 0; k < KERNELS; k++) in_w(k, (double[]){1e5, 2e3, 2e3}[k]);
  for (int m = 0; m < MICROS; m++) for (int k = 0; k < KERNELS; k++) any_time(m, k);
  odd_orders();
  starts();
  even_windows();
  work();
  kernel_table();
  own_kernels();
  taps("inverted-pendulum(w=1e6)", "verlet", "kernel=kaiser");
  taps("inverted-pendulum(w=1e6)", "verlet", "kernel=exp5, even=1");
  taps("inverted-pendulum(w=1e6)", "symmetric(verlet)", "kernel=box");
  taps("inverted-pendulum(w=1e6)", "symmetric(verlet, order=8)", "kernel=kaiser, start=current");
  taps("stiff-springs(case=i)", "verlet", "kernel=kaiser, start=current");
  taps("stiff-springs(case=iii)", "symmetric(verlet)", "kernel=exp5, start=current, periods=20");
  for (int m = 0; m < MICROS; m++) {
    char average[256];
    snprintf(average, sizeof average, "hmm(%s)", MICRO[m].text);
    pure("inverted-pendulum(w=1e6)", average);
    snprintf(average, sizeof average, "hmm(%s, start=lift, phase=running, theta0=-1)", MICRO[m].text);
    pure("inverted-pendulum(w=1e6)", average);
    snprintf(average, sizeof average, "hmm(%s, start=current)", MICRO[m].text);
    pure("stiff-springs(case=i)", average);
  }
  return test_done();
}
