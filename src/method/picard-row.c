/* picard-row.c - a state within a period. The period is crossed as a whole, with as many nodes as the forces on its way need, and what was
 * found is integrated up to there: at the end of a period far fewer do, for there the errors of Gauss points cancel */
#include "picard.h"

#define ENOUGH 0.1                      /* of what is allowed */
#define LITTLE 3e-3                     /* that a sweep leaves of what it changed: above it a part of a period is cheaper by itself */

/* more nodes, by a digit each that is missing; 0: there are none */
static int nodes_for(int n, double off)
{
  for (; n && off > ENOUGH; off *= 0.1) n = epi_picard_more_nodes(n);
  return n;
}

int epi_picard_within(epi_flow *f, const epi_state *s, double T, double part, double *moved, int *done)
{
  const epi_crossing_room *d = room_of(f);
  const double *keep = f->keep;
  int n = (int)keep[USED_NODES], F = (int)keep[USED_PHASES], bad;
  *done = 0;
  if (!n || keep[USED_PIECES] != 1 || !f->sys->traits.smooth || keep[PER_ANY] > LITTLE) return 0;
  const epi_period_rule *A = epi_crossing_rule(f, n, F);
  if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
  int cold = epi_picard_go_on(f, s->t), found = 1;
  epi_predict_path(f, s, T, A, cold);
  for (int k = cold ? 0 : 1; k < MOST_SWEEPS; k++) {
    if (!found) epi_correct_path(f, T, A);
    found = 0;
    if ((bad = epi_sweep(f, s, A))) return bad;
    const double *allowed = epi_picard_allowed(f, s, T, F, n);
    if (!k || !(epi_crossing_change(f, T, allowed)*fmax(keep[PER_ANY], epi_crossing_echo(f, T)) <= ENOUGH)) continue;
    epi_move_by(f, s, T, A, d->two);
    /* the last coefficients, integrated once */
    double off = epi_crossing_signs_of(f, T, allowed, d->two).tail/(2*n);
    if (off <= ENOUGH) {
      epi_move_within(f, s, T, A, part, moved);
      *done = 1;
      return 0;
    }
    int many = nodes_for(n, off);
    if (!many) return 0;
    const epi_period_rule *to = epi_crossing_rule(f, many, F);
    epi_carry_over(f, epi_crossing_rule(f, n, 0), to);
    epi_predict_path(f, s, T, to, 0);
    found = 1;
    A = to;
    n = many;
  }
  return 0;
}
