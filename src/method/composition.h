/* composition.h - weights on a few flows in turn: the shape of every composition */
#ifndef EPI_COMPOSITION_H
#define EPI_COMPOSITION_H
#include "core.h"

enum { MOST_FLOWS = 4 };
typedef struct epi_composition {
  int n, flows, last, deep;            /* last: the turn that lands the clock; deep: its flows are made of flows */
  epi_flow *flow[MOST_FLOWS];
  double w[];
} epi_composition;

/* the node f becomes: flow[i % flows] by w[i] h for i = 0 .. n-1; sets its claims, go and own; NULL when refused */
EPI_INSIDE epi_composition *epi_composition_build(epi_flow *f, int n, const double *w, int flows, epi_flow *const *flow);
EPI_INSIDE unsigned epi_shared_claims(int flows, epi_flow *const *flow);
EPI_INSIDE int epi_composition_go(epi_flow *, epi_state *, double h, long n);

/* the records whose nodes have such turns for their own */
extern EPI_INSIDE const epi_record epi_SYMMETRIC_RECORD, epi_COMPOSE, epi_EULER_SYMPLECTIC;
#endif
