/* pole.c - a force that grows beyond all bounds, as one that divides by zero somewhere: looked for after joints could not follow a step,
 * along the way on which everything goes on as it goes. The joints are what fails first, and the force is what is to be told */
#include "core.h"
#include <float.h>

enum { POINTS = 32, ROUNDS = 40, STEPS = 8 };
#define GROWS 1e6                      /* so many times what it is at the start of the step, and it is no force any more */
#define FELT 1.2                       /* in the step itself it grows by so much */

typedef struct { epi_space *p; const epi_state *s; double *q, *step, *a; int which; } probe;

/* the largest acceleration so much later, infinite where a callback says no */
static double force_after(probe *x, double later)
{
  epi_system *m = x->p->sys;
  const double *v = x->s->y + m->nq;
  double most = 0;
  epi_shift(m, x->s->y, later, v, x->q, x->step);
  if (epi_space_accel_all(x->p, x->s->t + later, epi_phase_at(m, x->s->t, x->s->theta, later), x->q, v, x->a)) return HUGE_VAL;
  for (int i = 0; i < epi_nv(m); i++) {
    if (!isfinite(x->a[i])) { x->which = i; return HUGE_VAL; }
    if (fabs(x->a[i]) > most) { most = fabs(x->a[i]); x->which = i; }
  }
  return most;
}

/* where it is largest in some steps: nearer and nearer, down to what the time can hold */
static double largest(probe *x, double h, double *later)
{
  double from = 0, to = STEPS*h, most = 0;
  for (int round = 0; round < ROUNDS && most < HUGE_VAL; round++) {
    double apart = (to - from)/POINTS;
    most = -1;
    for (int k = 0; k <= POINTS && most < HUGE_VAL; k++) {
      double here = from + k*apart, size = force_after(x, here);
      if (size > most) { most = size; *later = here; }
    }
    if (fabs(apart) < 0.5*DBL_EPSILON*fabs(x->s->t)) break;
    from = (*later - apart)/h < 0 ? 0 : *later - apart;
    to = *later + apart;
  }
  force_after(x, *later);
  return most;
}

int epi_force_has_pole(epi_space *p, const epi_state *s, double h, double *work, epi_pole *out)
{
  probe x = {.p = p, .s = s, .q = work};
  double later = 0;
  if (p->sys->derived || epi_all_rate(p->sys)) return 0;
  x.step = x.q + p->sys->nq;
  x.a = x.step + epi_nv(p->sys);
  double start = force_after(&x, 0), end = force_after(&x, h), most = largest(&x, h, &later);
  if (!(start < HUGE_VAL) || !(most > GROWS*start)) return 0;
  /* what is far away is no reason for a step to fail */
  if (fabs(later) > fabs(h) && !(end > FELT*start)) return 0;
  out->t = s->t + later;
  out->which = x.which;
  return most < HUGE_VAL ? 1 : 2;
}
