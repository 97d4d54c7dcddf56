/* companion.c - the error of a run by a companion: the same method takes two or three steps of the run as one. By its order the companion
 * is off by many times as much as the run, and their distance tells the error for a part of what the run itself costs (Shampine & Watts,
 * ACM Trans. Math. Softw. 2 (1976) 172). Two engines: a flow that chooses its steps, and sums over many turns, whose steps are periods and
 * each of whose periods begins with what the run knows of the same one. Where that cannot be relied upon there is no estimate: a force that
 * may have a kink, of which both know as little, a distance that is not small, a tolerance near rounding */
#include "search.h"
#include "method/crossing.h"

enum { MOST = 3, LOOKS = CHECKS/4 };    /* steps that are taken as one, at most; rows after which a run of sums may be given up */

typedef struct companion companion;
typedef struct {
  void (*attach)(companion *);
  double (*told)(companion *);          /* the error of the run so far, in units below; NaN: it cannot be told */
  int (*ends)(companion *, int rows);   /* whether the run is given up, at a row behind the last one of these */
  void (*last)(companion *);            /* before the evaluations are counted; or NULL */
  void (*finish)(companion *, const epi_state *);
} engine;

struct companion {
  epi_search *a;
  const char *text;
  const engine *by;
  epi_flow *f, *own;                    /* of the run, and of the companion where that has another */
  epi_attempt x;
  epi_estimate *to;
  epi_state s;                          /* of the companion */
  double *y;                            /* rows of the run */
  double *most, *when, *reach;          /* how far it was from the run in each coordinate, at most, and when that was; the largest that each
                                           was inside a turn, or NULL */
  double unit, allowed;                 /* of what is told, and beyond which a run is given up */
  double h[MOST];                       /* steps of the run that wait */
  double fine, coarse;                  /* what the local errors of both add up to, in those of a full step */
  long steps, merged, calls;            /* of the run; those of the companion; evaluations by f that are the companion's */
  int n, rows, mark, lost;              /* steps that wait; of the CHECKS that are kept, and where it is moved away next; there is no
                                           estimate */
  /* of steps: how many are one; the tolerance of one; where the run is, and its last step */
  int together;
  double r, t, before;
  /* of sums: the state of the run where the two were compared last, room inside a turn, what the companion remembers */
  epi_state run;
  epi_own_witness witness;
  double *swing, *memory;
  double began, added;                  /* tolerances that the first steps may be off by; for which it was moved away */
  double limit, eighth;                 /* evaluations beyond which nothing is gained; those of an eighth of the run */
  int look, singles, stride, apart;     /* row where turns are looked into; single turns in a row, for so many of which it takes one of its
                                           own; it has left the run */
};

/* ---- what both engines share ---- */
/* with the sizes that are known so far */
static double distance(companion *c)
{
  epi_search *a = c->a;
  double most = 0;
  for (int k = c->rows; k < CHECKS; k++) memcpy(c->y + k*a->n, c->y + (c->rows - 1)*a->n, (size_t)a->n*sizeof *c->y);
  epi_measure_sizes(a, c->y);
  for (int i = 0; i < a->n; i++) {
    const double size = c->reach ? fmax(a->size[i], c->reach[i]) : a->size[i];
    if (!(c->most[i]/size <= most)) { most = c->most[i]/size; a->to->at = c->when[i]; }
  }
  return most;
}

/* after a quarter of the run: errors grow about as the time does, some less. 1: this will not be right */
static int hopeless(companion *c)
{
  double will = c->rows < CHECKS/4 ? NAN : c->by->told(c)*fmax(1, 0.7*CHECKS/c->rows);
  if (!(will > c->allowed)) return 0;
  c->to->told = will*c->unit;
  return 1;
}

static void note(companion *c, int i, double e, double t)
{
  if (e <= c->most[i]) return;
  c->most[i] = e;
  c->when[i] = t;
}

static double together(const companion *c, double *longest)
{
  double H = *longest = 0;
  for (int i = 0; i < c->n; i++) { H += c->h[i]; *longest = fmax(*longest, c->h[i]); }
  return H;
}

/* the steps that wait were taken as one, of this order */
static void add_errors(companion *c, int order)
{
  double longest, H = together(c, &longest);
  for (int i = 0; i < c->n; i++) c->fine += epi_power(c->h[i]/longest, order);
  c->coarse += epi_power(H/longest, order);
  c->merged++;
}

/* rows that a step has reached; 1: the run ends here */
static int see_rows(companion *c, const epi_state *s)
{
  const epi_search *a = c->a;
  const double t0 = a->c->t, span = a->to->end - t0;
  const int rows = c->rows;
  for (; c->rows < CHECKS && s->t >= t0 + span*(c->rows + 1)/CHECKS; c->rows++)
    memcpy(c->y + c->rows*a->n, s->y, (size_t)a->n*sizeof *s->y);
  if (c->rows == rows) return 0;
  epi_attempt_show(&c->x, 1, (double)c->rows/CHECKS);
  return c->to->ended = c->by->ends(c, rows);
}

static void run(companion *c)
{
  epi_search *a = c->a;
  epi_attempt *x = &c->x;
  epi_attempt_begin(x, a, c->f, c->text);
  c->by->attach(c);
  epi_attempt_show(x, 1, 0);
  epi_attempt_go(x, a->to->end, a->to->end - x->s.t);
  if (!x->bad && !c->to->ended && c->by->last) c->by->last(c);
  const long all = epi_attempt_calls(x);
  epi_attempt_count(x);
  a->seconds = x->seconds*(double)(all - c->calls)/(double)all;
  if (c->own) epi_note_steps(a, c->f);
  if (c->to->ended || !x->bad) c->to->calls = (double)(all - c->calls);
  else epi_try_failed(a->to, c->f, x->bad, &c->to->why);
  if (c->to->dear && epi_warning(c->f, 0)) epi_fault_write(&c->to->why, EPI_DEAR, "%s", epi_warning(c->f, 0));
  if (!x->bad && !c->to->ended) c->by->finish(c, &x->s);
}

/* ---- steps ---- */
/* with care: half more than the distance says at least. In a motion that is driven, and turns over now and then, few steps make the error
   of all, and those of the companion may cancel */
static double care(const epi_search *a) { return a->to->turns > 0 ? 4 : 1.5; }

/* in tolerances */
static double told_of_steps(companion *c)
{
  const double d = c->lost || !c->merged ? NAN : distance(c), e = care(c->a)*d/(c->coarse/c->fine - 1)/c->a->to->tol;
  c->to->apart = d;
  /* of few steps, as many as there will be */
  return d <= SMALL || e > 1 ? e*(1 + pow(FEW_STEPS*c->rows/CHECKS/(double)c->steps, 2)) : NAN;
}

/* those that wait as one step, which ends where the run is */
static void merge_steps(companion *c, const epi_state *s)
{
  const epi_tick end = {s->t, s->key.rest, s->theta};
  double longest;
  epi_land(&c->s, end);
  if (epi_go(c->own, &c->s, together(c, &longest), 1)) { c->lost = 1; return; }
  epi_set_clock(&c->s, end);
  add_errors(c, c->own->order + 1);
  c->n = 0;
  for (int i = 0; i < c->a->n; i++) note(c, i, fabs(c->s.y[i] - s->y[i]), s->t);
}

/* of a motion that is driven, what steps leave may cancel in the companion and grow later, as of a pendulum that nearly stands: soon after
   the start, where a quarter and where a half of the run are over it is moved away by as much as one step of the run is allowed */
static void move_away_steps(companion *c, const epi_state *s)
{
  const epi_search *a = c->a;
  double by = c->r*(c->coarse/c->fine - 1), side = 0;
  if (!(a->to->turns > 0) || c->lost || c->n || c->rows < c->mark || c->mark > CHECKS/2) return;
  distance(c);
  for (int i = 0; i < a->n; i++) side += (c->s.y[i] - s->y[i])/a->size[i];
  for (int i = 0; i < a->n; i++) c->s.y[i] += (side < 0 ? -by : by)*a->size[i];
  epi_cache_invalidate(&c->s);
  c->mark = c->mark < CHECKS/4 ? CHECKS/4 : c->mark + CHECKS/4;
}

/* a step of the run; 1: it ends here. Steps that shrink at once are looked for all the same; the last one, which ends where the run does,
   may be short */
static int see_step(void *data, const epi_system *m, epi_state *s)
{
  companion *c = data;
  const double h = s->t - c->t;
  (void)m;
  if (h < 0.25*c->before && s->t != c->a->to->end) return c->to->rough = c->to->ended = 1;
  c->t = s->t;
  c->before = h;
  c->steps++;
  if (!c->lost) {
    c->h[c->n++] = h;
    if (c->n == c->together) merge_steps(c, s);
    move_away_steps(c, s);
  }
  return see_rows(c, s);
}

static void attach_steps(companion *c) { c->t = c->x.s.t; }

static int ends_steps(companion *c, int rows)
{
  (void)rows;
  return c->rows < CHECKS && (hopeless(c) || epi_too_dear(c->a, (double)(epi_calls(c->f) + epi_calls(c->own))));
}

static void finish_steps(companion *c, const epi_state *s)
{
  const epi_search *a = c->a;
  memcpy(c->y + (CHECKS - 1)*a->n, s->y, (size_t)a->n*sizeof *s->y);
  c->rows = CHECKS;
  const double e = told_of_steps(c);
  /* two that do not differ at all may both have gone over something */
  if (e > 1e-5) c->to->told = a->to->tol*fmax(LEAST_TOLD, e);
}

static const engine of_steps = {attach_steps, told_of_steps, ends_steps, NULL, finish_steps};

double epi_companion_tolerance(const epi_search *a, double r)
{
  double more = 12*FEW_STEPS/fmax(12, a->steady);
  r *= 1.5/care(a);
  /* the parts that were tried end in short ones: there will be fewer */
  return more > 0.35 ? r*fmax(0.05, 1/(1 + 2*more*more)) : r;
}

int epi_companion_applies(const epi_search *a, const epi_variant *s)
{
  const epi_system *m = &a->c->system;
  return m->traits.smooth && s->r >= NEAR_ROUNDING && s->way == EPI_DIRECT && !a->c->world && !m->contacts.impulsive &&
    !m->traits.irreversible && !m->nc;
}

epi_estimate epi_companion_steps(epi_search *a, const epi_variant *s)
{
  epi_estimate to = {.calls = NAN, .told = NAN};
  char text[sizeof a->to->flow];
  epi_variant watched = *s;
  double *room = calloc(3*(size_t)a->n, sizeof *room);
  a->rows = CHECKS;
  companion c = {.a = a, .text = text, .by = &of_steps, .to = &to, .y = a->y[0], .together = 2, .mark = 1, .r = s->r, .allowed = 1,
                 .unit = a->to->tol};
  /* three at a time where the steps are short enough for the method to be of its order then */
  if (a->to->tol <= 3e-5 && s->r <= 3e-7) c.together = 3;
  epi_variant_write(a, s, text, sizeof text);
  watched.watch = ", see=step";
  c.f = room ? epi_try_variant(a, &watched, (epi_name){.name = "step", .see = see_step, .data = &c}) : NULL;
  if (c.f) {
    c.own = epi_case_flow(a->c, epi_candidates[s->way].inner);
    c.s = epi_case_state(a->c);
    c.s.y = memcpy(room, c.s.y, (size_t)a->n*sizeof *room);
    c.most = room + a->n;
    c.when = c.most + a->n;
    if (epi_error(c.own)) epi_try_failed(a->to, c.own, EPI_WRONG, &to.why);
    else run(&c);
    a->to->spent += epi_calls(c.own);
  } else {
    epi_fault_write(&to.why, EPI_MEMORY, "out of memory");
    epi_choose_fault(a->to, &to.why);
  }
  epi_free(c.own);
  epi_free(c.f);
  free(room);
  return to;
}

/* ---- sums over turns ---- */
/* how many times as far off as the run the companion is */
static double ratio_of(const companion *c) { return c->merged ? c->coarse/c->fine - 1 : FEWER_NODES; }

static double told_of_sums(companion *c)
{
  double d = c->lost || !c->apart || !c->rows ? NAN : distance(c), few = fmax(1, FEW_SUMS*c->rows/CHECKS/(int)c->steps);
  double e = d/ratio_of(c)*few*few;
  return d <= SMALL || e > c->a->to->tol ? e : NAN;
}

/* inside a turn the two may be further apart than where it begins: what forces do in it depends on where they find the state */
static void look_inside(companion *c)
{
  const epi_state *s = &c->run;
  const long before = epi_calls(c->f);
  int n = c->a->n;
  double *one = c->swing, *two = one + EPI_SWING_PHASES*n;
  c->look = CHECKS;
  c->lost = epi_companion_of(c->f)->swing(c->f, s, one) || epi_companion_of(c->f)->swing(c->f, &c->s, two);
  c->calls += epi_calls(c->f) - before;
  if (c->lost) return;
  for (int j = 0; j < EPI_SWING_PHASES*n; j++) {
    int i = j % n;
    note(c, i, fabs(c->s.y[i] - s->y[i] + two[j] - one[j]), s->t);
    c->reach[i] = fmax(c->reach[i], fabs(s->y[i] + one[j]));
  }
}

static void compare(companion *c, const epi_state *s)
{
  c->apart = 1;
  for (int i = 0; i < c->a->n; i++) note(c, i, fabs(c->s.y[i] - s->y[i]), s->t);
  memcpy(c->run.y, s->y, (size_t)c->a->n*sizeof *s->y);
  epi_set_clock(&c->run, (epi_tick){s->t, s->key.rest, s->theta});
  if (c->rows >= c->look) look_inside(c);
}

static void displace(companion *c, const epi_state *s, double tolerances)
{
  c->lost = epi_companion_of(c->f)->aside(c->f, s, &c->s, c->memory, tolerances) != 0;
}

/* what steps leave may cancel in one of the two and grow later: where a quarter and a half of the run are over the companion is moved away
   by what it would be if it did not */
static void move_away_sums(companion *c, const epi_state *s)
{
  double off = epi_companion_of(c->f)->off(c->f);
  if (c->lost || c->rows < c->mark || c->mark > CHECKS/2) return;
  displace(c, s, 0.4*(off - c->added)*ratio_of(c));
  c->added = off;
  c->mark += CHECKS/4;
}

/* while the run begins, with few points, the companion is as it is; then it is displaced by what those steps may be off by, which their
   distance would not show. It goes from turn to turn where the run does: as long as that is all, its periods have fewer nodes, and what is
   off is what they are */
static int goes_along(companion *c, const epi_state *s)
{
  if (!c->merged && epi_companion_of(c->f)->points(c->f, NULL) < 4) {
    epi_companion_of(c->f)->same(c->f, s, &c->s, c->memory);
    c->began = c->added = epi_companion_of(c->f)->off(c->f);
    c->n = 0;
    return 1;
  }
  if (c->n || epi_companion_of(c->f)->turns(c->f) > 1) return 0;
  long before = epi_calls(c->f);
  c->lost = epi_companion_of(c->f)->along(c->f, s, &c->s, c->memory, c->singles++ % c->stride ? 0 : c->stride, !c->merged) != 0;
  if (!c->lost && !c->apart) displace(c, s, FEWER_NODES*c->began);
  move_away_sums(c, s);
  c->calls += epi_calls(c->f) - before;
  if (!c->lost) compare(c, s);
  return 1;
}

static void merge_sums(companion *c, const epi_state *s)
{
  long before = epi_calls(c->f);
  double longest;
  if (!c->merged) displace(c, s, epi_power(2, (int)epi_companion_of(c->f)->order(c->f))*c->began);
  if (!c->lost) c->lost = epi_companion_of(c->f)->beside(c->f, s, &c->s, c->memory, together(c, &longest)) != 0;
  if (!c->lost) {
    add_errors(c, 1 + (int)fmin(epi_companion_of(c->f)->points(c->f, NULL), epi_companion_of(c->f)->points(c->f, c->memory)));
    move_away_sums(c, s);
  }
  c->n = c->singles = 0;
  c->calls += epi_calls(c->f) - before;
  if (!c->lost) compare(c, s);
}

static int is_dear(companion *c, int rows)
{
  double calls = (double)epi_attempt_calls(&c->x), all = calls;
  if (rows < CHECKS/8 && c->rows >= CHECKS/8) c->eighth = calls;
  if (rows < CHECKS/4 && c->rows >= CHECKS/4) all = epi_whole_of(c->eighth, calls);
  if (!(all > c->limit)) return 0;
  c->a->averaged = all;
  return c->to->dear = 1;
}

static int ends_sums(companion *c, int rows)
{
  return is_dear(c, rows) || (c->rows < CHECKS && rows/LOOKS < c->rows/LOOKS && hopeless(c));
}

static int see_sum(void *data, const epi_state *s)
{
  companion *c = data;
  c->steps++;
  if (!c->lost && !goes_along(c, s)) c->h[c->n++] = epi_companion_of(c->f)->turns(c->f);
  if (c->n == 2) merge_sums(c, s);
  return see_rows(c, s);
}

static void attach_sums(companion *c)
{
  c->witness = (epi_own_witness){.step = see_sum, .data = c};
  epi_companion_of(c->f)->witness(c->f, &c->witness);
}

static void last_of_sums(companion *c)
{
  if (c->apart && !c->lost) look_inside(c);
}

static void finish_sums(companion *c, const epi_state *s)
{
  epi_chosen *to = c->a->to;
  c->to->told = told_of_sums(c);
  c->to->doubts = epi_crossing_doubts(c->f->kid[0]) > EPI_CROSSING_WORTH*to->turns;
  if (to->y) memcpy(to->y, s->y, (size_t)c->a->n*sizeof *s->y);
  for (int i = 0; epi_warning(c->f, i); i++) {
    if (!i) snprintf(to->said, sizeof to->said, "%s", epi_warning(c->f, i));
    if (epi_warning_cause(c->f, i) == EPI_ROUNDING) c->to->rounded = 1;
  }
}

static const engine of_sums = {attach_sums, told_of_sums, ends_sums, last_of_sums, finish_sums};

epi_estimate epi_companion_sums(epi_search *a, const epi_variant *s, double limit)
{
  epi_estimate to = {.calls = NAN, .told = NAN};
  char text[sizeof a->to->flow];
  epi_variant_write(a, s, text, sizeof text);
  epi_flow *f = epi_case_flow(a->c, text);
  const size_t n = (size_t)a->n, size = epi_error(f) ? 0 : (size_t)epi_companion_of(f)->size(f);
  double *room = calloc(size + (5 + 2*EPI_SWING_PHASES)*n, sizeof *room);
  companion c = {.a = a, .text = text, .by = &of_sums, .f = f, .to = &to, .y = a->y[1], .memory = room, .unit = 1,
                 .allowed = 3*a->to->tol, .limit = limit, .mark = CHECKS/4, .look = CHECKS/2,
                 .stride = (int)fmax(1, fmin(4, a->to->turns/40))};
  a->to->said[0] = 0;
  if (!room) epi_choose_fail(a->to, EPI_MEMORY, "out of memory");
  else if (!epi_error(f)) {
    c.most = room + size;
    c.when = c.most + n;
    c.reach = c.when + n;
    c.swing = c.reach + 3*n;
    c.s = c.run = epi_case_state(a->c);
    c.run.y = c.reach + 2*n;
    c.s.y = memcpy(c.reach + n, c.s.y, n*sizeof *room);
    run(&c);
  }
  epi_free(f);
  free(room);
  return to;
}
