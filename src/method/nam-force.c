/* nam-force.c - what nam knows of the forces: A with the by-products of the sweep that gave it, the highest frequency they make, and
 * whether they are what they say */
#include "nam.h"
#include <stddef.h>
#include <stdio.h>

double epi_nam_mass(const epi_flow *f, int i) { return f->space->mass == DIAGONAL && !f->sys->inertia.accel ? f->sys->mass[i] : 1; }

/* ---- A ---- */
static int not_finite(epi_flow *f, int i, double t)
{
  char room[32];
  return epi_fail(f, EPI_TOO_FAR, "nam: the acceleration of %s is not finite at t = %.10g: the last good state is kept; look at the force "
                  "there, or take a smaller step", epi_coordinate(f->sys, f->sys->nq + i, room, sizeof room), t);
}

static const char *name_of(const epi_system *m, int i) { return m->contacts.link_ends[i].name ? m->contacts.link_ends[i].name : "a link"; }

/* what a link says of itself: a number that is none stops the step; one that cannot be is left out, in a sentence */
static int wrong_link(epi_flow *f, int i, double t)
{
  epi_link *l = &((epi_nam *)f->own)->link[i];
  const epi_system *m = f->sys;
  double sum = l->stiffness + l->damping + l->slope[0] + l->slope[1] + l->slope[2];
  if (!isfinite(sum))
    return epi_fail(f, EPI_WRONG, "nam: the stiffness, damping or slope of %s is not a number at t = %.10g: look at what it returns beside "
                    "its force", name_of(m, i), t);
  if (l->stiffness < 0 || l->damping < 0 || l->slope[0] < 0 || l->slope[2] < 0) {
    if (!f->warning[0]) f->dear = 1;
    epi_warn(f, "nam: %s has a negative stiffness, damping or slope of its traction (%g, %g, %g) from t = %.10g on, and these are left "
             "out: they are d load/d depth, d load/d speed and d traction/d slip, positive where they resist", name_of(m, i), l->stiffness,
             l->damping, fmin(l->slope[0], l->slope[2]), t);
    l->stiffness = fmax(0, l->stiffness);
    l->damping = fmax(0, l->damping);
    if (l->slope[0] < 0 || l->slope[2] < 0) l->slope[0] = l->slope[1] = l->slope[2] = 0;
  }
  /* a damper has no stiffness, and no traction */
  int rubs = l->slope[0] > 0 || l->slope[2] > 0;
  if (l->load != 0 && l->stiffness == 0 && (l->damping == 0 || rubs)) {
    if (!f->warning[0]) f->dear = 1;
    epi_warn(f, "nam: %s carries a load and gives no stiffness from t = %.10g on, so its normal force is taken explicitly%s, by shorter "
             "steps: let it return its stiffness", name_of(m, i), t, rubs ? " and its traction alone by its slope" : "");
  }
  return 0;
}

static int linked(epi_flow *f, double t, const double *y, const double *v, double *A)
{
  epi_nam *x = f->own;
  epi_system *m = f->sys;
  for (int i = 0; i < x->links; i++) memset(&x->link[i], 0, offsetof(epi_link, G));
  f->calls++;
  int bad = m->contacts.linked_force(m, t, y, v, A, x->link);
  for (int i = 0; i < x->links && !bad; i++) {
    const epi_link *l = &x->link[i];
    int plain = l->stiffness > 0 && l->damping >= 0 && l->slope[0] >= 0 && l->slope[2] >= 0 && l->stiffness + l->damping + l->slope[0] +
                l->slope[1] + l->slope[2] < HUGE_VAL;
    if (!plain && (l->load != 0 || l->stiffness != 0 || l->damping != 0 || l->slope[0] != 0 || l->slope[2] != 0)) bad = wrong_link(f, i, t);
  }
  if (!bad && !m->inertia.accel && f->space->mass == DIAGONAL) for (int i = 0; i < epi_nv(m); i++) A[i] /= m->mass[i];
  return bad;
}

/* K and C of the slope, with M^-1 */
static int sloped(epi_flow *f, double t, const double *y, const epi_nam_work *d)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  double *const to[] = {d->K, d->C};
  f->slopes++;
  for (int k = 0; k < 2; k++) {
    double *J = to[k];
    memset(J, 0, (size_t)n*(size_t)n*sizeof *J);
    int bad = m->jacobian.slope(m, t, y, k == 0, k == 1, J);
    if (bad) return bad;
    for (int c = 0; c < n && f->space->mass != UNIT; c++) {
      for (int i = 0; i < n; i++) d->x[i] = J[(long)i*n + c];
      epi_apply_inverse_mass(f->space, y, d->x);
      for (int i = 0; i < n; i++) J[(long)i*n + c] = d->x[i];
    }
  }
  return 0;
}

/* y has the velocities v too */
int epi_nam_ask(epi_flow *f, double t, double theta, const double *y, const double *v, const epi_nam_work *d, double *A)
{
  const epi_nam *x = f->own;
  int n = epi_nv(f->sys), bad = x->by == EPI_NAM_LINKED ? linked(f, t, y, v, A) : epi_accel_all(f, t, theta, y, v, A);
  for (int i = 0; i < n && !bad; i++) if (!isfinite(A[i])) return not_finite(f, i, t);
  if (!bad && x->by == EPI_NAM_SLOPE) bad = sloped(f, t, y, d);
  return bad;
}

/* ---- the highest frequency ---- */
/* what links make of a body's stiffness in its mass: traces of what moves and what turns it, and how the two go together. Presses on either
   side of a roller's middle turn it in opposite ways, and no motion feels both to the full. Steps that are given have no error that would
   see an instability as it begins, and keep the margin that the sum of all is */
enum { MOVES = 3, SUMS = EPI_NAM_SUMS };
static double bound_of(epi_flow *f, double stiffness, const double *g, const double *part, int b, double *sum)
{
  const epi_nam *o = f->own;
  double cross = 0;
  if (part[1] > 1e-12*part[0] && part[0] > 1e-12*part[1])
    for (int i = 0; i < MOVES; i++)
      for (int k = MOVES; k < o->size[b]; k++)
        sum[2 + MOVES*i + k - MOVES] += stiffness*g[i]*g[k]/sqrt(epi_nam_mass(f, o->first[b] + i)*epi_nam_mass(f, o->first[b] + k));
  for (int i = 2; i < SUMS; i++) cross += sum[i]*sum[i];
  double apart = 0.5*(sum[0] - sum[1]);
  return cross > 0 ? 0.5*(sum[0] + sum[1]) + sqrt(apart*apart + cross) : sum[0] > sum[1] ? sum[0] : sum[1];
}

/* K x of the links, for the velocities that are free; a bound of the stiffness of one body, in its mass */
static double stretch(epi_flow *f, const double *held, const double *x, double *Kx, double *sums)
{
  const epi_nam *o = f->own;
  const double *mass = f->space->mass == DIAGONAL && !f->sys->inertia.accel ? f->sys->mass : NULL;
  double most = 0;
  memset(Kx, 0, (size_t)epi_nv(f->sys)*sizeof *Kx);
  memset(sums, 0, SUMS*(size_t)o->blocks*sizeof *sums);
  for (int i = 0; i < o->links; i++) {
    const epi_link *l = &o->link[i];
    double speed = 0, g[2][6];
    if (!(l->stiffness > 0)) continue;
    for (int e = 0; e < 2; e++) {
      int b = o->end[3*i + e];
      if (b < 0) continue;
      double part[2] = {0}, *sum = sums + SUMS*b;
      for (int k = 0; k < o->size[b]; k++) {
        int v = o->first[b] + k;
        double now = g[e][k] = held[v] != 0 ? 0 : l->G[0][6*e + k];
        speed += now*x[v];
        part[k >= MOVES] += mass ? now*now/mass[v] : now*now;
      }
      sum[0] += l->stiffness*part[0];
      sum[1] += l->stiffness*part[1];
      double all = f->lands ? bound_of(f, l->stiffness, g[e], part, b, sum) : sum[0] + sum[1];
      if (all > most) most = all;
    }
    for (int e = 0; e < 2; e++) {
      int b = o->end[3*i + e];
      for (int k = 0; b >= 0 && k < o->size[b]; k++) Kx[o->first[b] + k] += l->stiffness*speed*g[e][k];
    }
  }
  return most;
}

static double stretch_dense(epi_flow *f, const double *held, const double *x, const double *K, double *Kx)
{
  int n = epi_nv(f->sys);
  for (int i = 0; i < n; i++) {
    Kx[i] = 0;
    for (int k = 0; k < n && held[i] == 0; k++) Kx[i] -= held[k] == 0 ? K[(long)i*n + k]*x[k] : 0;
  }
  return 0;
}

static double held_out(const double *held, int i, double x) { return held[i] == 0 ? x : 0; }

/* by the power method from the motion that was the fastest so far, with a little of all others, so that a new contact is seen; it grows
   from below, and the stiffness of each body is looked at beside it */
double epi_nam_sigma(epi_flow *f, const epi_nam_work *d, const epi_nam_memory *k)
{
  const epi_nam *o = f->own;
  int n = epi_nv(f->sys), linked = o->by == EPI_NAM_LINKED;
  double most = 0, best = 0, size = 0, *x = k->shape;
  if (o->by == EPI_NAM_PLAIN) return 0;
  for (int i = 0; i < n; i++) size += x[i]*x[i];
  for (int turn = size > 0 ? 1 : 8; turn > 0; turn--) {
    double part = size > 0 ? 0.1*sqrt(size/n) : 1, up = 0, down = 0;
    for (int i = 0; i < n; i++) x[i] = held_out(k->held, i, x[i] + part*(1 + 0.5*((i*37) % 16)/16)*(i % 2 ? 1 : -1));
    most = linked ? stretch(f, k->held, x, d->x, d->room) : stretch_dense(f, k->held, x, d->K, d->x);
    size = 0;
    for (int i = 0; i < n; i++) {
      double m = linked ? epi_nam_mass(f, i) : 1, v = d->x[i]/m;
      up += x[i]*d->x[i];
      down += m*x[i]*x[i];
      x[i] = v;
      size += v*v;
    }
    if (down > 0) best = fmax(best, up/down);
    double scale = size > 0 ? 1/sqrt(size) : 0;
    for (int i = 0; i < n; i++) x[i] *= scale;
    size = size > 0;
  }
  return fmax(most, best);
}

/* ---- is it what it says ---- */
/* modes where they were predicted, before D moved them */
static void modes_back(const epi_flow *f, double *y)
{
  const epi_nam *x = f->own;
  for (int n = 0; n < x->modes; n++) {
    const double *reply = x->reply + 3*n;
    y[x->mode[n].q] -= reply[0]*reply[2];
    y[f->sys->nq + x->mode[n].v] -= reply[1]*reply[2];
  }
}

/* at the end of a step the force is a^p + D by what was said of it, and A there is asked once more: true = x (K part) + y (C part) in the
   sense of least squares, and x is how much of the stiffness is true. 0 where it moves too little to be seen beside the rest */
static int true_part(epi_flow *f, const epi_nam_work *d, const epi_nam_memory *k, double a, epi_tick end, double *x)
{
  const epi_nam *o = f->own;
  const double *y = d->y1;
  int n = epi_nv(f->sys), linked = o->by == EPI_NAM_LINKED;
  /* what their own correction moves modes by, and the forces with them, no stiffness speaks of */
  if (o->modes) { memcpy(d->start, y, (size_t)epi_dim(f->sys)*sizeof *y); modes_back(f, d->start); y = d->start; }
  int bad = epi_accel_all(f, end.t, end.theta, y, y + f->sys->nq, d->x);
  double kk = 0, kc = 0, cc = 0, kt = 0, ct = 0, size = 0, *Kx = d->vp;
  *x = 0;
  if (bad) return bad < 0 ? bad : 0;
  if (linked) stretch(f, k->held, d->D, Kx, d->room);
  else stretch_dense(f, k->held, d->D, d->K, Kx);
  for (int i = 0; i < n; i++) {
    double m = epi_nam_mass(f, i), K = -a*Kx[i]/(linked ? m : 1), C = d->a1[i] - d->A[i] - K, T = d->x[i] - d->A[i];
    if (k->held[i] != 0) continue;
    kk += m*K*K;
    kc += m*K*C;
    cc += m*C*C;
    kt += m*K*T;
    ct += m*C*T;
    size += m*d->A[i]*d->A[i];
  }
  double det = kk*cc - kc*kc;
  if (!(kk > 1e-14*size) || !(kk > 0.25*cc)) return 0;
  *x = cc < 1e-3*kk ? kt/kk : det > 0.01*kk*cc ? (kt*cc - ct*kc)/det : 0;
  return 0;
}

/* three looks, one step after the other, that find another stiffness than was said: impacts and rounding do not do that. And steps so short
   that no stiffness makes them unstable need none */
enum { FIRST_LOOK = 32, FIRST_GIVEN = 8, SURE = 3 };
static const double too_little = 0.8, too_much = 1.6, too_short = 0.7;

static void correct(epi_flow *f, double t)
{
  double *x = f->keep, mean = x[NAM_TRUE]/SURE, part = mean > 0.05 ? x[NAM_PART]*mean : 0;
  /* with errors that are controlled it costs steps, and no more than that */
  if (!f->warning[0]) f->dear = f->lands;
  if (((const epi_nam *)f->own)->modes)
    epi_warn(f, "nam: the forces change %.2g times as much as their stiffness says at t = %.10g: contacts that push modes make the steps "
             "unstable, or return another d load/d depth than they have; take shorter steps, or give tol, or longest", mean, t);
  else if (part > 0)
    epi_warn(f, "nam: the forces change %.2g times as much as their stiffness says at t = %.10g, and it is taken by that from here on: let "
             "contacts return d load/d depth as it is, because too much of it makes steps unstable", mean, t);
  else
    epi_warn(f, "nam: the forces do not change as their stiffness says at t = %.10g, and are taken explicitly from here on, by shorter "
             "steps: let contacts return d load/d depth, positive where they resist", t);
  x[NAM_PART] = part;
}

int epi_nam_look(epi_flow *f, const epi_nam_work *d, const epi_nam_memory *k, double h, epi_tick end)
{
  const epi_nam *o = f->own;
  double *x = f->keep, seen;
  if (o->by == EPI_NAM_PLAIN || !(h*h*x[NAM_PART]*x[NAM_SIGMA] > too_short*too_short)) return 0;
  if (x[NAM_COUNT] < fmax(f->lands ? FIRST_LOOK : FIRST_GIVEN, x[NAM_LOOK])) return 0;
  int bad = true_part(f, d, k, (x[NAM_HAS] > 1 ? 1./12 : 1./6)*h*h*x[NAM_PART], end, &seen);
  if (bad) return bad;
  x[NAM_LOOK] = x[NAM_COUNT] + 1;
  if (seen == 0 || (seen > too_little && seen < too_much)) {
    x[NAM_DOUBT] = x[NAM_TRUE] = 0;
    x[NAM_LOOK] = 2*x[NAM_COUNT];
    return 0;
  }
  x[NAM_TRUE] += seen;
  if (++x[NAM_DOUBT] < SURE) return 0;
  correct(f, end.t);
  x[NAM_DOUBT] = x[NAM_TRUE] = 0;
  return 0;
}

/* Of a motion that the steps resolve D is small beside the accelerations. Where it is not, A is asked at the end of the step once more: it
   differs from what was predicted by the part of the response to D that the matrix leaves out, and an instability grows along D */
int epi_nam_look_beyond(epi_flow *f, const epi_nam_work *d, const epi_nam_memory *k, double h, epi_tick end)
{
  const double much = 0.5, gamma = 1./12, most = epi_nam_explicit(f);
  double *x = f->keep, moved = 0, size = 0, response = 0;
  if (((const epi_nam *)f->own)->modes || x[NAM_HAS] < f->arg[NAM_K].number) return 0;
  for (int i = 0; i < epi_nv(f->sys); i++) {
    double m = epi_nam_mass(f, i), a = epi_larger(fabs(d->A[i]), epi_larger(fabs(k->a[0][i]), fabs(k->a[1][i])));
    moved += m*d->D[i]*d->D[i];
    size += k->held[i] == 0 ? m*a*a : 0;
  }
  if (!(moved > much*much*size)) return 0;
  int bad = epi_accel_all(f, end.t, end.theta, d->y1, d->y1 + f->sys->nq, d->x);
  if (bad) return bad;
  for (int i = 0; i < epi_nv(f->sys); i++) response -= epi_nam_mass(f, i)*d->D[i]*(d->x[i] - d->a1[i]);
  if (!(response > gamma*most*most*moved)) return 0;
  x[NAM_LEFT_OUT] = fmax(x[NAM_LEFT_OUT], response/(gamma*h*h*moved));
  return EPI_TOO_FAR;
}
