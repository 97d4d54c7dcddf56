/* rk.c - explicit Runge-Kutta methods from tables; on rotations in Lie form (Munthe-Kaas): the table acts on the
 * coordinates u of q = turn(q0, u) */
#include "method/table.h"

enum { MOST_STAGES = 16 };

/* the nonzero coefficients of one row; at: where the stage stands in the step */
typedef struct { int m, j[MOST_STAGES]; double c[MOST_STAGES], at; } row;
typedef struct { const epi_table *table; int fsal; double t0, h; row rows[]; } rk_plan;

static row row_of(const double *c, int n)
{
  row r = {0};
  for (int j = 0; j < n; j++) {
    r.at += c[j];
    if (c[j] != 0) { r.j[r.m] = j; r.c[r.m++] = c[j]; }
  }
  return r;
}

/* z = h sum c_j K_j, on top of x where there is one */
static inline void sum(int n, double *restrict z, const double *restrict x, const row *r, double h, const double *restrict K)
{
  double a[MOST_STAGES];
  for (int j = 0; j < r->m; j++) a[j] = h*r->c[j];
  for (int i = 0; i < n; i++) {
    double d = 0;
    for (int j = 0; j < r->m; j++) d += a[j]*K[r->j[j]*n + i];
    z[i] = x ? x[i] + d : d;
  }
}

/* the local error at the new point y, as an adaptive parent reads it; e in coordinates, z is scratch */
static void estimate(epi_flow *f, const double *y, double h, const double *K, double *z, double *room)
{
  const rk_plan *p = f->own;
  epi_system *m = f->sys;
  int n = epi_chart_dim(m), nv = epi_nv(m), N = epi_dim(m);
  for (int k = 0; k < f->nerr; k++) {
    double *err = f->err + k*N;
    sum(n, m->retract ? z : err, NULL, p->rows + p->table->stages + 1 + k, h, K);
    if (!m->retract) continue;
    epi_retract_tangent(m, y, z, err, room);
    memcpy(err + m->nq, z + nv, (size_t)(nv + m->nz)*sizeof *err);
  }
}

/* work: start x, scratch z, stages K, then for rotations q0 and the chart's room */
static int rk(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  rk_plan *p = f->own;
  int n = epi_chart_dim(m), S = p->table->stages, bad;
  double *x = f->work, *z = x + n, *K = z + n, *q0 = K + S*n, *room = q0 + m->nq, *y = s->y;
  for (; steps > 0; steps--) {
    double t = s->t, theta = s->theta;
    epi_tick end = epi_target(m, s, h);
    if (m->retract) memcpy(q0, y, (size_t)m->nq*sizeof *y);
    epi_chart_in(m, y, x);
    if (p->fsal && epi_cache_valid_all(f, s)) memcpy(K, K + (S - 1)*n, (size_t)n*sizeof *K);
    else if ((bad = epi_chart_rate(f, t, theta, q0, x, K, room))) return bad;
    for (int i = 1; i < S; i++) {
      double ci = p->rows[i].at*h;
      sum(n, z, x, p->rows + i, h, K);
      int ends = p->fsal && i == S - 1;
      if ((bad = epi_chart_rate(f, ends ? end.t : t + ci, ends ? end.theta : epi_phase_at(m, t, theta, ci), q0, z, K + i*n, room)))
        return epi_cache_lost(f, bad);
    }
    sum(n, z, x, p->rows + S, h, K);
    epi_chart_out(m, q0, z, y, room);
    epi_set_clock(s, end);
    p->t0 = t;
    p->h = h;
    epi_moved(f, s);
    if (p->fsal) epi_cache_store(f, s);
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
    int known = p->fsal && epi_cache_valid_all(f, s);
    for (int l = 0; l < n; l++) K[l] = v[l];
    if (known) memcpy(K + n, K + 2*(S - 1)*n + n, (size_t)n*sizeof *K);
    else {
      f->calls++;
      bad = epi_force_at(m, t, theta, q, K + n);
      if (bad) return bad;
      epi_apply_inverse_mass(f->space, q, K + n);
    }
    for (int i = 1; i < S; i++) {
      const row *r = p->rows + i;
      double *restrict V = K + i*2*n, ci = r->at*h;
      if (r->m == 1) {
        const double *restrict k = K + r->j[0]*2*n, a = h*r->c[0];
        for (int l = 0; l < n; l++) { z[l] = q[l] + a*k[l]; V[l] = v[l] + a*k[n + l]; }
      } else {
        for (int l = 0; l < n; l++) {
          double dq = 0, dv = 0;
          for (int j = 0; j < r->m; j++) {
            const double *k = K + r->j[j]*2*n + l, a = h*r->c[j];
            dq += a*k[0];
            dv += a*k[n];
          }
          z[l] = q[l] + dq;
          V[l] = v[l] + dv;
        }
      }
      /* the last stage of one is the first of the next: at the time where that begins, to the bit */
      int ends = p->fsal && i == S - 1;
      bad = epi_force_at(m, ends ? end.t : t + ci, ends ? end.theta : epi_phase_at(m, t, theta, ci), z, V + n);
      if (bad) return epi_cache_lost(f, bad);
      epi_apply_inverse_mass(f->space, z, V + n);
    }
    f->calls += S - 1;
    const row *b = p->rows + S;
    for (int l = 0; l < 2*n; l++) {
      double d = 0;
      for (int j = 0; j < b->m; j++) d += h*b->c[j]*K[b->j[j]*2*n + l];
      q[l] += d;
    }
    p->t0 = t;
    p->h = h;
    epi_set_clock(s, end);
    t = end.t;
    theta = end.theta;
    if (p->fsal) { epi_moved(f, s); epi_cache_store(f, s); }
    if (f->err) estimate(f, q, h, K, z, z);
  }
  epi_moved(f, s);
  if (p->fsal) epi_cache_store(f, s);
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

/* four stages, each standing on the one before alone, as in rk4, of a force alone: the velocities of the stages drop out,
   z_i = q + c_i h v + h^2 a_i a_(i-1) F_(i-2), and only accelerations are kept. Few velocities live in locals, as in verlet */
static inline __attribute__((always_inline)) int chain(epi_flow *f, epi_state *s, double h, long steps, const int n, const int few)
{
  epi_system *m = f->sys;
  const double *A = ((rk_plan *)f->own)->table->a, *B = ((rk_plan *)f->own)->table->b;
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
  for (; steps > 0; steps--) {
    if ((bad = m->force(m, t, q, F))) break;
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
  return bad;
}

/* compiled for one and two velocities, and for any number */
static int chain_1(epi_flow *f, epi_state *s, double h, long n) { return chain(f, s, h, n, 1, 1); }
static int chain_2(epi_flow *f, epi_state *s, double h, long n) { return chain(f, s, h, n, 2, 1); }
static int chain_any(epi_flow *f, epi_state *s, double h, long n) { return chain(f, s, h, n, epi_nv(f->sys), 0); }

static int is_chain(const rk_plan *p)
{
  int i = 1;
  while (i < p->table->stages && p->rows[i].m == 1 && p->rows[i].j[0] == i - 1) i++;
  return i == 4 && i == p->table->stages;
}

/* y0 + h sum b_i(x) K_i; 1 when the stages are not those of the last step */
static int between(epi_flow *f, double t, double *y)
{
  const rk_plan *p = f->own;
  const epi_table *T = p->table;
  int n = epi_dim(f->sys);
  const double *y0 = f->work, *K = y0 + 2*n;
  double x = (t - p->t0)/p->h;
  if (p->h == 0 || !(x >= -1e-9 && x <= 1 + 1e-9)) return 1;
  memcpy(y, y0, (size_t)n*sizeof *y);
  for (int i = 0; i < T->stages; i++) {
    double b = 0;
    for (int k = T->degree; k > 0; k--) b = x*(b + T->dense[i*T->degree + k - 1]);
    if (b != 0) for (int l = 0; l < n; l++) y[l] += p->h*b*K[i*n + l];
  }
  return 0;
}

static rk_plan *plan_of(const epi_table *T)
{
  int S = T->stages;
  rk_plan *p = calloc(1, sizeof *p + (size_t)(S + 3)*sizeof *p->rows);
  if (!p) return NULL;
  p->table = T;
  for (int i = 0; i < S; i++) p->rows[i] = row_of(T->a + i*S, i);
  p->rows[S] = row_of(T->b, S);
  if (T->e) p->rows[S + 1] = row_of(T->e, S);
  if (T->e2) p->rows[S + 2] = row_of(T->e2, S);
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
  double total = 0;
  for (int i = 0; i < T->stages; i++) {
    total += T->b[i];
    for (int j = i; j < T->stages; j++)
      epi_refuse(f, T->a[i*T->stages + j] != 0, "the table is not explicit: a[%d][%d] is not zero", i, j);
  }
  epi_refuse(f, fabs(total - 1) > 1e-12, "the weights b of the table sum to %.15g: they must sum to 1", total);
  return !f->broken;
}

void epi_rk_build(epi_flow *f)
{
  epi_system *m = f->sys;
  const epi_table *T = f->record->table ? f->record->table : f->arg[0].name.table;
  if (!table_usable(f, T)) return;
  epi_refuse(f, m->nc > 0, "%s has no form for constraints: use verlet, which is RATTLE on a constrained system", f->record->name);
  epi_refuse(f, !m->rate && !epi_has_force(m) && !m->velocity_force,
             "this system has no force, velocity force or rate: fill in one of them");
  f->own = plan_of(T);
  if (epi_refuse(f, !f->own, "out of memory")) return;
  rk_plan *p = f->own;
  int n = epi_chart_dim(m), nv = epi_nv(m), alone = epi_has_force(m) && !m->velocity_force && !m->rate && !m->retract && !m->speed;
  if (epi_blocks(f, 0, (T->stages + 2)*n + m->nq + epi_chart_room(m) + n)) return;
  int plain = alone && m->force && f->space->mass == UNIT && is_chain(p) && !p->fsal && !T->dense;
  f->go = !alone ? rk : !plain ? nystrom : nv == 1 ? chain_1 : nv == 2 ? chain_2 : chain_any;
  if (m->retract) p->fsal = 0;
  if (T->dense && !m->retract) f->between = between;
  f->order = T->order;
  f->estimate = T->e ? T->estimate : 0;
  f->nerr = T->e2 ? 2 : T->e ? 1 : 0;
  if (T->e) f->claims |= EPI_ESTIMATE;
}
