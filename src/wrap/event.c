/* event.c - at: the places where a function of the state is zero, in every step that is taken, also in those inside a step.
 *
 * A step over many fast periods is looked at by what g does in one of them: its range there changes slowly from period to period, and where
 * it has zero in it the periods are gone through one by one. */
#include "core.h"
#include "course.h"
#include "method/records.h"
#include "zeros.h"
#include <stddef.h>
#include <stdio.h>

enum { OF, LEVEL, DIRECTION, STOP, GAP, HIT };
enum { SIDE, COUNT, NKEEP };           /* kept: the side on which the last event left us (0: look), how many there were */
enum { PARTS = EPI_STRETCH_PARTS, MOST_AT_ONCE = 1000 };
/* looks at a fast period; periods at once, and in all */
enum { LOOKS = 16, CHUNK = 4, MOST_TURNS = 1000, MANY_POINTS = 2*CHUNK*LOOKS + 8 };

/* what a node has besides: who is told of its events; the step was cut here, and the run is to stop; events that came one upon the other */
typedef struct {
  void (*see)(void *, const epi_event *);
  void *data;
  int stop, cut, hits;
  /* an at inside tells of a step up to each of its events: how much of it has been looked at, and what it was there */
  double from, rest, done, g;
  double since;                        /* where the last MOST_AT_ONCE/2 of them began */
  char name[EPI_WORD_SIZE];
  int judges;                          /* the flow is of an average, whose fast period can be looked at */
  long steps;                          /* so far */
} memory;

static double gap_at(const epi_flow *f, double t, const double *y)
{
  const epi_name *gap = &f->arg[GAP].name;
  if (gap->gap) return gap->gap(gap->data, t, y);
  return y[(int)f->arg[OF].number] - f->arg[LEVEL].number;
}

static int wanted(const epi_flow *f, double g0, double g1)
{
  int direction = (int)f->arg[DIRECTION].number;
  return (g0 > 0 && g1 <= 0 && direction != 1) || (g0 < 0 && g1 >= 0 && direction != 2);
}

/* ---- an event ---- */
static void tell_event(epi_flow *f, const epi_state *s, int direction)
{
  const memory *k = f->own;
  if (!k->see || s->key.trial || s->key.quiet) return;
  k->see(k->data, &(epi_event){.name = k->name, .number = (long)f->keep[COUNT], .direction = direction, .t = s->t,
                             .theta = s->theta, .y = s->y});
}

/* the flow itself goes there, with all it keeps */
static int move_there(const epi_stretch *p, double x)
{
  epi_state *s = p->s;
  size_t n = (size_t)epi_dim(p->f->sys)*sizeof *s->y;
  if (!p->start.keep) { memcpy(s->y, p->there, n); epi_set_clock(s, p->clock); return 0; }
  memcpy(s->y, p->start.y, n);
  if (s->impulse && p->start.impulse) memcpy(s->impulse, p->start.impulse, (size_t)p->f->sys->nc*sizeof *s->y);
  epi_keep_in(p->by, p->start.keep);
  epi_back_to(s, p->start.mark);
  epi_cache_invalidate(s);
  /* what it tells of has been heard */
  epi_flow *listener = p->by->listener;
  p->by->listener = NULL;
  int bad = epi_go(p->by, s, x, 1);
  p->by->listener = listener;
  return bad;
}

static epi_tick clock_of(const epi_state *s) { return (epi_tick){s->t, s->key.rest, s->theta}; }

/* the user's function may change the state; then the side must be looked at anew. EPI_CUT: the step ends here */
static int hit(epi_stretch *p, double x, double from, double size)
{
  epi_flow *f = p->f;
  memory *k = f->own;
  const epi_name *see = &f->arg[HIT].name;
  size_t n = (size_t)epi_dim(f->sys)*sizeof *p->y;
  int bad, stop = f->arg[STOP].number != 0, changed = 0;
  epi_state c = *p->s;
  c.y = p->there;
  epi_set_clock(&c, p->clock);
  epi_cache_invalidate(&c);
  c.key.landing = 0;
  /* outputs up to here, and events of another kind, come before what this one does; one of those may have ended the step */
  if ((bad = epi_tell(f, p->by, &c, &p->start)) == EPI_CUT) { memcpy(p->s->y, c.y, n); epi_set_clock(p->s, clock_of(&c)); }
  if (bad) { epi_cache_invalidate(p->s); return bad; }
  f->keep[COUNT]++;
  tell_event(f, &c, from > 0 ? -1 : 1);
  memcpy(p->y, c.y, n);
  if (see->see) stop |= see->see(see->data, f->sys, &c) != 0;
  changed = memcmp(p->y, c.y, n) != 0;
  f->keep[SIDE] = 0;
  if (!stop && !changed && f->kid[0]->tells) return 0;
  /* a rebound stays on the side it came from, though rounding left it a little beyond; one moved elsewhere is looked at anew */
  f->keep[SIDE] = !changed ? -from : fabs(gap_at(f, c.t, c.y)) <= 1e-9*size ? from : 0;
  k->stop = stop;
  k->cut = 1;
  if (changed) memcpy(p->d0, c.y, n);
  if ((bad = move_there(p, x))) return bad;
  if (changed) memcpy(p->s->y, p->d0, n);
  epi_cache_invalidate(p->s);
  return EPI_CUT;
}

/* many events, one upon the other */
static int pile(epi_flow *f, double t, double h)
{
  memory *k = f->own;
  if (k->hits++ % (MOST_AT_ONCE/2)) return 0;
  int rest = k->hits > MOST_AT_ONCE && !(fabs(t - k->since) > 1e-9*(fabs(h) + fabs(t)));
  k->since = t;
  if (!rest) return 0;
  return epi_fail(f, EPI_WRONG, "events pile up at t = %.10g: more than %d in one step; let the function stop the run, or take the part at "
                  "rest out", t, MOST_AT_ONCE);
}

/* the zeros between the points; side: on which the last event left the first of them */
static int go_through(epi_stretch *p, const epi_points *q, double side)
{
  int bad;
  for (int i = 0; i + 1 < q->n; i++) {
    if (!wanted(p->f, q->g[i], q->g[i + 1])) continue;
    double a = i == 0 && side != 0 ? side : q->g[i], b = q->g[i + 1], x;
    if ((bad = epi_find_zero(p, (epi_bracket){q->x[i], q->x[i + 1], a, b}, &x)) || (bad = pile(p->f, p->clock.t, p->h))) return bad;
    if ((bad = hit(p, x, a > 0 ? 1 : -1, fabs(a) + fabs(b)))) return bad;
  }
  return 0;
}

/* ---- a step over many fast periods ---- */
/* least and largest of g in the period that begins at x */
typedef struct { const epi_flow *f; double x, least, most; } range;

static void widen(void *data, epi_state *s)
{
  range *r = data;
  double g = gap_at(r->f, s->t, s->y);
  r->least = fmin(r->least, g);
  r->most = fmax(r->most, g);
}

static int range_at(epi_stretch *p, double x, range *r)
{
  double T, t = x == p->h ? p->s->t : p->start.mark.t + x;
  epi_state s = {.t = t, .theta = epi_phase_at(p->f->sys, p->start.mark.t, p->start.mark.theta, x), .y = p->y};
  size_t n = (size_t)epi_dim(p->f->sys)*sizeof *p->y;
  int bad = 0;
  *r = (range){.f = p->f, .x = x, .least = HUGE_VAL, .most = -HUGE_VAL};
  if (x == 0 || x == p->h) memcpy(p->y, x == 0 ? p->start.y : p->s->y, n);
  else bad = p->by->between(p->by, t, p->y);
  return bad ? bad : p->by->turn(p->by, &s, &T, widen, r);
}

/* zero may lie between, by what is seen at both ends; a tenth for a swing that is not the same at both, and what a dip may add */
static int may_touch(const range *a, const range *b, double dip)
{
  double least = fmin(a->least, b->least), most = fmax(a->most, b->most), more = dip + 0.1*(most - least);
  return !(least - more > 0) && !(most + more < 0);
}

/* all of it, from a to b: a dip may lie beside either end */
static int look_closely(epi_stretch *p, double a, double b, double T, double g0, double side, double *g1)
{
  int n = (int)ceil(fabs(b - a)/T*LOOKS), bad;
  double d = (b - a)/n, g[CHUNK*LOOKS + 4];
  double at[MANY_POINTS], g_at[MANY_POINTS];
  epi_points q = {.x = at, .g = g_at};
  n = n > CHUNK*LOOKS ? CHUNK*LOOKS : n;
  for (int i = -1; i <= n + 1; i++) {
    double x = i < n ? a + i*d : i == n ? b : b + d;
    int inside = (x - p->x0)*(p->h - x) >= 0;
    g[i + 1] = g0;
    if (i && inside && (bad = epi_gap_at(p, x, &g[i + 1]))) return bad;
    if (!inside) g[i + 1] = HUGE_VAL;
  }
  for (int i = 0; i <= n; i++) {
    double x[] = {a + (i - 1)*d, i < n ? a + i*d : b, a + (i + 1)*d}, sign = epi_sign(g[i + 1]), v[3];
    for (int k = 0; k < 3; k++) v[k] = isfinite(g[i + k]) ? sign*g[i + k] : HUGE_VAL;
    int dip = sign != 0 && v[1] < v[0] && v[1] <= v[2] && isfinite(v[0] + v[2]) && epi_narrow_dip(p, x, v, sign, 1, 1e-9*T) > 0;
    int before = dip && (x[1] - (a + i*d))*d < 0;
    if (before && i > 0) epi_add_point(&q, x[1], sign*v[1]);
    epi_add_point(&q, i < n ? a + i*d : b, g[i + 1]);
    if (dip && !before && i < n) epi_add_point(&q, x[1], sign*v[1]);
  }
  *g1 = g[n + 1];
  return go_through(p, &q, side);
}

/* the ranges at both ends and between; 1: zero is far from all of them, by as much as they differ */
static int far_off(epi_stretch *p, range *r, int parts, double *dip, int *bad)
{
  double most = 0, least = HUGE_VAL, largest = -HUGE_VAL, length = p->h - p->x0;
  for (int i = 0; i <= parts; i++) {
    if ((*bad = range_at(p, i < parts ? p->x0 + length*i/parts : p->h, &r[i]))) return 1;
    if (i) most = fmax(most, 0.5*fabs(r[i].least - r[i-1].least + r[i].most - r[i-1].most));
    least = fmin(least, r[i].least);
    largest = fmax(largest, r[i].most);
  }
  *dip = 0.5*most;
  return !may_touch(&(range){.least = least, .most = largest}, &(range){.least = least, .most = largest}, *dip);
}

static int too_many(epi_flow *f, double t)
{
  const memory *k = f->own;
  return epi_fail(f, EPI_WRONG, "at: %s crosses its level in fast periods, more than %d of them in one step of revolve at t = %.10g: take "
                  "at(tolerance(dop853), ...), which goes through all of them, or what varies slowly", k->name, MOST_TURNS, t);
}

/* halves of where zero may be, down to a few periods, which are gone through */
static int pass_over(epi_stretch *p, double T, double g0, double side)
{
  enum { DEPTH = 80 };
  range left, stack[DEPTH], first[PARTS + 1];
  double dip = 0, turns = 0, last = 0, from = p->x0, g1 = g0, length = fabs(p->h - p->x0);
  int n = 0, bad = 0, small = length <= CHUNK*T;
  if (!small && far_off(p, first, 2, &dip, &bad)) return bad;
  if (!small && far_off(p, first, PARTS, &dip, &bad) && bad) return bad;
  left = small ? (range){.x = from} : first[0];
  if (small) stack[n++] = (range){.x = p->h};
  else for (int i = PARTS; i > 0; i--) stack[n++] = first[i];
  while (n > 0) {
    range *right = &stack[n - 1];
    double way = fabs(right->x - left.x), part = way*PARTS/length;
    int near = small || may_touch(&left, right, dip*part*part);
    if (epi_stopping(p->f)) return EPI_INTERRUPTED;
    if (near && way > CHUNK*T && n < DEPTH) {
      if ((bad = range_at(p, 0.5*(left.x + right->x), &stack[n++]))) return bad;
      continue;
    }
    if (near) {
      if ((turns += way/T) > MOST_TURNS) return too_many(p->f, p->start.mark.t + left.x);
      if (left.x != p->x0 && left.x != last && (bad = epi_gap_at(p, left.x, &g1))) return bad;
      if ((bad = look_closely(p, left.x, right->x, T, g1, left.x == p->x0 ? side : 0, &g1))) return bad;
      last = right->x;
    }
    left = *right;
    n--;
  }
  return 0;
}

/* ---- a step of an average ---- */
/* events of a slow solution are its own. Where what is looked at swings in a fast period by more than the slow motion changes it in some of
   them, and so crosses its level back and forth, the user is told */
enum { NOW_AND_THEN = 16 };
static void judge(epi_stretch *p, double g0, double g1, double *work)
{
  epi_flow *average = epi_average_of(p->f);
  memory *k = p->f->own;
  int due = k->steps++ % NOW_AND_THEN == 0 || epi_sign(g0) != epi_sign(g1);
  if (!due || p->f->warning[0] || p->s->key.trial) return;
  const epi_slow_facet *slow = epi_slow_of(average);
  epi_flow *micro = average->kid[0];
  double T = fabs(epi_turn_time(micro->sys, slow->period(average), p->s->t, 1)), swing, pace = fabs((g1 - g0)/p->h);
  range r = {.f = p->f, .least = HUGE_VAL, .most = -HUGE_VAL};
  epi_state s = {.t = p->s->t, .theta = slow->theta0(average), .y = p->s->y};
  long calls = micro->calls;
  int bad = !(T > 0) || epi_course(micro, &s, T, widen, &r, work);
  micro->calls = calls;
  swing = r.most - r.least;
  if (bad || !(r.least <= 0 && r.most >= 0) || !(swing > 3*T*pace)) return;
  epi_warn(p->f, "at: the events of %s are those of the slow solution of %s: it swings by %.3g in a fast period, and so the motion itself "
           "crosses the level in more periods about t = %.6g: take at(revolve(...)) or a flow that resolves them", k->name,
           average->record->name, swing, p->s->t);
}

/* its micro flow has a system of the same state, without constraints */
static int can_be_judged(epi_flow *f)
{
  const epi_flow *average = epi_average_of(f);
  const epi_slow_facet *slow = epi_slow_of(average);
  if (!slow || !average->nkid) return 0;
  epi_system *m = average->kid[0]->sys;
  return epi_dim(m) == epi_dim(f->sys) && !m->nc && !m->manifold.retract && !m->derived && slow->period(average) > 0;
}

/* one step of `by`, of length h, from start to s */
static int scrutinise(epi_flow *f, epi_flow *by, epi_state *s, const epi_start *start, double h)
{
  int N = epi_dim(f->sys), bad;
  double *w = f->work, side = f->keep[SIDE], T = 0;
  epi_stretch p = {.g = gap_at, .f = f, .by = by, .s = s, .start = *start, .h = h,
                   .y = w, .there = w + N, .d0 = w + 2*N, .d1 = w + 3*N, .room = w + 4*N,
                   .smooth = by->between && !by->own_time && !by->between(by, start->mark.t + 0.25*h, w)};
  memory *k = f->own;
  int on = k->done != 0 && start->mark.t == k->from && start->mark.rest == k->rest;
  double g0 = on ? k->g : gap_at(f, start->mark.t, start->y), g1 = gap_at(f, s->t, s->y);
  if (on && fabs(h - k->done) <= epi_finest_of(&p)) return epi_tell(f, by, s, start);
  if (on) p.x0 = k->done;
  f->keep[SIDE] = 0;
  if (side != 0) g0 = side*fmax(fabs(g0), 1e-300);
  k->from = start->mark.t, k->rest = start->mark.rest, k->done = h, k->g = g1;
  if (by->turn && !by->turn(by, &(epi_state){.t = start->mark.t}, &T, NULL, NULL)) {
    bad = pass_over(&p, T, g0, side);
    return bad ? bad : epi_tell(f, by, s, start);
  }
  if (k->judges) judge(&p, g0, g1, w + f->nwork - EPI_COURSE_STATES*N);
  double x_of[EPI_FEW_POINTS], g_of[EPI_FEW_POINTS];
  epi_points q = epi_sample(&p, g0, g1, (epi_points){.x = x_of, .g = g_of});
  /* one alone is looked for over all of the step */
  if (epi_changes(&q) == 1 && !f->kid[0]->tells) { q.n = 0; epi_add_point(&q, 0, g0); epi_add_point(&q, h, g1); }
  bad = go_through(&p, &q, side);
  return bad ? bad : epi_tell(f, by, s, start);
}

static int hears(epi_flow *f, epi_flow *by, epi_state *s, const epi_start *start)
{
  return scrutinise(f, by, s, start, (s->t - start->mark.t) + (s->key.rest - start->mark.rest));
}

/* ---- steps ---- */
/* of a flow that tells of those inside, or all in one; work, at its end: y, the impulses and what the kid keeps at the start */
static int one_step(epi_flow *f, epi_state *s, double h)
{
  epi_flow *a = f->kid[0];
  int N = epi_dim(f->sys), nc = f->sys->nc;
  if (a->tells) return epi_go(a, s, h, 1);
  double *y0 = f->work + 4*N + epi_inside_room(a), *impulse = y0 + N, *kept = impulse + nc;
  epi_start start = {.mark = epi_mark_of(s), .y = y0, .keep = kept, .impulse = impulse};
  memcpy(y0, s->y, (size_t)N*sizeof *y0);
  if (s->impulse) memcpy(impulse, s->impulse, (size_t)nc*sizeof *impulse);
  epi_keep_out(a, kept);
  int bad = epi_go(a, s, h, 1);
  return bad ? bad : scrutinise(f, a, s, &start, h);
}

static int at_once(epi_flow *f, epi_state *s, double h)
{
  memory *k = f->own;
  epi_tick target = epi_target(f->sys, s, h);
  k->hits = 0;
  /* where t is large it has not all the digits of the way */
  for (double left = h; s->t != target.t || s->key.rest != target.rest; left = (target.t - s->t) + (target.rest - s->key.rest)) {
    k->done = k->stop = k->cut = 0;
    /* the force that the flow keeps for its next step must be that of the very time where this one ends */
    epi_land(s, target);
    int bad = one_step(f, s, left);
    s->key.landing = 0;
    if (bad == EPI_CUT && k->stop) return EPI_STOPPED;
    if (bad == EPI_CUT && k->cut) continue;
    if (bad) return bad;
    epi_set_clock(s, target);
  }
  return 0;
}

static int at(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  while (n-- > 0 && !bad) bad = at_once(f, s, h);
  return bad;
}

/* ---- who wants to know ---- */
static void hand_see(epi_flow *f, void *p) { if (f->record == &epi_AT && f->own) memcpy(f->own, p, offsetof(memory, stop)); }

void epi_on_event(epi_flow *f, void (*see)(void *data, const epi_event *), void *data)
{
  memory k = {.see = see, .data = data};
  if (!f->broken) epi_visit(f, hand_see, &k);
}

static void add_events(epi_flow *f, void *p) { if (f->record == &epi_AT && f->keep) *(long *)p += (long)f->keep[COUNT]; }
long epi_events(const epi_flow *f) { long n = 0; if (!f->broken) epi_visit((epi_flow *)f, add_events, &n); return n; }

typedef struct { int left; const char *found; } name_search;
static void find_name(epi_flow *f, void *p)
{
  name_search *n = p;
  if (f->record == &epi_AT && f->own && n->left-- == 0) n->found = ((const memory *)f->own)->name;
}
const char *epi_event_name(const epi_flow *f, int i)
{
  name_search n = {.left = i};
  if (!f->broken) epi_visit((epi_flow *)f, find_name, &n);
  return n.found;
}

/* ---- building ---- */
static int unsound(const epi_flow *f, const epi_state *s) { (void)s; return !epi_is_count(f->keep[COUNT]) || !isfinite(f->keep[SIDE]); }

static void build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  double of = f->arg[OF].number;
  int N = epi_dim(f->sys);
  char room[EPI_WORD_SIZE];
  f->claims = (a->claims & (EPI_BACKWARD | EPI_CLOCK | EPI_EXPLICIT)) | EPI_WATCHES;
  f->estimate = 0;
  f->lands = f->tells = 1;
  f->hears = hears;
  epi_refuse(f, !(a->claims & EPI_CLOCK), "at needs a flow that moves time; %s does not", a->record->name);
  epi_refuse(f, (a->claims & EPI_WATCHES) && a->record != &epi_AT,
             "at tries steps, and a watch inside would see the trials: put watch around at");
  epi_refuse(f, !(of >= 0 && of < N), "at: there is no coordinate %g: the state has %d", of, N);
  if (f->broken) return;
  memory *k = f->own = calloc(1, sizeof *k);
  if (epi_refuse_memory(f, !k)) return;
  snprintf(k->name, sizeof k->name, "%s", f->arg[GAP].name.gap ? f->arg[GAP].word : epi_coordinate(f->sys, (int)of, room, sizeof room));
  epi_listen(f);
  epi_want_dense(a);
  k->judges = can_be_judged(f);
  if (epi_blocks(f, NKEEP, 4*N + epi_inside_room(a) + N + f->sys->nc + f->below + EPI_COURSE_STATES*N*k->judges)) return;
  f->unsound = unsound;
  f->go = at;
}

static const char *const directions[] = {"any", "up", "down", NULL};
static const epi_param params[] = {
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
  .name = "at",
  .doc = "finds where a function of the state is zero, also twice in a step and in the steps inside one, by stepping again; works on any "
         "flow",
  .cite = "Dowell & Jarratt, BIT 11 (1971) 168 (Illinois)", .example = "at(verlet, of=0, direction=down, stop=1)",
  .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = params, .build = build,
  .facets = &(const epi_facets){.form = EPI_FORM_EVENT, .traits = EPI_OBSERVER},
};
