/* holds: the checks of test.h pass where they should and fail where they should */
#include "test.h"

int main(void) {
  double h[] = {0.1, 0.05, 0.025, 0.0125}, holes[] = {0.1, 0.05, NAN, 0.0125}, flat[4], e[4];
  for (int i = 0; i < 4; i++) e[i] = 3*pow(h[i], 4), flat[i] = i < 2 ? e[i] : e[1];

  /* what holds */
  check(1 < 2);
  check_abs(1, 1 + 1e-9, 1e-8);
  check_rel(1e10, 1e10 + 1, 1e-9);
  check_near(1e-20, 0, 1e-12, 1e-19);
  check_ulp(1.0, nextafter(1, 2), 1);
  check_ulp(0.0, -0.0, 0);
  check_ulp(-0x1p-1074, 0x1p-1074, 2);
  check_below(1, 1);
  check_between(1, 0, 2);
  check_count(3, 3);
  check_array(4, h, h, 0);
  check_bits(4, h, h);
  check_text("verlet", "verlet");
  check_has("verlet(model)", "model");
  check_order(4, h, e, 4, 1e-9);

  /* what does not: beyond the number shown they are quiet, and the counts are put back */
  long passed = test.passed, failed = test.failed;
  test.failed = TEST_SHOWN;
  check(1 > 2);
  check_abs(1, 1 + 1e-9, 1e-10);
  check_abs(NAN, NAN, 1);
  check_rel(1e10, 1e10 + 1, 1e-11);
  check_near(1e-20, 0, 1, 1e-21);
  check_ulp(1.0, 1 + 0x1p-51, 1);
  check_ulp(-1.0, 1.0, 1000);
  check_ulp(NAN, NAN, 1000);
  check_below(NAN, 1);
  check_above(1, nextafter(1, 2));
  check_between(3, 0, 2);
  check_count(3, 4);
  check_array(4, holes, h, 1);
  check_array(0, h, h, 1);
  check_bits(4, holes, h);
  check_bits(1, &(double){0.0}, &(double){-0.0});
  check_text("verlet", "Verlet");
  check_text(NULL, "verlet");
  check_has(NULL, "model");
  check_order(4, h, e, 3.9, 0.05);
  check_order(4, h, flat, 4, 0.05);
  check_order(1, h, e, 4, 1);
  long rejected = test.failed - TEST_SHOWN, let_through = test.passed - passed;
  test.passed = passed, test.failed = failed;
  check_count(let_through, 0);
  check_count(rejected, 22);
  return test_done();
}
