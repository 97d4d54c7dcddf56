/* picard.c - a whole fast period at once. The forces of the frozen state, a trigonometric polynomial of the phase, are integrated exactly;
 * what the motion within the period adds is found by Picard sweeps on Gauss points. The large force of a fast drive is thus never
 * differenced, and all points of a sweep are independent: one call of the batch callback where the system has one.
 * Shorter steps are Gauss collocation, swept until nothing changes. */
/* compile: hot */
#include "picard.h"
#include "sweeping.h"

typedef epi_crossing_room room;
typedef epi_crossing_signs signs;

/* some nodes more, so that a rule may be there already */
static int more_than(int n) { return n <= 10 ? 14 : n <= 14 ? 18 : n + 4 < MOST_NODES ? n + 4 : MOST_NODES; }

/* ---- a piece of a period: Gauss collocation, swept until nothing changes ---- */
/* what it moves by is in the room, as `one`; returns its points, or NULL with the code in *bad */
static const epi_period_rule *settle_piece(epi_flow *f, const epi_state *s, double h, int *bad)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), used = (int)f->keep[USED_NODES];
  const epi_period_rule *A = epi_crossing_rule(f, used && used < 15 ? more_than(used) : PART_NODES, 1);
  double *now = d->one, *last = d->two, change = HUGE_VAL;
  if ((*bad = epi_freeze(f, s, h, 1, 0))) return NULL;
  epi_predict_path(f, s, h, A, 1);
  for (int k = 0; k < 60; k++) {
    double before = change;
    if ((*bad = epi_sweep(f, s, A))) return NULL;
    epi_move_by(f, s, h, A, now);
    change = k ? epi_picard_apart(N, now, last, epi_picard_allowed(f, s, h, 1, A->n)) : HUGE_VAL;
    /* what the next sweep would change */
    if (k && (change <= 1e-3 || (change < 1 && change*change < 0.01*before) || (change < 0.1 && before < 0.1))) return A;
    memcpy(last, now, 2*(size_t)N*sizeof *last);
    epi_correct_path(f, h, A);
  }
  *bad = epi_fail(f, EPI_TOO_FAR, "picard: its sweeps over %g at t = %.10g do not settle: take a shorter step", h, s->t);
  return NULL;
}

static int piece(epi_flow *f, epi_state *s, double h, double *sum)
{
  const double *now = room_of(f)->one;
  int N = epi_dim(f->sys), bad;
  if (!settle_piece(f, s, h, &bad)) return bad;
  for (int i = 0; i < N; i++) s->y[i] += now[i];
  for (int i = 0; i < 2*N; i++) sum[i] += now[i];
  return 0;
}

/* a piece that its points do not resolve */
static int is_rough(epi_flow *f, const epi_state *s, double h, const epi_period_rule *A, int *rough)
{
  const room *d = room_of(f);
  const double *allowed = epi_picard_allowed(f, s, h, 1, A->n);
  double off = 0;
  *rough = epi_crossing_signs_of(f, h, allowed, d->one).tail > 1;
  int bad = *rough || f->sys->traits.smooth ? 0 : epi_crossing_missed(f, s, h, A, allowed, &off);
  *rough |= !(off <= 1);
  return bad;
}

/* over h in pieces that its points resolve: shorter where the force jumps or bends, until what is left there is nothing beside the period.
   sum: what it moves by is added to it, with its rounding; or NULL */
static int bit_by_bit(epi_flow *f, epi_state *s, double h, double T, double *sum)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), waves = (int)f->keep[USED_PHASES]/2, bad;
  double most = 1/(1 + floor(fabs(h/T)*(waves > 4 ? waves/4.0 : 0.999))), by = most, done = 0;
  while (done < 1) {
    double step = fmin(by, 1 - done), tiny = 1e-13*fabs(T/h);
    const epi_period_rule *A = settle_piece(f, s, step*h, &bad);
    if (!A && (bad < 0 || step <= tiny)) return bad;
    if (!A) epi_clear_error(f);
    int rough = !A;
    if (A && step > tiny && (bad = is_rough(f, s, step*h, A, &rough))) return bad;
    if (rough) {
      by = 0.47*step;
      continue;
    }
    epi_tick end = epi_target(f->sys, s, step*h);
    for (int i = 0; i < N; i++) s->y[i] += d->one[i];
    for (int i = 0; i < 2*N && sum; i++) sum[i] += d->one[i];
    epi_set_clock(s, end);
    done += step;
    by = fmin(2*step, most);
  }
  return 0;
}

/* the period in so many of them, from a state that is left as it is */
static int in_pieces(epi_flow *f, const epi_state *from, double T, int pieces, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad = 0;
  epi_state s = *from;
  s.y = d->state;
  memcpy(s.y, from->y, (size_t)N*sizeof *s.y);
  memset(moved, 0, 2*(size_t)N*sizeof *moved);
  for (int i = 0; i < pieces && !bad; i++) {
    epi_tick end = epi_target(f->sys, &s, T/pieces);
    bad = piece(f, &s, T/pieces, moved);
    for (int c = 0; c < N; c++) moved[N + c] += 1.1e-16*fabs(s.y[c]);
    epi_set_clock(&s, end);
  }
  return bad;
}

/* as many as are needed: twice as many change nothing */
static int find_pieces(epi_flow *f, const epi_state *s, double T, const double *allowed)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad = 1;
  for (int pieces = 2; pieces <= 64; pieces *= 2) {
    int before = bad;
    memcpy(d->last, d->sum, 2*(size_t)N*sizeof *d->sum);
    bad = in_pieces(f, s, T, pieces, d->sum);
    if (bad < 0) return bad;
    if (bad) { epi_clear_error(f); continue; }
    if (before || !(epi_picard_apart(N, d->sum, d->last, allowed) < 0.3)) continue;
    f->keep[USED_PIECES] = 0.5*pieces;
    return 0;
  }
  return epi_fail(f, EPI_WRONG, "picard: at t = %.10g its sweeps of a period do not reach the accuracy asked for: the motion within a "
                  "period is not small, or its force not smooth; take a flow that resolves it, as in substeps(symmetric(verlet, order=8), "
                  "20)", s->t);
}

static int given(const epi_flow *f) { return f->arg[NODES].given && f->arg[SWEEPS].given && f->arg[PHASES].given; }

static int find(epi_flow *f, const epi_state *s, double T)
{
  const room *d = room_of(f);
  int bad, found;
  /* the size of things first, with some of each */
  if (!f->allowed && (bad = epi_cross(f, s, T, epi_crossing_rule(f, 10, 5), 2, d->two))) return bad;
  const double *allowed = epi_picard_allowed(f, s, T, 5, 10);
  bad = epi_picard_find(f, s, T, allowed, &found);
  return bad || found ? bad : find_pieces(f, s, T, allowed);
}

static int start(epi_flow *f, const epi_state *s, double T)
{
  int bad = given(f) ? 0 : find(f, s, T);
  /* it may have been found good by chance: it is looked at again soon */
  f->keep[CROSSED] = f->keep[LARGEST] = *epi_picard_tail(f) = 0;
  f->keep[FOUND]++;
  if (given(f)) f->keep[USED_PIECES] = 1;
  if (f->arg[NODES].given) f->keep[USED_NODES] = f->arg[NODES].number;
  if (f->arg[SWEEPS].given) f->keep[USED_SWEEPS] = f->arg[SWEEPS].number;
  if (f->arg[PHASES].given) f->keep[USED_PHASES] = f->arg[PHASES].number;
  return bad;
}

static inline const double *allowed_of(const epi_flow *f, const epi_state *s, double T, const epi_period_rule *A)
{
  return f->allowed ? f->allowed : epi_picard_allowed(f, s, T, A->phases, A->n);
}

/* the sweeps of a period, fewer where one changes so little that the next would change nothing */
EPI_INLINED int sweep_on(epi_flow *f, epi_counts c, const epi_state *s, double T, const epi_period_rule *A, double *moved)
{
  const double *keep = f->keep;
  /* what is left is felt in the differences of periods, of which more are used where these are more exact */
  const double little = A->n > 10 ? 0.1 : A->n > 8 ? 0.15 : 0.2;
  int bad = epi_freeze_each(f, c, s, T, A->phases, 0), cold = bad || epi_picard_go_on(f, s->t), sweeps = (int)keep[USED_SWEEPS];
  if (bad) return bad;
  epi_predict_each(f, c, s, T, A, cold);
  for (int k = 1; !(bad = epi_sweep_each(f, c, s, A)) && k < sweeps; k++) {
    double left = cold ? HUGE_VAL : epi_change_each(f, c, T, allowed_of(f, s, T, A));
    if (left*keep[PER_ANY] <= little && (left <= little || left*keep[PER_ECHO]*epi_echo_each(f, c, T) <= little)) break;
    if (c.second == 1 && keep[FORETOLD] < 1) {
      /* of what is foretold, the sweep behind it would change as much again */
      const double again = keep[PER_ECHO]*epi_echo_each(f, c, T), rest = epi_larger(keep[FORETOLD], 1.5*again);
      if (rest*left*epi_larger(keep[PER_ANY], again) <= little) { epi_foretell_sweep(f, s, T, A, rest); break; }
    }
    epi_correct_each(f, c, T, A);
  }
  if (!bad) epi_move_each(f, c, s, T, A, moved);
  return bad;
}

/* one period that is unlike the others, as where an amplitude begins to grow: what was found for these stays */
static int cross_alone(epi_flow *f, const epi_state *from, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys);
  ((epi_crossing *)f->own)->alone = 1;
  f->refused++;
  epi_state s = *from;
  s.y = d->state;
  memcpy(s.y, from->y, (size_t)N*sizeof *s.y);
  memset(moved, 0, 2*(size_t)N*sizeof *moved);
  return bit_by_bit(f, &s, T, T, moved);
}

/* of a smooth force other points say the same, and what a kink leaves out between points is not the same for both; nor is there anything
   where they are not. 1: it is not so */
static int differs(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *moved, int *bad)
{
  const room *d = room_of(f);
  int n = A->n, F = A->phases, more = epi_picard_more_nodes(n), m = more ? more : n - 4;
  double off = 0;
  if ((*bad = epi_picard_along(f, s, T, n, m, F, 1))) return 0;
  const double *allowed = epi_picard_allowed(f, s, T, F, m);
  if (!(epi_picard_apart(epi_dim(f->sys), moved, d->two, allowed) <= 5)) return 1;
  if ((*bad = epi_crossing_missed(f, s, T, epi_crossing_rule(f, m, F), allowed, &off))) return 0;
  return !(off <= 5);
}

/* less is allowed than rounding leaves */
EPI_INLINED int is_rounding(int N, const double *allowed, const double *moved)
{
  for (int i = 0; i < N; i++) if (allowed[i] < 32*moved[N + i]) return 1;
  return 0;
}

/* not 0: nodes or sweeps are too few for what the period itself shows */
enum { FEW = 1, EARLY = 2 };
EPI_INLINED int lacks(const epi_flow *f, epi_counts c, double T, const double *allowed, const double *moved, signs *x)
{
  const double *k = f->keep;
  /* of rounding alone, which is more than it seems where a large force is just zero, neither is more than some tens */
  const double least = is_rounding(c.size, allowed, moved) ? 300 : 0;
  *x = epi_signs_each(f, c, T, allowed, moved);
  int few = x->tail > least && x->tail*x->tail*k[PER_TAIL] > 1 && !f->arg[NODES].given;
  int early = x->change > least && x->change > 1 && !f->arg[SWEEPS].given;
  early = early && x->change*fmax(k[PER_CHANGE], 0.5*epi_echo_each(f, c, T)) > 1;
  return (few ? FEW : 0) | (early ? EARLY : 0);
}

/* one node count or one sweep more; 1: there is none */
static int take_more(epi_flow *f, int lack)
{
  double *k = f->keep;
  int more = epi_picard_more_nodes((int)k[USED_NODES]);
  k[KNOWN] = 0;
  if ((lack & FEW && !more) || (lack & EARLY && k[USED_SWEEPS] >= MOST_SWEEPS)) return 1;
  if (lack & FEW) { k[USED_NODES] = more; k[LARGEST] = *epi_picard_tail(f) = 0; }
  if (lack & EARLY) k[USED_SWEEPS]++;
  return 0;
}

/* with one node count or one sweep more, where the period itself shows that it needs them */
EPI_INLINED int cross_each(epi_flow *f, epi_counts c, const epi_state *s, double T, double *moved)
{
  double *k = f->keep, nodes = k[USED_NODES], sweeps = k[USED_SWEEPS];
  int bad = 0, lack;
  for (;;) {
    const epi_period_rule *A = epi_crossing_rule(f, (int)k[USED_NODES], (int)k[USED_PHASES]);
    if ((bad = sweep_on(f, c, s, T, A, moved))) return bad;
    const double *allowed = allowed_of(f, s, T, A);
    signs x;
    if ((lack = lacks(f, c, T, allowed, moved, &x))) {
      if (!take_more(f, lack)) continue;
      k[USED_NODES] = nodes;
      k[USED_SWEEPS] = sweeps;
      return is_rounding(c.size, allowed, moved) ? 0 : cross_alone(f, s, T, moved);
    }
    ((epi_crossing *)f->own)->tail = x.tail;
    k[LARGEST] = epi_larger(k[LARGEST], x.tail);
    if (!f->passing) epi_picard_remember(f, s->t);
    if (f->sys->traits.smooth || !differs(f, s, T, A, moved, &bad)) return bad;
    k[KNOWN] = 0;
    return cross_alone(f, s, T, moved);
  }
}

static int cross_as_found(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const double *k = f->keep;
  ((epi_crossing *)f->own)->alone = 0;
  if (k[USED_PIECES] > 1) return in_pieces(f, s, T, (int)k[USED_PIECES], moved);
  if (given(f)) return epi_cross(f, s, T, epi_crossing_rule(f, (int)k[USED_NODES], (int)k[USED_PHASES]), (int)k[USED_SWEEPS], moved);
  return epi_is_one(f) ? cross_each(f, EPI_ONE_COUNT, s, T, moved) : cross_each(f, epi_counts_of(f), s, T, moved);
}

static int checked_now(long crossed)
{
  return crossed == 6 || crossed == 24 || (crossed && crossed % 64 == 0);
}

/* two nodes more, which are off by far less */
static int nodes_beside(int n)
{
  int more = epi_picard_more_nodes(n);
  if (more == n + 1) more = epi_picard_more_nodes(more);
  return more ? more : MOST_NODES;
}

/* the period once more with more of everything, from the path that was found where that is known; into `two` */
static int cross_with_more(epi_flow *f, const epi_state *s, double T, int n, int F)
{
  const room *d = room_of(f);
  int used = (int)f->keep[USED_NODES], bad;
  if (!epi_picard_is_newest(f, s->t)) return epi_cross(f, s, T, epi_crossing_rule(f, n, F), (int)f->keep[USED_SWEEPS] + 1, d->two);
  /* of what the path was off by, the first sweep leaves the echo */
  int sweeps = epi_crossing_echo(f, T) > 0.02 ? 2 : 1;
  if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
  memcpy(d->more, epi_picard_newest(f), (size_t)(used*answers_of(f))*sizeof *d->more);
  return epi_picard_along(f, s, T, used, n, F, sweeps);
}

/* ---- forces that grow ---- */
/* what was found where a smooth force is almost nothing knows nothing of it; others are compared with other points in each period */
#define GROWS 8.

/* by how much the force c changes in the period that was just crossed, and how large that is beside the frozen ones */
static double size_of(const epi_flow *f, int c)
{
  const room *d = room_of(f);
  const int F = (int)f->keep[USED_PHASES];
  const double *frozen = d->frozen + c*F;
  double low = frozen[0], high = frozen[0];
  for (int j = 1; j < F; j++) {
    low = fmin(low, frozen[j]);
    high = fmax(high, frozen[j]);
  }
  return high - low + ((const epi_crossing *)f->own)->seen[c].most;
}

static void note_sizes(const epi_flow *f)
{
  double *sizes = epi_picard_sizes(f);
  for (int c = 0; c < answers_of(f); c++) sizes[c] = epi_larger(sizes[c], size_of(f, c));
  *epi_picard_tail(f) = epi_larger(*epi_picard_tail(f), ((const epi_crossing *)f->own)->tail);
}

/* what moves the state by less than is allowed is nothing. A small fast force may be next to a larger slow one: it shows in the last
   coefficients */
static int grows(const epi_flow *f, double T, const double *allowed)
{
  const epi_crossing *p = f->own;
  const double *sizes = epi_picard_sizes(f);
  for (int c = 0; c < answers_of(f); c++) {
    const double nothing = allowed[c < p->second ? p->second + c : c + p->second]/fabs(T);
    if (size_of(f, c) > GROWS*fmax(nothing, sizes[c])) return 1;
  }
  if (!(*epi_picard_tail(f) > 0)) *epi_picard_tail(f) = p->tail;
  return p->tail > GROWS*fmax(1, *epi_picard_tail(f));
}

/* kicks that no point of the period has met, at other phases each time; where a force may have kinks each period is compared with other
   points anyway. 1: there are some, or it has failed with *bad */
static int has_kicks(epi_flow *f, const epi_state *s, double T, int *bad)
{
  enum { ROOM = 16 };
  const double *k = f->keep;
  const epi_period_rule *A = epi_crossing_rule(f, (int)k[USED_NODES], (int)k[USED_PHASES]);
  double least[ROOM], off = 0;
  if (!f->sys->traits.smooth || k[USED_PIECES] != 1 || k[USED_PHASES] >= MOST_PHASES || f->arg[PHASES].given) return 0;
  for (int c = 0; c < answers_of(f) && c < ROOM; c++) least[c] = 3*size_of(f, c);
  const epi_picard_asked some = {.phases = A->phases, .times = 1, .shift = fmod(0.6180339887*(k[CROSSED] + k[FOUND]), 1),
                                 .allowed = allowed_of(f, s, T, A), .least = answers_of(f) <= ROOM ? least : NULL};
  *bad = epi_picard_overtones(f, s, T, &some, &off);
  return *bad || off > 1;
}

/* nodes, sweeps and phases found anew, and the period crossed with them; where something jumps in this turn alone none are found */
static int find_anew(epi_flow *f, const epi_state *s, double T, double *moved)
{
  double used[TIMES];
  memcpy(used, f->keep, sizeof used);
  int bad = start(f, s, T);
  if (bad != EPI_WRONG) return bad ? bad : cross_as_found(f, s, T, moved);
  epi_clear_error(f);
  memcpy(f->keep, used, sizeof used);
  return cross_alone(f, s, T, moved);
}

/* ---- periods in doubt ---- */
/* those since the last check, by as much as this one is off; what a few of many periods are off by is nothing in the sum of all */
static void doubt_others(epi_flow *f, const epi_state *s, double T, double off)
{
  epi_crossing_doubt *d = &((epi_crossing *)f->own)->doubt;
  if (f->passing) return;
  d->sum += off*fmax(1, fabs((s->t - d->checked)/T));
  if (off <= d->most) return;
  d->most = off;
  d->at = s->t;
}

static void note_time(epi_flow *f, const epi_state *s, double T)
{
  epi_crossing_doubt *d = &((epi_crossing *)f->own)->doubt;
  const double turn = fabs(T);
  if (!(d->turn > 0)) d->from = d->to = d->checked = s->t;
  d->turn = turn;
  d->from = fmin(d->from, s->t);
  d->to = fmax(d->to, s->t + turn);
}

/* at the end of a run it is known how many periods there were */
static void doubt(epi_flow *f)
{
  const epi_crossing_doubt *d = &((const epi_crossing *)f->own)->doubt;
  if (!(d->turn > 0) || !(d->sum > EPI_CROSSING_WORTH*(d->to - d->from)/d->turn)) return;
  epi_warn(f, "picard: the motion within a period changed its character before t = %.10g, where its nodes and sweeps are %.2g times less "
           "accurate than asked: ask for more (rtol), or give nodes and sweeps", d->at, d->most);
}

/* where a check with more of everything differs, all is found again here. */
static int check_again(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad = 0, n = (int)f->keep[USED_NODES], F = (int)f->keep[USED_PHASES];
  int more = nodes_beside(n), waves = 2*F + 1 < MOST_PHASES ? 2*F + 1 : MOST_PHASES, kicks = has_kicks(f, s, T, &bad);
  const double *allowed = NULL;
  double off = HUGE_VAL;
  if (bad) return bad;
  if (f->keep[USED_PIECES] == 1) {
    if ((bad = cross_with_more(f, s, T, more, waves))) return bad;
    allowed = epi_picard_allowed(f, s, T, waves, more);
    off = epi_picard_apart(N, moved, d->two, allowed);
    /* where rounding is all there is, nothing better would be found */
    if (!kicks && off <= 300 && is_rounding(N, allowed, moved)) return 0;
    /* what was found first was found before the size of things was known */
    if (!kicks && off < EPI_PICARD_ENOUGH && f->keep[FOUND] == 1 && f->keep[CROSSED] <= 10 && f->sys->traits.smooth)
      return epi_picard_find_fewer(f, s, T, more, waves, allowed, off);
  }
  if (!kicks && off <= 1) return 0;
  if (!kicks && off <= 20) {
    int found;
    if ((bad = epi_picard_find_more(f, s, T, more, waves, allowed, off, &found))) return bad;
    if (found) { memcpy(moved, d->one, 2*(size_t)N*sizeof *moved); return 0; }
  }
  if ((kicks || off > 20) && allowed) doubt_others(f, s, T, isfinite(off) ? off : 1e6);
  return find_anew(f, s, T, moved);
}

/* along the path of the one that began at the same time, with fewer nodes */
static int cross_roughly(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), n = (int)f->keep[USED_NODES], F = (int)f->keep[USED_PHASES];
  int bad = epi_freeze(f, s, T, F, 0);
  if (bad) return bad;
  memcpy(d->more, epi_picard_newest(f), (size_t)(n*answers_of(f))*sizeof *d->more);
  if ((bad = epi_picard_along(f, s, T, n, epi_picard_fewer_nodes(n), F, 1))) return bad;
  memcpy(moved, d->two, 2*(size_t)N*sizeof *moved);
  return 0;
}

static int cross(epi_flow *f, const epi_state *s, double T, double *moved)
{
  int again = epi_picard_is_newest(f, s->t), bad;
  if (f->rough && again && f->keep[USED_PIECES] == 1) return cross_roughly(f, s, T, moved);
  bad = cross_as_found(f, s, T, moved);
  if (bad || given(f) || again) return bad;
  const long crossed = (long)++f->keep[CROSSED];
  if (((const epi_crossing *)f->own)->alone) return 0;
  const epi_period_rule *A = epi_crossing_rule(f, (int)f->keep[USED_NODES], (int)f->keep[USED_PHASES]);
  const int one = f->keep[USED_PIECES] == 1, may_grow = one && f->sys->traits.smooth && !f->passing && crossed > 1;
  const int grown = may_grow && grows(f, T, allowed_of(f, s, T, A));
  if (one && (crossed == 1 || grown || checked_now(crossed))) note_sizes(f);
  note_time(f, s, T);
  if (grown) bad = find_anew(f, s, T, moved);
  else if (checked_now(crossed)) bad = check_again(f, s, T, moved);
  if (grown || checked_now(crossed)) ((epi_crossing *)f->own)->doubt.checked = s->t;
  return bad;
}

static int whole(epi_flow *f, epi_state *s, double T)
{
  int N = epi_dim(f->sys), bad;
  double *moved = f->moved ? f->moved : room_of(f)->moved, known[TIMES];
  if (!f->keep[USED_NODES] && (bad = start(f, s, T))) return bad;
  if (f->passing) memcpy(known, f->keep, sizeof known);
  bad = cross(f, s, T, moved);
  if (f->passing) memcpy(f->keep, known, sizeof known);
  if (bad) return bad;
  for (int i = 0; i < N; i += 2) epi_put_lanes(s->y + i, N - i, epi_lanes_at(s->y + i, N - i) + epi_lanes_at(moved + i, N - i));
  return 0;
}

static int part_of(epi_flow *f, epi_state *s, double h, double T)
{
  double *moved = room_of(f)->moved;
  int N = epi_dim(f->sys), done = 0, bad = given(f) ? 0 : epi_picard_within(f, s, T, h/T, moved, &done);
  if (bad < 0) return bad;
  /* the rest of the period may be where no force is */
  if (bad) epi_clear_error(f);
  if (bad || !done) return bit_by_bit(f, s, h, T, NULL);
  for (int i = 0; i < N; i++) s->y[i] += moved[i];
  return 0;
}

static int go(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  /* one period for somebody who moves time himself */
  if (f->moved && n == 1 && fabs(h) == f->arg[PERIOD].number) return epi_stopping(f) ? EPI_INTERRUPTED : whole(f, s, h);
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    double left = h, theta = s->theta;
    while (!bad) {
      double T = epi_turn_time(f->sys, f->arg[PERIOD].number, s->t, h < 0 ? -1 : 1);
      if (fabs(left) < fabs(T)*(1 - 1e-9)) { if (fabs(left) > 1e-9*fabs(T)) bad = part_of(f, s, left, T); break; }
      bad = epi_stopping(f) ? EPI_INTERRUPTED : whole(f, s, T);
      left -= T;
      if (fabs(left) <= 1e-9*fabs(T)) break;
      epi_tick on = epi_target(f->sys, s, T);
      on.theta = theta;
      epi_set_clock(s, on);
    }
    if (!bad) epi_set_clock(s, end);
    epi_moved(f, s);
  }
  return bad;
}

static void drop(epi_flow *f)
{
  epi_crossing *p = f->own;
  if (p) free(p->memory);
}

/* counts and places that a checkpoint brings are such as a run leaves them */
static int unsound(const epi_flow *f, const epi_state *s)
{
  static const struct { int at; double most; } counts[] = {
    {USED_NODES, MOST_NODES}, {USED_SWEEPS, 60}, {USED_PHASES, MOST_PHASES}, {USED_PIECES, 64}, {KNOWN, LAST}, {KNOWN_NODES, LAST_NODES},
    {CROSSED, 1e15}
  };
  const double *k = f->keep;
  (void)s;
  for (long i = 0; i < f->nkeep; i++) if (isnan(k[i])) return 1;
  for (size_t i = 0; i < sizeof counts/sizeof *counts; i++)
    if (!epi_is_count(k[counts[i].at]) || k[counts[i].at] > counts[i].most) return 1;
  return 0;
}

static void refuse_numbers(epi_flow *f)
{
  const epi_value *a = f->arg;
  epi_refuse(f, a[PHASES].given && !(a[PHASES].number >= 1 && a[PHASES].number <= MOST_PHASES && fmod(a[PHASES].number, 2) == 1),
             "picard: phases is %g: take an odd number from 1 to %d", a[PHASES].number, MOST_PHASES);
}

static void build(epi_flow *f)
{
  const epi_system *m = f->sys;
  epi_crossing *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse_memory(f, !p)) return;
  f->drop = drop;
  epi_refuse_memory(f, epi_crossing_open(f, p));
  epi_refuse(f, m->nc || m->manifold.retract,
             "picard of constraints or rotations is not known: take a flow that resolves the period, as in "
             "substeps(verlet, 50)");
  epi_refuse(f, m->inertia.speed != NULL, "picard needs q' = v: take a flow that resolves the period, as in substeps(gauss, 20)");
  epi_refuse(f, !(epi_arg(f, "period")->number > 0) && !(m->phase.period > 0) && !m->phase.phase_rate_at &&
             !(fabs(m->phase.phase_rate) > 0),
             "picard does not know the fast period: set period or phase_rate in the system, or give it its period");
  epi_refuse_period(f, f->arg[PERIOD].number);
  refuse_numbers(f);
  if (f->broken || epi_blocks(f, HEADS + (LAST*LAST_NODES + 1)*answers_of(f) + 1, epi_crossing_room_size(f))) return;
  epi_crossing_make_room(f);
  if (!(f->arg[PERIOD].number > 0) && !m->phase.phase_rate_at) f->arg[PERIOD].number = m->phase.period > 0 ? m->phase.period
    : 2*EPI_PI/fabs(m->phase.phase_rate);
  f->unsound = unsound;
  f->doubt = doubt;
  f->lands = f->whole = 1;
  f->claims |= EPI_BACKWARD & (m->traits.irreversible ? 0u : ~0u);
  f->go = go;
}

static const epi_param params[] = {
  [RTOL] = {.name = "rtol", .value = 1e-10, .doc = "allowed error of a period relative to what moves in it; what is around it may say so",
            .range = EPI_POSITIVE},
  [NODES] = {.name = "nodes", .kind = EPI_COUNT, .doc = "Gauss points of a period; found unless given",
             .range = {.least = 2, .most = PART_NODES}},
  [SWEEPS] = {.name = "sweeps", .kind = EPI_COUNT, .doc = "sweeps over them; found unless given", .range = {.least = 1, .most = 60}},
  [PHASES] = {.name = "phases", .kind = EPI_COUNT, .doc = "phases at which the force is asked first, an odd number; found unless given"},
  [PERIOD] = {.name = "period", .unit = "time", .doc = "the fast period; from the system unless given"},
  {0}
};
const epi_record epi_PICARD = {
  .name = "picard", .doc = "a whole fast period at once: the frozen force as a Fourier series, the rest by Picard sweeps on Gauss points",
  .cite = "after Clenshaw & Norton, Comput. J. 6 (1963) 88", .example = "revolve(picard)", .arrow = EPI_METHOD, .least = 1, .most = 1,
  .params = params, .claims = EPI_CLOCK | EPI_EXPLICIT, .build = build,
};
