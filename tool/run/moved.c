/* moved.c - a start that was brought onto its joints: how far from where the file has it, told */
#include "tool.h"
#include <math.h>

/* of n coordinates from the first on: the one that was moved the most, where that is more than rounding; -1: none */
static int most_moved(const double *from, const double *to, int first, int n)
{
  double size = 0, most = 0;
  int which = -1;
  for (int i = first; i < first + n; i++) {
    size = fmax(size, fmax(fabs(from[i]), fabs(to[i])));
    if (fabs(to[i] - from[i]) > most) most = fabs(to[i] - from[i]), which = i;
  }
  return most > 1e-7*size ? which : -1;
}

void moved_print(epi_case *c, FILE *f)
{
  const epi_system *m = &c->system;
  if (!c->world || !m->nc || !m->names) return;
  epi_state file = epi_world_state(c->world), s = epi_case_state(c);
  int place = most_moved(file.y, s.y, 0, m->nq), speed = most_moved(file.y, s.y, m->nq, m->nv);
  if (place < 0 && speed < 0) return;
  fputs("start: brought onto the joints, which changes ", f);
  if (place >= 0) fprintf(f, "places and attitudes by up to %.2g (%s)", fabs(s.y[place] - file.y[place]), m->names[place]);
  if (speed >= 0)
    fprintf(f, "%svelocities by up to %.2g (%s)", place < 0 ? "" : " and ", fabs(s.y[speed] - file.y[speed]), m->names[speed]);
  fputc('\n', f);
}
