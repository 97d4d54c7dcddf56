/* xml.c - a strict reader: what is not well formed is refused with its line */
#include "xml.h"
#include "letters.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 64, ELEMENTS = 200000, ATTRIBUTES = 64 };

typedef struct reader {
  pool *pool;
  char *at, *end, *counted;            /* lines are counted up to there */
  int line, elements;
  char *why;
  size_t size;
} reader;

static int line_of(reader *r, const char *at)
{
  for (; r->counted < at; r->counted++) r->line += *r->counted == '\n';
  return r->line;
}

static int wrong(reader *r, const char *at, const char *words, ...) __attribute__((format(printf, 3, 4)));
static int wrong(reader *r, const char *at, const char *words, ...)
{
  va_list ap;
  int n = snprintf(r->why, r->size, "line %d: ", line_of(r, at));
  va_start(ap, words);
  epi_clean_words(r->why + n, r->size - (size_t)n, words, ap);
  va_end(ap);
  return -1;
}

static int blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static int letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_:-.", c)) || (unsigned char)c > 127;
}
static int begins(const reader *r, const char *words)
{
  size_t n = strlen(words);
  return (size_t)(r->end - r->at) >= n && !memcmp(r->at, words, n);
}
static void skip_blanks(reader *r) { while (r->at < r->end && blank(*r->at)) r->at++; }

/* to the end of words that begin here */
static int skip_to(reader *r, const char *words, const char *what)
{
  const char *from = r->at;
  while (r->at < r->end && !begins(r, words)) r->at++;
  if (r->at == r->end) return wrong(r, from, "%s has no end: %s is missing", what, words);
  r->at += strlen(words);
  return 0;
}

/* ---- entities ---- */
static char *put_letter(char *to, unsigned long c)
{
  if (c < 0x80) *to++ = (char)c;
  else if (c < 0x800) *to++ = (char)(0xC0 | c >> 6), *to++ = (char)(0x80 | (c & 63));
  else if (c < 0x10000) *to++ = (char)(0xE0 | c >> 12), *to++ = (char)(0x80 | (c >> 6 & 63)), *to++ = (char)(0x80 | (c & 63));
  else {
    *to++ = (char)(0xF0 | c >> 18), *to++ = (char)(0x80 | (c >> 12 & 63));
    *to++ = (char)(0x80 | (c >> 6 & 63)), *to++ = (char)(0x80 | (c & 63));
  }
  return to;
}

/* &amp; and the like, which are never shorter than what they stand for; from stands on the sign */
static char *entity(reader *r, char *from, char **to)
{
  static const struct { const char *name; char c; } known[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};
  for (size_t i = 0; i < sizeof known/sizeof *known; i++)
    if (!strncmp(from + 1, known[i].name, strlen(known[i].name))) return *(*to)++ = known[i].c, from + 1 + strlen(known[i].name);
  if (from[1] == '#') {
    int hex = from[2] == 'x';
    char *digits = from + 2 + hex, *last = digits;
    unsigned long c = strchr(hex ? "0123456789abcdefABCDEF" : "0123456789", *digits) && *digits ? strtoul(digits, &last, hex ? 16 : 10) : 0;
    if (c >= 32 && c < 0x110000 && (c < 0xD800 || c > 0xDFFF) && *last == ';') return *to = put_letter(*to, c), last + 1;
  }
  wrong(r, from, "'%.*s' is no entity that is known: amp, lt, gt, quot and apos are, and numbers", (int)strcspn(from, "; \t\r\n\"'<"),
        from);
  return NULL;
}

/* ---- elements ---- */
static char *take_name(reader *r)
{
  char *from = r->at;
  while (r->at < r->end && letter(*r->at)) r->at++;
  return r->at > from && !strchr("-.0123456789", *from) ? from : NULL;
}

/* the letter after a name is gone once the name is ended: what it was is handed back */
static int take_value(reader *r, char **value)
{
  char quote = *r->at, *from = r->at + 1, *to = from, *at = from;
  if (quote != '"' && quote != '\'') return wrong(r, r->at, "a value stands in quotes");
  char *close = memchr(from, quote, (size_t)(r->end - from));
  if (!close) return wrong(r, r->at, "a value has no closing quote");
  line_of(r, close);
  *close = 0;
  while (at < close) {
    if (*at == '<') return wrong(r, at, "a value has a '<', which is written &lt;");
    if (*at == '&') { if (!(at = entity(r, at, &to))) return -1; }
    else *to++ = blank(*at) ? ' ' : *at, at++;
  }
  *to = 0;
  *value = from;
  r->at = close + 1;
  return 0;
}

static int take_attributes(reader *r, xml *x)
{
  xml_attribute found[ATTRIBUTES];
  for (;;) {
    char *before = r->at;
    skip_blanks(r);
    if (r->at == r->end) return wrong(r, before, "<%s> has no end: > is missing", x->name);
    if (*r->at == '>' || *r->at == '/') break;
    char *name = take_name(r), *last = r->at, *value = NULL;
    if (!name || name == before) return wrong(r, r->at, "in <%s> a name=\"value\" is wanted", x->name);
    skip_blanks(r);
    if (r->at == r->end || *r->at != '=') return wrong(r, name, "in <%s> a name has no value: write name=\"value\"", x->name);
    r->at++;
    skip_blanks(r);
    if (r->at == r->end) return wrong(r, name, "<%s> has no end: > is missing", x->name);
    if (take_value(r, &value)) return -1;
    *last = 0;
    for (int i = 0; i < x->attributes; i++)
      if (!strcmp(found[i].name, name)) return wrong(r, r->at, "<%s> has %s twice", x->name, name);
    if (x->attributes == ATTRIBUTES) return wrong(r, r->at, "<%s> has more than %d attributes", x->name, ATTRIBUTES);
    found[x->attributes++] = (xml_attribute){name, value};
  }
  x->attribute = epi_pool_room(r->pool, (size_t)x->attributes + 1, sizeof *x->attribute);
  if (x->attribute && x->attributes) memcpy(x->attribute, found, (size_t)x->attributes*sizeof *found);
  return x->attribute ? 0 : -1;
}

/* <name ...> or <name .../>, from behind the bracket; closed: the second */
static xml *take_element(reader *r, int *closed)
{
  char *name = take_name(r), *last = r->at;
  if (!name) return wrong(r, r->at, "after '<' the name of an element is wanted"), NULL;
  if (++r->elements > ELEMENTS) return wrong(r, name, "there are more than %d elements", ELEMENTS), NULL;
  xml *x = epi_pool_room(r->pool, 1, sizeof *x);
  char *copy = epi_pool_room(r->pool, (size_t)(last - name) + 1, 1);
  if (!x || !copy) return NULL;
  x->name = memcpy(copy, name, (size_t)(last - name));
  x->line = line_of(r, name);
  if (take_attributes(r, x)) return NULL;
  *closed = *r->at == '/';
  if (*closed && (++r->at == r->end || *r->at != '>')) return wrong(r, r->at - 1, "in <%s> '/' is followed by '>'", x->name), NULL;
  r->at++;
  return x;
}

static int take_close(reader *r, const xml *open)
{
  char *name = take_name(r);
  int n = (int)(r->at - (name ? name : r->at));
  if (!name || (int)strlen(open->name) != n || memcmp(open->name, name, (size_t)n))
    return wrong(r, r->at, "</%.*s> closes <%s> of line %d", n, name ? name : "", open->name, open->line);
  skip_blanks(r);
  if (r->at == r->end || *r->at++ != '>') return wrong(r, r->at - 1, "</%s has no '>'", open->name);
  return 0;
}

/* what is no element: 1 skipped, 0 it is one, -1 wrong */
static int take_other(reader *r)
{
  if (begins(r, "<!--")) return r->at += 4, skip_to(r, "-->", "a comment") ? -1 : 1;
  if (begins(r, "<?")) return skip_to(r, "?>", "an instruction <?") ? -1 : 1;
  if (begins(r, "<![CDATA[")) return skip_to(r, "]]>", "a <![CDATA[") ? -1 : 1;
  if (begins(r, "<!")) return wrong(r, r->at, "a document type (<!DOCTYPE>) is not read: take it away");
  return 0;
}

static xml *read_all(reader *r)
{
  xml *root = NULL, *open[DEEP], *last[DEEP];
  int depth = 0, closed = 0;
  for (;;) {
    while (r->at < r->end && *r->at != '<') {
      if (!depth && !blank(*r->at)) return wrong(r, r->at, "outside of the outermost element there is text"), NULL;
      r->at++;
    }
    if (r->at == r->end) break;
    int other = take_other(r);
    if (other < 0) return NULL;
    if (other) continue;
    r->at++;
    if (r->at < r->end && *r->at == '/') {
      r->at++;
      if (!depth) return wrong(r, r->at, "an element is closed that was not opened"), NULL;
      if (take_close(r, open[--depth])) return NULL;
      continue;
    }
    if (root && !depth) return wrong(r, r->at, "there is a second outermost element"), NULL;
    xml *x = take_element(r, &closed);
    if (!x) return NULL;
    if (!depth) root = x;
    else if (last[depth-1]) last[depth-1]->next = x;
    else open[depth-1]->child = x;
    if (depth) last[depth-1] = x;
    if (!closed && depth == DEEP) return wrong(r, r->at, "elements stand more than %d deep in one another", DEEP), NULL;
    if (!closed) open[depth] = x, last[depth++] = NULL;
  }
  if (depth) return wrong(r, r->end, "<%s> of line %d is not closed", open[depth-1]->name, open[depth-1]->line), NULL;
  return root ? root : (wrong(r, r->end, "there is no element in it"), NULL);
}

xml *epi_xml_read(pool *p, char *text, size_t n, char *why, size_t size)
{
  reader r = {.pool = p, .at = text, .end = text + n, .counted = text, .line = 1, .why = why, .size = size};
  for (char *at = text; at < r.end; at++)
    if ((unsigned char)*at < 32 && !blank(*at)) return wrong(&r, at, "there is a control character, %d", *at), NULL;
  if (begins(&r, "\xEF\xBB\xBF")) r.at += 3;
  return read_all(&r);
}

const char *epi_xml_value(const xml *x, const char *name)
{
  for (int i = 0; x && i < x->attributes; i++) if (!strcmp(x->attribute[i].name, name)) return x->attribute[i].value;
  return NULL;
}

const xml *epi_xml_child(const xml *x, const char *name)
{
  for (const xml *c = x ? x->child : NULL; c; c = c->next) if (!strcmp(c->name, name)) return c;
  return NULL;
}
