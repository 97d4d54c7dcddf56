/* value.c - parameters of a world: numbers by name, given once and used wherever a number stands, alone or in a formula */
#include "file/model-file.h"
#include "epicycle/term.h"
#include "letters.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };

/* ---- names for formulas: what the file brings, then what the place has ---- */
static int counts_turns(const parameter *p)
{
  epi_dimension unused;
  char why[200];
  return p->unit && *p->unit && epi_unit_dimension(p->unit, &unused, why, sizeof why);
}

static int stands_in(const char *word, const char *name)
{
  for (const char *c = word; *c; c++) {
    size_t n = 0;
    while (isalnum((unsigned char)c[n]) || c[n] == '_') n++;
    if (n == strlen(name) && !strncmp(name, c, n)) return 1;
    if (n) c += n - 1;
  }
  return 0;
}

static int of_a_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* the end of a product that begins here, whatever blanks stand in the text; NULL: it does not */
static const char *product_at(const char *text, const char *product)
{
  for (; *product; text++) {
    if (*text == ' ') continue;
    if (*text != *product++) return NULL;
  }
  return text;
}

/* the product stands there by itself: neither is it part of longer words, nor is divided by its first factor */
static int is_product(const char *text, const char *product)
{
  char before = 0;
  for (const char *at = text; *at; at++) {
    const char *end = *at == ' ' || of_a_word(before) || before == '/' ? NULL : product_at(at, product);
    if (end && !of_a_word(end[strspn(end, " ")])) return 1;
    if (*at != ' ') before = *at;
  }
  return 0;
}

/* f in Hz stands for rad/s in a formula, and 2*pi*f would be 2*pi times too much: nobody means that. The parameter, or NULL */
static const parameter *turned_twice(const document *d, const char *word)
{
  char one[64], other[64];
  for (int i = 0; d->values && i < d->values->n; i++) {
    const parameter *p = &d->values->one[i];
    if (!counts_turns(p)) continue;
    snprintf(one, sizeof one, "2*pi*%s", p->name);
    snprintf(other, sizeof other, "%s*2*pi", p->name);
    if (is_product(word, one) || is_product(word, other)) return p;
  }
  return NULL;
}

static int put_names(const document *d, epi_formula_name *out)
{
  int n = 0;
  for (int i = 0; d->values && i < d->values->n; i++) {
    const parameter *p = &d->values->one[i];
    out[n++] = (epi_formula_name){.name = p->name, .constant = &p->plain, .unit = p->dimension};
  }
  return n;
}

/* the value of a parameter with its unit, in another */
static int in_unit(const parameter *p, const char *unit, double *x, char *why, size_t size)
{
  char number[120];
  snprintf(number, sizeof number, "%s %s", epi_shortest(p->value).text, p->unit);
  return epi_unit_read(*p->unit ? number : epi_shortest(p->value).text, unit, x, why, size);
}

static int count(const epi_formula_name *n)
{
  int i = 0;
  while (n && n[i].name) i++;
  return i;
}

/* ---- reading them ---- */
static const char *const taken[] = {"t", "theta", "x", "y", "z", "vx", "vy", "vz", "w1", "w2", "w3", "wx", "wy", "wz", "pi", NULL};

static int wrong_name(document *d, const item *key)
{
  const char *c = key->text;
  for (int i = 0; taken[i]; i++)
    if (!strcmp(taken[i], c))
      return epi_document_wrong(d, key, "the parameter '%s' has the name of what formulas have anyway: take another one", c);
  if (!isalpha((unsigned char)*c) && *c != '_')
    return epi_document_wrong(d, key, "the parameter '%.40s' begins with no letter: take a name as in k1", c);
  for (; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_')
      return epi_document_wrong(d, key, "the parameter '%.40s' holds '%.*s': take letters, digits and '_'", key->text, EPI_LETTER(c));
  return strlen(key->text) > 30 ? epi_document_wrong(d, key, "the parameter '%.40s' is too long: take at most 30 letters", key->text) : 0;
}

/* in the units of the system; what counts turns in radians */
static int in_plain(parameter *p, char *why, size_t size)
{
  epi_dimension u;
  const char *text = p->unit;
  p->dimension = *text ? text : NULL;
  if (!epi_unit_dimension(text, &u, why, size)) return p->plain = p->value*u.factor, 0;
  static const char *const radians[] = {"rad/s", "rad", "rad/s^2"}, *const plain[] = {"1/s", "", "1/s^2"};
  char word[100];
  snprintf(word, sizeof word, "%s %s", epi_shortest(p->value).text, text);
  for (int i = 0; i < 3; i++)
    if (!epi_unit_read(word, radians[i], &p->plain, why, size)) return p->dimension = plain[i], 0;
  return -1;
}

/* what stands for the parameter instead of what the file says; NULL: nothing */
static const char *instead(const document *d, const char *name, const item *run)
{
  size_t n = strlen(name);
  for (const char *const *g = d->given; g && *g; g++) if (!strncmp(*g, name, n) && (*g)[n] == '=') return *g + n + 1;
  const item *it = run && run->kind == ITEM_MAP ? epi_item_of(run, name) : NULL;
  return it && it->kind == ITEM_TEXT ? it->text : NULL;
}

/* a value of its own: in the unit that the file has, or a formula */
static int read_other(document *d, const item *it, const char *other, parameter *p)
{
  char why[300];
  const char *unit = p->unit ? p->unit : "";
  p->own = 1;
  if (!epi_unit_read(other, unit, &p->value, why, sizeof why) || !epi_value_read(d, other, p->unit, &p->value, why, sizeof why)) return 0;
  return epi_document_wrong(d, it, "%s: %s", p->name, why);
}

/* of a formula of parameters, so that a mass is none where a length is wanted */
static int unit_of(document *d, const char *text, const char **unit)
{
  char why[300];
  epi_formula_name *names = epi_pool_room(&d->pool, (size_t)(d->values ? d->values->n : 0) + 1, sizeof *names);
  if (!names) return REFUSED;
  put_names(d, names);
  epi_formula *f = epi_formula_read_in(text, names, epi_unit_dimension, NULL, why, sizeof why);
  if (!f) return d->pool.out = 1, REFUSED;
  if (epi_formula_unit(f)) *unit = epi_pool_text(&d->pool, "%s", epi_formula_unit(f));
  epi_formula_free(f);
  return d->pool.out ? REFUSED : 0;
}

/* a number with a unit, or a formula of those before it; given: the value that a case has instead, or NULL */
static int read_one(document *d, const item *key, const item *it, const char *other, const double *given, parameter *p)
{
  char why[300];
  const char *unit;
  *p = (parameter){.name = key->text, .at = it};
  if (wrong_name(d, key)) return REFUSED;
  if (it->kind != ITEM_TEXT || !it->text[0])
    return epi_document_wrong(d, it, "%s is %s: write a number with its unit, as in 2 kg, or a formula", key->text,
                              it->kind == ITEM_TEXT ? "empty" : epi_item_what(it));
  p->text = it->text;
  if (!epi_unit_split(it->text, &p->value, &unit) && !epi_unit_read(it->text, unit, &p->value, why, sizeof why)) {
    p->unit = unit;
    if (given) p->value = *given;
    else if (other && read_other(d, it, other, p)) return REFUSED;
    return in_plain(p, why, sizeof why) ? epi_document_wrong(d, it, "%s: %s", key->text, why) : 0;
  }
  if (given) return p->plain = p->value = *given, 0;
  if (other) return read_other(d, it, other, p) ? REFUSED : (p->plain = p->value, 0);
  for (int i = 0; d->values && i < d->values->n && !strstr(it->text, "pi"); i++) {
    const parameter *q = &d->values->one[i];
    if ((counts_turns(q) || q->turned) && stands_in(it->text, q->name)) p->turned = counts_turns(q) ? q->name : q->turned;
  }
  /* the sentence of a text that is neither a number nor a formula */
  if (epi_unit_read(it->text, "", &p->plain, why, sizeof why) &&
      !epi_value_read(d, it->text, NULL, &p->plain, why, sizeof why)) return p->value = p->plain, unit_of(d, it->text, &p->dimension);
  return epi_document_wrong(d, it, "%s: %s", key->text, why);
}

/* what is given is there */
static int unknown(document *d, const parameters *all)
{
  for (const char *const *g = d->given; g && *g; g++) {
    const char *names[MOST + 1], *near;
    char name[160];
    size_t n = strcspn(*g, "=");
    int there = 0;
    snprintf(name, sizeof name, "%.*s", (int)n, *g);
    for (int i = 0; i < all->n; i++) { names[i] = all->one[i].name; there |= !strcmp(name, names[i]); }
    names[all->n] = NULL;
    if (there) continue;
    near = epi_nearest(name, names);
    return epi_document_wrong_at(d, 0, near ? "'%s' is not a parameter of this world; did you mean %s?" :
                                 "'%s' is not a parameter of this world: they stand under parameters%s", name, near ? near : "");
  }
  return 0;
}

parameters *epi_values_read(document *d, const item *map, const item *run, const epi_case *c)
{
  parameters *all = epi_pool_room(&d->pool, 1, sizeof *all);
  if (map && map->kind != ITEM_MAP)
    return epi_document_wrong(d, map, "parameters is %s: write name: value, one a line", epi_item_what(map)), NULL;
  if (map && map->n > MOST) return epi_document_wrong(d, map, "there are %d parameters: the most is %d", map->n, MOST), NULL;
  if (!all || !map) return all && !unknown(d, all) ? all : NULL;
  all->one = epi_pool_room(&d->pool, (size_t)map->n + 1, sizeof *all->one);
  all->param = epi_pool_room(&d->pool, (size_t)map->n + 1, sizeof *all->param);
  if (!all->one || !all->param) return NULL;
  all->used = d->values ? d->values->used : epi_pool_room(&d->pool, (size_t)map->n + 1, 1);
  if (!all->used) return NULL;
  d->values = all;
  for (int i = 0; i < map->n; i++) {
    const char *name = map->key[i]->text;
    const double *given = c && c->given && c->given[i] ? &c->p[i] : NULL;
    if (read_one(d, map->key[i], map->part[i], instead(d, name, run), given, &all->one[i])) return NULL;
    all->param[all->n++] = (epi_param){.name = map->key[i]->text, .unit = all->one[i].unit ? all->one[i].unit : "",
                                       .value = all->one[i].value, .doc = "of the world"};
  }
  return unknown(d, all) ? NULL : all;
}

/* ---- using them ---- */
/* the names that stand in a text are used */
static int each_name(const document *d, const char *word, char *used)
{
  int found = 0;
  for (const char *c = word; *c; c++) {
    size_t n = 0;
    while (isalnum((unsigned char)c[n]) || c[n] == '_') n++;
    /* a name after a sign is one, also where there is none such */
    found |= n && !isdigit((unsigned char)*c) && c > word && strchr("*+-(", c[-1]);
    for (int i = 0; n && !isdigit((unsigned char)*c) && d->values && i < d->values->n; i++) {
      const char *name = d->values->one[i].name;
      if (strlen(name) != n || strncmp(name, c, n)) continue;
      found = 1;
      if (used) used[i] = 1;
    }
    if (n) c += n - 1;
  }
  return found;
}

void epi_values_used(document *d)
{
  for (int i = 0; d->values && i < d->values->n; i++)
    if (!d->values->used[i])
      epi_document_note(d, d->values->one[i].at, "the parameter %s stands nowhere else and changes nothing: use it, or take it away",
                        d->values->one[i].name);
}

int epi_value_bare(const document *d, const char *word)
{
  double x;
  const char *rest;
  if (!epi_unit_split(word, &x, &rest)) return !*rest && !strstr(word, "pi");
  for (const char *c = word; *c; c++) {
    size_t n = 0;
    int bare = 0;
    while (isalnum((unsigned char)c[n]) || c[n] == '_' || c[n] == '.') n++;
    if (!n) continue;
    for (int i = 0; d->values && i < d->values->n; i++) {
      const parameter *p = &d->values->one[i];
      if (strlen(p->name) == n && !strncmp(p->name, c, n)) bare = p->unit && !*p->unit && !strstr(p->text, "pi");
    }
    if (!bare && strspn(c, "0123456789.") < n) return 0;
    c += n - 1;
  }
  return 1;
}

/* is a formula meant? The name of a parameter stands there, or what can be no number begins like one; without parameters what has a
   function of the language in it, with its bracket */
static int meant(const document *d, const char *word)
{
  const char *c = word + strspn(word, "-+( ");
  if (d->values && d->values->n) return isalpha((unsigned char)*c) || *c == '_' || each_name(d, word, NULL);
  /* the word that ends before a bracket begins with a letter */
  for (const char *name = c = word; *c; c++) {
    if (*c == '(' && name < c && isalpha((unsigned char)*name)) return 1;
    if (!isalnum((unsigned char)*c)) name = c + 1;
  }
  return 0;
}

/* where turns are counted, what counts turns is in the unit of the place, and has no dimension. What is in radians beside it, as 2*w, could
   be meant so or so, unless it is divided by 2*pi there */
static int in_turns(const document *d, const char *word, const char *unit, epi_formula_name *names, double *turned, char *why, size_t size)
{
  for (int i = 0; d->values && i < d->values->n; i++) {
    const parameter *p = &d->values->one[i];
    char no[200];
    if (p->turned && stands_in(word, p->name) && !strstr(word, "pi"))
      return snprintf(why, size, "%s is a formula of %s, which is in radians there, and %s counts turns: write the formula here, or "
                      "%s/(2*pi)", p->name, p->turned, unit, p->name), -1;
    if (!p->unit || !*p->unit || !stands_in(word, p->name) || in_unit(p, unit, &turned[i], no, sizeof no)) continue;
    if (!counts_turns(p) && !strstr(word, "pi"))
      return snprintf(why, size, "%s is in %s, and %s counts turns: write %s alone, or %s/(2*pi)", p->name, p->unit, unit, p->name,
                      p->name), -1;
    if (counts_turns(p)) names[i].constant = &turned[i], names[i].unit = NULL;
  }
  return 0;
}

/* the unit of a formula where turns, or how often they come, are counted */
static const char *without_turns(const char *unit)
{
  static const char *const radians[] = {"rad", "rad/s", "rad/s^2"}, *const plain[] = {"", "1/s", "1/s^2"};
  char why[200], one[100];
  double x;
  snprintf(one, sizeof one, "1 %s", unit);
  for (int i = 0; i < 3; i++) if (!epi_unit_read(one, radians[i], &x, why, sizeof why)) return plain[i];
  return NULL;
}

static int calculated(const document *d, const char *word, const char *unit, double *x, char *why, size_t size)
{
  epi_dimension wanted = {.factor = 1};
  char no[200];
  const size_t n = (size_t)(d->values ? d->values->n : 0) + 1;
  int turns = unit && epi_unit_dimension(unit, &wanted, no, sizeof no) != 0;
  const parameter *twice = turns ? NULL : turned_twice(d, word);
  if (twice)
    return snprintf(why, size, "%s is in %s, and stands for rad/s in a formula: leave 2*pi away", twice->name, twice->unit), -1;
  epi_formula_name *names = calloc(n, sizeof *names + sizeof(double));
  if (!names) return snprintf(why, size, "out of memory"), -2;
  put_names(d, names);
  if (turns && in_turns(d, word, unit, names, (double *)(names + n), why, size)) return free(names), -1;
  epi_fault fault = {.words = ""};
  epi_formula *f = epi_formula_read_why(word, names, epi_unit_dimension, turns ? without_turns(unit) : unit, &fault);
  if (!f) snprintf(why, size, "%s", fault.words);
  int column = f ? epi_formula_value(f, NULL, x) : 0;
  if (column) snprintf(why, size, "'%.60s' %s in column %d", word, epi_formula_trouble(f, column), column);
  epi_formula_free(f);
  free(names);
  if (turns) wanted.factor = 1;
  *x /= wanted.factor;
  return fault.cause == EPI_MEMORY ? -2 : !f || column ? -1 : 0;
}

int epi_value_read(const document *d, const char *word, const char *unit, double *x, char *why, size_t size)
{
  if (!meant(d, word)) return -1;
  if (d->values) each_name(d, word, d->values->used);
  for (int i = 0; d->values && i < d->values->n; i++) {
    const parameter *p = &d->values->one[i];
    if (strcmp(p->name, word) || !p->unit || !unit) continue;
    return in_unit(p, unit, x, why, size);
  }
  return calculated(d, word, unit, x, why, size);
}

static int point_of(const void *table, int i, double *x)
{
  const course *c = table;
  if (i >= c->n) return 0;
  *x = c->t[i];
  return 1;
}

/* times at which it bends or jumps, for steps that do not go over them; 0, or REFUSED */
static int note_bends(source *s, const epi_formula *f)
{
  int n = epi_formula_bends(f, AT_T, point_of, NULL, 0);
  if (!n) return 0;
  course *c = epi_pool_room(&s->d->pool, 1, sizeof *c);
  if (!c || !(c->t = epi_pool_room(&s->d->pool, (size_t)n, sizeof *c->t))) return REFUSED;
  c->n = epi_formula_bends(f, AT_T, point_of, c->t, n);
  c->before = s->in_time;
  s->in_time = c;
  return 0;
}

const epi_formula *epi_file_formula(source *s, const item *it, const char *name, const char *unit, const epi_formula_name *variables)
{
  epi_fault why = {.words = ""};
  int n = count(variables), m = s->d->values ? s->d->values->n : 0;
  if (it->kind != ITEM_TEXT || !it->text[0])
    return epi_document_wrong(s->d, it, "%s is %s: write a formula, as in \"-k*x\"", name,
                              it->kind == ITEM_TEXT ? "empty" : epi_item_what(it)), NULL;
  epi_formula_name *names = epi_pool_room(&s->d->pool, (size_t)(n + m + s->tables) + 1, sizeof *names);
  if (!names) return NULL;
  memcpy(names, variables, (size_t)n*sizeof *names);
  n += put_names(s->d, names + n);
  for (int i = 0; i < s->tables; i++)
    names[n++] = (epi_formula_name){.name = s->table[i].name, .unit = s->table[i].unit, .takes = s->table[i].of, .of = s->table[i].value,
                                    .data = s->table[i].points};
  const parameter *twice = turned_twice(s->d, it->text);
  if (twice)
    return epi_document_wrong(s->d, it, "%s: %s is in %s, and stands for rad/s in a formula: leave 2*pi away", name, twice->name,
                              twice->unit), NULL;
  epi_formula *f = epi_formula_read_why(it->text, names, epi_unit_dimension, unit, &why);
  if (!f && why.cause == EPI_MEMORY) return s->d->pool.out = 1, NULL;
  if (!f) return epi_document_wrong(s->d, it, "%s: %s", name, why.words), NULL;
  if (m) each_name(s->d, it->text, s->d->values->used);
  void *room = epi_pool_room(&s->d->pool, 1, epi_formula_size(f));
  const epi_formula *kept = room ? epi_formula_copy(f, room) : NULL;
  epi_formula_free(f);
  return kept && note_bends(s, kept) ? NULL : kept;
}
