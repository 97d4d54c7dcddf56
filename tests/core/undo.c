/* holds: a failed or rejected step leaves nothing behind in impulses and windows */
#include "average/window.h"
#include "problems.h"
#include "test.h"

static const double WEIGHT = 9.81;

/* ---- impulses ----
 * a bead on a straight wire along x: the wire carries the weight, so its impulse is weight times time for every method and every step.
 * Behind x = 1 no force can be asked, and at a time of choice the force fails as it is told */
typedef struct { double fails_at; int how; } trouble;         /* how: a code below zero, or 2: not a number */

static int bead(epi_system *s, double t, const double *q, double *f)
{
  const trouble *now = s->data;
  f[0] = 3 - 1/((1 - q[0])*(1 - q[0]));
  f[1] = -WEIGHT;
  if (now->how && t > now->fails_at) {
    if (now->how == 2) f[0] = NAN;
    else return now->how;
  }
  return q[0] >= 1 ? EPI_TOO_FAR : 0;
}

static int wire(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s; (void)t;
  if (g) g[0] = q[1];
  if (G) { G[0] = 0; G[1] = 1; }
  if (gt) gt[0] = 0;
  return 0;
}

static int thick(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 0.5*v[0];
  return 0;
}

/* the force fails in the middle of a block of steps: time and impulse are those of the last good step, and the rest can be taken later */
static void failed_steps(const char *text, double h, int how)
{
  trouble now = {.fails_at = 0.53, .how = how};
  epi_system a = {.nq = 2, .nc = 1, .force = bead, .constraint = wire, .data = &now}, b = {.nq = 2, .velocity_force = thick};
  double y[] = {0, 0, 0.3, 0}, impulse[] = {0};
  epi_state s = {.y = y, .impulse = impulse};
  epi_flow *f = epi_make_named(text, (epi_name[]){{.name = "model", .system = &a}, {.name = "b", .system = &b}, {0}});
  if (!check(!epi_error(f))) { printf("  %s: %s\n", text, epi_error(f)); epi_free(f); return; }
  check(epi_advance(f, &s, h, 20) != 0);
  printf("%-34s failed by %d: t = %.3f, impulse %.6f\n", text, how, s.t, impulse[0]);
  check_between(s.t, 0.3, 0.6);
  check_rel(impulse[0], WEIGHT*s.t, 1e-9);
  /* one more try in vain, from the step before the failure */
  double t = s.t, carried = impulse[0];
  check(epi_advance(f, &s, h, 3) != 0);
  check_bits(1, &s.t, &t);
  check_bits(1, impulse, &carried);
  now.how = 0;
  if (!check_count(epi_run(f, &s, 2, h), 0)) printf("  %s\n", epi_error(f));
  check_rel(impulse[0], WEIGHT*2, 1e-9);
  epi_free(f);
}

/* steps that semi refuses and takes again in shorter ones, as the wall is near */
static void refused_steps(const char *text, double h)
{
  trouble now = {0};
  epi_system a = {.nq = 2, .nc = 1, .force = bead, .constraint = wire, .data = &now}, b = {.nq = 2, .velocity_force = thick};
  double y[] = {0, 0, 3, 0}, impulse[] = {0};
  epi_state s = {.y = y, .impulse = impulse};
  epi_flow *f = epi_make_named(text, (epi_name[]){{.name = "model", .system = &a}, {.name = "b", .system = &b}, {0}});
  if (!check(!epi_error(f))) { printf("  %s: %s\n", text, epi_error(f)); epi_free(f); return; }
  if (!check_count(epi_run(f, &s, 3, h), 0)) printf("  %s: %s\n", text, epi_error(f));
  long refused = info_of(f).refused;
  printf("%-34s steps of %g: %ld refused, impulse %.6f\n", text, h, refused, impulse[0]);
  check_above((double)refused, 2);
  check_rel(impulse[0], WEIGHT*3, 1e-9);
  epi_free(f);
}

/* a force that says no may leave anything in f: the step that is taken instead has the same bits */
typedef struct { int calls, every; double left; } reluctant;

static int now_and_then(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  reluctant *r = s->data;
  int no = ++r->calls % r->every == 0;
  f[0] = no ? r->left : -q[0];
  return no ? EPI_TOO_FAR : 0;
}

static void refused_forces(void)
{
  static const char *const texts[] = {"tolerance(verlet, rtol=1e-3)", "tolerance(dopri5, rtol=1e-3)",
                                      "tolerance(strang(kick, drift), rtol=1e-3)", "tolerance(bs3, rtol=1e-3)"};
  for (size_t n = 0; n < 5*sizeof texts/sizeof *texts; n++) {
    double y[2][2];
    const char *text = texts[n/5];
    for (int k = 0; k < 2; k++) {
      reluctant r = {.left = k ? 1e3 : NAN, .every = 31 + (int)(n % 5)};
      epi_system m = {.nq = 1, .force = now_and_then, .data = &r};
      y[k][0] = 0, y[k][1] = 0.6;
      epi_state s = {.y = y[k]};
      epi_flow *f = epi_make(text, &m);
      if (!check_count(epi_run(f, &s, 20, 20), 0)) printf("  %s\n", epi_error(f));
      check_above((double)info_of(f).refused, 0);
      epi_free(f);
    }
    if (!check_bits(2, y[1], y[0])) printf("  %s\n", text);
  }
}

/* a stiff start is no wall: the first steps are 1e-15 of the run, and many of them are refused */
static int relaxes(epi_system *s, double t, const double *y, double *dy)
{
  (void)s;
  dy[0] = -(y[0] - 1)/(t + 1e-12);
  return y[0] < 0.999 ? EPI_TOO_FAR : 0;
}

static void stiff_start(const char *text)
{
  epi_system m = {.nz = 1, .rate = relaxes};
  double y[] = {2};
  epi_state s = {.y = y};
  epi_flow *f = epi_make(text, &m);
  if (!check_count(epi_run(f, &s, 1000, 1000), 0)) printf("  %s: %s\n", text, epi_error(f));
  check_above((double)info_of(f).refused, 1);
  printf("%-34s %ld steps refused, the shortest %g of the run\n", text, info_of(f).refused, info_of(f).shortest/1000);
  check_below(info_of(f).shortest, 1e-12);
  check_abs(y[0], 1, 1e-3);
  epi_free(f);
}

/* ---- the mean of the last window ----
 * an oscillator that is driven slowly: its mean over a window depends on the time */
typedef struct { int fails; } driven_data;

static int driven(epi_system *s, double t, const double *q, double *f)
{
  f[0] = -1e4*(q[0] - 0.5*t*t);
  f[1] = -q[1];
  return ((driven_data *)s->data)->fails ? -5 : 0;
}

typedef struct { epi_system sys; driven_data data; epi_flow *f, *average; } windows;

static void open_windows(windows *w)
{
  *w = (windows){.sys = {.nq = 2, .force = driven, .phase.period = 2*3.14159265358979323846/100}};
  w->sys.data = &w->data;
  w->f = epi_make("project(rk4(hmm(verlet, start=current)), drift=0.5)", &w->sys);
  if (epi_error(w->f)) test_stop(epi_error(w->f));
  w->average = epi_average_of(w->f);
}

/* by a flow that has never seen another window */
static void fresh_mean(double t, const double *y, double *mean)
{
  windows w;
  open_windows(&w);
  check_count(epi_window_mean(w.average, t, 0, y, mean), 0);
  epi_free(w.f);
}

static void is_fresh(const char *when, windows *w, double t, const double *y)
{
  double mean[4], fresh[4];
  int code = epi_window_mean(w->average, t, 0, y, mean);
  fresh_mean(t, y, fresh);
  if (!check_count(code, 0) || !check_array(4, mean, fresh, 1e-13)) printf("  %s\n", when);
}

static void means(void)
{
  static const double y[] = {0.1, 1, 0.2, 0.3}, other[] = {0.4, 2, -0.2, 0.3};
  double a[2], one[4], two[4];
  windows w;
  open_windows(&w);
  epi_ready(w.f);
  /* they differ: by the time, and by the state */
  fresh_mean(1, y, one);
  fresh_mean(2, y, two);
  check_above(fabs(one[0] - two[0]), 0.1);
  fresh_mean(1, other, two);
  check_above(fabs(one[1] - two[1]), 0.5);
  /* after a force the mean is there, and costs no window */
  check_count(epi_window_accel(w.average, 1, 0, y, y + 2, a), 0);
  long steps = w.average->steps;
  is_fresh("from the window of the force", &w, 1, y);
  check_count(w.average->steps, steps);
  is_fresh("the same state at another time", &w, 2, y);
  is_fresh("and back", &w, 1, y);
  check_count(epi_window_accel(w.average, 1, 0, y, y + 2, a), 0);
  is_fresh("another state at the same time", &w, 1, other);
  is_fresh("and once more", &w, 1, other);
  /* a window that fails leaves no mean */
  check_count(epi_window_accel(w.average, 1, 0, y, y + 2, a), 0);
  w.data.fails = 1;
  check(epi_window_accel(w.average, 1, 0, other, other + 2, a) != 0);
  w.data.fails = 0;
  is_fresh("after a window that failed", &w, 1, other);
  epi_free(w.f);
}

/* ---- growth ---- */
static int spring(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }
static int growing(epi_system *s, double t, const double *y, double *dy) { (void)s; (void)t; dy[0] = y[0]; return 0; }

/* numbers whose squares overflow are no motion any more: steps beyond stability reach them long before a number is infinite. What begins
   with such numbers may keep them, and a motion that grows may do so as far as its squares go */
static void growth(void)
{
  epi_system m = {.nq = 1, .force = spring}, r = {.nz = 1, .rate = growing};
  double y[] = {1, 0}, z[] = {1e200, 0}, x[] = {1};
  epi_state s = {.y = y}, large = {.y = z}, up = {.y = x};
  epi_flow *f = epi_make("verlet", &m), *g = epi_make("rk4", &r);
  check_count(epi_run(f, &s, 300*2.5, 2.5), EPI_WRONG);
  check_has(epi_error(f), "its square overflows");
  check_below(hypot(y[0], y[1]), 1.4e154);
  check_above(hypot(y[0], y[1]), 1e153);
  check_count(epi_run(f, &large, 10, 0.01), 0);
  check_rel(z[0], 1e200*cos(10), 1e-3);
  check_count(epi_run(g, &up, 300, 0.05), 0);
  check_rel(x[0], exp(300), 1e-4);
  epi_free(f);
  epi_free(g);
}

int main(void)
{
  growth();
  static const char *const texts[] = {"verlet", "herk3", "substeps(verlet, 4)", "semi(model, b)", "semi(model, b, tol=0.01)",
                                      "tolerance(herk3, rtol=1e-6)"};
  /* by a code, and by a number that is none */
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    failed_steps(texts[i], 0.05, -7);
    failed_steps(texts[i], 0.05, 2);
  }
  refused_steps("semi(model, b, beta=0.5)", 0.25);
  refused_steps("semi(model, b, tol=0.01)", 0.25);
  refused_forces();
  stiff_start("tolerance(dopri5, rtol=1e-5, first=1)");
  stiff_start("tolerance(bs3, rtol=1e-3, first=1)");
  means();
  return test_done();
}
