/* comments.c - the comments of a YAML file, which its parser drops: each is given to the key or item it stands above or after */
#include "document.h"
#include <string.h>

typedef struct scan {
  document *d;
  int next;                            /* of the items: the first that may stand below the comment */
  int pending, above;                  /* lines of comments that wait for what is below them; above: an empty line stands over the first */
  pen words;
} scan;

/* the bytes of the line break there; 0: none */
static int line_break(const char *s)
{
  if (*s == '\r') return s[1] == '\n' ? 2 : 1;
  if (*s == '\n') return 1;
  if (!strncmp(s, "\302\205", 2)) return 2;
  return !strncmp(s, "\342\200\250", 3) || !strncmp(s, "\342\200\251", 3) ? 3 : 0;
}

/* a line of the comments that wait, or one of its own */
static void add(pen *words, const char *from, size_t n)
{
  while (n && strchr(" \t\r", from[n-1])) n--;
  epi_pen_print(words, "%s%.*s", words->n ? "\n" : "", (int)n, from);
}

/* what stands on this line and is not inside brackets that begin on it: the last one has the comment at its end */
static item *holder(const scan *s, int line)
{
  item *found = NULL;
  for (int i = s->next; i < s->d->count && s->d->all[i]->line <= line; i++) {
    item *it = s->d->all[i];
    if (it->line == line && it->owner && !it->flat) found = it;
  }
  return found;
}

static void comment(scan *s, int line, int alone, const char *from, size_t n)
{
  item *at = alone ? NULL : holder(s, line);
  pen own = {.pool = &s->d->pool};
  if (at && !at->after) { add(&own, from, n); at->after = own.text; }
  else { add(&s->words, from, n); s->pending++; }
}

/* the comments that wait go to the first item that begins below them */
static void settle(scan *s, int line, int empty_above)
{
  document *d = s->d;
  while (s->next < d->count && d->all[s->next]->line < line) s->next++;
  for (int i = s->next; i < d->count && d->all[i]->line == line; i++) {
    item *it = d->all[i];
    if (!it->owner) continue;
    int first = it == d->root->key[0];
    it->gap = s->pending ? s->above : empty_above;
    if (first) {
      d->head = s->words.text;
      d->apart = empty_above;
      it->gap = 0;
    } else it->before = s->words.text;
    s->words = (pen){.pool = &d->pool};
    s->pending = 0;
    return;
  }
}

void epi_comments_find(document *d)
{
  scan s = {.d = d, .words.pool = &d->pool};
  const char *p = d->source;
  if (!strncmp(p, "\357\273\277", 3)) p += 3;
  if (!d->root->n) return;
  size_t i = 0;
  for (int line = 1, empty_above = 0; *p; line++) {
    const char *from = p, *mark = NULL;
    int inside_from = d->inside[i] == IN_BLOCK, waiting = s.pending;
    for (; *p && !line_break(p); i++) {
      int in = d->inside[i] == IN_TEXT || (d->inside[i] == IN_BLOCK && inside_from);
      if (*p == '#' && !in && !mark && (p == from || strchr(" \t", p[-1]))) mark = p;
      for (p++; ((unsigned char)*p & 0xC0) == 0x80 && !line_break(p); ) p++;
    }
    size_t blank = strspn(from, " \t");
    int alone = from + blank == mark, empty = !mark && from + blank >= p;
    settle(&s, line, empty_above);
    if (mark) comment(&s, line, alone, mark, (size_t)(p - mark));
    if (s.pending == 1 && !waiting) s.above = empty_above;
    empty_above = empty;
    int n = line_break(p);
    i += n == 2 && *p == '\r' ? 2 : n > 0;
    p += n;
  }
  d->tail = s.words.text;
}
