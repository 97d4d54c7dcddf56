/* names.h - names and their numbers, in the order in which they came */
#ifndef EPI_NAMES_H
#define EPI_NAMES_H
#include "pool.h"

typedef struct name_list {
  int n, room;
  const char **name;
  int *slot, slots;                    /* 1 + number, by the name */
} name_list;
int epi_names_add(pool *, name_list *, const char *name);                                /* 0; 1: it is there already; -1: memory is out */
int epi_names_find(const name_list *, const char *name);                                 /* its number; -1: there is none */
#endif
