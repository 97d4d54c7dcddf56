/* holds: a stop is obeyed within a bounded number of evaluations at every depth of nesting
 * stops.c - the wish to stop is heard inside of every loop, however deep flows are nested: after epi_stop the force is asked a bounded
   number of times more, and the state is that of the last whole step
   label: long */
#include "problems.h"
#include "test.h"

enum { BEFORE = 40000, AFTER = 6000, FOREVER = 3000000 };
static struct { long calls, after; epi_flow *flow; } ask;

/* told from inside of the force, as a signal would */
static int count(void)
{
  if (++ask.calls == BEFORE) epi_stop(ask.flow);
  if (ask.calls > BEFORE) ask.after++;
  /* who never hears is ended, and shows by the number */
  return ask.calls > FOREVER ? -1 : 0;
}
static int force(epi_system *s, double t, const double *q, double *f) { shaken_force(s, t, q, f); return count(); }
static int forced(epi_system *s, double t, double theta, const double *q, double *f) { phased_force(s, t, theta, q, f); return count(); }
static int rate(epi_system *s, double t, const double *y, double *dy) { volterra(s, t, y, dy); return count(); }
static int pull(epi_system *s, double t, const double *q, double *f) { weight(s, t, q, f); return count(); }
static int slow(void *data, const epi_system *m, epi_state *s) { (void)data, (void)m, (void)s; count(); return 0; }

static epi_system plain = {.nq = 2, .force = force, .phase.period = 0.01,
                           .energies = {.potential = henon_potential, .objective = henon_objective}};
static epi_system drag = {.nq = 2, .force = force, .velocity_force = quadratic_drag};
static epi_system vibrated = {.nq = 2, .phase = {.forced = forced, .phase_rate = 600}};
static epi_system eaten = {.nz = 2, .rate = rate};
static epi_system held = {.nq = 2, .nc = 1, .force = pull, .constraint = rod};

static void stops(const char *text, epi_system *m, double h)
{
  double y[4], start[4];
  memcpy(y, m == &eaten ? volterra_start : henon_start, m == &eaten ? sizeof volterra_start : sizeof y);
  if (m == &held) memcpy(y, (double[]){1, 0, 0, 0.3}, sizeof y);
  memcpy(start, y, sizeof y);
  epi_state s = {.y = y};
  ask.flow = epi_make_named(text, (epi_name[]){{.name = "model", .system = m}, {.name = "slow", .see = slow}, {0}});
  ask.calls = ask.after = 0;
  const char *why = epi_error(ask.flow);
  if (why && strstr(why, "not in this build")) { epi_free(ask.flow); return; }
  int code = why ? EPI_WRONG : epi_advance(ask.flow, &s, h, 1000000000);
  printf("%6ld after  %s%s%s\n", ask.after, text, why ? ": " : "", why ? why : "");
  if (!check_count(code, EPI_STOPPED) | !check(ask.calls >= BEFORE) | !check_below((double)ask.after, AFTER) | !check(isfinite(s.t + y[0])))
    printf("  %s: %s\n", text, epi_error(ask.flow) ? epi_error(ask.flow) : "");
  /* a step that was not ended has not moved anything */
  if (s.t == 0) check_bits(epi_size(m), y, start);
  epi_free(ask.flow);
}

/* what would never end is refused */
static void ends(const char *text, epi_system *m, double h, const char *words)
{
  double y[4];
  memcpy(y, henon_start, sizeof y);
  epi_state s = {.y = y};
  ask.flow = epi_make_named(text, (epi_name[]){{.name = "model", .system = m}, {.name = "slow", .see = slow}, {0}});
  ask.calls = FOREVER/2;
  check(epi_advance(ask.flow, &s, h, 1) < 0);
  check_has(epi_error(ask.flow), words);
  check_bits(4, y, henon_start);
  epi_free(ask.flow);
}

/* text around text, so many times */
static void nested(const char *around, const char *inner, int depth, epi_system *m, double h)
{
  char text[4000], more[4200];
  const char *hole = strchr(around, '_');
  snprintf(text, sizeof text, "%s", inner);
  for (int i = 0; i < depth; i++) {
    snprintf(more, sizeof more, "%.*s%s%s", (int)(hole - around), around, text, hole + 1);
    snprintf(text, sizeof text, "%.3999s", more);
  }
  stops(text, m, h);
}

int main(void)
{
  for (int depth = 1; depth <= 6; depth++) {
    nested("substeps(_, 1000)", "verlet", depth, &plain, 1e-3);
    nested("substeps(_, 200)", "verlet", depth, &plain, 1e-3);
    nested("substeps(_, 20)", "rk4", depth, &drag, 1e-3);
    nested("substeps(_, 200)", "gauss", depth, &plain, 1e-3);
    nested("substeps(_, 200)", "verlet", depth, &held, 1e-3);
    nested("substeps(_, 200)", "dopri5", depth, &eaten, 1e-3);
    nested("symmetric(_, order=8)", "verlet", depth, &plain, 1e-3);
    nested("symmetric(substeps(_, 30), order=6)", "verlet", depth, &plain, 1e-3);
    nested("adjoint(substeps(_, 100))", "euler", depth < 3 ? depth : 3, &plain, 1e-3);
    nested("symmetric(_, order=8)", "strang(drift, kick)", depth, &plain, 1e-3);
    nested("symmetric(_)", "strang(velocity-kick, strang(kick, drift))", depth, &drag, 1e-3);
    nested("watch(substeps(_, 100), every=1e-5)", "verlet", depth, &plain, 1e-3);
    nested("dense(substeps(_, 100))", "verlet", depth, &plain, 1e-3);
    nested("at(_, of=0, level=-5)", "substeps(substeps(substeps(verlet, 100), 100), 100)", 1, &plain, 1e-3);
  }
  for (int depth = 1; depth <= 3; depth++) {
    nested("tolerance(_, rtol=1e-13)", "verlet", depth, &plain, 1);
    nested("tolerance(substeps(_, 300), rtol=1e-13)", "rk4", depth, &plain, 1);
  }
  nested("at(tolerance(_, rtol=1e-12), of=0)", "substeps(substeps(verlet, 50), 50)", 1, &plain, 1);
  nested("watch(at(substeps(symmetric(_, order=8), 30), of=1), every=0.001)", "verlet", 1, &plain, 0.01);
  nested("watch(at(substeps(symmetric(_, order=8), 30), of=1), every=0.001)", "substeps(substeps(verlet, 9), 9)", 1, &plain, 0.01);
  nested("rk4(hmm(_, start=current, steps=8))", "substeps(verlet, 300)", 1, &plain, 0.1);
  nested("rk4(hmm(_, start=current, steps=8))", "substeps(substeps(verlet, 200), 200)", 1, &plain, 0.1);
  nested("project(rk4(hmm(_, start=current, steps=8)))", "substeps(verlet, 200)", 1, &plain, 0.1);
  nested("watch(project(rk4(hmm(substeps(_, 200), start=current, steps=8))), every=0.01)", "substeps(verlet, 200)", 1, &plain, 0.1);
  nested("rk4(strobe(_, order=4))", "substeps(substeps(verlet, 100), 200)", 1, &vibrated, 0.1);
  nested("tolerance(rk4(strobe(_, order=4)), rtol=1e-12)", "substeps(verlet, 1000)", 1, &vibrated, 0.1);
  nested("substeps(rk4(strobe(_, order=8)), 50)", "substeps(verlet, 200)", 1, &plain, 0.1);
  nested("rk4(hmm(_, start=current, steps=8, period=1))", "rk4(hmm(substeps(verlet, 100), start=current, steps=8))", 1, &plain, 0.1);
  nested("rk4(strobe(_, order=4, period=1))", "substeps(rk4(hmm(substeps(verlet, 100), start=current, steps=8)), 8)", 1, &plain, 0.1);
  stops("density(substeps(verlet, 200), eps=1e-4)", &plain, 1);
  stops("density(substeps(substeps(verlet, 200), 200), eps=1e-4)", &plain, 1);
  stops("scaled(verlet, eps=1e-6)", &plain, 1);
  stops("substeps(density(substeps(verlet, 100), eps=1e-3), 100)", &plain, 1);
  stops("variational", &plain, 1e-6);
  stops("substeps(substeps(variational, 200), 200)", &plain, 1e-3);
  stops("substeps(lobatto(stages=3), 200)", &held, 1e-3);
  stops("substeps(substeps(herk4, 200), 200)", &held, 1e-3);
  stops("cvode(rtol=1e-12, atol=1e-12, steps=1000000000)", &eaten, 1e6);
  stops("arkode(rtol=1e-14, atol=1e-14, steps=1000000000)", &plain, 1e6);
  stops("watch(verlet, see=slow, every=1e-6)", &plain, 1);
  stops("compose(substeps(substeps(verlet, 100), 100), substeps(substeps(verlet, 100), 100), weights=[0.5, 0.5])", &plain, 1e-3);
  ends("watch(verlet, every=1e-20)", &plain, 1, "give a longer every than 1e-20");
  ends("watch(verlet, see=slow, every=1e-300)", &plain, 1, "give a longer every than 1e-300");
  ends("watch(substeps(verlet, 3), see=slow, every=1e-14)", &plain, 1, "give a longer every than 1e-14");
  ends("watch(dopri5, see=slow, every=1e-20)", &plain, -1, "give a longer every than 1e-20");
  return test_done();
}
