/* request.c - the command line: words, options, reserved names */
#include "terminal.h"
#include "epicycle/file.h"
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

char *with_word(char *all, const char *word)
{
  int plain = *word && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=+-,:@%")];
  char *quoted = need(4*strlen(word) + 1), *to = quoted;
  for (const char *c = word; *c; c++) {
    if (*c == '\'') to += sprintf(to, "'\\''");
    else *to++ = *c == '\n' ? ' ' : *c;
  }
  char *more = text(plain ? "%s %s" : "%s '%s'", all, quoted);
  free(quoted);
  free(all);
  return more;
}

char *request_text(const request *r)
{
  char *all = text("epicycle %s", r->verb->name);
  for (int i = 0; i < r->nword; i++) all = with_word(all, r->word[i]);
  for (int i = 0; i < count(r->verb->options); i++) {
    if (!r->given[i]) continue;
    all = with_word(all, r->verb->options[i].name);
    if (r->verb->options[i].value) all = with_word(all, r->given[i]);
  }
  return all;
}

/* ---- wrong names ---- */
const verb *verb_of(const book *b, const char *name)
{
  for (const verb *v = b->verbs; v->name; v++)
    if (!strcmp(v->name, name)) return v;
  return NULL;
}

int verb_unknown(const book *b, const char *name)
{
  enum { MOST = 32 };
  const char *names[MOST + 1] = {0};
  int n = 0;
  for (const verb *v = b->verbs; v->name && n < MOST; v++) {
    if (!v->act && !strcmp(v->name, name)) return say(REFUSED, "the verb %s is reserved for a later version; %s", v->name, v->instead);
    if (v->act) names[n++] = v->name;
  }
  const char *near = nearest(name, names);
  if (near) return say(REFUSED, "there is no verb '%s'; did you mean `epicycle %s`?", name, near);
  /* the verb forgotten */
  for (const epi_model *const *m = epi_models(); *m; m++)
    if (!strcmp((*m)->name, name)) return say(REFUSED, "%s is a model, not a verb: write `epicycle run %s`", name, name);
  if (epi_record_of(name)) return say(REFUSED, "%s is a name of flows, not a verb: write `epicycle show %s`", name, name);
  return say(REFUSED, "there is no verb '%s': `epicycle help` prints them", name);
}

static const option *option_of(const verb *v, const char *name)
{
  for (const option *o = v->options; o && o->name; o++)
    if (!strcmp(o->name, name)) return o;
  return NULL;
}

/* the verbs that have it, as "run and resume"; NULL: none */
static char *owners(const book *b, const char *name)
{
  char *all = NULL;
  int n = 0, k = 0;
  for (const verb *v = b->verbs; v->name; v++) n += v->act && option_of(v, name);
  for (const verb *v = b->verbs; v->name; v++) {
    if (!v->act || !option_of(v, name)) continue;
    char *longer = text("%s%s%s", all ? all : "", !k ? "" : k + 1 == n ? " and " : ", ", v->name);
    free(all);
    all = longer;
    k++;
  }
  return all;
}

/* what other programs call the options of a run */
static const char *usual_name(const verb *v, const char *word)
{
  static const char *const usual[][2] = {
    {"--dt", "--step"}, {"--timestep", "--step"}, {"--time-step", "--step"}, {"--step-size", "--step"}, {"--stepsize", "--step"},
    {"--tend", "--end"}, {"--t-end", "--end"}, {"--tmax", "--end"}, {"--stop", "--end"}, {"--until", "--end"}, {"--duration", "--end"},
    {"--rtol", "--tol"}, {"--tolerance", "--tol"}, {"--method", "--flow"}, {"--solver", "--flow"}, {"--integrator", "--flow"},
    {"--output", "--out"}};
  for (size_t i = 0; i < sizeof usual/sizeof *usual; i++)
    if (!strcmp(usual[i][0], word) && option_of(v, usual[i][1])) return usual[i][1];
  return NULL;
}

static int unknown(const request *r, const char *word)
{
  const verb *v = r->verb;
  int n = count(v->options);
  const char **names = need(((size_t)n + 1)*sizeof *names);
  for (int i = 0; i < n; i++) names[i] = v->options[i].name;
  const char *usual = usual_name(v, word), *near = usual ? usual : nearest(word, names);
  char *others = owners(r->book, word);
  if (others && !usual) say(REFUSED, "%s has no option '%s': it belongs to %s; see `epicycle help %s`", v->name, word, others, v->name);
  else if (near) say(REFUSED, "%s has no option '%s'; did you mean %s?", v->name, word, near);
  else say(REFUSED, "%s has no option '%s': see `epicycle help %s`", v->name, word, v->name);
  free(names);
  free(others);
  return REFUSED;
}

/* ---- options ---- */
/* a value that is one of a|b|c */
static int one_of(const char *among, const char *word)
{
  size_t n = strlen(word);
  for (const char *p = among; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
    if (n && strcspn(p, "|") == n && !strncmp(p, word, n)) return 1;
  return 0;
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
    unknown(r, name);
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
  if (o[i].value && strchr(o[i].value, '|') && !one_of(o[i].value, r->given[i])) {
    say(REFUSED, "%s '%s' is none of %s: write one of them", o[i].name, r->given[i], o[i].value);
    return 0;
  }
  return o[i].value && !joined ? 2 : 1;
}

int request_read(request *r, const book *b, const verb *v, int argc, char **argv)
{
  *r = (request){.book = b, .verb = v, .word = need(((size_t)argc + 1)*sizeof *r->word),
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

int request_time(const request *r, const char *name, double *x)
{
  char why[256];
  const char *word = given(r, name);
  if (!word || !epi_unit_read(word, "s", x, why, sizeof why)) return 0;
  return say(REFUSED, "%s %s", name, why);
}
