/* fields.c - keys of a model file against their tables: what is unknown, what has the wrong kind, and what each value means */
#include "file/model-file.h"
#include "letters.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

static int count(const field *f)
{
  int n = 0;
  while (f[n].name) n++;
  return n;
}

static const field *field_of(const field *f, const char *name)
{
  for (; f->name; f++) if (!strcmp(f->name, name)) return f;
  return NULL;
}

/* ---- words that had another name: whoever has an old file learns the new one ---- */
static const struct { const char *was, *is; } renamed[] = {{"look", "appearance"}, {"land", "circle-in-bore"}};

static const char *new_name(const char *word)
{
  for (size_t i = 0; i < sizeof renamed/sizeof *renamed; i++) if (!strcmp(renamed[i].was, word)) return renamed[i].is;
  return NULL;
}

/* ---- unknown keys, all of them ---- */
static int unknown(document *d, const item *key, const char *what, const field *f)
{
  int n = count(f);
  const char **names = epi_pool_room(&d->pool, (size_t)n + 1, sizeof *names), *now = new_name(key->text);
  char all[400] = "";
  if (!names) return REFUSED;
  if (now && field_of(f, now)) return epi_document_wrong(d, key, "'%s' of %s is called %s now: write %s", key->text, what, now, now);
  for (int i = 0; i < n; i++) {
    names[i] = f[i].name;
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", f[i].name);
  }
  const char *near = epi_nearest(key->text, names);
  if (strpbrk(key->text, "=()"))
    return epi_document_wrong(d, key, "'%.60s' is not a key of %s: a text with commas or brackets stands in quotes", key->text, what);
  if (near) return epi_document_wrong(d, key, "'%.60s' is not a key of %s; did you mean %s?", key->text, what, near);
  return epi_document_wrong(d, key, "'%.60s' is not a key of %s: there are %s", key->text, what, all);
}

/* one of a list is called by what it is: a body, a joint */
static const char *single(const char *name)
{
  static const char *const words[][2] = {
    {"bodies", "a body"}, {"joints", "a joint"}, {"springs", "a spring"}, {"loads", "a load"}, {"contacts", "a contact"},
    {"shapes", "a shape"}, {"runs", "a run"}, {"motion", "a motion"},
  };
  for (size_t i = 0; i < sizeof words/sizeof *words; i++) if (!strcmp(words[i][0], name)) return words[i][1];
  return name;
}

int epi_field_maps(document *d, const item *list, const char *name)
{
  if (list->kind != ITEM_LIST) return epi_document_wrong(d, list, "%s is %s: write a list, a '-' before each", name, epi_item_what(list));
  int bad = 0;
  for (int i = 0; i < list->n; i++)
    if (list->part[i]->kind != ITEM_MAP)
      bad = epi_document_wrong(d, list->part[i], "%s is %s: write its keys, as in `- name: one`", single(name),
                               epi_item_what(list->part[i]));
  return bad;
}

/* one of a list that has kinds has the keys of its own; one whose kind is not known is refused when it is read */
static int each_known(document *d, const field *list, const item *value)
{
  const family *f = list->kinds;
  int bad = 0;
  for (int i = 0; i < value->n; i++) {
    const item *one = value->part[i], *it = f ? epi_item_of(one, f->key) : NULL;
    const char *what = single(list->name), *word = it ? it->text : f ? f->otherwise : NULL;
    const field *keys = list->inner;
    kind k = {.plain = 1};
    if (word && !epi_kind_of(d, f, word, &k)) continue;
    if (!k.plain) keys = epi_kind_keys(d, list->inner, &k);
    if (!k.plain && it) what = epi_pool_text(&d->pool, "%s with %s: %.40s", what, f->key, word);
    if (epi_fields_known(d, one, what, keys)) bad = REFUSED;
  }
  return bad;
}

int epi_fields_known(document *d, const item *map, const char *what, const field *f)
{
  int bad = 0;
  if (map->kind != ITEM_MAP) return epi_document_wrong(d, map, "%s is %s: write keys with values", what, epi_item_what(map));
  for (int i = 0; i < map->n; i++) {
    const field *one = field_of(f, map->key[i]->text);
    const item *value = map->part[i];
    if (!one) bad = unknown(d, map->key[i], what, f);
    else if (one->kind == ITEMS && epi_field_maps(d, value, one->name)) bad = REFUSED;
    else if (one->kind == ITEMS && each_known(d, one, value)) bad = REFUSED;
    else if (one->kind == ITEMS) continue;
    else if (one->inner && value->kind == ITEM_MAP && epi_fields_known(d, value, one->name, one->inner)) bad = REFUSED;
  }
  return bad ? REFUSED : 0;
}

/* ---- values ---- */
static const char *text_of(source *s, const item *it, const char *name, const char *wanted)
{
  if (it->kind == ITEM_TEXT && it->text[0]) return it->text;
  if (it->kind == ITEM_TEXT) epi_document_wrong(s->d, it, "%s has no value: %s", name, wanted);
  else epi_document_wrong(s->d, it, "%s is %s: %s", name, epi_item_what(it), wanted);
  return NULL;
}

/* an angle or a speed that is a bare number and hardly one in radians: 1.5, where degrees may be meant, 3000, where turns a minute may be.
   A part of a turn in radians, as 1.5708, is one */
static void ask_for_unit(source *s, const item *it, const char *name, const char *unit, double x)
{
  static const struct { const char *unit, *other; double most, worth; } all[] = {
    {"rad", "deg", 1, 0.017453292519943295}, {"rad/s", "rpm", 999, 0.10471975511965977}};
  const double parts = x/0.26179938779914946;
  for (int i = 0; i < 2; i++) {
    if (strcmp(unit, all[i].unit) || !(fabs(x) > all[i].most) || !epi_value_bare(s->d, it->text)) continue;
    if (i == 0 && fabs(parts - floor(parts + 0.5)) < 5e-3) continue;
    epi_document_note(s->d, it, "%s: '%.40s' has no unit and is taken as %.4g %s, which is %.4g %s: write the one that is meant behind it",
                      name, it->text, x, unit, x/all[i].worth, all[i].other);
  }
}

int epi_field_number(source *s, const item *it, const char *name, const char *unit, double *x)
{
  char why[300], wanted[80];
  snprintf(wanted, sizeof wanted, "write a number%s%s", unit && *unit ? " in " : "", unit ? unit : "");
  const char *word = text_of(s, it, name, wanted);
  if (!word) return REFUSED;
  int bad = epi_unit_read(word, unit, x, why, sizeof why);
  if (bad) bad = epi_value_read(s->d, word, unit ? unit : "", x, why, sizeof why);
  if (!bad) return ask_for_unit(s, it, name, unit ? unit : "", *x), 0;
  if (bad == -2) return s->d->pool.out = 1, REFUSED;
  return epi_document_wrong(s->d, it, "%s: %s", name, why);
}

int epi_field_numbers(source *s, const item *it, const char *name, const char *unit, int least, int most, double *x)
{
  if (it->kind != ITEM_LIST || it->n < least || it->n > most) {
    char many[40];
    if (least == most) snprintf(many, sizeof many, "%d numbers", least);
    else snprintf(many, sizeof many, "%d to %d numbers", least, most);
    epi_document_wrong(s->d, it, "%s is %s%s: write %s in brackets, as in %s", name, epi_item_what(it),
                       it->kind == ITEM_LIST ? " of another length" : "", many,
                       least == 4 ? "[1, 0, 0, 0]" : least == 2 ? "[0, 1]" : "[0, 0, 1]");
    return -1;
  }
  for (int i = 0; i < it->n; i++) if (epi_field_number(s, it->part[i], name, unit, &x[i])) return -1;
  return it->n;
}

/* "a, b, c" */
const char *epi_field_words(const char *const *words, char *out, size_t size)
{
  size_t used = 0;
  out[0] = 0;
  for (int i = 0; words[i] && used < size; i++) used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", words[i]);
  return out;
}

int epi_field_word(source *s, const item *it, const char *name, const char *const *words)
{
  char all[300], wanted[340];
  epi_field_words(words, all, sizeof all);
  snprintf(wanted, sizeof wanted, "it is one of %s", all);
  const char *word = text_of(s, it, name, wanted);
  for (int i = 0; word && words[i]; i++) if (!strcmp(words[i], word)) return i;
  const char *now = word ? new_name(word) : NULL, *near = word ? epi_nearest(word, words) : NULL;
  for (int i = 0; now && words[i]; i++)
    if (!strcmp(words[i], now)) return epi_document_wrong(s->d, it, "the %s %s is called %s now: write %s", name, word, now, now), -1;
  if (near) epi_document_wrong(s->d, it, "%s cannot be '%.40s'; did you mean %s?", name, word, near);
  else if (word) epi_document_wrong(s->d, it, "%s cannot be '%.40s': it is one of %s", name, word, all);
  return -1;
}

static int read_flag(source *s, const item *it, const char *name, int *x)
{
  static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1", NULL};
  char low[8] = "";
  const char *word = text_of(s, it, name, "write yes or no");
  for (size_t i = 0; word && i < sizeof low - 1 && word[i]; i++) low[i] = (char)tolower((unsigned char)word[i]);
  for (int i = 0; word && words[i]; i++) if (!strcmp(words[i], low) && strlen(word) == strlen(low)) { *x = i & 1; return 0; }
  return word ? epi_document_wrong(s->d, it, "%s cannot be '%.40s': write yes or no", name, word) : REFUSED;
}

/* as a column of a table, and as the name of a coordinate in a flow */
static int read_name(source *s, const item *it, const char *name, const char **x)
{
  const char *word = text_of(s, it, name, "write a word");
  if (!word) return REFUSED;
  if (strlen(word) > 27) return epi_document_wrong(s->d, it, "the name '%.40s' is too long: take at most 27 letters", word);
  for (const char *c = word; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("-_.", *c) && !((unsigned char)*c & 0x80))
      return epi_document_wrong(s->d, it, "the name '%.40s' holds '%.*s': take letters, digits, '-', '_' and '.'", word, EPI_LETTER(c));
  *x = word;
  return 0;
}

static int read_body(source *s, const item *it, const char *name, int *x)
{
  const char *word = text_of(s, it, name, "write the name of a body, or ground");
  if (!word) return REFUSED;
  *x = EPI_GROUND;
  if (!strcmp(word, "ground")) return 0;
  *x = epi_names_find(&s->body, word);
  if (*x >= 0) return 0;
  const char **among = epi_pool_room(&s->d->pool, (size_t)s->body.n + 2, sizeof *among);
  if (!among) return REFUSED;
  if (s->body.n) memcpy(among, s->body.name, (size_t)s->body.n*sizeof *among);
  among[s->body.n] = "ground";
  const char *near = epi_nearest(word, among);
  if (near) return epi_document_wrong(s->d, it, "%s: there is no body '%.40s'; did you mean %s?", name, word, near);
  return epi_document_wrong(s->d, it, "%s: there is no body '%.40s': write a name that stands under bodies, or ground", name, word);
}

static int read_direction(source *s, const item *it, const char *name, double *x)
{
  static const char *const axes[] = {"x", "y", "z", NULL};
  if (it->kind == ITEM_TEXT) {
    int k = epi_field_word(s, it, name, axes);
    for (int i = 0; i < 3; i++) x[i] = i == k;
    return k < 0 ? REFUSED : 0;
  }
  if (epi_field_numbers(s, it, name, "", 3, 3, x) < 0) return REFUSED;
  double size = sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2]);
  for (int i = 0; i < 3; i++) x[i] /= size;
  return size > 1e-100 && isfinite(size) ? 0 :
    epi_document_wrong(s->d, it, "%s has no direction: write x, y, z, or a vector that is not zero", name);
}

static int read_quaternion(source *s, const item *it, const char *name, double *x)
{
  if (epi_field_numbers(s, it, name, "", 4, 4, x) < 0) return REFUSED;
  double size = sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2] + x[3]*x[3]);
  if (!(fabs(size - 1) < 1e-3))
    return epi_document_wrong(s->d, it,
                              "%s is a unit quaternion and this one has the length %.3g: write [cos(a/2), n sin(a/2)], or use rotate", name,
                                size);
  for (int i = 0; i < 4; i++) x[i] /= size;
  return 0;
}

static int read_count(source *s, const item *it, const char *name, int *x)
{
  double y;
  if (epi_field_number(s, it, name, "", &y)) return REFUSED;
  if (y != floor(y) || y < 0 || y > 10000) return epi_document_wrong(s->d, it, "%s = %g: write a whole number from 0 to 10000", name, y);
  *x = (int)y;
  return 0;
}

static int read_amount(source *s, const item *it, const field *f, double *x)
{
  if (epi_field_number(s, it, f->name, f->unit, x)) return REFUSED;
  if (f->kind == POSITIVE && !(*x > 0))
    return epi_document_wrong(s->d, it, "%s = %g must be positive: write a number above zero%s%s", f->name, *x, *f->unit ? " in " : "",
                              f->unit);
  if (f->kind == NOT_NEGATIVE && *x < 0)
    return epi_document_wrong(s->d, it, "%s = %g is negative: write zero or more%s%s", f->name, *x, *f->unit ? " in " : "", f->unit);
  return 0;
}

static int read_one(source *s, const item *it, const field *f, void *to)
{
  const char **words = to;
  switch (f->kind) {
  case TEXT: return (*words = text_of(s, it, f->name, "write a text")) ? 0 : REFUSED;
  case NAME: return read_name(s, it, f->name, words);
  case NUMBER: case POSITIVE: case NOT_NEGATIVE: return read_amount(s, it, f, to);
  case COUNT: return read_count(s, it, f->name, to);
  case FLAG: return read_flag(s, it, f->name, to);
  case WORD: { int k = epi_field_word(s, it, f->name, f->words); *(int *)to = k; return k < 0 ? REFUSED : 0; }
  case VECTOR: return epi_field_numbers(s, it, f->name, f->unit, 3, 3, to) < 0 ? REFUSED : 0;
  case DIRECTION: return read_direction(s, it, f->name, to);
  case QUATERNION: return read_quaternion(s, it, f->name, to);
  case BODY: return read_body(s, it, f->name, to);
  case PARAM: return 0;
  case OWN: case ITEMS: *(const item **)to = it; return 0;
  }
  return REFUSED;
}

int epi_fields_read(source *s, const item *map, const field *f, void *record)
{
  int bad = 0;
  for (int i = 0; i < map->n; i++) {
    const field *one = field_of(f, map->key[i]->text);
    if (one && read_one(s, map->part[i], one, (char *)record + one->at)) bad = REFUSED;
  }
  return bad;
}

int epi_field_missing(document *d, const item *map, const char *what, const char *key, const char *how)
{
  return epi_document_wrong(d, map, "%s has no %s: write %s", what, key, how);
}
