/* document.h - a YAML file as a tree of items that know their lines, and their comments */
#ifndef DOCUMENT_H
#define DOCUMENT_H
#include "tool.h"

typedef enum { ITEM_TEXT, ITEM_LIST, ITEM_MAP } item_kind;
typedef struct item item;
struct item {
  item_kind kind;
  int line;
  char *text;                          /* of a text; what it means is for the field that reads it to say */
  int n;
  item **part, **key;                  /* of a list: its items; of a map: its values, and keys, which are texts */
  long size;                           /* with everything inside, aliases as often as they are used */
  int depth;
  int owner, flat;                     /* it may have comments: a key, or an item of a list; flat: in brackets that begin on its line */
  char *before, *after;               /* whole lines of comments above it; the comment at the end of its line */
  int gap;                             /* an empty line stands above it and its comments */
};
enum { IN_TEXT = 1, IN_BLOCK = 2 };
typedef struct document {
  char *path;
  char *source;                        /* its bytes */
  long size;
  item *root;
  int wrong;                           /* how many sentences were said */
  int count, room;
  item **all;                          /* in the order of the file */
  char *inside;                        /* per character: IN_TEXT, where '#' is no comment; IN_BLOCK: but on its first line it is */
  char *head, *tail;                   /* comments above the first key and below everything */
  int apart;                           /* an empty line stands below the head */
} document;

document *document_read(const char *path);                                           /* NULL after a located sentence */
void document_free(document *);
/* "path:line: words", once for every mistake; returns REFUSED */
int document_wrong(document *, const item *at, const char *words, ...) __attribute__((format(printf, 3, 4)));
int document_wrong_at(document *, int line, const char *words, ...) __attribute__((format(printf, 3, 4)));
item *item_of(const item *map, const char *key);                                     /* the value; NULL: there is none */
item *item_key(const item *map, const char *key);                                    /* the key itself, with the line where it stands */
const char *item_what(const item *);                                                 /* "a text", "a list" */

/* comments.c */
void comments_find(document *);                                                      /* gives every comment to what it is about */

/* folder of a path, with its slash; new memory */
char *document_folder(const char *path);
#endif
