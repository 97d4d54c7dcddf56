/* term.c - terms printed into new memory */
#include "tool.h"

char *term_text(const epi_term *t)
{
  size_t n = epi_term_text(t, NULL, 0) + 1;
  char *out = need(n);
  epi_term_text(t, out, n);
  return out;
}
