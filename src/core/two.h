/* two.h - two numbers that are worked upon at once, wherever they stand */
#ifndef EPI_TWO_H
#define EPI_TWO_H

typedef double epi_two __attribute__((vector_size(16), aligned(8), may_alias));

static inline epi_two epi_two_at(const double *x) { return *(const epi_two *)x; }
static inline void epi_put_two(double *x, epi_two two) { *(epi_two *)x = two; }
#endif
