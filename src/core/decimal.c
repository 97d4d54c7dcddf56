/* decimal.c - a decimal number to the nearest double, exactly: short ones by one exact operation, all others by long division of whole
 * numbers */
#include "decimal.h"
#include <ctype.h>
#include <stdint.h>

/* more digits than any number half way between two doubles has; what follows them can only say "a little more" */
enum { DIGITS = 780, WORDS = 160 };
typedef struct { char digit[DIGITS + 1]; int n, more; long exponent; } scanned;      /* 0.d1 d2 ... dn times ten to the exponent */
typedef struct { uint32_t word[WORDS]; int n; } whole;                                /* least word first, no zero word on top */

/* ---- whole numbers of many words ---- */
static void times_plus(whole *x, uint32_t factor, uint32_t carry)
{
  uint64_t rest = carry;
  for (int i = 0; i < x->n; i++) {
    rest += (uint64_t)x->word[i]*factor;
    x->word[i] = (uint32_t)rest;
    rest >>= 32;
  }
  if (rest) x->word[x->n++] = (uint32_t)rest;
}

static void times_ten(whole *x, long power)
{
  for (; power >= 9; power -= 9) times_plus(x, 1000000000, 0);
  for (; power > 0; power--) times_plus(x, 10, 0);
}

static void shift(whole *x, long bits)
{
  int words = (int)(bits/32);
  for (; bits % 32; bits--) times_plus(x, 2, 0);
  memmove(x->word + words, x->word, (size_t)x->n*sizeof *x->word);
  memset(x->word, 0, (size_t)words*sizeof *x->word);
  x->n += words;
}

static long length(const whole *x)
{
  long bits = 32L*(x->n - 1);
  for (uint32_t top = x->word[x->n - 1]; top; top >>= 1) bits++;
  return bits;
}

static int compare(const whole *x, const whole *y)
{
  if (x->n != y->n) return x->n < y->n ? -1 : 1;
  for (int i = x->n - 1; i >= 0; i--) if (x->word[i] != y->word[i]) return x->word[i] < y->word[i] ? -1 : 1;
  return 0;
}

/* x >= y; x may become zero, without words */
static void minus(whole *x, const whole *y)
{
  int64_t rest = 0;
  for (int i = 0; i < x->n; i++) {
    rest += (int64_t)x->word[i] - (i < y->n ? y->word[i] : 0);
    x->word[i] = (uint32_t)rest;
    rest >>= 32;
  }
  while (x->n && !x->word[x->n - 1]) x->n--;
}

/* ---- the nearest double ---- */
/* x/y, both positive: its first bits by subtraction, as many as a double has there, and what is left decides */
static double nearest(whole *x, whole *y)
{
  long e = length(x) - length(y);
  if (e > 0) shift(y, e);
  else shift(x, -e);
  if (compare(x, y) < 0) { times_plus(x, 2, 0); e--; }
  /* now y <= x < 2y, and the number is x/y times two to the e */
  long bits = e < -1022 ? 53 + 1022 + e : 53;
  if (bits < 0) return 0;
  uint64_t m = 0;
  for (long k = 0; k < bits; k++, times_plus(x, 2, 0)) {
    int one = compare(x, y) >= 0;
    if (one) minus(x, y);
    m = 2*m + (uint64_t)one;
  }
  int half = compare(x, y);
  if (half > 0 || (half == 0 && m % 2)) m++;
  return ldexp((double)m, (int)(e + 1 - bits));
}

static double exact(const scanned *s)
{
  whole x = {.n = 0}, y = {.word = {1}, .n = 1};
  long power = s->exponent - s->n;
  for (int i = 0; i < s->n; i++) times_plus(&x, 10, (uint32_t)(s->digit[i] - '0'));
  if (power > 0) times_ten(&x, power);
  else times_ten(&y, -power);
  return nearest(&x, &y);
}

/* up to fifteen digits and a power of ten that is a double itself: one rounding */
static double value(const scanned *s)
{
  static const double ten[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                               1e20, 1e21, 1e22};
  long power = s->exponent - s->n;
  if (!s->n || s->exponent < -330) return 0;
  if (s->exponent > 310) return INFINITY;
  if (s->n > 15 || power > 22 || power < -22) return exact(s);
  double x = 0;
  for (int i = 0; i < s->n; i++) x = 10*x + (s->digit[i] - '0');
  return power < 0 ? x/ten[-power] : x*ten[power];
}

/* ---- reading ---- */
static void put(scanned *s, char c)
{
  if (s->n < DIGITS) s->digit[s->n++] = c;
  else s->more |= c != '0';
}

/* digits with at most one point; 0: there is none */
static const char *digits(const char *p, scanned *s)
{
  int any = 0, point = 0;
  for (;; p++) {
    if (*p == '.' && !point) { point = 1; continue; }
    if (!isdigit((unsigned char)*p)) break;
    any = 1;
    /* zeros in front only move the point */
    if (*p != '0' || s->n) { put(s, *p); s->exponent += !point; }
    else s->exponent -= point;
  }
  return any ? p : NULL;
}

static const char *exponent(const char *p, scanned *s)
{
  long e = 0;
  if (*p != 'e' && *p != 'E') return p;
  const char *q = p + 1 + (p[1] == '+' || p[1] == '-');
  if (!isdigit((unsigned char)*q)) return p;
  for (; isdigit((unsigned char)*q); q++) if (e < 100000000) e = 10*e + (*q - '0');
  s->exponent += p[1] == '-' ? -e : e;
  return q;
}

/* the length of the word at the front of p in any case, or 0 */
static int starts(const char *p, const char *word)
{
  int n = 0;
  while (word[n] && tolower((unsigned char)p[n]) == word[n]) n++;
  return word[n] ? 0 : n;
}

double epi_decimal(const char *text, const char **end)
{
  const char *p = text + (*text == '-' || *text == '+');
  double sign = *text == '-' ? -1 : 1, x = 0;
  int n;
  scanned s = {.n = 0};
  *end = text;
  if ((n = starts(p, "infinity")) || (n = starts(p, "inf"))) x = INFINITY;
  else if ((n = starts(p, "nan"))) x = NAN;
  if (n) { *end = p + n; return sign*x; }
  if (!(p = digits(p, &s))) return 0;
  *end = exponent(p, &s);
  if (s.more) s.digit[s.n++] = '1';
  while (s.n && s.digit[s.n - 1] == '0') s.n--;
  return sign*value(&s);
}
