/* pace.c - a fast phase whose rate changes: how far it turns in a time, and how long a turn takes */
#include "core.h"

/* five Gauss points; and what a kink may hide: what the rate has there of the fourth Legendre polynomial, and by how much it misses at the
   ends what they say, for between an end and the next point nobody looks. Next to nothing where it is slow and smooth */
typedef struct { double turned, bend; } stretch;

static stretch stretch_of(const epi_system *m, double t, double h)
{
  static const double x[] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200};
  static const double w[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454};
  static const double fourth[] = {0.029110668435605037, -0.082444001768938374, 0.10666666666666667, -0.082444001768938374,
                                  0.029110668435605037};
  static const double end[] = {1.551408049094313, -0.89315839200007174, 0.53333333333333333, -0.26794165222338751, 0.076358661795812896};
  double sum = 0, bend = 0, begins = -m->phase.phase_rate_at((epi_system *)m, t), ends = -m->phase.phase_rate_at((epi_system *)m, t + h);
  for (int i = 0; i < 5; i++) {
    double rate = m->phase.phase_rate_at((epi_system *)m, t + x[i]*h);
    sum += w[i]*rate;
    bend += fourth[i]*rate;
    begins += end[i]*rate;
    ends += end[4 - i]*rate;
  }
  bend = fabs(bend) + 0.025*(fabs(begins) + fabs(ends));
  return (stretch){.turned = sum*h, .bend = bend*fabs(h)};
}

/* at a kink or a jump of the rate, as where a machine has run up, shorter and shorter stretches, until what they leave is below rounding */
static double turned_in_parts(const epi_system *m, double t, double h, double allowed)
{
  enum { DEEP = 50, MANY = 400 };
  double sum = 0, done = 0, part = 0.5;
  for (int depth = 1, n = 0; done < 1; n++) {
    stretch x = stretch_of(m, t + done*h, part*h);
    if (depth < DEEP && n < MANY && !(x.bend <= 1e-11*fabs(x.turned)) && x.bend > allowed) { part *= 0.5; depth++; continue; }
    sum += x.turned;
    done += part;
    /* the next may be as long as this one's place allows */
    while (depth > 1 && fmod(done, 2*part) == 0 && done + 2*part <= 1) { part *= 2; depth--; }
  }
  return sum;
}

double epi_phase_turned(const epi_system *m, double t, double h)
{
  if (!m->phase.phase_rate_at) return m->phase.phase_rate*h;
  stretch x = stretch_of(m, t, h);
  return x.bend <= 1e-11*fabs(x.turned) || !isfinite(x.bend) ? x.turned : turned_in_parts(m, t, h, 4e-16 + 1e-16*fabs(x.turned));
}

int epi_misses_turns(const epi_system *m, double T)
{
  if (!(T > 0) || m->phase.phase_rate_at || m->phase.phase_rate == 0) return 0;
  const double turns = T*fabs(m->phase.phase_rate)/(2*EPI_PI), whole = fmax(1, floor(turns + 0.5));
  return !(fabs(turns - whole) <= 1e-12*whole);
}

void epi_refuse_period(epi_flow *f, double T)
{
  const epi_system *m = f->sys;
  const double turn = 2*EPI_PI/fabs(m->phase.phase_rate);
  epi_refuse(f, epi_misses_turns(m, T), "%s: in the period %g the phase turns %.15g times, not a whole number: take period = %.15g, or "
             "leave it out", f->record->name, T, T/turn, turn);
}

/* where the rate jumps Newton's method may go to and fro: then by halves, for the phase only ever goes on */
double epi_turn_time(epi_system *m, double period, double t, double sign)
{
  if (period > 0) return sign*period;
  double T = sign*2*EPI_PI/fabs(m->phase.phase_rate_at(m, t)), low = 0, high = T;
  for (int it = 0; it < 20; it++) {
    double off = fabs(epi_phase_turned(m, t, T)) - 2*EPI_PI, d = sign*off/fabs(m->phase.phase_rate_at(m, t + T));
    T -= d;
    if (fabs(d) <= 1e-15*fabs(T)) return T;
  }
  for (int it = 0; it < 60 && fabs(epi_phase_turned(m, t, high)) < 2*EPI_PI; it++) high *= 2;
  for (int it = 0; it < 100; it++) {
    T = 0.5*(low + high);
    if (fabs(epi_phase_turned(m, t, T)) < 2*EPI_PI) low = T; else high = T;
  }
  return T;
}

/* no whole number of them is a turn: from turn to turn steps meet other phases */
double epi_part_of_turn(const epi_system *m, double t)
{
  if (m->derived || !(m->phase.forced || epi_all_rate(m))) return HUGE_VAL;
  double rate = m->phase.phase_rate_at ? m->phase.phase_rate_at((epi_system *)m, t) : m->phase.phase_rate;
  return fabs(rate) > 0 ? 0.43*2*EPI_PI/fabs(rate) : HUGE_VAL;
}
