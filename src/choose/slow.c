/* slow.c - the slow part of a stiff motion as the answer. Two solutions of one slow system would agree on a wrong one: here the slow system
 * that is read from the force, with the energy of the fast modes in it, is held against averages of the force over short runs, without that
 * energy. Where there is no such average, as of several stiff modes, the first is held against itself with steps that are finer, and with
 * actions that are off by as much as they may be */
#include "search.h"
#include "average/valley.h"

enum { MOST_MODES = 6, LEFT_OUT = 2 };
enum { FAR = 100 };                    /* direct integration must cost so many times as much, unless the slow part is asked for */

/* what a run of the slow system saw; J, om: of its modes at the end; low, high: of the fastest on the way */
typedef struct {
  double *y;
  int n, rows, modes;
  const epi_flow *f;
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

static void look(sight *g)
{
  const epi_valley *v = epi_valley_of(g->f);
  if (!v) return;
  const epi_valley_kept *k = epi_valley_memory(v);
  g->modes = epi_valley_modes(v);
  for (int i = 0; i < g->modes && i < MOST_MODES; i++) g->J[i] = epi_valley_action(v)[i], g->om[i] = sqrt(v->lambda[i]);
  /* by phases that nobody knows: they add up as a walk does, each gives two thirds of its bound as a rule, and acts for half of the run */
  g->by = 0.3*(k->doubled_by/sqrt(fmax(1, k->doubled)) + k->crossed_by/sqrt(fmax(1, k->crossed)));
}

/* a flow with the names of the case and with `row`; steps of its own, and rows between them */
static epi_flow *make(const epi_search *a, const char *text, sight *g)
{
  int n = 0;
  char all[400];
  while (a->c->parts[n].name) n++;
  epi_name *names = calloc((size_t)n + 2, sizeof *names);
  if (!names) return NULL;
  names[0] = (epi_name){.name = "row", .see = row, .data = g};
  memcpy(names + 1, a->c->parts, (size_t)n*sizeof *names);
  snprintf(all, sizeof all, "watch(%s, see=row, every=%s)", text, epi_shortest((a->to->end - a->c->t)/CHECKS).text);
  epi_flow *f = epi_make_named(all, names);
  free(names);
  return f;
}

/* evaluations, or NaN with why not: also where the flow itself doubts, which is said first */
static double solve(epi_search *a, const char *text, const double *start, sight *g, char *why, size_t size)
{
  epi_flow *f = make(a, text, g);
  if (!f) { snprintf(why, size, "out of memory"); snprintf(a->to->error, sizeof a->to->error, "%s", why); return NAN; }
  epi_state s = epi_case_state(a->c);
  double calls = NAN;
  int bad = epi_error(f) ? EPI_WRONG : 0;
  why[0] = 0;
  if (start) memcpy(s.y, start, (size_t)a->n*sizeof *s.y);
  g->f = f;
  g->n = a->n;
  g->rows = 0;
  double began = epi_clock();
  if (a->to->tell) a->to->tell(a->to, text, 1, 0);
  epi_stop_with(f, &a->to->stop);
  if (!bad) bad = epi_run(f, &s, a->to->end, a->to->end - s.t);
  a->to->spent += epi_calls(f);
  a->seconds = epi_clock() - began;
  if (!bad && g->rows < CHECKS - 1) bad = EPI_WRONG;
  for (int i = 0; i < a->n && !bad; i++) if (!isfinite(s.y[i])) bad = EPI_WRONG;
  if (!bad) {
    calls = (double)epi_calls(f);
    memcpy(g->y + (CHECKS - 1)*a->n, s.y, (size_t)a->n*sizeof *s.y);
    look(g);
    if (epi_warning(f, 0)) snprintf(why, size, "%s", epi_warning(f, 0));
  } else snprintf(why, size, "%s", bad == EPI_STOPPED ? "stopped" : epi_error(f) ? epi_error(f) : "its solution is not finite");
  epi_free(f);
  if (bad == EPI_STOPPED || strstr(why, "out of memory")) snprintf(a->to->error, sizeof a->to->error, "%s", why);
  return calls;
}

/* ---- what it costs ---- */
static double slow_calls(const epi_search *a)
{
  return 1200 + 120*a->scales.pace*(a->to->end - a->c->t)*pow(1e-3/a->to->tol, 0.15);
}

static void enter(epi_search *a, epi_way w, const char *text, const char *why)
{
  snprintf(w.flow, sizeof w.flow, "%s", text);
  snprintf(w.why, sizeof w.why, "%s", why);
  w.number = -1;
  a->to->way[a->to->ways++] = w;
}

static void enter_failed(epi_search *a, const char *text, const char *why)
{
  enter(a, (epi_way){.calls = NAN, .seconds = NAN, .averages = 1}, text, why);
}

static void write_adiabatic(double r, const char *actions, char *out, size_t size)
{
  snprintf(out, size, "tolerance(dopri5(adiabatic(form=rate%s)), rtol=%s, atol=%s)", actions, epi_shortest(r).text, epi_shortest(r).text);
}

static void write_notch(double r, char *out, size_t size)
{
  snprintf(out, size, "tolerance(project(dopri5(hmm(verlet, kernel=notch, start=current))), rtol=%s, atol=%s)", epi_shortest(r).text,
           epi_shortest(r).text);
}

static void say(epi_search *a, double calls)
{
  const epi_scales *s = &a->scales;
  a->to->slow_part = a->settled = 1;
  snprintf(a->to->reason, sizeof a->to->reason, "the rows are the slow part of the motion: its fast oscillation, of %.2g of the position "
           "and %.2g of the velocity at the start, is left out, and resolving it would take about %.2g evaluations instead of %.2g",
           s->amplitude, s->swing, epi_direct_calls(a), calls);
}

/* ---- what one run hands to the next ---- */
typedef struct { char flow[200], other[200], why[320]; double r, calls, more, seconds, more_seconds; sight g; double *start; } trial;

/* the start without its fast motion, by the flow itself; once */
static int slow_start(epi_search *a, trial *t)
{
  if (t->start) return 0;
  epi_flow *f = epi_case_flow(a->c, t->flow);
  epi_state s = epi_case_state(a->c);
  t->start = malloc((size_t)a->n*sizeof *t->start);
  int bad = !t->start || epi_error(f) || epi_settle(f, &s);
  if (!bad) memcpy(t->start, s.y, (size_t)a->n*sizeof *s.y);
  a->to->spent += epi_calls(f);
  epi_free(f);
  return bad;
}

/* how far its solution is from the one with other actions, or with finer steps */
static double apart_with(epi_search *a, trial *t, double r, const char *actions)
{
  char text[sizeof t->flow], why[320];
  sight h = {.y = a->y[1]};
  if (actions[0] && slow_start(a, t)) return HUGE_VAL;
  write_adiabatic(r, actions, text, sizeof text);
  if (isnan(solve(a, text, actions[0] ? t->start : NULL, &h, why, sizeof why))) return HUGE_VAL;
  return epi_apart(a);
}

/* what both slow systems leave out is of second order in the ratio of the scales, for the slow motion and for the energy of the fast one,
   whose direction turns; it grows along the run */
static double left_by_all(const epi_search *a, double fast)
{
  double ratio = a->scales.pace/fast;
  return (3 + a->scales.energy)*ratio*ratio*fmax(1, a->scales.pace*(a->to->end - a->c->t));
}

/* ---- two slow systems ---- */
/* the fast energy acts as the frequency changes; what is left out is of second order. Where the frequency changes by no more than that, the
   one is as large as the other */
static double share_left_out(const epi_search *a, const trial *t)
{
  double ratio = a->scales.pace/a->scales.fast, change = t->g.low > 0 ? t->g.high/t->g.low - 1 : 0;
  return fmin(1, fmax(3*ratio, LEFT_OUT*ratio*ratio/fmax(change, 1e-300)));
}

/* the one with the fast energy in it is in y[0], that without it in y[1]. Where they are apart, the first without its energy must be the
   second; what is left is the share of the energy that no mode keeps */
static double two_apart(epi_search *a, trial *t)
{
  double all = epi_apart(a), share = share_left_out(a, t);
  char text[sizeof t->flow], why[320];
  sight h = {.y = a->y[0]};
  if (all <= 0.7*a->to->tol || all*share > 0.3*a->to->tol || slow_start(a, t)) return all;
  write_adiabatic(t->r, ", actions=0", text, sizeof text);
  if (isnan(solve(a, text, t->start, &h, why, sizeof why))) return all;
  return fmin(all, epi_apart(a) + all*share);
}

/* the run that is the answer, if it is; its end is kept */
static int solve_trial(epi_search *a, trial *t)
{
  t->calls = solve(a, t->flow, NULL, &t->g, t->why, sizeof t->why);
  t->seconds = a->seconds;
  if (!isnan(t->calls) && a->to->y) memcpy(a->to->y, a->y[0] + (CHECKS - 1)*a->n, (size_t)a->n*sizeof *a->to->y);
  return isnan(t->calls);
}

/* 1: they agree; 0: they do not, and why */
static int two_agree(epi_search *a, trial *t)
{
  epi_chosen *to = a->to;
  sight h = {.y = a->y[1]};
  for (int turn = 0; turn < 2; turn++, t->r = epi_rounded(0.1*t->r)) {
    write_adiabatic(t->r, "", t->flow, sizeof t->flow);
    if (turn && (solve_trial(a, t) || t->why[0])) return 0;
    write_notch(epi_rounded(0.1*t->r), t->other, sizeof t->other);
    t->more = solve(a, t->other, NULL, &h, t->why, sizeof t->why);
    t->more_seconds = a->seconds;
    if (isnan(t->more)) {
      enter_failed(a, t->other, t->why);
      snprintf(t->why, sizeof t->why, "there is nothing to hold it against");
      return 0;
    }
    t->why[0] = 0;
    epi_measure_sizes(a, a->y[0]);
    to->found = two_apart(a, t);
    if (to->found <= 0.7*to->tol) { to->found = fmax(to->found, left_by_all(a, a->scales.fast)); return 1; }
  }
  snprintf(t->why, sizeof t->why, "its solution and that of hmm(kernel=notch) are %.2g apart: the slow motion feels the fast one, and not "
           "only by its energy", to->found);
  return 0;
}

/* ---- one slow system, its steps and its actions ---- */
/* the text of actions that may be so as well: those that resonances and crossings could exchange, and a share that no mode keeps */
static int other_actions(const epi_search *a, const sight *g, char *out, size_t size)
{
  int m = g->modes;
  size_t n = 0;
  double share = a->scales.pace/g->om[0];
  if (m > MOST_MODES) return 1;
  for (int i = 0; i < m; i++) {
    double J = g->J[i]*(1 + share), swap = m > 1 ? g->by/g->om[i] : 0;
    J = fmax(0, i == m - 1 ? J + swap : i == 0 ? J - swap : J);
    n += (size_t)snprintf(out + n, size - n, "%s%.10g", i ? ", " : ", actions=[", J);
  }
  snprintf(out + n, size - n, "]");
  return 0;
}

static int one_stands(epi_search *a, trial *t)
{
  epi_chosen *to = a->to;
  char actions[140], *said = t->why + strlen(t->why);
  size_t room = sizeof t->why - strlen(t->why);
  const char *then = said > t->why ? "; " : "";
  double worst = left_by_all(a, t->g.om[0]), allowed = 0.7*to->tol;
  if (other_actions(a, &t->g, actions, sizeof actions)) {
    snprintf(said, room, "%smore than %d modes are stiff", then, MOST_MODES);
    return 0;
  }
  epi_measure_sizes(a, a->y[0]);
  if (worst <= allowed) worst = fmax(worst, apart_with(a, t, t->r, actions));
  if (worst <= allowed) worst = fmax(worst, apart_with(a, t, epi_rounded(0.1*t->r), ""));
  to->found = worst;
  if (worst <= allowed) return 1;
  snprintf(said, room, "%sits solution may be %.2g off by that", then, worst);
  return 0;
}

static int worth(const epi_search *a, trial *t)
{
  const epi_scales *s = &a->scales;
  double direct = epi_direct_calls(a), calls = slow_calls(a);
  if (a->to->motion == EPI_FULL) snprintf(t->why, sizeof t->why, "it gives the slow part of the motion, and the full one is asked for");
  else if (s->amplitude > 0.05)
    snprintf(t->why, sizeof t->why, "the fast oscillation is not small: its amplitude is %.2g of the position, and a slow motion beside it "
             "would leave that out", s->amplitude);
  else if (!s->many && left_by_all(a, s->fast) > 0.7*a->to->tol)
    snprintf(t->why, sizeof t->why, "the fast motion is not fast enough for a slow one of this tolerance beside it");
  else if (direct < (a->to->motion == EPI_SLOW ? 1 : FAR)*calls)
    snprintf(t->why, sizeof t->why, "it gives the slow part alone, and the full motion, in about %.2g evaluations, can be had", direct);
  return !t->why[0];
}

static int try_trial(epi_search *a, trial *t)
{
  epi_chosen *to = a->to;
  const epi_scales *s = &a->scales;
  if (solve_trial(a, t)) return 0;
  if (t->g.drift*s->fast > 10*s->pace && !strstr(to->scales, "changes"))
    snprintf(to->scales + strlen(to->scales), sizeof to->scales - strlen(to->scales), "; its frequency changes with the slow motion");
  return s->many || t->g.modes > 1 ? one_stands(a, t) : !t->why[0] && two_agree(a, t);
}

int epi_try_slow(epi_search *a)
{
  epi_chosen *to = a->to;
  trial t = {.r = epi_rounded(fmin(1e-3, 0.1*to->tol)), .g = {.y = a->y[0], .first = a->scales.fast}};
  write_adiabatic(t.r, "", t.flow, sizeof t.flow);
  int fine = worth(a, &t) && try_trial(a, &t);
  free(t.start);
  if (to->error[0]) return epi_try_ended(to);
  if (!fine) {
    if (to->y) to->y[0] = NAN;
    enter_failed(a, t.flow, t.why);
    return 0;
  }
  enter(a, (epi_way){.calls = t.calls, .seconds = t.seconds, .averages = 1}, t.flow, "");
  if (t.other[0]) enter(a, (epi_way){.calls = t.more, .seconds = t.more_seconds, .averages = 1, .note = "held against it"}, t.other, "");
  double each = t.other[0] ? t.more_seconds/t.more : t.seconds/t.calls, direct = epi_direct_calls(a);
  enter(a, (epi_way){.calls = direct, .seconds = direct*each, .note = "by the scales alone"}, "tolerance(dop853)", "");
  snprintf(to->flow, sizeof to->flow, "%s", t.flow);
  say(a, t.calls);
  return 0;
}
