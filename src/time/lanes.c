/* lanes.c - what a step of adams does to every component, where it is tried again or ends on its way */
#include "lanes.h"

void epi_lanes_say(const epi_lanes *p, int m, const epi_weight *w, const double *dd)
{
  const epi_lanes d = *p;
  for (int i = 0; i < d.P; i += EPI_LANES, dd += EPI_NEXT_LANES) {
    sums a = {0};
    for (int j = 0; j < m; j++) add_point(&a, w[j], epi_two_at(dd + j*EPI_LANES));
    put_sums(d, i, a);
  }
}

void epi_lanes_predict(const epi_lanes *p, const double *y, double h)
{
  const epi_lanes d = *p;
  for (int i = 0; i < d.D; i += EPI_LANES) predict_all(d, i, y, h, epi_two_at(d.once + i), epi_two_at(d.twice + i));
}

void epi_lanes_most(const epi_lanes *p, const double *y, const double *was, double *most)
{
  const int N = p->pairs + p->D;
  for (int i = 0; i < N; i += EPI_LANES) {
    const int left = N - i;
    epi_put_lanes(most + i, left, epi_two_larger(epi_two_size(epi_lanes_at(y + i, left)), epi_lanes_at(was + i, left)));
  }
}
