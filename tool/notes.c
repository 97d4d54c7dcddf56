/* notes.c - key=value lines; a value may hold anything, its line breaks are escaped */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

char *notes_add(char *notes, const char *key, const char *value)
{
  if (!value) return notes ? notes : text("%s", "");
  char *line = need(2*strlen(value) + 1), *p = line;
  for (; *value; value++) {
    if (*value == '\n' || *value == '\\') *p++ = '\\';
    *p++ = *value == '\n' ? 'n' : *value;
  }
  char *longer = text("%s%s=%s\n", notes ? notes : "", key, line);
  free(line);
  free(notes);
  return longer;
}

char *notes_add_number(char *notes, const char *key, double value)
{
  return notes_add(notes, key, shortest(value).text);
}

char *notes_find(const char *notes, const char *key)
{
  size_t n = strlen(key);
  while (notes && *notes && (strncmp(notes, key, n) || notes[n] != '=')) {
    notes = strchr(notes, '\n');
    if (notes) notes++;
  }
  if (!notes || !*notes) return NULL;
  notes += n + 1;
  char *value = need(strcspn(notes, "\n") + 1), *p = value;
  for (; *notes && *notes != '\n'; notes++) {
    if (*notes != '\\' || !notes[1]) *p++ = *notes;
    else *p++ = *++notes == 'n' ? '\n' : *notes;
  }
  return value;
}

double notes_number(const char *notes, const char *key, double otherwise)
{
  char *value = notes_find(notes, key);
  double x = value && *value ? strtod(value, NULL) : otherwise;
  free(value);
  return x;
}
