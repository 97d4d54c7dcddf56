/* text.h - records by name, and the pieces of a text, for the rest of the library */
#ifndef EPI_TEXT_H
#define EPI_TEXT_H
#include "core.h"

typedef struct { const char *name, *words, *now; } epi_reserved;                /* now: what it is called today */
typedef struct { const epi_record *const *records; const epi_reserved *reserved; } epi_vocabulary;      /* both end with a zero entry */
EPI_INSIDE epi_flow *epi_make_text(const char *text, const epi_name *names, const epi_vocabulary *);
/* parameters after a name, as numbers; `at` stands after the name in `text`. given: those that were, as text, one block to be freed */
EPI_INSIDE int epi_read_options(const char *text, const char *at, const char *what, const epi_param *, double *values, char ***given,
                                char *error, size_t size, epi_cause *);
#endif
