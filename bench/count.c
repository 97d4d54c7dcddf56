/* count.c - counts allocations: the program is linked with --wrap=malloc,calloc,realloc, so every call of the library
 * and of the drivers lands here first */
#include "bench.h"
#include <stddef.h>

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);

/* malloc has no argument that could carry the count */
static long count;

long bench_allocations(void) { return count; }

void *__wrap_malloc(size_t size)
{
  count++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
  count++;
  return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
  count++;
  return __real_realloc(p, size);
}
