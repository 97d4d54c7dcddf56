/* auto-models.h - a model of the library and a tolerance, and nothing else: the true error at the end, against the exact solution or
 * another method with far shorter steps */
#include "epicycle.h"
#include "test.h"
#include <time.h>

enum { TIMES = 128 };          /* as many as sizes are known by where a flow is chosen: what begins a motion may be over soon */
typedef struct { int answered; double error, calls, seconds; char flow[200], by[80], said[320]; } verdict;

static double cpu(void) { return (double)clock()/CLOCKS_PER_SEC; }

/* y at all of some times; 0 on success */
static int follow(epi_case *c, const char *flow, double end, double *y, int n)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double t0 = s.t;
  int bad = epi_error(f) ? -1 : 0;
  for (int k = 1; k <= TIMES && !bad; k++) {
    bad = epi_run(f, &s, k == TIMES ? end : t0 + (end - t0)*k/TIMES, (end - t0)/TIMES);
    if (!bad) memcpy(y + (k - 1)*n, s.y, (size_t)n*sizeof *y);
  }
  epi_free(f);
  return bad;
}

static int exactly(epi_case *c, double end, double *y, int n)
{
  for (int k = 1; k <= TIMES; k++)
    if (!c->model->exact || c->model->exact(c, c->t + (end - c->t)*k/TIMES, y + (k - 1)*n)) return -1;
  return 0;
}

/* another method than the one that was chosen where one runs, and the same with steps as short as can be where none does */
static const char *refer(epi_case *c, double end, const char *chosen, double *y, int n)
{
  static const struct { const char *flow, *name; } by[] = {
    {"tolerance(dop853, rtol=1e-13, atol=1e-15)", "dop853"}, {"tolerance(symmetric(verlet, order=8), rtol=3e-14, atol=1e-15)", "order=8"},
    {"tolerance(herk4, rtol=1e-12, atol=1e-14)", "herk4"}, {"cvode(rtol=1e-13, atol=1e-15)", "cvode"},
    {"tolerance(dop853, rtol=1e-13, atol=1e-15)", ""}, {"tolerance(symmetric(verlet, order=8), rtol=3e-14, atol=1e-15)", ""},
    {"tolerance(herk4, rtol=1e-13, atol=1e-15)", ""},
    {"tolerance(semi(model.contacts, model.stiff), rtol=1e-12, atol=1e-14)", ""}};
  if (!exactly(c, end, y, n)) return "exact";
  for (size_t i = 0; i < sizeof by/sizeof *by; i++)
    if ((!*by[i].name || !strstr(chosen, by[i].name)) && !follow(c, by[i].flow, end, y, n)) return by[i].flow;
  return "nothing";
}

static double error_at_end(const epi_case *c, const double *y, const double *ref, int n)
{
  int nq = c->system.nq;
  double size[512], group[2] = {0}, most = 0;
  for (int i = 0; i < n; i++) {
    size[i] = fabs(c->y[i]);
    for (int k = 0; k < TIMES; k++) size[i] = fmax(size[i], fabs(ref[k*n + i]));
    group[i >= nq] = fmax(group[i >= nq], size[i]);
  }
  for (int i = 0; i < n; i++) {
    double e = fabs(y[(TIMES - 1)*n + i] - ref[(TIMES - 1)*n + i])/fmax(size[i], nq ? 1e-3*group[i >= nq] : 0);
    if (e > most) most = e;
  }
  return most;
}

static verdict judged(const char *model, double tol)
{
  verdict v = {.error = NAN, .calls = NAN};
  static double y[TIMES*512], ref[TIMES*512];
  epi_case *c = epi_case_make(model);
  epi_chosen a = {.tol = tol, .end = c->end, .motion = EPI_FULL};
  int n = epi_size(&c->system);
  double began = cpu();
  v.answered = !epi_choose(c, &a);
  v.seconds = cpu() - began;
  snprintf(v.flow, sizeof v.flow, "%s", a.flow);
  snprintf(v.said, sizeof v.said, "%s", a.error);
  if (v.answered && !follow(c, a.flow, a.end, y, n)) {
    v.calls = a.way[0].calls;
    snprintf(v.by, sizeof v.by, "%s", refer(c, a.end, a.flow, ref, n));
    if (strcmp(v.by, "nothing")) v.error = error_at_end(c, y, ref, n);
  }
  epi_case_free(c);
  return v;
}
