/* list.c - the verb list: what the registry holds */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

/* models have no arrow: they come first */
enum { MODELS = -1 };
static const struct section { const char *name; int arrow; } sections[] = {
  {"models", MODELS}, {"methods", EPI_METHOD}, {"averages", EPI_AVERAGE}, {"wrappers", EPI_WRAPPER}, {"systems", EPI_COMBINE},
};
enum { NSECTION = sizeof sections/sizeof *sections };

typedef struct entry { const char *name, *doc, *cite; } entry;

/* the k-th entry of a section; a NULL name after the last */
static entry entry_of(const struct section *s, int k)
{
  if (s->arrow == MODELS) {
    const epi_model *const *m = epi_models();
    return m[k] ? (entry){m[k]->name, m[k]->doc, m[k]->cite} : (entry){0};
  }
  for (const epi_record *const *r = epi_records(); *r; r++)
    if ((*r)->arrow == s->arrow && !k--) return (entry){(*r)->name, (*r)->doc, (*r)->cite};
  return (entry){0};
}

static void print_section(const struct section *s)
{
  entry e = entry_of(s, 0);
  if (!e.name) return;
  printf("%s%s%s\n", ink(stdout, BOLD), s->name, ink(stdout, PLAIN));
  for (int k = 0; (e = entry_of(s, k)).name; k++) {
    printf("  %-18s %s\n", e.name, e.doc ? e.doc : "");
    if (e.cite && *e.cite) printf("  %-18s   %s\n", "", e.cite);
  }
}

static void json_section(const struct section *s)
{
  entry e;
  printf("  \"%s\": [", s->name);
  for (int k = 0; (e = entry_of(s, k)).name; k++) {
    printf("%s\n    {\"name\": ", k ? "," : "");
    json_text(stdout, e.name);
    fputs(", \"doc\": ", stdout);
    json_text(stdout, e.doc);
    fputs(", \"cite\": ", stdout);
    json_text(stdout, e.cite);
    putchar('}');
  }
  fputs("\n  ]", stdout);
}

static int no_section(const char *word)
{
  const char *names[NSECTION + 1] = {0};
  for (int i = 0; i < NSECTION; i++) names[i] = sections[i].name;
  const char *near = nearest(word, names);
  if (near) return say(REFUSED, "there is no list of '%s'; did you mean %s?", word, near);
  return say(REFUSED, "there is no list of '%s': say models, methods, averages, wrappers or systems, or nothing for all", word);
}

static int known(const char *word)
{
  int i = 0;
  while (i < NSECTION && strcmp(word, sections[i].name)) i++;
  return i < NSECTION;
}

int act_list(const request *r)
{
  int json = given(r, "--json") != NULL, shown = 0;
  if (r->nword > 1) return say(REFUSED, "list takes one word at most: models, methods, averages, wrappers or systems");
  if (r->nword && !known(r->word[0])) return no_section(r->word[0]);
  if (json) puts("{");
  for (int i = 0; i < NSECTION; i++) {
    if (r->nword && strcmp(r->word[0], sections[i].name)) continue;
    if (json && shown) puts(",");
    if (!json && shown && entry_of(&sections[i], 0).name) putchar('\n');
    (json ? json_section : print_section)(&sections[i]);
    shown++;
  }
  if (json) puts("\n}");
  return DONE;
}
