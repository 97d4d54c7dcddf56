/* holds: runs of switching forces that are wrong by a tenth of the motion end with a warning, and right ones with none
 * steps-doubt.c - a force that switches, by given steps and by a loose tolerance: runs that are wrong by a tenth of the motion end
 * with a warning, and smooth ones that are right have none */
#include "epicycle.h"
#include "test.h"

/* a constant force towards 0: from 1 at rest the motion is made of parabolas, of period 4 sqrt 2 */
static int towards(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = q[0] > 0 ? -1 : 1; return 0; }
static int spring(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }

static int begin(epi_case *c, int (*force)(epi_system *, double, const double *, double *))
{
  c->system = (epi_system){.nq = 1, .force = force};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  return 0;
}
static int make_switched(epi_case *c) { return begin(c, towards); }
static int make_smooth(epi_case *c) { return begin(c, spring); }

static const epi_model switched = {.name = "switched", .doc = "a force that switches", .make = make_switched, .flow = "verlet", .step = 0.1,
                                   .end = 20};
static const epi_model smooth = {.name = "smooth", .doc = "a spring", .make = make_smooth, .flow = "verlet", .step = 0.1, .end = 20};

static double exact(const epi_model *m, double t)
{
  const double quarter = sqrt(2), in = fmod(t, 4*quarter), from = fabs(in - 2*quarter) - quarter;
  return m == &smooth ? cos(t) : from > 0 ? 1 - 0.5*(quarter - from)*(quarter - from) : -1 + 0.5*(quarter + from)*(quarter + from);
}

typedef struct { const epi_model *of; double off; } course;
static void compare(void *data, const epi_result *r)
{
  course *c = data;
  c->off = fmax(c->off, fabs(r->row[1] - exact(c->of, r->t)));
}

/* words: of the only warning; NULL: there is none, and the run is right to a twentieth of its range, 2 */
static void run(const epi_model *m, const char *flow, double step, const char *words)
{
  course at = {.of = m};
  epi_case *c = epi_case_of(m, NULL);
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = step, .end = 20, .every = 0.5, .row = compare, .data = &at});
  if (!check_count(epi_result_run(r), 0)) printf("  %s\n", r->error);
  printf("%s of %s, steps of %g: off by %.3f of its range, %s\n", flow, m->name, step, at.off/2, r->warnings ? r->warning[0] : "quiet");
  check_count(r->warnings, words != NULL);
  if (words && r->warnings) check_has(r->warning[0], words);
  if (words) check_above(at.off/2, 0.03);
  else check_below(at.off/2, 0.05);
  epi_result_free(r);
  epi_case_free(c);
}

int main(void)
{
  static const char *const flows[] = {"rk4", "herk4", "dopri5", "dop853"};
  const char *halves = "taken again as two halves", *loose = "a run with a tenth of it differs";
  for (int i = 0; i < 4; i++) {
    run(&switched, flows[i], 0.1, halves);
    run(&switched, flows[i], 0.2, halves);
    run(&smooth, flows[i], 0.1, NULL);
  }
  run(&switched, "tolerance(dopri5, rtol=1e-1)", 20, loose);
  run(&switched, "tolerance(dopri5, rtol=1e-2)", 20, loose);
  run(&switched, "tolerance(bs3, rtol=1e-2)", 20, loose);
  run(&switched, "tolerance(dop853, rtol=1e-6)", 20, NULL);
  run(&smooth, "tolerance(dopri5, rtol=1e-3)", 20, NULL);
  run(&smooth, "tolerance(dop853, rtol=1e-3)", 20, NULL);
  return test_done();
}
