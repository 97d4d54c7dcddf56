/* observable.h - sensitivity of observables to the state */
#ifndef EPICYCLE_CHOOSE_OBSERVABLE_H
#define EPICYCLE_CHOOSE_OBSERVABLE_H
#include "core/core.h"
#include "epicycle/model.h"

/* by how much each of `many` observables changes, in linear approximation, where every position changes by the largest position and every
   velocity by the largest velocity, at the start or later (positions, velocities): terms that cancel at the start, or are zero there, leave
   rounding, which is relative to this. State by state, as a state is evaluated once for all of them. y: room for a state; now: for `many`
   values at the start */
void epi_observable_changes(epi_case *, const epi_observable *, int many, const double later[2], double *y, double *size, double *now);
#endif
