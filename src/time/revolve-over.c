/* revolve-over.c - what a step over many periods goes over: whether a force does something between its ends that no period met */
#include "average/phase.h"
#include "revolving.h"

/* answers of the system: forces of positions, or rates; where the first of what they change stands, and how many they are */
typedef struct { int has_force, first, n; } answers;
static answers answers_of(const epi_system *m)
{
  const int has_force = epi_has_force(m);
  return (answers){has_force, has_force ? m->nq : 0, has_force ? epi_nv(m) : epi_dim(m)};
}

static int rates_at(epi_flow *f, double t, double theta, const double *y, double *out)
{
  epi_system *m = f->sys;
  return epi_has_force(m) ? epi_accel_all(f, t, theta, y, y + m->nq, out) : epi_rate_at(f, t, theta, y, out);
}

/* ---- how far a turn swings ---- */
enum { PHASES = 5, WAVES = 2, GRID = 16 };

/* by its two first waves: those of the answers of the state held where it is, at PHASES of a turn; rows for cosine and sine of each */
static int find_waves(epi_flow *f, const epi_state *s, const double *x, double T, answers a, const room *d)
{
  memset(d->swing, 0, (size_t)(2*WAVES*a.n)*sizeof *d->swing);
  for (int j = 0; j < PHASES; j++) {
    const double part = (double)j/PHASES;
    int bad = rates_at(f, s->t + part*T, epi_phase_at(f->sys, s->t, x[THETA0], part*T), d->Y, d->rates);
    if (bad) return bad;
    for (int k = 1; k <= WAVES; k++) {
      const double c = 2*cos(2*EPI_PI*k*part)/PHASES, z = 2*sin(2*EPI_PI*k*part)/PHASES;
      for (int i = 0; i < a.n; i++) {
        d->swing[(2*k - 2)*a.n + i] += c*d->rates[i];
        d->swing[(2*k - 1)*a.n + i] += z*d->rates[i];
      }
    }
  }
  return 0;
}

/* answer i at this part of a turn, integrated `times` from its mean on */
static double wave(const room *d, answers a, double T, int i, double part, int times)
{
  double sum = 0;
  for (int k = 1; k <= WAVES; k++) {
    const double c = d->swing[(2*k - 2)*a.n + i], z = d->swing[(2*k - 1)*a.n + i], w = 2*EPI_PI*k/T, u = 2*EPI_PI*k*part;
    sum += times == 1 ? (c*sin(u) - z*cos(u))/w : -(c*cos(u) + z*sin(u))/(w*w);
  }
  return sum;
}

/* what the state has moved by at this part of a turn, but for its mean motion; in: where it was at the start of the turn */
static void swing(const room *d, answers a, double T, double part, const double *in, int N, double *out)
{
  memcpy(out, in, (size_t)N*sizeof *out);
  for (int i = 0; i < a.n; i++) {
    out[a.first + i] += wave(d, a, T, i, part, 1) - wave(d, a, T, i, 0, 1);
    if (a.has_force) out[i] += wave(d, a, T, i, part, 2) - wave(d, a, T, i, 0, 2);
  }
}

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
      const double by = wave(d, a, T, i, (double)g/GRID, times) - wave(d, a, T, i, 0, times);
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
    if (part > 0) swing(d, a, T, part, strobed, N, y);
    if (rates_at(f, t + part*T, theta, part > 0 ? y : strobed, d->rates + at%EPI_OVER_PLACES*a.n)) return 0;
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
  double *there = d->turning, *after = there + k.D, *g = d->rates;
  if (!(place > 0)) return 0;
  epi_revolve_strobe(f, x, place, d->Y, there);
  epi_revolve_strobe(f, x, place + 1, d->Y, after);
  f->kid[0]->passing = 1;
  int bad = epi_revolve_period(f, x, s->t + place*T, there, T, g), over = 0;
  f->kid[0]->passing = 0;
  if (bad > 0) epi_clear_error(f);
  for (int i = 0, N = epi_dim(f->sys); i < N && !bad; i++)
    over |= 0.5*M*fabs(g[i] - (after[i] - there[i])) > EPI_TOUCHED*weight(p, &k, i);
  return over;
}

/* in a turn a coordinate may go where it is at none of its beginnings: what stands there is met at the phases that are furthest out */
int epi_revolve_goes_over(epi_flow *f, const epi_state *s, double *x, double T)
{
  enum { PLACES = 512, FEWEST = 10 };   /* of a run, and of a step */
  const revolve *p = f->own;
  const epi_system *m = f->sys;
  if (m->smooth || m->nc || m->retract || !epi_can_be_asked(m) || x[TURNS] < EPI_OVER_PLACES) return 0;
  const answers a = answers_of(m);
  double places = fmax(FEWEST, p->span > 0 ? ceil(PLACES*x[TURNS]*fabs(T)/p->span) : FEWEST), apart = fmax(1, floor(x[TURNS]/places));
  double parts[2];
  if (find_waves(f, s, x, T, a, room_of(f))) return 0;
  const memory k = memory_of(f, x);
  for (int i = 0, n = furthest_out(p, &k, room_of(f), a, T, parts); i < n; i++) if (is_over(f, s, x, T, a, apart, parts[i])) return 1;
  return touches(f, s, x, T);
}
