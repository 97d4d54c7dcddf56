/* semi-solve.c - the stiff part of a semi-explicit step: B at (1 - beta) z + beta z1 with z1 by A + B itself, by Newton with B's slope
 * alone. The matrix is kept from step to step as long as it serves; its recipe is what a checkpoint holds */
#include "semi.h"

typedef epi_semi_memory memory;
typedef epi_semi_work semi_work;
/* a change of B that moves v by less, relative to it, is rounding; what it moves q by along stiff directions is pulled back in the next
   step */
#define FINE 3e-14
#define FINE_STIFF 2e-13
enum { SLOWLY = EPI_SEMI_SLOWLY };

/* the largest, in four lanes: one after the other the comparisons would wait for each other */
static double most(int n, const double *x)
{
  double s[4] = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) s[k] = fmax(s[k], fabs(x[i + k]));
  for (; i < n; i++) s[0] = fmax(s[0], fabs(x[i]));
  return fmax(fmax(s[0], s[1]), fmax(s[2], s[3]));
}

int epi_semi_carry(epi_flow *f, epi_state *s, const semi_work *d, double h, epi_tick end, double *way)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double *v = s->y + m->nq, *lambda = s->lambda;
  if (lambda) memset(lambda, 0, 2*(size_t)m->nc*sizeof *lambda);
  for (int i = 0; i < n; i++) v[i] += 0.5*h*d->C[i];
  if ((bad = epi_project_positions(f->space, s, h, d->room, lambda, 0, &f->fault))) return bad;
  for (int i = 0; i < n; i++) {
    if (way) way[i] = h*v[i];
    v[i] += 0.5*h*d->C[i];
  }
  epi_set_clock(s, end);
  if (!m->nc) return 0;
  bad = epi_project_velocities(f->space, s, d->room, lambda ? lambda + m->nc : NULL, &f->fault);
  for (int c = 0; lambda && c < 2*m->nc; c++) lambda[c] /= 0.5*h;
  return bad;
}

/* where B is asked: (1 - beta) z + beta z1, into y */
static int between(epi_flow *f, const epi_state *s, const semi_work *d, double h, epi_tick end)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  const double *v = s->y + m->nq;
  double beta = f->arg[BETA].number, *u = d->y + m->nq;
  if (m->nc) {
    epi_state x = {.t = s->t, .theta = s->theta, .y = d->end};
    memcpy(d->end, s->y, (size_t)epi_dim(m)*sizeof *d->end);
    if ((bad = epi_semi_carry(f, &x, d, h, end, d->way))) return bad;
    for (int i = 0; i < n; i++) u[i] = v[i] + beta*(d->end[m->nq + i] - v[i]);
  } else
    for (int i = 0; i < n; i++) {
      d->way[i] = h*v[i] + 0.5*h*h*d->C[i];
      u[i] = v[i] + beta*h*d->C[i];
    }
  epi_shift(m, s->y, beta, d->way, d->y, d->room);
  return 0;
}

/* ---- Newton's matrix ---- */
/* the matrix of the recipe, unless it is the one that is here */
static int matrix(epi_flow *f, const semi_work *d, const memory *k)
{
  size_t size = (size_t)(RECIPE + epi_dim(f->sys))*sizeof *d->made;
  if (!memcmp(d->made, k->recipe, size)) return 0;
  d->made[BY] = NOTHING;
  f->slopes++;
  int bad = epi_semi_matrix_at(f, d, k->recipe);
  if (!bad) memcpy(d->made, k->recipe, size);
  return bad;
}

/* how the matrix is found for a step of h from here on; nothing is known of its convergence */
static void renew(epi_flow *f, const memory *k, double h, double t, double theta, const double *y, int by)
{
  memcpy(k->recipe, ((const double[RECIPE]){[BY] = by, [STEP] = h, [AT] = t, [PHASE] = theta}), RECIPE*sizeof *k->recipe);
  memcpy(k->recipe + RECIPE, y, (size_t)epi_dim(f->sys)*sizeof *y);
  f->keep[AGE] = f->keep[DUE] = f->keep[RATE] = 0;
  f->keep[BOUND] = 1;
}

/* ---- Newton's iteration ---- */
/* B + N^-1 (x - B), x where the matrix has no rows; the largest change, infinite where one is not finite. size: of A and B */
static double improve(epi_flow *f, const semi_work *d, double *size)
{
  int n = epi_nv(f->sys);
  double *restrict B = d->B, *restrict x = d->x, lost = 0;
  epi_semi_matrix_solve(f, d, B, x);
  for (int i = 0; i < n; i++) {
    double now = x[i];
    x[i] -= B[i];
    B[i] = now;
    lost += 0*x[i];
  }
  *size = fmax(*size, most(n, B) + most(n, d->A));
  return lost == 0 ? most(n, x) : HUGE_VAL;
}

/* the rate that a first change is judged by; 2 where it must be seen again: a matrix ages, and rates differ from one direction to
   another */
static double expected(const double *x)
{
  long age = (long)x[AGE];
  return age < 3 || age == 4 || age % 8 == 0 ? 2 : 2*(x[RATE] > 0 ? x[RATE] : x[BOUND]);
}

/* with the matrix that is here, from the B that is. Rounding of a stiff B is large: what q cannot hold is no error. Two changes show how
   fast it converges; that is kept, so that the first change of a later step is enough to know the second. *near: it went the right way at
   least */
static int newton(epi_flow *f, const epi_state *s, const semi_work *d, double h, epi_tick end, int *near)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double beta = f->arg[BETA].number, t = s->t + beta*h, theta = epi_phase_at(m, s->t, s->theta, beta*h), *x = f->keep;
  double rate = expected(x), first = 0, last = 0, size = 0;
  double held = fmax(FINE*most(n, s->y + m->nq)/fabs(h), 2*FINE_STIFF**d->noise*most(m->nq, s->y)/(h*h));
  for (int it = 0; it < 12; it++) {
    for (int i = 0; i < n; i++) d->C[i] = d->A[i] + d->B[i];
    if ((bad = between(f, s, d, h, end)) || (bad = epi_semi_stiff(f, t, theta, d->y, d->x))) return bad;
    double big = improve(f, d, &size), floor = fmax(FINE*size, held);
    if (!(big < 1e300)) { *near = 0; return SLOWLY; }
    if (!it) first = big;
    else {
      rate = big/last;
      if (big > floor) x[RATE] = fmax(x[RATE], rate);
      else x[BOUND] = fmin(x[BOUND], fmax(rate, 1e-16));
    }
    int there = big <= floor || (rate < 1 && big*rate <= floor*(1 - rate)), stuck = it > 1 && rate > 0.5;
    /* it cannot come nearer than rounding allows, even where that is more than was thought */
    if (there || (stuck && !x[AGE] && big <= 1e-6*size)) {
      x[DUE] = there && it > 3;
      x[AGE]++;
      return 0;
    }
    *near = big <= first;
    if (stuck) break;
    last = big;
  }
  return SLOWLY;
}

/* B of the step: by the matrix that is kept, by one of the place that was reached, by one from differences: a slope may be wrong or leave
   things out */
int epi_semi_solve(epi_flow *f, const epi_state *s, const semi_work *d, const memory *k, double h, epi_tick end)
{
  double *r = k->recipe, beta = f->arg[BETA].number, t = s->t + beta*h, theta = epi_phase_at(f->sys, s->t, s->theta, beta*h);
  int n = epi_nv(f->sys), by = f->other->jacobian.slope && r[BY] != DIFFERENCES ? SLOPE : DIFFERENCES, near = 0, bad;
  memcpy(d->B, k->B, (size_t)n*sizeof *d->B);
  if (r[BY] == NOTHING || r[STEP] != h || f->keep[DUE]) {
    for (int i = 0; i < n; i++) d->C[i] = d->A[i] + d->B[i];
    if ((bad = between(f, s, d, h, end)) < 0) return bad;
    /* a B that leads nowhere is no beginning */
    if (bad) memset(d->B, 0, (size_t)n*sizeof *d->B);
    if (bad) renew(f, k, h, s->t, s->theta, s->y, by);
    else renew(f, k, h, t, theta, d->y, by);
  }
  for (int stage = 0; stage < 3; stage++) {
    if (!(bad = matrix(f, d, k))) bad = newton(f, s, d, h, end, &near);
    if (!bad && f->fault.words[0]) epi_clear_error(f);
    if (bad <= 0) return bad;
    if (!near) memset(d->B, 0, (size_t)n*sizeof *d->B);
    if (stage) by = DIFFERENCES;
    if (near) renew(f, k, h, t, theta, d->y, by);
    else renew(f, k, h, s->t, s->theta, s->y, by);
  }
  r[BY] = NOTHING;
  if (bad != SLOWLY) return bad;
  return epi_fail(f, EPI_TOO_FAR,
                  "semi: the stiff part has no solution that Newton's iteration finds at t = %.10g with h = %g: take a smaller step, "
                  "or look at its force and slope there", s->t, h);
}
