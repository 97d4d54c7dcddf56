/* implicit.c - implicit Runge-Kutta methods from tables, also partitioned; Newton with the system's slope or by differences. Of a motion
 * by forces alone it solves for the velocities, from which the positions follow: an eighth of the work. On rotations the table acts on the
 * coordinates u of q = turn(q0, u). */
#include "method/table.h"

typedef struct {
  const epi_table *table;
  int second;                          /* velocities are the rates of the positions, and forces move nothing but them */
  epi_table made;                      /* theta's own */
  double a[4], b[2];
  int *pivot;
} implicit_plan;

/* work: x0, Z (s n), F (s n), R (s n), point x, J (n n), newton matrix (s n)^2, slopes (nv nv), q0, chart's room */
typedef struct { double *x0, *Z, *F, *R, *x, *J, *N, *B, *q0, *room; } implicit_work;

static implicit_work work_of(const epi_flow *f, int n, int S)
{
  const epi_system *m = f->sys;
  int nv = epi_nv(m), big = epi_dim(m) > nv ? epi_dim(m) : nv;
  implicit_work d = {.x0 = f->work};
  d.Z = d.x0 + n;
  d.F = d.Z + S*n;
  d.R = d.F + S*n;
  d.x = d.R + S*n;
  d.J = d.x + 2*n;
  d.N = d.J + n*n;
  d.B = d.N + S*n*S*n;
  d.q0 = d.B + big*big;
  d.room = d.q0 + m->nq;
  return d;
}

static long work_room(const epi_system *m, long n, long S)
{
  long nv = epi_nv(m), big = epi_dim(m) > nv ? epi_dim(m) : nv;
  return 3*n + 3*S*n + n*n + S*n*S*n + big*big + m->nq + epi_chart_room(m) + n;
}

/* J = d(rate)/dx from the user's slope: rows of v' are M^-1 (dF/dq, dF/dv) */
static int slope_given(epi_flow *f, const implicit_work *d, double t, const double *y, int n)
{
  epi_system *m = f->sys;
  int nv = epi_nv(m), bad;
  memset(d->J, 0, (size_t)(n*n)*sizeof *d->J);
  if (epi_all_rate(m)) return m->jacobian.slope(m, t, y, 1, 0, d->J);
  for (int i = 0; i < nv; i++) d->J[i*n + nv + i] = 1;
  for (int half = 0; half < 2; half++) {
    memset(d->B, 0, (size_t)(nv*nv)*sizeof *d->B);
    if ((bad = m->jacobian.slope(m, t, y, !half, half, d->B))) return bad;
    /* M^-1 acts on columns */
    for (int c = 0; c < nv; c++) {
      double *col = d->x;
      for (int i = 0; i < nv; i++) col[i] = d->B[i*nv + c];
      epi_apply_inverse_mass(f->space, y, col);
      for (int i = 0; i < nv; i++) d->J[(nv + i)*n + half*nv + c] = col[i];
    }
  }
  return 0;
}

static int averaged(const epi_flow *f) { return f->sys->derived && f->sys->derived->inner; }

static int slope_found(epi_flow *f, const implicit_work *d, double t, double theta, const double *at, int n)
{
  double *x = d->x, *dx = d->R, *f0 = d->x + n;
  int bad = epi_chart_rate(f, t, theta, d->q0, at, f0, d->room), columns = n;
  memcpy(x, at, (size_t)n*sizeof *x);
  /* velocities move positions and nothing else */
  if (((const implicit_plan *)f->own)->second && epi_feels_no_velocity(f->sys)) {
    columns = n/2;
    for (int i = 0; i < n; i++) for (int c = columns; c < n; c++) d->J[i*n + c] = i + columns == c;
  }
  for (int c = 0; c < columns && !bad; c++) {
    double e = averaged(f) ? 1e-5*fmax(fabs(at[c]), 1) : 1e-8*fmax(fabs(at[c]), 1e-3), keep = x[c];
    x[c] = keep + e;
    e = x[c] - keep;
    bad = epi_chart_rate(f, t, theta, d->q0, x, dx, d->room);
    for (int i = 0; i < n; i++) d->J[i*n + c] = (dx[i] - f0[i])/e;
    x[c] = keep;
  }
  return bad;
}

/* positions and velocities may have their own A */
static const double *table_of(const epi_table *T, int velocity) { return velocity && T->a2 ? T->a2 : T->a; }

/* I - h A (x) J, factored */
static int matrix_of_all(const implicit_plan *p, const implicit_work *d, double h, int n, int nu)
{
  const epi_table *T = p->table;
  int S = T->stages;
  for (int i = 0; i < S; i++)
    for (int r = 0; r < n; r++)
      for (int j = 0; j < S; j++) {
        double a = table_of(T, r >= nu)[i*S + j];
        for (int c = 0; c < n; c++) d->N[(i*n + r)*S*n + j*n + c] = (i == j && r == c) - h*a*d->J[r*n + c];
      }
  return epi_lu(S*n, d->N, p->pivot);
}

/* of the velocities alone: positions change by h A times what they do, and J is 0 and 1 in its upper half */
static int matrix_of_velocities(const implicit_plan *p, const implicit_work *d, double h, int n)
{
  const epi_table *T = p->table;
  const double *a = T->a, *a2 = table_of(T, 1);
  int S = T->stages, nu = n/2;
  for (int i = 0; i < S; i++)
    for (int j = 0; j < S; j++) {
      double once = h*a2[i*S + j], twice = 0;
      for (int k = 0; k < S; k++) twice += h*a2[i*S + k]*(h*a[k*S + j]);
      for (int r = 0; r < nu; r++) {
        const double *by_q = d->J + (nu + r)*n, *by_v = by_q + nu;
        double *row = d->N + (i*nu + r)*S*nu + j*nu;
        for (int c = 0; c < nu; c++) row[c] = (i == j && r == c) - once*by_v[c] - twice*by_q[c];
      }
    }
  return epi_lu(S*nu, d->N, p->pivot);
}

static int newton_matrix(const epi_flow *f, const implicit_work *d, double h, int n)
{
  const implicit_plan *p = f->own;
  return p->second ? matrix_of_velocities(p, d, h, n) : matrix_of_all(p, d, h, n, epi_nv(f->sys));
}

/* R becomes the correction that takes it out */
static void correction(const implicit_plan *p, const implicit_work *d, double h, int n)
{
  const epi_table *T = p->table;
  const double *a2 = table_of(T, 1);
  int S = T->stages, nu = n/2;
  if (!p->second) { epi_lu_solve(S*n, d->N, p->pivot, d->R); return; }
  double *v = d->N + S*nu*S*nu, *force = v + S*nu;
  for (int j = 0; j < S; j++)
    for (int r = 0; r < nu; r++) {
      const double *by_q = d->J + (nu + r)*n, *R = d->R + j*n;
      double sum = 0;
      for (int c = 0; c < nu; c++) sum += by_q[c]*R[c];
      force[j*nu + r] = sum;
    }
  for (int i = 0; i < S; i++)
    for (int r = 0; r < nu; r++) {
      double sum = 0;
      for (int j = 0; j < S; j++) sum += a2[i*S + j]*force[j*nu + r];
      v[i*nu + r] = d->R[i*n + nu + r] + h*sum;
    }
  epi_lu_solve(S*nu, d->N, p->pivot, v);
  for (int i = 0; i < S; i++)
    for (int r = 0; r < nu; r++) {
      double sum = 0;
      for (int j = 0; j < S; j++) sum += T->a[i*S + j]*v[j*nu + r];
      d->R[i*n + r] += h*sum;
      d->R[i*n + nu + r] = v[i*nu + r];
    }
}

static int stages(epi_flow *f, const implicit_work *d, double t, double theta, double h, int n)
{
  const epi_table *T = ((implicit_plan *)f->own)->table;
  int S = T->stages;
  for (int i = 0; i < S; i++) {
    double c = 0;
    for (int j = 0; j < S; j++) c += T->a[i*S + j];
    for (int l = 0; l < n; l++) d->x[l] = d->x0[l] + d->Z[i*n + l];
    int bad = epi_chart_rate(f, t + c*h, epi_phase_at(f->sys, t, theta, c*h), d->q0, d->x, d->F + i*n, d->room);
    if (bad) return bad;
  }
  return 0;
}

/* R = h A F - Z */
static void residual(const epi_flow *f, const implicit_work *d, double h, int n)
{
  const epi_table *T = ((implicit_plan *)f->own)->table;
  int S = T->stages, nu = epi_nv(f->sys);
  for (int i = 0; i < S; i++)
    for (int l = 0; l < n; l++) {
      const double *a = table_of(T, l >= nu) + i*S;
      double x = 0;
      for (int j = 0; j < S; j++) x += a[j]*d->F[j*n + l];
      d->R[i*n + l] = h*x - d->Z[i*n + l];
    }
}

/* 1: no correction is more than rounding of the state makes of the rates, such as of a stiff spring between two bodies that go far. Beyond
   its oscillation the matrix takes that out */
static int is_rounding(const implicit_work *d, double h, int n, int nu, int S, const double *least)
{
  double top = 0;
  for (int k = 0; k < n*n; k++) top = fmax(top, fabs(d->J[k]));
  const double part = 1e-15*fabs(h)/fmax(1, h*h*top);
  for (int l = 0; l < n; l++) {
    double noise = 0;
    for (int c = 0; c < n; c++) noise += fabs(d->J[l*n + c]*d->x0[c]);
    for (int i = 0; i < S; i++) if (!(fabs(d->R[i*n + l]) <= least[l >= nu] + part*noise)) return 0;
  }
  return 1;
}

/* I - h A (x) J with the slope of each stage where that stands, for what changes its course between them, as a contact that closes */
static int matrix_at_stages(epi_flow *f, const implicit_work *d, double t, double theta, double h, const double *y, int n)
{
  const implicit_plan *p = f->own;
  const epi_table *T = p->table;
  int S = T->stages, nu = epi_nv(f->sys), bad = 0;
  for (int j = 0; j < S && !bad; j++) {
    double c = 0;
    for (int k = 0; k < S; k++) c += T->a[j*S + k];
    for (int l = 0; l < n; l++) d->x0[l] += d->Z[j*n + l];
    bad = slope_found(f, d, t + c*h, epi_phase_at(f->sys, t, theta, c*h), d->x0, n);
    epi_chart_in(f->sys, y, d->x0);
    for (int i = 0; i < S; i++)
      for (int r = 0; r < n; r++) {
        double a = table_of(T, r >= nu)[i*S + j];
        for (int k = 0; k < n; k++) d->N[(i*n + r)*S*n + j*n + k] = (i == j && r == k) - h*a*d->J[r*n + k];
      }
  }
  return bad ? bad : epi_lu(S*n, d->N, p->pivot) ? EPI_TOO_FAR : 0;
}

/* Newton's iteration with one slope, of the start, and taken again at the latest iterate where that is not good enough; then, unless a
   shorter step will be tried, with the slopes of all stages, and as much of a correction as leads on */
enum { ANEW = 12, TURNS = 5*ANEW, EXACT = 30 };

/* corrections that stay as they are, also by new slopes, are no lack of convergence but a force that jumps by so little, as that of a
   contact at its edge: how many times as much is taken for rounding then, of positions and of velocities by themselves */
static double tired(int it) { return it < ANEW ? 0 : it < 2*ANEW ? 10 : 100; }

static int slope_anew(epi_flow *f, const implicit_work *d, double t, double theta, double h, const double *y, int n, int it)
{
  int S = ((const implicit_plan *)f->own)->table->stages, bad;
  if (it) for (int l = 0; l < n; l++) d->x0[l] += d->Z[(S - 1)*n + l];
  bad = f->sys->jacobian.slope && !f->sys->inertia.speed && !it ? slope_given(f, d, t, y, n) : slope_found(f, d, t, theta, d->x0, n);
  if (it) epi_chart_in(f->sys, y, d->x0);
  return bad ? bad : newton_matrix(f, d, h, n) ? EPI_TOO_FAR : 0;
}

static int newton(epi_flow *f, const implicit_work *d, double t, double theta, double h, const double *y, int n, int trial)
{
  const implicit_plan *p = f->own;
  int S = p->table->stages, nu = epi_nv(f->sys), bad = 0;
  /* an averaged force is a small difference of large sums, and as noisy */
  double last = HUGE_VAL, part = 1, floor = averaged(f) ? 1e-6 : 1e-13;
  memset(d->Z, 0, (size_t)(S*n)*sizeof *d->Z);
  for (int it = 0; it < (trial ? TURNS : TURNS + EXACT); it++) {
    const int renew = it % ANEW == 0, exact = it >= TURNS;
    if (epi_stopping(f)) return EPI_INTERRUPTED;
    if (it == TURNS) memset(d->Z, 0, (size_t)(S*n)*sizeof *d->Z);
    if (exact) bad = matrix_at_stages(f, d, t, theta, h, y, n);
    else if (renew) bad = slope_anew(f, d, t, theta, h, y, n, it);
    if (bad || (bad = stages(f, d, t, theta, h, n))) return bad;
    residual(f, d, h, n);
    if (exact) epi_lu_solve(S*n, d->N, p->pivot, d->R);
    else correction(p, d, h, n);
    double big = 0, sizes[2] = {0};
    for (int k = 0; k < S*n; k++) big = epi_larger(big, fabs(d->R[k]));
    if (exact) part = it == TURNS ? 1 : big <= (1 - 0.25*part)*last ? fmin(1, 4*part) : fmax(1./64, 0.25*part);
    for (int k = 0; k < S*n; k += n)
      for (int l = 0; l < n; l++) {
        const double x = d->Z[k + l] += part*d->R[k + l];
        sizes[l >= nu] = epi_larger(sizes[l >= nu], fabs(x) + fabs(d->x0[l]));
      }
    if (!(big < 1e300)) return EPI_TOO_FAR;
    /* round-off, or as near to it as it will come; what has decayed to nothing has none left */
    const double size = epi_larger(sizes[0], sizes[1]), more = tired(it)*floor;
    const double least[2] = {fmax(floor*size, more*sizes[0]), fmax(floor*size, more*sizes[1])};
    if (big <= fmax(1e-16*size, 1e-290) || (big >= 0.3*last && is_rounding(d, h, n, nu, S, least))) return stages(f, d, t, theta, h, n);
    last = renew && !exact ? HUGE_VAL : big;
  }
  return EPI_TOO_FAR;
}

static int implicit(epi_flow *f, epi_state *s, double h, long steps)
{
  epi_system *m = f->sys;
  const epi_table *T = ((implicit_plan *)f->own)->table;
  int n = epi_chart_dim(m), S = T->stages, bad;
  implicit_work d = work_of(f, n, S);
  while (steps-- > 0) {
    double t = s->t, theta = s->theta;
    epi_tick end = epi_target(m, s, h);
    memcpy(d.q0, s->y, (size_t)m->nq*sizeof *d.q0);
    epi_chart_in(m, s->y, d.x0);
    if ((bad = newton(f, &d, t, theta, h, s->y, n, s->key.trial > 0))) {
      if (bad == EPI_TOO_FAR)
        epi_fail(f, bad,
                 "%s: Newton's iteration did not converge at t = %.10g with h = %g: take a smaller step, or give a slope", f->record->name,
                 t, h);
      return bad;
    }
    for (int l = 0; l < n; l++) {
      double x = 0;
      for (int i = 0; i < S; i++) x += T->b[i]*d.F[i*n + l];
      d.x0[l] += h*x;
    }
    epi_chart_out(m, d.q0, d.x0, s->y, d.room);
    epi_set_clock(s, end);
    epi_moved(f, s);
  }
  return 0;
}

static void implicit_drop(epi_flow *f)
{
  implicit_plan *p = f->own;
  if (p) free(p->pivot);
}

static void theta_table(epi_flow *f, implicit_plan *p)
{
  double x = f->arg[0].number;
  int leg = f->arg[1].number == 1;
  memcpy(p->a, leg ? (double[4]){x} : (double[]){0, 0, 1 - x, x}, sizeof p->a);
  memcpy(p->b, leg ? (double[2]){1} : (double[]){1 - x, x}, sizeof p->b);
  p->made = (epi_table){.name = "theta", .order = x == 0.5 ? 2 : 1, .stages = leg ? 1 : 2, .a = p->a, .b = p->b};
  p->table = &p->made;
  if (x == 0.5) f->claims |= EPI_SYMMETRIC | EPI_REVERSIBLE | (leg ? EPI_SYMPLECTIC : 0);
}

void epi_implicit_build(epi_flow *f)
{
  epi_system *m = f->sys;
  implicit_plan *p = f->own = calloc(1, sizeof *p);
  f->drop = implicit_drop;
  if (epi_refuse_memory(f, !p)) return;
  if (f->record->table) p->table = epi_table_wanted(f->record, f->arg);
  else theta_table(f, p);
  if (epi_refuse(f, !p->table, "%s has no table of %g stages: take 2 or 3", f->record->name, f->arg[0].number)) return;
  epi_refuse(f, m->nc > 0, "%s has no form for constraints: %s", f->record->name,
             epi_instead(m, "use verlet, which is RATTLE on a constrained system"));
  epi_refuse(f, !m->rate && !epi_has_force(m) && !m->velocity_force,
             "this system has no force, velocity force or rate: fill in one of them");
  epi_refuse(f, p->table->a2 && m->inertia.speed, "%s needs a quadratic kinetic energy, and this system has a speed of its own: use gauss",
             f->record->name);
  epi_refuse(f, p->table->a2 && (epi_all_rate(m) || !m->nq),
             "%s needs positions and velocities; this system has only a rate: use gauss", f->record->name);
  int n = epi_chart_dim(m), S = p->table->stages;
  p->second = !m->rate && !m->inertia.speed && !m->manifold.retract && m->nq == epi_nv(m) && n == 2*m->nq;
  p->pivot = calloc((size_t)(S*n) + 1, sizeof *p->pivot);
  if (epi_refuse_memory(f, !p->pivot) || epi_blocks(f, 0, work_room(m, n, S))) return;
  f->order = p->table->order;
  if (m->velocity_force || m->rate) f->claims &= ~(unsigned)(EPI_SYMPLECTIC | EPI_REVERSIBLE);
  /* a chart around the start of the step has no mirror unless the step is one straight turn: one stage in the middle */
  int midpoint = S == 1 && p->table->a[0] == 0.5;
  if (m->manifold.retract) f->claims &= ~(unsigned)(EPI_SYMPLECTIC | (midpoint ? 0 : EPI_SYMMETRIC | EPI_REVERSIBLE));
  f->go = implicit;
}
