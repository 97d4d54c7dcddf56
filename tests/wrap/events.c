/* holds: events inside controllers and solvers, backward and after a restart are found without changing a bit of the run
 * events.c - events in every step that is taken: inside controllers and solvers, two in one step, backward, after a restart; and outputs
 * that change no bit of a run */
#include "problems.h"
#include "test.h"

static int kepler(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  double r2 = q[0]*q[0] + q[1]*q[1], c = -1/(r2*sqrt(r2));
  f[0] = c*q[0];
  f[1] = c*q[1];
  return 0;
}
static double kepler_potential(epi_system *s, double t, const double *y) { (void)s; (void)t; return -1/sqrt(y[0]*y[0] + y[1]*y[1]); }
static int fall(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = -1; return 0; }
static double fall_potential(epi_system *s, double t, const double *y) { (void)s; (void)t; return y[0] + 3; }
static int spring(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }
static double spring_potential(epi_system *s, double t, const double *y) { (void)s; (void)t; return y[0]*y[0]/2 + 1; }
static int turning(epi_system *s, double t, const double *y, double *dy) { (void)s; (void)t; dy[0] = y[1]; dy[1] = -y[0]; return 0; }

typedef struct { int n; double t[512], y[512][4]; int direction[512], mixed; } diary;
static void write_down(void *data, const epi_event *e)
{
  diary *d = data;
  if (d->n < 512) {
    d->t[d->n] = e->t;
    d->direction[d->n] = e->direction;
    memcpy(d->y[d->n], e->y, 2*sizeof(double));
    if (!d->mixed) check_count(e->number, d->n + 1);
  }
  d->n++;
}
static int rebound(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; x->y[0] = 0; x->y[1] *= -0.5; return 0; }
static int look(void *data, const epi_system *s, epi_state *x) { (void)s; (void)x; ++*(int *)data; return 0; }
static double height(void *data, double t, const double *y) { (void)data; (void)t; return y[1]; }
static double nearest(void *data, double t, const double *y) { (void)data; (void)t; return y[0]*y[2] + y[1]*y[3]; }

static epi_flow *make(const char *text, epi_system *s, diary *d)
{
  static int seen;
  epi_name names[] = {{.name = "model", .system = s}, {.name = "rebound", .see = rebound}, {.name = "look", .see = look, .data = &seen},
                      {.name = "height", .gap = height}, {.name = "nearest", .gap = nearest}, {0}};
  epi_flow *f = epi_make_named(text, names);
  epi_on_event(f, write_down, d);
  return f;
}

/* without SUNDIALS a text that needs it is left out */
static int missing(const char *text) { return (strstr(text, "cvode") || strstr(text, "arkode")) && !epi_record_of("cvode"); }

static const char *const inside[] = {
  "tolerance(dop853, rtol=1e-9)", "tolerance(dopri5, rtol=1e-9)", "tolerance(rk4, rtol=1e-9)",
  "tolerance(symmetric(verlet, order=6), rtol=1e-9)",
  "tolerance(gauss(stages=3), rtol=1e-9)", "cvode(rtol=1e-10)", "cvode(method=bdf, rtol=1e-10, steps=100000)", "arkode(rtol=1e-9)",
  "arkode(rtol=1e-9, order=8)", "substeps(rk4, 4000)", "substeps(symmetric(verlet, order=8), 400)", "substeps(substeps(rk4, 20), 200)",
  "substeps(tolerance(dop853, rtol=1e-9), 7)", "adjoint(substeps(symmetric(verlet, order=8), 400))",
  "scaled(symmetric(strang(drift, kick), order=8), eps=0.05)", "density(symmetric(verlet, order=8), objective=arc, eps=0.05)",
};
enum { NINSIDE = sizeof inside/sizeof *inside };

/* an ellipse from its nearest point: y = 0 at every multiple of pi, going down at the odd ones */
static void orbit(void)
{
  static const double steps[] = {1, 2, 5, 10, 20, 40};
  for (int i = 0; i < NINSIDE; i++)
    for (size_t k = 0; k < sizeof steps/sizeof *steps && !missing(inside[i]); k++) {
      epi_system s = {.nq = 2, .force = kepler, .energies.potential = kepler_potential};
      double y[] = {0.4, 0, 0, 2};
      char text[256];
      diary d = {0};
      epi_state x = {.y = y};
      snprintf(text, sizeof text, "at(%s, of=1, direction=down, stop=1)", inside[i]);
      epi_flow *f = make(text, &s, &d);
      if (!check_count(epi_run(f, &x, 40, steps[k]), EPI_STOPPED)) printf("  %s: %s\n", text, epi_error(f) ? epi_error(f) : "");
      if (!check_abs(x.t, M_PI, 2e-5)) printf("  %s, steps of %g\n", text, steps[k]);
      check_abs(y[1], 0, 1e-9);
      check_count(d.n, 1);
      /* going on does not see it again */
      check_count(epi_run(f, &x, 40, steps[k]), EPI_STOPPED);
      if (!check_abs(x.t, 3*M_PI, 2e-4)) printf("  %s, steps of %g\n", text, steps[k]);
      check_count(epi_events(f), 2);
      epi_free(f);
    }
}

/* all of them in one call, by a coordinate and by functions; and backward */
static void all_of_them(void)
{
  static const struct { const char *what; int n; double first, apart; } events[] = {
    {"of=1", 12, 1, 1}, {"gap=height", 12, 1, 1}, {"gap=nearest, direction=up", 6, 2, 2}, {"gap=nearest, direction=down", 6, 1, 2}};
  for (int i = 0; i < NINSIDE; i++)
    for (int e = 0; e < 8 && !missing(inside[i]); e++) {
      epi_system s = {.nq = 2, .force = kepler, .energies.potential = kepler_potential};
      double y[] = {0.4, 0, 0, 2}, sign = e < 4 ? 1 : -1;
      char text[256];
      diary d = {0};
      epi_state x = {.y = y};
      /* seen backward, up and down change places */
      int k = e < 4 ? e : (const int[]){0, 1, 3, 2}[e - 4];
      snprintf(text, sizeof text, "at(%s, %s)", inside[i], events[k].what);
      epi_flow *f = make(text, &s, &d);
      if (!check_count(epi_run(f, &x, sign*40, sign*40), 0)) printf("  %s: %s\n", text, epi_error(f));
      const char *want = e < 4 ? NULL : "backward";
      double first = e < 4 ? events[k].first : events[e - 4].first, apart = e < 4 ? events[k].apart : events[e - 4].apart;
      if (!check_count(d.n, 12/(int)apart)) printf("  %s %s\n", text, want ? want : "");
      for (int j = 0; j < d.n && j < 12; j++)
        if (!check_abs(sign*d.t[j], M_PI*(first + j*apart), 2e-3)) printf("  %s %s\n", text, want ? want : "");
      epi_free(f);
    }
}

/* an oscillation that just reaches a level and comes back: twice in one step, and not at all where it stays below */
static void grazing(void)
{
  static const struct { const char *text; double h, level; int rate; } all[] = {
    {"tolerance(dop853, rtol=1e-11)", 40, 1 - 1e-7, 0}, {"tolerance(dopri5, rtol=1e-10)", 40, 1 - 1e-6, 0},
    {"tolerance(rk4, rtol=1e-10)", 40, 1 - 1e-5, 0}, {"dop853", 0.5, 1 - 1e-7, 0}, {"dopri5", 0.1, 1 - 1e-6, 0},
    {"rk4", 0.05, 1 - 1e-5, 0}, {"symmetric(verlet, order=8)", 0.5, 1 - 1e-5, 0}, {"gauss(stages=3)", 0.3, 1 - 1e-5, 0},
    {"verlet", 0.002, 1 - 1e-4, 0}, {"substeps(verlet, 20000)", 40, 1 - 1e-4, 0}, {"substeps(rk4, 800)", 40, 1 - 1e-5, 0},
    {"cvode(rtol=1e-11)", 40, 1 - 1e-5, 0}, {"arkode(rtol=1e-10)", 40, 1 - 1e-5, 0},
    {"scaled(symmetric(strang(drift, kick), order=8), eps=0.2)", 40, 1 - 1e-5, 0},
    {"density(symmetric(verlet, order=8), eps=0.2, objective=arc)", 40, 1 - 1e-5, 0},
    {"tolerance(dop853, rtol=1e-11)", 40, 1 - 1e-7, 1}, {"rk4", 0.05, 1 - 1e-5, 1}, {"gauss(stages=3)", 0.3, 1 - 1e-5, 1},
    {"tolerance(gauss(stages=3), rtol=1e-10)", 40, 1 - 1e-5, 1},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++)
    for (int above = 0; above < 2 && !missing(all[i].text); above++) {
      epi_system s = {.nq = 1, .force = spring, .energies.potential = spring_potential};
      if (all[i].rate) s = (epi_system){.nz = 2, .rate = turning};
      /* cos(t - 1): reaches the level at 1 +- a, and a period later */
      double y[] = {cos(1), sin(1)}, level = above ? 2 - all[i].level : all[i].level, a = acos(all[i].level);
      char text[256];
      diary d = {0};
      epi_state x = {.y = y};
      snprintf(text, sizeof text, "at(%s, of=0, level=%.17g)", all[i].text, level);
      epi_flow *f = make(text, &s, &d);
      if (!check_count(epi_run(f, &x, 40, all[i].h), 0)) printf("  %s: %s\n", text, epi_error(f));
      if (!check_count(d.n, above ? 0 : 14)) printf("  %s\n", text);
      for (int k = 0; k < d.n && k < 14; k++) {
        if (!check_abs(d.t[k], 1 + 2*M_PI*(k/2) + (k % 2 ? a : -a), 0.4*a)) printf("  %s\n", text);
        check_count(d.direction[k], k % 2 ? -1 : 1);
      }
      epi_free(f);
    }
}

/* a ball that loses half its speed: hits at sqrt(2), and then after 2 v, v, ...; all of them in one step */
static void rebounds(void)
{
  for (int i = 0; i < NINSIDE; i++) {
    if (missing(inside[i]) || strstr(inside[i], "density")) continue;
    epi_system s = {.nq = 1, .force = fall, .energies.potential = fall_potential};
    double y[] = {1, 0}, v = sqrt(2), t = sqrt(2), tol = strstr(inside[i], "ode") ? 1e-6 : 1e-9;
    char text[256];
    diary d = {0};
    epi_state x = {.y = y};
    snprintf(text, sizeof text, "at(%s, of=0, hit=rebound, direction=down)", inside[i]);
    epi_flow *f = make(text, &s, &d);
    if (!check_count(epi_run(f, &x, 4, 4), 0)) printf("  %s: %s\n", text, epi_error(f));
    check_abs(x.t, 4, 0);
    if (!check_count(d.n, 4)) printf("  %s\n", text);
    for (int k = 0; k < d.n && k < 4; k++) {
      if (!check_abs(d.t[k], t, tol)) printf("  %s\n", text);
      /* the state is that before the rebound */
      check_abs(d.y[k][1], -v, 10*tol);
      v *= 0.5;
      t += 2*v;
    }
    epi_free(f);
  }
}

/* rest is named, also where the steps are inside */
static void resting(void)
{
  epi_system s = {.nq = 1, .force = fall};
  double y[] = {1, 0};
  diary d = {0};
  epi_state x = {.y = y};
  epi_flow *f = make("at(tolerance(dop853), of=0, hit=rebound, direction=down)", &s, &d);
  check(epi_run(f, &x, 6, 6) < 0);
  check_has(epi_error(f), "events pile up at t = 4.24");
  epi_free(f);
}

/* what changes nothing leaves no trace in the run of a flow that takes many steps */
static void no_trace(void)
{
  static const char *const flows[] = {"tolerance(dop853)", "tolerance(dopri5)", "tolerance(verlet)", "cvode", "arkode",
                                      "substeps(verlet, 50)", "scaled(symmetric(strang(drift, kick), order=8))",
                                      "density(verlet, objective=arc, eps=0.05)"};
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    epi_system s = {.nq = 2, .force = kepler, .energies.potential = kepler_potential};
    double y[] = {0.4, 0, 0, 2}, z[] = {0.4, 0, 0, 2};
    char text[256];
    diary d = {0};
    epi_state a = {.y = y}, b = {.y = z};
    if (missing(flows[i])) continue;
    snprintf(text, sizeof text, "watch(at(%s, of=1, hit=look), see=look, every=0.013)", flows[i]);
    epi_flow *f = make(flows[i], &s, &d), *g = make(text, &s, &d);
    check_count(epi_run(f, &a, 20, 0.5) | epi_run(g, &b, 20, 0.5), 0);
    if (!check_bits(4, z, y)) printf("  %s\n", text);
    if (!check_above(d.n, 5)) printf("  %s\n", text);
    epi_free(f);
    epi_free(g);
  }
}

/* a checkpoint between events: the same events, bit for bit, and their number */
static void restarted(void)
{
  static const char *const hits[] = {"of=1", "of=1, hit=look"};
  for (int i = 0; i < NINSIDE; i++)
    for (int k = 0; k < 2 && !missing(inside[i]); k++) {
      epi_system s = {.nq = 2, .force = kepler, .energies.potential = kepler_potential};
      double y[] = {0.4, 0, 0, 2}, z[] = {0.4, 0, 0, 2};
      char text[256];
      static diary d, e;
      d = e = (diary){0};
      epi_state a = {.y = y}, b = {.y = z};
      FILE *o = tmpfile();
      snprintf(text, sizeof text, "at(%s, %s)", inside[i], hits[k]);
      epi_flow *f = make(text, &s, &d), *g = make(text, &s, &e);
      check_count(epi_advance(f, &a, 5, 4), 0);
      check_count(epi_advance(g, &b, 5, 1) | epi_save(g, &b, o), 0);
      epi_free(g);
      g = make(text, &s, &e);
      rewind(o);
      check_count(epi_load(g, &b, o) | epi_advance(g, &b, 5, 3), 0);
      if (!check_bits(4, z, y) || !check_count(e.n, d.n) || !check_bits(d.n, e.t, d.t)) printf("  %s\n", text);
      check_count(epi_events(g), d.n);
      check_count(epi_events(f), 6);
      epi_free(f);
      epi_free(g);
      fclose(o);
    }
}

/* rows, few or many, change no bit of a run */
static void rows_change_nothing(void)
{
  static const struct { const char *model, *flow; double step, end; } all[] = {
    {"kepler(e=0.4)", "verlet", 0.1, 7}, {"kepler(e=0.4)", "rk4", 0.1, 7}, {"kepler(e=0.4)", "dop853", 0.1, 7},
    {"kepler(e=0.4)", "bs3", 0.1, 7}, {"kepler(e=0.4)", "gauss", 0.1, 7}, {"kepler(e=0.4)", "symmetric(verlet, order=8)", 0.1, 7},
    {"kepler(e=0.4)", "substeps(verlet, 7)", 0.1, 7}, {"kepler(e=0.4)", "substeps(rk4, 5)", 0.5, 7},
    {"kepler(e=0.4)", "tolerance(dop853)", 0.1, 7}, {"kepler(e=0.4)", "tolerance(rk4)", 0.1, 7},
    {"kepler(e=0.4)", "tolerance(verlet)", 0.1, 7}, {"kepler(e=0.4)", "substeps(tolerance(dop853), 3)", 0.5, 7},
    {"kepler(e=0.4)", "cvode", 0.5, 7}, {"kepler(e=0.4)", "cvode(method=bdf)", 0.5, 7}, {"kepler(e=0.4)", "arkode", 0.5, 7},
    {"kepler(e=0.4)", "arkode(order=8)", 0.5, 7}, {"kepler(e=0.4)", "scaled(symmetric(strang(drift, kick), order=8))", 0.1, 7},
    {"kepler(e=0.4)", "density(verlet)", 0.1, 7}, {"kepler(e=0.4)", "variational(0.5, 0.5, scaling=potential)", 0.1, 7},
    {"kepler(e=0.4)", "at(verlet, of=y)", 0.1, 7}, {"kepler(e=0.4)", "at(tolerance(dop853), of=y)", 0.5, 7},
    {"kepler(e=0.4)", "at(cvode, of=y)", 0.5, 7}, {"kepler(e=0.4)", "at(substeps(verlet, 10), of=y)", 0.5, 7},
    {"kepler(e=0.4)", "at(density(verlet), of=y)", 0.1, 7}, {"kepler(e=0.4)", "dense(cvode)", 0.5, 7},
    {"kepler(e=0.4)", "dense(tolerance(dopri5))", 0.5, 7}, {"kepler(e=0.4)", "watch(tolerance(dop853), every=0.3)", 0.5, 7},
    {"heavy-top", "tolerance(rk4)", 0.1, 1}, {"heavy-top", "cvode", 0.1, 1}, {"van-der-pol", "radau", 0.01, 1},
    {"van-der-pol", "cvode(method=bdf)", 0.5, 2}, {"rod-pendulum", "substeps(verlet, 4)", 0.01, 1},
    {"inverted-pendulum", "rk4(strobe(substeps(verlet, 16)))", 0.1, 2},
    {"inverted-pendulum", "tolerance(dop853(strobe(substeps(verlet, 16))))", 0.1, 2},
    {"stiff-springs(case=iii)", "project(rk4(hmm(verlet, start=current)), every=1)", 0.25, 4},
    {"stiff-springs(case=iii)", "project(tolerance(dopri5(hmm(verlet, start=current)), controller=ode45, first=0.25), every=1)", 5, 5},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    double y[64] = {0};
    if (missing(all[i].flow)) continue;
    for (int k = 0; k < 3; k++) {
      epi_case *c = epi_case_make(all[i].model);
      int n = epi_size(&c->system);
      double every = k == 0 ? all[i].end : k == 1 ? 0.037*all[i].end/7 : 0.1;
      epi_result *r = epi_result_make(c, all[i].flow, &(epi_run_options){.step = all[i].step, .end = all[i].end, .every = every});
      if (!check_count(epi_result_run(r), 0)) printf("  %s: %s\n", all[i].flow, r->error);
      else if (k && !check_bits(n, r->y, y)) printf("  %s on %s\n", all[i].flow, all[i].model);
      check_above((double)r->rows, k == 0 ? 2 : k == 1 ? 150 : 10*all[i].end);
      if (check(n <= 64)) memcpy(y, r->y, (size_t)n*sizeof *y);
      epi_result_free(r);
      epi_case_free(c);
    }
  }
}

/* two kinds of events in one run, each as if it were alone; and one of them ends it */
static void two_kinds(void)
{
  static const char *const flows[] = {"tolerance(dop853, rtol=1e-9)", "cvode(rtol=1e-9)", "substeps(symmetric(verlet, order=8), 400)",
                                      "scaled(symmetric(strang(drift, kick), order=8), eps=0.05)"};
  for (size_t i = 0; i < sizeof flows/sizeof *flows && !missing(flows[i]); i++) {
    epi_system s = {.nq = 2, .force = kepler, .energies.potential = kepler_potential};
    char text[256];
    static diary d[3];
    for (int k = 0; k < 3; k++) {
      static const char *const forms[] = {"at(%s, of=1)", "at(%s, of=0, level=-0.3)", "at(at(%s, of=1), of=0, level=-0.3)"};
      double y[] = {0.4, 0, 0, 2};
      epi_state x = {.y = y};
      d[k] = (diary){.mixed = k == 2};
      snprintf(text, sizeof text, forms[k], flows[i]);
      epi_flow *f = make(text, &s, &d[k]);
      if (!check_count(epi_run(f, &x, 40, 40), 0)) printf("  %s: %s\n", text, epi_error(f));
      check_count(epi_events(f), d[k].n);
      epi_free(f);
    }
    if (!check_count(d[0].n, 12) || !check_count(d[2].n, d[0].n + d[1].n)) printf("  %s\n", text);
    for (int k = 0, a = 0, b = 0; k < d[2].n; k++) {
      int first = b == d[1].n || (a < d[0].n && d[0].t[a] < d[1].t[b]);
      check_abs(d[2].t[k], first ? d[0].t[a] : d[1].t[b], 1e-6);
      if (first) a++; else b++;
    }
    /* the outer one stops the run before the inner one is due, and the other way round */
    for (int inner = 0; inner < 2; inner++) {
      double y[] = {0.4, 0, 0, 2};
      epi_state x = {.y = y};
      diary e = {.mixed = 1};
      snprintf(text, sizeof text, "at(at(%s, of=1%s), of=0, level=-0.3%s)", flows[i], inner ? ", direction=down, stop=1" : ", hit=look",
               inner ? "" : ", stop=1");
      epi_flow *f = make(text, &s, &e);
      check_count(epi_run(f, &x, 40, 40), EPI_STOPPED);
      if (!check_abs(x.t, inner ? M_PI : d[1].t[0], 1e-5) || !check_count(e.n, inner ? 2 : 1)) printf("  %s\n", text);
      check_abs(y[inner ? 1 : 0], inner ? 0 : -0.3, 1e-7);
      epi_free(f);
    }
  }
}

int main(void)
{
  orbit();
  all_of_them();
  grazing();
  rebounds();
  resting();
  no_trace();
  restarted();
  two_kinds();
  rows_change_nothing();
  return test_done();
}
