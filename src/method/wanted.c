/* wanted.c - the table of a record, by its option stages where it has several */
#include "method/table.h"

const epi_table *epi_table_wanted(const epi_record *r, const epi_value *args)
{
  const epi_table *const *t = r->table;
  if (!r->params || strcmp(r->params[0].name, "stages")) return *t;
  while (*t && (*t)->stages != (int)args[0].number) t++;
  return *t;
}
