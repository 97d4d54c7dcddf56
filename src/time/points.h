/* points.h - the polynomial through the last rates of a motion, by Newton's form: what each of its points counts for over a step, in the
 * rate at the end, in the integral of the rate and in the integral of that */
#ifndef EPI_POINTS_H
#define EPI_POINTS_H
#include "core.h"
#include "two.h"

enum { EPI_POINTS = 12 };              /* the most */

/* what counts of a point, or of the corrector, which comes after all of them; by: 1 over how far before the newest the next point is, for
   its divided differences. Each twice over, for two components at a time */
typedef struct { epi_two value, once, twice, by; } epi_weight;
/* one over what the corrector has more of the rate; by how much correctors with so many points and with one less are apart where rates are
   off by 1 */
typedef struct { double by, once, twice; } epi_point_gap;
/* a step of h with m of these points, or any of less; even: so many of them are h apart; known: which gaps are, a bit for each; sum: what
   the weights were found from, behind every second point, as far as it serves for `top` points */
typedef struct {
  int m, even, top;
  unsigned known;
  double h, place[EPI_POINTS];
  epi_weight w[EPI_POINTS + 1];
  epi_point_gap gap[EPI_POINTS + 1];
  double sum[EPI_POINTS/2 + 1][EPI_POINTS + 4];
} epi_stride;

/* for m points at these places, seen from the newest, the first of which are h apart; `most` points will be asked for. Steps of one length
   have it in common */
EPI_INSIDE void epi_stride_set(epi_stride *, int m, int most, const double *place, double h, int even);
/* the weights over the part u of a step of h alone */
EPI_INSIDE void epi_stride_part(epi_stride *, int m, const double *place, double h, double u);
EPI_INSIDE const epi_point_gap *epi_stride_gap_find(epi_stride *, int m);

static inline void epi_stride_to(epi_stride *a, int m, int most, const double *place, double h, int even)
{
  if (a->h != h || m > a->even || m > even) epi_stride_set(a, m, most, place, h, even);
}
/* and the one before it is known too */
static inline const epi_point_gap *epi_stride_gap_of_two(epi_stride *a, int m)
{
  const unsigned both = (m > 1 ? 3u : 2u) << (m - 1);
  if ((a->known & both) == both) return &a->gap[m];
  if (m > 1) epi_stride_gap_find(a, m - 1);
  return epi_stride_gap_find(a, m);
}
static inline const epi_point_gap *epi_stride_gap(epi_stride *a, int m)
{
  return a->known >> m & 1 ? &a->gap[m] : epi_stride_gap_find(a, m);
}
#endif
