/* holds: methods have their orders on constraints, stay on the manifold, and refuse wrong starts
 * constraint.c - holonomic constraints: orders on the manifold, energy, symplecticity, chains of many rods, starts, refusals
 * label: long   cost: 30 */
#include "core.h"
#include "test.h"
#include <time.h>

static epi_case *make(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

static void advance(epi_flow *f, epi_state *s, double h, long n)
{
  if (epi_advance(f, s, h, n)) test_stop(epi_error(f));
}

static double observe(const epi_case *c, const epi_state *s, const char *name)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(c, s) : NAN;
}

/* ---- orders ---- */
static void orders(void)
{
  static const struct { const char *flow; double order; int first; } FLOWS[] = {
    {"verlet", 2, 400}, {"strang(kick, drift)", 2, 400}, {"herk3", 3, 200}, {"herk4", 4, 100}, {"symmetric(verlet, order=4)", 4, 60},
    {"symmetric(verlet, order=6)", 6, 12}, {"symmetric(verlet, order=8)", 8, 5}, {"rk4", 4, 40}, {"dopri5", 5, 20}, {"dop853", 8, 4},
  };
  epi_case *c = make("rod-chain(n=3)");
  double truth[12];
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  advance(f, &s, 0.3/2000, 2000);
  memcpy(truth, s.y, sizeof truth);
  epi_free(f);
  for (size_t i = 0; i < sizeof FLOWS/sizeof *FLOWS; i++) {
    double h[3], e[3] = {0};
    for (int k = 0; k < 3; k++) {
      int n = FLOWS[i].first << k;
      s = epi_case_state(c);
      f = epi_case_flow(c, FLOWS[i].flow);
      h[k] = 0.3/n;
      advance(f, &s, h[k], n);
      for (int j = 0; j < 12; j++) e[k] = fmax(e[k], fabs(s.y[j] - truth[j]));
      check_below(observe(c, &s, "g"), 1e-15);
      check_below(observe(c, &s, "Gv"), 1e-14);
      epi_free(f);
    }
    printf("%s: errors %.2g %.2g %.2g\n", FLOWS[i].flow, e[0], e[1], e[2]);
    check_order(3, h, e, FLOWS[i].order, FLOWS[i].order > 6 ? 0.8 : 0.35);
  }
  epi_case_free(c);
}

/* a step that is chosen stays on the rods too */
static void chosen_steps(void)
{
  epi_case *c = make("rod-chain(n=3)");
  double y[2][12];
  for (int k = 0; k < 2; k++) {
    epi_flow *f = epi_case_flow(c, k ? "tolerance(symmetric(verlet, order=6), rtol=1e-9)" : "symmetric(verlet, order=8)");
    epi_state s = epi_case_state(c);
    if (epi_run(f, &s, 0.3, k ? 0.01 : 0.3/1000)) test_stop(epi_error(f));
    memcpy(y[k], s.y, sizeof y[k]);
    check_below(observe(c, &s, "g"), 1e-15);
    epi_free(f);
  }
  check_array(12, y[1], y[0], 1e-6);
  epi_case_free(c);
}

/* ---- long runs ---- */
/* the mean and the largest energy error of each tenth of n steps: bounded by the method, without a trend */
static double trend(const char *text, const char *flow, double h, long n, double most)
{
  epi_case *c = make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double E = observe(c, &s, "energy"), mean[10] = {0}, worst[10] = {0}, g = 0, Gv = 0;
  for (int k = 0; k < 10; k++) {
    for (long i = 0; i < n/100; i++) {
      advance(f, &s, h, 10);
      double e = observe(c, &s, "energy") - E;
      mean[k] += e/(double)(n/100);
      worst[k] = fmax(worst[k], fabs(e));
      g = fmax(g, observe(c, &s, "g"));
      Gv = fmax(Gv, observe(c, &s, "Gv"));
    }
  }
  printf("%s by %s, %ld steps of %g: energy off by %.2g in the first tenth, %.2g in the last; means %.2g, %.2g; g %.1g, Gv %.1g\n", text,
         flow, n, h,
         worst[0], worst[9], mean[0], mean[9], g, Gv);
  for (int k = 0; k < 10; k++) check_below(worst[k], most);
  check_below(g, 1e-14);
  check_below(Gv, 1e-13);
  epi_free(f);
  epi_case_free(c);
  double early = 0, late = 0;
  for (int k = 0; k < 5; k++) { early += mean[k]/5; late += mean[k + 5]/5; }
  return fabs(late - early);
}

/* the chain is chaotic and snaps now and then: its energy error is noise, and the noise has no direction; that of herk3 has one */
static void no_drift(void)
{
  check_below(trend("rod-chain(n=10)", "verlet", 2e-4, 100000, 2e-3), 3e-5);
  check_above(trend("rod-chain(n=10)", "herk3", 2e-4, 100000, 1), 3e-4);
  check_below(trend("rod-chain(n=2)", "verlet", 1e-3, 1000000, 1e-3), 5e-6);
  check_above(trend("rod-chain(n=2)", "herk3", 1e-3, 1000000, 10), 5e-5);
}

/* ---- symplectic on the manifold ---- */
/* rod-chain(2): angles from upright and their momenta p = M(q) q' */
enum { D = 4 };
static const double L = 0.5, M = 0.5;

static void to_rods(const double *x, double *y)
{
  double c = cos(x[0] - x[1]), a = 2*M*L*L, b = M*L*L, k = M*L*L*c, d = a*b - k*k;
  double r[2] = {(b*x[2] - k*x[3])/d, (a*x[3] - k*x[2])/d};
  for (int i = 0; i < 2; i++) {
    double q[2] = {L*sin(x[i]), L*cos(x[i])}, v[2] = {L*r[i]*cos(x[i]), -L*r[i]*sin(x[i])};
    for (int j = 0; j < 2; j++) {
      y[2*i + j] = q[j] + (i ? y[j] : 0);
      y[4 + 2*i + j] = v[j] + (i ? y[4 + j] : 0);
    }
  }
}

static void from_rods(const double *y, double *x)
{
  double r[2];
  for (int i = 0; i < 2; i++) {
    double qx = y[2*i] - (i ? y[0] : 0), qy = y[2*i + 1] - (i ? y[1] : 0), vx = y[4 + 2*i] - (i ? y[4] : 0),
      vy = y[5 + 2*i] - (i ? y[5] : 0);
    x[i] = atan2(qx, qy);
    r[i] = (vx*qy - vy*qx)/(L*L);
  }
  double c = cos(x[0] - x[1]);
  x[2] = M*L*L*(2*r[0] + c*r[1]);
  x[3] = M*L*L*(c*r[0] + r[1]);
}

/* the largest entry of A^T J A - J, A the derivative of 20 steps in (q, p), by central differences of fourth order */
static double twist(epi_case *c, const char *flow)
{
  static const double at[] = {0.7, 1.9, 0.03, -0.05};
  static const double shift[] = {-2, -1, 1, 2}, weight[] = {1./12, -2./3, 2./3, -1./12};
  const double d = 2e-3;
  double A[D][D] = {{0}}, worst = 0;
  for (int j = 0; j < D; j++)
    for (int k = 0; k < 4; k++) {
      double x[D], y[2*D];
      memcpy(x, at, sizeof x);
      x[j] += shift[k]*d;
      to_rods(x, y);
      epi_flow *f = epi_case_flow(c, flow);
      epi_state s = {.y = y};
      advance(f, &s, 0.02, 20);
      epi_free(f);
      from_rods(y, x);
      for (int i = 0; i < D; i++) A[i][j] += weight[k]*x[i]/d;
    }
  for (int i = 0; i < D; i++)
    for (int j = 0; j < D; j++) {
      double w = 0;
      for (int k = 0; k < 2; k++) w += A[k][i]*A[k + 2][j] - A[k + 2][i]*A[k][j];
      worst = fmax(worst, fabs(w - (j == i + 2) + (i == j + 2)));
    }
  return worst;
}

static void symplectic(void)
{
  epi_case *c = make("rod-chain(n=2)");
  double rattle = twist(c, "verlet"), fourth = twist(c, "symmetric(verlet, order=4)"), half = twist(c, "herk3");
  printf("A'JA - J: verlet %.1g, symmetric(verlet) %.1g, herk3 %.1g\n", rattle, fourth, half);
  check_below(rattle, 1e-7);
  check_below(fourth, 1e-7);
  check_above(half, 1e-5);
  epi_case_free(c);
}

/* ---- many rods ---- */
/* a rod-chain whose constraints are counted, and whose rods and masses may be numbered in any order */
typedef struct { epi_case *c; long calls; int n, *mass, *rod; double *q, *g, *G; } mixed;

static int mixed_force(epi_system *s, double t, const double *q, double *f)
{
  const mixed *x = s->data;
  return x->c->system.force(&x->c->system, t, q, f);
}

static int mixed_constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  mixed *x = s->data;
  epi_system *m = &x->c->system;
  x->calls++;
  for (int i = 0; i < x->n; i++) memcpy(x->q + 2*i, q + 2*x->mass[i], 2*sizeof *q);
  int bad = m->constraint(m, t, x->q, x->g, x->G, gt);
  for (int r = 0; r < x->n; r++) {
    int from = m->constraints.rowptr[r], to = s->constraints.rowptr[x->rod[r]];
    g[x->rod[r]] = x->g[r];
    memcpy(G + to, x->G + from, (size_t)(m->constraints.rowptr[r + 1] - from)*sizeof *G);
  }
  return bad;
}

static void *room(size_t n, size_t size)
{
  void *p = calloc(n, size);
  if (!p) test_stop("out of memory");
  return p;
}

/* a walk through all numbers 0 .. n - 1, step by step; step 1: as they stand */
static int *walk(int n, int step)
{
  int *p = room((size_t)n, sizeof *p);
  for (int i = 0; i < n; i++) p[i] = (int)((long)i*step % n);
  return p;
}

typedef struct { double seconds, calls; long G, A; double last; } cost;

/* the pattern of the chain in the new numbers */
static void renumber(const mixed *x, int *starts, int *touches)
{
  const epi_system *m = &x->c->system;
  int *back = room((size_t)x->n, sizeof *back);
  for (int r = 0; r < x->n; r++) back[x->rod[r]] = r;
  for (int c = 0; c < x->n; c++) {
    int r = back[c];
    starts[c + 1] = starts[c];
    for (int k = m->constraints.rowptr[r]; k < m->constraints.rowptr[r + 1];
         k++) touches[starts[c + 1]++] = 2*x->mass[m->constraints.cols[k]/2] + m->constraints.cols[k] % 2;
  }
  free(back);
}

static cost chain(int n, int step, long steps)
{
  char text[32];
  snprintf(text, sizeof text, "rod-chain(n=%d)", n);
  double *q = room(12*(size_t)n, sizeof *q), *y = q + 7*n;
  int *starts = room(5*(size_t)n + 1, sizeof *starts), *touches = starts + n + 1;
  mixed x = {.c = make(text), .n = n, .mass = walk(n, step), .rod = walk(n, step), .q = q, .g = q + 2*n, .G = q + 3*n};
  renumber(&x, starts, touches);
  epi_system sys = {.nq = 2*n, .nc = n, .force = mixed_force, .constraint = mixed_constraint, .mass = x.c->system.mass,
                    .constraints = {.rowptr = starts, .cols = touches}, .data = &x};
  for (int i = 0; i < n; i++) memcpy(y + 2*x.mass[i], x.c->y + 2*i, 2*sizeof *y);
  epi_flow *f = epi_make("verlet", &sys);
  epi_state s = {.y = y};
  clock_t start = clock();
  advance(f, &s, x.c->step/10, steps);
  cost out = {.seconds = (double)(clock() - start)/CLOCKS_PER_SEC/(double)steps, .calls = (double)x.calls/(double)steps,
              .G = epi_G_size(f->space), .A = epi_A_size(f->space) - epi_redundant_room(f->space), .last = y[2*x.mass[n - 1] + 1]};
  epi_free(f);
  epi_case_free(x.c);
  void *blocks[] = {x.mass, x.rod, q, starts};
  for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) free(blocks[i]);
  return out;
}

/* entries of G and of the band are what a step works through: both grow as n, however the rods are numbered */
static void many_rods(void)
{
  cost a = chain(200, 1, 2000), b = chain(800, 1, 500), c = chain(200, 77, 500), d = chain(200, 1, 500);
  printf("rod-chain: %.3g us a step with 200 rods, %.3g with 800: %.2f times; %.2f and %.2f evaluations of g a step\n", 1e6*a.seconds,
         1e6*b.seconds,
         b.seconds/a.seconds, a.calls, b.calls);
  check_count(a.G, 4*200 - 2);
  check_count(b.G, 4*800 - 2);
  /* half width 1: three diagonals, a right side, the first diagonal kept */
  check_count(a.A, 5*200);
  check_count(b.A, 5*800);
  check_count(c.A, 5*200);
  check_below(b.calls, 1.5*a.calls);
  check_rel(c.last, d.last, 1e-11);
}

/* the band and the dense matrix of a short chain give the same motion */
static int dense_constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  epi_system *m = s->data;
  double rows[64];
  int bad = m->constraint(m, t, q, g, rows, gt);
  memset(G, 0, (size_t)(m->nc*m->nq)*sizeof *G);
  for (int c = 0; c < m->nc; c++)
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) G[c*m->nq + m->constraints.cols[k]] = rows[k];
  return bad;
}
static int dense_force(epi_system *s, double t, const double *q, double *f) { epi_system *m = s->data; return m->force(m, t, q, f); }

static void band_is_dense(void)
{
  static const char *const FLOWS[] = {"verlet", "herk3", "symmetric(verlet, order=4)", "strang(kick, drift)"};
  epi_case *c = make("rod-chain");
  const epi_system *m = &c->system;
  epi_system sys = {.nq = m->nq, .nc = m->nc, .force = dense_force, .constraint = dense_constraint, .mass = m->mass, .data = &c->system};
  for (size_t i = 0; i < sizeof FLOWS/sizeof *FLOWS; i++) {
    double y[40];
    epi_flow *f = epi_case_flow(c, FLOWS[i]), *g = epi_make(FLOWS[i], &sys);
    epi_state s = epi_case_state(c), r = {.y = y};
    memcpy(y, s.y, sizeof y);
    advance(f, &s, 1e-3, 200);
    advance(g, &r, 1e-3, 200);
    check_array(40, s.y, y, 1e-11);
    epi_free(f);
    epi_free(g);
  }
  epi_case_free(c);
}

/* ---- every macro x average x micro that is allowed ---- */
/* ten rods on a pivot that vibrates, held up at a slant */
static const double SHAKEN = 1e5;
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t, (void)q;
  const epi_system *m = s->data;
  for (int i = 0; i < m->nq; i++) f[i] = i % 2 ? -m->mass[i]*(9.81 + 0.5*SHAKEN*cos(theta)) : 0;
  return 0;
}

static void shaken_start(double *y)
{
  double x = 0, z = 0;
  for (int i = 0; i < 10; i++) {
    double a = 0.3 + 0.02*i*i;
    y[2*i] = x += 0.1*sin(a);
    y[2*i + 1] = z += 0.1*cos(a);
  }
}

typedef struct { int ran, refused; double worst, first[40]; } tally;

static const char *const MACROS[] = {"herk4(%s)", "verlet(%s)", "herk3(%s)", "symmetric(verlet(%s), order=4)", "leapfrog-predicted(%s)",
                                     "rk4(%s)", NULL};
static const char *const AVERAGES[] = {"strobe(%s, order=4)", "strobe(%s, order=2)", "strobe(%s, order=1)",
                                       "hmm(%s, kernel=box, even=1, steps=96)", "hmm(%s, leak=1e-7, steps=48)", NULL};
/* hmm takes its own small steps, strobe one a period */
static const struct { const char *flow; int steps; } MICROS[] = {
  {"symmetric(verlet, order=8)", 24}, {"verlet", 48}, {"herk3", 48}, {"herk4", 24}, {"strang(kick, drift)", 48}, {"rk4", 48},
  {"dopri5", 48},
  {NULL, 0}
};

static void compose(char *flow, size_t size, const char *macro, const char *average, int micro)
{
  char inner[96], outer[160];
  const char *name = MICROS[micro].flow;
  if (average[0] == 's') snprintf(inner, sizeof inner, "substeps(%s, %d)", name, MICROS[micro].steps);
  else snprintf(inner, sizeof inner, "%s", name);
  snprintf(outer, sizeof outer, average, inner);
  snprintf(flow, size, macro, outer);
}

/* all runs of one averaged motion end together: they differ by their orders and by O(1/w) from the first of them */
static void one_of(tally *t, epi_system *sys, const double *start, double end, int steps, const char *flow)
{
  double y[40], far = 0;
  epi_flow *f = epi_make(flow, sys);
  epi_state s = {.y = memcpy(y, start, (size_t)epi_size(sys)*sizeof *y)};
  if (epi_error(f)) { t->refused++; check_has(epi_error(f), "use "); }
  else if (epi_run(f, &s, end, end/steps)) printf("%s: %s\n", flow, epi_error(f)), check(!"it runs to the end");
  else {
    if (!t->ran++) memcpy(t->first, y, sizeof y);
    for (int k = 0; k < sys->nq; k++) far = fmax(far, fabs(y[k] - t->first[k]));
    if (!(far <= t->worst)) { t->worst = far; printf("%s: %.2g\n", flow, far); }
  }
  epi_free(f);
}

static tally cross(epi_system *sys, const double *start, double end, int steps)
{
  tally t = {0};
  for (int m = 0; MACROS[m]; m++)
    for (int a = 0; AVERAGES[a]; a++)
      for (int i = 0; MICROS[i].flow; i++) {
        char flow[240];
        compose(flow, sizeof flow, MACROS[m], AVERAGES[a], i);
        one_of(&t, sys, start, end, steps, flow);
      }
  return t;
}

static void crossed(void)
{
  epi_case *c = make("double-pendulum(w=1e5)"), *d = make("rod-chain");
  const epi_system *m = &d->system;
  epi_system ten = {.nq = 20, .nc = 10, .phase = {.forced = shaken, .phase_rate = SHAKEN}, .constraint = dense_constraint,
                    .mass = m->mass, .data = &d->system};
  double y[40] = {0};
  shaken_start(y);
  tally a = cross(&c->system, c->y, 0.05, 20), b = cross(&ten, y, 0.03, 5);
  printf("double pendulum: %d compositions run, %d refused, %.2g apart; ten rods: %d, %d, %.2g\n", a.ran, a.refused, a.worst, b.ran,
         b.refused, b.worst);
  /* the two herk with five averages of seven micros, the two verlet and rk4 with the two averages that make a force */
  check_count(a.ran, 112);
  check_count(b.ran, 112);
  check_below(a.worst, 1e-3);
  check_below(b.worst, 2e-4);
  epi_case_free(c);
  epi_case_free(d);
}

/* ---- what is refused, and what cures it ---- */
static int weight(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t, (void)q; f[0] = 0; f[1] = -9.8; return 0; }

/* a rod, and the same rod again twice as long on paper */
static int rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s, (void)t, (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 1;
  G[0] = 2*q[0];
  G[1] = 2*q[1];
  return 0;
}

/* one step from y by a flow: what it says, copied */
static int one_step(epi_system *sys, const char *flow, double *y, double h, char *words, size_t size)
{
  epi_flow *f = epi_make(flow, sys);
  epi_state s = {.y = y};
  int bad = epi_advance(f, &s, h, 1);
  snprintf(words, size, "%s", epi_error(f) ? epi_error(f) : "");
  epi_free(f);
  return bad;
}

static void starts_that_miss(void)
{
  epi_system sys = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
  char words[320];
  double off[] = {0.6, -0.81, 0, 0}, leaving[] = {0.6, -0.8, 0.6, -0.7};
  check(one_step(&sys, "verlet", off, 0.01, words, sizeof words) < 0);
  /* |g|/|G| = 0.0161/2.016 */
  check_has(words, "the start misses constraint 0 by a distance of 0.008");
  check_has(words, "epi_settle");
  check_bits(4, off, ((double[]){0.6, -0.81, 0, 0}));
  check(one_step(&sys, "symmetric(herk3)", leaving, 0.01, words, sizeof words) < 0);
  check(one_step(&sys, "herk3", leaving, 0.01, words, sizeof words) < 0);
  check_has(words, "the start leaves constraint 0 with a speed of 0.92");
  check_has(words, "epi_settle");
  double *const starts[] = {off, leaving};
  for (int i = 0; i < 2; i++) {
    double *y = starts[i], was[2] = {y[2], y[3]};
    epi_flow *f = epi_make("verlet", &sys);
    epi_state s = {.y = y};
    check_count(epi_settle(f, &s), 0);
    check_abs(y[0]*y[0] + y[1]*y[1], 1, 1e-15);
    check_abs(y[0]*y[2] + y[1]*y[3], 0, 1e-15);
    /* the shortest way: positions along the rod, velocities keep what lies across it */
    check_abs(y[1]/y[0], i ? -0.8/0.6 : -0.81/0.6, 1e-14);
    check_abs(y[0]*y[3] - y[1]*y[2], y[0]*was[1] - y[1]*was[0], 1e-15);
    check_count(epi_advance(f, &s, 0.01, 10), 0);
    epi_free(f);
  }
}

/* too fast for its rods: positions cannot be met in one long step, and a shorter one does */
static void too_long(void)
{
  epi_system sys = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
  char words[320];
  double y[] = {1, 0, 0, 5};
  check(one_step(&sys, "verlet", y, 0.5, words, sizeof words) > 0);
  check_has(words, "constraint 0 ");
  check_has(words, "take a smaller one");
  check_bits(4, y, ((double[]){1, 0, 0, 5}));
  epi_flow *f = epi_make("tolerance(verlet, rtol=1e-6)", &sys);
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, 0.5, 0.5), 0);
  check_abs(y[0]*y[0] + y[1]*y[1], 1, 1e-15);
  epi_free(f);
}

static void wrong_pattern(void)
{
  static const int starts[] = {0, 2}, touches[] = {0, 2};
  epi_system sys = {.nq = 2, .nc = 1, .force = weight, .constraint = rod, .constraints = {.rowptr = starts, .cols = touches}};
  epi_flow *f = epi_make("verlet", &sys);
  check_has(epi_error(f), "cols lie in 0 .. 1");
  epi_free(f);
}

int main(void)
{
  orders();
  chosen_steps();
  if (!TEST_CHECKED) no_drift();
  symplectic();
  many_rods();
  band_is_dense();
  crossed();
  starts_that_miss();
  too_long();
  wrong_pattern();
  return test_done();
}
