/* emit.h - a flow and the C source of its model as one program in C, without the library: for compilers, and for GPUs */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_EMIT_H
#define EPICYCLE_EMIT_H
#include "model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- A program ----------------------------------------------------------------------------------------------------------
 * It is made of one case, its flow, and the text of the C file that the model stands in, of which it takes what the forces need. Compiled,
 * with -ffp-contract=off, it has one function,
 *   void lanes_run(long n, int look, const double *in, double *out);
 * which runs n cases that differ in their numbers, from their start to their end, to the bits of the flow itself. What goes in, `in`
 * numbers of each case, comes from epi_emit_lane; what comes out is a code (0: done), t, what rounding left of t, theta, and the state.
 * Look is 1: instead of a run, the rate of the model at the start, in place of the state.
 * What is emitted: verlet, euler-symplectic, strang and compose of kick, drift and velocity-kick, symmetric, the explicit Runge-Kutta
 * methods, tolerance, substeps, hmm and strobe, of systems without constraints and rotations, whose mass is diagonal. Around all of them,
 * at(flow, of=COORDINATE, stop=1): the program stops before the step in which the event may be, with the code EPI_LANE_EVENT, and the flow
 * itself goes on from there. */
enum { EPI_LANE_EVENT = -2, EPI_LANE_STATE = 4 };           /* state: where that begins in what comes out */
typedef struct epi_emitted {
  char error[320];                     /* what cannot be emitted, and what to do; or "" */
  char *text;                          /* the program */
  int dim, in, out;                    /* numbers of a state, and of each case in and out */
  size_t data;                         /* leave this and what follows alone */
  epi_system shape;                    /* of the case that it was emitted from */
  int averages, masses;
  int events;                          /* it stops before events */
  int adaptive;                        /* it chooses its steps, and is given all the way as one */
  struct { double period, theta0, leak; int strobe; } average[8];             /* period and phase as given, NaN: those of the system */
} epi_emitted;
EPI_API epi_emitted *epi_emit(const epi_case *, epi_flow *, const char *source);         /* NULL only when memory is out */
/* the numbers of a case, made from the same texts with other numbers, run from its start to end by steps of h. 0, or 1: the flow refuses
   this one, or it is of another shape, and is to be asked itself */
EPI_API int epi_emit_lane(const epi_emitted *, const epi_case *, double h, double end, double *in);
EPI_API void epi_emit_free(epi_emitted *);

#ifdef __cplusplus
}
#endif
#endif
