/* document.c - from the bytes of a YAML file to a tree of items. Everything is bounded: bytes, values, depth, what aliases stand for */
#include "document.h"
#include "names.h"
#include "letters.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

enum { BYTES = 64000000, VALUES = 4000000, ALIASED = 200000, DEPTH = 50, KEYS = 2000, FEW = 16, ANCHORS = 2000 };

/* ---- sentences ---- */
/* once memory is out, what is found is not to be trusted: that sentence is the only one */
static int say_at(document *d, int line, const item *under, const char *words, va_list ap)
{
  char sentence[1200];
  if (d->pool.out || d->wrong++ >= SENTENCES) return REFUSED;
  epi_clean_words(sentence, sizeof sentence, words, ap);
  /* what the file holds must not steer the terminal */
  for (char *c = sentence; *c; c++) if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
  const char *path = d->path;
  const char *all = line > 0 ? epi_pool_text(&d->pool, "%s:%d: %s", path, line, sentence) : epi_pool_text(&d->pool, "%s: %s", path,
      sentence);
  d->said[d->wrong - 1] = (epi_sentence){.line = line, .key = under ? under->text : "", .text = all};
  if (!d->pool.out) d->said[d->wrong - 1].words = all + strlen(all) - strlen(sentence);
  return REFUSED;
}

int epi_document_wrong_at(document *d, int line, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  int code = say_at(d, line, NULL, words, ap);
  va_end(ap);
  return code;
}

int epi_document_wrong(document *d, const item *at, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  int code = say_at(d, at ? at->line : 1, at ? at->under : NULL, words, ap);
  va_end(ap);
  return code;
}

void epi_document_note(document *d, const item *at, const char *words, ...)
{
  char sentence[600];
  va_list ap;
  va_start(ap, words);
  vsnprintf(sentence, sizeof sentence, words, ap);
  va_end(ap);
  const char *text = epi_pool_text(&d->pool, "%s:%d: %s", d->path, at ? at->line : 1, sentence);
  note **to = &d->notes;
  for (; *to; to = &(*to)->next) if (!strcmp((*to)->text, text)) return;
  if ((*to = epi_pool_room(&d->pool, 1, sizeof **to))) (*to)->text = text;
}

/* ---- looking ---- */
static int place_of(const item *map, const char *key)
{
  for (int i = 0; map && map->kind == ITEM_MAP && i < map->n; i++) if (!strcmp(map->key[i]->text, key)) return i;
  return -1;
}

item *epi_item_of(const item *map, const char *key) { int i = place_of(map, key); return i < 0 ? NULL : map->part[i]; }
item *epi_item_key(const item *map, const char *key) { int i = place_of(map, key); return i < 0 ? NULL : map->key[i]; }

const char *epi_item_what(const item *i)
{
  static const char *const words[] = {[ITEM_TEXT] = "a single value", [ITEM_LIST] = "a list", [ITEM_MAP] = "a map of keys"};
  return words[i->kind];
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
    if (!n) return epi_document_wrong_at(d, line, "the byte 0x%02x is not UTF-8: save the file as UTF-8 text", *s);
    if ((*s < ' ' && !strchr("\t\n\r", *s)) || *s == 127 || *s == 0)
      return epi_document_wrong_at(d, line, "the byte 0x%02x is no text: this is not a model file, or it is damaged", *s);
    if (*s == '\n') line++;
    empty = empty && strchr(" \t\n\r", *s);
    s += n;
  }
  return empty ? epi_document_wrong_at(d, 1, "the file is empty: `epicycle show MODEL --yaml` prints one to begin with") : 0;
}

void epi_document_also(document *d, const char *path)
{
  also *one = path ? epi_pool_room(&d->pool, 1, sizeof *one) : NULL;
  if (!one) return;
  *one = (also){path, d->also};
  d->also = one;
}

int epi_file_plain(const char *path, long long *size)
{
  struct stat s;
  if (stat(path, &s)) return errno == ENOENT ? -1 : -2;
  *size = (long long)s.st_size;
  return S_ISREG(s.st_mode) ? 0 : -2;
}

/* ---- what the parser complains of, with the remedy ---- */
/* opened: where it was is worth telling */
static const struct { const char *problem, *words; int opened; } complaints[] = {
  {"mapping values are not allowed", "a ':' stands where none is expected: align the keys, or put the text in quotes", 0},
  {"did not find expected key", "this line is not aligned with the keys above it, or a bracket or quote above is not closed", 0},
  {"could not find expected ':'", "a key needs a ':' and a blank after it", 0},
  {"did not find expected ',' or ']'", "a ',' or the closing ']' of a list is missing", 1},
  {"did not find expected ',' or '}'", "a ',' or the closing '}' of a map is missing", 1},
  {"did not find expected node content", "a value is missing here: two commas, or a comma too many", 0},
  {"did not find expected '-' indicator", "this line is not aligned with the '-' of the list above it", 0},
  {"block sequence entries are not allowed", "a '-' stands where no list can be: begin the list on a line of its own", 0},
  {"did not find expected <document start>",
   "the file goes on after its end: one document, with keys at its left edge, is a model file", 0},
  {"found unexpected document indicator", "'---' or '...' stands inside a quoted text: close the quotes", 0},
  {"found unexpected end of stream", "the quote that begins here is not closed: the file ends inside it", 0},
  {"found undefined alias", "this alias has no anchor: write &name above at what it stands for, or the value itself", 0},
  {"found unknown escape character", "this '\\' means nothing in double quotes: use single quotes, or '\\\\'", 0},
  {"did not find URI escape", "a tag (!) is not needed here: take it away", 0},
  {"found undefined tag handle", "a tag (!) is not needed here: take it away", 0},
  {"found a tab character", "a tab indents this line: use blanks", 0},
  {"found invalid Unicode", "a character here is no text: save the file as UTF-8 text", 0},
  {"found duplicate", "this stands twice", 0},
};

/* the line of the source, for a look at what stands there */
static const char *line_of(const document *d, int line)
{
  const char *s = d->source;
  for (int i = 1; i < line && s; i++) s = (s = strchr(s, '\n')) ? s + 1 : NULL;
  return s ? s : "";
}

/* columns count characters */
static const char *letter_of(const char *line, int column)
{
  for (; column > 1 && *line && *line != '\n'; column--) line += epi_letter_size(line) ? epi_letter_size(line) : 1;
  return *line ? line : " ";
}

static int complain(document *d, const yaml_parser_t *p)
{
  const char *problem = p->problem ? p->problem : "it cannot be read";
  if (p->error == YAML_MEMORY_ERROR) return d->pool.out = 1, REFUSED;
  /* a quote and a key without ':' are noticed after them: where they begin is where to look */
  int after = p->context && (!strncmp(problem, "found unexpected end", 20) || !strncmp(problem, "could not find expected ':'", 27));
  const yaml_mark_t *mark = after ? &p->context_mark : &p->problem_mark;
  int line = (int)mark->line + 1, column = (int)mark->column + 1, begun = p->context ? (int)p->context_mark.line + 1 : line;
  const char *at = line_of(d, line);
  if (p->error == YAML_READER_ERROR) {
    line = 1;
    for (size_t i = 0; i < p->problem_offset && i < (size_t)d->size; i++) line += d->source[i] == '\n';
    return epi_document_wrong_at(d, line, "a character here is not allowed in a text (%s): take it away", problem);
  }
  if (at[strspn(at, " ")] == '\t' || !strncmp(problem, "found a tab", 11))
    return epi_document_wrong_at(d, line, "a tab indents this line: use blanks");
  if (!strncmp(problem, "found character that cannot start", 33))
    return epi_document_wrong_at(d, line, "column %d: '%.*s' cannot begin a value: put the text in quotes", column,
                                 (int)epi_letter_size(letter_of(at, column)), letter_of(at, column));
  for (size_t i = 0; i < sizeof complaints/sizeof *complaints; i++)
    if (!strncmp(problem, complaints[i].problem, strlen(complaints[i].problem))) {
      char where[40] = "";
      if (begun < line && complaints[i].opened) snprintf(where, sizeof where, "; it begins in line %d", begun);
      return epi_document_wrong_at(d, line, "column %d: %s%s", column, complaints[i].words, where);
    }
  return epi_document_wrong_at(d, line, "column %d: this is not YAML (%s)", column, problem);
}

/* ---- items ---- */
/* key: waits for its value; keys: of a long map, by name; anchor: the number of its own, or -1 */
typedef struct open { item *it; item *key; int flow, line, room, anchor; name_list keys; } open;
typedef struct anchor { item *it; int closed; } anchor;
typedef struct builder {
  document *d;
  open stack[DEPTH + 1];
  int depth, room;
  name_list names;                       /* of the anchors */
  anchor *anchor;
} builder;

/* NULL: there is no memory */
static item *fresh(builder *b, item_kind kind, const yaml_mark_t *at)
{
  document *d = b->d;
  item *it = epi_pool_room(&d->pool, 1, sizeof *it), **all = epi_pool_more(&d->pool, d->all, d->count, &d->room, sizeof *d->all);
  if (!it || !all) return NULL;
  *it = (item){.kind = kind, .line = (int)at->line + 1, .number = d->count, .size = 1, .depth = 1};
  d->all = all;
  d->all[d->count++] = it;
  return it;
}

static int remember(builder *b, const yaml_char_t *name, item *it, int closed)
{
  if (!name) return 0;
  if (epi_names_find(&b->names, (const char *)name) >= 0)
    return epi_document_wrong(b->d, it, "the anchor &%.40s stands twice: give each its own name", name);
  if (b->names.n >= ANCHORS)
    return epi_document_wrong(b->d, it, "the file has more than %d anchors: write the values themselves", ANCHORS);
  anchor *more = epi_pool_more(&b->d->pool, b->anchor, b->names.n, &b->room, sizeof *more);
  if (!more) return REFUSED;
  b->anchor = more;
  b->anchor[b->names.n] = (anchor){.it = it, .closed = closed};
  return epi_names_add(&b->d->pool, &b->names, epi_pool_text(&b->d->pool, "%s", (const char *)name)) ? REFUSED : 0;
}

static int add_key(builder *b, open *o, item *it)
{
  document *d = b->d;
  if (it->kind != ITEM_TEXT) return epi_document_wrong(d, it, "a key is %s: keys are names", epi_item_what(it));
  if (it->text[0] == '<' && !strcmp(it->text, "<<"))
    return epi_document_wrong(d, it, "'<<' is not known: what several runs share stands outside of runs");
  /* few are compared, many are looked up */
  int few = o->it->n < FEW, twice = few && epi_item_key(o->it, it->text);
  for (int i = o->keys.n; !few && i < o->it->n; i++) if (epi_names_add(&d->pool, &o->keys, o->it->key[i]->text) < 0) return REFUSED;
  if (twice || epi_names_find(&o->keys, it->text) >= 0)
    return epi_document_wrong(d, it, "'%.60s' stands twice, first in line %d: take one away", it->text,
                              epi_item_key(o->it, it->text)->line);
  if (o->it->n >= KEYS) return epi_document_wrong(d, it, "a map of more than %d keys is no part of a model file", KEYS);
  o->key = it;
  it->under = it;
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
  int map = o->it->kind == ITEM_MAP, rooms[2] = {o->room, o->room};
  item **parts = epi_pool_more(&d->pool, o->it->part, o->it->n, &rooms[0], sizeof *parts);
  item **keys = map ? epi_pool_more(&d->pool, o->it->key, o->it->n, &rooms[1], sizeof *keys) : NULL;
  if (!parts || (map && !keys)) return REFUSED;
  o->room = rooms[0];
  o->it->part = parts;
  o->it->key = keys;
  if (!it->under) it->under = map ? o->key : o->it->under;
  if (map) keys[o->it->n] = o->key;
  o->key = NULL;
  parts[o->it->n++] = it;
  return 0;
}

static int add_text(builder *b, const yaml_event_t *e)
{
  document *d = b->d;
  item *it = fresh(b, ITEM_TEXT, &e->start_mark);
  size_t n = e->data.scalar.length, from = e->start_mark.index, to = e->end_mark.index;
  if (!it || !(it->text = epi_pool_room(&d->pool, n + 1, 1))) return REFUSED;
  memcpy(it->text, e->data.scalar.value, n);
  if (strlen(it->text) != n) return epi_document_wrong(d, it, "a text holds the character of number zero: take it away");
  for (const char *c = it->text; *c; c += epi_letter_size(c) ? epi_letter_size(c) : 1)
    if (epi_is_control(c)) return epi_document_wrong(d, it, "a text holds a control character, which is not printed: take it away");
  if (e->data.scalar.tag) return epi_document_wrong(d, it, "the tag %.40s is not needed here: take it away", (char *)e->data.scalar.tag);
  int block = e->data.scalar.style == YAML_LITERAL_SCALAR_STYLE || e->data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
  if (to > (size_t)d->size) to = (size_t)d->size;
  if (to > from) memset(d->inside + from, block ? IN_BLOCK : IN_TEXT, to - from);
  return remember(b, e->data.scalar.anchor, it, 1) || put(b, it) ? REFUSED : 0;
}

static int begin(builder *b, item_kind kind, const yaml_event_t *e, const yaml_char_t *name, const yaml_char_t *tag, int flow)
{
  item *it = fresh(b, kind, &e->start_mark);
  if (!it) return REFUSED;
  if (tag) return epi_document_wrong(b->d, it, "the tag %.40s is not needed here: take it away", (const char *)tag);
  if (b->depth >= DEPTH) return epi_document_wrong(b->d, it, "lists and maps are nested more than %d deep", DEPTH);
  if (remember(b, name, it, 0) || put(b, it)) return REFUSED;
  b->stack[b->depth++] = (open){.it = it, .flow = flow, .line = it->line, .anchor = name ? b->names.n - 1 : -1};
  return 0;
}

static int end(builder *b)
{
  const open *o = &b->stack[--b->depth];
  item *it = o->it;
  for (int i = 0; i < it->n; i++) {
    it->size += it->part[i]->size;
    if (it->part[i]->depth >= it->depth) it->depth = it->part[i]->depth + 1;
  }
  if (o->anchor >= 0) b->anchor[o->anchor].closed = 1;
  if (b->depth) b->stack[b->depth - 1].it->aliased += it->aliased;
  if (it->aliased > ALIASED)
    return epi_document_wrong(b->d, it, "this stands for more than %d values, aliases counted as often as they are used: a model file is "
                              "smaller", ALIASED);
  return it->depth > DEPTH ? epi_document_wrong(b->d, it, "lists and maps are nested more than %d deep", DEPTH) : 0;
}

static int add_alias(builder *b, const yaml_event_t *e)
{
  const char *name = (const char *)e->data.alias.anchor;
  int line = (int)e->start_mark.line + 1, i = epi_names_find(&b->names, name);
  if (i < 0)
    return epi_document_wrong_at(b->d, line, "there is no anchor &%.40s above: write it at what *%.40s stands for, or the value itself",
                                 name, name);
  if (!b->anchor[i].closed)
    return epi_document_wrong_at(b->d, line, "*%.40s stands inside of what it stands for: write the value itself", name);
  if (b->depth) b->stack[b->depth - 1].it->aliased += b->anchor[i].it->size;
  return put(b, b->anchor[i].it);
}

static int take(builder *b, const yaml_event_t *e, int *documents)
{
  switch (e->type) {
  case YAML_ALIAS_EVENT: return add_alias(b, e);
  case YAML_SCALAR_EVENT: return add_text(b, e);
  case YAML_SEQUENCE_START_EVENT:
    return begin(b, ITEM_LIST, e, e->data.sequence_start.anchor, e->data.sequence_start.tag,
                 e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
  case YAML_MAPPING_START_EVENT:
    return begin(b, ITEM_MAP, e, e->data.mapping_start.anchor, e->data.mapping_start.tag,
                 e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
  case YAML_SEQUENCE_END_EVENT: case YAML_MAPPING_END_EVENT: return end(b);
  case YAML_DOCUMENT_START_EVENT:
    if (e->data.document_start.version_directive
        || e->data.document_start.tag_directives.start != e->data.document_start.tag_directives.end)
      return epi_document_wrong_at(b->d, (int)e->start_mark.line + 1, "a directive (%%) is not needed here: take it away");
    if (++*documents == 1) return 0;
    return epi_document_wrong_at(b->d, (int)e->start_mark.line + 1,
                                 "a second document begins here: one file is one model, several runs stand under runs");
  default: return 0;
  }
}

static int events(document *d, builder *b, yaml_parser_t *p)
{
  int bad = 0, documents = 0, done = 0;
  while (!bad && !done) {
    yaml_event_t e;
    if (!yaml_parser_parse(p, &e)) return complain(d, p);
    bad = take(b, &e, &documents);
    if (!bad && d->count > VALUES)
      bad = epi_document_wrong_at(d, (int)e.start_mark.line + 1, "the file holds more than %d values: a model file is smaller", VALUES);
    done = e.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&e);
  }
  return bad;
}

static int build(document *d)
{
  yaml_parser_t p;
  builder b = {.d = d};
  if (!yaml_parser_initialize(&p)) return d->pool.out = 1, REFUSED;
  yaml_parser_set_input_string(&p, (const unsigned char *)d->source, (size_t)d->size);
  int bad = events(d, &b, &p);
  yaml_parser_delete(&p);
  if (bad) return bad;
  if (!d->root) return epi_document_wrong_at(d, 1, "the file holds comments alone: `epicycle show MODEL --yaml` prints one to begin with");
  if (d->root->kind == ITEM_MAP) return 0;
  return epi_document_wrong(d, d->root, "the file is %s, not a map of keys: begin with model: and a name, as in `model: kepler`",
                            epi_item_what(d->root));
}

/* ---- the whole ---- */
/* d->source is there, with two bytes of room after its size */
static int understand(document *d)
{
  if (check_bytes(d) || !(d->inside = epi_pool_room(&d->pool, (size_t)d->size + 2, 1)) || build(d)) return REFUSED;
  epi_comments_find(d);
  return 0;
}

static int too_large(document *d, double size)
{
  return epi_document_wrong_at(d, 0, "%.0f MB are too much for a model file: the most is %d MB", size/1e6, BYTES/1000000);
}

int epi_document_read(document *d, const char *text, size_t size)
{
  if (size > BYTES) return too_large(d, (double)size);
  if (!(d->source = epi_pool_room(&d->pool, size + 2, 1))) return REFUSED;
  if (size) memcpy(d->source, text, size);
  d->size = (long)size;
  return understand(d);
}

int epi_document_open(document *d, const char *path)
{
  long long size = 0;
  int plain = epi_file_plain(path, &size);
  if (plain == -1) return epi_document_wrong_at(d, 0, "there is no such file: see its name and folder");
  if (plain == -2) return epi_document_wrong_at(d, 0, "this is no plain file: give the path of a model file");
  if (size > BYTES) return too_large(d, (double)size);
  FILE *f = fopen(path, "rb");
  if (!f) return epi_document_wrong_at(d, 0, "it cannot be read: %s", strerror(errno));
  d->source = epi_pool_room(&d->pool, (size_t)size + 2, 1);
  if (d->source) d->size = (long)fread(d->source, 1, (size_t)size, f);
  int bad = ferror(f), why = errno;
  fclose(f);
  if (!d->source) return REFUSED;
  return bad ? epi_document_wrong_at(d, 0, "it cannot be read: %s", strerror(why)) : understand(d);
}
