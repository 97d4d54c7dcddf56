/* over.c - what long steps go over: at places between their ends the force is held against what the steps believe it to be there, the slope
 * of their interpolant. A bump that no stage met shows */
#include "search.h"

enum { FEW = 32 };       /* steps, about, of a smooth motion that meet what happens in it */

/* a smooth force may have a narrow bump as any other. One with a fast phase was asked at many phases already (kicks.c), and steps that meet
   what is narrow in a turn meet bumps; but where nothing happens steps grow so long that a wide hill is one for them */
int epi_has_no_bumps(const epi_search *a)
{
  const epi_system *m = &a->c->system;
  return m->traits.smooth && m->phase.forced && a->to->turns > 0 && !a->rests && !a->strides;
}

void epi_note_steps(epi_search *a, const epi_flow *f)
{
  a->to->longest = f->longest;
  /* of cvode nobody knows */
  a->strides |= !f->chosen || f->longest > (a->to->end - a->c->t)/FEW;
}

/* the flow that takes the steps, if it can be asked for that. Bodies know what they could go through */
epi_flow *epi_over_asks(const epi_search *a, epi_flow *f)
{
  const epi_system *m = &a->c->system;
  if (!a->looks || a->longest > 0 || epi_has_no_bumps(a) || epi_error(f)) return NULL;
  if (a->c->world || m->nc || m->manifold.retract || m->derived) return NULL;
  while (f->nkid && !(epi_traits_of(f->record) & EPI_FINE_INTERPOLANT)) f = f->kid[0];
  return epi_traits_of(f->record) & EPI_FINE_INTERPOLANT && f->between ? f : NULL;
}

/* room: five states. What differs, as far as it would move the state until the next place, into `most` where that is more. How often the
   force was asked */
int epi_over_look(epi_flow *by, double t, double theta, double apart, double *room, double *most)
{
  int n = epi_dim(by->sys);
  double *y = room, *rate = y + n, *before = rate + n, *after = before + n, eps = 1e-4*apart;
  if (by->between(by, t, y) || by->between(by, t - eps, before) || by->between(by, t + eps, after)) return 0;
  if (epi_rate_at(by, t, theta, y, rate)) return 1;
  for (int i = 0; i < n; i++) most[i] = epi_larger(most[i], fabs(rate[i] - (after[i] - before[i])/(2*eps))*apart);
  return 1;
}
