/* words.c - texts printed into new memory */
#include "recorder.h"

char *epi_printed(const char *words, ...)
{
  va_list ap, again;
  va_start(ap, words);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, words, ap);
  char *out = n < 0 ? NULL : malloc((size_t)n + 1);
  if (out) vsnprintf(out, (size_t)n + 1, words, again);
  va_end(again);
  va_end(ap);
  return out;
}
