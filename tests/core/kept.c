/* holds: checkpoints with one number changed are refused with nothing moved, or loaded and run on, for every record
 * kept.c - what flows keep between steps, in checkpoints whose checksum is right and in which one number is another: refused, and then
 * nothing has moved, or loaded, and then the flow goes on or says why it cannot. Every record that keeps something is among them.
 * cost: 20 */
#include "core.h"
#include "problems.h"
#include "test.h"

/* a force that is asked without end says no: a step that is a wrong one may be as short as it likes */
enum { MANY = 12000 };
static long asked;
static int limit(void) { return ++asked > MANY ? EPI_WRONG : 0; }

static int springs(epi_system *s, double t, const double *q, double *f)
{
  henon_force(s, t, q, f);
  return limit();
}
static int phased(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -q[0] + 20*cos(theta);
  f[1] = -q[1] - 0.3*q[0]*q[1] + 7*sin(theta);
  return limit();
}
static int one_stiff(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -1e4*(1 + 0.2*q[1])*q[0];
  f[1] = -q[1] - 0.1e4*q[0]*q[0];
  return limit();
}
static int growth(epi_system *s, double t, const double *y, double *dy)
{
  volterra(s, t, y, dy);
  return limit();
}
/* two stiff modes whose frequencies change along the third coordinate */
static int valley(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  double a = 1e4*(1 + 0.2*q[2]), b = 3e4*(1 - 0.1*q[2]);
  f[0] = -a*q[0];
  f[1] = -b*q[1];
  f[2] = -q[2] - 0.5*(0.2e4*q[0]*q[0] - 0.3e4*q[1]*q[1]);
  return limit();
}
static int beside(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t;
  double x = 50*(q[0] + q[1] - 0.2) + 3*(v[0] + v[1]);
  f[0] -= x;
  f[1] -= x;
  return limit();
}
static double gap(void *data, double t, const double *y) { (void)data, (void)t; return y[0] - 0.05; }
static int see(void *data, const epi_system *s, epi_state *x) { (void)data, (void)s, (void)x; return 0; }

enum { PLAIN, PHASED, ONE, RATE, VALLEY, STILL, SYSTEMS };
static epi_system systems[SYSTEMS] = {
  {.nq = 2, .force = springs, .energies = {.potential = henon_potential, .objective = henon_objective}},
  {.nq = 2, .phase = {.forced = phased, .phase_rate = 60}},
  {.nq = 2, .force = one_stiff},
  {.nz = 2, .rate = growth},
  {.nq = 3, .force = valley},
  {.nq = 2, .force = springs, .energies = {.potential = henon_potential, .objective = henon_objective, .log_force = henon_log_force}},
};
static epi_system straight = {.nq = 2, .velocity_force = beside};

static const struct { const char *text; int system; double h; } flows[] = {
  {"watch(verlet, see=see, every=0.03)", PLAIN, 0.1}, {"watch(dopri5, see=see, places=3)", PLAIN, 0.1},
  {"watch(tolerance(dopri5), see=see, times=[0.05, 0.15, 0.17, 0.6])", PLAIN, 0.1}, {"at(verlet, of=0, level=0.05)", PLAIN, 0.1},
  {"at(tolerance(verlet), gap=gap)", PLAIN, 0.1}, {"tolerance(dopri5, rtol=1e-4)", PLAIN, 0.3},
  {"tolerance(dopri5, rtol=1e-3, controller=ode45)", PLAIN, 0.3}, {"dense(gauss)", RATE, 0.1},
  {"dense(tolerance(dopri5, rtol=1e-4))", PLAIN, 0.1}, {"dense(watch(verlet, see=see, every=0.03))", PLAIN, 0.1},
  {"dense(nam(k=3))", PLAIN, 0.1}, {"dense(density(verlet, eps=0.05))", PLAIN, 0.1},
  {"density(watch(verlet, see=see, every=0.07), eps=0.03)", PLAIN, 0.1}, {"density(verlet, clock=own)", PLAIN, 0.05},
  {"scaled(verlet, eps=0.05)", STILL, 0.1}, {"twin(eps=0.05)", STILL, 0.1}, {"variational(eps=0.05, scaling=potential)", STILL, 0.1},
  {"adams(rtol=1e-4)", PLAIN, 0.3}, {"adams(rtol=1e-4)", RATE, 0.3}, {"nam", PLAIN, 0.1}, {"nam(k=3, tol=0.001)", PLAIN, 0.1},
  {"nam(model, other, tol=0.001)", PLAIN, 0.1}, {"semi(model, other)", PLAIN, 0.1}, {"semi(model, other, ahead=1, tol=0.01)", PLAIN, 0.1},
  {"semi(model, other, sigma=0.1)", PLAIN, 0.1}, {"project(rk4(hmm(verlet, start=current, steps=8)), every=0.35)", PHASED, 0.2},
  {"project(rk4(hmm(verlet, start=current, steps=8)), drift=0.01)", PHASED, 0.2},
  {"leapfrog-predicted(hmm(verlet, steps=8, start=current))", PHASED, 0.2},
  {"leapfrog-predicted", PLAIN, 0.1}, {"rk4(hmm(verlet, steps=8, match=1))", PHASED, 0.2},
  {"rk4(hmm(verlet, kernel=boxes, start=current))", ONE, 0.2},
  {"verlet(adiabatic)", ONE, 0.1}, {"rk4(strobe(substeps(verlet, 16), order=4))", PHASED, 0.3},
  {"revolve(substeps(verlet, 16), rtol=1e-3)", PHASED, 1}, {"revolve(picard(rtol=1e-4), rtol=1e-3)", PHASED, 1}, {"picard", PHASED, 0.11},
  {"verlet(adiabatic)", VALLEY, 0.1}, {"rk4(adiabatic(form=rate))", VALLEY, 0.1}, {"rk4(adiabatic(form=rate, modes=2))", VALLEY, 0.05},
  {"tolerance(dopri5(adiabatic(form=rate)), rtol=1e-3)", VALLEY, 0.2},
};
enum { FLOWS = sizeof flows/sizeof *flows };

static epi_flow *make(const char *text, int system)
{
  epi_name names[] = {{.name = "model", .system = &systems[system]}, {.name = "other", .system = &straight}, {.name = "see", .see = see},
                      {.name = "gap", .gap = gap}, {0}};
  return epi_make_named(text, names);
}

static epi_state start(int system, double y[6])
{
  memset(y, 0, 6*sizeof *y);
  memcpy(y, system == RATE ? volterra_start : henon_start, (system == RATE ? 2 : 4)*sizeof *y);
  if (system == ONE) memcpy(y, (double[]){0, 0.5, 0.3, 0.1}, 4*sizeof *y);
  if (system == VALLEY) memcpy(y, (double[]){1e-3, 1e-3, 0.5, 0, 0.2, 0.1}, 6*sizeof *y);
  return (epi_state){.y = y};
}

typedef struct { char *x; long n; size_t numbers; } content;   /* numbers: bytes before the words at the end */

static content content_of(epi_flow *f, const epi_state *s)
{
  content c = {0};
  void *x = NULL;
  unsigned kind;
  FILE *o = tmpfile();
  if (!check(o && !epi_save(f, s, o))) return c;
  rewind(o);
  c.n = epi_frame_read(o, &kind, &x);
  c.x = x;
  fclose(o);
  c.numbers = c.n > 0 ? (size_t)c.n - (epi_text(f, NULL, 0) + 1) : 0;
  return c;
}

/* what comes of it: 1: refused */
static int tried(int which, const content *c)
{
  double y[6], before[6], z[6];
  epi_state s = start(flows[which].system, y);
  epi_flow *f = make(flows[which].text, flows[which].system);
  FILE *o = tmpfile();
  if (!o) test_stop("no file for the test");
  memcpy(before, y, sizeof y);
  check_count(epi_frame_write(o, 1, c->x, (size_t)c->n), 0);
  rewind(o);
  asked = 0;
  int refused = epi_load(f, &s, o) != 0;
  if (refused) check(epi_error(f) && !memcmp(before, y, sizeof y) && s.t == 0);
  else {
    int code = epi_advance(f, &s, flows[which].h, 2);
    check(!code || code == EPI_STOPPED || epi_error(f));
    if (!code && !strncmp(flows[which].text, "dense(", 6)) {
      code = epi_between(f, s.t - 0.3*flows[which].h, z);
      check(!code || epi_error(f));
    }
  }
  fclose(o);
  epi_free(f);
  return refused;
}

static int keeps[400];
static void note(epi_flow *f, void *data)
{
  const epi_record *const *all = epi_records();
  (void)data;
  for (int i = 0; all[i] && i < 400; i++) keeps[i] |= all[i] == f->record && (f->nkeep > 0 || f->nseen > 0);
}

/* each number of it made another one */
static void changed(int which)
{
  static const double values[] = {1e300, -1, NAN, INFINITY, 0.5, 0};
  double y[6];
  epi_state s = start(flows[which].system, y);
  epi_flow *f = make(flows[which].text, flows[which].system);
  asked = 0;
  if (!check(!epi_error(f)) || !check_count(epi_advance(f, &s, flows[which].h, 3), 0)) {
    printf("  %s: %s\n", flows[which].text, epi_error(f) ? epi_error(f) : "");
    epi_free(f);
    return;
  }
  epi_visit(f, note, NULL);
  content c = content_of(f, &s);
  check(!tried(which, &c));
  long refused = 0, failed = test.failed;
  for (size_t at = 0; at + 8 <= c.numbers; at += 8)
    for (size_t k = 0; k < sizeof values/sizeof *values; k++) {
      double old, with;
      memcpy(&old, c.x + at, sizeof old);
      with = values[k] == 0.5 ? old + 0.5 : values[k];
      memcpy(c.x + at, &with, sizeof with);
      refused += tried(which, &c);
      memcpy(c.x + at, &old, sizeof old);
    }
  check(refused > 10);
  if (test.failed != failed) printf("  in %s\n", flows[which].text);
  free(c.x);
  epi_free(f);
}

/* a record of the library that keeps something is among the flows above */
static void none_is_missing(void)
{
  const epi_record *const *all = epi_records();
  int known[400];
  memcpy(known, keeps, sizeof known);
  for (int i = 0; all[i] && i < 400; i++) {
    epi_flow *f = NULL;
    for (int k = 0; k < SYSTEMS && all[i]->example; k++) {
      epi_free(f);
      f = make(all[i]->example, k);
      if (!epi_error(f)) break;
    }
    if (f && !epi_error(f)) epi_visit(f, note, NULL);
    epi_free(f);
  }
  for (int i = 0; all[i] && i < 400; i++)
    if (!check(known[i] == keeps[i])) printf("  %s keeps something, and is not tried\n", all[i]->name);
}

int main(void)
{
  for (int i = 0; i < FLOWS; i++) changed(i);
  none_is_missing();
  return test_done();
}
