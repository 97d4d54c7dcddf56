/* inspecting.h - what a run knows of itself, between the files that make it and that look */
#ifndef INSPECTING_H
#define INSPECTING_H
#include "impact.h"
#include "inspect.h"

enum { EPI_GROUPS = 8, EPI_ERRORS = 32, EPI_KNOWN = 6 };
/* looks at a run, at least; steps of a short one; steps while a difference fades */
enum { EPI_LEAST_LOOKS = 4, EPI_SHORT = 256, EPI_SETTLE = 16 };

/* what a checkpoint holds of it, beside the block */
typedef struct {
  int begun, armed, due;               /* a look is under way, and it is not because of a jump */
  int pulled;                          /* of how many coordinates `pull` tells */
  long failed, cost;                   /* looks at which the halves failed; steps that the last one took, and beginnings */
  long wake, next, jumps, dues, last_at, samples;    /* wake: the next step at which there is something to do */
  double from, t, theta, rest;         /* the start of the step that is looked at; where the probe stands */
  double jump;                         /* the largest change of velocities in a step so far */
  double worst[EPI_GROUPS], worst_range[EPI_GROUPS];   /* the largest difference against how far it had gone until then */
  double apart[EPI_GROUPS];                /* after the step that is looked at */
  double usual[2][EPI_GROUPS];             /* at the last two looks that were due */
  double first[EPI_KNOWN][EPI_GROUPS], counts[EPI_KNOWN][EPI_GROUPS];
  double since[EPI_KNOWN];             /* of the first ones: before it is known what is usual */
  double fading;                       /* what the difference under way counted for a step ago */
  double least, kinetic_sum, next_sample, error[EPI_ERRORS];
  int strange;                         /* the first observable that was not finite, counted from 1 */
  double strange_at, strange_value;
  long seen_step, through;             /* where `seen` was; steps that went through something, of which no force told */
  double seen_at, through_at;          /* and when the first of them began */
  epi_impacts impacts;
} epi_inspector_memory;

struct epi_inspector {
  epi_flow *probe, *inner;             /* inner: the flow of the run, below the watches */
  epi_inspector_memory m;
  double *block;                       /* what follows; nblock numbers */
  size_t nblock;
  double *half, *kept;                 /* the state of the probe, and the memory of the flow there */
  double *came;                        /* where the probe came from, for a step that is interrupted */
  double *low, *high, *before;         /* of every coordinate so far; velocities after the last step */
  double *row, *way;                   /* the last sample; how far every coordinate went, to and fro, from one to the next */
  double *impacts;                     /* see impact.h */
  epi_columns columns;
  double *seen;                        /* the state at the last step that was seen */
  double *pull;                        /* how far the fastest oscillation at the start goes in every coordinate */
  int *group, groups;                  /* coordinates of one kind and unit are compared with each other */
  unsigned leads[EPI_GROUPS];              /* of velocities: which groups of positions they move */
  int decays;                          /* something does, within some steps, at the start */
  int whole;                           /* a run of so few steps that all of it is taken again */
  int tighter;                         /* by the same flow with a tenth of its tolerance, not in halves */
  long stride, most_samples;
  double span, steps;                  /* of the whole run, as planned */
};
#endif
