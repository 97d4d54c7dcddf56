/* redundant.c - constraints of a system that follow from others at a state, told by name */
#include "core.h"
#include "epicycle/measure.h"
#include <stdio.h>

static void name_first(epi_system *m, const char *follows, char *first, size_t size)
{
  int c = 0;
  while (!follows[c]) c++;
  if (m->constraints.constraint_name) m->constraints.constraint_name(m, c, first, size);
  else snprintf(first, size, "constraint %d", c);
}

int epi_redundant(epi_system *m, const epi_state *s, char *first, size_t size)
{
  if (!m->nc) return 0;
  epi_space *p = epi_space_make(m);
  size_t nc = (size_t)m->nc, nG = p && !p->fault.words[0] ? (size_t)epi_G_size(p) : 0, nA = nG ? (size_t)epi_A_size(p) : 0;
  double *room = nG ? malloc((2*nG + nA + 3*nc)*sizeof *room) : NULL;
  char *follows = calloc(nc, 1);
  int count = -1;
  if (room && follows) {
    double *G = room, *W = G + nG, *A = W + nG, *g = A + nA, *gt = g + nc, *diagonal = gt + nc;
    if (!epi_constraint_eval(m, s->t, s->y, g, G, gt)) {
      epi_G_inverse_mass(p, s->y, G, W);
      count = epi_redundant_rows(p, G, W, A, diagonal, follows);
      if (count > 0) name_first(m, follows, first, size);
    }
  }
  free(room);
  free(follows);
  if (p) epi_space_release(p);
  return count;
}
