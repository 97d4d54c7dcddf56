/* period.c - Gauss points with their integrals, by Legendre polynomials; trigonometric interpolation with its integrals */
/* compile: hot */
#include "two.h"
#include "period.h"

/* P_0 ... P_n of 2x - 1 at many x: row k has P_k */
static void legendre(int n, int many, const double *x, double *P)
{
  for (int i = 0; i < many; i++) { P[i] = 1; P[many + i] = 2*x[i] - 1; }
  for (int k = 1; k < n; k++) {
    const double *at = P + k*many, *down = at - many;
    double *up = P + (k + 1)*many;
    double a = (2*k + 1)/(k + 1.0), b = k/(k + 1.0);
    for (int i = 0; i < many; i++) up[i] = a*P[many + i]*at[i] - b*down[i];
  }
}

/* P_k = (P_{k+1}' - P_{k-1}')/(2 (2k + 1)): integrals from 0 are differences of neighbours */
static double slope_of_last(int n, double x, double last, double before)
{
  double u = 2*x - 1;
  return 2*n*(u*last - before)/(u*u - 1);
}

static void find_gauss_points(int n, double *x, double *P)
{
  const int half = (n + 1)/2;
  const double *last = P + n*half, *before = last - half;
  double dx[EPI_PERIOD_NODES], most = 1;
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
}

static void gauss_points(int n, double *c, double *b, double *P)
{
  const int half = (n + 1)/2;
  const double *last = P + n*half, *before = last - half;
  double x[EPI_PERIOD_NODES];
  find_gauss_points(n, x, P);
  legendre(n, half, x, P);
  for (int i = 0; i < half; i++) {
    double slope = slope_of_last(n, x[i], last[i], before[i]);
    c[i] = x[i];
    c[n - 1 - i] = 1 - x[i];
    b[i] = b[n - 1 - i] = 1/(slope*slope*x[i]*(1 - x[i]));
  }
}

/* ---- integrals of the interpolant through one value ---- */
/* I_k and J_k, the integrals of P_k once and twice, at the points, those of even k before those of odd k. values: row k has P_k there */
static void integrate_once(int n, const double *c, const double *values, double *I)
{
  for (int k = 0; k < n; k++, I += n) {
    const double *up = values + (k + 1)*n, *down = up - 2*n;
    double s = 0.5/(2*k + 1);
    for (int i = 0; i < n; i++) I[i] = k ? s*(up[i] - down[i]) : c[i];
  }
}

static void integrate_twice(int n, const double *c, const double *values, double *J)
{
  for (int i = 0; i < n; i++) J[i] = 0.5*c[i]*c[i];
  for (int k = 1; k < n; k++) {
    const double *at = values + k*n, *two = at + 2*n, *down = at - n;
    double s = 0.5/(2*k + 1), next = s*0.5/(2*k + 3), last = s*0.5/(2*k - 1);
    J += n;
    if (k == 1) for (int i = 0; i < n; i++) J[i] = next*(two[i] - at[i]) - s*c[i];
    else for (int i = 0; i < n; i++) J[i] = next*(two[i] - at[i]) - last*(at[i] - down[i - n]);
  }
}

/* the interpolant through value j alone is b_j sum_k (2k + 1) P_k(c_j) P_k, k < n. That through its mirror image has the same even part
   and the opposite odd one */
static void columns(int n, const double *b, const double *values, const double *integrals, double *out)
{
  double weight[2][EPI_PERIOD_NODES], sum[2][EPI_PERIOD_NODES], parts[EPI_PERIOD_NODES*EPI_PERIOD_NODES];
  const int evens = (n + 1)/2;
  for (int k = 0; k < n; k++) memcpy(parts + (k%2*evens + k/2)*n, integrals + k*n, (size_t)n*sizeof *parts);
  for (int j = 0; j < evens; j++) {
    double *left = out + j*n, *right = out + (n - 1 - j)*n;
    for (int k = 0; k < n; k++) weight[k%2][k/2] = b[j]*(2*k + 1)*values[k*n + j];
    for (int odd = 0; odd < 2; odd++) epi_multiply(n, odd ? n/2 : evens, 1, parts + odd*evens*n, weight[odd], NULL, sum[odd]);
    for (int i = 0; i < n; i++) { left[i] = sum[0][i] + sum[1][i]; right[i] = left == right ? left[i] : sum[0][i] - sum[1][i]; }
  }
}

static void gauss_integrals(int n, const double *c, const double *b, const double *values, int needs, double *once, double *twice)
{
  double integrals[EPI_PERIOD_NODES*EPI_PERIOD_NODES];
  if (needs & EPI_PERIOD_ONCE) { integrate_once(n, c, values, integrals); columns(n, b, values, integrals, once); }
  if (needs & EPI_PERIOD_TWICE) { integrate_twice(n, c, values, integrals); columns(n, b, values, integrals, twice); }
}

void epi_period_wave(int phases, double x, double *weight)
{
  for (int j = 0; j < phases; j++) {
    double sum = 1, u = 2*EPI_PI*(x - (double)j/phases);
    for (int k = 1; 2*k < phases; k++) sum += 2*cos(k*u);
    weight[j] = sum/phases;
  }
}

static void turn(int phases, double *cosines, double *sines)
{
  for (int j = 0; j < phases; j++) {
    sines[j] = sin(2*EPI_PI*j/phases);
    cosines[j] = cos(2*EPI_PI*j/phases);
  }
}

/* one harmonic k of value j: cos K(x - s) with K = 2 pi k, s = j/phases, integrated twice; sine and cosine of K c stand in two rows, and
   come from those of the one before and of the first. once: only where it is needed */
static void waves(int n, int phases, const double *c, int needs, const double *turned, double *wave, double *once, double *twice,
                  double *end)
{
  const double p = 1.0/phases, *cosines = turned, *sines = turned + phases;
  double S[EPI_PERIOD_NODES], C[EPI_PERIOD_NODES], first_S[EPI_PERIOD_NODES], first_C[EPI_PERIOD_NODES], mean_twice[EPI_PERIOD_NODES];
  for (int i = 0; i < n; i++) mean_twice[i] = 0.5*p*c[i]*c[i];
  for (int j = 0; j < phases; j++) {
    for (int i = 0; i < n; i++) wave[j*n + i] = p;
    memcpy(twice + j*n, mean_twice, (size_t)n*sizeof *twice);
    if (needs & EPI_PERIOD_ONCE) for (int i = 0; i < n; i++) once[j*n + i] = p*c[i];
    end[j] = 0.5*p;
  }
  for (int k = 1; 2*k < phases; k++) {
    const double K = 2*EPI_PI*k, first = 2*p/K, second = first/K;
    if (k == 1) {
      for (int i = 0; 2*i < n; i++) {
        S[i] = sin(K*c[i]);
        C[n - 1 - i] = C[i] = cos(K*c[i]);
        S[n - 1 - i] = 2*i == n - 1 ? 0 : -S[i];
      }
      memcpy(first_S, S, (size_t)n*sizeof *S);
      memcpy(first_C, C, (size_t)n*sizeof *C);
    } else
      for (int i = 0; i < n; i++) {
        const double s = S[i]*first_C[i] + C[i]*first_S[i];
        C[i] = C[i]*first_C[i] - S[i]*first_S[i];
        S[i] = s;
      }
    for (int j = 0; j < phases; j++) {
      const double sin0 = sines[k*j % phases], cos0 = cosines[k*j % phases];
      for (int i = 0; i < n; i++) {
        const double y = C[i]*cos0 + S[i]*sin0;
        wave[j*n + i] += 2*p*y;
        twice[j*n + i] += second*(cos0 - y) + first*c[i]*sin0;
      }
      if (needs & EPI_PERIOD_ONCE) for (int i = 0; i < n; i++) once[j*n + i] += first*(S[i]*cos0 - C[i]*sin0 + sin0);
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

/* what the other half has by its symmetry: an integral from the other end is what is left of the whole one */
static void unfold(int n, const double *known, double *c, double *b, double *tail, double *twice)
{
  const int half = (n + 1)/2;
  const double *weight = known + half, *last = weight + half, *before = last + half, *column = before + half;
  for (int i = 0; i < half; i++) {
    const int k = n - 1 - i;
    const double sign = n % 2 ? 1 : -1;
    c[k] = 1 - known[i];
    c[i] = known[i];
    b[i] = b[k] = weight[i];
    tail[k] = sign*last[i];
    tail[i] = last[i];
    tail[n + k] = -sign*before[i];
    tail[n + i] = before[i];
  }
  for (int j = 0; j < half; j++, column += n) {
    double *left = twice + j*n, *right = twice + (n - 1 - j)*n;
    for (int i = 0; i < n; i++) right[n - 1 - i] = column[i] + b[j]*(c[j] - c[i]);
    memcpy(left, column, (size_t)n*sizeof *left);
  }
}

/* Gauss points and all that belongs to them alone: c, b, late, tail, once, twice */
static void gauss(int n, int needs, double *c)
{
  const double *known = epi_period_known(n);
  double *b = c + n, *late = b + n, *tail = late + n, *once = tail + 2*n, *twice = once + n*n;
  double values[(EPI_PERIOD_NODES + 2)*EPI_PERIOD_NODES];
  if (known) unfold(n, known, c, b, tail, twice);
  else gauss_points(n, c, b, values);
  for (int i = 0; i < n; i++) late[i] = b[i]*(1 - c[i]);
  if (known) needs &= ~EPI_PERIOD_TWICE;
  if (known && !needs) return;
  legendre(n + 1, n, c, values);
  gauss_integrals(n, c, b, values, needs, once, twice);
  if (!known) tails(n, b, values, tail);
}
static int gauss_size(int n) { return 5*n + 2*n*n; }

size_t epi_period_rule_size(int n, int phases)
{
  size_t numbers = (size_t)gauss_size(n) + (size_t)((3*n + 3)*phases);
  return (sizeof(epi_period_rule) + numbers*sizeof(double) + 15)/16*16;
}

epi_period_rule *epi_period_rule_make(int n, int phases, int needs, const epi_period_rule *like, const epi_period_rule *also, void *memory)
{
  epi_period_rule *r = memory;
  double *own = (double *)(r + 1), *wave = own + gauss_size(n);
  double *wave_once = wave + n*phases, *wave_twice = wave_once + n*phases, *end = wave_twice + n*phases, *turned = end + phases;
  const double *c = like ? like->c : own;
  if (!like) gauss(n, needs, own);
  if (!also) turn(phases, turned, turned + phases);
  *r = (epi_period_rule){.n = n, .phases = phases, .c = c, .b = c + n, .late = c + 2*n, .tail = c + 3*n, .once = c + 5*n,
                         .twice = c + 5*n + n*n, .wave = wave, .wave_once = wave_once, .wave_twice = wave_twice, .wave_end = end,
                         .turned = also ? also->turned : turned, .forms = epi_period_forms_of(n)};
  waves(n, phases, c, needs, r->turned, wave, wave_once, wave_twice, end);
  return r;
}

/* ---- up to any point ---- */
static void waves_up_to(int phases, double x, double *once, double *twice)
{
  double p = 1.0/phases;
  for (int j = 0; j < phases; j++) {
    once[j] = p*x;
    twice[j] = 0.5*p*x*x;
    for (int k = 1; 2*k < phases; k++) {
      double K = 2*EPI_PI*k, at = 2*EPI_PI*((long)k*j % phases)/phases, first = 2*p/K, u = K*x - at;
      once[j] += first*(sin(u) + sin(at));
      twice[j] += first*((cos(at) - cos(u))/K + x*sin(at));
    }
  }
}

/* the integrals of P_k up to x are the differences of its neighbours, as at the points themselves */
void epi_period_up_to(const epi_period_rule *A, double x, epi_period_part *to)
{
  int n = A->n;
  double at_x[EPI_PERIOD_NODES + 3], I[EPI_PERIOD_NODES + 2], J[EPI_PERIOD_NODES + 1], u = 2*x - 1;
  at_x[0] = 1;
  at_x[1] = u;
  for (int k = 1; k < n + 2; k++) at_x[k + 1] = ((2*k + 1)*u*at_x[k] - k*at_x[k - 1])/(k + 1);
  I[0] = x;
  for (int k = 1; k <= n + 1; k++) I[k] = (at_x[k + 1] - at_x[k - 1])/(2*(2*k + 1));
  J[0] = 0.5*x*x;
  for (int k = 1; k <= n; k++) J[k] = (I[k + 1] - I[k - 1])/(2*(2*k + 1));
  for (int i = 0; i < n; i++) {
    double down = 0, value = 1, v = 2*A->c[i] - 1;
    to->once[i] = to->twice[i] = 0;
    for (int k = 0; k < n; k++) {
      double w = A->b[i]*(2*k + 1)*value, up = ((2*k + 1)*v*value - k*down)/(k + 1);
      to->once[i] += w*I[k];
      to->twice[i] += w*J[k];
      down = value;
      value = up;
    }
  }
  waves_up_to(A->phases, x, to->wave_once, to->wave_twice);
}
