/* revolve-defect.c - defect of a step over many periods, by its impulse. The force averaged over a turn at a few phases is not what a
 * period moves the state by, but both change alike along a run: at places through the step it is compared with the polynomial through its
 * values at the points of the step. A feature between these points has an impulse that the polynomial does not have. A period taken there
 * confirms it. */
#include "average/phase.h"
#include "revolving.h"

/* phases of a turn; places of a run, and of one so far whose length is unknown; of a step */
enum { PHASES = 3, PLACES = 110, UNKNOWN = 24, FEWEST = 3 };
#define SHORT 1.1                      /* distances between the places of a run: the errors of shorter steps show a feature that is wider */
#define IMPULSE 0.15                   /* tolerances */
#define CONFIRMED 0.3                  /* part of the defect of the averaged force */
#define REFUTES 2.                     /* times an impulse that a period has refuted */
#define RECOVERS 0.9                   /* per step */

/* rows of d->averages */
enum { END, HERE, SUM, LEAST, MOST, PEAK, PEAK_AT };
static double *row(const room *d, answers a, int i) { return d->averages + i*a.n; }

/* What the averaged force moves the velocities by in the period after `place`, the state moved by its swing there. The swing of bodies that
   are held by constraints is unknown without their forces, and left out. Both ends of the period count half: the slow motion goes on in it,
   and what that makes of a large fast force cancels in no other rule of few points */
static int average(epi_flow *f, const epi_state *s, const double *x, double T, answers a, double place, double *out)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  const int D = extent(f), N = epi_dim(f->sys);
  double *here = d->turning, *next = here + D, *y = next + D, *at = y + D;
  epi_revolve_strobe(f, x, place, d->Y, here);
  epi_revolve_strobe(f, x, place + 1, d->Y, next);
  const double t = p->timed ? here[N] : s->t + place*T;
  if (p->timed) T = epi_turn_time(f->sys, p->period, t, T < 0 ? -1 : 1);
  int bad = f->sys->nc ? epi_revolve_rates(f, t, x[THETA0], here, d->start) : epi_revolve_waves(f, t, x[THETA0], here, T, a, d);
  if (f->sys->nc) memset(d->swing, 0, (size_t)(2*a.n)*sizeof *d->swing);
  for (int i = 0; i < a.n && !bad; i++) out[i] = 0.5*T/a.phases*d->start[i];
  for (int j = 1; j <= a.phases && !bad; j++) {
    const double part = (double)j/a.phases;
    for (int i = 0; i < N; i++) at[i] = here[i] + part*(next[i] - here[i]);
    epi_revolve_swung(f, d, a, T, part, at, y);
    bad = epi_revolve_rates(f, t + part*T, epi_phase_at(f->sys, t, x[THETA0], part*T), y, d->rates);
    for (int i = 0; i < a.n && !bad; i++) out[i] += (j < a.phases ? 1 : 0.5)*T/a.phases*d->rates[i];
  }
  return bad;
}

/* the newest first */
static void keep(const memory *k, double *x, answers a, double place, const double *average)
{
  const int n = (int)fmin(x[AVERAGES], MOST_ORDER - 1);
  memmove(k->average + a.n, k->average, (size_t)(n*a.n)*sizeof *k->average);
  memmove(k->average_place + 1, k->average_place, (size_t)n*sizeof *k->average_place);
  memcpy(k->average, average, (size_t)a.n*sizeof *average);
  k->average_place[0] = place;
  x[AVERAGES] = n + 1;
}

/* w: values of the Lagrange polynomials of n nodes */
static void weigh(const double *node, int n, double at, double *w)
{
  for (int j = 0; j < n; j++) {
    w[j] = 1;
    for (int k = 0; k < n; k++) if (k != j) w[j] *= (at - node[k])/(node[j] - node[k]);
  }
}

/* d->averages[HERE]: the averaged force at `place` less the polynomial through the values at the points of the step */
static int off_at(epi_flow *f, const epi_state *s, const double *x, double T, answers a, double place)
{
  const memory k = memory_of(f, (double *)x);
  const room *d = room_of(f);
  const int n = (int)fmin(x[POINTS], x[AVERAGES]);
  double node[MOST_ORDER + 1], w[MOST_ORDER + 1], *off = row(d, a, HERE);
  memcpy(node, k.average_place, (size_t)n*sizeof *node);
  node[n] = x[PLACE] + x[TURNS];
  weigh(node, n + 1, x[PLACE] + place, w);
  int bad = average(f, s, x, T, a, place, off);
  for (int i = 0; i < a.n && !bad; i++) {
    off[i] -= w[n]*row(d, a, END)[i];
    for (int j = 0; j < n; j++) off[i] -= w[j]*k.average[j*a.n + i];
  }
  return bad;
}

int epi_revolve_defect(epi_flow *f, const epi_state *s, double *x, double T, double place, double *out)
{
  const room *d = room_of(f);
  double *there = d->turning, *after = there + extent(f);
  epi_revolve_strobe(f, x, place, d->Y, there);
  epi_revolve_strobe(f, x, place + 1, d->Y, after);
  f->kid[0]->passing = 1;
  int bad = epi_revolve_period(f, x, s->t + place*T, there, T, out);
  f->kid[0]->passing = 0;
  if (bad > 0) epi_clear_error(f);
  for (int i = 0, N = epi_dim(f->sys); i < N && !bad; i++) out[i] -= after[i] - there[i];
  return bad;
}

/* tolerances that an impulse on answer i is worth: of the velocity, and of the position that it moves until the step is over twice */
static double worth(const revolve *p, const memory *k, answers a, int i, double impulse, double time)
{
  const double velocity = impulse/weight(p, k, a.first + i);
  return i < p->pairs ? fmax(velocity, impulse*time/weight(p, k, i)) : velocity;
}

static void note(const room *d, answers a, int i, double at, double over)
{
  const double off = row(d, a, HERE)[i];
  double *sum = row(d, a, SUM) + i, *least = row(d, a, LEAST) + i, *most = row(d, a, MOST) + i, *peak = row(d, a, PEAK) + i;
  *sum += over*off;
  *least = fmin(*least, *sum);
  *most = fmax(*most, *sum);
  if (!(fabs(off) > fabs(*peak))) return;
  *peak = off;
  row(d, a, PEAK_AT)[i] = at;
}

/* The answer whose defect has the largest impulse over any part of the step, *largest tolerances on entry and return; -1: none has more */
static int find_missed(epi_flow *f, const epi_state *s, double *x, double T, answers a, double apart, double *largest)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  const memory k = memory_of(f, x);
  const double M = x[TURNS];
  int missed = -1;
  memset(row(d, a, SUM), 0, (size_t)((EPI_AVERAGES - SUM)*a.n)*sizeof(double));
  for (double at = apart; at < M; at += apart) {
    if (off_at(f, s, x, T, a, at)) return -1;
    for (int i = 0; i < a.n; i++) note(d, a, i, at, at + apart < M ? apart : 0.5*(apart + M - at));
  }
  for (int i = 0; i < a.n; i++) {
    const double by = worth(p, &k, a, i, row(d, a, MOST)[i] - row(d, a, LEAST)[i], 2*M*fabs(T));
    if (!(by > *largest)) continue;
    *largest = by;
    missed = i;
  }
  return missed;
}

static int is_confirmed(epi_flow *f, const epi_state *s, double *x, double T, answers a, int i)
{
  const room *d = room_of(f);
  const double peak = row(d, a, PEAK)[i];
  int bad = epi_revolve_defect(f, s, x, T, row(d, a, PEAK_AT)[i], d->rates);
  return bad > 0 || (!bad && d->rates[a.first + i]*peak > CONFIRMED*peak*peak);
}

/* Where the motion oscillates by itself in a period the force at its start is not the average, and only a far larger impulse than one that
   a period has refuted is worth another period */
static int has_missed(epi_flow *f, const epi_state *s, double *x, double T, answers a, double apart)
{
  double largest = fmax(IMPULSE, x[REFUTED]);
  const int missed = find_missed(f, s, x, T, a, apart, &largest);
  if (missed >= 0 && is_confirmed(f, s, x, T, a, missed)) return 1;
  x[REFUTED] = missed >= 0 ? REFUTES*largest : RECOVERS*x[REFUTED];
  return 0;
}

int epi_revolve_misses(epi_flow *f, const epi_state *s, double *x, double T)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  const memory k = memory_of(f, x);
  if (!epi_can_be_asked(f->sys)) return 0;
  const answers a = epi_revolve_answers(f->sys, PHASES);
  const double M = x[TURNS], places = p->span > 0 ? PLACES*M*fabs(T)/p->span : UNKNOWN*M/(x[PLACE] + M);
  if (places < 0.5*SHORT || M < 2) return 0;
  if (!(x[AVERAGES] > 0 && k.average_place[0] >= x[PLACE])) {
    if (average(f, s, x, T, a, 0, row(d, a, END))) return 0;
    keep(&k, x, a, x[PLACE], row(d, a, END));
  }
  if (average(f, s, x, T, a, M, row(d, a, END))) return 0;
  if (places > SHORT) {
    const double apart = fmax(1, floor(M/fmax(FEWEST, ceil(places))));
    if (has_missed(f, s, x, T, a, apart)) return 1;
  }
  keep(&k, x, a, x[PLACE] + M, row(d, a, END));
  return 0;
}
