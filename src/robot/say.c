/* say.c - what is wrong with a robot, how it was taken, and what is left out of it */
#include "core.h"
#include "robot.h"
#include "letters.h"
#include <stdarg.h>
#include <stdio.h>

enum { NAMED = 3 };                    /* so many are called by their names */

int epi_robot_wrong(epi_import *r, const xml *x, const char *words, ...)
{
  va_list ap;
  if (r->why[0]) return -1;
  int n = x ? snprintf(r->why, sizeof r->why, "%.120s:%d: ", r->path, x->line) : snprintf(r->why, sizeof r->why, "%.120s: ", r->path);
  va_start(ap, words);
  epi_clean_words(r->why + n, sizeof r->why - (size_t)n, words, ap);
  va_end(ap);
  for (char *c = r->why; *c; c++) if (*c > 0 && *c < 32) *c = ' ';
  return -1;
}

void epi_robot_note(epi_import *r, const char *words, ...)
{
  char said[400];
  va_list ap;
  va_start(ap, words);
  epi_clean_words(said, sizeof said, words, ap);
  va_end(ap);
  for (char *c = said; *c; c++) if (*c < 32 || *c > 126) *c = '?';
  const char **more = epi_pool_more(&r->pool, r->note, r->notes, &r->room, sizeof *r->note);
  if (!more) return;
  r->note = more;
  r->note[r->notes++] = epi_pool_text(&r->pool, "%s", said);
}

void epi_robot_left(epi_import *r, const char *what, const char *of, const char *why)
{
  int i = 0;
  while (i < r->lefts && strcmp(r->left[i].what, what)) i++;
  struct left *l = &r->left[i];
  if (i == (int)(sizeof r->left/sizeof *r->left)) {
    epi_robot_note(r, "%s of '%.40s' is not carried over: %s", what, of ? of : "robot", why);
    return;
  }
  if (i == r->lefts) *l = (struct left){.what = what, .why = why, .names = ""}, r->lefts++;
  const char *before = l->names;
  if (l->n < NAMED) l->names = epi_pool_text(&r->pool, "%s%s'%.40s'", before, l->n ? ", " : "", of ? of : "the robot");
  else {
    size_t n = strlen(before);
    for (const char *and = strstr(before, " and "); and; and = strstr(and + 1, " and ")) n = (size_t)(and - before);
    l->names = epi_pool_text(&r->pool, "%.*s and %d more", (int)n, before, l->n - NAMED + 1);
  }
  l->n++;
}
