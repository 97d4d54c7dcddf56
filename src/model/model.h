/* model.h - what the models share. A model is one file with one const record, and one line in the list of src/models.c */
#ifndef EPI_MODEL_H
#define EPI_MODEL_H
#include "case.h"

/* a planar chain of n unit masses anchored at the origin by springs of rest length 1 (chain.c) */
EPI_INSIDE double *epi_chain_make(epi_case *, int n);          /* the n spring constants, to be filled in; NULL: see the error */
EPI_INSIDE double epi_chain_spin(const epi_case *, const epi_state *s);
EPI_INSIDE void epi_chain_draw(const epi_case *, const epi_state *, epi_scene *);

/* Jacobi's amplitude and Legendre's integral of the first kind, of modulus k with 1 - k^2 = kc^2 (elliptic.c) */
EPI_INSIDE double epi_amplitude(double u, double kc);
EPI_INSIDE double epi_legendre(double phi, double kc);
#endif
