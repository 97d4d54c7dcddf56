/* term.h - terms of the text grammar, with their columns */
#ifndef EPI_TERM_H
#define EPI_TERM_H
#include "core.h"

typedef enum { NAME, NUMBER, LIST } term_kind;
typedef struct term {
  term_kind kind;
  int column, n;                       /* n: entries of a list */
  char name[EPI_WORD_SIZE], key[EPI_WORD_SIZE];              /* key: the option it was given to */
  double number, *list;
  struct term *arg, *next;
} term;

typedef struct {
  const char *text, *at;
  term *pool, *free;
  double *numbers, *first;             /* room for the entries of lists, and where it begins */
  const epi_name *names;
  unsigned char taken[256];            /* which of the names' flows went into the tree */
  int depth;
  char *error;
  size_t size;
} reader;

EPI_INSIDE int epi_reader_open(reader *, const char *text, const epi_name *names, char *error, size_t size);   /* 0 on success */
EPI_INSIDE void epi_reader_close(reader *);
EPI_INSIDE term *epi_read_term(reader *);                                    /* NULL: the error says why */
EPI_INSIDE int epi_read_args(reader *, term *);                              /* from the '(' on; 0 on success */
EPI_INSIDE char epi_skip(reader *);                                          /* over blanks; the character there */
EPI_INSIDE int epi_column(const reader *);
EPI_INSIDE term *epi_wrong(reader *, int column, const char *words, ...) __attribute__((format(printf, 3, 4)));
#endif
