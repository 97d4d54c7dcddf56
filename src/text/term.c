/* term.c - the text grammar: terms with their columns
 *
 *   term  := name [ '(' [ arg { ',' arg } ] ')' ]        arg   := [ name '=' ] value
 *   value := term | product | '[' product { ',' product } ']'      product := number-or-pi { '*' or '/' number-or-pi } */
#include "text/term.h"
#include <ctype.h>
#include <locale.h>

term *epi_wrong(reader *r, int column, const char *words, ...)
{
  if (r->error[0]) return NULL;
  int n = snprintf(r->error, r->size, "column %d: ", column);
  va_list ap;
  va_start(ap, words);
  vsnprintf(r->error + n, r->size - (size_t)n, words, ap);
  va_end(ap);
  return NULL;
}

/* ---- terms ---- */
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

/* the point is a point in every locale */
static double plain_number(const char *text, const char **end)
{
  char copy[64], point = localeconv()->decimal_point[0], *stop;
  size_t n = 0;
  while (n + 1 < sizeof copy && (isalnum((unsigned char)text[n]) || strchr("+-.", text[n])) && text[n]) {
    /* a sign belongs to a number only at its front or after an e */
    if (n && (text[n] == '+' || text[n] == '-') && tolower((unsigned char)text[n-1]) != 'e') break;
    copy[n] = text[n] == '.' ? point : text[n];
    n++;
  }
  copy[n] = 0;
  double x = strtod(copy, &stop);
  *end = text + (stop - copy);
  return x;
}

static int factor(reader *r, double *x)
{
  const char *end;
  epi_skip(r);
  const char *p = r->at + (*r->at == '-' || *r->at == '+');
  if (!strncmp(p, "pi", 2) && !inner(p[2])) { *x = *r->at == '-' ? -EPI_PI : EPI_PI; r->at = p + 2; return 0; }
  *x = plain_number(r->at, &end);
  if (end == r->at) { epi_wrong(r, epi_column(r), "a number is expected here"); return -1; }
  r->at = end;
  return 0;
}

static int product(reader *r, double *x)
{
  double y;
  if (factor(r, x)) return -1;
  for (char c = epi_skip(r); c == '*' || c == '/'; c = epi_skip(r)) {
    r->at++;
    if (factor(r, &y)) return -1;
    *x = c == '*' ? *x*y : *x/y;
  }
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

static term *unexpected(reader *r, const char *wanted)
{
  if (!*r->at) return epi_wrong(r, epi_column(r), "the text ends here, and %s is missing", wanted);
  return epi_wrong(r, epi_column(r), "'%c' is not expected here: put %s", *r->at, wanted);
}

static term *read_list(reader *r, term *t)
{
  t->kind = LIST;
  t->list = r->numbers;
  r->at++;
  if (epi_skip(r) == ']') { r->at++; return t; }
  for (;;) {
    if (product(r, r->numbers)) return NULL;
    r->numbers++;
    t->n++;
    char c = epi_skip(r);
    if (c != ',' && c != ']') return unexpected(r, "',' or ']'");
    r->at++;
    if (c == ']') return t;
  }
}

int epi_read_args(reader *r, term *t)
{
  term **last = &t->arg;
  r->at++;
  if (epi_skip(r) == ')') { r->at++; return 0; }
  for (;;) {
    term *a = epi_read_term(r);
    if (!a) return -1;
    *last = a;
    last = &a->next;
    char c = epi_skip(r);
    if (c != ',' && c != ')') { unexpected(r, "',' or ')'"); return -1; }
    r->at++;
    if (c == ')') return 0;
  }
}

term *epi_read_term(reader *r)
{
  term *t = r->free++;
  epi_skip(r);
  t->column = epi_column(r);
  if (++r->depth > 200) return epi_wrong(r, t->column, "the text is nested more than 200 deep");
  if (letter(*r->at) && !numeric(r)) {
    if (!word(r, t->name, sizeof t->name)) return epi_wrong(r, t->column, "this name is too long");
    if (epi_skip(r) == '=') {
      memcpy(t->key, t->name, sizeof t->key);
      t->name[0] = 0;
      r->at++;
      epi_skip(r);
      if (letter(*r->at) && !numeric(r) && !word(r, t->name, sizeof t->name)) return epi_wrong(r, t->column, "this name is too long");
    }
  }
  if (t->name[0]) {
    if (epi_skip(r) == '(' && epi_read_args(r, t)) return NULL;
  } else if (*r->at == '[') {
    if (!read_list(r, t)) return NULL;
  } else if (numeric(r)) {
    t->kind = NUMBER;
    if (product(r, &t->number)) return NULL;
  } else {
    return unexpected(r, "a name or a number");
  }
  r->depth--;
  return t;
}

int epi_reader_open(reader *r, const char *text, const epi_name *names, char *error, size_t size)
{
  size_t n = strlen(text) + 4;
  *r = (reader){.text = text, .at = text, .names = names, .error = error, .size = size};
  error[0] = 0;
  r->pool = r->free = calloc(n, sizeof *r->pool);
  r->numbers = r->first = calloc(n, sizeof *r->numbers);
  if (r->pool && r->numbers) return 0;
  snprintf(error, size, "out of memory");
  return -1;
}

void epi_reader_close(reader *r)
{
  free(r->pool);
  free(r->first);
}

/* ---- near misses ---- */
static int distance(const char *a, const char *b)
{
  int row[64], n = (int)strlen(b), m = (int)strlen(a);
  if (n > 60 || m > 60) return 99;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; i <= m; i++) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int swap = corner + (tolower((unsigned char)a[i-1]) != tolower((unsigned char)b[j-1]));
      corner = row[j];
      int step = (row[j] < row[j-1] ? row[j] : row[j-1]) + 1;
      row[j] = swap < step ? swap : step;
    }
  }
  return row[n];
}

const char *epi_nearest(const char *name, const char *const *among, int n)
{
  const char *best = NULL;
  int least = 1 + (int)strlen(name)/3 < 4 ? 1 + (int)strlen(name)/3 + 1 : 4;
  for (int i = 0; i < n; i++) {
    int d = distance(name, among[i]);
    if (d < least) { least = d; best = among[i]; }
  }
  return best;
}
