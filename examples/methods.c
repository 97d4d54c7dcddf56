/* methods.c - prints docs/methods.md: every method, average and wrapper with its claims and options, from the records themselves */
#include <epicycle.h>
#include <string.h>

static void options(const epi_record *r)
{
  for (const epi_param *p = r->params; p && p->name; p++) {
    printf("| `%s` | ", p->name);
    if (p->words) printf("%s", p->words[(int)p->value]);
    else if (p->kind == EPI_GIVEN) printf("none");
    else printf("%g", p->value);
    char range[64];
    printf(" | %s | %s |\n", epi_range_text(&p->range, range, sizeof range), p->doc);
  }
}

static void one(const epi_record *r)
{
  char claims[160];
  epi_claims_text(r->claims, claims, sizeof claims);
  printf("\n### %s\n%s%s", r->name, r->doc, r->order || claims[0] ? "  \n" : "");
  if (r->order) printf("order %d%s", r->order, claims[0] ? ", " : "");
  printf("%s", claims);
  printf("%s%s%s\n`%s`\n", r->cite[0] ? "  \n" : "", r->cite, "  ", r->example);
  if (r->params && r->params->name) {
    puts("\n| option | default | range | |\n|---|---|---|---|");
    options(r);
  }
}

int main(void)
{
  static const struct { int arrow; const char *title; } parts[] = {
    {EPI_METHOD, "Methods: a system becomes a flow"}, {EPI_AVERAGE, "Averages: a flow becomes a slow system"},
    {EPI_WRAPPER, "Wrappers: a flow becomes a flow"}, {EPI_COMBINE, "Systems of systems"},
  };
  puts("# Methods, averages, wrappers\nMade from the records in the library (`build/examples/methods`). Every claim is measured by the "
       "tests;\nfor a wrapper, and for a method on a system with velocity force, constraints or rotations, `epicycle check` prints the "
       "claims of the instance.");
  for (size_t k = 0; k < sizeof parts/sizeof *parts; k++) {
    printf("\n## %s\n", parts[k].title);
    for (const epi_record *const *r = epi_records(); *r; r++) if ((*r)->arrow == parts[k].arrow) one(*r);
  }
  return 0;
}
