/* sums.c - sums over whole periods in place of integrals: Euler and Maclaurin's formula, which is exact for polynomials */
#include "sums.h"

/* sum over i < n of (i d)^k d, d = 1/M, k up to `most` */
static void power_sums(int most, double M, double n, double *sum)
{
  /* Bernoulli's numbers over factorials: B_2/2!, B_4/4!, ... */
  static const double bernoulli[] = {1./12, -1./720, 1./30240, -1./1209600, 1./47900160};
  double x = n/M, d = 1/M, power[EPI_SUM_DEGREE + 2] = {1};
  for (int k = 1; k < most + 2; k++) power[k] = power[k-1]*x;
  sum[0] = x;
  for (int k = 1; k <= most; k++) {
    double falling = k, dj = d*d;
    sum[k] = power[k+1]/(k + 1) - 0.5*d*power[k];
    for (int j = 1; 2*j <= k; j++) {
      /* falling = k!/(k - 2j + 1)! */
      sum[k] += bernoulli[j-1]*dj*falling*power[k - 2*j + 1];
      falling *= (double)(k - 2*j + 1)*(k - 2*j);
      dj *= d*d;
    }
  }
}

void epi_newton_sums(int m, const double *place, double M, double n, double *S, double *E)
{
  double sum[EPI_SUM_DEGREE + 1], c[EPI_SUM_DEGREE + 1] = {1};
  power_sums(m, M, n, sum);
  E[0] = 1;
  for (int k = 0; k <= m; k++) {
    S[k] = 0;
    for (int i = k; i >= 0; i--) S[k] += c[i]*sum[i];
    if (k == m) break;
    double root = (place[k] - place[0])/M;
    E[k+1] = E[k]*(1 - root);
    for (int i = k + 1; i > 0; i--) c[i] = c[i-1] - root*c[i];
    c[0] *= -root;
  }
}
