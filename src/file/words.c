/* words.c - words and numbers of a model file: a decimal point in every locale, and the nearest of some names */
#include "words.h"
#include "epicycle/file.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */
/* what stands for the point where this program runs; found by printing, because that is safe in threads */
static char point(void)
{
  char half[8];
  snprintf(half, sizeof half, "%.1f", 0.5);
  return half[1];
}

/* 15 digits always survive, 17 always suffice */
number epi_file_shortest(double x)
{
  number n;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(n.text, sizeof n.text, "%.*g", digits, x);
    if (!isfinite(x) || strtod(n.text, NULL) == x) break;
  }
  char *at = strchr(n.text, point());
  if (at) *at = '.';
  return n;
}

int epi_file_number(const char *word, double *x)
{
  char copy[400], *end, *at;
  size_t n = strlen(word);
  if (!n || n >= sizeof copy || isspace((unsigned char)*word)) return 0;
  memcpy(copy, word, n + 1);
  char sign = point();
  if (sign != '.' && strchr(copy, sign)) return 0;
  if ((at = strchr(copy, '.'))) *at = sign;
  *x = strtod(copy, &end);
  return !*end && isfinite(*x);
}

/* ---- endings ---- */
int epi_file_ends(const char *word, const char *ending)
{
  size_t n = strlen(word), m = strlen(ending);
  return n > m && !strcmp(word + n - m, ending);
}

int epi_file_code(const char *word) { return epi_file_ends(word, ".c") || epi_file_ends(word, ".so"); }

/* ---- near misses ---- */
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

static int same_letters(const char *a, const char *b)
{
  while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) a++, b++;
  return !*a && !*b;
}

/* near: a third of the letters wrong at most, or the beginning of exactly that name */
const char *epi_word_nearest(const char *word, const char *const *among)
{
  const char *best = NULL;
  int length = (int)strlen(word), bound = 1 + length/3;
  for (const char *const *a = among; *a; a++) if (same_letters(word, *a)) return *a;
  for (; *among; among++) {
    int d = length >= 3 && !strncmp(word, *among, (size_t)length) ? 1 : distance(word, *among);
    if (d > bound) continue;
    best = *among;
    bound = d - 1;
  }
  return best;
}
