/* semi-stiff.c - the accelerations of the second system of semi */
#include "semi.h"

/* ---- B, and where it is asked ---- */
int epi_semi_stiff(epi_flow *f, double t, double theta, const double *y, double *a)
{
  epi_system *b = f->other;
  int bad = 0;
  f->others++;
  memset(a, 0, (size_t)epi_nv(b)*sizeof *a);
  if (epi_has_force(b)) bad = epi_force_at(b, t, theta, y, a);
  if (!bad && b->velocity_force) bad = b->velocity_force(b, t, y, y + b->nq, a);
  epi_apply_inverse_mass(f->space, y, a);
  return bad;
}
