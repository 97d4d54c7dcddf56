/* warn.c - what is doubtful of a run that goes on */
#include "recorder.h"
#include "letters.h"

void epi_result_warn(epi_result *r, const char *words, ...)
{
  char said[EPI_WARNING_SIZE];
  va_list ap;
  va_start(ap, words);
  epi_sentence_print(said, sizeof said, words, ap);
  va_end(ap);
  for (int i = 0; i < r->warnings; i++) if (!strcmp(r->warning[i], said)) return;
  if (r->warnings < EPI_WARNINGS) memcpy(r->warning[r->warnings++], said, sizeof said);
}
