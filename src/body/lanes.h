/* lanes.h - two numbers at a time, with square roots made of products, so that every machine has the same bits */
#ifndef EPI_LANES_H
#define EPI_LANES_H
#include <string.h>

enum { LANES = 2 };                    /* what a register holds: longer vectors go through memory */
typedef double lanes __attribute__((vector_size(8*LANES)));
typedef long long whole __attribute__((vector_size(8*LANES)));

static inline lanes all(double x) { return (lanes){x, x}; }

/* 1/sqrt(x), x > 0 */
static inline lanes rsqrt(lanes x)
{
  /* the exponent halved gives 3 %; every step of Newton squares that */
  whole bits;
  memcpy(&bits, &x, sizeof bits);
  bits = 0x5FE6EB50C7B537A9LL - (bits >> 1);
  lanes y;
  memcpy(&y, &bits, sizeof y);
  for (int k = 0; k < 4; k++) y *= all(1.5) - all(0.5)*x*y*y;
  return y;
}

static inline lanes larger(lanes a, lanes b) { whole m = a > b; return (lanes)(((whole)a & m) | ((whole)b & ~m)); }
static inline lanes where(whole m, lanes a) { return (lanes)((whole)a & m); }

typedef struct { lanes x, y, z; } triple;
static inline triple cross(triple a, triple b) { return (triple){a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}; }
static inline lanes dot(triple a, triple b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static inline triple minus(triple a, triple b) { return (triple){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline triple plus(triple a, triple b) { return (triple){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline triple times(lanes k, triple a) { return (triple){k*a.x, k*a.y, k*a.z}; }
#endif
