/* arena.c - the memory of a page */
#include "arena.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct epi_piece { struct epi_piece *before; max_align_t room[]; };

void *epi_arena_room(epi_arena *m, size_t size)
{
  struct epi_piece *p = calloc(1, sizeof *p + size);
  if (!p) longjmp(m->out, 1);
  p->before = m->last;
  m->last = p;
  return p->room;
}

/* the room doubles where n is a power of two, so that a long list is not copied at each of its entries */
void *epi_arena_grown(epi_arena *m, void *list, size_t n, size_t size)
{
  if (n & (n - 1)) return list;
  void *more = epi_arena_room(m, (n ? 2*n : 1)*size);
  if (n) memcpy(more, list, n*size);
  return more;
}

char *epi_arena_text(epi_arena *m, const char *words, ...)
{
  va_list ap, again;
  va_start(ap, words);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, words, ap);
  va_end(ap);
  char *out = epi_arena_room(m, n < 0 ? 1 : (size_t)n + 1);
  vsnprintf(out, n < 0 ? 1 : (size_t)n + 1, words, again);
  va_end(again);
  return out;
}

void epi_arena_free(epi_arena *m)
{
  while (m->last) {
    struct epi_piece *p = m->last;
    m->last = p->before;
    free(p);
  }
}
