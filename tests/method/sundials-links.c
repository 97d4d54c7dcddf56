/* holds: cvode and arkode with contact Jacobians and sparse ones are as accurate as with differences
 * sundials-links.c - cvode and arkode of two systems: Jacobians by what contacts return beside their forces, and sparse ones, are as good
 * as those by differences; the first explicit and the second implicit gives the same motion; what does not go is a sentence */
#include "bearings.h"

#define SHOCK "bearing(preload=20, chi=0.02, waviness=3e-7)"
#define TIGHT "rtol=1e-7, atol=1e-10"
typedef struct { double y[320]; long calls, slopes; int n; } motion;

static void note(void *to, const epi_info *i)
{
  motion *m = to;
  m->calls += i->calls;
  m->slopes += i->slopes;
}

/* KLU is in this build */
static int sparse(void)
{
  epi_case *c = bearing_make(SHOCK);
  epi_flow *f = epi_case_flow(c, "cvode(model.contacts, model.stiff, method=bdf, matrix=sparse)");
  int there = !epi_error(f);
  if (!there) check(strstr(epi_error(f), "matrix=sparse is not in this build") != NULL);
  epi_free(f);
  epi_case_free(c);
  return there;
}

static motion follow(const char *model, const char *flow, double end)
{
  motion m = {.n = 0};
  epi_case *c = bearing_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (epi_error(f)) test_stop(epi_error(f));
  bearing_run(f, &s, end, end);
  epi_walk(f, note, &m);
  m.n = epi_size(&c->system);
  memcpy(m.y, s.y, (size_t)m.n*sizeof *m.y);
  epi_free(f);
  epi_case_free(c);
  return m;
}

static double apart(const motion *a, const motion *b)
{
  double most = 0;
  for (int i = 0; i < a->n; i++) most = fmax(most, fabs(a->y[i] - b->y[i])/(1e-3 + fabs(a->y[i])));
  return most;
}

/* sweeps without those of Jacobians: a wrong Jacobian takes more, and does not converge */
static void good(const char *model, double end)
{
  static const char *const ways[] = {"", ", matrix=sparse", ", jacobian=links", ", jacobian=links, matrix=sparse"};
  motion one = follow(model, "cvode(model, method=bdf, " TIGHT ")", end);
  long rhs = one.calls - one.slopes*one.n;
  for (int k = 0; k < 4; k++) {
    if (k % 2 && !sparse()) continue;
    char flow[200];
    snprintf(flow, sizeof flow, "cvode(model.contacts, model.stiff, method=bdf, " TIGHT "%s)", ways[k]);
    motion two = follow(model, flow, end);
    long each = k < 2 ? two.n : 1, own = two.calls - two.slopes*each;
    printf("%s, %s: %ld sweeps and %ld Jacobians, %ld and %ld of one system; %.2g apart\n", model, flow, own, two.slopes, rhs, one.slopes,
           apart(&one, &two));
    check_below(apart(&one, &two), 1e-4);
    check_between((double)own/(double)rhs, 0.8, 1.25);
    check_below((double)two.slopes, 1.5*(double)one.slopes + 3);
  }
}

/* no pivot of a step before is left: the second step has the bits of a flow that begins there */
static void begins_anew(const char *flow)
{
  epi_case *c = bearing_make(SHOCK);
  epi_flow *f = epi_case_flow(c, flow), *g = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double y[320], h = 2e-6;
  bearing_run(f, &s, h, h);
  memcpy(y, s.y, (size_t)epi_size(&c->system)*sizeof *y);
  epi_state t = {.t = s.t, .y = y};
  check_count(epi_advance(f, &s, h, 1), 0);
  check_count(epi_advance(g, &t, h, 1), 0);
  check_bits(epi_size(&c->system), s.y, y);
  epi_free(f);
  epi_free(g);
  epi_case_free(c);
}

static void imex(void)
{
  motion one = follow(SHOCK, "cvode(model, method=bdf, " TIGHT ")", 5e-6);
  for (int k = 0; k < 1 + sparse(); k++) {
    char flow[200];
    snprintf(flow, sizeof flow, "arkode(model.contacts, model.stiff, order=4, rtol=1e-5, atol=1e-8%s)", k ? ", matrix=sparse" : "");
    motion two = follow(SHOCK, flow, 5e-6);
    printf("%s: %ld sweeps, %.2g apart\n", flow, two.calls, apart(&one, &two));
    check_below(apart(&one, &two), 1e-4);
  }
}

/* a spring between two masses on a line, and one to the wall that is stiff: no rotations */
static int pull(epi_system *s, double t, const double *q, const double *v, double *f, epi_link *l)
{
  (void)s, (void)t;
  double load = 4*(q[0] - q[1]) + 0.3*(v[0] - v[1]);
  f[0] = -load;
  f[1] = load;
  if (l) *l = (epi_link){.load = load, .stiffness = 4, .damping = 0.3, .G = {{[0] = 1, [6] = -1}}};
  return 0;
}
static int pull_plain(epi_system *s, double t, const double *q, const double *v, double *f)
{
  double both[2];
  pull(s, t, q, v, both, NULL);
  f[0] += both[0], f[1] += both[1];
  return 0;
}
static int wall(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -1e4*q[0]; f[1] = 0; return 0; }
static int wall_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s, (void)t, (void)y, (void)b;
  A[0] = -1e4*a;
  return 0;
}

static void on_a_line(void)
{
  static const double mass[] = {2, 0.5};
  static const epi_link_ends ends = {.at = {0, 1}, .n = {1, 1}, .name = "spring"};
  epi_system soft = {.nq = 2, .mass = mass, .velocity_force = pull_plain,
                     .contacts = {.links = 1, .link_ends = &ends, .linked_force = pull}};
  epi_system stiff = {.nq = 2, .mass = mass, .force = wall, .jacobian.slope = wall_slope};
  double first[4];
  static const char *const ways[] = {"cvode(a, b, rtol=1e-9, method=bdf)",
    "cvode(a, b, rtol=1e-9, method=bdf, jacobian=links, matrix=sparse)", "cvode(a, b, rtol=1e-9)",
    "arkode(a, b, rtol=1e-9, order=5, matrix=sparse)", "arkode(a, b, rtol=1e-9, order=5)"};
  for (int k = 0; k < 5; k++) {
    if (strstr(ways[k], "sparse") && !sparse()) continue;
    double y[] = {0.01, 0.2, 0, 0};
    epi_state s = {.y = y};
    epi_flow *f = epi_make_named(ways[k], (const epi_name[]){{.name = "a", .system = &soft}, {.name = "b", .system = &stiff}, {0}});
    if (epi_run(f, &s, 1, 1)) test_stop(epi_error(f));
    for (int i = 0; i < 4; i++) if (k) check_abs(y[i], first[i], 1e-5); else first[i] = y[i];
    epi_free(f);
  }
}

static void says(const char *model, const char *flow, const char *want)
{
  epi_case *c = bearing_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  if (!check(epi_error(f) && strstr(epi_error(f), want))) printf("  %s: %s\n", flow, epi_error(f) ? epi_error(f) : "nothing");
  epi_free(f);
  epi_case_free(c);
}

static void sentences(void)
{
  says("pendulum", "cvode(method=bdf, matrix=sparse)", "need forces that say what they are between");
  says("pendulum", "cvode(matrix=sparse)", "jacobian and matrix are for method=bdf");
  says("van-der-pol", "cvode(method=bdf, jacobian=links)", "leave them out");
  says("pendulum", "arkode(matrix=sparse)", "arkode: matrix is for two systems");
  says(SHOCK, "arkode(model.contacts, model.stiff, order=6)", "of two systems take 3, 4 or 5");
  says(SHOCK, "cvode(model.stiff, model.contacts, method=bdf, jacobian=links)", "need forces that say what they are between");
  says(SHOCK, "arkode(model.stiff, model.contacts, order=4)", "needs the slope of the second system");
}

int main(void)
{
  epi_flow *f = epi_make("cvode", &(epi_system){.nq = 1, .force = wall});
  if (epi_error(f) && strstr(epi_error(f), "not in this build")) { epi_free(f); return test_done(); }
  epi_free(f);
  good(SHOCK, 60e-6);
  good("bearing(outer.modes=4)", 20e-6);
  if (sparse()) begins_anew("cvode(model.contacts, model.stiff, method=bdf, " TIGHT ", jacobian=links, matrix=sparse)");
  begins_anew("cvode(model.contacts, model.stiff, method=bdf, " TIGHT ", jacobian=links)");
  if (sparse()) begins_anew("arkode(model.contacts, model.stiff, rtol=1e-5, atol=1e-8, matrix=sparse)");
  imex();
  on_a_line();
  sentences();
  return test_done();
}
