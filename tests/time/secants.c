/* holds: changes of a function of the state are extrapolated from two earlier ones to their order */
#include "time/secants.h"
#include "test.h"

static const double per_unit[3] = {1, 0.1, 10};
static void linear(const double *dy, double *df)
{
  static const double A[3][3] = {{0, 1, 0.2}, {-4, 0.3, 0}, {0.5, 0, -1}};
  for (int i = 0; i < 3; i++) df[i] = A[i][0]*dy[0] + A[i][1]*dy[1] + A[i][2]*dy[2];
}

int main(void)
{
  double kept[4 + 4*3] = {0}, df[3], told[3];
  const double a[3] = {1e-3, 2e-3, 0}, b[3] = {-2e-3, 1e-3, 0}, c[3] = {5e-4, -3e-3, 0}, out[3] = {0, 0, 1e-3}, slope = 4;
  check_count(epi_secants_size(3), 16);
  check(epi_secants_foretell(kept, 3, per_unit, a, slope, told) == HUGE_VAL);
  linear(a, df);
  epi_secants_see(kept, 3, per_unit, a, df);
  linear(b, df);
  epi_secants_see(kept, 3, per_unit, b, df);
  /* two are known, and how well they foretell is not */
  check(epi_secants_foretell(kept, 3, per_unit, c, slope, told) == HUGE_VAL);
  linear(c, df);
  epi_secants_see(kept, 3, per_unit, c, df);
  const double d[3] = {1e-3, 1e-3, 0};
  double off = epi_secants_foretell(kept, 3, per_unit, d, slope, told), later;
  linear(d, df);
  for (int i = 0; i < 3; i++) check_abs(told[i], df[i], 1e-16);
  check_below(off, 0.15*4e-3);
  check_above(off, 0.01*4e-3/10);
  /* the older they are, the less is known */
  epi_secants_use(kept);
  later = epi_secants_foretell(kept, 3, per_unit, d, slope, told);
  check_below(later, 2*off);
  check_above(later, 1.5*off);
  /* a way that they do not span counts with the slope that is told */
  check_above(epi_secants_foretell(kept, 3, per_unit, out, slope, told), slope*0.99e-3/0.1);
  /* one that turns out otherwise: nothing is relied upon */
  linear(d, df);
  for (int i = 0; i < 3; i++) df[i] *= -1;
  epi_secants_see(kept, 3, per_unit, d, df);
  check_above(epi_secants_foretell(kept, 3, per_unit, c, slope, told), 0.5*1e-3);
  /* nothing moves: nothing is known from that */
  memset(df, 0, sizeof df);
  epi_secants_see(kept, 3, per_unit, df, df);
  check(epi_secants_foretell(kept, 3, per_unit, c, slope, told) == HUGE_VAL);
  return test_done();
}
