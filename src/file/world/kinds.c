/* kinds.c - kinds of contacts, joints and loads by their names: what the user brings comes first, then the records of the library. A new
 * record of the library is a new word of model files, and its parameters are keys */
#include "file/model-file.h"
#include <string.h>

/* ---- the families ---- */
static int contact_brought(const epi_name *n, kind *k)
{
  if (!n->contact) return 0;
  *k = (kind){.name = n->name, .contact = n->contact, .params = n->contact->params};
  return 1;
}

static int contact_at(int i, kind *k)
{
  const epi_contact_kind *c = epi_contact_kinds()[i];
  if (!c) return 0;
  *k = (kind){.name = c->name, .contact = c, .params = c->params, .plain = i <= EPI_CIRCLE_IN_BORE};
  return 1;
}

static int joint_brought(const epi_name *n, kind *k)
{
  if (!n->joint) return 0;
  *k = (kind){.name = n->name, .joint = n->joint, .params = n->joint->params, .hold = n->joint->hold};
  return 1;
}

/* the first record is what a list of directions means, which has words of its own */
static int joint_at(int i, kind *k)
{
  static const struct { const char *name; int hold; } words[] = {
    {"all", EPI_ALL}, {"revolute", EPI_HINGE}, {"prismatic", EPI_SLIDER}, {"spherical", EPI_POINT}, {"screw", HOLD_SCREW},
    {"gear", HOLD_GEAR}, {"rack", HOLD_RACK}, {"belt", HOLD_BELT}, {"on-line", EPI_X | EPI_Y}, {"on-plane", EPI_Z},
    {"turns", EPI_TURNS}, {"x", EPI_X}, {"y", EPI_Y}, {"z", EPI_Z}, {"rx", EPI_RX}, {"ry", EPI_RY}, {"rz", EPI_RZ},
  };
  const epi_joint_kind *const *list = epi_joint_kinds() + 1;
  int n = 0;
  while (n < i && list[n]) n++;
  if (list[n]) *k = (kind){.name = list[n]->name, .joint = list[n], .params = list[n]->params, .hold = list[n]->hold,
                           .plain = list[n]->hold != 0};
  else if (i - n < (int)(sizeof words/sizeof *words))
    *k = (kind){.name = words[i-n].name, .params = list[-1]->params, .hold = words[i-n].hold, .plain = 1};
  else return 0;
  return 1;
}

/* loads act on one body, springs between two: both are in one list */
static int load_brought_as(const epi_name *n, int between, kind *k)
{
  if (!n->load || !n->load->between != !between) return 0;
  *k = (kind){.name = n->name, .load = n->load, .params = n->load->params};
  return 1;
}

static int load_as(int i, int between, kind *k)
{
  for (const epi_load_kind *const *l = epi_load_kinds(); *l; l++)
    if (!(*l)->between == !between && !i--) {
      *k = (kind){.name = (*l)->name, .load = *l, .params = (*l)->params};
      return 1;
    }
  return 0;
}

static int load_brought(const epi_name *n, kind *k) { return load_brought_as(n, 0, k); }
static int spring_brought(const epi_name *n, kind *k) { return load_brought_as(n, 1, k); }
static int load_at(int i, kind *k) { return load_as(i, 0, k); }
static int spring_at(int i, kind *k) { return load_as(i, 1, k); }

const family epi_contact_family = {.key = "shape", .brought = contact_brought, .library = contact_at};
const family epi_joint_family = {.key = "hold", .brought = joint_brought, .library = joint_at};
const family epi_load_family = {.key = "kind", .otherwise = "force", .brought = load_brought, .library = load_at};
const family epi_spring_family = {.key = "kind", .otherwise = "spring", .brought = spring_brought, .library = spring_at};

/* ---- looking ---- */
int epi_kind_of(const document *d, const family *f, const char *word, kind *k)
{
  for (const epi_name *n = d->names; n && n->name; n++) if (!strcmp(n->name, word) && f->brought(n, k)) return 1;
  for (int i = 0; f->library(i, k); i++) if (!strcmp(k->name, word)) return 1;
  return 0;
}

int epi_kind_param(const kind *k, const char *name)
{
  for (const epi_param *p = k->params; p && p->name; p++) if (!strcmp(p->name, name)) return 1;
  return 0;
}

const char *const *epi_kind_words(document *d, const family *f)
{
  kind k;
  int n = 0, m = 0;
  while (d->names && d->names[n].name) n++;
  while (f->library(m, &k)) m++;
  const char **words = epi_pool_room(&d->pool, (size_t)(n + m) + 1, sizeof *words);
  int count = 0;
  for (int i = 0; words && i < n; i++) if (f->brought(&d->names[i], &k)) words[count++] = k.name;
  for (int i = 0; words && f->library(i, &k); i++) words[count++] = k.name;
  return words;
}

/* ---- the keys of a kind: those of the table that all have, and its parameters. Made once for each ---- */
struct known { struct known *before; const field *table; const epi_param *params; field *keys; };

const field *epi_kind_keys(document *d, const field *table, const kind *k)
{
  if (k->plain) return table;
  for (const struct known *m = d->known; m; m = m->before) if (m->table == table && m->params == k->params) return m->keys;
  int n = 0, m = 0, count = 0;
  while (table[n].name) n++;
  while (k->params && k->params[m].name) m++;
  struct known *made = epi_pool_room(&d->pool, 1, sizeof *made);
  field *keys = epi_pool_room(&d->pool, (size_t)(n + m) + 1, sizeof *keys);
  if (!made || !keys) return table;
  for (int i = 0; i < n; i++) if (!table[i].of || epi_kind_param(k, table[i].of)) keys[count++] = table[i];
  for (int i = 0; i < m; i++) {
    int have = 0;
    for (int j = 0; j < count; j++) have |= !strcmp(keys[j].name, k->params[i].name);
    if (!have) keys[count++] = (field){.name = k->params[i].name, .kind = PARAM};
  }
  *made = (struct known){.before = d->known, .table = table, .params = k->params, .keys = keys};
  d->known = made;
  return keys;
}
