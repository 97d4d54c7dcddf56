/* impact.h - what happens in a few steps of many: impacts, close encounters */
#ifndef IMPACT_H
#define IMPACT_H
#include "core.h"

/* plain numbers, for a checkpoint. Steps are seen in blocks, by how much velocities change in one; what changes them far more than the calm
   ones do is an impact, until there were as many calm ones. Some of them are taken again with halved steps */
typedef struct epi_impacts {
  int struck;                          /* the impact under way is a blow, with nothing of it before and after */
  long keep;                           /* numbers of the memory of the flow */
  int steps, least;                    /* of a block; impacts that are taken again whatever that costs */
  double share, end;                   /* of all steps that taking them again may cost; of the run */
  long blocks, loud, all, again;       /* seen; with a large change; impacts; those that were taken again */
  double calm, largest;                /* sum of the changes in calm blocks; the largest change */
  int inside, pause;                   /* blocks since an impact began, calm ones since it was heard last ... */
  int taken;                           /* ... and taken again so far */
  double differs;                      /* the least that differed in this pause, of the positions */
  double spent;                        /* steps taken again */
  double t, theta, rest;               /* where the last block ended */
  double at, at_theta, at_rest;        /* where the impact that is taken again stands */
} epi_impacts;

/* the numbers that it needs beside that, of a state of n and a memory of `keep` numbers: behind each other the state and the memory at the
   end of the last block, those of the impact that is taken again, of every coordinate the sum of what differed after impacts and the
   least of that after this one, and room */
EPI_INSIDE size_t epi_impacts_room(size_t n, size_t keep);
EPI_INSIDE void epi_impacts_begin(epi_impacts *, double *room, const epi_flow *run, const epi_state *);
/* after every block; probe: another flow of the same text */
EPI_INSIDE void epi_impacts_block(epi_impacts *, double *room, const epi_flow *run, epi_flow *probe, const epi_state *, double steps);
/* what all impacts may have put coordinate i off by, together */
EPI_INSIDE double epi_impacts_off(const epi_impacts *, const double *room, const epi_flow *run, int i);
#endif
