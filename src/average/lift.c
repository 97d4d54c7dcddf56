/* lift.c - the oscillating state that belongs to a slow one, from the accelerations alone: while the slow state is held the fast velocity
 * is the integral over the phase of what the acceleration has beyond its mean, and the swing the integral of that. Both are right to first
 * order in 1/w, at any phase, with joints and rotations */
#include "lift.h"

/* points of one turn: harmonics up to the fifteenth */
enum { PHASES = 32 };
struct epi_lift {
  double velocity[PHASES], place[PHASES];      /* weights of the accelerations at theta + 2 pi k/PHASES, for w = 1 */
  double *a, *swing, *step, *work;
};

/* sum over m of exp(-i m x)/(i m), and of exp(-i m x)/(i m)^2, over the points */
static void weights(epi_lift *l)
{
  for (int k = 0; k < PHASES; k++) {
    l->velocity[k] = l->place[k] = 0;
    for (int m = 1; m < PHASES/2; m++) {
      double x = 2*EPI_PI*(k*m % PHASES)/PHASES;
      l->velocity[k] -= 2*sin(x)/(m*PHASES);
      l->place[k] -= 2*cos(x)/(m*m*PHASES);
    }
  }
}

epi_lift *epi_lift_make(const epi_flow *micro)
{
  const epi_system *m = micro->sys;
  epi_lift *l = calloc(1, sizeof *l);
  long n = epi_nv(m), room = m->nc ? epi_constraint_room(micro->space) : 0;
  if (!l) return NULL;
  if (!(l->a = calloc((size_t)(3*n + m->nq + room) + 1, sizeof *l->a))) { free(l); return NULL; }
  l->swing = l->a + n;
  l->step = l->swing + n;
  l->work = l->step + n + m->nq;
  weights(l);
  return l;
}

void epi_lift_free(epi_lift *l)
{
  if (l) free(l->a);
  free(l);
}

int epi_lift_known(const epi_system *m)
{
  return m->phase.forced && (m->phase.phase_rate_at || m->phase.phase_rate != 0 || m->phase.period > 0);
}

static double rate_at(epi_system *m, double t)
{
  return m->phase.phase_rate_at ? m->phase.phase_rate_at(m, t) : m->phase.phase_rate != 0 ? m->phase.phase_rate : 2*EPI_PI/m->phase.period;
}

/* of the micro flow, held by its constraints */
static int accel(epi_flow *f, double t, double theta, const double *q, const double *v, double *a, double *work)
{
  epi_window *w = f->own;
  epi_flow *micro = f->kid[0];
  epi_phased_at(w->phased, t, theta);
  int bad = epi_accel_all(micro, t, theta, q, v, a);
  if (bad || !micro->sys->nc) return bad;
  return epi_hold_accel(micro->space, t, q, v, 2*EPI_PI/fabs(PHASES*rate_at(micro->sys, t)), NULL, a, NULL, work, &f->fault);
}

/* room of the lift: the fast velocity is added to `out`, and the swing written beside it */
static int integrate(epi_flow *f, double t, double theta, const double *q, const double *v, double *out)
{
  epi_lift *l = ((epi_window *)f->own)->lift;
  epi_system *m = f->kid[0]->sys;
  int n = epi_nv(m), bad;
  double rate = rate_at(m, t);
  memcpy(out, v, (size_t)n*sizeof *out);
  memset(l->swing, 0, (size_t)n*sizeof *out);
  for (int k = 0; k < PHASES; k++) {
    if ((bad = accel(f, t, theta + 2*EPI_PI*k/PHASES, q, v, l->a, l->work))) return bad;
    for (int i = 0; i < n; i++) {
      out[i] += l->velocity[k]/rate*l->a[i];
      l->swing[i] += l->place[k]/(rate*rate)*l->a[i];
    }
  }
  return 0;
}

int epi_lift_state(epi_flow *f, double t, double theta, const double *q, const double *v, double *y)
{
  epi_window *w = f->own;
  epi_flow *micro = f->kid[0];
  epi_system *m = micro->sys;
  int bad = integrate(f, t, theta, q, v, y + m->nq);
  if (bad) return bad;
  epi_shift(m, q, 1, w->lift->swing, y, w->lift->step);
  epi_state s = {.t = t, .theta = theta, .y = y};
  epi_phased_at(w->phased, t, theta);
  return m->nc ? epi_move_onto_constraints(micro->space, &s, w->lift->work, &f->fault) : 0;
}
