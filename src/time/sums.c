/* sums.c - sums over whole periods in place of integrals: Euler and Maclaurin's formula, which is exact for polynomials */
/* compile: hot */
#include "sums.h"
#include "two.h"

/* Bernoulli's numbers over factorials: B_2/2!, B_4/4!, ... */
static const double bernoulli[] = {1./12, -1./720, 1./30240, -1./1209600, 1./47900160};

/* sum over i < n of (i d)^k d, d = 1/M, k up to `most` */
static void power_sums(int most, double M, double n, double *sum)
{
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

/* the same over all of M, where every power is 1; two at a time, and the same two each time: what was just stored as two is read as such */
EPI_INLINED void whole_sums(int most, double M, double *sum)
{
  static const double part[] = {1, 1./2, 1./3, 1./4, 1./5, 1./6, 1./7, 1./8, 1./9, 1./10, 1./11, 0};
  /* k!/(k - 2j + 1)!, j = 1 ... */
  static const double falling[EPI_SUM_DEGREE/2][EPI_SUM_DEGREE + 2] = {
    {0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {0, 0, 0, 0, 24, 60, 120, 210, 336, 504, 720}, {[6] = 720, 2520, 6720, 15120, 30240},
    {[8] = 40320, 181440, 604800}, {[10] = 3628800}
  };
  double d = 1/M, dj = d*d;
  for (int k = 0; k <= most; k += 2) epi_put_two(sum + k, epi_two_at(part + k) - 0.5*d);
  sum[0] = 1;
  /* beyond some hundred periods what follows is less than rounding */
  for (int j = 0; 2*j + 2 <= most && dj > 1e-19; j++, dj *= d*d) {
    double term = bernoulli[j]*dj;
    for (int k = 2*j + 2; k <= most; k += 2) epi_put_two(sum + k, epi_two_at(sum + k) + term*epi_two_at(falling[j] + k));
  }
}

/* sum[j] is that of P_k(x) x^(j-1): with P_{k+1} = P_k (x - root) it becomes sum[j+1] - root sum[j]; two factors at a time */
EPI_INLINED void newton_sums(int m, const double *place, double M, double n, double *S, double *E)
{
  double sum[EPI_SUM_DEGREE + 6], by = 1/M;
  if (n == M) whole_sums(m, M, sum); else power_sums(m, M, n, sum);
  for (int j = m + 1; j < m + 5; j++) sum[j] = 0;
  /* the first root is 0 */
  E[0] = E[1] = 1;
  S[0] = sum[0];
  S[1] = m > 0 ? sum[1] : 0;
  for (int k = 1; k < m; k += 2) {
    const double root = (place[k] - place[0])*by, other = k + 1 < m ? (place[k+1] - place[0])*by : 0;
    E[k+1] = E[k]*(1 - root);
    S[k+1] = sum[2] - root*sum[1];
    if (k + 1 == m) return;
    const double first = root + other, second = root*other;
    epi_two low = epi_two_at(sum);
    for (int j = 0; j <= m - k; j += 2) {
      const epi_two high = epi_two_at(sum + j + 2), between = {low[1], high[0]};
      epi_put_two(sum + j, high - first*between + second*low);
      low = high;
    }
    E[k+2] = E[k+1]*(1 - other);
    S[k+2] = sum[1];
  }
}

void epi_newton_sums(int m, const double *place, double M, double n, double *S, double *E)
{
#define COUNT(m) case m: newton_sums(m, place, M, M, S, E); return;
  if (n == M) switch (m) { COUNT(5) COUNT(6) COUNT(7) COUNT(8) COUNT(9) }
#undef COUNT
  newton_sums(m, place, M, n, S, E);
}
