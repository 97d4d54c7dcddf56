/* arena.h - the memory of a page: taken piece by piece, given back at once; where it ends, the page ends
 *
 *   epi_arena m = {0};
 *   if (setjmp(m.out)) bad = 1;                     // from whatever depth
 *   else write_page(&m);
 *   epi_arena_free(&m); */
#ifndef ARENA_H
#define ARENA_H
#include "epicycle/page.h"
#include <setjmp.h>

#define EPI_INSIDE __attribute__((visibility("hidden")))

typedef struct epi_arena { struct epi_piece *last; jmp_buf out; } epi_arena;
EPI_INSIDE void *epi_arena_room(epi_arena *, size_t size);                           /* zeroed; never NULL */
EPI_INSIDE void *epi_arena_grown(epi_arena *, void *list, size_t n, size_t size);    /* a list of n with room for one more */
EPI_INSIDE char *epi_arena_text(epi_arena *, const char *words, ...) __attribute__((format(printf, 2, 3)));
EPI_INSIDE void epi_arena_free(epi_arena *);
#endif
