/* revolve-waves.c - Fourier coefficients of the accelerations over a turn of the phase, and the swing of the state that belongs to them */
#include "average/phase.h"
#include "revolving.h"

answers epi_revolve_answers(const epi_system *m, int phases)
{
  const int has_force = epi_has_force(m);
  return (answers){has_force, has_force ? m->nq : 0, has_force ? epi_nv(m) : epi_dim(m), phases};
}

int epi_revolve_rates(epi_flow *f, double t, double theta, const double *y, double *out)
{
  epi_system *m = f->sys;
  return epi_has_force(m) ? epi_accel_all(f, t, theta, y, y + m->nq, out) : epi_rate_at(f, t, theta, y, out);
}

static int waves(answers a) { return a.phases/2; }

/* rows of d->swing: cosine and sine of each wave. d->start: the answers at the start of the turn */
int epi_revolve_waves(epi_flow *f, double t, double theta0, const double *y, double T, answers a, const room *d)
{
  memset(d->swing, 0, (size_t)(2*waves(a)*a.n)*sizeof *d->swing);
  for (int j = 0; j < a.phases; j++) {
    const double part = (double)j/a.phases;
    int bad = epi_revolve_rates(f, t + part*T, epi_phase_at(f->sys, t, theta0, part*T), y, d->rates);
    if (bad) return bad;
    if (!j) memcpy(d->start, d->rates, (size_t)a.n*sizeof *d->rates);
    for (int k = 1; k <= waves(a); k++) {
      const double c = 2*cos(2*EPI_PI*k*part)/a.phases, z = 2*sin(2*EPI_PI*k*part)/a.phases;
      for (int i = 0; i < a.n; i++) {
        d->swing[(2*k - 2)*a.n + i] += c*d->rates[i];
        d->swing[(2*k - 1)*a.n + i] += z*d->rates[i];
      }
    }
  }
  return 0;
}

double epi_revolve_wave(const room *d, answers a, double T, int i, double part, int times)
{
  double sum = 0;
  for (int k = 1; k <= waves(a); k++) {
    const double c = d->swing[(2*k - 2)*a.n + i], z = d->swing[(2*k - 1)*a.n + i], w = 2*EPI_PI*k/T, u = 2*EPI_PI*k*part;
    sum += times == 1 ? (c*sin(u) - z*cos(u))/w : -(c*cos(u) + z*sin(u))/(w*w);
  }
  return sum;
}

void epi_revolve_swung(epi_flow *f, const room *d, answers a, double T, double part, const double *in, double *out)
{
  epi_system *m = f->sys;
  memcpy(out, in, (size_t)epi_dim(m)*sizeof *out);
  for (int i = 0; i < a.n; i++) {
    const double by = epi_revolve_wave(d, a, T, i, part, 2) - epi_revolve_wave(d, a, T, i, 0, 2);
    out[a.first + i] += epi_revolve_wave(d, a, T, i, part, 1) - epi_revolve_wave(d, a, T, i, 0, 1);
    if (a.has_force && !m->manifold.retract) out[i] += by;
    else if (a.has_force) d->still[i] = by;
  }
  if (a.has_force && m->manifold.retract) m->manifold.retract(m, in, d->still, out);
}
