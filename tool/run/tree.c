/* tree.c - the nodes of a flow, one a line */
#include "tool.h"
#include <string.h>

void root_claims(void *claims, const epi_info *i)
{
  if (!i->depth) *(unsigned *)claims = i->claims;
}

static int width(const epi_counters *a, int n)
{
  int w = 8;
  for (int i = 0; i < n; i++) {
    int m = 2*a[i].depth + (int)strlen(a[i].text);
    if (m > w) w = m;
  }
  return w;
}

void tree_print(const epi_counters *all, int n, FILE *f)
{
  char room[256], order[16];
  for (int i = 0; i < n; i++) {
    const epi_counters *a = &all[i];
    int indent = 2*a->depth;
    order[0] = 0;
    if (a->order) snprintf(order, sizeof order, "order %d", a->order);
    const char *claims = epi_claims_text(a->claims, room, sizeof room);
    fprintf(f, "  %*s%-*s  %-8s  %s\n", indent, "", width(all, n) - indent, a->text, order, claims ? claims : "");
  }
}

void tree_print_counts(const epi_counters *all, int n, FILE *f)
{
  fprintf(f, "  %-*s  %12s  %12s  %8s\n", width(all, n), "", "steps", "calls", "refused");
  for (int i = 0; i < n; i++) {
    const epi_counters *a = &all[i];
    int indent = 2*a->depth;
    fprintf(f, "  %*s%-*s  %12ld  %12ld  %8ld\n", indent, "", width(all, n) - indent, a->text, a->steps, a->calls, a->refused);
  }
}
