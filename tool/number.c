/* number.c - numbers of the command line */
#include "tool.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

int read_number(const char *word, double *x)
{
  char *end;
  if (!*word || isspace((unsigned char)*word)) return 0;
  *x = strtod(word, &end);
  return !*end && isfinite(*x);
}
