/* watch.c - watch: a function sees the state after each step, at every dt, at given times, or at places in every step that is taken, also
 * inside one. What lies inside a step comes from dense output, or from the step taken again: no output changes a step */
#include "core.h"
#include "method/records.h"
#include "watch.h"

enum { SEE, EVERY, TIMES, PLACES };
/* kept: begun, where it began (of places: where the last step was looked at up to), the number of the next output */
enum { BEGUN, FROM, COUNT, NKEEP };

static int has_grid(const epi_flow *f) { return f->arg[EVERY].number > 0 || f->arg[TIMES].n || f->arg[PLACES].number > 0; }

/* the next output where a step ends at `end`; beyond it where there is none in that step. Places are closer at both ends of a step, so that
   a polynomial through them is good all over it */
static double next_output(const epi_flow *f, double end, double sign)
{
  const double *k = f->keep, places = f->arg[PLACES].number;
  const epi_value *times = &f->arg[TIMES];
  if (times->n) return k[COUNT] <= times->n ? times->list[(long)k[COUNT] - 1] : sign*HUGE_VAL;
  if (!(places > 0)) return k[FROM] + sign*k[COUNT]*f->arg[EVERY].number;
  if (k[FROM] == end) return sign*HUGE_VAL;
  return k[COUNT] >= places ? end : k[FROM] + 0.5*(1 - cos(EPI_PI*k[COUNT]/places))*(end - k[FROM]);
}

static void output_done(epi_flow *f, double end)
{
  double *k = f->keep, places = f->arg[PLACES].number;
  if (++k[COUNT] <= places || !(places > 0)) return;
  k[FROM] = end;
  k[COUNT] = 1;
}

static void begin_outputs(epi_flow *f, double t)
{
  if (f->keep[BEGUN]) return;
  f->keep[BEGUN] = 1;
  f->keep[FROM] = t;
  f->keep[COUNT] = 1;
}

/* work: start y, shown y, kept memory at the start, room for dense output */
static double *start_y(const epi_flow *f) { return f->work; }
static double *shown_y(const epi_flow *f) { return f->work + epi_dim(f->sys); }
static double *start_keep(const epi_flow *f) { return f->work + 2*epi_dim(f->sys); }
static double *room(const epi_flow *f) { return start_keep(f) + f->below; }

static int show_step(epi_flow *f, epi_state *s)
{
  const epi_name *see = &f->arg[SEE].name;
  size_t n = (size_t)epi_dim(f->sys)*sizeof *s->y;
  if (!see->see || s->key.quiet) return 0;
  memcpy(shown_y(f), s->y, n);
  int stop = see->see(see->data, f->sys, s);
  /* what it changed must not meet a cached force */
  if (memcmp(shown_y(f), s->y, n)) epi_cache_invalidate(s);
  return stop == EPI_INTERRUPTED ? stop : stop ? EPI_STOPPED : 0;
}

/* after many outputs in one step: it may be long until the last of them, or there is none */
static int crowded(epi_flow *f, const epi_state *s, double apart)
{
  double every = f->arg[EVERY].number, left = every > 0 ? apart/every : 0;
  if (epi_stopping(f)) return EPI_INTERRUPTED;
  if (left <= 1e9) return 0;
  return epi_fail(f, EPI_WRONG, "watch: %.3g outputs are to come before t = %.10g, in one step: give a longer every than %g", left, s->t,
                  every);
}

/* every output time up to s->t; all of them even when one asks to stop, or they would be lost. One that was interrupted itself has not been
   shown: the step is undone */
static int show_grid(epi_flow *f, epi_flow *by, epi_state *s, epi_start start)
{
  const epi_name *see = &f->arg[SEE].name;
  double h = s->t - start.mark.t, sign = h < 0 ? -1 : 1;
  int bad, stop = 0;
  for (long n = 1;; n++) {
    double t = next_output(f, s->t, sign);
    if (sign*(t - s->t) > 1e-9*fabs(h)) break;
    if (n % 256 == 0 && (bad = crowded(f, s, sign*(s->t - t)))) return bad;
    output_done(f, s->t);
    /* times before the run are none of its */
    if (!see->see || (f->arg[TIMES].n && !(sign*(t - start.mark.t) > 0))) continue;
    int here = fabs(t - s->t) <= 1e-9*fabs(h);
    if ((bad = epi_inside(by, start, s, here ? s->t : t, shown_y(f), room(f)))) return bad;
    epi_state c = {.t = t, .theta = here ? s->theta : epi_phase_at(f->sys, start.mark.t, start.mark.theta, t - start.mark.t),
                   .y = shown_y(f), .impulse = s->impulse, .lambda = s->lambda};
    /* steps that are walked again quietly count as they did */
    int wish = s->key.quiet ? 0 : see->see(see->data, f->sys, &c);
    if (wish == EPI_INTERRUPTED) return wish;
    if (wish) stop = EPI_STOPPED;
  }
  return stop;
}

static int prepare(epi_flow *f, epi_state *s, double sign) { return f->kid[0]->prepare(f->kid[0], s, sign); }

/* the kept memory handed down is that of the whole subtree: mine stands at its front, the kid's after it */
static int deliver(epi_flow *f, epi_state *s, const void *from)
{
  epi_flow *a = f->kid[0];
  epi_start start = *(const epi_start *)from;
  start.keep += f->nkeep;
  int bad, stop = a->deliver ? a->deliver(a, s, &start) : 0;
  if (stop && stop != EPI_STOPPED) return stop;
  int grid = has_grid(f);
  if (grid) begin_outputs(f, start.mark.t);
  bad = grid ? show_grid(f, a, s, start) : show_step(f, s);
  return bad ? bad : stop;
}

/* a step inside one of the kid. Who asks to stop is obeyed at the end of the whole one */
static int hears(epi_flow *f, epi_flow *by, epi_state *s, const epi_start *start)
{
  int bad = epi_tell(f, by, s, start), *stop = f->own;
  if (s->key.trial || !has_grid(f) || (bad && bad != EPI_CUT)) return bad;
  int shown = show_grid(f, by, s, *start);
  if (shown == EPI_STOPPED) *stop = 1;
  return shown && shown != EPI_STOPPED ? shown : bad;
}

/* steps that no output time falls into go through in one call */
static long free_steps(const epi_flow *f, const epi_state *s, double h)
{
  double k = (next_output(f, s->t + h, h < 0 ? -1 : 1) - s->t)/h - 1.001;
  return !(k >= 1) ? 0 : k > 1e15 ? (long)1e15 : (long)k;
}

/* ... and nothing need be remembered of them, unless somebody above looks into them too */
static int unseen_steps(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *a = f->kid[0];
  int dense = a->dense;
  if (!f->dense) a->dense = 0;
  int bad = epi_go(a, s, h, n);
  a->dense = dense;
  return bad;
}

/* a step of a flow that tells of those inside it: heard only where an output falls into it, before its end */
static int told_step(epi_flow *f, epi_state *s, double h)
{
  epi_flow *a = f->kid[0], *listener = a->listener;
  epi_start start = {.mark = epi_mark_of(s), .y = s->y};
  int *stop = f->own, bad;
  double end = s->key.landing ? s->key.land : s->t + (h + s->key.rest);
  if (!f->listener && f->arg[PLACES].number == 0
      && (next_output(f, end, h < 0 ? -1 : 1) - end)*(h < 0 ? -1 : 1) > -1e-9*fabs(h)) a->listener = NULL;
  *stop = 0;
  bad = epi_go(a, s, h, 1);
  a->listener = listener;
  if (bad) return bad;
  bad = show_grid(f, a, s, start);
  return bad ? bad : *stop ? EPI_STOPPED : 0;
}

/* each step is shown */
static int each(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *a = f->kid[0];
  int bad = 0;
  long k = 0;
  for (; k < n; k++) if ((bad = epi_go(a, s, h, 1)) || (bad = show_step(f, s))) break;
  if (bad) f->done = k;
  return bad;
}

static int watch(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *a = f->kid[0];
  long asked = n, k = 0;
  int bad = 0, grid = has_grid(f);
  a->err = f->err;
  if (s->key.trial || (!grid && !f->arg[SEE].name.see)) return epi_go(a, s, h, n);
  if (!grid) return each(f, s, h, n);
  begin_outputs(f, s->t);
  while (n > 0 && !bad) {
    k = !a->tells ? free_steps(f, s, h) : 0;
    if (k > n) k = n;
    n -= k ? k : 1;
    if (k) { bad = unseen_steps(f, s, h, k); continue; }
    if (a->tells) { bad = told_step(f, s, h); continue; }
    epi_start start = {.mark = epi_mark_of(s), .y = start_y(f), .keep = start_keep(f)};
    memcpy(start_y(f), s->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
    epi_keep_out(a, start_keep(f));
    if ((bad = epi_go(a, s, h, 1))) break;
    bad = show_grid(f, a, s, start);
  }
  if (bad) f->done = asked - n - (k ? k : 1);
  return bad;
}

/* up to the state all outputs were shown: one that lies far before it would be shown for ever */
static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *k = f->keep, every = f->arg[EVERY].number;
  if (!k[BEGUN]) return 0;
  if (k[BEGUN] != 1 || !isfinite(k[FROM]) || !epi_is_count(k[COUNT]) || k[COUNT] < 1) return 1;
  return every > 0 && !(fabs(s->t - k[FROM]) <= (k[COUNT] + 1)*every);
}

static int between(epi_flow *f, double t, double *y) { return f->kid[0]->between(f->kid[0], t, y); }

static void build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  const epi_value *every = &f->arg[EVERY], *times = &f->arg[TIMES], *places = &f->arg[PLACES];
  int grid = has_grid(f);
  f->claims = (a->claims & ~(unsigned)EPI_TAPS) | EPI_WATCHES;
  epi_refuse(f, (every->number > 0) + (times->n > 0) + (places->number > 0) > 1,
             "watch: every, times and places each say where outputs are: give one of them");
  epi_refuse(f, times->given && !times->n, "watch: times is a list: write times=[%g]", times->number);
  for (int i = 0; i + 1 < times->n && !f->broken; i++)
    epi_refuse(f, !((times->list[i + 1] - times->list[i])*(times->list[1] - times->list[0]) > 0),
               "watch: the times are not in order at %.10g, %.10g: give them as the run meets them", times->list[i], times->list[i + 1]);
  epi_refuse(f, grid && !(a->claims & EPI_CLOCK), "watch at times needs a flow that moves time; %s does not", a->record->name);
  if (f->broken) return;
  f->nerr = a->nerr;
  f->lands = a->lands;
  f->safe = a->safe;
  f->tells = a->tells;
  f->deliver = deliver;
  if (a->prepare) f->prepare = prepare;
  f->hears = hears;
  if (a->between) { f->between = between; if (grid) epi_want_dense(a); }
  if (grid) epi_listen(f);
  f->own = epi_zeros(1, sizeof(int));
  if (epi_refuse_memory(f, !f->own)) return;
  if (epi_blocks(f, NKEEP, 2*epi_dim(f->sys) + f->below + epi_inside_room(a))) return;
  f->unsound = unsound;
  f->go = watch;
}

/* ---- times that stand in no text ---- */
typedef struct { const char *see; const double *times; int n, bad; } given_times;
static void take_times(epi_flow *f, void *data)
{
  given_times *g = data;
  if (f->record != &epi_WATCH || strcmp(f->arg[SEE].word, g->see)) return;
  double *list = malloc((size_t)g->n*sizeof *list);
  if (!list) { g->bad = 1; return; }
  free((void *)f->arg[TIMES].list);
  f->arg[TIMES].list = memcpy(list, g->times, (size_t)g->n*sizeof *list);
  f->arg[TIMES].n = g->n;
  f->arg[TIMES].given = 0;
}

int epi_watch_at(epi_flow *root, const char *see, const double *times, int n)
{
  given_times g = {see, times, n, 0};
  epi_visit(root, take_times, &g);
  return g.bad ? -1 : 0;
}

static const epi_param params[] = {
  {.name = "see", .doc = "the name of your function; without one the steps are only counted", .kind = EPI_GIVEN, .takes = EPI_TAKES_SEE},
  {.name = "every", .value = 0, .doc = "time between outputs, by dense output; 0: after each step",
   .range = {0, EPI_UNBOUNDED, .words = ": give the time between outputs, or 0 for each step"}},
  {.name = "times", .doc = "instead: a list of times, in the order of the run", .kind = EPI_LIST},
  {.name = "places", .value = 0, .doc = "instead: so many outputs in every step, also of those inside one; the last at its end",
   .kind = EPI_COUNT, .range = {0, 64, .words = ": give a number from 1 to 64"}},
  {0}
};
const epi_record epi_WATCH = {
  .name = "watch",
  .doc = "shows the state to a function of yours, after each step, at every dt, at given times, or at places in every step",
  .example = "watch(verlet, see=mine, every=0.1)",
  .cite = "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.6", .arrow = EPI_WRAPPER, .least = 1, .most = 1,
  .params = params, .build = build, .facets = &(const epi_facets){.traits = EPI_OBSERVER},
};
