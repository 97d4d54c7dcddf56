/* breaks.c - forces at nine times, in one state and phase: the seventh and eighth differences of what is smooth are next to nothing. They
 * are measured such that of a jump about half is left, and of a kink a thirtieth of what its slope would make of the whole time */
#include "average/phase.h"
#include "breaks.h"

enum { POINTS = 9, OFTEN = 3 };
static const double SEVENTH[POINTS] = {-0.0265, 0.1855, -0.5565, 0.9275, -0.9275, 0.5565, -0.1855, 0.0265, 0};
static const double EIGHTH[POINTS] = {0.015, -0.12, 0.42, -0.84, 1.05, -0.84, 0.42, -0.12, 0.015};

static int rates_at(epi_flow *f, const epi_time_span *a, double t, double *out)
{
  epi_system *m = f->sys;
  if (!epi_has_force(m)) return epi_rate_at(f, t, a->theta, a->y, out);
  return m->velocity_force ? epi_accel_all(f, t, a->theta, a->y, a->y + m->nq, out) : epi_accel(f, t, a->theta, a->y, out);
}

/* five times, some of them others in each step, and always both ends: 1 where they say the same, as they did before */
static int stays(epi_flow *f, const epi_time_span *a, double apart, int n)
{
  static const int at[2][5] = {{0, 2, 4, 6, 8}, {0, 1, 4, 7, 8}};
  const int *points = at[fmod(*a->still, 2) != 0];
  double *one = a->work, *other = one + n;
  if (*a->still < OFTEN || rates_at(f, a, a->t, one)) return 0;
  for (int k = 1; k < 5; k++)
    if (rates_at(f, a, a->t + points[k]*apart, other) || memcmp(one, other, (size_t)n*sizeof *one)) return 0;
  return 1;
}

/* the pace of the phase: where it is unlike what it was forces come too soon or too late */
static double pace_break(epi_system *m, const epi_time_span *a)
{
  double seventh = 0, eighth = 0, pace = 0;
  for (int k = 0; k < POINTS && m->phase.phase_rate_at; k++) {
    double rate = m->phase.phase_rate_at(m, a->t + k*a->h/(POINTS - 1));
    seventh += SEVENTH[k]*rate;
    eighth += EIGHTH[k]*rate;
    pace = fmax(pace, fabs(rate));
  }
  return pace > 0 ? 100*fmax(0, (fabs(seventh) + fabs(eighth))/pace - 2e-15)/a->rtol : 0;
}

double epi_time_break(epi_flow *f, const epi_time_span *a)
{
  epi_system *m = f->sys;
  int first = epi_has_force(m) ? m->nq : 0, n = epi_has_force(m) ? epi_nv(m) : epi_dim(m), same = 1;
  double *rate = a->work, *seventh = rate + n, *eighth = seventh + n, *last = eighth + n, most = 0, apart = a->h/(POINTS - 1);
  if (m->traits.smooth || !epi_can_be_asked(m)) return 0;
  /* a phase in t itself is held at whole turns alone */
  if (!m->phase.forced || m->phase.phase_in_t) apart = a->turn*floor(apart/a->turn + 1e-9);
  if (apart == 0) return NAN;
  if (stays(f, a, apart, n)) { ++*a->still; return pace_break(m, a); }
  memset(seventh, 0, 2*(size_t)n*sizeof *seventh);
  memset(a->size, 0, (size_t)n*sizeof *a->size);
  for (int k = 0; k < POINTS; k++) {
    /* outside of what it knows: the turns themselves will tell */
    if (rates_at(f, a, a->t + k*apart, rate)) return 0;
    for (int i = 0; i < n; i++) {
      same &= k == 0 || rate[i] == last[i];
      last[i] = rate[i];
      a->size[i] = fmax(a->size[i], fabs(rate[i]));
      seventh[i] += SEVENTH[k]*rate[i];
      eighth[i] += EIGHTH[k]*rate[i];
    }
  }
  *a->still = same ? *a->still + 1 : 0;
  for (int i = 0; i < n && !same; i++) {
    double off = fmax(0, fabs(seventh[i]) + fabs(eighth[i]) - 2e-15*a->size[i]), mean = fabs(a->each[first + i]/a->turn);
    double one = fabs(a->turn)*(0.3 + fabs(1.3*a->turn/a->h)), all = fabs(a->h)*fmin(1, mean/a->size[i]);
    if (off > 0) most = epi_larger(most, off*fmax(one, all)/a->unit[first + i]);
  }
  return most + pace_break(m, a);
}
