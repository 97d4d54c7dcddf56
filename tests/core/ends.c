/* holds: a run ends at its end to the bit, and its bits do not depend on how steps are grouped in calls
 * ends.c - where a run ends: at its end to the bit, after as many steps as there are, also far from t = 0 and where it goes on from its
 * last step; and the bits of a step do not depend on how many are asked for at once */
#include "problems.h"
#include "test.h"

static int spring(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -q[0]; return 0; }
static epi_system plain = {.nq = 1, .force = spring}, held = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
static const char *const flows[] = {"verlet", "rk4", "substeps(verlet, 3)", "at(verlet, of=0)", "at(substeps(verlet, 2), of=1)",
                                    "tolerance(dopri5, rtol=1e-9)", "substeps(tolerance(dopri5), 2)", "symmetric(verlet)",
                                    "watch(verlet, every=0.3)", "gauss", "dense(dopri5)", "scaled(verlet, eps=0.01)"};
enum { FLOWS = sizeof flows/sizeof *flows };

/* any start, step and end: t is the end, and nothing is left of it; a second call does nothing */
static void anywhere(const char *text)
{
  unsigned seed = 1;
  for (int i = 0; i < 40; i++) {
    double x[3], y[2] = {1, 0.2};
    for (int k = 0; k < 3; k++) x[k] = (double)((seed = seed*1664525u + 1013904223u) >> 8)/16777216.0;
    double start = i % 3 ? 20*(x[0] - 0.5) : 0, h = 0.01 + 0.05*x[1];
    double end = start + (i % 2 ? 1 + x[2] : h*(10 + i)*(1 + 1e-12*(x[2] - 0.5)));
    epi_state s = {.t = start, .y = y};
    epi_flow *f = epi_make(text, &plain);
    if (!strncmp(text, "scaled", 6)) { epi_free(f); return; }
    int ok = check_count(epi_run(f, &s, end, h), 0) & check_bits(1, &s.t, &end) & check_abs(s.key.rest, 0, 0);
    double was[2] = {y[0], y[1]};
    ok &= check_count(epi_run(f, &s, end, h), 0) & check_bits(2, y, was);
    /* a little beyond, as rounding leaves it */
    s.t = nextafter(end, 1e9);
    ok &= check_count(epi_run(f, &s, end, h), 0) & check_bits(1, &s.t, &end) & check_bits(2, y, was);
    s.t = end + 0.5*h;
    ok &= check_count(epi_run(f, &s, end, h), EPI_WRONG);
    if (!ok) printf("  %s from %.17g to %.17g by %.17g\n", text, start, end, h);
    epi_free(f);
  }
}

/* an ulp of t is longer than the step: as many of them as in a run from zero, and the motion of one */
static void far_away(const char *text)
{
  const double t0 = 1e9, h = 1e-7, end = 1e9 + 1e-3;
  double y[2] = {1, 0.2}, z[2] = {1, 0.2};
  epi_state s = {.t = t0, .y = y}, r = {.y = z};
  epi_flow *f = epi_make(text, &plain), *g = epi_make(text, &plain);
  int ok = check_count(epi_run(f, &s, end, h), 0) & check_abs(s.t, end, 0) & check_count(epi_run(g, &r, end - t0, h), 0);
  ok &= check_array(2, y, z, 1e-13);
  if (!ok) printf("  %s far away: %s\n", text, epi_error(f) ? epi_error(f) : "");
  epi_free(f);
  epi_free(g);
}

static void splits(const char *text)
{
  double y[4], z[4], start[] = {sin(0.5), -cos(0.5), 0, 0};
  memcpy(y, start, sizeof y);
  memcpy(z, start, sizeof z);
  epi_state s = {.y = y}, r = {.y = z};
  epi_flow *f = epi_make(text, &held), *g = epi_make(text, &held);
  check_count(epi_advance(f, &s, 0.02, 7), 0);
  for (int i = 0; i < 7; i++) check_count(epi_advance(g, &r, 0.02, 1), 0);
  if (!check_bits(4, y, z)) printf("  %s\n", text);
  epi_free(f);
  epi_free(g);
}

/* options that are no whole number of anything are refused in words */
static void counts(void)
{
  static const char *const texts[] = {"gauss(stages=1e300)", "gauss(stages=-1e300)", "lobatto(stages=3e9)",
    "symmetric(verlet, order=1e300)", "substeps(verlet, n=1e300)", "compose(kick, drift, order=1e300)", "twin(order=1e300)",
    "variational(order=1e300)",
    "rk4(strobe(substeps(rk4, 8), order=1e300))", "verlet(hmm(verlet, moments=1e300))", "at(verlet, of=1e300)"};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    epi_flow *f = epi_make(texts[i], &plain);
    check(epi_error(f) != NULL);
    epi_free(f);
  }
}

/* a system that is refused is refused wherever it stands */
static void refused_part(void)
{
  static const char *const texts[] = {"verlet(sum(hmm(verlet(a)), b))", "verlet(sum(sum(hmm(verlet(a)), b), b))",
                                      "verlet(sum(b, sum(b, hmm(verlet(a)))))"};
  epi_system a = plain, b = plain;
  epi_name names[] = {{.name = "a", .system = &a}, {.name = "b", .system = &b}, {0}};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    double y[2] = {1, 0};
    epi_state s = {.y = y};
    epi_flow *f = epi_make_named(texts[i], names);
    check(epi_error(f) != NULL);
    check_count(epi_advance(f, &s, 0.1, 1), EPI_WRONG);
    epi_free(f);
  }
}

int main(void)
{
  refused_part();
  for (int i = 0; i < FLOWS; i++) anywhere(flows[i]);
  for (int i = 0; i < FLOWS; i++) if (!strstr(flows[i], "scaled") && !strstr(flows[i], "every")) far_away(flows[i]);
  splits("kick");
  splits("drift");
  splits("verlet");
  splits("strang(kick, drift)");
  counts();
  return test_done();
}
