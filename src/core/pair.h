/* pair.h - two numbers that are worked upon at once, wherever they stand */
#ifndef EPI_PAIR_H
#define EPI_PAIR_H

typedef double epi_pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline epi_pair epi_pair_at(const double *x) { return *(const epi_pair *)x; }
static inline void epi_put_pair(double *x, epi_pair two) { *(epi_pair *)x = two; }
#endif
