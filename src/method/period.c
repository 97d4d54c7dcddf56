/* period.c - Gauss points with their integrals, by Legendre polynomials; trigonometric interpolation with its integrals */
#include "period.h"

/* P_0 ... P_n of 2x - 1 at many x: row k has P_k. All at once, for each is a chain of divisions */
static void legendre(int n, int many, const double *x, double *P)
{
  for (int i = 0; i < many; i++) { P[i] = 1; P[many + i] = 2*x[i] - 1; }
  for (int k = 1; k < n; k++) {
    const double *at = P + k*many, *down = at - many;
    double *up = P + (k + 1)*many;
    for (int i = 0; i < many; i++) up[i] = ((2*k + 1)*P[many + i]*at[i] - k*down[i])/(k + 1);
  }
}

/* P_k = (P_{k+1}' - P_{k-1}')/(2 (2k + 1)): integrals from 0 are differences of neighbours */
static double slope_of_last(int n, double x, double last, double before)
{
  double u = 2*x - 1;
  return 2*n*(u*last - before)/(u*u - 1);
}

static void gauss_points(int n, double *c, double *b, double *P)
{
  const int half = (n + 1)/2;
  const double *last = P + n*half, *before = last - half;
  double x[EPI_PERIOD_NODES], dx[EPI_PERIOD_NODES], most = 1;
  /* Tricomi's guess: two corrections leave nothing */
  for (int i = 0; i < half; i++) {
    x[i] = 0.5 - 0.5*(1 - (n - 1)/(8.0*n*n*n))*cos(EPI_PI*(4*i + 3)/(4*n + 2));
    dx[i] = 1;
  }
  for (int it = 0; it < 20 && most > 1e-9; it++) {
    legendre(n, half, x, P);
    most = 0;
    for (int i = 0; i < half; i++) {
      if (!(fabs(dx[i]) > 1e-9)) continue;
      dx[i] = last[i]/slope_of_last(n, x[i], last[i], before[i]);
      x[i] -= dx[i];
      most = fabs(dx[i]) > most ? fabs(dx[i]) : most;
    }
  }
  legendre(n, half, x, P);
  for (int i = 0; i < half; i++) {
    double slope = slope_of_last(n, x[i], last[i], before[i]);
    c[i] = x[i];
    c[n - 1 - i] = 1 - x[i];
    b[i] = b[n - 1 - i] = 1/(slope*slope*x[i]*(1 - x[i]));
  }
}

/* A += w v^T over the points */
static void add_columns(int n, const double *w, const double *v, double *A)
{
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) A[j*n + i] += w[j]*v[i];
}

/* the interpolant through value j alone is b_j sum_k (2k + 1) P_k(c_j) P_k, k < n; I_k and J_k are the integrals of P_k, once and twice.
   values: row k has P_k at the points */
static void gauss_integrals(int n, const double *c, const double *b, const double *values, int needs, double *once, double *twice)
{
  double I[EPI_PERIOD_NODES], J[EPI_PERIOD_NODES], w[EPI_PERIOD_NODES];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) { once[j*n + i] = b[j]*c[i]; twice[j*n + i] = 0.5*b[j]*c[i]*c[i]; }
  for (int k = 1; k < n; k++) {
    const double *at = values + k*n, *up = at + n, *two = up + n, *down = at - n;
    double s = 0.5/(2*k + 1), next = 0.5/(2*k + 3), last = 0.5/(2*k - 1);
    for (int i = 0; i < n; i++) {
      I[i] = s*(up[i] - down[i]);
      J[i] = s*(next*(two[i] - at[i]) - (k > 1 ? last*(at[i] - down[i - n]) : c[i]));
    }
    for (int j = 0; j < n; j++) w[j] = b[j]*(2*k + 1)*at[j];
    if (needs & EPI_PERIOD_ONCE) add_columns(n, w, I, once);
    if (needs & EPI_PERIOD_TWICE) add_columns(n, w, J, twice);
  }
}

void epi_period_wave(int phases, double x, double *weight)
{
  for (int j = 0; j < phases; j++) {
    double sum = 1, u = 2*EPI_PI*(x - (double)j/phases);
    for (int k = 1; 2*k < phases; k++) sum += 2*cos(k*u);
    weight[j] = sum/phases;
  }
}

/* one harmonic k of value j: cos K(x - s) with K = 2 pi k, s = j/phases, integrated twice; sine and cosine of K c stand in two rows */
static void waves(int n, int phases, const double *c, double *wave, double *once, double *twice, double *end)
{
  double p = 1.0/phases, S[EPI_PERIOD_NODES], C[EPI_PERIOD_NODES];
  for (int j = 0; j < phases; j++) {
    for (int i = 0; i < n; i++) {
      wave[j*n + i] = p;
      once[j*n + i] = p*c[i];
      twice[j*n + i] = 0.5*p*c[i]*c[i];
    }
    end[j] = 0.5*p;
  }
  for (int k = 1; 2*k < phases; k++) {
    double K = 2*EPI_PI*k;
    for (int i = 0; i < n; i++) { S[i] = sin(K*c[i]); C[i] = cos(K*c[i]); }
    for (int j = 0; j < phases; j++) {
      double at = 2*EPI_PI*((long)k*j % phases)/phases, sin0 = sin(at), cos0 = cos(at), first = 2*p/K, second = first/K;
      for (int i = 0; i < n; i++) {
        double x = S[i]*cos0 - C[i]*sin0, y = C[i]*cos0 + S[i]*sin0;
        wave[j*n + i] += 2*p*y;
        once[j*n + i] += first*(x + sin0);
        twice[j*n + i] += second*(cos0 - y) + first*c[i]*sin0;
      }
      end[j] += first*sin0;
    }
  }
}

/* weights for the last two coefficients; values as above */
static void tails(int n, const double *b, const double *values, double *tail)
{
  for (int i = 0; i < n; i++) {
    tail[i] = b[i]*values[(n - 1)*n + i]*(2*n - 1);
    tail[n + i] = b[i]*values[(n - 2)*n + i]*(2*n - 3);
  }
}

size_t epi_period_rule_size(int n, int phases)
{
  size_t N = (size_t)n, F = (size_t)phases, numbers = 4*N + 2*N*N + 3*N*F + F;
  return (sizeof(epi_period_rule) + numbers*sizeof(double) + 15)/16*16;
}

epi_period_rule *epi_period_rule_make(int n, int phases, int needs, const epi_period_rule *like, void *memory)
{
  epi_period_rule *r = memory;
  double *c = (double *)(r + 1), *b = c + n, *once = b + n, *twice = once + n*n, *wave = twice + n*n, *wave_once = wave + n*phases;
  double *wave_twice = wave_once + n*phases, *end = wave_twice + n*phases, *tail = end + phases;
  double values[(EPI_PERIOD_NODES + 2)*EPI_PERIOD_NODES];
  *r = (epi_period_rule){.n = n, .phases = phases, .c = c, .b = b, .once = once, .twice = twice, .wave = wave, .wave_once = wave_once,
                         .wave_twice = wave_twice, .wave_end = end, .tail = tail};
  if (like) {
    memcpy(c, like->c, 2*(size_t)(n + n*n)*sizeof *c);
    memcpy(tail, like->tail, 2*(size_t)n*sizeof *tail);
  } else {
    gauss_points(n, c, b, values);
    legendre(n + 1, n, c, values);
    gauss_integrals(n, c, b, values, needs, once, twice);
    tails(n, b, values, tail);
  }
  waves(n, phases, c, wave, wave_once, wave_twice, end);
  return r;
}
