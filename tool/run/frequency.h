/* frequency.h - how fast a model oscillates at its start, and the stability limit of a flow of it */
#ifndef FREQUENCY_H
#define FREQUENCY_H
#include "epicycle.h"

typedef struct fastest {
  double h;                            /* the step */
  epi_limit limit;
  int open;                            /* contacts that are open at the start */
  epi_collision closing;               /* the fastest of them when it closes; its name is NULL where none is known */
  double bears;                        /* h times its rate, of this flow; NaN: it chooses its steps, or nobody knows */
  char *warning, *later;               /* of the start, and of what may close later; NULL: all is well */
} fastest;
fastest fastest_of(epi_case *, epi_flow *, const char *flow, double h);
void fastest_print(const fastest *);
void fastest_json(const fastest *);
#endif
