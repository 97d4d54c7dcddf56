/* holds: methods, wrappers, averages, kernels and objectives of a user have the powers of the library's own
 * own-records.c - methods, wrappers, averages, kernels and objectives of the user's, through the public headers alone: with options, text,
 * checkpoints, measured claims and refusals like the library's own; and a word of the user's is never hidden by one of the library's */
#include "test.h"
#include <epicycle/method.h>
#include <epicycle/term.h>

static int swing(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -sin(q[0]); return 0; }
static epi_system pendulum = {.nq = 1, .force = swing};

/* ---- a method: symplectic Euler with a factor on its drift; it claims what it is told ---- */
static int euler(epi_flow *f, epi_state *s, double h, long n)
{
  double *a = f->work, *count = f->keep;
  for (; n > 0; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    int bad = epi_accel(f, s->t, s->theta, s->y, a);
    if (bad) return bad;
    s->y[1] += h*a[0];
    s->y[0] += f->arg[0].number*h*s->y[1];
    if (++*count > 1e6) return epi_fail(f, EPI_WRONG, "mine: more than a million steps: take fewer");
    epi_set_clock(s, end);
    epi_moved(f, s);
  }
  return 0;
}
static void euler_build(epi_flow *f)
{
  epi_refuse(f, f->sys->nq != 1 || !epi_has_force(f->sys), "mine needs one coordinate and a force: use verlet");
  if (!epi_blocks(f, 1, 1)) f->go = euler;
}
static const epi_param factor[] = {{.name = "factor", .value = 1, .doc = "on the drift"}, {0}};
static const epi_record mine = {.name = "mine", .doc = "symplectic Euler", .example = "mine(model)", .abi = EPI_METHOD_ABI,
                                .arrow = EPI_METHOD,
  .least = 1, .most = 1, .params = factor, .order = 1, .claims = EPI_SYMPLECTIC | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK,
  .build = euler_build};

/* ---- a wrapper: as many flows as it is given, in turn, each by its part of the step ---- */
static int in_turn(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    for (int i = 0; i < f->nkid && !bad; i++) {
      if (i == f->nkid - 1) epi_land(s, end);
      bad = epi_go(f->kid[i], s, h/f->nkid, 1);
    }
  }
  return bad;
}
static void in_turn_build(epi_flow *f)
{
  f->claims = f->kid[0]->claims & (EPI_CLOCK | EPI_EXPLICIT | EPI_BACKWARD | EPI_SYMPLECTIC);
  if (!epi_blocks(f, 0, 0)) f->go = in_turn;
}
static const epi_record rounds = {.name = "rounds", .doc = "flows in turn", .example = "rounds(a, b)", .abi = EPI_METHOD_ABI,
  .arrow = EPI_WRAPPER, .least = 1, .most = 20, .build = in_turn_build};

/* ---- an average: the mean of the force over its phase ---- */
static int mean_force(epi_system *s, double t, const double *q, double *out)
{
  epi_flow *f = s->derived->inner;
  epi_system *m = f->kid[0]->sys;
  double n = f->arg[0].number, x;
  out[0] = 0;
  for (int k = 0; k < n; k++) {
    m->phase.forced(m, t, 2*3.14159265358979323846*k/n, q, &x);
    out[0] += x/n;
  }
  f->calls += (long)n;
  return 0;
}
static void mean_build(epi_flow *f)
{
  const epi_system *m = f->sys;
  epi_refuse(f, !m->phase.forced, "phase-mean needs a system with a fast phase: fill in forced");
  if (f->broken || epi_blocks(f, 0, 0)) return;
  epi_derived_system *d = f->derives = calloc(1, sizeof *d);
  if (epi_refuse(f, !d, "out of memory")) return;
  d->sys = (epi_system){.nq = m->nq, .force = mean_force, .mass = m->mass, .derived = d};
  d->record = f->record;
}
static const epi_param points[] = {{.name = "points", .value = 8, .kind = EPI_COUNT, .doc = "phases"}, {0}};
static const epi_record phase_mean = {.name = "phase-mean", .doc = "the mean over the phase", .example = "verlet(phase-mean(verlet))",
  .abi = EPI_METHOD_ABI, .arrow = EPI_AVERAGE, .least = 1, .most = 1, .params = points, .build = mean_build};

static int kicked(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -sin(q[0]) + 3*cos(theta)*q[0];
  return 0;
}
static epi_system vibrated = {.nq = 1, .phase = {.forced = kicked, .phase_rate = 1000}};

static epi_flow *make(const char *text)
{
  return epi_make_named(text, (epi_name[]){{.name = "mine", .record = &mine}, {.name = "rounds", .record = &rounds},
    {.name = "phase-mean", .record = &phase_mean}, {.name = "model", .system = &pendulum}, {.name = "fast", .system = &vibrated}, {0}});
}

static double end_of(const char *text)
{
  epi_flow *f = make(text);
  epi_state s = {.y = (double[]){1, 0}};
  if (epi_run(f, &s, 1, 1./64)) test_stop(epi_error(f));
  double q = s.y[0];
  epi_free(f);
  return q;
}

static void composed(void)
{
  double alike = end_of("euler-symplectic(first=kick)");
  check_abs(end_of("mine"), alike, 1e-15);
  check_abs(end_of("rounds(mine, mine)"), end_of("substeps(mine, 2)"), 1e-15);
  check_abs(end_of("rounds(mine, mine, mine, mine, mine, mine, mine, mine, mine, mine)"), end_of("substeps(mine, 10)"), 1e-14);
  /* the mean of the forcing is nothing: the slow motion is that of the pendulum alone, for any method */
  check_abs(end_of("rk4(phase-mean(verlet(fast), points=5))"), end_of("rk4"), 1e-13);
  check_abs(end_of("symmetric(verlet(phase-mean(verlet(fast))), order=4)"), end_of("symmetric(verlet, order=4)"), 1e-13);
  /* an event of its slow motion is found, though the average has no option `period` */
  check_abs(end_of("at(verlet(phase-mean(verlet(fast))), of=0)"), end_of("verlet"), 1e-13);
}

/* ---- steps of their own choice: the claim is of those that have a tolerance ---- */
static void adaptive(void)
{
  int n = 0;
  for (const epi_record *const *r = epi_records(); *r; r++) {
    const epi_param *p = (*r)->params;
    while (p && p->name && strcmp(p->name, "rtol")) p++;
    if (!((*r)->claims & EPI_ADAPTIVE)) continue;
    check(p && p->name);
    n++;
  }
  check_count(n, 5);
}

static void printed_and_saved(void)
{
  epi_flow *f = make("tolerance(rounds(mine(factor=1), mine), rtol=0.01)");
  char text[96];
  epi_text(f, text, sizeof text);
  check_text(text, "tolerance(rounds(mine(factor=1), mine), rtol=0.01)");
  epi_state a = {.y = (double[]){1, 0}}, b = {.y = (double[]){0, 0}};
  FILE *o = tmpfile();
  if (epi_run(f, &a, 1, 1) || epi_save(f, &a, o) || epi_run(f, &a, 2, 1)) test_stop(epi_error(f));
  epi_flow *g = make(text);
  rewind(o);
  if (epi_load(g, &b, o) || epi_run(g, &b, 2, 1)) test_stop(epi_error(g));
  check_bits(2, a.y, b.y);
  check_count(epi_calls(g), epi_calls(f));
  fclose(o);
  epi_free(f);
  epi_free(g);
}

/* counters of the second system and of slopes are saved too */
static int damped(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 50*v[0];
  return 0;
}
static epi_info root;
static void first_node(void *data, const epi_info *i) { (void)data; if (!i->depth) root = *i; }
static void counters_saved(void)
{
  epi_system stiff = {.nq = 1, .velocity_force = damped};
  epi_name names[] = {{.name = "model", .system = &pendulum}, {.name = "stiff", .system = &stiff}, {0}};
  epi_flow *f = epi_make_named("semi(model, stiff)", names), *g = epi_make_named("semi(model, stiff)", names);
  epi_state s = {.y = (double[]){1, 0}};
  FILE *o = tmpfile();
  if (epi_run(f, &s, 1, 0.125) || epi_save(f, &s, o)) test_stop(epi_error(f));
  rewind(o);
  if (epi_load(g, &s, o)) test_stop(epi_error(g));
  epi_walk(f, first_node, NULL);
  long others = root.others, slopes = root.slopes;
  epi_walk(g, first_node, NULL);
  check(others > 0 && slopes > 0);
  check_count(root.others, others);
  check_count(root.slopes, slopes);
  fclose(o);
  epi_free(f);
  epi_free(g);
}

/* ---- what an author forgets ---- */
static void careless_build(epi_flow *f)
{
  f->claims = f->kid[0]->claims;       /* also that it sums as it goes, which its loop does not */
  if (!epi_blocks(f, 0, 0)) f->go = in_turn;
}
static void no_go(epi_flow *f) { (void)f; }
static int stand_still(epi_flow *f, epi_state *s, double h, long n) { (void)f, (void)s, (void)h, (void)n; return 0; }
static void still_build(epi_flow *f) { f->go = stand_still; }
static double slow_end(const char *text, const epi_name *names)
{
  epi_flow *f = epi_make_named(text, names);
  epi_state s = {.y = (double[]){0.5, 0}};
  if (epi_run(f, &s, 1, 0.01)) test_stop(epi_error(f));
  double q = s.y[0];
  epi_free(f);
  return q;
}
static void forgotten(void)
{
  epi_record careless = rounds, idle = mine, still = mine;
  careless.name = "careless", careless.build = careless_build;
  idle.name = "idle", idle.build = no_go;
  still.name = "still", still.build = still_build;
  epi_name names[] = {{.name = "careless", .record = &careless}, {.name = "idle", .record = &idle}, {.name = "still", .record = &still},
    {.name = "model", .system = &vibrated}, {0}};
  check_abs(slow_end("verlet(hmm(careless(verlet, verlet), kernel=box, even=1))", names),
            slow_end("verlet(hmm(substeps(verlet, 2), kernel=box, even=1))", names), 1e-13);
  epi_flow *f = epi_make_named("substeps(idle, 2)", names);
  check_has(epi_error(f), "idle has no go");
  epi_free(f);
  f = epi_make_named("still", names);
  epi_state s = {.y = (double[]){0.5, 0}};
  check_count(epi_run(f, &s, 1, 0.01), EPI_WRONG);
  check_has(epi_error(f), "claims to move time and t = 0 stands still");
  epi_free(f);
}

static void measured(void)
{
  epi_flow *f = make("mine");
  epi_state s = {.y = (double[]){1, 0.3}};
  check_count(epi_measure(f, &s, 0.1, EPI_SYMPLECTIC).holds, 1);
  epi_measured order = epi_measure(f, &s, 0.1, 0);
  check_count(order.holds, 1);
  check_abs(order.value, 1, 0.1);
  epi_free(f);
  /* a false claim is found out */
  epi_record boast = mine;
  boast.name = "boast";
  boast.claims |= EPI_SYMMETRIC;
  boast.order = 2;
  f = epi_make_named("boast", (epi_name[]){{.name = "boast", .record = &boast}, {.name = "model", .system = &pendulum}, {0}});
  check_count(epi_measure(f, &s, 0.1, EPI_SYMMETRIC).holds, 0);
  check_count(epi_measure(f, &s, 0.1, 0).holds, 0);
  epi_free(f);
}

static void refused(const char *text, const epi_name *names, const char *words)
{
  epi_flow *f = epi_make_named(text, names);
  check_has(epi_error(f) ? epi_error(f) : "nothing", words);
  epi_free(f);
}

/* more options than anybody has names for */
enum { MANY = 300 };
static void refusals(void)
{
  static char word[MANY][20];
  static epi_param many[MANY + 1];
  for (int i = 0; i < MANY; i++) { snprintf(word[i], sizeof word[i], "option%d", i); many[i].name = word[i]; }
  epi_record bare = {.name = "bare", .abi = EPI_METHOD_ABI}, foreign = mine, broad = mine;
  foreign.name = "foreign";
  foreign.abi--;
  broad.name = "broad";
  broad.params = many;
  epi_name names[] = {{.name = "bare", .record = &bare}, {.name = "foreign", .record = &foreign}, {.name = "other", .record = &mine},
    {.name = "broad", .record = &broad}, {.name = "mine", .record = &mine}, {.name = "model", .system = &pendulum},
    {.name = "fast", .system = &vibrated}, {.name = "phase-mean", .record = &phase_mean}, {0}};
  refused("bare", names, "column 1: the record 'bare' is not whole");
  refused("substeps(foreign, 2)", names, "column 10: the record 'foreign' was not compiled for this Epicycle");
  refused("other", names, "given as 'other' is called 'mine'");
  refused("broad(optoin17=1)", names, "did you mean option17?");
  refused("broad(zzzzzzzzzzzz=1)", names, "broad has no option 'zzzzzzzzzzzz'");
  refused("mine(faktor=2)", names, "mine has no option 'faktor'; did you mean factor?");
  refused("minne", names, "there is no flow 'minne'; did you mean mine?");
  refused("phase-mean(verlet)", names, "makes a system, and a flow is needed");
  refused("rk4(phase-mean(verlet))", names, "phase-mean needs a system with a fast phase");
  refused("rk4(phase-mien(verlet))", names, "there is no system 'phase-mien'; did you mean phase-mean?");
  refused("tolerance(mine, rtol=-1)", names, "rtol");
  check_text(epi_name_now("damp"), "velocity-kick");
  check(!epi_name_now("verlet"));
  refused("leapfrog", names, "'leapfrog' is called leapfrog-predicted now");
  refused("strang(damp, kick)", names, "'damp' is called velocity-kick now");
}

/* ---- a word of the user's is never hidden ---- */
static double triangle(void *data, double x) { (void)data; return 1 - fabs(x); }
static double constant(void *data, double t, const double *y) { (void)t; (void)y; return *(const double *)data; }
static void not_hidden(void)
{
  epi_record verlet = mine;
  double level = 2;
  verlet.name = "verlet";
  epi_name names[] = {{.name = "verlet", .record = &verlet}, {.name = "box", .kernel = triangle},
                      {.name = "arc", .gap = constant, .data = &level},
    {.name = "model", .system = &pendulum}, {.name = "fast", .system = &vibrated}, {0}};
  epi_flow *f = epi_make_named("verlet", names), *g = make("mine");
  epi_state a = {.y = (double[]){1, 0}}, b = {.y = (double[]){1, 0}};
  if (epi_run(f, &a, 1, 1./64) || epi_run(g, &b, 1, 1./64)) test_stop("a run failed");
  check_bits(2, a.y, b.y);
  epi_free(f);
  epi_free(g);
  /* the triangle lets more through than the box, and is found out by that; the library's own box passes */
  f = epi_make_named("rk4(hmm(rk4(fast), kernel=box, periods=1, steps=40))", names);
  check_has(epi_error(f) ? epi_error(f) : "", "lets");
  epi_free(f);
  /* a constant objective makes equal steps: half as long as eps */
  f = epi_make_named("density(midpoint, objective=arc, eps=0.25)", names);
  epi_state s = {.y = (double[]){1, 0}};
  if (epi_run(f, &s, 2, 2)) test_stop(epi_error(f));
  epi_walk(f, first_node, NULL);
  check_abs(root.shortest, 0.125, 1e-12);
  check_abs(root.longest, 0.125, 1e-12);
  epi_free(f);
}

/* ---- texts as trees ---- */
static void trees(void)
{
  char why[200] = "", out[200];
  epi_term *t = epi_term_read(" tolerance( verlet ,rtol = 1e-6, weights=[1, 2*pi ,-.5]) ", why, sizeof why);
  if (!t) test_stop(why);
  check_abs(epi_term_option(t, "weights")->list[1], 6.283185307179586, 1e-15);
  check_count(epi_term_option(t, "weights")->n, 3);
  check_text(epi_term_inside(t)->name, "verlet");
  check_count(epi_term_give(t, "rtol", "1e-9"), 0);
  check_count(epi_term_give(t, "first", "pi/2"), 0);
  check_count(epi_term_wrap(epi_term_inside(t), "watch(_, see=look)"), 0);
  check_count(epi_term_wrap(t, "watch(_, see=row, every=0.1)"), 0);
  epi_term_text(t, out, sizeof out);
  check_text(out, "watch(tolerance(watch(verlet, see=look), rtol=1e-9, weights=[1, 2*pi ,-.5], first=pi/2), see=row, every=0.1)");
  check_count((long)epi_term_text(t, out, 7), 108);
  check_text(out, "watch(");
  check_text(epi_term_find(t, "watch")->key, "");
  check_text(epi_term_inside(epi_term_find(t, "tolerance"))->name, "watch");
  check_text(epi_term_find(t, "look")->key, "see");
  check(!epi_term_find(t, "rk4"));
  /* what cannot be done leaves all as it was */
  check_count(epi_term_wrap(t, "watch(nothing)"), -1);
  check_count(epi_term_replace(t, "a("), -1);
  check_count(epi_term_give(t, "every", "1 2"), -1);
  check_count((long)epi_term_text(t, out, sizeof out), 108);
  epi_term *c = epi_term_copy(t);
  check_count(epi_term_replace(t, "rk4"), 0);
  epi_term_text(t, out, sizeof out);
  check_text(out, "rk4");
  check_count((long)epi_term_text(c, out, sizeof out), 108);
  epi_term_free(c);
  epi_term_free(t);
  t = epi_term_read("kick", NULL, 0);
  check_count(epi_term_wrap(t, "strang(_, strang(drift, _))"), 0);
  epi_term_text(t, out, sizeof out);
  check_text(out, "strang(kick, strang(drift, kick))");
  check_count(epi_term_give(t, "", "3"), -1);
  epi_term *path = epi_term_read("./ring.modes", why, sizeof why);
  check(path != NULL);
  if (path) check_count(epi_term_give(path, "rtol", "1e-9"), -1);
  epi_term_free(path);
  check_count(epi_term_give(t, "a b", "3"), -1);
  check_count(epi_term_give(t, "3", "3"), -1);
  epi_term_free(t);
  check(!epi_term_read(NULL, why, sizeof why));
  check(!epi_term_read("(", NULL, 0));
  check_text(epi_shortest(5e-324).text, "5e-324");
  check_text(epi_shortest(0).text, "0");
  check(!epi_term_read("verlet)", why, sizeof why));
  check_has(why, "column 7: ')' is not expected here");
}

int main(void)
{
  composed();
  adaptive();
  printed_and_saved();
  counters_saved();
  forgotten();
  measured();
  refusals();
  not_hidden();
  trees();
  return test_done();
}
