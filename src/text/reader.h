/* reader.h - reading a text, with sentences that have their columns */
#ifndef EPI_READER_H
#define EPI_READER_H
#include "text.h"
#include "decimal.h"
#include "epicycle/term.h"

typedef struct reader {
  const char *text, *at;
  const epi_vocabulary *words;         /* what the library has */
  const epi_name *names;               /* what the user brings */
  int nname;
  unsigned char *taken;                /* which of the names' flows went into the tree */
  epi_space **space;                   /* systems prepared for this text */
  int nspace;
  int depth;
  char *error;
  size_t size;
  epi_cause cause;                     /* of the error */
  int column;                          /* in front of it; 0: none */
} reader;

EPI_INSIDE epi_term *epi_read_term(reader *);                                /* NULL: the error says why */
EPI_INSIDE epi_term *epi_read_whole(reader *, const char *what);             /* and nothing after it */
EPI_INSIDE int epi_read_args(reader *, epi_term *);                          /* from the '(' on; 0 on success */
EPI_INSIDE char epi_skip(reader *);                                          /* over blanks; the character there */
EPI_INSIDE int epi_column(const reader *);
EPI_INSIDE int epi_wrong(reader *, int column, const char *words, ...) __attribute__((format(printf, 3, 4)));   /* -1 */
EPI_INSIDE int epi_wrong_memory(reader *, int column);                       /* -1; the second without a column */
EPI_INSIDE int epi_read_no_memory(reader *);
#endif
