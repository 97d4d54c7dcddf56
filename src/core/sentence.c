/* sentence.c - what went wrong, in one sentence that names the remedy; the first one stays */
#include "core.h"
#include "letters.h"
#include <ctype.h>
#include <stdio.h>

void epi_sentence_print(char *out, size_t size, const char *words, va_list ap) { epi_clean_words(out, size, words, ap); }

int epi_say(char *error, int code, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  if (!error[0]) epi_sentence_print(error, EPI_SENTENCE_SIZE, words, ap);
  va_end(ap);
  return code;
}

void epi_fault_put(epi_fault *fault, epi_cause cause, const char *words, va_list ap)
{
  if (fault->words[0]) return;
  epi_sentence_print(fault->words, sizeof fault->words, words, ap);
  fault->cause = cause;
  fault->column = 0;
}

int epi_fault_record(epi_fault *fault, int code, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_fault_put(fault, cause, words, ap);
  va_end(ap);
  return code;
}

void epi_fault_write(epi_fault *fault, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  fault->words[0] = 0;
  epi_fault_put(fault, cause, words, ap);
  va_end(ap);
}

/* ---- refusals ---- */
int epi_refuse(epi_flow *f, int when, const char *words, ...)
{
  if (!when || f->broken) return f->broken;
  va_list ap;
  va_start(ap, words);
  epi_fault_put(&f->fault, EPI_COMPOSITION, words, ap);
  va_end(ap);
  return f->broken = 1;
}

int epi_refuse_cause(epi_flow *f, int when, epi_cause cause, const char *words, ...)
{
  if (!when || f->broken) return f->broken;
  va_list ap;
  va_start(ap, words);
  epi_fault_put(&f->fault, cause, words, ap);
  va_end(ap);
  return f->broken = 1;
}

int epi_refuse_memory(epi_flow *f, int when) { return epi_refuse_cause(f, when, EPI_MEMORY, "out of memory"); }

int epi_refuse_fault(epi_flow *f, int when, const epi_fault *of)
{
  if (!when || f->broken) return f->broken;
  if (!f->fault.words[0]) f->fault = *of;
  return f->broken = 1;
}

/* ---- failures ---- */
int epi_fail(epi_flow *f, int code, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_fault_put(&f->fault, code > 0 ? EPI_TOO_LONG : EPI_OTHER_CAUSE, words, ap);
  va_end(ap);
  return code;
}

int epi_fail_cause(epi_flow *f, int code, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_fault_put(&f->fault, cause, words, ap);
  va_end(ap);
  return code;
}

/* ---- warnings ---- */
static void warn(epi_flow *f, epi_cause cause, const char *words, va_list ap)
{
  if (f->warning[0]) return;
  epi_sentence_print(f->warning, sizeof f->warning, words, ap);
  f->warning_cause = cause;
}

void epi_warn(epi_flow *f, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  warn(f, EPI_OTHER_CAUSE, words, ap);
  va_end(ap);
}

void epi_warn_cause(epi_flow *f, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  warn(f, cause, words, ap);
  va_end(ap);
}

/* ---- names ---- */

const char *epi_coordinate(const epi_system *m, int i, char *room, size_t size)
{
  if (m->names && m->names[i]) return m->names[i];
  const int nq = m->nq, nv = m->nv ? m->nv : nq;
  const char letter = i < nq ? 'q' : i < nq + nv ? 'v' : 'z';
  snprintf(room, size, "%c%d", letter, 1 + (i < nq ? i : i < nq + nv ? i - nq : i - nq - nv));
  return room;
}

/* ---- near misses ---- */
enum { LONGEST = 60 };

static int least(int a, int b) { return a < b ? a : b; }

/* letters to insert, remove, change or swap with a neighbour until a is b, capitals or not; three rows are enough */
static int distance(const char *a, const char *b)
{
  int rows[3][LONGEST + 1], n = (int)strlen(b), m = (int)strlen(a);
  if (n > LONGEST || m > LONGEST) return 99;
  for (int j = 0; j <= n; j++) rows[0][j] = j;
  for (int i = 1; i <= m; i++) {
    int *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3], x = tolower((unsigned char)a[i-1]);
    now[0] = i;
    for (int j = 1; j <= n; j++) {
      int y = tolower((unsigned char)b[j-1]),
        swapped = i > 1 && j > 1 && tolower((unsigned char)a[i-2]) == y && x == tolower((unsigned char)b[j-2]);
      now[j] = least(least(before[j], now[j-1]) + 1, before[j-1] + (x != y));
      if (swapped) now[j] = least(now[j], earlier[j-2] + 1);
    }
  }
  return rows[m % 3][n];
}

epi_near epi_near_to(const char *word) { return (epi_near){.word = word, .least = 2 + least(2, (int)strlen(word)/3)}; }

/* near: a third of the letters wrong at most, or the beginning of a name. Of several as near the first stays */
void epi_near_try(epi_near *n, const char *name)
{
  size_t length = strlen(n->word);
  int d = distance(n->word, name);
  if (d > 1 && length >= 3 && !strncmp(n->word, name, length)) d = 1;
  if (d < n->least) { n->least = d; n->best = name; }
}

const char *epi_nearest(const char *word, const char *const *among)
{
  epi_near near = epi_near_to(word);
  for (; *among; among++) epi_near_try(&near, *among);
  return near.best;
}
