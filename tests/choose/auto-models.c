/* holds: quick models meet 1e-3 and 1e-6 within a factor of three, by the tolerance alone */
#include "auto-models.h"

int main(void)
{
  static const char *const models[] = {"pendulum", "inverted-pendulum", "averaged-pendulum", "kepler", "rotor", "two-oscillators",
                                       "averaged-double-pendulum", "rod-chain", "billiard", "oscillator", "rigid-body", "heavy-top",
                                       "cradle", "drop", "four-bar", "rolling-sphere"};
  for (size_t i = 0; i < sizeof models/sizeof *models; i++)
    for (int k = 1; k < 3; k++) {
      double tol = k == 1 ? 1e-3 : 1e-6;
      verdict v = judged(models[i], tol);
      if (!check(v.answered) || !check_below(v.error/tol, 3)) printf("  %s to %g by %s: %s\n", models[i], tol, v.flow, v.said);
    }
  return test_done();
}
