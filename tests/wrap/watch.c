/* holds: outputs at given times and places in steps are exact, and change no step */
#include "epicycle.h"
#include "test.h"
#include <math.h>

static int force(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -q[0]; return 0; }

typedef struct { int n; double t[4000], off; } seen;
static int see(void *data, const epi_system *m, epi_state *s)
{
  seen *k = data;
  (void)m;
  if (k->n < 4000) k->t[k->n++] = s->t;
  k->off = fmax(k->off, fmax(fabs(s->y[0] - cos(s->t)), fabs(s->y[1] + sin(s->t))));
  return 0;
}

static double run(const char *text, double end, double h, seen *k)
{
  double y[] = {1, 0};
  epi_system m = {.nq = 1, .force = force};
  epi_state s = {.y = y};
  epi_name names[] = {{.name = "model", .system = &m}, {.name = "mine", .see = see, .data = k}, {0}};
  epi_flow *f = epi_make_named(text, names);
  int bad = epi_run(f, &s, end, h);
  check(!bad);
  if (bad) printf("%s: %s\n", text, epi_error(f));
  epi_free(f);
  return y[0];
}

static const char *const FLOWS[] = {"symmetric(verlet, order=8)", "tolerance(dop853, rtol=1e-10, atol=1e-10)",
                                    "at(tolerance(dop853, rtol=1e-10, atol=1e-10), of=0)", "at(symmetric(verlet, order=8), of=1)"};
enum { NFLOWS = sizeof FLOWS/sizeof *FLOWS };

static void at_times(void)
{
  const double times[] = {0.05, 0.0500001, 1, 2.2, 6.9};
  for (int i = 0; i < NFLOWS; i++) {
    char text[300];
    seen k = {0};
    double h = strstr(FLOWS[i], "tolerance") ? 7 : 0.1;
    /* those before the start and beyond the end are none of its */
    snprintf(text, sizeof text, "watch(%s, see=mine, times=[-1, 0, 0.05, 0.0500001, 1, 2.2, 6.9, 8])", FLOWS[i]);
    double with = run(text, 7, h, &k), without = run(FLOWS[i], 7, h, &k);
    check(k.n == 5 && k.off < 1e-8 && with == without);
    for (int j = 0; j < k.n && j < 5; j++) check(k.t[j] == times[j]);
  }
}

static void at_places(void)
{
  for (int i = 0; i < NFLOWS; i++)
    for (int places = 1; places <= 8; places += 7) {
      char text[300];
      seen k = {0};
      double h = strstr(FLOWS[i], "tolerance") ? 7 : 0.1;
      snprintf(text, sizeof text, "watch(%s, see=mine, places=%d)", FLOWS[i], places);
      double with = run(text, 7, h, &k), without = run(FLOWS[i], 7, h, &k);
      check(k.n >= 20*places && k.n % places == 0 && k.off < 1e-8 && with == without && k.t[k.n - 1] == 7);
      for (int j = 1; j < k.n; j++) check(k.t[j] > k.t[j-1]);
    }
}

static void refusals(void)
{
  static const struct { const char *text, *words; } wrong[] = {
    {"watch(verlet, times=[1, 3, 2])", "not in order"}, {"watch(verlet, times=0.5)", "write times=[0.5]"},
    {"watch(verlet, times=[1], every=0.1)", "give one of them"}, {"watch(verlet, places=65)", "from 1 to 64"},
    {"watch(verlet, places=-1)", "from 1 to 64"}, {"watch(kick, times=[1])", "moves time"}};
  epi_system m = {.nq = 1, .force = force};
  for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++) {
    epi_flow *f = epi_make(wrong[i].text, &m);
    check_has(epi_error(f) ? epi_error(f) : "nothing", wrong[i].words);
    epi_free(f);
  }
}

int main(void)
{
  at_times();
  at_places();
  refusals();
  return test_done();
}
