/* measure.h - what a flow claims, measured; how fast a system oscillates */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_MEASURE_H
#define EPICYCLE_MEASURE_H
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Measuring --------------------------------------------------------------------------------------------------
 * What a flow claims, measured on your own system from your own state, with a step near h at which its error shows:
 *   epi_measured m = epi_measure(f, &s, 0.1, EPI_SYMPLECTIC);
 *   if (m.holds == 0) printf("not symplectic here: %g, where %g is allowed\n", m.value, m.allowed);
 * claim is one of EPI_SYMMETRIC (steps there and back), EPI_REVERSIBLE (there, velocities turned round, back), EPI_SYMPLECTIC (the
 * tangent map J of a step keeps dq ^ dp, p = M v), or 0: the order. It is measured a little after the state, where a start at rest
 * hides nothing. The state is not moved, and the memory of the flow is put back; only its counters go on. */
typedef struct epi_measured {
  double value;                /* the order; or how far the claim is missed, relative to the motion */
  double allowed;              /* what rounding leaves; of the order: how much less than claimed */
  double step;                 /* the step it was measured with */
  int holds;                   /* 1 yes, 0 no, -1 not measured */
  char why[320];               /* why it was not measured, or why it fails where that is known */
} epi_measured;
EPI_API epi_measured epi_measure(epi_flow *, const epi_state *, double h, unsigned claim);

/* the fastest small oscillation of the system about a state, in radians per time, constraints and rotations included; *decay: the
   fastest decay, where asked for. NaN where the forces cannot be had there */
EPI_API double epi_frequency(epi_flow *, const epi_state *, double *decay);

/* the longest step that a flow of this text bears at a state, by what oscillates and decays there and by the fast phase: beyond `step`
   small motions grow without bound, beyond `phase_step` there are fewer than two evaluations in a turn of the phase. The text and the names
   are those the flow was made of. evaluations: at most about so many of the system, and the limit only where h is beyond it; 0: all that is
   known */
typedef struct epi_limit {
  double w, decay;             /* the fastest oscillation and decay there */
  double limit;                /* of h times the faster of them: infinite where there is none, NaN where it is not known */
  double rate;                 /* ... of those that set it; falls: it is a decay */
  double phase;                /* rate of the fast phase, where the flow is to see it; else 0 */
  double step, phase_step;     /* infinite: none */
  double calls;                /* evaluations in a step */
  int falls;
  const char *why;             /* why the limit is not known, or NULL */
  epi_cause cause;             /* EPI_MEMORY where memory was out */
} epi_limit;
EPI_API epi_limit epi_limit_of(const char *text, const epi_name *names, epi_flow *, const epi_state *, double h, long evaluations);
/* the same of what may come later: h times the rate of an oscillation, or of a decay, that a flow of this text bears in the system `part`;
   z: up to there at least. Infinite where there is none, NaN where it is not known */
EPI_API double epi_limit_in(const char *text, const epi_name *names, const char *part, double z, int falls);

/* a motion that a fast phase drives and that comes back after a period: what small deviations from it grow by in each, at most (the largest
   Floquet multiplier by size); it is stable below 1, and where nothing is damped at 1. f resolves the period with steps of h, and s is on
   that motion. NaN: why says what is missing */
typedef struct epi_floquet { double multiplier, period; char why[320]; } epi_floquet;
EPI_API epi_floquet epi_floquet_of(epi_flow *, const epi_state *, double h);

/* how many constraints of the system follow from others at a state, and the first of them in words. They are held with the others; of
   all multipliers that do it the run has the smallest, each weighed by what it moves on its own. -1: it cannot be told */
EPI_API int epi_redundant(epi_system *, const epi_state *, char *first, size_t size);

#ifdef __cplusplus
}
#endif
#endif
