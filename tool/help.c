/* help.c - the verb help: the first page, the page of a verb, both as JSON too */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80 };

static void head(const char *word) { printf("%s%s%s", ink(stdout, BOLD), word, ink(stdout, PLAIN)); }

/* words from column `at` on, the next lines indented; a line break of the text stays one */
static void wrapped(const char *words, int at, int indent)
{
  for (int first = 1; *words; first = 0) {
    int n = (int)strcspn(words, " \n");
    int space = !first && at > indent;
    if (at + space + n > WIDTH && at > indent) printf("\n%*s", indent, ""), at = indent, space = 0;
    printf("%s%.*s", space ? " " : "", n, words);
    at += space + n;
    words += n;
    if (*words == '\n') printf("\n%*s", indent, ""), at = indent;
    words += *words != 0;
  }
  putchar('\n');
}

/* ---- the pages ---- */
static void print_page(const book *b)
{
  head("epicycle " EPI_VERSION);
  fputs(" - time integration of mechanical systems by composition\n\n", stdout);
  head("Use:");
  puts(" epicycle VERB ...");
  for (const verb *v = b->verbs; v->name; v++) {
    if (!v->act) continue;
    printf("  %s%-11s%s ", ink(stdout, BOLD), v->name, ink(stdout, PLAIN));
    wrapped(v->doc, 14, 14);
  }
  puts("\nOptions and examples: `epicycle help VERB`. Version: `epicycle --version`.\n"
       "Exit codes: 0 done, 1 the run failed (what was computed is kept), 2 the request\nwas wrong.\n");
  for (const example *e = b->first; e->line; e++) {
    if (e == b->first) head("Try:");
    printf("%s%-45s %s\n", e == b->first ? "  " : "      ", e->line, e->doc);
  }
}

static void print_option(const option *o)
{
  enum { COLUMN = 29 };
  char name[64];
  int n = snprintf(name, sizeof name, "  %s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
  printf("%s%*s", name, n < COLUMN ? COLUMN - n : 1, "");
  char *doc = o->otherwise ? text("%s; default: %s", o->doc, o->otherwise) : text("%s", o->doc);
  wrapped(doc, n < COLUMN ? COLUMN : n + 1, COLUMN);
  free(doc);
}

static void print_verb(const verb *v)
{
  int any = 0;
  for (const option *o = v->options; o && o->name; o++) any += !o->instead;
  head("Use:");
  printf(" epicycle %s%s\n", v->use, any ? " [options]" : "");
  wrapped(v->doc, 0, 0);
  if (any) putchar('\n');
  for (const option *o = v->options; o && o->name; o++)
    if (!o->instead) print_option(o);
  if (v->more) putchar('\n'), wrapped(v->more, 0, 0);
  putchar('\n');
  head("Exit code:");
  char *codes = v->fails ? text(" 0 done; 1 %s; 2 the request was wrong.", v->fails) : text(" 0 done; 2 the request was wrong.");
  wrapped(codes, 10, 2);
  free(codes);
  putchar('\n');
  for (const example *e = v->examples; e->line; e++) {
    head("Example:");
    printf("  %s\n            %s\n", e->line, e->doc);
  }
}

/* ---- JSON ---- */
static void json_field(const char *before, const char *key, const char *value)
{
  printf("%s\"%s\": ", before, key);
  json_text(stdout, value);
}

static void json_examples(const example *e)
{
  fputs("[", stdout);
  for (int i = 0; e[i].line; i++) {
    json_field(i ? ",\n      {" : "\n      {", "line", e[i].line);
    json_field(", ", "doc", e[i].doc);
    fputs("}", stdout);
  }
  fputs("]", stdout);
}

static void json_verb(const verb *v)
{
  json_field("    {", "name", v->name);
  json_field(", ", "use", v->use);
  json_field(", ", "doc", v->doc);
  json_field(",\n     ", "more", v->more);
  json_field(",\n     ", "fails", v->fails);
  fputs(",\n     \"options\": [", stdout);
  int n = 0;
  for (const option *o = v->options; o && o->name; o++) {
    if (o->instead) continue;
    json_field(n++ ? ",\n      {" : "\n      {", "name", o->name);
    json_field(", ", "value", o->value);
    json_field(", ", "default", o->otherwise);
    json_field(", ", "doc", o->doc);
    fputs("}", stdout);
  }
  fputs("],\n     \"examples\": ", stdout);
  json_examples(v->examples);
  fputs("}", stdout);
}

/* one verb, or all of a book */
static void json_page(const book *b, const verb *only)
{
  puts("{\n  \"epicycle\": \"" EPI_VERSION "\",\n  \"exit\": {\"0\": \"done\", \"1\": \"the run failed\", \"2\": \"the request was "
       "wrong\"},\n  \"verbs\": [");
  int n = 0;
  for (const verb *v = only ? only : b->verbs; v->name && (!only || v == only); v++) {
    if (!v->act) continue;
    if (n++) puts(",");
    json_verb(v);
  }
  fputs("\n  ]", stdout);
  if (!only) fputs(",\n  \"examples\": ", stdout), json_examples(b->first);
  puts("\n}");
}

/* ---- the verb ---- */
int help_page(const book *b, const char *json)
{
  if (json) json_page(b, NULL);
  else print_page(b);
  return DONE;
}

int help_verb(const verb *v, const char *json)
{
  if (json) json_page(NULL, v);
  else print_verb(v);
  return DONE;
}

/* names of models and methods have a page elsewhere */
static const char *kind_of(const char *name)
{
  for (const epi_model *const *m = epi_models(); *m; m++)
    if (!strcmp((*m)->name, name)) return "a model";
  return epi_record_of(name) ? "a part of flows" : NULL;
}

int act_help(const request *r)
{
  const char *json = given(r, "--json");
  if (r->nword > 1) return say(REFUSED, "help takes one verb, for example `epicycle help run`");
  if (!r->nword) return help_page(r->book, json);
  const verb *v = verb_of(r->book, r->word[0]);
  if (v && v->act) return help_verb(v, json);
  const char *kind = v ? NULL : kind_of(r->word[0]);
  if (!kind) return verb_unknown(r->book, r->word[0]);
  if (json) printf("{\"name\": \"%s\", \"see\": \"epicycle show %s --json\"}\n", r->word[0], r->word[0]);
  else printf("%s is %s: see `epicycle show %s`\n", r->word[0], kind, r->word[0]);
  return DONE;
}
