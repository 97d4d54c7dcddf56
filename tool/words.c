/* words.c - sentences, names and texts */
#include "tool.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* what was said, for the one who asks in JSON: sentences come from everywhere, and end here */
static struct { char text[8192]; size_t n; } spoken;

static void keep(const char *words, va_list ap)
{
  size_t room = sizeof spoken.text - spoken.n;
  int n = snprintf(spoken.text + spoken.n, room, "%s", spoken.n ? "\n" : "");
  if (n < 0 || (size_t)n + 1 >= room) return;
  spoken.n += (size_t)n;
  room -= (size_t)n;
  n = vsnprintf(spoken.text + spoken.n, room, words, ap);
  if (n > 0) spoken.n += (size_t)n < room ? (size_t)n : room - 1;
}

const char *sentences(void) { return spoken.text; }

void sentences_take(const char *all) { spoken.n = (size_t)snprintf(spoken.text, sizeof spoken.text, "%s", all); }

int say(int code, const char *words, ...)
{
  va_list ap, again;
  va_start(ap, words);
  va_copy(again, ap);
  /* a sentence without a code is a warning */
  fprintf(stderr, "%sepicycle:%s ", ink(stderr, code ? RED : YELLOW), ink(stderr, PLAIN));
  vfprintf(stderr, words, ap);
  fputc('\n', stderr);
  keep(words, again);
  va_end(again);
  va_end(ap);
  return code;
}

void no_room(void)
{
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

static int least(int a, int b) { return a < b ? a : b; }

/* letters to insert, remove, change or swap with a neighbour until a is b */
static int distance(const char *a, const char *b)
{
  enum { LONGEST = 40 };
  int d[LONGEST + 1][LONGEST + 1], m = (int)strlen(a), n = (int)strlen(b);
  if (m > LONGEST || n > LONGEST) return LONGEST;
  for (int i = 0; i <= m; i++) d[i][0] = i;
  for (int j = 0; j <= n; j++) d[0][j] = j;
  for (int i = 1; i <= m; i++)
    for (int j = 1; j <= n; j++) {
      d[i][j] = least(least(d[i-1][j], d[i][j-1]) + 1, d[i-1][j-1] + (a[i-1] != b[j-1]));
      if (i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1]) d[i][j] = least(d[i][j], d[i-2][j-2] + 1);
    }
  return d[m][n];
}

/* near: a third of the letters wrong at most, or the beginning of exactly that name */
const char *nearest(const char *word, const char *const *among)
{
  const char *best = NULL;
  int length = (int)strlen(word), bound = 1 + length/3;
  for (const char *const *a = among; *a; a++) if (!strcasecmp(word, *a)) return *a;
  for (; *among; among++) {
    int d = length >= 3 && !strncmp(word, *among, (size_t)length) ? 1 : distance(word, *among);
    if (d > bound) continue;
    best = *among;
    bound = d - 1;
  }
  return best;
}

int ends_with(const char *word, const char *ending)
{
  size_t n = strlen(word), m = strlen(ending);
  return n > m && !strcmp(word + n - m, ending);
}
