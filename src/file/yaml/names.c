/* names.c - names in a table of a power of two, at most half full, so that many are found as fast as few */
#include "names.h"
#include <string.h>

/* where the name stands, or the empty place where it would */
static int *slot_of(const name_list *s, const char *name)
{
  unsigned long long h = 14695981039346656037ULL;
  for (const char *c = name; *c; c++) h = (h ^ (unsigned char)*c)*1099511628211ULL;
  unsigned at = (unsigned)(h ^ h >> 32) & (unsigned)(s->slots - 1);
  while (s->slot[at] && strcmp(s->name[s->slot[at] - 1], name)) at = (at + 1) & (unsigned)(s->slots - 1);
  return &s->slot[at];
}

int epi_names_find(const name_list *s, const char *name) { return s->slots ? *slot_of(s, name) - 1 : -1; }

int epi_names_add(pool *p, name_list *s, const char *name)
{
  const char **more = epi_pool_more(p, s->name, s->n, &s->room, sizeof *more);
  if (!more) return -1;
  s->name = more;
  if (2*(s->n + 1) > s->slots) {
    s->slots = s->slots ? 2*s->slots : 16;
    if (!(s->slot = epi_pool_room(p, (size_t)s->slots, sizeof *s->slot))) return s->slots = 0, -1;
    for (int i = 0; i < s->n; i++) *slot_of(s, s->name[i]) = 1 + i;
  }
  int *at = slot_of(s, name);
  if (*at) return 1;
  s->name[s->n++] = name;
  *at = s->n;
  return 0;
}
