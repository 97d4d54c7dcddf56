/* model.h - what the models share. A model is one file with one const record, and one line in the list of src/model.c */
#ifndef EPI_MODEL_H
#define EPI_MODEL_H
#include "core.h"

/* names of the parts a case may have: "model", two parts, the closing zero entry */
enum { EPI_PARTS = 4 };

/* slots and an observable that most models fill in alike: energy = kinetic + potential, kinetic = v M v/2 */
EPI_INSIDE double epi_kinetic_plain(epi_system *, double t, const double *y);
EPI_INSIDE double epi_energy_plain(epi_system *, double t, const double *y);
EPI_INSIDE double epi_case_energy(const epi_case *, const epi_state *s);

/* a planar chain of n unit masses anchored at the origin by springs of rest length 1 (chain.c) */
EPI_INSIDE double *epi_chain_make(epi_case *, int n);          /* the n spring constants, to be filled in; NULL: see the error */
EPI_INSIDE double epi_chain_spin(const epi_case *, const epi_state *s);
EPI_INSIDE void epi_chain_draw(const epi_case *, const epi_state *, epi_scene *);

/* Jacobi's amplitude and Legendre's integral of the first kind, of modulus k with 1 - k^2 = kc^2 (elliptic.c) */
EPI_INSIDE double epi_amplitude(double u, double kc);
EPI_INSIDE double epi_legendre(double phi, double kc);
#endif
