/* picard-find.c - how many phases, sweeps and nodes a period takes, by what more of them change */
#include "picard.h"
#include "sweeping.h"

static const int phase_counts[] = {1, 3, 5, 9, 15, 21, MOST_PHASES};
static const int node_counts[] = {4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 24, 32, 40};
enum { NPHASES = 7, NNODES = 13, FIRST_NODES = 6 };

int epi_picard_more_nodes(int n)
{
  int i = 0;
  while (i < NNODES && node_counts[i] <= n) i++;
  return i < NNODES ? node_counts[i] : 0;
}

int epi_picard_fewer_nodes(int n)
{
  int i = NNODES - 1;
  while (i >= 0 && node_counts[i] >= n) i--;
  return i < 0 ? n : node_counts[i];
}

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

double epi_picard_apart(int N, const double *a, const double *b, const double *allowed)
{
  double most = 0;
  for (int i = 0; i < N; i++) most = epi_larger(most, fabs(a[i] - b[i])/fmax(allowed[i], 32*(a[N + i] + b[N + i])));
  return most;
}

const double *epi_picard_allowed(const epi_flow *f, const epi_state *s, double T, int F, int n)
{
  const epi_crossing_room *d = room_of(f);
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

/* misses of the interpolant at ASKED phases, moved by `shift` of their distance: their sums, and the largest behind them, into `last` */
enum { ASKED = 43 };
static int add_misses(epi_flow *f, const epi_state *s, double T, int F, double shift)
{
  const epi_crossing *p = f->own;
  const epi_crossing_room *d = room_of(f);
  const int R = p->second + p->first;
  double weight[MOST_PHASES];
  int bad = epi_freeze(f, s, T, ASKED, shift);
  for (int j = 0; j < ASKED && !bad; j++) {
    epi_period_wave(F, (j + shift)/ASKED, weight);
    for (int c = 0; c < R; c++) {
      const double misses = fabs(d->frozen[c*ASKED + j] - product(F, weight, d->wave + c*F));
      d->last[c] += misses;
      d->last[R + c] = epi_larger(d->last[R + c], misses);
    }
  }
  return bad;
}

int epi_picard_overtones(epi_flow *f, const epi_state *s, double T, const epi_picard_asked *a, double *off)
{
  const epi_crossing *p = f->own;
  const epi_crossing_room *d = room_of(f);
  const int R = p->second + p->first, F = a->phases;
  int bad = 0;
  *off = 0;
  memcpy(d->wave, d->frozen, (size_t)(R*F)*sizeof *d->wave);
  memset(d->last, 0, (size_t)(2*R)*sizeof *d->last);
  for (int k = 0; k < a->times && !bad; k++) bad = add_misses(f, s, T, F, fmod(a->shift + (double)k/a->times, 1));
  for (int c = 0; c < R && !bad; c++) {
    const double rounding = 2e-15*fabs(T)*largest(F, d->wave + c*F);
    if (a->least && !(d->last[R + c] > a->least[c])) continue;
    *off = epi_larger(*off, fabs(T)*d->last[c]/(a->times*ASKED)/(a->allowed[c < p->second ? p->second + c : c + p->second] + rounding));
  }
  return bad;
}

/* by how much the trigonometric interpolant at F phases misses the frozen forces half-way between these, in units of what is allowed: what
   it misses would be left to the Gauss points */
static int misses_between(epi_flow *f, const epi_state *s, double T, int F, const double *allowed, double *off)
{
  const epi_crossing *p = f->own;
  const epi_crossing_room *d = room_of(f);
  int R = p->second + p->first, bad;
  const double between = F == 1 ? 0.29 : 0.5;
  double weight[MOST_PHASES];
  *off = 0;
  if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
  /* all of them once more behind the last, so that those from any one on stand together */
  for (int c = 0; c < R; c++) for (int j = 0; j < 2*F; j++) d->wave[2*c*F + j] = d->frozen[c*F + j%F];
  if ((bad = epi_freeze(f, s, T, F, between))) return bad;
  epi_period_wave(F, between/F, weight);
  for (int j = 0; j < F; j++)
    for (int c = 0; c < R; c++) {
      const double *frozen = d->frozen + c*F, least = 2e-15*fabs(T)*largest(F, frozen);
      const double e = fabs(T)*fabs(frozen[j] - product(F, weight, d->wave + 2*c*F + j));
      *off = epi_larger(*off, e/(0.25*allowed[c < p->second ? p->second + c : c + p->second] + least));
    }
  return 0;
}

/* the least number of phases whose interpolant meets the frozen forces */
static int find_phases_at(epi_flow *f, const epi_state *s, double T, const double *allowed)
{
  for (int k = 0; k < NPHASES; k++) {
    int F = phase_counts[k], bad;
    double off;
    f->keep[USED_PHASES] = F;
    if (k == NPHASES - 1) break;
    if ((bad = misses_between(f, s, T, F, allowed, &off))) return bad;
    if (off > 1) continue;
    /* what is narrow may stand between all of these; where a force may have kinks each period is compared with other points as well */
    if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
    const epi_picard_asked all = {.phases = F, .times = f->sys->traits.smooth ? 2 : 1, .allowed = allowed};
    if ((bad = epi_picard_overtones(f, s, T, &all, &off))) return bad;
    if (off <= 0.25) break;
  }
  return 0;
}

/* an amplitude that is zero just where a period begins is not zero where it ends */
static int find_phases(epi_flow *f, const epi_state *s, double T, const double *allowed)
{
  epi_state end = *s;
  if (f->arg[PHASES].given) return f->keep[USED_PHASES] = f->arg[PHASES].number, 0;
  int bad = find_phases_at(f, s, T, allowed);
  if (bad || f->keep[USED_PHASES] > 1 || !f->sys->phase.forced) return bad;
  end.t += T;
  return find_phases_at(f, &end, T, allowed);
}

int epi_picard_along(epi_flow *f, const epi_state *s, double T, int n, int m, int F, int sweeps)
{
  const epi_period_rule *to = epi_crossing_rule(f, m, F);
  int bad = 0;
  /* it may have taken the place of the other */
  epi_carry_over(f, epi_crossing_rule(f, n, 0), to);
  epi_predict_path(f, s, T, to, 0);
  for (int k = 0; k < sweeps && !bad; k++) {
    if (k) epi_correct_path(f, T, to);
    bad = epi_sweep(f, s, to);
  }
  if (!bad) epi_move_by(f, s, T, to, room_of(f)->two);
  return bad;
}

/* what is left of a change of forces that a sweep brought where it is foretold: three times what was left, and a tenth at least, for
   elsewhere more may be; 1: nothing is foretold of these. The path and what was more along it are those of one sweep ago */
static double left_of_foretold(const epi_flow *f, const epi_state *s, const epi_period_rule *A, const double *path, const double *more)
{
  const epi_crossing_room *d = room_of(f);
  double left = 0, all = 0, told[EPI_PERIOD_NODES];
  epi_period_sums sums = {0};
  memcpy(told, more, (size_t)A->n*sizeof *told);
  A->forms->go_on(A, s->y[0], path, d->path, HUGE_VAL, told, &sums);
  for (int i = 0; i < A->n; i++) {
    left += A->b[i]*fabs(d->more[i] - told[i]);
    all += A->b[i]*fabs(d->more[i] - more[i]);
  }
  return all > 0 ? fmin(1, fmax(0.1, 3*left/all)) : 1;
}

/* sweeps over A until they change nothing: how many are needed, and what the last of those is off by; -1: they do not settle */
static int find_sweeps(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *allowed, int *sweeps)
{
  const epi_crossing_room *d = room_of(f);
  int N = epi_dim(f->sys), bad;
  double off[MOST_SWEEPS + 2], size[MOST_SWEEPS + 2], path[EPI_PERIOD_NODES], more[EPI_PERIOD_NODES];
  const int foretells = epi_is_one(f) && f->sys->traits.smooth;
  f->keep[FORETOLD] = 1;
  epi_predict_path(f, s, T, A, 1);
  for (int k = 1; k <= MOST_SWEEPS + 1; k++) {
    if (k > 1) {
      memcpy(path, d->path, (size_t)A->n*sizeof *path);
      memcpy(more, d->more, (size_t)A->n*sizeof *more);
      epi_correct_path(f, T, A);
    }
    if ((bad = epi_sweep(f, s, A))) return bad;
    if (k == 2 && foretells) f->keep[FORETOLD] = left_of_foretold(f, s, A, path, more);
    memcpy(d->last, d->sum, 2*(size_t)N*sizeof *d->sum);
    epi_move_by(f, s, T, A, d->sum);
    size[k] = epi_crossing_signs_of(f, T, allowed, d->sum).change;
    /* from some phases on what a sweep changes happens to cancel over the period, as it does nowhere else */
    off[k - 1] = k > 1 ? fmax(epi_picard_apart(N, d->sum, d->last, allowed), 0.3*size[k]) : HUGE_VAL;
    if (!(off[k - 1] < 0.1)) continue;
    for (*sweeps = k - 1; *sweeps > 1 && off[*sweeps - 1] < 0.5; ) (*sweeps)--;
    f->keep[PER_CHANGE] = f->keep[PER_ANY] = size[*sweeps] > 0 ? fmin(1, off[*sweeps]/size[*sweeps]) : 1;
    for (int i = 1; i < k; i++) f->keep[PER_ANY] = fmax(f->keep[PER_ANY], size[i] > 0 ? fmin(1, off[i]/size[i]) : 0);
    double echo = epi_crossing_echo(f, T);
    /* less than half is so by chance as well */
    f->keep[PER_ECHO] = echo > 0 ? fmax(0.5, fmin(1, 1.5*f->keep[PER_ANY]/echo)) : 1;
    /* what is far less than that of the others is so by chance, here and not elsewhere */
    f->keep[PER_CHANGE] = fmax(f->keep[PER_CHANGE], 0.1*f->keep[PER_ANY]);
    /* one alone shows nothing of the next: here the force may not change along the path, and elsewhere it does */
    if (*sweeps < 2) *sweeps = 2;
    return 0;
  }
  *sweeps = -1;
  return 0;
}

/* one sweep along a path that more nodes have found shows what fewer miss of the forces; where these change much along it, they miss some
   of the path as well */
static int sweeps_along(const epi_flow *f, double T)
{
  return epi_crossing_echo(f, T) > 0.25 ? (int)f->keep[USED_SWEEPS] : 1;
}

/* the fewest nodes, of those up to i, that come near enough to what many more give along the path that was found with node_counts[i] */
static int find_nodes(epi_flow *f, const epi_state *s, double T, int i, const double *allowed, int *found)
{
  const epi_crossing_room *d = room_of(f);
  int N = epi_dim(f->sys), F = (int)f->keep[USED_PHASES], bad, many = i + 2 < NNODES ? node_counts[i + 2] : MOST_NODES;
  double *ref = d->one, *x = d->two, sure = 0;
  int sweeps = sweeps_along(f, T);
  *found = 0;
  if ((bad = epi_picard_along(f, s, T, node_counts[i], many, F, sweeps))) return bad;
  memcpy(ref, x, 2*(size_t)N*sizeof *ref);
  for (int first = i, before = many; i >= 0; before = node_counts[i--]) {
    if ((bad = epi_picard_along(f, s, T, before, node_counts[i], F, sweeps))) return bad;
    double off = epi_picard_apart(N, x, ref, allowed);
    double tail = epi_crossing_signs_of(f, T, allowed, x).tail;
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

/* more nodes where those do not do */
int epi_picard_find(epi_flow *f, const epi_state *s, double T, const double *allowed, int *found)
{
  int bad, sweeps;
  *found = 0;
  if ((bad = find_phases(f, s, T, allowed))) return bad;
  int F = (int)f->keep[USED_PHASES];
  if (F == MOST_PHASES)
    epi_warn(f, "picard: at t = %.10g the force jumps or bends within a turn, or has more than %d overtones: a turn takes many "
             "evaluations, and each row between turns some thousands", s->t, MOST_PHASES/2);
  f->keep[USED_NODES] = PART_NODES;
  f->keep[USED_PIECES] = 1;
  if ((bad = epi_freeze(f, s, T, F, 0))) return bad;
  for (int n = FIRST_NODES; n < NNODES && !*found; n++) {
    if ((bad = find_sweeps(f, s, T, epi_crossing_rule(f, node_counts[n], F), allowed, &sweeps))) return bad;
    if (sweeps < 0) break;
    f->keep[USED_SWEEPS] = sweeps;
    if ((bad = find_nodes(f, s, T, n, allowed, found))) return bad;
  }
  return 0;
}

int epi_picard_find_fewer(epi_flow *f, const epi_state *s, double T, int many, int F, const double *allowed, double off)
{
  const epi_crossing_room *d = room_of(f);
  int N = epi_dim(f->sys), bad;
  double *ref = d->one, *x = d->two, now = ((const epi_crossing *)f->own)->tail;
  /* where the force is small by chance few nodes do, and elsewhere not: by so much more than here it was there before */
  const double times = now > 0 ? fmax(1, f->keep[LARGEST]/now) : 1;
  if (f->arg[NODES].given) return 0;
  int sweeps = sweeps_along(f, T);
  memcpy(ref, x, 2*(size_t)N*sizeof *ref);
  while (off < EPI_PICARD_ENOUGH) {
    int n = epi_picard_fewer_nodes((int)f->keep[USED_NODES]);
    if (n == (int)f->keep[USED_NODES]) break;
    if ((bad = epi_picard_along(f, s, T, many, n, F, sweeps))) return bad;
    double tail = times*epi_crossing_signs_of(f, T, allowed, x).tail;
    off = fmax(off, times*epi_picard_apart(N, x, ref, allowed));
    /* less than that is so by chance, here and not elsewhere */
    double per_tail = fmax(20*f->keep[PER_TAIL], tail > 0 ? off/(tail*tail) : 1);
    if (!(fmax(off, per_tail*tail*tail) < 0.1)) break;
    f->keep[PER_TAIL] = fmin(1, per_tail);
    f->keep[USED_NODES] = n;
    f->keep[KNOWN] = f->keep[LARGEST] = *epi_picard_tail(f) = 0;
    many = n;
  }
  return 0;
}

int epi_picard_find_more(epi_flow *f, const epi_state *s, double T, int many, int F, const double *allowed, double off, int *found)
{
  const epi_crossing_room *d = room_of(f);
  double *ref = d->one, *x = d->two;
  int N = epi_dim(f->sys), n = (int)f->keep[USED_NODES], up = epi_picard_more_nodes(n), bad;
  /* only the second feels what these nodes miss of the path itself */
  const int sweeps = (int)fmax(2, sweeps_along(f, T));
  *found = 0;
  if (!up || up > many || f->arg[NODES].given) return 0;
  memcpy(ref, x, 2*(size_t)N*sizeof *ref);
  if ((bad = epi_picard_along(f, s, T, many, n, F, sweeps))) return bad;
  /* more sweeps or phases may be what it lacks */
  if (!(epi_picard_apart(N, x, ref, allowed) > 0.5*off)) return 0;
  if ((bad = epi_picard_along(f, s, T, n, up, F, sweeps))) return bad;
  double left = up < many ? epi_picard_apart(N, x, ref, allowed) : off*pow(0.1, up - n);
  double tail = epi_crossing_signs_of(f, T, allowed, x).tail;
  if (!(left < 0.3)) return 0;
  *found = 1;
  if (tail > 0) f->keep[PER_TAIL] = fmin(1, fmax(f->keep[PER_TAIL], left/(tail*tail)));
  f->keep[USED_NODES] = up;
  f->keep[KNOWN] = f->keep[LARGEST] = *epi_picard_tail(f) = 0;
  return 0;
}
