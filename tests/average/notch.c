/* holds: seven forces at notch points average one fast oscillation of unknown frequency, to the stated leak
 * notch.c - windows of boxes: seven forces for the slow force of a stiff system with one fast oscillation, the rate of which is found from
 * the force; what they let through of another rate, what they refuse, and boxes of a vibration that is forced */
#include "averages.h"

enum { TIMES = 40 };

/* filtered positions at t = k/4 */
static void slow_truth(const char *model, double w, double truth[TIMES + 1][8])
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)"), *filter = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  double h = 2*PI/w/20;
  int bad = 0;
  for (int k = 0; k <= TIMES && !bad; k++)
    bad = (k && epi_run(f, &s, k/4.0, h)) || filtered(filter, s, 8, 8*20, h, truth[k]);
  check_count(bad, 0);
  epi_free(f);
  epi_free(filter);
  epi_case_free(c);
}

typedef struct { double error; long windows, forces; } outcome;

static void count(void *to, const epi_info *i)
{
  outcome *o = to;
  if (!strcmp(i->record->name, "hmm")) o->windows = i->steps;
  if (!strcmp(i->record->name, "verlet")) o->forces = i->calls;
}

static outcome run(const char *model, const char *flow, double H, double truth[TIMES + 1][8])
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  outcome o = {0};
  for (int k = 1; k <= TIMES; k++) {
    if (!check_count(epi_run(f, &s, k/4.0, H), 0)) { printf("  %s: %s\n", flow, epi_error(f)); o.error = NAN; break; }
    for (int i = 0; i < 4; i++) o.error = fmax(o.error, fabs(s.y[i] - truth[k][i]));
  }
  /* of the energy that project drops, or of the price, and nothing else */
  for (int i = 0; epi_warning(f, i); i++)
    if (!strstr(epi_warning(f, i), "resolves everything")) check_has(epi_warning(f, i), "project: the projection dropped");
  epi_walk(f, count, &o);
  epi_free(f);
  epi_case_free(c);
  return o;
}

#define NOTCH "hmm(verlet, kernel=notch, start=current)"

/* what an automatic program of another hand left with the same window to 1e-3 and 1e-5, at w = 500, 1000, 2000, 5000 and 20000; 0: it took
   something else. Most of that is its macro-steps: with ours little is left but what the window and the method do */
static void springs(const char *name, int hard, const double coarse[5], const double fine[5])
{
  static const double w[] = {500, 1000, 2000, 5000, 20000};
  static double truth[TIMES + 1][8];
  for (int i = 0; i < 5; i++) {
    char model[64];
    snprintf(model, sizeof model, "stiff-springs(case=%s, w%d=%g)", name, hard, w[i]);
    slow_truth(model, w[i], truth);
    outcome a = run(model, "project(tolerance(dopri5(" NOTCH "), rtol=1e-4))", 0.25, truth);
    outcome b = run(model, "project(tolerance(dopri5(" NOTCH "), rtol=1e-6))", 0.25, truth);
    outcome c = run(model, "project(rk4(hmm(verlet, kernel=boxes, steps=16, start=current)))", 1./32, truth);
    printf("case (%s), w = %5g: rtol 1e-4 %.1e with %ld forces, 1e-6 %.1e with %ld; four boxes of 16 steps %.1e with %ld\n", name, w[i],
           a.error, a.forces, b.error, b.forces, c.error, c.forces);
    if (coarse[i] > 0) check_below(a.error, 1.5*coarse[i]);
    if (fine[i] > 0) check_below(b.error, 1.5*fine[i]);
    /* seven and 62 + 1, a few when the rate is looked at */
    check_between((double)a.forces/(double)a.windows, 7, 7.7);
    check_between((double)b.forces/(double)b.windows, 7, 7.7);
    check_between((double)c.forces/(double)c.windows, 63, 63.7);
  }
}

/* ---- what comes through of another rate ---- */
static int pulled(epi_system *s, double t, const double *q, double *f)
{
  const double *w = s->data;
  (void)t;
  f[0] = -w[0]*w[0]*q[0];
  f[1] = -w[1]*w[1]*q[1];
  return 0;
}

/* the slow force beside the middle of the fast spring, over that of the spring itself */
static double leak(const char *average, double off)
{
  double w[2] = {1000*(1 + off), 1}, y[4] = {0.01, 1, 0, 0}, a[2] = {0};
  epi_system m = {.nq = 2, .force = pulled, .data = w};
  epi_name names[] = {{.name = "model", .system = &m}, {0}};
  slow_force(average, names, 0, 2, y, a);
  return -a[0]/(w[0]*w[0]*y[0]);
}

/* delta: what the phase of three steps is off by, 3.46 times the rate; the two boxes let delta^2/3 through, and taking their moment out
   makes it three times as much */
static void leaks(void)
{
  for (int i = -2; i <= 2; i++) {
    double off = 2e-5*i, delta = 2*sqrt(3)*off;
    char text[128];
    snprintf(text, sizeof text, "hmm(verlet, kernel=notch, start=current, period=%.17g)", 2*PI/1000);
    double one = leak(text, off);
    snprintf(text, sizeof text, "hmm(verlet, kernel=notch, moments=0, start=current, period=%.17g)", 2*PI/1000);
    double plain = leak(text, off);
    printf("rate off by %+.0e: leak %.3e, delta^2 = %.3e; with its moment left in %.3e\n", off, one, delta*delta, plain);
    check_abs(one, delta*delta, 1e-3*delta*delta + 1e-15);
    check_abs(plain, delta*delta/3, 1e-3*delta*delta + 1e-15);
  }
  check_abs(leak(NOTCH, 0.3), 0, 1e-15);
}

/* the weights of the seven: a force of time alone on a coordinate of its own, which is one at one of the points */
static int spike(epi_system *s, double t, const double *q, double *f)
{
  const double *at = s->data;
  f[0] = -1e6*q[0];
  f[1] = fabs(t - at[0]) < 1e-6;
  return 0;
}

static void weights(void)
{
  static const double known[4] = {13./27, 2./9, 1./9, -2./27};
  for (int k = -3; k <= 3; k++) {
    double at = 1 + k*sqrt(3)/1000, y[4] = {0, 1, 0, 0}, a[2];
    epi_system m = {.nq = 2, .force = spike, .data = &at};
    epi_name names[] = {{.name = "model", .system = &m}, {0}};
    char text[128];
    snprintf(text, sizeof text, "hmm(verlet, kernel=notch, start=current, period=%.17g)", 2*PI/1000);
    check_count(slow_force(text, names, 1, 2, y, a), 0);
    check_abs(a[1], known[abs(k)], 1e-15);
  }
}

/* ---- what it says ---- */
static void said(epi_system *m, const double *start, const char *flow, double end, const char *error, const char *warning)
{
  double y[4];
  epi_flow *f = epi_make(flow, m);
  epi_state s = {.y = y};
  memcpy(y, start, sizeof y);
  int bad = epi_run(f, &s, end, 0.05);
  if (error) check(bad != 0 && check_has(epi_error(f), error));
  else if (!check_count(bad, 0)) printf("  %s: %s\n", flow, epi_error(f));
  if (warning) check_has(epi_warning(f, 0), warning);
  else if (!error) check_text(epi_warning(f, 0), NULL);
  epi_free(f);
}

static void sentences(void)
{
  double w[2] = {1000, 1}, two[2] = {1000, 300}, near[2] = {1000, 501}, y[4] = {0, 1, 0, 0}, moving[4] = {0, 1, 3, 0}, none[2] = {0, 0};
  epi_system m = {.nq = 2, .force = pulled, .data = w}, second = {.nq = 2, .force = pulled, .data = two},
             resonant = {.nq = 2, .force = pulled, .data = near}, free_ = {.nq = 2, .force = pulled, .data = none};
  char text[128];
  said(&m, y, "rk4(" NOTCH ")", 1, NULL, NULL);
  said(&m, moving, "rk4(" NOTCH ")", 0.2, NULL, "the start is off the slow manifold");
  said(&second, y, "rk4(" NOTCH ")", 1, "there is a second one: of 1000 and 300 rad", NULL);
  said(&resonant, y, "rk4(" NOTCH ")", 1, "near a resonance", NULL);
  said(&free_, y, "rk4(" NOTCH ")", 1, "nothing pulls back", NULL);
  for (int i = 0; i < 2; i++) {
    double off = i ? 3e-2 : 5e-4;
    snprintf(text, sizeof text, "rk4(hmm(verlet, kernel=notch, start=current, period=%.17g))", 2*PI/1000*(1 + off));
    said(&m, y, text, 1, i ? "leave period out, so that it is found" : NULL, i ? NULL : "oscillates about it at 1.7 rad");
  }
  snprintf(text, sizeof text, "rk4(hmm(verlet, kernel=notch, start=current, period=%.17g))", 2*PI/1000);
  said(&m, y, text, 1, NULL, NULL);
}

/* one hard spring along (0.6, 0.8) and a mass that mixes the coordinates: the slow motion is along the valley, with k/m there */
static int valley(epi_system *s, double t, const double *q, double *f)
{
  double w = *(double *)s->data, d = 0.6*q[0] + 0.8*q[1];
  (void)t;
  f[0] = -w*w*0.6*d - q[0];
  f[1] = -w*w*0.8*d - q[1];
  return 0;
}

static void masses(void)
{
  static const double M[4] = {2, 0.5, 0.5, 1};
  for (double w = 300; w < 1e5; w *= 10) {
    double y[4] = {0.8, -0.6, 0, 0};
    epi_system m = {.nq = 2, .force = valley, .inertia.mass_matrix = M, .data = &w};
    epi_flow *f = epi_make("project(tolerance(dopri5(" NOTCH "), rtol=1e-8, atol=1e-10))", &m);
    epi_state s = {.y = y};
    if (!check_count(epi_run(f, &s, 3, 0.5), 0)) printf("  %s\n", epi_error(f));
    /* of (0.8, -0.6): 2 0.64 - 2 0.5 0.48 + 0.36 */
    double along = 0.8*y[0] - 0.6*y[1], want = cos(3/sqrt(2*0.64 - 0.48 + 0.36));
    printf("masses that mix, w = %g: %.8f along the valley, %.8f as a rod\n", w, along, want);
    check_abs(along, want, 20/(w*w) + 1e-6);
    check_text(epi_warning(f, 0), NULL);
    epi_free(f);
  }
}

static void refused(epi_system m, const char *text, const char *words)
{
  epi_flow *f = epi_make(text, &m);
  if (!check_has(epi_error(f), words)) printf("  %s\n", text);
  epi_free(f);
}

static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t, (void)q;
  f[0] = s->phase.phase_rate*cos(theta);
  f[1] = 0;
  return 0;
}

static void refusals(void)
{
  double w[2] = {1000, 1};
  epi_system m = {.nq = 2, .force = pulled, .data = w}, forced = {.nq = 2, .phase = {.forced = shaken, .phase_rate = 1000}};
  refused(m, "rk4(hmm(verlet, kernel=notch))", "must be told where its micro runs start");
  refused(m, "rk4(hmm(verlet, kernel=notch, start=rest))", "give start=current");
  refused(m, "rk4(hmm(verlet, kernel=notch, start=current, periods=3))", "leave periods out");
  refused(m, "rk4(hmm(verlet, kernel=notch, start=current, even=1))", "leave even out");
  refused(m, "rk4(hmm(rk4, kernel=notch, start=current))", "use verlet there");
  refused(m, "rk4(hmm(verlet, kernel=boxes, boxes=3, steps=16, start=current))", "have no middle");
  refused(m, "rk4(hmm(verlet, kernel=boxes, boxes=13, start=current))", "boxes is 13");
  refused(m, "rk4(hmm(verlet, kernel=boxes, steps=5.5, start=current))", "steps is 5.5");
  refused(m, "rk4(hmm(verlet, boxes=2, start=current))", "is for kernel=boxes");
  refused(forced, "verlet(hmm(verlet, kernel=notch))", "do not resolve a vibration");
}

/* ---- a rate that changes on the way, and a run that stops there and goes on ---- */
static int stiffening(epi_system *s, double t, const double *q, double *f)
{
  double w = *(double *)s->data*(1 + 0.3*q[1]*q[1]);
  (void)t;
  f[0] = -w*w*q[0];
  f[1] = -q[1] - 0.6**(double *)s->data*w*q[0]*q[0]*q[1];
  return 0;
}

static void restart(void)
{
  double w = 2000, whole[4] = {0, 1, 0, 0}, parts[4] = {0, 1, 0, 0};
  epi_system m = {.nq = 2, .force = stiffening, .data = &w};
  const char *text = "project(tolerance(dopri5(" NOTCH "), rtol=1e-06))";
  epi_flow *f = epi_make(text, &m), *g = epi_make(text, &m), *h = epi_make(text, &m);
  epi_state s = {.y = whole}, a = {.y = parts};
  FILE *file = tmpfile();
  check_count(epi_advance(f, &s, 0.25, 9), 0);
  check_count(epi_advance(f, &s, 0.25, 11), 0);
  check_count(epi_advance(g, &a, 0.25, 9), 0);
  check_count(epi_save(g, &a, file), 0);
  rewind(file);
  memset(parts, 0, sizeof parts);
  if (!check_count(epi_load(h, &a, file), 0)) printf("  %s\n", epi_error(h));
  check_count(epi_advance(h, &a, 0.25, 11), 0);
  check_bits(4, parts, whole);
  check_count(epi_calls(h), epi_calls(f));
  check_abs(whole[1], cos(5), 1e-6);
  for (int i = 0; epi_warning(f, i); i++) printf("%s\n", epi_warning(f, i));
  check_text(epi_warning(f, 0), NULL);
  fclose(file);
  epi_free(f);
  epi_free(g);
  epi_free(h);
}

/* other flows have nearly the same zero: their period of so many steps is off by their own error */
static void other_flows(void)
{
  static double truth[TIMES + 1][8];
  static const char *const micro[] = {"symmetric(verlet), kernel=boxes, steps=12", "rk4, kernel=boxes, steps=24",
                                      "verlet, kernel=boxes, steps=3, boxes=3, moments=2", "verlet, kernel=boxes, boxes=2, steps=5"};
  slow_truth("stiff-springs(w2=2000)", 2000, truth);
  for (int i = 0; i < 4; i++) {
    char flow[160];
    snprintf(flow, sizeof flow, "project(rk4(hmm(%s, start=current)))", micro[i]);
    double e = run("stiff-springs(w2=2000)", flow, 1./32, truth).error;
    printf("%s: error %.1e\n", flow, e);
    check_below(e, 4e-6);
  }
}

int main(void)
{
  refusals();
  weights();
  leaks();
  sentences();
  restart();
  other_flows();
  masses();
  springs("i", 2, (double[]){0.29e-3, 0.30e-3, 0.31e-3, 0.31e-3, 0.30e-3}, (double[]){0, 0, 1.04e-5, 1.14e-5, 0.57e-5});
  springs("ii", 1, (double[]){0, 0, 0, 0.46e-3, 0.55e-3}, (double[]){0, 0, 0, 0, 0});
  return test_done();
}
