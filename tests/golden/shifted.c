/* shifted.c - a libm for LD_PRELOAD whose answers are one unit off in the last place, as tests/foreign/shifted.c links one */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>

static double shifted(double x) { return x == 0 || fabs(x) == 1 ? x : nextafter(x, 1e308); }

#define ONE(f) double f(double x) { double (*libm)(double); *(void **)&libm = dlsym(RTLD_NEXT, #f); return shifted(libm(x)); }
#define TWO(f) double f(double x, double y) \
  { double (*libm)(double, double); *(void **)&libm = dlsym(RTLD_NEXT, #f); return shifted(libm(x, y)); }
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(exp) ONE(log) ONE(log1p) ONE(expm1) ONE(cbrt)
ONE(asinh) ONE(atanh) TWO(pow) TWO(atan2) TWO(hypot)

/* compilers join a sine and a cosine */
void sincos(double x, double *s, double *c)
{
  *s = sin(x);
  *c = cos(x);
}
