/* holds: eliminating leaf constraints first is as exact as the full normal matrix, for trees of any shape
 * leaf.c - constraints that hold what nothing else holds are taken out first: as exact as the full normal matrix, for trees of any shape
 * and mass, and where that cannot be done by the band; what bodies that are welded together carry */
#include "core.h"
#include "test.h"
#include "epicycle/body.h"

enum { BODIES = 40, MOST = 6*BODIES, SIX = 6 };
typedef struct { int n, nc, rowptr[MOST + 1], cols[12*MOST]; double G[12*MOST], W[12*MOST], mass[MOST]; } problem;

static double draw(unsigned *seed)
{
  *seed = *seed*1664525u + 1013904223u;
  return (double)(*seed >> 8)/(1 << 24) - 0.5;
}

/* `rows` constraints between two bodies, b = -1: the ground */
static void join(problem *p, unsigned *seed, int a, int b, int rows)
{
  for (int r = 0; r < rows; r++) {
    int at = p->rowptr[p->nc];
    for (int k = 0; k < (b < 0 ? SIX : 2*SIX); k++, at++) {
      p->cols[at] = SIX*(k < SIX ? a : b) + k % SIX;
      p->G[at] = draw(seed) + (k % SIX == r);
      p->W[at] = p->G[at]/p->mass[p->cols[at]];
    }
    p->rowptr[++p->nc] = at;
  }
}

static void begin(problem *p, unsigned *seed, int bodies, double spread)
{
  memset(p, 0, sizeof *p);
  p->n = SIX*bodies;
  for (int i = 0; i < p->n; i++) p->mass[i] = i % SIX ? p->mass[i-1]*(1 + 0.3*draw(seed)) : pow(spread, 2*draw(seed));
}

static epi_system system_of(const problem *p) { return (epi_system){.nq = p->n, .nc = p->nc,
                                                                    .constraints = {.rowptr = p->rowptr, .cols = p->cols}}; }

/* what the solution x of the full system s A x = b leaves, relative to what rounding of its terms would: the backward error; and that the
   same factors give the same again */
static double off_by(const problem *p, const epi_pattern *b, double s, unsigned *seed)
{
  int n = p->nc;
  size_t size = (size_t)n*sizeof(double);
  double *x = malloc(size), *r = malloc(size), *again = malloc(size);
  double *d = calloc((size_t)p->n, sizeof *d), *big = calloc((size_t)p->n, sizeof *d);
  double *room = malloc((size_t)epi_pattern_room(b)*sizeof *room), worst = 0;
  for (int i = 0; i < n; i++) r[i] = x[i] = again[i] = draw(seed);
  check_count(epi_pattern_solve(b, s, p->G, p->W, room, x), 0);
  epi_pattern_again(b, s, room, again);
  check_bits(n, again, x);
  for (int i = 0; i < n; i++)
    for (int k = p->rowptr[i]; k < p->rowptr[i+1]; k++) { d[p->cols[k]] += s*p->W[k]*x[i]; big[p->cols[k]] += fabs(s*p->W[k]*x[i]); }
  for (int i = 0; i < n; i++) {
    double terms = fabs(r[i]);
    for (int k = p->rowptr[i]; k < p->rowptr[i+1]; k++) { r[i] -= p->G[k]*d[p->cols[k]]; terms += fabs(p->G[k])*big[p->cols[k]]; }
    worst = fmax(worst, fabs(r[i])/terms);
  }
  free(x); free(r); free(again); free(d); free(big); free(room);
  return worst;
}

static epi_pattern *pattern_of(const problem *p)
{
  epi_system m = system_of(p);
  epi_pattern *b = epi_pattern_make(&m);
  if (!b) test_stop("out of memory");
  return b;
}

/* ---- trees ---- */
/* body i hangs on one of those before it; by what it takes beside a band as wide as the tree makes it */
static void trees(void)
{
  static problem p;
  unsigned seed = 7;
  double worst = 0;
  for (int trial = 0; trial < 200; trial++) {
    int bodies = 2 + trial % (BODIES - 2), near = trial % 3 ? bodies : 4;
    double spread = trial % 5 ? 3 : 100;
    begin(&p, &seed, bodies, spread);
    for (int i = trial % 2; i < bodies; i++) {
      int on = i ? (int)((draw(&seed) + 0.5)*(i < near ? i : near)) : -1;
      join(&p, &seed, i, on, 1 + (int)((draw(&seed) + 0.5)*5.99));
    }
    epi_pattern *b = pattern_of(&p);
    worst = fmax(worst, off_by(&p, b, trial % 4 ? 1 : 0.37, &seed));
    epi_pattern_free(b);
  }
  printf("200 trees: %.1e\n", worst);
  check_below(worst, 1e-12);
}

/* feet on a hub cost what the feet do: twice the feet twice as much, where the full matrix would take eight times that */
static void stars(void)
{
  static problem p;
  unsigned seed = 3;
  double cost[2];
  for (int k = 0; k < 2; k++) {
    begin(&p, &seed, 1 + (10 << k), 3);
    for (int i = 1; i <= 10 << k; i++) join(&p, &seed, i, 0, 6);
    epi_pattern *b = pattern_of(&p);
    cost[k] = epi_pattern_cost(b);
    check_below(off_by(&p, b, 1, &seed), 1e-11);
    epi_pattern_free(b);
  }
  printf("a hub with 10 and 20 feet: %.3g and %.3g products, a full matrix %.3g and %.3g\n", cost[0], cost[1], pow(60, 3), pow(120, 3));
  check_below(cost[1]/cost[0], 2.1);
  check_below(cost[1], pow(120, 3)/20);
}

/* feet far heavier or lighter than their hub; a closed loop among the rows that are left; one foot on two hubs */
static void masses_and_loops(void)
{
  static problem p;
  unsigned seed = 11;
  for (int power = -6; power <= 6; power++) {
    begin(&p, &seed, 9, 1);
    for (int i = SIX; i < p.n; i++) p.mass[i] *= pow(10, power);
    for (int i = 1; i < 9; i++) join(&p, &seed, i, 0, 6);
    epi_pattern *b = pattern_of(&p);
    double off = off_by(&p, b, 1, &seed);
    printf("feet of 1e%d times the mass of their hub: off by %.1e\n", power, off);
    check_below(off, 1e-12);
    epi_pattern_free(b);
  }
  begin(&p, &seed, 20, 3);
  for (int i = 0; i < 4; i++) join(&p, &seed, i, (i + 1) % 4, 3);
  for (int i = 4; i < 19; i++) join(&p, &seed, i, i % 4, 5);
  join(&p, &seed, 19, 0, 2);
  join(&p, &seed, 19, 1, 2);
  epi_pattern *b = pattern_of(&p);
  check_below(off_by(&p, b, 1, &seed), 1e-11);
  epi_pattern_free(b);
}

/* rows of a foot that follow from one another are no leaf, and are said as before */
static void dependent(void)
{
  static problem p;
  unsigned seed = 5;
  begin(&p, &seed, 5, 1);
  for (int i = 1; i < 5; i++) join(&p, &seed, i, 0, 6);
  for (int k = 0; k < 12; k++) {
    int from = p.rowptr[6], to = p.rowptr[9];
    p.G[to + k] = 2*p.G[from + k];
    p.W[to + k] = 2*p.W[from + k];
  }
  epi_pattern *b = pattern_of(&p);
  double *room = malloc((size_t)epi_pattern_room(b)*sizeof *room), x[MOST];
  for (int i = 0; i < p.nc; i++) x[i] = 1;
  int which = epi_pattern_solve(b, 1, p.G, p.W, room, x);
  check(which == 7 || which == 10);
  int weak = -1;
  check(epi_pattern_weakest(b, p.G, p.W, room, &weak) >= 1e-11);
  free(room);
  epi_pattern_free(b);
}

/* ---- bodies ---- */
/* a plate with four feet that spins about its axis, and falls: a foot is held with m w^2 r towards the axis, and its own moment and weight
   ask for nothing */
enum { FEET = 4 };
static const double w = 3, r = 0.25, m = 0.2;

static int table(epi_case *c)
{
  epi_world *x = epi_world_make();
  epi_add_gravity(x, (double[]){0, 0, -9.81});
  int plate = epi_add_body(x, &(epi_body){.name = "plate", .mass = 1, .inertia = {0.1, 0.1, 0.15}, .spin = {0, 0, w}});
  for (int i = 0; i < FEET; i++) {
    double a = 2*EPI_PI*i/FEET, at[3] = {r*cos(a), r*sin(a), -0.4};
    epi_body foot = {.name = "foot", .mass = m, .inertia = {0.01, 0.02, 0.015}, .velocity = {-w*at[1], w*at[0], 0}, .spin = {0, 0, w}};
    epi_joint weld = {.a = 1 + i, .b = plate, .hold = EPI_ALL, .as = EPI_CONSTRAINT};
    memcpy(foot.at, at, sizeof at);
    memcpy(weld.at_b, at, sizeof at);
    epi_add_body(x, &foot);
    epi_add_joint(x, &weld);
  }
  return epi_case_world(c, x);
}

static void spinning_table(void)
{
  static const epi_model model = {.name = "table", .make = table, .flow = "verlet", .step = 1e-3, .end = 1};
  static const char *const flows[] = {"verlet", "dop853", "tolerance(dop853, rtol=1e-10, atol=1e-10)"};
  epi_case *c = epi_case_of(&model, NULL);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  for (int k = 0; k < 3; k++) {
    epi_flow *f = epi_case_flow(c, flows[k]);
    epi_state s = epi_case_state(c);
    if (epi_run(f, &s, 1, 1e-3)) test_stop(epi_error(f));
    check_abs(s.y[2], -9.81/2, 1e-9);
    for (int i = 0; i < FEET; i++) {
      epi_pose p = epi_world_pose(c->world, &s, 1 + i);
      double a = 2*EPI_PI*i/FEET + w, force[3], moment[3];
      check_abs(p.r[0], r*cos(a), k == 0 ? 1e-5 : 1e-8);
      check_abs(p.r[1], r*sin(a), k == 0 ? 1e-5 : 1e-8);
      check_abs(hypot(p.r[0], p.r[1]), r, 1e-13);
      check_count(epi_case_joint_load(c, &s, i, EPI_GROUND, force, moment), 0);
      for (int n = 0; n < 2; n++) check_abs(force[n], -m*w*w*p.r[n], 1e-10);
      check_abs(force[2], 0, 1e-10);
      for (int n = 0; n < 3; n++) check_abs(moment[n], 0, 1e-10);
    }
    epi_free(f);
  }
  epi_case_free(c);
}

int main(void)
{
  trees();
  stars();
  masses_and_loops();
  dependent();
  spinning_table();
  return test_done();
}
