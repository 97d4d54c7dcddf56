/* auto_lanes.c - the force of the vibrated pendulum at many states in one call, as one writes it for speed: the forcing is kept as long as
 * the phases are the same, and the sine is a polynomial, four at a time */
#include "auto.h"
#include <string.h>

/* four numbers that are worked upon at once, or two and two where the machine has no more; the arrays are where they are */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
#if defined __x86_64__ && defined __GLIBC__
#define FOR_EACH_MACHINE __attribute__((target_clones("avx", "default")))
#else
#define FOR_EACH_MACHINE
#endif

/* f = drive sin q; |q| up to 2^20: to a few units of the last place; the nearest multiple of pi by adding and taking away 1.5 2^52 */
static inline __attribute__((always_inline)) void push(const double *drive, const double *q, double *f)
{
  const four x = *(const four *)q;
  const double whole = 6755399441055744.0;
  four n = x*0.31830988618379067154 + whole - whole, half = n*0.5, odd = n - 2*(half + whole - whole);
  four r = ((x - n*3.1415926218032837) - n*3.1786509424591713e-08) - n*1.2246467991473532e-16, s = r*r;
  four s2 = s*s, low = (-1.6666666666666666667e-1 + s*8.3333333333333333333e-3)
                       + s2*(-1.9841269841269841270e-4 + s*2.7557319223985890653e-6);
  four high = (-2.5052108385441718775e-8 + s*1.6059043836821614599e-10) + s2*(-7.6471637318198164759e-13 + s*2.8114572543455207632e-15);
  four p = low + s2*s2*(high - s2*s2*8.2206352466243297170e-18);
  *(four *)f = *(const four *)drive*((r + r*s*p)*(1 - 2*odd*odd));
}

FOR_EACH_MACHINE int auto_forces(epi_system *m, int lanes, const double *t, const double *theta, const double *q, double *f)
{
  auto_data *d = m->data;
  auto_forcing *a = &d->kept[lanes];
  (void)t;
  if (!a->known || memcmp(a->theta, theta, (size_t)lanes*sizeof *theta)) {
    a->known = 1;
    memcpy(a->theta, theta, (size_t)lanes*sizeof *theta);
    for (int k = 0; k < lanes; k++) a->drive[k] = (d->p[1] + d->p[2]*d->p[3]*cos(theta[k]))/d->p[0];
  }
  int k = 0;
  for (; k + 4 <= lanes; k += 4) push(a->drive + k, q + k, f + k);
  if (k == lanes) return 0;
  double last[4] = {0}, out[4];
  memcpy(last, q + k, (size_t)(lanes - k)*sizeof *q);
  push(a->drive + k, last, out);
  memcpy(f + k, out, (size_t)(lanes - k)*sizeof *f);
  return 0;
}
