/* show.c - the verb show: one record of the registry */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

/* a model, a method, an average or a wrapper, seen alike */
typedef struct card {
  const char *kind, *name, *doc, *cite;
  const epi_param *params;
  const epi_record *record;            /* NULL for a model */
  const epi_model *model;
  char *example;
} card;

static const char *const arrows[] = {
  [EPI_METHOD] = "method", [EPI_AVERAGE] = "average", [EPI_WRAPPER] = "wrapper", [EPI_COMBINE] = "system of systems",
};

/* a model on which the flow composes and runs well for a while; one that needs something of the user's has none */
static const char *model_for(const char *flow)
{
  const char *found = NULL;
  for (const epi_model *const *m = epi_models(); *m && !found; m++) {
    epi_case *c = epi_case_make((*m)->name);
    epi_flow *f = epi_case_flow(c, flow);
    epi_state s = epi_case_state(c);
    if (!epi_error(f) && !epi_run(f, &s, s.t + 1000*c->step, c->step)) found = (*m)->name;
    epi_free(f);
    epi_case_free(c);
  }
  return found;
}

static char *example_of(const epi_record *r)
{
  const char *flow = r->example ? r->example : r->name, *m = model_for(flow);
  return m ? text("epicycle run %s --flow '%s'", m, flow) : text("epi_make_named(\"%s\", names)", flow);
}

static card model_card(const epi_model *m, const char *run)
{
  return (card){.kind = "model", .name = m->name, .doc = m->doc ? m->doc : "", .cite = m->cite, .params = m->params, .model = m,
                .example = text("epicycle run %s", run)};
}

static card card_of(const char *name)
{
  for (const epi_model *const *m = epi_models(); *m; m++)
    if (!strcmp((*m)->name, name)) return model_card(*m, name);
  const epi_record *r = epi_record_of(name);
  if (!r) return (card){0};
  return (card){.kind = arrows[r->arrow], .name = r->name, .doc = r->doc, .cite = r->cite, .params = r->params, .record = r,
                .example = example_of(r)};
}

static int unknown(const char *name)
{
  int n = 0;
  for (const epi_model *const *m = epi_models(); *m; m++) n++;
  for (const epi_record *const *r = epi_records(); *r; r++) n++;
  const char **names = need(((size_t)n + 1)*sizeof *names);
  n = 0;
  for (const epi_model *const *m = epi_models(); *m; m++) names[n++] = (*m)->name;
  for (const epi_record *const *r = epi_records(); *r; r++) names[n++] = (*r)->name;
  const char *near = nearest(name, names);
  free(names);
  if (epi_name_now(name)) return say(REFUSED, "'%s' is called %s now: `epicycle show %s`", name, epi_name_now(name), epi_name_now(name));
  if (near) return say(REFUSED, "there is no model or method '%s'; did you mean %s?", name, near);
  return say(REFUSED, "there is no model or method '%s': `epicycle list` prints them", name);
}

/* the default as it would be written */
static number default_of(const epi_param *p)
{
  number n = shortest(p->value);
  int k = 0;
  while (p->words && p->words[k] && k < (int)p->value) k++;
  if (p->words) snprintf(n.text, sizeof n.text, "%s", p->words[k] ? p->words[k] : "");
  if (p->kind == EPI_GIVEN || p->kind == EPI_FILE) snprintf(n.text, sizeof n.text, "-");
  return n;
}

static void print_params(const epi_param *p)
{
  for (; p && p->name; p++) {
    printf("  %-12s %-10s %-8s %s", p->name, default_of(p).text, p->unit ? p->unit : "", p->doc ? p->doc : "");
    for (int i = 0; p->words && p->words[i]; i++) printf("%s%s", i ? " | " : " (", p->words[i]);
    char room[64];
    const char *range = epi_range_text(&p->range, room, sizeof room);
    if (*range) printf(" (%s", range);
    puts(p->words || *range ? ")" : "");
  }
}

static void print_model(const epi_model *m)
{
  int any = 0;
  for (const epi_observable *o = m->observables; o && o->name; o++)
    printf("%s%s%s", any++ ? ", " : "observables  ", o->name, o->invariant ? " (invariant)" : "");
  if (any) putchar('\n');
  if (m->exact) puts("exact        known: --stats reports the error");
  if (m->flow) printf("flow         %s\nstep         %s  to t = %s\n", m->flow, shortest(m->step).text, shortest(m->end).text);
  else printf("flow         none: one is chosen, right to 1e-06  to t = %s\n", shortest(m->end).text);
}

static void print_record(const epi_record *r)
{
  char room[256];
  const char *claims = epi_claims_text(r->claims, room, sizeof room);
  const char *kind = r->arrow == EPI_METHOD || r->arrow == EPI_COMBINE ? "system" : "flow";
  if (r->least == r->most) printf("takes        %d %s%s\n", r->least, kind, r->least == 1 ? "" : "s");
  else printf("takes        %d to %d %ss\n", r->least, r->most, kind);
  if (r->order) printf("order        %d\n", r->order);
  printf("claims       %s\n", claims && *claims ? claims : "those of what it is made of");
}

static void print_card(const card *c)
{
  printf("%s%s%s: %s\n%s\n", ink(stdout, BOLD), c->name, ink(stdout, PLAIN), c->kind, c->doc);
  if (c->cite && *c->cite) printf("source       %s\n", c->cite);
  if (c->record) print_record(c->record);
  else print_model(c->model);
  if (c->params && c->params->name) printf("\n%s  parameter    default    unit%s\n", ink(stdout, BOLD), ink(stdout, PLAIN));
  print_params(c->params);
  printf("\nExample:  %s\n", c->example);
}

static void json_params(const epi_param *p)
{
  fputs(",\n  \"parameters\": [", stdout);
  for (int first = 1; p && p->name; p++, first = 0) {
    printf("%s\n    {\"name\": ", first ? "" : ",");
    json_text(stdout, p->name);
    fputs(", \"unit\": ", stdout);
    json_text(stdout, p->unit);
    fputs(", \"default\": ", stdout);
    if (p->words) json_text(stdout, default_of(p).text);
    else if (p->kind == EPI_GIVEN || p->kind == EPI_FILE) json_text(stdout, NULL);
    else json_number(stdout, p->value);
    fputs(", \"doc\": ", stdout);
    json_text(stdout, p->doc);
    if (p->words) fputs(", \"words\": [", stdout);
    for (int i = 0; p->words && p->words[i]; i++) {
      if (i) fputs(", ", stdout);
      json_text(stdout, p->words[i]);
    }
    fputs(p->words ? "]" : "", stdout);
    epi_json_range(stdout, &p->range);
    putchar('}');
  }
  fputs("\n  ]", stdout);
}

static void json_field(const char *key, const char *value)
{
  printf(",\n  \"%s\": ", key);
  json_text(stdout, value);
}

static void json_model(const epi_model *m)
{
  fputs(",\n  \"observables\": [", stdout);
  for (const epi_observable *o = m->observables; o && o->name; o++) {
    printf("%s{\"name\": ", o == m->observables ? "" : ", ");
    json_text(stdout, o->name);
    fputs(", \"unit\": ", stdout);
    json_text(stdout, o->unit);
    printf(", \"invariant\": %s}", o->invariant ? "true" : "false");
  }
  printf("],\n  \"exact\": %s", m->exact ? "true" : "false");
  json_field("flow", m->flow);
  fputs(",\n  \"step\": ", stdout);
  json_number(stdout, m->step);
  fputs(",\n  \"end\": ", stdout);
  json_number(stdout, m->end);
}

static void json_card(const card *c)
{
  fputs("{\n  \"name\": ", stdout);
  json_text(stdout, c->name);
  json_field("kind", c->kind);
  json_field("doc", c->doc);
  json_field("cite", c->cite);
  if (c->model) json_model(c->model);
  if (c->record) {
    printf(",\n  \"least\": %d, \"most\": %d, \"order\": %d,\n  \"claims\": ", c->record->least, c->record->most, c->record->order);
    epi_json_claims(stdout, c->record->claims);
  }
  json_params(c->params);
  json_field("example", c->example);
  fputs("\n}\n", stdout);
}

/* a model file to begin with */
static int show_yaml(const char *name)
{
  epi_case *c = epi_case_make(name);
  size_t n = epi_case_yaml(c, NULL, 0);
  char *all = need(n + 1);
  epi_case_yaml(c, all, n + 1);
  fputs(all, stdout);
  int code = n ? 0 : say(FAILED, "%s", c ? c->error : "out of memory");
  free(all);
  epi_case_free(c);
  return code;
}

int act_show(const request *r)
{
  if (r->nword != 1) return say(REFUSED, "show needs one name, for example `epicycle show kepler`: `epicycle list` prints them");
  const char *name = r->word[0];
  double sum = 0;
  const epi_model *own = load_names(name) ? load_model(name, &sum) : NULL;
  if (load_names(name) && !own) return REFUSED;
  card c = own ? model_card(own, name) : card_of(name);
  if (!c.name) return unknown(name);
  if (given(r, "--yaml")) {
    free(c.example);
    return own ? say(REFUSED, "--yaml prints a file for a model of the library; for %s write `model: %s` and `parameters:` under it",
                     name, name)
         : c.model ? show_yaml(c.name) : say(REFUSED, "--yaml prints a model file, and %s is no model: see `epicycle list models`", c.name);
  }
  (given(r, "--json") ? json_card : print_card)(&c);
  free(c.example);
  return DONE;
}

int act_schema(const request *r)
{
  if (r->nword) return say(REFUSED, "schema takes no words: write `epicycle schema > epicycle.json`");
  epi_file_schema(stdout);
  return DONE;
}
