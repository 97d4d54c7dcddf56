/* decimal.h - decimal numbers as every machine reads them */
#ifndef EPI_DECIMAL_H
#define EPI_DECIMAL_H
#include "core.h"

/* the double nearest to the decimal number at the front of text, ties to even, the point a point in every locale; also inf, infinity, nan.
   end: after it, or text where there is no number */
EPI_INSIDE double epi_decimal(const char *text, const char **end);
#endif
