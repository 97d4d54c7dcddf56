/* band.h - the normal matrix of constraints in a band, for pattern.c */
#ifndef EPI_BAND_H
#define EPI_BAND_H
#include "core.h"

typedef struct epi_band epi_band;
EPI_INSIDE epi_band *epi_band_make(const epi_system *);                      /* NULL: out of memory */
EPI_INSIDE void epi_band_free(epi_band *);
EPI_INSIDE long epi_band_room(const epi_band *);
EPI_INSIDE double epi_band_cost(const epi_band *);                           /* of its factors, in products of two numbers */
/* 0, or 1 + a constraint without a pivot */
EPI_INSIDE int epi_band_factor(const epi_band *, const double *G, const double *W, double *A);
EPI_INSIDE void epi_band_solve(const epi_band *, double s, double *A, double *x);
EPI_INSIDE void epi_band_products(const epi_band *, const double *G, const double *W, double *A);
EPI_INSIDE const int *epi_band_place(const epi_band *, int *band);
EPI_INSIDE double epi_band_weakest(const epi_band *, const double *A, int *which);         /* of the factors in A */
#endif
