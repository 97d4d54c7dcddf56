/* modes-file.c - modes of a body from a file: words and numbers, # to the end of a line is a comment.
 *   modes 2   mass 0.1 0.1   stiffness 1e7 1e7   damping 20 20   points 12, and for each of them x y z and x y z of every mode there */
#define _XOPEN_SOURCE 700
#include "flex.h"
#include "core/decimal.h"
#include "letters.h"
#include <stdio.h>
#include <sys/stat.h>

enum { MOST_BYTES = 64000000, MOST_POINTS = 100000 };

/* the text that is left, where it is, and what it is read into */
typedef struct { epi_modes *to; const char *path, *at; int line; double *row[3]; } source;

static int wrong(source *s, const char *words, ...)
{
  epi_modes *m = s->to;
  va_list ap;
  if (m->error[0]) return -1;
  if (!m->cause) m->cause = EPI_BAD_FILE;
  const char *slash = strrchr(s->path, '/');
  int n = snprintf(m->error, sizeof m->error, s->line ? "%.80s, line %d: " : "%.80s: ", slash ? slash + 1 : s->path, s->line);
  va_start(ap, words);
  epi_sentence_print(m->error + n, sizeof m->error - (size_t)n, words, ap);
  va_end(ap);
  return -1;
}

/* the next word or number begins here; 0 at the end */
static char skip(source *s)
{
  for (;; s->at++) {
    if (*s->at == '#') s->at += strcspn(s->at, "\n");
    if (*s->at == '\n') s->line++;
    if (!*s->at || !strchr(" \t\r\n,;", *s->at)) return *s->at;
  }
}

static int word(source *s, char *out, size_t size)
{
  size_t n = strcspn(s->at, " \t\r\n,;#");
  snprintf(out, size, "%.*s", (int)n, s->at);
  s->at += n;
  return n < size;
}

static int number(source *s, double *x, const char *what)
{
  const char *end;
  char c = skip(s), there[24];
  if (!c) return wrong(s, "the file ends in the middle of %s: it is cut off, or numbers are missing", what);
  *x = epi_decimal(s->at, &end);
  if (end == s->at || (*end && !strchr(" \t\r\n,;#", *end)))
    return word(s, there, sizeof there), wrong(s, "'%s' is no number, and %s is not complete: give all its numbers", there, what);
  if (!isfinite(*x)) return wrong(s, "a number of %s is not finite: give one that is", what);
  s->at = end;
  return 0;
}

static int count(source *s, const char *what, int most, int *n)
{
  double x;
  if (*n) return wrong(s, "%s is given twice: take one of them away", what);
  if (number(s, &x, what)) return -1;
  if (!(x >= 1 && x <= most) || x != floor(x)) return wrong(s, "%s %g: give a whole number from 1 to %d", what, x, most);
  *n = (int)x;
  return 0;
}

static int no_memory(source *s)
{
  s->line = 0;
  if (!s->to->error[0]) s->to->cause = EPI_MEMORY;
  return wrong(s, "out of memory");
}

static int row(source *s, int which, const char *what)
{
  int n = s->to->modes;
  if (!n) return wrong(s, "%s comes before the number of modes: begin with modes and a number", what);
  if (s->row[which]) return wrong(s, "%s is given twice: take one of them away", what);
  if (!(s->row[which] = calloc((size_t)n, sizeof(double)))) return no_memory(s);
  for (int i = 0; i < n; i++) {
    double *x = &s->row[which][i];
    if (number(s, x, what)) return -1;
    if (which == 2 ? *x < 0 : !(*x > 0))
      return wrong(s, "the %s of mode %d is %g: give %s", what, i + 1, *x,
                   which == 2 ? "zero or more" : "a positive one, and leave rigid modes out");
  }
  return 0;
}

static int points(source *s)
{
  epi_mode_shapes *p = &s->to->shapes;
  size_t n = (size_t)s->to->modes;
  if (!n) return wrong(s, "points comes before the number of modes: begin with modes and a number");
  if (count(s, "points", MOST_POINTS, &p->points)) return -1;
  double *at = calloc(3*(size_t)p->points*(n + 1), sizeof *at), *shape = at ? at + 3*p->points : NULL;
  if (!at) return no_memory(s);
  p->at = at;
  p->shape = shape;
  for (int i = 0; i < p->points; i++) {
    char what[64];
    snprintf(what, sizeof what, "point %d of %d", i + 1, p->points);
    for (int k = 0; k < 3; k++) if (number(s, at++, what)) return -1;
    for (size_t k = 0; k < 3*n; k++) if (number(s, shape++, what)) return -1;
  }
  return 0;
}

static int parse(source *s)
{
  static const char *const keys[] = {"mass", "stiffness", "damping", "modes", "points"};
  char there[24];
  for (s->line = 1; skip(s); ) {
    int key = 0;
    word(s, there, sizeof there);
    while (key < 5 && strcmp(keys[key], there)) key++;
    if (key == 5) return wrong(s, "'%s' is not expected here: after the numbers come modes, mass, stiffness, damping or points", there);
    if (key < 3 ? row(s, key, keys[key]) : key == 3 ? count(s, "modes", EPI_MOST_MODES, &s->to->modes) : points(s)) return -1;
  }
  s->line = 0;
  if (!s->to->modes) return wrong(s, "the file has no modes: begin with modes and a number");
  for (int k = 0; k < 2; k++)
    if (!s->row[k]) return wrong(s, "the %s of the modes is missing: give %s and %d numbers", keys[k], keys[k], s->to->modes);
  if (!s->to->shapes.points)
    return wrong(s, "the points are missing: give points, their number, and for each x y z and x y z of every mode");
  if (!s->row[2] && !(s->row[2] = calloc((size_t)s->to->modes, sizeof(double)))) return no_memory(s);
  return 0;
}

static char *whole(source *s)
{
  struct stat t;
  if (stat(s->path, &t)) return wrong(s, "there is no such file: see its name and folder"), NULL;
  if (!S_ISREG(t.st_mode)) return wrong(s, "this is no plain file: give the path of a file of modes"), NULL;
  if (t.st_size > MOST_BYTES) return wrong(s, "%.0f MB are too much for a file of modes", (double)t.st_size/1e6), NULL;
  size_t n = (size_t)t.st_size;
  char *text = malloc(n + 1);
  FILE *in = text ? fopen(s->path, "rb") : NULL;
  if (!text) return no_memory(s), NULL;
  size_t got = in ? fread(text, 1, n, in) : 0;
  if (in) fclose(in);
  text[got] = 0;
  if (in && got == n && !memchr(text, 0, n)) return text;
  wrong(s, !in || got != n ? "the file cannot be read: see who may" : "this is not a file of modes, or it is damaged: it is no text");
  free(text);
  return NULL;
}

epi_modes *epi_modes_read(const char *path)
{
  epi_modes *m = calloc(1, sizeof *m);
  source s = {.to = m, .path = path};
  if (!m) return NULL;
  char *text = whole(&s);
  if (text) { s.at = text; parse(&s); }
  m->mass = s.row[0];
  m->stiffness = s.row[1];
  m->damping = s.row[2];
  free(text);
  return m;
}

void epi_modes_free(epi_modes *m)
{
  if (!m) return;
  void *const blocks[] = {(void *)m->mass, (void *)m->stiffness, (void *)m->damping, (void *)m->shapes.at};
  for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) free(blocks[i]);
  free(m);
}
