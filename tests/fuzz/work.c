/* holds: the work of a model file grows with its size and not faster, or the file is refused
 * work.c - how much work a model file can ask for: comparisons of names and bytes of memory grow with the file and not faster, and what
   would ask for more is refused in a sentence */
#include "epicycle/file.h"
#include "../test.h"

static struct { long compared, bytes; } work;
int __real_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b) { work.compared++; return __real_strcmp(a, b); }
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) { work.bytes += (long)(n*size); return __real_calloc(n, size); }

/* a text that grows */
typedef struct sheet { char *text; size_t n, room; } sheet;
static void add(sheet *s, const char *words, int i)
{
  if (s->n + 4000 > s->room) s->text = realloc(s->text, s->room = 2*s->room + 8000);
  if (!s->text) test_stop("out of memory");
  s->n += (size_t)snprintf(s->text + s->n, 4000, words, i, i, i);
}
static void add_all(sheet *s, int n, const char *words) { for (int i = 0; i < n; i++) add(s, words, i); }

/* reads it; the first sentence has these words. At most so many comparisons and bytes of memory for each byte of the file */
static void reads(sheet *s, const char *words, double compared, double bytes)
{
  work.compared = work.bytes = 0;
  epi_file *file = epi_file_read_text(s->text, s->n, "large.yaml");
  const epi_sentence *first = epi_file_sentence(file, 0);
  printf("%8zu bytes: %9ld comparisons, %10ld bytes of memory: %.60s\n", s->n, work.compared, work.bytes, first ? first->words : "right");
  if (words) check_has(first ? first->words : "", words);
  else check(!first);
  check_below((double)work.compared/(double)s->n, compared);
  check_below((double)work.bytes/(double)s->n, bytes);
  epi_file_free(file);
  free(s->text);
  *s = (sheet){0};
}

static const char body[] = "    - {name: b%d, mass: 1, inertia: 1, at: [%d, 0, 0]}\n";

static void many_names(void)
{
  sheet s = {0};
  add(&s, "model: kepler\na:\n", 0);
  add_all(&s, 2000, "- &anchor%04d 1\n");
  add(&s, "b: [", 0);
  add_all(&s, 150000, "*anchor1999, ");
  add(&s, "1]\n", 0);
  reads(&s, "'a' is not a key", 2, 200);
  add(&s, "model: kepler\n", 0);
  for (int k = 0; k < 40; k++) {
    add(&s, "m%d: {", k);
    add_all(&s, 1999, "key%04d: 1, ");
    add(&s, "last: 1}\n", 0);
  }
  reads(&s, "'m0' is not a key", 2, 200);
  add(&s, "world:\n  bodies:\n", 0);
  add_all(&s, 10000, body);
  add(&s, "  springs:\n", 0);
  add_all(&s, 10000, "    - {name: s%d, a: c%d, b: b%d, stiffness: 1}\n");
  reads(&s, "there is no body 'c0'; did you mean b0?", 4, 200);
  add(&s, "world:\n  bodies:\n", 0);
  add_all(&s, 20000, body);
  reads(&s, NULL, 4, 200);
}

static void too_much(void)
{
  sheet s = {0};
  add(&s, "a: [", 0);
  add_all(&s, 100000, "&a%d 1, ");
  reads(&s, "more than 2000 anchors", 1, 20);
  add(&s, "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n", 0);
  for (int i = 1; i < 30; i++) {
    add(&s, "a%d: ", i);
    add(&s, "&a%d [", i);
    for (int k = 0; k < 10; k++) add(&s, "*a%d, ", i - 1);
    add(&s, "1]\n", 0);
  }
  reads(&s, "stands for more than 200000 values", 1, 200);
  add_all(&s, 100000, "[");
  reads(&s, "nested more than 50 deep", 1, 20);
  add(&s, "model: kepler\n", 0);
  add_all(&s, 100000, "a: 1\n");
  reads(&s, "'a' stands twice", 1, 20);
  add(&s, "model: kepler\n", 0);
  add_all(&s, 100000, "a%d: 1\n");
  reads(&s, "a map of more than 2000 keys", 1, 40);
  add_all(&s, 1000, "                                                                                                     ");
  add_all(&s, 100000, "a%d\n");
  reads(&s, "not a map of keys", 1, 40);
}

int main(void)
{
  many_names();
  too_much();
  return test_done();
}
