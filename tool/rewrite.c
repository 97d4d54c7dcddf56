/* rewrite.c - C text in which members of a struct have moved into records of it: s->theta0 becomes s->phase.theta0, and in a list of members
 * .theta0 = 1, .period = 2 becomes .phase = {.theta0 = 1, .period = 2} */
#include "tool.h"
#include "rewrite.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 140, TAB = 8 };

static int in_word(int c) { return isalnum((unsigned char)c) || c == '_'; }

/* over a comment, a text or a character; NULL: there is none here */
static const char *over(const char *p)
{
  if (p[0] == '/' && p[1] == '*') { const char *end = strstr(p + 2, "*/"); return end ? end + 2 : p + strlen(p); }
  if (p[0] == '/' && p[1] == '/') return p + strcspn(p, "\n");
  if (*p != '"' && *p != '\'') return NULL;
  const char *q = p + 1;
  while (*q && *q != *p && *q != '\n') q += *q == '\\' && q[1] ? 2 : 1;
  return *q ? q + 1 : q;
}

/* ---- finding ---- */
/* compilers point at the word, or at the sign before it */
static const char *word_behind(const char *p, const char *word)
{
  size_t n = strlen(word);
  p += strspn(p, " \t.->\r\n");
  return !strncmp(p, word, n) && !in_word(p[n]) ? p : NULL;
}

static int preceded(const char *text, const char *p)
{
  while (p > text && isspace((unsigned char)p[-1])) p--;
  return p > text && (p[-1] == '.' || p[-1] == '>' || p[-1] == ',');
}

/* columns count bytes, or what is seen, with tabs to the next eighth; the last is of macros and the like: the first in the line */
long rewrite_find(const char *text, const char *word, long line, long column)
{
  const char *p = text, *found;
  while (--line > 0 && p) { p = strchr(p, '\n'); p = p ? p + 1 : NULL; }
  if (!p) return -1;
  size_t n = strcspn(p, "\n");
  if (column >= 1 && (size_t)column <= n && (found = word_behind(p + column - 1, word)) && preceded(text, found)) return found - text;
  long seen = 1;
  for (size_t i = 0; i < n; i++) {
    if (seen == column && (found = word_behind(p + i, word)) && preceded(text, found)) return found - text;
    if (p[i] == '\t') seen += TAB - (seen - 1) % TAB;
    else seen += (p[i] & 0xC0) != 0x80;
  }
  for (size_t i = 0; i < n; i++)
    if ((!i || !in_word(p[i-1])) && word_behind(p + i, word) == p + i && preceded(text, p + i)) return p + i - text;
  return -1;
}

/* ---- members in a list ---- */
/* the bracket that p stands in; NULL: none */
static const char *bracket_of(const char *text, const char *p)
{
  enum { DEEP = 200 };
  const char *open[DEEP];
  int depth = 0;
  for (const char *q = text; q < p; ) {
    const char *next = over(q);
    if (next) { q = next; continue; }
    if (strchr("([{", *q) && depth < DEEP) open[depth++] = q;
    if (strchr(")]}", *q) && depth) depth--;
    q++;
  }
  return depth ? open[depth - 1] : NULL;
}

/* the comma or the bracket behind what is given to a member */
static const char *end_of(const char *p)
{
  for (int depth = 0; *p; ) {
    const char *next = over(p);
    if (next) { p = next; continue; }
    if (strchr("([{", *p)) depth++;
    if (strchr(")]}", *p) && depth-- == 0) return p;
    if (*p == ',' && !depth) return p;
    p++;
  }
  return p;
}

/* .word = of a list: the list it stands in; NULL: it is no such thing */
static const char *list_of(const char *text, const place *a)
{
  const char *dot = text + a->at - 1, *p = dot;
  if (a->at < 1 || *dot != '.') return NULL;
  while (p > text && isspace((unsigned char)p[-1])) p--;
  /* behind a comment too */
  if (p > text + 1 && p[-1] == '/' && p[-2] == '*') p = text;
  else if (p == text || (p[-1] != ',' && p[-1] != '{')) return NULL;
  const char *open = bracket_of(text, dot);
  return open && *open == '{' ? open : NULL;
}

/* how many from i on stand side by side, and are all that the list has of this record; 0: write each by itself */
static int side_by_side(const char *text, const place *a, int n, int i)
{
  const char *list = list_of(text, &a[i]);
  int run = 1, all = 0;
  for (int k = 0; k < n && list; k++) all += !strcmp(a[k].is->record, a[i].is->record) && list_of(text, &a[k]) == list;
  for (int k = i; list && k + 1 < n && !strcmp(a[k + 1].is->record, a[i].is->record); k++, run++) {
    const char *p = end_of(text + a[k].at);
    if (*p != ',' || p + 1 + strspn(p + 1, " \t\r\n") != text + a[k + 1].at - 1) break;
  }
  return list && run == all && run > 1 ? run : 0;
}

/* ---- writing ---- */
typedef struct { char *at; size_t n, room; } page;

static void put(page *to, const char *from, size_t n)
{
  if (to->n + n + 1 > to->room) to->at = grown(to->at, to->room = 2*(to->n + n) + 64);
  memcpy(to->at + to->n, from, n);
  to->at[to->n += n] = 0;
}
static void put_text(page *to, const char *from) { put(to, from, strlen(from)); }

static int by_place(const void *a, const void *b)
{
  size_t x = ((const place *)a)->at, y = ((const place *)b)->at;
  return (x > y) - (x < y);
}

/* where the last of a run ends, without the blanks before its comma */
static const char *close_of(const char *text, const place *last)
{
  const char *p = end_of(text + last->at);
  while (isspace((unsigned char)p[-1])) p--;
  return p;
}

static char *moved_text(const char *from, place *a, int n)
{
  page to = {0};
  const char *p = from, *closes = NULL, *list = NULL;
  for (int i = 0; i < n; i++) {
    if (i && a[i].at == a[i-1].at) continue;
    const char *word = from + a[i].at;
    if (closes && word > closes) { put(&to, p, (size_t)(closes - p)); put_text(&to, "}"); p = closes; closes = NULL; }
    int within = closes && list_of(from, &a[i]) == list, run = closes ? 0 : side_by_side(from, a, n, i);
    put(&to, p, (size_t)(word - p - (run > 0)));
    if (run) {
      put_text(&to, "."), put_text(&to, a[i].is->record), put_text(&to, " = {.");
      closes = close_of(from, &a[i + run - 1]);
      list = list_of(from, &a[i]);
    } else if (!within)
      put_text(&to, a[i].is->record), put_text(&to, ".");
    put_text(&to, a[i].is->now);
    p = word + strlen(a[i].is->old);
  }
  if (closes) { put(&to, p, (size_t)(closes - p)); put_text(&to, "}"); p = closes; }
  put_text(&to, p);
  return to.at;
}

/* ---- long lines ---- */
/* the best place to break a line of n bytes, and how far the rest is set in; 0: there is none */
static size_t break_of(const char *line, size_t n, size_t *indent)
{
  enum { DEEP = 100 };
  size_t open[DEEP], best = 0, best_indent = 0, first = strspn(line, " ");
  int depth = 0, best_depth = DEEP;
  if (line[first] == '#' || line[first] == '*') return 0;
  for (size_t i = 0; i < n && i < COLUMNS; ) {
    const char *next = over(line + i);
    if (next) { i = (size_t)(next - line); continue; }
    if (strchr("([{", line[i]) && depth < DEEP) open[depth++] = i;
    if (strchr(")]}", line[i]) && depth) depth--;
    int here = line[i] == ' ' && i > first && (line[i-1] == ',' || line[i-1] == ';' || !strncmp(line + i, " && ", 4) ||
                                               !strncmp(line + i, " || ", 4) || !strncmp(line + i, " ? ", 3) || !strncmp(line + i, " : ", 3));
    if (here && (depth <= best_depth || i > COLUMNS - 40)) {
      best = i + (line[i-1] != ',' && line[i-1] != ';' && strncmp(line + i, " ? ", 3) ? strcspn(line + i + 1, " ") + 1 : 0);
      if (best >= COLUMNS) best = i;
      best_depth = depth;
      best_indent = depth ? open[depth - 1] + 1 : first + 2;
    }
    i++;
  }
  *indent = best_indent;
  return best;
}

static int stood(const char *old, const char *line, size_t n)
{
  for (const char *p = old; (p = strchr(p, *line)); p++)
    if (!strncmp(p, line, n) && (p == old || p[-1] == '\n') && (p[n] == '\n' || !p[n])) return 1;
  return 0;
}

static char *broken_text(const char *from, const char *old)
{
  page to = {0};
  put_text(&to, "");
  for (const char *p = from; *p; ) {
    size_t n = strcspn(p, "\n"), indent, at;
    if (n > COLUMNS && !stood(old, p, n) && (at = break_of(p, n, &indent)) > 0) {
      put(&to, p, at);
      put_text(&to, "\n");
      char *rest = text("%*s%.*s\n", (int)indent, "", (int)(n - at - 1), p + at + 1), *whole = broken_text(rest, "");
      put(&to, whole, strlen(whole) - 1);
      free(rest);
      free(whole);
    } else put(&to, p, n);
    p += n;
    if (*p) put(&to, p++, 1);
  }
  return to.at;
}

char *rewrite(const char *text, place *a, int n)
{
  qsort(a, (size_t)n, sizeof *a, by_place);
  char *changed = moved_text(text, a, n), *lines = broken_text(changed, text);
  free(changed);
  return lines;
}
