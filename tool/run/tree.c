/* tree.c - the nodes of a flow, one a line; the command's own watches stay out of sight */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };
typedef struct collector { tree t; int hidden[DEEPEST], nhidden; } collector;

static int ours(const epi_info *i)
{
  return !strcmp(i->record->name, "watch") && i->text
      && (strstr(i->text, "see=row") || strstr(i->text, "see=beat") || strstr(i->text, "see=look"));
}

static void collect(void *data, const epi_info *i)
{
  collector *c = data;
  /* below a hidden node everything moves up by one */
  while (c->nhidden && c->hidden[c->nhidden - 1] >= i->depth) c->nhidden--;
  if (ours(i)) {
    if (c->nhidden < DEEPEST) c->hidden[c->nhidden++] = i->depth;
    c->t.unseen += i->calls;
    return;
  }
  node *more = need(((size_t)c->t.n + 1)*sizeof *more);
  if (c->t.n) memcpy(more, c->t.node, (size_t)c->t.n*sizeof *more);
  free(c->t.node);
  c->t.node = more;
  const char *options = i->text && *i->text ? i->text : NULL;
  more[c->t.n++] = (node){
    .name = i->record->name, .depth = i->depth - c->nhidden, .order = i->order, .claims = i->claims,
    .steps = i->steps, .calls = i->calls, .refused = i->refused, .shortest = i->shortest, .longest = i->longest,
    .text = options ? text("%s(%s)", i->record->name, options) : text("%s", i->record->name)
  };
}

tree tree_of(const epi_flow *f)
{
  collector c = {0};
  epi_walk(f, collect, &c);
  return c.t;
}

int node_option(const epi_info *i, const char *name, double *x)
{
  size_t n = strlen(name);
  for (const char *at = i->text ? strstr(i->text, name) : NULL; at; at = strstr(at + n, name))
    if ((at == i->text || at[-1] == ' ') && at[n] == '=') return *x = strtod(at + n + 1, NULL), 1;
  return 0;
}

void root_claims(void *claims, const epi_info *i)
{
  if (!i->depth) *(unsigned *)claims = i->claims;
}

void tree_free(tree *t)
{
  for (int i = 0; i < t->n; i++) free(t->node[i].text);
  free(t->node);
  *t = (tree){0};
}

static int width(const tree *t)
{
  int w = 8;
  for (int i = 0; i < t->n; i++) {
    int n = 2*t->node[i].depth + (int)strlen(t->node[i].text);
    if (n > w) w = n;
  }
  return w;
}

void tree_print(const tree *t, FILE *f)
{
  char room[256], order[16];
  for (int i = 0; i < t->n; i++) {
    const node *a = &t->node[i];
    int indent = 2*a->depth;
    snprintf(order, sizeof order, a->order ? "order %d" : "", a->order);
    const char *claims = epi_claims_text(a->claims, room, sizeof room);
    fprintf(f, "  %*s%-*s  %-8s  %s\n", indent, "", width(t) - indent, a->text, order, claims ? claims : "");
  }
}

void tree_print_counts(const tree *t, FILE *f)
{
  fprintf(f, "  %-*s  %12s  %12s  %8s\n", width(t), "", "steps", "calls", "refused");
  for (int i = 0; i < t->n; i++) {
    const node *a = &t->node[i];
    int indent = 2*a->depth;
    fprintf(f, "  %*s%-*s  %12ld  %12ld  %8ld\n", indent, "", width(t) - indent, a->text, a->steps, a->calls, a->refused);
  }
}

/* the library's own list of words, as a JSON list */
void json_claims(FILE *f, unsigned claims)
{
  char room[256], *p = room;
  room[0] = 0;
  const char *words = epi_claims_text(claims, room, sizeof room);
  if (words && words != room) snprintf(room, sizeof room, "%s", words);
  fputc('[', f);
  for (int first = 1; *p; first = 0) {
    size_t n = strcspn(p, ",");
    char *end = p + n, *next = *end ? end + 1 + strspn(end + 1, " ") : end;
    *end = 0;
    if (!first) fputs(", ", f);
    json_text(f, p);
    p = next;
  }
  fputc(']', f);
}

void tree_json(const tree *t, FILE *f, const char *indent)
{
  fputs("[", f);
  for (int i = 0; i < t->n; i++) {
    const node *a = &t->node[i];
    fprintf(f, "%s\n%s  {\"name\": ", i ? "," : "", indent);
    json_text(f, a->name);
    fputs(", \"text\": ", f);
    json_text(f, a->text);
    fprintf(f, ", \"depth\": %d, \"order\": %d, \"steps\": %ld, \"calls\": %ld, \"refused\": %ld, ",
            a->depth, a->order, a->steps, a->calls, a->refused);
    if (a->longest > 0) fprintf(f, "\"shortest\": %s, ", shortest(a->shortest).text);
    if (a->longest > 0) fprintf(f, "\"longest\": %s, ", shortest(a->longest).text);
    fputs("\"claims\": ", f);
    json_claims(f, a->claims);
    fputc('}', f);
  }
  fprintf(f, "\n%s]", indent);
}
