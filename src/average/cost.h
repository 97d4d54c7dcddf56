/* cost.h - what an average spends: the time that its micro runs cover against that of the run */
#ifndef EPI_COST_H
#define EPI_COST_H
#include "core.h"

typedef struct {
  long windows;
  double first, last;                  /* times of the first and of the last one */
  int inside;                          /* the micro flow of another average: its times are not those of the run */
  long *held;                          /* counters of the micro flow, while the average looks at itself */
} epi_cost;

static inline void epi_cost_add(epi_cost *c, double t)
{
  if (!c->windows++) c->first = t;
  c->last = t;
}
/* of an average with a slow facet; NULL: it has none */
EPI_INSIDE epi_cost *epi_cost_of(const epi_flow *average);
/* in build, when own is there: room for the counters, and an average in the micro flow of this one is told that it is inside; in drop */
EPI_INSIDE void epi_cost_open(epi_flow *average);
EPI_INSIDE void epi_cost_close(epi_flow *average);
/* around a look: what it steps and calls in the micro flow is no part of the method, and not counted */
EPI_INSIDE void epi_cost_hold(epi_flow *average);
EPI_INSIDE void epi_cost_back(epi_flow *average);
/* 1: this evaluation was made before the run was stopped, and is no window more */
EPI_INSIDE int epi_cost_repeats(epi_flow *average);
/* what an average saw, first of all: how many windows, at which times */
enum { EPI_COST_SEEN = 3 };
EPI_INSIDE void epi_cost_seen(const epi_cost *, double *to);
EPI_INSIDE int epi_cost_see(epi_cost *, const double *from);                 /* not 0: nobody can have seen that */
/* warns where resolving everything, by the micro flow with steps of h, would have cost less than windows of this length */
EPI_INSIDE void epi_cost_judge(epi_flow *average, const epi_cost *, double length, double h);
#endif
