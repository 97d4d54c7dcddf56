/* holds: the selected method meets the tolerance against exact solutions, its cost is bounded, and it can be stopped
 * choose.c - a flow for a tolerance of the solution: the true error against exact solutions and against a direct run, the cost of a fast
 * phase, what is refused, and that it can be stopped */
#include "epicycle.h"
#include "test.h"

/* the solution of the flow at the end; 0 on success */
static int solve(const char *model, const char *flow, double end, double *y, int *n)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = epi_run(f, &s, end, end);
  *n = epi_size(&c->system);
  memcpy(y, s.y, (size_t)*n*sizeof *y);
  epi_free(f);
  epi_case_free(c);
  return bad;
}

static double apart(int n, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i])/fmax(1, fabs(b[i])));
  return most;
}

/* exact solutions */
static void exact(void)
{
  static const char *const models[] = {"pendulum", "kepler(e=0.3)", "rotor", "rigid-body", "billiard", "bounce", "rolling-sphere"};
  for (size_t i = 0; i < sizeof models/sizeof *models; i++)
    for (double tol = 1e-3; tol > 1e-9; tol *= 1e-3) {
      epi_case *c = epi_case_make(models[i]);
      epi_chosen a = {.tol = tol, .end = c->end};
      double y[32], ref[32];
      int n;
      if (check_count(epi_choose(c, &a), 0)) {
        check_below(a.found, tol);
        check_count(solve(models[i], a.flow, a.end, y, &n), 0);
        check_count(c->model->exact(c, a.end, ref), 0);
        if (!check_below(apart(n, y, ref)/tol, 3)) printf("  %s to %g by %s\n", models[i], tol, a.flow);
      } else printf("  %s to %g: %s\n", models[i], tol, a.error);
      epi_case_free(c);
    }
}

/* a fast phase is averaged, at a cost that does not grow with it; and at a low frequency it is still right */
static void fast_phase(void)
{
  static const double pace[] = {500, 2e4, 1e6};
  double calls[3], y[8], ref[8];
  for (int k = 0; k < 3; k++) {
    char model[64];
    int n;
    snprintf(model, sizeof model, "inverted-pendulum(w=%g)", pace[k]);
    epi_case *c = epi_case_make(model);
    epi_chosen a = {.tol = 1e-6, .end = 0.6};
    if (!check_count(epi_choose(c, &a), 0)) { printf("  %s\n", a.error); epi_case_free(c); return; }
    check_rel(a.turns, 0.6*pace[k]/6.283185307179586, 1e-12);
    calls[k] = a.way[0].calls;
    check_count(solve(model, a.flow, 0.6, y, &n), 0);
    if (k < 2) {
      check_count(solve(model, "tolerance(dop853, rtol=1e-14, atol=1e-15)", 0.6, ref, &n), 0);
      check_abs(y[0], ref[0], 3e-6);
    }
    epi_case_free(c);
  }
  check_below(calls[2], calls[1]);
  check_below(calls[2], 20000);
}

static void refuses(const char *model, double tol, double end, const char *words)
{
  epi_case *c = epi_case_make(model);
  epi_chosen a = {.tol = tol, .end = end};
  check_count(epi_choose(c, &a), EPI_WRONG);
  check_has(a.error, words);
  epi_case_free(c);
}

/* whoever knows what it does may end it */
static epi_chosen under_way;
static int stops(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -sin(q[0]);
  if (t > 3) epi_choose_stop(&under_way);
  return 0;
}

static int make_stopping(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = stops};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  return 0;
}

/* what may be spent holds within a run too: here the first solution alone takes more */
static void spends_no_more(void)
{
  epi_case *c = epi_case_make("kepler(e=0.6)");
  epi_chosen a = {.tol = 1e-9, .end = 400, .most = 3e4};
  check_count(epi_choose(c, &a), EPI_WRONG);
  check_count(a.dear, 1);
  check_has(a.error, "would take more than 3e+04 evaluations");
  check_below((double)a.spent, 3.5e4);
  epi_case_free(c);
}

/* where nothing is gained, choosing must not cost much more than the two solutions that tell the error */
static void little_to_choose(void)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=100, q0=0.5)");
  epi_chosen a = {.tol = 1e-3, .end = 1};
  check_count(epi_choose(c, &a), 0);
  check_below((double)a.spent, 2.6*a.way[0].calls);
  check_has(a.reason, "so few evaluations");
  epi_case_free(c);
  c = epi_case_make("stiff-springs(w2=20)");
  a = (epi_chosen){.tol = 1e-3, .end = 10};
  check_count(epi_choose(c, &a), 0);
  check_below((double)a.spent, 2.6*a.way[0].calls);
  epi_case_free(c);
}

/* evaluations that cost more are counted as such: joints are solved by what is soonest done, not by what asks least often */
static void prices(void)
{
  static const char world[] = "slider-crank";
  epi_case *c = epi_case_make(world);
  epi_chosen a = {.tol = 1e-3, .end = 0.1};
  if (!check_count(epi_choose(c, &a), 0)) printf("  %s\n", a.error);
  check_count(strncmp(a.flow, "tolerance(semi", 14) != 0, 1);
  epi_case_free(c);
}

int main(void)
{
  static const epi_model model = {.name = "mine", .doc = "stops", .make = make_stopping, .flow = "verlet", .step = 0.1, .end = 10};
  exact();
  fast_phase();
  spends_no_more();
  prices();
  little_to_choose();
  refuses("kepler", 2, 10, "between 0 and 1");
  refuses("kepler", 1e-6, 0, "after the start");
  refuses("kepler(e=3)", 1e-6, 10, "e = 3");
  refuses("kepler(e=0.6)", 1e-14, 60, "cannot be had");
  epi_case *c = epi_case_of(&model, NULL);
  under_way = (epi_chosen){.tol = 1e-6, .end = 1e4};
  check_count(epi_choose(c, &under_way), EPI_STOPPED);
  under_way.stop = 1;
  check_count(epi_choose(c, &under_way), EPI_STOPPED);
  epi_case_free(c);
  return test_done();
}
