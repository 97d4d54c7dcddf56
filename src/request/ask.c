/* ask.c - texts of a request: tolerances in flows, parameters in models */
#include "core.h"
#include "ask.h"
#include "epicycle/file.h"
#include <stdio.h>

/* ---- flows ---- */
epi_term *epi_ask_stepping(epi_term *t)
{
  while (!strcmp(t->name, "at") && epi_term_inside(t)) t = epi_term_inside(t);
  return t;
}

int epi_ask_chooses(const epi_term *t)
{
  static const char *const choosers[] = {"tolerance", "adams", "cvode", "arkode", "revolve", NULL};
  int i = 0;
  while (choosers[i] && strcmp(t->name, choosers[i])) i++;
  return choosers[i] != NULL;
}

int epi_ask_within(epi_term *s, double tol)
{
  epi_number e = epi_shortest(tol);
  char around[160];
  snprintf(around, sizeof around, "tolerance(_, rtol=%s, atol=%s)", e.text, e.text);
  if (!epi_ask_chooses(s)) return epi_term_wrap(s, around) != 0;
  if (epi_term_option(s, "rtol") || epi_term_option(s, "atol")) return -1;
  return epi_term_give(s, "rtol", e.text) || (strcmp(s->name, "revolve") && epi_term_give(s, "atol", e.text));
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
