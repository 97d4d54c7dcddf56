/* term.c - the text grammar: terms with their columns
 *
 *   term  := name [ '(' [ arg { ',' arg } ] ')' ]        arg   := [ name '=' ] value
 *   value := term | product | '[' product { ',' product } ']'      product := number-or-pi { '*' or '/' number-or-pi } */
#include "reader.h"
#include "letters.h"
#include <ctype.h>
#include <stdio.h>

int epi_wrong(reader *r, int column, const char *words, ...)
{
  if (r->error[0]) return -1;
  r->cause = EPI_COMPOSITION;
  r->column = column;
  int n = snprintf(r->error, r->size, "column %d: ", column);
  va_list ap;
  va_start(ap, words);
  if ((size_t)n < r->size) epi_sentence_print(r->error + n, r->size - (size_t)n, words, ap);
  va_end(ap);
  return -1;
}

int epi_wrong_memory(reader *r, int column)
{
  const int first = !r->error[0];
  epi_wrong(r, column, "out of memory");
  if (first) r->cause = EPI_MEMORY;
  return -1;
}

int epi_read_no_memory(reader *r)
{
  if (r->error[0]) return -1;
  snprintf(r->error, r->size, "out of memory");
  r->cause = EPI_MEMORY;
  return -1;
}

/* ---- letters and numbers ---- */
int epi_column(const reader *r) { return (int)(r->at - r->text) + 1; }
char epi_skip(reader *r) { while (isspace((unsigned char)*r->at)) r->at++; return *r->at; }
static int letter(char c) { return isalpha((unsigned char)c) || c == '_'; }
static int inner(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.'; }

static int word(reader *r, char *out, size_t size)
{
  size_t n = 0;
  const char *from = r->at;
  while (inner(*r->at)) { if (n + 1 < size) out[n++] = *r->at; r->at++; }
  out[n] = 0;
  return (size_t)(r->at - from) < size;
}

static int factor(reader *r, double *x)
{
  const char *end;
  epi_skip(r);
  const char *p = r->at + (*r->at == '-' || *r->at == '+');
  if (!strncmp(p, "pi", 2) && !inner(p[2])) { *x = *r->at == '-' ? -EPI_PI : EPI_PI; r->at = p + 2; return 0; }
  *x = epi_decimal(r->at, &end);
  if (end == r->at) return epi_wrong(r, epi_column(r), "a number is expected here");
  r->at = end;
  return 0;
}

static int product(reader *r, double *x)
{
  double y;
  if (factor(r, x)) return -1;
  const char *end = r->at;
  for (char c = epi_skip(r); c == '*' || c == '/'; c = epi_skip(r)) {
    r->at++;
    if (factor(r, &y)) return -1;
    *x = c == '*' ? *x*y : *x/y;
    end = r->at;
  }
  r->at = end;
  return 0;
}

static int numeric(const reader *r)
{
  const char *p = r->at;
  if (*p == '-' || *p == '+') p++;
  if (isdigit((unsigned char)*p) || *p == '.') return 1;
  if (p != r->at) return 1;
  /* pi is a number only in a product: it is also the name of a controller */
  if (strncmp(p, "pi", 2) || inner(p[2])) return 0;
  for (p += 2; isspace((unsigned char)*p); p++) {}
  return *p == '*' || *p == '/';
}

/* ---- terms ---- */
/* a name that goes on with a slash, or begins with one, is a path: it stands in spelled, and its beginning in name */
static int starts_path(const char *p) { return p[0] == '/' || (p[0] == '.' && (p[1] == '/' || (p[1] == '.' && p[2] == '/'))); }
static int read_path(reader *r, epi_term *t, const char *from)
{
  while (inner(*r->at) || *r->at == '/') r->at++;
  size_t n = (size_t)(r->at - from), most = sizeof t->name - 1;
  if (!(t->spelled = malloc(n + 1))) return epi_read_no_memory(r);
  memcpy(t->spelled, from, n);
  t->spelled[n] = 0;
  memcpy(t->name, t->spelled, n < most ? n : most);
  t->name[n < most ? n : most] = 0;
  return 0;
}

static int unexpected(reader *r, const char *wanted)
{
  if (!*r->at) return epi_wrong(r, epi_column(r), "the text ends here, and %s is missing", wanted);
  return epi_wrong(r, epi_column(r), "'%.*s' is not expected here: put %s", EPI_LETTER(r->at), wanted);
}

static int spell(reader *r, epi_term *t, const char *from)
{
  size_t n = (size_t)(r->at - from);
  if (!(t->spelled = malloc(n + 1))) return epi_read_no_memory(r);
  memcpy(t->spelled, from, n);
  t->spelled[n] = 0;
  return 0;
}

static int read_list(reader *r, epi_term *t)
{
  const char *from = r->at;
  int room = 0;
  t->kind = EPI_TERM_LIST;
  r->at++;
  if (epi_skip(r) == ']') { r->at++; return spell(r, t, from); }
  for (;;) {
    if (t->n == room) {
      room = 2*room + 4;
      double *more = realloc(t->list, (size_t)room*sizeof *more);
      if (!more) return epi_read_no_memory(r);
      t->list = more;
    }
    if (product(r, &t->list[t->n])) return -1;
    t->n++;
    char c = epi_skip(r);
    if (c != ',' && c != ']') return unexpected(r, "',' or ']'");
    r->at++;
    if (c == ']') return spell(r, t, from);
  }
}

int epi_read_args(reader *r, epi_term *t)
{
  epi_term **last = &t->arg;
  r->at++;
  if (epi_skip(r) == ')') { r->at++; return 0; }
  for (;;) {
    if (!(*last = epi_read_term(r))) return -1;
    last = &(*last)->next;
    char c = epi_skip(r);
    if (c != ',' && c != ')') return unexpected(r, "',' or ')'");
    r->at++;
    if (c == ')') return 0;
  }
}

static int read_names(reader *r, epi_term *t)
{
  const char *from = r->at;
  if (!letter(*r->at) || numeric(r)) return 0;
  if (!word(r, t->name, sizeof t->name)) return epi_wrong(r, t->column, "this name is too long");
  if (*r->at == '/') return read_path(r, t, from);
  if (epi_skip(r) != '=') return 0;
  memcpy(t->key, t->name, sizeof t->key);
  t->name[0] = 0;
  r->at++;
  epi_skip(r);
  from = r->at;
  if (letter(*r->at) && !numeric(r) && !word(r, t->name, sizeof t->name)) return epi_wrong(r, t->column, "this name is too long");
  return t->name[0] && *r->at == '/' ? read_path(r, t, from) : 0;
}

static int fill(reader *r, epi_term *t)
{
  epi_skip(r);
  t->column = epi_column(r);
  if (r->depth > 200) return epi_wrong(r, t->column, "the text is nested more than 200 deep");
  if (read_names(r, t)) return -1;
  if (!t->name[0] && starts_path(r->at)) return read_path(r, t, r->at);
  if (t->name[0]) return epi_skip(r) == '(' ? epi_read_args(r, t) : 0;
  if (*r->at == '[') return read_list(r, t);
  if (!numeric(r)) return unexpected(r, "a name or a number");
  const char *from = r->at;
  t->kind = EPI_TERM_NUMBER;
  return product(r, &t->number) ? -1 : spell(r, t, from);
}

epi_term *epi_read_term(reader *r)
{
  epi_term *t = epi_zeros(1, sizeof *t);
  if (!t) { epi_read_no_memory(r); return NULL; }
  r->depth++;
  if (fill(r, t)) { epi_term_free(t); return NULL; }
  r->depth--;
  return t;
}

epi_term *epi_read_whole(reader *r, const char *what)
{
  epi_term *t = epi_read_term(r);
  if (!t || !epi_skip(r)) return t;
  epi_wrong(r, epi_column(r), "'%.*s' is not expected here: the %s is complete", EPI_LETTER(r->at), what);
  epi_term_free(t);
  return NULL;
}

epi_term *epi_term_read_why(const char *text, epi_fault *why)
{
  reader r = {.text = text ? text : "", .at = text ? text : "", .error = why->words, .size = sizeof why->words};
  why->words[0] = 0;
  epi_term *t = epi_read_whole(&r, "text");
  why->cause = r.cause;
  why->column = r.column;
  return t;
}

epi_term *epi_term_read(const char *text, char *error, size_t size)
{
  epi_fault why;
  epi_term *t = epi_term_read_why(text, &why);
  if (error && size) snprintf(error, size, "%s", why.words);
  return t;
}

void epi_term_free(epi_term *t)
{
  while (t) {
    epi_term *next = t->next;
    epi_term_free(t->arg);
    free(t->list);
    free(t->spelled);
    free(t);
    t = next;
  }
}

/* ---- changing ---- */
epi_term *epi_term_copy(const epi_term *t)
{
  epi_term *c = malloc(sizeof *c);
  if (!c) return NULL;
  *c = *t;
  c->arg = c->next = NULL;
  c->list = NULL;
  c->spelled = NULL;
  int bad = (t->list && !(c->list = malloc(((size_t)t->n + 1)*sizeof *c->list)))
         || (t->spelled && !(c->spelled = malloc(strlen(t->spelled) + 1)));
  if (!bad && t->list) memcpy(c->list, t->list, (size_t)t->n*sizeof *c->list);
  if (!bad && t->spelled) memcpy(c->spelled, t->spelled, strlen(t->spelled) + 1);
  epi_term **last = &c->arg;
  for (const epi_term *a = t->arg; a && !bad; a = a->next) {
    bad = !(*last = epi_term_copy(a));
    if (!bad) last = &(*last)->next;
  }
  if (!bad) return c;
  epi_term_free(c);
  return NULL;
}

epi_term *epi_term_option(const epi_term *t, const char *key)
{
  epi_term *a = t->arg;
  while (a && strcmp(a->key, key)) a = a->next;
  return a;
}

epi_term *epi_term_find(const epi_term *t, const char *name)
{
  if (t->kind == EPI_TERM_NAME && !strcmp(t->name, name)) return (epi_term *)t;
  epi_term *found = NULL;
  for (const epi_term *a = t->arg; a && !found; a = a->next) found = epi_term_find(a, name);
  return found;
}

epi_term *epi_term_inside(const epi_term *t)
{
  epi_term *a = t->arg;
  while (a && (a->key[0] || a->kind != EPI_TERM_NAME)) a = a->next;
  return a;
}

/* `by` takes the place of t: the key and the siblings are those of t; what t was is freed */
static void put_in_place(epi_term *t, epi_term *by)
{
  epi_term old = *t;
  *t = *by;
  memcpy(t->key, old.key, sizeof t->key);
  t->next = old.next;
  t->column = old.column;
  old.next = NULL;
  epi_term_free(old.arg);
  free(old.list);
  free(old.spelled);
  free(by);
}

int epi_term_replace(epi_term *t, const char *text)
{
  char error[EPI_SENTENCE_SIZE];
  epi_term *by = epi_term_read(text, error, sizeof error);
  if (!by) return -1;
  put_in_place(t, by);
  return 0;
}

/* every _ in by becomes a copy of t; how many there were, -1: out of memory. What was put in is not looked through */
static int fill_holes(epi_term *by, const epi_term *t)
{
  int n = 0;
  for (; by; by = by->next) {
    int below = 0;
    if (by->kind != EPI_TERM_NAME || strcmp(by->name, "_")) below = fill_holes(by->arg, t);
    else {
      epi_term *inside = epi_term_copy(t);
      if (!inside) return -1;
      put_in_place(by, inside);
      below = 1;
    }
    if (below < 0) return -1;
    n += below;
  }
  return n;
}

int epi_term_wrap(epi_term *t, const char *around)
{
  char error[EPI_SENTENCE_SIZE];
  epi_term *by = epi_term_read(around, error, sizeof error);
  if (!by || fill_holes(by, t) < 1) { epi_term_free(by); return -1; }
  put_in_place(t, by);
  return 0;
}

/* a number, a list or a path takes none */
int epi_term_give(epi_term *t, const char *key, const char *value)
{
  char error[EPI_SENTENCE_SIZE];
  size_t n = 0;
  while (inner(key[n])) n++;
  if (t->kind != EPI_TERM_NAME || t->spelled || !letter(key[0]) || key[n] || n >= sizeof t->key) return -1;
  epi_term *old = epi_term_option(t, key), *now = epi_term_read(value, error, sizeof error);
  if (!now) return -1;
  if (old) { put_in_place(old, now); return 0; }
  memcpy(now->key, key, strlen(key) + 1);
  epi_term **last = &t->arg;
  while (*last) last = &(*last)->next;
  *last = now;
  return 0;
}

/* ---- printing ---- */
static void put_term(epi_writer *s, const epi_term *t)
{
  if (t->key[0]) { epi_put(s, t->key); epi_put(s, "="); }
  epi_put(s, t->kind == EPI_TERM_NAME && !t->spelled ? t->name : t->spelled ? t->spelled : "");
  if (!t->arg) return;
  epi_put(s, "(");
  for (const epi_term *a = t->arg; a; a = a->next) { put_term(s, a); if (a->next) epi_put(s, ", "); }
  epi_put(s, ")");
}

size_t epi_term_text(const epi_term *t, char *out, size_t size)
{
  epi_writer s = {out, 0, size};
  if (size) out[0] = 0;
  put_term(&s, t);
  return s.n;
}
