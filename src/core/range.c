/* range.c - ranges of options and parameters: whether a number is inside, the ends as text, the remedy of a refusal */
#include "core.h"
#include <stdio.h>

static int is_any(const epi_range *r) { return r->least == 0 && r->most == 0 && !r->open; }

int epi_range_holds(const epi_range *r, double x)
{
  if (is_any(r)) return 1;
  return (r->open & EPI_ABOVE ? x > r->least : x >= r->least) && (r->open & EPI_BELOW ? x < r->most : x <= r->most);
}

const char *epi_range_text(const epi_range *r, char *out, size_t size)
{
  const char *least = r->open & EPI_ABOVE ? ">" : ">=", *most = r->open & EPI_BELOW ? "<" : "<=";
  if (is_any(r)) snprintf(out, size, "%s", "");
  else if (r->most >= EPI_UNBOUNDED) snprintf(out, size, "%s %g", least, r->least);
  else if (!r->open) snprintf(out, size, "%g to %g", r->least, r->most);
  else snprintf(out, size, "%s %g, %s %g", least, r->least, most, r->most);
  return out;
}

const char *epi_range_remedy(const epi_param *p, char *out, size_t size)
{
  const epi_range *r = &p->range;
  int unbounded = r->most >= EPI_UNBOUNDED;
  if (r->words) return r->words;
  if (unbounded && r->least == 0) return r->open & EPI_ABOVE ? ": it must be positive" : ": it cannot be negative";
  if (unbounded) snprintf(out, size, ": take %g or more", r->least);
  else snprintf(out, size, p->kind == EPI_COUNT ? ": take %g to %g" : ": take a number from %g to %g", r->least, r->most);
  return out;
}
