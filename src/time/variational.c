/* variational.c - discrete Lagrangians: L_d = |q1 - q0|^2/(2h) + h (E0 - V(q_alpha)) with h = eps l(q_beta), and their symmetric means.
 * p0 = -D1 L_d is solved for q1, p1 = D2 L_d. Without a scaling h is the step and E0 drops out. A velocity force enters as discrete work.
 * With rotations q1 = retract(q0, x) and q_alpha = retract(q0, alpha x), and |x|^2 stands for |q1 - q0|^2 */
#include "objective.h"
#include "energy.h"
#include "turning.h"
#include "method/table.h"

enum { ALPHA, BETA, EPS, SCALING, POWER, SMOOTH, LIMIT, SYMMETRIC, ORDER, TABLE, E0, CLOCK };
enum { NONE, MODEL, POTENTIAL, CONTACT, GIVEN };

typedef struct {
  epi_own own;
  epi_objective q;
  int scaled, n;                       /* n: turns of the palindrome */
  double w[128];
  int *pivot;
  epi_turning *turning;                /* where there are rotations */
} variational_plan;

/* scratch: D1 and D2 (as velocities), a point with its velocity, acceleration and velocity force, gradient of l, Newton's matrix, start,
   steps, a root and the one of a shorter step, room */
typedef struct {
  double *minus, *plus, *y, *a, *f, *slope, *J, *q0, *v0, *x, *r, *old, *found, *path, *room, *work;
  double *R, *F, *S;                   /* of rotations: a matrix, momenta and forces at the ends */
} variational_work;

static variational_work work_of(const epi_flow *f)
{
  const variational_plan *p = f->own;
  long n = epi_nv(f->sys);
  variational_work d = {.minus = p->scaled ? epi_own_work(f) : f->work};
  d.plus = d.minus + n;
  d.y = d.plus + n;
  d.a = d.y + epi_dim(f->sys);
  d.f = d.a + n;
  d.slope = d.f + n;
  d.J = d.slope + n;
  d.q0 = d.J + n*n;
  d.v0 = d.q0 + f->sys->nq;
  d.x = d.v0 + n;
  d.r = d.x + n;
  d.old = d.r + n;
  d.found = d.old + n;
  d.path = d.found + n;
  d.room = d.path + n;
  d.R = d.room + epi_dim(f->sys) + n;
  d.F = d.R + (p->turning ? epi_turning_size(p->turning) : 0);
  d.S = d.F + 2*n;
  d.work = d.S + 2*n;
  return d;
}

static long work_room(const epi_flow *f)
{
  const epi_system *m = f->sys;
  const variational_plan *p = f->own;
  long n = epi_nv(m), turns = p->turning ? epi_turning_size(p->turning) : 0;
  return 17*n + n*n + 3L*epi_dim(m) + turns + epi_objective_room(m);
}

/* what a step is made of: own time e (or h itself), the energy level, and what it finds: h, the work of the velocity force, the kinetic
   energy on the way and by how much the energy misses its level there */
typedef struct { double t, theta, e, E0, h, work, T, off; } slice;

/* h = e l(q_beta), l = 1/Q; slope becomes M^-1 l' e. Unknown is the way x = q1 - q0: a short one loses no digits */
static int length_of(epi_flow *f, const slice *c, double beta, const double *x, const variational_work *d, double *h)
{
  const variational_plan *p = f->own;
  int n = epi_nv(f->sys), bad;
  double Q;
  *h = c->e;
  if (!p->scaled) return 0;
  if (f->sys->manifold.retract) epi_shift(f->sys, d->q0, beta, x, d->y, d->room);
  else for (int i = 0; i < n; i++) d->y[i] = d->q0[i] + (beta > 0 ? beta*x[i] : 0);
  memset(d->y + f->sys->nq, 0, (size_t)n*sizeof *d->y);
  if ((bad = epi_objective_slope(f, &p->q, c->t, d->y, &Q, d->slope, d->work))) return bad;
  *h = c->e/Q;
  for (int i = 0; i < n; i++) d->slope[i] *= -*h/Q;
  epi_mass_divide(f->space, d->q0, d->slope);
  return 0;
}

/* the share of a force F at retract(q0, part x) in the derivatives by q0 and q1: its work is F . R(part x)^-1 (R(-part x) eta0 + part dx).
   Adds part of R^-T F to both sums, which R(x) and R(-x) turn to the ends, and its own to minus; F is lost */
static int add_force(epi_flow *f, double part, const double *x, double *F, double *minus, double *both, const variational_work *d)
{
  const epi_turning *k = ((const variational_plan *)f->own)->turning;
  int n = k->n, bad;
  epi_turning_matrix(f->sys, k, part, x, d->R);
  if ((bad = epi_turning_solve(k, d->R, F))) return bad;
  for (int i = 0; i < n; i++) both[i] += part*F[i];
  epi_turning_matrix(f->sys, k, -part, x, d->R);
  epi_turning_transposed(k, d->R, F, d->room);
  for (int i = 0; i < n; i++) minus[i] -= d->room[i];
  return 0;
}

static double mass_of(const epi_flow *f, int i) { return f->sys->mass ? f->sys->mass[i] : 1; }

/* p0 = R(-x)^T (M v + shares) - what the forces do to q0 itself, p1 = R(x)^T (M v + shares); a, f and slope are velocities, W the energy
   that is missing */
static int add_turning(epi_flow *f, const slice *c, double weight, double alpha, double beta, double h, double W, const double *x,
                       const variational_work *d)
{
  const variational_plan *p = f->own;
  int n = epi_nv(f->sys), bad;
  double *minus = d->F, *both = d->F + n, *F = d->S, *out = d->S + n;
  (void)c;
  for (int i = 0; i < n; i++) {
    minus[i] = 0;
    both[i] = mass_of(f, i)*x[i]/h;
    F[i] = h*mass_of(f, i)*(d->a[i] + d->f[i]);
  }
  if ((bad = add_force(f, alpha, x, F, minus, both, d))) return bad;
  for (int i = 0; i < n && p->scaled; i++) F[i] = mass_of(f, i)*d->slope[i]*W;
  if (p->scaled && (bad = add_force(f, beta, x, F, minus, both, d))) return bad;
  epi_turning_matrix(f->sys, p->turning, -1, x, d->R);
  epi_turning_transposed(p->turning, d->R, both, out);
  for (int i = 0; i < n; i++) d->minus[i] += weight*(out[i] + minus[i])/mass_of(f, i);
  epi_turning_matrix(f->sys, p->turning, 1, x, d->R);
  epi_turning_transposed(p->turning, d->R, both, out);
  for (int i = 0; i < n; i++) d->plus[i] += weight*out[i]/mass_of(f, i);
  return 0;
}

/* the velocity force of bodies has the gyroscopic torque in it, and the Lagrangian has that already; who gives none means none */
static void without_gyro(epi_flow *f, const double *v, const variational_work *d)
{
  const epi_turning *k = ((const variational_plan *)f->own)->turning;
  for (int i = 0; i < k->n; i++) d->F[i] = mass_of(f, i)*v[i];
  epi_turning_gyro(f->sys, k, v, d->F, d->R, d->S);
  for (int i = 0; i < k->n; i++) d->f[i] -= d->S[i];
}

/* adds weight times M^-1 (-D1), M^-1 D2 of one discrete Lagrangian to minus and plus, its h and the work of its velocity force to the
   slice */
static int add_lagrangian(epi_flow *f, slice *c, double weight, double alpha, double beta, const double *x, const variational_work *d)
{
  const variational_plan *p = f->own;
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double h, W = 0, work = 0, *v = d->y + m->nq;
  if ((bad = length_of(f, c, beta, x, d, &h))) return bad;
  if (m->manifold.retract) epi_shift(m, d->q0, alpha, x, d->y, d->room);
  else for (int i = 0; i < n; i++) d->y[i] = d->q0[i] + alpha*x[i];
  for (int i = 0; i < n; i++) v[i] = x[i]/h;
  if ((bad = epi_accel(f, c->t + alpha*h, epi_phase_at(m, c->t, c->theta, alpha*h), d->y, d->a))) return bad;
  memset(d->f, 0, (size_t)n*sizeof *d->f);
  if (m->velocity_force || m->manifold.retract) {
    if (m->velocity_force && (bad = m->velocity_force(m, c->t + alpha*h, d->y, v, d->f))) return bad;
    if (m->manifold.retract) without_gyro(f, v, d);
    for (int i = 0; i < n; i++) work += h*v[i]*d->f[i];
    epi_apply_inverse_mass(f->space, d->y, d->f);
  }
  /* dL_d/dh = E0 - the discrete energy, with the share of the work that is done by alpha */
  if (p->scaled) {
    double T = epi_kinetic_of(m, c->t, d->y, v, d->room);
    W = c->E0 + alpha*work - T - epi_potential_of(m, c->t, d->y, d->room);
    c->T = T;
    c->off = W;
  }
  if (m->manifold.retract && (bad = add_turning(f, c, weight, alpha, beta, h, W, x, d))) return bad;
  for (int i = 0; i < n && !m->manifold.retract; i++) {
    double pull = h*(d->a[i] + d->f[i]), turn = p->scaled ? d->slope[i]*W : 0;
    d->minus[i] += weight*(v[i] - (1 - alpha)*pull - (1 - beta)*turn);
    d->plus[i] += weight*(v[i] + alpha*pull + beta*turn);
  }
  c->h += weight*h;
  c->work += weight*work;
  return 0;
}

static int lagrangian(epi_flow *f, slice *c, const double *x, const variational_work *d)
{
  double alpha = f->arg[ALPHA].number, beta = f->arg[BETA].number;
  int n = epi_nv(f->sys), both = f->arg[SYMMETRIC].number == 1, bad;
  memset(d->minus, 0, (size_t)(2*n)*sizeof *d->minus);
  c->h = c->work = 0;
  bad = add_lagrangian(f, c, both ? 0.5 : 1, alpha, beta, x, d);
  return bad || !both ? bad : add_lagrangian(f, c, 0.5, 1 - alpha, 1 - beta, x, d);
}

static int no_step(epi_flow *f, const slice *c, const char *why)
{
  return epi_fail(f, EPI_TOO_FAR, "variational: %s at t = %.10g with %s = %g: take a smaller one", why, c->t,
                  ((variational_plan *)f->own)->scaled ? "eps" : "h", fabs(c->e));
}

/* d(minus)/dx at x, by differences from the values there, factored */
static int matrix(epi_flow *f, const slice *c, double *x, const variational_work *d, double size)
{
  int n = epi_nv(f->sys), bad;
  slice other = *c;
  memcpy(d->old, d->minus, (size_t)n*sizeof *d->old);
  for (int k = 0; k < n; k++) {
    double keep = x[k], e = 1e-6*fmax(size, 1e-6*fabs(d->q0[k]));
    if (!(e > 0)) e = 1e-12;
    x[k] = keep + e;
    e = x[k] - keep;
    bad = lagrangian(f, &other, x, d);
    x[k] = keep;
    if (bad) return bad;
    for (int i = 0; i < n; i++) d->J[i*n + k] = (d->minus[i] - d->old[i])/e;
  }
  return epi_lu(n, d->J, ((variational_plan *)f->own)->pivot) ? no_step(f, c, "Newton's matrix is singular") : 0;
}

/* minus(x) = v0 by Newton, the matrix renewed while it does not converge quickly; x comes as a guess */
static int newton(epi_flow *f, slice *c, double *x, const variational_work *d)
{
  int n = epi_nv(f->sys), bad, renew = 1;
  double last = HUGE_VAL, size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  for (int it = 0; it < 60; it++) {
    double big = 0;
    if ((bad = lagrangian(f, c, x, d))) return bad;
    for (int i = 0; i < n; i++) d->r[i] = d->v0[i] - d->minus[i];
    if (renew && (bad = matrix(f, c, x, d, size))) return bad;
    epi_lu_solve(n, d->J, ((variational_plan *)f->own)->pivot, d->r);
    size = 0;
    for (int i = 0; i < n; i++) {
      x[i] += d->r[i];
      big = epi_larger(big, fabs(d->r[i]));
      size = fmax(size, fabs(x[i]));
    }
    if (!(big < 1e300)) break;
    /* as near as rounding lets it come; a corner in the force may leave the matrix of the other side */
    if (big <= 1e-16*size || (big >= 0.25*last && big <= 1e-12*size)) return lagrangian(f, c, x, d);
    renew = it % 4 == 3 || big > 0.1*last;
    last = big;
  }
  return no_step(f, c, "the discrete equations have no solution nearby");
}

/* ---- is it the right root? ----
 * Where the scaling changes much in a step the equations may have several, solved to rounding each, and the guess lies next to any. The
 * right one is that which goes to nothing with the length of the step; another one shows by an energy that is another than at the start */
static int doubtful(epi_flow *f, const slice *c, const double *x, const variational_work *d, int *yes)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  if ((bad = epi_accel(f, c->t, c->theta, d->q0, d->a))) return bad;
  for (int i = 0; i < n; i++) d->r[i] = c->h*d->a[i];
  epi_shift(m, d->q0, 1, x, d->y, d->room);
  /* what changes in a step: by the way, and by the velocity that the force gives */
  double T = epi_kinetic_of(m, c->t, d->q0, d->v0, d->room), V = epi_potential_of(m, c->t, d->q0, d->room);
  double size = T + fabs(epi_potential_of(m, c->t, d->y, d->room) - V) + epi_kinetic_of(m, c->t, d->q0, d->r, d->room);
  *yes = fabs(c->off - (c->E0 - T - V)) > 0.5*size;
  return 0;
}

static double largest(int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s = epi_larger(s, fabs(x[i]));
  return s;
}

/* the root is followed from a short step to the whole one, each solved for from the one before; x comes as a root, and stays if it is the
   one that is found */
static int follow(epi_flow *f, slice *c, double *x, const variational_work *d)
{
  int n = epi_nv(f->sys), bad;
  size_t size = (size_t)n*sizeof *x;
  double done = 0, part = 0.125, h;
  memcpy(d->found, x, size);
  while (done < 1) {
    double to = fmin(1, done + part), far = 0;
    slice now = *c;
    now.e = to*c->e;
    if (!done && (bad = length_of(f, &now, 0, x, d, &h))) return bad;
    for (int i = 0; i < n; i++) x[i] = done > 0 ? d->path[i]*to/done : h*d->v0[i];
    bad = newton(f, &now, x, d);
    if (bad < 0) return bad;
    for (int i = 0; i < n && !bad; i++) far = epi_larger(far, fabs(x[i] - (done > 0 ? d->path[i]*to/done : h*d->v0[i])));
    if (bad || !(far <= 0.1*now.h*(largest(n, d->v0) + largest(n, d->plus)))) {
      epi_clear_error(f);
      if ((part *= 0.5) < 1e-4) return no_step(f, c, "the discrete equations have no solution nearby");
      continue;
    }
    memcpy(d->path, x, size);
    done = to;
  }
  double off = 0;
  for (int i = 0; i < n; i++) off = epi_larger(off, fabs(x[i] - d->found[i]));
  if (off <= 1e-9*largest(n, x)) memcpy(x, d->found, size);
  return lagrangian(f, c, x, d);
}

/* alpha = beta = 0 in closed form: p = Mv with w = a - (b/2)|w|^2, of which only the length is unknown */
static int explicitly(epi_flow *f, slice *c, const variational_work *d)
{
  epi_system *m = f->sys;
  const variational_plan *p = f->own;
  int n = epi_nv(m), bad;
  double *a = d->r, aa = 0, ab = 0, bb = 0, h, V = 0;
  if ((bad = length_of(f, c, 0, d->q0, d, &h)) || (bad = epi_accel(f, c->t, c->theta, d->q0, d->a))) return bad;
  if (p->scaled) V = epi_potential_of(m, c->t, d->q0, d->room) - c->E0;
  for (int i = 0; i < n; i++) a[i] = d->v0[i] + h*d->a[i] - (p->scaled ? d->slope[i]*V : 0);
  c->h = h;
  if (p->scaled) {
    /* |x|^2 in the mass is twice a kinetic energy, and so is every product */
    aa = 2*epi_kinetic_of(m, c->t, d->q0, a, d->room);
    bb = 2*epi_kinetic_of(m, c->t, d->q0, d->slope, d->room);
    for (int i = 0; i < n; i++) d->x[i] = a[i] + d->slope[i];
    ab = epi_kinetic_of(m, c->t, d->q0, d->x, d->room) - 0.5*aa - 0.5*bb;
    double root = (1 + ab)*(1 + ab) - aa*bb;
    if (!(root >= 0) || !(1 + ab > 0)) return no_step(f, c, "the length of the step has no real solution");
    double ww = 2*aa/((1 + ab) + sqrt(root));
    for (int i = 0; i < n; i++) a[i] -= 0.5*d->slope[i]*ww;
  }
  memcpy(d->plus, a, (size_t)n*sizeof *a);
  for (int i = 0; i < n; i++) d->x[i] = h*a[i];
  return 0;
}

static int is_explicit(const epi_flow *f)
{
  return f->arg[ALPHA].number == 0 && f->arg[BETA].number == 0 && f->arg[SYMMETRIC].number == 0 && !f->sys->velocity_force &&
    !f->sys->manifold.retract;
}

/* one step of the discrete Lagrangian: q, v, the level of the energy by the work done; h is how long it was */
static int once(epi_flow *f, epi_state *s, double e, double *level, double *h)
{
  epi_system *m = f->sys;
  variational_work d = work_of(f);
  size_t n = (size_t)epi_nv(m), nq = (size_t)m->nq;
  double guess;
  slice c = {.t = s->t + *h, .theta = epi_phase_at(m, s->t, s->theta, *h), .e = e, .E0 = level ? *level : 0};
  int bad;
  memcpy(d.q0, s->y, nq*sizeof *d.q0);
  memcpy(d.v0, s->y + nq, n*sizeof *d.v0);
  if (is_explicit(f)) bad = explicitly(f, &c, &d);
  else if (!(bad = length_of(f, &c, 0, d.x, &d, &guess))) {
    for (size_t i = 0; i < n; i++) d.x[i] = guess*d.v0[i];
    int look = 0;
    bad = newton(f, &c, d.x, &d);
    if (bad > 0 && level) look = 1;
    else if (!bad && level && fabs(c.off) > 0.5*c.T) bad = doubtful(f, &c, d.x, &d, &look);
    if (look) { epi_clear_error(f); bad = follow(f, &c, d.x, &d); }
  }
  if (bad) return bad;
  /* minus is v0 but for what Newton left: the change alone keeps momenta to rounding */
  if (m->manifold.retract) epi_shift(m, d.q0, 1, d.x, s->y, d.room);
  for (size_t i = 0; i < n; i++) {
    if (!m->manifold.retract) s->y[i] += d.x[i];
    s->y[nq + i] = is_explicit(f) ? d.plus[i] : d.v0[i] + (d.plus[i] - d.minus[i]);
  }
  if (level) *level += c.work;
  *h += c.h;
  return 0;
}

/* ---- scaled: steps of own time ---- */
static int whole(epi_flow *f, epi_state *s, double *x, double e)
{
  variational_plan *p = f->own;
  double h = 0;
  int bad = 0;
  p->q.smooth = x[1];
  for (int i = 0; i < p->n && !bad; i++) bad = once(f, s, p->w[i]*e, x, &h);
  if (bad) return bad;
  epi_tick_on(f->sys, s, h);
  epi_moved(f, s);
  return 0;
}

/* the discrete Lagrangian has |q1 - q0|^2 in it */
static int quadratic(epi_flow *f, const epi_state *s, const variational_work *d)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  double T[2];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++) d->x[i] = (k + 1)*(1 + 0.3*i);
    T[k] = epi_kinetic_of(m, s->t, s->y, d->x, d->room);
  }
  if (fabs(T[1] - 4*T[0]) <= 1e-12*fabs(T[1])) return 0;
  return epi_fail(f, EPI_WRONG, "variational needs a kinetic energy quadratic in v, and twice the velocity has %g times that of this "
                                "system: use scaled or twin", T[1]/T[0]);
}

/* kept: the level of the energy, the width of contacts */
static int begin(epi_flow *f, epi_state *s, double *x)
{
  variational_plan *p = f->own;
  epi_system *m = f->sys;
  variational_work d = work_of(f);
  int bad = epi_still(f, s, d.room);
  p->q.smooth = f->arg[SMOOTH].number;
  p->q.smooth = x[1] = epi_objective_width(f, &p->q, s, d.work);
  if (bad || (bad = epi_other_mass(f, s, d.room)) || (bad = quadratic(f, s, &d))) return bad;
  if ((bad = epi_objective_of_position(f, &p->q, s, d.work))) return bad;
  double V = epi_potential_of(m, s->t, s->y, d.room), T = epi_kinetic_of(m, s->t, s->y, s->y + m->nq, d.room);
  if ((bad = epi_other_level(f, s, &f->arg[E0], T, V)) || (p->q.kind == EPI_Q_POTENTIAL && (bad = epi_no_potential(f, s, V, d.room))))
    return bad;
  x[0] = f->arg[E0].given ? f->arg[E0].number : T + V;
  return 0;
}

static int time_rate(epi_flow *f, epi_state *s, const double *x, double *out)
{
  variational_work d = work_of(f);
  (void)x;
  memcpy(d.q0, s->y, (size_t)f->sys->nq*sizeof *d.q0);
  return length_of(f, &(slice){.t = s->t, .e = 1}, 0, d.q0, &d, out);
}

/* ---- not scaled: steps of h ---- */
static int fixed(epi_flow *f, epi_state *s, double h, long n)
{
  const variational_plan *p = f->own;
  int bad = 0;
  while (n-- > 0 && !bad) {
    epi_tick end = epi_target(f->sys, s, h);
    double at = 0;
    for (int i = 0; i < p->n && !bad; i++) bad = once(f, s, p->w[i]*h, NULL, &at);
    if (bad) break;
    epi_set_clock(s, end);
    epi_moved(f, s);
  }
  return bad;
}

static void variational_drop(epi_flow *f)
{
  variational_plan *p = f->own;
  if (!p) return;
  free(p->pivot);
  epi_turning_free(p->turning);
}

static void turns_of(epi_flow *f, variational_plan *p, int middle)
{
  int order = (int)f->arg[ORDER].number, table = (int)f->arg[TABLE].number;
  p->n = 1;
  p->w[0] = 1;
  f->order = middle ? 2 : 1;
  if (!f->arg[ORDER].given || order == f->order) return;
  epi_refuse(f, !middle, "variational: order %d is composed of symmetric steps: give alpha=0.5, beta=0.5, or symmetric=1", order);
  p->n = epi_composition_of(table ? epi_composition_words[table] : NULL, order, p->w);
  epi_refuse(f, !p->n, "variational: there is no composition of order %d by that table: take order 4, 6 or 8", order);
  f->order = order;
}

static void check(epi_flow *f, const variational_plan *p)
{
  epi_system *m = f->sys;
  double alpha = f->arg[ALPHA].number, beta = f->arg[BETA].number;
  epi_refuse(f, !(alpha >= 0 && alpha <= 1) || !(beta >= 0 && beta <= 1), "variational: alpha and beta are from 0 to 1, and one is %g",
             alpha >= 0 && alpha <= 1 ? beta : alpha);
  epi_refuse(f, f->arg[SYMMETRIC].number != 0 && f->arg[SYMMETRIC].number != 1, "variational: symmetric is 0 or 1");
  epi_refuse(f, m->inertia.speed != NULL,
             "variational needs a kinetic energy quadratic in v, and this system has a speed of its own: use scaled or twin");
  epi_refuse(f, !epi_has_force(m), "variational needs a force of position, and this system has none: use rk4 or tolerance(dopri5)");
  epi_refuse(f, m->nc || m->nz,
             "variational has no form for constraints and first-order variables: use verlet or density(verlet)");
  epi_refuse(f, m->manifold.retract && (!m->manifold.retract_rate || m->inertia.mass_matrix || m->inertia.mass_solve || m->inertia.accel),
             "variational of rotations needs retract_rate beside retract, and a diagonal mass: use verlet or density(verlet)");
  if (p->scaled) { epi_needs_energy(f, "density", 1); epi_objective_check(f, &p->q); }
  epi_refuse(f, m->manifold.retract && p->scaled && m->traits.dissipative,
             "variational with a scaling would lose what damping and friction of these bodies take away: leave them out, or use "
             "density(semi(model.contacts, model.stiff), objective=contact)");
  epi_refuse(f, m->manifold.retract && p->q.kind == EPI_Q_CONTACT && !(f->arg[SMOOTH].given && f->arg[LIMIT].given),
             "variational does not know over which distance the contacts of bodies grow stiff: give smooth (m) and limit, such as "
             "smooth=2e-3, limit=1, and see what half of eps changes");
  epi_refuse(f, !p->scaled && (f->arg[EPS].given || f->arg[E0].given || f->arg[CLOCK].given),
             "variational without a scaling takes steps of h: give scaling=model, potential, contact or a function of yours, or leave eps, "
             "E0 and clock out");
}

static const char *const extra_names[] = {"energy level", "contact width", NULL};

static void variational_build(epi_flow *f)
{
  static const epi_objective_kind kinds[] = {EPI_Q_MODEL, EPI_Q_MODEL, EPI_Q_POTENTIAL, EPI_Q_CONTACT, EPI_Q_GIVEN};
  const epi_value *of = &f->arg[SCALING];
  epi_system *m = f->sys;
  int n = epi_nv(m);
  variational_plan *p = f->own = calloc(1, sizeof *p);
  f->drop = variational_drop;
  if (p) p->pivot = calloc((size_t)n + 1, sizeof *p->pivot);
  if (epi_refuse_memory(f, !p || !p->pivot)) return;
  p->own = (epi_own){.begin = begin, .whole = whole, .time_rate = time_rate, .names = extra_names};
  p->scaled = of->number != NONE;
  p->q = (epi_objective){.kind = kinds[(int)of->number], .power = f->arg[POWER].number, .smooth = f->arg[SMOOTH].number,
                         .limit = f->arg[LIMIT].number, .given = of->name};
  check(f, p);
  if (!f->broken && m->manifold.retract && !(p->turning = epi_turning_make(m))) epi_refuse_memory(f, 1);
  int both = f->arg[SYMMETRIC].number == 1, middle = both || (f->arg[ALPHA].number == 0.5 && (!p->scaled || f->arg[BETA].number == 0.5));
  turns_of(f, p, middle);
  if (f->broken) return;
  if (middle) f->claims |= EPI_SYMMETRIC | EPI_REVERSIBLE;
  if (is_explicit(f)) f->claims |= EPI_EXPLICIT;
  if (m->velocity_force || (m->manifold.retract && m->mass)) f->claims &= ~(unsigned)(EPI_SYMPLECTIC | EPI_REVERSIBLE);
  if (p->scaled) { epi_own_build(f, 2, work_room(f)); return; }
  if (epi_blocks(f, 0, work_room(f))) return;
  f->go = fixed;
}

static const char *const words[] = {"none", "model", "potential", "contact", NULL};
static const epi_param params[] = {
  [ALPHA] = {.name = "alpha", .value = 0.5,
             .doc = "where between q0 and q1 the potential is taken: 0.5 is the midpoint rule, 0 symplectic Euler"},
  [BETA] = {.name = "beta", .value = 0.5, .doc = "where the scaling is taken; alpha = beta = 0 is explicit"},
  [EPS] = EPI_EPS_PARAM,
  [SCALING] = {.name = "scaling", .doc = "none: steps of h; time goes as 1/Q(q) with model: the system's objective; potential: |V|^power; "
               "contact: smoothed stiffness of the gaps; or an epi_gap of yours by name", .words = words, .kind = EPI_WORD,
               .takes = EPI_TAKES_GAP},
  [POWER] = {.name = "power", .value = 1, .doc = "for scaling=potential"},
  [SMOOTH] = {.name = "smooth", .value = 0,
              .doc = "for contact: width of the onset, in lengths per eps; from the energy and the stiffness unless given",
              .range = EPI_NOT_NEGATIVE},
  [LIMIT] = {.name = "limit", .value = 0, .doc = "for contact: stiffness that limits the longest steps", .range = EPI_NOT_NEGATIVE},
  [SYMMETRIC] = {.name = "symmetric", .value = 0,
                 .doc = "1: the mean of the discrete Lagrangian and its mirror; alpha = 0 is then Stoermer-Verlet", .kind = EPI_COUNT},
  [ORDER] = {.name = "order", .value = 0, .doc = "4, 6 or 8 by a palindrome of symmetric steps; that of the Lagrangian unless given",
             .kind = EPI_COUNT},
  [TABLE] = {.name = "table", .doc = "which palindrome; the usual ones as in symmetric", .words = epi_composition_words, .kind = EPI_WORD},
  [E0] = {.name = "E0", .doc = "the energy of the motion, frozen; that of the start unless given"},
  [CLOCK] = EPI_CLOCK_PARAM,
  {0}
};
const epi_record epi_VARIATIONAL = {
  .name = "variational",
  .doc = "discrete Lagrangians, of fixed steps or with a scaling of time: symplectic, momentum maps conserved, velocity force as discrete "
         "work",
  .cite = "Marsden & West, Acta Numerica 10 (2001) 357; Modin & Fuehrer, ZAMM 86 (2006) 785 (Modin 2009, Paper II)",
  .example = "variational(alpha=0.5, beta=0.5, eps=0.05, scaling=contact)", .arrow = EPI_METHOD, .least = 1, .most = 1, .params = params,
  .claims = EPI_SYMPLECTIC | EPI_BACKWARD | EPI_CLOCK, .build = variational_build,
};
