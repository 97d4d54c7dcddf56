/* kicks.c - how narrow a smooth force is within a turn of its phase. Smooth forces have no kinks, but a turn may have a short kick in it,
 * which no stage of a long step meets: the force is asked at many phases of a turn, and its highest overtone tells how long steps may be */
#include "average/phase.h"
#include "search.h"

enum { FEW = 128, MANY = 512, LEAST = 8 };      /* fewer overtones than that are resolved by any steps */
static const double nothing = 1e-3;     /* of the largest: lower ones make no kick narrower */

/* the highest overtone, of those of n values over a turn, that is not next to nothing. cosine: n of them over a turn */
static int highest(int n, const double *x, const double *cosine)
{
  double size[MANY/2] = {0}, most = 0;
  for (int k = 1; k < n/2; k++) {
    double a = 0, b = 0;
    for (int j = 0; j < n; j++) {
      a += x[j]*cosine[k*j % n];
      b += x[j]*cosine[(k*j + n/4) % n];
    }
    size[k] = a*a + b*b;
    most = fmax(most, size[k]);
  }
  for (int k = n/2 - 1; k > 0; k--) if (size[k] > nothing*nothing*most) return k;
  return 0;
}

/* the same of the force at n phases, with the state of the start held at the time t; 0 where it cannot be asked. x: n numbers for each
   entry of the force, and n more */
static int overtones_at(epi_search *a, double t, int n, double *x)
{
  epi_case *c = a->c;
  const int entries = epi_nv(&c->system);
  double *cosine = x + n*entries;
  int found = 0;
  for (int j = 0; j < n; j++) {
    const double phase = 2*EPI_PI*j/n;
    cosine[j] = cos(phase);
    a->to->spent++;
    if (epi_force_at(&c->system, t, c->theta + phase, c->y, a->held)) return 0;
    for (int i = 0; i < entries; i++) x[i*n + j] = a->held[i];
  }
  for (int i = 0; i < entries; i++) {
    const int one = highest(n, x + i*n, cosine);
    found = one > found ? one : found;
  }
  return found;
}

/* at the start and near the middle of the run: an amplitude may begin at zero. Few phases show that there is a kick, and many how narrow
   it is */
int epi_find_kicks(epi_search *a)
{
  const epi_system *m = &a->c->system;
  const double span = a->to->end - a->c->t, parts[] = {0, 0.47};
  a->overtones = 0;
  if (!m->traits.smooth || !m->phase.forced || !(a->to->turns > 0) || !epi_can_be_asked(m)) return 0;
  double *x = malloc((size_t)(epi_nv(m) + 1)*MANY*sizeof *x);
  /* without them another flow would be chosen */
  if (!x) return epi_choose_fail(a->to, EPI_MEMORY, "out of memory");
  for (int k = 0; k < 2; k++) {
    const double t = a->c->t + parts[k]*span;
    if (overtones_at(a, t, FEW, x) < LEAST) continue;
    const int found = overtones_at(a, t, MANY, x);
    a->overtones = found > a->overtones ? found : a->overtones;
  }
  free(x);
  return 0;
}

/* a step of order 8 asks for the force at twelve places, no two neighbours of which are further apart than a quarter of it */
double epi_longest_by_kicks(const epi_search *a, int at_its_ends)
{
  return a->overtones ? (at_its_ends ? 0.5 : 4)*a->to->period/a->overtones : HUGE_VAL;
}
