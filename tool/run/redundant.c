/* redundant.c - constraints that follow from others at the start, told */
#include "tool.h"

int redundant_print(epi_case *c, FILE *f)
{
  char first[200] = "";
  epi_state s = epi_case_state(c);
  int n = epi_redundant(&c->system, &s, first, sizeof first);
  if (n <= 0) return n;
  fprintf(f, "redundant: %d of %d constraints follow%s from the others", n, c->system.nc, n == 1 ? "s" : "");
  fprintf(f, ", as %s%s; all are held, by the smallest multipliers that do it\n", n == 1 ? "does " : "do ", first);
  return n;
}
