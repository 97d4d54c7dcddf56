/* shifted.c - another mathematical library: every answer of libm one unit in the last place away, as another machine may give it */
#include <math.h>

static double shifted(double x) { return x == 0 || fabs(x) == 1 ? x : nextafter(x, 1e308); }

#define ONE(f) double __real_##f(double); double __wrap_##f(double x); \
  double __wrap_##f(double x) { return shifted(__real_##f(x)); }
#define TWO(f) double __real_##f(double, double); double __wrap_##f(double x, double y); \
  double __wrap_##f(double x, double y) { return shifted(__real_##f(x, y)); }
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(exp) ONE(log) ONE(log1p) ONE(expm1) ONE(cbrt)
ONE(asinh) ONE(atanh) TWO(pow) TWO(atan2) TWO(hypot)

/* compilers join a sine and a cosine */
void __real_sincos(double, double *, double *);
void __wrap_sincos(double x, double *s, double *c);
void __wrap_sincos(double x, double *s, double *c)
{
  __real_sincos(x, s, c);
  *s = shifted(*s);
  *c = shifted(*c);
}
