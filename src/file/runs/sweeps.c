/* sweeps.c - the section sweep of a model file: what goes over which numbers, and what is kept of each run */
#include "file/model-file.h"
#include <math.h>
#include <string.h>

typedef struct sweep_keys { const item *over, *keep; double samples, seed, limit; int latin; const char *file; } sweep_keys;
const field epi_sweep_keys[] = {
  {.name = "over", .kind = OWN, .at = offsetof(sweep_keys, over)},
  {.name = "keep", .kind = OWN, .at = offsetof(sweep_keys, keep)},
  {.name = "samples", .kind = POSITIVE, .unit = "", .at = offsetof(sweep_keys, samples)},
  {.name = "seed", .kind = NOT_NEGATIVE, .unit = "", .at = offsetof(sweep_keys, seed)},
  {.name = "latin", .kind = FLAG, .at = offsetof(sweep_keys, latin)},
  {.name = "limit", .kind = POSITIVE, .unit = "s", .at = offsetof(sweep_keys, limit)},
  {.name = "file", .kind = TEXT, .at = offsetof(sweep_keys, file)},
  {0}
};

/* [1 kg, 2 kg] as the text that a command line would have */
static const char *list_text(document *d, const item *key, const item *list)
{
  const char *all = "";
  for (int i = 0; i < list->n; i++) {
    if (list->part[i]->kind != ITEM_TEXT) return epi_document_wrong(d, list->part[i], "%s: a list has numbers alone", key->text), NULL;
    all = epi_pool_text(&d->pool, "%s%s%s", all, i ? "," : "", list->part[i]->text);
  }
  return epi_pool_text(&d->pool, "%s=[%s]", key->text, all);
}

static const char *const *read_over(document *d, const item *at, const item *over)
{
  if (!over || over->kind != ITEM_MAP || !over->n)
    return epi_document_wrong(d, over ? over : at, "sweep needs over, with names and their values, as in over: {e: 0.1:0.9:0.1}"), NULL;
  const char **all = epi_pool_room(&d->pool, (size_t)over->n + 1, sizeof *all);
  for (int i = 0; all && i < over->n; i++) {
    const item *key = over->key[i], *it = over->part[i];
    if (it->kind == ITEM_MAP)
      return epi_document_wrong(d, it, "%s has keys: write its values as 0.1:0.9:0.1, [1, 2, 5] or log(1, 100, 3)", key->text), NULL;
    all[i] = it->kind == ITEM_LIST ? list_text(d, key, it) : epi_pool_text(&d->pool, "%s=%s", key->text, it->text);
    if (!all[i]) return NULL;
  }
  return all;
}

static const char *const *read_keep(document *d, const item *keep)
{
  if (keep->kind != ITEM_LIST || !keep->n) return epi_document_wrong(d, keep, "keep is a list of names, as in [x, energy.max]"), NULL;
  const char **all = epi_pool_room(&d->pool, (size_t)keep->n + 1, sizeof *all);
  for (int i = 0; all && i < keep->n; i++) {
    if (keep->part[i]->kind != ITEM_TEXT) return epi_document_wrong(d, keep->part[i], "keep is a list of names, as in [x, energy.max]"),
      NULL;
    all[i] = keep->part[i]->text;
  }
  return all;
}

int epi_file_read_sweep(epi_file *m)
{
  document *d = &m->d;
  const item *at = epi_item_of(d->root, "sweep");
  sweep_keys k = {.samples = NAN, .seed = NAN, .limit = NAN, .latin = -1};
  if (!at) return 0;
  source s = {.d = d};
  epi_sweep_request *q = epi_pool_room(&d->pool, 1, sizeof *q);
  if (!q) return REFUSED;
  if (at->kind != ITEM_MAP) return epi_document_wrong(d, at, "sweep is %s: write keys with values", epi_item_what(at));
  if (epi_fields_read(&s, at, epi_sweep_keys, &k)) return REFUSED;
  *q = (epi_sweep_request){.samples = k.samples, .seed = k.seed, .limit = k.limit, .latin = k.latin > 0, .file = k.file};
  if (!(q->over = read_over(d, at, k.over)) || (k.keep && !(q->keep = read_keep(d, k.keep)))) return REFUSED;
  m->sweep = q;
  return 0;
}

const epi_sweep_request *epi_file_sweep(const epi_file *m) { return m && m->n ? m->sweep : NULL; }
