/* energy.h - kinetic and potential energy of a system from what it says */
#ifndef EPI_ENERGY_H
#define EPI_ENERGY_H
#include "core.h"

/* work: as many numbers as the state has */
EPI_INSIDE int epi_has_potential(const epi_system *);
EPI_INSIDE double epi_potential_of(epi_system *, double t, const double *q, double *work);       /* potential, or energy at rest */
EPI_INSIDE double epi_kinetic_of(epi_system *, double t, const double *q, const double *v, double *work);

/* refuses what the flows that scale time by an energy have no form for, each by its name */
EPI_INSIDE void epi_needs_energy(epi_flow *, const char *instead, int turns);      /* turns: it has a form for rotations */
/* at the start of a run: is there a potential to go by? 0 on success */
EPI_INSIDE int epi_no_potential(epi_flow *, const epi_state *, double V, double *work);
/* the level of the energy as given must be near that of the start, T + V. 0 on success */
EPI_INSIDE int epi_other_level(epi_flow *, const epi_state *, const epi_value *given, double T, double V);
/* at the start of a run of a method that divides by the mass: is it the one in the energy? 0 on success */
EPI_INSIDE int epi_other_mass(epi_flow *, const epi_state *, double *work);
/* at the start of a run: is the potential one of position alone? 0 on success */
EPI_INSIDE int epi_still(epi_flow *, const epi_state *, double *work);
#endif
