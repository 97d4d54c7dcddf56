/* registry.h - every name of the text grammar */
#ifndef EPI_REGISTRY_H
#define EPI_REGISTRY_H
#include "text/text.h"

extern EPI_INSIDE const epi_vocabulary epi_words;
/* the record called `name`: of the user's names (ends with a zero entry, or NULL), or of the library; NULL: none */
static inline const epi_record *epi_record_among(const epi_name *names, const char *name)
{
  for (; names && names->name; names++) if (names->record && !strcmp(names->name, name)) return names->record;
  return epi_record_of(name);
}
#endif
