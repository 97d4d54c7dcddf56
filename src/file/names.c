/* names.c - bodies by their names: a table of a power of two, at most half full, so that many are found as fast as few */
#include "model-file.h"
#include <string.h>

/* where the name stands, or the empty place where it would */
static int *slot_of(const source *s, const char *name)
{
  unsigned long long h = 14695981039346656037ULL;
  for (const char *c = name; *c; c++) h = (h ^ (unsigned char)*c)*1099511628211ULL;
  unsigned at = (unsigned)(h ^ h >> 32) & (unsigned)(s->slots - 1);
  while (s->slot[at] && strcmp(s->name[s->slot[at] - 1], name)) at = (at + 1) & (unsigned)(s->slots - 1);
  return &s->slot[at];
}

int epi_names_find(const source *s, const char *name) { return s->slots ? *slot_of(s, name) - 1 : -1; }

/* the names themselves have room */
int epi_names_add(source *s, const char *name)
{
  if (2*(s->names + 1) > s->slots) {
    int before = s->names;
    s->slots = s->slots ? 2*s->slots : 64;
    if (!(s->slot = epi_pool_room(&s->d->pool, (size_t)s->slots, sizeof *s->slot))) return s->slots = 0, REFUSED;
    for (int i = 0; i < before; i++) *slot_of(s, s->name[i]) = 1 + i;
  }
  int *at = slot_of(s, name);
  if (*at) return 1;
  s->name[s->names++] = name;
  *at = s->names;
  return 0;
}
