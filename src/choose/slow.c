/* slow.c - the slow part of a stiff motion as the answer. Two solutions of one slow system would agree on a wrong one: the slow system that
 * is read from the force is held, along its solution, against averages of the force over short runs, which know of no modes; and its
 * solution against one with longer steps and with actions that are off by as much as they may be. Where there is no such average, as of
 * several stiff modes, it is held against solutions with finer steps and with other actions alone */
#include "search.h"
#include "average/valley.h"
#include "wrap/tolerance.h"


/* what a run of the slow system saw; J, om: of its modes at the end; low, high: of the fastest on the way. Its flow, to be left; the start
   without its fast motion, and what the flow knew there */
typedef struct {
  double *y;
  int n, rows, modes;
  epi_flow *f;
  double *start, *known;
  double *before, *mode, *between;     /* positions and fastest mode at the last step, room for a place between two and for modes */
  double kink;                         /* when the floor of the valley had one; NaN: it had none */
  double J[MOST_MODES], om[MOST_MODES], first, drift, low, high, by;
} sight;

static int row(void *data, const epi_system *m, epi_state *s)
{
  sight *g = data;
  const epi_valley *v = g->f ? epi_valley_of(g->f) : NULL;
  (void)m;
  if (g->rows < CHECKS) memcpy(g->y + (size_t)g->rows++*(size_t)g->n, s->y, (size_t)g->n*sizeof *s->y);
  if (!v || !(g->first > 0) || !v->known) return 0;
  double om = sqrt(v->lambda[v->known - 1]);
  g->drift = fmax(g->drift, fabs(om/g->first - 1));
  g->low = g->low > 0 ? fmin(g->low, om) : om;
  g->high = fmax(g->high, om);
  return 0;
}

/* ---- kinks of the floor ---- */
/* there the slow motion goes into the fast one, by as much as its direction jumps, and by a chance of the phase */
static double angle(int n, const double *a, const double *b)
{
  double c = 0;
  for (int i = 0; i < n; i++) c += a[i]*b[i];
  return acos(fmin(1, fabs(c)));
}

/* between two steps: half by half, the mode turns in one of them alone. to: what it is at the second, used up */
static int turns_at_once(sight *g, epi_valley *v, double t, const double *from, const double *to_q, double *to)
{
  enum { HALVES = 14 };
  int n = v->n;
  double *mid = g->between, low = 0, high = 1;
  for (int it = 0; it < HALVES; it++) {
    double u = 0.5*(low + high);
    for (int i = 0; i < n; i++) mid[i] = g->before[i] + u*(to_q[i] - g->before[i]);
    epi_valley_to_x(v, mid, mid + n);
    if (epi_valley_find(v, t, mid + n, epi_valley_modes(v), 0)) return 0;
    const double *E = v->E + (v->known - 1)*n;
    double first = angle(n, from, E), second = angle(n, E, to);
    if (fmax(first, second) < 0.8*(first + second)) return 0;
    /* the half in which it turns; its other end is known */
    if (first > second) { high = u; memcpy(to, E, (size_t)n*sizeof *to); }
    else { low = u; memcpy(g->mode, E, (size_t)n*sizeof *to); from = g->mode; }
  }
  return 1;
}

static int step(void *data, const epi_system *m, epi_state *s)
{
  sight *g = data;
  epi_valley *v = g->f ? epi_valley_of(g->f) : NULL;
  (void)m;
  if (!v || !v->known || !isnan(g->kink)) return 0;
  int n = v->n;
  double *now = g->between + 2*n;
  memcpy(now, v->E + (v->known - 1)*n, (size_t)n*sizeof *now);
  memcpy(now + n, now, (size_t)n*sizeof *now);
  if (g->mode[0] != HUGE_VAL && angle(n, g->mode, now) > 0.02 && turns_at_once(g, v, s->t, g->mode, s->y, now)) g->kink = s->t;
  memcpy(g->before, s->y, (size_t)n*sizeof *now);
  memcpy(g->mode, now + n, (size_t)n*sizeof *now);
  return 0;
}

static void look(sight *g)
{
  const epi_valley *v = epi_valley_of(g->f);
  if (!v) return;
  const epi_valley_kept *k = epi_valley_memory(v);
  g->modes = epi_valley_modes(v);
  for (int i = 0; i < g->modes && i < MOST_MODES; i++) g->J[i] = epi_valley_action(v)[i], g->om[i] = sqrt(v->lambda[i]);
  /* by phases that nobody knows: they add up as a walk does, each gives two thirds of its bound as a rule, and acts for half of the run */
  g->by = 0.3*((k->doubled_by + k->neared_by + k->nearing)/sqrt(fmax(1, k->doubled + k->neared)) + k->crossed_by/sqrt(fmax(1, k->crossed)));
}

/* a flow with the names of the case and with `row`; steps of its own, and rows between them */
static epi_flow *make(const epi_search *a, const epi_variant *set, sight *g)
{
  int n = 0;
  char text[300], all[400];
  while (a->c->parts[n].name) n++;
  epi_name *names = calloc((size_t)n + 3, sizeof *names);
  if (!names) return NULL;
  names[0] = (epi_name){.name = "row", .see = row, .data = g};
  names[1] = (epi_name){.name = "step", .see = step, .data = g};
  memcpy(names + 2, a->c->parts, (size_t)n*sizeof *names);
  /* what is not known to be smooth is looked at step by step */
  epi_variant watched = *set;
  if (!a->c->system.traits.smooth) watched.watch = ", see=step";
  epi_variant_write(a, &watched, text, sizeof text);
  snprintf(all, sizeof all, "watch(%s, see=row, every=%s)", text, epi_shortest((a->to->end - a->c->t)/CHECKS).text);
  epi_flow *f = epi_make_named(all, names);
  free(names);
  return f;
}

static void leave(sight *g)
{
  epi_free(g->f);
  free(g->start);
  g->f = NULL;
  g->start = NULL;
}

static double fails(epi_search *a, const epi_flow *f, int bad, epi_fault *why)
{
  if (f) epi_try_why(f, bad, why);
  else epi_fault_write(why, EPI_MEMORY, "out of memory");
  if (bad == EPI_STOPPED || why->cause == EPI_MEMORY) epi_choose_fault(a->to, why);
  return NAN;
}

/* the flow, at its start: evaluations, or NaN with why not */
static double open_run(epi_search *a, const epi_variant *set, sight *g, epi_fault *why)
{
  leave(g);
  epi_flow *f = g->f = make(a, set, g);
  if (!f || epi_error(f)) return fails(a, f, EPI_WRONG, why);
  if (!(g->start = malloc((4*(size_t)a->n + (size_t)epi_keep_size(f))*sizeof *g->start))) return fails(a, NULL, EPI_WRONG, why);
  g->before = g->start + a->n + epi_keep_size(f);
  g->mode = g->before + a->n/2;
  g->between = g->mode + a->n/2;
  epi_state s = epi_case_state(a->c);
  epi_stop_with(f, &a->to->stop);
  int bad = epi_settle(f, &s);
  a->to->spent += epi_calls(f);
  if (bad) return fails(a, f, bad, why);
  memcpy(g->start, s.y, (size_t)a->n*sizeof *s.y);
  epi_keep_out(f, g->known = g->start + a->n);
  if (epi_valley_of(f)) g->modes = epi_valley_modes(epi_valley_of(f));
  return (double)epi_calls(f);
}

/* a slow motion beside that of the start: with other actions, and from another slow state, unless they are NULL */
typedef struct { const double *actions, *start; } other;

/* from the start: evaluations, or NaN with why not; also where the flow itself doubts, which is said first */
static double run(epi_search *a, const char *text, const other *o, sight *g, epi_fault *why)
{
  epi_flow *f = g->f;
  const epi_valley *v = epi_valley_of(f);
  epi_attempt x;
  epi_attempt_begin(&x, a, f, text);
  *why = (epi_fault){.words = ""};
  g->n = a->n;
  g->rows = 0;
  g->kink = NAN;
  g->mode[0] = HUGE_VAL;
  memcpy(x.s.y, o->start ? o->start : g->start, (size_t)a->n*sizeof *x.s.y);
  epi_keep_in(f, g->known);
  if (v && o->actions) memcpy(epi_valley_action(v), o->actions, (size_t)epi_valley_modes(v)*sizeof *o->actions);
  epi_attempt_show(&x, 1, 0);
  epi_attempt_go(&x, a->to->end, a->to->end - x.s.t);
  const long calls = epi_attempt_calls(&x);
  epi_attempt_count(&x);
  a->seconds = x.seconds;
  if (!x.bad && g->rows < CHECKS - 1) x.bad = EPI_WRONG;
  if (x.bad) return fails(a, f, x.bad, why);
  memcpy(g->y + (CHECKS - 1)*a->n, x.s.y, (size_t)a->n*sizeof *x.s.y);
  look(g);
  if (!isnan(g->kink))
    epi_fault_write(why, EPI_INEXACT, "the floor of its valley has a kink near t = %.6g, where the slow motion goes into the fast one by a "
                    "chance of its phase", g->kink);
  else if (epi_warning(f, 0)) epi_fault_write(why, epi_warning_cause(f, 0), "%s", epi_warning(f, 0));
  return (double)calls;
}

/* ---- what it costs ---- */
static double slow_calls(const epi_search *a)
{
  return 1200 + 120*a->scales.pace*(a->to->end - a->c->t)*pow(1e-3/a->to->tol, 0.15);
}

static void enter(epi_search *a, epi_way w, const char *text, const epi_fault *why)
{
  snprintf(w.flow, sizeof w.flow, "%s", text);
  epi_way_fault(&w, why);
  w.number = -1;
  a->to->way[a->to->ways++] = w;
}

static void enter_failed(epi_search *a, const char *text, const epi_fault *why)
{
  enter(a, (epi_way){.calls = NAN, .seconds = NAN, .averages = 1}, text, why);
}

/* ---- what one run hands to the next. several: of stiff modes ---- */
typedef struct {
  epi_variant set;
  char flow[200];
  epi_fault why;
  int several;
  double r, calls, seconds, more, more_seconds;
  sight g;
} trial;

/* left to themselves steps would begin so short that growing takes a third of them: how fast the rest moves is known, of one mode */
static void write_adiabatic(const epi_search *a, trial *t)
{
  const double span = a->to->end - a->c->t;
  t->set = (epi_variant){.way = EPI_BY_SLOW_SYSTEM, .r = t->r};
  if (!t->several) t->set.first = epi_rounded(fmin(0.1*span, 2*pow(t->r, 0.2)/a->scales.pace));
  epi_variant_write(a, &t->set, t->flow, sizeof t->flow);
}

static void say(epi_search *a, double calls)
{
  const epi_scales *s = &a->scales;
  a->to->slow_part = 1;
  snprintf(a->to->reason, sizeof a->to->reason, "the rows are the slow part of the motion, but for the first, the start itself: its fast "
           "oscillation, of %.2g of the position and %.2g of the velocity at the start, is left out, "
           "and resolving it would take about %.2g evaluations instead of %.2g",
           s->amplitude, s->swing, epi_direct_calls(a), calls);
}

/* how far its solution is from another, with such steps, by the same flow */
static double apart_with(epi_search *a, trial *t, double r, const other *o)
{
  epi_fault why;
  sight beside = t->g, *g = &t->g;
  g->y = a->y[1];
  epi_tolerance_set(g->f->kid[0], r);
  int failed = isnan(run(a, t->flow, o, g, &why));
  *g = beside;
  return failed ? HUGE_VAL : epi_apart(a);
}

/* what a slow system leaves out is of second order in the ratio of the scales, for the slow motion and for the energy of the fast one,
   whose direction turns; it grows along the run */
static double left_by_all(const epi_search *a, double fast)
{
  double ratio = a->scales.pace/fast;
  return (3 + a->scales.energy)*ratio*ratio*fmax(1, a->scales.pace*(a->to->end - a->c->t));
}

/* ---- averages along the solution ---- */
#define AVERAGE "(hmm(verlet, kernel=notch, start=current))"
static const char averages[] = "dopri5" AVERAGE;

/* both without the energy of the fast motion: what the slow force along the floor misses of an average at y, in x, and the state there */
static int missed_at(epi_flow *slow, const epi_valley *v, epi_flow *average, double t, const double *y, double *rate, double *off)
{
  int n = v->n, bad;
  if ((bad = slow->sys->rate(slow->sys, t, y, rate))) return bad;
  if ((bad = epi_space_accel_all(average->space, t, 0, v->floor, v->floor + n, off))) return bad;
  for (int i = 0; i < n; i++) rate[i] = off[i] - rate[n + i];
  epi_valley_to_x(v, rate, off);
  epi_valley_split(v, off);
  epi_valley_to_q(v, off, rate);
  return 0;
}

/* the start as the averages have it goes into `start`. What that force would move the solution by: at worst where it comes and goes with
   the slow motion, and what stays adds up along the run. NaN: there is no such average */
static double missed(epi_search *a, trial *t, double *start)
{
  epi_flow *slow = t->g.f;
  epi_valley *v = epi_valley_of(slow);
  if (!v) return NAN;
  /* its average is asked for, and no step is taken */
  epi_flow *f = epi_case_flow(a->c, "euler" AVERAGE);
  int n = v->n, bad = epi_error(f) ? EPI_WRONG : 0;
  double *rate = a->held, *off = rate + a->n, *sum = off + v->n, span = a->to->end - a->c->t, pace = a->scales.pace, most = 0, stays = 0;
  double began = epi_clock();
  const long before = epi_calls(slow);
  memset(sum, 0, (size_t)n*sizeof *sum);
  memset(epi_valley_action(v), 0, (size_t)epi_valley_modes(v)*sizeof *off);
  epi_valley_memory(v)->memo = 0;
  epi_stop_with(f, &a->to->stop);
  if (!bad) bad = epi_slow_of(epi_average_of(f))->mean(epi_average_of(f), a->c->t, 0, a->c->y, start);
  for (int k = 0; k < CHECKS && !bad; k++) {
    bad = missed_at(slow, v, f, a->c->t + span*(k + 1)/CHECKS, t->g.y + k*a->n, rate, off);
    for (int i = 0; i < n && !bad; i++) {
      double moves = rate[i]/pace*fmax(1/a->size[n + i], 1/(pace*a->size[i]));
      most = epi_larger(most, fabs(moves));
      sum[i] += moves/CHECKS;
    }
  }
  for (int i = 0; i < n; i++) stays = epi_larger(stays, fabs(sum[i]));
  t->more = (double)epi_calls(f);
  t->more_seconds = epi_clock() - began;
  a->to->spent += epi_calls(f) + epi_calls(slow) - before;
  if (bad) {
    epi_fault why = {"it fails on the way", EPI_OTHER_CAUSE, 0};
    if (epi_error(f) || epi_error(slow)) epi_try_why(epi_error(f) ? f : slow, EPI_WRONG, &why);
    enter_failed(a, averages, &why);
  }
  if (bad == EPI_STOPPED) epi_choose_fail(a->to, EPI_HALTED, "stopped");
  epi_free(f);
  return bad ? NAN : most + stays*pace*span;
}

/* ---- one stiff mode ---- */

/* the fast energy acts as the frequency changes; what is left out is of second order. Where the frequency changes by no more than that, the
   one is as large as the other */
static double share_left_out(const epi_search *a, const trial *t)
{
  double ratio = a->scales.pace/a->scales.fast, change = t->g.low > 0 ? t->g.high/t->g.low - 1 : 0;
  return fmin(1, fmax(3*ratio, LEFT_OUT*ratio*ratio/fmax(change, 1e-300)));
}

/* steps of one mode are finer, and begin as long as they will be */
static void begin_with(const epi_search *a, trial *t, int several)
{
  t->several = several;
  t->r = epi_rounded(fmin(1e-3, (several ? 0.1 : 0.04)*a->to->tol));
}

/* the run that is the answer, if it is; its end is kept */
static int solve_trial(epi_search *a, trial *t)
{
  write_adiabatic(a, t);
  t->calls = open_run(a, &t->set, &t->g, &t->why);
  if (t->g.modes > 1 && !t->several) {
    begin_with(a, t, 1);
    write_adiabatic(a, t);
    t->calls = open_run(a, &t->set, &t->g, &t->why);
  }
  if (isnan(t->calls)) return -1;
  t->calls += run(a, t->flow, &(other){0}, &t->g, &t->why);
  t->seconds = a->seconds;
  if (isnan(t->calls)) return -1;
  if (a->to->y) memcpy(a->to->y, a->y[0] + (CHECKS - 1)*a->n, (size_t)a->n*sizeof *a->to->y);
  epi_measure_sizes(a, a->y[0]);
  return 0;
}

/* a slow state that the start may have as well: as averages have it, which are in `start`, and off by what every slow system leaves out,
   all coordinates together; by as much more as its distance is told less */
static void move_start(const epi_search *a, const double *from, double *start)
{
  double ratio = a->scales.pace/a->scales.fast, least = (3 + a->scales.energy)*ratio*ratio/sqrt(0.5*a->n);
  for (int i = 0; i < a->n; i++) {
    double d = start[i] - from[i];
    start[i] = from[i] + (d < 0 ? d - least*a->size[i] : d + least*a->size[i])/SEEN;
  }
}

/* 1: it stands; 0: it does not, and why */
static int one_stands(epi_search *a, trial *t)
{
  epi_chosen *to = a->to;
  double *start = a->held + 2*a->n;
  double off = missed(a, t, start), J = t->g.J[0]*(1 + share_left_out(a, t)/SEEN);
  const other o = {&J, start};
  move_start(a, t->g.start, start);
  if (isnan(off)) epi_fault_write(&t->why, EPI_INEXACT, "there is nothing to hold it against");
  else if (off > 0.3*to->tol)
    epi_fault_write(&t->why, EPI_INEXACT, "its force is not that of averages over short runs, hmm(kernel=notch), and by that it may be "
                    "%.2g off: the slow motion feels the fast one, and not only by its energy", off);
  for (int turn = 0; turn < 2 && !t->why.words[0]; turn++) {
    if (turn) {
      t->r = epi_rounded(t->r*fmax(0.1, fmin(0.3, 0.3*to->tol/to->found)));
      if (solve_trial(a, t) || t->why.words[0]) return 0;
    }
    to->found = off + SEEN*apart_with(a, t, epi_rounded(LONGER*t->r), &o);
    if (to->found <= 0.9*to->tol) { to->found = fmax(to->found, left_by_all(a, a->scales.fast)); return 1; }
  }
  if (!t->why.words[0]) epi_fault_write(&t->why, EPI_INEXACT, "its solution may be %.2g off", to->found);
  return 0;
}

/* ---- several: one slow system, its steps and its actions ---- */
/* actions that may be so as well: those that resonances and crossings could exchange, and a share that no mode keeps */
static void other_actions(const epi_search *a, const sight *g, double *J)
{
  int m = g->modes;
  double share = a->scales.pace/g->om[0];
  for (int i = 0; i < m; i++) {
    double swap = m > 1 ? g->by/g->om[i] : 0;
    J[i] = g->J[i]*(1 + share);
    J[i] = fmax(0, i == m - 1 ? J[i] + swap : i == 0 ? J[i] - swap : J[i]);
  }
}

static int several_stand(epi_search *a, trial *t)
{
  epi_chosen *to = a->to;
  char *said = t->why.words + strlen(t->why.words);
  size_t room = sizeof t->why.words - strlen(t->why.words);
  const char *then = said > t->why.words ? "; " : "";
  double worst = left_by_all(a, t->g.om[0]), allowed = 0.7*to->tol, J[MOST_MODES];
  if (t->g.modes > MOST_MODES) {
    t->why.cause = EPI_INEXACT;
    snprintf(said, room, "%smore than %d modes are stiff", then, MOST_MODES);
    return 0;
  }
  other_actions(a, &t->g, J);
  if (worst <= allowed) worst = fmax(worst, apart_with(a, t, t->r, &(other){.actions = J}));
  if (worst <= allowed) worst = fmax(worst, apart_with(a, t, epi_rounded(0.1*t->r), &(other){0}));
  to->found = worst;
  if (worst <= allowed) return 1;
  t->why.cause = EPI_INEXACT;
  snprintf(said, room, "%sits solution may be %.2g off by that", then, worst);
  return 0;
}

static int worth(const epi_search *a, trial *t)
{
  const epi_scales *s = &a->scales;
  double direct = epi_direct_calls(a), calls = slow_calls(a);
  if (a->to->motion == EPI_FULL) epi_fault_write(&t->why, EPI_REQUEST, "it gives the slow part of the motion, and the full one is asked "
                                                 "for");
  else if (s->amplitude > 0.05)
    epi_fault_write(&t->why, EPI_INEXACT, "the fast oscillation is not small: its amplitude is %.2g of the position, and a slow motion "
                    "beside it would leave that out", s->amplitude);
  else if (!s->many && left_by_all(a, s->fast) > 0.7*a->to->tol)
    epi_fault_write(&t->why, EPI_INEXACT, "the fast motion is not fast enough for a slow one of this tolerance beside it");
  else if (direct < (a->to->motion == EPI_SLOW ? 1 : SLOW_PAYS)*calls)
    epi_fault_write(&t->why, EPI_REQUEST, "it gives the slow part alone, and the full motion, in about %.2g evaluations, can be had",
                    direct);
  return !t->why.words[0];
}

static int try_trial(epi_search *a, trial *t)
{
  epi_chosen *to = a->to;
  const epi_scales *s = &a->scales;
  if (solve_trial(a, t)) return 0;
  if (t->g.drift*s->fast > 10*s->pace && !s->drifts)
    snprintf(to->scales + strlen(to->scales), sizeof to->scales - strlen(to->scales), "; its frequency changes with the slow motion");
  return t->several ? several_stand(a, t) : !t->why.words[0] && one_stands(a, t);
}

int epi_try_slow(epi_search *a)
{
  static const epi_fault none = {.words = ""};
  epi_chosen *to = a->to;
  trial t = {.g = {.y = a->y[0], .first = a->scales.fast}};
  begin_with(a, &t, a->scales.many);
  int fine = worth(a, &t) && try_trial(a, &t);
  leave(&t.g);
  if (!t.flow[0]) write_adiabatic(a, &t);
  epi_trace_add(a, "slow system", &t.set, fine ? to->found : NAN, t.why.cause);
  if (to->error[0]) return epi_try_ended(to);
  if (!fine) {
    if (to->y) to->y[0] = NAN;
    enter_failed(a, t.flow, &t.why);
    return 1;
  }
  enter(a, (epi_way){.calls = t.calls, .seconds = t.seconds, .averages = 1}, t.flow, &none);
  const epi_way held = {.calls = t.more, .seconds = t.more_seconds, .averages = 1, .note = "held against it at 17 states"};
  if (t.more > 0) enter(a, held, averages, &none);
  double each = t.more > 0 ? t.more_seconds/t.more : t.seconds/t.calls, direct = epi_direct_calls(a);
  enter(a, (epi_way){.calls = direct, .seconds = direct*each, .note = "by the scales alone"}, "tolerance(dop853)", &none);
  epi_variant_take(a, &t.set);
  say(a, t.calls);
  return 0;
}
