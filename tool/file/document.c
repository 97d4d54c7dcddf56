/* document.c - from the bytes of a YAML file to a tree of items. Everything is bounded: bytes, values, depth, what aliases stand for */
#include "document.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { BYTES = 16000000, VALUES = 200000, DEPTH = 50, KEYS = 2000, SENTENCES = 20 };

/* ---- sentences ---- */
static int say_at(document *d, int line, const char *words, va_list ap)
{
  char sentence[1200];
  d->wrong++;
  if (d->wrong > SENTENCES) return REFUSED;
  vsnprintf(sentence, sizeof sentence, words, ap);
  /* what the file holds must not steer the terminal */
  for (char *c = sentence; *c; c++) if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
  if (line > 0) return say(REFUSED, "%s:%d: %s", d->path, line, sentence);
  return say(REFUSED, "%s: %s", d->path, sentence);
}

int document_wrong_at(document *d, int line, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  int code = say_at(d, line, words, ap);
  va_end(ap);
  return code;
}

int document_wrong(document *d, const item *at, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  int code = say_at(d, at ? at->line : 1, words, ap);
  va_end(ap);
  return code;
}

/* ---- looking ---- */
static int place_of(const item *map, const char *key)
{
  for (int i = 0; map && map->kind == ITEM_MAP && i < map->n; i++) if (!strcmp(map->key[i]->text, key)) return i;
  return -1;
}

item *item_of(const item *map, const char *key) { int i = place_of(map, key); return i < 0 ? NULL : map->part[i]; }
item *item_key(const item *map, const char *key) { int i = place_of(map, key); return i < 0 ? NULL : map->key[i]; }

const char *item_what(const item *i)
{
  static const char *const words[] = {[ITEM_TEXT] = "a single value", [ITEM_LIST] = "a list", [ITEM_MAP] = "a map of keys"};
  return words[i->kind];
}

char *document_folder(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? text("%.*s", (int)(slash - path) + 1, path) : text("%s", "");
}

/* ---- bytes ---- */
/* the length of the character there, 0: not UTF-8 */
static int character(const unsigned char *s, const unsigned char *end)
{
  int n = *s < 0x80 ? 1 : *s >= 0xC2 && *s < 0xE0 ? 2 : (*s & 0xF0) == 0xE0 ? 3 : *s >= 0xF0 && *s < 0xF5 ? 4 : 0;
  if (!n || end - s < n) return 0;
  for (int i = 1; i < n; i++) if ((s[i] & 0xC0) != 0x80) return 0;
  /* too long for what they say, halves of pairs, beyond the end */
  if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F) || (*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] > 0x8F)) return 0;
  return n;
}

static int check_bytes(document *d)
{
  const unsigned char *s = (const unsigned char *)d->source, *end = s + d->size;
  int line = 1, empty = 1;
  while (s < end) {
    int n = character(s, end);
    if (!n) return document_wrong_at(d, line, "the byte 0x%02x is not UTF-8: save the file as UTF-8 text", *s);
    if ((*s < ' ' && !strchr("\t\n\r", *s)) || *s == 127 || *s == 0)
      return document_wrong_at(d, line, "the byte 0x%02x is no text: this is not a model file, or it is damaged", *s);
    if (*s == '\n') line++;
    empty = empty && strchr(" \t\n\r", *s);
    s += n;
  }
  return empty ? document_wrong_at(d, 1, "the file is empty: `epicycle show MODEL --yaml` prints one to begin with") : 0;
}

static int load(document *d)
{
  long long size = disk_size(d->path);
  if (size == -1) return document_wrong_at(d, 0, "there is no such file: see its name and folder");
  if (size == -2) return document_wrong_at(d, 0, "this is no plain file: give the path of a model file");
  if (size > BYTES) return document_wrong_at(d, 0, "%.0f MB are too much for a model file: the most is %d MB", (double)size/1e6, BYTES/1000000);
  FILE *f = fopen(d->path, "rb");
  if (!f) return document_wrong_at(d, 0, "it cannot be read: %s", strerror(errno));
  d->source = need((size_t)size + 2);
  d->size = (long)fread(d->source, 1, (size_t)size, f);
  int bad = ferror(f);
  fclose(f);
  return bad ? document_wrong_at(d, 0, "it cannot be read: %s", strerror(errno)) : check_bytes(d);
}

/* ---- what the parser complains of, with the remedy ---- */
static const struct { const char *problem, *words; } complaints[] = {
  {"mapping values are not allowed", "a ':' stands where none is expected: align the keys, or put the text in quotes"},
  {"did not find expected key", "this line is not aligned with the keys above it, or a bracket or quote above is not closed"},
  {"could not find expected ':'", "a key needs a ':' and a blank after it"},
  {"did not find expected ',' or ']'", "a ',' or the closing ']' of a list is missing"},
  {"did not find expected ',' or '}'", "a ',' or the closing '}' of a map is missing"},
  {"did not find expected node content", "a value is missing here: two commas, or a comma too many"},
  {"did not find expected '-' indicator", "this line is not aligned with the '-' of the list above it"},
  {"block sequence entries are not allowed", "a '-' stands where no list can be: begin the list on a line of its own"},
  {"did not find expected <document start>", "the file goes on after its end: one document, with keys at its left edge, is a model file"},
  {"found unexpected document indicator", "'---' or '...' stands inside a quoted text: close the quotes"},
  {"found unexpected end of stream", "the quote that begins here is not closed: the file ends inside it"},
  {"found undefined alias", "this alias has no anchor: write &name above at what it stands for, or the value itself"},
  {"found unknown escape character", "this '\\' means nothing in double quotes: use single quotes, or '\\\\'"},
  {"did not find URI escape", "a tag (!) is not needed here: take it away"},
  {"found undefined tag handle", "a tag (!) is not needed here: take it away"},
  {"found a tab character", "a tab indents this line: use blanks"},
  {"found invalid Unicode", "a character here is no text: save the file as UTF-8 text"},
  {"found duplicate", "this stands twice"},
};

/* the line of the source, for a look at what stands there */
static const char *line_of(const document *d, int line)
{
  const char *s = d->source;
  for (int i = 1; i < line && s; i++) s = (s = strchr(s, '\n')) ? s + 1 : NULL;
  return s ? s : "";
}

static int complain(document *d, const yaml_parser_t *p)
{
  const char *problem = p->problem ? p->problem : "it cannot be read";
  /* a quote and a key without ':' are noticed after them: where they begin is where to look */
  int after = p->context && (!strncmp(problem, "found unexpected end", 20) || !strncmp(problem, "could not find expected ':'", 27));
  const yaml_mark_t *mark = after ? &p->context_mark : &p->problem_mark;
  int line = (int)mark->line + 1, column = (int)mark->column + 1, begun = p->context ? (int)p->context_mark.line + 1 : line;
  const char *at = line_of(d, line);
  if (p->error == YAML_READER_ERROR) {
    line = 1;
    for (size_t i = 0; i < p->problem_offset && i < (size_t)d->size; i++) line += d->source[i] == '\n';
    return document_wrong_at(d, line, "a character here is not allowed in a text (%s): take it away", problem);
  }
  if (at[strspn(at, " ")] == '\t' || !strncmp(problem, "found a tab", 11)) return document_wrong_at(d, line, "a tab indents this line: use blanks");
  if (!strncmp(problem, "found character that cannot start", 33))
    return document_wrong_at(d, line, "column %d: '%.1s' cannot begin a value: put the text in quotes", column, strlen(at) >= (size_t)column ? at + column - 1 : " ");
  for (size_t i = 0; i < sizeof complaints/sizeof *complaints; i++)
    if (!strncmp(problem, complaints[i].problem, strlen(complaints[i].problem))) {
      char where[40] = "";
      if (begun < line && strstr(complaints[i].words, "closing")) snprintf(where, sizeof where, "; it begins in line %d", begun);
      return document_wrong_at(d, line, "column %d: %s%s", column, complaints[i].words, where);
    }
  return document_wrong_at(d, line, "column %d: this is not YAML (%s)", column, problem);
}

/* ---- items ---- */
typedef struct open { item *it; item *key; int flow, line, room; } open;         /* key: waits for its value */
typedef struct anchor { char *name; item *it; int closed; } anchor;
typedef struct builder {
  document *d;
  open stack[DEPTH + 1];
  int depth, anchors;
  anchor *anchor;
} builder;

static void *larger(void *list, int n, int *room, size_t size)
{
  if (n < *room) return list;
  *room = 2**room + 8;
  return grown(list, (size_t)*room*size);
}

static item *fresh(builder *b, item_kind kind, const yaml_mark_t *at)
{
  document *d = b->d;
  item *it = need(sizeof *it);
  *it = (item){.kind = kind, .line = (int)at->line + 1, .size = 1, .depth = 1};
  d->all = larger(d->all, d->count, &d->room, sizeof *d->all);
  d->all[d->count++] = it;
  return it;
}

static int remember(builder *b, const yaml_char_t *name, item *it, int closed)
{
  if (!name) return 0;
  for (int i = 0; i < b->anchors; i++)
    if (!strcmp(b->anchor[i].name, (const char *)name)) return document_wrong(b->d, it, "the anchor &%s stands twice: give each its own name", name);
  anchor *more = grown(b->anchor, ((size_t)b->anchors + 1)*sizeof *more);
  b->anchor = more;
  b->anchor[b->anchors++] = (anchor){.name = text("%s", (const char *)name), .it = it, .closed = closed};
  return 0;
}

static int add_key(builder *b, open *o, item *it)
{
  document *d = b->d;
  if (it->kind != ITEM_TEXT) return document_wrong(d, it, "a key is %s: keys are names", item_what(it));
  if (it->text[0] == '<' && !strcmp(it->text, "<<")) return document_wrong(d, it, "'<<' is not known: what several runs share stands outside of runs");
  item *twice = item_key(o->it, it->text);
  if (twice) return document_wrong(d, it, "'%.60s' stands twice, first in line %d: take one away", it->text, twice->line);
  if (o->it->n >= KEYS) return document_wrong(d, it, "a map of more than %d keys is no part of a model file", KEYS);
  o->key = it;
  return 0;
}

/* into the list or map that is open; a map takes keys and values in turn */
static int put(builder *b, item *it)
{
  document *d = b->d;
  open *o = b->depth ? &b->stack[b->depth - 1] : NULL;
  if (!o) { d->root = it; return 0; }
  int key = o->it->kind == ITEM_MAP && !o->key;
  it->owner |= key || o->it->kind == ITEM_LIST;
  if (it->owner && (key || o->it->kind == ITEM_LIST)) it->flat = o->flow && o->line == it->line;
  if (key) return add_key(b, o, it);
  int room = o->room;
  o->it->part = larger(o->it->part, o->it->n, &room, sizeof *o->it->part);
  if (o->it->kind == ITEM_MAP) {
    o->it->key = larger(o->it->key, o->it->n, &o->room, sizeof *o->it->key);
    o->it->key[o->it->n] = o->key;
    o->key = NULL;
  }
  o->room = room;
  o->it->part[o->it->n++] = it;
  return 0;
}

static int add_text(builder *b, const yaml_event_t *e)
{
  document *d = b->d;
  item *it = fresh(b, ITEM_TEXT, &e->start_mark);
  size_t n = e->data.scalar.length, from = e->start_mark.index, to = e->end_mark.index;
  it->text = need(n + 1);
  memcpy(it->text, e->data.scalar.value, n);
  if (strlen(it->text) != n) return document_wrong(d, it, "a text holds the character of number zero: take it away");
  if (e->data.scalar.tag) return document_wrong(d, it, "the tag %.40s is not needed here: take it away", (char *)e->data.scalar.tag);
  int block = e->data.scalar.style == YAML_LITERAL_SCALAR_STYLE || e->data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
  if (to > (size_t)d->size) to = (size_t)d->size;
  if (to > from) memset(d->inside + from, block ? IN_BLOCK : IN_TEXT, to - from);
  return remember(b, e->data.scalar.anchor, it, 1) || put(b, it) ? REFUSED : 0;
}

static int begin(builder *b, item_kind kind, const yaml_event_t *e, const yaml_char_t *name, const yaml_char_t *tag, int flow)
{
  item *it = fresh(b, kind, &e->start_mark);
  if (tag) return document_wrong(b->d, it, "the tag %.40s is not needed here: take it away", (const char *)tag);
  if (b->depth >= DEPTH) return document_wrong(b->d, it, "lists and maps are nested more than %d deep", DEPTH);
  if (remember(b, name, it, 0) || put(b, it)) return REFUSED;
  b->stack[b->depth++] = (open){.it = it, .flow = flow, .line = it->line};
  return 0;
}

static int end(builder *b)
{
  item *it = b->stack[--b->depth].it;
  for (int i = 0; i < it->n; i++) {
    it->size += it->part[i]->size;
    if (it->part[i]->depth >= it->depth) it->depth = it->part[i]->depth + 1;
  }
  for (int i = 0; i < b->anchors; i++) if (b->anchor[i].it == it) b->anchor[i].closed = 1;
  if (it->size > VALUES) return document_wrong(b->d, it, "this stands for more than %d values, aliases counted as often as they are used: a model file is smaller", VALUES);
  return it->depth > DEPTH ? document_wrong(b->d, it, "lists and maps are nested more than %d deep", DEPTH) : 0;
}

static int add_alias(builder *b, const yaml_event_t *e)
{
  const char *name = (const char *)e->data.alias.anchor;
  int line = (int)e->start_mark.line + 1;
  for (int i = 0; i < b->anchors; i++) {
    if (strcmp(b->anchor[i].name, name)) continue;
    if (!b->anchor[i].closed) return document_wrong_at(b->d, line, "*%.40s stands inside of what it stands for: write the value itself", name);
    return put(b, b->anchor[i].it);
  }
  return document_wrong_at(b->d, line, "there is no anchor &%.40s above: write it at what *%.40s stands for, or the value itself", name, name);
}

static int take(builder *b, const yaml_event_t *e, int *documents)
{
  switch (e->type) {
  case YAML_ALIAS_EVENT: return add_alias(b, e);
  case YAML_SCALAR_EVENT: return add_text(b, e);
  case YAML_SEQUENCE_START_EVENT:
    return begin(b, ITEM_LIST, e, e->data.sequence_start.anchor, e->data.sequence_start.tag, e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
  case YAML_MAPPING_START_EVENT:
    return begin(b, ITEM_MAP, e, e->data.mapping_start.anchor, e->data.mapping_start.tag, e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
  case YAML_SEQUENCE_END_EVENT: case YAML_MAPPING_END_EVENT: return end(b);
  case YAML_DOCUMENT_START_EVENT:
    if (e->data.document_start.version_directive || e->data.document_start.tag_directives.start != e->data.document_start.tag_directives.end)
      return document_wrong_at(b->d, (int)e->start_mark.line + 1, "a directive (%%) is not needed here: take it away");
    return ++*documents > 1 ? document_wrong_at(b->d, (int)e->start_mark.line + 1, "a second document begins here: one file is one model, several runs stand under runs") : 0;
  default: return 0;
  }
}

static int build(document *d)
{
  yaml_parser_t p;
  builder b = {.d = d};
  int bad = 0, documents = 0, done = 0;
  if (!yaml_parser_initialize(&p)) no_room();
  yaml_parser_set_input_string(&p, (const unsigned char *)d->source, (size_t)d->size);
  while (!bad && !done) {
    yaml_event_t e;
    if (!yaml_parser_parse(&p, &e)) { bad = complain(d, &p); break; }
    bad = take(&b, &e, &documents);
    if (!bad && d->count > VALUES) bad = document_wrong_at(d, (int)e.start_mark.line + 1, "the file holds more than %d values: a model file is smaller", VALUES);
    done = e.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&e);
  }
  yaml_parser_delete(&p);
  for (int i = 0; i < b.anchors; i++) free(b.anchor[i].name);
  free(b.anchor);
  if (!bad && !d->root) bad = document_wrong_at(d, 1, "the file holds comments alone: `epicycle show MODEL --yaml` prints one to begin with");
  if (!bad && d->root->kind != ITEM_MAP) bad = document_wrong(d, d->root, "the file is %s, not a map of keys: begin with model: and a name, as in `model: kepler`", item_what(d->root));
  return bad;
}

document *document_read(const char *path)
{
  document *d = need(sizeof *d);
  d->path = text("%s", path);
  int bad = load(d);
  if (!bad) {
    d->inside = need((size_t)d->size + 2);
    bad = build(d);
  }
  if (!bad) comments_find(d);
  if (!bad) return d;
  document_free(d);
  return NULL;
}

void document_free(document *d)
{
  if (!d) return;
  for (int i = 0; i < d->count; i++) {
    item *it = d->all[i];
    free(it->text);
    free(it->part);
    free(it->key);
    free(it->before);
    free(it->after);
    free(it);
  }
  free(d->all);
  free(d->path);
  free(d->source);
  free(d->inside);
  free(d->head);
  free(d->tail);
  free(d);
}
