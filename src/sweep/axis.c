/* axis.c - the numbers that a sweep goes over: grids, lists, and what is drawn */
#include "axis.h"
#include "epicycle/term.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 4096, WORD = 64 };
static const double MOST = 1e15;

/* ---- texts ---- */
/* how many there are: more than a run can do, which whoever asks is told */
static int is_count(double x) { return x >= 2 && x <= MOST && x == floor(x); }

/* the numbers of "a SIGN b SIGN ..."; how many, or -1: one of them is none, or there are more than room */
static int numbers(const char *text, size_t length, char sign, double *x, int room)
{
  int n = 0;
  for (const char *end = text + length; text <= end; n++) {
    const char *stop = memchr(text, sign, (size_t)(end - text));
    size_t m = (size_t)((stop ? stop : end) - text);
    char word[WORD];
    while (m && *text == ' ') text++, m--;
    while (m && text[m - 1] == ' ') m--;
    if (n == room || m >= sizeof word) return -1;
    memcpy(word, text, m);
    word[m] = 0;
    if (!epi_number_read(word, &x[n])) return -1;
    text = stop ? stop + 1 : end + 1;
  }
  return n;
}

static int wrong(const axis *a, const char *words, char *error, size_t size)
{
  snprintf(error, size, "%s: %s", a->name, words);
  return -1;
}

static int even(axis *a, const double *x, int counted, char *error, size_t size)
{
  a->kind = AXIS_EVEN;
  a->a = x[0];
  a->b = x[1];
  if (counted) {
    if (!is_count(x[2])) return wrong(a, "a grid has at least two values: as in 0.1:0.9/5", error, size);
    a->n = (long long)x[2];
    a->step = (a->b - a->a)/(double)(a->n - 1);
    return 0;
  }
  double n = floor((x[1] - x[0])/x[2]*(1 + 1e-12) + 1e-9) + 1;
  if (!(n >= 1)) return wrong(a, "its step does not lead from the first number to the second: from, to, step, as in 0.1:0.9:0.1", error,
                              size);
  if (n > MOST) return wrong(a, "these are more values than can be counted: take a longer step", error, size);
  a->n = (long long)n;
  a->step = x[2];
  return 0;
}

static int list(axis *a, const char *text, size_t length, char *error, size_t size)
{
  a->kind = AXIS_LIST;
  a->list = malloc(NUMBERS*sizeof *a->list);
  if (!a->list) return wrong(a, "out of memory", error, size);
  int n = numbers(text, length, ',', a->list, NUMBERS);
  if (n > 0) return a->n = n, 0;
  snprintf(error, size, "%s: '%.*s' is no list of numbers: as in [1, 2, 5], of at most %d", a->name, (int)(length < 60 ? length : 60),
           text, NUMBERS);
  return -1;
}

/* what stands as a function: its name, how many numbers */
static const struct { const char *name; axis_kind kind; int n; } functions[] = {
  {"log", AXIS_LOG, 3}, {"uniform", AXIS_UNIFORM, 2}, {"loguniform", AXIS_LOGUNIFORM, 2}, {"normal", AXIS_NORMAL, 2}};
enum { FUNCTIONS = sizeof functions/sizeof *functions };

static int function(axis *a, const char *text, char *error, size_t size)
{
  size_t name = strcspn(text, "("), all = strlen(text);
  double x[3];
  for (int i = 0; i < FUNCTIONS; i++) {
    if (strlen(functions[i].name) != name || memcmp(functions[i].name, text, name)) continue;
    if (text[all - 1] != ')' || numbers(text + name + 1, all - name - 2, ',', x, functions[i].n) != functions[i].n)
      return snprintf(error, size, "%s: %s has %d numbers in it, as in %s", a->name, functions[i].name, functions[i].n,
                      functions[i].n == 3 ? "log(1, 1e6, 7)" : "uniform(0.1, 0.9)"), -1;
    a->kind = functions[i].kind;
    a->a = x[0];
    a->b = x[1];
    int logs = a->kind == AXIS_LOG || a->kind == AXIS_LOGUNIFORM;
    if (logs && !(a->a*a->b > 0)) return wrong(a, "a logarithm needs two numbers of one sign, and none of them zero", error, size);
    if (a->kind == AXIS_NORMAL && !(a->b >= 0)) return wrong(a, "the second number of normal is its standard deviation, not negative",
                                                             error, size);
    if (a->kind == AXIS_LOG && !is_count(x[2])) return wrong(a, "log has at least two values: as in log(1, 1e6, 7)",
                                                                               error, size);
    a->n = a->kind == AXIS_LOG ? (long long)x[2] : 0;
    return 0;
  }
  snprintf(error, size, "%s: there is no '%.*s': write from:to:step, from:to/count, [a, b, c], log, uniform, loguniform or normal", a->name,
           (int)(name < 40 ? name : 40), text);
  return -1;
}

int epi_axis_read(const char *text, int table, axis *a, char *error, size_t size)
{
  size_t n = strcspn(text, "="), all = strlen(text);
  *a = (axis){.kind = AXIS_TABLE};
  if (!n || n >= sizeof a->name) return snprintf(error, size, "'%.80s' is not name=values", text), -1;
  memcpy(a->name, text, n);
  if (table) return text[n] ? wrong(a, "the table has its values: give the name alone", error, size) : 0;
  if (!text[n] || !text[n + 1]) return wrong(a, "has no values: as in e=0.1:0.9:0.1", error, size);
  const char *of = text + n + 1, *colon = strchr(of, ':'), *slash = strchr(of, '/');
  double x[3];
  if (of[0] == '[' && text[all - 1] == ']') return list(a, of + 1, (size_t)(text + all - of) - 2, error, size);
  if (strchr(of, '(')) return function(a, of, error, size);
  if (!colon) return list(a, of, strlen(of), error, size);
  if (slash && numbers(of, (size_t)(slash - of), ':', x, 2) == 2 && numbers(slash + 1, strlen(slash + 1), ':', x + 2, 1) == 1)
    return even(a, x, 1, error, size);
  if (!slash && numbers(of, strlen(of), ':', x, 3) == 3 && x[2] != 0) return even(a, x, 0, error, size);
  snprintf(error, size, "%s: '%.60s' is not from:to:step, as in 0.1:0.9:0.1, or from:to/count, as in 0.1:0.9/5", a->name, of);
  return -1;
}

/* ---- values ---- */
/* 0.1 + 2*0.1 is meant to be 0.3: fifteen digits are all that a grid has */
static double plain(double x)
{
  char text[40];
  double y;
  snprintf(text, sizeof text, "%.15g", x);
  return epi_number_read(text, &y) ? y : x;
}

double epi_axis_value(const axis *a, long long i)
{
  double part = a->n > 1 ? (double)i/(double)(a->n - 1) : 0;
  if (a->kind == AXIS_LIST) return a->list[i];
  if (a->kind == AXIS_LOG) return !i ? a->a : i + 1 == a->n ? a->b : plain(a->a*pow(a->b/a->a, part));
  return plain(a->a + (double)i*a->step);
}

/* ---- drawing: numbers that depend on nothing but the seed and their place ---- */
static unsigned long long mixed(unsigned long long x)
{
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30)*0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27)*0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/* a permutation of 0 ... n-1, one place of it: four rounds of a Feistel network, again where it leaves the range */
static unsigned long long shuffled(unsigned long long i, unsigned long long n, unsigned long long key)
{
  int bits = 1;
  while (1ull << 2*bits < n) bits++;
  unsigned long long mask = (1ull << bits) - 1;
  do {
    unsigned long long left = i >> bits, right = i & mask;
    for (int round = 0; round < 4; round++) {
      unsigned long long was = right;
      right = left ^ (mixed(mixed(key + (unsigned long long)round) ^ right) & mask);
      left = was;
    }
    i = left << bits | right;
  } while (i >= n);
  return i;
}

/* where the standard normal distribution has reached p: bisected on erfc, and one step of Newton */
static double normal_at(double p)
{
  double low = -40, high = 40;
  for (int i = 0; i < 60; i++) {
    double x = (low + high)/2;
    if (erfc(-x/sqrt(2))/2 < p) low = x;
    else high = x;
  }
  return (low + high)/2;
}

double epi_axis_draw(const axis *a, int which, unsigned long long seed, int latin, long long i, long long n)
{
  unsigned long long key = mixed(mixed(seed) + (unsigned long long)which);
  double u = ((double)(mixed(key ^ mixed((unsigned long long)i)) >> 11) + 0.5)*0x1p-53;
  if (latin) u = ((double)shuffled((unsigned long long)i, (unsigned long long)n, key) + u)/(double)n;
  if (a->kind == AXIS_NORMAL) return a->a + a->b*normal_at(u);
  if (a->kind == AXIS_LOGUNIFORM) return a->a*pow(a->b/a->a, u);
  return a->a + (a->b - a->a)*u;
}
