/* pages.c - a text that grows */
#include "emitting.h"
#include <stdio.h>

void epi_print_text(epi_pages *p, const char *text, size_t n)
{
  if (p->n + n + 1 > p->room) {
    size_t room = 2*(p->n + n + 1);
    char *more = realloc(p->text, room);
    if (!more) { p->lost = 1; return; }
    p->text = more;
    p->room = room;
  }
  memcpy(p->text + p->n, text, n);
  p->n += n;
  p->text[p->n] = 0;
}

void epi_print(epi_pages *p, const char *words, ...)
{
  char line[4096];
  va_list ap;
  va_start(ap, words);
  int n = vsnprintf(line, sizeof line, words, ap);
  va_end(ap);
  if (n < 0 || (size_t)n >= sizeof line) p->lost = 1;
  else epi_print_text(p, line, (size_t)n);
}

