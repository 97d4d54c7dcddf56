/* pool.h - memory that belongs to a model file and goes with it. Where there is none left the pool says so from then on */
#ifndef EPI_POOL_H
#define EPI_POOL_H
#include <stddef.h>

typedef struct pool {
  union block *last;
  struct epi_case *owner;              /* a case to which all of it belongs, and with which it goes; or NULL */
  int out;                             /* an allocation failed: whatever was made of the file is not to be used */
} pool;
void *epi_pool_room(pool *, size_t count, size_t size);                              /* zeroed; NULL: there is none */
void *epi_pool_more(pool *, void *list, int n, int *room, size_t size);              /* a list of n with room for one more; or NULL */
void epi_pool_free(pool *);

/* a text that grows; always ends with a zero, never NULL, and stays where it is once the next one begins */
typedef struct pen { pool *pool; char *text; size_t n, room; } pen;
void epi_pen_print(pen *, const char *words, ...) __attribute__((format(printf, 2, 3)));
const char *epi_pool_text(pool *, const char *words, ...) __attribute__((format(printf, 2, 3)));   /* printed; "" where there is no room */
#endif
