/* request.c - the command line: words, options, reserved names */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

static int count(const option *o)
{
  int n = 0;
  while (o && o[n].name) n++;
  return n;
}

const char *given(const request *r, const char *name)
{
  const option *o = r->verb->options;
  for (int i = 0; i < count(o); i++)
    if (!strcmp(o[i].name, name)) return r->given[i];
  return NULL;
}

void request_free(request *r)
{
  free(r->word);
  free(r->given);
}

static int unknown(const verb *v, const char *word)
{
  int n = count(v->options);
  const char **names = need(((size_t)n + 1)*sizeof *names);
  for (int i = 0; i < n; i++) names[i] = v->options[i].name;
  const char *near = nearest(word, names);
  if (near) say(REFUSED, "%s has no option '%s'; did you mean %s?", v->name, word, near);
  else say(REFUSED, "%s has no option '%s': see `epicycle help %s`", v->name, word, v->name);
  free(names);
  return REFUSED;
}

/* --name value, --name=value or --name; returns how many words were taken, 0 after a sentence */
static int read_option(request *r, int left, char **argv)
{
  const option *o = r->verb->options;
  size_t n = strcspn(argv[0], "=");
  int i = 0;
  while (i < count(o) && (strlen(o[i].name) != n || strncmp(o[i].name, argv[0], n))) i++;
  if (i == count(o)) {
    char *name = text("%.*s", (int)n, argv[0]);
    unknown(r->verb, name);
    free(name);
    return 0;
  }
  if (o[i].instead) {
    say(REFUSED, "%s is reserved for a later version; %s", o[i].name, o[i].instead);
    return 0;
  }
  if (r->given[i]) {
    say(REFUSED, "%s stands twice: give it once", o[i].name);
    return 0;
  }
  int joined = argv[0][n] == '=';
  if (!o[i].value && joined) {
    say(REFUSED, "%s takes no value: write it alone", o[i].name);
    return 0;
  }
  if (o[i].value && !joined && left < 2) {
    say(REFUSED, "%s needs a value: write %s %s", o[i].name, o[i].name, o[i].value);
    return 0;
  }
  r->given[i] = !o[i].value ? "" : joined ? argv[0] + n + 1 : argv[1];
  return o[i].value && !joined ? 2 : 1;
}

int request_read(request *r, const verb *v, int argc, char **argv)
{
  *r = (request){.verb = v, .word = need(((size_t)argc + 1)*sizeof *r->word),
                 .given = need(((size_t)count(v->options) + 1)*sizeof *r->given)};
  for (int i = 0, only_words = 0; i < argc; ) {
    if (!only_words && !strcmp(argv[i], "--")) { only_words = 1; i++; continue; }
    if (only_words || argv[i][0] != '-' || !argv[i][1]) { r->word[r->nword++] = argv[i++]; continue; }
    int taken = read_option(r, argc - i, argv + i);
    if (!taken) return REFUSED;
    i += taken;
  }
  return 0;
}

int request_number(const request *r, const char *name, double otherwise, double *x)
{
  const char *word = given(r, name);
  *x = otherwise;
  if (!word || read_number(word, x)) return 0;
  return say(REFUSED, "%s '%s' is not a finite number: write it as 0.05 or 1e-3", name, word);
}

static int names_a_file(const char *model)
{
  return ends_with(model, ".yaml") || ends_with(model, ".yml") || ends_with(model, ".c");
}

/* "kepler(e=0.6)" and "mu=2" become "kepler(e=0.6, mu=2)" */
char *request_model(const request *r, int *code)
{
  *code = REFUSED;
  if (!r->nword) return say(0, "%s needs a model: `epicycle list models` prints them", r->verb->name), NULL;
  const char *name = r->word[0];
  if (names_a_file(name)) {
    say(0, "a model file (%s) is reserved for a later version; use a model by name instead: `epicycle list models`", name);
    return NULL;
  }
  for (int i = 1; i < r->nword; i++)
    if (strchr(r->word[i], '=') && !strchr(r->word[i], '=')[1])
      return say(0, "'%s' has no value: write %s and a number", r->word[i], r->word[i]), NULL;
    else if (!strchr(r->word[i], '=')) return say(0, "'%s' is not name=value: parameters of a model are written so", r->word[i]), NULL;
  char *all = text("%s", name);
  if (r->nword > 1) {
    size_t n = strlen(all);
    while (n && all[n-1] == ' ') n--;
    if (n && all[n-1] == ')') n--;
    int open = strchr(all, '(') != NULL, bare = n && all[n-1] == '(';
    all[n] = 0;
    for (int i = 1; i < r->nword; i++) {
      char *longer = text("%s%s%s", all, i > 1 || (open && !bare) ? ", " : open ? "" : "(", r->word[i]);
      free(all);
      all = longer;
    }
    char *closed = text("%s)", all);
    free(all);
    all = closed;
  }
  *code = 0;
  return all;
}
