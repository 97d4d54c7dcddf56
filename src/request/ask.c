/* ask.c - texts of a request: tolerances in flows, parameters in models */
#include "core.h"
#include "ask.h"
#include "registry.h"
#include "epicycle/file.h"
#include <stdio.h>

/* ---- flows ---- */
epi_term *epi_ask_stepping(epi_term *t, const epi_name *names)
{
  while (epi_form_of(epi_record_among(names, t->name)) == EPI_FORM_EVENT && epi_term_inside(t)) t = epi_term_inside(t);
  return t;
}

int epi_ask_chooses(const epi_term *t, const epi_name *names)
{
  const epi_record *r = epi_record_among(names, t->name);
  return r && r->claims & EPI_ADAPTIVE;
}

/* 1: the record has an option atol that does not follow rtol by itself */
static int takes_atol(const epi_record *r)
{
  const epi_param *p = epi_traits_of(r) & EPI_ATOL_OF_RTOL ? NULL : r->params;
  while (p && p->name && strcmp(p->name, "atol")) p++;
  return p && p->name;
}

int epi_ask_within(epi_term *s, const epi_name *names, double tol)
{
  epi_number e = epi_shortest(tol);
  char around[160];
  snprintf(around, sizeof around, "tolerance(_, rtol=%s, atol=%s)", e.text, e.text);
  if (!epi_ask_chooses(s, names)) return epi_term_wrap(s, around) != 0;
  if (epi_term_option(s, "rtol") || epi_term_option(s, "atol")) return -1;
  return epi_term_give(s, "rtol", e.text) || (takes_atol(epi_record_among(names, s->name)) && epi_term_give(s, "atol", e.text));
}

char *epi_term_new_text(const epi_term *t)
{
  size_t n = epi_term_text(t, NULL, 0);
  char *text = malloc(n + 1);
  if (text) epi_term_text(t, text, n + 1);
  return text;
}

/* ---- parameters ---- */
char *epi_model_put_parameter(const char *model, const char *name, const char *value, char *why, size_t size)
{
  static const char any[] = "model";
  const size_t n = strcspn(model, "("), m = sizeof any - 1;
  char *text = malloc(m + strlen(model + n) + 1), *rest = NULL, *all = NULL;
  snprintf(why, size, "%s", "");
  if (!text) return NULL;
  memcpy(text, any, m);
  strcpy(text + m, model + n);
  epi_term *t = epi_term_read(text, why, size);
  if (t && !epi_term_give(t, name, value)) rest = epi_term_new_text(t);
  if (rest && (all = malloc(n + strlen(rest + m) + 1))) {
    memcpy(all, model, n);
    strcpy(all + n, rest + m);
  }
  epi_term_free(t);
  free(text);
  free(rest);
  return all;
}

const epi_model *epi_ask_model(const char *text)
{
  size_t n = strcspn(text, "( \t");
  for (const epi_model *const *m = epi_models(); *m; m++) if (strlen((*m)->name) == n && !memcmp((*m)->name, text, n)) return *m;
  return NULL;
}

int epi_ask_unit(const epi_model *m, const char *name, size_t n, const char *value, epi_number *out, int *known, char *why, size_t size)
{
  double x;
  for (const epi_param *p = m ? m->params : NULL; p && p->name; p++) {
    if (strlen(p->name) != n || memcmp(p->name, name, n)) continue;
    if (known) *known = 1;
    if (p->words || p->kind == EPI_FILE || !*value || !strchr("0123456789+-.", *value) || epi_number_read(value, &x)) return 1;
    if (epi_unit_read(value, p->unit ? p->unit : "", &x, why, size)) return -1;
    *out = epi_shortest(x);
    return 0;
  }
  return 1;
}
