/* holds: the Adams method is right in steps, dense rows, events, restarts and both directions, and refuses the rest in words
 * adams.c - the Adams method: what it takes beside order 8, its rows between steps, back and forth, events, breaks of the force in time,
 * rotations, damping, restarts to the bit, and its sentences */
#include <epicycle/method.h>
#include <epicycle/model.h>
#include "test.h"

enum { MOST = 24 };

/* the state of a model at the end, with rows of h on the way; evaluations */
static double run(const char *model, const char *flow, double end, double h, double *y)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (!check(!epi_error(f))) test_stop(epi_error(f));
  check_count(epi_run(f, &s, c->t + end, h), 0);
  memcpy(y, s.y, (size_t)epi_size(&c->system)*sizeof *y);
  double calls = (double)epi_calls(f);
  epi_free(f);
  epi_case_free(c);
  return calls;
}

static double apart(const double *a, const double *b)
{
  double most = 0, size = 0;
  for (int i = 0; i < MOST; i++) { most = fmax(most, fabs(a[i] - b[i])); size = fmax(size, fabs(b[i])); }
  return most/size;
}

/* the first tolerance that reaches an error */
static double cost(const char *model, const char *flow, double end, double error, const double *exact)
{
  for (double r = error; r > 1e-15; r /= 2) {
    char text[96];
    double y[MOST] = {0};
    snprintf(text, sizeof text, flow, r, r);
    double calls = run(model, text, end, end, y);
    if (apart(y, exact) <= error) return calls;
  }
  return HUGE_VAL;
}

/* of forces of position it takes less than half of what order 8 takes, of others and of rotations no more than a little less */
static void beside_order_8(void)
{
  static const struct { const char *model; double end, less; } p[] = {
    {"kepler(e=0.6)", 20, 0.5}, {"pendulum", 30, 0.5}, {"stiff-springs(w2=50)", 10, 0.5}, {"spring-chain", 5, 0.55},
    {"inverted-pendulum(w=300)", 1, 0.5}, {"van-der-pol", 5, 0.6}, {"magnetic-pendulum", 5, 0.6}, {"heavy-top", 2, 1}};
  for (size_t i = 0; i < sizeof p/sizeof *p; i++)
    for (double error = 1e-4; error > 1e-9; error *= 1e-3) {
      double exact[MOST] = {0};
      run(p[i].model, "tolerance(dop853, rtol=1e-14, atol=1e-14)", p[i].end, p[i].end, exact);
      double ours = cost(p[i].model, "adams(rtol=%g, atol=%g)", p[i].end, error, exact);
      double other = cost(p[i].model, "tolerance(dop853, rtol=%g, atol=%g)", p[i].end, error, exact);
      if (!check_below(ours, p[i].less*other)) printf("  %s to %g: %g evaluations beside %g\n", p[i].model, error, ours, other);
    }
}

/* rows are found between its steps, and change nothing in them */
static void rows(void)
{
  double one[MOST] = {0}, many[MOST] = {0};
  double calls = run("kepler(e=0.3)", "adams(rtol=1e-9, atol=1e-9)", 10, 10, one);
  check_count((long)run("kepler(e=0.3)", "adams(rtol=1e-9, atol=1e-9)", 10, 0.01, many), (long)calls);
  check_array(4, one, many, 1e-14);
  epi_case *c = epi_case_make("pendulum");
  epi_flow *f = epi_case_flow(c, "adams(rtol=1e-10, atol=1e-10)"), *g = epi_case_flow(c, "tolerance(dop853, rtol=1e-13, atol=1e-13)");
  epi_state s = epi_case_state(c);
  double x[MOST], worst = 0;
  epi_state b = {.t = s.t, .y = x};
  memcpy(x, s.y, (size_t)epi_size(&c->system)*sizeof *x);
  for (int k = 1; k <= 300; k++) {
    check_count(epi_run(f, &s, 0.037*k, 0.037) + epi_run(g, &b, 0.037*k, 0.037), 0);
    worst = fmax(worst, fmax(fabs(s.y[0] - b.y[0]), fabs(s.y[1] - b.y[1])));
  }
  check_below(worst, 3e-8);
  epi_free(f);
  epi_free(g);
  epi_case_free(c);
}

static void back_again(void)
{
  epi_case *c = epi_case_make("kepler(e=0.3)");
  epi_flow *f = epi_case_flow(c, "adams(rtol=1e-11, atol=1e-11)");
  epi_state s = epi_case_state(c);
  double y[MOST];
  memcpy(y, s.y, 4*sizeof *y);
  check_count(epi_run(f, &s, 7, 7) + epi_run(f, &s, 0, -7), 0);
  check_array(4, s.y, y, 1e-8);
  epi_free(f);
  epi_case_free(c);
}

/* the zeros of cos t, of q'' = -q */
static int spring(epi_system *m, double t, const double *q, double *f) { (void)m; (void)t; f[0] = -q[0]; return 0; }
static void events(void)
{
  epi_system m = {.nq = 1, .force = spring, .traits.smooth = 1};
  epi_flow *f = epi_make("at(adams(rtol=1e-11, atol=1e-11), of=0)", &m);
  double y[] = {1, 0};
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, 20, 20), 0);
  check_count(epi_events(f), 6);
  check_abs(y[0], cos(20), 1e-8);
  epi_free(f);
}

/* ---- forces that jump or bend at times that are named ---- */
static const double at[] = {1, 2.5};
static int pushed(epi_system *m, double t, const double *q, double *f) { (void)m; (void)q; f[0] = t < 1 ? 0 : t < 2.5 ? 3 : -1; return 0; }
static void breaks(void)
{
  epi_system m = {.nq = 1, .force = pushed, .traits = {.breaks = at, .nbreaks = 2}};
  epi_flow *f = epi_make("adams(rtol=1e-9, atol=1e-12)", &m);
  double y[] = {0, 1};
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, 4, 4), 0);
  check_abs(y[1], 1 + 4.5 - 1.5, 1e-11);
  check_abs(y[0], 4 + 3*1.5*(0.75 + 1.5) - 0.5*1.5*1.5, 1e-10);
  check_below((double)epi_calls(f), 150);
  /* and back */
  check_count(epi_run(f, &s, 0, -4), 0);
  check_abs(y[0], 0, 1e-8);
  check_abs(y[1], 1, 1e-8);
  epi_free(f);
}

/* ---- a motion that nearly reaches where its force says no: q = sin t ---- */
static int up_to_one(epi_system *m, double t, const double *q, double *f) { spring(m, t, q, f); return q[0] > 1 ? EPI_TOO_FAR : 0; }
static void edge(void)
{
  for (double r = 1e-4; r > 1e-11; r *= 0.1) {
    epi_system m = {.nq = 1, .force = up_to_one};
    char text[64];
    snprintf(text, sizeof text, "adams(rtol=%g, atol=%g)", r, r);
    epi_flow *f = epi_make(text, &m);
    double y[] = {0, 1 - 1e3*r};
    epi_state s = {.y = y};
    check_count(epi_run(f, &s, 12, 12), 0);
    check_abs(y[0], (1 - 1e3*r)*sin(12), 1e3*r);
    epi_free(f);
  }
}

/* ---- what is of first order, and forces of velocity: q'' = -20 v - 100 q + z, z' = -z ---- */
static int force(epi_system *m, double t, const double *q, double *f) { (void)m; (void)t; f[0] = -100*q[0]; return 0; }
static int drag(epi_system *m, double t, const double *q, const double *v, double *f)
{
  (void)m; (void)t; (void)q;
  f[0] -= 20*v[0];
  return 0;
}
static int decay(epi_system *m, double t, const double *y, double *dz) { (void)m; (void)t; dz[0] = -y[2]; return 0; }
static void damped(void)
{
  epi_system m = {.nq = 1, .nz = 1, .force = force, .velocity_force = drag, .rate = decay};
  epi_flow *f = epi_make("adams(rtol=1e-9, atol=1e-12)", &m);
  double y[] = {1, 0, 2};
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, 2, 2), 0);
  /* critical: q = (1 + 10 t) exp(-10 t) */
  check_abs(y[0], 21*exp(-20), 1e-8);
  check_abs(y[1], -200*exp(-20), 1e-8);
  check_abs(y[2], 2*exp(-2), 1e-8);
  epi_free(f);
}

/* ---- a force that the caller changes between two runs: what the steps are ahead by is forgotten ---- */
static int pulled(epi_system *m, double t, const double *q, double *f) { (void)t; (void)q; f[0] = *(const double *)m->data; return 0; }
static void changed(void)
{
  double pull = 1, y[] = {0, 0};
  epi_system m = {.nq = 1, .force = pulled, .data = &pull};
  epi_flow *f = epi_make("adams(rtol=1e-9, atol=1e-9)", &m);
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, 1, 1), 0);
  pull = -2;
  epi_forget(f);
  check_count(epi_run(f, &s, 2, 1), 0);
  check_abs(y[0], 0.5 + 1 - 1, 1e-8);
  check_abs(y[1], 1 - 2, 1e-8);
  epi_free(f);
}

/* ---- restarts ---- */
static void restart(const char *model, const char *flow, double end)
{
  epi_case *c = epi_case_make(model);
  int n = epi_size(&c->system);
  double y[2][MOST] = {{0}};
  for (int again = 0; again < 2; again++) {
    epi_flow *f = epi_case_flow(c, flow);
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, c->t + 0.37*end, 0.37*end), 0);
    if (again) {
      FILE *kept = tmpfile();
      if (!kept) test_stop("no file");
      check_count(epi_save(f, &s, kept), 0);
      epi_free(f);
      f = epi_case_flow(c, flow);
      s = epi_case_state(c);
      rewind(kept);
      check_count(epi_load(f, &s, kept), 0);
      fclose(kept);
    }
    check_count(epi_run(f, &s, c->t + end, 0.63*end), 0);
    memcpy(y[again], s.y, (size_t)n*sizeof *s.y);
    epi_free(f);
  }
  check_bits(n, y[1], y[0]);
  epi_case_free(c);
}

/* a checkpoint whose table has more points than there can be is none */
static void forged(void)
{
  epi_system m = {.nq = 1, .force = spring};
  epi_flow *f = epi_make("adams", &m);
  double y[] = {1, 0};
  epi_state s = {.y = y};
  FILE *kept = tmpfile();
  if (!kept) test_stop("no file");
  check_count(epi_run(f, &s, 3, 3), 0);
  long points = -1;
  for (long i = 0; i < f->nkeep && points < 0; i++) if (f->keep[i] >= 4 && f->keep[i] <= 12 && f->keep[i] == floor(f->keep[i])) points = i;
  f->keep[points] = 1e6;
  check_count(epi_save(f, &s, kept), 0);
  rewind(kept);
  check(epi_load(f, &s, kept) != 0);
  fclose(kept);
  epi_free(f);
}

/* ---- sentences ---- */
static int none(epi_system *m, double t, const double *q, double *f) { (void)m; f[0] = t > 1 ? NAN : -q[0]; return 0; }
static int refuses(epi_system *m, double t, const double *q, double *f) { (void)m; f[0] = -q[0]; return t > 1 ? EPI_TOO_FAR : 0; }
static int pole(epi_system *m, double t, const double *q, double *f) { (void)m; (void)t; f[0] = -1/(q[0]*q[0]); return 0; }
/* known up to t = 1 alone */
static int up_to_its_end(epi_system *m, double t, const double *q, double *f) { (void)m; f[0] = -q[0]*sqrt(1 - t); return 0; }
static int up_to_there(epi_system *m, double t, const double *q, double *f) { spring(m, t, q, f); return t > 1 ? EPI_TOO_FAR : 0; }
static void ends_there(void)
{
  int (*const by[])(epi_system *, double, const double *, double *) = {up_to_its_end, up_to_there};
  for (int i = 0; i < 2; i++)
    for (int rows = 1; rows < 20; rows += 6) {
      epi_system m = {.nq = 1, .force = by[i]};
      epi_flow *f = epi_make("adams(rtol=1e-8, atol=1e-8)", &m), *g = epi_make("tolerance(dop853, rtol=1e-12, atol=1e-13)", &m);
      double y[] = {1, 0}, x[] = {1, 0};
      epi_state s = {.y = y}, b = {.y = x};
      check_count(epi_run(f, &s, 1, 1./rows), 0);
      check_count(epi_run(g, &b, 1, 1), 0);
      check_abs(s.t, 1, 0);
      /* a root is no polynomial: what a step over its end leaves is more than its estimate */
      check_array(2, y, x, i ? 1e-7 : 1e-5);
      epi_free(f);
      epi_free(g);
    }
}

static void fails(int (*by)(epi_system *, double, const double *, double *), const char *flow, double end, const char *said)
{
  epi_system m = {.nq = 1, .force = by};
  epi_flow *f = epi_make(flow, &m);
  double y[] = {1, 0};
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, end, end), EPI_TOO_FAR);
  check_has(epi_error(f) ? epi_error(f) : "", said);
  check(isfinite(y[0]) && isfinite(y[1]));
  epi_free(f);
}

static void refused(const char *flow, const char *said)
{
  epi_case *c = epi_case_make("pendulum");
  epi_flow *f = epi_case_flow(c, flow);
  check_has(epi_error(f) ? epi_error(f) : "", said);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  beside_order_8();
  rows();
  back_again();
  events();
  breaks();
  edge();
  damped();
  changed();
  restart("kepler(e=0.5)", "adams(rtol=1e-8)", 9);
  restart("heavy-top", "adams(rtol=1e-6)", 1);
  restart("inverted-pendulum(w=100)", "adams(rtol=1e-6)", 1);
  forged();
  ends_there();
  fails(none, "adams", 3, "the force is not a number beyond t = 1");
  fails(refuses, "adams", 3, "the system refuses all that lies beyond t = 1");
  fails(pole, "adams(rtol=1e-8)", 2, "at t = 1.11");
  fails(pole, "adams(rtol=1e-8, most=40)", 2, "adams: 40 steps have led to t = ");
  refused("adams(rtol=0)", "adams: rtol is 0: take a number from 1e-15 to 1");
  refused("adams(atol=[1e-3, 1e-3, 1])", "adams: atol has 3 entries and the state 2");
  refused("adams(atol=0)", "adams: atol must be positive");
  refused("adams(order=1)", "adams: order is 1: take 2 to 12");
  refused("adams(longest=-1)", "cannot be negative");
  epi_case *c = epi_case_make("rod-chain");
  epi_flow *f = epi_case_flow(c, "adams");
  check_has(epi_error(f), "adams has no form for constraints");
  epi_free(f);
  epi_case_free(c);
  return test_done();
}
