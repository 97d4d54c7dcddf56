/* counters.c - the nodes of a flow and what they counted; the recorder's own watches stay out of sight */
#include "recorder.h"

enum { DEEPEST = 64 };
typedef struct collector {
  epi_counters *to;                    /* NULL: they are only counted */
  char *words;
  size_t length;                       /* of all texts with their ends */
  int n, most, hidden[DEEPEST], nhidden;
  long unseen;
} collector;

int epi_recorder_watches(const epi_flow *f)
{
  const epi_value *see = f && epi_traits_of(f->record) & EPI_OBSERVER ? epi_arg(f, "see") : NULL;
  return see && (!strcmp(see->word, EPI_SEE_ROW) || !strcmp(see->word, EPI_SEE_BEAT) || !strcmp(see->word, EPI_SEE_LOOK));
}

static void add(collector *c, const epi_info *i)
{
  const char *options = i->text && *i->text ? i->text : NULL;
  size_t length = strlen(i->record->name) + (options ? strlen(options) + 2 : 0) + 1;
  if (c->to && c->n < c->most) {
    epi_counters *a = &c->to[c->n];
    /* names and texts stay as they were; the numbers move */
    const char *name = a->name, *text = a->text;
    if (c->words) {
      snprintf(c->words, length, options ? "%s(%s)" : "%s", i->record->name, options);
      text = c->words;
      name = i->record->name;
      c->words += length;
    }
    *a = (epi_counters){.name = name, .text = text, .depth = i->depth - c->nhidden, .order = i->order, .claims = i->claims,
                        .steps = i->steps, .calls = i->calls, .refused = i->refused, .shortest = i->shortest, .longest = i->longest};
  }
  c->length += length;
  c->n++;
}

static void collect(void *data, const epi_info *i)
{
  collector *c = data;
  /* below a hidden node everything moves up by one */
  while (c->nhidden && c->hidden[c->nhidden - 1] >= i->depth) c->nhidden--;
  if (!epi_recorder_watches(i->node)) { add(c, i); return; }
  if (c->nhidden < DEEPEST) c->hidden[c->nhidden++] = i->depth;
  c->unseen += i->calls;
}

epi_counters *epi_counters_of(const epi_flow *f, int *n)
{
  collector c = {0};
  epi_walk(f, collect, &c);
  epi_counters *all = malloc((size_t)(c.n + 1)*sizeof *all + c.length);
  *n = all ? c.n : 0;
  collector again = {.to = all, .most = c.n, .words = (char *)(all ? all + c.n + 1 : NULL)};
  if (all) epi_walk(f, collect, &again);
  return all;
}

/* the outermost node that chooses its steps */
static void look_at_steps(void *data, const epi_info *i)
{
  epi_choice *s = data;
  if (s->longest > 0 || !(i->longest > 0)) return;
  *s = (epi_choice){i->chosen, i->longest};
}

epi_choice epi_choice_of(const epi_flow *f)
{
  epi_choice now = {0};
  epi_walk(f, look_at_steps, &now);
  return now;
}

void epi_result_count(epi_result *r)
{
  if (!r->recorder || !r->recorder->tree) return;
  collector c = {.to = r->counters, .most = r->ncounters};
  epi_walk(r->recorder->tree, collect, &c);
  r->calls_for_rows = c.unseen;
  r->calls = epi_calls(r->recorder->tree) - c.unseen;
  r->pending = epi_choice_of(r->recorder->tree).steps - r->recorder->counted;
  /* a root that chooses its steps counts what it was asked for; the steps it took are the ones seen */
  if (r->adaptive && r->ncounters) r->counters[0].steps = r->steps;
}

int epi_info_option(const epi_info *i, const char *name, double *x)
{
  const epi_value *v = i->node ? epi_arg(i->node, name) : NULL;
  if (!v || !v->given) return 0;
  *x = v->number;
  return 1;
}

const epi_counters *epi_result_chooser(const epi_result *r)
{
  for (int i = 0; i < r->ncounters; i++)
    if (r->counters[i].longest > 0) return &r->counters[i];
  return NULL;
}

void epi_counters_json(const epi_counters *a, int n, FILE *f, const char *indent)
{
  fputs("[", f);
  for (int i = 0; i < n; i++, a++) {
    fprintf(f, "%s\n%s  {\"name\": ", i ? "," : "", indent);
    epi_json_text(f, a->name);
    fputs(", \"text\": ", f);
    epi_json_text(f, a->text);
    fprintf(f, ", \"depth\": %d, \"order\": %d, \"steps\": %ld, \"calls\": %ld, \"refused\": %ld, ", a->depth, a->order, a->steps, a->calls,
            a->refused);
    if (a->longest > 0) fprintf(f, "\"shortest\": %s, ", epi_shortest(a->shortest).text);
    if (a->longest > 0) fprintf(f, "\"longest\": %s, ", epi_shortest(a->longest).text);
    fputs("\"claims\": ", f);
    epi_json_claims(f, a->claims);
    fputc('}', f);
  }
  fprintf(f, "\n%s]", indent);
}
