/* revolve.h - the functions of the companion facet of revolve */
#ifndef EPI_REVOLVE_H
#define EPI_REVOLVE_H
#include "core.h"

/* a second solution beside the run, after each of its steps: with a memory of its own, so many numbers, without a trace in the run.
   same: where the run is. along: one period, as the run has taken it last, in place of so many, or 0: as far from the run as it was; rough:
   with fewer nodes. aside: away from the run by so many tolerances. beside: a step of M periods that ends where the run is now. Largest
   number of points of a step; tolerances that the run is off by as a rule, where errors do not grow; periods of its last step; points that
   was made from, also of such a memory */
EPI_INSIDE long epi_revolve_beside_size(const epi_flow *);
EPI_INSIDE void epi_revolve_same(const epi_flow *, const epi_state *run, epi_state *, double *memory);
EPI_INSIDE int epi_revolve_aside(epi_flow *, const epi_state *run, epi_state *, double *memory, double tolerances);
EPI_INSIDE int epi_revolve_along(epi_flow *, const epi_state *run, epi_state *, double *memory, int turns, int rough);
EPI_INSIDE int epi_revolve_beside(epi_flow *, const epi_state *run, epi_state *, double *memory, double M);
/* what the state moves by until each of these phases of the turn that begins here, about; the last is a whole turn later */
EPI_INSIDE int epi_revolve_swing(epi_flow *, const epi_state *, double *out);
EPI_INSIDE double epi_revolve_order(const epi_flow *);
EPI_INSIDE double epi_revolve_off(const epi_flow *);
EPI_INSIDE double epi_revolve_turns(const epi_flow *);
EPI_INSIDE double epi_revolve_points(const epi_flow *, const double *memory);
#endif
