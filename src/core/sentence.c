/* sentence.c - what went wrong, in one sentence that names the remedy; the first one stays */
#include "core.h"
#include <ctype.h>
#include <stdio.h>

int epi_say(char *error, int code, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  if (!error[0]) vsnprintf(error, EPI_SENTENCE_SIZE, words, ap);
  va_end(ap);
  return code;
}

int epi_refuse(epi_flow *f, int when, const char *words, ...)
{
  if (!when || f->broken) return f->broken;
  va_list ap;
  va_start(ap, words);
  if (!f->error[0]) vsnprintf(f->error, sizeof f->error, words, ap);
  va_end(ap);
  return f->broken = 1;
}

int epi_fail(epi_flow *f, int code, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  if (!f->error[0]) vsnprintf(f->error, sizeof f->error, words, ap);
  va_end(ap);
  return code;
}

const char *epi_coordinate(const epi_system *m, int i, char *room, size_t size)
{
  if (m->names && m->names[i]) return m->names[i];
  snprintf(room, size, "y[%d]", i);
  return room;
}

/* ---- near misses ---- */
static int distance(const char *a, const char *b)
{
  int row[64], n = (int)strlen(b), m = (int)strlen(a);
  if (n > 60 || m > 60) return 99;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; i <= m; i++) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int swap = corner + (tolower((unsigned char)a[i-1]) != tolower((unsigned char)b[j-1]));
      corner = row[j];
      int step = (row[j] < row[j-1] ? row[j] : row[j-1]) + 1;
      row[j] = swap < step ? swap : step;
    }
  }
  return row[n];
}

epi_near epi_near_to(const char *word)
{
  int least = 1 + (int)strlen(word)/3;
  return (epi_near){.word = word, .least = least < 4 ? least + 1 : 4};
}

/* of several as near the first stays */
void epi_near_try(epi_near *n, const char *name)
{
  int d = distance(n->word, name);
  if (d < n->least) { n->least = d; n->best = name; }
}

const char *epi_nearest(const char *word, const char *const *among, int n)
{
  epi_near near = epi_near_to(word);
  for (int i = 0; i < n; i++) epi_near_try(&near, among[i]);
  return near.best;
}
