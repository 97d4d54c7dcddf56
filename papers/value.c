/* value.c - numbers as the printed tables write them, and what is said of those that are none */
#include "papers.h"
#include <stdlib.h>
#include <string.h>

int data_wrong(const place *at, const char *words, const char *what)
{
  return say(REFUSED, "%s, line %d: %s '%s': papers/README.md says what may stand there", at->file, at->line, words, what);
}

int named_value(const value_by_name *list, const char *name, double *x, const char **by)
{
  while (list->name && strcmp(list->name, name)) list++;
  if (list->name && x) *x = list->value();
  if (list->name && by) *by = list->by;
  return list->name != NULL;
}

/* 0.25 or pi */
static int value(const char *word, double *x)
{
  *x = 3.14159265358979323846;
  return !strcmp(word, "pi") || read_number(word, x);
}

/* a value, 1/4, pi/25 or 7*pi/25 */
int data_number(const char *word, double *x)
{
  char *copy = text("%s", word), *slash = strchr(copy, '/'), *star = strchr(copy, '*');
  double times = 1, below = 1;
  if (slash) *slash = 0;
  if (star) *star = 0;
  int good = value(copy, x) && (!star || value(star + 1, &times)) && (!slash || (value(slash + 1, &below) && below != 0));
  *x = *x*times/below;
  free(copy);
  return good;
}
