/* own.c - whole steps in a time of its own, and answers at physical times between them */
#include "own.h"
#include "two.h"

const char *const epi_clock_words[] = {"physical", "own", NULL};

/* kept first: whether a run is under way, its eps, the direction of time; whether the extras stand where those before them did at first */
enum { BEGAN, EPS, SIGN, TRADED, HEAD };
enum { MOST = 1000000 };              /* steps of own time in one of physical time: more is a mistake */
enum { FEW = 32 };
enum { TIME = EPI_OWN_TIME, REST = EPI_OWN_REST, THETA = EPI_OWN_THETA, CLOCKS = EPI_OWN_CLOCKS };

/* kept: what was answered last, the extras; the true states before and after the answer, with the extras and the kid's memory before it */
typedef struct { double *head, *out, *extra, *a, *a_extra, *a_kid, *b, *trial, *work; long N, extras; } own_memory;

static long extras_of(const epi_flow *f) { return (f->nkeep - HEAD - 3*(CLOCKS + epi_dim(f->sys)) - f->below)/2; }

static void trade_extras(own_memory *k)
{
  double *x = k->extra;
  k->extra = k->a_extra;
  k->a_extra = x;
}

static own_memory memory_of(const epi_flow *f)
{
  own_memory k = {.head = f->keep, .N = epi_dim(f->sys), .extras = extras_of(f)};
  k.out = k.head + HEAD;
  k.extra = k.out + CLOCKS + k.N;
  k.a = k.extra + k.extras;
  k.a_extra = k.a + CLOCKS + k.N;
  k.a_kid = k.a_extra + k.extras;
  k.b = k.a_kid + f->below;
  k.trial = f->work;
  k.work = k.trial + k.extras + f->below;
  if (k.head[TRADED] > 0) trade_extras(&k);
  return k;
}

double *epi_own_work(const epi_flow *f) { return f->work + extras_of(f) + f->below; }
double epi_own_eps(const epi_flow *f) { return f->keep[EPS]; }
double epi_own_sign(const epi_flow *f) { return f->keep[SIGN]; }
double *epi_own_extra(const epi_flow *f)
{
  const long state = CLOCKS + epi_dim(f->sys);
  return f->keep + HEAD + state + (f->keep[TRADED] > 0 ? extras_of(f) + state : 0);
}

static const epi_own *own_of(const epi_flow *f) { return f->own; }
/* the kid goes back to what it knew where a step began */
static int kid_goes_back(const epi_flow *f) { return f->below && !own_of(f)->kid_stays; }
static int on_own_clock(const epi_flow *f) { return own_of(f)->time_rate && epi_arg(f, "clock")->number == EPI_OWN_CLOCK; }

static void put(double *to, const epi_state *s, long N)
{
  epi_own_put_clock(to, s);
  if (to + CLOCKS != s->y) memcpy(to + CLOCKS, s->y, (size_t)N*sizeof *to);
}

static void take(epi_state *s, const double *from, long N)
{
  epi_set_clock(s, (epi_tick){from[TIME], from[REST], from[THETA]});
  if (from + CLOCKS != s->y) memcpy(s->y, from + CLOCKS, (size_t)N*sizeof *from);
}

static double ahead(const double *a, epi_tick end) { return epi_own_ahead(a, end); }

/* the state comes back at the time where it was left; the end of a run may have rounded that */
static int in_time(const own_memory *k, const epi_state *s) { return k->head[BEGAN] && fabs(s->t - k->out[TIME]) <= 1e-15*fabs(s->t); }

static int goes_on(const own_memory *k, const epi_state *s)
{
  return in_time(k, s) && !memcmp(k->out + CLOCKS, s->y, (size_t)k->N*sizeof *s->y);
}

/* ---- velocities turned round by the user: the run goes back on its own tracks ---- */
static int is_mirrored(const epi_flow *f, const own_memory *k, const epi_state *s)
{
  const epi_system *m = f->sys;
  const double *left = k->out + CLOCKS;
  int nq = m->nq, nv = epi_nv(m), moving = 0;
  if (!in_time(k, s) || m->nz || epi_all_rate(m) || !(f->claims & EPI_REVERSIBLE) || memcmp(left, s->y, (size_t)nq*sizeof *left)) return 0;
  for (int i = nq; i < nq + nv; i++) { if (left[i] != -s->y[i]) return 0; moving |= left[i] != 0; }
  return moving;
}

static void mirror_state(const epi_flow *f, double *a, const double *now)
{
  int nq = f->sys->nq, nv = epi_nv(f->sys);
  /* as far ahead as it was behind */
  a[TIME] = now[TIME] + (now[TIME] - a[TIME]);
  a[REST] = 2*now[REST] - a[REST];
  for (int i = nq; i < nq + nv; i++) a[CLOCKS + i] = -a[CLOCKS + i];
}

static void turn_round(epi_flow *, const own_memory *);
static void mirror(epi_flow *f, const own_memory *k, const epi_state *s)
{
  put(k->out, s, k->N);
  if (own_of(f)->mirror) { own_of(f)->mirror(f, k->extra); own_of(f)->mirror(f, k->a_extra); }
  if (on_own_clock(f)) return;
  mirror_state(f, k->a, k->out);
  mirror_state(f, k->b, k->out);
  turn_round(f, k);
  k->head[SIGN] = -k->head[SIGN];
}

static int begin(epi_flow *f, epi_state *s, const own_memory *k, double h)
{
  const epi_own *own = own_of(f);
  double rate = 1, eps = own->time_rate ? epi_arg(f, "eps")->number : 1;
  int bad, own_clock = on_own_clock(f);
  if (own_clock) k->head[EPS] = fabs(h);
  if (goes_on(k, s) && !(own->onward && h*k->head[SIGN] < 0)) return 0;
  if (is_mirrored(f, k, s)) { mirror(f, k, s); return 0; }
  /* a new run finds its own eps; one that an event or the user changed on its way keeps it */
  if (!own_clock) k->head[EPS] = eps > 0 ? eps : in_time(k, s) ? k->head[EPS] : 0;
  int found = k->head[EPS] > 0;
  if (!found) k->head[EPS] = fabs(h);
  k->head[SIGN] = h < 0 ? -1 : 1;
  if ((bad = own->begin(f, s, k->extra))) return bad;
  /* an objective may itself depend on eps */
  for (int it = 0; !found && it < 60; it++) {
    if ((bad = own->time_rate(f, s, k->extra, &rate))) return bad;
    double next = fabs(h)/rate;
    found = fabs(next - k->head[EPS]) <= 1e-13*next;
    k->head[EPS] = next;
    if ((bad = own->begin(f, s, k->extra))) return bad;
  }
  if (!found)
    return epi_fail(f, EPI_WRONG, "%s finds no eps for a first step of %g: give eps, or limit= where a contact is the objective",
                    f->record->name, h);
  k->head[BEGAN] = 1;
  put(k->out, s, k->N);
  put(k->a, s, k->N);
  put(k->b, s, k->N);
  memcpy(k->a_extra, k->extra, (size_t)k->extras*sizeof *k->extra);
  if (f->nkid) epi_keep_out(f->kid[0], k->a_kid);
  return 0;
}

/* ---- clock=own: a step is one whole step ---- */
static int own_steps(epi_flow *f, epi_state *s, double h, long n)
{
  own_memory k = memory_of(f);
  int bad = begin(f, s, &k, h);
  for (; n > 0 && !bad; n--) {
    double t = s->t, rest = s->key.rest;
    bad = own_of(f)->whole(f, s, k.extra, h);
    epi_chose(f, (s->t - t) + (s->key.rest - rest));
  }
  put(k.out, s, k.N);
  return bad;
}

/* ---- clock=physical ---- */
static void swap(double *a, double *b, long n)
{
  for (long i = 0; i < n; i++) { double x = a[i]; a[i] = b[i]; b[i] = x; }
}

static void trade_kid(epi_flow *f, const own_memory *k)
{
  if (!f->below) return;
  epi_keep_out(f->kid[0], k->trial + k->extras);
  epi_keep_in(f->kid[0], k->a_kid);
  memcpy(k->a_kid, k->trial + k->extras, (size_t)f->below*sizeof *k->a_kid);
}

/* time turns: what was behind is ahead */
static void turn_round(epi_flow *f, const own_memory *k)
{
  swap(k->a, k->b, CLOCKS + k->N);
  swap(k->a_extra, k->extra, k->extras);
  trade_kid(f, k);
  k->head[SIGN] = -k->head[SIGN];
}

static void trade(own_memory *k)
{
  trade_extras(k);
  k->head[TRADED] = 1 - k->head[TRADED];
}

/* the extras after a whole step take the place of those before it: copied first, or put beside them by a step that leaves them alone */
static int whole_from(epi_flow *f, epi_state *b, own_memory *k, double e)
{
  epi_own *own = f->own;
  if (!own->beside) {
    memcpy(k->a_extra, k->extra, (size_t)k->extras*sizeof *k->a);
    return own->whole(f, b, k->extra, e);
  }
  own->before = k->extra;
  own->from = k->a + CLOCKS;
  trade(k);
  return own->whole(f, b, k->extra, e);
}

/* all is as it was */
static void back_from(epi_flow *f, epi_state *b, own_memory *k)
{
  take(b, k->a, k->N);
  epi_cache_invalidate(b);
  if (kid_goes_back(f)) epi_keep_in(f->kid[0], k->a_kid);
  if (own_of(f)->beside) trade(k);
  memcpy(own_of(f)->beside ? k->a_extra : k->extra, own_of(f)->beside ? k->extra : k->a_extra, (size_t)k->extras*sizeof *k->a);
}

/* of a few no call is made for it */
static inline void copy(double *to, const double *from, long n)
{
  if (n > FEW) { memcpy(to, from, (size_t)n*sizeof *to); return; }
  for (long i = 0; i + 1 < n; i += 2) epi_put_two(to + i, epi_two_at(from + i));
  to[n - 1] = from[n - 1];
}

int epi_own_stands(epi_flow *f, double t, double moved)
{
  return epi_fail(f, EPI_TOO_FAR,
                  "%s: its step at t = %.10g is %g and does not move time on: look at the objective there, or take a smaller eps",
                  f->record->name, t, moved);
}

/* a whole step from the true state after, which becomes the one before, or no step */
static int onward(epi_flow *f, epi_state *b, own_memory *k)
{
  double e = k->head[SIGN]*k->head[EPS];
  if (epi_stopping(f)) return EPI_INTERRUPTED;
  copy(k->a, k->b, CLOCKS + k->N);
  if (kid_goes_back(f)) epi_keep_out(f->kid[0], k->a_kid);
  int bad = whole_from(f, b, k, e);
  double moved = epi_own_moved(b, k->a);
  if (!bad && !(moved*e > 0) && moved == moved) bad = epi_own_stands(f, k->a[TIME], moved);
  if (bad) { back_from(f, b, k); return bad; }
  epi_chose(f, moved);
  /* y is there */
  epi_own_put_clock(k->b, b);
  return 0;
}

/* as many as there are up to the end, where nobody looks on; each kept state ends where it belongs */
static int onward_past(epi_flow *f, epi_state *b, own_memory *k)
{
  epi_own_sides z = {.a = k->a, .a_extra = k->a_extra, .b = k->b, .b_extra = k->extra};
  int bad = own_of(f)->past(f, b, &z, k->head[SIGN]*k->head[EPS]);
  if (bad) epi_own_trade(&z);
  if (z.trades & 1) { trade(k); swap(k->a, k->b, CLOCKS + k->N); }
  b->y = k->b + CLOCKS;
  if (!bad) return 0;
  take(b, k->b, k->N);
  epi_cache_invalidate(b);
  memcpy(k->a, k->b, (size_t)(CLOCKS + k->N)*sizeof *k->a);
  memcpy(k->a_extra, k->extra, (size_t)k->extras*sizeof *k->extra);
  return bad;
}

/* shorter steps of own time until one ends where it should: false position (Illinois), which keeps its bracket */
static int fit(epi_flow *f, epi_state *s, const own_memory *k, epi_tick end)
{
  double lo = 0, hi = k->head[SIGN]*k->head[EPS], at_lo = -ahead(k->a, end), at_hi = -ahead(k->b, end), whole = fabs(at_hi - at_lo);
  for (int it = 0, side = 0; it < 100; it++) {
    double x = lo + (hi - lo)*at_lo/(at_lo - at_hi);
    take(s, k->a, k->N);
    epi_cache_invalidate(s);
    memcpy(k->trial, k->a_extra, (size_t)k->extras*sizeof *k->trial);
    int bad = own_of(f)->whole(f, s, k->trial, x);
    if (bad) return bad;
    double at = (s->t - end.t) + (s->key.rest - end.rest);
    if (!(fabs(at) > 1e-15*whole) || fabs(hi - lo) <= 1e-15*fabs(k->head[EPS])) break;
    if (at*at_lo > 0) { lo = x; at_lo = at; if (side < 0) at_hi *= 0.5; side = -1; }
    else { hi = x; at_hi = at; if (side > 0) at_lo *= 0.5; side = 1; }
  }
  return 0;
}

int epi_own_by_kid(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  epi_land(s, end);
  return epi_go(f->kid[0], s, h, 1);
}

/* the state at `end`, which lies between the true states; nothing of it is kept */
static int reach(epi_flow *f, epi_state *s, const own_memory *k, epi_tick end)
{
  double before = ahead(k->a, end), after = ahead(k->b, end), *impulse = s->impulse;
  /* from the nearer side, so that the answer has no jump at a true state */
  int near_b = own_of(f)->part && !own_of(f)->onward && f->claims & EPI_BACKWARD && fabs(after) < fabs(before), bad = 0;
  take(s, near_b || after == 0 ? k->b : k->a, k->N);
  if (before != 0 && after != 0) {
    epi_cache_invalidate(s);
    s->impulse = NULL;
    s->key.trial++;
    if (f->below) epi_keep_out(f->kid[0], k->trial + k->extras);
    if (kid_goes_back(f) && !near_b) epi_keep_in(f->kid[0], k->a_kid);
    bad = own_of(f)->part ? own_of(f)->part(f, s, near_b ? after : before, end) : fit(f, s, k, end);
    if (f->below) epi_keep_in(f->kid[0], k->trial + k->extras);
    s->key.trial--;
    s->impulse = impulse;
    s->key.landing = 0;
  }
  if (!bad) epi_set_clock(s, end);
  return bad;
}

static int answer(epi_flow *f, epi_state *s, const own_memory *k, epi_tick end)
{
  int bad = reach(f, s, k, end);
  if (bad) { take(s, k->out, k->N); return bad; }
  put(k->out, s, k->N);
  epi_moved(f, s);
  return 0;
}

/* 1: t does not lie between the true states */
static int between(epi_flow *f, double t, double *y)
{
  own_memory k = memory_of(f);
  epi_tick end = {.t = t, .theta = epi_phase_at(f->sys, k.a[TIME], k.a[THETA], t - k.a[TIME])};
  epi_state s = {.y = y};
  if (!k.head[BEGAN] || ahead(k.a, end)*ahead(k.b, end) > 0) return 1;
  return reach(f, &s, &k, end);
}

/* after a whole step: its end, and rows in it that are not behind the end of the run, for which s is lent */
static int show(epi_flow *f, const epi_state *b, epi_state *s, const own_memory *k, epi_tick end)
{
  epi_own_witness *w = own_of(f)->witness;
  int bad = w->step ? w->step(w->data, b) : 0;
  for (; w->next < w->n && !bad; w->next++) {
    double t = w->t[w->next];
    epi_tick at = {.t = t};
    if (ahead(k->b, at)*k->head[SIGN] > 0 || (end.t - t)*k->head[SIGN] < 0) break;
    at.theta = epi_phase_at(f->sys, k->a[TIME], k->a[THETA], t - k->a[TIME]);
    if (!(bad = reach(f, s, k, at))) bad = w->row(w->data, w->next, s);
  }
  return bad;
}

/* ---- who listens is told of the true steps, the first and the last cut at the times asked for ---- */
typedef struct { epi_mark mark; double *y; } piece;

static void begin_piece(piece *p, const epi_state *s, long N)
{
  p->mark = epi_mark_of(s);
  memcpy(p->y, s->y, (size_t)N*sizeof *p->y);
}

/* an event ends it: what was answered last is the state there, without what the event did to it */
static int tell_piece(epi_flow *f, epi_state *s, const own_memory *k, const piece *p)
{
  epi_start start = {.mark = p->mark, .y = p->y};
  int bad = s->t == p->mark.t ? 0 : epi_tell(f, f, s, &start);
  if (bad && bad != EPI_CUT) put(k->out, s, k->N);
  if (bad != EPI_CUT) return bad;
  if (!between(f, s->t, k->out + CLOCKS)) { k->out[TIME] = s->t; k->out[REST] = s->key.rest; k->out[THETA] = s->theta; }
  return bad;
}

static int endless(epi_flow *f, const own_memory *k, double h)
{
  return epi_fail(f, EPI_TOO_FAR, "%s: %d of its steps, now of %g, have not covered the step h = %g at t = %.10g: look at the objective or "
                  "the potential there, or take a larger eps or a shorter h", f->record->name, MOST, f->shortest, h, k->b[TIME]);
}

static int physical_steps(epi_flow *f, epi_state *s, double h, long n)
{
  own_memory k = memory_of(f);
  int bad = begin(f, s, &k, h);
  if (bad) return bad;
  if (h*k.head[SIGN] < 0) turn_round(f, &k);
  epi_state b = *s;
  b.y = k.b + CLOCKS;
  b.key.landing = 0;
  take(&b, k.b, k.N);
  epi_cache_invalidate(&b);
  piece p = {.y = f->work + f->nwork - k.N};
  const int alone = own_of(f)->past && !f->listener && !own_of(f)->witness;
  if (f->listener) begin_piece(&p, s, k.N);
  for (; n > 0; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    long steps = 0;
    ((epi_own *)f->own)->end = end;
    while (ahead(k.b, end)*h > 0 && !bad) {
      if (f->listener && (k.b[TIME] - p.mark.t)*h > 0) {
        take(s, k.b, k.N);
        if ((bad = tell_piece(f, s, &k, &p))) { epi_cache_invalidate(s); return bad; }
        begin_piece(&p, s, k.N);
        epi_cache_invalidate(&b);
      }
      if (alone) bad = onward_past(f, &b, &k);
      else bad = own_of(f)->onward || steps++ < MOST ? onward(f, &b, &k) : endless(f, &k, h);
      if (!bad && own_of(f)->witness) bad = show(f, &b, s, &k, end);
    }
    /* the last whole step stands, when it is ahead of what was answered */
    if (bad && ahead(k.out, (epi_tick){k.b[TIME], k.b[REST], 0})*h > 0) { take(s, k.b, k.N); put(k.out, s, k.N); }
    else if (bad) take(s, k.out, k.N);
    if (bad || (bad = answer(f, s, &k, end))) break;
    if (!f->listener) continue;
    if ((bad = tell_piece(f, s, &k, &p))) break;
    begin_piece(&p, s, k.N);
    epi_cache_invalidate(&b);
  }
  epi_cache_invalidate(s);
  return bad;
}

/* the outermost node that steps in a time of its own */
static const epi_flow *own_node(const epi_flow *f)
{
  while (f && !f->own_time && f->nkid) f = f->kid[0];
  return f && !f->broken && f->own_time ? f : NULL;
}

int epi_extra_state(const epi_flow *f, double *out, int n)
{
  if (!(f = own_node(f))) return 0;
  own_memory k = memory_of(f);
  if (n > 0) memcpy(out, k.extra, (size_t)(n < k.extras ? n : k.extras)*sizeof *out);
  return (int)k.extras;
}

const char *epi_extra_state_name(const epi_flow *f, int i)
{
  if (!(f = own_node(f)) || i < 0 || i >= extras_of(f)) return NULL;
  const char *const *names = own_of(f)->names, *const *last = own_of(f)->last_names;
  int n = 0;
  for (int k = 0; names && names[k]; k++) if (k == i) return names[k];
  while (last && last[n]) n++;
  long from_end = extras_of(f) - i;
  return from_end <= n ? last[n - from_end] : "copy of the state";
}

static int unsound(const epi_flow *f, const epi_state *s)
{
  own_memory k = memory_of(f);
  (void)s;
  for (long i = 0; i < f->nkeep; i++) if (isnan(f->keep[i])) return 1;
  if (!k.head[BEGAN]) return 0;
  for (int i = 0; i < CLOCKS; i++) if (!isfinite(k.out[i]) || !isfinite(k.a[i]) || !isfinite(k.b[i])) return 1;
  epi_state before = {.t = k.a[TIME], .theta = k.a[THETA], .y = k.a + CLOCKS, .key = {.rest = k.a[REST]}};
  if (f->below && epi_unsound_at(f->kid[0], k.a_kid, &before, k.trial)) return 1;
  if (own_of(f)->unsound && (own_of(f)->unsound(f, k.extra) || own_of(f)->unsound(f, k.a_extra))) return 1;
  if (k.head[TRADED] != 0 && k.head[TRADED] != 1) return 1;
  return k.head[BEGAN] != 1 || fabs(k.head[SIGN]) != 1 || !(k.head[EPS] > 0) || !isfinite(k.head[EPS]);
}

int epi_own_build(epi_flow *f, long extras, long work)
{
  const epi_value *eps = own_of(f)->time_rate ? epi_arg(f, "eps") : NULL;
  int own_clock = on_own_clock(f);
  long N = epi_dim(f->sys);
  epi_refuse(f, eps && eps->given && own_clock, "%s: with clock=own the step itself is eps: leave eps out", f->record->name);
  if (f->broken || epi_blocks(f, HEAD + 3*(CLOCKS + N) + 2*extras + f->below, extras + f->below + work + N)) return -1;
  f->own_time = f->lands = 1;
  f->tells = !own_clock;
  if (!own_clock) f->between = between;
  f->estimate = 0;
  f->safe = !own_clock;
  f->claims |= EPI_CLOCK;
  if (own_clock) f->claims &= ~(unsigned)EPI_CLOCK;
  f->unsound = unsound;
  f->go = own_clock ? own_steps : physical_steps;
  return 0;
}
