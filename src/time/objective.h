/* objective.h - what the steps should follow: Q > 0, steps go as 1/Q. The system's own, ready-made ones, or a function of the user's */
#ifndef EPI_OBJECTIVE_H
#define EPI_OBJECTIVE_H
#include "own.h"

typedef enum { EPI_Q_MODEL, EPI_Q_POTENTIAL, EPI_Q_ARC, EPI_Q_STIFFNESS, EPI_Q_CONTACT, EPI_Q_GIVEN } epi_objective_kind;
typedef struct epi_objective {
  epi_objective_kind kind;
  double power, floor, smooth, limit;
  epi_name given;
} epi_objective;

/* scratch, in numbers, that every call below is handed as work */
EPI_INSIDE long epi_objective_room(const epi_system *);
/* the width of the onset of contacts, in lengths per eps: as given, or from the speed that the energy at this state allows */
EPI_INSIDE double epi_objective_width(epi_flow *, const epi_objective *, const epi_state *, double *work);
/* refuses an objective that this system cannot have */
EPI_INSIDE void epi_objective_check(epi_flow *, const epi_objective *);
/* Q, and its gradient (nv for q, nv for v, nz) where it has one: *graded says so; grad may be NULL. 0 on success */
EPI_INSIDE int epi_objective_at(epi_flow *, const epi_objective *, double t, const double *y, double *Q, double *grad, int *graded,
                                double *work);
/* d/dt log Q along the motion: by the gradient, or by a symmetric difference over 2d of time with d = span/Q */
EPI_INSIDE int epi_objective_rate(epi_flow *, const epi_objective *, epi_state *, double span, double *xi, double *work);
/* Q and its gradient by position, found by differences where there is none */
EPI_INSIDE int epi_objective_slope(epi_flow *, const epi_objective *, double t, const double *y, double *Q, double *grad, double *work);
/* at the start of a run: does Q depend on velocities, where the method has no form for it? 0 on success */
EPI_INSIDE int epi_objective_of_position(epi_flow *, const epi_objective *, const epi_state *, double *work);
/* x to a power, quick for the usual ones */
static inline double epi_power(double x, double p)
{
  return p == 1 ? x : p == 0.5 ? sqrt(x) : p == 1.5 ? x*sqrt(x) : p == 2 ? x*x : p == -1 ? 1/x : pow(x, p);
}
#endif
