/* lanes.h - many states of one kind of system, moved together: one call of a batch callback for all of them */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_LANES_H
#define EPICYCLE_LANES_H
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Lanes ----------------------------------------------------------------------------------------------------------------
 *   epi_lanes *l = epi_lanes_make("verlet", 64, systems, states);
 *   if (epi_lanes_run(l, 100.0, 0.1)) for (int k = 0; k < 64; k++) if (epi_lanes_error(l, k)) puts(epi_lanes_error(l, k));
 *   epi_lanes_free(l);
 * Lane k is the state states[k] of systems[k]. Where all of these are one and the same system, it needs `forces`; else they may differ in
 * their numbers and their masses, and need `forces_of`: in both a loop over lanes that the compiler takes several at a time. All have the
 * sizes, the fast phase and the time of the first.
 * Flows: verlet, euler-symplectic, explicit Runge-Kutta tables, hmm and strobe of a system with a phase, and what symmetric, compose,
 * strang, adjoint and substeps make of them, with fixed steps. Each lane has the bits that it has alone, in lanes of one.
 * A lane that fails stays at its last good state; the others do not know of it. */
typedef struct epi_lanes epi_lanes;

/* NULL only when memory is out; what cannot be moved so says why in the error of lane -1. The states are yours, and stay where they are */
static inline epi_lanes *epi_lanes_make(const char *flow, int lanes, epi_system *const *systems, epi_state *states);
/* as epi_advance and epi_run of all; 0, or how many lanes have failed so far, or EPI_WRONG: all, and lane -1 says why */
EPI_API int epi_lanes_advance(epi_lanes *, double h, long n);
EPI_API int epi_lanes_run(epi_lanes *, double end, double h);
/* n steps further, where nobody has touched the states since the last call: what is known of their forces is not asked again. EPI_WRONG
   where any of them fails, and all stay where they were */
EPI_API int epi_lanes_continue(epi_lanes *, double h, long n);
EPI_API const epi_flow *epi_lanes_flow(const epi_lanes *);                   /* what moves them all, for epi_calls and epi_walk */
EPI_API const char *epi_lanes_error(const epi_lanes *, int lane);            /* NULL: all is well */
/* the first thing that is doubtful: of the first step of this lane, else of all lanes together; NULL: nothing */
EPI_API const char *epi_lanes_warning(const epi_lanes *, int lane);
EPI_API void epi_lanes_free(epi_lanes *);
/* why such a flow of such a system cannot move in lanes, at most `size` letters of it; 0: it can */
EPI_API int epi_lanes_refuse(const char *flow, const epi_system *, char *why, size_t size);

/* ---- headers are compared, as in epicycle/abi.h ---- */
EPI_API epi_lanes *epi_lanes_make_abi(const char *flow, int lanes, epi_system *const *systems, epi_state *states, const epi_abi *);
static inline epi_lanes *epi_lanes_make(const char *flow, int lanes, epi_system *const *systems, epi_state *states)
{
  return epi_lanes_make_abi(flow, lanes, systems, states, &epi_header);
}

#ifdef __cplusplus
}
#endif
#endif
