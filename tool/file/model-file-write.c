/* model-file-write.c - model files in canonical form: keys in the order of their tables, short things on one line, comments where they belong */
#include "model-file.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120 };

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

static int hidden(unsigned x) { return x < 0x20 || (x >= 0x7F && x < 0xA0) || x == 0x2028 || x == 0x2029 || x == 0xFEFF || x == 0xFFFE || x == 0xFFFF; }

/* needs no quotes; flat: between brackets */
static int plain(const char *s, int flat)
{
  size_t n = strlen(s);
  if (!n || strchr(" ?:,[]{}#&*!|>'\"%@`", s[0]) || (s[0] == '-' && (!s[1] || s[1] == ' ' || s[1] == '-')) || s[n-1] == ' ' || s[n-1] == ':') return 0;
  if (strstr(s, ": ") || strstr(s, " #") || !strncmp(s, "...", 3) || (flat && strpbrk(s, ",[]{}:"))) return 0;
  for (int m; *s; s += m) if (hidden(decoded(s, &m))) return 0;
  return 1;
}

static char *quoted(const char *s, int flat)
{
  if (plain(s, flat)) return text("%s", s);
  char *out = need(6*strlen(s) + 3), *o = out;
  *o++ = '"';
  for (int n; *s; s += n) {
    unsigned x = decoded(s, &n);
    if (x == '"' || x == '\\') o += sprintf(o, "\\%c", (char)x);
    else if (x == '\n') o += sprintf(o, "\\n");
    else if (x == '\t') o += sprintf(o, "\\t");
    else if (hidden(x)) o += sprintf(o, "\\u%04X", x);
    else { memcpy(o, s, (size_t)n); o += n; }
  }
  *o++ = '"';
  return out;
}

/* ---- order ---- */
static const field *field_of(const field *f, const char *name)
{
  for (; f && f->name; f++) if (!strcmp(f->name, name)) return f;
  return NULL;
}

/* the places of the keys in the order of the table; without a table as they come */
static int *ordered(const item *map, const field *f)
{
  int *order = need(((size_t)map->n + 1)*sizeof *order), n = 0;
  for (const field *one = f; one && one->name; one++)
    for (int i = 0; i < map->n; i++) if (!strcmp(map->key[i]->text, one->name)) order[n++] = i;
  for (int i = 0; i < map->n; i++) if (!field_of(f, map->key[i]->text)) order[n++] = i;
  return order;
}

/* ---- on one line ---- */
static char *added(char *first, const char *middle, char *second)
{
  char *all = text("%s%s%s", first, middle, second);
  free(first);
  free(second);
  return all;
}

static char *flat(const item *it, const field *f)
{
  if (it->kind == ITEM_TEXT) return quoted(it->text, 1);
  int map = it->kind == ITEM_MAP, *order = map ? ordered(it, f) : NULL;
  char *out = text("%s", map ? "{" : "[");
  for (int i = 0; i < it->n; i++) {
    int k = map ? order[i] : i;
    const field *one = map ? field_of(f, it->key[k]->text) : NULL;
    if (i) out = added(out, "", text(", "));
    if (map) out = added(added(out, "", quoted(it->key[k]->text, 1)), "", text(": "));
    out = added(out, "", flat(it->part[k], map ? one ? one->inner : NULL : f));
  }
  free(order);
  return added(out, "", text("%s", map ? "}" : "]"));
}

static int has_comments(const item *it)
{
  for (int i = 0; i < it->n; i++) {
    const item *owner = it->kind == ITEM_MAP ? it->key[i] : it->part[i];
    if (owner->before || owner->after || has_comments(it->part[i])) return 1;
  }
  return 0;
}

/* NULL: it is too long for a line of which `used` is taken, or has comments inside */
static char *on_one_line(const item *it, const field *f, int used)
{
  if (it->kind == ITEM_TEXT) return quoted(it->text, 0);
  if (has_comments(it) || it->size > WIDTH) return NULL;
  char *line = flat(it, f);
  if ((int)strlen(line) + used <= WIDTH) return line;
  free(line);
  return NULL;
}

/* ---- in blocks ---- */
static void lines(FILE *out, char **words, int indent)
{
  for (char *at = *words, *end; at && *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    fprintf(out, "%*s%.*s\n", indent, "", (int)(end - at), at);
  }
  free(*words);
  *words = NULL;
}

static void after(FILE *out, item *it)
{
  if (it->after) fprintf(out, "  %s", it->after);
  free(it->after);
  it->after = NULL;
  fputc('\n', out);
}

static void write_list(FILE *out, item *list, const field *f, int indent);

/* begun: the dash before the first key stands already there */
static void write_map(FILE *out, item *map, const field *f, int indent, int begun)
{
  int *order = ordered(map, f);
  for (int i = 0; i < map->n; i++) {
    item *key = map->key[order[i]], *value = map->part[order[i]];
    const field *one = field_of(f, key->text);
    char *name = quoted(key->text, 0);
    int whole = one && (one->kind == ITEMS || (one->inner && !indent && !strcmp(key->text, "world")));
    if (i && key->gap) fputc('\n', out);
    if (i || !begun) { lines(out, &key->before, indent); fprintf(out, "%*s", indent, ""); }
    fprintf(out, "%s:", name);
    char *line = whole && value->n ? NULL : on_one_line(value, one ? one->inner : NULL, indent + (int)strlen(name) + 2);
    free(name);
    if (line) fprintf(out, " %s", line);
    after(out, key);
    if (!line && value->kind == ITEM_MAP) write_map(out, value, one ? one->inner : NULL, indent + 2, 0);
    else if (!line) write_list(out, value, one ? one->inner : NULL, indent + 2);
    free(line);
  }
  free(order);
}

static void write_list(FILE *out, item *list, const field *f, int indent)
{
  for (int i = 0; i < list->n; i++) {
    item *it = list->part[i];
    char *line = on_one_line(it, f, indent + 2);
    if (i && it->gap) fputc('\n', out);
    lines(out, &it->before, indent);
    /* what stands above the first key stands above the dash */
    if (!line && it->kind == ITEM_MAP) {
      int *order = ordered(it, f);
      lines(out, &it->key[order[0]]->before, indent);
      free(order);
    }
    fprintf(out, "%*s-", indent, "");
    if (line) fprintf(out, " %s", line);
    if (line || it->kind == ITEM_LIST) after(out, it);
    else fputc(' ', out);
    if (!line && it->kind == ITEM_MAP) write_map(out, it, f, indent + 2, 1);
    else if (!line) write_list(out, it, f, indent + 2);
    free(line);
  }
}

int model_file_format(const char *path, FILE *out)
{
  model_file *m = model_file_read(path);
  if (!m) return REFUSED;
  model_file_free(m);
  document *d = document_read(path);
  if (!d) return REFUSED;
  lines(out, &d->head, 0);
  if (d->apart) fputc('\n', out);
  write_map(out, d->root, model_file_keys, 0, 0);
  lines(out, &d->tail, 0);
  document_free(d);
  return 0;
}

/* ---- a file to begin with ---- */
static char *starting_value(const epi_param *p)
{
  int k = 0;
  while (p->words && p->words[k] && k < (int)p->value) k++;
  return p->words ? text("%s", p->words[k] ? p->words[k] : p->words[0]) : text("%s", shortest(p->value).text);
}

static void show_param(const epi_param *p, FILE *out)
{
  char *value = starting_value(p);
  int n = fprintf(out, "  %s: %s", p->name, value);
  free(value);
  fprintf(out, "%*s# %s%s", n < 30 ? 30 - n : 2, "", p->unit && *p->unit ? p->unit : "", p->unit && *p->unit ? ": " : "");
  fprintf(out, "%s", p->doc ? p->doc : "");
  for (int i = 0; p->words && p->words[i]; i++) fprintf(out, "%s%s", i ? ", " : " (", p->words[i]);
  fputs(p->words ? ")\n" : "\n", out);
}

int model_file_show(const char *name, FILE *out)
{
  const epi_model *m = NULL;
  for (const epi_model *const *one = epi_models(); *one; one++) if (!strcmp((*one)->name, name)) m = *one;
  if (!m) return say(REFUSED, "there is no model '%s': `epicycle list models` prints them", name);
  epi_case *c = epi_case_make(name);
  if (!c || c->error[0]) {
    int code = say(FAILED, "%s", c ? c->error : "out of memory");
    epi_case_free(c);
    return code;
  }
  fprintf(out, "# %s\n", m->doc);
  if (m->cite && *m->cite) fprintf(out, "# %s\n", m->cite);
  fprintf(out, "# Run it: epicycle run FILE.yaml. Numbers may have units: 20 mm, 10000 rpm, 30 deg.\n\nmodel: %s\n", m->name);
  if (m->params && m->params->name) fputs("parameters:\n", out);
  for (const epi_param *p = m->params; p && p->name; p++) if (p->kind != EPI_GIVEN) show_param(p, out);
  fprintf(out, "\nflow: %s\nstep: %s  # s\n", m->flow, shortest(c->step).text);
  fprintf(out, "end: %s  # s\n\n# output: {file: %s.csv, plot: %s.svg, report: %s.html}\n", shortest(c->end).text, m->name, m->name, m->name);
  epi_case_free(c);
  return 0;
}
