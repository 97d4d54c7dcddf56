/* period.c - Gauss points with their integrals, by Legendre polynomials; trigonometric interpolation with its integrals */
#include "period.h"

/* P_0 ... P_n of 2x - 1 */
static void legendre(int n, double x, double *P)
{
  double u = 2*x - 1;
  P[0] = 1;
  P[1] = u;
  for (int k = 1; k < n; k++) P[k + 1] = ((2*k + 1)*u*P[k] - k*P[k - 1])/(k + 1);
}

/* the integral from 0 of P_k, from those of its neighbours: P_k = (P_{k+1}' - P_{k-1}')/(2 (2k + 1)) */
static double integral(const double *P, int k) { return (P[k + 1] - P[k - 1])/(2*(2*k + 1)); }

static double slope_of_last(int n, double x, const double *P)
{
  double u = 2*x - 1;
  return 2*n*(u*P[n] - P[n - 1])/(u*u - 1);
}

static void gauss_points(int n, double *c, double *b, double *P)
{
  for (int i = 0; i < (n + 1)/2; i++) {
    double x = 0.5 - 0.5*cos(EPI_PI*(i + 0.75)/(n + 0.5)), dx = 1;
    for (int it = 0; it < 20 && fabs(dx) > 1e-15; it++) {
      legendre(n, x, P);
      dx = P[n]/slope_of_last(n, x, P);
      x -= dx;
    }
    legendre(n, x, P);
    double slope = slope_of_last(n, x, P);
    c[i] = x;
    c[n - 1 - i] = 1 - x;
    b[i] = b[n - 1 - i] = 1/(slope*slope*x*(1 - x));
  }
}

/* the interpolant through value j alone is b_j sum_k (2k + 1) P_k(c_j) P_k, k < n; I_k and J_k are the integrals of P_k */
static void gauss_integrals(int n, const double *c, const double *b, double *once, double *twice, double *P)
{
  double *Pj = P + n + 3, *I = Pj + n + 3;
  for (int i = 0; i < n; i++) {
    legendre(n + 2, c[i], P);
    I[0] = c[i];
    for (int k = 1; k <= n; k++) I[k] = integral(P, k);
    for (int j = 0; j < n; j++) {
      legendre(n, c[j], Pj);
      double x = I[0], y = 0.5*c[i]*c[i];
      for (int k = 1; k < n; k++) {
        double w = (2*k + 1)*Pj[k];
        x += w*I[k];
        y += w*(I[k + 1] - I[k - 1])/(2*(2*k + 1));
      }
      once[j*n + i] = b[j]*x;
      twice[j*n + i] = b[j]*y;
    }
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

/* one harmonic k of value j: cos K(x - s) with K = 2 pi k, s = j/phases, integrated twice */
static void waves(int n, int phases, const double *c, double *wave, double *once, double *twice, double *end)
{
  for (int j = 0; j < phases; j++) {
    double p = 1.0/phases;
    for (int i = 0; i < n; i++) {
      wave[j*n + i] = p;
      once[j*n + i] = p*c[i];
      twice[j*n + i] = 0.5*p*c[i]*c[i];
    }
    end[j] = 0.5*p;
    for (int k = 1; 2*k < phases; k++) {
      double K = 2*EPI_PI*k, at = 2*EPI_PI*((long)k*j % phases)/phases, sin0 = sin(at), cos0 = cos(at);
      for (int i = 0; i < n; i++) {
        double x = sin(K*c[i] - at), y = cos(K*c[i] - at);
        wave[j*n + i] += 2*p*y;
        once[j*n + i] += 2*p*(x + sin0)/K;
        twice[j*n + i] += 2*p*((cos0 - y)/(K*K) + c[i]*sin0/K);
      }
      end[j] += 2*p*sin0/K;
    }
  }
}

static void tails(int n, const double *c, const double *b, double *tail, double *P)
{
  for (int i = 0; i < n; i++) {
    legendre(n, c[i], P);
    tail[i] = b[i]*P[n - 1]*(2*n - 1);
    tail[n + i] = b[i]*P[n - 2]*(2*n - 3);
  }
}

size_t epi_period_rule_size(int n, int phases)
{
  size_t N = (size_t)n, F = (size_t)phases, numbers = 4*N + 2*N*N + 3*N*F + F, scratch = 3*(N + 3);
  return (sizeof(epi_period_rule) + (numbers + scratch)*sizeof(double) + 15)/16*16;
}

epi_period_rule *epi_period_rule_make(int n, int phases, void *memory)
{
  epi_period_rule *r = memory;
  double *c = (double *)(r + 1), *b = c + n, *once = b + n, *twice = once + n*n, *wave = twice + n*n, *wave_once = wave + n*phases;
  double *wave_twice = wave_once + n*phases, *end = wave_twice + n*phases, *tail = end + phases, *P = tail + 2*n;
  *r = (epi_period_rule){.n = n, .phases = phases, .c = c, .b = b, .once = once, .twice = twice, .wave = wave, .wave_once = wave_once,
                         .wave_twice = wave_twice, .wave_end = end, .tail = tail};
  gauss_points(n, c, b, P);
  gauss_integrals(n, c, b, once, twice, P);
  waves(n, phases, c, wave, wave_once, wave_twice, end);
  tails(n, c, b, tail, P);
  return r;
}
