/* floquet.c - is a periodic motion stable? The map of one fast period, differentiated about the state it comes back to: the largest
 * multiplier of its tangent is what a small deviation grows by in a period */
#include "core.h"
#include "letters.h"

enum { MOST = 64, SQUARINGS = 40 };

static int say(epi_floquet *out, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_sentence_print(out->why, sizeof out->why, words, ap);
  va_end(ap);
  out->multiplier = NAN;
  return -1;
}

/* the state y after a period */
static int map(epi_flow *f, const epi_state *s, double T, double h, double *y)
{
  epi_state x = {.t = s->t, .theta = s->theta, .y = y, .key = {.rest = s->key.rest}};
  epi_forget(f);
  return epi_run(f, &x, s->t + T, h);
}

/* the largest eigenvalue by size: that of M^(2^k) by any norm is its 2^k-th power to a factor whose 2^k-th root is 1. Powers are scaled as
   they come; A, B: room for two matrices */
static double largest(int n, double *A, double *B)
{
  double log_size = 0, power = 1;
  for (int k = 0; k <= SQUARINGS; k++) {
    double size = 0;
    for (int i = 0; i < n*n; i++) size = epi_larger(size, fabs(A[i]));
    if (!(size > 0)) return size;
    log_size += log(size)/power;
    for (int i = 0; i < n*n; i++) A[i] /= size;
    if (k == SQUARINGS) break;
    memset(B, 0, (size_t)(n*n)*sizeof *B);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < n; l++) B[i*n + l] += A[i*n + j]*A[j*n + l];
    memcpy(A, B, (size_t)(n*n)*sizeof *A);
    power *= 2;
  }
  return exp(log_size);
}

/* columns by central differences; room: a state more */
static int tangent(epi_flow *f, const epi_state *s, double T, double h, double *M, double *y)
{
  int n = epi_dim(f->sys), nq = f->sys->nq, bad = 0;
  double large[2] = {0};
  for (int i = 0; i < n; i++) large[i >= nq] = fmax(large[i >= nq], fabs(s->y[i]));
  for (int j = 0; j < n && !bad; j++) {
    double e = 6e-6*fmax(1, large[j >= nq]);
    for (int side = 1; side >= -1 && !bad; side -= 2) {
      memcpy(y, s->y, (size_t)n*sizeof *y);
      y[j] += side*e;
      bad = map(f, s, T, h, y);
      for (int i = 0; i < n; i++) M[i*n + j] = side > 0 ? y[i] : (M[i*n + j] - y[i])/(2*e);
    }
  }
  return bad;
}

static int refuse(const epi_flow *f, double T, epi_floquet *out)
{
  const epi_system *m = f->sys;
  if (epi_error(f)) return say(out, "%s", epi_error(f));
  if (epi_average_of((epi_flow *)f) || m->derived)
    return say(out, "floquet looks at one fast period, and this flow averages over it: take one that resolves it, such as rk4 or verlet");
  if (m->nc || m->manifold.retract)
    return say(out, "floquet of constraints and rotations is not known: write the model in angles, or look at how far a run goes");
  if (epi_dim(m) > MOST) return say(out, "floquet is for at most %d variables", MOST);
  if (!(T > 0)) return say(out, "floquet needs a period: set phase_rate or period in the system");
  return 0;
}

epi_floquet epi_floquet_of(epi_flow *f, const epi_state *s, double h)
{
  epi_floquet out = {.multiplier = NAN};
  const epi_system *m = f->sys;
  double T = !m ? 0 : m->phase.period > 0 ? m->phase.period : m->phase.phase_rate != 0 ? 2*EPI_PI/fabs(m->phase.phase_rate) : 0, size = 0,
    off = 0;
  if (refuse(f, T, &out)) return out;
  int n = epi_dim(m);
  double *M = malloc((size_t)(2*n*n + n)*sizeof *M), *y = M ? M + 2*n*n : NULL;
  if (!M) return say(&out, "out of memory"), out;
  out.period = T;
  memcpy(y, s->y, (size_t)n*sizeof *y);
  int bad = map(f, s, T, h, y);
  for (int i = 0; i < n; i++) off = epi_larger(off, fabs(y[i] - s->y[i])), size = fmax(size, fabs(s->y[i]));
  if (!bad && !(off <= 1e-6*fmax(1e-3, size)))
    say(&out, "floquet needs a start that comes back after a period of %.10g, and this one is %.3g away then: start at the periodic "
        "motion, such as at rest where no force is", T, off);
  else if (bad || tangent(f, s, T, h, M, y)) say(&out, "%s", epi_error(f) ? epi_error(f) : "the period could not be run");
  else out.multiplier = largest(n, M, M + n*n);
  free(M);
  return out;
}
