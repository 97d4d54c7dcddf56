/* two.h - two numbers that are worked upon at once, wherever they stand */
#ifndef EPI_TWO_H
#define EPI_TWO_H
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* compiled where it is used, for sizes that are constants there */
#define EPI_INLINED static inline __attribute__((always_inline))

/* compiled a second time for machines that have AVX: the same operations one by one, so that results keep their bits, with fewer copies
   between them */
#if defined __x86_64__ && defined __GNUC__
#define EPI_FOR_AVX __attribute__((target("avx")))
#define EPI_HAS_AVX __builtin_cpu_supports("avx")
#endif

typedef double epi_two __attribute__((vector_size(16), aligned(8), may_alias));

/* four, where AVX works upon them; by pointers, as there is no register for them elsewhere */
typedef double epi_four __attribute__((vector_size(32), aligned(8), may_alias));

typedef long long epi_two_bits __attribute__((vector_size(16), aligned(8), may_alias));

static inline epi_two epi_two_at(const double *x) { return *(const epi_two *)x; }
static inline void epi_put_two(double *x, epi_two two) { *(epi_two *)x = two; }
static inline epi_two epi_two_size(epi_two x) { return (epi_two)((epi_two_bits)x & 0x7fffffffffffffffLL); }
/* x where that is so, else 0; a comparison of two says for each */
static inline epi_two epi_two_where(epi_two_bits so, epi_two x) { return (epi_two)(so & (epi_two_bits)x); }
/* a where it is larger, else b */
#ifdef __SSE2__
/* gcc does not see that this is one instruction */
static inline epi_two epi_two_larger(epi_two a, epi_two b) { return (epi_two)_mm_max_pd((__m128d)a, (__m128d)b); }
#else
static inline epi_two epi_two_larger(epi_two a, epi_two b)
{
  const epi_two_bits first = a > b;
  return (epi_two)((first & (epi_two_bits)a) | (~first & (epi_two_bits)b));
}
#endif

/* of so many numbers that are left: two, or the last one twice */
static inline epi_two epi_lanes_at(const double *x, int left) { return left > 1 ? epi_two_at(x) : (epi_two){x[0], x[0]}; }
static inline void epi_put_lanes(double *x, int left, epi_two two)
{
  if (left > 1) epi_put_two(x, two);
  else x[0] = two[0];
}
#endif
