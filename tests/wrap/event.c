/* holds: watch and at give outputs at their times, events at their roots, and stops that stop */
#include "problems.h"
#include "test.h"

static int fall(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = -1; return 0; }
static int spring(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }

typedef struct { int n; double t[4096], y[4096][2]; int stop; } diary;
static int note(void *data, const epi_system *s, epi_state *x)
{
  diary *d = data;
  (void)s;
  if (d->n < 4096) { d->t[d->n] = x->t; memcpy(d->y[d->n], x->y, 2*sizeof(double)); }
  d->n++;
  return d->stop && d->n >= d->stop;
}
static int rebound(void *data, const epi_system *s, epi_state *x)
{
  note(data, s, x);
  x->y[0] = 0;
  x->y[1] *= -0.5;
  return 0;
}
static double floor_gap(void *data, double t, const double *y) { (void)data; (void)t; return y[0]; }

static epi_flow *make(const char *text, epi_system *s, diary *d)
{
  epi_name names[] = {{.name = "model", .system = s}, {.name = "note", .see = note, .data = d},
                      {.name = "rebound", .see = rebound, .data = d},
                      {.name = "floor", .gap = floor_gap}, {0}};
  return epi_make_named(text, names);
}

/* a ball that loses half its speed: hits at sqrt(2), and then after 2 v, v, ... */
static void bouncing_ball(void)
{
  static const char *const flows[] = {"at(verlet, gap=floor, hit=rebound, direction=down)",
                                      "at(tolerance(dopri5), of=0, hit=rebound, direction=down)",
                                      "at(symmetric(verlet, order=6), of=0, hit=rebound)"};
  for (int i = 0; i < 3; i++) {
    epi_system s = {.nq = 1, .force = fall};
    double y[] = {1, 0}, v = sqrt(2), t = sqrt(2);
    diary d = {0};
    epi_state x = {.y = y};
    epi_flow *f = make(flows[i], &s, &d);
    check_count(epi_run(f, &x, 3.5, 0.1), 0);
    check_abs(x.t, 3.5, 0);
    check_count(d.n, 2);
    for (int k = 0; k < 2; k++) { check_abs(d.t[k], t, 1e-13); v *= 0.5; t += 2*v; }
    epi_free(f);
  }
}

/* a spring crosses zero going down at pi/2 + 2 pi k, up at 3 pi/2 + 2 pi k */
static void directions(void)
{
  static const struct { const char *text; double first, apart; int n; } flows[] = {
    {"at(symmetric(verlet, order=8), of=0, hit=note)", 0.5, 1, 6},
    {"at(symmetric(verlet, order=8), of=0, hit=note, direction=down)", 0.5, 2, 3},
    {"at(symmetric(verlet, order=8), of=0, hit=note, direction=up)", 1.5, 2, 3},
    {"at(dop853, of=speed, hit=note)", 1, 1, 6}, {"at(dop853, of=1, level=0.5, hit=note, direction=up)", 7./6, 2, 3},
  };
  static const char *const names[] = {"place", "speed"};
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    epi_system s = {.nq = 1, .force = spring, .names = names};
    double y[] = {1, 0};
    diary d = {0};
    epi_state x = {.y = y};
    epi_flow *f = make(flows[i].text, &s, &d);
    epi_advance(f, &x, 0.13, 145);
    if (!check_count(d.n, flows[i].n)) printf("  %s: %s\n", flows[i].text, epi_error(f) ? epi_error(f) : "");
    for (int k = 0; k < d.n && k < flows[i].n; k++) check_abs(d.t[k], M_PI*(flows[i].first + k*flows[i].apart), 1e-9);
    epi_free(f);
  }
}

static void terminal(void)
{
  epi_system s = {.nq = 1, .force = spring};
  double y[] = {1, 0};
  epi_state x = {.y = y};
  epi_flow *f = epi_make("at(dop853, of=0, stop=1)", &s);
  check_count(epi_run(f, &x, 100, 0.2), EPI_STOPPED);
  check_abs(x.t, M_PI/2, 1e-11);
  check_abs(y[0], 0, 1e-15);
  /* going on does not see the same event again */
  check_count(epi_run(f, &x, 100, 0.2), EPI_STOPPED);
  check_abs(x.t, 1.5*M_PI, 1e-11);
  epi_free(f);
}

/* a rebound that leaves the place to rounding: no event twice, and the last ones are named instead of falling through the floor */
static int turn_round(void *data, const epi_system *s, epi_state *x) { note(data, s, x); x->y[1] *= -0.8; return 0; }
static void coming_to_rest(void)
{
  static const char *const flows[] = {"at(verlet, of=0, direction=down, hit=turn)", "at(verlet, of=0, hit=turn)"};
  for (int i = 0; i < 2; i++) {
    epi_system s = {.nq = 1, .force = fall};
    double y[] = {1, 0}, v = sqrt(2), t = sqrt(2);
    diary d = {0};
    epi_state x = {.y = y};
    epi_name names[] = {{.name = "model", .system = &s}, {.name = "turn", .see = turn_round, .data = &d}, {0}};
    epi_flow *f = epi_make_named(flows[i], names);
    check_count(epi_run(f, &x, 6, 0.01), 0);
    for (int k = 0; k < d.n; k++) { check_abs(d.t[k], t, 1e-9); v *= 0.8; t += 2*v; }
    check_count(d.n, 3);
    /* all rebounds together end at sqrt(2) (1 + 2*0.8/(1 - 0.8)) = 12.7 */
    check(epi_run(f, &x, 14, 0.01) < 0);
    check_has(epi_error(f), "events pile up at t = 12.7");
    check_between(y[0], -1e-6, 1e-6);
    epi_free(f);
  }
}

/* events that never end are named, not looped over */
static int fall_through(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; x->y[0] = 1e-300; return 0; }
static void piling_up(void)
{
  epi_system s = {.nq = 1, .force = fall};
  double y[] = {1, 0};
  epi_state x = {.y = y};
  epi_name names[] = {{.name = "model", .system = &s}, {.name = "bad", .see = fall_through}, {0}};
  epi_flow *f = epi_make_named("at(verlet, of=0, hit=bad)", names);
  check(epi_run(f, &x, 3, 0.1) < 0);
  check_has(epi_error(f), "events pile up");
  check(isfinite(y[0]));
  epi_free(f);
}

/* output at every dt, whatever the steps are; verlet is off by its phase, h^2 t/24 */
static void outputs(void)
{
  static const struct { const char *text; double h, tol; } flows[] = {
    {"watch(verlet, see=note, every=0.1)", 0.01, 4.3e-5}, {"watch(verlet, see=note, every=0.1)", 0.03, 3.9e-4},
    {"watch(symmetric(verlet, order=8), see=note, every=0.1)", 0.7, 1e-6},
    {"watch(dopri5, see=note, every=0.1)", 0.25, 1e-5}, {"watch(tolerance(dopri5, rtol=1e-10), see=note, every=0.1)", 3, 1e-8},
    {"tolerance(watch(dopri5, see=note, every=0.1), rtol=1e-10)", 10, 1e-8},
    {"tolerance(watch(symmetric(verlet, order=4), see=note, every=0.1), rtol=1e-10)", 10, 1e-8},
    {"watch(substeps(rk4, 20), see=note, every=0.1)", 0.35, 1e-6}, {"watch(gauss(stages=3), see=note, every=0.1)", 0.4, 1e-5},
    {"tolerance(watch(watch(dop853, see=note, every=0.1)), rtol=1e-11)", 10, 1e-9},
  };
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    epi_system s = {.nq = 1, .force = spring};
    double y[] = {1, 0}, worst = 0;
    diary d = {0};
    epi_state x = {.t = 2, .y = y};
    epi_flow *f = make(flows[i].text, &s, &d);
    check_count(epi_run(f, &x, 12, flows[i].h), 0);
    if (!check_count(d.n, 100)) printf("  %s\n", flows[i].text);
    for (int k = 0; k < d.n && k < 100; k++) {
      check_abs(d.t[k], 2 + 0.1*(k + 1), 1e-12);
      worst = fmax(worst, fmax(fabs(d.y[k][0] - cos(0.1*(k + 1))), fabs(d.y[k][1] + sin(0.1*(k + 1)))));
    }
    if (!check_below(worst, flows[i].tol)) printf("  %s\n", flows[i].text);
    epi_free(f);
  }
}

/* watching changes no bit of what is watched */
static void undisturbed(void)
{
  static const char *const flows[][2] = {
    {"verlet", "watch(verlet, see=note, every=0.037)"},
    {"symmetric(verlet, order=6)", "watch(symmetric(verlet, order=6), see=note, every=0.037)"},
    {"dopri5", "watch(dopri5, see=note, every=0.037)"}, {"tolerance(dopri5)", "tolerance(watch(dopri5, see=note, every=0.037))"},
    {"verlet", "watch(verlet, see=note)"}, {"gauss", "dense(gauss)"},
    {"tolerance(verlet)", "tolerance(watch(verlet, see=note, every=0.037))"},
  };
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) {
    epi_system s = {.nq = 2, .force = shaken_force};
    double a[4], b[4];
    diary d = {0};
    memcpy(a, henon_start, sizeof a);
    memcpy(b, henon_start, sizeof b);
    epi_state x = {.y = a}, z = {.y = b};
    epi_flow *f = epi_make(flows[i][0], &s), *g = make(flows[i][1], &s, &d);
    check_count(epi_advance(f, &x, 0.1, 40) | epi_advance(g, &z, 0.1, 40), 0);
    if (!check_bits(4, b, a)) printf("  %s\n", flows[i][1]);
    epi_free(f);
    epi_free(g);
  }
}

/* refused steps are never seen; a stop asked for is obeyed and can be continued */
static void only_accepted(void)
{
  epi_system s = {.nq = 1, .force = spring};
  double y[] = {1, 0};
  diary d = {0};
  epi_state x = {.y = y};
  epi_flow *f = make("tolerance(watch(dopri5, see=note), rtol=1e-9, first=5)", &s, &d);
  check_count(epi_run(f, &x, 20, 20), 0);
  for (int k = 1; k < d.n; k++) check(d.t[k] > d.t[k-1]);
  check_abs(d.t[d.n-1], 20, 0);
  check(info_of(f).refused > 0);
  epi_free(f);
  d = (diary){.stop = 3};
  y[0] = 1, y[1] = 0;
  x = (epi_state){.y = y};
  f = make("watch(verlet, see=note)", &s, &d);
  check_count(epi_advance(f, &x, 0.1, 10), EPI_STOPPED);
  check_abs(x.t, 0.3, 1e-15);
  d.stop = 0;
  check_count(epi_advance(f, &x, 0.1, 7), 0);
  check_count(d.n, 10);
  epi_free(f);
}

int main(void)
{
  bouncing_ball();
  directions();
  terminal();
  coming_to_rest();
  piling_up();
  outputs();
  undisturbed();
  only_accepted();
  return test_done();
}
