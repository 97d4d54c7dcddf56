/* event.c - watch: a function sees the state after each step, or at every dt; at: the place where a function is zero */
#include "core.h"
#include "method/records.h"

enum { SEE, EVERY };
/* ---- watch; kept: begun, where it began, the number of the next output ---- */
enum { BEGUN, FROM, COUNT, NKEEP };

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
  return stop ? EPI_STOPPED : 0;
}

/* every output time up to s->t; all of them even when one asks to stop, or they would be lost */
static int show_grid(epi_flow *f, epi_state *s, epi_start start)
{
  const epi_name *see = &f->arg[SEE].name;
  double every = f->arg[EVERY].number, *k = f->keep, h = s->t - start.mark.t, sign = h < 0 ? -1 : 1;
  int bad, stop = 0;
  for (;;) {
    double t = k[FROM] + sign*k[COUNT]*every;
    if (sign*(t - s->t) > 1e-9*fabs(h)) break;
    k[COUNT]++;
    if (!see->see || s->key.quiet) continue;
    int here = fabs(t - s->t) <= 1e-9*fabs(h);
    if ((bad = epi_inside(f->kid[0], start, s, here ? s->t : t, shown_y(f), room(f)))) return bad;
    epi_state c = {.t = t, .theta = here ? s->theta : epi_phase_at(f->sys, start.mark.t, start.mark.theta, t - start.mark.t),
                   .y = shown_y(f), .impulse = s->impulse, .lambda = s->lambda};
    if (see->see(see->data, f->sys, &c)) stop = EPI_STOPPED;
  }
  return stop;
}

/* the kept memory handed down is that of the whole subtree: mine stands at its front, the kid's after it */
static int deliver(epi_flow *f, epi_state *s, const void *from)
{
  epi_flow *a = f->kid[0];
  epi_start start = *(const epi_start *)from;
  start.keep += f->nkeep;
  int bad, stop = a->deliver ? a->deliver(a, s, &start) : 0;
  if (stop && stop != EPI_STOPPED) return stop;
  int grid = f->arg[EVERY].number > 0;
  if (grid && !f->keep[BEGUN]) { f->keep[BEGUN] = 1; f->keep[FROM] = start.mark.t; f->keep[COUNT] = 1; }
  bad = grid ? show_grid(f, s, start) : show_step(f, s);
  return bad ? bad : stop;
}

/* steps that no output time falls into go through in one call */
static long free_steps(const epi_flow *f, const epi_state *s, double h)
{
  double next = f->keep[FROM] + (h < 0 ? -1 : 1)*f->keep[COUNT]*f->arg[EVERY].number;
  double k = (next - s->t)/h - 1.001;
  return k < 1 ? 0 : k > 1e15 ? (long)1e15 : (long)k;
}

/* a flow that takes many steps inside one lands on every output time */
static int landing(epi_flow *f, epi_state *s, double h)
{
  epi_flow *a = f->kid[0];
  double every = f->arg[EVERY].number, *k = f->keep, end = epi_target(f->sys, s, h).t, sign = h < 0 ? -1 : 1;
  int bad, stop = 0;
  while (sign*(end - s->t) > 0) {
    double t = k[FROM] + sign*k[COUNT]*every;
    int last = sign*(t - end) > -1e-9*fabs(h);
    epi_start here = {.mark = epi_mark_of(s), .y = s->y};
    epi_tick to = {.t = last ? end : t};
    to.theta = epi_phase_at(f->sys, s->t, s->theta, to.t - s->t);
    epi_land(s, to);
    if ((bad = epi_go(a, s, to.t - s->t, 1))) return bad;
    epi_set_clock(s, to);
    here.mark.t = s->t - h;
    if ((bad = show_grid(f, s, here)) && bad != EPI_STOPPED) return bad;
    if (bad) stop = bad;
  }
  return stop;
}

static int watch(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *a = f->kid[0];
  double every = f->arg[EVERY].number;
  long asked = n, k = 0;
  int bad = 0;
  a->err = f->err;
  if (s->key.trial || (every == 0 && !f->arg[SEE].name.see)) return epi_go(a, s, h, n);
  if (every > 0 && !f->keep[BEGUN]) { f->keep[BEGUN] = 1; f->keep[FROM] = s->t; f->keep[COUNT] = 1; }
  while (n > 0 && !bad) {
    k = every > 0 && !a->lands ? free_steps(f, s, h) : 0;
    if (k > n) k = n;
    n -= k ? k : 1;
    if (k) { bad = epi_go(a, s, h, k); continue; }
    if (every > 0 && a->lands) { bad = landing(f, s, h); continue; }
    epi_start start = {.mark = epi_mark_of(s), .y = start_y(f), .keep = start_keep(f)};
    if (every > 0) { memcpy(start_y(f), s->y, (size_t)epi_dim(f->sys)*sizeof *s->y); epi_keep_out(a, start_keep(f)); }
    if ((bad = epi_go(a, s, h, 1))) break;
    bad = every > 0 ? show_grid(f, s, start) : show_step(f, s);
  }
  if (bad) f->done = asked - n - (k ? k : 1);
  return bad;
}

static int watch_between(epi_flow *f, double t, double *y) { return f->kid[0]->between(f->kid[0], t, y); }

static void watch_build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  const epi_value *every = &f->arg[EVERY];
  f->claims = (a->claims & ~(unsigned)EPI_TAPS) | EPI_WATCHES;
  epi_refuse(f, !(every->number >= 0), "watch: every is %g: give the time between outputs, or 0 for each step", every->number);
  epi_refuse(f, every->number > 0 && !(a->claims & EPI_CLOCK),
             "watch at every dt needs a flow that moves time; %s does not", a->record->name);
  if (f->broken) return;
  f->nerr = a->nerr;
  f->lands = a->lands;
  f->safe = a->safe;
  f->deliver = deliver;
  if (a->between) { f->between = watch_between; if (every->number > 0) epi_want_dense(a); }
  if (epi_blocks(f, NKEEP, 2*epi_dim(f->sys) + f->below + epi_inside_room(a))) return;
  f->go = watch;
}

static const epi_param watch_params[] = {
  {.name = "see", .doc = "the name of your function; without one the steps are only counted", .kind = EPI_GIVEN, .takes = EPI_TAKES_SEE},
  {.name = "every", .value = 0, .doc = "time between outputs, by dense output; 0: after each step"},
  {0}
};
const epi_record epi_WATCH = {
  .name = "watch", .doc = "shows the state to a function of yours, after each step or at every dt",
  .example = "watch(verlet, see=mine, every=0.1)",
  .cite = "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.6", .arrow = EPI_WRAPPER, .least = 1, .most = 1,
  .params = watch_params, .build = watch_build,
};

/* ---- at; kept: the side on which the last event left us (0: look), how many there were ---- */
enum { OF, LEVEL, DIRECTION, STOP, GAP, HIT };
typedef struct { epi_flow *f; epi_state *s; double *y0, *kept; epi_mark m; } retry;

static double gap_of(const epi_flow *f, const epi_state *s)
{
  const epi_name *gap = &f->arg[GAP].name;
  if (gap->gap) return gap->gap(gap->data, s->t, s->y);
  return s->y[(int)f->arg[OF].number] - f->arg[LEVEL].number;
}

/* the same step again from its start, of length h */
static int step_again(const retry *r, double h)
{
  memcpy(r->s->y, r->y0, (size_t)epi_dim(r->f->sys)*sizeof *r->y0);
  epi_keep_in(r->f->kid[0], r->kept);
  epi_back_to(r->s, r->m);
  epi_cache_invalidate(r->s);
  return epi_go(r->f->kid[0], r->s, h, 1);
}

/* Illinois on the step length, until the root is known to rounding; the far side is taken */
static int find(const retry *r, double h, double g0, double g1)
{
  double lo = 0, hi = h, at = h;
  int side = 0, bad;
  for (int it = 0; it < 100; it++) {
    double x = (lo*g1 - hi*g0)/(g1 - g0);
    if (fabs(hi - lo) <= 4e-16*fabs(r->m.t) + 1e-15*fabs(h)) break;
    if (!(fabs(x - lo) > 0.001*fabs(hi - lo)) || !(fabs(x - hi) > 0.001*fabs(hi - lo)) || it > 60) x = lo + 0.5*(hi - lo);
    if ((bad = step_again(r, x))) return bad;
    at = x;
    double g = gap_of(r->f, r->s);
    if (g == 0) return 0;
    if ((g > 0) == (g0 > 0)) { lo = x; g0 = g; if (side > 0) g1 *= 0.5; side = 1; }
    else { hi = x; g1 = g; if (side < 0) g0 *= 0.5; side = -1; }
  }
  return at == hi ? 0 : step_again(r, hi);
}

static int wanted(const epi_flow *f, double g0, double g1)
{
  int direction = (int)f->arg[DIRECTION].number;
  return (g0 > 0 && g1 <= 0 && direction != 1) || (g0 < 0 && g1 >= 0 && direction != 2);
}

/* hit: the user's function may change the state; then the side must be looked at anew */
static int hit(epi_flow *f, epi_state *s, double *y, double from, double size)
{
  const epi_name *see = &f->arg[HIT].name;
  size_t n = (size_t)epi_dim(f->sys)*sizeof *y;
  int stop = f->arg[STOP].number != 0;
  f->keep[0] = -from;
  f->keep[1]++;
  if (see->see) {
    memcpy(y, s->y, n);
    stop |= see->see(see->data, f->sys, s) != 0;
    /* a rebound stays on the side it came from, though rounding left it a little beyond; one moved elsewhere is looked at anew */
    if (memcmp(y, s->y, n)) f->keep[0] = fabs(gap_of(f, s)) <= 1e-9*size ? from : 0;
  }
  epi_cache_invalidate(s);
  return stop ? EPI_STOPPED : 0;
}

static int at_once(epi_flow *f, epi_state *s, double h)
{
  size_t n = (size_t)epi_dim(f->sys)*sizeof(double);
  epi_tick target = epi_target(f->sys, s, h);
  double end = target.t;
  for (int hits = 0; ; hits++) {
    retry r = {.f = f, .s = s, .y0 = f->work, .kept = f->work + 2*epi_dim(f->sys), .m = epi_mark_of(s)};
    double left = end - s->t, g0 = f->keep[0] != 0 ? f->keep[0] : gap_of(f, s), g1;
    int bad;
    if (left == 0) return 0;
    if (hits > 1000)
      return epi_fail(f, EPI_WRONG,
                      "events pile up at t = %.10g: more than 1000 in one step; let the function stop the run, or take the part "
                      "at rest out", s->t);
    memcpy(r.y0, s->y, n);
    epi_keep_out(f->kid[0], r.kept);
    /* the force that the flow keeps for its next step must be that of the very time where this one ends */
    epi_land(s, target);
    if ((bad = epi_go(f->kid[0], s, left, 1))) return bad;
    g1 = gap_of(f, s);
    f->keep[0] = 0;
    if (!wanted(f, g0, g1)) { epi_set_clock(s, target); return 0; }
    if ((bad = find(&r, left, g0, g1))) return bad;
    if ((bad = hit(f, s, f->work + epi_dim(f->sys), g0 > 0 ? 1 : -1, fabs(g0) + fabs(g1)))) return bad;
  }
}

static int at(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  while (n-- > 0 && !bad) bad = at_once(f, s, h);
  return bad;
}

static void at_build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  double of = f->arg[OF].number;
  f->claims = (a->claims & (EPI_BACKWARD | EPI_CLOCK | EPI_EXPLICIT)) | EPI_WATCHES;
  f->estimate = 0;
  f->lands = 1;
  epi_refuse(f, !(a->claims & EPI_CLOCK), "at needs a flow that moves time; %s does not", a->record->name);
  epi_refuse(f, a->claims & EPI_WATCHES, "at tries steps, and a watch or event inside would see the trials: put watch around at");
  epi_refuse(f, !(of >= 0 && of < epi_dim(f->sys)), "at: there is no coordinate %g: the state has %d", of, epi_dim(f->sys));
  if (epi_blocks(f, 2, 2*epi_dim(f->sys) + f->below)) return;
  f->go = at;
}

static const char *const directions[] = {"any", "up", "down", NULL};
static const epi_param at_params[] = {
  {.name = "of", .value = 0, .doc = "the coordinate, by name or number, whose crossing of the level is the event", .kind = EPI_COORDINATE},
  {.name = "level", .value = 0, .doc = "the value it crosses"},
  {.name = "direction", .doc = "any, up or down", .words = directions, .kind = EPI_WORD},
  {.name = "stop", .value = 0, .doc = "1: the run ends at the event", .kind = EPI_COUNT},
  {.name = "gap", .doc = "the name of your function of (t, y), instead of a coordinate", .kind = EPI_GIVEN, .takes = EPI_TAKES_GAP},
  {.name = "hit", .doc = "the name of your function called at the event; it may change the state", .kind = EPI_GIVEN,
   .takes = EPI_TAKES_SEE},
  {0}
};
const epi_record epi_AT = {
  .name = "at", .doc = "finds where a function of the state is zero, by stepping again from the start of the step; works on any flow",
  .cite = "Dowell & Jarratt, BIT 11 (1971) 168 (Illinois)", .example = "at(verlet, of=0, direction=down, stop=1)",
  .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = at_params, .build = at_build,
};
