/* crossing.c - one fast period by Picard sweeps */
/* compile: hot */
#include "sweeping.h"

typedef epi_crossing_room room;
typedef epi_crossing_clocks clocks;
enum { LANES = EPI_CROSSING_LANES, MEMORY = 160 << 10 };

/* ---- memory ---- */
int epi_crossing_open(epi_flow *f, epi_crossing *p)
{
  const epi_system *m = f->sys;
  const size_t carry = EPI_PERIOD_NODES*EPI_PERIOD_NODES*sizeof(double);
  p->second = epi_all_rate(m) ? 0 : m->nq;
  p->first = epi_dim(m) - 2*p->second;
  p->all = m->velocity_force || (p->second && p->first);
  const size_t seen = (size_t)(p->second + p->first)*sizeof *p->seen;
  p->memory = malloc(MEMORY + EPI_CARRIES*carry + seen);
  if (!p->memory) return 1;
  for (int i = 0; i < EPI_CARRIES; i++) p->carries[i].weights = (double *)(void *)(p->memory + MEMORY + (size_t)i*carry);
  p->seen = memset(p->memory + MEMORY + EPI_CARRIES*carry, 0, seen);
  return 0;
}

static int answers_of(const epi_crossing *p) { return p->second + p->first; }

long epi_crossing_room_size(const epi_flow *f)
{
  long N = epi_dim(f->sys), R = answers_of(f->own);
  return 4*R*LANES + 2*N*LANES + 13*N + R + 4*LANES;
}

void epi_crossing_make_room(epi_flow *f)
{
  epi_crossing *p = f->own;
  long N = epi_dim(f->sys), R = answers_of(p);
  room d = {.frozen = f->work};
  d.wave = d.frozen + R*LANES;
  d.more = d.wave + R*LANES;
  d.asked = d.more + R*LANES;
  d.base = d.asked + R*LANES;
  d.path = d.base + N*LANES;
  d.y = d.path + N*LANES;
  d.r = d.y + N;
  d.at_phases = (epi_crossing_clocks){.t = d.r + R, .theta = d.r + R + LANES};
  d.at_points = (epi_crossing_clocks){.t = d.at_phases.theta + LANES, .theta = d.at_phases.theta + 2*LANES};
  d.one = d.at_points.theta + LANES;
  d.two = d.one + 2*N;
  d.allowed = d.two + 2*N;
  d.state = d.allowed + N;
  d.moved = d.state + N;
  d.sum = d.moved + 2*N;
  d.last = d.sum + 2*N;
  p->room = d;
}

/* in memory that the build has taken; when that is full, all are made anew */
const epi_period_rule *epi_crossing_rule_of(epi_flow *f, int n, int phases)
{
  epi_crossing *p = f->own;
  const epi_period_rule *like = NULL, *also = NULL;
  for (epi_period_rule *r = p->rules; r; r = r->next) {
    if (r->n == n && (r->phases == phases || !phases)) return p->last = r;
    if (r->n == n) like = r;
    if (r->phases == phases) also = r;
  }
  size_t size = epi_period_rule_size(n, phases);
  if (p->used + size > MEMORY) {
    p->rules = NULL;
    for (int i = 0; i < EPI_CARRIES; i++) p->carries[i].from = NULL;
    p->room.at_points.points = NULL;
    p->used = 0;
    like = also = NULL;
  }
  int needs = (p->second ? EPI_PERIOD_TWICE : 0) | (p->all || p->first ? EPI_PERIOD_ONCE : 0);
  epi_period_rule *made = epi_period_rule_make(n, phases, needs, like, also, p->memory + p->used);
  p->used += size;
  made->next = p->rules;
  return p->last = p->rules = made;
}

/* ---- forces at many points ---- */
int epi_crossing_weigh_down(epi_flow *f, int lanes, double *out)
{
  const room *d = epi_crossing_room_of(f);
  const int n = f->sys->nq;
  for (int i = 0; i < lanes; i++) {
    for (int c = 0; c < n; c++) { d->y[c] = d->path[c*lanes + i]; d->r[c] = out[c*lanes + i]; }
    epi_apply_inverse_mass(f->space, d->y, d->r);
    for (int c = 0; c < n; c++) out[c*lanes + i] = d->r[c];
  }
  return 0;
}

static int ask_one(epi_flow *f, const epi_crossing *p, const room *d, double t, double theta)
{
  epi_system *m = f->sys;
  int bad;
  if (!p->second) return epi_rate_at(f, t, theta, d->y, d->r);
  bad = p->all ? epi_accel_all(f, t, theta, d->y, d->y + m->nq, d->r) : epi_accel(f, t, theta, d->y, d->r);
  return bad || !p->first ? bad : m->rate(m, t, d->y, d->r + p->second);
}

/* one coordinate, force alone: a lane is a state */
static int ask_plain(epi_flow *f, int lanes, const room *d, const clocks *at, double *out)
{
  epi_system *m = f->sys;
  int bad = 0;
  f->calls += lanes;
  if (m->phase.forced) for (int i = 0; i < lanes && !bad; i++) bad = m->phase.forced(m, at->t[i], at->theta[i], d->path + i, out + i);
  else for (int i = 0; i < lanes && !bad; i++) bad = m->force(m, at->t[i], d->path + i, out + i);
  return bad;
}

int epi_crossing_ask(epi_flow *f, int lanes, const clocks *at, double *out)
{
  const epi_crossing *p = f->own;
  const room *d = &p->room;
  int used = epi_moving(epi_counts_of(f)), R = answers_of(p), bad;
  if (epi_is_one(f) && epi_has_unit_mass(f)) return ask_plain(f, lanes, d, at, out);
  for (int i = 0; i < lanes; i++) {
    for (int c = 0; c < used; c++) d->y[c] = d->path[c*lanes + i];
    if ((bad = ask_one(f, p, d, at->t[i], at->theta[i]))) return bad;
    for (int c = 0; c < R; c++) out[c*lanes + i] = d->r[c];
  }
  return 0;
}

/* ---- one step of T ---- */
static void belong_to(clocks *at, const epi_system *m, const epi_state *s, double T)
{
  at->from = s->theta;
  at->T = T;
  at->rate = m->phase.phase_rate;
}

void epi_phases_set(epi_flow *f, const epi_state *s, double T, int phases, double shift)
{
  clocks *at = &((epi_crossing *)f->own)->room.at_phases;
  const double turned = f->sys->phase.forced ? epi_phase_turned(f->sys, s->t, T) : 0;
  for (int j = 0; j < phases; j++) {
    const double x = (j + shift)/phases;
    at->t[j] = s->t + x*T;
    at->theta[j] = s->theta + x*turned;
  }
  at->phases = shift ? 0 : phases;
  belong_to(at, f->sys, s, T);
}

void epi_points_turn(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A)
{
  const epi_system *m = f->sys;
  clocks *at = &((epi_crossing *)f->own)->room.at_points;
  const double *c = A->c, from = s->t, phase = s->theta, turns = m->phase.forced && !m->phase.phase_rate_at ? m->phase.phase_rate : 0;
  const int n = A->n;
  for (int i = 0; i < n; i++) at->theta[i] = phase + turns*(c[i]*T);
  if (m->phase.forced && m->phase.phase_rate_at) for (int i = 0; i < n; i++) at->theta[i] = phase + epi_phase_turned(m, from, c[i]*T);
  at->points = c;
  at->phases = n;
  belong_to(at, m, s, T);
}

static void predict_second(const epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const room *d)
{
  const epi_crossing *p = f->own;
  int n = A->n, F = A->phases, S = p->second;
  for (int c = 0; c < S; c++) {
    double *restrict base = d->base + c*n;
    const double *restrict at = A->c;
    const double y = s->y[c], v = s->y[S + c];
    for (int i = 0; i < n; i++) base[i] = y + T*at[i]*v;
    epi_multiply(n, F, T*T, A->wave_twice, d->frozen + c*F, base, base);
    base = d->base + (S + c)*n;
    for (int i = 0; i < n; i++) base[i] = s->y[S + c];
    epi_multiply(n, F, T, A->wave_once, d->frozen + c*F, base, base);
  }
}

void epi_predict_rates(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, int from_zero)
{
  const epi_crossing *p = f->own;
  const room *d = &p->room;
  int n = A->n, F = A->phases, S = p->second, R = answers_of(p);
  for (int c = 0; c < R; c++) epi_multiply(n, F, 1, A->wave, d->frozen + c*F, NULL, d->wave + c*n);
  predict_second(f, s, T, A, d);
  for (int c = 0; c < p->first; c++) {
    double *base = d->base + (2*S + c)*n;
    for (int i = 0; i < n; i++) base[i] = s->y[2*S + c];
    epi_multiply(n, F, T, A->wave_once, d->frozen + (S + c)*F, base, base);
  }
  if (from_zero) memcpy(d->path, d->base, (size_t)(epi_moving(epi_counts_of(f))*n)*sizeof *d->path);
  else epi_correct_path(f, T, A);
}

int epi_freeze(epi_flow *f, const epi_state *s, double T, int phases, double shift)
{
  return epi_freeze_each(f, epi_counts_of(f), s, T, phases, shift);
}
void epi_predict_path(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, int from_zero)
{
  epi_predict_each(f, epi_counts_of(f), s, T, A, from_zero);
}
int epi_sweep(epi_flow *f, const epi_state *s, const epi_period_rule *A) { return epi_sweep_each(f, epi_counts_of(f), s, A); }
void epi_correct_path(const epi_flow *f, double T, const epi_period_rule *A) { epi_correct_each(f, epi_counts_of(f), T, A); }
void epi_move_by(const epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, double *moved)
{
  epi_move_each(f, epi_counts_of(f), s, T, A, moved);
}

/* barycentric weights of the Gauss points */
static void barycentric(const epi_period_rule *A, double *own)
{
  for (int j = 0; j < A->n; j++) own[j] = (j % 2 ? -1 : 1)*sqrt(A->c[j]*(1 - A->c[j])*A->b[j]);
}

/* weights of the values at Gauss points for the polynomial through them at x */
static void weigh(const epi_period_rule *A, const double *own, double x, double *weight)
{
  const int n = A->n;
  double all = 0;
  for (int j = 0; j < n; j += 2) epi_put_lanes(weight + j, n - j, epi_lanes_at(own + j, n - j)/(x - epi_lanes_at(A->c + j, n - j)));
  for (int j = 0; j < n; j++) all += weight[j];
  const double by = 1/all;
  for (int j = 0; j < n; j++) weight[j] *= by;
  if (isfinite(all)) return;
  /* one of the points, or no number */
  for (int j = 0; j < n; j++) if (x == A->c[j]) for (int i = 0; i < n; i++) weight[i] = i == j;
}

/* the same few rules mostly follow each other */
static const double *weigh_all(epi_crossing *p, const epi_period_rule *from, const epi_period_rule *to)
{
  double own[EPI_PERIOD_NODES] = {0};
  for (int i = 0; i < EPI_CARRIES; i++) if (p->carries[i].from == from && p->carries[i].to == to) return p->carries[i].weights;
  epi_carry *a = &p->carries[p->oldest];
  p->oldest = (p->oldest + 1) % EPI_CARRIES;
  barycentric(from, own);
  for (int i = 0; i < to->n; i++) weigh(from, own, to->c[i], a->weights + i*from->n);
  a->from = from;
  a->to = to;
  return a->weights;
}

void epi_carry_over(const epi_flow *f, const epi_period_rule *from, const epi_period_rule *to)
{
  epi_crossing *p = f->own;
  const room *d = &p->room;
  int n = from->n, R = answers_of(p);
  if (from == to) return;
  memcpy(d->asked, d->more, (size_t)(n*R)*sizeof *d->more);
  const double *weight = weigh_all(p, from, to);
  for (int i = 0; i < to->n; i++, weight += n) {
    for (int c = 0; c < R; c++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += weight[j]*d->asked[c*n + j];
      d->more[c*to->n + i] = sum;
    }
  }
}

void epi_move_within(const epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, double part, double *moved)
{
  const epi_crossing *p = f->own;
  const room *d = &p->room;
  int n = A->n, F = A->phases, S = p->second;
  epi_period_part to;
  epi_period_up_to(A, part, &to);
  for (int c = 0; c < S + p->first; c++) {
    const double *frozen = d->frozen + c*F, *more = d->more + c*n;
    double once = 0, twice = 0;
    for (int j = 0; j < F; j++) { once += to.wave_once[j]*frozen[j]; twice += to.wave_twice[j]*frozen[j]; }
    for (int i = 0; i < n; i++) { once += to.once[i]*more[i]; twice += to.twice[i]*more[i]; }
    moved[c < S ? S + c : c + S] = T*once;
    if (c < S) moved[c] = part*T*s->y[S + c] + T*T*twice;
  }
}

int epi_cross_frozen(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, int sweeps, double *moved)
{
  int bad;
  epi_predict_path(f, s, T, A, 1);
  for (int k = 1; !(bad = epi_sweep(f, s, A)) && k < sweeps; k++) epi_correct_path(f, T, A);
  if (!bad) epi_move_by(f, s, T, A, moved);
  return bad;
}

int epi_cross(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, int sweeps, double *moved)
{
  int bad = epi_freeze(f, s, T, A->phases, 0);
  return bad ? bad : epi_cross_frozen(f, s, T, A, sweeps, moved);
}

double epi_crossing_change(const epi_flow *f, double T, const double *allowed)
{
  return epi_change_each(f, epi_counts_of(f), T, allowed);
}

double epi_crossing_echo(const epi_flow *f, double T) { return epi_echo_each(f, epi_counts_of(f), T); }

epi_crossing_signs epi_crossing_signs_of(const epi_flow *f, double T, const double *allowed, const double *moved)
{
  return epi_signs_each(f, epi_counts_of(f), T, allowed, moved);
}

/* places inside where some coordinate turns back, as far as the points show it; returns how many, no more than there is room for */
enum { MOST_TURNS = 6 };
static int turning_points(const epi_flow *f, const epi_period_rule *A, double *at)
{
  const epi_crossing *p = f->own;
  const double *x = A->c;
  int n = A->n, found = 0;
  for (int c = 0; c < answers_of(p); c++) {
    const double *y = p->room.path + (c < p->second ? c : c + p->second)*n;
    for (int i = 1; i + 1 < n && found < MOST_TURNS; i++) {
      const double left = (y[i] - y[i-1])/(x[i] - x[i-1]), right = (y[i+1] - y[i])/(x[i+1] - x[i]);
      if (!(left*right < 0)) continue;
      /* where the slope of the parabola is zero, between the middles of its two sides */
      const double a = 0.5*(x[i-1] + x[i]), b = 0.5*(x[i] + x[i+1]), place = a + (b - a)*left/(left - right);
      int known = 0;
      for (int k = 0; k < found; k++) known |= fabs(at[k] - place) < 0.02;
      if (!known) at[found++] = place;
    }
  }
  return found;
}

/* by how much the forces at this part of the step miss the waves and the polynomial, over `wide` of it; into `off` where that is more */
static int miss_at(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *allowed, double part, double wide,
                   const double *own, double *off)
{
  const epi_crossing *p = f->own;
  const room *d = &p->room;
  int n = A->n, F = A->phases, S = p->second, bad;
  double weight[EPI_PERIOD_NODES] = {0}, waves[EPI_PERIOD_NODES] = {0};
  const double t = s->t + part*T, theta = s->theta + (f->sys->phase.forced ? epi_phase_turned(f->sys, s->t, part*T) : 0);
  const clocks at = {.t = &(double){t}, .theta = &(double){theta}};
  epi_move_within(f, s, T, A, part, d->last);
  for (int c = 0; c < epi_moving(epi_counts_of(f)); c++) d->path[c] = s->y[c] + d->last[c];
  /* where it begins that force is known */
  if (part > 0 && (bad = epi_ask_lanes(f, epi_counts_of(f), 1, &at, d->asked))) return bad;
  weigh(A, own, part, weight);
  epi_period_wave(F, part, waves);
  for (int c = 0; c < answers_of(p); c++) {
    double misses = -(part > 0 ? d->asked[c] : d->frozen[c*F]), tail = fabs(p->seen[c].last) + fabs(p->seen[c].before_last);
    for (int j = 0; j < F; j++) misses += waves[j]*d->frozen[c*F + j];
    for (int j = 0; j < n; j++) misses += weight[j]*d->more[c*n + j];
    if (fabs(misses) > 10*tail) *off = epi_larger(*off, fabs(T*misses)*wide/allowed[c < S ? S + c : c + S]);
  }
  return 0;
}

/* a stop that does not pull acts before a coordinate turns back, where velocities count: in parts of what is from point to point */
int epi_crossing_missed(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, const double *allowed, double *off)
{
  static const double beside[] = {0, -0.15, 0.15, -0.5, 0.5};
  double own[EPI_PERIOD_NODES] = {0}, at[MOST_TURNS + 2] = {0, 1};
  const int ends = 2, all = ends + turning_points(f, A, at + ends), sides = ((const epi_crossing *)f->own)->all ? 5 : 1;
  int bad = 0;
  *off = 0;
  barycentric(A, own);
  for (int k = 0; k < ends && !bad; k++) bad = miss_at(f, s, T, A, allowed, at[k], A->c[0], own, off);
  for (int k = ends; k < all; k++)
    for (int side = 0; side < sides && !bad; side++) {
      const double part = at[k] + beside[side]/A->n;
      if (part > 0 && part < 1) bad = miss_at(f, s, T, A, allowed, part, 1.0/A->n, own, off);
    }
  return bad;
}
