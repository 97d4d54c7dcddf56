/* fast.c - the oscillating solution y(t) beside the slow one Y(t), a pure function of t and Y(t), so that a run in parts gives the same
 * rows
 *
 * strobe: y = Y at whole periods from the start. Y is taken back to the last of these before t by one short step of the slow
 * system, and from there the micro flow runs to t. hmm: q = Q, and v is the lift of the slow velocity to the phase at t, as the
 * system says; else y is found from its accelerations; with match y is the start that is matched to Y at the phase at t. revolve: y is the
 * state itself, and only what it does between rows is to be found. So it is of a flow that was chosen to resolve all of the motion. */
#include "recorder.h"
#include "epicycle/term.h"
#include "registry.h"

static const double TURN = 2*EPI_PI;
static const double ENOUGH = 12;       /* rows in a period, to show it */

struct epi_fast {
  epi_case *c;
  const epi_flow *run;                 /* the flow whose rows these are */
  epi_flow *back, *micro;              /* strobe, and an hmm with match; another hmm has no micro, and back where its lift is found */
  const epi_slow_facet *slow;          /* of the average in back, where that is matched or lifts */
  epi_flow *matched, *lifts;           /* the average in back, if it has matched starts, or finds its lift; else NULL */
  epi_flow *revolves;                  /* the node whose steps pass over fast periods; else NULL */
  int resolves;                        /* nothing is passed over */
  int raw;                             /* the state at the start is the oscillating one: a projection makes the slow one of it */
  double start, period, theta0;
  double *y;                           /* room for a state */
  long *held;                          /* counters of the flow under revolves, while it is looked into */
};

/* ---- the average in a flow ---- */
typedef struct { const epi_record *record; const epi_term *term; } found;

/* the first in the text whose record has all of these traits, or a slow facet where traits is 0; record NULL: there is none */
static found average_in(const epi_term *t, const epi_name *names, unsigned traits)
{
  const epi_record *r = t->kind == EPI_TERM_NAME && t->arg ? epi_record_among(names, t->name) : NULL;
  found inside = {0};
  if (r && (traits ? (epi_traits_of(r) & traits) == traits : r->facets && r->facets->slow)) return (found){r, t};
  for (const epi_term *a = t->arg; a && !inside.record; a = a->next) inside = average_in(a, names, traits);
  return inside;
}

/* for epi_visit: the outermost average that is sampled */
typedef struct { double period, theta0; int n; } sampling;
static void look(epi_flow *f, void *to)
{
  sampling *s = to;
  const epi_slow_facet *slow = epi_slow_of(f);
  if (!slow || !slow->sampled || s->n++) return;
  const epi_value *period = epi_arg(f, "period"), *theta0 = epi_arg(f, "theta0");
  if (period->given) s->period = period->number;
  if (theta0->given) s->theta0 = theta0->number;
}

/* ---- making ---- */
/* the flow of a term, around it `method` unless that is NULL */
static epi_flow *part(epi_case *c, const char *method, const epi_term *t)
{
  size_t n = epi_term_text(t, NULL, 0) + 1;
  char *piece = malloc(n), *all = NULL;
  if (piece) epi_term_text(t, piece, n), all = method ? epi_printed("%s(%s)", method, piece) : epi_printed("%s", piece);
  epi_flow *f = all ? epi_case_flow(c, all) : epi_case_flow(NULL, NULL);
  free(piece);
  free(all);
  return f;
}

/* the root of the flow that goes back */
static void root_claims(void *claims, const epi_info *i)
{
  if (!i->depth) *(unsigned *)claims = i->claims;
}

static int no_memory(epi_fault *why)
{
  return epi_fault_record(why, -1, EPI_MEMORY, "out of memory: the oscillating solution could not be made");
}

/* 0, or the sentence why not */
static int make_sampled(epi_fast *a, const epi_flow *tree, const epi_term *average, epi_fault *why)
{
  const epi_system *m = &a->c->system;
  sampling s = {.period = a->period, .theta0 = m->phase.theta0};
  unsigned claims = 0;
  epi_visit((epi_flow *)tree, look, &s);
  a->period = s.period;
  a->theta0 = s.theta0;
  a->back = part(a->c, m->nc ? "herk4" : "rk4", average);
  a->micro = part(a->c, NULL, epi_term_inside(average));
  if (epi_error(a->back) || epi_error(a->micro))
    return epi_fault_record(why, -1, EPI_FAST, "fast: %s", epi_error(epi_error(a->back) ? a->back : a->micro));
  epi_walk(a->back, root_claims, &claims);
  if (claims & EPI_BACKWARD) return 0;
  return epi_fault_record(why, -1, EPI_FAST, "fast goes back to the last whole period, and this slow system cannot run backward: take "
                          "strobe of order 2 or more");
}

/* an average with match, or one that finds its lift; 0: it is neither */
static int make_matched(epi_fast *a, const epi_flow *tree, const epi_term *average, epi_fault *why)
{
  epi_flow *back = part(a->c, "rk4", average);
  const epi_flow *now = epi_average_of(tree);
  epi_flow *inner = epi_error(back) ? NULL : epi_average_of(back);
  const epi_slow_facet *slow = epi_slow_of(inner), *own = epi_slow_of(now);
  if (!slow || !slow->matches || (!slow->matches(inner) && (a->c->system.phase.lift || !slow->lifts(inner)))) { epi_free(back); return 0; }
  a->raw = own && own->projected && own->projected(now);
  a->back = back;
  a->slow = slow;
  *(slow->matches(inner) ? &a->matched : &a->lifts) = inner;
  if (a->lifts) return 1;
  a->micro = part(a->c, NULL, epi_term_inside(average));
  if (!epi_error(a->micro)) return 1;
  return epi_fault_record(why, -1, EPI_FAST, "fast: %s", epi_error(a->micro));
}

/* for epi_visit: the first whose steps pass over fast periods */
static void look_for_turns(epi_flow *f, void *to)
{
  epi_flow **node = to;
  if (!*node && f->turn) *node = f;
}

/* ---- what a look counts is no part of the run, whose evaluations are counted ---- */
static void count(epi_flow *f, void *n) { (void)f; ++*(size_t *)n; }
static void hold(epi_flow *f, void *to) { long **at = to; *(*at)++ = f->steps; *(*at)++ = f->calls; *(*at)++ = f->others; }
static void back(epi_flow *f, void *from) { long **at = from; f->steps = *(*at)++; f->calls = *(*at)++; f->others = *(*at)++; }

static int make_of_average(epi_fast *a, const epi_flow *tree, const char *text, const epi_term *flow, int resolves, epi_fault *why)
{
  const epi_system *m = &a->c->system;
  const found slow = average_in(flow, a->c->parts, 0);
  int matched = 0;
  a->period = m->phase.period > 0 ? m->phase.period : m->phase.phase_rate != 0 ? TURN/fabs(m->phase.phase_rate) : 0;
  if (!slow.record && resolves) { a->resolves = 1; return 0; }
  if (average_in(flow, a->c->parts, EPI_SLOW_PART).record)
    return epi_fault_record(why, -1, EPI_FAST, "fast: %s leaves the oscillation out: leave fast away, or ask for the full motion", text);
  if (!slow.record)
    return epi_fault_record(why, -1, EPI_FAST, "fast needs a flow with a strobe or hmm average: %s moves the oscillating solution itself",
                         text);
  if (m->phase.phase_rate_at)
    return epi_fault_record(why, -1, EPI_FAST, "fast needs a constant fast period, and that of this model changes: leave it out");
  if (slow.record->facets->slow->sampled) {
    if (make_sampled(a, tree, slow.term, why)) return -1;
  } else if ((matched = make_matched(a, tree, slow.term, why)) < 0) return -1;
  else if (!matched && !m->phase.lift)
    return epi_fault_record(why, -1, EPI_FAST, "fast: the filtered variables of hmm have no phase, and %s has none either: take a strobe "
                         "average", a->c->model->name);
  return a->period > 0 ? 0 : epi_fault_record(why, -1, EPI_FAST, "fast does not know the fast period: give strobe its period");
}

static int make(epi_fast *a, const epi_flow *tree, const char *text, int resolves, epi_fault *why)
{
  size_t nodes = 0;
  epi_visit((epi_flow *)tree, look_for_turns, &a->revolves);
  if (a->revolves) {
    epi_visit(a->revolves, count, &nodes);
    a->held = calloc(3*nodes, sizeof *a->held);
    return a->held ? 0 : no_memory(why);
  }
  epi_fault fault;
  epi_term *flow = epi_term_read_why(text, &fault);
  int bad = flow ? make_of_average(a, tree, text, flow, resolves, why) : epi_fault_record(why, -1, fault.cause, "fast: %s", fault.words);
  epi_term_free(flow);
  return bad;
}

/* the runs of a row stop where the run itself is asked to */
static void heed(epi_fast *a, const epi_flow *tree)
{
  a->run = tree;
  epi_stop_with(a->back, &tree->asked);
  epi_stop_with(a->micro, &tree->asked);
}

epi_fast *epi_fast_make(epi_case *c, const epi_flow *tree, const char *text, double start, int resolves, epi_fault *why)
{
  epi_fast *a = malloc(sizeof *a);
  if (!a) return no_memory(why), NULL;
  *a = (epi_fast){.c = c, .start = start, .theta0 = c->theta, .y = calloc((size_t)epi_size(&c->system) + 1, sizeof *a->y)};
  if (!a->y) no_memory(why);
  else if (!make(a, tree, text, resolves, why)) { heed(a, tree); return a; }
  epi_fast_free(a);
  return NULL;
}

void epi_fast_free(epi_fast *a)
{
  if (!a) return;
  epi_free(a->back);
  epi_free(a->micro);
  free(a->y);
  free(a->held);
  free(a);
}

const char *epi_fast_error(const epi_fast *a)
{
  if (!a || !a->back) return NULL;
  return epi_error(a->back) || !a->micro ? epi_error(a->back) : epi_error(a->micro);
}

int epi_fast_is_state(const epi_fast *a) { return a->revolves || a->resolves; }

/* ---- at the time of a row ---- */
/* what has passed of the period at t; a rounding error before the next one counts as it */
static double passed(const epi_fast *a, double t)
{
  double r = fmod(t - a->start, a->period);
  return a->period - r < 1e-6*a->period || r < 1e-6*a->period ? 0 : r;
}

static double phase(const epi_fast *a, double t) { return a->theta0 + TURN*passed(a, t)/a->period; }

static int matched_at(epi_fast *a, const epi_state *slow, double *y)
{
  if (a->raw && slow->t == a->start) { memcpy(y, slow->y, (size_t)epi_size(&a->c->system)*sizeof *y); return 0; }
  /* no run of `back` begins here: one that was stopped has let go of it */
  epi_stop_with(a->back, &a->run->asked);
  return a->slow->matched(a->matched, slow->t, phase(a, slow->t), slow->y, slow->y + a->c->system.nq, y);
}

/* the lift to a phase; y has the slow state */
static int lift_to(epi_fast *a, const epi_state *slow, double theta, double *y)
{
  epi_system *m = &a->c->system;
  if (!a->lifts) return m->phase.lift(m, slow->t, theta, slow->y, slow->y + m->nq, y + m->nq);
  return a->slow->lifted(a->lifts, slow->t, theta, slow->y, slow->y + m->nq, y);
}

static int told(const epi_fast *a, int code) { return code && epi_asked_to_stop(a->run) ? EPI_INTERRUPTED : code; }

static int at(epi_fast *a, const epi_state *slow, double *y)
{
  epi_system *m = &a->c->system;
  if (a->matched) return matched_at(a, slow, y);
  memcpy(y, slow->y, (size_t)epi_size(m)*sizeof *y);
  if (epi_fast_is_state(a) || (a->raw && slow->t == a->start)) return 0;
  double r = passed(a, slow->t);
  if (!a->micro) return lift_to(a, slow, phase(a, slow->t), y);
  if (r == 0) return 0;
  epi_state s = {.t = slow->t, .y = y};
  int bad = epi_advance(a->back, &s, -r, 1);
  s = (epi_state){.t = slow->t - r, .theta = a->theta0, .y = y};
  return bad ? bad : epi_advance(a->micro, &s, r, 1);
}

int epi_fast_at(epi_fast *a, const epi_state *slow, double *y) { return told(a, at(a, slow, y)); }

/* ---- between rows ---- */
static void widen(const epi_fast *a, double *least, double *most)
{
  for (int i = 0; i < epi_size(&a->c->system); i++) {
    least[i] = fmin(least[i], a->y[i]);
    most[i] = fmax(most[i], a->y[i]);
  }
}

/* hmm: the lift at phases that are spread over the span */
static int lifted(epi_fast *a, const epi_state *slow, double from, double span, double *least, double *most)
{
  enum { PHASES = 24 };
  epi_system *m = &a->c->system;
  int bad = 0;
  memcpy(a->y, slow->y, (size_t)epi_size(m)*sizeof *a->y);
  for (int k = 0; k <= PHASES && !bad; k++) {
    double t = from + span*k/PHASES;
    bad = lift_to(a, slow, a->theta0 + TURN*fmod(t - a->start, a->period)/a->period, a->y);
    if (!bad) widen(a, least, most);
  }
  return bad;
}

/* strobe: from the last whole period before the span the micro flow runs to its end, in pieces */
static int resolved(epi_fast *a, const epi_state *slow, double from, double span, double *least, double *most)
{
  enum { PIECES = 16 };
  double r = passed(a, from), base = from - r, piece = a->period/PIECES;
  int n = (int)ceil((r + span)/piece*(1 - 1e-9)), bad = 0;
  memcpy(a->y, slow->y, (size_t)epi_size(&a->c->system)*sizeof *a->y);
  epi_state s = {.t = slow->t, .y = a->y};
  if (slow->t != base) bad = epi_advance(a->back, &s, base - slow->t, 1);
  s = (epi_state){.t = base, .theta = a->theta0, .y = a->y};
  for (int k = 0; k <= n && !bad; k++) {
    if (k && (bad = epi_advance(a->micro, &s, piece, 1))) break;
    if (s.t >= from - 0.5*piece) widen(a, least, most);
  }
  return bad;
}

/* match: the micro flow from the state at the row over the span before it, or after it where the run began later than that */
static int followed(epi_fast *a, const epi_state *slow, double span, double *least, double *most)
{
  enum { PIECES = 32 };
  int n = (int)ceil(PIECES*span/a->period*(1 - 1e-9)), bad = matched_at(a, slow, a->y);
  double piece = (slow->t - span < a->start ? span : -span)/n;
  epi_state s = {.t = slow->t, .theta = phase(a, slow->t), .y = a->y};
  for (int k = 0; k <= n && !bad; k++) {
    if (k && (bad = epi_advance(a->micro, &s, piece, 1))) break;
    widen(a, least, most);
  }
  return bad;
}

int epi_fast_turn(epi_fast *a, const epi_state *s, double span, void (*see)(void *, epi_state *), void *data)
{
  epi_flow *f = a->revolves;
  double T = 0;
  long *at = a->held;
  if (!f) return 1;
  int bad = f->turn(f, s, &T, NULL, NULL);
  if (bad || span*ENOUGH <= T) return 1;
  epi_visit(f, hold, &at);
  bad = f->turn(f, s, &T, see, data);
  at = a->held;
  epi_visit(f, back, &at);
  return bad != 0;
}

int epi_fast_swing(epi_fast *a, const epi_state *slow, double span, double *least, double *most)
{
  if (span*ENOUGH <= a->period) return 1;
  /* one period, begun at the last whole one; never before the start */
  double r = passed(a, slow->t), from = span >= a->period ? slow->t - r : fmax(slow->t - span, a->start);
  span = fmin(span, a->period);
  for (int i = 0; i < epi_size(&a->c->system); i++) least[i] = INFINITY, most[i] = -INFINITY;
  int bad = a->matched ? followed(a, slow, span, least, most) : a->micro ? resolved(a, slow, from, span, least, most) :
            lifted(a, slow, from, span, least, most);
  bad = told(a, bad);
  return bad == EPI_INTERRUPTED ? bad : bad != 0;
}
