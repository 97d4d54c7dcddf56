/* next-break.c - times at which a force bends or jumps, as its system names them */
#include "core.h"

int epi_next_break(const epi_system *m, double t, int step, double dt)
{
  /* one that is reached to within rounding is behind */
  const double near = 1e-12*(fabs(t) + dt);
  int low = 0, high = m->traits.nbreaks;
  while (low < high) {
    int mid = (low + high)/2;
    if (step > 0 ? m->traits.breaks[mid] <= t + near : m->traits.breaks[mid] < t - near) low = mid + 1;
    else high = mid;
  }
  int i = step > 0 ? low : low - 1;
  return i < 0 || i >= m->traits.nbreaks || fabs(m->traits.breaks[i] - t) >= dt ? -1 : i;
}
