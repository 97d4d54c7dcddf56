/* tolerance.h - what a tolerance asks for */
#ifndef EPI_TOLERANCE_H
#define EPI_TOLERANCE_H
#include "core.h"

typedef struct epi_bound {
  double rtol, first, longest, most;
  const double *atol;                  /* one for each component, or one for all */
  int natol, power, own;               /* power of h in the estimate; own: the flow has one */
  int ode45;                           /* which controller */
} epi_bound;
EPI_INSIDE epi_bound epi_bound_of(const epi_flow *tolerance);
EPI_INSIDE void epi_tolerance_set(epi_flow *tolerance, double r);   /* rtol and atol, for another run */
/* the sentence where no step is short enough for what a system refuses; bad 0: its force is no number there */
EPI_INSIDE int epi_no_way_on(epi_flow *, double t, double dt, int bad);
#endif
