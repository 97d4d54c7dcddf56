/* holds: a saved and loaded tree goes on with the same bits, and a damaged file costs only its tail
 * restart.c - save, load into a new tree, go on: the same bits; the bits do not depend on how steps are split over calls;
 * a damaged file costs only its tail */
#include "problems.h"
#include "test.h"

static int nothing(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; (void)x; return 0; }
static int bounce(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; x->y[2] = -0.9*x->y[2]; return 0; }

typedef struct { const char *text; int system; double h; } tree;
enum { PLAIN, DAMPED, PHASED, RATE, TOP, ROD, STILL, PLANAR };

static const tree trees[] = {
  {"verlet", PLAIN, 0.1}, {"verlet", DAMPED, 0.1}, {"verlet", PHASED, 0.01}, {"verlet", TOP, 0.02}, {"verlet", ROD, 0.02},
  {"rk4", RATE, 0.1}, {"dopri5", DAMPED, 0.1}, {"dopri5", PHASED, 0.01}, {"dop853", PLAIN, 0.1}, {"rk4", TOP, 0.05},
  {"symmetric(verlet, order=8)", PLAIN, 0.1}, {"symmetric(verlet, order=6, table=blanes-moan)", PLAIN, 0.1},
  {"symmetric(verlet, order=4)", DAMPED, 0.1},
  {"tolerance(dopri5, rtol=1e-07)", DAMPED, 0.3}, {"tolerance(dop853, rtol=1e-09)", PHASED, 0.3},
  {"tolerance(verlet, rtol=1e-05)", PLAIN, 0.1},
  {"tolerance(dopri5, rtol=0.001, controller=ode45)", DAMPED, 2}, {"tolerance(symmetric(verlet), rtol=1e-06)", ROD, 0.1},
  {"gauss(stages=3)", DAMPED, 0.2}, {"midpoint", TOP, 0.05}, {"lobatto(stages=3)", PLAIN, 0.1}, {"extrapolated", RATE, 0.1},
  {"strang(velocity-kick, symmetric(strang(kick, drift)))", DAMPED, 0.1}, {"compose(euler, adjoint(euler), weights=[0.5, 0.5])", RATE, 0.1},
  {"at(verlet, of=0, level=0.05, hit=bounce)", PLAIN, 0.1}, {"at(tolerance(dopri5), of=1, direction=up)", DAMPED, 0.3},
  {"watch(verlet, see=nothing, every=0.23)", PLAIN, 0.1}, {"tolerance(watch(dopri5, see=nothing, every=0.1), rtol=1e-06)", DAMPED, 0.3},
  {"rk4(hmm(verlet, steps=16, match=1))", PHASED, 0.1},
  {"verlet(hmm(verlet, steps=16))", PHASED, 0.1}, {"rk4(hmm(dopri5, steps=16, start=current))", PHASED, 0.1},
  {"tolerance(dopri5(hmm(verlet, start=current)), rtol=1e-05)", PHASED, 0.3},
  {"leapfrog-predicted(hmm(verlet, steps=16, start=current))", PHASED, 0.1},
  {"project(rk4(hmm(verlet, start=current)), every=0.35)", PHASED, 0.1},
  {"tolerance(project(dopri5(hmm(verlet, start=current)), drift=0.01), rtol=1e-05)", PHASED, 0.2},
  {"at(verlet, of=0, level=0.1)", PLAIN, 0.05}, {"at(dopri5, of=0, level=0.1)", PHASED, 0.05},
  {"at(tolerance(dopri5), of=1)", PHASED, 0.05},
  {"at(substeps(verlet, n=3), of=0)", PHASED, 0.05}, {"watch(substeps(verlet, n=3), see=nothing, every=0.07)", PHASED, 0.05},
  {"watch(tolerance(verlet), see=nothing, every=0.07)", PHASED, 0.05}, {"at(tolerance(verlet), of=1)", PLAIN, 0.05},
  {"density(verlet)", PLAIN, 0.1}, {"density(verlet, eps=0.3)", PHASED, 0.05},
  {"density(symmetric(verlet), objective=arc, floor=1)", ROD, 0.02},
  {"density(watch(verlet, see=nothing, every=0.07), eps=0.01)", PLAIN, 0.1},
  {"at(density(verlet, eps=0.03), of=0, level=0.05, hit=bounce)", PLAIN, 0.1},
  {"density(strang(kick, nambu), eps=0.1)", TOP, 0.05}, {"strang(kick, nambu(split=MT))", TOP, 0.05}, {"variational", DAMPED, 0.1},
  {"scaled(symmetric(verlet), eps=0.05)", STILL, 0.07}, {"scaled(verlet, eps=0.3)", STILL, 0.07},
  {"scaled(symmetric(strang(drift, kick)), eps=0.3)", PLANAR, 0.07}, {"scaled(verlet, eps=0.3, power=0.5)", STILL, 0.07},
  {"twin(eps=0.05, order=4)", STILL, 0.1},
  {"variational(eps=0.05, scaling=potential)", STILL, 0.1}, {"watch(scaled(verlet, eps=0.05), see=nothing, every=0.03)", STILL, 0.1},
  {"dense(density(verlet, eps=0.2))", PLAIN, 0.1}, {"density(verlet(hmm(verlet, steps=16)), floor=1)", PHASED, 0.1},
  {"dense(dopri5)", PLAIN, 0.1}, {"substeps(dense(verlet), n=3)", DAMPED, 0.1},
  {"semi(model, other)", DAMPED, 0.1}, {"semi(model, other, beta=0.6, ahead=1)", DAMPED, 0.1},
  {"semi(model, other, beta=0.5)", PHASED, 0.01}, {"semi(model, other)", ROD, 0.02},
  {"semi(model, other, ahead=1)", TOP, 0.02}, {"semi(model, other, tol=0.001)", DAMPED, 0.3}, {"semi(model, other, sigma=0.1)", ROD, 0.1},
  {"semi(model, other, ahead=1, tol=0.01)", TOP, 0.3},
  {"at(semi(model, other), of=0, level=0.05, hit=bounce)", PLAIN, 0.1},
  {"watch(semi(model, other, tol=0.01), see=nothing, every=0.07)", PLAIN, 0.2},
  {"nam", PLAIN, 0.1}, {"nam(k=3)", DAMPED, 0.1}, {"nam", PHASED, 0.01}, {"nam(k=3)", TOP, 0.02}, {"nam(tol=0.001)", DAMPED, 0.3},
  {"nam(k=3, tol=0.001, length=0.1)", TOP, 0.1}, {"nam(model, other)", DAMPED, 0.1}, {"nam(model, other, k=3, tol=0.001)", TOP, 0.1},
  {"at(nam, of=0, level=0.05, hit=bounce)", PLAIN, 0.1}, {"at(nam(model, other, tol=0.001), of=0, level=0.05, hit=bounce)", PLAIN, 0.1},
  {"watch(nam(model, other, tol=0.001), see=nothing, every=0.07)", PLAIN, 0.2}, {"tolerance(nam, rtol=0.0001)", DAMPED, 0.1},
  {"dense(nam)", DAMPED, 0.1}, {"substeps(nam(k=3), n=3)", DAMPED, 0.1},
  {"symmetric(semi(model, other, beta=0.5))", PLAIN, 0.1}, {"tolerance(semi(model, other), rtol=0.001)", DAMPED, 0.1},
};
enum { TREES = sizeof trees/sizeof *trees };

static epi_system systems[] = {
  {.nq = 2, .force = shaken_force},
  {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag},
  {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 40}},
  {.nz = 2, .rate = volterra},
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .manifold = {.retract = top_turn, .retract_rate = top_slew},
   .mass = top_inertia},
  {.nq = 2, .nc = 1, .force = weight, .constraint = rod},
  {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .objective = henon_objective, .log_force = henon_log_force}},
  {.nq = 2, .force = henon_force,
   .energies = {.potential = henon_potential, .log_force = henon_log_force, .log_planar = henon_log_planar}},
};

/* something stiffer beside each, for methods of two systems */
static int stiff_straight(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  double x = 50*(q[0] + q[1] - 0.2) + 3*(v[0] + v[1]);
  f[0] -= x;
  f[1] -= x;
  return 0;
}
static int stiff_turn(epi_system *s, double t, const double *q, const double *w, double *f)
{
  (void)s; (void)t;
  double e[3];
  top_up(q, e);
  f[0] -= 30*e[2]*e[1] + w[0];
  f[1] += 30*e[2]*e[0] - w[1];
  return 0;
}
static epi_system straight = {.nq = 2, .velocity_force = stiff_straight},
  turned = {.nq = 4, .nv = 3, .velocity_force = stiff_turn, .manifold.retract = top_turn, .mass = top_inertia};

static epi_state start(int system, double *y, double *impulse)
{
  memset(y, 0, 13*sizeof *y);
  if (system == TOP) top_start(y);
  else if (system == ROD) memcpy(y, (double[]){sin(0.5), -cos(0.5), 0, 0}, 4*sizeof *y);
  else memcpy(y, system == RATE ? volterra_start : henon_start, (system == RATE ? 2 : 4)*sizeof *y);
  impulse[0] = 0;
  return (epi_state){.y = y, .impulse = system == ROD ? impulse : NULL};
}

static epi_flow *make_of(const tree *t, epi_system *model)
{
  epi_name names[] = {{.name = "model", .system = model}, {.name = "other", .system = t->system == TOP ? &turned : &straight},
                      {.name = "nothing", .see = nothing}, {.name = "bounce", .see = bounce}, {0}};
  return epi_make_named(t->text, names);
}

static epi_flow *make(const tree *t) { return make_of(t, &systems[t->system]); }

static void same_bits(const tree *t)
{
  double a[13], b[13], c[13], ia, ib, ic;
  epi_state sa = start(t->system, a, &ia), sb = start(t->system, b, &ib), sc = start(t->system, c, &ic);
  epi_flow *f = make(t), *g = make(t), *k = make(t);
  FILE *o = tmpfile();
  check_count(epi_advance(f, &sa, t->h, 40), 0);
  check_count(epi_advance(g, &sb, t->h, 7) | epi_advance(g, &sb, t->h, 13), 0);
  check_count(epi_save(g, &sb, o), 0);
  rewind(o);
  sc.t = 99;
  check_count(epi_load(k, &sc, o), 0);
  check_count(epi_advance(k, &sc, t->h, 19) | epi_advance(k, &sc, t->h, 1), 0);
  int ok = check_bits(epi_size(&systems[t->system]), c, a) & check_bits(1, &sc.t, &sa.t) & check_bits(1, &sc.theta, &sa.theta);
  if (t->system == ROD) ok &= check_bits(1, &ic, &ia);
  if (!ok) printf("  %s\n", t->text);
  char one[256], two[256];
  epi_text(k, one, sizeof one);
  snprintf(two, sizeof two, "%s", t->text);
  check_text(one, two);
  fclose(o);
  epi_free(f);
  epi_free(g);
  epi_free(k);
}

/* a watch stops a span of tolerance in its middle; going on reaches the same bits */
static int stop_at(void *data, const epi_system *s, epi_state *x) { (void)s; return x->t > *(double *)data; }

static void stopped_span(void)
{
  double a[4], b[4], c[4], never = 1e9, soon = 1.3;
  const char *text = "tolerance(watch(dopri5, see=stop), rtol=1e-08)";
  memcpy(a, henon_start, sizeof a);
  memcpy(b, henon_start, sizeof b);
  epi_state sa = {.t = 0.1, .y = a}, sb = {.t = 0.1, .y = b}, sc = {.y = c};
  epi_name names[] = {{.name = "model", .system = &systems[DAMPED]}, {.name = "stop", .see = stop_at, .data = &never}, {0}};
  epi_flow *f = epi_make_named(text, names);
  names[1].data = &soon;
  epi_flow *g = epi_make_named(text, names);
  names[1].data = &never;
  epi_flow *k = epi_make_named(text, names);
  FILE *o = tmpfile();
  check_count(epi_run(f, &sa, 10, 10), 0);
  check_count(epi_run(g, &sb, 10, 10), EPI_STOPPED);
  check_between(sb.t, 1.3, 3);
  check_count(epi_save(g, &sb, o), 0);
  rewind(o);
  check_count(epi_load(k, &sc, o), 0);
  check_count(epi_run(k, &sc, 10, 10), 0);
  check_bits(4, c, a);
  check_abs(sc.t, 10, 0);
  check_count(epi_calls(k), epi_calls(f) + 1);
  fclose(o);
  epi_free(f);
  epi_free(g);
  epi_free(k);
}

/* ---- epi_stop, anywhere ----
 * the system asks its own flow to stop at an evaluation of choice, in the middle of whatever is under way */
typedef struct { epi_system sys; epi_system *of; epi_flow *flow; long calls, at, every; } hooked;

static void count(epi_system *s)
{
  hooked *k = (hooked *)s;
  if (++k->calls != k->at || !k->flow) return;
  /* a step that is undone each time must get to its end at last */
  k->every += k->every/2 + 1;
  k->at += k->every;
  epi_stop(k->flow);
}
static int hooked_force(epi_system *s, double t, const double *q, double *f) { count(s); return ((hooked *)s)->of->force(s, t, q, f); }
static int hooked_forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  count(s);
  return ((hooked *)s)->of->phase.forced(s, t, theta, q, f);
}
static int hooked_rate(epi_system *s, double t, const double *y, double *dy) { count(s); return ((hooked *)s)->of->rate(s, t, y, dy); }

static hooked hook(int system)
{
  hooked k = {.sys = systems[system], .of = &systems[system]};
  if (k.sys.force) k.sys.force = hooked_force;
  if (k.sys.phase.forced) k.sys.phase.forced = hooked_forced;
  if (k.sys.rate) k.sys.rate = hooked_rate;
  k.sys.energies.log_planar = NULL;
  k.sys.energies.log_force = NULL;
  return k;
}

static void add_chosen(void *n, const epi_info *i) { *(long *)n += i->chosen; }

/* to t = 40 h, stopped again and again; every second time the rest is done by another flow, from a checkpoint. How often */
static int stopped_run(const tree *t, long every, double h, double *y, double *impulse, double *time, long *chosen)
{
  hooked k = hook(t->system);
  epi_state s = start(t->system, y, impulse);
  epi_flow *f = make_of(t, &k.sys);
  int code, stops = 0;
  k.flow = f;
  k.every = k.at = every;
  while ((code = epi_run(f, &s, 40*t->h, h)) == EPI_STOPPED && stops < 1000) {
    if (!check(!epi_error(f))) printf("  %s: %s\n", t->text, epi_error(f));
    if (++stops % 2) continue;
    FILE *o = tmpfile();
    epi_flow *g = make_of(t, &k.sys);
    check_count(epi_save(f, &s, o), 0);
    rewind(o);
    check_count(epi_load(g, &s, o), 0);
    fclose(o);
    epi_free(f);
    k.flow = f = g;
  }
  if (!check_count(code, 0)) printf("  %s: %s after %d stops\n", t->text, epi_error(f), stops);
  *time = s.t;
  *chosen = 0;
  epi_walk(f, add_chosen, chosen);
  epi_free(f);
  return stops;
}

static int stopped_anywhere(const tree *t)
{
  double a[13], b[13], ia, ib, ta, tb;
  long ca, cb;
  int n = 0;
  /* by steps, and all of the way in one where the flow chooses its steps */
  for (int whole = 0; whole < 2; whole++) {
    double h = whole ? 40*t->h : t->h;
    if (whole && strncmp(t->text, "tolerance", 9)) break;
    hooked k = hook(t->system);
    epi_state s = start(t->system, a, &ia);
    epi_flow *f = make_of(t, &k.sys);
    check_count(epi_run(f, &s, 40*t->h, h), 0);
    ta = s.t;
    ca = 0;
    epi_walk(f, add_chosen, &ca);
    epi_free(f);
    for (int part = 2; part < 30; part += 9) {
      int stops = stopped_run(t, k.calls/part + 1, h, b, &ib, &tb, &cb);
      n += stops;
      int same = check_count(cb, ca) & check_bits(epi_size(&k.sys), b, a) & check_bits(1, &tb, &ta);
      if (t->system == ROD) same &= check_bits(1, &ib, &ia);
      if (!same) printf("  %s in steps of %g, stopped %d times\n", t->text, h, stops);
    }
  }
  return n;
}

static void stopped_anywhere_all(void)
{
  int n = 0, without = 0;
  for (int i = 0; i < TREES; i++) {
    int stops = stopped_anywhere(&trees[i]);
    n += stops;
    without += !stops;
  }
  printf("%d stops, %d of %d trees without one\n", n, without, (int)TREES);
  check_above(n, 10*TREES);
  /* no flow is there yet, or none is under way: the next run hears it */
  double y[4], z[4];
  memcpy(y, henon_start, sizeof y);
  memcpy(z, henon_start, sizeof z);
  epi_state s = {.y = y};
  epi_flow *f = epi_make("verlet", &systems[PLAIN]), *broken = epi_make("verlet(", &systems[PLAIN]);
  epi_stop(f);
  check_count(epi_advance(f, &s, 0.1, 10), EPI_STOPPED);
  check_bits(4, y, z);
  check_count(epi_advance(f, &s, 0.1, 10), 0);
  epi_stop(broken);
  check_count(epi_advance(broken, &s, 0.1, 10), EPI_WRONG);
  epi_free(f);
  epi_free(broken);
}

/* inside the last step, also after a restart */
static void dense_restart(void)
{
  double a[4], b[4], c[4], ya[4], yb[4];
  for (int i = 0; i < 2; i++) {
    const char *text = i ? "dense(symmetric(verlet))" : "dense(dopri5)";
    memcpy(a, henon_start, sizeof a);
    epi_state s = {.y = a}, r = {.y = b};
    epi_flow *f = epi_make(text, &systems[PLAIN]), *g = epi_make(text, &systems[PLAIN]);
    FILE *o = tmpfile();
    check_count(epi_advance(f, &s, 0.1, 10), 0);
    check_count(epi_save(f, &s, o), 0);
    rewind(o);
    check_count(epi_load(g, &r, o), 0);
    check_count(epi_between(f, 0.95, ya), 0);
    check_count(epi_between(g, 0.95, yb), 0);
    check_bits(4, yb, ya);
    memcpy(c, henon_start, sizeof c);
    epi_state x = {.y = c};
    epi_flow *e = epi_make("dop853", &systems[PLAIN]);
    epi_advance(e, &x, 0.05, 19);
    check_array(4, ya, c, i ? 1e-5 : 1e-7);
    fclose(o);
    epi_free(e);
    epi_free(f);
    epi_free(g);
  }
}

/* two frames; whatever happens to the second, the first is found; a foreign file is refused in words */
static void damage(void)
{
  double y[4], z[4], first[4];
  memcpy(y, henon_start, sizeof y);
  epi_state s = {.y = y}, r = {.y = z};
  epi_flow *f = epi_make("tolerance(dopri5)", &systems[DAMPED]), *other = epi_make("rk4", &systems[DAMPED]);
  FILE *o = tmpfile(), *broken;
  epi_advance(f, &s, 0.2, 3);
  epi_save(f, &s, o);
  long one = ftell(o);
  memcpy(first, y, sizeof first);
  epi_advance(f, &s, 0.2, 3);
  epi_save(f, &s, o);
  long two = ftell(o);
  char *bytes = malloc((size_t)two);
  rewind(o);
  check_count((long long)fread(bytes, 1, (size_t)two, o), two);
  for (long cut = one; cut < two; cut += cut < two - 40 ? 13 : 1) {
    broken = tmpfile();
    fwrite(bytes, 1, (size_t)cut, broken);
    rewind(broken);
    if (!check_count(epi_load(f, &r, broken), 0)) printf("  cut at %ld of %ld\n", cut, two);
    check_bits(4, z, first);
    fclose(broken);
  }
  for (long flip = one; flip < two; flip += 7) {
    bytes[flip] ^= 0x10;
    broken = tmpfile();
    fwrite(bytes, 1, (size_t)two, broken);
    rewind(broken);
    check_count(epi_load(f, &r, broken), 0);
    check_bits(4, z, first);
    bytes[flip] ^= 0x10;
    fclose(broken);
  }
  rewind(o);
  check_count(epi_load(other, &r, o), EPI_WRONG);
  check_has(epi_error(other), "another flow, tolerance(dopri5)");
  check_count(epi_load(f, &r, NULL), EPI_WRONG);
  check_has(epi_error(f), "no file to load from");
  check_count(epi_save(f, &s, NULL), EPI_WRONG);
  check_has(epi_error(f), "no file to save to");
  rewind(o);
  check_count(epi_load(f, &r, o), 0);
  check(!epi_error(f));
  broken = tmpfile();
  check_count(epi_load(f, &r, broken), EPI_WRONG);
  check_has(epi_error(f), "no whole checkpoint");
  fputs("this is a letter, not a checkpoint", broken);
  rewind(broken);
  check_count(epi_load(f, &r, broken), EPI_WRONG);
  fclose(broken);
  fclose(o);
  free(bytes);
  epi_free(f);
  epi_free(other);
}

int main(void)
{
  for (int i = 0; i < TREES; i++) same_bits(&trees[i]);
  stopped_span();
  stopped_anywhere_all();
  dense_restart();
  damage();
  printf("%d trees\n", (int)TREES);
  return test_done();
}
