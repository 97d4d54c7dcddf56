/* words.c - sentences, names and texts */
#include "terminal.h"
#include "core/letters.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* what was said, for the one who asks in JSON: sentences come from everywhere, and end here */
static struct { char text[8192]; size_t n; } spoken;

static void keep(const char *sentence)
{
  size_t room = sizeof spoken.text - spoken.n;
  int n = snprintf(spoken.text + spoken.n, room, "%s", spoken.n ? "\n" : "");
  if (n < 0 || (size_t)n + 1 >= room) return;
  spoken.n += (size_t)n;
  room -= (size_t)n;
  n = snprintf(spoken.text + spoken.n, room, "%s", sentence);
  if (n > 0) spoken.n += (size_t)n < room ? (size_t)n : room - 1;
}

const char *sentences(void) { return spoken.text; }

void sentences_take(const char *all) { spoken.n = (size_t)snprintf(spoken.text, sizeof spoken.text, "%s", all); }

int say(int code, const char *words, ...)
{
  va_list ap, again;
  char few[2048], *all = few;
  va_start(ap, words);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, words, ap);
  size_t size = n < (int)sizeof few || !(all = malloc((size_t)n + 1)) ? sizeof few : (size_t)n + 1;
  if (!all) all = few;
  epi_clean_words(all, size, words, again);
  /* a sentence without a code is a warning */
  fprintf(stderr, "%sepicycle:%s %s\n", ink(stderr, code ? RED : YELLOW), ink(stderr, PLAIN), all);
  keep(all);
  if (all != few) free(all);
  va_end(again);
  va_end(ap);
  return code;
}

void no_room(void)
{
  clock_ends();
  exit(say(FAILED, "out of memory: what was written so far is kept"));
}

void *need(size_t size)
{
  void *p = calloc(size ? size : 1, 1);
  if (!p) no_room();
  return p;
}

void *grown(void *list, size_t size)
{
  void *p = realloc(list, size ? size : 1);
  if (!p) no_room();
  return p;
}

char *text(const char *words, ...)
{
  va_list ap, again;
  va_start(ap, words);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, words, ap);
  char *out = need((size_t)(n < 0 ? 0 : n) + 1);
  if (n > 0) vsnprintf(out, (size_t)n + 1, words, again);
  va_end(again);
  va_end(ap);
  return out;
}

const char *nearest(const char *word, const char *const *among) { return epi_nearest(word, among); }

int ends_with(const char *word, const char *ending)
{
  size_t n = strlen(word), m = strlen(ending);
  return n > m && !strcmp(word + n - m, ending);
}
