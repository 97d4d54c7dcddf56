/* holds: a vibrated pendulum whose force is no smooth function of one phase is right, and a sentence says how
 * choose-told.c - a vibrated pendulum whose force is no smooth function of one phase: it jumps or bends within a turn, has its phase in t,
 * or two of them. The answer is right at the end and at any time between turns, by a run that begins anew at every jump; and a
 * sentence says what was done */
#include "epicycle.h"
#include "epicycle/choose.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
static double W;      /* rad/time */

/* drives: of a phase; the same function on the piece of a turn that has `middle` in it, so that nothing jumps */
typedef double drive(double theta, double middle);
static double square(double theta, double middle) { (void)theta; return cos(middle) > 0 ? 1 : -1; }
static double uneven(double theta, double middle) { (void)theta; return cos(middle) > 0.3 ? 1.2 : -0.8; }
static double bent(double theta, double middle) { return cos(middle) > 0 ? cos(theta) - 0.6366 : -cos(theta) - 0.6366; }
static double plain(double theta, double middle) { (void)middle; return cos(theta); }
static drive *const DRIVES[] = {square, uneven, bent, plain};

enum { DRIVE };
static drive *drive_of(const epi_system *s) { return DRIVES[(int)((const double *)s->data)[DRIVE]]; }
static double jump_of(int kind) { return acos(kind == 1 ? 0.3 : 0); }
static int pull(double strength, const double *q, double *f)
{
  f[0] = (49.05 + 20*W*strength)*sin(q[0]);
  return 0;
}
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t;
  return pull(drive_of(s)(theta, theta), q, f);
}
static int by_time(epi_system *s, double t, const double *q, double *f) { return pull(drive_of(s)(W*t, W*t), q, f); }
static int by_two(epi_system *s, double t, const double *q, double *f) { (void)s; return pull(cos(W*t) + 0.5*cos(sqrt(2)*W*t), q, f); }
static int pushed(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -q[0] + (cos(3*t) > 0 ? 1 : -1);
  return 0;
}

static int start(epi_case *c, epi_system m)
{
  c->system = m;
  c->system.nq = 1;
  c->system.data = c->p;
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.3;
  return 0;
}
static int make_forced(epi_case *c) { return start(c, (epi_system){.phase = {.forced = forced, .phase_rate = W}}); }
static int make_by_time(epi_case *c) { return start(c, (epi_system){.force = by_time}); }
static int make_by_two(epi_case *c) { return start(c, (epi_system){.force = by_two}); }
static int make_pushed(epi_case *c) { return start(c, (epi_system){.force = pushed}); }
static const epi_param PARAMS[] = {[DRIVE] = {.name = "drive", .value = 0, .doc = "which"}, {0}};
#define OWN(what) {.name = #what, .doc = "a drive", .params = PARAMS, .make = make_##what, .flow = "dop853", .step = 1e-5, .end = 1}
enum { FORCED, BY_TIME, BY_TWO, PUSHED };
static const epi_model MODELS[] = {OWN(forced), OWN(by_time), OWN(by_two), OWN(pushed)};

/* ---- the true solution: from jump to jump, smooth pieces alone ---- */
typedef struct { int kind; double middle; } smooth;
static int piecewise(epi_system *s, double t, const double *q, double *f)
{
  const smooth *p = s->data;
  return pull(DRIVES[p->kind](W*t, p->middle), q, f);
}

static void truth(int kind, double end, double *y)
{
  smooth p = {kind, 0};
  epi_system m = {.nq = 1, .force = piecewise, .data = &p};
  epi_state s = {.y = y};
  double jump = jump_of(kind);
  y[0] = 0.3;
  y[1] = 0;
  for (int k = 0; s.t < end; k++) {
    double theta = k % 2 ? 2*PI*(k/2 + 1) - jump : 2*PI*(k/2) + jump, to = fmin(end, theta/W);
    p.middle = 0.5*W*(s.t + to);
    epi_flow *f = epi_make("tolerance(dop853, rtol=1e-13, atol=1e-13)", &m);
    int bad = epi_run(f, &s, to, to - s.t);
    epi_free(f);
    if (!check_count(bad, 0)) break;
  }
}

/* ---- ---- */
static void solve(int model, int drive_kind, double rate, double tol, const char *sentence)
{
  const double end = model == PUSHED ? 10 : 0.9713;
  char text[40];
  double y[2], want[2];
  W = rate;
  snprintf(text, sizeof text, "(drive=%d)", drive_kind);
  epi_case *c = epi_case_of(&MODELS[model], text);
  epi_chosen a = {.tol = tol, .end = end, .y = y};
  int bad = epi_choose(c, &a);
  if (!check_count(bad, 0)) printf("%s\n", a.error);
  if (!check(strstr(a.said, sentence) != NULL))
    printf("%s, drive %d: said '%s', not '%s'\n", MODELS[model].name, drive_kind, a.said, sentence);
  /* at the end, and at times between whole turns */
  for (int k = 1; !bad && model < BY_TWO && k <= 3; k++) {
    epi_flow *f = epi_case_flow(c, a.flow);
    epi_state s = epi_case_state(c);
    double to = end*(k == 3 ? 1 : 0.3141*k);
    if (!check_count(epi_run(f, &s, to, to), 0)) printf("%s\n", epi_error(f));
    truth(drive_kind, to, want);
    /* beside a swing of 0.3 and 20 */
    if (!check_below(fabs(s.y[0] - want[0])/0.3, 3*tol) || !check_below(fabs(s.y[1] - want[1])/20, 3*tol))
      printf("%s, drive %d, tol %g, t = %g: %.3g and %.3g tol; %s\n", MODELS[model].name, drive_kind, tol, to,
             fabs(s.y[0] - want[0])/0.3/tol, fabs(s.y[1] - want[1])/20/tol, a.flow);
    epi_free(f);
  }
  epi_case_free(c);
}

int main(void)
{
  static const double tols[] = {1e-4, 1e-7};
  for (int k = 0; k < 4; k++) {
    double tol = tols[k/2], rate = k % 2 ? 1e4 : 1e3;
    solve(FORCED, 0, rate, tol, "jumps or bends within a turn");
    solve(FORCED, 1, 1e3, tol, "not smooth");
    solve(FORCED, 2, rate, tol, "jumps or bends within a turn");
    solve(FORCED, 3, rate, tol, "");
    solve(BY_TIME, 3, rate, tol, "with t itself, about");
    solve(BY_TWO, 3, rate, tol, "with t itself, by more than one fast frequency");
  }
  solve(PUSHED, 0, 0, 1e-6, "many steps were refused");
  return test_done();
}
