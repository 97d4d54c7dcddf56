/* columns.h - what looks see of single columns: coordinates, each against its own way, and observables */
#ifndef COLUMNS_H
#define COLUMNS_H
#include "recorder.h"

/* numbers of a checkpoint that somebody else holds */
typedef struct epi_columns {
  int n, nobs;
  double *looks;                       /* at observables; one number */
  double *least, *most;                /* of every observable in rows and looks ... */
  double *strays, *differs;            /* ... at how many looks halves made it another one; by how much, summed */
  double *last, *way;                  /* the values of both at the last look; how far each went, to and fro, from one to the next */
  double *apart;                       /* of every coordinate: what differs, summed over the steps it stands for */
} epi_columns;

EPI_INSIDE size_t epi_columns_room(size_t n, size_t nobs);
EPI_INSIDE void epi_columns_begin(epi_columns *, double *room, int n, int nobs);
EPI_INSIDE void epi_columns_row(epi_columns *, const double *observable);
EPI_INSIDE void epi_columns_look(epi_columns *, epi_case *, const epi_state *, const epi_state *half);
/* what observable i differs by where it does so at most looks; else 0 */
EPI_INSIDE double epi_columns_stray(const epi_columns *, int i, double *range, double *size);
/* 1: it changes from look to look by far less than it differs: that is no noise */
EPI_INSIDE int epi_columns_smooth(const epi_columns *, int i);
#endif
