/* document.h - a YAML file as a tree of items that know their lines, and their comments */
#ifndef EPI_DOCUMENT_H
#define EPI_DOCUMENT_H
#include "epicycle/file.h"
#include "pool.h"
#include "file/quantity/words.h"

enum { REFUSED = -1 };
enum { SENTENCES = 20 };               /* the most that are kept of one file */

typedef enum { ITEM_TEXT, ITEM_LIST, ITEM_MAP } item_kind;
typedef struct item item;
struct item {
  item_kind kind;
  int line;
  char *text;                          /* of a text; what it means is for the field that reads it to say */
  int n;
  item **part, **key;                  /* of a list: its items; of a map: its values, and keys, which are texts */
  int number;                          /* in the order of the file */
  const item *under;                   /* the key it stands under; a key stands under itself */
  long size, aliased;                  /* with everything inside, aliases as often as they are used; what these stand for */
  int depth;
  int owner, flat;                     /* it may have comments: a key, or an item of a list; flat: in brackets that begin on its line */
  const char *before, *after;          /* whole lines of comments above it; the comment at the end of its line */
  int gap;                             /* an empty line stands above it and its comments */
};
enum { IN_TEXT = 1, IN_BLOCK = 2 };
typedef struct also { const char *path; struct also *before; } also;
typedef struct note { const char *text; struct note *next; } note;
typedef struct document {
  pool pool;                           /* everything below is in it */
  const epi_name *names;               /* what the user brings, or NULL; this is not */
  struct known *known;                 /* keys of kinds, see kinds.c */
  const struct parameters *values;     /* numbers by name, see value.c; NULL: none */
  const char *const *given;            /* parameters that go over those of the file: "m=3 kg"; NULL: none. Not in the pool */
  const char *path;
  char *source;                        /* its bytes */
  long size;
  item *root;
  int wrong;                           /* how many mistakes were found */
  epi_sentence said[SENTENCES];        /* and what was said of the first ones */
  int count, room;
  item **all;                          /* in the order of the file */
  char *inside;                        /* per character: IN_TEXT, where '#' is no comment; IN_BLOCK: but on its first line it is */
  struct note *notes;                  /* what is right and may not be meant, in the order in which it was found */
  struct also *also;                   /* the other files that it is made of, the last first */
  const char *head, *tail;             /* comments above the first key and below everything */
  int apart;                           /* an empty line stands below the head */
} document;

int epi_document_open(document *, const char *path);                             /* the file at a path; 0, or REFUSED after a sentence */
int epi_document_read(document *, const char *text, size_t size);                    /* its bytes; 0, or REFUSED after a sentence */
/* "path:line: words", once for every mistake; returns REFUSED */
int epi_document_wrong(document *, const item *at, const char *words, ...) __attribute__((format(printf, 3, 4)));
int epi_document_wrong_at(document *, int line, const char *words, ...) __attribute__((format(printf, 3, 4)));
/* the same of what is right and may not be meant: a note, once for each */
void epi_document_note(document *, const item *at, const char *words, ...) __attribute__((format(printf, 3, 4)));
item *epi_item_of(const item *map, const char *key);                                 /* the value; NULL: there is none */
item *epi_item_key(const item *map, const char *key);                                /* the key itself, with the line where it stands */
const char *epi_item_what(const item *);                                             /* "a text", "a list" */
void epi_document_also(document *, const char *path);                                /* it is made of this file, too; path: in the pool */
int epi_file_plain(const char *path, long long *size);                               /* 0; -1: no such file; -2: not a plain file */

/* comments.c */
void epi_comments_find(document *);                                                  /* gives every comment to what it is about */
#endif
