/* motion.h - the run that stands in the resources of a unit: a model with its parameters, a flow, a state */
#ifndef MOTION_H
#define MOTION_H
#include "epicycle.h"
#include "epicycle/file.h"

typedef struct motion {
  char *notes, *folder;                /* what stands in run.txt: key=value lines; where it stands */
  epi_file *file;                      /* a world comes from its file; else NULL */
  epi_case *c;
  epi_flow *flow;
  epi_state s;
  double step, *value;                 /* value: of the parameters that were set; NaN: not set */
  int parameters, outputs, adaptive;
  char error[1024];
  epi_cause cause;                     /* of a step that failed */
} motion;
/* 0, or -1 and the sentence in error */
int motion_open(motion *, const char *folder);
int motion_make(motion *);                                                           /* again, with the values that were set */
/* as a state that was saved, with these values of parameters; anew: others were set since it was made. Where it is refused nothing
   changes */
int motion_load(motion *, const double *value, int anew, FILE *);
int motion_go(motion *, double to);
double motion_output(motion *, int column);
double motion_parameter(const motion *, int i);
int motion_tunes(const motion *, int i);                                             /* 1: parameter i is a number that can be set */
char *motion_note(const motion *, const char *key);                                  /* new memory, or NULL */
void motion_close(motion *);
#endif
