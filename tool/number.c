/* number.c - doubles as text: the fewest digits that read back with the same bits */
#include "tool.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* 15 digits always survive, 17 always suffice */
number shortest(double x)
{
  number n;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(n.text, sizeof n.text, "%.*g", digits, x);
    if (!isfinite(x) || strtod(n.text, NULL) == x) break;
  }
  return n;
}

int read_number(const char *word, double *x)
{
  char *end;
  if (!*word || isspace((unsigned char)*word)) return 0;
  *x = strtod(word, &end);
  return !*end && isfinite(*x);
}

double worse(double a, double b) { return isnan(a) || a >= b ? a : b; }
