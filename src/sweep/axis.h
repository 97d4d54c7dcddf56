/* axis.h - the numbers that a sweep goes over */
#ifndef EPI_SWEEP_AXIS_H
#define EPI_SWEEP_AXIS_H
#include "epicycle/sweep.h"
#include "core.h"

enum { EPI_AXIS_NAME = 96 };
typedef enum { AXIS_EVEN, AXIS_LOG, AXIS_LIST, AXIS_TABLE, AXIS_UNIFORM, AXIS_LOGUNIFORM, AXIS_NORMAL } axis_kind;
typedef struct axis {
  char name[EPI_AXIS_NAME];
  axis_kind kind;
  long long n;                 /* values; 0: they are drawn */
  double a, b, step;           /* from and to, or mean and deviation */
  double *list;
} axis;
/* "e=0.1:0.9:0.1", or of a table "e"; 0, or -1 and the sentence. free its list */
EPI_INSIDE int epi_axis_read(const char *text, int table, axis *, char *error, size_t size);
EPI_INSIDE double epi_axis_value(const axis *, long long i);                          /* of a grid */
/* draw number i of n: by the seed, and by which axis this is */
EPI_INSIDE double epi_axis_draw(const axis *, int which, unsigned long long seed, int latin, long long i, long long n);
#endif
