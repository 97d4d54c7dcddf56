/* picard.c - a whole fast period at once. The forces of the frozen state, a trigonometric polynomial of the phase, are integrated exactly;
 * what the motion within the period adds is found by Picard sweeps on Gauss points. The large force of a fast drive is thus never
 * differenced, and all points of a sweep are independent: one call of the batch callback where the system has one.
 * Shorter steps are Gauss collocation, swept until nothing changes. */
#include "period.h"

enum { RTOL, NODES, SWEEPS, PHASES, PERIOD };
/* kept: what is used, in how many pieces where a period is too long for it; error per square of the last coefficients and per change of the
   last sweep, or of any; how many periods were crossed, without those that began with the one before */
enum { USED_NODES, USED_SWEEPS, USED_PHASES, USED_PIECES, PER_TAIL, PER_CHANGE, PER_ANY, CROSSED, NKEEP };
enum { MOST_NODES = EPI_PERIOD_NODES, MOST_PHASES = 41, LANES = 52, MOST_SWEEPS = 24, PART_NODES = 24 };

static const int phase_counts[] = {1, 3, 5, 9, 15, 21, MOST_PHASES};
static const int node_counts[] = {4, 5, 6, 7, 8, 10, 12, 14, 18, 24, 32, 40};
enum { NPHASES = 7, NNODES = 12, MEMORY = 160 << 10 };

/* lanes of answers, of the path and of its predictor; one state and its answer; times and phases; states and what moved them */
typedef struct {
  double *frozen, *wave, *more, *before, *base, *path, *y, *r, *t, *theta, *one, *two, *allowed, *state, *moved, *sum, *last;
} room;

typedef struct {
  epi_period_rule *rules;              /* those used so far, in this memory */
  char *memory;
  size_t used;
  int second, first;                   /* coordinates that have a force, and that have a rate */
  int all;                             /* forces need the velocities along the way */
  int stands;                          /* so many nodes of the last period stand in the room; 0: it was used for something else */
  double t, T;                         /* when that began, and how long it is */
  room room;
} picard;

static room make_room(const epi_flow *f)
{
  const picard *p = f->own;
  long N = epi_dim(f->sys), R = p->second + p->first;
  room d = {.frozen = f->work};
  d.wave = d.frozen + R*LANES;
  d.more = d.wave + R*LANES;
  d.before = d.more + R*LANES;
  d.base = d.before + R*LANES;
  d.path = d.base + N*LANES;
  d.y = d.path + N*LANES;
  d.r = d.y + N;
  d.t = d.r + R;
  d.theta = d.t + LANES;
  d.one = d.theta + LANES;
  d.two = d.one + 2*N;
  d.allowed = d.two + 2*N;
  d.state = d.allowed + N;
  d.moved = d.state + N;
  d.sum = d.moved + 2*N;
  d.last = d.sum + 2*N;
  return d;
}
static const room *room_of(const epi_flow *f) { return &((const picard *)f->own)->room; }
static long room_size(const picard *p, long N)
{
  long R = p->second + p->first;
  return 4*R*LANES + 2*N*LANES + 13*N + R + 2*LANES;
}

/* made when first asked for, in memory that the build has taken; when that is full, all are made anew */
static const epi_period_rule *rule_of(epi_flow *f, int n, int phases)
{
  picard *p = f->own;
  const epi_period_rule *like = NULL;
  for (epi_period_rule *r = p->rules; r; r = r->next) {
    if (r->n == n && r->phases == phases) return r;
    if (r->n == n) like = r;
  }
  size_t size = epi_period_rule_size(n, phases);
  if (p->used + size > MEMORY) { p->rules = NULL; p->used = 0; like = NULL; }
  int needs = (p->second ? EPI_PERIOD_TWICE : 0) | (p->all || p->first ? EPI_PERIOD_ONCE : 0);
  epi_period_rule *made = epi_period_rule_make(n, phases, needs, like, p->memory + p->used);
  p->used += size;
  made->next = p->rules;
  return p->rules = made;
}

/* ---- forces at many points ---- */
/* path: every coordinate has `lanes` values, which stand together; so have the answers */
static int ask_batch(epi_flow *f, int lanes, const room *d, double *out)
{
  epi_system *m = f->sys;
  int n = m->nq, bad = m->forces(m, lanes, d->t, d->theta, d->path, out);
  f->calls += lanes;
  if (f->space->mass == UNIT || m->accel) return bad;
  for (int i = 0; i < lanes && !bad; i++) {
    for (int c = 0; c < n; c++) { d->y[c] = d->path[c*lanes + i]; d->r[c] = out[c*lanes + i]; }
    epi_apply_inverse_mass(f->space, d->y, d->r);
    for (int c = 0; c < n; c++) out[c*lanes + i] = d->r[c];
  }
  return bad;
}

static int ask_one(epi_flow *f, const picard *p, const room *d, int i)
{
  epi_system *m = f->sys;
  int bad;
  if (!p->second) return epi_rate_at(f, d->t[i], d->theta[i], d->y, d->r);
  bad = p->all ? epi_accel_all(f, d->t[i], d->theta[i], d->y, d->y + m->nq, d->r) : epi_accel(f, d->t[i], d->theta[i], d->y, d->r);
  return bad || !p->first ? bad : m->rate(m, d->t[i], d->y, d->r + p->second);
}

/* one coordinate, force alone: a lane is a state */
static int ask_plain(epi_flow *f, int lanes, const room *d, double *out)
{
  epi_system *m = f->sys;
  int bad = 0;
  f->calls += lanes;
  if (m->forced) for (int i = 0; i < lanes && !bad; i++) bad = m->forced(m, d->t[i], d->theta[i], d->path + i, out + i);
  else for (int i = 0; i < lanes && !bad; i++) bad = m->force(m, d->t[i], d->path + i, out + i);
  return bad;
}

static int ask(epi_flow *f, int lanes, const room *d, double *out)
{
  const picard *p = f->own;
  int N = epi_dim(f->sys), used = p->all || !p->second ? N : p->second, R = p->second + p->first, bad;
  if (f->sys->forces && !p->all) return ask_batch(f, lanes, d, out);
  if (p->second == 1 && R == 1 && !p->all && (f->space->mass == UNIT || f->sys->accel)) return ask_plain(f, lanes, d, out);
  for (int i = 0; i < lanes; i++) {
    for (int c = 0; c < used; c++) d->y[c] = d->path[c*lanes + i];
    if ((bad = ask_one(f, p, d, i))) return bad;
    for (int c = 0; c < R; c++) out[c*lanes + i] = d->r[c];
  }
  return 0;
}

/* out += x A v, A by columns of n; four of them at a time, one after the other */
static void add_product(int n, int cols, double x, const double *restrict A, const double *restrict v, double *restrict out)
{
  int j = 0;
  for (; j + 3 < cols; j += 4, A += 4*n) {
    double a = x*v[j], b = x*v[j + 1], c = x*v[j + 2], d = x*v[j + 3];
    for (int i = 0; i < n; i++) out[i] = (((out[i] + a*A[i]) + b*A[n + i]) + c*A[2*n + i]) + d*A[3*n + i];
  }
  for (; j + 1 < cols; j += 2, A += 2*n) {
    double a = x*v[j], b = x*v[j + 1];
    for (int i = 0; i < n; i++) out[i] = (out[i] + a*A[i]) + b*A[n + i];
  }
  if (j == cols) return;
  double a = x*v[j];
  for (int i = 0; i < n; i++) out[i] += a*A[i];
}

static double product(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i]*b[i];
  return sum;
}

/* ---- one step of T ---- */
/* coordinates that are needed along the way */
static int moving_of(const epi_flow *f)
{
  const picard *p = f->own;
  return p->all || !p->second ? epi_dim(f->sys) : p->second;
}

static int answers_of(const epi_flow *f) { return ((const picard *)f->own)->second + ((const picard *)f->own)->first; }

/* the forces of the state held where it is, at `phases` phases of the step */
static int freeze(epi_flow *f, const epi_state *s, double T, int phases, const room *d, double shift)
{
  int N = moving_of(f);
  double turned = f->sys->forced ? epi_phase_turned(f->sys, s->t, T) : 0;
  for (int j = 0; j < phases; j++) {
    double x = (j + shift)/phases;
    d->t[j] = f->sys->forced ? s->t : s->t + x*T;
    d->theta[j] = s->theta + x*turned;
  }
  for (int c = 0; c < N; c++) for (int j = 0; j < phases; j++) d->path[c*phases + j] = s->y[c];
  return ask(f, phases, d, d->frozen);
}

/* the path of the frozen forces, and those forces along it */
static void predict(const epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const room *d)
{
  const picard *p = f->own;
  int n = A->n, F = A->phases, S = p->second, R = S + p->first, varies = f->sys->phase_rate_at != NULL;
  double turns = f->sys->phase_rate;
  memset(d->wave, 0, (size_t)(R*n)*sizeof *d->wave);
  for (int c = 0; c < R; c++) add_product(n, F, 1, A->wave, d->frozen + c*F, d->wave + c*n);
  for (int c = 0; c < S; c++) {
    for (int i = 0; i < n; i++) d->base[c*n + i] = s->y[c] + T*A->c[i]*s->y[S + c];
    add_product(n, F, T*T, A->wave_twice, d->frozen + c*F, d->base + c*n);
    if (!p->all) continue;
    for (int i = 0; i < n; i++) d->base[(S + c)*n + i] = s->y[S + c];
    add_product(n, F, T, A->wave_once, d->frozen + c*F, d->base + (S + c)*n);
  }
  for (int c = 0; c < p->first; c++) {
    for (int i = 0; i < n; i++) d->base[(2*S + c)*n + i] = s->y[2*S + c];
    add_product(n, F, T, A->wave_once, d->frozen + (S + c)*F, d->base + (2*S + c)*n);
  }
  for (int i = 0; i < n; i++) {
    d->t[i] = s->t + A->c[i]*T;
    d->theta[i] = !f->sys->forced ? s->theta : varies ? s->theta + epi_phase_turned(f->sys, s->t, A->c[i]*T) : s->theta + turns*(A->c[i]*T);
  }
  memcpy(d->path, d->base, (size_t)(moving_of(f)*n)*sizeof *d->path);
}

/* what is more than the frozen forces, along the path */
static int sweep(epi_flow *f, const epi_period_rule *A, const room *d)
{
  picard *p = f->own;
  int many = A->n*(p->second + p->first), bad;
  p->stands = 0;
  memcpy(d->before, d->more, (size_t)many*sizeof *d->more);
  bad = ask(f, A->n, d, d->more);
  for (int i = 0; i < many; i++) d->more[i] -= d->wave[i];
  return bad;
}

static void correct(const epi_flow *f, double T, const epi_period_rule *A, const room *d)
{
  const picard *p = f->own;
  int n = A->n, S = p->second;
  memcpy(d->path, d->base, (size_t)(moving_of(f)*n)*sizeof *d->path);
  for (int c = 0; c < S; c++) {
    add_product(n, n, T*T, A->twice, d->more + c*n, d->path + c*n);
    if (p->all) add_product(n, n, T, A->once, d->more + c*n, d->path + (S + c)*n);
  }
  for (int c = 0; c < p->first; c++) add_product(n, n, T, A->once, d->more + (S + c)*n, d->path + (2*S + c)*n);
}

static double largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = epi_larger(most, fabs(x[i]));
  return most;
}

/* what the step moves the state by, and after it what rounding may have done to that */
static void move_by(const epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const room *d, double *moved)
{
  const picard *p = f->own;
  int n = A->n, F = A->phases, S = p->second, N = epi_dim(f->sys);
  double *noise = moved + N;
  for (int c = 0; c < S + p->first; c++) {
    const double *frozen = d->frozen + c*F, *more = d->more + c*n;
    int at = c < S ? S + c : c + S;
    double mean = 0, twice = 0, once = 0, most = 0, size = 0;
    for (int j = 0; j < F; j++) {
      mean += frozen[j]/F;
      twice += A->wave_end[j]*frozen[j];
      size = epi_larger(size, fabs(frozen[j]));
    }
    for (int i = 0; i < n; i++) {
      once += A->b[i]*more[i];
      twice += A->b[i]*(1 - A->c[i])*more[i];
      most = epi_larger(most, fabs(more[i]));
    }
    moved[at] = T*(mean + once);
    noise[at] = size = 1.1e-16*(size + most)*fabs(T);
    if (c >= S) continue;
    moved[c] = T*s->y[S + c] + T*T*twice;
    noise[c] = fabs(T)*(size + 1.1e-16*fabs(s->y[S + c]));
  }
}

/* with the frozen forces as they are */
static int cross_frozen(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, int sweeps, double *moved)
{
  const room *d = room_of(f);
  int bad;
  predict(f, s, T, A, d);
  memset(d->more, 0, (size_t)(answers_of(f)*A->n)*sizeof *d->more);
  for (int k = 1; !(bad = sweep(f, A, d)) && k < sweeps; k++) correct(f, T, A, d);
  if (!bad) move_by(f, s, T, A, d, moved);
  return bad;
}

static int cross(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, int sweeps, double *moved)
{
  const room *d = room_of(f);
  int bad = freeze(f, s, T, A->phases, d, 0);
  return bad ? bad : cross_frozen(f, s, T, A, sweeps, moved);
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
  const picard *p = f->own;
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

/* what the last period shows of its own error, in units of what is allowed: its last coefficients, the change by the last sweep */
typedef struct { double tail, change; } signs;

static signs signs_of(const epi_flow *f, double T, const epi_period_rule *A, const double *allowed, const double *moved, const room *d)
{
  const picard *p = f->own;
  int n = A->n, S = p->second, N = epi_dim(f->sys);
  signs x = {0};
  for (int c = 0; c < S + p->first; c++) {
    int at = c < S ? S + c : c + S;
    const double *more = d->more + c*n, *before = d->before + c*n;
    double unit = fabs(T)/fmax(allowed[at], 32*moved[N + at]), change = 0, last = 0, before_last = 0;
    for (int i = 0; i < n; i++) {
      change += A->b[i]*fabs(more[i] - before[i]);
      last += A->tail[i]*more[i];
      before_last += A->tail[n + i]*more[i];
    }
    x.tail = epi_larger(x.tail, unit*(fabs(last) + fabs(before_last)));
    x.change = epi_larger(x.change, unit*change);
  }
  return x;
}

/* the least number whose trigonometric interpolant meets the frozen forces half-way between the phases: what it misses would be left to the
   Gauss points */
static int find_phases(epi_flow *f, const epi_state *s, double T, const double *allowed)
{
  const picard *p = f->own;
  const room *d = room_of(f);
  int R = p->second + p->first, bad;
  double weight[MOST_PHASES];
  for (int k = 0; k < NPHASES; k++) {
    int F = phase_counts[k];
    double off = 0;
    f->keep[USED_PHASES] = F;
    if (k == NPHASES - 1) break;
    if ((bad = freeze(f, s, T, F, d, 0))) return bad;
    memcpy(d->wave, d->frozen, (size_t)(R*F)*sizeof *d->wave);
    if ((bad = freeze(f, s, T, F, d, F == 1 ? 0.29 : 0.5))) return bad;
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

/* ---- a piece of a period: Gauss collocation, swept until nothing changes ---- */
static int piece(epi_flow *f, epi_state *s, double h, double *sum)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), used = (int)f->keep[USED_NODES], bad;
  const epi_period_rule *A = rule_of(f, used && used < PART_NODES - 6 ? used + 6 : PART_NODES, 1);
  double *now = d->one, *last = d->two, change = HUGE_VAL;
  if ((bad = freeze(f, s, h, 1, d, 0))) return bad;
  predict(f, s, h, A, d);
  memset(d->more, 0, (size_t)(answers_of(f)*A->n)*sizeof *d->more);
  for (int k = 0; k < 60; k++) {
    double before = change;
    if ((bad = sweep(f, A, d))) return bad;
    move_by(f, s, h, A, d, now);
    change = k ? apart(N, now, last, allowed_of(f, s, h, 1, A->n, d)) : HUGE_VAL;
    /* what the next sweep would change */
    if (k && (change <= 1e-3 || (change < 1 && change*change < 0.01*before) || (change < 0.1 && before < 0.1))) {
      for (int i = 0; i < N; i++) s->y[i] += now[i];
      if (sum) for (int i = 0; i < 2*N; i++) sum[i] += now[i];
      return 0;
    }
    memcpy(last, now, 2*(size_t)N*sizeof *last);
    correct(f, h, A, d);
  }
  return epi_fail(f, EPI_TOO_FAR, "picard: its sweeps over %g at t = %.10g do not settle: take a shorter step", h, s->t);
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

/* sweeps over A until they change nothing: how many are needed, and what the last of those is off by; -1: they do not settle */
static int find_sweeps(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *allowed, int *sweeps)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad;
  double off[MOST_SWEEPS + 2], size[MOST_SWEEPS + 2];
  predict(f, s, T, A, d);
  memset(d->more, 0, (size_t)(answers_of(f)*A->n)*sizeof *d->more);
  for (int k = 1; k <= MOST_SWEEPS + 1; k++) {
    if (k > 1) correct(f, T, A, d);
    if ((bad = sweep(f, A, d))) return bad;
    memcpy(d->last, d->sum, 2*(size_t)N*sizeof *d->sum);
    move_by(f, s, T, A, d, d->sum);
    size[k] = signs_of(f, T, A, allowed, d->sum, d).change;
    off[k - 1] = k > 1 ? apart(N, d->sum, d->last, allowed) : HUGE_VAL;
    if (!(off[k - 1] < 0.1)) continue;
    for (*sweeps = k - 1; *sweeps > 1 && off[*sweeps - 1] < 0.5; ) (*sweeps)--;
    f->keep[PER_CHANGE] = f->keep[PER_ANY] = size[*sweeps] > 0 ? fmin(1, off[*sweeps]/size[*sweeps]) : 1;
    for (int i = 1; i < k; i++) f->keep[PER_ANY] = fmax(f->keep[PER_ANY], size[i] > 0 ? fmin(1, off[i]/size[i]) : 0);
    return 0;
  }
  *sweeps = -1;
  return 0;
}

/* the fewest nodes, of those up to i, that come near enough to what many more give */
static int find_nodes(epi_flow *f, const epi_state *s, double T, int i, const double *allowed, int *found)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), k = (int)f->keep[USED_SWEEPS], F = (int)f->keep[USED_PHASES], bad;
  double *ref = d->one, *x = d->two, sure = 0;
  *found = 0;
  if ((bad = cross_frozen(f, s, T, rule_of(f, i + 2 < NNODES ? node_counts[i + 2] : MOST_NODES, F), k, ref))) return bad;
  for (int first = i; i >= 0; i--) {
    const epi_period_rule *A = rule_of(f, node_counts[i], F);
    if ((bad = cross_frozen(f, s, T, A, k, x))) return bad;
    double off = apart(N, x, ref, allowed), tail = signs_of(f, T, A, allowed, x, d).tail;
    if (i == first) sure = off;
    if (!(off < (i == first ? 0.1 : 0.7))) return 0;
    *found = 1;
    f->keep[PER_TAIL] = tail > 0 ? fmin(1, fmax(sure, off)/(tail*tail)) : 1;
    f->keep[USED_NODES] = node_counts[i];
  }
  return 0;
}

/* phases, then sweeps, then nodes; more nodes where those do not do */
static int calibrate(epi_flow *f, const epi_state *s, double T)
{
  const room *d = room_of(f);
  int bad, found = 0, sweeps;
  /* the size of things first, with some of each */
  if (!f->allowed && (bad = cross(f, s, T, rule_of(f, 10, 5), 2, d->two))) return bad;
  const double *allowed = allowed_of(f, s, T, 5, 10, d);
  if ((bad = find_phases(f, s, T, allowed))) return bad;
  int F = (int)f->keep[USED_PHASES];
  f->keep[USED_NODES] = PART_NODES;
  f->keep[USED_PIECES] = 1;
  if ((bad = freeze(f, s, T, F, d, 0))) return bad;
  for (int n = 5; n < NNODES && !found; n++) {
    if ((bad = find_sweeps(f, s, T, rule_of(f, node_counts[n], F), allowed, &sweeps))) return bad;
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
  if (given(f)) f->keep[USED_PIECES] = 1;
  if (f->arg[NODES].given) f->keep[USED_NODES] = f->arg[NODES].number;
  if (f->arg[SWEEPS].given) f->keep[USED_SWEEPS] = f->arg[SWEEPS].number;
  if (f->arg[PHASES].given) f->keep[USED_PHASES] = f->arg[PHASES].number;
  return bad;
}

/* one from nearby may begin with what stands in the room of this one */
static void stand(epi_flow *f, const epi_state *s, double T)
{
  picard *p = f->own;
  p->t = s->t;
  p->T = T;
  p->stands = (int)f->keep[USED_NODES];
}

static int begins_near(const epi_flow *f, const epi_state *s, double T)
{
  const picard *p = f->own;
  return f->near && p->stands && p->stands == (int)f->keep[USED_NODES] && f->keep[USED_PIECES] == 1 && p->t == s->t && p->T == T;
}

/* such a one: what was more than the frozen forces there is nearly so here. 1: it does not settle so soon, or needs more nodes */
static int cross_near(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const double *keep = f->keep;
  const room *d = room_of(f);
  const epi_period_rule *A = rule_of(f, (int)keep[USED_NODES], (int)keep[USED_PHASES]);
  int bad = freeze(f, s, T, A->phases, d, 0);
  if (bad) return bad;
  predict(f, s, T, A, d);
  for (int k = 1; k < (int)keep[USED_SWEEPS]; k++) {
    correct(f, T, A, d);
    if ((bad = sweep(f, A, d))) return bad;
    move_by(f, s, T, A, d, moved);
    signs x = signs_of(f, T, A, allowed_of(f, s, T, A->phases, A->n, d), moved, d);
    if (x.tail*x.tail*keep[PER_TAIL] > 1) return 1;
    if (x.change*keep[PER_ANY] > 0.5) continue;
    stand(f, s, T);
    return 0;
  }
  return 1;
}

/* with one node count or one sweep more, where the period itself shows that it needs them */
static int cross_as_found(epi_flow *f, const epi_state *s, double T, double *moved)
{
  double *k = f->keep;
  const room *d = room_of(f);
  int bad;
  for (;;) {
    if (k[USED_PIECES] > 1) return in_pieces(f, s, T, (int)k[USED_PIECES], moved);
    const epi_period_rule *A = rule_of(f, (int)k[USED_NODES], (int)k[USED_PHASES]);
    if ((bad = cross(f, s, T, A, (int)k[USED_SWEEPS], moved)) || given(f)) return bad;
    const double *allowed = allowed_of(f, s, T, A->phases, A->n, d);
    signs x = signs_of(f, T, A, allowed, moved, d);
    int few = x.tail*x.tail*k[PER_TAIL] > 1 && !f->arg[NODES].given, early = x.change*k[PER_CHANGE] > 1 && !f->arg[SWEEPS].given, i = 0;
    if (!few && !early) return stand(f, s, T), 0;
    while (i < NNODES && node_counts[i] <= A->n) i++;
    if ((few && i == NNODES) || (early && k[USED_SWEEPS] >= MOST_SWEEPS)) {
      bad = find_pieces(f, s, T, allowed);
      return bad ? bad : in_pieces(f, s, T, (int)k[USED_PIECES], moved);
    }
    if (few) k[USED_NODES] = node_counts[i];
    if (early) k[USED_SWEEPS]++;
  }
}

static int checked_now(long crossed)
{
  return crossed == 4 || crossed == 10 || crossed == 24 || (crossed && crossed % 48 == 0);
}

/* the period once more with more of everything; where that differs, all is found again here */
static int check_again(epi_flow *f, const epi_state *s, double T, double *moved)
{
  const room *d = room_of(f);
  int N = epi_dim(f->sys), bad, n = (int)f->keep[USED_NODES], F = (int)f->keep[USED_PHASES];
  int more = n + 4 < MOST_NODES ? n + 4 : MOST_NODES, waves = 2*F + 1 < MOST_PHASES ? 2*F + 1 : MOST_PHASES;
  double off = 2;
  if (f->keep[USED_PIECES] == 1) {
    if ((bad = cross(f, s, T, rule_of(f, more, waves), (int)f->keep[USED_SWEEPS] + 1, d->two))) return bad;
    off = apart(N, moved, d->two, allowed_of(f, s, T, waves, more, d));
  }
  if (off <= 1) return 0;
  if (off > 20)
    epi_warn(f, "picard: the motion within a period changed its character before t = %.10g, where its nodes and sweeps are %.2g times less "
             "accurate than asked: ask for more (rtol), or give nodes and sweeps", s->t, off);
  bad = start(f, s, T);
  return bad ? bad : cross_as_found(f, s, T, moved);
}

static int whole(epi_flow *f, epi_state *s, double T)
{
  int N = epi_dim(f->sys), bad;
  double *moved = room_of(f)->moved;
  if (!f->keep[USED_NODES] && (bad = start(f, s, T))) return bad;
  bad = begins_near(f, s, T) ? cross_near(f, s, T, moved) : 1;
  if (bad > 0 && !(bad = cross_as_found(f, s, T, moved)) && !given(f) && checked_now((long)++f->keep[CROSSED]))
    bad = check_again(f, s, T, moved);
  if (bad) return bad;
  for (int i = 0; i < N; i++) s->y[i] += moved[i];
  if (f->moved) memcpy(f->moved, moved, 2*(size_t)N*sizeof *moved);
  return 0;
}

/* ---- less than a period ---- */
/* in pieces that its points resolve */
static int part(epi_flow *f, epi_state *s, double h, double T)
{
  int waves = (int)f->keep[USED_PHASES]/2, pieces = 1 + (int)(fabs(h/T)*(waves > 4 ? waves/4.0 : 0.999)), bad;
  for (int i = 0; i < pieces; i++) {
    epi_tick end = epi_target(f->sys, s, h/pieces);
    if ((bad = piece(f, s, h/pieces, NULL))) return bad;
    epi_set_clock(s, end);
  }
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
      if (fabs(left) < fabs(T)*(1 - 1e-9)) { if (fabs(left) > 1e-9*fabs(T)) bad = part(f, s, left, T); break; }
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
  picard *p = f->own;
  if (p) free(p->memory);
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
  picard *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse(f, !p, "out of memory")) return;
  f->drop = drop;
  p->memory = malloc(MEMORY);
  epi_refuse(f, !p->memory, "out of memory");
  p->second = epi_all_rate(m) ? 0 : m->nq;
  p->first = epi_dim(m) - 2*p->second;
  p->all = m->velocity_force || (p->second && p->first);
  epi_refuse(f, m->nc || m->retract, "picard of constraints or rotations is not known: take a flow that resolves the period, as in "
             "substeps(verlet, 50)");
  epi_refuse(f, m->speed != NULL, "picard needs q' = v: take a flow that resolves the period, as in substeps(gauss, 20)");
  epi_refuse(f, !(epi_arg(f, "period")->number > 0) && !(m->period > 0) && !m->phase_rate_at && !(fabs(m->phase_rate) > 0),
             "picard does not know the fast period: set period or phase_rate in the system, or give it its period");
  refuse_numbers(f);
  if (f->broken || epi_blocks(f, NKEEP, room_size(p, epi_dim(m)))) return;
  p->room = make_room(f);
  if (!(f->arg[PERIOD].number > 0) && !m->phase_rate_at) f->arg[PERIOD].number = m->period > 0 ? m->period : 2*EPI_PI/fabs(m->phase_rate);
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
