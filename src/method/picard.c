/* picard.c - a whole fast period at once. The forces of the frozen state, a trigonometric polynomial of the phase, are integrated exactly;
 * what the motion within the period adds is found by Picard sweeps on Gauss points. The large force of a fast drive is thus never
 * differenced, and all points of a sweep are independent: one call of the batch callback where the system has one.
 * Shorter steps are Gauss collocation, swept until nothing changes. */
#include "crossing.h"

enum { RTOL, NODES, SWEEPS, PHASES, PERIOD };
/* kept: what is used, in how many pieces where a period is too long for it; error per square of the last coefficients and per change of the
   last sweep, or of any; how many periods were crossed; how many of the last ones are known, with how many nodes, where the newest stands
   among them, when they began; then what was more than the frozen forces in each */
enum { USED_NODES, USED_SWEEPS, USED_PHASES, USED_PIECES, PER_TAIL, PER_CHANGE, PER_ANY, CROSSED, KNOWN, KNOWN_NODES, NEWEST, TIMES };
enum { LAST = 6, HEADS = TIMES + LAST, LAST_NODES = 18 };
enum { MOST_NODES = EPI_PERIOD_NODES, MOST_PHASES = 41, MOST_SWEEPS = 24, PART_NODES = 24 };

static const int phase_counts[] = {1, 3, 5, 9, 15, 21, MOST_PHASES};
static const int node_counts[] = {4, 5, 6, 7, 8, 10, 12, 14, 18, 24, 32, 40};
enum { NPHASES = 7, NNODES = 12 };

typedef epi_crossing_room room;
typedef epi_crossing_signs signs;
static const room *room_of(const epi_flow *f) { return epi_crossing_room_of(f); }

static double largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = epi_larger(most, fabs(x[i]));
  return most;
}

static double product(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i]*b[i];
  return sum;
}

/* ---- how many nodes, sweeps and phases ---- */
static double apart(int N, const double *a, const double *b, const double *allowed)
{
  double most = 0;
  for (int i = 0; i < N; i++) most = epi_larger(most, fabs(a[i] - b[i])/fmax(allowed[i], 32*(a[N + i] + b[N + i])));
  return most;
}

/* an error that a parent allows, or a part of what the step moves, by its forces at F phases and what is more at n points */
static const double *allowed_of(const epi_flow *f, const epi_state *s, double T, int F, int n, const room *d)
{
  const epi_crossing *p = f->own;
  int S = p->second;
  double rtol = f->arg[RTOL].number;
  if (f->allowed) return f->allowed;
  for (int c = 0; c < S + p->first; c++) {
    double r = (largest(F, d->frozen + c*F) + largest(n, d->more + c*n))*fabs(T);
    int at = c < S ? S + c : c + S;
    d->allowed[at] = rtol*(fabs(s->y[at]) + r) + 1e-300;
    if (c < S) d->allowed[c] = rtol*(fabs(s->y[c]) + fabs(T)*(fabs(s->y[at]) + r)) + 1e-300;
  }
  return d->allowed;
}

/* the least number whose trigonometric interpolant meets the frozen forces half-way between the phases: what it misses would be left to the
   Gauss points */
static int find_phases(epi_flow *f, const epi_state *s, double T, const double *allowed)
{
  const epi_crossing *p = f->own;
  const room *d = room_of(f);
  int R = p->second + p->first, bad;
  double weight[MOST_PHASES];
  for (int k = 0; k < NPHASES; k++) {
    int F = phase_counts[k];
    double off = 0;
    f->keep[USED_PHASES] = F;
    if (k == NPHASES - 1) break;
    if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
    memcpy(d->wave, d->frozen, (size_t)(R*F)*sizeof *d->wave);
    if ((bad = epi_freeze(f, s, T, F, F == 1 ? 0.29 : 0.5))) return bad;
    for (int j = 0; j < F; j++) {
      epi_period_wave(F, (j + (F == 1 ? 0.29 : 0.5))/F, weight);
      for (int c = 0; c < R; c++) {
        double e = fabs(T)*fabs(d->frozen[c*F + j] - product(F, weight, d->wave + c*F)), least = 4e-16*fabs(T)*largest(F, d->frozen + c*F);
        off = epi_larger(off, e/(0.25*allowed[c < p->second ? p->second + c : c + p->second] + least));
      }
    }
    if (off <= 1) break;
  }
  return 0;
}

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
    if ((*bad = epi_sweep(f, A))) return NULL;
    epi_move_by(f, s, h, A, now);
    change = k ? apart(N, now, last, allowed_of(f, s, h, 1, A->n, d)) : HUGE_VAL;
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
  const double *allowed = allowed_of(f, s, h, 1, A->n, d);
  double off = 0;
  *rough = epi_crossing_signs_of(f, h, A, allowed, d->one).tail > 1;
  int bad = *rough || f->sys->smooth ? 0 : epi_crossing_ends(f, s, h, A, allowed, d->one, &off);
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
    if (before || !(apart(N, d->sum, d->last, allowed) < 0.3)) continue;
    f->keep[USED_PIECES] = 0.5*pieces;
    return 0;
  }
  return epi_fail(f, EPI_WRONG, "picard: at t = %.10g its sweeps of a period do not reach the accuracy asked for: the motion within a "
                  "period is not small, or its force not smooth; take a flow that resolves it, as in substeps(symmetric(verlet, order=8), "
                  "20)", s->t);
}

/* once more at m points along the path that was found with n, frozen forces at F phases as they are now: into `two`. Only a second sweep
   feels what that path itself was off by */
static int cross_along(epi_flow *f, const epi_state *s, double T, int n, int m, int F, int sweeps)
{
  const epi_period_rule *to = epi_crossing_rule(f, m, F);
  int bad = 0;
  /* it may have taken the place of the other */
  epi_carry_over(f, epi_crossing_rule(f, n, (int)f->keep[USED_PHASES]), to);
  epi_predict_path(f, s, T, to, 0);
  for (int k = 0; k < sweeps && !bad; k++) {
    epi_correct_path(f, T, to);
    bad = epi_sweep(f, to);
  }
  if (!bad) epi_move_by(f, s, T, to, room_of(f)->two);
  return bad;
}

/* sweeps over A until they change nothing: how many are needed, and what the last of those is off by; -1: they do not settle */
static int find_sweeps(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *allowed, int *sweeps)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad;
  double off[MOST_SWEEPS + 2], size[MOST_SWEEPS + 2];
  epi_predict_path(f, s, T, A, 1);
  for (int k = 1; k <= MOST_SWEEPS + 1; k++) {
    if (k > 1) epi_correct_path(f, T, A);
    if ((bad = epi_sweep(f, A))) return bad;
    memcpy(d->last, d->sum, 2*(size_t)N*sizeof *d->sum);
    epi_move_by(f, s, T, A, d->sum);
    size[k] = epi_crossing_signs_of(f, T, A, allowed, d->sum).change;
    /* from some phases on what a sweep changes happens to cancel over the period, as it does nowhere else */
    off[k - 1] = k > 1 ? fmax(apart(N, d->sum, d->last, allowed), 0.3*size[k]) : HUGE_VAL;
    if (!(off[k - 1] < 0.1)) continue;
    for (*sweeps = k - 1; *sweeps > 1 && off[*sweeps - 1] < 0.5; ) (*sweeps)--;
    f->keep[PER_CHANGE] = f->keep[PER_ANY] = size[*sweeps] > 0 ? fmin(1, off[*sweeps]/size[*sweeps]) : 1;
    for (int i = 1; i < k; i++) f->keep[PER_ANY] = fmax(f->keep[PER_ANY], size[i] > 0 ? fmin(1, off[i]/size[i]) : 0);
    /* what is far less than that of the others is so by chance, here and not elsewhere */
    f->keep[PER_CHANGE] = fmax(f->keep[PER_CHANGE], 0.1*f->keep[PER_ANY]);
    /* one alone shows nothing of the next: here the force may not change along the path, and elsewhere it does */
    if (*sweeps < 2) *sweeps = 2;
    return 0;
  }
  *sweeps = -1;
  return 0;
}

/* the fewest nodes, of those up to i, that come near enough to what many more give along the path that was found with node_counts[i] */
static int find_nodes(epi_flow *f, const epi_state *s, double T, int i, const double *allowed, int *found)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), F = (int)f->keep[USED_PHASES], bad, many = i + 2 < NNODES ? node_counts[i + 2] : MOST_NODES;
  double *ref = d->one, *x = d->two, sure = 0;
  *found = 0;
  if ((bad = cross_along(f, s, T, node_counts[i], many, F, 1))) return bad;
  memcpy(ref, x, 2*(size_t)N*sizeof *ref);
  for (int first = i, before = many; i >= 0; before = node_counts[i--]) {
    if ((bad = cross_along(f, s, T, before, node_counts[i], F, 1))) return bad;
    double off = apart(N, x, ref, allowed), tail = epi_crossing_signs_of(f, T, epi_crossing_rule(f, node_counts[i], F), allowed, x).tail;
    if (i == first) sure = off;
    if (!(off < (i == first ? 0.1 : 0.7))) return 0;
    *found = 1;
    f->keep[PER_TAIL] = tail > 0 ? fmin(1, fmax(sure, off)/(tail*tail)) : 1;
    f->keep[USED_NODES] = node_counts[i];
    /* a node less costs a digit at least */
    if (i < first && off > 0.07) return 0;
  }
  return 0;
}

/* phases, then sweeps, then nodes; more nodes where those do not do */
static int calibrate(epi_flow *f, const epi_state *s, double T)
{
  const room *d = room_of(f);
  int bad, found = 0, sweeps;
  /* the size of things first, with some of each */
  if (!f->allowed && (bad = epi_cross(f, s, T, epi_crossing_rule(f, 10, 5), 2, d->two))) return bad;
  const double *allowed = allowed_of(f, s, T, 5, 10, d);
  if ((bad = find_phases(f, s, T, allowed))) return bad;
  int F = (int)f->keep[USED_PHASES];
  if (F == MOST_PHASES)
    epi_warn(f, "picard: at t = %.10g the force jumps or bends within a turn, or has more than %d overtones: a turn takes many "
             "evaluations, and each row between turns some thousands", s->t, MOST_PHASES/2);
  f->keep[USED_NODES] = PART_NODES;
  f->keep[USED_PIECES] = 1;
  if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
  for (int n = 5; n < NNODES && !found; n++) {
    if ((bad = find_sweeps(f, s, T, epi_crossing_rule(f, node_counts[n], F), allowed, &sweeps))) return bad;
    if (sweeps < 0) break;
    f->keep[USED_SWEEPS] = sweeps;
    if ((bad = find_nodes(f, s, T, n, allowed, &found))) return bad;
  }
  return found ? 0 : find_pieces(f, s, T, allowed);
}

static int given(const epi_flow *f) { return f->arg[NODES].given && f->arg[SWEEPS].given && f->arg[PHASES].given; }

static int start(epi_flow *f, const epi_state *s, double T)
{
  int bad = given(f) ? 0 : calibrate(f, s, T);
  /* it may have been found good by chance: it is looked at again soon */
  f->keep[CROSSED] = 0;
  if (given(f)) f->keep[USED_PIECES] = 1;
  if (f->arg[NODES].given) f->keep[USED_NODES] = f->arg[NODES].number;
  if (f->arg[SWEEPS].given) f->keep[USED_SWEEPS] = f->arg[SWEEPS].number;
  if (f->arg[PHASES].given) f->keep[USED_PHASES] = f->arg[PHASES].number;
  return bad;
}

/* ---- a period begins with what is known of those before it ---- */
static long answers_of(const epi_flow *f)
{
  const epi_crossing *p = f->own;
  return p->second + p->first;
}
/* where the one stands that is so many before the newest, and what is known of it */
static int slot_of(const epi_flow *f, int before)
{
  int slot = (int)f->keep[NEWEST] - before;
  return slot < 0 ? slot + LAST : slot;
}
static double *last_of(const epi_flow *f, int before)
{
  return f->keep + HEADS + slot_of(f, before)*(int)f->keep[KNOWN_NODES]*answers_of(f);
}

/* but for rounding */
static int same_time(double a, double b) { return fabs(a - b) <= 1e-15*fabs(a); }
static int is_newest(const epi_flow *f, double t) { return f->keep[KNOWN] > 0 && same_time(t, f->keep[TIMES + slot_of(f, 0)]); }

/* what stands in the room of this one is known to the next. One that began when another did stands in its place; of those before a step
   that was taken back nothing is known */
static void remember(epi_flow *f, double t)
{
  double *k = f->keep;
  int n = (int)k[USED_NODES], same = is_newest(f, t);
  if (k[KNOWN_NODES] != n || n > LAST_NODES) k[KNOWN] = 0;
  if (n > LAST_NODES) return;
  for (int i = 1, known = (int)k[KNOWN]; i < known && !same; i++) if (same_time(t, k[TIMES + slot_of(f, i)])) k[KNOWN] = 0;
  if (!same) {
    k[NEWEST] = k[NEWEST] < LAST - 1 ? k[NEWEST] + 1 : 0;
    k[KNOWN] = k[KNOWN] < LAST ? k[KNOWN] + 1 : LAST;
  }
  k[KNOWN_NODES] = n;
  k[TIMES + slot_of(f, 0)] = t;
  memcpy(last_of(f, 0), room_of(f)->more, (size_t)(n*answers_of(f))*sizeof *k);
}

/* weights of the polynomial through the last periods at t, so many of them that what they are off by is not enlarged much: 63 times by six
   that are equally far apart; returns how many */
static int weigh(const epi_flow *f, double t, double *weight)
{
  double at[LAST] = {0}, under[LAST] = {0};
  int known = (int)f->keep[KNOWN];
  for (int j = 0; j < known; j++) {
    double d = 1;
    at[j] = f->keep[TIMES + slot_of(f, j)];
    weight[j] = 1;
    if (same_time(t, at[j])) {
      for (int i = 0; i < j; i++) weight[i] = 0;
      return j + 1;
    }
    for (int i = 0; i < j; i++) { double x = at[j] - at[i]; d *= x; under[i] *= -x; }
    under[j] = d;
  }
  for (;; known--) {
    double over = 1, sum = 0;
    for (int j = 0; j < known; j++) over *= t - at[j];
    for (int j = 0; j < known; j++) sum += fabs(weight[j] = over/((t - at[j])*under[j]));
    if (sum <= 64 || known == 1) return known;
    for (int j = 0; j < known - 1; j++) under[j] /= at[j] - at[known - 1];
  }
}

/* what was more than the frozen forces in the last periods goes on into this one by the polynomial through them; 1: nothing is known */
static int go_on(const epi_flow *f, double t)
{
  const double *k = f->keep;
  const double one = 1;
  double *more = room_of(f)->more, weight[LAST], in_place[LAST];
  int many = (int)k[USED_NODES]*(int)answers_of(f);
  if (!(k[KNOWN] > 0) || k[KNOWN_NODES] != k[USED_NODES] || k[USED_SWEEPS] < 2) return 1;
  const int known = weigh(f, t, weight);
  if (known == LAST) {
    for (int j = 0; j < LAST; j++) in_place[slot_of(f, j)] = weight[j];
    epi_multiply(many, LAST, 1, k + HEADS, in_place, NULL, more);
  } else
    for (int j = 0; j < known; j++) epi_multiply(many, 1, weight[j], last_of(f, j), &one, j ? more : NULL, more);
  return 0;
}

/* the sweeps of a period, fewer where one changes so little that the next would change nothing */
static int sweep_on(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, double *moved)
{
  const double *keep = f->keep;
  const room *d = room_of(f);
  int bad = epi_freeze(f, s, T, A->phases, 0), cold = bad || go_on(f, s->t), sweeps = (int)keep[USED_SWEEPS];
  if (bad) return bad;
  epi_predict_path(f, s, T, A, cold);
  if (!cold) epi_correct_path(f, T, A);
  for (int k = 1; !(bad = epi_sweep(f, A)) && k < sweeps; k++) {
    if (!cold && epi_crossing_change(f, T, A, allowed_of(f, s, T, A->phases, A->n, d))*keep[PER_ANY] <= 0.2) break;
    epi_correct_path(f, T, A);
  }
  if (!bad) epi_move_by(f, s, T, A, moved);
  return bad;
}

/* one period that is unlike the others, as where an amplitude begins to grow: what was found for these stays */
static int cross_alone(epi_flow *f, const epi_state *from, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys);
  ((epi_crossing *)f->own)->alone = 1;
  epi_state s = *from;
  s.y = d->state;
  memcpy(s.y, from->y, (size_t)N*sizeof *s.y);
  memset(moved, 0, 2*(size_t)N*sizeof *moved);
  return bit_by_bit(f, &s, T, T, moved);
}

/* of a smooth force other points say the same, and what a kink leaves out between points is not the same for both. 1: they do not */
static int differs(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *moved, int *bad)
{
  const room *d = room_of(f);
  int i = 0, n = A->n, F = A->phases;
  while (i < NNODES && node_counts[i] <= n) i++;
  int m = i < NNODES ? node_counts[i] : n - 4;
  if ((*bad = cross_along(f, s, T, n, m, F, 1))) return 0;
  return !(apart(epi_dim(f->sys), moved, d->two, allowed_of(f, s, T, F, m, d)) <= 5);
}

/* less is allowed than rounding leaves */
static int is_rounding(const epi_flow *f, const double *allowed, const double *moved)
{
  for (int i = 0, N = epi_dim(f->sys); i < N; i++) if (allowed[i] < 32*moved[N + i]) return 1;
  return 0;
}

/* with one node count or one sweep more, where the period itself shows that it needs them */
static int cross_as_found(epi_flow *f, const epi_state *s, double T, double *moved)
{
  double *k = f->keep, nodes = k[USED_NODES], sweeps = k[USED_SWEEPS];
  const room *d = room_of(f);
  int bad;
  ((epi_crossing *)f->own)->alone = 0;
  for (;;) {
    if (k[USED_PIECES] > 1) return in_pieces(f, s, T, (int)k[USED_PIECES], moved);
    const epi_period_rule *A = epi_crossing_rule(f, (int)k[USED_NODES], (int)k[USED_PHASES]);
    if (given(f)) return epi_cross(f, s, T, A, (int)k[USED_SWEEPS], moved);
    if ((bad = sweep_on(f, s, T, A, moved))) return bad;
    const double *allowed = allowed_of(f, s, T, A->phases, A->n, d);
    signs x = epi_crossing_signs_of(f, T, A, allowed, moved);
    /* of rounding alone, which is more than it seems where a large force is just zero, neither is more than some tens */
    const double least = is_rounding(f, allowed, moved) ? 300 : 0;
    int few = x.tail > least && x.tail*x.tail*k[PER_TAIL] > 1 && !f->arg[NODES].given;
    int early = x.change > least && x.change*k[PER_CHANGE] > 1 && !f->arg[SWEEPS].given, i = 0;
    if (!few && !early) {
      remember(f, s->t);
      if (f->sys->smooth || !differs(f, s, T, A, moved, &bad)) return bad;
      k[KNOWN] = 0;
      return cross_alone(f, s, T, moved);
    }
    k[KNOWN] = 0;
    while (i < NNODES && node_counts[i] <= A->n) i++;
    if ((few && i == NNODES) || (early && k[USED_SWEEPS] >= MOST_SWEEPS)) {
      k[USED_NODES] = nodes;
      k[USED_SWEEPS] = sweeps;
      return least > 0 ? 0 : cross_alone(f, s, T, moved);
    }
    if (few) k[USED_NODES] = node_counts[i];
    if (early) k[USED_SWEEPS]++;
  }
}

static int checked_now(long crossed)
{
  return crossed == 4 || crossed == 10 || crossed == 24 || (crossed && crossed % 48 == 0);
}

/* the period once more with more of everything, from the path that was found where that is known; into `two` */
static int cross_with_more(epi_flow *f, const epi_state *s, double T, int n, int F)
{
  const room *d = room_of(f);
  int used = (int)f->keep[USED_NODES], bad;
  if (!is_newest(f, s->t)) return epi_cross(f, s, T, epi_crossing_rule(f, n, F), (int)f->keep[USED_SWEEPS] + 1, d->two);
  if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
  memcpy(d->more, last_of(f, 0), (size_t)(used*answers_of(f))*sizeof *d->more);
  return cross_along(f, s, T, used, n, F, 2);
}

/* where that differs, all is found again here */
static int check_again(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad, n = (int)f->keep[USED_NODES], F = (int)f->keep[USED_PHASES];
  int more = more_than(n), waves = 2*F + 1 < MOST_PHASES ? 2*F + 1 : MOST_PHASES;
  double off = 2;
  if (f->keep[USED_PIECES] == 1) {
    if ((bad = cross_with_more(f, s, T, more, waves))) return bad;
    const double *allowed = allowed_of(f, s, T, waves, more, d);
    off = apart(N, moved, d->two, allowed);
    /* where rounding is all there is, nothing better would be found */
    if (off <= 300 && is_rounding(f, allowed, moved)) return 0;
  }
  if (off <= 1) return 0;
  if (off > 20)
    epi_warn(f, "picard: the motion within a period changed its character before t = %.10g, where its nodes and sweeps are %.2g times less "
             "accurate than asked: ask for more (rtol), or give nodes and sweeps", s->t, off);
  bad = start(f, s, T);
  return bad ? bad : cross_as_found(f, s, T, moved);
}

/* along the path of the one that began at the same time, with fewer nodes */
static int cross_roughly(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), n = (int)f->keep[USED_NODES], F = (int)f->keep[USED_PHASES], i = NNODES - 1;
  while (i > 0 && node_counts[i] >= n) i--;
  int bad = epi_freeze(f, s, T, F, 0);
  if (bad) return bad;
  memcpy(d->more, last_of(f, 0), (size_t)(n*answers_of(f))*sizeof *d->more);
  if ((bad = cross_along(f, s, T, n, node_counts[i], F, 1))) return bad;
  memcpy(moved, d->two, 2*(size_t)N*sizeof *moved);
  return 0;
}

static int cross(epi_flow *f, const epi_state *s, double T, double *moved)
{
  int again = is_newest(f, s->t), bad;
  if (f->rough && again && f->keep[USED_PIECES] == 1) return cross_roughly(f, s, T, moved);
  bad = cross_as_found(f, s, T, moved);
  int alone = ((const epi_crossing *)f->own)->alone;
  if (bad || given(f) || again || !checked_now((long)++f->keep[CROSSED]) || alone) return bad;
  return check_again(f, s, T, moved);
}

static int whole(epi_flow *f, epi_state *s, double T)
{
  int N = epi_dim(f->sys), bad;
  double *moved = room_of(f)->moved;
  if (!f->keep[USED_NODES] && (bad = start(f, s, T))) return bad;
  if ((bad = cross(f, s, T, moved))) return bad;
  for (int i = 0; i < N; i++) s->y[i] += moved[i];
  if (f->moved) memcpy(f->moved, moved, 2*(size_t)N*sizeof *moved);
  return 0;
}

static int go(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    double left = h, theta = s->theta;
    while (!bad) {
      double T = epi_turn_time(f->sys, f->arg[PERIOD].number, s->t, h < 0 ? -1 : 1);
      if (fabs(left) < fabs(T)*(1 - 1e-9)) { if (fabs(left) > 1e-9*fabs(T)) bad = bit_by_bit(f, s, left, T, NULL); break; }
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
    {NEWEST, LAST - 1}
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
  epi_refuse(f, a[NODES].given && !(a[NODES].number >= 2 && a[NODES].number <= PART_NODES), "picard: nodes is %g: take 2 to %d",
             a[NODES].number, PART_NODES);
  epi_refuse(f, a[SWEEPS].given && !(a[SWEEPS].number >= 1 && a[SWEEPS].number <= 60), "picard: sweeps is %g: take 1 to 60",
             a[SWEEPS].number);
  epi_refuse(f, a[PHASES].given && !(a[PHASES].number >= 1 && a[PHASES].number <= MOST_PHASES && fmod(a[PHASES].number, 2) == 1),
             "picard: phases is %g: take an odd number from 1 to %d", a[PHASES].number, MOST_PHASES);
  epi_refuse(f, !(a[RTOL].number > 0), "picard: rtol is %g: it must be positive", a[RTOL].number);
}

static void build(epi_flow *f)
{
  const epi_system *m = f->sys;
  epi_crossing *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse(f, !p, "out of memory")) return;
  f->drop = drop;
  epi_refuse(f, epi_crossing_open(f, p), "out of memory");
  epi_refuse(f, m->nc || m->retract, "picard of constraints or rotations is not known: take a flow that resolves the period, as in "
             "substeps(verlet, 50)");
  epi_refuse(f, m->speed != NULL, "picard needs q' = v: take a flow that resolves the period, as in substeps(gauss, 20)");
  epi_refuse(f, !(epi_arg(f, "period")->number > 0) && !(m->period > 0) && !m->phase_rate_at && !(fabs(m->phase_rate) > 0),
             "picard does not know the fast period: set period or phase_rate in the system, or give it its period");
  refuse_numbers(f);
  if (f->broken || epi_blocks(f, HEADS + LAST*LAST_NODES*answers_of(f), epi_crossing_room_size(f))) return;
  epi_crossing_make_room(f);
  if (!(f->arg[PERIOD].number > 0) && !m->phase_rate_at) f->arg[PERIOD].number = m->period > 0 ? m->period : 2*EPI_PI/fabs(m->phase_rate);
  f->unsound = unsound;
  f->lands = f->whole = 1;
  f->claims |= EPI_BACKWARD & (m->irreversible ? 0u : ~0u);
  f->go = go;
}

static const epi_param params[] = {
  [RTOL] = {.name = "rtol", .value = 1e-10, .doc = "allowed error of a period relative to what moves in it; what is around it may say so"},
  [NODES] = {.name = "nodes", .kind = EPI_COUNT, .doc = "Gauss points of a period; found unless given"},
  [SWEEPS] = {.name = "sweeps", .kind = EPI_COUNT, .doc = "sweeps over them; found unless given"},
  [PHASES] = {.name = "phases", .kind = EPI_COUNT, .doc = "phases at which the force is asked first, an odd number; found unless given"},
  [PERIOD] = {.name = "period", .unit = "time", .doc = "the fast period; from the system unless given"},
  {0}
};
const epi_record epi_PICARD = {
  .name = "picard", .doc = "a whole fast period at once: the frozen force as a Fourier series, the rest by Picard sweeps on Gauss points",
  .cite = "after Clenshaw & Norton, Comput. J. 6 (1963) 88", .example = "revolve(picard)", .arrow = EPI_METHOD, .least = 1, .most = 1,
  .params = params, .claims = EPI_CLOCK | EPI_EXPLICIT, .build = build,
};
