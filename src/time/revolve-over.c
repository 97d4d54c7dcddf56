/* revolve-over.c - what a step over many periods goes over: whether a force does something between its ends that no period met */
#include "average/phase.h"
#include "revolving.h"

/* ---- how far a turn swings ---- */
enum { PHASES = 5, GRID = 16 };

/* parts of a turn at which the coordinate that swings most, in what it may be off by, is furthest out to either side; where none swings all
   is at its beginning all the time. Returns how many */
static int furthest_out(const revolve *p, const memory *k, const room *d, answers a, double T, double *parts)
{
  int times = a.has_force ? 2 : 1;
  double widest = 0;
  parts[0] = parts[1] = 0;
  for (int i = 0; i < a.n; i++) {
    int at[2] = {0};
    double most[2] = {0};
    for (int g = 1; g < GRID; g++) {
      const double by = epi_revolve_wave(d, a, T, i, (double)g/GRID, times) - epi_revolve_wave(d, a, T, i, 0, times);
      if (by > most[0]) { most[0] = by; at[0] = g; }
      if (by < most[1]) { most[1] = by; at[1] = g; }
    }
    const double wide = (most[0] - most[1])/weight(p, k, a.has_force ? i : a.first + i);
    if (!(wide > widest)) continue;
    widest = wide;
    for (int side = 0; side < 2; side++) parts[side] = (double)at[side]/GRID;
  }
  return widest > 0 ? 2 : 1;
}

/* ---- what is there ---- */
/* in one phase, at places that are equally far apart, the eighth differences of a force that is known by the turns are next to nothing, as
   are those of the fast part of it, which is large and cancels in a turn; of a push or a hill that one of them meets 70 times its height is
   left. It may last from one place to the next */
static int is_over(epi_flow *f, const epi_state *s, double *x, double T, answers a, double apart, double part)
{
  static const double EIGHTH[EPI_OVER_PLACES] = {1, -8, 28, -56, 70, -56, 28, -8, 1};
  const revolve *p = f->own;
  const room *d = room_of(f);
  const memory k = memory_of(f, x);
  const int N = epi_dim(f->sys);
  for (int at = 0; at*apart <= x[TURNS]; at++) {
    double *strobed = d->turning, *y = strobed + k.D;
    epi_revolve_strobe(f, x, at*apart, d->Y, strobed);
    const double t = p->timed ? strobed[N] : s->t + at*apart*T, theta = part > 0 ? epi_phase_at(f->sys, t, x[THETA0], part*T) : x[THETA0];
    if (part > 0) epi_revolve_swung(f, d, a, T, part, strobed, y);
    if (epi_revolve_rates(f, t + part*T, theta, part > 0 ? y : strobed, d->rates + at%EPI_OVER_PLACES*a.n)) return 0;
    for (int i = 0; i < a.n && at >= EPI_OVER_PLACES - 1; i++) {
      double off = 0, size = 0;
      for (int j = 0; j < EPI_OVER_PLACES; j++) {
        double rate = d->rates[(at + 1 + j)%EPI_OVER_PLACES*a.n + i];
        off += EIGHTH[j]*rate;
        size = fmax(size, fabs(rate));
      }
      if ((fabs(off) - 6e-14*size)/70*apart*fabs(T) > EPI_GONE_OVER*weight(p, &k, a.first + i)) return 1;
    }
  }
  return 0;
}

/* ---- where a coordinate turns back ---- */
/* periods of the step after which one does, that which goes furthest beyond both ends, in what it may be off by; 0: none does */
static double turned_after(const revolve *p, const memory *k, const room *d, double M)
{
  double place = 0, furthest = 0;
  for (int i = 0; i < p->pairs; i++) {
    const double first = k->dd[i], last = d->g[i];
    if (!(first*last < 0)) continue;
    const double at = M*first/(first - last), beyond = 0.5*fabs(first*at)/weight(p, k, i);
    if (!(beyond > furthest)) continue;
    furthest = beyond;
    place = fmax(1, fmin(M - 1, floor(at)));
  }
  return place;
}

/* it may touch there for a part of the step what it touches at no end of one. A period that begins there tells, beside what the points say
   of it: half of the step may be so */
static int touches(epi_flow *f, const epi_state *s, double *x, double T)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  const memory k = memory_of(f, x);
  const double M = x[TURNS], place = turned_after(p, &k, d, M);
  double *off = d->rates;
  if (!(place > 0)) return 0;
  int bad = epi_revolve_defect(f, s, x, T, place, off), over = 0;
  for (int i = 0, N = epi_dim(f->sys); i < N && !bad; i++) over |= 0.5*M*fabs(off[i]) > EPI_TOUCHED*weight(p, &k, i);
  return over;
}

/* in a turn a coordinate may go where it is at none of its beginnings: what stands there is met at the phases that are furthest out */
int epi_revolve_goes_over(epi_flow *f, const epi_state *s, double *x, double T)
{
  enum { PLACES = 512, FEWEST = 10 };   /* of a run, and of a step */
  const revolve *p = f->own;
  const epi_system *m = f->sys;
  if (m->traits.smooth || m->nc || m->manifold.retract || !epi_can_be_asked(m) || x[TURNS] < EPI_OVER_PLACES) return 0;
  const answers a = epi_revolve_answers(m, PHASES);
  double places = fmax(FEWEST, p->span > 0 ? ceil(PLACES*x[TURNS]*fabs(T)/p->span) : FEWEST), apart = fmax(1, floor(x[TURNS]/places));
  double parts[2];
  if (epi_revolve_waves(f, s->t, x[THETA0], room_of(f)->Y, T, a, room_of(f))) return 0;
  const memory k = memory_of(f, x);
  for (int i = 0, n = furthest_out(p, &k, room_of(f), a, T, parts); i < n; i++) if (is_over(f, s, x, T, a, apart, parts[i])) return 1;
  return touches(f, s, x, T);
}
