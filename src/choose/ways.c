/* ways.c - the flows that may be taken, and which costs least */
#include "search.h"
#include "body/parts.h"

/* what may be taken: r is the tolerance of its steps, and how much less than that of the solution it must be as a rule; a the same of what
   is small, b in a clause of its own; p that of a period; s the length of the run; k steps of a turn of the phase; T the period of a fast
   oscillation, n steps for each of these. AVERAGES: over a phase; TUNED: over a fast oscillation of the system's own; POOR: where there is
   such a one; PLAIN: not for bodies and constraints; BACK: some of its steps go back, where bodies that lose energy gain it; UNAWARE: its
   steps go over breaks of a force in time; EVEN: not for impacts and what may not run back; ORDER_2: of that order; IMPLICIT: its steps
   may be longer than an oscillation */
enum { AVERAGES = 1, SLOW_TO_START = 2, TUNED = 4, POOR = 8, PLAIN = 16, BACK = 32, UNAWARE = 64, EVEN = 128, ORDER_2 = 256,
       IMPLICIT = 512 };
static const struct { const char *flow; double strict; int is; } ways[] = {
  [EPI_BY_TUNING] = {"revolve(substeps(symmetric(verlet, order=8), {n}), rtol={r}{b}, span={s}, period={T})", 0.3, TUNED},
  [EPI_BY_PICARD] = {"revolve(picard, rtol={r}{b}, span={s})", 0.5, AVERAGES},
  [EPI_BY_STEPS] = {"revolve(substeps(dop853, {k}), rtol={r}{b}, span={s})", 0.5, AVERAGES},
  [EPI_BY_HERK] = {"revolve(tolerance(herk4, rtol={p}, atol={p}), rtol={r}{b}, span={s})", 0.5, AVERAGES},
  [EPI_BY_ADAMS] = {"adams(rtol={r}, atol={a})", 0.1, SLOW_TO_START | PLAIN | EVEN},
  [EPI_DIRECT] = {"tolerance(dop853, rtol={r}, atol={a})", 0.1, 0},
  {"tolerance(herk4, rtol={r}, atol={a})", 0.1, POOR},
  {"tolerance(symmetric(verlet, order=8), rtol={r}, atol={a})", 0.1, POOR | BACK},
  {"tolerance(verlet, rtol={r}, atol={a})", 0.03, POOR | ORDER_2},
  {"tolerance(semi(model.contacts, model.stiff), rtol={r}, atol={a})", 0.03, POOR | ORDER_2 | IMPLICIT},
  {"tolerance(radau(stages=3), rtol={r}, atol={a})", 0.1, SLOW_TO_START | POOR | PLAIN | IMPLICIT},
  {"cvode(rtol={r}, atol={a})", 1e-3, SLOW_TO_START | POOR | UNAWARE | IMPLICIT},
};
enum { WAYS = sizeof ways/sizeof *ways, FEW = 4000 };      /* evaluations of a run, beside which trying others is not worth while */

/* with those that other files of the room enter before them */
_Static_assert(WAYS + 6 <= sizeof ((epi_chosen *)NULL)->way/sizeof(epi_way), "room for all ways");

/* so far powers of ten are exact, and one rounding gives what the text means */
static double with_power(int digits, int power)
{
  char text[32];
  double ten = 1;
  for (int i = 0; i < abs(power) && i < 22; i++) ten *= 10;
  if (abs(power) <= 22) return power < 0 ? digits/ten : digits*ten;
  snprintf(text, sizeof text, "%de%d", digits, power);
  return strtod(text, NULL);
}

double epi_rounded(double x)
{
  int power = (int)floor(log10(x) + 1e-9), digit = (int)(x/pow(10, power)*(1 + 1e-9));
  return with_power(digit < 1 ? 1 : digit > 9 ? 9 : digit, power);
}

double epi_rounded_less(double x)
{
  int power = (int)floor(log10(x) + 1e-9), digits = (int)(x/pow(10, power - 1)*(1 + 1e-9));
  return digits < 50 ? with_power(digits < 10 ? 10 : digits, power - 1) : epi_rounded(x);
}

/* what is left of many periods by rounding. Steps of a low order are so short near it that rounding is all their error shows: two such
   solutions have the same steps, and agree */
double epi_finest(const epi_search *a, int way)
{
  if (ways[way].is & TUNED) return fmax(FINEST, 1e-14*a->scales.turns);
  return ways[way].is & POOR && !(ways[way].is & (IMPLICIT | BACK)) ? 50*FINEST : FINEST;
}

/* where everything is resolved the errors of phase of all fast turns add up. Between whole periods an error of a position becomes one of a
   velocity, as many times larger as the oscillation is fast. There must be room for a finer one */
double epi_first_tolerance(const epi_search *a, int way)
{
  const epi_scales *s = &a->scales;
  /* of what may not be smooth the looser of two solutions must be the answer, where steps are of variable order */
  double less = way == EPI_BY_ADAMS && !a->c->system.smooth ? 0.1 : 1;
  if (s->fast > 0) less *= ways[way].is & TUNED ? fmin(1, 150*(s->pace/s->fast + s->amplitude)) : 1/fmax(1, s->turns*s->swing/8);
  double r = fmax((ways[way].is & TUNED ? 20 : 1)*epi_finest(a, way), ways[way].strict*a->to->tol*less);
  return way == EPI_DIRECT ? epi_rounded_less(r) : epi_rounded(r);
}

/* what a period of a harmonic oscillation is off by in its phase goes with the eighth power of its steps, and adds up; where it is a good
   part of the motion all of that is seen */
static double substeps_for(const epi_search *a, double r)
{
  const double seen = a->scales.amplitude > 0.1 ? 2.5 : 1;
  return fmax(4, ceil(21*pow(2.4e-10*seen*a->scales.turns/r, 0.125)));
}

/* with r their errors fall too, as two solutions of the same turns would agree on what these are off by */
static double steps_for(const epi_search *a, double r)
{
  return ceil(a->steps*pow(epi_first_tolerance(a, EPI_BY_STEPS)/r, 0.125)*(1 - 1e-9));
}

int epi_has_laws(const epi_search *a) { return a->c->world && epi_world_has_laws(a->c->world); }

static int cannot_be_asked(const epi_search *a, int i)
{
  const epi_system *m = &a->c->system;
  return !epi_has_no_bumps(a) && !a->c->world && (m->nc || m->retract || (i != EPI_DIRECT && i != EPI_BY_ADAMS));
}

/* of a step, 0: any. What joints and drives alone determine has no error in any step, and may be put together otherwise after a long one.
   Steps of order 2 do not see what goes on in a turn of the phase. What is nothing but for a moment, as a load by a formula may be, is met
   by steps that are short, and shorter in the finer of two solutions: these differ where one of them did not see it, and so do
   those whose steps cannot be asked what they go over */
static double longest_of(const epi_search *a, int i, double r)
{
  enum { SEEN = 2048, UNASKED = 512, UNASKED_SMOOTH = 128 };
  const int order_2 = (ways[i].is & ORDER_2) != 0, unasked = a->c->system.smooth ? UNASKED_SMOOTH : UNASKED;
  const double span = a->to->end - a->c->t, finer = fmin(1, r/epi_first_tolerance(a, i)), turn = epi_part_of_turn(&a->c->system, a->c->t);
  double given = a->c->world && a->c->system.nc ? epi_rounded(span/CHECKS) : HUGE_VAL, longest = given;
  if (a->longest > 0) given = longest = epi_rounded_less(a->longest*pow(finer, 0.125));
  if (cannot_be_asked(a, i) && finer < 0.9) longest = fmin(longest, span/unasked*pow(finer, 0.125));
  if (epi_has_laws(a)) longest = fmin(longest, span/SEEN*(order_2 ? 0.25 : 1)*pow(finer, 0.125));
  longest = fmin(longest, epi_longest_by_kicks(a, order_2 || i == EPI_BY_ADAMS));
  longest = fmin(longest, order_2 ? 0.2*turn*sqrt(finer) : longest < HUGE_VAL ? turn : HUGE_VAL);
  return longest < given ? epi_rounded_less(longest) : isfinite(given) ? given : 0;
}

size_t epi_write_small(const epi_search *a, double r, char *out, size_t size)
{
  const double part = 5*a->small;
  return part < 0.5 ? (size_t)snprintf(out, size, ", atol=%s", epi_shortest(epi_rounded(part*r)).text) : 0;
}

void epi_write_way(const epi_search *a, int i, double r, char *out, size_t size)
{
  double span = a->to->end - a->c->t, period = fmax(1e-14, 0.1*r/fmax(1, a->to->turns));
  size_t n = 0;
  for (const char *at = ways[i].flow; *at && n + 32 < size; at++) {
    if (*at != '{') { out[n++] = *at; continue; }
    double x = r;
    if (at[1] == 'b') {
      n += epi_write_small(a, r, out + n, size - n);
      at += 2;
      continue;
    }
    if (at[1] == 's') x = span;
    else if (at[1] == 'a' && a->small < (a->measured ? 1 : 1e-3)) x = epi_rounded(r*a->small);
    else if (at[1] == 'p') x = epi_rounded(period);
    else if (at[1] == 'T') x = 2*EPI_PI/a->scales.fast;
    else if (at[1] == 'n') x = substeps_for(a, r);
    else if (at[1] == 'k') x = steps_for(a, r);
    n += (size_t)snprintf(out + n, size - n, "%s", epi_shortest(x).text);
    at += 2;
  }
  out[n] = 0;
  double longest = longest_of(a, i, r);
  if (longest > 0 && !(ways[i].is & (AVERAGES | TUNED)) && n + 32 < size)
    snprintf(out + n - 1, size - n + 1, ", longest=%s)", epi_shortest(longest).text);
}

/* that were asked for, or some */
static double rows_of(const epi_search *a) { return a->to->every > 0 ? (a->to->end - a->c->t)/a->to->every : 100; }

/* sums of turns of a fast oscillation feel how each of them is rounded: to a smaller tolerance of their steps they go turn by turn, and to
   some times as much they are short */
static double felt_by_turns(const epi_search *a) { return 3e-12*a->scales.turns*a->scales.amplitude; }

static double try_part(epi_search *a, epi_attempt *x, epi_way *w, double part)
{
  epi_fault why = {.words = ""};
  const double calls = epi_try_part(a, x, w->flow, part, &why);
  if (why.words[0]) epi_way_fault(w, &why);
  return calls;
}

/* its first steps are short, and are told from the rest by two parts of the run */
static void try_tuned(epi_search *a, epi_way *w)
{
  /* it asks for some tens of periods at least, and for some more in each radian of the slow motion; what tells its error takes more too */
  const double periods = (25 + 6*a->scales.pace*(a->to->end - a->c->t))*pow(1e-3/a->to->tol, 0.08), direct = epi_direct_calls(a);
  /* as a rule a third more than that; the trial itself takes a tenth of what it may save */
  if (w->rows*(1 + 1.5*periods/rows_of(a)) > 0.75*direct) {
    epi_way_close(w, EPI_DEAR, "so few turns are resolved with about %.2g evaluations: to sum them would hardly cost less, as each of "
                  "%.4g rows is a period too", direct, rows_of(a));
    return;
  }
  if (epi_first_tolerance(a, w->number) < felt_by_turns(a)) {
    epi_way_close(w, EPI_ROUNDING, "of %.4g turns, summed to this tolerance, it is felt how each is rounded", a->scales.turns);
    return;
  }
  epi_attempt x = {0};
  double few = try_part(a, &x, w, 1./64);
  double more = isnan(few) ? NAN : try_part(a, &x, w, 1./16);
  w->calls = more + fmax(0, more - few)/(3./64)*15/16;
  w->seconds = x.seconds/more*w->calls;
  epi_attempt_leave(&x);
}

static int is_direct(int i) { return i == EPI_BY_ADAMS || i == EPI_DIRECT; }

/* evaluations of the whole run, from longer and longer parts of it: some thousands tell enough, or some hundreds of a fast oscillation, or
   fewer where they tell that others take far less */
static void try_way(epi_search *a, int i, double least)
{
  epi_way *w = &a->to->way[a->to->ways++];
  w->number = i;
  if (i == EPI_BY_STEPS) a->steps = epi_steps_of_a_turn(a, epi_first_tolerance(a, i));
  epi_write_way(a, i, epi_first_tolerance(a, i), w->flow, sizeof w->flow);
  w->calls = w->seconds = NAN;
  w->averages = (ways[i].is & (AVERAGES | TUNED)) != 0;
  w->why[0] = w->note[0] = 0;
  w->cause = EPI_NO_CAUSE;
  if (i == a->failed) return;
  /* each row is a period of its own */
  double price = epi_price(a, w->flow);
  w->rows = ways[i].is & TUNED ? rows_of(a)*17*substeps_for(a, epi_first_tolerance(a, i)) : 0;
  if (ways[i].is & TUNED) { try_tuned(a, w); return; }
  if (ways[i].is & AVERAGES && isinf(a->averaged)) { epi_way_close(w, EPI_INEXACT, "%s", a->to->said); return; }
  if (ways[i].is & AVERAGES && a->averaged > 0) { w->calls = 1.6*a->averaged; w->rows = a->averaged; return; }
  epi_attempt x = {0};
  double last = 0, before = 0, rate = HUGE_VAL;
  /* steps of a low order, or that are tried by halves, may take more for a first part than another way for the whole run */
  const double shortest = ways[i].is & (ORDER_2 | BACK) && least > 1e5 && least < HUGE_VAL ? 1e5/least/4096 : 1./4096;
  /* the next part is little longer where this one was dear: it may cost more than the whole run by another */
  for (double part = shortest, calls; part < 0.1; part *= price*before > 0.03*least ? 2 : part > 0.01 ? 4 : 8) {
    w->calls = (calls = try_part(a, &x, w, part))/part;
    double steady = (calls - before)/(part - last);
    int first = !(last > 0);
    if (i == EPI_DIRECT) a->steady = steady;
    /* sums of turns begin with short steps, and so do implicit flows */
    if (ways[i].is & (AVERAGES | SLOW_TO_START) && !first) w->calls = calls + steady*(1 - part);
    w->seconds = x.seconds/calls*w->calls;
    if (is_direct(i) && calls > 40 && calls < 0.5*FEW*part) break;
    int summed = ways[i].is & AVERAGES && part < 0.05 && calls < 0.1*least;
    /* implicit steps grow with the time where something decays: as many in every doubling of it, and hardly any of the rest of the run */
    double if_decays = first ? 0 : calls + (calls - before)*log(1/part)/log(part/last), worth = price*if_decays < 0.5*least ? 0.1 : 0.03;
    int decays = ways[i].is & SLOW_TO_START && steady < 0.7*rate && price*calls < (first ? 1 : worth)*least;
    last = part;
    before = calls;
    rate = steady;
    if (i == EPI_BY_ADAMS && calls > 100 && epi_refuses_often(x.f)) {
      w->calls = NAN;
      epi_way_close(w, EPI_REFUSES_OFTEN, "%s", epi_refused_often);
    }
    if (isnan(w->calls) || (calls > (a->scales.fast > 0 ? 300 : 4000) && !summed && !decays) || a->to->dear) break;
    /* the first part is its start, which may take long beside the rest; less than a turn of a fast phase says nothing of a whole one */
    if (a->to->turns > 0 && part*a->to->turns < 2) continue;
    if (price*calls > 0.03*least && price*(first ? calls : steady) > 4*least && !decays) break;
  }
  epi_attempt_leave(&x);
}

double epi_turns(const epi_case *c, double span)
{
  const epi_system *m = &c->system;
  return m->forced || (epi_all_rate(m) && m->phase_rate != 0) ? fabs(epi_phase_turned(m, c->t, span))/(2*EPI_PI) : 0;
}

/* where explicit steps have crept they take at least ten times the steps that were allowed to the one that did */
static double least_cost(const epi_search *a, const epi_way *w)
{
  enum { CREPT = 200000, STAGES = 16 };
  return a->creeps && w->number >= 0 && !(ways[w->number].is & IMPLICIT) ? CREPT*STAGES : 0;
}

/* with the solution that tells the error: of a low order it takes far more steps than of a high one, and where turns are summed, or steps
   are of variable order, another half more than what tells it of order 8 */
static double cost(const epi_search *a, const epi_way *w)
{
  int low = !strncmp(w->flow, "tolerance(verlet", 16) || strstr(w->flow, "semi(");
  int tuned = w->number >= 0 && ways[w->number].is & TUNED;
  double both = low ? 1.4 : tuned || w->number == EPI_BY_ADAMS ? 1.5 : 1;
  return isnan(w->calls) ? NAN : fmax((both*w->calls + w->rows)*epi_price(a, w->flow), least_cost(a, w));
}

/* the cheapest first; what does not work last */
static int sooner(const epi_search *a, const epi_way *x, const epi_way *y)
{
  return cost(a, x) < cost(a, y) || (isnan(y->calls) && !isnan(x->calls));
}

/* where nothing works: what was composed and did not run says more than what is not for such a system */
static const epi_way *most_telling(const epi_chosen *to)
{
  for (int i = 0; i < to->ways; i++) if (to->way[i].cause != EPI_COMPOSITION) return &to->way[i];
  return &to->way[0];
}

static int is_near_rounding(const epi_search *a, int way, double r) { return ways[way].is & TUNED && 0.1*r < 2*felt_by_turns(a); }

double epi_looser(int way, double r) { return epi_rounded((ways[way].is & TUNED ? 5 : 20)*r); }

int epi_looser_tells(const epi_search *a, int way, double r, double loose)
{
  if (is_near_rounding(a, way, r)) return 1;
  return ways[way].is & AVERAGES && (way != EPI_BY_STEPS || steps_for(a, loose) < steps_for(a, r));
}

int epi_is_implicit(int way) { return way >= 0 && ways[way].is & IMPLICIT; }
int epi_is_of_order_2(int way) { return way >= 0 && ways[way].is & ORDER_2; }

/* something is there that steps go over, and this one cannot be told to take short ones */
int epi_is_unaware(const epi_search *a, int way) { return ways[way].is & UNAWARE && a->longest > 0; }

int epi_try_ways(epi_search *a)
{
  epi_chosen *to = a->to;
  const epi_system *m = &a->c->system;
  double least = HUGE_VAL, direct = 0;
  int averaged = 0, few = 0, before = to->ways;
  for (int i = 0; i < WAYS && !to->error[0]; i++) {
    if (ways[i].is & BACK && a->c->world && m->dissipative) continue;
    if ((ways[i].is & UNAWARE && (m->nbreaks || epi_has_laws(a))) || epi_is_unaware(a, i)) continue;
    if (ways[i].is & IMPLICIT && a->ripples) continue;
    if (ways[i].is & (a->scales.fast > 0 ? POOR | (a->scales.many ? TUNED : 0) : TUNED)) continue;
    if (ways[i].is & AVERAGES && (to->turns <= EPI_FEW_TURNS || averaged)) continue;
    if (ways[i].is & SLOW_TO_START && i > EPI_DIRECT && least < 20000 && !a->creeps) continue;
    /* sums of turns that take so much less than to resolve them have no other rival */
    if (averaged && least < 0.1*direct) continue;
    if (ways[i].is & PLAIN && (a->c->world || m->nc || m->retract)) continue;
    if (ways[i].is & EVEN && (m->impulsive || m->irreversible)) continue;
    if (i > EPI_BY_ADAMS && least < (i > EPI_DIRECT ? 1 : 0.5)*FEW && !a->patient) { few = to->ways - before; break; }
    try_way(a, i, least);
    const epi_way *w = &to->way[to->ways - 1];
    least = fmin(least, w->calls*epi_price(a, w->flow));
    if (ways[i].is & AVERAGES && !isnan(w->calls)) averaged = 1;
    if (i == EPI_DIRECT && !isnan(w->calls)) direct = w->calls;
  }
  for (int i = 1; i < to->ways; i++)
    for (int k = i; k > 0 && sooner(a, &to->way[k], &to->way[k-1]); k--) {
      epi_way x = to->way[k];
      to->way[k] = to->way[k-1];
      to->way[k-1] = x;
    }
  if (to->error[0]) return epi_try_ended(to);
  a->short_run = few;
  if (isnan(to->way[0].calls)) epi_choose_fail(to, most_telling(to)->cause, "%s", most_telling(to)->why);
  return isnan(to->way[0].calls) ? EPI_WRONG : 0;
}
