/* npz.c - a zip file of arrays for numpy.load: one of each column, and _columns, _units, _parameters, _about of them all */
#include "pack.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* an array while it is put together: the head, then its bytes */
typedef struct array { char *bytes; size_t n, room; } array;

static void put(array *a, const void *x, size_t n)
{
  if (a->n + n > a->room) a->bytes = grown(a->bytes, a->room = 2*a->room + n);
  memcpy(a->bytes + a->n, x, n);
  a->n += n;
}

static int little(void) { const int one = 1; return *(const char *)&one; }

/* NPY 1.0: a dictionary padded so that what follows begins at a multiple of 64 */
static array head_of(const char *type, const char *shape)
{
  char *words = text("{'descr': %s, 'fortran_order': False, 'shape': %s, }", type, shape);
  size_t n = strlen(words), all = (10 + n + 1 + 63)/64*64 - 10;
  array a = {0};
  const unsigned char begin[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, all & 255, (unsigned char)(all >> 8)};
  put(&a, begin, sizeof begin);
  put(&a, words, n);
  for (; n + 1 < all; n++) put(&a, " ", 1);
  put(&a, "\n", 1);
  free(words);
  return a;
}

/* ---- words: numpy has them as 32 bits a letter, all of one length ---- */
static uint32_t letter(const char **s)
{
  const unsigned char *c = (const unsigned char *)*s;
  int more = *c < 0xC0 ? 0 : *c < 0xE0 ? 1 : *c < 0xF0 ? 2 : 3;
  uint32_t x = *c & (more ? 0x3F >> more : 0x7F);
  if (*c >= 0x80 && !more) x = 0xFFFD;
  for (++*s; more && (**s & 0xC0) == 0x80; more--) x = x << 6 | (*(*s)++ & 0x3F);
  return more || x > 0x10FFFF || (x >= 0xD800 && x < 0xE000) ? 0xFFFD : x;
}

static size_t letters(const char *s)
{
  size_t n = 0;
  while (s && *s) { letter(&s); n++; }
  return n;
}

static void put_word(array *a, const char *s, size_t width)
{
  for (size_t i = 0; i < width; i++) {
    uint32_t x = s && *s ? letter(&s) : 0;
    put(a, &x, sizeof x);
  }
}

static char *word_type(size_t width) { return text("'%cU%zu'", little() ? '<' : '>', width ? width : 1); }

static array words_of(char *const *word, long long n, const char *shape)
{
  size_t width = 1;
  for (long long i = 0; i < n; i++) if (letters(word[i]) > width) width = letters(word[i]);
  char *type = word_type(width);
  array a = head_of(type, shape);
  for (long long i = 0; i < n; i++) put_word(&a, word[i], width);
  free(type);
  return a;
}

/* ---- the members ---- */
static int add(zip *z, const char *name, array a)
{
  char *file = text("%s.npy", name);
  int bad = zip_add(z, file, a.bytes, a.n);
  free(file);
  free(a.bytes);
  return bad;
}

static array array_of(const pack_list *l)
{
  char *shape = text("(%lld,)", l->n), *type = text("'%c%s'", little() ? '<' : '>', l->whole ? "i8" : "f8");
  array a = l->word ? words_of(l->word, l->n, shape) : head_of(type, shape);
  if (l->whole) put(&a, l->whole, (size_t)l->n*sizeof *l->whole);
  for (long long i = 0; l->number && i < l->n; i++) put(&a, &l->number[i*(l->stride ? l->stride : 1)], sizeof(double));
  free(shape);
  free(type);
  return a;
}

static array names_of(const pack_list *l, int n, int units)
{
  char **word = need(((size_t)n + 1)*sizeof *word), *shape = text("(%d,)", n);
  for (int i = 0; i < n; i++) {
    const char *s = units ? l[i].unit : l[i].name;
    word[i] = text("%s", s ? s : "");
  }
  array a = words_of(word, n, shape);
  for (int i = 0; i < n; i++) free(word[i]);
  free(word);
  free(shape);
  return a;
}

/* records: name, value, unit, and the word where the value is one */
static array parameters_of(const pack *p)
{
  size_t width[3] = {1, 1, 1};
  for (int i = 0; i < p->parameters; i++) {
    const pack_list *l = &p->parameter[i];
    const char *s[3] = {l->name, l->unit, l->word ? l->word[0] : ""};
    for (int k = 0; k < 3; k++) if (letters(s[k]) > width[k]) width[k] = letters(s[k]);
  }
  char end = little() ? '<' : '>', *shape = text("(%d,)", p->parameters);
  char *type = text("[('name', '%cU%zu'), ('value', '%cf8'), ('unit', '%cU%zu'), ('word', '%cU%zu')]", end, width[0], end, end, width[1],
                    end, width[2]);
  array a = head_of(type, shape);
  for (int i = 0; i < p->parameters; i++) {
    const pack_list *l = &p->parameter[i];
    const double none = 0.0/0.0;
    put_word(&a, l->name, width[0]);
    put(&a, l->number ? l->number : &none, sizeof none);
    put_word(&a, l->unit, width[1]);
    put_word(&a, l->word ? l->word[0] : "", width[2]);
  }
  free(shape);
  free(type);
  return a;
}

int npz_write(const pack *p, FILE *f, const char *path, char *why, size_t size)
{
  (void)path;
  zip *z = zip_begin(f);
  char *about = text("%s", p->about ? p->about : "");
  int bad = 0;
  for (int i = 0; i < p->lists && !bad; i++) bad = add(z, p->list[i].name, array_of(&p->list[i]));
  if (!bad) bad = add(z, "_columns", names_of(p->list, p->lists, 0));
  if (!bad) bad = add(z, "_units", names_of(p->list, p->lists, 1));
  if (!bad) bad = add(z, "_parameters", parameters_of(p));
  if (!bad) bad = add(z, "_about", words_of(&about, 1, "()"));
  int ended = zip_end(z);
  if (!bad) bad = ended;
  free(about);
  if (bad == EFBIG) snprintf(why, size, "an .npz holds at most 4 GiB: use .h5 or .npy");
  else if (bad) snprintf(why, size, "%s", strerror(bad));
  return bad ? -1 : 0;
}
