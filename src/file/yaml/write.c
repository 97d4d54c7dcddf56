/* write.c - model files in canonical form: keys in the order of their tables, short things on one line, comments where they belong */
#include "file/model-file.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120 };

/* ---- a sheet that counts what does not fit on it: nothing has to be allocated ---- */
typedef struct sheet {
  char *out;
  size_t size, n;
  unsigned char *told;                 /* per item of the document: its comments are written already, for what aliases stand for twice */
} sheet;

static void put(sheet *s, const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++, s->n++) if (s->n + 1 < s->size) s->out[s->n] = text[i];
  if (s->size) s->out[s->n < s->size ? s->n : s->size - 1] = 0;
}

static void puts_to(sheet *s, const char *text) { put(s, text, strlen(text)); }
static void blanks(sheet *s, int n) { while (n-- > 0) put(s, " ", 1); }

/* ---- texts ---- */
/* the number of a character, and its bytes */
static unsigned decoded(const char *s, int *n)
{
  const unsigned char *c = (const unsigned char *)s;
  *n = *c < 0x80 ? 1 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : 4;
  unsigned x = *n == 1 ? *c : *c & (0xFFu >> (*n + 1));
  for (int i = 1; i < *n; i++) x = x << 6 | (c[i] & 0x3F);
  return x;
}

static int hidden(unsigned x) { return x < 0x20 || (x >= 0x7F && x < 0xA0) || x == 0x2028 || x == 0x2029 || x == 0xFEFF || x == 0xFFFE
                               || x == 0xFFFF; }

/* needs no quotes; flat: between brackets */
static int plain(const char *s, int flat)
{
  size_t n = strlen(s);
  if (!n || strchr(" ?:,[]{}#&*!|>'\"%@`", s[0]) || (s[0] == '-' && (!s[1] || s[1] == ' ' || s[1] == '-')) || s[n-1] == ' '
      || s[n-1] == ':') return 0;
  if (strstr(s, ": ") || strstr(s, " #") || !strncmp(s, "...", 3) || (flat && strpbrk(s, ",[]{}:"))) return 0;
  for (int m; *s; s += m) if (hidden(decoded(s, &m))) return 0;
  return 1;
}

static void quote(sheet *to, const char *s, int flat)
{
  char code[8];
  if (plain(s, flat)) { puts_to(to, s); return; }
  puts_to(to, "\"");
  for (int n; *s; s += n) {
    unsigned x = decoded(s, &n);
    if (x == '"' || x == '\\') { puts_to(to, "\\"); put(to, s, 1); }
    else if (x == '\n') puts_to(to, "\\n");
    else if (x == '\t') puts_to(to, "\\t");
    else if (hidden(x)) { snprintf(code, sizeof code, "\\u%04X", x); puts_to(to, code); }
    else put(to, s, (size_t)n);
  }
  puts_to(to, "\"");
}

/* ---- order: keys as they stand in the table, then those that it does not know ---- */
static const field *field_of(const field *f, const char *name)
{
  for (; f && f->name; f++) if (!strcmp(f->name, name)) return f;
  return NULL;
}

typedef struct walk { const item *map; const field *table, *next; int rest; } walk;

static walk walk_of(const item *map, const field *table) { return (walk){.map = map, .table = table, .next = table}; }

/* the place of the next key; -1: that was the last */
static int walk_on(walk *w)
{
  for (; w->next && w->next->name; w->next++)
    for (int i = 0; i < w->map->n; i++) if (!strcmp(w->map->key[i]->text, w->next->name)) return w->next++, i;
  while (w->rest < w->map->n && field_of(w->table, w->map->key[w->rest]->text)) w->rest++;
  return w->rest < w->map->n ? w->rest++ : -1;
}

/* ---- on one line ---- */
static void flat(sheet *to, const item *it, const field *f)
{
  if (it->kind == ITEM_TEXT) { quote(to, it->text, 1); return; }
  int map = it->kind == ITEM_MAP, k;
  walk w = walk_of(it, f);
  puts_to(to, map ? "{" : "[");
  for (int i = 0; i < it->n && (k = map ? walk_on(&w) : i) >= 0; i++) {
    const field *one = map ? field_of(f, it->key[k]->text) : NULL;
    if (i) puts_to(to, ", ");
    if (map) { quote(to, it->key[k]->text, 1); puts_to(to, ": "); }
    flat(to, it->part[k], map ? one ? one->inner : NULL : f);
  }
  puts_to(to, map ? "}" : "]");
}

/* ---- comments: each is written once, also where an alias brings it again ---- */
enum { BEFORE = 1, AFTER = 2 };

static int untold(const sheet *to, const item *it, int which) { return !(to->told[it->number] & which); }

static int has_comments(const sheet *to, const item *it)
{
  for (int i = 0; i < it->n; i++) {
    const item *owner = it->kind == ITEM_MAP ? it->key[i] : it->part[i];
    if ((owner->before && untold(to, owner, BEFORE)) || (owner->after && untold(to, owner, AFTER)) || has_comments(to, it->part[i]))
      return 1;
  }
  return 0;
}

/* not so where it is too long for a line of which `used` is taken, or has comments inside */
static int fits(const sheet *to, const item *it, const field *f, int used)
{
  sheet count = {0};
  if (it->kind == ITEM_TEXT) return 1;
  if (has_comments(to, it) || it->size > WIDTH) return 0;
  flat(&count, it, f);
  return (int)count.n + used <= WIDTH;
}

static void one_line(sheet *to, const item *it, const field *f)
{
  puts_to(to, " ");
  if (it->kind == ITEM_TEXT) quote(to, it->text, 0);
  else flat(to, it, f);
}

/* ---- in blocks ---- */
static void lines(sheet *to, const char *words, int indent)
{
  for (const char *at = words, *end; at && *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    blanks(to, indent);
    put(to, at, (size_t)(end - at));
    puts_to(to, "\n");
  }
}

static void before(sheet *to, const item *it, int indent)
{
  if (untold(to, it, BEFORE)) lines(to, it->before, indent);
  to->told[it->number] |= BEFORE;
}

static void after(sheet *to, const item *it)
{
  if (untold(to, it, AFTER) && it->after) { puts_to(to, "  "); puts_to(to, it->after); }
  to->told[it->number] |= AFTER;
  puts_to(to, "\n");
}

static void write_list(sheet *to, const item *list, const field *f, int indent);

/* begun: the dash before the first key stands already there */
static void write_map(sheet *to, const item *map, const field *f, int indent, int begun)
{
  walk w = walk_of(map, f);
  for (int i = 0, k; (k = walk_on(&w)) >= 0; i++) {
    const item *key = map->key[k], *value = map->part[k];
    const field *one = field_of(f, key->text), *inner = one ? one->inner : NULL;
    int whole = one && (one->kind == ITEMS || (inner && !indent && !strcmp(key->text, "world")));
    sheet name = {0};
    quote(&name, key->text, 0);
    if (i && key->gap) puts_to(to, "\n");
    if (i || !begun) { before(to, key, indent); blanks(to, indent); }
    quote(to, key->text, 0);
    puts_to(to, ":");
    int line = !(whole && value->n) && fits(to, value, inner, indent + (int)name.n + 2);
    if (line) one_line(to, value, inner);
    after(to, key);
    if (!line && value->kind == ITEM_MAP) write_map(to, value, inner, indent + 2, 0);
    else if (!line) write_list(to, value, inner, indent + 2);
  }
}

static void write_list(sheet *to, const item *list, const field *f, int indent)
{
  for (int i = 0; i < list->n; i++) {
    const item *it = list->part[i];
    int line = fits(to, it, f, indent + 2), map = !line && it->kind == ITEM_MAP;
    walk w = walk_of(it, f);
    if (i && it->gap) puts_to(to, "\n");
    before(to, it, indent);
    /* what stands above the first key stands above the dash */
    if (map) before(to, it->key[walk_on(&w)], indent);
    blanks(to, indent);
    puts_to(to, "-");
    if (line) one_line(to, it, f);
    if (map) puts_to(to, " ");
    else after(to, it);
    if (map) write_map(to, it, f, indent + 2, 1);
    else if (!line) write_list(to, it, f, indent + 2);
  }
}

size_t epi_file_text(const epi_file *m, char *out, size_t size)
{
  if (!m || epi_file_sentences(m)) return 0;
  const document *d = &m->d;
  sheet to = {.out = out, .size = size, .told = calloc((size_t)d->count + 1, 1)};
  if (!to.told) return 0;
  lines(&to, d->head, 0);
  if (d->apart) puts_to(&to, "\n");
  write_map(&to, d->root, epi_file_keys, 0, 0);
  lines(&to, d->tail, 0);
  free(to.told);
  return to.n;
}

/* ---- a file to begin with ---- */
static void print(sheet *to, const char *words, ...) __attribute__((format(printf, 2, 3)));
static void print(sheet *to, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  size_t room = to->n < to->size ? to->size - to->n : 0;
  int n = vsnprintf(room ? to->out + to->n : NULL, room, words, ap);
  va_end(ap);
  if (n > 0) to->n += (size_t)n;
}

static void show_param(sheet *to, const epi_param *p, double value)
{
  size_t from = to->n;
  int k = 0;
  while (p->words && p->words[k] && k < (int)value) k++;
  print(to, "  %s: %s", p->name, p->words ? p->words[k] ? p->words[k] : p->words[0] : epi_shortest(value).text);
  int n = (int)(to->n - from);
  print(to, "%*s# %s%s", n < 30 ? 30 - n : 2, "", p->unit && *p->unit ? p->unit : "", p->unit && *p->unit ? ": " : "");
  print(to, "%s", p->doc ? p->doc : "");
  for (int i = 0; p->words && p->words[i]; i++) print(to, "%s%s", i ? ", " : " (", p->words[i]);
  print(to, p->words ? ")\n" : "\n");
}

size_t epi_case_yaml(const epi_case *c, char *out, size_t size)
{
  if (!c || c->error[0]) return 0;
  const epi_model *m = c->model;
  sheet to = {.out = out, .size = size};
  if (m->doc && *m->doc) print(&to, "# %s\n", m->doc);
  if (m->cite && *m->cite) print(&to, "# %s\n", m->cite);
  print(&to, "# Run it: epicycle run FILE.yaml. Numbers may have units: 20 mm, 10000 rpm, 30 deg.\n\nmodel: %s\n", m->name);
  if (m->params && m->params->name) print(&to, "parameters:\n");
  for (int i = 0; m->params && m->params[i].name; i++) {
    const epi_param *p = &m->params[i];
    if (p->kind == EPI_FILE && c->given[i]) print(&to, "  %s: %s\n", p->name, c->given[i]);
    else if (p->kind != EPI_GIVEN && p->kind != EPI_FILE) show_param(&to, p, c->p[i]);
  }
  if (c->flow) print(&to, "\nflow: %s\nstep: %s  # s\n", c->flow, epi_shortest(c->step).text);
  else print(&to, "\ntolerance: 1e-6\n");
  print(&to, "end: %s  # s\n\n", epi_shortest(c->end).text);
  print(&to, "# output: {file: %s.csv, plot: %s.svg, report: %s.html}\n", m->name, m->name, m->name);
  return to.n;
}
