/* paths.c - any number of a file by its path: bodies.crank.mass becomes the parameter bodies_crank_mass, and
 * stands where the number stood */
#include "file/model-file.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* of a map the value of a key; of a list the one with that name, or that number, from 1 on */
static item *step_into(const item *at, const char *word, size_t n)
{
  char *end;
  long k = strtol(word, &end, 10);
  for (int i = 0; at->kind == ITEM_MAP && i < at->n; i++)
    if (strlen(at->key[i]->text) == n && !memcmp(at->key[i]->text, word, n)) return at->part[i];
  for (int i = 0; at->kind == ITEM_LIST && i < at->n; i++) {
    const item *name = at->part[i]->kind == ITEM_MAP ? epi_item_of(at->part[i], "name") : NULL;
    if (name && name->kind == ITEM_TEXT && strlen(name->text) == n && !memcmp(name->text, word, n)) return at->part[i];
    if (end == word + n && k == i + 1) return at->part[i];
  }
  return NULL;
}

/* the longest part of the path that is there: how far it reaches */
static item *follow(item *at, const char *path, size_t all, size_t *reached)
{
  *reached = 0;
  while (at && *reached < all) {
    const char *word = path + *reached;
    const char *dot = memchr(word, '.', all - *reached);
    size_t n = dot ? (size_t)(dot - word) : all - *reached;
    if (!(at = step_into(at, word, n))) return NULL;
    *reached += n + (dot != NULL);
  }
  return at;
}

static item *new_text(document *d, const item *like, const char *text)
{
  item *it = epi_pool_room(&d->pool, 1, sizeof *it);
  if (!it) return NULL;
  *it = (item){.kind = ITEM_TEXT, .line = like->line, .number = like->number, .under = like->under, .size = 1};
  it->text = (char *)epi_pool_text(&d->pool, "%s", text);
  return it;
}

static int append(document *d, item *map, item *key, item *part)
{
  item **keys = epi_pool_room(&d->pool, (size_t)map->n + 1, sizeof *keys), **parts = epi_pool_room(&d->pool, (size_t)map->n + 1,
      sizeof *parts);
  if (!keys || !parts || !key || !part) return REFUSED;
  for (int i = 0; i < map->n; i++) keys[i] = map->key[i], parts[i] = map->part[i];
  keys[map->n] = key;
  parts[map->n] = part;
  map->key = keys;
  map->part = parts;
  map->n++;
  return 0;
}

static item *parameters_of(document *d)
{
  item *map = epi_item_of(d->root, "parameters");
  if (map) return map;
  map = epi_pool_room(&d->pool, 1, sizeof *map);
  if (!map) return NULL;
  *map = (item){.kind = ITEM_MAP, .line = d->root->line, .under = d->root->under, .size = 1};
  return append(d, d->root, new_text(d, d->root, "parameters"), map) ? NULL : map;
}

/* bodies.crank.mass as a name of a parameter */
static char *name_of(document *d, const char *path, size_t n)
{
  char *name = epi_pool_room(&d->pool, n + 1, 1);
  for (size_t i = 0; name && i < n; i++) name[i] = isalnum((unsigned char)path[i]) ? path[i] : '_';
  return name;
}

/* what was opened, and by which path: a number has one name at a time */
typedef struct opened { const item *at; const char *path; size_t n; int swept; } opened;
typedef struct openings { opened *list; int n; } openings;

/* of the file and of the command line may be the same path, which goes over it; two paths to one number are two values for it */
static int opened_otherwise(document *d, const openings *o, const opened *now)
{
  for (int i = 0; i < o->n; i++) {
    const opened *was = &o->list[i];
    int same = was->n == now->n && !memcmp(was->path, now->path, now->n);
    if (was->at != now->at || (same && was->swept != now->swept)) continue;
    if (same) return epi_document_wrong_at(d, 0, "%.*s is given twice: give it once", (int)now->n, now->path);
    return epi_document_wrong_at(d, 0, "%.*s and %.*s are the same number: give one of them", (int)was->n, was->path,
                                 (int)now->n, now->path);
  }
  return 0;
}

/* one path of n letters; its name, or NULL after the sentence */
static const char *open_one(document *d, openings *o, const char *path, size_t n, int swept)
{
  item *world = epi_item_of(d->root, "world");
  size_t reached = 0;
  item *at = world ? follow(world, path, n, &reached) : NULL;
  char *name = name_of(d, path, n);
  if (!name) return NULL;
  if (!world) return epi_document_wrong_at(d, 0, "%.*s is a path into a world, and this file has none", (int)n, path), NULL;
  if (!at || at->kind != ITEM_TEXT)
    return epi_document_wrong_at(d, 0, "%.*s: there is no number of this path in the world%s%.*s", (int)n, path,
                                 at ? "; it leads to a list or to keys" : reached ? "; it ends after " : "", at ? 0 : (int)reached, path),
                                   NULL;
  item *map = parameters_of(d);
  opened now = {at, path, n, swept};
  if (!map || map->kind != ITEM_MAP || opened_otherwise(d, o, &now)) return NULL;
  o->list[o->n++] = now;
  /* opened before: it stands there already */
  if (!strcmp(at->text, name)) return name;
  if (epi_item_of(map, name)) return epi_document_wrong_at(d, 0, "%s is a parameter already: give that another name", name), NULL;
  if (append(d, map, new_text(d, at, name), new_text(d, at, at->text))) return NULL;
  at->text = name;
  return name;
}

/* a dot in a name, which no parameter has; a start is of another kind */
static int is_path(const char *word, size_t n) { return memchr(word, '.', n) && strncmp(word, "start.", 6); }

/* what the section sweep goes over */
static const item *swept_by(const document *d)
{
  const item *sweep = epi_item_of(d->root, "sweep"), *over = sweep && sweep->kind == ITEM_MAP ? epi_item_of(sweep, "over") : NULL;
  return over && over->kind == ITEM_MAP ? over : NULL;
}

static int open_swept(document *d, openings *o)
{
  const item *over = swept_by(d);
  for (int i = 0; over && i < over->n; i++) {
    const char *key = over->key[i]->text;
    if (is_path(key, strlen(key)) && !open_one(d, o, key, strlen(key), 1)) return REFUSED;
  }
  return 0;
}

/* a name that was given already, with a value or to be swept */
static int given_before(document *d, const char *const *names, int n, const char *word)
{
  size_t length = strcspn(word, "=");
  for (int i = 0; i < n; i++)
    if (strcspn(names[i], "=") == length && !memcmp(names[i], word, length))
      return epi_document_wrong_at(d, 0, "%.*s is given twice: give it once", (int)length, word);
  return 0;
}

int epi_paths_open(document *d)
{
  int n = 0, kept = 0, named = 0;
  while (d->given && d->given[n]) n++;
  const item *over = swept_by(d);
  const char **all = epi_pool_room(&d->pool, 2*(size_t)n + 2, sizeof *all), **names = all ? all + n + 1 : NULL;
  openings o = {.list = epi_pool_room(&d->pool, (size_t)n + (size_t)(over ? over->n : 0) + 1, sizeof *o.list)};
  if (!all || !o.list) return REFUSED;
  for (int i = 0; i < n; i++) {
    size_t length = strcspn(d->given[i], "=");
    const char *value = d->given[i][length] ? d->given[i] + length : NULL, *word = d->given[i];
    if (!value && !strcmp(word, "sweep")) {
      if (open_swept(d, &o)) return REFUSED;
      continue;
    }
    if (is_path(word, length)) {
      const char *name = open_one(d, &o, word, length, 0);
      if (!name || !(word = epi_pool_text(&d->pool, "%s%s", name, value ? value : ""))) return REFUSED;
    }
    if (given_before(d, names, named, word)) return REFUSED;
    names[named++] = word;
    if (word[strcspn(word, "=")] || !is_path(d->given[i], length)) all[kept++] = word;
  }
  if (d->given) d->given = all;
  return 0;
}
