/* holds: averages that cannot work are refused with a remedy, and the last good state is kept
 * average-refuse.c - averages that cannot work say so: one sentence with the remedy, before the first step where that is possible, else
 * at the window where it matters, and the last good state is kept */
#include "averages.h"

/* refused when made */
static void refused(const char *model, const char *flow, const char *words, const char *remedy)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double y[8], t = s.t;
  int n = epi_size(&c->system);
  memcpy(y, s.y, (size_t)n*sizeof *y);
  if (!(check_has(epi_error(f), words) & check_has(epi_error(f), remedy))) printf("  %s of %s\n", flow, model);
  /* and it stays where it is */
  check_count(epi_advance(f, &s, 0.01, 1), EPI_WRONG);
  check(s.t == t && !memcmp(y, s.y, (size_t)n*sizeof *y));
  epi_free(f);
  epi_case_free(c);
}

/* refused at the window where it matters */
static void stopped(const char *model, const char *flow, const char *words, const char *remedy)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double y[8];
  int n = epi_size(&c->system);
  memcpy(y, s.y, (size_t)n*sizeof *y);
  check(!epi_error(f));
  check(epi_advance(f, &s, 0.05, 20) != 0);
  if (!(check_has(epi_error(f), words) & check_has(epi_error(f), remedy))) printf("  %s of %s\n", flow, model);
  /* the first window is the bad one: nothing has moved, however often one tries */
  check(epi_advance(f, &s, 0.05, 1) != 0);
  check(s.t == c->t && !memcmp(y, s.y, (size_t)n*sizeof *y));
  epi_free(f);
  epi_case_free(c);
}

/* and what stands beside it works */
static void fine(const char *model, const char *flow)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (!check_count(epi_advance(f, &s, 0.01, 3), 0)) printf("  %s of %s: %s\n", flow, model, epi_error(f));
  epi_free(f);
  epi_case_free(c);
}

static void windows(void)
{
  const char *fast = "inverted-pendulum(w=1e6)";
  refused("kepler", "rk4(hmm(verlet, start=current))", "does not know the fast period", "give hmm its period");
  fine("kepler", "rk4(hmm(verlet, start=current, period=0.001))");
  refused(fast, "verlet(hmm(verlet, periods=1, steps=33, kernel=box))", "16.5 micro-steps", "choose them so that this is a whole number");
  refused(fast, "verlet(hmm(verlet, periods=-1))", "-16 micro-steps", "whole number");
  refused(fast, "verlet(hmm(verlet, steps=2))", "steps is 2", "at least 3 micro-steps");
  refused(fast, "rk4(hmm(verlet, periods=11092310, start=current, steps=5))", "each evaluation would take them all", "choose fewer");
  refused(fast, "verlet(hmm(verlet, moments=7))", "moments is 7", "take 0 to 4");
  refused(fast, "verlet(hmm(verlet, leak=0.5))", "leak is 0.5", "such as 1e-12");
  refused(fast, "verlet(hmm(verlet, leak=1e-30))", "leak is 1e-30", "such as 1e-12");
  refused(fast, "verlet(hmm(verlet, kernel=hat))", "kernel is one of", "kaiser");
}

/* what a window lets through of the fast force is multiplied by w */
static void leaks(void)
{
  const char *words = "of the fast force through", *remedy = "take kernel=kaiser";
  refused("inverted-pendulum(w=1e9)", "verlet(hmm(verlet, kernel=exp5, periods=40, even=1))", words, remedy);
  fine("inverted-pendulum(w=1e9)", "verlet(hmm(verlet, kernel=kaiser, even=1))");
  fine("inverted-pendulum(w=1e8)", "verlet(hmm(verlet, kernel=exp5, periods=40, even=1))");
  refused("inverted-pendulum(w=1e6)", "verlet(hmm(verlet, kernel=exp5, periods=10, even=1))", words, remedy);
  refused("inverted-pendulum(w=1e6)", "verlet(hmm(verlet, kernel=kaiser, periods=4))", words, "widen it");
  refused("inverted-pendulum(w=1e6)", "verlet(hmm(verlet, kernel=box, periods=1.5))", words, remedy);
  /* a period that is not that of the phase */
  refused("inverted-pendulum(w=1e6)", "verlet(hmm(verlet, kernel=box, period=1e-6))", words, remedy);
  fine("inverted-pendulum(w=1e6)", "verlet(hmm(verlet, kernel=box, steps=64, period=1.2566370614359173e-5))");
  /* the modes of stiff springs are not that of one spring: a box of its period passes them on */
  refused("stiff-springs", "rk4(hmm(verlet, kernel=box, start=current))", words, remedy);
  refused("stiff-springs", "rk4(hmm(verlet, kernel=box, periods=20, start=current))", words, remedy);
}

static void micro_flows(void)
{
  const char *fast = "inverted-pendulum(w=1e6)";
  refused(fast, "verlet(hmm(kick))", "moves time", "kick does not");
  refused(fast, "verlet(hmm(drift))", "drift moves a part of it", "use verlet");
  refused(fast, "verlet(hmm(euler-symplectic))", "by the fast frequency", "use verlet, rk4");
  refused(fast, "verlet(hmm(euler))", "by the fast frequency", "symmetric or of higher order");
  refused(fast, "verlet(hmm(leapfrog-predicted))", "leapfrog-predicted are predictions", "use verlet");
  refused(fast, "verlet(hmm(leapfrog-predicted, even=1))", "leapfrog-predicted are predictions", "use verlet");
  fine(fast, "verlet(hmm(tolerance(bs3, rtol=1e-9)))");
  fine(fast, "verlet(hmm(midpoint))");
}

static int pushed(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t;
  f[0] = -q[0] + s->phase.phase_rate*cos(theta);
  return 0;
}
static int air(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] -= 0.1*v[0];
  return 0;
}
static double pace(epi_system *s, double t) { (void)s; return 1e4*(1 + t); }
static int decay(epi_system *s, double t, const double *y, double *dy) { (void)s, (void)t; dy[0] = -y[0]; return 0; }
static int held(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -1e6*q[0]; return 0; }
static void turn(epi_system *s, const double *q, const double *dq, double *out) { (void)s; out[0] = q[0] + dq[0]; }

static void no_good(epi_system m, const char *flow, const char *words, const char *remedy)
{
  epi_flow *f = epi_make(flow, &m);
  if (!(check_has(epi_error(f), words) & check_has(epi_error(f), remedy))) printf("  %s\n", flow);
  epi_free(f);
}

static void systems(void)
{
  epi_system plain = {.nq = 1, .phase = {.forced = pushed, .phase_rate = 1e4}};
  epi_system damped = plain, chirp = plain, oneway = plain, mixed = plain, turns = plain;
  damped.velocity_force = air;
  chirp.phase.phase_rate_at = pace;
  oneway.traits.irreversible = 1;
  mixed.nz = 1;
  mixed.rate = decay;
  turns.manifold.retract = turn;
  no_good((epi_system){.nq = 1, .force = held, .phase.period = 1e-3}, "rk4(hmm(verlet, start=lift))", "this system has no phase",
          "start=current");
  no_good(damped, "verlet(hmm(verlet))", "would lose the velocity force", "give start=current");
  no_good(oneway, "verlet(hmm(rk4))", "runs the micro flow backward", "take even=1");
  no_good(chirp, "verlet(hmm(verlet, even=1))", "a changing pace is not", "leave even out");
  no_good(chirp, "rk4(hmm(verlet, phase=running, start=current))", "needs start=rest", "leave phase out");
  no_good(mixed, "rk4(hmm(rk4, start=current))", "first-order variables", "positions and velocities only");
  no_good(turns, "verlet(hmm(verlet, match=1))", "match of rotations", "no sum");
  no_good(plain, "verlet(hmm(verlet, start=current))", "verlet needs a force of position", "use rk4");
  no_good((epi_system){.nz = 1, .rate = decay, .phase.period = 1e-3}, "rk4(hmm(rk4))", "first-order variables", "positions and velocities");
  no_good(plain, "hmm(verlet)", "makes a system", "as in verlet(hmm(...))");
  epi_system still = {.nq = 1, .force = NULL};
  no_good(still, "verlet(hmm(verlet))", "needs a force", "use rk4");
  /* the half window goes one way only */
  epi_flow *f = epi_make("verlet(hmm(rk4, even=1))", &oneway);
  double y[] = {0.1, 0};
  epi_state s = {.y = y};
  check_count(epi_advance(f, &s, 0.01, 3), 0);
  epi_free(f);
}

/* one pendulum on a pivot that shakes, told in right and wrong ways; y starts at rest */
static int shaken(double by, const double *q, double *f) { f[0] = (9.81/0.2 + 20*1e4*by)*sin(q[0]); return 0; }
static int cosine(epi_system *s, double t, double theta, const double *q, double *f) { (void)s, (void)t; return shaken(cos(theta), q, f); }
static int sine(epi_system *s, double t, double theta, const double *q, double *f) { (void)s, (void)t; return shaken(sin(theta), q, f); }
static int half(epi_system *s, double t, double theta, const double *q, double *f) { (void)s, (void)t; return shaken(cos(theta/2), q, f); }
static int hidden(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)theta;
  return shaken(cos(1e4*t), q, f);
}
static int growing(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  return shaken((1 + 0.2*t)*cos(theta), q, f);
}

/* words: of the sentence that stops it at the first window, or NULL: it ends at q(1), to 2 % */
static void told(int (*forced)(epi_system *, double, double, const double *, double *), const char *flow, const char *words, double q)
{
  epi_system m = {.nq = 1, .phase = {.forced = forced, .phase_rate = 1e4}};
  epi_flow *f = epi_make(flow, &m);
  double y[] = {0.3, 0};
  epi_state s = {.y = y};
  int bad = epi_run(f, &s, 1, 0.01), ok;
  if (words) ok = check(bad < 0) & check_has(epi_error(f), words) & check(y[0] == 0.3 && s.t == 0);
  else ok = check_count(bad, 0) & check_rel(y[0], q, 0.02);
  if (!ok) printf("  %s\n", flow);
  epi_free(f);
}

/* what the windows take the phase for is asked of the forces at the first one */
static void phases(void)
{
  const char *box = "rk4(hmm(verlet, kernel=box, start=current))", *turn = "the period 2 pi in theta", *even = "not even about theta0";
  told(cosine, "verlet(hmm(verlet, kernel=box, even=1))", NULL, 0.2449);
  told(cosine, box, NULL, 0.2449);
  told(growing, "symmetric(verlet(hmm(symmetric(verlet), kernel=box)))", NULL, 0.1503);
  told(half, "verlet(hmm(verlet, kernel=box, even=1))", turn, 0);
  told(half, "verlet(hmm(verlet))", turn, 0);
  told(half, "rk4(hmm(verlet, start=current))", turn, 0);
  told(hidden, "verlet(hmm(verlet, kernel=box, even=1))", "from theta, and only slow time from t", 0);
  told(hidden, box, "from theta, and only slow time from t", 0);
  /* a smooth window from rest has the same force at every phase */
  told(hidden, "verlet(hmm(verlet))", NULL, 0.2449);
  told(sine, "verlet(hmm(verlet, kernel=box))", even, 0);
  told(sine, box, even, 0);
  told(sine, "rk4(hmm(verlet, kernel=box, periods=3, start=current))", even, 0);
}

/* from a moving start the other half of the window is no mirror image */
static void halves(void)
{
  const char *fast = "inverted-pendulum(w=1e6)", *words = "from a moving start it is none", *remedy = "leave even out";
  refused(fast, "rk4(hmm(verlet, even=1, start=current))", words, remedy);
  refused(fast, "rk4(hmm(verlet, even=1, start=lift))", words, remedy);
  refused(fast, "rk4(hmm(verlet, kernel=box, even=1, start=current))", words, remedy);
  refused(fast, "verlet(hmm(verlet, even=1, phase=running))", "at every phase", remedy);
  refused(fast, "verlet(hmm(verlet, kernel=box, phase=running))", "at every phase", "take kernel=kaiser");
  refused(fast, "project(verlet(hmm(verlet, even=1)))", "both halves of a window", remedy);
  fine(fast, "rk4(hmm(verlet, kernel=box, start=current))");
  fine(fast, "rk4(hmm(verlet, kernel=box, start=lift))");
}

static void projections(void)
{
  refused("inverted-pendulum", "project(rk4(strobe(substeps(rk4, 20))))", "has none inside", "as in project(rk4(hmm(");
  refused("inverted-pendulum", "project(verlet)", "has none inside", "as in project(rk4(hmm(verlet, start=current)))");
  refused("inverted-pendulum", "project(verlet(hmm(verlet)), every=-1)", "cannot be negative", "every and drift");
  refused("inverted-pendulum", "project(verlet(hmm(verlet)), drift=-1)", "cannot be negative", "every and drift");
}

static void at_the_step(void)
{
  const char *grew = "grew without bound", *wide = "not slow against half a window";
  stopped("stiff-springs", "rk4(hmm(verlet, start=current, steps=3))", grew, "give more steps a period");
  stopped("stiff-springs", "rk4(hmm(verlet, start=current, period=0.1))", grew, "the true fast period");
  fine("stiff-springs", "rk4(hmm(verlet, start=current, steps=6))");
  /* a window longer than the slow motion, which for this pendulum has a period of 0.5 */
  stopped("inverted-pendulum(w=100)", "verlet(hmm(verlet))", wide, "take fewer periods");
  stopped("inverted-pendulum(w=300)", "verlet(hmm(verlet, kernel=exp5))", wide, "take fewer periods");
  fine("inverted-pendulum(w=300)", "verlet(hmm(verlet))");
  fine("inverted-pendulum(w=300)", "verlet(hmm(verlet, kernel=box))");
  fine("stiff-springs(case=i, w2=200)", "rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current))");
  fine("stiff-springs(case=ii)", "rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current))");
}

int main(void)
{
  windows();
  leaks();
  micro_flows();
  systems();
  phases();
  halves();
  projections();
  at_the_step();
  return test_done();
}
