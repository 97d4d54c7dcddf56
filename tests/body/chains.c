/* holds: a sparse constraint Jacobian gives the dense solution, and the work of a chain grows linearly with its length
 * chains.c - many bodies by joints: the sparse pattern against a dense G, what a chain of a thousand hinges keeps, and that what a step
 * needs grows as the chain does: entries, widths and room are counted, not timed */
#include "cases.h"
#include "../bench/chains.h"
#include "body/parts.h"

/* ---- the pattern against a dense G ---- */
static int dense_constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  epi_system *m = epi_world_system(s->data);
  int nG = m->constraints.rowptr[m->nc];
  double *rows = malloc((size_t)nG*sizeof *rows);
  if (!rows) test_stop("out of memory");
  int bad = m->constraint(m, t, q, g, rows, gt);
  memset(G, 0, (size_t)(m->nc*m->nv)*sizeof *G);
  for (int c = 0; c < m->nc; c++) for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1];
                                       k++) G[c*m->nv + m->constraints.cols[k]] = rows[k];
  free(rows);
  return bad;
}

/* after some steps; the chain falls, and its ends move by some parts in a hundred */
static void ends(chain_kind k, const char *flow, int dense, double *y)
{
  epi_world *w = chain_make(k);
  epi_name names[4];
  memcpy(names, epi_world_names(w), sizeof names);
  epi_system own[3] = {*names[0].system, *names[1].system, *names[2].system};
  for (int i = 0; i < 3 && dense; i++) {
    own[i].constraints.rowptr = own[i].constraints.cols = own[i].jacobian.slope_rowptr = own[i].jacobian.slope_cols = NULL;
    own[i].jacobian.slope_rows = NULL;
    if (own[i].nc) own[i].constraint = dense_constraint;
    names[i].system = &own[i];
  }
  epi_flow *f = epi_make_named(flow, names);
  epi_state s = epi_world_state(w);
  run(f, &s, 0.05, 1e-3);
  memcpy(y, s.y, (size_t)epi_size(&own[0])*sizeof *y);
  epi_free(f);
  epi_world_free(w);
}

static void against_dense(void)
{
  static const char *const flows[] = {"verlet", "semi(model.contacts, model.stiff)", "tolerance(verlet, rtol=1e-7)",
                                      "symmetric(verlet, order=4)"};
  enum { N = 8, DIM = 13*N };
  double worst = 0, moved = 0;
  for (int kind = 0; kind < 4; kind++)
    for (int i = 0; i < 4; i++) {
      chain_kind k = {.n = N, .rods = kind & 1, .ring = kind >> 1, .as = EPI_CONSTRAINT};
      double one[DIM], two[DIM], start[DIM];
      ends(k, flows[i], 0, one);
      ends(k, flows[i], 1, two);
      epi_world *w = chain_make(k);
      memcpy(start, epi_world_state(w).y, sizeof start);
      epi_world_free(w);
      for (int x = 0; x < DIM; x++) {
        worst = fmax(worst, fabs(one[x] - two[x])/fmax(1, fabs(two[x])));
        moved = fmax(moved, fabs(one[x] - start[x]));
      }
    }
  printf("chains and rings of %d by the pattern and by a dense G: %.2g apart, after moving by %.2g\n", N, worst, moved);
  check_below(worst, 1e-12);
  check_above(moved, 0.1);
}

/* ---- what is kept ---- */
/* the largest g, and G v + gt */
static double off(epi_system *m, const epi_state *s, double *speed)
{
  double *g = calloc(2*(size_t)m->nc + (size_t)m->constraints.rowptr[m->nc], sizeof *g), *gt = g + m->nc, *G = gt + m->nc, most = 0;
  if (!g || m->constraint(m, s->t, s->y, g, G, gt)) test_stop("no constraint");
  *speed = 0;
  for (int c = 0; c < m->nc; c++) {
    for (int k = m->constraints.rowptr[c]; k < m->constraints.rowptr[c + 1]; k++) gt[c] += G[k]*s->y[m->nq + m->constraints.cols[k]];
    most = fmax(most, fabs(g[c]));
    *speed = fmax(*speed, fabs(gt[c]));
  }
  free(g);
  return most;
}

static void kept(int rods)
{
  enum { N = 1000, STEPS = 40 };
  epi_world *w = chain_make((chain_kind){.n = N, .rods = rods, .as = EPI_CONSTRAINT});
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_system *m = epi_world_system(w);
  epi_state s = epi_world_state(w);
  double E = m->energy(m, 0, s.y), drift = 0, speed = 0, apart = 0, rate = 0;
  for (int i = 0; i < STEPS; i++) {
    run(f, &s, (i + 1)*1e-3, 1e-3);
    drift = fmax(drift, fabs(m->energy(m, s.t, s.y) - E));
    apart = fmax(apart, off(m, &s, &speed));
    rate = fmax(rate, speed);
  }
  /* the far end falls freely until the wave from the wall is there */
  double fallen = s.y[7*(N - 1) + 1], T = m->energies.kinetic(m, s.t, s.y);
  printf("%d %s, %d steps: energy to %.2g of T = %.3g, open by %.2g, opening by %.2g, the end fell by %.6f\n", N, rods ? "rods" : "hinges",
         STEPS, drift, T,
         apart, rate, fallen);
  check_below(drift, 1e-6*T);
  check_below(apart, 1e-11);
  check_below(rate, 1e-11);
  check_abs(fallen, -9.81*s.t*s.t/2, 1e-9);
  epi_free(f);
  epi_world_free(w);
}

/* a bar on a hinge at its end: I a = m g l/2, I = 0.1 + 0.25; and its joint carries the rest */
static void one_bar(void)
{
  epi_world *w = chain_make((chain_kind){.n = 1, .as = EPI_CONSTRAINT});
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_state s = epi_world_state(w);
  double lambda[10], h = 1e-5, a = 9.81*0.5/0.35;
  s.lambda = lambda;
  epi_action act;
  if (epi_advance(f, &s, h, 1)) test_stop(epi_error(f));
  check_rel(s.y[7 + 5], -a*h, 1e-6);
  check_count(epi_world_action(w, &s, epi_world_action_named(w, "joint"), &act), 0);
  check_rel(act.force[1], 9.81 - 0.5*a, 1e-6);
  epi_free(f);
  epi_world_free(w);
}

/* ---- what a step needs ---- */
typedef struct { double entries, width, work; } need;
static need needs(chain_kind k, const char *flow)
{
  epi_world *w = chain_make(k);
  epi_system *m = epi_world_system(w);
  epi_space *space = epi_space_make(m);
  epi_flow *f = epi_world_flow(w, flow);
  if (!space || epi_error(f)) test_stop(epi_error(f));
  need n = {.work = (double)f->nwork/k.n};
  if (m->nc) n.entries = (double)m->constraints.rowptr[m->nc]/k.n, n.width = (double)(epi_A_size(space) - epi_redundant_room(space))/m->nc;
  epi_free(f);
  epi_space_release(space);
  epi_world_free(w);
  return n;
}

static void counted(void)
{
  static const struct { chain_kind k; const char *flow; double wider; } kinds[] = {
    {{.as = EPI_CONSTRAINT}, "verlet", 1}, {{.as = EPI_CONSTRAINT, .rods = 1}, "verlet", 1},
      {{.as = EPI_CONSTRAINT, .ring = 1}, "verlet", 2},
    {{.as = EPI_CONSTRAINT, .ring = 1, .rods = 1}, "verlet", 2}, {{.as = EPI_CONSTRAINT}, "semi(model.contacts, model.stiff)", 1},
    {{.as = EPI_PENALTY}, "rk4", 1}, {{.as = EPI_PENALTY}, "semi(model.contacts, model.stiff)", 1},
    {{.as = EPI_PENALTY, .ring = 1}, "semi(model.contacts, model.stiff)", 2},
  };
  double line[2] = {0};
  for (size_t i = 0; i < sizeof kinds/sizeof *kinds; i++) {
    chain_kind k = kinds[i].k;
    k.n = 100;
    need few = needs(k, kinds[i].flow);
    k.n = 10000;
    need many = needs(k, kinds[i].flow);
    printf("%s of %s%s, %s: %.4g entries, %.4g wide, %.4g numbers of work a body; of ten thousand %.4g, %.4g, %.4g\n",
           k.ring ? "ring" : "chain",
           k.rods ? "rods" : "hinges", k.as ? "" : " as springs", kinds[i].flow, few.entries, few.width, few.work, many.entries, many.width,
             many.work);
    check_rel(many.entries, few.entries, 0.02);
    check_rel(many.width, few.width, 1e-12);
    check_rel(many.work, few.work, 0.05);
    /* a ring is a chain laid double */
    if (kinds[i].wider == 1 && k.as) line[k.rods] = many.width;
    if (kinds[i].wider > 1 && k.as) check_below(many.width, 2*line[k.rods] + 4);
  }
}

/* stiff springs in a band are the same as in a full matrix, by the slope and by differences, and beside joints that are constraints */
static int no_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s, (void)t, (void)y, (void)a, (void)b, (void)A;
  return 0;
}

/* of how many bodies; a slope that is zero makes the iteration find its own by differences */
static void springs_end(int n, int ring, int dense, int blind, double *y)
{
  epi_world *w = chain_make((chain_kind){.n = n, .ring = ring});
  epi_name names[4];
  memcpy(names, epi_world_names(w), sizeof names);
  epi_system stiff = *names[2].system;
  if (dense) stiff.jacobian.slope_rowptr = stiff.jacobian.slope_cols = NULL, stiff.jacobian.slope_rows = NULL;
  if (blind) stiff.jacobian.slope = no_slope, stiff.jacobian.slope_rows = dense ? NULL : no_slope;
  names[2].system = &stiff;
  epi_flow *f = epi_make_named("semi(model.contacts, model.stiff)", names);
  epi_state s = epi_world_state(w);
  run(f, &s, 0.05, 1e-3);
  check_count(f->slopes > 1 || !blind, 1);
  memcpy(y, s.y, 13*(size_t)n*sizeof *y);
  epi_free(f);
  epi_world_free(w);
}

static void springs(void)
{
  enum { N = 30 };
  double a[13*N], b[13*N], worst = 0, moved = 0;
  for (int i = 0; i < 4; i++) {
    springs_end(N, i & 1, 0, i >> 1, a);
    springs_end(N, i & 1, 1, i >> 1, b);
    for (int x = 0; x < 13*N; x++) worst = fmax(worst, fabs(a[x] - b[x])/fmax(1, fabs(b[x])));
    if (!(i & 1)) moved = fmax(moved, fabs(a[7*N - 6]));
  }
  printf("springs between %d bodies: band and full matrix are %.2g apart, the end moved by %.3g\n", N, worst, moved);
  check_below(worst, 1e-11);
  check_above(moved, 0.01);
}

/* one joint of a chain a spring, the others constraints: the matrix has the rows of its two bodies alone */
static void mixed(void)
{
  double end[2];
  for (int n = 0; n < 2; n++) {
    epi_world *w = epi_world_make();
    epi_add_gravity(w, (double[]){0, -9.81, 0});
    for (int i = 0; i < 300; i++) {
      epi_body b;
      chain_place((chain_kind){.n = 300}, i, &b);
      epi_add_body(w, &b);
      epi_add_joint(w, &(epi_joint){.a = i, .b = i - 1, .hold = EPI_HINGE, .as = i == 2 && n ? EPI_PENALTY : EPI_CONSTRAINT, .at_a = {-0.5},
                                    .at_b = {i ? 0.5 : 0}, .stiffness = {1e9, 1e9}, .damping = {1e5, 1e5}});
    }
    epi_flow *f = epi_world_flow(w, "semi(model.contacts, model.stiff)");
    epi_state s = epi_world_state(w);
    run(f, &s, 0.01, 1e-3);
    end[n] = s.y[7*3 + 1];
    check_below((double)f->nwork, 1e6);
    epi_free(f);
    epi_world_free(w);
  }
  printf("a stiff spring among constraints: %.9f against %.9f\n", end[1], end[0]);
  check_abs(end[1], end[0], 1e-7);
  check_above(fabs(end[0]), 1e-4);
}

int main(void)
{
  against_dense();
  one_bar();
  kept(0);
  kept(1);
  springs();
  mixed();
  counted();
  return test_done();
}
