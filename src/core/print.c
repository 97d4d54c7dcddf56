/* print.c - the text of a flow: what made it, and makes it again */
#include "decimal.h"
#include <float.h>
#include <stdio.h>

void epi_put(epi_writer *w, const char *text)
{
  for (; *text; text++, w->n++)
    if (w->n + 1 < w->size) w->out[w->n] = *text;
  if (w->size) w->out[w->n + 1 < w->size ? w->n : w->size - 1] = 0;
}

/* digits of M over the p-th power of ten, as %.15g has them; M ends in no zero, or p is 0 */
static int put_digits(long M, int p, char *out)
{
  char digits[8], *to = out;
  int n = 0;
  for (; M > 0; M /= 10) digits[n++] = (char)('0' + M % 10);
  const int exponent = n - 1 - p;
  if (exponent < -4) {
    *to++ = digits[--n];
    if (n) *to++ = '.';
    while (n > 0) *to++ = digits[--n];
    *to++ = 'e';
    *to++ = '-';
    *to++ = (char)('0' - exponent/10);
    *to++ = (char)('0' - exponent%10);
    *to = 0;
    return (int)(to - out);
  }
  if (exponent < 0) { *to++ = '0'; *to++ = '.'; for (int k = -1; k > exponent; k--) *to++ = '0'; }
  while (n > 0) {
    *to++ = digits[--n];
    if (n && n == p) *to++ = '.';
  }
  *to = 0;
  return (int)(to - out);
}

/* a number of up to six digits, as most are: one division by a power of ten gives it back; 0: it is none */
static int few_digits(double x, char *out)
{
  static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};
  const int most = (int)(sizeof power/sizeof *power), sign = x < 0;
  const double size = fabs(x);
  if (sign) *out = '-';
  for (int p = 0; p < most && size*power[p] < 1e6; p++) {
    const double M = floor(size*power[p] + 0.5);
    if (M >= 1 && M < 1e6 && M/power[p] == size) return sign + put_digits((long)M, p, out + sign);
  }
  return 0;
}

static size_t number_text(double x, char *out, size_t size)
{
  int n = size >= 32 ? few_digits(x, out) : 0;
  if (n > 0) return (size_t)n;
  /* 15 digits always survive, but for the numbers too small to have as many */
  for (int digits = fabs(x) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
    n = snprintf(out, size, "%.*g", digits, x);
    /* whatever the locale writes, the text has a point */
    for (char *c = out; *c; c++) if (*c == ',') *c = '.';
    const char *end;
    if (epi_decimal(out, &end) == x) break;
  }
  return (size_t)n;
}

epi_number epi_shortest(double x)
{
  epi_number n;
  number_text(x, n.text, sizeof n.text);
  return n;
}

int epi_number_read(const char *word, double *x)
{
  const char *end;
  *x = epi_decimal(word, &end);
  return end > word && !*end && isfinite(*x);
}

static void put_number(epi_writer *s, double x)
{
  char text[40];
  number_text(x, text, sizeof text);
  epi_put(s, text);
}

static void put_value(epi_writer *s, const epi_param *p, const epi_value *v)
{
  if (v->word[0]) epi_put(s, v->word);
  else if (p->words) epi_put(s, p->words[(int)v->number]);
  else if (v->n) {
    epi_put(s, "[");
    for (int i = 0; i < v->n; i++) { if (i) epi_put(s, ", "); put_number(s, v->list[i]); }
    epi_put(s, "]");
  }
  else put_number(s, v->number);
}

/* options as given, each after a comma if something stands before it */
static int put_options(epi_writer *s, const epi_record *r, const epi_value *arg, int before)
{
  for (int i = 0; r->params && r->params[i].name; i++) {
    if (!arg[i].given) continue;
    if (before++) epi_put(s, ", ");
    epi_put(s, r->params[i].name);
    epi_put(s, "=");
    put_value(s, &r->params[i], &arg[i]);
  }
  return before;
}

size_t epi_options_text(const epi_record *r, const epi_value *arg, char *out, size_t size)
{
  epi_writer s = {out, 0, size};
  if (size) out[0] = 0;
  if (arg) put_options(&s, r, arg, 0);
  return s.n;
}

static void put_flow(epi_writer *, const epi_flow *);

static void put_system(epi_writer *s, const epi_system *sys, const char *called)
{
  if (!sys || !sys->derived) { epi_put(s, called[0] ? called : "model"); return; }
  const epi_derived_system *m = sys->derived;
  if (m->inner) { put_flow(s, m->inner); return; }
  epi_put(s, m->record->name);
  epi_put(s, "(");
  for (int i = 0; i < 2 && m->part[i]; i++) { if (i) epi_put(s, ", "); put_system(s, m->part[i], m->called[i]); }
  epi_put(s, ")");
}

static void put_flow(epi_writer *s, const epi_flow *f)
{
  if (!f->record) return;
  int n = 0, open = f->shown > 0 || f->other, method = f->record->arrow == EPI_METHOD || f->record->arrow == EPI_COMBINE;
  int system = method && (f->called[0][0] || (f->sys && f->sys->derived) || f->other);
  for (int i = 0; f->record->params && f->record->params[i].name; i++) open |= f->arg[i].given;
  epi_put(s, f->record->name);
  if (!open && !system) return;
  epi_put(s, "(");
  if (system) { put_system(s, f->sys, f->called[0]); n++; }
  if (f->other) { epi_put(s, ", "); put_system(s, f->other, f->called[1]); n++; }
  for (int i = 0; i < f->shown; i++, n++) { if (n) epi_put(s, ", "); put_flow(s, f->kid[i]); }
  put_options(s, f->record, f->arg, n);
  epi_put(s, ")");
}

size_t epi_text(const epi_flow *f, char *out, size_t size)
{
  epi_writer s = {out, 0, size};
  if (size) out[0] = 0;
  put_flow(&s, f);
  return s.n;
}
