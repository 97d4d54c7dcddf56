/* hmm.c - the heterogeneous multiscale method as an average: the slow force is a kernel-weighted mean of the micro accelerations.
 * Calvo & Sanz-Serna; Ariel, Sanz-Serna & Tsai. By summation by parts the mean of accelerations is a sum of velocities at the
 * step points, exact for verlet and right for any flow; constraint forces and impulses are in it for free. */
#include "lift.h"
#include "look.h"
#include "phase.h"
#include "tune.h"

/* ---- the slow system's callbacks ---- */
enum { NOW_AND_THEN = 4 };             /* windows from one look in passing to the next */

static int looked_at(epi_flow *f, double t, double start, const double *q, const double *v, double *a)
{
  epi_window *w = f->own;
  int unseen = f->keep[0] == UNSEEN, bad;
  if (unseen && (bad = epi_look_phase(f, t, start, q))) return bad;
  if ((bad = epi_window_accel(f, t, start, q, v, a))) return w->stiff ? epi_look_at_failure(f, t, start, q, v, bad) : bad;
  if (unseen && (bad = w->direct ? epi_look_start(f, t) : epi_look_first(f, t, start, q, a))) return bad;
  if (unseen && w->match && !w->around) epi_look_filtered(f, q, v);
  if (f->keep[0] == LONG) return epi_window_too_long(f, t);
  return w->stiff && (unseen || w->off || w->cost.windows % NOW_AND_THEN == 0) ? epi_look_manifold(f, t, start, q, v, a) : 0;
}

static int slow_accel(epi_flow *f, double t, double theta, const double *q, const double *v, double *a)
{
  epi_window *w = f->own;
  double start = w->running ? theta : w->theta0;
  int bad;
  if (epi_cost_repeats(f)) return epi_window_accel(f, t, start, q, v, a);
  epi_cost_add(&w->cost, t);
  bad = f->keep[0] == SHORT && !w->stiff ? epi_window_accel(f, t, start, q, v, a) : looked_at(f, t, start, q, v, a);
  return bad ? bad : epi_look_passing(f, t, start, q, a);
}

enum { RESOLVING = 12 };               /* steps of verlet a period */
static void doubt(epi_flow *f)
{
  const epi_window *w = f->own;
  double h = epi_window_step(w, f->kid[0]->sys, 0.5*(w->cost.first + w->cost.last));
  /* three steps a period are right for the mean and for nothing else: a run that resolves everything would take as many as this */
  if (w->rate && *w->rate > 0 && w->steps < RESOLVING) h = 2*EPI_PI/(RESOLVING**w->rate);
  epi_look_back(f);
  epi_cost_judge(f, &w->cost, (1 + w->match)*(w->m[0] + w->m[1])*h, h);
}

/* ---- in a checkpoint: what it saw of the slow manifold ---- */
enum { OFF = EPI_COST_SEEN, OFF_AT, LOOKS, FAR, STRETCH, FARTHEST, SEEN };
static void seen_out(const epi_flow *f, double *x)
{
  const epi_window *w = f->own;
  epi_cost_seen(&w->cost, x);
  x[OFF] = w->off, x[OFF_AT] = w->off_at, x[LOOKS] = (double)w->looks, x[FAR] = (double)w->far;
  x[STRETCH] = w->stretch, x[FARTHEST] = w->farthest;
}

static int seen_in(epi_flow *f, const double *x)
{
  epi_window *w = f->own;
  if (!epi_is_count(x[OFF]) || x[OFF] > 1000 || !epi_is_count(x[LOOKS]) || !epi_is_count(x[FAR])) return -1;
  if (epi_cost_see(&w->cost, x)) return -1;
  w->off = (int)x[OFF], w->off_at = x[OFF_AT], w->looks = (long)x[LOOKS], w->far = (long)x[FAR];
  w->stretch = x[STRETCH], w->farthest = x[FARTHEST];
  return 0;
}

/* what a checkpoint says of the first window and of the rate is used; the rest is told of */
static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *k = f->keep;
  (void)s;
  for (long i = 0; i < f->nkeep; i++) if (!isfinite(k[i])) return 1;
  for (int i = FORCE_OFF; i <= FORCE_MOST; i++) if (!(k[i] >= 0)) return 1;
  if (k[0] != UNSEEN && k[0] != SHORT && k[0] != LONG) return 1;
  const double *tuned = ((const epi_window *)f->own)->rate;
  return tuned && (!(tuned[TUNED_RATE] >= 0) || !epi_is_count(tuned[TUNED_SINCE]));
}

static int slow_force(epi_system *s, double t, const double *q, double *f) { return slow_accel(s->derived->inner, t, 0, q, NULL, f); }

static int slow_forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  return slow_accel(s->derived->inner, t, theta, q, NULL, f);
}

/* w t + theta0 in [-pi, pi], from t with more digits than t has alone: product, sum and 2 pi in two doubles each, so that
   every machine finds the same bits */
static double phase_at(double w, double t, double theta0)
{
  static const double turn = 6.283185307179586, turn_rest = 2.4492935982947064e-16;
  double p = w*t, p_rest = fma(w, t, -p), s = p + theta0, x = s - p, s_rest = (p - (s - x)) + (theta0 - x);
  double k = rint(s/turn), a = k*turn, a_rest = fma(k, turn, -a);
  return ((s - a) - a_rest) + ((s_rest + p_rest) - k*turn_rest);
}

static int slow_drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  epi_flow *hmm = s->derived->inner;
  const epi_window *w = hmm->own;
  int n = epi_nv(s);
  double *a = hmm->work + 2*epi_dim(s);
  double theta = w->running ? phase_at(s->phase.phase_rate, t, w->theta0) : 0;
  int bad = slow_accel(hmm, t, theta, q, v, a);
  for (int i = 0; i < n; i++) f[i] += a[i];
  return bad;
}

/* ---- weights ---- */
/* w acts on accelerations; v_(k+1) - v_k = h (a_k + a_(k+1))/2, so kappa on the velocity differences has w_k = (kappa_k + kappa_(k+1))/2,
   and c_k on the velocities is the difference of neighbours of kappa */
static void by_parts(int m, const double *w, double *c)
{
  double after = 0;
  for (int k = m; k >= 1; k--) {
    double kappa = 2*w[k] - after;
    c[k-1] = kappa - after;
    if (fabs(c[k-1]) < 1e-16*w[0]) c[k-1] = 0;
    after = kappa;
  }
}

/* flows of higher order give velocities of the motion itself: by parts its mean acceleration has the slope of the kernel for weights, here
   by differences of order eight, for which the window is wider by REACH steps. by_parts is off by the square of a micro-step, which
   matched starts would show */
enum { REACH = 4 };
static void by_slope(int m, const double *w, double *c)
{
  static const double b[REACH] = {4./5, -1./5, 4./105, -1./280};
  for (int k = 1; k <= m; k++)
    for (int j = 1; j <= REACH; j++) c[k-1] -= b[j-1]*((k + j <= m ? w[k + j] : 0) - w[abs(k - j)]);
}

/* velocities at the step points cannot see a weight that alternates in sign: the trace of it in a smooth kernel is taken out,
   or off the slow manifold it would multiply a large force */
static void drop_alternating(int m, double *w)
{
  double x = w[0];
  for (int k = 1; k <= m; k++) x += (k % 2 ? -2 : 2)*w[k];
  if (fabs(x) > 1e-6) return;
  for (int k = 0; k <= m; k++) w[k] *= 1 - (k % 2 ? -x : x);
}

static int by_slopes(const epi_flow *f, const epi_window *w) { return w->match && f->kid[0]->order > 2; }

static int weights(epi_flow *f, epi_window *win, int m, const double *w, int even)
{
  for (int d = 0; d < (even ? 1 : 2); d++) {
    double sign = even ? 2 : d ? -1 : 1;
    win->tap[d] = epi_zeros((size_t)m, sizeof(double));
    win->mean[d] = epi_zeros((size_t)m, sizeof(double));
    if (epi_refuse_memory(f, !win->tap[d] || !win->mean[d])) return -1;
    if (win->direct) memcpy(win->tap[d], w + 1, (size_t)m*sizeof *w);
    else if (by_slopes(f, win)) by_slope(m, w, win->tap[d]);
    else by_parts(m, w, win->tap[d]);
    for (int k = 0; k < m; k++) {
      if (!win->direct) win->tap[d][k] *= sign;
      win->mean[d][k] = (even ? 2 : 1)*w[k+1];
      if (even) win->tap0 -= win->tap[d][k];
    }
    /* steps after the last weight need not be taken */
    win->m[d] = m;
    while (win->m[d] > 1 && win->tap[d][win->m[d] - 1] == 0) win->m[d]--;
  }
  win->mean0 = w[0];
  return 0;
}

/* ---- building ---- */
static double number(const epi_flow *f, const char *name) { return epi_arg(f, name)->number; }

static double steps_of(const epi_flow *f)
{
  return !epi_arg(f, "steps")->given && number(f, "kernel") == EPI_KERNEL_NOTCH ? 3 : number(f, "steps");
}

static int plain_verlet(const epi_flow *micro)
{
  const epi_system *m = micro->sys;
  return epi_form_of(micro->record) == EPI_FORM_VERLET && m->force && !m->velocity_force && !m->nc && !m->manifold.retract &&
    !m->inertia.speed;
}

/* boxes of a stiff system are tuned to its fast oscillation, of which a flow other than verlet has another period for the same step */
static void check_boxes(epi_flow *f, const epi_window_kernel *k)
{
  const epi_flow *micro = f->kid[0];
  const epi_system *m = micro->sys;
  const char *word = epi_kernel_words[k->kind];
  epi_refuse(f, number(f, "even") != 0, "hmm: boxes are as long as they have to be, in both directions: leave even out");
  epi_refuse(f, epi_arg(f, "periods")->given, "hmm: the length of a window of boxes follows from how many there are: leave periods out, or "
             "give boxes");
  epi_refuse(f, k->steps != steps_of(f) || k->steps < 3 || k->steps > 10000,
             "hmm: a box is one fast period of a whole number of micro-steps, and steps is %g: take 3 to 10000", steps_of(f));
  epi_refuse(f, k->boxes*(k->steps - 1) % 2 != 0, "hmm: %d boxes of %d steps have no middle: take one more or one less of either", k->boxes,
             k->steps);
  epi_refuse(f, m->phase.forced && k->kind == EPI_KERNEL_NOTCH,
             "hmm: kernel=notch is for stiff forces, and its three steps a period do not resolve a vibration that is forced: take "
             "kernel=box or kernel=boxes");
  epi_refuse(f, !m->phase.forced && number(f, "start") == REST && epi_arg(f, "start")->given,
             "hmm: kernel=%s of a system without a phase is tuned to a fast oscillation of its own, and from rest there is none: give "
             "start=current", word);
  epi_refuse(f, !m->phase.forced && m->nc,
             "hmm: kernel=%s of a system without a phase finds its fast oscillation from the force alone, and constraints change it: take "
             "kernel=kaiser", word);
  epi_refuse(f, !(plain_verlet(micro) && !m->phase.forced) && k->steps % 2,
             "hmm: %d steps a period need accelerations, which verlet gives for a force of position alone: use verlet there, or take an "
             "even number of steps", k->steps);
}

static epi_window_kernel kernel_of(epi_flow *f)
{
  const epi_value *kind = epi_arg(f, "kernel"), *moments = epi_arg(f, "moments"), *exponent = epi_arg(f, "exponent");
  epi_window_kernel k = {.kind = (int)kind->number, .own = kind->name, .moments = (int)moments->number, .exponent = exponent->number};
  epi_refuse(f, exponent->given && k.kind != EPI_KERNEL_EXP, "hmm: exponent is for kernel=exp: leave one of them out");
  if (!moments->given) k.moments = epi_kernel_moments(&k);
  int boxes = (int)number(f, "boxes"), whole = epi_kernel_boxes(&k);
  epi_refuse(f, epi_arg(f, "boxes")->given && !whole, "hmm: boxes = %d is for kernel=boxes: add that, or take it away", boxes);
  if (whole) {
    k.boxes = epi_arg(f, "boxes")->given ? boxes : whole;
    k.steps = (int)steps_of(f);
    check_boxes(f, &k);
  }
  if (!k.boxes) k.shape = epi_kaiser_shape(number(f, "leak"));
  return k;
}

static double periods_of(const epi_flow *f, const epi_window_kernel *k)
{
  if (epi_arg(f, "periods")->given) return number(f, "periods");
  return epi_kernel_periods(k);
}

/* the slow state of match is a filtered one: its windows need smooth ends, their own velocity, and a phase to start at */
static void check_match(epi_flow *f, const epi_window *w, int even)
{
  const epi_system *m = f->kid[0]->sys;
  int k = w->match;
  if (k <= 0) return;
  epi_refuse(f, !m->phase.forced,
             "hmm with match needs a fast phase, at which all its windows start: fill in forced; of a stiff system project(...) around the "
             "flow takes the fast part out of the start");
  epi_refuse(f, even, "hmm with match needs the mean of the state, and half a window has none: leave even out");
  epi_refuse(f, w->start == REST,
             "hmm with match finds the fast velocity from the slow one: leave start out, or give start=current or lift");
  epi_refuse(f, w->running, "hmm with match finds a start for the phase theta0: leave phase out");
  epi_refuse(f, m->nc > 0, "hmm with match of a constrained system is not known: the mean of its states leaves the constraints");
  epi_refuse(f, m->manifold.retract != NULL, "hmm with match of rotations is not known: their differences have no sum");
}

static void check_micro(epi_flow *f, const epi_window *w, int even, int tuned)
{
  const epi_flow *micro = f->kid[0];
  const epi_system *m = micro->sys;
  epi_refuse(f, !(micro->claims & EPI_CLOCK), "hmm needs a micro flow that moves time; %s does not", micro->record->name);
  epi_refuse(f, m->nz || !m->nq || epi_all_rate(m),
             "hmm averages accelerations and this micro system has first-order variables: it needs positions and velocities only");
  epi_refuse(f, m->inertia.speed != NULL, "hmm averages accelerations, and this system has momenta with a speed of their own: use strobe");
  epi_refuse(f, !m->phase.forced && !m->derived && !epi_arg(f, "start")->given,
             "hmm of a system without a phase must be told where its micro runs start: start=current for stiff forces, "
             "whose slow velocity counts, or start=rest for vibrations that stand in force(t, q)");
  epi_refuse(f, m->velocity_force && w->start == REST,
             "hmm from rest would lose the velocity force of the micro system: give start=current or start=lift");
  epi_refuse(f, w->start == LIFT && !m->phase.lift && !epi_lift_known(m),
             "hmm with start=lift finds the fast velocity from accelerations at the phases of one turn, and this system has no phase: take "
             "start=current, and project(...) around the flow");
  epi_refuse(f, micro->order < 1,
             "hmm needs a micro flow that moves the whole system and %s moves a part of it: use verlet, or strang(kick, "
             "drift)", micro->record->name);
  epi_refuse(f, !(micro->claims & EPI_SYMMETRIC) && !micro->lands && micro->order == 1,
             "hmm multiplies the errors of %s by the fast frequency, as they are odd in its step: use verlet, rk4, or a flow that is "
             "symmetric or of higher order", micro->record->name);
  epi_refuse(f, !(micro->claims & EPI_BACKWARD) && !m->traits.irreversible,
             "hmm sums the velocities of the micro flow and those of %s are predictions: use verlet", micro->record->name);
  epi_refuse(f, !even && !(micro->claims & EPI_BACKWARD),
             "hmm with a two-sided window runs the micro flow backward and %s cannot here: take even=1 if the fast forcing is "
             "even", micro->record->name);
  epi_refuse(f, even && m->phase.phase_rate_at,
             "hmm with even=1 needs a forcing that is even in time, and a changing pace is not: leave even out");
  epi_refuse(f, even && w->start != REST,
             "hmm with even=1 takes the half window that it does not run for a mirror image, and from a moving start it is none: leave "
             "even out, or take start=rest");
  epi_refuse(f, w->running && !m->phase.forced, "hmm with phase=running needs a system with a phase: fill in forced");
  epi_refuse(f, w->running && m->phase.phase_rate_at && w->start != REST,
             "hmm with phase=running and a changing pace needs start=rest: leave phase out, so that every window starts at theta0");
  epi_refuse(f, !(w->period > 0) && !m->phase.phase_rate_at && !tuned,
             "hmm does not know the fast period: set period or phase_rate in the system, or give hmm its period");
}

/* what comes through at the rate of the phase; the modes of a stiff system lie anywhere above that of its period */
static double leak_of(const epi_flow *f, const epi_window *w, int m, const double *u)
{
  const epi_system *s = f->kid[0]->sys;
  double rate = s->phase.phase_rate_at ? 0 : fabs(s->phase.phase_rate), worst = 0;
  if (s->phase.forced) return epi_kernel_leak(m, u, rate > 0 ? w->steps*2*EPI_PI/(rate*w->period) : w->steps);
  for (double x = 1; x <= fmin(1.7, w->steps/2); x += 0.02) worst = fmax(worst, epi_kernel_leak(m, u, w->steps/x));
  return worst;
}

/* what comes through of a forcing that is odd about the start while the slow motion carries the run along: all of it for a box, nothing
   for a window with smooth ends */
static double odd_leak_of(const epi_flow *f, const epi_window *w, int m, const double *u)
{
  const epi_system *s = f->kid[0]->sys;
  double rate = s->phase.phase_rate_at ? 0 : fabs(s->phase.phase_rate), angle = rate > 0 ? rate*w->period/w->steps : 2*EPI_PI/w->steps,
    sum = 0;
  for (int k = 1; k <= m; k++) sum += 2*u[k]*k*angle*sin(k*angle);
  return fabs(sum);
}

/* constraints that move with the phase: all windows start at one, and there the slow motion is held */
static int held_constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  epi_system *held = &epi_window_of(s->derived->inner)->phased->held;
  return held->constraint(held, t, q, g, G, gt);
}

static int held_bend(epi_system *s, double t, double h, const double *q, const double *v, double *out)
{
  epi_system *held = &epi_window_of(s->derived->inner)->phased->held;
  return held->constraints.constraint_bend(held, t, h, q, v, out);
}

static epi_derived_system *slow_system(const epi_flow *f, const epi_window *w)
{
  epi_derived_system *made = epi_zeros(1, sizeof *made);
  const epi_system *m = f->kid[0]->sys;
  if (!made) return NULL;
  made->sys = epi_inherited(m);
  if (w->phased && m->nc) {
    made->sys.constraint = held_constraint;
    made->sys.constraints.constraint_bend = m->constraints.constraint_bend ? held_bend : NULL;
  }
  made->sys.manifold.retract = m->manifold.retract;
  made->sys.manifold.retract_rate = m->manifold.retract_rate;
  made->sys.inertia.accel = 1;
  made->sys.phase.phase_rate = m->phase.phase_rate;
  made->sys.phase.phase_rate_at = m->phase.phase_rate_at;
  made->sys.phase.period = m->phase.period;
  made->sys.derived = made;
  if (w->start != REST) made->sys.velocity_force = slow_drag;
  else if (w->running) made->sys.phase.forced = slow_forced;
  else made->sys.force = slow_force;
  made->record = f->record;
  return made;
}

static void hmm_drop(epi_flow *f)
{
  epi_window *w = f->own;
  for (int d = 0; w && d < 2; d++) { free(w->tap[d]); free(w->mean[d]); }
  if (w) { epi_phased_free(w->phased); epi_lift_free(w->lift); }
  epi_cost_close(f);
}

/* from rest where a phase makes the vibrations, unless match wants the velocity */
static int start_of(const epi_flow *f)
{
  const epi_value *start = epi_arg(f, "start");
  return !start->given && number(f, "match") > 0 ? CURRENT : (int)start->number;
}

/* how long half a window is, and what there is to say against it */
static int half_of(epi_flow *f, const epi_window *w, const epi_window_kernel *k)
{
  double half = k->boxes ? epi_boxes_half(k) : 0.5*periods_of(f, k)*w->steps;
  epi_refuse(f, !(w->steps >= 3), "hmm: steps is %g: a fast period needs at least 3 micro-steps, 32 are usual", w->steps);
  epi_refuse(f, half > 1e6, "hmm: half a window has periods x steps/2 = %g micro-steps, and each evaluation would take them all: choose "
             "fewer, 640 are usual", half);
  epi_refuse(f, !(half >= 1) || fabs(half - round(half)) > 1e-6*half,
             "hmm: half a window has periods x steps/2 = %g micro-steps: choose them so that this is a whole number", half);
  return f->broken ? 0 : (int)lround(half);
}

static void check_leak(epi_flow *f, epi_window *w, int m, const double *u, int even)
{
  w->leak = leak_of(f, w, m, u);
  w->mirrored = f->kid[0]->sys->phase.forced && (even || odd_leak_of(f, w, m, u) > 0.05);
  epi_refuse(f, w->mirrored && w->running,
             "hmm with phase=running starts its windows at every phase, and a box or even=1 need one about which the forcing is even: take "
             "kernel=kaiser or exp5 and leave even out");
  epi_refuse(f, w->mirrored && w->match, "hmm with match needs a window with smooth ends: take kernel=kaiser, or two boxes or more");
  double rate = w->period > 0 ? 2*EPI_PI/w->period : 0;
  epi_refuse(f, w->leak*rate > 5e-3,
             "hmm: this window lets %.1e of the fast force through, and at w = %g that spoils the slow one: widen it (periods), "
             "or take kernel=kaiser", w->leak, rate);
}

static int blocks_of(epi_flow *f, epi_window *w, int tuned)
{
  if (epi_blocks(f, EPI_WINDOW_KEPT + (tuned ? EPI_TUNED_KEPT : 0),
                 epi_window_room(f) + (f->kid[0]->sys->nc ? epi_constraint_room(f->kid[0]->space) : 0))) return -1;
  if (tuned) w->rate = f->keep + EPI_WINDOW_KEPT + TUNED_RATE;
  return 0;
}

static void hmm_build(epi_flow *f)
{
  epi_window *w = f->own = epi_zeros(1, sizeof *w);
  f->drop = hmm_drop;
  if (epi_refuse_memory(f, !w)) return;
  int even = number(f, "even") != 0;
  epi_window_kernel k = kernel_of(f);
  /* boxes of a stiff system find its period */
  int tuned = k.boxes && !f->kid[0]->sys->phase.forced;
  *w = (epi_window){.start = start_of(f), .running = number(f, "phase") == 1, .steps = steps_of(f), .match = (int)number(f, "match"),
                    .period = tuned && !epi_arg(f, "period")->given ? 0 : epi_period(f), .theta0 = epi_theta0(f),
                    .direct = tuned && plain_verlet(f->kid[0])};
  epi_cost_open(f);
  check_micro(f, w, even, tuned);
  check_match(f, w, even);
  epi_refuse(f, f->sys->phase.phase_in_t == 2 && f->sys->nc && w->running,
             "hmm with phase=running of constraints that move with the phase is not known: leave phase out");
  w->phased = f->broken ? NULL : epi_phased_make(f, w->theta0);
  int m = half_of(f, w, &k);
  if (!f->broken && epi_lift_known(f->kid[0]->sys)) epi_refuse_memory(f, !(w->lift = epi_lift_make(f->kid[0])));
  if (f->broken) return;
  double *u = epi_zeros((size_t)(m + REACH) + 1, sizeof *u);
  if (epi_refuse_memory(f, !u)) return;
  int wrong = epi_kernel_weights(&k, m, u);
  epi_refuse_memory(f, wrong == EPI_KERNEL_NO_MEMORY);
  epi_refuse(f, wrong != 0,
             "hmm: the kernel has no finite sum over the window: take more steps, fewer moments, or another kernel");
  if (!k.boxes) drop_alternating(m, u);
  if (!tuned) check_leak(f, w, m, u, even);
  w->stiff = !f->kid[0]->sys->phase.forced && w->start != REST;
  int bad = f->broken || weights(f, w, by_slopes(f, w) ? m + REACH : m, u, even) || blocks_of(f, w, tuned);
  if (!bad) f->derives = slow_system(f, w);
  free(u);
  epi_refuse_memory(f, !f->derives);
  f->claims = f->kid[0]->claims & (EPI_EXPLICIT | EPI_BACKWARD);
  f->order = 0;
  f->doubt = doubt;
  f->nseen = SEEN;
  f->seen_out = seen_out;
  f->seen_in = seen_in;
  f->unsound = unsound;
}

static const char *const starts[] = {"rest", "current", "lift", NULL}, *const phases[] = {"fixed", "running", NULL};
static const epi_param hmm_params[] = {
  {.name = "periods", .value = 0, .doc = "length of the whole window in fast periods; 40 for exp, 1 for box, by the leak for kaiser"},
  {.name = "steps", .value = 32, .doc = "micro-steps a fast period; 3 for notch unless given"},
  {.name = "kernel", .value = EPI_KERNEL_KAISER,
   .doc = "exp5, box (needs whole periods), boxes (one after the other), notch (two boxes of 3 steps, 7 forces), kaiser, exp (with an "
          "exponent; of 5 it is exp5), or an epi_kernel of yours by name",
   .words = epi_kernel_words, .kind = EPI_WORD, .takes = EPI_TAKES_KERNEL},
  {.name = "start",
   .doc = "velocity of the micro run: rest (makes a force), current or lift (make a velocity force); must be given for a system without a "
          "phase",
   .words = starts, .kind = EPI_WORD},
  {.name = "phase", .doc = "fixed: every window starts at theta0; running: at the phase of its time", .words = phases, .kind = EPI_WORD},
  {.name = "even", .value = 0, .doc = "1: the forcing is even about theta0, half a window is enough", .kind = EPI_COUNT},
  {.name = "period", .unit = "time", .value = 0, .doc = "the fast period; from the system unless given"},
  {.name = "theta0", .unit = "rad", .value = 0, .doc = "the phase at which every window starts; from the system unless given"},
  {.name = "leak", .value = 1e-12, .doc = "kaiser: how much of the fast force may come through",
   .range = {1e-14, 0.1, EPI_BELOW, ": take a small positive number, such as 1e-12"}},
  {.name = "moments", .value = 0, .doc = "vanishing even moments: less bias from the slow motion inside the window; 1 for kaiser, boxes "
   "and notch, else 0", .kind = EPI_COUNT, .range = {.least = 0, .most = 4}},
  {.name = "boxes", .value = 0, .doc = "kernel=boxes: how many, of one fast period each; 4 unless given", .kind = EPI_COUNT,
   .range = {1, 12, .words = ": take 2 to 8, 4 are usual"}},
  {.name = "exponent", .value = 5, .doc = "kernel=exp: p of exp(p/(x^2 - 1)); the larger, the narrower",
   .range = {0, 100, EPI_ABOVE, ": take a number from 0 to 100, 5 is usual"}},
  {.name = "match", .value = 0,
   .doc = "corrections of the start of each window, a window each: the filtered motion to order match + 1 in 1/w",
   .kind = EPI_COUNT, .range = {0, 8, .words = ": take 0 to 8, each of which costs a window and gives an order in 1/w"}},
  {0}
};
static epi_window *window(const epi_flow *f) { return f->own; }
static double micro_steps(const epi_flow *f) { return window(f)->steps; }
static int matches(const epi_flow *f) { return window(f)->match; }
static int lifts(const epi_flow *f) { return window(f)->lift != NULL; }
static int projected(const epi_flow *f) { return window(f)->projected; }

static const epi_slow_facet slow = {
  .period = epi_period, .theta0 = epi_theta0, .force_error = epi_look_force, .micro_steps = micro_steps, .matches = matches, .lifts = lifts,
  .matched = epi_window_matched, .lifted = epi_lift_state, .mean = epi_window_mean, .projected = projected, .window = window,
};
const epi_record epi_HMM = {
  .name = "hmm", .doc = "the slow system of a vibrated or stiff one, by averaging micro runs",
  .cite = "Calvo & Sanz-Serna, heterogeneous multiscale methods for mechanical systems with vibrations (2010); "
          "Sanz-Serna, Ariel & Tsai, multiscale methods for stiff and constrained mechanical systems (2009)",
  .example = "verlet(hmm(verlet, kernel=exp5, periods=40, even=1))",
  .arrow = EPI_AVERAGE, .least = 1, .most = 1, .params = hmm_params, .build = hmm_build,
  .facets = &(const epi_facets){.form = EPI_FORM_HMM, .traits = EPI_IN_LANES, .slow = &slow},
};
