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

static size_t number_text(double x, char *out, size_t size)
{
  int n = 0;
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
