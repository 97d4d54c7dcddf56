/* holds: numbers and terms read back from what is printed of them
 * term.c - numbers and terms: numbers are those of strtod and read back from their shortest form; terms are printed, read, given options,
   wrapped, and stay what they are */
#include "fuzz.h"
#include "epicycle/term.h"
#include <math.h>

/* no blanks, no hexadecimal numbers: strtod knows more than we do */
static void number(const char *word)
{
  double x = NAN, again = NAN;
  if (!epi_number_read(word, &x)) return;
  char *end;
  double want = strtod(word, &end);
  hold(isfinite(x) && !*end && !memcmp(&x, &want, sizeof x));
  hold(epi_number_read(epi_shortest(x).text, &again) && !memcmp(&x, &again, sizeof x));
}

static char *text_of(const epi_term *t)
{
  size_t n = epi_term_text(t, NULL, 0);
  char *out = malloc(n + 1);
  if (!out) abort();
  hold(epi_term_text(t, out, n + 1) == n && strlen(out) == n);
  return out;
}

/* what is printed reads back as what it was, unless it was nested too deep on the way */
static void same(const epi_term *t)
{
  char why[320] = "", *first = text_of(t);
  epi_term *u = epi_term_read(first, why, sizeof why);
  if (!u && strstr(why, "deep")) { free(first); return; }
  hold(u);
  char *second = text_of(u);
  hold(!strcmp(first, second));
  free(first);
  free(second);
  epi_term_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *rest;
  char *text = fuzz_text(data, size, &rest), why[320] = "";
  number(text);
  number(rest);
  epi_term *t = epi_term_read(text, why, sizeof why);
  if (!t) hold(strlen(why) > 10);
  else {
    same(t);
    epi_term *copy = epi_term_copy(t);
    char *one = text_of(t), *two = text_of(copy);
    hold(!strcmp(one, two));
    free(one);
    free(two);
    if (!epi_term_give(copy, "rtol", rest)) same(copy);
    if (!epi_term_wrap(copy, "watch(_, every=0.1)")) same(copy);
    if (!epi_term_wrap(copy, rest)) same(copy);
    if (!epi_term_replace(copy, rest)) same(copy);
    epi_term_free(copy);
  }
  epi_term_free(t);
  free(text);
  return 0;
}
