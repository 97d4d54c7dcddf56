/* ranks.h - processes that mpirun started, each of them a worker: rank 0 hands out the cases and writes, the others run them.
 * ranks.c has one process, ranks-mpi.c those of MPI: one of them is linked */
#ifndef RANKS_H
#define RANKS_H
#include "epicycle/sweep.h"

typedef struct lead {                  /* what rank 0 has */
  epi_sweep *sweep;
  /* the first of some cases that nobody has, and how many; -1: there are no more */
  long long (*next)(void *data, long long most, long long *count);
  int (*see)(void *data, const epi_sweep_row *);
  int (*stop)(void *data);             /* not 0: it is to end */
  void *data;
} lead;
int ranks_begin(void);                 /* how many there are; 0 after a sentence */
int ranks_me(void);
int ranks_agree(int code);             /* all wait for rank 0, and get its code */
int ranks_lead(const lead *);          /* until all cases are done: 0, or EPI_STOPPED */
int ranks_follow(epi_sweep *);         /* cases of rank 0, until there are no more; an exit code */
void ranks_fail(const char *sentence) __attribute__((noreturn));       /* all of them end */
void ranks_end(void);
#endif
