/* holds: sweeps have the same bits by any number of workers, and a row for every failure */
#include "cases.h"
#include "epicycle/sweep.h"
#include <math.h>

static epi_sweep *made(const epi_sweep_options *o)
{
  epi_sweep *s = epi_sweep_make(o);
  if (epi_sweep_error(s)) test_stop(epi_sweep_error(s));
  return s;
}

/* ---- grids ---- */
static void grids(void)
{
  static const struct { const char *over; int n; double x[5]; } all[] = {
    {"e=0.1:0.5:0.1", 5, {0.1, 0.2, 0.3, 0.4, 0.5}}, {"e=0.1:0.5/5", 5, {0.1, 0.2, 0.3, 0.4, 0.5}}, {"e=[0.3, 0.1]", 2, {0.3, 0.1}},
    {"e=0.5:0.1:-0.2", 3, {0.5, 0.3, 0.1}}, {"mu=log(1, 100, 3)", 3, {1, 10, 100}}, {"e=0:0.35:0.1", 4, {0, 0.1, 0.2, 0.3}}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    const char *over[] = {all[i].over, NULL};
    epi_sweep *s = made(&(epi_sweep_options){.model = "kepler", .over = over});
    check_count(epi_sweep_cases(s), all[i].n);
    for (int k = 0; k < all[i].n; k++) {
      double x;
      epi_sweep_values(s, k, &x);
      check(x == all[i].x[k]);
    }
    epi_sweep_free(s);
  }
  /* all of one with all of the other, the last changing fastest */
  const char *two[] = {"e=[0.1, 0.2]", "mu=1:3:1", NULL};
  epi_sweep *s = made(&(epi_sweep_options){.model = "kepler", .over = two});
  check_count(epi_sweep_cases(s), 6);
  for (int k = 0; k < 6; k++) {
    double x[2];
    epi_sweep_values(s, k, x);
    check(x[0] == (k < 3 ? 0.1 : 0.2) && x[1] == 1 + k % 3);
  }
  epi_sweep_free(s);
}

/* ---- what is drawn: moments, and one from each part of a Latin hypercube ---- */
static void draws(void)
{
  enum { N = 4000 };
  const char *over[] = {"e=uniform(0.1, 0.5)", "mu=normal(2, 0.1)", "start.x=loguniform(0.1, 10)", NULL};
  for (int latin = 0; latin < 2; latin++) {
    epi_sweep *s = made(&(epi_sweep_options){.model = "kepler", .over = over, .samples = N, .seed = 3, .latin = latin});
    epi_sweep *other = made(&(epi_sweep_options){.model = "kepler", .over = over, .samples = N, .seed = 4, .latin = latin});
    char hit[3][N] = {{0}};
    double sum[3] = {0}, square = 0, same = 0;
    for (int k = 0; k < N; k++) {
      double x[3], y[3], u[3];
      epi_sweep_values(s, k, x);
      epi_sweep_values(other, k, y);
      same += x[0] == y[0];
      u[0] = (x[0] - 0.1)/0.4, u[1] = erfc(-(x[1] - 2)/0.1/sqrt(2))/2, u[2] = log10(x[2]*10)/2;
      for (int i = 0; i < 3; i++) {
        check(u[i] >= 0 && u[i] < 1);
        hit[i][(int)(u[i]*N*(1 - 1e-12))] = 1;
        sum[i] += u[i];
      }
      square += (x[1] - 2)*(x[1] - 2);
    }
    check_below(same, 2);
    for (int i = 0; i < 3; i++) {
      int parts = 0;
      for (int k = 0; k < N; k++) parts += hit[i][k];
      /* of N independent draws 1 - 1/e parts are hit */
      check_between(parts, latin ? N - 3 : 0.6*N, latin ? N : 0.66*N);
      check_abs(sum[i]/N, 0.5, latin ? 1e-3 : 0.02);
    }
    check_abs(sqrt(square/N), 0.1, latin ? 1e-3 : 4e-3);
    epi_sweep_free(s);
    epi_sweep_free(other);
  }
}

/* ---- what is kept, against a run by hand ---- */
static void keeps(void)
{
  const char *over[] = {"e=[0.3]", NULL};
  const char *keep[] = {"x", "x.first", "x.min", "x.max", "x.mean", "x.rms", "x.at(3)", "energy", "evaluations", "steps", "at(y).count",
                        "at(y).first",
                        "at(y).last", NULL};
  const char *flow = "at(verlet, of=y)";
  double got[13], y[4];
  epi_sweep *s = made(&(epi_sweep_options){.model = "kepler", .flow = flow, .step = 0.01, .end = 10, .every = 0.5, .over = over,
                                           .keep = keep});
  check_count(epi_sweep_run(s, got, NULL), 0);
  epi_case *c = make("kepler(e=0.3)");
  epi_flow *f = epi_case_flow(c, flow);
  epi_state z = epi_case_state(c);
  double x[21], least = HUGE_VAL, most = -HUGE_VAL, mean = 0, square = 0;
  for (int i = 0; i <= 20; i++) {
    run(f, &z, 0.5*i, 0.01);
    x[i] = z.y[0];
    least = fmin(least, x[i]), most = fmax(most, x[i]);
    double weight = i && i < 20 ? 0.05 : 0.025;
    mean += weight*x[i], square += weight*x[i]*x[i];
  }
  memcpy(y, z.y, sizeof y);
  check(got[0] == y[0] && got[1] == x[0] && got[2] == least && got[3] == most && got[6] == x[6]);
  check_abs(got[4], mean, 1e-15);
  check_abs(got[5], sqrt(square), 1e-15);
  check_count(got[9], 1000);
  check_above(got[8], 1000);
  /* y = 0 is crossed every half turn, 2 pi for the whole one */
  check_count(got[10], 3);
  check_abs(got[11], 3.14159265, 1e-3);
  check_abs(got[12], 9.42477796, 3e-3);
  epi_free(f);
  epi_case_free(c);
  epi_sweep_free(s);
}

/* ---- workers ---- */
static int told;
static int tell(void *data, const epi_sweep_row *r) { (void)data; (void)r; told++; return 0; }

static void workers(void)
{
  enum { N = 60 };
  const char *over[] = {"q0=0.1:3:0.05", NULL}, *keep[] = {"q", "energy.max", NULL};
  double one[2*N], two[2*N];
  for (int n = 1; n <= 5; n += 2) {
    epi_sweep *s = made(&(epi_sweep_options){.model = "pendulum", .over = over, .keep = keep, .end = 3, .workers = n});
    check_count(epi_sweep_cases(s), N - 1);
    told = 0;
    check_count(epi_sweep_run(s, n == 1 ? one : two, tell), 0);
    check_count(told, N - 1);
    if (n > 1) check(!memcmp(one, two, 2*(N - 1)*sizeof *one));
    epi_sweep_free(s);
  }
  /* each case alone is the same, and so is one of a table */
  double table[3] = {0.1, 0.15, 0.2};
  const char *names[] = {"q0", NULL};
  epi_sweep *s = made(&(epi_sweep_options){.model = "pendulum", .over = names, .keep = keep, .end = 3, .table = table, .cases = 3});
  check_count(epi_sweep_run(s, two, NULL), 0);
  check(!memcmp(one, two, 6*sizeof *one));
  epi_sweep_free(s);
}

/* ---- rows for what fails ---- */
static int outcome[8];
static char why[8][200];
static int note(void *data, const epi_sweep_row *r)
{
  (void)data;
  outcome[r->number] = r->outcome;
  snprintf(why[r->number], sizeof why[0], "%s", r->why);
  for (int i = 0; r->outcome > EPI_CASE_DOUBTFUL && i < 1; i++) check(isnan(r->kept[i]));
  return 0;
}

static void failures(void)
{
  const char *over[] = {"e=[0.3, 1.5, 0.9]", NULL}, *keep[] = {"x", NULL};
  epi_sweep *s = made(&(epi_sweep_options){.model = "kepler", .flow = "verlet", .step = 0.02, .over = over, .keep = keep, .end = 5});
  check_count(epi_sweep_run(s, NULL, note), 0);
  check_count(outcome[0], EPI_CASE_DONE);
  check_count(outcome[1], EPI_CASE_REFUSED);
  check(strstr(why[1], "e") && why[1][0]);
  check_count(outcome[2], EPI_CASE_DOUBTFUL);
  check(why[2][0]);
  epi_sweep_free(s);
  /* a step in the flow, and one that is far too long */
  const char *steps[] = {"h=[0.01, 3]", NULL};
  s = made(&(epi_sweep_options){.model = "kepler(e=0.1)", .flow = "substeps(verlet, n=2)", .over = (const char *[]){"step=[0.005, 3]",
      NULL}, .keep = keep, .end = 30});
  check_count(epi_sweep_run(s, NULL, note), 0);
  check_count(outcome[0], EPI_CASE_DONE);
  check_above(outcome[1], EPI_CASE_DONE);
  epi_sweep_free(s);
  s = epi_sweep_make(&(epi_sweep_options){.model = "kepler", .over = steps});
  check(strstr(epi_sweep_error(s), "nothing called 'h'") != NULL);
  epi_sweep_free(s);
  /* a tenth of a second of what takes minutes */
  const char *long_one[] = {"end=[1, 1e7]", NULL};
  s = made(&(epi_sweep_options){.model = "kepler", .flow = "verlet", .step = 0.01, .over = long_one, .keep = keep, .limit = 0.1,
                                .workers = 1});
  check_count(epi_sweep_run(s, NULL, note), 0);
  check_count(outcome[0], EPI_CASE_DONE);
  check_count(outcome[1], EPI_CASE_TOO_LONG);
  epi_sweep_free(s);
}

/* the slow part of a stiff motion is not taken for all of it without a word; what is only told is no doubt */
static void slow_parts(void)
{
  const char *over[] = {"w2=[50, 20000]", NULL}, *keep[] = {"evaluations", NULL}, *turns[] = {"w=[100]", NULL};
  epi_sweep *s = made(&(epi_sweep_options){.model = "stiff-springs", .over = over, .keep = keep, .tol = 1e-3});
  check_count(epi_sweep_run(s, NULL, note), 0);
  check_count(outcome[0], EPI_CASE_DONE);
  check_count(outcome[1], EPI_CASE_DOUBTFUL);
  check(strstr(why[1], "slow part of the motion alone") != NULL);
  epi_sweep_free(s);
  s = made(&(epi_sweep_options){.model = "inverted-pendulum", .over = turns, .keep = keep, .tol = 1e-3});
  check_count(epi_sweep_run(s, NULL, note), 0);
  check_count(outcome[0], EPI_CASE_DONE);
  check(strstr(why[0], "every turn is resolved") != NULL);
  epi_sweep_free(s);
}

/* a flow that has no room is not another one */
static void long_flow(void)
{
  char flow[6000] = "verlet(";
  const char *over[] = {"e=[0.1]", NULL};
  memset(flow + 7, ' ', sizeof flow - 9);
  flow[sizeof flow - 2] = ')';
  epi_sweep *s = epi_sweep_make(&(epi_sweep_options){.model = "kepler", .over = over, .flow = flow});
  check(epi_sweep_error(s) && strstr(epi_sweep_error(s), "a_flow_this_long"));
  epi_sweep_free(s);
}

/* ---- what is refused before anything runs ---- */
static void refusals(void)
{
  static const struct { const char *over, *keep, *says; } all[] = {
    {"ee=1:2:1", "x", "did you mean e?"}, {"e=1:2", "x", "from:to:step"}, {"e=1:2:-1", "x", "does not lead"}, {"e=[]", "x", "no list"},
    {"e=log(0, 1, 3)", "x", "logarithm"}, {"e=gauss(0, 1)", "x", "there is no 'gauss'"}, {"e=uniform(0, 1)", "x", "give samples"},
    {"e=[0.1]", "y0", "there is no column"}, {"e=[0.1]", "x.median", "there is last, first"}, {"e=[0.1]", "at(y).count", "has no events"},
    {"e=[0.1]", "x.at(0.123)", "needs a row"}, {"start.xx=[1]", "x", "no coordinate 'xx'"}, {"e=", "x", "has no values"},
    {"e=0:1:1e-300", "x", "more values than can be counted"}, {"e=0.1:0.9/1", "x", "at least two"}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    const char *over[] = {all[i].over, NULL}, *keep[] = {all[i].keep, NULL};
    epi_sweep *s = epi_sweep_make(&(epi_sweep_options){.model = "kepler", .over = over, .keep = keep});
    if (!check(epi_sweep_error(s) && strstr(epi_sweep_error(s), all[i].says))) printf("  %s: %s\n", all[i].over, epi_sweep_error(s));
    check_count(epi_sweep_cases(s), 0);
    epi_sweep_free(s);
  }
}

/* ---- lanes: cases whose systems have a batch callback move together, and no row knows of it ---- */
enum { LANE_K, LANE_WALL, LANE_DRIVE, LANE_BATCH };
static const epi_param lane_params[] = {
  {.name = "k", .value = 1, .doc = "stiffness"}, {.name = "wall", .value = 1e9, .doc = "beyond it there is no force"},
  {.name = "drive", .value = 0, .doc = "of a phase"}, {.name = "batch", .value = 1, .doc = "1: has a batch callback; 2: a wrong one"}, {0}
};
static const char *const lane_names[] = {"q", "v"};
static long lane_most;

static double lane_force(const double *p, double theta, double q)
{
  return q > p[LANE_WALL] ? NAN : -p[LANE_K]*sin(q) + p[LANE_DRIVE]*cos(theta);
}

static int lane_plain(epi_system *s, double t, const double *q, double *f) { return (void)t, f[0] = lane_force(s->data, 0, q[0]), 0; }
static int lane_forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  return (void)t, f[0] = lane_force(s->data, theta, q[0]), 0;
}

static int lane_forces(epi_system *const *of, int n, const double *t, const double *theta, const double *q, double *f)
{
  (void)t;
  if (n > __atomic_load_n(&lane_most, __ATOMIC_RELAXED)) __atomic_store_n(&lane_most, n, __ATOMIC_RELAXED);
  for (int k = 0; k < n; k++) {
    const double *p = of[k]->data;
    f[k] = lane_force(p, of[k]->phase.forced ? theta[k] : 0, q[k]) + (p[LANE_BATCH] == 2);
  }
  return 0;
}

static double lane_energy(const epi_case *c, const epi_state *s) { return s->y[1]*s->y[1]/2 - c->p[LANE_K]*cos(s->y[0]); }
static const epi_observable lane_observables[] = {{.name = "energy", .unit = "", .value = lane_energy, .invariant = 1}, {0}};

static int lane_make(epi_case *c)
{
  int phase = c->p[LANE_DRIVE] != 0;
  c->system = (epi_system){.nq = 1, .force = phase ? NULL : lane_plain,
                           .phase = {.forced = phase ? lane_forced : NULL, .phase_rate = phase ? 3 : 0},
                           .batch.forces_of = c->p[LANE_BATCH] != 0 ? lane_forces : NULL, .data = c->p, .names = lane_names};
  if (epi_case_start(c)) return -1;
  return c->y[0] = 1, 0;
}
static const epi_model lane_model = {.name = "swing", .doc = "a pendulum", .params = lane_params, .make = lane_make,
                                     .observables = lane_observables, .flow = "verlet", .step = 0.05, .end = 20};

typedef struct { int outcome[200]; char why[200][200]; long seen; } lane_rows;
static int hear(void *data, const epi_sweep_row *row)
{
  lane_rows *t = data;
  t->outcome[row->number] = row->outcome;
  snprintf(t->why[row->number], sizeof *t->why, "%s", row->why);
  t->seen++;
  return 0;
}

static void compare_lanes(const char *flow, double step, double end, double every, const char *fixed, const char *over_k, int lanes)
{
  enum { N = 200, KEPT = 7 };
  static double kept[2][N*KEPT];
  static lane_rows rows[2];
  const char *keep[] = {"q", "v", "energy", "evaluations", "steps", "q.max", "energy.mean", NULL};
  for (int batch = 0; batch < 2; batch++) {
    const char *text = batch ? "batch=1" : "batch=0", *over[] = {text, fixed, over_k, "start.v=0:1.5/100", NULL};
    memset(&rows[batch], 0, sizeof rows[batch]);
    lane_most = 0;
    epi_sweep *s = made(&(epi_sweep_options){.own = &lane_model, .flow = flow, .step = step, .end = end, .every = every, .over = over,
                                             .keep = keep, .workers = 1 + batch, .data = &rows[batch]});
    check_count(epi_sweep_cases(s), N);
    check_count(epi_sweep_run(s, kept[batch], hear), 0);
    check_count(rows[batch].seen, N);
    if (batch) check(lanes ? lane_most > 8 : lane_most <= 1);
    epi_sweep_free(s);
  }
  check_bits(N*KEPT, kept[1], kept[0]);
  for (int k = 0; k < N; k++) {
    check_count(rows[1].outcome[k], rows[0].outcome[k]);
    check_text(rows[1].why[k], rows[0].why[k]);
  }
}

static void lanes(void)
{
  compare_lanes("verlet", 0.05, 20, 0, "wall=1e9", "k=1:2/2", 1);
  compare_lanes("verlet", 0.05, 20, 0.5, "wall=1e9", "k=1:2/2", 1);
  compare_lanes("symmetric(verlet, order=4)", 0.1, 100, 1, "wall=1e9", "k=1:2/2", 1);
  compare_lanes("rk4", 0.1, 200, 0.1, "wall=1e9", "k=1:2/2", 1);
  compare_lanes("rk4", 0.1, 5, 0.1, "wall=1e9", "k=1:2/2", 1);
  compare_lanes("verlet", 0.02, 20, 0.1, "drive=0.3", "k=1:2/2", 1);
  /* steps that are too long are doubted so, in lanes as alone; some of them */
  compare_lanes("verlet", 0.8, 80, 0.8, "wall=1e9", "k=[0.1, 3]", 1);
  /* one that fails is a row, and the others are as they were */
  compare_lanes("verlet", 0.05, 20, 0.5, "wall=1.5", "k=1:2/2", 1);
  /* rows beside the steps, an end that is none, averages and steps that are chosen are run alone */
  compare_lanes("verlet", 0.05, 20, 0.07, "wall=1e9", "k=1:2/2", 0);
  compare_lanes("verlet", 0.05, 20.02, 0, "wall=1e9", "k=1:2/2", 0);
  compare_lanes("tolerance(dopri5)", 0.05, 20, 0.5, "wall=1e9", "k=1:2/2", 0);
  const char *over[] = {"batch=2", "k=1:2/2", NULL};
  epi_sweep *s = epi_sweep_make(&(epi_sweep_options){.own = &lane_model, .over = over});
  check_has(epi_sweep_error(s), "forces_of of swing differs from its force by 1");
  epi_sweep_free(s);
}

int main(void)
{
  grids();
  draws();
  keeps();
  workers();
  failures();
  slow_parts();
  long_flow();
  refusals();
  lanes();
  return test_done();
}
