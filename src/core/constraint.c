/* constraint.c - holonomic constraints: positions onto g = 0, velocities onto G v + gt = 0, in the metric of the mass.
 * A few constraints have a dense G; many have the pattern their system gives (pattern.c) */
#include "few.h"
#include <stdio.h>

static long matrix_size(const epi_space *p) { return p->pattern ? epi_pattern_room(p->pattern) : (long)p->sys->nc*p->sys->nc; }
long epi_A_size(const epi_space *p) { return matrix_size(p) + epi_redundant_room(p); }

/* x as it was where they depend on each other */
static int solve_dense(const epi_space *p, double s, const double *G, const double *W, double *A, double *x, double *keep)
{
  int c = p->sys->nc, which;
  epi_dense_products(p, s, G, W, A);
  if (c <= 2) return epi_solve_above(1e-13, c, A, x);
  memcpy(keep, x, (size_t)c*sizeof *x);
  if ((which = epi_solve_above(1e-13, c, A, x))) memcpy(x, keep, (size_t)c*sizeof *x);
  return which;
}

int epi_normal_solve(epi_space *p, double s, const double *G, const double *G0, const double *W, double *A, double *x)
{
  double *room = A + matrix_size(p);
  p->contradiction.found = 0;
  p->contradiction.by = 0;
  int which = p->redundant ? 1 : p->pattern ? epi_pattern_solve(p->pattern, s, G, W, A, x) : solve_dense(p, s, G, W, A, x, room);
  return which ? epi_redundant_solve(p, s, G, G0, W, A, x, room) : 0;
}

/* the factors that the last one left serve again, where it left some */
int epi_normal_again(epi_space *p, double s, const double *G, const double *G0, const double *W, double *A, double *x)
{
  if (!p->pattern || p->contradiction.found) return epi_normal_solve(p, s, G, G0, W, A, x);
  epi_pattern_again(p->pattern, s, A, x);
  return 0;
}

void epi_least_multipliers(const epi_space *p, const double *G0, const double *W, double *A, double *x)
{
  epi_redundant_least(p, G0, W, A, x, A + matrix_size(p));
}

/* ---- sentences ---- */
enum { NAME_ROOM = sizeof ((epi_miss *)0)->name };
static const char *name_of(epi_system *m, int c, char *room)
{
  if (m->constraints.constraint_name) m->constraints.constraint_name(m, c, room, NAME_ROOM);
  else snprintf(room, NAME_ROOM, "constraint %d", c);
  return room;
}

int epi_singular(const epi_space *p, epi_fault *fault, double t, int which)
{
  char room[NAME_ROOM];
  return epi_fault_record(fault, EPI_WRONG, EPI_SYSTEM, "%s holds nothing at t = %g, where its gradient is zero: write it so that it is "
                          "not, or drop it", name_of(p->sys, which - 1, room), t);
}

/* redundant constraints that follow from the others are met with them; those that do not cannot be */
int epi_contradicts(epi_space *p, double t, double size, const char *what, epi_fault *fault)
{
  char room[NAME_ROOM];
  if (p->contradiction.by <= 1e-7*size) return 0;
  if (!what)
    return epi_fault_record(fault, EPI_TOO_FAR, EPI_CONTRADICTION, "%s contradicts the other constraints beyond t = %.10g: let it go, or "
                            "free what holds the same twice", name_of(p->sys, p->contradiction.which, room), t);
  return epi_fault_record(fault, EPI_TOO_FAR, EPI_CONTRADICTION, "%s contradicts the other constraints at t = %.10g by %s of %.2g: %s",
                          name_of(p->sys, p->contradiction.which, room), t, what, p->contradiction.by, !strcmp(what, "a distance") ? "see "
                          "whether its loop can close with these lengths, let it go, or free what holds the same twice" : "let it go, or "
                          "free what holds the same twice");
}

/* ---- projections; tangent leaves G and W of its point in G0 and W, where the next slide from there finds them ---- */
typedef struct { double *q0, *step, *d, *G0, *W, *G, *x, *gt, *A; } projection_work;

static projection_work work_of(const epi_space *p, double *w)
{
  const epi_system *m = p->sys;
  long n = epi_nv(m), nG = epi_G_size(p);
  projection_work d = {.q0 = w};
  d.step = d.q0 + m->nq;
  d.d = d.step + n;
  d.G0 = d.d + n;
  d.W = d.G0 + nG;
  d.G = d.W + nG;
  d.x = d.G + nG;
  d.gt = d.x + m->nc;
  d.A = d.gt + m->nc;
  return d;
}

long epi_constraint_room(const epi_space *p)
{
  return p->sys->nq + 2*epi_nv(p->sys) + 3*epi_G_size(p) + 2*p->sys->nc + epi_A_size(p);
}

static void pushed(const epi_space *p, epi_state *s, const projection_work *d, double *push)
{
  if (p->contradiction.found) epi_least_multipliers(p, d->G0, d->W, d->A, d->x);
  for (int c = 0; c < p->sys->nc; c++) {
    if (s->impulse) s->impulse[c] -= d->x[c];
    if (push) push[c] -= d->x[c];
  }
}

static double most(int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s = epi_larger(s, fabs(x[i]));
  return s;
}

static int not_met(const epi_space *p, const epi_state *s, const projection_work *d, double h, epi_fault *fault)
{
  char room[NAME_ROOM];
  int c = 0;
  for (int k = 1; k < p->sys->nc; k++) if (!(fabs(d->x[k]) <= fabs(d->x[c]))) c = k;
  return epi_fault_record(fault, EPI_TOO_FAR, EPI_CONSTRAINTS, "%s cannot be met in the step h = %g from t = %.10g: take a smaller one",
                          name_of(p->sys, c, room), h, s->t);
}

/* g where the step of h v ends; by its change where the step is tiny and the system can say it: g itself would be rounding */
static int miss(epi_space *p, const epi_state *s, const projection_work *d, double h, int tiny)
{
  epi_system *m = p->sys;
  int bad = epi_constraint_eval(m, s->t + h, s->y, d->x, d->G, d->gt);
  if (bad || !tiny) return bad;
  const double *v = s->y + m->nq;
  for (int i = 0; i < epi_nv(m); i++) d->step[i] = h*v[i];
  return m->constraints.constraint_increment(m, s->t, h, d->q0, d->step, d->x);
}

/* ---- one or two constraints with a plain mass: the same algebra, written out; compiled for one and two planar masses, and for any ---- */
static inline __attribute__((always_inline)) int
positions_few(epi_space *p, epi_state *s, double h, const projection_work *d, double *push, int known, epi_fault *fault, const int nc,
              const int n)
{
  epi_system *m = p->sys;
  int bad, which;
  double *restrict q = s->y, *restrict v = q + n, *restrict q0 = d->q0, size = 0;
  for (int i = 0; i < n; i++) { q0[i] = q[i]; size = fmax(size, fabs(q[i])); }
  if (!known) {
    if ((bad = hold_few(m, s->t, q0, d->x, d->G0, d->gt, nc))) return bad;
    weigh_few(m, n, d->G0, d->W, nc);
  }
  for (int k = 0; k < 30; k++) {
    for (int i = 0; i < n; i++) q[i] = q0[i] + h*v[i];
    if ((bad = hold_few(m, s->t + h, q, d->x, d->G, d->gt, nc))) return bad;
    p->contradiction.found = 0;
    if (solve_few(n, h, d->G, d->W, d->x, nc) && (which = epi_normal_solve(p, h, d->G, d->G0, d->W, d->A, d->x)))
      return epi_singular(p, fault, s->t, which);
    double big = fabs(h)*push_few(n, d->W, d->x, v, nc);
    if (s->impulse || push) pushed(p, s, d, push);
    if (!(big < 1e300)) break;
    if (big > 1e-9*size && !(k > 8 && big <= 1e-12*size)) continue;
    for (int i = 0; i < n; i++) q[i] = q0[i] + h*v[i];
    return p->contradiction.by > 0 ? epi_contradicts(p, s->t, size, "a distance", fault) : 0;
  }
  return not_met(p, s, d, h, fault);
}

static inline __attribute__((always_inline)) int
velocities_few(epi_space *p, epi_state *s, const projection_work *d, double *push, epi_fault *fault, const int nc, const int n)
{
  epi_system *m = p->sys;
  int bad, which;
  double *v = s->y + m->nq;
  if ((bad = hold_few(m, s->t, s->y, d->x, d->G0, d->gt, nc))) return bad;
  weigh_few(m, n, d->G0, d->W, nc);
  for (int c = 0; c < nc; c++) {
    d->x[c] = d->gt[c];
    double a = 0;
    for (int i = 0; i < n; i++) a += d->G0[c*n + i]*v[i];
    d->x[c] += a;
  }
  p->contradiction.found = 0;
  if (solve_few(n, 1, d->G0, d->W, d->x, nc) && (which = epi_normal_solve(p, 1, d->G0, d->G0, d->W, d->A, d->x)))
    return epi_singular(p, fault, s->t, which);
  if (p->contradiction.by > 0 && epi_contradicts(p, s->t, most(n, v) + most(nc, d->gt), "a speed", fault)) return EPI_TOO_FAR;
  push_few(n, d->W, d->x, v, nc);
  if (s->impulse || push) pushed(p, s, d, push);
  return 0;
}

#define SERVES 0.02     /* corrections that shrink so fast need no other factors */

/* v is corrected along M^-1 G(q0)^T until g(q) = 0: the position half of RATTLE. known: the room holds G and W at q0 already */
int epi_project_positions(epi_space *p, epi_state *s, double h, double *w, double *push, int known, epi_fault *fault)
{
  epi_system *m = p->sys;
  int n = epi_nv(m), bad, which;
  projection_work d = work_of(p, w);
  double *q = s->y, *v = q + m->nq;
  if (p->few)
    return m->nc == 1 ? n == 2 ? positions_few(p, s, h, &d, push, known, fault, 1, 2) : positions_few(p, s, h, &d, push, known, fault, 1, n)
                      : n == 4 ? positions_few(p, s, h, &d, push, known, fault, 2, 4)
                      : positions_few(p, s, h, &d, push, known, fault, 2, n);
  memcpy(d.q0, q, (size_t)m->nq*sizeof *q);
  if (m->inertia.speed) {
    if ((bad = m->inertia.speed(m, s->t, v, d.step))) return bad;
    for (int i = 0; i < n; i++) q[i] += h*d.step[i];
    return 0;
  }
  if (!m->nc) { epi_shift(m, d.q0, h, v, q, d.step); return 0; }
  if (!known) {
    if ((bad = epi_constraint_eval(m, s->t, d.q0, d.x, d.G0, d.gt))) return bad;
    epi_G_inverse_mass(p, d.q0, d.G0, d.W);
  }
  double size = most(m->nq, d.q0);
  int tiny = m->constraints.constraint_increment && !m->manifold.retract && fabs(h)*most(n, v) <= 1e-5*size;
  double before = HUGE_VAL;
  int serves = 0;
  for (int k = 0; k < 30; k++) {
    epi_shift(m, d.q0, h, v, q, d.step);
    if ((bad = miss(p, s, &d, h, tiny))) return bad;
    /* on rotations, where it is linear, the factors of the first point serve as long as they bring it nearer by far */
    which = serves ? epi_normal_again(p, h, d.G, d.G0, d.W, d.A, d.x) : epi_normal_solve(p, h, d.G, d.G0, d.W, d.A, d.x);
    if (which) return epi_singular(p, fault, s->t, which);
    epi_Gt_mul(p, d.W, d.x, d.d);
    for (int i = 0; i < n; i++) v[i] -= d.d[i];
    if (s->impulse || push) pushed(p, s, &d, push);
    double big = fabs(h)*most(n, d.d), far = tiny ? fabs(h)*most(n, v) : size;
    if (!(big < 1e300)) break;
    /* quadratic convergence: the next correction is round-off; linear on rotations. Of many constraints rounding is larger, and shows
       itself in corrections that no longer shrink */
    int stalls = (k > 8 || (p->pattern && big > 0.5*before)) && big <= 1e-12*size;
    if (big <= (m->manifold.retract ? 1e-15 : 1e-9)*far || stalls) {
      epi_shift(m, d.q0, h, v, q, d.step);
      return p->contradiction.by > 0 ? epi_contradicts(p, s->t, size, "a distance", fault) : 0;
    }
    serves = m->manifold.retract && big < SERVES*before;
    before = big;
  }
  return not_met(p, s, &d, h, fault);
}

int epi_project_velocities(epi_space *p, epi_state *s, double *w, double *push, epi_fault *fault)
{
  epi_system *m = p->sys;
  int n = epi_nv(m), bad, which;
  projection_work d = work_of(p, w);
  double *v = s->y + m->nq;
  if (p->few)
    return m->nc == 1 ? n == 2 ? velocities_few(p, s, &d, push, fault, 1, 2) : velocities_few(p, s, &d, push, fault, 1, n)
                      : n == 4 ? velocities_few(p, s, &d, push, fault, 2, 4) : velocities_few(p, s, &d, push, fault, 2, n);
  if ((bad = epi_constraint_eval(m, s->t, s->y, d.x, d.G0, d.gt))) return bad;
  epi_G_inverse_mass(p, s->y, d.G0, d.W);
  memcpy(d.x, d.gt, (size_t)m->nc*sizeof *d.x);
  epi_G_mul(p, d.G0, v, d.x);
  if ((which = epi_normal_solve(p, 1, d.G0, d.G0, d.W, d.A, d.x))) return epi_singular(p, fault, s->t, which);
  if (p->contradiction.by > 0 && epi_contradicts(p, s->t, most(n, v) + most(m->nc, d.gt), "a speed", fault)) return EPI_TOO_FAR;
  epi_Gt_mul(p, d.W, d.x, d.d);
  for (int i = 0; i < n; i++) v[i] -= d.d[i];
  if (s->impulse || push) pushed(p, s, &d, push);
  return 0;
}

/* ---- starts ---- */
/* G d against the difference of g along d, a direction that favours nothing: a wrong Jacobian would show only as steps that fail */
static int slope_wrong(epi_space *p, const epi_state *s, const projection_work *d, double size, epi_fault *fault)
{
  epi_system *m = p->sys;
  int n = epi_nv(m);
  char room[NAME_ROOM];
  double e = 1e-5*(size > 0 && (!m->manifold.retract || size < 1) ? size : 1), *one = d->G0, *two = one + m->nc;
  if (epi_G_size(p) < 2*m->nc) return 0;
  memset(d->x, 0, (size_t)m->nc*sizeof *d->x);
  for (int i = 0; i < n; i++) d->d[i] = sin(1 + 2.3*i);
  epi_G_mul(p, d->G, d->d, d->x);
  for (int side = 0; side < 2; side++) {
    epi_shift(m, s->y, side ? -e : e, d->d, d->q0, d->step);
    if (epi_constraint_eval(m, s->t, d->q0, side ? two : one, d->W, d->gt)) return 0;
  }
  for (int c = 0; c < m->nc; c++) {
    double found = (one[c] - two[c])/(2*e), l = epi_G_length(p, d->G, c);
    if (!(fabs(found - d->x[c]) <= 1e-3*(l + fabs(found))))
      return epi_fault_record(fault, EPI_WRONG, EPI_SYSTEM, "G of %s does not match its g: along one direction g changes by %.4g and G "
                              "says %.4g; look at the derivative", name_of(m, c, room), found, d->x[c]);
  }
  return 0;
}

/* how G v + gt changes from a time e before to one after, where v stays */
static int change_of_speed(epi_space *p, const epi_state *s, const projection_work *d, double e, double *out)
{
  epi_system *m = p->sys;
  memset(out, 0, (size_t)m->nc*sizeof *out);
  for (int side = -1; side <= 1; side += 2) {
    epi_shift(m, s->y, side*e, d->d, d->q0, d->step);
    if (epi_constraint_eval(m, s->t + side*e, d->q0, d->A, d->W, d->gt)) return -1;
    epi_G_mul(p, d->W, d->d, d->gt);
    for (int c = 0; c < m->nc; c++) out[c] += side*d->gt[c];
  }
  return 0;
}

/* a drive may have a corner here: whether row c of constraint_bend is what G v + gt changes by before it, or after it */
static int at_corner(epi_space *p, const epi_state *s, const projection_work *d, double e, int c, double much)
{
  double speed[3];
  for (int side = -1; side <= 1; side++) {
    epi_shift(p->sys, s->y, side*e, d->d, d->q0, d->step);
    if (epi_constraint_eval(p->sys, s->t + side*e, d->q0, d->A, d->W, d->gt)) return 0;
    epi_G_mul(p, d->W, d->d, d->gt);
    speed[1 + side] = d->gt[c];
  }
  double before = (speed[1] - speed[0])/e, after = (speed[2] - speed[1])/e;
  return fmin(fabs(before - d->x[c]), fabs(after - d->x[c])) <= fmin(much, 0.1*fabs(after - before));
}

/* constraint_bend against differences,
  of two lengths: where these are not the same they tell nothing. d->d: a velocity that favours nothing */
static int bend_wrong(epi_space *p, const epi_state *s, const projection_work *d, double size, epi_fault *fault)
{
  epi_system *m = p->sys;
  char room[NAME_ROOM];
  double e = 1e-4*(size > 0 && (!m->manifold.retract || size < 1) ? size : 1), *far = d->G0, *near = far + m->nc;
  if (!m->constraints.constraint_bend || epi_G_size(p) < 2*m->nc) return 0;
  if (m->phase.period > 0) e = fmin(e, 1e-4*m->phase.period);
  if (change_of_speed(p, s, d, e, far) || change_of_speed(p, s, d, e/4, near)) return 0;
  if (m->constraints.constraint_bend(m, s->t, 0, s->y, d->d, d->x)) return 0;
  for (int c = 0; c < m->nc; c++) {
    double one = far[c]/(2*e), two = 2*near[c]/e, much = 1e-3*(fabs(two) + epi_G_length(p, d->G, c));
    if (fabs(one - two) > 0.1*much || fabs(two - d->x[c]) <= much || at_corner(p, s, d, e/4, c, much)) continue;
    return epi_fault_record(fault, EPI_WRONG, EPI_SYSTEM, "constraint_bend of %s does not match its G: where v stays, G v + gt changes by "
                            "%.4g, and it says %.4g; look at it, or leave it out", name_of(m, c, room), two, d->x[c]);
  }
  return 0;
}

int epi_misses_constraints(epi_space *p, const epi_state *s, double *w, epi_miss *miss)
{
  epi_system *m = p->sys;
  projection_work d = work_of(p, w);
  const double *v = s->y + m->nq;
  double size = most(m->nq, s->y), speed = most(epi_nv(m), v);
  miss->in_speed = 0;
  if (epi_constraint_eval(m, s->t, s->y, d.x, d.G, d.gt)) return 0;
  for (int c = 0; c < m->nc; c++) {
    miss->off = fabs(d.x[c])/epi_G_length(p, d.G, c);
    if (!(miss->off <= 1e-6*size)) return name_of(m, c, miss->name), 1;
    d.x[c] = d.gt[c];
  }
  if (p->across) return 0;
  epi_G_mul(p, d.G, v, d.x);
  for (int c = 0; c < m->nc; c++) {
    double l = epi_G_length(p, d.G, c);
    miss->off = fabs(d.x[c])/l;
    if (!(miss->off <= 1e-6*(speed + fabs(d.gt[c])/l)) && miss->off > 1e-12) return miss->in_speed = 1, name_of(m, c, miss->name), 1;
  }
  return 0;
}

/* from the speeds of drives at nine places, where positions stay: their eighth divided difference, which is next to nothing of a smooth
   drive. The places of Chebyshev: no step has all of them at one phase of what goes round. Of order 2 the second difference too */
double epi_drives_missed(epi_space *p, const epi_state *s, double h, int order, double *w)
{
  static const double back[] = {0.5, 0, 1, 0.03806023374435663, 0.96193976625564337, 0.14644660940672624, 0.85355339059327376,
                                0.30865828381745511, 0.69134171618254489};
  static const double eighth[] = {1, 0.5, 0.5, -1, -1, 1, 1, -1, -1}, second[9] = {-2, 1, 1};
  epi_system *m = p->sys;
  projection_work d = work_of(p, w);
  double *bend[] = {d.x, d.W}, moves = 0, off = 0;
  memset(d.x, 0, (size_t)m->nc*sizeof *d.x);
  memset(d.W, 0, (size_t)m->nc*sizeof *d.W);
  for (int k = 0; k < 9; k++) {
    if (epi_constraint_eval(m, s->t - back[k]*h, s->y, d.A, d.G, d.gt)) return 0;
    for (int c = 0; c < m->nc; c++) {
      bend[0][c] += 0.5*eighth[k]*d.gt[c];
      bend[1][c] += second[k]*d.gt[c];
      moves = fmax(moves, fabs(d.gt[c]));
    }
    if (k == 1 && moves == 0) return 0;
  }
  for (int c = 0; c < m->nc; c++) off = fmax(off, fmax(fabs(bend[0][c]), order > 2 ? 0 : fabs(bend[1][c]))/epi_G_length(p, d.G, c));
  return fabs(h)/12*off;
}

int epi_off_constraints(epi_space *p, const epi_state *s, double *w, epi_fault *fault)
{
  epi_system *m = p->sys;
  projection_work d = work_of(p, w);
  epi_miss miss;
  /* once a flow */
  if (!p->checked) {
    if (epi_constraint_eval(m, s->t, s->y, d.x, d.G, d.gt)) return 0;
    p->checked = 1;
    for (int c = 0; c < m->nc; c++) if (epi_G_length(p, d.G, c) == 0) return epi_singular(p, fault, s->t, 1 + c);
    if (slope_wrong(p, s, &d, most(m->nq, s->y), fault) || bend_wrong(p, s, &d, most(m->nq, s->y), fault)) return EPI_WRONG;
    epi_G_inverse_mass(p, s->y, d.G, d.W);
    p->redundant = epi_redundant_rows(p, d.G, d.W, d.A, d.A + matrix_size(p), NULL);
  }
  if (!epi_misses_constraints(p, s, w, &miss)) return 0;
  if (miss.in_speed && m->derived && m->derived->inner && m->derived->inner->sys->nc)
    return epi_fault_record(fault, EPI_WRONG, EPI_REQUEST, "the start leaves %s, as the slow motion of %s has it, with a speed of %.2g: "
                            "where that is the fast velocity at this phase put project(...) around the flow, which takes it out", miss.name,
                            m->derived->record->name, miss.off);
  if (miss.in_speed)
    return epi_fault_record(fault, EPI_WRONG, EPI_REQUEST, "the start leaves %s with a speed of %.2g: give consistent velocities, or call "
                            "epi_settle", miss.name, miss.off);
  return epi_fault_record(fault, EPI_WRONG, EPI_REQUEST, "the start misses %s by a distance of %.2g: give consistent positions, or call "
                          "epi_settle", miss.name, miss.off);
}

/* a step that fails where a pivot has lost ten digits fails because of that */
int epi_nearly_singular(epi_space *p, const epi_state *s, double *w, epi_fault *fault)
{
  const double lost = 1e-10;
  epi_system *m = p->sys;
  projection_work d = work_of(p, w);
  char room[NAME_ROOM];
  int which = 0;
  if (!m->nc || epi_constraint_eval(m, s->t, s->y, d.x, d.G, d.gt)) return 0;
  epi_G_inverse_mass(p, s->y, d.G, d.W);
  if ((which = epi_normal_solve(p, 1, d.G, d.G, d.W, d.A, d.x))) return epi_singular(p, fault, s->t, which);
  if (!p->pattern || !(epi_pattern_weakest(p->pattern, d.G, d.W, d.A, &which) < lost)) return 0;
  return epi_fault_record(fault, EPI_WRONG, EPI_SYSTEM, "%s is all but redundant at t = %.10g: the constraints lose a direction there; "
                          "where one of a loop was dropped, drop another instead", name_of(m, which, room), s->t);
}

/* Newton in the metric of the mass; the corrections end at enough of the size. 1: they do not */
static int onto_positions(epi_space *p, epi_state *s, const projection_work *d, double enough, int tries, epi_fault *fault)
{
  epi_system *m = p->sys;
  int bad, which;
  for (int k = 0; k < tries; k++) {
    if ((bad = epi_constraint_eval(m, s->t, s->y, d->x, d->G, d->gt))) return bad;
    epi_G_inverse_mass(p, s->y, d->G, d->W);
    if ((which = epi_normal_solve(p, 1, d->G, d->G, d->W, d->A, d->x))) return epi_singular(p, fault, s->t, which);
    epi_Gt_mul(p, d->W, d->x, d->d);
    memcpy(d->q0, s->y, (size_t)m->nq*sizeof *s->y);
    epi_shift(m, d->q0, -1, d->d, s->y, d->step);
    double big = most(epi_nv(m), d->d);
    if (!(big < 1e300)) break;
    if (big <= enough*most(m->nq, s->y)) return epi_contradicts(p, s->t, most(m->nq, s->y), "a distance", fault);
  }
  return 1;
}

int epi_move_onto_constraints(epi_space *p, epi_state *s, double *w, epi_fault *fault)
{
  projection_work d = work_of(p, w);
  double *impulse = s->impulse;
  int bad = onto_positions(p, s, &d, 1e-14, 50, fault);
  if (bad == 1)
    return epi_fault_record(fault, EPI_WRONG, EPI_REQUEST, "the start is too far from its constraints to be moved onto them: give better "
                            "positions");
  if (bad) return bad;
  s->impulse = NULL;
  bad = epi_project_velocities(p, s, w, NULL, fault);
  s->impulse = impulse;
  return bad;
}

/* quadratic convergence: behind a correction of 1e-9 the next is round-off */
int epi_return_to_constraints(epi_space *p, epi_state *s, double h, double *w, epi_fault *fault)
{
  projection_work d = work_of(p, w);
  int bad = onto_positions(p, s, &d, 1e-9, 8, fault);
  if (bad == 1) return not_met(p, s, &d, h, fault);
  return bad ? bad : epi_project_velocities(p, s, w, NULL, fault);
}

/* d/dt (G v + gt) where q goes along v, told or by four differences over a part of the step that resolves the motion: short enough to be
   exact beside its fault, long enough for what they round to be some last digits of v in every step */
static int find_bend(epi_space *p, double t, const double *q, const double *v, double h, const projection_work *d)
{
  static const double weight[] = {8./12, -1./12};
  epi_system *m = p->sys;
  double ds = h/64;
  int bad;
  if (m->constraints.constraint_bend) return m->constraints.constraint_bend(m, t, h, q, v, d->x);
  memset(d->x, 0, (size_t)m->nc*sizeof *d->x);
  for (int k = 1; k <= 2; k++)
    for (int side = -1; side <= 1; side += 2) {
      double *x = d->A, c = side*weight[k - 1]/ds;
      epi_shift(m, q, side*k*ds, v, d->q0, d->step);
      if ((bad = epi_constraint_eval(m, t + side*k*ds, d->q0, x, d->G, d->gt))) return bad;
      memcpy(x, d->gt, (size_t)m->nc*sizeof *x);
      epi_G_mul(p, d->G, v, x);
      for (int i = 0; i < m->nc; i++) d->x[i] += c*x[i];
    }
  return 0;
}

int epi_rows_that_follow(epi_space *p, double t, const double *q, double *w, char *follows)
{
  projection_work d = work_of(p, w);
  if (epi_constraint_eval(p->sys, t, q, d.x, d.G, d.gt)) return 0;
  epi_G_inverse_mass(p, q, d.G, d.W);
  return epi_redundant_rows(p, d.G, d.W, d.A, d.A + matrix_size(p), follows);
}

/* M a + G^T x = f with G a + d/dt (G v + gt) = 0 */
int epi_hold_accel(epi_space *p, double t, const double *q, const double *v, double h, const char *left, double *a, double *push, double *w,
                   epi_fault *fault)
{
  epi_system *m = p->sys;
  int n = epi_nv(m), bad, which;
  projection_work d = work_of(p, w);
  if ((bad = find_bend(p, t, q, v, h, &d))) return bad;
  double *g = d.A;
  if ((bad = epi_constraint_eval(m, t, q, g, d.G0, d.gt))) return bad;
  epi_G_inverse_mass(p, q, d.G0, d.W);
  epi_G_mul(p, d.G0, a, d.x);
  int without = left && !epi_redundant_without(p, d.G0, d.W, left, d.A, d.x, d.A + matrix_size(p));
  if (!without && (which = epi_normal_solve(p, 1, d.G0, d.G0, d.W, d.A, d.x))) return epi_singular(p, fault, t, which);
  epi_Gt_mul(p, d.W, d.x, d.d);
  for (int i = 0; i < n; i++) a[i] -= d.d[i];
  if (push && (without ? !epi_redundant_prepare(p, d.G0, d.W, d.A) : p->contradiction.found)) epi_least_multipliers(p, d.G0, d.W, d.A, d.x);
  for (int i = 0; push && i < m->nc; i++) push[i] = -d.x[i];
  return 0;
}
