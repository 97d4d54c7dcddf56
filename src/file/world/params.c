/* params.c - the kind of a contact, joint or load, and the parameters that its record has: each in its unit, where the record wants it */
#include "file/model-file.h"
#include "epicycle/term.h"
#include <math.h>
#include <string.h>

int epi_kind_read(source *s, const item *map, const family *f, kind *k)
{
  const item *it = epi_item_of(map, f->key);
  const char *word = it ? it->kind == ITEM_TEXT ? it->text : NULL : f->otherwise;
  if (word && epi_kind_of(s->d, f, word, k)) return 0;
  const char *const *words = epi_kind_words(s->d, f);
  if (!words) return REFUSED;
  /* springs among loads, and the other way round */
  const family *other = f == &epi_load_family ? &epi_spring_family : f == &epi_spring_family ? &epi_load_family : NULL;
  if (other && word && epi_kind_of(s->d, other, word, k))
    return epi_document_wrong(s->d, it, "%s acts %s: write it under %s", word, k->load->between ? "between two bodies" : "on one body",
                              k->load->between ? "springs" : "loads");
  epi_field_word(s, it, f->key, words);
  return REFUSED;
}

static int read_one(source *s, const item *it, const epi_param *p, int n, double *x)
{
  const char *unit = p->unit ? p->unit : "";
  if (p->words) {
    int k = epi_field_word(s, it, p->name, p->words);
    *x = k;
    return k < 0 ? REFUSED : 0;
  }
  if (n > 1) return epi_field_numbers(s, it, p->name, unit, n, n, x) < 0 ? REFUSED : 0;
  if (epi_field_number(s, it, p->name, unit, x)) return REFUSED;
  if (p->kind != EPI_COUNT || epi_is_whole(*x)) return 0;
  return epi_document_wrong(s->d, it, "%s = %g: write a whole number%s", p->name, *x, epi_whole_limit(*x));
}

static int is_param(const field *f, const char *name)
{
  for (; f->name; f++) if (!strcmp(f->name, name)) return f->kind == PARAM;
  return 0;
}

int epi_params_read(source *s, const item *map, const kind *k, const field *keys, place_of *place, void *record, double **own)
{
  int count = 0, bad = 0;
  for (const epi_param *p = k->params; p && p->name; p++) count += is_param(keys, p->name);
  if (k->plain) return 0;
  if (count && !(*own = epi_pool_room(&s->d->pool, (size_t)count, sizeof **own))) return REFUSED;
  for (const epi_param *p = k->params; p && p->name; p++) {
    const item *it = epi_item_of(map, p->name);
    int n = 0;
    double *x = place(record, p->name, &n);
    if (!x) continue;
    if (!it && n == 1) *x = p->value;
    else if (it && is_param(keys, p->name) && read_one(s, it, p, n, x)) bad = REFUSED;
  }
  return bad;
}
