/* candidates.c - the candidate methods, what they apply to and cost, and the texts of their flows */
#include "search.h"
#include "body/parts.h"

/* a solve with constraints, the factors of an implicit method, the table of an Adams method, and what CVODE does around a cheap force of
   few unknowns, take longer than the evaluations they count; steps that are nothing but forces take less. No clock is asked, so that the
   choice is the same everywhere */
static double price_of_semi(const epi_search *a) { return a->c->system.nc ? 4 + epi_nv(&a->c->system)/4. : 1; }
static double price_of_adams(const epi_search *a) { return (void)a, 1.3; }
static double price_of_composition(const epi_search *a) { return (void)a, 0.4; }
static double price_of_cvode(const epi_search *a) { return a->c->world ? 1 : fmax(1, 3 - a->n/50.); }
static double price_of_radau(const epi_search *a)
{
  const epi_system *m = &a->c->system;
  /* of a motion by forces alone it solves for the velocities */
  const double unknowns = m->rate || m->inertia.speed || m->manifold.retract ? a->n : epi_nv(m);
  return 2 + unknowns*unknowns/50;
}

/* holes of a form: {i} what is inside, {r} the tolerance of the steps, others below */
#define STEPS "tolerance({i}, rtol={r}, atol={a}{l}{m})"
#define SUMS "revolve({i}, rtol={r}{b}, span={s}{S})"
enum { CHOSEN = EPI_WAY_WHOLE | EPI_WAY_COUNTED };
const epi_candidate epi_candidates[EPI_CANDIDATES + 1] = {
  [EPI_BY_TUNING] = {"revolve(symmetric)", "substeps(symmetric(verlet, order=8), {n})", "revolve({i}, rtol={r}{b}, span={s}, period={T})",
                     0.3, EPI_WAY_TUNED, price_of_composition},
  [EPI_BY_PICARD] = {"revolve(picard)", "picard{P}", SUMS, 0.5, EPI_WAY_AVERAGES, NULL},
  [EPI_BY_STEPS] = {"revolve(dop853)", "substeps(dop853, {k})", SUMS, 0.5, EPI_WAY_AVERAGES, NULL},
  [EPI_BY_HERK] = {"revolve(herk4)", "tolerance(herk4, rtol={p}, atol={p})", SUMS, 0.5, EPI_WAY_AVERAGES, NULL},
  [EPI_BY_ADAMS] = {"adams", "adams(rtol={r}, atol={a}{l}{m})", "{i}", 0.1,
                    EPI_WAY_SLOW_TO_START | EPI_WAY_PLAIN | EPI_WAY_EVEN | EPI_WAY_COUNTED, price_of_adams},
  [EPI_DIRECT] = {"dop853", "dop853", STEPS, 0.1, CHOSEN, NULL},
  {"herk4", "herk4", STEPS, 0.1, EPI_WAY_POOR | CHOSEN, NULL},
  {"symmetric", "symmetric(verlet, order=8)", STEPS, 0.1, EPI_WAY_POOR | EPI_WAY_BACK | CHOSEN, NULL},
  {"verlet", "verlet", STEPS, 0.03, EPI_WAY_POOR | EPI_WAY_ORDER_2 | CHOSEN, NULL},
  {"semi", "semi(model.contacts, model.stiff)", STEPS, 0.03, EPI_WAY_POOR | EPI_WAY_ORDER_2 | EPI_WAY_IMPLICIT | CHOSEN,
   price_of_semi},
  {"radau", "radau(stages=3)", STEPS, 0.1, EPI_WAY_SLOW_TO_START | EPI_WAY_POOR | EPI_WAY_PLAIN | EPI_WAY_IMPLICIT | CHOSEN,
   price_of_radau},
  {"cvode", "cvode(rtol={r}, atol={a}{l})", "{i}", 1e-3,
   EPI_WAY_SLOW_TO_START | EPI_WAY_POOR | EPI_WAY_UNAWARE | EPI_WAY_IMPLICIT | EPI_WAY_RESTARTS, price_of_cvode},
  [EPI_BY_SLOW_SYSTEM] = {"adiabatic", "dopri5(adiabatic(form=rate))", "tolerance({i}, rtol={r}, atol={r}{f})", 0.1, 0, NULL},
};

double epi_price(const epi_search *a, int way)
{
  return way >= 0 && epi_candidates[way].price ? epi_candidates[way].price(a) : 1;
}

/* something is there that steps go over, and this one cannot be told to take short ones */
int epi_is_unaware(const epi_search *a, int way) { return epi_way_is(way, EPI_WAY_UNAWARE) && a->longest > 0; }

int epi_applies(const epi_search *a, int way)
{
  const epi_system *m = &a->c->system;
  if (epi_way_is(way, EPI_WAY_BACK) && a->c->world && m->traits.dissipative) return 0;
  if ((epi_way_is(way, EPI_WAY_UNAWARE) && (m->traits.nbreaks || epi_has_laws(a))) || epi_is_unaware(a, way)) return 0;
  if (epi_way_is(way, EPI_WAY_IMPLICIT) && a->motion & EPI_OSCILLATES) return 0;
  if (epi_way_is(way, a->scales.fast > 0 ? EPI_WAY_POOR | (a->scales.many ? EPI_WAY_TUNED : 0) : EPI_WAY_TUNED)) return 0;
  if (epi_way_is(way, EPI_WAY_AVERAGES) && a->to->turns <= EPI_FEW_TURNS) return 0;
  if (epi_way_is(way, EPI_WAY_PLAIN) && (a->c->world || m->nc || m->manifold.retract)) return 0;
  return !(epi_way_is(way, EPI_WAY_EVEN) && (m->contacts.impulsive || m->traits.irreversible));
}

/* ---- tolerances ---- */
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
  if (epi_way_is(way, EPI_WAY_TUNED)) return fmax(FINEST, 1e-14*a->scales.turns);
  return epi_way_is(way, EPI_WAY_POOR) && !(epi_way_is(way, EPI_WAY_IMPLICIT | EPI_WAY_BACK)) ? 50*FINEST : FINEST;
}

/* where everything is resolved the errors of phase of all fast turns add up. Between whole periods an error of a position becomes one of a
   velocity, as many times larger as the oscillation is fast. There must be room for a finer one */
double epi_first_tolerance(const epi_search *a, int way)
{
  const epi_scales *s = &a->scales;
  /* of what may not be smooth the looser of two solutions must be the answer, where steps are of variable order */
  double less = way == EPI_BY_ADAMS && !a->c->system.traits.smooth ? 0.1 : 1;
  if (s->fast > 0) less *= epi_way_is(way, EPI_WAY_TUNED) ? fmin(1, 150*(s->pace/s->fast + s->amplitude)) : 1/fmax(1, s->turns*s->swing/8);
  double r = fmax((epi_way_is(way, EPI_WAY_TUNED) ? 20 : 1)*epi_finest(a, way), epi_candidates[way].strict*a->to->tol*less);
  return way == EPI_DIRECT ? epi_rounded_less(r) : epi_rounded(r);
}

/* what a period of a harmonic oscillation is off by in its phase goes with the eighth power of its steps, and adds up; where it is a good
   part of the motion all of that is seen */
double epi_substeps_for(const epi_search *a, double r)
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

/* a step of order 8 asks for the force at twelve places, no two neighbours of which are further apart than a quarter of it */
double epi_longest_by_kicks(const epi_search *a, int at_its_ends)
{
  return a->overtones ? (at_its_ends ? 0.5 : 4)*a->to->period/a->overtones : HUGE_VAL;
}

/* a smooth force may have a narrow bump as any other. One with a fast phase was asked at many phases already (sampling.c), and steps that
   meet what is narrow in a turn meet bumps; but where nothing happens steps grow so long that a wide hill is one for them */
int epi_has_no_bumps(const epi_search *a)
{
  const epi_system *m = &a->c->system;
  return m->traits.smooth && m->phase.forced && a->to->turns > 0 && !a->rests && !a->strides;
}

static int cannot_be_asked(const epi_search *a, int i)
{
  const epi_system *m = &a->c->system;
  return !epi_has_no_bumps(a) && !a->c->world && (m->nc || m->manifold.retract || (i != EPI_DIRECT && i != EPI_BY_ADAMS));
}

/* of a step, 0: any. What joints and drives alone determine has no error in any step, and may be put together otherwise after a long one.
   Steps of order 2 do not see what goes on in a turn of the phase. What is nothing but for a moment, as a load by a formula may be, is met
   by steps that are short, and shorter in the finer of two solutions: these differ where one of them did not see it, and so do
   those whose steps cannot be asked what they go over */
static double longest_of(const epi_search *a, int i, double r)
{
  const int order_2 = epi_way_is(i, EPI_WAY_ORDER_2), unasked = a->c->system.traits.smooth ? UNASKED_SMOOTH : UNASKED;
  const double span = a->to->end - a->c->t, finer = fmin(1, r/epi_first_tolerance(a, i)), turn = epi_part_of_turn(&a->c->system, a->c->t);
  double given = a->c->world && a->c->system.nc ? epi_rounded(span/CHECKS) : HUGE_VAL, longest = given;
  if (a->longest > 0) given = longest = epi_rounded_less(a->longest*pow(finer, 0.125));
  if (cannot_be_asked(a, i) && finer < 0.9) longest = fmin(longest, span/unasked*pow(finer, 0.125));
  if (epi_has_laws(a)) longest = fmin(longest, span/LAW_STEPS*(order_2 ? 0.25 : 1)*pow(finer, 0.125));
  longest = fmin(longest, epi_longest_by_kicks(a, order_2 || i == EPI_BY_ADAMS));
  longest = fmin(longest, order_2 ? 0.2*turn*sqrt(finer) : longest < HUGE_VAL ? turn : HUGE_VAL);
  return longest < given ? epi_rounded_less(longest) : isfinite(given) ? given : 0;
}

double epi_felt_by_turns(const epi_search *a) { return 3e-12*a->scales.turns*a->scales.amplitude; }

static int is_near_rounding(const epi_search *a, int way, double r)
{
  return epi_way_is(way, EPI_WAY_TUNED) && 0.1*r < 2*epi_felt_by_turns(a);
}

double epi_looser(int way, double r) { return epi_rounded((epi_way_is(way, EPI_WAY_TUNED) ? 5 : 20)*r); }

int epi_looser_tells(const epi_search *a, int way, double r, double loose)
{
  if (is_near_rounding(a, way, r)) return 1;
  return epi_way_is(way, EPI_WAY_AVERAGES) && (way != EPI_BY_STEPS || steps_for(a, loose) < steps_for(a, r));
}

/* ---- texts ---- */
/* of a number as the text of it says, which has so many digits */
static double three_digits(double x)
{
  char text[32];
  snprintf(text, sizeof text, "%.3g", x);
  return strtod(text, NULL);
}

/* numbers of the holes; NaN: nothing is written there */
static double tolerance(const epi_search *a, const epi_variant *s) { return (void)a, s->r; }
static double of_small(const epi_search *a, const epi_variant *s)
{
  return a->small < (a->measured ? 1 : 1e-3) ? epi_rounded(s->r*a->small) : s->r;
}
/* what revolve is told where positions are far below one, whose tolerance it counts as atol otherwise */
static double of_smaller(const epi_search *a, const epi_variant *s) { return 5*a->small < 0.5 ? epi_rounded(5*a->small*s->r) : NAN; }
static double of_period(const epi_search *a, const epi_variant *s) { return epi_rounded(fmax(1e-14, 0.1*s->r/fmax(1, a->to->turns))); }
static double span(const epi_search *a, const epi_variant *s) { return (void)s, a->to->end - a->c->t; }
static double period(const epi_search *a, const epi_variant *s) { return (void)s, 2*EPI_PI/a->scales.fast; }
static double substeps(const epi_search *a, const epi_variant *s) { return epi_substeps_for(a, s->r); }
static double steps(const epi_search *a, const epi_variant *s) { return steps_for(a, s->r); }
static double given(double x) { return x > 0 ? x : NAN; }
static double longest(const epi_search *a, const epi_variant *s)
{
  return s->longest > 0 ? three_digits(s->longest) : given(longest_of(a, s->way, s->r));
}
static double most(const epi_search *a, const epi_variant *s) { return (void)a, given(rint(s->most)); }
static double share(const epi_search *a, const epi_variant *s) { return (void)a, given(s->share); }
static double first(const epi_search *a, const epi_variant *s) { return (void)a, given(s->first); }
static double phases(const epi_search *a, const epi_variant *s) { return (void)a, given(s->phases); }

static const struct { char hole; const char *before, *after; double (*number)(const epi_search *, const epi_variant *); } holes[] = {
  {'r', "", "", tolerance}, {'a', "", "", of_small}, {'b', ", atol=", "", of_smaller}, {'p', "", "", of_period}, {'s', "", "", span},
  {'T', "", "", period}, {'n', "", "", substeps}, {'k', "", "", steps}, {'l', ", longest=", "", longest}, {'m', ", most=", "", most},
  {'S', ", share=", "", share}, {'f', ", first=", "", first}, {'P', "(phases=", ")", phases},
};

typedef struct { char *out; size_t n, size; } text;

static void put(text *to, const char *words)
{
  const size_t n = strlen(words), room = to->size - to->n - 1, most = n < room ? n : room;
  memcpy(to->out + to->n, words, most);
  to->out[to->n += most] = 0;
}

static void fill(text *to, const epi_search *a, const epi_variant *s, char hole)
{
  for (size_t i = 0; i < sizeof holes/sizeof *holes; i++) {
    if (holes[i].hole != hole) continue;
    const double x = holes[i].number(a, s);
    if (isnan(x)) return;
    put(to, holes[i].before), put(to, epi_shortest(x).text), put(to, holes[i].after);
  }
}

static void write_form(text *to, const epi_search *a, const epi_variant *s, const char *form)
{
  for (const char *at = form; *at; at++) {
    if (*at != '{') put(to, (char[]){*at, 0});
    else {
      if (at[1] != 'i') fill(to, a, s, at[1]);
      else {
        if (s->watch) put(to, "watch(");
        write_form(to, a, s, epi_candidates[s->way].inner);
        if (s->watch) put(to, s->watch), put(to, ")");
      }
      at += 2;
    }
  }
}

void epi_variant_write(const epi_search *a, const epi_variant *s, char *out, size_t size)
{
  text to = {out, 0, size};
  write_form(&to, a, s, epi_candidates[s->way].form);
}

void epi_variant_take(epi_search *a, const epi_variant *s)
{
  a->now = *s;
  epi_variant_write(a, s, a->to->flow, sizeof a->to->flow);
}
