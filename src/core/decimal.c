/* decimal.c - numbers as text, with a point in every locale */
#include "core.h"
#include <ctype.h>
#include <locale.h>

double epi_decimal(const char *text, const char **end)
{
  char copy[64], point = localeconv()->decimal_point[0], *stop;
  size_t n = 0;
  while (n + 1 < sizeof copy && (isalnum((unsigned char)text[n]) || strchr("+-.", text[n])) && text[n]) {
    /* a sign belongs to a number only at its front or after an e */
    if (n && (text[n] == '+' || text[n] == '-') && tolower((unsigned char)text[n-1]) != 'e') break;
    copy[n] = text[n] == '.' ? point : text[n];
    n++;
  }
  copy[n] = 0;
  double x = strtod(copy, &stop);
  *end = text + (stop - copy);
  return x;
}
