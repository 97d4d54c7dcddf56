/* rewrite.c - C text in which members of a struct have moved into records of it: s->theta0 becomes s->phase.theta0, and in a list
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

/* ---- pages ---- */
typedef struct { char *at; size_t n, room; } page;

static void put(page *to, const char *from, size_t n)
{
  if (to->n + n + 1 > to->room) to->at = grown(to->at, to->room = 2*(to->n + n) + 64);
  memcpy(to->at + to->n, from, n);
  to->at[to->n += n] = 0;
}
static void put_text(page *to, const char *from) { put(to, from, strlen(from)); }
static size_t column_of(const page *to)
{
  size_t n = 0;
  while (n < to->n && to->at[to->n - n - 1] != '\n') n++;
  return n;
}
static void set_in(page *to, size_t n) { put_text(to, "\n"); while (n-- > 0) put_text(to, " "); }

/* ---- members by themselves ---- */
static int by_place(const void *a, const void *b)
{
  size_t x = ((const place *)a)->at, y = ((const place *)b)->at;
  return (x > y) - (x < y);
}

static char *moved_text(const char *from, const place *a, int n)
{
  page to = {0};
  const char *p = from;
  for (int i = 0; i < n; i++) {
    const char *word = from + a[i].at;
    if (word < p) continue;
    put(&to, p, (size_t)(word - p));
    if (a[i].is->record) put_text(&to, a[i].is->record), put_text(&to, ".");
    put_text(&to, a[i].is->now);
    p = word + strlen(a[i].is->old);
  }
  put_text(&to, p);
  return to.at;
}

/* ---- members in a list: .phase.forced = f, .phase.period = 2 becomes .phase = {.forced = f, .period = 2} ---- */
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

enum { MOST = 80 };
/* record: of .record.member = x; 0 letters: another member. group: the first of the same record; -1: it has been written */
typedef struct { const char *from, *to; size_t record; int group; } item;

static size_t record_of(const char *p, const place *a, int places)
{
  size_t n = 1, k;
  int known = 0;
  while (in_word(p[n])) n++;
  for (k = n + 1; in_word(p[k]); ) k++;
  for (int i = 0; i < places && !known; i++)
    known = a[i].is->record && strlen(a[i].is->record) == n - 1 && !memcmp(a[i].is->record, p + 1, n - 1);
  return known && p[n] == '.' && k > n + 1 && !strncmp(p + k, " = ", 3) ? n - 1 : 0;
}

/* .record = x, which would be written over */
static int is_whole(const item *a, const item *member)
{
  return !a->record && !strncmp(a->from, member->from, member->record + 1) && !in_word(a->from[member->record + 1]);
}

/* the members of a list behind its brace; 0: it has comments, lines of the preprocessor, or anything but members */
static int items_of(const char *p, const place *a, int places, item *all, const char **close)
{
  int n = 0;
  for (p += strspn(p, " \t\r\n"); *p == '.' && n < MOST; p += strspn(p, " \t\r\n")) {
    const char *to = end_of(p), *blank = to;
    while (isspace((unsigned char)blank[-1])) blank--;
    all[n] = (item){p, blank, record_of(p, a, places), n};
    for (int i = n - 1; i >= 0 && all[n].record; i--)
      if (all[i].record == all[n].record && !strncmp(all[i].from, p, all[n].record + 2)) all[n].group = all[i].group;
    n++;
    p = *to == ',' ? to + 1 : to;
    if (*to != ',') break;
  }
  *close = p;
  if (*p != '}' || n == MOST) return 0;
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) if (all[k].record && is_whole(&all[i], &all[k])) return 0;
  for (const char *q = all[0].from; n && q < p; q++) if (*q == '#' || (q[0] == '/' && (q[1] == '*' || q[1] == '/'))) return 0;
  return n;
}

/* without the ends of lines in it */
static void put_item(page *to, const char *from, const char *end)
{
  while (from < end) {
    size_t n = strcspn(from, "\n");
    if (from + n >= end) n = (size_t)(end - from);
    put(to, from, n);
    from += n;
    if (from < end) { put_text(to, " "); from += strspn(from, " \n"); }
  }
}

static void put_next(page *to, const char *text, size_t n, int first, size_t indent)
{
  if (!first && column_of(to) + n + 4 > COLUMNS) set_in(to, indent);
  else if (!first) put_text(to, " ");
  put(to, text, n);
}

/* a record with all of its members: on one line, or on lines of its own */
static void put_group(page *to, const item *all, int n, int i, int first, size_t indent)
{
  page words = {0};
  int kept = 0;
  put(&words, all[i].from, all[i].record + 1), put_text(&words, " = {");
  size_t within = indent + words.n;
  for (int k = i; k < n; k++) {
    if (all[k].group != i) continue;
    if (kept++) put_text(&words, ", ");
    put_item(&words, all[k].from + all[k].record + 1, all[k].to);
  }
  put_text(&words, "}");
  if (indent + words.n + 3 <= COLUMNS) put_next(to, words.at, words.n, first, indent);
  else {
    if (!first) set_in(to, indent);
    put(to, words.at, within - indent);
    for (int k = i, began = 1; k < n; k++) {
      page one = {0};
      if (all[k].group != i) continue;
      put_item(&one, all[k].from + all[k].record + 1, all[k].to);
      put_text(&one, --kept ? "," : "}");
      put_next(to, one.at, one.n, began, within);
      began = 0;
      free(one.at);
    }
  }
  free(words.at);
}

/* behind the brace of a list: the same members, those of one record together; where the list goes on, or NULL: it stays as it is */
static const char *put_list(page *to, const char *list, const place *a, int places)
{
  item all[MOST];
  const char *close;
  int n = items_of(list, a, places, all, &close), grouped = 0;
  for (int i = 0; i < n; i++) grouped |= all[i].group != i;
  if (!grouped) return NULL;
  size_t blank = (size_t)(all[0].from - list), indent = column_of(to);
  put(to, list, blank);
  if (memchr(list, '\n', blank)) indent = column_of(to);
  for (int i = 0; i < n; i++) {
    int alone = 1, last = 1;
    if (all[i].group != i) continue;
    for (int k = i + 1; k < n; k++) { alone &= all[k].group != i; last &= all[k].group < k; }
    if (!alone) put_group(to, all, n, i, !i, indent);
    else {
      page one = {0};
      put_item(&one, all[i].from, all[i].to);
      put_next(to, one.at, one.n, !i, indent);
      free(one.at);
    }
    if (!last) put_text(to, ",");
  }
  if (close[-1] == '\n' || close[-1] == ' ') {
    const char *p = close;
    while (isspace((unsigned char)p[-1])) p--;
    if (p[-1] == ',') put_text(to, ",");
    put(to, p, (size_t)(close - p));
  }
  return close;
}

static char *grouped_text(const char *from, const place *a, int n)
{
  page to = {0};
  put_text(&to, "");
  for (const char *p = from; *p; ) {
    const char *next = over(p);
    if (!next) next = p + 1;
    put(&to, p, (size_t)(next - p));
    const char *behind = *p == '{' ? put_list(&to, next, a, n) : NULL;
    p = behind ? behind : next;
  }
  return to.at;
}

/* ---- long lines ---- */
/* the best place to break a line of n bytes, and how far the rest is set in; 0: there is none */
typedef struct { size_t at, indent; int depth; } cut;

/* behind a comma or a semicolon, behind && and ||, before ? and :, and before what an if does */
static size_t cut_at(const char *line, size_t i, int depth)
{
  const char *p = line + i;
  size_t first = strspn(line, " ");
  if (*p != ' ' || i <= first) return 0;
  if (p[-1] == ',' || p[-1] == ';' || !strncmp(p, " ? ", 3) || !strncmp(p, " : ", 3)) return i;
  if (!strncmp(p, " && ", 4) || !strncmp(p, " || ", 4)) return i + 3;
  return !depth && p[-1] == ')' && (!strncmp(line + first, "if (", 4) || !strncmp(line + first, "for (", 5)) ? i : 0;
}

static cut cut_of(const char *line)
{
  enum { DEEP = 100, EARLY = COLUMNS/2 };
  size_t open[DEEP], first = strspn(line, " "), at;
  int depth = 0;
  cut best = {0, 0, DEEP};
  if (line[first] == '#' || line[first] == '*') return best;
  for (size_t i = 0; i < COLUMNS && line[i]; ) {
    const char *next = over(line + i);
    if (next) { i = (size_t)(next - line); continue; }
    if (strchr("([{", line[i]) && depth < DEEP) open[depth++] = i;
    if (strchr(")]}", line[i]) && depth) depth--;
    at = cut_at(line, i, depth);
    if (at && at <= COLUMNS && (depth <= best.depth || best.at < EARLY))
      best = (cut){at, depth ? open[depth - 1] + 1 : first + 2, depth};
    i++;
  }
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
    size_t n = strcspn(p, "\n");
    cut c = n > COLUMNS && !stood(old, p, n) ? cut_of(p) : (cut){0};
    if (c.at) {
      put(&to, p, c.at);
      char *rest = text("%*s%.*s\n", (int)c.indent, "", (int)(n - c.at - 1), p + c.at + 1), *whole = broken_text(rest, "");
      put_text(&to, "\n");
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
  if (n) qsort(a, (size_t)n, sizeof *a, by_place);
  char *one = moved_text(text, a, n), *grouped = grouped_text(one, a, n), *lines = broken_text(grouped, text);
  free(one);
  free(grouped);
  return lines;
}
