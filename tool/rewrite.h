/* rewrite.h - C text in which members of a struct have moved into records of it */
#ifndef REWRITE_H
#define REWRITE_H
#include <stddef.h>

/* a member of this struct as it was called, the record of the struct that it is in now (NULL: none), and what it is called there */
typedef struct moved { const char *of, *old, *record, *now; } moved;
/* where in the text such a word stands */
typedef struct place { size_t at; const moved *is; } place;

/* the word at or behind this line and column, as compilers count them, from 1: its place in the text; -1: it is not there */
long rewrite_find(const char *text, const char *word, long line, long column);
/* the text with all of them moved, in new memory. In a list the members of one record stand together, in braces; lines that grow too long
   are broken */
char *rewrite(const char *text, place *, int n);
#endif
