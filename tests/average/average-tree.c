/* holds: averages work inside outputs, events, tolerances, checkpoints, constraints and other averages */
#include "averages.h"

static const char *const PENDULUM = "inverted-pendulum(w=1e6)";

typedef struct { double t[64], q[64]; int n; } seen;
static int note(void *data, const epi_system *s, epi_state *x)
{
  (void)s;
  seen *o = data;
  if (o->n < 64) { o->t[o->n] = x->t; o->q[o->n++] = x->y[0]; }
  return 0;
}

static void run_named(const char *text, double end, double h, seen *o, double *y)
{
  epi_case *c = epi_case_make(PENDULUM);
  epi_name names[] = {{.name = "model", .system = &c->system}, {.name = "note", .see = note, .data = o}, {0}};
  epi_flow *f = epi_make_named(text, names);
  epi_state s = epi_case_state(c);
  o->n = 0;
  if (!check_count(epi_run(f, &s, end, h), 0)) printf("  %s: %s\n", text, epi_error(f));
  memcpy(y, s.y, 2*sizeof *y);
  epi_free(f);
  epi_case_free(c);
}

/* who looks on does not disturb */
static void watched(void)
{
  static const char *const pair[][2] = {
    {"verlet(hmm(verlet))", "watch(verlet(hmm(verlet)), see=note)"},
    {"verlet(hmm(verlet))", "verlet(hmm(watch(verlet)))"},
    {"rk4(hmm(rk4, start=lift))", "watch(rk4(hmm(rk4, start=lift)), see=note, every=0.05)"}
  };
  for (int i = 0; i < 3; i++) {
    seen o;
    double a[2], b[2];
    run_named(pair[i][0], 1, 1./40, &o, a);
    run_named(pair[i][1], 1, 1./40, &o, b);
    if (i == 1) check_array(2, b, a, 1e-8);
    else check_bits(2, b, a);
    if (i != 1) check_count(o.n, i ? 20 : 40);
  }
}

/* the slow angle passes upright where the averaged equation says, to O(1/w) */
static void events(void)
{
  seen o;
  double y[2], Y[2];
  run_named("at(tolerance(dopri5(hmm(symmetric(verlet), start=current)), rtol=1e-9), of=0, hit=note)", 1, 0.05, &o, y);
  check_above(o.n, 3);
  for (int i = 0; i < o.n; i++) {
    check_abs(o.q[i], 0, 1e-9);
    run_model("averaged-pendulum", "symmetric(verlet, order=8)", o.t[i], o.t[i]/64, Y);
    check_abs(Y[0], 0, 1e-3);
  }
}

/* an adaptive macro method meets its tolerance on the slow system, in steps of the slow scale */
static void count_steps(void *data, const epi_info *i) { if (!strcmp(i->record->name, "dopri5")) *(long *)data += i->steps; }

static void adaptive(void)
{
  double y[2], Y[2], e[3], rtol[3];
  long steps[3] = {0};
  run_model("averaged-pendulum", "symmetric(verlet, order=8)", 1, 1./400, Y);
  for (int i = 0; i < 3; i++) {
    rtol[i] = pow(10, -3 - i);
    char text[128];
    snprintf(text, sizeof text, "tolerance(dopri5(hmm(dop853, kernel=box, steps=16)), rtol=%g)", rtol[i]);
    epi_case *c = epi_case_make("inverted-pendulum(w=1e8)");
    epi_flow *f = epi_case_flow(c, text);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 1, 1), 0);
    memcpy(y, s.y, sizeof y);
    epi_walk(f, count_steps, &steps[i]);
    e[i] = fabs(y[0] - Y[0]);
    check_below(e[i], 100*rtol[i]);
    epi_free(f);
    epi_case_free(c);
  }
  printf("tolerance 1e-3, 1e-4, 1e-5 at w = 1e8: %ld, %ld, %ld steps, error %.1e %.1e %.1e\n", steps[0], steps[1], steps[2],
         e[0], e[1], e[2]);
  check_below(steps[2], 400);
  check(e[2] < e[1] && e[1] < e[0]);
}

/* ---- the run, and the run that was interrupted, have the same bits ---- */
static void restarted(const char *model, const char *text, double h)
{
  double a[16], b[16];
  epi_case *c = epi_case_make(model);
  int n = epi_size(&c->system);
  epi_flow *f = epi_case_flow(c, text), *g = epi_case_flow(c, text), *k = epi_case_flow(c, text);
  epi_state s = epi_case_state(c), r = {.y = b};
  if (!check(!epi_error(f))) printf("  %s: %s\n", text, epi_error(f));
  check_count(epi_advance(f, &s, h, 12), 0);
  memcpy(a, s.y, (size_t)n*sizeof *a);
  double t = s.t;
  FILE *o = tmpfile();
  s = epi_case_state(c);
  check_count(epi_advance(g, &s, h, 5), 0);
  check_count(epi_save(g, &s, o), 0);
  rewind(o);
  check_count(epi_load(k, &r, o), 0);
  check_count(epi_advance(k, &r, h, 7), 0);
  if (!(check_bits(n, b, a) & check_bits(1, &r.t, &t))) printf("  %s\n", text);
  fclose(o);
  epi_free(f);
  epi_free(g);
  epi_free(k);
  epi_case_free(c);
}

static void restarts(void)
{
  static const struct { const char *model, *text; double h; } rows[] = {
    {"inverted-pendulum(w=1e6)", "verlet(hmm(verlet, kernel=exp5, even=1))", 0.025},
    {"inverted-pendulum(w=1e6)", "symmetric(verlet(hmm(rk4, kernel=box)), order=6)", 0.05},
    {"inverted-pendulum(w=1e6)", "verlet(hmm(tolerance(dopri5, rtol=1e-8)))", 0.03},
    {"inverted-pendulum(w=1e6)", "gauss(hmm(verlet))", 0.05},
    {"inverted-pendulum(w=1e6)", "leapfrog-predicted(hmm(verlet, start=lift, phase=running, theta0=-1.5707963267948966), alpha=0.75)",
     0.025},
    {"inverted-pendulum(w=1e6)", "tolerance(dopri5(hmm(verlet, start=lift)), rtol=1e-6)", 0.1},
    {"inverted-pendulum(w=1e6)", "tolerance(verlet(hmm(verlet)), rtol=1e-4)", 0.1},
    {"stiff-springs(case=i)", "rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current))", 0.125},
    {"stiff-springs(case=i)", "project(rk4(hmm(verlet, start=current)), every=0.3)", 0.125},
    {"stiff-springs(case=iii)", "tolerance(project(dopri5(hmm(verlet, start=current)), drift=0.01), rtol=1e-4)", 0.25},
    {"stiff-springs(case=iii)", "project(tolerance(dopri5(hmm(verlet, start=current)), rtol=1e-3, controller=ode45), every=1)", 0.25}
  };
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) restarted(rows[i].model, rows[i].text, rows[i].h);
}

/* inside tolerance the start is projected before the first step is tried, and so is what is due later: no step resolves the fast motion */
static void projected_inside(void)
{
  static const char *const texts[] = {
    "project(tolerance(dopri5(hmm(verlet, kernel=notch, start=current)), rtol=1e-5, atol=1e-5))",
    "tolerance(project(dopri5(hmm(verlet, kernel=notch, start=current))), rtol=1e-5, atol=1e-5)",
    "tolerance(project(dopri5(hmm(verlet, kernel=notch, start=current)), every=1), rtol=1e-5, atol=1e-5)"
  };
  double first[8];
  for (int i = 0; i < 3; i++) {
    epi_case *c = epi_case_make("stiff-springs(w2=2e4)");
    epi_flow *f = epi_case_flow(c, texts[i]);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, 10, 10), 0);
    check_below(epi_calls(f), 3500);
    if (i) check_array(8, s.y, first, 3e-4);
    else memcpy(first, s.y, sizeof first);
    epi_free(f);
    epi_case_free(c);
  }
}

/* ---- the same pendulum as a mass on a rod: r'' = -(g + a) e_y + the rod's force, |r| = l, seen from the pivot ---- */
static int pull(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t, (void)q;
  f[0] = 0;
  f[1] = -(9.8 + 4*s->phase.phase_rate*cos(theta));
  return 0;
}
static int rod(epi_system *s, double t, const double *q, double *g, double *G_, double *gt)
{
  (void)s, (void)t, (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 0.04;
  G_[0] = 2*q[0];
  G_[1] = 2*q[1];
  return 0;
}

static double end_angle(const char *flow, double H)
{
  epi_system m = {.nq = 2, .nc = 1, .phase = {.forced = pull, .phase_rate = 1e6}, .constraint = rod};
  epi_flow *f = epi_make(flow, &m);
  double y[] = {0.2*sin(0.5), 0.2*cos(0.5), 0, 0};
  epi_state s = {.y = y};
  if (!check_count(epi_run(f, &s, 0.5, H), 0)) printf("  %s: %s\n", flow, epi_error(f));
  check_abs(hypot(y[0], y[1]), 0.2, 1e-14);
  check_abs(y[0]*y[2] + y[1]*y[3], 0, 1e-13);
  epi_free(f);
  return atan2(y[0], y[1]);
}

/* the sum of velocities has the rod's impulses in it: nothing else is needed */
static void constrained(void)
{
  static const char *const flow[] = {"verlet(hmm(verlet, kernel=box, steps=128, even=1))", "verlet(hmm(verlet, steps=128))"};
  for (int k = 0; k < 2; k++) {
    double h[4], e[4], Y[2];
    /* the swing of verlet is larger by x/sin x, x = pi/steps */
    char model[64];
    snprintf(model, sizeof model, "averaged-pendulum(vmax=%.17g)", 4*PI/128/sin(PI/128));
    run_model(model, "symmetric(verlet, order=8)", 0.5, 1./400, Y);
    for (int i = 0; i < 4; i++) {
      h[i] = 0.5/(20 << i);
      e[i] = fabs(end_angle(flow[k], h[i]) - Y[0]);
    }
    printf("%-52s on a rod: %.1e %.1e %.1e %.1e\n", flow[k], e[0], e[1], e[2], e[3]);
    check_order(4, h, e, 2, 0.2);
  }
}

/* the average of an average: a slow system has nothing fast left, so a second window finds the same force */
static void twice(void)
{
  double once = force_of(PENDULUM, "hmm(rk4, kernel=box)", 0, 0.5, 0);
  double again = force_of(PENDULUM, "hmm(verlet(hmm(rk4, kernel=box)))", 0, 0.5, 0);
  check_abs(again, once, 1e-6);
}

int main(void)
{
  watched();
  events();
  adaptive();
  restarts();
  constrained();
  twice();
  projected_inside();
  return test_done();
}
