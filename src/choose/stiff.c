/* stiff.c - the scales of a system first: where a fast oscillation is not worth resolving, the slow part of the motion, else all ways in
 * turn */
#include "search.h"

int epi_try_ways(epi_search *a)
{
  int bad = 0;
  epi_find_scales(a);
  if (a->scales.fast > 0) bad = epi_try_slow(a);
  return bad || a->settled ? bad : epi_try_each(a);
}
