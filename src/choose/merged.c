/* merged.c - a run, and beside it the same method with every two or three of its steps taken as one: by its order p the second is off by
 * 2^p times as much as the first, and their distance tells the error for a half, or a third, of what the run itself costs (Shampine &
 * Watts, ACM Trans. Math. Softw. 2 (1976) 172). Where that cannot be relied upon nothing is told: a force that may have a kink, of which
 * both know as little, a distance that is not small, a tolerance near rounding. Steps that shrink at once are looked for all the same */
#include "search.h"

enum { MOST = 3 };                      /* steps that are taken as one, at most */
#define FEW_STEPS 200.                  /* of a run: of fewer the errors may cancel by chance, or the steps be too long for the order */
#define NEAR_ROUNDING 1e-10             /* tolerance of steps: below it what is told would not have rounding in it */
#define LEAST_TOLD 0.1                  /* of the tolerance: the two may be near each other by chance */
#define SMALL 0.15                      /* a distance beyond which errors are not what they are for small ones */

typedef struct {
  epi_flow *f;
  epi_state s;
  double *most, *when;                  /* how far it was from the run in each coordinate, at most, and when that was */
  double h[MOST];                       /* steps of the run that wait */
  double fine, coarse;                  /* what the local errors of both add up to, in those of a full step */
  long steps;
  int by, n, lost;                      /* lost: it tells nothing */
} companion;

typedef struct {
  epi_search *a;
  const char *text;
  const epi_flow *f;
  epi_merged *to;
  companion with;
  int rows, mark;                       /* of the CHECKS that are kept for the sizes; and where the companion is moved away next */
  double r;                             /* tolerance of a step */
  long steps;
  double t, last;                       /* where the run is, and how long its last step was */
} both;

/* ---- what is told ---- */
/* the distance, with the sizes that are known so far */
static double apart(epi_search *a, const companion *c, int rows)
{
  double most = 0;
  for (int k = rows; k < CHECKS; k++) memcpy(a->y[0] + k*a->n, a->y[0] + (rows - 1)*a->n, (size_t)a->n*sizeof *a->y[0]);
  epi_measure_sizes(a, a->y[0]);
  for (int i = 0; i < a->n; i++)
    if (!(c->most[i]/a->size[i] <= most)) { most = c->most[i]/a->size[i]; a->to->at = c->when[i]; }
  return most;
}

/* the error of the run in tolerances, with care: half more than the distance says at least; NaN: it cannot be told. In a motion that is
   driven, and turns over now and then, few steps make the error of all, and those of the companion may cancel */
static double care(const epi_search *a) { return a->to->turns > 0 ? 4 : 1.5; }
static double told(both *p)
{
  const companion *c = &p->with;
  const double d = c->lost || !c->steps ? NAN : apart(p->a, c, p->rows), e = care(p->a)*d/(c->coarse/c->fine - 1)/p->a->to->tol;
  p->to->apart = d;
  /* of few steps, as many as there will be */
  return d <= SMALL || e > 1 ? e*(1 + pow(FEW_STEPS*p->rows/CHECKS/(double)p->steps, 2)) : NAN;
}

/* after a quarter of the run: errors grow about as the time does. 1: this will not be right */
static int hopeless(both *p)
{
  double will = p->rows < CHECKS/4 ? NAN : told(p)*fmax(1, 0.7*CHECKS/p->rows);
  if (!(will > 1)) return 0;
  p->to->told = will*p->a->to->tol;
  return 1;
}

/* ---- steps ---- */
/* those that wait as one step, which ends where the run is */
static void merge(companion *c, const epi_state *s)
{
  epi_tick end = {s->t, s->key.rest, s->theta};
  double H = 0, longest = 0;
  for (int i = 0; i < c->n; i++) { H += c->h[i]; longest = fmax(longest, c->h[i]); }
  epi_land(&c->s, end);
  if (epi_go(c->f, &c->s, H, 1)) { c->lost = 1; return; }
  epi_set_clock(&c->s, end);
  for (int i = 0; i < c->n; i++) c->fine += epi_power(c->h[i]/longest, c->f->order + 1);
  c->coarse += epi_power(H/longest, c->f->order + 1);
  c->steps++;
  c->n = 0;
  for (int i = 0, n = epi_dim(c->f->sys); i < n; i++) {
    double e = fabs(c->s.y[i] - s->y[i]);
    if (e <= c->most[i]) continue;
    c->most[i] = e;
    c->when[i] = s->t;
  }
}

/* of a motion that is driven, what steps leave may cancel in the companion and grow later, as of a pendulum that nearly stands: soon after
   the start, where a quarter and where a half of the run are over it is moved away by as much as one step of the run is allowed */
static void move_away(both *p, const epi_state *s)
{
  companion *c = &p->with;
  double by = p->r*(c->coarse/c->fine - 1), side = 0;
  if (!(p->a->to->turns > 0) || c->lost || c->n || p->rows < p->mark || p->mark > CHECKS/2) return;
  apart(p->a, c, p->rows);
  for (int i = 0; i < p->a->n; i++) side += (c->s.y[i] - s->y[i])/p->a->size[i];
  for (int i = 0; i < p->a->n; i++) c->s.y[i] += (side < 0 ? -by : by)*p->a->size[i];
  epi_cache_invalidate(&c->s);
  p->mark = p->mark < CHECKS/4 ? CHECKS/4 : p->mark + CHECKS/4;
}

static long calls_of(const both *p) { return epi_calls(p->f) + epi_calls(p->with.f); }

/* a step of the run; 1: it ends here. The last one, which ends where the run does, may be short */
static int see(void *data, const epi_system *m, epi_state *s)
{
  both *p = data;
  epi_search *a = p->a;
  double h = s->t - p->t, t0 = a->c->t, span = a->to->end - t0;
  (void)m;
  if (h < 0.25*p->last && s->t != a->to->end) return p->to->rough = p->to->ended = 1;
  p->t = s->t;
  p->last = h;
  p->steps++;
  if (!p->with.lost) {
    p->with.h[p->with.n++] = h;
    if (p->with.n == p->with.by) merge(&p->with, s);
    move_away(p, s);
  }
  if (!(s->t >= t0 + span*(p->rows + 1)/CHECKS)) return 0;
  for (; p->rows < CHECKS && s->t >= t0 + span*(p->rows + 1)/CHECKS; p->rows++)
    memcpy(a->y[0] + p->rows*a->n, s->y, (size_t)a->n*sizeof *s->y);
  if (p->rows == CHECKS) return 0;
  if (a->to->tell) a->to->tell(a->to, p->text, 1, (double)p->rows/CHECKS);
  p->to->ended = hopeless(p) || epi_too_dear(a, (double)calls_of(p));
  return p->to->ended;
}

/* ---- the run ---- */
static void run(both *p, epi_flow *f, epi_fault *why)
{
  epi_search *a = p->a;
  epi_merged *to = p->to;
  epi_attempt x;
  epi_attempt_begin(&x, a, f, p->text);
  p->t = x.s.t;
  p->f = f;
  epi_attempt_show(&x, 1, 0);
  epi_attempt_go(&x, a->to->end, a->to->end - x.s.t);
  epi_attempt_count(&x);
  a->seconds = x.seconds;
  epi_note_steps(a, f);
  if (to->ended || !x.bad) to->calls = (double)epi_calls(f);
  else epi_try_failed(a->to, f, x.bad, why);
  if (x.bad || to->ended) return;
  memcpy(a->y[0] + (CHECKS - 1)*a->n, x.s.y, (size_t)a->n*sizeof *x.s.y);
  p->rows = CHECKS;
  double e = told(p);
  /* two that do not differ at all may both have gone over something */
  if (e > 1e-5) to->told = a->to->tol*fmax(LEAST_TOLD, e);
}

/* the one beside it begins where it does; room: three numbers for each coordinate */
static void begin(epi_search *a, companion *c, const char *inside, double *room)
{
  c->f = epi_case_flow(a->c, inside);
  c->s = epi_case_state(a->c);
  memcpy(room, c->s.y, (size_t)a->n*sizeof *room);
  c->s.y = room;
  c->most = room + a->n;
  c->when = c->most + a->n;
  c->lost = epi_error(c->f) != NULL;
}

/* of a run with few steps they must be the shorter */
double epi_merged_tolerance(const epi_search *a, double r)
{
  double more = 12*FEW_STEPS/fmax(12, a->steady);
  r *= 1.5/care(a);
  /* the parts that were tried end in short ones: there will be fewer */
  return more > 0.35 ? r*fmax(0.05, 1/(1 + 2*more*more)) : r;
}

int epi_can_be_merged(const epi_search *a, const epi_variant *s)
{
  const epi_system *m = &a->c->system;
  return m->smooth && s->r >= NEAR_ROUNDING && s->way == EPI_DIRECT && !a->c->world && !m->impulsive &&
    !m->irreversible && !m->nc;
}

epi_merged epi_try_merged(epi_search *a, const epi_variant *s, epi_fault *why)
{
  epi_merged to = {.calls = NAN, .told = NAN};
  a->rows = CHECKS;
  char text[sizeof a->to->flow];
  epi_variant watched = *s;
  double *room = calloc(3*(size_t)a->n, sizeof *room);
  both p = {.a = a, .text = text, .to = &to, .with = {.by = 2}, .mark = 1, .r = s->r};
  /* three at a time where the steps are short enough for the method to be of its order then */
  if (a->to->tol <= 3e-5 && s->r <= 3e-7) p.with.by = 3;
  epi_variant_write(a, s, text, sizeof text);
  watched.watch = ", see=step";
  epi_flow *f = room ? epi_try_variant(a, &watched, (epi_name){.name = "step", .see = see, .data = &p}) : NULL;
  if (f) {
    begin(a, &p.with, epi_candidates[s->way].inner, room);
    p.f = f;
    if (p.with.lost) epi_try_failed(a->to, p.with.f, EPI_WRONG, why);
    else run(&p, f, why);
    a->to->spent += epi_calls(p.with.f);
  } else {
    epi_fault_write(why, EPI_MEMORY, "out of memory");
    epi_choose_fault(a->to, why);
  }
  epi_free(p.with.f);
  epi_free(f);
  free(room);
  return to;
}
