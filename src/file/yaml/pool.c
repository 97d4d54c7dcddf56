/* pool.c - blocks in a chain: nothing is given back before the file is, so that nobody has to remember what to free */
#include "pool.h"
#include "epicycle.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union block { union block *before; max_align_t align; };

void *epi_pool_room(pool *p, size_t count, size_t size)
{
  if (p->owner) {
    void *room = epi_case_room(p->owner, count ? count : 1, size);
    if (!room) p->out = 1;
    return room;
  }
  union block *b = !size || count <= (SIZE_MAX - sizeof *b)/size ? calloc(1, sizeof *b + count*size) : NULL;
  if (!b) return p->out = 1, NULL;
  b->before = p->last;
  p->last = b;
  return b + 1;
}

void *epi_pool_more(pool *p, void *list, int n, int *room, size_t size)
{
  if (n < *room) return list;
  void *larger = epi_pool_room(p, 2*(size_t)*room + 8, size);
  if (!larger) return NULL;
  if (n) memcpy(larger, list, (size_t)n*size);
  *room = 2**room + 8;
  return larger;
}

void epi_pool_free(pool *p)
{
  for (union block *b = p->last, *before; b; b = before) {
    before = b->before;
    free(b);
  }
  p->last = NULL;
}

/* ---- texts ---- */
/* each time twice the room: what is left behind is no more than what is there */
static int widen(pen *w, size_t more)
{
  if (w->n + more < w->room) return 0;
  size_t room = 2*(w->n + more) + 1;
  char *larger = epi_pool_room(w->pool, room, 1);
  if (!larger) return -1;
  if (w->n) memcpy(larger, w->text, w->n);
  w->text = larger;
  w->room = room;
  return 0;
}

static void print(pen *w, const char *words, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, words, ap);
  if (n >= 0 && !widen(w, (size_t)n)) {
    vsnprintf(w->text + w->n, w->room - w->n, words, again);
    w->n += (size_t)n;
  }
  va_end(again);
}

void epi_pen_print(pen *w, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  print(w, words, ap);
  va_end(ap);
}

const char *epi_pool_text(pool *p, const char *words, ...)
{
  pen w = {.pool = p};
  va_list ap;
  va_start(ap, words);
  print(&w, words, ap);
  va_end(ap);
  return w.text ? w.text : "";
}
