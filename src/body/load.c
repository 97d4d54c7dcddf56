/* load.c - loads on a body and what acts between two, by their records */
#include "parts.h"

static int add(epi_world *w, const epi_load_kind *k, int between, const char *name, int a, int b, const void *data, size_t size,
               const double *own)
{
  char words[160];
  if (epi_world_closed(w)) return -1;
  if (!k->name || !k->act) return epi_world_wrong(w, "%s has a kind without a name or act: give both", name);
  if (!k->between != !between)
    return epi_world_wrong(w, "%s is of the kind %s, which acts %s: add it with %s", name, k->name,
                           k->between ? "between two bodies" : "on one body",
                           k->between ? "epi_add_spring" : "epi_add_load");
  if (k->check && k->check(data, words, sizeof words)) return epi_world_wrong(w, "the %s %s %s", k->name, name, words);
  epi_pair p = {.a = a, .b = b, .kind = k->traits ? k->traits(data) : 0, .act = k->act, .load = k};
  return epi_world_pair(w, p, name, data, size, own, epi_load_own(k));
}

int epi_add_load(epi_world *w, const epi_applied_force *l)
{
  int made = add(w, epi_load_kind_of(l), 0, l->name ? l->name : "load", l->body, EPI_GROUND, l, sizeof *l, l->own);
  if (made < 0) return -1;
  epi_pair *last = &w->pair[w->pairs - 1];
  epi_applied_force *mine = last->data;
  mine->own = l->own ? (double *)(mine + 1) : NULL;
  if (l->law) last->driven = &w->phase;
  return made;
}

int epi_add_spring(epi_world *w, const epi_spring *s)
{
  int made = add(w, epi_spring_kind_of(s), 1, s->name ? s->name : "spring", s->a, s->b, s, sizeof *s, s->own);
  if (made < 0) return -1;
  epi_spring *mine = w->pair[w->pairs - 1].data;
  mine->own = s->own ? (double *)(mine + 1) : NULL;
  w->pair[w->pairs - 1].stiff = s->stiff;
  for (int k = 0, n = epi_drives_count(s->motion); k < n; k++) {
    char words[160];
    epi_pair *last = &w->pair[w->pairs - 1];
    if (epi_drive_wrong(&s->motion[k], words, sizeof words)) return epi_world_wrong(w, "the spring %s %s", last->name, words);
    last->driven = &w->phase;
  }
  return made;
}
