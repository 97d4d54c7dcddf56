/* leapfrog-predicted.c - momenta at half steps: the macro method of the synchronous multiscale algorithm, which needs a momentum at the
 * step points before the force there is known and predicts it from the half step */
#include "core.h"

/* kept: whether there is a step before, its end and length; P at the half step, F before, predicted P */
enum { BEGUN, TIME, LENGTH, HEAD };

static int goes_on(const epi_flow *f, const epi_state *s, double h, const double *predicted)
{
  size_t n = (size_t)epi_nv(f->sys)*sizeof *predicted;
  return f->keep[BEGUN] && f->keep[TIME] == s->t && f->keep[LENGTH] == h && !memcmp(predicted, s->y + f->sys->nq, n);
}

static int leapfrog(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double *q = s->y, *v = q + m->nq, *k = f->keep, *P = k + HEAD, *F0 = P + n, *predicted = F0 + n, *F = f->work, alpha = f->arg[0].number;
  while (steps-- > 0) {
    epi_tick end = epi_target(m, s, h);
    int on = goes_on(f, s, h, predicted);
    if ((bad = epi_accel_all(f, s->t, s->theta, q, v, F))) return bad;
    for (int i = 0; i < n; i++) {
      P[i] = on ? P[i] + h*F[i] : v[i] + 0.5*h*F[i];
      q[i] += h*P[i];
      v[i] = predicted[i] = P[i] + 0.5*h*(F[i] + (on ? alpha*(F[i] - F0[i]) : 0));
      F0[i] = F[i];
    }
    epi_set_clock(s, end);
    epi_moved(f, s);
    k[BEGUN] = 1;
    k[TIME] = s->t;
    k[LENGTH] = h;
  }
  return 0;
}

static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *k = f->keep;
  (void)s;
  for (long i = 0; i < f->nkeep; i++) if (!isfinite(k[i])) return 1;
  return k[BEGUN] != 0 && k[BEGUN] != 1;
}

static void leapfrog_build(epi_flow *f)
{
  epi_system *m = f->sys;
  epi_refuse(f, (!epi_has_force(m) && !m->velocity_force) || m->nz,
             "leapfrog-predicted needs a force or a velocity force, and nothing else: use rk4 for other systems");
  epi_refuse(f, m->inertia.speed != NULL,
             "leapfrog-predicted needs a quadratic kinetic energy, and this system has a speed of its own: use verlet");
  epi_refuse(f, m->nc || m->manifold.retract, "leapfrog-predicted has no form for constraints and rotations: use verlet");
  if (epi_blocks(f, HEAD + 3*epi_nv(m), epi_nv(m))) return;
  f->unsound = unsound;
  f->go = leapfrog;
}

static const epi_param leapfrog_params[] = {
  {.name = "alpha", .value = 0, .doc = "how much of the last change of the force goes into the predicted velocity"}, {0}
};
const epi_record epi_LEAPFROG_PREDICTED = {
  .name = "leapfrog-predicted",
  .doc = "leap-frog with velocities at half steps and predicted ones at the step points; also for forces of velocity",
  .cite = "Calvo & Sanz-Serna, heterogeneous multiscale methods for mechanical systems with vibrations (2010), Algorithm 1",
  .example = "leapfrog-predicted(hmm(verlet, kernel=exp5, periods=40, start=lift, phase=running))", .arrow = EPI_METHOD, .least = 1,
  .most = 1,
  .params = leapfrog_params, .order = 2, .claims = EPI_EXPLICIT | EPI_CLOCK, .build = leapfrog_build,
};
