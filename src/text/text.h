/* text.h - records by name, and the pieces of a text, for the rest of the library */
#ifndef EPI_TEXT_H
#define EPI_TEXT_H
#include "core.h"

typedef struct { const char *name, *words, *now; } epi_reserved;                /* now: what it is called today */
EPI_INSIDE const epi_reserved *epi_reserved_names(void);
EPI_INSIDE epi_flow *epi_make_text(const char *text, const epi_name *names);
EPI_INSIDE epi_system *epi_sum_build(const epi_record *, epi_system *a, epi_system *b);
/* parameters after a name, as numbers; `at` stands after the name in `text` */
EPI_INSIDE int epi_read_options(const char *text, const char *at, const char *what, const epi_param *, double *values, char *error,
                                size_t size);
#endif
