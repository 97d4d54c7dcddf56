/* holds: Gauss points and weights of a period integrate polynomials and waves to their degree
 * period-rule.c - Gauss points of a period with what belongs to them, from the table and found: polynomials and waves are integrated as
 * they must be */
#include "method/period.h"
#include "test.h"
#include <stdlib.h>

static const double exact = 3e-15;

static double legendre(int k, double x)
{
  double before = 1, at = 2*x - 1;
  for (int j = 1; j < k; j++) {
    const double up = ((2*j + 1)*(2*x - 1)*at - j*before)/(j + 1);
    before = at;
    at = up;
  }
  return k ? at : 1;
}

/* powers up to n - 1, and up to 2n - 1 by the weights */
static void check_powers(const epi_period_rule *A)
{
  int n = A->n;
  for (int k = 0; k < 2*n; k++) {
    double sum = 0, late = 0, once[EPI_PERIOD_NODES] = {0}, twice[EPI_PERIOD_NODES] = {0};
    for (int j = 0; j < n; j++) {
      const double v = pow(A->c[j], k);
      sum += A->b[j]*v;
      late += A->late[j]*v;
      for (int i = 0; i < n; i++) { once[i] += A->once[j*n + i]*v; twice[i] += A->twice[j*n + i]*v; }
    }
    check_abs(sum, 1.0/(k + 1), exact);
    if (k < n) check_abs(late, 1.0/(k + 1)/(k + 2), exact);
    for (int i = 0; i < n && k < n; i++) {
      check_abs(once[i], pow(A->c[i], k + 1)/(k + 1), exact);
      check_abs(twice[i], pow(A->c[i], k + 2)/(k + 1)/(k + 2), exact);
    }
  }
}

static void check_tails(const epi_period_rule *A)
{
  int n = A->n;
  for (int k = 0; k < n; k++) {
    double last = 0, before = 0;
    for (int i = 0; i < n; i++) {
      last += A->tail[i]*legendre(k, A->c[i]);
      before += A->tail[n + i]*legendre(k, A->c[i]);
    }
    check_abs(last, k == n - 1, 30*exact);
    check_abs(before, k == n - 2, 30*exact);
  }
}

/* cos(K s + 0.3), which phases enough know */
static void check_waves(const epi_period_rule *A)
{
  int n = A->n, F = A->phases;
  for (int k = 0; 2*k < F; k++) {
    const double K = 2*EPI_PI*k, rounding = exact + 4e-16*K;      /* of what a cosine is asked for */
    double end = 0, wave[EPI_PERIOD_NODES] = {0}, twice[EPI_PERIOD_NODES] = {0};
    for (int j = 0; j < F; j++) {
      const double v = cos(K*j/F + 0.3);
      end += A->wave_end[j]*v;
      for (int i = 0; i < n; i++) { wave[i] += A->wave[j*n + i]*v; twice[i] += A->wave_twice[j*n + i]*v; }
    }
    for (int i = 0; i < n; i++) {
      const double c = A->c[i], is = k ? (cos(0.3) - cos(K*c + 0.3))/(K*K) - c*sin(0.3)/K : 0.5*c*c*cos(0.3);
      check_abs(wave[i], cos(K*c + 0.3), rounding);
      check_abs(twice[i], is, exact);
    }
    check_abs(end, k ? -sin(0.3)/K : 0.5*cos(0.3), exact);
  }
}

int main(void)
{
  static const int phases[] = {1, 3, 5, 9, 15, 21, 41};
  int known = 0;
  for (int n = 2; n <= 24; n++) {
    const epi_period_rule *like = NULL;
    void *memory[7];
    for (int k = 0; k < 7; k++) {
      memory[k] = malloc(epi_period_rule_size(n, phases[k]));
      epi_period_rule *A = epi_period_rule_make(n, phases[k], EPI_PERIOD_ONCE | EPI_PERIOD_TWICE, like, NULL, memory[k]), *twin = A;
      if (!like) { like = A; check_powers(A); check_tails(A); }
      check_waves(A);
      /* with the phases of another */
      void *more = malloc(epi_period_rule_size(n, phases[k]));
      twin = epi_period_rule_make(n, phases[k], EPI_PERIOD_ONCE | EPI_PERIOD_TWICE, NULL, A, more);
      for (int i = 0; i < n*phases[k]; i++) check(twin->wave[i] == A->wave[i] && twin->wave_twice[i] == A->wave_twice[i]);
      free(more);
    }
    known += epi_period_known(n) != NULL;
    for (int k = 0; k < 7; k++) free(memory[k]);
  }
  check_count(known, 9);
  check(!epi_period_known(-1) && !epi_period_known(3) && !epi_period_known(11) && !epi_period_known(52));
  return test_done();
}
