/* revolve.c - many fast periods in one step. What one period moves the state by, g, changes slowly from period to period; over M periods
 * the state moves by the sum of g, and an Adams method sums the polynomial through the last g instead of integrating it. Steps are whole
 * periods from the start on, so that a step of one period is direct integration, and the solution there is the oscillating one; between
 * them it is found by a run of the micro flow from the period before. Step and order vary. */
#include "average/phase.h"
#include "breaks.h"
#include "revolving.h"
#include "sums.h"
#include "two.h"

enum { RTOL, ATOL, SPAN, ORDER, PERIOD, SHARE };

static long room_size(const epi_flow *f, long D)
{
  return (20 + 2*SUMS + EPI_COURSE_STATES + EPI_OVER_PLACES + EPI_AVERAGES)*D + f->below + 7L*epi_dim(f->sys) +
    (f->sys->nc ? epi_constraint_room(f->space) : 0);
}
static room make_room(const epi_flow *f)
{
  int D = extent(f);
  room d = {.y = epi_own_work(f)};
  d.moved = d.y + D;
  d.allowed = d.moved + 2*D;
  d.Y = d.allowed + D;
  d.predicted = d.Y + D;
  d.g = d.predicted + D;
  d.corrected = d.g + D;
  d.moves = d.corrected + D;
  d.heads = d.moves + SUMS*D;
  d.tries = d.heads + SUMS*D;
  d.turning = d.tries + 3*D;
  d.rates = d.turning + EPI_COURSE_STATES*D;
  d.swing = d.rates + EPI_OVER_PLACES*D;
  d.start = d.swing + 4*D;
  d.averages = d.start + D;
  d.change = d.averages + EPI_AVERAGES*D;
  d.unit = d.change + 2*D;
  d.per_unit = d.unit + D;
  d.kept = d.per_unit + D;
  d.still = d.kept + f->below;
  d.settle = d.still + epi_nv(f->sys) + f->sys->nq;
  return d;
}
/* the error of a step of M periods that is allowed, in units of the tolerance */
static double limit(const revolve *p, const double *x, double M, double T)
{
  if (!(p->span > 0)) return p->share;
  /* an error grows from where it was made: early ones more */
  const double early = 0.4 + 1.2*fmin(1, x[PLACE]*fabs(T)/p->span);
  return p->share*(x[GROWN] > 0 ? early*p->safe*M*fabs(T)/p->span*epi_revolve_care(p, x, T) : 0.005);
}

/* ---- steps ---- */
/* the state before the step becomes the newest point of the table */
EPI_INLINED void push(const revolve *p, const memory *k, double *x)
{
  int m = (int)x[POINTS], D = k->D, keep = m < p->order ? m : p->order - 1;
  double per_way[MOST_ORDER];
  /* from where they stood: what has just been written is not there yet for some at once */
  for (int j = 0; j < keep; j++) per_way[j] = 1/(x[PLACE] - k->place[j]);
  for (int j = keep; j > 0; j--) k->place[j] = k->place[j-1];
  k->place[0] = x[PLACE];
  for (int i = 0; i < D; i += 2) {
    epi_two up = epi_lanes_at(k->g + i, D - i);
    double *dd = k->dd + i;
    for (int j = 0; j < keep; j++, dd += D) {
      const epi_two old = epi_lanes_at(dd, D - i);
      epi_put_lanes(dd, D - i, up);
      up = (up - old)*per_way[j];
    }
    epi_put_lanes(dd, D - i, up);
  }
  x[POINTS] = keep + 1;
  if (keep + 1 == p->order) x[GROWN] = 1;
}

/* one period of its own: exact */
EPI_INLINED int single(epi_flow *f, epi_state *s, double *x, const memory *k, int N)
{
  x[TURNS] = 1;
  x[OFF] += 0.3*((const revolve *)f->own)->micro;
  x[KNOWN] = 0;
  if (--x[SINGLES] <= 0) { x[NEXT] = 2.5; x[LEFT] = x[PLACE] + 1; x[TRIED] = 0; }
  /* beyond a break nothing is as it was */
  if (x[BROKEN] && x[SINGLES] <= 0) x[POINTS] = x[AVERAGES] = x[GROWN] = x[BROKEN] = 0;
  for (int i = 0; i < N; i++) s->y[i] += k->g[i];
  return 0;
}

/* of n coordinates by how much a is off, or a and b are apart, in units of the tolerance; NaN where one is */
EPI_INLINED double largest(const room *d, int n, const double *a, const double *b)
{
  epi_two most = {0}, nothing = {0};
  for (int i = 0; i < n; i += 2) {
    const epi_two off = epi_lanes_at(a + i, n - i) - (b ? epi_lanes_at(b + i, n - i) : (epi_two){0});
    const epi_two units = epi_two_size(off)*epi_lanes_at(d->per_unit + i, n - i);
    most = epi_two_larger(most, units);
    nothing += 0*units;
  }
  return epi_larger(most[0], most[1]) + (nothing[0] + nothing[1]);
}

/* sums for a step of M periods from 0, 1, ... points: what a difference there moves the state by, and what it adds to g after them; what
   the corrector moves it by for a change of that g */
typedef struct { double M, S[MOST_ORDER + 1], E[MOST_ORDER + 1], moves[MOST_ORDER], heads[MOST_ORDER]; } sums;
static double turn_of(const sums *a, int m) { return a->M*a->S[m]/a->E[m]; }

static void sum_up(const memory *k, double M, int m, sums *a)
{
  double scale = 1;
  a->M = M;
  epi_newton_sums(m, k->place, M, M, a->S, a->E);
  for (int j = 0; j < m; j++, scale *= M) {
    a->heads[j] = scale*a->E[j];
    a->moves[j] = scale*M*a->S[j];
  }
}

/* what the state moves by in the step, and what g is after it, by 0 ... m points */
EPI_INLINED void add_up(const memory *k, int m, const sums *a, const room *d)
{
  const int D = k->D;
  for (int i = 0; i < D; i += 2) {
    double *moves = d->moves + i, *heads = d->heads + i;
    const double *dd = k->dd + i;
    epi_two move = {0}, head = {0};
    epi_put_lanes(moves, D - i, move);
    epi_put_lanes(heads, D - i, head);
    for (int j = 0; j < m; j++, dd += D) {
      const epi_two at = epi_lanes_at(dd, D - i);
      epi_put_lanes(moves += D, D - i, move += a->moves[j]*at);
      epi_put_lanes(heads += D, D - i, head += a->heads[j]*at);
    }
  }
}

/* what the corrector with m points moves the state by */
EPI_INLINED void correct(const memory *k, const room *d, int m, const sums *a, double *out)
{
  const int D = k->D;
  const double turn = turn_of(a, m), *moves = d->moves + m*D, *heads = d->heads + m*D;
  for (int i = 0; i < D; i += 2)
    epi_put_lanes(out + i, D - i, epi_lanes_at(moves + i, D - i)
                  + turn*(epi_lanes_at(d->g + i, D - i) - epi_lanes_at(heads + i, D - i)));
}

/* by how much correctors with m points and with one less are apart, in units of the tolerance. Points that do more harm than good, because
   g has changed its course or is near its rounding, are dropped; a difference that is small by chance is no reason, and what it was with
   them still counts */
EPI_INLINED double difference(const memory *k, const room *d, int *points, const sums *a)
{
  int m = *points;
  double *with = d->tries, *less = with + k->D, *next = less + k->D;
  correct(k, d, m, a, with);
  correct(k, d, m - 1, a, less);
  double error = largest(d, k->D, with, less);
  for (; m > 2; m--) {
    correct(k, d, m - 2, a, next);
    const double lower = largest(d, k->D, less, next);
    if (!(lower < error)) break;
    error = fmax(lower, 0.6*error);
    double *spare = with;
    with = less;
    less = next;
    next = spare;
  }
  *points = m;
  return error;
}

/* beside a run: g at the predicted state, by what the run has at its own; 0: that is not known well enough */
EPI_INLINED int known_by_run(const epi_flow *f, const double *x, const memory *k, const room *d)
{
  const revolve *p = f->own;
  const int D = k->D;
  double *dg = d->change, *dY = dg + D, slope = x[TAKEN] > 0 ? x[SLOPES]/x[TAKEN] : HUGE_VAL;
  if (!(p->given > 0) || !p->run_g) return 0;
  for (int i = 0; i < D; i++) dY[i] = d->predicted[i] - p->run[i];
  double off = epi_secants_foretell(k->secants, D, d->per_unit, dY, slope, dg);
  if (!(off <= p->micro || off <= 0.2*largest(d, D, dg, NULL))) return 0;
  for (int i = 0; i < D; i++) d->g[i] = p->run_g[i] + dg[i];
  epi_secants_use(k->secants);
  return 1;
}

/* one attempt of M periods; returns the error in units of the tolerance, or less than 0 with the code in *bad */
EPI_INLINED double attempt(epi_flow *f, const epi_state *s, double *x, const memory *k, double M, double T, int *bad)
{
  const room *d = room_of(f);
  const int D = k->D;
  int m = (int)x[POINTS];
  sums a;
  sum_up(k, M, m, &a);
  add_up(k, m, &a, d);
  for (int i = 0; i < D; i += 2)
    epi_put_lanes(d->predicted + i, D - i, epi_lanes_at(d->Y + i, D - i) + epi_lanes_at(d->moves + m*D + i, D - i));
  x[TRIED]++;
  x[FORETOLD] = known_by_run(f, x, k, d);
  *bad = x[FORETOLD] ? 0 : epi_revolve_period(f, x, s->t + M*T, d->predicted, T, d->g);
  if (*bad) return -1;
  double error = difference(k, d, &m, &a);
  const double turn = turn_of(&a, m), by = a.E[m], *moves = d->moves + m*D, *heads = d->heads + m*D;
  x[POINTS] = m;
  for (int i = 0; i < D; i += 2) {
    const epi_two off = epi_lanes_at(d->g + i, D - i) - epi_lanes_at(heads + i, D - i);
    epi_put_lanes(k->share + i, D - i, off/by);
    epi_put_lanes(d->corrected + i, D - i, epi_lanes_at(d->Y + i, D - i) + epi_lanes_at(moves + i, D - i) + turn*off);
  }
  return error;
}

/* what rounding leaves of M periods, in units of the tolerance */
EPI_INLINED double rounding(const epi_flow *f, double M, int N)
{
  const room *d = room_of(f);
  double most = 0;
  for (int i = 0; i < N; i++) most = epi_larger(most, d->moved[N + i]*d->per_unit[i]);
  return 8*M*most;
}

/* whether that is more than the tolerance allows: what is left of the velocity, all of one sign at worst, adds up in the position and grows
   with the motion */
EPI_INLINED int is_rounding(const epi_flow *f, const double *x, double M, double T, int N)
{
  const room *d = room_of(f);
  const revolve *p = f->own;
  const int n = p->pairs;
  const double *left = d->moved + N;
  if (!(p->span > 0)) return rounding(f, M, N) > 1;
  double periods = p->span/fabs(T), grows = 1/epi_revolve_care(p, x, T);
  for (int i = 0; i < n; i++)
    if (5*left[n + i]*periods > p->rtol && 4*grows*p->span*left[n + i]*periods > d->unit[i]) return 1;
  for (int i = 2*n; i < N; i++) if (8*left[i]*periods > d->unit[i]) return 1;
  return 0;
}

/* how much g changes with the state, per period */
EPI_INLINED void learn(const epi_flow *f, double *x, const double *from, const double *to, const double *g0, const double *g1, int N)
{
  double dg = largest(room_of(f), N, g1, g0), dY = largest(room_of(f), N, to, from);
  if (dY > 0 && isfinite(dg/dY)) x[SLOPES] += dg/dY;
  x[TAKEN]++;
}

/* a velocity is as large as its acceleration makes it over the size of its position, also where it is just zero */
EPI_INLINED void note_size(const epi_flow *f, const memory *k, const double *Y, double T, int N)
{
  const revolve *p = f->own;
  const int n = p->pairs;
  const double pace = 1/fabs(T);
  for (int i = 0; i < N; i++) if (fabs(Y[i]) > k->most[i]) k->most[i] = fabs(Y[i]);
  for (int i = 0; i < n; i++) {
    double square = fabs(k->g[n + i])*pace*(k->most[i] + p->least_size);
    if (square > k->most[n + i]*k->most[n + i]) k->most[n + i] = sqrt(square);
  }
}

/* g at the corrected state, which is near the predicted one: where its change is known to within what a period may be off by, no period is
   taken for it */
EPI_INLINED int period_after(epi_flow *f, const epi_state *s, double *x, const memory *k, double M, double T, int N)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  const int D = k->D;
  int bad;
  double *dg = d->change, *dY = dg + D, slope = x[TAKEN] > 0 ? x[SLOPES]/x[TAKEN] : HUGE_VAL;
  /* what the run itself has there says how g changes */
  if (p->given > 0 && p->run_g && !x[FORETOLD]) {
    for (int i = 0; i < D; i++) { dY[i] = p->run[i] - d->predicted[i]; dg[i] = p->run_g[i] - d->g[i]; }
    epi_secants_see(k->secants, D, d->per_unit, dY, dg);
  }
  for (int i = 0; i < D; i++) dY[i] = d->corrected[i] - d->predicted[i];
  double off = epi_secants_foretell(k->secants, D, d->per_unit, dY, slope, dg);
  if (off <= p->micro || (p->given > 0 && off <= 0.2*largest(d, N, dg, NULL))) {
    for (int i = 0; i < D; i++) k->g[i] = d->g[i] + dg[i];
    if (!x[FORETOLD]) epi_secants_use(k->secants);
    return 0;
  }
  if ((bad = epi_revolve_period(f, x, s->t + M*T, d->corrected, T, k->g))) return bad;
  for (int i = 0; i < D; i++) dg[i] = k->g[i] - d->g[i];
  epi_secants_see(k->secants, D, d->per_unit, dY, dg);
  x[TRIED]++;
  return 0;
}

/* a step that would go over a break in time is not taken, and one near it is too short to tell; 1: there is one ahead. What an error of
   one period may be is a small part of the tolerance, for breaks are few */
static int breaks_ahead(epi_flow *f, const epi_state *s, double *x, const memory *k, double M, double T, int *seen)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  /* those that the system names; where one is in the next turns these are taken one by one */
  if (f->sys->nbreaks && epi_next_break(f->sys, s->t, T < 0 ? -1 : 1, fabs(T)*M) >= 0) return *seen = 1;
  if (f->sys->smooth) return 0;
  const epi_time_span span = {s->t, (1.3*M + 1)*T, x[THETA0], T, p->rtol, s->y, k->g, d->unit, &x[STILL], d->turning, d->corrected};
  double off = epi_time_break(f, &span);
  *seen |= off > 0.05*p->share;
  return isnan(off) ? *seen : off > 0.05*p->share;
}

/* times the last step, where so many of its errors are allowed; one that would be about as long has the same length */
static double longer(const revolve *p, int m, int starting, double q)
{
  if (!starting && q >= p->longest[m]) return 1.5;
  if (!starting && q >= p->kept[m][0] && q <= p->kept[m][1]) return 1;
  const double by = fmin(starting ? 4 : 1.5, 0.9*pow(q, starting ? 0.8/(m + 1) : 0.5/(p->span > 0 ? m : m + 1)));
  return by >= 0.97 && by <= 1.08 ? 1 : by;
}

/* a step that has that error is taken */
EPI_INLINED int end_step(epi_flow *f, epi_state *s, double *x, const memory *k, double M, double T, int N, double error)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  int bad;
  x[TURNS] = M;
  x[OFF] += 0.5*error + 0.3*M*p->micro;
  if ((bad = period_after(f, s, x, k, M, T, N))) return bad;
  x[KNOWN] = 1;
  learn(f, x, d->Y, d->corrected, k->dd, k->g, N);
  memcpy(s->y, d->corrected, (size_t)N*sizeof *s->y);
  return 0;
}

/* beside a run: as long as its steps are, and no shorter where it is off by much */
EPI_INLINED int follow(epi_flow *f, epi_state *s, double *x, const memory *k, double T, int N)
{
  revolve *p = f->own;
  int bad;
  if (!(p->span > 0)) p->micro = epi_revolve_micro_limit(p, x, T);
  double error = attempt(f, s, x, k, p->given, T, &bad);
  return bad ? bad : end_step(f, s, x, k, p->given, T, N, error);
}

EPI_INLINED int many(epi_flow *f, epi_state *s, double *x, const memory *k, double T, int N)
{
  revolve *p = f->own;
  const room *d = room_of(f);
  int bad = 0, seen = 0;
  for (;;) {
    double M = floor(x[NEXT] + 0.5);
    if (x[NEXT] < 1.9) {
      /* steps that take about as many periods as they go over are not tried again so soon */
      int useless = x[BEFORE] > 0 && x[PLACE] - x[LEFT] < 1.5*x[TRIED];
      x[SINGLES] = x[BEFORE] > 0 && !seen ? x[BEFORE] : 3;
      x[BEFORE] = useless ? fmin(64, 2*x[BEFORE]) : 16;
      x[BROKEN] = seen;
      if (seen && (bad = epi_revolve_period(f, x, s->t, d->Y, T, k->g))) return bad;
      return single(f, s, x, k, N);
    }
    if (breaks_ahead(f, s, x, k, M, T, &seen)) { x[NEXT] = M/4; continue; }
    /* a step that has become shorter has periods that may be off by more */
    if (!(p->span > 0)) p->micro = epi_revolve_micro_limit(p, x, T);
    double error = attempt(f, s, x, k, M, T, &bad), allowed = limit(p, x, M, T), least = bad ? 0 : rounding(f, M, N);
    if (bad < 0) return bad;
    if (least > allowed) allowed = least;
    if (!bad && is_rounding(f, x, M, T, N)) x[ROUNDED] = 1;
    int m = (int)x[POINTS], starting = !(x[GROWN] > 0);
    if (bad || !(error <= allowed)) {
      if (bad) epi_clear_error(f);
      f->refused++;
      x[NEXT] = bad || isnan(error) ? M/4 : fmin(M - 0.6, M*fmax(0.1, 0.9*pow(allowed/error, starting ? 1.0/(m + 1) : 1.0/3)));
      continue;
    }
    x[TURNS] = M;
    if (epi_revolve_misses(f, s, x, T)) { f->refused++; x[NEXT] = M/4; continue; }
    if (epi_revolve_goes_over(f, s, x, T)) { seen = 1; f->refused++; x[NEXT] = M/4; continue; }
    if ((bad = end_step(f, s, x, k, M, T, N, error))) return bad;
    x[NEXT] = M*longer(p, m, starting, allowed/fmax(error, 1e-300));
    return 0;
  }
}

/* at the start, and again on the way, for a force may show elsewhere that it has another period */
static int ask_phase(epi_flow *f, const epi_state *s, double T)
{
  epi_phase_question ask = {.average = f, .t = s->t, .theta = s->theta, .period = fabs(T), .y = s->y, .work = room_of(f)->y};
  int bad = epi_can_be_asked(f->sys) ? epi_ask_turn(&ask) : 0;
  return bad || !epi_can_be_asked(f->sys) ? bad : epi_ask_time(&ask, 1);
}

static int asked_now(double taken) { return taken == 8 || taken == 32 || taken == 128 || (taken >= 512 && fmod(taken, 512) == 0); }

/* of N numbers, one more where time is a coordinate */
EPI_INLINED int whole(epi_flow *f, epi_state *s, double *x, double e, int N, int timed)
{
  const revolve *p = f->own;
  const memory k = memory_at(x, N + timed);
  const room *d = room_of(f);
  int bad;
  double T = epi_turn_time(f->sys, p->period, s->t, e), began = s->t;
  if (!(p->given > 0) && asked_now(x[TAKEN]) && (bad = ask_phase(f, s, T))) return bad;
  memcpy(d->Y, s->y, (size_t)N*sizeof *d->Y);
  if (timed) d->Y[N] = s->t;
  epi_revolve_measure(f, x, T);
  if (x[SINGLES] > 0 && breaks_ahead(f, s, x, &k, 1, T, &(int){0})) x[BROKEN] = 1;
  if (!x[KNOWN] && (bad = epi_revolve_period(f, x, s->t, d->Y, T, k.g))) return bad;
  /* after a single period the state has moved by g itself */
  if (!x[KNOWN] && x[POINTS] > 0) {
    learn(f, x, NULL, k.dd, k.dd, k.g, N);
    ((revolve *)f->own)->micro = epi_revolve_micro_limit(p, x, T);
  }
  push(p, &k, x);
  if ((bad = x[SINGLES] > 0 ? single(f, s, x, &k, N) : p->given > 0 ? follow(f, s, x, &k, T, N)
              : many(f, s, x, &k, T, N))) return bad;
  x[PLACE] += x[TURNS];
  if (timed) s->t = x[TURNS] > 1 ? epi_turns_end(f->sys, began, x[TURNS], d->corrected[N]) : began + T;
  else epi_turn_clock(s, x[TURNS]*T);
  s->theta = x[THETA0];
  if ((f->sys->retract || f->sys->nc) && (bad = epi_revolve_settle(f, s->t, s->y, d))) return bad;
  note_size(f, &k, s->y, T, N);
  return 0;
}

int epi_revolve_whole(epi_flow *f, epi_state *s, double *x, double e)
{
  return is_pair(f) ? whole(f, s, x, e, 2, 0) : whole(f, s, x, e, epi_dim(f->sys), ((const revolve *)f->own)->timed);
}

static void warn_micro(epi_flow *f, double periods, double off, double allowed)
{
  const epi_flow *micro = f->kid[0];
  if (off*periods > allowed)
    epi_warn_cause(f, EPI_MICRO_STEPS, "revolve: the micro-steps leave a period off by so much that %.3g periods add up to %.2g times the "
                   "tolerance: give %s more steps a period or a higher order, or take picard", periods, off*periods, micro->record->name);
}

/* no step of many periods shows what each of them is off by: once, the first is taken again in three parts, each with all the micro-steps.
   On its way it shows how large coordinates become that are zero where it begins. Where the length of the run is unknown its periods are
   counted, see doubt */
static int check_micro(epi_flow *f, const epi_state *from, const memory *k, double T)
{
  const revolve *p = f->own;
  epi_flow *micro = f->kid[0];
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad = 0;
  double off = 0;
  if (micro->whole) return 0;
  memcpy(d->y, from->y, (size_t)N*sizeof *d->y);
  epi_state s = {.t = from->t, .theta = from->theta, .y = d->y};
  if (f->below) epi_forget(micro);
  memcpy(d->predicted, k->most, (size_t)N*sizeof *k->most);
  for (int i = 0; i < 3 && !bad; i++) {
    bad = epi_go(micro, &s, (i < 2 ? 0.25 : 0.5)*T, 1);
    for (int c = 0; c < N; c++) d->predicted[c] = fmax(d->predicted[c], fabs(d->y[c]));
  }
  if (bad < 0) return bad;
  if (bad) { epi_clear_error(f); return 0; }
  if (f->sys->nearest) f->sys->nearest(f->sys, from->y, d->y);
  for (int i = 0; i < N; i++) {
    k->micro[i] = fabs(d->y[i] - from->y[i] - k->g[i]);
    off = epi_larger(off, k->micro[i]/(p->atol + p->rtol*d->predicted[i]));
  }
  if (p->span > 0) warn_micro(f, p->span/fabs(T), off, 1);
  return 0;
}

/* the same for the periods of the run so far, and the sizes that the coordinates have had. Here each step may have an error of the whole
   tolerance: that of all micro-steps, which is not always of one sign, may be twice as large */
static void doubt_micro(epi_flow *f, const double *x)
{
  const revolve *p = f->own;
  const memory k = memory_of(f, (double *)x);
  double off = 0;
  if (p->span > 0 || !(x[PLACE] > 0)) return;
  for (int i = 0, N = epi_dim(f->sys); i < N; i++) off = epi_larger(off, k.micro[i]/weight(p, &k, i));
  warn_micro(f, x[PLACE], off, 2);
}

/* the first step, such that the bend of g costs a little less than such a step may; found over a hundredth of the state */
static int begin(epi_flow *f, epi_state *s, double *x)
{
  revolve *p = f->own;
  memory k = memory_of(f, x);
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad;
  double T = epi_turn_time(f->sys, p->period, s->t, epi_own_sign(f)), way = 0;
  /* what ends here is still to be judged */
  doubt_micro(f, x);
  memset(x, 0, (size_t)extras(k.D)*sizeof *x);
  if ((bad = ask_phase(f, s, T))) return bad;
  memcpy(d->Y, s->y, (size_t)N*sizeof *d->Y);
  if (p->timed) { d->Y[N] = s->t; k.most[N] = fabs(T); }
  note_size(f, &k, d->Y, T, N);
  x[THETA0] = s->theta;
  x[NEXT] = 1;
  /* how large velocities are shows in what the first period does to them */
  p->unmeasured = 1;
  epi_revolve_measure(f, x, T);
  bad = epi_revolve_period(f, x, s->t, d->Y, T, k.g);
  p->unmeasured = 0;
  if (bad) return bad;
  note_size(f, &k, d->Y, T, N);
  epi_revolve_measure(f, x, T);
  x[KNOWN] = 1;
  for (int i = 0; i < N; i++) way = fmax(way, fabs(k.g[i])/(0.01*(k.most[i] + p->least_size)));
  double M = way > 0 ? fmax(1, 1/way) : 1;
  if (p->span > 0) M = fmin(M, fmax(1, 0.01*p->span/fabs(T)));
  for (int i = 0; i < k.D; i++) d->predicted[i] = d->Y[i] + M*k.g[i];
  bad = epi_revolve_period(f, x, s->t + M*T, d->predicted, T, d->g);
  if (bad < 0) return bad;
  if (bad) { epi_clear_error(f); x[NEXT] = 2; return check_micro(f, s, &k, T); }
  learn(f, x, d->Y, d->predicted, k.g, d->g, N);
  for (int i = 0; i < k.D; i++) d->g[i] = (d->g[i] - k.g[i])/M;
  double bend = largest(d, N, d->g, NULL);
  x[NEXT] = bend > 0 ? fmax(2, fmin(M, sqrt(0.008/bend))) : M;
  if (x[NEXT] < 2) x[NEXT] = 2;
  return check_micro(f, s, &k, T);
}

static void doubt(epi_flow *f)
{
  const double *x = epi_own_extra(f);
  doubt_micro(f, x);
  if (x[ROUNDED])
    epi_warn_cause(f, EPI_ROUNDING, "revolve: its tolerance is below what rounding leaves of so many periods: take a larger rtol, or %s",
                   f->kid[0]->whole ? "resolve everything" : "picard as its micro flow");
}

/* what a checkpoint says of the table is used as an index */
static int unsound(const epi_flow *f, const double *x)
{
  return !epi_is_count(x[STILL]) || !epi_is_count(x[POINTS]) || x[POINTS] > ((const revolve *)f->own)->order ||
    !epi_is_count(x[AVERAGES]) || x[AVERAGES] > MOST_ORDER;
}

static void check(epi_flow *f)
{
  const epi_flow *a = f->kid[0];
  const epi_system *m = f->sys;
  const epi_value *v = f->arg;
  const char *name = a->record->name;
  epi_refuse(f, !(a->claims & EPI_CLOCK), "revolve needs a micro flow that moves time; %s does not", name);
  epi_refuse(f, a->own_time, "revolve gives its micro flow whole periods, and %s has a time of its own: give it the flow inside", name);
  epi_refuse(f, !a->lands, "revolve gives its micro flow a whole period as one step, and %s would take it in one: put substeps(%s, 20) "
             "around it, or take picard", name, name);
  epi_refuse(f, !(v[PERIOD].number > 0) && !(m->period > 0) && !m->phase_rate_at && !(fabs(m->phase_rate) > 0),
             "revolve does not know the fast period: set period or phase_rate in the system, or give it its period");
  epi_refuse_period(f, v[PERIOD].number);
  epi_refuse(f, v[ORDER].given && !(v[ORDER].number >= 2 && v[ORDER].number <= MOST_ORDER), "revolve: order is %g: take 2 to %d",
             v[ORDER].number, MOST_ORDER);
  epi_refuse(f, !(v[RTOL].number >= 1e-14), "revolve: rtol is %g: take 1e-14 or more", v[RTOL].number);
  epi_refuse(f, v[ATOL].given && !(v[ATOL].number > 0), "revolve: atol is %g: it must be positive", v[ATOL].number);
  epi_refuse(f, !(v[SPAN].number >= 0), "revolve: span is %g: it is the length of the run", v[SPAN].number);
  epi_refuse(f, !(v[SHARE].number > 0 && v[SHARE].number <= 1), "revolve: share is %g: take more than 0 and at most 1", v[SHARE].number);
  epi_refuse(f, (a->claims & EPI_WATCHES) != 0, "revolve: a watch inside would see some periods and not others: put it around revolve");
}

static double to_the(double x, int power)
{
  double y = 1;
  for (; power > 0; power--) y *= x;
  return y;
}

static void set_tolerance(epi_flow *f)
{
  const epi_value *v = f->arg;
  revolve *p = f->own;
  double digits = -log10(v[RTOL].number*v[SHARE].number);
  p->rtol = v[RTOL].number;
  p->atol = v[ATOL].given ? v[ATOL].number : v[RTOL].number;
  p->least_size = p->atol/p->rtol;
  /* the fewer steps, the less is sure of their errors */
  p->safe = fmin(pow(10, 0.05*(digits - 3)), 0.65*pow(10, 0.115*(digits - 3.15)));
  for (int m = 0; m <= MOST_ORDER; m++) {
    const int power = 2*(p->span > 0 ? m : m + 1);
    p->kept[m][0] = to_the(0.97/0.9, power);
    p->kept[m][1] = to_the(1.08/0.9, power);
    p->longest[m] = to_the(1.5/0.9, power);
  }
  p->order = v[ORDER].given ? (int)v[ORDER].number : (int)fmin(9, fmax(5, 6 + (digits - 3)/1.5));
}

void epi_revolve_again(epi_flow *f, double rtol)
{
  f->arg[RTOL].number = rtol;
  set_tolerance(f);
  epi_forget(f);
  f->warning[0] = f->kid[0]->warning[0] = 0;
}

static void build(epi_flow *f)
{
  const epi_system *m = f->sys;
  const epi_value *v = f->arg;
  revolve *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse_memory(f, !p)) return;
  check(f);
  if (f->broken) return;
  *p = (revolve){.own = {.begin = begin, .whole = epi_revolve_whole, .part = epi_revolve_part, .unsound = unsound, .onward = 1},
                 .span = v[SPAN].number, .share = v[SHARE].number, .timed = m->phase_rate_at && !v[PERIOD].given,
                 .pairs = epi_all_rate(m) || m->retract ? 0 : m->nq};
  p->own.kid_stays = f->kid[0]->whole;
  set_tolerance(f);
  p->period = v[PERIOD].given ? v[PERIOD].number : p->timed ? 0 : m->period > 0 ? m->period : 2*EPI_PI/fabs(m->phase_rate);
  f->claims = f->kid[0]->claims & (EPI_EXPLICIT | EPI_BACKWARD);
  f->doubt = doubt;
  f->turn = epi_revolve_turn;
  if (!epi_own_build(f, extras(extent(f)), room_size(f, extent(f)))) p->room = make_room(f);
}

static const epi_param params[] = {
  [RTOL] = {.name = "rtol", .value = 1e-6, .doc = "allowed error relative to the largest that each coordinate has been"},
  [ATOL] = {.name = "atol", .value = 0, .doc = "allowed error where a coordinate is small; rtol unless given"},
  [SPAN] = {.name = "span", .unit = "time", .value = 0,
            .doc = "length of the run: the errors of all its steps together may reach the tolerance; 0: the error of each step"},
  [ORDER] = {.name = "order", .kind = EPI_COUNT, .doc = "largest number of points of the Adams method, 2 to 10; by rtol unless given"},
  [PERIOD] = {.name = "period", .unit = "time", .doc = "the fast period; from the system unless given"},
  [SHARE] = {.name = "share", .value = 1, .doc = "part of the tolerance that steps may take; rounding is held against all of it"},
  {0}
};
const epi_record epi_REVOLVE = {
  .name = "revolve", .doc = "many fast periods in one step: what one period does is summed by an Adams method; variable step and order",
  .cite = "Graf (1969); Petzold, SIAM J. Numer. Anal. 18 (1981) 455", .example = "revolve(picard, rtol=1e-6)",
  .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = params, .build = build,
};
