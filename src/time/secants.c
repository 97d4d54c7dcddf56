/* secants.c - a function that changes little from step to step in how it depends on the state: its change along a small way is foretold
 * from the last two that were seen, as far as these span that way */
/* compile: hot */
#include "secants.h"
#include "two.h"

enum { PAIRS, WRONG, AGE, AGE_BEFORE, HEAD };      /* ages: of the newest pair, and of the one before it */
static const double least_wrong = 0.02;      /* part of a change: what was foretold better was so by chance */
static const double another_way = 1.5;       /* in another direction it is wrong by so much more, as a rule */

/* parts of the two ways whose sum comes nearest to dy */
EPI_INLINED void parts(const double *kept, int n, const double *per_unit, const double *dy, double *part)
{
  const double *a = kept + HEAD, *b = a + 2*n;
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
  for (int i = 0; i < n; i++) {
    const double u = a[i]*per_unit[i], v = b[i]*per_unit[i], y = dy[i]*per_unit[i];
    aa += u*u;
    ab += u*v;
    bb += v*v;
    ay += u*y;
    by += v*y;
  }
  const double size = aa*bb - ab*ab;
  part[0] = aa > 0 ? ay/aa : 0;
  part[1] = 0;
  /* two ways that are nearly one say nothing of any other */
  if (!(size > 1e-4*aa*bb)) return;
  part[0] = (ay*bb - by*ab)/size;
  part[1] = (by*aa - ay*ab)/size;
}

/* what the two give to a change, by how long ago they were seen; of two that nearly cancel, what both are wrong by is left */
EPI_INLINED double share(const double *kept, int n, const double *per_unit, const double *part)
{
  const double *fa = kept + HEAD + n, *fb = fa + 2*n;
  double most = 0, before = 0;
  for (int i = 0; i < n; i++) {
    most = epi_larger(most, fabs(fa[i])*per_unit[i]);
    before = epi_larger(before, fabs(fb[i])*per_unit[i]);
  }
  return (1 + kept[AGE])*fabs(part[0])*most + (1 + kept[AGE_BEFORE])*fabs(part[1])*before;
}

EPI_INLINED double foretell(const double *kept, int n, const double *per_unit, const double *dy, double slope, double *df)
{
  const double *a = kept + HEAD, *fa = a + n, *b = fa + n, *fb = b + n;
  double part[2], rest = 0;
  if (kept[PAIRS] < 2 || !isfinite(kept[WRONG])) return HUGE_VAL;
  parts(kept, n, per_unit, dy, part);
  for (int i = 0; i < n; i++) {
    df[i] = part[0]*fa[i] + part[1]*fb[i];
    rest = epi_larger(rest, fabs(dy[i] - part[0]*a[i] - part[1]*b[i])*per_unit[i]);
  }
  return another_way*kept[WRONG]*share(kept, n, per_unit, part) + slope*rest;
}

double epi_secants_foretell(const double *kept, int n, const double *per_unit, const double *dy, double slope, double *df)
{
  return n == 2 ? foretell(kept, 2, per_unit, dy, slope, df) : foretell(kept, n, per_unit, dy, slope, df);
}

void epi_secants_use(double *kept) { kept[AGE]++; kept[AGE_BEFORE]++; }

EPI_INLINED void look(double *kept, int n, const double *per_unit, const double *dy, const double *df)
{
  double *a = kept + HEAD, *fa = a + n, *b = fa + n, *fb = b + n, off = 0, part[2];
  if (kept[PAIRS] == 2) {
    parts(kept, n, per_unit, dy, part);
    for (int i = 0; i < n; i++) off = epi_larger(off, fabs(df[i] - part[0]*fa[i] - part[1]*fb[i])*per_unit[i]);
    double all = share(kept, n, per_unit, part);
    kept[WRONG] = all > 0 ? fmax(least_wrong, off/all) : HUGE_VAL;
  } else kept[WRONG] = HUGE_VAL;
  memcpy(b, a, 2*(size_t)n*sizeof *b);
  memcpy(a, dy, (size_t)n*sizeof *a);
  memcpy(fa, df, (size_t)n*sizeof *fa);
  kept[PAIRS] = fmin(2, kept[PAIRS] + 1);
  kept[AGE_BEFORE] = kept[AGE] + 1;
  kept[AGE] = 0;
}

void epi_secants_see(double *kept, int n, const double *per_unit, const double *dy, const double *df)
{
  if (n == 2) look(kept, 2, per_unit, dy, df);
  else look(kept, n, per_unit, dy, df);
}
