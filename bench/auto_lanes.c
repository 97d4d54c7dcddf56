/* auto_lanes.c - the force of the vibrated pendulum at many states in one call, as one writes it for speed: the forcing is kept as long as
 * the phases are the same, and the sine is a polynomial, four at a time */
#include "auto.h"

/* four numbers that are worked upon at once, or two and two where the machine has no more; the arrays are where they are */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
#if defined __x86_64__ && defined __GLIBC__
#define FOR_EACH_MACHINE __attribute__((target_clones("avx", "default")))
#else
#define FOR_EACH_MACHINE
#endif

/* f = drive sin q; |q| up to 2^20: to a few units of the last place; the nearest multiple of pi by adding and taking away 1.5 2^52 */
static inline __attribute__((always_inline)) void push(const four *drive, const four *q, four *f)
{
  const four x = *q;
  const double whole = 6755399441055744.0;
  four n = x*0.31830988618379067154 + whole - whole, half = n*0.5, odd = n - 2*(half + whole - whole);
  four r = ((x - n*3.1415926218032837) - n*3.1786509424591713e-08) - n*1.2246467991473532e-16, s = r*r;
  four s2 = s*s, low = (-1.6666666666666666667e-1 + s*8.3333333333333333333e-3)
                       + s2*(-1.9841269841269841270e-4 + s*2.7557319223985890653e-6);
  four high = (-2.5052108385441718775e-8 + s*1.6059043836821614599e-10) + s2*(-7.6471637318198164759e-13 + s*2.8114572543455207632e-15);
  four p = low + s2*s2*(high - s2*s2*8.2206352466243297170e-18);
  *f = *drive*((r + r*s*p)*(1 - 2*odd*odd));
}

/* whether so many numbers are the same */
static inline __attribute__((always_inline)) int same(int n, const double *a, const double *b)
{
  int differ = 0;
  for (int k = 0; k < n; k++) differ |= a[k] != b[k];
  return !differ;
}

FOR_EACH_MACHINE int auto_forces(epi_system *m, int lanes, const double *t, const double *theta, const double *q, double *f)
{
  auto_data *d = m->data;
  auto_forcing *a = &d->kept[lanes];
  (void)t;
  if (!a->known || !same(lanes, a->theta, theta)) {
    a->known = 1;
    for (int k = 0; k < lanes; k++) {
      a->theta[k] = theta[k];
      a->drive[k] = (d->p[1] + d->p[2]*d->p[3]*cos(theta[k]))/d->p[0];
    }
  }
  int k = 0;
  for (; k + 4 <= lanes; k += 4) push((const four *)(a->drive + k), (const four *)(q + k), (four *)(f + k));
  /* what is left is not read as if it had been written at once */
  const int left = lanes - k;
  if (!left) return 0;
  four last = {q[k], left > 1 ? q[k+1] : 0, left > 2 ? q[k+2] : 0, 0};
  push((const four *)(a->drive + k), &last, &last);
  f[k] = last[0];
  if (left > 1) f[k+1] = last[1];
  if (left > 2) f[k+2] = last[2];
  return 0;
}
