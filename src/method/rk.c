/* rk.c - explicit Runge-Kutta methods from tables; on rotations in Lie form (Munthe-Kaas): the table acts on the
 * coordinates u of q = turn(q0, u) */
/* compile: hot */
#include "method/table.h"
#include "two.h"

enum { MOST_STAGES = 16 };

/* the nonzero coefficients of one row; at: where the stage stands in the step */
typedef struct { int m, j[MOST_STAGES]; double c[MOST_STAGES], at; } row;
typedef struct {
  const epi_table *table;
  int fsal, alone, rate;               /* alone: the system is a force of position; rate: it is a rate of all, and nothing holds it */
  int ends, got;                       /* ends: the rate at the end is asked for the interpolant; got: stages of it that are known */
  unsigned unseen;                     /* stages that neither the end of a step nor its estimates have a weight for, by bits */
  double t0, theta0, h;                /* the last step */
  epi_tick end;
  double *saved;                       /* without an interpolant of its own: y, its rate, y at the end, its rate */
  row rows[];                          /* stages, weights, two estimates, stages of the interpolant */
} rk_plan;

static void fill_row(row *r, const double *c, int n)
{
  r->at = 0;
  r->m = 0;
  for (int j = 0; j < n; j++) {
    r->at += c[j];
    if (c[j] != 0) { r->j[r->m] = j; r->c[r->m++] = c[j]; }
  }
}

/* z = h sum c_j K_j, on top of x where there is one. Of a few numbers the factors are made as they are met, of many once */
static inline __attribute__((always_inline)) void
sum_of(const int n, double *restrict z, const double *restrict x, const row *r, double h, const double *restrict K)
{
  enum { FEW = 8 };
  double a[MOST_STAGES];
  const double *of[MOST_STAGES];
  const int m = r->m;
  int i = 0;
  for (int j = 0; j < m && n > FEW; j++) { a[j] = h*r->c[j]; of[j] = K + r->j[j]*n; }
  /* eight at a time are kept at hand */
  for (; i + 7 < n; i += 8) {
    epi_two d[4] = {{0}};
    for (int j = 0; j < m; j++) {
      const double *k = n > FEW ? of[j] + i : K + r->j[j]*n + i, c = n > FEW ? a[j] : h*r->c[j];
      d[0] += c*epi_two_at(k);
      d[1] += c*epi_two_at(k + 2);
      d[2] += c*epi_two_at(k + 4);
      d[3] += c*epi_two_at(k + 6);
    }
    for (int k = 0; k < 4; k++) {
      if (x) d[k] = epi_two_at(x + i + 2*k) + d[k];
      epi_put_two(z + i + 2*k, d[k]);
    }
  }
  for (; i + 1 < n; i += 2) {
    epi_two d = {0};
    for (int j = 0; j < m; j++) d += (n > FEW ? a[j] : h*r->c[j])*epi_two_at(n > FEW ? of[j] + i : K + r->j[j]*n + i);
    if (x) d = epi_two_at(x + i) + d;
    epi_put_two(z + i, d);
  }
  if (i == n) return;
  double d = 0;
  for (int j = 0; j < m; j++) d += (n > FEW ? a[j] : h*r->c[j])*(n > FEW ? of[j][i] : K[r->j[j]*n + i]);
  z[i] = x ? x[i] + d : d;
}

/* compiled for one, two and four coordinates with their velocities, and for any */
static void sum_any(int n, double *restrict z, const double *restrict x, const row *r, double h, const double *restrict K)
{
  if (n == 4) sum_of(4, z, x, r, h, K);
  else sum_of(n, z, x, r, h, K);
}
static inline void sum(int n, double *restrict z, const double *restrict x, const row *r, double h, const double *restrict K)
{
  if (n == 8) sum_of(8, z, x, r, h, K);
  else if (n == 2) sum_of(2, z, x, r, h, K);
  else sum_any(n, z, x, r, h, K);
}

/* where a force is not smooth, an early stage may meet a contact and throw all later ones far off, where they feel nothing: then only those
   without a weight know of it. 1: it is so */
static int blind(const rk_plan *p, int n, const double *K)
{
  double first = 0, seen = 0, unseen = 0;
  for (int j = 0; j < p->table->stages; j++) {
    double most = 0;
    for (int i = 0; i < n; i++) most = epi_larger(most, fabs(j ? K[j*n + i] - K[i] : K[i]));
    if (!j) first = most;
    else if (p->unseen >> j & 1) unseen = epi_larger(unseen, most);
    else seen = epi_larger(seen, most);
  }
  return unseen > 10*seen + 1e-6*first;
}

/* the local error at the new point y, as an adaptive parent reads it; e in coordinates, z is scratch */
static void estimate(epi_flow *f, const double *y, double h, const double *K, double *z, double *room)
{
  const rk_plan *p = f->own;
  epi_system *m = f->sys;
  int n = epi_chart_dim(m), nv = epi_nv(m), N = epi_dim(m);
  for (int k = 0; k < f->nerr; k++) {
    double *err = f->err + k*N;
    sum(n, m->manifold.retract ? z : err, NULL, p->rows + p->table->stages + 1 + k, h, K);
    if (!m->manifold.retract) continue;
    epi_retract_tangent(m, y, z, err, room);
    memcpy(err + m->nq, z + nv, (size_t)(nv + m->nz)*sizeof *err);
  }
  if (p->unseen && !m->traits.smooth && blind(p, n, K)) for (int i = 0; i < N; i++) f->err[i] = 1e6*(1 + fabs(y[i]));
}

/* ---- steps ---- */
/* the rate at the end of the last step, where an interpolant has asked for it: the first of the next */
static const double *first_rate(const epi_flow *f, const epi_state *s, const double *K)
{
  const rk_plan *p = f->own;
  int n = epi_chart_dim(f->sys);
  if (!epi_cache_valid_all(f, s)) return NULL;
  return p->fsal ? K + (p->table->stages - 1)*n : p->saved ? p->saved + 3*n : K + p->table->stages*n;
}

static int knows(const epi_flow *f, const epi_state *s)
{
  const rk_plan *p = f->own;
  return (p->fsal || p->got) && epi_cache_valid_all(f, s);
}

/* y and its rate at the start, and y at the end, for a cubic between them */
static void save_ends(rk_plan *p, int n, const double *rate, const double *y)
{
  memcpy(p->saved + n, rate, (size_t)n*sizeof *y);
  memcpy(p->saved + 2*n, y, (size_t)n*sizeof *y);
}

static void note_step(rk_plan *p, double t, double theta, double h, epi_tick end)
{
  p->t0 = t;
  p->theta0 = theta;
  p->h = h;
  p->end = end;
  p->got = 0;
}

/* behind the room of constraints and the multipliers of a stage: which of them follow from others in the step */
static char *left_of(const epi_flow *f, double *hold)
{
  return f->space->redundant ? (char *)(hold + epi_constraint_room(f->space) + f->sys->nc) : NULL;
}

/* at a dead centre one follows that does not a moment later, or before: those that do at the start of the step and in the middle of it. q,
   room: for positions and velocities */
static void find_left(epi_flow *f, const epi_state *s, double h, double *q, double *room, double *hold)
{
  char *left = left_of(f, hold), *soon = left + f->sys->nc;
  epi_rows_that_follow(f->space, s->t, s->y, hold, left);
  epi_shift(f->sys, s->y, 0.5*h, s->y + f->sys->nq, q, room);
  epi_rows_that_follow(f->space, s->t + 0.5*h, q, hold, soon);
  for (int c = 0; c < f->sys->nc; c++) left[c] &= soon[c];
}

/* constraints: stages are held on their second derivative, and the end of a step is put back on them and on the first. hold: their room,
   then the multipliers of a stage */
static int held_rate(epi_flow *f, double t, double theta, const double *q0, const double *x, double h, double *K, double *room,
                     double *hold)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad = epi_chart_rate(f, t, theta, q0, x, K, room);
  if (bad || !m->nc) return bad;
  /* the chart leaves the point it was asked for at the start of its room */
  return epi_hold_accel(f->space, t, m->manifold.retract ? room : x, x + n, h, left_of(f, hold), K + n,
                        hold + epi_constraint_room(f->space), hold,
                        &f->fault);
}

/* of a stage, where the system may be a rate alone */
static inline int stage_rate(epi_flow *f, double t, double theta, const double *q0, const double *x, double h, double *K, double *room,
                             double *hold)
{
  if (!((const rk_plan *)f->own)->rate) return held_rate(f, t, theta, q0, x, h, K, room, hold);
  f->calls++;
  return f->sys->rate(f->sys, t, x, K);
}

static void add_impulse(const epi_flow *f, epi_state *s, double weight, const double *hold)
{
  const double *push = hold + epi_constraint_room(f->space);
  for (int c = 0; s->impulse && c < f->sys->nc; c++) s->impulse[c] += weight*push[c];
}

/* what steps keep behind their stages: the start of rotations, the room of their chart, that of constraints */
typedef struct { double *q0, *room, *hold; } stage_room;
static stage_room room_of(const epi_flow *f)
{
  const rk_plan *p = f->own;
  double *q0 = f->work + (2 + p->table->stages + p->table->more)*epi_chart_dim(f->sys), *room = q0 + f->sys->nq;
  return (stage_room){q0, room, f->sys->nc ? room + epi_chart_room(f->sys) + epi_chart_dim(f->sys) : NULL};
}

/* work: start x, scratch z, stages K, those of the interpolant, then for rotations q0 and the chart's room, and that of constraints */
static int rk(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  rk_plan *p = f->own;
  int n = epi_chart_dim(m), S = p->table->stages, bad;
  stage_room d = room_of(f);
  double *x = f->work, *z = x + n, *K = z + n, *q0 = d.q0, *room = d.room, *hold = d.hold, *y = s->y;
  for (; steps > 0; steps--) {
    double t = s->t, theta = s->theta;
    const double *known = p->fsal || p->got ? first_rate(f, s, K) : NULL;
    epi_tick end = epi_target(m, s, h);
    if (m->manifold.retract) memcpy(q0, y, (size_t)m->nq*sizeof *y);
    epi_chart_in(m, y, x);
    if (known) memcpy(K, known, (size_t)n*sizeof *K);
    if (hold && left_of(f, hold)) find_left(f, s, h, z, room, hold);
    if (!known && (bad = stage_rate(f, t, theta, q0, x, h, K, room, hold))) return bad;
    if (hold) add_impulse(f, s, h*p->table->b[0], hold);
    for (int i = 1; i < S; i++) {
      double ci = p->rows[i].at*h;
      sum(n, z, x, p->rows + i, h, K);
      int ends = p->fsal && i == S - 1;
      if ((bad = stage_rate(f, ends ? end.t : t + ci, ends ? end.theta : epi_phase_at(m, t, theta, ci), q0, z, h, K + i*n, room,
                            hold)))
        return epi_cache_lost(f, bad);
      if (hold) add_impulse(f, s, h*p->table->b[i], hold);
    }
    /* else the last stage stands there already */
    if (!p->fsal) sum(n, z, x, p->rows + S, h, K);
    epi_chart_out(m, q0, z, y, room);
    epi_set_clock(s, end);
    if (hold && (bad = epi_return_to_constraints(f->space, s, h, hold, &f->fault))) return bad;
    note_step(p, t, theta, h, end);
    if (p->saved && f->dense) { memcpy(p->saved, x, (size_t)n*sizeof *x); save_ends(p, n, K, y); }
    epi_moved(f, s);
    if (p->fsal || p->ends) epi_cache_store(f, s);
    if (f->err) estimate(f, y, h, K, z, room);
  }
  return 0;
}

/* a force alone: the stage velocities are the position rates, so nothing is copied; K has the layout of rk */
static int nystrom(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  rk_plan *p = f->own;
  const int n = epi_nv(m), S = p->table->stages;
  int bad;
  double *x = f->work, *restrict z = x + 2*n, *restrict K = z + 2*n, *restrict q = s->y, *restrict v = q + n, t = s->t, theta = s->theta;
  for (; steps > 0; steps--) {
    epi_tick end = epi_target(m, s, h);
    if (f->dense) memcpy(x, q, (size_t)(2*n)*sizeof *x);
    const double *known = p->fsal || p->got ? first_rate(f, s, K) : NULL;
    for (int l = 0; l < n; l++) K[l] = v[l];
    if (known) memcpy(K + n, known + n, (size_t)n*sizeof *K);
    else {
      f->calls++;
      bad = epi_force_at(m, t, theta, q, K + n);
      if (bad) return bad;
      epi_apply_inverse_mass(f->space, q, K + n);
    }
    for (int i = 1; i < S; i++) {
      double *restrict V = K + i*2*n, ci = p->rows[i].at*h;
      sum(2*n, z, q, p->rows + i, h, K);
      for (int l = 0; l < n; l++) V[l] = z[n + l];
      /* the last stage of one is the first of the next: at the time where that begins, to the bit */
      int ends = p->fsal && i == S - 1;
      bad = epi_force_at(m, ends ? end.t : t + ci, ends ? end.theta : epi_phase_at(m, t, theta, ci), z, V + n);
      if (bad) return epi_cache_lost(f, bad);
      epi_apply_inverse_mass(f->space, z, V + n);
    }
    f->calls += S - 1;
    /* else the last stage stands there already */
    if (!p->fsal) sum(2*n, z, q, p->rows + S, h, K);
    memcpy(q, z, (size_t)(2*n)*sizeof *q);
    note_step(p, t, theta, h, end);
    if (p->saved && f->dense) { memcpy(p->saved, x, (size_t)(2*n)*sizeof *x); save_ends(p, 2*n, K, q); }
    epi_set_clock(s, end);
    t = end.t;
    theta = end.theta;
    if (p->fsal) { epi_moved(f, s); epi_cache_store(f, s); }
    if (f->err) estimate(f, q, h, K, z, z);
  }
  epi_moved(f, s);
  if (p->fsal || p->ends) epi_cache_store(f, s);
  return 0;
}

/* the end of a step of four stages: q += h v + h sum bq_j F_j, v += sum bv_j F_j. The arrays do not overlap */
static inline __attribute__((always_inline)) void
land(const int n, double *restrict q, double *restrict v, const double *restrict F0, const double *restrict F1, const double *restrict F2,
     const double *restrict F3, double h, const double *bq, const double *bv)
{
  const double q0 = bq[0], q1 = bq[1], q2 = bq[2], v0 = bv[0], v1 = bv[1], v2 = bv[2], v3 = bv[3];
  for (int l = 0; l < n; l++) {
    q[l] += h*v[l] + (q0*F0[l] + q1*F1[l] + q2*F2[l]);
    v[l] += v0*F0[l] + v1*F1[l] + v2*F2[l] + v3*F3[l];
  }
}

/* the cubic of a chain: only its last step is looked into */
static void start_chain(rk_plan *p, int n, const double *q, const double *v, double t, double theta)
{
  note_step(p, t, theta, 0, (epi_tick){0});
  memcpy(p->saved, q, (size_t)n*sizeof *q);
  for (int l = 0; l < n; l++) p->saved[n + l] = p->saved[2*n + l] = v[l];
}
static void end_chain(rk_plan *p, int n, const double *F, const double *y, double h, epi_tick end)
{
  memcpy(p->saved + 3*n, F, (size_t)n*sizeof *F);
  memcpy(p->saved + 4*n, y, (size_t)(2*n)*sizeof *y);
  p->h = h;
  p->end = end;
}

/* four stages, each standing on the one before alone, as in rk4, of a force alone: the velocities of the stages drop out,
   z_i = q + c_i h v + h^2 a_i a_(i-1) F_(i-2), and only accelerations are kept. Few velocities live in locals, as in verlet */
static inline __attribute__((always_inline)) int
chain(epi_flow *f, epi_state *s, double h, long steps, const int n, const int few, const int seen)
{
  epi_system *m = f->sys;
  rk_plan *p = f->own;
  const double *A = p->table->a, *B = p->table->b, *known = seen && p->got ? first_rate(f, s, NULL) : NULL;
  double *restrict z = f->work, *restrict F = z + n, *restrict q = s->y, *vy = q + n, local[2], *restrict v = few ? local : vy, t = s->t,
    rest = s->key.rest;
  double c[4] = {0}, bq[4] = {0}, bv[4] = {h*B[0]};
  const long asked = steps;
  const int landing = s->key.landing;
  int bad = 0;
  for (int i = 1; i < 4; i++) {
    c[i] = A[4*i + i - 1]*h;
    bq[i - 1] = h*B[i]*c[i];
    bv[i] = h*B[i];
  }
  if (few) for (int l = 0; l < n; l++) v[l] = vy[l];
  if (known) { memcpy(F, known + n, (size_t)n*sizeof *F); f->calls--; }
  for (; steps > 0; steps--, known = NULL) {
    if (seen && steps == 1) start_chain(p, n, q, v, t, s->theta);
    if (!known && (bad = m->force(m, t, q, F))) break;
    for (int i = 1; i < 4; i++) {
      const double ci = c[i], gi = ci*c[i - 1];
      const double *restrict k = F + (i - 2)*n;
      if (i == 1) for (int l = 0; l < n; l++) z[l] = q[l] + ci*v[l];
      else for (int l = 0; l < n; l++) z[l] = q[l] + (ci*v[l] + gi*k[l]);
      if ((bad = m->force(m, t + ci, z, F + i*n))) goto end;
    }
    land(n, q, v, F, F + n, F + 2*n, F + 3*n, h, bq, bv);
    double dt = h + rest, t1 = landing ? s->key.land : t + dt;
    rest = landing ? s->key.land_rest : dt - (t1 - t);
    t = t1;
  }
end:
  s->key.landing = 0;
  s->key.rest = rest;
  f->calls += 4*(asked - steps);
  if (few) for (int l = 0; l < n; l++) vy[l] = v[l];
  s->t = t;
  epi_moved(f, s);
  if (!seen || bad) return bad;
  end_chain(p, n, F, q, h, (epi_tick){t, rest, s->theta});
  epi_cache_store(f, s);
  return 0;
}

/* compiled for one and two velocities, and for any number; and where its steps are looked into */
static int chain_seen(epi_flow *f, epi_state *s, double h, long n) { return chain(f, s, h, n, epi_nv(f->sys), 0, 1); }
static int chain_1(epi_flow *f, epi_state *s, double h, long n) { return f->dense ? chain_seen(f, s, h, n) : chain(f, s, h, n, 1, 1, 0); }
static int chain_2(epi_flow *f, epi_state *s, double h, long n) { return f->dense ? chain_seen(f, s, h, n) : chain(f, s, h, n, 2, 1, 0); }
static int chain_any(epi_flow *f, epi_state *s, double h, long n)
{
  return f->dense ? chain_seen(f, s, h, n) : chain(f, s, h, n, epi_nv(f->sys), 0, 0);
}

static int is_chain(const rk_plan *p)
{
  int i = 1;
  while (i < p->table->stages && p->rows[i].m == 1 && p->rows[i].j[0] == i - 1) i++;
  return i == 4 && i == p->table->stages;
}

/* ---- inside the last step ---- */
static int rate_inside(epi_flow *f, double t, double theta, const double *y, double *dy)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  if (!((const rk_plan *)f->own)->alone) return epi_rate_at(f, t, theta, y, dy);
  /* as the steps do it: the next one begins with this */
  f->calls++;
  memcpy(dy, y + n, (size_t)n*sizeof *dy);
  if ((bad = epi_force_at(m, t, theta, y, dy + n))) return bad;
  epi_apply_inverse_mass(f->space, y, dy + n);
  return 0;
}

/* the stages of the interpolant, once a step */
static int more_stages(epi_flow *f)
{
  rk_plan *p = f->own;
  const epi_table *T = p->table;
  epi_system *m = f->sys;
  stage_room d = room_of(f);
  int n = epi_chart_dim(m), bad;
  double *x = f->work, *z = x + n, *K = z + n;
  for (; p->got < T->more; p->got++) {
    const row *r = p->rows + T->stages + 3 + p->got;
    int ends = p->ends && !p->got;
    double c = r->at*p->h, t = ends ? p->end.t : p->t0 + c, theta = ends ? p->end.theta : epi_phase_at(m, p->t0, p->theta0, c);
    double *k = K + (T->stages + p->got)*n;
    sum(n, z, x, r, p->h, K);
    bad = m->manifold.retract || m->nc ? held_rate(f, t, theta, d.q0, z, p->h, k, d.room, d.hold) : rate_inside(f, t, theta, z, k);
    if (bad) return bad;
  }
  return 0;
}

/* where t stands in the last step; negative: not in it, or its stages are gone */
static double place_of(const epi_flow *f, double t)
{
  const rk_plan *p = f->own;
  if (p->h == 0 || !f->dense) return -1;
  double x = (t - p->t0)/p->h;
  return x >= -1e-9 && x <= 1 + 1e-9 ? fmax(x, 0) : -1;
}

/* x + h sum b_i(part) K_i, and from there back onto the constraints; not 0 when the stages are not those of the last step */
static int between(epi_flow *f, double t, double *y)
{
  const rk_plan *p = f->own;
  const epi_table *T = p->table;
  epi_system *m = f->sys;
  int n = epi_chart_dim(m);
  stage_room d = room_of(f);
  double *x = f->work, *z = m->manifold.retract ? x + n : y, *K = x + 2*n, part = place_of(f, t);
  row r;
  if (part < 0 || more_stages(f)) return 1;
  r.m = 0;
  for (int i = 0; i < T->stages + T->more; i++) {
    double b = 0;
    for (int k = T->degree; k > 0; k--) b = part*(b + T->dense[i*T->degree + k - 1]);
    if (b != 0) { r.j[r.m] = i; r.c[r.m++] = b; }
  }
  sum(n, z, x, &r, p->h, K);
  if (m->manifold.retract) epi_chart_out(m, d.q0, z, y, d.room);
  epi_state s = {.t = t, .theta = epi_phase_at(m, p->t0, p->theta0, part*p->h), .y = y};
  return m->nc ? epi_return_to_constraints(f->space, &s, p->h, d.hold, &f->fault) : 0;
}

/* the cubic through both ends with their rates: its error is of order 4, as that of a run of order 4 is */
static int cubic(epi_flow *f, double t, double *y)
{
  rk_plan *p = f->own;
  int n = epi_dim(f->sys);
  const double *y0 = p->saved, *d0 = y0 + n, *y1 = d0 + n, *d1 = p->fsal ? f->work + (1 + p->table->stages)*n : y1 + n;
  double x = place_of(f, t), h = p->h;
  if (x < 0 || (!p->fsal && !p->got && rate_inside(f, p->end.t, p->end.theta, y1, p->saved + 3*n))) return 1;
  p->got = !p->fsal;
  double a = x*x*(3 - 2*x), b = h*x*(1 - x)*(1 - x), c = -h*x*x*(1 - x);
  for (int l = 0; l < n; l++) y[l] = y0[l] + (a*(y1[l] - y0[l]) + b*d0[l] + c*d1[l]);
  return 0;
}

static rk_plan *plan_of(const epi_table *T)
{
  int S = T->stages, all = S + T->more;
  rk_plan *p = epi_zeros(1, sizeof *p + (size_t)(S + 3 + T->more)*sizeof *p->rows);
  if (!p) return NULL;
  p->table = T;
  for (int i = 0; i < S; i++) fill_row(&p->rows[i], T->a + i*S, i);
  fill_row(&p->rows[S], T->b, S);
  if (T->e) fill_row(&p->rows[S + 1], T->e, S);
  if (T->e2) fill_row(&p->rows[S + 2], T->e2, S);
  for (int i = 0; i < T->more; i++) fill_row(&p->rows[S + 3 + i], T->more_a + i*all, S + i);
  for (int i = 1; i < S; i++) if (!epi_table_sees(T, i)) p->unseen |= 1u << i;
  p->ends = T->more && !memcmp(T->more_a, T->b, (size_t)S*sizeof *T->b);
  p->fsal = !memcmp(T->a + (S - 1)*S, T->b, (size_t)S*sizeof *T->b) && S > 1;
  return p;
}

static int table_usable(epi_flow *f, const epi_table *T)
{
  epi_refuse(f, !T, "rk needs a table: give an epi_table by name, as in rk(table=mine)");
  if (f->broken) return 0;
  epi_refuse(f, T->stages < 1 || T->stages > MOST_STAGES || !T->a || !T->b,
             "the table %s needs 1 to %d stages with a and b", T->name ? T->name : "", MOST_STAGES);
  if (f->broken) return 0;
  epi_refuse(f, T->more < 0 || T->more > MOST_STAGES - T->stages || (T->more && (!T->more_a || !T->dense)),
             "the table %s: stages for the interpolant need more_a and dense, and all stages are at most %d", T->name ? T->name : "",
             MOST_STAGES);
  if (f->broken) return 0;
  double total = 0;
  for (int i = 0; i < T->stages; i++) {
    total += T->b[i];
    for (int j = i; j < T->stages; j++)
      if (T->a[i*T->stages + j] != 0) epi_refuse(f, 1, "the table is not explicit: a[%d][%d] is not zero", i, j);
  }
  epi_refuse(f, fabs(total - 1) > 1e-12, "the weights b of the table sum to %.15g: they must sum to 1", total);
  return !f->broken;
}

void epi_rk_build(epi_flow *f)
{
  epi_system *m = f->sys;
  const epi_table *T = f->record->table ? f->record->table : f->arg[0].name.table;
  if (!table_usable(f, T)) return;
  epi_refuse(f, m->nc > 0 && epi_all_rate(m), "%s holds constraints by forces, and this system has a rate of its positions instead: %s",
             f->record->name, epi_instead(m, "use herk4"));
  epi_refuse(f, m->nc > 0 && m->derived && m->derived->start, "%s has no form for constraints that are learned at the start: %s",
             f->record->name, epi_instead(m, "use verlet"));
  epi_refuse(f, !m->rate && !epi_has_force(m) && !m->velocity_force,
             "this system has no force, velocity force or rate: fill in one of them");
  f->own = plan_of(T);
  if (epi_refuse_memory(f, !f->own)) return;
  rk_plan *p = f->own;
  int n = epi_chart_dim(m), nv = epi_nv(m), cubics = !T->dense && T->order <= 4 && !m->manifold.retract && !m->nc;
  p->alone = epi_has_force(m) && !m->velocity_force && !m->rate && !m->manifold.retract && !m->inertia.speed && !m->nc;
  p->rate = epi_all_rate(m) && !m->manifold.retract && !m->nc;
  long stages = (T->stages + T->more + 2)*n + m->nq + epi_chart_room(m) + n;
  if (epi_blocks(f, 0, stages + (cubics ? 4*n : 0) + (m->nc ? epi_constraint_room(f->space) + 2*m->nc : 0))) return;
  int plain = p->alone && m->force && f->space->mass == UNIT && is_chain(p) && !p->fsal && cubics;
  f->go = !p->alone ? rk : !plain ? nystrom : nv == 1 ? chain_1 : nv == 2 ? chain_2 : chain_any;
  f->knows = knows;
  if (m->manifold.retract || m->nc) p->fsal = p->ends = 0;
  if (cubics) { p->saved = f->work + stages; p->ends = !p->fsal; }
  if (cubics || T->dense) f->between = cubics ? cubic : between;
  f->order = T->order;
  f->estimate = T->e ? T->estimate : 0;
  f->nerr = T->e2 ? 2 : T->e ? 1 : 0;
  if (T->e) f->claims |= EPI_ESTIMATE;
}

epi_rk_form epi_rk_form_of(const epi_flow *f, const epi_table **table, int *fsal)
{
  if (f->record->build != epi_rk_build || !f->own) return EPI_RK_NONE;
  const rk_plan *p = f->own;
  *table = p->table;
  *fsal = p->fsal;
  return f->go == rk ? EPI_RK_RATE : f->go == nystrom ? EPI_RK_FORCE : EPI_RK_CHAIN;
}
