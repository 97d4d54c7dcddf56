/* look.c - what an hmm can see of itself, and says: a phase that is none, a window that is too long, a start with a fast velocity, a state
 * that has left the slow manifold, a force that is not as good as the tolerance around it */
#include "look.h"
#include "phase.h"

/* spare room of the window: mean state, force of halved steps, forces for the questions */
static double *mean_of(const epi_flow *f) { return epi_window_spare(f); }
static double *finer(const epi_flow *f) { return epi_window_spare(f) + epi_dim(f->kid[0]->sys); }
static double *room(const epi_flow *f) { return epi_window_spare(f) + 2*epi_dim(f->kid[0]->sys); }

static double size(int n, const double *y)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(y[i]));
  return x;
}
static double apart(int n, const double *a, const double *b)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(a[i] - b[i]));
  return x;
}

int epi_look_phase(epi_flow *f, double t, double theta, const double *q)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  epi_phase_question a = {.average = f, .t = t, .theta = theta, .period = w->steps*epi_window_step(w, m, t), .y = q, .work = room(f)};
  int bad;
  if (!epi_can_be_asked(m)) return 0;
  if ((bad = epi_ask_turn(&a)) || (bad = epi_phased_ask(w->phased, f, t, a.period, q))) return bad;
  /* a smooth window has the same force at every phase, from rest or from a velocity that is lifted there */
  if ((w->mirrored || w->start == CURRENT) && (bad = epi_ask_time(&a, 0))) return bad;
  return w->mirrored ? epi_ask_even(&a) : 0;
}

/* how far the run is from where the slow velocity and force put it at time u, beyond half of what they move it */
static double astray(int nq, const double *x, const double *q, const double *v, const double *a, double u)
{
  double off = 0, moved = 0;
  for (int i = 0; i < nq; i++) {
    double by_v = u*v[i], by_a = u*u/2*a[i];
    off = epi_larger(off, fabs(x[i] - q[i] - by_v - by_a));
    moved = epi_larger(moved, fabs(by_v) + fabs(by_a));
  }
  return off - 0.5*moved;
}

/* the same of rotations, and with a NULL: how far from where the velocity puts it. room: a step, two positions, room to move */
static double astray_turning(epi_system *m, const double *x, const double *q, const double *v, const double *a, double u, double *room)
{
  int n = epi_nv(m);
  double *step = room, *there = step + n, *tmp = there + m->nq;
  for (int i = 0; i < n; i++) step[i] = u*v[i] + (a ? u*u/2*a[i] : 0);
  epi_shift(m, q, 1, step, there, tmp);
  return apart(m->nq, x, there) - (a ? 0.5*apart(m->nq, there, q) : 0);
}

/* macro-steps take the velocity of the start for that of the slow motion. sway: the fast velocity in the window */
static void check_velocity(epi_flow *f, const double *start, double sway)
{
  const epi_window *w = f->own;
  const epi_system *m = f->kid[0]->sys;
  int nv = epi_nv(m);
  double *mean = mean_of(f) + m->nq, fast = apart(nv, mean, start + m->nq), whole = size(nv, start + m->nq);
  if ((w->start == LIFT ? w->around : w->projected) || w->match || !(fast > 0.1*sway && fast > 0.05*whole)) return;
  if (w->start == LIFT)
    epi_warn(f, "hmm: with start=lift the state is the slow one, and the start was taken for it; the oscillating velocity there is %.2g "
             "off: if that is what was given, put project(...) around the flow, else project(..., start=0)", fast);
  else if (m->phase.forced)
    epi_warn(f, "hmm: at the phase of its windows the velocity has a fast part of %.3g, which the slow motion does not have: put "
             "project(...) around the flow, or start from the slow velocity at a phase where that part is zero (theta0)", fast);
  else
    epi_warn(f, "hmm: the start is off the slow manifold: its velocity has a fast part of %.3g, of %.3g, which macro-steps take for slow "
             "motion; put project(...) around the flow", fast, fmax(whole, fast));
}

/* ---- the error of the force ---- */
/* the force of the window from the state that it starts from now */
static int force_from(epi_flow *f, double h, double t, double theta, int halved, double *b)
{
  const epi_window *w = f->own;
  const epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m);
  for (int i = 0; i < nv; i++) b[i] = w->tap0*f->work[nq + i];
  int bad = epi_window_legs(f, h, t, theta, &(epi_functional){w->tap, b, nq, nq + nv, halved, 0}, &(epi_functional){0});
  for (int i = 0; i < nv; i++) b[i] /= h;
  return bad;
}

static int mean_of_window(epi_flow *f, double h, double t, double theta)
{
  const epi_window *w = f->own;
  double *mean = mean_of(f);
  int N = epi_dim(f->kid[0]->sys);
  for (int i = 0; i < N; i++) mean[i] = w->mean0*f->work[i];
  return epi_window_legs(f, h, t, theta, &(epi_functional){w->mean, mean, 0, N, 0, 0}, &(epi_functional){0});
}

/* the start moves by what the mean of its window lacks of the slow state, and stays on units and joints. 0 on success */
static int match_start(epi_flow *f, double t, double theta, const double *q)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  double *y = f->work, *mean = mean_of(f), *x = room(f), *zero = x + epi_dim(m), *joints = f->work + epi_window_room(f);
  for (int i = 0; i < m->nq; i++) y[i] += q[i] - mean[i];
  if (m->manifold.retract) {
    memset(zero, 0, (size_t)epi_nv(m)*sizeof *zero);
    memcpy(x, y, (size_t)m->nq*sizeof *x);
    m->manifold.retract(m, x, zero, y);
  }
  epi_state s = {.t = t, .theta = theta, .y = y};
  epi_phased_at(w->phased, t, theta);
  return !m->nc ? 0 : epi_return_to_constraints(f->kid[0]->space, &s, 0, joints, &f->fault) ||
         epi_project_velocities(f->kid[0]->space, &s, joints, NULL, &f->fault);
}

/* windows that start from the slow state have another mean than it: by a start that is matched to it, where it is lifted */
static int force_of_matched(epi_flow *f, double h, double t, double theta, const double *q, double *b)
{
  const int N = epi_dim(f->kid[0]->sys);
  double *start = room(f) + 2*N;
  memcpy(start, f->work, (size_t)N*sizeof *start);
  int bad = match_start(f, t, theta, q) ? EPI_TOO_FAR : force_from(f, h, t, theta, 0, b);
  memcpy(f->work, start, (size_t)N*sizeof *start);
  return bad;
}

/* else the states at one phase of the oscillating motion are the slow motion itself, and their differences over two turns either way, of
   fourth order, are its acceleration, whatever the window. Of half a window the other half is the mirror image. Rotations have differences
   of velocities alone: the fast motion leaves these off by as much the other way. 1: rounding, or half a window of rotations, hides it */
static int force_of_turns(epi_flow *f, double h, double t, double theta, const double *a, double *b)
{
  const epi_window *w = f->own;
  epi_flow *micro = f->kid[0];
  const epi_system *m = micro->sys;
  const double second[] = {4./3, -1./12}, first[] = {2./3, -1./12}, turn = w->steps*h;
  const int N = epi_dim(m), nv = epi_nv(m), n = (int)fmax(1, round(w->steps)), ways = w->m[1] ? 2 : 1,
    turning = m->manifold.retract != NULL;
  const double *start = f->work;
  double *x = room(f);
  if ((turning && ways == 1) || 1e-12*size(m->nq, start) > turn*turn*size(nv, a)) return EPI_TOO_FAR;
  memset(b, 0, (size_t)nv*sizeof *b);
  for (int d = 0, bad; d < ways; d++) {
    const double sign = d ? -1 : 1, both = ways == 1 ? 2 : 1;
    memcpy(x, start, (size_t)N*sizeof *x);
    epi_phased_at(w->phased, t, theta);
    epi_state s = {.t = t, .theta = theta, .y = x};
    if (f->below) epi_forget(micro);
    for (int j = 0; j < 2; j++) {
      if ((bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, sign*turn/n, n))) return bad;
      for (int i = 0; i < nv; i++)
        b[i] += turning ? sign*first[j]*x[m->nq + i]/turn : both*second[j]*(x[i] - start[i])/(turn*turn);
    }
  }
  for (int i = 0; i < nv && turning; i++) b[i] = 2*a[i] - b[i];
  return 0;
}

/* by the micro-steps, as halves of them show it, and by the start. The mean of the window is in mean_of already */
static int measure_force(epi_flow *f, double t, double theta, const double *q, const double *a)
{
  const epi_window *w = f->own;
  const epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), nv = epi_nv(micro->sys), bad;
  double h = epi_window_step(w, micro->sys, t), *b = finer(f), *other = room(f) + 3*N, *all = other + N;
  double part = micro->order > 0 ? 1/(1 - pow(2, -micro->order)) : 1;
  f->keep[FORCE_LOOKED] = size(nv, a);
  if ((bad = force_from(f, h, t, theta, 1, b))) return bad;
  for (int i = 0; i < nv; i++) all[i] = part*(b[i] - a[i]);
  f->keep[FORCE_OFF] = apart(nv, a, b);
  f->keep[FORCE_FLOOR] = 0;
  if (micro->sys->phase.forced && !w->match) {
    bad = w->start == LIFT ? force_of_matched(f, h, t, theta, q, other) : force_of_turns(f, h, t, theta, a, other);
    if (bad < 0) return bad;
    if (bad) epi_clear_error(f);
    for (int i = 0; i < nv && !bad; i++) all[i] += other[i] - a[i];
    if (!bad) f->keep[FORCE_FLOOR] = apart(nv, a, other);
  }
  f->keep[FORCE_ALL] = size(nv, all);
  return 0;
}

static int check_force(epi_flow *f, double t, double theta, const double *q, const double *a)
{
  const epi_window *w = f->own;
  const epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m), bad;
  epi_cost_hold(f);
  bad = measure_force(f, t, theta, q, a);
  epi_cost_back(f);
  if (bad || !(f->derives->rtol > 0)) return bad;
  double steps = f->keep[FORCE_OFF]/size(nv, finer(f)), swing = apart(nq, q, mean_of(f))/size(nq, q), most = 10*f->derives->rtol;
  if (steps > most && steps >= swing)
    epi_warn(f, "hmm: the tolerance around it asks for %.2g, and the micro-steps leave the slow force off by %.2g of itself, which "
             "no macro-step can see: give more steps, a micro flow of higher order such as symmetric(verlet), or a larger rtol",
             f->derives->rtol, steps);
  else if (swing > most)
    epi_warn(f, "hmm: the tolerance around it asks for %.2g, and the slow motion is off from the mean of the fast one by %.2g of "
             "itself, which no macro-step can see: use strobe, %sor a larger rtol", f->derives->rtol, swing,
             w->stiff || w->match || !w->m[1] || m->manifold.retract || m->nc ? "" : "match=2, ");
  return 0;
}

static int look_at_force(epi_flow *f, double t, double theta, const double *q, const double *a)
{
  epi_cost_hold(f);
  int bad = mean_of_window(f, epi_window_step(f->own, f->kid[0]->sys, t), t, theta);
  if (!bad) bad = measure_force(f, t, theta, q, a);
  epi_cost_back(f);
  return bad;
}

/* a small force at the start says little of a larger one: its error is found again where the force has doubled */
int epi_look_passing(epi_flow *f, double t, double theta, const double *q, const double *a)
{
  const epi_window *w = f->own;
  const epi_system *m = f->kid[0]->sys;
  const double now = size(epi_nv(m), a);
  f->keep[FORCE_MOST] = epi_larger(f->keep[FORCE_MOST], now);
  return m->phase.forced && !w->direct && f->keep[0] == SHORT && now > 2*f->keep[FORCE_LOOKED] ? look_at_force(f, t, theta, q, a) : 0;
}

epi_force_error epi_look_force(const epi_flow *f)
{
  const double *x = f->keep;
  if (((const epi_window *)f->own)->cost.inside || !(x[FORCE_MOST] > 0)) return (epi_force_error){0};
  return (epi_force_error){x[FORCE_ALL]/x[FORCE_MOST], x[FORCE_OFF]/x[FORCE_MOST], x[FORCE_FLOOR]/x[FORCE_MOST]};
}

/* the first window is run once more to look at it: the force and the mean velocity must explain the slow motion in it, up to the swing of
   the first period */
int epi_look_first(epi_flow *f, double t, double theta, const double *q, const double *a)
{
  const epi_window *w = f->own;
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), nq = micro->sys->nq, nv = epi_nv(micro->sys), bad = 0;
  double *start = f->work, *x = start + N, *mean = mean_of(f), *drift = mean + nq, h = epi_window_step(w, micro->sys, t);
  double swing = 0, sway = 0, off = 0;
  for (int i = 0; i < N; i++) mean[i] = w->mean0*start[i];
  if (!w->m[1]) epi_cost_hold(f);
  epi_functional states = {w->mean, mean, 0, N, 0, 0}, none = {0};
  if (w->m[1] || f->derives->rtol > 0 || micro->sys->phase.forced) bad = epi_window_legs(f, h, t, theta, &states, &none);
  if (!w->m[1]) epi_cost_back(f);
  if (bad) return bad;
  /* half a window has no mean velocity: its other half is the mirror image */
  if (!w->m[1]) memcpy(drift, start + nq, (size_t)nv*sizeof *mean);
  memcpy(x, start, (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = theta, .y = x};
  if (f->below) epi_forget(micro);
  for (int k = 1; k <= w->m[0] && !bad; k++) {
    bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, h, 1);
    if (k <= 1.5*w->steps) sway = epi_larger(sway, apart(nv, x + nq, drift));
    if (micro->sys->manifold.retract) {
      if (k <= 1.5*w->steps) swing = epi_larger(swing, astray_turning(micro->sys, x, q, drift, NULL, k*h, room(f)));
      off = epi_larger(off, astray_turning(micro->sys, x, q, drift, a, k*h, room(f)));
      continue;
    }
    for (int i = 0; i < nq && k <= 1.5*w->steps; i++) swing = epi_larger(swing, fabs(x[i] - q[i] - k*h*drift[i]));
    off = epi_larger(off, astray(nq, x, q, drift, a, k*h));
  }
  f->keep[0] = off <= 2*swing ? SHORT : LONG;
  if (bad || f->keep[0] == LONG) return bad;
  check_velocity(f, start, sway);
  return check_force(f, t, theta, q, a);
}

int epi_look_start(epi_flow *f, double t)
{
  const epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  double *start = f->work, *mean = mean_of(f);
  for (int i = 0; i < epi_dim(m); i++) mean[i] = w->mean0*start[i];
  epi_cost_hold(f);
  int bad = epi_window_legs(f, epi_window_step(w, m, t), t, 0, &(epi_functional){w->mean, mean, 0, epi_dim(m), 0, 0}, &(epi_functional){0});
  epi_cost_back(f);
  if (bad) return bad;
  f->keep[0] = SHORT;
  check_velocity(f, start, 0);
  return 0;
}

void epi_look_filtered(epi_flow *f, const double *q, const double *v)
{
  const epi_system *m = f->kid[0]->sys;
  epi_warn(f, "hmm: with match the state is the filtered one, and the start was taken for it; the oscillating one is %.2g off in its "
           "positions and %.2g in its velocities: if that is what was given, put project(...) around the flow, else project(..., start=0)",
           apart(m->nq, f->work, q), apart(epi_nv(m), f->work + m->nq, v));
}

int epi_window_too_long(epi_flow *f, double t)
{
  const epi_window *w = f->own;
  double half = w->m[0]*epi_window_step(w, f->kid[0]->sys, t);
  if (!w->m[1]) return epi_fail(f, EPI_WRONG, "hmm: the slow motion is not slow against half a window of %.3g at t = %.10g, or its other "
                                "half is no mirror image: take fewer periods, leave even out, or integrate directly", half, t);
  return epi_fail(f, EPI_WRONG, "hmm: the slow motion is not slow against half a window of %.3g at t = %.10g: take fewer periods, "
                  "kernel=box, or integrate directly", half, t);
}

/* on the slow manifold the force is near its mean; what it has beyond that pulls a spring back that is stretched by force/w^2 */
int epi_look_manifold(epi_flow *f, double t, double theta, const double *q, const double *v, const double *a)
{
  epi_window *w = f->own;
  epi_system *m = f->kid[0]->sys;
  int nq = m->nq, nv = epi_nv(m), bad;
  double *b = room(f), rate = 2*EPI_PI/(w->steps*epi_window_step(w, m, t));
  if ((bad = epi_space_accel_all(f->kid[0]->space, t, theta, q, v, b))) return bad;
  double stretch = apart(nv, a, b)/(rate*rate);
  if (!w->looks++) w->stretch = stretch;
  int far = stretch > 0.05*size(nq, q) && rate*stretch > 100*size(nv, v) && stretch > 10*w->stretch;
  w->far += far;
  if (far) w->farthest = fmax(w->farthest, stretch);
  if (!far || !(stretch > 0.5*size(nq, q))) {
    if (fabs(t - w->cost.first) > fabs(w->off_at - w->cost.first)) w->off = 0;
    return 0;
  }
  /* a smaller step may do, unless it has been tried often */
  if (!w->off) w->off_at = t;
  return epi_fail(f, ++w->off > 12 ? EPI_WRONG : EPI_TOO_FAR, "hmm: the state has left the slow manifold at t = %.10g, by %.3g: put "
                  "project(...) around the flow, with every= or drift= where macro-steps leave it again, or take smaller steps", t,
                  stretch);
}

void epi_look_back(epi_flow *f)
{
  const epi_window *w = f->own;
  /* steps that were refused may have been far off */
  if (w->far > 0.25*w->looks)
    epi_warn(f, "hmm: the state was off the slow manifold in %ld of %ld windows that were looked at, by up to %.3g: put project(...) "
             "around the flow, with every= or drift=, or take smaller steps", w->far, w->looks, w->farthest);
}

int epi_look_at_failure(epi_flow *f, double t, double theta, const double *q, const double *v, int code)
{
  const epi_fault before = f->fault;
  double *none = finer(f);
  memset(none, 0, (size_t)epi_nv(f->kid[0]->sys)*sizeof *none);
  f->fault.words[0] = 0;
  int off = epi_look_manifold(f, t, theta, q, v, none);
  if (!off) f->fault = before;
  return off ? off : code;
}
