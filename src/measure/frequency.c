/* frequency.c - how fast a system oscillates about a state: the eigenvalues of its linearised motion.
 * Arnoldi's process on differences of the rate, so that a large system costs some dozens of evaluations and a small one is treated whole;
 * then the QR iteration on what remains. Golub & Van Loan, Matrix Computations, 4th ed. (2013), 7.5 and 10.5 */
#include "measure/frequency.h"
#include <complex.h>
#include <float.h>

enum { MOST = 80 };

/* x = (u, v, z) about the state; v is counted in units of sigma, so that frequencies and not their squares are compared */
typedef struct {
  epi_flow *f;
  const epi_state *s;
  int n, N;                            /* velocities; all of x */
  double sigma, size;                  /* size: of the positions, for the differences */
  double *x0, *x, *up, *down, *y, *chart, *hold;
} point;

static double largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* ---- the rate, with what the constraints add ---- */
/* G v + gt at a time and place */
static int drift_of(const point *p, double t, const double *q, const double *v, double *g, double *G, double *out)
{
  int bad = epi_constraint_eval(p->f->sys, t, q, g, G, out);
  if (!bad) epi_G_mul(p->f->space, G, v, out);
  return bad;
}

/* a += M^-1 G^T lambda, so that G a + d/dt(G v + gt) along q' = v is zero */
static int bind(const point *p, const double *y, double *a)
{
  epi_flow *f = p->f;
  epi_system *m = f->sys;
  int n = epi_nv(m), nc = m->nc, bad;
  const double *v = y + m->nq;
  double *g = p->hold, *r = g + nc, *l = r + nc, *q = l + nc, *tmp = q + m->nq, *G = tmp + n;
  double *W = G + epi_G_size(f->space), *A = W + epi_G_size(f->space);
  /* what hardly moves is not asked where it will be in a million seconds */
  double speed = largest(n, v), e = speed > 0 ? fmin(1e-6*p->size/speed, 1e-3) : 1e-6;
  if (!m->constraints.constraint_bend || m->constraints.constraint_bend(m, p->s->t, 0, y, v, l)) {
    for (int side = 1; side >= -1; side -= 2) {
      epi_shift(m, y, side*e, v, q, tmp);
      if ((bad = drift_of(p, p->s->t + side*e, q, v, g, G, side > 0 ? l : r))) return bad;
    }
    for (int c = 0; c < nc; c++) l[c] = (l[c] - r[c])/(2*e);
  }
  if ((bad = epi_constraint_eval(m, p->s->t, y, g, G, r))) return bad;
  epi_G_inverse_mass(f->space, y, G, W);
  epi_G_mul(f->space, G, a, l);
  if (epi_normal_solve(f->space, 1, G, G, W, A, l)) return EPI_TOO_FAR;
  epi_Gt_mul(f->space, W, l, tmp);
  for (int i = 0; i < n; i++) a[i] -= tmp[i];
  return 0;
}

static int rate(const point *p, const double *x, double *dx)
{
  epi_system *m = p->f->sys;
  int bad = epi_chart_rate(p->f, p->s->t, p->s->theta, p->s->y, x, dx, p->chart);
  if (bad || !m->nc) return bad;
  epi_chart_out(m, p->s->y, x, p->y, p->chart);
  return bind(p, p->y, dx + p->n);
}

/* ---- the linearised motion ---- */
static double unit(const point *p, int i) { return i >= p->n && i < 2*p->n ? p->sigma : 1; }

/* out = L u */
static int apply(const point *p, const double *u, double *out)
{
  double e = 1e-6*p->size/largest(p->N, u);
  int bad;
  for (int side = 1; side >= -1; side -= 2) {
    for (int i = 0; i < p->N; i++) p->x[i] = p->x0[i] + side*e*unit(p, i)*u[i];
    if ((bad = rate(p, p->x, side > 0 ? p->up : p->down))) return bad;
  }
  for (int i = 0; i < p->N; i++) out[i] = (p->up[i] - p->down[i])/(2*e*unit(p, i));
  return largest(p->N, out) < HUGE_VAL ? 0 : EPI_TOO_FAR;
}

/* the unit of velocity: that of the positions, times how hard they are pulled back */
static int find_units(point *p, double *u, double *Lu)
{
  const epi_system *m = p->f->sys;
  p->sigma = 1;
  p->size = m->manifold.retract ? 1 : largest(p->n ? m->nq : p->N, p->s->y);
  if (m->jacobian.probe > 0) p->size = 1e6*m->jacobian.probe;
  if (!(p->size > 0)) p->size = largest(p->N, p->x0);
  if (!(p->size > 0)) p->size = 1;
  for (int i = 0; i < p->N; i++) u[i] = i < p->n ? sin(1 + 12.9898*i) : 0;
  if (!p->n) return 0;
  int bad = apply(p, u, Lu);
  double pull = sqrt(largest(p->n, Lu + p->n)/largest(p->n, u));
  if (pull > 0 && pull < HUGE_VAL) p->sigma = pull;
  return bad;
}

static double dot(int n, const double *x, const double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i]*y[i];
  return s;
}

/* H = V^T L V for a basis V of the Krylov space; how many directions there are, 0 after a failure */
static int arnoldi(const point *p, int most, double *V, double complex *H)
{
  int N = p->N;
  for (int i = 0; i < N; i++) V[i] = sin(2 + 78.233*i) + 0.1*cos(3.1*i);
  double norm = sqrt(dot(N, V, V));
  for (int i = 0; i < N; i++) V[i] /= norm;
  for (int k = 0; k < most; k++) {
    double *w = V + (k + 1)*N, before;
    if (apply(p, V + k*N, w)) return 0;
    before = sqrt(dot(N, w, w));
    /* twice is enough */
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j <= k; j++) {
        double c = dot(N, w, V + j*N);
        H[j*most + k] += c;
        for (int i = 0; i < N; i++) w[i] -= c*V[j*N + i];
      }
    norm = sqrt(dot(N, w, w));
    if (k == most - 1) break;
    if (!(norm > 1e-13*before)) return k + 1;
    H[(k + 1)*most + k] = norm;
    for (int i = 0; i < N; i++) w[i] /= norm;
  }
  return most;
}

/* ---- eigenvalues of a Hessenberg matrix, left on its diagonal; rows are `row` long ---- */
/* of the two of the last block, the one nearer to its corner (Wilkinson) */
static double complex shift_of(const double complex *H, int row, int k)
{
  double complex a = H[(k - 1)*row + k - 1], b = H[(k - 1)*row + k], c = H[k*row + k - 1], d = H[k*row + k];
  double complex half = (a - d)/2, root = csqrt(half*half + b*c);
  if (creal(conj(half)*root) < 0) root = -root;
  return cabs(half + root) > 0 ? d - b*c/(half + root) : d;
}

/* H - s = Q R, H = R Q + s on rows and columns lo .. hi */
static void sweep(double complex *H, int row, int lo, int hi, double complex s)
{
  double c[MOST];
  double complex t[MOST];
  for (int k = lo; k <= hi; k++) H[k*row + k] -= s;
  for (int k = lo; k < hi; k++) {
    double complex x = H[k*row + k], y = H[(k + 1)*row + k];
    double r = hypot(cabs(x), cabs(y));
    double complex turn = cabs(x) > 0 ? x/cabs(x) : 1;
    c[k] = r > 0 ? cabs(x)/r : 1;
    t[k] = r > 0 ? turn*conj(y)/r : 0;
    for (int j = k; j <= hi; j++) {
      double complex u = H[k*row + j], w = H[(k + 1)*row + j];
      H[k*row + j] = c[k]*u + t[k]*w;
      H[(k + 1)*row + j] = c[k]*w - conj(t[k])*u;
    }
  }
  for (int k = lo; k < hi; k++)
    for (int i = lo; i <= (k + 1 < hi ? k + 1 : hi); i++) {
      double complex u = H[i*row + k], w = H[i*row + k + 1];
      H[i*row + k] = c[k]*u + conj(t[k])*w;
      H[i*row + k + 1] = c[k]*w - t[k]*u;
    }
  for (int k = lo; k <= hi; k++) H[k*row + k] += s;
}

static int eigenvalues(double complex *H, int row, int n)
{
  for (int hi = n - 1, turns = 0; hi > 0; ) {
    int lo = hi;
    for (; lo > 0; lo--) {
      double complex *below = &H[lo*row + lo - 1];
      if (!(cabs(*below) > DBL_EPSILON*(cabs(H[lo*row + lo]) + cabs(H[(lo - 1)*row + lo - 1])))) { *below = 0; break; }
    }
    if (lo == hi) { hi--; turns = 0; continue; }
    if (++turns > 100) return -1;
    /* a shift of another kind breaks a circle */
    sweep(H, row, lo, hi, turns % 11 == 10 ? H[hi*row + hi] + cabs(H[hi*row + hi - 1]) : shift_of(H, row, hi));
  }
  return 0;
}

/* ---- */
static long hold_room(const epi_flow *f)
{
  const epi_system *m = f->sys;
  return m->nc ? 3*m->nc + m->nq + epi_nv(m) + 2*epi_G_size(f->space) + epi_A_size(f->space) : 0;
}

static double fastest(point *p, double *V, double complex *H, int most, double *decay)
{
  double w = 0, slow = 0;
  if (find_units(p, V, V + p->N)) return NAN;
  memset(V, 0, 2*(size_t)p->N*sizeof *V);
  int k = arnoldi(p, most, V, H);
  if (!k || eigenvalues(H, most, k)) return NAN;
  for (int i = 0; i < k; i++) {
    w = fmax(w, fabs(cimag(H[i*most + i])));
    slow = fmax(slow, -creal(H[i*most + i]));
  }
  if (decay) *decay = slow;
  return w;
}

double epi_frequency(epi_flow *f, const epi_state *s, double *decay) { return epi_frequency_within(f, s, decay, 4*MOST); }

double epi_frequency_within(epi_flow *f, const epi_state *s, double *decay, long evaluations)
{
  if (decay) *decay = NAN;
  if (f->broken || !s || !s->y) return NAN;
  epi_system *m = f->sys;
  int N = epi_chart_dim(m), most = N < MOST ? N : MOST;
  if (most > evaluations/2) most = evaluations < 8 ? (N < 4 ? N : 4) : (int)(evaluations/2);
  size_t basis = (size_t)(most + 1)*(size_t)N, room = (size_t)(4*N + epi_dim(m)) + (size_t)(epi_chart_room(m) + hold_room(f));
  double *x0 = calloc(room + basis + 1, sizeof *x0), w = NAN;
  double complex *H = calloc((size_t)(most*most) + 1, sizeof *H);
  if (x0 && H) {
    point p = {.f = f, .s = s, .n = epi_all_rate(m) ? 0 : epi_nv(m), .N = N, .x0 = x0, .x = x0 + N, .up = x0 + 2*N, .down = x0 + 3*N};
    p.y = x0 + 4*N;
    p.chart = p.y + epi_dim(m);
    p.hold = p.chart + epi_chart_room(m);
    epi_chart_in(m, s->y, x0);
    w = fastest(&p, x0 + room, H, most, decay);
    epi_clear_error(f);
  } else epi_fail_cause(f, EPI_WRONG, EPI_MEMORY, "out of memory: the frequency could not be found");
  free(x0);
  free(H);
  return w;
}
