/* beside.c - a run over many turns at a time, and beside it the same method with every two of its steps taken as one: by its order the
 * second is off by many times as much as the first, and their distance tells the error. It takes half of the steps, and each of its
 * periods begins with what the run knows of the same one: a third of what the run itself costs. For smooth motions alone: of a kink both
 * know as little */
#include "search.h"
#include "method/crossing.h"
#include "time/revolve.h"

#define SMALL 0.15                      /* a distance beyond which errors are not what they are for small ones */
#define FEWER_NODES 10.                 /* a period with one count of nodes less is off by so much more, about */
enum { LOOKS = CHECKS/4 };              /* rows after which the run may be given up */
#define FEW_STEPS 36.                   /* of a run: where it has fewer, two of them as one are too long for the order */

typedef struct {
  epi_search *a;
  const char *text;
  epi_flow *f;
  epi_beside *to;
  epi_state s, run;                     /* of the one beside, with its memory, and of the run where they were compared last */
  double *memory;
  double *most, *when;                  /* how far it was from the run in each coordinate, at most, and when that was */
  double *reach, *swing;                /* the largest that each was inside a turn; room for what a turn does to both */
  double M[2];                          /* steps of the run that wait, in periods */
  double fine, coarse;                  /* what the local errors of both add up to, in those of a full step */
  double began;                         /* tolerances that the first steps may be off by */
  double added;                         /* tolerances of the run that it was moved away for */
  double limit, eighth;                 /* evaluations beyond which nothing is gained; those of an eighth of the run */
  long before, calls;                   /* evaluations of the flow before the run; of the one beside */
  int steps, n, rows, mark, look;       /* of the run; those that wait; of the CHECKS that are kept, where it is moved away next, and where
                                           they are looked at inside a turn */
  int singles, stride;                  /* single turns in a row; for so many of them it takes one of its own */
  int merged, apart, lost;              /* some steps were taken as one; it has left the run; it tells nothing */
} both;

/* ---- what is told ---- */
static double apart(both *p)
{
  epi_search *a = p->a;
  double most = 0;
  for (int k = p->rows; k < CHECKS; k++) memcpy(a->y[1] + k*a->n, a->y[1] + (p->rows - 1)*a->n, (size_t)a->n*sizeof *a->y[1]);
  epi_measure_sizes(a, a->y[1]);
  for (int i = 0; i < a->n; i++) {
    double size = fmax(a->size[i], p->reach[i]);
    if (!(p->most[i]/size <= most)) { most = p->most[i]/size; a->to->at = p->when[i]; }
  }
  return most;
}

/* how many times as far off as the run the one beside is */
static double ratio_of(const both *p) { return p->merged ? p->coarse/p->fine - 1 : FEWER_NODES; }

/* the error of the run; NaN: it cannot be told */
static double told(both *p)
{
  double d = p->lost || !p->apart || !p->rows ? NAN : apart(p), few = fmax(1, FEW_STEPS*p->rows/CHECKS/p->steps);
  double e = d/ratio_of(p)*few*few;
  return d <= SMALL || e > p->a->to->tol ? e : NAN;
}

/* after a quarter of the run: errors grow about as the time does, some less. 1: this will not be right */
static int hopeless(both *p)
{
  double will = p->rows < CHECKS/4 ? NAN : told(p)*fmax(1, 0.7*CHECKS/p->rows);
  if (!(will > 3*p->a->to->tol)) return 0;
  p->to->told = will;
  return 1;
}

/* ---- steps ---- */
static void note(both *p, int i, double e, double t)
{
  if (e <= p->most[i]) return;
  p->most[i] = e;
  p->when[i] = t;
}

/* inside a turn the two may be further apart than where it begins: what forces do in it depends on where they find the state */
static void look_inside(both *p)
{
  const epi_state *s = &p->run;
  const long before = epi_calls(p->f);
  int n = p->a->n;
  double *one = p->swing, *two = one + EPI_SWING_PHASES*n;
  p->look = CHECKS;
  p->lost = epi_revolve_swing(p->f, s, one) || epi_revolve_swing(p->f, &p->s, two);
  p->calls += epi_calls(p->f) - before;
  if (p->lost) return;
  for (int j = 0; j < EPI_SWING_PHASES*n; j++) {
    int i = j % n;
    note(p, i, fabs(p->s.y[i] - s->y[i] + two[j] - one[j]), s->t);
    p->reach[i] = fmax(p->reach[i], fabs(s->y[i] + one[j]));
  }
}

static void compare(both *p, const epi_state *s)
{
  p->apart = 1;
  for (int i = 0; i < p->a->n; i++) note(p, i, fabs(p->s.y[i] - s->y[i]), s->t);
  memcpy(p->run.y, s->y, (size_t)p->a->n*sizeof *s->y);
  epi_set_clock(&p->run, (epi_tick){s->t, s->key.rest, s->theta});
  if (p->rows >= p->look) look_inside(p);
}

static void move_aside(both *p, const epi_state *s, double tolerances)
{
  p->lost = epi_revolve_aside(p->f, s, &p->s, p->memory, tolerances) != 0;
}

/* what steps leave may cancel in one of the two and grow later: where a quarter and a half of the run are over the one beside is moved away
   by what it would be if it did not */
static void move_away(both *p, const epi_state *s)
{
  double off = epi_revolve_off(p->f);
  if (p->lost || p->rows < p->mark || p->mark > CHECKS/2) return;
  move_aside(p, s, 0.4*(off - p->added)*ratio_of(p));
  p->added = off;
  p->mark += CHECKS/4;
}

/* while the run begins, with few points, the one beside is as it is; then it is moved aside by what those steps may be off by, which their
   distance would not show. It goes from turn to turn where the run does: as long as that is all, its periods have fewer nodes, and what is
   off is what they are */
static int goes_along(both *p, const epi_state *s)
{
  if (!p->merged && epi_revolve_points(p->f, NULL) < 4) {
    epi_revolve_same(p->f, s, &p->s, p->memory);
    p->began = p->added = epi_revolve_off(p->f);
    p->n = 0;
    return 1;
  }
  if (p->n || epi_revolve_turns(p->f) > 1) return 0;
  long before = epi_calls(p->f);
  p->lost = epi_revolve_along(p->f, s, &p->s, p->memory, p->singles++ % p->stride ? 0 : p->stride, !p->merged) != 0;
  if (!p->lost && !p->apart) move_aside(p, s, FEWER_NODES*p->began);
  move_away(p, s);
  p->calls += epi_calls(p->f) - before;
  if (!p->lost) compare(p, s);
  return 1;
}

static void merge(both *p, const epi_state *s)
{
  long before = epi_calls(p->f);
  double M = p->M[0] + p->M[1], longest = fmax(p->M[0], p->M[1]);
  if (!p->merged) move_aside(p, s, epi_power(2, (int)epi_revolve_order(p->f))*p->began);
  if (!p->lost) p->lost = epi_revolve_beside(p->f, s, &p->s, p->memory, M) != 0;
  p->n = p->singles = 0;
  if (!p->lost) {
    int order = 1 + (int)fmin(epi_revolve_points(p->f, NULL), epi_revolve_points(p->f, p->memory));
    p->merged = 1;
    p->fine += epi_power(p->M[0]/longest, order) + epi_power(p->M[1]/longest, order);
    p->coarse += epi_power(M/longest, order);
    move_away(p, s);
  }
  p->calls += epi_calls(p->f) - before;
  if (!p->lost) compare(p, s);
}

static int is_dear(both *p, int rows)
{
  double calls = (double)(epi_calls(p->f) - p->before), all = calls;
  if (rows < CHECKS/8 && p->rows >= CHECKS/8) p->eighth = calls;
  if (rows < CHECKS/4 && p->rows >= CHECKS/4) all = epi_whole_of(p->eighth, calls);
  if (!(all > p->limit)) return 0;
  p->a->averaged = all;
  return p->to->dear = 1;
}

/* a step of the run; 1: it ends here */
static int see(void *data, const epi_state *s)
{
  both *p = data;
  epi_search *a = p->a;
  double t0 = a->c->t, span = a->to->end - t0;
  int rows = p->rows;
  p->steps++;
  if (!p->lost && !goes_along(p, s)) p->M[p->n++] = epi_revolve_turns(p->f);
  if (p->n == 2) merge(p, s);
  if (!(s->t >= t0 + span*(p->rows + 1)/CHECKS)) return 0;
  for (; p->rows < CHECKS && s->t >= t0 + span*(p->rows + 1)/CHECKS; p->rows++)
    memcpy(a->y[1] + p->rows*a->n, s->y, (size_t)a->n*sizeof *s->y);
  if (a->to->tell) a->to->tell(a->to, p->text, 1, (double)p->rows/CHECKS);
  p->to->ended = is_dear(p, rows) || (p->rows < CHECKS && rows/LOOKS < p->rows/LOOKS && hopeless(p));
  return p->to->ended;
}

static void run(both *p)
{
  epi_search *a = p->a;
  epi_beside *to = p->to;
  epi_own_witness w = {.step = see, .data = p};
  epi_attempt x;
  epi_attempt_begin(&x, a, p->f, p->text);
  epi_attempt_show(&x, 1, 0);
  epi_revolve_shows(p->f, &w);
  epi_attempt_go(&x, a->to->end, a->to->end - x.s.t);
  if (!x.bad && p->apart && !p->lost && !to->ended) look_inside(p);
  const long all = epi_attempt_calls(&x);
  epi_attempt_count(&x);
  a->seconds = x.seconds*(double)(all - p->calls)/(double)all;
  if (x.bad || to->ended) {
    if (!to->ended) epi_try_failed(a->to, p->f, x.bad, &to->why);
    else if (to->dear && epi_warning(p->f, 0)) epi_fault_write(&to->why, EPI_DEAR, "%s", epi_warning(p->f, 0));
    return;
  }
  to->calls = (double)(all - p->calls);
  to->told = told(p);
  to->doubts = epi_crossing_doubts(p->f->kid[0]) > EPI_CROSSING_WORTH*a->to->turns;
  if (a->to->y) memcpy(a->to->y, x.s.y, (size_t)a->n*sizeof *x.s.y);
  for (int i = 0; epi_warning(p->f, i); i++) {
    if (!i) snprintf(a->to->said, sizeof a->to->said, "%s", epi_warning(p->f, i));
    if (epi_warning_cause(p->f, i) == EPI_ROUNDING) to->rounded = 1;
  }
}

epi_beside epi_try_beside(epi_search *a, const epi_variant *s, double limit)
{
  epi_beside to = {.calls = NAN, .told = NAN};
  char text[sizeof a->to->flow];
  epi_variant_write(a, s, text, sizeof text);
  epi_flow *f = epi_case_flow(a->c, text);
  long size = epi_error(f) ? 0 : epi_revolve_beside_size(f);
  double *room = calloc((size_t)size + (5 + 2*EPI_SWING_PHASES)*(size_t)a->n, sizeof *room);
  both p = {.a = a, .text = text, .f = f, .to = &to, .memory = room, .limit = limit, .mark = CHECKS/4, .look = CHECKS/2,
            .stride = (int)fmax(1, fmin(4, a->to->turns/40)), .before = epi_error(f) ? 0 : epi_calls(f)};
  a->to->said[0] = 0;
  if (!room) epi_choose_fail(a->to, EPI_MEMORY, "out of memory");
  else if (!epi_error(f)) {
    p.most = room + size;
    p.when = p.most + a->n;
    p.reach = p.when + a->n;
    p.swing = p.reach + 3*a->n;
    p.s = p.run = epi_case_state(a->c);
    p.run.y = p.reach + 2*a->n;
    memcpy(p.reach + a->n, p.s.y, (size_t)a->n*sizeof *room);
    p.s.y = p.reach + a->n;
    run(&p);
  }
  epi_free(f);
  free(room);
  return to;
}
