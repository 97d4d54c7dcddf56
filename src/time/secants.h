/* secants.h - how a function of the state changes, by its last two changes that were seen */
#ifndef EPI_SECANTS_H
#define EPI_SECANTS_H
#include "core.h"

/* kept numbers: how many pairs there are, what part of a change was foretold wrongly when that was last seen; how many changes there have
   been since the newest pair, and since the one before it; then these pairs, the newest first */
static inline long epi_secants_size(int n) { return 4 + 4L*n; }
/* the change of the function that belongs to the change dy of the state. Returns by how much it may be off, in its units, or HUGE_VAL;
   per_unit: one over the unit of each coordinate; slope: how much the function changes with the state where no pair says */
EPI_INSIDE double epi_secants_foretell(const double *kept, int n, const double *per_unit, const double *dy, double slope, double *df);
/* what was foretold has been used; or the change has been seen */
EPI_INSIDE void epi_secants_use(double *kept);
EPI_INSIDE void epi_secants_see(double *kept, int n, const double *per_unit, const double *dy, const double *df);
#endif
