/* words.c - endings of the names of files */
#include "words.h"
#include <string.h>

int epi_file_ends(const char *word, const char *ending)
{
  size_t n = strlen(word), m = strlen(ending);
  return n > m && !strcmp(word + n - m, ending);
}

int epi_file_code(const char *word) { return epi_file_ends(word, ".c") || epi_file_ends(word, ".so"); }
